"""What the tests of the course share: time runs out for them sooner than for students."""

import pytest

from course.grader import judge


@pytest.fixture(scope="module", autouse=True)
def _short_of_time():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "SECONDS", 0.5)
        patch.setattr(judge, "CELL_SECONDS", 2)
        patch.setattr(judge, "WAITING", 5)
        yield


@pytest.fixture(autouse=True)
def _out_of_reach(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

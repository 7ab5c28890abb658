"""An assignment goes out to a JupyterHub, comes back and is returned, by nbgrader's exchange."""

import getpass
import re
import shutil
import time

import coursework
import grade
import hub
import nbformat
import pytest
from coursework import COURSE, grade_id, notebook
from release import nbgrader

MADE = (
    "submitted",
    "autograded",
    "feedback",
    "collected",
    "gradebook.db",
    "grades.csv",
    "due.json",
)
FULL = sum(coursework.full_points("entropy").values())
ANSWER = "Because each date is new."


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A copy of the course on a machine whose hub has said where its exchange is."""
    (tmp_path / "exchange").mkdir(mode=0o777)
    (tmp_path / "exchange").chmod(0o777)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "nbgrader_config.py").write_text(
        f"c.Exchange.root = {str(tmp_path / 'exchange')!r}\n"
        f"c.Exchange.cache = {str(tmp_path / 'cache')!r}\n"
    )
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "etc"))
    folder = tmp_path / "course"
    others = {*coursework.NAMES} - {"entropy"}
    shutil.copytree(COURSE, folder, ignore=shutil.ignore_patterns(*MADE, *others))
    return folder


def fill(path):
    """Solve a fetched notebook."""
    solved = {grade_id(c): c.source for c in notebook("entropy").cells if c.cell_type == "code"}
    solved |= {"student": "STUDENT = 'hub'", "row_number": ANSWER}
    filled = nbformat.read(path, as_version=4)
    for cell in filled.cells:
        cell.source = solved.get(grade_id(cell), cell.source)
    nbformat.write(filled, path)


def as_student(course, step):
    """Do what a click in the student's Jupyter does."""
    api = nbgrader(course)
    api.coursedir.assignment_id, api.coursedir.student_id = "entropy", getpass.getuser()
    exchange = getattr(api.exchange, step)
    exchange(coursedir=api.coursedir, authenticator=api.authenticator, parent=api).start()


def test_one_command_gives_out_and_one_collects_grades_and_returns(course, tmp_path, monkeypatch):
    hub.give("entropy", course)
    hub.give("entropy", course)  # a second time replaces the first
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    as_student(course, "FetchAssignment")
    fill(home / "entropy" / "entropy.ipynb")
    as_student(course, "Submit")
    before = time.time()
    grade.set_due(course, "entropy", "2020-01-01T00:00", 0)
    said = []
    grade.on_the_hub("entropy", False, course, said.append)
    (row,) = grade.grade(None, course, lambda line: None)
    assert (row["student"], float(row["score"])) == (getpass.getuser(), FULL)
    assert abs((before - 1577836800) / 86400 - int(row["days_late"])) < 2  # by the hub's own clock
    assert said[-1] == "1 pages returned to the students of the hub."
    as_student(course, "FetchFeedback")
    (page,) = (home / "entropy" / "feedback").rglob("entropy.html")
    text = " ".join(re.sub(r"<[^>]*>", " ", page.read_text(encoding="utf-8")).split())
    assert "5 of 5 points" in text
    assert "surprise (Score: 5.0 / 5.0)" in text
    assert "Written response (not marked yet)" in text
    answer, rubric = text.index(ANSWER), text.index("What the points are for")
    assert 0 < rubric - answer < 300
    assert "the largest that any attribute can have" in text
    graded = nbformat.read(next((course / "autograded").rglob("*.ipynb")), as_version=4)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id", cell.id) for cell in graded.cells]
    assert names[names.index("row_number") + 1] == "rubric-row_number"
    assert {path.name for path in (course / "feedback").rglob("*.*")} == {"entropy.html"}


def test_an_exchange_that_cannot_be_used_is_said(course, tmp_path):
    (tmp_path / "exchange").rmdir()
    (tmp_path / "exchange").write_text("no folder")
    with pytest.raises(SystemExit, match="nbgrader's exchange could not do it"):
        hub.give("entropy", course)

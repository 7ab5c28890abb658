"""The bundle for Gradescope judges there as `make grade` does here, and says it in its format."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import coursework
import gradescope
import pytest
import sandbox
from coursework import handed_in, ours, solved

pytestmark = pytest.mark.slow
WRONG = ours("entropy")["entropy"].replace("log2", "log")


@pytest.fixture(scope="module")
def autograder(tmp_path_factory):
    """The folder that is /autograder on Gradescope, with the bundle unpacked as it is there."""
    root = tmp_path_factory.mktemp("autograder")
    course = coursework.course_in(tmp_path_factory.mktemp("of the teacher") / "c", ["entropy"])
    first, second = (gradescope.bundle("entropy", course).read_bytes() for _ in range(2))
    assert first == second
    path = course / "zip" / "gradescope-entropy.zip"
    with zipfile.ZipFile(path) as archive:
        programs = {member.filename: member.external_attr >> 16 for member in archive.infolist()}
        archive.extractall(root / "source")
    assert programs["setup.sh"] == programs["run_autograder"] == 0o755
    return root


def graded(autograder, files):
    """Grade what a student uploads; return results.json."""
    for folder in ("submission", "results"):
        shutil.rmtree(autograder / folder, ignore_errors=True)
        (autograder / folder).mkdir()
    for name, text in files.items():
        (autograder / "submission" / name).write_text(text, encoding="utf-8")
    program = autograder / "source" / "tools" / "gradescope.py"
    alone = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    run = [sys.executable, str(program), str(autograder)]
    subprocess.run(run, env=alone, cwd=autograder, check=True, capture_output=True, timeout=120)
    return json.loads((autograder / "results" / "results.json").read_text(encoding="utf-8"))


def test_points_and_reasons_are_those_of_the_judge(autograder):
    codes = solved("entropy", "scope") | {"entropy": WRONG}
    found = graded(autograder, {"my work.ipynb": handed_in("entropy", codes), "notes.txt": "mine"})
    by_test = coursework.run("entropy", codes)
    *tests, for_the_teacher = found["tests"]
    shown = [(one["name"], one["score"], one["output"]) for one in tests]
    assert shown == [
        (f"{question} {test}", points, message)
        for (question, test), (points, message) in by_test.items()
    ]
    assert sum(one["max_score"] for one in tests) == sum(coursework.full_points("entropy").values())
    assert {one["status"] for one in tests if one["score"]} == {"passed"}
    assert any("natural logarithms" in one["output"] for one in tests if not one["score"])
    assert for_the_teacher["visibility"] == "hidden"
    assert sandbox.kind() in for_the_teacher["output"]
    assert len({one["number"] for one in tests}) == len(tests)


def test_what_cannot_be_graded_is_said(autograder):
    found = graded(autograder, {"report.pdf": "on paper"})
    assert (found["score"], found["tests"]) == (0, [])
    assert "no notebook was handed in" in found["output"]
    assert "no notebook" in graded(autograder, {})["output"]
    found = graded(autograder, {"entropy.ipynb": '{"cells": ['})
    assert found["score"] == 0
    assert "cannot be read as a notebook" in found["output"]


def test_what_the_autograder_prints_and_keeps_is_not_for_students(autograder):
    codes = {"student": "STUDENT = 'x'\nimport importlib\nprint(open(HIDDEN).read())"}
    found = graded(autograder, {"entropy.ipynb": handed_in("entropy", codes)})
    assert found["stdout_visibility"] == "hidden"
    seen = [one for one in found["tests"] if one.get("visibility") != "hidden"]
    assert "read it yourself" not in json.dumps(seen)
    assert "read it yourself: it mentions importlib" in json.dumps(found["tests"])
    assert sum(one["score"] for one in seen) == 0

"""The bundle for Gradescope judges there as `make grade` does here, and says it in its format."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import coursework
import pytest
from coursework import handed_in, ours, put, solved

from course.grader import autograder as program
from course.grader import gradescope, sandbox

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
    alone = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    run = [sys.executable, "-m", "course.grader.autograder", str(autograder)]
    subprocess.run(
        run, env=alone, cwd=autograder / "source", check=True, capture_output=True, timeout=120
    )
    return json.loads((autograder / "results" / "results.json").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_points_and_reasons_are_those_of_the_judge_and_what_is_the_teachers_stays_there(autograder):
    codes = solved("entropy", "scope") | {"entropy": WRONG}
    codes["student"] += "\nimport importlib\nprint(open('hidden.py').read())"
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
    assert len({one["number"] for one in tests}) == len(tests)
    assert (for_the_teacher["visibility"], found["stdout_visibility"]) == ("hidden", "hidden")
    assert sandbox.kind() in for_the_teacher["output"]
    assert "read it yourself: it mentions hidden, importlib" in for_the_teacher["output"]
    assert "read it yourself" not in json.dumps(tests)


def test_of_several_notebooks_the_newest_is_graded(tmp_path, monkeypatch):
    put(tmp_path, "course/source/entropy/visible.py", "")
    put(tmp_path, "entropy.ipynb", handed_in("entropy", {}))
    for name, seconds in ("first", 2e9), ("second", 1e9):
        path = put(tmp_path, f"submission/{name}.ipynb", handed_in("entropy", {}))
        os.utime(path, (seconds, seconds))
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setattr(program.judge, "ready", lambda source: None)
    monkeypatch.setattr(program, "results", lambda submission, *_: submission.file)
    program.main(tmp_path)
    assert json.loads((tmp_path / "results/results.json").read_text()) == "first.ipynb"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"report.pdf": "on paper"}, "no notebook was handed in"),
        ({"entropy.ipynb": '{"cells": ['}, "cannot be read as a notebook"),
    ],
)
def test_what_cannot_be_graded_is_said(autograder, files, words):
    found = graded(autograder, files)
    assert (found["score"], found["tests"]) == (0, [])
    assert words in found["output"]

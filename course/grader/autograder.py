"""Be the autograder of Gradescope: judge one submission as `make grade` does.

`run_autograder`, which `gradescope.py` packs with it, starts this program, which writes
`results.json`.
"""

import json
import sys
from pathlib import Path

import nbformat

from course.grader import judge, sandbox
from course.grader.submissions import collect

ROOT = Path(__file__).resolve().parents[2]
FOR_THE_TEACHER = "for the teacher"


def results(submission, assignment, files):
    """Judge a submission; return what Gradescope reads: points by test, what to say, to whom."""
    if submission is None or submission.notebook is None:
        notes = submission.notes if submission else ["no notebook was handed in."]
        return {"score": 0, "output": " ".join(notes), "tests": []}
    judged = judge.judged(submission.notebook, assignment, files, accept_unprotected=True)
    tests = []
    for number, (question, of) in enumerate(judged["results"].items(), start=1):
        for place, (test, points, most, message) in enumerate(of, start=1):
            tests.append({"number": f"{number}.{place}", "name": f"{question} {test}"})
            tests[-1] |= {"score": points, "max_score": most, "output": message}
            tests[-1] |= {"status": "failed" if message else "passed", "output_format": "text"}
    notes = [*submission.notes, f"students' code ran {sandbox.kind() or 'with all rights'}."]
    tests.append({"name": FOR_THE_TEACHER, "output": "\n".join(notes), "visibility": "hidden"})
    said = "The written answer is marked by your teacher."
    return {"output": said, "tests": tests, "stdout_visibility": "hidden"}


def main(root):
    """Grade what is in `submission` below a folder, for `results/results.json` there."""
    (source,) = (ROOT / "course" / "source").iterdir()
    released = nbformat.read(ROOT / f"{source.name}.ipynb", as_version=4)
    found = collect(root / "submission", {source.name: released})
    read = [submission for submission in found if submission.notebook is not None]
    try:
        files = [source / name for name in judge.BESIDE]
        newest = max(read, key=lambda submission: submission.handed_in, default=None)
        submission = newest or next(iter(found), None)
        found = results(submission, judge.ready(source), files)
    except Exception as error:  # the student sees a word, the teacher the reason
        said = "Grading broke off. Ask your teacher to look at it."
        why = {"name": FOR_THE_TEACHER, "output": repr(error), "visibility": "hidden"}
        found = {"score": 0, "output": said, "tests": [why]}
    (root / "results").mkdir(exist_ok=True)
    (root / "results" / "results.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

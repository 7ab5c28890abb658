"""Grade on Gradescope: pack an assignment as an autograder, and be that autograder there.

`make assignments GRADESCOPE=name` packs the zip that Gradescope asks for. There, `run_autograder`
starts this program, which judges one submission as `make grade` does and writes `results.json`.
"""

import json
import sys
from pathlib import Path

import judge
import nbformat
import sandbox
from submissions import collect

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("gradescope.py", "judge.py", "sandbox.py", "student.py", "submissions.py")
TESTS = ("visible.py", "hidden.py", "checks.py")
# The machine of Gradescope is made once with the first, and starts the second for each submission.
SETUP = """\
#!/usr/bin/env bash
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends python3 python3-venv util-linux
python3 -m venv /autograder/python
/autograder/python/bin/pip install numpy ipython nbformat matplotlib
"""
RUN = """\
#!/usr/bin/env bash
set -euo pipefail
chmod -R go= /autograder/source /autograder/results  # students' code runs as another user
exec /autograder/python/bin/python /autograder/source/tools/gradescope.py /autograder
"""
FOR_THE_TEACHER = "for the teacher"


def bundle(name, course):
    """Pack an assignment as an autograder; return the zip."""
    from release import files_of, zipped  # which is not in the bundle

    paths = {f"tools/{program}": ROOT / "tools" / program for program in PROGRAMS}
    paths |= {f"assignments/source/{name}/{of}": course / "source" / name / of for of in TESTS}
    paths |= {"assignments/checks.py": course / "checks.py"}
    files = {"setup.sh": SETUP, "run_autograder": RUN}
    files |= {inside: path.read_bytes() for inside, path in paths.items()}
    files |= {f"{name}.ipynb": files_of(name, course)[f"{name}.ipynb"]}
    return zipped(course / "zip" / f"gradescope-{name}.zip", files)


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
    (source,) = (ROOT / "assignments" / "source").iterdir()
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

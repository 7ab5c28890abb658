"""Give out, collect and return an assignment on a JupyterHub, through nbgrader's own exchange.

`make assignments HUB=name` gives it out; `make grade HUB=name` collects the newest of each student,
grades, and returns the pages. Where the exchange is, the hub's own nbgrader_config.py says.
"""

import os
import shutil
import tempfile
from datetime import UTC
from pathlib import Path

from course.grader.release import handed_out, nbgrader, write

BESIDE = ("timestamp.txt", "submission_secret.txt")  # by them the exchange knows a submission


def done(result, what):
    if not result["success"]:
        said = (result.get("log") or result.get("error") or "").strip()
        raise SystemExit(f"{what}: nbgrader's exchange could not do it.\n{said[-1500:]}")


def give(name, course):
    """Put an assignment where the students of the hub can fetch it, in place of an older one."""
    interface = nbgrader(course)
    interface.config.ExchangeReleaseAssignment.force = True
    with tempfile.TemporaryDirectory() as scratch:
        write(handed_out(name, course), Path(scratch, name))
        interface.coursedir.release_directory = scratch
        done(interface.release_assignment(name), name)


def collect(name, course):
    """Copy the newest submission of each student; return the folder with one for each."""
    folder = Path("collected", name)
    interface = nbgrader(course)
    interface.coursedir.submitted_directory = str(folder)
    done(interface.collect(name, update=True), name)
    for notebook in (course / folder).glob(f"*/{name}/*.ipynb"):
        handed_in = interface.coursedir.get_existing_timestamp(str(notebook.parent))
        if handed_in:
            moment = handed_in.replace(tzinfo=UTC).timestamp()
            os.utime(notebook, (moment, moment))
    (course / folder).mkdir(parents=True, exist_ok=True)
    return course / folder


def give_back(name, course, rows):
    """Return the pages of an assignment to those who submitted it on the hub; return how many."""
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for row in rows:
            user = Path(row["file"]).parts[:1]
            submitted = course.joinpath("collected", name, *user, name)
            page = course / "feedback" / row["student"] / name / f"{name}.html"
            if row["assignment"] == name and user and submitted.exists() and page.exists():
                target = Path(scratch, *user, name)
                target.mkdir(parents=True)
                for path in (page, *(submitted / beside for beside in BESIDE)):
                    shutil.copy(path, target)
                count += 1
        interface = nbgrader(course)
        interface.coursedir.feedback_directory = scratch
        done(interface.release_feedback(name), name)
    return count

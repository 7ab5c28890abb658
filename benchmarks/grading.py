"""A class hands in: what `make grade` takes for thirty notebooks of the longest assignment."""

import shutil
import sys
import tempfile
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from course.grader.grade import grade
from course.grader.release import COURSE

NAME, STUDENTS = "cart", 30
WORK = f"grade {STUDENTS} notebooks, one in ten with a loop without end"
MOST_SECONDS = 180


def grade_a_class():
    """Grade in a copy of the course; the gradebook of the teacher stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        course, handed_in = Path(folder) / "course", Path(folder) / "handed in"
        made = ("gradebook.db", "submitted", "autograded", "feedback", "zip", "grades.csv")
        shutil.copytree(COURSE, course, ignore=shutil.ignore_patterns(*made))
        solved = nbformat.read(course / "source" / NAME / f"{NAME}.ipynb", as_version=4)
        for number in range(STUDENTS):
            notebook = nbformat.from_dict(solved)
            for cell in notebook.cells:
                if cell.id == "student":
                    cell.source = f'STUDENT = "student {number}"'
                if cell.id == "gini" and number % 10 == 0:
                    cell.source = "def gini(counts):\n    while True:\n        pass"
            place = handed_in / f"student{number}"
            place.mkdir(parents=True)
            nbformat.write(notebook, place / f"{NAME}.ipynb")
        rows = grade(handed_in, course, say=lambda line: None)
        assert sum(float(row["score"]) > 0 for row in rows) == STUDENTS

"""How nbgrader runs this course: `make assignments`, `make grade`, and nbgrader's own commands.

nbgrader keeps the gradebook and makes the pages. It runs no student's code: `make grade` has each
notebook judged apart (course/grader/judge.py), and `Judged` puts in what was found, and below each
written answer what its points are for.
"""

import json
import re
import sys
from pathlib import Path

from nbformat import from_dict, read
from nbformat.v4 import new_markdown_cell
from nbgrader.converters import Autograde
from nbgrader.preprocessors import Execute, GetGrades, NbGraderPreprocessor

ROOT = Path(__file__).resolve().parent
sys.path.append(str(ROOT.parent))  # for `course`, where nbgrader's own commands run

from course.grader import feedback  # noqa: E402

MARKS = r"(?s)### BEGIN MARK SCHEME\n(.*?)\n?### END MARK SCHEME"


class Judged(NbGraderPreprocessor):
    """Give the cells of a notebook the outputs that the judge has stored, and the rubrics."""

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        record = ROOT / "submitted" / where["student"] / where["assignment"] / "record.json"
        if not record.exists():
            raise FileNotFoundError(f"no {record}: notebooks are graded by `make grade`.")
        outputs = json.loads(record.read_text(encoding="utf-8"))["outputs"]
        for index, cell in enumerate(nb.cells):
            if cell.cell_type == "code":
                cell.outputs = [from_dict(output) for output in outputs.get(str(index), ())]
        rubrics, cells = rubrics_of(where["assignment"]), []
        for cell in nb.cells:
            name = cell.metadata.get("nbgrader", {}).get("grade_id")
            cells += [cell, *([rubrics[name]] if name in rubrics else [])]
        nb.cells = cells
        return nb, resources


def rubrics_of(assignment):
    """Return the rubric of each written answer as a cell, by the answer's name."""
    rubrics = {}
    for cell in read(ROOT / "source" / assignment / f"{assignment}.ipynb", as_version=4).cells:
        if cell.cell_type == "markdown" and (marks := re.search(MARKS, cell.source)):
            name = cell.metadata.nbgrader.grade_id
            lines = "\n".join(f"> {line}  " for line in marks.group(1).splitlines())
            text = f"> **What the points are for**\n>\n{lines}"
            rubrics[name] = new_markdown_cell(text, id=f"rubric-{name}")
    return rubrics


def only_what_students_get(assignment, student, notebooks):
    """Leave no hidden tests in what students get."""
    (ROOT / "release" / assignment / "hidden.py").unlink(missing_ok=True)


def only_the_page(assignment, student, notebooks):
    """Leave the page alone in a student's feedback."""
    for path in (ROOT / "feedback" / student / assignment).iterdir():
        if path.is_file() and path.suffix != ".html":
            path.unlink()


c = get_config()  # noqa: F821 (nbgrader gives it)
c.CourseDirectory.course_id = "dtreebook"
c.CourseDirectory.root = str(ROOT)
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "record.json"]
c.GenerateAssignment.post_convert_hook = only_what_students_get
c.GenerateFeedback.post_convert_hook = only_the_page
c.GenerateFeedback.preprocessors = [GetGrades, feedback.Points]
c.Points.course = str(ROOT)
c.HTMLExporter.extra_template_basedirs = [str(feedback.HERE / "templates")]
c.HTMLExporter.filters = {"rendered": feedback.rendered}
steps = Autograde.autograde_preprocessors.default()
c.Autograde.autograde_preprocessors = [Judged if step is Execute else step for step in steps]

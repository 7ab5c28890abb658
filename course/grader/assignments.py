"""Check, release and pack the assignments: `make assignments`.

From each folder of `course/source`, once it is checked, nbgrader makes one in `course/release`, and
stores its questions in the gradebook. `make assignments NEW=name` begins one of your own from
`course/template`, `HUB=name` gives one out on a JupyterHub, `GRADESCOPE=name` packs one for
Gradescope.
"""

import argparse
import re

import nbformat

from course.grader import gradescope, hub, judge
from course.grader.release import COURSE, make, must_be, names, pack


def begin(name, course=COURSE):
    """Copy the template to a new assignment."""
    target = course / "source" / name
    if not name.isidentifier() or target.exists():
        raise SystemExit(f"{name!r}: take a name of letters, digits and _ that is still free.")
    target.mkdir(parents=True)
    for path in (course / "template").iterdir():
        if path.is_file():
            text = path.read_text(encoding="utf-8").replace("TEMPLATE", name)
            (target / path.name.replace("template", name)).write_text(text, encoding="utf-8")
    (target / "checks.py").symlink_to("../../checks.py")
    return target


def check_points(name, course=COURSE):
    """Stop with a clear word if an assignment's notebook and its tests do not fit together."""
    source = course / "source" / name
    notebook = nbformat.read(source / f"{name}.ipynb", as_version=4)
    said = notebook.metadata.get("dtreebook", {}).get("assignment")
    if said != name:
        raise SystemExit(
            f"{name}: the notebook's metadata say that it is {said!r}. In JupyterLab, Property "
            f'Inspector, Notebook Metadata: "dtreebook": {{"assignment": "{name}"}}.'
        )
    cells = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    checks = [cell for cell in cells if cell.grade and not cell.solution]
    given = {cell.grade_id.removesuffix("-test"): cell.points for cell in checks}
    asked = {q.name: q.points for q in judge.assignment_in(source).questions.values()}
    for question in sorted(given.keys() | asked.keys()):
        if given.get(question) != asked.get(question):
            raise SystemExit(
                f"{name}, {question}: {given.get(question, 'no')} points in the notebook's check, "
                f"and {asked.get(question, 'no')} in the tests of visible.py. Make them equal (in "
                f"the cell `{question}-test`, and in the heading)."
            )
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    stated = list(map(int, re.findall(r"^#.*\((\d+) points?\)$", prose, re.MULTILINE)))
    worth = [cell.points for cell in cells if cell.grade]
    if stated != worth:
        raise SystemExit(
            f"{name}: the headings give {stated} points, and the cells below them {worth}. Make "
            "them equal."
        )


def check(name, course=COURSE):
    """Stop with a clear word if an assignment would not grade as it should."""
    check_points(name, course)
    source = course / "source" / name
    assignment = judge.ready(source)
    for question in assignment.questions.values():
        if question.name not in assignment.reference:
            raise SystemExit(f"{name}: hidden.py has no right function {question.name!r}.")
        if not question.draw and question.name not in assignment.inputs:
            raise SystemExit(
                f"{name}: hidden.py makes no inputs by chance for {question.name!r}: without them "
                "a wrong function may keep its points."
            )
    notebook = nbformat.read(source / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "student":
            cell.source = 'STUDENT = "teacher"'
    files = [source / beside for beside in judge.BESIDE]
    found = judge.judged(notebook, assignment, files, accept_unprotected=True)["results"]
    for question, tests in found.items():
        for test, _, _, message in tests:
            if message:
                raise SystemExit(
                    f"{name}: your own solution of {question!r} loses points on {test!r}: {message}"
                )


def main():
    """Check, make and pack all releases."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--new", metavar="NAME", help="begin one of your own")
    options.add_argument("--hub", metavar="NAME", help="give one to the students of a JupyterHub")
    options.add_argument("--gradescope", metavar="NAME", help="pack one for Gradescope")
    given = options.parse_args()
    for name in filter(None, (given.hub, given.gradescope)):
        must_be(name)
    if given.new:
        print(f"{begin(given.new)}: open {given.new}.ipynb, then visible.py and hidden.py.")
    for name in names():
        check(name)
        make(name)
        print(f"{name}: course/release/{name}, {pack(name, COURSE / 'zip')}")
    if given.hub:
        hub.give(given.hub, COURSE)
        print(f"{given.hub}: the students of the hub can fetch it.")
    if given.gradescope:
        print(f"{given.gradescope}: {gradescope.bundle(given.gradescope, COURSE)}")


if __name__ == "__main__":
    main()

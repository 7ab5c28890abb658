"""Build the assignments as students get them: `make assignments`.

From each folder of `assignments/source`, once it is checked, nbgrader makes one in
`assignments/release`, without solutions and hidden tests, and stores its questions in the
gradebook. The zip of each needs no nbgrader, so that the book's pages can offer it, too.
`make assignments NEW=name` begins one of your own from `assignments/template`, `HUB=name` gives one
out on a JupyterHub (`hub.py`), `GRADESCOPE=name` packs one for Gradescope (`gradescope.py`).
"""

import argparse
import hashlib
import logging
import os
import re
import sys
import textwrap
import warnings
import zipfile
from pathlib import Path

import address
import nbformat

COURSE = Path(__file__).resolve().parents[1] / "assignments"
STUBS = {"code": "# YOUR CODE HERE\nraise NotImplementedError()", "markdown": "YOUR ANSWER HERE"}
SOLUTION = re.compile(r"^( *).*BEGIN SOLUTION.*\n(?:.*\n)*?.*END SOLUTION.*$", re.MULTILINE)
KEPT_BACK = re.compile(
    r"^.*BEGIN (HIDDEN TESTS|MARK SCHEME).*\n(?:.*\n)*?.*END \1.*$\n?", re.MULTILINE
)
TO_THE_BOOK = re.compile(r"\[([^\[\]]*)\]\((?:\.\./){3}book/(\w+)\.ipynb\)")


def names(course=COURSE):
    return sorted(path.parent.name for path in course.glob("source/*/hidden.py"))


def must_be(name, course=COURSE):
    if name not in names(course):
        raise SystemExit(f"There is no assignment {name!r}: {', '.join(names(course))}.")


def nbgrader(course=COURSE):
    """Return nbgrader's interface to a course; it says what went wrong in what it returns."""
    from jupyter_core.paths import jupyter_config_path
    from nbgrader.apps import NbGraderAPI  # slow to load; packing a release needs none of it
    from traitlets.config import Config, PyFileConfigLoader
    from traitlets.log import get_logger

    programs, path = str(Path(sys.executable).parent), os.environ.get("PATH", "")
    if not path.startswith(programs):  # nbgrader calls alembic by its name
        os.environ["PATH"] = os.pathsep.join([programs, path])
    warnings.filterwarnings("ignore", module="nbgrader")  # how it uses its database, not our work
    get_logger().handlers = [logging.NullHandler()]
    settings, ours = Config(), course / "nbgrader_config.py"
    of_system = (Path(folder, ours.name) for folder in reversed(jupyter_config_path()))
    for path in filter(Path.exists, (*of_system, ours)):  # a hub says there where its exchange is
        settings.merge(PyFileConfigLoader(str(path)).load_config())
    settings.NbGraderAPI.log_level = "WARN"
    return NbGraderAPI(config=settings)


def make(name, course=COURSE):
    result = nbgrader(course).generate_assignment(name)
    if not result["success"]:
        raise SystemExit(f"{name}: nbgrader could not make the release.\n{result['log']}")


def released(name, course=COURSE):
    """Return a notebook as nbgrader releases it: without what is the teacher's, and locked."""
    notebook = nbformat.read(course / "source" / name / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if "nbgrader" not in cell.metadata:
            continue
        ours = cell.metadata.nbgrader
        if ours.solution:
            stub = STUBS[cell.cell_type]
            cell.source, found = SOLUTION.subn(
                lambda match, stub=stub: textwrap.indent(stub, match[1]), cell.source
            )
            cell.source = cell.source if found else stub
        cell.source = KEPT_BACK.sub("", cell.source)
        is_locked = not ours.solution and (ours.grade or ours.locked)
        if not (ours.solution or is_locked):
            continue  # the student's name
        cell.metadata.deletable = False
        if is_locked:
            cell.metadata.editable = False
        known = [cell.source, cell.cell_type, ours.grade, ours.solution, is_locked, ours.grade_id]
        known += [float(ours.points)] if ours.grade else []
        ours.checksum = hashlib.md5("".join(map(str, known)).encode()).hexdigest()
        ours.cell_type = cell.cell_type
    return notebook


def files_of(name, course=COURSE):
    beside = sorted((course / "source" / name).glob("*.*"))
    files = {path.name: path.read_bytes() for path in beside if path.is_file()}
    del files["hidden.py"]
    return files | {f"{name}.ipynb": (nbformat.writes(released(name, course)) + "\n").encode()}


def handed_out(name, course=COURSE):
    """Return what students get of an assignment, {file name: bytes}.

    Links to the pages lead to the published book, as students have no folder with them.
    """
    home, files = address.here(), files_of(name, course)
    link = rf"[\1]({home.site}/\2.html)" if home else r"\1"
    text = TO_THE_BOOK.sub(link, files[f"{name}.ipynb"].decode())
    return files | {f"{name}.ipynb": text.encode()}


def write(files, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def lay_out(course=COURSE):
    """Put the assignments where links of the book lead: postBuild does it on Binder."""
    for name in names(course):
        write(files_of(name, course), course / "release" / name)


def pack(name, folder, course=COURSE):
    files = handed_out(name, course)
    return zipped(folder / f"{name}.zip", {f"{name}/{file}": files[file] for file in files})


def zipped(target, files):
    """Pack files, {name: content}, into a zip: the same whenever and wherever it is packed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            is_program = content[:2] in ("#!", b"#!")
            entry.external_attr, entry.create_system = (0o755 if is_program else 0o644) << 16, 3
            # The first file of an EPUB is to be read without unpacking.
            how = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, how)
    return target


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
    import judge  # the book packs releases too, and on systems that cannot judge

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
    import judge

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
        print(f"{name}: assignments/release/{name}, {pack(name, COURSE / 'zip')}")
    if given.hub:
        import hub

        hub.give(given.hub, COURSE)
        print(f"{given.hub}: the students of the hub can fetch it.")
    if given.gradescope:
        import gradescope

        print(f"{given.gradescope}: {gradescope.bundle(given.gradescope, COURSE)}")


if __name__ == "__main__":
    main()

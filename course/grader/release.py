"""The assignments as students get them: without solutions and hidden tests.

nbgrader releases them into `course/release`. The zip of each needs no nbgrader, so that the pages
of the book can offer it, too.
"""

import hashlib
import logging
import os
import re
import sys
import textwrap
import warnings
from pathlib import Path

import nbformat

from tools import address
from tools.archives import zipped

COURSE = Path(__file__).resolve().parents[1]
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

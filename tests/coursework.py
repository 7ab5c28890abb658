"""Run a notebook of the assignments in this process, as nbgrader would: cells in order, on errors.

A kernel takes seconds and this takes milliseconds, so that each wrong solution of the catalogue can
be graded; tests/test_grading.py shows that nbgrader gives the same points and messages.
"""

import builtins
import contextlib
import importlib
import io
import sys
from functools import cache
from pathlib import Path

import nbformat

COURSE = Path(__file__).resolve().parents[1] / "assignments"
NAMES = ("entropy", "id3", "c45", "cart", "pruning")
MODULES = ("visible", "hidden", "checks")


@cache
def notebook(name, kind="source"):
    """Read the notebook of an assignment: `source` or `release`."""
    return nbformat.read(COURSE / kind / name / f"{name}.ipynb", as_version=4)


@contextlib.contextmanager
def modules(name, kind="source"):
    """Make the modules beside a notebook the importable ones; yield its assignment."""
    kept = {module: sys.modules.pop(module, None) for module in MODULES}
    imports = builtins.__import__
    sys.path.insert(0, str(COURSE / kind / name))
    try:
        yield importlib.import_module("visible").assignment
    finally:
        sys.path.pop(0)
        builtins.__import__ = imports
        for module in MODULES:
            sys.modules.pop(module, None)
        sys.modules.update({module: was for module, was in kept.items() if was})


def grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def cells(name, written, kind="source"):
    """List the code cells of a notebook as (grade id, code), with what somebody wrote instead."""
    return [
        (grade_id(cell), written.get(grade_id(cell), cell.source))
        for cell in notebook(name, kind).cells
        if cell.cell_type == "code"
    ]


def run(name, written=(), kind="source", seconds=2.0):
    """Grade a notebook; return {(question, test): (points, message)}, and what was printed."""
    written, results, printed = dict(written), {}, io.StringIO()
    with modules(name, kind) as assignment:
        sys.modules["checks"].SECONDS = seconds
        namespace = {"__name__": "__main__"}
        for cell, code in cells(name, written, kind):
            question = assignment.questions.get(cell.removesuffix("-test"))
            with contextlib.redirect_stdout(printed), contextlib.suppress(Exception):
                exec(compile(code, f"<{cell}>", "exec"), namespace)
            if cell.endswith("-test") and assignment.grading:
                for test, points, message in assignment.grade(question, namespace):
                    results[question.name, test.name] = points, message
    return results, printed.getvalue()


def full_points(name):
    """Return {(question, test): points} of an assignment."""
    with modules(name) as assignment:
        return {
            (question.name, test.name): test.points
            for question in assignment.questions.values()
            for test in question.tests
        }

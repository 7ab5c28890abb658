"""Notebooks as students hand them in, and a judge in this process: the sandbox is left out.

A sandbox takes a second and this takes milliseconds, so that each wrong solution of the catalogue
can be judged; tests/course/test_grading.py shows that grading gives the same.
"""

import builtins
import contextlib
import importlib
import io
import re
import shutil
import sys
import textwrap
import time
from functools import cache
from pathlib import Path

import nbformat
from checks import INPUTS, OutOfTime, at_most, called, inputs, plain

from course.grader import judge, release

COURSE = Path(__file__).resolve().parents[2] / "course"
NAMES = ("entropy", "id3", "c45", "cart", "pruning")


@cache
def notebook(name, kind="source"):
    if kind == "release":
        return release.released(name)
    return nbformat.read(COURSE / "source" / name / f"{name}.ipynb", as_version=4)


@cache
def assignment(name):
    return judge.assignment_in(COURSE / "source" / name)


@cache
def drawn(name, count):
    """Return inputs by chance for each question, with the right answers."""
    of = assignment(name)
    return {question: inputs(of, of.questions[question], count) for question in of.inputs}


@contextlib.contextmanager
def visible(name):
    """Make what lies beside a notebook importable, as it is for a student."""
    kept = {module: sys.modules.pop(module, None) for module in ("visible", "checks")}
    imports = builtins.__import__
    sys.path.insert(0, str(COURSE / "source" / name))
    try:
        yield importlib.import_module("visible")
    finally:
        sys.path.pop(0)
        builtins.__import__ = imports
        for module, was in kept.items():
            sys.modules.pop(module, None)
            if was:
                sys.modules[module] = was


def grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def codes(name, written=(), kind="source"):
    """List the code cells of a notebook as (grade id, code), with what somebody wrote instead."""
    named = {"student": 'STUDENT = "teacher"'} if kind == "source" else {}
    written = named | dict(written)
    cells = [cell for cell in notebook(name, kind).cells if cell.cell_type == "code"]
    return [(grade_id(cell), written.get(grade_id(cell), cell.source)) for cell in cells]


@cache
def ours(name):
    marks = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
    return {cell: marks.sub("", code) for cell, code in codes(name)}


def changed(name, cell, change):
    """Return the code of a cell, told by {what stands in ours: what is written instead}.

    It may also be told by what its function does in place of ours, or be all of the code.
    """
    code = ours(name)[cell]
    if isinstance(change, str):
        head, body = code.partition(":\n")[0], textwrap.dedent(change).strip("\n")
        is_whole = re.search(rf"^(def )?{cell}\b", change, re.MULTILINE)
        return change if is_whole else f"{head}:\n{textwrap.indent(body, '    ')}\n"
    for old, new in change.items():
        assert old in code, (name, cell, old)
        code = code.replace(old, new)
    return code


def solved(name, student):
    return ours(name) | {"student": f"STUDENT = {student!r}"}


def filled(notebook, written, drop=(), extra=()):
    """Return a notebook with what somebody wrote, {grade id: text}, and (place, code) put in."""
    made = nbformat.from_dict(notebook)
    for cell in made.cells:
        cell.source = written.get(grade_id(cell), cell.source)
    made.cells = [cell for cell in made.cells if grade_id(cell) not in drop]
    for place, code in extra:
        made.cells.insert(place, nbformat.v4.new_code_cell(code))
    return made


def handed_in(name, written, **more):
    return nbformat.writes(filled(notebook(name, "release"), written, **more))


def put(folder, name, text, encoding="utf-8"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding=encoding)
    return path


def course_in(folder, names=NAMES):
    """Copy the course with some of its assignments, and nothing that a term has made."""
    for path in COURSE.iterdir():
        if path.is_file() and path.suffix == ".py":
            put(folder, path.name, path.read_text("utf-8"))
    for place in ("template", *(f"source/{name}" for name in names)):
        shutil.copytree(COURSE / place, folder / place, ignore=shutil.ignore_patterns("__*"))
    return folder


class InProcess:
    """A student's notebook as `judge.Student` is one, but in this process and not protected."""

    def __init__(self, seconds, for_inputs):
        self.limits = {judge.SECONDS: seconds, judge.INPUT_SECONDS: for_inputs}

    def start(self):
        self.namespace = {"__name__": "__main__"}

    def run(self, code):
        with contextlib.suppress(Exception, SystemExit), unnoticed(), at_most(30):
            exec(compile(code, "<cell>", "exec"), self.namespace)
        return []

    def restore(self):
        for name in set(self.namespace) & set(vars(builtins)) - {"__builtins__", "__name__"}:
            del self.namespace[name]

    def value(self, name):
        return str(self.namespace.get(name, ""))

    def alive(self):
        return True

    @contextlib.contextmanager
    def trial(self, question, ours, answer, seconds):
        kept = dict(self.namespace)
        for name in ours:
            self.namespace[name] = self.asking(answer, name)

        def call(batch):
            most = self.limits.get(seconds, seconds)
            self.until = time.process_time() + most
            try:
                with unnoticed(), at_most(most):
                    return [called(self.namespace.get(question), a) for a in batch]
            except OutOfTime:
                raise judge.Ended("time") from None

        try:
            yield call
        finally:
            self.namespace.clear()
            self.namespace.update(kept)

    def asking(self, answer, name):
        def ours(*arguments, **more):
            if time.process_time() > self.until:  # answers have clocks of their own
                raise OutOfTime
            given = judge.packed(plain((*arguments, *more.values())))
            reply = answer({"ask": name, "arguments": given})
            if "error" in reply:
                raise RecursionError if reply["error"] == "RecursionError" else ValueError
            return judge.unpacked(reply["value"])

        return ours


@contextlib.contextmanager
def unnoticed():
    """Let pass a clock that rings while Python tidies up: nobody can catch that; it rings again."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = hook


def for_judge(name, written=()):
    """List the code cells of a notebook as the judge takes them."""
    return [
        {
            "index": index,
            "source": code,
            "check": cell.removesuffix("-test") if cell.endswith("-test") else "",
            "ours": cell in ("setup", "student"),
        }
        for index, (cell, code) in enumerate(codes(name, written))
    ]


def run(name, written=(), seconds=2.0, count=INPUTS // 5):
    """Judge a notebook; return {(question, test): (points, message)}.

    Fewer inputs than in grading have a third of the time: many mistakes have no end.
    """
    hidden = assignment(name)
    hidden.drawn = drawn(name, count)
    for_inputs = judge.INPUT_SECONDS / (3 if count < INPUTS else 1)
    with visible(name):
        student = InProcess(seconds, for_inputs)
        _, results = judge.Judge(for_judge(name, written), hidden, student).judge()
    found = by_test(results)
    return {(of, test.name): tuple(rest) for (of, test), rest in found.items()}


def by_test(results):
    """Return {(question, test): what else is said of it} of the judge's results."""
    return {(name, test): rest for name, of in results.items() for test, *rest in of}


def self_check(name, written=(), kind="release"):
    """Return what the checks print in a student's notebook, where all cells run to their end."""
    printed = io.StringIO()
    with visible(name):
        namespace = {"__name__": "__main__"}
        for _, code in codes(name, written, kind):
            with contextlib.redirect_stdout(printed):
                exec(compile(code, "<cell>", "exec"), namespace)
    return printed.getvalue()


def full_points(name):
    """Return {(question, test): points} of an assignment."""
    asked = assignment(name).questions.values()
    return {(one.name, test.name): test.points for one in asked for test in one.tests}

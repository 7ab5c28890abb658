"""Check in the page what a reader wrote: the assignment's own self-check, then inputs by chance.

`begin` takes an assignment, whose files lie beside the module `checks`, and `pose` an exercise of a
page. `check` is for both.
"""

import builtins
import io
import pkgutil
import re
import sys
import time
import types
from contextlib import redirect_stdout
from functools import partial
from html import escape

import checks

TRIES, FEW = 200, 50  # inputs of a question; of an exercise, whose solution may be slow
SECONDS = 1  # after which no further input is tried
posed = {}  # what is found about each question, a function of where it is called


def begin(assignment, watches=True):
    """Load the modules of an assignment."""
    importing = builtins.__import__
    for name in ("visible", "hidden"):
        source = pkgutil.get_data("checks", f"source/{assignment}/{name}.py")
        module = sys.modules[name] = types.ModuleType(name)
        exec(compile(source, f"{name}.py", "exec"), vars(module))
    if not watches:  # on a page that itself imports what the assignment forbids
        builtins.__import__ = importing
    visible = sys.modules["visible"]
    for question in visible.assignment.questions.values():
        posed[question.name] = partial(self_check, visible.assignment, question)
    visible.check = check


class Report(str):
    """What is found, in words; in a page a row for each test, after a tick or a cross."""

    def _repr_html_(self):
        def row(found):
            mark, name, message = found.groups()
            return f'<div data-mark="{mark}"><b>{name}</b>\n{" ".join(message.split())}</div>'

        rows = re.sub(r"^  ([✓✗])  (.*)\n((?: {8}.*\n)*)", row, f"{escape(self)}\n", flags=re.M)
        return f'<div class="dtb-report">{rows.strip()}</div>'


def pose(label, solution):
    """Take an exercise of a page; right is what the function in its solution gives there."""
    from in_page.exercises import EXERCISES

    name, draw, slips = EXERCISES[label]
    names = {**vars(sys.modules["__main__"])}
    exec(solution, names)
    assignment = checks.Assignment(label)
    question = assignment.function(name)
    assignment.hidden({name: names[name]}, {}, {name: draw})
    known = shortest_first(assignment, question, FEW)

    @question.test(f"{name} on {FEW} inputs drawn at random", 0, known)
    def run(f, arguments, right):
        value = f(*arguments)
        if not checks.same(value, right):
            hints = [(checks.plain(slip(*arguments)), why) for why, slip in slips.items()]
            checks.expect_same(value, right, f.shown, "", hints)

    posed[name] = partial(compared, question)


def check(name):
    """Print what is found about the function of this name, where it is called."""
    show = getattr(builtins, "display", print)  # that of the page
    show(Report(posed[name](sys._getframe(1).f_globals)))


def compared(question, namespace):
    """Return the shortest input on which a function does not give what is right, and why."""
    (test,) = question.tests
    with checks.silence():
        message = checks.tried(test, test.data, lambda: checks.found(question, namespace))
    return checks.line("✗" if message else "✓", test.name, message)


def self_check(assignment, question, namespace):
    """Return what the self-check says, and what inputs by chance show."""
    # It looks for the function where it is called, and prints.
    with redirect_stdout(io.StringIO()) as said:
        exec("check(name)", {**namespace, "check": assignment.check, "name": question.name})
    function = namespace.get(question.name)
    if not callable(function) or question.draw:
        return said.getvalue().rstrip()
    return said.getvalue() + by_chance(assignment, question, function)


def shortest_first(assignment, question, number):
    """Return inputs by chance with their right answers."""
    known = checks.inputs(assignment, question, number)
    return sorted(known, key=lambda case: len(repr(case[0])))


def by_chance(assignment, question, function):
    """Say on which of many inputs a function differs from ours: the shortest, and what is right."""
    known, outcomes = shortest_first(assignment, question, TRIES), []
    until = time.monotonic() + SECONDS
    with checks.silence():
        for arguments, _ in known:
            outcomes.append(checks.called(function, arguments))
            if time.monotonic() > until:
                break
    if outcomes[0].get("error", [""])[0] == "NotImplementedError":
        return ""
    wrong = checks.differences(assignment, question, known[: len(outcomes)], outcomes)
    if not wrong:
        return f"On {len(outcomes)} inputs drawn at random it gives what it should."
    share = f"{len(wrong)} of {len(outcomes)} inputs drawn at random"
    return f"On {share} it goes wrong. The shortest of them:\n  {wrong[0]}"

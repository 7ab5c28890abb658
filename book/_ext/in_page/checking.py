"""Check in the page what a reader wrote: the assignment's own self-check, then inputs by chance.

`begin(files)` takes the modules of an assignment, {name: source}; its `check` is then ours.
"""

import sys
import types

import numpy as np

TRIES, SEED = 200, 1


def begin(files):
    """Load an assignment from its files: checks, visible, hidden, in this order."""
    for name, source in files.items():
        module = sys.modules[name] = types.ModuleType(name)
        exec(compile(source, f"{name}.py", "exec"), vars(module))
    assignment = sys.modules["visible"].assignment

    def check(name):
        namespace = sys._getframe(1).f_globals
        # The self-check looks for the function where it is called.
        exec("check(name)", {**namespace, "check": assignment.check, "name": name})
        question = assignment.questions[name]
        if callable(namespace.get(name)) and not question.draw and name in assignment.inputs:
            sys.stdout.write(by_chance(assignment, name, namespace[name]))

    sys.modules["visible"].check = check


def by_chance(assignment, name, function):
    """Say on which of many inputs a function differs from ours: the shortest, and what is right."""
    checks = sys.modules["checks"]
    make, right = assignment.inputs[name], assignment.reference[name]
    form, random = assignment.forms.get(name, lambda value: value), np.random.default_rng(SEED)
    wrong = []
    for _ in range(TRIES):
        arguments = checks.plain(make(random))
        answer = checks.plain(right(*arguments))
        with checks.silence():
            outcome = checks.called(function, arguments)
        kind, text = outcome.get("error", ("", ""))
        if kind == "NotImplementedError":
            return ""
        found = outcome.get("value")
        if kind or not checks.same(form(found), form(answer)):
            gives = f"stops with {kind}: {text}" if kind else f"gives {found!r}"
            shown = ", ".join(map(repr, arguments))
            wrong.append(f"{name}({shown}) {gives}; right is {answer!r}.")
    if not wrong:
        return f"On {TRIES} inputs drawn at random it gives what it should.\n"
    share = f"{len(wrong)} of {TRIES} inputs drawn at random"
    return f"On {share} it goes wrong. The shortest of them:\n  {min(wrong, key=len)}\n"

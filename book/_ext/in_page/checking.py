"""Check in the page what a reader wrote: the assignment's own self-check, then inputs by chance.

`begin(files)` takes the modules of an assignment, {name: source}; its `check` is then ours.
"""

import sys
import types

TRIES = 200


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
            sys.stdout.write(by_chance(assignment, question, namespace[name]))

    sys.modules["visible"].check = check


def by_chance(assignment, question, function):
    """Say on which of many inputs a function differs from ours: the shortest, and what is right."""
    checks = sys.modules["checks"]
    known = checks.inputs(assignment, question, TRIES)
    with checks.silence():
        outcomes = [checks.called(function, arguments) for arguments, _ in known]
    if outcomes[0].get("error", [""])[0] == "NotImplementedError":
        return ""
    wrong = checks.differences(assignment, question, known, outcomes)
    if not wrong:
        return f"On {TRIES} inputs drawn at random it gives what it should.\n"
    share = f"{len(wrong)} of {TRIES} inputs drawn at random"
    shortest = min(wrong, key=lambda case: len(case.shown))
    return f"On {share} it goes wrong. The shortest of them:\n  {shortest}\n"

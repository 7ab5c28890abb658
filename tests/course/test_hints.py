"""Hints are true or silent: one that explains a mistake is not given for another."""

import contextlib
import copy

import pytest
from checks import Assignment, Call, Wrong, called, expect, idea, plain, tried
from coursework import NAMES, assignment, codes, visible
from wrong_solutions import CATALOGUE

# --- how it is decided ----------------------------------------------------------------------------

HALF_OR_TWICE = Assignment("hints").function("f")


@HALF_OR_TWICE.test("is twice", 1, [(1,), (2,), (3,)])
def _(f, x):
    hints = [(x * x, "this is the square."), (x / 2, f"this is half: {x / 2} of {x}.")]
    expect(f(x), 2 * x, f.shown, hints)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: x / 2, "f(1) gives 0.5, and 2 is right:\nthis is half: 0.5 of 1."),
        (lambda x: x * x, "f(1) gives 1, and 2 is right:\nthis is the square."),
        (lambda x: 0.5, "f(1) gives 0.5, and 2 is right."),
        (lambda x: 1 if x == 1 else 2 * x, "f(1) gives 1, and 2 is right:\nthis is the square."),
        (lambda x: x, "f(1) gives 1, and 2 is right."),
        (lambda x: 2 * x, ""),
    ],
)
def test_a_hint_must_fit_every_case_that_went_wrong(function, words):
    (test,) = HALF_OR_TWICE.tests
    call = Call(HALF_OR_TWICE, lambda arguments: called(function, arguments))
    assert tried(test, test.data, lambda: call) == words


# --- the hints of the assignments -----------------------------------------------------------------


def functions_of(name, mistakes):
    """List the functions of wrong solutions, each in a notebook that is right but for it."""
    found = []
    for wrong in mistakes:
        namespace = {"__name__": "__main__"}
        with contextlib.suppress(Exception):
            for cell, code in codes(name, {wrong.cell: wrong.code}):
                if not cell.endswith("-test"):
                    exec(compile(code, "<cell>", "exec"), namespace)
                if cell == wrong.cell:
                    found.append(namespace[cell])
                    break
    return found


def strange(right):
    """Return a function whose mistake nobody knows."""

    def function(*arguments):
        answer = right(*arguments)
        return answer + 0.12345 if isinstance(answer, float) else []

    return function


def said(question, test, data, function):
    """Return what a test says, and the hint in it, if there is one."""
    call = Call(question, lambda arguments: called(function, arguments))
    message, hints = tried(test, data, lambda: call), ()
    for arguments in data:
        try:
            test.run(call, *arguments)
        except Wrong as wrong:
            hints = wrong.hints
            break
        except Exception:
            break
    return message, next((hint for hint in hints if message.endswith(hint)), "")


def first_one_then_other(one, other, case):
    """Return a function that makes one mistake on the arguments of a case, and else another."""

    def function(*arguments):
        same = plain(arguments) == plain(case[: len(arguments)])
        return (one if same else other)(*copy.deepcopy(arguments))

    return function


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_hint_for_one_mistake_is_not_given_for_another(name):
    hidden, compared = assignment(name), 0
    entries = [w for w in CATALOGUE if w.assignment == name and "while True" not in w.code]
    with visible(name):
        for question in hidden.questions.values():
            mine = [w for w in entries if w.cell == question.name and f"def {w.cell}" in w.code]
            for test in question.tests:
                data = [*test.data, *hidden.other_data.get((question.name, test.name), ())]
                made = functions_of(
                    name, [w for w in mine if (question.name, test.name) in w.loses]
                )
                for one in made:
                    _, hint = said(question, test, data, one)
                    for other in [*made, strange(hidden.reference[question.name])]:
                        rest, its_own = said(question, test, data[1:], other)
                        if not hint or not rest or idea(its_own) == idea(hint):
                            continue
                        mixed = first_one_then_other(one, other, data[0])
                        message, _ = said(question, test, data, mixed)
                        assert idea(hint) not in idea(message), (question.name, test.name, message)
                        compared += 1
    assert compared >= 2, compared

"""Hints are true or silent: one that explains a mistake is not given for another."""

import pytest
from checks import Assignment, Call, called, expect, tried

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

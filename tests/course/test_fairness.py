"""Right solutions get their points, in every style; a hint is true of the mistake, or silent."""

from itertools import product

import coursework
import pytest
from catalogues import ON_WRONG_GROUND, RIGHT
from checks import Assignment, Call, called, expect, tried
from coursework import NAMES, assignment, changed, run
from tiers import sample, sometimes

from course.grader import judge


def written(name, told):
    return {cell: changed(name, cell, change) for cell, change in told.items()}


@pytest.mark.parametrize(
    "which", sample(RIGHT, quick=2), ids=lambda which: f"{which[0]}: {which[1]}"
)
def test_a_right_solution_in_another_style_has_all_points_and_the_self_check_is_content(which):
    codes = written(which[0], RIGHT[which])
    results = run(which[0], codes, seconds=10)
    assert {key: message for key, (_, message) in results.items() if message} == {}
    solved = dict(coursework.codes(which[0]))
    assert "  look" not in coursework.self_check(which[0], solved | codes)


@sometimes
@pytest.mark.parametrize(
    "which", sample(ON_WRONG_GROUND, quick=1), ids=lambda which: f"{which[0]}: {which[1]}"
)
def test_an_error_costs_its_own_question_only(which):
    told = ON_WRONG_GROUND[which]
    results = run(which[0], written(which[0], told["cells"]), seconds=0.2)
    assert {question for (question, _), (_, message) in results.items() if message} == {
        told["wrong"]
    }


@pytest.mark.parametrize("name", sample(NAMES, quick=1))
def test_a_function_of_one_question_may_be_all_that_is_right(name):
    """Whoever solves the last question alone gets its points."""
    last = next(q for q in reversed(assignment(name).questions.values()) if not q.draw)
    empty = {q: "" for q in assignment(name).questions if q != last.name}
    results = run(name, empty, seconds=10)
    assert {q for (q, _), (points, _) in results.items() if points} == {last.name}
    assert not [m for (q, _), (_, m) in results.items() if q == last.name and m]


ANSWERS = ["0", "1", "0.5", "None", "[]", "'a'", "a[0]", "a[-1]", "True", "{}", "()", "(0,1)"]


@pytest.mark.parametrize(("name", "answer"), sample(product(NAMES, ANSWERS), quick=2))
def test_no_question_is_answered_by_a_constant_or_an_argument(name, answer):
    codes = {q: f"def {q}(*a):\n    return {answer}" for q in assignment(name).questions}
    assert sum(points for points, _ in run(name, codes).values()) == 0


def test_what_leads_back_is_code_and_not_what_is_said_of_it():
    reached = judge.leading_to(
        [
            '%precision 9\ndef entropy(n):\n    """For expected_entropy, gain."""\n    return f(1)',
            "def f(gain):\n    rules = gain\n    return globals()['mutual_information'](rules)",
            "%%time\nexpected_entropy = lambda table: information_gain(table)",
            "def broken(:",
            "def information_gain(t):\n    return eval('my_mornings()')",
        ]
    )
    assert "expected_entropy" not in reached["entropy"]
    assert not {"gain", "rules"} & reached["entropy"]
    assert {"f", "mutual_information"} <= reached["entropy"]
    assert {"information_gain", "my_mornings"} <= reached["expected_entropy"]


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

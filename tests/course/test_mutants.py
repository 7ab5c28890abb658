"""Wrong functions lose points: many made by rule, some by hand, judged as students' are."""

import coursework
import judge
import pytest
from coursework import NAMES, assignment, codes, visible
from mutants import BY_HAND, around, by_rule

SHARE = 0.01  # of inputs by chance on which a wrong function differs, and must be found out
TRIED = 300
MOST = 60  # mutants by rule for a question
SECONDS = 0.3  # for one test of a mutant, which often has no end


def differs(hidden, question, student, known):
    """Return on which share of inputs a function is wrong."""
    with student.trial(question.name, (), None, 1.5) as call:
        try:
            outcomes = call([arguments for arguments, _ in known])
        except judge.Ended:
            return 1.0
    pairs = zip(known, outcomes, strict=True)
    return sum(bool(judge.difference(hidden, question, [k], [o])) for k, o in pairs) / len(known)


def notebook_with(name, question, code):
    """Return a judge whose student has run a notebook as far as a question, with that code."""
    cells = []
    for index, (cell, source) in enumerate(codes(name, {question: code})):
        check = cell.removesuffix("-test") if cell.endswith("-test") else ""
        cells.append({"index": index, "source": source, "check": check, "ours": not check})
        if check == question:
            break
    student = coursework.InProcess(SECONDS)
    made = judge.Judge(cells, assignment(name), student)
    student.start()
    for cell in cells:
        if not cell["check"]:
            student.run(cell["source"])
    return made, cells[-1]


def verdict(name, hidden, question, code, fresh):
    """Return on which share of inputs a function is wrong, and whether it has all points."""
    with visible(name):
        made, check = notebook_with(name, question.name, code)
        share = differs(hidden, question, made.student, fresh)
        results = made.attempt(question, set(), check) if share == 0 or share >= SHARE else ()
    return share, all(not message for *_, message in results)


def wrong_versions(name, question):
    """List (what is wrong, code) for a question of an assignment."""
    source = dict(codes(name))[question]
    ruled = list(by_rule(source))
    some = ruled[:: max(1, len(ruled) // MOST)]
    hand = BY_HAND.get((name, question), {}).items()
    return [*hand, *around(source, question), *some]


@pytest.mark.parametrize("name", NAMES)
def test_every_mutant_that_differs_on_one_input_in_a_hundred_loses_points(name):
    hidden = assignment(name)
    full, kept = hidden.drawn, {}
    try:
        for question in hidden.questions.values():
            if question.draw:
                continue
            hidden.drawn = {question.name: judge.inputs(hidden, question)}
            fresh = judge.inputs(hidden, question, TRIED, seed=2)
            source = dict(codes(name))[question.name]
            assert verdict(name, hidden, question, source, fresh) == (0, True)
            killed, survived = 0, []
            for what, code in wrong_versions(name, question.name):
                share, full_points = verdict(name, hidden, question, code, fresh)
                if share >= SHARE:
                    killed += not full_points
                    survived += [what] * full_points
            kept[question.name] = killed, survived
    finally:
        hidden.drawn = full
    assert {question: survived for question, (_, survived) in kept.items() if survived} == {}
    assert {question: n for question, (n, _) in kept.items() if n < 15} == {}
    print(name, {question: n for question, (n, _) in kept.items()})


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("entropy", "best_attribute"),
        ("id3", "choose"),
        ("c45", "choose_by_ratio"),
        ("c45", "best_cut"),
        ("cart", "best_cut"),
        ("cart", "best_cut_for_numbers"),
        ("pruning", "prune_weakest"),
    ],
)
def test_whoever_compares_without_the_tolerance_of_the_wording_loses_points(name, question):
    """It differs on few inputs by chance, but is the most likely mistake."""
    code = dict(codes(name))[question]
    assert " + 1e-9" in code
    results = coursework.run(name, {question: code.replace(" + 1e-9", "")})
    assert {q for (q, _), (_, message) in results.items() if message} == {question}

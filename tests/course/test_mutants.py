"""Wrong functions lose points: many made by rule, some by hand, judged as students' are."""

import time

import checks
import coursework
import pytest
from catalogues import CATALOGUE, RIVALS, SLIPS
from checks import differences, inputs
from coursework import NAMES, assignment, changed, for_judge, ours, visible
from mutants import around, by_rule
from tiers import TIER, at, sample, sometimes

from course.grader import judge

SHARE = at(quick=0.05, full=0.01)  # of inputs by chance on which wrong functions found out differ
INPUTS, TRIED = at(quick=150, full=500), at(quick=60, full=150)
MOST = {"quick": 6, "all": 12, "weekly": 60}[TIER]  # mutants by rule for a question
SECONDS = 0.3  # for one test of a mutant, which often has no end


def differs(hidden, question, student, known):
    """Return on which share of inputs a function is wrong."""
    with student.trial(question.name, (), None, 1.5) as call:
        try:
            outcomes = call([arguments for arguments, _ in known])
        except judge.Ended:
            return 1.0
    pairs = zip(known, outcomes, strict=True)
    return sum(bool(differences(hidden, question, [k], [o])) for k, o in pairs) / len(known)


def notebook_with(name, question, code, for_inputs):
    """Return a judge whose student has run a notebook as far as a question, with that code."""
    cells = for_judge(name, {question: code})
    (end,) = (cell["index"] for cell in cells if cell["check"] == question)
    student = coursework.InProcess(SECONDS, for_inputs)
    made = judge.Judge(cells, assignment(name), student)
    student.start()
    for cell in cells[:end]:
        if not cell["check"]:
            student.run(cell["source"])
    return made, cells[end]


def verdict(name, hidden, question, code, fresh, for_inputs=judge.INPUT_SECONDS):
    with visible(name):
        made, check = notebook_with(name, question.name, code, for_inputs)
        share = differs(hidden, question, made.student, fresh)
        tried = share == 0 or share >= SHARE
        results, _ = made.attempt(question, set(), check) if tried else ((), None)
    return share, all(not message for *_, message in results)


def wrong_versions(name, question):
    """List (what is wrong, code) for a question of an assignment."""
    source = ours(name)[question]
    ruled = list(by_rule(source))
    some = ruled[:: max(1, len(ruled) // MOST)]
    rivals = RIVALS.get((name, question), {}).items()
    hand = [(what, changed(name, question, change)) for what, change in rivals]
    hand += [(w.mistake, w.code) for w in CATALOGUE if (w.assignment, w.cell) == (name, question)]
    return [*hand, *around(source, question), *some]


FUNCTIONS = [(n, q.name) for n in NAMES for q in assignment(n).questions.values() if not q.draw]


@pytest.mark.parametrize(("name", "question"), sample(FUNCTIONS, quick=1))
def test_every_mutant_that_differs_on_one_input_in_a_hundred_loses_points(
    name, question, monkeypatch
):
    hidden = assignment(name)
    asked = hidden.questions[question]
    monkeypatch.setattr(hidden, "drawn", {question: inputs(hidden, asked, INPUTS)})
    fresh = inputs(hidden, asked, TRIED, seed=2)
    begin = time.process_time()
    assert verdict(name, hidden, asked, ours(name)[question], fresh) == (0, True)
    enough = 1 + 2 * (time.process_time() - begin)
    verdicts = {what: verdict(name, hidden, asked, code, fresh, enough)
                for what, code in wrong_versions(name, question)}  # fmt: skip
    found_out = {what: full for what, (share, full) in verdicts.items() if share >= SHARE}
    assert [what for what, full_points in found_out.items() if full_points] == []
    assert len(found_out) >= at(quick=5, full=15)


@sometimes
@pytest.mark.parametrize(
    ("name", "question"), sample([(n, q) for n, q in FUNCTIONS if " + 1e-9" in ours(n)[q]], quick=1)
)
def test_whoever_compares_without_the_tolerance_of_the_wording_loses_points(name, question):
    """It differs on few inputs by chance, but is the most likely mistake."""
    exact = ours(name)[question].replace(" + 1e-9", "")
    results = coursework.run(name, {question: exact}, count=checks.INPUTS)
    assert {q for (q, _), (_, message) in results.items() if message} == {question}


@sometimes
@pytest.mark.parametrize(("name", "question", "slip"), sample(SLIPS, quick=1))
def test_what_only_odd_or_large_inputs_find_loses_half(name, question, slip):
    code = SLIPS[name, question, slip]
    results = coursework.run(name, {question: code}, count=checks.INPUTS)
    found = [(*of, coursework.full_points(name)[key]) for key, of in results.items()
             if key[0] == question]  # fmt: skip
    assert sum(points for points, *_ in found) <= sum(full for *_, full in found) / 2
    assert any(judge.DIFFERS in message or "stops with" in message for _, message, _ in found)

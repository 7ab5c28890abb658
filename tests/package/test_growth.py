"""The engine: every decision is as it is defined, by counting the cases that come by."""

import cProfile
import pstats
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems
from tiers import draws

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier, datasets, measures
from dtreebook.count import dense_columns
from dtreebook.grow.growth import StopReason, grow
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.grow.record import decisions

TIE = 1e-12
CRITERIA = {"gain": measures.information_gain, "gain_ratio": measures.gain_ratio}
controls = st.builds(
    MultiwayControl,
    criterion=st.sampled_from(["gain", "gain_ratio"]),
    min_score=st.sampled_from([0.0, 0.0, 0.05, 0.3, 1.0]),
    max_depth=st.sampled_from([None, None, 0, 1, 2]),
)


def defined(cases, weight, tree, path, control):
    """Return what the record of a node must hold, by counting the cases that come by."""
    ends = [tree.arrays.path(end) for end in tree.arrays.route(cases.columns)]
    here = np.array([end[: len(path)] == path for end in ends])
    above = {tree.node(path[:i]).split.column for i in range(len(path))}
    counts = np.bincount(cases.target[here], weight[here], len(cases.classes))
    tables, scores = {}, []
    for a, attribute in enumerate(cases.attributes):
        known = here & (cases.columns[a] >= 0)
        table = np.zeros((len(attribute.levels), len(cases.classes)))
        np.add.at(table, (cases.columns[a][known], cases.target[known]), weight[known])
        if a not in above and np.count_nonzero(table.any(axis=1)) > 1:
            tables[a] = table, counts.sum() - table.sum()
            scores.append(CRITERIA[control.criterion](*tables[a]))
    for reason, is_so in {
        StopReason.EMPTY: not here.any(),
        StopReason.PURE: np.count_nonzero(counts) == 1,
        StopReason.DEPTH: len(path) == control.max_depth,
    }.items():
        if is_so:
            return counts, {}, [], reason
    if not tables:
        return counts, {}, [], StopReason.NOTHING_TO_ASK
    reason = StopReason.BEST if max(scores) >= control.min_score - TIE else StopReason.TOO_LITTLE
    return counts, tables, scores, reason


@pytest.mark.parametrize("cells", [dense_columns._MOST_CELLS_A_PASS, 500, 1])
@settings(max_examples=draws(150))
@given(problem=problems(), control=controls)
def test_the_tree_and_the_record_of_its_decisions_are_as_defined(cells, problem, control):
    cases = problem.read
    weight = np.ones(len(cases.target)) if cases.weight is None else cases.weight
    with mock.patch.object(dense_columns, "_MOST_CELLS_A_PASS", cells):
        tree, record = grow(cases, control), decisions(cases, control)
    assert {decision.path for decision in record} == {path for path, _ in tree.walk()}
    for decision in record:
        node = tree.node(decision.path)
        counts, tables, scores, reason = defined(cases, weight, tree, decision.path, control)
        assert counts.tolist() == decision.counts.tolist() == node.counts.tolist()
        assert not counts.any() or node.label == first_best(counts / counts.sum())
        assert decision.reason is reason
        assert [c.split.column for c in decision.candidates] == list(tables)
        assert [c.table.tolist() for c in decision.candidates] == [
            table.tolist() for table, _ in tables.values()
        ]
        for found, score in zip(decision.candidates, scores, strict=True):
            both = found.score, found.measures[control.criterion]
            assert both == pytest.approx((score, score), abs=TIE)
        chosen = decision.candidates[first_best(scores)] if reason is StopReason.BEST else None
        assert decision.chosen is chosen
        assert node.split == (chosen and chosen.split)


def first_best(scores):
    return int(np.argmax(np.array(scores) >= max(scores) - TIE))


@pytest.mark.parametrize("n_levels", [127, 128, 129, 2**15])
def test_codes_are_wide_enough_for_as_many_levels_as_a_byte_or_two_can_count(n_levels):
    level = np.char.mod("%05d", np.arange(n_levels))
    model = ID3Classifier().fit(np.append(level, level)[:, None], np.arange(2 * n_levels) % 2)
    assert model.tree_.node_count == n_levels + 1


@pytest.mark.parametrize(
    ("model", "load", "formulas"),
    [
        (ID3Classifier(), datasets.load_loan, {"information_gain", "entropy"}),
        (ID3Classifier(), datasets.load_tennis, {"information_gain", "entropy"}),
        (C45Classifier(), datasets.load_golf, {"information_gain", "split_information", "entropy"}),
        (CARTClassifier(), datasets.load_loan, {"gain", "gini", "expected_impurity"}),
        (CARTClassifier(), datasets.load_golf, {"gain", "gini", "expected_impurity"}),
        (CARTClassifier(criterion="entropy"), datasets.load_golf, {"gain", "entropy"}),
    ],
)
def test_fit_calls_the_formulas_that_the_chapters_show(model, load, formulas):
    X, y = load(return_X_y=True)
    profile = cProfile.Profile()
    profile.runcall(model.fit, X, y)
    called = pstats.Stats(profile).stats
    assert {name for file, _, name in called if file == measures.__file__} >= formulas

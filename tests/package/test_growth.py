"""The engine: every decision is as it is defined, by counting the cases that come by."""

import sys
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import problems
from tiers import draws

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier, datasets, measures
from dtreebook.data.cases import Attribute, Cases
from dtreebook.data.reading import read_cases
from dtreebook.grow import dense_columns
from dtreebook.grow.growth import StopReason, decisions, grow, levels
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.tree.splits import Multiway

TIE = 1e-12
CRITERIA = {"gain": measures.information_gain, "gain_ratio": measures.gain_ratio}
controls = st.builds(
    MultiwayControl,
    criterion=st.sampled_from(["gain", "gain_ratio"]),
    min_score=st.sampled_from([0.0, 0.0, 0.05, 0.3, 1.0]),
    max_depth=st.sampled_from([None, None, 0, 1, 2]),
)


# --- every decision, from the definitions --------------------------------------------------------


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
    cases = problem.cases
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
    """Return the place of the first score that is the best but for rounding."""
    return int(np.argmax(np.array(scores) >= max(scores) - TIE))


# --- what must change nothing --------------------------------------------------------------------


@given(problem=problems(), control=controls, data=st.data())
def test_an_unused_level_adds_empty_branches_and_nothing_else(problem, control, data):
    a = data.draw(st.integers(0, len(problem.n_levels) - 1))
    wider = problem._replace(
        n_levels=tuple(n + (i == a) for i, n in enumerate(problem.n_levels)),
    )
    before, after = grow(problem.cases, control), grow(wider.cases, control)
    kept = [
        visit
        for visit in after.walk()
        if not (visit.path and visit.path[-1] == problem.n_levels[a])
        or after.node(visit.path[:-1]).split != Multiway(a)
    ]
    assert [visit.path for visit in kept] == [visit.path for visit in before.walk()]
    for (_, node), (_, other) in zip(kept, before.walk(), strict=True):
        assert (node.counts.tolist(), node.label) == (other.counts.tolist(), other.label)
        assert node.split == other.split


@given(problem=problems(), control=controls, data=st.data())
def test_renaming_levels_leaves_the_partition(problem, control, data):
    """Levels in another order: the same sets of rows end together, under the same labels."""
    codes = problem.codes.copy()
    for a, n in enumerate(problem.n_levels):
        new = np.array([*data.draw(st.permutations(range(n))), -1])
        codes[:, a] = new[codes[:, a]]
    before, after = problem.cases, problem._replace(codes=codes).cases
    one, other = grow(before, control), grow(after, control)
    leaf, new_leaf = one.arrays.route(before.columns), other.arrays.route(after.columns)
    assert (one.node_count, one.n_leaves) == (other.node_count, other.n_leaves)
    assert (one.arrays.label[leaf] == other.arrays.label[new_leaf]).all()
    pairs = set(zip(leaf.tolist(), new_leaf.tolist(), strict=True))
    assert len(pairs) == len(set(leaf)) == len(set(new_leaf))


# --- rules, one at a time ------------------------------------------------------------------------


def cases_of(columns, target, weight=None, n_classes=None):
    n_classes = n_classes or max(target) + 1
    attributes = tuple(
        Attribute(name, "nominal", tuple(range(max(codes) + 1))) for name, codes in columns.items()
    )
    codes = tuple(np.array(column) for column in columns.values())
    weight = None if weight is None else np.array(weight, dtype=float)
    return Cases(attributes, codes, np.array(target), np.arange(n_classes), weight)


def test_of_tied_attributes_the_first_is_chosen_whatever_the_rounding():
    """b is a with its levels in another order: its gain differs in the last digits at most."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        a = rng.integers(0, 5, 40)
        b = rng.permutation(5)[a]
        target = rng.integers(0, 3, 40)
        for columns in ({"a": a, "b": b}, {"b": b, "a": a}):
            root = grow(cases_of(columns, target), MultiwayControl()).root
            assert root.split == Multiway(0)


def test_of_tied_classes_the_first_is_the_label_whatever_the_rounding():
    """0.1 + 0.2 is more than 0.3 in floating point, but not in truth."""
    cases = cases_of({"a": [0, 0, 0]}, [1, 1, 0], weight=[0.1, 0.2, 0.3])
    assert grow(cases, MultiwayControl()).root.label == 0
    cases = cases_of({"a": [0, 0, 0]}, [0, 1, 1], weight=[0.3, 0.1, 0.2])
    assert grow(cases, MultiwayControl()).root.label == 0


def test_the_least_score_is_enough():
    """An attribute that tells exactly one bit divides if one bit is asked for, no more."""
    cases = cases_of({"a": [0, 1]}, [0, 1])
    assert grow(cases, MultiwayControl(min_score=1.0)).n_leaves == 2
    assert decisions(cases, MultiwayControl(min_score=1.0001))[0].reason is StopReason.TOO_LITTLE


@pytest.mark.parametrize("n_levels", [127, 128, 129, 2**15])
def test_codes_are_wide_enough_for_as_many_levels_as_a_byte_or_two_can_count(n_levels):
    level = np.char.mod("%05d", np.arange(n_levels))
    model = ID3Classifier().fit(np.append(level, level)[:, None], np.arange(2 * n_levels) % 2)
    assert model.tree_.node_count == n_levels + 1


def test_two_branches_must_have_enough_cases_not_all():
    X = np.array([["a"] * 4 + ["b"] * 4 + ["c"]]).T
    y = [0] * 4 + [1] * 4 + [1]
    for min_weight, divides in [(4, True), (5, False)]:
        root = C45Classifier(min_weight=min_weight).decisions(X, y)[0]
        assert bool(root.candidates) == divides


def test_levels_come_one_by_one():
    """The generator grows no deeper than it is asked to."""
    cases = read_cases(*datasets.load_tennis(return_X_y=True))
    control = MultiwayControl()
    first = next(levels(control.growth(control.count(cases), cases), control))
    assert first.nodes.counts.tolist() == [[5, 9]]
    (candidates,) = first.candidates()
    assert [candidate.split.column for candidate in candidates] == [0, 1, 2, 3]


# --- the formula on the page is the one that runs ------------------------------------------------


def functions_called(work):
    """Return the names of the functions of the package's measures that some work calls."""
    called = set()

    def note(frame, event, arg):
        if event == "call" and frame.f_code.co_filename == measures.__file__:
            called.add(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize(
    ("model", "load", "formulas"),
    [
        (ID3Classifier(), datasets.load_loan, {"information_gain", "entropy"}),
        (ID3Classifier(), datasets.load_tennis, {"information_gain", "entropy"}),
        (
            C45Classifier(),
            datasets.load_golf,
            {"information_gain", "split_information", "entropy"},
        ),
        (CARTClassifier(), datasets.load_loan, {"gain", "gini", "expected_impurity"}),
        (CARTClassifier(), datasets.load_golf, {"gain", "gini", "expected_impurity"}),
        (CARTClassifier(criterion="entropy"), datasets.load_golf, {"gain", "entropy"}),
    ],
)
def test_fit_calls_the_formulas_that_the_chapters_show(model, load, formulas):
    X, y = load(return_X_y=True)
    assert functions_called(lambda: model.fit(X, y)) >= formulas

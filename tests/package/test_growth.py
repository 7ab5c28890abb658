"""The engine: equal to the naive twin, decision by decision, and to the documented trees."""

import sys
from unittest import mock

import numpy as np
import pytest
import twin
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

ONE_PASS = dense_columns._MOST_CELLS_A_PASS
controls = st.builds(
    MultiwayControl,
    criterion=st.sampled_from(["gain", "gain_ratio"]),
    min_score=st.sampled_from([0.0, 0.0, 0.05, 0.3, 1.0]),
    max_depth=st.sampled_from([None, None, 0, 1, 2]),
)


def twin_of(problem, control):
    return twin.grow(
        problem.rows,
        problem.levels,
        problem.classes,
        control.criterion,
        control.min_score,
        control.max_depth,
    )


def counts_of(node, classes):
    return [node.counts[label] for label in classes]


# --- equal to the naive twin ---------------------------------------------------------------------


@pytest.mark.parametrize("cells", [ONE_PASS, 500, 1], ids=["one pass", "passes", "a node each"])
@settings(max_examples=draws(200))
@given(problem=problems(), control=controls)
def test_tree_equals_the_twin(cells, problem, control):
    with mock.patch.object(dense_columns, "_MOST_CELLS_A_PASS", cells):
        tree = grow(problem.cases, control)
    expected = twin.walk(twin_of(problem, control))
    visits = list(tree.walk())
    assert [path for path, _ in visits] == [node.path for node in expected]
    for (_, node), other in zip(visits, expected, strict=True):
        assert node.counts.tolist() == counts_of(other, problem.classes)
        assert problem.classes[node.label] == other.label
        assert node.split == (Multiway(other.chosen.attribute) if other.chosen else None)


@pytest.mark.parametrize(
    "cells", [dense_columns._MOST_CELLS_A_PASS, 1], ids=["one pass", "a node each"]
)
@settings(max_examples=draws(100))
@given(problem=problems(), control=controls)
def test_decisions_equal_the_twin(cells, problem, control):
    with mock.patch.object(dense_columns, "_MOST_CELLS_A_PASS", cells):
        record = decisions(problem.cases, control)
    expected = sorted(twin.walk(twin_of(problem, control)), key=lambda node: len(node.path))
    assert [decision.path for decision in record] == [node.path for node in expected]
    for decision, other in zip(record, expected, strict=True):
        assert decision.counts.tolist() == counts_of(other, problem.classes)
        assert decision.reason == other.reason
        assert [c.split for c in decision.candidates] == [
            Multiway(c.attribute) for c in other.candidates
        ]
        for candidate, another in zip(decision.candidates, other.candidates, strict=True):
            assert candidate.table.tolist() == [
                [counts[label] for label in problem.classes] for counts in another.table.values()
            ]
            assert candidate.score == pytest.approx(getattr(another, control.criterion), abs=1e-12)
            assert candidate.measures == {
                part: pytest.approx(getattr(another, part), abs=1e-12)
                for part in ("gain", "split_information", "gain_ratio")
            }
        if other.chosen:
            assert decision.chosen.split == Multiway(other.chosen.attribute)
        else:
            assert decision.chosen is None


@pytest.mark.slow
def test_every_reason_is_drawn():
    """The two tests above see every reason, several widths and several passes."""
    seen = set()

    @given(problem=problems(), control=controls)
    @settings(max_examples=draws(1000))
    def draw(problem, control):
        seen.update(node.reason for node in twin.walk(twin_of(problem, control)))
        seen.add(len(control.count(problem.cases)._dense))
        seen.add("unknown" if (problem.codes < 0).any() else "known")
        seen.add("weighted" if problem.weight is not None else "unweighted")

    draw()
    reasons = {*StopReason} - {StopReason.TOO_FEW}  # min_weight is for C4.5
    assert seen >= {*reasons, 1, 2, 3, "unknown", "known", "weighted", "unweighted"}


@pytest.mark.parametrize("score", ["gain", "gain_ratio"])
def test_nursery_equals_the_twin(score):
    X, y = datasets.load_nursery(return_X_y=True)
    cases = read_cases(X, y)
    tree = grow(cases, MultiwayControl(score))
    rows = [(values, label, 1) for values, label in zip(X.itertuples(index=False), y, strict=True)]
    attribute_levels = [list(X[name].cat.categories) for name in X]
    expected = twin.walk(twin.grow(rows, attribute_levels, cases.classes.tolist(), score))
    assert (tree.node_count, tree.n_leaves) == (len(expected), 839) == (1159, 839)
    assert sum(node.weight for _, node in tree.walk() if node.is_leaf) == 12960
    for (path, node), other in zip(tree.walk(), expected, strict=True):
        assert path == other.path
        assert node.counts.tolist() == counts_of(other, cases.classes)
        assert cases.classes[node.label] == other.label
        assert node.split == (Multiway(other.chosen.attribute) if other.chosen else None)


# --- the record and the tree tell the same -------------------------------------------------------


@given(problem=problems(), control=controls)
def test_decisions_are_consistent_with_the_tree(problem, control):
    tree = grow(problem.cases, control)
    record = {decision.path: decision for decision in decisions(problem.cases, control)}
    assert set(record) == {path for path, _ in tree.walk()}
    for path, node in tree.walk():
        decision = record[path]
        assert isinstance(decision.reason, StopReason)
        assert (decision.reason is StopReason.BEST) == (not node.is_leaf)
        assert decision.counts.tolist() == node.counts.tolist()
        scores = [candidate.score for candidate in decision.candidates]
        assert scores == pytest.approx([c.measures[control.criterion] for c in decision.candidates])
        if node.is_leaf:
            assert decision.chosen is None
            continue
        assert decision.chosen is decision.candidates[twin.first_best(scores)]
        assert decision.chosen.split == node.split
        children = np.array([child.counts for child in node.children])
        assert children.tolist() == decision.chosen.table.tolist()


@given(problem=problems(), control=controls)
def test_an_attribute_is_used_once_on_a_path(problem, control):
    tree = grow(problem.cases, control)
    for path, node in tree.walk():
        above = [tree.node(path[:i]).split.column for i in range(len(path))]
        if not node.is_leaf:
            assert node.split.column not in above
        assert control.max_depth is None or len(path) <= control.max_depth


# --- what must change nothing --------------------------------------------------------------------


def shape_of(tree):
    return [(path, node.split, node.label) for path, node in tree.walk()]


@given(
    problem=problems(), control=controls, factor=st.sampled_from([0.1, 1 / 3, 0.7, 3, 1e-6, 1e6])
)
def test_scaling_the_weights_changes_no_node(problem, control, factor):
    weight = np.ones(len(problem.target)) if problem.weight is None else problem.weight
    scaled = problem._replace(weight=weight * factor)
    assert shape_of(grow(scaled.cases, control)) == shape_of(grow(problem.cases, control))


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


def test_without_a_least_score_an_attribute_without_gain_divides():
    """Exclusive or: no attribute alone tells anything, both together everything."""
    cases = cases_of({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}, [0, 1, 1, 0])
    assert grow(cases, MultiwayControl()).n_leaves == 4
    assert grow(cases, MultiwayControl(min_score=1e-6)).n_leaves == 1


def test_an_unknown_value_scales_the_gain_and_stops_the_case():
    """a divides perfectly the two cases it is known for; b one of three, but for all four."""
    cases = cases_of({"a": [0, 1, -1, -1]}, [0, 1, 0, 1])
    root, left, right = decisions(cases, MultiwayControl())
    assert root.chosen.score == 0.5
    assert root.chosen.measures["split_information"] == 1.5
    assert root.counts.tolist() == [2, 2]
    assert (left.counts.tolist(), right.counts.tolist()) == ([1, 0], [0, 1])


def test_an_attribute_unknown_here_is_no_candidate_here():
    cases = cases_of({"a": [0, 0, 1, 1], "b": [-1, -1, 0, 1]}, [0, 1, 0, 1])
    record = {
        decision.path: decision for decision in decisions(cases, MultiwayControl("gain_ratio"))
    }
    assert record[()].chosen.split == Multiway(1)
    assert [c.split for c in record[()].candidates] == [Multiway(0), Multiway(1)]


def test_an_empty_branch_has_the_label_of_its_parent():
    cases = cases_of({"a": [0, 0, 0, 2]}, [1, 1, 1, 0])
    tree = grow(cases, MultiwayControl())
    assert [child.label for child in tree.root.children] == [1, 1, 0]
    assert tree.root.children[1].weight == 0
    assert tree.arrays.distribution[2].tolist() == [0.25, 0.75]


def test_a_class_absent_from_a_node_keeps_its_column():
    cases = cases_of({"a": [0, 1]}, [0, 2], n_classes=4)
    assert [node.counts.tolist() for _, node in grow(cases, MultiwayControl()).walk()] == [
        [1, 0, 1, 0],
        [1, 0, 0, 0],
        [0, 0, 1, 0],
    ]


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


# --- documented trees ----------------------------------------------------------------------------


def test_loan():
    tree = grow(read_cases(*datasets.load_loan(return_X_y=True)), MultiwayControl())
    assert tree.export_text() == (
        "house = yes: yes (6.0)\nhouse = no:\n|   work = no: no (6.0)\n|   work = yes: yes (3.0)"
    )


def test_tennis():
    tree = grow(read_cases(*datasets.load_tennis(return_X_y=True)), MultiwayControl())
    assert tree.export_text() == (
        "outlook = overcast: yes (4.0)\n"
        "outlook = sunny:\n"
        "|   humidity = high: no (3.0)\n"
        "|   humidity = normal: yes (2.0)\n"
        "outlook = rainy:\n"
        "|   windy = false: yes (3.0)\n"
        "|   windy = true: no (2.0)"
    )
    assert tree.export_text("box") == (
        "├── outlook = sunny\n"
        "│   ├── humidity = high: no (3.0)\n"
        "│   └── humidity = normal: yes (2.0)\n"
        "├── outlook = overcast: yes (4.0)\n"
        "└── outlook = rainy\n"
        "    ├── windy = false: yes (3.0)\n"
        "    └── windy = true: no (2.0)"
    )

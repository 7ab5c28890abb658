"""Pruning and cases in parts: the trees and answers of C4.5, and of a naive twin by the rules."""

from dataclasses import replace
from typing import NamedTuple

import c45_tables
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import RELATIVE, cases, confidence, frames, names, predictions, read_tree
from same_trees import assert_same
from scipy.stats import binom
from tiers import draws

from dtreebook import C45Classifier
from dtreebook.data.cases import Cases
from dtreebook.data.encoding import encode
from dtreebook.data.reading import read_training
from dtreebook.prune.error_based import collapse, error_based, predicted_errors, prune_by_errors
from dtreebook.prune.error_limits import c45_upper_error_limit, extra_errors, upper_error_limit
from dtreebook.prune.pruning import Choice
from dtreebook.tree.predicting import answers
from dtreebook.tree.splits import Multiway, Subset, Threshold
from dtreebook.tree.tree import Node, Tree


@pytest.mark.parametrize("name", names(".unpruned.json"))
def test_a_pruned_tree_is_that_of_c45(name):
    unpruned, _ = read_tree(name, "unpruned")
    wanted, errors = read_tree(name, "pruned")
    found = prune_by_errors(unpruned, cases(name), confidence(name)).tree
    assert_same(found, wanted, atol=1e-12)
    predicted = predicted_errors(found, confidence(name))
    np.testing.assert_allclose(predicted, errors, rtol=RELATIVE, atol=1e-12)


def divided(cases, split, parts):
    """Return the parts (case, weight) of each branch, and the weight of the known ones.

    An unknown value is shared out in proportion to the known ones.
    """
    branch = split.branch(cases.columns[split.column]).tolist()
    n = split.branches(cases.attributes[split.column])
    below = [[(i, w) for i, w in parts if branch[i] == b] for b in range(n)]
    size = [sum(w for _, w in some) for some in below]
    for i, w in parts:
        if branch[i] < 0:
            for b in range(n):
                if size[b]:
                    below[b].append((i, w * size[b] / sum(size)))
    return below, size


class Twin:
    """A node that may change: a split or None, children, counts of the classes, the class."""

    def __init__(self, node):
        self.split, self.label, self.counts = node.split, node.label, node.counts.tolist()
        self.children = [Twin(child) for child in node.children]

    def take(self, parts, target):
        self.counts = [sum(w for i, w in parts if target[i] == k) for k in range(len(self.counts))]
        for k, weight in enumerate(self.counts):
            if weight > self.counts[self.label] * (1 + 1e-12):
                self.label = k

    def linked(self):
        children = tuple(child.linked() for child in self.children)
        return Node(np.array(self.counts), self.label, self.split, children)


class Problem(NamedTuple):
    """Cases, and a tree of theirs; `parts` are (case, weight)."""

    cases: Cases
    parts: list
    tree: Tree


def linked(twin, cases):
    return Tree.from_root(twin.linked(), cases.attributes, cases.classes)


@st.composite
def problems(draw):
    """Draw cases with unknown values, and what C4.5 grows on them before it prunes."""
    kinds, n = ("quarters", 2, 3, 5), draw(st.integers(2, 60))
    blanks, noise = draw(st.sampled_from([0, 0.05, 0.3])), draw(st.sampled_from([0.3, 1]))
    weighing, seed = draw(st.sampled_from(["none", "whole"])), draw(st.integers(0, 2**32 - 1))
    table = c45_tables.drawn(kinds, n, blanks, 3, noise, weighing, seed)
    given = table.frame, table.answer, table.weight
    told = {"min_weight": draw(st.sampled_from([0, 1, 2])), "group_values": draw(st.booleans())}
    told |= {"average_gain_guard": False, "mdl_penalty": False, "collapse": False}
    tree, cases = C45Classifier(**told, confidence=None).fit(*given).tree_, table.read
    weight = np.ones(n) if cases.weight is None else cases.weight
    return Problem(cases, list(enumerate(weight.tolist())), linked(Twin(tree.root), cases))


class Pruner:
    """Error-based pruning as the rules are stated."""

    def __init__(self, data, confidence):
        self.data, self.confidence, self.record = data, confidence, []

    def leaf_errors(self, parts):
        counts = [0.0] * len(self.data.classes)
        for i, weight in parts:
            counts[self.data.target[i]] += weight
        wrong = sum(counts) - max(counts)
        return wrong + float(extra_errors(wrong, sum(counts), self.confidence))

    def errors(self, node, parts):
        if node.split is None:
            return self.leaf_errors(parts)
        below, _ = divided(self.data, node.split, parts)
        pairs = zip(node.children, below, strict=True)
        return sum(self.errors(child, some) for child, some in pairs if some)

    def prune(self, node, parts, path=()):
        """Prune below the node, then the node; return the errors to expect of it."""
        node.take(parts, self.data.target)
        leaf = self.leaf_errors(parts)
        if node.split is None:
            return leaf
        below, size = divided(self.data, node.split, parts)
        subtree, most = 0, max(size) * (1 - 1e-12)
        for b, (child, some) in enumerate(zip(node.children, below, strict=True)):
            if some:
                subtree += self.prune(child, some, (*path, b))
            if size[b] >= most:
                largest = child
        branch = self.errors(largest, parts)
        if leaf <= branch + 0.1 and leaf <= subtree + 0.1:
            choice = Choice.LEAF
        else:
            choice = Choice.BRANCH if branch <= subtree + 0.1 else Choice.KEEP
        self.record.append((path, node.split, leaf, subtree, branch, choice))
        if choice == Choice.LEAF:
            node.split, node.children = None, []
            return leaf
        if choice == Choice.BRANCH:
            node.split, node.children = largest.split, largest.children
            node.label = largest.label
            return self.prune(node, parts, path)
        return subtree


def drop_impossible(node, possible):
    if node.split is None:
        return
    lefts = [possible] * len(node.children)
    if isinstance(node.split, Subset):
        *groups, others = node.split.groups
        a = node.split.column
        others = tuple(code for code in others if code in possible.get(a, others))
        groups += [others] if others else []
        node.split, node.children = Subset(a, tuple(groups)), node.children[: len(groups)]
        lefts = [{**possible, a: group} for group in groups]
    for child, left in zip(node.children, lefts, strict=True):
        drop_impossible(child, left)


confidences = st.sampled_from([0.001, 0.01, 0.1, 0.25, 0.5, 1.0])


@settings(max_examples=draws(400))
@given(problem=problems(), confidence=confidences)
def test_a_pruned_tree_is_that_of_the_twin(problem, confidence):
    pruner, twin = Pruner(problem.cases, confidence), Twin(problem.tree.root)
    expected = pruner.prune(twin, problem.parts)
    pruning = prune_by_errors(problem.tree, problem.cases, confidence)
    record = pruning.comparisons
    for found, wanted in zip(in_order(record), sorted(pruner.record, key=by_path), strict=True):
        assert found[:2] == wanted[:2]
        assert found[-1] == wanted[-1]
        np.testing.assert_allclose(found[2:-1], wanted[2:-1], rtol=RELATIVE)

    drop_impossible(twin, {})
    found = pruning.tree
    assert_same(found, linked(twin, problem.cases), atol=1e-12)
    np.testing.assert_allclose(predicted_errors(found, confidence)[0], expected, rtol=RELATIVE)


def by_path(comparison):
    return comparison[0]


def in_order(record):
    return sorted(((c.path, c.split, *c[3:]) for c in record), key=by_path)


@pytest.mark.parametrize("name", names(".testpred.csv"))
def test_every_test_case_has_the_classes_of_c45(name):
    X, _ = frames(name, ".test")
    said = predictions(name).values()
    for stage, (label, weight) in zip(("unpruned", "pruned"), said, strict=True):
        tree, _ = read_tree(name, stage)
        found = answers(replace(tree, fractional=True), encode(X, tree.attributes))
        # The file holds nine significant digits; half a unit of the last is at most 5e-9.
        np.testing.assert_allclose(found, weight, rtol=5e-9, atol=1e-12)
        assert (tree.classes[found.argmax(axis=1)] == label).all()


def test_a_deep_tree_is_pruned_without_recursion():
    n = 1500
    node = Node(np.array([0.0, 1.0]), 1)
    for i in range(n - 2, -1, -1):
        leaf = Node(np.eye(2)[i % 2], i % 2)
        counts = leaf.counts + node.counts
        node = Node(counts, int(counts.argmax()), Threshold(0, float(i)), (leaf, node))
    data = read_training(np.arange(float(n))[:, None], np.arange(n) % 2)
    tree = Tree.from_root(node, data.attributes, data.classes)
    assert collapse(tree).tree == tree
    assert predicted_errors(tree)[0] == pytest.approx(0.75 * n)
    assert prune_by_errors(tree, data).tree.node_count == 3


@pytest.fixture
def stump():
    leaves = Node(np.array([2.0, 0.0]), 0), Node(np.array([0.0, 3.0]), 1)
    root = Node(np.array([2.0, 3.0]), 1, Multiway(0), leaves)
    data = read_training([["a"]] * 2 + [["b"]] * 3, [0] * 2 + [1] * 3)
    return Tree.from_root(root, data.attributes, data.classes), data


def test_cases_that_the_tree_was_not_grown_on_are_refused(stump):
    tree, data = stump
    other = replace(data, target=1 - data.target)
    with pytest.raises(ValueError, match="grown on other cases"):
        prune_by_errors(tree, other)
    with pytest.raises(ValueError, match="grown on other cases"):
        error_based(tree, [["a"]] * 3 + [["b"]] * 2, [0] * 3 + [1] * 2)


FORMS = [upper_error_limit, c45_upper_error_limit]


@given(n=st.integers(1, 200), share=st.floats(0, 1), confidence=st.floats(0.001, 0.999))
def test_the_exact_limit_is_where_so_few_errors_have_that_probability(n, share, confidence):
    errors = min(int(share * n), n - 1)
    limit = upper_error_limit(errors, n, confidence)
    assert binom.cdf(errors, n, limit) == pytest.approx(confidence, rel=1e-9)


def test_without_cases_nothing_is_expected_and_nothing_is_known():
    assert extra_errors(0, 0) == 0
    assert upper_error_limit(0, 0) == c45_upper_error_limit(0, 0) == 1


@pytest.mark.parametrize("confidence", [0, -0.25, 1.5, np.nan])
def test_a_confidence_out_of_range_is_refused(stump, confidence):
    asked = [(form, (1, 16)) for form in (*FORMS, extra_errors)]
    for ask, what in [*asked, (prune_by_errors, stump), (predicted_errors, stump[:1])]:
        with pytest.raises(ValueError, match="confidence must be above 0 and at most 1, but it is"):
            ask(*what, confidence)


def test_rounding_does_not_decide_whether_half_a_case_is_right():
    sizes = [np.nextafter(1.5, 1), 1.5, np.nextafter(1.5, 2)]
    assert np.ptp(extra_errors(0.3, sizes, 0.001)) < 1e-12


@pytest.mark.parametrize("form", [*FORMS, extra_errors])
@pytest.mark.parametrize("pair", [(-1, 16), (17, 16), (np.nan, 16), (1, np.nan), (1, np.inf)])
def test_impossible_errors_are_refused(form, pair):
    with pytest.raises(ValueError, match="errors must lie between 0 and the weight of the cases"):
        form(*pair)

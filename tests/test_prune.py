"""Pruning: C4.5's own trees, and a naive twin that prunes random trees by the rules as stated."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracle import RELATIVE, cases, confidence, first_difference, names, read_tree

from dtreebook.data import read_cases
from dtreebook.limits import extra_errors
from dtreebook.prune import Choice, collapse, comparisons, error_based, predicted_errors
from dtreebook.splits import Multiway, Subset, Threshold
from dtreebook.tree import Node, Tree

# --- equal to C4.5 -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names(".unpruned.json"))
def test_a_pruned_tree_is_that_of_c45(name):
    unpruned, _ = read_tree(name, "unpruned")
    wanted, errors = read_tree(name, "pruned")
    found = error_based(unpruned, cases(name), confidence(name))
    assert first_difference(found, wanted) is None
    predicted = predicted_errors(found, confidence(name))
    np.testing.assert_allclose(predicted, errors, rtol=RELATIVE, atol=1e-12)


@pytest.mark.parametrize("name", names(".unpruned.json"))
def test_a_raw_tree_of_c45_has_collapsed_already(name):
    tree, _ = read_tree(name, "unpruned")
    assert collapse(tree) == tree


# --- the naive twin: one case at a time, by recursion --------------------------------------------


class Twin:
    """A node that may change: a split or None, children, counts of the classes, the class."""

    def __init__(self, n_classes, label):
        self.split, self.children, self.counts, self.label = None, [], [0.0] * n_classes, label

    def take(self, parts, target):
        """Count the parts (case, weight); another class must be more common to be taken."""
        self.counts = [sum(w for i, w in parts if target[i] == k) for k in range(len(self.counts))]
        for k, weight in enumerate(self.counts):
            if weight > self.counts[self.label] * (1 + 1e-12):
                self.label = k

    def linked(self):
        children = tuple(child.linked() for child in self.children)
        return Node(np.array(self.counts), self.label, self.split, children)


class Pruner:
    """Error-based pruning as the rules are stated."""

    def __init__(self, data, confidence):
        self.data, self.confidence, self.record = data, confidence, []

    def divided(self, split, parts):
        """Return the parts of each branch, unknown values in proportion to the known ones."""
        data = self.data
        branch = split.branch(data.columns[split.attribute]).tolist()
        n = split.branches(data.attributes[split.attribute])
        known = [[(i, w) for i, w in parts if branch[i] == b] for b in range(n)]
        size = [sum(w for _, w in some) for some in known]
        for i, w in parts:
            if branch[i] < 0:
                for b in range(n):
                    if size[b]:
                        known[b].append((i, w * size[b] / sum(size)))
        return known, size

    def leaf_errors(self, parts):
        counts = [0.0] * len(self.data.classes)
        for i, weight in parts:
            counts[self.data.target[i]] += weight
        wrong = sum(counts) - max(counts)
        return wrong + float(extra_errors(wrong, sum(counts), self.confidence))

    def errors(self, node, parts):
        if node.split is None:
            return self.leaf_errors(parts)
        below, _ = self.divided(node.split, parts)
        pairs = zip(node.children, below, strict=True)
        return sum(self.errors(child, some) for child, some in pairs if some)

    def prune(self, node, parts, path=()):
        """Prune below the node, then the node; return the errors to expect of it."""
        node.take(parts, self.data.target)
        leaf = self.leaf_errors(parts)
        if node.split is None:
            return leaf
        below, size = self.divided(node.split, parts)
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
        a = node.split.attribute
        others = tuple(code for code in others if code in possible.get(a, others))
        groups += [others] if others else []
        node.split, node.children = Subset(a, tuple(groups)), node.children[: len(groups)]
        lefts = [{**possible, a: group} for group in groups]
    for child, left in zip(node.children, lefts, strict=True):
        drop_impossible(child, left)


class Problem:
    """Random cases, and a random tree grown on them."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 60))
        X = pd.DataFrame({"number": rng.integers(0, 8, n).astype(float)})
        for name, n_levels in [("two", 2), ("three", 3), ("five", 5)]:
            values = rng.integers(0, n_levels, n)
            X[name] = pd.Categorical.from_codes(values, [f"level {v}" for v in range(n_levels)])
        X = X.mask(rng.random(X.shape) < rng.choice([0, 0.05, 0.3]))
        y = np.where(rng.random(n) < 0.3, rng.integers(0, 3, n), X["number"].fillna(0) > 3)
        weight = None if rng.random() < 0.5 else rng.integers(1, 5, n) / 2
        self.cases = read_cases(X, y, weight)
        weight = np.ones(n) if self.cases.weight is None else self.cases.weight
        self.parts = list(enumerate(weight.tolist()))
        self.pruner = Pruner(self.cases, 0.25)
        self.tree = self.tree_of(self.grown(self.parts, 0, frozenset()))

    def tree_of(self, twin):
        return Tree.from_root(twin.linked(), self.cases.attributes, self.cases.classes)

    def grown(self, parts, label, used):
        node = Twin(len(self.cases.classes), label)
        if not parts:
            return node
        node.label = 0
        node.take(parts, self.cases.target)
        split = self.split(parts, used)
        if split is not None and np.count_nonzero(node.counts) > 1 and self.rng.random() < 0.9:
            node.split = split
            if isinstance(split, Multiway):
                used |= {split.attribute}
            below, _ = self.pruner.divided(split, parts)
            node.children = [self.grown(some, node.label, used) for some in below]
        return node

    def split(self, parts, used):
        """Return a split that divides the known values, or None."""
        a = int(self.rng.integers(4))
        values = self.cases.columns[a][[i for i, _ in parts]]
        values = np.unique(values[~np.isnan(values) & (values >= 0)])
        if len(values) < 2 or a in used:
            return None
        if a == 0:
            return Threshold(0, float(self.rng.choice(values[:-1])))
        if a == 1 or self.rng.random() < 0.5:
            return Multiway(a)
        codes = values.astype(int).tolist()
        cut = int(self.rng.integers(1, len(codes)))
        others = tuple(set(range(len(self.cases.attributes[a].levels))) - set(codes))
        return Subset(a, tuple(filter(None, [tuple(codes[:cut]), tuple(codes[cut:]), others])))


def as_twin(node):
    twin = Twin(len(node.counts), node.label)
    twin.counts, twin.split = node.counts.tolist(), node.split
    twin.children = [as_twin(child) for child in node.children]
    return twin


problems = st.integers(0, 2**32 - 1).map(Problem)
confidences = st.sampled_from([0.001, 0.01, 0.1, 0.25, 0.5, 1.0])


@settings(max_examples=400)
@given(problem=problems, confidence=confidences)
def test_a_pruned_tree_is_that_of_the_twin(problem, confidence):
    pruner, twin = Pruner(problem.cases, confidence), as_twin(problem.tree.root)
    expected = pruner.prune(twin, problem.parts)
    record = comparisons(problem.tree, problem.cases, confidence)
    for found, wanted in zip(in_order(record), sorted(pruner.record, key=by_path), strict=True):
        assert found[:2] == wanted[:2]
        assert found[-1] == wanted[-1]
        np.testing.assert_allclose(found[2:-1], wanted[2:-1], rtol=RELATIVE)

    drop_impossible(twin, {})
    found = error_based(problem.tree, problem.cases, confidence)
    assert first_difference(found, problem.tree_of(twin)) is None
    np.testing.assert_allclose(predicted_errors(found, confidence)[0], expected, rtol=RELATIVE)


def by_path(comparison):
    return comparison[0]


def in_order(record):
    """Return the record in the order of the paths, without the counts; a sort keeps ties as is."""
    return sorted(((c.path, c.split, *c[3:]) for c in record), key=by_path)

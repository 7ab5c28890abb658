"""Cost-complexity pruning: against all subtrees of random trees, and scikit-learn."""

from dataclasses import replace
from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruning import data
from sklearn import datasets
from sklearn import tree as sk
from tiers import draws

from dtreebook import C45Classifier, measures
from dtreebook.data.cases import Attribute
from dtreebook.prune.cost_complexity import prune_at, pruning_path
from dtreebook.prune.pruning import PruningState
from dtreebook.tree.splits import Multiway, Surrogate, Threshold
from dtreebook.tree.tree import Node, Tree

NUMBER = Attribute("number", "numeric")
THREE = Attribute("three", "nominal", ("a", "b", "c"))
ONE = Attribute("one", "nominal", ("only",))


@st.composite
def shapes(draw, max_tests=7):
    """Draw a tree of random shape and random risks: a test may even do harm."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    most = draw(st.sampled_from([2, 3, 9, 100]))

    def leaf():
        return SimpleNamespace(split=None, children=[], risk=float(rng.integers(0, most)))

    root = leaf()
    leaves = [root]
    for _ in range(draw(st.integers(0, max_tests))):
        node = leaves.pop(rng.integers(len(leaves)))
        kind = rng.choice(3, p=[0.7, 0.2, 0.1])
        node.split = (Threshold(0, 0.0), Multiway(1), Multiway(2))[kind]
        node.children = [leaf() for _ in range((2, 3, 1)[kind])]
        if rng.random() < 0.5:  # often a tree that saves risk, as grown ones do
            node.risk += sum(child.risk for child in node.children)
        leaves += node.children
    return Tree.from_root(frozen(root), (NUMBER, THREE, ONE), np.array(["no", "yes"]))


def frozen(node):
    children = tuple(map(frozen, node.children))
    return Node(np.array([8.0, 8.0]), 0, node.split, children, risk=node.risk)


def subtrees(tree, i=0):
    children = tree.arrays.children(i)
    grown = product(*(subtrees(tree, child) for child in children)) if children else ()
    return [(i,), *(sum(parts, ()) for parts in grown)]


def leaves_of(tree, full):
    number = {full.arrays.path(i): i for i in range(full.node_count)}
    return tuple(sorted(number[path] for path, node in tree.walk() if node.is_leaf))


@settings(max_examples=draws(300))
@given(tree=shapes())
def test_of_all_subtrees_it_is_the_smallest_that_costs_least(tree):
    weight = tree.root.weight
    alphas = pruning_path(tree).alphas * weight
    assert np.isfinite(alphas).all()  # no price takes a test away that saves risk and adds no leaf
    between = [(a + b) / 2 for a, b in pairwise(alphas)]
    for alpha in [0.0, *alphas, *between, alphas[-1] + 1]:
        costs = {
            leaves: sum(tree.risk[i] for i in leaves) + alpha * len(leaves)
            for leaves in subtrees(tree)
        }
        least = min(costs.values())
        best = [leaves for leaves, cost in costs.items() if cost <= least + 1e-9]
        found = leaves_of(prune_at(tree, alpha / weight + 1e-15).tree, tree)
        assert found in map(tuple, map(sorted, best))
        # A test with one branch may stay or go without changing how many leaves there are.
        assert len(found) == min(map(len, best))


@given(tree=shapes(max_tests=30))
def test_the_path_says_what_the_pruned_trees_are(tree):
    path = pruning_path(tree)
    assert path.alphas[0] == 0
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) <= 0).all()
    assert (np.diff(path.risks) >= -1e-12).all()
    last = None
    for alpha, n_leaves, risk in zip(*path, strict=True):
        pruned = prune_at(tree, alpha).tree
        leaves = pruned.arrays.first_child == 0
        assert pruned.n_leaves == n_leaves
        assert pruned.risk[leaves].sum() / tree.root.weight == pytest.approx(risk)
        paths = {where for where, _ in pruned.walk()}
        assert last is None or paths < last
        last = paths


def test_a_draft_carries_risks_surrogates_and_defaults_along():
    stand_in = Surrogate(Threshold(1, 0.5), True, 0.9, 0.8)
    low = Node(np.array([2.0]), 1.0, risk=0.5), Node(np.array([3.0]), 2.0, risk=0.25)
    split = Threshold(0, 1.0)
    inner = Node(np.array([5.0]), 1.6, split, low, 3.0, (stand_in,), 1)
    leaf = Node(np.array([5.0]), 7.0, risk=1.0)
    root = Node(np.array([10.0]), 4.3, Threshold(0, 5.0), (inner, leaf), 9.0, (stand_in,), 0)
    tree = Tree.from_root(root, (NUMBER, replace(NUMBER, name="other")), None)
    assert PruningState(tree).tree() == tree

    pruned = prune_at(tree, 0.225).tree  # inner saves 2.25 of 10 cases for one leaf more
    assert pruned.node_count == 3
    assert pruned.risk.tolist() == [9.0, 3.0, 1.0]
    assert pruned.root.surrogates == (stand_in,)
    assert pruned.arrays.default.tolist() == [0, -1, -1]
    assert pruned.node((0,)).surrogates == ()
    assert prune_at(tree, 0.22).tree == tree


def compare(path, model, X, y, weight):
    theirs = model.cost_complexity_pruning_path(X, y, weight)
    alphas, impurities = theirs.ccp_alphas, theirs.impurities
    is_last = np.append(alphas[1:] > alphas[:-1] * (1 + 1e-9) + 1e-14, True)
    # A first alpha of 1e-17 is 0.
    np.testing.assert_allclose(path.alphas, alphas[is_last], rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(path.risks, impurities[is_last], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "noise"])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_path_of_a_classifier_is_that_of_scikit_learn(name, criterion, weighted):
    X, y = data(name)
    weight = np.random.default_rng(1).integers(1, 5, len(y)) / 2 if weighted else None
    model = sk.DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y, weight)
    tree, impurity = Tree.from_sklearn(model), getattr(measures, criterion)
    compare(pruning_path(tree, impurity), model, X, y, weight)
    for alpha in [0.001, 0.01, 0.05]:
        theirs = model.set_params(ccp_alpha=alpha).fit(X, y, weight)
        assert prune_at(tree, alpha, impurity).tree.node_count == theirs.tree_.node_count


@pytest.mark.parametrize("min_samples_leaf", [1, 5])
def test_the_path_of_a_regressor_is_that_of_scikit_learn(min_samples_leaf):
    X, y = datasets.load_diabetes(return_X_y=True)
    model = sk.DecisionTreeRegressor(min_samples_leaf=min_samples_leaf, random_state=0).fit(X, y)
    compare(pruning_path(Tree.from_sklearn(model)), model, X, y, None)


@pytest.mark.parametrize("gains", ["rise", "fall"])
def test_a_deep_tree_is_pruned_without_recursion(gains):
    n = 20_000
    saving = np.arange(n, 0.0, -1) if gains == "rise" else np.arange(1.0, n + 1)
    node = Node(np.ones(2), 0, risk=0.0)
    for i in range(n):
        leaf = Node(np.ones(2), 0, risk=0.0)
        node = Node(np.ones(2), 0, Threshold(0, 0.0), (leaf, node), risk=node.risk + saving[i])
    tree = Tree.from_root(node, (NUMBER,), np.array(["a", "b"]))
    path = pruning_path(tree)
    # The lowest link saves least and each falls alone, or most, and all fall at once.
    assert len(path.alphas) == (2 if gains == "rise" else n + 1)


def test_what_cannot_be_pruned_is_refused():
    X, y = datasets.load_iris(return_X_y=True)
    tree = C45Classifier(confidence=None).fit(X, y).tree_
    for alpha in (-0.1, np.nan):
        with pytest.raises(ValueError, match="alpha must not be negative"):
            prune_at(tree, alpha)

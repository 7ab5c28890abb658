"""Stopping early: against growing that asks at every node, SciPy's test, and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruning import grown, shuffled, weighted_errors
from scipy.stats import chi2_contingency
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier
from strategies import problems
from tiers import draws

from dtreebook import CARTRegressor, ID3Classifier, measures
from dtreebook.prune.early_stopping import best_first, chi_square, validation
from dtreebook.tree.tree import Node, Tree


@given(problem=problems(), level=st.sampled_from([0.001, 0.05, 0.3, 0.9]))
def test_a_node_is_divided_where_the_test_of_scipy_says_so(problem, level):
    tree = grown(problem)
    pruning = chi_square(tree, level)
    chance = {made.path: made.subtree for made in pruning.comparisons}
    for path, node in tree.walk():
        if node.is_leaf:
            continue
        table = np.array([child.counts for child in node.children])
        table = table[table.any(axis=1)][:, table.any(axis=0)]
        expected = chi2_contingency(table, correction=False).pvalue if min(table.shape) > 1 else 1
        assert chance[path] == pytest.approx(expected, rel=1e-9, abs=1e-300)
    for path, node in pruning.tree.walk():
        whole = tree.node(path)
        assert node.is_leaf == (whole.is_leaf or chance[path] >= level)


@settings(max_examples=draws(300))
@given(problem=problems(), seed=st.integers(0, 9))
def test_growing_stops_where_the_next_test_does_not_help_the_validation_set(problem, seed):
    tree = grown(problem)
    X, y = shuffled(problem, seed)

    def errors(inner):
        return weighted_errors(tree.keep(inner), X, y, problem.weight)

    inner, waiting = set(), [()]
    while waiting:
        path = waiting.pop()
        n_children = len(tree.node(path).children)
        if n_children and errors(inner | {path}) < errors(inner):
            inner.add(path)
            waiting += [(*path, branch) for branch in range(n_children)]
    found = validation(tree, X, y, problem.weight).tree
    assert {path for path, node in found.walk() if not node.is_leaf} == inner


@pytest.mark.parametrize("name", ["wine", "breast_cancer"])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_best_leaves_are_those_of_scikit_learn(name, criterion):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)

    def theirs(n):
        model = DecisionTreeClassifier(criterion=criterion, max_leaf_nodes=n, random_state=0)
        return Tree.from_sklearn(model.fit(X, y))

    full, impurity = theirs(None), getattr(measures, criterion)
    for n in range(2, full.n_leaves + 1):
        found, wanted = best_first(full, n, impurity).tree, theirs(n)
        assert found.n_leaves == n
        ends = ([node for _, node in tree.walk() if node.is_leaf] for tree in (found, wanted))
        leaves = [sorted(tuple(node.counts.round(6)) for node in of) for of in ends]
        risks = [sum(np.array(c).sum() * impurity(c) for c in some) for some in leaves]
        # Equal tests on other attributes, and equal savings, may be taken in another order.
        assert leaves[0] == leaves[1] or risks[0] == pytest.approx(risks[1], rel=1e-9), n


@given(problem=problems(), n=st.integers(1, 30))
def test_there_are_never_more_leaves_than_allowed_and_the_next_test_would_be_too_much(problem, n):
    tree = grown(problem)
    found = best_first(tree, n).tree
    assert found.n_leaves <= n
    fringe = [path for path, node in found.walk() if node.is_leaf]
    open_tests = [len(tree.node(path).children) for path in fringe]
    assert not any(open_tests) or found.n_leaves + max(open_tests) - 1 > n


def test_what_makes_no_sense_is_refused():
    tree = ID3Classifier().fit([["a"], ["b"]], ["x", "y"]).tree_
    for level in (0, 1, np.nan):
        with pytest.raises(ValueError, match="level must lie between 0 and 1"):
            chi_square(tree, level)
    with pytest.raises(ValueError, match="max_leaf_nodes must be at least 1"):
        best_first(tree, 0)
    number = Tree.from_root(Node(np.array([2.0]), 1.0, risk=0.0), tree.attributes, None)
    with pytest.raises(ValueError, match="a regression tree makes none"):
        chi_square(number)


def test_of_tests_that_save_as_much_but_for_rounding_the_first_node_is_divided():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]]).repeat(3, axis=0)
    y = np.array([0.1, 0.2, 5.1, 5.2]).repeat(3)
    tree = CARTRegressor(max_leaf_nodes=3).fit(X, y).tree_
    assert tree.arrays.first_child.tolist() == [1, 3, 0, 0, 0]

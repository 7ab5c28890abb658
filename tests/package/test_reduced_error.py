"""Subtree replacement: against all subtrees, the definitions written plainly, and each other."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pruning import grown, shuffled, weighted_errors
from strategies import problems
from tiers import draws

from dtreebook import CARTRegressor, ID3Classifier, measures
from dtreebook.data.cases import Attribute
from dtreebook.datasets import load_loan
from dtreebook.prune.cost_complexity import prune_at
from dtreebook.prune.early_stopping import validation
from dtreebook.prune.pruning import Choice
from dtreebook.prune.reduced_error import pessimistic, reduced_error, regularised
from dtreebook.tree.refitting import refit_leaves
from dtreebook.tree.splits import Threshold
from dtreebook.tree.tree import Node, Tree


def subtrees(node):
    leaf = Node(node.counts, node.label)
    below = product(*map(subtrees, node.children)) if node.children else ()
    return [leaf, *(Node(node.counts, node.label, node.split, parts) for parts in below)]


@settings(max_examples=draws(150))
@given(problem=problems(max_rows=20, max_attributes=3), seed=st.integers(0, 9))
def test_no_subtree_makes_fewer_errors_on_the_validation_set_and_none_as_few_is_smaller(
    problem, seed
):
    tree = grown(problem, max_depth=2)
    X, y = shuffled(problem, seed)
    found = reduced_error(tree, X, y, problem.weight).tree
    errors = weighted_errors(found, X, y, problem.weight)
    everything = subtrees(tree.root)
    if len(everything) > 500:
        everything = everything[:: len(everything) // 500]
    for root in everything:
        other = Tree.from_root(root, tree.attributes, tree.classes)
        wrong = weighted_errors(other, X, y, problem.weight)
        assert (errors, found.n_leaves) <= (wrong + 1e-9, other.n_leaves)


def test_a_regression_tree_is_pruned_by_squared_errors():
    leaves = Node(np.array([2.0]), 1.0, risk=0.0), Node(np.array([2.0]), 3.0, risk=0.0)
    root = Node(np.array([4.0]), 2.0, Threshold(0, 0.0), leaves, risk=4.0)
    tree = Tree.from_root(root, (Attribute("x", "numeric"),), None)
    X = pd.DataFrame({"x": [-1.0, 1.0, np.nan]})
    for y, kept in [([1.5, 2.6, 9.0], True), ([1.6, 2.4, 9.0], False)]:
        pruning = reduced_error(tree, X, y)
        leaf, subtree = pruning.comparisons[0][3:5]
        assert leaf == pytest.approx((y[0] - 2) ** 2 + (y[1] - 2) ** 2 + 49)
        assert subtree == pytest.approx((y[0] - 1) ** 2 + (y[1] - 3) ** 2 + 49)
        assert (pruning.tree == tree) == kept


def test_a_tree_grown_by_another_criterion_is_pruned_and_refitted_by_squared_errors_too():
    X, y = np.arange(8)[:, None], np.array([0, 1, 0, 2, 5, 9, 4, 7])
    tree = CARTRegressor(criterion="poisson", max_depth=1).fit(X, y).tree_
    low, high = y[:4], y[4:]
    leaf, subtree = reduced_error(tree, X, y).comparisons[0][3:5]
    squared = [((part - part.mean()) ** 2).sum() for part in (y, low, high)]
    assert (leaf, subtree) == (pytest.approx(squared[0]), pytest.approx(squared[1] + squared[2]))
    np.testing.assert_allclose(refit_leaves(tree, X, y).risk, squared)


def test_a_class_that_the_tree_does_not_know_is_an_error_everywhere():
    X, y = pd.DataFrame({"x": ["a", "b"] * 3}), np.array(["no", "yes"] * 3)
    tree = ID3Classifier().fit(X, y).tree_
    pruning = reduced_error(tree, X, np.full(6, "perhaps"))
    assert pruning.comparisons[0][3:5] == (6, 6)


def leaves_below(node):
    below = [leaf for child in node.children for leaf in leaves_below(child)]
    return below or [node]


@given(problem=problems(), standard_errors=st.sampled_from([0, 0.5, 1, 2]))
def test_pessimistic_pruning_is_as_it_is_defined(problem, standard_errors):
    tree = grown(problem)
    pruning = pessimistic(tree, standard_errors)
    for made in pruning.comparisons:
        node = tree.node(made.path)
        below = leaves_below(node)
        expected = sum(leaf.errors for leaf in below) + len(below) / 2
        room = max(node.weight - expected, 0)
        limit = expected + standard_errors * np.sqrt(expected * room / node.weight)
        assert made.leaf == pytest.approx(node.errors + 0.5)
        assert made.subtree == pytest.approx(limit)
        assert (made.choice == Choice.LEAF) == (made.leaf <= made.subtree + 1e-12 * made.leaf)


@given(problem=problems(), alpha=st.one_of(st.just(0.0), st.floats(1e-3, 20)))
def test_the_regularised_loss_gives_the_tree_of_cost_complexity(problem, alpha):
    tree = grown(problem)
    found = regularised(tree, alpha).tree
    assert found == prune_at(tree, alpha / tree.root.weight, measures.entropy).tree


def test_what_cannot_be_pruned_is_refused():
    leaf = Node(np.array([2.0]), 1.0, risk=0.0)
    tree = Tree.from_root(leaf, (Attribute("x", "numeric"),), None)
    for prune in (pessimistic, lambda tree: regularised(tree, 1.0)):
        with pytest.raises(ValueError, match="a regression tree makes none"):
            prune(tree)
    with pytest.raises(ValueError, match="bits_per_leaf must not be negative"):
        regularised(ID3Classifier().fit([["a"]], ["b"]).tree_, -1)


@pytest.mark.parametrize(
    ("y", "weight", "message"),
    [
        (["no"], None, "X has 15 rows but y has 1: give each a class"),
        (["no"] * 15, [1] * 14 + [-1], "sample_weight must be finite and not negative, but row 14"),
    ],
)
def test_a_validation_set_is_checked_as_a_training_set_is(y, weight, message):
    X, classes = load_loan(return_X_y=True)
    tree = ID3Classifier().fit(X, classes).tree_
    for prune in (reduced_error, validation):
        with pytest.raises(ValueError, match=message):
            prune(tree, X, y, weight)


def test_the_numbers_of_a_validation_set_are_checked():
    tree = CARTRegressor().fit([[1], [2]], [1, 2]).tree_
    with pytest.raises(ValueError, match="y is nan in row 1: give a finite number, or leave the"):
        reduced_error(tree, [[1], [2]], [1, np.nan])

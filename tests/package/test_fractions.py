"""Fractional cases: what C4.5 says of its test cases, and a naive twin on random trees."""

import numpy as np
import pytest
from fractional import problems
from hypothesis import given
from oracle import frames, names, predictions, read_tree

from dtreebook.data.reading import encode
from dtreebook.tree.fractions import predict_proba_fractional
from dtreebook.tree.tree import Node, Tree


@pytest.mark.parametrize("name", names(".testpred.csv"))
def test_every_test_case_has_the_classes_of_c45(name):
    X, _ = frames(name, ".test")
    said = predictions(name).values()
    for stage, (label, weight) in zip(("unpruned", "pruned"), said, strict=True):
        tree, _ = read_tree(name, stage)
        found = predict_proba_fractional(tree, encode(X, tree.attributes))
        # The file holds nine significant digits; half a unit of the last is at most 5e-9.
        np.testing.assert_allclose(found, weight, rtol=5e-9, atol=1e-12)
        assert (tree.classes[found.argmax(axis=1)] == label).all()


def naive(tree, node, case):
    """Return the class weights of one case, a list of codes and numbers, below a node."""
    if node.is_leaf:
        return node.counts / node.weight if node.weight else np.eye(len(node.counts))[node.label]
    split = node.split
    branch = split.branch(np.array([case[split.column]]))[0]
    if branch >= 0:
        return naive(tree, node.children[branch], case)
    return sum(
        child.weight / node.weight * naive(tree, child, case)
        for child in node.children
        if child.weight
    )


@given(problem=problems)
def test_class_weights_are_those_of_the_twin(problem):
    tree, columns = problem.tree, problem.cases.columns
    found = predict_proba_fractional(tree, columns)
    expected = [naive(tree, tree.root, case) for case in zip(*columns, strict=True)]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_a_single_leaf_asks_nothing():
    tree = Tree.from_root(Node(np.array([1.0, 3.0]), 1), (), np.array(["no", "yes"]))
    np.testing.assert_array_equal(
        predict_proba_fractional(tree, (np.array([0, -1]),)), [[0.25, 0.75]] * 2
    )

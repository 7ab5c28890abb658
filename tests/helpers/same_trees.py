"""Two trees that must be the same, node for node; sums may differ in the last digits."""

import numpy as np


def assert_same(tree, other, atol=1e-9):
    """Compare attributes, tests, links, surrogates, counts, labels, risks and improvements."""
    assert tree.attributes == other.attributes
    assert tree.arrays.split == other.arrays.split
    assert tree.arrays.first_child.tolist() == other.arrays.first_child.tolist()
    assert np.array_equal(tree.arrays.default, other.arrays.default)
    for some, others in zip(tree.arrays.surrogates, other.arrays.surrogates, strict=True):
        assert [(s.split, s.flipped) for s in some] == [(s.split, s.flipped) for s in others]
    if tree.classes is not None:
        assert tree.classes.tolist() == other.classes.tolist()
        assert tree.arrays.label.tolist() == other.arrays.label.tolist()
    for one, two in [
        (tree.arrays.counts, other.arrays.counts),
        (tree.arrays.label, other.arrays.label),
        (tree.risk, other.risk),
        (gains(tree), gains(other)),
        (agreements(tree), agreements(other)),
    ]:
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=atol)


def gains(tree):
    """Return what the tests gain, as far as the tree says so."""
    gain = tree.arrays.improvement
    return np.zeros(0) if gain is None else gain


def agreements(tree):
    """Return how well the surrogates agree, one after the other."""
    return [(s.agreement, s.adjusted) for of_node in tree.arrays.surrogates for s in of_node]

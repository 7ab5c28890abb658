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
    for one, two in zip(numbers(tree), numbers(other), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=atol)


def numbers(tree):
    """Yield counts, labels and risks, what tests gain, if it is said, and how surrogates agree."""
    yield from (tree.arrays.counts, tree.arrays.label, tree.risk)
    yield [] if tree.arrays.improvement is None else tree.arrays.improvement
    yield [(s.agreement, s.adjusted) for of_node in tree.arrays.surrogates for s in of_node]

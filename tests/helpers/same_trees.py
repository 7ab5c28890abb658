"""Two trees that must be the same, node for node; sums may differ in the last digits."""

import numpy as np


def assert_same(tree, other, atol=1e-9):
    """Compare attributes, tests, links, counts, labels and risks."""
    assert tree.attributes == other.attributes
    assert tree.arrays.split == other.arrays.split
    assert tree.arrays.first_child.tolist() == other.arrays.first_child.tolist()
    assert np.array_equal(tree.arrays.default, other.arrays.default)
    if tree.classes is not None:
        assert tree.classes.tolist() == other.classes.tolist()
        assert tree.arrays.label.tolist() == other.arrays.label.tolist()
    for one, two in [
        (tree.arrays.counts, other.arrays.counts),
        (tree.arrays.label, other.arrays.label),
        (tree.risk, other.risk),
    ]:
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=atol)

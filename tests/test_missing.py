"""Fractional cases: what C4.5 says of its test cases, and what must hold of every prediction."""

import numpy as np
import pytest
from oracle import frames, names, predictions, read_tree

from dtreebook.data import Attribute, encode
from dtreebook.missing import spread
from dtreebook.splits import Multiway, Subset, Threshold
from dtreebook.tree import Node, Tree


@pytest.mark.parametrize("name", names(".testpred.csv"))
def test_every_test_case_has_the_classes_of_c45(name):
    X, _ = frames(name, ".test")
    for stage, (label, weight) in zip(
        ("unpruned", "pruned"), predictions(name).values(), strict=True
    ):
        tree, _ = read_tree(name, stage)
        found = spread(tree, encode(X, tree.attributes))
        # The file holds nine significant digits: half a unit of the last is at most 5e-9 of a number.
        np.testing.assert_allclose(found, weight, rtol=5e-9, atol=1e-12)
        assert (tree.classes[found.argmax(axis=1)] == label).all()



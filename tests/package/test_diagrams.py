"""Trees as text for Mermaid: every node and edge once, awkward words kept whole."""

import re

import numpy as np
import pytest

from dtreebook import CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.data.cases import Attribute
from dtreebook.datasets import load_tennis
from dtreebook.tree.code import to_mermaid
from dtreebook.tree.splits import Multiway
from dtreebook.tree.tree import Node, Tree

X, y = load_tennis(return_X_y=True)
TREES = [
    ID3Classifier().fit(X, y).tree_,
    CARTClassifier().fit(X, y).tree_,
    CARTRegressor().fit(X, np.arange(14.0)).tree_,
    CARTClassifier(max_depth=0).fit(X, y).tree_,
]


@pytest.mark.parametrize("tree", TREES)
def test_every_node_and_every_edge_is_there_once(tree):
    node, edge, text = r"^  n(\d+)[\[(]", r"^  n(\d+) -->\|.*\| n(\d+)$", to_mermaid(tree)
    assert [int(n) for n in re.findall(node, text, re.M)] == list(range(tree.node_count))
    edges = {int(child): int(parent) for parent, child in re.findall(edge, text, re.M)}
    assert edges == {child: parent for child, parent in enumerate(tree.arrays.parent) if child}
    assert len(re.findall(edge, text, re.M)) == tree.node_count - 1


def test_awkward_words_are_kept_whole():
    leaves = Node(np.array([1.0, 0.0]), 0), Node(np.array([0.0, 1.0]), 1)
    root = Node(np.array([1.0, 1.0]), 0, Multiway(0), leaves)
    attribute = Attribute('say "x"', "nominal", ("a\\b", "<c>"))
    tree = Tree.from_root(root, (attribute,), np.array(["no", "yes"]))
    mermaid = to_mermaid(tree)
    assert 'n0["say #34;x#34;"]' in mermaid
    assert '|"= #60;c#62;"|' in mermaid

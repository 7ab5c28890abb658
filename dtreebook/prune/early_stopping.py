"""Stopping early: the tree that growing would have reached, had it asked whether to go on.

What is chosen at a node does not depend on what grows elsewhere, so the full tree holds every tree
that an earlier stop would have given; least gain, least cases and depth are parameters of the
estimators themselves.
"""

from heapq import heappop, heappush

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import chi2

from dtreebook.measures import Impurity
from dtreebook.prune.cost_complexity import node_risks, without_rounding
from dtreebook.prune.pruning import Pruning, check_is_classification
from dtreebook.prune.reduced_error import errors_on
from dtreebook.tree.tree import Fitted, Tree, tree_of


def chi_square(tree: Tree | Fitted, level: float = 0.01) -> Pruning:
    """Stop where branch and class could be independent.

    The statistic of Pearson compares the table of the node, a row for each branch, with what it
    would hold if the branch said nothing about the class: ``sum (n - e)^2 / e``. A node is divided
    if chance alone makes it so large with a probability below the significance level, between 0 and
    1. In the comparisons, `subtree` is that probability and `leaf` the level.

    Quinlan does not let an attribute be chosen that fails the test; here the chosen one is tested.

    Source: Quinlan (1986), section 5.

    Examples
    --------
    Outlook and play tennis: a table like that is nothing special in 14 days.

    >>> from dtreebook import ID3Classifier, datasets
    >>> tree = ID3Classifier().fit(*datasets.load_tennis(return_X_y=True)).tree_
    >>> pruning = chi_square(tree)
    >>> round(pruning.comparisons[-1].subtree, 2), pruning.tree.n_leaves
    (0.17, 1)
    """
    tree = tree_of(tree)
    check_is_classification(tree)
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, but it is {level}")
    chance = np.zeros(tree.node_count)
    inner = np.flatnonzero(tree.arrays.first_child)
    if inner.size:
        chance[inner] = _chance(tree, inner)
    return Pruning.by_cost(tree, np.full(tree.node_count, float(level)), chance)


def _chance(tree, inner):
    """Return how probable so large a statistic is for each test, were it independent of class."""
    links = tree.arrays.links
    child, begin = links.children(inner)
    family = np.repeat(np.arange(len(inner)), links.n_branches[inner])
    table = tree.arrays.counts[child]
    column = np.add.reduceat(table, begin)  # cases whose value is unknown are in no branch
    row, weight = table.sum(axis=1), column.sum(axis=1)
    expected = row[:, None] * column[family] / weight[family, None]
    excess = (table - expected) ** 2 / np.where(expected > 0, expected, 1)
    n_rows = np.add.reduceat(row > 0, begin, dtype=int)
    freedom = (n_rows - 1) * ((column > 0).sum(axis=1) - 1)
    statistic = np.add.reduceat(excess.sum(axis=1), begin)
    return np.where(freedom > 0, chi2.sf(statistic, np.maximum(freedom, 1)), 1.0)


def validation(
    tree: Tree | Fitted, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> Pruning:
    """Stop where a test does not make fewer errors on a validation set.

    It looks one test ahead: what the branches could gain further down does not count. Compare
    `dtreebook.prune.reduced_error.reduced_error`, which grows first and asks then.

    Examples
    --------
    Exclusive or: neither attribute alone tells anything, so nothing ever grows.

    >>> from dtreebook import ID3Classifier
    >>> X, y = [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]] * 3, ["no", "yes", "yes", "no"] * 3
    >>> tree = ID3Classifier().fit(X, y).tree_
    >>> tree.n_leaves, validation(tree, X, y).tree.n_leaves
    (4, 1)
    """
    tree = tree_of(tree)
    leaf, ends = errors_on(tree, X, y, sample_weight)
    return Pruning.by_cost(tree, leaf, _one_test_ahead(tree, leaf) + ends)


def best_first(
    tree: Tree | Fitted, max_leaf_nodes: int, impurity: Impurity | None = None
) -> Pruning:
    """Stop where best-first growing would have reached the most leaves allowed.

    Of all leaves the one whose test lowers the risk most is divided next, until the branches of the
    next test would be too many. In the comparisons, `leaf` is the risk of a node, as in
    `dtreebook.prune.cost_complexity.node_risks`, and `subtree` that of its branches.

    Source: Shi (2007), on learning trees best first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> print(best_first(tree, 3).tree)
    x3 <= 0.6 : 0 (50.0)
    x3 > 0.6 :
    |   x3 <= 1.7 : 1 (54.0/5.0)
    |   x3 > 1.7 : 2 (46.0/1.0)
    """
    tree = tree_of(tree)
    if not max_leaf_nodes >= 1:
        raise ValueError(f"max_leaf_nodes must be at least 1, but it is {max_leaf_nodes}")
    risks = node_risks(tree, impurity)
    ahead = _one_test_ahead(tree, risks)
    divided = _divided_first(tree, without_rounding(risks - ahead), max_leaf_nodes)
    return Pruning.by_cost(tree, risks, ahead, gives_way=~divided)


def _divided_first(tree, saving, max_leaf_nodes):
    """Return which nodes are divided if the test that saves most always comes next: mask [N]."""
    arrays, divided = tree.arrays, np.zeros(tree.node_count, dtype=bool)
    n_leaves, waiting = 1, [(-saving[0], 0)] if arrays.first_child[0] else []
    while waiting:
        _, node = heappop(waiting)
        children = arrays.children(node)
        n_leaves += len(children) - 1
        if n_leaves > max_leaf_nodes:
            break
        divided[node] = True
        for below in children:
            if arrays.first_child[below]:
                heappush(waiting, (-saving[below], below))
    return divided


def _one_test_ahead(tree, costs):
    """Return what the branches of each node cost as leaves: array [N]; a leaf has its own cost."""
    ahead, inner = costs.copy(), np.flatnonzero(tree.arrays.first_child)
    ahead[inner] = tree.arrays.links.children_sum(costs, inner)
    return ahead

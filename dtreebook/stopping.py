"""Stopping early: the tree that growing would have reached, had it asked whether to go on.

What is chosen at a node does not depend on what grows elsewhere, so the full tree holds every tree
that an earlier stop would have given; least gain, least cases and depth are parameters of the
estimators themselves.
"""

from heapq import heappop, heappush

import numpy as np
from scipy.stats import chi2

from dtreebook.complexity import node_risks
from dtreebook.draft import Draft, Pruning, of_classes
from dtreebook.replacement import errors_on


def chi_square(tree, level=0.01):
    """Return the `Pruning` that stops where branch and class could be independent.

    The statistic of Pearson compares the table of the node, a row for each branch, with what it
    would hold if the branch said nothing about the class: ``sum (n - e)^2 / e``. A node is divided
    if chance alone makes that so large with a probability below `level`; in the record, `subtree`
    is the probability and `leaf` the level.

    Quinlan lets no attribute be chosen that fails the test; here the chosen one is tested.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree` with classes.
    level : of significance, between 0 and 1.

    Raises
    ------
    ValueError
        If the level is out of range, or the tree predicts numbers.

    References
    ----------
    Quinlan (1986), section 5.

    Examples
    --------
    Outlook and play tennis: a table like that is nothing special in 14 days.

    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_tennis
    >>> tree = ID3Classifier().fit(*load_tennis(return_X_y=True)).tree_
    >>> pruning = chi_square(tree)
    >>> round(pruning.comparisons[-1].subtree, 2), pruning.tree.n_leaves
    (0.17, 1)
    """
    of_classes(tree)
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, but it is {level}")
    draft = Draft(tree)
    inner = np.flatnonzero(draft.first_child)
    chance = np.zeros(tree.node_count)
    if inner.size:
        child, begin = draft.children(inner)
        family = np.repeat(np.arange(len(inner)), draft.n_branches[inner])
        table = tree.flat.counts[child]
        column = np.add.reduceat(table, begin)  # cases whose value is unknown are in no branch
        row, everything = table.sum(axis=1), column.sum(axis=1)
        expected = row[:, None] * column[family] / everything[family, None]
        excess = (table - expected) ** 2 / np.where(expected > 0, expected, 1)
        n_rows = np.add.reduceat(row > 0, begin, dtype=int)
        freedom = (n_rows - 1) * ((column > 0).sum(axis=1) - 1)
        statistic = np.add.reduceat(excess.sum(axis=1), begin)
        chance[inner] = np.where(freedom > 0, chi2.sf(statistic, np.maximum(freedom, 1)), 1.0)
    return Pruning(tree, np.full(tree.node_count, float(level)), chance)


def validation(tree, X, y, sample_weight=None):
    """Return the `Pruning` that stops where a test does not make fewer errors on a validation set.

    It looks one step ahead: what the branches would make of it further down is not asked. Compare
    `dtreebook.replacement.reduced_error`, which grows first and asks then.

    Parameters
    ----------
    tree, X, y, sample_weight : as in `dtreebook.replacement.reduced_error`.

    Examples
    --------
    Exclusive or: neither attribute alone tells anything, so nothing ever grows.

    >>> from dtreebook import ID3Classifier
    >>> X, y = [["a", "a"], ["a", "b"], ["b", "a"], ["b", "b"]] * 3, ["no", "yes", "yes", "no"] * 3
    >>> tree = ID3Classifier().fit(X, y).tree_
    >>> tree.n_leaves, validation(tree, X, y).tree.n_leaves
    (4, 1)
    """
    leaf, ends = errors_on(tree, X, y, sample_weight)
    draft, ahead = Draft(tree), leaf.copy()
    inner = np.flatnonzero(draft.first_child)
    if inner.size:
        child, begin = draft.children(inner)
        ahead[inner] = np.add.reduceat(leaf[child], begin) + ends[inner]
    return Pruning(tree, leaf, ahead)


def best_first(tree, max_leaf_nodes, measure=None):
    """Return the tree that best-first growing would have reached with so many leaves.

    Of all leaves the one whose test lowers the risk most is divided next, until the branches of the
    next test would be too many.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`, grown out.
    max_leaf_nodes : the most leaves, 1 or more.
    measure : as in `dtreebook.complexity.node_risks`.

    Raises
    ------
    ValueError
        If there is to be no leaf.

    References
    ----------
    Shi (2007), on learning trees best first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> print(best_first(tree, 3))
    x3 <= 0.6 : 0 (50.0)
    x3 > 0.6 :
    |   x3 <= 1.7 : 1 (54.0/5.0)
    |   x3 > 1.7 : 2 (46.0/1.0)
    """
    if not max_leaf_nodes >= 1:
        raise ValueError(f"max_leaf_nodes must be at least 1, but it is {max_leaf_nodes}")
    draft, risks = Draft(tree), node_risks(tree, measure)
    inner = np.flatnonzero(draft.first_child)
    keep = np.zeros(tree.node_count, dtype=bool)
    if inner.size:
        child, begin = draft.children(inner)
        saving = np.zeros(tree.node_count)
        saving[inner] = risks[inner] - np.add.reduceat(risks[child], begin)
        n_leaves, waiting = 1, [(-saving[0], 0)]
        while waiting:
            _, node = heappop(waiting)
            n_leaves += draft.n_branches[node] - 1
            if n_leaves > max_leaf_nodes:
                break
            keep[node] = True
            children, _ = draft.children(np.array([node]))
            for below in children[draft.first_child[children] > 0].tolist():
                heappush(waiting, (-saving[below], below))
    draft.cut(~keep)
    return draft.tree()

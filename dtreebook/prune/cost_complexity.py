"""Minimal cost-complexity pruning: the weakest links first.

A tree costs its risk, and alpha for every leaf. As alpha grows from 0, the tree that costs least is
cut back to its root step by step, each time at the inner nodes that save the least risk for each
leaf: the weakest links. Breiman and rpart take the errors of the leaves for the risk, scikit-learn
their impurity, so the alphas of the two are not in the same unit.

Everywhere in this package an *alpha* is a share of the weight of all cases, as in scikit-learn; a
*cp* is a share of the risk of the root, as in rpart. An `impurity` is a function of counts, such as
`dtreebook.measures.gini`, whose value, times the weight of a node, is its risk, as in scikit-learn;
None stands for the tree's own risk: errors, their loss, or squared error, as in rpart. A regression
tree has no other.
"""

from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

import numpy as np

from dtreebook.measures import TIE, Impurity, total
from dtreebook.prune.pruning import Pruning, subtree_costs
from dtreebook.tree.tree import Fitted, Tree, tree_of


class PruningPath(NamedTuple):
    """The trees that cost least, from the largest to the root alone: arrays [m].

    Alphas and risks are shares of the weight of all cases.
    """

    alphas: np.ndarray  #: the price of a leaf from which on each tree costs least, from 0 upwards
    n_leaves: np.ndarray  #: how many leaves it has
    risks: np.ndarray  #: its risk


def node_risks(tree: Tree, impurity: Impurity | None = None) -> np.ndarray:
    """Return what each node costs as a leaf, level by level: array [N].

    Examples
    --------
    The root of the loan tree refuses six of fifteen loans; its Gini impurity is 0.48:

    >>> from dtreebook import ID3Classifier, datasets, measures
    >>> tree = ID3Classifier().fit(*datasets.load_loan(return_X_y=True)).tree_
    >>> node_risks(tree)[0], node_risks(tree, measures.gini)[0].round(2)
    (np.float64(6.0), np.float64(7.2))
    """
    if impurity is None or tree.is_regression:
        return tree.risk
    return total(tree.arrays.counts) * impurity(tree.arrays.counts)


def weakest_links(tree: Tree, risks: np.ndarray) -> np.ndarray:
    """Return the link strength at which each node becomes a leaf: array [N].

    The link strength of a node ``t`` with the subtree ``T_t`` below it is what the subtree saves
    for each leaf that it has more,

        g(t) = (R(t) - R(T_t)) / (|T_t| - 1),

    and the weakest link becomes a leaf first; then the strengths above it change. Computed from
    below: a node falls at the strength of its own test, unless a link below it is stronger; then
    both fall together, at what they save together for each leaf.

    It has the unit of the `node_risks`; divided by the weight of all cases it is an alpha. It is 0
    in leaves, nowhere more than in the parent, and equal where it differs by rounding only. It is
    infinite where a test has one branch but saves risk: no price of a leaf takes it away.

    Source: Breiman et al. (1984), section 3.3, where the weakest link is sought again after every
    cut.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> weakest_links(tree, node_risks(tree))
    array([50.,  0., 44.,  2.,  0.,  0.,  1.,  0.,  0.])
    """
    arrays, inner = tree.arrays, np.flatnonzero(tree.arrays.first_child)
    saving = risks[inner] - arrays.links.children_sum(risks, inner)
    saving = np.where(np.abs(saving) <= TIE * risks[inner], 0.0, saving)
    strengths = np.zeros(tree.node_count)
    strengths[inner] = _strengths(arrays.links, inner, saving)
    strengths = without_rounding(np.maximum(strengths, 0))
    for node in arrays.links.levels()[1:]:
        strengths[node] = np.minimum(strengths[node], strengths[arrays.parent[node]])
    return strengths


def _strengths(links, inner, saving):
    """Return the strength at which each test would fall if nothing above it fell earlier."""
    strengths, heaps = [], {}  # below each node a heap of its links: (-strength, saving, leaves)
    first, n_branches = (of_all[inner].tolist() for of_all in links)
    rows = list(zip(inner.tolist(), saving.tolist(), first, n_branches, strict=True))
    for node, saved, first_child, n in reversed(rows):
        below = [heaps.pop(c) for c in range(first_child, first_child + n) if c in heaps]
        heap = max(below, key=len, default=[])
        for other in below:
            if other is not heap:
                for link in other:
                    heappush(heap, link)
        leaves = n - 1
        strength = _strength(saved, leaves)
        while heap and -heap[0][0] > strength:
            _, more, further = heappop(heap)
            saved, leaves = saved + more, leaves + further
            strength = _strength(saved, leaves)
        heappush(heap, (-strength, saved, leaves))
        heaps[node] = heap
        strengths.append(strength)
    return strengths[::-1]


def _strength(saving, leaves):
    return saving / leaves if leaves else inf if saving > 0 else 0.0


def without_rounding(strengths: np.ndarray) -> np.ndarray:
    """Return equal numbers where they differ by rounding only: the largest of them."""
    distinct, place = np.unique(strengths, return_inverse=True)
    is_last = np.append(distinct[1:] > distinct[:-1] * (1 + TIE), True)
    group = np.cumsum(is_last) - is_last
    return distinct[is_last][group][place]


def pruning_path(tree: Tree | Fitted, impurity: Impurity | None = None) -> PruningPath:
    """Return the trees that cost least for some alpha.

    Source: Breiman et al. (1984), section 3.3, theorem 3.10.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> path = pruning_path(tree)
    >>> (path.alphas * 150).round(9), path.n_leaves
    (array([ 0.,  1.,  2., 44., 50.]), array([5, 4, 3, 2, 1]))
    >>> (path.risks * 150).round(9)
    array([  3.,   4.,   6.,  50., 100.])
    """
    tree = tree_of(tree)
    risks = node_risks(tree, impurity)
    strengths = weakest_links(tree, risks)
    prices = leaf_prices(strengths)
    weight = tree.arrays.counts[0].sum()
    n_leaves = sums_over_leaves(tree, strengths, prices, np.ones(tree.node_count)).astype(int)
    return PruningPath(
        prices / weight, n_leaves, sums_over_leaves(tree, strengths, prices, risks) / weight
    )


def leaf_prices(strengths: np.ndarray) -> np.ndarray:
    """Return the prices of a leaf at which a tree changes, from 0 on, in the unit of its risks."""
    return np.unique(np.append(0.0, strengths[strengths < inf]))


def sums_over_leaves(
    tree: Tree,
    strengths: np.ndarray,
    prices: np.ndarray,
    amounts: np.ndarray,
    ends: np.ndarray | None = None,
) -> np.ndarray:
    """Add up amounts over the leaves of every tree that is pruned at some price: array [m].

    Parameters
    ----------
    strengths : array [N], its `weakest_links`.
    prices : array [m], increasing, in the same unit.
    amounts : array [N], what each node counts as a leaf, 0 or more.
    ends : array [N], what it counts as long as it has branches; None for nothing.
    """
    # A node is a leaf of the trees from its own strength on, up to that of its parent.
    begin = np.searchsorted(prices * (1 + TIE), strengths)
    end = np.append(len(prices), begin[tree.arrays.parent[1:]])
    change = np.bincount(begin, amounts, len(prices) + 1)
    change -= np.bincount(end, amounts, len(prices) + 1)
    if ends is not None:
        change[0] += ends.sum()
        change -= np.bincount(begin, ends, len(prices) + 1)
    return np.maximum(np.cumsum(change)[:-1], 0)  # below 0 by rounding only


def prune_at(tree: Tree | Fitted, alpha: float, impurity: Impurity | None = None) -> Pruning:
    """Prune to the smallest of the subtrees that cost least: ``R(T) + alpha |T|``.

    With alpha 0, which is the least, a test goes only if it saves no risk at all.

    Source: Breiman et al. (1984), definition 3.6.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> print(prune_at(tree, alpha=0.02).tree)
    x3 <= 0.6 : 0 (50.0)
    x3 > 0.6 :
    |   x3 <= 1.7 : 1 (54.0/5.0)
    |   x3 > 1.7 : 2 (46.0/1.0)
    """
    tree = tree_of(tree)
    if not alpha >= 0:
        raise ValueError(f"alpha must not be negative, but it is {alpha}")
    risks, weight = node_risks(tree, impurity), tree.arrays.counts[0].sum()
    gives_way = weakest_links(tree, risks) / weight <= alpha * (1 + TIE)
    leaf = risks + alpha * weight
    return Pruning.by_cost(tree, leaf, subtree_costs(tree, leaf), gives_way)

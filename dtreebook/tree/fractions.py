"""Fractional cases: a case whose value is unknown goes down every branch, in parts.

A part is a case at a node with a weight. Where the value that the node asks about is unknown, the
part divides among the children in proportion to what they hold (Quinlan 1993, chapter 3).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from dtreebook.data.counts import majority_class
from dtreebook.tree.arrays import Links
from dtreebook.tree.routing import Columns, upwards

if TYPE_CHECKING:
    from dtreebook.tree.tree import Tree


class FractionalCases(NamedTuple):
    """Cases on their way down a tree, whole or in parts: arrays [n]."""

    case: np.ndarray  #: the row of the case
    node: np.ndarray  #: the number of the node it is at
    weight: np.ndarray  #: how much of the case is there

    def at(self, chosen: np.ndarray) -> "FractionalCases":
        """Return the parts that a mask chooses."""
        if chosen.all():
            return self
        chosen = np.flatnonzero(chosen)
        return FractionalCases(*(array.take(chosen) for array in self))


def distribute(
    parts: FractionalCases, branch: np.ndarray, links: Links, size: np.ndarray | None = None
) -> FractionalCases:
    """Move every part from its node to the children, without those that would weigh nothing.

    Source: Quinlan (1993), chapter 3, on partitioning the cases.

    Parameters
    ----------
    parts : `FractionalCases`, all at nodes that have children.
    branch : array [n], the branch that each part takes, -1 where the value is unknown.
    links : where the children of each node stand.
    size : array [N], the weight of each node, by which unknown values are shared out; without it,
        the weight of the known parts that come now.

    Examples
    --------
    Three cases at a node with two children; of the third the value is unknown:

    >>> parts = FractionalCases(np.arange(3), np.zeros(3, int), np.array([3.0, 1.0, 1.0]))
    >>> below = distribute(parts, np.array([0, 1, -1]), Links.of(np.array([1, 0, 0])))
    >>> below.case, below.node, below.weight
    (array([0, 1, 2, 2]), array([1, 2, 1, 2]), array([3.  , 1.  , 0.75, 0.25]))
    """
    is_known = branch >= 0
    child = links.first_child.take(parts.node) + branch
    known = FractionalCases(parts.case, child, parts.weight).at(is_known)
    unknown = parts.at(~is_known)
    if not unknown.case.size:
        return known
    if size is None:
        size = np.bincount(
            known.node, known.weight, minlength=(links.first_child + links.n_branches).max()
        )

    # Each unknown part once for every child, the children of one part beside each other.
    child, _ = links.children(unknown.node)
    times = links.n_branches[unknown.node]
    together = links.children_sum(size, unknown.node)
    share = size[child] / np.repeat(together + (together == 0), times)
    some = share > 0
    return FractionalCases(
        np.concatenate([known.case, np.repeat(unknown.case, times)[some]]),
        np.concatenate([known.node, child[some]]),
        np.concatenate([known.weight, (np.repeat(unknown.weight, times) * share)[some]]),
    )


def descend(
    tree: "Tree", columns: Columns, start: np.ndarray | None = None
) -> Iterator[FractionalCases]:
    """Yield the `FractionalCases` at each level of a tree, the whole cases at their start first.

    Where a value is unknown, or the tree has no branch for it, the case goes down every branch. It
    begins at the node that `start` has for it, or at the root.
    """
    arrays, case = tree.arrays, np.arange(len(columns[0]))
    routes, size = arrays.router.over(columns), arrays.counts.sum(axis=1)
    node = np.zeros_like(case) if start is None else start
    parts = FractionalCases(case, node, np.ones(len(case)))
    while parts.case.size:
        yield parts
        parts = parts.at(arrays.first_child[parts.node] > 0)
        branch = routes.branch(parts.node, parts.case)
        parts = distribute(parts, branch, arrays.links, size)


def passed(tree: "Tree", columns: Columns) -> FractionalCases:
    """Return all nodes that each case passes, down to where it ends, whole or in parts."""
    if tree.fractional:
        return FractionalCases(*map(np.concatenate, zip(*descend(tree, columns), strict=True)))
    cases, nodes = np.concatenate(
        [*upwards(tree.arrays.parent, tree.arrays.route(columns))], axis=1
    )
    return FractionalCases(cases, nodes, np.ones(len(cases)))


def answers(tree: "Tree", columns: Columns) -> np.ndarray:
    """Return the class shares of each case, [n, K]; in a regression tree the means, [n, 1]."""
    if tree.classes is None:
        return tree.arrays.label[tree.arrays.route(columns)][:, None]
    if tree.fractional:
        return predict_proba_fractional(tree, columns)
    return tree.arrays.distribution[tree.arrays.route(columns)]


def labels(tree: "Tree", columns: Columns) -> np.ndarray:
    """Return the code of each case's class, in a regression tree its number: array [n]."""
    if tree.fractional and not tree.is_regression:
        return majority_class(answers(tree, columns))
    return tree.arrays.label[tree.arrays.route(columns)]


def predict_proba_fractional(tree: "Tree", columns: Columns) -> np.ndarray:
    """Return the class weights of each case, [n, K], over all leaves that it may belong to.

    A leaf adds its share of each class, an empty one all to its label, times the part of the case
    that comes to it, so that each row adds up to 1. A value that the tree has no branch for is as
    good as unknown.
    """
    arrays, said = tree.arrays, tree.arrays.leaf_shares
    end = tree.arrays.route(columns)
    # Only what stops on the way is divided.
    stopped = np.flatnonzero(arrays.first_child.take(end))
    if not stopped.size:
        return said[end]
    columns = [column[stopped] for column in columns]
    below = descend(tree, columns, end[stopped])
    arrived = [parts.at(arrays.first_child[parts.node] == 0) for parts in below]
    case, leaf, weight = map(np.concatenate, zip(*arrived, strict=True))
    found = said[end]
    found[stopped] = csr_array((weight, (case, leaf)), shape=(len(stopped), len(said))) @ said
    return found

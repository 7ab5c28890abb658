"""What a tree says of many cases: the nodes that each passes, its class shares, its label."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from dtreebook.data.cases import Columns, majority_class
from dtreebook.tree.arrays import TreeData
from dtreebook.tree.routing import FractionalCases, Routes, distribute, upwards


def descend(
    tree: TreeData, columns: Columns, start: np.ndarray | None = None
) -> Iterator[FractionalCases]:
    """Yield the `FractionalCases` at each level of a tree, the whole cases at their start first.

    Where a value is unknown, or the tree has no branch for it, the case goes down every branch. It
    begins at the node that `start` has for it, or at the root.
    """
    arrays, case = tree.arrays, np.arange(len(columns[0]))
    routes, size = Routes(arrays.router, columns), arrays.weight_to_share
    node = np.zeros_like(case) if start is None else start
    parts = FractionalCases(case, node, np.ones(len(case)))
    while parts.case.size:
        yield parts
        parts = parts.at(arrays.first_child[parts.node] > 0)
        branch = routes.branch(parts.node, parts.case)
        parts = distribute(parts, branch, arrays.links, size)


def passed(tree: TreeData, columns: Columns) -> FractionalCases:
    """Return all nodes that each case passes, down to where it ends, whole or in parts."""
    if tree.fractional:
        return FractionalCases(*map(np.concatenate, zip(*descend(tree, columns), strict=True)))
    on_the_way = [*upwards(tree.arrays.parent, tree.arrays.route(columns))]
    cases, nodes = np.concatenate(on_the_way, axis=1)
    return FractionalCases(cases, nodes, np.ones(len(cases)))


def answers(tree: TreeData, columns: Columns) -> np.ndarray:
    """Return the class shares of each case, [n, K]; in a regression tree the means, [n, 1].

    Where cases go down every branch in parts, they are gathered over all leaves that a case may
    belong to. A leaf adds its share of each class, an empty one all to its label, times the part of
    the case that comes to it, so that each row adds up to 1. A value that the tree has no branch
    for is as good as unknown.
    """
    arrays = tree.arrays
    end = arrays.route(columns)
    if tree.classes is None:
        return arrays.label[end][:, None]
    if not tree.fractional:
        return arrays.distribution[end]
    found = arrays.leaf_shares[end]
    # Only what stops on the way is divided.
    stopped = np.flatnonzero(arrays.first_child.take(end))
    if stopped.size:
        below = descend(tree, [column[stopped] for column in columns], end[stopped])
        arrived = [parts.at(arrays.first_child[parts.node] == 0) for parts in below]
        case, leaf, weight = map(np.concatenate, zip(*arrived, strict=True))
        shape = len(stopped), tree.node_count
        found[stopped] = csr_array((weight, (case, leaf)), shape=shape) @ arrays.leaf_shares
    return found


def labels(tree: TreeData, columns: Columns) -> np.ndarray:
    """Return the code of each case's class, in a regression tree its number: array [n]."""
    if tree.fractional and not tree.is_regression:
        return majority_class(answers(tree, columns))
    return tree.arrays.label[tree.arrays.route(columns)]

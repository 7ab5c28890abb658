"""Fractional cases: a case whose value is unknown goes down every branch, in parts.

A part is a case at a node with a weight. Where the value that the node asks for is unknown, the
part divides among the children in proportion to what they hold.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from dtreebook.measures import shares
from dtreebook.routes import Routes


class Parts(NamedTuple):
    """Cases on their way down a tree, whole or in parts: arrays [n].

    Attributes
    ----------
    case : the row of the case.
    node : the number of the node it is at.
    weight : how much of the case is there.
    """

    case: np.ndarray
    node: np.ndarray
    weight: np.ndarray

    def at(self, chosen):
        """Return the parts that a mask chooses."""
        if chosen.all():
            return self
        chosen = np.flatnonzero(chosen)
        return Parts(*(array.take(chosen) for array in self))


def branches(flat):
    """Return how many branches each node of a `dtreebook.tree.Flat` has: array [N], 0 for leaves.

    Examples
    --------
    >>> from dtreebook.tree import Flat
    >>> branches(Flat(np.ones((6, 2)), np.zeros(6), [], np.array([1, 0, 0, 4, 0, 0])))
    array([3, 0, 0, 2, 0, 0])
    """
    inner = np.flatnonzero(flat.first_child)
    begin = flat.first_child[inner]
    number = np.zeros_like(flat.first_child)
    number[inner] = np.diff(begin, append=len(number))  # children stand in the order of parents
    return number


def children(node, first_child, n_branches):
    """Return the numbers of all children of some inner nodes, and where those of each node begin.

    Examples
    --------
    >>> children(np.array([0, 3]), np.array([1, 0, 0, 4, 0, 0]), np.array([3, 0, 0, 2, 0, 0]))
    (array([1, 2, 3, 4, 5]), array([0, 3]))
    """
    times = n_branches[node]
    begin = np.cumsum(times) - times
    return np.repeat(first_child[node] - begin, times) + np.arange(times.sum()), begin


def step(parts, branch, first_child, n_branches, size=None):
    """Move every part from its node to the children.

    Parameters
    ----------
    parts : `Parts`, all at nodes that have children.
    branch : array [n], the branch that each part takes, -1 where the value is unknown.
    first_child, n_branches : arrays [N], where the children of each node begin and their number.
    size : array [N], the weight of each node, by which unknown values are shared out; without it,
        the weight of the known parts that come now.

    Returns
    -------
    `Parts`, without those that would weigh nothing.

    References
    ----------
    Quinlan (1993), chapter 3, on partitioning the cases.

    Examples
    --------
    Three cases at a node with two children; of the third the value is unknown:

    >>> parts = Parts(np.arange(3), np.zeros(3, int), np.array([3.0, 1.0, 1.0]))
    >>> below = step(parts, np.array([0, 1, -1]), np.array([1, 0, 0]), np.array([2, 0, 0]))
    >>> below.case, below.node, below.weight
    (array([0, 1, 2, 2]), array([1, 2, 1, 2]), array([3.  , 1.  , 0.75, 0.25]))
    """
    is_known = branch >= 0
    known = Parts(parts.case, first_child.take(parts.node) + branch, parts.weight).at(is_known)
    unknown = parts.at(~is_known)
    if not unknown.case.size:
        return known
    if size is None:
        size = np.bincount(known.node, known.weight, minlength=(first_child + n_branches).max())

    # Each unknown part once for every child, the children of one part beside each other.
    child, begin = children(unknown.node, first_child, n_branches)
    times = n_branches[unknown.node]
    together = np.add.reduceat(size[child], begin)
    share = size[child] / np.repeat(together + (together == 0), times)
    some = share > 0
    return Parts(
        np.concatenate([known.case, np.repeat(unknown.case, times)[some]]),
        np.concatenate([known.node, child[some]]),
        np.concatenate([known.weight, (np.repeat(unknown.weight, times) * share)[some]]),
    )


def flow(tree, columns):
    """Yield the `Parts` of all cases at each level of a tree, the whole cases at the root first.

    Where a value is unknown, or the tree has no branch for it, the case goes down every branch.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    columns : the columns of the cases, as `dtreebook.data.encode` gives them.

    References
    ----------
    Quinlan (1993), chapter 3, on classifying a case.
    """
    flat = tree.flat
    routes = Routes(tree, columns)
    size = flat.counts.sum(axis=1)
    n_branches = branches(flat)
    cases = np.arange(len(columns[0]))
    parts = Parts(cases, np.zeros_like(cases), np.ones(len(cases)))
    while parts.case.size:
        yield parts
        parts = parts.at(flat.first_child[parts.node] > 0)
        branch = routes.branch(parts.node, parts.case)
        parts = step(parts, branch, flat.first_child, n_branches, size)


def spread(tree, columns):
    """Return the class weights of each case, spread over all leaves that it may belong to.

    A leaf adds its share of each class, an empty one all to its label, times the part of the case
    that comes to it. A value that the tree has no branch for is as good as unknown.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    columns : the columns of the cases, as `dtreebook.data.encode` gives them.

    Returns
    -------
    array [n, K]; each row adds up to 1.

    References
    ----------
    Quinlan (1993), chapter 3, on classifying a case.

    Examples
    --------
    Six of fifteen have no work, and none of them gets a loan; of the second case we do not know.

    >>> from dtreebook.data import Attribute
    >>> from dtreebook.splits import Multiway
    >>> from dtreebook.tree import Node, Tree
    >>> leaves = Node(np.array([6.0, 0.0]), label=0), Node(np.array([0.0, 9.0]), label=1)
    >>> root = Node(np.array([6.0, 9.0]), label=1, split=Multiway(0), children=leaves)
    >>> work = Attribute("work", "nominal", ("no", "yes"))
    >>> tree = Tree.from_root(root, (work,), np.array(["refused", "granted"]))
    >>> spread(tree, (np.array([0, -1]),))
    array([[1. , 0. ],
           [0.4, 0.6]])
    """
    flat = tree.flat
    arrived = [parts.at(flat.first_child[parts.node] == 0) for parts in flow(tree, columns)]
    case, leaf, weight = map(np.concatenate, zip(*arrived, strict=True))
    said = shares(flat.counts)
    empty = np.flatnonzero(~flat.counts.any(axis=1))
    said[empty, flat.label[empty]] = 1
    return csr_array((weight, (case, leaf)), shape=(len(columns[0]), len(said))) @ said

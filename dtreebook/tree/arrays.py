"""A tree as arrays, and where in them the children of a node stand."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dtreebook.tree.splits import Split, Surrogate


class Links(NamedTuple):
    """Where the children of every node stand: beside each other.

    Attributes
    ----------
    first_child : array [N], where the children of a node begin; 0 for a leaf.
    n_branches : array [N], how many children a node has; 0 for a leaf.

    Examples
    --------
    A root with three children, of which the third has two:

    >>> links = Links.of(np.array([1, 0, 0, 4, 0, 0]))
    >>> links.n_branches
    array([3, 0, 0, 2, 0, 0])
    >>> links.children_sum(np.array([0, 1, 2, 3, 40, 50]), np.array([0, 3]))
    array([ 6, 90])
    """

    first_child: np.ndarray
    n_branches: np.ndarray

    @classmethod
    def of(cls, first_child: np.ndarray) -> "Links":
        """Return the links of nodes whose children stand in the order of their parents."""
        inner = np.flatnonzero(first_child)
        n_branches = np.zeros_like(first_child)
        n_branches[inner] = np.diff(first_child[inner], append=len(first_child))
        return cls(first_child, n_branches)

    def children(self, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of all children of some inner nodes, and where those of each begin.

        Examples
        --------
        >>> Links.of(np.array([1, 0, 0, 4, 0, 0])).children(np.array([0, 3]))
        (array([1, 2, 3, 4, 5]), array([0, 3]))
        """
        times = self.n_branches[node]
        begin = np.cumsum(times) - times
        return np.repeat(self.first_child[node] - begin, times) + np.arange(times.sum()), begin

    def children_sum(self, amounts: np.ndarray, node: np.ndarray) -> np.ndarray:
        """Return, for some inner nodes, the sum of amounts [N, ...] over their children."""
        child, begin = self.children(node)
        return np.add.reduceat(amounts[child], begin) if node.size else amounts[node]

    def levels(self) -> list[np.ndarray]:
        """Return the inner nodes of every level, the root first."""
        levels, node = [], np.flatnonzero(self.first_child[:1])
        while node.size:
            levels.append(node)
            child, _ = self.children(node)
            node = child[self.first_child[child] > 0]
        return levels


class TreeArrays(NamedTuple):
    """A tree as arrays, level by level, the root first; the children of a node stand together.

    Attributes
    ----------
    counts : array [N, K].
    label : array [N] of class codes; in a regression tree, of numbers.
    split : list [N] of splits, None for a leaf.
    first_child : array [N], where the children of a node begin; 0 for a leaf.
    risk : array [N], what each node costs as a leaf; None for the weight of its errors.
    surrogates : list [N] of tuples, as in `dtreebook.tree.tree.Node`; None if no node has any.
    default : array [N], as in `dtreebook.tree.tree.Node`; None if no node has one.
    improvement : array [N], by how much the test of each node lowers its impurity, times weight;
        None where it is not known.
    """

    counts: np.ndarray
    label: np.ndarray
    split: list[Split | None]
    first_child: np.ndarray
    risk: np.ndarray | None = None
    surrogates: Sequence[tuple[Surrogate, ...]] | None = None
    default: np.ndarray | None = None
    improvement: np.ndarray | None = None

    @property
    def has_answer(self) -> np.ndarray:
        """Whether a case that ends at each node found a branch with training cases: array [N]."""
        return (self.first_child == 0) & self.counts.any(axis=1)


def graft(top: TreeArrays, below: dict[int, TreeArrays], root: int = 0) -> TreeArrays:
    """Return a tree with other trees in the place of some of its nodes, level by level.

    Parameters
    ----------
    top : the tree.
    below : dict from numbers of its nodes, none below another, to the trees that stand there.
    root : the node from which the tree is returned.
    """
    trees, roots = [top, *below.values()], {node: k for k, node in enumerate(below, 1)}
    n_branches = [Links.of(tree.first_child).n_branches.tolist() for tree in trees]

    def stands(k, i):
        return (roots[i], 0) if k == 0 and i in roots else (k, i)

    nodes, first_child = [stands(0, root)], []
    for k, i in nodes:  # the list grows while we walk it
        first = int(trees[k].first_child[i])
        first_child.append(len(nodes) if first else 0)
        if first:
            nodes += [stands(k, child) for child in range(first, first + n_branches[k][i])]
    ends = np.cumsum([0, *(len(tree.label) for tree in trees)])
    tree, number = np.array(nodes).T
    place = ends[tree] + number
    parts = {name: _side_by_side(trees, name, place) for name in TreeArrays._fields}
    return TreeArrays(**parts | {"first_child": np.array(first_child)})


def _side_by_side(trees, name, place):
    """Return an array or a list of several trees as one, in the order of some places."""
    parts = [getattr(tree, name) for tree in trees]
    if any(part is None for part in parts):
        return None
    if isinstance(parts[0], list):
        every = [item for part in parts for item in part]
        return [every[i] for i in place.tolist()]
    return np.concatenate(parts)[place]

"""Parts: which cases, or which fractions of a case, are in which node of a level."""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import joblib
import numpy as np

from dtreebook.count.tables import Groups

# Work on so many cells is worth threads: NumPy lets go of the lock.
_WORTH_THREADS = 2**21

Task = TypeVar("Task")
Done = TypeVar("Done")


class Parts:
    """The parts of a level, node by node.

    A *part* is a case in a node, or the fraction of a case that C4.5 sends there. The open nodes
    are numbered in the order in which their parts stand: all that are a left branch come before
    those that are a right one, so that sorted columns need only be parted.

    Attributes
    ----------
    n_parts : p, how many parts there are, those that are gone included.
    parts : array [h] of the parts in open nodes, node by node; before nodes are opened, in all.
    node : array [h], the node of each of them: of the level, then among the open ones.
    size : array [m], how many parts each open node has.
    times : array [n], how many rows each case stands for; None if one each.
    """

    def __init__(self, n_cases: int, times: np.ndarray | None):
        self.n_parts, self.parts, self.times = n_cases, np.arange(n_cases), times
        self.node, self.size = np.zeros(n_cases, dtype=np.intp), np.array([n_cases])
        self._case: np.ndarray | None = None
        self._groups: Groups | None = None

    @property
    def n_open(self) -> int:
        """How many parts the open nodes hold."""
        return len(self.parts)

    def case_of(self, parts: np.ndarray) -> np.ndarray:
        """Return which case each of some parts is of."""
        return parts if self._case is None else self._case.take(parts)

    def open_parts(self, size: np.ndarray) -> None:
        """Number the open nodes anew, whose parts stand in their order."""
        self.size, self._ends, self._groups = size, np.cumsum(size), None
        self.node = np.repeat(np.arange(len(size)), size)
        self._node_of_part: np.ndarray | None = None

    def at(self, node: int) -> np.ndarray:
        """Return the parts in an open node."""
        return self.parts[self._ends[node] - self.size[node] : self._ends[node]]

    @property
    def groups(self) -> Groups:
        """The groups of a column that is known of all parts, if each of them is one case."""
        if self._groups is None:
            self._groups = Groups(self.size)
        return self._groups

    def node_of(self, parts: np.ndarray) -> np.ndarray:
        """Return the open node of each of some parts."""
        if self._node_of_part is None:
            node = np.zeros(self.n_parts, dtype=np.int32)
            node[self.parts] = self.node
            self._node_of_part = node  # whole at once: other threads may read it
        return self._node_of_part.take(parts)


def parents(first_child: np.ndarray, n_branches: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the node above each node of the next level, and which of its branches leads there.

    Examples
    --------
    The first node has three children, 2 to 4, the second one has two, 0 and 1:

    >>> parents(np.array([2, 0]), np.array([3, 2]))
    (array([1, 1, 0, 0, 0]), array([0, 1, 0, 1, 2]))
    """
    above = first_child.argsort(kind="stable")
    parent = above.repeat(n_branches[above])
    return parent, np.arange(len(parent)) - first_child[parent]


def in_order_of_branches(
    nodes: np.ndarray, parent: np.ndarray, parent_branch: np.ndarray
) -> np.ndarray:
    """Return nodes, those of a first branch first, and so on; within a branch as their parents."""
    return nodes[np.lexsort([parent[nodes], parent_branch[nodes]])]


def parted(branch: np.ndarray, n_branches: int) -> np.ndarray:
    """Return the positions of all in branch 1, then of those in branch 2, ..., in each row.

    Positions are counted through the rows, of which all have as many that go.

    Examples
    --------
    >>> parted(np.array([[2, 0, 1, 2], [1, 2, 2, 0]], dtype=np.uint8), 2)
    array([[2, 0, 3],
           [4, 5, 6]])
    """
    if n_branches <= 3:
        each = [np.flatnonzero(branch == which) for which in range(1, n_branches + 1)]
        return np.concatenate([which.reshape(*branch.shape[:-1], -1) for which in each], axis=-1)
    order = np.argsort(branch, axis=-1, kind="stable")
    n_rows = branch.size // branch.shape[-1] if branch.size else 1
    rows = np.arange(n_rows).reshape(*branch.shape[:-1], 1) * branch.shape[-1]
    return (order + rows)[..., np.count_nonzero(branch == 0) // n_rows :]


def expanded(order: np.ndarray, first: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the new parts of old ones: ``times`` as many of each, from the ``first`` on."""
    often = times.take(order)
    part = np.repeat(first.take(order), often)
    if len(often) and often.max() > 1:
        ends = np.cumsum(often)
        part += np.arange(len(part)) - np.repeat(ends - often, often)
    return part


def in_threads(work: Callable[[Task], Done], tasks: Sequence[Task], cells: int) -> list[Done]:
    """Do every task, in threads where they have cells enough: as many as OMP_NUM_THREADS allows."""
    n_threads = 1
    if cells >= _WORTH_THREADS:
        allowed = int(os.environ.get("OMP_NUM_THREADS") or len(tasks))
        n_threads = min(len(tasks), joblib.cpu_count(), allowed)
    if n_threads < 2:
        return list(map(work, tasks))
    with ThreadPoolExecutor(n_threads) as threads:
        return list(threads.map(work, tasks))

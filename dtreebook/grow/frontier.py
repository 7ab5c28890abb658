"""The cases in the nodes of a level, held in arrays: what all trees in memory grow from.

A *place* is a case at a node; a case that C4.5 divides in fractions has several.
"""

from typing import TYPE_CHECKING

import numpy as np

from dtreebook.data.cases import Cases
from dtreebook.grow.counted import CountedColumns
from dtreebook.grow.target import ClassTarget, NumericTarget
from dtreebook.grow.threads import in_threads
from dtreebook.grow.thresholds import PresortedColumns, Segments, parted

if TYPE_CHECKING:
    from typing_extensions import Self


class Offers:
    """What every column offers in each of m open nodes.

    Attributes
    ----------
    gain : array [m, A], what its best test is worth; -inf where there is none.
    information : array [m, A], the split information in bits, where the criterion asks for it.
    cut : array [m, A], the cut of a numeric or ordered column; NaN of others.
    side : dict from a nominal column to array [m, V], the side of each value if there are two: 0,
        1; -1 if absent.
    groups : dict from (node, column) to the groups of values that are the branches.
    """

    def __init__(self, m: int, n_columns: int):
        self.gain, self.cut = np.full((m, n_columns), -np.inf), np.full((m, n_columns), np.nan)
        self.information = np.zeros((m, n_columns))
        self.side: dict[int, np.ndarray] = {}
        self.groups: dict[tuple[int, int], tuple[tuple[int, ...], ...]] = {}

    def take(self, column: int, other: "Offers") -> None:
        """Take over what was found for a column alone."""
        for mine, found in (
            (self.gain, other.gain),
            (self.cut, other.cut),
            (self.information, other.information),
        ):
            mine[:, column] = found[:, 0]
        if other.side:
            self.side[column] = other.side[0]
        self.groups.update({(node, column): groups for (node, _), groups in other.groups.items()})


class ArrayFrontier:
    """The nodes of the level that grows now, and the cases in them.

    The open nodes are numbered in the order in which their cases lie: all that are a first branch
    come before those that are a second one, so that sorted columns need only be parted.

    Attributes
    ----------
    cases : the training cases.
    counted : the numeric columns of few values, `CountedColumns`, while nodes are large.
    presorted : the other ones, `PresortedColumns`.
    n_nodes : M, the number of nodes of the level.
    n_places : p, the number of places, those that are gone included.
    here : array [h] of the places in open nodes, node by node; before nodes are opened, in all.
    of_level, node : arrays [h], the node of each place here: among all of the level, and among the
        open ones.
    size : array [m], how many places each open node has.
    """

    def __init__(self, cases: Cases, numbers: dict[int, np.ndarray], may_count: bool):
        n = len(cases.target)
        self.cases, self.n_nodes = cases, 1
        n_classes = 0 if cases.classes is None else len(cases.classes)
        # Rows that stand for several cases are counts already.
        may_count = may_count and n_classes > 0 and cases.times is None
        self.counted = CountedColumns.among(numbers, n_classes) if may_count else []
        few = {a for block in self.counted for a in block.columns.tolist()}
        many = {a: column for a, column in numbers.items() if a not in few}
        self.presorted = PresortedColumns.blocks(many, n)
        self._table = cases.table
        self.n_places, self.here = n, np.arange(n)
        self.of_level, self.node = np.zeros((2, n), dtype=np.intp)
        self.size = np.array([n])
        self._segments: Segments | None = None
        self._node_of_place: np.ndarray | None = None
        self._parent, self._branch = np.zeros((2, 1), dtype=np.intp)

    def start(
        self, root: "Self", node: np.ndarray, available: np.ndarray, label: np.ndarray
    ) -> None:
        """Begin below the root, with cases that stand in several nodes of a level.

        Parameters
        ----------
        root : a frontier at the root, which knows what is to be known of all cases.
        node : array [n], the node of each case, from 0 to M - 1.
        available : array [M, A], whether a column may still be asked for in each node.
        label : array [M], the labels of the parents.
        """
        self.n_nodes, self.of_level = len(label), np.asarray(node, dtype=np.intp)
        self._parent, self._branch = np.zeros(len(label), dtype=np.intp), np.arange(len(label))

    @property
    def class_target(self) -> ClassTarget | NumericTarget:
        """What the tree is to say, at each place."""
        raise NotImplementedError

    @property
    def segments(self) -> Segments:
        """The open nodes in a column that is known of all cases, if each case weighs 1."""
        if self._segments is None:
            self._segments = Segments(self.size)
        return self._segments

    def cases_at(self, places: np.ndarray) -> np.ndarray:
        """Return which case is at each of some places."""
        return places

    def node_at(self, places: np.ndarray) -> np.ndarray:
        """Return the open node of each of some places."""
        if self._node_of_place is None:
            node = np.zeros(self.n_places, dtype=np.int32)
            node[self.here] = self.node
            self._node_of_place = node  # whole at once: other threads may read it
        return self._node_of_place.take(places)

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with some of the nodes; return them in the order in which the cases now lie."""
        nodes = nodes[np.lexsort([self._parent[nodes], self._branch[nodes]])]
        if self.n_nodes > 1:  # the root's cases all lie in order
            self._part(nodes)
        self.size = np.bincount(self.of_level, minlength=self.n_nodes)[nodes]
        self.node = np.repeat(np.arange(len(nodes)), self.size)
        self._segments = self._node_of_place = None
        self.presorted = PresortedColumns.joined(self.presorted, len(self.here))
        for block in self.counted:
            if not block.is_worth_it(len(nodes), len(self.here), self.class_target.n_classes):
                self.presorted += block.presorted(self)
                self.counted = [other for other in self.counted if other is not block]
        return nodes

    def _part(self, nodes):
        """Put the places that went down a first branch first, and so on; drop those in no node."""
        n_ways = int(self._branch[nodes].max()) + 1
        way_of = np.zeros(self.n_nodes, dtype=np.min_scalar_type(n_ways))
        way_of[nodes] = 1 + self._branch[nodes]
        way = way_of.take(self.of_level)
        if self.presorted:
            by_place = np.zeros(self.n_places, dtype=way.dtype)
            by_place[self.here] = way
            cells = np.count_nonzero(way) * len(self.cases.columns)
            in_threads(lambda block: block.partition(by_place, n_ways), self.presorted, cells)
        self.here = self.here.take(parted(way, n_ways))

    def _asked(self, chosen):
        """Return the value of each place here in the column chosen for its node: any if none is."""
        cell = (np.maximum(chosen, 0) * len(self.cases)).take(self.node)
        cell += self.cases_at(self.here)
        return self._table.take(cell)

    def _number_children(self, first_child, n_branches):
        """Number the nodes of the next level, given where the children of each open one begin."""
        begin = np.cumsum(n_branches) - n_branches
        number = np.arange(n_branches.sum()) - np.repeat(begin, n_branches)
        child = np.repeat(first_child, n_branches) + number
        self.n_nodes = len(child)
        self._parent, self._branch = np.empty((2, self.n_nodes), dtype=np.intp)
        self._parent[child] = np.repeat(np.arange(len(n_branches)), n_branches)
        self._branch[child] = number

    def _send(self, branch, first_child):
        """Send the places here down a branch each; those with -1 stay behind."""
        goes = np.flatnonzero(branch >= 0)
        self.here = self.here.take(goes)
        self.of_level = first_child.take(self.node.take(goes)) + branch.take(goes)

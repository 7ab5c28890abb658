"""What counts the cases of a tree that grows: one small protocol, whoever counts.

A `Counter` knows which cases are in which node. It is asked what the nodes hold, for tables of
their columns, and to divide them; it knows nothing of gains. `dtreebook.grow.memory.MemoryCounter`
counts arrays, `dtreebook.database.counter.DatabaseCounter` has a database count.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from dtreebook.grow.criteria import BinaryCriterion
from dtreebook.grow.ranges import Doubtful
from dtreebook.grow.tables import Rows, Table, TieIn
from dtreebook.tree.splits import Split, Splits, Subset, Surrogate, Threshold, middle

# The branches of a test as classes, the last of unknown values: see `Counter.branches`.
LEFT, RIGHT, UNKNOWN = range(3)
N_BRANCHES = 3


class Contents(NamedTuple):
    """What the M nodes of a level hold."""

    counts: np.ndarray  #: array [M, K] of weights by class; of numbers, [M, 1]
    cases: np.ndarray  #: array [M], the number of cases
    #: arrays [M], of numbers, and what they cost where it is predicted; None for classes.
    mean: np.ndarray | None = None
    error: np.ndarray | None = None
    #: array [M], whether all numbers are the same; None for classes.
    is_constant: np.ndarray | None = None


class Answers(NamedTuple):
    """What tables add up of every part: classes, or numbers."""

    codes: np.ndarray | None  #: array [p] of classes; None for numbers
    n_classes: int  #: K; 1 for numbers
    weight: np.ndarray | None = None  #: array [p], or None if each weighs 1
    #: array [p], the numbers times their weights; None for classes.
    amount: np.ndarray | None = None
    is_branch: bool = False  #: whether branches stand in the place of classes


class Found:
    """The best test of every column in each of m open nodes.

    Attributes
    ----------
    gain : array [m, A], what it is worth; -inf where there is none.
    information : array [m, A], its split information in bits, where the criterion asks for it.
    left, right : arrays [m, A], the values beside the best cut of a column that is cut; NaN where
        they are not known yet.
    position : array [m, A], numbers in the order of the cuts of a column.
    tests : dict from (node, column) to the best test there, if it is known as such, or to one that
        somebody wants.
    """

    def __init__(self, m: int, n_columns: int):
        self.gain, self.information = np.full((m, n_columns), -np.inf), np.zeros((m, n_columns))
        self.left, self.right, self.position = np.full((3, m, n_columns), np.nan)
        self.tests: dict[tuple[int, int], Threshold | Subset] = {}
        # Of nominal columns: the levels of some rows with their sides, and which of these are its.
        self._sides: list[tuple[np.ndarray, np.ndarray]] = []
        self._block, self._first, self._end = np.empty((3, m, n_columns), dtype=np.intp)

    def take_better(self, table: Table, gain: np.ndarray, row: np.ndarray, tie: TieIn) -> None:
        """Take over the best cuts inside some ranges, where they are better, or as good and before.

        Many ranges may belong to one column in one node. Of each group, [g], the best cut has a
        gain and comes after a row.
        """
        left, right, position = table.beside(row)
        node, column = table.node[0], table.column[0]
        at, group = np.unique(node * self.gain.shape[1] + column, return_inverse=True)
        node, column = np.divmod(at, self.gain.shape[1])
        # What is known already is one more candidate of each column.
        group = np.append(group, np.arange(len(at)))
        gain, position, left, right = (
            np.append(new, known[node, column])
            for new, known in (
                (gain, self.gain),
                (position, self.position),
                (left, self.left),
                (right, self.right),
            )
        )
        order = np.lexsort([position, group])
        first = np.searchsorted(group[order], np.arange(len(at)))
        best = np.maximum.reduceat(gain[order], first)
        hit = np.flatnonzero(gain[order] >= (best - tie(best, node))[group[order]])
        chosen = order[hit[np.searchsorted(hit, first)]]
        self.gain[node, column], self.position[node, column] = best, position[chosen]
        self.left[node, column], self.right[node, column] = left[chosen], right[chosen]

    def set_sides(self, rows: Rows, side: np.ndarray) -> None:
        """Note the side of the level of each row: 0, 1, or -1 for none."""
        at = rows.node, rows.column
        first = rows.first
        self._block[at], self._first[at], self._end[at] = len(self._sides), first, first + rows.size
        self._sides.append((rows.value, side))

    def splits(self, nodes: np.ndarray, columns: np.ndarray, is_numeric: np.ndarray) -> Splits:
        """Return the best test with two branches of some columns in some nodes; of -1 no test."""
        left, right = self.left[nodes, columns], self.right[nodes, columns]
        cut = np.where(is_numeric[columns], middle(left, right), left)
        cut[columns < 0] = np.nan
        split = Splits(columns, cut)
        for i in np.flatnonzero(np.isnan(cut) & (columns >= 0)).tolist():
            split.groups[i] = self._groups(nodes[i], columns[i])
        if self.tests:
            for i, at in enumerate(zip(nodes.tolist(), columns.tolist(), strict=True)):
                if at in self.tests:
                    split[i] = self.tests[at]
        return split

    def _groups(self, node, column):
        """Return the levels on either side in the best test of a nominal column."""
        here = slice(self._first[node, column], self._end[node, column])
        level, side = (array[here] for array in self._sides[self._block[node, column]])
        return tuple(level[side == 0].tolist()), tuple(level[side == 1].tolist())


class Counter(Protocol):
    """Count the cases in the nodes of the level that grows now.

    Attributes
    ----------
    n_nodes : M, the number of nodes of the level; once they are opened, m of them are looked at.
    size : array [m], how many cases each open node has; of fractions each counts.
    parent, parent_branch : arrays [M], the open node above each node, and which of its branches.
    """

    n_nodes: int
    size: np.ndarray
    parent: np.ndarray
    parent_branch: np.ndarray

    @property
    def n_open(self) -> int:
        """How many cases are in open nodes, if they are looked at here."""
        return 0

    @abstractmethod
    def measure_numbers(self, criterion: BinaryCriterion, mean: float, unit: float) -> None:
        """Measure numbers by a criterion, from the mean of all; rounding may take a unit of one."""

    @abstractmethod
    def describe(self) -> Contents:
        """Return what each node holds."""

    @abstractmethod
    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with some of the nodes; return them in the order in which they are now numbered.

        Those that are to be finished in another way may be left out.
        """

    @abstractmethod
    def answers(self, factor: np.ndarray | None = None) -> Answers:
        """Return what tables add up; a case of each class may weigh a factor more: array [K]."""

    @abstractmethod
    def branches(self) -> Answers:
        """Return the branches as classes `LEFT`, `RIGHT`, `UNKNOWN`, once nodes are divided."""

    def prepare(self, columns: np.ndarray) -> None:
        """Get ready to return the tables of some columns, if anything is to be done."""
        return

    @abstractmethod
    def nominal_rows(self, answers: Answers) -> Iterator[Rows]:
        """Yield the tables of the nominal columns: a row for each level that occurs in a node."""

    @abstractmethod
    def nominal_tables(
        self, answers: Answers
    ) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
        """Yield the tables of the nominal columns with a row for each level, empty ones too.

        Yields
        ------
        the first of some nodes, the columns [a], array [nodes, a, V, K] of weights, and array
        [nodes, a] of the weight of the cases whose value is unknown.
        """

    @abstractmethod
    def cut_tables(self, answers: Answers) -> Iterator[Iterator[Table]]:
        """Yield iterators that make the tables of the columns that are cut, for threads to run."""

    @abstractmethod
    def look_inside(
        self, answers: Answers, wanted: Sequence[Doubtful]
    ) -> Iterator[Iterator[Table]]:
        """Yield iterators that make the tables of what some ranges hold."""

    def find_beside(self, found: Found, columns: np.ndarray) -> None:
        """Find the values beside the best cuts, where they are not known yet.

        They are those of one column, [m], in each open node; -1 for none.
        """
        return

    def training_values(self, columns: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        """Return the largest training value of each column that is not above a number.

        Where these are not known, the numbers stay as they are, until the tree is grown.
        """
        return numbers

    @abstractmethod
    def table_of(self, node: int, split: Split, answers: Answers) -> tuple[np.ndarray, float]:
        """Return the table of a test in an open node, [branches, K], and the unknown weight.

        For numbers the columns are weight, mean and what they cost where it is predicted.
        """

    @abstractmethod
    def divide(self, split: Splits, n_branches: np.ndarray) -> None:
        """Find the branch of every case in the open nodes, by the tests of these."""

    @abstractmethod
    def branch_weights(self) -> np.ndarray:
        """Return the weight of the cases that take each of two branches: array [m, 2]."""

    @abstractmethod
    def reroute(self, default: np.ndarray, surrogates: Sequence[tuple[Surrogate, ...]]) -> None:
        """Send the cases whose branch is unknown where their surrogates or the majority go."""

    @abstractmethod
    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level, given where the children of each open node begin."""

    def number_children(self, first_child: np.ndarray, n_branches: np.ndarray) -> None:
        """Note which nodes the next level has."""
        above = first_child.argsort(kind="stable")
        self.parent = above.repeat(n_branches[above])
        self.n_nodes = len(self.parent)
        self.parent_branch = np.arange(self.n_nodes) - first_child[self.parent]

    def by_branch(self, nodes: np.ndarray) -> np.ndarray:
        """Return nodes in the order of their branches, and of the nodes above."""
        return nodes[np.lexsort([self.parent[nodes], self.parent_branch[nodes]])]

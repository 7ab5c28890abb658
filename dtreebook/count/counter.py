"""What counts the cases of a tree that grows: one small protocol, whoever counts.

A `Counter` knows which cases are in which node. It is asked what the nodes hold, for tables of
their columns, and to divide them; it knows nothing of gains. `dtreebook.count.memory.MemoryCounter`
counts arrays, `dtreebook.database.counter.DatabaseCounter` has a database count.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from dtreebook.count.ranges import Doubtful
from dtreebook.count.tables import Rows, Table
from dtreebook.tree.splits import Split, Splits, Surrogate

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


class Loss(NamedTuple):
    """What it costs to predict a mean where numbers are to be predicted."""

    #: function of numbers and their mean: what each number costs
    of: Callable[[np.ndarray, np.ndarray], np.ndarray]
    is_centred: bool  #: whether numbers may be summed above the mean of their node
    power: int  #: 2 if the loss is the square of a number that is off by rounding, else 1


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
    def measure_numbers(self, loss: Loss, mean: float, unit: float) -> None:
        """Measure numbers by a loss, given the mean of all; rounding may take a unit of one."""

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

    @abstractmethod
    def prepare(self, columns: np.ndarray) -> None:
        """Get ready to return the tables of some columns, if anything is to be done."""

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

    def beside(
        self, nodes: np.ndarray, columns: np.ndarray, positions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the values on the left and on the right of some cuts, each in a node and a column.

        This is asked only if the rows of tables were codes of ranges (`Rows.is_coded`); then the
        position of a cut is the code of the range on its left.
        """
        raise NotImplementedError

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

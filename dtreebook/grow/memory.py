"""Counting cases that are held in arrays.

A *part* is a case in a node, or the fraction of a case that C4.5 sends there. The parts of a level
stand node by node. Three ways lead from them to tables:

- *dense*: a column of few values is coded once, and `numpy.bincount` adds up the cell (node, value,
  class) of every part. That pays while nodes are large beside their tables.
- *sorted*: a column of many values is sorted once, and its order is parted by branch at every
  level: what goes left first, what goes right after it. Within each part the order stays, so the
  parts of a node stand together, sorted (Mehta, Agrawal and Rissanen 1996, SLIQ).
- *ranges*: with very many parts only ranges of values are counted: `dtreebook.grow.ranges`.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import joblib
import numpy as np

from dtreebook.data.cases import Cases, unknown, weights_at
from dtreebook.data.counts import count
from dtreebook.grow.growth import Found
from dtreebook.grow.ranges import equal_ranges
from dtreebook.grow.tables import Groups, Rows, Sums, Table, stable_order
from dtreebook.tree.arrays import Links
from dtreebook.tree.fractions import FractionalCases, distribute
from dtreebook.tree.routing import Router
from dtreebook.tree.splits import Split, Subset, Surrogate, Threshold

# Columns are taken together while they have so few rows: enough to forget the cost of a call.
_BLOCK = 2**16

# A dense table costs as much as sorting while it has so many cells for each part; but no more
# cells than these, which take room.
_CELLS_A_PART = 4
_MOST_CELLS = 2**22

# The most cells that dense tables of one pass may have; more nodes are taken in several passes.
_MOST_CELLS_A_PASS = 2**24

# At the root there are so many cases for a cell of a column of few values; below it there are fewer.
_CASES_A_CELL = 8

# So many of the first cases tell whether a column may have few values.
_SAMPLE = 1000

# With so many cases columns of many numbers are counted by ranges, of which there are so many at
# most; where nodes are small their number is halved. Codes beyond the ranges are for unknown values.
_MANY_CASES = 2**18
_RANGES, _CODES, _HALVINGS = 240, 256, 1

# Values are first told apart by so many bins, whose ranges are found by a sample of so many values.
_BINS = 4096
_SAMPLE_OF_RANGES = 2**14

# Work on so many cells is worth threads: NumPy lets go of the lock.
_WORTH_THREADS = 2**21

Task = TypeVar("Task")
Done = TypeVar("Done")


class Contents(NamedTuple):
    """What the M nodes of a level hold.

    Attributes
    ----------
    counts : array [M, K] of weights by class; of numbers, [M, 1].
    cases : array [M], the number of cases.
    mean, error : arrays [M], of numbers, with their squared error around the mean; None for classes.
    is_constant : array [M], whether all numbers are the same; None for classes.
    """

    counts: np.ndarray
    cases: np.ndarray
    mean: np.ndarray | None = None
    error: np.ndarray | None = None
    is_constant: np.ndarray | None = None


class Answers(NamedTuple):
    """What tables add up of every part: classes, or numbers.

    Attributes
    ----------
    codes : array [p] of classes; None for numbers.
    n_classes : K; 1 for numbers.
    weight : array [p], or None if each weighs 1.
    amount : array [p], the numbers times their weights; None for classes.
    """

    codes: np.ndarray | None
    n_classes: int
    weight: np.ndarray | None = None
    amount: np.ndarray | None = None


class MemoryCounter:
    """Count the parts in the nodes of the level that grows now.

    The open nodes are numbered in the order in which their parts stand: all that are a first branch
    come before those that are a second one, so that sorted columns need only be parted.

    Attributes
    ----------
    cases : the training cases.
    n_nodes : M, the number of nodes of the level.
    size : array [m], how many parts each open node has.
    parts : array [h] of the parts in open nodes, node by node; before nodes are opened, in all.
    node : array [h], the node of each of them: of the level, then among the open ones.
    weight : array [p] of all parts, or None if each weighs 1.
    target : array [p], the class or number of each part.
    """

    def __init__(
        self,
        cases: Cases,
        cut: Sequence[int],
        *,
        in_parts: bool = False,
        may_be_dense: bool = True,
        may_be_ranged: bool = False,
        node: np.ndarray | None = None,
    ):
        """Begin at the root, or at the nodes that the cases are in.

        Parameters
        ----------
        cases : the training cases.
        cut : the columns that are cut: numbers, and for binary trees ordered levels.
        in_parts : whether a case of unknown value goes down every branch, in parts.
        may_be_dense : whether columns that are cut may be counted by value, too.
        may_be_ranged : whether a best cut may be sought by bounds.
        node : array [n], the node of each case; all at the root if None.
        """
        n = len(cases)
        self.cases, self.weight, self.target = cases, cases.weight, cases.target
        self._in_parts, self._table = in_parts, cases.table
        self.is_classified = cases.classes is not None
        if self.is_classified:
            self.target = self.target.astype(np.min_scalar_type(cases.n_classes))
        self.n_parts, self.parts, self._case = n, np.arange(n), None
        self.node = np.zeros(n, dtype=np.intp) if node is None else node
        self.n_nodes = int(self.node.max(initial=0)) + 1
        self._parent, self._branch = np.zeros(self.n_nodes, np.intp), np.arange(self.n_nodes)
        columns = {a: cases.columns[a] for a in cut}
        may_be_dense = may_be_dense and self.is_classified and cases.times is None
        few = _few_values(columns, cases.n_classes) if may_be_dense else {}
        self._dense_cuts = [
            DenseColumns.of_values({a: columns[a] for a in some}, [few[a] for a in some])
            for some in _alike({a: len(known) for a, known in few.items()}, columns)
        ]
        many = {a: columns[a] for a in columns if a not in few}
        self._ranged: dict[int, RangedColumn] = {}
        if may_be_ranged and self.is_classified and n >= _MANY_CASES and cases.times is None:
            numeric = [a for a, column in many.items() if column.dtype.kind == "f"]
            made = in_threads(lambda a: RangedColumn(a, many[a]), numeric, n * len(numeric))
            self._ranged = dict(zip(numeric, made, strict=True))
        many = {a: column for a, column in many.items() if a not in self._ranged}
        self._sorted = SortedColumns.blocks(many, n)
        levels = {a: len(cases.attributes[a].levels) for a in range(len(cases.columns))}
        nominal = {a: number for a, number in levels.items() if a not in columns}
        self._dense = [
            DenseColumns(some, [cases.columns[a] for a in some], max(levels[a] for a in some))
            for some in _alike(nominal)
        ]
        # Of each numeric column, the training values in order, each at least once.
        self._values = {a: known for a, known in few.items()}
        for block in self._sorted:
            self._values.update(block.values())
        self._deviation = np.zeros(0 if self.is_classified else n)
        self.size = np.array([n])

    def measure_from(self, mean: float, unit: float) -> None:
        """Keep numbers as what they are above a mean, so that their squares lose few digits.

        Parameters
        ----------
        mean : the mean of all training cases.
        unit : what rounding may take of a number.
        """
        self._mean, self._above, self._unit = mean, self.cases.target - mean, unit

    # --- nodes ------------------------------------------------------------------------------------

    @property
    def n_open(self) -> int:
        """How many parts the open nodes hold."""
        return len(self.parts)

    def case_of(self, parts: np.ndarray) -> np.ndarray:
        """Return which case each of some parts is of."""
        return parts if self._case is None else self._case.take(parts)

    def describe(self) -> Contents:
        """Return what each node holds."""
        node, m, times = self.node, self.n_nodes, self.cases.times
        cases = np.bincount(node, weights_at(times, self.parts), m)
        weight = weights_at(self.weight, self.parts)
        if self.is_classified:
            codes = node, self.target.take(self.parts)
            return Contents(count(codes, (m, self.cases.n_classes), weight), cases)
        each = np.ones(len(self.parts)) if weight is None else weight
        above = self._above.take(self.parts)
        weight = np.bincount(node, each, m)
        mean = np.bincount(node, each * above, m) / weight
        above -= mean.take(node)
        self._deviation[self.parts] = above  # within a node it adds up to 0
        error = np.bincount(node, each * above * above, m)
        mean += self._mean
        # The mean of equal numbers may be off by rounding, the more so the more there are.
        number, equal = self.target.take(self.parts), np.empty(m)
        equal[node] = number
        is_equal = np.bincount(node, number != equal.take(node), m) == 0
        mean[is_equal], error[is_equal] = equal[is_equal], 0
        is_constant = error <= weight * (4 * self._unit) ** 2
        return Contents(weight[:, None], cases, mean, error, is_constant)

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with some of the nodes; return them in the order in which their parts now stand."""
        nodes = nodes[np.lexsort([self._parent[nodes], self._branch[nodes]])]
        if self.n_nodes > 1:  # the parts of the root are in order
            self._part(nodes)
        self.size = np.bincount(self.node, minlength=self.n_nodes)[nodes]
        self.node = np.repeat(np.arange(len(nodes)), self.size)
        self.groups = Groups(self.size)
        self._node_of_part: np.ndarray | None = None
        if self._ranged:
            cells = len(nodes) * self.cases.n_classes
            self.shift = _shift(cells, len(self.parts))
            if self.shift is None:
                self._sort_ranged()
            else:  # where the ranges of each node and class begin
                cell = self.node * self.cases.n_classes + self.target.take(self.parts)
                self.cells = cell * (_CODES >> self.shift)
        self._sorted = SortedColumns.joined(self._sorted, len(self.parts))
        for block in self._dense_cuts:
            if not block.is_worth_it(len(nodes), len(self.parts), self.cases.n_classes):
                self._sorted += block.sorted(self)
                self._dense_cuts = [other for other in self._dense_cuts if other is not block]
        return nodes

    def _part(self, nodes):
        """Put the parts that went down a first branch first, and so on; drop those in no node."""
        n_branches = int(self._branch[nodes].max()) + 1
        branch = np.zeros(self.n_nodes, dtype=np.min_scalar_type(n_branches))
        branch[nodes] = 1 + self._branch[nodes]
        branch = branch.take(self.node)
        if self._sorted:
            of_part = np.zeros(self.n_parts, dtype=branch.dtype)
            of_part[self.parts] = branch
            cells = np.count_nonzero(branch) * len(self.cases.columns)
            in_threads(lambda block: block.part(of_part, n_branches), self._sorted, cells)
        moved = parted(branch, n_branches)
        self.parts, self.node = self.parts.take(moved), self.node.take(moved)

    def _sort_ranged(self):
        """Sort what is left of the columns of ranges: there are too few parts for them."""
        ranged, self._ranged = list(self._ranged), {}
        parts = len(self.parts)
        self._sorted += in_threads(self._sort, ranged, parts * len(ranged))

    def _sort(self, a):
        value = self.cases.columns[a].take(self.case_of(self.parts))
        known = np.flatnonzero(~np.isnan(value))
        order = known.take(np.argsort(value.take(known)))
        order = order.take(stable_order(self.node.take(order)))
        line = None if len(known) == len(value) else np.zeros(len(known), dtype=np.intp)
        part = self.parts.take(order).astype(np.int32)
        return SortedColumns(np.array([a]), part[None], value.take(order)[None], line)

    def node_of(self, parts: np.ndarray) -> np.ndarray:
        """Return the open node of each of some parts."""
        if self._node_of_part is None:
            node = np.zeros(self.n_parts, dtype=np.int32)
            node[self.parts] = self.node
            self._node_of_part = node  # whole at once: other threads may read it
        return self._node_of_part.take(parts)

    # --- tables -----------------------------------------------------------------------------------

    def answers(self, factor: np.ndarray | None = None) -> Answers:
        """Return the classes or numbers that a tree is to tell apart.

        Parameters
        ----------
        factor : array [K], what a case of each class weighs more; None for 1.
        """
        if not self.is_classified:
            amount = self._deviation if self.weight is None else self._deviation * self.weight
            return Answers(None, 1, self.weight, amount)
        weight = self.weight
        if factor is not None:
            weight = factor.take(self.target) * (1.0 if weight is None else weight)
        return Answers(self.target, self.cases.n_classes, weight)

    def prepare(self, columns: np.ndarray) -> None:
        """Get ready to return the tables of some columns: nothing is to be done."""

    def cut_tables(self, answers: Answers) -> "Iterator[Callable[[], Table | None]]":
        """Yield functions that make the tables of the columns that are cut; threads may run them."""
        for block in (*self._dense_cuts, *self._ranged.values(), *self._sorted):
            yield lambda block=block: block.table(self, answers)

    def rows_of_levels(self, answers: Answers) -> Iterator[Rows]:
        """Yield the tables of the nominal columns: a row for each level that occurs in a node."""
        for block in self._dense:
            yield from block.rows(self, answers)

    def tables_of_levels(
        self, answers: Answers
    ) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
        """Yield the tables of the nominal columns with a row for each level, also if it is empty.

        Yields
        ------
        the first of some nodes, the columns [a], array [nodes, a, V, K] of weights, and array
        [nodes, a] of the weight of the cases whose value is unknown.
        """
        for block in self._dense:
            amount = (answers.weight,)
            for first, (table,) in block.tables(self, answers.codes, answers.n_classes, amount):
                last = table[:, :, block.n_values :]
                yield first, block.columns, table[:, :, : block.n_values], last.sum(axis=(2, 3))

    def look_inside(
        self, answers: Answers, wanted: Sequence[tuple[Rows, np.ndarray]]
    ) -> "Iterator[Callable[[], Table | None]]":
        """Yield functions that make the tables of what some ranges hold.

        Parameters
        ----------
        answers : what is added up.
        wanted : rows of ranges, and which of them are meant.
        """
        for rows, inside in wanted:
            yield lambda rows=rows, inside=inside: self._ranged[int(rows.column[0])].inside(
                self, answers, rows, inside
            )

    def find_beside(self, found: Found, columns: np.ndarray) -> None:
        """Find the values beside the best cuts between ranges.

        Parameters
        ----------
        found : the best cuts.
        columns : array [m], the column that is meant in each open node; -1 for none.
        """
        node = np.flatnonzero(columns >= 0)
        node = node[np.isnan(found.left[node, columns[node]])]
        node = node[~np.isnan(found.position[node, columns[node]])]
        if not len(node):
            return
        ends = np.cumsum(self.size)
        for i, a in zip(node.tolist(), columns[node].tolist(), strict=True):
            parts = self.parts[ends[i] - self.size[i] : ends[i]]
            is_left = self._ranged[a].code(self, parts) <= found.position[i, a]
            value = self.cases.columns[a].take(self.case_of(parts))
            # An unknown value is beyond all ranges, and NaN, which the least ignores.
            found.left[i, a], found.right[i, a] = value[is_left].max(), np.nanmin(value[~is_left])

    # --- dividing ---------------------------------------------------------------------------------

    def divide(self, split: Sequence[Split | None], n_branches: np.ndarray) -> None:
        """Find the branch of every part here: -1 if the value is unknown, or nothing is asked."""
        self.split, self._n_branches = split, n_branches
        chosen = np.array([-1 if test is None else test.column for test in split], dtype=np.intp)
        cell = (np.maximum(chosen, 0) * len(self.cases)).take(self.node)
        value = self._table.take(cell + self.case_of(self.parts))
        threshold = np.full(len(split), np.nan)
        subsets = []
        for i, test in enumerate(split):
            if isinstance(test, Threshold):
                threshold[i] = test.cut
            elif isinstance(test, Subset):
                subsets.append(i)
        is_unknown = unknown(value) | (chosen < 0).take(self.node)
        is_cut = ~np.isnan(threshold)
        if is_cut.all():
            branch = np.where(is_unknown, -1, value > threshold.take(self.node))
        else:
            at = threshold.take(self.node)
            branch = np.where(np.isnan(at), np.where(is_unknown, -1, value), value > at)
            branch = np.where(is_unknown, -1, branch)
        self.branch = branch.astype(np.intp)
        if subsets:
            self._divide_by_subsets(split, subsets, is_unknown)

    def _divide_by_subsets(self, split, subsets, is_unknown):
        """Replace the levels by their groups: one look-up for all nodes that ask for groups."""
        first, size = np.zeros(len(split), dtype=np.intp), 0
        branch_of = []
        for i in subsets:
            n_levels = len(self.cases.attributes[split[i].column].levels)
            first[i] = size
            size += n_levels
            branch_of.append(split[i].branch(np.arange(n_levels)))
        is_subset = np.zeros(len(split), dtype=bool)
        is_subset[subsets] = True
        here = np.flatnonzero(is_subset.take(self.node) & ~is_unknown)
        level = first.take(self.node.take(here)) + self.branch.take(here)
        self.branch[here] = np.concatenate(branch_of).take(level)

    def reroute(
        self, default: np.ndarray, surrogates: Sequence[tuple[Surrogate, ...]]
    ) -> None:
        """Send the parts whose branch is unknown where their surrogates or the majority go."""
        asks = self._n_branches.take(self.node) > 0
        rest = np.flatnonzero((self.branch < 0) & asks)
        if not any(surrogates):
            self.branch[rest] = default.take(self.node.take(rest))
        elif len(rest):
            router = Router(self.split, surrogates, default, self.cases.attributes)
            case, node = self.case_of(self.parts.take(rest)), self.node.take(rest)
            routes = router.over([column.take(case) for column in self.cases.columns])
            self.branch[rest] = routes.branch(node, np.arange(len(rest)))

    def branch_weights(self) -> np.ndarray:
        """Return the weight of the cases that take each of two branches: array [m, 2]."""
        codes = self.node, self.branch + 1
        return count(codes, (len(self.size), 3), weights_at(self.weight, self.parts))[:, 1:]

    def table_of(
        self, node: int, split: Split, answers: Answers
    ) -> tuple[np.ndarray, float]:
        """Return the table of a test in an open node, [branches, K], and the unknown weight.

        For numbers the columns are weight, mean and squared error.
        """
        last = int(self.size[: node + 1].sum())
        parts = self.parts[last - self.size[node] : last]
        branch = split.branch(self.cases.columns[split.column][self.case_of(parts)])
        n_branches = split.branches(self.cases.attributes[split.column])
        weight = weights_at(self.weight, parts)
        if answers.codes is not None:
            # Unknown values have branch -1: counted one row up, they fill row 0.
            shape = n_branches + 1, answers.n_classes
            unknown_row, *rows = count((branch + 1, answers.codes[parts]), shape, weight)
            return np.array(rows), float(unknown_row.sum())
        each = np.ones(len(parts)) if weight is None else weight
        rows = [_moments(self._above[parts[branch == b]], each[branch == b]) for b in (0, 1)]
        return np.array(rows) + [0, self._mean, 0], float(each[branch < 0].sum())

    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level, given where the children of each open node begin."""
        n_branches = self._n_branches
        begin = np.cumsum(n_branches) - n_branches
        number = np.arange(n_branches.sum()) - np.repeat(begin, n_branches)
        child = np.repeat(first_child, n_branches) + number
        inside = n_branches.take(self.node) > 0
        if self._in_parts and (inside & (self.branch < 0)).any():
            self._share_out(np.flatnonzero(inside), first_child)
        else:
            goes = np.flatnonzero(inside & (self.branch >= 0))
            self.parts = self.parts.take(goes)
            self.node = first_child.take(self.node.take(goes)) + self.branch.take(goes)
        self.n_nodes = len(child)
        self._parent, self._branch = np.empty((2, self.n_nodes), dtype=np.intp)
        self._parent[child] = np.repeat(np.arange(len(n_branches)), n_branches)
        self._branch[child] = number

    @property
    def parent(self) -> np.ndarray:
        """Array [M], the open node of the level above that each node is below."""
        return self._parent

    def _share_out(self, inside, first_child):
        """Send parts down; one of unknown value goes down every branch in part."""
        weight = np.ones(self.n_parts) if self.weight is None else self.weight
        weight = weight.take(self.parts.take(inside))
        found = FractionalCases(inside, self.node.take(inside), weight)
        links = Links(first_child, self._n_branches)
        found = distribute(found, self.branch.take(inside), links)
        # The parts are numbered anew, those of one case beside each other.
        old = self.parts.take(found.case)
        order = np.argsort(old, kind="stable")
        old = old.take(order)
        times = np.bincount(old, minlength=self.n_parts)
        first = np.cumsum(times) - times
        self._case, self.target = self.case_of(old), self.target.take(old)
        self.weight, self.n_parts = found.weight.take(order), len(old)
        self.parts = expanded(self.parts, first, times)
        self.node = found.node.take(order).take(self.parts)
        for block in self._sorted:
            block.expand(first, times)

    def training_values(
        self, columns: np.ndarray, numbers: np.ndarray
    ) -> np.ndarray:
        """Return the largest training value of each column that is not above a number."""
        found = np.empty(len(numbers))
        for a in np.unique(columns).tolist():
            here = columns == a
            values = self._values[a]
            found[here] = values[values.searchsorted(numbers[here], side="right") - 1]
        return found


def _moments(above, each):
    """Return the weight, the mean and the squared error of some numbers."""
    mean = np.average(above, weights=each)
    return np.array([each.sum(), mean, (each * (above - mean) ** 2).sum()])


# --- sorted columns -------------------------------------------------------------------------------


class SortedColumns:
    """Columns that are cut, kept by node, and by value inside a node.

    Attributes
    ----------
    columns : array [b] of their positions.
    order : array [b, k] of parts; of columns with unknown values [1, r], one column after another.
    value : array of the same shape, their values.
    line : array [r], which of the columns each entry is of; None if all values are known.
    """

    def __init__(self, columns, order, value, line=None):
        self.columns, self.order, self.value, self.line = columns, order, value, line

    @classmethod
    def blocks(cls, columns: dict[int, np.ndarray], n: int) -> list["SortedColumns"]:
        """Return the columns, given by position, in blocks."""
        alike: dict[object, list[int]] = {}
        for a, column in columns.items():
            is_complete = not unknown(column).any()
            alike.setdefault((column.dtype.kind, is_complete), []).append(a)
        width = max(1, _BLOCK // max(1, n))
        blocks = [
            (is_complete, some[first : first + width])
            for (_, is_complete), some in alike.items()
            for first in range(0, len(some), width)
        ]
        return in_threads(lambda block: cls._of(columns, *block), blocks, n * len(columns))

    @classmethod
    def _of(cls, columns, is_complete, block):
        value = np.array([columns[a] for a in block])
        order = np.argsort(value).astype(np.int32)  # of equal values, any order will do
        value = np.take_along_axis(value, order, axis=1)
        if is_complete:
            return cls(np.array(block), order, value)
        known = ~unknown(value)
        line = np.nonzero(known)[0]
        return cls(np.array(block), order[known][None], value[known][None], line)

    @classmethod
    def joined(cls, blocks: list["SortedColumns"], n_parts: int) -> list["SortedColumns"]:
        """Return the columns in fewer blocks, where they have become short."""
        width, joined = _BLOCK // max(1, n_parts), []
        alike: dict[object, list[SortedColumns]] = {}
        for block in blocks:
            if 2 * len(block.columns) <= width:
                alike.setdefault((block.value.dtype, block.line is None), []).append(block)
            else:
                joined.append(block)
        for some in alike.values():
            together = max(1, width // max(len(block.columns) for block in some))
            for first in range(0, len(some), together):
                few = some[first : first + together]
                joined.append(cls._one(few) if len(few) > 1 else few[0])
        return joined

    @classmethod
    def _one(cls, blocks):
        is_complete = blocks[0].line is None
        columns = np.concatenate([block.columns for block in blocks])
        axis = 0 if is_complete else 1
        order = np.concatenate([block.order for block in blocks], axis=axis)
        value = np.concatenate([block.value for block in blocks], axis=axis)
        if is_complete:
            return cls(columns, order, value)
        begin = np.cumsum([0, *(len(block.columns) for block in blocks)])
        lines = [block.line + first for block, first in zip(blocks, begin, strict=False)]
        return cls(columns, order, value, np.concatenate(lines))

    def values(self) -> dict[int, np.ndarray]:
        """Return the sorted values of each column, by position, while the cases are at the root."""
        if self.line is None:
            return dict(zip(self.columns.tolist(), self.value, strict=True))
        ends = np.searchsorted(self.line, np.arange(1, len(self.columns)))
        return dict(zip(self.columns.tolist(), np.split(self.value[0], ends), strict=True))

    def part(self, branch: np.ndarray, n_branches: int) -> None:
        """Put parts of branch 1 first, then those of branch 2, ...; those of branch 0 are gone."""
        branch = branch.take(self.order)
        if self.line is None:
            moved = parted(branch, n_branches)
        else:
            goes = np.flatnonzero(branch[0])
            key = self.line.take(goes) * n_branches + branch[0].take(goes)
            moved = goes.take(stable_order(key))[None]
            self.line = self.line.take(moved[0])
        self.order, self.value = self.order.take(moved), self.value.take(moved)

    def expand(self, first: np.ndarray, times: np.ndarray) -> None:
        """Go over to new parts, so many times for each old one, from the first on."""
        often = times.take(self.order)
        if self.line is not None:
            self.line = np.repeat(self.line, often[0])
        self.value = np.stack(list(map(np.repeat, self.value, often)))
        self.order = np.stack([expanded(order, first, times) for order in self.order])

    def table(self, counter: MemoryCounter, answers: Answers) -> Table | None:
        """Return a table with a row for each part; None if there is none."""
        order, value, m = self.order, self.value, len(counter.size)
        times = counter.cases.times
        is_counted = answers.weight is None and times is None
        if self.line is None and is_counted:
            groups, node, column = counter.groups, np.arange(m)[None], self.columns[:, None]
        else:
            line = self.line
            if line is None:
                line = np.repeat(np.arange(len(self.columns)), order.shape[1])
            order, value = order.reshape(1, -1), value.reshape(1, -1)
            size = np.bincount(line * m + counter.node_of(order[0]), minlength=1)
            there = np.flatnonzero(size)
            number = None if times is None else times.take(counter.case_of(order[0]))
            groups = Groups(size[there], weights_at(answers.weight, order[0]), number)
            node, column = (there % m)[None], self.columns[there // m][None]
        if not value.size:
            return None
        if answers.codes is None:
            amount = answers.amount.take(order)
            return Table(groups, node, column, value, lambda k: amount, 1)
        codes = answers.codes.take(order)
        if answers.weight is None:
            amounts = lambda k: codes == k if times is None else (codes == k) * number
        else:
            weight = answers.weight.take(order)
            amounts = lambda k: (codes == k) * weight
        return Table(
            groups, node, column, value, amounts, answers.n_classes, codes, is_counted
        )


# --- dense tables ---------------------------------------------------------------------------------


class DenseColumns:
    """Several columns of codes, whose tables are made as one array [node, column, value, class].

    Shorter columns are filled up with empty values, which change no measure. Unknown values, if
    there are any, have a last value of their own.

    Attributes
    ----------
    columns : array [a] of their positions.
    n_values : V, the number of values of the longest.
    has_unknown : whether any value is unknown.
    cell : array [n, a], the value of each case, counted through the columns.
    values : array [a, V], the numbers that the codes stand for; None for levels.
    """

    def __init__(self, columns, codes, n_values, values=None):
        self.columns, self.n_values, self.values = np.array(columns), n_values, values
        self.has_unknown = any(column.min(initial=0) < 0 for column in codes)
        n_cells = len(columns) * self.n_rows
        cell = np.array(codes, dtype=np.min_scalar_type(-1 - n_cells))
        cell[cell < 0] = n_values
        cell += np.arange(0, n_cells, self.n_rows, dtype=cell.dtype)[:, None]
        self.cell = np.ascontiguousarray(cell.T)

    @classmethod
    def of_values(cls, columns: dict[int, np.ndarray], known: list[np.ndarray]) -> "DenseColumns":
        """Return columns that are cut, coded by their known values, in order."""
        n_values = max(map(len, known))
        codes = [
            np.where(unknown(column), -1, np.searchsorted(values, column))
            for column, values in zip(columns.values(), known, strict=True)
        ]
        filled = [np.pad(values, (0, n_values - len(values)), mode="edge") for values in known]
        return cls(list(columns), codes, n_values, np.stack(filled))

    @property
    def n_rows(self) -> int:
        """How many rows each column has, the one of the unknown values included."""
        return self.n_values + self.has_unknown

    def is_worth_it(self, n_nodes: int, n_parts: int, n_classes: int) -> bool:
        """Whether the tables of so many nodes cost less than sorting the parts."""
        n_cells = n_nodes * self.n_rows * n_classes
        is_small = n_cells * len(self.columns) <= _MOST_CELLS
        return n_cells <= n_parts * (_CELLS_A_PART if is_small else 1)

    def tables(
        self,
        counter: MemoryCounter,
        codes: np.ndarray | None,
        n_codes: int,
        amounts: Sequence[np.ndarray | None],
    ) -> Iterator[tuple[int, list[np.ndarray]]]:
        """Yield the first of some open nodes, and a table [nodes, a, rows, K] for every amount.

        Parameters
        ----------
        counter : the parts, node by node.
        codes : array [p] over the parts, such as their classes, of ``n_codes`` values; or None.
        amounts : arrays [p], what is added up; None to count.
        """
        shape = len(self.columns), self.n_rows, n_codes
        size, m = int(np.prod(shape)), len(counter.size)
        step = max(1, _MOST_CELLS_A_PASS // max(1, size))
        ends = np.append(0, np.cumsum(counter.size))
        for first in range(0, m, step):
            some = slice(ends[first], ends[min(first + step, m)])
            parts = counter.parts[some]
            cell = self.cell.take(counter.case_of(parts), axis=0)
            cell = np.multiply(cell, n_codes, dtype=np.intp)
            offset = (counter.node[some] - first) * size
            if codes is not None:
                offset += codes.take(parts)
            cell += offset[:, None]
            n_nodes = min(step, m - first)
            tables = []
            for amount in amounts:
                if amount is not None:
                    amount = np.repeat(amount.take(parts), len(self.columns))
                table = np.bincount(cell.ravel(), amount, n_nodes * size)
                tables.append(table.reshape(n_nodes, *shape))
            yield first, tables

    def sorted(self, counter: MemoryCounter) -> list[SortedColumns]:
        """Return the columns sorted in the open nodes."""
        parts, n_values = counter.parts, self.n_values
        case, found = counter.case_of(parts), []
        for i, column in enumerate(self.columns):
            code = self.cell[:, i].take(case) - i * self.n_rows
            known = np.flatnonzero(code < n_values)
            code, node = code.take(known), counter.node.take(known)
            order = stable_order(node * n_values + code)
            part, value = parts.take(known.take(order)), self.values[i].take(code.take(order))
            line = None if len(known) == len(parts) else np.zeros(len(known), dtype=np.intp)
            part = part[None].astype(np.int32)
            found.append(SortedColumns(np.array([column]), part, value[None], line))
        return found

    def table(self, counter: MemoryCounter, answers: Answers) -> Table | None:
        """Return a table with a row for each value that occurs in a node; None if there is none."""
        for rows in self.rows(counter, answers):
            return rows.table() if len(rows.value) else None
        return None

    def rows(self, counter: MemoryCounter, answers: Answers) -> Iterator[Rows]:
        """Yield a row for each value that occurs in a node."""
        times = counter.cases.times
        times = None if times is None else times.take(counter.case_of(np.arange(counter.n_parts)))
        amounts = [times]
        if answers.codes is None:
            amounts += [answers.weight] * (answers.weight is not None) + [answers.amount]
        elif answers.weight is not None:
            amounts.append(answers.weight)
        n_cells = len(counter.size) * self.n_rows * answers.n_classes
        if self.values is None and n_cells > 2 * _CELLS_A_PART * len(counter.parts):
            yield from self._sparse_rows(counter, answers, amounts)
            return
        for first, tables in self.tables(counter, answers.codes, answers.n_classes, amounts):
            tables = [
                table[:, :, : self.n_values].reshape(-1, answers.n_classes) for table in tables
            ]
            row = np.flatnonzero(tables[0].any(axis=1))
            pair, value = np.divmod(row, self.n_values)
            pair += first * len(self.columns)
            yield self._rows(pair, value, [table[row] for table in tables], answers)

    def _sparse_rows(self, counter, answers, amounts):
        """Yield the same where most cells are empty, by sorting what is there."""
        n_classes, n_columns = answers.n_classes, len(self.columns)
        step = max(1, _MOST_CELLS_A_PASS // (16 * max(1, len(counter.parts))))
        code = 0 if answers.codes is None else answers.codes.take(counter.parts).astype(np.intp)
        case = counter.case_of(counter.parts)
        for first in range(0, n_columns, step):
            columns = np.arange(first, min(first + step, n_columns))
            value = self.cell[:, columns].take(case, axis=0) - columns * self.n_rows
            known = np.flatnonzero(value < self.n_values)
            pair = counter.node[:, None] * n_columns + columns
            cell = (pair * self.n_values + value).ravel().take(known)
            row, at = np.unique(cell, return_inverse=True)
            part = known // len(columns)
            at = at * n_classes + (code if np.isscalar(code) else code.take(part))
            tables = [
                np.bincount(
                    at,
                    weights_at(amount, counter.parts.take(part)),
                    len(row) * n_classes,
                ).reshape(-1, n_classes)
                for amount in amounts
            ]
            pair, value = np.divmod(row, self.n_values)
            yield self._rows(pair, value, tables, answers)

    def _rows(self, pair, value, tables, answers):
        """Return `Rows` of (node and column, value), in order, with what the tables hold."""
        begins = np.ones(len(pair), dtype=bool)
        begins[1:] = pair[1:] != pair[:-1]
        first = np.flatnonzero(begins)
        node, column = np.divmod(pair[first], len(self.columns))
        if self.values is not None:
            value = self.values[pair % len(self.columns), value]
        size = np.diff(first, append=len(pair))
        tables = [np.ascontiguousarray(table.T) for table in tables]
        if answers.codes is None:
            held = Sums(tables[0], tables[-2][0], tables[-1])
        else:
            held = Sums.of(*tables)
        return Rows(node, self.columns[column], size, value, held)


# --- ranges ---------------------------------------------------------------------------------------


class RangedColumn:
    """A column of very many numbers, of which only ranges are counted.

    Attributes
    ----------
    column : its position.
    codes : array [n], the number of the range of each case; `_RANGES` if its value is unknown.
    """

    def __init__(self, column: int, value: np.ndarray):
        self.column = column
        known = np.sort(value[:: max(1, len(value) // _SAMPLE_OF_RANGES)])
        known = known[~np.isnan(known)]
        # Equally wide bins, fine enough, lead by a look-up to ranges that hold about as many cases.
        edges = np.unique(known[np.linspace(0, len(known) - 1, _RANGES).astype(np.intp)])[:-1]
        low, high = (known[0], known[-1]) if len(known) else (0.0, 0.0)
        number = equal_ranges(value, low, high, _BINS)
        range_of_bin = np.zeros(_BINS + 1, dtype=np.uint8)
        range_of_bin[equal_ranges(edges, low, high, _BINS) + 1] = 1
        range_of_bin = np.minimum(np.cumsum(range_of_bin), _RANGES - 1).astype(np.uint8)
        self.codes = range_of_bin.take(number)
        self.codes[np.isnan(value)] = _CODES - 1

    def code(self, counter: MemoryCounter, parts: np.ndarray) -> np.ndarray:
        """Return the number of the range of each of some parts, as wide as they are now."""
        return self.codes.take(counter.case_of(parts)) >> counter.shift

    def table(self, counter: MemoryCounter, answers: Answers) -> Table | None:
        """Return a table with a row for each range that occurs in a node."""
        n_codes, n_ranges = _CODES >> counter.shift, _RANGES >> counter.shift
        self._here = self.code(counter, counter.parts)
        cell = counter.cells + self._here
        shape = len(counter.size), answers.n_classes, n_codes

        def by_class(weight):
            found = np.bincount(cell, weight, int(np.prod(shape))).reshape(shape)
            found = np.moveaxis(found[:, :, :n_ranges], 1, 0)
            return np.ascontiguousarray(found).reshape(answers.n_classes, -1)

        held = Sums.of(by_class(None))
        if answers.weight is not None:
            held = Sums.of(held.number, by_class(answers.weight.take(counter.parts)))
        cases = held.cases
        row = np.flatnonzero(cases)
        if not len(row):
            return None
        if len(row) < len(cases):
            held, cases = held.take(row), cases[row]
        node, value = np.divmod(row, n_ranges)
        size = np.bincount(node, minlength=shape[0])
        there, value = np.flatnonzero(size), value.astype(np.float32)
        column = np.full(len(there), self.column)
        high = value + np.float32(0.5) * (cases > 1)
        return Rows(
            there, column, size[there], value, held, high=high, is_coded=True
        ).table()

    def inside(
        self, counter: MemoryCounter, answers: Answers, rows: Rows, inside: np.ndarray
    ) -> Table:
        """Return a table of the values in some ranges.

        Parameters
        ----------
        rows : the ranges in the open nodes.
        inside : array [r], which of them are meant.
        """
        n_codes, m = _CODES >> counter.shift, len(counter.size)
        node = np.repeat(rows.node, rows.size)[inside]
        is_meant = np.zeros((m, n_codes), dtype=bool)
        is_meant[node, rows.value[inside].astype(np.intp)] = True
        if 2 * counter.size[is_meant.any(axis=1)].sum() < len(counter.parts):
            here = np.flatnonzero(is_meant.any(axis=1).take(counter.node))
            cell = counter.node.take(here) * n_codes + self._here.take(here)
            some = np.flatnonzero(is_meant.take(cell))
            here, cell = here.take(some), cell.take(some)
        else:
            cell = counter.node * n_codes + self._here
            here = np.flatnonzero(is_meant.take(cell))
            cell = cell.take(here)
        parts = counter.parts.take(here)
        value = counter.cases.columns[self.column].take(counter.case_of(parts))
        order = np.argsort(value)
        order = order.take(stable_order(counter.node.take(here.take(order))))
        parts, cell, value = parts.take(order), cell.take(order), value.take(order)
        begins, new_cell = np.ones((2, len(cell)), dtype=bool)
        new_cell[1:] = cell[1:] != cell[:-1]
        begins[1:] = new_cell[1:] | (value[1:] != value[:-1])
        first = np.flatnonzero(begins)
        row, codes = np.cumsum(begins) - 1, answers.codes.take(parts).astype(np.intp)
        shape = answers.n_classes, len(first)
        held = Sums.of(np.bincount(codes * shape[1] + row, minlength=np.prod(shape)).reshape(shape))
        if answers.weight is not None:
            held = Sums.of(held.number, count((codes, row), shape, answers.weight.take(parts)))
        size = np.diff(np.flatnonzero(new_cell[first]), append=len(first))
        # What lies before each range in its node, and what the node holds.
        group = np.repeat(np.arange(len(rows.size)), rows.size)[inside]
        column = np.full(len(size), self.column)
        before = _before(rows).take(np.flatnonzero(inside))
        total = rows.held.added_up(rows.first).take(group)
        return Rows(
            node, column, size, value[first], held, None, None, before, total, rows.value[inside]
        ).table()


def _before(rows):
    """Return the sums of what lies before each row in its group."""

    def before(amount):
        upto = np.cumsum(amount, axis=1) - amount
        return upto - np.repeat(upto[:, rows.first], rows.size, axis=1)

    number = before(rows.held.number)
    return Sums.of(number, None if rows.held.is_counted else before(rows.held.sums))


def _shift(n_cells, n_parts):
    """Return by how many bits ranges are coarser, so that cells are few beside parts; or None."""
    for shift in range(_HALVINGS + 1):
        if 2 * n_cells * (_CODES >> shift) <= n_parts:
            return shift
    return None


# --- helpers --------------------------------------------------------------------------------------


def _few_values(columns, n_classes):
    """Return the values of the columns that have few for their cases, in order, by position."""
    few = {}
    for a, column in columns.items():
        most = len(column) // (_CASES_A_CELL * n_classes)
        sample = column[:_SAMPLE]
        if most > 1 and len(np.unique(sample)) <= min(most, len(sample) // 2):
            known = np.unique(column[~unknown(column)])
            if 0 < len(known) <= most:
                few[a] = known
    return few


def _alike(n_values, columns=None):
    """Return columns with about as many values together: filling up costs at most eightfold."""
    alike: dict[object, list[int]] = {}
    for a, number in n_values.items():
        kind = columns[a].dtype.kind if columns else ""
        bits = (max(number, 1) - 1).bit_length()
        alike.setdefault((kind, (bits + 2) // 3), []).append(a)  # 1, 8, 64, ... values
    return list(alike.values())


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


def in_threads(
    work: Callable[[Task], Done], tasks: Sequence[Task], cells: int
) -> list[Done]:
    """Do every task, in threads where they have cells enough: as many as OMP_NUM_THREADS allows."""
    n_threads = min(joblib.cpu_count(), int(os.environ.get("OMP_NUM_THREADS") or 2**10))
    if cells < _WORTH_THREADS or len(tasks) < 2 or n_threads < 2:
        return list(map(work, tasks))
    with ThreadPoolExecutor(n_threads) as threads:
        return list(threads.map(work, tasks))

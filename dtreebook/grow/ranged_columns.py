"""Columns of very many numbers, counted by ranges: see `dtreebook.grow.ranges`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dtreebook.data.cases import count
from dtreebook.grow.counter import Answers
from dtreebook.grow.parts import Parts
from dtreebook.grow.ranges import Doubtful, equal_ranges
from dtreebook.grow.sorted_columns import SortedColumns
from dtreebook.grow.tables import Rows, Sums, Table, stable_order

# With so many cases columns of many numbers are counted by ranges, of which there are so many at
# most, while each node and class has so many cases. The last code is for unknown values.
MANY_CASES, MANY_A_NODE = 2**18, 2**8
RANGES, CODES = 240, 256

# About so many cases are looked into at a time: sorting them takes a hundred bytes each.
CASES_INSIDE = 2**14

# Values are first told apart by so many bins, whose ranges are found by a sample of so many values.
_BINS = 4096
_SAMPLE_OF_RANGES = 2**14

# Tables are kept for the next level while they have so few cells for each case: a byte a value.
CELLS_A_CASE = 1 / 4


def pieces(ranges: Doubtful, level: Parts) -> Iterator[Doubtful]:
    """Yield ranges that are looked into together, all that a node has in one piece."""
    held = np.cumsum(level.size.take(ranges.node)) // RANGES
    piece = held.take(ranges.node.searchsorted(ranges.node)) // CASES_INSIDE
    for one in np.unique(piece).tolist():
        yield ranges.take(np.flatnonzero(piece == one))


class Counted(NamedTuple):
    """What is counted in a level: of two children of a node only one where the other has the rest.

    Whole numbers are subtracted without rounding; weights are all added up.
    """

    parts: np.ndarray  #: array [c] of those that are counted
    cell: np.ndarray  #: array [c], where the ranges of its class and node begin
    #: arrays [q]: nodes above, whose tables were kept, one open child of each, and the other one.
    above: np.ndarray
    child: np.ndarray
    rest: np.ndarray
    is_kept: bool  #: whether the next level wants the tables

    @classmethod
    def of(
        cls,
        level: Parts,
        answers: Answers,
        children: tuple[np.ndarray, np.ndarray, np.ndarray],
        last: "Counted | None",
    ) -> "Counted":
        """Return what to count, given nodes above, their smaller and their larger children."""
        is_whole, n_nodes = answers.weight is None, len(level.size)
        if last is None or not last.is_kept or not is_whole:
            none = np.zeros(0, dtype=np.intp)
            children = none, none, none
        parts, node = level.parts, level.node
        if len(children[0]):
            is_counted = np.ones(n_nodes, dtype=bool)
            is_counted[children[2]] = False
            there = np.flatnonzero(np.repeat(is_counted, level.size))
            parts, node = parts.take(there), node.take(there)
        assert answers.codes is not None, "ranges are of classes"
        cell = (answers.codes.take(parts).astype(np.intp) * n_nodes + node) * CODES
        n_cells = answers.n_classes * n_nodes * CODES
        return cls(parts, cell, *children, is_whole and n_cells <= CELLS_A_CASE * len(level.parts))


class RangedColumn:
    """A column of very many numbers, of which only ranges are counted.

    Attributes
    ----------
    column : its position.
    codes : array [n], the number of the range of each case; `CODES` - 1 if its value is unknown.
    """

    def __init__(self, column: int, value: np.ndarray):
        self.column = column
        known = np.sort(value[:: max(1, len(value) // _SAMPLE_OF_RANGES)])
        known = known[~np.isnan(known)]
        # Equally wide bins, fine enough, lead by a look-up to ranges that hold about as many cases.
        edges = np.unique(known[np.linspace(0, len(known) - 1, RANGES).astype(np.intp)])[:-1]
        low, high = (known[0], known[-1]) if len(known) else (0.0, 0.0)
        number = equal_ranges(value, low, high, _BINS)
        range_of_bin = np.zeros(_BINS + 1, dtype=np.uint8)
        range_of_bin[equal_ranges(edges, low, high, _BINS) + 1] = 1
        range_of_bin = np.minimum(np.cumsum(range_of_bin), RANGES - 1).astype(np.uint8)
        self.codes = range_of_bin.take(number)
        self.codes[np.isnan(value)] = CODES - 1
        self._value, self._kept = value, np.zeros((0, 0, CODES), dtype=np.int32)

    def sorted(self, level: Parts) -> SortedColumns:
        """Return the column sorted in the open nodes."""
        value = self._value[level.case_of(level.parts)]
        known = np.flatnonzero(~np.isnan(value))
        order = known.take(np.argsort(value.take(known)))
        order = order.take(stable_order(level.node.take(order)))
        return SortedColumns.in_nodes(self.column, value, order, level)

    def table(self, level: Parts, answers: Answers, counted: Counted) -> Table | None:
        """Return a table with a row for each range that occurs in a node."""
        cell = counted.cell + self.codes.take(level.case_of(counted.parts))
        n_classes, n_nodes = answers.n_classes, len(level.size)

        def by_class(weight):
            found = np.bincount(cell, weight, n_classes * n_nodes * CODES)
            found[CODES - 1 :: CODES] = 0  # of unknown values
            return found.reshape(n_classes, n_nodes, CODES)

        number = by_class(None)
        if len(counted.above):
            child = number.take(counted.child, axis=1)
            number[:, counted.rest] = self._kept.take(counted.above, axis=1) - child
        self._kept = (number if counted.is_kept else number[:, :0]).astype(np.int32)
        held = Sums.of(number.reshape(n_classes, -1))
        if answers.weight is not None:
            weight = by_class(answers.weight.take(counted.parts)).reshape(n_classes, -1)
            held = Sums.of(held.number, weight)
        row = np.flatnonzero(held.cases)
        if not len(row):
            return None
        held = held.take(row)
        node, value = np.divmod(row, CODES)
        size = np.bincount(node, minlength=n_nodes)
        there, value = np.flatnonzero(size), value.astype(np.float32)
        column = np.full(len(there), self.column)
        high = value + np.float32(0.5) * (held.cases > 1)
        return Rows(there, column, size[there], value, held, high=high, is_coded=True).table()

    def inside(self, level: Parts, answers: Answers, ranges: Doubtful) -> Table:
        """Return a table of the values in some ranges."""
        is_meant = np.zeros((len(level.size), CODES), dtype=bool)
        is_meant[ranges.node, ranges.low.astype(np.intp)] = True
        nodes, found = np.unique(ranges.node), []
        for i in nodes.tolist():
            parts = level.at(i)
            codes = self.codes.take(level.case_of(parts))
            found.append(parts.take(np.flatnonzero(is_meant[i].take(codes))))
        parts, node = np.concatenate(found), np.repeat(nodes, list(map(len, found)))
        value = self._value[level.case_of(parts)]  # where it lies: `take` would copy the column
        order = np.argsort(value)
        order = order.take(stable_order(node.take(order)))
        parts, value = parts.take(order), value.take(order)
        cell = node * CODES + self.codes.take(level.case_of(parts))
        begins, new_cell = np.ones((2, len(cell)), dtype=bool)
        new_cell[1:] = cell[1:] != cell[:-1]
        begins[1:] = new_cell[1:] | (value[1:] != value[:-1])
        first = np.flatnonzero(begins)
        assert answers.codes is not None, "ranges are of classes"
        row, codes = np.cumsum(begins) - 1, answers.codes.take(parts).astype(np.intp)
        shape = answers.n_classes, len(first)
        held = Sums.of(np.bincount(codes * shape[1] + row, minlength=np.prod(shape)).reshape(shape))
        if answers.weight is not None:
            held = Sums.of(held.number, count((codes, row), shape, answers.weight.take(parts)))
        size = np.diff(np.flatnonzero(new_cell[first]), append=len(first))
        column, value = np.full(len(size), self.column), value[first]
        around = ranges.before, ranges.total, ranges.low
        return Rows(ranges.node, column, size, value, held, None, None, *around).table()

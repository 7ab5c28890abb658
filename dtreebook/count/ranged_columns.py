"""Columns of very many numbers, counted by ranges: see `dtreebook.count.ranges`."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from dtreebook.count.counter import Answers
from dtreebook.count.parts import Parts, in_threads
from dtreebook.count.ranges import Doubtful, equal_ranges
from dtreebook.count.sorted_columns import SortedColumns
from dtreebook.count.tables import Rows, Sums, Table, stable_order
from dtreebook.data.cases import count

# With so many cases columns of many numbers are counted by ranges, of which there are so many at
# most, while each node and class has so many cases. The last code is for unknown values.
MANY_CASES, MANY_A_NODE = 2**18, 2**8
RANGES, CODES = 240, 256

# About so many cases are looked into at a time: sorting them takes a hundred bytes each.
CASES_INSIDE = 2**15

# Values are first told apart by so many bins, whose ranges are found by a sample of so many values.
_BINS = 4096
_SAMPLE_OF_RANGES = 2**14

# Ranges are scored while the tables of so many cells are at hand in the cache.
_CELLS_AT_ONCE = 2**18

# Rows are coded so many at a time, which the cache holds: their values may stand side by side.
_ROWS_AT_ONCE = 2**13

# Tables are kept for the next level while they have so few cells a case: about a byte a value.
CELLS_A_CASE = 1 / 2


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
        if np.isnan(known[0]):  # values stand between those, or there is none
            known = np.sort(np.append(0.0, value[~np.isnan(value)][:_SAMPLE_OF_RANGES]))
        known = known[~np.isnan(known)]
        # Equally wide bins, fine enough, lead by a look-up to ranges that hold about as many cases.
        edges = np.unique(known[np.linspace(0, len(known) - 1, RANGES).astype(np.intp)])[:-1]
        self._low, self._high = map(float, known[[0, -1]])
        begins = np.zeros(_BINS + 1, dtype=np.intp)
        begins[equal_ranges(edges, self._low, self._high, _BINS) + 1] = 1
        self._range_of_bin = np.minimum(np.cumsum(begins), RANGES - 1).astype(np.uint8)
        self._range_of_bin[_BINS] = CODES - 1  # of unknown values
        self.codes = np.empty(len(value), dtype=np.uint8)
        self._value, self._kept = value, np.zeros((0, 0, CODES), dtype=np.int32)

    @classmethod
    def of_values(cls, columns: dict[int, np.ndarray], n: int) -> dict[int, "RangedColumn"]:
        """Return the columns of n rows, by position."""
        ranged = {a: cls(a, column) for a, column in columns.items()}

        def encode(first):
            some = slice(first, first + _ROWS_AT_ONCE)
            for column in ranged.values():
                value = column._value[some]
                number = equal_ranges(value, column._low, column._high, _BINS)
                number[np.isnan(value)] = _BINS
                column.codes[some] = column._range_of_bin.take(number)

        in_threads(encode, range(0, n, _ROWS_AT_ONCE), n * len(columns))
        return ranged

    def sorted(self, level: Parts) -> SortedColumns:
        """Return the column sorted in the open nodes."""
        value = self._value[level.case_of(level.parts)]
        known = np.flatnonzero(~np.isnan(value))
        order = known.take(np.argsort(value.take(known)))
        order = order.take(stable_order(level.node.take(order)))
        return SortedColumns.in_nodes(self.column, value, order, level)

    def tables(self, level: Parts, answers: Answers, counted: Counted) -> Iterator[Table]:
        """Yield a table with a row for each range that occurs in a node."""
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
        kept = number if counted.is_kept else number[:, :0]
        self._kept = kept.astype(np.min_scalar_type(level.size.max()))
        amounts = [number]
        if answers.weight is not None:
            amounts.append(by_class(answers.weight.take(counted.parts)))
        step = max(1, _CELLS_AT_ONCE // (n_classes * CODES))
        for first in range(0, n_nodes, step):
            some = (amount[:, first : first + step] for amount in amounts)
            held = Sums.of(*(amount.reshape(n_classes, -1) for amount in some))
            row = np.flatnonzero(held.cases > 0)
            held, node = held.take(row), row // CODES
            value, size = (row - node * CODES).astype(np.float32), np.bincount(node)
            there = np.flatnonzero(size)
            ends = first + there, np.full(len(there), self.column), size[there]
            high = value + np.float32(0.5) * (held.cases > 1)
            if len(row):
                yield Rows(*ends, value, held, high, is_coded=True).table()

    def inside(self, level: Parts, answers: Answers, ranges: Doubtful) -> Iterator[Table]:
        """Yield tables of the values in some ranges; all ranges of a node are in one of them."""
        held = np.cumsum(ranges.cases).take(ranges.node.searchsorted(ranges.node))
        piece = held // CASES_INSIDE
        for one in np.unique(piece).tolist():
            yield self._inside(level, answers, ranges.take(np.flatnonzero(piece == one)))

    def _inside(self, level, answers, ranges):
        """Return the table of the values in some ranges."""
        nodes, place = np.unique(ranges.node, return_inverse=True)
        is_meant, found = np.zeros((len(nodes), CODES), dtype=bool), []
        is_meant[place, ranges.low.astype(np.intp)] = True
        for node, codes in zip(nodes.tolist(), is_meant, strict=True):
            parts = level.at(node)
            found.append(parts[codes.take(self.codes.take(level.case_of(parts)))])
        parts, node = np.concatenate(found), np.repeat(nodes, list(map(len, found)))
        value = self._value[level.case_of(parts)]  # where it lies: `take` would copy the column
        order = np.argsort(value)
        order = order.take(stable_order(node.take(order)))
        parts, value = parts.take(order), value.take(order)
        begins = np.append(True, value[1:] != value[:-1])
        begins[np.cumsum(ranges.cases)[:-1]] = True
        first = np.flatnonzero(begins)
        assert answers.codes is not None, "ranges are of classes"
        row, codes = np.cumsum(begins) - 1, answers.codes.take(parts).astype(np.intp)
        shape = answers.n_classes, len(first)
        held = Sums.of(np.bincount(codes * shape[1] + row, minlength=np.prod(shape)).reshape(shape))
        if answers.weight is not None:
            held = Sums.of(held.number, count((codes, row), shape, answers.weight.take(parts)))
        size = np.add.reduceat(begins, np.cumsum(ranges.cases) - ranges.cases, dtype=np.intp)
        column, value = np.full(len(size), self.column), value[first]
        around = ranges.before, ranges.total, ranges.low
        return Rows(ranges.node, column, size, value, held, None, None, *around).table()

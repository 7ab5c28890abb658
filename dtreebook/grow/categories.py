"""Nominal columns: their tables of weights by value and class, in every open node of a level.

The literature calls such a table the AVC-set (attribute, value, class), and those of a node its
AVC-group (Gehrke et al. 2000).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dtreebook.data.cases import Cases

if TYPE_CHECKING:
    from dtreebook.grow.frontier import ArrayFrontier

# The most cells that the tables of one pass may have; more nodes are taken in several passes.
MAX_CELLS = 2**24

# A table may have so many cells for each case; a larger one would be empty for the most part.
MOST_CELLS = 8


class PresentTables(NamedTuple):
    """The tables of q pairs of a node and a column, of the values alone that are there.

    Attributes
    ----------
    node : array [q], among the open ones.
    column : array [q], the place of the column in the group.
    value : array [q, v], the values; -1 where a pair has fewer.
    tables : arrays [q, v, c], one for each amount that is added up. Where tables of all values and
        codes would be mostly empty, the c codes are the present ones of each pair.
    """

    node: np.ndarray
    column: np.ndarray
    value: np.ndarray
    tables: list[np.ndarray]


class CategoryTables:
    """Several nominal columns, whose tables are made as one array [column, value, ...].

    Shorter columns are filled up with empty values, which change no measure. Unknown values, if
    there are any, have a last value of their own.

    Attributes
    ----------
    columns : array [a] of their positions.
    n_values : V, the number of values of the longest.
    has_unknown : whether any value is unknown.
    cell : array [n, a], the value of each case, counted through the columns.
    """

    def __init__(self, columns: np.ndarray, codes: Sequence[np.ndarray], n_values: int):
        self.columns, self.n_values = columns, n_values
        self.has_unknown = any(column.min(initial=0) < 0 for column in codes)
        n_cells = len(columns) * self.n_rows
        cell = np.array(codes, dtype=np.min_scalar_type(-1 - n_cells))
        cell[cell < 0] = n_values
        cell += np.arange(0, n_cells, self.n_rows, dtype=cell.dtype)[:, None]
        self.cell = np.ascontiguousarray(cell.T)

    @classmethod
    def group(cls, cases: Cases, columns: list[int]) -> list["CategoryTables"]:
        """Return nominal columns by size, so that filling up costs at most eightfold."""
        alike: dict[int, list[int]] = {}
        for a in columns:
            most = max(len(cases.attributes[a].levels), 1) - 1
            up_to = (most.bit_length() + 2) // 3  # 1, 8, 64, ... values
            alike.setdefault(up_to, []).append(a)
        return [
            cls(
                np.array(some),
                [cases.columns[a] for a in some],
                max(len(cases.attributes[a].levels) for a in some),
            )
            for some in alike.values()
        ]

    @property
    def n_rows(self) -> int:
        """How many rows each column has, the one of the unknown values included."""
        return self.n_values + self.has_unknown

    def tables(
        self,
        frontier: "ArrayFrontier",
        codes: np.ndarray | None = None,
        n_codes: int = 1,
        weight: np.ndarray | None = None,
    ) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the tables of the open nodes, as many nodes at a time as there is room for.

        Parameters
        ----------
        frontier : the cases, node by node.
        codes : array over the places in the nodes, such as their classes, of ``n_codes`` values.
        weight : array over these places, or None if each weighs 1.

        Yields
        ------
        the first of some nodes, and array [nodes, a, rows, n_codes]; of integers if each weighs 1.
        """
        shape = len(self.columns), self.n_rows, n_codes
        size, m = int(np.prod(shape)), len(frontier.size)
        step = max(1, MAX_CELLS // max(1, size))
        ends = np.append(0, np.cumsum(frontier.size))
        for first in range(0, m, step):
            some = slice(ends[first], ends[min(first + step, m)])
            cell = self.cell.take(frontier.cases_at(frontier.here[some]), axis=0)
            cell = np.multiply(cell, n_codes, dtype=np.intp)
            offset = (frontier.node[some] - first) * size
            cell += (offset if codes is None else offset + codes[some])[:, None]
            amount = None if weight is None else np.repeat(weight[some], len(self.columns))
            n_nodes = min(step, m - first)
            table = np.bincount(cell.ravel(), amount, n_nodes * size)
            yield first, table.reshape(n_nodes, *shape)

    def present(
        self,
        frontier: "ArrayFrontier",
        codes: np.ndarray | None,
        n_codes: int,
        amounts: Sequence[np.ndarray | None],
    ) -> Iterator[PresentTables]:
        """Yield the tables of the open nodes, so that none costs much more than its cases.

        Parameters
        ----------
        frontier, codes, n_codes : as for `tables`.
        amounts : what is added up, in a table for each: see the ``weight`` of `tables`.
        """
        if len(frontier.size) * self.n_rows * n_codes > MOST_CELLS * len(frontier.here):
            step = max(1, MAX_CELLS // (16 * len(frontier.here)))
            for first in range(0, len(self.columns), step):
                yield from self._sorted(frontier, codes, n_codes, amounts, first, first + step)
            return
        n_columns, value = len(self.columns), np.arange(self.n_values)
        each = [self.tables(frontier, codes, n_codes, amount) for amount in amounts]
        for same in zip(*each, strict=True):
            first, m = same[0][0], len(same[0][1])
            yield PresentTables(
                np.repeat(np.arange(first, first + m), n_columns),
                np.tile(np.arange(n_columns), m),
                np.broadcast_to(value, (m * n_columns, self.n_values)),
                [
                    table[:, :, : self.n_values].reshape(m * n_columns, self.n_values, n_codes)
                    for _, table in same
                ],
            )

    def _sorted(self, frontier, codes, n_codes, amounts, first, end):
        """Yield the tables of some columns, made by sorting what is there."""
        n_columns = len(self.columns[first:end])
        code = 0 if codes is None else codes.astype(np.intp)[:, None]
        value = self.cell[:, first:end].take(frontier.cases_at(frontier.here), axis=0)
        value = value - np.arange(first, first + n_columns) * self.n_rows
        known = np.flatnonzero(value < self.n_values)
        pair = frontier.node[:, None] * n_columns
        cell = ((pair + np.arange(n_columns)) * self.n_values + value) * n_codes + code
        # Every cell of the tables that has cases, in the order of pair, value and code.
        cell, at = np.unique(cell.take(known), return_inverse=True)
        weight = [None if a is None else a.take(known // n_columns) for a in amounts]
        filled = [np.bincount(at, each, len(cell)) for each in weight]
        row, code = np.divmod(cell, n_codes)
        pair, row = _numbered(row // self.n_values), _numbered(row)
        value_of = (cell // n_codes) % self.n_values
        code = np.unique(pair * n_codes + code, return_inverse=True)[1]
        row, n_rows = _within(row, pair)
        code, n_present = _within(code, pair)
        begin = np.flatnonzero(np.append(True, pair[1:] != pair[:-1])) if len(pair) else pair
        node, column = np.divmod(cell[begin] // (n_codes * self.n_values), n_columns)
        # Pairs of about one size go together, and are filled up with what is not there.
        n_rows, n_present = _rounded_up(n_rows), np.minimum(_rounded_up(n_present), n_codes)
        size = n_rows * (n_codes + 1) + n_present
        for some in np.unique(size).tolist():
            pairs, cells = np.flatnonzero(size == some), np.flatnonzero(size[pair] == some)
            where = np.searchsorted(pairs, pair[cells]), row[cells], code[cells]
            shape = len(pairs), n_rows[pairs[0]], n_present[pairs[0]]
            values, tables = np.full(shape[:2], -1), [np.zeros(shape) for _ in filled]
            values[where[:2]] = value_of[cells]
            for table, each in zip(tables, filled, strict=True):
                table[where] = each[cells]
            yield PresentTables(node[pairs], first + column[pairs], values, tables)


def _numbered(key):
    """Return the number of each key of a sorted array: equal ones have the same."""
    return np.cumsum(np.append(False, key[1:] != key[:-1]))[: len(key)]


def _within(number, pair):
    """Return numbers counted anew in each pair, and how many each pair has.

    Both are counted from 0 without a gap; the pairs are in order, and their numbers rise together.
    """
    n_pairs = int(pair.max(initial=-1)) + 1
    first, last = np.full(n_pairs, len(number)), np.zeros(n_pairs, dtype=np.intp)
    np.minimum.at(first, pair, number)
    np.maximum.at(last, pair, number)
    return number - first[pair], last - first + 1


def _rounded_up(number):
    """Return the next power of two, 4 at least."""
    return 2 ** np.ceil(np.log2(np.maximum(number, 4))).astype(np.intp)

"""Columns of few values: every cell (node, value, class) has a place in one array.

`numpy.bincount` adds up the cells of all cases of a level. That pays while nodes are large beside
their tables; then what is there is sorted instead.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dtreebook.count.counter import Answers
from dtreebook.count.parts import Parts
from dtreebook.count.sorted_columns import SortedColumns
from dtreebook.count.tables import Rows, Sums, stable_order
from dtreebook.data.cases import weights_at

# A dense table costs as much as sorting while it has so many cells for each part; but no more
# cells than these, which take room.
_CELLS_A_PART = 4
_MOST_CELLS = 2**22

# The most cells that dense tables of one pass may have; more nodes are taken in several passes.
_MOST_CELLS_A_PASS = 2**24

# A column has few values if there are so many cases for each cell of its table at the root.
_CASES_A_CELL = 8

# So few values of all columns are filled up without a thought.
_FEW_CELLS = 2**8

# So many of the first cases tell whether a column may have few values.
_SAMPLE = 1000


class DenseColumns:
    """Several columns of codes, whose tables are made as one array [node, column, value, class].

    Shorter columns are filled up with empty values, which change no measure. Unknown values, if
    there are any, have a last value of their own.

    Attributes
    ----------
    columns : array [a] of their positions.
    n_values : V, the number of values of the longest.
    n_rows : how many rows each column has, the one of the unknown values included.
    cell : array [n, a], the value of each case, counted through the columns.
    values : array [a, V], the numbers that the codes stand for; None for levels.
    """

    def __init__(self, columns, codes, n_values, values=None):
        self.columns, self.n_values, self.values = np.array(columns), n_values, values
        self.n_rows = n_values + any(column.min(initial=0) < 0 for column in codes)
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
            np.where(np.isnan(column), -1, np.searchsorted(values, column))
            for column, values in zip(columns.values(), known, strict=True)
        ]
        filled = [np.pad(values, (0, n_values - len(values)), mode="edge") for values in known]
        return cls(list(columns), codes, n_values, np.stack(filled))

    def is_worth_it(self, n_nodes: int, n_parts: int, n_classes: int) -> bool:
        """Whether the tables of so many nodes cost less than sorting the parts."""
        n_cells = n_nodes * self.n_rows * n_classes
        is_small = n_cells * len(self.columns) <= _MOST_CELLS
        return n_cells <= n_parts * (_CELLS_A_PART if is_small else 1)

    def tables(
        self,
        level: Parts,
        codes: np.ndarray | None,
        n_codes: int,
        amounts: Sequence[np.ndarray | None],
    ) -> Iterator[tuple[int, list[np.ndarray]]]:
        """Yield the first of some open nodes, and a table [nodes, a, rows, K] for every amount.

        Parameters
        ----------
        level : the cases, node by node.
        codes : array [p] over the parts, such as their classes, of ``n_codes`` values; or None.
        amounts : arrays [p], what is added up; None to count.
        """
        shape = len(self.columns), self.n_rows, n_codes
        size, ends = int(np.prod(shape)), np.append(0, np.cumsum(level.size))
        step = max(1, _MOST_CELLS_A_PASS // max(1, size))
        for first in range(0, len(level.size), step):
            n_nodes = min(step, len(level.size) - first)
            some = slice(ends[first], ends[first + n_nodes])
            parts = level.parts[some]
            cell = self.cell.take(level.case_of(parts), axis=0)
            cell = np.multiply(cell, n_codes, dtype=np.intp)
            offset = (level.node[some] - first) * size
            if codes is not None:
                offset += codes.take(parts)
            cell += offset[:, None]
            tables = []
            for amount in amounts:
                if amount is not None:
                    amount = np.repeat(amount.take(parts), len(self.columns))
                table = np.bincount(cell.ravel(), amount, n_nodes * size)
                tables.append(table.reshape(n_nodes, *shape))
            yield first, tables

    def sorted(self, level: Parts) -> list[SortedColumns]:
        """Return the columns sorted in the open nodes."""
        case, n_values, found = level.case_of(level.parts), self.n_values, []
        for i, column in enumerate(self.columns.tolist()):
            code = self.cell[:, i].take(case) - i * self.n_rows
            known = np.flatnonzero(code < n_values)
            order = stable_order((level.node * n_values + code).take(known))
            value = self.values[i].take(code, mode="clip")
            found.append(SortedColumns.in_nodes(column, value, known.take(order), level))
        return found

    def rows(self, level: Parts, answers: Answers) -> Iterator[Rows]:
        """Yield a row for each value that occurs in a node."""
        times = level.times
        times = None if times is None else times.take(level.case_of(np.arange(level.n_parts)))
        amounts = [times]
        if answers.codes is None:
            amounts += [answers.weight] * (answers.weight is not None) + [answers.amount]
        elif answers.weight is not None:
            amounts.append(answers.weight)
        n_cells = len(level.size) * self.n_rows * answers.n_classes
        if self.values is None and n_cells > 2 * _CELLS_A_PART * len(level.parts):
            yield from self._sparse_rows(level, answers, amounts)
            return
        for first, tables in self.tables(level, answers.codes, answers.n_classes, amounts):
            tables = [
                table[:, :, : self.n_values].reshape(-1, answers.n_classes) for table in tables
            ]
            row = np.flatnonzero(tables[0].any(axis=1))
            pair, value = np.divmod(row, self.n_values)
            pair += first * len(self.columns)
            yield self._rows(pair, value, [table[row] for table in tables], answers)

    def _sparse_rows(self, level, answers, amounts):
        """Yield the same where most cells are empty, by sorting what is there."""
        n_classes, n_columns = answers.n_classes, len(self.columns)
        step = max(1, _MOST_CELLS_A_PASS // (16 * max(1, len(level.parts))))
        case = level.case_of(level.parts)
        for first in range(0, n_columns, step):
            columns = np.arange(first, min(first + step, n_columns))
            value = self.cell[:, columns].take(case, axis=0) - columns * self.n_rows
            known = np.flatnonzero(value < self.n_values)
            pair = level.node[:, None] * n_columns + columns
            cell = (pair * self.n_values + value).ravel().take(known)
            row, at = np.unique(cell, return_inverse=True)
            part, n_cells = level.parts.take(known // len(columns)), len(row) * n_classes
            at *= n_classes
            if answers.codes is not None:
                at += answers.codes.take(part)
            tables = [
                np.bincount(at, weights_at(amount, part), n_cells).reshape(-1, n_classes)
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


def few_values(columns: Mapping[int, np.ndarray], n_classes: int) -> dict[int, np.ndarray]:
    """Return the values of the columns that have few for their cases, in order, by position."""
    few = {}
    for a, column in columns.items():
        most = len(column) // (_CASES_A_CELL * n_classes)
        sample = column[:_SAMPLE]
        if most > 1 and len(np.unique(sample)) <= min(most, len(sample) // 2):
            known = np.unique(column[~np.isnan(column)])
            if 0 < len(known) <= most:
                few[a] = known
    return few


def alike(n_values: Mapping[int, int]) -> list[list[int]]:
    """Return columns with about as many values together: filling up costs at most eightfold.

    Where they have few values in all, they are together whatever it costs.
    """
    if len(n_values) * max(n_values.values(), default=0) <= _FEW_CELLS:
        return [list(n_values)] if n_values else []
    alike: dict[int, list[int]] = {}
    for a, number in n_values.items():
        bits = (max(number, 1) - 1).bit_length()
        alike.setdefault((bits + 2) // 3, []).append(a)  # 1, 8, 64, ... values
    return list(alike.values())

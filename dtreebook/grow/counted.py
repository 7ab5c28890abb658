"""Numeric and ordered columns of few values: counted by value, not sorted, while nodes are large.

The table of a node, with a row for each value, says all that its cuts need. It costs as many cells
as there are values and classes; with many small nodes it costs less to look at every case, and the
columns are sorted.
"""

from typing import TYPE_CHECKING

import numpy as np

from dtreebook.data.cases import unknown, weights_at
from dtreebook.grow.categories import CategoryTables
from dtreebook.grow.target import ClassTarget
from dtreebook.grow.thresholds import Laid, PresortedColumns, Segments, stable_order

if TYPE_CHECKING:
    from dtreebook.grow.frontier import ArrayFrontier

# So many of the first cases tell whether a column may have few values.
_SAMPLE = 1000

# At the root there are so many cases for a cell at least; the nodes below have fewer.
_WORTH_TABLES = 8

# To sort a case costs as much as so many cells; but no more cells than these, which take room.
_CELLS_A_CASE = 4
_MOST_CELLS = 2**22


class CountedColumns:
    """Numeric or ordered columns, kept as the codes of their values.

    Attributes
    ----------
    columns : array [a] of their positions.
    tables : `CategoryTables` of the codes.
    values : array [a, V], the values in order, filled up with the last one.
    """

    def __init__(self, columns: dict[int, np.ndarray], values: list[np.ndarray]):
        n_values = max(map(len, values))
        codes = [
            np.where(unknown(column), -1, np.searchsorted(known, column))
            for column, known in zip(columns.values(), values, strict=True)
        ]
        self.columns = np.array(list(columns))
        self.tables = CategoryTables(self.columns, codes, n_values)
        self.values = np.stack(
            [np.pad(known, (0, n_values - len(known)), mode="edge") for known in values]
        )

    @classmethod
    def among(cls, columns: dict[int, np.ndarray], n_classes: int) -> list["CountedColumns"]:
        """Return those of some columns, given by position, that have few values for their cases.

        Columns with about as many values go together.
        """
        alike: dict[object, list[tuple[int, np.ndarray]]] = {}
        for a, column in columns.items():
            most = len(column) // (_WORTH_TABLES * n_classes)
            if most > 1 and len(np.unique(column[:_SAMPLE])) <= most:
                known = np.unique(column[~unknown(column)])
                if 0 < len(known) <= most:
                    size = len(known).bit_length() // 2
                    alike.setdefault((column.dtype, size), []).append((a, known))
        return [
            cls({a: columns[a] for a, _ in some}, [known for _, known in some])
            for some in alike.values()
        ]

    def is_worth_it(self, n_nodes: int, n_places: int, n_classes: int) -> bool:
        """Return whether the tables of so many nodes cost less than sorting the cases."""
        n_cells = n_nodes * self.tables.n_rows * n_classes
        is_small = n_cells * len(self.columns) <= _MOST_CELLS
        return n_cells <= n_places * (_CELLS_A_CASE if is_small else 1)

    def presorted(self, frontier: "ArrayFrontier") -> list[PresortedColumns]:
        """Return the columns sorted in the open nodes."""
        here, n_values = frontier.here, self.tables.n_values
        case, found = frontier.cases_at(here), []
        for i, column in enumerate(self.columns):
            code = self.tables.cell[:, i].take(case) - i * self.tables.n_rows
            known = np.flatnonzero(code < n_values)
            code, node = code.take(known), frontier.node.take(known)
            order = stable_order(node * n_values + code)
            place, value = here.take(known.take(order)), self.values[i].take(code.take(order))
            is_complete = len(known) == len(here)
            place = place[None].astype(np.int32)
            found.append(PresortedColumns(np.array([column]), place, value[None], is_complete))
        return found

    def lay(self, frontier: "ArrayFrontier", weight: np.ndarray | None) -> Laid:
        """Return the values in the open nodes as places: see `dtreebook.grow.thresholds.Laid`.

        Parameters
        ----------
        frontier : the cases, node by node.
        weight : array over the places, or None if each weighs 1.
        """
        target, here = frontier.class_target, frontier.here
        assert isinstance(target, ClassTarget), "answers that are numbers cannot be counted"
        codes, weight = target.codes.take(here), weights_at(weight, here)
        by_class = self._rows(frontier, codes, target.n_classes, weight)
        number = (
            by_class.sum(axis=1) if weight is None else self._rows(frontier, None, 1, None)[:, 0]
        )
        row = np.flatnonzero(number)
        pair, value = np.divmod(row, self.tables.n_values)
        size = np.bincount(pair, minlength=len(frontier.size) * len(self.columns))
        there = np.flatnonzero(size)
        node, column = np.divmod(there, len(self.columns))
        by_class, number = by_class[row].T, number[row].astype(np.int32)
        each = number
        if weight is None:
            by_class = by_class.astype(np.int32)
        else:
            each = by_class.sum(axis=0)
        segments = Segments(size[there], each[None])
        values = self.values[pair % len(self.columns), value]
        so_far = segments.running(number[None])
        return Laid(
            segments,
            values[None],
            node[None],
            column[None],
            *so_far,
            lambda criterion, cuts: criterion.decrease(
                cuts.splits(), _sums(criterion, cuts, by_class)
            ),
        )

    def _rows(self, frontier, codes, n_codes, weight):
        """Return the tables of all nodes and columns as rows: array [m * a * V, n_codes]."""
        each = self.tables.tables(frontier, codes, n_codes, weight)
        table = np.concatenate([table for _, table in each])
        return table[:, :, : self.tables.n_values].reshape(-1, n_codes)


def _sums(criterion, cuts, by_class):
    """Yield the weight of each class up to every cut, and in every node."""
    running = cuts.running if by_class.dtype.kind == "i" else cuts.running_weight
    for each in by_class if criterion.has_last else by_class[:-1]:
        yield running(each[None])

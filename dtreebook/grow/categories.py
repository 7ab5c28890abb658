"""Nominal columns: their tables of weights by value and class, in every open node of a level.

The literature calls such a table the AVC-set (attribute, value, class), and those of a node its
AVC-group (Gehrke et al. 2000).
"""

from collections.abc import Iterator

import numpy as np

from dtreebook.data.cases import Cases
from dtreebook.data.counts import count
from dtreebook.grow import frontier as limits


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

    def __init__(self, cases: Cases, columns: list[int]):
        self.columns = np.array(columns)
        self.n_values = max(len(cases.attributes[a].levels) for a in columns)
        self.cell = np.stack([cases.columns[a] for a in columns], axis=1)
        unknown = self.cell < 0
        self.has_unknown = bool(unknown.any())
        self.cell[unknown] = self.n_values
        self.cell += np.arange(len(columns)) * self.n_rows

    @classmethod
    def group(cls, cases: Cases, columns: list[int]) -> list["CategoryTables"]:
        """Return nominal columns by size, so that filling up costs at most eightfold."""
        alike: dict[int, list[int]] = {}
        for a in columns:
            most = max(len(cases.attributes[a].levels), 1) - 1
            up_to = (most.bit_length() + 2) // 3  # 1, 8, 64, ... values
            alike.setdefault(up_to, []).append(a)
        return [cls(cases, some) for some in alike.values()]

    @property
    def n_rows(self) -> int:
        """How many rows each column has, the one of the unknown values included."""
        return self.n_values + self.has_unknown

    def tables(
        self,
        frontier: "limits.ArrayFrontier",
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
        the first of some nodes, and array [nodes, a, rows, n_codes].
        """
        shape = len(self.columns), self.n_rows, n_codes
        size, m = int(np.prod(shape)), len(frontier.size)
        step = max(1, limits.MAX_CELLS // max(1, size))
        ends = np.append(0, np.cumsum(frontier.size))
        for first in range(0, m, step):
            some = slice(ends[first], ends[min(first + step, m)])
            places = frontier.here[some]
            cell = self.cell.take(frontier.cases_at(places), axis=0)
            cell *= n_codes
            offset = (frontier.node.take(places) - first) * size
            cell += (offset if codes is None else offset + codes[some])[:, None]
            amount = None if weight is None else weight[some, None]
            n_nodes = min(step, m - first)
            yield first, count((cell,), (n_nodes * size,), amount).reshape(n_nodes, *shape)

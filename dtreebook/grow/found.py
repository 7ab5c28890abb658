"""What a search finds: the best test of every column in every open node."""

import numpy as np

from dtreebook.grow.tables import Rows, Table, TieIn
from dtreebook.tree.splits import Splits, Subset, Threshold, middle


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

        Parameters
        ----------
        table : the insides of ranges, of which many may belong to one column in one node.
        gain, row : arrays [g], the best cut of each group, and the row before it.
        tie : how far below the best gain another is as good.
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

"""Columns that stay sorted: by node, and by value inside a node.

A column is sorted once. When a level is divided its order is parted by branch: all that went to the
left first, then all that went to the right. Within each part the order stays, so the cases of a
node stand together, sorted, and one running sum scores all cuts of all nodes of a level (Mehta,
Agrawal and Rissanen 1996, SLIQ).
"""

from collections.abc import Iterator

import numpy as np

from dtreebook.count.counter import Answers
from dtreebook.count.parts import Parts, expanded, in_threads, parted
from dtreebook.count.tables import Groups, Table, stable_order
from dtreebook.data.cases import weights_at

# Columns are taken together while they have so few rows: enough to forget the cost of a call.
_BLOCK = 2**16

# So few rows are taken together whatever the columns are like: fewer calls are worth more.
FEW_ROWS = 2**15


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
        alike: dict[bool, list[int]] = {}
        for a, column in columns.items():
            is_one = n * len(columns) <= FEW_ROWS or not np.isnan(column).any()
            alike.setdefault(is_one, []).append(a)
        width = max(1, _BLOCK // max(1, n))
        blocks = [
            some[first : first + width]
            for some in alike.values()
            for first in range(0, len(some), width)
        ]
        return in_threads(lambda block: cls._of(columns, block), blocks, n * len(columns))

    @classmethod
    def _of(cls, columns, block):
        value = np.array([columns[a] for a in block])
        order = np.argsort(value).astype(np.int32)  # of equal values, any order will do
        value = np.take_along_axis(value, order, axis=1)
        known = ~np.isnan(value)
        if known.all():
            return cls(np.array(block), order, value)
        line = np.nonzero(known)[0]
        return cls(np.array(block), order[known][None], value[known][None], line)

    @classmethod
    def in_nodes(
        cls, column: int, value: np.ndarray, order: np.ndarray, level: Parts
    ) -> "SortedColumns":
        """Return a column whose known values, [h], are sorted by node, and inside a node."""
        line = None if len(order) == len(value) else np.zeros(len(order), dtype=np.intp)
        part = level.parts.take(order).astype(np.int32)
        return cls(np.array([column]), part[None], value.take(order)[None], line)

    @classmethod
    def joined(cls, blocks: list["SortedColumns"], n_parts: int) -> list["SortedColumns"]:
        """Return the columns in fewer blocks, where they have become short: neighbours together."""
        width, joined = _BLOCK // max(1, n_parts), blocks[:1]
        for block in blocks[1:]:
            last = joined[-1]
            is_alike = (last.line is None) == (block.line is None)
            if is_alike and len(last.columns) + len(block.columns) <= width:
                joined[-1] = last._followed_by(block)
            else:
                joined.append(block)
        return joined

    def _followed_by(self, block):
        """Return the columns of two blocks as one."""
        axis = 0 if self.line is None else 1
        order, value = (
            np.concatenate(pair, axis=axis)
            for pair in ((self.order, block.order), (self.value, block.value))
        )
        columns, line = np.append(self.columns, block.columns), None
        if self.line is not None:
            line = np.append(self.line, block.line + len(self.columns))
        return SortedColumns(columns, order, value, line)

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

    def tables(self, level: Parts, answers: Answers) -> Iterator[Table]:
        """Yield a table with a row for each part, if there are any."""
        order, value, m = self.order, self.value, len(level.size)
        times = level.times
        is_counted = answers.weight is None and times is None
        if self.line is None and is_counted:
            groups, node, column = level.groups, np.arange(m)[None], self.columns[:, None]
            number = None
        else:
            line = self.line
            if line is None:
                line = np.repeat(np.arange(len(self.columns)), order.shape[1])
            order, value = order.reshape(1, -1), value.reshape(1, -1)
            size = np.bincount(line * m + level.node_of(order[0]), minlength=1)
            there = np.flatnonzero(size)
            number = None if times is None else times.take(level.case_of(order[0]))
            groups = Groups(size[there], weights_at(answers.weight, order[0]), number)
            node, column = (there % m)[None], self.columns[there // m][None]
        if not value.size:
            return
        if answers.codes is None:
            assert answers.amount is not None
            amount = answers.amount.take(order)
            yield Table(groups, node, column, value, lambda k: amount, 1)
            return
        codes, each = answers.codes.take(order), weights_at(answers.weight, order)
        if each is None and times is not None:
            each = times.take(level.case_of(order))

        def amounts(k):
            return codes == k if each is None else (codes == k) * each

        yield Table(groups, node, column, value, amounts, answers.n_classes, codes, is_counted)

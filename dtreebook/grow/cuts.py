"""The cuts of tables: which are allowed, by how much each lowers the impurity, which is the best.

A cut comes after a row of a table. Running sums over the rows give what lies on its left, so one
pass over a table scores all cuts of all columns in all nodes of a level.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from dtreebook.count.tables import Groups, Table, stable_order
from dtreebook.grow.criteria import BinaryCriterion, BinarySplits

# A table with so few rows is scored whole: picking out its cuts takes more time than it saves.
_FEW_ROWS = 2**12

# From so many classes on, one sum over the cases is faster than a sum for each class.
MANY_CLASSES = 8

# From the best scores of groups, -inf for none, to how far below them another score is as good.
Tie = Callable[[np.ndarray], np.ndarray | float]
# The same from best scores and their nodes.
TieIn = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Aim(NamedTuple):
    """What a test with two branches is to lower most, and what it must leave on either side."""

    criterion: BinaryCriterion  #: what is to be lowered
    cases: int = 1  #: how many cases either side must have
    weight: float = 0.0  #: how much weight
    #: from a table to the rows after which it may be cut; None for all.
    may_cut: Callable[[Table], np.ndarray] | None = None

    def best_cuts(self, table: Table, tie: Tie) -> tuple[np.ndarray, np.ndarray]:
        """Return the best cut of each group of a table, as `Cuts.best` does.

        How far below the best decrease of each group, [b, g], another is as good says `tie`.
        """
        groups = table.groups
        is_cut = table.rises() & groups.has_sides
        if self.cases > 1:
            cases = groups.repeat(groups.cases)
            is_cut &= (groups.number >= self.cases) & (cases - groups.number >= self.cases)
        if self.weight:
            is_cut &= (groups.left >= self.weight) & (groups.right >= self.weight)
        if self.may_cut is not None:
            is_cut &= self.may_cut(table)
        cuts = Cuts(table, is_cut)
        return cuts.best(cuts.decrease(self.criterion), tie)


class Cuts:
    """The cuts of a table that are worth a score.

    Where they are few among many rows they are picked out, and arrays over the cuts are [c]; else
    every row is scored, and the arrays are [b, r].

    Attributes
    ----------
    table : `Table`.
    is_cut : array [b, r], after which rows one may cut.
    """

    def __init__(self, table: Table, is_cut: np.ndarray):
        self.table, self.groups, self.is_cut = table, table.groups, is_cut
        self._row = None
        if is_cut.size > _FEW_ROWS and 2 * np.count_nonzero(is_cut) < is_cut.size:
            self._row = np.flatnonzero(is_cut)
            lines = np.arange(0, is_cut.size, is_cut.shape[1])[:, None]
            self._begin = np.searchsorted(self._row, (self.groups.first + lines).ravel())
            number = np.diff(self._begin, append=len(self._row))
            self._number = number.reshape(len(is_cut), -1)

    def number(self) -> np.ndarray:
        """Return how many cuts each group has: array [b, g]."""
        if self._row is None:
            return np.add.reduceat(self.is_cut, self.groups.first, axis=1, dtype=np.intp)
        return self._number

    def pick(self, array: np.ndarray) -> np.ndarray:
        """Return what an array [r] or [b, r] has at the cuts."""
        if self._row is None:
            return array
        if array.ndim == 2 or len(self.is_cut) == 1:
            return array.take(self._row)
        return array.take(self._row % len(array))

    def repeat(self, of_group: np.ndarray) -> np.ndarray:
        """Repeat what is known of the groups, [g] or [b, g], for each of their cuts."""
        if self._row is None:
            return self.groups.repeat(of_group)
        return np.repeat(np.broadcast_to(of_group, self._number.shape), self._number.ravel())

    def running(self, amount: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum of an amount [b, r] up to each cut of its group, and of each group."""
        so_far, total = self.groups.running(amount)
        return self.pick(so_far), total

    def splits(self, lighter: tuple[np.ndarray, np.ndarray] | None = None) -> BinarySplits:
        """Return what weighs either side of the cuts; the left one may be `Groups.lighter`."""
        at, left, right, expected = self.groups, self.groups.left, self.groups.right, None
        if lighter is not None:
            left, right = lighter[1], at.repeat(at.total) - lighter[1]
        elif self._row is None:
            expected = at.expected
        sides = self.pick(left), self.pick(right)
        return BinarySplits(*sides, at.total, self.repeat, lambda: self.pick(at.factor), expected)

    def decrease(self, criterion: BinaryCriterion) -> np.ndarray:
        """Return by how much each cut lowers an impurity, times weight: array over the cuts."""
        table = self.table
        if table.is_counted and is_ranked(criterion, table.n_classes):
            assert table.codes is not None
            assert criterion.by_rank is not None
            rank, size = class_ranks(table.codes, table.groups, table.n_classes)
            return criterion.by_rank(self.splits(), rank, size, self.running)
        lighter = self.groups.lighter if criterion.power == 2 else None
        splits = self.splits(lighter)
        return criterion.decrease(splits, self._sums(criterion, splits, lighter))

    def _sums(self, criterion, splits, lighter):
        """Yield the weight of each class left of every cut, and in every group."""
        table = self.table
        if table.n_classes == 1:
            yield self._sum(0, lighter)
            return
        left, total = splits.left, splits.total
        is_whole = left.dtype.kind == "i"
        for k in range(table.n_classes - 1):
            pair = self._sum(k, lighter)
            if is_whole and criterion.has_last:
                left, total = left - pair[0], total - pair[1]
            yield pair
        if criterion.has_last:  # what others leave is off by rounding, even below 0
            yield (left, total) if is_whole else self._sum(table.n_classes - 1, lighter)

    def _sum(self, k, lighter=None):
        """Return the weight of a class left of every cut, and in every group's node."""
        amount = self.table.amount(k)
        left, total = self.running(amount)
        if self.table.totals is not None:
            before, total = (of_group[k] for of_group in self.table.totals)
            left = left + self.repeat(before)
        if lighter is not None:
            left = np.where(self.pick(lighter[0]), left, self.pick(self.groups.beyond(amount)))
        return left, total

    def best(self, score: np.ndarray, tie: Tie) -> tuple[np.ndarray, np.ndarray]:
        """Return the best score of each group, and after which row it is found first.

        Of scores over the cuts these are arrays [b, g]: -inf where there is no cut, and rows
        counted through the lines.
        """
        if self._row is None:
            return self._best_of_all(score, tie)
        best, row = np.full(self._number.size, -np.inf), np.zeros(self._number.size, np.intp)
        group = np.flatnonzero(self._number)
        if len(group):
            begin = self._begin.take(group)
            best[group] = np.maximum.reduceat(score, begin)
        best = best.reshape(self._number.shape)
        if len(group):
            hit = np.flatnonzero(score >= self.repeat(best - tie(best)))
            row[group] = self._row.take(hit.take(np.searchsorted(hit, begin)))
        return best, row.reshape(best.shape)

    def _best_of_all(self, score, tie):
        np.copyto(score, -np.inf, where=~self.is_cut)
        first = self.groups.first
        best = np.maximum.reduceat(score, first, axis=1)
        hit = np.flatnonzero(score >= self.groups.repeat(best - tie(best)))
        lines = np.arange(0, self.is_cut.size, self.is_cut.shape[1])[:, None]
        return best, hit.take(np.searchsorted(hit, first + lines))

    def at(self, array: np.ndarray, row: np.ndarray) -> np.ndarray:
        """Return what an array over the cuts has after some rows; anything where no cut is."""
        if self._row is None:
            return array.take(row)
        if not len(array):
            return np.zeros(row.shape, dtype=array.dtype)
        return array.take(np.searchsorted(self._row, row), mode="clip")


def is_ranked(criterion: BinaryCriterion, n_classes: int) -> bool:
    """Whether one sum over the cases costs less than a sum for each class."""
    return criterion.by_rank is not None and n_classes >= MANY_CLASSES


def class_ranks(codes: np.ndarray, groups: Groups, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return how many of the same class come before each row in its group, and are in it: [b, r].

    Codes [b, r] are the classes of the rows: in every line those of the same cases.
    """
    n_groups = len(groups.size)
    first = np.arange(n_groups, dtype=np.min_scalar_type(n_groups * n_classes)) * n_classes
    codes = groups.repeat(first) + codes
    size = np.bincount(codes[0], minlength=n_groups * n_classes).astype(np.int32)
    # The same cases, sorted by group and class, have the same ranks.
    sorted_rank = np.arange(codes.shape[1], dtype=np.int32)
    sorted_rank -= np.repeat(np.cumsum(size, dtype=np.int32) - size, size)
    rank = np.empty(codes.shape, dtype=np.int32)
    for line, code in zip(rank, codes, strict=True):
        line[stable_order(code)] = sorted_rank
    return rank, size.take(codes)

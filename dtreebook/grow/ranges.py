"""Ranges of numbers: many values counted as one, and a bound for the cuts that lie inside.

What a cut lowers the impurity by is a convex function of what lies on its left. So no cut inside a
range is better than the best corner of what could lie there, and most values need never be looked
at: only those of the ranges whose bound reaches the best cut between two ranges. The trees are the
same; of a million values about one in a hundred is looked at.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from dtreebook.grow.criteria import BinaryCriterion, BinarySplits
from dtreebook.grow.tables import Sums, Table, added

# Pieces of a column between these quantiles of a sample are divided into ranges of equal width.
QUANTILES = 0, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1
PIECES = len(QUANTILES) - 1
RANGES = 128

# So few different values have a range each.
_FEW = 16


class Grid(NamedTuple):
    """How a column is divided: ends bound pieces, and each piece has so many equally wide ranges.

    What lies beyond the ends belongs to the first and to the last piece.
    """

    ends: np.ndarray
    ranges: int


def grid(sample: np.ndarray, ranges: int = RANGES) -> Grid:
    """Return how to divide a column: few different values have a range each."""
    distinct = np.unique(sample)
    if len(distinct) <= _FEW:
        return Grid(np.append(distinct[:1], distinct), 1)
    # Ends that occur: half-way between two huge numbers there may be none.
    return Grid(np.unique(np.quantile(sample, QUANTILES, method="lower")), ranges)


def numbers_of_ranges(value: np.ndarray, grid: Grid) -> np.ndarray:
    """Return the number of the range of each value, in the order of the values.

    It rises with the value whatever is rounded: every step does. An unknown value is in any range.

    Examples
    --------
    >>> numbers_of_ranges(np.array([0.0, 0.9, 1.0, 7.0]), Grid(np.array([0.0, 1.0, 5.0]), 4))
    array([0, 3, 3, 7])
    """
    ends, ranges = grid
    piece = np.zeros(len(value), dtype=np.intp)
    for edge in ends[1:-1]:  # a few comparisons take less than a search
        piece += value > edge
    if ranges == 1:
        return piece
    low, high = ends[:-1], ends[1:]
    scale = range_scale(low, high, ranges)
    return piece * ranges + _rounded(value, low.take(piece), scale.take(piece), ranges)


def equal_ranges(value: np.ndarray, low: float, high: float, ranges: int) -> np.ndarray:
    """Return the numbers of equally wide ranges between two values, for an array of values."""
    return _rounded(value, low, range_scale(low, high, ranges), ranges)


def range_scale(low: np.ndarray | float, high: np.ndarray | float, ranges: int) -> np.ndarray:
    """Return ranges in a unit; 0 for ends so far apart, or so close, that no double holds it."""
    with np.errstate(over="ignore", divide="ignore"):
        scale = ranges / (np.asarray(high, dtype=float) - low)
    return np.where((scale > 0) & (scale < np.inf), scale, 0.0)


def _rounded(value, low, scale, ranges):
    with np.errstate(over="ignore", invalid="ignore"):
        part = value - low
        part *= scale
    np.clip(part, 0, ranges - 1, out=part)
    part[np.isnan(part)] = 0
    return part.astype(np.intp)


class Doubtful(NamedTuple):
    """Ranges of a column that may hold a cut as good as the best."""

    column: int
    #: arrays [r]: the place of each among the ranges of the column, its node, its least value and
    #: its largest, and what no cut inside exceeds.
    place: np.ndarray
    node: np.ndarray
    low: np.ndarray
    high: np.ndarray
    bound: np.ndarray
    cases: np.ndarray  #: array [r], how many cases each holds
    before: Sums  #: what lies before each in its node
    total: Sums  #: what its node holds

    def reaching(self, best: np.ndarray) -> "Doubtful":
        """Return those that may reach the best of their nodes, array [r]."""
        # Rounding must not hide a cut that is as good; a single value has no cut inside.
        reaches = self.bound * (1 + 1e-9) >= best
        return self.take(np.flatnonzero(reaches & (self.low < self.high)))

    def take(self, some: np.ndarray) -> "Doubtful":
        """Return some of them."""
        of_some: Iterator[Any] = (of.take(some) for of in self[1:])
        return Doubtful(self.column, *of_some)


def doubtful(table: Table, criterion: BinaryCriterion, best: np.ndarray) -> Doubtful:
    """Return the ranges of a table that may hold a cut as good as the best of their groups, [g]."""
    rows, groups = table.ranges, table.groups
    assert rows is not None, "single values have no cut inside"
    assert rows.high is not None, "ranges have ends"
    held, (before, total) = rows.held, rows.held.around(groups)
    if rows.ends is None:
        bound = bound_of_classes(criterion, before.sums, held.sums, total.sums)
    else:
        sums = (np.stack([of.weight, of.sums[0]]) for of in (before, held, total))
        bound = bound_of_numbers(criterion, *sums, *rows.ends.T)
    column, node, place = int(rows.column[0]), groups.repeat(rows.node), np.arange(len(bound))
    of_rows = place, node, rows.value, rows.high, bound, held.cases, before, total
    return Doubtful(column, *of_rows).reaching(groups.repeat(best))


def bound_of_classes(
    criterion: BinaryCriterion, before: np.ndarray, inside: np.ndarray, total: np.ndarray
) -> np.ndarray:
    """Return what no cut inside each of some ranges can exceed: array [r].

    With two classes the largest is where all of one class in the range, and none of the other, lie
    on the left. With more, each class adds a convex function of its weight and of the weight of all
    others on the left; it is largest where all of the class, and all of the others, lie on one side
    each.

    Source: Alsabti, Ranka and Singh (1998), CLOUDS, which looks into few ranges, too, by an
    estimate.

    Parameters
    ----------
    before, inside, total : arrays [K, r], the weight of each class before the range, in it, and in
        the node.

    Examples
    --------
    Three of either class, of which one and two lie in the range; before it lies one of the first:

    >>> from dtreebook.grow.criteria import BINARY
    >>> gini, before = BINARY["gini"], np.array([[1], [0]])
    >>> bound_of_classes(gini, before, np.array([[1], [2]]), np.array([[3], [3]])).round(3)
    array([1.5])
    """
    before, inside, total = (of.astype(float) for of in (before, inside, total))
    if len(before) == 2:
        (first, second), (of_first, of_second) = before, inside
        left = np.array([[first + of_first, first], [second, second + of_second]])
        sums = list(zip(left, total, strict=True))[: None if criterion.has_last else -1]
        return _largest(criterion, added(left), added(total), sums)
    all_before, all_inside, all_total = map(added, (before, inside, total))
    best = np.zeros(before.shape[1])
    for own, more, of_all in zip(before, inside, total, strict=True):
        others, more_others = all_before - own, all_inside - more
        left = np.array([own, own, own + more, own + more])
        left_of_all = left + [others, others + more_others] * 2
        best += _largest(criterion, left_of_all, all_total, [(left, of_all)])
    # The decrease of the Gini impurity counts what a class lacks for the others, too.
    return best if criterion.has_last else best / 2


def bound_of_numbers(
    criterion: BinaryCriterion,
    before: np.ndarray,
    inside: np.ndarray,
    total: np.ndarray,
    least: np.ndarray,
    most: np.ndarray,
) -> np.ndarray:
    """Return the same for a criterion of numbers.

    Before the range, in it, and in the node there are weights and sums, [2, r]; in the range lie
    numbers from the least to the most, [r].
    """
    width = np.where(most > least, most - least, 1)
    lowest = np.clip((inside[0] * most - inside[1]) / width, 0, inside[0])
    lowest = np.stack([lowest, lowest * least])  # as many of the least as there could be
    left = before[:, None] + np.stack([0 * inside, inside, lowest, inside - lowest], axis=1)
    return _largest(criterion, left[0], total[0], [(left[1], total[1])])


def _largest(criterion, left, total, sums):
    """Return the largest decrease, array [r], whichever of the weights [c, r] lies on the left."""
    splits = BinarySplits.of(left, total - left, total)
    return criterion.decrease(splits, sums).max(axis=0, initial=0)

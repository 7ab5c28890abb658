"""Ranges of numbers: many values counted as one, and a bound for the cuts that lie inside.

What a cut lowers the impurity by is a convex function of what lies on its first side. So no cut
inside a range is better than the best corner of what could lie there, and most values need never be
read: only those of the ranges whose bound reaches the best cut between two ranges.
"""

from collections.abc import Callable
from typing import NamedTuple

import ibis
import numpy as np
from ibis.expr.types import NumericColumn, Value

from dtreebook.database.literals import number
from dtreebook.grow.criteria import BINARY, BinaryCriterion, BinarySplits

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


def number_of_range(value: NumericColumn, grid: Grid) -> Value:
    """Return an expression that numbers the ranges of a column, in the order of its values.

    It rises with the value whatever is rounded: every step does.
    """
    ends, ranges = grid

    def inside(i):
        if ranges == 1:
            return ibis.literal(i, "int32")
        return equal_range(value, ends[i], ends[i + 1], ranges) + i * ranges

    # NULL is not below an edge, and must not be counted among the values above the last.
    number_of = bisect(value, ends[1:-1].tolist(), inside)
    return ibis.ifelse(value.isnull(), ibis.null("int32"), number_of)


def equal_range(value: NumericColumn, low: float, high: float, ranges: int) -> Value:
    """Return an expression that numbers equally wide ranges between two values."""
    scale = float(_scale(low, high, ranges))
    if not scale:
        return ibis.literal(0, "int32")
    part = (value - number(low)) * number(scale)
    # Clipped before it is rounded, to an integer: what lies far beyond fits in none.
    return ibis.least(ibis.greatest(part, 0), ranges - 1).floor().cast("int32")


def numbers_of_ranges(value: np.ndarray, grid: Grid) -> np.ndarray:
    """Return the same numbers as `number_of_range` for an array; an unknown value is in any range.

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
    scale = _scale(low, high, ranges)
    return piece * ranges + _rounded(value, low.take(piece), scale.take(piece), ranges)


def equal_ranges(value: np.ndarray, low: float, high: float, ranges: int) -> np.ndarray:
    """Return the same numbers as `equal_range` for an array of values."""
    return _rounded(value, low, _scale(low, high, ranges), ranges)


def _scale(low, high, ranges):
    """Return ranges in a unit; 0 for ends so far apart, or so close, that no double says it."""
    with np.errstate(over="ignore", divide="ignore"):
        scale = ranges / (np.asarray(high, dtype=float) - low)
    return np.where((scale > 0) & (scale < np.inf), scale, 0.0)


def _rounded(value, low, scale, ranges):
    with np.errstate(over="ignore", invalid="ignore"):
        part = (value - low) * scale
    return np.fmin(np.fmax(part, 0), ranges - 1).astype(np.intp)


def bisect(
    value: NumericColumn, edges: list[float], leaf: Callable[[int], Value], first: int = 0
) -> Value:
    """Return an expression: what a function says of the number of edges below a value."""
    if not edges:
        return leaf(first)
    half = len(edges) // 2
    below = bisect(value, edges[:half], leaf, first)
    above = bisect(value, edges[half + 1 :], leaf, first + half + 1)
    return ibis.ifelse(value <= number(edges[half]), below, above)


def bound_of_classes(
    criterion: BinaryCriterion, before: np.ndarray, inside: np.ndarray, total: np.ndarray
) -> np.ndarray:
    """Return what no cut inside each of some ranges can exceed: array [r].

    Each class adds a convex function of its weight and of the weight of all on the first side; it
    is largest where all of the class in the range, and all of the others, lie on one side each.

    Parameters
    ----------
    criterion : of `dtreebook.grow.criteria.BINARY`.
    before, inside : arrays [r, K], the weight of each class before the range, and in it.
    total : array [r, K], in the node.

    References
    ----------
    Alsabti, Ranka and Singh (1998), CLOUDS, which looks into few ranges, too, by an estimate.

    Examples
    --------
    Three of either class, of which one and two lie in the range; before it lies one of the first:

    >>> gini = BINARY["gini"]
    >>> bound_of_classes(gini, np.array([[1, 0]]), np.array([[1, 2]]), np.array([[3, 3]])).round(3)
    array([1.5])
    """
    if criterion not in (BINARY["gini"], BINARY["entropy"]):
        return np.full(len(before), np.inf)
    others, others_inside = (x.sum(axis=1, keepdims=True) - x for x in (before, inside))
    best = np.zeros(before.shape)
    for own in (before, before + inside):
        for rest in (others, others + others_inside):
            best = np.maximum(best, _decrease(criterion, own, own + rest, total))
    # The decrease of the Gini impurity counts what a class lacks for the others, too.
    return best.sum(axis=1) / (1 if criterion.has_last else 2)


def bound_of_numbers(
    before: np.ndarray, inside: np.ndarray, total: np.ndarray, least: np.ndarray, most: np.ndarray
) -> np.ndarray:
    """Return the same for the squared error of numbers.

    Parameters
    ----------
    before, inside, total : arrays [r, 2] of weights and sums.
    least, most : arrays [r], the smallest and the largest number in the range.
    """
    spread = np.where(most > least, most - least, 1)
    lowest = np.clip((inside[:, 0] * most - inside[:, 1]) / spread, 0, inside[:, 0])
    lowest = np.stack([lowest, lowest * least], axis=1)  # as many of the least as there could be
    best = np.zeros(len(before))
    for first in (0 * inside, inside, lowest, inside - lowest):
        left = before + first
        found = _decrease(BINARY["squared_error"], left[:, 1:], left[:, :1], total[:, 1:], total)
        best = np.maximum(best, found[:, 0])
    return best


def _decrease(criterion, own, left, total, weights=None):
    """Return what one class adds to the decrease, array [r, K], for a weight on the first side."""
    size = np.broadcast_to(
        (total.sum(axis=1) if weights is None else weights[:, 0])[:, None], own.shape
    ).astype(float)
    left = np.broadcast_to(left, own.shape).astype(float)
    right = size - left
    product = left * right
    scale = np.divide(size, product, out=np.zeros_like(product), where=product > 0)
    splits = BinarySplits(left, right, size, lambda node: node, scale)
    return criterion.decrease(splits, [(own, total)])

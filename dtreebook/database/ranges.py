"""Ranges of numbers: many values counted as one, and a bound for the cuts that lie inside.

What a cut lowers the impurity by is a convex function of what lies on its first side. So no cut
inside a range is better than the best corner of what could lie there, and most values need never be
read: only those of the ranges whose bound reaches the best cut between two ranges.
"""

from collections.abc import Callable
from itertools import pairwise

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


def number_of_range(value: NumericColumn, sample: np.ndarray, ranges: int = RANGES) -> Value:
    """Return an expression that numbers the ranges of a column, in the order of its values.

    Few different values have a range each. Of many, quantiles of the sample bound pieces, inside
    which the ranges are equally wide. It rises with the value whatever is rounded: every step does.
    """
    distinct = np.unique(sample)
    if len(distinct) <= _FEW:
        number_of = bisect(value, distinct[:-1].tolist(), lambda i: ibis.literal(i, "int32"))
        return ibis.ifelse(value.isnull(), ibis.null("int32"), number_of)
    edges = np.unique(np.quantile(sample, QUANTILES))

    def inside(i):
        return equal_range(value, edges[i], edges[i + 1], ranges) + i * ranges

    # NULL is not below an edge, and must not be counted among the values above the last.
    number_of = bisect(value, edges[1:-1].tolist(), inside)
    return ibis.ifelse(value.isnull(), ibis.null("int32"), number_of)


def equal_range(value: NumericColumn, low: float, high: float, ranges: int) -> Value:
    """Return an expression that numbers equally wide ranges between two values."""
    with np.errstate(over="ignore"):
        scale = ranges / (np.float64(high) - low)
    if not 0 < scale < np.inf:  # so far apart, or so close, that no double says it
        return ibis.literal(0, "int32")
    part = (value - number(low)) * number(scale)
    # Clipped before it is rounded, to an integer: what lies far beyond fits in none.
    return ibis.least(ibis.greatest(part, 0), ranges - 1).floor().cast("int32")


def edges_of(sample: np.ndarray, ranges: int = RANGES) -> np.ndarray:
    """Return the upper ends of the same ranges, but of the last, for who can look them up."""
    distinct = np.unique(sample)
    if len(distinct) <= _FEW:
        return distinct[:-1]
    ends = np.unique(np.quantile(sample, QUANTILES))
    return np.concatenate([equal_edges(*pair, ranges, first=0) for pair in pairwise(ends)])[1:]


def equal_edges(low: float, high: float, ranges: int, first: int = 1) -> np.ndarray:
    """Return the edges between equally wide ranges; from the lower end if the first is 0."""
    # Halved, so that no difference overflows.
    return 2 * np.linspace(low / 2, high / 2, ranges, endpoint=False)[first:]


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

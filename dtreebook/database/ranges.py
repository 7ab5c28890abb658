"""Ranges of numbers as expressions of a database: see `dtreebook.grow.ranges`."""

from collections.abc import Callable

import ibis
from ibis.expr.types import NumericColumn, Value

from dtreebook.database.literals import number
from dtreebook.grow.ranges import Grid, range_scale


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
    scale = float(range_scale(low, high, ranges))
    if not scale:
        return ibis.literal(0, "int32")
    part = (value - number(low)) * number(scale)
    # Clipped before it is rounded, to an integer: what lies far beyond fits in none.
    return ibis.least(ibis.greatest(part, 0), ranges - 1).floor().cast("int32")


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

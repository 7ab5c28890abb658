"""Ranges of numbers: a column of many values is divided and counted by range.

Cuts between two ranges are found from these counts alone. `dtreebook.grow.bounds` says which ranges
may hold a better cut inside; only the values of those are counted one by one.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from dtreebook.count.tables import Sums

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

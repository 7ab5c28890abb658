"""A training set as the engine reads it: typed attributes, columns of codes, classes, weights."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtreebook.measures import TIE

# One array of codes or numbers for each attribute; one array [A, n] if all are numbers.
Columns = Sequence[np.ndarray] | np.ndarray


@dataclass(frozen=True)
class Attribute:
    """Describe one column: its name, its kind and, unless it is numeric, its levels in order.

    Examples
    --------
    >>> Attribute("house", "nominal", ("no", "yes"))
    Attribute(name='house', kind='nominal', levels=('no', 'yes'))
    """

    name: str
    kind: str
    levels: tuple[Hashable, ...] = ()

    @cached_property
    def index(self) -> pd.Index:
        """The levels as an index, which finds the code of a value."""
        return pd.Index(self.levels, tupleize_cols=False)

    @cached_property
    def code(self) -> dict[Hashable, int]:
        """The code of each level."""
        return {level: code for code, level in enumerate(self.levels)}

    @cached_property
    def is_text(self) -> bool:
        """Whether all levels are text, which equals nothing but the same text."""
        return all(isinstance(level, str) for level in self.levels)

    @cached_property
    def is_whole(self) -> bool:
        """Whether all levels are integers, of which booleans are none."""
        return all(type(level) is int for level in self.levels)

    def __reduce__(self):
        # A stored or copied attribute makes what it has cached anew.
        return Attribute, (self.name, self.kind, self.levels)


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Hold a training set as the engine reads it: codes, classes and weights, no labels."""

    attributes: tuple[Attribute, ...]
    #: one array of codes (nominal, ordered) or floats (numeric) for each attribute; a tuple, or an
    #: array [A, n] if all are numeric.
    columns: Columns
    target: np.ndarray  #: array [n], the code of the class of each case; for regression, its number
    classes: np.ndarray | None  #: array [K], the classes in the tree's order; None for regression
    #: array [n] of positive weights, or None if every case weighs 1, which counts faster.
    weight: np.ndarray | None = None
    #: array [n], how many rows each case stands for; None if one each.
    times: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.target)

    @property
    def n_classes(self) -> int:
        """K, the number of classes; numbers are like one."""
        return 1 if self.classes is None else len(self.classes)

    @property
    def weights(self) -> np.ndarray:
        """The weight of each case: array [n]."""
        return np.ones(len(self)) if self.weight is None else self.weight

    @property
    def total(self) -> float:
        """The weight of all cases together."""
        return float(self.weights.sum())

    @property
    def has_unknown(self) -> bool:
        """Whether any value is unknown."""
        if isinstance(self.columns, np.ndarray):
            return bool(np.isnan(self.columns.max(initial=0)))  # of any NaN it is NaN
        return any(unknown(column).any() for column in self.columns)

    @property
    def table(self) -> np.ndarray:
        """All columns as one array [A, n] of floats, NaN where unknown; codes if all are words."""
        if isinstance(self.columns, np.ndarray):
            return self.columns
        if all(attribute.kind == "nominal" for attribute in self.attributes):
            most = max((len(attribute.levels) for attribute in self.attributes), default=0)
            return np.array(self.columns, dtype=np.min_scalar_type(-1 - most))
        table = np.array(self.columns, dtype=float)
        for row, column in zip(table, self.columns, strict=True):
            row[unknown(column)] = np.nan
        return table

    def take(self, rows: np.ndarray) -> "Cases":
        """Return some of the cases, in the order of the rows; a row may be there several times."""
        columns: Columns = tuple(column.take(rows) for column in self.columns)
        if isinstance(self.columns, np.ndarray):
            columns = self.columns[:, rows]
        return replace(
            self,
            columns=columns,
            target=self.target.take(rows),
            weight=weights_at(self.weight, rows),
            times=weights_at(self.times, rows),
        )

    def weighted(self, weights: np.ndarray) -> "Cases":
        """Return the same cases with other weights."""
        return replace(self, weight=None if (weights == 1).all() else weights)


def weights_at(weight: np.ndarray | None, places: np.ndarray) -> np.ndarray | None:
    """Return the weights at some places; None, which says that each weighs 1, stays so."""
    return None if weight is None else weight.take(places)


def unknown(column: np.ndarray) -> np.ndarray:
    """Return which values are unknown: NaN among numbers, -1 among codes."""
    return column < 0 if column.dtype.kind == "i" else np.isnan(column)


# --- counting them --------------------------------------------------------------------------------


def count(codes: Sequence, shape: Sequence[int], weight: ArrayLike | None = None) -> np.ndarray:
    """Add up the weight of the cases in every cell of a table.

    Source: Gehrke, Ramakrishnan and Ganti (2000), section 3.

    Parameters
    ----------
    codes : one array of integer codes for each axis of the table, broadcast against each other.
    shape : the number of codes of each axis.
    weight : array of weights that broadcasts against the codes; without it each case counts 1.

    Examples
    --------
    House (no, yes) against approval (no, yes) in the first five rows of the loan table:

    >>> count([[0, 0, 0, 1, 0], [0, 0, 1, 1, 0]], shape=(2, 2))
    array([[3., 1.],
           [0., 1.]])
    """
    cell = codes[0]
    for code, size in zip(codes[1:], shape[1:], strict=True):
        cell = np.multiply(cell, size) + code
    if weight is not None:
        weight = np.broadcast_to(weight, cell.shape).ravel()
    totals = np.bincount(np.asarray(cell).ravel(), weight, minlength=prod(shape))
    return totals.reshape(shape).astype(float, copy=False)


def two_sides(
    values: ArrayLike, target: ArrayLike, n_classes: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct numbers in order, and what lies on both sides of the cut after each.

    Of numbers [n], none missing, and class codes [n] these are arrays [m + 1], and [m, 2, K]: the
    cases of each class up to the cut, and above it.

    Examples
    --------
    >>> known, tables = two_sides([3.0, 1.0, 2.0, 2.0], [1, 0, 0, 1], 2)
    >>> known, tables[0]
    (array([1., 2., 3.]), array([[1., 0.],
           [1., 2.]]))
    """
    known, code = np.unique(values, return_inverse=True)
    below = count((code, target), (len(known), n_classes)).cumsum(axis=0)
    return known, np.stack([below[:-1], below[-1] - below[:-1]], axis=1)


def sorted_places(classes: np.ndarray | None) -> np.ndarray:
    """Return where the classes of a tree stand when they are sorted, as scikit-learn has them.

    Classes that have no order, such as text beside numbers, stay as they are.

    Examples
    --------
    >>> sorted_places(np.array(["low", "high"]))
    array([1, 0])
    """
    assert classes is not None, "numbers have no classes"
    names = classes.tolist()
    try:
        return np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.intp)
    except TypeError:
        return np.arange(len(names))


def majority_class(counts: np.ndarray) -> np.ndarray:
    """Return the class of most weight, [M, K] to [M]: of those that differ by rounding, the first.

    Examples
    --------
    >>> majority_class(np.array([[0.3, 0.1 + 0.2], [1.0, 2.0]]))
    array([0, 1])
    """
    most = counts.max(axis=1, keepdims=True) * (1 - TIE)
    return (counts >= most).argmax(axis=1)

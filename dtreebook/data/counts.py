"""The table that answers everything a node is asked: weight by value and class.

The literature calls it the AVC-set (attribute, value, class; Gehrke et al. 2000).
"""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import ArrayLike

from dtreebook.measures import TIE


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
    totals = np.bincount(np.ravel(cell), weight, minlength=prod(shape))
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


def majority_class(counts: np.ndarray) -> np.ndarray:
    """Return the class of most weight, [M, K] to [M]: of those that differ by rounding, the first.

    Examples
    --------
    >>> majority_class(np.array([[0.3, 0.1 + 0.2], [1.0, 2.0]]))
    array([0, 1])
    """
    most = counts.max(axis=1, keepdims=True) * (1 - TIE)
    return (counts >= most).argmax(axis=1)

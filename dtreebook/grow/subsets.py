"""The best way to divide the values of a nominal attribute into two groups.

With two classes, and with numbers, the best division is a cut of the values in the order of their
mean; so only as many divisions need be tried as there are values, less one. With more classes all
divisions are tried if there are few enough values; otherwise the cuts of one order.
"""

from functools import cache

import numpy as np
from scipy.linalg import eigh

from dtreebook.grow.categories import MAX_CELLS
from dtreebook.grow.criteria import BinaryCriterion, BinarySplits
from dtreebook.grow.thresholds import LOST
from dtreebook.measures import TIE

# With more than two classes, so many values are divided in every possible way: 2^11 - 1 of them.
MOST_VALUES = 12

# Means that differ by less than a step, of so many from 0 to the largest, differ by rounding alone.
_STEPS = 2.0**40

# What lies so close to the middle, beside what lies farthest, does so but for rounding.
_MIDDLE = 1e-6


def best_subsets(
    weight: np.ndarray,
    amounts: np.ndarray,
    size: np.ndarray,
    least: float,
    noise: np.ndarray,
    criterion: BinaryCriterion,
    least_weight: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best division of the values of an attribute in each node.

    Parameters
    ----------
    weight : array [m, V], the weight of each value in each node.
    amounts : array [m, V, K], its weight of every class; for numbers [m, V, 1], their sum.
    size : array [m, V], the number or weight of cases that the least size is about; a value of size
        0 is absent from the node.
    least : the least size of a side.
    noise : array [m], the decreases up to this are only rounding.
    criterion : `dtreebook.grow.criteria.BinaryCriterion`.
    least_weight : the least weight of a side.

    Returns
    -------
    array [m] of decreases, -inf where no division has two sides of the least size; array [m, V] of
    the side of each value, 0 or 1, and -1 of one that is absent. Side 0 has the first value that is
    present.

    References
    ----------
    Breiman et al. (1984), section 2.4.1 and theorem 4.5, for the order by the mean; Coppersmith,
    Hong and Hosking (1999), for the order along the first principal component of the class shares.

    Examples
    --------
    Outlook (sunny, overcast, rain) against playing (no, yes): overcast days go alone.

    >>> from dtreebook.grow.criteria import BINARY
    >>> by_class = np.array([[[3.0, 2.0], [0.0, 4.0], [2.0, 3.0]]])
    >>> days = by_class.sum(axis=2)
    >>> best, side = best_subsets(days, by_class, days, 1, np.zeros(1), BINARY["gini"])
    >>> round(float(best[0]) / 14, 3), side.tolist()
    (0.102, [[0, 1, 0]])
    """
    present = size > 0
    n_values = present.sum(axis=1)
    best, side = np.full(len(size), -np.inf), np.full(size.shape, -1, dtype=np.int8)
    in_every_way = (amounts.shape[2] > 2) & (n_values <= MOST_VALUES)
    for n in np.unique(n_values[n_values > 1]):
        for every_way in (False, True):
            node = np.flatnonzero((n_values == n) & (in_every_way == every_way))
            if node.size:
                rows = node[:, None], np.nonzero(present[node])[1].reshape(-1, n)
                tables = weight[rows], amounts[rows], size[rows]
                best[node], side[rows] = (_try_all if every_way else _try_cuts)(
                    *tables, least, noise[node], criterion, least_weight
                )
    side[best == -np.inf] = -1
    return best, side


def _try_cuts(weight, amounts, size, least, noise, criterion, least_weight):
    """Try the cuts of the values in one order; here every value is present."""
    shares = amounts / weight[:, :, None]
    along = (shares if amounts.shape[2] <= 2 else _component(shares, weight))[:, :, 0]
    # What is equal but for rounding stays in the order of the values.
    unit = abs(along).max(axis=1, keepdims=True) / _STEPS
    order = np.argsort(np.rint(along / np.where(unit > 0, unit, 1)), axis=1, kind="stable")
    weight, size = (np.take_along_axis(array, order, axis=1) for array in (weight, size))
    amounts = np.take_along_axis(amounts, order[:, :, None], axis=1)
    below = (np.cumsum(array, axis=1) for array in (weight, amounts, size))
    best, cut = _first_best(*below, least, noise, criterion, least_weight)
    side = np.argsort(order, axis=1) > cut[:, None]
    return best, side ^ side[:, :1]


def _try_all(weight, amounts, size, least, noise, criterion, least_weight):
    """Try every division; here every value is present, and the last one is on the second side."""
    m, n = weight.shape
    divisions = _divisions(n)
    best, chosen = np.empty(m), np.empty(m, dtype=np.intp)
    step = max(1, MAX_CELLS // (len(divisions) * amounts.shape[2]))
    for start in range(0, m, step):
        some = slice(start, start + step)
        below = (
            divisions @ array[some] for array in (weight[:, :, None], amounts, size[:, :, None])
        )
        left, by_class, left_size = below
        best[some], chosen[some] = _first_best(
            left[:, :, 0], by_class, left_size[:, :, 0], least, noise[some], criterion, least_weight
        )
    side = divisions[chosen] == 0
    return best, side ^ side[:, :1]


@cache
def _divisions(n):
    """Return every way to put some of n values on the first side: array [2^(n-1), n] of 0 and 1.

    The last row has all of them there: it is no division, but gives the totals.
    """
    subsets = np.arange(1, 2 ** (n - 1))
    chosen = (subsets[:, None] >> np.arange(n)) & 1
    return np.concatenate([chosen, np.ones((1, n), dtype=int)]).astype(float)


def _first_best(left, below, left_size, least, noise, criterion, least_weight):
    """Return the first best of the divisions [m, S] in each node; the last gives the totals."""
    total, totals, all_sizes = left[:, -1], below[:, -1], left_size[:, -1:]
    left, left_size = left[:, :-1], left_size[:, :-1]
    right = total[:, None] - left
    # A side whose weight is lost in the rounding of the other is as good as empty.
    fits = (left_size >= least) & (all_sizes - left_size >= least)
    lost = total[:, None] * LOST
    fits &= (np.minimum(left, right) > lost) & (np.minimum(left, right) >= least_weight)
    sides = np.where(fits, left, 1), np.where(fits, right, 1)
    scale = total[:, None] / (sides[0] * sides[1])
    splits = BinarySplits(*sides, total, lambda node: node[:, None], scale)
    sums = zip(np.moveaxis(below[:, :-1], 2, 0), totals.T, strict=True)
    if not criterion.has_last:
        sums = list(sums)[:-1]
    gain = criterion.decrease(splits, sums)
    gain = np.where(fits, gain, -np.inf)
    best = gain.max(axis=1)
    floor = best - abs(best) * TIE - noise
    return best, (gain >= floor[:, None]).argmax(axis=1)


def _component(shares, weight):
    """Return where the class shares of each value lie along their first principal component.

    It points away from the first value that does not lie in the middle.
    """
    weight = weight[:, :, None]
    mean = (shares * weight).sum(axis=1, keepdims=True) / weight.sum(axis=1, keepdims=True)
    centred = shares - mean
    if shares.shape[2] <= shares.shape[1]:
        found = centred @ _largest(np.swapaxes(centred * weight, 1, 2) @ centred)
    else:  # the values have the same component as the classes, and are fewer
        root = np.sqrt(weight)
        found = _largest((root * centred) @ np.swapaxes(root * centred, 1, 2)) / root
    size = abs(found)
    first = (size > _MIDDLE * size.max(axis=1, keepdims=True)).argmax(axis=1, keepdims=True)
    return found * -np.sign(np.take_along_axis(found, first, axis=1))


def _largest(matrices):
    """Return the eigenvector of the largest eigenvalue of symmetric matrices: array [m, d, 1]."""
    last = [matrices.shape[1] - 1] * 2
    vectors = [eigh(matrix, subset_by_index=last, check_finite=False)[1] for matrix in matrices]
    for i, found in enumerate(vectors):
        if found.shape[1] == 0:  # of equal eigenvalues it may find none
            vectors[i] = np.linalg.eigh(matrices[i])[1][:, -1:]
    return np.stack(vectors)

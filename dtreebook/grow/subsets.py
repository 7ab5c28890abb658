"""The best way to divide the levels of a nominal column into two groups.

With two classes, and with numbers, the best division is a cut of the levels in the order of their
mean; so only as many divisions need be tried as there are levels, less one. With more classes all
divisions are tried if there are few enough levels; otherwise the cuts of one order.
"""

from functools import cache, partial

import numpy as np
from scipy.linalg import eigh

from dtreebook.grow.criteria import BinarySplits
from dtreebook.grow.tables import Aim, Rows, TieIn, added
from dtreebook.measures import LOST

# With more than two classes, so many levels are divided in every possible way: 2^11 - 1 of them.
MOST_VALUES = 12

# Every way to divide is tried in so many nodes at a time that their cells fit in the cache.
_MOST_CELLS = 2**22

# Means that differ by less than a step, of so many from 0 to the largest, differ by rounding alone.
_STEPS = 2.0**40

# What lies so close to the middle, beside what lies farthest, does so but for rounding.
_MIDDLE = 1e-6


def best_subsets(rows: Rows, aim: Aim, tie: TieIn) -> tuple[np.ndarray, np.ndarray]:
    """Return the best division of the levels of each group.

    Source: Breiman et al. (1984), section 2.4.1 and theorem 4.5, for the order by the mean;
    Coppersmith, Hong and Hosking (1999), for the order along the first principal component of the
    class shares.

    Parameters
    ----------
    rows : `Rows` of levels.
    aim : what is to be lowered, and what either side must have. Which cuts are allowed counts
        for two classes and for numbers.
    tie : function of best decreases and their nodes: how far below another still is as good.

    Returns
    -------
    array [g] of decreases, -inf where no division has two sides of the least size; array [r] of the
    side of each row, 0 or 1. Side 0 has the first row of the group.

    Examples
    --------
    Outlook (sunny, overcast, rain) against playing (no, yes): overcast days go alone.

    >>> from dtreebook.grow.criteria import BINARY
    >>> from dtreebook.grow.tables import Sums
    >>> by_class = np.array([[3.0, 2.0], [0.0, 4.0], [2.0, 3.0]])
    >>> one = np.zeros(1, int)
    >>> rows = Rows(one, one, np.array([3]), np.arange(3), Sums.of(by_class.T))
    >>> best, side = best_subsets(rows, Aim(BINARY["gini"]), lambda best, node: 1e-12)
    >>> round(float(best[0]) / 14, 3), side.tolist()
    (0.102, [0, 1, 0])
    """
    n_classes = len(rows.held.sums)
    best, side = np.full(len(rows.size), -np.inf), np.zeros(len(rows.value), dtype=np.int8)
    is_divided = rows.size > 1
    in_every_way = is_divided & (n_classes > 2) & (rows.size <= MOST_VALUES)
    every = np.flatnonzero(in_every_way)
    if len(every):
        every = every[np.argsort(rows.size[every], kind="stable")]
        cells = np.cumsum(2.0 ** (rows.size[every] - 1)) * n_classes
        for group in np.split(every, np.flatnonzero(np.diff(cells // _MOST_CELLS)) + 1):
            best[group] = _try_all(rows, group, aim, tie, side)
    in_order = is_divided & ~in_every_way
    rest = np.flatnonzero(in_order)
    if len(rest):
        row = np.flatnonzero(np.repeat(in_order, rows.size))
        best[rest], side[row] = _try_cuts(rows.take(rest, row), aim, tie)
    return best, side


def _try_cuts(rows, aim, tie):
    """Try the cuts of the levels of each group in one order."""
    along, first = _positions(rows), rows.first
    group = np.repeat(np.arange(len(first)), rows.size)
    # What is equal but for rounding stays in the order of the levels.
    most = np.maximum.reduceat(abs(along), first)
    if len(rows.held.sums) == 1 and aim.criterion.is_centred:
        # All means are that of the node but for rounding.
        weight = np.add.reduceat(rows.held.weight, first)
        most[most**2 * weight <= tie(np.zeros(len(first)), rows.node)] = np.inf
    unit = most[group] / _STEPS
    order = np.lexsort([np.rint(along / np.where(unit > 0, unit, 1)), group])
    every = np.arange(len(rows.size))
    table = rows.take(every, order)._replace(value=np.arange(len(order))).table()
    best, last = aim.best_cuts(table, partial(tie, node=table.node))
    side = np.empty(len(order), dtype=np.int8)
    side[order] = np.arange(len(order)) > last[0].take(group)
    return best[0], side ^ side[first].take(group)


def _positions(rows):
    """Return where each level lies in the order of which the cuts are tried: array [r]."""
    shares = (rows.held.sums / rows.held.weight).T
    if shares.shape[1] <= 2:
        return shares[:, 0]
    ends = np.cumsum(rows.size)
    along = np.empty(len(rows.value))
    for first, last in zip(ends - rows.size, ends, strict=True):
        along[first:last] = _component(shares[first:last], rows.held.weight[first:last])
    return along


def _try_all(rows, group, aim, tie, side):
    """Try every division of the levels of groups, given by size; fill in the sides of the best."""
    held, n_levels = rows.held, rows.size[group]
    alike = [rows.first[group[n_levels == n]][:, None] + np.arange(n) for n in np.unique(n_levels)]

    def on_side(amount, of=_divisions):
        """Return what each division has on the first side: of the last of a group, all it has."""
        found = [amount[..., row] @ of(row.shape[1]).T for row in alike]
        return np.concatenate([of.reshape(*of.shape[:-2], -1) for of in found], axis=-1)

    size = 2 ** (n_levels - 1)
    last = np.cumsum(size) - 1
    first = last - size + 1

    def repeat(of_group):
        return np.repeat(of_group, size)

    by_class = on_side(held.sums)
    left = added(by_class) if held.is_counted else on_side(held.weight)
    number = left if held.is_counted else on_side(held.cases)
    total, totals = left[last], by_class[:, last]
    if not held.is_counted:  # the lighter side keeps its digits, as in `Groups.lighter`
        right, others = (
            on_side(of, lambda n: 1 - _divisions(n)) for of in (held.weight, held.sums)
        )
        by_class = np.where(left <= right, by_class, others)
        left = np.minimum(left, right)
    right, others = repeat(total) - left, repeat(number[last]) - number
    # A side whose weight is lost in the rounding of the other is as good as empty.
    lost, less = repeat(np.maximum(total * LOST, 0)), np.minimum(left, right)
    fits = (np.minimum(number, others) >= aim.cases) & (less > lost) & (less >= aim.weight)
    sides = np.where(fits, left, 1), np.where(fits, right, 1)
    splits = BinarySplits.of(*sides, total, repeat)
    by_class = list(zip(by_class, totals, strict=True))
    gain = aim.criterion.decrease(splits, by_class[: None if aim.criterion.has_last else -1])
    gain = np.where(fits, gain, -np.inf)
    best = np.maximum.reduceat(gain, first)
    hit = np.flatnonzero(gain >= repeat(best - tie(best, rows.node[group])))
    chosen = hit[np.searchsorted(hit, first)] - first
    for row in alike:
        mine, chosen = np.split(chosen, [len(row)])
        on_second = (_divisions(row.shape[1])[mine] == 0).astype(np.int8)
        side[row] = on_second ^ on_second[:, :1]
    return best


@cache
def _divisions(n):
    """Return every way to put some of n levels on the first side: array [2^(n-1), n] of 0 and 1.

    The last row has all of them there: it is no division, but gives the totals.
    """
    subsets = np.arange(1, 2 ** (n - 1))
    chosen = (subsets[:, None] >> np.arange(n)) & 1
    return np.concatenate([chosen, np.ones((1, n), dtype=int)]).astype(float)


def _component(shares, weight):
    """Return where the class shares of levels lie along their first principal component: [V].

    It points away from the first level that does not lie in the middle.
    """
    weight = weight[:, None]
    centred = shares - (shares * weight).sum(axis=0) / weight.sum()
    if shares.shape[1] <= shares.shape[0]:
        found = centred @ _largest((centred * weight).T @ centred)
    else:  # the levels have the same component as the classes, and are fewer
        root = np.sqrt(weight)
        found = _largest((root * centred) @ (root * centred).T) / root
    found, size = found[:, 0], abs(found[:, 0])
    first = (size > _MIDDLE * size.max()).argmax()
    return found * -np.sign(found[first])


def _largest(matrix):
    """Return the eigenvector of the largest eigenvalue of a symmetric matrix: array [d, 1]."""
    last = [len(matrix) - 1] * 2
    vectors = eigh(matrix, subset_by_index=last, check_finite=False)[1]
    if vectors.shape[1] == 0:  # of equal eigenvalues it may find none
        vectors = np.linalg.eigh(matrix)[1][:, -1:]
    return vectors

"""Levels of a nominal column in groups: two for CART, fewer branches for C4.5.

CART takes the best of all divisions in two. With two classes, and with numbers, that is a cut of
the levels in the order of their mean; so only as many divisions need be tried as there are levels,
less one. With more classes all divisions are tried if there are few enough levels; otherwise the
cuts of one order. C4.5, with -s, joins two groups at a time as long as that helps.
"""

from functools import cache, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from dtreebook import measures
from dtreebook.count.tables import Rows, added
from dtreebook.grow.criteria import BinarySplits, MultiwayCriterion, Tests
from dtreebook.grow.cuts import Aim, TieIn
from dtreebook.measures import LOST, NEXT_TO_NOTHING, TIE, WEIGHT_TOL

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
    >>> from dtreebook.count.tables import Sums
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


# --- groups of C4.5 -------------------------------------------------------------------------------


# A value with no more weight than this is hardly there; a value whose other classes have no more
# than a tenth is of one class; a merger must raise the score by at least this much.
PRESENT, PURE, BETTER = 0.5, 0.1, 1e-5


class Grouping(NamedTuple):
    """Values in groups, and what a test with a branch for each group is worth."""

    #: lists of codes, in the order of the branches; values hardly there are in none.
    groups: list[list[int]]
    #: the information gain in bits; below 0 if fewer than two groups have enough weight.
    gain: float
    information: float  #: the split information in bits
    #: what groupings are compared by, the gain ratio or the gain; below 0 if there is none.
    value: float


def group_values(
    table: np.ndarray, unknown: float, min_weight: float, criterion: MultiwayCriterion
) -> Grouping:
    """Group the values of one attribute at one node, greedily, two groups at a time.

    Values of one class go together first. Then the pair whose merger has the best score is merged
    (of equals the last), as long as that raises the score. A pair that keeps half of the gain takes
    the lead from one that does not, but a later one of no less score takes it back. With fewer than
    three groups of enough cases the largest is left alone, and with fewer than two a merger is made
    even if it does not help. The merged groups take the first one's place, and the last group moves
    to the place that falls vacant.

    A value hardly there has no group, but its cases still count among the known ones, and it is a
    branch of its own in the grouping to start from.

    Source: Quinlan (1993), section 7.2, and what Release 8 of the program prints.

    Parameters
    ----------
    table : array [V, K] of weights: one row per value.
    unknown : the weight of the cases whose value is unknown.
    min_weight : the weight from which a group is large enough to be a branch; while groups are
        sought, 1 is enough.
    criterion : what groups are to have most of. No merger raises one that is no ratio, such as the
        gain: two groups are left in the end.

    Returns
    -------
    `Grouping`; one of no value, or less, makes the attribute no candidate.

    Examples
    --------
    The outlook of play tennis (sunny, overcast, rainy), counted by class:

    >>> from dtreebook.grow.criteria import MULTIWAY
    >>> table = np.array([[3.0, 2], [0, 4], [2, 3]])
    >>> tennis = group_values(table, 0.0, 2, MULTIWAY["gain_ratio"])
    >>> tennis.groups, f"{tennis.gain:.3f}", f"{tennis.information:.3f}"
    ([[0, 2], [1]], '0.226', '0.863')
    """
    weights = table.sum(axis=1)
    apart = [[v] for v in range(len(table))]
    there = [[v] for v in np.flatnonzero(weights > PRESENT + WEIGHT_TOL).tolist()]
    pure = _join_pure(table, there)
    merges_pure = len(pure) < len(there)
    found = _judge(table, pure if merges_pure else apart, unknown, min_weight, criterion)
    found = found._replace(groups=pure)
    half = found.gain / 2
    while len(found.groups) > 2:
        sizes = np.array([weights[group].sum() for group in found.groups])
        enough = np.count_nonzero(sizes >= min_weight * (1 - WEIGHT_TOL))
        is_forced = not criterion.is_ratio or enough < 2
        barred = int((sizes >= sizes.max() * (1 - WEIGHT_TOL)).argmax()) if enough < 3 else None
        leader = None
        for a, b in combinations(range(len(found.groups)), 2):
            if barred in (a, b):
                continue
            merged = _judge(table, _merged(found.groups, a, b), unknown, min_weight, criterion)
            if leader is None:
                leads = is_forced or merged.gain >= half - TIE or merged.value >= -TIE
            else:
                is_first_to_keep_half = leader.gain < half - TIE <= merged.gain
                leads = is_first_to_keep_half or merged.value >= leader.value - TIE
            leader = merged if leads else leader
        if not is_forced and (leader is None or leader.value < found.value + BETTER - TIE):
            break
        found = leader
    return found


def _merged(groups, a, b):
    """Return the groups with two of them as one; the last one takes the place of the second."""
    merged = list(groups)
    merged[a] = sorted(groups[a] + groups[b])
    merged[b] = merged[-1]
    return merged[:-1]


def _join_pure(table, groups):
    """Join the values of one class with the others of that class."""
    a = 0
    while a < len(groups):
        label = _only_class(table[groups[a]].sum(axis=0))
        b = a + 1
        while label is not None and b < len(groups):
            if _only_class(table[groups[b]].sum(axis=0)) == label:
                groups = _merged(groups, a, b)
            else:
                b += 1
        a += 1
    return groups


def _only_class(counts):
    """Return the class of a group that has but one, else None."""
    label = int(counts.argmax())
    return label if counts.sum() - counts[label] <= PURE + WEIGHT_TOL else None


def _judge(table, groups, unknown, min_weight, criterion):
    """Return a `Grouping` of these groups."""
    rows = np.array([table[group].sum(axis=0) for group in groups]).reshape(-1, table.shape[1])
    sizes = rows.sum(axis=1)
    known, everything = table.sum(), table.sum() + unknown
    is_enough = (sizes > 0) & (sizes >= min(min_weight, 1) * (1 - WEIGHT_TOL))
    if np.count_nonzero(is_enough) < 2:
        return Grouping(groups, -NEXT_TO_NOTHING, 0.0, -NEXT_TO_NOTHING)
    left = (sizes * measures.entropy(rows)).sum()
    entropy = float(measures.entropy(table.sum(axis=0)))
    gain = (known * entropy - float(left)) / everything
    # Values hardly there are no branches, but they count in what the branches are shares of.
    part = (sizes.sum() + unknown) / everything
    information = float(measures.split_information(rows, unknown)) * part
    if criterion.is_ratio and information <= NEXT_TO_NOTHING:
        return Grouping(groups, gain, information, -NEXT_TO_NOTHING)
    part = part if criterion.is_ratio else 1  # a ratio divides by the information of the rows
    score = criterion.score(Tests(gain, information / part, entropy, rows, unknown))
    return Grouping(groups, gain, information, float(score) / part)

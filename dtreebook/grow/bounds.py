"""What no cut inside a range of values can exceed, so that most ranges need no look inside.

The decrease of an impurity is a convex function of what lies on the left of a cut. A convex
function is largest at a corner, so no cut inside a range is better than the best corner of what
could lie on its left there. Only the ranges whose bound reaches the best cut between two ranges are
looked into: of a million values about one in a hundred. The tree is the same.
"""

import numpy as np

from dtreebook.count.ranges import Doubtful
from dtreebook.count.tables import Table, added
from dtreebook.grow.criteria import BinaryCriterion, BinarySplits


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

"""Grouping the values of a nominal attribute into fewer branches: C4.5's -s option."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from dtreebook import measures
from dtreebook.grow.criteria import MultiwayCriterion
from dtreebook.measures import NEXT_TO_NOTHING, TIE, WEIGHT_TOL

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
    information = float(measures.split_information(rows, unknown))
    information *= (sizes.sum() + unknown) / everything
    if criterion.is_ratio and information <= NEXT_TO_NOTHING:
        return Grouping(groups, gain, information, -NEXT_TO_NOTHING)
    return Grouping(groups, gain, information, criterion.score(gain, information, entropy))

"""Grouping the values of a nominal attribute into fewer branches: C4.5's -s option."""

from itertools import combinations

import numpy as np

from dtreebook import measures

# A value with less weight than this is not there; a value whose other classes have no more than a
# tenth is of one class; a merger must raise the score by at least this much.
PRESENT, PURE, BETTER = 0.5, 0.1, 1e-5

# Split informations up to this count as none (C4.5 Release 8).
EPSILON = 1e-3


def group_values(table, unknown, min_cases, score):
    """Group the values of one attribute at one node, greedily, two groups at a time.

    Values of one class go together first. Then the pair whose merger has the best score is merged,
    as long as that raises the score, a pair that keeps half of the first gain before any that does
    not. With fewer than three groups of enough cases the largest is left alone, and with fewer
    than two the best merger is made even if it does not help.

    Parameters
    ----------
    table : array [V, K] of weights: one row a value.
    unknown : the weight of the cases whose value is unknown.
    min_cases : the weight from which a group is large enough to be a branch.
    score : "gain_ratio", or "gain", which no merger raises: two groups are left in the end.

    Returns
    -------
    list of lists of codes, by their first code; values that are absent are in none.

    References
    ----------
    Quinlan (1993), section 7.2.

    Examples
    --------
    The outlook of play tennis (sunny, overcast, rainy), counted by class:

    >>> group_values(np.array([[3.0, 2.0], [0.0, 4.0], [2.0, 3.0]]), 0.0, 2, "gain_ratio")
    [[0, 2], [1]]
    """
    groups = [[v] for v in np.flatnonzero(table.sum(axis=1) > PRESENT).tolist()]
    if len(groups) < 2:
        return groups
    half = _judge(table, groups, unknown, score)[0] / 2
    groups = _join_pure(table, groups)
    best = _judge(table, groups, unknown, score)[1]
    while len(groups) > 2:
        weights = [table[group].sum() for group in groups]
        enough = sum(weight >= min_cases for weight in weights)
        barred = int(np.argmax(weights)) if enough < 3 else None
        leader = False, -np.inf, None
        for a, b in combinations(range(len(groups)), 2):
            if barred not in (a, b):
                merged = _merged(groups, a, b)
                gain, value = _judge(table, merged, unknown, score)
                keeps = gain >= half
                if keeps > leader[0] or (keeps == leader[0] and value > leader[1] + BETTER):
                    leader = keeps, value, merged
        if score == "gain_ratio" and leader[1] < best + BETTER and enough >= 2:
            break
        _, best, groups = leader
    return groups


def _merged(groups, a, b):
    return [*groups[:a], sorted(groups[a] + groups[b]), *groups[a + 1 : b], *groups[b + 1 :]]


def _join_pure(table, groups):
    """Join the values of one class with the others of that class."""
    joined, by_class = [], {}
    for group in groups:
        counts = table[group].sum(axis=0)
        label = int(counts.argmax())
        if counts[label] < counts.sum() - PURE:
            joined.append(group)
        elif label in by_class:
            by_class[label].extend(group)
        else:
            by_class[label] = list(group)
            joined.append(by_class[label])
    return joined


def _judge(table, groups, unknown, score):
    """Return the gain of a grouping, and the score it is judged by."""
    rows = np.array([table[group].sum(axis=0) for group in groups])
    gain = float(measures.information_gain(rows, unknown))
    if score == "gain":
        return gain, gain
    information = float(measures.split_information(rows, unknown))
    return gain, gain / information if information > EPSILON else -np.inf

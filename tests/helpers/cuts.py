"""The cuts of one numeric attribute at one node, one at a time, straight from the rules of C4.5."""

from itertools import pairwise
from math import fsum, log2
from typing import NamedTuple

import numpy as np

NEAR = 1e-5  # values closer than this are one
TIE = 1e-12  # gains closer than this are tied: the first wins

ROUNDING = 1e-9  # weights closer than this are equal


class Cut(NamedTuple):
    """A cut between two neighbouring values: the weights beside it, its gain before the penalty."""

    low: float
    high: float
    left: float
    right: float
    gain: float


class Offer(NamedTuple):
    """The best cut of an attribute: penalised gain, split information, and the cut as printed."""

    gain: float
    information: float
    cut: float


def entropy(weights):
    whole = fsum(weights)
    return -fsum(w / whole * log2(w / whole) for w in weights if w > 0)


def every(value, target, weight, total):
    """Return every cut between known values of a node that holds this total weight."""
    known = [(v, k, w) for v, k, w in zip(value, target, weight, strict=True) if v == v]

    def needed(cases):
        by_class = [fsum(w for _, k, w in cases if k == c) for c in {k for _, k, _ in cases}]
        return fsum(by_class) * entropy(by_class) if cases else 0.0

    cuts = []
    for low, high in pairwise(sorted({v for v, _, _ in known})):
        sides = [case for case in known if case[0] <= low], [c for c in known if c[0] > low]
        weights = [fsum(w for _, _, w in side) for side in sides]
        gain = (needed(known) - needed(sides[0]) - needed(sides[1])) / total
        if low < high - NEAR:  # high - low would round otherwise
            cuts.append(Cut(low, high, *weights, gain))
    return cuts


def bound(known, n_classes, control):
    """Return the least weight on either side of a cut."""
    tenth = known / n_classes / 10
    if not control.mdl_penalty or tenth <= control.min_weight:
        return control.min_weight
    return min(tenth, 25)


def best(cuts, known, total, n_classes, values, control, slack=(ROUNDING, ROUNDING)):
    """Return the `Offer` of the best cut, or None if no cut may be made.

    Parameters
    ----------
    cuts : what `every` returns.
    known, total : the weights of the cases with a known value, and of all.
    values : every training value of the attribute: the cut is the largest up to the middle.
    slack : how much less than the bound the two sides may weigh. If it is negative, a side that
        weighs just the bound is too small.
    """
    least = bound(known, n_classes, control)
    tried = [c for c in cuts if c.left >= least - slack[0] and c.right >= least - slack[1]]
    if not tried:
        return None
    top = max(cut.gain for cut in tried)
    first = next(cut for cut in tried if cut.gain >= top - TIE)
    gain = first.gain - (log2(len(tried)) / total if control.mdl_penalty else 0)
    if control.mdl_penalty and gain <= 0:
        return None
    middle = min(first.low / 2 + first.high / 2, np.nextafter(first.high, first.low))
    information = entropy([first.left, first.right, max(total - known, 0)])
    return Offer(gain, information, float(np.max(values[values <= middle])))

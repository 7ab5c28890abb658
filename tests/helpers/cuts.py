"""The cuts of one numeric attribute at one node, one at a time, straight from the rules of C4.5."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from bits import FLOATS, entropy, needed

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


def every(value, target, weight, total, log2=FLOATS.log2):
    """Return every cut between known values of a node that holds this total weight."""
    by_value = {}
    for v, k, w in zip(value, target, weight, strict=True):
        if v == v:
            by_value.setdefault(v, Counter())[k] += Fraction(w)
    cuts, left, right = [], Counter(), sum(by_value.values(), Counter())
    before = needed(right.values(), log2)
    for low, high in pairwise(sorted(by_value)):
        left, right = left + by_value[low], right - by_value[low]
        gain = (before - needed(left.values(), log2) - needed(right.values(), log2)) / total
        if low < high - NEAR:  # high - low would round otherwise
            cuts.append(Cut(low, high, left.total(), right.total(), gain))
    return cuts


def bound(known, n_classes, control):
    """Return the least weight on either side of a cut."""
    tenth = known / n_classes / 10
    if not control.mdl_penalty or tenth <= control.min_weight:
        return max(control.min_weight, control.min_leaf)
    return max(min(tenth, 25), control.min_leaf)


def best(
    cuts,
    known,
    total,
    n_classes,
    values,
    control,
    slack=(ROUNDING, ROUNDING),
    noise=0,
    numbers=FLOATS,
):
    """Return the `Offer` of the best of `every` cut, or None if no cut may be made.

    The cut is the largest training value up to the middle; the two sides may weigh less than the
    bound by the slack; a gain may be off by the noise.
    """
    least = bound(known, n_classes, control)
    tried = [c for c in cuts if c.left >= least - slack[0] and c.right >= least - slack[1]]
    if not tried:
        return None
    top = max(tried, key=lambda cut: cut.gain)
    first = next((cut for cut in tried if numbers.at_least(cut.gain, top.gain - TIE, noise)), top)
    gain = first.gain
    if control.mdl_penalty:
        gain -= numbers.log2(Fraction(len(tried))) / total
        if numbers.at_least(0, gain, noise):
            return None
    middle = min(first.low / 2 + first.high / 2, np.nextafter(first.high, first.low))
    information = entropy([first.left, first.right, max(total - known, 0)], numbers.log2)
    return Offer(gain, information, float(np.max(values[values <= middle])))

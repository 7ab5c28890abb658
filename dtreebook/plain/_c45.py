"""C4.5: the largest gain ratio, with cuts of numbers and blanks in parts.

Here a case is a triple of a dict, a label and a weight: a case is one
case at first, and where its value is a blank (None) a part of it goes
down every branch. What C4.5 prunes afterwards is not here.
"""

from itertools import pairwise
from math import log2

# The split information must be larger than this, or almost nothing would
# be divided by almost nothing. A gain may fall short of the average by as
# much.
TINY = 0.001


def weight(cases):
    """Return the weight of some cases, without the dust of rounding.

    Examples
    --------
    >>> weight([({}, "no", 1), ({}, "yes", 1 / 3)])
    1.333333333
    """
    return round(sum(part for _, _, part in cases), 9)


def bits(weights):
    """Return the entropy of some weights: ``sum_i w_i/w log2 w/w_i``.

    Examples
    --------
    >>> round(bits([9, 6]), 3)
    0.971
    """
    whole = sum(weights)
    return sum(w / whole * log2(whole / w) for w in weights if w > 0)


def entropy_of(cases):
    """Return the entropy of the labels of some cases, by their weight."""
    labels = {label for _, label, _ in cases}
    return bits([weight([c for c in cases if c[1] == k]) for k in labels])


def piles_of(cases, name, cut=None):
    """Sort cases by a word, or a number by a cut: ``{answer: cases}``.

    The pile of the answer None has the cases whose value is a blank.

    Examples
    --------
    >>> cases = [({"x": x}, "yes", 1) for x in (1, 2, None)]
    >>> piles = piles_of(cases, "x", cut=1)
    >>> {answer: len(pile) for answer, pile in piles.items()}
    {'yes': 1, 'no': 1, None: 1}
    """
    piles = {} if cut is None else {"yes": [], "no": []}
    for case in cases:
        value = case[0][name]
        if value is not None and cut is not None:
            value = "yes" if value <= cut else "no"
        piles.setdefault(value, []).append(case)
    return piles


def gain_of(piles):
    """Return the information gain of some piles, in bits.

    It is that of the cases of known value, times their share.

    Source: Quinlan (1993), section 3.2.

    Examples
    --------
    Of six cases five are known, and they leave nothing open:

    >>> lend, refuse = ({}, "lend", 1), ({}, "refuse", 1)
    >>> piles = {"yes": [lend] * 2, "no": [refuse] * 3, None: [lend]}
    >>> round(gain_of(piles), 3)
    0.809
    """
    known = [pile for answer, pile in piles.items() if answer is not None]
    cases = sum(known, [])
    n = weight(cases)
    left = sum(weight(pile) / n * entropy_of(pile) for pile in known)
    share = n / (n + weight(piles.get(None, [])))
    return share * (entropy_of(cases) - left)


def information_of(piles):
    """Return the split information of some piles, in bits.

    A blank counts as one more answer.

    Source: Quinlan (1993), sections 2.2 and 3.2.

    Examples
    --------
    >>> one = ({}, "lend", 1)
    >>> information_of({"yes": [one] * 2, "no": [one], None: [one]})
    1.5
    """
    return bits([weight(pile) for pile in piles.values()])


def best_cut(cases, name, n_classes, least=2):
    """Return the best cut of a number and what is left of its gain.

    Either side must have a weight of `least`, and a tenth of the average
    class, though no more than 25 of it. The gain pays for the bits that
    it takes to say which of the cuts it was; if none of it is left, and
    if no cut is admissible, None is returned.

    Source: Quinlan (1993), section 2.4; Quinlan (1996), section 3.

    Examples
    --------
    >>> labels = {1: "no", 2: "no", 3: "yes", 4: "yes", 5: "yes"}
    >>> cases = [({"x": x}, k, 1) for x, k in labels.items()]
    >>> cut, left = best_cut(cases, "x", n_classes=2)
    >>> cut, round(left, 3)  # one of two cuts costs 1/5 bit
    (2.5, 0.771)
    """
    known = [case for case in cases if case[0][name] is not None]
    tenth = round(weight(known) / n_classes / 10, 9)
    side = max(least, min(25, tenth))
    gains = {}
    for low, high in pairwise(
        sorted({case[name] for case, _, _ in known})
    ):
        cut = (low + high) / 2
        piles = piles_of(cases, name, cut)
        if min(weight(piles["yes"]), weight(piles["no"])) >= side:
            gains[cut] = round(gain_of(piles), 9)
    if not gains:
        return None
    best = max(gains, key=gains.get)
    left = gains[best] - log2(len(gains)) / weight(cases)
    return (best, left) if left > 0 else None


def offer(cases, name, seen, n_classes, least=2):
    """Return what an attribute offers: (gain, split information, cut).

    Two branches must have a weight of `least`, otherwise it offers None.

    Source: Quinlan (1993), sections 2.2 and 2.4.

    Examples
    --------
    >>> cases = [({"sky": "sun"}, "yes", 1), ({"sky": "rain"}, "no", 1)]
    >>> offer(cases, "sky", ["rain", "sun"], n_classes=2, least=1)
    (1.0, 1.0, None)
    """
    if isinstance(seen[0], str):
        piles = piles_of(cases, name)
        known = [pile for word, pile in piles.items() if word is not None]
        if sum(weight(pile) >= least for pile in known) < 2:
            return None
        return gain_of(piles), information_of(piles), None
    best = best_cut(cases, name, n_classes, least)
    if best is None:
        return None
    cut, left = best
    return left, information_of(piles_of(cases, name, cut)), cut


def best_question(cases, values, n_classes, least=2, epsilon=0.0):
    """Return the attribute with the largest gain ratio, and its cut.

    The guard: it must gain at least the average of what is offered. None
    is returned if nothing is offered, or no ratio is at least epsilon.

    Source: Quinlan (1993), section 2.2.
    """
    offers = {
        a: offer(cases, a, values[a], n_classes, least) for a in values
    }
    offers = {name: each for name, each in offers.items() if each}
    average = sum(gain for gain, _, _ in offers.values()) / max(
        len(offers), 1
    )
    ratios = {}
    for name, (gain, information, cut) in offers.items():
        if gain >= average - TINY and information > TINY:
            ratios[name, cut] = round(gain / information, 9)
    best = max(ratios, key=ratios.get, default=None)
    return best if best and ratios[best] >= epsilon else None


def send_down(piles):
    """Give each pile its part of the cases whose value is a blank.

    Source: Quinlan (1993), section 3.2.

    Examples
    --------
    >>> known = ({}, "lend", 1)
    >>> piles = {"yes": [known] * 3, "no": [known], None: [known]}
    >>> send_down(piles)["no"]
    [({}, 'lend', 1), ({}, 'lend', 0.25)]
    """
    blanks = piles.get(None, [])
    known = {
        answer: piles[answer] for answer in piles if answer is not None
    }
    n = sum(weight(pile) for pile in known.values())
    for answer, pile in known.items():
        share = weight(pile) / n
        parts = [(case, label, w * share) for case, label, w in blanks]
        known[answer] = pile + parts
    return known


def asked(name, cut, seen):
    """Return the words of a question, and its answers in order.

    The threshold is a value that occurred, the largest up to the cut.

    Source: Quinlan (1993), section 2.4.

    Examples
    --------
    >>> asked("humidity", 77.5, [65, 70, 75, 80])
    ('humidity <= 75', ['yes', 'no'])
    """
    if cut is None:
        return name, seen
    threshold = max(value for value in seen if value <= cut)
    return f"{name} <= {threshold}", ["yes", "no"]


def c45(cases, values, classes, least=2, epsilon=0.0, above=""):
    """Grow a tree with C4.5, as it is before anything is pruned.

    It is a label, ``{attribute: {value: tree}}``, or ``{"x <= 3": {"yes":
    tree, "no": tree}}``. Release 8 leaves attributes whose values are 30%
    of the cases or more out of the average gain; this function does not.

    Source: Quinlan (1993), chapters 2 and 3; Quinlan (1996), section 3.

    Parameters
    ----------
    cases : triples of a dict of words and numbers, None for a blank, a
        label and a weight.
    values : a dict from each attribute to the values that occur, words or
        numbers, in order.
    classes : the labels, in order: of equally common ones the first is
        taken.
    least : the weight that two branches must have at least.
    epsilon : the least gain ratio that divides a node.
    above : the majority label one step above, for a value that no case
        has.

    Examples
    --------
    >>> labels = {1: "no", 2: "no", 3: "yes", 4: "yes", 5: "yes"}
    >>> cases = [({"x": x}, k, 1) for x, k in labels.items()]
    >>> c45(cases, {"x": [1, 2, 3, 4, 5]}, ["no", "yes"])
    {'x <= 2': {'yes': 'no', 'no': 'yes'}}
    """
    weights = {
        k: weight([c for c in cases if c[1] == k]) for k in classes
    }
    majority = max(classes, key=weights.get) if cases else above
    is_mixed = sum(w > 0 for w in weights.values()) > 1
    best = None
    if is_mixed and weight(cases) >= 2 * least:
        best = best_question(cases, values, len(classes), least, epsilon)
    if best is None:
        return majority
    name, cut = best
    question, answers = asked(name, cut, values[name])
    piles, tree = send_down(piles_of(cases, name, cut)), {}
    for answer in answers:
        pile = piles.get(answer, [])
        tree[answer] = c45(
            pile, values, classes, least, epsilon, majority
        )
    return {question: tree}

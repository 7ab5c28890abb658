"""The algorithms as the chapters write them, over lists of cases: to be read, not to be fast.

A case is a pair of a dict, from the names of the attributes to words or numbers, and a label. The
rest of the package finds the same trees, node for node, for a million cases.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from math import log2
from operator import contains, ge
from typing import Any, NamedTuple

__all__ = ["c45_choice", "cart", "entropy", "gain", "gini", "id3"]

Value = Any  # a word, a number, or None where it is unknown
Case = tuple[dict[str, Value], str]
Cases = Sequence[Case]
Words = dict[str, Sequence[str]]
Questions = Iterator[tuple[str, Callable[[Value], bool]]]
Tree = str | dict[str, dict]

# Gains are rounded before they are compared: those equal on paper may differ in the last digits.


def entropy(labels: Sequence) -> float:
    """Return the entropy of some labels, in bits: ``H = sum_k p_k log2 1/p_k``.

    References
    ----------
    Shannon (1948), section 6.

    Examples
    --------
    >>> round(entropy(["yes"] * 9 + ["no"] * 6), 3)
    0.971
    """
    n = len(labels)
    return sum(count / n * log2(n / count) for count in Counter(labels).values())


def gini(labels: Sequence) -> float:
    """Return the Gini impurity of some labels: ``1 - sum_k p_k^2``.

    References
    ----------
    Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    >>> gini(["yes"] * 9 + ["no"] * 6)
    0.48
    """
    return 1 - sum((count / len(labels)) ** 2 for count in Counter(labels).values())


def gain(cases: Cases, name: str) -> float:
    """Return the information gain of an attribute, in bits.

    References
    ----------
    Quinlan (1986), section 4.

    Examples
    --------
    Nothing is left to ask once it is known who has a house:

    >>> round(gain([({"house": "yes"}, "lend"), ({"house": "no"}, "refuse")], "house"), 3)
    1.0
    """
    left = 0.0
    for value in {case[name] for case, _ in cases}:
        pile = [label for case, label in cases if case[name] == value]
        left += len(pile) / len(cases) * entropy(pile)
    return entropy([label for _, label in cases]) - left


def id3(cases: Cases, values: Words, classes: Sequence[str], above: str = "") -> Tree:
    """Grow a tree with ID3: a label, or ``{attribute: {value: tree}}``.

    Parameters
    ----------
    cases : pairs of a dict of words and a label; no value is unknown.
    values : the values of each attribute, in order.
    classes : the labels, in order: of equally common ones the first is taken.
    above : the majority label one step above, for a value that no case has.

    References
    ----------
    Quinlan (1986), section 4.

    Examples
    --------
    >>> owner, tenant = {"house": "yes", "work": "no"}, {"house": "no", "work": "no"}
    >>> values = {"work": ["no", "yes"], "house": ["no", "yes"]}
    >>> id3([(owner, "lend"), (tenant, "refuse")], values, ["lend", "refuse"])
    {'house': {'no': 'refuse', 'yes': 'lend'}}
    """
    labels = [label for _, label in cases]
    majority = max(classes, key=labels.count) if labels else above
    useful = [a for a in values if len({case[a] for case, _ in cases}) > 1]
    if len(set(labels)) <= 1 or not useful:
        return majority
    best = max(useful, key=lambda a: round(gain(cases, a), 9))
    piles = {v: [c for c in cases if c[0][best] == v] for v in values[best]}
    return {best: {v: id3(pile, values, classes, majority) for v, pile in piles.items()}}


class Candidate(NamedTuple):
    """A test that C4.5 may choose: an attribute, its cut if it is a number, and what it tells."""

    name: str
    cut: float | None
    gain: float
    information: float

    @property
    def ratio(self) -> float:
        """The gain ratio."""
        return self.gain / self.information


def c45_choice(
    cases: Cases, values: dict[str, Sequence[str] | None], least: int = 2
) -> Candidate | None:
    """Return the test that C4.5 puts at the root, or None for a leaf.

    Of the tests with at least average gain the one with the largest gain ratio; of equals the
    first. Attributes with a value for every third case or so do not count in the average.

    Parameters
    ----------
    cases : pairs of a dict and a label; None is an unknown value.
    values : the words of each attribute; None if it is a number.
    least : how many cases two of the branches must have.

    References
    ----------
    Quinlan (1993), sections 2.2 to 2.4 and 3.2; Quinlan (1996), section 3, for the penalty.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> golf = load_golf()
    >>> mornings = list(zip(golf.data.to_dict("records"), golf.target))
    >>> windy, outlook = ["false", "true"], ["overcast", "rain", "sunny"]
    >>> values = {"outlook": outlook, "temperature": None, "humidity": None, "windy": windy}
    >>> best = c45_choice(mornings, values)
    >>> best.name, round(best.gain, 3), round(best.ratio, 3)
    ('outlook', 0.247, 0.156)
    """
    tried = (c45_test(cases, name, words, least) for name, words in values.items())
    tests = [test for test in tried if test is not None]
    few = [name for name, words in values.items() if len(words or ()) < 0.3 * len(cases)]
    gains = [test.gain for test in tests if test.name in (few or values)]
    if not gains:
        return None
    average = sum(gains) / len(gains)
    good = [test for test in tests if test.gain >= average - 0.001 and test.information > 0.001]
    return max(good, key=lambda test: round(test.ratio, 9), default=None)


def c45_test(cases: Cases, name: str, words: Sequence[str] | None, least: int) -> Candidate | None:
    """Return what C4.5 makes of an attribute: a branch for each word, or the best cut; or None.

    The gain is that of the known cases, times their share; the unknown ones count as one more
    branch in the split information.

    References
    ----------
    Quinlan (1993), sections 2.4 and 3.2; Quinlan (1996), section 3.

    Examples
    --------
    Of three cuts the middle one is best, and log2(3) / 8 bits are paid for the choice:

    >>> cases = [({"x": x}, label) for x, label in enumerate("aaaabbbb")]
    >>> c45_test(cases, "x", None, 1).cut, round(c45_test(cases, "x", None, 3).gain, 3)
    (3, 0.802)
    """
    known = [(case, label) for case, label in cases if case[name] is not None]
    share = len(known) / len(cases)
    if words is not None:
        sizes = Counter(case[name] for case, _ in known)
        if sum(size >= least for size in sizes.values()) < 2:
            return None
        information = entropy([case[name] for case, _ in cases])
        return Candidate(name, None, share * gain(known, name), information)
    window = 0.1 * len(known) / len({label for _, label in cases})
    window = least if window <= least else min(window, 25)
    sides = {
        low: [({name: case[name] <= low}, label) for case, label in known]
        for low, high in pairwise(sorted({case[name] for case, _ in known}))
        if window <= sum(case[name] <= low for case, _ in known) <= len(known) - window
    }
    if not sides:
        return None
    cut = max(sides, key=lambda low: round(gain(sides[low], name), 9))
    told = share * gain(sides[cut], name) - log2(len(sides)) / len(cases)
    branch = [None if case[name] is None else case[name] <= cut for case, _ in cases]
    return Candidate(name, cut, told, entropy(branch)) if told > 0 else None


def questions_about(cases: Cases, name: str) -> Questions:
    """Yield every question with two answers that CART has about an attribute.

    Numbers are asked *at most c?*, with c half-way between two neighbours; words *one of these?*.

    References
    ----------
    Breiman et al. (1984), section 2.4.1.

    Examples
    --------
    >>> cases = [({"x": x}, "yes") for x in (1, 2, 4)]
    >>> [words for words, is_yes in questions_about(cases, "x")]
    ['x <= 1.5', 'x <= 3']
    """
    values = sorted({case[name] for case, _ in cases})
    if isinstance(values[0], str):
        for k in range(1, len(values)):
            for group in combinations(values[:-1], k):  # never the last one
                words = f"{name} in {{{','.join(group)}}}"
                yield words, partial(contains, group)  # is the value in it?
    else:
        for low, high in pairwise(values):
            cut = (low + high) / 2
            yield f"{name} <= {cut:g}", partial(ge, cut)  # is the cut as large as the value?


def cart(cases: Cases, names: Sequence[str]) -> Tree:
    """Grow a tree with CART: a label, or ``{question: {"yes": tree, "no": tree}}``.

    Parameters
    ----------
    cases : pairs of a dict of words and numbers, all of them known, and a label.
    names : the attributes to ask about; of equally good questions the first is asked.

    References
    ----------
    Breiman et al. (1984), chapter 2.

    Examples
    --------
    >>> cart([({"x": 1}, "no"), ({"x": 2}, "yes"), ({"x": 4}, "yes")], ["x"])
    {'x <= 1.5': {'yes': 'no', 'no': 'yes'}}
    """
    labels = [label for _, label in cases]
    best, most = None, 0.0
    for name in names:
        for words, is_yes in questions_about(cases, name):
            yes = [case for case in cases if is_yes(case[0][name])]
            no = [case for case in cases if not is_yes(case[0][name])]
            left = sum(
                len(pile) / len(cases) * gini([label for _, label in pile]) for pile in (yes, no)
            )
            decrease = round(gini(labels) - left, 9)
            if decrease > most:
                best, most = (words, yes, no), decrease
    if best is None:
        return max(sorted(set(labels)), key=labels.count)
    words, yes, no = best
    return {words: {"yes": cart(yes, names), "no": cart(no, names)}}

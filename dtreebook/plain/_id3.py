"""ID3: of all attributes the one with the largest gain."""

from collections import Counter
from math import log2

# Gains are rounded before they are compared, because those that are
# equal on paper may differ in the last digits.


def entropy(labels):
    """Return the entropy of some labels, in bits.

    ``H = sum_k p_k log2 1/p_k``

    Source: Shannon (1948), section 6.

    Examples
    --------
    >>> round(entropy(["yes"] * 9 + ["no"] * 6), 3)
    0.971
    """
    n = len(labels)
    counts = Counter(labels).values()
    return sum(count / n * log2(n / count) for count in counts)


def gain(cases, name):
    """Return the information gain of an attribute, in bits.

    Source: Quinlan (1986), section 4.

    Examples
    --------
    Nothing is left to ask once it is known who has a house:

    >>> owner, tenant = {"house": "yes"}, {"house": "no"}
    >>> gain([(owner, "lend"), (tenant, "refuse")], "house")
    1.0
    """
    left = 0.0
    for value in {case[name] for case, _ in cases}:
        pile = [label for case, label in cases if case[name] == value]
        left += len(pile) / len(cases) * entropy(pile)
    return entropy([label for _, label in cases]) - left


def id3(cases, values, classes, above=""):
    """Grow a tree with ID3: a label, or ``{attribute: {value: tree}}``.

    Source: Quinlan (1986), section 4.

    Parameters
    ----------
    cases : pairs of a dict of words and a label; no value is unknown.
    values : a dict from each attribute to its values, in order.
    classes : the labels, in order: of equally common ones the first is
        taken.
    above : the majority label one step above, for a value that no case
        has.

    Examples
    --------
    >>> owner = {"work": "yes", "house": "yes"}
    >>> tenant = {"work": "yes", "house": "no"}
    >>> values = {"work": ["no", "yes"], "house": ["no", "yes"]}
    >>> cases = [(owner, "lend"), (tenant, "refuse")]
    >>> id3(cases, values, ["lend", "refuse"])
    {'house': {'no': 'refuse', 'yes': 'lend'}}
    """
    labels = [label for _, label in cases]
    majority = max(classes, key=labels.count) if labels else above
    useful = [
        a for a in values if len({case[a] for case, _ in cases}) > 1
    ]
    if len(set(labels)) <= 1 or not useful:
        return majority
    best = max(useful, key=lambda a: round(gain(cases, a), 9))
    tree = {}
    for value in values[best]:
        pile = [case for case in cases if case[0][best] == value]
        tree[value] = id3(pile, values, classes, majority)
    return {best: tree}

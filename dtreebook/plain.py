"""The algorithms as the pages write them, over lists of cases: to be read, not to be fast.

A case is a pair of a dict, from the names of the attributes to words or numbers, and a label. The
rest of the package finds the same trees, node for node, for a million cases.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise, product
from math import log2
from operator import contains, ge
from typing import Any

Value = Any  # a word or a number
Case = tuple[dict[str, Value], str]
Cases = Sequence[Case]
Words = dict[str, Sequence[str]]
Questions = Iterator[tuple[str, Callable[[Value], bool]]]
Tree = str | dict[str, dict]

# Gains are rounded before they are compared: those equal on paper may differ in the last digits.


def entropy(labels: Sequence) -> float:
    """Return the entropy of some labels, in bits: ``H = sum_k p_k log2 1/p_k``.

    Source: Shannon (1948), section 6.

    Examples
    --------
    >>> round(entropy(["yes"] * 9 + ["no"] * 6), 3)
    0.971
    """
    n = len(labels)
    return sum(count / n * log2(n / count) for count in Counter(labels).values())


def gini(labels: Sequence) -> float:
    """Return the Gini impurity of some labels: ``1 - sum_k p_k^2``.

    Source: Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    >>> gini(["yes"] * 9 + ["no"] * 6)
    0.48
    """
    return 1 - sum((count / len(labels)) ** 2 for count in Counter(labels).values())


def gain(cases: Cases, name: str) -> float:
    """Return the information gain of an attribute, in bits.

    Source: Quinlan (1986), section 4.

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

    Source: Quinlan (1986), section 4.

    Parameters
    ----------
    cases : pairs of a dict of words and a label; no value is unknown.
    values : the values of each attribute, in order.
    classes : the labels, in order: of equally common ones the first is taken.
    above : the majority label one step above, for a value that no case has.

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


def questions_about(cases: Cases, name: str) -> Questions:
    """Yield every question with two answers that CART has about an attribute.

    Numbers are asked *at most c?*, with c half-way between two neighbours; words *one of these?*.

    Source: Breiman et al. (1984), section 2.4.1.

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

    Source: Breiman et al. (1984), chapter 2.

    Parameters
    ----------
    cases : pairs of a dict of words and numbers, all of them known, and a label.
    names : the attributes to ask about; of equally good questions the first is asked.

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


# --- every small tree, and the fewest leaves ------------------------------------------------------


def trees(questions: Words, depth: int) -> Iterator[Tree]:
    """Yield every tree with at most `depth` questions on a path.

    Examples
    --------
    >>> len(list(trees({"a": ("no", "yes"), "b": ("no", "yes")}, depth=2)))
    74
    """
    yield from ("no", "yes")
    for question in questions if depth else ():
        values = questions[question]
        rest = {q: questions[q] for q in questions if q != question}
        below = list(trees(rest, depth - 1))
        for children in product(below, repeat=len(values)):
            yield {question: dict(zip(values, children, strict=True))}


def answer(tree: Tree, case: dict) -> str:
    """Follow a tree down to the class that it predicts.

    Examples
    --------
    >>> answer({"a": {"no": "no", "yes": "yes"}}, {"a": "yes", "b": "no"})
    'yes'
    """
    while not isinstance(tree, str):
        ((question, children),) = tree.items()
        tree = children[case[question]]
    return tree


def n_leaves(tree: Tree) -> int:
    """Count the leaves of a tree.

    Examples
    --------
    >>> n_leaves({"a": {"no": "no", "yes": {"b": {"no": "yes", "yes": "no"}}}})
    3
    """
    if isinstance(tree, str):
        return 1
    (children,) = tree.values()
    return sum(map(n_leaves, children.values()))


def in_words(tree: Tree) -> str:
    """Name the first question of a tree, and what each answer leads to.

    Examples
    --------
    >>> in_words({"a": {"no": "no", "yes": {"b": {"no": "yes", "yes": "no"}}}})
    'a? no -> predict no, yes -> b?'
    """
    if isinstance(tree, str):
        return tree
    ((question, children),) = tree.items()
    ends = (
        f"{v} -> {f'predict {t}' if isinstance(t, str) else f'{next(iter(t))}?'}"
        for v, t in children.items()
    )
    return f"{question}? {', '.join(ends)}"


def fewest_leaves(cases: Cases, questions: Words) -> int:
    """Return the number of leaves of the smallest tree without an error.

    Examples
    --------
    >>> xor = [({"a": a, "b": b}, a != b) for a in (0, 1) for b in (0, 1)]
    >>> fewest_leaves(xor, {"a": (0, 1), "b": (0, 1)})
    4
    """
    if len({kind for _, kind in cases}) <= 1:
        return 1
    return min(leaves_if_first(name, cases, questions) for name in questions)


def leaves_if_first(first: str, cases: Cases, questions: Words) -> int:
    """Return the number of leaves if this question is asked first, and then the best ones.

    Examples
    --------
    >>> both = [({"a": a, "b": b}, a and b) for a in (0, 1) for b in (0, 1)]
    >>> leaves_if_first("a", both, {"a": (0, 1), "b": (0, 1)})
    3
    """
    rest = {name: questions[name] for name in questions if name != first}
    groups = [
        [(case, kind) for case, kind in cases if case[first] == value] for value in questions[first]
    ]
    return sum(fewest_leaves(group, rest) for group in groups)

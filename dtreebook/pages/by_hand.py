"""What can be done by hand: sums laid out as on paper, and every small tree, by trying them all."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from dtreebook import measures
from dtreebook.tree.tree import Tree


def entropy_sheet(counts: pd.Series) -> pd.DataFrame:
    """Lay out the entropy of counts above 0, in bits, with one row per class and their sum.

    Examples
    --------
    >>> entropy_sheet(pd.Series({"heads": 1, "tails": 3}))  # doctest: +NORMALIZE_WHITESPACE
          cases share surprise share × surprise
    class
    heads     1   1/4   2.0000           0.5000
    tails     3   3/4   0.4150           0.3113
    sum       4     1                    0.8113
    """
    share = counts / counts.sum()
    surprise = -np.log2(share)
    sheet = pd.DataFrame(
        {
            "cases": counts.astype(str),
            "share": [f"{count}/{counts.sum()}" for count in counts],
            "surprise": surprise.map("{:.4f}".format),
            "share × surprise": (share * surprise).map("{:.4f}".format),
        }
    )
    sheet = sheet.set_axis(sheet.index.astype(str)).rename_axis("class")
    sheet.loc["sum"] = [str(counts.sum()), "1", "", f"{measures.entropy(counts):.4f}"]
    return sheet


def piles_sheet(table: pd.DataFrame) -> pd.DataFrame:
    """Lay out a conditional entropy, in bits, of counts with one row per value of the attribute.

    Examples
    --------
    >>> house = pd.DataFrame({"no": [6, 0], "yes": [3, 6]}, pd.Index(["no", "yes"], name="house"))
    >>> piles_sheet(house)  # doctest: +NORMALIZE_WHITESPACE
          no yes cases weight entropy weight × entropy
    house
    no     6   3     9   9/15  0.9183           0.5510
    yes    0   6     6   6/15  0.0000           0.0000
    sum    6   9    15      1                   0.5510
    """
    cases, entropy = table.sum(axis=1), measures.entropy(table)
    part = cases / cases.sum() * entropy
    sheet = table.astype(str).assign(
        **{
            "cases": cases.astype(str),
            "weight": [f"{count}/{cases.sum()}" for count in cases],
            "entropy": [f"{bits:.4f}" for bits in entropy],
            "weight × entropy": part.map("{:.4f}".format),
        }
    )
    left = f"{measures.conditional_entropy(table):.4f}"
    sheet = sheet.set_axis(sheet.index.astype(str)).rename_axis(table.index.name)
    sheet.loc["sum"] = [*table.sum().astype(str), str(cases.sum()), "1", "", left]
    return sheet.rename_axis(None, axis=1)


def nested(tree: Tree) -> Any:
    """Return a tree with a branch per value as `{attribute: {value: tree}}`, a leaf as its class.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> nested(ID3Classifier().fit(*datasets.load_loan(return_X_y=True)).tree_)
    {'house': {'no': {'work': {'no': 'no', 'yes': 'yes'}}, 'yes': 'yes'}}
    """
    if tree.classes is None:
        raise ValueError("a regression tree has no class for each leaf: grow one of classes")
    below: dict[tuple[int, ...], Any] = {}
    for path, node in reversed(list(tree.walk())):  # children before parents
        if node.split is None:
            below[path] = tree.classes[int(node.label)]
        else:
            asked = tree.attributes[node.split.column]
            branches = {value: below[(*path, i)] for i, value in enumerate(asked.levels)}
            below[path] = {asked.name: branches}
    return below[()]


# --- every small tree, and the fewest leaves ------------------------------------------------------


Questions = dict[str, tuple]  # from the names of questions to their answers
SmallTree = str | tuple[str, dict]  # a class, or a question with a tree for each of its answers
Cases = list[tuple[dict, object]]  # what each case answers, and its class


def trees(questions: Questions, depth: int) -> Iterator[SmallTree]:
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
            yield question, dict(zip(values, children, strict=True))


def answer(tree: SmallTree, case: dict) -> str:
    """Follow a tree down to the class that it predicts.

    Examples
    --------
    >>> answer(("a", {"no": "no", "yes": "yes"}), {"a": "yes", "b": "no"})
    'yes'
    """
    while not isinstance(tree, str):
        question, children = tree
        tree = children[case[question]]
    return tree


def n_leaves(tree: SmallTree) -> int:
    """Count the leaves of a tree.

    Examples
    --------
    >>> n_leaves(("a", {"no": "no", "yes": ("b", {"no": "yes", "yes": "no"})}))
    3
    """
    return 1 if isinstance(tree, str) else sum(map(n_leaves, tree[1].values()))


def in_words(tree: SmallTree) -> str:
    """Name the first question of a tree, and what each answer leads to.

    Examples
    --------
    >>> in_words(("a", {"no": "no", "yes": ("b", {"no": "yes", "yes": "no"})}))
    'a? no -> predict no, yes -> b?'
    """
    if isinstance(tree, str):
        return tree
    question, children = tree
    ends = (
        f"{v} -> {'predict ' + t if isinstance(t, str) else t[0] + '?'}"
        for v, t in children.items()
    )
    return f"{question}? {', '.join(ends)}"


def fewest_leaves(cases: Cases, questions: Questions) -> int:
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


def leaves_if_first(first: str, cases: Cases, questions: Questions) -> int:
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

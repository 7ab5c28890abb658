"""What is done by hand: sums laid out as on paper, and a tree as one writes it down."""

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

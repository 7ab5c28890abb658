"""The formulas of `measures` decide: put another in the place of one, and the trees follow.

The twin grows its trees one table at a time, by the formulas that stand in `measures` just then.
"""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier, datasets, measures

NEAR = 1e-9


def smokers():
    X, y = datasets.load_smokers(return_X_y=True)
    ordered = [name for name in X if getattr(X[name].dtype, "ordered", False)]
    return X.drop(columns=[*ordered, "weight", "height"]).dropna(axis=1), y


def some_smokers():
    X, y = smokers()
    return X[:65], y[:65]


TABLES = {
    15: lambda: datasets.load_loan(return_X_y=True),
    65: some_smokers,
    1_629: smokers,
    12_960: lambda: datasets.load_nursery(return_X_y=True),
}


# --- other formulas -------------------------------------------------------------------------------

entropy, gain_ratio = measures.entropy, measures.gain_ratio


def one_less_powers(counts):
    return 1 - (measures.shares(counts) ** 1.5).sum(axis=-1)


def entropy_and_more(counts):
    return 1.01 * entropy(counts) + 0.05 * one_less_powers(counts)


def gain_by_powers(table, impurity, unknown=0):
    """The larger branches count for less than they hold."""
    table = np.asarray(table, dtype=float)
    left = measures.shares(table.sum(axis=-1)) ** 1.5 * impurity(table)
    return measures.share_known(table, unknown) * (impurity(table.sum(axis=-2)) - left.sum(axis=-1))


def information_by_powers(table, unknown=0):
    values = np.asarray(table, dtype=float).sum(axis=-1)
    return one_less_powers(
        np.append(values, np.broadcast_to(unknown, values.shape[:-1])[..., None], -1)
    )


def ratio_by_powers(table, unknown=0, gain=None):
    return gain_ratio(table, unknown, gain) * measures.split_information(table, unknown) ** 0.5


FORMULAS = {
    "as it is": {},
    "entropy": {"entropy": one_less_powers},
    "entropy and more": {"entropy": entropy_and_more},
    "gini": {"gini": one_less_powers},
    "gain": {"gain": gain_by_powers},
    "split information": {"split_information": information_by_powers},
    "gain ratio": {"gain_ratio": ratio_by_powers},
}


# --- the twin -------------------------------------------------------------------------------------


def first_best(scores):
    """Return which score is the first of those as good as the best; None if there is none."""
    scores = np.asarray(scores)
    is_best = scores >= scores.max(initial=-np.inf) - NEAR
    return int(is_best.argmax()) if is_best.any() else None


def count(branch, y, n_branches, n_classes):
    cells = np.bincount(branch * n_classes + y, minlength=n_branches * n_classes)
    return cells.reshape(n_branches, n_classes)


def halves(x, is_nominal):
    """Return, for every question with two answers about a column, the branch of each case."""
    values = np.unique(x)
    if not is_nominal:
        return [(x > value).astype(int) for value in values[:-1]]
    groups = (group for size in range(1, len(values)) for group in combinations(values[1:], size))
    return [np.isin(x, group).astype(int) for group in groups]


class Twin:
    """Grow a tree case by case; `kind` says how the columns are asked about and scored."""

    def __init__(self, X, y, classes, kind):
        is_nominal = [isinstance(X[name].dtype, pd.CategoricalDtype) for name in X]
        columns = [X[a].cat.codes if b else X[a] for a, b in zip(X, is_nominal, strict=True)]
        self.x = [np.asarray(column, dtype=float).astype(int) for column in columns]
        self.is_nominal, self.kind = is_nominal, kind
        self.classes, self.y = classes, pd.Categorical(y, classes).codes.astype(int)

    def tree(self, here, depth, used=()):
        """Return the counts of a leaf, or (column, trees below)."""
        y, k = self.y[here], len(self.classes)
        counts = np.bincount(y, minlength=k)
        scores, tests = [], []
        for a, x in enumerate(self.x):
            if np.count_nonzero(counts) > 1 and depth and a not in used:
                for score, branch, n_branches in self.questions(a, x[here], y):
                    scores.append(score)
                    tests.append((a, branch, n_branches))
        if (best := first_best(scores)) is None:
            return tuple(counts.tolist())
        a, branch, n_branches = tests[best]
        is_used = self.is_nominal[a] and not self.kind.startswith("CART")
        used = (*used, a) if is_used else used
        return a, [self.tree(here[branch == b], depth - 1, used) for b in range(n_branches)]

    def questions(self, a, x, y):
        """Yield the score of each question about a column, the branches, and how many there are."""
        k = len(self.classes)
        if self.is_nominal[a] and not self.kind.startswith("CART"):
            if len(np.unique(x)) > 1:
                n_levels = self.x[a].max() + 1
                yield self.score(count(x, y, n_levels, k)), x, n_levels
            return
        branches = halves(x, self.is_nominal[a])
        if not branches:
            return
        tables = np.array([count(branch, y, 2, k) for branch in branches])
        if self.kind == "C4.5":
            best = first_best(measures.information_gain(tables))
            yield self.score(tables[best]), branches[best], 2
            return
        for branch, score in zip(branches, self.score(tables), strict=True):
            yield len(y) * score, branch, 2

    def score(self, table):
        if self.kind == "CART by Gini":
            return measures.gain(table, measures.gini)
        if self.kind == "CART by entropy":
            return measures.gain(table, measures.entropy)
        return (measures.information_gain if self.kind == "ID3" else measures.gain_ratio)(table)


PLAIN = {"min_weight": 0, "average_gain_guard": False, "mdl_penalty": False, "collapse": False,
         "confidence": None}  # fmt: skip
KINDS = {
    "ID3": ID3Classifier(),
    "C4.5": C45Classifier(**PLAIN),
    "CART by Gini": CARTClassifier(),
    "CART by entropy": CARTClassifier(criterion="entropy"),
}


def seen(node):
    if node.is_leaf:
        return tuple(int(count) for count in node.counts)
    return node.split.column, [seen(child) for child in node.children]


@pytest.mark.parametrize("n", TABLES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("formula", FORMULAS)
def test_the_tree_is_that_of_the_formula_in_measures(monkeypatch, formula, kind, n):
    X, y = TABLES[n]()
    assert len(X) == n
    if kind == "ID3":  # it takes numbers for words
        X = X.select_dtypes("category")
    for name, other in FORMULAS[formula].items():
        monkeypatch.setattr(measures, name, other)
    depth = 9 if n < 100 else 3
    tree = clone(KINDS[kind]).set_params(max_depth=depth).fit(X, y).tree_
    assert seen(tree.root) == Twin(X, y, tree.classes, kind).tree(np.arange(n), depth)

"""The algorithms as the pages write them: node for node the trees of the engine."""

import numpy as np
import pandas as pd
import pytest
from drawing import Table, columns
from hypothesis import given
from hypothesis import strategies as st

from dtreebook import CARTClassifier, ID3Classifier
from dtreebook.plain import cart, id3
from dtreebook.tree.splits import Threshold

seeds = st.integers(0, 2**32 - 1)


def random_table(seed, kinds):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    y = pd.Categorical.from_codes(rng.integers(0, rng.integers(1, 4), n), ["a", "b", "c"])
    return Table(tuple(kinds), columns(rng, kinds, n)).frame, y


def as_cases(X, y):
    return list(zip(X.to_dict("records"), y, strict=True))


def as_values(X):
    return {
        name: list(column.cat.categories) if column.dtype == "category" else None
        for name, column in X.items()
    }


def nested(tree, path=()):
    """Return a tree of the engine in the words of the plain one."""
    node = tree.node(path)
    if node.is_leaf:
        return str(tree.classes[node.label])
    attribute = tree.attributes[node.split.column]
    below = [nested(tree, (*path, b)) for b in range(len(node.children))]
    asked, answers = attribute.name, ("yes", "no")
    if isinstance(node.split, Threshold):
        asked = f"{asked} <= {node.split.cut:g}"
    elif hasattr(node.split, "groups"):
        asked = f"{asked} in {{{','.join(attribute.levels[v] for v in node.split.groups[0])}}}"
    else:
        answers = attribute.levels
    return {asked: dict(zip(answers, below, strict=True))}


@given(seed=seeds, n_columns=st.integers(1, 4))
def test_id3_is_that_of_the_engine(seed, n_columns):
    X, y = random_table(seed, [5] * n_columns)
    model = ID3Classifier().fit(X, y)
    wanted = id3(as_cases(X, y), as_values(X), list(model.classes_))
    assert nested(model.tree_) == wanted


@given(seed=seeds, kinds=st.lists(st.sampled_from([2, "quarters"]), min_size=1, max_size=4))
def test_cart_is_that_of_the_engine(seed, kinds):
    """Of several groups of words that are as good, the two take different ones: see below."""
    X, y = random_table(seed, kinds)
    model = CARTClassifier(min_impurity_decrease=1e-9).fit(X, y)
    assert nested(model.tree_) == cart(as_cases(X, y), list(X))


@given(seed=seeds)
def test_cart_divides_words_as_well_as_the_engine(seed):
    X, y = random_table(seed, [5, "quarters", 5])
    model = CARTClassifier(max_depth=1, min_impurity_decrease=1e-9).fit(X, y)
    tree = cart(as_cases(X, y), list(X))
    assert isinstance(tree, str) == model.tree_.root.is_leaf
    if not isinstance(tree, str):
        (words,) = tree
        name, group = words.split(maxsplit=1)
        assert name == X.columns[model.tree_.root.split.column]
        asked = f"{name} in " if group.startswith("in") else f"{name} <= "
        assert words.startswith(asked)
        assert decrease(X, y, words) == pytest.approx(model.tree_.arrays.improvement[0])


def decrease(X, y, words):
    """Return by how much a question lowers the Gini impurity, times the cases."""
    name, how, what = words.split()
    column = X[name]
    yes = column <= float(what) if how == "<=" else column.isin(what[1:-1].split(","))

    def impurity(part):
        counts = np.unique(np.asarray(y)[part], return_counts=True)[1]
        return counts.sum() - (counts**2).sum() / counts.sum()

    yes = yes.to_numpy()
    return impurity(np.ones(len(y), dtype=bool)) - impurity(yes) - impurity(~yes)

"""The algorithms as the pages write them: node for node the trees of the engine."""

import numpy as np
import pandas as pd
import pytest
from drawing import Table, columns
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.base import clone

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier, datasets
from dtreebook.plain import (
    c45,
    cart,
    gain_of,
    id3,
    information_of,
    n_leaves,
    piles_of,
    prune_reduced_error,
    prune_weakest_link,
)
from dtreebook.prune.cost_complexity import prune_at, pruning_path
from dtreebook.prune.reduced_error import reduced_error
from dtreebook.tree.splits import Threshold

seeds = st.integers(0, 2**32 - 1)


def random_table(seed, kinds, least=1, blanks=0.0):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(least, 40))
    y = pd.Categorical.from_codes(rng.integers(0, rng.integers(1, 4), n), ["a", "b", "c"])
    return Table(tuple(kinds), columns(rng, kinds, n, blanks)).frame, y


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
        asked = f"{asked} <= {node.split.cut}"
    elif hasattr(node.split, "groups"):
        asked = f"{asked} in {{{','.join(attribute.levels[v] for v in node.split.groups[0])}}}"
    else:
        answers = attribute.levels
    return {asked: dict(zip(answers, below, strict=True))}


@given(seed=seeds, n_columns=st.integers(1, 4))
def test_id3_is_that_of_the_engine(seed, n_columns):
    X, y = random_table(seed, [5] * n_columns)
    model = ID3Classifier().fit(X, y)
    wanted = id3(as_cases(X, y), as_values(X), list(model.tree_.classes))
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


def as_parts(X, y):
    """Return the cases of C4.5: a blank is None, and a case weighs 1."""
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    return [(row, label, 1) for row, label in zip(rows, y, strict=True)]


def as_seen(X):
    """Return the values of each column, in order: all its words, or the numbers that occur."""
    words = as_values(X)
    return {
        name: words[name] or sorted(X[name].dropna().unique().astype(float).tolist()) for name in X
    }


def is_dust(decision):
    """Whether a cut is offered that gains nothing but what rounding gave it."""
    cuts = [one for one in decision.candidates if isinstance(one.split, Threshold)]
    return any(one.score < 1e-9 for one in cuts)


def unpruned(**told):
    return C45Classifier(confidence=None, collapse=False, **told)


@given(
    seed=seeds,
    kinds=st.lists(st.sampled_from([2, 3, 5, "quarters", "real"]), min_size=1, max_size=4),
    blanks=st.sampled_from([0, 0.1, 0.3]),
    least=st.sampled_from([0, 1, 2, 2, 4]),
    epsilon=st.sampled_from([0, 0, 0.1]),
)
def test_c45_is_that_of_the_engine(seed, kinds, blanks, least, epsilon):
    """With 17 cases or more, five words are few enough to count in the average gain.

    Where a cut gains exactly nothing, rounding decides in Release 8, and in the engine with it.
    """
    X, y = random_table(seed, kinds, 17, blanks)
    model = unpruned(min_weight=least, min_score=epsilon).fit(X, y)
    assume(not any(map(is_dust, model.decisions(X, y))))
    told = as_parts(X, y), as_seen(X), list(model.tree_.classes), least, epsilon
    assert nested(model.tree_) == c45(*told)


@pytest.mark.parametrize("name", ["golf", "tennis", "loan"])
def test_c45_grows_the_documented_trees(name):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    model = unpruned().fit(X, y)
    tree = c45(as_parts(X, y), as_seen(X), list(model.tree_.classes))
    assert tree == nested(model.tree_)
    assert not isinstance(tree, str)


def test_c45_sends_the_blank_of_quinlans_example_down_every_branch():
    X, y = datasets.load_golf(return_X_y=True)
    X.loc[11, "outlook"] = None
    model = unpruned().fit(X, y)
    assert nested(model.tree_) == c45(as_parts(X, y), as_seen(X), list(model.tree_.classes))
    piles = piles_of(as_parts(X, y), "outlook")
    assert gain_of(piles) == pytest.approx(0.199, abs=5e-4)
    assert gain_of(piles) / information_of(piles) == pytest.approx(0.110, abs=5e-4)


@given(seed=seeds, n_columns=st.integers(1, 4))
def test_the_weakest_links_fall_as_in_the_engine(seed, n_columns):
    X, y = random_table(seed, [5] * n_columns)
    model, cases = ID3Classifier().fit(X, y), as_cases(X, y)
    found = prune_weakest_link(nested(model.tree_), cases)
    path = pruning_path(model.tree_)
    assert list(found) == pytest.approx(path.alphas * len(cases), abs=1e-8)
    assert [n_leaves(tree) for tree in found.values()] == path.n_leaves.tolist()
    for alpha, tree in zip(path.alphas, found.values(), strict=True):
        assert tree == nested(prune_at(model.tree_, alpha).tree)


def test_the_weakest_links_of_cart_fall_as_in_the_engine():
    X, y = random_table(1, ["quarters", "real", 3], least=35)
    model = CARTClassifier().fit(X, y)
    found = prune_weakest_link(nested(model.tree_), as_cases(X, y))
    path = pruning_path(model.tree_)
    assert list(found) == pytest.approx(path.alphas * len(X), abs=1e-8)
    wanted = [nested(prune_at(model.tree_, alpha).tree) for alpha in path.alphas]
    assert list(found.values()) == wanted
    assert len(wanted) > 3


@pytest.mark.parametrize(
    ("grower", "kinds"),
    [(ID3Classifier(), [5, 3, 5]), (CARTClassifier(), ["quarters", "real"])],
    ids=["id3", "cart"],
)
@given(seed=seeds)
def test_reduced_error_pruning_is_that_of_the_engine(grower, kinds, seed):
    X, y = random_table(seed, kinds, least=10)
    kept, apart = slice(0, len(X) // 2), slice(len(X) // 2, None)
    tree = clone(grower).fit(X[kept], y[kept]).tree_
    wanted = reduced_error(tree, X[apart], y[apart]).tree
    cases = as_cases(X[kept], y[kept]), as_cases(X[apart], y[apart])
    assert prune_reduced_error(nested(tree), *cases) == nested(wanted)

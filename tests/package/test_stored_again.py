"""What is stored can be loaded: each tree that a function returns, through JSON and pickle."""

import pickle
import warnings
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, refit_leaves
from dtreebook.optimal import optimal_tree
from dtreebook.prune.cost_complexity import prune_at
from dtreebook.prune.early_stopping import best_first, chi_square
from dtreebook.prune.error_based import collapse, error_based
from dtreebook.prune.reduced_error import pessimistic, reduced_error, regularised
from dtreebook.tree.arrays import graft
from dtreebook.tree.code import to_python
from dtreebook.tree.tree import Tree


def cases(rng, n):
    X = pd.DataFrame(
        {
            "n": rng.integers(0, 6, n) / 3,
            "k": rng.choice(["a", "b", "c,d", ""], n),
            "o": pd.Categorical.from_codes(rng.integers(0, 3, n), list("SML"), ordered=True),
        }
    )
    X["k"] = X["k"].astype(object).where(rng.random(n) > 0.1, None)
    X["n"] = X["n"].where(rng.random(n) > 0.1)
    y = np.where((X.n > 0.7) ^ (rng.random(n) < 0.3), "p", "q")
    return X, y, rng.random(n).round(2) + 0.01


def models():
    yield ID3Classifier()
    yield C45Classifier(confidence=None, min_weight=0.5)
    yield C45Classifier(group_values=True, min_weight=0.5)
    yield CARTClassifier(max_surrogates=2)
    yield CARTClassifier(loss=[[0, 1], [3, 0]], missing="surrogates", max_surrogates=1)
    yield CARTClassifier(priors=[0.3, 0.7], missing="stop")
    yield CARTRegressor(max_surrogates=1)
    yield CARTRegressor(criterion="poisson")


def returned(model, X, y, weight, rng):
    """Yield each tree that a function returns for a fitted model, and the model's own."""
    tree = model.tree_
    yield tree
    yield tree.keep({()})
    yield from (prune_at(tree, alpha).tree for alpha in (0.0, 0.5, 5.0))
    yield from prune_at(tree, 5.0).trees
    yield Tree.from_root(tree.root, tree.attributes, tree.classes)
    yield replace(tree, arrays=graft(tree.arrays, {}, tree.node_count - 1))
    number = int(rng.integers(tree.node_count))
    yield replace(tree, arrays=graft(tree.arrays, {number: tree.arrays}))
    if not tree.is_regression:
        yield best_first(tree, 2).tree
        yield from (way(tree).tree for way in (collapse, chi_square, pessimistic))
        if isinstance(model, C45Classifier):  # priors weigh otherwise than the weights given
            yield error_based(tree, X, y, sample_weight=weight).tree
        yield regularised(tree, 1.0).tree
        yield reduced_error(tree, X, y).tree
    yield model.regrow(X, y, at=tree.arrays.path(number), sample_weight=weight, forbid="k").tree_
    if tree.is_regression or tree.arrays.risk is None:
        few = np.sort(rng.choice(len(X), 3, replace=False))
        yield refit_leaves(tree, X.iloc[few], y[few], weight[few])
        refitted = refit_leaves(model, X.iloc[few], y[few])
        assert type(refitted) is type(model)
        assert len(refitted.explain(X)) == len(X)
        yield refitted.tree_
        yield prune_at(refitted.tree_, 0.0).tree


def check(tree, X):
    assert Tree.from_json(tree.to_json()) == tree
    again = Tree.from_json(tree.to_json().encode())
    assert pickle.loads(pickle.dumps(tree)) == tree
    said = tree.predict(X)
    assert np.array_equal(again.predict(X), said)
    if not tree.is_regression:
        assert tree.predict_proba(X).sum(axis=1) == pytest.approx(1)
        program = {}
        exec(to_python(tree), program)
        rows = X.astype(object).where(X.notna(), None).to_dict("records")
        assert [program["predict"](row) for row in rows] == said.tolist()


@settings(max_examples=2, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.integers(0, 10**6))
def test_a_tree_that_a_function_returns_is_stored_and_loaded(seed):
    rng = np.random.default_rng(seed)
    X, y, weight = cases(rng, 25)
    for model in models():
        columns = ["k"] if isinstance(model, ID3Classifier) else list(X)
        target = np.round(X.n.fillna(0) + rng.random(len(X)), 1).to_numpy() * 0.1
        target = target if isinstance(model, CARTRegressor) else y
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X[columns], target, weight)
            for tree in returned(model, X[columns], target, weight, rng):
                check(tree, X[columns])


@pytest.mark.parametrize("grow", [partial(DecisionTreeClassifier), DecisionTreeRegressor])
def test_a_tree_of_scikit_learn_is_stored_and_loaded(grow):
    rng = np.random.default_rng(0)
    X, y = rng.random((80, 3)), rng.integers(0, 3, 80)
    new = pd.DataFrame(X, columns=["x0", "x1", "x2"])
    for criterion in grow()._parameter_constraints["criterion"][0].options - {"poisson"}:
        for seed in range(5):
            model = grow(criterion=criterion, max_depth=4, random_state=seed)
            check(Tree.from_sklearn(model.fit(X, y, rng.random(80))), new)


def test_an_optimal_tree_is_stored_and_loaded():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 4, (40, 2)), columns=["a", "b"])
    check(optimal_tree(X, rng.choice(["p", "q"], 40), max_depth=2).tree, X)


def test_below_a_node_without_cases_every_answer_is_that_of_the_node_above():
    m = CARTClassifier().fit([[1], [2], [3], [4]], [0, 0, 1, 0])
    with pytest.warns(UserWarning, match="no case comes to 2 of the 3 leaves"):
        tree = refit_leaves(m.tree_, [[1]], [0])
    assert Tree.from_json(tree.to_json()) == tree
    assert tree.predict_proba([[1], [2], [3], [4]]).tolist() == [[1, 0]] * 4

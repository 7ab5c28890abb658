"""Forests: every tree is one of ours, grown on rows drawn with replacement; all are averaged."""

import pickle

import numpy as np
import pandas as pd
import pytest
from drawing import mixed
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.ensemble import BaggingClassifier
from sklearn.utils import check_random_state

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.datasets import load_car, load_golf
from dtreebook.forest import ForestClassifier, ForestRegressor
from dtreebook.measures import shares

CELLS = load_breast_cancer(return_X_y=True, as_frame=True)
WINE = load_wine(return_X_y=True, as_frame=True)
DIABETES = load_diabetes(return_X_y=True, as_frame=True)
GOLF = load_golf(return_X_y=True)
CAR = load_car(return_X_y=True)


@pytest.mark.parametrize("model", [CARTClassifier(), C45Classifier()])
def test_names_levels_and_blanks_survive_here_and_not_in_bagging(model):
    rng = np.random.default_rng(3)
    X, _ = mixed(rng, 300)
    y = np.where((X.o >= "r") & (X.k != "u"), "yes", "no")
    X = X.mask(rng.random(X.shape) < 0.05)
    kinds = dict.fromkeys("ab", "numeric") | dict.fromkeys("klm", "nominal") | {"o": "ordered"}
    bag = BaggingClassifier(model, 3, random_state=0).fit(X, y)
    assert {a.name: a.kind for a in bag.estimators_[0].tree_.attributes} != kinds
    forest = ForestClassifier(model, n_estimators=3, random_state=0).fit(X, y)
    for tree in forest.estimators_:
        assert {a.name: a.kind for a in tree.tree_.attributes} == kinds
        assert tree.tree_.attributes[5].levels == tuple("pqrs")
    assert forest.score(X, y) > 0.9
    assert forest.feature_names_in_.tolist() == list(kinds)
    shuffled = X[X.columns[::-1]]
    np.testing.assert_array_equal(forest.predict(shuffled), forest.predict(X))


@pytest.mark.parametrize(
    ("model", "X", "y"),
    [
        (CARTClassifier(max_features="sqrt"), *CELLS),
        (CARTClassifier(priors=[0.2, 0.3, 0.5]), *WINE),
        (C45Classifier(), *GOLF),
        (ID3Classifier(max_features=2), *CAR),
        (CARTRegressor(max_depth=3), *DIABETES),
    ],
)
def test_each_tree_grows_on_the_rows_drawn_and_the_answers_are_averaged(model, X, y):
    kind = ForestRegressor if isinstance(model, CARTRegressor) else ForestClassifier
    forest = kind(model, n_estimators=4, random_state=7).fit(X, y)
    random, told = check_random_state(7), []
    for tree in forest.estimators_:
        rows = random.randint(len(X), size=len(X))
        alone = clone(model).set_params(random_state=random.randint(2**31 - 1))
        alone.fit(X.iloc[rows], y.iloc[rows])
        assert alone.tree_.arrays.split == tree.tree_.arrays.split
        np.testing.assert_allclose(alone.tree_.arrays.counts, tree.tree_.arrays.counts)
        told.append(alone.predict(X) if kind is ForestRegressor else alone.predict_proba(X))
    asked = forest.predict if kind is ForestRegressor else forest.predict_proba
    np.testing.assert_allclose(asked(X), np.mean(told, axis=0))
    if kind is ForestClassifier:
        in_trees = forest.estimators_[0].tree_.classes  # of tied classes the first in their order
        columns = np.searchsorted(forest.classes_, in_trees)
        likeliest = in_trees[np.mean(told, axis=0)[:, columns].argmax(axis=1)]
        np.testing.assert_array_equal(forest.predict(X), likeliest)
    importances = [tree.feature_importances_ for tree in forest.estimators_]
    np.testing.assert_allclose(forest.feature_importances_, np.mean(importances, axis=0))
    assert pickle.loads(pickle.dumps(forest)).score(X, y) == forest.score(X, y)


def test_only_trees_that_have_not_seen_a_case_are_asked_out_of_bag():
    X, y = WINE
    weights = np.arange(len(y)) % 3 + 1.0
    forest = ForestClassifier(n_estimators=6, random_state=1).fit(X, y, weights)
    random, told = check_random_state(1), [[] for _ in range(len(X))]
    for tree in forest.estimators_:
        rows = random.randint(len(X), size=len(X))
        random.randint(2**31 - 1)
        said = tree.predict_proba(X)
        for case in set(range(len(X))) - set(rows.tolist()):
            told[case].append(said[case])
    known = np.array([bool(each) for each in told])
    assert 0 < known.sum() < len(X)
    expected = [np.mean(each, axis=0) for each in told if each]
    np.testing.assert_allclose(forest.oob_decision_function_[known], expected)
    assert np.isnan(forest.oob_decision_function_[~known]).all()
    right = np.argmax(expected, axis=1) == y[known]
    assert forest.oob_score_ == pytest.approx(np.average(right, weights=weights[known]))


def test_a_class_that_is_not_drawn_is_known_all_the_same():
    y = ["rare"] + ["a", "b"] * 8
    X = pd.DataFrame({"x": np.arange(17.0), "w": list("uvwxy" * 4)[:17]})
    for model in (CARTClassifier(), CARTClassifier(loss=1 - np.eye(3)), C45Classifier()):
        forest = ForestClassifier(model, n_estimators=12, random_state=0).fit(X, y)
        assert forest.classes_.tolist() == ["a", "b", "rare"]
        counts = [tree.tree_.arrays.counts[0] for tree in forest.estimators_]
        assert min(each[2] for each in counts) == 0 < max(each[2] for each in counts)
        assert shares(forest.predict_proba(X)) == pytest.approx(forest.predict_proba(X))


def test_a_forest_that_cannot_be_grown_says_why():
    with pytest.raises(ValueError, match="n_estimators == 0, must be >= 1"):
        ForestClassifier(n_estimators=0).fit(*GOLF)
    with pytest.raises(ValueError, match="ccp_alpha is 'best', but nothing is cross-validated in"):
        ForestClassifier(CARTClassifier(ccp_alpha="best")).fit(*GOLF)


@pytest.mark.parametrize(
    ("forest", "tree"),
    [
        (ForestRegressor, CARTClassifier()),
        (ForestClassifier, CARTRegressor()),
        (ForestClassifier, BaggingClassifier()),
        (ForestClassifier, 3),
    ],
)
def test_a_forest_is_of_trees_that_predict_as_it_does(forest, tree):
    words = f"{forest.__name__} averages trees .*, not {type(tree).__name__}"
    with pytest.raises(TypeError, match=words):
        forest(tree).fit([[1], [2]], [0, 1])

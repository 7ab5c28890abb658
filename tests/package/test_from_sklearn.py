"""Trees of scikit-learn as trees of ours: equal in every prediction, and useful."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtreebook.tree.tree import Tree


def table(seed):
    """Draw X with ties and, for some seeds, blanks; classes and weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(5, 200))
    X = rng.normal(size=(n, 4)) * rng.choice([1e-3, 1, 1e6], 4)
    X[:, 0] = X[:, 0].round(int(rng.integers(0, 3)))
    if seed % 2:
        X[rng.random(X.shape) < 0.2] = np.nan
    y = rng.choice(["a", "b", "c"], n)
    return X, y, rng.random(n) + 0.1


@given(st.integers(0, 2**32 - 1))
def test_classes_shares_and_leaves_are_those_of_scikit_learn(seed):
    X, y, weight = table(seed)
    model = DecisionTreeClassifier(max_features=2, random_state=seed, min_samples_leaf=1 + seed % 3)
    model.fit(X, y, weight if seed % 3 else None)
    tree = Tree.from_sklearn(model)
    assert tree.predict(X).tolist() == model.predict(X).tolist()
    np.testing.assert_allclose(tree.predict_proba(X), model.predict_proba(X), atol=1e-12)
    assert (tree.node_count, tree.depth) == (model.tree_.node_count, model.get_depth())
    same_leaf = pd.crosstab(tree.apply(X), model.apply(X)) > 0
    assert (same_leaf.sum(axis=0) == 1).all()
    assert (same_leaf.sum(axis=1) == 1).all()
    assert Tree.from_json(tree.to_json()) == tree


@given(st.integers(0, 2**32 - 1))
def test_numbers_beside_a_cut_take_the_same_side(seed):
    """Numbers in double precision around every threshold, where rounding to single decides."""
    X, y, _ = table(seed)
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    tree = Tree.from_sklearn(model)
    close, features = [], model.tree_.feature
    for i in np.flatnonzero(features >= 0):
        cut = model.tree_.threshold[i]
        single = np.float32(cut)
        spots = [cut, float(single), float(np.nextafter(single, np.float32(np.inf)))]
        spots.append((spots[1] + spots[2]) / 2)
        for spot in spots:
            for value in (spot, np.nextafter(spot, np.inf), np.nextafter(spot, -np.inf)):
                row = np.nan_to_num(X[i % len(X)].copy())
                row[features[i]] = value
                if abs(value) < 1e30:  # an infinite threshold parts numbers from blanks
                    close.append(row)
    if close:
        assert tree.predict(np.array(close)).tolist() == model.predict(np.array(close)).tolist()


def test_what_is_not_one_fitted_tree_is_refused():
    with pytest.raises(NotFittedError):
        Tree.from_sklearn(DecisionTreeClassifier())
    X, y = load_diabetes(return_X_y=True)
    model = DecisionTreeRegressor(max_depth=2).fit(X, np.stack([y, -y], axis=1))
    with pytest.raises(ValueError, match="predicts 2 things at once"):
        Tree.from_sklearn(model)

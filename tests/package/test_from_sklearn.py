"""Trees of scikit-learn as trees of ours: equal in every prediction, and useful."""

import numpy as np
import pandas as pd
import pytest
import sklearn.tree._tree
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtreebook import CARTClassifier
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


# What scikit-learn 1.10 is to bring (its pull requests 33354 and 33972): the record of a node knows
# sets of categories, and the constructor asks how many there are in each column, -1 for numbers.
RECORD = np.dtype(
    [
        ("left_child", np.intp),
        ("right_child", np.intp),
        ("feature", np.intp),
        ("threshold", np.float64),
        ("left_cat_bitset", np.uint32, 8),
        ("impurity", np.float64),
        ("n_node_samples", np.intp),
        ("weighted_n_node_samples", np.float64),
        ("missing_go_to_left", np.uint8),
        ("split_kind", np.int8),
    ],
    align=True,
)
LEAF, NUMERIC, CATEGORIES, RANDOM = -1, 0, 1, 2


class TreeToCome:
    """Stand in for `sklearn.tree._tree.Tree` of scikit-learn 1.10."""

    def __init__(self, n_features, n_classes, n_outputs, n_categories):
        self.n_features, self.n_outputs, self.n_categories = n_features, n_outputs, n_categories

    def __setstate__(self, state):
        self.state = state
        self.node_count, self.value = state["node_count"], state["values"]
        nodes = state["nodes"]
        assert nodes.dtype == RECORD
        self.children_left, self.children_right = nodes["left_child"], nodes["right_child"]
        for name in RECORD.names[2:]:
            setattr(self, name, nodes[name])

    def __getstate__(self):
        return self.state

    def goes_left(self, node, value):
        if np.isnan(value):
            return self.missing_go_to_left[node]
        if self.split_kind[node] == NUMERIC:
            return value <= self.threshold[node]
        word, bit = divmod(int(value), 32)
        return int(self.left_cat_bitset[node][word]) >> bit & 1

    def predict(self, X):
        ends = []
        for row in X:
            node = 0
            while self.split_kind[node] != LEAF:
                left = self.goes_left(node, row[self.feature[node]])
                node = (self.children_left if left else self.children_right)[node]
            ends.append(node)
        return self.value[ends, 0]


WORDS = [f"word {i}" for i in range(40)]  # more than fit in the first word of the bits


def model_to_come(rng, change=None):
    """Draw a tree of a column of numbers, of words and of codes; `change` changes its root."""
    X = pd.DataFrame({"number": rng.normal(size=80), "word": WORDS * 2, "code": [3, 1, 7, 4] * 20})
    X.loc[::9, ["word", "code"]] = np.nan
    estimator = DecisionTreeClassifier()
    encoder = OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=np.nan, dtype=np.float32
    ).fit(X[["word", "code"]])
    n_categories = [-1, *(sum(level == level for level in c) for c in encoder.categories_)]
    n_inner = int(rng.integers(1, 12))
    nodes = np.zeros(2 * n_inner + 1, RECORD)
    nodes["left_child"] = nodes["right_child"] = nodes["split_kind"] = LEAF
    nodes["feature"] = nodes["threshold"] = -2
    for i in range(n_inner):  # the children of node i follow on those of node i - 1
        feature = int(rng.integers(3))
        nodes[["left_child", "right_child", "feature"]][i] = (2 * i + 1, 2 * i + 2, feature)
        nodes["missing_go_to_left"][i] = rng.integers(2)
        nodes["threshold"][i] = rng.normal() if feature == 0 else -np.inf
        nodes["split_kind"][i] = CATEGORIES if feature else NUMERIC
        left = rng.permutation(max(n_categories[feature], 0))
        for code in left[: rng.integers(1, len(left))] if len(left) else ():
            nodes["left_cat_bitset"][i, code // 32] |= np.uint32(1 << code % 32)
    nodes["weighted_n_node_samples"] = rng.integers(1, 9, len(nodes))
    if change:
        change(nodes[0])
    estimator.tree_ = TreeToCome(3, np.array([2]), 1, n_categories)
    values = rng.dirichlet([1, 1], len(nodes))[:, None, :]
    state = {"max_depth": n_inner, "node_count": len(nodes), "nodes": nodes, "values": values}
    estimator.tree_.__setstate__(state)
    estimator.classes_ = np.array(["no", "yes"])
    estimator.feature_names_in_ = np.array(list(X), dtype=object)
    estimator.is_categorical_ = np.array([False, True, True])
    estimator._categorical_encoder = encoder
    asked = X.assign(word=X["word"].where(rng.random(80) < 0.9, "a new word"))
    asked.loc[::7, "code"] = 9  # never seen
    coded = np.column_stack([X["number"].astype(np.float32), encoder.transform(asked.iloc[:, 1:])])
    return estimator, asked, coded


@given(st.integers(0, 2**32 - 1))
def test_splits_of_categories_become_groups_of_levels(seed):
    estimator, X, coded = model_to_come(np.random.default_rng(seed))
    tree = Tree.from_sklearn(estimator)
    assert [a.kind for a in tree.attributes] == ["numeric", "nominal", "nominal"]
    np.testing.assert_allclose(tree.predict_proba(X), estimator.tree_.predict(coded), atol=1e-12)
    assert Tree.from_json(tree.to_json()) == tree


@pytest.mark.parametrize(
    ("kind", "bits", "message"),
    [
        (RANDOM, 77, "categories of 'code' left and right by a random number.*splitter='best'"),
        (CATEGORIES, 0b1111, "asks only whether 'code' is known"),
    ],
)
def test_a_split_of_categories_that_has_no_match_is_refused(kind, bits, message):
    def change(root):
        root["feature"], root["split_kind"] = 2, kind
        root["left_cat_bitset"][0] = bits

    estimator, *_ = model_to_come(np.random.default_rng(0), change)
    with pytest.raises(ValueError, match=message):
        Tree.from_sklearn(estimator)


def test_categories_without_names_and_none_as_a_category_are_refused():
    def change(root):
        root["feature"], root["split_kind"] = 2, CATEGORIES

    estimator, *_ = model_to_come(np.random.default_rng(0), change)
    estimator._categorical_encoder.categories_[1] = np.array([1, 3, 4, None], dtype=object)
    with pytest.raises(ValueError, match="None is a category of 'code'"):
        Tree.from_sklearn(estimator)
    estimator._categorical_encoder = None
    with pytest.raises(ValueError, match="categories of 'code' and does not hold their names"):
        Tree.from_sklearn(estimator)


def test_a_tree_is_made_for_the_scikit_learn_to_come(monkeypatch):
    monkeypatch.setattr(sklearn.tree._tree, "Tree", TreeToCome)
    monkeypatch.setattr(sklearn.tree._tree, "NODE_DTYPE", RECORD)
    X, y = load_iris(return_X_y=True)
    model = CARTClassifier().fit(X, y)
    theirs = model.to_sklearn()
    assert theirs.tree_.n_categories.tolist() == [-1] * 4
    assert theirs.is_categorical_ is theirs._categorical_encoder is None
    assert theirs.predict(X).tolist() == model.predict(X).tolist()
    assert Tree.from_sklearn(theirs).predict(X).tolist() == model.predict(X).tolist()

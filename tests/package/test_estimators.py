"""What engineers expect of every estimator, the scikit-learn way: weights, paths, importances."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.multioutput import MultiOutputRegressor
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.class_weight import compute_sample_weight

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.datasets import load_golf, load_loan
from dtreebook.grow.criteria import BINARY
from dtreebook.measures import entropy
from dtreebook.tree.tree import Tree

CELLS = load_breast_cancer(return_X_y=True, as_frame=True)
IRIS = load_iris(return_X_y=True, as_frame=True)
WINE = load_wine(return_X_y=True, as_frame=True)
DIABETES = load_diabetes(return_X_y=True, as_frame=True)
GOLF = load_golf(return_X_y=True)
LOAN = load_loan(return_X_y=True)

MODELS = [
    (ID3Classifier(), *LOAN),
    (C45Classifier(), *GOLF),
    (C45Classifier(group_values=True), GOLF[0].mask(GOLF[0]["outlook"] == "rain"), GOLF[1]),
    (C45Classifier(confidence=None), *IRIS),
    (CARTClassifier(), *GOLF),
    (CARTClassifier(criterion="entropy"), *WINE),
    (CARTRegressor(max_depth=4), *DIABETES),
]
each_model = pytest.mark.parametrize(("model", "X", "y"), MODELS, ids=lambda m: type(m).__name__)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scale", [5e-324, 1e-100, 3, 1e100])
@pytest.mark.parametrize(
    ("model", "X", "y"), [(CARTClassifier(), *WINE), (CARTRegressor(max_depth=5), *DIABETES)]
)
def test_the_scale_of_weights_does_not_matter_to_cart(model, X, y, scale):
    times = np.arange(len(y)) % 3 + 1.0
    unscaled = model.fit(X, y, times).tree_
    tree = model.fit(X, y, times * scale).tree_
    assert tree.arrays.split == unscaled.arrays.split
    scaled = tree.arrays.counts / tree.arrays.counts[0].sum() * times.sum()
    np.testing.assert_allclose(scaled, unscaled.arrays.counts)


@pytest.mark.filterwarnings("error")
def test_shares_that_c45_takes_for_counts_are_told_where_they_leave_a_leaf():
    X, y = CELLS
    n, said = len(y), "no case weighs 1, all of them 5.69, and the tree is a leaf: .* by their sum"
    for model in (C45Classifier(), C45Classifier(confidence=None)):
        with pytest.warns(UserWarning, match=said):
            leaf = model.fit(X, y, np.full(n, 0.01)).tree_
        assert leaf.n_leaves == 1
        assert model.fit(X, y, np.full(n, 0.01) / 5.69).tree_ == model.fit(X, y).tree_
    # A tree is a tree, one class needs none, and a case that weighs 1 is counted.
    assert C45Classifier().fit(X, y, np.full(n, 0.5)).get_n_leaves() > 1
    C45Classifier().fit(X, np.zeros(n), np.full(n, 0.01))
    C45Classifier().fit(np.zeros((n, 1)), y, np.where(np.arange(n) == 0, 1, 0.01))


@pytest.mark.parametrize("model", [ID3Classifier(), C45Classifier(), CARTClassifier()])
@pytest.mark.parametrize("class_weight", ["balanced", {"no": 3, "yes": 0.5}, {"no": 2}, {}])
def test_the_weight_of_a_class_is_a_weight_of_its_cases(model, class_weight):
    X, y = LOAN
    alike = model.set_params(class_weight=None).fit(X, y, compute_sample_weight(class_weight, y))
    tree = alike.tree_
    assert model.set_params(class_weight=class_weight).fit(X, y).tree_ == tree
    times = np.arange(15) % 2 + 1.0
    both = model.fit(X, y, times).tree_
    by_hand = compute_sample_weight(class_weight, y) * times
    assert both == model.set_params(class_weight=None).fit(X, y, by_hand).tree_


EACH = [
    (ID3Classifier(), *LOAN),
    (C45Classifier(average_gain_guard=False, confidence=None), *GOLF),
    (CARTClassifier(), *GOLF),
    (CARTRegressor(max_depth=3), *DIABETES),
]
each_kind = pytest.mark.parametrize(("model", "X", "y"), EACH, ids=lambda m: type(m).__name__)


@each_kind
def test_the_same_number_draws_the_same_columns(model, X, y):
    drawing = sklearn.clone(model).set_params(max_features=1, random_state=4)
    tree = drawing.fit(X, y).tree_
    assert drawing.fit(X, y).tree_ == tree
    if not isinstance(model, C45Classifier):  # which prunes
        assert len(drawing.decisions(X, y)) == tree.node_count
    roots = {drawing.set_params(random_state=s).fit(X, y).tree_.arrays.split[0] for s in range(20)}
    assert len({split.column for split in roots if split}) > 1
    everything = sklearn.clone(model).set_params(max_features=X.shape[1], random_state=4)
    assert everything.fit(X, y).tree_ == sklearn.clone(model).fit(X, y).tree_


@each_kind
@pytest.mark.parametrize(
    ("said", "number"),
    [("sqrt", lambda a: int(a**0.5)), ("log2", lambda a: int(np.log2(a))), (0.5, lambda a: a // 2)],
)
def test_how_many_columns_are_drawn_can_be_said_in_words_and_as_a_share(model, X, y, said, number):
    named = sklearn.clone(model).set_params(max_features=said, random_state=1).fit(X, y)
    counted = sklearn.clone(model).set_params(max_features=number(X.shape[1]), random_state=1)
    assert named.tree_ == counted.fit(X, y).tree_


def test_a_summary_draws_the_columns_again():
    X, y = IRIS
    model = CARTClassifier(max_features=2, random_state=0, max_depth=2).fit(X, y)
    assert model.summary(X, y).count(" asked of ") == model.tree_.node_count - model.get_n_leaves()
    with pytest.raises(ValueError, match="cannot be drawn again: fit it with random_state=0"):
        CARTClassifier(max_features=2).fit(X, y).summary(X, y)


@each_model
def test_the_decision_path_leads_to_where_a_case_ends(model, X, y):
    model.fit(X, y)
    path, parent = model.decision_path(X), model.tree_.arrays.parent
    assert path.shape == (len(X), model.tree_.node_count)
    assert set(path.data) == {1}
    for case, end in enumerate(model.apply(X).tolist()):
        passed, todo = set(), [end]
        if model.tree_.fractional:  # a part goes to each child that has cases
            todo += _below(model.tree_, end)
        for node in todo:
            while node >= 0:
                passed.add(node)
                node = int(parent[node])
        assert set(path[case].indices.tolist()) == passed


def _below(tree, node):
    below = [child for child in tree.arrays.children(node) if tree.arrays.counts[child].any()]
    return below + [deeper for child in below for deeper in _below(tree, child)]


@each_model
def test_importances_are_the_shares_of_what_the_tests_gain(model, X, y):
    model.fit(X, y)
    shares = model.feature_importances_
    assert shares.shape == (X.shape[1],)
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    if isinstance(model, ID3Classifier | C45Classifier):
        gains = np.zeros(X.shape[1])
        for _, node in model.tree_.walk():
            if not node.is_leaf:
                parts = [child.counts for child in node.children]
                together = sum(parts)
                gain = together.sum() * entropy(together)
                gains[node.split.column] += gain - sum(p.sum() * entropy(p) for p in parts)
        np.testing.assert_allclose(shares, gains / gains.sum())


def test_a_leaf_alone_finds_nothing_important():
    for model in (ID3Classifier(), C45Classifier(), CARTClassifier()):
        model.fit([["a"], ["a"]], [0, 1])
        assert model.feature_importances_.tolist() == [0]
        assert model.decision_path([["a"], ["b"]]).toarray().tolist() == [[1], [1]]


def test_several_targets_are_refused_with_a_way_out():
    X, y = IRIS
    both = np.column_stack([y, y])
    for model in (ID3Classifier(), C45Classifier(), CARTClassifier(), CARTRegressor()):
        for targets in (both, pd.DataFrame(both), both.tolist()):
            with pytest.raises(ValueError, match="2 columns: a tree has one target"):
                model.fit(X, targets)
    assert MultiOutputRegressor(CARTRegressor()).fit(X, both).predict(X).tolist() == both.tolist()


AS_SKLEARN = [
    (CARTClassifier(), *IRIS),
    (CARTClassifier(criterion="entropy", max_depth=3), *WINE),
    (CARTClassifier(priors=[0.8, 0.2], ccp_alpha=0.01), *CELLS),
    (CARTRegressor(min_samples_leaf=5), *DIABETES),
    (CARTClassifier(max_depth=0), *IRIS),
]


@pytest.mark.parametrize(("model", "X", "y"), AS_SKLEARN)
def test_a_tree_of_numbers_becomes_one_of_scikit_learns(model, X, y):
    # What both compare in single precision is compared alike.
    X = X.astype(np.float32).astype(float)
    theirs = model.fit(X, y).to_sklearn()
    np.testing.assert_array_equal(theirs.apply(X), model.apply(X))
    np.testing.assert_array_equal(theirs.predict(X), model.predict(X))
    np.testing.assert_allclose(theirs.feature_importances_, model.feature_importances_)
    assert (theirs.decision_path(X) != model.decision_path(X)).nnz == 0
    assert (theirs.get_depth(), theirs.get_n_leaves()) == (model.get_depth(), model.get_n_leaves())
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(theirs.predict_proba(X), model.predict_proba(X))
    assert theirs.feature_names_in_.tolist() == list(X)
    back = Tree.from_sklearn(theirs)
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    again = pickle.loads(pickle.dumps(theirs))
    np.testing.assert_array_equal(again.predict(X), theirs.predict(X))


def test_a_tie_is_broken_alike():
    for weight in np.random.default_rng(0).random((30, 2)):  # the priors make up for it
        X, y = np.zeros((2, 1)), [0, 1]
        model = CARTClassifier(priors=[0.5, 0.5], max_surrogates=0).fit(X, y, weight)
        assert model.to_sklearn().predict(X).tolist() == model.predict(X).tolist() == [0, 0]


def test_an_unknown_number_goes_the_same_way():
    X, y = IRIS
    blank = X.mask(np.arange(600).reshape(150, 4) % 7 == 0)
    model = CARTClassifier(max_surrogates=0, max_depth=3).fit(blank, y)
    theirs = model.to_sklearn()
    assert set(model.tree_.arrays.default) == {-1, 0, 1}  # leaves, and both ways
    np.testing.assert_array_equal(theirs.predict(blank), model.predict(blank))


@pytest.mark.parametrize(
    ("model", "X", "y", "message"),
    [
        (CARTClassifier(), *GOLF, "know numbers only, but this one asks about 'outlook', which is"),
        (CARTClassifier(loss=[[0, 1], [2, 0]]), *CELLS, "know no loss"),
        (
            CARTClassifier(max_depth=1),
            IRIS[0].mask(IRIS[0] > 6),
            IRIS[1],
            "know no surrogates: grow",
        ),
        (CARTClassifier(criterion="twoing"), *CELLS, "know no criterion 'twoing', but 'entropy', "),
        (CARTRegressor(criterion="gamma"), *DIABETES, "know no criterion 'gamma', but 'absolute_"),
    ],
)
def test_what_scikit_learns_trees_cannot_say_is_refused(monkeypatch, model, X, y, message):
    for name, like in ("twoing", "gini"), ("gamma", "poisson"):
        monkeypatch.setitem(BINARY, name, BINARY[like])
    with pytest.raises(ValueError, match=message):
        model.fit(X, y).to_sklearn()


def test_balanced_counts_rows_as_scikit_learn_does_and_equal_priors_weigh_them():
    """The sums of a class differ where the weights of its rows do; a row of weight 0 is none."""
    X, y, weight = [[0.0], [1], [2], [3]], [0, 0, 1, 1], [2, 1, 1, 1]
    balanced = CARTClassifier(class_weight="balanced", max_depth=1)
    assert balanced.fit(X, y, weight).tree_.root.counts.tolist() == [3, 2]
    theirs = DecisionTreeClassifier(class_weight="balanced", max_depth=1).fit(X, y, weight)
    assert theirs.tree_.weighted_n_node_samples[0] == 5
    priors = CARTClassifier(priors=[0.5, 0.5], max_depth=1)
    assert priors.fit(X, y, weight).tree_.root.counts.tolist() == [2.5, 2.5]
    assert balanced.fit([*X, [9]], [*y, 0], [*weight, 0]).tree_.root.counts.tolist() == [3, 2]
    X, y = load_golf(return_X_y=True)
    one, other = (
        model.fit(X, y).tree_
        for model in (CARTClassifier(class_weight="balanced"), CARTClassifier(priors=[0.5, 0.5]))
    )
    assert one.arrays.split == other.arrays.split
    assert np.allclose(one.arrays.counts, other.arrays.counts)

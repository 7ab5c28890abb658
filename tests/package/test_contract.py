"""What scikit-learn expects of every estimator, with classes of every type, and in odd orders."""

from contextlib import nullcontext

import numpy as np
import pandas as pd
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedKFold, cross_val_score

from dtreebook import C45Classifier, CARTClassifier, ForestClassifier, ID3Classifier
from dtreebook.datasets import load_car
from dtreebook.tree.tree import Tree

CAR = load_car(return_X_y=True)
TREE = CARTClassifier(max_depth=4)
BINARY = pd.Series(pd.Categorical(np.where(CAR[1] == "unacc", "no", "yes"), ["yes", "no"]))


@pytest.mark.parametrize(
    ("y", "scoring", "right"),
    [
        (CAR[1], "roc_auc_ovr", 0.911),
        (CAR[1], "neg_log_loss", -1.166),
        (BINARY, "roc_auc", 0.918),
    ],
    ids=["four classes", "log loss", "two classes"],
)
def test_scores_of_probabilities_do_not_depend_on_the_order_of_a_categorical(y, scoring, right):
    for each in (y, y.astype(str)):
        score = cross_val_score(TREE, CAR[0], each, cv=5, scoring=scoring).mean()
        assert score == pytest.approx(right, abs=5e-4)


def test_two_classes_in_odd_order_are_calibrated():
    named, text = (
        CalibratedClassifierCV(TREE, cv=3).fit(CAR[0], y) for y in (BINARY, BINARY.astype(str))
    )
    assert named.classes_.tolist() == ["no", "yes"]
    np.testing.assert_allclose(named.predict_proba(CAR[0]), text.predict_proba(CAR[0]))


ODD = ["vgood", "acc", "unacc", "good"]


@pytest.mark.parametrize(
    "model",
    [
        TREE,
        C45Classifier(),
        ID3Classifier(max_depth=2),
        ForestClassifier(TREE, n_estimators=5, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_classes_and_shares_are_sorted_and_the_tree_keeps_its_order(model):
    X, y = CAR
    named, text = y.cat.set_categories(ODD), y.astype(str)
    said = model.fit(X, text).predict_proba(X)
    model.fit(X, named)
    assert model.classes_.tolist() == sorted(ODD)
    np.testing.assert_allclose(model.predict_proba(X), said, atol=1e-12)
    if isinstance(model, ForestClassifier):
        assert model.estimators_[0].tree_.classes.tolist() == ODD
        assert model.oob_decision_function_.shape == said.shape
        return
    tree = Tree.from_json(model.tree_.to_json())
    assert tree.classes.tolist() == ODD
    np.testing.assert_array_equal(tree.predict_proba(X), model.predict_proba(X))


def test_of_tied_classes_the_tree_takes_the_first_in_its_order():
    y = pd.Categorical(["b", "a"], ["b", "a"])
    model = CARTClassifier().fit([[1.0], [1.0]], y)
    assert model.classes_.tolist() == ["a", "b"]
    assert model.predict([[1.0]]).tolist() == model.to_sklearn().predict([[1.0]]).tolist() == ["b"]
    assert model.to_sklearn().classes_.tolist() == ["a", "b"]


def test_priors_losses_and_signs_without_names_are_in_the_order_of_classes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    words = np.where(X[:, 0] + rng.normal(size=60) > 0, "yes", "no")
    odd = pd.Categorical(words, ["yes", "no"])
    for given in (
        {"priors": [0.9, 0.1]},
        {"loss": [[0, 9], [1, 0]]},
        {"monotonic_cst": [1, 0]},
        {"priors": [0.9, 0.1], "ccp_alpha": "best", "cv": 3},
    ):
        model = CARTClassifier(**given)
        said = model.fit(X, words).predict_proba(X)
        with nullcontext() if "monotonic_cst" in given else pytest.warns(match="order of classes_"):
            model.fit(X, odd)
        np.testing.assert_allclose(model.predict_proba(X), said, atol=1e-12)


@pytest.mark.parametrize(
    "given",
    [
        {"class_weight": {"no": 1, "yes": 5}},
        {"priors": {"no": 0.7, "yes": 0.3}},
        {"loss": pd.DataFrame([[0, 5], [1, 0]], ["no", "yes"], ["no", "yes"])},
    ],
    ids=lambda given: next(iter(given)),
)
@pytest.mark.filterwarnings("error")
def test_a_class_that_a_fold_lacks_may_be_named(given):
    model = CARTClassifier(**given)
    assert model.fit([[1.0], [2.0]], ["no", "no"]).classes_.tolist() == ["no"]
    assert model.fit([[1.0], [2.0]], ["no", "yes"], [1, 0]).classes_.tolist() == ["no"]
    forest = ForestClassifier(model, n_estimators=2, random_state=0)
    assert forest.fit([[1.0], [2.0]], ["no", "no"]).predict([[3.0]]).tolist() == ["no"]


def test_the_priors_of_classes_that_are_there_add_up_to_one():
    model = CARTClassifier(priors={"a": 0.2, "b": 0.5, "c": 0.3}).fit([[1.0], [2.0]], ["a", "c"])
    np.testing.assert_allclose(model.tree_.arrays.counts[0], [0.8, 1.2])


def test_a_misspelt_class_is_told_about():
    with pytest.warns(UserWarning, match=r"class_weight names \['yse'\], which no case has, and"):
        CARTClassifier(class_weight={"no": 1, "yse": 5}).fit([[1.0], [2.0]], ["no", "yes"])
    with pytest.raises(ValueError, match=r"priors names"):
        CARTClassifier(priors={"no": 0.5, "yse": 0.5}).fit([[1.0], [2.0]], ["no", "yes"])


def test_the_splits_of_a_splitter_are_folds():
    X, y = CAR[0][::5], CAR[1][::5]
    splitter = StratifiedKFold(3)
    tables = [
        CARTClassifier(ccp_alpha="best", cv=cv).fit(X, y).cp_table_
        for cv in (splitter, list(splitter.split(X, y)))
    ]
    pd.testing.assert_frame_equal(*tables)

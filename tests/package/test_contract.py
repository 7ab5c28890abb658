"""What scikit-learn expects of every estimator, with classes of every type, and in odd orders."""

from contextlib import nullcontext
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)

from dtreebook import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ForestClassifier,
    ID3Classifier,
)
from dtreebook.datasets import load_car, load_golf
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


# --- constraints ----------------------------------------------------------------------------------

CANCER = load_breast_cancer(return_X_y=True, as_frame=True)
WORST = "worst radius"


@pytest.mark.parametrize(
    "model",
    [CARTClassifier(max_depth=3), CARTClassifier(ccp_alpha="best", cv=3), C45Classifier()],
    ids=["CART", "a price that is chosen", "C4.5"],
)
def test_a_forbidden_column_is_as_good_as_absent(model):
    X, y = CANCER
    forbidding = clone(model).set_params(forbid=WORST)
    without = clone(model).fit(X.drop(columns=WORST), y)
    for fitted in (
        clone(forbidding).fit(X, y),
        clone(model).regrow(X, y, forbid=[WORST]),
        clone(model).fit(X, y).regrow(X, y, forbid=WORST),
        clone(clone(model).regrow(X, y, forbid=WORST)).fit(X, y),
    ):
        assert fitted.export_text() == without.export_text()
        if getattr(model, "cp_table_", None) is not None:
            pd.testing.assert_frame_equal(fitted.cp_table_, without.cp_table_)


def test_forests_search_calibration_and_surrogates_obey_what_is_forbidden():
    X, y = CANCER
    X = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)
    model = CARTClassifier(max_depth=3, forbid=[WORST])
    forest = ForestClassifier(model, n_estimators=3, random_state=0).fit(X, y)
    search = GridSearchCV(model, {"max_depth": [1, 2]}, cv=2).fit(X, y)
    calibrated = CalibratedClassifierCV(model, cv=2).fit(X, y).calibrated_classifiers_
    trees = [*forest.estimators_, search.best_estimator_, *(one.estimator for one in calibrated)]
    column = X.columns.get_loc(WORST)
    for tree in trees:
        arrays = tree.tree_.arrays
        asked = {s.split.column for of_node in arrays.surrogates for s in of_node}
        assert asked
        assert column not in asked | set(arrays.split.column.tolist())
    with pytest.raises(ValueError, match="there is no column 'radius': the tree knows mean radius"):
        CARTClassifier(forbid="radius").fit(X, y)


def test_a_question_below_obeys_what_is_forbidden_at_the_root():
    X, y = load_golf(return_X_y=True)
    model = CARTClassifier().regrow(X, y, forbid="outlook")
    assert model.forbid == ["outlook"]
    with pytest.raises(ValueError, match="'outlook' is asked about and forbidden: take one"):
        model.regrow(X, y, ask="outlook")
    everything = CARTClassifier(forbid=list(X)).fit(X, y)
    assert everything.get_n_leaves() == C45Classifier(forbid=list(X)).fit(X, y).get_n_leaves() == 1


# --- what is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("library", ["pandas", "Arrow", "polars"])
def test_y_may_be_the_name_of_a_column(library):
    golf = load_golf().frame.astype({"outlook": str, "windy": str, "play": str})
    frame: Any = golf
    if library == "Arrow":
        frame = pytest.importorskip("pyarrow").Table.from_pandas(golf)
    elif library == "polars":
        frame = pytest.importorskip("polars").DataFrame(golf.to_dict("list"))
    X, y = golf.drop(columns="play"), golf["play"]
    for model in (C45Classifier(), CARTClassifier(ccp_alpha="best", cv=3)):
        named, given = clone(model).fit(frame, "play"), clone(model).fit(X, y)
        assert named.tree_ == given.tree_
        assert named.feature_names_in_.tolist() == list(X)
        assert named.score(frame, "play") == given.score(X, y)
        assert len(named.decisions(frame, "play")) == len(given.decisions(X, y))
        again = named.regrow(frame, "play", forbid="outlook")
        assert again.tree_ == given.regrow(X, y, forbid="outlook").tree_
    forest = ForestClassifier(n_estimators=2, random_state=0).fit(frame, "play")
    assert forest.n_features_in_ == 4


def test_weights_may_be_the_name_of_a_column_and_a_name_that_is_none_is_refused():
    golf, weights = load_golf().frame, np.arange(14) + 1.0
    given = CARTClassifier().fit(golf[["humidity"]], golf["play"], weights)
    named = CARTClassifier().fit(golf[["humidity", "play"]].assign(w=weights), "play", "w")
    assert named.tree_ == given.tree_
    with pytest.raises(ValueError, match="X has no column 'plays': it has outlook, temperature"):
        CARTClassifier().fit(golf, "plays")
    with pytest.raises(TypeError, match="y is the text 'play': give the values"):
        CARTClassifier().fit(golf.to_numpy(), "play")


HORSES = [str(46 + i * 7 % 184) if i % 70 else "?" for i in range(400)]


@pytest.mark.parametrize(
    ("X", "said"),
    [
        (pd.DataFrame({"power": HORSES}), "column 'power' is text, but all .* except '\\?': if"),
        (np.array(HORSES)[:, None], "column 'x0' is text, but all of it is numbers except '\\?'"),
        (np.array([[i if i % 20 else "N/A"] for i in range(400)], object), "'x0' .* except 'N/A'"),
        (np.array([[5.1, "red"], [4.9, "blue"]] * 200), "array of text, though all of x0 is num"),
        ([[2**65 + i] for i in range(400)], "column 'x0' has integers beyond 2\\^53"),
        (pd.DataFrame({"n": [2**65 + i for i in range(399)] + [None]}), "column 'n' has integers"),
    ],
    ids=["frame", "text", "objects", "mixed", "large", "large and blank"],
)
def test_a_column_that_is_not_read_as_it_looks_is_told_about(X, said):
    with pytest.warns(UserWarning, match=said):
        CARTClassifier(max_depth=2).fit(X, [0, 1] * 200)


@pytest.mark.parametrize(
    "values", [["2", "3", "4", "5more"] * 3, ["0", "1"] * 6, pd.Categorical(["1", "2", "?"] * 4)]
)
@pytest.mark.filterwarnings("error")
def test_numbers_that_are_names_are_left_alone(values):
    CARTClassifier().fit(pd.DataFrame({"doors": values}), [0, 1] * 6)


def test_what_is_masked_is_unknown():
    X = np.ma.array([[1.0, 2], [3, 4], [5, 6]], mask=[[0, 1], [0, 0], [0, 0]])
    model = CARTClassifier().fit(X, [0, 1, 1])
    blank = CARTClassifier().fit(X.filled(np.nan), [0, 1, 1])
    assert model.tree_ == blank.tree_
    np.testing.assert_array_equal(model.predict_proba(X), blank.predict_proba(X.filled(np.nan)))
    with pytest.raises(ValueError, match="y has no class in row 1"):
        CARTClassifier().fit(X, np.ma.array([0, 1, 1], mask=[0, 1, 0]))
    with pytest.raises(ValueError, match="y is nan in row 1"):
        CARTRegressor().fit(X, np.ma.array([0, 1, 1], mask=[0, 1, 0]))
    with pytest.raises(ValueError, match=r"sample_weight must be finite .* row 1 has nan"):
        CARTClassifier().fit(X, [0, 1, 1], np.ma.array([1, 1, 1], mask=[0, 1, 0]))


def test_intervals_are_refused_as_classes_with_the_line_that_helps():
    ages = pd.cut([1, 2, 8, 9], 2)
    for y in (ages, pd.Series(ages), list(ages)):
        with pytest.raises(ValueError, match=r"y holds intervals, .* pandas.Series"):
            CARTClassifier().fit([[1.0], [2], [8], [9]], y)
    assert len(CARTClassifier().fit([[1.0], [2], [8], [9]], pd.Series(ages).astype(str)).classes_)


# --- one table: every type of y, every use --------------------------------------------------------

N = 90
PLANE = pd.DataFrame(np.random.default_rng(1).normal(size=(N, 3)), columns=["a", "b", "c"])
CODE = np.digitize(PLANE["a"] + 0.3 * PLANE["b"], [-0.4, 0.4])
IS_HIGH = CODE > 0


def _named(codes, names):
    return np.array(names, dtype=object)[codes]


TARGETS = {
    "text": pd.Series(_named(CODE, ["zero", "one", "two"]), dtype="str"),
    "odd Categorical": pd.Series(pd.Categorical(_named(CODE, list("xyz")), ["y", "z", "x"])),
    "odd Categorical of two": pd.Series(
        pd.Categorical(_named(IS_HIGH * 1, list("np")), ["p", "n"])
    ),
    "ordered": pd.Series(
        pd.Categorical(_named(CODE, ["low", "mid", "top"]), ["top", "low", "mid"], ordered=True)
    ),
    "unused category": pd.Series(pd.Categorical(_named(CODE, list("xyz")), ["w", "z", "x", "y"])),
    "bool": pd.Series(IS_HIGH),
    "int": pd.Series(CODE + 5),
    "negative int": pd.Series(np.where(IS_HIGH, 1, -1)),
    "named ranges": pd.Series(pd.cut(PLANE["a"], 3, labels=["small", "medium", "large"])),
    "ranges as text": pd.Series(pd.cut(PLANE["a"], 2)).astype(str),
    "object": pd.Series(_named(CODE, ["b", "a", "c"])),
    "nullable int": pd.Series(pd.array(CODE, dtype="Int64")),
    "nullable bool": pd.Series(pd.array(IS_HIGH, dtype="boolean")),
    "nullable text": pd.Series(pd.array(_named(CODE, ["b", "a", "c"]), dtype="string")),
    "array": _named(CODE, ["b", "a", "c"]).astype(str),
}
MODEL = CARTClassifier(max_depth=3)


def _metrics(y):
    """Return scores of shares; those of answers differ where the classes of a leaf are tied."""
    of_shares, of_answers = ["roc_auc_ovr", "neg_log_loss"], ["balanced_accuracy", "f1_macro"]
    scoring = of_shares + of_answers
    found = cross_validate(MODEL, PLANE, y, cv=3, scoring=scoring, error_score="raise")
    assert all(found[f"test_{name}"].mean() > 0.7 for name in of_answers)
    return [found[f"test_{name}"].mean() for name in of_shares]


def _calibration(y):
    return CalibratedClassifierCV(MODEL, cv=3).fit(PLANE, y).predict_proba(PLANE)


def _voting(y):
    voters = [("tree", MODEL), ("C4.5", C45Classifier())]
    return VotingClassifier(voters, voting="soft").fit(PLANE, y).predict_proba(PLANE)


def _bagging(y):
    return BaggingClassifier(MODEL, 3, random_state=0).fit(PLANE, y).predict_proba(PLANE)


def _stacking(y):
    voters = [("tree", MODEL), ("ID3", CARTClassifier(max_depth=1))]
    return StackingClassifier(voters, MODEL, cv=3).fit(PLANE, y).predict_proba(PLANE)


def _boosting(y):
    return AdaBoostClassifier(MODEL, n_estimators=3).fit(PLANE, y).predict_proba(PLANE)


def _search(y):
    search = GridSearchCV(MODEL, {"max_depth": [1, 2]}, cv=3, scoring="neg_log_loss")
    return search.fit(PLANE, y).cv_results_["mean_test_score"]


def _dependence(y):
    return partial_dependence(MODEL.fit(PLANE, y), PLANE, ["a"], grid_resolution=5)["average"]


def _importance(y):
    fitted = MODEL.fit(PLANE, y)
    return permutation_importance(fitted, PLANE, y, n_repeats=2, random_state=0).importances_mean


def _predictions(y):
    return cross_val_predict(MODEL, PLANE, y, cv=3, method="predict_proba")


def _forest(y):
    forest = ForestClassifier(MODEL, n_estimators=3, random_state=0).fit(PLANE, y)
    return np.hstack([forest.predict_proba(PLANE), forest.oob_decision_function_])


USES = [_metrics, _calibration, _voting, _bagging, _stacking, _boosting, _search, _dependence]
USES += [_importance, _predictions, _forest]


@pytest.mark.parametrize("use", USES, ids=lambda use: use.__name__.strip("_"))
@pytest.mark.parametrize("kind", TARGETS)
def test_every_use_gives_for_every_type_of_y_what_it_gives_for_codes(use, kind):
    y = TARGETS[kind]
    codes = np.unique(np.array(y.tolist()), return_inverse=True)[1]
    np.testing.assert_allclose(use(y), use(codes), atol=1e-12)

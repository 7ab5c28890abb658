"""Cross-validation: tables against a plain loop, and intervals for differences on splits."""

import warnings

import numpy as np
import pandas as pd
import pytest
from pruning import data
from scipy import stats
from sklearn import datasets
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, ShuffleSplit
from sklearn.model_selection import StratifiedKFold as Stratified

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, measures
from dtreebook.datasets import load_car, load_smokers
from dtreebook.forest import ForestClassifier
from dtreebook.prune.cost_complexity import node_risks, prune_at, pruning_path
from dtreebook.prune.crossvalidation import corrected_interval, cp_table, least_error
from dtreebook.prune.crossvalidation import one_standard_error as one_error


def naive_table(estimator, X, y, folds, weight, loss):
    """Cross-validate by growing, pruning and asking one tree after the other."""
    whole = estimator.fit(X, y, weight).tree_
    code = pd.Index(sorted(whole.classes)).get_indexer
    n, root = weight.sum(), whole.risk[0]
    alphas = pruning_path(whole).alphas[::-1]
    rows = []
    for i, alpha in enumerate(alphas):
        wrong = np.zeros(len(y))
        for fold in np.unique(folds):
            out = folds == fold
            model = estimator.fit(X[~out], y[~out], weight[~out])
            middle = np.sqrt(alpha * alphas[i - 1]) if i else 1e9
            model.tree_ = prune_at(model.tree_, middle).tree
            wrong[out] = loss[code(y[out]), code(model.predict(X[out]))]
        errors = weight @ wrong
        tree = prune_at(whole, alpha).tree
        trained = tree.risk[tree.arrays.first_child == 0].sum()
        cv_std = np.sqrt(weight @ wrong**2 - errors**2 / n) / root
        tests = tree.node_count - tree.n_leaves
        rows.append((alpha * n / root, tests, tree.n_leaves, trained / root, errors / root, cv_std))
    return np.array(rows)


ERRORS, LOSS = 1 - np.eye(4), np.array([[0, 1, 5, 2], [2, 0, 1, 1], [1, 3, 0, 1], [4, 1, 9, 0]])
NAMES = ["acc", "good", "unacc", "vgood"]


@pytest.mark.parametrize("weights", [[1], [0.5, 2, 3]], ids=str)
@pytest.mark.parametrize(
    ("estimator", "loss"),
    [
        (ID3Classifier(), ERRORS),
        (CARTClassifier(loss=pd.DataFrame(LOSS, NAMES, NAMES), min_samples_leaf=5), LOSS),
    ],
    ids=["ID3", "loss"],
)
def test_the_table_is_that_of_a_plain_loop(estimator, loss, weights):
    X, y = load_car(return_X_y=True)
    X, y = X[::4].reset_index(drop=True), y[::4].reset_index(drop=True)
    random = np.random.default_rng(0)
    folds, weight = random.integers(0, 5, len(y)), random.choice(weights, len(y)).astype(float)
    table = cp_table(estimator, X, y, folds, weight)
    columns = "cp", "n_splits", "n_leaves", "relative_error", "cv_error", "cv_std"
    assert tuple(table) == columns
    assert len(table) > 4
    naive = naive_table(estimator, X, y, folds, weight, loss)
    np.testing.assert_allclose(table, naive, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("names", [["a", "b", "c"], [False, True]])
def test_loss_and_priors_may_name_their_classes_in_any_order(names):
    X, y = datasets.load_iris(return_X_y=True)
    k, folds = len(names), np.arange(150) % 10
    y = np.array(names)[(y + 1) % k]
    losses = np.array([[0, 2, 1], [1, 0, 5], [3, 1, 0]])[:k, :k]
    shares = np.array([0.3, 0.5, 0.2])[:k] / sum([0.3, 0.5, 0.2][:k])
    loss = pd.DataFrame(losses, names, names).iloc[::-1, ::-1]
    priors = pd.Series(shares, names)[::-1]
    named = CARTClassifier(loss=loss, priors=priors, min_samples_leaf=5)
    plain = CARTClassifier(loss=losses, priors=shares, min_samples_leaf=5)
    found, wanted = cp_table(named, X, y, folds), cp_table(plain, X, y, folds)
    assert len(found) > 2
    pd.testing.assert_frame_equal(found, wanted)


def test_with_priors_a_case_weighs_in_a_fold_what_it_weighs_among_all():
    """On a table with blanks, whose surrogates count cases without their priors."""
    X, y = load_smokers(return_X_y=True)
    X, y, priors = X[:600], y[:600], np.array([0.5, 0.5])
    model, folds = CARTClassifier(priors=priors, min_samples_leaf=5), np.arange(600) % 4
    whole = clone(model).fit(X, y).tree_
    code, root = y.cat.codes.to_numpy(), whole.risk[0]
    weight = priors / (np.bincount(code) / 600)  # of a case of each class
    alphas, errors = pruning_path(whole).alphas[::-1], []
    middles = [1e9, *np.sqrt(alphas[1:] * alphas[:-1])]
    for fold in range(4):
        kept = folds != fold
        share = np.bincount(code[kept]) * weight / kept.sum()
        part = clone(model).set_params(priors=share / share.sum()).fit(X[kept], y[kept])
        trees = [prune_at(part.tree_, alpha / share.sum()).tree for alpha in middles]
        wrong = [tree.predict(X[~kept]) != y[~kept] for tree in trees]
        errors.append([weight[code[~kept]] @ each for each in wrong])
    found = cp_table(model, X, y, folds)
    assert found["cv_error"].tolist() == pytest.approx((np.sum(errors, axis=0) / root).tolist())
    assert len(found) > 10


def test_folds_are_drawn_by_scikit_learn():
    X, y = datasets.load_iris(return_X_y=True)
    unpruned = C45Classifier(confidence=None)
    drawn = Stratified(5)
    labels = np.empty(len(y))
    for number, (_, out) in enumerate(drawn.split(X, y)):
        labels[out] = number
    for folds in (5, drawn):
        pd.testing.assert_frame_equal(
            cp_table(unpruned, X, y, folds), cp_table(unpruned, X, y, labels)
        )
    shuffled = KFold(5, shuffle=True, random_state=0)
    assert len(cp_table(unpruned, X.tolist(), y.tolist(), shuffled)) == 5


def test_a_class_that_a_fold_lacks_is_an_error_of_its_trees():
    X, y = np.arange(6.0)[:, None] // 2, np.array(["a", "a", "b", "b", "c", "c"])
    model = C45Classifier(confidence=None, min_weight=1, mdl_penalty=False)
    table = cp_table(model, X, y, y == "b")
    assert table["cv_error"].iloc[-1] == pytest.approx(6 / 4)
    weighted = cp_table(model, X, y, y == "b", np.full(6, 2.0))
    assert weighted["cv_error"].tolist() == table["cv_error"].tolist()


def test_one_standard_error_takes_the_smallest_tree_near_the_best():
    table = pd.DataFrame({"cv_error": [1.0, 0.58, 0.55, 0.53, 0.6]})
    for std, chosen in ([0.1, 0.1, 0.1, 0.03, 0.5], 2), (0.1, 1), (0.0, 3):
        assert one_error(table.assign(cv_std=std)) == chosen


FOLDS, HALVES, UNPRUNED = np.arange(150) % 5, np.arange(150) % 2, C45Classifier(confidence=None)


@pytest.mark.parametrize(
    ("model", "n", "folds", "message"),
    [
        (UNPRUNED, 50, [FOLDS[:50]], "all cases have the same answer"),
        (UNPRUNED, 150, [FOLDS[:100]], "cv has the folds of 100 cases, but X has 150"),
        (
            UNPRUNED,
            150,
            [ShuffleSplit(2, random_state=0)],
            r"cv leaves row \d+ out [02] times",
        ),
        (UNPRUNED, 150, [HALVES, HALVES], "cv leaves out all cases of some weight at once"),
        (UNPRUNED, 150, [GroupKFold(5)], "needs groups, .*give the fold of each case"),
        (UNPRUNED, 150, [LeaveOneGroupOut()], "needs groups, .*give the fold of each case"),
        (CARTClassifier(ccp_alpha="best"), 150, [], "ccp_alpha='best' makes a cp_table_ itself"),
        (
            ForestClassifier(UNPRUNED),
            150,
            [],
            "ForestClassifier is neither: .*take one tree",
        ),
    ],
)
def test_what_cannot_be_cross_validated_is_refused(model, n, folds, message):
    X, y = datasets.load_iris(return_X_y=True)
    with pytest.raises((ValueError, TypeError), match=message):
        cp_table(model, X[:n], y[:n], *folds)
    for cp in (-0.1, np.nan):
        with pytest.raises(ValueError, match="cp must not be negative"):
            cp_table(UNPRUNED, X, y, cp=cp)


def test_poisson_folds_that_leave_out_every_count_are_refused():
    X, y = np.arange(20)[:, None], np.repeat([0, 0, 0, 3], 5)
    for ccp_alpha in ("best", "one_standard_error"):
        model = CARTRegressor(criterion="poisson", ccp_alpha=ccp_alpha, cv=4)
        with pytest.raises(ValueError, match="cv leaves out all y above 0 at once"):
            model.fit(X, y)
    model.set_params(cv=KFold(4, shuffle=True, random_state=0)).fit(X, y)
    assert np.isfinite(model.cp_table_).all(axis=None)


CHOICES = {"best": least_error, "one_standard_error": one_error}


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", ["iris", "noise"])
def test_fit_chooses_the_price_that_the_table_says(choice, criterion, name):
    X, y = data(name)
    cv, weight = np.arange(len(y)) % 7, np.random.default_rng(0).integers(1, 4, len(y)) / 2
    impurity = getattr(measures, criterion)
    plain = CARTClassifier(criterion=criterion)
    model = CARTClassifier(criterion=criterion, ccp_alpha=choice, cv=cv).fit(X, y, weight)

    table, tree = cp_table(plain, X, y, cv, weight, impurity), plain.fit(X, y, weight).tree_
    pd.testing.assert_frame_equal(model.cp_table_, table)
    root = node_risks(tree, impurity)[0] / tree.root.weight
    assert model.ccp_alpha_ == pytest.approx(table["cp"][CHOICES[choice](table)] * root)
    assert model.tree_ == prune_at(tree, model.ccp_alpha_, impurity).tree
    again = CARTClassifier(criterion=criterion, ccp_alpha=model.ccp_alpha_).fit(X, y, weight)
    assert again.tree_ == model.tree_
    assert (again.ccp_alpha_, again.cp_table_) == (model.ccp_alpha_, None)


def test_fit_chooses_the_price_of_a_regression_tree_too():
    X, y = datasets.load_diabetes(return_X_y=True)
    cv = KFold(5, shuffle=True, random_state=0)
    model = CARTRegressor(ccp_alpha="one_standard_error", cv=cv).fit(X, y)
    table, tree = cp_table(CARTRegressor(), X, y, cv), CARTRegressor().fit(X, y).tree_
    cp = table["cp"][one_error(table)]
    assert model.tree_ == prune_at(tree, cp * tree.risk[0] / len(y)).tree
    assert 1 < model.get_n_leaves() < tree.n_leaves


def test_what_is_said_of_the_columns_is_said_once():
    """Twenty values and three classes: divided by a heuristic, with a warning."""
    rng = np.random.default_rng(0)
    X, y = pd.DataFrame({"city": rng.integers(0, 20, 300).astype(str)}), rng.integers(0, 3, 300)
    with pytest.warns(UserWarning, match="divided by a heuristic") as said:
        CARTClassifier(ccp_alpha="best").fit(X, y)
    assert [warning.filename for warning in said] == [__file__]


@pytest.mark.parametrize("class_weight", [None, "balanced", {"rare": 3.0, "a": 1.0}])
def test_a_class_may_be_rarer_than_the_folds(class_weight):
    """Nobody can do anything about it, so that nothing is said of it."""
    X, y = np.arange(21.0)[:, None], np.array([*"ab" * 10, "rare"])
    model = CARTClassifier(ccp_alpha="best", cv=5, class_weight=class_weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.fit(X, y)
    # Left out, its only case is taken for another.
    unpruned = clone(model).set_params(ccp_alpha=0.0).fit(X, y).tree_
    counts = unpruned.arrays.counts[0]
    assert (model.cp_table_["cv_error"] * unpruned.risk[0] >= counts[2] - 1e-9).all()


def test_a_tree_without_a_test_has_no_price_to_choose():
    model = CARTClassifier(ccp_alpha="best").fit([[1], [1], [1]], [0, 1, 1])
    assert (model.get_n_leaves(), model.ccp_alpha_, model.cp_table_) == (1, 0, None)


def test_a_choice_that_does_not_exist_is_refused():
    model = CARTClassifier(ccp_alpha="best")
    for asked, words in (
        (CARTClassifier(ccp_alpha="cheapest"), "must be 'best' or 'one_standard_error', not"),
        (model, r"cv draws 10 folds, more than the .* class has cases \(1\)"),
        (CARTRegressor(ccp_alpha="best"), r"cv draws 10 folds, more than there are cases \(2\): g"),
    ):
        with pytest.raises(ValueError, match=words):
            asked.fit([[1], [2]], [0, 1])
    with pytest.raises(NotFittedError):
        model.predict([[1]])


@pytest.mark.parametrize("estimator", [ID3Classifier(), C45Classifier(), CARTClassifier()])
def test_every_estimator_has_the_path_of_the_tree_that_it_grows(estimator):
    X, y = load_car(return_X_y=True)
    found = estimator.cost_complexity_pruning_path(X, y)
    tree = estimator.fit(X, y).tree_
    tree = getattr(estimator, "unpruned_tree_", tree)
    impurity = measures.gini if isinstance(estimator, CARTClassifier) else measures.entropy
    assert len(found.ccp_alphas) > 5
    for alpha, left in zip(found.ccp_alphas, found.impurities, strict=True):
        leaves = [node for _, node in prune_at(tree, alpha, impurity).tree.walk() if node.is_leaf]
        risk = sum(node.weight * impurity(node.counts) for node in leaves)
        assert left == pytest.approx(risk / len(y))


@pytest.mark.parametrize("share", [1e-12, 1 / 9])
def test_an_interval_is_that_of_scipy_wider_by_the_share(share):
    draws = np.random.default_rng(0).normal(0.3, 2, (12, 3))
    error = draws.std(axis=0, ddof=1) * np.sqrt(1 / 12 + share)
    wanted = stats.t.interval(0.9, 11, draws.mean(axis=0), error)
    assert np.allclose(corrected_interval(draws, share, level=0.9), wanted, rtol=1e-9)


@pytest.mark.parametrize(
    ("differences", "share", "words"),
    [([0.1], 0.5, "1 rows"), ([0.1, 0.2], 0, "test_share=0"), ([0.1, 0.2], -1, "test_share=-1")],
)
def test_too_few_splits_and_no_share_are_refused(differences, share, words):
    with pytest.raises(ValueError, match=words):
        corrected_interval(differences, share)


def test_weights_that_add_up_to_1_are_shares_in_every_fold():
    X, y = datasets.load_iris(return_X_y=True)
    folds, model = np.arange(150) % 10, C45Classifier(confidence=None)
    for times in (np.ones(150), folds % 3 + 1.0, (folds % 3 > 0).astype(float)):
        share, n = times / times.sum(), np.count_nonzero(times)
        counted, shared = (cp_table(model, X, y, folds, w) for w in (share * n, share))
        pd.testing.assert_frame_equal(counted, shared)

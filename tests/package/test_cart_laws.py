"""CART: what must hold of its trees, and what it says of bad input."""

import warnings
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from cart_tables import tables
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tiers import draws

from dtreebook import CARTClassifier, CARTRegressor, measures
from dtreebook.datasets import load_golf
from dtreebook.grow.criteria import BINARY
from dtreebook.grow.subsets import MOST_VALUES, best_subsets

SEEDS = st.integers(0, 2**32 - 1)


def grow(table, X=None, **options):
    """Grow a tree on a table of the twin, or on other columns in their place."""
    estimator = CARTClassifier if table.answer.dtype.kind == "i" else CARTRegressor
    X = table.frame if X is None else X
    return estimator(**options).fit(X, table.answer, table.weight)


def assert_equal(one, other):
    """Assert that two trees are the same but for the last digits."""
    assert one.arrays.split == other.arrays.split
    for name in ("counts", "label", "risk", "improvement", "default"):
        mine, others = getattr(one.arrays, name), getattr(other.arrays, name)
        assert mine is others is None or np.allclose(mine, others, 1e-9, 1e-9), name
    assert one.arrays.surrogates == other.arrays.surrogates


both_kinds = st.one_of(tables(), tables(numbers=True))


# --- what must hold ------------------------------------------------------------------------------


@given(table=both_kinds, seed=SEEDS)
def test_weight_2_is_a_row_that_stands_there_twice(table, seed):
    """Surrogates count rows, as in rpart: two must agree. So here there are none."""
    times = np.random.default_rng(seed).integers(1, 4, len(table.answer))
    weighed = table._replace(weight=times.astype(float))
    rows = np.repeat(np.arange(len(times)), times)
    repeated = table._replace(codes=table.codes[rows], answer=table.answer[rows], weight=None)
    one, other = (grow(t, max_surrogates=0) for t in (weighed, repeated))
    assert_equal(one.tree_, other.tree_)


@given(table=both_kinds, seed=SEEDS)
def test_the_order_of_the_rows_does_not_matter(table, seed):
    rows = np.random.default_rng(seed).permutation(len(table.answer))
    weight = None if table.weight is None else table.weight[rows]
    shuffled = table._replace(codes=table.codes[rows], answer=table.answer[rows], weight=weight)
    assert_equal(grow(table).tree_, grow(shuffled).tree_)


@given(table=both_kinds, seed=SEEDS)
def test_the_order_of_the_columns_matters_to_ties_alone(table, seed):
    """Each column offers the same, wherever it stands."""
    columns = np.random.default_rng(seed).permutation(table.frame.columns)
    one, other = (
        {
            list(X)[c.split.column]: c.score
            for c in grow(table, X).decisions(X, table.answer, table.weight)[0].candidates
        }
        for X in (table.frame, table.frame[columns])
    )
    assert one == pytest.approx(other, 1e-9, 1e-12)


@given(table=tables(), seed=SEEDS)
def test_the_order_of_the_classes_matters_to_ties_alone(table, seed):
    assume(set(table.kinds) <= {"numeric", "ordered"})  # of levels, several divisions may be best
    n_classes = table.answer.max() + 1
    named = np.random.default_rng(seed).permutation(n_classes)
    one, other = grow(table), grow(table._replace(answer=named[table.answer]))
    assert one.tree_.arrays.split == other.tree_.arrays.split
    assert one.tree_.arrays.surrogates == other.tree_.arrays.surrogates
    np.testing.assert_allclose(
        one.predict_proba(table.frame), other.predict_proba(table.frame)[:, named], 1e-9, 1e-9
    )


@given(table=both_kinds)
def test_numbers_may_be_bent_as_long_as_they_rise(table):
    """The cuts move, and with them cases between two that were seen; those seen stay."""
    frame = table.frame
    bent = frame.assign(**{c: np.exp(frame[c]) for c in frame.select_dtypes("number")})
    one, other = grow(table, max_surrogates=0), grow(table, bent, max_surrogates=0)
    np.testing.assert_array_equal(one.apply(frame), other.apply(bent))
    np.testing.assert_allclose(one.tree_.arrays.improvement, other.tree_.arrays.improvement)


@given(table=both_kinds, seed=SEEDS)
def test_levels_may_have_other_names(table, seed):
    """In the same order the tree is the same; in another, every attribute offers the same."""
    frame, rng = table.frame, np.random.default_rng(seed)
    levels = frame.select_dtypes("category").columns
    renamed, moved = frame.copy(), frame.copy()
    for column in levels:
        values = frame[column].cat
        renamed[column] = values.rename_categories([f"of {level}" for level in values.categories])
        if not values.ordered:
            moved[column] = values.reorder_categories(rng.permutation(values.categories))
    one, other = grow(table), grow(table, renamed)
    assert_equal(one.tree_, other.tree_)
    np.testing.assert_array_equal(one.apply(frame), other.apply(renamed))
    scores = [
        [c.score for c in grow(table, X).decisions(X, table.answer, table.weight)[0].candidates]
        for X in (frame, moved)
    ]
    assert scores[0] == pytest.approx(scores[1], 1e-9, 1e-12)


@given(table=tables(numbers=True))
def test_large_numbers_give_the_same_tree(table):
    """The squared error is worked out from the mean: with 1e8 added, no digit is lost."""
    one, other = grow(table), grow(table._replace(answer=table.answer + 1e8))
    assert one.tree_.arrays.split == other.tree_.arrays.split
    np.testing.assert_allclose(one.tree_.risk, other.tree_.risk, 1e-6, 1e-6)
    found = other.predict(table.frame) - 1e8
    np.testing.assert_allclose(one.predict(table.frame), found, 1e-6, 1e-6)


def test_diabetes_far_from_zero_is_cut_in_the_same_places():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 5)), rng.normal(size=500).round(3)
    trees = [CARTRegressor(min_samples_leaf=3).fit(X, y + far).tree_ for far in (0, 1e8)]
    assert trees[0].arrays.split == trees[1].arrays.split
    np.testing.assert_allclose(trees[0].risk, trees[1].risk, 1e-5)


@given(table=both_kinds)
def test_children_add_up_to_their_parent(table):
    """But for cases that stop where as much goes either way, and no surrogate is known."""
    model = grow(table)
    tree = model.tree_
    for i in np.flatnonzero(tree.arrays.first_child):
        children = tree.arrays.first_child[i] + np.arange(2)
        together = tree.arrays.counts[children].sum(axis=0)
        assert (together <= tree.arrays.counts[i] + 1e-9).all()
        assert (table.codes < 0).any() or together == pytest.approx(tree.arrays.counts[i])
        assert tree.risk[children].sum() <= tree.risk[i] + 1e-9
        assert tree.arrays.counts[children].sum(axis=1).all()
    if isinstance(model, CARTClassifier):
        shares = model.predict_proba(table.frame)
        assert (shares >= 0).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1)
    importances = model.feature_importances_
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(float(tree.arrays.improvement.any()))


@given(
    seed=SEEDS,
    n=st.integers(2, 1500),
    levels=st.lists(st.integers(-1000, 1000), min_size=2, max_size=4, unique=True),
    weight=st.sampled_from([None, 0.3, 1e-300, 1e90, "any"]),
)
def test_a_node_whose_numbers_are_all_the_same_is_a_leaf(seed, n, levels, weight):
    """The mean of a thousand equal numbers is off by more than each of them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 1))
    bins = np.searchsorted(np.quantile(X[:, 0], np.arange(1, len(levels)) / len(levels)), X[:, 0])
    y = np.array(levels)[bins] / 10
    if weight is not None:
        weight = rng.random(n) + 0.01 if weight == "any" else np.full(n, weight)
    tree = CARTRegressor().fit(X, y, weight).tree_
    runs = 1 + np.count_nonzero(np.diff(y[np.argsort(X[:, 0])]))
    assert np.count_nonzero(tree.arrays.first_child == 0) == runs
    assert set(tree.arrays.label[tree.arrays.first_child == 0]) == set(y)


@settings(max_examples=draws(20))
@given(seed=SEEDS, n_values=st.integers(2, 9))
@pytest.mark.parametrize("criterion", BINARY)
def test_the_best_of_all_divisions_is_one_in_the_order_of_the_means(criterion, seed, n_values):
    """Breiman et al. (1984), theorem 4.5, by trying every one of them."""
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 9, n_values).astype(float)
    amount = rng.integers(0, weight + 1).astype(float)
    amounts = np.stack([amount, weight - amount], axis=-1)
    if criterion == "squared_error":
        amount -= amount.sum() / weight.sum() * weight  # numbers are kept as what they are above
        amounts = amount[:, None]
    (best,), (side,) = best_subsets(
        weight[None], amounts[None], weight[None], 1, np.zeros(1), BINARY[criterion]
    )

    def impurity(levels):
        w, a = weight[levels].sum(), amount[levels].sum()
        if criterion == "squared_error":
            return -a * a / w
        return w * float(BINARY[criterion].impurity(np.array([a, w - a])))

    everything, gains = np.arange(n_values), {}
    for size in range(1, n_values):
        for some in combinations(range(n_values), size):
            others = np.setdiff1d(everything, some)
            gains[some] = impurity(everything) - impurity(list(some)) - impurity(others)
    assert best == pytest.approx(max(gains.values()), 1e-9, 1e-9)
    assert gains[tuple(np.flatnonzero(side == 0).tolist())] == pytest.approx(best, 1e-9, 1e-9)


@pytest.mark.parametrize("seed", range(100))
def test_with_more_classes_every_division_is_tried(seed):
    """Where the order of one component, the heuristic for many values, would sometimes miss it."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, (8, 4)) + np.array([1, 0, 0, 0])
    weight = counts.sum(axis=1).astype(float)
    amounts = counts[None].astype(float)
    (best,), (side,) = best_subsets(
        weight[None], amounts, weight[None], 1, np.zeros(1), BINARY["gini"]
    )

    def impurity(levels):
        return weight[levels].sum() * float(measures.gini(counts[levels].sum(axis=0)))

    gains = []
    for code in range(1, 2**7):
        second = (code >> np.arange(8)) & 1 == 1  # the last level is never on it
        gains.append(impurity(slice(None)) - impurity(second) - impurity(~second))
    assert best == pytest.approx(max(gains), 1e-9)
    found = impurity(slice(None)) - impurity(side == 0) - impurity(side == 1)
    assert found == pytest.approx(best, 1e-9)


@given(seed=SEEDS, n_values=st.integers(13, 16), n_classes=st.sampled_from([3, 5, 20]))
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_of_many_values_the_best_cut_along_the_first_principal_component_is_found(
    criterion, seed, n_values, n_classes
):
    """Coppersmith, Hong and Hosking (1999); the component by the singular vectors."""
    rng = np.random.default_rng(seed)
    amounts = rng.integers(1, 9, (3, n_values, n_classes)) * rng.choice([1, 100], (3, n_values, 1))
    amounts = amounts / amounts[:, 1:].sum(axis=1, keepdims=True)
    amounts[:, 0] = 1  # lies in the middle: the others balance
    weight = amounts.sum(axis=2)
    best, sides = best_subsets(weight, amounts, weight, 0, np.zeros(3), BINARY[criterion])

    for table, found, side in zip(amounts, best, sides, strict=True):

        def impurity(levels, table=table):
            counts = table[levels].sum(axis=0)
            return counts.sum() * float(BINARY[criterion].impurity(counts))

        everything, total = np.arange(n_values), table.sum(axis=1, keepdims=True)
        centred = table / total - table.sum(axis=0) / table.sum()
        component = np.linalg.svd(np.sqrt(total) * centred)[2][0]
        order = np.argsort(centred @ component)
        gains = [
            impurity(everything) - impurity(order[:cut]) - impurity(order[cut:])
            for cut in range(1, n_values)
        ]
        assert found == pytest.approx(max(gains), rel=1e-9)
        parted = impurity(everything) - impurity(side == 0) - impurity(side == 1)
        assert parted == pytest.approx(found, rel=1e-9)
        assert side[0] == 0


def test_a_nominal_surrogate_errs_as_rpart_has_it():
    """As rpart asks, two cases agree with it and two do not: a perfect one is not kept."""
    rng = np.random.default_rng(0)
    asked = rng.permutation(np.repeat([0.0, 1.0], 20))
    copy = np.where(asked, "high", "low")
    for wrong, kept in [(0, 0), (1, 0), (2, 1), (3, 1)]:
        copy_with_errors = copy.copy()
        copy_with_errors[:wrong] = np.where(asked[:wrong], "low", "high")
        X = pd.DataFrame({"asked": asked, "copy": copy_with_errors})
        root = CARTClassifier(max_surrogates=5).fit(X, asked.astype(int)).tree_.root
        assert len(root.surrogates) == kept
        numbers = X.assign(copy=(copy_with_errors == "high").astype(float))
        (found,) = CARTClassifier(max_surrogates=5).fit(numbers, asked).tree_.root.surrogates
        assert found.agreement == 1 - wrong / 40  # of a numeric one nothing of the kind is asked


# --- bad input -----------------------------------------------------------------------------------

X_GOLF, Y_GOLF = load_golf(return_X_y=True)
Y_GOLF = pd.Series(np.where(Y_GOLF == "Play", "yes", "no"))
NUMBERS = np.arange(14.0)
BOTH = pytest.mark.parametrize(
    ("estimator", "y"), [(CARTClassifier(), Y_GOLF), (CARTRegressor(), NUMBERS)]
)


@BOTH
def test_an_infinite_value_is_refused(estimator, y):
    X = X_GOLF.assign(humidity=np.where(NUMBERS == 3, np.inf, NUMBERS))
    message = "column 'humidity' is infinite in row 3: use a finite number, or NaN if unknown"
    with pytest.raises(ValueError, match=message):
        estimator.fit(X, y)
    with pytest.raises(ValueError, match=message):
        estimator.fit(X_GOLF, y).predict(X)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (
            np.where(NUMBERS == 5, np.nan, NUMBERS),
            "y is nan in row 5: give a finite number, or lea",
        ),
        (np.where(NUMBERS == 5, -np.inf, NUMBERS), "y is -inf in row 5: give a finite number"),
        (list(Y_GOLF), "y must be numbers for a regression tree: .*'"),
        (NUMBERS[1:], "X has 14 rows but y has 13: give each a number"),
        (None, "requires y to be passed, but the target y is None"),
    ],
    ids=["NaN", "infinite", "words", "too few", "none"],
)
def test_numbers_that_are_none_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        CARTRegressor().fit(X_GOLF, y)


def test_a_case_without_a_class_is_refused():
    with pytest.raises(ValueError, match="y has no class in row 2: give one, or leave the row out"):
        CARTClassifier().fit(X_GOLF, Y_GOLF.where(NUMBERS != 2))


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        ([[0, 1]], r"loss has shape \(1, 2\), but there are 2 classes: give a row for each true"),
        (1 - np.eye(3), r"loss has shape \(3, 3\), but there are 2 classes"),
        ([[0, -1], [1, 0]], "loss is -1.0 for class 'no' taken for 'yes': give a finite num"),
        ([[0, 1], [np.nan, 0]], "loss is nan for class 'yes' taken for 'no': give a finite"),
        ([[0, np.inf], [1, 0]], "loss is inf for class .*: give a finite number, 0 or more"),
        ([[0, 1], [1, 2]], "loss is 2.0 for class 'yes' taken for what it is: put 0 on the dia"),
        ([[0, 0], [1, 0]], "loss is 0 for class 'no' whatever .*: give an error a cost, or"),
        ([[0, 1], [1]], "loss must hold numbers, in rows of one length: "),
        ("dear", "loss must hold numbers, .*'dear'"),
    ],
)
def test_a_loss_that_cannot_be_is_refused(loss, message):
    with pytest.raises(ValueError, match=message):
        CARTClassifier(loss=loss).fit(X_GOLF, Y_GOLF)


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ([0.5, 0.6], r"priors must add up to 1, but \[0.5, 0.6\] make 1.1"),
        ({"no": 0.5, "yes": 0.4}, "priors must add up to 1, but .* make 0.9"),
        (
            [0.2, 0.3, 0.5],
            r"priors have shape \(3,\), but there are 2 classes: give a number for e",
        ),
        ([1.5, -0.5], "the prior of class 'yes' is -0.5: give a number above 0, or leave"),
        ([0, 1], "the prior of class 'no' is 0.0: give a number above 0"),
        ([1, np.nan], "the prior of class 'yes' is nan: give a number above 0"),
        ({"no": 1}, "priors name the classes \\['no'\\], but y has \\['no', 'yes'\\]"),
        (["much", "little"], "priors must hold numbers, .*'much'"),
    ],
)
def test_priors_that_cannot_be_are_refused(priors, message):
    with pytest.raises(ValueError, match=message):
        CARTClassifier(priors=priors).fit(X_GOLF, Y_GOLF)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"max_depth": -1}, ValueError, "max_depth == -1, must be >= 0"),
        ({"max_depth": 1.5}, TypeError, "max_depth must be an instance of int, not float"),
        ({"min_samples_split": 1}, ValueError, "min_samples_split == 1, must be >= 2"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf == 0, must be >= 1"),
        ({"min_samples_leaf": 0.1}, TypeError, "min_samples_leaf must be an instance of int"),
        ({"max_leaf_nodes": 1}, ValueError, "max_leaf_nodes == 1, must be >= 2"),
        ({"min_impurity_decrease": -1}, ValueError, "min_impurity_decrease == -1, must be >= 0"),
        ({"min_impurity_decrease": np.nan}, ValueError, "min_impurity_decrease is nan: give a fin"),
        ({"ccp_alpha": -0.1}, ValueError, "ccp_alpha == -0.1, must be >= 0"),
        ({"ccp_alpha": np.inf}, ValueError, "ccp_alpha is inf: give a finite number"),
        ({"max_surrogates": -1}, ValueError, "max_surrogates == -1, must be >= 0"),
        ({"max_surrogates": "many"}, TypeError, "max_surrogates must be an instance of int"),
        ({"missing": "mean"}, ValueError, "missing must be 'majority' or 'surrogates' or 'stop'"),
        ({"agreement": None}, ValueError, "agreement must be 'primary' or 'both', not None"),
    ],
)
@BOTH
def test_parameters_out_of_range_are_refused_at_fit(estimator, y, parameters, error, message):
    with pytest.raises(error, match=message):
        type(estimator)(**parameters).fit(X_GOLF, y)


def test_an_unknown_criterion_is_refused():
    with pytest.raises(ValueError, match="criterion must be 'gini' or 'entropy', not 'gain'"):
        CARTClassifier(criterion="gain").fit(X_GOLF, Y_GOLF)


# --- awkward, but good enough --------------------------------------------------------------------


def test_sixty_values_and_five_classes_are_divided_by_a_heuristic_that_says_so():
    rng = np.random.default_rng(0)
    city = rng.integers(0, 60, 3000)
    X = pd.DataFrame({"city": [f"city {i}" for i in city]})
    y = np.where(rng.random(3000) < 0.5, city % 5, rng.integers(0, 5, 3000))
    with pytest.warns(UserWarning, match="'city' has 60 values .* 5 classes.* heuristic") as said:
        model = CARTClassifier().fit(X, y)
    assert said[0].filename == __file__
    assert model.score(X, y) > 0.55  # each city apart has about 0.6
    # With fewer values, with two classes or with numbers every way counts, and nothing is said.
    few = city < MOST_VALUES
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CARTClassifier().fit(X[few], y[few])
        CARTClassifier().fit(X, y == 0)
        CARTRegressor().fit(X, y)


@BOTH
def test_where_every_surrogate_is_missing_the_majority_decides(estimator, y):
    nothing = X_GOLF[:3].assign(**dict.fromkeys(X_GOLF, None))
    model = estimator.set_params(max_surrogates=5).fit(X_GOLF, y)
    node = model.tree_.root
    while node.default >= 0:
        node = node.children[node.default]
    assert node is not model.tree_.root
    assert node.is_leaf or np.ptp([child.weight for child in node.children]) == 0
    assert (model.apply(nothing) == model.apply(nothing)[0]).all()
    expected = node.label if isinstance(model, CARTRegressor) else model.classes_[node.label]
    assert (model.predict(nothing) == expected).all()
    # Told to stop, the case stays at the root.
    for missing in ("surrogates", "stop"):
        model = estimator.set_params(missing=missing).fit(X_GOLF, y)
        assert model.apply(nothing).tolist() == [0, 0, 0]
    estimator.set_params(missing="majority")


@BOTH
def test_a_column_of_which_nothing_is_known_is_never_asked(estimator, y):
    X = X_GOLF.assign(number=np.nan, word=None)
    model, without = estimator.fit(X, y), type(estimator)().fit(X_GOLF, y)
    assert model.tree_.arrays.split == without.tree_.arrays.split
    hopeless = estimator.fit(X[["number", "word"]], y)
    assert hopeless.tree_.node_count == 1


@pytest.mark.parametrize("constant", [0, 7, 0.1, 1e8 + 0.1, -1e-9])
def test_regression_on_constants_is_a_leaf(constant):
    model = CARTRegressor().fit(X_GOLF, np.full(14, constant))
    assert model.tree_.node_count == 1
    assert model.predict(X_GOLF) == pytest.approx(constant, 1e-15)
    assert model.feature_importances_.tolist() == [0, 0, 0, 0]
    path = model.cost_complexity_pruning_path(X_GOLF, np.full(14, constant))
    assert path.ccp_alphas.tolist() == [0]


def test_one_class_and_one_row_are_leaves():
    for X, y in [(X_GOLF, ["one"] * 14), (X_GOLF[:1], ["one"]), (X_GOLF[["outlook"]], [1] * 14)]:
        model = CARTClassifier(max_surrogates=5).fit(X, y)
        assert (model.get_depth(), model.predict(X).tolist()) == (0, y)
    one_class = CARTClassifier(priors=[1.0], loss=[[0]]).fit(X_GOLF, ["one"] * 14)
    assert one_class.predict_proba(X_GOLF).tolist() == [[1.0]] * 14


@pytest.mark.parametrize("low", [0, 0.1, -0.7])
def test_a_leaf_of_equal_numbers_says_them_exactly(low):
    y = np.repeat([low, 1, 17.3], [21, 19, 7])
    model = CARTRegressor().fit(y[:, None], y)
    assert model.predict(y[:, None]).tolist() == y.tolist()
    assert model.tree_.risk[model.tree_.arrays.first_child == 0].tolist() == [0, 0, 0]


def test_priors_and_losses_may_be_named():
    X, y = [[1], [2], [2], [3], [3], [4]] * 3, ["a", "b", "a", "b", "a", "b"] * 3
    for named, plain in [
        ({"priors": pd.Series({"b": 0.3, "a": 0.7})}, {"priors": [0.7, 0.3]}),
        (
            {"loss": pd.DataFrame({"b": {"b": 0, "a": 3}, "a": {"b": 1, "a": 0}})},
            {"loss": [[0, 3], [1, 0]]},
        ),
    ]:
        one, other = (CARTClassifier(**given).fit(X, y).tree_ for given in (named, plain))
        assert one == other
    with pytest.raises(
        ValueError, match=r"priors name the classes \[0, 1\], but y has \['a', 'b'\]"
    ):
        CARTClassifier(priors=pd.Series([0.7, 0.3])).fit(X, y)
    with pytest.raises(
        ValueError, match=r"loss names the classes \[0, 1\] in rows .* \['a', 'b'\]"
    ):
        CARTClassifier(loss=pd.DataFrame([[0, 3], [1, 0]])).fit(X, y)

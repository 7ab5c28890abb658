"""CART: what must hold of its trees, what they say of themselves and of bad input."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris

from dtreebook import CARTClassifier, CARTRegressor
from dtreebook.count.tables import Rows, Sums
from dtreebook.grow.criteria import BINARY
from dtreebook.grow.cuts import Aim
from dtreebook.grow.subsets import MOST_VALUES, best_subsets

SEEDS = st.integers(0, 2**32 - 1)


def rows_of(tables):
    g, n_values, n_classes = tables.shape
    held = Sums.of(tables.reshape(-1, n_classes).T)
    size, value = np.full(g, n_values), np.tile(np.arange(n_values), g)
    return Rows(np.arange(g), np.zeros(g, dtype=int), size, value, held)


def test_numbers_far_from_zero_are_cut_in_the_same_places():
    """The squared error is worked out from the mean: with 1e8 added, no digit is lost."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 5)), rng.normal(size=500).round(3)
    trees = [CARTRegressor(min_samples_leaf=3).fit(X, y + far).tree_ for far in (0, 1e8)]
    assert trees[0].arrays.split == trees[1].arrays.split
    np.testing.assert_allclose(trees[0].risk, trees[1].risk, 1e-5)


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
    assert (tree.risk[tree.arrays.first_child == 0] == 0).all()


@given(seed=SEEDS, n=st.integers(1, 12))
def test_levels_of_the_same_mean_stay_in_their_order_however_their_cases_are_added_up(seed, n):
    """Their mean is that of the node, but for rounding, which depends on the order of the cases."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.integers(0, 4, n), [4, 5, 6, 4, 5, 6]]).astype(str).astype(object)
    y = np.concatenate([rng.integers(0, 3, n), [0, 0, 0, 2, 2, 2]]) / 4
    weight = np.concatenate([rng.integers(1, 3, n), [1, 1, 2, 1, 1, 2]])
    rows = np.repeat(np.arange(len(x)), weight)
    weighed = CARTRegressor().fit(x[:, None], y, weight).tree_
    repeated = CARTRegressor().fit(x[rows, None], y[rows]).tree_
    assert weighed.arrays.split == repeated.arrays.split


@pytest.mark.parametrize(
    "model", [CARTClassifier(), CARTClassifier(criterion="entropy"), CARTRegressor()]
)
def test_a_running_sum_of_many_fractions_decides_no_tie(model):
    y = np.repeat([0, 1, 0, 1, 0], 10_000)  # the first cut and the last are as good
    X = np.arange(len(y), dtype=float)[:, None]
    model.set_params(max_depth=1)
    for weight in (2 / 3, 0.7, 1, 1.1):
        assert model.fit(X, y, np.full(len(y), weight)).tree_.arrays.split[0].cut == 9999.5


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("tiny", [1e-16, 1e-14, 1e-12])
def test_weights_that_are_lost_in_rounding_divide_nothing(criterion, tiny):
    X, y = load_breast_cancer(return_X_y=True)
    weight = np.where(np.random.default_rng(0).random(len(y)) < 0.5, 1, tiny)
    model = CARTClassifier(criterion=criterion)
    without, with_them = (model.fit(X, y, w).tree_ for w in (np.floor(weight), weight))
    assert without.node_count <= with_them.node_count <= 2 * without.node_count + 2
    # Words and levels are divided by the same rule.
    X = pd.DataFrame({"a": list("abcdef") * 20})
    y = np.arange(120) % 6 == 0
    leaf = CARTClassifier(criterion=criterion).fit(X, y, np.where(y, tiny / 10, 1))
    assert leaf.get_n_leaves() == 1 + (tiny > 1e-12)


def tie(best, node):
    return 1e-12 * best


def gain_of(table, first, criterion):
    def impurity(levels):
        counts = table[levels].sum(axis=0)
        return counts.sum() * float(BINARY[criterion].impurity(counts))

    return impurity(slice(None)) - impurity(first) - impurity(~first)


@given(seed=SEEDS)
def test_of_eight_values_and_four_classes_every_division_is_tried(seed):
    """Where the order of one component, the heuristic for many values, would sometimes miss it."""
    table = np.random.default_rng(seed).integers(0, 9, (8, 4)) + np.array([1.0, 0, 0, 0])
    (best,), side = best_subsets(rows_of(table[None]), Aim(BINARY["gini"]), tie)
    every = [(code >> np.arange(8)) & 1 == 1 for code in range(1, 2**7)]
    assert best == pytest.approx(max(gain_of(table, first, "gini") for first in every), 1e-9)
    assert gain_of(table, side == 0, "gini") == pytest.approx(best, 1e-9)


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
    best, sides = best_subsets(rows_of(amounts), Aim(BINARY[criterion], cases=0), tie)
    sides = sides.reshape(3, n_values)
    for table, found, side in zip(amounts, best, sides, strict=True):
        total = table.sum(axis=1, keepdims=True)
        centred = table / total - table.sum(axis=0) / table.sum()
        place = (centred @ np.linalg.svd(np.sqrt(total) * centred)[2][0]).argsort().argsort()
        gains = [gain_of(table, place < cut, criterion) for cut in range(1, n_values)]
        assert found == pytest.approx(max(gains), rel=1e-9)
        assert gain_of(table, side == 0, criterion) == pytest.approx(found, rel=1e-9)
        assert side[0] == 0


IRIS = load_iris(return_X_y=True, as_frame=True)


def test_the_summary_tells_competitors_and_surrogates_of_every_test():
    model = CARTClassifier(max_depth=2, max_surrogates=2).fit(*IRIS)
    text = model.summary(*IRIS, competitors=3)
    root = model.tree_.root
    assert text.count(" asked of ") == 2
    assert text.count("competitor") == 6
    assert text.count("surrogate") == len(root.surrogates) + len(root.children[1].surrogates) == 4
    first = root.surrogates[0]
    assert f"agrees in {first.agreement:.3f}, adjusted {first.adjusted:.3f}" in text
    gains = [float(line.split()[-1]) for line in text.splitlines() if "competitor" in line]
    assert gains[:3] == sorted(gains[:3], reverse=True)


def test_a_pruned_tree_tells_only_the_tests_it_has_kept():
    model = CARTClassifier(ccp_alpha=0.02).fit(*IRIS)
    tests = model.tree_.node_count - model.get_n_leaves()
    assert model.summary(*IRIS).count(" asked of ") == tests


def test_surrogates_are_sought_where_a_value_is_unknown_or_they_are_asked_for():
    X, y = IRIS
    blank = X.mask((X.index.to_numpy() == 3)[:, None] & (np.arange(4) == 2))
    assert not CARTClassifier().fit(X, y).tree_.root.surrogates
    assert CARTClassifier().fit(blank, y).tree_.root.surrogates
    assert CARTClassifier(max_surrogates=1).fit(X, y).tree_.root.surrogates


def test_the_weight_of_a_class_is_said_once():
    model = CARTClassifier(priors=[0.5, 0.5], class_weight="balanced")
    with pytest.raises(ValueError, match="priors say what each class weighs"):
        model.fit([[1], [2]], [0, 1])


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

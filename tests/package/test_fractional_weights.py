"""CART with any weights, priors and losses: the tree is the twin's, and it ends.

Sums of such weights are off in their last digits. A test may not be chosen for what is only that,
nor may a node be left without a case.
"""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from cart_tables import WEIGHTS, Table, compare, options, tables
from cart_twin import Options
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import AdaBoostClassifier
from tiers import draws

from dtreebook import CARTClassifier

# Columns, classes, weights.
TABLES = {
    "left over is less than nothing": ([[0], [1], [2], [3]], [2, 0, 1, 1], [0.6, 0.4, 0.2, 0.1]),
    "five cases": ([[0], [2], [1], [4], [5]], [2, 0, 2, 1, 0], [0.9, 0.2, 0.5, 0.1, 0.1]),
    "endless": ([[4, 2], [1, 2], [2, 0], [0, 0], [5, 0], [4, 1]], [2, 1, 2, 4, 2, 1], [0.7] * 6),
    "a cut in vain": ([[1], [0], [3], [5], [4], [0], [5]], [2, 1, 0, 0, 2, 2, 3], [0.3] * 7),
}


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("name", TABLES)
def test_tables_that_once_crashed_or_never_ended(name, criterion):
    X, y, weight = TABLES[name]
    y = np.unique(y, return_inverse=True)[1]
    table = Table(("numeric",) * len(X[0]), np.array(X) * 4, y, np.array(weight))
    compare(table, Options(n_classes=int(y.max()) + 1, criterion=criterion))


def assert_sound(tree):
    """Assert that every node has cases, and its children have all of them."""
    arrays = tree.arrays
    assert (arrays.counts.sum(axis=1) > 0).all()
    assert np.isfinite(arrays.improvement).all()
    for node in np.flatnonzero(arrays.first_child):
        below = arrays.counts[arrays.first_child[node] :][:2]
        np.testing.assert_allclose(below.sum(axis=0), arrays.counts[node], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("load", [load_wine, load_digits])
def test_entropy_with_priors(load):
    X, y = load(return_X_y=True)
    k = y.max() + 1
    priors = np.arange(1, k + 1) / (k * (k + 1) / 2)
    model = CARTClassifier(criterion="entropy", priors=priors).fit(X, y)
    assert_sound(model.tree_)
    assert (model.predict(X) == y).all()


def test_entropy_with_a_loss():
    X, y = load_wine(return_X_y=True)
    loss = [[0, 1.1, 2.3], [0.7, 0, 1.9], [3.1, 1.3, 0]]
    model = CARTClassifier(criterion="entropy", loss=loss).fit(X, y)
    assert_sound(model.tree_)
    assert (model.predict(X) == y).all()


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("weighing", ["random", "tenths", "balanced"])
@pytest.mark.parametrize("seed", range(6))
def test_noise_of_three_classes_with_weights(seed, weighing, criterion):
    rng = np.random.default_rng(seed)
    n = (150, 1000)[seed % 2]
    X, y = rng.normal(size=(n, 3)), rng.integers(0, 3, n)
    balanced = n / (3 * np.bincount(y))[y]
    weights = {"random": rng.random(n), "tenths": rng.integers(1, 9, n) / 10, "balanced": balanced}
    model = CARTClassifier(criterion=criterion).fit(X, y, weights[weighing])
    assert_sound(model.tree_)
    assert (model.predict(X) == y).all()


def test_trees_boosted_with_entropy():
    X, y = load_wine(return_X_y=True)
    stumps = CARTClassifier(criterion="entropy", max_depth=2)
    boosted = AdaBoostClassifier(stumps, n_estimators=30, random_state=0).fit(X, y)
    assert boosted.score(X, y) > 0.99
    for model in boosted.estimators_:
        assert_sound(model.tree_)


@pytest.mark.parametrize("scale", [1e-140, 1e-12, 0.1, 1e12, 1e90])
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_the_unit_of_weight_does_not_matter(scale, criterion):
    X, y = load_wine(return_X_y=True)
    X[::7, 3] = np.nan
    given = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    one, other = (CARTClassifier(criterion=criterion).fit(X, y, w) for w in (given, given * scale))
    assert one.tree_.arrays.split == other.tree_.arrays.split
    assert one.tree_.arrays.default.tolist() == other.tree_.arrays.default.tolist()
    for mine, others in zip(
        one.tree_.arrays.surrogates, other.tree_.arrays.surrogates, strict=True
    ):
        assert [s.split for s in mine] == [s.split for s in others]


@settings(max_examples=draws(300))
@given(data=st.data(), table=tables(ways=tuple(WEIGHTS), max_rows=16))
def test_with_any_weights_a_tree_for_classes_is_that_of_the_twin(data, table):
    compare(table, data.draw(options(int(table.answer.max()) + 1, ("gini", "entropy"))))


@settings(max_examples=draws(150))
@given(data=st.data(), table=tables(numbers=True, ways=tuple(WEIGHTS), max_rows=16))
def test_with_any_weights_a_tree_for_numbers_is_that_of_the_twin(data, table):
    compare(table, data.draw(options()))


def test_a_cut_that_gains_nothing_but_rounding_is_not_better_than_one_before():
    """Every cut of either column gains nothing at all; so the first of the first is made."""
    X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]] * 3) * 4
    y = np.zeros(12, dtype=int)
    y[4:8], y[8:] = 1, 2
    table = Table(("numeric", "numeric"), X, y, np.full(12, 0.1))
    for criterion in ("gini", "entropy"):
        _, twin = compare(table, Options(n_classes=3, criterion=criterion))
        assert (twin.test.attribute, twin.test.cut) == (0, Fraction(1, 2))


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

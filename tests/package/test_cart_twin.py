"""CART: node for node the tree of the naive twin, on awkward little tables, with any weights.

Sums of such weights are off in their last digits. A test may not be chosen for what is only that,
nor may a node be left without a case.
"""

import numpy as np
import pandas as pd
import pytest
from cart_tables import Table, compare, options, tables
from cart_twin import Options, reach
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from tiers import draws

from dtreebook import CARTClassifier, CARTRegressor


@settings(max_examples=draws(400))
@given(data=st.data(), table=st.one_of(tables(), tables(numbers=True)), unseen=tables())
def test_a_tree_is_that_of_the_twin_and_sends_old_and_new_cases_as_it_does(data, table, unseen):
    is_regression = table.answer.dtype.kind == "f"
    n_classes = None if is_regression else int(table.answer.max()) + 1
    model, twin = compare(table, data.draw(options(n_classes)))
    new = np.resize(unseen.codes, (len(unseen.codes), len(table.kinds)))
    for asked in (table, table._replace(codes=new)):
        ends = [reach(twin, asked.values(row)) for row in range(len(asked.codes))]
        if is_regression:
            found, wanted = model.predict(asked.frame), [float(end.label) for end in ends]
        else:
            counts = np.array([end.counts for end in ends], dtype=float)
            found = model.predict_proba(asked.frame)
            wanted = counts / counts.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


# Columns, classes, weights: they once crashed or never ended, or made a cut that gains nothing.
TABLES = {
    "left over is less than nothing": ([[0], [1], [2], [3]], [2, 0, 1, 1], [0.6, 0.4, 0.2, 0.1]),
    "five cases": ([[0], [2], [1], [4], [5]], [2, 0, 2, 1, 0], [0.9, 0.2, 0.5, 0.1, 0.1]),
    "endless": ([[4, 2], [1, 2], [2, 0], [0, 0], [5, 0], [4, 1]], [2, 1, 2, 4, 2, 1], [0.7] * 6),
    "a cut in vain": ([[1], [0], [3], [5], [4], [0], [5]], [2, 1, 0, 0, 2, 2, 3], [0.3] * 7),
    "only ties": ([[0, 0], [1, 1], [0, 1], [1, 0]] * 3, np.repeat([0, 1, 2], 4), [0.1] * 12),
}


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize(("X", "y", "weight"), TABLES.values(), ids=TABLES)
def test_sums_that_are_off_in_their_last_digit_decide_nothing(X, y, weight, criterion):
    y = np.unique(y, return_inverse=True)[1]
    table = Table(("numeric",) * len(X[0]), np.array(X) * 4, y, np.array(weight))
    compare(table, Options(n_classes=int(y.max()) + 1, criterion=criterion))


def test_of_tests_that_gain_nothing_the_first_is_asked():
    """In the second node all tests gain nothing; the sums differ in their last digits."""
    X = np.ones((11, 3)) * [0, 1, 1]
    X[2, 1], X[3, 1], X[8, 2] = 0, 2, 0
    y = np.r_[0, 1.5, -0.5, np.full(8, 0.75)]
    asked = [split.column for split in CARTRegressor().fit(X, y).tree_.arrays.split if split]
    assert asked == [1, 1, 2]


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

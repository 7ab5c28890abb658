"""CART: node for node the tree of the naive twin, on awkward little tables."""

from unittest import mock

import numpy as np
import pytest
from cart_tables import compare, options, tables
from cart_twin import reach
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dtreebook import CARTRegressor


@pytest.fixture(
    params=[0, 2**12], ids=["cuts picked out", "all places"], scope="module", autouse=True
)
def few_cells(request):
    """Score little tables as large ones, of which the cuts are picked out, and as little ones."""
    with mock.patch("dtreebook.grow.thresholds._FEW_CELLS", request.param):
        yield


@settings(max_examples=draws(200))
@given(data=st.data(), table=tables())
def test_a_tree_for_classes_is_that_of_the_twin(data, table):
    n_classes = int(table.answer.max()) + 1
    model, twin = compare(table, data.draw(options(n_classes)))
    for row, shares in enumerate(model.predict_proba(table.frame)):
        counts = np.array(reach(twin, table.values(row)).counts, dtype=float)
        np.testing.assert_allclose(shares, counts / counts.sum(), rtol=1e-9, atol=1e-12)


@settings(max_examples=draws(100))
@given(data=st.data(), table=tables(numbers=True))
def test_a_tree_for_numbers_is_that_of_the_twin(data, table):
    model, twin = compare(table, data.draw(options()))
    means = [float(reach(twin, table.values(row)).label) for row in range(len(table.answer))]
    np.testing.assert_allclose(model.predict(table.frame), means, rtol=1e-9, atol=1e-12)


@given(data=st.data(), table=tables(), unseen=tables())
def test_cases_it_has_not_seen_go_where_the_twin_sends_them(data, table, unseen):
    n_classes = int(table.answer.max()) + 1
    model, twin = compare(table, data.draw(options(n_classes)))
    codes = np.resize(unseen.codes, (len(unseen.codes), len(table.kinds)))
    new = table._replace(codes=codes)
    for row, shares in enumerate(model.predict_proba(new.frame)):
        counts = np.array(reach(twin, new.values(row)).counts, dtype=float)
        np.testing.assert_allclose(shares, counts / counts.sum(), rtol=1e-9, atol=1e-12)


def test_of_tests_that_gain_nothing_the_first_is_asked():
    """In the second node all tests gain nothing; the sums differ in their last digits."""
    X = np.ones((11, 3)) * [0, 1, 1]
    X[2, 1], X[3, 1], X[8, 2] = 0, 2, 0
    y = np.r_[0, 1.5, -0.5, np.full(8, 0.75)]
    asked = [split.column for split in CARTRegressor().fit(X, y).tree_.arrays.split if split]
    assert asked == [1, 1, 2]

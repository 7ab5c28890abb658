"""The measures: what must hold for every table, and what they say to input that is no table."""

import math

import bits
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import counts, tables

from dtreebook.measures import (
    conditional_entropy,
    entropy,
    expected_impurity,
    gain,
    gain_ratio,
    gini,
    information_gain,
    joint_entropy,
    kl_divergence,
    misclassification,
    mutual_information,
    mutual_information_forms,
    n_log_n,
    split_information,
)

# The formulas are sums of at most some thirty terms of a few bits: rounding stays far below this.
ROUNDING = 1e-12

OF_COUNTS = [entropy, gini, misclassification]
OF_TABLES = [
    *(joint_entropy, conditional_entropy, mutual_information, information_gain, split_information),
    lambda table: gain(table, gini),
    lambda table: gain(table, misclassification),
    lambda table: expected_impurity(table, gini),
]

unknowns = st.one_of(st.just(0), st.integers(0, 9), st.floats(0.01, 100))


def same(one, other):
    return np.allclose(one, other, rtol=1e-9, atol=ROUNDING)


def by_definition(table, unknown):
    """Return each measure of a table, cell by cell; `unknown` is the weight of unknown values."""
    rows, classes = table.sum(axis=1), table.sum(axis=0)
    n, h = table.sum(), bits.entropy
    within = {
        impurity: sum(row.sum() / n * impurity(row) for row in table if row.any())
        for impurity in (h, naive_gini, naive_error)
    }
    information = h(rows) + h(classes) - h(table.ravel())
    return {
        entropy: h(table.ravel()),
        joint_entropy: h(table.ravel()),
        conditional_entropy: within[h],
        mutual_information: information,
        lambda t: information_gain(t, unknown): information * n / (n + unknown),
        lambda t: split_information(t, unknown): h([*rows, unknown]),
        lambda t: expected_impurity(t, gini): within[naive_gini],
        lambda t: gain(t, gini): naive_gini(classes) - within[naive_gini],
        lambda t: gain(t, misclassification): naive_error(classes) - within[naive_error],
    }


def naive_gini(n):
    p = n / n.sum()
    return sum(p[i] * p[j] for i in range(len(p)) for j in range(len(p)) if i != j)


def naive_error(n):
    return 1 - max(n) / n.sum()


@given(tables(), unknowns)
def test_every_measure_of_a_table_is_as_it_is_defined(table, unknown):
    assume(table.any())
    for measure, wanted in by_definition(table, unknown).items():
        here = measure(table.ravel() if measure is entropy else table)
        assert here == pytest.approx(wanted, rel=1e-9, abs=ROUNDING)
        assert here >= -ROUNDING
    assert gini(table.ravel()) == pytest.approx(naive_gini(table.ravel()), abs=ROUNDING)
    assert misclassification(table.ravel()) == pytest.approx(naive_error(table.ravel()))
    if split_information(table, unknown) > 0:
        quotient = information_gain(table, unknown) / split_information(table, unknown)
        assert gain_ratio(table, unknown) == quotient
    forms = mutual_information_forms(table)
    assert len(forms) == 4
    assert all(same(form, information_gain(table)) for form in forms.values())


@pytest.mark.parametrize("impurity", OF_COUNTS)
def test_a_pure_node_has_no_impurity_not_even_less_than_none(impurity):
    assert str(impurity([5, 0, 0])) == "0.0"


@given(hnp.arrays(np.int64, st.integers(1, 6), elements=st.integers(0, 1000)))
def test_entropy_is_made_of_pieces_that_are_looked_up_or_computed(n):
    """n H = n log n - sum_k n_k log n_k; whole numbers and floats give the same to the last bit."""
    assert n_log_n(n).tolist() == n_log_n(n.astype(float)).tolist()
    assert n_log_n(np.array([n.sum()])) - n_log_n(n).sum() == (
        pytest.approx(n.sum() * entropy(n), abs=1e-8)
    )


@pytest.mark.parametrize("measure", [*OF_COUNTS, *OF_TABLES])
@given(stack=tables(max_values=4, leading=(2, 3)))
def test_a_stack_of_tables_gives_the_stack_of_results(measure, stack):
    results = measure(stack)
    one_by_one = [[measure(table) for table in row] for row in stack]
    assert results.shape == np.shape(one_by_one)
    assert same(results, one_by_one)


@given(tables(leading=(3,)), st.lists(unknowns, min_size=3, max_size=3))
def test_a_stack_takes_a_stack_of_unknown_weights(stack, unknown):
    for measure in (information_gain, split_information, gain_ratio):
        one_by_one = [measure(table, u) for table, u in zip(stack, unknown, strict=True)]
        results = measure(stack, np.array(unknown))
        assert np.allclose(results, one_by_one, rtol=1e-9, atol=ROUNDING, equal_nan=True)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "uint64", "float16"])
def test_every_type_of_number_counts_the_same(dtype):
    """Summed as they are, 200 + 100 in eight bits would be 44."""
    table = np.array([[100, 120], [120, 7]])
    for measure in [*OF_COUNTS, *OF_TABLES]:
        assert same(measure(table.astype(dtype)), measure(table.astype(float)))


@given(tables(), st.sampled_from([1.5, 2, math.e, 3, 10]))
def test_another_base_is_another_unit(table, base):
    assert same(entropy(table, base=base) * math.log2(base), entropy(table))


@pytest.mark.parametrize("base", [1, 0, -2, float("nan")])
def test_a_base_that_is_none_is_refused(base):
    with pytest.raises(ValueError, match=f"positive base other than 1, not {base}"):
        entropy([1, 1], base=base)


@given(st.integers(1, 6).flatmap(lambda k: hnp.arrays(float, (2, k), elements=counts)))
def test_divergence_is_never_negative_and_infinite_where_it_must_be(pair):
    p, q = pair
    assume(p.any())
    divergence = kl_divergence(p, q)
    if ((p > 0) & (q == 0)).any():
        assert divergence == math.inf
    else:
        p, q = p / p.sum(), q / q.sum()
        expected = sum(a * math.log2(a / b) for a, b in zip(p, q, strict=True) if a)
        assert divergence == pytest.approx(expected, abs=ROUNDING)
        assert divergence >= -ROUNDING


def test_without_any_weight_all_measures_are_zero():
    for measure in OF_COUNTS:
        assert measure([0, 0]) == measure([]) == 0
    for measure in OF_TABLES:
        assert measure(np.zeros((3, 2))) == 0


@pytest.mark.parametrize("table", [[[3, 4]], [[3, 4], [0, 0]], [[0, 0]]])
def test_an_attribute_of_one_value_has_no_gain_ratio(table):
    with np.errstate(all="raise"):
        assert np.isnan(gain_ratio(table))
    assert information_gain(table) == 0


@pytest.mark.parametrize("measure", [*OF_COUNTS, *OF_TABLES, gain_ratio, mutual_information_forms])
@pytest.mark.parametrize("wrong", [-1, math.nan, math.inf, -math.inf])
def test_counts_that_cannot_be_are_refused_by_value(measure, wrong):
    with pytest.raises(ValueError, match=f"finite and not negative, but one of them is {wrong}"):
        measure([[1, 2], [wrong, 3]])


@pytest.mark.parametrize("measure", [*OF_COUNTS, *OF_TABLES, gain_ratio, mutual_information_forms])
@pytest.mark.parametrize(
    ("wrong", "dtype"),
    [("a", "<U"), ("1", "<U"), (None, "object"), (True, "bool"), (1j, "complex128")],
)
def test_counts_that_are_no_numbers_are_refused_by_type(measure, wrong, dtype):
    with pytest.raises(TypeError, match=f"must be numbers, not {dtype}.*count the cases"):
        measure([[wrong, wrong], [wrong, wrong]])


@pytest.mark.parametrize("measure", [information_gain, split_information, gain_ratio])
@pytest.mark.parametrize("unknown", [-1, math.nan, math.inf])
def test_an_unknown_weight_that_cannot_be_is_refused(measure, unknown):
    with pytest.raises(ValueError, match=f"one of them is {unknown}"):
        measure([[1, 2], [2, 1]], unknown)


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("wrong", [-1, math.nan])
def test_divergence_refuses_either_side(which, wrong):
    pair = [[1, 2], [2, 1]]
    pair[which] = [wrong, 1]
    with pytest.raises(ValueError, match="finite and not negative"):
        kl_divergence(*pair)

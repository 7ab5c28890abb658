"""The upper error limit: documented numbers, its definition, and what must hold of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm

from dtreebook.pages.documented import result
from dtreebook.prune.error_limits import c45_upper_error_limit, extra_errors, upper_error_limit

confidences = st.floats(0.001, 1)
weights = st.one_of(st.integers(1, 200), st.floats(0.05, 1e4))
FORMS = [upper_error_limit, c45_upper_error_limit]


@pytest.mark.parametrize("pair", [(0, 6), (0, 9), (0, 1)])
@pytest.mark.parametrize("form", FORMS)
def test_documented_limits_without_errors(form, pair):
    errors, cases = pair
    assert f"{form(errors, cases):.3f}" == result(f"cf.{errors}_{cases}").documented


def test_one_error_in_sixteen_has_two_limits():
    assert f"{c45_upper_error_limit(1, 16):.3f}" == result("cf.1_16").documented == "0.157"
    assert f"{upper_error_limit(1, 16):.3f}" == "0.160"


@given(n=st.integers(1, 200), share=st.floats(0, 1), confidence=st.floats(0.001, 0.999))
def test_the_exact_limit_is_where_so_few_errors_have_that_probability(n, share, confidence):
    errors = min(int(share * n), n - 1)
    limit = upper_error_limit(errors, n, confidence)
    assert binom.cdf(errors, n, limit) == pytest.approx(confidence, rel=1e-9)


def test_below_one_case_the_limit_of_c45_may_leave_these_bounds():
    """Its line between no error and one ends at .67 (N - 1), which is negative there."""
    assert c45_upper_error_limit(0.5, 0.5, 0.5) == pytest.approx(1.04)
    assert c45_upper_error_limit(0.5, 0.5, 1) == pytest.approx(0.665)


@given(n=weights, share=st.floats(0, 1), more=st.floats(0, 1), confidence=confidences)
def test_the_exact_limit_grows_with_the_errors_and_falls_with_the_cases(n, share, more, confidence):
    errors = share * n
    limit = upper_error_limit(errors, n, confidence)
    assert upper_error_limit(errors + more * (n - errors), n, confidence) >= limit - 1e-9
    assert upper_error_limit(errors, n * (1 + more), confidence) <= limit + 1e-9
    # At most as confident: the limit is no lower.
    assert upper_error_limit(errors, n, confidence * max(more, 0.01)) >= limit - 1e-9


@pytest.mark.parametrize("cases", [5, 16, 100.5])
def test_extra_errors_by_hand(cases):
    """The formula of C4.5 at 25 %, a number at a time; z is .6925 = .84 - (.84 - .25) / 4."""
    z = 0.84 - 0.59 / 4
    for errors in (1, 2.5, cases - 0.5):
        e = errors + 0.5
        root = (e * (1 - e / cases) + z * z / 4) ** 0.5 if e < cases else 0
        limit = (e + z * z / 2 + z * root) / (cases + z * z)
        by_hand = 0.67 * (cases - errors) if e >= cases else cases * limit - errors
        assert extra_errors(errors, cases) == pytest.approx(by_hand, rel=1e-12)
    none = cases * (1 - 0.25 ** (1 / cases))
    assert extra_errors(0, cases) == pytest.approx(none, rel=1e-12)
    half = (none + float(extra_errors(1, cases))) / 2
    assert extra_errors(0.5, cases) == pytest.approx(half, rel=1e-12)


@pytest.mark.parametrize("confidence", [0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.4])
def test_the_table_of_deviations_is_that_of_the_normal_distribution(confidence):
    """Of a leaf so large that half an error is nothing, the limit shows the deviation."""
    n, errors = 1e10, 5e9
    deviation = float(extra_errors(errors, n, confidence)) / (n / 4) ** 0.5
    assert deviation == pytest.approx(norm.isf(confidence), abs=0.006)


def test_without_cases_nothing_is_expected_and_nothing_is_known():
    assert extra_errors(0, 0) == 0
    assert upper_error_limit(0, 0) == c45_upper_error_limit(0, 0) == 1


@pytest.mark.parametrize("form", [*FORMS, extra_errors])
@pytest.mark.parametrize("confidence", [0, -0.25, 1.5, np.nan])
def test_a_confidence_out_of_range_is_refused(form, confidence):
    with pytest.raises(ValueError, match="confidence must be above 0 and at most 1, but it is"):
        form(1, 16, confidence)


@pytest.mark.parametrize("form", [*FORMS, extra_errors])
@pytest.mark.parametrize("pair", [(-1, 16), (17, 16), (np.nan, 16), (1, np.nan), (1, np.inf)])
def test_impossible_errors_are_refused(form, pair):
    with pytest.raises(ValueError, match="errors must lie between 0 and the weight of the cases"):
        form(*pair)

"""The upper error limit: its definition, and what is refused; C4.5's trees have the rest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dtreebook.prune.error_limits import c45_upper_error_limit, extra_errors, upper_error_limit

FORMS = [upper_error_limit, c45_upper_error_limit]


@given(n=st.integers(1, 200), share=st.floats(0, 1), confidence=st.floats(0.001, 0.999))
def test_the_exact_limit_is_where_so_few_errors_have_that_probability(n, share, confidence):
    errors = min(int(share * n), n - 1)
    limit = upper_error_limit(errors, n, confidence)
    assert binom.cdf(errors, n, limit) == pytest.approx(confidence, rel=1e-9)


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

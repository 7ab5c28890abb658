"""Intervals for differences on overlapping splits."""

import numpy as np
import pytest
from scipy import stats

from dtreebook.compare import corrected_interval


def test_without_overlap_it_is_the_t_interval_of_scipy():
    """A vanishing test part makes the correction vanish."""
    draws = np.random.default_rng(0).normal(0.3, 2, (12, 3))
    plain = stats.t.interval(0.9, 11, draws.mean(axis=0), stats.sem(draws, axis=0))
    assert np.allclose(corrected_interval(draws, 1e-12, level=0.9), plain, rtol=1e-9)


def test_the_correction_widens_it_by_the_share():
    draws = np.random.default_rng(1).normal(size=10)
    low, high = corrected_interval(draws, 1 / 9)
    narrow_low, narrow_high = corrected_interval(draws, 1e-12)
    wider = (high - low) / (narrow_high - narrow_low)
    assert wider == pytest.approx(np.sqrt((1 / 10 + 1 / 9) / (1 / 10)), rel=1e-9)
    assert (low + high) / 2 == pytest.approx(draws.mean())


def test_it_holds_the_truth_about_as_often_as_it_says():
    """Two ways that are equally good on all cases there are, tried on thirds of only 90 of them."""
    rng, held = np.random.default_rng(2), 0
    for _ in range(300):
        cases = rng.normal(size=90)  # how much more one way gets right, case by case
        tests = [rng.permutation(90)[:30] for _ in range(10)]
        low, high = corrected_interval([cases[test].mean() for test in tests], 1 / 2)
        held += low <= 0 <= high
    assert 0.88 < held / 300 < 0.99


@pytest.mark.parametrize(
    ("differences", "share", "words"),
    [([0.1], 0.5, "1 rows"), ([0.1, 0.2], 0, "test_share=0"), ([0.1, 0.2], -1, "test_share=-1")],
)
def test_too_few_splits_and_no_share_are_refused(differences, share, words):
    with pytest.raises(ValueError, match=words):
        corrected_interval(differences, share)

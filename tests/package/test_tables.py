"""Tables: dense or sorted, all values or ranges, cuts picked out or all rows: the same trees."""

import numpy as np
import pandas as pd
import pytest
from everything import counting
from hypothesis import example, given
from hypothesis import strategies as st
from tiers import SEED

from dtreebook import CARTClassifier
from dtreebook.grow.criteria import BINARY
from dtreebook.grow.ranges import bound_of_classes, bound_of_numbers
from dtreebook.grow.tables import Groups
from dtreebook.measures import EPS
from dtreebook.tree.splits import middle


@pytest.mark.parametrize("way", ["ranges", "few ranges"])
def test_the_record_has_the_best_test_of_every_column(way):
    """Also of columns that are not asked about, whose ranges no tree need look into."""
    rng = np.random.default_rng(SEED)
    X = pd.DataFrame(rng.normal(size=(3000, 3)), columns=[*"abc"])
    y = (X.a + 0.3 * X.b + rng.normal(size=3000) > 0).to_numpy()
    model = CARTClassifier(max_depth=2)
    record = model.decisions(X, y)
    with counting(way):
        ranged, forced = model.decisions(X, y), model.regrow(X, y, ask="b").tree_.root.split
    for one, two in zip(record, ranged, strict=True):
        assert [c.split for c in one.candidates] == [c.split for c in two.candidates]
    assert forced == record[0].candidates[1].split


@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(2, 5),
    name=st.sampled_from(["gini", "entropy"]),
)
def test_no_cut_inside_a_range_gains_more_than_its_bound(seed, n_classes, name):
    rng, criterion = np.random.default_rng(seed), BINARY[name]
    before, inside, after = rng.integers(0, 9, (3, n_classes, 1))
    total = before + inside + after + (np.arange(n_classes) == 0)[:, None]
    bound = bound_of_classes(criterion, before, inside, total)[0]
    part = rng.integers(0, inside + 1)
    table = np.stack([before + part, total - before - part])[:, :, 0]
    gain = total.sum() * criterion.impurity(total[:, 0]) - sum(
        side.sum() * criterion.impurity(side) for side in table
    )
    assert gain <= bound * (1 + 1e-9) + 1e-9


@given(seed=st.integers(0, 2**32 - 1))
def test_no_cut_of_numbers_inside_a_range_gains_more_than_its_bound(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=int(rng.integers(3, 20)))
    low, high = np.sort(rng.integers(0, len(y) + 1, 2))
    if low == high:
        return
    y = y - y.mean()
    sums = [np.array([[len(part)], [part.sum()]]) for part in (y[:low], y[low:high], y)]
    ends = np.array([y[low:high].min()]), np.array([y[low:high].max()])
    bound = bound_of_numbers(BINARY["squared_error"], *sums, *ends)[0]
    inside = rng.permutation(y[low:high])
    for cut in range(1, len(inside)):
        left = np.concatenate([y[:low], inside[:cut]])
        right = len(y) - len(left)
        gain = left.sum() ** 2 / len(left) + left.sum() ** 2 / right
        assert gain <= bound * (1 + 1e-9) + 1e-9


@given(seed=st.integers(0, 2**32 - 1))
def test_sums_of_floats_lose_next_to_nothing_beside_a_heavy_group(seed):
    """Of the heavy group its rounding is left, and of that the rounding is lost: EPS squared."""
    rng = np.random.default_rng(seed)
    weight = rng.random(7) * rng.choice([-1, 1], 7)  # deviations from a mean have either sign
    weight[:3] *= rng.choice([1, 1e18])
    so_far, total = Groups(np.array([3, 4])).running(weight)
    lost = 16 * EPS**2 * abs(weight[:3]).sum()
    lost += EPS * abs(weight[3:]).sum() * 4
    np.testing.assert_allclose(so_far[3:], np.cumsum(weight[3:]), rtol=1e-12, atol=lost)
    np.testing.assert_allclose(total, [weight[:3].sum(), weight[3:].sum()], 1e-12, lost)


def test_priors_weigh_cases_however_far_apart_they_are():
    """Two heavy cases and two light ones, which the priors make as heavy: one test divides them."""
    X, y, weight = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1], [1e14, 1e14, 1, 1]
    model = CARTClassifier(priors=[0.5, 0.5]).fit(X, y, weight)
    assert model.tree_.n_leaves == 2


@pytest.mark.filterwarnings("error")
@example(9007199254740994.0, 2.0)
@example(1e308, 5e307)
@given(low=st.floats(-1e308, 1e308), step=st.floats(0, 1e300))
def test_the_middle_is_never_the_higher_number(low, step):
    high = max(low + step, np.nextafter(low, np.inf))
    assert low <= middle(np.float64(low), np.float64(high)) < high

"""Tables: dense or sorted, all values or ranges, cuts picked out or all rows: the same trees."""

import numpy as np
import pandas as pd
import pytest
from everything import WAYS, counting
from hypothesis import example, given
from hypothesis import strategies as st
from same_trees import assert_same
from tiers import SEED, draws

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor
from dtreebook.count.tables import Groups
from dtreebook.grow.bounds import bound_of_classes, bound_of_numbers
from dtreebook.grow.criteria import BINARY
from dtreebook.measures import EPS
from dtreebook.tree.splits import middle

MODELS = {
    "gini": CARTClassifier(),
    "entropy": CARTClassifier(criterion="entropy", min_samples_leaf=3),
    "prices": CARTClassifier(cost={"real": 9}),
    "mse": CARTRegressor(min_samples_leaf=2),
    "gain": C45Classifier(criterion="gain", confidence=None, min_weight=1),
}


def draw(seed):
    """Draw columns of few values and of many, ordered and nominal ones; blanks; weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([40, 300, 1000]))
    levels = [f"v{i}" for i in range(rng.choice([3, 15]))]
    codes = rng.integers(0, len(levels), (2, n))
    X = pd.DataFrame({f"x{i}": rng.integers(0, rng.integers(2, 8), n) / 2 for i in range(4)})
    X["real"] = rng.normal(size=n)
    X["skew"] = rng.lognormal(sigma=3, size=n).round(int(rng.integers(0, 3)))
    X["order"] = pd.Categorical.from_codes(codes[0], levels, ordered=True)
    X["name"] = pd.Categorical.from_codes(codes[1], levels)
    n_classes = int(rng.choice([2, 4]))
    y = (X["x0"] + codes[1] % 3 + (X["real"] > 0.3) + rng.integers(0, 2, n)).astype(int)
    X = X.mask(rng.random(X.shape) < rng.choice([0, 0.1]))
    return X, y.to_numpy() % n_classes, rng.integers(1, 9, n) / 4 if rng.random() < 0.5 else None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_however_cases_are_counted_the_tree_is_the_same(name):
    """As in the net, of tables whose ranges hold several values."""
    for seed in range(SEED, SEED + draws(8)):
        wanted = MODELS[name].fit(*draw(seed)).tree_
        for way in WAYS:
            with counting(way):
                assert_same(MODELS[name].fit(*draw(seed)).tree_, wanted)


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

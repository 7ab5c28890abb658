"""Criteria: a new one is one entry, and an unknown name is refused wherever it could be given."""

import numpy as np
import pytest
from drawing import Table, columns, labelled
from hypothesis import given
from hypothesis import strategies as st
from same_trees import assert_same

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, measures, plot
from dtreebook.count.tables import Groups
from dtreebook.count.tables import Table as CountTable
from dtreebook.data.reading import read_training
from dtreebook.datasets import load_golf
from dtreebook.grow import cuts
from dtreebook.grow.binary import BinaryControl
from dtreebook.grow.criteria import BINARY, CUT_GAIN, BinaryCriterion
from dtreebook.grow.growth import drawn, grow
from dtreebook.grow.multiway import MultiwayControl

seeds = st.integers(0, 2**32 - 1)


def tsallis(q):
    return lambda counts: (1 - (measures.shares(counts) ** q).sum(axis=-1)) / (q - 1)


def random_cases(seed):
    rng = np.random.default_rng(seed)
    n, kinds = int(rng.integers(2, 60)), ("quarters", 4, "real")
    labels = rng.integers(0, rng.choice([2, 3, 4, cuts.MANY_CLASSES + 2]), n)
    answer, weight = labelled(rng, labels, str(rng.choice(["none", "tenths"])))
    return Table(kinds, columns(rng, kinds, n), answer, weight).read


@given(seed=seeds, q=st.sampled_from([0.5, 1.5, 3]))
def test_what_a_criterion_gains_is_what_its_impurity_loses(seed, q):
    cases = random_cases(seed)
    tree = grow(cases, BinaryControl(tsallis(q), max_depth=1))
    weight, impurity = tree.arrays.counts.sum(axis=1), tsallis(q)(tree.arrays.counts)
    lost = weight[0] * impurity[0] - (weight[1:] * impurity[1:]).sum()
    expected = 0 if tree.node_count == 1 else lost
    assert tree.arrays.improvement[0] == pytest.approx(expected, 1e-9, 1e-9)


@pytest.mark.parametrize("criterion", [BINARY["gini"], BINARY["entropy"], CUT_GAIN])
@given(seed=seeds)
def test_what_cuts_of_many_classes_gain_is_as_it_is_defined(criterion, seed):
    """Of two nodes and two columns: one sum over the cases stands for one of each class."""
    rng = np.random.default_rng(seed)
    size, n_classes = rng.integers(100, 150, 2), int(rng.integers(cuts.MANY_CLASSES + 1, 30))
    codes = [rng.integers(0, n_classes, n) for n in size]
    codes = np.array([np.concatenate([rng.permutation(node) for node in codes]) for _ in "ab"])
    groups, is_cut = Groups(size), np.ones(codes.shape, dtype=bool)
    is_cut[:, groups.last] = False
    table = CountTable(groups, 0, 0, codes, lambda k: codes == k, n_classes, codes, True)
    scored = cuts.Cuts(table, is_cut)
    found, wanted = scored.decrease(criterion), scored.decrease(criterion.as_defined)
    np.testing.assert_allclose(found[is_cut], wanted[is_cut], rtol=1e-9, atol=1e-9)


def test_a_criterion_that_no_impurity_has_is_one_entry(monkeypatch):
    """Twoing: what the best two groups of classes gain (Breiman et al. 1984, section 4.3.2)."""

    def twoing(splits, sums):
        apart = sum(abs(splits.deviation(left, total)) for left, total in sums)
        return apart**2 * splits.factor() / 4

    entry = BinaryCriterion("twoing", measures.gini, twoing, power=2)
    monkeypatch.setitem(BINARY, "twoing", entry)
    rng = np.random.default_rng(0)
    for n in (9, 25, 90):
        x, y = rng.permutation(n), rng.integers(0, 4, n)
        tree = CARTClassifier(criterion="twoing", max_depth=1).fit(x[:, None], y).tree_
        shares = [[(y[side] == k).mean() for k in range(4)] for t in range(n - 1)
                  for side in (x <= t, x > t)]  # fmt: skip
        apart = np.abs(np.diff(np.reshape(shares, (n - 1, 2, 4)), axis=1)).sum(axis=(1, 2))
        left = np.arange(1, n)
        worth = left * (n - left) / (4 * n) * apart**2
        assert tree.root.split.cut == worth.argmax() + 0.5
        assert tree.arrays.improvement[0] == pytest.approx(worth.max())


def test_a_picture_of_a_decision_says_what_a_new_criterion_measures():
    X, y = load_golf(return_X_y=True)

    def gain_twice_over(gain, information, entropy):
        return 2 * gain

    for model, words in [
        (C45Classifier(criterion=gain_twice_over), "Bars of the gain twice over of"),
        (CARTClassifier(criterion=measures.misclassification), "Bars of the decrease of the mis"),
    ]:
        model.fit(X, y)
        found = model.decisions(X, y)[0]
        assert str(plot.decision(found, model.tree_.attributes)).startswith(words)


def test_an_unknown_name_is_refused():
    """Formerly a tree of a misspelt criterion was a single leaf, without a word."""
    for control, name in [(MultiwayControl, "gainratio"), (BinaryControl, "gain")]:
        with pytest.raises(ValueError, match=f"criterion must be .* not '{name}'"):
            grow(read_training([[1], [2]], [0, 1]), control(name))


@given(seed=seeds, max_features=st.integers(1, 5))
def test_columns_are_drawn_until_there_are_enough_and_one_divides(seed, max_features):
    rng = np.random.default_rng(seed)
    score = np.where(rng.random((30, 5)) < 0.5, rng.random((30, 5)), -np.inf)
    left = drawn(score, max_features, np.random.RandomState(seed % 2**31))
    kept = left > -np.inf
    assert (left[kept] == score[kept]).all()
    divides = score > -np.inf
    assert (kept.any(axis=1) == divides.any(axis=1)).all()
    assert (kept.sum(axis=1) <= np.maximum(max_features, 1)).all()
    if max_features == 5:
        assert (kept == divides).all()


def test_a_score_of_ones_own_stands_where_a_name_does():
    X, y = load_golf(return_X_y=True)
    for score, name in (lambda g, *_: g, "gain"), (lambda g, s, _: g / s, "gain_ratio"):
        own, named = (C45Classifier(criterion=c, average_gain_guard=False) for c in (score, name))
        assert own.fit(X, y).tree_ == named.fit(X, y).tree_


def test_an_impurity_of_ones_own_prunes_and_goes_to_scikit_learn():
    X, y = np.arange(20.0)[:, None], np.tile(["a", "b", "b", "b"], 5)
    own, named = (CARTClassifier(criterion=c, ccp_alpha=0.02) for c in (measures.gini, "gini"))
    assert_same(own.fit(X, y).tree_, named.fit(X, y).tree_)  # gains differ in their last digits
    assert (own.to_sklearn().predict(X) == named.predict(X)).all()


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (CARTClassifier(criterion=np.sum), r"gives 5.0 for \[\[1.* the impurity of each row"),
        (CARTClassifier(criterion=lambda c: -(c * np.log2(c)).sum(-1)), "gives .*nan.* a pure one"),
        (C45Classifier(criterion=lambda *_: None), "gives nan for .* a score for each gain"),
        (C45Classifier(criterion=lambda g, *_: g[:1]), r"gives \[0.1\] for .* a score for each"),
        (C45Classifier(criterion=lambda g, *_: np.where(g > 0.2, np.nan, g)), "NaN for some test"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_a_function_that_is_no_criterion_is_refused(model, said):
    """Formerly NaN was the best score of a column, and the tree grew without end."""
    with pytest.raises(ValueError, match=said):
        model.fit(*load_golf(return_X_y=True))


def test_a_regressor_refuses_what_is_for_classes_and_counts_below_0():
    X = [[1.0], [2.0], [3.0]]
    with pytest.raises(ValueError, match="criterion must be 'squared_error' or 'poisson'"):
        CARTRegressor(criterion="gini").fit(X, [1, 2, 3])
    with pytest.raises(ValueError, match="'poisson' takes no y below 0, but there is -2"):
        CARTRegressor(criterion="poisson").fit(X, [1, -2, 3])


def test_a_loss_of_numbers_is_one_entry(monkeypatch):
    """The gamma deviance, of positive numbers that scatter by a share of their size."""

    def gamma_decrease(splits, sums):
        ((left, total),) = sums
        right, n = splits.repeat(total) - left, splits.repeat(splits.total)
        with np.errstate(divide="ignore", invalid="ignore"):
            nodes = n * np.log(splits.repeat(total) / n)
            sides = splits.left * np.log(left / splits.left)
            return nodes - sides - splits.right * np.log(right / splits.right)

    def gamma(number, mean):
        return number / mean - 1 - np.log(number / mean)

    entry = BinaryCriterion("gamma", None, gamma_decrease, loss=gamma, is_centred=False)
    monkeypatch.setitem(BINARY, "gamma", entry)
    rng = np.random.default_rng(0)
    for n in (9, 25, 90):
        x, y = rng.permutation(n), rng.gamma(2, size=n)
        tree = CARTRegressor(criterion="gamma", max_depth=1).fit(x[:, None], y).tree_
        sides = [(y[x <= t], y[x > t]) for t in range(n - 1)]
        left = [sum(gamma(side, side.mean()).sum() for side in pair) for pair in sides]
        assert tree.root.split.cut == np.argmin(left) + 0.5
        assert tree.risk[0] == pytest.approx(gamma(y, y.mean()).sum())
        assert tree.risk[1:].sum() == pytest.approx(min(left))
        assert tree.arrays.improvement[0] == pytest.approx(tree.risk[0] - min(left))

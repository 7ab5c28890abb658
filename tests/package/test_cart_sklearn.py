"""CART beside scikit-learn: the same trees, with monotonic constraints and without."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tiers import SEED, draws

from dtreebook import CARTClassifier, CARTRegressor


def drawn(seed):
    """Numbers that single precision holds exactly, and what they say of a class and a number."""
    rng = np.random.default_rng([SEED, seed])
    n = int(rng.integers(30, 200))
    X = rng.integers(0, 2**20, (n, 3)) / 2**20
    score = X[:, 0] - X[:, 1] + 0.5 * np.sin(9 * X[:, 2]) + rng.normal(0, 0.6, n)
    limits = {
        "max_depth": int(rng.integers(1, 7)),
        "min_samples_leaf": int(rng.integers(1, 9)),
        "min_samples_split": int(rng.integers(2, 19)),
        "min_impurity_decrease": float(rng.random() / 20),
        "min_weight_fraction_leaf": 0.05,
        "max_leaf_nodes": int(rng.integers(2, 20)),
        "ccp_alpha": float(rng.random() / 50),
    }
    return X, score, score > 0, {name: it for name, it in limits.items() if rng.random() < 0.5}


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error", "poisson"])
@pytest.mark.parametrize("constrained", [False, True])
def test_trees_are_those_of_scikit_learn(criterion, constrained):
    """Of the constrained those without a free column, beside which it clips what leaves predict.

    Counts and weights add up exactly: by rounding, scikit-learn leaves sides that counted nothing.
    """
    for seed in range(draws(60)):
        X, number, word, options = drawn(seed)
        rng = np.random.default_rng(seed)
        if constrained:
            options["monotonic_cst"] = rng.choice([-1, 1], 3)
        options["criterion"] = criterion
        weight = rng.integers(1, 2**20, len(X)) / 2**20  # so that no two tests are equally good
        if criterion in ("gini", "entropy"):
            ours = CARTClassifier(**options).fit(X, word, weight)
            theirs = DecisionTreeClassifier(**options, random_state=0).fit(X, word, weight)
            pairs = ours.predict_proba(X), theirs.predict_proba(X)
        else:
            if criterion == "poisson":
                number = rng.poisson(np.exp(number)) * rng.integers(1, 2**10, len(X)) / 2**10
            ours = CARTRegressor(**options).fit(X, number, weight)
            theirs = DecisionTreeRegressor(**options, random_state=0).fit(X, number, weight)
            pairs = ours.predict(X), theirs.predict(X)
            impurity = ours.tree_.risk[0] / ours.tree_.arrays.counts[0, 0]
            assert impurity == pytest.approx(theirs.tree_.impurity[0])
        # Whether sides of equal shares are parted, which changes no answer, is up to rounding.
        np.testing.assert_allclose(*pairs, atol=1e-9)


def test_what_may_only_rise_stands_in_for_nothing():
    """A surrogate would send a case of an unknown level either way as the column rises."""
    b = np.repeat(list("abcd"), 10)
    nearly = np.where(np.arange(40) < 2, "d", b)
    X = pd.DataFrame({"b": b, "nearly": nearly, "rises": np.arange(40.0)})
    for signs, stand_in in (None, {1, 2}), ({"rises": 1}, {1}):  # the columns
        model = CARTRegressor(max_surrogates=3, monotonic_cst=signs).fit(X, 1.0 * (b == "d"))
        assert {s.split.column for s in model.tree_.arrays.surrogates[0]} == stand_in


def test_where_constraints_do_not_hold_they_are_refused():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0]})
    model = CARTClassifier(monotonic_cst={"a": 1})
    with pytest.raises(ValueError, match="two classes or for numbers, but y has 3"):
        model.fit(X, [0, 1, 2])
    with pytest.raises(ValueError, match="column 'a' has blanks"):
        model.fit(X.assign(a=[1.0, np.nan, 2.0]), [0, 1, 1])

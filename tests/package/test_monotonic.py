"""Monotonic constraints: scikit-learn's trees, and predictions that never go the other way."""

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
    signs = rng.integers(-1, 2, 3)
    return X, score, score > 0, signs, {"max_depth": int(rng.integers(1, 7))}


@pytest.mark.parametrize("criterion", ["gini", "entropy", "squared_error"])
def test_trees_are_those_of_scikit_learn_where_every_column_is_constrained(criterion):
    """Beside a free column it clips what leaves predict; here no leaf says but what it holds."""
    for seed in range(draws(60)):
        X, number, word, signs, options = drawn(seed)
        signs = np.where(signs == 0, 1, signs)
        if criterion == "squared_error":
            ours = CARTRegressor(monotonic_cst=signs, **options).fit(X, number)
            theirs = DecisionTreeRegressor(monotonic_cst=signs, **options).fit(X, number)
            pairs = ours.predict(X), theirs.predict(X)
        else:  # with weights no two tests are equally good
            options["criterion"], weight = criterion, np.random.default_rng(seed).random(len(X))
            ours = CARTClassifier(monotonic_cst=signs, **options).fit(X, word, weight)
            theirs = DecisionTreeClassifier(monotonic_cst=signs, **options).fit(X, word, weight)
            pairs = ours.predict_proba(X), theirs.predict_proba(X)
        # Whether sides of equal shares are parted, which changes no answer, is up to rounding.
        np.testing.assert_allclose(*pairs, atol=1e-9)


@pytest.mark.parametrize("model", [CARTClassifier, CARTRegressor])
def test_predictions_never_go_the_other_way(model):
    for seed in range(draws(24)):
        X, number, word, signs, _ = drawn(seed)
        rng = np.random.default_rng(seed)
        table = pd.DataFrame(X, columns=["a", "b", "c"]).round(1)
        table["k"] = rng.choice(list("uvwx"), len(X))
        table["o"] = pd.Categorical.from_codes(
            rng.integers(0, 4, len(X)), list("pqrs"), ordered=True
        )
        weight = rng.integers(1, 4, len(X)).astype(float) if seed % 2 else None
        wanted = dict(zip("abco", [*signs, 1], strict=True))
        fitted = model(monotonic_cst=wanted).fit(
            table, word if model is CARTClassifier else number, weight
        )
        say = fitted.predict if model is CARTRegressor else lambda t: fitted.predict_proba(t)[:, 1]  # noqa: B023
        for name, sign in wanted.items():
            rows = table.iloc[rng.integers(len(X), size=20)]
            values = list("pqrs") if name == "o" else np.linspace(0, 1, 9)
            said = []
            for value in values:
                column = [value] * len(rows)
                if name == "o":
                    column = pd.Categorical(column, list("pqrs"), ordered=True)
                said.append(say(rows.assign(**{name: column})))
            assert (sign * np.diff(said, axis=0) >= -1e-9).all()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ([1], "shape"),
        ([2, 0], "monotonic_cst of 'a' is 2: give 1 where the prediction may only rise"),
        ({"z": 1}, r"names \['z'\], but there are \['a', 'k'\]"),
        ({"k": 1}, "'k' must be 0, for its values have no order"),
    ],
)
def test_what_cannot_be_constrained_is_named(wanted, said):
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "k": ["u", "v", "u"]})
    with pytest.raises(ValueError, match=said):
        CARTClassifier(monotonic_cst=wanted).fit(X, [0, 1, 1])
    with pytest.raises(ValueError, match="two classes or for numbers, but y has 3"):
        CARTClassifier(monotonic_cst={"a": 1}).fit(X, [0, 1, 2])
    with pytest.raises(ValueError, match="column 'a' has blanks"):
        CARTClassifier(monotonic_cst={"a": 1}).fit(X.assign(a=[1.0, np.nan, 2.0]), [0, 1, 1])

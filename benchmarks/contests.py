"""What is measured: our training beside scikit-learn's on the same data, or alone."""

import numpy as np
import pandas as pd
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from dtreebook import ID3Classifier
from dtreebook.data import read_cases
from dtreebook.datasets import load_nursery
from dtreebook.grow import Recipe, grow


def contests():
    """Yield (work, our training, scikit-learn's training, the ratio wanted or None)."""
    X, y = load_nursery(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))[: 7 * len(X) // 10]
    X, y = X.iloc[rows], y.iloc[rows]
    ordinal = np.column_stack([X[name].cat.codes for name in X])
    one_hot = OneHotEncoder(sparse_output=False).fit_transform(X)
    codes = y.cat.codes.to_numpy()

    def sklearn(features):
        return DecisionTreeClassifier(criterion="entropy", random_state=0).fit(features, codes)

    def gain_ratio():
        return grow(read_cases(X, y), Recipe("gain_ratio"))

    def id3():
        return ID3Classifier().fit(X, y)

    size = f"nursery, {len(X):,} x {X.shape[1]} nominal"
    yield f"{size}: ID3 / ordinal codes", id3, lambda: sklearn(ordinal), 0.8
    yield f"{size}: ID3 / one-hot", id3, lambda: sklearn(one_hot), None
    yield f"{size}: gain ratio / ordinal codes", gain_ratio, lambda: sklearn(ordinal), 0.8
    yield f"{size}: gain ratio / one-hot", gain_ratio, lambda: sklearn(one_hot), None


def million_nominal():
    """Grow ID3 on a million nominal rows whose class depends on three columns, and on chance."""
    draw = np.random.default_rng(0)
    values = draw.integers(0, 4, size=(1_000_000, 8))
    classes = (values[:, :3].sum(axis=1) + (draw.random(1_000_000) < 0.1)) % 2
    levels = list("abcd")
    X = pd.DataFrame(
        {f"x{i}": pd.Categorical.from_codes(column, levels) for i, column in enumerate(values.T)}
    )
    cases = X, pd.Series(pd.Categorical.from_codes(classes, ["no", "yes"]))
    return lambda: ID3Classifier().fit(*cases)


# What runs in a process of its own: (work, make, most seconds, most bytes).
ALONE = [("ID3, 1,000,000 x 8 nominal", million_nominal, 3.0, 1e9)]

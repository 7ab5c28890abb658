"""What is measured: our training beside scikit-learn's on the same data, or alone."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from dtreebook import C45Classifier, ID3Classifier
from dtreebook.data.reading import read_cases
from dtreebook.datasets import load_nursery
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl


class Contest(NamedTuple):
    """Two ways to train on the same cases, the ratio of times wanted, and how often to run them.

    `compare` says in words how the two results agree, and fails if they do not.
    """

    work: str
    ours: object
    theirs: object
    wanted: float | None = None
    repeats: int = 31
    compare: object = None


class Alone(NamedTuple):
    """What runs in a process of its own: a function that makes the work, and what it may cost."""

    work: str
    make: object
    most_seconds: float
    most_bytes: float


def contests():
    """Yield every `Contest`."""
    X, y = load_nursery(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))[: 7 * len(X) // 10]
    some, labels = X.iloc[rows], y.iloc[rows]
    theirs = sklearn(codes(some), labels.cat.codes)
    one_hot = sklearn(OneHotEncoder(sparse_output=False).fit_transform(some), labels.cat.codes)
    id3 = train(ID3Classifier(), some, labels)

    def gain_ratio():
        return grow(read_cases(some, labels), MultiwayControl("gain_ratio"))

    size = f"nursery, {len(some):,} x 8"
    yield Contest(f"ID3, {size} / ordinal codes", id3, theirs, 0.8)
    yield Contest(f"ID3, {size} / one-hot", id3, one_hot)
    yield Contest(f"gain ratio, {size} / ordinal codes", gain_ratio, theirs, 0.8)
    yield Contest(f"gain ratio, {size} / one-hot", gain_ratio, one_hot)

    c45 = train(C45Classifier(), X, y)
    theirs = sklearn(codes(X), y.cat.codes)
    yield Contest("C4.5 pruned, nursery, 12,960 x 8 / ordinal codes", c45, theirs, 1.5)
    X, y = numeric(100_000)
    c45 = train(C45Classifier(confidence=None), X, y)
    yield Contest("C4.5 grown, 100,000 x 20 numeric", c45, sklearn(X, y), 0.5, repeats=3)
    X, y = census(32_000)
    c45 = train(C45Classifier(), X, y)
    theirs = sklearn(codes(X), y.cat.codes)
    yield Contest("C4.5 pruned, census-like, 32,000 x 14", c45, theirs, 2.0, repeats=5)


def train(model, X, y):
    """Return the training of a model of ours."""
    return lambda: model.fit(X, y)


def sklearn(X, y):
    """Return the training of scikit-learn's tree on numbers, with entropy."""
    X, y = np.asarray(X), np.asarray(y)
    return lambda: DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X, y)


def codes(X):
    """Return a frame as numbers: nominal columns as the codes of their levels, unknown as NaN."""
    columns = [
        X[name].cat.codes.where(X[name].notna()) if X[name].dtype == "category" else X[name]
        for name in X
    ]
    return np.column_stack(columns).astype(float)


def numeric(n):
    """Make n cases of 20 numbers in two classes, a fifth of them by chance.

    scikit-learn works in single precision, and takes numbers closer than 1e-7 for equal. These are
    multiples of a millionth or so, 2**-20, which both sides tell apart.
    """
    draw = np.random.default_rng(0)
    X = np.round(draw.normal(size=(n, 20)) * 2**20) / 2**20
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=n) > 0).astype(int)


def census(n):
    """Make n cases like a census: 8 nominal columns, 6 of numbers, one value in twenty unknown."""
    draw = np.random.default_rng(0)
    columns = {}
    for values in (2, 5, 6, 7, 9, 14, 16, 42):
        level = np.minimum(draw.geometric(2 / values, n) - 1, values - 1)
        columns[f"nominal{values}"] = pd.Categorical.from_codes(level, list(range(values)))
    columns["age"] = draw.integers(17, 91, n).astype(float)
    columns["hours"] = np.clip(draw.normal(40, 12, n).round(), 1, 99)
    columns["years"] = draw.integers(1, 17, n).astype(float)
    columns["weight"] = draw.lognormal(12, 0.5, n).round()
    columns["gain"] = np.where(draw.random(n) < 0.1, draw.lognormal(8, 1, n).round(), 0)
    columns["loss"] = np.where(draw.random(n) < 0.05, draw.lognormal(7, 0.3, n).round(), 0)
    X = pd.DataFrame(columns)
    rank = X["years"] / 5 + X["age"] / 40 + X["hours"] / 30 + (X["gain"] > 5000) * 3
    rank += X["nominal7"].cat.codes / 3 - X["nominal9"].cat.codes / 4 + draw.normal(0, 1, n)
    y = pd.Series(
        pd.Categorical.from_codes((rank > rank.quantile(0.75)).astype(int), ["no", "yes"])
    )
    for name in X:
        X.loc[draw.random(n) < 0.05, name] = np.nan
    return X, y


def million_nominal():
    """Grow ID3 on a million nominal rows whose class depends on three columns, and on chance."""
    draw = np.random.default_rng(0)
    values = draw.integers(0, 4, size=(1_000_000, 8))
    classes = (values[:, :3].sum(axis=1) + (draw.random(1_000_000) < 0.1)) % 2
    levels = list("abcd")
    X = pd.DataFrame(
        {f"x{i}": pd.Categorical.from_codes(column, levels) for i, column in enumerate(values.T)}
    )
    return train(ID3Classifier(), X, pd.Series(pd.Categorical.from_codes(classes, ["no", "yes"])))


def hundred_thousand():
    """Grow C4.5 on 100,000 x 20 numbers."""
    return train(C45Classifier(confidence=None), *numeric(100_000))


def two_hundred_thousand():
    """Grow C4.5 on twice as many."""
    return train(C45Classifier(confidence=None), *numeric(200_000))


DATA = 100_000 * 20 * 8
ALONE = [
    Alone("ID3, 1,000,000 x 8 nominal", million_nominal, 3.0, 1e9),
    Alone("C4.5 grown, 100,000 x 20 numeric", hundred_thousand, np.inf, 6 * DATA),
    Alone("C4.5 grown, 200,000 x 20 numeric", two_hundred_thousand, np.inf, 12 * DATA),
]
# Twice the rows may take at most this many times as long: (the work, its double, the most).
DOUBLED = [(1, 2, 2.4)]

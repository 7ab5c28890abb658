"""What is measured: our training beside that of others on the same data, or alone."""

from typing import NamedTuple

import numpy as np
import pandas as pd
import tables
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_iris,
    load_wine,
)
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from tables import codes
from trees import same_trees

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.data.reading import read_training
from dtreebook.datasets import load_car, load_golf, load_nursery, load_smokers
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl


class Contest(NamedTuple):
    """Two ways to do the same, the ratio of times wanted, and how often to run them.

    `compare` says in words how the two results agree, and fails if they do not. What several cores
    can help with is measured again by the clock.
    """

    work: str
    ours: object
    theirs: object
    wanted: float | None = None
    repeats: int = 31
    compare: object = None
    is_large: bool = False


class Alone(NamedTuple):
    """What runs in a process of its own: a function that makes the work and says how many bytes
    its table has, and the most seconds that it may take.

    It may hold four times the table at a time, beside the tree that it grows.
    """

    work: str
    make: object
    most_seconds: float = np.inf


def contests():
    """Yield every `Contest` with scikit-learn."""
    yield from real()
    yield from nominal()
    yield from c45()
    yield from cart()
    yield from shapes()
    yield from predictions()


def real():
    """Yield those of real tables: the book's own, and those that come with scikit-learn."""
    tables_of_words = {"car": load_car, "smokers": load_smokers, "golf": load_golf}
    tables_of_numbers = {
        "iris": (load_iris, 1.5),
        "wine": (load_wine, 2.0),
        "breast cancer": (load_breast_cancer, 1.0),
        "digits": (load_digits, 1.5),
    }
    for name, (load, wanted) in tables_of_numbers.items():
        X, y = load(return_X_y=True)
        yield _classes(f"{name}, {X.shape[0]:,} x {X.shape[1]}", X, y, wanted, repeats=31)
        sides = train(C45Classifier(), X, y), sklearn(X, y)
        yield Contest(f"C4.5 pruned, {name}", *sides)
    for name, load in tables_of_words.items():
        X, y = load(return_X_y=True)
        work = f"{name}, {X.shape[0]:,} x {X.shape[1]}"
        for algorithm, model in [("CART", CARTClassifier()), ("C4.5 pruned", C45Classifier())]:
            sides = train(model, X, y), sklearn(codes(X), y.cat.codes)
            yield Contest(f"{algorithm}, {work}", *sides)
    X, y = load_diabetes(return_X_y=True)
    yield _numbers("diabetes, 442 x 10, regression", X, y, 1.5, repeats=31)


def nominal():
    """Yield those of nominal columns alone; `theirs` gets codes, or a column for each value."""
    X, y = load_nursery(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(X))[: 7 * len(X) // 10]
    some, labels = X.iloc[rows], y.iloc[rows]
    theirs = sklearn(codes(some), labels.cat.codes)
    one_hot = sklearn(OneHotEncoder(sparse_output=False).fit_transform(some), labels.cat.codes)
    id3 = train(ID3Classifier(), some, labels)

    def gain_ratio():
        return grow(read_training(some, labels), MultiwayControl("gain_ratio"))

    size = f"nursery, {len(some):,} x 8"
    yield Contest(f"ID3, {size} / ordinal codes", id3, theirs, 0.6)
    yield Contest(f"ID3, {size} / one-hot", id3, one_hot)
    yield Contest(f"gain ratio, {size} / ordinal codes", gain_ratio, theirs, 0.6)
    yield Contest(f"gain ratio, {size} / one-hot", gain_ratio, one_hot)
    theirs = sklearn(codes(X), y.cat.codes)
    c45 = train(C45Classifier(), X, y)
    yield Contest("C4.5 pruned, nursery, 12,960 x 8 / ordinal codes", c45, theirs, 1.5)


def c45():
    """Yield those of C4.5."""
    pruned, grown = C45Classifier(), C45Classifier(confidence=None)
    for name, model, table, wanted, repeats in [
        ("grown, 100,000 x 20 numeric", grown, tables.numeric(100_000), 0.5, 3),
        ("pruned, census-like, 32,561 x 14", pruned, tables.census(32_561), 1.5, 5),
        ("pruned, 100 x 10,000", pruned, tables.numeric(100, 10_000), 5.0, 3),
        ("pruned, 20,000 x 10, 1,000 classes", pruned, tables.classes(20_000, 1000, 10), 3.0, 1),
    ]:
        X, y = table
        numbers = (codes(X), y.cat.codes) if isinstance(X, pd.DataFrame) else table
        large = repeats < 10
        work = f"C4.5 {name}"
        yield Contest(work, train(model, X, y), sklearn(*numbers), wanted, repeats, None, large)


def cart():
    """Yield those of CART, whose trees must be the same but for ties."""
    numeric, classes = tables.numeric, tables.classes
    yield _classes("20,000 x 20, 2 classes", *numeric(20_000), 0.4)
    yield _classes("100,000 x 20, 2 classes", *numeric(100_000), 0.4)
    yield _classes("100,000 x 20, 5 classes", *classes(100_000, 5), 0.5)
    yield _classes("100,000 x 20, depth 8", *numeric(100_000), 0.35, max_depth=8)
    yield _numbers("100,000 x 20, regression", *tables.numbers(100_000), 0.7)
    yield _classes("20,000 x 10, 1,000 classes", *classes(20_000, 1000, 10), 1.0, repeats=1)
    yield _classes("1,000,000 x 20, depth 12", *numeric(10**6), 0.4, repeats=1, max_depth=12)


def shapes():
    """Yield those of blanks, and of columns with many values or with many beside them."""
    X, y = tables.numeric(20_000)
    X = tables.with_blanks(X, 0.05)
    work = "CART, 20,000 x 20, 5 % blanks, surrogates"
    theirs = train(DecisionTreeClassifier(random_state=0), X, y)
    yield Contest(work, train(CARTClassifier(), X, y), theirs, 1.5, 3, None, True)
    for work, sizes in [
        ("100 x 2,000 nominal", (100, 2000, 4, 3)),
        ("5,000 x 3 nominal of 100 values, 104 classes", (5000, 3, 100, 104)),
    ]:
        X, y = tables.nominal(*sizes)
        theirs = train(DecisionTreeClassifier(random_state=0), codes(X), y)
        for name, model in [("CART", CARTClassifier()), ("C4.5", C45Classifier())]:
            yield Contest(f"{name}, {work}", train(model, X, y), theirs, None, 3)


def predictions():
    """Yield those of predicting."""
    X, y = tables.numeric(200_000)
    ours, theirs = (
        model.fit(X[:100_000], y[:100_000])
        for model in (CARTClassifier(), DecisionTreeClassifier(random_state=0))
    )
    for work, rows, wanted in [("100,000", X[100_000:], 1.0), ("1", X[:1], 2.0)]:
        sides = predict(ours, rows), predict(theirs, rows)
        yield Contest(f"CART predicts {work} x 20", *sides, wanted)
    X, y = tables.mixed(100_000)
    numbers = codes(X)
    ours, theirs = (
        CARTClassifier().fit(X, y),
        DecisionTreeClassifier(random_state=0).fit(numbers, y),
    )
    for n, wanted in [(1, 3.0), (1000, 3.0), (100_000, 1.5)]:
        sides = predict(ours, X[:n]), predict(theirs, numbers[:n])
        yield Contest(f"CART predicts {n:,} x 20 mixed", *sides, wanted)


def predict(model, X):
    """Return the predicting of a model."""
    return lambda: model.predict(X)


def train(model, X, y):
    """Return the training of a model."""
    return lambda: model.fit(X, y)


def sklearn(X, y):
    """Return the training of scikit-learn's tree on numbers, with entropy."""
    model = DecisionTreeClassifier(criterion="entropy", random_state=0)
    return train(model, np.asarray(X), np.asarray(y))


def _classes(work, X, y, wanted, repeats=3, **limits):
    theirs = DecisionTreeClassifier(random_state=0, **limits)
    sides = train(CARTClassifier(**limits), X, y), train(theirs, X, y)
    return Contest(f"CART, {work}", *sides, wanted, repeats, same_trees, repeats < 10)


def _numbers(work, X, y, wanted, repeats=3):
    sides = train(CARTRegressor(), X, y), train(DecisionTreeRegressor(random_state=0), X, y)
    return Contest(f"CART, {work}", *sides, wanted, repeats, same_trees, repeats < 10)


def floor():
    """Return a `Contest` with what no tree from sorted columns can do without."""
    X, y = tables.numeric(10**6)

    def least():
        for column in X.T:
            np.argsort(column)
        for _ in range(12):
            for column in X.T:
                np.cumsum(column)

    ours = train(CARTClassifier(max_depth=12), X, y)
    work = "CART, 1,000,000 x 20, depth 12 / argsorts and sums"
    return Contest(work, ours, least, 2.5, 1, None, True)


def million_nominal():
    """Grow ID3 on a million nominal rows whose class depends on three columns, and on chance."""
    draw = np.random.default_rng(0)
    values = draw.integers(0, 4, size=(1_000_000, 8))
    classes = (values[:, :3].sum(axis=1) + (draw.random(1_000_000) < 0.1)) % 2
    levels = list("abcd")
    X = pd.DataFrame(
        {f"x{i}": pd.Categorical.from_codes(column, levels) for i, column in enumerate(values.T)}
    )
    y = pd.Series(pd.Categorical.from_codes(classes, ["no", "yes"]))
    return train(ID3Classifier(), X, y), values.nbytes


def c45_numbers(n):
    """Return what makes C4.5 grow on n x 20 numbers."""
    return _Numbers(C45Classifier(confidence=None), n)


def cart_numbers(n, **limits):
    """Return what makes CART grow on n x 20 numbers."""
    return _Numbers(CARTClassifier(**limits), n)


class _Numbers(NamedTuple):
    model: object
    n: int

    def __call__(self):
        X, y = tables.numeric(self.n)
        return train(self.model, X, y), X.nbytes


ALONE = [
    Alone("ID3, 1,000,000 x 8 nominal", million_nominal, 3.0),
    Alone("C4.5 grown, 100,000 x 20 numeric", c45_numbers(100_000)),
    Alone("C4.5 grown, 200,000 x 20 numeric", c45_numbers(200_000)),
    Alone("CART, 100,000 x 20", cart_numbers(100_000)),
    Alone("CART, 200,000 x 20", cart_numbers(200_000)),
    Alone("CART, 1,000,000 x 20, depth 12", cart_numbers(10**6, max_depth=12)),
]
# Twice the rows may take at most this many times as long: (the work, its double, the most).
DOUBLED = [(1, 2, 2.4), (3, 4, 2.4)]

"""CART beside scikit-learn: the same trees, and how long they take."""

from collections import deque

import numpy as np
from contests import ALONE as OTHERS
from contests import Alone, Contest, numeric, train
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtreebook import CARTClassifier, CARTRegressor


def contests():
    """Yield every `Contest` of CART."""
    for n, wanted in [(20_000, 0.4), (100_000, 0.4)]:
        yield _classes(f"CART, {n:,} x 20, 2 classes", *numeric(n), wanted)
    yield _classes("CART, 100,000 x 20, 5 classes", *classes(100_000, 5), 0.5)
    yield _classes("CART, 100,000 x 20, depth 8", *numeric(100_000), 0.35, max_depth=8)
    yield _numbers("CART, 100,000 x 20, regression", *numbers(100_000), 0.7)
    yield _classes("CART, letter-like, 20,000 x 16, 26 classes", *letters(20_000), 1.5)
    yield _classes("CART, iris", *load_iris(return_X_y=True), 3.0, repeats=101)
    yield _classes("CART, 1,000,000 x 20, depth 12", *numeric(10**6), 0.4, repeats=1, max_depth=12)

    X, y = numeric(200_000)
    ours = CARTClassifier().fit(X[:100_000], y[:100_000])
    theirs = DecisionTreeClassifier(random_state=0).fit(X[:100_000], y[:100_000])
    rest = X[100_000:]
    yield Contest(
        "CART predicts 100,000 x 20",
        lambda: ours.predict(rest),
        lambda: theirs.predict(rest),
        2.0,
    )


def _classes(work, X, y, wanted, repeats=3, **limits):
    theirs = DecisionTreeClassifier(random_state=0, **limits)
    sides = train(CARTClassifier(**limits), X, y), train(theirs, X, y)
    return Contest(work, *sides, wanted, repeats, compare)


def _numbers(work, X, y, wanted):
    sides = train(CARTRegressor(), X, y), train(DecisionTreeRegressor(random_state=0), X, y)
    return Contest(work, *sides, wanted, 3, compare)


def compare(ours, theirs):
    """Return in words how far two trees are the same, from the root down to the first ties.

    Raises
    ------
    AssertionError
        If two tests at the same place do not lower the impurity equally.
    """
    mine, other = ours.tree_, theirs.tree_
    weight, arrays = other.weighted_n_node_samples, mine.arrays
    pairs, same = deque([(0, 0)]), 0
    while pairs:
        i, j = pairs.popleft()
        same += 1
        left, right = other.children_left[j], other.children_right[j]
        assert (arrays.split[i] is None) == (left < 0), f"node {i}: one is a leaf, the other is not"
        if left < 0:
            continue
        gain = weight[j] * other.impurity[j]
        gain -= weight[left] * other.impurity[left] + weight[right] * other.impurity[right]
        assert np.isclose(arrays.improvement[i], gain, rtol=1e-6, atol=1e-9 * weight[0]), (
            f"node {i}"
        )
        first = arrays.first_child[i]
        sizes = arrays.counts[first : first + 2].sum(axis=1)
        if arrays.split[i].column == other.feature[j] and sizes[0] == weight[left]:
            pairs.extend([(first, left), (first + 1, right)])
    return f"the same gain in {same:,} places; nodes: {mine.node_count:,} and {other.node_count:,}"


def classes(n, n_classes):
    """Make n cases of 20 numbers in several classes, which lie about centres of their own."""
    draw = np.random.default_rng(0)
    y = draw.integers(0, n_classes, n)
    return draw.normal(size=(n_classes, 20))[y] * 0.5 + draw.normal(size=(n, 20)), y


def numbers(n):
    """Make n cases of 20 numbers, and a number that depends on three of them and on chance."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n, 20))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=n)


def letters(n):
    """Make n cases of 16 whole numbers from 0 to 15, like measurements of printed letters."""
    draw = np.random.default_rng(0)
    y = draw.integers(0, 26, n)
    X = 7.5 + 2 * draw.normal(size=(26, 16))[y] + 2.5 * draw.normal(size=(n, 16))
    return np.clip(X.round(), 0, 15), y


def hundred_thousand():
    """Grow CART on 100,000 x 20 numbers."""
    return train(CARTClassifier(), *numeric(100_000))


def two_hundred_thousand():
    """Grow CART on twice as many."""
    return train(CARTClassifier(), *numeric(200_000))


def million():
    """Grow CART on a million rows, to depth 12."""
    return train(CARTClassifier(max_depth=12), *numeric(10**6))


def _most_bytes(n):
    return 4 * n * 20 * 8 + 200e6


ALONE = [
    Alone("CART, 100,000 x 20", hundred_thousand, np.inf, _most_bytes(100_000)),
    Alone("CART, 200,000 x 20", two_hundred_thousand, np.inf, _most_bytes(200_000)),
    Alone("CART, 1,000,000 x 20, depth 12", million, np.inf, _most_bytes(10**6)),
]
DOUBLED = [(len(OTHERS), len(OTHERS) + 1, 2.4)]

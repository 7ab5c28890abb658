"""Routes: few cases and many go the same way, tables are small, and made only once."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtreebook import CARTClassifier
from dtreebook.tree.routing import Router, Routes
from dtreebook.tree.splits import Multiway, Splits, Subset, Surrogate, Threshold


def naive(split, surrogates, default, columns, case):
    branch = int(split.branch(columns[split.column][case : case + 1])[0])
    for surrogate in surrogates:
        if branch < 0:
            branch = int(surrogate.branch(columns[surrogate.split.column][case : case + 1])[0])
    return default if branch < 0 else branch


@given(st.integers(0, 2**32 - 1))
def test_a_branch_is_that_of_the_test_then_of_a_surrogate_then_the_default(seed):
    rng = np.random.default_rng(seed)

    def groups():
        codes = rng.permutation(int(rng.integers(2, 12))) + int(rng.integers(0, 280))
        cut = int(rng.integers(1, len(codes)))
        return tuple(codes[:cut].tolist()), tuple(codes[cut:].tolist())

    def test():
        is_cut = rng.random() < 0.5
        return Threshold(0, float(rng.integers(0, 5))) if is_cut else Subset(1, groups())

    def surrogate():
        return Surrogate(test(), bool(rng.random() < 0.5), 0.9, 0.5)

    share = rng.choice([0, 0.3, 1])
    splits = [Multiway(1) if rng.random() < share else test() for _ in range(5)]
    surrogates = [tuple(surrogate() for _ in range(rng.integers(0, 3))) for _ in splits]
    default = rng.integers(-1, 2, len(splits))
    n = 40
    x = rng.integers(0, 6, n).astype(float)
    columns = np.where(rng.random(n) < 0.2, np.nan, x), rng.integers(-1, 300, n)
    node, case = rng.integers(0, len(splits), n), rng.permutation(n)
    tests = Splits.of(splits)
    assert list(tests) == splits == [tests[i - len(splits)] for i in range(len(splits))]
    assert list(tests.take(np.array([4, -1, 0]))) == [splits[4], None, splits[0]]
    router = Router(tests, surrogates, default)
    found = Routes(router, columns).branch(node, case)
    wanted = [
        naive(splits[i], surrogates[i], default[i], columns, j)
        for i, j in zip(node, case, strict=True)
    ]
    assert found.tolist() == wanted


@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_columns_lie_in_memory_in_any_order(seed, n_columns):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (300, n_columns)).astype(float)
    tree = CARTClassifier().fit(X, rng.integers(0, 3, 300)).tree_
    arrays = tree.arrays
    X += rng.choice([0, 0.5], X.shape)  # half of them as large as a cut

    def end(case):
        node = 0
        while test := arrays.split[node]:
            node = arrays.first_child[node] + int(test.branch(case[[test.column]])[0])
        return node

    ends = [end(case) for case in X]
    assert tree.apply(X).tolist() == ends
    for columns in (np.array(X.T, order="C"), np.array(X.T, order="F"), list(X.T)):
        assert tree.arrays.route(columns).tolist() == ends
        alone = [
            tree.arrays.route([column[i : i + 1] for column in columns])[0]
            for i in range(0, 300, 7)
        ]
        assert alone == ends[::7]


def test_more_cases_than_go_down_together():
    rng = np.random.default_rng(0)
    X = rng.random((20_000, 3))
    tree = CARTClassifier(max_depth=8).fit(X, X[:, 0] + X[:, 1] > X[:, 2]).tree_
    pieces = [tree.apply(X[start : start + 3000]) for start in range(0, len(X), 3000)]
    assert tree.apply(X).tolist() == np.concatenate(pieces).tolist()
    assert tree.arrays.route(list(X.T)).tolist() == tree.apply(X).tolist()


def test_a_test_may_have_hundreds_of_branches():
    router = Router(Splits.of([Multiway(1)]), None, None)
    codes = np.array([0, 127, 128, 299, -1])
    columns = np.zeros(5), codes
    assert Routes(router, columns).branch(np.zeros(5, dtype=int), np.arange(5)).tolist() == (
        codes.tolist()
    )


def test_tables_are_as_wide_as_the_levels_that_a_test_knows():
    """Deep in a tree a test knows few of many levels: bytes for these, not for all."""
    splits = [Subset(0, ((k,), (k + 1, k + 2))) for k in range(4000)]
    router = Router(Splits.of(splits), None, None)
    assert router.branch_of.nbytes <= 5 * len(splits)


@pytest.mark.parametrize("n", [1, 1000])
def test_a_tree_makes_its_router_once_and_leaves_it_out_of_a_pickle(n, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.random((1000, 2))
    tree = CARTClassifier().fit(X, rng.integers(0, 2, 1000)).tree_
    size = len(pickle.dumps(tree))
    tree.apply(X[:n])
    assert len(pickle.dumps(tree)) == size
    monkeypatch.setattr(Router, "__init__", None)
    assert tree.apply(X[:n]).tolist() == tree.apply(X).tolist()[:n]


@pytest.mark.filterwarnings("error")
def test_a_number_too_large_for_a_place_that_nobody_asks_about_gives_no_warning():
    X = pd.DataFrame({"a": 1e308, "b": list("xyzw") * 100, "c": list("xxzz") * 100})
    cart = CARTClassifier().fit(X, [0, 1, 0, 0] * 100)
    assert cart.predict(X).tolist() == [0, 1, 0, 0] * 100

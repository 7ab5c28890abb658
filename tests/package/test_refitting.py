"""Leaves counted anew and quantiles, by a naive count; the same cases give the same tree back."""

import numpy as np
import pandas as pd
import pytest

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.datasets import load_loan
from dtreebook.prune.error_limits import wilson_interval
from dtreebook.tree.comparing import compare
from dtreebook.tree.refitting import predict_quantile, refit_leaves


def cases(seed, n=150):
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.random(n).round(1), "k": random.choice(list("uvw"), n)})
    X["k"] = X.k.astype(object).where(random.random(n) < 0.85, None)
    y = X.a + (X.k == "u") + random.normal(0, 0.3, n)
    return X, y, np.where(y > 0.8, "high", "low")


CART = CARTClassifier(max_depth=4, max_surrogates=2), CARTRegressor(max_depth=4)


@pytest.mark.parametrize("model", [ID3Classifier(), C45Classifier(confidence=None), *CART])
def test_the_cases_that_grew_a_tree_give_it_back(model):
    X, number, word = cases(0)
    X = X[["k"]] if isinstance(model, ID3Classifier) else X
    y = number if isinstance(model, CARTRegressor) else word
    weight = np.arange(len(X)) % 3 + 1.0
    tree = model.fit(X, y, weight).tree_
    again = refit_leaves(tree, X, y, weight)
    np.testing.assert_allclose(again.arrays.counts, tree.arrays.counts, rtol=1e-9)
    np.testing.assert_allclose(again.arrays.label, tree.arrays.label, rtol=1e-9)
    np.testing.assert_allclose(again.risk, tree.risk, rtol=1e-6, atol=1e-9)


def test_other_cases_are_counted_where_they_end():
    X, _, y = cases(1)
    tree = CARTClassifier(max_depth=3).fit(X, y).tree_
    other, _, truth = cases(2)
    refitted = refit_leaves(tree, other, truth, np.arange(len(other)))
    ends = tree.apply(other)
    for leaf in np.flatnonzero(tree.arrays.first_child == 0):
        for code, name in enumerate(tree.classes):
            here = (ends == leaf) & (truth == name)
            assert refitted.arrays.counts[leaf, code] == np.arange(len(other))[here].sum()


def test_empty_leaves_are_named_and_answer_as_the_node_above():
    X = pd.DataFrame({"k": ["u", "v"]})
    tree = ID3Classifier().fit(X, ["p", "q"]).tree_
    with pytest.warns(UserWarning, match="no case comes to 1 of the 2 leaves, .* 'k = v'"):
        refitted = refit_leaves(tree, X[:1], ["p"])
    assert refitted.predict(X).tolist() == ["p", "p"]
    with pytest.raises(ValueError, match="class 'r' in row 1"):
        refit_leaves(tree, X, ["p", "r"])


@pytest.mark.parametrize("weight", [1, 0.7, 1 / 3, 0.1, 1e6 / 7])
def test_the_middle_of_equal_weights_is_the_middle_case_however_weights_add_up(weight):
    X, y = np.zeros((100, 1)), np.arange(100.0)
    tree = CARTRegressor().fit(X, y).tree_
    q = np.arange(1, 101) / 100
    assert (predict_quantile(tree, X[:1], q, (X, y), np.full(100, weight)) == y).all()


def test_quantiles_are_those_of_the_cases_in_the_leaf():
    X, y, _ = cases(3)
    tree = CARTRegressor(max_depth=3).fit(X, y).tree_
    times = np.arange(len(X)) % 3 + 1
    found, ends = predict_quantile(tree, X, [0.1, 0.9], (X, y), times), tree.apply(X)
    for end in set(ends.tolist()):
        here = np.sort(np.repeat(y, times * (ends == end)))
        for q, quantile in zip([0.1, 0.9], found[ends == end].T, strict=True):
            naive = next(v for i, v in enumerate(here, 1) if i >= q * len(here) - 1e-9)
            assert (quantile == naive).all()
    with pytest.raises(ValueError, match="between 0 and 1"):
        predict_quantile(tree, X, 2, (X, y))
    with pytest.raises(TypeError, match=r"must be the pair \(X, y\)"):
        predict_quantile(tree, X, 0.5, X, y)


def test_wilson_s_ends_solve_his_equation():
    part, weight = np.array([0, 3, 9, 14.5]), np.array([5, 9, 14, 20])
    for end in wilson_interval(part, weight, 0.9):
        error = np.abs(part / weight - end)
        np.testing.assert_allclose(error, 1.6448536 * np.sqrt(end * (1 - end) / weight), atol=1e-6)


def test_two_trees_differ_where_their_answers_do():
    X, _, y = cases(4)
    cart, parts = CARTClassifier(max_depth=3), (X.a < 2, X.a < 0.8)
    old, new = (cart.fit(X[part], y[part]).tree_ for part in parts)
    found = compare(old, new, X)
    differs = old.predict(X) != new.predict(X)
    assert found.share == differs.mean() > 0
    assert found.moves.cases.sum() == differs.sum()
    assert len(found.questions)
    same = compare(old, old, X)
    assert same.share == len(same.questions) == len(same.moves) == 0


def test_trees_of_different_columns_are_compared_on_a_table_with_both():
    X, y = load_loan(return_X_y=True)
    old, new = (ID3Classifier().fit(X[names], y) for names in (["house", "work"], ["credit"]))
    found = compare(old, new, X)
    assert found.questions.to_numpy().tolist() == [["", "asks about house", "asks about credit"]]
    differs = old.predict(X[["house", "work"]]) != new.predict(X[["credit"]])
    assert found.share == differs.mean() > 0
    assert found.moves.cases.sum() == differs.sum()
    with pytest.raises(ValueError, match=r"X lacks the columns \['work'\] of one of the trees"):
        compare(old, new, X.drop(columns="work"))

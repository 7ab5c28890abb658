"""The rules of any tree: each case satisfies the rule of its leaf, and no other."""

import re

import numpy as np
import pytest
from drawing import Table, columns
from hypothesis import given
from hypothesis import strategies as st

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, datasets


@st.composite
def tables(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, kinds = int(rng.integers(4, 60)), ("quarters", "ordered", 5, 2)
    X = Table(kinds, columns(rng, kinds, n)).frame
    return X, rng.choice(["a", "b", "c"], n), rng.random(n).round(2)


def satisfies(X, condition):
    """Read a rule as a person does, and return which cases satisfy it."""
    found = np.ones(len(X), dtype=bool)
    for test in filter(None, condition.split(" and ")):
        name, sign, value = re.fullmatch(r"(\w+) (<=|>|=|in) (.*)", test).groups()
        column = X[name]
        if sign in ("<=", ">"):
            if column.dtype == "category":
                column, value = column.cat.codes, list(column.cat.categories).index(value)
            below = column <= float(value)
            found &= below if sign == "<=" else ~below
        else:
            found &= column.isin(value.strip("{}").split(","))
    return found


MODELS = [
    ID3Classifier(),
    C45Classifier(confidence=None, group_values=True),
    C45Classifier(),
    CARTClassifier(),
    CARTRegressor(max_depth=4),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
@given(table=tables())
def test_each_case_satisfies_the_rule_of_its_leaf_and_no_other(model, table):
    X, y, number = table
    if isinstance(model, ID3Classifier):
        X = X.drop(columns="a0")
    is_regression = isinstance(model, CARTRegressor)
    y = number if is_regression else y
    tree = model.fit(X, y).tree_
    rules = tree.rules()
    assert sorted(rules.index) == np.flatnonzero(tree.arrays.first_child == 0).tolist()
    ends = tree.apply(X)
    for leaf, rule in rules.iterrows():
        assert (satisfies(X, rule.condition) == (ends == leaf)).all()
        here = y[ends == leaf]
        assert rule.cases == len(here)
        if is_regression:
            np.testing.assert_allclose(rule["mean"], here.mean())
            np.testing.assert_allclose(rule.loss, here.var() * len(here), atol=1e-12)
        else:
            assert rule.errors == (here != rule["class"]).sum()
        # Nothing is told twice: an attribute has one lower and one upper bound.
        tests = [test.split(" ")[:2] for test in rule.condition.split(" and ")]
        bounds = [tuple(test) for test in tests if test[-1] in ("<=", ">")]
        assert len(bounds) == len(set(bounds))


def test_a_single_leaf_has_a_rule_without_condition():
    rules = CARTClassifier().fit([[1], [1]], ["p", "q"]).tree_.rules()
    assert rules.to_dict("records") == [{"condition": "", "class": "p", "cases": 2, "errors": 1}]


def test_a_loss_does_not_count_as_errors():
    X, y = datasets.load_loan(return_X_y=True)
    model = CARTClassifier(loss=[[0, 5], [2, 0]], max_depth=0).fit(X, y)  # says no of 9 yes
    ends, said = model.apply(X), np.array(model.explain(X))
    for leaf, rule in model.tree_.rules().iterrows():
        right, n = (y[ends == leaf] == rule["class"]).sum(), (ends == leaf).sum()
        assert rule.errors == n - right
        assert said[ends == leaf][0].endswith(f"({right} of {n} cases)")

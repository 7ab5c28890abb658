"""Prices of questions: the test is asked that is worth most for its price, by each measure."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.datasets import load_golf, load_loan
from dtreebook.grow.growth import StopReason

SEEDS = st.integers(0, 2**32 - 1)
MEASURES = {
    "idx": lambda s, c: s / c,
    "cs_id3": lambda s, c: s**2 / c,
    "eg2": lambda s, c: (2**s - 1) / (c + 1),
}


def table(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(8, 60))
    X = np.stack([rng.integers(0, k, n) for k in (2, 3, 4, 9)], axis=1)
    y = (X[:, 0] + X[:, 3] // 3 + rng.integers(0, 2, n)) % 3
    return X, y, rng.integers(1, 9, 4).astype(float)


@settings(max_examples=draws(60))
@given(seed=SEEDS, name=st.sampled_from(["idx", "cs_id3", "eg2"]), least=st.sampled_from([0, 0.2]))
@pytest.mark.parametrize("estimator", [ID3Classifier, C45Classifier, CARTClassifier])
def test_of_all_that_gain_enough_the_one_of_most_worth_is_asked(estimator, seed, name, least):
    X, y, cost = table(seed)
    limit, least = {ID3Classifier: ("min_gain", least), C45Classifier: ("min_score", least)}.get(
        estimator, ("min_impurity_decrease", 0)
    )
    given = {"cost": cost, limit: least}
    given |= {} if estimator is CARTClassifier else {"pricing": name}
    measure = MEASURES["idx" if estimator is CARTClassifier else name]
    X = X.astype(str) if estimator is ID3Classifier else X.astype(float)
    record = estimator(**given).decisions(X, y)
    for decision in record:
        if decision.chosen:
            enough = [c for c in decision.candidates if c.score >= least]
            worth = [measure(c.score, cost[c.split.column]) for c in enough]
            chosen = measure(decision.chosen.score, cost[decision.chosen.split.column])
            assert decision.chosen.score >= least
            assert chosen >= max(worth) - 1e-9
        else:
            assert decision.reason is not StopReason.BEST
            assert all(c.score < least for c in decision.candidates if least)


def test_a_dear_question_is_not_asked_and_its_gain_is_told_without_the_price():
    X, y = load_loan(return_X_y=True)
    free, dear = ID3Classifier().fit(X, y), ID3Classifier(cost={"house": 50}).fit(X, y)
    names = [attribute.name for attribute in dear.tree_.attributes]
    assert names[free.tree_.root.split.column] == "house"
    asked = [split.column for split in dear.tree_.arrays.split if split is not None]
    assert names[dear.tree_.root.split.column] == "credit"
    assert "house" not in {names[column] for column in asked}
    cart = CARTClassifier(cost={"house": 50}, max_depth=1).fit(X, y)
    decision = CARTClassifier(max_depth=1).decisions(X, y)[0]
    score = {c.split: c.score for c in decision.candidates}
    assert cart.tree_.arrays.improvement[0] == pytest.approx(score[cart.tree_.root.split])


def test_the_mean_cost_counts_each_column_once_a_case():
    """Of fifteen six have a house, and nobody asks them about work."""
    X, y = load_loan(return_X_y=True)
    model = ID3Classifier().fit(X, y)
    assert model.mean_cost(X) == pytest.approx((6 * 1 + 9 * 2) / 15)
    price = {"work": 4}
    assert model.mean_cost(X, price) == pytest.approx((6 * 1 + 9 * 5) / 15)
    assert model.set_params(cost=price).mean_cost(X) == model.mean_cost(X, price)
    golf = load_golf(return_X_y=True)
    deep = CARTClassifier().fit(*golf)
    asked = [{split.column for split in path} for path in paths(deep.tree_)]
    ends = deep.apply(golf[0])
    assert deep.mean_cost(golf[0]) == pytest.approx(np.mean([len(asked[end]) for end in ends]))


def paths(tree):
    above = [[] for _ in range(tree.node_count)]
    for node in range(1, tree.node_count):
        parent = tree.arrays.parent[node]
        above[node] = [*above[parent], tree.arrays.split[parent]]
    return above


def test_a_database_asks_by_price_as_memory_does():
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("duckdb")
    frame = load_loan().frame.astype(str)
    model = ID3Classifier(cost={"house": 50})
    here = model.fit(frame.drop(columns="approved"), frame["approved"]).export_text()
    there = model.fit(ibis.memtable(frame), "approved").export_text()
    assert here == there


def test_a_case_in_parts_pays_for_each_way_by_its_part():
    """Formerly a case with a blank paid for the question where it divides, and for none below."""
    X, y = load_golf(return_X_y=True)
    model, prices = C45Classifier().fit(X, y), {"outlook": 2, "humidity": 10, "windy": 4}
    ways = pd.DataFrame({"outlook": ["sunny", "overcast", "rain"]}).assign(
        temperature=70.0, humidity=70.0, windy="true"
    )
    assert [model.mean_cost(ways[i : i + 1], prices) for i in range(3)] == [12, 2, 6]
    blank = ways[:1].assign(outlook=None)
    assert model.mean_cost(blank, prices) == pytest.approx((5 * 12 + 4 * 2 + 5 * 6) / 14)
    both = pd.concat([ways[:1], blank])
    costs = [model.mean_cost(both[i : i + 1], prices) for i in range(2)]
    assert model.mean_cost(both, prices) == pytest.approx(np.mean(costs))

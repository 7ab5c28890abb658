"""Prices of questions: the test is asked that is worth most for its price, by each measure."""

import numpy as np
import pandas as pd
import pytest

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.datasets import load_golf, load_loan
from dtreebook.tree.splits import Multiway


@pytest.mark.parametrize("pricing", ["eg2", "cs_id3", "idx"])
@pytest.mark.parametrize("kind", [ID3Classifier, C45Classifier])
def test_of_questions_that_tell_nothing_and_cost_the_same_the_first_is_asked(kind, pricing):
    """Formerly rounding chose: the gain of one is 0, that of the other is 2e-16 below."""
    rows = [(a, b, k) for a in range(5) for b in range(4) for k in (0, 0, 1, 1, 2)]
    *X, y = np.array(rows).T
    model = kind(cost=[1, 1], pricing=pricing, max_depth=1, min_samples_leaf=1)
    if kind is C45Classifier:
        model.set_params(average_gain_guard=False, collapse=False, confidence=None)
    assert model.fit(np.array(X).T.astype(str), y).tree_.root.split == Multiway(0)


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
    X, y = load_golf(return_X_y=True)
    deep = CARTClassifier().fit(X, y)
    asked = [{step.column for step in why.steps} for why in deep.explanations(X)]
    assert deep.mean_cost(X) == pytest.approx(np.mean(list(map(len, asked))))


def test_a_case_in_parts_pays_for_each_way_by_its_part():
    """Formerly a case with a blank paid for the question where it divides, and for none below."""
    X, y = load_golf(return_X_y=True)
    model, prices = C45Classifier().fit(X, y), {"outlook": 2, "humidity": 10, "windy": 4}
    ways = pd.DataFrame({"outlook": ["sunny", "overcast", "rain"]}).assign(
        temperature=70.0, humidity=70.0, windy="true"
    )
    assert [model.mean_cost(ways[i : i + 1], prices) for i in range(3)] == [12, 2, 6]
    blank, cost = ways[:1].assign(outlook=None), (5 * 12 + 4 * 2 + 5 * 6) / 14
    assert model.mean_cost(blank, prices) == pytest.approx(cost)
    both = pd.concat([ways[:1], blank])
    assert model.mean_cost(both, prices) == pytest.approx((12 + cost) / 2)

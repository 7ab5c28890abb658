"""Tables or sorted columns, values that occur or all, cuts or all places: the same trees."""

import json
from contextlib import ExitStack
from unittest import mock

import numpy as np
import pandas as pd
import pytest
from tiers import SEED, draws

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor
from dtreebook.grow import categories, thresholds
from dtreebook.grow.counted import CountedColumns

MODELS = {
    "gini": CARTClassifier(),
    "entropy": CARTClassifier(criterion="entropy", min_samples_leaf=3),
    "mse": CARTRegressor(min_samples_leaf=2),
    "C4.5": C45Classifier(confidence=None),
    "gain": C45Classifier(criterion="gain", confidence=None, min_weight=1),
}
SORTED = {(CountedColumns, "among"): lambda columns, n_classes: []}
ALWAYS = {(CountedColumns, "is_worth_it"): lambda *sizes: True}
PICKED, ALL = {(thresholds, "_FEW_CELLS"): 0}, {(thresholds, "_FEW_CELLS"): np.inf}
PRESENT, DENSE = {(categories, "MOST_CELLS"): 0}, {(categories, "MOST_CELLS"): np.inf}


def table(seed):
    """Draw columns of few values, ordered and nominal ones; blanks; weights."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([40, 300]))
    levels = [f"v{i}" for i in range(rng.choice([3, 15]))]
    codes = rng.integers(0, len(levels), (2, n))
    X = pd.DataFrame({f"x{i}": rng.integers(0, rng.integers(2, 8), n) / 2 for i in range(4)})
    X["real"] = rng.normal(size=n)
    X["order"] = pd.Categorical.from_codes(codes[0], levels, ordered=True)
    X["name"] = pd.Categorical.from_codes(codes[1], levels)
    y = (X["x0"] + codes[1] % 3 + rng.integers(0, 2, n)).astype(int).to_numpy() % 4
    X = X.mask(rng.random(X.shape) < rng.choice([0, 0.1]))
    return X, y, rng.integers(1, 9, n) / 4 if rng.random() < 0.5 else None


def grown(model, cases, *changes):
    """The tree that grows with some names of the engine replaced, its nodes."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch("dtreebook.grow.counted._WORTH_TABLES", 0.05))
        for change in changes:
            for (owner, name), value in change.items():
                stack.enter_context(mock.patch.object(owner, name, value))
        return json.loads(model.fit(*cases).tree_.to_json())["nodes"]


def same(found, wanted):
    """Assert that the nodes are the same, and sums but for rounding."""
    for here, there in zip(found, wanted, strict=True):
        for sum_of in ("risk", "improvement"):
            assert here.pop(sum_of, 0) == pytest.approx(there.pop(sum_of, 0), rel=1e-9, abs=1e-9)
        assert here == there


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_counted_and_sorted_columns_give_the_same_tree(name):
    for seed in range(SEED, SEED + draws(12)):
        cases = table(seed)
        for counted in ({}, ALWAYS):
            same(grown(MODELS[name], cases, counted), grown(MODELS[name], cases, SORTED))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_tables_of_what_occurs_and_of_everything_give_the_same_tree(name):
    for seed in range(SEED, SEED + draws(12)):
        cases = table(seed)
        same(grown(MODELS[name], cases, PRESENT), grown(MODELS[name], cases, DENSE))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", MODELS)
def test_cuts_that_are_picked_out_and_all_places_give_the_same_tree(name):
    for seed in range(SEED, SEED + draws(12)):
        cases = table(seed)
        for columns in (ALWAYS, SORTED):
            same(
                grown(MODELS[name], cases, columns, PICKED),
                grown(MODELS[name], cases, columns, ALL),
            )

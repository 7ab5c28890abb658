"""Stored trees: what is damaged is refused with its place, and odd numbers are kept or refused."""

import json
import re
import time
from copy import deepcopy
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import draws

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, datasets
from dtreebook.tree.tree import Tree


@cache
def documents():
    """Documents with everything in them: splits of every kind, surrogates, risks, improvements."""
    X, y = datasets.load_golf(return_X_y=True)
    blanks = X.mask(np.random.default_rng(0).random(X.shape) < 0.2)
    models = [
        CARTClassifier(max_surrogates=2, loss=[[0, 1], [2, 0]]).fit(blanks, y),
        CARTRegressor(max_surrogates=2).fit(blanks, np.arange(len(y))),
        C45Classifier(confidence=None, group_values=True, min_weight=0).fit(X, y),
        C45Classifier(confidence=None).fit(X, y),
    ]
    return [model.tree_.to_json() for model in models]


def inside(document, place=()):
    if place:
        yield place
    if isinstance(document, dict | list):
        items = document.items() if isinstance(document, dict) else enumerate(document)
        for key, value in items:
            yield from inside(value, (*place, key))


SPLITS = [{"kind": "threshold", "attribute": 0, "cut": 1}, {"kind": "multiway", "attribute": 0}]
SPLITS += [SPLITS[1] | {"cut": 1}, {"kind": "subset", "attribute": 0, "groups": [[0], [1]]}]
# Copied, since what is put somewhere may be broken in turn.
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([0.5, 1.0, 2.5, -0.0, 1e300, 10**30, 10**400, np.nan, np.inf, -np.inf]),
    st.sampled_from(["", "1", "multiway", "threshold", "subset", "nominal", "dtreebook.tree"]),
    st.sampled_from([[], {}, [[0], [1]], [0], [1, 2], [[0], []], [None], ["a", True, 1]]),
    st.sampled_from(SPLITS),
).map(deepcopy)
NAMES = ["split", "children", "surrogates", "default", "improvement", "risk", "cut", "fractional"]


def broken(document, data):
    """Put something odd somewhere, or take something away, or add something."""
    *above, key = data.draw(st.sampled_from(list(inside(document))))
    spot = document
    for step in above:
        spot = spot[step]
    action = data.draw(st.sampled_from(["replace", "remove", "add", "copy"]))
    if action == "replace":
        spot[key] = data.draw(ODD)
    elif action == "remove":
        del spot[key]
    elif isinstance(spot, list):
        spot.append(spot[key] if action == "copy" else data.draw(ODD))
    else:
        spot[data.draw(st.sampled_from(NAMES) | st.text(max_size=3))] = data.draw(ODD)


@settings(max_examples=draws(600))
@given(st.data())
def test_a_damaged_document_is_refused_with_its_place_or_is_a_tree_all_the_same(data):
    document = json.loads(data.draw(st.sampled_from(documents())))
    for _ in range(data.draw(st.integers(0, 2))):
        broken(document, data)
    try:
        tree = Tree.from_dict(document)
    except ValueError as refused:
        fault = str(refused)
        # Another format or version, or another number of nodes, is told without a place.
        assert re.search(r"damaged at \$\S*: |its format is not|in version|nodes, ", fault)
    else:
        assert Tree.from_dict(tree.to_dict()) == tree


def test_a_large_tree_is_read_about_as_fast_as_its_json():
    rng = np.random.default_rng(0)
    X = rng.random((12_000, 4))
    text = CARTClassifier().fit(X, rng.integers(0, 2, len(X))).tree_.to_json()

    def seconds(read):
        start = time.process_time()
        read(text)
        return time.process_time() - start

    alone, ours = (min(seconds(read) for _ in range(3)) for read in (json.loads, Tree.from_json))
    assert ours < 12 * alone


def test_a_tree_read_back_predicts_as_the_estimator_does():
    X, y = datasets.load_golf(return_X_y=True)
    X = X.mask(np.random.default_rng(1).random(X.shape) < 0.15)
    for model, answers in (C45Classifier(), y), (CARTRegressor(), np.arange(len(y)) ** 2):
        tree = Tree.from_json(model.fit(X, answers).tree_.to_json())
        said = model.predict(X).tolist()
        assert tree == model.tree_
        for table in (X, X[reversed(X.columns)], X.to_numpy(dtype=object)):
            assert tree.predict(table).tolist() == said
        if isinstance(model, C45Classifier):
            assert tree.predict_proba(X).tolist() == model.predict_proba(X).tolist()
    with pytest.raises(ValueError, match="a regression tree has no classes"):
        tree.predict_proba(X)


def test_a_tree_says_which_columns_it_wants_and_pruning_leaves_it_fractional():
    X, y = datasets.load_golf(return_X_y=True)
    model = C45Classifier().fit(X, y)
    with pytest.raises(ValueError, match=r"grown on 4: \['outlook', "):
        model.tree_.predict([["rain"]])
    with pytest.raises(ValueError, match="missing: humidity"):
        model.tree_.predict(X.drop(columns="humidity"))
    assert model.tree_.fractional
    assert model.unpruned_tree_.fractional
    assert model.unpruned_tree_.keep({()}).fractional
    assert '"fractional": true' in model.tree_.to_json()
    assert "fractional" not in CARTClassifier().fit([[1], [2]], [0, 1]).tree_.to_json()

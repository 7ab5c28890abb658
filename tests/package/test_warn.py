"""Warnings blame the line of the user, whatever was called and by whom it was handed on."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.data.encoding import encode
from dtreebook.data.reading import read_training
from dtreebook.data.words import warn

EVERY = "every number of these columns: b"
NONE = "no value that the tree was grown on"
HEURISTIC = "divided by a heuristic"
X = pd.DataFrame({"a": ["x", "y", "x", "y"], "b": [1.0, 2.0, 3.0, 4.0]})
Y = [0, 1, 0, 1]
STRANGE = X.assign(a=[1, 2, 1, 2])
MANY = pd.DataFrame({"a": [f"{i:02}" for i in range(39)]})
THREE = np.arange(39) % 3
UPRIGHT = np.array(Y)[:, None]


PATH_OF = CARTClassifier.cost_complexity_pruning_path


def cart():
    return CARTClassifier().fit(X, Y)


def c45():
    return C45Classifier(min_weight=1).fit(X, Y)


# What is called, with a line that a warning should blame, and what it says.
CALLS = {
    "ID3.fit": (lambda: ID3Classifier().fit(X, Y), EVERY),
    "CART.fit": (lambda: CARTClassifier().fit(MANY, THREE), HEURISTIC),
    "CART's path": (lambda: PATH_OF(CARTClassifier(), MANY, THREE), HEURISTIC),
    "a column as the classes": (lambda: CARTClassifier().fit(X, UPRIGHT), "column-vector y"),
    "apply": (lambda: cart().apply(STRANGE), NONE),
    "explain": (lambda: cart().explain(STRANGE), NONE),
    "score": (lambda: cart().score(STRANGE, Y), NONE),
    "C45.explain": (lambda: c45().explain(STRANGE), NONE),
    "encode": (lambda: encode(STRANGE, cart().tree_.attributes), "no value that the tree was"),
    "read_training": (lambda: read_training(X, Y, kinds=["nominal"]), EVERY),
    "a pipeline": (lambda: make_pipeline(FunctionTransformer(), ID3Classifier()).fit(X, Y), EVERY),
    "cross-validation": (lambda: cross_val_score(ID3Classifier(), X, Y, cv=2), EVERY),
}


@pytest.mark.parametrize(("call", "message"), CALLS.values(), ids=CALLS)
def test_a_warning_blames_the_line_of_the_user(call, message):
    with pytest.warns(UserWarning, match=message) as caught:
        call()
    first = call.__code__.co_firstlineno
    last = max(line for *_, line in call.__code__.co_lines() if line)
    for warning in caught:
        assert warning.filename == __file__
        assert first <= warning.lineno <= last


def test_a_warning_from_the_outside_blames_its_own_line():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec("warn('at the top')", {"__name__": "dtreebook.inside", "warn": warn})
    assert caught[0].filename == __file__

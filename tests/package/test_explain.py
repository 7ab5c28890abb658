"""The reason for a case is its own, on blanks and new words; the net walks by hand."""

import numpy as np
import pandas as pd
import pytest

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.datasets import load_golf


def test_a_surrogate_that_decided_is_named():
    a = np.random.default_rng(0).random(300)
    X = pd.DataFrame({"a": a, "b": a + 0.01})
    X.loc[::9, "a"] = np.nan
    model = CARTClassifier(max_depth=1).fit(X, np.where(a > 0.366, "yes", "no"))
    cases = pd.DataFrame({"a": [0.1, np.nan, np.nan], "b": [np.nan, 0.1, np.nan]})
    assert model.explain(cases) == [
        "b <= 0.377257 (b unknown; by a <= 0.367257): no (92 of 92 cases)",
        "b <= 0.377257: no (92 of 92 cases)",
        "b > 0.377257 (b unknown; by default): yes (208 of 208 cases)",
    ]


def test_a_word_that_is_new_is_not_called_unknown():
    X, y = pd.DataFrame({"k": list("aabbcc")}), list("nnyyyy")
    case = pd.DataFrame({"k": ["new"]})
    by_cart = CARTClassifier().fit(X, y).explain(case)
    assert by_cart == ["k in {b,c} (k never seen here; by default): y (4 of 4 cases)"]
    assert ID3Classifier().fit(X, y).explain(case) == ["k never seen here, so y (4 of 6 cases)"]
    by_c45 = C45Classifier(min_weight=1).fit(X, y).explain(case)
    assert by_c45 == ["k never seen here: y (66.7% over all branches)"]


def test_the_line_of_a_case_with_unknown_values_ends_with_its_predicted_class():
    X, y = load_golf(return_X_y=True)
    model = C45Classifier().fit(X, y)
    unknown = X.head(3).copy()
    unknown.loc[0, "outlook"] = None
    unknown.loc[1, "humidity"] = np.nan
    assert model.explain(unknown) == [
        "outlook unknown: Play (64.3% over all branches)",
        "outlook = sunny, humidity unknown: Don't Play (60.0% over all branches)",
        "outlook = overcast: Play (4 of 4 cases)",
    ]


def test_an_empty_branch_predicts_the_majority_above_and_says_so():
    X = pd.DataFrame({"size": pd.Categorical(["s", "s", "l"], ["s", "m", "l"])})
    id3 = ID3Classifier().fit(X, ["c", "c", "d"])
    middle = pd.DataFrame({"size": ["m"]})
    assert id3.predict(middle).tolist() == ["c"]
    assert id3.predict_proba(middle)[0] == pytest.approx([2 / 3, 1 / 3])
    assert id3.explain(middle) == ["size = m: c (no case came here; the majority class just above)"]
    assert "size = m: c (0.0)" in id3.export_text()


def test_explain_writes_out_large_weights():
    X = pd.DataFrame({"a": ["x", "y"]})
    id3 = ID3Classifier(max_depth=0).fit(X, [0, 1], sample_weight=[1_234_567, 1])
    assert id3.explain(X[:1]) == ["0 (1234567 of 1234568 cases)"]
    id3 = ID3Classifier(max_depth=0).fit(X, [0, 1], sample_weight=[0.5, 0.25])
    assert id3.explain(X[:1]) == ["0 (0.5 of 0.75 cases)"]

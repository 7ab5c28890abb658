"""ID3 as users meet it: scikit-learn's conventions, frames, unknown values, words."""

import warnings

import numpy as np
import pandas as pd
import pytest

from dtreebook import ID3Classifier
from dtreebook.datasets import load_loan, load_tennis

X_LOAN, Y_LOAN = load_loan(return_X_y=True)
X_TENNIS, Y_TENNIS = load_tennis(return_X_y=True)


@pytest.fixture
def loan():
    return ID3Classifier().fit(X_LOAN, Y_LOAN)


@pytest.fixture
def tennis():
    return ID3Classifier().fit(X_TENNIS, Y_TENNIS)


# --- the tree ------------------------------------------------------------------------------------


def test_min_gain_is_the_least_gain_that_divides():
    """Li Hang's epsilon on the loan table: house gains 0.420, then work 0.918."""
    gains = [(0.419, 3), (0.421, 1), (0.0, 3), (1.0, 1), (np.inf, 1)]
    for min_gain, leaves in gains:
        assert ID3Classifier(min_gain=min_gain).fit(X_LOAN, Y_LOAN).get_n_leaves() == leaves


# --- columns by name, frames, arrays, lists ------------------------------------------------------


def test_columns_in_another_order_are_found_by_name(tennis):
    turned = X_TENNIS[X_TENNIS.columns[::-1]]
    for method in (tennis.predict, tennis.apply, tennis.explain):
        assert list(method(turned)) == list(method(X_TENNIS))
    assert tennis.predict_proba(turned).tolist() == tennis.predict_proba(X_TENNIS).tolist()
    assert list(turned.columns) == list(X_TENNIS.columns[::-1])


def test_names_are_kept_and_an_array_goes_by_position_with_a_warning(tennis):
    assert tennis.feature_names_in_.tolist() == list(X_TENNIS)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        by_position = tennis.predict(X_TENNIS.to_numpy(dtype=object))
    assert by_position.tolist() == tennis.predict(X_TENNIS).tolist()


# --- unknown values, unseen levels, empty branches -----------------------------------------------


def one(**values):
    return pd.DataFrame([{**X_TENNIS.iloc[0], **values}])


@pytest.mark.parametrize("unknown", [None, np.nan, pd.NA, "hail"])
def test_a_case_stops_where_its_value_is_unknown_or_never_seen(tennis, unknown):
    at_the_root, below = one(outlook=unknown), one(outlook="rainy", windy=unknown)
    assert tennis.predict(at_the_root).tolist() == ["yes"]
    assert tennis.predict_proba(at_the_root)[0] == pytest.approx([5 / 14, 9 / 14])
    assert tennis.apply(at_the_root).tolist() == [0]
    lack = "never seen here" if isinstance(unknown, str) else "unknown"
    assert tennis.explain(at_the_root) == [f"outlook {lack}, so yes (9 of 14 cases)"]
    assert tennis.predict_proba(below)[0] == pytest.approx([2 / 5, 3 / 5])
    assert tennis.explain(below) == [f"outlook = rainy: windy {lack}, so yes (3 of 5 cases)"]
    not_asked = one(outlook="overcast", windy=unknown, humidity=unknown)
    assert tennis.explain(not_asked) == ["outlook = overcast: yes (4 of 4 cases)"]


def test_an_empty_branch_predicts_the_majority_above_and_says_so():
    X = pd.DataFrame({"size": pd.Categorical(["s", "s", "l"], ["s", "m", "l"])})
    id3 = ID3Classifier().fit(X, ["c", "c", "d"])
    middle = pd.DataFrame({"size": ["m"]})
    assert id3.predict(middle).tolist() == ["c"]
    assert id3.predict_proba(middle)[0] == pytest.approx([2 / 3, 1 / 3])
    assert id3.explain(middle) == ["size = m: c (no case came here; the majority class just above)"]
    assert "size = m: c (0.0)" in id3.export_text()


# --- explaining ----------------------------------------------------------------------------------


def test_explain_names_every_test_on_the_path(tennis):
    expected = "outlook = sunny, humidity = high: no (3 of 3 cases)"
    assert tennis.explain(X_TENNIS[:2]) == [expected, expected]
    assert ID3Classifier(max_depth=0).fit(X_TENNIS, Y_TENNIS).explain(X_TENNIS[:1]) == [
        "yes (9 of 14 cases)"
    ]


def test_explain_writes_out_large_weights():
    X = pd.DataFrame({"a": ["x", "y"]})
    id3 = ID3Classifier(max_depth=0).fit(X, [0, 1], sample_weight=[1_234_567, 1])
    assert id3.explain(X[:1]) == ["0 (1234567 of 1234568 cases)"]
    id3 = ID3Classifier(max_depth=0).fit(X, [0, 1], sample_weight=[0.5, 0.25])
    assert id3.explain(X[:1]) == ["0 (0.5 of 0.75 cases)"]


# --- numbers -------------------------------------------------------------------------------------


def test_text_booleans_and_ranges_bring_no_warning():
    X = pd.DataFrame(
        {
            "text": ["1", "2", "1"],
            "flag": [True, False, True],
            "range": pd.cut([1, 5, 9], [0, 4, 10], labels=["few", "many"]),
        }
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        id3 = ID3Classifier().fit(X, [0, 1, 0])
        assert id3.predict(X).tolist() == [0, 1, 0]

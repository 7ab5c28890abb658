"""A tree grown anew below a node: what is wanted stands there. What stays is a law of the net."""

import warnings

import numpy as np
import pandas as pd
import pytest
from same_trees import assert_same

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.datasets import load_golf
from dtreebook.measures import misclassification
from dtreebook.tree.splits import Multiway, Subset, Threshold


def test_a_test_is_forced_as_it_is_written():
    X, y = load_golf(return_X_y=True)
    c45 = C45Classifier().fit(X, y).regrow(X, y, ask=("humidity", 80))
    assert c45.tree_.root.split == Threshold(2, 80.0)
    cart = CARTClassifier(max_depth=2).fit(X, y)
    groups = [["sunny", "rain"], ["overcast"]]
    forced = cart.regrow(X, y, ask=("outlook", groups))
    assert forced.tree_.root.split == Subset(0, ((0, 2), (1,)))
    assert_same(forced.tree_, cart.tree_)  # it is the best one
    np.testing.assert_allclose(forced.feature_importances_, cart.feature_importances_)
    id3 = ID3Classifier().fit(X[["outlook", "windy"]], y)
    other = id3.regrow(X[["outlook", "windy"]], y, ask="windy")
    assert other.tree_.root.split == Multiway(1)
    assert id3.tree_.root.split == Multiway(0)  # the model itself stays


def test_what_is_forced_stays_though_pruning_would_take_it():
    X, y = load_golf(return_X_y=True)
    pruned = C45Classifier(confidence=0.01).fit(X, y)
    assert pruned.get_n_leaves() == 1
    assert pruned.regrow(X, y, ask="windy").tree_.root.split == Multiway(3)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"at": "wind = no"}, "no node at 'wind = no': name one as explain does, such as 'out"),
        ({"at": (0, 5)}, r"no node at \(0, 5\)"),
        ({"ask": "sky"}, "no column 'sky': the tree knows outlook, temperature"),
        ({"ask": "windy", "forbid": "windy"}, "'windy' is asked about and forbidden: take one"),
        ({"ask": ("humidity", "wet")}, "'wet' cuts no numbers of 'humidity': give a finite num"),
        ({"ask": ("humidity", 200)}, "'humidity <= 200' does not divide the 14 cases at this"),
        ({"ask": ("outlook", [["sunny"], ["rain"]])}, "each value once, .* 'overcast' are in none"),
        ({"ask": ("outlook", [["fog"], ["rain"]])}, "'outlook' has no value 'fog' in training"),
        ({"ask": ("outlook", ["sunny"])}, r"\['sunny'\] are no groups of 'outlook': give li"),
        ({"ask": ("outlook", 3)}, r"such as \[\['sunny'\], \['overcast', 'rain'\]\]"),
        ({"ask": 3}, "no column 3"),
        ({"ask": ["sky"]}, r"no column \['sky'\]"),
        ({"forbid": 3}, "no column 3"),
    ],
)
def test_what_cannot_be_is_refused_by_name(wanted, said):
    X, y = load_golf(return_X_y=True)
    model = CARTClassifier().fit(X, y)
    with pytest.raises(ValueError, match=said):
        model.regrow(X, y, **wanted)


@pytest.mark.parametrize("kind", [C45Classifier, CARTClassifier, CARTRegressor])
def test_a_test_that_divides_no_case_is_refused_in_words(kind):
    """Formerly a blank column was an IndexError, and a cut outside a warning of numpy."""
    X, y = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [np.nan] * 4}), [0, 1, 0, 1]
    model = kind().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for ask, words in ((("b", 0.5), "b <= 0.5"), (("a", 9), "a <= 9"), (("a", 0), "a <= 0")):
            with pytest.raises(ValueError, match=f"'{words} ?' does not divide the 4 cases"):
                model.regrow(X, y, ask=ask)
        with pytest.raises(ValueError, match="'b' does not divide the 4 cases"):
            model.regrow(X, y, ask="b")


@pytest.mark.parametrize("kind", [C45Classifier, CARTClassifier, CARTRegressor])
def test_a_forced_cut_obeys_the_least_number_of_cases_as_a_forced_column_does(kind):
    X, y = pd.DataFrame({"a": [1.0, 2, 3, 4]}), [0, 1, 1, 1]
    model = kind(min_samples_leaf=2).fit(X, y)
    if kind is C45Classifier:
        model.set_params(min_weight=0)
    assert model.regrow(X, y, ask=("a", 2)).tree_.root.split.cut == 2
    with pytest.raises(ValueError, match=r"leaves 1 of the 4 cases .* min_samples_leaf is 2: ask"):
        model.regrow(X, y, ask=("a", 1))
    words = pd.DataFrame({"w": list("ppqr")})
    model = CARTClassifier(min_samples_leaf=2).fit(words, y)
    with pytest.raises(ValueError, match="leaves 1 of the 4 cases"):
        model.regrow(words, y, ask=("w", [["p", "q"], ["r"]]))


def test_a_price_of_nothing_that_was_chosen_takes_tests_that_save_nothing():
    X, y = [[0], [0], [1], [1], [1]], [0, 0, 0, 0, 1]
    model = CARTClassifier(ccp_alpha="best", cv=2, criterion=misclassification).fit(X, y)
    assert (model.ccp_alpha_, model.get_n_leaves()) == (0, 1)
    assert_same(model.regrow(X, y).tree_, model.tree_)


def test_a_constraint_holds_for_a_whole_tree():
    X, y = np.arange(20.0)[:, None], np.arange(20) % 7 > 2
    model = CARTClassifier(monotonic_cst=[1]).fit(X, y)
    assert_same(model.regrow(X, y).tree_, model.tree_)
    with pytest.raises(ValueError, match="grow it anew from the root"):
        model.regrow(X, y, at=(0,))


@pytest.mark.parametrize("model", [C45Classifier, CARTClassifier, ID3Classifier])
def test_no_test_stands_where_the_depth_ends(model):
    """Formerly all below it grew without a limit."""
    X, y = load_golf(return_X_y=True)
    with pytest.raises(ValueError, match="max_depth is 0, so no test can stand here: ask above"):
        model(max_depth=0).regrow(X[["outlook", "windy"]], y, ask="windy")


def test_the_rules_of_a_tree_that_was_grown_anew_know_no_forbidden_column():
    """Formerly they were those of the tree before: of the column that no law allowed."""
    X, y = load_golf(return_X_y=True)
    model = C45Classifier(min_weight=1).fit(X, y)
    assert "humidity" in str(model.rule_set(X, y))
    new = model.regrow(X, y, at="outlook = sunny", forbid="humidity")
    assert "humidity" not in f"{new.unpruned_tree_} {new.rule_set(X, y)}"
    assert_same(new.unpruned_tree_.keep({()}), model.unpruned_tree_.keep({()}))
    assert_same(model.regrow(X, y).unpruned_tree_, model.unpruned_tree_)

"""The reason for a case is its own: equal to a walk by hand, on blanks and new words."""

import numpy as np
import pandas as pd
import pytest
from drawing import mixed

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.datasets import load_golf
from dtreebook.tree.text import How


def with_holes(X, seed):
    random, X = np.random.default_rng(seed), X.astype({"k": object, "m": object})
    for name in X:
        X.loc[random.random(len(X)) < 0.3, name] = np.nan
    for name in ["k", "m"]:
        X.loc[random.random(len(X)) < 0.2, name] = "new"
    return X


def branch(test, value, attribute):
    if pd.isna(value) or (attribute.kind != "numeric" and value not in attribute.levels):
        return None
    code = value if attribute.kind == "numeric" else attribute.levels.index(value)
    found = test.branch(np.array([code]))[0]
    return None if found < 0 else int(found)


def walk(tree, case):
    """Yield how the branch of a case is decided at each node, and the branch: the naive way."""
    node = tree.root
    while node.split is not None:
        asked = [(node.split, False), *((s.split, s.flipped) for s in node.surrogates)]
        for place, (test, flipped) in enumerate(asked):
            attribute = tree.attributes[test.column]
            found = branch(test, case[attribute.name], attribute)
            if found is not None:
                found = 1 - found if flipped else found
                how = How.SURROGATE if place else How.TEST
                break
        else:
            found = node.default
            how = How.DEFAULT if found >= 0 else How.PARTS if tree.fractional else How.STOP
        yield how, found
        if found < 0:
            return
        node = node.children[found]


MODELS = {
    "ID3": ID3Classifier(),
    "C4.5": C45Classifier(),
    "C4.5, groups": C45Classifier(group_values=True),
    "CART": CARTClassifier(max_depth=5),
    "CART, stop": CARTClassifier(max_depth=5, max_surrogates=0, missing="stop"),
    "CART, default": CARTClassifier(max_depth=5, max_surrogates=0),
    "regression": CARTRegressor(max_depth=5),
}


@pytest.mark.parametrize("name", MODELS)
def test_the_steps_are_those_of_a_walk_by_hand(name):
    model, (X, number) = MODELS[name], mixed(np.random.default_rng(3), 200)
    X = X[["k", "m"]] if name == "ID3" else X
    model.fit(X, number if name == "regression" else number > 0.8)
    holes = with_holes(X, 4)
    found, met = model.explanations(holes), set()
    for (_, case), why in zip(holes.iterrows(), found, strict=True):
        by_hand = list(walk(model.tree_, case))
        assert [(step.how, step.branch) for step in why.steps] == by_hand
        for step in why.steps:
            known = not pd.isna(case[step.column])
            assert step.value is case[step.column] or step.value == case[step.column] or not known
            undecided = step.how is not How.TEST
            assert step.is_unseen == (undecided and known)
            assert undecided == (" unknown" in str(step) or " never seen here" in str(step))
            met.add((step.how, step.is_unseen))
    assert [why.answer for why in found] == model.predict(holes).tolist()
    assert [why.node for why in found] == model.apply(holes).tolist()
    assert model.explain(holes) == list(map(str, found))
    assert len(met) >= 3  # the table has all that it is for


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

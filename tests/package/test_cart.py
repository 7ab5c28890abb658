"""What the CART estimators say of themselves: summary, importance, surrogates when wanted."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from dtreebook import CARTClassifier

X, y = load_iris(return_X_y=True, as_frame=True)


def test_the_summary_tells_competitors_and_surrogates_of_every_test():
    model = CARTClassifier(max_depth=2, max_surrogates=2).fit(X, y)
    text = model.summary(X, y, competitors=3)
    root = model.tree_.root
    assert text.count(" asked of ") == 2
    assert text.count("competitor") == 6
    assert text.count("surrogate") == len(root.surrogates) + len(root.children[1].surrogates) == 4
    first = root.surrogates[0]
    assert f"agrees in {first.agreement:.3f}, adjusted {first.adjusted:.3f}" in text
    gains = [float(line.split()[-1]) for line in text.splitlines() if "competitor" in line]
    assert gains[:3] == sorted(gains[:3], reverse=True)


def test_a_pruned_tree_tells_only_the_tests_it_has_kept():
    model = CARTClassifier(ccp_alpha=0.02).fit(X, y)
    assert model.summary(X, y).count(" asked of ") == model.tree_.node_count - model.get_n_leaves()


def test_surrogates_are_sought_where_a_value_is_unknown_or_they_are_asked_for():
    assert CARTClassifier().fit(X, y).tree_.arrays.surrogates is None or not any(
        CARTClassifier().fit(X, y).tree_.arrays.surrogates
    )
    hole = X.copy()
    hole.iloc[3, 2] = np.nan
    assert CARTClassifier().fit(hole, y).tree_.root.surrogates
    assert CARTClassifier(max_surrogates=1).fit(X, y).tree_.root.surrogates


def test_importance_with_surrogates_credits_stand_ins():
    model = CARTClassifier(max_depth=1, max_surrogates=5).fit(X, y)
    alone, together = model.importance(surrogates=False), model.importance()
    assert np.count_nonzero(alone) == 1
    assert np.count_nonzero(together) == 4
    assert together.max() == alone.max() == pytest.approx(50)
    assert model.feature_importances_.sum() == pytest.approx(1)

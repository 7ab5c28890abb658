"""Every way of pruning: called in one way, with one record, blind to the scale of the weights."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pruning import grown, shuffled
from strategies import problems
from tiers import draws

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, measures
from dtreebook.prune.cost_complexity import prune_at, pruning_path
from dtreebook.prune.crossvalidation import cp_table
from dtreebook.prune.early_stopping import best_first, chi_square, validation
from dtreebook.prune.error_based import collapse, error_based
from dtreebook.prune.pruning import Choice, PruningState
from dtreebook.prune.reduced_error import pessimistic, reduced_error, regularised

# What takes nothing but the tree, and what takes other cases or its own.
ALONE = {
    "prune_at": lambda tree: prune_at(tree, 0.05),
    "prune_at, gini": lambda tree: prune_at(tree, 0.02, measures.gini),
    "best_first": lambda tree: best_first(tree, 3),
    "pessimistic": pessimistic,
    "regularised": lambda tree: regularised(tree, 2.0),
    "chi_square": lambda tree: chi_square(tree, 0.3),
    "collapse": collapse,
}
OTHER_CASES = {"reduced_error": reduced_error, "validation": validation}


@pytest.mark.parametrize("name", [*ALONE, *OTHER_CASES, "error_based"])
@settings(max_examples=draws(20))
@given(problem=problems(max_rows=30), seed=st.integers(0, 9))
def test_every_way_returns_the_record_of_what_it_did(name, problem, seed):
    cases = problem.frame, problem.answer, problem.weight
    # Weights that add up to 1 are shares to C4.5's `fit`, and cases to `error_based`.
    assume(name != "error_based" or problem.weight is None or problem.weight.sum() != 1)
    tree = grown(problem) if name != "error_based" else unpruned(*cases)
    before = tree.to_json()
    if name in ALONE:
        pruning = ALONE[name](tree)
    elif name in OTHER_CASES:
        pruning = OTHER_CASES[name](tree, *shuffled(problem, seed), problem.weight)
    else:
        pruning = error_based(tree, *cases)

    assert pruning.full is tree
    assert tree.to_json() == before
    assert pruning.trees[0] == tree
    assert pruning.trees[-1] == pruning.tree
    made = pruning.comparisons
    inner = [path for path, node in tree.walk() if not node.is_leaf]
    assert {each.path for each in made} >= set(inner) or name == "error_based"
    changed = sum(each.choice != Choice.KEEP for each in made)
    assert (changed == 0) == (pruning.tree == tree)
    state, replayed = PruningState(tree), iter(made)
    for step in pruning.steps:
        standing = state.tree()
        for _, each in zip(step.node, replayed, strict=False):
            node = standing.node(each.path)
            assert node.split == each.split
            np.testing.assert_array_equal(node.counts, each.counts)
        state.apply(step)
    assert next(replayed, None) is None


def unpruned(X, y, weight):
    return C45Classifier(confidence=None).fit(X, y, weight).tree_


@given(problem=problems(), confidence=st.sampled_from([0.01, 0.25, 0.9]), raising=st.booleans())
def test_error_based_pruning_of_tables_gives_the_tree_of_c45(problem, confidence, raising):
    cases = problem.frame, problem.answer, problem.weight
    assume(problem.weight is None or problem.weight.sum() != 1)
    found = error_based(unpruned(*cases), *cases, confidence, raising)
    assert raising or {made.branch for made in found.comparisons} <= {np.inf}
    c45 = C45Classifier(confidence=confidence, subtree_raising=raising).fit(*cases)
    assert found.tree == c45.tree_
    assert found.full == c45.unpruned_tree_


@pytest.mark.parametrize("scale", [2.0**-660, 2.0**-40, 2.0**300])
@settings(max_examples=draws(20))
@given(problem=problems(max_rows=30), seed=st.integers(0, 9))
def test_what_compares_risks_does_not_see_the_scale_of_the_weights(scale, problem, seed):
    """Powers of two change no digit: 2^-660 is about 1e-199."""
    tree = grown(problem)
    scaled = replace(tree, arrays=replace(tree.arrays, counts=tree.arrays.counts * scale))
    X, y = shuffled(problem, seed)
    weight = np.full(len(y), scale)
    for impurity in (None, measures.gini, measures.entropy):
        plain, tiny = pruning_path(tree, impurity), pruning_path(scaled, impurity)
        np.testing.assert_array_equal(plain.alphas, tiny.alphas)
        np.testing.assert_array_equal(plain.n_leaves, tiny.n_leaves)
        np.testing.assert_array_equal(plain.risks, tiny.risks)
        for alpha in plain.alphas:
            both = (prune_at(of, alpha, impurity) for of in (tree, scaled))
            assert len(set(map(asked_in, both))) == 1
        assert asked_in(best_first(tree, 4, impurity)) == asked_in(best_first(scaled, 4, impurity))
    for prune in (reduced_error, validation):
        assert asked_in(prune(tree, X, y)) == asked_in(prune(tree, X, y, weight))


def asked_in(pruning):
    return frozenset(path for path, node in pruning.tree.walk() if not node.is_leaf)


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**400])
@pytest.mark.parametrize("estimator", [CARTClassifier(), CARTRegressor()])
def test_the_table_does_not_see_it_but_in_the_standard_error(scale, estimator):
    rng = np.random.default_rng(0)
    X, folds = rng.random((120, 3)), np.arange(120) % 5
    y = (X[:, 0] + rng.random(120) > 1).astype(int)
    plain = cp_table(estimator, X, y, folds, np.ones(120))
    scaled = cp_table(estimator, X, y, folds, np.full(120, scale))
    scaled["cv_std"] *= np.sqrt(scale)  # a weight counts cases
    pd.testing.assert_frame_equal(plain, scaled, rtol=1e-9)

"""CART beside scikit-learn: the same decrease of impurity at every node; frames as they come."""

import exact
import numpy as np
import pytest
from pruning import from_sklearn
from sklearn import datasets
from sklearn import tree as sk
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tiers import sample

from dtreebook import CARTClassifier, CARTRegressor, measures
from dtreebook.datasets import load_golf
from dtreebook.prune.cost_complexity import prune_at

NAMES = ["breast_cancer", "wine", "iris", "digits", "diabetes"]


def load(name):
    """Return X and y; scikit-learn reads numbers in single precision, so X has no others."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return X.astype(np.float32).astype(float), y


def pair(y, **options):
    """Return our estimator and scikit-learn's, with the same options."""
    if y.dtype.kind == "f":
        options.pop("criterion", None)
        return CARTRegressor(**options), sk.DecisionTreeRegressor(random_state=0, **options)
    return CARTClassifier(**options), sk.DecisionTreeClassifier(random_state=0, **options)


def compare(X, y, weight=None, **options):
    """Walk down both trees; return how many nodes were compared, and how many ties shown.

    At every node the decrease of impurity is the same to 1e-9. Where the cases are divided another
    way, both ways are shown to gain the same without rounding, and we go on with what we grow on
    the cases of scikit-learn's branches.
    """
    mine, theirs = pair(y, **options)
    found = theirs.fit(X, y, weight).tree_
    impure = found.weighted_n_node_samples * found.impurity
    weights = np.ones(len(y)) if weight is None else weight
    nodes, ties, grow = 0, 0, [(np.arange(len(y)), 0, 0)]
    while grow:
        rows, top, depth = grow.pop()
        model = clone(mine)
        if model.max_depth is not None:
            model.max_depth -= depth
        model.min_impurity_decrease *= weights.sum() / weights[rows].sum()
        tree = model.fit(X[rows], y[rows], weights[rows]).tree_
        stack = [(0, top, rows, depth)]
        while stack:
            i, j, rows, depth = stack.pop()
            nodes += 1
            split = tree.arrays.split[i]
            assert (split is None) == (found.children_left[j] < 0), (i, j)
            if split is None:
                continue
            below = [found.children_left[j], found.children_right[j]]
            # Theirs is a difference of what is in the node, and rounded as such.
            gain, rounding = impure[j] - impure[below].sum(), 1e-14 * impure[0]
            assert tree.arrays.improvement[i] == pytest.approx(gain, 1e-9, rounding), (i, j)
            ours = X[rows, split.column] > split.cut
            other = X[rows, found.feature[j]] > found.threshold[j]
            if (ours == other).all():
                first = tree.arrays.first_child[i]
                stack += [(first + b, below[b], rows[other == b], depth + 1) for b in (0, 1)]
                continue
            here, criterion = (y[rows], weights[rows]), options.get("criterion", "gini")
            criterion = "squared_error" if tree.is_regression else criterion
            gains = [exact.gain(side, *here, criterion) for side in (ours, other)]
            assert exact.equal(*gains), (i, j, *map(float, gains))
            ties += 1
            grow += [(rows[other == b], below[b], depth + 1) for b in (0, 1)]
    assert nodes == found.node_count
    return nodes, ties


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_every_node_gains_what_it_gains_in_scikit_learn(name, criterion):
    nodes, ties = compare(*load(name), criterion=criterion)
    assert ties < nodes / 5


@pytest.mark.parametrize("block", sample(range(4), quick=2))
def test_so_it_does_in_two_hundred_random_sets(block):
    """Classes and numbers, many equal values or none, with and without limits and weights."""
    nodes = 0
    for seed in range(50 * block, 50 * block + 50):
        rng = np.random.default_rng(seed)
        n, n_attributes, n_classes = rng.integers([2, 1, 0], [200, 8, 5])
        X = rng.normal(size=(n, n_attributes)).round(rng.integers(1, 9))
        X = X.astype(np.float32).astype(float)
        y = X[:, 0] + rng.normal(size=n)
        if n_classes:
            y = np.digitize(y, np.sort(rng.normal(size=n_classes)))
        limits = {
            "max_depth": int(rng.integers(1, 6)),
            "min_samples_leaf": int(rng.integers(1, 9)),
            "min_samples_split": int(rng.integers(2, 19)),
            "min_impurity_decrease": float(rng.random() / 20),
            "criterion": "entropy",
        }
        options = {name: value for name, value in limits.items() if rng.random() < 0.3}
        weight = rng.integers(1, 9, n) / 8 if rng.random() < 0.3 else None
        nodes += compare(X, y, weight, **options)[0]
    assert nodes > 1500


def between(alphas, most):
    """Return alphas between those of a path, at most so many, where more than rounding is."""
    low, high = alphas[:-1].clip(1e-9), alphas[1:]
    alphas = np.sqrt(low * high)[high > low * (1 + 1e-6)]
    return alphas[np.unique(np.linspace(0, len(alphas) - 1, most).astype(int))]


@pytest.mark.parametrize("name", ["breast_cancer", "wine", "iris", "diabetes"])
def test_the_pruned_trees_are_as_accurate(name):
    """Of digits a tie makes another tree, see below; these trees differ in tied tests alone."""
    X, y = load(name)
    for alpha in between(pair(y)[1].cost_complexity_pruning_path(X, y).ccp_alphas, 12):
        mine, theirs = (model.fit(X, y) for model in pair(y, ccp_alpha=alpha))
        assert mine.get_n_leaves() == theirs.get_n_leaves()
        assert mine.score(X, y) == pytest.approx(theirs.score(X, y), 1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_pruned_by_us_their_trees_answer_as_theirs_do(name):
    """So no tie has a say; the last third of the cases is kept out."""
    X, y = load(name)
    rows = np.random.default_rng(0).permutation(len(y))
    known, new = np.split(rows, [2 * len(y) // 3])
    _, model = pair(y)
    whole = from_sklearn(model.fit(X[known], y[known]))
    for alpha in between(model.cost_complexity_pruning_path(X[known], y[known]).ccp_alphas, 8):
        theirs = model.set_params(ccp_alpha=alpha).fit(X[known], y[known]).predict(X[new])
        pruned = prune_at(whole, alpha, measures.gini).tree
        label = pruned.arrays.label[pruned.arrays.route(tuple(X[new].T))]
        found = label if pruned.is_regression else model.classes_[label]
        np.testing.assert_allclose(found, theirs, rtol=1e-12)


# --- at home in scikit-learn ---------------------------------------------------------------------


def test_in_a_pipeline_that_hands_on_frames():
    X, y = datasets.load_iris(return_X_y=True, as_frame=True)
    scaled = make_pipeline(StandardScaler(), CARTClassifier()).set_output(transform="pandas")
    scaled.fit(X, y)
    assert scaled[-1].feature_names_in_.tolist() == list(X)
    assert "petal length (cm) <= " in scaled[-1].export_text()
    # A scale is monotone: the cases are divided as before.
    np.testing.assert_array_equal(scaled.predict(X), CARTClassifier().fit(X, y).predict(X))


def test_columns_with_levels_pass_through():
    X, y = load_golf(return_X_y=True)
    numbers = X.select_dtypes("number").columns
    columns = make_column_transformer(
        (StandardScaler(), numbers), remainder="passthrough", verbose_feature_names_out=False
    ).set_output(transform="pandas")
    model = make_pipeline(columns, CARTClassifier()).fit(X, y)
    assert model.score(X, y) == 1
    assert "outlook = overcast" in model[-1].export_text()

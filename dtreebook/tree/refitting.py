"""A tree whose shape stays while other cases say what its leaves answer.

A tree judges itself too kindly on the cases that chose its tests. Cases that had no part in them
give honest counts, answers and shares; numbers in a leaf give quantiles beside their mean.
"""

from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtreebook.data.cases import count, majority_class
from dtreebook.data.encoding import read_again
from dtreebook.data.reading import as_pandas, read_labels
from dtreebook.data.words import warn
from dtreebook.measures import EPS
from dtreebook.tree.predicting import passed
from dtreebook.tree.text import class_names
from dtreebook.tree.tree import Fitted, Tree, tree_of

TreeOrModel = TypeVar("TreeOrModel", bound=Tree | Fitted)


def refit_leaves(
    tree: TreeOrModel, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> TreeOrModel:
    """Return a tree with the same tests whose counts and answers are those of other cases.

    Of a fitted model it returns a copy that has this tree, so that it explains and predicts by it.
    X, y and the weights are those of other cases, as for ``fit``, of classes that the tree knows. A
    node that no case comes to answers as the node above it; a warning names such leaves. How sure
    a share is tells `dtreebook.prune.error_limits.wilson_interval`. Priors have no part in the new
    counts, and nothing makes them keep a ``monotonic_cst``. The loss of numbers is their squared
    error, whatever criterion grew the tree.

    Raises ValueError if X, y or the weights cannot be used, y has another class, or the tree weighs
    losses.

    Source: Athey and Imbens (2016), on honest trees.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> X = pd.DataFrame({"house": ["no", "no", "yes", "yes"]})
    >>> tree = ID3Classifier().fit(X, ["no", "no", "yes", "yes"]).tree_
    >>> print(refit_leaves(tree, X, ["no", "yes", "yes", "yes"]))
    house = no: no (2.0/1.0)
    house = yes: yes (2.0)
    """
    if not isinstance(tree, Tree):
        model = copy(tree)
        model.tree_ = refit_leaves(tree_of(tree), X, y, sample_weight)  # type: ignore[misc]
        return model
    if not tree.is_regression and tree.arrays.risk is not None:
        raise ValueError("the tree weighs errors by losses: fit it anew on the cases")
    cases = _read(tree, X, y, sample_weight)
    target = cases.target
    case, node, part = passed(tree, cases.columns)
    weight, n_nodes = part * cases.weights[case], tree.node_count
    if tree.is_regression:
        counts = np.bincount(node, weight, n_nodes)[:, None]
        sums = np.bincount(node, weight * target[case], n_nodes)
        label = sums / np.where(counts > 0, counts, 1)[:, 0]
        risk = np.bincount(node, weight * (target[case] - label[node]) ** 2, n_nodes)
    else:
        counts = count((node, target[case]), (n_nodes, len(class_names(tree))), weight)
        label, risk = majority_class(counts), None
    empty = np.flatnonzero(~counts.any(axis=1))
    for number in empty.tolist():  # level by level, so that the node above has its answer
        label[number] = label[tree.arrays.parent[number]]
    leaves = empty[tree.arrays.first_child[empty] == 0]
    if leaves.size:
        first = ", ".join(tree.conditions(tree.arrays.path(int(leaves[0]))))
        warn(
            f"no case comes to {len(leaves)} of the {tree.n_leaves} leaves, the first of them "
            f"{first!r}: each answers as the node above it"
        )
    arrays = replace(tree.arrays, counts=counts, label=label, risk=risk, improvement=None)
    return replace(tree, arrays=arrays)


def predict_quantile(
    tree: Tree | Fitted,
    X: Any,
    quantile: ArrayLike,
    training: tuple[Any, ArrayLike],
    sample_weight: ArrayLike | None = None,
) -> np.ndarray:
    """Return the quantiles of the training numbers where each case ends: [n], or [n, Q].

    The q-quantile is the least number that at least the share q of the weight does not exceed.

    Raises ValueError if the tree has classes, a q lies outside of [0, 1], or the cases cannot be
    used; TypeError if `training` is no pair.

    Source: Meinshausen (2006), section 3, with a single tree.

    Parameters
    ----------
    tree : a regression tree.
    X : table of n cases, see `dtreebook.data.encoding.encode`.
    quantile : q in [0, 1], or an array [Q] of them.
    training, sample_weight : the pair (X, y) of the cases whose numbers are asked for, those of
        `fit` or others, as the tree keeps only their mean; and their weights.

    Examples
    --------
    >>> from dtreebook import CARTRegressor
    >>> X, y = [[1], [1], [1], [2], [2]], [1.0, 2.0, 9.0, 20.0, 30.0]
    >>> tree = CARTRegressor().fit(X, y).tree_
    >>> predict_quantile(tree, [[1], [2]], [0.5, 1], (X, y))
    array([[ 2.,  9.],
           [20., 30.]])
    """
    tree = tree_of(tree)
    if not tree.is_regression:
        raise ValueError("a tree of classes has no quantiles: use predict_proba")
    if not isinstance(training, tuple | list) or len(training) != 2:
        raise TypeError("training must be the pair (X, y) of the cases that have the numbers")
    asked = np.asarray(quantile, dtype=float)
    if not ((asked >= 0) & (asked <= 1)).all():
        raise ValueError(
            f"a quantile must lie between 0 and 1, but there is {asked.min():g} to {asked.max():g}"
        )
    cases = _read(tree, *training, sample_weight)
    case, node, _ = passed(tree, cases.columns)
    ends, place = np.unique(tree.apply(X), return_inverse=True)
    found = []
    for end in ends.tolist():
        while not (here := case[node == end]).size:
            end = tree.arrays.parent[end]
        here = here[np.argsort(cases.target[here])]
        reached = np.cumsum(cases.weights[here])
        # Each weight that is added may take a rounding.
        least = asked * reached[-1] * (1 - EPS * (len(here) + 1))
        found.append(cases.target[here[np.searchsorted(reached, least)]])
    return np.array(found)[place]


def _read(tree, X, y, sample_weight):
    """Return cases for a tree that is there."""
    cases = read_again(as_pandas(X), y, sample_weight, tree.attributes, tree.classes)
    if not tree.is_regression and (cases.target < 0).any():
        labels = pd.Index(read_labels(as_pandas(y)))
        row = np.flatnonzero(~labels.isin(tree.classes))[0]
        raise ValueError(
            f"y has the class {labels[row]!r} in row {row}, which the tree does not know: leave "
            f"such rows out, or fit a tree of all classes; it knows {', '.join(class_names(tree))}"
        )
    return cases

"""Trees of numbers as trees of scikit-learn, for the tools that know no other."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import NODE_DTYPE
from sklearn.tree._tree import Tree as SklearnTree

from dtreebook.tree.splits import Threshold
from dtreebook.tree.tree import Tree


def as_sklearn(tree: Tree, impurity: np.ndarray) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """Return scikit-learn's estimator with the nodes of a tree, in the same order.

    Parameters
    ----------
    tree : `dtreebook.tree.tree.Tree` that asks only whether numbers are above cuts.
    impurity : array [N] of the nodes.

    Raises
    ------
    ValueError
        If it asks about anything else, or knows surrogates, which scikit-learn's trees cannot say.
    """
    _check(tree)
    arrays, n_attributes = tree.arrays, len(tree.attributes)
    inner = arrays.first_child > 0
    nodes = np.zeros(tree.node_count, dtype=NODE_DTYPE)
    nodes["left_child"] = np.where(inner, arrays.first_child, -1)
    nodes["right_child"] = np.where(inner, arrays.first_child + 1, -1)
    nodes["feature"] = [-2 if split is None else split.column for split in arrays.split]
    nodes["threshold"] = [
        split.cut if isinstance(split, Threshold) else -2 for split in arrays.split
    ]
    nodes["impurity"] = impurity
    weight = arrays.counts.sum(axis=1)
    nodes["weighted_n_node_samples"] = weight
    nodes["n_node_samples"] = np.rint(weight)
    nodes["missing_go_to_left"] = arrays.default == 0

    if tree.classes is None:
        estimator, values = DecisionTreeRegressor(), arrays.label[:, None]
    else:
        estimator, values = DecisionTreeClassifier(), arrays.distribution
        estimator.classes_, estimator.n_classes_ = tree.classes, len(tree.classes)
    n_classes = np.array([values.shape[1]], dtype=np.intp)
    estimator.tree_ = SklearnTree(n_attributes, n_classes, 1)
    values = np.ascontiguousarray(values[:, None, :], dtype=float)
    state = {"max_depth": tree.depth, "node_count": tree.node_count}
    estimator.tree_.__setstate__({**state, "nodes": nodes, "values": values})
    estimator.n_features_in_ = estimator.max_features_ = n_attributes
    estimator.n_outputs_ = 1
    return estimator


def _check(tree):
    for split in tree.arrays.split:
        if split is None:
            continue
        attribute = tree.attributes[split.column]
        if not isinstance(split, Threshold) or attribute.kind != "numeric":
            raise ValueError(
                "scikit-learn's trees know numbers only, but this one asks about "
                f"{attribute.name!r}, which is {attribute.kind}: see it with dtreebook.plot.tree"
            )
    if any(tree.arrays.surrogates):
        raise ValueError("scikit-learn's trees know no surrogates: grow it with max_surrogates=0")

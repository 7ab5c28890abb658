"""Trees of scikit-learn as trees of ours, and trees of numbers as scikit-learn's."""

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order
from sklearn.utils.validation import check_is_fitted

from dtreebook.data.cases import Attribute
from dtreebook.data.reading import MANTISSA
from dtreebook.tree.arrays import TreeArrays, TreeData
from dtreebook.tree.splits import Splits, Threshold

if TYPE_CHECKING:
    from sklearn.tree import BaseDecisionTree, DecisionTreeClassifier, DecisionTreeRegressor


def parts_from_sklearn(
    estimator: "BaseDecisionTree",
) -> tuple[TreeArrays, tuple[Attribute, ...], np.ndarray | None]:
    """Return arrays, attributes and classes: see `Tree.from_sklearn` for what is read."""
    check_is_fitted(estimator)
    grown = estimator.tree_
    if grown.n_outputs != 1:
        raise ValueError(
            f"this tree predicts {grown.n_outputs} things at once, and ours predict one: fit a "
            "tree for each column of y"
        )
    classes = getattr(estimator, "classes_", None)
    inner = grown.children_left >= 0
    children = np.stack([grown.children_left, grown.children_right], axis=1)[inner].ravel()
    links = np.ones(len(children)), children, np.append(0, 2 * inner.cumsum())
    graph = csr_array(links, shape=(len(inner), len(inner)))
    order = breadth_first_order(graph, 0, return_predecessors=False)  # level by level
    first_child = np.where(inner[order], 2 * inner[order].cumsum() - 1, 0)
    weight = grown.weighted_n_node_samples[order]
    value = grown.value[order, 0]
    if classes is None:
        counts, label = weight[:, None], value[:, 0]
    else:
        counts = value / value.sum(axis=1, keepdims=True) * weight[:, None]
        label = value.argmax(axis=1)
    impurity = grown.impurity[order] * weight
    inner = np.flatnonzero(first_child)
    improvement = np.zeros(len(order))
    below = first_child[inner]
    improvement[inner] = np.maximum(impurity[inner] - impurity[below] - impurity[below + 1], 0)
    default = np.full(len(order), -1)
    default[inner] = np.where(grown.missing_go_to_left[order][inner], 0, 1)
    cuts = _largest_that_rounds_up_to(grown.threshold[order])
    is_leaf = first_child == 0
    split = Splits(np.where(is_leaf, -1, grown.feature[order]), np.where(is_leaf, np.nan, cuts))
    names = getattr(estimator, "feature_names_in_", [f"x{i}" for i in range(grown.n_features)])
    arrays = TreeArrays(
        counts,
        label,
        split,
        first_child,
        impurity if classes is None else None,
        [()] * len(order),
        default,
        improvement,
    )
    return arrays, tuple(Attribute(str(name), "numeric") for name in names), classes


def _largest_that_rounds_up_to(threshold):
    """Return the largest number that, rounded to single precision, is not above each threshold.

    scikit-learn rounds what it asks about so; ours is compared as it is. An infinite threshold of
    scikit-learn parts all numbers from the unknown values.
    """
    threshold = np.minimum(threshold, np.finfo(np.float32).max)
    below = threshold.astype(np.float32)
    below = np.where(below > threshold, np.nextafter(below, np.float32(-np.inf)), below)
    with np.errstate(over="ignore"):
        above = np.nextafter(below, np.float32(np.inf))
    middle = (below.astype(float) + above.astype(float)) / 2
    middle = np.where(np.isfinite(middle), middle, threshold)
    rounds_down = middle.astype(np.float32) <= threshold
    return np.where(rounds_down, middle, np.nextafter(middle, -np.inf))


def as_sklearn(
    tree: TreeData, impurity: np.ndarray
) -> "DecisionTreeClassifier | DecisionTreeRegressor":
    """Return scikit-learn's estimator with the nodes of a tree, and their impurity [N]."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # slow to import
    from sklearn.tree._tree import NODE_DTYPE
    from sklearn.tree._tree import Tree as SklearnTree

    _check(tree)
    arrays, n_attributes = tree.arrays, len(tree.attributes)
    inner = arrays.first_child > 0
    nodes = np.zeros(tree.node_count, dtype=NODE_DTYPE)
    nodes["left_child"] = np.where(inner, arrays.first_child, -1)
    nodes["right_child"] = np.where(inner, arrays.first_child + 1, -1)
    nodes["feature"] = np.where(inner, arrays.split.column, -2)
    nodes["threshold"] = np.where(inner, arrays.split.cut, -2)
    nodes["impurity"] = impurity
    weight = arrays.counts.sum(axis=1)
    nodes["weighted_n_node_samples"] = weight
    nodes["n_node_samples"] = np.rint(np.minimum(weight, MANTISSA))
    nodes["missing_go_to_left"] = arrays.default == 0

    if tree.classes is None:
        estimator, values = DecisionTreeRegressor(), arrays.label[:, None]
    else:
        estimator, values = DecisionTreeClassifier(), arrays.distribution.copy()
        # Of classes that are tied but for rounding it is to take the label, as the tree does.
        np.put_along_axis(values, arrays.label[:, None], values.max(axis=1, keepdims=True), axis=1)
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
    for split in filter(None, tree.arrays.split):
        attribute = tree.attributes[split.column]
        if not isinstance(split, Threshold) or attribute.kind != "numeric":
            raise ValueError(
                "scikit-learn's trees know numbers only, but this one asks about "
                f"{attribute.name!r}, which is {attribute.kind}: see it with dtreebook.plot.tree"
            )
    if any(tree.arrays.surrogates):
        raise ValueError("scikit-learn's trees know no surrogates: grow it with max_surrogates=0")

"""Trees of scikit-learn as trees of ours, and trees of numbers as scikit-learn's."""

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order
from sklearn.utils.validation import check_is_fitted

from dtreebook.data.cases import Attribute, sorted_places
from dtreebook.data.reading import MANTISSA
from dtreebook.tree.arrays import TreeArrays, TreeData
from dtreebook.tree.splits import Splits, Threshold, by_branch

if TYPE_CHECKING:
    from sklearn.tree import BaseDecisionTree, DecisionTreeClassifier, DecisionTreeRegressor


def parts_from_sklearn(
    estimator: "BaseDecisionTree",
) -> tuple[TreeArrays, tuple[Attribute, ...], np.ndarray | None]:
    """Return arrays, attributes and classes: see `Tree.from_sklearn` for what is read."""
    check_is_fitted(estimator)
    if not hasattr(estimator, "tree_"):
        raise TypeError(
            f"{type(estimator).__name__} is no single tree: give a decision tree of scikit-learn, "
            "or one of a forest, as in `forest.estimators_[0]`"
        )
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
    impurity = np.maximum(grown.impurity[order], 0) * weight  # some are -1e-17
    inner = np.flatnonzero(first_child)
    improvement = np.zeros(len(order))
    below = first_child[inner]
    improvement[inner] = np.maximum(impurity[inner] - impurity[below] - impurity[below + 1], 0)
    default = np.full(len(order), -1)
    default[inner] = np.where(grown.missing_go_to_left[order][inner], 0, 1)
    cuts = _largest_that_rounds_up_to(grown.threshold[order])
    attributes = _attributes(estimator)
    groups = _groups(grown.__getstate__()["nodes"][order], attributes)
    is_leaf = first_child == 0
    cuts[is_leaf], cuts[list(groups)] = np.nan, np.nan
    split = Splits(np.where(is_leaf, -1, grown.feature[order]), cuts, groups)
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
    return arrays, attributes, classes


def _attributes(estimator):
    """Return what each column is: from scikit-learn 1.10 on, some may hold categories."""
    n_features = estimator.tree_.n_features
    names = getattr(estimator, "feature_names_in_", [f"x{i}" for i in range(n_features)])
    attributes = [Attribute(str(name), "numeric") for name in names]
    encoder = getattr(estimator, "_categorical_encoder", None)
    if encoder is not None:
        columns = np.flatnonzero(estimator.is_categorical_)
        for column, categories in zip(columns, encoder.categories_, strict=True):
            # NaN, the last of them if any value was unknown, has no code.
            levels = tuple(level for level in categories.tolist() if level == level)
            attributes[column] = Attribute(str(names[column]), "nominal", levels)
    return tuple(attributes)


def _groups(nodes, attributes):
    """Return the codes that go left and right at each node that asks which category a case has.

    In the record of such a node, bit c of `left_cat_bitset`, words of 32 bits, says whether the
    category with code c goes left.
    """
    groups = {}
    kinds = nodes["split_kind"] if "split_kind" in nodes.dtype.names else np.zeros(len(nodes))
    for i in np.flatnonzero(kinds > 0).tolist():
        attribute = attributes[nodes["feature"][i]]
        if not attribute.levels:
            raise ValueError(
                f"this tree asks about categories of {attribute.name!r} and does not hold their "
                "names: fit a single tree with categorical_features instead of a forest"
            )
        if kinds[i] > 1:
            raise ValueError(
                f"this tree sends the categories of {attribute.name!r} left and right by a random "
                "number, which no test here does: fit it with splitter='best'"
            )
        if None in attribute.levels:
            raise ValueError(
                f"None is a category of {attribute.name!r} to this tree, and unknown here: put a "
                "word in its place and fit the tree again"
            )
        codes = np.arange(len(attribute.levels))
        goes_right = ~nodes["left_cat_bitset"][i, codes // 32] >> codes % 32 & 1
        groups[i] = tuple(map(tuple, by_branch(codes.tolist(), goes_right.tolist(), 2)))
        if not all(groups[i]):
            raise ValueError(
                f"this tree asks only whether {attribute.name!r} is known, which no test here does:"
                " put a word in the place of its unknown values and fit the tree again"
            )
    return groups


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
        # Of classes that are tied but for rounding it is to take the label, as the tree does: it
        # takes the first of the largest shares, and its classes are sorted.
        places = sorted_places(tree.classes)
        label = places.argsort()[arrays.label][:, None]
        values = values[:, places]
        most = values.max(axis=1, keepdims=True)
        np.put_along_axis(values, label, most, axis=1)
        is_later = values.argmax(axis=1)[:, None] != label
        np.put_along_axis(values, label, np.where(is_later, np.nextafter(most, 2), most), axis=1)
        estimator.classes_, estimator.n_classes_ = tree.classes[places], len(tree.classes)
    n_classes = np.array([values.shape[1]], dtype=np.intp)
    shape: tuple = n_attributes, n_classes, 1
    if "split_kind" in NODE_DTYPE.names:  # scikit-learn 1.10: here, no column holds categories
        nodes["split_kind"] = np.where(inner, 0, -1)
        estimator.is_categorical_ = estimator._categorical_encoder = None
        shape += (np.full(n_attributes, -1),)
    estimator.tree_ = SklearnTree(*shape)
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

"""Trees to prune: grown on random cases, or by scikit-learn; and their errors, case by case."""

import numpy as np
from sklearn import datasets
from sklearn import tree as sk

from dtreebook import ID3Classifier
from dtreebook.data.cases import Attribute
from dtreebook.data.reading import encode
from dtreebook.tree.splits import Threshold
from dtreebook.tree.tree import Node, Tree


def data(name):
    """Return X and y of a data set of scikit-learn, or of noise around a cut."""
    rng = np.random.default_rng(0)
    if name == "noise":
        X = rng.random((300, 4)).round(2)
        return X, (X[:, 0] + 0.5 * rng.random(300) > 0.7).astype(int)
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def grown(problem, max_depth=None):
    model = ID3Classifier(max_depth=max_depth)
    return model.fit(problem.frame, problem.y, problem.weight).tree_


def shuffled(problem, seed):
    """Return the cases with other classes, as a validation set."""
    y = np.random.default_rng(seed).permutation(np.asarray(problem.y))
    return problem.frame, np.where(np.arange(len(y)) % 3 == 0, np.asarray(problem.y), y)


def weighted_errors(tree, X, y, weight):
    """Ask the tree, case by case."""
    said = tree.classes[tree.arrays.label[tree.arrays.route(encode(X, tree.attributes))]]
    return ((said != y) * (1 if weight is None else weight)).sum()


def from_sklearn(model):
    """Return a tree of scikit-learn as one of ours."""
    found = model.tree_
    regression = isinstance(model, sk.DecisionTreeRegressor)

    def node(i):
        weight, (value,) = found.weighted_n_node_samples[i], found.value[i]
        left, right = found.children_left[i], found.children_right[i]
        children = () if left < 0 else (node(left), node(right))
        split = Threshold(int(found.feature[i]), float(found.threshold[i])) if children else None
        if regression:
            risk = weight * found.impurity[i]
            return Node(np.array([weight]), float(value[0]), split, children, risk)
        return Node(weight * value, int(value.argmax()), split, children)

    attributes = tuple(Attribute(f"x{i}", "numeric") for i in range(model.n_features_in_))
    return Tree.from_root(node(0), attributes, None if regression else model.classes_)

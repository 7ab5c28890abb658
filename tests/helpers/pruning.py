"""Trees to prune: grown on random cases, or by scikit-learn; and their errors, case by case."""

import numpy as np
from sklearn import datasets

from dtreebook import ID3Classifier
from dtreebook.data.encoding import encode


def data(name):
    """Return X and y of a data set of scikit-learn, or of noise around a cut."""
    rng = np.random.default_rng(0)
    if name == "noise":
        X = rng.random((300, 4)).round(2)
        return X, (X[:, 0] + 0.5 * rng.random(300) > 0.7).astype(int)
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def grown(problem, max_depth=None):
    model = ID3Classifier(max_depth=max_depth)
    return model.fit(problem.frame, problem.answer, problem.weight).tree_


def shuffled(problem, seed):
    y = np.random.default_rng(seed).permutation(problem.answer)
    return problem.frame, np.where(np.arange(len(y)) % 3 == 0, problem.answer, y)


def weighted_errors(tree, X, y, weight):
    said = tree.classes[tree.arrays.label[tree.arrays.route(encode(X, tree.attributes))]]
    return ((said != y) * (1 if weight is None else weight)).sum()

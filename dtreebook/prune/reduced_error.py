"""Subtree replacement: a leaf in the place of a subtree wherever that seems to cost no more.

The methods differ in what they take for the cost of the two: errors on cases kept apart, training
errors and half a case more for each leaf, or bits and a price for each leaf.
"""

import numpy as np
from numpy.typing import ArrayLike

from dtreebook.data.encoding import read_again
from dtreebook.measures import entropy, total
from dtreebook.prune.pruning import Pruning, check_is_classification, subtree_costs
from dtreebook.tree.routing import upwards
from dtreebook.tree.tree import Fitted, Tree, tree_of


def reduced_error(
    tree: Tree | Fitted, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> Pruning:
    """Prune a tree by the errors it makes on a validation set.

    X, y and the weights are cases that the tree was not grown on. From the bottom up, a subtree
    becomes a leaf if the leaf makes no more errors there. Of all subtrees with the same root the
    pruned one makes the fewest errors on the validation set, and of those it is the smallest. A
    class that the tree does not know is an error everywhere. Errors of numbers are squared,
    whatever criterion grew the tree.

    Source: Quinlan (1987), on reduced error pruning.

    Examples
    --------
    Of 150 irises the tree was grown on 100; with the other 50, one test does not help:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import train_test_split
    >>> from dtreebook import C45Classifier
    >>> parts = train_test_split(*load_iris(return_X_y=True), test_size=50, random_state=0)
    >>> grown, apart, y, z = parts
    >>> tree = C45Classifier(confidence=None).fit(grown, y).tree_
    >>> [each.n_leaves for each in reduced_error(tree, apart, z).trees]
    [4, 3]
    """
    tree = tree_of(tree)
    leaf, ends = errors_on(tree, X, y, sample_weight)
    return Pruning.by_cost(tree, leaf, subtree_costs(tree, leaf, ends))


def pessimistic(tree: Tree | Fitted, standard_errors: float = 1.0) -> Pruning:
    """Prune a tree by its training errors and half a case more for each leaf.

    A subtree with ``L`` leaves, ``E`` errors and ``N`` cases is expected to make ``e = E + L / 2``
    errors, with a standard error of ``sqrt(e (N - e) / N)``. It becomes a leaf if that, with its
    own half case, makes no more than ``e`` and one standard error, or as many as are given. No
    validation set is needed, and every subtree is judged as it was grown.

    Source: Quinlan (1987), on pessimistic pruning.

    Examples
    --------
    The tree of tennis makes no error in 14 cases; 2.5 are expected, and a standard error of 1.43. A
    single leaf makes 5, and 5.5 are expected:

    >>> from dtreebook import ID3Classifier, datasets
    >>> tree = ID3Classifier().fit(*datasets.load_tennis(return_X_y=True)).tree_
    >>> for made in pessimistic(tree).comparisons:
    ...     print(made.path, f"{made.leaf:.2f} {made.subtree:.2f}", made.choice)
    (2,) 2.50 1.89 keep it
    (0,) 2.50 1.89 keep it
    () 5.50 3.93 keep it
    """
    tree = tree_of(tree)
    check_is_classification(tree)
    links, n = tree.arrays.links, total(tree.arrays.counts)
    errors, leaves = tree.risk.copy(), np.ones(tree.node_count)
    for node in reversed(links.levels()):
        errors[node] = links.children_sum(errors, node)
        leaves[node] = links.children_sum(leaves, node)
    expected = errors + leaves / 2
    variance = expected * np.maximum(n - expected, 0) / np.where(n > 0, n, 1)
    limit = expected + standard_errors * np.sqrt(variance)
    return Pruning.by_cost(tree, tree.risk + 0.5, limit)


def regularised(tree: Tree | Fitted, bits_per_leaf: float) -> Pruning:
    """Prune a tree by the regularised loss of Li Hang.

    ``C_alpha(T) = sum_t N_t H_t + alpha |T|`` over the leaves, with the entropy in bits; his alpha
    is `bits_per_leaf`, 0 or more. From the bottom up, a subtree becomes a leaf if the loss of the
    tree does not grow. The result is that of `dtreebook.prune.cost_complexity.prune_at` with the
    entropy for its impurity and an alpha of ``bits_per_leaf / N``: there alpha is a share of the
    weight N of all cases.

    Source: Li Hang (2019), section 5.4, equations 5.11 to 5.14 and algorithm 5.4.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> tree = ID3Classifier().fit(*datasets.load_loan(return_X_y=True)).tree_
    >>> for made in regularised(tree, bits_per_leaf=8).comparisons:
    ...     print(made.path, f"{made.leaf:.2f} {made.subtree:.2f}", made.choice)
    (0,) 16.26 16.00 keep it
    () 22.56 24.00 replace it by a leaf
    """
    tree = tree_of(tree)
    check_is_classification(tree)
    if not bits_per_leaf >= 0:
        raise ValueError(f"bits_per_leaf must not be negative, but it is {bits_per_leaf}")
    leaf = total(tree.arrays.counts) * entropy(tree.arrays.counts) + bits_per_leaf
    return Pruning.by_cost(tree, leaf, subtree_costs(tree, leaf))


def errors_on(
    tree: Tree, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the errors that each node makes on some cases as a leaf, and as it is: arrays [N].

    The first are those of all cases that come to a node; the second of those that end there, in an
    inner node because the value that it asks about is unknown. A regression tree has squared ones.
    """
    cases = read_again(X, y, sample_weight, tree.attributes, tree.classes)
    errors = []
    for case, node in upwards(tree.arrays.parent, tree.arrays.route(cases.columns)):
        target, label = cases.target[case], tree.arrays.label[node]
        cost = (target - label) ** 2 if tree.is_regression else target != label
        errors.append(np.bincount(node, cases.weights[case] * cost, tree.node_count))
    return np.sum(errors, axis=0), errors[0]

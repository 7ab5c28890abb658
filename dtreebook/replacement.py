"""Subtree replacement: a leaf in the place of a subtree wherever that seems to cost no more.

The methods differ in what they take for the cost of the two: errors on cases kept apart, training
errors and half a case more for each leaf, or entropy and alpha for each leaf. Each returns a
`dtreebook.draft.Pruning`: the pruned tree, the comparisons, the trees on the way.
"""

import numpy as np
import pandas as pd

from dtreebook.data import as_frame, encode, read_labels, read_numbers, read_weight
from dtreebook.draft import Draft, Pruning, of_classes
from dtreebook.measures import entropy, total


def reduced_error(tree, X, y, sample_weight=None):
    """Return the `Pruning` by the errors on a validation set.

    From the bottom up, a subtree becomes a leaf if the leaf makes no more errors there. Of all
    subtrees with the same root the pruned one makes the fewest errors on the validation set, and of
    those it is the smallest.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    X, y, sample_weight : cases that the tree was not grown on, as for ``fit``. A class that the
        tree does not know is an error everywhere.

    Raises
    ------
    ValueError
        If X, y or the weights cannot be used, as in ``fit``.

    References
    ----------
    Quinlan (1987), on reduced error pruning.

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
    leaf, ends = errors_on(tree, X, y, sample_weight)
    return Pruning(tree, leaf, _from_below(tree, leaf, ends))


def pessimistic(tree, standard_errors=1.0):
    """Return the `Pruning` by the training errors and half a case more for each leaf.

    A subtree with ``L`` leaves, ``E`` errors and ``N`` cases is expected to make ``e = E + L / 2``
    errors, with a standard error of ``sqrt(e (N - e) / N)``. It becomes a leaf if that, with its
    own half case, makes no more than ``e`` and one standard error. No cases need be kept apart, and
    every subtree is judged as it was grown.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree` with classes.
    standard_errors : how many of them a subtree must be better.

    References
    ----------
    Quinlan (1987), on pessimistic pruning.

    Examples
    --------
    The tree of tennis makes no error in 14 cases; 2.5 are expected, and a standard error of 1.43. A
    single leaf makes 5, and 5.5 are expected:

    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_tennis
    >>> tree = ID3Classifier().fit(*load_tennis(return_X_y=True)).tree_
    >>> for made in pessimistic(tree).comparisons:
    ...     print(made.path, f"{made.leaf:.2f} {made.subtree:.2f}", made.choice)
    (2,) 2.50 1.89 keep it
    (0,) 2.50 1.89 keep it
    () 5.50 3.93 keep it
    """
    of_classes(tree)
    draft, n = Draft(tree), total(tree.flat.counts)
    errors, leaves = tree.risk.copy(), np.ones(tree.node_count)
    for node in reversed(draft.levels()):
        child, begin = draft.children(node)
        errors[node] = np.add.reduceat(errors[child], begin)
        leaves[node] = np.add.reduceat(leaves[child], begin)
    expected = errors + leaves / 2
    variance = expected * np.maximum(n - expected, 0) / np.where(n > 0, n, 1)
    return Pruning(tree, tree.risk + 0.5, expected + standard_errors * np.sqrt(variance))


def regularised(tree, alpha):
    """Return the `Pruning` by the regularised loss of Li Hang.

    ``C_alpha(T) = sum_t N_t H_t + alpha |T|`` over the leaves, with the entropy in bits. From the
    bottom up, a subtree becomes a leaf if the loss of the tree does not grow. The result is that of
    `dtreebook.complexity.prune_at` with the entropy for its measure and ``alpha / N``, which finds
    all alphas at which the tree changes.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree` with classes.
    alpha : what a leaf costs, in bits; 0 or more.

    Raises
    ------
    ValueError
        If alpha is negative, or the tree predicts numbers.

    References
    ----------
    Li Hang (2019), section 5.4, equations 5.11 to 5.14 and algorithm 5.4.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> tree = ID3Classifier().fit(*load_loan(return_X_y=True)).tree_
    >>> for made in regularised(tree, alpha=8).comparisons:
    ...     print(made.path, f"{made.leaf:.2f} {made.subtree:.2f}", made.choice)
    (0,) 16.26 16.00 keep it
    () 22.56 24.00 replace it by a leaf
    """
    of_classes(tree)
    if not alpha >= 0:
        raise ValueError(f"alpha must not be negative, but it is {alpha}")
    leaf = total(tree.flat.counts) * entropy(tree.flat.counts) + alpha
    return Pruning(tree, leaf, _from_below(tree, leaf))


def errors_on(tree, X, y, sample_weight=None):
    """Return the errors on some cases that each node would make as a leaf, and makes as it is.

    Parameters
    ----------
    tree, X, y, sample_weight : as in `reduced_error`.

    Returns
    -------
    two arrays [N]: the errors of all cases that come to a node, and of those that end there, in an
    inner node because the value that it asks for is unknown. In a regression tree, squared errors.
    """
    frame = as_frame(X)
    if tree.is_regression:
        target = read_numbers(y)
    else:
        target = pd.Index(tree.classes).get_indexer(np.asarray(read_labels(y)))
    used, weight = read_weight(frame, target, sample_weight)
    node, target = tree.route(encode(frame, tree.attributes))[used], target[used]
    weight = np.ones(len(node)) if weight is None else weight
    errors = []
    while node.size:
        said = tree.flat.label[node]
        cost = (target - said) ** 2 if tree.is_regression else target != said
        errors.append(np.bincount(node, weight * cost, tree.node_count))
        below = node > 0
        node, target, weight = tree.parent[node[below]], target[below], weight[below]
    return sum(errors), errors[0]


def _from_below(tree, leaf, ends=None):
    """Return what each subtree costs once the subtrees below it are pruned: array [N].

    Without `ends`, no case ends above the leaves.
    """
    draft, subtree, least = Draft(tree), leaf.copy(), leaf.copy()
    for node in reversed(draft.levels()):
        child, begin = draft.children(node)
        subtree[node] = np.add.reduceat(least[child], begin)
        if ends is not None:
            subtree[node] += ends[node]
        least[node] = np.minimum(leaf[node], subtree[node])
    return subtree

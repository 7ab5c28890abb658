"""Minimal cost-complexity pruning: the weakest links first, and cross-validation to choose.

A tree costs its risk, and alpha for every leaf. As alpha grows from 0, the tree that costs least is
cut back to its root step by step, each time at the inner nodes that save the least risk a leaf: the
weakest links. Breiman and rpart take the errors of the leaves for the risk, scikit-learn their
impurity; the alphas of the two are not in the same unit.
"""

from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.model_selection import PredefinedSplit, check_cv

from dtreebook.data import as_frame
from dtreebook.draft import TIE, Draft
from dtreebook.measures import total


class Path(NamedTuple):
    """The trees that cost least, from the largest to the root alone: arrays [m].

    Attributes
    ----------
    alphas : where each becomes the smallest that costs least; the first is 0, they increase.
    n_leaves : how many leaves it has.
    risks : its risk.

    Alphas and risks are shares of the weight of all cases.
    """

    alphas: np.ndarray
    n_leaves: np.ndarray
    risks: np.ndarray


def node_risks(tree, measure=None):
    """Return what each node costs as a leaf, level by level: array [N].

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    measure : the impurity whose weight is the risk, such as `dtreebook.measures.gini`, as
        scikit-learn prunes; None for the tree's own risk: errors, their loss, or squared error. A
        regression tree has no other.

    Examples
    --------
    The root of the loan tree refuses six of fifteen loans; its Gini impurity is 0.48:

    >>> from dtreebook import ID3Classifier, measures
    >>> from dtreebook.datasets import load_loan
    >>> tree = ID3Classifier().fit(*load_loan(return_X_y=True)).tree_
    >>> node_risks(tree)[0], node_risks(tree, measures.gini)[0].round(2)
    (np.float64(6.0), np.float64(7.2))
    """
    if measure is None or tree.is_regression:
        return tree.risk
    return total(tree.flat.counts) * measure(tree.flat.counts)


def weakest_links(tree, risks):
    """Return the alpha at which each node becomes a leaf: array [N].

    The link strength of a node ``t`` with the subtree ``T_t`` below it is what the subtree saves
    for each leaf that it has more,

        g(t) = (R(t) - R(T_t)) / (|T_t| - 1),

    and the weakest link becomes a leaf first; then the strengths above it change. Seen from below:
    a node holds on by its own branches alone, unless a link below is stronger than that; it then
    takes the link with it when it falls, and both share what they save.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    risks : array [N], what each node costs as a leaf (`node_risks`).

    Returns
    -------
    array [N] in the unit of the risks: 0 in leaves, nowhere more than in the parent, equal where it
    differs by rounding only. Infinite where a test has one branch, so that no leaf is saved.

    References
    ----------
    Breiman et al. (1984), section 3.3, where the weakest link is sought again after every cut.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> weakest_links(tree, node_risks(tree))
    array([50.,  0., 44.,  2.,  0.,  0.,  1.,  0.,  0.])
    """
    draft = Draft(tree)
    inner = np.flatnonzero(draft.first_child)
    alpha = np.zeros(tree.node_count)
    child, begin = draft.children(inner)
    saving = risks[inner] - np.add.reduceat(risks[child], begin) if inner.size else inner
    saving = np.where(np.abs(saving) <= TIE * risks[inner], 0.0, saving)

    # Below each node a heap of its links, the strongest on top: (-strength, saving, leaves).
    heaps = {}
    rows = zip(
        inner.tolist(),
        saving.tolist(),
        draft.first_child[inner].tolist(),
        draft.n_branches[inner].tolist(),
        strict=True,
    )
    for node, saved, first, n_branches in reversed(list(rows)):
        below = [heaps.pop(c) for c in range(first, first + n_branches) if c in heaps]
        heap = max(below, key=len, default=[])
        for other in below:
            if other is not heap:
                for link in other:
                    heappush(heap, link)
        leaves = n_branches - 1
        strength = _strength(saved, leaves)
        while heap and -heap[0][0] > strength:
            _, more, further = heappop(heap)
            saved, leaves = saved + more, leaves + further
            strength = _strength(saved, leaves)
        heappush(heap, (-strength, saved, leaves))
        heaps[node] = heap
        alpha[node] = strength

    alpha = _without_rounding(np.maximum(alpha, 0))
    for node in draft.levels()[1:]:
        alpha[node] = np.minimum(alpha[node], alpha[draft.parent[node]])
    return alpha


def _strength(saving, leaves):
    return saving / leaves if leaves else inf if saving > 0 else 0.0


def _without_rounding(alpha):
    """Return equal numbers where they differ by rounding only: the largest of them."""
    distinct, place = np.unique(alpha, return_inverse=True)
    is_last = np.append(distinct[1:] > distinct[:-1] * (1 + TIE), True)
    group = np.cumsum(is_last) - is_last
    return distinct[is_last][group][place]


def pruning_path(tree, measure=None):
    """Return the `Path` of the trees that cost least for some alpha.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    measure : as in `node_risks`.

    References
    ----------
    Breiman et al. (1984), section 3.3, theorem 3.10.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> path = pruning_path(tree)
    >>> (path.alphas * 150).round(9), path.n_leaves
    (array([ 0.,  1.,  2., 44., 50.]), array([5, 4, 3, 2, 1]))
    >>> (path.risks * 150).round(9)
    array([  3.,   4.,   6.,  50., 100.])
    """
    risks = node_risks(tree, measure)
    alpha = weakest_links(tree, risks)
    alphas = _alphas(alpha)
    # A node is a leaf of the trees from its own alpha on, up to that of its parent.
    begin = np.searchsorted(alphas, alpha)
    end = np.append(len(alphas), begin[tree.parent[1:]])

    def along(amounts):
        change = np.bincount(begin, amounts, len(alphas) + 1)
        return np.cumsum(change - np.bincount(end, amounts, len(alphas) + 1))[:-1]

    weight = tree.flat.counts[0].sum()
    n_leaves = along(np.ones(len(alpha))).astype(int)
    return Path(alphas / weight, n_leaves, along(risks) / weight)


def _alphas(alpha):
    """Return the alphas at which a tree changes, from 0 on."""
    return np.unique(np.append(0.0, alpha[alpha < inf]))


def prune_at(tree, alpha, measure=None):
    """Return the smallest of the subtrees that cost least: ``R(T) + alpha |T|``.

    With alpha 0 only what saves no risk at all is cut.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    alpha : what a leaf costs, as a share of the weight of all cases (`Path`).
    measure : as in `node_risks`.

    Raises
    ------
    ValueError
        If alpha is negative or NaN.

    References
    ----------
    Breiman et al. (1984), definition 3.6.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> tree = C45Classifier(confidence=None).fit(*load_iris(return_X_y=True)).tree_
    >>> print(prune_at(tree, alpha=0.02))
    x3 <= 0.6 : 0 (50.0)
    x3 > 0.6 :
    |   x3 <= 1.7 : 1 (54.0/5.0)
    |   x3 > 1.7 : 2 (46.0/1.0)
    """
    if not alpha >= 0:
        raise ValueError(f"alpha must not be negative, but it is {alpha}")
    links = weakest_links(tree, node_risks(tree, measure))
    draft = Draft(tree)
    draft.cut(links / tree.flat.counts[0].sum() <= alpha * (1 + TIE))
    return draft.tree()


def cp_table(estimator, X, y, folds=10, sample_weight=None, measure=None, cp=0.0):
    """Return what cross-validation says of each tree of the path: the table that rpart prints.

    The tree grown on all cases gives the path. Each tree of it is best for a range of alphas, and
    stands for their geometric mean; that alpha prunes the trees grown without one of the folds,
    which answer the cases of that fold.

    Parameters
    ----------
    estimator : one of our classifiers or regressors, not yet fitted, that leaves its tree unpruned.
    X, y, sample_weight : as in its ``fit``.
    folds : array [n] of the fold of each case; or a number of folds, or a splitter of scikit-learn,
        by which they are drawn.
    measure : as in `node_risks`; it decides which subtrees are on the path. Errors are counted, and
        losses and squared errors added up, for any measure.
    cp : trees that a smaller cp would need are left out, 0.01 in rpart.

    Returns
    -------
    DataFrame with a row for each tree, the root alone first:

    - cp, from which on the tree is the best: alpha as a share of the root's risk;
    - n_splits, the number of its tests;
    - relative_error, its risk on the training cases as a share of the root's;
    - cv_error, the same for the cases that were left out of growing, and cv_std, by how much that
      sum would scatter: ``sqrt(sum w e^2 - (sum w e)^2 / n)`` over the costs e of the cases.

    A case stays where a value that is asked for is unknown, unless the tree knows better.

    Raises
    ------
    ValueError
        If all cases have the same answer, or cp is negative.

    References
    ----------
    Breiman et al. (1984), sections 3.4.2 (the geometric means), 3.4.3 and 8.5.2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> unpruned = C45Classifier(confidence=None)
    >>> cp_table(unpruned, *load_iris(return_X_y=True), np.arange(150) % 10).round(3)
         cp  n_splits  relative_error  cv_error  cv_std
    0  0.50         0            1.00      1.00   0.058
    1  0.44         1            0.50      0.52   0.058
    2  0.02         2            0.06      0.12   0.033
    3  0.01         3            0.04      0.12   0.033
    4  0.00         4            0.03      0.09   0.029
    """
    if not cp >= 0:
        raise ValueError(f"cp must not be negative, but it is {cp}")
    X = as_frame(X)
    whole = clone(estimator).fit(X, y, sample_weight)
    tree = whole.tree_
    risks, mass = node_risks(tree, measure), tree.flat.counts[0].sum()
    if not risks[0] > 0:
        raise ValueError("all cases have the same answer: there is nothing to prune")
    links = weakest_links(tree, risks)
    alphas = _alphas(links)[::-1]
    least = cp * risks[0]
    alphas = np.append(alphas[alphas > least * (1 + TIE)], least)
    between = np.append(inf, np.sqrt(alphas[1:] * alphas[:-1]))

    judge = _Judge(whole, y, sample_weight, measure)
    if np.ndim(folds):
        folds = PredefinedSplit(folds)
    folds = check_cv(folds, judge.y, classifier=not tree.is_regression)
    costs = np.zeros((len(alphas), len(X)))
    for kept, left_out in folds.split(X, judge.y):
        costs[:, left_out] = judge.costs(X, kept, left_out, between / mass)
    weight = judge.weight
    cost = costs @ weight
    spread = np.maximum(costs**2 @ weight - cost**2 / weight.sum(), 0)
    pruned = [prune_at(tree, alpha / mass, measure) for alpha in alphas]
    return pd.DataFrame(
        {
            "cp": alphas / risks[0],
            "n_splits": [np.count_nonzero(links > alpha) for alpha in alphas],
            "relative_error": [_leaf_risk(found) / tree.risk[0] for found in pruned],
            "cv_error": cost / tree.risk[0],
            "cv_std": np.sqrt(spread) / tree.risk[0],
        }
    )


def one_standard_error(table):
    """Return the row of the smallest tree that is as good as the best, as far as one can tell.

    Its cross-validated error is at most that of the best tree and its standard error.

    Parameters
    ----------
    table : DataFrame of `cp_table`.

    References
    ----------
    Breiman et al. (1984), section 3.4.3.

    Examples
    --------
    >>> table = pd.DataFrame({"cv_error": [1.0, 0.58, 0.55, 0.6], "cv_std": 4 * [0.05]})
    >>> one_standard_error(table)
    1
    """
    best = table.loc[table["cv_error"].idxmin()]
    return int((table["cv_error"] <= best["cv_error"] + best["cv_std"]).idxmax())


def _leaf_risk(tree):
    return tree.risk[tree.flat.first_child == 0].sum()


class _Judge:
    """Let trees that were grown without some cases answer those.

    Attributes
    ----------
    y : the answers; the trees of all folds know all classes, in one order.
    weight : array [n].
    """

    def __init__(self, whole, y, sample_weight, measure):
        self.whole, self.measure = whole, measure
        self.is_weighted = sample_weight is not None
        self.weight = np.asarray(sample_weight if self.is_weighted else np.ones(len(y)), float)
        if whole.tree_.is_regression:
            self.y = np.asarray(y, dtype=float)
            return
        classes = pd.Index(whole.classes_)
        self.target = classes.get_indexer(np.asarray(y))
        self.y = pd.Categorical.from_codes(self.target, classes)
        loss = getattr(whole, "loss", None)
        self.loss = 1 - np.eye(len(classes)) if loss is None else np.asarray(loss, dtype=float)
        # Priors weigh the cases of a class; without a fold their shares are not counted anew.
        self.class_weight = whole.tree_.flat.counts[0] / self.sizes(np.arange(len(y)))

    def sizes(self, rows):
        """Return the weight of each class."""
        rows = rows[self.target[rows] >= 0]  # a class whose cases all weigh 0 is none
        return np.bincount(self.target[rows], self.weight[rows], len(self.whole.classes_))

    def costs(self, X, kept, left_out, alphas):
        """Return what the cases left out cost the trees pruned at each alpha, largest first."""
        kept = kept[self.weight[kept] > 0]
        y, fold, scale = self.y[kept], clone(self.whole), 1.0
        if not self.whole.tree_.is_regression:
            y, scale = y.remove_unused_categories(), self.adapt(fold, kept)
        fold.fit(X.iloc[kept], y, self.weight[kept] if self.is_weighted else None)
        tree = fold.tree_
        links = weakest_links(tree, node_risks(tree, self.measure)) / tree.flat.counts[0].sum()
        node, labels = fold.apply(X.iloc[left_out]), []
        for alpha in reversed(alphas / scale * (1 + TIE)):
            # What is pruned at a larger alpha is pruned further up.
            while (up := (node > 0) & (links[tree.parent[node]] <= alpha)).any():
                node = np.where(up, tree.parent[node], node)
            labels.append(tree.flat.label[node])
        labels = np.array(labels[::-1])
        if tree.is_regression:
            return (self.y[left_out] - labels) ** 2
        code = pd.Index(self.whole.classes_).get_indexer(fold.classes_)
        return self.cost(self.target[left_out], code[labels])

    def cost(self, target, label):
        """Return what it costs to take cases of some classes for others."""
        return self.class_weight[target] * self.loss[target, label]

    def adapt(self, fold, kept):
        """Give an estimator the loss and the priors of the classes that it sees.

        Returns
        -------
        what its weights must be multiplied by to be those of the whole tree.
        """
        sizes = self.sizes(kept)
        seen = np.flatnonzero(sizes)
        if getattr(fold, "loss", None) is not None:
            fold.set_params(loss=self.loss[np.ix_(seen, seen)])
        if getattr(fold, "priors", None) is None:
            return 1.0
        share = (sizes * self.class_weight)[seen] / sizes.sum()
        fold.set_params(priors=share / share.sum())
        return share.sum()

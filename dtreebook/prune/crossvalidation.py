"""Cross-validation: which tree of a pruning path to take, and how sure a difference is."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import inf
from numbers import Integral
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import t
from sklearn.base import clone
from sklearn.model_selection import BaseCrossValidator, PredefinedSplit, check_cv

from dtreebook.data.cases import Cases
from dtreebook.data.encoding import read_target
from dtreebook.data.reading import as_pandas, read_weights
from dtreebook.measures import TIE, Impurity
from dtreebook.prune.cost_complexity import leaf_prices, node_risks, sums_over_leaves, weakest_links
from dtreebook.tree.routing import upwards
from dtreebook.tree.tree import Tree, tree_of

# A number of folds, a splitter, the splits that one has drawn, or the fold of each case.
CV: TypeAlias = int | BaseCrossValidator | Sequence[tuple] | ArrayLike


def cp_table(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    cv: CV = 10,
    sample_weight: ArrayLike | None = None,
    impurity: Impurity | None = None,
    cp: float = 0.0,
) -> pd.DataFrame:
    """Return what cross-validation says of each tree of the path: the table that rpart prints.

    The tree grown on all cases gives the path. Each tree of it costs least for a range of alphas,
    and stands for their geometric mean; that alpha prunes the trees grown without one of the folds,
    which answer the cases of that fold.

    Cases of a fold that lie on a cut go with the smaller ones; rpart sends them with the larger
    ones, so that its last two columns can differ.

    Source: Breiman et al. (1984), sections 3.4.2 (the geometric means), 3.4.3 and 8.5.2.

    Parameters
    ----------
    estimator : one of our classifiers or regressors, not yet fitted, that leaves its tree unpruned.
    X, y, sample_weight : as in its ``fit``.
    cv : a number of folds; a splitter of scikit-learn that leaves every case out once, or the list
        of its splits; or array [n] of the fold of each case. A number is drawn as scikit-learn
        draws it, without shuffling: where the rows of a regression are sorted, give
        ``KFold(10, shuffle=True)``.
    impurity : as in `dtreebook.prune.cost_complexity.node_risks`; it decides which trees are on the
        path. The errors count wrong answers, their losses, or the loss of numbers all the same.
    cp : trees that only a smaller cp would leave standing are left out; rpart's is 0.01.

    Returns
    -------
    DataFrame with a row for each tree, the root alone first:
        - cp, from which on the tree costs least: alpha as a share of the root's risk; rpart's CP;
        - n_splits, the number of its tests; rpart's nsplit; n_leaves, that of its leaves;
        - relative_error, its risk on the training cases as a share of the root's; rel error;
        - cv_error, the same on the cases that were left out of growing; rpart's xerror;
        - cv_std, by how much that sum would scatter from sample to sample; rpart's xstd:
          ``sqrt(sum w e^2 - (sum w e)^2 / sum w)`` over the costs e of the cases, as a share of
          the root's risk. A weight counts cases: a hundredth of all makes it ten times as large.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from dtreebook import C45Classifier
    >>> unpruned = C45Classifier(confidence=None)
    >>> cp_table(unpruned, *load_iris(return_X_y=True), np.arange(150) % 10).round(3)
         cp  n_splits  n_leaves  relative_error  cv_error  cv_std
    0  0.50         0         1            1.00      1.00   0.058
    1  0.44         1         2            0.50      0.52   0.058
    2  0.02         2         3            0.06      0.12   0.033
    3  0.01         3         4            0.04      0.12   0.033
    4  0.00         4         5            0.03      0.09   0.029
    """
    if not cp >= 0:
        raise ValueError(f"cp must not be negative, but it is {cp}")
    if isinstance(alpha := getattr(estimator, "ccp_alpha", 0), str):
        raise ValueError(f"ccp_alpha={alpha!r} makes a cp_table_ itself: give it ccp_alpha=0")
    fitted = clone(estimator).fit(X, y, sample_weight)
    return cross_validate_path(fitted, X, y, cv, sample_weight, impurity, cp)


def cross_validate_path(
    fitted: Any,
    X: ArrayLike,
    y: ArrayLike,
    cv: CV = 10,
    sample_weight: ArrayLike | None = None,
    impurity: Impurity | None = None,
    cp: float = 0.0,
    memory: str | int = "2GB",
) -> pd.DataFrame:
    """Return the `cp_table` of an estimator that has been fitted on these cases already.

    Of a table in a database, so much memory is for what is fetched.
    """
    draw = partial(splits, cv, is_classifier=not tree_of(fitted).is_regression)
    with fitted._folds(X, y, sample_weight, draw, memory) as (every, of_cases):
        return table_of_folds(fitted, every, map(Fold._make, of_cases), impurity, cp)


@contextmanager
def folds(
    fitted: Any, cases: Cases, y: ArrayLike, sample_weight: ArrayLike | None, draw: Callable
) -> Iterator[tuple[Cases, Iterator[tuple]]]:
    """Yield the cases in memory that an estimator was fitted on, and their folds: see `Fold`.

    The function draws, given answers and weights, the rows that each keeps and leaves out. What is
    yielded has the weights that were given; what a fold keeps also those of its classes.
    """
    target = read_target(as_pandas(y, "y"), fitted.tree_.classes)
    weight = read_weights(target, target, sample_weight)
    used = weight > 0
    place = np.cumsum(used) - 1
    every = replace(cases, weight=fitted._as_counts(weight[used]))
    rows = ((place[some[used[some]]] for some in fold) for fold in draw(target, weight))
    yield (
        every,
        (
            (cases.take(kept), [every.take(left_out)], ())
            for kept, left_out in rows
            if left_out.size  # of those of some weight
        ),
    )


class Fold(NamedTuple):
    """A part of the cases that is left out, and the others."""

    kept: Cases  #: from which a tree grows; of a table in a database, what stands for them
    left_out: Iterable[Cases]  #: in parts, with their weights but for those of their classes
    grow: tuple = ()  #: the functions that grow the tree of a table in a database


def table_of_folds(
    fitted: Any, every: Cases, folds: Iterable[Fold], impurity: Impurity | None, cp: float = 0.0
) -> pd.DataFrame:
    """Return the `cp_table` of an estimator that has been fitted, given folds.

    The cases of all folds, or what stands for them, have their weights but for those of their
    classes.
    """
    tree = tree_of(fitted)
    risks = node_risks(tree, impurity)
    if not risks[0] > 0:
        raise ValueError("all cases have the same answer: there is nothing to prune")
    strengths = weakest_links(tree, risks)
    prices, least = leaf_prices(strengths), cp * risks[0]
    prices = np.append(least, prices[prices > least * (1 + TIE)])
    middle = np.append(np.sqrt(prices[1:]) * np.sqrt(prices[:-1]), inf)

    scorer = FoldScorer(fitted, every, impurity)
    cost, square = np.zeros((2, len(prices)))
    for fold in folds:
        in_fold = scorer.score(fold, middle / tree.arrays.counts[0].sum())
        cost, square = cost + in_fold[0], square + in_fold[1]
    root = tree.risk[0] / scorer.unit
    variance = np.maximum(square - cost * (cost / every.total), 0)

    def over_leaves(amounts, ends=None):
        return sums_over_leaves(tree, strengths, prices, amounts, ends)

    none, one = np.zeros(tree.node_count), np.ones(tree.node_count)
    table = {
        "cp": prices / risks[0],
        "n_splits": over_leaves(none, one).astype(int),
        "n_leaves": over_leaves(one).astype(int),
        "relative_error": over_leaves(tree.risk) / tree.risk[0],
        "cv_error": cost / root,
        "cv_std": np.sqrt(variance) / root,
    }
    return pd.DataFrame(table)[::-1].reset_index(drop=True)


def least_error(table: pd.DataFrame) -> int:
    """Return the row of the least cross-validated error: of equal trees the smallest."""
    return int(cast(int, table["cv_error"].idxmin()))


def one_standard_error(table: pd.DataFrame) -> int:
    """Return the row of the smallest tree that is as good as the best, as far as one can tell.

    Its cross-validated error, in the `cp_table`, is at most that of the best tree and its standard
    error.

    Source: Breiman et al. (1984), section 3.4.3.

    Examples
    --------
    >>> table = pd.DataFrame({"cv_error": [1.0, 0.58, 0.55, 0.6], "cv_std": 4 * [0.05]})
    >>> one_standard_error(table)
    1
    """
    best = table.loc[least_error(table)]
    is_as_good = table["cv_error"] <= best["cv_error"] + best["cv_std"]
    return int(cast(int, is_as_good.idxmax()))


def splits(
    cv: Any, target: np.ndarray, weight: np.ndarray, is_classifier: bool
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the cases that each fold keeps, and those that it leaves out."""
    rows = np.arange(len(target))
    if isinstance(cv, list | tuple) and all(isinstance(of, list | tuple) for of in cv):
        cv = [tuple(map(np.asarray, of)) for of in cv]  # the rows that are kept and left out
    elif np.ndim(cv):
        if len(cv) != len(target):
            raise ValueError(f"cv has the folds of {len(cv)} cases, but X has {len(target)}")
        cv = PredefinedSplit(np.unique(np.asarray(cv), return_inverse=True)[1])
    elif isinstance(cv, Integral):
        rows = np.flatnonzero(weight > 0)  # a case of weight 0 is as good as absent
        most = np.bincount(target[rows]).max() if is_classifier else len(rows)
        if int(cv) > most:
            there = "the most common class has cases" if is_classifier else "there are cases"
            raise ValueError(
                f"cv draws {cv} folds, more than {there} ({most}): give a smaller number, or the "
                "fold of each case"
            )
    splitter = check_cv(cv, target[rows], classifier=is_classifier)
    with warnings.catch_warnings():
        # Folds without a case of a rare class are in order: their trees err on it nowhere.
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        try:
            found = list(splitter.split(np.zeros(len(rows)), target[rows]))
        except ValueError as error:
            if "'groups'" not in str(error):
                raise
            raise ValueError(
                f"{type(cv).__name__} needs groups, and cv has no place for them: give the fold of "
                "each case, an array that you fill from its split(X, y, groups)"
            ) from error
    times = np.bincount(np.concatenate([left_out for _, left_out in found]), minlength=len(rows))
    if (times != 1).any():
        row = np.flatnonzero(times != 1)[0]
        raise ValueError(
            f"cv leaves row {row} out {times[row]} times: give a number of folds or a splitter "
            "that leaves every case out once"
        )
    for kept, left_out in found:
        if not weight[rows[kept]].any():
            raise ValueError("cv leaves out all cases of some weight at once: give it more folds")
        yield rows[kept], rows[left_out]


class FoldScorer:
    """Let trees that were grown without some cases answer those.

    The estimator is fitted on all cases, given with their weights but for those of their classes.
    """

    def __init__(self, fitted: Any, every: Cases, impurity: Impurity | None):
        self.model, self.impurity = clone(fitted), impurity
        tree = fitted.tree_
        # About what the root costs, but a power of two, by which no digit changes.
        self.unit = np.ldexp(1.0, np.frexp(tree.risk[0])[1] - 1)
        self.loss: np.ndarray | None = None  # of numbers
        if tree.is_regression:
            return
        sizes = np.bincount(every.target, every.weights, len(tree.classes))
        self.of_class = tree.arrays.counts[0] / sizes
        self.loss = self.of_class[:, None] * fitted._losses()

    def score(self, fold: Fold, alphas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what the cases left out cost the trees at rising alphas: sums of w e and w e^2.

        The costs e are in units of their own, so that their squares are finite.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # said when the tree of all cases grew
            tree, scale = self.grow(fold)
        reached, ended = np.zeros((2, 2, tree.node_count))
        for left in fold.left_out:
            end = tree.arrays.route(left.columns)
            for case, node in upwards(tree.arrays.parent, end):
                cost = self.cost(left.target[case], tree.arrays.label[node]) / self.unit
                weight = left.weights[case]
                sums = weight * cost, weight * cost**2
                here = np.array([np.bincount(node, each, tree.node_count) for each in sums])
                reached += here
                ended += here if node is end else 0
        strengths = weakest_links(tree, node_risks(tree, self.impurity))
        prices = alphas / scale * fold.kept.total
        cost, square = (
            sums_over_leaves(tree, strengths, prices, *amounts)
            for amounts in zip(reached, ended, strict=True)
        )
        return cost, square

    def grow(self, fold: Fold) -> tuple[Tree, float]:
        """Return the tree of the cases that a fold keeps, and its scale.

        Multiplied by it, the weights in the tree are those of the tree of all cases.
        """
        model, cases = clone(self.model), fold.kept
        if getattr(model, "priors", None) is None:
            return model._grow(cases, *fold.grow), 1.0
        # They weigh the cases of a class; without a fold their shares are not counted anew.
        sizes = np.bincount(cases.target, cases.weights, len(self.of_class))
        priors = np.where(sizes > 0, sizes, 1) * self.of_class  # of an absent class, any number
        assert cases.classes is not None, "priors are for classes"
        by_name = dict(zip(cases.classes.tolist(), priors / priors.sum(), strict=True))
        tree = model.set_params(priors=by_name)._grow(cases, *fold.grow)
        return tree, sizes @ self.of_class / tree.arrays.counts[0].sum()

    def cost(self, target: np.ndarray, label: np.ndarray) -> np.ndarray:
        """Return what it costs to answer some cases by some labels."""
        if self.loss is None:
            cost = self.model._loss(target, label)
            if np.isinf(cost).any():  # the Poisson deviance of a count where 0 is predicted
                raise ValueError(
                    "cv leaves out all y above 0 at once, and a tree of the others predicts 0, "
                    "which costs infinitely: give KFold(10, shuffle=True), or folds that share "
                    "them out"
                )
            return cost
        return self.loss[target, label]


def corrected_interval(
    differences: ArrayLike, test_share: float, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of an interval for the mean of differences measured on overlapping splits.

    Two ways of learning are tried on n splits of the same cases, and d is the difference of their
    accuracies on each. The training parts share cases, so the n differences are not independent,
    and s² / n, with s their standard deviation, is too small for the variance of their mean. The
    corrected variance is s² (1 / n + test / training).

    Source: Nadeau and Bengio (2003), section 3.1, the corrected resampled t.

    Parameters
    ----------
    differences : array [n] or [n, m], one column per comparison; at least two rows.
    test_share : the size of a test part divided by that of its training part, such as 1/9 for ten
        folds.
    level : how often such an interval should hold the true difference.

    Examples
    --------
    Ten folds, on half of which one way is ahead by 4 percentage points, and on half not at all:

    >>> low, high = corrected_interval([0.04, 0.0] * 5, 1 / 9)
    >>> f"{low:.3f} to {high:.3f}"
    '-0.002 to 0.042'
    """
    differences = np.asarray(differences, dtype=float)
    n = len(differences)
    if n < 2:
        raise ValueError(f"differences has {n} rows; an interval needs at least two splits")
    if not test_share > 0:
        raise ValueError(f"test_share={test_share}; it is the test part as a share of the training")
    mean, deviation = differences.mean(axis=0), differences.std(axis=0, ddof=1)
    half = t.ppf((1 + level) / 2, n - 1) * deviation * np.sqrt(1 / n + test_share)
    return mean - half, mean + half

"""CART: binary trees for classes and for numbers, with surrogates for what is unknown.

Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees.
"""

import warnings
from numbers import Integral, Real

import numpy as np
import pandas as pd
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted, check_scalar

from dtreebook import measures
from dtreebook.base import TreeClassifier, TreeEstimator, TreeRegressor
from dtreebook.binary import BinaryRecipe
from dtreebook.complexity import prune_at, pruning_path
from dtreebook.data import unknown
from dtreebook.grow import decisions, grow
from dtreebook.stopping import best_first
from dtreebook.subsets import MOST_VALUES

_MISSING = ("majority", "surrogates", "stop")
_AGREEMENT = ("primary", "both")
_IMPURITY = {"gini": measures.gini, "entropy": measures.entropy, "squared_error": None}


class _CART(TreeEstimator):
    """What a tree for classes and one for numbers share."""

    @property
    def feature_importances_(self):
        """The share of each attribute in all that the tests of the tree gain: array [A]."""
        gains = self.importance(surrogates=False)
        return gains / (gains.sum() or 1)

    def importance(self, surrogates=True):
        """Return what every attribute gains in the tests of the tree, and as a surrogate in them.

        As a surrogate it gains what the test does, times its adjusted agreement.

        Returns
        -------
        array [A], in weight times impurity.

        References
        ----------
        Breiman et al. (1984), section 5.3.4.
        """
        check_is_fitted(self)
        flat = self.tree_.flat
        gains = np.zeros(self.n_features_in_)
        for i in np.flatnonzero(flat.first_child).tolist():
            gains[flat.split[i].attribute] += flat.improvement[i]
            if surrogates and flat.surrogates:
                for surrogate in flat.surrogates[i]:
                    gain = surrogate.adjusted * flat.improvement[i]
                    gains[surrogate.split.attribute] += gain
        return gains

    def summary(self, X, y, sample_weight=None, competitors=4):
        """Return in words, for every test of the tree, what else was tried and what stands in.

        Competitors are the best tests of other attributes, with what they would have gained;
        surrogates go the way of the test in the share of the cases that is said, and save the
        adjusted share of what going with the majority would get wrong.

        Parameters
        ----------
        X, y, sample_weight : the cases that the tree was grown on.
        competitors : how many of them to tell.

        Raises
        ------
        ValueError
            If these are other cases.

        Examples
        --------
        >>> from dtreebook.datasets import load_golf
        >>> X, y = load_golf(return_X_y=True)
        >>> model = CARTClassifier(max_depth=1, max_surrogates=1).fit(X, y)
        >>> print(model.summary(X, y, competitors=1))
        outlook in {sunny,rain} asked of 14 cases, gains 1.429
          competitor humidity <= 82.5 gains 0.9175
          surrogate temperature <= 80.5 agrees in 0.786, adjusted 0.250
          else outlook in {sunny,rain}
        """
        cases = self._read_again(X, y, sample_weight)
        tree, lines = self.tree_, []
        record = {decision.path: decision for decision in decisions(cases, self._recipe(cases))}
        for path, node in tree.walk():
            if node.is_leaf:
                continue
            words = tree.branch_words(node)
            where = f" where {', '.join(tree.conditions(path))}" if path else ""
            chosen = record[path].chosen.score
            lines.append(f"{words[0]} asked of {node.weight:g} cases{where}, gains {chosen:.4g}")
            others = [c for c in record[path].candidates if c.split != node.split]
            others = sorted(others, key=lambda candidate: -candidate.score)[:competitors]
            lines += [f"  competitor {self._word(c.split)} gains {c.score:.4g}" for c in others]
            lines += [
                f"  surrogate {self._word(surrogate.split, surrogate.flipped)} agrees in "
                f"{surrogate.agreement:.3f}, adjusted {surrogate.adjusted:.3f}"
                for surrogate in node.surrogates
            ]
            if node.default >= 0:
                lines.append(f"  else {words[node.default]}")
        return "\n".join(lines)

    def _word(self, split, branch=0):
        return split.words(self.tree_.attributes[split.attribute])[branch]

    def cost_complexity_pruning_path(self, X, y, sample_weight=None):
        """Return the alphas at which the tree loses its weakest links, and the impurity then left.

        Returns
        -------
        Bunch of ``ccp_alphas`` and ``impurities``, arrays of the same length, as scikit-learn's.

        References
        ----------
        Breiman et al. (1984), section 3.3.
        """
        tree = self._full(self._read_apart(X, y, sample_weight))
        path = pruning_path(tree, _IMPURITY[self._criterion])
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks)

    def _full(self, cases):
        """Grow the tree before it is pruned."""
        return grow(cases, self._recipe(cases))

    def _grow(self, cases):
        tree, measure = self._full(cases), _IMPURITY[self._criterion]
        if self.max_leaf_nodes is not None:
            tree = best_first(tree, self.max_leaf_nodes, measure)
        if self.ccp_alpha:
            tree = prune_at(tree, self.ccp_alpha, measure)
        self.tree_ = tree

    def _common(self, cases):
        """Return the parameters of the recipe that both estimators have, checked."""
        if self.max_depth is not None:
            check_scalar(self.max_depth, "max_depth", Integral, min_val=0)
        if self.max_leaf_nodes is not None:
            check_scalar(self.max_leaf_nodes, "max_leaf_nodes", Integral, min_val=2)
        if self.max_surrogates != "auto":
            check_scalar(self.max_surrogates, "max_surrogates", Integral, min_val=0)
        check_scalar(self.min_samples_split, "min_samples_split", Integral, min_val=2)
        check_scalar(self.min_samples_leaf, "min_samples_leaf", Integral, min_val=1)
        for name in ("min_impurity_decrease", "ccp_alpha"):
            check_scalar(getattr(self, name), name, Real, min_val=0)
            if not np.isfinite(getattr(self, name)):
                raise ValueError(f"{name} is {getattr(self, name)}: give a finite number")
        _one_of("missing", self.missing, _MISSING)
        _one_of("agreement", self.agreement, _AGREEMENT)
        most = self.max_surrogates
        if most == "auto":
            most = 5 if any(unknown(column).any() for column in cases.columns) else 0
        return {
            "max_depth": self.max_depth,
            "min_samples_split": self.min_samples_split,
            "min_samples_leaf": self.min_samples_leaf,
            "min_decrease": self.min_impurity_decrease,
            "max_surrogates": most,
            "missing": self.missing,
            "agreement": self.agreement,
        }


class CARTClassifier(TreeClassifier, _CART):
    """Classify by a binary tree grown as CART does.

    Numbers and ordered levels are divided by thresholds half-way between two values, nominal
    attributes into two groups of values; the test that lowers the impurity most divides a node, of
    equal ones the first, and every attribute may be asked for again. Where a value is unknown, in
    training and in prediction, the surrogates of the test are asked, then the case goes with the
    majority.

    Parameters
    ----------
    criterion : the impurity: "gini", or "entropy" (in bits).
    max_depth : the most tests on a path; None for no limit.
    min_samples_split : a node with fewer cases becomes a leaf.
    min_samples_leaf : how many cases of known value either side of a test must have. Like
        scikit-learn and rpart, both parameters count rows, whatever they weigh.
    max_leaf_nodes : the most leaves, of the tree that divides next what gains most; None for no
        limit.
    min_impurity_decrease : what a test must lower the impurity by, times the share of the weight
        that its node has.
    ccp_alpha : the price of a leaf: the tree is pruned to the subtree with the least sum of its
        impurity and this price for each leaf.
    priors : the shares of the classes where the tree is to be used, in the order of ``classes_``,
        or by their names as a dict or Series; None for those of the training cases. All counts of
        the tree are weighed so.
    loss : array [K, K] in the order of ``classes_``, or DataFrame with their names: what it costs
        to take a case of one class (row) for another (column), with 0 where they are the same; None
        if every error costs 1.
    max_surrogates : how many surrogates a node keeps; "auto" means 5 if any training value is
        unknown and otherwise none, since finding them takes as long again as growing the tree.
    missing : where a case goes whose value is unknown: "majority", by the surrogates, and with the
        majority of its node if they are unknown too; "surrogates", by these, else it stops at the
        node; "stop", it stops there at once. It also stops where both branches weigh the same.
    agreement : whether the agreement of a surrogate is its share of the cases that the test itself
        knows ("primary"), or of those of which both are known ("both").

    Attributes
    ----------
    tree_ : the `dtreebook.tree.Tree`.
    classes_ : array [K], the classes in order.
    feature_importances_ : array [A], adding up to 1.
    n_features_in_, feature_names_in_ : the columns; names only for frames.

    Notes
    -----
    With more than two classes, a nominal attribute with more than 12 values in a node is divided
    by a heuristic, with a warning: only the cuts of its values in one order are tried, that of the
    first principal component of their class shares (Coppersmith, Hong and Hosking 1999).

    As in rpart, a surrogate that asks for a nominal attribute is kept only if at least two cases go
    where the test sends them and two do not: one that never errs is not kept.

    References
    ----------
    Breiman et al. (1984), chapters 2, 4 and 5.

    Examples
    --------
    >>> from dtreebook.datasets import load_loan
    >>> X, y = load_loan(return_X_y=True)
    >>> print(CARTClassifier().fit(X, y).export_text())
    house = yes: yes (6.0)
    house = no:
    |   work = no: no (6.0)
    |   work = yes: yes (3.0)
    """

    def __init__(
        self,
        *,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        ccp_alpha=0.0,
        priors=None,
        loss=None,
        max_surrogates="auto",
        missing="majority",
        agreement="primary",
    ):
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.priors = priors
        self.loss = loss
        self.max_surrogates = max_surrogates
        self.missing = missing
        self.agreement = agreement

    @property
    def _criterion(self):
        return self.criterion

    def _recipe(self, cases):
        _one_of("criterion", self.criterion, ("gini", "entropy"))
        common = self._common(cases)
        if len(cases.classes) > 2:
            for attribute in cases.attributes:
                n_values = len(attribute.levels)
                if attribute.kind == "nominal" and n_values > MOST_VALUES:
                    warnings.warn(
                        f"column {attribute.name!r} has {n_values} values and there are "
                        f"{len(cases.classes)} classes: in a node with more than {MOST_VALUES} of "
                        "the values they are divided by a heuristic, not in every possible way; "
                        "put rare values together to have all ways tried",
                        stacklevel=5,
                    )
        return BinaryRecipe(
            criterion=self.criterion,
            priors=_priors(self.priors, cases.classes),
            loss=_loss(self.loss, cases.classes),
            **common,
        )


class CARTRegressor(TreeRegressor, _CART):
    """Predict numbers by a binary tree grown as CART does.

    As `CARTClassifier`, but the impurity is the squared error around the mean, and a leaf predicts
    its mean.

    Parameters
    ----------
    max_depth, min_samples_split, min_samples_leaf, max_leaf_nodes, min_impurity_decrease,
    ccp_alpha, max_surrogates, missing, agreement : as in `CARTClassifier`.

    Attributes
    ----------
    tree_ : the `dtreebook.tree.Tree`.
    feature_importances_ : array [A], adding up to 1.
    n_features_in_, feature_names_in_ : the columns; names only for frames.

    References
    ----------
    Breiman et al. (1984), chapter 8.

    Examples
    --------
    >>> X, y = [[1], [2], [3], [4]], [5.0, 7.0, 20.0, 22.0]
    >>> print(CARTRegressor(max_depth=1).fit(X, y).export_text())
    x0 <= 2.5 : 6 (2.0/2)
    x0 > 2.5 : 21 (2.0/2)
    """

    def __init__(
        self,
        *,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        ccp_alpha=0.0,
        max_surrogates="auto",
        missing="majority",
        agreement="primary",
    ):
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.max_surrogates = max_surrogates
        self.missing = missing
        self.agreement = agreement

    _criterion = "squared_error"

    def _recipe(self, cases):
        return BinaryRecipe(criterion=self._criterion, **self._common(cases))


def _one_of(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}, not {value!r}")


def _priors(priors, classes):
    """Return the priors in the order of the classes, checked."""
    if priors is None:
        return None
    names = classes.tolist()
    if isinstance(priors, dict | pd.Series):
        if set(priors.keys()) != set(names):
            raise ValueError(f"priors name the classes {list(priors.keys())}, but y has {names}")
        priors = [priors[name] for name in names]
    priors = _floats("priors", priors)
    if priors.shape != (len(names),):
        raise ValueError(
            f"priors have shape {priors.shape}, but there are {len(names)} classes: give a number "
            "for each"
        )
    wrong = np.flatnonzero(~(np.isfinite(priors) & (priors > 0)))
    if len(wrong):
        raise ValueError(
            f"the prior of class {names[wrong[0]]!r} is {priors[wrong[0]]}: give a number above 0, "
            "or leave the cases of the class out"
        )
    if abs(priors.sum() - 1) > 1e-9:
        raise ValueError(f"priors must add up to 1, but {priors.tolist()} make {priors.sum():g}")
    return priors


def _loss(loss, classes):
    """Return the loss matrix, checked."""
    if loss is None:
        return None
    names = classes.tolist()
    if isinstance(loss, pd.DataFrame):
        if set(loss.index) != set(names) or set(loss.columns) != set(names):
            raise ValueError(
                f"loss names the classes {loss.index.tolist()} in rows and {loss.columns.tolist()} "
                f"in columns, but y has {names}"
            )
        loss = loss.loc[names, names]
    loss = _floats("loss", loss)
    if loss.shape != (len(names), len(names)):
        raise ValueError(
            f"loss has shape {loss.shape}, but there are {len(names)} classes: give a row for each "
            "true class and a column for each predicted one"
        )
    wrong = np.argwhere(~(np.isfinite(loss) & (loss >= 0)))
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(
            f"loss is {loss[row, column]} for class {names[row]!r} taken for {names[column]!r}: "
            "give a finite number, 0 or more"
        )
    wrong = np.flatnonzero(np.diagonal(loss))
    if len(wrong):
        raise ValueError(
            f"loss is {loss[wrong[0], wrong[0]]} for class {names[wrong[0]]!r} taken for what it "
            "is: put 0 on the diagonal"
        )
    free = np.flatnonzero(~loss.any(axis=1))
    if len(free) and len(names) > 1:
        raise ValueError(
            f"loss is 0 for class {names[free[0]]!r} whatever it is taken for: give an error a "
            "cost, or leave the cases of the class out"
        )
    return loss


def _floats(name, value):
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers, in rows of one length: {error}") from error

"""CART: binary trees for classes and for numbers, with surrogates for what is unknown.

Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, check_scalar

from dtreebook.base import TreeClassifier, TreeEstimator, TreeRegressor
from dtreebook.data.words import warn
from dtreebook.grow.binary import BinaryControl
from dtreebook.grow.criteria import BINARY, BinaryCriterion, named
from dtreebook.grow.growth import grow
from dtreebook.grow.record import decisions
from dtreebook.grow.subsets import MOST_VALUES
from dtreebook.measures import Impurity
from dtreebook.parameters import (
    check_criterion,
    class_shares,
    loss_matrix,
    not_negative,
    one_of,
    signs,
)
from dtreebook.prune.cost_complexity import node_risks, prune_at
from dtreebook.prune.crossvalidation import CV, cross_validate_path, least_error, one_standard_error
from dtreebook.prune.early_stopping import best_first
from dtreebook.tree.scikit_learn import as_sklearn
from dtreebook.tree.text import branch_words

if TYPE_CHECKING:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

_CHOICES = {"best": least_error, "one_standard_error": one_standard_error}


@dataclass(eq=False, repr=False, kw_only=True)
class CART(TreeEstimator):
    """What a tree for classes and one for numbers share."""

    criterion: str | Impurity = field(init=False)
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    ccp_alpha: float | str = 0.0
    cv: CV = 10
    max_surrogates: int | str = "auto"
    missing: str = "majority"
    agreement: str = "primary"
    monotonic_cst: Mapping[str, int] | ArrayLike | None = None
    cp_table_: pd.DataFrame | None = field(init=False)

    def _grow(self, cases, grow=grow, send=None):
        is_chosen = isinstance(self.ccp_alpha, str)
        self.ccp_alpha_, self.cp_table_ = None if is_chosen else self.ccp_alpha, None
        return super()._grow(cases, grow, send)

    def _choose(self, X, y, sample_weight, *memory):
        """Prune at the price of a leaf that cross-validation chooses, if one is to be chosen."""
        if not isinstance(self.ccp_alpha, str):
            return
        self.ccp_alpha_ = 0.0
        if self.tree_.arrays.first_child[0]:
            given = self.cv, sample_weight, self._impurity, 0.0, *memory
            table = self.cp_table_ = cross_validate_path(self, X, y, *given)
            cp = table["cp"][_CHOICES[self.ccp_alpha](table)]
            root = node_risks(self.tree_, self._impurity)[0]
            self.ccp_alpha_ = float(cp * root / self.tree_.arrays.counts[0].sum())
            self.tree_ = prune_at(self.tree_, self.ccp_alpha_, self._impurity).tree

    def _gains(self):
        return self.importance(surrogates=False)

    def importance(self, surrogates: bool = True) -> np.ndarray:
        """Return what every attribute gains in the tests of the tree, and as a surrogate in them.

        An array [A], in weight times impurity. As a surrogate it gains what the test does, times
        its adjusted agreement.

        Source: Breiman et al. (1984), section 5.3.4.
        """
        check_is_fitted(self)
        arrays = self.tree_.arrays
        if arrays.improvement is None:
            raise ValueError("this tree does not say what its tests gain: grow it with fit")
        inner = np.flatnonzero(arrays.first_child)
        column, gain = arrays.split.column[inner], arrays.improvement[inner]
        gains = np.bincount(column, gain, len(self.tree_.attributes))
        if surrogates:
            for of_node, gain in zip(arrays.surrogates, arrays.improvement, strict=True):
                for surrogate in of_node:
                    gains[surrogate.split.column] += surrogate.adjusted * gain
        return gains

    def summary(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, competitors: int = 4
    ) -> str:
        """Return in words, for every test of the tree, its competitors and its surrogates.

        Competitors are the best tests of other attributes, with what they would have gained; so
        many are listed. Surrogates have their agreement, the share of the cases that they send the
        way of the test, and the adjusted agreement: of what going with the majority gets wrong, the
        share they save. X, y and the weights are the cases that the tree was grown on.

        Raises ValueError if these are other cases, or columns were drawn and ``random_state`` is no
        number.

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
        if self.max_features is not None and not isinstance(self.random_state, Integral):
            raise ValueError("the columns drawn cannot be drawn again: fit it with random_state=0")
        cases = self._read_again(X, y, sample_weight)
        tree, lines = self.tree_, []
        record = {decision.path: decision for decision in decisions(cases, self._control(cases))}
        for path, node in tree.walk():
            if node.is_leaf or (chosen := record[path].chosen) is None:
                continue
            words = branch_words(tree, node)
            where = f" where {', '.join(tree.conditions(path))}" if path else ""
            asked = f"{words[0]} asked of {node.weight:g} cases{where}"
            lines.append(f"{asked}, gains {chosen.score:.4g}")
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
        return split.words(self.tree_.attributes[split.column])[branch]

    def to_sklearn(self) -> DecisionTreeClassifier | DecisionTreeRegressor:
        """Return scikit-learn's estimator with this tree, for tools that know no other.

        Such are its ``plot_tree`` and ``export_text``, SHAP's TreeExplainer, converters.
        It predicts the same, but for values that lie closer to a cut than single precision tells;
        an unknown value goes to the default branch, without one to the right. On the way to ONNX
        skl2onnx loses where unknown values go, of this tree as of scikit-learn's own: fill them
        before.

        Raises ValueError if the tree asks about anything but numbers, keeps surrogates, weighs
        errors by a loss, or has a criterion of another name, which scikit-learn's trees cannot say.

        Examples
        --------
        >>> from sklearn.tree import export_text
        >>> cart = CARTRegressor().fit([[1.0], [2.0], [4.0]], [5.0, 5.0, 8.0])
        >>> print(export_text(cart.to_sklearn()), end="")
        |--- feature_0 <= 3.00
        |   |--- value: [5.00]
        |--- feature_0 >  3.00
        |   |--- value: [8.00]
        """
        check_is_fitted(self)
        if getattr(self, "loss", None) is not None:
            raise ValueError("scikit-learn's trees know no loss: grow it with loss=None")
        tree, measure = self.tree_, self._impurity
        counts = tree.arrays.counts
        impurity = tree.risk / counts[:, 0] if measure is None else measure(counts)
        model = as_sklearn(tree, impurity)
        if hasattr(self, "feature_names_in_"):
            model.feature_names_in_ = self.feature_names_in_
        if not isinstance(self.criterion, str):
            return model
        if self.criterion not in (known := model._parameter_constraints["criterion"][0].options):
            words = ", ".join(map(repr, sorted(known)))
            raise ValueError(
                f"scikit-learn's trees know no criterion {self.criterion!r}, but {words}"
            )
        return model.set_params(criterion=self.criterion)

    def _pruned(self, tree, cases, share=1.0, beside=0):
        if self.max_leaf_nodes is not None:
            tree = best_first(tree, self.max_leaf_nodes - beside, self._impurity).tree
        is_chosen = isinstance(self.ccp_alpha, str)
        alpha = self.ccp_alpha_ if is_chosen else self.ccp_alpha
        if alpha is None or not (alpha or is_chosen):
            return tree  # of a price that is chosen, 0 too takes out the tests that gain nothing
        # In a part of a tree, a leaf costs more of the weight that is there.
        return prune_at(tree, alpha / share, self._impurity).tree

    def _control_of(self, kind, cases, **given):
        if self.max_leaf_nodes is not None:
            check_scalar(self.max_leaf_nodes, "max_leaf_nodes", Integral, min_val=2)
        if self.max_surrogates != "auto":
            check_scalar(self.max_surrogates, "max_surrogates", Integral, min_val=0)
        check_scalar(self.min_samples_split, "min_samples_split", Integral, min_val=2)
        check_scalar(self.min_samples_leaf, "min_samples_leaf", Integral, min_val=1)
        not_negative("min_weight_fraction_leaf", self.min_weight_fraction_leaf, most=0.5)
        not_negative("min_impurity_decrease", self.min_impurity_decrease)
        if isinstance(self.ccp_alpha, str):  # of a record of decisions, which prunes nothing
            one_of("ccp_alpha", self.ccp_alpha, tuple(_CHOICES))
        else:
            not_negative("ccp_alpha", self.ccp_alpha)
        one_of("missing", self.missing, ("majority", "surrogates", "stop"))
        one_of("agreement", self.agreement, ("primary", "both"))
        if self.max_surrogates == "auto":
            given["max_surrogates"] = 5 if cases.has_unknown else 0
        given["monotonic_cst"] = signs(self.monotonic_cst, cases)
        return super()._control_of(kind, cases, **given)


@dataclass(eq=False, repr=False, kw_only=True)
class CARTClassifier(CART, TreeClassifier):
    """Classify by a binary tree grown as CART does.

    Numbers and ordered levels are divided by thresholds half-way between two values, nominal
    attributes into two groups of values; the test that lowers the impurity most divides a node, of
    equal ones the first, and every attribute may be asked about again. Where a value is unknown, in
    training and in prediction, the surrogates of the test are asked, then the case goes with the
    majority.

    Source: Breiman et al. (1984), chapters 2, 4 and 5.

    Parameters
    ----------
    criterion : the impurity: "gini", "entropy" (in bits), or one of your own, a function from
        counts [..., K] to impurities [...], as `dtreebook.measures.misclassification` is. It should
        be concave: else the best two groups of many values may be missed.
    max_depth : the most tests on a path; None for no limit.
    min_samples_split : a node with fewer cases becomes a leaf.
    min_samples_leaf : how many cases of known value either side of a test must have. Like
        scikit-learn and rpart, both parameters count rows, whatever they weigh.
    min_weight_fraction_leaf : what share of the weight of all cases, as the impurities weigh them,
        either side of a test must have of known value.
    max_leaf_nodes : the most leaves; the node whose test gains most is divided next. None for no
        limit.
    min_impurity_decrease : what a test must lower the impurity by, times the share of the weight
        that its node has.
    ccp_alpha : the price of a leaf: the tree is pruned to the subtree with the least sum of its
        impurity and this price for each leaf. Cross-validation chooses it for you: "best" takes the
        tree with the fewest errors on cases left out of growing, "one_standard_error" the smallest
        tree that errs at most one standard error more than that.
    cv : how to draw the folds for it: their number, a splitter of scikit-learn, its list of
        splits, or the fold of each case; as in `dtreebook.prune.crossvalidation.cp_table`.
    priors : the shares of the classes where the tree is to be used, in the order of ``classes_``,
        or by their names as a dict or Series; None for those of the training cases. All counts of
        the tree are weighed so. A class that is named and has no case, as in a fold, is left out,
        and the shares of the others are scaled to add up to 1.
    loss : array [K, K] in the order of ``classes_``, or DataFrame with their names: what it costs
        to take a case of one class (row) for another (column), with 0 where they are the same; None
        if every error costs 1. Names of classes without a case are left out.
    max_surrogates : how many surrogates a node keeps; "auto" means 5 if any training value is
        unknown and otherwise none, since finding them takes as long again as growing the tree.
    missing : where a case goes whose value is unknown: "majority", by the surrogates, and with the
        majority of its node if they are unknown too; "surrogates", by these, else it stops at the
        node; "stop", it stops there at once. It also stops where both branches weigh the same. A
        word that training did not see is as good as unknown; as no branch is without training
        cases, there is no ``unseen`` as in ID3 and C4.5.
    agreement : whether the agreement of a surrogate is its share of the cases that the test itself
        knows ("primary"), or of those of which both are known ("both").
    max_features : how many columns are drawn for each node, of which the best is asked: a number, a
        share in (0, 1], "sqrt" or "log2" of their number; None for all. As in scikit-learn, drawing
        goes on until one divides the node.
    random_state : int or RandomState by which they are drawn; None draws anew in every fit.
    class_weight : what a case of each class weighs, times its sample_weight: a dict from classes,
        1 for those it does not name; a class that is named and has no case, as in a fold, is left
        out, with a warning if another is not named; None for 1; "balanced" for ``n / (K * n_k)``,
        of n cases in K classes n_k are of this one. As scikit-learn does, it counts rows, whatever
        they weigh; a row of weight 0 is none. Not together with priors, which say how much each
        class weighs, whatever its cases do.
    cost : what it costs to ask about a column: a number for each, in their order, or a dict from
        names, 1 for those it does not name; the test is asked that lowers the impurity most per
        unit of price. None if nothing costs.
    forbid : the name of a column that is never asked about, as a test or as a surrogate, or a list
        of names; of an array the columns are called x0, x1, ... The column stays in X.
    monotonic_cst : whether the chance of the second of ``classes_`` may only rise with a column
        (1), only fall (-1), or do either (0): a number for each, in their order, or a dict from
        names. For numbers and ordered levels, two classes, and tables without blanks. None for no
        constraint.
    verbose : 1 to print how far the tree is when it takes more than two seconds; in any case the
        logger "dtreebook" is told.
    memory : what growing from a table in a database may take: bytes as text, such as "8GB", or how
        many rows are fetched at a time. None for half of what this machine has, but at least 2GB;
        see `dtreebook.database.fitting.fit`. Tables in memory need no more than they take.

    Attributes
    ----------
    tree_ : the `dtreebook.tree.tree.Tree`.
    ccp_alpha_ : the price at which it was pruned.
    cp_table_ : the table of `dtreebook.prune.crossvalidation.cp_table` by which cross-validation
        chose the price; None if it did not.
    classes_ : array [K], the classes, sorted.
    feature_importances_ : array [A], adding up to 1.
    n_features_in_, feature_names_in_ : the columns; names only for frames.

    Notes
    -----
    Without a sample_weight, the same prior for every class grows the tree of
    ``class_weight="balanced"``. With one, priors make the sums of the weights equal, and "balanced"
    does not.

    With more than two classes, a nominal attribute with more than 12 values in a node is divided
    by a heuristic, with a warning: only the cuts of its values in one order are tried, that of the
    first principal component of their class shares (Coppersmith, Hong and Hosking 1999).

    Under ``monotonic_cst`` a test is taken only if both sides predict what the tests above leave
    room for, whatever column it asks about, and a constrained column is no surrogate. scikit-learn
    checks the constrained columns alone, and clips what the leaves predict; the trees are the same
    where every column is constrained.

    Choose ``ccp_alpha`` by cross-validation here rather than by scikit-learn's ``GridSearchCV``
    over ``cost_complexity_pruning_path(X, y).ccp_alphas``: in a fold, where a column of many values
    gains more, even the largest of these can leave its test at the root. "best" and
    "one_standard_error" always try the tree of one leaf, as rpart does. rpart prunes by errors,
    this parameter by the impurity; for its very table take ``cp_table(CARTClassifier(), X, y)`` and
    ``prune_at``.

    A value that equals a cut goes with the smaller ones (``x <= cut``), as in scikit-learn; in
    rpart with the larger ones. As in rpart, a surrogate that asks about a nominal attribute is kept
    only if at least two cases go where the test sends them and two do not.

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

    criterion: str | Impurity = "gini"
    priors: ArrayLike | Mapping | None = None
    loss: ArrayLike | None = None
    class_weight: Mapping | str | None = None

    @property
    def _impurity(self):
        return named(self.criterion, BINARY, BinaryCriterion.of).impurity

    def _losses(self):
        loss = loss_matrix(self.loss, self.tree_.classes)
        return super()._losses() if loss is None else loss

    def _control(self, cases):
        if callable(self.criterion):
            check_criterion(
                self.criterion,
                (np.array([[1.0, 1, 1], [2, 0, 0]]),),
                "the impurity of each row, of a pure one as well, as dtreebook.measures.gini does",
            )
        else:
            one_of("criterion", self.criterion, [c for c in BINARY if not BINARY[c].loss])
        if self.priors is not None and self.class_weight is not None:
            raise ValueError(
                "priors say what each class weighs, whatever class_weight says: give one of them"
            )
        priors = class_shares(self.priors, cases.classes)
        loss = loss_matrix(self.loss, cases.classes)
        control = self._control_of(BinaryControl, cases, priors=priors, loss=loss)
        if len(cases.classes) > 2:
            for attribute in cases.attributes:
                n_values = len(attribute.levels)
                if attribute.kind == "nominal" and n_values > MOST_VALUES:
                    warn(
                        f"column {attribute.name!r} has {n_values} values and there are "
                        f"{len(cases.classes)} classes: in a node with more than {MOST_VALUES} of "
                        "the values they are divided by a heuristic, not in every possible way; "
                        "put rare values together to have all ways tried"
                    )
        return control


@dataclass(eq=False, repr=False, kw_only=True)
class CARTRegressor(CART, TreeRegressor):
    """Predict numbers by a binary tree grown as CART does.

    As `CARTClassifier`, but the impurity is the squared error around the mean, or another loss, and
    a leaf predicts its mean.

    Source: Breiman et al. (1984), chapter 8.

    Parameters
    ----------
    criterion : "squared_error"; or for counts "poisson", half the Poisson deviance, by which, as in
        scikit-learn, no side of a test may have all its y 0.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes,
    min_impurity_decrease, ccp_alpha, cv, max_surrogates, missing, agreement, max_features,
    random_state, cost, forbid, monotonic_cst, verbose, memory : as in `CARTClassifier`; what may
        only rise or fall is the mean.

    Attributes
    ----------
    tree_ : the `dtreebook.tree.tree.Tree`.
    ccp_alpha_, cp_table_, feature_importances_, n_features_in_, feature_names_in_ : as in
        `CARTClassifier`.

    Examples
    --------
    >>> X, y = [[1], [2], [3], [4]], [5.0, 7.0, 20.0, 22.0]
    >>> print(CARTRegressor(max_depth=1).fit(X, y).export_text())
    x0 <= 2.5 : 6 (2.0/2)
    x0 > 2.5 : 21 (2.0/2)
    """

    criterion: str = "squared_error"

    _impurity = None  # the tree has the loss of each node

    def _loss(self, number, label):
        return BINARY[self.criterion].loss(number, label)

    def _control(self, cases):
        one_of("criterion", self.criterion, [c for c in BINARY if BINARY[c].loss])
        if (least := cases.target.min()) < (lowest := BINARY[self.criterion].lowest):
            raise ValueError(
                f"criterion={self.criterion!r} takes no y below {lowest}, but there is {least:g}"
            )
        return self._control_of(BinaryControl, cases)

"""C4.5, Release 8: gain ratio with a guard, cuts that pay, cases in fractions, pruning.

Quinlan (1993), C4.5: Programs for Machine Learning; Quinlan (1996) for Release 8.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, check_scalar

from dtreebook.base import MultiwayClassifier
from dtreebook.data.words import warn
from dtreebook.grow.criteria import MULTIWAY
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.parameters import check_criterion, not_negative, one_of
from dtreebook.prune.error_based import collapse, predicted_errors, prune_by_errors
from dtreebook.rules import RuleSet, rules_from

_SWITCHES = "subtree_raising", "group_values", "average_gain_guard", "mdl_penalty", "collapse"


@dataclass(eq=False, repr=False, kw_only=True)
class C45Classifier(MultiwayClassifier):
    """Classify by a tree grown and pruned with C4.5, as its Release 8 does.

    Numbers are divided by thresholds and may be asked for again; a nominal attribute has a branch
    for each of its values and is used up on that path. Of the attributes with at least average gain
    the one with the largest gain ratio divides a node (of equal ones, the first). A case of unknown
    value goes down every branch, in the proportions of the known cases, in training and in
    prediction; so does one whose value has no branch. Subtrees that make no fewer training errors
    than a leaf collapse, and the tree is pruned by its predicted errors.

    The plain algorithm of the textbooks is ``C45Classifier(min_weight=0, average_gain_guard=False,
    mdl_penalty=False, collapse=False, confidence=None, unseen="none")``.

    Source: Quinlan (1993), chapters 2 to 4; Quinlan (1996), section 3.

    Parameters
    ----------
    criterion : "gain_ratio", "gain", or a score of your own: a function from the information gains,
        the split informations and the entropies of the nodes, arrays [n] in bits, to scores [n].
    min_weight : the weight that at least two branches must have (-m of the original).
    min_samples_leaf : the weight of cases of known value that every branch must have, but for the
        empty ones; the original has none.
    confidence : CF of the error estimate, in (0, 1]: the smaller, the more errors are expected, and
        the more is pruned (-c, in per cent); None leaves the tree unpruned.
    min_score : the least gain ratio, or gain in bits, that divides a node, as textbooks stop at ε;
        the original has none.
    max_depth : the most tests on a path before the tree is pruned; None for no limit, as in the
        original.
    subtree_raising : whether a subtree may be replaced by its largest branch.
    group_values : whether the values of an attribute are grouped into fewer branches (-s); see the
        notes.
    average_gain_guard : whether an attribute must have at least average gain to be chosen by its
        ratio.
    mdl_penalty : whether a threshold pays for the cuts that were tried, and needs a least number of
        cases on either side.
    collapse : whether subtrees that do not help on the training cases become leaves.
    max_features, random_state, class_weight, cost, forbid, verbose, memory : as in
        `CARTClassifier`. With `average_gain_guard` only columns of at least average gain are chosen
        from: switch it off to spare a dear column that gains more than the cheap ones.
    unseen, pricing : as in `ID3Classifier`.

    Attributes
    ----------
    tree_ : the `dtreebook.tree.tree.Tree`.
    unpruned_tree_ : the tree before pruning.
    feature_importances_ : array [A], the shares in the information gained, adding up to 1.
    classes_, n_features_in_, feature_names_in_ : as in `CARTClassifier`.

    Notes
    -----
    What a test must have, by its name here and in the other estimators:

    ============================  ====================  ================  ========================
    what                          C4.5                  ID3               CART
    ============================  ====================  ================  ========================
    cases in every branch         min_samples_leaf      min_samples_leaf  min_samples_leaf (rows)
    weight in two branches        min_weight (-m)       none              none
    share of all in every branch  none                  none              min_weight_fraction_leaf
    cases in its node             none                  none              min_samples_split (rows)
    gain                          min_score (score)     min_gain (bits)   min_impurity_decrease
    ============================  ====================  ================  ========================

    To Release 8 weights are counts: with ``min_weight=2`` three cases of weight 0.1 are too few to
    be divided. Only weights that add up to 1, as boosting gives them, are taken for shares, and
    multiplied by the number of cases.

    With -s the original, once it has met an attribute that has no value in any case of a node,
    takes 1 for the least weight in the rest of its run, whatever -m says. Here `min_weight` stays
    as it is: if a column is blank at some node, the tree can be smaller than the original's.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> X, y = load_golf(return_X_y=True)
    >>> c45 = C45Classifier().fit(X, y)
    >>> print(c45.unpruned_tree_.export_text())
    outlook = overcast: Play (4.0)
    outlook = sunny:
    |   humidity <= 75 : Play (2.0)
    |   humidity > 75 : Don't Play (3.0)
    outlook = rain:
    |   windy = true: Don't Play (2.0)
    |   windy = false: Play (3.0)
    """

    criterion: str | Callable = "gain_ratio"
    min_weight: float = 2
    confidence: float | None = 0.25
    min_score: float = 0.0
    subtree_raising: bool = True
    group_values: bool = False
    average_gain_guard: bool = True
    mdl_penalty: bool = True
    collapse: bool = True

    def export_text(self, style: str = "c45") -> str:
        """Return the tree as text: see `dtreebook.tree.tree.Tree.export_text`.

        A pruned tree tells the errors to expect at its leaves, as the original does, an unpruned
        one those of the training cases.

        Examples
        --------
        Four cases without an error; in four more 1.2 errors are to be expected:

        >>> from dtreebook.datasets import load_golf
        >>> print(C45Classifier().fit(*load_golf(return_X_y=True)).export_text().splitlines()[0])
        outlook = overcast: Play (4.0/1.2)
        """
        check_is_fitted(self)
        errors = None
        if self.confidence is not None:
            errors = predicted_errors(self.tree_, self.confidence)
        return self.tree_.export_text(style, errors)

    def rule_set(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> RuleSet:
        """Return the simplified rules of the unpruned tree; a ValueError if it grew on other cases.

        Source: Quinlan (1993), chapter 5.

        Examples
        --------
        >>> from dtreebook.datasets import load_golf
        >>> X, y = load_golf(return_X_y=True)
        >>> rule_set = C45Classifier().fit(X, y).rule_set(X, y)
        >>> len(rule_set.rules), rule_set.classes[rule_set.default]
        (4, 'Play')
        """
        cases = self._read_again(X, y, sample_weight)
        confidence = 0.25 if self.confidence is None else self.confidence
        return rules_from(self.unpruned_tree_, cases, confidence)

    def _as_grown(self, tree):
        tree = replace(tree, fractional=True)
        return collapse(tree).tree if self.collapse else tree

    def _pruned(self, tree, cases, share=1.0, beside=0, send=None):
        if self.confidence is None:
            return tree
        return prune_by_errors(tree, cases, self.confidence, self.subtree_raising, send).tree

    def _grow(self, cases, grow=grow, send=None):
        unpruned = self._as_grown(grow(cases, self._control(cases)))
        tree = self._pruned(unpruned, cases, send=send)
        self.unpruned_tree_ = unpruned
        is_mixed_leaf = tree.n_leaves == 1 < cases.n_classes
        # Of a sum that is too small the control has spoken.
        if is_mixed_leaf and cases.weights.max() < 1 and cases.total >= 2 * self.min_weight:
            warn(
                f"no case weighs 1, all of them {cases.total:g}, and the tree is a leaf: C4.5 "
                "takes weights for counts of cases; if they are shares, divide them by their sum, "
                "and they are multiplied by the number of cases"
            )
        return tree

    def _weigh(self, cases):
        return super()._weigh(cases.weighted(self._as_counts(cases.weights)))

    def _as_counts(self, weights):
        """Return weights that are shares of the whole, as boosting's, as counts of cases."""
        if abs(weights.sum() - 1) > 1e-6:
            return weights
        counts = weights * len(weights)
        whole = np.rint(counts)  # a third of three cases is 1, whatever rounding says
        return np.where((whole > 0) & (abs(counts - whole) < 1e-9), whole, counts)

    def _control(self, cases):
        if callable(self.criterion):
            bits = np.array([0.1, 0.2]), np.array([0.5, 1.0]), np.array([1.0, 1.0])
            check_criterion(self.criterion, bits, "a score for each gain, information and entropy")
        else:
            one_of("criterion", self.criterion, MULTIWAY)
        not_negative("min_weight", self.min_weight)
        not_negative("min_score", self.min_score)
        if cases.total < 2 * self.min_weight <= len(cases):
            warn(
                f"the weights add up to {cases.total:g}, and below {2 * self.min_weight:g} no node "
                "is divided, so the tree is a leaf: give weights that count cases, or a smaller "
                "min_weight"
            )
        for name in _SWITCHES:
            check_scalar(getattr(self, name), name, (bool, np.bool_))
        if self.confidence is not None:
            ends = {"min_val": 0, "max_val": 1, "include_boundaries": "right"}
            check_scalar(self.confidence, "confidence", Real, **ends)
        return self._control_of(MultiwayControl, cases, unknown="fractions")

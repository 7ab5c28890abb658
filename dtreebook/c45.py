"""C4.5, Release 8: gain ratio with a guard, cuts that pay, cases in fractions, pruning.

Quinlan (1993), C4.5: Programs for Machine Learning; Quinlan (1996) for Release 8.
"""

from numbers import Real

import numpy as np
from sklearn.utils.validation import check_is_fitted, check_scalar

from dtreebook.base import TreeClassifier
from dtreebook.error_based import collapse, error_based, predicted_errors
from dtreebook.grow import Recipe, grow
from dtreebook.missing import spread
from dtreebook.rules import rules_from

_SWITCHES = "subtree_raising", "subsets", "guard", "penalty", "collapse", "guess"


class C45Classifier(TreeClassifier):
    """Classify by a tree grown and pruned with C4.5, as its Release 8 does.

    Numbers are divided by thresholds and may be asked for again; a nominal attribute has a branch
    for each of its values and is used up on that path. Of the attributes with at least average gain
    the one with the largest gain ratio divides a node (of equal ones, the first). A case of unknown
    value goes down every branch, in the proportions of the known cases, in training and in
    prediction; so does one whose value was never seen. Subtrees that make no fewer training errors
    than a leaf collapse, and the tree is pruned by its predicted errors.

    The plain algorithm of the textbooks is ``C45Classifier(min_cases=0, guard=False, penalty=False,
    collapse=False, confidence=None, guess=False)``.

    Parameters
    ----------
    criterion : "gain_ratio", or "gain".
    min_cases : the weight that at least two branches must have (-m of the original).
    confidence : how sure the error estimate of the pruning is, in (0, 1], the smaller the more is
        pruned (-c, in per cent); None leaves the tree unpruned.
    subtree_raising : whether a subtree may be replaced by its largest branch.
    subsets : whether the values of an attribute are grouped into fewer branches (-s).
    guard : whether an attribute must have at least average gain to be chosen by its ratio.
    penalty : whether a threshold pays for the cuts that were tried, and needs a least number of
        cases on either side.
    collapse : whether subtrees that do not help on the training cases become leaves.
    guess : whether `score` lets the tree answer for a value that no training case had at its node;
        if not, such an answer is an error, as in programs that find no branch for it.

    Attributes
    ----------
    tree_ : the `dtreebook.tree.Tree`.
    unpruned_tree_ : the tree before pruning.
    classes_ : array [K], the classes in order.
    n_features_in_, feature_names_in_ : the columns; names only for frames.

    References
    ----------
    Quinlan (1993), chapters 2 to 4; Quinlan (1996), section 3.

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

    def __init__(
        self,
        *,
        criterion="gain_ratio",
        min_cases=2,
        confidence=0.25,
        subtree_raising=True,
        subsets=False,
        guard=True,
        penalty=True,
        collapse=True,
        guess=True,
    ):
        self.criterion = criterion
        self.min_cases = min_cases
        self.confidence = confidence
        self.subtree_raising = subtree_raising
        self.subsets = subsets
        self.guard = guard
        self.penalty = penalty
        self.collapse = collapse
        self.guess = guess

    def predict(self, X):
        """Return the class of each case: of equally likely ones, the first."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]

    def predict_proba(self, X):
        """Return the class weights of each case, gathered from all leaves it may belong to."""
        columns = self._encode(X)
        return spread(self.tree_, columns)

    def explain(self, X):
        """Return one line for each case: the tests it passes, its class, the cases behind it.

        Where a value is unknown the case goes on in every branch; the line then ends with the share
        that its class has among all leaves that it comes to.
        """
        columns = self._encode(X)
        shares = spread(self.tree_, columns)
        lines = []
        for end, share in zip(self.tree_.route(columns), shares, strict=True):
            split = self.tree_.flat.split[end]
            if split is None:
                lines.append(self.tree_.explain(end))
            else:
                unknown = f"{self.tree_.attributes[split.attribute].name} unknown"
                passed = ", ".join([*self.tree_.conditions(self.tree_.path(end)), unknown])
                label = self.classes_[share.argmax()]
                lines.append(f"{passed}: {label} ({share.max():.1%} over all branches)")
        return lines

    def score(self, X, y, sample_weight=None):
        """Return the share of the cases that the tree gets right: see ``guess``."""
        if self.guess:
            return super().score(X, y, sample_weight)
        ends = self.apply(X)
        flat = self.tree_.flat
        seen = (flat.first_child[ends] == 0) & flat.counts[ends].any(axis=1)
        return np.average(seen & (self.predict(X) == np.asarray(y)), weights=sample_weight)

    def export_text(self, style="c45"):
        """Return the tree as text: see `dtreebook.tree.Tree.export_text`.

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
        pruned = self.confidence is not None
        errors = predicted_errors(self.tree_, self.confidence) if pruned else None
        return self.tree_.export_text(style, errors)

    def rules(self, X, y, sample_weight=None):
        """Return the rules drawn from the unpruned tree, given the cases it was grown on.

        Returns
        -------
        `dtreebook.rules.RuleSet`.

        Raises
        ------
        ValueError
            If these are other cases.

        References
        ----------
        Quinlan (1993), chapter 5.

        Examples
        --------
        >>> from dtreebook.datasets import load_golf
        >>> X, y = load_golf(return_X_y=True)
        >>> rules = C45Classifier().fit(X, y).rules(X, y)
        >>> len(rules.rules), rules.classes[rules.default]
        (4, 'Play')
        """
        cases = self._read_again(X, y, sample_weight)
        confidence = 0.25 if self.confidence is None else self.confidence
        return rules_from(self.unpruned_tree_, cases, confidence)

    def _grow(self, cases):
        tree = grow(cases, self._recipe(cases))
        self.unpruned_tree_ = collapse(tree) if self.collapse else tree
        self.tree_ = self.unpruned_tree_
        if self.confidence is not None:
            self.tree_ = error_based(
                self.unpruned_tree_, cases, self.confidence, self.subtree_raising
            )

    def _recipe(self, cases):
        if self.criterion not in ("gain_ratio", "gain"):
            raise ValueError(f"criterion must be 'gain_ratio' or 'gain', not {self.criterion!r}")
        check_scalar(self.min_cases, "min_cases", Real, min_val=0)
        if np.isnan(self.min_cases):
            raise ValueError("min_cases is NaN: give a weight of cases, 0 or more")
        for name in _SWITCHES:
            check_scalar(getattr(self, name), name, (bool, np.bool_))
        if self.confidence is not None:
            check_scalar(
                self.confidence,
                "confidence",
                Real,
                min_val=0,
                max_val=1,
                include_boundaries="right",
            )
        return Recipe(
            score=self.criterion,
            min_cases=self.min_cases,
            guard=self.guard and self.criterion == "gain_ratio",
            penalty=self.penalty,
            unknown="fractions",
            subsets=self.subsets,
        )

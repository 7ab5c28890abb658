"""Forests: many trees, each grown on cases drawn with replacement, whose answers are averaged.

scikit-learn's ``BaggingClassifier`` grows forests of any estimator, of ours too, but it hands on
arrays: names, kinds and the order of levels are lost on the way, and every tree reads the table
again. Here the table is read once, and each tree grows from rows of what was read.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted, check_scalar, validate_data

from dtreebook.base import RandomState, TreeClassifier, TreeEstimator, TreeRegressor
from dtreebook.cart import CARTClassifier, CARTRegressor
from dtreebook.data.cases import majority_class, sorted_places
from dtreebook.data.reading import parts
from dtreebook.tree.predicting import answers

if TYPE_CHECKING:
    from typing import Self


@dataclass(eq=False, repr=False)
class Forest(BaseEstimator):
    """What a forest for classes and one for numbers share."""

    estimator: TreeEstimator | None = None
    _: KW_ONLY
    n_estimators: int = 100
    random_state: RandomState = None
    estimators_: list[Any] = field(init=False)
    _default: ClassVar[TreeEstimator]
    _trees: ClassVar[type[TreeEstimator]]  #: the trees that can be averaged

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the trees: parameters and errors are those of the tree's own ``fit``."""
        check_scalar(self.n_estimators, "n_estimators", Integral, min_val=1)
        if not isinstance(self.estimator, self._trees | None):
            raise TypeError(
                f"{type(self).__name__} averages trees of this package that predict as it does, "
                f"such as {type(self._default).__name__}, not {type(self.estimator).__name__}"
            )
        X, y, sample_weight = parts(X, y, sample_weight)
        model = self._tree()
        if isinstance(getattr(model, "ccp_alpha", None), str):
            raise ValueError(
                f"ccp_alpha is {model.ccp_alpha!r}, but nothing is cross-validated in a forest: "
                "give its trees a number"
            )
        cases, random = model._read(X, y, sample_weight), check_random_state(self.random_state)
        n, trees = len(cases), []
        told, times = np.zeros((n, cases.n_classes)), np.zeros((n, 1))
        for _ in range(self.n_estimators):
            rows = random.randint(n, size=n)
            tree = clone(model).set_params(random_state=random.randint(2**31 - 1))
            tree.tree_ = tree._grow(cases.take(rows))
            validate_data(tree, X, reset=True, skip_check_array=True)
            trees.append(tree)
            others = np.setdiff1d(np.arange(n), rows)
            if len(others):
                told[others] += answers(tree.tree_, cases.take(others).columns)
                times[others] += 1
        validate_data(self, X, reset=True, skip_check_array=True)
        self.estimators_ = trees
        self._judge(cases, np.divide(told, times, out=np.full_like(told, np.nan), where=times > 0))
        return self

    def to_sklearn(self) -> Any:
        """Raise TypeError: each tree of CART can be one of scikit-learn's, a forest cannot."""
        raise TypeError(
            "a forest is not one of scikit-learn's trees: take its trees one by one, as in "
            "`forest.estimators_[0].to_sklearn()`, where they are trees of CART"
        )

    def _tree(self):
        return clone(self._default if self.estimator is None else self.estimator)

    def _answers(self, X):
        """Return the mean of what the trees say of each case: array [n, K], or [n, 1]."""
        check_is_fitted(self)
        columns = self.estimators_[0]._encode(X)
        return np.mean([answers(model.tree_, columns) for model in self.estimators_], axis=0)

    @property
    def feature_importances_(self) -> np.ndarray:
        """The mean of the importances of the trees: array [A]."""
        check_is_fitted(self)
        return np.mean([model.feature_importances_ for model in self.estimators_], axis=0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._tree()).input_tags
        return tags


@dataclass(eq=False, repr=False)
class ForestClassifier(ClassifierMixin, Forest):
    """Classify by the mean of the class shares that many trees tell.

    Source: Breiman (1996) for drawing cases; Breiman (2001) for drawing columns.

    Parameters
    ----------
    estimator : a classifier of this package, the tree to be grown; None for
        ``CARTClassifier(max_features="sqrt")``. Its ``random_state`` is set for every tree.
    n_estimators : the number of trees.
    random_state : int or RandomState, by which cases and columns are drawn; None draws anew.

    Attributes
    ----------
    estimators_ : the trees, fitted estimators.
    classes_ : array [K], the classes, sorted.
    oob_decision_function_ : array [n, K], the mean shares that the trees grown without a case tell
        of it; NaN where every tree has seen it. The cases are those of some weight.
    oob_score_ : the share, in weight, of these cases that is right: "out of bag".
    feature_importances_ : array [A], the mean of those of the trees.

    Examples
    --------
    >>> from dtreebook.datasets import load_car
    >>> X, y = load_car(return_X_y=True)
    >>> forest = ForestClassifier(n_estimators=5, random_state=0).fit(X, y)
    >>> forest.estimators_[0].tree_.attributes[0].name, bool(forest.oob_score_ > 0.9)
    ('buying', True)
    """

    _default = CARTClassifier(max_features="sqrt")
    _trees = TreeClassifier
    oob_decision_function_: np.ndarray = field(init=False)
    oob_score_: float = field(init=False)

    @property
    def classes_(self) -> np.ndarray:
        """The classes, sorted: array [K]."""
        check_is_fitted(self)
        return self.estimators_[0].classes_

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the mean class shares of each case, in the order of ``classes_``: array [n, K]."""
        return self._answers(X)[:, sorted_places(self._in_trees)]

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each case: of equally likely ones, the first in the trees' order."""
        return self._in_trees[majority_class(self._answers(X))]

    @property
    def _in_trees(self):
        """The classes in the order of the trees."""
        check_is_fitted(self)
        return self.estimators_[0].tree_.classes

    def _judge(self, cases, told):
        known = ~np.isnan(told[:, 0])
        self.oob_decision_function_ = told[:, sorted_places(self._in_trees)]
        self.oob_score_ = np.nan
        if known.any():
            right = majority_class(told[known]) == cases.target[known]
            self.oob_score_ = float(np.average(right, weights=cases.weights[known]))


@dataclass(eq=False, repr=False)
class ForestRegressor(RegressorMixin, Forest):
    """Predict the mean of the numbers that many trees tell.

    Source: Breiman (2001), section 11, for numbers and the third of the columns.

    Parameters
    ----------
    estimator : a `CARTRegressor`, the tree to be grown; None for one that draws a third of the
        columns for each node.
    n_estimators, random_state : as in `ForestClassifier`.

    Attributes
    ----------
    estimators_, feature_importances_ : as in `ForestClassifier`.
    oob_prediction_ : array [n], the mean of what the trees grown without a case say of it; NaN
        where every tree has seen it.
    oob_score_ : the share of the variance that this explains, R2.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> forest = ForestRegressor(n_estimators=20, random_state=0)
    >>> bool(forest.fit(*load_diabetes(return_X_y=True)).oob_score_ > 0.3)
    True
    """

    _default = CARTRegressor(max_features=1 / 3)
    _trees = TreeRegressor
    oob_prediction_: np.ndarray = field(init=False)
    oob_score_: float = field(init=False)

    def predict(self, X: Any) -> np.ndarray:
        """Return the mean of what the trees say of each case: array [n]."""
        return self._answers(X)[:, 0]

    def _judge(self, cases, told):
        self.oob_prediction_, self.oob_score_ = told[:, 0], np.nan
        known = ~np.isnan(self.oob_prediction_)
        if np.count_nonzero(known) > 1:
            pair = cases.target[known], self.oob_prediction_[known]
            self.oob_score_ = float(r2_score(*pair, sample_weight=cases.weights[known]))

"""What all our estimators share: reading X and y the scikit-learn way, predicting, explaining."""

import numpy as np
import pandas as pd
from pandas.api import types
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d, validate_data

from dtreebook.data import as_frame, encode, read_cases, read_labels, read_regression
from dtreebook.grow import decisions, grow


class TreeEstimator(BaseEstimator):
    """Grow a tree by the recipe of a subclass, and follow it.

    A subclass gives `_recipe`, and `_prepare` if its algorithm does not take every kind of column.
    """

    def decisions(self, X, y, sample_weight=None):
        """Return the record of every decision that `fit` takes on these cases.

        Returns
        -------
        list of `dtreebook.grow.Decision`, level by level.
        """
        cases = self._read_apart(X, y, sample_weight)
        return decisions(cases, self._recipe(cases))

    def apply(self, X):
        """Return where each case ends: the number of its leaf, counted level by level from 0.

        A case whose value is unknown, or was not seen in training, ends where it is asked for.
        """
        columns = self._encode(X)
        return self.tree_.route(columns)

    def explain(self, X):
        """Return one line for each case: the tests it passes, its class, the cases behind it."""
        return [self.tree_.explain(leaf) for leaf in self.apply(X)]

    def export_text(self, style="c45"):
        """Return the tree as text: see `dtreebook.tree.Tree.export_text`."""
        check_is_fitted(self)
        return self.tree_.export_text(style)

    def get_depth(self):
        """Return the number of tests on the longest path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self):
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def __sklearn_is_fitted__(self):
        # Not by the names of the columns, which a fit that failed may leave behind.
        return hasattr(self, "tree_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _read_apart(self, X, y, sample_weight):
        """Return the cases as `fit` reads them, and leave what it has learnt as it is."""
        return clone(self)._read(X, y, sample_weight)

    def _read_again(self, X, y, sample_weight):
        """Return the cases of the training set; raise ValueError if they seem to be others."""
        check_is_fitted(self)
        tree, cases = self.tree_, self._read_apart(X, y, sample_weight)
        weight = len(cases.target) if cases.weight is None else cases.weight.sum()
        if not (
            cases.attributes == tree.attributes
            and np.array_equal(cases.classes, tree.classes)
            and np.isclose(weight, tree.flat.counts[0].sum())
        ):
            raise ValueError(
                "these are not the cases that the tree was grown on: give it the X, y and "
                "sample_weight of fit"
            )
        return cases

    def _prepare(self, cases):
        return cases

    def _grow(self, cases):
        self.tree_ = grow(cases, self._recipe(cases))

    def _encode(self, X):
        """Return the columns of X as the tree knows them."""
        check_is_fitted(self)
        names = [attribute.name for attribute in self.tree_.attributes]
        by_name = isinstance(X, pd.DataFrame) and hasattr(self, "feature_names_in_")
        if by_name and _has_levels(X) and set(names) == set(X.columns):
            # scikit-learn wants the columns in the order of fit; text we can find by name.
            X = X[names]
        frame = as_frame(self._validated(X, reset=False))
        # Names that are not text scikit-learn does not know, and takes the columns as they stand.
        if not (isinstance(X, pd.DataFrame) and set(names) == set(frame.columns)):
            frame = frame.set_axis(names, axis=1)
        return encode(frame, self.tree_.attributes)

    def _validated(self, X, reset):
        """Let scikit-learn check X as far as it can: it does not know text beside numbers."""
        if isinstance(X, pd.DataFrame):
            as_frame(X)  # says better what is wrong with an empty one
        if _has_levels(X):
            return validate_data(self, X, reset=reset, skip_check_array=True)
        if isinstance(X, list):
            # An array of text would turn numbers into text.
            X = as_frame(X).to_numpy(dtype=object)
        checked = validate_data(self, X, reset=reset, dtype=None, ensure_all_finite=False)
        return X if isinstance(X, pd.DataFrame) else checked


class TreeClassifier(ClassifierMixin, TreeEstimator):
    """Classify by a tree."""

    def fit(self, X, y, sample_weight=None):
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame, array or list [n, A]. NaN and None are unknown values.
        y : n classes; the classes of a pandas Categorical keep their order.
        sample_weight : n weights, not negative; weight 2 equals a row that stands there twice.

        Returns
        -------
        self, with ``tree_``, ``classes_``, ``n_features_in_`` and, for frames,
        ``feature_names_in_``.

        Raises
        ------
        ValueError
            If X, y, the weights or a parameter cannot be used; it names the column, the row and
            what to do.
        TypeError
            If a parameter is of another type, or X is sparse.
        """
        cases = self._read(X, y, sample_weight)
        self._grow(cases)
        self.classes_ = cases.classes
        return self

    def predict(self, X):
        """Return the class of each case."""
        leaves = self.apply(X)
        return self.classes_[self.tree_.flat.label[leaves]]

    def predict_proba(self, X):
        """Return the shares of the training cases by class where each case ends: array [n, K]."""
        leaves = self.apply(X)
        return self.tree_.distribution[leaves]

    def _read(self, X, y, sample_weight):
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None")
        if not isinstance(getattr(y, "dtype", None), pd.CategoricalDtype):
            if isinstance(y, list | tuple):
                y = np.array(y, dtype=object)  # an array of text would turn NaN into "nan"
            if not types.is_extension_array_dtype(y):  # which it would turn into floats
                y = column_or_1d(y, warn=True)
            y = read_labels(y)
            if y.dtype.kind not in "biu":  # these are always classes, and the check is slow
                check_classification_targets(y.to_numpy())
        X = self._validated(X, reset=True)
        return self._prepare(read_cases(X, y, sample_weight))


class TreeRegressor(RegressorMixin, TreeEstimator):
    """Predict numbers by a tree."""

    def fit(self, X, y, sample_weight=None):
        """Grow the tree.

        Parameters
        ----------
        X : DataFrame, array or list [n, A]. NaN and None are unknown values.
        y : n finite numbers.
        sample_weight : n weights, not negative; weight 2 equals a row that stands there twice.

        Returns
        -------
        self, with ``tree_``, ``n_features_in_`` and, for frames, ``feature_names_in_``.

        Raises
        ------
        ValueError
            If X, y, the weights or a parameter cannot be used; it names the column, the row and
            what to do.
        TypeError
            If a parameter is of another type, or X is sparse.
        """
        self._grow(self._read(X, y, sample_weight))
        return self

    def predict(self, X):
        """Return the mean of the training cases where each case ends: array [n]."""
        leaves = self.apply(X)
        return self.tree_.flat.label[leaves]

    def _read(self, X, y, sample_weight):
        if y is None:
            raise ValueError("fit requires y to be passed, but the target y is None")
        y = column_or_1d(y, warn=True)
        X = self._validated(X, reset=True)
        return self._prepare(read_regression(X, y, sample_weight))


def _has_levels(X):
    """Whether X is a frame with a column that is no number, which scikit-learn would refuse."""
    return isinstance(X, pd.DataFrame) and any(
        types.is_bool_dtype(dtype) or not types.is_numeric_dtype(dtype) for dtype in X.dtypes
    )

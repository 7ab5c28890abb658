"""What all our estimators share: fitting, predicting and explaining, the scikit-learn way.

An estimator says in `_control` how its trees grow, and in `_pruned` what is left of them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from functools import wraps
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted, check_scalar, validate_data

from dtreebook.data.cases import sorted_places
from dtreebook.data.encoding import encode_table
from dtreebook.data.reading import (
    KINDS,
    as_pandas,
    as_table,
    in_range,
    is_numeric,
    one_target,
    parts,
    read_training,
    read_weights,
)
from dtreebook.grow.criteria import PRICINGS
from dtreebook.grow.growth import grow
from dtreebook.grow.record import Decision, decisions
from dtreebook.grow.regrowing import columns_of, named, node_at, regrow
from dtreebook.measures import entropy, total
from dtreebook.parameters import Cost, class_weights, not_negative, number_drawn, one_of, prices
from dtreebook.prune.cost_complexity import node_risks, pruning_path
from dtreebook.prune.crossvalidation import folds
from dtreebook.tree.predicting import answers, labels, passed
from dtreebook.tree.sql import to_sql
from dtreebook.tree.text import Explanation, explanations
from dtreebook.tree.tree import Tree

if TYPE_CHECKING:
    from typing import Self

RandomState: TypeAlias = np.random.RandomState | int | None

# What `dtreebook.database.door` does in the place of a method where X is a table of Ibis.
_IN_DATABASE = (
    "fit",
    "decisions",
    "apply",
    "predict",
    "predict_proba",
    "explain",
    "score",
    "_folds",
)


class _WhereTheRowsAre(BaseEstimator):
    """Fit and ask where the rows are: in memory, or, of a table of Ibis, in its database."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        for name in set(_IN_DATABASE) & vars(cls).keys():
            setattr(cls, name, _here_or_in_database(vars(cls)[name]))


def _here_or_in_database(method: Callable) -> Callable:
    """Return a method that leaves the rows of a table of Ibis to the database that they are in."""

    @wraps(method)
    def here_or_there(self, X, *given, **named):
        if type(X).__module__.partition(".")[0] != "ibis":
            return method(self, X, *given, **named)
        from dtreebook.database import door  # Ibis takes long to import

        return getattr(door, method.__name__.lstrip("_"))(self, X, *given, **named)

    return here_or_there


@dataclass(eq=False, repr=False, kw_only=True)
class TreeEstimator(_WhereTheRowsAre):
    """Grow a tree as the control of a subclass says, and follow it.

    A subclass gives `_control`; and `_pruned`, if `fit` prunes what has grown.
    """

    max_depth: int | None = None
    max_features: int | float | str | None = None
    random_state: RandomState = None
    cost: Cost = None
    forbid: Sequence[Hashable] | str = ()
    verbose: int = 0
    memory: str | int | None = None
    tree_: Tree = field(init=False)
    pricing = "idx"
    unseen = "predict"
    _kinds: ClassVar[Container[str]] = KINDS  #: the kinds of attributes that the algorithm takes
    _predicts_numbers: ClassVar[bool] = False

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree.

        Raises ValueError if X, y, the weights or a parameter cannot be used; it names the column,
        the row and what to do; TypeError if a parameter is of another type, or X is sparse or a
        LazyFrame.

        Parameters
        ----------
        X : DataFrame of pandas or polars, table of Arrow, array or list [n, A]: see
            `dtreebook.data.reading.read_training`. NaN, None and null are unknown values. The rows
            of a table of Ibis stay in their database: see `dtreebook.database.fitting.fit`.
        y : n classes. The tree has them sorted, or in the order of a pandas Categorical: so they
            are printed, and of classes that are tied it predicts the first. ``classes_`` and the
            columns of `predict_proba` are sorted in any case, as scikit-learn wants them, so that
            of tied classes `predict` may give another than the first of ``classes_``. For a
            regression tree, n finite numbers. Or the name of a column of the frame, or of the table
            of Ibis, which is then left out of X.
        sample_weight : n weights, not negative, or the name of a column; weight 2 equals a row that
            is there twice, unless a parameter counts rows.

        Returns
        -------
        self, with ``tree_``, ``n_features_in_``, for frames ``feature_names_in_``, and if it has
        classes ``classes_``.
        """
        X, y, sample_weight = parts(X, y, sample_weight)
        fitted = copy(self)
        cases = fitted._read(X, y, sample_weight)
        validate_data(fitted, X, reset=True, skip_check_array=True)
        fitted.tree_ = fitted._grow(cases)
        fitted._choose(X, y, sample_weight)
        self.__dict__ = fitted.__dict__  # last: a fit that fails leaves the model as it was
        return self

    def regrow(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        at: str | Sequence[int] = (),
        ask: Any = None,
        forbid: Iterable[Hashable] | str = (),
    ) -> Self:
        """Return a model whose tree is grown anew below a node, as somebody wants it there.

        All below the node is grown and pruned as in `fit`, at the price of a leaf that was chosen
        there; the rest of the tree stays. The ``unpruned_tree_`` of C4.5, from which `rule_set` is
        made, is then unpruned below the node only. What is wanted holds for this tree alone:
        growing it anew from a node above, or by `fit`, forgets it.

        But columns that are forbidden at the root become the parameter ``forbid`` of the model that
        is returned, and if no test is asked for there, it is fitted under this constraint: a price
        of a leaf that cross-validation chooses is chosen anew.

        Raises ValueError if there is no such node, column or value, the test does not divide the
        cases there, or ``max_depth`` allows none.

        Parameters
        ----------
        X, y, sample_weight : the cases of `fit`.
        at : the node: its path as `explain` prints it, "" for the root, or a tuple of branches.
        ask : the test there: the name of a column, for its best test; (name, cut) for numbers or
            ordered levels; (name, groups of values) for words. None for the best of all columns.
            Either way both sides must have the cases that ``min_samples_leaf`` asks for.
        forbid : names of columns that are not asked about at the node and below.

        Examples
        --------
        >>> from dtreebook import ID3Classifier
        >>> from dtreebook.datasets import load_loan
        >>> X, y = load_loan(return_X_y=True)
        >>> print(ID3Classifier().fit(X, y).regrow(X, y, at="house = no", ask="credit").tree_)
        house = yes: yes (6.0)
        house = no:
        |   credit = fair: no (4.0)
        |   credit = excellent: yes (1.0)
        |   credit = good:
        |   |   work = no: no (2.0)
        |   |   work = yes: yes (2.0)
        """
        X, y, sample_weight = parts(X, y, sample_weight)
        model = copy(self)
        if not at and (columns := named(forbid)):
            model.forbid = [*named(self.forbid), *columns]
            if ask is None:
                if hasattr(model, "tree_"):
                    self._read_again(X, y, sample_weight)
                return model.fit(X, y, sample_weight)
        if not hasattr(model, "tree_"):
            model.fit(X, y, sample_weight)
        cases = model._read_again(X, y, sample_weight)

        def as_grown(tree, *of):
            return model._as_grown(tree)

        def prune(tree, *of):
            return model._pruned(model._as_grown(tree), *of)

        both, control = (as_grown, prune), model._control(cases)
        unpruned, tree = regrow(model.tree_, cases, control, both, at, ask, forbid)
        if tree.arrays.improvement is not None and ask is not None:
            risks, node = node_risks(tree, self._impurity), node_at(tree, at)
            gain = risks[node] - risks[list(tree.arrays.children(node))].sum()
            tree.arrays.improvement[node] = gain
        model.tree_ = tree
        if hasattr(model, "unpruned_tree_"):
            model.unpruned_tree_ = unpruned
        return model

    def decisions(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> list[Decision]:
        """Return the record of every decision that `fit` takes on these cases, level by level."""
        cases = self._read(*parts(X, y, sample_weight))
        return decisions(cases, self._control(cases))

    def apply(self, X: Any) -> np.ndarray:
        """Return where each case ends: the number of its leaf, counted level by level from 0.

        A case whose value is unknown, or has no branch, ends where it is asked for.

        Of a table of Ibis, what this, `explain`, `predict` and `predict_proba` say is an expression
        that runs where the rows are: see `dtreebook.database.scoring`.
        """
        columns = self._encode(X)
        return self.tree_.arrays.route(columns)

    def predict(self, X: Any) -> np.ndarray:
        """Return the class, or the number, of each case; None if ``unseen="none"`` and it stops."""
        columns, tree = self._encode(X), self.tree_
        said = labels(tree, columns)
        if tree.classes is not None:
            said = tree.classes[said]
        if self.unseen == "none":
            said = said.astype(object)
            said[~tree.arrays.has_answer[tree.arrays.route(columns)]] = None
        return said

    def explain(self, X: Any) -> list[str]:
        """Return one line for each case: its steps, its answer, the cases behind it.

        A step that the test did not decide says in brackets what did: a surrogate, or the default
        branch. Where the case goes on in every branch, the line ends with the share of its class
        among all leaves that it comes to; `dtreebook.tree.predicting.passed` has its parts there.
        The answer is the tree's also where ``unseen="none"`` makes `predict` give None.
        """
        return list(map(str, self.explanations(X)))

    def explanations(self, X: Any) -> list[Explanation]:
        """Return the steps and the answer of each case: see `dtreebook.tree.text`."""
        table = self._in_order(X)
        return explanations(self.tree_, table)

    def decision_path(self, X: Any) -> csr_matrix:
        """Return the nodes that each case, or a part of it, passes: sparse matrix [n, N] of ones.

        It is that of scikit-learn; the nodes are counted as in `apply`.
        """
        columns = self._encode(as_pandas(X))
        case, node, _ = passed(self.tree_, columns)
        shape = len(columns[0]), self.tree_.node_count
        return csr_matrix((np.ones(len(case), dtype=np.intp), (case, node)), shape=shape)

    @property
    def feature_importances_(self) -> np.ndarray:
        """The share of each attribute in all that the tests of the tree gain: array [A].

        The gain of a test is what it lowers the impurity of its cases by, times their weight; that
        of a test of ID3 or C4.5 the information in bits, of the counts that stand in the tree.
        """
        check_is_fitted(self)
        gains = self._gains()
        return gains / (gains.sum() or 1)

    def _gains(self):
        """Return what every attribute gains in the tests of the tree: array [A]."""
        arrays, inner = self.tree_.arrays, np.flatnonzero(self.tree_.arrays.first_child)
        known = arrays.links.children_sum(arrays.counts, inner)
        left = arrays.links.children_sum(node_risks(self.tree_, entropy), inner)
        gain = np.maximum(total(known) * entropy(known) - left, 0)
        return np.bincount(arrays.split.column[inner], gain, len(self.tree_.attributes))

    def export_text(self, style: str = "c45") -> str:
        """Return the tree as text: see `dtreebook.tree.tree.Tree.export_text`."""
        check_is_fitted(self)
        return self.tree_.export_text(style)

    def to_sql(self, dialect: str = "ansi") -> str:
        """Return the tree as an SQL expression: see `dtreebook.tree.sql.to_sql`."""
        check_is_fitted(self)
        return to_sql(self.tree_, dialect)

    def to_sklearn(self) -> Any:
        """Raise TypeError: only trees of CART can be those of scikit-learn."""
        raise TypeError(
            f"scikit-learn's trees cannot be those of {type(self).__name__}, whose nodes may have "
            "many branches and may send a case down all of them: use CARTClassifier"
        )

    def rules(self) -> pd.DataFrame:
        """Return a rule for each leaf, as a DataFrame: see `dtreebook.tree.tree.Tree.rules`."""
        check_is_fitted(self)
        return self.tree_.rules()

    def get_depth(self) -> int:
        """Return the number of tests on the longest path."""
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.tree_.n_leaves

    def cost_complexity_pruning_path(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Return the alphas at which the tree loses its weakest links, and the impurity then left.

        As scikit-learn's, it is a Bunch of ``ccp_alphas`` and ``impurities``, arrays [m]. The tree
        is the one that ``fit`` grows before it prunes anything. The impurity is that of the
        criterion; for ID3 and C4.5 the entropy in bits, so that ``prune_at(tree, alpha,
        measures.entropy)`` gives the tree of an alpha, with the
        `dtreebook.prune.cost_complexity.prune_at` of any tree.

        Source: Breiman et al. (1984), section 3.3.

        Examples
        --------
        >>> from dtreebook import ID3Classifier
        >>> from dtreebook.datasets import load_loan
        >>> path = ID3Classifier().cost_complexity_pruning_path(*load_loan(return_X_y=True))
        >>> path.ccp_alphas.round(3), path.impurities.round(3)
        (array([0.   , 0.485]), array([0.   , 0.971]))
        """
        cases = self._read(*parts(X, y, sample_weight))
        tree = self._as_grown(grow(cases, self._control(cases)))
        path = pruning_path(tree, self._impurity)
        return Bunch(ccp_alphas=path.alphas, impurities=path.risks)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _read(self, X, y, sample_weight):
        """Return the cases of a training set, of which X is of pandas; the model stays as it is."""
        numbers, kinds = self._predicts_numbers, self._kinds
        return self._weigh(
            read_training(X, y, sample_weight, kinds=kinds, is_regression=numbers, model=self)
        )

    def _weigh(self, cases):
        """Return the cases with the weights that the model gives them."""
        return cases

    def _read_again(self, X, y, sample_weight):
        """Return the cases of the training set; raise ValueError if they seem to be others."""
        check_is_fitted(self)
        tree, cases = self.tree_, self._read(*parts(X, y, sample_weight))
        if not (
            cases.attributes == tree.attributes
            and np.array_equal(cases.classes, tree.classes)
            and np.isclose(cases.total, tree.arrays.counts[0].sum())
        ):
            raise ValueError(
                "these are not the cases that the tree was grown on: give it the X, y and "
                "sample_weight of fit"
            )
        return cases

    def _as_counts(self, weights):
        """Return the weights of all cases as the tree counts them."""
        return weights

    def _control_of(self, kind, cases, **given):
        """Return a control of some kind: the parameters of the same names, checked, but for some.

        What differs from the parameter of its name is given.
        """
        one_of("pricing", self.pricing, PRICINGS)
        if self.max_depth is not None:
            check_scalar(self.max_depth, "max_depth", Integral, min_val=0)
        given["max_features"] = number_drawn(self.max_features, len(cases.attributes))
        given["cost"] = prices(self.cost, cases.attributes)
        given["forbid"] = None
        if columns := columns_of(self.forbid, cases.attributes):
            given["forbid"] = np.isin(np.arange(len(cases.attributes)), columns)
        names = (f.name for f in fields(kind) if hasattr(self, f.name))
        return kind(**{name: getattr(self, name) for name in names} | given)

    def mean_cost(self, X: Any, cost: Cost = None) -> float:
        """Return what the answers for some cases cost on average: the columns that each is asked.

        A column is paid for once, however often the tree asks about it. Of a case that goes down
        every branch in parts, each part pays for its way, in proportion to its weight. The prices
        are given as in ``cost=``; None for those of the model, or 1 each if it has none.

        Examples
        --------
        >>> from dtreebook import ID3Classifier
        >>> from dtreebook.datasets import load_loan
        >>> X, y = load_loan(return_X_y=True)
        >>> prices = {"house": 10}
        >>> minds, other = ID3Classifier(cost=prices).fit(X, y), ID3Classifier().fit(X, y)
        >>> round(minds.mean_cost(X), 2), round(other.mean_cost(X, prices), 2)
        (1.93, 10.6)
        """
        columns, tree = self._encode(X), self.tree_
        if tree.fractional:
            parts = passed(tree, columns)
            parts = parts.at(tree.arrays.first_child[parts.node] == 0)
            end, weight = parts.node, parts.weight
        else:
            end, weight = tree.arrays.route(columns), np.ones(len(columns[0]))
        price = prices(self.cost if cost is None else cost, tree.attributes)
        price = np.ones(len(tree.attributes)) if price is None else price
        asked = np.zeros((tree.node_count, len(price)), dtype=bool)
        column = tree.arrays.split.column
        for node, parent in enumerate(tree.arrays.parent):
            if node:
                asked[node] = asked[parent]
            asked[node, column[node]] |= column[node] >= 0
        return float((asked @ price)[end] @ weight / len(columns[0]))

    _impurity: ClassVar[Any] = staticmethod(entropy)

    def _grow(self, cases, grow=grow, send=None):
        """Grow the tree and prune it.

        Of a table in a database, other functions grow it and, where pruning counts cases anew, send
        them down.
        """
        return self._pruned(self._as_grown(grow(cases, self._control(cases))), cases)

    def _as_grown(self, tree):
        """Return a tree that has grown as it is before it is pruned."""
        return tree

    def _pruned(self, tree, cases, share=1.0, beside=0):
        """Return the tree as `fit` prunes it, or a part of one.

        A part has a share of the weight of all cases, and so many leaves of the tree beside it.
        """
        return tree

    def _choose(self, X, y, sample_weight, *memory):
        """Choose what is chosen by cross-validation once the tree is there; nothing, as a rule."""

    def _folds(self, X, y, sample_weight, draw, memory):
        """Return the folds of some cases: see `dtreebook.prune.crossvalidation.folds`."""
        X, y, sample_weight = parts(X, y, sample_weight)
        return folds(self, self._read(X, y, sample_weight), y, sample_weight, draw)

    def _encode(self, X):
        """Return the columns of X as the tree knows them."""
        table = self._in_order(X)
        return encode_table(table, self.tree_.attributes)

    def _in_order(self, X):
        """Return X with the columns of the tree: of a frame by name, else by position."""
        check_is_fitted(self)
        X = as_pandas(X)
        table = as_table(X, self)
        names = [attribute.name for attribute in self.tree_.attributes]
        is_frame, was_frame = isinstance(X, pd.DataFrame), hasattr(self, "feature_names_in_")
        if is_frame and was_frame and X.columns.tolist() == names:
            return table  # nothing is left to validate
        by_name = is_frame and set(names) == set(table.columns)
        if by_name:
            table = table[names]
            if was_frame and not is_numeric(X):
                # scikit-learn wants the columns in the order of fit; text we can find by name.
                X = table
        validate_data(self, X, reset=False, skip_check_array=True)
        if isinstance(table, pd.DataFrame) and not by_name:
            table = table.set_axis(names, axis=1)
        return table


class TreeClassifier(ClassifierMixin, TreeEstimator):
    """Classify by a tree."""

    class_weight: Mapping | str | None = None

    @property
    def classes_(self) -> np.ndarray:
        """The classes, sorted: array [K]; ``tree_.classes`` has them in the order of the tree."""
        check_is_fitted(self)
        classes = cast(np.ndarray, self.tree_.classes)
        return classes[sorted_places(classes)]

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of the cases that the tree gets right; no answer is never right.

        y and sample_weight may be names of columns, as in `fit`.
        """
        X, y, sample_weight = parts(X, y, sample_weight)
        if self.unseen == "predict":
            return super().score(X, y, sample_weight)
        answers, y = self.predict(X), np.asarray(one_target(as_pandas(y, "y")))
        weights = read_weights(answers, y, sample_weight)
        return float(np.average(answers == y, weights=weights))

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the class shares of each case, in the order of ``classes_``: array [n, K].

        They are those of the training cases in the leaf where it ends; with C4.5 gathered from all
        leaves that it may belong to.
        """
        columns, tree = self._encode(X), self.tree_
        return answers(tree, columns)[:, sorted_places(tree.classes)]

    def predict_log_proba(self, X: Any) -> np.ndarray:
        """Return the logarithms of `predict_proba`; that of 0 is minus infinity."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(as_pandas(X)))

    def _losses(self):
        """Return what it costs to take a case of one class for another: [K, K], as in the tree."""
        return 1 - np.eye(len(cast(np.ndarray, self.tree_.classes)))

    def _weigh(self, cases):
        """Return the cases with the weights of their classes."""
        if self.class_weight is None:
            return cases
        by_class = class_weights(self.class_weight, cases)
        with np.errstate(over="ignore"):  # what is too large is said in words
            weights = cases.weights * by_class[cases.target]
        return cases.weighted(in_range(weights, "class_weight, times sample_weight,"))


@dataclass(eq=False, repr=False, kw_only=True)
class MultiwayClassifier(TreeClassifier):
    """Classify by a tree with a branch for each value, as ID3 and C4.5 grow it."""

    min_samples_leaf: float = 0
    unseen: str = "predict"
    class_weight: Mapping | str | None = None
    pricing: str = "eg2"

    def _control_of(self, kind, cases, **given):
        not_negative("min_samples_leaf", self.min_samples_leaf)
        one_of("unseen", self.unseen, ("predict", "none"))
        return super()._control_of(kind, cases, **given)


class TreeRegressor(RegressorMixin, TreeEstimator):
    """Predict numbers by a tree."""

    _predicts_numbers = True

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return R², the share of the squared error around the mean that the tree removes.

        y and sample_weight may be names of columns, as in `fit`.
        """
        X, y, sample_weight = parts(X, y, sample_weight)
        return super().score(X, y, sample_weight)

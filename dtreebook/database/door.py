"""The door of this room: what estimators do with a table of Ibis, under the names of their methods.

`dtreebook.base` comes in here, and nowhere else. What fits stands in `dtreebook.database.fitting`,
what a fitted tree says of rows in `dtreebook.database.scoring`.
"""

from typing import Any

from ibis.expr.types import Column, Table
from sklearn.utils.validation import check_is_fitted

from dtreebook.database import scoring
from dtreebook.database.fitting import decisions, fit, folds
from dtreebook.tree.tree import Tree

__all__ = [
    "apply",
    "decisions",
    "explain",
    "fit",
    "folds",
    "predict",
    "predict_proba",
    "score",
]


def apply(model: Any, X: Table) -> Column:
    """Return where each row ends."""
    return scoring.apply(_tree(model), X)


def predict(model: Any, X: Table) -> Column:
    """Return the class, or the number, that the tree says of each row."""
    return scoring.predict(_tree(model), X, model.unseen == "none")


def predict_proba(model: Any, X: Table) -> Column:
    """Return the shares of the classes as one array for each row."""
    return scoring.predict_proba(_tree(model), X)


def explain(model: Any, X: Table) -> Column:
    """Return one line for each row."""
    return scoring.explain(_tree(model), X)


def score(model: Any, X: Table, y: Any, sample_weight: Any = None) -> float:
    """Return the share of the rows that the tree gets right; of numbers, R²."""
    return scoring.score(_tree(model), X, y, sample_weight, model.unseen == "none")


def _tree(model: Any) -> Tree:
    check_is_fitted(model)
    return model.tree_

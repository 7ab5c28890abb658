"""Decision trees, faithful and readable: ID3, C4.5 and CART as their authors wrote them."""

from typing import TYPE_CHECKING, Any

from dtreebook.c45 import C45Classifier
from dtreebook.cart import CARTClassifier, CARTRegressor
from dtreebook.data.c45_format import read_c45
from dtreebook.id3 import ID3Classifier
from dtreebook.tree.code import to_c, to_js, to_python
from dtreebook.tree.comparing import compare
from dtreebook.tree.refitting import predict_quantile, refit_leaves
from dtreebook.tree.sql import to_sql
from dtreebook.tree.tree import Tree

if TYPE_CHECKING:
    from dtreebook.forest import ForestClassifier, ForestRegressor

__all__ = [
    "C45Classifier",
    "CARTClassifier",
    "CARTRegressor",
    "ForestClassifier",
    "ForestRegressor",
    "ID3Classifier",
    "Tree",
    "compare",
    "predict_quantile",
    "read_c45",
    "refit_leaves",
    "to_c",
    "to_js",
    "to_python",
    "to_sql",
]
__version__ = "0.1.0"


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """Import the forests when they are asked for: they bring all of scikit-learn's with them."""
    if name in ("ForestClassifier", "ForestRegressor"):
        from dtreebook import forest

        return getattr(forest, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""ID3: the attribute with the most information gain, a branch for each of its values, and again.

Quinlan (1986), Induction of Decision Trees.
"""

import warnings
from dataclasses import replace
from numbers import Integral, Real

import numpy as np
from sklearn.utils.validation import check_scalar

from dtreebook.base import TreeClassifier
from dtreebook.data import Attribute
from dtreebook.grow import Recipe


class ID3Classifier(TreeClassifier):
    """Classify by a tree grown with ID3.

    A node becomes a leaf if its cases are of one class, if no attribute divides them, or if the
    best information gain is below ``min_gain``; otherwise the attribute with the largest gain (of
    equal ones, the first) gives it one branch for each of its values, and is used up on that path.
    A leaf predicts its commonest class (of equal ones, the first); a branch without cases predicts
    what its parent would. A case whose value is unknown takes no part below the node that asks for
    it, and a case to be classified stops there.

    Every column is taken as nominal: a number gets a branch of its own, with a warning.

    Parameters
    ----------
    min_gain : the least information gain, in bits, for which a node is divided (Li Hang's epsilon).
        With 0 even an attribute without gain divides, as long as it separates the cases: the first
        of two that only tell something together.
    max_depth : the most tests on a path; None for no limit.

    Attributes
    ----------
    tree_ : the `dtreebook.tree.Tree`.
    classes_ : array [K], the classes in order.
    n_features_in_, feature_names_in_ : the columns; names only for frames.

    References
    ----------
    Quinlan (1986), sections 3 and 4; Li Hang (2019), algorithm 5.2.

    Examples
    --------
    >>> from dtreebook.datasets import load_loan
    >>> X, y = load_loan(return_X_y=True)
    >>> id3 = ID3Classifier().fit(X, y)
    >>> print(id3.export_text())
    house = yes: yes (6.0)
    house = no:
    |   work = no: no (6.0)
    |   work = yes: yes (3.0)
    >>> print(id3.explain(X[:1])[0])
    house = no, work = no: no (6 of 6 cases)
    """

    def __init__(self, *, min_gain=0.0, max_depth=None):
        self.min_gain = min_gain
        self.max_depth = max_depth

    def _recipe(self, cases):
        check_scalar(self.min_gain, "min_gain", Real, min_val=0)
        if np.isnan(self.min_gain):
            raise ValueError("min_gain is NaN: give a number of bits, 0 or more")
        if self.max_depth is not None:
            check_scalar(self.max_depth, "max_depth", Integral, min_val=0)
        return Recipe("gain", self.min_gain, self.max_depth)

    def _prepare(self, cases):
        """Turn numbers into levels: ID3 knows nothing else."""
        numeric = [a.name for a in cases.attributes if a.kind == "numeric"]
        if numeric:
            warnings.warn(
                f"ID3 makes a branch for every number of {', '.join(numeric)}: cut such a column "
                "into a few ranges first (pandas.cut), or use an algorithm with thresholds",
                stacklevel=4,
            )
        pairs = zip(cases.attributes, cases.columns, strict=True)
        attributes, columns = zip(*(_nominal(*pair) for pair in pairs), strict=True)
        return replace(cases, attributes=attributes, columns=columns)


def _nominal(attribute, column):
    if attribute.kind != "numeric":
        return attribute, column
    known = ~np.isnan(column)
    levels, codes = np.unique(column[known], return_inverse=True)
    column = np.full(len(column), -1)
    column[known] = codes
    return Attribute(attribute.name, "nominal", tuple(levels.tolist())), column

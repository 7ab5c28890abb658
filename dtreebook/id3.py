"""ID3: the attribute with the most information gain, a branch for each of its values, and again.

Quinlan (1986), Induction of Decision Trees. `dtreebook.plain.id3` has it in a few lines; here `fit`
is that of `dtreebook.base`, and what is done on every level stands in `dtreebook.grow.multiway`.
"""

from dataclasses import dataclass

from dtreebook.base import MultiwayClassifier
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.parameters import not_negative


@dataclass(eq=False, repr=False, kw_only=True)
class ID3Classifier(MultiwayClassifier):
    """Classify by a tree grown with ID3.

    A node becomes a leaf if its cases are of one class, if no attribute divides them, or if the
    best information gain is below ``min_gain``; otherwise the attribute with the largest gain (of
    equal ones, the first) gives it one branch for each of its values, and is used up on that path.
    A leaf predicts its majority class (of equal ones, the first); a branch without cases predicts
    what its parent would. A case whose value is unknown takes no part below the node that asks
    about it, and a case to be classified stops there.

    Every column is taken as nominal: a number gets a branch of its own, with a warning.

    Source: Quinlan (1986), sections 3 and 4; Li Hang (2019), algorithm 5.2.

    Parameters
    ----------
    min_gain : the least information gain, in bits, for which a node is divided (Li Hang's epsilon).
        With 0 even an attribute without gain divides, as long as it separates the cases: the first
        of two that only tell something together.
    max_depth : the most tests on a path; None for no limit.
    min_samples_leaf : the weight of cases of known value that every branch must have, but for the
        empty ones.
    unseen : what `predict` says of a case with a value, or a blank, that no training case had at
        its node: "predict" gives the class of the node where it stops, "none" gives None, as
        programs do that find no branch; `score` counts it as an error.
    pricing : what is chosen by if questions cost: "eg2" (Núñez 1991), "cs_id3" (Tan 1993) or "idx"
        (Norton 1989); see `dtreebook.grow.criteria`.
    max_features, random_state, class_weight, cost, forbid, verbose, memory : as in
        `CARTClassifier`.

    Attributes
    ----------
    tree_ : the `dtreebook.tree.tree.Tree`.
    feature_importances_ : array [A], the shares in the information gained, adding up to 1.
    classes_, n_features_in_, feature_names_in_ : as in `CARTClassifier`.

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

    _kinds = "nominal", "ordered"

    min_gain: float = 0.0

    def _control(self, cases):
        not_negative("min_gain", self.min_gain)
        return self._control_of(MultiwayControl, cases, min_score=self.min_gain)

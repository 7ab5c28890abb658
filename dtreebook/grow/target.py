"""What a tree is to say: classes or numbers, summed up in nodes and on the sides of cuts."""

import numpy as np

from dtreebook.grow.criteria import BinaryCriterion
from dtreebook.grow.thresholds import Cuts, stable_order

# From so many classes on, one sum over the cases is faster than a sum for each class.
MANY_CLASSES = 8


class ClassTarget:
    """Classes as a target.

    Attributes
    ----------
    codes : array [p], the class at each place.
    n_classes : K.
    """

    def __init__(self, codes: np.ndarray, n_classes: int):
        self.codes, self.n_classes = codes.astype(np.min_scalar_type(n_classes)), n_classes

    def take(self, places: np.ndarray) -> "ClassTarget":
        """Return the target at some places."""
        return ClassTarget(self.codes.take(places), self.n_classes)

    def decrease(
        self,
        criterion: BinaryCriterion,
        cuts: Cuts,
        order: np.ndarray,
        weight: np.ndarray | None,
    ) -> np.ndarray:
        """Return by how much each cut lowers the impurity, in weight: array [c].

        Parameters
        ----------
        criterion : the impurity.
        cuts : the cuts.
        order : array [b, k] of places.
        weight : array [b, k], or None if each weighs 1.
        """
        codes = self.codes.take(order)
        if criterion.by_rank is not None and self.is_ranked(criterion, weight):
            rank, size = _ranks(codes, cuts, self.n_classes)
            return criterion.by_rank(cuts.splits(), rank, size, cuts.running)
        splits = cuts.splits()
        return criterion.decrease(splits, self._sums(criterion, splits, cuts, codes, weight))

    def is_ranked(self, criterion: BinaryCriterion, weight: np.ndarray | None) -> bool:
        """Whether one sum over the cases does for all classes."""
        is_counted = weight is None and criterion.by_rank is not None
        return is_counted and self.n_classes >= MANY_CLASSES

    def _sums(self, criterion, splits, cuts, codes, weight):
        """Yield the weight of each class up to every cut, and in every node."""
        left, total = splits.left, splits.total
        for k in range(self.n_classes - 1):
            pair = cuts.weigh(codes == k, weight)
            if weight is None and criterion.has_last:
                left, total = left - pair[0], total - pair[1]
            yield pair
        if criterion.has_last and weight is None:
            yield left, total
        elif criterion.has_last:  # what the others leave is off by rounding, even below 0
            yield cuts.weigh(codes == self.n_classes - 1, weight)


def _ranks(codes, cuts, n_classes):
    """Return how many of the same class come before each place in its node, and are there: [b, k].

    Parameters
    ----------
    codes : array [b, k], the class at each place.
    """
    n_nodes = len(cuts.segments.size)
    node = cuts.segments.spread(
        np.arange(n_nodes, dtype=np.min_scalar_type(n_nodes * n_classes)) * n_classes
    )
    codes = node + codes
    size = np.bincount(codes[0], minlength=n_nodes * n_classes).astype(np.int32)
    # All rows hold the same cases: sorted by node and class, they have the same ranks.
    sorted_rank = np.arange(codes.shape[1], dtype=np.int32)
    sorted_rank -= np.repeat(np.cumsum(size, dtype=np.int32) - size, size)
    rank = np.empty(codes.shape, dtype=np.int32)
    for row, code in zip(rank, codes, strict=True):
        row[stable_order(code)] = sorted_rank
    return rank, size.take(codes)


class NumericTarget:
    """Numbers as a target, kept as what they are above the mean of their node.

    Attributes
    ----------
    above : array [n], filled in by `dtreebook.grow.binary.BinaryFrontier` at every level.
    """

    n_classes = 1

    def __init__(self, n_cases: int):
        self.above = np.zeros(n_cases)

    def is_ranked(self, criterion: BinaryCriterion, weight: np.ndarray | None) -> bool:
        """Whether one sum does for all classes: of numbers there is only one anyway."""
        return False

    def decrease(
        self,
        criterion: BinaryCriterion,
        cuts: Cuts,
        order: np.ndarray,
        weight: np.ndarray | None,
    ) -> np.ndarray:
        """Return by how much each cut lowers the squared error: see `ClassTarget.decrease`."""
        above = self.above.take(order)
        # Within a node the numbers add up to 0, so that one sum over all loses no digits.
        sums = cuts.running(above if weight is None else above * weight)
        return criterion.decrease(cuts.splits(), [sums])

"""The criteria by which tests are chosen: one entry each, and a new one changes nothing else.

The formulas of `dtreebook.measures` decide, in tables of every size. `MULTIWAY` calls them as they
are: a test with a branch for each value is to have the largest gain, or gain ratio.

`BINARY` has what a test with two branches is to lower. A node of weight ``n``, cut into ``l`` and
``r``, becomes purer by ``n i - l i_l - r i_r``, which is ``n`` times `dtreebook.measures.gain`;
`decrease_by` works that out for any formula. In a column of numbers nearly every case is a cut, and
the formula is a small difference of large numbers. So three criteria have the same decrease in
another form, which divides less and keeps its digits. Each form is derived at its place. When a
tree begins to grow, `BinaryCriterion.in_force` compares the form with the formula; if the two
differ, because somebody changed the formula, the formula itself scores the cuts.

A blood test costs more than a look at the thermometer. `PRICINGS` makes one number of the score
``s`` of a test, in bits, and the price ``c`` of its column; the test with the largest one is asked.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import kl_div, xlog1py

from dtreebook import measures
from dtreebook.count.tables import factor
from dtreebook.measures import EPS, LOST, Impurity, n_log_n

# A function of tables [..., 2, K] of the classes on either side of cuts: what the cuts gain.
Gain = Callable[[np.ndarray], np.ndarray]

# The weight of every class, one after the other: on the first side [...], and in the node [m].
ClassSums = Iterable[tuple[np.ndarray, np.ndarray]]

# From an amount [n] to its sum up to each cut within the node, and the totals.
Running = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]

Criterion = TypeVar("Criterion")


class BinarySplits(NamedTuple):
    """Ways to cut m nodes in two."""

    #: arrays [...], the weight of either side of each cut.
    left: np.ndarray
    right: np.ndarray
    total: np.ndarray  #: array [..., m], the weight of each node
    #: function from an array [..., m] to one that broadcasts against `left`.
    repeat: Callable[[np.ndarray], np.ndarray]
    #: function to the array [...] of ``n / (l r)``; 0 where a side is empty.
    factor: Callable[[], np.ndarray]
    #: function from a total [..., m] to what is expected of it on the left, were it spread evenly
    #: over the weight; None to work it out here.
    expected: Callable[[np.ndarray], np.ndarray] | None = None

    @classmethod
    def of(
        cls,
        left: ArrayLike,
        right: ArrayLike,
        total: np.ndarray | None = None,
        repeat: Callable[[np.ndarray], np.ndarray] = np.asarray,
    ) -> "BinarySplits":
        """Return the ways to cut one node, or several whose totals are given.

        Examples
        --------
        >>> BinarySplits.of([6.0], [9.0]).total
        array([15.])
        """
        left, right = np.asarray(left), np.asarray(right)
        of_node = left[:1] + right[:1] if total is None else total
        return cls(left, right, of_node, repeat, lambda: factor(left, right, repeat(of_node)))

    def deviation(self, left: np.ndarray, total: np.ndarray) -> np.ndarray:
        """Return what the left side has beyond what is expected there."""
        if self.expected is not None:
            return left - self.expected(total)
        return left - self.left * self.repeat(total / self.total)


class BinaryCriterion(NamedTuple):
    """An impurity of classes or a loss of numbers, and by how much cuts lower it."""

    title: str  #: its name in words
    impurity: Impurity | None  #: function of counts, on the last axis; None for numbers
    #: function of `BinarySplits` and, one after the other, the pairs (first side [...], node [m])
    #: of the weight of every class; it returns the decrease times the weight.
    decrease: Callable[[BinarySplits, ClassSums], np.ndarray]
    #: the formula whose gain the decrease is; None if the decrease is the definition itself.
    formula: Gain | None = None
    #: the same for many classes and cases that weigh 1 each: see `gini_by_rank`.
    by_rank: Callable[[BinarySplits, np.ndarray, np.ndarray, Running], np.ndarray] | None = None
    #: whether `decrease` wants the pair of the last class, which has what the others leave.
    has_last: bool = True
    power: int = 1  #: 2 if a decrease is the square of a number that is off by rounding, else 1
    #: whether no cut inside a range exceeds the corners of what may lie left: see `ranges`.
    has_bound: bool = False
    #: function of numbers and their mean: what each number costs where the mean is predicted.
    loss: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None
    is_centred: bool = True  #: whether numbers may be summed above the mean of their node
    lowest: float = -np.inf  #: the least number that can be predicted

    @classmethod
    def of(
        cls, title: str, impurity: Impurity | None, formula: Gain | None = None
    ) -> "BinaryCriterion":
        """Return a criterion that has no form but its formula: if none is given, the gain.

        Examples
        --------
        >>> splits = BinarySplits.of([6], [9])
        >>> sums = [(np.array([0]), np.array([6])), (np.array([6]), np.array([9]))]
        >>> by_errors = BinaryCriterion.of("error", measures.misclassification)
        >>> by_errors.decrease(splits, sums).round(9)
        array([3.])
        """
        if formula is None:
            formula = partial(_gain, impurity)
        return cls(title, impurity, partial(decrease_by, formula), formula)

    @property
    def as_defined(self) -> "BinaryCriterion":
        """The same criterion without a form of its own: its formula scores every cut."""
        return self.of(self.title, self.impurity, self.formula)

    def in_force(self) -> "BinaryCriterion":
        """Return this criterion if its form gives what its formula does, else `as_defined`.

        They are compared on a few cuts, anew whenever a tree begins to grow: the formula decides.
        """
        if self.formula is None or self.by_formula:
            return self
        left, node = _EXAMPLES
        splits = BinarySplits.of(left.sum(axis=0), (node - left).sum(axis=0), node.sum(axis=0))
        sums = list(zip(left, node, strict=True))
        form = self.decrease(splits, sums if self.has_last else sums[:-1])
        formula = decrease_by(self.formula, splits, sums)
        return self if abs(form - formula).max() < _SAME else self.as_defined

    @property
    def by_formula(self) -> bool:
        """Whether the formula itself scores the cuts."""
        return getattr(self.decrease, "func", None) is decrease_by


def _gain(impurity, table):
    return measures.gain(table, impurity)


# Cuts on which a form is compared with its formula: the classes on the left, and in the node.
_EXAMPLES = np.array(
    [
        [[1, 3, 0, 2, 5], [2, 0, 4, 2, 1], [0, 1, 1, 7, 3]],
        [[4, 3, 6, 4, 9], [3, 5, 4, 4, 2], [1, 2, 3, 8, 3]],
    ]
)

# A form and its formula differ by rounding alone if they differ by less.
_SAME = 1e-9


def decrease_by(formula: Gain, splits: BinarySplits, sums: ClassSums) -> np.ndarray:
    """Return by how much cuts lower an impurity, by the formula itself: ``n`` times the gain.

    Source: Breiman et al. (1984), definition 2.13.
    """
    sides = ((left, splits.repeat(total) - left) for left, total in sums)
    table = np.stack([np.stack(side, axis=-1) for side in zip(*sides, strict=True)], axis=-2)
    # What one side leaves of a sum of weights for the other is off by rounding, even below 0.
    return splits.repeat(splits.total) * formula(np.maximum(table, 0))


def gini_decrease(splits: BinarySplits, sums: ClassSums) -> np.ndarray:
    """Return the decrease of the Gini impurity, given every class but the last.

    A class has the share ``n_k / n`` in the node; ``d_k = l_k - l n_k / n`` is the weight that the
    left side has beyond this share, and the right side lacks it. Put ``l_k = l n_k / n + d_k`` and
    ``r_k = r n_k / n - d_k`` into ``sum_k l_k^2 / l + r_k^2 / r - n_k^2 / n``, which is the
    decrease: the squares of the shares cancel, and ``sum_k d_k^2 (1 / l + 1 / r)`` is left. So it
    is ``sum_k d_k^2 n / (l r)``, a sum of squares, which loses no digits.

    Source: Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    Of six with a house none was refused a loan, of all fifteen six:

    >>> splits = BinarySplits.of([6], [9])
    >>> round(float(gini_decrease(splits, [(np.array([0]), np.array([6]))])[0]) / 15, 2)
    0.21
    """
    sums = iter(sums)
    # What the classes have too much together, the last one lacks.
    rest = splits.deviation(*next(sums))
    squares = rest * rest
    for left, total in sums:
        deviation = splits.deviation(left, total)
        rest += deviation
        deviation *= deviation
        squares += deviation
    rest *= rest
    squares += rest
    squares *= splits.factor()
    return squares


def squared_decrease(splits: BinarySplits, sums: ClassSums) -> np.ndarray:
    """Return the decrease of the squared error around the mean.

    It is that of `gini_decrease` with one sum of numbers in the place of the classes: there each
    class is a number, too, 1 for its own cases and 0 for the others.

    Source: Breiman et al. (1984), section 8.3.

    Examples
    --------
    The numbers 1, 2 on one side, 6 on the other:

    >>> splits = BinarySplits.of([2], [1])
    >>> squared_decrease(splits, [(np.array([3]), np.array([9]))])
    array([13.5])
    """
    ((left, total),) = sums
    deviation = splits.deviation(left, total)
    deviation *= deviation
    deviation *= splits.factor()
    return deviation


def poisson_decrease(splits: BinarySplits, sums: ClassSums) -> np.ndarray:
    """Return the decrease of half the Poisson deviance, ``sum y ln(y / mean) - y + mean``.

    Of sums ``s`` of counts it is ``s_l ln(s_l n / (l s)) + s_r ln(s_r n / (r s))``, what a class of
    such weights adds to the entropy that is lost, in nats. A side that has counted nothing is none,
    as in scikit-learn: what it predicts, 0, rules everything else out.

    Examples
    --------
    Counts 1 and 2 on one side, 6 on the other:

    >>> splits = BinarySplits.of([2], [1])
    >>> poisson_decrease(splits, [(np.array([3]), np.array([9]))]).round(3)
    array([2.079])
    """
    ((left, total),) = sums
    least = splits.repeat(total) * LOST
    is_empty = (left <= least) | (splits.repeat(total) - left <= least)
    return np.where(is_empty, -np.inf, entropy_decrease(splits, [(left, total)]) * np.log(2))


def entropy_decrease(splits: BinarySplits, sums: ClassSums) -> np.ndarray:
    """Return the decrease of the entropy, in bits.

    ``n H = sum_k n_k log (n / n_k)``, and so on either side. A class adds ``l_k log (l_k / l)`` and
    ``r_k log (r_k / r)`` to the decrease, less ``n_k log (n_k / n)``. As ``n_k = l_k + r_k``, that
    is ``l_k log (l_k / e)`` with ``e = l n_k / n``, the weight expected on the left, and the same
    on the right: no large numbers are left that nearly cancel.

    Source: Quinlan (1986), section 4; Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    >>> splits = BinarySplits.of([6], [9])
    >>> sums = [(np.array([0]), np.array([6])), (np.array([6]), np.array([9]))]
    >>> round(float(entropy_decrease(splits, sums)[0]) / 15, 3)
    0.42
    """
    lowered = 0.0
    for left, total in sums:
        share = splits.repeat(total / splits.total)
        lowered = lowered + _bits_of(left, splits.left * share)
        lowered = lowered + _bits_of(splits.repeat(total) - left, splits.right * share)
    return np.maximum(lowered, 0) / np.log(2)


def _bits_of(weight, expected):
    """Return ``w ln(w / e)``: what a class adds whose expected weight on a side is ``e``.

    Near a fair share the logarithm of ``1 + (w - e) / e`` keeps all digits.
    """
    more = np.divide(weight - expected, expected, out=np.zeros_like(expected), where=expected > 0)
    # Where next to nothing is there, rounding must not make the logarithm infinite.
    return xlog1py(weight, np.maximum(more, EPS - 1, out=more))


def bits_saved(splits: BinarySplits, sums: ClassSums) -> np.ndarray:
    """Return the decrease of the entropy, in bits, as C4.5 adds it up: in pieces ``n log2 n``.

    ``n H = -sum_k n_k log (n_k / n) = n log n - sum_k n_k log n_k``, for the node and on either
    side; the pieces of whole numbers are looked up. Where next to nothing is gained the last digits
    are rounding, and Release 8 lets them decide whether a cut gains anything at all: this form has
    its digits.

    Source: Quinlan (1993), section 2.2.

    Examples
    --------
    >>> splits = BinarySplits.of([6], [9])
    >>> sums = [(np.array([0]), np.array([6])), (np.array([6]), np.array([9]))]
    >>> round(float(bits_saved(splits, sums)[0]) / 15, 3)
    0.42
    """
    needed, totals = n_log_n(splits.left) + n_log_n(splits.right), []
    for left, total in sums:
        needed = needed - n_log_n(left) - n_log_n(splits.repeat(total) - left)
        totals.append(total)
    bits = splits.total * measures.entropy(np.stack(totals, axis=-1))
    return splits.repeat(bits) - needed


def gini_by_rank(
    splits: BinarySplits, rank: np.ndarray, size: np.ndarray, running: Running
) -> np.ndarray:
    """Return the same as `gini_decrease`, in a time that does not depend on the number of classes.

    The decrease is ``sum_k l_k^2 / l + sum_k r_k^2 / r - sum_k n_k^2 / n``. A case that goes over
    to the left changes the weight of its own class only: with ``j`` of the class there already, the
    squares on the left grow by ``(j + 1)^2 - j^2 = 2 j + 1``. So one running sum over the cases
    stands for a sum for each class.

    Parameters
    ----------
    splits : `BinarySplits` of cases of weight 1 each.
    rank : integers [n], how many cases of the same class come before each case in its node.
    size : integers [n], how many cases of its class there are in the node.
    running : function from an array [n] to its sum up to each cut within the node, and the totals.

    Examples
    --------
    Classes b, a, a in this order, and the cuts after the first and the second:

    >>> def running(amount):
    ...     return np.cumsum(amount)[:2], amount.sum(keepdims=True)
    >>> splits = BinarySplits.of([1, 2], [2, 1])
    >>> gini_by_rank(splits, np.array([0, 0, 1]), np.array([1, 2, 2]), running).round(3)
    array([1.333, 0.333])
    """
    left, squares = running(2 * rank + 1)
    gone = 2 * running(size)[0] - left  # of the squares on the second side
    right = (splits.repeat(squares) - gone) / np.maximum(splits.right, 1)
    return np.maximum(left / splits.left + right - splits.repeat(squares / splits.total), 0)


def _entropy_by_rank(
    splits: BinarySplits, rank: np.ndarray, size: np.ndarray, running: Running
) -> np.ndarray:
    """Return the same as `entropy_decrease`, built up case by case: see `gini_by_rank`.

    ``n H = n log n - sum_k n_k log n_k``; with ``j`` of its class on the left already, a case makes
    the sum on the left grow by ``(j + 1) log (j + 1) - j log j``.
    """
    # Whole numbers add up fast and exactly: units so small that all together stay below 2^62.
    n = rank.shape[-1]
    unit = 2.0 ** (61 - (n * n.bit_length()).bit_length())
    step = np.rint(np.diff(n_log_n(np.arange(size.max(initial=0) + 1))) * unit).astype(np.int64)
    left, _ = running(step.take(rank))
    gone, bits = running(step.take(size - rank - 1))
    left += splits.repeat(bits) - gone
    needed = n_log_n(splits.left) + n_log_n(splits.right) - left / unit
    return np.maximum(splits.repeat(n_log_n(splits.total) - bits / unit) - needed, 0)


BINARY = {
    "gini": BinaryCriterion(
        "Gini impurity",
        measures.gini,
        gini_decrease,
        lambda table: measures.gain(table, measures.gini),
        gini_by_rank,
        has_last=False,
        power=2,
        has_bound=True,
    ),
    "entropy": BinaryCriterion(
        "entropy",
        measures.entropy,
        entropy_decrease,
        lambda table: measures.gain(table, measures.entropy),
        _entropy_by_rank,
        has_bound=True,
    ),
    "squared_error": BinaryCriterion(
        "squared error",
        None,
        squared_decrease,
        power=2,
        has_bound=True,
        loss=lambda number, mean: (number - mean) ** 2,
    ),
    "poisson": BinaryCriterion(
        "Poisson deviance", None, poisson_decrease, loss=kl_div, is_centred=False, lowest=0
    ),
}

# What C4.5 chooses cuts of numbers by.
CUT_GAIN = BinaryCriterion(
    "information gain",
    measures.entropy,
    bits_saved,
    lambda table: measures.information_gain(table),
    _entropy_by_rank,
)


class Tests(NamedTuple):
    """Tests of q columns in nodes, and what a criterion may compare them by."""

    gain: np.ndarray  #: array [q], the information gain in bits; a cut has paid its penalty
    information: np.ndarray  #: array [q], the split information in bits
    entropy: np.ndarray  #: array [q], the entropy of the node in bits
    #: array [q, V, K] of weights by branch and class; of cuts [q, 2, 1], by branch alone.
    table: np.ndarray
    unknown: np.ndarray  #: array [q], the weight of the cases whose value is unknown


class MultiwayCriterion(NamedTuple):
    """What a test with a branch for each value is to have most of."""

    title: str  #: what it is in words, with its unit
    score: Callable[[Tests], np.ndarray]  #: from `Tests` to what they are compared by
    #: whether it divides by the split information, so that a test without any is none, and joining
    #: branches can raise it.
    is_ratio: bool = False

    @classmethod
    def of(
        cls,
        title: str,
        function: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
        is_ratio: bool = False,
    ) -> "MultiwayCriterion":
        """Return a criterion by a function of gain, split information and entropy of the node."""
        return cls(title, lambda tests: function(*tests[:3]), is_ratio)


GAIN = MultiwayCriterion("gain in bits", lambda tests: tests.gain)

MULTIWAY = {
    "gain": GAIN,
    "gain_ratio": MultiwayCriterion(
        "gain ratio",
        lambda tests: measures.gain_ratio(tests.table, tests.unknown, tests.gain),
        is_ratio=True,
    ),
}


def named(
    chosen: str | Callable, criteria: Mapping[str, Criterion], of: Callable[[str, Any], Criterion]
) -> Criterion:
    """Return a criterion by its name; of a function, what `of` makes of its name and of it.

    Raises ValueError if there is none of this name.
    """
    if callable(chosen):
        return of(getattr(chosen, "__name__", "criterion").replace("_", " "), chosen)
    if chosen not in criteria:
        names = " or ".join(map(repr, criteria))
        raise ValueError(f"criterion must be {names}, or a function, not {chosen!r}")
    return criteria[chosen]


# --- prices of questions --------------------------------------------------------------------------


# From scores [m, A] and prices [A] to what the columns are chosen by.
Pricing = Callable[[np.ndarray, np.ndarray], np.ndarray]


def idx(score: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Return the score per unit of price: ``s / c``.

    Source: Norton (1989), IDX; Breiman et al. (1984) divide by a price likewise.

    Examples
    --------
    >>> idx(np.array([0.5, 0.25]), np.array([10.0, 1.0]))
    array([0.05, 0.25])
    """
    return score / cost


def cs_id3(score: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Return the squared score per unit of price: ``s^2 / c``.

    Source: Tan (1993), CS-ID3.

    Examples
    --------
    >>> cs_id3(np.array([0.5, 0.25]), np.array([10.0, 1.0]))
    array([0.025 , 0.0625])
    """
    return score * abs(score) / cost


def eg2(score: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Return how much the score shrinks what is to be told apart, per price: ``(2^s - 1)/(c + 1)``.

    Source: Núñez (1991), EG2.

    Examples
    --------
    >>> eg2(np.array([1.0, 0.5]), np.array([9.0, 0.0])).round(3)
    array([0.1  , 0.414])
    """
    return (np.exp2(score) - 1) / (cost + 1)


PRICINGS: dict[str, Pricing] = {"eg2": eg2, "cs_id3": cs_id3, "idx": idx}

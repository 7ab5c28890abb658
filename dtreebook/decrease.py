"""How much it lowers the impurity of a node to cut it in two.

A node of weight ``n``, cut into ``l`` and ``r``, becomes purer by ``n i - l i_l - r i_r``. Written
with the *surplus* ``d_k = l_k - l n_k / n``, what the first side has of class k beyond its fair
share, this is ``sum_k d_k^2 n / (l r)`` for the Gini impurity; with numbers in the place of classes
there is one surplus, that of their sum, and the same formula gives what the squared error loses.
Classes are numbers too: 1 for the cases of the class and 0 for the others. No large numbers are
subtracted from each other, so no digits are lost.

The functions take the `Cuts` and, one after the other, the pairs (first side [...], node [m]) of
the weight of every class but the last, which has what the others leave; or the one pair of the sums
of the numbers. They return the decrease times the weight of the node.

With many classes that is a long row of sums. But a case that goes over to the first side changes
the weight of its own class only, so one sum over the cases does for all classes: `gini_by_rank` and
`entropy_by_rank`.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import xlog1py

from dtreebook.measures import n_log_n


class Cuts(NamedTuple):
    """Ways to cut m nodes in two.

    Attributes
    ----------
    left, right : arrays [...], the weight of either side of each cut.
    total : array [..., m], the weight of each node.
    spread : function from an array [..., m] to one that broadcasts against `left`.
    scale : array [...], ``n / (l r)``; 0 where a side is empty.
    """

    left: np.ndarray
    right: np.ndarray
    total: np.ndarray
    spread: object
    scale: np.ndarray

    @classmethod
    def of(cls, left, total, spread):
        """Return the cuts with their scale."""
        everything = spread(total)
        right = everything - left
        product = left * right.astype(float)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(product > 0, everything / product, 0)
        return cls(left, right, total, spread, scale)

    def surplus(self, left, total):
        """Return what the first side has beyond its share of a total."""
        return left - self.left * self.spread(total / self.total)


def gini_decrease(cuts, amounts):
    """Return the decrease of the Gini impurity.

    References
    ----------
    Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    Of six with a house none was refused a loan, of all fifteen six:

    >>> cuts = Cuts.of(np.array([6]), np.array([15]), lambda node: node)
    >>> round(float(gini_decrease(cuts, [(np.array([0]), np.array([6]))])[0]) / 15, 2)
    0.21
    """
    squares = rest = 0.0  # the surplus of the last class is what the others lack
    for left, total in amounts:
        surplus = cuts.surplus(left, total)
        rest = rest + surplus
        surplus *= surplus
        squares = squares + surplus
    return (squares + rest * rest) * cuts.scale


def squared_decrease(cuts, amounts):
    """Return the decrease of the squared error around the mean.

    References
    ----------
    Breiman et al. (1984), section 8.3.

    Examples
    --------
    The numbers 1, 2 on one side, 6 on the other:

    >>> cuts = Cuts.of(np.array([2]), np.array([3]), lambda node: node)
    >>> squared_decrease(cuts, [(np.array([3]), np.array([9]))])
    array([13.5])
    """
    ((left, total),) = amounts
    surplus = cuts.surplus(left, total)
    return surplus * surplus * cuts.scale


def entropy_decrease(cuts, amounts):
    """Return the decrease of the entropy, in bits.

    References
    ----------
    Quinlan (1986), section 4; Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    >>> cuts = Cuts.of(np.array([6]), np.array([15]), lambda node: node)
    >>> round(float(entropy_decrease(cuts, [(np.array([0]), np.array([6]))])[0]) / 15, 3)
    0.42
    """
    lowered, rest, left_rest, total_rest = 0.0, 0.0, cuts.left, cuts.total
    for left, total in amounts:
        surplus = cuts.surplus(left, total)
        lowered = lowered + _told(cuts, left, total, surplus)
        rest, left_rest, total_rest = rest - surplus, left_rest - left, total_rest - total
    lowered = lowered + _told(cuts, left_rest, total_rest, rest)
    return np.maximum(lowered, 0) / np.log(2)


def _told(cuts, left, total, surplus):
    """Return what the surplus of one class on the first side tells, in nats.

    ``l_k ln(l_k / e_k) + r_k ln(r_k / f_k)``, where ``e_k`` and ``f_k`` are the fair shares of the
    class: ``l_k = e_k + d_k``. Near a fair share the logarithm of 1 + d_k / e_k keeps all digits.
    """
    right = cuts.spread(total) - left
    with np.errstate(divide="ignore", invalid="ignore"):
        more, less = surplus / (left - surplus), -surplus / (right + surplus)
    # Without a case on a side its logarithm is infinite, and counts nothing.
    return xlog1py(left, np.where(left > 0, more, 0)) + xlog1py(right, np.where(right > 0, less, 0))


def gini_by_rank(cuts, rank, size, running):
    """Return the same as `gini_decrease`, in a time that does not depend on the number of classes.

    ``sum_k l_k^2 / l + sum_k r_k^2 / r - sum_k n_k^2 / n``, both sums built up case by case.

    Parameters
    ----------
    cuts : `Cuts` after each of n cases, every one of weight 1.
    rank : integers [n], how many cases of the same class come before each one in its node.
    size : integers [n], how many cases of its class there are in the node.
    running : function from an array [n] to its running sum within each node, and the totals [m].

    Examples
    --------
    Classes b, a, a in this order, and the cuts after the first, the second and the last:

    >>> def running(amount):
    ...     return np.cumsum(amount), amount.sum(keepdims=True)
    >>> cuts = Cuts.of(np.array([1, 2, 3]), np.array([3]), lambda node: node)
    >>> gini_by_rank(cuts, np.array([0, 0, 1]), np.array([1, 2, 2]), running).round(3)
    array([1.333, 0.333, 0.   ])
    """
    left, squares = running(2 * rank + 1)
    gone = 2 * running(size)[0] - left  # of the squares on the second side
    right = (cuts.spread(squares) - gone) / np.maximum(cuts.right, 1)
    return np.maximum(left / cuts.left + right - cuts.spread(squares / cuts.total), 0)


def entropy_by_rank(cuts, rank, size, running):
    """Return the same as `entropy_decrease`: see `gini_by_rank`.

    Examples
    --------
    >>> def running(amount):
    ...     return np.cumsum(amount), amount.sum(keepdims=True)
    >>> cuts = Cuts.of(np.array([1, 2, 3]), np.array([3]), lambda node: node)
    >>> entropy_by_rank(cuts, np.array([0, 0, 1]), np.array([1, 2, 2]), running).round(3)
    array([2.755, 0.755, 0.   ])
    """
    left, _ = running(n_log_n(rank + 1) - n_log_n(rank))
    gone, bits = running(n_log_n(size - rank) - n_log_n(size - rank - 1))
    bits_of_all = cuts.spread(bits)
    needed = n_log_n(cuts.left) - left + n_log_n(cuts.right) - (bits_of_all - gone)
    return np.maximum(cuts.spread(n_log_n(cuts.total)) - bits_of_all - needed, 0)

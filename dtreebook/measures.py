"""Measures of disorder and of information: one formula, one pure function.

What the functions share:

- `counts` is an array [..., K] of counts of cases, or of sums of their weights: the last axis runs
  over the classes;
- `table` is an array [..., V, K]: row ``v`` holds the counts of the cases whose attribute has value
  ``v``, or of one branch of a split;
- `unknown` is an array [...] of the weights of the cases whose value is unknown;
- `impurity` is a function of counts, such as `entropy`, `gini` or `misclassification`.

All information is in bits; `entropy` takes another ``base`` for another unit, ``math.e`` for nats.
All leading axes are kept, so that one call measures one node, or every attribute of every node of
a whole level of a tree. An array without any weight has entropy 0, Gini 0 and error 0. Counts need
not be whole numbers, and need not add up to one; a TypeError or ValueError says which is not a
number, is negative, NaN or infinite.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import rel_entr

#: A function of counts, whose last axis runs over the classes.
Impurity = Callable[[ArrayLike], np.ndarray]

#: Scores, weights and costs closer than this are tied: their last digits are rounding.
TIE = 1e-12

#: What weighs less than this share of a node is lost in the rounding of sums.
LOST = 1e-13

#: Weights of which so small a share differs are equal, and so meet a bound: sums are less exact.
WEIGHT_TOL = 1e-9

#: What rounding may take of a number, as a share of it.
EPS = np.finfo(float).eps

#: Errors saved, gains and split informations up to this count as none (C4.5 Release 8).
NEXT_TO_NOTHING = 1e-3


def entropy(counts: ArrayLike, base: float = 2) -> np.ndarray:
    """Return the entropy of a distribution over classes.

    ``H = -sum_k p_k log p_k`` with ``0 log 0 = 0``: the mean surprise of a case, from
    0 to ``log K``.

    Counts or weights [..., K] give an array [...] of bits.

    Source: Shannon (1948), section 6.

    Examples
    --------
    The loan table: nine loans granted, six refused.

    >>> round(float(entropy([9, 6])), 3)
    0.971
    """
    p = shares(counts)
    surprise = -np.log(p + (p == 0)) / _log(base)  # 0 log 0 = 0: log 1 replaces log 0
    return total(p * surprise) + 0.0


def joint_entropy(table: ArrayLike) -> np.ndarray:
    """Return the entropy ``H(X, Y)`` of values and classes together.

    ``H(X, Y) = -sum_vk p_vk log p_vk``, over all cells of the table.

    Counts or weights [..., V, K] give an array [...] of bits.

    Source: Cover and Thomas (2006), equation 2.8.

    Examples
    --------
    >>> float(joint_entropy([[1, 1], [1, 1]]))
    2.0
    """
    return entropy(_cells(table))


def conditional_entropy(table: ArrayLike) -> np.ndarray:
    """Return the entropy ``H(Y | X)`` of the classes that is left once the value is known.

    ``H(Y | X) = sum_v p_v H(Y | X = v)``, each value weighing as much as it holds.

    Counts or weights [..., V, K] give an array [...] of bits.

    Source: Cover and Thomas (2006), equation 2.10; Li Hang (2019), equation 5.5.

    Examples
    --------
    Loans by house: no house (6 refused, 3 granted), a house (0 refused, 6 granted).

    >>> round(float(conditional_entropy([[6, 3], [0, 6]])), 3)
    0.551
    """
    return expected_impurity(table, entropy)


def kl_divergence(p: ArrayLike, q: ArrayLike) -> np.ndarray:
    """Return the Kullback-Leibler divergence of ``q`` from ``p``.

    ``D(p || q) = sum_k p_k log(p_k / q_k)``: the surprise wasted by expecting ``q`` when ``p`` is
    true. It is 0 only if the two are equal, and infinite if ``q`` rules out what ``p`` allows.

    Counts, weights or probabilities [..., K], each divided by its sum, give an array [...] of bits.

    Source: Cover and Thomas (2006), equation 2.26.

    Examples
    --------
    >>> float(kl_divergence([1, 0], [1, 1]))
    1.0
    """
    return total(rel_entr(shares(p), shares(q))) / np.log(2)


def mutual_information(table: ArrayLike) -> np.ndarray:
    """Return what value and class tell about each other.

    ``I(X; Y) = D(P(X, Y) || P(X) P(Y))``: how far the table is from independence. It is 0 exactly
    when value and class are independent.

    Counts or weights [..., V, K] give an array [...] of bits.

    Source: Cover and Thomas (2006), equation 2.28.

    Examples
    --------
    >>> round(float(mutual_information([[6, 3], [0, 6]])), 3)
    0.42
    """
    table = _checked(table)
    independent = table.sum(axis=-1, keepdims=True) * table.sum(axis=-2, keepdims=True)
    return kl_divergence(_cells(table), _cells(independent))


def mutual_information_forms(table: ArrayLike) -> dict[str, np.ndarray]:
    """Return the mutual information computed in each of its four forms, by the name of the form.

    Source: Cover and Thomas (2006), theorem 2.4.1.

    Examples
    --------
    >>> for form, bits in mutual_information_forms([[6, 3], [0, 6]]).items():
    ...     print(f"{form:25} {bits:.3f}")
    KL(P(X,Y) || P(X)P(Y))    0.420
    H(Y) - H(Y|X)             0.420
    H(X) + H(Y) - H(X,Y)      0.420
    H(X,Y) - H(X|Y) - H(Y|X)  0.420
    """
    table = _checked(table)
    h_x, h_y = entropy(table.sum(axis=-1)), entropy(table.sum(axis=-2))
    h_xy = joint_entropy(table)
    h_y_given_x = conditional_entropy(table)
    h_x_given_y = conditional_entropy(table.swapaxes(-1, -2))
    return {
        "KL(P(X,Y) || P(X)P(Y))": mutual_information(table),
        "H(Y) - H(Y|X)": h_y - h_y_given_x,
        "H(X) + H(Y) - H(X,Y)": h_x + h_y - h_xy,
        "H(X,Y) - H(X|Y) - H(Y|X)": h_xy - h_x_given_y - h_y_given_x,
    }


def gini(counts: ArrayLike) -> np.ndarray:
    """Return the Gini impurity: the chance that two cases drawn with replacement differ in class.

    ``G = sum_k p_k - sum_k p_k^2 = 1 - sum_k p_k^2``.

    Counts or weights [..., K] give an array [...] from 0 to 1.

    Source: Breiman et al. (1984), section 4.3.1.

    Examples
    --------
    >>> round(float(gini([9, 6])), 2)
    0.48
    """
    p = shares(counts)
    return total(p) - total(p * p)


def misclassification(counts: ArrayLike) -> np.ndarray:
    """Return the share of cases that the majority class gets wrong.

    ``E = sum_k p_k - max_k p_k = 1 - max_k p_k``.

    Counts or weights [..., K] give an array [...] from 0 to 1.

    Source: Breiman et al. (1984), section 4.1.

    Examples
    --------
    >>> round(float(misclassification([9, 6])), 2)
    0.4
    """
    p = shares(counts)
    return total(p) - p.max(axis=-1, initial=0)


def expected_impurity(table: ArrayLike, impurity: Impurity) -> np.ndarray:
    """Return the impurity that is left after a split: the mean over its branches.

    ``sum_v n_v / n * impurity(v)``, each branch weighing as much as it holds.

    Counts or weights [..., V, K] give an array [...] in the impurity's unit.

    Examples
    --------
    >>> round(float(expected_impurity([[6, 3], [0, 6]], gini)), 2)
    0.27
    """
    return total(shares(by_value(table)) * impurity(table))


def gain(table: ArrayLike, impurity: Impurity, unknown: ArrayLike = 0) -> np.ndarray:
    """Return how much a split lowers an impurity.

    ``gain = n / (n + u) * (impurity(all) - expected impurity of the branches)``. The table holds
    ``n`` cases; ``u`` more cases, whose value is unknown, learn nothing from the split.

    Counts or weights [..., V, K], unknown ones [...], give an array [...] in the impurity's unit.

    Source: Quinlan (1993), section 3.1 for unknown values; Breiman et al. (1984), section 2.4.2.

    Examples
    --------
    >>> round(float(gain([[6, 3], [0, 6]], gini)), 2)
    0.21
    """
    before = impurity(by_class(table))
    after = expected_impurity(table, impurity)
    return share_known(table, unknown) * (before - after)


def information_gain(table: ArrayLike, unknown: ArrayLike = 0) -> np.ndarray:
    """Return the information gain of an attribute: how much it lowers the entropy of the classes.

    ``g(D, A) = H(D) - H(D | A)``, times the share of the cases whose value is known.

    Counts or weights [..., V, K], unknown ones [...], give an array [...] of bits.

    Source: Quinlan (1986), section 4; Li Hang (2019), definition 5.2; Quinlan (1993), section 3.1.

    Examples
    --------
    >>> round(float(information_gain([[6, 3], [0, 6]])), 3)
    0.42
    """
    return gain(table, entropy, unknown)


def split_information(table: ArrayLike, unknown: ArrayLike = 0) -> np.ndarray:
    """Return the entropy of the attribute's own values, whatever the classes.

    ``H_A(D) = -sum_v n_v / n log(n_v / n)``; unknown values count as one more value.

    Counts or weights [..., V, K], unknown ones [...], give an array [...] of bits.

    Source: Quinlan (1993), sections 2.2 and 3.1; Li Hang (2019), definition 5.3.

    Examples
    --------
    Age in the loan table: five young, five middle-aged, five old.

    >>> round(float(split_information([[3, 2], [2, 3], [1, 4]])), 3)
    1.585
    """
    values = by_value(_checked(table))
    unknown = np.broadcast_to(unknown, values.shape[:-1])
    return entropy(np.append(values, unknown[..., None], axis=-1))


def gain_ratio(
    table: ArrayLike, unknown: ArrayLike = 0, gain: ArrayLike | None = None
) -> np.ndarray:
    """Return the information gain divided by the split information.

    ``g_R(D, A) = g(D, A) / H_A(D)``. It is NaN where the split information is 0: an attribute with
    one value left splits nothing, and is no candidate.

    Counts or weights [..., V, K], unknown ones [...], give an array [...] of numbers. A ``gain``
    [...] in bits stands in for that of the table: Release 8 of C4.5 lets a cut pay some of its
    gain before it is divided.

    Source: Quinlan (1993), section 2.2; Li Hang (2019), definition 5.3; Quinlan (1996), section 3.

    Examples
    --------
    >>> round(float(gain_ratio([[6, 3], [0, 6]])), 3)
    0.433
    """
    information = split_information(table, unknown)
    gain = information_gain(table, unknown) if gain is None else gain
    return gain / np.where(information > 0, information, np.nan)


def n_log_n(counts: np.ndarray) -> np.ndarray:
    """Return ``n log2 n``, the piece that entropies are made of; 0 for 0.

    ``n H = n log n - sum_k n_k log n_k``: what a table needs in bits is a sum of such pieces, so a
    running sum can follow a cut. Whole numbers are looked up.

    Examples
    --------
    >>> n_log_n(np.array([0, 1, 8]))
    array([ 0.,  0., 24.])
    """
    if counts.dtype.kind == "i":
        return _n_log_n_up_to(int(counts.max(initial=0)).bit_length()).take(counts)
    bits = np.log2(np.maximum(counts, counts <= 0))
    bits *= counts
    return bits


@cache
def _n_log_n_up_to(bits):
    n = np.arange(2.0**bits)
    return n * np.log2(np.maximum(n, 1))


def by_value(table: ArrayLike) -> np.ndarray:
    """Return how much each value, or branch, of a table [..., V, K] holds: array [..., V].

    Examples
    --------
    >>> by_value([[6, 3], [0, 6]])
    array([9., 6.])
    """
    return total(table)


def by_class(table: ArrayLike) -> np.ndarray:
    """Return how much of each class a table [..., V, K] holds: array [..., K].

    Examples
    --------
    >>> by_class([[6, 3], [0, 6]])
    array([6., 9.])
    """
    return np.einsum("...vk->...k", _numbers(table))


def share_known(table: ArrayLike, unknown: ArrayLike) -> np.ndarray:
    """Return the share ``n / (n + u)`` of cases whose value is known; without any case, 0.

    Examples
    --------
    Fifteen cases stand in the table, five more are unknown:

    >>> float(share_known([[6, 3], [0, 6]], 5))
    0.75
    """
    known = total(by_value(table))
    everything = known + _checked(unknown)
    return known / (everything + (everything == 0))


def shares(counts: ArrayLike) -> np.ndarray:
    """Return counts divided by their sum along the last axis; without any weight, zeros.

    Examples
    --------
    >>> shares([1, 3])
    array([0.25, 0.75])
    """
    counts = _checked(counts)
    everything = total(counts)[..., None]
    return counts / (everything + (everything == 0))


def total(counts: ArrayLike) -> np.ndarray:
    """Return the sum along the last axis, as `numpy.sum` does, but faster where that is short.

    Examples
    --------
    >>> int(total([9, 6]))
    15
    """
    return np.einsum("...k->...", _numbers(counts))


def _numbers(values: ArrayLike) -> np.ndarray:
    values = np.asarray(values)
    if values.dtype.kind not in "iuf":
        raise TypeError(
            f"counts must be numbers, not {values.dtype}: count the cases of each class first"
        )
    return values.astype(float, copy=False)  # the sums of short integers would overflow


def _checked(counts: ArrayLike) -> np.ndarray:
    counts = _numbers(counts)
    # False for a negative number, for infinity, and for NaN, which no comparison holds for.
    if not (0 <= counts.min(initial=0) <= counts.max(initial=0) < np.inf):
        wrong = counts[~((counts >= 0) & (counts < np.inf))].flat[0]
        raise ValueError(f"counts must be finite and not negative, but one of them is {wrong}")
    return counts


def _cells(table: ArrayLike) -> np.ndarray:
    table = _checked(table)
    return table.reshape(*table.shape[:-2], -1)


def _log(base):
    if not (base > 0 and base != 1):
        raise ValueError(f"a logarithm needs a positive base other than 1, not {base}")
    return np.log(base)

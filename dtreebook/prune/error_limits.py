"""The upper error limit: how wrong a leaf may be, given how wrong it was on the cases it has seen.

A leaf that errs on E of N training cases will err on more than E in N new ones. The upper limit of
its error rate is the largest rate that E errors still allow with some confidence.

Throughout, `errors` and `weight` are arrays of the weights E of the cases with a wrong class and N
of all, and `confidence` is CF, above 0 and at most 1; a ValueError says what is out of range.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from dtreebook.measures import TIE

# C4.5's table of the normal distribution: confidence, and the deviation that is exceeded with it.
_CONFIDENCE = (0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1)
_DEVIATION = (4, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0)


def upper_error_limit(errors: ArrayLike, weight: ArrayLike, confidence: float = 0.25) -> np.ndarray:
    """Return the upper limit of the error rate, exact: ``U_CF(E, N)``; 1 if every case is wrong.

    The rate at which ``E`` or fewer errors among ``N`` cases have just the probability ``CF``:
    ``sum_{i <= E} C(N, i) U^i (1 - U)^(N - i) = CF``. The sum equals an incomplete beta function,
    which serves for fractions of cases, too.

    Source: Quinlan (1993), section 4.2; Clopper and Pearson (1934).

    Examples
    --------
    No error in six cases, in nine, in one:

    >>> upper_error_limit(0, [6, 9, 1]).round(3)
    array([0.206, 0.143, 0.75 ])
    """
    wrong, cases = _checked(errors, weight, confidence)
    right = cases - wrong
    limit = betaincinv(wrong + 1, np.where(right > 0, right, 1), 1 - confidence)
    return np.where(right > 0, limit, 1.0)


def c45_upper_error_limit(
    errors: ArrayLike, weight: ArrayLike, confidence: float = 0.25
) -> np.ndarray:
    """Return the upper limit of the error rate as C4.5's program computes it.

    ``U = (E + extra_errors) / N``, close to the exact `upper_error_limit`; 1 without any case.

    Source: Quinlan (1993), section 4.2, whose numbers come from the program.

    Examples
    --------
    >>> c45_upper_error_limit([0, 0, 0, 1], [6, 9, 1, 16]).round(3)
    array([0.206, 0.143, 0.75 , 0.157])
    """
    extra = extra_errors(errors, weight, confidence)
    wrong, cases = np.asarray(errors), np.asarray(weight)
    some = cases > 0
    return np.where(some, (wrong + extra) / np.where(some, cases, 1), 1.0)


def extra_errors(errors: ArrayLike, weight: ArrayLike, confidence: float = 0.25) -> np.ndarray:
    """Return the errors that C4.5 expects of a leaf beyond those of its cases; 0 without any case.

    Without errors, the exact ``N (1 - CF^(1/N))``. From one error on, the limit of Wilson for
    ``E + 0.5`` errors, with the normal deviation ``z`` interpolated in a table of nine entries
    (.6925 for 25%, where the exact one is .6745). Between no error and one, a straight line joins
    the two. Where no more than half a case is right, ``0.67 (N - E)``.

    Source: Quinlan (1993), section 4.2, and the program's own printed estimates; Wilson (1927).

    Examples
    --------
    Six cases without an error are counted as 1.24 errors, one error in sixteen as 1.51 more:

    >>> extra_errors([0, 1], [6, 16]).round(3)
    array([1.238, 1.507])
    """
    wrong, total = _checked(errors, weight, confidence)
    cases = np.where(total > 0, total, 1)
    z2 = np.interp(confidence, _CONFIDENCE, _DEVIATION) ** 2

    none = cases * (1 - confidence ** (1 / cases))
    least = np.where(wrong < 0.9999, 1.0, wrong)  # from one error on, or with one
    e = least + 0.5
    is_most = e >= cases * (1 - TIE)
    more = np.where(is_most, 0.67 * (cases - least), _wilson(e, cases, z2, 1) * cases - least)
    between = np.where(wrong < 1e-6, none, none + wrong * (more - none))
    extra = np.where(wrong < 0.9999, between, more)
    return np.where(total > 0, extra, 0.0)


def wilson_interval(
    part: ArrayLike, weight: ArrayLike, confidence: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Return both ends of the interval of the share of a class in a leaf; 0 and 1 without cases.

    With ``z`` the quantile of the normal distribution at ``(1 + confidence) / 2``:
    ``(part + z^2 / 2 -+ z sqrt(part (1 - part / N) + z^2 / 4)) / (N + z^2)``.

    The part is what the class weighs, at most N; the confidence, above 0 and below 1, is how often
    such intervals hold the true share.

    Source: Wilson (1927).

    Examples
    --------
    All six of six cases, and nine of fourteen:

    >>> low, high = wilson_interval([6, 9], [6, 14])
    >>> low.round(3), high.round(3)
    (array([0.61 , 0.388]), array([1.   , 0.837]))
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be above 0 and below 1, but it is {confidence}")
    right, total = _checked(part, weight, confidence, "part")
    cases, z2 = np.where(total > 0, total, 1), ndtri((1 + confidence) / 2) ** 2
    low, high = (_wilson(right, cases, z2, sign) for sign in (-1, 1))
    low, high = np.where(total > 0, low, 0.0), np.where(total > 0, high, 1.0)
    return np.maximum(low, 0), np.minimum(high, 1)


def _wilson(part, cases, z2, sign):
    """Return the lower end (-1) or the upper (1) of Wilson's interval, given the square of z."""
    spread = np.sqrt(z2 * np.maximum(part * (1 - part / cases) + z2 / 4, 0))
    return (part + z2 / 2 + sign * spread) / (cases + z2)


def _checked(part, weight, confidence, what="errors"):
    """Return parts and weights as arrays of one shape; raise ValueError if they cannot be."""
    if not 0 < confidence <= 1:
        raise ValueError(f"confidence must be above 0 and at most 1, but it is {confidence}")
    some, cases = np.broadcast_arrays(np.asarray(part, float), np.asarray(weight, float))
    bad = ~((some >= 0) & (some <= cases) & (cases < np.inf))
    if bad.any():
        raise ValueError(
            f"{what} must lie between 0 and the weight of the cases, but one pair is "
            f"{some[bad][0]} of {cases[bad][0]}"
        )
    return some, cases

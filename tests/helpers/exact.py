"""What a test with two sides gains, without rounding: to show that two tests gain the same."""

from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction


def gain(side, answer, weight, criterion):
    """Return by how much a test lowers the impurity, times weight.

    Parameters
    ----------
    side : 0 or 1 of each case; -1 where it is unknown.
    answer : classes, or numbers, taken as they are written: 0.2 is a fifth.
    weight : of each case.
    criterion : "gini", "entropy" (in nats) or "squared_error".

    Returns
    -------
    Fraction; with entropy a Decimal of fifty digits.
    """
    rows = zip(side, answer, weight, strict=True)
    cases = [(s, a, Fraction(float(w))) for s, a, w in rows if s >= 0]
    if criterion == "squared_error":
        cases = [(s, Fraction(repr(float(a))), w) for s, a, w in cases]
    sides = [[(a, w) for s, a, w in cases if s == which] for which in (0, 1)]
    impurity = {"gini": _gini, "entropy": _entropy, "squared_error": _squares}[criterion]
    with localcontext(prec=50):
        return impurity(sides[0] + sides[1]) - impurity(sides[0]) - impurity(sides[1])


def equal(one, other):
    """Whether two gains are the same."""
    return abs(one - other) <= Decimal("1e-40") if isinstance(one, Decimal) else one == other


def _counts(cases):
    counts = Counter()
    for label, weight in cases:
        counts[label] += weight
    return counts


def _gini(cases):
    counts = _counts(cases)
    return counts.total() - sum(n * n for n in counts.values()) / counts.total()


def _entropy(cases):
    counts = _counts(cases)
    return _n_log_n(counts.total()) - sum(map(_n_log_n, counts.values()))


def _n_log_n(n):
    n = Decimal(n.numerator) / n.denominator
    return n * n.ln()


def _squares(cases):
    mean = sum(v * w for v, w in cases) / sum(w for _, w in cases)
    return sum((v - mean) ** 2 * w for v, w in cases)

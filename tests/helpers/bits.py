"""What some weights need in bits, and comparisons that rounding may decide either way."""

import math
from decimal import Context, Decimal
from fractions import Fraction

DIGITS = Context(30)


def needed(weights, log2=math.log2):
    """Return the entropy of some weights in bits, times their sum."""
    weights = [w for w in weights if w > 0]
    whole = sum(weights)
    return sum(w * log2(whole / w) for w in weights)


def entropy(weights, log2=math.log2):
    """Return the entropy of some weights in bits."""
    return needed(weights, log2) / sum(weights)


def precise(ratio):
    """Return the binary logarithm of a Fraction to thirty digits."""
    ratio = Fraction(ratio)
    ln = DIGITS.divide(ratio.numerator, ratio.denominator).ln(DIGITS)
    return Fraction(DIGITS.divide(ln, Decimal(2).ln(DIGITS)))


class Floats:
    """Take numbers as they are."""

    log2 = staticmethod(math.log2)

    def at_least(self, one, other, noise):
        """Whether one number is at least another; their difference may be off by the noise."""
        return one >= other


FLOATS = Floats()


class InDoubt:
    """Take numbers that differ by no more than the noise for either, as the answers say."""

    log2 = staticmethod(precise)

    def __init__(self, answers=()):
        self.answers, self.given = answers, []

    def at_least(self, one, other, noise):
        """Whether one number is at least another, or what is to be said."""
        if abs(one - other) > noise:
            return one >= other
        n = len(self.given)
        self.given.append(self.answers[n] if n < len(self.answers) else one >= other)
        return self.given[n]


def every_way(search):
    """Yield what a search finds in `Floats`, then whatever rounding may have made of it."""
    yield search(FLOATS)
    ways = [()]
    for answers in ways:  # the list grows while we walk it
        doubt = InDoubt(answers)
        yield search(doubt)
        new = range(len(answers), len(doubt.given))
        ways += [(*doubt.given[:i], not doubt.given[i]) for i in new]

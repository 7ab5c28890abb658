"""Awkward little tables at random: few values, so many ties; unknown values; unused levels."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd
from cart_twin import Ask

from dtreebook.data.cases import unknown
from dtreebook.data.reading import read_training
from dtreebook.tree.splits import Subset, Threshold

# Two of these steps are nearer than 1e-5 to the next value, which C4.5 takes for no other value.
STEPS = np.array([0, 0, 1, 1, 2, 2**-17, 2**-17, 2**-16])


def column(rng, kind, n):
    """Draw numbers, or codes of levels.

    A kind is a number of levels, "ordered" ones, or numbers: "quarters" are few, "real" ones are
    anywhere, "close" ones lie together.
    """
    if isinstance(kind, int) or kind == "ordered":
        return rng.integers(0, rng.integers(1, n_levels(kind) + 1), n)
    if kind == "quarters":
        return rng.integers(0, rng.integers(1, 9), n) / 4
    if kind == "real":
        return rng.normal(size=n)
    return rng.permutation(np.cumsum(rng.choice(STEPS, n)))


def n_levels(kind):
    return 5 if kind == "ordered" else kind if isinstance(kind, int) else None


# Ways to weigh n cases; None is not to.
WEIGHTS = {
    "none": lambda rng, n: None,
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(1, 4, n),
    "zeros": lambda rng, n: rng.integers(0, 3, n),
    "tenths": lambda rng, n: rng.integers(1, 10, n) / 10,
    "thirds": lambda rng, n: rng.integers(1, 5, n) / 3,
    "fractions": lambda rng, n: rng.random(n) + 0.01,
    "normalised": lambda rng, n: np.full(n, 1 / n),
    "tiny": lambda rng, n: rng.integers(1, 4, n) * 1e-90,
    "huge": lambda rng, n: rng.integers(1, 4, n) * 1e90,
    "one heavy": lambda rng, n: np.where(np.arange(n) == rng.integers(n), 1e6, 1.0),
}


class Table(NamedTuple):
    """A training set: columns of numbers or codes, NaN and -1 unknown; weights may be None."""

    kinds: tuple
    columns: tuple
    answer: np.ndarray | None = None
    weight: np.ndarray | None = None

    @property
    def levels(self):
        return tuple(map(n_levels, self.kinds))

    @property
    def frame(self):
        """For the estimator."""
        frame = {}
        for a, (kind, values) in enumerate(zip(self.kinds, self.columns, strict=True)):
            words = [f"v{v}" for v in range(n_levels(kind) or 0)]
            frame[f"a{a}"] = (
                pd.Categorical.from_codes(values, words, kind == "ordered") if words else values
            )
        return pd.DataFrame(frame)

    @property
    def read(self):
        """For the engine."""
        return read_training(self.frame, self.answer, self.weight)

    @property
    def rows(self):
        columns = [np.where(unknown(values), None, values) for values in self.columns]
        return list(zip(*(values.tolist() for values in columns), strict=True))

    @property
    def cases(self):
        """For the twins: (values, answer, weight) of all cases that have some."""
        weight = np.ones(len(self.answer)) if self.weight is None else self.weight
        weight = [int(w) if w % 1 == 0 else Fraction(w) for w in weight.tolist()]
        answers = self.answer.tolist()
        if self.answer.dtype.kind == "f":
            answers = map(Fraction, answers)
        return [case for case in zip(self.rows, answers, weight, strict=True) if case[2]]


def columns(rng, kinds, n, blanks=0.0):
    drawn = [column(rng, kind, n) for kind in kinds]
    for values in drawn:
        values[rng.random(n) < blanks] = -1 if values.dtype.kind == "i" else np.nan
    return tuple(drawn)


def mixed(rng, n):
    """Return numbers a and b, words k, l and m, ordered levels o, and a number that they tell.

    Columns a and b are nearly the same, and so are k and m.
    """
    a, k = rng.random(n).round(2), rng.choice(list("uvw"), n)
    X = pd.DataFrame({"a": a, "b": (a + rng.normal(0, 0.1, n)).round(2), "k": k})
    X["l"] = rng.choice(["p", "q"], n)
    X["m"] = np.where(rng.random(n) < 0.8, k, "u")
    X["o"] = pd.Categorical.from_codes(rng.integers(0, 4, n), list("pqrs"), ordered=True)
    return X, a + (k == "u") + rng.normal(0, 0.3, n)


def labelled(rng, labels, weighing):
    """Return codes of the labels that are there, and weights, of which every class has some."""
    _, first, target = np.unique(labels, return_index=True, return_inverse=True)
    weight = WEIGHTS[weighing](rng, len(labels))
    if weight is not None:
        weight[first[weight[first] == 0]] = 1
    return target, weight


def as_test(split, levels=()):
    """Return a test as the twins write it."""
    if split is None or isinstance(split, Threshold):
        return split and Ask(split.column, split.cut)
    groups = (
        split.groups if isinstance(split, Subset) else [[v] for v in range(levels[split.column])]
    )
    return Ask(split.column, None, tuple(map(frozenset, groups)))

"""Awkward little tables for C4.5, what it may be told, and its tree held against the twin's."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd
from c45_twin import Options, Twin
from cart_twin import Ask
from hypothesis import strategies as st
from weights import WEIGHTS

from dtreebook import C45Classifier
from dtreebook.data.cases import unknown
from dtreebook.data.reading import read_cases
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.tree.splits import Subset, Threshold

# Numbers of levels; a number takes its values from a few quarters, anywhere, or close together.
KINDS = (1, 2, 2, 3, 3, 4, 5, 6, 8, "quarters", "quarters", "real", "close")

# Two of these steps are nearer than 1e-5 to the next value, which is then no other value.
STEPS = np.array([0, 0, 1, 1, 2, 2**-17, 2**-17, 2**-16])


class Table(NamedTuple):
    """A training set.

    Attributes
    ----------
    levels : the number of levels of each attribute; None for numbers.
    columns : one array [n] each, of numbers or codes; NaN and -1 are unknown.
    target, weight : arrays [n]; the weights are those given to fit, or None.
    """

    levels: tuple
    columns: tuple
    target: np.ndarray
    weight: np.ndarray | None

    @property
    def frame(self):
        """For the classifier."""
        return pd.DataFrame(
            {
                f"a{a}": column
                if n is None
                else pd.Categorical.from_codes(column, list("stuvwxyz")[:n])
                for a, (n, column) in enumerate(zip(self.levels, self.columns, strict=True))
            }
        )

    @property
    def cases(self):
        """For the twin."""
        columns = [np.where(unknown(column), None, column) for column in self.columns]
        values = zip(*(column.tolist() for column in columns), strict=True)
        weight = np.ones(len(self.target)) if self.weight is None else self.weight
        weight = [int(w) if w % 1 == 0 else Fraction(w) for w in weight.tolist()]
        return [case for case in zip(values, self.target.tolist(), weight, strict=True) if case[2]]


def drawn(kinds, n, blanks, n_classes, noise, weighing, seed):
    """Return a table whose cells are a function of a seed."""
    rng = np.random.default_rng(seed)
    columns = [_column(rng, kind, n) for kind in kinds]
    # Some classes are told by a column, the others are noise.
    by = columns[rng.integers(len(columns))]
    told = np.unique(by, return_inverse=True)[1] * n_classes // (len(np.unique(by)) or 1)
    target = np.where(rng.random(n) < noise, rng.integers(0, n_classes, n), told)
    for column in columns:
        column[rng.random(n) < blanks] = -1 if column.dtype.kind == "i" else np.nan
    weight = WEIGHTS[weighing](rng, n)
    _, first, target = np.unique(target, return_index=True, return_inverse=True)
    if weight is not None:
        weight[first[weight[first] == 0]] = 1  # every class has some weight
    levels = tuple(kind if isinstance(kind, int) else None for kind in kinds)
    return Table(levels, tuple(columns), target, weight)


def _column(rng, kind, n):
    if isinstance(kind, int):
        return rng.integers(0, rng.integers(1, kind + 1), n)
    if kind == "quarters":
        return rng.integers(0, rng.integers(1, 9), n) / 4
    return (
        rng.normal(size=n) if kind == "real" else rng.permutation(np.cumsum(rng.choice(STEPS, n)))
    )


tables = st.builds(
    drawn,
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=5),
    st.integers(1, 60),
    st.sampled_from([0, 0, 0.1, 0.3]),
    st.integers(2, 5),
    st.sampled_from([0.1, 0.3, 1]),
    st.sampled_from(sorted(WEIGHTS)),
    st.integers(0, 2**32 - 1),
)


LEAST = st.sampled_from([0, 0, 0, 1, 1.5, 3])
CRITERIA = st.sampled_from(["gain_ratio", "gain_ratio", "gain"])


def options(**drawn):
    """Draw what C4.5 or ID3 is told."""
    return st.fixed_dictionaries(drawn).map(lambda told: Options(**told))


def c45_options(group_values):
    """Draw what C4.5 is told."""
    return options(
        criterion=CRITERIA,
        min_weight=st.sampled_from([2, 2, 1, 0, 0.5, 5]),
        average_gain_guard=st.booleans(),
        mdl_penalty=st.booleans(),
        group_values=group_values,
        min_leaf=LEAST,
    )


id3_options = options(
    criterion=CRITERIA,
    min_weight=st.just(0),
    average_gain_guard=st.just(False),
    mdl_penalty=st.just(False),
    unknown=st.just("stop"),
    min_score=st.sampled_from([0, 0, 0.05, 0.3]),
    max_depth=st.sampled_from([None, None, 0, 2]),
    min_leaf=LEAST,
)


def compare_c45(table, options):
    """Compare the tree that C4.5 grows, before anything collapses, with the twin's."""
    told = options._asdict()
    for name in ("unknown", "min_score", "max_depth"):
        del told[name]
    told["min_samples_leaf"] = told.pop("min_leaf")
    c45 = C45Classifier(**told, collapse=False, confidence=None)
    tree, cases = c45.fit(table.frame, table.target, table.weight).tree_, table.cases
    if abs(sum(w for *_, w in cases) - 1) <= 1e-6:  # shares of the cases, not counts
        cases = [(values, k, w * len(cases)) for values, k, w in cases]
    return compare(tree, cases, table.levels, options)


def compare_id3(table, options):
    """Compare the tree that ID3 grows, by gain or by gain ratio, with the twin's."""
    cases = read_cases(table.frame, table.target, table.weight)
    tree = grow(cases, MultiwayControl(**options._asdict()))
    return compare(tree, table.cases, table.levels, options)


def as_test(split, levels):
    """Return a test as the twin writes it."""
    if split is None or isinstance(split, Threshold):
        return split and Ask(split.column, split.cut)
    groups = (
        split.groups if isinstance(split, Subset) else [[v] for v in range(levels[split.column])]
    )
    return Ask(split.column, None, tuple(map(frozenset, groups)))


def compare(tree, cases, levels, options):
    """Compare a tree with the twin's, node for node; return it."""

    def choose(path, tests):
        found, right = as_test(tree.node(path).split, levels), next(tests)
        assert found == right or found in tests, f"{path} asks {found}, not {right}"
        return found

    twin = Twin(cases, levels, len(tree.classes), options, choose).root
    unit = float(sum(twin.counts))
    pairs = [(tree.root, twin)]
    for one, other in pairs:  # the list grows while we walk it
        assert as_test(one.split, levels) == other.test
        counts = np.array(other.counts, dtype=float)
        np.testing.assert_allclose(one.counts / unit, counts / unit, rtol=1e-9, atol=1e-9)
        assert one.label == other.label
        pairs += zip(one.children, other.children, strict=True)
    return tree

"""Awkward little tables for CART, what it may be told, and its tree held against the twin's."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pandas as pd
from cart_twin import Ask, Options, Twin, reach, walk
from hypothesis import strategies as st
from weights import WEIGHTS

from dtreebook import CARTClassifier, CARTRegressor
from dtreebook.tree.splits import Threshold

# The values of numeric attributes are quarters.
KINDS = ("numeric", "numeric", "ordered", "nominal", "nominal")


class Table(NamedTuple):
    """A training set: `codes` [n, A] with -1 for unknown, answers, and weights or None."""

    kinds: tuple
    codes: np.ndarray
    answer: np.ndarray
    weight: np.ndarray | None

    @property
    def frame(self):
        columns = {}
        for a, (kind, codes) in enumerate(zip(self.kinds, self.codes.T, strict=True)):
            if kind == "numeric":
                columns[f"a{a}"] = np.where(codes < 0, np.nan, codes / 4)
            else:
                ordered = kind == "ordered"
                columns[f"a{a}"] = pd.Categorical.from_codes(codes, list("stuvwxyz"), ordered)
        return pd.DataFrame(columns)

    def values(self, row):
        return tuple(
            None if v < 0 else Fraction(int(v), 4) if kind == "numeric" else int(v)
            for kind, v in zip(self.kinds, self.codes[row], strict=True)
        )

    @property
    def cases(self):
        weight = np.ones(len(self.answer)) if self.weight is None else self.weight
        answers = self.answer.tolist()
        if self.answer.dtype.kind == "f":
            answers = map(Fraction, answers)
        return [
            (self.values(row), answer, Fraction(w))
            for row, (answer, w) in enumerate(zip(answers, weight.tolist(), strict=True))
        ]


def drawn(kinds, n, blanks, n_classes, weighing, seed):
    """Return a table whose cells are a function of a seed; without classes answers are numbers."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, rng.integers(1, 9 if k == "numeric" else 6), n) for k in kinds]
    codes = np.where(rng.random((len(kinds), n)) < blanks, -1, codes).T
    answer, firsts = rng.integers(-3, 10, n) / 4, np.array([0])
    if n_classes:
        labels = rng.integers(0, n_classes, n)
        _, firsts, answer = np.unique(labels, return_index=True, return_inverse=True)
    weight = WEIGHTS[weighing](rng, n)
    if weight is not None:
        weight[firsts[weight[firsts] == 0]] = 1  # every class has some weight
    return Table(tuple(kinds), codes, answer, weight)


def tables(numbers=False, ways=("none", "whole")):
    """Draw a table: few values, so many ties; unknown values; as many levels as can be tried.

    Parameters
    ----------
    ways : of `WEIGHTS`, those to draw from.
    """
    return st.builds(
        drawn,
        st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
        st.sampled_from([1, 2, 5, 9, 14, 19, 24]),
        st.sampled_from([0, 0.2]),
        st.none() if numbers else st.sampled_from([2, 3, 4, 2, 1]),
        st.sampled_from(ways),
        st.integers(0, 2**32 - 1),
    )


@st.composite
def options(draw, n_classes=None, criteria=("gini", "gini", "entropy")):
    """Draw what CART is told."""
    told = {
        "max_depth": draw(st.sampled_from([None, None, 1, 3])),
        "min_samples_split": draw(st.integers(2, 6)),
        "min_samples_leaf": draw(st.integers(1, 3)),
        "min_impurity_decrease": draw(st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 64)])),
        "max_surrogates": draw(st.integers(0, 3)),
        "missing": draw(st.sampled_from(["majority", "surrogates", "stop"])),
        "agreement": draw(st.sampled_from(["primary", "both"])),
        "min_weight_fraction_leaf": draw(st.sampled_from([Fraction(0), Fraction(1, 5)])),
    }
    if n_classes:
        told["criterion"] = draw(st.sampled_from(criteria))
        if draw(st.booleans()):
            parts = [Fraction(draw(st.integers(1, 8))) for _ in range(n_classes)]
            told["priors"] = [part / sum(parts) for part in parts]
        if n_classes > 1 and draw(st.booleans()):
            costs = [[draw(st.integers(1, 4)) for _ in range(n_classes)] for _ in range(n_classes)]
            told["loss"] = [[c * (j != k) for k, c in enumerate(r)] for j, r in enumerate(costs)]
    return Options(n_classes=n_classes, **told)


def fit(table, options):
    """Return our estimator, fitted to a table as the options say."""
    told = options._asdict()
    n_classes = told.pop("n_classes")
    for name in ("min_impurity_decrease", "min_weight_fraction_leaf"):
        told[name] = float(told[name])
    if not n_classes:
        for name in ("criterion", "priors", "loss"):
            del told[name]
        return CARTRegressor(**told).fit(table.frame, table.answer, table.weight)
    if told["priors"]:
        told["priors"] = [float(prior) for prior in told["priors"]]
    return CARTClassifier(**told).fit(table.frame, table.answer, table.weight)


def as_test(split, kind):
    if isinstance(split, Threshold):
        cut = Fraction(split.cut) if kind == "numeric" else int(split.cut)
        return Ask(split.column, cut)
    return Ask(split.column, None, tuple(map(frozenset, split.groups)))


def near(one, other):
    return np.allclose(np.array(one, dtype=float), np.array(other, dtype=float), 1e-9, 1e-9)


def compare(table, options):
    """Compare our tree with the twin's, node for node; return both."""
    model = fit(table, options)
    tree = model.tree_

    def test_at(path):
        node = tree.node(path)
        assert node.split is not None, f"{path} is a leaf"
        return as_test(node.split, table.kinds[node.split.column])

    def choose(path, tests):
        # Of tests that gain the same, the first attribute is asked, and the first cut made; of the
        # divisions of levels, any.
        found = test_at(path)
        assert found in tests, f"{path} asks {found}, not {tests}"
        assert found.attribute == tests[0].attribute, f"{path} asks {found}, not {tests[0]}"
        return found if found.groups else tests[0]

    twin = Twin(table.cases, table.kinds, options, choose).root
    # Weights too small to be squared are read in another unit, so each is compared in its own.
    unit, twins = (float(sum(node.counts)) for node in (tree.root, twin))
    numbers = {tree.arrays.path(i): i for i in range(tree.node_count)}
    assert set(numbers) == {path for path, _ in walk(twin)}
    for path, other in walk(twin):
        one, i = tree.node(path), numbers[path]
        assert near(one.counts / unit, np.array(other.counts, dtype=float) / twins)
        assert near(tree.risk[i] / unit, float(other.risk) / twins)
        assert near(one.label, other.label)
        assert one.default == other.default
        if other.test is None:
            assert one.is_leaf
            continue
        assert test_at(path) == other.test
        assert near(tree.arrays.improvement[i] / unit, float(other.gain) / twins)
        assert len(one.surrogates) == len(other.surrogates)
        for mine, stand_in in zip(one.surrogates, other.surrogates, strict=True):
            kind = table.kinds[mine.split.column]
            assert (as_test(mine.split, kind), mine.flipped) == (stand_in.test, stand_in.flipped)
            assert near(mine.agreement, stand_in.agreement)
            assert near(mine.adjusted, stand_in.adjusted)
    return model, twin


def compare_answers(table, options):
    """Compare our tree with the twin's, and where both send old cases and new ones."""
    model, twin = compare(table, options)
    new = np.random.default_rng(len(table.codes)).integers(-1, 8, table.codes.shape)
    for asked in (table, table._replace(codes=new)):
        ends = [reach(twin, asked.values(row)) for row in range(len(asked.codes))]
        if isinstance(model, CARTRegressor):
            assert near(model.predict(asked.frame), [end.label for end in ends])
        else:
            counts = np.array([end.counts for end in ends], dtype=float)
            assert near(model.predict_proba(asked.frame), counts / counts.sum(axis=1)[:, None])

"""Awkward little tables for CART, what it may be told, and its tree held against the twin's."""

from fractions import Fraction

import drawing
import numpy as np
from cart_twin import Options, Twin, reach, walk
from drawing import WEIGHTS, Table, as_test
from hypothesis import strategies as st

from dtreebook import CARTClassifier, CARTRegressor
from dtreebook.data.cases import unknown

KINDS = ("quarters", "quarters", "ordered", 5, 5)


def drawn(kinds, n, blanks, n_classes, weighing, seed):
    """Return a table whose cells are a function of a seed; without classes answers are numbers."""
    rng = np.random.default_rng(seed)
    columns = drawing.columns(rng, kinds, n, blanks)
    answer, weight = drawing.labelled(rng, rng.integers(0, n_classes or 1, n), weighing)
    if not n_classes:
        answer = rng.integers(-3, 10, n) / 4
    return Table(tuple(kinds), columns, answer, weight)


def tables(numbers):
    """Draw a table of classes or of numbers, with as many levels as can be tried."""
    return st.builds(
        drawn,
        st.lists(st.sampled_from(KINDS), min_size=1, max_size=4),
        st.sampled_from([1, 2, 5, 9, 14, 19, 24]),
        st.sampled_from([0, 0.2]),
        st.none() if numbers else st.sampled_from([2, 3, 4, 2, 1]),
        st.sampled_from(sorted(WEIGHTS)),
        st.integers(0, 2**32 - 1),
    )


@st.composite
def options(draw, table):
    """Draw what CART is told of a table."""
    n_classes = None if table.answer.dtype.kind == "f" else int(table.answer.max()) + 1
    has_order = [not isinstance(kind, int) for kind in table.kinds]
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
    if draw(st.integers(0, 3)) == 0:
        told["cost"] = [draw(st.integers(1, 5)) for _ in has_order]
    is_whole = not any(unknown(column).any() for column in table.columns)
    if is_whole and (n_classes or 1) < 3 and draw(st.booleans()):
        told["monotonic_cst"] = [draw(st.integers(-1, 1)) * ordered for ordered in has_order]
    if n_classes:
        told["criterion"] = draw(st.sampled_from(["gini", "entropy"]))
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


def near(one, other):
    return np.allclose(np.array(one, dtype=float), np.array(other, dtype=float), 1e-9, 1e-9)


def compare(table, options):
    """Compare our tree with the twin's, node for node; return both."""
    model = fit(table, options)
    tree = model.tree_

    def test_at(path):
        node = tree.node(path)
        assert node.split is not None, f"{path} is a leaf"
        return as_test(node.split)

    def choose(path, tests):
        # Of tests that gain the same, the first attribute is asked, and the first cut made; of the
        # divisions of levels, any.
        found = test_at(path)
        assert found in tests, f"{path} asks {found}, not {tests}"
        assert found.attribute == tests[0].attribute, f"{path} asks {found}, not {tests[0]}"
        return found if found.groups else tests[0]

    kinds = [
        kind if kind == "ordered" else "nominal" if isinstance(kind, int) else "numeric"
        for kind in table.kinds
    ]
    twin = Twin(table.cases, kinds, options, choose).root
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
            assert (as_test(mine.split), mine.flipped) == (stand_in.test, stand_in.flipped)
            assert near(mine.agreement, stand_in.agreement)
            assert near(mine.adjusted, stand_in.adjusted)
    return model, twin


def compare_answers(table, options):
    """Compare our tree with the twin's, and where both send old cases and new ones."""
    model, twin = compare(table, options)
    rng = np.random.default_rng(len(table.answer))
    new = drawing.columns(rng, table.kinds, 20, 0.2)
    for asked in (table, table._replace(columns=new)):
        ends = [reach(twin, values) for values in asked.rows]
        if isinstance(model, CARTRegressor):
            assert near(model.predict(asked.frame), [end.label for end in ends])
        else:
            counts = np.array([end.counts for end in ends], dtype=float)
            assert near(model.predict_proba(asked.frame), counts / counts.sum(axis=1)[:, None])

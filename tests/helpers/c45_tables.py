"""Awkward little tables for C4.5, what it may be told, and its tree held against the twin's."""

import drawing
import numpy as np
from c45_twin import Options, Twin
from drawing import WEIGHTS, Table, as_test
from hypothesis import strategies as st

from dtreebook import C45Classifier
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl

KINDS = (1, 2, 2, 3, 3, 4, 5, 6, 8, "quarters", "quarters", "real", "close")


def drawn(kinds, n, blanks, n_classes, noise, weighing, seed):
    """Return a table whose cells are a function of a seed."""
    rng = np.random.default_rng(seed)
    columns = drawing.columns(rng, kinds, n, blanks)
    # Some classes are told by a column, the others are noise.
    by = columns[rng.integers(len(columns))]
    told = np.unique(by, return_inverse=True)[1] * n_classes // len(np.unique(by))
    labels = np.where(rng.random(n) < noise, rng.integers(0, n_classes, n), told)
    return Table(tuple(kinds), columns, *drawing.labelled(rng, labels, weighing))


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
# One for each column; there are no more than these.
PRICES = {"cost": st.sampled_from([None, None, (2.0, 0.5, 1.0, 7.0, 1.0)])}
PRICES["pricing"] = st.sampled_from(["eg2", "cs_id3", "idx"])
CRITERIA = st.sampled_from(["gain_ratio", "gain_ratio", "gain"])


def options(**drawn):
    return st.fixed_dictionaries(drawn).map(lambda told: Options(**told))


def c45_options(group_values):
    """Draw what C4.5 is told."""
    return options(
        criterion=CRITERIA,
        min_weight=st.sampled_from([2, 2, 1, 0, 0.5, 5]),
        average_gain_guard=st.booleans(),
        mdl_penalty=st.booleans(),
        group_values=group_values,
        min_samples_leaf=LEAST,
        **PRICES,
    )


id3_options = options(
    criterion=CRITERIA,
    min_weight=st.just(0),
    average_gain_guard=st.just(False),
    mdl_penalty=st.just(False),
    unknown=st.just("stop"),
    min_score=st.sampled_from([0, 0, 0.05, 0.3]),
    max_depth=st.sampled_from([None, None, 0, 2]),
    min_samples_leaf=LEAST,
    **PRICES,
)


def prices(table, options):
    return options.cost and np.array(options.cost[: len(table.kinds)])


def compare_c45(table, options):
    """Compare the tree that C4.5 grows, before anything collapses, with the twin's."""
    told = options._asdict() | {"cost": prices(table, options)}
    for name in ("unknown", "min_score", "max_depth"):
        del told[name]
    c45 = C45Classifier(**told, collapse=False, confidence=None)
    tree, cases = c45.fit(table.frame, table.answer, table.weight).tree_, table.cases
    if abs(sum(w for *_, w in cases) - 1) <= 1e-6:  # shares of the cases, not counts
        cases = [(values, k, w * len(cases)) for values, k, w in cases]
    return compare(tree, cases, table.levels, options)


def compare_id3(table, options):
    told = options._asdict() | {"cost": prices(table, options)}
    tree = grow(table.read, MultiwayControl(**told))
    return compare(tree, table.cases, table.levels, options)


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

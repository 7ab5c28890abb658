"""Nominal columns: what every table offers, against a loop over the cases."""

from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nodes import growth_in
from tiers import draws

from dtreebook import C45Classifier, ID3Classifier, measures
from dtreebook.data.cases import Attribute, Cases
from dtreebook.grow import dense_columns
from dtreebook.grow.criteria import MULTIWAY
from dtreebook.grow.grouping import group_values
from dtreebook.grow.multiway import MultiwayControl

ONE_PASS = dense_columns._MOST_CELLS_A_PASS
seeds = st.integers(0, 2**32 - 1)
controls = st.builds(
    MultiwayControl,
    criterion=st.just("gain_ratio"),
    min_weight=st.sampled_from([0, 0.5, 1, 2, 5]),
    mdl_penalty=st.booleans(),
)


class Nominal:
    """Random cases of four nominal attributes, in a few nodes."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        n, n_nodes, n_classes = (int(rng.integers(*r)) for r in [(1, 80), (1, 5), (1, 4)])
        self.n_levels = (2, 3, 12, 1)
        columns = tuple(rng.integers(0, n_levels, n) for n_levels in self.n_levels)
        for column in columns:
            column[rng.random(n) < rng.choice([0, 0.3])] = -1
        target = rng.integers(0, n_classes, n)
        attributes = tuple(
            Attribute(f"a{i}", "nominal", tuple(range(n_levels)))
            for i, n_levels in enumerate(self.n_levels)
        )
        self.cases = Cases(attributes, columns, target, np.arange(n_classes), None)
        self.node, self.n_nodes = rng.integers(0, n_nodes, n), n_nodes
        self.weight = rng.choice([0.25, 1, 2], n) if rng.random() < 0.7 else None
        self.available = rng.random((n_nodes, 4)) < 0.8

    def table(self, node, a):
        """Return the table of an attribute at a node, and the weight of the unknown values."""
        table, unknown = np.zeros((self.n_levels[a], len(self.cases.classes))), 0.0
        for i in np.flatnonzero(self.node == node):
            w = 1.0 if self.weight is None else self.weight[i]
            code = self.cases.columns[a][i]
            if code < 0:
                unknown += w
            else:
                table[code, self.cases.target[i]] += w
        return table, unknown


@pytest.mark.parametrize(
    "cells", [dense_columns._MOST_CELLS_A_PASS, 1], ids=["one pass", "a node each"]
)
@settings(max_examples=draws(100))
@given(seed=seeds, control=controls, subsets=st.booleans())
def test_tables_of_several_columns_are_measured_as_single_ones(cells, seed, control, subsets):
    level = Nominal(seed)
    control = MultiwayControl("gain_ratio", min_weight=control.min_weight, group_values=subsets)
    nodes = np.arange(len(level.node)), level.node, level.n_nodes, level.weight
    growth, opened = growth_in(control, level.cases, *nodes)
    available = growth.available = level.available[opened]
    with mock.patch.object(dense_columns, "_MOST_CELLS_A_PASS", cells):
        growth.search()
    offers = growth.found
    for (i, a), is_available in np.ndenumerate(available):
        found, node = (offers.gain[i, a], offers.information[i, a]), opened[i]
        if not is_available:
            assert found == (-np.inf, 0)
            continue
        table, unknown = level.table(node, a)
        wanted, is_worth_it = None, True
        if subsets and len(table) > 2:
            grouped = group_values(table, unknown, control.min_weight, MULTIWAY["gain_ratio"])
            groups, *wanted, value = grouped
            is_worth_it = value > 1e-12
            used = [code for group in groups for code in group]
            rest = tuple(code for code in range(len(table)) if code not in used)
            branches = (*map(tuple, groups), *([rest] if rest else []))
            assert growth.groups[i, a] == branches
            table = np.array([table[group].sum(axis=0) for group in groups])
        else:
            assert (i, a) not in growth.groups
        sizes = table.sum(axis=1) if len(table) else np.zeros(0)
        is_enough = (sizes > 0) & (sizes >= control.min_weight)
        if np.count_nonzero(is_enough) < 2 or not is_worth_it:
            assert found[0] == -np.inf
        else:
            gain = measures.information_gain(table, unknown)
            information = measures.split_information(table, unknown)
            wanted = (gain, information) if wanted is None else wanted
            np.testing.assert_allclose(found, wanted, rtol=1e-12, atol=1e-12)
        assert np.isnan(offers.left[i, a])


@pytest.mark.parametrize("n_levels", [127, 128, 129, 2**15])
def test_codes_are_wide_enough_for_as_many_levels_as_a_byte_or_two_can_count(n_levels):
    level = np.char.mod("%05d", np.arange(n_levels))
    model = ID3Classifier().fit(np.append(level, level)[:, None], np.arange(2 * n_levels) % 2)
    assert model.tree_.node_count == n_levels + 1


def test_two_branches_must_have_enough_cases_not_all():
    X = np.array([["a"] * 4 + ["b"] * 4 + ["c"]]).T
    y = [0] * 4 + [1] * 4 + [1]
    for min_weight, divides in [(4, True), (5, False)]:
        root = C45Classifier(min_weight=min_weight).decisions(X, y)[0]
        assert bool(root.candidates) == divides

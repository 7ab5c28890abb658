"""Grouping of values: the groups, their gain and what they compare by are the naive twin's."""

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from grouping_twin import Grouping
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import draws

from dtreebook.grow.criteria import MULTIWAY
from dtreebook.grow.subsets import group_values

scores = st.sampled_from(["gain_ratio", "gain"])
least = st.sampled_from([0, 1, 2, 5])
unknowns = st.sampled_from([0.0, 0.0, 1.0, 2.5])


@st.composite
def tables(draw):
    shape = draw(st.tuples(st.integers(1, 7), st.integers(2, 3)))
    counts = hnp.arrays(float, shape, elements=st.sampled_from([0, 0, 0, 1, 2, 3, 5, 0.05, 0.4]))
    return draw(counts)


@settings(max_examples=draws(400))
@given(table=tables(), unknown=unknowns, min_weight=least, score=scores)
@example(np.array([[1, 0.05, 0.05], [0, 1, 0], [2, 0, 0]]), 0.0, 1, "gain_ratio")
@example(np.array([[6.0, 2], [3, 1], [0, 2]]), 0.0, 2, "gain_ratio")  # the largest is left alone
@example(np.array([[6.0, 2], [3, 1], [0, 2]]), 0.0, 3, "gain_ratio")
@example(np.array([[9.0, 1], [3, 0], [0, 3]]), 0.0, 5, "gain_ratio")  # too few that are large
@example(np.array([[5.0, 1], [4, 1], [1, 4], [1, 5]]), 0.0, 1, "gain")
def test_groups_are_those_of_the_twin(table, unknown, min_weight, score):
    found = group_values(table, unknown, min_weight, MULTIWAY[score])
    groups, *wanted = Grouping(table.tolist(), unknown, min_weight, score).group()
    assert found.groups == list(map(list, groups))
    assert found[1:] == pytest.approx(wanted, rel=1e-9, abs=1e-12)

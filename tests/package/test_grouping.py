"""Grouping of values: equal to the naive twin, examples by hand, what must hold."""

import hypothesis.extra.numpy as hnp
import numpy as np
import pandas as pd
import pytest
from grouping_twin import Grouping
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiers import draws

from dtreebook import C45Classifier, measures
from dtreebook.datasets import load_golf, load_tennis
from dtreebook.grow.criteria import MULTIWAY
from dtreebook.grow.grouping import group_values
from dtreebook.tree.splits import Subset

scores = st.sampled_from(["gain_ratio", "gain"])
least = st.sampled_from([0, 1, 2, 5])
unknowns = st.sampled_from([0.0, 0.0, 1.0, 2.5])


@st.composite
def tables(draw):
    """Draw [V, K] of counts: values that are absent, nearly absent, of one class, of several."""
    shape = draw(st.tuples(st.integers(1, 7), st.integers(2, 3)))
    counts = hnp.arrays(float, shape, elements=st.sampled_from([0, 0, 0, 1, 2, 3, 5, 0.05, 0.4]))
    return draw(counts)


# --- equal to the naive twin ----------------------------------------------------------------------


@settings(max_examples=draws(400))
@given(table=tables(), unknown=unknowns, min_weight=least, score=scores)
@example(np.array([[1, 0.05, 0.05], [0, 1, 0], [2, 0, 0]]), 0.0, 1, "gain_ratio")
def test_groups_are_those_of_the_twin(table, unknown, min_weight, score):
    found = group_values(table, unknown, min_weight, MULTIWAY[score])
    groups, *wanted = Grouping(table.tolist(), unknown, min_weight, score).group()
    assert found.groups == list(map(list, groups))
    assert found[1:] == pytest.approx(wanted, rel=1e-9, abs=1e-12)


# --- equal to Release 8 --------------------------------------------------------------------------

THREE_VALUES = " ".join(
    f"v{a},v{b}:{'yes' if (a + b) % 3 == 0 else 'no'}" for a in range(3) for b in range(3)
)
COUNTED = "v0:k0 " * 8 + "v0:k1 " * 4 + "v1:k0 v1:k1 " + "v2:k0 " * 4 + "v2:k1 " * 11
COUNTED += "v3:k0 " * 7 + "v3:k1 " * 8

# Cases as value,value:class, the path to a node, and groups of values that the original has there.
RELEASE_8 = {
    "a later pair of no less value leads even if it keeps less than half of the gain": (
        "v2:k2 v2:k2 v2:k2 v1:k1 v0:k0 v2:k1 v0:k1 v3:k0 v2:k2 v1:k0 v1:k2 v3:k0",
        (),
        {"v0 v1 v2", "v3"},
    ),
    "of equal pairs the last": ("v3:k0 v0:k0 v0:k0 v1:k1 v1:k1 v3:k1", (), {"v0", "v1 v3"}),
    "the last, without a tie": (COUNTED, (), {"v0", "v1 v2 v3"}),
    "a value of half a case still counts": (
        "v0,?:k1 v0,v1:k0 v0,v2:k0 v0,?:k0 v1,v2:k1 v3,v4:k1 v1,v4:k0 v3,v1:k0 v2,v0:k0 v4,v3:k0 "
        "v2,?:k0",
        (1,),
        {"v1 v3"},
    ),
}


def asked(text, path=()):
    """Return the groups of values that the test at a node has, None for a leaf."""
    values, y = zip(*(case.split(":") for case in text.split()), strict=True)
    columns = zip(*(case.split(",") for case in values), strict=True)
    levels = ["v0", "v1", "v2", "v3", "v4"]
    known = ([None if value == "?" else value for value in column] for column in columns)
    X = pd.DataFrame({f"a{i}": pd.Categorical(c, levels) for i, c in enumerate(known)})
    split = C45Classifier(group_values=True).fit(X, y).unpruned_tree_.node(path).split
    return split and [" ".join(levels[v] for v in group) for group in split.groups]


@pytest.mark.parametrize("rule", RELEASE_8)
def test_groups_are_those_of_release_8(rule):
    text, path, wanted = RELEASE_8[rule]
    assert wanted <= set(asked(text, path))


def test_the_last_group_takes_the_place_that_falls_vacant():
    """Once {v0, v2} have merged; so Release 8 orders its branches. The last one has no cases."""
    text = "v0,v3:k0 v2,?:k1 v2,v4:k0 v3,v0:k1 v3,v3:k1 v3,v2:k1"
    assert asked(text) == ["v0 v2", "v4", "v3", "v1"]


def test_a_grouping_of_no_value_is_no_candidate():
    """Each attribute alone tells nothing; Release 8 then makes a leaf, with -s and only with it."""
    assert asked(f"{THREE_VALUES} {THREE_VALUES}") is None


# --- examples by hand ----------------------------------------------------------------------------


def groups_of(*given):
    *given, score = given
    return group_values(*given, MULTIWAY[score]).groups


def test_outlook_in_golf():
    """Sun and rain are merged: .226 bits at .863 to pay are better than .247 at 1.577."""
    table = np.array([[2.0, 3.0], [4.0, 0.0], [3.0, 2.0]])
    assert groups_of(table, 0.0, 2, "gain_ratio") == [[0, 2], [1]]
    together = np.array([[5.0, 5.0], [4.0, 0.0]])
    assert measures.information_gain(together) == pytest.approx(0.226, abs=5e-4)
    assert measures.split_information(together) == pytest.approx(0.863, abs=5e-4)
    assert measures.gain_ratio(together) > measures.gain_ratio(table)


@pytest.mark.parametrize("load", [load_golf, load_tennis])
def test_golf_and_play_tennis_ask_for_a_group_first(load):
    c45 = C45Classifier(group_values=True).fit(*load(return_X_y=True))
    assert c45.unpruned_tree_.root.split == Subset(0, ((0, 2), (1,)))
    assert [child.weight for child in c45.unpruned_tree_.root.children] == [10, 4]


def test_values_of_one_class_go_together_first():
    table = np.array([[3.0, 0], [0, 2], [1, 0], [0, 4]])
    assert groups_of(table, 0.0, 1, "gain_ratio") == [[0, 2], [1, 3]]


@pytest.mark.parametrize(("other", "groups"), [(0.09, [[0, 1], [2]]), (0.2, [[0], [1], [2]])])
def test_of_one_class_is_a_value_with_a_tenth_of_a_case_of_others_at_most(other, groups):
    """Else value 1, which is the largest, is left alone: see below."""
    table = np.array([[6.0, 0], [6, other], [0, 1]])
    assert groups_of(table, 0.0, 2, "gain_ratio") == groups


def test_a_value_with_half_a_case_or_less_is_not_there():
    table = np.array([[3.0, 0], [0.5, 0], [0, 3], [0.3, 0.21], [0, 0]])
    assert groups_of(table, 0.0, 1, "gain_ratio") == [[0], [2, 3]]


def test_with_fewer_than_two_groups_of_enough_cases_the_best_merger_is_made_all_the_same():
    """Only value 0 has five cases, so that it is left alone: 1 and 2 have nothing in common."""
    table = np.array([[9.0, 1], [3, 0], [0, 3]])
    merged = np.array([[9.0, 1], [3, 3]])
    assert groups_of(table, 0.0, 5, "gain_ratio") == [[0], [1, 2]]
    assert measures.gain_ratio(merged) < measures.gain_ratio(table)


def test_with_fewer_than_three_groups_of_enough_cases_the_largest_is_left_alone():
    """Values 0 and 1 are alike, but 0 is the largest."""
    table = np.array([[6.0, 2], [3, 1], [0, 2]])
    assert groups_of(table, 0.0, 2, "gain_ratio") == [[0, 1], [2]]
    assert groups_of(table, 0.0, 3, "gain_ratio") == [[0], [1], [2]]


def test_gain_alone_leaves_two_groups():
    """No merger raises the gain, so all are made, the one that loses least first."""
    table = np.array([[5.0, 1], [4, 1], [1, 4], [1, 5]])
    assert groups_of(table, 0.0, 1, "gain") == [[0, 1], [2, 3]]


@pytest.mark.parametrize("table", [np.zeros((3, 2)), np.array([[0.0, 0], [2, 1], [0, 0]])])
@pytest.mark.parametrize("score", ["gain_ratio", "gain"])
def test_fewer_than_two_values_are_not_grouped(table, score):
    assert groups_of(table, 2.0, 1, score) == [[v] for v in range(3) if table[v].sum()]

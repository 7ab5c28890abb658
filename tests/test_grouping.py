"""Grouping of values: a naive twin by the rules as stated, examples by hand, what must hold."""

from math import log2

import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dtreebook import C45Classifier, measures
from dtreebook.datasets import load_golf, load_tennis
from dtreebook.grouping import group_values
from dtreebook.splits import Subset

scores = st.sampled_from(["gain_ratio", "gain"])
least = st.sampled_from([0, 1, 2, 5])
unknowns = st.sampled_from([0.0, 0.0, 1.0, 2.5])


@st.composite
def tables(draw):
    """Draw [V, K] of counts: values that are absent, nearly absent, of one class, of several."""
    shape = draw(st.tuples(st.integers(1, 7), st.integers(2, 3)))
    counts = hnp.arrays(float, shape, elements=st.sampled_from([0, 0, 0, 1, 2, 3, 5, 0.05, 0.4]))
    return draw(counts)


# --- the naive twin ------------------------------------------------------------------------------


def bits(weights):
    whole = sum(weights)
    return sum(w / whole * log2(whole / w) for w in weights if w > 0)


def judged(table, groups, unknown, score):
    """Return the gain of a grouping and what it is judged by, from single weights."""
    rows = [[sum(table[v][k] for v in g) for k in range(len(table[0]))] for g in groups]
    known = sum(map(sum, rows))
    classes = [sum(column) for column in zip(*rows, strict=True)]
    gain = bits(classes) - sum(sum(row) / known * bits(row) for row in rows)
    gain *= known / (known + unknown)
    if score == "gain":
        return gain, gain
    information = bits([*map(sum, rows), unknown])
    return gain, gain / information if information > 1e-3 else -np.inf


def naive(table, unknown, min_cases, score):
    """Return the groups, and by how much the closest decision was taken."""
    table, margins = table.tolist(), [np.inf]
    groups = [[v] for v, row in enumerate(table) if sum(row) > 0.5]
    if len(groups) < 2:
        return groups, np.inf
    half = judged(table, groups, unknown, score)[0] / 2

    # Values of one class, but for a tenth of a case, go together.
    pure, joined = {}, []
    for (v,) in groups:
        label = table[v].index(max(table[v]))
        if sum(table[v]) - table[v][label] > 0.1:
            joined.append([v])
        elif label in pure:
            pure[label].append(v)
        else:
            pure[label] = [v]
            joined.append(pure[label])
    groups = joined

    value = judged(table, groups, unknown, score)[1]
    while len(groups) > 2:
        weights = [sum(map(sum, (table[v] for v in group))) for group in groups]
        large = sum(weight >= min_cases for weight in weights)
        largest = weights.index(max(weights))
        best = None
        for i in range(len(groups)):
            for j in range(i + 1, len(groups)):
                if large < 3 and largest in (i, j):
                    continue
                merged = [g for k, g in enumerate(groups) if k not in (i, j)]
                merged.insert(i, sorted(groups[i] + groups[j]))
                gain, ratio = judged(table, merged, unknown, score)
                margins.append(abs(gain - half))
                if best is not None and (gain >= half) == best[0]:
                    margins.append(abs(ratio - best[1] - 1e-5))
                    better = ratio > best[1] + 1e-5
                else:
                    better = best is None or gain >= half
                if better:
                    best = gain >= half, ratio, merged
        if score == "gain_ratio" and large >= 2:
            margins.append(abs(best[1] - value - 1e-5))
            if best[1] < value + 1e-5:
                break
        _, value, groups = best
    return groups, min(margins)


@settings(max_examples=400)
@given(table=tables(), unknown=unknowns, min_cases=least, score=scores)
def test_groups_are_those_of_the_twin(table, unknown, min_cases, score):
    wanted, margin = naive(table, unknown, min_cases, score)
    assume(margin > 1e-12)  # nearer than that rounding decides
    assert group_values(table, unknown, min_cases, score) == wanted


# --- examples by hand ----------------------------------------------------------------------------


def test_outlook_in_golf():
    """Sun and rain are merged: .226 bits at .863 to pay are better than .247 at 1.577."""
    table = np.array([[2.0, 3.0], [4.0, 0.0], [3.0, 2.0]])
    assert group_values(table, 0.0, 2, "gain_ratio") == [[0, 2], [1]]
    together = np.array([[5.0, 5.0], [4.0, 0.0]])
    assert measures.information_gain(together) == pytest.approx(0.226, abs=5e-4)
    assert measures.split_information(together) == pytest.approx(0.863, abs=5e-4)
    assert measures.gain_ratio(together) > measures.gain_ratio(table)


@pytest.mark.parametrize("load", [load_golf, load_tennis])
def test_golf_and_play_tennis_ask_for_a_group_first(load):
    c45 = C45Classifier(subsets=True).fit(*load(return_X_y=True))
    assert c45.unpruned_tree_.root.split == Subset(0, ((0, 2), (1,)))
    assert [child.weight for child in c45.unpruned_tree_.root.children] == [10, 4]


def test_values_of_one_class_go_together_first():
    table = np.array([[3.0, 0], [0, 2], [1, 0], [0, 4]])
    assert group_values(table, 0.0, 1, "gain_ratio") == [[0, 2], [1, 3]]


@pytest.mark.parametrize(("other", "groups"), [(0.09, [[0, 1], [2]]), (0.2, [[0], [1], [2]])])
def test_of_one_class_is_a_value_with_a_tenth_of_a_case_of_others_at_most(other, groups):
    """Else value 1, which is the largest, is left alone: see below."""
    table = np.array([[6.0, 0], [6, other], [0, 1]])
    assert group_values(table, 0.0, 2, "gain_ratio") == groups


def test_a_value_with_half_a_case_or_less_is_not_there():
    table = np.array([[3.0, 0], [0.5, 0], [0, 3], [0.3, 0.21], [0, 0]])
    assert group_values(table, 0.0, 1, "gain_ratio") == [[0], [2, 3]]


def test_with_fewer_than_two_groups_of_enough_cases_the_best_merger_is_made_all_the_same():
    """Only value 0 has five cases, so that it is left alone: 1 and 2 have nothing in common."""
    table = np.array([[9.0, 1], [3, 0], [0, 3]])
    merged = np.array([[9.0, 1], [3, 3]])
    assert group_values(table, 0.0, 5, "gain_ratio") == [[0], [1, 2]]
    assert measures.gain_ratio(merged) < measures.gain_ratio(table)


def test_with_fewer_than_three_groups_of_enough_cases_the_largest_is_left_alone():
    """Values 0 and 1 are alike, but 0 is the largest."""
    table = np.array([[6.0, 2], [3, 1], [0, 2]])
    assert group_values(table, 0.0, 2, "gain_ratio") == [[0, 1], [2]]
    assert group_values(table, 0.0, 3, "gain_ratio") == [[0], [1], [2]]


def test_gain_alone_leaves_two_groups():
    """No merger raises the gain, so all are made, the one that loses least first."""
    table = np.array([[5.0, 1], [4, 1], [1, 4], [1, 5]])
    assert group_values(table, 0.0, 1, "gain") == [[0, 1], [2, 3]]


@pytest.mark.parametrize("table", [np.zeros((3, 2)), np.array([[0.0, 0], [2, 1], [0, 0]])])
@pytest.mark.parametrize("score", ["gain_ratio", "gain"])
def test_fewer_than_two_values_are_not_grouped(table, score):
    assert group_values(table, 2.0, 1, score) == [[v] for v in range(3) if table[v].sum()]


# --- what must hold ------------------------------------------------------------------------------


@given(table=tables(), unknown=unknowns, min_cases=least, score=scores)
def test_every_value_that_is_there_is_in_one_group(table, unknown, min_cases, score):
    groups = group_values(table, unknown, min_cases, score)
    assert (
        sorted(v for group in groups for v in group)
        == np.flatnonzero(table.sum(axis=1) > 0.5).tolist()
    )
    assert all(group == sorted(group) for group in groups)
    assert score == "gain_ratio" or len(groups) <= 2


@given(table=tables(), unknown=unknowns, score=scores)
def test_values_of_one_class_are_never_apart(table, unknown, score):
    present = table.sum(axis=1) > 0.5
    groups = group_values(table, unknown, 1, score)
    where = {v: i for i, group in enumerate(groups) for v in group}
    for k in range(table.shape[1]):
        pure = np.flatnonzero(present & (table[:, k] == table.sum(axis=1)))
        assert len({where[v] for v in pure}) <= 1


@given(table=tables(), unknown=unknowns, min_cases=least, score=scores)
def test_where_a_class_stands_does_not_matter(table, unknown, min_cases, score):
    _, margin = naive(table, unknown, min_cases, score)
    assume(margin > 1e-12)
    turned = group_values(table[:, ::-1], unknown, min_cases, score)
    assert turned == group_values(table, unknown, min_cases, score)


@given(table=tables(), unknown=unknowns, min_cases=least)
def test_an_absent_value_changes_nothing(table, unknown, min_cases):
    wider = np.vstack([table, np.zeros_like(table[:1])])
    found = group_values(wider, unknown, min_cases, "gain_ratio")
    assert found == group_values(table, unknown, min_cases, "gain_ratio")


@given(table=tables())
def test_a_grouping_by_ratio_is_no_worse_than_the_values_apart(table):
    """Where every group has enough cases no merger is forced."""
    groups = group_values(table, 0.0, 0, "gain_ratio")
    assume(len(groups) > 1)
    apart = table[table.sum(axis=1) > 0.5]
    together = np.array([table[group].sum(axis=0) for group in groups])
    assert measures.gain_ratio(together) >= measures.gain_ratio(apart) - 1e-9

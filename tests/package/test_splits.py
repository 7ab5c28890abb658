"""Splits: the branches of every kind of test, in numbers and in words."""

import numpy as np
import pytest

from dtreebook.data.cases import Attribute
from dtreebook.tree.splits import Multiway, Subset, Threshold

OUTLOOK = Attribute("outlook", "nominal", ("sunny", "overcast", "rain"))
AGE = Attribute("age", "ordered", ("young", "middle", "old"))
HUMIDITY = Attribute("humidity", "numeric")


def test_multiway_has_a_branch_for_every_level():
    assert Multiway(0).words(OUTLOOK) == ("outlook = sunny", "outlook = overcast", "outlook = rain")
    assert Multiway(0).branch(np.array([2, 0, -1])).tolist() == [2, 0, -1]


def test_the_cut_itself_goes_to_the_first_branch():
    split = Threshold(0, 75.0)
    assert split.branch(np.array([-1.0, 75.0, 75.1, np.nan])).tolist() == [0, 0, 1, -1]
    assert split.words(HUMIDITY) == ("humidity <= 75", "humidity > 75")


def test_an_ordered_attribute_is_cut_at_a_level():
    split = Threshold(0, 1)
    assert split.branch(np.array([0, 1, 2, -1])).tolist() == [0, 0, 1, -1]
    assert split.words(AGE) == ("age <= middle", "age > middle")


def test_a_subset_names_its_levels():
    split = Subset(0, ((0, 2), (1,)))
    assert split.branch(np.array([0, 1, 2, -1])).tolist() == [0, 1, 0, -1]
    assert split.words(OUTLOOK) == ("outlook in {sunny,rain}", "outlook = overcast")


def test_a_level_in_no_group_is_as_good_as_unknown():
    split = Subset(0, ((0,), (2,)))
    assert split.branch(np.array([0, 1, 2, 3, 99, -1])).tolist() == [0, -1, 1, -1, -1, -1]


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (0.5, "0.5"),
        (1 / 3, "0.333333"),
        (-12345.678, "-12345.7"),
        (123456.5, "123456.5"),
        (1e8 + 0.25, "100000000.2"),
        (1600000000.5, "1600000000.5"),
        (-9007199254740992.0, "-9007199254740992"),
        (1e8, "100000000"),
        (1.5e300, "1.5e+300"),
        (1e-308, "1e-308"),
        (0.0, "0"),
    ],
)
def test_a_large_cut_can_be_told_from_its_neighbours(cut, words):
    assert Threshold(0, cut).words(HUMIDITY) == (f"humidity <= {words}", f"humidity > {words}")

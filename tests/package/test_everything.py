"""The net: every estimator with every parameter on every kind of table, and what must hold then.

What Hypothesis finds here it makes small; it is kept as a test where it belongs. `make fuzz` goes
on for an hour.
"""

import pytest
from everything import (
    PARAMETERS,
    TWINS,
    check_larger,
    regrown,
    search,
    search_beside_twin,
    the_reason,
)
from tiers import SEED, draws


@pytest.mark.parametrize("number", range(20))
def test_what_must_hold_of_every_tree_holds(number):
    search(SEED + number, draws(300))


@pytest.mark.parametrize("law", [the_reason, regrown])
@pytest.mark.parametrize("kind", PARAMETERS)
def test_what_must_hold_holds_of_larger_trees(kind, law):
    for number in range(SEED, SEED + draws(60)):
        check_larger(law, kind, number)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", TWINS)
def test_trees_are_those_of_the_twin(kind, number):
    search_beside_twin(kind, SEED + number, draws(400 if kind == "C4.5" else 100))

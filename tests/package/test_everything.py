"""The net: every estimator with every parameter on every kind of table, and what must hold then.

What Hypothesis finds here it makes small; it is kept as a test where it belongs. `make fuzz` goes
on for an hour.
"""

import signal

import pytest
from everything import TWINS, search, search_beside_twin, watched
from tiers import SEED, draws


@pytest.mark.parametrize("number", range(20))
def test_what_must_hold_of_every_tree_holds(number):
    search(SEED + number, draws(300))


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", TWINS)
def test_trees_are_those_of_the_twin(kind, number):
    search_beside_twin(kind, SEED + number, draws(400 if kind == "C4.5" else 100))


def test_what_does_not_end_is_stopped():
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(TimeoutError, match=r"not done after 0\.01 seconds"):
        endless()
    assert signal.getsignal(signal.SIGINT) is before


def endless():
    with watched(0.01):
        while True:
            pass

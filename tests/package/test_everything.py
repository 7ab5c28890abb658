"""The net: every estimator with every parameter on every kind of table, and what must hold then.

What Hypothesis finds here it makes small; it is kept as a test where it belongs. `make fuzz` goes
on for an hour with other examples.
"""

import pytest
from everything import search, search_beside_twin


@pytest.mark.parametrize("number", range(20))
def test_what_must_hold_of_every_tree_holds(number):
    search(number, 1000)


@pytest.mark.parametrize("number", range(4))
def test_cart_grows_the_trees_of_the_twin(number):
    search_beside_twin(number, 100)

"""Tables: the weight in every cell, as counting one case after another gives it."""

from collections import Counter
from itertools import product

import hypothesis.extra.numpy as hnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dtreebook.data.counts import count, two_sides


@given(st.data(), st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(0, 30))
def test_count_equals_counting_one_by_one(data, shape, n):
    codes = [
        data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, size - 1))) for size in shape
    ]
    weight = data.draw(hnp.arrays(np.int64, n, elements=st.integers(0, 40))) / 8
    unweighted, weighted = Counter(), Counter()
    for cell, w in zip(zip(*codes, strict=True), weight, strict=True):
        unweighted[cell] += 1
        weighted[cell] += w
    for table, expected in [
        (count(codes, shape), unweighted),
        (count(codes, shape, weight), weighted),
    ]:
        assert table.shape == tuple(shape)
        assert table.dtype == float
        assert all(table[cell] == expected[cell] for cell in product(*map(range, shape)))


def test_codes_and_weights_broadcast():
    """Two columns against one target: the first axis of the table numbers the column."""
    columns = np.array([[0, 1, 1], [0, 0, 2]])
    target, weight = np.array([0, 1, 1]), np.array([1.0, 2.0, 4.0])
    table = count([np.arange(2)[:, None], columns, target], (2, 3, 2), weight)
    assert table[0].tolist() == [[1, 0], [0, 6], [0, 0]]
    assert table[1].tolist() == [[1, 2], [0, 0], [0, 4]]


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2)), min_size=1, max_size=20))
def test_two_sides_hold_the_cases_up_to_a_value_and_above_it(cases):
    values, target = np.array(cases).T
    known, tables = two_sides(values, target, 3)
    assert known.tolist() == sorted(set(values.tolist()))
    assert tables.shape == (len(known) - 1, 2, 3)
    for value, (below, above) in zip(known, tables, strict=False):
        assert below.tolist() == [(target[values <= value] == k).sum() for k in range(3)]
        assert above.tolist() == [(target[values > value] == k).sum() for k in range(3)]

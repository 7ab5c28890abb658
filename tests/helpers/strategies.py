"""What Hypothesis draws: tables of counts, and small training sets with everything awkward."""

import hypothesis.extra.numpy as hnp
import numpy as np
from drawing import Table
from hypothesis import strategies as st

# Whole counts, often 0, and weights.
counts = st.one_of(st.integers(0, 9), st.floats(0.01, 1e6), st.just(0))


def tables(max_values=6, leading=()):
    shapes = st.tuples(st.integers(1, max_values), st.integers(1, 5))
    return hnp.arrays(float, shapes.map(lambda shape: (*leading, *shape)), elements=counts)


@st.composite
def problems(draw, max_rows=40, weighted=True, max_attributes=5):
    """Draw a training set: many ties, unused levels, attributes of one value and of a hundred.

    Weights are multiples of 1/8, so that their sums are exact in whatever order they are added.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, sizes = int(rng.integers(1, max_rows + 1)), [1, 2, 2, 3, 3, 4, 9, 12, 100]
    n_levels = draw(st.lists(st.sampled_from(sizes), min_size=1, max_size=max_attributes))
    # Of many levels a few are used, so that a value is seldom alone.
    used = rng.integers(1, np.minimum(n_levels, 5) + 1)
    codes = rng.integers(0, n_levels - used + 1) + rng.integers(0, used, (n, len(used)))
    if draw(st.booleans()):
        codes[rng.random(codes.shape) < 0.15] = -1
    target = rng.integers(0, draw(st.integers(1, 4)), n)
    weight = rng.integers(1, 25, n) / 8 if weighted and draw(st.booleans()) else None
    return Table(tuple(n_levels), tuple(codes.T.copy()), target, weight)

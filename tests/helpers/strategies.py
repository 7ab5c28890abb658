"""What Hypothesis draws: tables of counts, and small training sets with everything awkward."""

from typing import NamedTuple

import hypothesis.extra.numpy as hnp
import numpy as np
import pandas as pd
from hypothesis import strategies as st

from dtreebook.data.cases import Attribute, Cases

# Whole counts, often 0, and weights.
counts = st.one_of(st.integers(0, 9), st.floats(0.01, 1e6), st.just(0))


def tables(min_values=1, max_values=6, min_classes=1, max_classes=5, leading=()):
    shapes = st.tuples(
        st.integers(min_values, max_values), st.integers(min_classes, max_classes)
    ).map(lambda shape: (*leading, *shape))
    return hnp.arrays(float, shapes, elements=counts)


class Problem(NamedTuple):
    """A training set, to be given to the engine and to the classifier.

    The values are v0, v1, ... and the classes c0, c1, ...; `codes` is [n, A] with -1 for unknown.
    """

    n_levels: tuple
    codes: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None

    @property
    def levels(self):
        return [[f"v{i}" for i in range(n)] for n in self.n_levels]

    @property
    def classes(self):
        return [f"c{k}" for k in range(self.target.max() + 1)]

    @property
    def cases(self):
        """For the engine. A class may have no case."""
        attributes = tuple(
            Attribute(f"a{i}", "nominal", tuple(levels)) for i, levels in enumerate(self.levels)
        )
        columns = tuple(self.codes.T.copy())
        return Cases(attributes, columns, self.target, np.array(self.classes), self.weight)

    @property
    def frame(self):
        """For the classifier."""
        return pd.DataFrame(
            {
                f"a{i}": pd.Categorical.from_codes(codes, levels)
                for i, (codes, levels) in enumerate(zip(self.codes.T, self.levels, strict=True))
            }
        )

    @property
    def y(self):
        return pd.Categorical.from_codes(self.target, self.classes)

    def take(self, rows):
        weight = None if self.weight is None else self.weight[rows]
        return self._replace(codes=self.codes[rows], target=self.target[rows], weight=weight)


@st.composite
def problems(draw, max_rows=40, unknown=True, weighted=True, max_attributes=5):
    """Draw a training set: many ties, unused levels, attributes of one value and of a hundred.

    Weights are multiples of 1/8, so that their sums are exact in whatever order they are added.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, sizes = int(rng.integers(1, max_rows + 1)), [1, 2, 2, 3, 3, 4, 9, 12, 100]
    n_levels = draw(st.lists(st.sampled_from(sizes), min_size=1, max_size=max_attributes))
    # Of many levels a few are used, so that a value is seldom alone.
    used = rng.integers(1, np.minimum(n_levels, 5) + 1)
    codes = rng.integers(0, n_levels - used + 1) + rng.integers(0, used, (n, len(used)))
    if unknown and draw(st.booleans()):
        codes[rng.random(codes.shape) < 0.15] = -1
    target = rng.integers(0, draw(st.integers(1, 4)), n)
    weight = rng.integers(1, 25, n) / 8 if weighted and draw(st.booleans()) else None
    return Problem(tuple(n_levels), codes, target, weight)

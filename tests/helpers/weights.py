"""Ways to weigh n cases at random; None is not to."""

import numpy as np

WEIGHTS = {
    "none": lambda rng, n: None,
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(1, 4, n),
    "zeros": lambda rng, n: rng.integers(0, 3, n),
    "tenths": lambda rng, n: rng.integers(1, 10, n) / 10,
    "thirds": lambda rng, n: rng.integers(1, 5, n) / 3,
    "fractions": lambda rng, n: rng.random(n) + 0.01,
    "normalised": lambda rng, n: np.full(n, 1 / n),
    "tiny": lambda rng, n: rng.integers(1, 4, n) * 1e-90,
    "huge": lambda rng, n: rng.integers(1, 4, n) * 1e90,
    "one heavy": lambda rng, n: np.where(np.arange(n) == rng.integers(n), 1e6, 1.0),
}

"""Random tables for optimal trees, and what other programs found on them.

`tests/reference/optimal.json` has the fewest training errors by ConTree 1.0.8 (pycontree) and, for
tables of 0 and 1, by STreeD 1.4.0 (pystreed): on 200 tables, and on iris, wine, breast cancer.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

FILE = Path(__file__).parents[1] / "reference" / "optimal.json"
LOADERS = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


def random_table(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(8, 40)), int(rng.integers(2, 5))
    X = rng.integers(0, 2 if seed % 2 else 12, size=(n, d)).astype(float)
    return X, rng.integers(0, rng.integers(2, 4), size=n), int(rng.integers(2, 4))

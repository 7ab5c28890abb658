"""Random tables for optimal trees, and what other programs found on them.

`tests/reference/optimal.json` has the fewest training errors by ConTree 1.0.8 (pycontree) and, for
tables of 0 and 1, by STreeD 1.4.0 (pystreed): on 200 tables, and on iris, wine, breast cancer. Run
as `python tests/helpers/optimal.py`, where both are installed, this writes the file.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

FILE = Path(__file__).parents[1] / "reference" / "optimal.json"
LOADERS = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}


def random_table(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(8, 40)), int(rng.integers(2, 5))
    X = rng.integers(0, 2 if seed % 2 else 12, size=(n, d)).astype(float)
    return X, rng.integers(0, rng.integers(2, 4), size=n), int(rng.integers(2, 4))


def main():
    """Run both programs and write what they find."""
    from pycontree import ConTree
    from pystreed import STreeDClassifier

    def by_contree(X, y, depth):
        frame = pd.DataFrame(X)
        return int((ConTree(max_depth=depth).fit(frame, y).predict(frame) != y).sum())

    def by_streed(X, y, depth):
        model = STreeDClassifier(max_depth=depth, max_num_nodes=2**depth - 1)
        return int((model.fit(X.astype(int), y).predict(X.astype(int)) != y).sum())

    tables = {}
    for seed in range(200):
        X, y, depth = random_table(seed)
        if len(set(y)) > 1:
            y = np.unique(y, return_inverse=True)[1]
            tables[seed] = {"contree": by_contree(X, y, depth)}
            if seed % 2:
                tables[seed]["streed"] = by_streed(X, y, depth)
    known = {
        name: {depth: by_contree(*load(return_X_y=True), depth) for depth in (2, 3)}
        for name, load in LOADERS.items()
    }
    FILE.write_text(json.dumps({"tables": tables, "known": known}, indent=0) + "\n")


if __name__ == "__main__":
    main()

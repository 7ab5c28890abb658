"""Other exact trees, from the extra `bench`: XGBoost's and the presorted CART of ydf."""

import importlib

import pandas as pd
import tables
from contests import Contest, train

from dtreebook import CARTClassifier

X, Y = tables.numeric(100_000)

# XGBoost makes room for every node of a full tree.
DEPTH = 20


def contests():
    """Yield a `Contest` with each that is installed; say so where one is not."""
    for name, training, wanted in [("xgboost", xgboost, 0.7), ("ydf", ydf, None)]:
        try:
            package = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed: pip install 'dtreebook[bench]'")
            continue
        work = f"CART, 100,000 x 20, depth {DEPTH} / {name}"
        ours = train(CARTClassifier(max_depth=DEPTH), X, Y)
        yield Contest(work, ours, training(package), wanted, 3, None, True)


def xgboost(package):
    """Return the training of one exact tree that is not held back, in one thread."""
    model = package.XGBClassifier(
        tree_method="exact",
        n_estimators=1,
        max_depth=DEPTH,
        min_child_weight=0,
        reg_lambda=0,
        n_jobs=1,
    )
    return train(model, X, Y)


def ydf(package):
    """Return the training of one presorted CART that is not pruned, in one thread."""
    table = pd.DataFrame(X, columns=[f"x{i}" for i in range(X.shape[1])]).assign(y=Y)
    model = package.CartLearner(
        label="y",
        max_depth=DEPTH,
        min_examples=1,
        validation_ratio=0.0,
        sorting_strategy="PRESORT",
        num_threads=1,
    )
    package.verbose(0)
    return lambda: model.train(table)

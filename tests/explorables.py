"""The explorables of the book, each made as in its chapter."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from dtreebook import explore
from dtreebook.datasets import (
    load_car,
    load_golf,
    load_loan,
    load_ten_points,
    load_tennis,
    make_waveform,
)


def noisy_cars():
    """The sixty cars of the chapter on C4.5, judged by a careless clerk."""
    X, y = load_car(return_X_y=True)
    rng = np.random.default_rng(58)
    some = rng.permutation(len(X))[:60]
    by_lot = rng.random(60) < 0.1
    judged = y.iloc[some].copy()
    judged[by_lot] = rng.choice(judged.cat.categories, by_lot.sum())
    return X.iloc[some], judged


LOAN, TENNIS = load_loan(return_X_y=True), load_tennis(return_X_y=True)
GOLF, CARS = load_golf(return_X_y=True), noisy_cars()
IRIS = load_iris(return_X_y=True, as_frame=True)
WINE = load_wine(return_X_y=True, as_frame=True)
CELLS = load_breast_cancer(return_X_y=True, as_frame=True)
WAVES = make_waveform(300, random_state=20)
SAFETY, BOOT = (load_car().data[name].astype(str) for name in ("safety", "lug_boot"))
KIND = (SAFETY + "/" + BOOT).rename("safety/boot")
UNACC = (load_car().target == "unacc").map({True: "unacc", False: "acc"})
TEN = load_ten_points().data.iloc[:, 0], load_ten_points().target
# The chapter, and what makes the explorable.
EXPLORABLES = {
    "distribution": ("entropy", explore.distribution),
    "dependence": ("entropy", explore.dependence),
    "choose_split, tennis": ("id3", lambda: explore.choose_split(*TENNIS)),
    "growing": ("id3", lambda: explore.growing(*TENNIS)),
    "many_values": ("c45", lambda: explore.many_values(*LOAN, "house")),
    "choose_split, loan": ("c45", lambda: explore.choose_split(*LOAN)),
    "threshold": ("c45", lambda: explore.threshold(GOLF[0]["humidity"], GOLF[1])),
    "missing_value": ("c45", lambda: explore.missing_value(*GOLF, rows=(0, 3, 11))),
    "pruning": ("c45", lambda: explore.pruning(*CARS)),
    "impurities": (None, explore.impurities),
    "subsets": (None, lambda: explore.subsets(KIND, UNACC)),
    "refinement": (None, lambda: explore.refinement(*TEN)),
    "surrogates": (None, lambda: explore.surrogates(*WINE)),
    "weakest_links": (
        "pruning",
        lambda: explore.weakest_links(*CELLS, np.arange(len(CELLS[0])) % 10),
    ),
    "instability": ("pruning", lambda: explore.instability(*WAVES)),
}

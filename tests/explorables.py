"""The explorables of the book, each made as in its chapter."""

import numpy as np
import pandas as pd
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


def ten_towns():
    """Customers of ten towns of thirty: in the north people buy above an income of 60."""
    rng = np.random.default_rng(4)
    town, income = rng.integers(30, size=600), rng.integers(100, size=600)
    buys = pd.Series(np.where(income > np.where(town < 15, 60, 30), "yes", "no"), name="buys")
    towns = pd.Categorical.from_codes(town, [f"town {i + 1}" for i in range(30)])
    some = (town >= 10) & (town <= 19)
    return pd.Series(towns, name="town")[some].cat.remove_unused_categories(), buys[some]


def wave():
    """A sine with noise."""
    x = pd.Series(np.linspace(0, 10, 60).round(2), name="x")
    noise = np.random.default_rng(10).normal(0, 0.3, 60)
    return x, pd.Series((np.sin(x) + noise).round(2), name="y")


def flowers():
    """Irises with short names."""
    X, y = IRIS
    return X.rename(columns=lambda name: name.removesuffix(" (cm)")), y


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
    "impurities": ("cart", explore.impurities),
    "subsets": ("cart", lambda: explore.subsets(*ten_towns())),
    "refinement": ("cart", lambda: explore.refinement(*wave())),
    "surrogates": ("cart", lambda: explore.surrogates(*flowers())),
    "weakest_links": (
        "pruning",
        lambda: explore.weakest_links(*CELLS, np.arange(len(CELLS[0])) % 10),
    ),
    "instability": ("pruning", lambda: explore.instability(*WAVES)),
}

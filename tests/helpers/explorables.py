"""The explorables of the book, each made as in its page."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine

from dtreebook.datasets import (
    load_abstract15,
    load_car,
    load_golf,
    load_loan,
    load_nursery,
    load_ten_points,
    load_tennis,
    make_led,
    make_travellers,
    make_waveform,
)
from dtreebook.pages import explorables
from dtreebook.pages.people import BORDER, draw


def noisy_cars():
    """The sixty cars of the page on C4.5, judged by a careless clerk."""
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
TWO = CELLS[0][["worst perimeter", "worst smoothness"]], CELLS[1].map({0: "malignant", 1: "benign"})


def ten_towns():
    """Customers of ten towns of thirty: in the north people buy above an income of 60."""
    rng = np.random.default_rng(4)
    town, income = rng.integers(30, size=600), rng.integers(100, size=600)
    buys = pd.Series(np.where(income > np.where(town < 15, 60, 30), "yes", "no"), name="buys")
    some = (town >= 10) & (town <= 19)
    # fmt: off
    names = [
        "Kelby", "Linton", "Marden", "Norwell", "Oakley", "Penrith", "Rowan", "Selby", "Thorpe",
        "Upton",
    ]
    # fmt: on
    towns = pd.Categorical.from_codes(town[some] - 10, names)
    return pd.Series(towns, name="town", index=buys.index[some]), buys[some]


def wave():
    x = pd.Series(np.linspace(0, 10, 60).round(2), name="x")
    noise = np.random.default_rng(10).normal(0, 0.3, 60)
    return x, pd.Series((np.sin(x) + noise).round(2), name="y")


def flowers():
    X, y = IRIS
    return X.rename(columns=lambda name: name.removesuffix(" (cm)")), y


def waves():
    X, y = make_waveform(300, random_state=20)
    return X.round(2), y


def plane():
    (X_new, y_new), what = draw(5000, 2), ("person", "people")
    return explorables.points_on_a_plane(*draw(300, 1), X_new[:400], y_new[:400], what)


def votes():
    """Twenty trees at a corner and on a slope."""
    planes = {
        "a corner": (*draw(300, 1), BORDER["a corner"]),
        "a slope": (*draw(300, 1, "a slope"), BORDER["a slope"]),
    }
    return explorables.votes(planes, ("person", "people"))


def boosting():
    return explorables.boosting(*draw(300, 1), BORDER["a corner"], ("person", "people"))


def laboratory():
    """The laboratory with the tables of its page."""
    iris, wine, cells, patients = (
        load(as_frame=True) for load in (load_iris, load_wine, load_breast_cancer, load_diabetes)
    )
    folk, answers = draw(300, 1)
    forms, kinds = waves()
    X, traveller = make_travellers(1000, random_state=0)
    digits, number = make_led(500, random_state=0)
    return explorables.laboratory(
        {
            "loan": load_loan().frame,
            "fifteen": load_abstract15().frame,
            "tennis": load_tennis().frame,
            "golf": load_golf().frame,
            "ten points": load_ten_points().frame,
            "iris": iris.data.assign(flower=iris.target_names[iris.target]),
            "wine": wine.data.assign(grower=wine.target_names[wine.target]),
            "cells": cells.data.assign(tumour=cells.target_names[cells.target]),
            "patients": patients.frame.round(4),
            "cars": load_car().frame,
            "nursery": load_nursery().frame,
            "people": folk.assign(buys=answers),
            "travellers": X.assign(traveller=traveller),
            "digits": digits.assign(digit=number),
            "waves": forms.assign(kind=kinds),
        }
    )


# What every page shows: the page, and what makes the explorable.
LETTERS = {"cat": 38, "dog": 21, "hen": 15, "owl": 12, "fox": 9, "bee": 5}
MORNINGS = ("morning", "mornings")
APPLICANTS = ("applicant", "applicants")
LIVE = {
    "ask": ("", lambda: explorables.guess("How many?", 4, "It is four.", unit="questions")),
    "questions": ("asking_good_questions", explorables.twenty_questions),
    "chance": ("entropy_codes", explorables.distribution),
    "mosaic": ("entropy_answers", explorables.dependence),
    "walk, first": ("index", lambda: explorables.your_own_tree(*LOAN, APPLICANTS, led=True)),
    "walk": ("id3_examples", lambda: explorables.your_own_tree(*TENNIS, MORNINGS)),
    "walk, ratio": ("c45", lambda: explorables.your_own_tree(*LOAN, APPLICANTS, ratio=True)),
    "cuts": ("cart", lambda: explorables.cuts(*draw(300, 1), ("person", "people"))),
    "cut": (
        "c45_thresholds",
        lambda: explorables.threshold(GOLF[0]["humidity"], GOLF[1], MORNINGS),
    ),
    "pour": ("c45_missing_values", lambda: explorables.missing_value(*GOLF, rows=(0, 3, 11))),
    "estimate": ("c45_program", lambda: explorables.pruning(*CARS)),
    "bags": ("cart_search", lambda: explorables.subsets(*ten_towns(), ("customer", "customers"))),
    "standin": (
        "cart_surrogates",
        lambda: explorables.surrogates(*flowers(), ("flower", "flowers")),
    ),
    "staircase": ("cart_regression", lambda: explorables.refinement(*wave(), np.sin(wave()[0]))),
    "plane": ("pruning", plane),
    "price": (
        "pruning_cost_complexity",
        lambda: explorables.price_of_a_leaf(
            *draw(300, 1), BORDER["a corner"], np.arange(300) % 10, ("person", "people")
        ),
    ),
    "laboratory": ("laboratory", laboratory),
    "code": ("entropy_codes", lambda: explorables.code_tree(LETTERS)),
    "walk, watch": ("id3_recursion", lambda: explorables.growing(*LOAN, APPLICANTS)),
    "votes": ("many_trees", votes),
    "boost": ("boosting", boosting),
}

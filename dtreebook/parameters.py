"""Parameters of the estimators, checked: each comes back as the algorithms take it.

What cannot be used raises an error that names the parameter, what was given, and what to give.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_scalar

from dtreebook.data.cases import Attribute, Cases, sorted_places, unknown
from dtreebook.data.reading import floats
from dtreebook.data.words import warn

# What it costs to ask about the columns: in their order, by name, or nothing.
Cost: TypeAlias = Mapping[str, float] | ArrayLike | None

# By prices beyond, or below one by this, the worth of a test may be infinite.
_HIGHEST_PRICE = 1e15


# --- one value ------------------------------------------------------------------------------------


def one_of(name: str, value: object, allowed: Collection) -> None:
    """Raise a ValueError if a parameter has none of the values that are allowed."""
    if value not in allowed:
        raise ValueError(f"{name} must be {' or '.join(map(repr, allowed))}, not {value!r}")


def not_negative(name: str, value: float, most: float | None = None) -> None:
    """Raise an error if a parameter is not a finite number, 0 or more, but not above the most."""
    check_scalar(value, name, Real, min_val=0, max_val=most)
    if not np.isfinite(value):
        raise ValueError(f"{name} is {value}: give a finite number")


def check_criterion(
    criterion: Callable[..., ArrayLike], given: Sequence[np.ndarray], what: str
) -> None:
    """Raise a ValueError if a function does not give, for two rows, two numbers: what it is to."""
    found = np.asarray(criterion(*given), dtype=float)
    if found.shape != (2,) or np.isnan(found).any():
        asked = ", ".join(str(array.tolist()) for array in given)
        raise ValueError(f"criterion gives {found.tolist()} for {asked}: it is to give {what}")


# --- a number for each column, or for each class --------------------------------------------------


def by_column(parameter: str, given: Any, names: Sequence[str], default: float) -> np.ndarray:
    """Return the number that a parameter gives for each column, as `in_order` does.

    Columns are named by text, whatever a frame calls them.
    """
    if isinstance(given, Mapping | pd.Series):
        given = {str(name): value for name, value in given.items()}
    return in_order(parameter, given, names, default)


def in_order(
    parameter: str, given: Any, names: Sequence[Hashable], default: float | None = None
) -> np.ndarray:
    """Return the number that a parameter gives for each of some names: array, in their order.

    Given are numbers in this order, or a dict or Series from the names to numbers; names that it
    lacks have the default, or must not be lacking if that is None.
    """
    if isinstance(given, Mapping | pd.Series):
        known = set(given.keys())
        if known - set(names) or (default is None and len(known) < len(names)):
            raise ValueError(f"{parameter} names {list(given.keys())}, but there are {names}")
        given = [given.get(name, default) for name in names]
    values = floats(given, f"{parameter} must hold numbers, in rows of one length")
    if values.shape != (len(names),):
        raise ValueError(f"{parameter} has shape {values.shape}: give a number for each of {names}")
    return values


def check_positive(parameter: str, values: np.ndarray, names: Sequence[Hashable]) -> None:
    """Raise a ValueError for the first name whose number is not finite and above 0."""
    for name, value in zip(names, values, strict=True):
        if not 0 < value < np.inf:
            raise ValueError(
                f"{parameter} of {name!r} is {value}: give a number above 0, or leave {name!r} out"
            )


# --- of columns -----------------------------------------------------------------------------------


def number_drawn(max_features: int | float | str | None, n_columns: int) -> int | None:
    """Return how many columns are to be drawn, one at least; None for all."""
    if max_features is None:
        return None
    if isinstance(max_features, str):
        one_of("max_features", max_features, ("sqrt", "log2"))
        return max(1, int({"sqrt": np.sqrt, "log2": np.log2}[max_features](max(n_columns, 1))))
    if isinstance(max_features, Integral):
        check_scalar(max_features, "max_features", Integral, min_val=1)
        return int(max_features)
    check_scalar(max_features, "max_features", float, min_val=0, max_val=1)
    if not max_features > 0:
        raise ValueError(f"max_features is {max_features}: give a share above 0, or a whole number")
    return max(1, int(max_features * n_columns))


def prices(cost: Cost, attributes: Sequence[Attribute]) -> np.ndarray | None:
    """Return the price of each column: array [A]; None if nothing costs."""
    if cost is None:
        return None
    names = [attribute.name for attribute in attributes]
    cost = by_column("cost", cost, names, default=1)
    for name, price in zip(names, cost, strict=True):
        if not 1 / _HIGHEST_PRICE <= price <= _HIGHEST_PRICE:
            raise ValueError(
                f"cost of {name!r} is {price}: give a number from "
                f"{1 / _HIGHEST_PRICE:g} to {_HIGHEST_PRICE:g}"
            )
    return cost


def signs(monotonic: Mapping[str, int] | ArrayLike | None, cases: Cases) -> np.ndarray | None:
    """Return the monotonic constraints in the order of the columns, checked."""
    if monotonic is None:
        return None
    names = [attribute.name for attribute in cases.attributes]
    found = by_column("monotonic_cst", monotonic, names, default=0)
    for attribute, column, sign in zip(cases.attributes, cases.columns, found, strict=True):
        if sign not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst of {attribute.name!r} is {sign:g}: give 1 where the prediction may "
                "only rise, -1 where it may only fall, else 0"
            )
        if sign and attribute.kind == "nominal":
            raise ValueError(
                f"monotonic_cst of {attribute.name!r} must be 0, for its values have no order: "
                "make it an ordered Categorical, or leave it free"
            )
        if unknown(column).any():
            raise ValueError(
                f"column {attribute.name!r} has blanks, and where a case goes by default no "
                "constraint holds: fill them in, or give up monotonic_cst"
            )
    if cases.n_classes > 2:
        raise ValueError(
            f"monotonic_cst is for two classes or for numbers, but y has {cases.n_classes} classes"
        )
    # What rises with 1 is the chance of the last class when they are sorted.
    is_turned = cases.classes is not None and sorted_places(cases.classes)[0] > 0
    return -found.astype(int) if is_turned else found.astype(int)


# --- of classes -----------------------------------------------------------------------------------


def class_weights(class_weight: Mapping | str, cases: Cases) -> np.ndarray:
    """Return a weight for each class, checked: array [K]."""
    assert cases.classes is not None, "of numbers no class weighs anything"
    names = cases.classes.tolist()
    if isinstance(class_weight, str):
        one_of("class_weight", class_weight, ("balanced",))
        times = np.bincount(cases.target, cases.times)
        return times.sum() / (len(names) * times)
    if not isinstance(class_weight, Mapping):
        raise TypeError(f"class_weight must be a dict, 'balanced' or None, not {class_weight!r}")
    if lacking := [name for name in class_weight if name not in names]:
        if unnamed := [name for name in names if name not in class_weight]:
            warn(
                f"class_weight names {lacking}, which no case has, and not {unnamed}, which some "
                "have: each case of these weighs 1; look for a misspelt name"
            )
        class_weight = {name: class_weight[name] for name in names if name in class_weight}
    weights = in_order("class_weight", class_weight, names, default=1)
    check_positive("class_weight", weights, names)
    return weights


def class_shares(priors: ArrayLike | Mapping | None, classes: np.ndarray) -> np.ndarray | None:
    """Return the priors in the order of the classes, checked.

    Given without names they are in sorted order; by names, also those of classes that are not
    there, of which the others take the share.
    """
    if priors is None:
        return None
    places = sorted_places(classes)
    there = classes[places].tolist()
    names, is_named = there, False
    if isinstance(priors, Mapping | pd.Series):
        names, is_named = there + [name for name in dict(priors) if name not in there], True
    shares = in_order("priors", priors, names)
    check_positive("priors", shares, names)
    if not (is_named or np.array_equal(shares, shares[places])):
        _warn_of_order("priors", "a dict from names", classes)
    if abs(shares.sum() - 1) > 1e-9:
        raise ValueError(f"priors must add up to 1, but {shares.tolist()} make {shares.sum():g}")
    if len(names) > len(there):
        shares = shares[: len(there)] / shares[: len(there)].sum()
    return shares[places.argsort()]


def loss_matrix(loss: ArrayLike | None, classes: np.ndarray) -> np.ndarray | None:
    """Return the loss matrix in the order of the classes, checked.

    Given without names it is in sorted order; a DataFrame may name classes that are not there.
    """
    if loss is None:
        return None
    places = sorted_places(classes)
    names = classes[places].tolist()
    if isinstance(loss, pd.DataFrame):
        if set(loss.index) != set(loss.columns) or not set(names) <= set(loss.index):
            raise ValueError(
                f"loss names the classes {loss.index.tolist()} in rows and {loss.columns.tolist()} "
                f"in columns, but y has {names}"
            )
        loss = loss.reindex(names, columns=names)  # `loc` takes booleans for a mask
    is_named = isinstance(loss, pd.DataFrame)
    loss = floats(loss, "loss must hold numbers, in rows of one length")
    if loss.shape != (len(names), len(names)):
        raise ValueError(
            f"loss has shape {loss.shape}, but there are {len(names)} classes: give a row for each "
            "true class and a column for each predicted one"
        )
    wrong = np.argwhere(~np.isfinite(loss) | (loss < 0) | np.diag(np.diagonal(loss) != 0))
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(
            f"loss is {loss[row, column]} for class {names[row]!r} taken for {names[column]!r}: "
            "give a finite number, 0 or more, and 0 on the diagonal"
        )
    free = np.flatnonzero(~loss.any(axis=1))
    if len(free) and len(names) > 1:
        raise ValueError(
            f"loss is 0 for class {names[free[0]]!r} whatever it is taken for: give an error a "
            "cost, or leave the cases of the class out"
        )
    if not (is_named or np.array_equal(loss, loss[np.ix_(places, places)])):
        _warn_of_order("loss", "a DataFrame with names", classes)
    back = places.argsort()
    return loss[np.ix_(back, back)]


def _warn_of_order(parameter, named, classes):
    """Warn that numbers without names are not in the order of a Categorical."""
    warn(
        f"{parameter} is taken in the order of classes_, {classes[sorted_places(classes)].tolist()}"
        f", and the categories of y are in the order {classes.tolist()}: give {named} to be sure"
    )

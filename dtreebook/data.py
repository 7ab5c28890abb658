"""From a DataFrame, an array or lists to typed attributes and columns of codes.

A column is *numeric* (floats, unknown: NaN), *nominal* or *ordered* (codes of levels, unknown: -1).
"""

import warnings
from dataclasses import dataclass
from numbers import Real

import numpy as np
import pandas as pd
from pandas.api import types

# What pandas calls the objects in a column if all are numbers, or if no tree can ask for them.
_NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal"}
_NEITHER = {"complex", "date", "datetime", "datetime64", "period", "time", "timedelta"}

# The squares of larger numbers, summed over all cases, may be infinite.
_LARGEST = 1e145


@dataclass(frozen=True, slots=True)
class Attribute:
    """Describe one column: its name, its kind and, unless it is numeric, its levels in order.

    Examples
    --------
    >>> Attribute("house", "nominal", ("no", "yes"))
    Attribute(name='house', kind='nominal', levels=('no', 'yes'))
    """

    name: str
    kind: str
    levels: tuple = ()


@dataclass(frozen=True, slots=True, eq=False)
class Cases:
    """Hold a training set as the engine reads it: codes, classes and weights, no labels.

    Attributes
    ----------
    attributes : tuple of `Attribute`.
    columns : one array of codes (nominal, ordered) or floats (numeric) for each attribute; a tuple,
        or an array [A, n] if all are numeric.
    target : array [n], the code of the class of each case; for regression, its number.
    classes : array [K], the classes in order; None for regression.
    weight : array [n] of positive weights, or None if every case weighs 1.
    """

    attributes: tuple
    columns: tuple | np.ndarray
    target: np.ndarray
    classes: np.ndarray | None
    weight: np.ndarray | None = None


def unknown(column):
    """Return which values are unknown: NaN among numbers, -1 among codes."""
    return column < 0 if column.dtype.kind == "i" else np.isnan(column)


def read_cases(X, y, sample_weight=None):
    """Read a training set; cases without weight are left out.

    Parameters
    ----------
    X : DataFrame [n, A], or a two-dimensional array or list. Numbers make a numeric attribute, also
        as a column of objects that are all numbers; strings, booleans, other objects and categories
        a nominal one; ordered categories an ordered one. NaN, None and NA are unknown values.
    y : n classes. The order of the classes is that of a pandas Categorical, otherwise sorted.
    sample_weight : n weights, not negative.

    Raises
    ------
    ValueError
        If a column, the classes or the weights cannot be read; it names the place.

    Examples
    --------
    >>> cases = read_cases([["no"], ["yes"]], ["refused", "granted"])
    >>> cases.attributes
    (Attribute(name='x0', kind='nominal', levels=('no', 'yes')),)
    >>> cases.target
    array([1, 0])
    """
    frame = as_frame(X)
    target, classes = _read_classes(y)
    used, weight = read_weight(frame, target, sample_weight)
    if len(used) < len(target):
        frame, target = frame.iloc[used], target[used]
        seen = np.unique(target)
        target, classes = np.searchsorted(seen, target), classes[seen]
    return Cases(*_read_columns(frame), target, classes, weight)


def read_regression(X, y, sample_weight=None):
    """Read a training set whose target is a number: as `read_cases`, but y are n finite numbers.

    Examples
    --------
    >>> read_regression([[1.0], [2.0]], [0.5, 1.5]).target
    array([0.5, 1.5])
    """
    frame = as_frame(X)
    target = read_numbers(y)
    used, weight = read_weight(frame, target, sample_weight, "number")
    if len(used) < len(target):
        frame, target = frame.iloc[used], target[used]
    return Cases(*_read_columns(frame), target, None, weight)


def read_numbers(y):
    """Return y as an array of floats.

    Raises
    ------
    ValueError
        If they are no numbers, or one of them is not finite or too large; it says where.
    """
    try:
        if getattr(getattr(y, "dtype", None), "kind", None) in ("m", "M"):
            raise TypeError(f"it holds {y.dtype}")  # numpy would count their microseconds
        target = np.asarray(y, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must be numbers for a regression tree: {error}") from error
    wrong = np.flatnonzero(~np.isfinite(target))
    if len(wrong):
        raise ValueError(
            f"y is {target[wrong[0]]} in row {wrong[0]}: give a finite number, or leave the row out"
        )
    wrong = np.flatnonzero(abs(target) > _LARGEST)
    if len(wrong):
        raise ValueError(
            f"y is {target[wrong[0]]} in row {wrong[0]}, too large to be squared: give all of y in "
            "a larger unit"
        )
    return target


def read_weight(frame, target, sample_weight, what="class"):
    """Return the rows that weigh anything, and their weights; None if each weighs 1.

    Raises
    ------
    ValueError
        If there is not a target for each row, or the weights cannot be used; it says where.
    """
    if len(frame) != len(target):
        raise ValueError(f"X has {len(frame)} rows but y has {len(target)}: give each a {what}")
    if sample_weight is None:
        return np.arange(len(target)), None
    try:
        weight = np.asarray(sample_weight, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must hold a number for each row: {error}") from error
    if weight.shape != target.shape:
        raise ValueError(
            f"sample_weight has shape {weight.shape}, but there are {len(target)} rows in X"
        )
    if not (np.isfinite(weight) & (weight >= 0)).all():
        row = np.flatnonzero(~(np.isfinite(weight) & (weight >= 0)))[0]
        raise ValueError(
            f"sample_weight must be finite and not negative, but row {row} has {weight[row]}"
        )
    used = np.flatnonzero(weight)
    if not len(used):
        raise ValueError("every sample_weight is zero: no case is left to learn from")
    if weight.max() > _LARGEST / len(weight):
        raise ValueError("the sum of sample_weight is too large: divide all of them by the largest")
    weight = weight[used]
    return used, None if (weight == 1).all() else weight


def _read_columns(frame):
    if _is_numeric(frame):
        attributes = tuple(Attribute(name, "numeric") for name in frame.columns)
        return attributes, np.ascontiguousarray(_block(frame))
    return tuple(zip(*(_read_column(*item) for item in frame.items()), strict=True))


def _is_numeric(frame):
    return all(map(types.is_any_real_numeric_dtype, frame.dtypes))


def _block(frame):
    """Return the columns of a frame of numbers as one array [A, n]."""
    block = frame.to_numpy(dtype=float, na_value=np.nan).T
    if np.isinf(block).any():
        column, row = np.argwhere(np.isinf(block))[0]
        raise _infinite(frame.columns[column], row)
    return block


def encode(X, attributes):
    """Return the columns of X for a tree that was grown on these attributes: see `Cases`.

    The columns of a DataFrame are found by name, wherever they stand. A level that the tree has not
    seen is an unknown value; a column that can have none, such as numbers for text or other ranges
    of pandas.cut, gives a warning, too.

    Raises
    ------
    ValueError
        If a column is missing, is not expected, or cannot be read.

    Examples
    --------
    >>> house = Attribute("house", "nominal", ("no", "yes"))
    >>> encode(pd.DataFrame({"house": ["yes", "no", "rented", None]}), [house])
    (array([ 1,  0, -1, -1]),)
    """
    frame = as_frame(X)
    names = [attribute.name for attribute in attributes]
    missing = [name for name in names if name not in frame.columns]
    extra = [name for name in frame.columns if name not in names]
    if missing or extra:
        raise ValueError(
            "the columns are not those the tree was grown on"
            + (f"; missing: {', '.join(missing)}" if missing else "")
            + (f"; not expected: {', '.join(extra)}" if extra else "")
        )
    if all(attribute.kind == "numeric" for attribute in attributes) and _is_numeric(frame):
        return _block(frame if names == frame.columns.tolist() else frame[names])
    return tuple(_encode_column(frame[attribute.name], attribute) for attribute in attributes)


def as_frame(X):
    """Return X as a DataFrame whose columns are named by strings, x0, x1, ... where X has no names.

    Raises
    ------
    ValueError
        If X is not two-dimensional, is empty, or has two columns of one name.
    """
    if isinstance(X, pd.DataFrame):
        frame = X
        if not all(isinstance(name, str) for name in X.columns):
            frame = X.set_axis([str(name) for name in X.columns], axis=1)
    else:
        rows = X if isinstance(X, np.ndarray) else np.array(X, dtype=object)
        if rows.size == 0:
            raise ValueError("X is empty: give it at least one row and one column")
        if rows.ndim == 1 and all(isinstance(row, list | tuple) for row in rows):
            lengths = sorted({len(row) for row in rows})
            raise ValueError(f"the rows of X differ in length: {lengths}; give each all columns")
        if rows.ndim != 2:
            raise ValueError(
                f"X must have two dimensions, rows and columns, but it has {rows.ndim}; "
                "put a single column in a list of its own, and records into a DataFrame"
            )
        frame = pd.DataFrame(rows, columns=[f"x{i}" for i in range(rows.shape[1])])
        if rows.dtype == object:
            frame = frame.infer_objects()
    if frame.empty:
        raise ValueError(f"X is empty: {frame.shape[0]} rows, {frame.shape[1]} columns")
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ValueError(f"two columns are called {twice[0]!r}: give each column a name of its own")
    return frame


def read_labels(y):
    """Return y as a Series.

    Raises
    ------
    ValueError
        If a case has no class, or the classes cannot be put in order; it says where.
    """
    if isinstance(y, list | tuple):
        y = np.array(y, dtype=object)  # an array of text would turn NaN into the text "nan"
    labels = pd.Series(y).infer_objects()
    missing = np.flatnonzero(pd.isna(labels))
    if len(missing):
        raise ValueError(f"y has no class in row {missing[0]}: give one, or leave the row out")
    if labels.dtype == object and types.infer_dtype(labels) in ("mixed", "mixed-integer"):
        raise ValueError(
            "y mixes classes of several types, such as text and numbers, which have no order: "
            "make them all of one type, or give a pandas Categorical"
        )
    return labels


def _read_classes(y):
    labels = read_labels(y)
    if isinstance(labels.dtype, pd.CategoricalDtype):
        if not np.bincount(labels.array.codes, minlength=len(labels.array.categories)).all():
            labels = labels.cat.remove_unused_categories()
        return labels.array.codes.astype(np.intp), labels.array.categories.to_numpy()
    classes, target = np.unique(labels.to_numpy(), return_inverse=True)
    return target, classes


def _read_column(name, values):
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        kind = "ordered" if dtype.ordered else "nominal"
        attribute = Attribute(name, kind, tuple(dtype.categories))
        return attribute, values.array.codes.astype(np.intp)
    found = types.infer_dtype(values) if types.is_object_dtype(dtype) else None
    if types.is_any_real_numeric_dtype(dtype) or found in _NUMBERS:
        attribute = Attribute(name, "numeric")
    elif found in _NEITHER:
        raise _neither(name, found)
    elif types.is_bool_dtype(dtype) or types.is_string_dtype(dtype) or types.is_object_dtype(dtype):
        attribute = Attribute(name, "nominal", _levels(name, values))
    else:
        raise _neither(name, dtype)
    return attribute, _encode_column(values, attribute)


def _neither(name, held):
    return ValueError(
        f"column {name!r} holds {held}, which is neither a number nor a category: "
        "turn it into one of the two, a date into its year or the days since another"
    )


def _encode_column(values, attribute):
    if attribute.kind == "numeric":
        return _floats(values, attribute.name)
    try:
        codes = pd.Index(attribute.levels, tupleize_cols=False).get_indexer(values)
    except TypeError as error:
        raise _unhashable(attribute.name, values) from error
    if codes.max(initial=-1) < 0:
        _warn_of_strangers(attribute, values.dropna().tolist())
    return codes


def _warn_of_strangers(attribute, values):
    """Warn if values cannot be levels that happened not to come in training."""
    known = set(map(_sort, attribute.levels))
    if not values or not known or (_sort(values[0]) in known and known != {pd.Interval}):
        return
    few = ", ".join(map(repr, attribute.levels[:3])) + ", ..." * (len(attribute.levels) > 3)
    warnings.warn(
        f"column {attribute.name!r} has no value that the tree was grown on: it holds "
        f"{values[0]!r}, the tree knows {few}. All are taken as unknown: prepare the column as it "
        "was for fit",
        stacklevel=7,
    )


def _sort(value):
    """Return what sort of level a value is; 1 and 1.0 are of one."""
    return Real if type(value) in (int, float) else type(value)


def _floats(values, name):
    if values.dtype.kind in "mM":  # numpy would count their microseconds
        raise _neither(name, values.dtype)
    try:
        floats = values.to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {name!r} was numeric when the tree was grown: {error}") from error
    if np.isinf(floats).any():
        raise _infinite(name, np.flatnonzero(np.isinf(floats))[0])
    return floats


def _infinite(name, row):
    return ValueError(
        f"column {name!r} is infinite in row {row}: use a finite number, or NaN if unknown"
    )


def _levels(name, values):
    """Return the distinct values, sorted if they can be compared, else as they come."""
    try:
        levels = pd.unique(values.dropna()).tolist()
    except TypeError as error:
        raise _unhashable(name, values) from error
    try:
        return tuple(sorted(levels))
    except TypeError:
        return tuple(levels)


def _unhashable(name, values):
    row, cell = next((row, cell) for row, cell in enumerate(values) if not _is_hashable(cell))
    return ValueError(
        f"column {name!r} holds {cell!r} in row {row}, which cannot be a level: "
        "use text, numbers or booleans"
    )


def _is_hashable(cell):
    try:
        hash(cell)
    except TypeError:
        return False
    return True

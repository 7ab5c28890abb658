"""From a DataFrame, an array or lists to typed attributes and columns of codes.

A column is *numeric* (floats, unknown: NaN), *nominal* or *ordered* (codes of levels, unknown: -1).
What cannot be read raises a ValueError that names the place.
"""

from collections.abc import Container, Hashable, Sequence, Sized
from contextlib import suppress
from numbers import Real
from reprlib import repr as short_repr
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api import types

from dtreebook.data.cases import Attribute, Cases, Columns
from dtreebook.data.frames import as_frame, as_pandas
from dtreebook.data.words import warn

KINDS = ("numeric", "nominal", "ordered")

# What pandas calls the objects in a column if all are numbers, or if no tree can ask about them.
_NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal"}
_UNSUPPORTED = {"complex", "date", "datetime", "datetime64", "period", "time", "timedelta"}

# The kinds of numpy's numbers: integers with and without a sign, floats.
_REAL = "iuf"

# So many values are looked up faster one by one than by pandas.
_FEW = 300

_LARGEST_FLOAT = float(np.finfo(float).max)

# From here on neighbouring integers are the same float.
MANTISSA = 2**53

# The squares of larger numbers, summed over all cases, may be infinite.
LARGEST = 1e145

# The squares of weights below 2 to this power may be zero.
LEAST_EXPONENT = -300


def read_cases(
    X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, *, kinds: Container[str] = KINDS
) -> Cases:
    """Read a training set; cases without weight are left out.

    Parameters
    ----------
    X : DataFrame [n, A] of pandas or polars, table of Arrow, or a two-dimensional array or list.
        Numbers make a numeric attribute, also as a column of objects that are all numbers; strings,
        booleans, other objects and categories a nominal one; ordered categories, Enums of polars
        and ordered dictionaries of Arrow an ordered one. NaN, None, NA and null are unknown values.
    y : n classes. The order of the classes is that of a pandas Categorical, otherwise sorted.
    sample_weight : n weights, not negative. If all are below 1e-90 they are multiplied by one power
        of two; beside larger ones, a weight below 1e-90 of the largest counts as that.
    kinds : the kinds of attributes that the algorithm takes. Without "numeric" each number becomes
        a level of its own, with a warning.

    Examples
    --------
    >>> cases = read_cases([["no"], ["yes"]], ["refused", "granted"])
    >>> cases.attributes
    (Attribute(name='x0', kind='nominal', levels=('no', 'yes')),)
    >>> cases.target
    array([1, 0])
    """
    target, classes = _read_classes(y)
    return _read(X, target, classes, sample_weight, kinds)


def read_regression(X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Cases:
    """Read a training set whose target is a number: as `read_cases`, but y are n finite numbers."""
    return _read(X, read_numbers(y), None, sample_weight, KINDS)


def _read(X, target, classes, sample_weight, kinds):
    n = len(target)
    table, target, weights = _used(_table(X), target, classes, sample_weight)
    if classes is not None and len(target) < n:
        target, classes = _present(target, classes)
    attributes, columns = _read_columns(table)
    if "numeric" not in kinds:
        attributes, columns = _numbers_as_levels(attributes, columns)
    return Cases(attributes, columns, target, classes).weighted(weights)


def _used(table, target, classes, sample_weight):
    """Return the rows, the targets and the weights of the cases that weigh anything."""
    what = "number" if classes is None else "class"
    weights = read_weights(table, target, sample_weight, what)
    if weights.all():
        return table, target, weights
    used = np.flatnonzero(weights)
    table = table.iloc[used] if isinstance(table, pd.DataFrame) else table[used]
    return table, target[used], weights[used]


def floats(given: Any, needed: str) -> np.ndarray:
    """Return numbers as floats; for others, such as dates, a ValueError says what is needed."""
    dtype = getattr(given, "dtype", None)
    try:
        if getattr(dtype, "kind", None) in ("m", "M"):
            raise TypeError(f"it holds {dtype}")  # numpy would count their microseconds
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{needed}: {error}") from error


def read_numbers(y: ArrayLike) -> np.ndarray:
    """Return y as an array of floats."""
    target = floats(y, "y must be numbers for a regression tree")
    wrong = np.flatnonzero(~np.isfinite(target))
    if len(wrong):
        raise ValueError(
            f"y is {target[wrong[0]]} in row {wrong[0]}: give a finite number, or leave the row out"
        )
    wrong = np.flatnonzero(abs(target) > LARGEST)
    if len(wrong):
        raise ValueError(
            f"y is {target[wrong[0]]} in row {wrong[0]}, too large to be squared: give all of y in "
            "a larger unit"
        )
    return target


def read_weights(
    X: Sized, target: np.ndarray, sample_weight: ArrayLike | None, what: str = "class"
) -> np.ndarray:
    """Return the weight of each row, 1 if no weights are given: array [n]."""
    if len(X) != len(target):
        raise ValueError(f"X has {len(X)} rows but y has {len(target)}: give each a {what}")
    if sample_weight is None:
        return np.ones(len(target))
    weights = floats(sample_weight, "sample_weight must hold a number for each row")
    if weights.shape != target.shape:
        raise ValueError(
            f"sample_weight has shape {weights.shape}, but there are {len(target)} rows in X"
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise ValueError(
            "sample_weight must be finite and not negative, but row "
            f"{wrong[0]} has {weights[wrong[0]]}"
        )
    if not weights.any():
        raise ValueError("every sample_weight is zero: no case is left to learn from")
    most = max(1, abs(target).max()) if what == "number" else 1  # their product is squared, too
    return in_range(weights, "sample_weight", LARGEST / most)


def in_range(weights: np.ndarray, what: str, largest: float = LARGEST) -> np.ndarray:
    """Return weights whose squares are not zero, unless they are; refuse a sum above the largest.

    `what` names them in the error.
    """
    if weights.max() > largest / len(weights):
        raise ValueError(f"the sum of {what} is too large: divide all of them by the largest")
    _, exponent = np.frexp(weights.max())
    if exponent < LEAST_EXPONENT:
        weights = np.ldexp(weights, -exponent)  # a power of two: no digit changes
    least = np.ldexp(weights.max(), LEAST_EXPONENT)
    return np.where(weights > 0, np.maximum(weights, least), 0)


def _read_columns(table):
    _warn_of_lost_differences(table)
    if not is_numeric(table):
        return tuple(zip(*(_read_column(*item) for item in table.items()), strict=True))
    if isinstance(table, pd.DataFrame):
        names = table.columns.tolist()
    else:
        names = [f"x{i}" for i in range(table.shape[1])]
    attributes = tuple(Attribute(name, "numeric") for name in names)
    return attributes, _block(table, names)


def _warn_of_lost_differences(table):
    """Warn if integers that differ become one float: beyond 2^53 not every integer is one."""
    if isinstance(table, np.ndarray) and table.dtype.kind not in "iu":
        return  # a DataFrame would copy it
    frame = pd.DataFrame(table)
    for i, dtype in enumerate(frame.dtypes.tolist()):
        if dtype.kind not in "iu":
            continue
        name, values = frame.columns[i], frame.iloc[:, i]
        least, most = values.min(), values.max()
        if pd.isna(least) or -MANTISSA <= least <= most <= MANTISSA:
            continue
        if values.nunique() > values.astype(float).nunique():
            warn_of_lost_difference(f"x{name}" if isinstance(name, int) else name)


def warn_of_lost_difference(name: Hashable) -> None:
    """Warn that integers of a column that differ become one float."""
    warn(
        f"column {name!r} has integers beyond 2^53 that are no longer told apart as floats: "
        "subtract the least of them, or make them text if they are names"
    )


def _numbers_as_levels(attributes, columns):
    """Make each number a level of its own."""
    numeric = [attribute.name for attribute in attributes if attribute.kind == "numeric"]
    if numeric:
        warn(
            f"ID3 makes a branch for every number of these columns: {', '.join(numeric)}. Cut them "
            "into ranges first (pandas.cut), or use an algorithm with thresholds"
        )
    read = []
    for attribute, column in zip(attributes, columns, strict=True):
        if attribute.kind == "numeric":
            column, levels = pd.factorize(column, sort=True)  # -1 if unknown
            attribute = Attribute(attribute.name, "nominal", tuple(levels.tolist()))
        read.append((attribute, column))
    return tuple(zip(*read, strict=True))


def _table(X):
    """Return X as a DataFrame; an array of numbers is left as it is, which is faster."""
    if isinstance(X, np.ndarray) and X.dtype.kind in _REAL and X.ndim == 2 and X.size:
        return X
    return as_frame(X)


def is_numeric(table: pd.DataFrame | np.ndarray) -> bool:
    """Return whether all columns hold numbers; booleans are none."""
    if isinstance(table, pd.DataFrame):
        return all(dtype.kind in _REAL for dtype in table.dtypes.tolist())
    return table.dtype.kind in _REAL


def _block(table, names):
    """Return columns of numbers as one array [A, n]."""
    if isinstance(table, pd.DataFrame):
        table = table.to_numpy(dtype=float, na_value=np.nan)
    block = table.T.astype(float, copy=False)
    if np.isinf(block).any():
        column, row = np.argwhere(np.isinf(block))[0]
        raise _infinite(names[column], row)
    return block


def read_again(
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None,
    attributes: tuple[Attribute, ...],
    classes: np.ndarray | None,
) -> Cases:
    """Read cases, given as for ``fit``, as a tree knows them; without those that weigh nothing.

    The code of a class that the tree does not know is -1.
    """
    target = read_target(as_pandas(y, "y"), classes)
    frame, target, weights = _used(as_frame(X), target, classes, sample_weight)
    return Cases(attributes, encode(frame, attributes), target, classes).weighted(weights)


def read_target(y: ArrayLike, classes: np.ndarray | None) -> np.ndarray:
    """Return the code of each class, -1 if it is none of these; without classes, y as floats."""
    if classes is None:
        return read_numbers(y)
    return pd.Index(classes).get_indexer(pd.Index(read_labels(y)))


def encode(X: Any, attributes: Sequence[Attribute]) -> Columns:
    """Return the columns of X for a tree that was grown on these attributes: see `Cases`.

    X is as for `read_cases`; columns with names are found by them, others by place. A level that
    the tree has not seen is an unknown value; a column that can have none, such as numbers for text
    or other ranges of pandas.cut, gives a warning, too.

    Examples
    --------
    >>> house = Attribute("house", "nominal", ("no", "yes"))
    >>> encode(pd.DataFrame({"house": ["yes", "no", "rented", None]}), [house])
    (array([ 1,  0, -1, -1]),)
    """
    X = as_pandas(X)
    names = [attribute.name for attribute in attributes]
    table = _table(X)
    if isinstance(X, pd.DataFrame):
        table = _in_order(table, names)
    elif table.shape[1] != len(names):
        raise ValueError(
            f"X has {table.shape[1]} columns, but the tree was grown on {len(names)}: "
            f"{short_repr(names)}"
        )
    return encode_table(table, attributes)


def encode_table(table: pd.DataFrame | np.ndarray, attributes: Sequence[Attribute]) -> Columns:
    """Return the columns, as `encode` does, of a table that has them in the attributes' order."""
    if all(attribute.kind == "numeric" for attribute in attributes) and is_numeric(table):
        return _block(table, [attribute.name for attribute in attributes])
    if not isinstance(table, pd.DataFrame):
        table = pd.DataFrame(table)
    if len(table) == 1:  # column by column pandas takes ten times as long
        with suppress(LookupError, TypeError, ValueError):  # such as no type that holds all values
            return tuple(map(_encode_plain, table.iloc[0].tolist(), attributes))
    columns = (values for _, values in table.items())
    return tuple(map(_encode_column, columns, attributes))


def _encode_plain(value, attribute):
    """Return a finite number, a level that equals no other, or NaN as a column; else raise."""
    is_number = isinstance(value, Real) and type(value) is not bool
    if attribute.kind == "numeric" and is_number and not abs(value) > _LARGEST_FLOAT:
        return np.array([value], dtype=float)
    if attribute.kind != "numeric" and is_number and value != value:
        return np.array([-1])
    is_one = attribute.is_text and isinstance(value, str)
    is_one |= attribute.is_whole and is_number and abs(value) < MANTISSA
    if is_one:
        return np.array([attribute.code[value]])
    raise ValueError


def _in_order(frame, names):
    """Return the columns of a frame in the order of their names."""
    if frame.columns.tolist() == names:
        return frame
    found, wanted = set(frame.columns), set(names)
    missing = [name for name in names if name not in found]
    extra = [name for name in frame.columns if name not in wanted]
    if missing or extra:
        raise ValueError(
            "the columns are not those the tree was grown on"
            + (f"; missing: {', '.join(missing)}" if missing else "")
            + (f"; not expected: {', '.join(extra)}" if extra else "")
        )
    return frame[names]


def read_labels(y: ArrayLike) -> pd.Series | np.ndarray:
    """Return y as a Series; words, an array of whole numbers or booleans as an array."""
    if isinstance(y, np.ndarray) and y.dtype.kind in "biu":
        return y
    if isinstance(y, list | tuple):
        y = np.array(y, dtype=object)  # an array of text would turn NaN into the text "nan"
    missing = np.flatnonzero(pd.isna(y))
    if len(missing):
        raise ValueError(f"y has no class in row {missing[0]}: give one, or leave the row out")
    held = types.infer_dtype(y)
    if held == "string":
        return np.asarray(y, dtype=object)
    if held == "categorical":
        return pd.Series(y)
    labels = pd.Series(y).infer_objects()
    if labels.dtype == object and held in ("mixed", "mixed-integer"):
        raise ValueError(
            "y mixes classes of several types, such as text and numbers, which have no order: "
            "make them all of one type, or give a pandas Categorical"
        )
    return labels


def _read_classes(y):
    labels = read_labels(y)
    if isinstance(labels.dtype, pd.CategoricalDtype):
        labels = labels.array
        return _present(labels.codes.astype(np.intp), labels.categories.to_numpy())
    return pd.factorize(np.asarray(labels), sort=True)


def _present(target, classes):
    """Return the codes of cases among the classes that they have, and these classes."""
    there = np.bincount(target, minlength=len(classes)) > 0
    if there.all():
        return target, classes
    return (np.cumsum(there) - 1).take(target), classes[there]


def _read_column(name, values):
    values = _without_dictionary(values)
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        kind = "ordered" if dtype.ordered else "nominal"
        attribute = Attribute(name, kind, _told_apart(name, tuple(dtype.categories)))
        return attribute, values.array.codes.astype(np.intp)
    found = types.infer_dtype(values) if types.is_object_dtype(dtype) else None
    if types.is_any_real_numeric_dtype(dtype) or found in _NUMBERS:
        return Attribute(name, "numeric"), _floats(values, name)
    if found in _UNSUPPORTED:
        raise unsupported(name, found)
    if not (types.is_bool_dtype(dtype) or types.is_string_dtype(dtype) or found):
        raise unsupported(name, dtype)
    levels, codes = _levels(name, values)
    return Attribute(name, "nominal", levels), codes


def unsupported(name: Hashable, held: Any) -> ValueError:
    """Return the error that says that a column holds what no tree can ask about."""
    return ValueError(
        f"column {name!r} holds {held}, which is neither a number nor a category: "
        "turn it into one of the two, a date into its year or the days since another"
    )


def _without_dictionary(values):
    """Return a column that pandas holds as a dictionary or nulls of Arrow as it usually does."""
    if isinstance(values.dtype, pd.ArrowDtype) and values.dtype.kind == "O":
        if values.dtype.name.startswith("dictionary"):
            return pd.Series(values.array.__arrow_array__().to_pandas())
        if values.dtype.name.startswith("null"):
            return values.astype(object)
    return values


def _encode_column(values, attribute):
    values = _without_dictionary(values)
    if attribute.kind == "numeric":
        return _floats(values, attribute.name)
    try:
        codes = _codes(values, attribute)
    except TypeError as error:
        raise _unhashable(attribute.name, values) from error
    if codes.max(initial=-1) < 0:
        _warn_of_other_types(attribute, values.dropna().tolist())
    return codes


def _codes(values, attribute):
    if isinstance(values.dtype, np.dtype) and values.dtype.kind in "fS":
        # pandas looks up neither short and long floats nor bytes of fixed length.
        values = values.astype(float if values.dtype.kind == "f" else object)
    if isinstance(values.dtype, pd.CategoricalDtype):
        levels = values.dtype.categories
        if levels.dtype == attribute.index.dtype and levels.equals(attribute.index):
            return values.array.codes.astype(np.intp)
    elif attribute.index.dtype.kind == "f" and types.infer_dtype(values) == "decimal":
        values = _floats(values, attribute.name)  # as they were when they became levels
    elif len(values) <= _FEW and attribute.is_text:
        code = attribute.code.get
        return np.array([code(value, -1) for value in values.tolist()], dtype=np.intp)
    return attribute.index.get_indexer(values)


def _warn_of_other_types(attribute, values):
    """Warn if values cannot be levels that happened not to come in training."""
    known = set(map(_sort, attribute.levels))
    if not values or not known or (_sort(values[0]) in known and known != {pd.Interval}):
        return
    few = ", ".join(map(repr, attribute.levels[:3])) + ", ..." * (len(attribute.levels) > 3)
    warn(
        f"column {attribute.name!r} has no value that the tree was grown on: it holds "
        f"{values[0]!r}, the tree knows {few}. All are taken as unknown: prepare the column as it "
        "was for fit"
    )


def _sort(value):
    """Return what sort of level a value is; 1 and 1.0 are of one."""
    return Real if type(value) in (int, float) else type(value)


def _floats(values, name):
    if values.dtype.kind in "mMc":  # numpy would count their microseconds, or drop a part
        raise unsupported(name, values.dtype)
    try:
        if isinstance(values.dtype, np.dtype) and values.dtype.kind in _REAL:
            floats = values.to_numpy().astype(float, copy=False)
        else:
            floats = values.to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise ValueError(f"column {name!r} was numeric when the tree was grown: {error}") from error
    except OverflowError as error:
        raise ValueError(f"column {name!r} holds a number too large for a float") from error
    if np.isinf(floats).any():
        raise _infinite(name, np.flatnonzero(np.isinf(floats))[0])
    return floats


def _infinite(name, row):
    return ValueError(
        f"column {name!r} is infinite in row {row}: use a finite number, or NaN if unknown"
    )


def _levels(name, values):
    """Return the distinct values, sorted if they can be compared, and the code of each value."""
    try:
        codes, found = pd.factorize(values.array)
    except TypeError as error:
        raise _unhashable(name, values) from error
    levels = np.asarray(found).tolist()
    try:
        order = sorted(range(len(levels)), key=levels.__getitem__)
    except TypeError:  # they stay as they come
        order = range(len(levels))
    rank = np.full(len(levels) + 1, -1)  # the last one is that of an unknown value
    rank[order] = range(len(levels))
    return _told_apart(name, tuple(levels[i] for i in order)), rank[codes]


def _told_apart(name, levels):
    """Return levels, of which no two may be written alike, as 1 and "1" are."""
    if len(set(map(type, levels))) > 1:
        written: dict[str, Any] = {}
        for level in levels:
            if (other := written.setdefault(str(level), level)) is not level:
                raise ValueError(
                    f"column {name!r} has the values {other!r} and {level!r}, which a tree prints "
                    "alike: turn them into one, or name one of them otherwise"
                )
    return levels


def _unhashable(name, values):
    row, cell = next(pair for pair in enumerate(values) if not types.is_hashable(pair[1]))
    return ValueError(
        f"column {name!r} holds {cell!r} in row {row}, which cannot be a level: "
        "use text, numbers or booleans"
    )

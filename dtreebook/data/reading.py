"""A training set is read: X, y and the weights become `Cases`.

A column is *numeric* (floats, unknown: NaN), *nominal* or *ordered* (codes of levels, unknown: -1).
What cannot be read raises a ValueError that names the place. Cases that a tree is to predict are
read in `dtreebook.data.encoding`.
"""

from collections.abc import Container, Hashable, Sequence, Sized
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api import types
from pandas.api.extensions import ExtensionArray
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array, column_or_1d

from dtreebook.data.cases import Attribute, Cases
from dtreebook.data.frames import from_library
from dtreebook.data.words import value_in_words, warn

KINDS = ("numeric", "nominal", "ordered")

# What pandas calls the objects in a column if all are numbers, or if no tree can ask about them.
_NUMBERS = {"integer", "floating", "mixed-integer-float", "decimal"}
_EXACT = {"integer", "decimal"}
_UNSUPPORTED = {"complex", "date", "datetime", "datetime64", "period", "time", "timedelta"}

# The kinds of numpy's numbers: integers with and without a sign, floats.
_REAL = "iuf"

# From here on neighbouring integers are the same float.
MANTISSA = 2**53

# The squares of larger numbers, summed over all cases, may be infinite.
LARGEST = 1e145

# The squares of weights below 2 to this power may be zero.
LEAST_EXPONENT = -300


def read_training(
    X: Any,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    kinds: Container[str] = KINDS,
    is_regression: bool = False,
    model: Any = None,
) -> Cases:
    """Read a training set; cases without weight are left out.

    Parameters
    ----------
    X : DataFrame [n, A] of pandas or polars, table of Arrow, or a two-dimensional array or list.
        Numbers make a numeric attribute, also as a column of objects that are all numbers; strings,
        booleans, other objects and categories a nominal one; ordered categories, Enums of polars
        and ordered dictionaries of Arrow an ordered one. NaN, None, NA and null are unknown values,
        and so is what numpy masks. There is a warning for text that is numbers but for a few.
    y : n classes. The order of the classes is that of a pandas Categorical, otherwise sorted. For a
        regression, n finite numbers.
    sample_weight : n weights, not negative. If all are below 1e-90 they are multiplied by one power
        of two; beside larger ones, a weight below 1e-90 of the largest counts as that.
    kinds : the kinds of attributes that the algorithm takes. Without "numeric" each number becomes
        a level of its own, with a warning.
    is_regression : whether y are numbers to be predicted.
    model : the estimator on whose behalf scikit-learn checks arrays; None for no such check.

    Examples
    --------
    >>> cases = read_training([["no"], ["yes"]], ["refused", "granted"])
    >>> cases.attributes
    (Attribute(name='x0', kind='nominal', levels=('no', 'yes')),)
    >>> cases.target
    array([1, 0])
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    table, y = as_table(X, model), as_pandas(y, "y")
    if is_regression:
        y = np.asarray(y) if isinstance(y, list | tuple) else y
        target, classes = read_numbers(one_target(y)), None
    else:
        target, classes = _read_classes(y)
    n = len(target)
    table, target, weights = used_rows(table, target, classes, sample_weight)
    if classes is not None and len(target) < n:
        target, classes = _present(target, classes)
    attributes, columns = _read_columns(table)
    if "numeric" in kinds:
        is_text = isinstance(X, np.ndarray) and X.dtype.kind == "U"
        _warn_of_text(table, attributes, columns, is_text)
    else:
        attributes, columns = _numbers_as_levels(attributes, columns)
    return Cases(attributes, columns, target, classes).weighted(weights)


def used_rows(
    table: pd.DataFrame | np.ndarray,
    target: np.ndarray,
    classes: np.ndarray | None,
    sample_weight: ArrayLike | None,
) -> tuple[pd.DataFrame | np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows, the targets and the weights of the cases that weigh anything."""
    what = "number" if classes is None else "class"
    weights = read_weights(table, target, sample_weight, what)
    if weights.all():
        return table, target, weights
    used = np.flatnonzero(weights)
    table = table.iloc[used] if isinstance(table, pd.DataFrame) else table[used]
    return table, target[used], weights[used]


# --- the table ------------------------------------------------------------------------------------


def as_pandas(X: Any, name: str = "X") -> Any:
    """Return X as pandas holds it if it is a table or column of another library, else as it is.

    Raises TypeError if its rows are still to be computed, or it is a dict.
    """
    if isinstance(X, np.ma.MaskedArray):
        return _without_masked(X) if np.ma.is_masked(X) else X.data
    if isinstance(X, pd.DataFrame | pd.Series | np.ndarray | list):
        return X
    return from_library(X, name)


def _without_masked(X):
    """Return an array of objects, None where numpy masks a value."""
    values = X.data.astype(object)
    values[X.mask] = None
    return values


def parts(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Return X as pandas holds it, y and the weights: of a frame these may be names of columns.

    Columns that are named are left out of X.
    """
    X = as_pandas(X)
    named = [name for name in (y, sample_weight) if isinstance(name, str)]
    if not named or not isinstance(X, pd.DataFrame):
        return X, y, sample_weight
    for name in named:
        if name not in X.columns:
            raise ValueError(f"X has no column {name!r}: it has {', '.join(map(str, X.columns))}")
    y, sample_weight = (X[of] if isinstance(of, str) else of for of in (y, sample_weight))
    return X.drop(columns=named), y, sample_weight


def as_frame(X: Any) -> pd.DataFrame:
    """Return X as a DataFrame with columns named by text, x0, x1, ... where X has no names."""
    if not isinstance(X, pd.DataFrame):
        X = as_pandas(X)
    frame = X if isinstance(X, pd.DataFrame) else _from_rows(X)
    if not all(isinstance(name, str) for name in frame.columns):
        frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    if frame.empty:
        raise ValueError(f"X is empty: {frame.shape[0]} rows, {frame.shape[1]} columns")
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"two columns are called {twice!r}: give each column a name of its own")
    return frame


def as_table(X: Any, model: Any = None) -> pd.DataFrame | np.ndarray:
    """Return X as a DataFrame; an array of numbers is left as it is, which is faster.

    On behalf of a model, to which `as_pandas` has given X, scikit-learn checks all that is neither
    a DataFrame nor a list.
    """
    if isinstance(X, pd.DataFrame | list):
        return as_frame(X)
    if model is not None:
        X = check_array(X, dtype=None, ensure_all_finite=False, estimator=model, input_name="X")
    if isinstance(X, np.ndarray) and X.dtype.kind in _REAL and X.ndim == 2 and X.size:
        return X
    return as_frame(X)


def is_numeric(table: pd.DataFrame | np.ndarray) -> bool:
    """Return whether all columns hold numbers; booleans are none."""
    if isinstance(table, pd.DataFrame):
        return all(dtype.kind in _REAL for dtype in table.dtypes.tolist())
    return table.dtype.kind in _REAL


def _from_rows(X):
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
    return frame.infer_objects() if rows.dtype == object else frame


# --- the target ----------------------------------------------------------------------------------


def one_target(y: Any) -> np.ndarray | pd.Series | ExtensionArray:
    """Return y as one column; raise ValueError if it has several."""
    shape: tuple = getattr(y, "shape", ())
    if len(shape) == 1 and isinstance(y, np.ndarray | pd.Series | ExtensionArray):
        return y
    if len(shape) == 2 and shape[1] > 1:
        raise ValueError(
            f"y should be a 1d array, but it has {shape[1]} columns: a tree has one target; grow "
            "one for each, as MultiOutputClassifier and MultiOutputRegressor of scikit-learn do"
        )
    target = column_or_1d(y)
    if len(shape) == 2:  # in scikit-learn's words: its own warning would blame the line above
        warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of "
            "y to (n_samples, ), for example using ravel().",
            DataConversionWarning,
        )
    return target


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
    if held == "interval" or _has_intervals(y):
        raise ValueError(
            "y holds intervals, which scikit-learn takes for no classes: name them, as in "
            'pandas.cut(..., labels=["low", "high"]), or make them text, as in '
            "pandas.Series(y).astype(str)"
        )
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


def _has_intervals(y):
    """Return whether categories are intervals."""
    categories = getattr(getattr(y, "dtype", None), "categories", None)
    return isinstance(categories, pd.IntervalIndex)


def _read_classes(y):
    """Return the code of each class, and the classes in order."""
    if isinstance(y, list | tuple):
        y = np.array(y, dtype=object)  # an array of text would turn NaN into the text "nan"
    labels = read_labels(one_target(y))
    if isinstance(labels.dtype, pd.CategoricalDtype):
        labels = labels.array
        return _present(labels.codes.astype(np.intp), labels.categories.to_numpy())
    if isinstance(labels, pd.Series) and labels.dtype.kind not in "biu":
        check_classification_targets(labels.to_numpy())  # others are always classes: it is slow
    return pd.factorize(np.asarray(labels), sort=True)


def _present(target, classes):
    """Return the codes of cases among the classes that they have, and these classes."""
    there = np.bincount(target, minlength=len(classes)) > 0
    if there.all():
        return target, classes
    return (np.cumsum(there) - 1).take(target), classes[there]


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


# --- weights --------------------------------------------------------------------------------------


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


# --- columns --------------------------------------------------------------------------------------


def _read_columns(table):
    _warn_of_lost_differences(table)
    if not is_numeric(table):
        return tuple(zip(*(_read_column(*item) for item in table.items()), strict=True))
    if isinstance(table, pd.DataFrame):
        names = table.columns.tolist()
    else:
        names = [f"x{i}" for i in range(table.shape[1])]
    attributes = tuple(Attribute(name, "numeric") for name in names)
    return attributes, as_block(table, names)


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


# Words that stand for an unknown value.
_UNKNOWN = {"", "?", "-", "--", ".", "*", "na", "n/a", "#n/a", "nan", "none", "null", "nil"}
_UNKNOWN |= {"unknown", "missing", "not available"}

# Other words are few among numbers if no more than one value in ten is a word.
_ONE_IN = 10


def _warn_of_text(table, attributes, columns, is_text):
    """Warn of columns of text, or of objects, in which all values are numbers but for a few.

    A Categorical is what somebody wants. Where all of X is an array of text, other columns may have
    made text of one that is numbers.
    """
    only_numbers, others = [], 0
    given = table.dtypes.tolist() if isinstance(table, pd.DataFrame) else []
    for attribute, column, dtype in zip(attributes, columns, given, strict=bool(given)):
        if attribute.kind != "nominal" or isinstance(dtype, pd.CategoricalDtype):
            continue
        is_number = np.array([_is_number(level) for level in attribute.levels], dtype=bool)
        if is_text and is_number.any() and is_number.all():
            only_numbers.append(attribute.name)
            continue
        others += 1
        if words := _few_words(attribute.levels, is_number, column):
            few = ", ".join(map(repr, words[:5])) + ", ..." * (len(words) > 5)
            warn(
                f"column {attribute.name!r} is text, but all of it is numbers except {few}: if "
                "these are unknown values, make them NaN, as in "
                f"pd.to_numeric(X[{attribute.name!r}], errors='coerce'); if the numbers are names, "
                "make the column a Categorical"
            )
    if only_numbers and others:
        warn(
            f"X is an array of text, though all of {', '.join(only_numbers)} is numbers: numpy "
            "makes text of what is beside text, so give a DataFrame, or np.array(rows, "
            "dtype=object), in which numbers stay numbers"
        )


def _few_words(levels, is_number, codes):
    """Return the levels that are no numbers, if they are few and could be unknown values."""
    if is_number.all() or np.count_nonzero(is_number) < 2:
        return []
    words = [levels[i] for i in np.flatnonzero(~is_number)]
    if all(str(word).strip().lower() in _UNKNOWN for word in words):
        return words
    times = np.bincount(codes[codes >= 0], minlength=len(levels))
    is_few = np.count_nonzero(is_number) >= _ONE_IN
    return words if is_few and _ONE_IN * times[~is_number].sum() <= times.sum() else []


def _is_number(level):
    """Return whether a level is a finite number, or text that says one."""
    if isinstance(level, bool):
        return False
    try:
        return bool(np.isfinite(float(level)))
    except (TypeError, ValueError, OverflowError):
        return False


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


def as_block(table: pd.DataFrame | np.ndarray, names: Sequence[Hashable]) -> np.ndarray:
    """Return columns of numbers as one array [A, n]."""
    if isinstance(table, pd.DataFrame):
        table = table.to_numpy(dtype=float, na_value=np.nan)
    block = table.T.astype(float, copy=False)
    if np.isinf(block).any():
        column, row = np.argwhere(np.isinf(block))[0]
        raise _infinite(names[column], row)
    return block


def _read_column(name, values):
    values = without_dictionary(values)
    dtype = values.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        kind = "ordered" if dtype.ordered else "nominal"
        attribute = Attribute(name, kind, _told_apart(name, tuple(dtype.categories)))
        return attribute, values.array.codes.astype(np.intp)
    found = types.infer_dtype(values) if types.is_object_dtype(dtype) else None
    if types.is_any_real_numeric_dtype(dtype) or found in _NUMBERS:
        numbers = as_floats(values, name)
        is_large = found in _EXACT and np.nanmax(abs(numbers), initial=0) >= MANTISSA
        if is_large and values.nunique() > pd.Series(numbers).nunique():
            warn_of_lost_difference(name)
        return Attribute(name, "numeric"), numbers
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


def without_dictionary(values: pd.Series) -> pd.Series:
    """Return a column that pandas holds as a dictionary or nulls of Arrow as it usually does."""
    if isinstance(values.dtype, pd.ArrowDtype) and values.dtype.kind == "O":
        if values.dtype.name.startswith("dictionary"):
            return pd.Series(values.array.__arrow_array__().to_pandas())
        if values.dtype.name.startswith("null"):
            return values.astype(object)
    return values


def as_floats(values: pd.Series, name: Hashable) -> np.ndarray:
    """Return a column of numbers as floats, NaN where unknown; refuse all else, and infinity."""
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
        raise unhashable(name, values) from error
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
            if (other := written.setdefault(value_in_words(level), level)) is not level:
                raise ValueError(
                    f"column {name!r} has the values {other!r} and {level!r}, which a tree prints "
                    "alike: turn them into one, or name one of them otherwise"
                )
    return levels


def unhashable(name: Hashable, values: pd.Series) -> ValueError:
    """Return the error that says which value of a column cannot be a level."""
    row, cell = next(pair for pair in enumerate(values) if not types.is_hashable(pair[1]))
    return ValueError(
        f"column {name!r} holds {cell!r} in row {row}, which cannot be a level: "
        "use text, numbers or booleans"
    )


# --- numbers --------------------------------------------------------------------------------------


def floats(given: Any, needed: str) -> np.ndarray:
    """Return numbers as floats; for others, such as dates, a ValueError says what is needed."""
    dtype = getattr(given, "dtype", None)
    try:
        if getattr(dtype, "kind", None) in ("m", "M"):
            raise TypeError(f"it holds {dtype}")  # numpy would count their microseconds
        if isinstance(given, np.ma.MaskedArray):
            return np.ma.filled(given.astype(float), np.nan)
        return np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{needed}: {error}") from error

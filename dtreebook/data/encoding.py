"""Other cases, as a tree knows them: the columns that it asks about as codes and numbers.

A level that the tree has not seen is an unknown value.
"""

from collections.abc import Sequence
from contextlib import suppress
from numbers import Real
from reprlib import repr as short_repr
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from pandas.api import types

from dtreebook.data.cases import Attribute, Cases, Columns
from dtreebook.data.reading import (
    MANTISSA,
    as_block,
    as_floats,
    as_frame,
    as_pandas,
    as_table,
    is_numeric,
    read_labels,
    read_numbers,
    unhashable,
    used_rows,
    without_dictionary,
)
from dtreebook.data.words import warn

# So many values are looked up faster one by one than by pandas.
_FEW = 300

_LARGEST_FLOAT = float(np.finfo(float).max)


def encode(X: Any, attributes: Sequence[Attribute]) -> Columns:
    """Return the columns of X for a tree that was grown on these attributes: see `Cases`.

    X is as for `dtreebook.data.reading.read_training`; columns with names are found by them, others
    by place. A level that the tree has not seen is an unknown value. If a column can have no level
    that it has seen, such as numbers where the levels are text, there is a warning, too.

    Examples
    --------
    >>> house = Attribute("house", "nominal", ("no", "yes"))
    >>> encode(pd.DataFrame({"house": ["yes", "no", "rented", None]}), [house])
    (array([ 1,  0, -1, -1]),)
    """
    X = as_pandas(X)
    names = [attribute.name for attribute in attributes]
    table = as_table(X)
    if isinstance(X, pd.DataFrame):
        table = _in_order(table, names)
    elif table.shape[1] != len(names):
        raise ValueError(
            f"X has {table.shape[1]} columns, but the tree was grown on {len(names)}: "
            f"{short_repr(names)}"
        )
    return encode_table(table, attributes)


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
    frame, target, weights = used_rows(as_frame(X), target, classes, sample_weight)
    return Cases(attributes, encode(frame, attributes), target, classes).weighted(weights)


def read_target(y: ArrayLike, classes: np.ndarray | None) -> np.ndarray:
    """Return the code of each class, -1 if it is none of these; without classes, y as floats."""
    if classes is None:
        return read_numbers(y)
    return pd.Index(classes).get_indexer(pd.Index(read_labels(y)))


# --- one column at a time -------------------------------------------------------------------------


def encode_table(table: pd.DataFrame | np.ndarray, attributes: Sequence[Attribute]) -> Columns:
    """Return the columns, as `encode` does, of a table that has them in the attributes' order."""
    if all(attribute.kind == "numeric" for attribute in attributes) and is_numeric(table):
        return as_block(table, [attribute.name for attribute in attributes])
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


def _encode_column(values, attribute):
    values = without_dictionary(values)
    if attribute.kind == "numeric":
        return as_floats(values, attribute.name)
    try:
        codes = _codes(values, attribute)
    except TypeError as error:
        raise unhashable(attribute.name, values) from error
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
        values = as_floats(values, attribute.name)  # as they were when they became levels
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

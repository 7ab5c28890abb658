"""A table of Ibis as a training set: what a first look says of its columns, classes and weights."""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.operations as ops
import numpy as np
import pandas as pd
import pyarrow as pa
from ibis.expr.types import Column, Table

from dtreebook.data.cases import Attribute, Cases
from dtreebook.data.reading import (
    LARGEST,
    LEAST_EXPONENT,
    MANTISSA,
    read_training,
    unsupported,
    warn_of_lost_difference,
)
from dtreebook.data.words import warn
from dtreebook.database.asking import Asker, DatabaseError, is_in_spark
from dtreebook.database.expressions import LOSSES, as_text, literal, number, refuse_nul, union
from dtreebook.grow.criteria import BINARY, BinaryCriterion

# The rows that are fetched come so many at a time.
BATCH = 100_000

# A float tells apart all decimals of so many digits.
_DIGITS = 15

# From so many rows, drawn at random, the ranges of the numbers are made.
_SAMPLE = 20_000


class Numbers(NamedTuple):
    """How the numbers to be predicted are added up: see `SUMS` in `dtreebook.database.rows`."""

    criterion: str  #: a name in `LOSSES`
    mean: float  #: of all

    @property
    def measure(self) -> BinaryCriterion:
        """The entry of the criterion."""
        return BINARY[self.criterion]

    @property
    def origin(self) -> float:
        """What is taken off each number before it is added up, so that fewer digits are lost."""
        return self.mean if self.measure.is_centred else 0.0

    def loss_of(self, above: np.ndarray) -> np.ndarray:
        """Return what numbers, less the origin, cost where the mean of all is predicted."""
        assert self.measure.loss is not None, "of numbers"
        return self.measure.loss(above, np.array(self.mean - self.origin))

    def mean_of(self, sums: pd.DataFrame) -> np.ndarray:
        """Return the means of some numbers, which no rounding takes beyond the numbers."""
        return np.clip(self.origin + sums["sum"] / sums.weight, sums.least, sums.most).to_numpy()

    def error_of(self, sums: pd.DataFrame) -> np.ndarray:
        """Return what some numbers cost where their own mean is predicted.

        It is what they cost where that of all is, less what their mean costs there: this holds for
        squares and for the Poisson deviance.
        """
        own = self.loss_of((sums["sum"] / sums.weight).to_numpy())
        error = np.maximum(sums.loss - sums.weight * own, 0)
        return np.where(sums.least < sums.most, error, 0)


SQUARES = Numbers("squared_error", 0.0)  # unless somebody says something else


@dataclass(frozen=True)
class Source:
    """What is known of a training set in a database before a tree grows from it."""

    #: the table: x0, x1, ... for the attributes, y, w if there are weights, and node, which is 0.
    #: Text and booleans are text, numbers are doubles, NaN is NULL.
    rows: Table
    attributes: tuple[Attribute, ...]  #: as in `Cases`
    classes: np.ndarray | None
    #: `Cases` that have the same classes and weights in few rows. A column in which the table has
    #: unknown values is unknown in them.
    summary: Cases
    sample: dict[int, np.ndarray]  #: dict from each numeric column to some of its values, sorted
    n_rows: int  #: how many rows there are
    asker: Asker  #: whom to ask
    numbers: Numbers = SQUARES  #: how numbers are added up

    def measured(self, criterion: Any) -> "Source":
        """Return the same rows, whose numbers a criterion measures."""
        if criterion not in LOSSES:
            known = " or ".join(map(repr, LOSSES))
            raise ValueError(f"in a database criterion must be {known}, not {criterion!r}")
        mean = float(np.average(self.summary.target, weights=self.summary.weight))
        return replace(self, numbers=Numbers(criterion, mean))

    @property
    def is_weighted(self) -> bool:
        """Whether rows have weights."""
        return "w" in self.rows.columns

    def weighed(self, model: Any) -> "Source":
        """Return the same rows, each class with the weight that a model gives it."""
        if self.classes is None:
            return self
        before, rows, summary = self.summary, self.rows, model._weigh(self.summary)
        factor = summary.weights / before.weights
        if (factor == 1).all():
            return self
        names = self.classes[before.target].tolist()
        refuse_nul("y", names, rows)
        pairs = zip(names, factor.tolist(), strict=True)
        by_class = ibis.cases(*((rows.y == literal(name), number(of)) for name, of in pairs))
        weight = rows.w * by_class if self.is_weighted else by_class
        return replace(self, rows=rows.mutate(w=weight), summary=summary)

    def among(self, rows: Table) -> "Source":
        """Return some of the rows, looked at once more."""
        asker = Asker()
        seen = _look(asker, rows, self.classes is not None)
        summary = _summary(seen, self.attributes, self.classes)
        return replace(self, rows=rows, summary=summary, n_rows=int(seen.n.sum()), asker=asker)

    def numbered(self) -> Table:
        """Return the rows, numbered in their order."""
        is_packed = is_in_spark(self.rows)
        number = _number_in_spark() if is_packed else ibis.row_number()
        return self.rows.mutate(row=number)

    def fetched(self, rows: Table, what: str) -> Iterator[Cases]:
        """Yield some rows as cases, some at a time."""
        for batch in self.asker.batches(rows, what, BATCH):
            yield as_cases(pa.Table.from_batches([batch]), self.attributes, self.classes)


@ibis.udf.scalar.builtin(name="monotonically_increasing_id")
def _number_in_spark() -> int:
    """Number rows as Spark does, which has no other order."""
    raise NotImplementedError  # it is Spark's


def codes(attribute: Attribute, levels: pd.Series) -> np.ndarray:
    """Return the codes of levels as the database gives them, -1 for NULL."""
    known = attribute.index
    if known.dtype == bool or (len(known) and isinstance(attribute.levels[0], bool)):
        known = pd.Index(list(map(as_text, attribute.levels)), dtype=object)
    found = known.get_indexer(levels)
    new = np.flatnonzero((found < 0) & levels.notna().to_numpy())
    if len(new):
        raise unexpected(f"column {attribute.name!r}", levels.iloc[new[0]], known)
    return found


def targets(classes: np.ndarray, y: pd.Series) -> np.ndarray:
    """Return the codes of classes."""
    found = pd.Index(classes).get_indexer(y)
    if (found < 0).any():
        raise unexpected("y", y[found < 0].iloc[0], classes)
    return found


def as_cases(
    rows: pa.Table, attributes: tuple[Attribute, ...], classes: np.ndarray | None
) -> Cases:
    """Return rows that have been fetched as cases, whose codes take as few bytes as they can."""
    for name in {"y", "w"}.intersection(rows.column_names):
        if rows[name].null_count:
            raise changed(f"{name} is NULL in some rows now")
    readers = [None if of.kind == "numeric" else partial(codes, of) for of in attributes]
    columns = [_read(rows[f"x{a}"], code_of) for a, code_of in enumerate(readers)]
    target = _read(rows["y"], None if classes is None else partial(targets, classes))
    weight = np.asarray(rows["w"], dtype=float) if "w" in rows.column_names else None
    return Cases(attributes, tuple(columns), target, classes, weight)


def _read(value, code_of):
    """Return the numbers of a column, or codes, each value looked up once; -1 where unknown."""
    if code_of is None:
        return value.to_numpy()
    value = value.combine_chunks()
    if pa.types.is_dictionary(value.type):  # an ENUM of DuckDB has levels that are in no row
        value = value.dictionary_decode()
    value = value.dictionary_encode()
    code = np.append(code_of(value.dictionary.to_pandas()), -1)
    code = code.astype(np.min_scalar_type(-1 - max(code.max(), 0)))
    return code[value.indices.fill_null(len(code) - 1).to_numpy()]


def changed(how: str) -> DatabaseError:
    """Return the error that says that a table is no longer what it was."""
    return DatabaseError(
        f"the table changed while the tree grew: {how}. Nothing was fitted: copy the table, or "
        "read it in one transaction, and fit again"
    )


def unexpected(column: str, value: Any, known: Iterable) -> DatabaseError:
    """Return the error that says that a column holds what the first look did not find."""
    written = str(value).casefold()
    same = next((str(other) for other in known if str(other).casefold() == written), None)
    if same is None:
        return changed(f"{column} now holds {value!r}")
    return DatabaseError(
        f"{column} holds {same!r} and {value!r}, which the database seems to take for the same, "
        "and nothing was fitted: write it in one case, or give it a collation that tells them apart"
    )


def read(
    X: Table, y: Any, sample_weight: Any, kinds: Container[str], is_classifier: bool
) -> Source:
    """Take a first look at a training set.

    Parameters
    ----------
    X : table of Ibis.
    y, sample_weight : names of columns of X, or columns of the table that X was made of; no
        weights if None.
    kinds : as in `dtreebook.data.reading.read_training`.
    is_classifier : whether y are classes.
    """
    asker = Asker()
    columns, y, weight = parts(X, y, sample_weight)
    if not columns:
        raise ValueError("X has no column but the classes: a tree has nothing to ask about")
    values = {f"x{a}": _value(name, column) for a, (name, column) in enumerate(columns.items())}
    values["y"] = _answer(y, is_classifier)
    used = parent(y)
    if weight is not None:
        kind = weight.type()
        if not (kind.is_numeric() or kind.is_boolean()):
            raise ValueError(f"sample_weight holds {kind}, not numbers")
        values["w"] = w = without_nan(weight)
        used = used.filter((w != 0) | w.isnull())
    rows = used.select(**values)
    seen = _look(asker, rows, is_classifier)
    if weight is not None:
        _check_weights(seen)
    n_rows = _check(seen, list(columns), is_classifier)
    _warn_of_lost_differences(asker, used, columns, seen)
    rows = rows.mutate(node=ibis.literal(0, "int32"))
    attributes = _attributes(asker, rows, columns, kinds)
    classes = read_training(np.zeros((len(seen), 1)), seen.y).classes if is_classifier else None
    summary = _summary(seen, attributes, classes)
    sample = _sample(asker, rows, attributes, n_rows)
    return Source(rows, attributes, classes, summary, sample, n_rows, asker)


def parts(
    X: Table, y: Any, sample_weight: Any
) -> "tuple[dict[str, Column], Column, Column | None]":
    """Return the columns of X by name, y and the weights, all columns of one table."""
    named = [name for name in (y, sample_weight) if isinstance(name, str)]
    for name in named:
        if name not in X.columns:
            raise ValueError(f"X has no column {name!r}: it has {', '.join(X.columns)}")
    if y is None:
        raise ValueError("fit requires y: give the name of the column, or the column itself")
    if isinstance(y, str):
        table, y = X, X[y]
    elif isinstance(y, Column):
        table = parent(y)
    else:
        raise TypeError(
            f"y is a {type(y).__name__}, but X a table of Ibis: give the name of a column of X, or "
            "a column of the table that X was made of"
        )
    _refuse_twins(table.columns)
    given = dict(zip(X.columns, _columns_of(X, table), strict=True))
    columns = {name: column for name, column in given.items() if name not in named}
    if isinstance(sample_weight, str):
        sample_weight = given[sample_weight]
    elif sample_weight is not None and not (
        isinstance(sample_weight, Column) and list(sample_weight.op().relations) == [table.op()]
    ):
        raise ValueError("sample_weight must be a column of the table that y is a column of")
    return columns, y, sample_weight


def _refuse_twins(names):
    """Raise a ValueError if a database would read one column for another."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(
                f"columns {other!r} and {name!r} differ in case only, and most databases take them "
                "for the same: rename one"
            )


def _columns_of(X, table):
    """Return the columns of X as columns of the table it was made of."""
    made = X.op()
    if X.equals(table) or (isinstance(made, ops.DropColumns) and made.parent == table.op()):
        return [table[name] for name in X.columns]
    if isinstance(made, ops.Project) and made.parent == table.op():
        return [made.values[name].to_expr() for name in X.columns]
    raise ValueError(
        "X and y come from different tables: give y as the name of a column of X, as in "
        "fit(table, 'approved'), or X as table.drop('approved') and y as table.approved"
    )


def parent(column: Column) -> Table:
    """Return the one table that a column is of."""
    tables = list(column.op().relations)
    if len(tables) != 1:
        raise ValueError("y must be a column of one table")
    return tables[0].to_expr()


def _value(name, column):
    """Return a column as the counting wants it: a double without NaN, or text."""
    kind = column.type()
    if kind.is_numeric() and not kind.is_boolean():
        return without_nan(column)
    if kind.is_string() or kind.is_boolean() or kind.is_uuid() or kind.is_null():
        return column.cast("string")
    raise unsupported(name, kind)


def without_nan(column: Column) -> Column:
    """Return numbers as doubles, NULL for NaN."""
    value = column.cast("float64")
    return ibis.ifelse(value.isnan(), ibis.null("float64"), value)


def _answer(y, is_classifier):
    kind = y.type()
    if is_classifier:
        if kind.is_integer() or kind.is_boolean() or kind.is_string():
            return y
        if kind.is_floating() or kind.is_decimal():
            raise ValueError(
                f"y holds {kind}, and classes are text, integers or booleans: cast it, or grow a "
                "regression tree"
            )
    elif kind.is_numeric():
        return y.cast("float64")
    raise ValueError(f"y holds {kind}, which is no {'class' if is_classifier else 'number'}")


def _look(asker, rows, is_classifier):
    """Ask for what all later questions build on, class by class."""
    asked = {"n": rows.count(), "weight": rows.w.sum() if "w" in rows.columns else rows.count()}
    for name in rows.columns:
        asked[f"known_{name}"] = rows[name].count()
        if rows[name].type() == dt.float64:
            asked |= {f"least_{name}": rows[name].min(), f"most_{name}": rows[name].max()}
    if is_classifier:
        return asker.ask(rows.group_by("y").aggregate(**asked), "which classes there are")
    weighted = (rows.y * rows.w).sum() / rows.w.sum() if "w" in rows.columns else rows.y.mean()
    asked |= {"mean": weighted, "nan_y": rows.y.isnan().sum()}
    return asker.ask(rows.aggregate(**asked), "how many rows there are")


def _ends(seen, name):
    return seen[[f"least_{name}", f"most_{name}"]].to_numpy(dtype=float)


def _check_weights(seen):
    """Raise a ValueError if the weights, of which none is 0, cannot be used."""
    n = seen.n.sum()
    if not n:
        raise ValueError("every sample_weight is zero: no case is left to learn from")
    least, most = _ends(seen, "w")[:, 0].min(), _ends(seen, "w")[:, 1].max()
    if seen.known_w.sum() < n or least < 0 or np.isinf(most):
        held = "NULL or NaN" if seen.known_w.sum() < n else f"{least} to {most}"
        raise ValueError(f"sample_weight must be finite and not negative, but it is {held} in rows")
    if most > LARGEST / n:
        raise ValueError("the sum of sample_weight is too large: divide all of them by the largest")
    if least < np.ldexp(max(most, 1), LEAST_EXPONENT):
        raise ValueError(
            f"sample_weight is {least} in a row, too small to be squared: multiply all of "
            "them, or leave rows out that weigh next to nothing beside others"
        )


def _check(seen, names, is_classifier):
    """Raise a ValueError if the table cannot be used; return the number of its rows."""
    n_rows = int(seen.n.sum())
    if not n_rows:
        raise ValueError("X is empty: the table has no row")
    lost = int(seen.n[seen.y.isna()].sum()) if is_classifier else n_rows - int(seen.known_y.sum())
    if not is_classifier:
        lost += int(seen.nan_y.fillna(0).sum())
    if lost:
        raise ValueError(f"y is NULL in {lost} rows: give a value, or leave them out by filter")
    most = 0 if is_classifier else abs(_ends(seen, "y")).max()
    if np.isinf(most):
        raise ValueError("y is infinite: give finite numbers, or leave these rows out by filter")
    if most > LARGEST:
        raise ValueError("y is too large to be squared: give all of it in a larger unit")
    for a, name in enumerate(names):
        if f"least_x{a}" in seen and np.isinf(_ends(seen, f"x{a}")).any():
            raise ValueError(
                f"column {name!r} is infinite in some rows: use finite numbers, or NULL if unknown"
            )
    return n_rows


def _warn_of_lost_differences(asker, rows, columns, seen):
    """Warn if integers, or decimals such as DuckDB's HUGEINT, that differ become one float."""
    large = {}
    for a, (name, column) in enumerate(columns.items()):
        kind = column.type()
        is_large = kind.is_integer() and (abs(_ends(seen, f"x{a}")) >= MANTISSA).any()
        if is_large or (kind.is_decimal() and (kind.precision or _DIGITS + 1) > _DIGITS):
            large[name] = column.nunique() > column.cast("float64").nunique()
    if large:
        found = asker.ask(rows.aggregate(**large), "whether large integers stay apart")
        for name in found.columns[found.iloc[0].astype(bool)]:
            if getattr(columns[name].type(), "scale", 0):
                warn(
                    f"column {name!r} has decimals of more than {_DIGITS} digits that are no "
                    "longer told apart as floats: subtract the least of them, or make them text"
                )
            else:
                warn_of_lost_difference(name)


def _attributes(asker, rows, columns, kinds):
    """Return the attributes as they would be read in memory, the levels in the same order."""
    listed = [
        a for a in range(len(columns)) if rows[f"x{a}"].type().is_string() or "numeric" not in kinds
    ]
    if listed:
        found = asker.ask(union(_levels(rows, a) for a in listed), "the levels")
    attributes = []
    for a, (name, column) in enumerate(columns.items()):
        if a not in listed:
            attributes.append(Attribute(name, "numeric"))
            continue
        part = found[found.a == a]
        if rows[f"x{a}"].type().is_string():
            values = part.level.dropna().astype(object)
            if column.type().is_boolean():
                values = values == "true"
        else:
            values = part.low.dropna().astype(float)
        if len(values):  # distinct ones are read as a training set of one column
            y = np.zeros(len(values), dtype=int)
            attributes += read_training(values.to_frame(name), y, kinds=kinds).attributes
        else:
            attributes.append(Attribute(name, "nominal"))
    return tuple(attributes)


def _levels(rows, a):
    column = rows[f"x{a}"]
    is_text = column.type().is_string()
    level = column if is_text else ibis.null("string")
    low = ibis.null("float64") if is_text else column
    return rows.select(a=ibis.literal(a, "int32"), level=level, low=low).distinct()


def _summary(seen, attributes, classes):
    """Return few cases with the classes and weights of all, or with the mean and the extremes."""
    if classes is not None:
        target, weight = targets(classes, seen.y), seen.weight.to_numpy(dtype=float)
    else:
        (row,) = seen.itertuples()
        total, spread = float(row.weight), row.most_y - row.least_y
        target, weight = np.array([row.least_y]), np.array([total])
        if spread:
            above = total * (row.mean - row.least_y) / spread
            target, weight = np.array([row.least_y, row.most_y]), np.array([total - above, above])
    n, columns = int(seen.n.sum()), []
    for a, attribute in enumerate(attributes):
        is_known = int(seen[f"known_x{a}"].sum()) == n
        unknown = np.nan if attribute.kind == "numeric" else -1
        value = np.zeros_like(unknown) if is_known else unknown
        columns.append(np.full(len(target), value))
    times = None if classes is None else seen.n.to_numpy()
    return Cases(attributes, tuple(columns), target, classes, weight, times)


def _sample(asker, rows, attributes, n_rows):
    """Return some values of every numeric column."""
    numeric = [a for a, attribute in enumerate(attributes) if attribute.kind == "numeric"]
    if not numeric:
        return {}
    some = rows.select(*(f"x{a}" for a in numeric))
    if n_rows > 2 * _SAMPLE:
        # Any sample gives the same tree; Ibis knows no seed for Spark.
        some = some.sample(_SAMPLE / n_rows, seed=None if is_in_spark(rows) else 0)
    found = asker.ask(some, "a sample of the numbers")
    return {a: np.sort(found[f"x{a}"].dropna().to_numpy(dtype=float)) for a in numeric}

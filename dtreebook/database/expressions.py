"""Numbers, text, ranges and the tests of a tree as expressions, exact to the last bit."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from operator import add
from typing import Any, NamedTuple

import ibis
import numpy as np
import pandas as pd
from ibis.expr.types import Expr, FloatingValue, NumericColumn, Scalar, Table, Value

from dtreebook.count.ranges import Grid, range_scale
from dtreebook.data.cases import Attribute
from dtreebook.database.asking import is_in_spark
from dtreebook.tree.splits import Split, Surrogate

# A test of more levels is a table to be joined, for a row would be compared with each.
MANY_LEVELS = 64


def number(value: float) -> FloatingValue:
    """Return a number as an expression.

    It is written as text and cast: engines read 0.1 as a decimal number, and what becomes of its
    17th digit on the way to a double is theirs.

    Examples
    --------
    >>> print(ibis.to_sql(number(0.1).name("tenth"), dialect="duckdb"))
    SELECT
      CAST('0.1' AS DOUBLE) AS "tenth"
    """
    return ibis.literal(repr(float(value))).cast("float64")


def literal(value: Any) -> Scalar:
    """Return text, a whole number or a boolean as an expression.

    Spark reads ``${name}`` as a variable of its own, in quotes, too. So the two signs stand apart.

    Examples
    --------
    >>> print(ibis.to_sql(literal("a ${b}").name("text"), dialect="pyspark"))
    SELECT
      CONCAT('a $', '{b}') AS `text`
    """
    if not isinstance(value, str):
        return ibis.literal(value)
    return reduce(add, map(ibis.literal, re.split(r"(?<=\$)(?=\{)", value)))


def as_text(level: Any) -> Any:
    """Return a level as a column of text holds it."""
    return str(level).lower() if isinstance(level, bool | np.bool_) else level


def union(tables: Iterable[Table]) -> Table:
    """Return the rows of several tables as one."""
    return reduce(lambda one, other: one.union(other), tables)


# What numbers cost where their mean is predicted: `BinaryCriterion.loss`, once more as expressions.
# Where numbers are centred, that mean is 0.
_LEAST = number(np.finfo(float).tiny)  # no database knows the logarithm of 0
LOSSES: dict[str, Callable] = {
    "squared_error": lambda above, mean: above * above,
    "poisson": lambda y, mean: y * (ibis.greatest(y, _LEAST) / mean).ln() - y + mean,
}


# --- ranges ---------------------------------------------------------------------------------------


def number_of_range(value: NumericColumn, grid: Grid) -> Value:
    """Return an expression that numbers the ranges of a column: see `dtreebook.count.ranges`.

    It rises with the value whatever is rounded: every step does.
    """
    ends, ranges = grid.ends.tolist(), grid.ranges

    def inside(i):
        if 0 < i < len(ends):
            return equal_range(value, ends[i - 1], ends[i], ranges) + (i - 1) * ranges
        return ibis.literal(max(0, len(ends) - 1) * ranges - 1 if i else 0, "int32")

    # NULL is not below an end, and must not be counted among the values above the last.
    return ibis.ifelse(value.isnull(), ibis.null("int32"), bisect(value, ends, inside))


def equal_range(value: NumericColumn, low: float, high: float, ranges: int) -> Value:
    """Return an expression that numbers equally wide ranges, of the values between two ends."""
    scale = float(range_scale(low, high, ranges))
    if not scale or ranges == 1:
        return ibis.literal(0, "int32")
    part = (value - number(low)) * number(scale)
    return ibis.least(part, ranges - 1).floor().cast("int32")


def bisect(
    value: NumericColumn, edges: list[float], leaf: Callable[[int], Value], first: int = 0
) -> Value:
    """Return an expression: what a function says of the number of edges below a value."""
    if not edges:
        return leaf(first)
    half = len(edges) // 2
    below = bisect(value, edges[:half], leaf, first)
    above = bisect(value, edges[half + 1 :], leaf, first + half + 1)
    return ibis.ifelse(value <= number(edges[half]), below, above)


# --- tests ----------------------------------------------------------------------------------------


class Test(NamedTuple):
    """What divides a node."""

    node: int  #: its number
    split: Split  #: what it asks about
    children: list[int]  #: the numbers of the nodes below
    other: int = -1  #: the one to which unknown values go; -1 where they stop
    surrogates: tuple[Surrogate, ...] = ()  #: what is asked before that, the best first


# For rows of unknown value: what part of those of a node goes to a child.
Shares = Mapping[tuple[int, int], float]


def branch_levels(split: Split, attribute: Attribute, value: Value) -> list[list]:
    """Return the levels that take each branch, as the database holds them."""
    groups = split.levels(attribute)
    return [list(map(as_text, of)) for of in groups] if value.type().is_string() else groups


def branch_of(split: Split, attribute: Attribute, value: Value, said: list, unknown: Any) -> Value:
    """Return the expression that says something of each branch, and of values without one."""
    tests = branch_tests(split, attribute, value)
    if not tests:
        return unknown
    return ibis.cases(*((test, said[branch]) for branch, test in tests), else_=unknown)


def branch_tests(split: Split, attribute: Attribute, value: Value) -> list[tuple[int, Value]]:
    """Return the branches that a value can take, each with the expression that is true there."""

    def is_in(levels):
        if value.type().is_string():
            levels = list(map(as_text, levels))
        refuse_nul(f"column {attribute.name!r}", levels, value)
        write = number if value.type().is_floating() else literal
        return value.isin(list(map(write, levels)))

    return split.in_database(value, attribute, number, is_in)


def refuse_nul(where: str, labels: Iterable, asked: Expr) -> None:
    """Raise a ValueError for text that a question cannot spell, except one to Spark."""
    for label in labels:
        if isinstance(label, str) and "\0" in label and not is_in_spark(asked):
            raise ValueError(
                f"{where} holds {label!r}, and no question to the database spells the character "
                "NUL: replace it"
            )


def send(rows: Table, tests: list[Test], attributes: Sequence[Attribute]) -> Table:
    """Return the rows at the next nodes; those without one are gone."""
    by_node, wide = [], []
    for test in tests:
        attribute = attributes[test.split.column]
        if len(attribute.levels) > MANY_LEVELS:
            wide.append(test)
            continue
        value, other = rows[f"x{test.split.column}"], _instead(rows, test, attributes)
        known = branch_of(test.split, attribute, value, test.children, other)
        by_node.append((rows.node == test.node, known))
    if by_node:
        rows = rows.mutate(node=ibis.cases(*by_node, else_=rows.node))
    for test in wide:
        rows = _joined(rows, test, attributes)
    return rows.filter(rows.node >= 0)


def by_surrogates(
    surrogates: Sequence[Surrogate],
    attributes: Sequence[Attribute],
    value_of: Callable[[int], Value],
    said: list,
    unknown: Any,
) -> Any:
    """Return what is said of the branch by the first surrogate that knows it."""
    for surrogate in reversed(surrogates):
        branches, a = said[::-1] if surrogate.flipped else said, surrogate.split.column
        unknown = branch_of(surrogate.split, attributes[a], value_of(a), branches, unknown)
    return unknown


def _instead(rows, test, attributes):
    """Return the node to which rows of unknown value go."""
    other = ibis.literal(test.other, "int32")
    return by_surrogates(test.surrogates, attributes, lambda a: rows[f"x{a}"], test.children, other)


def _joined(rows, test, attributes):
    """Send the rows of one node by a table of its levels."""
    rows = rows.view()  # Ibis adds to a join that is there, and knows no column that it made
    at, name = test.node, f"x{test.split.column}"
    groups = branch_levels(test.split, attributes[test.split.column], rows[name])
    pairs = [
        (level, child) for some, child in zip(groups, test.children, strict=True) for level in some
    ]
    frame = pd.DataFrame(pairs, columns=["level", "child"]).astype({"child": "int32"})
    lookup = ibis.memtable(frame.assign(parent=np.int32(at)))
    here = [rows.node == lookup.parent, rows[name] == lookup.level]
    both = rows.left_join(lookup, here)
    child = both.child.fill_null(_instead(both, test, attributes))
    there = ibis.ifelse(both.node == at, child, both.node)
    return both.select(*(name for name in rows.columns if name != "node"), node=there.cast("int32"))


def share_out(rows: Table, tests: list[Test], shares: Shares) -> Table:
    """Return the rows with those of unknown value at the nodes below, each at several and in part.

    The rows are named once: named twice at every level, they would fill a question of their own.
    """
    parents = {parent for parent, _ in shares}
    lost = [
        (rows.node == test.node) & rows[f"x{test.split.column}"].isnull()
        for test in tests
        if test.node in parents
    ]
    keyed = rows.mutate(lost=ibis.ifelse(ibis.or_(*lost), rows.node, ibis.null("int32")))
    parts = pd.DataFrame([(*pair, share) for pair, share in shares.items()])
    parts = parts.set_axis(["parent", "child", "share"], axis=1)
    table = ibis.memtable(parts.astype({"parent": "int32", "child": "int32"}))
    both = keyed.left_join(table, keyed.lost == table.parent)
    weight = both.w * both.share.fill_null(1.0)
    kept = {name: both[name] for name in rows.columns}
    return both.select(**(kept | {"w": weight, "node": both.child.fill_null(both.node)}))

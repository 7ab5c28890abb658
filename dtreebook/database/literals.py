"""Numbers and text in a question, exact to the last bit."""

import re
from functools import reduce
from operator import add
from typing import Any

import ibis
from ibis.expr.types import FloatingValue, Scalar


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

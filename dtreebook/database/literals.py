"""Numbers in a question, exact to the last bit."""

import ibis
from ibis.expr.types import FloatingValue


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

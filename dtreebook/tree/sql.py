"""A tree as an SQL expression, in the dialects of databases.

It says what the tree says, blanks, values never seen, surrogates and defaults included. The tests
write their conditions themselves: `dtreebook.tree.splits.Split.in_sql`.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dtreebook.tree.code import no_literal, plain, refuse_nul
from dtreebook.tree.tree import Fitted, Tree, tree_of

# Databases take so many conditions in a row; SQLite, one thousand.
_DEPTH = 900

# So many CASE one in another read well. SQL Server takes ten.
_NESTED = 8

# NaN is larger than it in DuckDB and PostgreSQL.
_LARGEST = repr(float(np.finfo(float).max))


def to_sql(tree: Tree | Fitted, dialect: str = "ansi") -> str:
    """Return the tree as an SQL expression, to be selected from a table with its columns.

    In each CASE the first line that holds gives the answer. An unknown value is NULL, or NaN where
    there is one. The exponent of a long number, ``E0``, makes it a double: without it, it is
    decimal. Text is compared sign by sign, also where the database compares without case: in MySQL
    over a connection in utf8mb4. A column of SQLite with ``COLLATE NOCASE``, of PostgreSQL with a
    collation that is not deterministic, or of the type ``CHAR(n)``, which pads with blanks, is
    compared as its type says: cast it to ``TEXT`` in a view.

    Raises ValueError if there is no such dialect, the tree is too deep for databases, a label holds
    a character that no SQL text can hold, or cases are to go down every branch in parts.

    Parameters
    ----------
    dialect : "ansi", which PostgreSQL, DuckDB and SQLite read; "sqlite", also for columns of text
        that hold numbers or nothing, as ``.import`` makes them; "mysql", "sqlserver", "snowflake",
        "bigquery" or "spark". Other names of these are "postgres", "postgresql", "duckdb",
        "redshift", "trino"; "mariadb"; "mssql", "tsql"; "databricks".

    Examples
    --------
    >>> from dtreebook import CARTClassifier, datasets
    >>> model = CARTClassifier(max_depth=1).fit(*datasets.load_loan(return_X_y=True))
    >>> print(to_sql(model.tree_))
    CASE
      WHEN "house" = 'yes' THEN 'yes'
      ELSE 'no'
    END
    """
    tree = tree_of(tree)
    name = _OTHER_NAMES.get(dialect, dialect)
    if name not in _DIALECTS:
        known = ", ".join([*_DIALECTS, *_OTHER_NAMES])
        raise ValueError(f"dialect must be one of {known}, not {dialect!r}")
    if tree.fractional:
        raise ValueError(
            "this tree sends a case of unknown value down every branch in parts, which SQL cannot "
            "say in few words. Ibis says it in many: ibis.to_sql(table.select(said=model.predict("
            "table))), where table is a table of Ibis. Where every value is known, "
            "dataclasses.replace(tree, fractional=False) says the same"
        )
    if tree.depth > _DEPTH:
        raise ValueError(
            f"the tree asks {tree.depth} questions on a path, and databases take at most "
            f"{_DEPTH}: limit its depth, prune it, or use to_python, to_js or to_c"
        )
    return _Expression(tree, _DIALECTS[name]).text()


# --- dialects -------------------------------------------------------------------------------------


class _Dialect(NamedTuple):
    """How a database quotes a name and text, and compares a column."""

    opening: str = '"'
    closing: str = '"'
    text: str = "'"
    escapes: tuple[tuple[str, str], ...] = (("'", "''"),)
    truth: tuple[str, str] = ("FALSE", "TRUE")
    as_text: str = "{}"  #: a column of text that is compared sign by sign
    behind: str = ""  #: what is put behind text so that blanks at its end count
    as_number: str = "{}"  #: a column of numbers
    has_nan: bool = True

    def name(self, name: str) -> str:
        refuse_nul("SQL", name)
        return self.opening + name.replace(self.closing, 2 * self.closing) + self.closing

    def number(self, name: str) -> str:
        """Return the expression for a column of numbers."""
        return self.as_number.format(self.name(name))

    def above(self, name: str, cut: str) -> str:
        """Return the condition that a number, and not NaN, is above a cut."""
        value = self.number(name)
        return f"{value} > {cut}" + f" AND {value} <= {_LARGEST}" * self.has_nan

    def is_one(self, name: str, levels: Iterable[object]) -> str:
        """Return the condition that a column has one of some levels."""
        levels = [plain(level) for level in levels]
        if not levels:  # an empty list is no SQL; of an ordered attribute, a side may be empty
            return "1 = 0"
        sorts: dict[type, list] = {}
        for level in levels:
            sorts.setdefault(float if type(level) is int else type(level), []).append(level)
        said = " OR ".join(self._is_one(name, sort, some) for sort, some in sorts.items())
        return f"({said})" if len(sorts) > 1 else said

    def _is_one(self, name, sort, levels):
        value, behind = self.name(name), ""
        if sort is str:
            value, behind = self.as_text.format(value), self.behind
        elif sort is float:
            value = self.number(name)
            levels = list(map(_whole, levels))
        said = [self.literal(f"{level}{behind}" if behind else level) for level in levels]
        return f"{value} = {said[0]}" if len(said) == 1 else f"{value} IN ({', '.join(said)})"

    def literal(self, label: object) -> str:
        label = plain(label)
        if isinstance(label, bool):
            return self.truth[label]
        if isinstance(label, bytes | tuple) or label in (np.inf, -np.inf):
            raise no_literal(label)
        if isinstance(label, int | float):
            return _number(label)
        refuse_nul("SQL", str(label))
        said = str(label)
        for sign, written in self.escapes:
            said = said.replace(sign, written)
        return f"{self.text}{said}'"


_BACKSLASH = ("\\", "\\\\")
_AS_IN_C = (_BACKSLASH, ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"))
_DIALECTS = {
    "ansi": _Dialect(),
    "sqlite": _Dialect(as_number="(NULLIF({}, '') + 0)", has_nan=False),
    "mysql": _Dialect(
        "`",
        "`",
        escapes=(_BACKSLASH, ("'", "''")),
        as_text="CAST(CONVERT({} USING utf8mb4) AS BINARY)",
        has_nan=False,
    ),
    "sqlserver": _Dialect(
        "[",
        "]",
        "N'",
        truth=("0", "1"),
        as_text="({} + N'.') COLLATE Latin1_General_BIN2",
        behind=".",
        has_nan=False,
    ),
    "snowflake": _Dialect(escapes=(_BACKSLASH, ("'", "''"))),
    "bigquery": _Dialect("`", "`", escapes=_AS_IN_C),
    "spark": _Dialect("`", "`", escapes=_AS_IN_C),
}
_OTHER_NAMES = {
    **dict.fromkeys(("postgres", "postgresql", "duckdb", "redshift", "trino"), "ansi"),
    "mariadb": "mysql",
    **dict.fromkeys(("mssql", "tsql"), "sqlserver"),
    "databricks": "spark",
}


# --- the expression -------------------------------------------------------------------------------


class _Expression:
    """A tree as CASE expressions, one in another.

    A CASE goes on with one branch of a node, so that only the others are nested: with that of
    unknown values, which needs no condition, or, where many are nested, with the largest. Each test
    is written once or twice, so that the text grows with the tree.
    """

    def __init__(self, tree: Tree, dialect: _Dialect):
        self.tree, self.arrays, self.dialect = tree, tree.arrays, dialect
        self.size = np.ones(tree.node_count, dtype=int)  # of the subtree below each node
        for number in range(tree.node_count - 1, 0, -1):
            self.size[self.arrays.parent[number]] += self.size[number]

    def text(self) -> str:
        return "\n".join(self.expression(0, 0))

    def expression(self, number: int, level: int) -> list[str]:
        """Return the lines that tell a node and what is below it."""
        lines = []
        while self.arrays.split[number] is not None:
            children = list(self.arrays.children(number))
            last, conditions = self.conditions(number, level)
            for condition, child in conditions:
                said = [self.answer(number)] if child is None else self.expression(child, level + 1)
                lines += [f"WHEN {condition} THEN {said[0]}", *said[1:]]
            if last < 0:
                break
            number = children[last]
        otherwise = self.answer(number)
        if not lines:
            return [otherwise]
        return ["CASE", *(f"  {line}" for line in [*lines, f"ELSE {otherwise}"]), "END"]

    def conditions(self, number: int, level: int) -> tuple[int, list[tuple[str, int | None]]]:
        """Return the branch that the CASE goes on with, -1 for none, and what comes before it.

        These are conditions, each with a child, or None for the answer of the node itself.
        """
        children, default = list(self.arrays.children(number)), int(self.arrays.default[number])
        tests, which = self.tests(number)
        largest = int(np.argmax(self.size[children]))
        last = default if level < _NESTED else largest
        found: list[tuple[str, int | None]] = []
        is_apart = last >= 0 and last != default  # unknown values do not go with the last branch
        for branch, (test, child) in enumerate(zip(tests, children, strict=True)):
            if branch != last:
                or_unknown = is_apart and branch == default
                found.append((f"({test} OR {which} IS NULL)" if or_unknown else test, child))
        if is_apart and default < 0:
            found.append((f"{which} IS NULL", None))
        return last, found

    def tests(self, number: int) -> tuple[list[str], str]:
        """Return the condition of each branch, and the expression for the branch, or NULL."""
        split = self.arrays.split[number]
        assert split is not None
        tests = split.in_sql(self.dialect, self.tree.attributes[split.column])
        asked = [_case(tests)]
        for surrogate in self.arrays.surrogates[number]:
            split = surrogate.split
            stand_in = split.in_sql(self.dialect, self.tree.attributes[split.column])
            asked.append(_case(stand_in[::-1] if surrogate.flipped else stand_in))
        if len(asked) == 1:
            return tests, asked[0]
        which = f"COALESCE({', '.join(asked)})"
        return [f"{which} = {branch}" for branch in range(len(tests))], which

    def answer(self, number: int) -> str:
        label, classes = self.arrays.label[number].item(), self.tree.classes
        return self.dialect.literal(label if classes is None else classes[label])


def _whole(number):
    """Return a number of a column without a point if it has nothing behind it."""
    is_whole = isinstance(number, float) and number.is_integer() and abs(number) < 1e16
    return int(number) if is_whole else number


def _number(number):
    """Return a number as it is written in SQL.

    Without an exponent it is a decimal number, and more than 15 digits of one may become another
    double than Python's.
    """
    said = repr(number)
    is_long = isinstance(number, float) and sum(map(str.isdigit, said)) > 15
    return f"{said}E0" if is_long and "e" not in said else said


def _case(tests):
    """Return which of some conditions holds: its place, or NULL."""
    return f"CASE {' '.join(f'WHEN {test} THEN {i}' for i, test in enumerate(tests))} END"

"""A tree as an SQL expression, in the dialects of databases.

It says what the tree says, blanks, values never seen, surrogates and defaults included. The tests
write their conditions themselves: `dtreebook.tree.splits.Split.in_sql`.
"""

from typing import NamedTuple

import numpy as np

from dtreebook.tree.code import no_literal, plain, refuse_nul
from dtreebook.tree.tree import Fitted, Tree, tree_of

# Databases take so many conditions in a row; SQLite, one thousand.
_DEPTH = 900


def to_sql(tree: Tree | Fitted, dialect: str = "ansi") -> str:
    """Return the tree as an SQL expression, to be selected from a table with its columns.

    As in a list of rules, the first line that holds gives the answer. An unknown value is NULL. The
    exponent of a long number, ``E0``, makes it a double: without it, it is decimal.

    Raises ValueError if there is no such dialect, the tree is too deep for databases, a label holds
    a character that no SQL text can hold, or cases are to go down every branch in parts.

    Parameters
    ----------
    dialect : how names and text are quoted: "ansi" (SQLite, PostgreSQL, DuckDB and most others),
        "mysql" or "sqlserver".

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
    if dialect not in _DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(_DIALECTS)}, not {dialect!r}")
    if tree.fractional:
        raise ValueError(
            "this tree sends a case of unknown value down every branch in parts, which SQL cannot "
            "say in few words. Where every value is known, dataclasses.replace(tree, "
            "fractional=False) says the same; else use to_python, to_js or to_c"
        )
    if tree.depth > _DEPTH:
        raise ValueError(
            f"the tree asks {tree.depth} questions on a path, and databases take at most "
            f"{_DEPTH}: limit its depth, prune it, or use to_python, to_js or to_c"
        )
    *lines, (_, otherwise) = _lines(tree, _DIALECTS[dialect])
    if not lines:
        return otherwise
    cases = [f"  WHEN {' AND '.join(tests)} THEN {said}" for tests, said in lines]
    return "\n".join(["CASE", *cases, f"  ELSE {otherwise}", "END"])


# --- dialects -------------------------------------------------------------------------------------


class _Dialect(NamedTuple):
    """How a database quotes a name, begins text, and whether a backslash in text is special."""

    opening: str
    closing: str
    text: str = "'"
    backslash: bool = False
    truth: tuple[str, str] = ("FALSE", "TRUE")

    def name(self, name: str) -> str:
        refuse_nul("SQL", name)
        return self.opening + name.replace(self.closing, 2 * self.closing) + self.closing

    def literal(self, label: object) -> str:
        label = plain(label)
        if isinstance(label, bool):
            return self.truth[label]
        if isinstance(label, bytes | tuple) or label in (np.inf, -np.inf):
            raise no_literal(label)
        if isinstance(label, int | float):
            return _number(label)
        refuse_nul("SQL", str(label))
        said = str(label).replace("'", "''")
        return self.text + (said.replace("\\", 2 * "\\") if self.backslash else said) + "'"


_DIALECTS = {
    "ansi": _Dialect('"', '"'),
    "mysql": _Dialect("`", "`", backslash=True),
    "sqlserver": _Dialect("[", "]", "N'", truth=("0", "1")),
}


# --- the expression -------------------------------------------------------------------------------


def _lines(tree, dialect):
    """Yield the conditions under which a node gives the answer, and the answer; the last has none.

    As in a list of rules the first line that holds is taken, so the branch that also takes unknown
    values comes last and needs no condition.
    """
    arrays, classes, stack = tree.arrays, tree.classes, [(0, (), False)]
    while stack:
        number, conditions, only_answer = stack.pop()
        split, default = arrays.split[number], int(arrays.default[number])
        if split is None or only_answer:
            label = arrays.label[number].item()
            yield conditions, dialect.literal(label if classes is None else classes[label])
            continue
        children = list(arrays.children(number))
        last = (number, conditions, True) if default < 0 else (children[default], conditions, False)
        tests = _branches(tree, dialect, number)
        others = [
            (child, (*conditions, test), False)
            for branch, (child, test) in enumerate(zip(children, tests, strict=True))
            if branch != default
        ]
        stack += [last, *reversed(others)]


def _branches(tree, dialect, number):
    """Return for each branch of a node the condition that the test or a surrogate leads there."""

    def conditions(split):
        return split.in_sql(dialect, tree.attributes[split.column])

    tests = conditions(tree.arrays.split[number])
    surrogates = tree.arrays.surrogates[number]
    if not surrogates:
        return tests
    asked = [_case(tests)]
    for surrogate in surrogates:
        stand_in = conditions(surrogate.split)
        asked.append(_case(stand_in[::-1] if surrogate.flipped else stand_in))
    return [f"COALESCE({', '.join(asked)}) = {branch}" for branch in range(len(tests))]


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

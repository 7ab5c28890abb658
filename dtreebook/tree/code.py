"""A tree for other programs: in Python, JavaScript, C, as an SQL expression, or as a drawing.

Each program says what the tree says, blanks, values never seen, surrogates and defaults included.
Except in SQL it is made of functions: deep trees are divided into several, and where cases go down
every branch in parts, each node with a test has its own. Graphviz and Mermaid draw.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from dtreebook.tree.splits import Split, Threshold
from dtreebook.tree.text import leaf_words
from dtreebook.tree.tree import Fitted, Tree, tree_of
from dtreebook.tree.words import printable

# A function holds so many tests one in another; what is deeper goes into another function.
_NESTED = 12

# Databases take so many conditions in a row; SQLite, one thousand.
_SQL_DEPTH = 900


def to_python(tree: Tree | Fitted) -> str:
    """Return the tree as a Python function of a mapping from names to values.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> from dtreebook.datasets import load_loan
    >>> model = CARTClassifier(max_depth=1).fit(*load_loan(return_X_y=True))
    >>> program = {}
    >>> exec(to_python(model.tree_), program)
    >>> program["predict"]({"house": "yes"}), program["predict"]({"house": None})
    ('yes', 'no')
    """
    return _Python(tree_of(tree)).program()


def to_js(tree: Tree | Fitted) -> str:
    """Return the tree as a JavaScript function of an object with the names as its keys.

    Raises
    ------
    ValueError
        If a level or a class is an integer that JavaScript cannot tell from its neighbours.

    Examples
    --------
    >>> from dtreebook import CARTRegressor
    >>> tree = CARTRegressor().fit([[1], [2]], [5.0, 7.0]).tree_
    >>> print(to_js(tree)[to_js(tree).index("function predict"):])
    function predict(row) {
      let branch;
      branch = cut(row["x0"], 1.5, 0, 1);
      if (branch < 0) {
        return 6.0;
      }
      if (branch === 0) {
        return 5.0;
      }
      return 7.0;
    }
    <BLANKLINE>
    """
    return _JavaScript(tree_of(tree)).program()


def to_c(tree: Tree | Fitted) -> str:
    """Return the tree as a C function of an array of doubles, one for each column.

    A nominal or ordered value is given as the place of its level, which a comment lists; an unknown
    value is NAN. The function returns the place of the class in ``classes``, or a number.

    Examples
    --------
    >>> from dtreebook import CARTRegressor
    >>> tree = CARTRegressor().fit([[1], [2]], [5.0, 7.0]).tree_
    >>> print(to_c(tree)[to_c(tree).index("double predict"):][:84])
    double predict(const double *row) {
      int branch;
      branch = cut(row[0], 1.5, 0, 1);
    """
    return _C(tree_of(tree)).program()


def to_sql(tree: Tree | Fitted, dialect: str = "ansi") -> str:
    """Return the tree as an SQL expression, to be selected from a table with its columns.

    As in a list of rules, the first line that holds gives the answer. An unknown value is NULL. The
    exponent of a long number, ``E0``, makes it a double: without it, it is decimal.

    Parameters
    ----------
    dialect : how names and text are quoted: "ansi" (SQLite, PostgreSQL, DuckDB and most others),
        "mysql" or "sqlserver".

    Raises
    ------
    ValueError
        If there is no such dialect, the tree is too deep for databases, a label holds a character
        that no SQL text can hold, or cases are to go down every branch in parts.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> from dtreebook.datasets import load_loan
    >>> model = CARTClassifier(max_depth=1).fit(*load_loan(return_X_y=True))
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
    if tree.depth > _SQL_DEPTH:
        raise ValueError(
            f"the tree asks {tree.depth} questions on a path, and databases take at most "
            f"{_SQL_DEPTH}: limit its depth, prune it, or use to_python, to_js or to_c"
        )
    *lines, (_, otherwise) = _sql_lines(tree, _DIALECTS[dialect])
    if not lines:
        return otherwise
    cases = [f"  WHEN {' AND '.join(tests)} THEN {said}" for tests, said in lines]
    return "\n".join(["CASE", *cases, f"  ELSE {otherwise}", "END"])


# --- programs ------------------------------------------------------------------------------------


class _Program:
    """A tree as functions: what is the same in all languages.

    Of most trees every function returns an answer. Where cases go down every branch in parts, each
    function adds what its leaves say, times the weight of the part, to an array of class shares.
    """

    indent, stop, end = "  ", ";", "}"
    if_unknown, if_branch = "if (branch < 0) {{", "if (branch === {}) {{"
    declare = "let branch;"
    define = "function {}({}) {{"
    arguments, part_arguments = "row", "row, weight, shares"

    # What each language has of its own:
    helpers: Any  # the functions that every program begins with
    largest_share: Any  # the function that makes an answer of the shares of the classes
    value: Any  # of a column: the expression for its value
    literal: Any  # of a label: a level or a class as it is written
    look_up: Any  # of a value, levels and the branch of each: the expression for the branch

    def __init__(self, tree: Tree):
        self.tree, self.arrays = tree, tree.arrays
        self.classes = () if tree.classes is None else tree.classes
        self.waiting: list[int] = []  # the nodes that are to become functions

    def program(self) -> str:
        self.waiting = [0]
        functions = []
        for number in self.waiting:  # the list grows on the way
            write = self.parts if self.tree.fractional else self.node
            functions.append(self.function(number, write(number)))
        functions.reverse()  # what is called comes before what calls it
        if self.tree.fractional:
            functions.append(self.largest_share())
        return "\n\n".join([*self.helpers(), *functions]) + "\n"

    def function(self, number: int, body: list[str]) -> str:
        arguments = self.part_arguments if self.tree.fractional else self.arguments
        declare = [self.indent + self.declare] if self.declare and self.arrays.split[number] else []
        head = self.define.format(self.name(number), arguments)
        return "\n".join([head, *declare, *body, *([self.end] if self.end else [])])

    def name(self, number: int) -> str:
        return f"node{number}" if number or self.tree.fractional else "predict"

    def node(self, number: int, depth: int = 0) -> list[str]:
        """Return the lines that tell a node and what is below it."""
        if self.arrays.split[number] is None:
            return [f"{self.indent}return {self.answer(number)}{self.stop}"]
        if depth == _NESTED:
            self.waiting.append(number)
            return [f"{self.indent}return {self.name(number)}(row){self.stop}"]
        lines = [f"{self.indent}branch = {self.branch(number)}{self.stop}"]
        if self.arrays.default[number] < 0:
            lines += self.block(
                self.if_unknown.format(), [f"return {self.answer(number)}{self.stop}"]
            )
        *others, last = self.arrays.children(number)
        for branch, child in enumerate(others):
            below = [line.removeprefix(self.indent) for line in self.node(child, depth + 1)]
            lines += self.block(self.if_branch.format(branch), below)
        return lines + self.node(last, depth + 1)

    def parts(self, number: int) -> list[str]:
        """Return the lines that send a part of a case on from a node."""
        if self.arrays.split[number] is None:
            return [self.indent + line for line in self.part(number, "weight")]
        lines = [f"{self.indent}branch = {self.branch(number)}{self.stop}"]
        children = np.array(self.arrays.children(number))
        size = self.arrays.counts[children].sum(axis=1)
        every = []
        for child, share in zip(children.tolist(), (size / size.sum()).tolist(), strict=True):
            every += self.part(child, f"weight * {share!r}") if share else []
            if self.arrays.split[child] is not None:
                self.waiting.append(child)
        lines += self.block(self.if_unknown.format(), every)
        for branch, child in enumerate(children.tolist()):
            lines += self.block(self.if_branch.format(branch), self.part(child, "weight"))
        return lines

    def part(self, number: int, weight: str) -> list[str]:
        if self.arrays.split[number] is not None:
            return [f"{self.name(number)}(row, {weight}, shares){self.stop}"]
        said = enumerate(self.arrays.leaf_shares[number].tolist())
        return [f"shares[{k}] += {weight} * {share!r}{self.stop}" for k, share in said if share]

    def block(self, head: str, body: list[str]) -> list[str]:
        """Return an indented block whose body is not indented yet."""
        lines = [head, *(self.indent + line for line in body), *([self.end] if self.end else [])]
        return [self.indent + line for line in lines]

    def branch(self, number: int) -> str:
        """Return the expression for the branch: the test, its surrogates, the default."""
        default = int(self.arrays.default[number])
        surrogates = self.arrays.surrogates[number]
        split = self.arrays.split[number]
        assert split is not None
        tests = [self.test(split, False)]
        tests += [self.test(surrogate.split, surrogate.flipped) for surrogate in surrogates]
        tests += [str(default)] if default >= 0 else []
        return tests[0] if len(tests) == 1 else self.first(tests)

    def first(self, tests: list[str]) -> str:
        """Return the expression for the first of some branches that is known."""
        return f"first({', '.join(tests)})"

    def answer(self, number: int) -> str:
        label = self.arrays.label[number].item()
        classes = self.tree.classes
        return repr(label) if classes is None else self.literal(classes[label])

    def test(self, split: Split, flipped: bool) -> str:
        attribute = self.tree.attributes[split.column]
        value = self.value(split.column)
        if isinstance(split, Threshold) and not attribute.levels:
            return f"cut({value}, {split.cut!r}, {'1, 0' if flipped else '0, 1'})"
        return self.look_up(value, attribute.levels, _branch_of(split, attribute, flipped))


class _Python(_Program):
    indent, stop, end = "    ", "", ""
    if_unknown, if_branch = "if branch is None:", "if branch == {}:"
    declare = ""
    define = "def {}({}):"

    def helpers(self):
        return [
            "def cut(value, at, below, above):\n"
            "    if value is None or value != value:  # NaN differs from itself\n"
            "        return None\n"
            "    return below if value <= at else above",
            "def first(*branches):\n"
            "    return next((branch for branch in branches if branch is not None), None)",
        ]

    def largest_share(self):
        classes = ", ".join(map(self.literal, self.classes))
        return (
            "def predict(row):\n"
            f"    shares = [0.0] * {len(self.classes)}\n"
            "    node0(row, 1.0, shares)\n"
            f"    return [{classes}][shares.index(max(shares))]"
        )

    def value(self, column):
        return f"row.get({self.tree.attributes[column].name!a})"

    def literal(self, label):
        return ascii(_plain(label))

    def look_up(self, value, levels, branch_of):
        known = zip(map(self.literal, levels), branch_of, strict=True)
        return f"{{{', '.join(f'{level}: {b}' for level, b in known if b >= 0)}}}.get({value})"


class _JavaScript(_Program):
    def helpers(self):
        return [
            "function cut(value, at, below, above) {\n"
            "  if (value === null || value === undefined || Number.isNaN(value)) return -1;\n"
            "  return value <= at ? below : above;\n"
            "}",
            "function group(value, ...groups) {\n"
            "  return groups.findIndex((levels) => levels.includes(value));\n"
            "}",
            "function first(...branches) {\n"
            "  return branches.find((branch) => branch >= 0) ?? -1;\n"
            "}",
        ]

    def largest_share(self):
        classes = ", ".join(map(self.literal, self.classes))
        return (
            "function predict(row) {\n"
            f"  const shares = new Array({len(self.classes)}).fill(0);\n"
            "  node0(row, 1, shares);\n"
            f"  return [{classes}][shares.indexOf(Math.max(...shares))];\n"
            "}"
        )

    def value(self, column):
        return f"row[{self.literal(self.tree.attributes[column].name)}]"

    def literal(self, label):
        label = _plain(label)
        if isinstance(label, int) and abs(label) > 2**53:
            raise ValueError(f"JavaScript cannot tell {label} from its neighbours: make it text")
        return json.dumps(label).replace("<", "\\u003c")  # so that no tag ends a script

    def look_up(self, value, levels, branch_of):
        groups = _groups(map(self.literal, levels), branch_of, max(branch_of) + 1)
        arrays = (f"[{', '.join(group)}]" for group in groups)
        return f"group({', '.join([value, *arrays])})"


class _C(_Program):
    if_branch = "if (branch == {}) {{"
    declare = "int branch;"

    def __init__(self, tree):
        super().__init__(tree)
        kind = "static void" if tree.fractional else "double" if tree.is_regression else "int"
        self.define = kind + " {}({}) {{"
        self.arguments = "const double *row"
        self.part_arguments = "const double *row, double weight, double *shares"
        self.tables = []

    def program(self):
        functions = super().program()
        return "\n\n".join([self.head(), *self.tables, functions])

    def head(self):
        lines = ["#include <math.h>", "", "// The columns of a row:"]
        for i, attribute in enumerate(self.tree.attributes):
            levels = (f"{k} {_c(level)}" for k, level in enumerate(attribute.levels))
            said = ", ".join(levels) if attribute.levels else "a number"
            lines.append(f"// row[{i}] {_c(attribute.name)}: {said}")
        if self.tree.classes is not None:
            classes = ", ".join(map(_c, self.classes))
            lines += ["", f"const char *const classes[] = {{{classes}}};"]
        return "\n".join(lines)

    def helpers(self):
        return [
            "static inline int cut(double value, double at, int below, int above) {\n"
            "  return isnan(value) ? -1 : value <= at ? below : above;\n"
            "}",
            "static inline int look_up(double value, const int *branch_of, int levels) {\n"
            "  return value >= 0 && value < levels ? branch_of[(int)value] : -1;\n"
            "}",
            "static inline int first(int branch, int other) {\n"
            "  return branch < 0 ? other : branch;\n"
            "}",
        ]

    def largest_share(self):
        n = len(self.classes)
        return (
            "int predict(const double *row) {\n"
            f"  double shares[{n}] = {{0}};\n"
            "  int most = 0;\n"
            "  node0(row, 1, shares);\n"
            f"  for (int k = 1; k < {n}; k++) {{\n"
            "    if (shares[k] > shares[most]) most = k;\n"
            "  }\n"
            "  return most;\n"
            "}"
        )

    def value(self, column):
        return f"row[{column}]"

    def answer(self, number):
        return repr(self.arrays.label[number].item())

    def first(self, tests):
        *others, last = tests
        for test in reversed(others):
            last = f"first({test}, {last})"
        return last

    def look_up(self, value, levels, branch_of):
        name = f"branch_of{len(self.tables)}"
        entries = ", ".join(map(str, branch_of))
        self.tables.append(f"static const int {name}[] = {{{entries}}};")
        return f"look_up({value}, {name}, {len(branch_of)})"


def _branch_of(split, attribute, flipped):
    """Return the branch of each level of an attribute, -1 where the test knows none."""
    branch = split.branch(np.arange(len(attribute.levels)))
    return np.where(flipped & (branch >= 0), 1 - branch, branch).tolist()


def _groups(levels, branch_of, n_branches):
    """Return the levels, as they are written, of each branch."""
    groups = [[] for _ in range(n_branches)]
    for level, branch in zip(levels, branch_of, strict=True):
        if branch >= 0:
            groups[branch].append(level)
    return groups


def _plain(label):
    return label.item() if isinstance(label, np.generic) else label


def _c(label):
    """Return a label as C text: signs beyond ASCII, and those that C might take amiss, as bytes."""
    harmless = set(range(32, 127)) - set(b'"\\\\?')
    signs = (chr(b) if b in harmless else f"\\{b:03o}" for b in str(label).encode())
    return f'"{"".join(signs)}"'


# --- SQL -----------------------------------------------------------------------------------------


class _Dialect(NamedTuple):
    """How a database quotes a name, begins text, and whether a backslash in text is special."""

    opening: str
    closing: str
    text: str = "'"
    backslash: bool = False
    truth: tuple[str, str] = ("FALSE", "TRUE")

    def name(self, name: str) -> str:
        _refuse_nul(name)
        return self.opening + name.replace(self.closing, 2 * self.closing) + self.closing

    def literal(self, label: object) -> str:
        label = _plain(label)
        if isinstance(label, bool):
            return self.truth[label]
        if isinstance(label, int | float):
            return _sql_number(label)
        _refuse_nul(str(label))
        said = str(label).replace("'", "''")
        return self.text + (said.replace("\\", 2 * "\\") if self.backslash else said) + "'"


_DIALECTS = {
    "ansi": _Dialect('"', '"'),
    "mysql": _Dialect("`", "`", backslash=True),
    "sqlserver": _Dialect("[", "]", "N'", truth=("0", "1")),
}


def _refuse_nul(text):
    if "\0" in text:
        raise ValueError(f"SQL has no text with the character 0, as in {text[:50]!r}: rename it")


def _sql_lines(tree, dialect):
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
        tests = _sql_branches(tree, dialect, number)
        others = [
            (child, (*conditions, test), False)
            for branch, (child, test) in enumerate(zip(children, tests, strict=True))
            if branch != default
        ]
        stack += [last, *reversed(others)]


def _sql_branches(tree, dialect, number):
    """Return for each branch of a node the condition that the test or a surrogate leads there."""
    tests = _sql_tests(tree, dialect, tree.arrays.split[number])
    surrogates = tree.arrays.surrogates[number]
    if not surrogates:
        return tests
    asked = [_sql_case(tests)]
    for surrogate in surrogates:
        stand_in = _sql_tests(tree, dialect, surrogate.split)
        asked.append(_sql_case(stand_in[::-1] if surrogate.flipped else stand_in))
    return [f"COALESCE({', '.join(asked)}) = {branch}" for branch in range(len(tests))]


def _sql_number(number):
    """Return a number as it is written in SQL.

    Without an exponent it is a decimal number, and more than 15 digits of one may become another
    double than Python's.
    """
    said = repr(number)
    is_long = isinstance(number, float) and sum(map(str.isdigit, said)) > 15
    return f"{said}E0" if is_long and "e" not in said else said


def _sql_tests(tree, dialect, split):
    """Return the conditions of the branches; each is NULL or false where the value is unknown."""
    attribute = tree.attributes[split.column]
    name = dialect.name(attribute.name)
    if isinstance(split, Threshold) and not attribute.levels:
        cut = _sql_number(split.cut)
        return [f"{name} <= {cut}", f"{name} > {cut}"]
    branch_of, levels = _branch_of(split, attribute, False), map(dialect.literal, attribute.levels)
    groups = _groups(levels, branch_of, split.branches(attribute))
    # An empty list is no SQL; of an ordered attribute, a side may be empty.
    return [
        f"{name} = {of[0]}" if len(of) == 1 else f"{name} IN ({', '.join(of)})" if of else "1 = 0"
        for of in groups
    ]


def _sql_case(tests):
    """Return which of some conditions holds: its place, or NULL."""
    return f"CASE {' '.join(f'WHEN {test} THEN {i}' for i, test in enumerate(tests))} END"


# --- drawings -------------------------------------------------------------------------------------


def to_dot(tree: Tree | Fitted) -> str:
    """Return the tree in the language of Graphviz.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> from dtreebook.datasets import load_loan
    >>> model = CARTClassifier(max_depth=1).fit(*load_loan(return_X_y=True))
    >>> print(to_dot(model.tree_))
    digraph tree {
      node [shape=box]
      n0 [label="house"]
      n0 -> n1 [label="= no"]
      n0 -> n2 [label="= yes"]
      n1 [label="no (9.0/3.0)", style=rounded]
      n2 [label="yes (6.0)", style=rounded]
    }
    """
    tree = tree_of(tree)
    lines = ["digraph tree {", "  node [shape=box]"]
    for number, words, branches in _nodes(tree):
        style = "" if branches else ", style=rounded"
        lines.append(f"  n{number} [label={_quoted(words)}{style}]")
        lines += [f"  n{number} -> n{child} [label={_quoted(word)}]" for child, word in branches]
    return "\n".join([*lines, "}"])


def to_mermaid(tree: Tree | Fitted) -> str:
    """Return the tree in the language of Mermaid, which many pages and editors draw.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> from dtreebook.datasets import load_loan
    >>> model = CARTClassifier(max_depth=1).fit(*load_loan(return_X_y=True))
    >>> print(to_mermaid(model.tree_))
    flowchart TD
      n0["house"]
      n0 -->|"= no"| n1
      n0 -->|"= yes"| n2
      n1(["no (9.0/3.0)"])
      n2(["yes (6.0)"])
    """
    tree = tree_of(tree)
    lines = ["flowchart TD"]
    for number, words, branches in _nodes(tree):
        corners = "[]" if branches else ("([", "])")
        lines.append(f'  n{number}{corners[0]}"{_entities(words)}"{corners[1]}')
        lines += [f'  n{number} -->|"{_entities(word)}"| n{child}' for child, word in branches]
    return "\n".join(lines)


def _nodes(tree: Tree) -> Iterator[tuple[int, str, list[tuple[int, str]]]]:
    """Yield each node's number, its words, and a pair (number, words) for each of its branches."""
    for number, split in enumerate(tree.arrays.split):
        if split is None:
            yield number, leaf_words(tree, number), []
            continue
        attribute = tree.attributes[split.column]
        name = printable(attribute.name)
        words = [word.removeprefix(f"{name} ") for word in split.words(attribute)]
        yield number, name, list(zip(tree.arrays.children(number), words, strict=True))


def _quoted(words):
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _entities(words):
    """Return words as Mermaid wants them: a few signs by their numbers."""
    return "".join(f"#{ord(sign)};" if sign in '"#<>&`%' else sign for sign in words)

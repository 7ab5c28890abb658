"""A tree as a program in Python, JavaScript or C, and as a drawing.

Each program says what the tree says, blanks, values never seen, surrogates and defaults included.
It is made of functions, which begin and end as `languages.json` says: deep trees are divided into
several, and where cases go down every branch in parts, each node with a test has its own. The tests
write themselves: `dtreebook.tree.splits.Split.in_program`. A tree in SQL stands in
`dtreebook.tree.sql`.
"""

import json
from abc import ABC, abstractmethod
from ast import literal_eval
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

import numpy as np

from dtreebook.data.words import printable
from dtreebook.measures import TIE
from dtreebook.tree.splits import Split, by_branch
from dtreebook.tree.text import leaf_words
from dtreebook.tree.tree import Fitted, Tree, tree_of

# A function holds so many tests one in another; what is deeper goes into another function.
_NESTED = 12


def to_python(tree: Tree | Fitted) -> str:
    """Return the tree as a Python function of a mapping from names to values.

    Examples
    --------
    >>> from dtreebook import CARTClassifier, datasets
    >>> model = CARTClassifier(max_depth=1).fit(*datasets.load_loan(return_X_y=True))
    >>> program = {}
    >>> exec(to_python(model.tree_), program)
    >>> program["predict"]({"house": "yes"}), program["predict"]({"house": None})
    ('yes', 'no')
    """
    return _Python(tree_of(tree)).program()


def to_js(tree: Tree | Fitted) -> str:
    """Return the tree as a JavaScript function of an object with the names as its keys.

    Raises ValueError if a level or a class is an integer that JavaScript cannot tell from its
    neighbours.

    Examples
    --------
    >>> from dtreebook import CARTRegressor
    >>> tree = CARTRegressor().fit([[1], [2]], [5.0, 7.0]).tree_
    >>> print(to_js(tree)[to_js(tree).index("function predict"):][:75])
    function predict(row) {
      let branch;
      branch = cut(row["x0"], 1.5, 0, 1);
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


# --- programs ------------------------------------------------------------------------------------


@cache
def _languages() -> dict[str, dict[str, Any]]:
    """Return how each language says what all programs say.

    Every program begins with the functions of ``helpers``. That of ``largest`` answers with the one
    of $n $classes that has the largest share; of those that differ by rounding, $nearly, with the
    first.
    """
    return json.loads(files(__package__).joinpath("languages.json").read_text("utf-8"))


class _Program(ABC):
    """A tree as functions: what is the same in all languages.

    Of most trees every function returns an answer. Where cases go down every branch in parts, each
    function adds what its leaves say, times the weight of the part, to an array of class shares.
    """

    language: str  #: its name among the `_languages`

    def __init__(self, tree: Tree):
        self.tree, self.arrays, self.says = tree, tree.arrays, _languages()[self.language]
        self.indent, self.stop, self.end = (self.says[word] for word in ("indent", "stop", "end"))
        self.classes = () if tree.classes is None else tree.classes
        self.waiting = [0]  # the nodes that are to become functions

    @abstractmethod
    def value(self, column: int) -> str:
        """Return the expression for the value of a column."""

    @abstractmethod
    def literal(self, label: object) -> str:
        """Return a level or a class as it is written."""

    @abstractmethod
    def look_up(self, value: str, levels: tuple, branch_of: list[int]) -> str:
        """Return the expression for the branch of a value, given those of all levels."""

    def program(self) -> str:
        functions = [self.function(number) for number in self.waiting]  # which grow on the way
        functions.append("\n".join(self.says["helpers"]))
        functions.reverse()  # what is called comes before what calls it
        if self.tree.fractional:
            classes = ", ".join(map(self.literal, self.classes))
            said = {"n": len(self.classes), "classes": classes, "nearly": repr(1 - TIE)}
            functions.append(Template("\n".join(self.says["largest"])).substitute(said))
        return "\n\n".join(functions) + "\n"

    def function(self, number: int) -> str:
        in_parts, has_test = self.tree.fractional, self.arrays.split[number] is not None
        given = self.says["part_arguments" if in_parts else "arguments"]
        kind = "static void" if in_parts else "double" if self.tree.is_regression else "int"
        head = self.says["define"].format(kind=kind, name=self.name(number), given=given)
        body = self.parts(number) if in_parts else self.node(number)
        return "\n".join(self.block(head, self.says["declare"] * has_test + body))

    def name(self, number: int) -> str:
        return f"node{number}" if number or self.tree.fractional else "predict"

    def block(self, head: str, body: list[str]) -> list[str]:
        return [head, *(self.indent + line for line in body), *self.end]

    def node(self, number: int, depth: int = 0) -> list[str]:
        """Return the lines that tell a node and what is below it."""
        answer = [f"return {self.answer(number)}{self.stop}"]
        if self.arrays.split[number] is None:
            return answer
        if depth == _NESTED:
            self.waiting.append(number)
            return [f"return {self.name(number)}(row){self.stop}"]
        lines = [self.branch(number)]
        if self.arrays.default[number] < 0:
            lines += self.block(self.says["if_unknown"], answer)
        *others, last = self.arrays.children(number)
        for branch, child in enumerate(others):
            lines += self.block(self.says["if_branch"].format(branch), self.node(child, depth + 1))
        return lines + self.node(last, depth + 1)

    def parts(self, number: int) -> list[str]:
        """Return the lines that send a part of a case on from a node."""
        if self.arrays.split[number] is None:
            return self.part(number, "weight")
        children = list(self.arrays.children(number))
        self.waiting += [child for child in children if self.arrays.split[child] is not None]
        every, shares = [], self.arrays.children_shares(number).tolist()
        for child, share in zip(children, shares, strict=True):
            every += self.part(child, f"weight * {share!r}") if share else []
        lines = [self.branch(number), *self.block(self.says["if_unknown"], every)]
        for branch, child in enumerate(children):
            lines += self.block(self.says["if_branch"].format(branch), self.part(child, "weight"))
        return lines

    def part(self, number: int, weight: str) -> list[str]:
        if self.arrays.split[number] is not None:
            return [f"{self.name(number)}(row, {weight}, shares){self.stop}"]
        said = enumerate(self.arrays.leaf_shares[number].tolist())
        return [f"shares[{k}] += {weight} * {share!r}{self.stop}" for k, share in said if share]

    def branch(self, number: int) -> str:
        """Return the line that finds the branch: by the test, its surrogates, the default."""
        split, default = self.arrays.split[number], int(self.arrays.default[number])
        assert split is not None
        tests = [self.test(split, False)]
        tests += [self.test(one.split, one.flipped) for one in self.arrays.surrogates[number]]
        tests += [str(default)] if default >= 0 else []
        return f"branch = {self.first(tests) if len(tests) > 1 else tests[0]}{self.stop}"

    def first(self, tests: list[str]) -> str:
        """Return the expression for the first of some branches that is known."""
        return f"first({', '.join(tests)})"

    def answer(self, number: int) -> str:
        label = self.arrays.label[number].item()
        classes = self.tree.classes
        return repr(label) if classes is None else self.literal(classes[label])

    def test(self, split: Split, flipped: bool) -> str:
        return split.in_program(self, self.tree.attributes[split.column], flipped)


class _Python(_Program):
    language = "Python"

    def value(self, column):
        return f"row.get({self.tree.attributes[column].name!a})"

    def literal(self, label):
        said = ascii(plain(label))
        try:
            literal_eval(said)
        except (ValueError, SyntaxError) as error:
            raise no_literal(label) from error
        return said

    def look_up(self, value, levels, branch_of):
        known = zip(map(self.literal, levels), branch_of, strict=True)
        return f"{{{', '.join(f'{level}: {b}' for level, b in known if b >= 0)}}}.get({value})"


class _JavaScript(_Program):
    language = "JavaScript"

    def value(self, column):
        return f"row[{self.literal(self.tree.attributes[column].name)}]"

    def literal(self, label):
        label = plain(label)
        if not isinstance(label, str | int | float):
            raise no_literal(label)
        if isinstance(label, int) and abs(label) > 2**53:
            raise ValueError(f"JavaScript cannot tell {label} from its neighbours: make it text")
        return json.dumps(label).replace("<", "\\u003c")  # so that no tag ends a script

    def look_up(self, value, levels, branch_of):
        groups = by_branch(map(self.literal, levels), branch_of, max(branch_of) + 1)
        arrays = (f"[{', '.join(group)}]" for group in groups)
        return f"group({', '.join([value, *arrays])})"


class _C(_Program):
    language = "C"

    def __init__(self, tree):
        super().__init__(tree)
        self.tables = []

    def program(self):
        functions = super().program()
        return "\n\n".join([self.head(), *self.tables, functions])

    def head(self):
        lines = ["#include <math.h>", "", "// The columns of a row:"]
        for i, attribute in enumerate(self.tree.attributes):
            levels = (f"{k} {self.literal(level)}" for k, level in enumerate(attribute.levels))
            said = ", ".join(levels) if attribute.levels else "a number"
            lines.append(f"// row[{i}] {self.literal(attribute.name)}: {said}")
        if self.tree.classes is not None:
            refuse_nul("C", *map(str, self.classes))  # it would end there
            classes = ", ".join(map(self.literal, self.classes))
            lines += ["", f"const char *const classes[] = {{{classes}}};"]
        return "\n".join(lines)

    def value(self, column):
        return f"row[{column}]"

    def literal(self, label):
        # Signs beyond ASCII, and those that C might take amiss, are written as bytes.
        harmless = set(range(32, 127)) - set(b'"\\?')
        signs = (chr(b) if b in harmless else f"\\{b:03o}" for b in str(label).encode())
        return f'"{"".join(signs)}"'

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


def plain(label: object) -> object:
    """Return a label as Python has it, whatever numpy makes of it."""
    return label.item() if isinstance(label, np.generic) else label


def no_literal(label: object) -> TypeError:
    """Return the error that says that no program can hold a label."""
    return TypeError(
        f"a program cannot hold {label!r}: turn such values into text before growing the tree"
    )


def refuse_nul(language: str, *texts: str) -> None:
    """Raise ValueError for text with the character 0, which a language cannot hold."""
    for text in texts:
        if "\0" in text:
            said = f"no text with the character 0, as in {text[:50]!r}: rename it"
            raise ValueError(f"{language} has {said}")


# --- a drawing ------------------------------------------------------------------------------------


def to_mermaid(tree: Tree | Fitted) -> str:
    """Return the tree in the language of Mermaid, which many pages and editors draw.

    Examples
    --------
    >>> from dtreebook import CARTClassifier, datasets
    >>> model = CARTClassifier(max_depth=1).fit(*datasets.load_loan(return_X_y=True))
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
    for number, split in enumerate(tree.arrays.split):
        if split is None:
            lines.append(f'  n{number}(["{_entities(leaf_words(tree, number))}"])')
            continue
        attribute = tree.attributes[split.column]
        name = printable(attribute.name)
        lines.append(f'  n{number}["{_entities(name)}"]')
        for words, child in zip(split.words(attribute), tree.arrays.children(number), strict=True):
            word = _entities(words.removeprefix(f"{name} "))
            lines.append(f'  n{number} -->|"{word}"| n{child}')
    return "\n".join(lines)


def _entities(words):
    """Return words as Mermaid wants them: a few signs by their numbers."""
    return "".join(f"#{ord(sign)};" if sign in '"#<>&`%' else sign for sign in words)

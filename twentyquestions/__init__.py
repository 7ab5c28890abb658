"""What only the book needs; here its own code: shown as it runs, never typed a second time."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, repr=False)
class Source:
    """Hold Python code for display; a notebook shows it by itself, coloured."""

    code: str

    def _repr_mimebundle_(self, include=None, exclude=None):
        names = re.findall(r"^(?:def|class) (\w+)", self.code, re.MULTILINE)
        return {
            "text/plain": f"The code of {', '.join(names)}",
            "text/markdown": f"```python\n{self.code}\n```",
        }

    def __repr__(self):
        return self.code


def source(*functions: Callable) -> Source:
    """Return the code of functions or classes as it runs, without the docstrings.

    Examples
    --------
    >>> from dtreebook.measures import conditional_entropy
    >>> source(conditional_entropy)
    def conditional_entropy(table: ArrayLike) -> np.ndarray:
        return expected_impurity(table, entropy)
    """
    return Source("\n\n\n".join(map(_bare, functions)))


def _bare(function):
    """Cut the docstrings out of the code, and leave all other lines as they stand."""
    code = textwrap.dedent(inspect.getsource(function))
    lines = code.splitlines()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            first, last = node.body[0].lineno - 1, node.body[0].end_lineno
            if last < len(lines) and not lines[last]:
                last += 1  # the empty line below it
            lines[first:last] = [None] * (last - first)
    return "\n".join(line for line in lines if line is not None)

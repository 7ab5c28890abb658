"""The package's code on a page: as it runs, without the docstrings, the same every time."""

import ast
import inspect

import pytest
from IPython.core.formatters import DisplayFormatter

from dtreebook import measures
from dtreebook.pages.source import source
from dtreebook.tree import tree


class Sample:
    """Say what it is.

    In two paragraphs.
    """

    kind = """not a docstring"""

    def double(self, x):
        """Double a number."""
        # why: a comment stays
        return 2 * x

    @property
    def silent(self):
        return "no docstring"


def test_docstrings_go_and_everything_else_stays():
    assert source(Sample).code.splitlines() == [
        "class Sample:",
        '    kind = """not a docstring"""',
        "",
        "    def double(self, x):",
        "        # why: a comment stays",
        "        return 2 * x",
        "",
        "    @property",
        "    def silent(self):",
        '        return "no docstring"',
    ]
    method = "def double(self, x):\n    # why: a comment stays\n    return 2 * x"
    assert source(Sample.double).code == method


def test_what_is_shown_is_what_runs():
    for thing in [measures.entropy, measures.gain_ratio, tree.Node, tree.Tree]:
        shown, real = (ast.parse(text) for text in (source(thing).code, inspect.getsource(thing)))
        for node in ast.walk(real):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
                del node.body[0]
        assert ast.dump(shown) == ast.dump(real)


def test_several_functions_stand_below_one_another():
    both = source(measures.information_gain, measures.gain)
    one, two = (source(f).code for f in (measures.information_gain, measures.gain))
    assert both.code == f"{one}\n\n\n{two}"


def test_a_notebook_shows_coloured_code_and_plain_text():
    shown, _ = DisplayFormatter().format(source(measures.entropy))
    assert set(shown) == {"text/plain", "text/markdown"}
    assert shown["text/plain"] == source(measures.entropy).code
    assert shown["text/markdown"] == f"```python\n{shown['text/plain']}\n```"


def test_what_has_no_python_code_is_refused():
    with pytest.raises(TypeError):
        source(len)

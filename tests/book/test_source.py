"""The package's code on a page: as it runs, without the docstrings, the same every time."""

import ast
import inspect

import pytest
from IPython.core.formatters import DisplayFormatter

from dtreebook import measures
from dtreebook.tree import tree
from twentyquestions import source


class Sample:
    """Say what it is.

    In two paragraphs.
    """

    kind = """not a docstring"""

    def double(self, x):
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


@pytest.mark.parametrize("thing", [measures.entropy, measures.gain_ratio, tree.Node, tree.Tree])
def test_what_is_shown_is_what_runs_coloured_in_a_notebook(thing):
    shown, real = (ast.parse(text) for text in (source(thing).code, inspect.getsource(thing)))
    for node in ast.walk(real):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node):
            del node.body[0]
    assert ast.dump(shown) == ast.dump(real)
    code = source(thing).code
    formats, _ = DisplayFormatter().format(source(thing))
    assert formats["text/markdown"] == f"```python\n{code}\n```"
    assert formats["text/plain"] == f"The code of {thing.__name__}"


def test_functions_stand_below_one_another_and_what_has_no_python_code_is_refused():
    one, two = (source(f).code for f in (measures.information_gain, measures.gain))
    assert source(measures.information_gain, measures.gain).code == f"{one}\n\n\n{two}"
    with pytest.raises(TypeError):
        source(len)

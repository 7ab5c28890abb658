"""Count how much of the algorithms' code the chapters show, with words beside it.

Counted are the lines of code of the modules in `ALGORITHMS`, without docstrings, comments, empty
lines and imports. A line is shown if a cell of a chapter prints it with `source(...)`, in a section
that has at least as many words of prose as it shows lines. What a cell prints is read from its
code, so that the build runs nothing; the functions are asked for where they begin and end.
"""

import ast
import importlib
import inspect
import io
import re
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path

import nbformat
from chapter_times import is_chapter, table
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

import dtreebook

PACKAGE = Path(dtreebook.__file__).parent
ALGORITHMS = (
    "measures.py", "plain.py", "optimal.py", "grow/*.py", "prune/*.py", "rules.py",
    "tree/arrays.py", "tree/splits.py", "tree/routing.py", "tree/fractions.py",
)  # fmt: skip
LAYOUT = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
}  # fmt: skip
FENCE = re.compile(r"^(`{3,}|:{3,}|\$\$).*?^\1", re.MULTILINE | re.DOTALL)


def code_lines(text):
    """Return the numbers of the lines of code: no docstrings, comments, empty lines, imports.

    >>> sorted(code_lines('import os\\n\\ndef f():\\n    "Say."\\n    # why\\n    return 1\\n'))
    [3, 6]
    """
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            lines |= set(range(token.start[0], token.end[0] + 1))
    every = list(ast.walk(ast.parse(text)))
    with_body = (n for n in every if isinstance(n, ast.Module | ast.FunctionDef | ast.ClassDef))
    others = [n.body[0] for n in with_body if ast.get_docstring(n) is not None]
    others += [n for n in every if isinstance(n, ast.Import | ast.ImportFrom)]
    for node in others:
        lines -= set(range(node.lineno, node.end_lineno + 1))
    return lines


@cache
def algorithms():
    """Return the lines of code of the algorithms: {file: set of numbers}."""
    files = (path for pattern in ALGORITHMS for path in sorted(PACKAGE.glob(pattern)))
    found = {path: code_lines(path.read_text("utf-8")) for path in files}
    return {path: lines for path, lines in found.items() if lines}


def listings(cell, names):
    """Yield what the calls of `source` in a cell print: objects; its imports are added to `names`.

    A function that is not imported from the package is an error, as it could not be counted.
    """
    tree = ast.parse(re.sub(r"^\s*[%!].*", "", cell, flags=re.MULTILINE))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("dtreebook"):
            for alias in node.names:
                names[alias.asname or alias.name] = node.module, alias.name
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "source":
            for argument in node.args:
                yield _named(ast.unparse(argument), names)


def _named(path, names):
    root, *rest = path.split(".")
    if root not in names:
        raise LookupError(f"source({path}): import {root} from the package by `from ... import`")
    module, name = names[root]
    try:
        found = importlib.import_module(f"{module}.{name}")
    except ModuleNotFoundError:
        found = getattr(importlib.import_module(module), name)
    for attribute in rest:
        found = getattr(found, attribute)
    return found


def sections(notebook):
    """Yield what each section of a chapter shows, and its words: (list of objects, number)."""
    shown, words, names = [], 0, {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and re.match(r"(\(.*\)=\s*)?## ", cell.source):
            yield shown, words
            shown, words = [], 0
        if cell.cell_type == "markdown":
            words += len(FENCE.sub("", cell.source).split())
        elif cell.cell_type == "code":
            shown += listings(cell.source, names)
    yield shown, words


@cache
def shown_by(path):
    """Return the lines of the algorithms that a chapter shows with words: {file: numbers}."""
    found = defaultdict(set)
    for objects, words in sections(nbformat.read(path, as_version=4)):
        here = defaultdict(set)
        for each in map(inspect.unwrap, objects):
            lines, first = inspect.getsourcelines(each)
            here[Path(inspect.getsourcefile(each))] |= set(range(first, first + len(lines)))
        here = {file: lines & algorithms().get(file, set()) for file, lines in here.items()}
        if words >= sum(map(len, here.values())):
            for file, lines in here.items():
                found[file] |= lines
    return found


def shares(paths):
    """Return, for each file, the lines it has and those that the chapters show: two numbers."""
    shown = defaultdict(set)
    for path in paths:
        for file, lines in shown_by(path).items():
            shown[file] |= lines
    return {file: (len(lines), len(shown[file])) for file, lines in algorithms().items()}


class CodeShare(SphinxDirective):
    """List the modules with their lines, and how many of these the chapters show."""

    def run(self):
        pages = {page for page in self.env.found_docs if is_chapter(self.env, page)}
        paths = sorted(self.env.doc2path(page) for page in pages)
        for path in paths:
            self.env.note_dependency(path)
        found = shares(map(str, paths))
        lines, shown = map(sum, zip(*found.values(), strict=True))
        total = f"{shown:,} of {lines:,} lines: {shown / lines:.1%}"
        rows = [
            [nodes.literal("", file.relative_to(PACKAGE).as_posix())]
            + [nodes.Text(text) for text in (f"{all_}", f"{some}", f"{some / all_:.0%}")]
            for file, (all_, some) in found.items()
        ]
        strong = nodes.paragraph("", "", nodes.strong("", total), classes=["dtb-code-share"])
        return [strong, table(["module", "lines of code", "shown", "share"], rows)]


def setup(app):
    """Give Sphinx the directive."""
    app.add_directive("code-share", CodeShare)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

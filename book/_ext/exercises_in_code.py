"""Exercises in code: below each an empty cell, checked where it is written.

What is asked and how inputs are drawn is declared in `in_page/exercises.py`; right is what the
solution on the page gives. Where an assignment asks the same, its own files check.
"""

import ast
import json
import re
import sys
from functools import cache
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "assignments"))
from in_page.exercises import EXERCISES, OF_ASSIGNMENTS
from release import STUBS, released

LABEL = re.compile(r"^:label: ([\w-]+)$", re.MULTILINE)
EMPTY = "def {}({}):\n    {}"
CHECKING = '__import__("in_page.checking").checking'


def check(name):
    """Return what runs after the code of a function to check it."""
    return f'\n\n\n{CHECKING}.check("{name}")'


@cache
def of_assignment(label):
    """Return the question of an assignment that is an exercise, and what loads its checks."""
    name, question = OF_ASSIGNMENTS[label].split(".")
    cells = released(name).cells
    (cell,) = (c for c in cells if c.metadata.get("nbgrader", {}).get("grade_id") == question)
    return question, cell.source, f"begin({name!r}, watches=False)"


def of_page(label, cells):
    """Return the function that an exercise asks for, its empty cell, and what poses it."""
    name = EXERCISES[label][0]
    (function,) = (
        (node, ast.get_source_segment(cell.source, node))
        for cell in cells
        if "solution" in cell.metadata.get("tags", ())
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    node, source = function
    stub = EMPTY.format(name, ast.unparse(node.args), STUBS["code"].replace("\n", "\n    "))
    return name, stub, f"pose({label!r}, {source!r})"


def posed(cells):
    """Return the cells of a page with those to write in: their metadata has what `begins` them."""
    found = []
    for cell in cells:
        found.append(cell)
        labels = LABEL.findall(cell.source) if cell.cell_type == "markdown" else ()
        for label in labels:
            if label in OF_ASSIGNMENTS:
                name, stub, call = of_assignment(label)
            elif label in EXERCISES:
                name, stub, call = of_page(label, cells)
            else:
                continue
            ours = {"tags": ["write"], "begins": f"{CHECKING}.{call}", "check": check(name)}
            found.append(nbformat.v4.new_code_cell(stub, id=label, metadata=ours))
    return found


def read(app, docname, source):
    """Put the empty cells into a page."""
    path = Path(app.env.doc2path(docname))
    if path.suffix == ".ipynb":
        notebook = nbformat.reads(source[0], as_version=4)
        cells = posed(notebook.cells)
        if len(cells) > len(notebook.cells):
            notebook.cells = cells
            source[0] = json.dumps(notebook)


def setup(app):
    """Have it done before a page is read."""
    app.connect("source-read", read)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""Exercises in code: below each an empty cell, checked where it is written.

What is asked and how inputs are drawn is declared in `in_page/exercises.py`; right is what the
solution on the page gives. Where an assignment asks the same, its own files check.
"""

import ast
import itertools
import json
import re
import symtable
from functools import cache
from pathlib import Path

import nbformat
from in_page.exercises import EXERCISES, OF_ASSIGNMENTS

from course.grader.release import STUBS, released
from tools.plain_notebooks import is_solution

LABEL = re.compile(r"^:label: ([\w-]+)$", re.MULTILINE)
EMPTY = "def {}({}):\n    {}"
CHECKING = '__import__("in_page.checking").checking'


def check(name):
    """Return what runs after the code of a function to check it."""
    return f'{CHECKING}.check("{name}")'


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
        for cell in filter(is_solution, cells)
        for node in ast.parse(cell.source).body
        if isinstance(node, ast.FunctionDef) and node.name == name
    )
    node, source = function
    stub = EMPTY.format(name, ast.unparse(node.args), STUBS["code"].replace("\n", "\n    "))
    return name, stub, f"pose({label!r}, {source!r})"


def names(source):
    """Return the names that code binds or changes, and those that it takes from elsewhere."""
    tables = [symtable.symtable(source, "cell", "exec")]
    top = tables[0].get_symbols()
    bound = {s.get_name() for s in top if s.is_assigned() or s.is_imported()}
    used = {s.get_name() for s in top if s.is_referenced()}
    while tables:
        table = tables.pop()
        tables += table.get_children()
        used |= {s.get_name() for s in table.get_symbols() if s.is_global()}
    changed = {
        node.value.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Subscript | ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
    }
    return bound | changed, used - bound


def needs(cells, source):
    """List the cells that code needs: those that bind a name it uses, and what these need."""
    _, wanted = names(source)
    found = []
    for cell in reversed(cells):
        if cell.cell_type == "code":
            bound, used = names(cell.source)
            if bound & wanted:
                wanted |= used
                found.append(cell.id)
    return found


def posed(cells):
    """Return the cells of a page with those to write in.

    Their metadata has what `begins` them, what will `check` what is written, and which cells that
    `needs`, as the solution does.
    """
    found = []
    for place, cell in enumerate(cells, 1):
        found.append(cell)
        labels = LABEL.findall(cell.source) if cell.cell_type == "markdown" else ()
        for label in labels:
            if label in OF_ASSIGNMENTS:
                name, stub, call = of_assignment(label)
            elif label in EXERCISES:
                name, stub, call = of_page(label, cells)
            else:
                continue
            solution = itertools.takewhile(is_solution, cells[place:])
            ours = {
                "tags": ["write"],
                "begins": f"{CHECKING}.{call}",
                "check": check(name),
                "needs": needs(cells[:place], "\n".join(c.source for c in solution)),
            }
            found.append(nbformat.v4.new_code_cell(stub, id=f"{label}-write", metadata=ours))
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

"""Show what the cells of a notebook hold: code, values in the prose, solutions, tables of pandas.

tools/notebooks.py stores the value of every {eval}`expression` in the metadata of the Markdown cell
it stands in (`user_expressions`, where jupyterlab-myst keeps them too), so that building the book
runs no code. MyST-NB asks its notebook client for it; the client that executes nothing has no
answer, and gets one here. An expression that was never stored, that failed, or that has two values
in one page is a warning of the build, and `make book` turns warnings into errors.

A long line of code stands in an element of its own, which knows how far it is indented, so that on
a phone it goes on a little to the right of where it began.

A solution's text is one directive in one cell, so that JupyterLab folds it too; its code cells,
tagged `solution`, come right before or after, and are folded with it. What an exercise or a
solution holds gets an id of its own: sphinx-exercise gives all the same.

A cell tagged `only-in-jupyterlab` has a slider, which a page without Python cannot move. The pages
leave it out.
"""

import re
from copy import deepcopy
from html import unescape

from bs4 import BeautifulSoup
from docutils import nodes
from myst_nb.core.execute.base import NotebookClientBase
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx_exercise.nodes import solution_node

LISTING = re.compile(r'(<div class="highlight"><pre>)(.*?)(</pre>)', re.DOTALL)
TAG = re.compile("<[^>]*>")
LONG = 34  # signs of a line that a phone shows
NUMBER = re.compile(r"[-+−]?(\d[\d,]*(\.\d*)?|\.\d+)(e[-+]?\d+)?\s?%?|nan|NaN|–?", re.IGNORECASE)


def stored_value(client, expression):
    """Return the stored value of an expression as a list of one output."""
    results = [
        entry["result"]
        for cell in client.notebook.cells
        for entry in cell.metadata.get("user_expressions", ())
        if entry["expression"] == expression
    ]
    if not results:
        raise LookupError(f"{expression!r} has no stored value; run `make notebooks`")
    if any(result != results[0] for result in results):
        raise LookupError(f"{expression!r} has different values in this page; rename a variable")
    kind = "error" if results[0]["status"] == "error" else "display_data"
    # A copy: MyST-NB notes in it how it has shown the value.
    return [{"output_type": kind, **deepcopy(results[0])}]


def is_ours(node):
    """Tell whether a node is a code cell tagged `solution`."""
    return isinstance(node, nodes.container) and "tag_solution" in node["classes"]


class SolutionCells(SphinxTransform):
    """Move the code cells into the solution, in their order."""

    default_priority = 10

    def apply(self):
        for solution in list(self.document.findall(solution_node)):
            parent, content = solution.parent, solution.children[-1]
            while (at := parent.index(solution)) and is_ours(parent[at - 1]):
                content.insert(0, parent.pop(at - 1))
            while (at := parent.index(solution) + 1) < len(parent) and is_ours(parent[at]):
                content.append(parent.pop(at))
        for section in self.document.findall(nodes.section):
            if section["ids"] in (["exercise-content"], ["solution-content"]):
                section["ids"] = [f"{section.parent['ids'][0]}-content"]


class CellsOfJupyterLab(SphinxTransform):
    """Leave out the cells that only JupyterLab can show."""

    default_priority = 10

    def apply(self):
        for node in list(self.document.findall(nodes.container)):
            if "tag_only-in-jupyterlab" in node["classes"]:
                node.parent.remove(node)


def plain(html):
    """Return the HTML of an output with its tables drawn for readers.

    Rows that pandas has numbered, under a head without a name, lose their numbers.
    """
    soup = BeautifulSoup(html, "html.parser")
    for table in soup.select("table.dataframe"):
        for row in table.select("tr[style]"):
            del row["style"]
        heads, rows = _one_head(table.select("thead tr")), table.select("tbody tr")
        if _numbered(heads, rows):
            for row in [*heads, *rows]:
                row.th.decompose()
        _align(heads, rows)
        for corner in (cell for row in heads for cell in row.find_all("th")):
            if not corner.get_text().strip():
                corner.name = "td"  # a head without words would be read out as one
    return str(soup)


def _one_head(heads):
    """Return the head rows; the name of the rows, in a row of its own, moves to the corner."""
    if len(heads) == 2:
        corner, (name, *others) = heads[0].th, heads[1].find_all("th")
        if not any(cell.get_text().strip() for cell in (corner, *others)):
            corner.string = name.get_text()
            heads.pop().decompose()
    return heads


def _numbered(heads, rows):
    """Whether the rows have nothing but their numbers, from 0, for a name."""
    names = [[name.get_text() for name in row.find_all("th")] for row in rows]
    unnamed = all(row.th and not row.th.get_text().strip() for row in heads)
    return bool(heads) and unnamed and names == [[str(i)] for i in range(len(rows))]


def _align(heads, rows):
    """Mark the cells of the columns that hold nothing but numbers, and their heads."""
    columns = list(zip(*(row.find_all("td") for row in rows), strict=False))
    for a, column in enumerate(columns):
        if all(NUMBER.fullmatch(cell.get_text().strip()) for cell in column):
            above = [row.find_all("th")[a - len(columns)] for row in heads if _one_each(row, rows)]
            for cell in [*column, *above]:
                cell["class"] = [*cell.get("class", []), "dtb-number"]


def _one_each(head, rows):
    """Whether the head row has a cell for each column."""
    names = head.find_all("th")
    return len(names) >= len(rows[0].find_all("td")) and not head.find("th", colspan=True)


class PlainTables(SphinxPostTransform):
    """Draw the tables in the outputs of cells."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs):
        for node in list(self.document.findall(nodes.raw)):
            if node.get("format") == "html" and 'class="dataframe"' in node.astext():
                node.children = [nodes.Text(plain(node.astext()))]


def hanging(html):
    """Return the lines of a listing, each long one in an element that knows its indent.

    >>> hanging(f"if x:\\n    <span>{'y' * 40}</span>\\n").replace("y" * 40, "y…y")
    'if x:\\n<span class="dtb-long" style="--in:4">    <span>y…y</span>\\n</span>'
    """

    def wrapped(line):
        text = unescape(TAG.sub("", line)).rstrip("\n")
        if len(text) <= LONG:
            return line
        indent = len(text) - len(text.lstrip())
        style = f' style="--in:{indent}"' if indent else ""
        return f'<span class="dtb-long"{style}>{line}</span>'

    return "".join(map(wrapped, html.splitlines(keepends=True)))


def hang(app, pagename, templatename, context, doctree):
    """Let the long lines of the listings of a page hang."""
    if "body" in context:
        context["body"] = LISTING.sub(
            lambda found: found[1] + hanging(found[2]) + found[3], context["body"]
        )


def setup(app):
    """Give the answer to the client that executes nothing, the transforms, and the long lines."""
    NotebookClientBase.eval_variable = stored_value
    app.add_transform(SolutionCells)
    app.add_transform(CellsOfJupyterLab)
    app.add_post_transform(PlainTables)
    app.connect("html-page-context", hang)

"""Draw the tables of pandas for readers: no row numbers, one head, and numbers flush right."""

import re

from bs4 import BeautifulSoup
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

NUMBER = re.compile(r"[-+−]?(\d[\d,]*(\.\d*)?|\.\d+)(e[-+]?\d+)?\s?%?|nan|NaN|–?", re.IGNORECASE)


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


def setup(app):
    app.add_post_transform(PlainTables)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""Say how long a chapter takes: under its title to read it, and in a table also to run it.

The minutes to read are reckoned from the page without its exercises and without what is folded
away. tools/notebooks.py notes the seconds to run when it stores a chapter's outputs.
"""

import nbformat
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

SECONDS = {"word": 60 / 240, "line of code": 2, "formula": 10, "drawing or table": 10}
SKIPPED = {"exercise", "solution", "tag_hide-input", "dropdown"}


def counts(page):
    """Count what there is to read: {"word": n, ...}.

    >>> page = nodes.section("", nodes.paragraph("", "Two words."), nodes.math_block("", "x = 1"))
    >>> counts(page)
    {'word': 2, 'line of code': 0, 'formula': 1, 'drawing or table': 0}
    """
    found = dict.fromkeys(SECONDS, 0)

    def walk(node):
        classes = set(node.get("classes", ())) if isinstance(node, nodes.Element) else set()
        if "cell_output" in classes:
            blocks = node.findall(nodes.literal_block)
            listed = [block for block in blocks if block.get("language") == "python"]
            found["drawing or table"] += not listed
            for block in listed:
                walk(block)
        elif classes & SKIPPED:
            outputs = (child for child in node.children if "cell_output" in child["classes"])
            found["drawing or table"] += sum(1 for _ in outputs) if "cell" in classes else 0
        elif isinstance(node, nodes.literal_block):
            found["line of code"] += sum(1 for line in node.astext().splitlines() if line.strip())
        elif isinstance(node, nodes.math_block):
            found["formula"] += 1
        elif isinstance(node, nodes.Text):
            found["word"] += len(node.split())
        else:
            for child in node.children:
                walk(child)

    walk(page)
    return found


def minutes(found):
    """Reckon the minutes to read what was counted, to the next five."""
    seconds = sum(SECONDS[kind] * n for kind, n in found.items())
    return max(5, 5 * round(seconds / 300))


def rates():
    """Say how the minutes are reckoned."""
    others = [f"{n} seconds for a {kind}" for kind, n in SECONDS.items() if kind != "word"]
    return f"{60 / SECONDS['word']:.0f} words a minute, {', '.join(others)}"


def is_chapter(env, page):
    """Tell whether a page is a notebook other than the front page."""
    return page != env.config.root_doc and env.doc2path(page).endswith(".ipynb")


def note(app, doctree):
    """Put the minutes under the title of a chapter, and keep them for the table."""
    page = app.env.docname
    title = doctree.next_node(nodes.title)
    if is_chapter(app.env, page) and title is not None:
        app.env.metadata[page]["minutes"] = needed = minutes(counts(doctree))
        words = f"{needed} minutes to read, without the exercises"
        title.parent.insert(1, nodes.paragraph("", words, classes=["dtb-reading-time"]))


class ChapterTimes(SphinxDirective):
    """List the chapters with the minutes to read them and the seconds to run them."""

    def run(self):
        for page in self.env.found_docs:
            if is_chapter(self.env, page):
                self.env.note_dependency(self.env.doc2path(page))
        words = nodes.paragraph("", f"The rate is {rates()}.")
        return [words, nodes.container("", classes=["dtb-chapter-times"])]


def fill(app, doctree, docname):
    """Write the table, when all pages are read."""
    env = app.env
    pages = [page for page in env.external_site_map if is_chapter(env, page)]
    for place in doctree.findall(nodes.container):
        if "dtb-chapter-times" not in place["classes"]:
            continue
        rows = []
        for page in pages:
            notebook = nbformat.read(env.doc2path(page), as_version=4)
            cells = sum(1 for cell in notebook.cells if cell.cell_type == "code")
            seconds = notebook.metadata.get("seconds")
            if seconds is None:
                raise LookupError(f"{page} has no running time; run `make notebooks`")
            link = nodes.reference(
                "", env.titles[page].astext(), internal=True,
                refuri=app.builder.get_relative_uri(docname, page),
            )  # fmt: skip
            read = f"{env.metadata[page]['minutes']} min"
            rows.append([link, *map(nodes.Text, (read, str(cells), f"{seconds:.0f} s"))])
        place += table(["chapter", "to read", "cells of code", "to run"], rows)


def table(head, rows):
    """Build a table from the words of its head and the nodes of its rows."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in head), cols=len(head))
    heads = [nodes.entry("", nodes.paragraph("", words)) for words in head]
    group += nodes.thead("", nodes.row("", *heads))
    body = nodes.tbody()
    for row in rows:
        body += nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in row))
    group += body
    return nodes.table("", group)


def setup(app):
    """Give Sphinx the directive, and the line under each title."""
    app.add_directive("chapter-times", ChapterTimes)
    app.connect("doctree-read", note)
    app.connect("doctree-resolved", fill)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

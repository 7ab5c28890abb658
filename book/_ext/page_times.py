"""Say how long a page takes: under its title to work through it, and in a table also to run it.

The minutes are reckoned from the page without its exercises and without what is folded away: those
to read, and those for its questions and interactive drawings. tools/notebooks.py notes the seconds
to run when it stores a page's outputs.
"""

import math
import re

import nbformat
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

TO_READ = {"word": 60 / 240, "line of code": 2, "formula": 10, "drawing or table": 10}
TO_DO = {"question": 40, "interactive drawing": 120}
SKIPPED = {"exercise", "solution", "tag_hide-input", "dropdown"}
SPACE = "\N{NO-BREAK SPACE}"  # between a number and its unit

# What is looked for first counts. A guess is a question, and so is each of a quiz; a questionnaire
# is gone through once, however many questions it holds.
MARKS = {
    "interactive drawing": re.compile(r'dtb-live" data-live="(?!ask")|dtb-questionnaire"'),
    "question": re.compile(r'dtb-live" data-live="ask"|class="dtb-question"'),
}


def counts(page):
    """Count what there is to read and to do: {"word": n, ...}.

    >>> page = nodes.section("", nodes.paragraph("", "Two words."), nodes.math_block("", "x = 1"))
    >>> {kind: n for kind, n in counts(page).items() if n}
    {'word': 2, 'formula': 1}
    """
    found = dict.fromkeys(TO_READ | TO_DO, 0)

    def look(output):
        blocks = output.findall(nodes.literal_block)
        listed = [block for block in blocks if block.get("language") == "python"]
        for block in listed:
            walk(block)
        drawn = "".join(raw.astext() for raw in output.findall(nodes.raw))
        done = {kind: len(mark.findall(drawn)) for kind, mark in MARKS.items()}
        kind = next((kind for kind, n in done.items() if n), "drawing or table")
        found[kind] += done.get(kind, not listed)

    def walk(node):
        classes = set(node.get("classes", ())) if isinstance(node, nodes.Element) else set()
        if "tag_hide-output" in classes:
            return
        if "cell_output" in classes:
            look(node)
        elif classes & SKIPPED:
            for child in node.children if "cell" in classes else ():
                if "cell_output" in child["classes"]:
                    look(child)
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


def minutes(found, seconds):
    """Reckon the minutes for what was counted, begun ones too, at so many seconds for each kind.

    >>> minutes({"question": 3, "formula": 9}, TO_DO)
    2
    """
    return math.ceil(sum(n * found.get(kind, 0) for kind, n in seconds.items()) / 60)


def line(found):
    """Say under a title how long a page takes.

    >>> line({"word": 1200, "question": 3, "interactive drawing": 1})
    'About 5 minutes to read, and 4 for its questions and interactive drawing'
    >>> line({"word": 1200})
    'About 5 minutes to read'
    """
    kinds = [kind + "s" * (found[kind] > 1) for kind in TO_DO if found.get(kind)]
    more = f", and {minutes(found, TO_DO)} for its {' and '.join(kinds)}" if kinds else ""
    read = minutes(found, TO_READ)
    return f"About {read} minute{'s' * (read > 1)} to read{more}"


def rates():
    """Say how the minutes are reckoned."""
    seconds = {kind: n for kind, n in (TO_READ | TO_DO).items() if kind != "word"}
    others = ", ".join(f"{n} for each {kind}" for kind, n in seconds.items())
    return f"{60 / TO_READ['word']:.0f} words a minute; in seconds, {others}"


def is_notebook(env, page):
    """Tell whether a page is a notebook other than the front page."""
    return page != env.config.root_doc and str(env.doc2path(page)).endswith(".ipynb")


def note(app, doctree):
    """Put the minutes under the title of a page, and keep what was counted for the table."""
    page = app.env.docname
    title = doctree.next_node(nodes.title)
    if is_notebook(app.env, page) and title is not None:
        app.env.metadata[page]["found"] = found = counts(doctree)
        words = f"{line(found)}; exercises are extra."
        title.parent.insert(1, nodes.paragraph("", words, classes=["dtb-reading-time"]))


class PageTimes(SphinxDirective):
    """List the pages with the minutes to work through them and the seconds to run them."""

    def run(self):
        for page in self.env.found_docs:
            if is_notebook(self.env, page):
                self.env.note_dependency(self.env.doc2path(page))
        words = nodes.paragraph("", f"The rate is {rates()}.")
        return [words, nodes.container("", classes=["dtb-page-times"])]


def fill(app, doctree, docname):
    """Write the table, when all pages are read."""
    env = app.env
    pages = [page for page in env.external_site_map if is_notebook(env, page)]
    for place in doctree.findall(nodes.container):
        if "dtb-page-times" not in place["classes"]:
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
            found = env.metadata[page]["found"]
            read, do = (f"{minutes(found, kinds)}{SPACE}min" for kinds in (TO_READ, TO_DO))
            rows.append([link, *map(nodes.Text, (read, do, str(cells), f"{seconds:.0f}{SPACE}s"))])
        place += table(
            ["page", "to read", "questions and drawings", "cells of code", "to run"], rows
        )


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
    app.add_directive("page-times", PageTimes)
    app.connect("doctree-read", note)
    app.connect("doctree-resolved", fill)
    return {
        "version": "1",
        "env_version": 1,
        "parallel_read_safe": True,
        "parallel_write_safe": True,
    }

"""Say how long a page takes: under its title to work through it, and in a table also to run it.

The minutes are what a student needs who meets the subject for the first time: reckoned from the
page without its exercises and without what is folded away, those to read, and those for its
questions and interactive drawings. tools/notebooks.py notes the seconds
to run when it stores a page's outputs.
"""

import math
import re
from html import escape

import nbformat
import pandas as pd
from cells import plain
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

TO_READ = {"word": 60 / 120, "cell of code": 30, "formula": 10, "drawing or table": 10}
TO_DO = {"question": 40, "interactive drawing": 180}
SKIPPED = {"exercise", "solution", "tag_hide-input", "dropdown"}
PLACE = '<div class="dtb-page-times"></div>'
SPACE = "\N{NO-BREAK SPACE}"  # between a number and its unit

# What is looked for first counts. A guess is a question, and so is each of a quiz; a questionnaire
# is gone through once, however many questions it holds.
MARKS = {
    "interactive drawing": re.compile(r'dtb-live[^"]*" data-live="(?!ask")|dtb-questionnaire"'),
    "question": re.compile(r'dtb-live[^"]*" data-live="ask"|class="dtb-question"'),
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
            found["cell of code"] += 1
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
    'About 10 minutes to read, and 5 for its questions and interactive drawing'
    >>> line({"word": 1200})
    'About 10 minutes to read'
    """
    kinds = [kind + "s" * (found[kind] > 1) for kind in TO_DO if found.get(kind)]
    more = f", and {minutes(found, TO_DO)} for its {' and '.join(kinds)}" if kinds else ""
    read = minutes(found, TO_READ)
    return f"About {read} minute{'s' * (read > 1)} to read{more}"


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
        seconds = {kind: n for kind, n in (TO_READ | TO_DO).items() if kind != "word"}
        others = ", ".join(f"{n} for each {kind}" for kind, n in seconds.items())
        rate = f"The rate is {60 / TO_READ['word']:.0f} words a minute; in seconds, {others}."
        return [nodes.paragraph("", rate), nodes.raw("", PLACE, format="html")]


def fill(app, pagename, templatename, context, doctree):
    """Write the table, when all pages are read."""
    if PLACE not in context.get("body", ""):
        return
    env, rows = app.env, []
    for page in env.external_site_map:
        if is_notebook(env, page):
            notebook = nbformat.read(env.doc2path(page), as_version=4)
            there = app.builder.get_relative_uri(pagename, page)
            found = env.metadata[page]["found"]
            row = {"page": f'<a href="{there}">{escape(env.titles[page].astext())}</a>'}
            row["to read"] = f"{minutes(found, TO_READ)}{SPACE}min"
            row["questions and drawings"] = f"{minutes(found, TO_DO)}{SPACE}min"
            row["cells of code"] = sum(cell.cell_type == "code" for cell in notebook.cells)
            row["to run"] = f"{notebook.metadata['seconds']:.0f}{SPACE}s"
            rows.append(row)
    table = pd.DataFrame(rows).to_html(index=False, escape=False, border=0, classes="docutils")
    context["body"] = context["body"].replace(PLACE, plain(table))


def setup(app):
    """Give Sphinx the directive, and the line under each title."""
    app.add_directive("page-times", PageTimes)
    app.connect("doctree-read", note)
    app.connect("html-page-context", fill)
    return {"env_version": 2}

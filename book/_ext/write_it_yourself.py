"""The graded assignments as pages: a cell to write in for each question, checked where it stands.

Questions, checks and hints are the assignment's own files. Python is that of "Run this page".
"""

import json
import re
from functools import cache
from html import escape
from pathlib import Path

import nbformat
from exercises_in_code import CHECKING, check
from release import released
from run_page import hidden, offered

PLACE = re.compile(r"^% assignment: (\w+)$", re.MULTILINE)
TO_THE_BOOK = re.compile(r"\((?:\.\./){3}book/")
LEFT_OUT = {"title", "rules"}
# Where Python comes, the buttons stand in its place.
ROOM = """
<div class="dtb-run">The cells run on the published pages: this copy of the book comes without
Python, or is read from a folder.</div>"""
CELL = """
```{{raw}} html
<div class="cell docutils container"><div class="cell_input docutils container">
<div class="highlight"><pre>{code}</pre></div></div></div>
```
"""
# What stands before the first question, folded.
SET_UP = {"student": "Your name", "setup": "What is given"}
FOLDED = """
```{{raw}} html
<details><summary>{}</summary>
```
{}
```{{raw}} html
</details>
```
"""


@cache
def assignment(name):
    """Return the cells of an assignment: (is it code, its name, its text, what checks it)."""
    found = []
    for cell in released(name).cells:
        ours = cell.metadata.get("nbgrader", {})
        grade_id = ours.get("grade_id", cell.id)
        is_code = cell.cell_type == "code"
        if (grade_id in LEFT_OUT and not is_code) or grade_id.endswith("-test"):
            continue
        if is_code and ours.get("solution") and grade_id != "student":
            found.append((True, grade_id, cell.source, check(grade_id)))
        else:
            text = 'STUDENT = ""' if grade_id == "student" else cell.source
            found.append((is_code, grade_id, text, ""))
    return found


def read(app, docname, source):
    """Put the questions and the cells of an assignment into its page."""

    def whole(match):
        parts = []
        for is_code, grade_id, text, _ in assignment(match[1]):
            part = CELL.format(code=escape(text)) if is_code else TO_THE_BOOK.sub("(", text) + "\n"
            parts.append(FOLDED.format(SET_UP[grade_id], part) if grade_id in SET_UP else part)
        return "\n".join(parts)

    source[0] = PLACE.sub(whole, source[0])


def named(app, docname):
    """Return the assignment of a page, None for other pages."""
    path = Path(app.env.doc2path(docname))
    found = PLACE.search(path.read_text("utf-8")) if docname.startswith("write_") else None
    return found and found[1]


def offer(app, pagename, templatename, context, doctree):
    """Let the cells of a page be written in and run, or say that they cannot."""
    if doctree is not None and (name := named(app, pagename)):
        context["body"] = offered(app, context["body"], ROOM, pagename, f"{name}.ipynb")


def cells(name):
    """List the cells that the page runs: the hidden first one loads the assignment's files."""
    listed = [hidden("begin", f"{CHECKING}.begin({name!r})")]
    for is_code, grade_id, text, checked in assignment(name):
        if is_code:
            cell = {"id": grade_id, "source": text, "check": checked, "shown": True, "shows": ""}
            listed.append(cell)
    return listed


def write(app, failed):
    """Write the cells, and the notebook that the work leaves as."""
    there = Path(app.outdir) / "python" / "cells"
    if failed or app.builder.format != "html" or not there.exists():
        return
    for docname in app.env.found_docs:
        if name := named(app, docname):
            (there / f"{docname}.json").write_text(json.dumps(cells(name)))
            (there / f"{name}.ipynb").write_text(nbformat.writes(released(name)), "utf-8")


def setup(app):
    """Read, offer, and come after the cells of other pages are written."""
    app.connect("source-read", read)
    app.connect("html-page-context", offer)
    app.connect("build-finished", write, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""The graded assignments as pages: a cell to write in for each question, checked where it stands.

Questions, checks and hints are the assignment's own files. Python is that of "Run this page". The
page that leads to them begins with one question, answered wrongly: which line is wrong is guessed,
beside what each line does, also where Python is not there, and then stands what its check says.
"""

import io
import json
import math
import re
from contextlib import redirect_stdout
from functools import cache
from html import escape
from pathlib import Path

import nbformat
from exercises_in_code import CHECKING, check
from in_page import checking
from in_page.lines import played
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from run_page import artifacts, hidden, offered

from course.grader.release import released
from twentyquestions.live import Guess, Live, View, asleep

PLACE = re.compile(r"^% assignment: (\w+)$", re.MULTILINE)
FIRST = re.compile(r"^% question: (\w+)\.(\w+)\n+```python\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
TO_THE_BOOK = re.compile(r"\((?:\.\./){3}book/")
LEFT_OUT = {"title", "rules"}
# Where Python comes, the buttons stand in its place.
ROOM = """
<div class="dtb-run">The cells run on the published pages: this copy of the book comes without
Python, or is read from a folder.</div>"""
CELL = """
```{{raw}} html
<div class="cell docutils container{tag}"><div class="cell_input docutils container">
<div class="highlight"><pre>{code}</pre></div></div>{given}</div>
```
"""
GIVEN = """
<div class="cell_output docutils container"><div class="output dtb-withheld">{}</div></div>"""
# What may stand in the last line of the first try; the last is right.
LAST_LINES = ("return 1 / p", "return -math.log10(p)", "return -math.log2(p)")
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
            part = drawn(text) if is_code else TO_THE_BOOK.sub("(", text) + "\n"
            parts.append(FOLDED.format(SET_UP[grade_id], part) if grade_id in SET_UP else part)
        return "\n".join(parts)

    def first(match):
        name, question, code = match.groups()
        asked = next(text for _, of, text, _ in assignment(name) if of == f"q-{question}")
        said = says(name, question, code)
        # Where Python is not there, the code stands in what plays it.
        cell = drawn(code, " tag_write", GIVEN.format(said._repr_html_())) if artifacts() else ""
        above = f"```{{raw}} html\n{asleep(card(question, code, said).html)}\n```\n"
        return "\n".join((asked.split("\n", 1)[1], above, cell))

    if found := PLACE.search(source[0]) or FIRST.search(source[0]):
        app.env.metadata[docname]["assignment"] = found.groups()  # its name; a question and a try
        source[0] = FIRST.sub(first, PLACE.sub(whole, source[0]))


class Code(str):
    """Code as it stands in a page."""

    def _repr_html_(self):
        return f"<pre>{escape(self)}</pre>"


def card(question, code, said):
    """Return the explorable of a function of p: which line is wrong, and what others would do."""
    (found,) = re.findall(r"^  ✗  .*\n((?: {8}.*\n)+)", said, re.MULTILINE)
    lines = code.splitlines()
    *before, last = (line.strip() for line in lines[1:])
    because = f"It is the last line: {' '.join(found.split())}"
    guess = Guess(
        "Which line goes wrong?",
        len(before),
        because,
        [line.rstrip(":") for line in (*before, last)],
    )
    tries = []
    for line in (last, *LAST_LINES):
        names = {"math": math}
        tried = "\n".join((*lines[:-1], f"    {line}"))
        exec(tried, names)
        tries.append(played(names[question], tried))
    value, asked = (tries[at]["values"][10] for at in (0, -1))
    told = f"At p = 0.1 it returns {value:.3f} and should return {asked:.3f} bits."
    view = View(told, (Code(code),))
    return Live("What does each line do?", "trace", {"tries": tries}, view, guess)


def drawn(code, tag="", given=""):
    """Return a cell of a page."""
    code = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True))
    return CELL.format(code=code, tag=tag, given=given)


def set_up(name):
    """Return the code that comes before the questions of an assignment."""
    return next(text for _, grade_id, text, _ in assignment(name) if grade_id == "setup")


def says(name, question, code):
    """Return what the check of a question says of some code."""
    checking.begin(name, watches=False)
    with redirect_stdout(io.StringIO()) as said:
        exec(f"{set_up(name)}\n{code}\n{check(question)}", {})
    return checking.Report(said.getvalue().strip())


def offer(app, pagename, templatename, context, doctree):
    """Let the cells of a page be written in and run, or say that they cannot."""
    if doctree is not None and (found := app.env.metadata[pagename].get("assignment")):
        name, *first = found
        work = () if first else (f"{name}.ipynb",)
        context["body"] = offered(app, context["body"], ROOM, pagename, *work)


def cells(name, question="", code=""):
    """List the cells that the page runs: the hidden first one loads the assignment's files.

    The page of one question runs its code, and hides what is set up before it.
    """
    listed = [hidden("begin", f"{CHECKING}.begin({name!r})")]
    shown = [(of, text, checked) for is_code, of, text, checked in assignment(name) if is_code]
    if question:
        listed.append(hidden("setup", set_up(name)))
        told = f'__import__("in_page.lines").lines.tell(globals().get({question!r}))'
        shown = [(question, code, f"{check(question)}\n{told}")]
    for of, text, checked in shown:
        cell = {"id": of, "source": text, "check": checked, "shown": True, "shows": ""}
        listed.append(cell)
    return listed


def write(app, failed):
    """Write the cells, and the notebook that the work leaves as."""
    there = Path(app.outdir) / "python" / "cells"
    if failed or app.builder.format != "html" or not there.exists():
        return
    for docname in app.env.found_docs:
        if found := app.env.metadata[docname].get("assignment"):
            (there / f"{docname}.json").write_text(json.dumps(cells(*found)))
            name, *first = found
            if not first:
                (there / f"{name}.ipynb").write_text(nbformat.writes(released(name)), "utf-8")


def setup(app):
    """Read, offer, and come after the cells of other pages are written."""
    app.connect("source-read", read)
    app.connect("html-page-context", offer)
    app.connect("build-finished", write, priority=600)

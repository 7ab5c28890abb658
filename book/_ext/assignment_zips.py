"""Put a zip of each assignment beside the pages, such as `assignments/entropy.zip`.

They are packed as `make assignments` packs them, without solutions and hidden tests. A link to the
notebook in `assignments/release`, where that command puts it, is a link to the zip in the book.
"""

import re
import sys
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from release import names, pack

RELEASED = re.compile(r"assignments/release/(\w+)/\1")


def link(app, doctree):
    """Have links to the notebooks of `assignments/release` lead to their zips."""
    for reference in list(doctree.findall(pending_xref)):
        if released := RELEASED.search(reference["reftarget"]):
            words = escape(reference.astext())
            there = f'<a href="assignments/{released[1]}.zip" download>{words}</a>'
            reference.replace_self(nodes.raw("", there, format="html"))


def write(app, failed):
    """Pack the assignments into a finished site."""
    if not failed and app.builder.format == "html":
        for name in names():
            pack(name, Path(app.outdir) / "assignments")


def setup(app):
    """Wait for the pages and for the site."""
    app.connect("doctree-read", link)
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

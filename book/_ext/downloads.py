"""Put beside the pages what readers take along: plain notebooks, and a zip of each assignment.

The buttons of Colab and Kaggle open the plain notebooks. Both sites take no files from anywhere but
GitHub; the workflow `publish` puts the folder on the branch `notebooks`.

Assignments are packed as `make assignments` packs them, without solutions and hidden tests. A link
to the notebook in `assignments/release`, where that command puts it, is a link to its zip here.
"""

import re
import sys
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import plain_notebooks
from release import names, pack

BRANCH = "notebooks"
KAGGLE = "https://kaggle.com/kernels/welcome?src={repository}/blob/{branch}/{page}.ipynb"
RELEASED = re.compile(r"assignments/release/(\w+)/\1")


def lead(app, pagename, templatename, context, doctree):
    """Change the button of Colab on a page, and add one for Kaggle behind it."""
    config = app.config.html_theme_options
    for group in context.get("header_buttons", ()):
        for at, button in enumerate(group.get("buttons") or ()):
            if button.get("text") == "Colab":
                old = f"/blob/{config['repository_branch']}/{config['path_to_docs']}/"
                button["url"] = button["url"].replace(old, f"/blob/{BRANCH}/")
                there = {"repository": config["repository_url"], "branch": BRANCH, "page": pagename}
                kaggle = {"text": "Kaggle", "tooltip": "Launch on Kaggle", "icon": "fas fa-rocket"}
                kaggle |= {"type": "link", "url": KAGGLE.format(**there)}
                group["buttons"].insert(at + 1, kaggle)
                return


def link(app, doctree):
    """Have links to the notebooks of `assignments/release` lead to their zips."""
    for reference in list(doctree.findall(pending_xref)):
        if released := RELEASED.search(reference["reftarget"]):
            words = escape(reference.astext())
            there = f'<a href="assignments/{released[1]}.zip" download>{words}</a>'
            reference.replace_self(nodes.raw("", there, format="html"))


def write(app, failed):
    """Write both into a finished site."""
    if not failed and app.builder.format == "html":
        plain_notebooks.write(Path(app.outdir) / "notebooks", Path(app.srcdir))
        for name in names():
            pack(name, Path(app.outdir) / "assignments")


def setup(app):
    """Wait for the pages, come after the theme's own buttons, and wait for the site."""
    app.connect("doctree-read", link)
    app.connect("html-page-context", lead, priority=900)
    app.connect("build-finished", write)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

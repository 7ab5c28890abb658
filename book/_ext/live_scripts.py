"""Bring the explorables of the pages to life: one script and one style sheet for the whole site.

A stored output holds the data alone, and words for who reads it elsewhere; see
`dtreebook.pages.live`.
"""

from pathlib import Path

from dtreebook.pages.live import ASLEEP, PARTS, styles, wrapped

NAME = "explorables"


def write(app):
    """Write the engine into the site."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / f"{NAME}.js").write_text(wrapped(*PARTS), "utf-8")
    (static / f"{NAME}.css").write_text(styles(*PARTS), "utf-8")


def wake(app, pagename, templatename, context, doctree):
    """Have a page with explorables load the engine."""
    if ASLEEP in context.get("body", ""):
        context["body"] = context["body"].replace(ASLEEP, "")
        app.add_js_file(f"{NAME}.js")


def setup(app):
    app.add_css_file(f"{NAME}.css")
    app.connect("builder-inited", write)
    app.connect("html-page-context", wake)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

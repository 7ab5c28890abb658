"""Practice: its page, and "Another one like this" below the questions of pages.

Its script is loaded by its own page alone; elsewhere when a reader presses the button.
"""

import re
from importlib.resources import files
from pathlib import Path

from dtreebook.pages.script import bundle

ENGINE = files("dtreebook").joinpath("pages", "engine")
# Each kind of exercises names the page that teaches it.
TAUGHT = re.compile(r'^  page: "(\w+)"', re.MULTILINE)
QUIZ = re.compile(
    r'(<section class="dtb-quiz [^"]*"[^>]*aria-label="Quiz">.*?</section>)', re.DOTALL
)
ANOTHER = """<div class="dtb-another" data-page="{page}"><button type="button"
onclick="this.parentNode.dataset.open='';document.head.append(Object.assign(
document.createElement('script'),{{src:'_static/practice.js'}}))"
>Another one like this</button></div>
"""


def taught():
    """Return the names of the pages that teach a kind of exercises."""
    kinds = (file for file in ENGINE.iterdir() if file.name.startswith("kinds_"))
    return {page for file in kinds for page in TAUGHT.findall(file.read_text("utf-8"))}


def write(app):
    """Write the script of practice and its styles into the site."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / "practice.js").write_text(bundle("another") + ";", "utf-8")
    (static / "practice.css").write_text(
        ENGINE.joinpath("practice.css").read_text("utf-8"), "utf-8"
    )


def place(app, pagename, templatename, context, doctree):
    """Load the script on the page Practice; offer another exercise below other questions."""
    body = context.get("body", "")
    if 'class="dtb-practice ' in body:
        app.add_js_file("practice.js")
    elif pagename in taught():
        another = ANOTHER.format(page=pagename)
        context["body"] = QUIZ.sub(lambda quiz: quiz[1] + another, body)


def setup(app):
    """Begin with the script, and place it page by page."""
    app.connect("builder-inited", write)
    app.connect("html-page-context", place)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

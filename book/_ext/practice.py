"""Practice: its page, "Another one like this" below questions, and what one has done on a page.

The exercises are loaded by the page Practice alone; elsewhere when a reader presses the button.
"""

import re
from pathlib import Path

import yaml

QUESTION = re.compile(r'(<fieldset class="dtb-question">.*?)(</fieldset>)', re.DOTALL)
ANOTHER = (
    '<div class="dtb-another" data-kind="{}"><button type="button">Another one like this</button>'
    "</div>"
)


def kinds(path):
    """List the kinds of exercises like the questions of a page, None where there is none."""
    file = path.parent / "questions" / f"{path.stem}.yml"
    quizzes = yaml.safe_load(file.read_text("utf-8")) if file.exists() else {}
    return [question.get("kind") for asked in quizzes.values() for question in asked]


def place(app, pagename, templatename, context, doctree):
    """Load the scripts that a page uses; offer another exercise below each question like it."""
    body = context.get("body", "")
    if 'class="dtb-practice ' in body:
        app.add_js_file("practice.js")
    elif 'class="dtb-quiz ' in body or '"guess":' in body:
        app.add_js_file("progress.js", loading_method="defer")
        like = iter(kinds(Path(app.env.doc2path(pagename))))

        def offer(question):
            kind = next(like, None)
            return f"{question[1]}{ANOTHER.format(kind) if kind else ''}{question[2]}"

        context["body"] = QUESTION.sub(offer, body)


def setup(app):
    app.connect("html-page-context", place)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

"""Practice: its page, "Another one like this" below questions, and what one has done on a page.

The exercises are loaded by the page Practice alone; elsewhere when a reader presses the button.

The concept inventory has a page, too: its two forms, without the key, to answer and to hand in. The
questions are those of `book/inventory.yml`, which `make inventory` prints and marks.
"""

import re
from html import escape
from pathlib import Path

import yaml
from markdown_it import MarkdownIt

from course.grader.inventory import CONCEPTS, FORMS, choices

INVENTORY = '<div class="dtb-inventory"></div>'
MARKDOWN = MarkdownIt("commonmark").enable("table")
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
    if INVENTORY in body:
        context["body"] = body.replace(INVENTORY, forms())
        app.add_js_file("inventory.js")
    elif 'class="dtb-practice ' in body:
        app.add_js_file("practice.js")
    elif 'class="dtb-quiz ' in body or '"guess":' in body:
        app.add_js_file("progress.js", loading_method="defer")
        like = iter(kinds(Path(app.env.doc2path(pagename))))

        def offer(question):
            kind = next(like, None)
            return f"{question[1]}{ANOTHER.format(kind) if kind else ''}{question[2]}"

        context["body"] = QUESTION.sub(offer, body)


def question(number, concept, form):
    """Return a question of a form as HTML: native radio buttons, no answer marked."""
    name = f"{form}-{number}"
    options = "".join(
        f'<label class="dtb-option"><input type="radio" name="{name}" value="{letter}"/> '
        f"{letter}. {MARKDOWN.renderInline(text)}</label>"
        for letter, (_, text) in choices(concept, form).items()
    )
    text = MARKDOWN.render(concept[form]["text"].strip())
    label = f'role="radiogroup" aria-labelledby="{name}-h"'
    return f'<div {label}><p id="{name}-h"><b>Question {number}</b></p>{text}{options}</div>'


def forms():
    """Return both forms as HTML."""
    parts = []
    for form, when in FORMS.items():
        asked = "".join(question(i, concept, form) for i, concept in enumerate(CONCEPTS, 1))
        parts.append(
            f'<details class="dtb-form" data-form="{form}"><summary>{escape(when).capitalize()}'
            f"</summary>{asked}</details>"
        )
    return f'<div class="dtb-inventory">{"".join(parts)}</div>'


def setup(app):
    app.connect("html-page-context", place)

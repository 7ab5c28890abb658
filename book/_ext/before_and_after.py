"""The concept inventory as a page: its two forms, without the key, to answer and to hand in.

The questions are those of `book/inventory.yml`, which `make inventory` prints and marks.
"""

import sys
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from inventory import CONCEPTS, FORMS, choices

PLACE = '<div class="dtb-inventory"></div>'
MARKDOWN = MarkdownIt("commonmark").enable("table")


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


def place(app, pagename, templatename, context, doctree):
    """Put the forms into their page, and load the script there."""
    if PLACE in context.get("body", ""):
        context["body"] = context["body"].replace(PLACE, forms())
        app.add_js_file("inventory.js")


def setup(app):
    app.connect("html-page-context", place)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

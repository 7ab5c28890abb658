"""Give the classes *yes* and *no* in the text the colours that they have in the pictures.

In italics the two words are classes; as values of an attribute they are code. The line under one is
whole and that under the other broken, for readers who see no difference of colour.
"""

import re

WORD = re.compile("<em>(yes|no)</em>")


def coloured(body):
    """Return a page's text in which classes are marked.

    >>> coloured("<em>yes</em>, <em>no</em> or <em>never</em>")
    '<em class="dtb-yes">yes</em>, <em class="dtb-no">no</em> or <em>never</em>'
    """
    return WORD.sub(r'<em class="dtb-\1">\1</em>', body)


def in_pages(app, pagename, templatename, context, doctree):
    """Mark the classes when a page is written."""
    if "body" in context:
        context["body"] = coloured(context["body"])


def setup(app):
    app.connect("html-page-context", in_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

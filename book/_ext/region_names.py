"""Number the parts of a page that have the same name, so that a screen reader can list them."""

import re
from collections import Counter

REGION = re.compile(r'(<section class="dtb-[^>]*aria-label=")([^"]*)(")')


def numbered(body):
    """Return a page's text in which no two sections of ours have one name.

    >>> numbered('<section class="dtb-quiz" aria-label="Quiz">' * 2)
    '<section class="dtb-quiz" aria-label="Quiz"><section class="dtb-quiz" aria-label="Quiz 2">'
    """
    seen = Counter()

    def named(found):
        start, name, end = found.groups()
        seen[name] += 1
        return start + name + (f" {seen[name]}" if seen[name] > 1 else "") + end

    return REGION.sub(named, body)


def in_pages(app, pagename, templatename, context, doctree):
    """Number the parts when a page is written."""
    if "body" in context:
        context["body"] = numbered(context["body"])


def setup(app):
    app.connect("html-page-context", in_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

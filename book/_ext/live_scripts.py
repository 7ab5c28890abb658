"""Say once on a page what several of its outputs share: their styles, and the explorables' script.

In a notebook every output stands alone, with all of its script. On a page with several explorables
that compute, the parts of the engine that they need are put together once, behind the last of them.
"""

import re

from dtreebook.pages.live import parts, wrapped

SECTION = re.compile(
    r'<section class="dtb-explorable dtb-live" data-live="(\w+)".*?</section>', re.DOTALL
)
STYLE = re.compile(r"<style[^>]*>.*?</style>", re.DOTALL)
SCRIPT = re.compile(r"<script>\(\(page\) => \{.*?</script>", re.DOTALL)


def once(body):
    """Return a page's text with every style once, and one script for all that computes."""
    seen = set()
    body = STYLE.sub(lambda style: "" if style[0] in seen else seen.add(style[0]) or style[0], body)
    found = list(SECTION.finditer(body))
    if len(found) < 2:
        return body
    script = wrapped(*parts(*(match[1] for match in found)))
    end = found[-1].end()
    body, rest = body[:end], body[end:]
    return SECTION.sub(lambda match: SCRIPT.sub("", match[0]), body) + script + rest


def in_pages(app, pagename, templatename, context, doctree):
    """Give Sphinx the shorter text of a page."""
    if "body" in context:
        context["body"] = once(context["body"])


def setup(app):
    """Tidy the pages when they are written."""
    app.connect("html-page-context", in_pages)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

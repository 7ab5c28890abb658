"""Lead along the spine: Next goes from page to page, and a side room back to its page.

The contents (`_toc.yml`) name the pages of the spine, and under each its side rooms. A page
lists its rooms at its end; a room names its page. The front page says which pages of the spine are
the five chapters.
"""

from docutils.nodes import container, reference
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from tools.contents import CONTENTS, SPINE, chapters

ROOMS = {
    page["file"]: [room["file"] for room in page["sections"]]
    for page in SPINE
    if "sections" in page
}
PAGES = [CONTENTS["root"], *(page["file"] for page in SPINE)]
OF = {room: page for page, rooms in ROOMS.items() for room in rooms}
LIST = (
    '<aside class="dtb-rooms" aria-label="Side rooms"><p>If you want to know more</p>'
    "<ul>{}</ul></aside>"
)
BACK = '<p class="dtb-room">A side room of <a href="{}">{}</a></p>'


class Chapters(SphinxDirective):
    """Say in one line which pages are the five chapters."""

    def run(self):
        node = container()
        self.state.nested_parse(StringList([chapters()]), self.content_offset, node)
        return node.children


def unnumbered(app, env):
    """Number the pages of the spine only: what Sphinx numbers below them has a title, no number."""
    for room in OF.keys() & env.titles.keys():  # a site of few pages lacks some
        env.toc_secnumbers[room] = {}
        env.titles[room].attributes.pop("secnumber", None)
        for link in env.tocs[room].findall(reference):
            link.attributes.pop("secnumber", None)


def lead(app, pagename, templatename, context, doctree):
    """Set where Previous and Next lead; list a page's rooms at its end, name the page of a room."""

    def linked(page):
        return {
            "link": app.builder.get_relative_uri(pagename, page),
            "title": app.env.titles[page].astext(),
        }

    if not app.env.titles.keys() >= {*PAGES, *OF}:
        return  # a site of few pages
    if pagename in PAGES:
        at = PAGES.index(pagename)
        context["prev"] = linked(PAGES[at - 1]) if at else None
        context["next"] = linked(PAGES[at + 1]) if at + 1 < len(PAGES) else linked("sheet")
        rooms = map(linked, ROOMS.get(pagename, ()))
        entries = "".join('<li><a href="{link}">{title}</a></li>'.format(**room) for room in rooms)
        if entries:
            context["body"] += LIST.format(entries)
    elif pagename in OF:
        page, rooms = OF[pagename], ROOMS[OF[pagename]]
        at = rooms.index(pagename)
        context["prev"] = linked(page)
        context["next"] = linked(rooms[at + 1]) if at + 1 < len(rooms) else linked(page)
        back = BACK.format(*linked(page).values())
        context["body"] = context["body"].replace("</h1>", f"</h1>\n{back}", 1)


def setup(app):
    """Give the directive; set numbers when all pages are read, and links when one is written."""
    app.add_directive("chapters", Chapters)
    app.connect("env-check-consistency", unnumbered)
    app.connect("html-page-context", lead)

"""Let a page be there at once, and stay in its place: one style sheet, and scripts that wait.

The themes load a dozen style sheets and as many scripts before a browser draws the first word; on a
phone far from the host each takes its time. Here the style sheets of a page become one, and scripts
wait until the page is read. A typeface that comes late would move the lines that somebody reads:
those of the text are asked for first, and one that is late is kept for the next page. Icons are
waited for, since nothing else can take their place. A page opened from a folder may not ask first,
and has its typefaces soon enough.
"""

import posixpath
import re
from pathlib import Path

NAME = "book.css"
SHEET = re.compile(
    r'[ \t]*<link (?=[^>]*rel="stylesheet")(?![^>]*data-holds)[^>]*'
    r'href="([^":]*_static)/([^"?]+)[^"]*"[^>]*>\n?'
)
HOLDS = re.compile(r'data-holds="([^"]*)"')
IMPORT = re.compile(r'@import "([^"]+)";')
ADDRESS = re.compile(r'url\("?(?!data:)([^")]+)"?\)')
# The themes would have these two come before the typefaces, though they wait.
EARLY = re.compile(r'[ \t]*<link rel="preload" as="script"[^>]*>\n?')
WAITING = re.compile(r"<script (?=src=)")
# A script within the page cannot wait but as a module.
USES_OPTIONS = re.compile(r"<script>(?=\s*DOCUMENTATION_OPTIONS\.)")
HEAD = """<script>if (location.protocol !== "file:")
  for (const name of ["literata", "bricolage-grotesque"])
    document.head.insertAdjacentHTML("beforeend", `<link rel="preload" as="font"
      type="font/woff2" crossorigin href="{there}/fonts/${{name}}.woff2">`);</script>
<link rel="stylesheet" href="{there}/{name}" data-holds="{sheets}" />
<script>if (location.protocol !== "file:")
  for (const face of document.fonts)
    if (!face.family.includes("Awesome")) face.display = "optional";</script>
"""


def quick(html):
    """Return a page that loads one style sheet, and says which ones that holds."""
    links = list(SHEET.finditer(html))
    if not links:
        return html
    sheets = " ".join(link[2] for link in links)
    at, there = links[0].start(), links[0][1]
    html = html[:at] + HEAD.format(there=there, name=NAME, sheets=sheets) + SHEET.sub("", html[at:])
    html = WAITING.sub("<script defer ", EARLY.sub("", html))
    return USES_OPTIONS.sub('<script type="module">', html)


def joined(sheets, folder):
    """Return the text of style sheets and of what they import, addresses as from a folder."""
    return "\n".join(_whole(sheet, folder) for sheet in sheets)


def _whole(sheet, folder):
    def moved(found):
        return f'url("{posixpath.relpath((sheet.parent / found[1]).resolve(), folder.resolve())}")'

    css = ADDRESS.sub(moved, sheet.read_text("utf-8"))
    return IMPORT.sub(lambda found: _whole(sheet.parent / found[1], folder), css)


def _quicken(app, exception):
    if exception or app.builder.name != "html":
        return
    site, sheets = Path(app.outdir), {}
    for page in sorted(site.rglob("*.html")):
        html = quick(page.read_text("utf-8"))
        page.write_text(html, "utf-8")
        sheets |= dict.fromkeys(name for held in HOLDS.findall(html) for name in held.split())
    static = site / "_static"
    (static / NAME).write_text(joined([static / sheet for sheet in sheets], static), "utf-8")


def setup(app):
    app.connect("build-finished", _quicken, priority=900)  # after what is not used has gone
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

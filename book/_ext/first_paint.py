"""Let a page be there at once, and stay in its place: one style sheet, and scripts that wait.

The themes load a dozen style sheets and as many scripts before a browser draws the first word; on a
phone far from the host each takes its time. Here the style sheets of a page become one, and scripts
wait until the page is read. A typeface that comes late would move the lines that somebody reads:
those of the text are asked for first, and one that is late is kept for the next page.
"""

import hashlib
import posixpath
import re
from pathlib import Path

SHEET = re.compile(
    r'[ \t]*<link (?=[^>]*rel="stylesheet")[^>]*href="([^":]*_static)/([^"?]+)[^"]*"[^>]*>\n?'
)
IMPORT = re.compile(r'@import "([^"]+)";')
ADDRESS = re.compile(r'url\("?(?!data:)([^")]+)"?\)')
# The themes would have these two come before the typefaces, though they wait.
EARLY = re.compile(r'[ \t]*<link rel="preload" as="script"[^>]*>\n?')
WAITING = re.compile(r"<script (?=src=)")
# A script within the page cannot wait but as a module.
USES_OPTIONS = re.compile(r"<script>(?=\s*DOCUMENTATION_OPTIONS\.)")
FONTS = ("literata", "bricolage-grotesque")  # of text and of headings
# A page that was opened from a folder may not ask for them: browsers take this for another host.
ASK = """<script>if (location.protocol !== "file:") for (const name of {names})
      document.head.append(Object.assign(document.createElement("link"), {{rel: "preload", as: "font",
        type: "font/woff2", crossOrigin: "", href: `{static}/fonts/${{name}}.woff2`}}));</script>
"""


def joined(sheets, folder):
    """Return the text of style sheets, what they import in its place, addresses as from a folder."""
    return "\n".join(_whole(sheet, folder) for sheet in sheets)


def _whole(sheet, folder):
    def moved(found):
        return f'url("{posixpath.relpath((sheet.parent / found[1]).resolve(), folder.resolve())}")'

    css = ADDRESS.sub(moved, sheet.read_text("utf-8"))
    return IMPORT.sub(lambda found: _whole(sheet.parent / found[1], folder), css)


def quick(html, static):
    """Return a page that loads one style sheet, which is written beside the others."""
    links = list(SHEET.finditer(html))
    if not links:
        return html
    css = joined([static / link[2] for link in links], static)
    css = css.replace("font-display: swap", "font-display: optional")
    name = f"book-{hashlib.sha256(css.encode()).hexdigest()[:12]}.css"
    (static / name).write_text(css, "utf-8")
    at, there = links[0].start(), links[0][1]
    one = f'<link rel="stylesheet" href="{there}/{name}" />\n'
    html = html[:at] + one + ASK.format(names=list(FONTS), static=there) + SHEET.sub("", html[at:])
    html = WAITING.sub("<script defer ", EARLY.sub("", html))
    return USES_OPTIONS.sub('<script type="module">', html)


def _quicken(app, exception):
    if exception or app.builder.name != "html":
        return
    site = Path(app.outdir)
    for page in site.rglob("*.html"):
        html = page.read_text("utf-8")
        page.write_text(quick(html, site / "_static"), "utf-8")


def setup(app):
    app.connect("build-finished", _quicken, priority=900)  # after what is not used has gone
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

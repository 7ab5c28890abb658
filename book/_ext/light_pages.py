"""Let a page load little and be there at once: one style sheet, one script, and nothing unused.

The themes load a dozen style sheets and as many scripts before a browser draws the first word, with
rules for hundreds of classes and every icon twice; on a phone far from the host each takes its
time. Here the site has one script and one style sheet for all explorables, and a script for the
laboratory (a stored output holds the data alone: `twentyquestions.live`), whose tables are loaded
when somebody opens them. Scripts that a page does not need go, and so do the rules of classes that
no page has, and the characters of fonts that none shows, with the ligatures that would draw `<=` in
code as another sign. The style sheets become one, the scripts of all pages another, and scripts
wait until the page is read.

A class counts as used if its name occurs anywhere in a page or a script, so that a class that a
script sets is kept as well. An icon counts as used if a rule that is left draws it, a character if
it occurs anywhere.

A typeface that comes late would move the lines that somebody reads: those of the text are asked for
first, and one that is late is kept for the next page. Icons are waited for, since nothing else can
take their place. A page opened from a folder may not ask first, and has its typefaces soon enough.
"""

import json
import logging
import posixpath
import re
import string
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from html import unescape
from pathlib import Path

import tinycss2
from fontTools import subset

from twentyquestions.live import ASLEEP, KINDS, bundle, styles

try:
    import minify
except ModuleNotFoundError:  # there is none for Apple's processors: scripts stay as they are
    minify = None

logging.getLogger("fontTools").setLevel(logging.WARNING)  # else it tells of every table
EXPLORABLES, LABORATORY, SHEETS, SCRIPTS = "explorables", "laboratory", "book.css", "book.js"
# The scripts, and which modules begin in each.
STARTED = {
    EXPLORABLES: [kind for kind in KINDS if kind != LABORATORY],
    LABORATORY: [LABORATORY],
    "practice": ["another"],
    "progress": ["progress"],
    "inventory": ["inventory"],
}
FIRST_TABLE = "smokers"  # twentyquestions/web/laboratory/laboratory.js opens it
TOLD = re.compile(
    f'(?<=data-live="{LABORATORY}")(.*?<script type="application/json">)(.*?)(?=</script>)',
    re.DOTALL,
)
WORD = re.compile(r"[\w-]+")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
COMMA = re.compile(r",(?![^()]*\))")  # of a list of selectors, not within brackets
NEGATED = re.compile(r":not\([^()]*\)")
ICON = re.compile("[\ue000-\uf8ff]")
GROUPS = {"media", "supports", "layer"}
# Where a formula has the letter of a variable, browsers draw its italic form.
ITALIC = "".join(map(chr, [0x210E, *range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)]))
# Every icon of Font Awesome once more as a script of 1.5 MB, Bootstrap to open one menu, and Thebe,
# which is switched off; the search on every page, and the styles of sphinx-design where nothing is
# designed.
UNWANTED = re.compile(
    r"^[ \t]*(?:<script[^>]*(?:(?:fontawesome|bootstrap|sphinx-thebe)\.js|x-thebe-config)[^>]*>"
    r".*?</script>"
    r"|<script>const THEBE_JS_URL.*?</script>"
    r"|<link[^>]*sphinx-thebe\.css[^>]*>)\n?",
    re.DOTALL | re.MULTILINE,
)
SEARCH = re.compile(
    r'^[ \t]*<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^>]*></script>\n?',
    re.MULTILINE,
)
DESIGN = re.compile(
    r"^[ \t]*<(?:link|script)[^>]*_static/(?:sphinx-design|design-tabs)[^>]*>(?:</script>)?\n?",
    re.MULTILINE,
)
SHEET = re.compile(
    r'^[ \t]*<link (?=[^>]*rel="stylesheet")(?![^>]*data-holds)[^>]*'
    r'href="([^":]*_static)/([^"?]+)[^"]*"[^>]*>\n?',
    re.MULTILINE,
)
# The scripts of all pages; those that only some have stay apart.
SCRIPT = re.compile(
    rf'^[ \t]*<script (?:defer )?src="([^":]*_static)/(?!{EXPLORABLES}|{LABORATORY}|practice'
    r'|progress|inventory|searchtools|language_data)([^"?]+)[^"]*"></script>\n?',
    re.MULTILINE,
)
# A menu that a script of the theme would open: browsers do.
MENU = re.compile(
    r'data-bs-toggle="dropdown" aria-expanded="false"(.*?<ul)(?= class="dropdown-menu")', re.DOTALL
)
# Of a typeface: how letters stand beside each other, and digits below each other.
FEATURES = ["kern", "liga", "ccmp", "locl", "mark", "mkmk", "rvrn", "tnum", "lnum", "ssty"]
HOLDS = re.compile(r'data-holds="([^"]*)"')
IMPORT = re.compile(r'@import "([^"]+)";')
ADDRESS = re.compile(r'url\("?(?!data:)([^")]+)"?\)')
# The themes would have these two come before the typefaces, though they wait.
EARLY = re.compile(r'^[ \t]*<link rel="preload" as="script"[^>]*>\n?', re.MULTILINE)
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


def write_scripts(app):
    """Write the scripts into the site, and their styles."""
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    for name, modules in STARTED.items():
        (static / f"{name}.js").write_text(shortened(bundle(*modules)) + ";", "utf-8")
    (static / f"{EXPLORABLES}.css").write_text(styles("live", *KINDS, "quiz"), "utf-8")
    (static / "practice.css").write_text(styles("practice"), "utf-8")


def shortened(script):
    """Return a script that says the same in fewer bytes, where there is what makes one."""
    return minify.string("application/javascript", script) if minify else script


def wake(app, pagename, templatename, context, doctree):
    """Have a page with explorables load their script."""
    if ASLEEP in context.get("body", ""):
        context["body"] = TOLD.sub(
            partial(put_tables_apart, Path(app.outdir)), context["body"].replace(ASLEEP, "")
        )
        app.add_js_file(f"{LABORATORY if pagename == LABORATORY else EXPLORABLES}.js")


def put_tables_apart(site, told):
    """Leave the laboratory its first table, and write each other one into a script of its own.

    A page that was opened from a folder may load scripts, and nothing else.
    """
    data = json.loads(told[2])
    (site / "_static" / "tables").mkdir(exist_ok=True)
    for name, columns in data["tables"].items():
        if name != FIRST_TABLE:
            address = f"_static/tables/{name.replace(' ', '_')}.js"
            event = f'"dtb-table {name}", {{ detail: {json.dumps(columns)} }}'
            (site / address).write_text(
                f"document.dispatchEvent(new CustomEvent({event}));", "utf-8"
            )
            data["tables"][name] = address
    return told[1] + json.dumps(data).replace("<", "\\u003c")


def used(css, words):
    """Return the style sheet without the rules for classes that are not among the words."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return tinycss2.serialize(_kept(rules, words))


def _kept(rules, words):
    """Return the rules that something on a page may answer to."""
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = COMMA.split(tinycss2.serialize(rule.prelude))
            if not any(_answers(selector, words) for selector in selectors):
                continue
        elif rule.type == "at-rule" and rule.lower_at_keyword in GROUPS and rule.content:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            rule.content = _kept(inner, words)
            if not rule.content:
                continue
        kept.append(rule)
    return kept


def _answers(selector, words):
    """Whether every class that the selector asks for is among the words."""
    return all(name in words for name in CLASS.findall(NEGATED.sub("", selector)))


def draw_only(font, characters):
    """Keep of the font, in its place, the characters alone."""
    options = subset.Options(
        flavor="woff2", notdef_outline=True, hinting=False, layout_features=FEATURES
    )
    loaded = subset.load_font(font, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(loaded)
    subset.save_font(loaded, font, options)


def quick(html):
    """Return a page that loads one style sheet and one script, and says which ones these hold."""
    links = list(SHEET.finditer(html))
    if not links:
        return html
    scripts = list(SCRIPT.finditer(html))
    held = " ".join(script[2] for script in scripts)
    first = f'<script src="{scripts[0][1]}/{SCRIPTS}" data-holds="{held}"></script>\n'
    at = scripts[0].start()
    html = html[:at] + first + SCRIPT.sub("", html[at:])
    sheets = " ".join(link[2] for link in links)
    at, there = links[0].start(), links[0][1]
    html = (
        html[:at] + HEAD.format(there=there, name=SHEETS, sheets=sheets) + SHEET.sub("", html[at:])
    )
    html = WAITING.sub("<script defer ", EARLY.sub("", html))
    return USES_OPTIONS.sub('<script type="module">', html)


def whole(sheet, folder):
    """Return the text of a style sheet and of what it imports, addresses as from a folder."""

    def moved(found):
        return f'url("{posixpath.relpath((sheet.parent / found[1]).resolve(), folder.resolve())}")'

    css = ADDRESS.sub(moved, sheet.read_text("utf-8"))
    return IMPORT.sub(lambda found: whole(sheet.parent / found[1], folder), css)


# What folds the entries below an entry of the contents, for who does not see the arrow.
FOLD = '<summary><span class="toctree-toggle"'


def lean(html, is_search=False):
    """Return a page without the scripts and styles that it does not need."""
    html = html.replace(FOLD, FOLD.replace("<summary>", '<summary aria-label="Its side rooms">'))
    html = MENU.sub(r'popovertarget="dtb-menu"\1 id="dtb-menu" popover', UNWANTED.sub("", html))
    # What the body holds is written on it: styles that look for it below cost every frame.
    if f'data-live="{LABORATORY}"' in html:
        html = html.replace("<body data-default", f"<body data-{LABORATORY} data-default", 1)
    html = html if is_search else SEARCH.sub("", html)
    return html if 'class="sd-' in html else DESIGN.sub("", html)


def leave_out(static, pages):
    """Take out of the style sheets and fonts what no page and no script uses."""
    words, icons, characters = set(), set(), set(string.printable + ITALIC)
    # The last are the theme's templates.
    for unused in ["*.map", "fontawesome.js", "bootstrap.js", "*macros.html"]:
        for file in static.rglob(unused):
            file.unlink()
    scripts = (path.read_text("utf-8", errors="replace") for path in static.rglob("*.js"))
    for text in [*pages, *scripts]:
        words.update(WORD.findall(text))
        characters.update(unescape(text))
    for sheet in static.rglob("*.css"):
        css = used(sheet.read_text("utf-8"), words)
        icons.update(ICON.findall(css))
        characters.update(css)
        sheet.write_text(css, "utf-8")
    for font in static.glob("vendor/fontawesome/webfonts/*.woff2"):
        draw_only(font, "".join(icons))
        font.with_suffix(".ttf").unlink(missing_ok=True)
    with ProcessPoolExecutor() as beside:  # half a second each
        draw = partial(draw_only, characters="".join(characters))
        list(beside.map(draw, static.glob("fonts/*.woff2")))


def lighten(app, exception):
    """Make the finished pages light."""
    if exception or app.builder.name != "html":
        return
    site = Path(app.outdir)
    pages = {
        path: quick(lean(path.read_text("utf-8"), path.name == "search.html"))
        for path in sorted(site.rglob("*.html"))
        if not path.match("*macros.html")
    }
    for path, html in pages.items():
        path.write_text(html, "utf-8")
    static = site / "_static"
    leave_out(static, pages.values())
    held = dict.fromkeys(
        static / name
        for html in pages.values()
        for names in HOLDS.findall(html)
        for name in names.split()
    )
    sheets = [whole(path, static) for path in held if path.suffix == ".css"]
    (static / SHEETS).write_text("\n".join(sheets), "utf-8")
    scripts = [path.read_text("utf-8") for path in held if path.suffix == ".js"]
    (static / SCRIPTS).write_text("\n;".join(scripts), "utf-8")


def setup(app):
    """Begin with the scripts, and wait until all else is written."""
    app.add_css_file(f"{EXPLORABLES}.css")
    app.connect("builder-inited", write_scripts)
    app.connect("html-page-context", wake)
    app.connect("build-finished", lighten, priority=900)

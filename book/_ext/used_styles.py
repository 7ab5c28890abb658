"""Leave out of the themes' styles and of the fonts what no page uses: most of what a reader loads.

A class counts as used if its name occurs anywhere in a page or a script, so that a class that a
script sets is kept as well. An icon counts as used if a rule that is left draws it, a character if
it occurs anywhere.
"""

import re
import string
from html import unescape
from pathlib import Path

import tinycss2
from fontTools import subset

WORD = re.compile(r"[\w-]+")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
NEGATED = re.compile(r":not\([^()]*\)")
ICON = re.compile("[\ue000-\uf8ff]")
GROUPS = {"media", "supports", "layer"}
# Where a formula has the letter of a variable, browsers draw its italic form.
ITALIC = "".join(map(chr, [0x210E, *range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)]))


def used(css, words):
    """Return the style sheet without the rules for classes that are not among the words."""
    rules = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return tinycss2.serialize(_kept(rules, words))


def _kept(rules, words):
    """Return the rules that something on a page may answer to."""
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = tinycss2.serialize(rule.prelude)
            if not any(_answers(selector, words) for selector in _parted(selectors)):
                continue
        elif rule.type == "at-rule" and rule.lower_at_keyword in GROUPS and rule.content:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            rule.content = _kept(inner, words)
            if not rule.content:
                continue
        kept.append(rule)
    return kept


def _parted(selectors):
    """Return the selectors of a list; the commas within brackets part nothing."""
    return re.split(r",(?![^()]*\))", selectors)


def _answers(selector, words):
    """Whether every class that the selector asks for is among the words."""
    return all(name in words for name in CLASS.findall(NEGATED.sub("", selector)))


def _lighten(app, exception):
    if exception or app.builder.name != "html":
        return
    folder = Path(app.outdir)
    words, icons, characters = set(), set(), set(string.printable + ITALIC)
    for path in [*folder.glob("*.html"), *folder.glob("_static/**/*.js")]:
        text = path.read_text(encoding="utf-8", errors="replace")
        words.update(WORD.findall(text))
        characters.update(unescape(text))
    for sheet in folder.glob("_static/**/*.css"):
        css = used(sheet.read_text(encoding="utf-8"), words)
        icons.update(ICON.findall(css))
        characters.update(css)
        sheet.write_text(css, encoding="utf-8")
    for font in folder.glob("_static/vendor/fontawesome/webfonts/*.woff2"):
        draw_only(font, "".join(icons))
        font.with_suffix(".ttf").unlink(missing_ok=True)
    for font in folder.glob("_static/fonts/*.woff2"):
        draw_only(font, "".join(characters))


def draw_only(font, characters):
    """Keep of the font, in its place, the characters alone."""
    options = subset.Options(flavor="woff2", notdef_outline=True, layout_features=["*"])
    loaded = subset.load_font(font, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    subsetter.subset(loaded)
    subset.save_font(loaded, font, options)


def setup(app):
    app.connect("build-finished", _lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

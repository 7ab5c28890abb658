"""Leave out of the themes' style sheets what no page uses: two thirds of what a reader would load.

A class counts as used if its name occurs anywhere in a page or a script, so that a class that a
script sets is kept as well.
"""

import re
from pathlib import Path

import tinycss2

WORD = re.compile(r"[\w-]+")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
NEGATED = re.compile(r":not\([^()]*\)")
GROUPS = {"media", "supports", "layer"}


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
    texts = [*folder.glob("*.html"), *folder.glob("_static/**/*.js")]
    words = set()
    for path in texts:
        words.update(WORD.findall(path.read_text(encoding="utf-8", errors="replace")))
    for sheet in folder.glob("_static/**/*.css"):
        if "fontawesome" not in sheet.parts:
            sheet.write_text(used(sheet.read_text(encoding="utf-8"), words), encoding="utf-8")


def setup(app):
    app.connect("build-finished", _lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Explorables that compute: the page itself grows trees and follows the reader's hand.

A `Live` is a title, data, and the name of a script of the folder ``web`` that does the rest. A
kernel shows it with that script and its styles, so that it answers in JupyterLab, in Colab and in a
saved page and asks for nothing. A stored notebook holds the data alone, and the book brings the
scripts once for all pages. Without scripts there are the first view and its sentence, and the
answer to the guess, folded.

What runs in the page are ES modules in plain JavaScript, one idea each; ``web/README.md`` maps
their rooms. A page that was opened from a file may load no modules, so they are put together as one
classic script. Nothing stays behind in the page.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

# What computes, and touches no page.
COMPUTING = ("measures", "tree", "text", "growth", "multiway", "c45", "cart", "prune")

WEB = files("twentyquestions").joinpath("web")
# Of a module: what it imports from which, where its statements begin, and the name of one.
IMPORT = re.compile(r'^import \{([^}]*)\} from "\.[./a-z]*/(\w+)\.js";\n', re.MULTILINE)
STATEMENT = re.compile(r"^(?=\w)", re.MULTILINE)
NAMED = re.compile(r"(export )?((?:(?:async )?(?:function\*?|const|class) (\w+))?.*)", re.DOTALL)
WORD = re.compile(r"[\w$]+")

# Types, lines that are comments, and indents.
NOTES = re.compile(r"/\*\*(?:.|\n)*?\*/\s?|^ *//.*\n|^ +", re.MULTILINE)

# The kinds of explorables: modules that start one, in the order in which gzip makes them smallest.
# fmt: off
KINDS = (
    "ask", "walk", "trace", "questions", "plane", "huffman", "pour", "partition", "votes", "price",
    "staircase", "bags", "estimate", "boost", "threshold", "standin", "chance", "mosaic",
    "laboratory",
)
# fmt: on

# Those that stay in the column; all others take the room of the margin, which the theme knows by
# `full-width`.
NARROW = {"ask", "laboratory"}

# What a stored output has in place of the script; book/nbval_sanitize.cfg says the same.
ASLEEP = "<p data-still>Run this cell to use it.</p>"
SCRIPT_OF = re.compile("<style data-engine>.*?</script>", re.DOTALL)
QUIZ_STYLES_OF = re.compile('<style data-quiz="">.*?</style>', re.DOTALL)
# How a quiz begins; its classes ask JupyterLab to set the mathematics, as the book does by itself.
QUIZ = '<section class="dtb-quiz tex2jax_process mathjax_process" aria-label="Quiz">'
ASLEEP_OF = re.compile(f'(data-live="(\\w+)".*?){re.escape(ASLEEP)}', re.DOTALL)


@cache
def rooms() -> dict[str, Any]:
    """Return the files of all rooms of ``web`` by name; no two of them have the same."""
    folders = (room for room in WEB.iterdir() if room.is_dir())
    return {file.name: file for room in folders for file in room.iterdir()}


@cache
def modules(*names: str) -> dict[str, str]:
    """Return modules and all that they import, each after those, as text by name.

    Examples
    --------
    >>> list(modules("text"))
    ['measures', 'tree', 'text']
    """
    found: dict[str, str] = {}
    for name in names:
        text = rooms()[f"{name}.js"].read_text("utf-8")
        found |= modules(*(module for _, module in IMPORT.findall(text))) | {name: text}
    return found


class Module:
    """Hold a module on its way into a bundle: its statements, and what others want of it."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.imports = {one: of for some, of in IMPORT.findall(text) for one in WORD.findall(some)}
        parts = STATEMENT.split(IMPORT.sub("", text))[1:]
        found = [NAMED.findall(NOTES.sub("", part))[0] for part in parts]
        self.exports = [name for is_export, _, name in found if is_export]
        self.statements = [(name, code) for _, code, name in found]
        self.wanted: set[str] = set()

    def keep(self) -> None:
        """Leave out the statements that nothing wanted leads to, and what only they import."""
        named, used = dict(self.statements), {""}
        ahead = [*self.wanted, *(code for name, code in self.statements if not name)]
        for text in ahead:  # which grows
            for name in WORD.findall(text):
                if name in named and name not in used:
                    used.add(name)
                    ahead.append(named[name])
        self.statements = [(name, code) for name, code in self.statements if name in used]
        words = set(WORD.findall(self.code))
        self.imports = {one: of for one, of in self.imports.items() if one in words}

    @property
    def code(self) -> str:
        """The statements as text."""
        return "".join(code for _, code in self.statements)


def bundle(*names: str) -> str:
    """Return modules, and all that they import, as one expression whose value is what they export.

    Each module has a scope of its own. One that shares no name with another needs no function for
    that. What a function returns goes by its own name outside, or, where two modules give the same
    name, by the module's as well. What nothing uses is left out.

    Examples
    --------
    >>> "function entropy(counts) {" in bundle("measures")
    True
    """
    found = {name: Module(name, text) for name, text in modules(*names).items()}
    for name in names:
        found[name].wanted.update(found[name].exports)
    for module in reversed(found.values()):  # what imports a module stands behind it
        module.keep()
        for one, of in module.imports.items():
            found[of].wanted.add(one)
    often = Counter(name for module in found.values() for name, _ in module.statements if name)

    def outside(name, of):
        return name if often[name] == 1 else f"{name}${of}"

    made = []
    for module in found.values():
        inside = {name for name, _ in module.statements if name} | module.imports.keys()
        if all(often[name] == 1 for name in inside):
            made.append(module.code)
            continue
        heads = ((name, outside(name, of)) for name, of in module.imports.items())
        head = "".join(f"const {name} = {there};\n" for name, there in heads if name != there)
        given = sorted(module.wanted)
        there = ", ".join(outside(name, module.name) for name in given)
        code = f"{head}{module.code}return [{', '.join(given)}];"
        made.append(f"const [{there}] = (() => {{\n{code}\n}})();\n")
    exported = [(name, of) for of in names for name in found[of].exports]
    result = ", ".join(f"{name}: {outside(name, of)}" for name, of in exported)
    return f"(() => {{\n{''.join(made)}return {{ {result} }};\n}})()"


class View(NamedTuple):
    """What is shown without scripts."""

    sentence: str  #: what there is to see, with its numbers
    pieces: tuple = ()  #: tuple of `dtreebook.plot.sheet.Picture`


def styles(*names: str) -> str:
    """Return the style sheets of that name; not every kind of explorable has one of its own."""
    sheets = (rooms().get(f"{name}.css") for name in names)
    rules = "".join(sheet.read_text("utf-8") for sheet in sheets if sheet)
    return re.sub(r"\s+", " ", re.sub(r"/\*.*?\*/", "", rules)).strip()


@cache
def script_of(kind: str) -> str:
    """Return the styles and the script of a kind of explorables as elements of a page."""
    sheets = styles("live", kind)
    return f"<style data-engine>{sheets}</style><script>{bundle(kind)};</script>"


def asleep(html: str) -> str:
    """Leave the script, and the styles of questions, out of an output."""
    return QUIZ_STYLES_OF.sub("", SCRIPT_OF.sub(ASLEEP, html))


def awake(html: str) -> str:
    """Put the script, or the styles of questions, into a stored output that was left without.

    Examples
    --------
    >>> from twentyquestions.explorables import twenty_questions
    >>> html = twenty_questions().html
    >>> awake(asleep(html)) == html
    True
    """
    html = html.replace(QUIZ, QUIZ + quiz_styles())
    return ASLEEP_OF.sub(lambda found: found[1] + script_of(found[2]), html)


def quiz_styles() -> str:
    """Return the styles of questions as an element of a page."""
    return f'<style data-quiz="">{styles("quiz")}</style>'


@dataclass(frozen=True)
class Guess:
    """Hold what is asked before an explorable opens, and what is said then."""

    question: str  #: in words
    answer: float  #: the place of the right option, or the right number
    because: str  #: what is said after a guess, with the answer in it
    options: tuple = ()  #: the options in words, to choose one; none if a number is asked for
    unit: str = ""  #: of the number
    ends: tuple = (0, 100)  #: of the line on which the number is pressed

    @property
    def data(self) -> dict:
        """What the script is told."""
        told = {"question": self.question, "answer": self.answer, "because": self.because}
        if self.options:
            return told | {"options": self.options}
        return told | {"unit": self.unit, "ends": self.ends}

    @property
    def still(self) -> str:
        """What is shown without scripts: a line to write on, on paper, and a folded answer."""
        return (
            f'<div data-still><p>{escape(self.question)}</p><p class="dtb-line"></p>'
            f"<details><summary>The answer</summary><p>{escape(self.because)}</p></details></div>"
        )


@dataclass(frozen=True, repr=False)
class Live:
    """Hold an explorable that the page computes; a notebook shows it by itself."""

    title: str  #: what is explored
    kind: str  #: which script builds it, one of `KINDS`
    data: dict  #: what the script is told, of lists, numbers and strings
    view: View  #: the first view, for pages without scripts
    guess: Guess | None = None  #: what is asked before; None for nothing

    def __repr__(self):
        return f"{self.title}: {self.view.sentence}"

    @property
    def html(self) -> str:
        """The explorable as HTML that needs no kernel and no network."""
        data = self.data | ({"guess": self.guess.data} if self.guess else {})
        told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        # Nothing in it ends the script, or begins a comment in which its end would not count.
        told = re.sub("<(?=/|!--|script)", r"\\u003c", told, flags=re.IGNORECASE)
        pieces = "".join(piece._repr_html_() for piece in self.view.pieces)
        wide = "" if self.kind in NARROW else " dtb-wide full-width"
        return (
            f'<section class="dtb-explorable dtb-live{wide}" data-live="{self.kind}" '
            f'aria-label="{escape(self.title)}">'
            f'<p class="dtb-title">{escape(self.title)}</p>'
            f"{self.guess.still if self.guess else ''}"
            f"<div data-still><p>{escape(self.view.sentence)}</p>{pieces}</div>"
            f'<script type="application/json">{told}</script>{script_of(self.kind)}</section>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": self.html}

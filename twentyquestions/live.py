"""Explorables that compute: the page itself grows trees and follows the reader's hand.

A `Live` is a title, data, and the name of a script of the folder ``web`` that does the rest. A
kernel shows it with that script and its styles, so that it answers in JupyterLab, in Colab and in a
saved page and asks for nothing. A stored notebook holds the data alone, and the book brings the
engine once for all pages. Without scripts there are the first view and its sentence, and the answer
to the guess, folded.

The files of the engine are ES modules in plain JavaScript, one idea each, that grow and prune trees
in the reader's browser. A page that was opened from a file may load no modules, so they are put
together as one classic script, in which all share one scope. Nothing stays behind in the page.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

# What computes, and touches no page.
ENGINE = ("measures", "tree", "takeaway", "grow", "branches", "multiway", "cart", "prune")

WEB = files("twentyquestions").joinpath("web")
# Of a module: what it imports, where its statements begin, and the name of one that has a name.
IMPORT = re.compile(r'^import \{[^}]*\} from "\.[./a-z]*/(\w+)\.js";\n', re.MULTILINE)
STATEMENT = re.compile(r"^(?=\w)", re.MULTILINE)
NAMED = re.compile(r"(export )?((?:(?:async )?(?:function\*?|const|class) (\w+))?.*)", re.DOTALL)

# Types, lines that are comments, and indents.
NOTES = re.compile(r"/\*\*(?:.|\n)*?\*/\s?|^ *//.*\n|^ +", re.MULTILINE)

# The kinds of explorables: modules that start one, in the order in which gzip makes them smallest.
# fmt: off
KINDS = (
    "ask", "walk", "trace", "questions", "plane", "code", "pour", "cuts", "votes", "price",
    "staircase", "mosaic", "bags", "estimate", "boost", "cut", "standin", "chance", "laboratory",
)
# fmt: on

# Those that stay in the column; all others take the room of the margin, which the theme knows by
# `full-width`.
NARROW = {"ask", "laboratory"}

# What a stored output has in place of the engine; book/nbval_sanitize.cfg says the same.
ASLEEP = "<p data-still>Run this cell to use it.</p>"
ENGINE_OF = re.compile("<style data-engine>.*?</script>", re.DOTALL)
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
    >>> list(modules("takeaway"))
    ['measures', 'tree', 'takeaway']
    """
    found: dict[str, str] = {}
    for name in names:
        text = rooms()[f"{name}.js"].read_text("utf-8")
        found |= modules(*IMPORT.findall(text)) | {name: text}
    return found


def bundle(*names: str) -> str:
    """Return modules, and all that they import, as one expression whose value is what they export.

    They share one scope, in which no two things have one name; what nothing uses is left out.

    Examples
    --------
    >>> "function entropy(counts) {" in bundle("measures")
    True
    """
    parts, given = [], []
    for module, text in modules(*names).items():
        for part in STATEMENT.split(IMPORT.sub("", text))[1:]:
            is_export, code, name = NAMED.findall(NOTES.sub("", part))[0]
            parts.append((name, code))
            if is_export and module in names:
                given.append(name)
    named, used = dict(parts), {""}
    ahead = [*given, *re.findall(r"\w+", "".join(code for name, code in parts if not name))]
    while ahead:
        name = ahead.pop()
        if name in named and name not in used:
            used.add(name)
            ahead += re.findall(r"\w+", named[name])
    code = "".join(code for name, code in parts if name in used)
    return f"(() => {{\n{code}return {{ {', '.join(given)} }};\n}})()"


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
def engine(kind: str) -> str:
    """Return the styles and the script of a kind of explorables as elements of a page."""
    sheets = styles("live", kind)
    return f"<style data-engine>{sheets}</style><script>{bundle(kind)};</script>"


def asleep(html: str) -> str:
    """Leave the engine, and the styles of questions, out of an output."""
    return QUIZ_STYLES_OF.sub("", ENGINE_OF.sub(ASLEEP, html))


def awake(html: str) -> str:
    """Put the engine, or the styles of questions, into a stored output that was left without.

    Examples
    --------
    >>> from twentyquestions.explorables import twenty_questions
    >>> html = twenty_questions().html
    >>> awake(asleep(html)) == html
    True
    """
    html = html.replace(QUIZ, QUIZ + quiz_styles())
    return ASLEEP_OF.sub(lambda found: found[1] + engine(found[2]), html)


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
    kind: str  #: which script of the engine builds it, one of `KINDS`
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
            f'<script type="application/json">{told}</script>{engine(self.kind)}</section>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": self.html}

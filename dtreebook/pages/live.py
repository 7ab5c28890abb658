"""Explorables that compute: the page itself grows trees and follows the reader's hand.

A `Live` is a title, data, and the name of a script of the folder ``engine`` that does the rest; see
`dtreebook.pages.script`. It is the same in the published book, in JupyterLab, in Colab and in a
saved page: the script is in every output and asks for nothing. Without scripts there are the
first view and its sentence, and the answer to the guess, folded.
"""

import json
import re
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files

from dtreebook.pages.explorable import View
from dtreebook.pages.script import ENGINE, script

# The parts of the engine that each kind needs.
PARTS = {
    "questions": ("measures", "draw", "reach", "questions"),
    "chance": ("measures", "draw", "reach", "chance"),
    "mosaic": ("measures", "draw", "reach", "mosaic"),
    "walk": ("measures", "tree", "grow", "multiway", "draw", "reach", "walk"),
    "cut": ("measures", "multiway", "draw", "reach", "cut"),
    "pour": ("measures", "tree", "grow", "draw", "reach", "pour"),
    "estimate": ("measures", "tree", "grow", "prune", "draw", "reach", "estimate"),
    "bags": ("measures", "draw", "reach", "bags"),
    "standin": ("measures", "tree", "grow", "draw", "reach", "standin"),
    "staircase": ("measures", "tree", "grow", "cart", "draw", "reach", "staircase"),
    "plane": ("measures", "tree", "grow", "cart", "prune", "draw", "reach", "plane"),
    "links": ("measures", "tree", "grow", "prune", "draw", "reach", "links"),
    "laboratory": (*ENGINE, "draw", "reach", "csv", "laboratory"),
}


def _style(name):
    """Return a style sheet as an element of a page; not every kind has one of its own."""
    file = files("dtreebook").joinpath("pages", "engine", f"{name}.css")
    if not file.is_file():
        return ""
    rules = re.sub(r"\s+", " ", file.read_text("utf-8")).strip()
    return f"<style>{rules}</style>"


def wrapped(*names: str) -> str:
    """Return files of the engine as an element of a page; see `dtreebook.pages.script`.

    Examples
    --------
    >>> wrapped("measures")[:16]
    '<script>(() => {'
    """
    return f"<script>(() => {{\n{script(*names)}\n}})();</script>"


@dataclass(frozen=True)
class Guess:
    """Hold what is asked before an explorable opens, and what is said then.

    Attributes
    ----------
    question : in words.
    answer : the place of the right option, or the right number.
    because : what is said after a guess, with the answer in it.
    options : the options in words; none if a number is asked for.
    unit : of the number.
    """

    question: str
    answer: float
    because: str
    options: tuple = ()
    unit: str = ""

    @property
    def data(self) -> dict:
        """What the script is told."""
        told = {"question": self.question, "answer": self.answer, "because": self.because}
        return told | ({"options": self.options} if self.options else {"unit": self.unit})

    @property
    def still(self) -> str:
        """What is shown without scripts: a line to write on, on paper, and a folded answer."""
        return (
            f'<div data-still><p>{escape(self.question)}</p><p class="dtb-line">______________</p>'
            f"<details><summary>The answer</summary><p>{escape(self.because)}</p></details></div>"
        )


@dataclass(frozen=True, repr=False)
class Live:
    """Hold an explorable that the page computes; a notebook shows it by itself.

    Attributes
    ----------
    title : what is explored.
    kind : which script of the engine builds it, one of `PARTS`.
    data : what the script is told, of lists, numbers and strings.
    view : the first view, for pages without scripts.
    guess : what is asked before; None for nothing.
    """

    title: str
    kind: str
    data: dict
    view: View
    guess: Guess | None = field(default=None)

    def __repr__(self):
        return f"{self.title}: {self.view.sentence}"

    @property
    def html(self) -> str:
        """The explorable as HTML that needs no kernel and no network."""
        data = self.data | ({"guess": self.guess.data} if self.guess else {})
        told = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        told = told.replace("</", "<\\/")  # nothing in it ends the script
        style = "".join(map(_style, ("live", self.kind)))
        pieces = "".join(piece._repr_html_() for piece in self.view.pieces)
        return (
            f'<section class="dtb-explorable dtb-live" data-live="{self.kind}" '
            f'aria-label="{escape(self.title)}">{style}'
            f'<p class="dtb-title">{escape(self.title)}</p>'
            f"{self.guess.still if self.guess else ''}"
            f"<div data-still><p>{escape(self.view.sentence)}</p>{pieces}</div>"
            f'<script type="application/json">{told}</script>'
            f"{wrapped(*PARTS[self.kind])}</section>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": repr(self), "text/html": self.html}

"""Controls that answer: in the published page over views made beforehand, live under a kernel.

An `Explorable` is a title, its controls, and a function that turns their positions into a `View`: a
sentence and pictures. A new one needs just that, see `dtreebook.pages.explorables`.

The page has no Python, so every view is made when the cell runs, and one small script puts the
chosen one in place. The script stands in every output, 3 kB each: so the output answers wherever it
is shown, in the book, in JupyterLab without a kernel, or in a saved page, which a script served
from the book's folder would not. Without scripts the first view and its sentence are there.

Where somebody runs the cell, the same function answers controls of ipywidgets as they move; without
ipywidgets 8 they get what the page has.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from html import escape
from importlib.resources import files
from itertools import product
from typing import NamedTuple

KINDS = ("slider", "choice", "steps")
WIDE = {"width": "auto", "max_width": "40em"}  # room for what the options say, as in the page


@dataclass(frozen=True)
class Control:
    """Hold what a reader may choose between.

    Attributes
    ----------
    label : what is chosen.
    options : the options in words.
    start : the position of the option that is chosen at first.
    kind : "slider" for options in a row, "choice" for a few beside each other, "steps" for a slider
        with buttons: back, next, play.

    Raises
    ------
    ValueError
        If there are fewer than two options, no such start, or no such kind.
    """

    label: str
    options: tuple
    start: int = 0
    kind: str = "slider"

    def __post_init__(self):
        object.__setattr__(self, "options", tuple(map(str, self.options)))
        if len(self.options) < 2:
            raise ValueError(f"control {self.label!r} needs two options or more")
        if not 0 <= self.start < len(self.options):
            raise ValueError(
                f"control {self.label!r} starts at {self.start}, "
                f"but its options are 0 to {len(self.options) - 1}"
            )
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}")


class View(NamedTuple):
    """What an explorable shows.

    Attributes
    ----------
    sentence : what there is to see, with its numbers; it is read out where the page is spoken.
    pieces : tuple of `dtreebook.plot.sheet.Picture` and of DataFrames.
    """

    sentence: str
    pieces: tuple = ()


@dataclass(frozen=True, repr=False)
class Explorable:
    """Hold controls and what they show; a notebook shows it by itself.

    Attributes
    ----------
    title : what is explored; it stands above the controls.
    controls : tuple of `Control`.
    view : a function of the controls' positions that returns a `View`. At the start it should be
        the most telling one: it is what is printed.

    Examples
    --------
    >>> Explorable(
    ...     "Squares",
    ...     (Control("n", ("1", "2", "3"), start=1),),
    ...     lambda i: View(f"The square of {i + 1} is {(i + 1) ** 2}."),
    ... )
    Squares: The square of 2 is 4.
    """

    title: str
    controls: tuple
    view: Callable[..., View]

    def __repr__(self):
        return f"{self.title}: {self.view(*self._start).sentence}"

    @property
    def _start(self):
        return [control.start for control in self.controls]

    @cached_property
    def html(self):
        """The explorable as HTML that answers without a kernel, its views inside."""
        numbers, views = {}, []  # every piece is kept once
        for positions in product(*(range(len(control.options)) for control in self.controls)):
            view = self.view(*positions)
            pieces = [numbers.setdefault(_html(piece), len(numbers)) for piece in view.pieces]
            views.append([view.sentence, *pieces])
        start = 0
        for control in self.controls:
            start = start * len(control.options) + control.start
        data = json.dumps({"start": start, "views": views}, ensure_ascii=False)
        # Nothing in it ends the script, or begins a comment in which its end would not count.
        data = data.replace("</", "<\\/")
        data = re.sub("<(?=!--|script)", r"\\u003c", data, flags=re.IGNORECASE)
        controls = "".join(_control(i, control) for i, control in enumerate(self.controls))
        templates = "".join(f"<template>{piece}</template>" for piece in numbers)
        script = files("dtreebook.pages").joinpath("explorable.js").read_text(encoding="utf-8")
        return (
            f'<section class="dtb-explorable" aria-label="{escape(self.title)}">'
            f'<p class="dtb-title">{escape(self.title)}</p>'
            f'<form autocomplete="off" hidden>{controls}</form>'
            f"{_shown(self.view(*self._start))}{templates}"
            f'<script type="application/json">{data}</script>'
            f"<script>{script}</script></section>"
        )

    def widget(self):
        """Return the explorable as a widget of ipywidgets, which computes each view as it is asked.

        Raises ImportError without ipywidgets: ``pip install dtreebook[explore]``.
        """
        import ipywidgets

        controls, rows = [], []
        for control in self.controls:
            look = {
                "options": control.options,
                "index": control.start,
                "description": control.label,
                "style": {"description_width": "initial"},
            }
            if control.kind == "choice":
                made = ipywidgets.RadioButtons(**look, orientation="horizontal", layout=WIDE)
            else:
                made = ipywidgets.SelectionSlider(**look, layout=WIDE)
            controls.append(made)
            rows.append(made)
            if control.kind == "steps":
                play = ipywidgets.Play(max=len(control.options) - 1, interval=1500)
                ipywidgets.link((made, "index"), (play, "value"))
                rows[-1] = ipywidgets.HBox([play, made])
        page = ipywidgets.HTML()

        def show(_change=None):
            page.value = _shown(self.view(*(made.index for made in controls)))

        for made in controls:
            made.observe(show, "index")
        show()
        return ipywidgets.VBox([ipywidgets.Label(self.title), *rows, page])

    def _repr_mimebundle_(self, include=None, exclude=None):
        words = {"text/plain": repr(self)}
        if somebody_is_there():
            first = {"text/html": _shown(self.view(*self._start))}
            try:
                return self.widget()._repr_mimebundle_() | words | first
            except (ImportError, AttributeError):  # no ipywidgets, or those before version 8
                pass
        return words | {"text/html": self.html}


def somebody_is_there():
    """Tell whether a person runs this cell: a program that runs one cannot be asked for input."""
    try:
        from IPython import get_ipython

        return get_ipython().get_parent()["content"]["allow_stdin"]
    except (ImportError, AttributeError, KeyError, TypeError):  # no notebook
        return False


def _shown(view):
    pieces = "".join(map(_html, view.pieces))
    return f'<p role="status">{escape(view.sentence)}</p><div class="dtb-shown">{pieces}</div>'


def _html(piece):
    return piece.to_html(border=0) if hasattr(piece, "to_html") else piece._repr_html_()


def _control(number, control):
    label, options = escape(control.label), escape(json.dumps(control.options, ensure_ascii=False))
    now = escape(control.options[control.start])
    if control.kind == "choice":
        radios = "".join(
            f'<label><input type="radio" name="control-{number}"'
            f"{' checked' * (i == control.start)}> {escape(option)}</label>"
            for i, option in enumerate(control.options)
        )
        return f'<fieldset data-options="{options}"><legend>{label}</legend>{radios}</fieldset>'
    buttons = ""
    if control.kind == "steps":
        looks = ((-1, "Back"), (1, "Next"), ("play", "Play"))
        buttons = "".join(f'<button type="button" value="{v}">{text}</button>' for v, text in looks)
    # The slider says its value itself; said twice it would be noise.
    return (
        f'<div class="dtb-control"><label>{label} <input type="range" min="0" '
        f'max="{len(control.options) - 1}" value="{control.start}" aria-valuetext="{now}" '
        f'data-options="{options}"></label><output aria-hidden="true">{now}</output>{buttons}</div>'
    )

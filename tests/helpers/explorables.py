"""The explorables of the book, from the notebooks that store them and a page that makes its own."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import nbformat
from write_it_yourself import FIRST, card, says

from twentyquestions.live import asleep, awake

BOOK = Path(__file__).resolve().parents[2] / "book"


class Stored(NamedTuple):
    """An explorable as a page stores it."""

    page: str
    kind: str
    output: str  # without the engine

    @property
    def html(self):
        return awake(self.output)

    @property
    def data(self):
        told = re.search(r'<script type="application/json">(.*?)</script>', self.output)
        return json.loads(told[1])

    @property
    def guess(self):
        return self.data.get("guess")


def stored():
    for path in sorted(BOOK.glob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            for output in cell.get("outputs", ()):
                html = output.get("data", {}).get("text/html", "")
                if kind := re.search(r'data-live="(\w+)"', html):
                    yield Stored(path.stem, kind[1], html)
    first = FIRST.search((BOOK / "write_it_yourself.md").read_text("utf-8"))
    html = card(*first.groups()[1:], says(*first.groups())).html
    yield Stored("write_it_yourself", "trace", asleep(html))


# Of guesses alone one stands for all; walks differ, and are named with their pages.
LIVE = {f"walk, {one.page}" if one.kind == "walk" else one.kind: one for one in stored()}

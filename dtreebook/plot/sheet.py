"""What every picture is made with: one palette, one sheet to draw on, one way into the page.

What is not a mark (text, axes, boxes) has the colour of the text around it, and the background is
the page's: legible in light and in dark. A class, a line or a set is told by its hatch, its dashes
or its label too, never by colour alone.
"""

import hashlib
import io
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import style
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font, get_font_names
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.text import Text
from matplotlib.textpath import TextToPath
from matplotlib.transforms import TransformedPatchPath

from dtreebook.data.words import list_in_words, printable, warn

# Okabe and Ito's colours, three of them darkened: each stands out by 3:1 or more from white and
# from #121212. INK stands for the colour of the text around the picture.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#BC6A98", "#AC7700", "#2E8BC0")
HATCHES = ("", "///", "---", "xxx", "|||", "\\\\\\")
DASHES = ("-", "--", ":", "-.", (0, (7, 2)), (0, (1, 3)))
MARKS = ("o", "s", "^", "D", "v", "P")
INK = "#010203"

# A unit is a pixel of the page at natural size. On a page 360 pixels wide a picture of WIDTH is
# shown some 325 wide, and its letters 10 high.
WIDTH, SIZE, LINE = 480, 15, 20
MOST_LISTED = 12  # parts of an alternative text: more are counted
MOST_POINTS = 2000  # cases that are drawn: of more, so many are drawn at random
_LONGEST = 60  # letters of a label
_LEGIBLE = 6  # points: letters that are smaller are hard to read
FONT = "DejaVu Sans"  # it comes with matplotlib, so a text measures the same everywhere
FALLBACK = "Verdana,Arial,sans-serif"  # for pages without it; hardly a letter is wider
# For letters that it lacks, such as Chinese: what Linux, Windows and macOS come with. matplotlib
# takes each letter from the first that has it, and warns of any that is not installed.
# fmt: off
_OTHERS = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "SimHei",
    "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB", "Noto Sans CJK JP", "Yu Gothic",
    "Noto Sans CJK KR", "Malgun Gothic", "Apple SD Gothic Neo", "Noto Sans Devanagari",
    "Nirmala UI", "Noto Sans Thai", "Leelawadee UI", "Segoe UI Symbol", "Arial Unicode MS",
)
# fmt: on
_INSTALLED = set(get_font_names())
FAMILIES = [FONT, *(name for name in _OTHERS if name in _INSTALLED)]

_INKED = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
_STYLE = dict.fromkeys(_INKED, INK) | {
    "axes.facecolor": "none",
    "axes.formatter.useoffset": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": SIZE,
    "figure.dpi": 72,
    "figure.facecolor": "none",
    "font.family": FAMILIES,
    "font.size": SIZE,
    "hatch.linewidth": 1,
    "svg.fonttype": "none",
    "svg.hashsalt": "dtreebook",
    "text.parse_math": False,
}
# Characters that no XML may hold, and where matplotlib's links come from.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# What the root says for all, or what goes without saying.
_UNSAID = re.compile(r"font-(size|family): [^;]*; |text-anchor: start; |; stroke-linejoin: miter")
_XLINK = "{http://www.w3.org/1999/xlink}"


@contextmanager
def _in_style():
    with style.context(["default", _STYLE]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # of each letter; see `save`
        yield


styled = _in_style()


@dataclass(frozen=True, repr=False)
class Picture:
    """Hold a drawing, its data and what is seen in words; a notebook shows it by itself.

    Examples
    --------
    >>> from dtreebook.plot import class_counts
    >>> picture = class_counts([[9, 6]], names=["all"], classes=["yes", "no"])
    >>> picture.alt
    'Bars of counts. all: yes 9, no 6.'
    >>> print(picture.csv)
    value,yes,no
    all,9,6
    <BLANKLINE>
    """

    figure: Figure
    alt: str  #: the text for readers who do not see the drawing
    data: pd.DataFrame  #: DataFrame of what is drawn
    caption: str = ""  #: what it shows, in a sentence below it; see `captioned`

    def captioned(self, finding: str) -> "Picture":
        """Return the same picture with a sentence below it."""
        return replace(self, caption=finding)

    @property
    @styled
    def svg(self) -> str:
        """The drawing as an SVG element: the same bytes for the same picture."""
        file = io.StringIO()
        self.figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        return _tidy(file.getvalue())

    @property
    def csv(self) -> str:
        """The data as text, a row a line, numbers to six figures."""
        return self.data.to_csv(index=False, float_format="%.6g", lineterminator="\n")

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/csv": self.csv}  # beside the drawing, for who takes the figure elsewhere

    def _repr_html_(self):
        drawing = self.svg.replace("<svg", '<svg aria-hidden="true"', 1)
        caption = self.caption and f"<figcaption>{escape(printable(self.caption))}</figcaption>"
        return (
            f'<figure class="dtb-picture"><div role="img" aria-label="{self._alt}">'
            f"{drawing}</div>{caption}</figure>"
        )

    @property
    def _alt(self):
        return escape(printable(self.alt))

    def __repr__(self):
        return printable(self.alt)

    @styled
    def save(self, path: str | Path) -> None:
        """Write the picture to a file, on a ground of its own; the suffix tells the format.

        In formats other than SVG, letters that no font here has are boxes, and a warning says so.
        """
        path = Path(path)
        if path.suffix == ".svg":
            head = (
                f"<title>{self._alt}</title>"
                "<style>svg{color:#1f2328;background:#fff}@media(prefers-color-scheme:dark)"
                "{svg{color:#e6edf3;background:#0d1117}}</style>"
            )
            path.write_text(self.svg.replace(">", ">" + head, 1) + "\n", encoding="utf-8")
            return
        letters = {sign for text in self.figure.findobj(Text) for sign in text.get_text()}
        for font in map(get_font, map(findfont, FAMILIES)):
            letters = {sign for sign in letters if not font.get_char_index(ord(sign))}
        lacking = sorted(filter(str.isprintable, letters))
        if lacking:
            warn(
                f"no font here has {list_in_words(lacking)}, so that the picture shows "
                "boxes: install one, such as Noto Sans, or save the picture as SVG"
            )
        self.figure.savefig(path, facecolor="white", dpi=144)


def _tenths(number):
    """Return a number of a drawing to the tenth of a pixel."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


def _tidy(svg):
    """Make matplotlib's SVG small, and fit to stand in a page among others."""
    # On every machine the same, whatever is installed.
    svg = svg.replace(", ".join(map(repr, FAMILIES)), f"'{FONT}'")
    used = sorted(set(re.findall(r'(?:url\(|href=")#(\w+)', svg)))
    own = "dtb" + hashlib.sha256(svg.encode()).hexdigest()[:8]
    root = ET.fromstring(_NO_XML.sub("\ufffd", svg))
    for element in root.iter():
        attributes = ((name.replace(_XLINK, ""), value) for name, value in element.attrib.items())
        element.attrib = {name: value.replace(INK, "currentColor") for name, value in attributes}
    for pattern in root.iterfind(".//{*}pattern"):
        _shrink(pattern)
    for element in list(root.iter()):
        for child in list(element):
            # Its style sheet would rule the whole page; the style of the root says the same.
            if child.tag.endswith(("}metadata", "}style")) or child.get("style") == "fill: none":
                element.remove(child)
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        if element.get("transform", "").startswith("rotate(-0 "):
            del element.attrib["transform"]
        for name, value in element.attrib.items():
            if name == "style":
                value = _UNSAID.sub("", value).replace(": ", ":").replace("; ", ";")
            if name != "id" and "#" not in value:
                value = re.sub(r"\d+\.\d+", _tenths, value)
            value = " ".join(value.split())
            element.set(name, re.sub(" ?([A-Za-z]) ?", r"\1", value) if name == "d" else value)
        element.text = element.text if element.text and element.text.strip() else None
        element.tail = None
    _unwrap(root)
    width, height = root.get("viewBox").split()[2:]
    root.attrib = {"width": width, "height": height, "viewBox": f"0 0 {width} {height}"} | {
        "style": f"max-width:100%;height:auto;font:{SIZE}px '{FONT}',{FALLBACK};stroke-linecap:butt"
    }
    ET.register_namespace("", "http://www.w3.org/2000/svg")
    tidy = ET.tostring(root, encoding="unicode", short_empty_elements=True)
    for i, name in enumerate(used):
        tidy = tidy.replace(f'id="{name}"', f'id="{own}-{i}"').replace(f"#{name}", f"#{own}-{i}")
    return tidy


def _shrink(pattern):
    """Say a hatch once: it repeats every 8 pixels, matplotlib's tile is 72 wide."""
    pattern.attrib |= {"width": "8", "height": "8"}
    path = pattern.find("{*}path")
    lines = []
    for line in path.get("d").split("M")[1:]:
        x, y, to_x, to_y = map(float, re.findall(r"[-\d.]+", line))
        sides = [(to_x - x) * (v - y) - (to_y - y) * (u - x) for u in (0, 8) for v in (0, 8)]
        if min(sides) <= 0 <= max(sides):  # it crosses the small tile
            lines.append("M" + line.strip())
    path.attrib = {"d": " ".join(lines), "style": "stroke: #ffffff"}


def _unwrap(element):
    """Put what a group without attributes holds in its place, and drop empty definitions."""
    children = []
    for child in element:
        _unwrap(child)
        if child.tag.endswith("}g") and not child.attrib:
            children += child
        elif len(child) or not child.tag.endswith("}defs"):
            children.append(child)
    element[:] = children


# How a mark looks, in matplotlib's names.
Look = dict[str, Any]


class Sheet:
    """A drawing sheet measured in pixels from its upper left corner, in an Axes if one is given.

    In an Axes of another size all is drawn larger or smaller: letters, lines and marks. A warning
    says how large the Axes must be for letters that can be read.
    """

    def __init__(self, width, height, ax=None):
        self.scale = 1.0
        if ax is None:
            ax = Figure(figsize=(width / 72, height / 72)).add_axes((0, 0, 1, 1))
        else:
            room = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
            self.scale = 72 * min(room.width / width, room.height / height)
            ax.set_aspect("equal")
            if SIZE * self.scale < _LEGIBLE:
                inches = _LEGIBLE / SIZE / 72
                wide, high = (np.ceil(10 * inches * side) / 10 for side in (width, height))
                warn(
                    f"the letters are {SIZE * self.scale:.2g} points high in Axes of "
                    f"{room.width:.3g} x {room.height:.3g} inches: make them {wide:g} x {high:g} "
                    "inches, as plt.subplots(figsize=...) does, leave ax out, or prune the tree"
                )
        ax.set(xlim=(0, width), ylim=(height, 0))
        ax.set_axis_off()
        self.figure, self.axes = ax.figure, ax
        self.whole = TransformedPatchPath(self.axes.patch)

    def text(self, x: float, y: float, text: str, ha: str = "left", weight: str = "normal") -> None:
        """Write a text whose middle line is at y."""
        text = shortened(text)
        line = _Line(x, y + 0.36 * SIZE, text, ha=ha, va="baseline", weight=weight)
        line.set_fontsize(SIZE * self.scale)
        self.add(line)

    def line(self, *points: tuple[float, float], **look: Any) -> None:
        """Draw a line through points."""
        drawn: Look = {"color": INK, "lw": 1} | look
        self.add(Line2D(*zip(*points, strict=True), **drawn))

    def add(self, artist: Artist) -> None:
        """Add one of matplotlib's artists, such as a patch."""
        if self.scale != 1 and isinstance(artist, Patch | Line2D):
            artist.set_linewidth(artist.get_linewidth() * self.scale)
            if isinstance(artist, Line2D):
                artist.set_markersize(artist.get_markersize() * self.scale)
        artist.set_clip_path(self.whole)  # or matplotlib works one out for every artist
        artist.set_clip_on(False)
        self.axes.add_artist(artist)  # faster than add_patch and plot, which measure it

    def bar(self, x: float, y: float, width: float, height: float, look: Look) -> None:
        """Draw a rectangle, unless it has no width."""
        if width > 0:
            self.add(Rectangle((x, y), width, height, **look))


class _Line(Text):
    """A line of text, drawn without matplotlib's layout, which would take half the time of all."""

    def draw(self, renderer):
        x, y = self.get_transform().transform(self.get_position())
        if renderer.flipy():
            y = renderer.get_canvas_width_height()[1] - y
        width = text_width(self.get_text(), self.get_weight()) * self.get_fontsize() / SIZE
        before = {"left": 0, "center": 0.5, "right": 1}[self.get_ha()]
        x -= renderer.points_to_pixels(width) * before
        renderer.open_group("text")
        look = renderer.new_gc()
        look.set_foreground(self.get_color())
        renderer.draw_text(look, x, y, self.get_text(), self.get_fontproperties(), 0.0, mtext=self)
        look.restore()
        renderer.close_group("text")


def shortened(text: object, most: int = _LONGEST) -> str:
    """Return a label as it can stand in a picture: of a long one, its beginning and its end.

    Examples
    --------
    >>> shortened("a long word or two", 14)
    'a long... two'
    """
    text = printable(text)
    if len(text) <= most:
        return text
    end = max(most // 3, 1)
    return f"{text[: most - 3 - end].rstrip()}...{text[-end:]}"


def some_of(parts: Iterable[str], what: str, between: str = "; ") -> str:
    """Return parts of a text with something between them: of many the first, and how many more.

    Examples
    --------
    >>> some_of(map(str, range(20)), "numbers", ", ")
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 8 more numbers'
    """
    parts = list(parts)
    more = [f"{len(parts) - MOST_LISTED:,} more {what}"] if len(parts) > MOST_LISTED else []
    return between.join([*parts[:MOST_LISTED], *more])


def some_points(n: int) -> np.ndarray:
    """Return which of n cases are drawn: all, or of many some at random, always the same."""
    if n <= MOST_POINTS:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, MOST_POINTS, replace=False))


def ends_in_words(low: float, high: float) -> tuple[str, str]:
    """Return two numbers in as few digits as tell them apart.

    Examples
    --------
    >>> ends_in_words(1.5, 20), ends_in_words(100000.0, 100010.0)
    (('1.5', '20'), ('100000', '100010'))
    """
    ends = in_short(low), in_short(high)
    for digits in (4, 6, 9, 12, 17):
        if ends[0] != ends[1] or low == high:
            break
        ends = f"{low:.{digits}g}", f"{high:.{digits}g}"
    return ends


def colour(k: int) -> str:
    """Return the colour of mark number k; after the last the first comes again."""
    return PALETTE[k % len(PALETTE)]


def of_class(k: int) -> Look:
    """Return how an area of class k looks."""
    hatch = HATCHES[(k + k // len(PALETTE)) % len(HATCHES)]  # another one when the colours return
    return {"fc": colour(k), "hatch": hatch, "ec": "white", "lw": 0}


def point_of_class(k: int, size: float) -> Look:
    """Return how a case of class k looks, size pixels wide."""
    mark = MARKS[(k + k // len(PALETTE)) % len(MARKS)]  # another one when the colours return
    return {"marker": mark, "color": colour(k), "ms": size, "ls": ""}


@lru_cache(maxsize=None, typed=True)  # True equals 1, but is wider
def text_width(text: str, weight: str = "normal") -> float:
    """Return the width of a text in pixels, as `Sheet.text` writes it."""
    font = FontProperties(family=FAMILIES, size=SIZE, weight=weight)
    return TextToPath().get_text_width_height_descent(shortened(text), font, ismath=False)[0]


def in_short(value: float) -> str:
    """Return a number in words: whole, or to three figures."""
    return f"{value:.0f}" if value == round(value) else f"{value:.3g}"

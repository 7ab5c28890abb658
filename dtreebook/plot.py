"""Pictures of trees, counts, curves and information, each with a text that says what is seen.

Every function returns a `Picture`: an SVG for the page. What is not a mark (text, axes, boxes) has
the colour of the text around it, the background is the page's, and so a picture is legible in light
and in dark. A class has a hatch and a written name besides its colour.
"""

import hashlib
import io
import math
import re
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle
from matplotlib.textpath import TextToPath
from scipy.optimize import brentq

from dtreebook import measures

# Okabe and Ito's colours, three of them darkened, so that every one stands out by 3:1 or more from
# white and from #121212. INK stands for the colour of the text around the picture.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#BC6A98", "#AC7700", "#2E8BC0")
HATCHES = ("", "////", "----", "xxxx", "||||", "\\\\\\\\")
DASHES = ("-", "--", ":", "-.", (0, (7, 2)), (0, (1, 3)))
INK = "#010203"

# One unit of a picture is one pixel of the page at natural size. A page 360 pixels wide leaves a
# picture of WIDTH some 325, and its letters 10.
WIDTH, SIZE, LINE = 480, 15, 20
MOST_NODES = 100
MOST_RULES = 12

_STYLE = {
    "figure.facecolor": "none",
    "figure.dpi": 72,
    "font.family": "DejaVu Sans",
    "font.size": SIZE,
    "axes.titlesize": SIZE,
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "dtreebook",
    "hatch.linewidth": 1,
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
} | dict.fromkeys(
    ["text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"], INK
)
_styled = style.context(["default", _STYLE])


@dataclass(frozen=True, repr=False)
class Picture:
    """Hold a drawing and the text that says what is seen; a notebook shows it by itself.

    Attributes
    ----------
    figure : `matplotlib.figure.Figure`.
    alt : the text for readers who do not see the drawing.
    """

    figure: Figure
    alt: str

    @property
    @_styled
    def svg(self):
        """The drawing as an SVG element: the same text for the same picture, byte for byte."""
        file = io.StringIO()
        nothing = dict.fromkeys(["Date", "Creator", "Format", "Type"])
        self.figure.savefig(file, format="svg", metadata=nothing)
        return _tidy(file.getvalue())

    def _repr_html_(self):
        drawing = self.svg.replace("<svg", '<svg aria-hidden="true"', 1)
        return (
            f'<figure class="dtb-picture"><div role="img" aria-label="{escape(self.alt)}">'
            f"{drawing}</div></figure>"
        )

    def __repr__(self):
        return self.alt

    @_styled
    def save(self, path):
        """Write the picture to a file, with a background of its own; the suffix says the format."""
        path = Path(path)
        if path.suffix == ".svg":
            colours = (
                "<style>svg{color:#1f2328;background:#fff}@media(prefers-color-scheme:dark)"
                "{svg{color:#e6edf3;background:#0d1117}}</style>"
            )
            title = f"<title>{escape(self.alt)}</title>"
            path.write_text(self.svg.replace(">", f">{title}{colours}", 1) + "\n", "utf-8")
        else:
            self.figure.savefig(path, facecolor="white", dpi=144)


def _tidy(svg):
    """Make matplotlib's SVG fit to stand in a page among others."""
    svg = svg[svg.index("<svg") :].strip()
    # Its style sheet would rule the whole page: what it says is said on the element itself.
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.S)
    svg = re.sub(r"<defs>\s*</defs>|(?<=>)\s*\n\s*(?=<)", "", svg)
    svg = re.sub(r"<g id=\"[^\"]*\"\s*/>|<g id=\"[^\"]*\">\s*</g>", "", svg)
    svg = svg.replace(INK, "currentColor").replace("xlink:href", "href")
    svg = re.sub(r"<[^>]*>", _round, svg)  # in tags only, never in the text
    width, height = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).groups()
    svg = re.sub(
        r"<svg[^>]*>",
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="max-width:100%;height:auto;'
        'stroke-linejoin:round;stroke-linecap:butt">',
        svg,
        count=1,
    )
    # Only what is referred to keeps an id, and that id is this drawing's own.
    used = set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))
    own = "dtb" + hashlib.sha256(svg.encode()).hexdigest()[:8]
    names = {name: f"{own}-{i}" for i, name in enumerate(sorted(used))}
    svg = re.sub(r' id="([^"]*)"', lambda m: f' id="{names[m[1]]}"' if m[1] in names else "", svg)
    return re.sub(r'(url\(|href=")#([^)"]+)', lambda m: f"{m[1]}#{names[m[2]]}", svg)


def _round(tag):
    return re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}", tag[0])


class _Sheet:
    """A drawing sheet measured in pixels from its upper left corner."""

    def __init__(self, width, height):
        self.figure = Figure(figsize=(width / 72, height / 72))
        self.axes = self.figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
        self.axes.set_axis_off()

    def text(self, x, y, text, ha="left", **look):
        """Write text whose middle line is at y."""
        self.axes.text(x, y + 0.36 * SIZE, text, ha=ha, va="baseline", **look)

    def line(self, points, **look):
        self.axes.plot(*zip(*points, strict=True), **{"color": INK, "lw": 1, **look})

    def box(self, x, y, width, height, rounding=0, dashed=False):
        shape = f"round,pad=0,rounding_size={rounding}" if rounding else "square,pad=0"
        look = {"fc": "none", "ec": INK, "lw": 1.2, "ls": "--" if dashed else "-"}
        self.axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=shape, **look))

    def bar(self, x, y, width, height, k):
        """Draw a bar in the colour and the hatch of class k."""
        if width > 0:
            patch = Rectangle((x, y), width, height, fc=colour(k), ec="white", lw=0)
            patch.set_hatch(hatch(k))
            self.axes.add_patch(patch)


def colour(k):
    """Return the colour of class k.

    Examples
    --------
    >>> colour(0)
    '#0072B2'
    """
    return PALETTE[k % len(PALETTE)]


def hatch(k):
    """Return the hatch of class k; with `colour` it tells 36 classes apart.

    Examples
    --------
    >>> hatch(1)
    '////'
    """
    return HATCHES[(k + k // len(PALETTE)) % len(HATCHES)]


def _measure(text, bold=False):
    font = FontProperties(family="DejaVu Sans", size=SIZE, weight="bold" if bold else "normal")
    return TextToPath().get_text_width_height_descent(str(text), font, ismath=False)[0]


def _number(value):
    return f"{value:.0f}" if value == round(value) else f"{value:.3g}"


# --- trees ---------------------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a node is drawn: its box (x, y, width, height), the word on its edge, and the edge."""

    node: object
    box: tuple
    word: str
    word_at: tuple  # the left end of the word, and its middle line
    edge: tuple  # points from the parent to the word


@_styled
def tree(tree):
    """Draw a tree: questions in boxes, answers on the edges, leaves with class and counts.

    A small tree grows downwards, a wide one is an outline whose branches are indented.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree` of at most 100 nodes.

    Raises
    ------
    ValueError
        If the tree has more nodes.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> tree(ID3Classifier().fit(*load_loan(return_X_y=True)).tree_)
    Decision tree of depth 2 with 3 leaves; it first asks for house. If house = no and work = no: \
no (6 of 6 cases). If house = no and work = yes: yes (3 of 3 cases). If house = yes: yes (6 of 6 \
cases).
    """
    if tree.node_count > MOST_NODES:
        raise ValueError(
            f"the tree has {tree.node_count} nodes and a picture holds {MOST_NODES}: "
            "grow it with a smaller max_depth, or print it with export_text()"
        )
    places, width, height = lay_out(tree)
    legend, legend_height = _legend(tree.classes, width)
    sheet = _Sheet(width, height + legend_height)
    for place in places:
        if place.edge:
            sheet.line(place.edge)
            sheet.text(*place.word_at, place.word)
        _draw_node(sheet, tree, place)
    for k, x, y in legend:
        sheet.bar(x, height + y - 6, 20, 12, k)
        sheet.text(x + 26, height + y, str(tree.classes[k]))
    return Picture(sheet.figure, _tree_words(tree))


def lay_out(tree):
    """Return a `Place` for every node of a tree, and the width and height they take.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> places, width, height = lay_out(ID3Classifier().fit(*load_loan(return_X_y=True)).tree_)
    >>> [place.word for place in places]
    ['', 'no', 'no', 'yes', 'yes']
    """
    places, width, height = _downwards(tree)
    return (places, width, height) if width <= WIDTH else _outline(tree)


def _downwards(tree):
    visits = list(tree.walk())
    words = dict(_edge_words(tree))
    sizes = {path: _box_size(tree, node, upright=True) for path, node in visits}
    room = {}
    for path, node in reversed(visits):  # children before their parents
        below = sum(room[(*path, i)] for i in range(len(node.children)))
        room[path] = max(sizes[path][0] + 14, _measure(words[path]) + 14, below)
    level_height = [0] * (tree.depth + 2)
    for path, (_, height) in sizes.items():
        level_height[len(path) + 1] = max(level_height[len(path) + 1], height)
    top = np.cumsum(level_height) + 56 * np.arange(len(level_height)) + 4
    left, middle, places = {(): 4}, {}, []
    for path, node in visits:
        width, height = sizes[path]
        middle[path] = x = left[path] + room[path] / 2
        y = top[len(path)]
        start = (
            left[path] + (room[path] - sum(room[(*path, i)] for i in range(len(node.children)))) / 2
        )
        for i in range(len(node.children)):
            left[(*path, i)] = start
            start += room[(*path, i)]
        word_at = x - _measure(words[path]) / 2, y - 11
        edge = ()
        if path:
            parent = path[:-1]
            edge = (middle[parent], top[len(parent)] + sizes[parent][1]), (x, y - 22)
        places.append(Place(node, (x - width / 2, y, width, height), words[path], word_at, edge))
    return places, room[()] + 8, float(top[-1]) - 56 + 4


def _outline(tree):
    words = dict(_edge_words(tree))
    row, places, indent = 30, [], 26
    line_at, widest = {}, 0
    for i, (path, node) in enumerate(tree.walk()):
        y = 4 + i * row
        x = 4 + len(path) * indent
        middle, edge = y + 13, ()
        line_at[path] = (x + 10, y + 26)
        if path:
            begin = line_at[path[:-1]]
            edge = begin, (begin[0], middle), (x - 4, middle)
        shift = _measure(words[path]) + 8 if path else 0
        width, height = _box_size(tree, node, upright=False)
        places.append(Place(node, (x + shift, y, width, height), words[path], (x, middle), edge))
        widest = max(widest, x + shift + width)
    return places, widest + 4, 8 + len(places) * row


def _edge_words(tree):
    """Yield the path of every node with the answer that leads to it: not 'house = no', but 'no'."""
    yield (), ""
    for path, node in tree.walk():
        for i, words in enumerate(tree.branch_words(node)):
            yield (*path, i), words.removeprefix(_question(tree, node)).removeprefix(" = ").strip()


def _question(tree, node):
    return tree.attributes[node.split.attribute].name


def _leaf_words(tree, node):
    return str(tree.classes[node.label]), _share_words(node)


def _share_words(node):
    if not node.weight:
        return "no cases"
    return f"{_number(node.counts[node.label])} of {_number(node.weight)}"


BAR = 64


def _box_size(tree, node, upright):
    if not node.is_leaf:
        return _measure(_question(tree, node) + "?") + 20, 32 if upright else 26
    label, share = _leaf_words(tree, node)
    label, share = _measure(label, bold=True), _measure(share)
    return (max(label, share, BAR) + 14, 62) if upright else (label + share + BAR + 32, 26)


def _draw_node(sheet, tree, place):
    x, y, width, height = place.box
    node = place.node
    if not node.is_leaf:
        sheet.box(*place.box, rounding=10)
        return sheet.text(x + width / 2, y + height / 2, _question(tree, node) + "?", ha="center")
    label, share = _leaf_words(tree, node)
    sheet.box(*place.box, dashed=not node.weight)
    if height > 2 * LINE:  # class, bar, counts one below the other
        bar = x + (width - BAR) / 2, y + 26
        sheet.text(x + width / 2, y + 14, label, ha="center", weight="bold")
        sheet.text(x + width / 2, y + 48, share, ha="center")
    else:
        bar = x + 8, y + 8
        sheet.text(x + BAR + 16, y + 13, label, weight="bold")
        sheet.text(x + width - 8, y + 13, share, ha="right")
    ends = BAR * np.cumsum([0, *measures.shares(node.counts)])
    for k, (start, end) in enumerate(pairwise(ends)):
        sheet.bar(bar[0] + start, bar[1], end - start, 10, k)
    return None


def _legend(classes, width):
    """Return (class, x, y) of each entry of the key, and the height of all."""
    entries, x, y = [], 8, 22
    for k, name in enumerate(classes):
        room = _measure(name) + 26
        if x > 8 and x + room > width:
            x, y = 8, y + LINE
        entries.append((k, x, y))
        x += room + 20
    return entries, y + 16


def _tree_words(tree):
    count = f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    words = f"Decision tree of depth {tree.depth} with {count}"
    if not tree.root.is_leaf:
        words += f"; it first asks for {_question(tree, tree.root)}"
    if tree.n_leaves <= MOST_RULES:
        for path, node in tree.walk():
            if node.is_leaf:
                tests = " and ".join(tree.conditions(path))
                words += f". If {tests}: " if tests else ": "
                words += _end_words(tree, node)
    else:
        branches = zip(tree.branch_words(tree.root), tree.root.children, strict=True)
        words += ". Then, " + "; ".join(
            f"if {test}: "
            + (_end_words(tree, node) if node.is_leaf else f"it asks for {_question(tree, node)}")
            for test, node in branches
        )
    return words + "."


def _end_words(tree, node):
    cases = " cases" if node.weight else ""
    return f"{tree.classes[node.label]} ({_share_words(node)}{cases})"


# --- bars ----------------------------------------------------------------------------------------


@_styled
def class_counts(table, *, classes=None, names=None, title=None):
    """Draw the counts of a table as bars, one group for each value, each bar with its number.

    Parameters
    ----------
    table : array [V, K] or DataFrame, as `pandas.crosstab` gives it, of counts or weights.
    classes : K names of the columns; those of the DataFrame by default.
    names : V names of the rows; those of the DataFrame by default.
    title : a line above the bars; by default what the DataFrame says, such as "approved by house".

    Raises
    ------
    ValueError
        If the table has not two dimensions, or the names do not fit it.

    Examples
    --------
    >>> class_counts([[6, 3], [0, 6]], names=["no house", "house"], classes=["no", "yes"])
    Bars of counts. no house: no 6, yes 3. house: no 0, yes 6.
    """
    if isinstance(table, pd.DataFrame):
        names = table.index if names is None else names
        classes = table.columns if classes is None else classes
        if title is None and table.index.name and table.columns.name:
            title = f"{table.columns.name} by {table.index.name}"
        table = table.to_numpy()
    table = np.asarray(table)
    if table.ndim != 2:
        raise ValueError(f"a table has two dimensions, values and classes, not {table.ndim}")
    measures.shares(table)  # raises what there is to say about counts that are none
    names = _names(names, table.shape[0], "names", "value")
    classes = _names(classes, table.shape[1], "classes", "class")
    rows = [
        _Bar(name if k == 0 else "", table[v, k], f"{_number(table[v, k])} {classes[k]}", k)
        for v, name in enumerate(names)
        for k in range(len(classes))
    ]
    words = " ".join(
        f"{name}: "
        + ", ".join(f"{c} {_number(n)}" for c, n in zip(classes, row, strict=True))
        + "."
        for name, row in zip(names, table, strict=True)
    )
    return Picture(_bars(rows, title), f"Bars of counts{f', {title}' if title else ''}. {words}")


def _names(names, n, parameter, word):
    names = [f"{word} {i}" for i in range(n)] if names is None else [str(name) for name in names]
    if len(names) != n:
        raise ValueError(f"{parameter} has {len(names)} entries, but the table has {n}")
    return names


@_styled
def decision(decision, attributes):
    """Draw the candidates of one node as bars of their scores; the chosen one is marked.

    Parameters
    ----------
    decision : `dtreebook.grow.Decision` of a node that was examined.
    attributes : the attributes of the tree, `dtreebook.tree.Tree.attributes`.

    Raises
    ------
    ValueError
        If there was nothing to choose from; it says why.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> X, y = load_loan(return_X_y=True)
    >>> id3 = ID3Classifier().fit(X, y)
    >>> decision(id3.decisions(X, y)[0], id3.tree_.attributes)
    Bars of the gain of 4 candidates: age 0.083; work 0.324; house 0.420, chosen; credit 0.363.
    """
    candidates, chosen = decision.candidates, decision.chosen
    if not candidates:
        raise ValueError(f"this node has no candidates to draw: {decision.reason.value}")
    parts = candidates[0].parts
    score = next(
        (
            name
            for name in parts
            if all(math.isclose(c.parts[name], c.score, abs_tol=1e-12) for c in candidates)
        ),
        "score",
    ).replace("_", " ")
    named = [(attributes[c.split.attribute].name, c) for c in candidates]
    rows = [
        _Bar(name, c.score, f"{c.score:.3f}" + " – chosen" * (c is chosen), 1 if c is chosen else 0)
        for name, c in named
    ]
    words = "; ".join(f"{name} {c.score:.3f}" + ", chosen" * (c is chosen) for name, c in named)
    if chosen is None:
        words += f"; none chosen: {decision.reason.value}"
    number = f"{len(named)} candidate{'s' * (len(named) > 1)}"
    return Picture(_bars(rows, score), f"Bars of the {score} of {number}: {words}.")


class _Bar(NamedTuple):
    name: str
    length: float
    label: str
    k: int  # the class that gives colour and hatch


def _bars(rows, title):
    height, gap = 18, 10
    start = max(_measure(row.name) for row in rows) + 12
    longest = max(row.length for row in rows) or 1
    room = max(WIDTH - start - max(_measure(row.label) for row in rows) - 14, 120)
    width = WIDTH - (WIDTH - start - 14 - max(_measure(row.label) for row in rows)) + room
    groups = sum(bool(row.name) for row in rows)
    sheet = _Sheet(width, bool(title) * 30 + len(rows) * (height + 4) + groups * gap)
    y = bool(title) * 30
    if title:
        sheet.text(4, 14, title, weight="bold")
    for row in rows:
        if row.name:
            y += gap / 2 if y else 0
            sheet.text(start - 8, y + height / 2, row.name, ha="right")
        length = room * max(row.length, 0) / longest
        sheet.bar(start, y, length, height, row.k)
        sheet.text(start + length + 6, y + height / 2, row.label)
        y += height + 4
    return sheet.figure


# --- curves --------------------------------------------------------------------------------------


@_styled
def curves(x, curves, *, x_label, y_label, alt, marks=()):
    """Draw lines over a common x, each named at its end and dashed in its own way.

    Parameters
    ----------
    x : array [n].
    curves : dict from the name of a line to its array [n]; NaN leaves a gap.
    x_label, y_label : what the axes show, with the unit.
    alt : the text that says what is seen: computed, not typed.
    marks : points (x, y, text) to point out.

    Raises
    ------
    ValueError
        If a line has not as many points as x, or there is none, or no alt.

    Examples
    --------
    >>> curves([0, 1], {"H": [0, 1]}, x_label="p", y_label="bits", alt="H rises from 0 to 1.")
    H rises from 0 to 1.
    """
    x = np.asarray(x, dtype=float)
    lines = {name: np.asarray(y, dtype=float) for name, y in curves.items()}
    for name, y in lines.items():
        if y.shape != x.shape or x.ndim != 1:
            raise ValueError(f"curve {name!r} has shape {y.shape}, but x has {x.shape}")
    if not lines or not alt.strip():
        raise ValueError("give at least one curve, and an alt that says what is seen")
    height = 320
    figure = Figure(figsize=(WIDTH / 72, height / 72), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(x_label)
    axes.set_title(y_label, loc="left")
    ends = {}
    for k, (name, y) in enumerate(lines.items()):
        axes.plot(x, y, color=colour(k), ls=DASHES[k % len(DASHES)], lw=2.2, label=name)
        last = np.flatnonzero(np.isfinite(y))
        ends[name] = y[last[-1]] if len(last) else 0.0
    for mx, my, text in marks:
        axes.plot([mx], [my], "o", color=INK, ms=6)
        share = (mx - x.min()) / (np.ptp(x) or 1)
        side = "left" if share < 0.35 else "right" if share > 0.65 else "center"
        axes.annotate(text, (mx, my), (0, 9), textcoords="offset points", ha=side)
    axes.margins(x=0.02, y=0.12)
    low, high = axes.get_ylim()
    step = (high - low) * LINE / (0.75 * height)
    at = -math.inf
    for name in sorted(ends, key=ends.get):
        at = max(ends[name], at + step)
        axes.annotate(
            name, (1, at), (6, 0), ("axes fraction", "data"), "offset points", va="center"
        )
    return Picture(figure, alt)


# --- the information diagram ---------------------------------------------------------------------


@_styled
def information_diagram(table, *, names=("X", "Y"), base=2):
    """Draw entropies as areas: two circles whose overlap is the mutual information.

    Parameters
    ----------
    table : array [V, K] or DataFrame of counts or weights; X runs over rows, Y over columns.
    names : the names of X and Y.
    base : the base of the logarithm; 2 gives bits.

    References
    ----------
    Cover and Thomas (2006), figure 2.2.

    Examples
    --------
    >>> information_diagram([[6, 3], [0, 6]], names=("house", "loan"))
    Two circles whose areas are entropies, in bits: H(house) = 0.971, H(loan) = 0.971. Their \
overlap is I(house;loan) = 0.420. Outside it lie H(house|loan) = 0.551 and H(loan|house) = 0.551. \
Together they cover H(house,loan) = 1.522.
    """
    table = np.asarray(table)
    x, y = names
    hx, hy = measures.entropy(table.sum(axis=1), base), measures.entropy(table.sum(axis=0), base)
    shared = measures.mutual_information(table, base)
    only_x = measures.conditional_entropy(table.T, base)
    only_y = measures.conditional_entropy(table, base)
    both = measures.joint_entropy(table, base)
    unit = {2: "bits", math.e: "nats"}.get(base, f"logarithms to base {base:g}")

    radius = np.sqrt(np.array([hx, hy]) / math.pi)
    distance = _distance(*radius, shared)
    edges = np.array([[-radius[0], radius[0]], [distance - radius[1], distance + radius[1]]])
    extent = np.ptp(edges) or 1
    scale = min((WIDTH - 60) / extent, 210 / (2 * radius.max() or 1))
    labels = [f"H({x}|{y})", f"I({x};{y})", f"H({y}|{x})"]
    width = max(WIDTH, 3 * max(map(_measure, labels)) + 40)
    largest = scale * radius.max()
    sheet = _Sheet(width, 2 * largest + 165)
    middle = 46 + largest
    edges = (edges - edges.min()) * scale + (width - extent * scale) / 2
    for k, (left, right) in enumerate(edges):
        for look in ({"fc": "none", "ec": colour(k), "lw": 2.5}, {"fc": colour(k), "alpha": 0.25}):
            sheet.axes.add_patch(Circle(((left + right) / 2, middle), (right - left) / 2, **look))
    return Picture(
        _label_circles(
            sheet,
            width,
            middle,
            largest,
            edges,
            [
                (f"H({x})", hx),
                (f"H({y})", hy),
                (labels[0], only_x),
                (labels[1], shared),
                (labels[2], only_y),
                (f"H({x},{y})", both),
            ],
            unit,
        ),
        (
            f"Two circles whose areas are entropies, in {unit}: H({x}) = {hx:.3f}, H({y}) = {hy:.3f}. "
            f"Their overlap is I({x};{y}) = {shared:.3f}. Outside it lie H({x}|{y}) = {only_x:.3f} and "
            f"H({y}|{x}) = {only_y:.3f}. Together they cover H({x},{y}) = {both:.3f}."
        ),
    )


def _label_circles(sheet, width, middle, largest, edges, values, unit):
    for k, side in enumerate(("left", "right")):
        name, value = values[k]
        left, right = edges[k]
        slant = math.radians((130, 50)[k])
        rim = (
            (left + right) / 2 + (right - left) / 2 * math.cos(slant),
            middle - (right - left) / 2 * math.sin(slant),
        )
        x = 8 if k == 0 else width - 8
        half = _measure(f"{name} = {value:.3f}") / 2
        sheet.text(x, 14, f"{name} = {value:.3f}", ha=side)
        sheet.line([(x + half * (1 - 2 * k), 26), rim])
    (x0, x1), (y0, y1) = edges
    spans = (x0, y0), (max(x0, y0), min(x1, y1)), (x1, y1)
    foot = middle + largest + 26
    for i, ((name, value), (start, end)) in enumerate(zip(values[2:5], spans, strict=True)):
        x = width * (2 * i + 1) / 6
        sheet.text(x, foot + 12, name, ha="center")
        sheet.text(x, foot + 12 + LINE, f"{value:.3f}", ha="center", weight="bold")
        if value > 5e-4:
            at = (start + end) / 2, middle
            sheet.line([at], marker="o", ms=5)
            sheet.line([at, (x, foot)])
    name, value = values[5]
    sheet.text(width / 2, foot + 70, f"both together: {name} = {value:.3f} {unit}", ha="center")
    return sheet.figure


def _distance(r, s, area):
    """Return how far apart the centres of two circles are that overlap in an area."""
    near, far = abs(r - s), r + s
    if area <= 1e-12:
        return far * 1.06
    if area >= math.pi * min(r, s) ** 2 * (1 - 1e-9):
        return near
    return brentq(lambda d: _overlap(d, r, s) - area, max(near, 1e-9), far)


def _overlap(d, r, s):
    a = np.clip((d * d + r * r - s * s) / (2 * d * r), -1, 1)
    b = np.clip((d * d + s * s - r * r) / (2 * d * s), -1, 1)
    kite = (-d + r + s) * (d + r - s) * (d - r + s) * (d + r + s)
    return r * r * np.arccos(a) + s * s * np.arccos(b) - math.sqrt(max(kite, 0)) / 2

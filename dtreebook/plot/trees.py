"""Trees: their questions and leaves in boxes, or every node as a share of the cases."""

from collections.abc import Container, Mapping
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, PathPatch, Rectangle
from matplotlib.path import Path

from dtreebook import measures
from dtreebook.data.words import printable
from dtreebook.plot.sheet import (
    INK,
    LINE,
    MOST_LISTED,
    WIDTH,
    Picture,
    Sheet,
    in_short,
    of_class,
    shortened,
    some_of,
    styled,
    text_width,
)
from dtreebook.tree.comparing import questions_that_differ
from dtreebook.tree.text import answer, branch_answers, branch_words, class_names
from dtreebook.tree.tree import Fitted, Node, Tree, tree_of

MOST_NODES = 60  # in a picture
MOST_RULES = MOST_LISTED  # in its alt text

_MOST_LETTERS = 120  # of a test in an alt text
_SHARE = 64  # the width of the bar in a leaf
_THICK = 3.5  # the way of a case
_WIDEST = 12  # an edge that all cases take
_MOST_LEVELS = 61  # of an icicle: what is below is left out
_APART, _CLOSE = 14, 6  # between boxes side by side
_FAINT = 0.5  # an edge that is not on the way of a case: grey that is still seen well


class _Place(NamedTuple):
    """Where a node is drawn: its box (x, y, width, height), its word's left end, its edge.

    The edge is a bent line of points, or the four points of a curve, and has a width.
    """

    path: tuple[int, ...]
    box: tuple[float, float, float, float]
    word_at: tuple[float, float]
    edge: tuple[tuple[float, float], ...]
    width: float


@styled
def tree(
    tree: Tree | Fitted,
    *,
    ax: Axes | None = None,
    lit: Mapping[tuple[int, ...], float] | None = None,
    undecided: Container[tuple[int, ...]] = (),
    upright: bool = False,
) -> Picture:
    """Draw a tree: questions in boxes, answers on the edges, leaves with class and counts.

    An edge is as wide as the share of all cases that take it, and never thinner than a pixel. A
    small tree grows downwards; one too wide for the page is an outline, its branches indented. Of a
    large one the subtrees with the fewest cases are folded; a note says how many. Of a long word
    the middle is left out.

    Parameters
    ----------
    ax : the matplotlib Axes to draw into, as large as it is; a figure of its own if None. A warning
        says how large it must be for letters that can be read.
    lit : dict from the paths that a case takes to how much of it comes there: boxes with a thick
        frame, edges darker than the others.
    undecided : paths of leaves that are yet to be decided; they show a question mark.
    upright : True lets a wide tree grow downwards, too, its boxes close together.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> tree(ID3Classifier().fit(*datasets.load_loan(return_X_y=True)))
    Decision tree of depth 2 with 3 leaves; it first asks about house. If house = no and work = \
no: no (6 of 6 cases). If house = no and work = yes: yes (3 of 3 cases). If house = yes: yes (6 of \
6 cases).
    """
    whole = tree_of(tree)
    shown, folded = _fold(whole, lit or {})
    nodes = dict(shown.walk())
    words: dict[tuple[int, ...], str] = {(): ""}  # on the edge that leads to each path
    for path, node in nodes.items():
        words |= {(*path, i): said for i, said in enumerate(branch_answers(shown, node))}
    lit = {path: part for path, part in (lit or {}).items() if path in nodes}
    for path, part in lit.items():
        words[path] += f" · {part:.2f}" * bool(path and part < 1)
    places: list[_Place]
    places, width, height = _downwards(shown, nodes, words, _APART)
    if width > WIDTH and upright:
        places, width, height = _downwards(shown, nodes, words, _CLOSE)
    elif width > WIDTH:
        outline = _outline(shown, nodes, words)
        if ax is None or _fills(ax, *outline[1:]) > _fills(ax, width, height):
            places, width, height = outline
    x, y, key = 8.0, height + 18, []
    for name in class_names(shown):
        if x > 8 and x + text_width(name) + 26 > width:
            x, y = 8, y + LINE
        key.append((x, y))
        x += text_width(name) + 46
    note = f"double frame: folded, {whole.node_count - shown.node_count} nodes in all"
    width, height = max(width, bool(folded) * (text_width(note) + 16)), y + 16 + 24 * bool(folded)
    sheet = Sheet(width, height, ax)
    for place in places:
        is_lit = place.path in lit
        if place.path:
            wide = max(place.width, _THICK * is_lit)
            sheet.add(_edge(place, lw=wide, alpha=1 if is_lit else _FAINT))
            sheet.text(*place.word_at, words[place.path])
        look = {"lw": _THICK if is_lit else 1.2}
        _draw_node(sheet, shown, nodes[place.path], *place.box, look, place.path in undecided)
        if place.path in folded:
            x, top, wide, high = place.box
            sheet.add(Rectangle((x + 3, top + 3), wide - 6, high - 6, fc="none", ec=INK))
    for k, (name, (x, y)) in enumerate(zip(class_names(shown), key, strict=True)):
        sheet.bar(x, y - 6, 20, 12, of_class(k))
        sheet.text(x + 26, y, name)
    if folded:
        sheet.text(8, y + 24, note)
    alt = _tree_words(whole, undecided) + _lit_words(shown, lit)
    if folded:
        alt += f" Folded: {len(folded)} subtrees, {whole.node_count - shown.node_count} nodes."
    return Picture(sheet.figure, alt, _node_table(shown))


def _fills(ax, width, height):
    """Return how large a drawing is in Axes: the larger, the better it is read."""
    room = ax.get_window_extent()
    return min(room.width / width, room.height / (height + 18 + LINE))


def way_in_words(tree: Tree, path: tuple[int, ...]) -> str:
    """Return the tests on the way to a node, in so few letters that a text can hold them."""
    tests = (shortened(test, _MOST_LETTERS) for test in tree.conditions(path))
    return some_of(tests, "tests", " and ")


def _fold(tree, lit):
    """Return what fits the picture, the heaviest nodes first, and the paths of folded subtrees."""
    if tree.node_count <= MOST_NODES:
        return tree, ()
    waiting, inner, room = [(0, (), tree.root)], set(), MOST_NODES - 1
    while waiting:
        _, path, node = heappop(waiting)
        if len(node.children) > room:
            continue
        room -= len(node.children)
        inner.add(path)
        for i, child in enumerate(node.children):
            if not child.is_leaf:
                below = *path, i
                heappush(waiting, (-child.weight * (1 + (below in lit) * 1e9), below, child))
    part = tree.keep(inner)
    return part, {path for path, node in part.walk() if node.is_leaf and tree.node(path).children}


def _node_table(tree):
    """Return a row for each node: how it is reached, what it asks or answers, its cases."""
    rows = []
    for number in range(tree.node_count):
        path = tree.arrays.path(number)
        node = tree.node(path)
        rows.append(
            {
                "node": number,
                "parent": tree.arrays.parent[number] if path else None,
                "condition": tree.conditions(path)[-1] if path else "",
                "asks": "" if node.is_leaf else _asked(tree, node),
                "answer": answer(tree, node.label),
                "cases": node.weight,
            }
        )
        if not tree.is_regression:
            counts = zip(class_names(tree), node.counts, strict=True)
            rows[-1] |= {f"of {name}": n for name, n in counts}
    return pd.DataFrame(rows).astype({"parent": "Int64"})


def _asked(tree, node):
    return printable(tree.attributes[node.split.column].name)


def _question(tree, node):
    return _asked(tree, node).removesuffix("?") + "?"


def answer_and_cases(tree: Tree, node: Node) -> tuple[str, str]:
    said = shortened(answer(tree, node.label))
    if tree.is_regression:
        return said, f"{in_short(node.weight)} cases"
    share = f"{in_short(node.counts[int(node.label)])} of {in_short(node.weight)}"
    return said, share if node.weight else "no cases"


def _streams(nodes):
    """Return for every path how far beside its parent's middle its edge begins, and its width.

    The edges of a node leave it side by side, so that together they are as wide as its own.
    """
    streams, scale = {(): (0, _WIDEST)}, _WIDEST / (nodes[()].weight or 1)
    for path, node in nodes.items():
        widths = [max(scale * child.weight, 1) for child in node.children]
        ends = np.cumsum(widths) - sum(widths) / 2
        for i, (width, end) in enumerate(zip(widths, ends, strict=True)):
            streams[(*path, i)] = end - width / 2, width
    return streams


def _edge(place, **look):
    curve = [Path.MOVETO] + [Path.CURVE4] * 3
    line = Path(place.edge, curve if len(place.edge) == 4 else None)
    return PathPatch(line, fc="none", ec=INK, capstyle="butt", joinstyle="miter", **look)


def _downwards(tree, nodes, words, gap):
    """Return a `_Place` for every node, and the width and the height of all."""
    sizes = {path: _box_size(tree, node, upright=True) for path, node in nodes.items()}
    children = {path: [(*path, i) for i in range(len(nodes[path].children))] for path in nodes}
    room, below, tallest = {}, {}, [0] * (tree.depth + 1)
    for path in reversed(nodes):  # children before their parents
        below[path] = sum(room[child] for child in children[path])
        room[path] = max(max(sizes[path][0], text_width(words[path])) + gap, below[path])
        tallest[len(path)] = max(tallest[len(path)], sizes[path][1])
    tops = 4 + np.cumsum([0, *(height + 56 for height in tallest)])
    middle, places, edge, streams = {(): 4 + room[()] / 2}, [], (), _streams(nodes)
    for path in nodes:
        (width, height), top = sizes[path], tops[len(path)]
        left = middle[path] - below[path] / 2
        for child in children[path]:
            middle[child] = left + room[child] / 2
            left += room[child]
        if path:
            parent = path[:-1]
            bottom = tops[len(parent)] + sizes[parent][1]
            x, end = middle[parent] + streams[path][0], top - 22
            edge = (x, bottom), (x, end), (middle[path], bottom), (middle[path], end)
        box = (middle[path] - width / 2, top, width, height)
        word_at = (middle[path] - text_width(words[path]) / 2, top - 11)
        places.append(_Place(path, box, word_at, edge, streams[path][1]))
    return places, room[()] + 8, tops[-1] - 52


def _outline(tree, nodes, words):
    places, bottom, edge, streams = [], {}, (), _streams(nodes)
    for row, (path, node) in enumerate(nodes.items()):
        x, y = 4 + 26 * len(path), 17 + 30 * row
        bottom[path] = (x + 10, y + 13)
        if path:
            from_x, from_y = bottom[path[:-1]]
            from_x -= streams[path][0]  # the first branch turns off first, so it is the rightmost
            edge = (from_x, from_y), (from_x, y), (x - 4, y)
        width, height = _box_size(tree, node, upright=False)
        left = x + text_width(words[path]) + 8 if path else x
        box = left, y - height / 2, width, height
        places.append(_Place(path, box, (x, y), edge, streams[path][1]))
    return places, max(p.box[0] + p.box[2] for p in places) + 4, 30 * len(places) + 4


def _box_size(tree, node, upright):
    if not node.is_leaf:
        return text_width(_question(tree, node)) + 20, 32 if upright else 26
    label, share = answer_and_cases(tree, node)
    label, share = text_width(label, "bold"), text_width(share)
    return (max(label, share, _SHARE) + 14, 62) if upright else (label + share + _SHARE + 32, 26)


def _draw_node(sheet, tree, node, x, y, width, height, look, undecided):
    corners = "square,pad=0" if node.is_leaf else "round,pad=0,rounding_size=10"
    dashed = undecided or not node.weight
    look = {"fc": "none", "ec": INK, "ls": "--" if dashed else "-"} | look
    sheet.add(FancyBboxPatch((x, y), width, height, boxstyle=corners, **look))
    middle = x + width / 2
    if not node.is_leaf:
        sheet.text(middle, y + height / 2, _question(tree, node), "center")
        return
    label, share = answer_and_cases(tree, node)
    if undecided:
        label, share = "?", in_short(node.weight)
    if height > 2 * LINE:  # upright: class, bar and counts one below the other
        x, bar_y = middle - _SHARE / 2, y + 26
        sheet.text(middle, y + 14, label, "center", "bold")
        sheet.text(middle, y + 48, share, "center")
    else:
        x, bar_y = x + 8, y + 8
        sheet.text(x + _SHARE + 8, y + 13, label, weight="bold")
        sheet.text(x + width - 16, y + 13, share, "right")
    if tree.is_regression:
        return
    ends = _SHARE * np.cumsum([0, *measures.shares(node.counts)])
    for k, (start, end) in enumerate(pairwise(ends)):
        sheet.bar(x + start, bar_y, end - start, 10, of_class(k))


def _tree_words(tree, undecided=()):
    def end(path, node):
        if path in undecided:
            return f"undecided ({in_short(node.weight)} cases)"
        label, share = answer_and_cases(tree, node)
        return f"{label} ({share}{'' if share.endswith('cases') else ' cases'})"

    def asks(node):
        return shortened(_asked(tree, node))

    words = f"Decision tree of depth {tree.depth} with {tree.n_leaves} lea"
    words += "f" if tree.root.is_leaf else f"ves; it first asks about {asks(tree.root)}"
    if tree.root.is_leaf:
        return f"{words}: {end((), tree.root)}."
    if tree.n_leaves <= MOST_RULES:
        leaves = ((path, node) for path, node in tree.walk() if node.is_leaf)
        rules = (f"If {way_in_words(tree, path)}: {end(path, node)}" for path, node in leaves)
        return ". ".join([words, *rules]) + "."
    branches = zip(branch_words(tree, tree.root), tree.root.children, strict=True)
    below = (
        f"if {shortened(test, _MOST_LETTERS)}: "
        f"{end((i,), node) if node.is_leaf else f'it asks about {asks(node)}'}"
        for i, (test, node) in enumerate(branches)
    )
    return f"{words}. Then, {some_of(below, 'branches')}."


def _lit_words(tree, lit):
    ends = [path for path in lit if not any(other[:-1] == path for other in lit if other)]
    ways = [
        f"{f'{lit[path]:.2f} of a case' if lit[path] < 1 else 'the way'} "
        f"by {way_in_words(tree, path)}"
        for path in ends
        if path
    ]
    return f" Marked: {some_of(ways, 'ways')}." if ways else ""


@styled
def compared(old: Tree | Fitted, new: Tree | Fitted) -> Picture:
    """Draw two trees beside each other; where they part, the questions have a thick frame.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> X, y = datasets.load_loan(return_X_y=True)
    >>> picture = compared(ID3Classifier().fit(X, y), ID3Classifier(max_depth=1).fit(X, y))
    >>> print(picture.alt.partition(" Before:")[0])
    Two trees that part at 1 node. house = no: asks about work -> no.
    """
    trees = tree_of(old), tree_of(new)
    apart = list(questions_that_differ(*trees))
    lit = {path: 1.0 for path, *_ in apart}
    alone = [tree(one, lit=lit) for one in trees]
    (left, top), (right, below) = (one.figure.get_size_inches() for one in alone)
    beside = 72 * (left + right) <= 2 * WIDTH  # else one below the other
    width, height = (left + right, max(top, below)) if beside else (max(left, right), top + below)
    figure = Figure(figsize=(width, height))
    corners = (0, height - top), (left, height - below) if beside else (0, 0)
    for one, (x, y), (wide, high) in zip(
        trees, corners, ((left, top), (right, below)), strict=True
    ):
        tree(one, ax=figure.add_axes((x / width, y / height, wide / width, high / height)), lit=lit)
    questions = pd.DataFrame(
        [(way, *says) for _, way, says in apart], columns=["path", "before", "after"]
    )
    words = some_of(
        (
            f"{shortened(way, _MOST_LETTERS) or 'at the root'}: {shortened(a)} -> {shortened(b)}"
            for _, way, (a, b) in apart
        ),
        "nodes",
    )
    nodes = f"{len(apart)} node{'s' * (len(apart) != 1)}"
    alt = f"Two trees that part at {nodes}. {words}." if apart else "Two trees that are equal."
    return Picture(figure, f"{alt} Before: {alone[0].alt} After: {alone[1].alt}", questions)


@styled
def icicle(tree: Tree | Fitted) -> Picture:
    """Draw a tree of any size: a row for each level, a box as wide as its share of the cases.

    The tree has classes. A box has the colour and the hatch of its class, an empty one asks on.
    What is narrower than a pixel, or lies below level 60, is left out, and a note says so.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> icicle(ID3Classifier().fit(*datasets.load_loan(return_X_y=True)).tree_)
    Decision tree of depth 2 with 3 leaves, a row for each level, from the root down: 1, 2, 2 \
nodes. Boxes are as wide as their share of the 15 cases; of the leaves, no has 40%, yes has 60%.
    """
    tree = tree_of(tree)
    if tree.is_regression:
        raise ValueError("a regression tree has no classes for an icicle to show: use plot.tree")
    high, whole, names = 24, tree.root.weight, class_names(tree)
    n_levels = min(tree.depth + 1, _MOST_LEVELS)
    is_cut = n_levels <= tree.depth
    sheet = Sheet(WIDTH, high * n_levels + 12 + LINE * (len(names) + is_cut))
    left: dict[tuple[int, ...], float] = {(): 4.0}
    rows, share = [0] * (tree.depth + 1), np.zeros(len(names))
    scale = (WIDTH - 8) / whole
    for path, node in tree.walk():
        rows[len(path)] += 1
        x, y, width = left[path], 4 + high * len(path), scale * node.weight
        for i, child in enumerate(node.children):
            left[(*path, i)] = x
            x += scale * child.weight
        if node.is_leaf:
            share[int(node.label)] += node.weight / whole
        if width < 1 or len(path) >= n_levels:
            continue
        inner = {"fc": "none", "ec": INK, "lw": 0.6 * (width > 4)}
        look = of_class(int(node.label)) if node.is_leaf else inner
        sheet.bar(left[path], y, width, high - 2, look)
        if not node.is_leaf and text_width(_asked(tree, node)) < width - 6:
            sheet.text(left[path] + width / 2, y + high / 2 - 1, _asked(tree, node), "center")
    foot = 4 + high * n_levels
    if is_cut:
        sheet.text(8, foot + 10 + LINE * len(names), f"not drawn: the levels below {n_levels - 1}")
    for k, name in enumerate(names):
        sheet.bar(8, foot + 4 + LINE * k, 20, 12, of_class(k))
        sheet.text(34, foot + 10 + LINE * k, f"{shortened(name)}: {share[k]:.0%} of the cases")
    has = (f"{shortened(name)} has {part:.0%}" for name, part in zip(names, share, strict=True))
    shares = some_of(has, "classes", ", ")
    return Picture(
        sheet.figure,
        f"Decision tree of depth {tree.depth} with {tree.n_leaves} leaves, a row for each level, "
        f"from the root down: {some_of(map(str, rows), 'levels of', ', ')} nodes. Boxes "
        f"are as wide as their share of the {in_short(whole)} cases; of the leaves, {shares}."
        + f" Not drawn: the levels below {n_levels - 1}."
        * is_cut,
        _node_table(tree),
    )

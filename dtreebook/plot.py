"""Pictures of trees, counts, curves and information, each with a text that says what is seen.

Every function returns a `dtreebook.picture.Picture`: an SVG for the page.
"""

import math
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle
from scipy.optimize import brentq

from dtreebook import measures
from dtreebook.picture import (
    DASHES,
    INK,
    LINE,
    MARKS,
    WIDTH,
    Picture,
    Sheet,
    colour,
    in_short,
    of_class,
    styled,
    text_width,
)

MOST_NODES = 60  # in a picture
MOST_RULES = 12  # in its alt text

# --- trees ---------------------------------------------------------------------------------------

_SHARE = 64  # the width of the bar in a leaf
_THICK = 3.5  # the way of a case


class _Place(NamedTuple):
    """Where a node is drawn: its box (x, y, width, height), its word's left end, its edge."""

    path: tuple
    box: tuple
    word_at: tuple
    edge: tuple


@styled
def tree(tree, *, lit=None, undecided=()):
    """Draw a tree: questions in boxes, answers on the edges, leaves with class and counts.

    A small tree grows downwards; one too wide for the page is an outline, its branches indented. Of
    a large one the subtrees with the fewest cases are folded; a note says how many.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree`.
    lit : dict from the paths that a case takes to how much of it comes there; drawn thick.
    undecided : paths of leaves that are yet to be decided; a question mark stands there.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> tree(ID3Classifier().fit(*load_loan(return_X_y=True)).tree_)
    Decision tree of depth 2 with 3 leaves; it first asks for house. If house = no and work = no: \
no (6 of 6 cases). If house = no and work = yes: yes (3 of 3 cases). If house = yes: yes (6 of 6 \
cases).
    """
    lit = lit or {}
    whole, (tree, folded) = tree, _fold(tree, lit)
    nodes, words = dict(tree.walk()), _edge_words(tree)
    for path, part in lit.items():
        words[path] += f" · {part:.2f}" * bool(path and part < 1)
    places, width, height = _lay_out(tree, nodes, words)
    x, y, key = 8, height + 18, []
    for name in () if tree.is_regression else tree.classes:
        if x > 8 and x + text_width(name) + 26 > width:
            x, y = 8, y + LINE
        key.append((x, y))
        x += text_width(name) + 46
    note = f"double frame: folded, {whole.node_count - tree.node_count} nodes in all"
    sheet = Sheet(max(width, bool(folded) * (text_width(note) + 16)), y + 16 + 24 * bool(folded))
    for place in places:
        if place.path:
            sheet.line(*place.edge, lw=_THICK if place.path in lit else 1)
            sheet.text(*place.word_at, words[place.path])
        look = {"lw": _THICK if place.path in lit else 1.2}
        _draw_node(sheet, tree, nodes[place.path], *place.box, look, place.path in undecided)
        if place.path in folded:
            x, top, wide, high = place.box
            sheet.add(Rectangle((x + 3, top + 3), wide - 6, high - 6, fc="none", ec=INK))
    for k, (x, y) in enumerate(key):
        sheet.bar(x, y - 6, 20, 12, of_class(k))
        sheet.text(x + 26, y, str(tree.classes[k]))
    if folded:
        sheet.text(8, y + 24, note)
    words = _tree_words(whole, undecided) + _lit_words(tree, lit)
    if folded:
        words += f" Folded: {len(folded)} subtrees, {whole.node_count - tree.node_count} nodes."
    return Picture(sheet.figure, words)


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


def _edge_words(tree):
    """Return for every path the answer that ends it: not "house = no", but "no"."""
    words = {(): ""}
    for path, node in tree.walk():
        for i, test in enumerate(tree.branch_words(node)):
            words[*path, i] = test.removeprefix(_asked(tree, node)).removeprefix(" = ").strip()
    return words


def _asked(tree, node):
    return tree.attributes[node.split.attribute].name


def _leaf_words(tree, node):
    if tree.is_regression:
        return tree.answer(node.label), f"{in_short(node.weight)} cases"
    share = f"{in_short(node.counts[node.label])} of {in_short(node.weight)}"
    return tree.answer(node.label), share if node.weight else "no cases"


def _lay_out(tree, nodes, words):
    """Return a `_Place` for every node, and the width and the height of all."""
    down = _downwards(tree, nodes, words)
    return down if down[1] <= WIDTH else _outline(tree, nodes, words)


def _downwards(tree, nodes, words):
    sizes = {path: _box_size(tree, node, upright=True) for path, node in nodes.items()}
    children = {path: [(*path, i) for i in range(len(nodes[path].children))] for path in nodes}
    room, below, tallest = {}, {}, [0] * (tree.depth + 1)
    for path in reversed(nodes):  # children before their parents
        below[path] = sum(room[child] for child in children[path])
        room[path] = max(max(sizes[path][0], text_width(words[path])) + 14, below[path])
        tallest[len(path)] = max(tallest[len(path)], sizes[path][1])
    tops = 4 + np.cumsum([0, *(height + 56 for height in tallest)])
    middle, places, edge = {(): 4 + room[()] / 2}, [], ()
    for path in nodes:
        (width, height), top = sizes[path], tops[len(path)]
        left = middle[path] - below[path] / 2
        for child in children[path]:
            middle[child] = left + room[child] / 2
            left += room[child]
        if path:
            parent = path[:-1]
            bottom = tops[len(parent)] + sizes[parent][1]
            edge = (middle[parent], bottom), (middle[path], top - 22)
        box = (middle[path] - width / 2, top, width, height)
        word_at = (middle[path] - text_width(words[path]) / 2, top - 11)
        places.append(_Place(path, box, word_at, edge))
    return places, room[()] + 8, tops[-1] - 52


def _outline(tree, nodes, words):
    places, bottom, edge = [], {}, ()
    for row, (path, node) in enumerate(nodes.items()):
        x, y = 4 + 26 * len(path), 17 + 30 * row
        bottom[path] = (x + 10, y + 13)
        if path:
            start = bottom[path[:-1]]
            edge = start, (start[0], y), (x - 4, y)
        width, height = _box_size(tree, node, upright=False)
        left = x + text_width(words[path]) + 8 if path else x
        places.append(_Place(path, (left, y - height / 2, width, height), (x, y), edge))
    return places, max(p.box[0] + p.box[2] for p in places) + 4, 30 * len(places) + 4


def _box_size(tree, node, upright):
    if not node.is_leaf:
        return text_width(_asked(tree, node) + "?") + 20, 32 if upright else 26
    label, share = _leaf_words(tree, node)
    label, share = text_width(label, "bold"), text_width(share)
    return (max(label, share, _SHARE) + 14, 62) if upright else (label + share + _SHARE + 32, 26)


def _draw_node(sheet, tree, node, x, y, width, height, look, undecided):
    corners = "square,pad=0" if node.is_leaf else "round,pad=0,rounding_size=10"
    dashed = undecided or not node.weight
    look = {"fc": "none", "ec": INK, "ls": "--" if dashed else "-"} | look
    sheet.add(FancyBboxPatch((x, y), width, height, boxstyle=corners, **look))
    middle = x + width / 2
    if not node.is_leaf:
        sheet.text(middle, y + height / 2, _asked(tree, node) + "?", "center")
        return
    label, share = _leaf_words(tree, node)
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
        label, share = _leaf_words(tree, node)
        return f"{label} ({share}{'' if share.endswith('cases') else ' cases'})"

    words = f"Decision tree of depth {tree.depth} with {tree.n_leaves} lea"
    words += "f" if tree.root.is_leaf else f"ves; it first asks for {_asked(tree, tree.root)}"
    if tree.root.is_leaf:
        return f"{words}: {end((), tree.root)}."
    if tree.n_leaves <= MOST_RULES:
        leaves = ((path, node) for path, node in tree.walk() if node.is_leaf)
        rules = (
            f"If {' and '.join(tree.conditions(path))}: {end(path, node)}" for path, node in leaves
        )
        return ". ".join([words, *rules]) + "."
    branches = zip(tree.branch_words(tree.root), tree.root.children, strict=True)
    return (
        f"{words}. Then, "
        + "; ".join(
            f"if {test}: {end((i,), node) if node.is_leaf else 'it asks for ' + _asked(tree, node)}"
            for i, (test, node) in enumerate(branches)
        )
        + "."
    )


def _lit_words(tree, lit):
    ends = [path for path in lit if not any(other[:-1] == path for other in lit if other)]
    ways = [
        f"{f'{lit[path]:.2f} of a case' if lit[path] < 1 else 'the way'} "
        f"by {' and '.join(tree.conditions(path))}"
        for path in ends
        if path
    ]
    return f" Drawn thick: {'; '.join(ways)}." if ways else ""


@styled
def icicle(tree):
    """Draw a tree of any size: a row for each level, a box as wide as its share of the cases.

    A box has the colour and the hatch of its class, an empty one asks on. What is narrower than a
    pixel is left out.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree` of classes.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> icicle(ID3Classifier().fit(*load_loan(return_X_y=True)).tree_)
    Decision tree of depth 2 with 3 leaves, a row for each level, from the root down: 1, 2, 2 \
nodes. Boxes are as wide as their share of the 15 cases; of the leaves, no has 40%, yes has 60%.
    """
    high, whole = 24, tree.root.weight
    sheet = Sheet(WIDTH, high * (tree.depth + 1) + 12 + LINE * len(tree.classes))
    left, rows, share = {(): 4.0}, [0] * (tree.depth + 1), np.zeros(len(tree.classes))
    scale = (WIDTH - 8) / whole
    for path, node in tree.walk():
        rows[len(path)] += 1
        x, y, width = left[path], 4 + high * len(path), scale * node.weight
        for i, child in enumerate(node.children):
            left[*path, i] = x
            x += scale * child.weight
        if node.is_leaf:
            share[node.label] += node.weight / whole
        if width < 1:
            continue
        inner = {"fc": "none", "ec": INK, "lw": 0.6 * (width > 4)}
        look = of_class(node.label) if node.is_leaf else inner
        sheet.bar(left[path], y, width, high - 2, look)
        if not node.is_leaf and text_width(_asked(tree, node)) < width - 6:
            sheet.text(left[path] + width / 2, y + high / 2 - 1, _asked(tree, node), "center")
    foot = 4 + high * (tree.depth + 1)
    for k, name in enumerate(tree.classes):
        sheet.bar(8, foot + 4 + LINE * k, 20, 12, of_class(k))
        sheet.text(34, foot + 10 + LINE * k, f"{name}: {share[k]:.0%} of the cases")
    shares = ", ".join(
        f"{name} has {part:.0%}" for name, part in zip(tree.classes, share, strict=True)
    )
    return Picture(
        sheet.figure,
        f"Decision tree of depth {tree.depth} with {tree.n_leaves} leaves, a row for each level, "
        f"from the root down: {', '.join(map(str, rows))} nodes. Boxes are as wide as their share "
        f"of the {in_short(whole)} cases; of the leaves, {shares}.",
    )


@styled
def partition(tree, X, y):
    """Draw the plane as a tree of two numbers divides it, with the cases in it.

    Parameters
    ----------
    tree : `dtreebook.tree.Tree` of classes that asks for numbers only.
    X : DataFrame with its two columns, in the order of the tree.
    y : the class of each case.

    Raises
    ------
    ValueError
        If the tree has not two numeric attributes.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> X = pd.DataFrame({"long": [1.0, 2.0, 3.0, 4.0], "wide": [1.0, 2.0, 1.0, 2.0]})
    >>> y = ["a", "a", "b", "c"]
    >>> partition(CARTClassifier().fit(X, y).tree_, X, y)
    The plane of long and wide in 3 regions: long <= 2.5: a, 2 of 2 cases; long > 2.5 and \
long <= 3.5: b, 1 of 1 cases; long > 2.5 and long > 3.5: c, 1 of 1 cases.
    """
    if [attribute.kind for attribute in tree.attributes] != ["numeric", "numeric"]:
        kinds = ", ".join(f"{a.name} is {a.kind}" for a in tree.attributes)
        raise ValueError(f"a plane has two numbers, but {kinds}")
    values, y = np.asarray(X, dtype=float), np.asarray(y)
    low, high = values.min(axis=0), values.max(axis=0)
    low, high = low - 0.05 * (high - low), high + 0.05 * (high - low)
    left, top, wide, tall = 56, 30, WIDTH - 72, 320
    sheet = Sheet(WIDTH, top + tall + 44 + LINE * len(tree.classes))
    names = [attribute.name for attribute in tree.attributes]

    def place(point):
        x, z = (np.asarray(point) - low) / (high - low)
        return left + wide * x, top + tall * (1 - z)

    regions, words = {(): (low, high)}, []
    for path, node in tree.walk():
        lower, upper = regions[path]
        if not node.is_leaf:
            a, cut = node.split.attribute, node.split.cut
            below, above = upper.copy(), lower.copy()
            below[a] = above[a] = cut
            regions[*path, 0], regions[*path, 1] = (lower, below), (above, upper)
            continue
        (x0, y1), (x1, y0) = place(lower), place(upper)
        look = {"fc": colour(node.label), "ec": INK, "lw": 0, "alpha": 0.22}
        sheet.bar(x0, y0, x1 - x0, y1 - y0, look)
        sheet.bar(x0, y0, x1 - x0, y1 - y0, {"fc": "none", "ec": INK, "lw": 1.2})
        label, share = _leaf_words(tree, node)
        words.append(f"{' and '.join(tree.conditions(path)) or 'all'}: {label}, {share} cases")
    foot = top + tall
    for k, name in enumerate(tree.classes):
        look = {"marker": MARKS[k % len(MARKS)], "color": colour(k), "ms": 7, "ls": ""}
        here = values[y == name]
        if len(here):
            sheet.line(*map(place, here), **look)
        sheet.line((left + 8, foot + 50 + LINE * k), **look)
        sheet.text(left + 22, foot + 50 + LINE * k, str(name))
    for value, at in ((low, 0), (high, 1)):
        sheet.text(left + wide * at, foot + 12, f"{value[0]:.3g}", "center")
        sheet.text(left - 6, foot - tall * at, f"{value[1]:.3g}", "right")
    sheet.text(left + wide / 2, foot + 28, names[0], "center")
    sheet.text(4, 12, names[1])
    many = f"{'; '.join(words)}." if len(words) <= MOST_RULES else "too many to tell."
    return Picture(
        sheet.figure, f"The plane of {names[0]} and {names[1]} in {len(words)} regions: {many}"
    )


@styled
def pruning_errors(table, place, chosen):
    """Draw the errors of the trees of a pruning path: on the training cases and cross-validated.

    Parameters
    ----------
    table : DataFrame of `dtreebook.complexity.cp_table`.
    place : the row of the tree that is looked at; a ring marks it.
    chosen : the row that the one-standard-error rule chooses; an arrow marks it.

    Examples
    --------
    >>> table = pd.DataFrame({"n_splits": [0, 1], "relative_error": [1.0, 0.5],
    ...                       "cv_error": [1.0, 0.6], "cv_std": [0.1, 0.1]})
    >>> pruning_errors(table, 0, 1)
    Errors against the number of leaves, as a share of the root's. 1 leaf: training 1.000, \
cross-validated 1.000 plus or minus 0.100, this one; 2 leaves: training 0.500, cross-validated \
0.600 plus or minus 0.100, chosen by one standard error.
    """
    left, top, tall = 44, 34, 170
    foot, n = top + tall, len(table)
    best = table.loc[table["cv_error"].idxmin()]
    level = best["cv_error"] + best["cv_std"]
    most = max((table["cv_error"] + table["cv_std"]).max(), table["relative_error"].max())
    sheet = Sheet(WIDTH, foot + 92)

    def at(row, error):
        return left + (WIDTH - left - 16) * (row + 0.5) / n, foot - tall * error / most

    sheet.line((left, top), (left, foot), (WIDTH - 8, foot))
    sheet.text(4, 12, "error, as a share of the root's")
    for error in (0, 0.5, 1):
        sheet.text(left - 6, at(0, error)[1], f"{error:g}", "right")
    sheet.line((left, at(0, level)[1]), (WIDTH - 8, at(0, level)[1]), ls=":", lw=1.5)
    looks = {
        "relative_error": {"marker": "s", "color": colour(0), "ls": DASHES[0]},
        "cv_error": {"marker": "o", "color": colour(1), "ls": DASHES[1]},
    }
    for name, look in looks.items():
        sheet.line(*[at(row, table[name][row]) for row in range(n)], **look, lw=2)
    words = []
    for row, line in table.iterrows():
        x, y = at(row, line["cv_error"])
        spread = tall * line["cv_std"] / most
        sheet.line((x, y - spread), (x, y + spread), color=colour(1), lw=2)
        leaves = int(line["n_splits"]) + 1
        sheet.text(x, foot + 14, str(leaves), "center")
        words.append(
            f"{leaves} lea{'f' if leaves == 1 else 'ves'}: training {line['relative_error']:.3f}, "
            f"cross-validated {line['cv_error']:.3f} plus or minus {line['cv_std']:.3f}"
            f"{', this one' * (row == place)}{', chosen by one standard error' * (row == chosen)}"
        )
    sheet.line(at(place, table["cv_error"][place]), marker="o", ms=16, mfc="none", mew=2.5, ls="")
    x = at(chosen, 0)[0]
    sheet.line((x, foot + 26), marker="^", ms=9, ls="")
    sheet.text(WIDTH / 2, foot + 44, "leaves; the triangle: one standard error", "center")
    sheet.line((left, foot + 66), (left + 26, foot + 66), **looks["relative_error"], lw=2)
    sheet.text(left + 34, foot + 66, "training")
    sheet.line((left + 150, foot + 66), (left + 176, foot + 66), **looks["cv_error"], lw=2)
    sheet.text(left + 184, foot + 66, "cross-validated")
    return Picture(
        sheet.figure,
        f"Errors against the number of leaves, as a share of the root's. {'; '.join(words)}.",
    )


@styled
def staircase(x, y, cuts, means, *, x_label, y_label):
    """Draw cases of two numbers, and what a regression tree predicts between its cuts.

    Parameters
    ----------
    x, y : arrays [n].
    cuts : array [m - 1], in order.
    means : array [m], what is predicted below the first cut, between two, and above the last.
    x_label, y_label : the names of the numbers.

    Examples
    --------
    >>> staircase([1, 2, 3], [5, 7, 9], [2.5], [6, 9], x_label="x", y_label="y")
    3 cases, y against x, and 2 steps: 6 up to x = 2.5, then 9.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    left, top, wide, tall = 56, 32, WIDTH - 72, 200
    foot = top + tall
    sheet = Sheet(WIDTH, foot + 44)

    def at(u, v):
        u, v = (u - x.min()) / (np.ptp(x) or 1), (v - y.min()) / (np.ptp(y) or 1)
        return left + 8 + (wide - 16) * u, foot - 8 - (tall - 16) * v

    sheet.line((left, top), (left, foot), (left + wide, foot))
    sheet.line(*map(at, x, y), marker="o", color=colour(0), ms=6, ls="")
    ends = [x.min(), *cuts, x.max()]
    steps = [point for (u, w), v in zip(pairwise(ends), means, strict=True)
             for point in (at(u, v), at(w, v))]  # fmt: skip
    sheet.line(*steps, lw=2.5)
    for value in (x.min(), x.max()):
        sheet.text(at(value, 0)[0], foot + 14, in_short(value), "center")
    for value in (y.min(), y.max()):
        sheet.text(left - 8, at(0, value)[1], in_short(value), "right")
    sheet.text(left + wide / 2, foot + 32, x_label, "center")
    sheet.text(4, 12, y_label)
    words = [f"{mean:.4g} up to {x_label} = {cut:.4g}" for mean, cut in zip(means, cuts)]  # noqa: B905
    words = ", ".join([*words, f"then {means[-1]:.4g}" if words else f"{means[-1]:.4g}"])
    words = words if len(means) <= MOST_RULES else f"from {min(means):.4g} to {max(means):.4g}"
    return Picture(
        sheet.figure,
        f"{len(x)} cases, {y_label} against {x_label}, and {len(means)} "
        f"step{'s' * (len(means) > 1)}: {words}.",
    )


@styled
def strip(values, marked, place, title):
    """Draw numbers as points on a line: some marked, one of these ringed.

    Parameters
    ----------
    values : array [n].
    marked : array [m], further numbers, drawn full.
    place : which of the marked has the ring.
    title : what the numbers are.

    Examples
    --------
    >>> strip([0.1, 0.2, 0.3], [0.1, 0.3], 1, "gain in bits")
    Points for the gain in bits: 3 from 0.100 to 0.300; 2 of them full, from 0.100 to 0.300, and \
0.300 ringed.
    """
    values, marked = np.asarray(values, dtype=float), np.asarray(marked, dtype=float)
    most = max(values.max(), marked.max()) or 1
    sheet = Sheet(WIDTH, 88)

    def at(value):
        return 20 + (WIDTH - 60) * value / most, 46

    sheet.text(4, 12, title, weight="bold")
    sheet.line((20, 46), (WIDTH - 40, 46))
    seen = np.unique((values * WIDTH / most).round()) * most / WIDTH  # one point a pixel
    sheet.line(*map(at, seen), marker="o", ms=9, mfc="none", ls="")
    sheet.line(*map(at, marked), marker="o", ms=7, ls="")
    sheet.line(at(marked[place]), marker="o", ms=17, mfc="none", mew=2.5, ls="")
    sheet.text(at(marked[place])[0], 27, f"{marked[place]:.3f}", "center")
    for value in (0, most):
        sheet.text(at(value)[0], 76, f"{value:.3g}", "center")
    return Picture(
        sheet.figure,
        f"Points for the {title}: {len(values)} from {values.min():.3f} to {values.max():.3f}; "
        f"{len(marked)} of them full, from {marked.min():.3f} to {marked.max():.3f}, and "
        f"{marked[place]:.3f} ringed.",
    )


# --- bars ----------------------------------------------------------------------------------------


@styled
def class_counts(table, *, classes=None, names=None, title=None):
    """Draw the counts of a table as bars: a group for each value, a bar and its number each class.

    Parameters
    ----------
    table : array [V, K] or DataFrame, as `pandas.crosstab` gives it, of counts or weights.
    classes : K names of the columns; those of the DataFrame by default.
    names : V names of the rows; those of the DataFrame by default.
    title : a line above the bars; by default what the DataFrame says, such as "approved by house".

    Raises
    ------
    ValueError
        If the table has not two dimensions, the names do not fit it, or a count is negative.

    Examples
    --------
    >>> class_counts([[6, 3], [0, 6]], names=["no house", "a house"], classes=["no", "yes"])
    Bars of counts. no house: no 6, yes 3. a house: no 0, yes 6.
    """
    spoken = ""
    if isinstance(table, pd.DataFrame):
        names = table.index if names is None else names
        classes = table.columns if classes is None else classes
        if table.index.name and table.columns.name:
            title = title or f"{table.columns.name} by {table.index.name}"
            spoken = f"{table.index.name} = "
    table = np.asarray(table)
    if table.ndim != 2:
        raise ValueError(f"a table has two dimensions, values and classes, not {table.ndim}")
    measures.shares(table)  # refuses what cannot be a count
    names = _names(names, len(table), "names", "value")
    classes = _names(classes, table.shape[1], "classes", "class")
    words, rows = f"Bars of counts{', ' + title if title else ''}.", []
    for name, counts in zip(names, table, strict=True):
        numbers = [in_short(count) for count in counts]
        pairs = list(zip(classes, numbers, strict=True))
        words += f" {spoken}{name}: {', '.join(f'{label} {number}' for label, number in pairs)}."
        for k, (label, number) in enumerate(pairs):
            rows.append(_Bar("" if k else name, counts[k], f"{number} {label}", of_class(k)))
    return Picture(_bars(rows, title), words)


def _names(names, n, parameter, word):
    names = [f"{word} {i}" for i in range(n)] if names is None else [str(name) for name in names]
    if len(names) != n:
        raise ValueError(f"{parameter} has {len(names)} entries, but the table needs {n}")
    return names


@styled
def decision(decision, attributes):
    """Draw the candidates of one node as bars of their scores; the chosen one is marked.

    Parameters
    ----------
    decision : `dtreebook.grow.Decision` of a node that was examined.
    attributes : those of the tree, `dtreebook.tree.Tree.attributes`.

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
    Bars of the gain in bits of 4 candidates: age 0.083; work 0.324; house 0.420, \
chosen; credit 0.363.
    """
    found = decision.candidates
    if not found:
        raise ValueError(f"no attribute was a candidate at this node: {decision.reason.value}")
    scores = [candidate.score for candidate in found]
    score = next(
        (part for part in found[0].parts if np.allclose([c.parts[part] for c in found], scores)),
        "decrease × cases",  # CART compares sums over the cases
    )
    score = "gain in bits" if score == "gain" else score.replace("_", " ")
    names = [attributes[candidate.split.attribute].name for candidate in found]
    chosen = next((i for i, c in enumerate(found) if c is decision.chosen), None)
    figure, words = _scores(names, scores, score, chosen)
    if decision.chosen is None:
        words += f"; none chosen: {decision.reason.value}"
    plural = "s" * (len(found) > 1)
    return Picture(figure, f"Bars of the {score} of {len(found)} candidate{plural}: {words}.")


@styled
def scores(values, title, chosen=None):
    """Draw numbers as bars, of no class's colour; the chosen one is marked.

    Parameters
    ----------
    values : dict from names to numbers.
    title : what the numbers are, with their unit; it stands above the bars.
    chosen : the name that is marked.

    Examples
    --------
    >>> scores({"house": 0.42, "age": 0.083}, "gain in bits", chosen="house")
    Bars of the gain in bits: house 0.420, chosen; age 0.083.
    """
    names = list(values)
    place = None if chosen is None else names.index(chosen)
    figure, words = _scores(names, list(values.values()), title, place)
    return Picture(figure, f"Bars of the {title}: {words}.")


def _scores(names, scores, title, chosen):
    """Return the bars, and in words what they show."""
    words, rows = [], []
    for i, (name, score) in enumerate(zip(names, scores, strict=True)):
        number, is_chosen = f"{score:.3f}", i == chosen
        words.append(f"{name} {number}{', chosen' * is_chosen}")
        rows.append(_Bar(name, score, number + " – chosen" * is_chosen, _BAR[is_chosen]))
    return _bars(rows, title), "; ".join(words)


_BAR = ({"fc": "none", "ec": INK}, {"fc": INK, "ec": INK})  # of no class: open, full


class _Bar(NamedTuple):
    name: str  # "" in a group, but for its first bar
    length: float
    label: str
    look: dict


def _bars(rows, title):
    left = max(text_width(row.name) for row in rows) + 12
    right = max(text_width(row.label) for row in rows) + 12
    scale = max(WIDTH - left - right, 120) / (max(row.length for row in rows) or 1)
    y = 28 if title else 0
    width = max(left + right + scale * max(row.length for row in rows), WIDTH)
    sheet = Sheet(width, y + 22 * len(rows) + 6 * sum(bool(row.name) for row in rows))
    if title:
        sheet.text(4, 14, title, weight="bold")
    for row in rows:
        if row.name:
            y += 6
            sheet.text(left - 8, y + 9, row.name, "right")
        length = scale * max(row.length, 0)
        sheet.bar(left, y, length, 18, row.look)
        sheet.text(left + length + 6, y + 9, row.label)
        y += 22
    return sheet.figure


# --- curves --------------------------------------------------------------------------------------


@styled
def curves(x, curves, *, x_label, y_label, alt, marks=()):
    """Draw lines over a common x, each named at its end and dashed in its own way.

    Parameters
    ----------
    x : array [n].
    curves : dict from the name of a line to its array [n]; NaN leaves a gap.
    x_label, y_label : what the axes show, with the unit.
    alt : the text that says what is seen, its numbers computed.
    marks : points to show, (x, y, text) each.

    Raises
    ------
    ValueError
        If there is no curve or no alt, or a curve has no point or not as many as x.

    Examples
    --------
    >>> curves([0, 1], {"H": [0, 1]}, x_label="p", y_label="bits", alt="H rises from 0 to 1.")
    H rises from 0 to 1.
    """
    x = np.asarray(x, dtype=float)
    lines = {name: np.asarray(y, dtype=float) for name, y in curves.items()}
    for name, y in lines.items():
        if x.ndim != 1 or y.shape != x.shape:
            raise ValueError(f"curve {name!r} has shape {y.shape}, but x has {x.shape}")
        if not np.isfinite(y).any():
            raise ValueError(f"curve {name!r} has no finite point to draw")
    if not lines or not alt.strip():
        raise ValueError("give at least one curve, and an alt that says what is seen")
    figure = Figure(figsize=(WIDTH / 72, 320 / 72), layout="constrained")
    axes = figure.add_subplot(xlabel=x_label)
    axes.set_title(y_label, loc="left")
    axes.margins(x=0.02, y=0.17 if len(marks) else 0.05)  # room for a text above a mark
    axes.xaxis.get_major_locator().set_params(integer=bool((x == x.round()).all()))
    looks = {
        name: {"color": colour(k), "ls": DASHES[k % len(DASHES)], "lw": 2.2, "clip_on": False}
        for k, name in enumerate(lines)
    }
    for name, y in lines.items():
        axes.plot(x, y, **looks[name])
    for mark_x, mark_y, _ in marks:
        axes.plot(mark_x, mark_y, "o", color=INK, ms=6, clip_on=False)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)

    # At the right, from below, every line's name beside a piece of the line.
    ends = {name: y[np.isfinite(y)][-1:].sum() for name, y in lines.items()}
    at, margin = -math.inf, axes.get_yaxis_transform()  # x in shares of the axes, y in data
    for name in sorted(lines, key=lambda name: (ends[name], np.nanmean(lines[name]))):
        at = max(ends[name], at + (high - low) * LINE / 240)
        axes.plot([1.01, 1.08], [at, at], transform=margin, **looks[name])
        axes.text(1.1, at, name, transform=margin, va="center")

    figure.draw_without_rendering()  # settles where the points lie
    points = [axes.transData.transform(np.c_[x, y]) for y in lines.values()]
    marked = axes.transData.transform(np.array([mark[:2] for mark in marks]).reshape(-1, 2))
    ink = np.concatenate([*map(_along, points), marked])
    for (mark_x, mark_y, text), here in zip(marks, marked, strict=True):
        offset = _free_offset(here, text_width(text), ink, axes.bbox)
        axes.annotate(
            text, (mark_x, mark_y), offset, textcoords="offset points", ha="center", va="center"
        ).set_in_layout(False)
    return Picture(figure, alt)


def _along(points):
    """Return points close together along a line."""
    steps = np.linspace(0, 1, 12)[:, None, None]
    return (points[:-1] + steps * np.diff(points, axis=0)).reshape(-1, 2)


def _free_offset(here, width, ink, frame):
    """Return how far from a point to centre a text so that it hides the least."""
    half = np.array([width / 2 + 3, LINE / 2])

    def hidden(offset):
        centre = here + offset
        outside = (centre - half < frame.min).any() or (centre + half > frame.max).any()
        return (np.abs(ink - centre) < half).all(axis=1).sum() + 1000 * outside

    ways = [(0, 1), (1, 0), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]
    return min((np.array(way) * (half + 7) for way in ways), key=hidden)


@styled
def cut(values, target, classes, middles, gains, place, allowed, name):
    """Draw the cases of each class along a number, the gain of every cut below, and one cut.

    Parameters
    ----------
    values : array [n] of numbers.
    target : array [n] of class codes.
    classes : K names of the classes.
    middles, gains : arrays [m], where one can cut, and the gain in bits.
    place : which of them is the cut.
    allowed : mask [m], which cuts the algorithm may choose; the others are drawn open.
    name : the name of the number.

    Examples
    --------
    >>> cut([1, 2, 3], [0, 0, 1], ["no", "yes"], [1.5, 2.5], [0.3, 0.9], 1, [True, True], "age")
    Cases along age, cut at 2.5. no: 2 up to it, 0 above; yes: 0 up to it, 1 above. Below, the \
gain of 2 cuts from 0.300 to 0.900 bits; this one gains 0.900.
    """
    values, target, gains = np.asarray(values), np.asarray(target), np.asarray(gains)
    left = max(map(text_width, [*classes, "gain"])) + 24
    low, high = values.min(), values.max()

    def across(value):
        return left + (value - low) * (WIDTH - 20 - left) / (high - low or 1)

    top, room, tall = 30, 28, 110
    foot = top + room * len(classes) + tall + 24
    sheet = Sheet(WIDTH, foot + 44)
    words, x = [], across(middles[place])
    sheet.text(x, 10, f"{name} <= {middles[place]:g}", "right" if x > WIDTH / 2 else "left")
    for k, label in enumerate(classes):
        level, here = top + room * (k + 0.5), values[target == k]
        below = int((here <= middles[place]).sum())
        words.append(f"{label}: {below} up to it, {len(here) - below} above")
        sheet.text(left - 16, level, str(label), "right")
        met, points = {}, []
        for value in here.tolist():  # equal values a little above and below each other
            met[value] = met.get(value, -1) + 1
            up = min(5 * ((met[value] + 1) // 2), room / 2) * (-1) ** met[value]
            points.append((across(value), level + up))
        if points:
            sheet.line(*points, marker=MARKS[k % len(MARKS)], color=colour(k), ms=9, ls="")
    points = [
        (across(m), foot - tall * g / gains.max()) for m, g in zip(middles, gains, strict=True)
    ]
    sheet.line((left, foot - tall), (left, foot), (WIDTH - 12, foot))
    sheet.text(left - 8, foot - tall, f"{gains.max():.3f}", "right")
    sheet.text(left - 8, foot - tall / 2, "gain", "right")
    sheet.text(left - 8, foot, "0", "right")
    sheet.line(*points)
    for look, some in ((INK, allowed), ("none", ~np.asarray(allowed))):
        if np.any(some):
            sheet.line(*np.array(points)[some], marker="o", ms=6, mfc=look, ls="")
    sheet.line(points[place], marker="o", ms=12, mfc="none", mew=2.5, ls="")
    sheet.line((x, 20), (x, foot), ls="--", lw=2)
    for value in (low, high):
        sheet.text(across(value), foot + 16, in_short(value), "center")
    sheet.text((left + WIDTH) / 2, foot + 32, name, "center")
    return Picture(
        sheet.figure,
        f"Cases along {name}, cut at {middles[place]:g}. {'; '.join(words)}. Below, the gain of "
        f"{len(gains)} cuts from {gains.min():.3f} to {gains.max():.3f} bits; this one gains "
        f"{gains[place]:.3f}.",
    )


# --- chances and surprises -----------------------------------------------------------------------


@styled
def surprises(counts, names):
    """Draw each outcome as a block, as wide as its chance and as high as its surprise.

    The area of all blocks is the entropy; so is the height of the dashed line, their mean.

    Parameters
    ----------
    counts : array [K] of counts, weights or chances.
    names : K names of the outcomes.

    Examples
    --------
    >>> surprises([1, 3], ["heads", "tails"])
    Blocks as wide as a chance and as high as its surprise in bits. heads: 0.250 wide, 2.000 high; \
tails: 0.750 wide, 0.415 high. A dashed line at their mean height, the entropy: 0.811.
    """
    shares, entropy = measures.shares(counts), float(measures.entropy(counts))
    left, width, unit, foot = 40, 340, 28, 212
    sheet = Sheet(WIDTH, foot + 52)
    sheet.text(left, 12, "surprise in bits")
    for bits in range(0, 7, 2):
        sheet.text(left - 10, foot - unit * bits, str(bits), "right")
    sheet.line((left, foot - 6.5 * unit), (left, foot), (left + width, foot))
    x, words = left, []
    for k, (name, share) in enumerate(zip(names, shares.tolist(), strict=True)):
        if share == 0:
            words.append(f"{name}: never")
            continue
        surprise = abs(math.log2(share))
        words.append(f"{name}: {share:.3f} wide, {surprise:.3f} high")
        height = unit * surprise
        sheet.bar(x, foot - height, width * share, height, of_class(k))
        end = x + width * share
        sheet.line((x, foot), (x, foot - height), (end, foot - height), (end, foot))
        if text_width(name) < end - x:
            sheet.text((x + end) / 2, foot + 14, name, "center")
        x = end
    level = foot - unit * entropy
    sheet.line((left, level), (left + width + 6, level), ls="--", lw=2)
    sheet.text(left + width + 10, level, f"{entropy:.3f} bits")
    sheet.text(left + width, foot + 36, "chance, all together 1", "right")
    return Picture(
        sheet.figure,
        f"Blocks as wide as a chance and as high as its surprise in bits. {'; '.join(words)}. "
        f"A dashed line at their mean height, the entropy: {entropy:.3f}.",
    )


# --- the information diagram ---------------------------------------------------------------------


@styled
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
    Two circles whose areas are entropies, in bits: H(house) = 0.971 and H(loan) = 0.971. Their \
overlap is I(house;loan) = 0.420; outside it lie H(house|loan) = 0.551 and H(loan|house) = 0.551. \
Together they cover H(house,loan) = 1.522.
    """
    table, (x, y) = np.asarray(table), names
    h_x, h_y = measures.entropy(table.sum(axis=1), base), measures.entropy(table.sum(axis=0), base)
    information = measures.mutual_information(table, base)
    parts = {
        f"H({x}|{y})": measures.conditional_entropy(table.T, base),
        f"I({x};{y})": information,
        f"H({y}|{x})": measures.conditional_entropy(table, base),
    }
    unit = {2: "bits", math.e: "nats"}.get(base, f"logarithms to base {base:g}")
    both = f"H({x},{y}) = {measures.joint_entropy(table, base):.3f}"
    x, y = f"H({x}) = {h_x:.3f}", f"H({y}) = {h_y:.3f}"

    r, s = radii = np.sqrt([h_x / math.pi, h_y / math.pi])
    distance = _distance(r, s, information)
    left, right = min(-r, distance - s), max(r, distance + s)
    scale = min((WIDTH - 60) / (right - left or 1), 105 / (radii.max() or 1))
    width = max(WIDTH, 3 * max(map(text_width, parts)) + 40)
    largest = scale * radii.max()
    sheet, level, foot = Sheet(width, 2 * largest + 160), 46 + largest, 72 + 2 * largest
    shift = (width - scale * (left + right)) / 2
    centres, radii = shift + scale * np.array([0, distance]), scale * radii

    for k, (text, side, way) in enumerate([(x, "left", 1), (y, "right", -1)]):
        circle = (centres[k], level), radii[k]
        sheet.add(Circle(*circle, fc=colour(k), alpha=0.25, lw=0))
        sheet.add(Circle(*circle, fc="none", ec=colour(k), lw=2.5, ls=DASHES[k]))
        end = 8 if way == 1 else width - 8
        rim = centres[k] - way * 0.64 * radii[k], level - 0.77 * radii[k]
        sheet.text(end, 14, text, side)
        sheet.line((end + way * text_width(text) / 2, 26), rim)
    (x0, x1), (y0, y1) = zip(centres - radii, centres + radii, strict=True)
    spans = (x0, y0), (max(x0, y0), min(x1, y1)), (x1, y1)
    for i, ((name, value), span) in enumerate(zip(parts.items(), spans, strict=True)):
        column = width * (2 * i + 1) / 6
        sheet.text(column, foot + 12, name, "center")
        sheet.text(column, foot + 32, f"{value:.3f}", "center", "bold")
        if value > 5e-4:
            inside = sum(span) / 2, level
            sheet.line(inside, marker="o", ms=5)
            sheet.line(inside, (column, foot))
    sheet.text(width / 2, foot + 68, f"both together: {both} {unit}", "center")
    only_x, shared, only_y = (f"{name} = {value:.3f}" for name, value in parts.items())
    return Picture(
        sheet.figure,
        f"Two circles whose areas are entropies, in {unit}: {x} and {y}. Their overlap is "
        f"{shared}; outside it lie {only_x} and {only_y}. Together they cover {both}.",
    )


def _distance(r, s, area):
    """Return how far apart the centres of two circles are whose overlap has an area."""
    near, far = abs(r - s), r + s
    if area <= 1e-9:
        return 1.06 * far
    if area >= math.pi * min(r, s) ** 2 - 1e-9:
        return near
    return brentq(lambda distance: _overlap(distance, r, s) - area, max(near, 1e-9), far)


def _overlap(d, r, s):
    """Return the area that two circles share, from its two circular segments."""
    cos_r = np.clip((d * d + r * r - s * s) / (2 * d * r), -1, 1)
    cos_s = np.clip((d * d + s * s - r * r) / (2 * d * s), -1, 1)
    kite = d * r * np.sqrt(1 - cos_r**2)
    return r * r * np.arccos(cos_r) + s * s * np.arccos(cos_s) - kite

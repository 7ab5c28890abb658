"""Cases where a tree divides them: in the plane, along a curve, along a number."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtreebook import measures
from dtreebook.data.cases import two_sides
from dtreebook.plot.sheet import (
    INK,
    LINE,
    WIDTH,
    Picture,
    Sheet,
    colour,
    in_short,
    point_of_class,
    styled,
    text_width,
)
from dtreebook.plot.trees import MOST_RULES, answer_and_cases
from dtreebook.tree.splits import Threshold, middle
from dtreebook.tree.tree import Fitted, Tree, Visit, tree_of

_TALL = 110  # the largest gain in the curve below a number


@styled
def partition(tree: Tree | Fitted, X: pd.DataFrame, y: ArrayLike) -> Picture:
    """Draw the plane as a tree of two numbers divides it, with the cases in it.

    The tree is one of classes; X has its two columns, in their order.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> X = pd.DataFrame({"long": [1.0, 2.0, 3.0, 4.0], "wide": [1.0, 2.0, 1.0, 2.0]})
    >>> y = ["a", "a", "b", "c"]
    >>> partition(CARTClassifier().fit(X, y).tree_, X, y)
    The plane of long and wide in 3 regions: long <= 2.5: a, 2 of 2 cases; long > 2.5 and \
long <= 3.5: b, 1 of 1 cases; long > 2.5 and long > 3.5: c, 1 of 1 cases.
    """
    tree = tree_of(tree)
    if [attribute.kind for attribute in tree.attributes] != ["numeric", "numeric"]:
        kinds = ", ".join(f"{a.name} is {a.kind}" for a in tree.attributes)
        raise ValueError(f"a plane has two numbers, but {kinds}")
    if tree.classes is None:
        raise ValueError("a regression tree has no classes for a plane to show: use plot.tree")
    values, y = np.asarray(X, dtype=float), np.asarray(y)
    least, most = values.min(axis=0), values.max(axis=0)
    margin = np.where(most > least, 0.05 * (most - least), 1)
    low, high = least - margin, most + margin
    ends = [f"{value:.3g}" for value in (least[1], most[1])]
    left, top, tall = max(56, *(text_width(end) + 8 for end in ends)), 30, 320
    wide = WIDTH - 16 - left
    sheet = Sheet(WIDTH, top + tall + 44 + LINE * len(tree.classes))
    names = [attribute.name for attribute in tree.attributes]

    def place(point):
        x, z = (np.asarray(point) - low) / (high - low)
        return left + wide * x, top + tall * (1 - z)

    words = []
    for (path, node), lower, upper in _regions(tree, low, high):
        (x0, y1), (x1, y0) = place(lower), place(upper)
        look = {"fc": colour(int(node.label)), "ec": INK, "lw": 0, "alpha": 0.22}
        sheet.bar(x0, y0, x1 - x0, y1 - y0, look)
        sheet.bar(x0, y0, x1 - x0, y1 - y0, {"fc": "none", "ec": INK, "lw": 1.2})
        label, share = answer_and_cases(tree, node)
        words.append(f"{' and '.join(tree.conditions(path)) or 'all'}: {label}, {share} cases")
    foot = top + tall
    for k, name in enumerate(tree.classes):
        here = values[y == name]
        if len(here):
            sheet.line(*map(place, here), **point_of_class(k, 7))
        sheet.line((left + 8, foot + 50 + LINE * k), **point_of_class(k, 7))
        sheet.text(left + 22, foot + 50 + LINE * k, str(name))
    for point, end in zip((least, most), ends, strict=True):
        x, z = place(point)
        sheet.text(x, foot + 12, f"{point[0]:.3g}", "center")
        sheet.text(left - 6, z, end, "right")
    sheet.text(left + wide / 2, foot + 28, names[0], "center")
    sheet.text(4, 12, names[1])
    many = f"{'; '.join(words)}." if len(words) <= MOST_RULES else "too many to list."
    data = pd.DataFrame(values, columns=names)
    data["class"], data["predicted"] = y, tree.predict(X)
    data["region"] = [
        " and ".join(tree.conditions(tree.arrays.path(leaf))) for leaf in tree.apply(X)
    ]
    alt = f"The plane of {names[0]} and {names[1]} in {len(words)} regions: {many}"
    return Picture(sheet.figure, alt, data)


def _regions(
    tree: Tree, low: np.ndarray, high: np.ndarray
) -> Iterator[tuple[Visit, np.ndarray, np.ndarray]]:
    """Yield a `Visit` of every leaf, and the lower and the upper ends of its region."""
    ends: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {(): (low, high)}
    for visit in tree.walk():
        (path, node), (lower, upper) = visit, ends[visit.path]
        if isinstance(node.split, Threshold):
            below, above = upper.copy(), lower.copy()
            below[node.split.column] = above[node.split.column] = node.split.cut
            ends[(*path, 0)], ends[(*path, 1)] = (lower, below), (above, upper)
        else:
            yield visit, lower, upper


@styled
def staircase(
    x: ArrayLike,
    y: ArrayLike,
    cuts: Sequence[float],
    means: Sequence[float],
    *,
    x_label: str,
    y_label: str,
) -> Picture:
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
    told = [f"{mean:.4g} up to {x_label} = {cut:.4g}" for mean, cut in zip(means, cuts)]  # noqa: B905
    words = ", ".join([*told, f"then {means[-1]:.4g}" if told else f"{means[-1]:.4g}"])
    words = words if len(means) <= MOST_RULES else f"from {min(means):.4g} to {max(means):.4g}"
    predicted = np.asarray(means)[np.searchsorted(cuts, x)]
    return Picture(
        sheet.figure,
        f"{len(x)} cases, {y_label} against {x_label}, and {len(means)} "
        f"step{'s' * (len(means) > 1)}: {words}.",
        pd.DataFrame({x_label: x, y_label: y, "predicted": predicted}),
    )


@styled
def cut(values: ArrayLike, classes: ArrayLike, at: float | None = None) -> Picture:
    """Draw the cases of each class along a number, the gain of every cut below, and one cut.

    Parameters
    ----------
    values : Series or array [n] of numbers, none missing, at least two of them different.
    classes : the class of each case.
    at : where to cut; by default in the middle where the gain is largest.

    Examples
    --------
    >>> cut(pd.Series([1, 2, 3], name="age"), ["no", "no", "yes"])
    Cases along age, cut at 2.5. no: 2 up to it, 0 above; yes: 0 up to it, 1 above. Below, the \
gain of 2 cuts from 0.252 to 0.918 bits; this one gains 0.918.
    """
    name = str(getattr(values, "name", None) or "value")
    values, target = np.asarray(values, dtype=float), pd.Categorical(classes)
    low, high = values.min(), values.max()
    if not (low < high and (at is None or low <= at < high)):
        where = "" if at is None else f" at {at:g}"
        raise ValueError(f"{name} runs from {low:g} to {high:g}: it cannot be cut{where}")
    known, tables = two_sides(values, target.codes, len(target.categories))
    middles = middle(known[:-1], known[1:])
    gains = np.maximum(measures.information_gain(tables), 0)  # a rounding error below it is none
    if at is None:
        at = middles[gains.argmax()]
    place = int(np.searchsorted(known, at, side="right")) - 1

    left = max(map(text_width, [*target.categories, "gain"])) + 24
    scale = (WIDTH - 20 - left) / (high - low)

    def across(value):
        return left + (value - low) * scale

    top, room = 30, 28
    foot = top + room * len(target.categories) + _TALL + 24
    sheet = Sheet(WIDTH, foot + 44)
    x = across(at)
    sheet.text(x, 10, f"{name} <= {at:g}", "right" if x > WIDTH / 2 else "left")
    words, data = [], {f"{name} <=": middles, "gain": gains}
    for k, label in enumerate(target.categories):
        level, here = top + room * (k + 0.5), values[target.codes == k]
        below, above = tables[place, :, k]
        words.append(f"{label}: {below:.0f} up to it, {above:.0f} above")
        data |= {f"{label}, up to it": tables[:, 0, k], f"{label}, above": tables[:, 1, k]}
        sheet.text(left - 16, level, str(label), "right")
        points = [(across(value), level + up) for value, up in _apart(here.tolist(), room / 2)]
        if points:
            sheet.line(*points, **point_of_class(k, 9))
    most = max(gains.max(), 1e-3)
    curve = np.stack([across(middles), foot - _TALL * gains / most], axis=1)
    sheet.line((left, foot - _TALL), (left, foot), (WIDTH - 12, foot))
    sheet.text(left - 8, foot - _TALL, f"{most:.3f}", "right")
    sheet.text(left - 8, foot - _TALL / 2, "gain", "right")
    sheet.text(left - 8, foot, "0", "right")
    sheet.line(*curve)
    sheet.line(*curve, marker="o", ms=6, ls="")
    sheet.line(curve[place], marker="o", ms=12, mfc="none", mew=2.5, ls="")
    sheet.line((x, 20), (x, foot), ls="--", lw=2)
    for value in (low, high):
        sheet.text(across(value), foot + 16, in_short(value), "center")
    sheet.text((left + WIDTH) / 2, foot + 32, name, "center")
    return Picture(
        sheet.figure,
        f"Cases along {name}, cut at {at:g}. {'; '.join(words)}. Below, the gain of "
        f"{len(gains)} cuts from {gains.min():.3f} to {gains.max():.3f} bits; this one gains "
        f"{gains[place]:.3f}.",
        pd.DataFrame(data),
    )


def _apart(values: Iterable[float], most: float) -> Iterator[tuple[float, float]]:
    """Yield each value and how far up it goes: equal ones a little above and below each other."""
    met: dict[float, int] = {}
    for value in values:
        met[value] = met.get(value, -1) + 1
        yield value, min(5 * ((met[value] + 1) // 2), most) * (-1) ** met[value]

"""Cases where a tree divides them: in the plane, along a curve, along a number."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtreebook import measures
from dtreebook.data.cases import two_sides
from dtreebook.data.encoding import encode, read_target
from dtreebook.data.reading import as_pandas
from dtreebook.plot.sheet import (
    INK,
    LINE,
    WIDTH,
    Picture,
    Sheet,
    colour,
    ends_in_words,
    in_short,
    point_of_class,
    shortened,
    some_of,
    some_points,
    styled,
    text_width,
)
from dtreebook.plot.trees import MOST_RULES, answer_and_cases, way_in_words
from dtreebook.tree.splits import middle
from dtreebook.tree.tree import Fitted, Tree, Visit, tree_of

_TALL = 110  # the largest gain in the curve below a number


@styled
def partition(tree: Tree | Fitted, X: pd.DataFrame, y: ArrayLike) -> Picture:
    """Draw the plane as a tree of two numbers divides it, with the cases in it.

    The tree is one of classes; X has its two columns, in a frame found by their names. A case of
    unknown value has no place: it is left out, and the picture says how many there are. Of more
    than 2,000 cases, so many are drawn at random.

    Raises ValueError if the tree has other columns, or classes that y does not have in common with
    it, or no case has both numbers.

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
    X, columns = as_pandas(X), np.stack(list(encode(X, tree.attributes)), axis=1)
    target = _classes_of(tree, y, len(columns))
    known = np.isfinite(columns).all(axis=1)
    n_lost, values = int((~known).sum()), columns[known]
    if not len(values):
        raise ValueError("no case has both numbers: there is nothing to draw in the plane")
    splits = tree.arrays.split
    cuts = list(zip(splits.column.tolist(), splits.cut.tolist(), strict=True))
    cuts = [(column, cut) for column, cut in cuts if cut == cut]
    least, most = (np.array([end([*values[:, a], *(cut for b, cut in cuts if b == a)])
                             for a in (0, 1)]) for end in (min, max))  # fmt: skip
    margin = np.where(most > least, 0.05 * (most - least), np.maximum(abs(most), 1))
    low, high = least - margin, most + margin
    across, ends = (ends_in_words(*pair) for pair in zip(least, most, strict=True))
    left, top, tall = max(56, *(text_width(end) + 8 for end in ends)), 30, 320
    wide = WIDTH - 16 - left
    sheet = Sheet(WIDTH, top + tall + 44 + LINE * (len(tree.classes) + (n_lost > 0)))
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
        words.append(f"{way_in_words(tree, path) or 'all'}: {label}, {share} cases")
    foot, drawn = top + tall, some_points(len(values))
    for k, name in enumerate(tree.classes):
        here = values[drawn][target[known][drawn] == k]
        if len(here):
            sheet.line(*map(place, here), **point_of_class(k, 7))
        sheet.line((left + 8, foot + 50 + LINE * k), **point_of_class(k, 7))
        sheet.text(left + 22, foot + 50 + LINE * k, str(name))
    if n_lost:
        told = f"not drawn: {n_lost:,} of unknown value"
        sheet.text(left + 2, foot + 50 + LINE * len(tree.classes), told)
    for i, point in enumerate((least, most)):
        x, z = place(point)
        if not i or least[0] < most[0]:
            sheet.text(x, foot + 12, across[i], "center")
        if not i or least[1] < most[1]:
            sheet.text(left - 6, z, ends[i], "right")
    sheet.text(left + wide / 2, foot + 28, names[0], "center")
    sheet.text(4, 12, names[1])
    many = f"{'; '.join(words)}." if len(words) <= MOST_RULES else "too many to list."
    data = pd.DataFrame(columns, columns=names)
    data["class"], data["predicted"] = tree.classes[target], tree.predict(X)
    ends_at = tree.apply(X)
    ways = {end: " and ".join(tree.conditions(tree.arrays.path(end))) for end in set(ends_at)}
    data["region"] = [ways[end] for end in ends_at]
    plane = " and ".join(shortened(name) for name in names)
    alt = f"The plane of {plane} in {len(words)} region{'s' * (len(words) > 1)}: {many}"
    alt += _not_drawn(len(values), len(drawn), n_lost)
    return Picture(sheet.figure, alt, data)


def _classes_of(tree, y, n):
    """Return the code of each class of n cases that a tree knows."""
    y = as_pandas(y, "y")
    target = read_target(y, tree.classes)
    if len(target) != n:
        raise ValueError(f"X has {n} rows but y has {len(target)}: give each a class")
    if (target < 0).any():
        row = int(np.argmin(target))
        name = pd.Series(y).tolist()[row]
        raise ValueError(
            f"y has the class {name!r} in row {row}, which the tree does not know: leave such rows "
            "out"
        )
    return target


def _not_drawn(n, n_drawn, n_lost):
    """Return in words which cases are not drawn."""
    words = f" Of {n:,} cases {n_drawn:,} are drawn." if n_drawn < n else ""
    if n_lost:
        words += f" Not drawn: {n_lost:,} case{'s' * (n_lost > 1)} of unknown value."
    return words


def _regions(
    tree: Tree, low: np.ndarray, high: np.ndarray
) -> Iterator[tuple[Visit, np.ndarray, np.ndarray]]:
    """Yield a `Visit` of every leaf, and the lower and the upper ends of its region."""
    ends: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {(): (low, high)}
    for visit in tree.walk():
        (path, node), (lower, upper) = visit, ends[visit.path]
        if node.split is None:
            yield visit, lower, upper
            continue
        for branch, region in enumerate(node.split.regions(lower, upper)):
            ends[(*path, branch)] = region


@styled
def staircase(
    x: ArrayLike,
    y: ArrayLike,
    cuts: ArrayLike,
    means: ArrayLike,
    *,
    x_label: str,
    y_label: str,
) -> Picture:
    """Draw cases of two numbers, and what a regression tree predicts between its cuts.

    Cases of which a number is unknown are left out, and the text says how many. Raises ValueError
    if no case is left, a number is infinite, or cuts and means do not fit together.

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
    x, y, n_lost = _known_pairs(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
    cuts, means = np.asarray(cuts, dtype=float), np.asarray(means, dtype=float)
    if means.shape != (len(cuts) + 1,) or (np.diff(cuts) <= 0).any():
        raise ValueError(
            f"there are {len(cuts)} cuts and {len(means)} means: give cuts in order, and a mean "
            "below the first, between two, and above the last"
        )
    left, top, wide, tall = 56, 32, WIDTH - 72, 200
    low, high = min(y.min(), means.min()), max(y.max(), means.max())
    foot = top + tall
    sheet = Sheet(WIDTH, foot + 44)

    def at(u, v):
        u, v = (u - x.min()) / (np.ptp(x) or 1), (v - low) / (high - low or 1)
        return left + 8 + (wide - 16) * u, foot - 8 - (tall - 16) * v

    sheet.line((left, top), (left, foot), (left + wide, foot))
    drawn = some_points(len(x))
    sheet.line(*map(at, x[drawn], y[drawn]), marker="o", color=colour(0), ms=6, ls="")
    ends = np.clip([x.min(), *cuts, x.max()], x.min(), x.max())  # a cut may lie beyond these cases
    steps = [point for (u, w), v in zip(pairwise(ends), means, strict=True) if u < w or len(x) == 1
             for point in (at(u, v), at(w, v))]  # fmt: skip
    sheet.line(*steps or [at(x.min(), means[np.searchsorted(cuts, x.min())])], lw=2.5)
    for value in dict.fromkeys((x.min(), x.max())):
        sheet.text(at(value, low)[0], foot + 14, in_short(value), "center")
    for value in dict.fromkeys((low, high)):
        sheet.text(left - 8, at(x.min(), value)[1], in_short(value), "right")
    sheet.text(left + wide / 2, foot + 32, x_label, "center")
    sheet.text(4, 12, y_label)
    told = [f"{mean:.4g} up to {x_label} = {cut:.4g}" for mean, cut in zip(means, cuts)]  # noqa: B905
    words = ", ".join([*told, f"then {means[-1]:.4g}" if told else f"{means[-1]:.4g}"])
    words = words if len(means) <= MOST_RULES else f"from {min(means):.4g} to {max(means):.4g}"
    predicted = np.asarray(means)[np.searchsorted(cuts, x)]
    return Picture(
        sheet.figure,
        f"{len(x)} cases, {y_label} against {x_label}, and {len(means)} "
        f"step{'s' * (len(means) > 1)}: {words}.{_not_drawn(len(x), len(drawn), n_lost)}",
        pd.DataFrame({x_label: x, y_label: y, "predicted": predicted}),
    )


def _known_pairs(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Return two numbers of each case where both are known, and how many cases that leaves out."""
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"x has shape {x.shape} and y {y.shape}: give a number of each case")
    if np.isinf(x).any() or np.isinf(y).any():
        raise ValueError("a number is infinite: leave such cases out")
    known = ~(np.isnan(x) | np.isnan(y))
    if not known.any():
        raise ValueError("no case has both numbers: there is nothing to draw")
    return x[known], y[known], int((~known).sum())


@styled
def cut(values: ArrayLike, classes: ArrayLike, at: float | None = None) -> Picture:
    """Draw the cases of each class along a number, the gain of every cut below, and one cut.

    Parameters
    ----------
    values : Series or array [n] of numbers, at least two of them different. Cases of unknown value
        are left out, and the text says how many; of more than 2,000, so many are drawn at random.
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
    if values.shape != target.shape:
        raise ValueError(f"{name} has {values.shape} values, but there are {len(target)} classes")
    if (target.codes < 0).any():
        row = int(np.argmin(target.codes))
        raise ValueError(f"case {row} has no class: give one, or leave the case out")
    known = ~np.isnan(values)
    n_lost = int((~known).sum())
    values, target = np.asarray(values[known]), target[known]
    if not len(values):
        raise ValueError(f"{name} is unknown in every case: it cannot be cut")
    target = target.remove_unused_categories()
    low, high = values.min(), values.max()
    if not (low < high and (at is None or low <= at < high)):
        where = "" if at is None else f" at {at:g}"
        raise ValueError(f"{name} runs from {low:g} to {high:g}: it cannot be cut{where}")
    if np.isinf([low, high]).any():
        raise ValueError(f"{name} is infinite in some case: leave such cases out")
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
    drawn = np.zeros(len(values), dtype=bool)
    drawn[some_points(len(values))] = True
    for k, label in enumerate(target.categories):
        level, here = top + room * (k + 0.5), values[drawn & (target.codes == k)]
        below, above = tables[place, :, k]
        words.append(f"{shortened(label)}: {below:.0f} up to it, {above:.0f} above")
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
    for value, end in zip((low, high), ends_in_words(low, high), strict=True):
        sheet.text(across(value), foot + 16, end, "center")
    sheet.text((left + WIDTH) / 2, foot + 32, name, "center")
    return Picture(
        sheet.figure,
        f"Cases along {shortened(name)}, cut at {at:g}. {some_of(words, 'classes')}. Below, the "
        f"gain of {len(gains)} cuts from {gains.min():.3f} to {gains.max():.3f} bits; this "
        f"one gains {gains[place]:.3f}.{_not_drawn(len(values), int(drawn.sum()), n_lost)}",
        pd.DataFrame(data),
    )


def _apart(values: Iterable[float], most: float) -> Iterator[tuple[float, float]]:
    """Yield each value and how far up it goes: equal ones a little above and below each other."""
    met: dict[float, int] = {}
    for value in values:
        met[value] = met.get(value, -1) + 1
        yield value, min(5 * ((met[value] + 1) // 2), most) * (-1) ** met[value]

"""Charts of numbers: curves, the errors of a pruning path, points on a line."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from dtreebook.plot.sheet import (
    DASHES,
    INK,
    LINE,
    WIDTH,
    Look,
    Picture,
    Sheet,
    colour,
    styled,
    text_width,
)
from dtreebook.plot.trees import MOST_RULES
from dtreebook.prune.crossvalidation import one_standard_error


@styled
def curves(
    x: ArrayLike,
    curves: Mapping[str, ArrayLike],
    *,
    x_label: str,
    y_label: str,
    alt: str,
    marks: Sequence = (),
) -> Picture:
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
    axes.locator_params("x", integer=bool((x == x.round()).all()))
    looks: dict[str, Look] = {
        name: {"color": colour(k), "ls": DASHES[k % len(DASHES)], "lw": 2.2, "clip_on": False}
        for k, name in enumerate(lines)
    }
    for name, y in lines.items():
        axes.plot(x, y, **looks[name])
    for mark_x, mark_y, _ in marks:
        axes.plot(mark_x, mark_y, "o", color=INK, ms=6, clip_on=False)
    axes.set_ylim(axes.get_ylim())  # what is drawn at the right leaves it as it is
    _name_lines(axes, lines, looks)
    figure.draw_without_rendering()  # settles where the points lie
    points = [axes.transData.transform(np.c_[x, y]) for y in lines.values()]
    marked = axes.transData.transform(np.array([mark[:2] for mark in marks]).reshape(-1, 2))
    ink = np.concatenate([*map(_along, points), marked])
    for (mark_x, mark_y, text), here in zip(marks, marked, strict=True):
        offset = _free_offset(here, text_width(text), ink, axes.bbox)
        axes.annotate(
            text, (mark_x, mark_y), offset, textcoords="offset points", ha="center", va="center"
        ).set_in_layout(False)
    return Picture(figure, alt, pd.DataFrame({x_label: x, **lines}))


def _name_lines(axes, lines, looks):
    """Write at the right, from below, the name of every line beside a piece of it."""
    low, high = axes.get_ylim()
    ends = {name: y[np.isfinite(y)][-1:].sum() for name, y in lines.items()}
    at, margin = -math.inf, axes.get_yaxis_transform()  # x in shares of the axes, y in data
    for name in sorted(lines, key=lambda name: (ends[name], np.nanmean(lines[name]))):
        at = max(ends[name], at + (high - low) * LINE / 240)
        axes.plot([1.01, 1.08], [at, at], transform=margin, **looks[name])
        axes.text(1.1, at, name, transform=margin, va="center")


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


# What is drawn of a pruning path, and what the key below it says.
_TRAINING: Look = {"marker": "s", "color": colour(0), "ls": DASHES[0], "lw": 2}
_VALIDATED: Look = {"marker": "o", "color": colour(1), "ls": DASHES[1], "lw": 2}
_LIMIT: Look = {"ls": ":", "lw": 1.5}
_CHOSEN: Look = {"marker": "^", "ms": 9, "ls": ""}
_KEY = {
    "training": _TRAINING,
    "cross-validated, one standard error up and down": _VALIDATED,
    "one standard error above the least": _LIMIT,
    "the smallest tree that is not above that": _CHOSEN,
}


@styled
def pruning_errors(table: pd.DataFrame, place: int | None = None) -> Picture:
    """Draw the errors of the trees of a pruning path: on the training cases and cross-validated.

    A bar reaches one standard error up and down. A dotted line is one standard error above the
    least error, and a triangle under the smallest tree that does not lie higher.

    Parameters
    ----------
    table : DataFrame of `dtreebook.prune.crossvalidation.cp_table`.
    place : which row, from 0 on, is the tree to look at; a ring marks it.

    References
    ----------
    Breiman et al. (1984), section 3.4.3.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"n_leaves": [1, 2, 3], "relative_error": [1.0, 0.5, 0.3],
    ...                       "cv_error": [1.0, 0.6, 0.55], "cv_std": [0.1, 0.1, 0.1]})
    >>> pruning_errors(table, 0)
    Errors of 3 trees, as a share of the root's. 1 leaf: training 1.000, cross-validated 1.000 \
plus or minus 0.100, this one; 2 leaves: training 0.500, cross-validated 0.600 plus or minus \
0.100, chosen by one standard error; 3 leaves: training 0.300, cross-validated 0.550 plus or minus \
0.100, the least.
    """
    table = table[["n_leaves", "relative_error", "cv_error", "cv_std"]].reset_index(drop=True)
    n, leaves = len(table), table["n_leaves"].to_numpy()
    _, training, error, spread = table.to_numpy().T
    chosen, least = one_standard_error(table), int(error.argmin())
    marked = [chosen, *([] if place is None else [place])]
    level, most = error[least] + spread[least], max((error + spread).max(), training.max())
    left, top, tall = 44, 34, 170
    foot = top + tall
    sheet = Sheet(WIDTH, foot + 150)

    def at(row, error):
        return left + (WIDTH - left - 16) * (row + 0.5) / n, foot - tall * error / most

    sheet.line((left, top), (left, foot), (WIDTH - 8, foot))
    sheet.text(4, 12, "error, as a share of the root's")
    for tick in np.arange(0, most + 1e-9, 0.5 * math.ceil(most / 2)):
        sheet.text(left - 6, at(0, tick)[1], f"{tick:g}", "right")
    sheet.line((left, at(0, level)[1]), (WIDTH - 8, at(0, level)[1]), **_LIMIT)
    sheet.line(*map(at, range(n), training), **_TRAINING)
    sheet.line(*map(at, range(n), error), **_VALIDATED)
    for row in range(n):
        ends = at(row, max(error[row] - spread[row], 0)), at(row, error[row] + spread[row])
        sheet.line(*ends, color=colour(1), lw=2)
    if place is not None:
        sheet.line(at(place, error[place]), marker="o", ms=16, mfc="none", mew=2.5, ls="")

    foremost = dict.fromkeys([*marked, 0, n - 1, *range(n)])
    _write_apart(sheet, foot + 14, {at(row, 0)[0]: str(leaves[row]) for row in foremost})
    sheet.line((at(chosen, 0)[0], foot + 30), **_CHOSEN)
    sheet.text((left + WIDTH) / 2, foot + 46, "leaves of each tree", "center")

    _draw_key(sheet, left, foot + 76)
    words = [
        f"{leaves[row]} lea{'f' if leaves[row] == 1 else 'ves'}: training {training[row]:.3f}, "
        f"cross-validated {error[row]:.3f} plus or minus {spread[row]:.3f}"
        f"{', this one' * (row == place)}{', the least' * (row == least)}"
        f"{', chosen by one standard error' * (row == chosen)}"
        for row in (range(n) if n <= MOST_RULES else sorted({0, n - 1, least, *marked}))
    ]
    alt = f"Errors of {n} trees, as a share of the root's. {'; '.join(words)}."
    return Picture(sheet.figure, alt, table)


def _write_apart(sheet, y, texts):
    """Write texts centred at their x, but for those that would touch one before them."""
    taken = []
    for x, text in texts.items():
        room = text_width(text) / 2 + 4
        if all(abs(x - other) >= room + its for other, its in taken):
            taken.append((x, room))
            sheet.text(x, y, text, "center")


def _draw_key(sheet, left, top):
    """Write what is drawn of a pruning path, a line each: beside a point, or a piece of a line."""
    for k, (name, look) in enumerate(_KEY.items()):
        y = top + LINE * k
        ends = [left + 24] if look["ls"] == "" else [left + 8, left + 40]
        sheet.line(*((x, y) for x in ends), **look)
        sheet.text(left + 52, y, name)


@styled
def strip(values: ArrayLike, marked: ArrayLike, place: int, title: str) -> Picture:
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
    data = pd.DataFrame({title: [*values, *marked]})
    data["full"] = data.index >= len(values)
    data["ringed"] = data.index == len(values) + place
    return Picture(
        sheet.figure,
        f"Points for the {title}: {len(values)} from {values.min():.3f} to {values.max():.3f}; "
        f"{len(marked)} of them full, from {marked.min():.3f} to {marked.max():.3f}, and "
        f"{marked[place]:.3f} ringed.",
        data,
    )

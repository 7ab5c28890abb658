"""Charts: bars of counts and scores, curves, the errors of a pruning path, information as areas."""

import math
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from dtreebook import measures
from dtreebook.data.cases import Attribute
from dtreebook.grow.record import Decision
from dtreebook.plot.sheet import (
    DASHES,
    INK,
    LINE,
    PALETTE,
    WIDTH,
    Look,
    Picture,
    Sheet,
    colour,
    in_short,
    of_class,
    shortened,
    some_of,
    styled,
    text_width,
)
from dtreebook.plot.trees import MOST_RULES
from dtreebook.prune.crossvalidation import one_standard_error

# --- bars -----------------------------------------------------------------------------------------


@styled
def class_counts(
    table: ArrayLike,
    *,
    classes: Sequence | None = None,
    names: Sequence | None = None,
    title: str | None = None,
    unit: float | None = None,
) -> Picture:
    """Draw the counts of a table as bars: a group for each value, a bar and its number each class.

    Parameters
    ----------
    table : array [V, K] or DataFrame, as `pandas.crosstab` gives it, of counts or weights.
    classes : K names of the columns; those of the DataFrame by default.
    names : V names of the rows; those of the DataFrame by default.
    title : a line above the bars; by default what the DataFrame says, such as "approved by house".
    unit : how many pixels one case is wide, the same in pictures that are to be compared; by
        default the longest bar takes the whole width.

    Examples
    --------
    >>> class_counts([[6, 3], [0, 6]], names=["no house", "a house"], classes=["no", "yes"])
    Bars of counts. no house: no 6, yes 3. a house: no 0, yes 6.
    """
    spoken, kind = "", "value"
    if isinstance(table, pd.DataFrame):
        names = table.index if names is None else names
        classes = table.columns if classes is None else classes
        if table.index.name and table.columns.name:
            title = title or f"{table.columns.name} by {table.index.name}"
            spoken, kind = f"{table.index.name} = ", table.index.name
    table = np.asarray(table)
    if table.ndim != 2:
        raise ValueError(f"a table has two dimensions, values and classes, not {table.ndim}")
    if not table.size:
        raise ValueError(f"a table of shape {table.shape} has no counts to draw")
    measures.shares(table)  # refuses what cannot be a count
    names = _names(names, len(table), "names", "value")
    classes = _names(classes, table.shape[1], "classes", "class")
    groups, rows = [], []
    for name, counts in zip(names, table, strict=True):
        numbers = [in_short(count) for count in counts]
        pairs = list(zip(classes, numbers, strict=True))
        held = (f"{shortened(label)} {number}" for label, number in pairs)
        groups.append(f"{spoken}{shortened(name)}: {some_of(held, 'classes', ', ')}")
        for k, (label, number) in enumerate(pairs):
            rows.append(_Bar("" if k else name, counts[k], f"{number} {label}", of_class(k)))
    data = pd.DataFrame(table, pd.Index(names, name=kind), classes)
    head = f"Bars of counts{', ' + shortened(title) if title else ''}"
    words = f"{head}. {some_of(groups, 'values', '. ')}."
    return Picture(_bars(rows, title, unit), words, data.reset_index(allow_duplicates=True))


def _names(names, n, parameter, word):
    names = [f"{word} {i}" for i in range(n)] if names is None else [str(name) for name in names]
    if len(names) != n:
        raise ValueError(f"{parameter} has {len(names)} entries, but the table needs {n}")
    return names


@styled
def decision(
    decision: Decision, attributes: Sequence[Attribute], unit: float | None = None
) -> Picture:
    """Draw the candidates of one node as bars of their scores; the chosen one is marked.

    Parameters
    ----------
    decision : `dtreebook.grow.record.Decision` of a node that was examined.
    attributes : those of the tree, a `dtreebook.tree.tree.Tree`.
    unit : how many pixels a score of 1 is wide, as in `class_counts`.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> X, y = datasets.load_loan(return_X_y=True)
    >>> id3 = ID3Classifier().fit(X, y)
    >>> decision(id3.decisions(X, y)[0], id3.tree_.attributes)
    Bars of the gain in bits of 4 candidates: age 0.083; work 0.324; house 0.420, \
chosen; credit 0.363.
    """
    found = decision.candidates
    if not found:
        raise ValueError(f"no attribute was a candidate at this node: {decision.reason.value}")
    values = {attributes[one.split.column].name: one.score for one in found}
    chosen, end = None, f"; none chosen: {decision.reason.value}"
    if decision.chosen is not None:
        chosen, end = attributes[decision.chosen.split.column].name, ""
    candidates = f" of {len(found)} candidate{'s' * (len(found) > 1)}"
    return _scores(values, found[0].title, chosen, unit, candidates, end)


@styled
def scores(
    values: Mapping[str, float], title: str, chosen: str | None = None, unit: float | None = None
) -> Picture:
    """Draw numbers as bars, of no class's colour; the chosen one is marked.

    Parameters
    ----------
    values : dict from names to numbers; counts, which are integers, are shown without decimals.
    title : what the numbers are, with their unit; it is shown above the bars.
    chosen : the name that is marked.
    unit : how many pixels a score of 1 is wide, as in `class_counts`.

    Examples
    --------
    >>> scores({"house": 0.42, "age": 0.083}, "gain in bits", chosen="house")
    Bars of the gain in bits: house 0.420, chosen; age 0.083.
    """
    if chosen not in (None, *values):
        raise ValueError(f"{chosen!r} is none of the names: {', '.join(values)}")
    return _scores(values, title, chosen, unit)


def _scores(values, title, chosen, unit, candidates="", end=""):
    words, rows = [], []
    if not values:
        raise ValueError("there is no number to draw: give one at least")
    for name, score in values.items():
        if not math.isfinite(score):
            raise ValueError(f"{name!r} is {score}: a bar has a finite length")
        number = str(score) if isinstance(score, Integral) else f"{score:.3f}"
        is_chosen = name == chosen
        word = f"{shortened(name)} {number}{', chosen' * is_chosen}"
        words.insert(0 if is_chosen and len(words) >= MOST_RULES else len(words), word)
        rows.append(_Bar(name, score, number + " – chosen" * is_chosen, _BAR[is_chosen]))
    data = pd.DataFrame(values.items(), columns=["name", title])
    data["chosen"] = data["name"] == chosen
    alt = f"Bars of the {title}{candidates}: {some_of(words, 'names')}{end}."
    return Picture(_bars(rows, title, unit), alt, data)


_BAR = ({"fc": "none", "ec": INK}, {"fc": INK, "ec": INK})  # of no class: open, full


class _Bar(NamedTuple):
    name: str  # "" in a group, but for its first bar
    length: float
    label: str
    look: dict


def _bars(rows, title, unit):
    left = max(text_width(row.name) for row in rows) + 12
    right = max(text_width(row.label) for row in rows) + 12
    longest = max(row.length for row in rows)
    scale = unit or max(WIDTH - left - right, 120) / (longest or 1)
    y = 28 if title else 0
    width = max(left + right + scale * longest, WIDTH)
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


# --- curves ---------------------------------------------------------------------------------------


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
        name: {"color": colour(k), "ls": _dashes(k), "lw": 2.2, "clip_on": False}
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


def _dashes(k):
    return DASHES[(k + k // len(PALETTE)) % len(DASHES)]  # others when the colours return


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
def pruning_errors(table: pd.DataFrame) -> Picture:
    """Draw the errors of the trees of a pruning path: on the training cases and cross-validated.

    A bar reaches one standard error up and down. A dotted line is one standard error above the
    least error, and a triangle under the smallest tree that does not lie higher. The table is a
    `dtreebook.prune.crossvalidation.cp_table`.

    Source: Breiman et al. (1984), section 3.4.3.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"n_leaves": [1, 2, 3], "relative_error": [1.0, 0.5, 0.3],
    ...                       "cv_error": [1.0, 0.6, 0.55], "cv_std": [0.1, 0.1, 0.1]})
    >>> pruning_errors(table)
    Errors of 3 trees, as a share of the root's. 1 leaf: training 1.000, cross-validated 1.000 \
plus or minus 0.100; 2 leaves: training 0.500, cross-validated 0.600 plus or minus 0.100, chosen \
by one standard error; 3 leaves: training 0.300, cross-validated 0.550 plus or minus 0.100, the \
least.
    """
    table = table[["n_leaves", "relative_error", "cv_error", "cv_std"]].reset_index(drop=True)
    if not len(table) or not np.isfinite(table.to_numpy(dtype=float)).all():
        raise ValueError("the table has no row, or an error in it is unknown: give finite errors")
    n, leaves = len(table), table["n_leaves"].to_numpy()
    _, training, error, spread = table.to_numpy().T
    chosen, least = one_standard_error(table), int(error.argmin())
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
    taken: list[tuple[float, float]] = []
    for row in dict.fromkeys([chosen, 0, n - 1, *range(n)]):  # those that touch none before them
        x, room = at(row, 0)[0], text_width(str(leaves[row])) / 2 + 4
        if all(abs(x - other) >= room + its for other, its in taken):
            taken.append((x, room))
            sheet.text(x, foot + 14, str(leaves[row]), "center")
    sheet.line((at(chosen, 0)[0], foot + 30), **_CHOSEN)
    sheet.text((left + WIDTH) / 2, foot + 46, "leaves of each tree", "center")

    for k, (name, look) in enumerate(_KEY.items()):  # beside a point, or a piece of a line
        y, points = foot + 76 + LINE * k, [left + 24] if look["ls"] == "" else [left + 8, left + 40]
        sheet.line(*((x, y) for x in points), **look)
        sheet.text(left + 52, y, name)
    words = [
        f"{leaves[row]} lea{'f' if leaves[row] == 1 else 'ves'}: training {training[row]:.3f}, "
        f"cross-validated {error[row]:.3f} plus or minus {spread[row]:.3f}"
        f"{', the least' * (row == least)}{', chosen by one standard error' * (row == chosen)}"
        for row in (range(n) if n <= MOST_RULES else sorted({0, n - 1, least, chosen}))
    ]
    alt = f"Errors of {n} trees, as a share of the root's. {'; '.join(words)}."
    return Picture(sheet.figure, alt, table)


# --- information ----------------------------------------------------------------------------------


@styled
def surprises(counts: ArrayLike, names: Sequence[str]) -> Picture:
    """Draw each outcome as a block, as wide as its chance and as high as its surprise.

    The area of all blocks is the entropy; so is the height of the dashed line, their mean. The K
    outcomes have names, and counts, weights or chances.

    Examples
    --------
    >>> surprises([1, 3], ["heads", "tails"])
    Blocks as wide as a chance and as high as its surprise in bits. heads: 0.250 wide, 2.000 high; \
tails: 0.750 wide, 0.415 high. A dashed line at their mean height, the entropy: 0.811.
    """
    shares, entropy = measures.shares(counts), float(measures.entropy(counts))
    if len(names) != shares.size:
        raise ValueError(f"names has {len(names)} entries, but there are {shares.size} outcomes")
    left, width, tall, foot = 40, 340, 182, 212
    most = max(6.5, -math.log2(shares[shares > 0].min()))  # the rarest is the highest
    unit, step = tall / most, 2 * math.ceil(most / 8)
    sheet = Sheet(WIDTH, foot + 52)
    sheet.text(left, 12, "surprise in bits")
    for bits in range(0, int(most) + 1, step):
        sheet.text(left - 10, foot - unit * bits, str(bits), "right")
    sheet.line((left, foot - tall), (left, foot), (left + width, foot))
    x, words, data = left, [], []
    for k, (name, share) in enumerate(zip(names, shares.tolist(), strict=True)):
        surprise = abs(math.log2(share)) if share else math.inf
        data.append((name, share, surprise))
        if not share:
            words.append(f"{shortened(name)}: never")
            continue
        words.append(f"{shortened(name)}: {share:.3f} wide, {surprise:.3f} high")
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
    sheet.text(left + width, foot + 36, "probability (sum: 1)", "right")
    return Picture(
        sheet.figure,
        "Blocks as wide as a chance and as high as its surprise in bits. "
        f"{some_of(words, 'outcomes')}. A dashed line at their mean height, the entropy: "
        f"{entropy:.3f}.",
        pd.DataFrame(data, columns=["name", "chance", "surprise"]),
    )


@styled
def information_diagram(table: ArrayLike, *, names: tuple[str, str] = ("X", "Y")) -> Picture:
    """Draw entropies as areas: two circles whose overlap is the mutual information.

    In a table of counts or weights, [V, K], X runs over rows, Y over columns.

    Source: Cover and Thomas (2006), figure 2.2.

    Examples
    --------
    >>> information_diagram([[6, 3], [0, 6]], names=("house", "loan"))
    Two circles whose areas are entropies, in bits: H(house) = 0.971 and H(loan) = 0.971. Their \
overlap is I(house;loan) = 0.420; outside it lie H(house|loan) = 0.551 and H(loan|house) = 0.551. \
Together they cover H(house,loan) = 1.522.
    """
    table, (x, y) = np.asarray(table), map(shortened, names)
    h_x, h_y = measures.entropy(table.sum(axis=1)), measures.entropy(table.sum(axis=0))
    information = measures.mutual_information(table)
    parts = {
        f"H({x}|{y})": measures.conditional_entropy(table.T),
        f"I({x};{y})": information,
        f"H({y}|{x})": measures.conditional_entropy(table),
    }
    joint = measures.joint_entropy(table)
    drawn = {f"H({x})": h_x, f"H({y})": h_y, **parts, f"H({x},{y})": joint}
    both = f"H({x},{y}) = {joint:.3f}"
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
        column, inside = width * (2 * i + 1) / 6, (sum(span) / 2, level)
        sheet.text(column, foot + 12, name, "center")
        sheet.text(column, foot + 32, f"{value:.3f}", "center", "bold")
        if value > 5e-4:
            sheet.line(inside, marker="o", ms=5)
            sheet.line(inside, (column, foot))
    sheet.text(width / 2, foot + 68, f"both together: {both} bits", "center")
    only_x, shared, only_y = (f"{name} = {value:.3f}" for name, value in parts.items())
    return Picture(
        sheet.figure,
        f"Two circles whose areas are entropies, in bits: {x} and {y}. Their overlap is "
        f"{shared}; outside it lie {only_x} and {only_y}. Together they cover {both}.",
        pd.DataFrame(drawn.items(), columns=["name", "bits"]),
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

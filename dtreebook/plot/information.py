"""Information as areas: blocks of chance and surprise, circles that share it."""

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.patches import Circle
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from dtreebook import measures
from dtreebook.plot.sheet import DASHES, WIDTH, Picture, Sheet, colour, of_class, styled, text_width


@styled
def surprises(counts: ArrayLike, names: Sequence[str]) -> Picture:
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
    x, words, data = left, [], []
    for k, (name, share) in enumerate(zip(names, shares.tolist(), strict=True)):
        if share == 0:
            words.append(f"{name}: never")
            data.append((name, share, math.inf))
            continue
        surprise = abs(math.log2(share))
        words.append(f"{name}: {share:.3f} wide, {surprise:.3f} high")
        data.append((name, share, surprise))
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
        pd.DataFrame(data, columns=["name", "chance", "surprise"]),
    )


@styled
def information_diagram(
    table: ArrayLike, *, names: tuple[str, str] = ("X", "Y"), base: float = 2
) -> Picture:
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
    joint = measures.joint_entropy(table, base)
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
        column = width * (2 * i + 1) / 6, foot
        _point_to(sheet, (sum(span) / 2, level), column, name, value)
    sheet.text(width / 2, foot + 68, f"both together: {both} {unit}", "center")
    only_x, shared, only_y = (f"{name} = {value:.3f}" for name, value in parts.items())
    return Picture(
        sheet.figure,
        f"Two circles whose areas are entropies, in {unit}: {x} and {y}. Their overlap is "
        f"{shared}; outside it lie {only_x} and {only_y}. Together they cover {both}.",
        pd.DataFrame(drawn.items(), columns=["name", unit]),
    )


def _point_to(sheet, inside, below, name, value):
    """Write the name of an area and its size at a place below it, with a line into the area."""
    x, y = below
    sheet.text(x, y + 12, name, "center")
    sheet.text(x, y + 32, f"{value:.3f}", "center", "bold")
    if value > 5e-4:
        sheet.line(inside, marker="o", ms=5)
        sheet.line(inside, below)


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

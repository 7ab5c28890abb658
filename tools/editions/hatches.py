"""Hatches as lines. Chromium prints a pattern as pixels, which are large and blurred on paper."""

import re

from bs4 import Tag

NUMBER = re.compile(r"-?\d+\.?\d*")
LINE = re.compile(r"M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)")
FILL = re.compile(r"fill:url\(#([^)]+)\)")


def drawn(drawing):
    """Fill what has a hatch with its colour, and draw the lines of the hatch over it.

    A pattern is a coloured square that repeats, and lines across it.
    """
    patterns = {pattern["id"]: pattern.extract() for pattern in drawing.select("pattern")}
    for number, shape in enumerate(drawing.select('[style*="url(#"]')):
        pattern = patterns[FILL.search(shape["style"])[1]]
        shape["style"] = FILL.sub(f"fill:{pattern.rect['fill']}", shape["style"])
        clip = Tag(name="clipPath", attrs={"id": f"clip-{number}"})
        clip.append(Tag(name="path", attrs={"d": shape["d"]}))
        lines = {
            "d": across(pattern.path["d"], float(pattern["width"]), shape["d"]),
            "style": pattern.path["style"] + ";fill:none",
            "clip-path": f"url(#clip-{number})",
        }
        shape.insert_after(clip, Tag(name="path", attrs=lines))


def across(tile, period, outline):
    """Return the lines of a tile, repeated until they cross all of an outline.

    >>> across("M0 2L72 2", 8, "M 0 0 L 20 0 L 20 12 z")
    'M 0 2 L 20 2 M 0 10 L 20 10'
    """
    numbers = [float(number) for number in NUMBER.findall(outline)]
    (left, right), (top, bottom) = ((min(of), max(of)) for of in (numbers[::2], numbers[1::2]))
    found = []
    for kind, at in dict.fromkeys(line(*map(float, ends), period) for ends in LINE.findall(tile)):
        if kind == "level":
            for y in steps(at, period, top, bottom):
                found.append(f"M {left:g} {y:g} L {right:g} {y:g}")
            continue
        lean = {kind * top, kind * bottom}  # how far the line goes to the side
        for x in steps(at, period, left - max(lean), right - min(lean)):
            found.append(f"M {x + kind * top:g} {top:g} L {x + kind * bottom:g} {bottom:g}")
    return " ".join(found)


def line(x0, y0, x1, y1, period):
    if y0 == y1:
        return "level", y0 % period
    slope = (x1 - x0) / (y1 - y0)
    return slope, (x0 - slope * y0) % period


def steps(at, period, low, high):
    value = low + (at - low) % period
    while value <= high:
        yield value
        value += period

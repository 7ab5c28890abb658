"""Bars: the counts of a table, the candidates of a decision, any scores."""

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtreebook import measures
from dtreebook.data.cases import Attribute
from dtreebook.grow.growth import Decision
from dtreebook.plot.sheet import INK, WIDTH, Picture, Sheet, in_short, of_class, styled, text_width


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

    Raises
    ------
    ValueError
        If the table has not two dimensions, the names do not fit it, or a count is negative.

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
    data = pd.DataFrame(table, pd.Index(names, name=kind), classes)
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
    decision : `dtreebook.grow.growth.Decision` of a node that was examined.
    attributes : those of the tree, a `dtreebook.tree.tree.Tree`.
    unit : how many pixels a score of 1 is wide, as in `class_counts`.

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
    names = [attributes[candidate.split.column].name for candidate in found]
    chosen = next((i for i, c in enumerate(found) if c is decision.chosen), None)
    figure, words, data = _scores(names, scores, found[0].title, chosen, unit)
    if decision.chosen is None:
        words += f"; none chosen: {decision.reason.value}"
    plural = "s" * (len(found) > 1)
    alt = f"Bars of the {found[0].title} of {len(found)} candidate{plural}: {words}."
    return Picture(figure, alt, data)


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
    names = list(values)
    place = None if chosen is None else names.index(chosen)
    figure, words, data = _scores(names, list(values.values()), title, place, unit)
    return Picture(figure, f"Bars of the {title}: {words}.", data)


def _scores(names, scores, title, chosen, unit):
    """Return the bars, in words what they show, and their data."""
    words, rows = [], []
    for i, (name, score) in enumerate(zip(names, scores, strict=True)):
        number = str(score) if isinstance(score, Integral) else f"{score:.3f}"
        is_chosen = i == chosen
        words.append(f"{name} {number}{', chosen' * is_chosen}")
        rows.append(_Bar(name, score, number + " – chosen" * is_chosen, _BAR[is_chosen]))
    data = pd.DataFrame({"name": names, title: scores})
    data["chosen"] = data.index == chosen
    return _bars(rows, title, unit), "; ".join(words), data


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

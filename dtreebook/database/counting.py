"""The two questions that a level asks: counts of every column, and of the values in some ranges.

Ranges of too many values are divided into narrower ones before.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from dtreebook.database.rows import Intervals, Rows
from dtreebook.database.source import Source, changed, codes, targets

# The sums of a row of counts: rows and weight; of numbers also their sum and that of their squares.
SUMS = ["n", "weight", "sum", "squares"]

# The ends of a range that has several classes.
_ENDS = ("low", "min"), ("high", "max")


class Counts(NamedTuple):
    """What the open nodes hold by value of one column and class.

    Attributes
    ----------
    node : array [r], from 0 to m - 1.
    value : array [r], codes (-1: unknown) or numbers (NaN: unknown), the least of a range.
    high : array [r], the largest number of a range.
    target : array [r], codes of classes; for numbers, their mean.
    sums : DataFrame [r] of `SUMS`; for numbers, also of their ends ``least`` and ``most``.
    """

    node: np.ndarray
    value: np.ndarray
    high: np.ndarray
    target: np.ndarray
    sums: pd.DataFrame

    def take(self, rows: np.ndarray) -> "Counts":
        """Return some of the rows."""
        return Counts(*(part[rows] for part in self))

    def n_inside(self, intervals: list[tuple]) -> int:
        """Return how many rows lie in some intervals (node, least, largest value)."""
        return int(self.sums.n[self._inside(intervals)].sum())

    def replaced(self, intervals: list[tuple], inside: "Counts") -> "Counts":
        """Return counts with others in the place of the ranges inside some intervals."""
        kept = self.take(~self._inside(intervals))
        node, value, high, target = (
            np.concatenate(pair) for pair in zip(kept[:-1], inside[:-1], strict=True)
        )
        order = np.lexsort([target, value, node])
        sums = pd.concat([kept.sums, inside.sums]).iloc[order]
        return Counts(node[order], value[order], high[order], target[order], sums)

    def _inside(self, intervals):
        found = np.zeros(len(self.node), dtype=bool)
        for node, low, high in intervals:
            first, last = np.searchsorted(self.node, [node, node + 1])
            value = self.value[first:last]
            first, last = first + np.searchsorted(value, [low, np.nextafter(high, np.inf)])
            found[first:last] = True
        return found


def count_columns(
    source: Source,
    rows: Rows,
    nodes: np.ndarray,
    columns: Sequence[int],
    ranges: int,
    most: int,
    what: str,
) -> dict[int, Counts]:
    """Ask for the counts of some columns.

    Parameters
    ----------
    source, rows : the training set, and the rows of the open nodes.
    nodes : array [m], the nodes of the tree that are meant.
    columns : their positions.
    ranges : into how many ranges a piece of a column is divided; 0 to count every value.
    most : how many lines the answer may have.
    what : what is asked, in words.

    Returns
    -------
    dict from columns to `Counts`.

    Raises
    ------
    ValueError
        If the answer has more lines; it names a column of many values.
    """
    samples = {a: source.sample.get(a) if ranges else None for a in columns}
    with rows.counted(samples, ranges) as lines:
        return _answers(source, lines, len(columns), nodes, most, what)


def count_inside(
    source: Source,
    rows: Rows,
    nodes: np.ndarray,
    wanted: Intervals,
    ranges: int,
    most: int,
    what: str,
) -> dict[int, Counts]:
    """Ask for the counts of every value inside some intervals, or of narrower ranges of them.

    Parameters
    ----------
    wanted : for some columns the intervals that are meant.
    ranges : into how many ranges an interval is divided; 0 to count every value.
    """
    with rows.counted_inside(nodes, wanted, ranges) as lines:
        return _answers(source, lines, len(wanted), nodes, most, what)


def _answers(source, asked, n_columns, nodes, most, what):
    found = source.asker.ask(asked.limit(most + 1), what)
    if len(found) > most:
        name = source.attributes[found.a.mode()[0]].name
        raise ValueError(
            f"{what} are more than the {most:,} lines that fit in memory, many of them of column "
            f"{name!r}: give more memory, or group or round the values of such columns"
        )
    place = pd.Index(nodes)
    if found.a.nunique() < n_columns:
        raise changed("a column has no rows any more")
    return {
        int(a): _read(source, int(a), part.reset_index(drop=True), place)
        for a, part in found.groupby("a")
    }


def _read(source, a, part, place):
    node = place.get_indexer(part.node)
    if source.attributes[a].kind == "numeric":
        of = part.groupby(["node", "cell"], dropna=False)  # the ends of all classes of a range
        value, high = (of[end].transform(how).to_numpy(dtype=float) for end, how in _ENDS)
    else:
        levels = part.low if source.rows[f"x{a}"].type().is_floating() else part.level
        value = high = codes(source.attributes[a], levels)
    sums = part[[name for name in [*SUMS, "least", "most"] if name in part]].astype(float)
    if "weight" not in sums:
        sums["weight"] = sums.n
    is_classified = source.classes is not None
    target = targets(source.classes, part.y) if is_classified else source.mean_of(sums)
    order = np.lexsort([target, value, node])
    return Counts(node[order], value[order], high[order], target[order], sums.iloc[order])


def check_counts(source: Source, found: dict, node: np.ndarray, held: pd.DataFrame) -> None:
    """Raise a `DatabaseError` unless every column adds up to what nodes hold, by class or in sum.

    Parameters
    ----------
    found : dict from columns to `Counts`.
    node, held : the rows of `SUMS` of the open nodes.
    """
    known = _by_answer(source, node, held.target, held)
    for a, counts in found.items():
        now = _by_answer(source, counts.node, counts.target, counts.sums)
        now = now.reindex(known.index, fill_value=0)
        wrong = np.flatnonzero(now.n.to_numpy() != known.n.to_numpy())
        by = f"by {source.attributes[a].name!r} a node has"
        if len(wrong):
            there, before = now.n.iloc[wrong[0]], known.n.iloc[wrong[0]]
            rows = "rows" if source.classes is None else "rows of a class"
            raise changed(f"{by} {there:,.0f} {rows}, and {before:,.0f} before")
        if source.classes is None:
            rounding = 1e-6 * np.sqrt(known.n * known.squares)
            if (abs(now["sum"] - known["sum"]) > rounding).any():
                raise changed(f"{by} numbers with another sum than before")


def _by_answer(source, node, target, sums):
    """Add up the rows of each node, and class if there are any."""
    keys = [node] if source.classes is None else [node, np.asarray(target)]
    return sums.groupby(keys)[[name for name in ("n", "sum", "squares") if name in sums]].sum()

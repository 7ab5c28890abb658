"""The two questions that a level asks: counts of every column, and of the values in some ranges.

Ranges of too many values are divided into narrower ones before.

Both are one GROUP BY for each column, joined to one question by UNION ALL.
"""

from collections.abc import Sequence
from functools import reduce
from typing import NamedTuple

import ibis
import numpy as np
import pandas as pd
from ibis.expr.types import Table

from dtreebook.database import workers
from dtreebook.database.asking import is_in_spark
from dtreebook.database.literals import number
from dtreebook.database.ranges import edges_of, equal_range, number_of_range
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
        return Counts(*(part[rows] for part in self[:-1]), self.sums[rows])

    def n_inside(self, intervals: list[tuple]) -> int:
        """Return how many rows lie in some intervals (node, least, largest value)."""
        return int(self.sums.n[self._inside(intervals)].sum())

    def replaced(self, intervals: list[tuple], inside: "Counts") -> "Counts":
        """Return counts with others in the place of the ranges inside some intervals."""
        kept = self.take(~self._inside(intervals))
        both = [np.concatenate(pair) for pair in zip(kept[:-1], inside[:-1], strict=True)]
        order = np.lexsort([both[3], both[1], both[0]])
        sums = pd.concat([kept.sums, inside.sums]).iloc[order]
        return Counts(*(part[order] for part in both), sums)

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
    rows: Table,
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
    if is_in_spark(rows):
        mean = source.mean if source.classes is None else None
        edges = {a: None if x is None else edges_of(x, ranges) for a, x in samples.items()}
        with workers.counted(rows, edges, mean) as lines:
            return _answers(source, _added_up(lines), len(columns), nodes, most, what)
    parts = []
    for a, sample in samples.items():
        some = _only(rows, a)
        value = some[f"x{a}"]
        cell = value if sample is None else number_of_range(value, sample, ranges)
        parts.append(_count(source, some, a, value, cell))
    return _answers(source, _together(parts), len(parts), nodes, most, what)


def count_inside(
    source: Source, rows: Table, nodes: np.ndarray, wanted: dict, ranges: int, most: int, what: str
) -> dict[int, Counts]:
    """Ask for the counts of every value inside some intervals, or of narrower ranges of them.

    Parameters
    ----------
    wanted : dict from columns to lists of (position among the nodes, least, largest value).
    ranges : into how many ranges an interval is divided; 0 to count every value.
    """
    parts = []
    for a, intervals in wanted.items():
        some = _only(rows, a)
        value = some[f"x{a}"]
        inside: dict[int, list] = {}
        for k, (i, low, high) in enumerate(intervals):
            place = equal_range(value, low, high, ranges) + k * ranges if ranges else value
            here = value.between(number(low), number(high))
            inside.setdefault(int(nodes[i]), []).append((here, place))
        chosen = [
            ((some.node == node) & ibis.or_(*(here for here, _ in places)), ibis.cases(*places))
            for node, places in inside.items()
        ]
        some = some.mutate(cell=ibis.cases(*chosen) if ranges else value)
        _, lows, highs = zip(*intervals, strict=True)
        # One interval around all, which a database looks at before it reads what else it needs.
        around = value.between(number(min(lows)), number(max(highs)))
        some = some.filter(around, ibis.or_(*(here for here, _ in chosen)))
        parts.append(_count(source, some, a, some[f"x{a}"], some.cell))
    return _answers(source, _together(parts), len(parts), nodes, most, what)


def _only(rows, a):
    """Return one column of the rows and what belongs to it.

    Where several questions read the same select, Ibis names it once, and DuckDB writes it out.
    """
    names = [f"x{a}", "node", "y", "w"]
    return rows.select(*(name for name in names if name in rows.columns))


def _count(source, rows, a, value, cell):
    """Return the question for one column: node, cell and class, and what they hold."""
    is_text = value.type().is_string()
    is_classified = source.classes is not None
    by = {"node": rows.node, "cell": cell} | ({"y": rows.y} if is_classified else {})
    sums = {"n": rows.count()}
    if "w" in rows.columns:
        sums["weight"] = rows.w.sum()
    if not is_text:
        sums |= {"low": value.min(), "high": value.max()}
    if not is_classified:
        w = rows.w if "w" in rows.columns else 1
        above = rows.y - number(source.mean)  # so that squares lose fewer digits
        sums |= {"sum": (above * w).sum(), "squares": (above * above * w).sum()}
        sums |= {"least": rows.y.min(), "most": rows.y.max()}
    found = rows.group_by(**by).aggregate(**sums)
    ends = {"low": ibis.null("float64"), "high": ibis.null("float64")} if is_text else {}
    level = found.cell if is_text else ibis.null("string")
    cell = ibis.null("float64") if is_text else found.cell.cast("float64")
    found = found.mutate(a=ibis.literal(a, "int32"), level=level, cell=cell, **ends)
    kept = ["y"] * is_classified + [name for name in sums if name not in ("low", "high")]
    return found.select("a", "node", "level", "cell", "low", "high", *kept)


def _together(parts):
    return reduce(lambda one, other: one.union(other), parts)


def _added_up(lines):
    """Return the question that adds up lines of equal column, node, cell and class."""
    how = {"low": "min", "high": "max", "least": "min", "most": "max"}
    by = [name for name in ("a", "node", "level", "cell", "y") if name in lines.columns]
    rest = [name for name in lines.columns if name not in by]
    sums = {name: getattr(lines[name], how.get(name, "sum"))() for name in rest}
    return lines.group_by(by).aggregate(**sums)


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
    """Raise a `DatabaseError` unless the counts of every column add up to what nodes hold.

    Parameters
    ----------
    found : dict from columns to `Counts`.
    node, held : the rows of `SUMS` of the open nodes.
    """
    expected = held.groupby(node).n.sum()
    for a, counts in found.items():
        now = counts.sums.groupby(counts.node).n.sum().reindex(expected.index, fill_value=0)
        wrong = np.flatnonzero(now.to_numpy() != expected.to_numpy())
        if len(wrong):
            raise changed(
                f"by {source.attributes[a].name!r} a node has {now.iloc[wrong[0]]:,.0f} rows, and "
                f"{expected.iloc[wrong[0]]:,.0f} before"
            )

"""The rows of the open nodes: sent down the tree, counted and fetched by questions to a database.

A question is one GROUP BY for each column, joined to one by UNION ALL.
"""

from collections.abc import Mapping
from typing import Protocol

import ibis
import numpy as np
import pandas as pd
from ibis.expr.types import Table

from dtreebook.database.counting import SUMS
from dtreebook.database.expressions import (
    Shares,
    Test,
    equal_range,
    number,
    number_of_range,
    send,
    share_out,
    union,
)
from dtreebook.database.finishing import Finisher, finish
from dtreebook.database.source import Source, codes, targets
from dtreebook.grow.ranges import Grid
from dtreebook.tree.arrays import TreeArrays

# For some columns their ranges, the intervals (number of a node, least, largest value) that are
# meant, and what was counted.
Grids = Mapping[int, Grid | None]
Intervals = Mapping[int, list[tuple[int, float, float]]]
Lines = dict[int, pd.DataFrame]


class Rows(Protocol):
    """What a counter does with its rows; each method returns others and leaves these alone.

    Counts are lines for each column, node, cell (level, value or range) and class, with what the
    rows there add up to: see `dtreebook.database.counting`. If there are more lines than fit, it is
    enough to return one more.
    """

    def at(self, nodes: np.ndarray) -> "Rows":
        """Return the rows of some nodes."""

    def sent(self, tests: list[Test], shares: Shares) -> "Rows":
        """Return the rows at the next nodes; those without one are gone."""

    def kept(self, what: str) -> "Rows":
        """Return the same rows, which no later question need work out anew."""

    def counted(self, grids: Grids, most: int, what: str) -> Lines:
        """Return the counts of some columns.

        Parameters
        ----------
        grids : dict from columns to their ranges; None to count every value.
        most : how many lines fit.
        what : what is asked, in words.
        """

    def counted_inside(self, wanted: Intervals, ranges: int, most: int, what: str) -> Lines:
        """Return the counts of values inside some intervals.

        Parameters
        ----------
        ranges : into how many ranges each is divided; 0 to count every value.
        """

    def finished(self, finisher: Finisher, is_alike: bool, what: str) -> dict[int, TreeArrays]:
        """Return the trees below small nodes, by node.

        Parameters
        ----------
        is_alike : whether many rows are equal, so that they are fetched as one.
        """


class TableRows:
    """Rows of a table whose nodes the database finds by expressions.

    Attributes
    ----------
    source : the training set.
    table : its rows, with the numbers of their nodes.
    """

    def __init__(self, source: Source, table: Table):
        self.source, self.table = source, table

    def _with(self, table):
        return TableRows(self.source, table)

    def at(self, nodes: np.ndarray) -> "TableRows":
        """Return the rows of some nodes."""
        return self._with(self.table.filter(self.table.node.isin(nodes.tolist())))

    def sent(self, tests: list[Test], shares: Shares) -> "TableRows":
        """Return the rows at the next nodes: see `Rows`."""
        table = self.table
        if shares:
            table = share_out(table, tests, shares)
        return self._with(send(table, tests))

    def kept(self, what: str) -> "TableRows":
        """Write the rows down, for each column would find their nodes anew."""
        return self._with(self.source.asker.keep(self.table, what))

    def counted(self, grids: Grids, most: int, what: str) -> Lines:
        """Ask for the counts of some columns: see `Rows`."""
        parts = []
        for a, grid in grids.items():
            some = self._only(a)
            value = some[f"x{a}"]
            parts.append(self._count(some, a, number_of_range(value, grid) if grid else value))
        return self._asked(parts, most, what)

    def counted_inside(self, wanted: Intervals, ranges: int, most: int, what: str) -> Lines:
        """Ask for what is inside some intervals: see `Rows`."""
        parts = []
        for a, intervals in wanted.items():
            some = self._only(a)
            value = some[f"x{a}"]
            inside: dict[int, list] = {}
            for k, (node, low, high) in enumerate(intervals):
                place = equal_range(value, low, high, ranges) + k * ranges if ranges else value
                here = value.between(number(low), number(high))
                inside.setdefault(node, []).append((here, place))
            chosen = [
                ((some.node == node) & ibis.or_(*(here for here, _ in places)), ibis.cases(*places))
                for node, places in inside.items()
            ]
            some = some.mutate(cell=ibis.cases(*chosen) if ranges else value)
            _, lows, highs = zip(*intervals, strict=True)
            # One interval around all, which a database looks at before it reads what else it needs.
            around = value.between(number(min(lows)), number(max(highs)))
            some = some.filter(around, ibis.or_(*(here for here, _ in chosen)))
            parts.append(self._count(some, a, some.cell))
        return self._asked(parts, most, what)

    def _asked(self, parts, most, what):
        """Return the answers to questions for counts, levels and classes by their codes."""
        source = self.source
        found = source.asker.ask(union(parts).limit(most + 1), what)
        found = found.astype({name: float for name in SUMS if name in found})
        if "weight" not in found:
            found["weight"] = found.n
        if source.classes is not None:
            found["target"] = targets(source.classes, found.y)
        lines = {int(a): part for a, part in found.groupby("a")}
        for a, part in lines.items():
            if source.attributes[a].kind != "numeric":
                is_text = source.rows[f"x{a}"].type().is_string()
                cell = codes(source.attributes[a], part.level if is_text else part.cell)
                lines[a] = part.assign(cell=cell)
        return lines

    def _only(self, a):
        """Return one column of the rows and what belongs to it.

        Where several questions read the same select, Ibis names it once, and DuckDB writes it out.
        """
        names = [f"x{a}", "node", "y", "w"]
        return self.table.select(*(name for name in names if name in self.table.columns))

    def _count(self, rows, a, cell):
        """Return the question for one column: node, cell and class, and what they hold."""
        value = rows[f"x{a}"]
        is_text = value.type().is_string()
        is_classified = self.source.classes is not None
        by = {"node": rows.node, "cell": cell} | ({"y": rows.y} if is_classified else {})
        sums = {"n": rows.count()}
        if "w" in rows.columns:
            sums["weight"] = rows.w.sum()
        if not is_text:
            sums |= {"low": value.min(), "high": value.max()}
        if not is_classified:
            w = rows.w if "w" in rows.columns else 1
            above = rows.y - number(self.source.mean)  # so that squares lose fewer digits
            sums |= {"sum": (above * w).sum(), "squares": (above * above * w).sum()}
            sums |= {"least": rows.y.min(), "most": rows.y.max()}
        found = rows.group_by(**by).aggregate(**sums)
        ends = {"low": ibis.null("float64"), "high": ibis.null("float64")} if is_text else {}
        level = found.cell if is_text else ibis.null("string")
        cell = ibis.null("float64") if is_text else found.cell.cast("float64")
        found = found.mutate(a=ibis.literal(a, "int32"), level=level, cell=cell, **ends)
        kept = ["y"] * is_classified + [name for name in sums if name not in ("low", "high")]
        return found.select("a", "node", "level", "cell", "low", "high", *kept)

    def finished(self, finisher: Finisher, is_alike: bool, what: str) -> dict[int, TreeArrays]:
        """Fetch the rows, and grow the trees below small nodes: see `Rows`."""
        table = _alike(self.table) if is_alike else self.table
        return finish(self.source.asker, finisher, table, what)


def _alike(rows):
    """Return equal rows as one, n of them with the weight w."""
    names = [name for name in rows.columns if name != "w"]
    weight = rows.w.sum() if "w" in rows.columns else rows.count()
    return rows.group_by(names).aggregate(n=rows.count(), w=weight)

"""The rows of the open nodes: sent down the tree, counted and fetched by questions to a database.

A question is one GROUP BY for each column, joined to one by UNION ALL. It returns *lines*, what the
rows of equal node, value and class add up to: a DataFrame with the columns of `SUMS`, beside node,
value and target. A value is the code of a level, -1 where it is unknown, or a number, NaN where it
is unknown; or the least of a range, whose largest is ``high``. The target is the code of a class,
or a mean. Nodes whose rows fit in memory are finished there, by the engine of all trees.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
from ibis.expr.types import Table

from dtreebook.count.counter import LEFT, N_BRANCHES, RIGHT, UNKNOWN
from dtreebook.count.ranges import Grid
from dtreebook.data.cases import Cases
from dtreebook.database.expressions import (
    LOSSES,
    Shares,
    Test,
    branch_of,
    equal_range,
    number,
    number_of_range,
    send,
    share_out,
    union,
)
from dtreebook.database.source import BATCH, Source, as_cases, changed, codes, targets
from dtreebook.grow.binary import BinaryControl
from dtreebook.grow.growth import Inherited, as_arrays, levels
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.tree.arrays import TreeArrays

# What is to be counted of some columns: every value, the ranges of a grid, or what lies inside some
# intervals (number of a node, least, largest value); and what was counted.
Asked = Mapping[int, Grid | list[tuple[int, float, float]] | None]
Lines = dict[int, pd.DataFrame]

# How the engine in memory is told to grow trees.
MemoryControl = MultiwayControl | BinaryControl


# --- small nodes ----------------------------------------------------------------------------------


class SmallNode(NamedTuple):
    """What is known of a node that fits in memory."""

    n: int  #: how many rows it has
    sums: np.ndarray  #: the weight of each class; of numbers, their weight and mean
    depth: int  #: its depth in the tree
    inherited: Inherited  #: what it has from the nodes above


class Finisher(NamedTuple):
    """Grow what is below small nodes; nothing in it is tied to this machine."""

    control: MemoryControl  #: how the tree is to grow
    summary: Cases  #: cases that have the attributes, classes and weights of all
    nodes: dict[int, SmallNode]  #: dict from the number of each small node to what is known of it

    def grow(self, node: int, cases: Cases, n: int) -> TreeArrays:
        """Return the tree below a node, given all its n rows, equal ones perhaps as one case."""
        small = self.nodes[node]
        if n != small.n:
            raise changed(f"a node has {n:,} rows, and {small.n:,.0f} before")
        if cases.classes is None:
            sums = np.array([cases.total, np.average(cases.target, weights=cases.weight)])
        else:
            sums = np.bincount(cases.target, cases.weight, cases.n_classes)
        if not np.allclose(sums, small.sums, rtol=1e-6, atol=1e-6 * abs(small.sums).max()):
            raise changed("a node holds other answers than before")
        columns, target = tuple(map(wide, cases.columns)), wide(cases.target)
        cases = replace(cases, columns=columns, target=target).weighted(cases.weights)
        counter = self.control.count(cases)
        counter.values = {}
        growth = self.control.growth(counter, self.summary)
        growth.inherited = small.inherited
        return as_arrays(levels(growth, small.depth))


def wide(codes: np.ndarray) -> np.ndarray:
    """Return codes as wide as those that the engine computes with."""
    return codes.astype(np.intp) if codes.dtype.kind == "i" else codes


def _node_by_node(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield the rows of one node after another, from batches in the order of the nodes."""
    parts = (
        batch.slice(first, last - first)
        for batch in batches
        for ends in [np.flatnonzero(np.diff(batch["node"].to_numpy(), append=-1)) + 1]
        for first, last in zip([0, *ends[:-1]], ends, strict=True)
    )
    for _, of_node in groupby(parts, key=lambda part: part["node"][0]):
        yield pa.Table.from_batches(list(of_node))


# --- rows -----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TableRows:
    """Rows of a table whose nodes the database finds by expressions.

    Each method returns other rows and leaves these alone, as those of
    `dtreebook.database.spark.PackedRows` do. Counts are lines for each column, node, cell (level,
    value or range) and class. If there are more than fit, it is enough to return one more.
    """

    source: Source  #: the training set
    table: Table  #: its rows, with the numbers of their nodes

    def at(self, nodes: np.ndarray) -> "TableRows":
        """Return the rows of some nodes."""
        return replace(self, table=self.table.filter(self.table.node.isin(nodes.tolist())))

    def sent(self, tests: list[Test], shares: Shares) -> "TableRows":
        """Return the rows at the next nodes; those without one, or without a test, are gone."""
        table = self.at(np.array([test.node for test in tests])).table
        if shares:
            table = share_out(table, tests, shares)
        return replace(self, table=send(table, tests, self.source.attributes))

    def by_branch(self, tests: list[Test]) -> "TableRows":
        """Return the rows of the nodes of some tests, with branches in the place of classes."""
        rows = self.at(np.array([test.node for test in tests])).table
        branches = []
        for test in tests:
            attribute = self.source.attributes[test.split.column]
            value = rows[f"x{test.split.column}"]
            said = branch_of(test.split, attribute, value, [LEFT, RIGHT], UNKNOWN)
            branches.append((rows.node == test.node, said))
        source = replace(self.source, classes=np.arange(N_BRANCHES))
        return replace(self, source=source, table=rows.mutate(y=ibis.cases(*branches)))

    def kept(self, what: str, beside: bool = False) -> "TableRows":
        """Write the rows down, for each column would find their nodes anew."""
        return replace(self, table=self.source.asker.keep(self.table, what, beside))

    def counted(self, asked: Asked, ranges: int, most: int, what: str) -> Lines:
        """Ask for the counts of some columns: of every value, in the ranges of a grid, or inside.

        What is inside some intervals is counted in so many ranges each; with 0, of every value.
        """
        parts = []
        for a, wanted in asked.items():
            some = self._only(a)
            cell = value = some[f"x{a}"]
            if isinstance(wanted, Grid):
                cell = number_of_range(value, wanted)
            elif wanted is not None:
                some = _inside(some, value, wanted, ranges)
                cell = some.cell
            parts.append(self._count(some, a, cell))
        return self._answered(parts, most, what)

    def _answered(self, parts, most, what):
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
            w, numbers = rows.w if "w" in rows.columns else 1, self.source.numbers
            above = rows.y - number(numbers.origin)
            loss = LOSSES[numbers.criterion](above, number(numbers.mean))
            sums |= {"sum": (above * w).sum(), "loss": (loss * w).sum()}
            sums |= {"least": rows.y.min(), "most": rows.y.max()}
        found = rows.group_by(**by).aggregate(**sums)
        ends = {"low": ibis.null("float64"), "high": ibis.null("float64")} if is_text else {}
        level = found.cell if is_text else ibis.null("string")
        cell = ibis.null("float64") if is_text else found.cell.cast("float64")
        found = found.mutate(a=ibis.literal(a, "int32"), level=level, cell=cell, **ends)
        kept = ["y"] * is_classified + [name for name in sums if name not in ("low", "high")]
        return found.select("a", "node", "level", "cell", "low", "high", *kept)

    def finished(self, finisher: Finisher, is_alike: bool, what: str) -> dict[int, TreeArrays]:
        """Fetch the rows, equal ones perhaps as one, and grow the trees below small nodes."""
        rows = self.table
        if is_alike:
            names = [name for name in rows.columns if name != "w"]
            weight = rows.w.sum() if "w" in rows.columns else rows.count()
            rows = rows.group_by(names).aggregate(n=rows.count(), w=weight)
        batches = self.source.asker.batches(rows.order_by("node"), what, BATCH)
        below = {}
        for part in _node_by_node(batches):
            node, n = part["node"][0].as_py(), len(part)
            if is_alike:
                n = int(part["n"].to_numpy().sum())
            cases = as_cases(part, finisher.summary.attributes, finisher.summary.classes)
            below[node] = finisher.grow(node, cases, n)
        return below


def _inside(rows, value, intervals, ranges):
    """Return the rows inside some intervals, with their cells."""
    inside = []
    for k, (node, low, high) in enumerate(intervals):
        place = equal_range(value, low, high, ranges) + k * ranges if ranges else value
        inside.append(((rows.node == node) & value.between(number(low), number(high)), place))
    _, lows, highs = zip(*intervals, strict=True)
    # One interval around all, which a database looks at before it reads what else it needs.
    around = value.between(number(min(lows)), number(max(highs)))
    rows = rows.mutate(cell=ibis.cases(*inside)).filter(around)
    return rows.filter(rows.cell.notnull())


# --- lines ----------------------------------------------------------------------------------------


# How each column of lines is added up. Numbers have their sum, above the origin, their loss
# where the mean of all is predicted, and their least and largest.
SUMS = {
    "n": "sum",
    "weight": "sum",
    "sum": "sum",
    "loss": "sum",
    "least": "min",
    "most": "max",
    "low": "min",
    "high": "max",
}


def added_up(lines: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return a line for all that are equal in some columns."""
    how = {name: how for name, how in SUMS.items() if name in lines}
    return lines.groupby(list(by), as_index=False, dropna=False).agg(how)


def in_order(source: Source, a: int, lines: pd.DataFrame, nodes: np.ndarray) -> pd.DataFrame:
    """Return the lines of a column, which have cells, in the order of node, value and class.

    The numbers of nodes become their positions among those given. What nobody asks for any more is
    left out, so that more lines fit in memory.
    """
    value = high = lines.cell
    if source.attributes[a].kind == "numeric":
        of = lines.groupby(["node", "cell"], dropna=False)  # the ends of all classes of a range
        value, high = of.low.transform("min"), of.high.transform("max")
    node = pd.Index(nodes).get_indexer(lines.node)
    target = lines.target if "target" in lines else source.numbers.mean_of(lines)
    lines = lines.assign(node=node, value=value, high=high, target=target)
    lines = lines.drop(columns=["a", "level", "cell", "low", "y"], errors="ignore")
    return lines.iloc[np.lexsort([lines.target, lines.value, lines.node])].reset_index(drop=True)


def inside(lines: pd.DataFrame, intervals: list[tuple]) -> np.ndarray:
    """Return which lines lie in some intervals (node, least, largest value)."""
    found, of_node, values = np.zeros(len(lines), dtype=bool), lines.node, lines.value.to_numpy()
    for node, low, high in intervals:
        first, last = np.searchsorted(of_node, [node, node + 1])
        ends = np.searchsorted(values[first:last], [low, np.nextafter(high, np.inf)])
        found[slice(*(first + ends))] = True
    return found


def replaced(lines: pd.DataFrame, intervals: list[tuple], by: pd.DataFrame) -> pd.DataFrame:
    """Return lines with others in the place of those inside some intervals."""
    lines = pd.concat([lines[~inside(lines, intervals)], by])
    return lines.iloc[np.lexsort([lines.target, lines.value, lines.node])].reset_index(drop=True)


def check_counts(source: Source, found: dict[int, pd.DataFrame], held: pd.DataFrame) -> None:
    """Raise a `DatabaseError` unless every column adds up to what nodes hold, by class or sum."""
    by = ["node"] if source.classes is None else ["node", "target"]
    known = added_up(held, by).set_index(by)
    for a, lines in found.items():
        now = added_up(lines, by).set_index(by).reindex(known.index, fill_value=0)
        wrong = np.flatnonzero(now.n.to_numpy() != known.n.to_numpy())
        name = f"by {source.attributes[a].name!r} a node has"
        if len(wrong):
            there, before = now.n.iloc[wrong[0]], known.n.iloc[wrong[0]]
            rows = "rows" if source.classes is None else "rows of a class"
            raise changed(f"{name} {there:,.0f} {rows}, and {before:,.0f} before")
        if source.classes is None:
            rounding = 1e-6 * (abs(known["sum"]) + known.weight * (known.most - known.least))
            if (abs(now["sum"] - known["sum"]) > rounding).any():
                raise changed(f"{name} numbers with another sum than before")

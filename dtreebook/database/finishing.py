"""Small nodes are finished in memory, by the engine of all trees."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from ibis.expr.types import Table

from dtreebook.data.cases import Attribute, Cases
from dtreebook.database.asking import Asker
from dtreebook.database.source import changed, codes, targets
from dtreebook.grow.binary import BinaryControl
from dtreebook.grow.growth import as_arrays, levels
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.tree.arrays import TreeArrays

# The rows that are fetched come so many at a time.
_BATCH = 100_000

# How the engine in memory is told to grow trees.
MemoryControl = MultiwayControl | BinaryControl


class SmallNode(NamedTuple):
    """What is known of a node that fits in memory."""

    n: int  #: how many rows it has
    sums: np.ndarray  #: the weight of each class; of numbers, their weight and mean
    depth: int  #: its depth in the tree
    #: what a tree begins with at the node: see `dtreebook.grow.growth.Growth.state`.
    state: tuple[np.ndarray, int]


class Finisher(NamedTuple):
    """Grow what is below small nodes; nothing in it is tied to this machine."""

    attributes: tuple[Attribute, ...]  #: of the training set, as in `Cases`
    classes: np.ndarray | None
    control: MemoryControl  #: how the tree is to grow
    summary: Cases  #: cases that have the classes and weights of all
    nodes: dict[int, SmallNode]  #: dict from the number of each small node to what is known of it

    def grow(self, node: int, cases: Cases, n: int) -> TreeArrays:
        """Return the tree below a node, given all its n rows, equal ones perhaps as one case."""
        small = self.nodes[node]
        if n != small.n:
            raise changed(f"a node has {n:,} rows, and {small.n:,.0f} before")
        if self.classes is None:
            sums = np.array([cases.total, np.average(cases.target, weights=cases.weight)])
        else:
            sums = np.bincount(cases.target, cases.weight, len(self.classes))
        if not np.allclose(sums, small.sums, rtol=1e-6, atol=1e-6 * abs(small.sums).max()):
            raise changed("a node holds other answers than before")
        counter = self.control.count(cases)
        counter.values = {}
        growth = self.control.growth(counter, self.summary)
        growth.resume(*small.state)
        return as_arrays(levels(growth, self.control, small.depth))

    def of_rows(self, rows: pd.DataFrame) -> tuple[int, TreeArrays]:
        """Return the number of a node, of which all rows are given, and the tree below it."""
        node, n = int(rows.node.iloc[0]), int(rows.n.sum() if "n" in rows else len(rows))
        return node, self.grow(node, self._cases(rows), n)

    def _cases(self, rows):
        columns = []
        for a, attribute in enumerate(self.attributes):
            value = rows[f"x{a}"]
            is_number = attribute.kind == "numeric"
            columns.append(value.to_numpy(dtype=float) if is_number else codes(attribute, value))
        cases = Cases(self.attributes, tuple(columns), targets(self.classes, rows.y), self.classes)
        return cases.weighted(rows.w.to_numpy(dtype=float)) if "w" in rows else cases


def finish(asker: Asker, finisher: Finisher, rows: Table, what: str) -> dict[int, TreeArrays]:
    """Return the trees below small nodes, by node; a row may stand for n of weight w."""
    batches = asker.batches(rows.order_by("node"), what, _BATCH)
    return dict(finisher.of_rows(node) for node in _node_by_node(batches))


def _node_by_node(batches: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    """Yield the rows of one node after another, from batches in the order of the nodes."""
    waiting: list[pd.DataFrame] = []
    for batch in batches:
        ends = np.flatnonzero(np.diff(batch.node, append=-1)) + 1
        for first, last in zip([0, *ends[:-1]], ends, strict=True):
            part = batch.iloc[first:last]
            if waiting and waiting[-1].node.iloc[-1] != part.node.iloc[0]:
                yield pd.concat(waiting, ignore_index=True)
                waiting = []
            waiting.append(part)
    if waiting:
        yield pd.concat(waiting, ignore_index=True)

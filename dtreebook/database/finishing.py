"""Small nodes are finished in memory, by the engine of all trees."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from dtreebook.data.cases import Attribute, Cases
from dtreebook.database.source import changed, codes, targets
from dtreebook.grow.growth import Control, Frontier, as_arrays, levels
from dtreebook.tree.arrays import TreeArrays


class SmallNode(NamedTuple):
    """What is known of a node that fits in memory.

    Attributes
    ----------
    n : how many rows it has.
    depth : its depth in the tree.
    available : array [1, A], which columns may still be asked for.
    label : array [1], the label of the node above.
    """

    n: int
    depth: int
    available: np.ndarray
    label: np.ndarray


class Finisher(NamedTuple):
    """Grow what is below small nodes; nothing in it is tied to this machine.

    Attributes
    ----------
    attributes, classes : of the training set, as in `Cases`.
    control : how the tree is to grow.
    root : a frontier that knows what is to be known of all cases.
    nodes : dict from the number of each small node to what is known of it.
    """

    attributes: tuple[Attribute, ...]
    classes: np.ndarray | None
    control: Control
    root: Frontier
    nodes: dict[int, SmallNode]

    def grow(self, rows: pd.DataFrame) -> tuple[int, TreeArrays]:
        """Return the number of a node, of which all rows are given, and the tree below it.

        Raises
        ------
        DatabaseError
            If they are not as many rows as before.
        """
        node = int(rows.node.iloc[0])
        small, n = self.nodes[node], int(rows.n.sum() if "n" in rows else len(rows))
        if n != small.n:
            raise changed(f"a node has {n:,} rows, and {small.n:,.0f} before")
        cases, max_depth = self._cases(rows), self.control.max_depth
        start = self.control.frontier(cases)
        start.start(self.root, np.zeros(len(cases), dtype=np.intp), small.available, small.label)
        left = None if max_depth is None else max_depth - small.depth
        return node, as_arrays(levels(start, left))

    def _cases(self, rows):
        columns = []
        for a, attribute in enumerate(self.attributes):
            value = rows[f"x{a}"]
            is_number = attribute.kind == "numeric"
            columns.append(value.to_numpy(dtype=float) if is_number else codes(attribute, value))
        cases = Cases(self.attributes, tuple(columns), targets(self.classes, rows.y), self.classes)
        return cases.weighted(rows.w.to_numpy(dtype=float)) if "w" in rows else cases

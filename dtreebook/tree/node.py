"""A node of a tree, linked to the nodes below it, as one reads a tree from the root down.

A leaf is a node without a split. A node is named by its path, the branches that lead to it:
``()`` is the root, ``(0, 2)`` the third child of its first child.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from dtreebook.tree.splits import Split, Surrogate


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Hold the training cases of one node by class, its class, and how it is divided.

    In a regression tree there is one class, `label` is the mean that the node predicts, and `risk`
    its loss, such as the squared error around it.
    """

    counts: np.ndarray  #: array [K], the training weight of each class; all 0 in an empty branch
    label: int | float  #: the code of the class the node predicts
    split: Split | None = None  #: the test, a `dtreebook.tree.splits.Split`; None in a leaf
    #: one node for each branch of the split; empty in a leaf.
    children: tuple["Node", ...] = field(default=(), repr=False)  # a deep tree has no end
    risk: float | None = None  #: what the node costs as a leaf; None for the weight of its errors
    surrogates: tuple[Surrogate, ...] = ()  #: `dtreebook.tree.splits.Surrogate`, the best first
    default: int = -1  #: the branch where neither the test nor a surrogate knows; -1 to stop

    @property
    def is_leaf(self) -> bool:
        """Whether the node asks nothing."""
        return self.split is None

    @property
    def weight(self) -> float:
        """The weight of the training cases that reached the node."""
        return float(self.counts.sum())

    @property
    def errors(self) -> float:
        """The weight of the training cases that the class of the node gets wrong."""
        return float(self.counts.sum() - self.counts[int(self.label)])


class Visit(NamedTuple):
    """A node met on a walk, and the path that led to it."""

    path: tuple[int, ...]
    node: Node

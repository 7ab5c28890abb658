"""Rows that go down a tree again while it is pruned: `dtreebook.prune.error_based.SentCases`.

C4.5 asks what the largest branch of a subtree would do with all its cases. So these rows take the
tests of that branch, a level at a time, and one question a level counts them in the nodes below.
"""

from dataclasses import dataclass, replace

import numpy as np

from dtreebook.database.counter import DatabaseCounter, held_at
from dtreebook.database.expressions import Test
from dtreebook.database.rows import TableRows
from dtreebook.database.source import Source, changed
from dtreebook.database.spark import PackedRows
from dtreebook.tree.arrays import Links
from dtreebook.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class SentRows:
    """Rows on their way down a tree, those of unknown value in parts."""

    source: Source
    tree: Tree  #: whose tests they take
    rows: TableRows | PackedRows  #: with numbers of their nodes that are never given again
    node: np.ndarray  #: array [m], the nodes where there are rows, in order
    number: np.ndarray  #: array [m], the numbers of these nodes
    n: np.ndarray  #: array [m, K], how many rows of each class there are
    weight: np.ndarray  #: array [m, K], what they weigh

    @classmethod
    def of(cls, counter: DatabaseCounter, tree: Tree) -> "SentRows":
        """Return all rows that a tree was grown from, at its root."""
        source, root = counter.source, np.zeros(1, dtype=np.intp)
        summary, shape = source.summary, (1, tree.arrays.counts.shape[1])
        n = np.bincount(summary.target, summary.times, shape[1]).reshape(shape)
        return cls(source, tree, counter.all_rows, root, root, n, tree.arrays.counts[:1])

    def counts(self) -> np.ndarray:
        """Return the weight of each class in these nodes."""
        return self.weight

    def together(self, others: list["SentRows"]) -> np.ndarray:
        """Return the weight of each class in all nodes, of these rows and others."""
        counts = np.zeros_like(self.tree.arrays.counts)
        for sent in [self, *others]:
            counts[sent.node] = sent.weight
        return counts

    def at(self, chosen: np.ndarray) -> "SentRows":
        """Return the rows at chosen nodes."""
        here = chosen[self.node]
        rows = self.rows.at(self.number[here])
        arrays = self.node[here], self.number[here], self.n[here], self.weight[here]
        return SentRows(self.source, self.tree, rows, *arrays)

    def moved(self, to: np.ndarray) -> "SentRows":
        """Return the rows of each node at another one."""
        node = to[self.node]
        order = np.argsort(node)
        number, n, weight = self.number[order], self.n[order], self.weight[order]
        return replace(self, node=node[order], number=number, n=n, weight=weight)

    def down(self, asks: np.ndarray, links: Links) -> "SentRows":
        """Return the rows in the children of their nodes."""
        if not len(self.node):
            return self
        child, begin = links.children(self.node)
        number = self.number.max() + 1 + np.arange(len(child))
        tests = []
        for i, numbers in enumerate(np.split(number, begin[1:])):
            split = self.tree.arrays.split[asks[self.node[i]]]
            tests.append(Test(int(self.number[i]), split, numbers.tolist(), -1))
        what = "what other branches would hold"
        rows = self.rows.kept(what, beside=True) if self.number.any() else self.rows
        lines = held_at(self.source, rows.sent(tests, {}), number, what)
        n, weight = np.zeros((2, len(child), self.n.shape[1]))
        for total, name in ((n, "n"), (weight, "weight")):
            np.add.at(total, (lines.node, lines.target), lines[name])

        # Rows of unknown value are what is left of each node.
        lost = self.n - np.add.reduceat(n, begin)
        if lost.min() < 0:
            raise changed("a node has rows that it did not have before")
        lost_weight = np.where(lost > 0, self.weight - np.add.reduceat(weight, begin), 0)
        above = np.repeat(np.arange(len(self.node)), links.n_branches[self.node])
        size = weight.sum(axis=1)
        share = size / np.maximum(np.add.reduceat(size, begin), np.finfo(float).tiny)[above]
        share[lost.max(axis=1)[above] == 0] = 0
        shares = {
            (int(self.number[above[i]]), int(number[i])): share[i] for i in np.flatnonzero(share)
        }
        n += lost[above] * (share > 0)[:, None]
        weight += lost_weight[above] * share[:, None]
        there = np.flatnonzero(n.any(axis=1))
        there = there[np.argsort(child[there])]
        arrays = child[there], number[there], n[there], weight[there]
        return SentRows(self.source, self.tree, rows.sent(tests, shares), *arrays)

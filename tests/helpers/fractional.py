"""Random trees, grown on random cases with unknown values that divide one case at a time."""

import drawing
import numpy as np
from hypothesis import strategies as st

from dtreebook.data.reading import read_cases
from dtreebook.tree.splits import Multiway, Subset, Threshold
from dtreebook.tree.tree import Node, Tree


def divided(cases, split, parts):
    """Return the parts (case, weight) of each branch, and the weight of the known ones.

    An unknown value is shared out in proportion to the known ones.
    """
    branch = split.branch(cases.columns[split.column]).tolist()
    n = split.branches(cases.attributes[split.column])
    below = [[(i, w) for i, w in parts if branch[i] == b] for b in range(n)]
    size = [sum(w for _, w in some) for some in below]
    for i, w in parts:
        if branch[i] < 0:
            for b in range(n):
                if size[b]:
                    below[b].append((i, w * size[b] / sum(size)))
    return below, size


class Twin:
    """A node that may change: a split or None, children, counts of the classes, the class."""

    def __init__(self, n_classes, label):
        self.split, self.children, self.counts, self.label = None, [], [0.0] * n_classes, label

    def take(self, parts, target):
        self.counts = [sum(w for i, w in parts if target[i] == k) for k in range(len(self.counts))]
        for k, weight in enumerate(self.counts):
            if weight > self.counts[self.label] * (1 + 1e-12):
                self.label = k

    def linked(self):
        children = tuple(child.linked() for child in self.children)
        return Node(np.array(self.counts), self.label, self.split, children)


def as_twin(node):
    twin = Twin(len(node.counts), node.label)
    twin.counts, twin.split = node.counts.tolist(), node.split
    twin.children = [as_twin(child) for child in node.children]
    return twin


class Problem:
    """Random cases, and a random tree grown on them."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 60))
        kinds = ("quarters", 2, 3, 5)
        columns = drawing.columns(rng, kinds, n, rng.choice([0, 0.05, 0.3]))
        X = drawing.Table(kinds, columns).frame
        y = np.where(rng.random(n) < 0.3, rng.integers(0, 3, n), X["a0"].fillna(0) > 0.75)
        weight = None if rng.random() < 0.5 else rng.integers(1, 5, n) / 2
        self.cases = read_cases(X, y, weight)
        weight = np.ones(n) if self.cases.weight is None else self.cases.weight
        self.parts = list(enumerate(weight.tolist()))
        self.tree = self.tree_of(self.grown(self.parts, 0, frozenset()))

    def tree_of(self, twin):
        return Tree.from_root(twin.linked(), self.cases.attributes, self.cases.classes)

    def grown(self, parts, label, used):
        node = Twin(len(self.cases.classes), label)
        if not parts:
            return node
        node.label = 0
        node.take(parts, self.cases.target)
        split = self.split(parts, used)
        if split is not None and np.count_nonzero(node.counts) > 1 and self.rng.random() < 0.9:
            node.split = split
            if isinstance(split, Multiway):
                used |= {split.column}
            below, _ = divided(self.cases, split, parts)
            node.children = [self.grown(some, node.label, used) for some in below]
        return node

    def split(self, parts, used):
        """Return a split that divides the known values, or None."""
        a = int(self.rng.integers(4))
        values = self.cases.columns[a][[i for i, _ in parts]]
        values = np.unique(values[~np.isnan(values) & (values >= 0)])
        if len(values) < 2 or a in used:
            return None
        if a == 0:
            return Threshold(0, float(self.rng.choice(values[:-1])))
        if a == 1 or self.rng.random() < 0.5:
            return Multiway(a)
        codes = values.astype(int).tolist()
        cut = int(self.rng.integers(1, len(codes)))
        others = tuple(set(range(len(self.cases.attributes[a].levels))) - set(codes))
        return Subset(a, tuple(filter(None, [tuple(codes[:cut]), tuple(codes[cut:]), others])))


problems = st.integers(0, 2**32 - 1).map(Problem)

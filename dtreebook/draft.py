"""A tree while it is pruned, and the record of what is compared.

Pruning changes nodes by the dozen and keeps the full tree, so it works on a draft: arrays that may
change, from which a new tree is made at the end.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dtreebook.missing import branches, children
from dtreebook.splits import Subset
from dtreebook.tree import Flat, Tree

# Numbers closer than this, relatively, are equal: the last digits are rounding.
TIE = 1e-12


class Choice(StrEnum):
    """What may be done with a subtree."""

    LEAF = "replace it by a leaf"
    BRANCH = "replace it by its largest branch"
    KEEP = "keep it"


class Comparison(NamedTuple):
    """What was compared at a node.

    Attributes
    ----------
    path : where the node was in the tree at that moment.
    split : its test.
    counts : array [K], the weight of its cases of each class.
    leaf : what a leaf in its place would cost: mostly the errors to expect of it.
    subtree : what the subtree costs, pruned as far as it already is.
    branch : what its largest branch would cost if that took all the cases; infinite where that is
        no choice.
    choice : `Choice`.
    """

    path: tuple
    split: object
    counts: np.ndarray
    leaf: float
    subtree: float
    branch: float
    choice: Choice


@dataclass(frozen=True, eq=False)
class Pruning:
    """A tree whose subtrees give way to leaves wherever a leaf costs no more.

    Attributes
    ----------
    full : the `dtreebook.tree.Tree`.
    leaf, subtree : arrays [N], what each inner node costs as a leaf, and with what is below it.
    """

    full: Tree
    leaf: np.ndarray
    subtree: np.ndarray

    @cached_property
    def cut(self):
        """The inner nodes that become leaves, the lowest first: array of their numbers."""
        cheaper = self.leaf <= self.subtree + TIE * np.abs(self.leaf)
        return np.flatnonzero(cheaper & (self.full.flat.first_child > 0))[::-1]

    @cached_property
    def tree(self):
        """The pruned tree."""
        draft = Draft(self.full)
        draft.cut(self.cut)
        return draft.tree()

    @property
    def trees(self):
        """The trees on the way, the full one first: one more for every subtree that gives way."""
        draft = Draft(self.full)
        trees = [self.full]
        for node in self.cut:
            draft.cut(node)
            trees.append(draft.tree())
        return trees

    @property
    def comparisons(self):
        """One `Comparison` for every inner node, the lowest first."""
        flat, is_cut = self.full.flat, set(self.cut.tolist())
        return [
            Comparison(
                self.full.path(i),
                flat.split[i],
                flat.counts[i],
                float(self.leaf[i]),
                float(self.subtree[i]),
                np.inf,
                Choice.LEAF if i in is_cut else Choice.KEEP,
            )
            for i in np.flatnonzero(flat.first_child)[::-1].tolist()
        ]


def of_classes(tree):
    """Raise ValueError if a tree predicts numbers."""
    if tree.is_regression:
        raise ValueError(
            "this way of pruning counts errors, and a regression tree makes none: prune it by "
            "dtreebook.complexity or with a validation set"
        )


class Draft:
    """A tree while it is pruned; its nodes keep the numbers that they have in the full tree.

    Attributes
    ----------
    counts, label, risk, first_child, n_branches : as in the full tree at first; they change.
    asks : array [N], the node of the full tree whose test a node asks now, surrogates and all.
    parent : array [N], the node above.
    """

    def __init__(self, tree):
        flat = tree.flat
        self.full, self.split = tree, list(flat.split)
        self.counts, self.label, self.risk = flat.counts.copy(), flat.label.copy(), flat.risk
        self.first_child, self.n_branches = flat.first_child.copy(), branches(flat)
        self.asks = np.arange(tree.node_count)
        inner = np.flatnonzero(self.first_child)
        self.parent = np.repeat(np.append(-1, inner), np.append(1, self.n_branches[inner]))

    def children(self, node):
        return children(node, self.first_child, self.n_branches)

    def levels(self):
        """Return the inner nodes of every level, the root first."""
        levels, node = [], np.flatnonzero(self.first_child[:1])
        while node.size:
            levels.append(node)
            child, _ = self.children(node)
            node = child[self.first_child[child] > 0]
        return levels

    def leaves_below(self, node):
        """Return all leaves below some nodes, and for each the place of the node it is below."""
        leaves, places, place = [], [], np.arange(len(node))
        while node.size:
            is_leaf = self.first_child[node] == 0
            leaves.append(node[is_leaf])
            places.append(place[is_leaf])
            node, place = node[~is_leaf], place[~is_leaf]
            place = np.repeat(place, self.n_branches[node])
            node, _ = self.children(node)
        return np.concatenate(leaves), np.concatenate(places)

    def path(self, number):
        path = []
        while number:
            path.append(int(number - self.first_child[self.parent[number]]))
            number = self.parent[number]
        return tuple(path[::-1])

    def cut(self, node):
        """Make leaves of some nodes."""
        self.first_child[node] = self.n_branches[node] = 0

    def lift(self, node, child):
        """Put children into the places of their parents; the counts of the parents stay."""
        for array in (self.label, self.asks, self.first_child, self.n_branches):
            array[node] = array[child]
        below, _ = self.children(node)
        self.parent[below] = np.repeat(node, self.n_branches[node])

    def drop_impossible(self):
        """Drop the branch for all other values where the tests above leave no other value."""
        if not any(isinstance(split, Subset) for split in self.split):
            return
        possible = {0: {}}
        for node in self.levels():
            for i in node.tolist():
                split, left = self.split[self.asks[i]], possible.pop(i)
                groups = [()] * self.n_branches[i]
                if isinstance(split, Subset):
                    *groups, others = split.groups
                    here = left.get(split.attribute, others)
                    others = tuple(code for code in others if code in here)
                    groups += [others] * bool(others)
                    self.split[self.asks[i]] = Subset(split.attribute, tuple(groups))
                    self.n_branches[i] = len(groups)
                for child, group in enumerate(groups, self.first_child[i]):
                    possible[child] = {**left, split.attribute: group} if group else left

    def tree(self):
        """Return the tree that is left, its nodes in a new order."""
        full = self.full.flat
        levels = [np.zeros(1, dtype=np.intp)]
        for node in self.levels():
            levels.append(self.children(node)[0])
        node = np.concatenate(levels)
        asks, n_branches = self.asks[node], self.n_branches[node]

        def of_tests(entries, none):
            pairs = zip(asks.tolist(), n_branches.tolist(), strict=True)
            return [entries[i] if n else none for i, n in pairs]

        flat = Flat(
            self.counts[node],
            self.label[node],
            of_tests(self.split, None),
            np.where(n_branches, 1 + np.cumsum(n_branches) - n_branches, 0),
            None if self.risk is None else self.risk[node],
            full.surrogates and of_tests(full.surrogates, ()),
            None if full.default is None else np.where(n_branches, full.default[asks], -1),
            None if full.improvement is None else np.where(n_branches, full.improvement[asks], 0),
        )
        return Tree(flat, self.full.attributes, self.full.classes)

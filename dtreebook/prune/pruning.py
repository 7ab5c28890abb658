"""What every way of pruning shares: a tree while it is pruned, and the record of what was decided.

A way of pruning compares what a node would cost as a leaf with what its subtree costs, decides, and
returns a `Pruning`. `PruningState` is the tree meanwhile: arrays that may change, from which a new
tree is made at the end.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from dtreebook.data.words import Word
from dtreebook.measures import TIE
from dtreebook.tree.arrays import TreeArrays, path_to
from dtreebook.tree.routing import Links
from dtreebook.tree.splits import Split, Subset
from dtreebook.tree.tree import Tree


class Choice(Word):
    """What may be done with a subtree."""

    LEAF = "replace it by a leaf"
    BRANCH = "replace it by its largest branch"
    KEEP = "keep it"


# The choices by their places in a list, for arrays.
CHOICES = tuple(Choice)
LEAF, BRANCH, KEEP = range(len(CHOICES))


class Comparison(NamedTuple):
    """What was compared at a node, and what was decided."""

    path: tuple[int, ...]  #: where the node was in the tree at that moment
    split: Split  #: its test
    counts: np.ndarray  #: array [K], the weight of its cases of each class
    leaf: float  #: what a leaf in its place would cost: in most methods the errors to expect of it
    subtree: float  #: what the subtree costs, pruned as far as it already is
    #: what its largest branch would cost with all the cases of the node; infinite where the method
    #: does not consider it.
    branch: float
    choice: Choice


class Recount(NamedTuple):
    """What nodes hold once other cases have come to them: arrays [m], [m, K] and [m]."""

    node: np.ndarray
    counts: np.ndarray
    label: np.ndarray


@dataclass(frozen=True, eq=False)
class Step:
    """What is compared together, and what follows."""

    node: np.ndarray  #: array [m], the nodes by their numbers in the full tree, the lowest first
    leaf: np.ndarray  #: arrays [m], as in `Comparison`
    subtree: np.ndarray
    branch: np.ndarray
    choice: np.ndarray  #: array [m], the place of each choice in `CHOICES`
    largest: np.ndarray  #: array [m], the child that each node would give way to
    #: what the nodes of raised branches hold afterwards: a list of `Recount`.
    recounts: list[Recount] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Pruning:
    """A pruned tree and how it came about: what every way of pruning returns."""

    full: Tree  #: the `dtreebook.tree.tree.Tree` before; it stays as it was
    tree: Tree  #: the pruned tree
    steps: list[Step]  #: what was compared and decided, in order: a list of `Step`

    @classmethod
    def by_cost(
        cls,
        tree: Tree,
        leaf: np.ndarray,
        subtree: np.ndarray,
        gives_way: np.ndarray | None = None,
        slack: float = 0.0,
    ) -> "Pruning":
        """Return the pruning in which leaves take the places of subtrees that cost no less.

        Parameters
        ----------
        leaf, subtree : arrays [N], what each node costs as a leaf, and with what is left below it.
        gives_way : array [N], which nodes become leaves, for a method that decides otherwise.
        slack : as in `costs_no_more`.
        """
        if gives_way is None:
            gives_way = costs_no_more(leaf, subtree, slack)
        node = np.flatnonzero(tree.arrays.first_child)[::-1]
        step = Step(
            node,
            leaf[node],
            subtree[node],
            np.full(len(node), np.inf),
            np.where(gives_way[node], LEAF, KEEP),
            tree.arrays.first_child[node],
        )
        pruned = tree
        if (step.choice == LEAF).any():
            state = PruningState(tree)
            state.apply(step)
            pruned = state.tree()
        return cls(tree, pruned, [step])

    @property
    def comparisons(self) -> list[Comparison]:
        """Every `Comparison` that was made, in order: at each inner node, the lowest first.

        A branch that was raised is looked at again, in the place of its parent.
        """
        state = PruningState(self.full)
        made: list[Comparison] = []
        for step in self.steps:
            columns = (step.node, step.leaf, step.subtree, step.branch, step.choice)
            for i, leaf, subtree, branch, choice in zip(
                *(c.tolist() for c in columns), strict=True
            ):
                path = path_to(i, state.parent, state.first_child)
                split, counts = state.split[state.asks[i]], state.counts[i].copy()
                assert split is not None
                made.append(Comparison(path, split, counts, leaf, subtree, branch, CHOICES[choice]))
            state.apply(step)
        return made

    @property
    def trees(self) -> list[Tree]:
        """The trees on the way, the full one first: one more for every subtree that gives way."""
        state, trees = PruningState(self.full), [self.full]
        for step in self.steps:
            for node in step.node[step.choice == LEAF]:
                state.make_leaf(node)
                trees.append(state.tree())
            if (step.choice == BRANCH).any():  # branches raised together
                state.apply(step)
                trees.append(state.tree())
        return [*trees[:-1], self.tree]


class PruningState:
    """A tree while it is pruned; its nodes keep the numbers that they have in the full tree.

    Attributes
    ----------
    counts, label, risk : as in the full tree at first; they change.
    links : where the children of each node stand; first_child and n_branches are its two arrays.
    asks : array [N], the node of the full tree whose test a node asks now, surrogates and all.
    parent : array [N], the node above.
    """

    def __init__(self, tree: Tree):
        arrays = tree.arrays
        self.full, self.split = tree, arrays.split.take(np.arange(tree.node_count))
        self.counts, self.label, self.risk = arrays.counts.copy(), arrays.label.copy(), arrays.risk
        self.links = Links(*(link.copy() for link in tree.arrays.links))
        self.first_child, self.n_branches = self.links
        self.asks = np.arange(tree.node_count)
        self.parent = tree.arrays.parent.copy()

    def largest(self) -> np.ndarray:
        """Return each inner node's child with the most cases: array [N]; of equals the last."""
        inner = np.flatnonzero(self.first_child)
        child, begin = self.links.children(inner)
        weight, largest = self.counts.sum(axis=1), np.zeros_like(self.asks)
        if len(inner):
            most = np.repeat(np.maximum.reduceat(weight[child], begin), self.n_branches[inner])
            place = np.where(weight[child] >= most * (1 - TIE), np.arange(len(child)), -1)
            largest[inner] = child[np.maximum.reduceat(place, begin)]
        return largest

    def leaves_below(self, node: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all leaves below some nodes, and for each the place of the node it is below."""
        leaves, places, place = [], [], np.arange(len(node))
        while node.size:
            is_leaf = self.first_child[node] == 0
            leaves.append(node[is_leaf])
            places.append(place[is_leaf])
            node, place = node[~is_leaf], place[~is_leaf]
            place = np.repeat(place, self.n_branches[node])
            node, _ = self.links.children(node)
        return np.concatenate(leaves), np.concatenate(places)

    def apply(self, step: Step) -> None:
        """Do what a step has decided."""
        self.make_leaf(step.node[step.choice == LEAF])
        raised = step.choice == BRANCH
        if raised.any():
            self.raise_subtree(step.node[raised], step.largest[raised])
        for recount in step.recounts:
            self.recount(recount)

    def make_leaf(self, node: np.ndarray) -> None:
        """Make leaves of some nodes."""
        self.first_child[node] = self.n_branches[node] = 0

    def raise_subtree(self, node: np.ndarray, child: np.ndarray) -> None:
        """Put children into the places of their parents; the counts of the parents stay."""
        for array in (self.label, self.asks, self.first_child, self.n_branches):
            array[node] = array[child]
        below, _ = self.links.children(node)
        self.parent[below] = np.repeat(node, self.n_branches[node])

    def recount(self, recount: Recount) -> None:
        """Give nodes other cases."""
        self.counts[recount.node], self.label[recount.node] = recount.counts, recount.label
        self.risk = None  # what the cases cost is their errors now

    def drop_impossible(self) -> None:
        """Drop the branch for all other values where the tests above leave no other value."""
        if not self.split.groups:
            return
        possible: dict[int, dict[int, tuple[int, ...]]] = {0: {}}
        for node in self.links.levels():
            for i in node.tolist():
                split, left = self.split[self.asks[i]], possible.pop(i)
                column = self.split.column.item(self.asks[i])
                groups: list[tuple[int, ...]] = [()] * self.n_branches[i]
                if isinstance(split, Subset):
                    *groups, others = split.groups
                    here = left.get(column, others)
                    others = tuple(code for code in others if code in here)
                    groups += [others] * bool(others)
                    self.split[self.asks[i]] = Subset(column, tuple(groups))
                    self.n_branches[i] = len(groups)
                for child, group in enumerate(groups, self.first_child[i]):
                    possible[child] = {**left, column: group} if group else left

    def tree(self) -> Tree:
        """Return the tree that is left, its nodes in a new order."""
        full = self.full.arrays
        levels = [np.zeros(1, dtype=np.intp)]
        for node in self.links.levels():
            levels.append(self.links.children(node)[0])
        node = np.concatenate(levels)
        asks, n_branches = self.asks[node], self.n_branches[node]

        pairs = zip(asks.tolist(), n_branches.tolist(), strict=True)
        arrays = TreeArrays(
            self.counts[node],
            self.label[node],
            self.split.take(np.where(n_branches, asks, -1)),
            np.where(n_branches, 1 + np.cumsum(n_branches) - n_branches, 0),
            None if self.risk is None else self.risk[node],
            [full.surrogates[i] if n else () for i, n in pairs],
            np.where(n_branches, full.default[asks], -1),
            None if full.improvement is None else np.where(n_branches, full.improvement[asks], 0),
        )
        return replace(self.full, arrays=arrays)


def costs_no_more(leaf: np.ndarray, subtree: np.ndarray, slack: float = 0.0) -> np.ndarray:
    """Return where a leaf costs no more than a subtree and some slack, but for rounding."""
    return leaf <= subtree + slack + TIE * np.abs(leaf)


def subtree_costs(
    tree: Tree, leaf: np.ndarray, ends: np.ndarray | None = None, slack: float = 0.0
) -> np.ndarray:
    """Return what each subtree costs once the subtrees below it have been pruned: array [N].

    Parameters
    ----------
    leaf : array [N], what each node costs as a leaf.
    ends : array [N], what the cases cost that end at an inner node, because the value that it asks
        for is unknown; None if no case does.
    slack : as in `costs_no_more`.
    """
    links, subtree, least = tree.arrays.links, leaf.copy(), leaf.copy()
    for node in reversed(links.levels()):
        subtree[node] = links.children_sum(least, node)
        if ends is not None:
            subtree[node] += ends[node]
        keeps = ~costs_no_more(leaf[node], subtree[node], slack)
        least[node[keeps]] = subtree[node[keeps]]
    return subtree


def check_is_classification(tree: Tree) -> None:
    """Raise ValueError if a tree predicts numbers."""
    if tree.is_regression:
        raise ValueError(
            "this way of pruning counts errors, and a regression tree makes none: prune it by "
            "cost_complexity.prune_at, or with a validation set by reduced_error.reduced_error"
        )

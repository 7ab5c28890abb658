"""The data of a tree: its nodes as arrays, in which predicting is fast, and what they are about.

What prints, stores or follows a tree takes these data; `dtreebook.tree.tree.Tree` puts all of that
under one name.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from itertools import chain

import numpy as np

from dtreebook.data.cases import Attribute, Columns
from dtreebook.measures import shares
from dtreebook.tree.routing import Links, Router, Routes
from dtreebook.tree.splits import Splits, Surrogate

# So many cases go down the tree at a time: their values stay in the processor's cache.
_TOGETHER = 2**13


@dataclass(frozen=True, eq=False)
class TreeArrays:
    """A tree as arrays, level by level, the root first; the children of a node stand together."""

    counts: np.ndarray  #: array [N, K]
    label: np.ndarray  #: array [N] of class codes; in a regression tree, of numbers
    split: Splits  #: [N] of splits, None for a leaf
    first_child: np.ndarray  #: array [N], where the children of a node begin; 0 for a leaf
    #: array [N], what each node costs as a leaf; None for the weight of its errors.
    risk: np.ndarray | None
    surrogates: list[tuple[Surrogate, ...]]  #: list [N], as in `dtreebook.tree.node.Node`
    default: np.ndarray  #: array [N], as in `dtreebook.tree.node.Node`
    #: array [N], by how much the test of each node lowers its impurity, times weight; None where it
    #: is not known.
    improvement: np.ndarray | None = None

    def __getstate__(self) -> dict:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @cached_property
    def links(self) -> Links:
        """Where the children of every node stand."""
        return Links.of(self.first_child)

    def children(self, number: int) -> range:
        """Return the numbers of the children of a node."""
        first = int(self.first_child[number])
        return range(first, first + int(self.links.n_branches[number]))

    def children_shares(self, number: int) -> np.ndarray:
        """Return the share of the weight of each child of a node, equal ones of none."""
        weight = self.counts[self.children(number)].sum(axis=1)
        return weight / weight.sum() if weight.any() else np.full(len(weight), 1 / len(weight))

    @cached_property
    def weight_to_share(self) -> np.ndarray:
        """The weight by which unknown values are shared out: array [N], 1 if no sibling has any."""
        weight = self.counts.sum(axis=1)
        inner = np.flatnonzero(self.first_child)
        empty = inner[self.links.children_sum(weight, inner) == 0]
        if len(empty):
            weight[self.links.children(empty)[0]] = 1
        return weight

    @cached_property
    def parent(self) -> np.ndarray:
        """The number of the parent of each node: array [N], -1 for the root."""
        inner = np.flatnonzero(self.first_child)
        return np.repeat(np.append(-1, inner), np.append(1, self.links.n_branches[inner]))

    def path(self, number: int) -> tuple[int, ...]:
        """Return the path of a node: the branches that lead to it from the root."""
        return path_to(number, self.parent, self.first_child)

    @property
    def has_answer(self) -> np.ndarray:
        """Whether a case that ends at each node found a branch with training cases: array [N]."""
        return (self.first_child == 0) & self.counts.any(axis=1)

    @cached_property
    def distribution(self) -> np.ndarray:
        """The class shares of each node, [N, K]; an empty branch has its parent's."""
        distribution, empty = shares(self.counts), np.flatnonzero(~self.counts.any(axis=1))
        for number in empty.tolist():  # level by level: the node above may be empty, too
            distribution[number] = distribution[self.parent[number]]
        return distribution

    @cached_property
    def leaf_shares(self) -> np.ndarray:
        """The class shares of each node, [N, K]; an empty leaf has all of its label."""
        said, empty = shares(self.counts), np.flatnonzero(~self.counts.any(axis=1))
        said[empty, self.label[empty]] = 1
        return said

    @cached_property
    def router(self) -> Router:
        """The tests, made ready for any number of cases."""
        return Router(self.split, self.surrogates, self.default)

    def route(self, columns: Columns) -> np.ndarray:
        """Return where each case ends: see `dtreebook.tree.tree.Tree.apply`."""
        n_cases = len(columns[0])
        if n_cases <= _TOGETHER:
            return Routes(self.router, columns).ends(self._following)
        ends = np.empty(n_cases, dtype=np.intp)
        for start in range(0, n_cases, _TOGETHER):
            here = slice(start, start + _TOGETHER)
            some: Columns
            if isinstance(columns, np.ndarray):
                # A row beside the next, whatever the order of the columns was.
                some = np.ascontiguousarray(columns[:, here].T).T
            else:
                some = [column[here] for column in columns]
            ends[here] = Routes(self.router, some).ends(self._following)
        return ends

    @cached_property
    def _following(self):
        """The first child of each node; of a leaf, itself."""
        return np.where(self.first_child > 0, self.first_child, np.arange(len(self.split)))


@dataclass(frozen=True, eq=False)
class TreeData:
    """Hold the nodes of a tree and what is needed to use them without the training data."""

    arrays: TreeArrays  #: the nodes, `dtreebook.tree.arrays.TreeArrays`
    attributes: tuple[Attribute, ...]  #: the columns that a case must have, in order
    #: array [K], the classes in the order of the counts; None in a regression tree, whose counts
    #: are the weights [N, 1] and whose labels are numbers.
    classes: np.ndarray | None
    fractional: bool = False  #: whether a case of unknown value goes down every branch, in parts

    @property
    def is_regression(self) -> bool:
        """Whether the tree predicts numbers."""
        return self.classes is None

    @property
    def node_count(self) -> int:
        """The number of nodes, leaves included."""
        return len(self.arrays.split)

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        return self.node_count - int(np.count_nonzero(self.arrays.first_child))

    @cached_property
    def depth(self) -> int:
        """The number of tests on the longest path; 0 for a single leaf."""
        return len(self.arrays.links.levels())

    @cached_property
    def risk(self) -> np.ndarray:
        """What each node costs as a leaf: array [N], level by level.

        The weight of its training errors; with a loss matrix, their loss; in a regression tree, its
        loss by the criterion, such as the squared error.
        """
        if self.arrays.risk is not None:
            return self.arrays.risk
        counts, label = self.arrays.counts, self.arrays.label
        return counts.sum(axis=1) - np.take_along_axis(counts, label[:, None], axis=1)[:, 0]


def path_to(number: int, parent: np.ndarray, first_child: np.ndarray) -> tuple[int, ...]:
    """Return the branches that lead to a node, given the parents and first children of all."""
    path = []
    while number:
        above = int(parent[number])
        path.append(int(number - first_child[above]))
        number = above
    return tuple(path[::-1])


def graft(top: TreeArrays, below: dict[int, TreeArrays], root: int = 0) -> TreeArrays:
    """Return a tree, from a root on, with others in the place of nodes, none below another."""
    trees, roots = [top, *below.values()], {node: k for k, node in enumerate(below, 1)}

    def stands(k, i):
        return (roots[i], 0) if k == 0 and i in roots else (k, i)

    nodes, first_child = [stands(0, root)], []
    for k, i in nodes:  # the list grows while we walk it
        below_it = trees[k].children(i)
        first_child.append(len(nodes) if below_it else 0)
        nodes += [stands(k, child) for child in below_it]
    ends = np.cumsum([0, *(len(tree.label) for tree in trees)])
    tree, number = np.array(nodes).T
    place = ends[tree] + number
    parts = {f.name: _side_by_side(trees, f.name, place) for f in fields(top)}
    return TreeArrays(**parts | {"first_child": np.array(first_child)})


def _side_by_side(trees, name, place):
    """Return an array or a list of several trees as one, in the order of some places."""
    parts = [getattr(tree, name) for tree in trees]
    if any(part is None for part in parts):
        return None
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)[place]
    every = list(chain(*parts))
    items = [every[i] for i in place.tolist()]
    return Splits.of(items) if isinstance(parts[0], Splits) else items

"""Error-based pruning, as C4.5 does it: what errors to expect, and what may take a subtree's place.

C4.5 looks at every node from the bottom up and compares the errors it expects of three things on
new cases: the subtree, a leaf, and the largest branch of the subtree if it took all the cases.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dtreebook.data.cases import Cases
from dtreebook.data.encoding import read_again
from dtreebook.measures import NEXT_TO_NOTHING, TIE
from dtreebook.prune.error_limits import extra_errors
from dtreebook.prune.pruning import (
    BRANCH,
    KEEP,
    LEAF,
    Pruning,
    PruningState,
    Recount,
    Step,
    check_is_classification,
    subtree_costs,
)
from dtreebook.tree.arrays import Links
from dtreebook.tree.routing import FractionalCases, Routes, distribute
from dtreebook.tree.tree import Fitted, Tree, tree_of

# How many errors more than the subtree a simpler tree may be expected to make.
_SLACK = 0.1


def predicted_errors(tree: Tree, confidence: float = 0.25) -> np.ndarray:
    """Return the errors to expect of every node, [N], on as many new cases as it was grown on.

    A leaf has its own errors and the `extra_errors`; a subtree the sum of its branches.

    Source: Quinlan (1993), section 4.2.

    Examples
    --------
    The tree for golf makes no error on its fourteen cases, yet 5.39 are expected in as many more:

    >>> from dtreebook import C45Classifier, datasets
    >>> tree = C45Classifier().fit(*datasets.load_golf(return_X_y=True)).tree_
    >>> round(float(predicted_errors(tree)[0]), 2)
    5.39
    """
    check_is_classification(tree)
    links, errors = tree.arrays.links, _leaf_errors(tree.arrays.counts, confidence)
    for node in reversed(links.levels()):
        errors[node] = links.children_sum(errors, node)
    return errors


def collapse(tree: Tree | Fitted) -> Pruning:
    """Replace by leaves the subtrees that make no fewer training errors than a leaf would.

    Fewer means by more than 0.001. Subtrees are taken from the bottom up; C4.5 does this while it
    grows.

    Examples
    --------
    A test that divides the cases, but says the same class of both parts:

    >>> from dtreebook.data.cases import Attribute
    >>> from dtreebook.tree.splits import Multiway
    >>> from dtreebook.tree.tree import Node, Tree
    >>> leaves = Node(np.array([2.0, 1.0]), label=0), Node(np.array([4.0, 0.0]), label=0)
    >>> root = Node(np.array([6.0, 1.0]), label=0, split=Multiway(0), children=leaves)
    >>> windy = Attribute("windy", "nominal", ("yes", "no"))
    >>> print(collapse(Tree.from_root(root, (windy,), np.array(["Play", "Don't Play"]))).tree)
    Play (7.0/1.0)
    """
    tree = tree_of(tree)
    check_is_classification(tree)
    wrong = tree.arrays.counts.sum(axis=1) - tree.arrays.counts.max(axis=1)
    below = subtree_costs(tree, wrong, slack=NEXT_TO_NOTHING)
    return Pruning.by_cost(tree, wrong, below, slack=NEXT_TO_NOTHING)


def error_based(
    tree: Tree | Fitted,
    X: ArrayLike,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    confidence: float = 0.25,
    subtree_raising: bool = True,
) -> Pruning:
    """Prune a tree as C4.5 does, by the errors to expect.

    From the bottom up, a subtree becomes a leaf if no more errors are to be expected of the leaf
    than of the subtree, and of its largest branch; else it is replaced by that branch (*raised*),
    if no more errors are to be expected of that than of the subtree; 0.1 errors do not count. A
    raised branch takes the cases of all branches, and is pruned again with them.

    Source: Quinlan (1993), section 4.2.

    Parameters
    ----------
    X, y, sample_weight : the cases that it was grown on, as for ``fit``.
    confidence : of the `dtreebook.prune.error_limits.extra_errors`, above 0 and at most 1; less
        prunes more.
    subtree_raising : whether the largest branch is a choice at all.

    Examples
    --------
    At a confidence of 25% the tree for golf stays as it is; at 5%, which trusts leaves of two or
    three cases less, nothing is left of it:

    >>> from dtreebook import C45Classifier, datasets
    >>> golf = datasets.load_golf(return_X_y=True)
    >>> tree = C45Classifier(confidence=None).fit(*golf).tree_
    >>> for made in error_based(tree, *golf).comparisons:
    ...     print(made.path, f"{made.leaf:.2f} {made.subtree:.2f} {made.branch:.2f}", made.choice)
    (0,) 3.24 2.11 3.24 keep it
    (2,) 3.24 2.11 3.24 keep it
    () 6.79 5.39 7.74 keep it
    >>> print(error_based(tree, *golf, confidence=0.05).tree)
    Play (14.0/5.0)
    """
    tree = tree_of(tree)
    cases = read_again(X, y, sample_weight, tree.attributes, tree.classes)
    return prune_by_errors(tree, cases, confidence, subtree_raising)


def prune_by_errors(
    tree: Tree,
    cases: Cases,
    confidence: float = 0.25,
    subtree_raising: bool = True,
    send: Callable[[Tree], Any] | None = None,
) -> Pruning:
    """Prune as `error_based` does, with the training cases as the engine has read them.

    Where these only stand for the rows of a table in a database, `send` is a function of the tree
    that returns all of them at its root, as `SentCases` does.
    """
    check_is_classification(tree)
    sent = SentCases.of(tree, cases) if send is None else send(tree)
    pruner = _Pruner(tree, sent, confidence, subtree_raising)
    pruner.run()
    pruner.state.drop_impossible()
    return Pruning(tree, pruner.state.tree(), pruner.steps)


@dataclass(eq=False)
class SentCases:
    """Cases on their way down a tree of N nodes that is pruned, whole or in parts.

    Each method returns others and leaves these alone. `dtreebook.database.fitting.SentRows` has the
    same methods for the rows of a database.
    """

    parts: FractionalCases
    target: np.ndarray  #: array [n] of class codes
    routes: Routes  #: the tests of the tree, and the values of the cases
    shape: tuple[int, int]  #: N and K

    @classmethod
    def of(cls, tree: Tree, cases: Cases) -> "SentCases":
        """Return all training cases at the root; a ValueError if the tree grew on others."""
        known = cases.target >= 0  # of the classes of the tree
        counts = np.bincount(cases.target[known], cases.weights[known], tree.arrays.counts.shape[1])
        if not known.all() or not np.allclose(counts, tree.arrays.counts[0]):
            raise ValueError(
                "the tree was grown on other cases: it holds "
                f"{tree.arrays.counts[0]} of each class, these are {counts}"
            )
        n, routes = len(cases), Routes(tree.arrays.router, cases.columns)
        parts = FractionalCases(np.arange(n), np.zeros(n, dtype=np.intp), cases.weights)
        return cls(parts, cases.target, routes, tree.arrays.counts.shape)

    def __len__(self) -> int:
        return len(self.parts.case)

    @cached_property
    def node(self) -> np.ndarray:
        """The nodes where there are cases: array [m], in order."""
        seen = np.zeros(self.shape[0], dtype=bool)
        seen[self.parts.node] = True
        return np.flatnonzero(seen)

    @property
    def weight(self) -> np.ndarray:
        """The weight of each class in these nodes: array [m, K]."""
        return self.together([])[self.node]

    def together(self, others: list["SentCases"]) -> np.ndarray:
        """Return the weight of each class in all nodes, of these cases and others: array [N, K]."""
        n_nodes, n_classes = self.shape
        every = zip(*(sent.parts for sent in [self, *others]), strict=True)
        case, node, weight = map(np.concatenate, every)
        cell = node * n_classes + self.target.take(case)
        return np.bincount(cell, weight, n_nodes * n_classes).reshape(self.shape)

    def at(self, chosen: np.ndarray) -> "SentCases":
        """Return the cases at chosen nodes: mask [N]."""
        return self._with(self.parts.at(chosen.take(self.parts.node)))

    def moved(self, to: np.ndarray) -> "SentCases":
        """Return the cases of each node at another one: array [N]."""
        return self._with(self.parts._replace(node=to.take(self.parts.node)))

    def down(self, asks: np.ndarray, links: Links) -> "SentCases":
        """Return the cases in the children of their nodes.

        Given are, in an array [N], the node of the tree whose test each node asks, and the links.
        """
        branch = self.routes.branch(asks.take(self.parts.node), self.parts.case)
        return self._with(distribute(self.parts, branch, links))

    def _with(self, parts):
        return SentCases(parts, self.target, self.routes, self.shape)


class _Pruner:
    """Error-based pruning at work.

    Attributes
    ----------
    steps : what has been decided so far.
    as_leaf : array [N], the errors to expect of each node if it were a leaf.
    errors : array [N], those of each leaf, and of each subtree once it is pruned.
    largest : array [N], the child with the most cases of each inner node.
    """

    def __init__(self, tree, whole, confidence, subtree_raising):
        self.state, self.confidence, self.raising = PruningState(tree), confidence, subtree_raising
        self.steps, self.whole = [], whole
        self.as_leaf = _leaf_errors(self.state.counts, confidence)
        self.errors = self.as_leaf.copy()
        self.largest = self.state.largest()

    def run(self):
        """Compare and decide at every node, from the bottom up."""
        state = self.state
        undecided = state.first_child > 0
        # A largest branch that is a leaf does as well as the leaf itself: no case need be moved.
        for node in reversed(state.links.levels()):
            child, begin = state.links.children(node)
            ready = ~np.logical_or.reduceat(undecided[child], begin)
            if self.raising:
                ready &= state.first_child[self.largest[node]] == 0
            undecided[node[ready]] = False
            self.decide(node[ready], None)
        levels = [sent.at(undecided) for sent in self.descend(self.whole, undecided)]
        while levels:
            sent = levels.pop()
            raised = self.decide(sent.node, sent)
            levels += self.send_again(sent.at(raised))

    def decide(self, node, sent):
        """Compare and choose at nodes of one level; return which nodes are raised: mask [N].

        Without cases, no largest branch is more than a leaf.
        """
        state, is_raised = self.state, np.zeros(len(self.errors), dtype=bool)
        if not node.size:
            return is_raised
        largest, leaf = self.largest[node], self.as_leaf[node]
        subtree = state.links.children_sum(self.errors, node)
        branch = leaf.copy() if self.raising else np.full(len(node), np.inf)
        divided = state.first_child[largest] > 0
        if sent is not None and divided.any():
            branch[divided] = self.branch_errors(node[divided], largest[divided], sent)
        to_leaf = (leaf <= branch + _SLACK) & (leaf <= subtree + _SLACK)
        choice = np.where(to_leaf, LEAF, np.where(branch <= subtree + _SLACK, BRANCH, KEEP))

        self.errors[node] = np.where(to_leaf, leaf, subtree)
        self.steps.append(Step(node, leaf, subtree, branch, choice, largest))
        state.apply(self.steps[-1])
        is_raised[node[choice == BRANCH]] = True
        return is_raised

    def branch_errors(self, node, branch, sent):
        """Return the errors to expect if all cases of each node went down one of its branches."""
        state, to = self.state, np.full(len(self.errors), -1)
        to[node] = branch
        asks = state.first_child > 0
        levels = self.descend(sent.at(to >= 0).moved(to), asks)
        first, *others = [level.at(~asks) for level in levels]
        counts = first.together(others)
        leaf, owner = state.leaves_below(branch)
        return np.bincount(owner, _leaf_errors(counts[leaf], self.confidence))

    def send_again(self, sent):
        """Send all cases of raised nodes down their subtrees; return the cases of every level."""
        asks, levels = self.state.first_child > 0, []
        for level in self.descend(sent, asks):
            self.recount(level.node, level.weight)
            levels.append(level.at(asks))
        if levels:
            self.largest = self.state.largest()
        return levels

    def descend(self, sent, goes_on):
        """Yield cases at each level of the tree as it is, as far as a mask of nodes says."""
        while len(sent):
            yield sent
            sent = sent.at(goes_on).down(self.state.asks, self.state.links)

    def recount(self, node, counts):
        """Give nodes their cases; where another class is no more common, they keep their own."""
        best, own = counts.argmax(axis=1), self.state.label[node]
        row = np.arange(len(node))
        better = counts[row, best] > counts[row, own] * (1 + TIE)
        recount = Recount(node, counts, np.where(better, best, own))
        self.steps[-1].recounts.append(recount)
        self.state.recount(recount)
        self.as_leaf[node] = self.errors[node] = _leaf_errors(counts, self.confidence)


def _leaf_errors(counts, confidence):
    weight = counts.sum(axis=1)
    wrong = weight - counts.max(axis=1)
    return wrong + extra_errors(wrong, weight, confidence)

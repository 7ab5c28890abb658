"""Optimal trees: the fewest training errors that any tree of a given depth makes on numbers.

A greedy tree takes the best next question. Here every question is tried with the best trees below
it. One law saves most of the work: the fewest errors on a set of cases cannot rise when cases
leave it. So as a cut moves up, the errors below it never fall and the errors above it never rise,
and both ends of a range of cuts bound all that lies between.
"""

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from dtreebook.data.cases import Attribute
from dtreebook.tree.splits import Threshold, middle
from dtreebook.tree.tree import Node, Tree

__all__ = ["optimal_tree"]


def optimal_tree(X: ArrayLike, y: ArrayLike, depth: int) -> Tree:
    """Return a tree of at most this depth that makes the fewest training errors.

    Parameters
    ----------
    X : DataFrame or array [n, d] of numbers, none of them unknown.
    y : the class of each case.
    depth : of the tree, 0 or more. With a few hundred cases, 2 is quick, and 3 takes patience.

    Raises
    ------
    ValueError
        If X holds no table of known numbers, y has not as many classes as X has rows, or the
        depth is negative.

    References
    ----------
    Mazumder, Meng and Wang (2022), "Quant-BnB", section 3, and Briţa, van der Linden and
    Demirović (2025), "Optimal classification trees for continuous feature data", section 4, bound
    ranges of cuts in this way.

    Examples
    --------
    >>> lamp = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> int(optimal_tree(lamp, ["off", "on", "on", "off"], depth=2).n_leaves)
    4
    """
    names = [str(name) for name in getattr(X, "columns", [f"x{j}" for j in range(np.shape(X)[1])])]
    values = np.asarray(X, dtype=float)
    classes, labels = np.unique(np.asarray(y), return_inverse=True)
    if values.ndim != 2 or np.isnan(values).any():
        raise ValueError("optimal_tree needs a table of numbers without unknown ones: fill them in")
    if len(labels) != len(values):
        raise ValueError(f"X has {len(values)} rows, but y has {len(labels)} classes")
    if depth < 0:
        raise ValueError(f"depth must not be negative, but it is {depth}")
    search = Search(values, np.eye(len(classes), dtype=int)[labels])
    _, root = search.best(np.ones(len(values), dtype=bool), depth, len(values) + 1)
    assert root is not None, "a leaf has fewer errors than the bound"
    attributes = tuple(Attribute(name, "numeric") for name in names)
    return Tree.from_root(root, attributes, classes)


class Search:
    """Hold the cases, and what has been found out about sets of them."""

    def __init__(self, values: np.ndarray, ones: np.ndarray):
        self.values, self.ones = values, ones
        self.known: dict = {}  # (set, depth): (errors, tree), or (bound, None): at least so many

    @cached_property
    def order(self) -> np.ndarray:
        """The cases in the order of each column [d, n]."""
        return np.argsort(self.values, axis=0, kind="stable").T

    def best(self, chosen: np.ndarray, depth: int, bound: int) -> tuple[int, Node | None]:
        """Return the fewest errors on chosen cases and a tree; no tree if they reach the bound."""
        counts = self.ones[chosen].sum(axis=0)
        errors = int(counts.sum() - counts.max())
        leaf = Node(counts.astype(float), label=int(counts.argmax()))
        if errors == 0 or depth == 0 or bound <= 0:
            return (errors, leaf) if errors < bound else (max(bound, 0), None)
        key = chosen.tobytes(), depth
        found, tree = self.known.get(key, (0, None))
        if tree is None and found < bound:
            found, tree = self.divided(chosen, depth, min(bound, errors))
            if tree is None and errors < bound:
                found, tree = errors, leaf  # no question saves an error
            self.known[key] = found, tree
        return (found, tree) if found < bound else (bound, None)

    def divided(self, chosen: np.ndarray, depth: int, bound: int) -> tuple[int, Node | None]:
        """Return the fewest errors below any question, and the tree; no tree if not below bound."""
        order = self.order[chosen[self.order]].reshape(len(self.order), -1)
        values = np.take_along_axis(self.values.T, order, axis=1)
        left = self.ones[order].cumsum(axis=1)[:, :-1]
        right = left[:1, -1:] + self.ones[order[:1, -1:]] - left
        once = order.shape[1] - left.max(axis=2) - right.max(axis=2)  # the errors of two leaves
        gaps = values[:, 1:] > values[:, :-1]
        once[~gaps] = order.shape[1]
        best: tuple[int, Node | None] = bound, None
        columns = np.argsort(once.min(axis=1), kind="stable")
        for column in columns[:1] if depth == 1 else columns:
            cuts = np.flatnonzero(gaps[column])
            if depth == 1:
                cuts = once[column].argmin(keepdims=True) if once.min() < bound else cuts[:0]
            best = self.along(chosen, order[column], column, cuts, depth, best)
        return best

    def along(
        self,
        chosen: np.ndarray,
        order: np.ndarray,
        column: int,
        cuts: np.ndarray,
        depth: int,
        best: tuple[int, Node | None],
    ) -> tuple[int, Node | None]:
        """Return the best tree when the cuts of a column have been tried, or bounded away."""
        ranges = [(0, len(cuts), 0, 0)]  # first, end, fewest errors below the first, above the last
        while ranges:
            first, end, below, above = ranges.pop()
            if first >= end or below + above >= best[0]:
                continue
            at = (first + end) // 2
            low = np.zeros(len(chosen), dtype=bool)
            low[order[: cuts[at] + 1]] = True
            here, left = self.best(low, depth - 1, best[0] - above)
            if left is None:
                ranges.append((first, at, below, above))
                continue
            there, right = self.best(chosen & ~low, depth - 1, best[0] - below)
            if right is None:
                ranges.append((at + 1, end, here, above))
                continue
            if here + there < best[0]:
                under, over = self.values[order[cuts[at] : cuts[at] + 2], column]
                split = Threshold(int(column), float(middle(under, over)))
                counts = left.counts + right.counts
                node = Node(counts, int(counts.argmax()), split=split, children=(left, right))
                best = here + there, node
            ranges += [(first, at, below, there), (at + 1, end, here, above)]
        return best

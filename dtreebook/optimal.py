"""Optimal trees: the fewest training errors, at a price per leaf, of any tree of a given depth.

A greedy tree takes the best next question. Here every question is tried with the best trees below
it. Call the *cost* of a tree its training errors and the price of its leaves. Three laws save most
of the work, as a cut moves up a column:

- the least cost below the cut never falls, and that above it never rises, so that both ends of a
  range of cuts bound all that lies between;
- a case that changes sides changes the cost by at most one error, so that a poor cut speaks for
  its neighbours;
- the ranges with the lowest bounds are looked at first, so that the search can stop at any time
  and say how much better a tree could be at most.
"""

import math
import time
from dataclasses import replace
from heapq import heapify, heappop, heappush
from numbers import Integral
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_scalar

from dtreebook.cart import CARTClassifier
from dtreebook.data.cases import Attribute
from dtreebook.data.reading import as_frame, as_pandas, read_labels
from dtreebook.parameters import not_negative
from dtreebook.tree.splits import Threshold, middle
from dtreebook.tree.tree import Node, Tree

# A cut is looked at until it is this share of the cases (1 / SLACK) too expensive: then its
# neighbours are, too.
SLACK = 64


class Optimal(NamedTuple):
    """The best tree found, and what is known of all others."""

    tree: Tree  #: the best tree found
    cost: float  #: its training errors (cases) and `leaf_price` for each leaf
    bound: float  #: no tree of this depth costs less
    proved: bool  #: whether the tree is one of the best: its cost is the bound


def optimal_tree(
    X: ArrayLike,
    y: ArrayLike,
    max_depth: int,
    leaf_price: float = 0.0,
    seconds: float | None = None,
) -> Optimal:
    """Return a tree of at most this depth with the fewest training errors.

    Raises ValueError if X holds no table of known numbers, y has not as many classes as X has rows,
    or the depth or the price is negative.

    Source: Mazumder, Meng and Wang (2022), "Quant-BnB", section 3, and Briţa, van der Linden and
    Demirović (2025), "Optimal classification trees for continuous feature data", section 4, bound
    ranges of cuts in this way.

    Parameters
    ----------
    X : DataFrame or array [n, d] of numbers, none of them unknown.
    y : the class of each case.
    max_depth : 0 or more. With a few hundred cases, 2 is quick, and 3 takes seconds.
    leaf_price : the number of training errors that a leaf must save to be worth it.
    seconds : when to stop with the best tree found so far; None to go on to the end. The search
        begins with the tree of `CARTClassifier`, so what it returns never costs more.

    Examples
    --------
    >>> lamp = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> found = optimal_tree(lamp, ["off", "on", "on", "off"], max_depth=2)
    >>> int(found.tree.n_leaves), found.cost, found.proved
    (4, 0.0, True)
    """
    frame = as_frame(X)
    try:
        values = frame.to_numpy(dtype=float, na_value=np.nan)
    except ValueError as error:
        raise ValueError(
            f"optimal_tree needs numbers, but {error}: give words a column of 0 and 1 for each "
            "value, as pandas.get_dummies does"
        ) from error
    classes, labels = np.unique(np.asarray(read_labels(as_pandas(y))), return_inverse=True)
    if np.isnan(values).any():
        raise ValueError("optimal_tree needs a table of numbers without unknown ones: fill them in")
    if len(labels) != len(values):
        raise ValueError(f"X has {len(values)} rows, but y has {len(labels)} classes")
    check_scalar(max_depth, "max_depth", Integral, min_val=0)
    not_negative("leaf_price", leaf_price)
    limit = math.inf if seconds is None else seconds
    ones = np.eye(len(classes), dtype=np.int32)[:, labels]
    search = Search(values, ones, leaf_price, time.monotonic() + limit)
    everything = np.ones(len(values), dtype=bool)
    cost, root = search.leaf(everything)
    if max_depth and cost > leaf_price:  # a leaf without errors is as good as any tree
        greedy = CARTClassifier(max_depth=max_depth).fit(values, labels).tree_.root
        cost, root = min((cost, root), search.pruned(greedy), key=lambda found: found[0])
        better, tree = search.divided(everything, max_depth, cost, is_root=True)
        cost, root = (better, tree) if tree else (cost, root)
    bound = min(cost, search.bound)
    attributes = tuple(Attribute(name, "numeric") for name in frame.columns)
    return Optimal(Tree.from_root(root, attributes, classes), cost, bound, bound == cost)


class OutOfTime(Exception):
    """The seconds are over."""


class Sorted(NamedTuple):
    """Some cases in the order of each column."""

    order: np.ndarray  #: array [d, m], the cases
    gaps: np.ndarray  #: array [d, m - 1], whether a cut can stand between a case and the next
    values: np.ndarray  #: array [d, m], theirs

    def running(self, ones: np.ndarray) -> np.ndarray:
        """Return the counts up to each case of a part of the cases, whose other `ones` are 0."""
        return ones.take(self.order, axis=1).cumsum(axis=2, dtype=ones.dtype)

    def right(self, counts: np.ndarray) -> np.ndarray:
        """Return how many cases two leaves get right, with a cut after each case: array [d, m - 1].

        `counts` are running, of all these cases or a part of them. A leaf gets right its largest
        class; where no cut can stand, nothing is.
        """
        rest = counts[:, :1, -1:] - counts
        return (counts.max(axis=0) + rest.max(axis=0))[:, :-1] * self.gaps

    def least(self, counts: np.ndarray, price: float) -> float:
        """Return what the best tree of one question, or none, costs."""
        whole = counts[:, 0, -1]
        n = whole.sum()
        two = n - self.right(counts).max(initial=0) + 2 * price
        return min(float(two), float(n - whole.max() + price))


class Search:
    """Hold the cases, and what has been found out about sets of them.

    `values` is [n, d], and `ones` [K, n] has a 1 for the class of each case. A set of cases is a
    mask [n]; a pair (cost, None) says that every tree costs as much.
    """

    def __init__(self, values: np.ndarray, ones: np.ndarray, price: float, until: float):
        self.values, self.ones, self.price, self.until = values, ones, price, until
        self.order = np.argsort(values, axis=0, kind="stable").T  # the cases by each column [d, n]
        self.known: dict[tuple[bytes, int], tuple[float, Node | None]] = {}
        self.bound = math.inf  # of all trees that were not looked at

    def leaf(self, chosen: np.ndarray) -> tuple[float, Node]:
        """Return the cost of a leaf for chosen cases, and the leaf."""
        counts = self.ones[:, chosen].sum(axis=1)
        cost = float(counts.sum() - counts.max()) + self.price
        return cost, Node(counts.astype(float), label=int(counts.argmax()))

    def pruned(self, node: Node) -> tuple[float, Node]:
        """Return the least cost of a tree from which branches may be cut off, and that tree."""
        cost, leaf = node.errors + self.price, Node(node.counts, node.label)
        if node.is_leaf:
            return cost, leaf
        costs, children = zip(*map(self.pruned, node.children), strict=True)
        if sum(costs) >= cost:
            return cost, leaf
        return sum(costs), replace(leaf, split=node.split, children=children)

    def best(self, chosen: np.ndarray, depth: int, below: float) -> tuple[float, Node | None]:
        """Return the least cost for chosen cases and a tree; no tree if none is below the limit."""
        cost, leaf = self.leaf(chosen)
        if depth == 0 or cost <= 2 * self.price or cost == self.price or below <= self.price:
            return (cost, leaf) if cost < below else (below, None)
        key = chosen.tobytes(), depth
        found, tree = self.known.get(key, (0.0, None))
        if tree is None and found < below:
            found, tree = self.divided(chosen, depth, min(below, cost))
            if tree is None and cost < below:
                found, tree = cost, leaf  # no question is worth its leaves
            self.known[key] = found, tree
        return (found, tree) if found < below else (below, None)

    def divided(
        self, chosen: np.ndarray, depth: int, best: float, is_root: bool = False
    ) -> tuple[float, Node | None]:
        """Return the least cost with a question and its tree; no tree if it is not below `best`.

        A range of cuts has a bound, the errors of its column's best cut, the column, first and end,
        and the least costs below the first cut and above the last.
        """
        here = self.sorted(chosen)
        hits = here.right(here.running(self.ones))
        if depth == 1:
            column, cut = divmod(int(hits.argmax()), hits.shape[1])
            least = float(hits.shape[1] + 1 - hits[column, cut] + 2 * self.price)
            return (least, self.node(here, column, cut, 1)) if least < best else (best, None)
        cuts, found, price = [np.flatnonzero(gap) for gap in here.gaps], None, self.price
        hopes = enumerate((-hits.max(axis=1)).tolist())
        ranges = [(2 * price, hope, j, 0, len(cuts[j]), price, price) for j, hope in hopes]
        heapify(ranges)
        while ranges and ranges[0][0] < best:
            bound, hope, column, first, end, under, over = heappop(ranges)
            if first >= end:
                continue
            at = (first + end) // 2
            cut = int(cuts[column][at])
            low = np.zeros(len(chosen), dtype=bool)
            low[here.order[column, : cut + 1]] = True
            try:
                left, right = self.sides(here, low, chosen & ~low, depth, best, over)
            except OutOfTime:
                if not is_root:
                    raise
                self.bound = bound
                break
            if left + right < best:
                best, found = left + right, (column, cut)
            spare = left + right - best  # so many cases further, a tree is no better
            before = min(int(np.searchsorted(cuts[column], cut - spare)), at)
            after = max(int(np.searchsorted(cuts[column], cut + spare, side="right")), at + 1)
            for range_ in ((first, before, under, right), (after, end, left, over)):
                heappush(ranges, (max(bound, range_[2] + range_[3]), hope, column, *range_))
        if found is None:
            return best, None
        return best, self.node(here, *found, depth)

    def sorted(self, chosen: np.ndarray) -> Sorted:
        """Return chosen cases in the order of each column."""
        order = self.order[chosen[self.order]].reshape(len(self.order), -1)
        values = np.take_along_axis(self.values.T, order, axis=1)
        return Sorted(order, values[:, 1:] > values[:, :-1], values)

    def sides(
        self, here: Sorted, low: np.ndarray, high: np.ndarray, depth: int, best: float, over: float
    ) -> tuple[float, float]:
        """Return the least costs on both sides of a cut, or less where that is enough."""
        if depth == 2:
            if time.monotonic() > self.until:
                raise OutOfTime
            below, above = (here.running(self.ones * some) for some in (low, high))
            return here.least(below, self.price), here.least(above, self.price)
        best += here.order.shape[1] // SLACK
        left, tree = self.best(low, depth - 1, best - over)
        return left, (self.best(high, depth - 1, best - left)[0] if tree else over)

    def node(self, here: Sorted, column: int, cut: int, depth: int) -> Node:
        """Return the best tree that begins with a cut."""
        order, children = here.order[column], []
        for some in (order[: cut + 1], order[cut + 1 :]):
            chosen = np.zeros(len(self.values), dtype=bool)
            chosen[some] = True
            _, child = self.best(chosen, depth - 1, math.inf)
            assert child is not None, "a leaf costs less than any limit"
            children.append(child)
        counts = children[0].counts + children[1].counts
        split = Threshold(int(column), float(middle(*here.values[column, cut : cut + 2])))
        return Node(counts, int(counts.argmax()), split=split, children=tuple(children))

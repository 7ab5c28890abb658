"""Growing a tree, a whole level at a time: the loop that ID3, C4.5 and CART share.

A tree grows from tables of counts, whoever counts them (Gehrke, Ramakrishnan and Ganti 2000,
RainForest). A level goes the same way in every algorithm:

1. describe the nodes: what they hold, and which may be divided;
2. search: a table for every column in every open node, and its best test with a score;
3. choose the column with the best score, of equal ones the first;
4. divide the cases, and go down a level.

What the algorithms do differently in these steps is a `Growth`, in `dtreebook.grow.binary` and
`dtreebook.grow.multiway`. What counts is `dtreebook.count.memory.MemoryCounter`, or a database.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from dtreebook.count.counter import Counter
from dtreebook.count.tables import Rows, Table
from dtreebook.data.cases import Cases
from dtreebook.data.words import Word
from dtreebook.grow.criteria import PRICINGS, Pricing
from dtreebook.grow.cuts import TieIn
from dtreebook.tree.arrays import TreeArrays
from dtreebook.tree.splits import Split, Splits, Subset, Surrogate, Threshold, middle
from dtreebook.tree.tree import Tree


class StopReason(Word):
    """Why a node was divided, or was not."""

    BEST = "best score"
    EMPTY = "no cases"
    PURE = "pure"
    TOO_FEW = "too few cases"
    DEPTH = "depth"
    NOTHING_TO_ASK = "no attribute divides the cases"
    TOO_LITTLE = "best score below the least"


# Their places in the list of reasons, for arrays.
REASONS = tuple(StopReason)
BEST, EMPTY, PURE, TOO_FEW, DEPTH, NOTHING_TO_ASK, TOO_LITTLE = range(len(REASONS))


class Nodes(NamedTuple):
    """What the M nodes of a level hold, before anything is asked."""

    counts: np.ndarray  #: array [M, K] of weights; for numbers [M, 1]
    label: np.ndarray  #: array [M] of class codes; for numbers, the means
    reason: np.ndarray  #: array [M], places in `REASONS`; BEST in a node that may be divided
    #: array [M], what each costs as a leaf; None for the weight of its errors.
    risk: np.ndarray | None = None


class Scores(NamedTuple):
    """How well every column divides each of the m open nodes."""

    score: np.ndarray  #: array [m, A]; -inf where a column cannot divide a node
    tie: np.ndarray  #: array [m], how far below the best a score still is as good
    least: float  #: the least score that divides a node


class Division(NamedTuple):
    """How the m open nodes are divided."""

    split: Splits  #: [m] of tests; None in a leaf
    n_branches: np.ndarray  #: array [m], 0 in a leaf
    #: array, list and array [m] as in `TreeArrays`, or None.
    improvement: np.ndarray | None = None
    surrogates: Sequence[tuple[Surrogate, ...]] | None = None
    default: np.ndarray | None = None


class Candidate(NamedTuple):
    """A column that could divide a node: its table [V, K], its score and what that is made of.

    The title says in words what the score is, with its unit.
    """

    split: Split
    table: np.ndarray
    score: float
    title: str
    measures: dict[str, float]


class Found:
    """The best test of every column in each of m open nodes.

    Attributes
    ----------
    gain : array [m, A], what it is worth; -inf where there is none.
    information : array [m, A], its split information in bits, where the criterion asks for it.
    left, right : arrays [m, A], the values beside the best cut of a column that is cut; NaN where
        they are not known yet.
    position : array [m, A], numbers in the order of the cuts of a column.
    tests : dict from (node, column) to the best test there, if it is known as such, or to one that
        somebody wants.
    """

    def __init__(self, m: int, n_columns: int):
        self.gain, self.information = np.full((m, n_columns), -np.inf), np.zeros((m, n_columns))
        self.left, self.right, self.position = np.full((3, m, n_columns), np.nan)
        self.tests: dict[tuple[int, int], Threshold | Subset] = {}
        # Of nominal columns: the levels of some rows with their sides, and which of these are its.
        self._sides: list[tuple[np.ndarray, np.ndarray]] = []
        self._block, self._first, self._end = np.empty((3, m, n_columns), dtype=np.intp)

    def take_better(self, table: Table, gain: np.ndarray, row: np.ndarray, tie: TieIn) -> None:
        """Take over the best cuts inside some ranges, where they are better, or as good and before.

        Many ranges may belong to one column in one node. Of each group, [g], the best cut has a
        gain and comes after a row.
        """
        left, right, position = table.beside(row)
        node, column = table.node[0], table.column[0]
        at, group = np.unique(node * self.gain.shape[1] + column, return_inverse=True)
        node, column = np.divmod(at, self.gain.shape[1])
        # What is known already is one more candidate of each column.
        group = np.append(group, np.arange(len(at)))
        gain, position, left, right = (
            np.append(new, known[node, column])
            for new, known in (
                (gain, self.gain),
                (position, self.position),
                (left, self.left),
                (right, self.right),
            )
        )
        order = np.lexsort([position, group])
        first = np.searchsorted(group[order], np.arange(len(at)))
        best = np.maximum.reduceat(gain[order], first)
        hit = np.flatnonzero(gain[order] >= (best - tie(best, node))[group[order]])
        chosen = order[hit[np.searchsorted(hit, first)]]
        self.gain[node, column], self.position[node, column] = best, position[chosen]
        self.left[node, column], self.right[node, column] = left[chosen], right[chosen]

    def look_beside(self, counter: Counter, columns: np.ndarray) -> None:
        """Find the values beside the best cuts of a column in each node, [m], where it is coded.

        A column of -1 is none.
        """
        node = np.flatnonzero(columns >= 0)
        at = node, columns[node]
        is_coded = np.isnan(self.left[at]) & ~np.isnan(self.position[at])
        if is_coded.any():
            at = node[is_coded], columns[node[is_coded]]
            self.left[at], self.right[at] = counter.beside(*at, self.position[at])

    def set_sides(self, rows: Rows, side: np.ndarray) -> None:
        """Note the side of the level of each row: 0, 1, or -1 for none."""
        at = rows.node, rows.column
        first = rows.first
        self._block[at], self._first[at], self._end[at] = len(self._sides), first, first + rows.size
        self._sides.append((rows.value, side))

    def splits(self, nodes: np.ndarray, columns: np.ndarray, is_numeric: np.ndarray) -> Splits:
        """Return the best test with two branches of some columns in some nodes; of -1 no test."""
        left, right = self.left[nodes, columns], self.right[nodes, columns]
        cut = np.where(is_numeric[columns], middle(left, right), left)
        cut[columns < 0] = np.nan
        split = Splits(columns, cut)
        for i in np.flatnonzero(np.isnan(cut) & (columns >= 0)).tolist():
            split.groups[i] = self._groups(nodes[i], columns[i])
        if self.tests:
            for i, at in enumerate(zip(nodes.tolist(), columns.tolist(), strict=True)):
                if at in self.tests:
                    split[i] = self.tests[at]
        return split

    def _groups(self, node, column):
        """Return the levels on either side in the best test of a nominal column."""
        here = slice(self._first[node, column], self._end[node, column])
        level, side = (array[here] for array in self._sides[self._block[node, column]])
        return tuple(level[side == 0].tolist()), tuple(level[side == 1].tolist())


@dataclass(frozen=True, slots=True)
class Control(ABC):
    """How an algorithm grows its trees: its parameters, what counts, and how a tree grows."""

    criterion: str | Callable  #: what the best test has most of: a name, or a function
    max_depth: int | None = None  #: the most tests on a path; None for no limit
    #: how many columns are drawn for each node; None for all.
    max_features: int | None = None
    random_state: np.random.RandomState | int | None = None
    #: array [A], what it costs to ask about each column; None if nothing costs.
    cost: np.ndarray | None = None
    pricing: str = "idx"  #: a name in `dtreebook.grow.criteria.PRICINGS`: what is chosen by then
    #: array [A], whether a column is never asked about; None if none is forbidden.
    forbid: np.ndarray | None = None
    verbose: int = 0  #: whether levels of a tree that takes long are printed

    @property
    def binds_neighbours(self) -> bool:
        """Whether what a node may predict depends on nodes beside it: none can grow alone."""
        return False

    @abstractmethod
    def count(self, cases: Cases) -> Counter:
        """Return what counts some cases in memory, which are all at the root."""

    @abstractmethod
    def growth(self, counter: Counter, cases: Cases) -> "Growth":
        """Return the tree that is to grow, given what counts and all the training cases."""


class Inherited(NamedTuple):
    """What nodes have from those above them: a row for each. Whatever binds a path is here."""

    available: np.ndarray  #: array [M, A], whether a column may be asked about
    label: np.ndarray  #: array [M], what a node says without cases of its own
    #: array [M, 2], between what a node must predict, and all below it; None if nothing binds it.
    bounds: np.ndarray | None = None

    def take(self, nodes: np.ndarray | list[int]) -> "Inherited":
        """Return what some nodes have, or their children, if each of these has its parent here."""
        bounds = None if self.bounds is None else self.bounds[nodes]
        return Inherited(self.available[nodes], self.label[nodes], bounds)


class Growth(ABC):
    """The nodes of the level that grows now, as an algorithm divides them.

    Attributes
    ----------
    control, counter : how the tree grows, and what counts the cases.
    attributes : of the cases.
    inherited : what the nodes have from those above, for `describe` of all, then of the open ones.
    counts, weight : arrays [M, K] and [M], what they hold; then what the open ones do.
    is_used_up : array [A], whether a column that was asked about is used up on that path.
    needs_all : whether the best test of every column is needed, and not of the best column alone.
    undivided : `Division` of no node: it has what the tree keeps of its nodes.
    found : the best tests of the open nodes, once they are searched.
    """

    undivided: Division
    found: Found
    counts: np.ndarray
    weight: np.ndarray

    def __init__(self, control: Control, counter: Counter, cases: Cases):
        self.control, self.counter, self.attributes = control, counter, cases.attributes
        # A column that is drawn, or cheap, is asked about though another gains more.
        self.needs_all = control.max_features is not None or control.cost is not None
        self.is_used_up = np.zeros(len(cases.attributes), dtype=bool)
        available = np.ones((1, len(cases.attributes)), dtype=bool)
        if control.forbid is not None:
            available[:, control.forbid] = False
        self.inherited = Inherited(available, np.zeros(1, dtype=np.intp))

    @abstractmethod
    def describe(self) -> Nodes:
        """Return what each node holds."""

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with some of the nodes, and return them: see `Counter.open`."""
        nodes = self.counter.open(nodes)
        self.inherited = self.inherited.take(nodes)
        self.counts, self.weight = self.counts[nodes], self.weight[nodes]
        return nodes

    @abstractmethod
    def search(self) -> Scores:
        """Return how well each column divides each open node."""

    @abstractmethod
    def divide(self, chosen: np.ndarray, best: np.ndarray) -> Division:
        """Divide the open nodes by the columns chosen, -1 in a leaf, whose scores are the best."""

    @abstractmethod
    def candidates(self) -> Iterable[tuple[Candidate, ...]]:
        """Yield the candidates of each open node, for the record."""

    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level, given where the children of each open node begin."""
        self.counter.descend(first_child)
        self.inherited = self.inherited.take(self.counter.parent)


_PATIENCE = 2.0  # seconds until it is said how far a tree is


class Level(NamedTuple):
    """One level of a tree while it grows."""

    nodes: Nodes  #: `Nodes`, with the final reasons
    open: np.ndarray  #: array [m], the nodes that were examined
    division: Division  #: `Division` of these
    first_child: np.ndarray  #: array [m], where in the next level their children begin
    #: function that yields a tuple of `Candidate` for each of them.
    candidates: Callable[[], Iterable[tuple[Candidate, ...]]]


def grow(cases: Cases, control: Control) -> Tree:
    """Grow a tree of the training cases as a control says.

    Examples
    --------
    >>> from dtreebook.data.reading import read_training
    >>> from dtreebook.datasets import load_loan
    >>> from dtreebook.grow.multiway import MultiwayControl
    >>> print(grow(read_training(*load_loan(return_X_y=True)), MultiwayControl()))
    house = yes: yes (6.0)
    house = no:
    |   work = no: no (6.0)
    |   work = yes: yes (3.0)
    """
    growth = control.growth(control.count(cases), cases)
    return Tree(as_arrays(levels(growth)), cases.attributes, cases.classes)


def _tell(depth, n_nodes, began, verbose):
    """Log how far a tree is that takes longer than two seconds, and print it if verbose.

    A batch job sees the lines by ``logging.basicConfig(level="INFO")``.
    """
    if (seconds := time.monotonic() - began) > _PATIENCE:
        line = f"level {depth}: {n_nodes} nodes, {seconds:.0f} s"
        logging.getLogger("dtreebook").info(line)
        if verbose:
            print(line)


def levels(growth: Growth, depth: int = 0) -> Iterator[Level]:
    """Yield the levels of the tree, from the root down: the engine.

    The root of a part of a tree has its depth there.

    Source: Gehrke, Ramakrishnan and Ganti (2000), for growing a level from tables alone; Mehta,
    Agrawal and Rissanen (1996), SLIQ, for sorting once and growing by levels.
    """
    control, began = growth.control, time.monotonic()
    random = check_random_state(control.random_state)
    while growth.counter.n_nodes:
        nodes = growth.describe()
        reason = nodes.reason
        _tell(depth, len(reason), began, control.verbose)
        if depth == control.max_depth:
            reason[(reason == BEST) | (reason == NOTHING_TO_ASK)] = DEPTH
        opened = np.flatnonzero(reason == BEST)
        if not len(opened):
            yield Level(nodes, opened, growth.undivided, opened, tuple)
            return
        opened = growth.open(opened)
        scores = growth.search()
        chosen, score, best = choose(scores, control, random)
        reason[opened[best < scores.least]] = TOO_LITTLE
        reason[opened[best == -np.inf]] = NOTHING_TO_ASK
        chosen[reason[opened] != BEST] = -1
        division = growth.divide(chosen, score)
        first_child = _first_child(opened, division.n_branches, len(reason))
        yield Level(nodes, opened, division, first_child, growth.candidates)
        growth.descend(first_child)
        depth += 1


def _first_child(opened, n_branches, n_nodes):
    """Return where the children of each open node begin: children stand in their parents' order."""
    times = np.zeros(n_nodes, dtype=np.intp)
    times[opened] = n_branches
    return (np.cumsum(times) - times)[opened]


def choose(
    scores: Scores, control: Control, random: np.random.RandomState
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the column that divides each node, its score, and the best score of the node.

    It is the column with the best score, of tied ones the first; of columns that cost something,
    the one that is worth most for its price. Where columns are drawn, it is one of these.

    Examples
    --------
    >>> from dtreebook.grow.multiway import MultiwayControl
    >>> scores = Scores(np.array([[0.4, 0.7, 0.7]]), np.array([1e-12]), 0.0)
    >>> choose(scores, MultiwayControl(), np.random.RandomState(0))
    (array([1]), array([0.7]), array([0.7]))
    """
    score = scores.score
    if control.max_features is not None:
        score = drawn(score, control.max_features, random)
    best = score.max(axis=1)
    if callable(control.criterion) and np.isnan(best).any():
        raise ValueError(
            "criterion gives NaN for some test: give a number, -inf for one that must not be asked"
        )
    chosen = (score >= (best - scores.tie)[:, None]).argmax(axis=1)
    if control.cost is not None:
        chosen = cheapest(score, scores, PRICINGS[control.pricing], control.cost)
    return chosen, score[np.arange(len(chosen)), chosen], best


def cheapest(score: np.ndarray, scores: Scores, pricing: Pricing, cost: np.ndarray) -> np.ndarray:
    """Return the column that is worth most for its price in each node: of equal ones, the first.

    A score, [m, A], is -inf where a column cannot divide a node, or is not drawn. Each column has
    its price, [A]; `scores` say what is tied, and the least score that divides a node.

    Examples
    --------
    >>> from dtreebook.grow.criteria import idx
    >>> scores = Scores(np.array([[0.5, 0.25]]), np.array([1e-12]), 0.0)
    >>> cheapest(scores.score, scores, idx, np.array([10.0, 1.0]))
    array([1])
    """
    is_candidate = (score > -np.inf) & (score >= scores.least)
    score = np.where(is_candidate, score, 0)
    worth = np.where(is_candidate, pricing(score, cost), -np.inf)
    # Scores of nothing, too, are off by rounding.
    at_most = np.where(is_candidate, pricing(score + scores.tie[:, None], cost), -np.inf)
    # No candidate in a node: any column will do, for the node is not divided.
    return (at_most >= worth.max(axis=1, keepdims=True)).argmax(axis=1)


def drawn(score: np.ndarray, max_features: int, random: np.random.RandomState) -> np.ndarray:
    """Return scores of which only some columns, drawn anew for every node, are left.

    Columns are drawn until there are ``max_features`` of them and one divides the node, as in
    scikit-learn: a forest whose trees stopped at columns that say nothing would be shallow. A
    score, [m, A], is -inf where a column cannot divide a node, or is not drawn.

    Source: Breiman (2001), section 4.

    Examples
    --------
    >>> score = np.array([[0.3, 0.2, 0.1], [-np.inf, -np.inf, 0.1]])
    >>> drawn(score, 1, np.random.RandomState(0))
    array([[ 0.3, -inf, -inf],
           [-inf, -inf,  0.1]])
    """
    turn = random.random_sample(score.shape).argsort(axis=1).argsort(axis=1)
    first = np.where(score > -np.inf, turn, score.shape[1]).min(axis=1)
    last = np.maximum(first, max_features - 1)
    return np.where(turn <= last[:, None], score, -np.inf)


def as_arrays(grown: Iterable[Level]) -> TreeArrays:
    """Return `TreeArrays` of the levels of a tree."""
    grown = list(grown)
    ends = np.cumsum([len(level.nodes.label) for level in grown])
    n = int(ends[-1])
    split = Splits.none(n)
    surrogates: list[tuple[Surrogate, ...]] = [()] * n
    first_child = np.zeros(n, dtype=np.intp)
    improvement, default = np.zeros(n), np.full(n, -1)
    kept = grown[0].division
    for level, end in zip(grown, ends.tolist(), strict=True):
        opened, division = end - len(level.nodes.label) + level.open, level.division
        inner = division.n_branches > 0
        first_child[opened[inner]] = end + level.first_child[inner]
        if division.improvement is not None:
            improvement[opened] = division.improvement
        if division.default is not None:
            default[opened] = division.default
        split.put(opened, division.split)
        for i, of_node in zip(opened.tolist(), division.surrogates or (), strict=False):
            surrogates[i] = of_node
    counts, label, _, risks = map(list, zip(*(level.nodes for level in grown), strict=True))
    risk = [of_level for of_level in risks if of_level is not None]
    grown.clear()
    return TreeArrays(
        counts=_one_after_another(counts),
        label=np.concatenate(label),
        split=split,
        first_child=first_child,
        risk=np.concatenate(risk) if risk else None,
        surrogates=surrogates,
        default=default,
        improvement=None if kept.improvement is None else improvement,
    )


def _one_after_another(levels):
    """Return the rows of all levels: with many classes there is no room to hold them twice."""
    rows = np.empty((sum(map(len, levels)), levels[0].shape[1]))
    end = len(rows)
    while levels:
        level = levels.pop()
        end -= len(level)
        rows[end : end + len(level)] = level
    return rows

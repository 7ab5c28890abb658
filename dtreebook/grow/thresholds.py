"""Cuts of numbers: columns that stay sorted inside the nodes, and the best cut of every node.

A column is sorted once, at the root. When a level is divided its order is parted by branch: first
all that went to a first branch, then all that went to a second, and so on. Within each part the
order stays, so the cases of a node stand together, sorted, and one running sum scores all cuts of
all nodes of a level.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dtreebook.data.cases import unknown, weights_at
from dtreebook.grow.criteria import BinaryCriterion, BinarySplits
from dtreebook.grow.threads import in_threads
from dtreebook.tree.splits import middle

if TYPE_CHECKING:
    from dtreebook.grow.frontier import ArrayFrontier

# What weighs less than this share of a node is lost in the rounding of sums.
LOST = 1e-13

# Columns are taken together while they have so few cells: enough to forget the cost of a call.
_BLOCK = 2**16

# Of so few cells all are scored: to pick the cuts out takes more calls than it saves work.
_FEW_CELLS = 2**12


class PresortedColumns:
    """Numeric and ordered columns, kept by node, and by value inside a node.

    Several columns of which all values are known are kept together as one block: with few cases the
    number of calls counts, not the work. A column with unknown values is alone.

    Attributes
    ----------
    columns : array [b] of their positions.
    order : array [b, k] of places (a place is a case at a node).
    value : array [b, k], their values.
    is_complete : whether all values are known.
    """

    def __init__(self, columns, order, value, is_complete):
        self.columns, self.order, self.value = columns, order, value
        self.is_complete = is_complete

    @classmethod
    def blocks(cls, columns: dict[int, np.ndarray], n_cases: int) -> list["PresortedColumns"]:
        """Return the columns, given by position, in blocks."""
        alike: dict[tuple[np.dtype, bool], list[list[int]]] = {}
        width = max(1, _BLOCK // n_cases)
        for a, column in columns.items():
            is_complete = not unknown(column).any()
            blocks = alike.setdefault((column.dtype, is_complete), [[]])
            if len(blocks[-1]) == (width if is_complete else 1):
                blocks.append([])
            blocks[-1].append(a)
        some = [
            (is_complete, block) for (_, is_complete), blocks in alike.items() for block in blocks
        ]
        return in_threads(lambda block: cls._sorted(columns, *block), some, n_cases * len(columns))

    @classmethod
    def _sorted(cls, columns, is_complete, block):
        value = np.array([columns[a] for a in block])
        order = np.argsort(value).astype(np.int32)  # of equal values, any order will do
        value = np.take_along_axis(value, order, axis=1)
        if not is_complete:
            known = ~unknown(value[0])
            order, value = order[:, known], value[:, known]
        return cls(np.array(block), order, value, is_complete)

    @classmethod
    def joined(cls, blocks: list["PresortedColumns"], n_places: int) -> list["PresortedColumns"]:
        """Return the columns in fewer blocks, if some are by now so short that calls count."""
        width, joined = _BLOCK // max(1, n_places), []
        alike: dict[object, list[PresortedColumns]] = {}
        for block in blocks:
            if block.is_complete and 2 * len(block.columns) <= width:
                alike.setdefault(block.value.dtype, []).append(block)
            else:
                joined.append(block)
        for some in alike.values():
            together = max(1, width // max(len(block.columns) for block in some))
            for first in range(0, len(some), together):
                few = some[first : first + together]
                joined.append(cls._one(few) if len(few) > 1 else few[0])
        return joined

    @classmethod
    def _one(cls, blocks):
        columns, order, value = (
            np.concatenate([getattr(block, name) for block in blocks])
            for name in ("columns", "order", "value")
        )
        return cls(columns, order, value, True)

    def nodes(self, frontier: "ArrayFrontier") -> tuple[np.ndarray, np.ndarray]:
        """Return the open nodes that have places here, and how many."""
        if self.is_complete:
            return np.arange(len(frontier.size)), frontier.size
        size = np.bincount(frontier.node_at(self.order[0]))
        node = np.flatnonzero(size)
        return node, size[node]

    def lay(self, frontier: "ArrayFrontier", weight: np.ndarray | None) -> "Laid":
        """Return how the places lie in the open nodes: see `Laid`.

        Parameters
        ----------
        frontier : the cases, node by node.
        weight : array over the places, or None if each weighs 1.
        """
        node, size = self.nodes(frontier)
        weight, order = weights_at(weight, self.order), self.order
        segments = frontier.segments
        if weight is not None or not self.is_complete:
            segments = Segments(size, weight)
        number, in_all, times = segments.number, size, frontier.cases.times
        if times is not None:
            number, in_all = segments.running(times.take(frontier.cases_at(order)))
        row = np.arange(len(self.columns))[:, None]
        return Laid(
            segments,
            self.value,
            node[None],
            row,
            number,
            in_all,
            lambda criterion, cuts: frontier.class_target.decrease(criterion, cuts, order, weight),
        )

    def expand(self, first: np.ndarray, times: np.ndarray) -> None:
        """Go over to new places, so many times for each old one, from the first on."""
        often = times.take(self.order)
        self.value = np.stack(list(map(np.repeat, self.value, often)))
        self.order = np.stack([expanded(order, first, times) for order in self.order])

    def partition(self, way: np.ndarray, n_ways: int) -> None:
        """Put places that go way 1 first, then those of way 2, ...; those of way 0 are gone."""
        moved = parted(way.take(self.order), n_ways)
        self.order, self.value = self.order.take(moved), self.value.take(moved)


class Laid(NamedTuple):
    """Some columns in the open nodes, in the order of their values, ready for `Cuts`.

    Attributes
    ----------
    segments : `Segments` of the places; or of rows of tables, each for the cases of one value.
    value : array [b, k].
    node, row : arrays that broadcast to [b, m], the open node, and which of the columns it is.
    number, in_all : arrays over the places and over the nodes, the cases up to each and in each; a
        case counts as often as its ``times`` say.
    decrease : function of a criterion and `Cuts` to by how much each cut lowers the impurity.
    """

    segments: "Segments"
    value: np.ndarray
    node: np.ndarray
    row: np.ndarray
    number: np.ndarray
    in_all: np.ndarray
    decrease: Callable[[BinaryCriterion, "Cuts"], np.ndarray]


class Segments:
    """Where the nodes lie in sorted columns, and what weighs up to each place and beyond it.

    Attributes
    ----------
    size, start, last : arrays [m]; every node has places.
    number : array [k], how many places of its node there are up to each.
    left, right : arrays [k], or [b, k] of weights: what weighs either side of a cut after each.
    total : array [m] or [b, m].
    """

    def __init__(self, size: np.ndarray, weight: np.ndarray | None = None):
        self.size, self.last = size, np.cumsum(size) - 1
        self.start = self.last - size + 1
        start = np.repeat(self.start.astype(np.int32), size)
        self.number = np.arange(1, len(start) + 1, dtype=np.int32) - start
        self.left, self.total = self.number, size
        if weight is not None:
            is_whole = weight.dtype.kind == "i"
            running = self.running if is_whole else self.running_weight
            self.left, self.total = running(weight)
        self.right = self.spread(self.total) - self.left
        self._shares: dict[bytes, np.ndarray] = {}

    def spread(self, of_node: np.ndarray) -> np.ndarray:
        """Repeat what is said of the nodes, [..., m], for each of their places: [..., k]."""
        return np.repeat(of_node, self.size, axis=-1)

    @cached_property
    def scale(self) -> np.ndarray:
        """The factor ``n / (l r)`` of each cut; 0 where a side is empty."""
        product = self.left * self.right.astype(float)
        return np.divide(
            self.spread(self.total), product, out=np.zeros_like(product), where=product > 0
        )

    def share(self, total: np.ndarray) -> np.ndarray:
        """Return what is up to each place of a total, [m] or [b, m], that is spread evenly."""
        key = total.tobytes()
        share = self._shares.get(key)
        if share is None:
            share = self.left * self.spread(total / self.total)
            # All columns that are known of all cases have the same count of a class.
            if total.dtype.kind == "i":
                self._shares[key] = share
        return share

    @cached_property
    def has_sides(self) -> np.ndarray:
        """Whether both sides of a cut weigh anything, beside what is lost in rounding: [..., k]."""
        least = 0 if self.left is self.number else self.spread(self.total) * LOST
        return (self.left > least) & (self.right > least)

    def running(self, amount: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum of an amount [b, k] up to each place within its node, and the totals.

        Booleans are counted.
        """
        so_far, before, total = self.sums(amount)
        so_far -= self.spread(before)
        return so_far, total

    def sums(self, amount: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the sums of an amount up to each place, before each node, and in each node."""
        so_far = np.cumsum(amount, axis=-1, dtype=np.int32 if amount.dtype == bool else None)
        up_to_last = so_far.take(self.last, axis=-1)
        before = np.zeros_like(up_to_last)
        before[..., 1:] = up_to_last[..., :-1]
        return so_far, before, up_to_last - before

    def running_weight(self, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the same for weights that are not whole: no digit is lost beside other nodes.

        After each node its weight is taken off again, so that the sum never grows; where nothing is
        added it does not change by a digit.
        """
        m, k = len(self.size), weight.shape[-1]
        spaced = np.zeros((*weight.shape[:-1], k + m))  # with a free place before each node
        free, place = self.start + np.arange(m), np.arange(k) + self.spread(np.arange(1, m + 1))
        spaced[..., place] = weight
        spaced[..., free[1:]] = -np.add.reduceat(weight, self.start, axis=-1)[..., :-1]
        total = np.cumsum(spaced, axis=-1)
        before = total.take(free, axis=-1)
        below = total.take(place, axis=-1) - self.spread(before)
        return below, total.take(self.last + np.arange(1, m + 1), axis=-1) - before

    def rises(self, value: np.ndarray, least: float = 0) -> np.ndarray:
        """Return after which places of [b, k] values a higher one follows in the same node."""
        rises = np.zeros(value.shape, dtype=bool)
        higher = value[..., 1:] - least if least else value[..., 1:]
        np.less(value[..., :-1], higher, out=rises[..., :-1])
        rises[..., self.last] = False
        return rises


class Cuts:
    """The cuts of a block of columns that are worth a score.

    Where they are few among many places they are picked out, and arrays over the cuts are [c]; else
    every place of the block is scored, and the arrays are [b, k].

    Attributes
    ----------
    segments : `Segments`.
    is_cut : array [b, k], after which places one may cut.
    """

    def __init__(self, segments: Segments, is_cut: np.ndarray):
        self.segments, self.is_cut = segments, is_cut
        self._rows = np.arange(0, is_cut.size, is_cut.shape[1])[:, None]
        self._place = None
        if is_cut.size > _FEW_CELLS and 2 * np.count_nonzero(is_cut) < is_cut.size:
            self._place = np.flatnonzero(is_cut)
            begin = np.searchsorted(self._place, (segments.start + self._rows).ravel())
            number = np.diff(begin, append=len(self._place))
            self._begin, self._number = begin, number.reshape(len(is_cut), -1)

    def number(self) -> np.ndarray:
        """Return how many cuts each column has in each node: array [b, m]."""
        if self._place is None:
            return np.add.reduceat(self.is_cut, self.segments.start, axis=1, dtype=np.intp)
        return self._number

    def pick(self, array: np.ndarray) -> np.ndarray:
        """Return what an array [k] or [b, k] has at the cuts."""
        if self._place is None:
            return array
        if array.ndim == 2 or len(self.is_cut) == 1:
            return array.take(self._place)
        return array.take(self._place % len(array))

    def spread(self, of_node: np.ndarray) -> np.ndarray:
        """Repeat what is said of the nodes, [m] or [b, m], for each of their cuts."""
        if self._place is None:
            return self.segments.spread(of_node)
        if of_node.shape == self._number.shape:
            return np.repeat(of_node.ravel(), self._number.ravel())
        return np.repeat(np.broadcast_to(of_node, self._number.shape), self._number.ravel())

    def running(self, amount: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum of an amount [b, k] up to each cut within its node, and the totals."""
        so_far, before, total = self.segments.sums(amount)
        return self.pick(so_far) - self.spread(before), total

    def running_weight(self, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the same for weights that are not whole."""
        below, total = self.segments.running_weight(weight)
        return self.pick(below), total

    def weigh(self, which: np.ndarray, weight: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
        """Return the weight of some places [b, k] up to each cut, and the totals.

        Without weights each weighs 1.
        """
        return self.running(which) if weight is None else self.running_weight(which * weight)

    def splits(self) -> BinarySplits:
        """Return what weighs either side of the cuts."""
        at = self.segments
        sides = self.pick(at.left), self.pick(at.right)
        share = at.share if self._place is None else None
        return BinarySplits(*sides, at.total, self.spread, self.pick(at.scale), share)

    def best(
        self, score: np.ndarray, tie: Callable[[np.ndarray], np.ndarray | float]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the best score [b, m] of each node, and where it is found first.

        Parameters
        ----------
        score : array over the cuts.
        tie : function of the best scores: how far below them another still is as good.

        Returns
        -------
        array [b, m], -inf where there is no cut; array [b, m], the place of the best in the block.
        """
        if self._place is None:
            return self._best_of_all(score, tie)
        best, place = np.full(self._number.size, -np.inf), np.zeros(self._number.size, np.intp)
        node = np.flatnonzero(self._number)
        if len(node):
            begin = self._begin.take(node)
            best[node] = np.maximum.reduceat(score, begin)
        best = best.reshape(self._number.shape)
        if len(node):
            hit = np.flatnonzero(score >= self.spread(best - tie(best)))
            place[node] = self._place.take(hit.take(np.searchsorted(hit, begin)))
        return best, place.reshape(best.shape)

    def at(self, array: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Return what an array over the cuts has at some places; anything where there is none."""
        if self._place is None:
            return array.take(place)
        if not len(array):
            return np.zeros(place.shape, dtype=array.dtype)
        return array.take(np.searchsorted(self._place, place), mode="clip")

    def _best_of_all(self, score, tie):
        np.copyto(score, -np.inf, where=~self.is_cut)
        start = self.segments.start
        best = np.maximum.reduceat(score, start, axis=1)
        hit = np.flatnonzero(score >= self.spread(best - tie(best)))
        first = hit.take(np.searchsorted(hit, start + self._rows))
        return best, first


def between(value: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Return the cuts after some places: half-way between two numbers, or the lower of two levels.

    Where the last place is meant, no cut was possible.
    """
    low, high = value.take(place), value.take(np.minimum(place + 1, value.size - 1))
    return low if low.dtype.kind == "i" else middle(low, high)


def training_values(
    values: Sequence[np.ndarray], between: np.ndarray, row: np.ndarray
) -> np.ndarray:
    """Return the largest training value that is not above a number.

    Parameters
    ----------
    values : list [b] of arrays, the training values of each column, in order.
    between, row : arrays, the numbers, and of which column each is to be.
    """
    order = stable_order(row)
    begin = np.searchsorted(row, np.arange(len(values)), sorter=order)
    cut = np.empty(len(between))
    for i, here in enumerate(np.split(order, begin[1:])):
        if len(here):
            found = values[i].searchsorted(between.take(here), side="right") - 1
            cut[here] = values[i].take(found)
    return cut


def parted(way: np.ndarray, n_ways: int) -> np.ndarray:
    """Return the places of all that go way 1, then of those that go way 2, ..., in each row.

    Places are counted through the rows, of which all have as many that go.

    Examples
    --------
    >>> parted(np.array([[2, 0, 1, 2], [1, 2, 2, 0]], dtype=np.uint8), 2)
    array([[2, 0, 3],
           [4, 5, 6]])
    """
    if n_ways <= 3:
        each = [np.flatnonzero(way == which) for which in range(1, n_ways + 1)]
        return np.concatenate([which.reshape(*way.shape[:-1], -1) for which in each], axis=-1)
    order = np.argsort(way, axis=-1, kind="stable")
    n_rows = way.size // way.shape[-1] if way.size else 1
    rows = np.arange(n_rows).reshape(*way.shape[:-1], 1) * way.shape[-1]
    return (order + rows)[..., np.count_nonzero(way == 0) // n_rows :]


def expanded(order: np.ndarray, first: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Return the new places of old ones: ``times`` as many of each, from the ``first`` on."""
    often = times.take(order)
    place = np.repeat(first.take(order), often)
    if len(often) and often.max() > 1:
        ends = np.cumsum(often)
        place += np.arange(len(place)) - np.repeat(ends - often, often)
    return place


def stable_order(codes: np.ndarray) -> np.ndarray:
    """Return the order that sorts codes from 0 up, equal ones as they stand."""
    # NumPy sorts two bytes by counting: larger codes first by their last two, then by the others.
    order = np.argsort(codes.astype(np.uint16), kind="stable")
    if len(codes) and codes.max() >= 2**16:
        order = order.take(stable_order(codes.take(order) >> 16))
    return order

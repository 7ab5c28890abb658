"""What each attribute offers a binary tree at every open node of a level: its best cut in two.

Numeric and ordered attributes are kept in order, nominal ones are counted. The same two ways find
surrogates, with the branch of the node's own test in the place of the class.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from dtreebook.data import unknown
from dtreebook.decrease import Cuts
from dtreebook.search import CELLS, TIE, middle, running, stable_order
from dtreebook.subsets import best_subsets
from dtreebook.tables import count


class Offer(NamedTuple):
    """The best cut of an attribute in each of m nodes.

    Attributes
    ----------
    gain : array [m], by how much it lowers the impurity, in weight; -inf where there is none.
    cut : array [m] of a numeric or ordered attribute; None of a nominal one.
    side : array [m, V] of a nominal attribute, the side of each value: 0, 1, or -1 if absent.
    """

    gain: np.ndarray
    cut: np.ndarray | None
    side: np.ndarray | None

    @classmethod
    def none(cls, m, n_values=None):
        """Return an offer to be filled in; given a number of values, of a nominal attribute."""
        return cls(np.full(m, -np.inf), *_empty_cuts(m, n_values))


class StandIn(NamedTuple):
    """The cut of an attribute that best stands in for the test of each of m nodes.

    Attributes
    ----------
    agreed : array [m], the weight that goes the same way; -inf where there is none.
    both, most : arrays [m], the weight of the cases of which both values are known, and of those
        of them that the test sends to the side with more.
    flipped : array [m], whether the first side stands for the second of the test.
    cut, side : as in `Offer`.
    """

    agreed: np.ndarray
    both: np.ndarray
    most: np.ndarray
    flipped: np.ndarray
    cut: np.ndarray | None
    side: np.ndarray | None

    @classmethod
    def none(cls, m, n_values=None):
        """Return a stand-in to be filled in; given a number of values, of a nominal attribute."""
        agreed, both, most = np.full(m, -np.inf), np.zeros(m), np.zeros(m)
        return cls(agreed, both, most, np.zeros(m, dtype=bool), *_empty_cuts(m, n_values))


def _empty_cuts(m, n_values):
    return (np.full(m, np.nan), None) if n_values is None else (None, np.full((m, n_values), -1))


class Open:
    """The m open nodes of a level, and the cases in them.

    Attributes
    ----------
    case : array [n] of the cases, node by node.
    size : array [m], how many cases each node has.
    node : array over all cases, the node of each that is in one.
    target : `Classes` or `Numbers`.
    weight : array over all cases, or None if each weighs 1.
    scored : the weight that impurities are measured with; with priors or a loss it is another.
    least : how many cases a side must have.
    nothing : array [m], the decreases up to this are only rounding.
    decrease, by_rank : functions of `dtreebook.decrease`; the second, if it is not None, is used in
        place of the first where it can be.
    """

    def __init__(self, case, size, node, target, weight, scored, least, nothing, decrease, by_rank):
        self.case, self.size, self.node, self.target = case, size, node, target
        self.weight, self.scored, self.least, self.nothing = weight, scored, least, nothing
        self.decrease, self.by_rank = decrease, by_rank

    def scores(self, layout, order, weight):
        """Return by how much each cut in orders [b, n] of cases lowers the impurity."""
        if self.by_rank and weight is None:
            of, number = self.classes
            score = np.empty(order.shape)
            for row, of_row in zip(score, of.take(order), strict=True):
                here = number if layout is self.layout else np.bincount(of_row)
                row[:] = self.by_rank(layout.cuts, *_ranks(of_row, here), layout.running)
            return score
        amounts = self.target.amounts(order, weight)
        return self.decrease(layout.cuts, map(layout.running, amounts))

    @cached_property
    def layout(self):
        """The cuts of an attribute that is known of all cases, if each case weighs 1."""
        return Layout.of(self.size, None, self.least)

    @cached_property
    def classes(self):
        """The classes of every node, numbered through: that of each case, and its cases."""
        node, codes = self.node.take(self.case), self.target.codes.take(self.case)
        cell = node.astype(np.intp) * (self.target.n_amounts + 1) + codes
        order = stable_order(cell)
        cell = cell.take(order)
        last = np.flatnonzero(np.append(cell[1:] != cell[:-1], True))
        number = np.diff(last, prepend=-1)
        of = np.zeros(len(self.node), dtype=np.int32)
        of[self.case.take(order)] = np.repeat(np.arange(len(number)), number)
        return of, number

    def portions(self, cells):
        """Yield the nodes in slices small enough for tables of so many cells each, and their cases.

        Each is (first node, number of nodes, cases).
        """
        step, m = max(1, CELLS // max(1, cells)), len(self.size)  # of one class there are no cells
        ends = np.append(0, np.cumsum(self.size))
        for start in range(0, m, step):
            stop = min(start + step, m)
            yield start, stop - start, self.case[ends[start] : ends[stop]]


class Layout(NamedTuple):
    """Where the nodes lie in an order of cases, and what weighs the first side of each cut.

    Attributes
    ----------
    start, last, size : arrays [m]; every node has cases.
    cuts : `dtreebook.decrease.Cuts`, after each place.
    fits : array [n], whether both sides have the least number of cases.
    """

    start: np.ndarray
    last: np.ndarray
    size: np.ndarray
    cuts: Cuts
    fits: np.ndarray

    @classmethod
    def of(cls, size, weight, least):
        """Return the layout of nodes with so many places; the places may have weights [..., n]."""
        last = np.cumsum(size) - 1
        start = last - size + 1

        def spread(node):
            return np.repeat(node, size, axis=-1)

        number = np.arange(1, size.sum() + 1, dtype=np.int32) - spread(start.astype(np.int32))
        fits = (number >= least) & (spread(size) - number >= max(least, 1))
        left = number if weight is None else running(weight, last, size)
        return cls(start, last, size, Cuts.of(left, left[..., last], spread), fits)

    def running(self, amount):
        """Return the running sum of an amount within each node, and the totals."""
        below = running(amount, self.last, self.size)
        return below, below[..., self.last]

    def first_best(self, score, nothing=0):
        """Return the best score [..., m] of each node, and where the flat array has it first.

        A score counts as the best if only rounding, of up to `nothing`, can tell them apart.
        """
        best = np.maximum.reduceat(score, self.start, axis=-1)
        hit = np.flatnonzero(score >= self.cuts.spread(best - abs(best) * TIE - nothing))
        first = np.arange(0, score.size, score.shape[-1])[:, None] + self.start
        return best, hit[np.searchsorted(hit, first)].reshape(best.shape)


class Classes:
    """A target of classes: the amounts that are summed are the weight of each but the last."""

    def __init__(self, codes, n_classes):
        self.codes = codes.astype(np.min_scalar_type(n_classes))
        self.n_amounts = n_classes - 1

    def amounts(self, case, weight):
        """Yield what each case adds, class by class; the weights are those of the cases."""
        codes = self.codes.take(case)
        for k in range(self.n_amounts):
            yield codes == k if weight is None else (codes == k) * weight


class Numbers:
    """A target of numbers: what is summed is how far each is above the mean of its node."""

    n_amounts = 1

    def __init__(self, above):
        self.above = above

    def amounts(self, case, weight):
        """Yield what each case adds to the sum."""
        above = self.above.take(case)
        yield above if weight is None else above * weight


class Ordered:
    """Keep the known cases of numeric and ordered attributes by node, and by value inside a node.

    Several attributes of which all values are known are kept together as one block: with few cases
    the number of calls counts, not the work. An attribute with unknown values is alone.

    Attributes
    ----------
    attributes : array [b] of their positions.
    order : array [b, k] of cases.
    value : array [b, k], their values.
    """

    def __init__(self, attributes, order, value, is_complete):
        self.attributes, self.order, self.value = attributes, order, value
        self.is_complete = is_complete

    @classmethod
    def blocks(cls, columns, width):
        """Yield the attributes in blocks.

        Parameters
        ----------
        columns : dict from each attribute to its column.
        width : the most attributes of a block.
        """
        blocks = {}
        for a, column in columns.items():
            is_complete = not unknown(column).any()
            alike = blocks.setdefault((column.dtype, is_complete), [[]])
            if len(alike[-1]) == (width if is_complete else 1):
                alike.append([])
            alike[-1].append(a)
        for (_, is_complete), alike in blocks.items():
            for block in alike:
                value = np.array([columns[a] for a in block])
                order = np.argsort(value).astype(np.int32)  # of equal values, any order will do
                value = np.take_along_axis(value, order, axis=1)
                if not is_complete:
                    known = ~unknown(value[0])
                    order, value = order[:, known], value[:, known]
                yield cls(np.array(block), order, value, is_complete)

    def part(self, way):
        """Move on to the next level: cases that went way 1 come before those that went way 2."""
        way = way.take(self.order)
        moved = [np.flatnonzero(way == which).reshape(len(way), -1) for which in (1, 2)]
        moved = np.concatenate(moved, axis=1)
        self.order, self.value = self.order.take(moved), self.value.take(moved)

    def search(self, level):
        """Yield each attribute with its `Offer` at a level."""
        m = len(level.size)
        gain, cut = (
            np.full((len(self.attributes), m), -np.inf),
            np.full((len(self.attributes), m), np.nan),
        )
        if self.order.size:
            weight = _take(level.scored, self.order)
            node, layout = slice(None), level.layout
            if weight is not None or not self.is_complete:
                node, size = _nodes(level.node.take(self.order[0]))
                layout = Layout.of(size, weight, level.least)
            score = level.scores(layout, self.order, weight)
            score[~(layout.fits & _rises(self.value))] = -np.inf
            gain[:, node], place = layout.first_best(score, level.nothing[node])
            cut[:, node] = _between(self.value, place)
        for j, a in enumerate(self.attributes.tolist()):
            yield a, Offer(gain[j], cut[j], None)

    def stand_in(self, level, side, asked):
        """Yield each attribute with its `StandIn`, given the side of each case: -1 is unknown."""
        for a, order, value in zip(self.attributes.tolist(), self.order, self.value, strict=True):
            yield a, _stand_in(level, side, asked, a, order, value)


def _stand_in(level, side, asked, attribute, order, value):
    """Return the `StandIn` of one attribute of a block."""
    found = StandIn.none(len(level.size))
    node = level.node.take(order)
    asks_another = (asked >= 0) & (asked != attribute)
    here = np.flatnonzero(asks_another.take(node))
    if not len(here):
        return found
    # The cut lies between neighbours in the node, though of one the test may not be known: such a
    # case weighs nothing.
    branch, value = side.take(order.take(here)), value.take(here)
    known = branch >= 0
    weight = known if level.weight is None else known * level.weight.take(order.take(here))
    node, size = _nodes(node.take(here))
    layout = Layout.of(size, weight, 0)
    cuts = layout.cuts
    number, of_number = layout.running(known)
    fits = (number >= 2) & (cuts.spread(of_number) - number >= 2)
    right, all_right = layout.running(weight * (branch == 1))
    left, all_left = cuts.left - right, cuts.total - all_right
    same = left + cuts.spread(all_right) - right
    flipped = right + cuts.spread(all_left) - left
    score = np.maximum(same, flipped).astype(float)
    score[~(fits & _rises(value))] = -np.inf
    found.agreed[node], place = layout.first_best(score)
    found.both[node], found.most[node] = cuts.total, np.maximum(all_left, all_right)
    found.flipped[node] = flipped[place] > same[place]
    found.cut[node] = _between(value, place)
    return found


class Counted:
    """Count the cases of a nominal attribute by value.

    Attributes
    ----------
    attribute : the position of the attribute.
    code : array over all cases, -1 where the value is unknown.
    n_values : how many values it has.
    """

    def __init__(self, attribute, code, n_values):
        self.attribute, self.code, self.n_values = attribute, code, n_values

    def part(self, way):
        """Move on to the next level: there is nothing to keep in order."""

    def search(self, level):
        """Yield the attribute with its `Offer` at a level."""
        offer = Offer.none(len(level.size), self.n_values)
        n_amounts = level.target.n_amounts
        for start, m, case in level.portions(self.n_values * n_amounts):
            case, cell = self._cells(level, case, start)
            size = self._table(cell, m)
            scored = _take(level.scored, case)
            weight = size if scored is None else self._table(cell, m, scored)
            amounts = np.empty((m, self.n_values, n_amounts))
            for k, amount in enumerate(level.target.amounts(case, scored)):
                amounts[:, :, k] = self._table(cell, m, amount)
            here = slice(start, start + m)
            offer.gain[here], offer.side[here] = best_subsets(
                weight, amounts, size, level.least, level.nothing[here], level.decrease
            )
        yield self.attribute, offer

    def stand_in(self, level, side, asked):
        """Yield the attribute with its `StandIn`: every value goes where most of its cases go."""
        found = StandIn.none(len(level.size), self.n_values)
        for start, m, case in level.portions(2 * self.n_values):
            case = case[(side[case] >= 0) & (asked[level.node[case]] != self.attribute)]
            case, cell = self._cells(level, case, start)
            weight = np.ones(len(case)) if level.weight is None else level.weight[case]
            to_right = side[case] == 1
            right, left = (self._table(cell, m, weight * to) for to in (to_right, ~to_right))
            all_left, all_right = (part.sum(axis=1) for part in (left, right))
            # A value of which as many cases go either way goes with the majority.
            more = np.where(left == right, (all_right >= all_left)[:, None], right > left)
            size, to_the_right = self._table(cell, m), self._table(cell, m, to_right)
            with_it = np.where(more, to_the_right, size - to_the_right).sum(axis=1)
            here = slice(start, start + m)
            # As in rpart two cases must agree and two must not: one that never errs is not kept.
            fits = (with_it >= 2) & (size.sum(axis=1) - with_it >= 2)
            found.agreed[here] = np.where(fits, np.maximum(left, right).sum(axis=1), -np.inf)
            found.both[here] = all_left + all_right
            found.most[here] = np.maximum(all_left, all_right)
            goes = np.where(size == 0, -1, more)
            found.side[here] = goes
        yield self.attribute, found

    def _cells(self, level, case, start):
        """Return the cases that are known, and where each counts in a table [node, value]."""
        case = case[self.code[case] >= 0]
        return case, (level.node[case] - start) * self.n_values + self.code[case]

    def _table(self, cell, m, amount=None):
        return count((cell,), (m * self.n_values,), amount).reshape(m, self.n_values)


def parted(way):
    """Return the places of all that go way 1, then of all that go way 2."""
    return np.concatenate([np.flatnonzero(way == 1), np.flatnonzero(way == 2)])


def _ranks(of, number):
    """Return how many of the same class come before each place in its node, and are there.

    Parameters
    ----------
    of : array [n], the class of each place, numbered through all nodes.
    number : array, how many cases each of these has.
    """
    order = stable_order(of)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(of)) - np.repeat(np.cumsum(number) - number, number)
    return rank, number.take(of)


def _take(weight, case):
    return None if weight is None else weight.take(case)


def _nodes(node):
    """Return which nodes occur in an array that is ordered by them, and how often."""
    size = np.bincount(node)
    occur = np.flatnonzero(size)
    return occur, size[occur]


def _rises(value):
    """Return after which places a higher value follows."""
    rises = np.zeros(value.shape, dtype=bool)
    np.not_equal(value[..., 1:], value[..., :-1], out=rises[..., :-1])
    return rises


def _between(value, place):
    """Return the cuts after some places; where the last is chosen, no cut was possible."""
    low, high = value.take(place), value.take(np.minimum(place + 1, value.size - 1))
    return low if value.dtype.kind == "i" else middle(low, high)

"""What each attribute offers at every open node of a level: its gain, and its best cut.

Nominal attributes are counted: `Stacked` makes all their tables with one call. Numeric ones stay
sorted inside the nodes: `Sorted` scores every cut with running sums.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dtreebook import measures
from dtreebook.grouping import group_values
from dtreebook.tables import count

# Scores closer than this are tied, and the first wins: the last digits are rounding.
# So are the weights of two classes that differ by less than this share of them.
TIE = 1e-12

# Values closer than this are not told apart (C4.5 Release 8).
NEAR = 1e-5

# Weights closer than this are equal.
ROUNDING = 1e-9

# The most cells that the tables of one pass may have; more nodes are taken in several passes.
CELLS = 2**24


class Places(NamedTuple):
    """The cases in the m open nodes of a level; a case may stand in several nodes, in fractions.

    Attributes
    ----------
    case, node : arrays [n], which case, and in which open node.
    target : array [n] of class codes.
    weight : array [n], or None if every case weighs 1.
    total : array [m], the weight in each node.
    available : array [m, A], the attributes that each node may ask for.
    n_classes : K.
    """

    case: np.ndarray
    node: np.ndarray
    target: np.ndarray
    weight: np.ndarray | None
    total: np.ndarray
    available: np.ndarray
    n_classes: int


class Offers(NamedTuple):
    """What the attributes offer in each of m nodes.

    Attributes
    ----------
    gain : array [m, A], the information gain in bits, less the penalty; -inf of no candidate.
    information : array [m, A], the split information in bits, if the recipe asks for it.
    cut : array [m, A], the largest training value of the first branch; NaN if not numeric.
    groups : dict from (node, attribute) to the groups of values that are the branches.
    """

    gain: np.ndarray
    information: np.ndarray
    cut: np.ndarray
    groups: dict

    @classmethod
    def none(cls, shape):
        """Return arrays of this shape to be filled in."""
        return cls(np.full(shape, -np.inf), np.zeros(shape), np.full(shape, np.nan), {})

    def of(self, node):
        """Return the offers in one node alone, which becomes node 0."""
        groups = {(0, a): groups for (i, a), groups in self.groups.items() if i == node}
        return Offers(*(array[node : node + 1] for array in self[:3]), groups)


@dataclass(frozen=True, slots=True)
class Stacked:
    """Make the tables of several nominal attributes as one array [attribute, value, class].

    Shorter attributes are filled up with empty values, which change no measure. Unknown values, if
    there are any, have a last value of their own.

    Attributes
    ----------
    attributes : the positions of the attributes.
    shape : the shape of the array.
    has_unknown : whether any value is unknown.
    n_values : dict from each attribute to its number of values.
    cell : array [n, attributes], where each case counts in the array.
    """

    attributes: np.ndarray
    shape: tuple
    has_unknown: bool
    n_values: dict
    cell: np.ndarray

    @classmethod
    def group(cls, cases):
        """Yield the nominal attributes by size, so that filling up costs at most eightfold."""
        widths = {}
        for i, attribute in enumerate(cases.attributes):
            if attribute.kind != "numeric":
                octave = ((max(len(attribute.levels), 1) - 1).bit_length() + 2) // 3
                widths.setdefault(octave, []).append(i)
        for attributes in widths.values():
            width = max(len(cases.attributes[i].levels) for i in attributes)
            cell = np.stack([cases.columns[i] for i in attributes], axis=1)
            unknown = cell < 0
            has_unknown = bool(unknown.any())
            if has_unknown:
                cell[unknown] = width
                width += 1
            shape = (len(attributes), width, len(cases.classes))
            cell += np.arange(len(attributes)) * width
            cell *= len(cases.classes)
            cell += cases.target[:, None]
            n_values = {i: len(cases.attributes[i].levels) for i in attributes}
            yield cls(np.array(attributes), shape, has_unknown, n_values, cell)

    def search(self, places, recipe, offers):
        """Fill in what the attributes of this stack offer: see `Offers`."""
        size, n_nodes = int(np.prod(self.shape)), len(places.total)
        step = max(1, CELLS // size)
        for start in range(0, n_nodes, step):
            stop = min(start + step, n_nodes)
            case, node, weight = places.case, places.node, places.weight
            if n_nodes > step:
                rows = np.flatnonzero((start <= node) & (node < stop))
                case, node = case[rows], node[rows] - start
                weight = None if weight is None else weight[rows]
            cells = self.cell.take(case, axis=0)
            cells += (node * size)[:, None]
            weight = None if weight is None else weight[:, None]
            tables = count((cells,), ((stop - start) * size,), weight).reshape(-1, *self.shape)
            available = places.available[start:stop, self.attributes]
            tables = tables[available]
            node, attribute = np.nonzero(available)
            at = node + start, self.attributes[attribute]
            unknown = 0
            if self.has_unknown:
                tables, unknown = tables[:, :-1], measures.total(tables[:, -1])
            if recipe.subsets:
                tables = self._grouped(tables, unknown, np.stack(at, axis=1), recipe, offers)
            branches = measures.total(tables)
            enough = (branches > 0) & (branches >= recipe.min_cases)
            divides = np.count_nonzero(enough, axis=-1) > 1
            gain = measures.information_gain(tables, unknown)
            offers.gain[at] = np.where(divides, gain, -np.inf)
            if recipe.score == "gain_ratio":
                offers.information[at] = measures.split_information(tables, unknown)

    def _grouped(self, tables, unknown, places, recipe, offers):
        """Return the tables with a row for each group of values, and fill in the groups."""
        grouped = np.zeros_like(tables)
        for i, (node, attribute) in enumerate(places.tolist()):
            n_values = self.n_values[attribute]
            groups = [[v] for v in range(n_values)]
            if n_values > 2:
                left_out = unknown if np.isscalar(unknown) else unknown[i]
                groups = group_values(tables[i], left_out, recipe.min_cases, recipe.score)
                absent = sorted(set(range(n_values)).difference(*groups))
                offers.groups[node, attribute] = tuple(
                    map(tuple, [*groups, absent] if absent else groups)
                )
            for row, group in enumerate(groups):
                grouped[i, row] = tables[i, group].sum(axis=0)
        return grouped


class Sorted:
    """Keep the known cases of one numeric attribute by node, and by value inside a node.

    Attributes
    ----------
    attribute : the position of the attribute.
    order : array [k], the places of the cases among those of the level.
    value : array [k], their values.
    values : every training value of the attribute, in order.
    """

    def __init__(self, attribute, column):
        self.attribute = attribute
        known = np.flatnonzero(~np.isnan(column))
        self.order = known[np.argsort(column[known], kind="stable")]
        self.value = column[self.order]
        self.values = self.value

    def follow(self, copies, first, node):
        """Move on to the next level.

        Parameters
        ----------
        copies : array, how many places each case of the level before has in the next.
        first : array, the first of them; the others follow it.
        node : array, the node of each place of the next level.
        """
        times = copies[self.order]
        place = np.repeat(first[self.order], times)
        if len(times) and times.max() > 1:
            ends = np.cumsum(times)
            place += np.arange(len(place)) - np.repeat(ends - times, times)
        node = node[place]
        stable = stable_order(node)
        self.order = place[stable]
        self.value = np.repeat(self.value, times)[stable]

    def search(self, places, recipe, offers):
        """Fill in the best cut of each node: see `Offers`.

        References
        ----------
        Quinlan (1993), section 2.4; Quinlan (1996), section 3, for the penalty.
        """
        node = places.node[self.order]
        if not len(node):
            return
        n_nodes, n_classes = len(places.total), places.n_classes
        target = places.target[self.order]
        weight = None if places.weight is None else places.weight[self.order]

        # The weight up to every place within its node: of all classes, and of each.
        last = np.flatnonzero(np.append(node[1:] != node[:-1], True))
        sizes = np.diff(last, prepend=-1)
        each = np.ones(len(node), dtype=bool) if weight is None else weight
        all_left = running(each, last, sizes)
        left = [running((target == k) * each, last, sizes) for k in range(n_classes)]

        # What is the same for a whole node.
        counts = np.zeros((n_nodes, n_classes), dtype=all_left.dtype)
        counts[node[last]] = np.stack([c[last] for c in left], axis=1)
        known = counts.sum(axis=1)
        least = np.full(n_nodes, recipe.min_cases)
        if recipe.penalty:
            least = least_beside(known, n_classes, recipe.min_cases)

        # A running sum of fractions is a few roundings off what it would be in its node alone.
        least = least - ROUNDING
        fits = (all_left >= least[node]) & (all_left <= (known - least)[node])
        fits[:-1] &= self.value[:-1] < self.value[1:] - NEAR
        fits[last] = False
        place = np.flatnonzero(fits)
        if not len(place):
            return
        node = node[place]

        # The bits still needed on both sides: n H = n log n - sum_k n_k log n_k.
        below, all_below = [c[place] for c in left], all_left[place]
        needed = measures.n_log_n(all_below) + measures.n_log_n(known[node] - all_below)
        for c, all_c in zip(below, counts.T, strict=True):
            needed -= measures.n_log_n(c)
            needed -= measures.n_log_n(all_c[node] - c)
        gain = ((known * measures.entropy(counts))[node] - needed) / places.total[node]
        if recipe.penalty:
            tries = np.bincount(node, minlength=n_nodes)
            gain -= (np.log2(np.maximum(tries, 1)) / places.total)[node]

        ends = np.flatnonzero(np.append(node[1:] != node[:-1], True))
        starts = np.append(0, ends[:-1] + 1)
        best = np.maximum.reduceat(gain, starts)
        tied = np.flatnonzero(gain >= np.repeat(best, np.diff(ends, prepend=-1)) - TIE)
        first = tied[np.searchsorted(tied, starts)]
        if recipe.penalty:
            first = first[gain[first] > 0]

        at, chosen = node[first], place[first]
        between = middle(self.value[chosen], self.value[chosen + 1])
        offers.gain[at, self.attribute] = gain[first]
        offers.cut[at, self.attribute] = self.values[
            np.searchsorted(self.values, between, side="right") - 1
        ]
        sides = np.stack([all_below[first], known[at] - all_below[first]], axis=1)
        unknown = np.maximum(places.total[at] - known[at], 0)
        offers.information[at, self.attribute] = measures.split_information(
            sides[..., None], unknown
        )


def least_beside(known, n_classes, min_cases):
    """Return the weight that C4.5 wants on either side of a cut: its window.

    A tenth of a class's average share of the cases, but not less than `min_cases` nor more than 25.

    Parameters
    ----------
    known : array, the weight of the cases with a value, of a number of nodes.
    n_classes, min_cases : K, and the weight that two branches must have anyway.

    Examples
    --------
    >>> least_beside(np.array([14.0, 200.0, 1000.0]), 2, 2)
    array([ 2., 10., 25.])
    """
    share = 0.1 * known / n_classes
    return np.where(share <= min_cases, min_cases, np.minimum(share, 25))


def stable_order(codes):
    """Return the order that sorts codes from 0 up, equal ones as they come."""
    # NumPy sorts two bytes by counting: larger codes first by their last two, then by the others.
    order = np.argsort(codes.astype(np.uint16), kind="stable")
    if len(codes) and codes.max() >= 2**16:
        order = order.take(stable_order(codes.take(order) >> 16))
    return order


def middle(low, high):
    """Return the number half-way between two, which is never the higher one."""
    # Halved first, so that no sum overflows; rounded up to the upper value it divided nothing.
    return np.minimum(low / 2 + high / 2, np.nextafter(high, low))


def running(amount, last, sizes):
    """Return the running sum of an amount at every place, starting anew in every node.

    Parameters
    ----------
    amount : array [..., n] of booleans, which are counted, or of numbers.
    last, sizes : arrays [m], the last place of each node, and its number of places, at least 1.
    """
    total = np.cumsum(amount, axis=-1, dtype=np.int32 if amount.dtype == bool else None)
    before = np.zeros((*total.shape[:-1], len(last)), dtype=total.dtype)
    before[..., 1:] = total[..., last[:-1]]
    return total - np.repeat(before, sizes, axis=-1)

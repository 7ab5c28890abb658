"""Surrogates: tests of other attributes that send the cases the way the test of a node does.

Where the value that a node asks for is unknown, its surrogates are asked instead, the one that
agrees with it most first; where all of them are unknown too, the case goes with the majority. A
surrogate is searched for as a test is, with the branch of the node's own test in the place of the
class.
"""

from typing import TYPE_CHECKING

import numpy as np

from dtreebook.data.counts import count
from dtreebook.grow.growth import WEIGHT_ATOL
from dtreebook.grow.thresholds import Cuts, Segments, between
from dtreebook.measures import TIE
from dtreebook.tree.splits import Subset, Surrogate, Threshold

if TYPE_CHECKING:
    from dtreebook.grow import binary
    from dtreebook.grow.frontier import Offers

# A surrogate must save more than this share of the disagreement: the last digits are rounding.
MIN_ADJUSTED_AGREEMENT = 1e-10

# As in rpart two cases must agree and two must not: a test that sends all one way is none.
MIN_CASES = 2


class SurrogateInfo:
    """The tests that best stand in for those of m nodes, one for each column.

    Attributes
    ----------
    agreed : array [m, A], the weight that goes the same way; -inf where there is none.
    both, most : arrays [m, A], the weight of the cases of which both values are known, and of those
        of them that the test sends to the side with more.
    flipped : array [m, A], whether the first side stands for the second of the test.
    cut : array [m, A] of numeric and ordered columns.
    side : dict from a nominal column to array [m, V] of the side of each value.
    """

    def __init__(self, m: int, n_columns: int):
        shape = m, n_columns
        self.agreed, self.cut = np.full(shape, -np.inf), np.full(shape, np.nan)
        self.both, self.most = np.zeros((2, *shape))
        self.flipped = np.zeros(shape, dtype=bool)
        self.side: dict[int, np.ndarray] = {}


def split_found(found: "Offers | SurrogateInfo", node: int, column: int) -> Threshold | Subset:
    """Return what was found for a column in a node as a test with two branches.

    Parameters
    ----------
    found : an object with ``cut`` and ``side``, as `SurrogateInfo` has them.
    """
    if column not in found.side:
        return Threshold(column, found.cut[node, column].item())
    side = found.side[column][node]
    groups = (np.flatnonzero(side == branch).tolist() for branch in (0, 1))
    return Subset(column, tuple(map(tuple, groups)))


def branch_weights(frontier: "binary.BinaryFrontier") -> np.ndarray:
    """Return the weight of the cases that take each branch of every open node: array [m, 2].

    Parameters
    ----------
    frontier : `dtreebook.grow.binary.BinaryFrontier`, with the ``side`` of every case.
    """
    here = frontier.here
    codes = frontier.node, frontier.side.take(here) + 1
    return count(codes, (len(frontier.size), 3), frontier.cases.weight_of(here))[:, 1:]


def majority_branch(by_branch: np.ndarray) -> np.ndarray:
    """Return the branch with more weight: array [m], -1 where the two are equal."""
    left, right = by_branch.T
    return np.where(is_more(right, left), 1, np.where(is_more(left, right), 0, -1))


def is_more(weight: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return where a weight is larger than another, and not by rounding alone."""
    return weight - other > WEIGHT_ATOL * (weight + other)


def find_surrogates(
    frontier: "binary.BinaryFrontier", chosen: np.ndarray, by_branch: np.ndarray
) -> list[tuple[Surrogate, ...]]:
    """Return the surrogates of every open node of a level.

    The control of the frontier says how many a node keeps, ``max_surrogates``, and what the
    ``agreement`` is a share of: "primary", the cases that the test of the node knows; "both", those
    that the surrogate knows as well.

    Parameters
    ----------
    frontier : as for `branch_weights`, which gives ``by_branch``.
    chosen : array [m], the column each node asks for; -1 in a leaf.

    Returns
    -------
    list [m] of tuples of `dtreebook.tree.splits.Surrogate`, the best first; of equals, the first
    column.

    References
    ----------
    Breiman et al. (1984), section 5.3.1.
    """
    control, found = frontier.control, SurrogateInfo(len(chosen), len(frontier.cases.columns))
    for block in frontier.presorted:
        for row, column in enumerate(block.columns.tolist()):
            order, value = block.order[row], block.value[row]
            _search_ordered(found, frontier, chosen, column, order, value)
    for group in frontier.categories:
        _search_nominal(found, frontier, chosen, group)
    if control.agreement == "primary":
        total, larger = by_branch.sum(axis=1)[:, None], by_branch.max(axis=1)[:, None]
    else:
        total, larger = found.both, found.most
    with np.errstate(divide="ignore", invalid="ignore"):
        share, adjusted = found.agreed / total, (found.agreed - larger) / (total - larger)
    is_one = (adjusted > MIN_ADJUSTED_AGREEMENT) & (chosen >= 0)[:, None]
    share = np.where(is_one, share, -np.inf)
    # Columns that agree as often keep their order, whatever the last digits.
    best = np.argsort(-share.round(9), axis=1, kind="stable")[:, : control.max_surrogates]
    return [
        tuple(
            Surrogate(
                split_found(found, i, a),
                bool(found.flipped[i, a]),
                float(share[i, a]),
                float(adjusted[i, a]),
            )
            for a in columns
            if share[i, a] > -np.inf
        )
        for i, columns in enumerate(best.tolist())
    ]


def _search_ordered(found, frontier, chosen, column, order, value):
    """Fill in the cuts of a numeric or ordered column."""
    node = frontier.node_at(order)
    asks_another = (chosen >= 0) & (chosen != column)
    here = np.flatnonzero(asks_another.take(node))
    if not len(here):
        return
    size = np.bincount(node.take(here))
    node = np.flatnonzero(size)
    # The cut lies between neighbours in the node, though of one the test may not be known: such a
    # case weighs nothing.
    place = order.take(here)[None]
    side, size = frontier.side.take(place), size[node]
    value = value.take(here)[None]
    segments = Segments(size)
    number, in_all = segments.running(side >= 0)
    is_cut = (number >= MIN_CASES) & (segments.spread(in_all) - number >= MIN_CASES)
    cuts = Cuts(segments, is_cut & segments.rises(value))
    weight = frontier.cases.weight_of(place)
    (left, all_left), (right, all_right) = (cuts.weigh(side == s, weight) for s in (0, 1))
    same = left + cuts.spread(all_right) - right
    flipped = right + cuts.spread(all_left) - left
    best, at = cuts.best(np.maximum(same, flipped).astype(float), lambda best: abs(best) * TIE)
    found.agreed[node, column] = best[0]
    found.both[node, column] = (all_left + all_right)[0]
    found.most[node, column] = np.maximum(all_left, all_right)[0]
    found.flipped[node, column] = cuts.at(is_more(flipped, same), at)[0]
    found.cut[node, column] = between(value, at)[0]


def _search_nominal(found, frontier, chosen, group):
    """Fill in what the values of some nominal columns do: each goes where most of its cases go."""
    here = frontier.here
    weight = frontier.cases.weight_of(here)
    sides = frontier.side.take(here) + 1
    m, (n_columns, n_values) = len(chosen), (len(group.columns), group.n_values)
    goes = np.empty((m, n_columns, n_values), dtype=np.intp)
    sizes = None if weight is None else group.tables(frontier, sides, 3)
    for first, table in group.tables(frontier, sides, 3, weight):
        some = slice(first, first + len(table))
        number = table if sizes is None else next(sizes)[1]
        left, right = np.moveaxis(table[:, :, :n_values, 1:], -1, 0)
        n_left, n_right = np.moveaxis(number[:, :, :n_values, 1:], -1, 0)
        all_left, all_right = left.sum(axis=2), right.sum(axis=2)
        # A value of which as many cases go either way goes with the majority.
        is_tied = ~(is_more(left, right) | is_more(right, left))
        more = np.where(is_tied, ~is_more(all_left, all_right)[:, :, None], right > left)
        agree, differ = np.where(more, n_right, n_left).sum(axis=2), (n_left + n_right).sum(axis=2)
        fits = (agree >= MIN_CASES) & (differ - agree >= MIN_CASES)
        fits &= chosen[some, None] != group.columns
        at = some, group.columns
        found.agreed[at] = np.where(fits, np.maximum(left, right).sum(axis=2), -np.inf)
        found.both[at], found.most[at] = all_left + all_right, np.maximum(all_left, all_right)
        goes[some] = np.where(n_left + n_right == 0, -1, more)
    found.side.update(zip(group.columns.tolist(), np.moveaxis(goes, 1, 0), strict=True))

"""Surrogates: tests of other columns that send the cases the way the test of a node does.

Where the value that a node asks about is unknown, its surrogates are asked instead, the one that
agrees with it most first; where all of them are unknown too, the case goes with the majority. A
surrogate is searched for as a test is, with the branch of the node's own test in the place of the
class.
"""

from itertools import chain

import numpy as np

from dtreebook.count.counter import LEFT, RIGHT, UNKNOWN, Counter
from dtreebook.count.tables import Rows, Table
from dtreebook.grow.cuts import Cuts
from dtreebook.grow.growth import Found
from dtreebook.measures import TIE, WEIGHT_TOL
from dtreebook.tree.splits import Surrogate

# A surrogate must save more than this share of the disagreement: the last digits are rounding.
MIN_ADJUSTED_AGREEMENT = 1e-10

# As in rpart two cases must agree and two must not: a test that sends all one way is none.
MIN_CASES = 2


def majority_branch(weights: np.ndarray) -> np.ndarray:
    """Return the branch with more of the weights [m, 2]: array [m], -1 where the two are equal.

    Examples
    --------
    >>> majority_branch(np.array([[2.0, 1.0], [1.0, 2.0], [1.0, 1.0]]))
    array([ 0,  1, -1])
    """
    left, right = weights.T
    return np.where(_is_more(right, left), 1, np.where(_is_more(left, right), 0, -1))


def _is_more(weight, other):
    """Return where a weight is larger than another, and not by rounding alone."""
    return weight - other > WEIGHT_TOL * (weight + other)


class _FoundSurrogates(Found):
    """The best surrogate of every column: ``gain`` is the weight that it sends the same way.

    Attributes
    ----------
    both, most : arrays [m, A], the weight of the cases of which both values are known, and of those
        of them that the test sends to the side with more.
    flipped : array [m, A], whether the left side stands for the right one of the test.
    """

    def __init__(self, m, n_columns):
        super().__init__(m, n_columns)
        self.both, self.most = np.zeros((2, m, n_columns))
        self.flipped = np.zeros((m, n_columns), dtype=bool)


def find_surrogates(
    counter: Counter,
    is_numeric: np.ndarray,
    chosen: np.ndarray,
    weights: np.ndarray,
    available: np.ndarray,
    most: int,
    agreement: str,
) -> list[tuple[Surrogate, ...]]:
    """Return the surrogates of every open node of a level.

    Source: Breiman et al. (1984), section 5.3.1.

    Parameters
    ----------
    counter : what counts the cases, which are divided.
    is_numeric : array [A], whether a column has numbers.
    chosen : array [m], the column each node asks about; -1 in a leaf.
    weights : array [m, 2], the weight that the test sends down each branch.
    available : array [m, A], whether a column may be asked about.
    most : how many surrogates a node keeps.
    agreement : what this is a share of: "primary", the cases that the test of the node knows;
        "both", those that the surrogate knows as well.

    Returns
    -------
    list [m] of tuples of `dtreebook.tree.splits.Surrogate`, the best first; of equals, the first
    column.
    """
    found = _FoundSurrogates(len(chosen), len(is_numeric))
    answers = counter.branches()
    for table in chain.from_iterable(counter.cut_tables(answers)):
        _search_cuts(found, table, chosen)
    for rows in counter.nominal_rows(answers):
        if len(rows.size):
            _search_nominal(found, rows, chosen)
    if agreement == "primary":
        total, larger = weights.sum(axis=1)[:, None], weights.max(axis=1)[:, None]
    else:
        total, larger = found.both, found.most
    with np.errstate(divide="ignore", invalid="ignore"):
        share, adjusted = found.gain / total, (found.gain - larger) / (total - larger)
    share, adjusted = np.minimum([share, adjusted], 1)  # more is rounding
    is_one = (adjusted > MIN_ADJUSTED_AGREEMENT) & (chosen >= 0)[:, None] & available
    share = np.where(is_one, share, -np.inf)
    # Columns that agree as often keep their order, whatever the last digits.
    best = np.argsort(-share.round(9), axis=1, kind="stable")[:, :most]
    node, place = np.nonzero(np.take_along_axis(share, best, axis=1) > -np.inf)
    column = best[node, place]
    surrogates: list[tuple[Surrogate, ...]] = [()] * len(chosen)
    details = (found.flipped, share, adjusted)
    for i, split, *rest in zip(
        node.tolist(),
        found.splits(node, column, is_numeric),
        *(detail[node, column].tolist() for detail in details),
        strict=True,
    ):
        assert split is not None
        surrogates[i] += (Surrogate(split, *rest),)
    return surrogates


def _search_cuts(found: _FoundSurrogates, table: Table, chosen: np.ndarray) -> None:
    """Fill in the best cut of each group of a table.

    The cut lies between neighbours in the node, though of one the branch may not be known: such a
    case weighs nothing.
    """
    groups, rows = table.groups, table.rows
    if rows is not None:
        known = rows.held.number[:UNKNOWN].sum(axis=0)[None]
    else:
        assert table.codes is not None, "each row is a case"
        known = table.codes < UNKNOWN
    number, cases = groups.running(known)
    is_cut = (number >= MIN_CASES) & (groups.repeat(cases) - number >= MIN_CASES)
    asks_another = (chosen[table.node] >= 0) & (chosen[table.node] != table.column)
    is_cut &= groups.repeat(np.broadcast_to(asks_another, cases.shape))
    cuts = Cuts(table, is_cut & table.rises())
    (left, all_left), (right, all_right) = (cuts.running(table.amount(s)) for s in (LEFT, RIGHT))
    same = left + cuts.repeat(all_right) - right
    flipped = right + cuts.repeat(all_left) - left
    best, row = cuts.best(np.maximum(same, flipped).astype(float), lambda best: abs(best) * TIE)
    at = table.node, table.column
    found.gain[at] = best
    found.both[at], found.most[at] = all_left + all_right, np.maximum(all_left, all_right)
    found.flipped[at] = cuts.at(_is_more(flipped, same), row)
    found.left[at], found.right[at], _ = table.beside(row)


def _search_nominal(found: _FoundSurrogates, rows: Rows, chosen: np.ndarray) -> None:
    """Fill in what the levels of each group do: each goes where most of its cases go."""
    first = rows.first

    def of_group(amount):
        return np.add.reduceat(amount, first)

    left, right = rows.held.sums[LEFT], rows.held.sums[RIGHT]
    n_left, n_right = rows.held.number[LEFT], rows.held.number[RIGHT]
    all_left, all_right = of_group(left), of_group(right)
    # A level of which as many cases go either way goes with the majority.
    is_tied = ~(_is_more(left, right) | _is_more(right, left))
    goes_right = np.repeat(~_is_more(all_left, all_right), rows.size)
    goes_right = np.where(is_tied, goes_right, right > left)
    agree, known = of_group(np.where(goes_right, n_right, n_left)), of_group(n_left + n_right)
    fits = (agree >= MIN_CASES) & (known - agree >= MIN_CASES) & (chosen[rows.node] != rows.column)
    at = rows.node, rows.column
    found.gain[at] = np.where(fits, of_group(np.maximum(left, right)), -np.inf)
    found.both[at], found.most[at] = all_left + all_right, np.maximum(all_left, all_right)
    found.set_sides(rows, np.where(n_left + n_right == 0, -1, goes_right))

"""Tables of counts: all that the search for a test needs to know about the cases.

A *group* is a column in a node. Its table has a row for each value of the column that occurs in the
node, in the order of the values, with the weight of every class. If hardly two cases share a value,
the table has a row for each case instead, because that costs less. A cut comes after a row: the
running sum of the rows is what lies on its left, the rest of the group is what lies on its right.

The tables are the same whoever counted them: `dtreebook.count.memory` counts arrays, and
`dtreebook.database` lets a database count. The literature calls the tables of a node its AVC-group
(attribute, value, class; Gehrke, Ramakrishnan and Ganti 2000, RainForest).
"""

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from dtreebook.measures import LOST

# Weights are even if the largest is no more than so many times the least.
_EVEN = 16


class Sums(NamedTuple):
    """What some rows, or groups, add up to."""

    number: np.ndarray  #: array [K, r] of cases by class; of numbers, [1, r]
    weight: np.ndarray  #: array [r], their weight
    sums: np.ndarray  #: array [K, r], the weight of each class; of numbers, [1, r], their sum

    @property
    def is_counted(self) -> bool:
        """Whether every case weighs 1."""
        return self.sums is self.number

    @property
    def cases(self) -> np.ndarray:
        """Array [r], the number of cases."""
        if self.is_counted:
            return self.weight
        return self.number[0] if len(self.number) == 1 else self.number.sum(axis=0)

    @classmethod
    def of(cls, number: np.ndarray, sums: np.ndarray | None = None) -> "Sums":
        """Return the sums of classes, given cases and, if they do not all weigh 1, weights."""
        if sums is None:
            return cls(number, added(number), number)
        return cls(number, added(sums), sums)

    def take(self, rows: np.ndarray) -> "Sums":
        """Return those of some rows."""
        number = self.number.take(rows, axis=1)
        sums = number if self.is_counted else self.sums.take(rows, axis=1)
        return Sums(number, self.weight.take(rows), sums)

    def around(self, groups: "Groups") -> tuple["Sums", "Sums"]:
        """Return what lies before each of some rows in its group, and what is in the group."""

        def around(amount):
            so_far, total = groups.running(amount)
            return so_far - amount, groups.repeat(total)

        number, weight = around(self.number), around(self.weight)
        sums = number if self.is_counted else around(self.sums)
        before, total = map(Sums, number, weight, sums)
        return before, total


def added(by_class: np.ndarray) -> np.ndarray:
    """Return the sum over the classes, the first axis: with two classes twice as fast as `sum`."""
    return by_class[0] + by_class[1] if len(by_class) == 2 else by_class.sum(axis=0)


class Rows(NamedTuple):
    """A row for every value that occurs in a group, one group after another.

    Of a column with very many values rows can stand for ranges of them. What such a range holds
    is a group, too, once it is looked into: then much of its node lies before it.
    """

    #: arrays [g], of each group, and how many rows it has.
    node: np.ndarray
    column: np.ndarray
    size: np.ndarray
    #: array [r], the value of each row: a number, or the code of a level; of a range the least.
    value: np.ndarray
    held: Sums  #: `Sums` of the rows
    #: array [r], the largest value of each range; None if every row is one value.
    high: np.ndarray | None = None
    #: array [r, 2], the least and the largest of the numbers to be predicted in each range.
    ends: np.ndarray | None = None
    #: `Sums` of the groups, what lies before them in their nodes, and what these hold; None if a
    #: group is all that its node holds.
    before: Sums | None = None
    total: Sums | None = None
    #: array [g], where the insides of ranges stand among the ranges; None if their values say so.
    position: np.ndarray | None = None
    is_coded: bool = False  #: whether the values of ranges are their numbers only

    @property
    def first(self) -> np.ndarray:
        """Array [g], the first row of each group."""
        return np.cumsum(self.size) - self.size

    def take(self, groups: np.ndarray, rows: np.ndarray) -> "Rows":
        """Return some groups that are all of their nodes, and their rows in some order."""
        ends = self.node[groups], self.column[groups], self.size[groups]
        return Rows(*ends, self.value[rows], self.held.take(rows))

    def table(self) -> "Table":
        """Return the rows as a table to be cut."""
        held, before, total = self.held, self.before, self.total
        sums, weight = held.sums, None if held.is_counted else held.weight
        groups = Groups(self.size, weight, held.cases)
        totals = None
        if before is not None and total is not None:
            groups.shift(before, total)
            totals = before.sums[:, None], total.sums[:, None]
        return Table(
            groups,
            self.node[None],
            self.column[None],
            self.value[None],
            lambda k: sums[k][None],
            len(sums),
            totals=totals,
            rows=self,
        )


class Groups:
    """Where groups lie among the rows of tables, and what weighs up to each row and beyond it.

    Attributes
    ----------
    size, first, last : arrays [g], the rows of each group, of which there is one at least.
    left, right : arrays [r], the weight up to each row of its group, and beyond it.
    total : array [g], the weight of each group.
    number, cases : arrays [r] and [g], the number of cases up to each row, and in each group.
    weight : array [r], what the rows weigh; None if sums of weights are exact, or lie before.
    """

    def __init__(
        self, size: np.ndarray, weight: np.ndarray | None = None, number: np.ndarray | None = None
    ):
        self.size, self.last = size, np.cumsum(size) - 1
        self.first = self.last - size + 1
        if number is None:  # a row is a case
            self.cases = size
            self.number = np.arange(1, size.sum() + 1, dtype=np.int32)
            self.number -= np.repeat(self.first.astype(np.int32), size)
        else:
            self.number, self.cases = self.running(number)
        self.left, self.total, self.weight = self.number, self.cases, weight
        if weight is not None:
            self.left, self.total = self.running(weight)
        self.right = self.repeat(self.total) - self.left
        self._expected: dict[bytes, np.ndarray] = {}

    def shift(self, before: Sums, total: Sums) -> None:
        """Count what lies before the groups on the left, and the rest of their nodes right."""
        self.number, self.cases = self.number + self.repeat(before.cases), total.cases
        is_counted = before.is_counted
        self.left = self.number if is_counted else self.left + self.repeat(before.weight)
        self.total, self.weight = self.cases if is_counted else total.weight, None
        self.right = self.repeat(self.total) - self.left

    def repeat(self, of_group: np.ndarray) -> np.ndarray:
        """Repeat what is known of the groups, [..., g], for each of their rows: [..., r]."""
        return of_group.repeat(self.size, axis=-1)

    @cached_property
    def factor(self) -> np.ndarray:
        """The factor ``n / (l r)`` of each cut: array [r]; 0 where a side is empty."""
        total = self.repeat(self.total)
        left = self.left if self.lighter is None else self.lighter[1]
        return factor(left, total - left, total)

    @cached_property
    def lighter(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Whether the left side of each cut is the lighter one, and what that weighs: arrays [r].

        Beside a heavy case a light side keeps its digits only if it is added up from its own end.
        None where sums are exact, or the weights so even that it takes no more than it gives.
        """
        if self.weight is None or self.weight.max() <= _EVEN * self.weight.min():
            return None
        right = self.beyond(self.weight)
        return self.left <= right, np.minimum(self.left, right)

    def beyond(self, amount: np.ndarray) -> np.ndarray:
        """Return the sum of an amount [..., r] beyond each row of its group, from the end."""
        source, row, free = self._spaced
        from_here = np.zeros((*amount.shape[:-1], len(source) + 1))
        from_here[..., :-1] = amount.take(source, axis=-1)
        from_here[..., free] = -np.add.reduceat(amount, self.first, axis=-1)
        from_here = np.cumsum(from_here[..., ::-1], axis=-1)[..., ::-1]
        next_free = from_here.take(np.append(free[1:], len(source)), axis=-1)
        return from_here.take(row + 1, axis=-1) - self.repeat(next_free)

    @cached_property
    def has_sides(self) -> np.ndarray | bool:
        """Whether both sides of a cut weigh anything, beside what is lost in rounding: [r]."""
        if self.left is self.number:  # a row is a case at least, and after the last is no cut
            return True
        least = self.repeat(self.total) * LOST
        return (self.left > least) & (self.right > least)

    def expected(self, total: np.ndarray) -> np.ndarray:
        """Return what is left of each cut of a total, [g] or [b, g], that is spread evenly."""
        if total.dtype.kind == "f":
            return self.left * self.repeat(total / self.total)
        key = total.tobytes()  # columns known of all cases have the same totals
        if key not in self._expected:
            self._expected[key] = self.left * self.repeat(total / self.total)
        return self._expected[key]

    def running(self, amount: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum of an amount [..., r] up to each row of its group, and of each group.

        Booleans are counted. The sums of numbers that are not whole begin anew in every group, so
        that no digit is lost beside other groups.
        """
        if amount.dtype.kind == "f":
            return self._running_floats(amount)
        # Also where integers are of 32 bits, as in the Python of a page, sums of squares must fit.
        dtype: DTypeLike = np.int32 if amount.dtype == bool else np.int64
        so_far = np.cumsum(amount, axis=-1, dtype=dtype)
        before, total = self._ends(so_far)
        so_far -= self.repeat(before)
        return so_far, total

    def _ends(self, so_far):
        """Return a running sum over all rows before each group, and the sum of each group."""
        up_to_last = so_far.take(self.last, axis=-1)
        before = np.zeros_like(up_to_last)
        before[..., 1:] = up_to_last[..., :-1]
        return before, up_to_last - before

    @cached_property
    def _spaced(self):
        """Each row and, before each group, a free row: where rows come from, and where they go."""
        gap = np.arange(len(self.size))
        row = np.arange(self.size.sum()) + self.repeat(gap + 1)
        free = self.first + gap
        source = np.zeros(len(row) + len(free), dtype=np.intp)
        source[row] = np.arange(len(row))
        return source, row, free

    def _running_floats(self, amount):
        """Take the sum of each group off again after it, so that the running sum never grows.

        It does not anyway where each adds up to next to nothing, as deviations from a mean do.
        """
        if len(self.size) == 1 or amount.min(initial=0) < 0:
            so_far = np.cumsum(amount, axis=-1)
            before, total = self._ends(so_far)
            if (abs(before) <= abs(amount.take(self.first, axis=-1))).all():
                so_far -= self.repeat(before)
                return so_far, total
        source, row, free = self._spaced
        so_far = amount.take(source, axis=-1)
        so_far[..., free[:1]] = 0
        so_far[..., free[1:]] = -np.add.reduceat(amount, self.first, axis=-1)[..., :-1]
        np.cumsum(so_far, axis=-1, out=so_far)
        before = so_far.take(free, axis=-1)
        within = so_far.take(row, axis=-1)
        within -= self.repeat(before)
        return within, within.take(self.last, axis=-1)


class Table(NamedTuple):
    """The tables of some columns in the open nodes, one after the other.

    Columns that are known of all cases, each of weight 1, have the same groups: then the arrays are
    [b, r], a line for each of b columns. Else b is 1, and the groups are those of all columns.
    """

    groups: Groups
    #: arrays that broadcast to [b, g], the node and the column of each group.
    node: np.ndarray
    column: np.ndarray
    value: np.ndarray  #: array [b, r], the value of each row: a number, or the code of a level
    #: function from a class to its weight in each row, [b, r]; of numbers, for 0, their sum.
    amount: Callable[[int], np.ndarray]
    n_classes: int  #: K; 1 for numbers
    codes: np.ndarray | None = None  #: array [b, r], the class of each row, where a row is a part
    is_counted: bool = False  #: whether each row is a case of weight 1
    #: arrays [K, 1, g], what lies before each group in its node, and what the node holds; None if a
    #: group is all of its node.
    totals: tuple[np.ndarray, np.ndarray] | None = None
    rows: Rows | None = None  #: `Rows` that the table was made of, if it was

    @property
    def ranges(self) -> Rows | None:
        """The rows, if they are ranges."""
        return None if self.rows is None or self.rows.high is None else self.rows

    def beside(self, row: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the values on the left and on the right of the cuts after some rows.

        And numbers in the order of these cuts.
        """
        largest = self.value if self.ranges is None else self.ranges.high
        assert largest is not None
        left, right = largest.take(row), self.value.take(np.minimum(row + 1, self.value.size - 1))
        if self.rows is None:
            return left, right, left
        position = left if self.rows.position is None else self.rows.position
        if self.rows.is_coded:
            left = right = np.full(row.shape, np.nan)
        return left, right, position

    def rises(self, least: float = 0.0) -> np.ndarray:
        """Return after which rows a higher value follows in the same group: array [b, r]."""
        value = self.value
        rises = np.zeros(value.shape, dtype=bool)
        higher = value[..., 1:] - least if least else value[..., 1:]
        np.less(value[..., :-1], higher, out=rises[..., :-1])
        rises[..., self.groups.last] = False
        return rises


def factor(left: np.ndarray, right: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return ``n / (l r)`` of cuts; 0 where a side is empty, or the product of weights is 0."""
    product = np.multiply(left, right, dtype=float)  # counts may be integers of 32 bits
    np.copyto(product, np.inf, where=product <= 0)
    return np.divide(total, product, out=product)


def stable_order(codes: np.ndarray) -> np.ndarray:
    """Return the order that sorts codes from 0 up, equal ones as they stand."""
    # NumPy sorts two bytes by counting: larger codes first by their last two, then by the others.
    order = np.argsort(codes.astype(np.uint16), kind="stable")
    if len(codes) and codes.max() >= 2**16:
        order = order.take(stable_order(codes.take(order) >> 16))
    return order

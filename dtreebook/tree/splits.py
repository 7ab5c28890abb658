"""The kinds of tests at a node, and all that is told of one.

A kind is a class below `Split`. It says which branch a value takes, how a branch is worded, what a
stored tree holds of the test, and how the test is written in programs, in SQL and for databases.

A column is given as codes of levels (nominal, ordered; unknown: -1) or as floats (unknown: NaN).
The tests of a whole tree are `Splits`: arrays, as there may be a million.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from reprlib import repr as short_repr
from typing import Any, ClassVar

import numpy as np

from dtreebook.data.cases import Attribute, unknown
from dtreebook.data.words import in_digits, list_in_words, printable, value_in_words


class Split(ABC):
    """Divide the cases of a node by the value of one column.

    What is written here is right for a test of levels. A kind of test of numbers writes itself in
    `in_program`, `in_sql` and `in_database`.
    """

    __slots__ = ()

    kind: ClassVar[str]  #: its name in a stored tree
    never_of: ClassVar[str] = "numeric"  #: the kind of attributes that it does not ask about
    #: what C4.5 prints between a branch and the colon behind it.
    gap: ClassVar[str] = ""

    column: int  #: the position of the attribute among the attributes of the tree

    @abstractmethod
    def branches(self, attribute: Attribute) -> int:
        """Return how many branches there are, given the `Attribute` that is tested."""

    @abstractmethod
    def branch(self, values: np.ndarray) -> np.ndarray:
        """Return the branch of each value or code, -1 where it is unknown."""

    def of_levels(self, attribute: Attribute, flipped: bool = False) -> list[int]:
        """Return the branch of each level, -1 for none; of a test that is flipped the other one."""
        branch = self.branch(np.arange(len(attribute.levels)))
        return np.where(flipped & (branch >= 0), 1 - branch, branch).tolist()

    def levels(self, attribute: Attribute) -> list[list]:
        """Return the levels that take each branch."""
        return by_branch(attribute.levels, self.of_levels(attribute), self.branches(attribute))

    # --- in words

    @abstractmethod
    def words(self, attribute: Attribute) -> tuple[str, ...]:
        """Return each branch in words, given the `Attribute` that is tested."""

    def words_of_c45(self, attribute: Attribute) -> tuple[str, ...]:
        """Return each branch in words as C4.5 prints it."""
        return self.words(attribute)

    # --- in rules and pictures

    def implies(self, branch: int, other: "Split", taken: int) -> bool:
        """Return whether a case that takes the branch takes that of another test for sure."""
        return False

    def is_upper_bound(self, branch: int) -> bool:
        """Return whether the branch says only how large a value may be."""
        return False

    def n_named(self, branch: int) -> int:
        """Return how many levels the branch names; 1 for a test of numbers."""
        return 1

    def regions(self, lower: np.ndarray, upper: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the lower and upper ends of the part of a region of numbers for each branch."""
        raise ValueError(f"a test of the kind {self.kind!r} does not divide numbers into ranges")

    # --- in a stored tree

    def entry(self, attribute: Attribute) -> dict[str, Any]:
        """Return what a stored tree holds of the test beside its kind and its column."""
        return {}

    @classmethod
    @abstractmethod
    def from_entry(cls, column: int, attribute: Attribute, entry: dict[str, Any]) -> "Split":
        """Return the test of an entry that `entry` wrote, or raise ValueError."""

    # --- in other languages

    def in_program(self, write: Any, attribute: Attribute, flipped: bool) -> str:
        """Return the expression for the branch in a program of `dtreebook.tree.code`.

        `write` is the program: it has a `language`, and writes the `value` of a column, a
        `literal`, and the `look_up` of a value among levels. The branches of a test that is flipped
        are exchanged.
        """
        of_levels = self.of_levels(attribute, flipped)
        return write.look_up(write.value(self.column), attribute.levels, of_levels)

    def in_sql(self, write: Any, attribute: Attribute) -> list[str]:
        """Return the condition of each branch in SQL; it is NULL or false for an unknown value.

        `write` is a dialect of `dtreebook.tree.sql`, which writes that a column `is_one` of some
        levels, or a number `above` a cut.
        """
        return [write.is_one(attribute.name, levels) for levels in self.levels(attribute)]

    def in_database(
        self, value: Any, attribute: Attribute, number: Callable, is_in: Callable
    ) -> list[tuple[int, Any]]:
        """Return the branches that a value can take, each with the expression that is true there.

        The value is an expression of Ibis. Functions make a number an expression, and say that the
        value is one of some levels.
        """
        groups = self.levels(attribute)
        return [(branch, is_in(levels)) for branch, levels in enumerate(groups) if levels]


@dataclass(frozen=True, slots=True)
class Multiway(Split):
    """Send every level of a nominal attribute down a branch of its own.

    Source: Quinlan (1986), section 4.

    Examples
    --------
    >>> from dtreebook.data.cases import Attribute
    >>> Multiway(0).words(Attribute("house", "nominal", ("no", "yes")))
    ('house = no', 'house = yes')
    """

    kind = "multiway"

    column: int

    def branches(self, attribute: Attribute) -> int:
        return len(attribute.levels)

    def branch(self, values: np.ndarray) -> np.ndarray:
        return values

    def words(self, attribute: Attribute) -> tuple[str, ...]:
        name = printable(attribute.name)
        return tuple(f"{name} = {value_in_words(level)}" for level in attribute.levels)

    @classmethod
    def from_entry(cls, column: int, attribute: Attribute, entry: dict[str, Any]) -> "Multiway":
        return cls(column)


@dataclass(frozen=True, slots=True)
class Threshold(Split):
    """Send values up to the cut down the first branch, larger ones down the second.

    Source: Quinlan (1993), section 2.4; Breiman et al. (1984), section 2.4.1.

    Examples
    --------
    >>> from dtreebook.data.cases import Attribute
    >>> Threshold(0, 75.0).words(Attribute("humidity", "numeric"))
    ('humidity <= 75', 'humidity > 75')
    >>> Threshold(0, 75.0).branch(np.array([70.0, 75.0, 80.0, np.nan]))
    array([ 0,  0,  1, -1])
    """

    kind = "threshold"
    never_of = "nominal"
    gap = " "

    column: int
    cut: float  #: the largest value that takes the first branch; of an ordered attribute, its code

    def branches(self, attribute: Attribute) -> int:
        return 2

    def branch(self, values: np.ndarray) -> np.ndarray:
        return np.where(unknown(values), -1, values > self.cut)

    def words(self, attribute: Attribute) -> tuple[str, ...]:
        is_numeric = attribute.kind == "numeric"
        return _below_and_above(
            attribute.name,
            in_digits(self.cut, 6, 1)
            if is_numeric
            else value_in_words(attribute.levels[int(self.cut)]),
        )

    def words_of_c45(self, attribute: Attribute) -> tuple[str, ...]:
        if attribute.kind != "numeric":
            return self.words(attribute)
        return _below_and_above(attribute.name, f"{self.cut:g}")  # whatever the size of the cut

    def implies(self, branch: int, other: Split, taken: int) -> bool:
        if not isinstance(other, Threshold) or branch != taken:
            return False
        return self.cut <= other.cut if branch == 0 else self.cut >= other.cut

    def is_upper_bound(self, branch: int) -> bool:
        return branch == 0

    def regions(self, lower: np.ndarray, upper: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        below, above = upper.copy(), lower.copy()
        below[self.column] = above[self.column] = self.cut
        return [(lower, below), (above, upper)]

    def entry(self, attribute: Attribute) -> dict[str, Any]:
        return {"cut": int(self.cut) if attribute.levels else self.cut}

    @classmethod
    def from_entry(cls, column: int, attribute: Attribute, entry: dict[str, Any]) -> "Threshold":
        cut, codes = entry["cut"], range(len(attribute.levels))
        if not isfinite(cut) or (attribute.kind == "ordered" and cut not in codes):
            raise ValueError(f"it cuts {attribute.name} at {cut}")
        return cls(column, cut)

    def in_program(self, write: Any, attribute: Attribute, flipped: bool) -> str:
        if attribute.levels:
            return Split.in_program(self, write, attribute, flipped)
        return f"cut({write.value(self.column)}, {self.cut!r}, {'1, 0' if flipped else '0, 1'})"

    def in_sql(self, write: Any, attribute: Attribute) -> list[str]:
        if attribute.levels:
            return Split.in_sql(self, write, attribute)
        name, cut = attribute.name, write.literal(self.cut)
        return [f"{write.number(name)} <= {cut}", write.above(name, cut)]

    def in_database(
        self, value: Any, attribute: Attribute, number: Callable, is_in: Callable
    ) -> list[tuple[int, Any]]:
        if attribute.levels:
            return Split.in_database(self, value, attribute, number, is_in)
        cut = number(self.cut)
        return [(0, value <= cut), (1, value > cut)]


@dataclass(frozen=True, slots=True)
class Subset(Split):
    """Send groups of levels of a nominal attribute down a branch each.

    Source: Quinlan (1993), chapter 7; Breiman et al. (1984), section 2.4.1.

    Examples
    --------
    >>> from dtreebook.data.cases import Attribute
    >>> outlook = Attribute("outlook", "nominal", ("sunny", "overcast", "rain"))
    >>> Subset(0, ((0, 2), (1,))).words(outlook)
    ('outlook in {sunny,rain}', 'outlook = overcast')
    >>> Subset(0, ((0, 2), (1,))).branch(np.array([0, 1, 2, -1]))
    array([ 0,  1,  0, -1])
    """

    kind = "subset"

    column: int
    #: for each branch, the codes of its levels; a level in no group is as good as unknown.
    groups: tuple[tuple[int, ...], ...]

    def branches(self, attribute: Attribute) -> int:
        return len(self.groups)

    def branch(self, values: np.ndarray) -> np.ndarray:
        branch_of = [-1] * (max(max(group, default=-1) for group in self.groups) + 2)
        for branch, group in enumerate(self.groups):
            for code in group:
                branch_of[code] = branch
        # A code beyond the last grouped level falls on the -1 at the end, as an unknown one does.
        return np.array(branch_of).take(np.minimum(values, len(branch_of) - 1))

    def words(self, attribute: Attribute) -> tuple[str, ...]:
        name, levels = printable(attribute.name), attribute.levels
        return tuple(
            f"{name} = {value_in_words(levels[group[0]])}"
            if len(group) == 1
            else f"{name} in {{{list_in_words([levels[code] for code in group])}}}"
            for group in self.groups
        )

    def implies(self, branch: int, other: Split, taken: int) -> bool:
        return isinstance(other, Subset) and set(self.groups[branch]) <= set(other.groups[taken])

    def n_named(self, branch: int) -> int:
        return len(self.groups[branch])

    def entry(self, attribute: Attribute) -> dict[str, Any]:
        return {"groups": [list(group) for group in self.groups]}

    @classmethod
    def from_entry(cls, column: int, attribute: Attribute, entry: dict[str, Any]) -> "Subset":
        groups = tuple(tuple(map(int, group)) for group in entry["groups"])
        grouped = [code for group in groups for code in group]
        if len(set(grouped)) < len(grouped) or max(grouped) >= len(attribute.levels):
            raise ValueError(
                f"its groups {short_repr(entry['groups'])} do not divide {attribute.name}"
            )
        return cls(column, groups)


#: The kinds of tests, by their names in a stored tree.
KINDS: dict[str, type[Split]] = {kind.kind: kind for kind in (Multiway, Threshold, Subset)}


class Splits:
    """The tests of N nodes, None in a leaf: each is made when it is asked for.

    Attributes
    ----------
    column : array [N], the column that each node asks about; -1 in a leaf.
    cut : array [N], that of each `Threshold`; NaN in other nodes.
    groups : dict from the number of each node with a `Subset` to its groups.
    others : dict from the number of each node with a test of any further kind to this test.

    Examples
    --------
    >>> splits = Splits.of([Threshold(2, 75.0), None, Multiway(0)])
    >>> splits.column
    array([ 2, -1,  0])
    >>> splits[0]
    Threshold(column=2, cut=75.0)
    """

    def __init__(
        self,
        column: np.ndarray,
        cut: np.ndarray,
        groups: dict[int, tuple[tuple[int, ...], ...]] | None = None,
    ):
        self.column, self.cut, self.groups = column, cut, groups or {}
        self.others: dict[int, Split] = {}

    @classmethod
    def none(cls, n: int) -> "Splits":
        """Return the tests of n leaves."""
        return cls(np.full(n, -1), np.full(n, np.nan))

    @classmethod
    def of(cls, tests: Iterable[Split | None]) -> "Splits":
        """Return some tests as arrays."""
        tests = list(tests)
        splits = cls.none(len(tests))
        for i, test in enumerate(tests):
            if test is not None:
                splits[i] = test
        return splits

    def __len__(self) -> int:
        return len(self.column)

    def __iter__(self) -> Iterator[Split | None]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, i: int) -> Split | None:
        column, cut, groups = self.column.item(i), self.cut.item(i), self.groups
        if column < 0:
            return None
        if groups and (number := range(len(self))[i]) in groups:
            return Subset(column, groups[number])
        if self.others and (number := range(len(self))[i]) in self.others:
            return self.others[number]
        return Multiway(column) if cut != cut else Threshold(column, cut)

    def __setitem__(self, i: int, test: Split) -> None:
        number = range(len(self))[i]
        self.column[i], self.cut[i] = test.column, np.nan
        self.groups.pop(number, None)
        self.others.pop(number, None)
        if isinstance(test, Threshold):
            self.cut[i] = test.cut
        elif isinstance(test, Subset):
            self.groups[number] = test.groups
        elif not isinstance(test, Multiway):
            self.others[number] = test

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Splits):
            return NotImplemented
        same = np.array_equal(self.column, other.column) and self.groups == other.groups
        same = same and self.others == other.others
        return same and np.array_equal(self.cut, other.cut, equal_nan=True)

    def put(self, nodes: np.ndarray, splits: "Splits") -> None:
        """Take over the tests of other nodes, given where they belong."""
        self.column[nodes], self.cut[nodes] = splits.column, splits.cut
        self.groups |= {nodes.item(i): groups for i, groups in splits.groups.items()}
        self.others |= {nodes.item(i): test for i, test in splits.others.items()}

    def take(self, nodes: np.ndarray) -> "Splits":
        """Return the tests of some nodes, -1 for a leaf."""
        cut = np.where(nodes < 0, np.nan, self.cut[nodes])
        taken = Splits(np.where(nodes < 0, -1, self.column[nodes]), cut)
        if self.groups or self.others:
            pairs = list(enumerate(nodes.tolist()))
            taken.groups = {at: self.groups[i] for at, i in pairs if i in self.groups}
            taken.others = {at: self.others[i] for at, i in pairs if i in self.others}
        return taken


@dataclass(frozen=True, slots=True)
class Surrogate:
    """Stand in for the test of a node where its value is unknown.

    Source: Breiman et al. (1984), section 5.3.
    """

    split: Split  #: a test with two branches, of another attribute
    flipped: bool  #: whether its first branch stands for the second of the node's own test
    agreement: float  #: the share of the cases that it sends the same way
    #: how much of the disagreement it saves over sending all with the majority; 1 if all agree
    adjusted: float

    def branch(self, values: np.ndarray) -> np.ndarray:
        """Return the branch of the node's test for each value or code, -1 where it is unknown."""
        branch = self.split.branch(values)
        return np.where(branch < 0, -1, 1 - branch) if self.flipped else branch


def by_branch(levels: Iterable, branches: Iterable[int], n_branches: int) -> list[list]:
    """Return the levels that take each branch, given the branch of each level, -1 for none."""
    groups: list[list] = [[] for _ in range(n_branches)]
    for level, branch in zip(levels, branches, strict=True):
        if branch >= 0:
            groups[branch].append(level)
    return groups


def middle(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return the number half-way between two, which is never the higher one."""
    # Halved first, so that no sum overflows; rounded up to the upper value it divided nothing.
    return np.minimum(low / 2 + high / 2, np.nextafter(high, low))


def _below_and_above(name: str, cut: str) -> tuple[str, str]:
    return f"{printable(name)} <= {cut}", f"{printable(name)} > {cut}"

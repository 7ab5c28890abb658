"""What a test at a node is, which branch a value takes, and how a branch is worded.

A column is given as codes of levels (nominal, ordered; unknown: -1) or as floats (unknown: NaN).
Every kind of test has the methods of `Multiway`; `Split` stands for any of them. The tests of
a whole tree are `Splits`: arrays, as there may be a million.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from dtreebook.data.cases import Attribute, unknown
from dtreebook.data.words import in_digits, list_in_words, printable


@dataclass(frozen=True, slots=True)
class Multiway:
    """Send every level of a nominal attribute down a branch of its own.

    Source: Quinlan (1986), section 4.

    Examples
    --------
    >>> from dtreebook.data.cases import Attribute
    >>> Multiway(0).words(Attribute("house", "nominal", ("no", "yes")))
    ('house = no', 'house = yes')
    """

    column: int  #: the position of the attribute among the attributes of the tree

    def branches(self, attribute: Attribute) -> int:
        """Return how many branches there are, given the `Attribute` that is tested."""
        return len(attribute.levels)

    def branch(self, values: np.ndarray) -> np.ndarray:
        """Return the branch of each value or code, -1 where it is unknown."""
        return values

    def words(self, attribute: Attribute) -> tuple[str, ...]:
        """Return each branch in words, given the `Attribute` that is tested."""
        name = printable(attribute.name)
        return tuple(f"{name} = {printable(level)}" for level in attribute.levels)


@dataclass(frozen=True, slots=True)
class Threshold:
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
            in_digits(self.cut, 6, 1) if is_numeric else printable(attribute.levels[int(self.cut)]),
        )


@dataclass(frozen=True, slots=True)
class Subset:
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
            f"{name} = {printable(levels[group[0]])}"
            if len(group) == 1
            else f"{name} in {{{list_in_words([levels[code] for code in group])}}}"
            for group in self.groups
        )


#: Any test.
Split: TypeAlias = Multiway | Threshold | Subset


class Splits:
    """The tests of N nodes, None in a leaf: each is made when it is asked for.

    Attributes
    ----------
    column : array [N], the column that each node asks about; -1 in a leaf.
    cut : array [N], that of each `Threshold`; NaN in other nodes.
    groups : dict from the number of each node with a `Subset` to its groups.

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
        return Multiway(column) if cut != cut else Threshold(column, cut)

    def __setitem__(self, i: int, test: Split) -> None:
        self.column[i], self.cut[i] = test.column, getattr(test, "cut", np.nan)
        number = range(len(self))[i]
        self.groups.pop(number, None)
        if isinstance(test, Subset):
            self.groups[number] = test.groups

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Splits):
            return NotImplemented
        same = np.array_equal(self.column, other.column) and self.groups == other.groups
        return same and np.array_equal(self.cut, other.cut, equal_nan=True)

    def put(self, nodes: np.ndarray, splits: "Splits") -> None:
        """Take over the tests of other nodes, given where they belong."""
        self.column[nodes], self.cut[nodes] = splits.column, splits.cut
        self.groups |= {nodes.item(i): groups for i, groups in splits.groups.items()}

    def take(self, nodes: np.ndarray) -> "Splits":
        """Return the tests of some nodes, -1 for a leaf."""
        cut = np.where(nodes < 0, np.nan, self.cut[nodes])
        taken = Splits(np.where(nodes < 0, -1, self.column[nodes]), cut)
        if self.groups:
            pairs = enumerate(nodes.tolist())
            taken.groups = {at: self.groups[i] for at, i in pairs if i in self.groups}
        return taken


@dataclass(frozen=True, slots=True)
class Surrogate:
    """Stand in for the test of a node where its value is unknown.

    Source: Breiman et al. (1984), section 5.3.
    """

    split: Threshold | Subset  #: a test with two branches, of another attribute
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


def words_of_c45(split: Split, attribute: Attribute) -> tuple[str, ...]:
    """Return each branch of a test as C4.5 prints it: six digits of a cut, whatever its size."""
    if isinstance(split, Threshold) and attribute.kind == "numeric":
        return _below_and_above(attribute.name, f"{split.cut:g}")
    return split.words(attribute)


def _below_and_above(name: str, cut: str) -> tuple[str, str]:
    return f"{printable(name)} <= {cut}", f"{printable(name)} > {cut}"

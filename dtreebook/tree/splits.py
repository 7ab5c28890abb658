"""What a test at a node is, which branch a value takes, and how a branch is worded.

A column is given as codes of levels (nominal, ordered; unknown: -1) or as floats (unknown: NaN).
Every kind of test has the methods of `Multiway`; `Split` stands for any of them.
"""

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

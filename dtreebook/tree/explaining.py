"""Why a tree answers as it does: the steps of a case, each with how its branch was decided.

At a node the test decides if it has a branch for the value of the case. If not, the surrogates of
the node are asked, the best first; then its default branch is taken. Where there is neither, the
case stops, or goes down every branch in parts. Every text, picture or table that gives a reason
reads it from here.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from dtreebook.data.counts import majority_class
from dtreebook.data.reading import encode_table
from dtreebook.tree.fractions import answers
from dtreebook.tree.text import answer, outcome
from dtreebook.tree.words import Word, printable

if TYPE_CHECKING:
    from dtreebook.tree.tree import Tree


class How(Word):
    """How the branch of a case was decided at a node."""

    TEST = "test"
    SURROGATE = "surrogate"
    DEFAULT = "default"
    PARTS = "parts"
    STOP = "stop"


class Step(NamedTuple):
    """One node on the way of a case."""

    node: int  #: its number, level by level
    column: str  #: the name of the column that it asks about
    value: Any  #: what the case has there, as it was given
    is_unseen: bool  #: whether the value is known, but the test has no branch for it
    branch: int  #: the branch that the case takes; -1 if it stops or divides
    test: str  #: the branch in words; "" if there is none
    how: How  #: what decided
    surrogate: str  #: the test of the surrogate that decided, in words; "" if none did
    counts: np.ndarray  #: the weights of the training cases by class where the case is then

    def __str__(self) -> str:
        return step_words(self.test, self.how, lack(self.column, self.is_unseen), self.surrogate)


class Explanation(NamedTuple):
    """Why a tree gives a case its answer."""

    steps: tuple[Step, ...]  #: the `Step` of each node that asks
    node: int  #: the number of the node where the case ends, or begins to go in parts
    answer: Any  #: the class, or the number
    outcome: str  #: the answer in words, with the cases behind it

    def __str__(self) -> str:
        passed, end = list(map(str, self.steps)), self.outcome
        if self.steps and self.steps[-1].how is How.STOP:
            end = f"{passed.pop()}, so {end}"
        return f"{', '.join(passed)}: {end}" if passed else end


def explanations(tree: "Tree", table: pd.DataFrame | np.ndarray) -> list[Explanation]:
    """Return the `Explanation` of every case.

    Source: Breiman et al. (1984), section 5.3, on surrogates; Quinlan (1993), chapter 3, on parts.

    Parameters
    ----------
    table : DataFrame or array [n, A] with the columns in the order of the tree's attributes.

    Examples
    --------
    >>> from dtreebook import CARTClassifier
    >>> X = pd.DataFrame({"size": [1.0, 2, 3, 4], "weight": [10.0, 20, 30, 40]})
    >>> model = CARTClassifier(max_surrogates=1).fit(X, ["cat", "cat", "dog", "dog"])
    >>> why, = explanations(model.tree_, pd.DataFrame({"size": [np.nan], "weight": [12.0]}))
    >>> why.steps[0].how, why.steps[0].surrogate, why.answer
    (<How.SURROGATE: 'surrogate'>, 'weight <= 25', 'cat')
    >>> print(why)
    size <= 2.5 (size unknown; by weight <= 25): cat (2 of 2 cases)
    """
    frame = pd.DataFrame(table)
    columns = encode_table(table, tree.attributes)
    ends = tree.arrays.route(columns)
    shares = answers(tree, columns) if tree.fractional else None
    return [
        _explanation(tree, frame, columns, case, end, None if shares is None else shares[case])
        for case, end in enumerate(ends.tolist())
    ]


def lack(column: str, is_unseen: bool) -> str:
    """Return in words why a test has no branch for the value of a column."""
    return f"{printable(column)} {'never seen here' if is_unseen else 'unknown'}"


def step_words(test: str, how: How, lack: str, surrogate: str = "") -> str:
    """Return a step in words: the branch, and how it was decided if the test did not know it.

    Examples
    --------
    >>> step_words("house = no", How.TEST, ""), step_words("house = no", How.DEFAULT, "house ?")
    ('house = no', 'house = no (house ?; by default)')
    """
    if how is How.TEST:
        return test
    if how in (How.STOP, How.PARTS):
        return lack
    return f"{test} ({lack}; by {surrogate or 'default'})"


def _explanation(tree, frame, columns, case, end, shares):
    """Return the explanation of one case that ends in a node."""
    way, node = [], end
    while node:
        way.append((int(tree.arrays.parent[node]), node))
        node = way[-1][0]
    steps = [_step(tree, frame, columns, case, at, below) for at, below in reversed(way)]
    if tree.arrays.split[end] is not None:
        steps.append(_step(tree, frame, columns, case, end, None))
    label = tree.arrays.label[end]
    words = outcome(tree, end)
    if steps and steps[-1].how is How.PARTS:
        label = majority_class(shares[None])[0]
        words = f"{answer(tree, label)} ({shares.max():.1%} over all branches)"
    said = label if tree.classes is None else tree.classes[label]
    return Explanation(tuple(steps), end, said, words)


def _step(tree, frame, columns, case, node, below):
    """Return the step from a node to the one below it; None if the case stops here."""
    split, surrogate = tree.arrays.split[node], ""
    attribute, value = tree.attributes[split.column], frame.iat[case, split.column]
    has_branch = _branch(split, columns, case) >= 0
    if below is None:
        branch, test, how = -1, "", How.PARTS if tree.fractional else How.STOP
    else:
        branch = below - int(tree.arrays.first_child[node])
        test, how = split.words(attribute)[branch], How.TEST
        if not has_branch:
            surrogate = _deciding(tree, columns, case, node)
            how = How.SURROGATE if surrogate else How.DEFAULT
    is_one = not isinstance(value, list | tuple | frozenset | np.ndarray)
    is_unseen = not (has_branch or (is_one and pd.isna(value)))
    counts = tree.arrays.counts[node if below is None else below]
    return Step(node, attribute.name, value, is_unseen, branch, test, how, surrogate, counts)


def _branch(test, columns, case):
    """Return the branch that one case takes by one test; -1 if it has none."""
    return int(test.branch(columns[test.column][case : case + 1])[0])


def _deciding(tree, columns, case, node):
    """Return the branch of the first surrogate that knows the case, in words; "" if none does."""
    for surrogate in tree.arrays.surrogates[node]:
        split = surrogate.split
        if (branch := _branch(split, columns, case)) >= 0:
            return split.words(tree.attributes[split.column])[branch]
    return ""

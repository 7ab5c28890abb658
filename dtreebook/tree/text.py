"""What is said of a tree: as text, as a table of rules, and of a case, why it gets its answer.

Every text, picture or table that gives a reason for a case reads it from `explanations`.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dtreebook.data.cases import majority_class
from dtreebook.data.encoding import encode_table
from dtreebook.data.words import Word, in_digits, printable, weight_in_words
from dtreebook.tree.arrays import TreeData
from dtreebook.tree.node import Node
from dtreebook.tree.predicting import answers
from dtreebook.tree.splits import Split

# What comes before a branch, and before everything below it; the same of the last branch.
_STYLES = {
    "c45": (("", "|   "), ("", "|   ")),
    "box": (("├── ", "│   "), ("└── ", "    ")),
}


def export_text(tree: TreeData, style: str = "c45", errors: np.ndarray | None = None) -> str:
    """Return a tree as indented text: see `Tree.export_text` for how."""
    if style not in _STYLES:
        raise ValueError(f"style must be one of {', '.join(_STYLES)}, not {style!r}")
    (corner, bar), (last_corner, last_bar) = _STYLES[style]
    is_c45 = style == "c45"  # leaves before subtrees, and six digits of a cut
    lines = []
    stack = [("", "", 0)]
    while stack:
        words, indent, i = stack.pop()
        split = tree.arrays.split[i]
        if split is None:
            lines.append(f"{words}: {leaf_words(tree, i, errors)}")
            continue
        if words:
            lines.append(words + ":" * is_c45)
        attribute = tree.attributes[split.column]
        in_words = split.words_of_c45(attribute) if is_c45 else split.words(attribute)
        branches = list(zip(in_words, tree.arrays.children(i), strict=True))
        if is_c45:
            branches = [(words + split.gap, child) for words, child in branches]
            branches.sort(key=lambda branch: tree.arrays.split[branch[1]] is not None)
        *others, (words, child) = branches
        stack.append((indent + last_corner + words, indent + last_bar, child))
        for words, child in reversed(others):
            stack.append((indent + corner + words, indent + bar, child))
    return "\n".join(lines).removeprefix(": ")


def branch_words(tree: TreeData, node: Node) -> tuple[str, ...]:
    """Return the branches of a node in words; of a leaf, none."""
    split = node.split
    return () if split is None else split.words(tree.attributes[split.column])


def branch_answers(tree: TreeData, node: Node) -> list[str]:
    """Return what leads down each branch of a node: not "house = no", but "no"."""
    if node.split is None:
        return []
    name = printable(tree.attributes[node.split.column].name)
    words = branch_words(tree, node)
    return [said.removeprefix(name).removeprefix(" = ").strip() for said in words]


def class_names(tree: TreeData) -> list[str]:
    """Return the classes as text, in the order of the counts; none in a regression tree."""
    return [] if tree.classes is None else list(map(str, tree.classes))


def leaf_words(tree: TreeData, leaf: int, errors: np.ndarray | None = None) -> str:
    """Return what a leaf says, its answer, cases and cost: see `export_text` for how."""
    cost = (tree.risk if errors is None else errors)[leaf]
    cost = "" if not cost else f"/{cost:.4g}" if tree.is_regression else f"/{cost:.1f}"
    said = answer(tree, tree.arrays.label[leaf])
    return f"{said} ({tree.arrays.counts[leaf].sum():.1f}{cost})"


def answer(tree: TreeData, label: int | float) -> str:
    """Return a label in words: the class, or the number to four digits and all before its point."""
    return in_digits(label, 4) if tree.classes is None else printable(tree.classes[int(label)])


def outcome(tree: TreeData, number: int) -> str:
    """Return the answer of a node in words, with the cases behind it."""
    label, counts = tree.arrays.label[number], tree.arrays.counts[number]
    said, weight = answer(tree, label), weight_in_words(counts.sum())
    if tree.is_regression:
        return f"{said} (the mean of {weight} cases)"
    if not counts.any() and tree.arrays.split[number] is None:
        return f"{said} (no case came here; the majority class just above)"
    return f"{said} ({weight_in_words(counts[label])} of {weight} cases)"


def leaf_rules(tree: TreeData) -> pd.DataFrame:
    """Return a rule for each leaf, the first branch first.

    Of two conditions on the same column of which one implies the other, only the narrower is told.
    A case whose value is unknown satisfies no condition on it. These are the rules of any tree, as
    it is; C4.5's simplified ones are `dtreebook.rules.rules_from`.

    Returns
    -------
    DataFrame with a row for each leaf, indexed by its number, level by level. Its columns are
    ``condition``, in words; ``class``, or ``mean`` in a regression tree; ``cases``, the weight of
    the training cases there; ``errors``, the weight of those of another class, or ``loss``, such as
    the squared error.

    Examples
    --------
    >>> from dtreebook import CARTRegressor
    >>> tree = CARTRegressor().fit([[1], [2], [3]], [10.0, 30.0, 30.5]).tree_
    >>> leaf_rules(tree).condition.tolist()
    ['x0 <= 1.5', 'x0 > 1.5 and x0 <= 2.5', 'x0 > 2.5']
    """
    said, cost = ("mean", "loss") if tree.is_regression else ("class", "errors")
    rows = {}
    stack: list[tuple[int, tuple[tuple[Split, int], ...]]] = [(0, ())]
    while stack:
        number, conditions = stack.pop()
        split = tree.arrays.split[number]
        if split is not None:
            for branch, child in reversed(list(enumerate(tree.arrays.children(number)))):
                wider = (above for above in conditions if not _implies((split, branch), above))
                stack.append((child, (*wider, (split, branch))))
            continue
        words = [s.words(tree.attributes[s.column])[branch] for s, branch in conditions]
        label, counts = tree.arrays.label[number], tree.arrays.counts[number]
        rows[number] = {
            "condition": " and ".join(words),
            said: label if tree.classes is None else tree.classes[label],
            "cases": counts.sum(),
            cost: tree.risk[number] if tree.is_regression else counts.sum() - counts[label],
        }
    return pd.DataFrame(rows.values(), pd.Index(rows, name="leaf"))


def _implies(one, other):
    """Return whether a condition further down implies another one above it."""
    (split, branch), (above, taken) = one, other
    return split.column == above.column and split.implies(branch, above, taken)


# --- why a case gets its answer -------------------------------------------------------------------


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


def explanations(tree: TreeData, table: pd.DataFrame | np.ndarray) -> list[Explanation]:
    """Return the `Explanation` of every case, its columns in the order of the tree's attributes.

    Source: Breiman et al. (1984), section 5.3, on surrogates; Quinlan (1993), chapter 3, on parts.

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

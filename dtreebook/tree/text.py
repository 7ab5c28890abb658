"""A tree and the way through it as text for people, and as a table of rules."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from dtreebook.tree.splits import Split, Subset, Threshold, words_of_c45
from dtreebook.tree.words import in_digits, printable, weight_in_words

if TYPE_CHECKING:
    from dtreebook.tree.tree import Node, Tree


class _Style(NamedTuple):
    is_c45: bool  # leaves before subtrees, and six digits of a cut
    end: str  # what closes the line of a branch that is divided again
    after_cut: str  # what comes between a threshold and what follows
    branch: tuple[str, str]  # what comes before a branch, and before everything below it
    last_branch: tuple[str, str]


_STYLES = {
    "c45": _Style(True, ":", " ", ("", "|   "), ("", "|   ")),
    "box": _Style(False, "", "", ("├── ", "│   "), ("└── ", "    ")),
}


def export_text(tree: "Tree", style: str = "c45", errors: np.ndarray | None = None) -> str:
    """Return a tree as indented text: see `Tree.export_text` for how."""
    if style not in _STYLES:
        raise ValueError(f"style must be one of {', '.join(_STYLES)}, not {style!r}")
    look = _STYLES[style]
    lines = []
    stack = [("", "", 0)]
    while stack:
        words, indent, i = stack.pop()
        split = tree.arrays.split[i]
        if split is None:
            lines.append(f"{words}: {leaf_words(tree, i, errors)}")
            continue
        if words:
            lines.append(words + look.end)
        attribute = tree.attributes[split.column]
        in_words = words_of_c45(split, attribute) if look.is_c45 else split.words(attribute)
        branches = [
            (words + look.after_cut * isinstance(split, Threshold), child)
            for words, child in zip(in_words, tree.arrays.children(i), strict=True)
        ]
        if look.is_c45:
            branches.sort(key=lambda branch: tree.arrays.split[branch[1]] is not None)
        corner, bar = look.last_branch
        for words, child in reversed(branches):
            stack.append((indent + corner + words, indent + bar, child))
            corner, bar = look.branch
    return "\n".join(lines).removeprefix(": ")


def branch_words(tree: "Tree", node: "Node") -> tuple[str, ...]:
    """Return the branches of a node in words; of a leaf, none."""
    split = node.split
    return () if split is None else split.words(tree.attributes[split.column])


def branch_answers(tree: "Tree", node: "Node") -> list[str]:
    """Return what leads down each branch of a node: not "house = no", but "no"."""
    if node.split is None:
        return []
    name = printable(tree.attributes[node.split.column].name)
    words = branch_words(tree, node)
    return [said.removeprefix(name).removeprefix(" = ").strip() for said in words]


def class_names(tree: "Tree") -> list[str]:
    """Return the classes as text, in the order of the counts; none in a regression tree."""
    return [] if tree.classes is None else list(map(str, tree.classes))


def leaf_words(tree: "Tree", leaf: int, errors: np.ndarray | None = None) -> str:
    """Return what a leaf says, its answer, cases and cost: see `export_text` for how."""
    cost = (tree.risk if errors is None else errors)[leaf]
    cost = "" if not cost else f"/{cost:.4g}" if tree.is_regression else f"/{cost:.1f}"
    said = answer(tree, tree.arrays.label[leaf])
    return f"{said} ({tree.arrays.counts[leaf].sum():.1f}{cost})"


def answer(tree: "Tree", label: int | float) -> str:
    """Return a label in words: the class, or the number to four digits and all before its point."""
    return in_digits(label, 4) if tree.classes is None else printable(tree.classes[int(label)])


def outcome(tree: "Tree", number: int) -> str:
    """Return the answer of a node in words, with the cases behind it."""
    label, counts = tree.arrays.label[number], tree.arrays.counts[number]
    said, weight = answer(tree, label), weight_in_words(counts.sum())
    if tree.is_regression:
        return f"{said} (the mean of {weight} cases)"
    if not counts.any() and tree.arrays.split[number] is None:
        return f"{said} (no case came here; the majority class just above)"
    return f"{said} ({weight_in_words(counts[label])} of {weight} cases)"


def leaf_rules(tree: "Tree") -> pd.DataFrame:
    """Return a rule for each leaf, the first branch first.

    Of two conditions on the same column of which one implies the other, only the narrower is told.
    A case whose value is unknown satisfies no condition on it. These are the rules of any tree, as
    it is; C4.5's simplified ones are `dtreebook.rules.rules_from`.

    Returns
    -------
    DataFrame with a row for each leaf, indexed by its number, level by level. Its columns are
    ``condition``, in words; ``class``, or ``mean`` in a regression tree; ``cases``, the weight of
    the training cases there; ``errors``, the weight of those of another class, or
    ``squared_error``.

    Examples
    --------
    >>> from dtreebook import CARTRegressor
    >>> tree = CARTRegressor().fit([[1], [2], [3]], [10.0, 30.0, 30.5]).tree_
    >>> leaf_rules(tree).condition.tolist()
    ['x0 <= 1.5', 'x0 > 1.5 and x0 <= 2.5', 'x0 > 2.5']
    """
    said, cost = ("mean", "squared_error") if tree.is_regression else ("class", "errors")
    rows, numbers = [], []
    stack: list[tuple[int, tuple[tuple[Split, int], ...]]] = [(0, ())]
    while stack:
        number, conditions = stack.pop()
        split = tree.arrays.split[number]
        if split is not None:
            below = list(enumerate(tree.arrays.children(number)))
            stack += [
                (
                    child,
                    (*(c for c in conditions if not _implies((split, branch), c)), (split, branch)),
                )
                for branch, child in reversed(below)
            ]
            continue
        words = [s.words(tree.attributes[s.column])[branch] for s, branch in conditions]
        label, counts = tree.arrays.label[number], tree.arrays.counts[number]
        rows.append(
            {
                "condition": " and ".join(words),
                said: label if tree.classes is None else tree.classes[label],
                "cases": counts.sum(),
                cost: tree.risk[number] if tree.is_regression else counts.sum() - counts[label],
            }
        )
        numbers.append(number)
    return pd.DataFrame(rows, index=pd.Index(numbers, name="leaf"))


def _implies(one, other):
    """Whether a condition further down implies another one above it."""
    (split, branch), (above, taken) = one, other
    if split.column != above.column:
        return False
    if isinstance(split, Threshold) and isinstance(above, Threshold):
        narrower = split.cut <= above.cut if branch == 0 else split.cut >= above.cut
        return branch == taken and narrower
    if isinstance(split, Subset) and isinstance(above, Subset):
        return set(split.groups[branch]) <= set(above.groups[taken])
    return False

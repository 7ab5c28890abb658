"""A tree and the way through it as text for people."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dtreebook.tree.splits import Threshold, words_of_c45
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

"""A tree as a table of rules: if the tests on the way to a leaf, then what the leaf says."""

from typing import TYPE_CHECKING

import pandas as pd

from dtreebook.tree.splits import Split, Subset, Threshold

if TYPE_CHECKING:
    from dtreebook.tree.tree import Tree


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
                (child, (*_not_implied(conditions, split, branch), (split, branch)))
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


def _not_implied(conditions, split: Split, branch: int):
    """Return the conditions, pairs of split and branch, that a further one does not imply."""
    return (pair for pair in conditions if not _implies((split, branch), pair))


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

"""Two trees side by side: which questions differ, and which cases get another answer."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from dtreebook.data.reading import as_frame, as_pandas
from dtreebook.tree.text import answer, branch_words
from dtreebook.tree.tree import Fitted, Tree, tree_of


class Comparison(NamedTuple):
    """What differs between two trees."""

    #: DataFrame with a row for each node, reached by the same branches in both, that asks or
    #: answers something else: ``path``, ``old``, ``new``.
    questions: pd.DataFrame
    #: DataFrame of the cases with another answer, by the way they go: ``old_path``, ``new_path``,
    #: ``old``, ``new``, ``cases``; most cases first.
    moves: pd.DataFrame
    share: float  #: the share of all cases with another answer

    def __str__(self) -> str:
        lines = [f"{self.share:.1%} of the cases get another answer."]
        for row in self.questions.itertuples():
            lines.append(f"{row.path or 'at the root'}: {row.old} -> {row.new}")
        return "\n".join(lines)


def compare(old: Tree | Fitted, new: Tree | Fitted, X: Any) -> Comparison:
    """Return what differs between two trees, and for which cases.

    Two branches are the same if they are so in words; below a question that differs nothing is
    compared. Numbers that differ only by rounding (1e-9 of them) are the same answer.

    Raises ValueError if one tree has classes and the other numbers, or X cannot be used.

    Parameters
    ----------
    old, new : two `Tree`, both for classes or both for numbers.
    X : table of cases with the columns of both, see `dtreebook.data.encoding.encode`. The trees may
        have different columns if it is a frame.

    Examples
    --------
    >>> from dtreebook import ID3Classifier, datasets
    >>> X, y = datasets.load_loan(return_X_y=True)
    >>> one, two = ID3Classifier().fit(X, y), ID3Classifier(max_depth=1).fit(X, y)
    >>> found = compare(one.tree_, two.tree_, X)
    >>> print(found)
    20.0% of the cases get another answer.
    house = no: asks about work -> no
    >>> print(found.moves.to_string(index=False))
                  old_path   new_path old new  cases
    house = no, work = yes house = no yes  no      3
    """
    old, new = tree_of(old), tree_of(new)
    if old.is_regression != new.is_regression:
        raise ValueError("one tree has classes and the other numbers: compare two of a kind")
    X = as_pandas(X)
    for_old, for_new = _columns_of(old, X), _columns_of(new, X)
    before, after = old.predict(for_old), new.predict(for_new)
    if old.is_regression:
        differs = ~np.isclose(before, after, rtol=1e-9, atol=0)
    else:
        differs = before != after
    moves = pd.DataFrame(
        {
            "old_path": _ways(old, old.apply(for_old)[differs]),
            "new_path": _ways(new, new.apply(for_new)[differs]),
            "old": before[differs],
            "new": after[differs],
        }
    )
    by_way = moves.groupby(list(moves), sort=False, observed=True).size().reset_index(name="cases")
    by_way = by_way.sort_values("cases", ascending=False, kind="stable", ignore_index=True)
    apart = [(way, *says) for _, way, says in questions_that_differ(old, new)]
    questions = pd.DataFrame(apart, columns=["path", "old", "new"])
    return Comparison(questions, by_way, float(differs.mean()))


def _columns_of(tree, X):
    """Return the columns that a tree knows of a frame; of an array, all."""
    if not isinstance(X, pd.DataFrame):
        return X
    X, names = as_frame(X), [attribute.name for attribute in tree.attributes]
    if lacking := [name for name in names if name not in X]:
        raise ValueError(
            f"X lacks the columns {lacking} of one of the trees: give a table with those of both"
        )
    return X[names]


def _ways(tree, ends):
    """Return the tests on the way to each node, in words."""
    words = {end: ", ".join(tree.conditions(tree.arrays.path(end))) for end in set(ends.tolist())}
    return [words[end] for end in ends.tolist()]


def questions_that_differ(old: Tree, new: Tree) -> Iterator[tuple[tuple[int, ...], str, list[str]]]:
    """Yield the nodes, reached by the same branches, at which two trees part.

    Each is the path in branches, the path in words, and what the old and the new tree ask there.
    """
    stack: list[Any] = [((), "", old.root, new.root)]
    while stack:
        path, way, *nodes = stack.pop()
        words = [branch_words(tree, node) for tree, node in zip((old, new), nodes, strict=True)]
        says = [_says(tree, node) for tree, node in zip((old, new), nodes, strict=True)]
        if words[0] == words[1] and (words[0] or says[0] == says[1]):
            below = list(zip(words[0], nodes[0].children, nodes[1].children, strict=True))
            stack += [
                ((*path, b), f"{way}, {at}" if way else at, *pair)
                for b, (at, *pair) in reversed(list(enumerate(below)))
            ]
        else:
            if says[0] == says[1]:  # another cut or other groups of the same column
                says = [f"asks about {of[0]}" for of in words]
            yield path, way, says


def _says(tree, node):
    """Return what a node asks about, or its answer."""
    if node.split is None:
        return answer(tree, node.label)
    return f"asks about {tree.attributes[node.split.column].name}"

"""What somebody wants of a tree, in words: a node by its path, a test by its column and values."""

from collections.abc import Hashable, Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from dtreebook.data.cases import Attribute
from dtreebook.tree.splits import Multiway, Split, Subset, Threshold
from dtreebook.tree.tree import Tree


def node_at(tree: Tree, at: str | Sequence[int]) -> int:
    """Return the number of a node, given its path.

    Parameters
    ----------
    at : the tests on the way as `explain` prints them, "" for the root; or the branches taken, a
        tuple.

    Raises
    ------
    ValueError
        If the tree has no such node; it names the paths that there are.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> tree = ID3Classifier().fit(*load_loan(return_X_y=True)).tree_
    >>> node_at(tree, "house = no, work = yes"), node_at(tree, (0, 1))
    (4, 4)
    """
    for number in range(tree.node_count):
        path = tree.arrays.path(number)
        if (", ".join(tree.conditions(path)) if isinstance(at, str) else path) == at:
            return number
    few = ", ".join(
        repr(", ".join(tree.conditions(tree.arrays.path(i))))
        for i in range(tree.node_count > 1, min(4, tree.node_count))
    )
    raise ValueError(f"the tree has no node at {at!r}: name one as explain does, such as {few}")


def columns_of(names: Iterable[Hashable] | str, attributes: Sequence[Attribute]) -> list[int]:
    """Return the places of columns, given their names.

    Raises
    ------
    ValueError
        If there is no column of a name.
    """
    known = [attribute.name for attribute in attributes]
    place: dict[Hashable, int] = {name: a for a, name in enumerate(known)}
    wanted = [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)
    for name in wanted:
        if name not in place:
            raise ValueError(f"there is no column {name!r}: the tree knows {', '.join(known)}")
    return [place[name] for name in wanted]


def read_test(
    ask: Any, attributes: Sequence[Attribute], kind: type[Split]
) -> tuple[int, Threshold | Subset | None]:
    """Return the column of a test, and the test itself; None for the best one of the column.

    Parameters
    ----------
    ask : the name of a column; with a cut, (name, number), or of ordered levels (name, level); with
        groups of values, (name, [values, values, ...]).
    attributes : of the tree.
    kind : what a nominal column has: `Multiway`, a branch for each value, or `Subset`, groups.

    Raises
    ------
    ValueError
        If there is no such column, or the values cannot divide it; it says what to give.
    """
    name, values = ask if isinstance(ask, list | tuple) and len(ask) == 2 else (ask, None)
    (column,) = columns_of([name], attributes)
    attribute = attributes[column]
    if values is None:
        return column, None
    if attribute.kind == "numeric":
        if not isinstance(values, Real) or not np.isfinite(float(values)):
            raise ValueError(f"{values!r} cuts no numbers of {name!r}: give a finite number")
        return column, Threshold(column, float(values))
    if attribute.kind == "ordered" and kind is Subset:
        return column, Threshold(column, _codes(name, [values], attribute)[0])
    if kind is Multiway:
        raise ValueError(f"{name!r} has a branch for each value: give its name alone")
    if not isinstance(values, list | tuple) or not all(np.ndim(group) for group in values):
        example = [list(attribute.levels[:1]), list(attribute.levels[1:4])]
        raise ValueError(f"{values!r} are no groups of {name!r}: give lists, such as {example}")
    groups = [_codes(name, group, attribute) for group in values]
    left_out = set(range(len(attribute.levels))).difference(*groups)
    if left_out or sum(map(len, groups)) > len(attribute.levels) or len(groups) < 2:
        few = ", ".join(repr(attribute.levels[code]) for code in sorted(left_out)[:5])
        raise ValueError(
            f"the groups of {name!r} must hold each value once, in two groups or more"
            + (f": {few} are in none" if few else "")
        )
    return column, Subset(column, tuple(tuple(sorted(group)) for group in groups))


def _codes(name, values, attribute):
    for value in values:
        if value not in attribute.code:
            few = ", ".join(map(repr, attribute.levels[:5]))
            raise ValueError(f"{name!r} has no value {value!r} in training: it has {few}, ...")
    return [attribute.code[value] for value in values]

"""Growing a tree anew below one of its nodes, where a test is forced or columns are forbidden.

The rest of the tree stays: the cases that come to the node are those that grow what hangs there.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from dtreebook.data.cases import Attribute, Cases
from dtreebook.grow.binary import BinaryControl
from dtreebook.grow.growth import BEST, EMPTY, PURE, Growth, Level, as_arrays, levels
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.measures import WEIGHT_TOL
from dtreebook.tree.arrays import graft
from dtreebook.tree.predicting import passed
from dtreebook.tree.routing import Links
from dtreebook.tree.splits import Multiway, Split, Subset, Threshold
from dtreebook.tree.tree import Tree


def regrow(
    tree: Tree,
    cases: Cases,
    control: BinaryControl | MultiwayControl,
    prunings: Iterable[Callable[[Tree, Cases, float, int], Tree]],
    at: str | Sequence[int] = (),
    ask: Any = None,
    forbid: Iterable[Hashable] | str = (),
) -> list[Tree]:
    """Return a tree whose part below a node is grown anew, pruned in some ways.

    Parameters
    ----------
    cases, control : those that the tree was grown from, and how.
    prunings : for each tree that is wanted a function from what has grown, its cases, the share of
        all weight that they are, and the number of leaves beside it, to what is left of it.
    at, ask, forbid : as for `dtreebook.base.TreeEstimator.regrow`, errors too.
    """
    number, names = node_at(tree, at), tree.attributes
    has_branches = isinstance(control, MultiwayControl) and not control.group_values
    kind: type[Split] = Multiway if has_branches else Subset
    forced = None if ask is None else read_test(ask, names, kind)
    forbidden = np.zeros(len(names), dtype=bool)
    if control.forbid is not None:
        forbidden |= control.forbid
    forbidden[columns_of(forbid, names)] = True
    if forced and forbidden[forced[0]]:
        name = names[forced[0]].name
        raise ValueError(f"column {name!r} is asked about and forbidden: take one")
    if number and control.binds_neighbours:
        raise ValueError(
            "monotonic_cst holds between all parts of a tree: grow it anew from the root, at=()"
        )
    path = tree.arrays.path(number)
    if forced and len(path) == control.max_depth:
        raise ValueError(
            f"max_depth is {control.max_depth}, so no test can stand here: ask above, or raise it"
        )
    here = _at(tree, cases, number)
    if forced and forced[1]:
        _check_sides(forced[1], names[forced[0]], here, control)
    counter = control.count(here)
    counter.values = control.count(cases).values  # C4.5 names a value of the whole table
    growth = control.growth(counter, cases)
    *way, _ = tree.along(path)
    asked = [node.split.column for node in way if node.split]
    forbidden[asked] |= growth.is_used_up[asked]
    available, label = ~forbidden[None], np.array([int(way[-1].label) if way else 0])
    growth.inherited = growth.inherited._replace(available=available, label=label)
    wanted = _forced(growth, len(path), *forced) if forced else None
    arrays = as_arrays(wanted or levels(growth, len(path)))
    if forced and (not arrays.first_child[0] or _is_one_sided(arrays)):
        attribute, test = names[forced[0]], forced[1]
        words = attribute.name if test is None else test.words(attribute)[0]
        raise _undivided(words, here)
    grown = replace(tree, arrays=arrays)
    share = arrays.counts[0].sum() / tree.arrays.counts[0].sum()
    beside = tree.n_leaves - _part(tree, number).n_leaves
    whole = []
    for prune in prunings:
        part = prune(grown, here, share, beside)
        if forced and part.arrays.split[0] != arrays.split[0]:
            part = _with_branches_pruned(grown, here, prune, share, beside)  # what is forced stays
        whole.append(replace(tree, arrays=graft(tree.arrays, {number: part.arrays})))
    return whole


def _forced(
    growth: Growth, depth: int, column: int, test: Threshold | Subset | None
) -> Iterator[Level]:
    """Yield the levels of a tree whose root asks about a column, whatever that is worth."""
    nodes = growth.describe()
    if nodes.reason[0] in (PURE, EMPTY):
        yield Level(nodes, np.zeros(0, dtype=np.intp), growth.undivided, np.zeros(0, int), tuple)
        return
    nodes.reason[:], growth.needs_all = BEST, True
    opened, first_child = growth.open(np.array([0])), np.zeros(1, dtype=np.intp)
    growth.search()
    gain = growth.found.gain[:, column]
    if test is not None:
        growth.found.tests[0, column], gain = test, np.zeros(1)
    division = growth.divide(np.where(gain > -np.inf, column, -1), gain)
    yield Level(nodes, opened, division, first_child, growth.candidates)
    growth.descend(first_child)
    yield from levels(growth, depth + 1)


def _at(tree, cases, number):
    """Return the cases that come to a node, each with the weight of its part there."""
    case, node, part = passed(tree, cases.columns)
    here = np.flatnonzero(node == number)
    here = here[case[here].argsort()]  # in their order, so that sums are rounded as before
    case, part = case[here], part[here]
    if not case.size:
        raise ValueError("no training case comes to this node: nothing can be grown there")
    return cases.take(case).weighted(cases.weights[case] * part)


def _undivided(words, cases):
    return ValueError(
        f"{words!r} does not divide the {len(cases)} cases at this node: they are all of one "
        "class, or too few go another way; ask something else there, or nothing"
    )


def _check_sides(test, attribute, cases, control):
    """Raise a ValueError if too few cases of known value go one way of a test that is forced."""
    branch = test.branch(cases.columns[test.column])
    known, words = branch >= 0, test.words(attribute)[0]
    is_binary = isinstance(control, BinaryControl)  # which counts rows, the others weights
    held = np.bincount(branch[known], None if is_binary else cases.weights[known])
    if np.count_nonzero(held) < 2:
        raise _undivided(words, cases)
    least = held[held > 0].min()
    if least < control.min_samples_leaf * (1 - WEIGHT_TOL):
        raise ValueError(
            f"{words!r} leaves {least:g} of the {len(cases)} cases at this node on one side, and "
            f"min_samples_leaf is {control.min_samples_leaf:g}: ask otherwise, or lower it"
        )


def _is_one_sided(arrays):
    """Return whether only one branch of the root has cases."""
    children, _ = Links.of(arrays.first_child).children(np.array([0]))
    return np.count_nonzero(arrays.counts[children].any(axis=1)) < 2


def _part(tree, number):
    """Return the tree below a node."""
    return replace(tree, arrays=graft(tree.arrays, {}, number))


def _with_branches_pruned(tree, cases, prune, share, beside):
    """Return a tree whose branches are pruned each by itself."""
    below = {}
    for child in tree.arrays.children(0):
        branch = _part(tree, child)
        weight = branch.arrays.counts[0].sum()
        if branch.arrays.first_child[0] and weight:
            part = share * weight / tree.arrays.counts[0].sum()
            others = beside + len(tree.arrays.children(0)) - 1
            below[child] = prune(branch, _at(tree, cases, child), part, others).arrays
    return replace(tree, arrays=graft(tree.arrays, below))


# --- what is wanted, in words ---------------------------------------------------------------------


def node_at(tree: Tree, at: str | Sequence[int]) -> int:
    """Return the number of a node, given its path, as `explain` prints it, or the branches taken.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> tree = ID3Classifier().fit(*load_loan(return_X_y=True)).tree_
    >>> node_at(tree, "house = no, work = yes"), node_at(tree, (0, 1))
    (4, 4)
    """
    found = []
    for number in range(tree.node_count):
        path = tree.arrays.path(number)
        if (", ".join(tree.conditions(path)) if isinstance(at, str) else path) == at:
            found.append(number)
    if len(found) > 1:
        paths = " and ".join(str(tree.arrays.path(number)) for number in found[:2])
        raise ValueError(f"{len(found)} nodes are called {at!r}: name the branches taken, {paths}")
    if found:
        return found[0]
    few = ", ".join(
        repr(", ".join(tree.conditions(tree.arrays.path(i))))
        for i in range(tree.node_count > 1, min(4, tree.node_count))
    )
    raise ValueError(f"the tree has no node at {at!r}: name one as explain does, such as {few}")


def named(names: Iterable[Hashable] | str) -> list[Hashable]:
    """Return names as a list, a single one too."""
    return [names] if isinstance(names, str) or not isinstance(names, Iterable) else list(names)


def columns_of(names: Iterable[Hashable] | str, attributes: Sequence[Attribute]) -> list[int]:
    """Return the places of columns, given their names."""
    known = [attribute.name for attribute in attributes]
    place = {name: a for a, name in enumerate(known)}
    wanted = named(names)
    for name in wanted:
        if str(name) not in place:
            raise ValueError(f"there is no column {name!r}: the tree knows {', '.join(known)}")
    return [place[str(name)] for name in wanted]


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

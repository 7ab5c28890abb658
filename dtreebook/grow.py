"""Growing a tree, a whole level at a time.

The cases of a level lie in its nodes; one call makes the tables of every open node, and one call of
a measure scores them all. `grow` links what `levels` finds into a tree, `decisions` writes it down
as a record: candidates, choice, reason.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from dtreebook import measures
from dtreebook.missing import Parts, step
from dtreebook.search import TIE, Offers, Places, Sorted, Stacked
from dtreebook.splits import Multiway, Subset, Threshold
from dtreebook.tables import count
from dtreebook.tree import Flat, Tree

# Gains and informations up to this count as none (C4.5 Release 8).
EPSILON = 1e-3


class Reason(StrEnum):
    """Why a node was divided, or was not."""

    BEST = "best score"
    EMPTY = "no cases"
    PURE = "pure"
    TOO_FEW = "too few cases"
    DEPTH = "depth"
    NOTHING_TO_ASK = "no attribute divides the cases"
    TOO_LITTLE = "best score below the least"


# Their places in the list of reasons, for arrays.
REASONS = tuple(Reason)
BEST, EMPTY, PURE, TOO_FEW, DEPTH, NOTHING_TO_ASK, TOO_LITTLE = range(len(REASONS))


@dataclass(frozen=True, slots=True)
class Recipe:
    """Say how an algorithm grows its trees.

    Attributes
    ----------
    score : "gain" (ID3) or "gain_ratio" (C4.5): what the best attribute has most of.
    min_score : a node whose best score, in bits or as a ratio, is less becomes a leaf.
    max_depth : the most tests on a path; None for no limit.
    min_cases : the weight that two branches must have; a node with less than twice as much becomes
        a leaf.
    guard : whether only attributes of at least average gain are candidates.
    penalty : whether a cut pays log2(number of cuts tried) bits, and has a tenth of a class's share
        of the cases, at most 25, on either side.
    unknown : where a case goes whose value is unknown: "stop" leaves it at the node, "fractions"
        sends it down every branch in proportion to what the branch holds.
    subsets : whether the values of an attribute with more than two are grouped into fewer branches,
        which may be divided again further down.
    """

    score: str = "gain"
    min_score: float = 0.0
    max_depth: int | None = None
    min_cases: float = 0.0
    guard: bool = False
    penalty: bool = False
    unknown: str = "stop"
    subsets: bool = False

    def levels(self, cases):
        """Yield the levels of the tree, from the root down, each a `Level`."""
        return levels(cases, self)


class Level(NamedTuple):
    """One level of a tree while it grows: M nodes, and what was found in the m open ones.

    Attributes
    ----------
    counts : array [M, K].
    label : array [M] of class codes.
    reason : array [M], the place of the reason in `REASONS`.
    attribute : array [M], the attribute that divides the node; -1 for a leaf.
    split : list [M]; None for a leaf.
    first_child : array [M], where in the next level the children begin.
    open : array [m], the nodes that were examined.
    candidates : function that returns a tuple of `Candidate` for each of these.
    risk, surrogates, default, improvement : as in `dtreebook.tree.Flat`.
    """

    counts: np.ndarray
    label: np.ndarray
    reason: np.ndarray
    attribute: np.ndarray
    split: list
    first_child: np.ndarray
    open: np.ndarray
    candidates: Callable
    risk: np.ndarray | None = None
    surrogates: list | None = None
    default: np.ndarray | None = None
    improvement: np.ndarray | None = None


class Candidate(NamedTuple):
    """An attribute that could divide a node: its table [V, K], its score and what it is made of."""

    split: Multiway
    table: np.ndarray
    score: float
    parts: dict


class Decision(NamedTuple):
    """What happened at a node: the `Candidate` records, the one chosen or None, and why."""

    path: tuple
    counts: np.ndarray
    candidates: tuple
    chosen: Candidate | None
    reason: Reason


def grow(cases, recipe):
    """Grow a tree.

    Parameters
    ----------
    cases : `dtreebook.data.Cases`.
    recipe : `Recipe`, or another object with its method `levels`.

    Returns
    -------
    `dtreebook.tree.Tree`.

    Examples
    --------
    >>> from dtreebook.data import read_cases
    >>> from dtreebook.datasets import load_loan
    >>> print(grow(read_cases(*load_loan(return_X_y=True)), Recipe()))
    house = yes: yes (6.0)
    house = no:
    |   work = no: no (6.0)
    |   work = yes: yes (3.0)
    """
    parts, n_nodes = [[] for _ in Flat._fields], 0
    for level in recipe.levels(cases):
        n_nodes += len(level.split)
        first_child = np.where(level.attribute >= 0, level.first_child + n_nodes, 0)
        level = level._replace(first_child=first_child)
        for part, name in zip(parts, Flat._fields, strict=True):
            part.append(getattr(level, name))
    return Tree(Flat(*map(_joined, parts)), cases.attributes, cases.classes)


def _joined(parts):
    if parts[0] is None:
        return None
    return list(chain(*parts)) if isinstance(parts[0], list) else np.concatenate(parts)


def decisions(cases, recipe):
    """Return the record of every decision, level by level: one `Decision` for each node.

    Parameters
    ----------
    cases : `dtreebook.data.Cases`.
    recipe : as for `grow`.

    Examples
    --------
    >>> from dtreebook.data import read_cases
    >>> from dtreebook.datasets import load_loan
    >>> root, *rest = decisions(read_cases(*load_loan(return_X_y=True)), Recipe())
    >>> for candidate in root.candidates:
    ...     print(candidate.split, f"{candidate.score:.3f}")
    Multiway(attribute=0) 0.083
    Multiway(attribute=1) 0.324
    Multiway(attribute=2) 0.420
    Multiway(attribute=3) 0.363
    >>> root.chosen.split, root.reason.value
    (Multiway(attribute=2), 'best score')
    """
    record, paths = [], [()]
    for level in recipe.levels(cases):
        candidates = dict(zip(level.open.tolist(), level.candidates(), strict=True))
        children = []
        for i, path in enumerate(paths):
            found = candidates.get(i, ())
            chosen = next((c for c in found if c.split == level.split[i]), None)
            record.append(Decision(path, level.counts[i], found, chosen, REASONS[level.reason[i]]))
            if chosen:
                children.extend((*path, branch) for branch in range(len(chosen.table)))
        paths = children
    return record


def levels(cases, recipe):
    """Yield the levels of the tree, from the root down: the engine.

    For nominal attributes the same computation as a database's GROUP BY node, attribute, value,
    class. A case whose value is unknown is in no branch of the table.

    References
    ----------
    Gehrke, Ramakrishnan and Ganti (2000), for growing a level from tables alone.
    """
    attributes, n_classes = cases.attributes, len(cases.classes)
    numeric = np.array([attribute.kind == "numeric" for attribute in attributes])
    n_values = np.array([len(attribute.levels) for attribute in attributes])
    again = numeric | (n_values > 2) if recipe.subsets else numeric  # may be asked for again below
    stacks = list(Stacked.group(cases))
    sorts = [Sorted(a, cases.columns[a]) for a in np.flatnonzero(numeric)]
    values = np.asarray(cases.columns)
    n_cases = len(cases.target) if cases.weight is None else cases.weight.sum()
    few = n_values < 0.3 * n_cases
    few |= recipe.subsets | ~few.any()

    # The cases of a level: which case, in which node, how heavy, and its place one level up.
    case = origin = np.arange(len(cases.target))
    node, weight, before = np.zeros_like(case), cases.weight, len(case)
    available = np.ones((1, len(attributes)), dtype=bool)
    parent_label = np.zeros(1, dtype=np.intp)
    depth = 0
    while len(available):
        counts = count((node, cases.target.take(case)), (len(available), n_classes), weight)
        total = measures.total(counts)
        most = counts.max(axis=1, keepdims=True) * (1 - TIE)
        label = np.where(total > 0, (counts >= most).argmax(axis=1), parent_label)
        reason = _reason(counts, total, available, depth, recipe)

        # Only the cases in open nodes go on.
        is_open = reason == BEST
        opened = np.flatnonzero(is_open)
        inside = np.flatnonzero(is_open[node])
        place = np.cumsum(is_open) - 1
        case, node, origin = case.take(inside), place.take(node.take(inside)), origin.take(inside)
        weight = None if weight is None else weight.take(inside)
        if sorts:
            copies = np.bincount(origin, minlength=before)
            for search in sorts:
                search.follow(copies, np.cumsum(copies) - copies, node)
        target = cases.target.take(case)
        places = Places(case, node, target, weight, total[opened], available[opened], n_classes)

        offers = Offers.none(places.available.shape)
        for search in (*stacks, *sorts):
            search.search(places, recipe, offers)
        score = _score(offers, recipe, few)
        best = score.max(axis=1, initial=-np.inf)
        # argmax finds the first True: of tied attributes, the first.
        chosen = (score >= best[:, None] - TIE).argmax(axis=1)
        reason[opened[best < recipe.min_score - TIE]] = TOO_LITTLE
        reason[opened[best == -np.inf]] = NOTHING_TO_ASK

        chosen[reason[opened] != BEST] = -1
        attribute = np.full(len(counts), -1)
        attribute[opened] = chosen
        split, n_branches = _splits(attributes, attribute, opened, offers)
        first_child = np.cumsum(n_branches) - n_branches
        candidates = partial(_candidates, cases, score, offers, places)
        yield Level(counts, label, reason, attribute, split, first_child, opened, candidates)

        branch = _branch(values, places, chosen, offers)
        origin = np.flatnonzero(branch >= (0 if recipe.unknown == "stop" else -1))
        branch, node = branch.take(origin), node.take(origin)
        weight = None if weight is None else weight.take(origin)
        before = len(case)
        if (branch >= 0).all():
            node = first_child[opened].take(node) + branch
        else:
            weight = np.ones(len(branch)) if weight is None else weight
            parts = Parts(origin, node, weight)
            parts = step(parts, branch, first_child[opened], n_branches[opened])
            order = np.argsort(parts.case, kind="stable")
            origin, node, weight = (part[order] for part in parts)
        case = case.take(origin)

        parent = np.repeat(np.arange(len(counts)), n_branches)
        available = available[parent]
        used = np.flatnonzero(~again[attribute[parent]])
        available[used, attribute[parent[used]]] = False
        parent_label = label[parent]
        depth += 1


def _reason(counts, total, available, depth, recipe):
    """Return why each node is a leaf, as far as that can be said before anything is scored."""
    n_present = np.count_nonzero(counts, axis=1)
    reason = np.full(len(counts), BEST)
    reason[~available.any(axis=1)] = NOTHING_TO_ASK
    if depth == recipe.max_depth:
        reason[:] = DEPTH
    reason[total < 2 * recipe.min_cases] = TOO_FEW
    reason[n_present == 1] = PURE
    reason[n_present == 0] = EMPTY
    return reason


def _score(offers, recipe, few):
    """Return what the attributes are compared by: array [m, A], -inf of no candidate.

    References
    ----------
    Quinlan (1993), section 2.2, for the guard: the ratio alone loves splits that split off little.
    """
    gain, information = offers.gain, offers.information
    if recipe.score == "gain":
        return gain
    candidate = (gain > -np.inf) & (information > (EPSILON if recipe.guard else 0))
    if recipe.guard:
        counted = (gain > -np.inf) & few
        number = counted.sum(axis=1)
        average = np.where(counted, gain, 0).sum(axis=1) / np.maximum(number, 1)
        average[number == 0] = np.inf
        candidate &= gain >= average[:, None] - EPSILON
    return np.where(candidate, gain / np.where(candidate, information, 1), -np.inf)


def _splits(attributes, attribute, opened, offers):
    """Return the split of each node, None for a leaf, and its number of branches.

    Parameters
    ----------
    attributes : tuple of `Attribute`.
    attribute : array [M], the attribute that divides each node, -1 in a leaf.
    opened : array [m], the nodes that were scored.
    offers : `Offers` of these.
    """
    multiway = [*map(Multiway, range(len(attributes))), None]
    size = np.array([2 if a.kind == "numeric" else len(a.levels) for a in attributes] + [0])
    split, n_branches = [multiway[a] for a in attribute.tolist()], size[attribute]
    cut = offers.cut[np.arange(len(opened)), attribute[opened]]
    for i in np.flatnonzero(~np.isnan(cut) & (attribute[opened] >= 0)).tolist():
        split[opened[i]] = Threshold(int(attribute[opened[i]]), float(cut[i]))
    for (i, a), groups in offers.groups.items():
        if attribute[opened[i]] == a:
            split[opened[i]], n_branches[opened[i]] = Subset(a, groups), len(groups)
    return split, n_branches


def _branch(values, places, asked, offers):
    """Return the branch that each case takes: -1 if the value is unknown, -2 if its node is a leaf.

    Parameters
    ----------
    values : array [A, n] of codes or floats.
    places : `Places`.
    asked : array [m], the attribute that divides each node; -1 for a leaf.
    offers : `Offers`.
    """
    node = places.node
    branch = values.take(asked.take(node) * values.shape[1] + places.case)
    if branch.dtype.kind == "f":
        cut = offers.cut[np.arange(len(asked)), asked][node]
        side = np.where(np.isnan(cut), branch, branch > cut)
        branch = np.where(np.isnan(branch), -1, side).astype(np.intp)
    for (i, a), groups in offers.groups.items():
        if asked[i] == a:
            here = np.flatnonzero(node == i)
            branch[here] = Subset(a, groups).branch(branch[here])
    if (asked < 0).any():
        branch[asked.take(node) < 0] = -2
    return branch


def _candidates(cases, scores, offers, places):
    """Yield the candidates of each open node of a level."""
    order = np.argsort(places.node, kind="stable")
    ends = np.cumsum(np.bincount(places.node, minlength=len(scores)))
    starts = [0, *ends[:-1].tolist()]
    one = np.zeros(1, dtype=np.intp)
    for i, (start, end) in enumerate(zip(starts, ends.tolist(), strict=False)):
        here = order[start:end]
        weight = None if places.weight is None else places.weight[here]
        offer = offers.of(i)
        found = []
        for a in np.flatnonzero(scores[i] > -np.inf):
            (split,), _ = _splits(cases.attributes, np.array([a]), one, offer)
            score = float(scores[i, a])
            found.append(_candidate(cases, places.case[here], weight, split, score))
        yield tuple(found)


def _candidate(cases, here, weight, split, score):
    a = split.attribute
    # Unknown values have branch -1: counted one row up, they fill row 0, which is then set apart.
    branch = split.branch(cases.columns[a][here]) + 1
    shape = (split.branches(cases.attributes[a]) + 1, len(cases.classes))
    unknown, *rows = count((branch, cases.target[here]), shape, weight)
    table, unknown = np.array(rows), unknown.sum()
    parts = {
        "gain": float(measures.information_gain(table, unknown)),
        "split_information": float(measures.split_information(table, unknown)),
        "gain_ratio": float(measures.gain_ratio(table, unknown)),
    }
    return Candidate(split, table, score, parts)

"""Growing a tree, a whole level at a time.

The cases of a level lie in its nodes; one call makes the tables of every open node, and one call of
a measure scores them all. `grow` links what `levels` finds into a tree, `decisions` writes it down
as a record: candidates, choice, reason.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from dtreebook import measures
from dtreebook.splits import Multiway
from dtreebook.tables import count
from dtreebook.tree import Flat, Tree

# Scores closer than this are tied, and the first attribute wins: the last digits are rounding.
# So are the weights of two classes that differ by less than this share of them.
TIE = 1e-12

# The most cells that the tables of one pass may have; more open nodes are taken in several passes.
CELLS = 2**24


class Reason(StrEnum):
    """Why a node was divided, or was not."""

    BEST = "best score"
    EMPTY = "no cases"
    PURE = "pure"
    DEPTH = "depth"
    NOTHING_TO_ASK = "no attribute divides the cases"
    TOO_LITTLE = "best score below the least"


# Their places in the list of reasons, for arrays.
REASONS = tuple(Reason)
_BEST, _EMPTY, _PURE, _DEPTH, _NOTHING_TO_ASK, _TOO_LITTLE = range(len(REASONS))


@dataclass(frozen=True, slots=True)
class Recipe:
    """Say how an algorithm grows its trees.

    Attributes
    ----------
    score : "gain" (ID3) or "gain_ratio" (plain C4.5): what the best attribute has most of.
    min_score : a node whose best score, in bits or as a ratio, is less becomes a leaf.
    max_depth : the most tests on a path; None for no limit.
    """

    score: str = "gain"
    min_score: float = 0.0
    max_depth: int | None = None


class Level(NamedTuple):
    """One level of a tree while it grows: M nodes, and the scores of the m open ones.

    Attributes
    ----------
    counts : array [M, K].
    label : array [M] of class codes.
    reason : array [M], the place of the reason in `REASONS`.
    attribute : array [M], the attribute that divides the node; -1 for a leaf.
    first_child : array [M], where in the next level the children begin; 0 for a leaf.
    open : array [m], the nodes that were examined.
    score : array [m, A]; -inf where an attribute is no candidate.
    case, node : arrays [n], the cases in the open nodes, and their place in `open`.
    """

    counts: np.ndarray
    label: np.ndarray
    reason: np.ndarray
    attribute: np.ndarray
    first_child: np.ndarray
    open: np.ndarray
    score: np.ndarray
    case: np.ndarray
    node: np.ndarray


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
    cases : `dtreebook.data.Cases` whose attributes all have levels.
    recipe : `Recipe`.

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
    grown = list(levels(cases, recipe))
    starts = np.cumsum([len(level.label) for level in grown])
    split = [None, *map(Multiway, range(len(cases.attributes)))]
    flat = Flat(
        np.concatenate([level.counts for level in grown]),
        np.concatenate([level.label for level in grown]),
        [split[a + 1] for level in grown for a in level.attribute],
        np.concatenate(
            [
                np.where(level.attribute >= 0, level.first_child + start, 0)
                for level, start in zip(grown, starts, strict=True)
            ]
        ),
    )
    return Tree(flat, cases.attributes, cases.classes)


def decisions(cases, recipe):
    """Return the record of every decision, level by level: one `Decision` for each node.

    Parameters
    ----------
    cases : `dtreebook.data.Cases` whose attributes all have levels.
    recipe : `Recipe`.

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
    for level in levels(cases, recipe):
        candidates = dict(zip(level.open.tolist(), _candidates(cases, level), strict=True))
        children = []
        for i, path in enumerate(paths):
            found = candidates.get(i, ())
            chosen = next((c for c in found if c.split.attribute == level.attribute[i]), None)
            record.append(Decision(path, level.counts[i], found, chosen, REASONS[level.reason[i]]))
            if chosen:
                children.extend((*path, branch) for branch in range(len(chosen.table)))
        paths = children
    return record


def levels(cases, recipe):
    """Yield the levels of the tree, from the root down: the engine.

    The same computation as a database's GROUP BY node, attribute, value, class. A case whose value
    is unknown is not counted in the table, and stops at the node that divides by it.

    References
    ----------
    Gehrke, Ramakrishnan and Ganti (2000), for growing a level from tables alone.
    """
    blocks = list(_stack(cases))
    codes = np.stack(cases.columns)
    n_values = np.array([len(attribute.levels) for attribute in cases.attributes])
    n_classes = len(cases.classes)

    case = np.arange(len(cases.target))
    node = np.zeros_like(case)
    available = np.ones((1, len(codes)), dtype=bool)
    parent_label = np.zeros(1, dtype=np.intp)
    depth = 0
    while len(available):
        weight = None if cases.weight is None else cases.weight[case]
        counts = count((node, cases.target[case]), (len(available), n_classes), weight)
        n_present = np.count_nonzero(counts, axis=1)
        most = counts.max(axis=1, keepdims=True) * (1 - TIE)
        label = np.where(n_present, (counts >= most).argmax(axis=1), parent_label)

        reason = np.full(len(counts), _BEST)
        reason[~available.any(axis=1)] = _NOTHING_TO_ASK
        if depth == recipe.max_depth:
            reason[:] = _DEPTH
        reason[n_present == 1] = _PURE
        reason[n_present == 0] = _EMPTY

        is_open = reason == _BEST
        opened = np.flatnonzero(is_open)
        inside = is_open[node]
        case, node = case[inside], (np.cumsum(is_open) - 1)[node[inside]]
        score = _scores(cases, recipe, blocks, case, node, available[opened])
        best = score.max(axis=1, initial=-np.inf)
        # argmax finds the first True: of tied attributes, the first.
        chosen = (score >= best[:, None] - TIE).argmax(axis=1)
        reason[opened[best < recipe.min_score - TIE]] = _TOO_LITTLE
        reason[opened[best == -np.inf]] = _NOTHING_TO_ASK

        divided = reason[opened] == _BEST
        attribute = np.full(len(counts), -1)
        attribute[opened[divided]] = chosen[divided]
        n_branches = np.where(attribute >= 0, n_values[attribute], 0)
        first_child = np.cumsum(n_branches) - n_branches
        yield Level(counts, label, reason, attribute, first_child, opened, score, case, node)

        asked = attribute[opened][node]
        branch = np.where(asked >= 0, codes[asked, case], -1)
        child = first_child[opened][node] + branch
        moving = branch >= 0
        case, node = case[moving], child[moving]
        parent = np.repeat(np.arange(len(counts)), n_branches)
        available = available[parent]
        available[np.arange(len(parent)), attribute[parent]] = False
        parent_label = label[parent]
        depth += 1


class _Block(NamedTuple):
    """Attributes whose tables are made and scored together, as one array [attribute, value, class].

    Shorter attributes are filled up with empty values, which change no measure. Unknown values, if
    there are any, have a last value of their own.
    """

    attributes: list
    shape: tuple
    has_unknown: bool
    cell: np.ndarray  # [n, attributes]: where each case counts in the array


def _stack(cases):
    """Group the attributes by number of values, so that filling up costs at most eightfold."""
    widths = {}
    for i, attribute in enumerate(cases.attributes):
        octave = ((max(len(attribute.levels), 1) - 1).bit_length() + 2) // 3
        widths.setdefault(octave, []).append(i)
    for attributes in widths.values():
        width = max(len(cases.attributes[i].levels) for i in attributes)
        cell = np.stack([cases.columns[i] for i in attributes], axis=1)
        unknown = cell < 0
        has_unknown = bool(unknown.any())
        if has_unknown:
            cell[unknown] = width
            width += 1
        shape = (len(attributes), width, len(cases.classes))
        cell += np.arange(len(attributes)) * width
        cell *= len(cases.classes)
        cell += cases.target[:, None]
        yield _Block(attributes, shape, has_unknown, cell)


def _scores(cases, recipe, blocks, case, node, available):
    """Return the score [node, attribute] of every available attribute at every open node."""
    score = np.full(available.shape, -np.inf)
    for block in blocks:
        size = int(np.prod(block.shape))
        step = max(1, CELLS // size)
        for start in range(0, len(score), step):
            stop = min(start + step, len(score))
            rows = slice(None)
            if len(score) > step:
                rows = np.flatnonzero((start <= node) & (node < stop))
            weight = None if cases.weight is None else cases.weight[case[rows], None]
            cells = (node[rows, None] - start, block.cell[case[rows]])
            tables = count(cells, (stop - start, size), weight).reshape(-1, *block.shape)
            measured = np.full(tables.shape[:2], -np.inf)
            asked = available[start:stop, block.attributes]
            measured[asked] = _measure(tables[asked], recipe, block.has_unknown)
            score[start:stop, block.attributes] = measured
    return score


def _measure(tables, recipe, has_unknown):
    """Return the score of each table [..., value, class]; -inf where it divides nothing."""
    unknown = 0
    if has_unknown:
        tables, unknown = tables[..., :-1, :], tables[..., -1, :].sum(axis=-1)
    divides = np.count_nonzero(measures.total(tables), axis=-1) > 1
    return np.where(divides, _MEASURES[recipe.score](tables, unknown), -np.inf)


_MEASURES = {"gain": measures.information_gain, "gain_ratio": measures.gain_ratio}


def _candidates(cases, level):
    """Yield the candidates of each open node of a level."""
    order = np.argsort(level.node, kind="stable")
    ends = np.cumsum(np.bincount(level.node, minlength=len(level.open)))
    starts = [0, *ends[:-1].tolist()]
    for i, (start, end) in enumerate(zip(starts, ends.tolist(), strict=False)):
        here = level.case[order[start:end]]
        weight = None if cases.weight is None else cases.weight[here]
        yield tuple(
            _candidate(cases, a, here, weight, level.score[i, a])
            for a in np.flatnonzero(level.score[i] > -np.inf).tolist()
        )


def _candidate(cases, a, here, weight, score):
    # Unknown values have code -1: counted one row up, they fill row 0, which is then set apart.
    shape = (len(cases.attributes[a].levels) + 1, len(cases.classes))
    unknown, *rows = count((cases.columns[a][here] + 1, cases.target[here]), shape, weight)
    table, unknown = np.array(rows), unknown.sum()
    parts = {
        "gain": float(measures.information_gain(table, unknown)),
        "split_information": float(measures.split_information(table, unknown)),
        "gain_ratio": float(measures.gain_ratio(table, unknown)),
    }
    return Candidate(Multiway(a), table, float(score), parts)

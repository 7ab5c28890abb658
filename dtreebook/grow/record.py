"""The record of a tree that grows: what was asked at every node, and why it was divided or not."""

from typing import NamedTuple

import numpy as np

from dtreebook.data.cases import Cases
from dtreebook.grow.growth import REASONS, Candidate, Control, Growth, StopReason, levels
from dtreebook.tree.splits import Split


class Decision(NamedTuple):
    """What happened at a node: the `Candidate` records, the one chosen or None, and why."""

    path: tuple[int, ...]
    counts: np.ndarray
    candidates: tuple[Candidate, ...]
    chosen: Candidate | None
    reason: StopReason


def decisions(cases: Cases, control: Control) -> list[Decision]:
    """Return the record of every decision of `grow`, level by level: a `Decision` for each node.

    Examples
    --------
    >>> from dtreebook.data.reading import read_training
    >>> from dtreebook.datasets import load_loan
    >>> from dtreebook.grow.multiway import MultiwayControl
    >>> root, *rest = decisions(read_training(*load_loan(return_X_y=True)), MultiwayControl())
    >>> for candidate in root.candidates:
    ...     print(candidate.split, f"{candidate.score:.3f}")
    Multiway(column=0) 0.083
    Multiway(column=1) 0.324
    Multiway(column=2) 0.420
    Multiway(column=3) 0.363
    >>> root.chosen.split, root.reason.value
    (Multiway(column=2), 'best score')
    """
    return recorded(control.growth(control.count(cases), cases))


def recorded(growth: Growth) -> list[Decision]:
    """Return the record of a tree that is at its root."""
    growth.needs_all = True
    record: list[Decision] = []
    paths: list[tuple[int, ...]] = [()]
    for level in levels(growth):
        nodes = level.nodes
        split: list[Split | None] = [None] * len(paths)
        found: list[tuple[Candidate, ...]] = [()] * len(paths)
        offered = level.candidates()
        for i, test, some in zip(level.open, level.division.split, offered, strict=True):
            split[i], found[i] = test, some
        children: list[tuple[int, ...]] = []
        for i, path in enumerate(paths):
            chosen = next((c for c in found[i] if c.split == split[i]), None)
            reason = REASONS[nodes.reason[i]]
            record.append(Decision(path, nodes.counts[i], found[i], chosen, reason))
            if chosen:
                children.extend((*path, branch) for branch in range(len(chosen.table)))
        paths = children
    return record

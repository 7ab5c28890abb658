"""Growing a tree from a table in a database: large nodes there, small ones in memory."""

from dataclasses import replace
from functools import reduce

import ibis
import numpy as np
import pandas as pd

from dtreebook.data.cases import Cases
from dtreebook.database.asking import is_in_spark, rows_that_fit
from dtreebook.database.frontier import DatabaseFrontier
from dtreebook.database.ranges import bisect
from dtreebook.database.source import Source, changed
from dtreebook.grow.growth import Control, as_arrays, levels
from dtreebook.tree.arrays import Links, TreeArrays
from dtreebook.tree.splits import Threshold
from dtreebook.tree.tree import Tree

# The rows that are fetched for the engine in memory come so many at a time.
_BATCH = 100_000


def grow_in_database(source: Source, control: Control, memory: str | int = "2GB") -> Tree:
    """Grow the tree that `dtreebook.grow.growth.grow` grows in memory.

    A node that fits in memory is fetched, and finished there by the engine of all trees. Numbers of
    cases are the same to the last one; what is summed up of weights and numbers may differ in the
    last digits, so that of tests that are equally good another may be taken.

    Parameters
    ----------
    source : the training set.
    control : as for ``grow``.
    memory : bytes as text, of which a quarter is for rows fetched; or how many rows are fetched.

    References
    ----------
    Gehrke, Ramakrishnan and Ganti (2000), RainForest; their RF-Hybrid, for finishing in memory.
    """
    fit = rows_that_fit(memory, len(source.attributes))
    frontier = DatabaseFrontier(source, control, fit)
    top = as_arrays(levels(frontier, control.max_depth))
    below = {node: _finished(frontier, node, cases) for node, cases in _fetched(frontier)}
    arrays = graft(top, below) if below else top
    if frontier.is_multiway:
        arrays = _cut_at_values(source, arrays)
    return Tree(arrays, source.attributes, source.classes)


# --- finishing in memory --------------------------------------------------------------------------


def _finished(frontier, node, cases):
    """Return the subtree of a node whose cases are in memory."""
    _, depth, available, label = frontier.left[node]
    start, max_depth = frontier.control.frontier(cases), frontier.control.max_depth
    start.start(frontier.root, np.zeros(len(cases), dtype=np.intp), available, label)
    return as_arrays(levels(start, None if max_depth is None else max_depth - depth))


def _fetched(frontier):
    """Yield the nodes that are left to memory and their cases, one node at a time."""
    found = 0
    for nodes in _asked_together(frontier):
        for node in _fetched_together(frontier, nodes):
            found += 1
            yield node
    if found < len(frontier.left):
        raise changed(f"{len(frontier.left) - found} nodes have no rows any more")


def _asked_together(frontier):
    """Return lists of the nodes that are left to memory, each list for one question."""
    nodes = list(frontier.left)
    if not nodes:
        return []
    if not is_in_spark(frontier.rows):  # answers come some rows at a time
        return [nodes]
    parts, total = [[]], 0.0
    for node in nodes:
        size = min(frontier.left[node][0], frontier.cells)
        if parts[-1] and total + size > frontier.fit:
            parts.append([])
            total = 0.0
        parts[-1].append(node)
        total += size
    return parts


def _fetched_together(frontier, nodes):
    """Yield some nodes and their cases, fetched by one question."""
    source, rows = frontier.source, frontier.rows
    rows = rows.filter(rows.node.isin(nodes))
    is_grouped = frontier.cells < np.inf
    if is_grouped:
        names = [name for name in rows.columns if name != "w"]
        weight = rows.w.sum() if "w" in rows.columns else rows.count()
        rows = rows.group_by(names).aggregate(n=rows.count(), w=weight)
    what, waiting = "the rows of the small nodes", []
    if is_in_spark(rows):
        batches = [source.asker.ask(rows, what).sort_values("node", kind="stable")]
    else:
        batches = source.asker.batches(rows.order_by("node"), what, _BATCH)
    for batch in batches:
        ends = np.flatnonzero(np.diff(batch.node, append=-1)) + 1
        for first, last in zip([0, *ends[:-1]], ends, strict=True):
            part = batch.iloc[first:last]
            if waiting and waiting[-1].node.iloc[-1] != part.node.iloc[0]:
                yield _node_of(frontier, waiting)
                waiting = []
            waiting.append(part)
    if waiting:
        yield _node_of(frontier, waiting)


def _node_of(frontier, parts):
    source, rows = frontier.source, pd.concat(parts, ignore_index=True)
    node = int(rows.node.iloc[0])
    expected, n = frontier.left[node][0], int(rows.n.sum() if "n" in rows else len(rows))
    if n != expected:
        raise changed(f"a node has {n:,} rows, and {expected:,.0f} before")
    columns = []
    for a, attribute in enumerate(source.attributes):
        value = rows[f"x{a}"]
        is_number = attribute.kind == "numeric"
        columns.append(value.to_numpy(dtype=float) if is_number else source.codes(a, value))
    weight = rows.w.to_numpy(dtype=float) if "w" in rows else None
    target = source.targets(rows.y)
    cases = Cases(source.attributes, tuple(columns), target, source.classes)
    return node, cases if weight is None else cases.weighted(weight)


def graft(top: TreeArrays, below: dict[int, TreeArrays]) -> TreeArrays:
    """Return a tree with other trees in the place of some of its leaves, level by level.

    Parameters
    ----------
    top : the tree.
    below : dict from numbers of its leaves to the trees that stand there.
    """
    trees, roots = [top, *below.values()], {node: k for k, node in enumerate(below, 1)}
    n_branches = [Links.of(tree.first_child).n_branches.tolist() for tree in trees]

    def stands(k, i):
        return (roots[i], 0) if k == 0 and i in roots else (k, i)

    nodes, first_child = [stands(0, 0)], []
    for k, i in nodes:  # the list grows while we walk it
        first = int(trees[k].first_child[i])
        first_child.append(len(nodes) if first else 0)
        if first:
            nodes += [stands(k, child) for child in range(first, first + n_branches[k][i])]
    ends = np.cumsum([0, *(len(tree.label) for tree in trees)])
    tree, number = np.array(nodes).T
    place = ends[tree] + number
    parts = {name: _side_by_side(trees, name, place) for name in TreeArrays._fields}
    return TreeArrays(**parts | {"first_child": np.array(first_child)})


def _side_by_side(trees, name, place):
    """Return an array or a list of several trees as one, in the order of some places."""
    parts = [getattr(tree, name) for tree in trees]
    if parts[0] is None:
        return None
    if isinstance(parts[0], list):
        every = [item for part in parts for item in part]
        return [every[i] for i in place.tolist()]
    return np.concatenate(parts)[place]


# --- cuts of C4.5 ---------------------------------------------------------------------------------


def _cut_at_values(source, arrays):
    """Replace cuts half-way between two values by the largest value in the table below them.

    References
    ----------
    Quinlan (1993), section 2.4: C4.5 names a value that occurs.
    """
    cuts: dict[int, set] = {}
    for split in arrays.split:
        if isinstance(split, Threshold):
            cuts.setdefault(split.column, set()).add(split.cut)
    if not cuts:
        return arrays
    parts = []
    for a, some in cuts.items():
        value = source.rows[f"x{a}"]
        place = bisect(value, sorted(some), lambda i: ibis.literal(i, "int32"))
        known = source.rows.select(a=ibis.literal(a, "int32"), place=place, value=value)
        known = known.filter(known.value.notnull())
        parts.append(known.group_by("a", "place").aggregate(most=known.value.max()))
    asked = reduce(lambda one, other: one.union(other), parts)
    found = source.asker.ask(asked, "the values below the cuts")
    at = {}
    for a, some in cuts.items():
        most = found[found.a == a].set_index("place").most
        most = most.reindex(range(len(some) + 1)).cummax().ffill()
        at |= {(a, cut): float(most[i]) for i, cut in enumerate(sorted(some))}
    split = [
        replace(test, cut=at[test.column, test.cut]) if isinstance(test, Threshold) else test
        for test in arrays.split
    ]
    return arrays._replace(split=split)

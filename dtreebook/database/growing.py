"""Growing a tree from a table in a database: large nodes there, small ones in memory."""

from dataclasses import replace
from functools import reduce

import ibis

from dtreebook.database.asking import rows_that_fit
from dtreebook.database.counter import DatabaseCounter
from dtreebook.database.expressions import bisect
from dtreebook.database.finishing import MemoryControl
from dtreebook.database.source import Source, changed
from dtreebook.grow.growth import as_arrays, levels, watched
from dtreebook.tree.arrays import graft
from dtreebook.tree.splits import Threshold
from dtreebook.tree.tree import Tree


def grow_in_database(source: Source, control: MemoryControl, memory: str | int = "2GB") -> Tree:
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
    counter = DatabaseCounter(source, control, fit)
    counter.growth = control.growth(counter, source.summary)
    top = as_arrays(watched(levels(counter.growth, control), control.verbose))
    arrays = graft(top, counter.below) if counter.below else top
    if counter.is_multiway:
        arrays = _cut_at_values(source, arrays)
    return Tree(arrays, source.attributes, source.classes)


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
        rows = source.rows.select(a=ibis.literal(a, "int32"), place=place, value=value)
        parts.append(rows.group_by("a", "place").aggregate(n=rows.count(), most=rows.value.max()))
    asked = reduce(lambda one, other: one.union(other), parts)
    found = source.asker.ask(asked, "the values below the cuts")
    at = {}
    for a, some in cuts.items():
        here = found[found.a == a].set_index("place")
        most = here.most.reindex(range(len(some) + 1)).cummax().ffill()
        if here.n.sum() != source.n_rows or most.isna().any():
            raise changed(f"column {source.attributes[a].name!r} holds other values now")
        at |= {(a, cut): float(most[i]) for i, cut in enumerate(sorted(some))}
    split = [
        replace(test, cut=at[test.column, test.cut]) if isinstance(test, Threshold) else test
        for test in arrays.split
    ]
    return replace(arrays, split=split)

"""Lines of counts: what the rows of equal node, value and class add up to.

Lines are a DataFrame with the columns of `SUMS`, beside node, value and target. A value is the code
of a level, -1 where it is unknown, or a number, NaN where it is unknown; or the least of a range,
whose largest is ``high``. The target is the code of a class, or a mean.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dtreebook.database.source import Source, changed

# How each column of lines is added up. Numbers have sums and squares, of what they are above the
# mean of all, and their least and largest.
SUMS = {
    "n": "sum",
    "weight": "sum",
    "sum": "sum",
    "squares": "sum",
    "least": "min",
    "most": "max",
    "low": "min",
    "high": "max",
}


def added_up(lines: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return a line for all that are equal in some columns."""
    how = {name: how for name, how in SUMS.items() if name in lines}
    return lines.groupby(list(by), as_index=False, dropna=False).agg(how)


def in_order(source: Source, a: int, lines: pd.DataFrame, nodes: np.ndarray) -> pd.DataFrame:
    """Return the lines of a column in the order of node, value and class.

    Parameters
    ----------
    a : the position of the column.
    lines : with a cell, a level or a range, in the place of a value.
    nodes : the numbers of nodes, whose positions then stand in their places.
    """
    value = high = lines.cell
    if source.attributes[a].kind == "numeric":
        of = lines.groupby(["node", "cell"], dropna=False)  # the ends of all classes of a range
        value, high = of.low.transform("min"), of.high.transform("max")
    node = pd.Index(nodes).get_indexer(lines.node)
    target = source.mean_of(lines) if source.classes is None else lines.target
    lines = lines.assign(node=node, value=value, high=high, target=target)
    return lines.iloc[np.lexsort([lines.target, lines.value, lines.node])].reset_index(drop=True)


def inside(lines: pd.DataFrame, intervals: list[tuple]) -> np.ndarray:
    """Return which lines lie in some intervals (node, least, largest value)."""
    found, of_node, values = np.zeros(len(lines), dtype=bool), lines.node, lines.value.to_numpy()
    for node, low, high in intervals:
        first, last = np.searchsorted(of_node, [node, node + 1])
        ends = np.searchsorted(values[first:last], [low, np.nextafter(high, np.inf)])
        found[slice(*(first + ends))] = True
    return found


def replaced(lines: pd.DataFrame, intervals: list[tuple], by: pd.DataFrame) -> pd.DataFrame:
    """Return lines with others in the place of those inside some intervals."""
    lines = pd.concat([lines[~inside(lines, intervals)], by])
    return lines.iloc[np.lexsort([lines.target, lines.value, lines.node])].reset_index(drop=True)


def check_counts(source: Source, found: dict[int, pd.DataFrame], held: pd.DataFrame) -> None:
    """Raise a `DatabaseError` unless every column adds up to what nodes hold, by class or in sum.

    Parameters
    ----------
    found : dict from columns to lines.
    held : lines of what the nodes hold.
    """
    by = ["node"] if source.classes is None else ["node", "target"]
    known = added_up(held, by).set_index(by)
    for a, lines in found.items():
        now = added_up(lines, by).set_index(by).reindex(known.index, fill_value=0)
        wrong = np.flatnonzero(now.n.to_numpy() != known.n.to_numpy())
        name = f"by {source.attributes[a].name!r} a node has"
        if len(wrong):
            there, before = now.n.iloc[wrong[0]], known.n.iloc[wrong[0]]
            rows = "rows" if source.classes is None else "rows of a class"
            raise changed(f"{name} {there:,.0f} {rows}, and {before:,.0f} before")
        if source.classes is None:
            rounding = 1e-6 * np.sqrt(known.n * known.squares)
            if (abs(now["sum"] - known["sum"]) > rounding).any():
                raise changed(f"{name} numbers with another sum than before")

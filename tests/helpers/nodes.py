"""Put cases into nodes by hand, to see what is found in them."""

import numpy as np

from dtreebook.tree.splits import Threshold


def growth_in(control, cases, case, node, n_nodes, weight=None):
    """Put cases into nodes, as if some test had sent them there, and open all nodes that have any.

    Parameters
    ----------
    control : `dtreebook.grow.multiway.MultiwayControl`.
    cases : the training cases.
    case, node : arrays [p]; a case may stand in several nodes, in fractions.
    weight : array [p], or None if each weighs 1.

    Returns
    -------
    the growth, and the nodes in the order in which it has them now.
    """
    counter = control.count(cases)
    order = np.argsort(case, kind="stable")
    times = np.bincount(case, minlength=counter.n_parts)
    first = np.cumsum(times) - times
    counter._case, counter.target = case[order], counter.target.take(case[order])
    counter.weight = None if weight is None else weight[order]
    counter.n_parts, counter.parts, counter.node = len(case), np.arange(len(case)), node[order]
    for block in counter._sorted:
        block.expand(first, times)
    counter.n_nodes = n_nodes
    counter._parent, counter._branch = np.zeros(n_nodes, dtype=int), np.arange(n_nodes)
    growth = control.growth(counter, cases)
    growth.available = np.ones((n_nodes, len(cases.attributes)), dtype=bool)
    growth.label = np.zeros(n_nodes, dtype=int)
    growth.describe()
    return growth, growth.open(np.flatnonzero(np.bincount(node, minlength=n_nodes)))


def offer(growth, node, column):
    """Return the gain, the split information and the cut that a column offers in an open node."""
    found = growth.found
    (split,), _ = growth._splits(np.array([column]), np.array([node]))
    is_cut = isinstance(split, Threshold) and found.gain[node, column] > -np.inf
    cut = split.cut if is_cut else np.nan
    return found.gain[node, column], found.information[node, column], cut

"""Put cases into nodes by hand, to see what a frontier finds in them."""

import numpy as np


def place(frontier, case, node, n_nodes, weight=None):
    """Put cases into nodes, as if some test had sent them there, and open all nodes that have any.

    Parameters
    ----------
    frontier : `dtreebook.grow.multiway.MultiwayFrontier`, a root.
    case, node : arrays [p]; a case may stand in several nodes, in fractions.
    weight : array [p], or None if each weighs 1.

    Returns
    -------
    the nodes in the order in which the frontier has them now.
    """
    order = np.argsort(case, kind="stable")
    times = np.bincount(case, minlength=frontier.n_places)
    first = np.cumsum(times) - times
    frontier.case, frontier.target = case[order], frontier.target.take(case[order])
    frontier.weight = None if weight is None else weight[order]
    frontier.n_places, frontier.here, frontier.of_level = (
        len(case),
        np.arange(len(case)),
        node[order],
    )
    for block in frontier.presorted:
        block.expand(first, times)
    frontier.n_nodes = n_nodes
    frontier._parent, frontier._branch = np.zeros(n_nodes, dtype=int), np.arange(n_nodes)
    frontier._available = np.ones((n_nodes, len(frontier.cases.attributes)), dtype=bool)
    frontier.describe()
    return frontier.open(np.flatnonzero(np.bincount(node, minlength=n_nodes)))

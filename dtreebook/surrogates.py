"""Surrogates: tests of other attributes that send the cases the way the test of a node does.

Where the value that a node asks for is unknown, its surrogates are asked instead, the one that
agrees with it most first; where all of them are unknown too, the case goes with the majority.
"""

import numpy as np

from dtreebook.search import ROUNDING
from dtreebook.splits import Subset, Surrogate, Threshold
from dtreebook.tables import count

# A surrogate must save more than this share of the disagreement: the last digits are rounding.
_SOME = 1e-10


def branch_weights(level, side):
    """Return the weight of the cases that take each branch of every open node: array [m, 2].

    Parameters
    ----------
    level : `dtreebook.cuts.Open`.
    side : array over all cases, the branch each takes by the test of its node; -1 if unknown.
    """
    weight = None if level.weight is None else level.weight.take(level.case)
    codes = level.node.take(level.case), side.take(level.case) + 1
    return count(codes, (len(level.size), 3), weight)[:, 1:]


def majority(by_branch):
    """Return the branch with more weight: array [m], -1 where the two are equal."""
    more = by_branch[:, 1] - by_branch[:, 0]
    return np.where(abs(more) <= ROUNDING, -1, more > 0)


def find_surrogates(searches, level, side, asked, by_branch, most, agreement):
    """Return the surrogates of every open node of a level.

    Parameters
    ----------
    searches : the `dtreebook.cuts.Ordered` and `dtreebook.cuts.Counted` of all attributes.
    level, side : as for `branch_weights`, which gives `by_branch`.
    asked : array [m], the attribute each node asks for; -1 in a leaf.
    most : how many surrogates a node keeps.
    agreement : what the agreement is a share of: "primary", the cases that the test of the node
        knows; "both", those that the surrogate knows as well.

    Returns
    -------
    list [m] of tuples of `dtreebook.splits.Surrogate`, the best first; of equals, the first
    attribute.

    References
    ----------
    Breiman et al. (1984), section 5.3.1.
    """
    found = dict(pair for search in searches for pair in search.stand_in(level, side, asked))
    stand_ins = [found[a] for a in range(len(found))]
    agreed = np.stack([stand_in.agreed for stand_in in stand_ins], axis=1)
    if agreement == "primary":
        total, larger = by_branch.sum(axis=1)[:, None], by_branch.max(axis=1)[:, None]
    else:
        total = np.stack([stand_in.both for stand_in in stand_ins], axis=1)
        larger = np.stack([stand_in.most for stand_in in stand_ins], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share, adjusted = agreed / total, (agreed - larger) / (total - larger)
    share = np.where((adjusted > _SOME) & (asked >= 0)[:, None], share, -np.inf)
    best = np.argsort(-share, axis=1, kind="stable")[:, :most]
    kept = np.take_along_axis(share, best, axis=1) > -np.inf
    found = [[None] * n for n in kept.sum(axis=1).tolist()]
    for a, stand_in in enumerate(stand_ins):
        node, place = np.nonzero(kept & (best == a))
        about = stand_in.flipped[node], share[node, a], adjusted[node, a]
        surrogates = map(Surrogate, splits_of(a, stand_in, node), *(x.tolist() for x in about))
        for i, at, surrogate in zip(node.tolist(), place.tolist(), surrogates, strict=True):
            found[i][at] = surrogate
    return list(map(tuple, found))


def splits_of(attribute, found, nodes):
    """Yield what was found for an attribute in some nodes, as tests with two branches.

    Parameters
    ----------
    attribute : the position of the attribute.
    found : `dtreebook.cuts.Offer` or `dtreebook.cuts.StandIn`.
    nodes : the places of the nodes in it.
    """
    if found.side is None:
        yield from (Threshold(attribute, cut) for cut in found.cut[nodes].tolist())
    else:
        for side in found.side[nodes]:
            groups = (np.flatnonzero(side == branch).tolist() for branch in (0, 1))
            yield Subset(attribute, tuple(map(tuple, groups)))

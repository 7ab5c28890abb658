"""Growing a binary tree as CART does, a whole level at a time.

Every numeric attribute is sorted once, at the root. Its order goes down the tree by parting it in
two: first all cases that went to a first branch, then all that went to a second. Within both parts
the order stays, so the cases of a node stand together, sorted, and one running sum scores all cuts
of all nodes of a level.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from dtreebook import measures
from dtreebook.cuts import Classes, Counted, Numbers, Open, Ordered, parted
from dtreebook.data import unknown
from dtreebook.decrease import (
    entropy_by_rank,
    entropy_decrease,
    gini_by_rank,
    gini_decrease,
    squared_decrease,
)
from dtreebook.grow import BEST, DEPTH, NOTHING_TO_ASK, PURE, TOO_FEW, TOO_LITTLE, Candidate, Level
from dtreebook.routes import Routes
from dtreebook.search import TIE, stable_order
from dtreebook.surrogates import branch_weights, find_surrogates, majority, splits_of
from dtreebook.tables import count
from dtreebook.tree import Flat, Tree

# For each criterion how its decrease is computed, and how with many classes.
_DECREASES = {
    "gini": (gini_decrease, gini_by_rank),
    "entropy": (entropy_decrease, entropy_by_rank),
    "squared_error": (squared_decrease, None),
}
_MANY_CLASSES = 8

# Attributes are taken together while they have so few cells: enough to forget the cost of a call.
_BLOCK = 2**15


@dataclass(frozen=True, slots=True)
class BinaryRecipe:
    """Say how CART grows its trees.

    Attributes
    ----------
    criterion : "gini", "entropy" or "squared_error": the impurity that a test lowers most.
    max_depth : the most tests on a path; None for no limit.
    min_samples_split : a node with fewer cases becomes a leaf.
    min_samples_leaf : how many cases of known value either side of a test must have.
    min_decrease : what a test must lower the impurity by, as a share of all the weight.
    priors : array [K], the shares of the classes where the tree is to be used; None for those of
        the cases.
    loss : array [K, K], what it costs to take a case of one class (row) for another (column); None
        if every error costs 1.
    max_surrogates : how many surrogates a node keeps.
    missing : where a case goes whose value is unknown: "majority", by the surrogates, then with the
        majority; "surrogates", by these, else it stops at the node; "stop", it stops there.
    agreement : see `dtreebook.surrogates.find_surrogates`.
    """

    criterion: str = "gini"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_decrease: float = 0.0
    priors: np.ndarray | None = None
    loss: np.ndarray | None = None
    max_surrogates: int = 0
    missing: str = "majority"
    agreement: str = "primary"

    def levels(self, cases):
        """Yield the levels of the tree, from the root down, each a `dtreebook.grow.Level`.

        References
        ----------
        Breiman et al. (1984), sections 2.4 and 5.3; Mehta, Agrawal and Rissanen (1996), SLIQ, for
        sorting once and growing by levels.
        """
        target = _TargetClasses(cases, self) if cases.classes is not None else _TargetNumbers(cases)
        searches = _searches(cases)
        decreases = _DECREASES[self.criterion]
        if target.sums.n_amounts < _MANY_CLASSES:
            decreases = decreases[0], None
        # What a sum is off by rounding; a decrease that is the square of a sum, the square of it.
        rounding = 16 * target.rounding
        if decreases[0] is not entropy_decrease and decreases[1] is None:
            rounding *= rounding
        n_cases, n_nodes, depth = len(cases.target), 1, 0
        case = np.arange(n_cases, dtype=np.int32)
        place = np.zeros(n_cases, dtype=np.int32)  # of each case among all nodes of its level
        node = np.zeros(n_cases, dtype=np.int32)  # among the open ones
        parent = np.zeros(1, dtype=np.int32)  # of each node, among the open ones of the level above
        while n_nodes:
            here = place.take(case)
            size = np.bincount(here, minlength=n_nodes)
            counts, label, risk, is_pure = target.describe(case, here, n_nodes)
            reason = np.full(n_nodes, BEST)
            if depth == self.max_depth:
                reason[:] = DEPTH
            reason[size < self.min_samples_split] = TOO_FEW
            reason[is_pure] = PURE

            opened = np.flatnonzero(reason == BEST)
            surrogates = default = None
            if self.missing != "stop":
                surrogates, default = [()] * n_nodes, np.full(n_nodes, -1)
            # As long as no test is found, every node is a leaf.
            grown = Level(
                counts,
                label,
                reason,
                attribute=np.full(n_nodes, -1),
                split=[None] * n_nodes,
                first_child=np.zeros(n_nodes, dtype=np.intp),
                open=opened,
                candidates=tuple,
                risk=risk,
                surrogates=surrogates,
                default=default,
                improvement=np.zeros(n_nodes),
            )
            if not len(opened):
                yield grown
                return

            # Only the cases in open nodes go on. First come those in first branches, at even places
            # of the level, then those in second ones, both in the order of the parents.
            opened = opened[np.lexsort([parent[opened], opened % 2])]
            way_of_node, segment = np.zeros((2, n_nodes), dtype=np.int32)
            way_of_node[opened] = 1 + opened % 2
            segment[opened] = np.arange(len(opened))
            way = np.zeros(n_cases, dtype=np.uint8)
            way[case] = way_of_node.take(here)
            case = case.take(parted(way.take(case)))
            for search in searches:
                search.part(way)
            node[case] = segment.take(place.take(case))
            nothing = counts.sum(axis=1)[opened] * rounding
            level = Open(
                case,
                size[opened],
                node,
                target.sums,
                cases.weight,
                target.weight,
                self.min_samples_leaf,
                nothing,
                *decreases,
            )
            found = dict(pair for search in searches for pair in search.search(level))
            offers = [found[a] for a in range(len(found))]
            gain = np.array([offer.gain for offer in offers])
            best = gain.max(axis=0)
            best[(best > 0) & (best <= nothing)] = 0
            # argmax finds the first True: of tied attributes, the first.
            chosen = (gain >= best - abs(best) * TIE - nothing).argmax(axis=0)
            reason[opened[best < self.min_decrease * target.total * (1 - TIE)]] = TOO_LITTLE
            reason[opened[best == -np.inf]] = NOTHING_TO_ASK
            chosen[reason[opened] != BEST] = -1

            grown.attribute[opened] = chosen
            grown.improvement[opened] = np.where(chosen >= 0, best, 0)
            for a in np.unique(chosen[chosen >= 0]).tolist():
                i = np.flatnonzero(chosen == a)
                for at, found in zip(opened[i].tolist(), splits_of(a, offers[a], i), strict=True):
                    grown.split[at] = found
            side = np.full(n_cases, -1, dtype=np.int8)
            side[case] = _sides(cases.columns, level, chosen, offers)
            if self.missing != "stop":
                self._stand_in(searches, level, side, chosen, opened, surrogates, default)
                lost = case[(side[case] < 0) & (chosen >= 0)[node[case]]]
                if len(lost):
                    flat = Flat(None, None, grown.split, None, None, surrogates, default)
                    columns = [column[lost] for column in cases.columns]
                    routes = Routes(Tree(flat, cases.attributes, cases.classes), columns)
                    side[lost] = routes.branch(opened[node[lost]], np.arange(len(lost)))
            is_divided = grown.attribute >= 0
            first_child = 2 * (np.cumsum(is_divided) - 1)
            candidates = partial(_candidates, cases, level, offers, target)
            yield grown._replace(first_child=first_child, open=opened, candidates=candidates)

            case = case[side[case] >= 0]
            place[case] = first_child[opened[node[case]]] + side[case]
            parent = np.repeat(segment[is_divided], 2)
            n_nodes = len(parent)
            depth += 1

    def _stand_in(self, searches, level, side, chosen, opened, surrogates, default):
        """Fill in the surrogates and the default of every node of a level that has a test."""
        by_branch = branch_weights(level, side)
        if self.missing == "majority":
            default[opened] = np.where(chosen >= 0, majority(by_branch), -1)
        if self.max_surrogates:
            found = find_surrogates(
                searches, level, side, chosen, by_branch, self.max_surrogates, self.agreement
            )
            for i, of_node in zip(opened.tolist(), found, strict=True):
                surrogates[i] = of_node


class _TargetClasses:
    """Classes as a target: what a node says of them, and what impurities are measured with.

    With priors a case weighs as much more as its class is to be commoner than among the cases; a
    loss acts on the impurities as priors do that are larger for classes that are dear to mistake.

    Attributes
    ----------
    sums : `dtreebook.cuts.Classes`.
    weight : array [n] for the impurities, or None if each case weighs 1.
    total : their sum.
    rounding : how far a number may be off, as a share of the weight.
    """

    rounding = np.finfo(float).eps

    def __init__(self, cases, recipe):
        self.cases, self.loss = cases, recipe.loss
        self.n_classes = len(cases.classes)
        self.sums = Classes(cases.target, self.n_classes)
        counts = count((cases.target,), (self.n_classes,), cases.weight)
        priors = measures.shares(counts) if recipe.priors is None else recipe.priors
        self.worth = priors / measures.shares(counts)
        altered = self.worth
        if recipe.loss is not None:
            dear = priors * recipe.loss.sum(axis=1)
            altered = measures.shares(dear) / measures.shares(counts)
        self.weight = cases.weight
        if recipe.priors is not None or recipe.loss is not None:
            self.weight = altered[cases.target] * (1 if cases.weight is None else cases.weight)
        self.total = float((counts * altered).sum())

    def describe(self, case, node, n_nodes):
        """Return the counts, label and risk of each node, and whether it is pure."""
        weight = None if self.cases.weight is None else self.cases.weight.take(case)
        codes = node, self.cases.target.take(case)
        counts = count(codes, (n_nodes, self.n_classes), weight)
        is_pure = np.count_nonzero(counts, axis=1) == 1
        counts *= self.worth
        if self.loss is None:
            most = counts.max(axis=1, keepdims=True)
            return counts, (counts >= most * (1 - TIE)).argmax(axis=1), None, is_pure
        losses = counts @ self.loss
        least = losses.min(axis=1, keepdims=True)
        return counts, (losses <= least * (1 + TIE)).argmax(axis=1), least[:, 0], is_pure

    def row(self, case):
        """Return the weights by class of some cases: array [K]."""
        weight = None if self.cases.weight is None else self.cases.weight[case]
        return count((self.cases.target[case],), (self.n_classes,), weight) * self.worth


class _TargetNumbers:
    """Numbers as a target, kept as what they are above their mean: see `_TargetClasses`."""

    def __init__(self, cases):
        self.target, self.weight = cases.target, cases.weight
        self.mean = np.average(cases.target, weights=cases.weight)
        self.above = cases.target - self.mean
        self.rounding = np.finfo(float).eps * abs(cases.target).max()
        self.total = len(self.above) if cases.weight is None else cases.weight.sum()
        self.sums = Numbers(np.zeros_like(self.above))

    def describe(self, case, node, n_nodes):
        """Return the weight, mean and squared error of each node, and whether it is constant."""
        each = np.ones(len(case)) if self.weight is None else self.weight.take(case)
        above = self.above.take(case)
        weight = np.bincount(node, each, n_nodes)
        mean = np.bincount(node, each * above, n_nodes) / weight
        above -= mean.take(node)
        self.sums.above[case] = above
        error = np.bincount(node, each * above * above, n_nodes)
        is_constant = error <= weight * (4 * self.rounding) ** 2
        label = self.mean + mean
        self._say_exactly(label, error, case, node, is_constant)
        return weight[:, None], label, error, is_constant

    def _say_exactly(self, label, error, case, node, is_constant):
        """Take the number itself for the mean of equal ones: the mean may be off by rounding."""
        here = np.flatnonzero(is_constant.take(node))
        node, number = node.take(here), self.target.take(case.take(here))
        said = label.copy()
        said[node] = number
        differ = np.bincount(node, number != said.take(node), len(label))
        equal = is_constant & (differ == 0)
        label[equal], error[equal] = said[equal], 0

    def row(self, case):
        """Return the weight, the mean and the squared error of some cases: array [3]."""
        each = np.ones(len(case)) if self.weight is None else self.weight[case]
        mean = np.average(self.above[case], weights=each)
        error = (each * (self.above[case] - mean) ** 2).sum()
        return np.array([each.sum(), self.mean + mean, error])


def _searches(cases):
    """Return what searches the attributes: the nominal ones singly, the others in blocks."""
    ordered, searches = {}, []
    for a, (attribute, column) in enumerate(zip(cases.attributes, cases.columns, strict=True)):
        if attribute.kind == "nominal":
            searches.append(Counted(a, column, len(attribute.levels)))
        else:
            ordered[a] = column
    return [*searches, *Ordered.blocks(ordered, max(1, _BLOCK // len(cases.target)))]


def _sides(columns, level, chosen, offers):
    """Return the branch that each case of the level takes: -1 if unknown, or if it is in a leaf."""
    side = np.full(len(level.case), -1, dtype=np.int8)
    asked = chosen.take(level.node.take(level.case))
    order = stable_order(asked + 1)
    ends = np.searchsorted(asked.take(order), np.arange(-1, len(columns)), side="right")
    for a, offer in enumerate(offers):
        here = order[ends[a] : ends[a + 1]]
        if not len(here):
            continue
        case = level.case.take(here)
        node, value = level.node.take(case), columns[a][case]
        if offer.side is not None:
            side[here] = np.where(value >= 0, offer.side[node, value], -1)
        else:
            side[here] = np.where(unknown(value), -1, value > offer.cut.take(node))
    return side


def _candidates(cases, level, offers, target):
    """Yield the candidates of each open node of a level."""
    ends = np.cumsum(level.size)
    for i, (start, end) in enumerate(zip(ends - level.size, ends, strict=True)):
        case = level.case[start:end]
        weight = len(case) if target.weight is None else target.weight[case].sum()
        found = []
        for a, offer in enumerate(offers):
            if offer.gain[i] > -np.inf:
                split, score = next(splits_of(a, offer, [i])), float(offer.gain[i])
                branch = split.branch(cases.columns[a][case])
                table = np.array([target.row(case[branch == side]) for side in (0, 1)])
                found.append(Candidate(split, table, score, {"decrease": score / float(weight)}))
        yield tuple(found)

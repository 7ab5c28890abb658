"""Growing as CART does: every test has two branches, and surrogates stand in where it fails."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dtreebook import measures
from dtreebook.data.cases import Cases, unknown, weights_at
from dtreebook.data.counts import count, majority_class
from dtreebook.grow.categories import CategoryTables
from dtreebook.grow.criteria import BINARY, EPS, named
from dtreebook.grow.frontier import ArrayFrontier, Offers
from dtreebook.grow.growth import (
    BEST,
    PURE,
    TOO_FEW,
    WEIGHT_ATOL,
    Candidate,
    Division,
    Nodes,
    Scores,
)
from dtreebook.grow.subsets import best_subsets
from dtreebook.grow.surrogates import branch_weights, find_surrogates, majority_branch, split_found
from dtreebook.grow.target import ClassTarget, NumericTarget
from dtreebook.grow.threads import in_threads
from dtreebook.grow.thresholds import LOST, Cuts, between
from dtreebook.measures import TIE
from dtreebook.tree.routing import Router
from dtreebook.tree.splits import Surrogate


@dataclass(frozen=True, slots=True)
class BinaryControl:
    """Say how CART grows its trees.

    Attributes
    ----------
    criterion : a name in `dtreebook.grow.criteria.BINARY`: the impurity that a test lowers most.
    max_depth : the most tests on a path; None for no limit.
    min_samples_split : a node with fewer cases becomes a leaf.
    min_samples_leaf : how many cases of known value either side of a test must have.
    min_weight_fraction_leaf : what share of all the weight either side of a test must have.
    min_decrease : what a test must lower the impurity by, as a share of all the weight.
    priors : array [K], the shares of the classes where the tree is to be used; None for those of
        the cases.
    loss : array [K, K], what it costs to take a case of one class (row) for another (column); None
        if every error costs 1.
    max_surrogates : how many surrogates a node keeps.
    missing : where a case goes whose value is unknown: "majority", by the surrogates, then with the
        majority; "surrogates", by these, else it stops at the node; "stop", it stops there.
    agreement : see `dtreebook.grow.surrogates.find_surrogates`.
    max_features, random_state : how many columns are drawn for each node; None for all.
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
    max_features: int | None = None
    random_state: np.random.RandomState | int | None = None
    min_weight_fraction_leaf: float = 0.0

    def __post_init__(self):
        named(self.criterion, BINARY)

    def frontier(self, cases: Cases) -> "BinaryFrontier":
        """Return the root of the tree to be grown."""
        return BinaryFrontier(cases, self)


class BinaryFrontier(ArrayFrontier):
    """The nodes that CART divides next: see `dtreebook.grow.growth.Frontier`.

    Attributes
    ----------
    control : `BinaryControl`.
    answers : `_Classes` or `_Numbers`.
    least_weight : what either side of a test must weigh.
    side : array [n], the branch that each case takes; -1 if it stops.
    """

    def __init__(self, cases: Cases, control: BinaryControl):
        columns = enumerate(cases.columns)
        kinds = [attribute.kind for attribute in cases.attributes]
        ordered = {a: column for a, column in columns if kinds[a] != "nominal"}
        # Surrogates are sought case by case.
        super().__init__(cases, ordered, may_count=not control.max_surrogates)
        nominal = [a for a, kind in enumerate(kinds) if kind == "nominal"]
        self.categories = CategoryTables.group(cases, nominal)
        self.control, self.criterion = control, named(control.criterion, BINARY)
        self.answers = (_Numbers if cases.classes is None else _Classes)(cases, control)
        share = control.min_weight_fraction_leaf
        self.least_weight = share * self.answers.total * (1 - WEIGHT_ATOL)
        none = np.zeros(0, dtype=np.intp)
        self.undivided = Division([], none, np.zeros(0), [], none)
        if control.missing == "stop":
            self.undivided = Division([], none, np.zeros(0))

    def start(
        self, root: "BinaryFrontier", node: np.ndarray, available: np.ndarray, label: np.ndarray
    ) -> None:
        """Begin below the root: see `dtreebook.grow.frontier.ArrayFrontier.start`."""
        super().start(root, node, available, label)
        self.answers.follow(root.answers)
        self.least_weight = root.least_weight

    @property
    def class_target(self) -> ClassTarget | NumericTarget:
        """What the tree is to say of each case: classes or numbers."""
        return self.answers.target

    def describe(self) -> Nodes:
        """Return what each node holds, and why some are not divided."""
        at, times = self.of_level, self.cases.times
        size = np.bincount(at, weights_at(times, self.here), self.n_nodes)
        assert size.all(), "a node without a case"
        counts, label, risk, is_pure = self.answers.describe(self.here, at, self.n_nodes)
        reason = np.full(self.n_nodes, BEST)
        reason[size < self.control.min_samples_split] = TOO_FEW
        reason[is_pure] = PURE
        self._weight = counts.sum(axis=1)
        return Nodes(counts, label, reason, risk)

    # --- searching ----------------------------------------------------------------------------

    def search(self) -> Scores:
        """Return by how much each column lowers the impurity of each open node, in weight."""
        m, n_columns = len(self.size), len(self.cases.columns)
        self.offers, self.noise = Offers(m, n_columns), self.rounding()
        for group in self.categories:
            self._search_nominal(group)
        blocks = [*self.counted, *self.presorted]
        in_threads(self._search_ordered, blocks, len(self.here) * n_columns)
        return self.compare()

    def rounding(self) -> np.ndarray:
        """Return by how much a decrease may be off by rounding, in weight: array [m]."""
        is_ranked = self.answers.target.is_ranked(self.criterion, self.answers.weight)
        return self._weight * self.answers.blur(self.size) ** (
            1 if is_ranked else self.criterion.power
        )

    def compare(self) -> Scores:
        """Return how well each column does, from what they offer."""
        gain = self.offers.gain
        gain[abs(gain) <= self.noise[:, None]] = 0
        best = gain.max(axis=1)
        tie = np.where(best > 0, best * TIE, 0) + self.noise
        least = self.control.min_decrease * self.answers.total * (1 - TIE)
        return Scores(gain, tie, least)

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with some of the nodes; return them in the order in which the cases now lie."""
        nodes = super().open(nodes)
        self._weight = self._weight[nodes]
        return nodes

    def _tie(self, node):
        """Return how far below the best a decrease still is as good, in some of the nodes."""
        return lambda best: abs(best) * TIE + self.noise[node]

    def _search_ordered(self, block):
        """Fill in the best cut of each node for a block of numeric or ordered columns."""
        weight, least = self.answers.weight, self.control.min_samples_leaf
        laid = block.lay(self, weight)
        if not laid.value.size:
            return
        segments, is_cut = laid.segments, laid.segments.rises(laid.value)
        if least > 1:
            in_all = segments.spread(laid.in_all)
            is_cut &= (laid.number >= least) & (in_all - laid.number >= least)
        is_cut &= segments.has_sides
        if self.least_weight:
            is_cut &= (segments.left >= self.least_weight) & (segments.right >= self.least_weight)
        cuts = Cuts(segments, is_cut)
        gain = laid.decrease(self.criterion, cuts)
        best, place = cuts.best(gain, self._tie(laid.node))
        at = laid.node, block.columns[laid.row]
        self.offers.gain[at] = best
        self.offers.cut[at] = between(laid.value, place)

    def _search_nominal(self, group):
        """Fill in the best subsets of each node for a group of nominal columns."""
        offers, least, answers = self.offers, self.control.min_samples_leaf, self.answers
        # A last value has what is said of none.
        sides = np.full((len(group.columns), len(self.size), group.n_values + 1), -1, dtype=np.int8)
        for node, column, value, tables in group.present(self, *answers.amounts(self.here)):
            sums = answers.sums(*tables)
            best, side = best_subsets(
                *sums, least, self.noise[node], self.criterion, self.least_weight
            )
            offers.gain[node, group.columns[column]] = best
            sides[column[:, None], node[:, None], value] = side
        offers.side.update(zip(group.columns.tolist(), sides, strict=True))

    # --- dividing -----------------------------------------------------------------------------

    def divide(self, chosen: np.ndarray, best: np.ndarray) -> Division:
        """Divide the open nodes by the columns chosen: -1 in a leaf."""
        control = self.control
        asked = enumerate(chosen.tolist())
        split = [split_found(self.offers, i, a) if a >= 0 else None for i, a in asked]
        is_divided = chosen >= 0
        self._n_branches = np.where(is_divided, 2, 0)
        improvement = np.where(is_divided, best, 0)
        self.side = np.full(self.n_places, -1, dtype=np.int8)
        side = self._sides(chosen)
        self.side[self.here] = side
        if control.missing == "stop":
            return Division(split, self._n_branches, improvement)
        by_branch = branch_weights(self)
        default = np.full(len(chosen), -1)
        if control.missing == "majority":
            default = np.where(is_divided, majority_branch(by_branch), -1)
        surrogates: list[tuple[Surrogate, ...]] = [()] * len(chosen)
        if control.max_surrogates:
            surrogates = find_surrogates(self, chosen, by_branch)
        lost = np.flatnonzero((side < 0) & is_divided.take(self.node))
        if len(lost):
            case, node = self.here.take(lost), self.node.take(lost)
            columns = [column.take(case) for column in self.cases.columns]
            routes = Router(split, surrogates, default, self.cases.attributes).over(columns)
            self.side[case] = routes.branch(node, np.arange(len(lost)))
        return Division(split, self._n_branches, improvement, surrogates, default)

    def _sides(self, chosen):
        """Return the branch of each case here by the test of its node: -1 if unknown, or none."""
        value = self._asked(chosen)
        cut = self.offers.cut[np.arange(len(chosen)), chosen].take(self.node)
        is_unknown = unknown(value) | (chosen < 0).take(self.node)
        side = np.where(is_unknown, np.int8(-1), value > cut)
        for a in self.offers.side.keys() & set(chosen.tolist()):
            here = np.flatnonzero((chosen == a).take(self.node) & ~is_unknown)
            code = value.take(here).astype(np.intp)
            side[here] = self.offers.side[a][self.node.take(here), code]
        return side

    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level."""
        self._number_children(first_child, self._n_branches)
        self._send(self.side.take(self.here), first_child)

    def candidates(self) -> Iterable[tuple[Candidate, ...]]:
        """Yield the candidates of each open node."""
        ends = np.append(0, np.cumsum(self.size))
        weight = self.answers.weight
        title = f"decrease of the {self.criterion.title} × cases"
        for i in range(len(self.size)):
            case, found = self.here[ends[i] : ends[i + 1]], []
            of_node = len(case) if weight is None else float(weight[case].sum())
            for a in np.flatnonzero(self.offers.gain[i] > -np.inf).tolist():
                split, score = split_found(self.offers, i, a), float(self.offers.gain[i, a])
                branch = split.branch(self.cases.columns[a][case])
                table = np.array([self.answers.row(case[branch == side]) for side in (0, 1)])
                parts = {"decrease": score / of_node}
                found.append(Candidate(split, table, score, title, parts))
            yield tuple(found)


class _Classes:
    """Classes as answers: what a node says of them, and what impurities are measured with.

    With priors a case weighs as much more as its class is to be commoner than among the cases; a
    loss acts on the impurities as priors do that are larger for classes that are costly to mistake.

    Attributes
    ----------
    target : `ClassTarget`.
    weight : array [n] for the impurities, or None if each case weighs 1.
    total : their sum.
    """

    def __init__(self, cases, control):
        self.cases, self.control, self.loss = cases, control, control.loss
        self.n_classes = cases.n_classes
        self.target = ClassTarget(cases.target, self.n_classes)
        counts = count((cases.target,), (self.n_classes,), cases.weight)
        seen = measures.shares(counts)
        priors = seen if control.priors is None else control.priors
        # A class that none of the cases has, as in a sample drawn for a forest, weighs nothing.
        seen = np.where(seen > 0, seen, np.inf)
        self.prior_weight = altered = priors / seen
        if control.loss is not None:  # the altered priors of Breiman et al. (1984), section 4.4.1
            altered = measures.shares(priors * control.loss.sum(axis=1)) / seen
        self.altered = altered
        self.weight = self._weights()
        self.total = float((counts * altered).sum())

    def follow(self, root):
        """Weigh the classes as at the root, where all cases are."""
        self.prior_weight, self.altered, self.total = root.prior_weight, root.altered, root.total
        self.weight = self._weights()

    def _weights(self):
        """Return the weight of each case for the impurities."""
        if self.control.priors is None and self.control.loss is None:
            return self.cases.weight
        return self.altered[self.cases.target] * self.cases.weights

    def blur(self, size):
        """Return how far sums may be off by rounding, as a share of the weight of each node."""
        return EPS * (16 if self.weight is None else np.maximum(16, np.sqrt(size)))

    def describe(self, case, node, n_nodes):
        """Return the counts, label and risk of each node, and whether it is pure."""
        weight = self.cases.weight_of(case)
        codes = node, self.target.codes.take(case)
        counts = count(codes, (n_nodes, self.n_classes), weight)
        weighed = counts > LOST * counts.sum(axis=1, keepdims=True)
        is_pure = np.count_nonzero(weighed, axis=1) == 1
        counts *= self.prior_weight
        if self.loss is None:
            return counts, majority_class(counts), None, is_pure
        losses = counts @ self.loss
        least = losses.min(axis=1, keepdims=True)
        return counts, (losses <= least * (1 + TIE)).argmax(axis=1), least[:, 0], is_pure

    def amounts(self, places):
        """Return codes, their number and what tables of nominal columns are to add up."""
        codes, times = self.target.codes.take(places), self.cases.times
        if self.weight is None:
            return codes, self.n_classes, (None,)  # each case counts 1
        number = weights_at(times, places)
        return codes, self.n_classes, (number, self.weight.take(places))

    def sums(self, number, weight=None):
        """Return the weight of each value, its weight by class, and its number of cases."""
        size = measures.total(number)
        return (size, number, size) if weight is None else (measures.total(weight), weight, size)

    def row(self, case):
        """Return the weights by class of some cases: array [K]."""
        weight = self.cases.weight_of(case)
        return count((self.cases.target[case],), (self.n_classes,), weight) * self.prior_weight


class _Numbers:
    """Numbers as answers: see `_Classes`."""

    def __init__(self, cases, control):
        self.numbers, self.weight, self.times = cases.target, cases.weight, cases.times
        self.mean = np.average(cases.target, weights=cases.weight)
        self.above = cases.target - self.mean
        self.unit = EPS * abs(cases.target).max()  # what a number may be off by rounding
        self.total = cases.total
        self.target = NumericTarget(len(self.above))

    def follow(self, root):
        """Measure from the mean of all cases, and weigh as at the root."""
        self.mean, self.unit, self.total = root.mean, root.unit, root.total
        self.above = self.numbers - self.mean

    def _weight_of(self, case):
        return np.ones(len(case)) if self.weight is None else self.weight.take(case)

    def blur(self, size):
        """Return how far a mean may be off by rounding."""
        return 16 * self.unit

    def describe(self, case, node, n_nodes):
        """Return the weight, mean and squared error of each node, and whether it is constant."""
        each, above = self._weight_of(case), self.above.take(case)
        weight = np.bincount(node, each, n_nodes)
        mean = np.bincount(node, each * above, n_nodes) / weight
        above -= mean.take(node)
        self.target.above[case] = above
        error = np.bincount(node, each * above * above, n_nodes)
        label = self.mean + mean
        # The mean of equal numbers may be off by rounding, the more so the more there are.
        number = self.numbers.take(case)
        label_of_equal = np.empty(n_nodes)
        label_of_equal[node] = number
        differ = np.bincount(node, number != label_of_equal.take(node), n_nodes)
        equal = differ == 0
        label[equal], error[equal] = label_of_equal[equal], 0
        return weight[:, None], label, error, error <= weight * (4 * self.unit) ** 2

    def amounts(self, places):
        """Return what tables of nominal columns are to add up: see `_Classes`."""
        above = self.target.above.take(places)
        number = weights_at(self.times, places)
        if self.weight is None:
            return None, 1, (number, above)
        each = self.weight.take(places)
        return None, 1, (number, each * above, each)

    def sums(self, number, above, weight=None):
        """Return the weight of each value, the sum of its numbers, and its number of cases."""
        return (number if weight is None else weight)[:, :, 0], above, number[:, :, 0]

    def row(self, case):
        """Return the weight, the mean and the squared error of some cases: array [3]."""
        each = self._weight_of(case)
        mean = np.average(self.above[case], weights=each)
        error = (each * (self.above[case] - mean) ** 2).sum()
        return np.array([each.sum(), self.mean + mean, error])

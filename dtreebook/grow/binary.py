"""Growing as CART does: every test has two branches, and surrogates stand in where it fails.

Numbers and ordered levels are cut between two values; the levels of a nominal column are divided
into two groups. The test that lowers the impurity of a node most divides it, of equal ones the
first. With priors a case weighs as much more as its class is to be commoner than among the cases; a
loss acts on the impurities as priors do that are larger for classes that are costly to mistake
(Breiman et al. 1984, section 4.4).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from dtreebook import measures
from dtreebook.count.counter import Counter, Loss
from dtreebook.count.memory import MemoryCounter
from dtreebook.count.parts import in_threads
from dtreebook.data.cases import Cases, count, majority_class
from dtreebook.grow.bounds import doubtful
from dtreebook.grow.criteria import BINARY, BinaryCriterion, named
from dtreebook.grow.cuts import Aim, is_ranked
from dtreebook.grow.growth import (
    BEST,
    PURE,
    TOO_FEW,
    Candidate,
    Control,
    Division,
    Found,
    Growth,
    Nodes,
    Scores,
)
from dtreebook.grow.subsets import best_subsets
from dtreebook.grow.surrogates import find_surrogates, majority_branch
from dtreebook.measures import EPS, LOST, TIE, WEIGHT_TOL, Impurity
from dtreebook.tree.splits import Splits, Surrogate


@dataclass(frozen=True, slots=True)
class BinaryControl(Control):
    """Say how CART grows its trees, by the parameters of `dtreebook.cart.CARTClassifier`."""

    criterion: str | Impurity = "gini"
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    priors: np.ndarray | None = None  #: array [K]
    loss: np.ndarray | None = None  #: array [K, K]
    max_surrogates: int = 0
    missing: str = "majority"
    agreement: str = "primary"
    monotonic_cst: np.ndarray | None = None  #: array [A] of 1, -1 and 0

    def count(self, cases: Cases) -> MemoryCounter:
        kinds = [attribute.kind for attribute in cases.attributes]
        cut = [a for a, kind in enumerate(kinds) if kind != "nominal"]
        # Surrogates are sought case by case; a constraint does not keep to the bounds of ranges.
        is_free = not self.max_surrogates and not self.binds_neighbours
        return MemoryCounter(cases, cut, may_be_ranged=lambda: is_free and self.measure.has_bound)

    @property
    def binds_neighbours(self) -> bool:
        return self.monotonic_cst is not None

    @property
    def measure(self) -> BinaryCriterion:
        """The criterion that scores the cuts."""
        return named(self.criterion, BINARY, BinaryCriterion.of).in_force()

    def growth(self, counter: Counter, cases: Cases) -> "BinaryGrowth":
        return BinaryGrowth(self, counter, cases)


class BinaryGrowth(Growth):
    """The nodes that CART divides next.

    Attributes
    ----------
    factor : array [K], what a case of each class weighs more for the impurities; None if all weigh
        the same.
    total : the weight of all cases, as the impurities weigh them.
    """

    control: BinaryControl

    def __init__(self, control: BinaryControl, counter: Counter, cases: Cases):
        super().__init__(control, counter, cases)
        self.criterion = control.measure
        self.is_classified = cases.classes is not None
        self._is_numeric = np.array([a.kind == "numeric" for a in cases.attributes])
        self.factor: np.ndarray | None = None
        if self.is_classified:
            self._weigh_classes(cases)
        else:
            self.total, self._unit = cases.total, EPS * abs(cases.target).max()
            mean = float(np.average(cases.target, weights=cases.weight))
            criterion = self.criterion
            assert criterion.loss is not None, "of numbers"
            loss = Loss(criterion.loss, criterion.is_centred, criterion.power)
            counter.measure_numbers(loss, mean, self._unit)
        self._aim = Aim(
            self.criterion,
            control.min_samples_leaf,
            control.min_weight_fraction_leaf * self.total * (1 - WEIGHT_TOL),
            None if control.monotonic_cst is None else self._keeps_order,
        )
        self._tie = TIE * (1.0 if self.is_classified else float(abs(cases.target).max()))
        none = np.zeros(0, dtype=np.intp)
        if control.monotonic_cst is not None:
            self.inherited = self.inherited._replace(bounds=np.array([[-np.inf, np.inf]]))
        self.undivided = Division(Splits.none(0), none, np.zeros(0), [], none)
        if control.missing == "stop":
            self.undivided = Division(Splits.none(0), none, np.zeros(0))

    def _weigh_classes(self, cases):
        """Find what a case of each class weighs by the priors, and with the loss beside them."""
        control = self.control
        counts = count((cases.target,), (cases.n_classes,), cases.weight)
        seen = measures.shares(counts)
        priors = seen if control.priors is None else control.priors
        # A class that none of the cases has, as in a sample drawn for a forest, weighs nothing.
        seen = np.where(seen > 0, seen, np.inf)
        self.prior_weight = altered = priors / seen
        if control.loss is not None:  # the altered priors of Breiman et al. (1984), section 4.4.1
            altered = measures.shares(priors * control.loss.sum(axis=1)) / seen
        if control.priors is not None or control.loss is not None:
            self.factor = altered
        self.total = float((counts * altered).sum())

    def describe(self) -> Nodes:
        """Return what each node holds, and why some are not divided."""
        held = self.counter.describe()
        self.counts = held.counts
        reason = np.full(len(held.cases), BEST)
        reason[held.cases < self.control.min_samples_split] = TOO_FEW
        if held.mean is not None:
            reason[held.is_constant] = PURE
            self.weight = held.counts[:, 0]
            if self.control.monotonic_cst is not None:
                self._bound(held.mean)
            return Nodes(held.counts, held.mean, reason, held.error)
        counts, loss = held.counts * self.prior_weight, self.control.loss
        self.weight = counts.sum(axis=1)
        weighs = counts > LOST * self.weight[:, None]
        reason[weighs.sum(axis=1) == 1] = PURE
        if self.control.monotonic_cst is not None:
            searched = held.counts if self.factor is None else held.counts * self.factor
            self._bound(measures.shares(searched)[:, -1])
        if loss is None:
            return Nodes(counts, majority_class(counts), reason)
        losses = counts @ loss
        least = losses.min(axis=1, keepdims=True)
        label = (losses <= least * (1 + TIE)).argmax(axis=1)
        return Nodes(counts, label, reason, least[:, 0])

    # --- monotonic constraints --------------------------------------------------------------------

    def _bound(self, value):
        """Note what the nodes predict; beside a constrained cut, the middle parts the two sides.

        So nothing below one side can pass by anything below the other, as in scikit-learn.
        """
        bounds = self.inherited.bounds
        if len(value) > 1:
            parent = self.counter.parent
            sign = self._sign[parent]
            middle = np.bincount(parent, value)[parent] / 2
            is_right = np.append(False, parent[1:] == parent[:-1])
            is_above = is_right == (sign > 0)  # the side that predicts more
            lower, upper = bounds.T
            lower = np.where((sign != 0) & is_above, middle, lower)
            upper = np.where((sign != 0) & ~is_above, middle, upper)
            bounds = np.stack([lower, upper], axis=1)
        self.inherited = self.inherited._replace(bounds=bounds, label=value)

    def _keeps_order(self, table):
        """Return after which rows both sides of a cut predict what the constraints allow."""
        groups, last = table.groups, 1 if self.is_classified else 0
        left, total = groups.running(table.amount(last))
        with np.errstate(divide="ignore", invalid="ignore"):
            left, right = left / groups.left, (groups.repeat(total) - left) / groups.right
        node, column = np.broadcast_arrays(table.node, table.column)
        if not self.is_classified and self.criterion.is_centred:
            mean = groups.repeat(self.inherited.label[node])
            left, right = left + mean, right + mean
        lower, upper = (groups.repeat(bound[node]) for bound in self.inherited.bounds.T)
        lower, upper = lower - self._tie, upper + self._tie
        sign = groups.repeat(self.control.monotonic_cst[column])
        fits = (left >= lower) & (left <= upper) & (right >= lower) & (right <= upper)
        return fits & ((right - left) * sign >= -self._tie)

    # --- searching --------------------------------------------------------------------------------

    def search(self) -> Scores:
        """Return by how much each column lowers the impurity of each open node, in weight."""
        counter, n_columns = self.counter, len(self.attributes)
        self.found = Found(len(self.weight), n_columns)
        answers = counter.answers(self.factor)
        self._weigh_rounding(answers)
        counter.prepare(np.arange(n_columns))
        for rows in counter.nominal_rows(answers):
            self._search_nominal(rows)
        cells = counter.n_open * n_columns
        tables = list(counter.cut_tables(answers))
        while in_doubt := list(chain.from_iterable(in_threads(self._search_cuts, tables, cells))):
            least = self._least()
            wanted = [ranges.reaching(least[ranges.node, ranges.column]) for ranges in in_doubt]
            wanted = [ranges for ranges in wanted if len(ranges.node)]
            tables = list(counter.look_inside(answers, wanted))
        self.found.gain = self._gain()
        best = self.found.gain.max(axis=1, initial=-np.inf)
        least = self.control.min_impurity_decrease * self.total * (1 - TIE)
        return Scores(self.found.gain, self.tie(best), least)

    def _gain(self, nodes=slice(None)):
        """Return the gains found so far in some nodes, next to nothing as nothing: [nodes, A]."""
        gain = np.where(self.inherited.available[nodes], self.found.gain[nodes], -np.inf)
        gain[abs(gain) <= self.noise[nodes, None]] = 0
        return gain

    def _least(self, nodes=slice(None)):
        """Return what cuts must gain to be as good as the best so far: array [nodes, A]."""
        gain = self._gain(nodes)
        best = gain.max(axis=1)
        below = (self.tie(best, nodes) + self.noise[nodes])[:, None]
        return (gain if self.needs_all else np.broadcast_to(best[:, None], gain.shape)) - below

    def _weigh_rounding(self, answers):
        """Find by how much a decrease of 0 may be off by rounding, in weight: array [m]."""
        steps = np.full(len(self.weight), 16.0)
        if not self.is_classified or answers.weight is not None:
            # Every step of a running sum may lose half a unit of what there is by then.
            steps = np.maximum(steps, self.counter.size / 4)
        unit = steps * (EPS if self.is_classified else self._unit)
        # By ranks a decrease is a difference of sums, whatever the criterion.
        is_sum = answers.weight is None and is_ranked(self.criterion, answers.n_classes)
        self._is_square = self.criterion.power == 2 and not is_sum
        self.noise = self.weight * unit ** (2 if self._is_square else 1)

    def tie(self, best: np.ndarray, node: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Return how far below the best decreases in some nodes another is as good.

        A decrease b keeps so many digits. The root of one that is a square may be off by as much as
        that of nothing is, the noise e: ``(sqrt(b) + sqrt(e))^2 - b`` is ``2 sqrt(b e) + e``.
        """
        noise = self.noise[node]
        mixed = 2 * np.sqrt(np.maximum(best, 0)) * np.sqrt(noise) if self._is_square else 0
        return abs(best) * TIE + mixed + noise

    def _search_cuts(self, tables):
        """Fill in the best cut of each group of tables; return what ranges may hold a better."""
        found, wanted = self.found, []
        for table in tables:
            tie = partial(self.tie, node=table.node)
            best, row = self._aim.best_cuts(table, tie)
            if table.totals is not None:
                found.take_better(table, best[0], row[0], self.tie)
                continue
            at = table.node, table.column
            found.gain[at] = best
            found.left[at], found.right[at], found.position[at] = table.beside(row)
            if table.ranges is not None:  # what cannot reach the best so far is let go at once
                least = self._least(table.node[0])[:, table.column[0, 0]]
                wanted.append(doubtful(table, self.criterion, least))
        return wanted

    def _search_nominal(self, rows):
        """Fill in the best two groups of levels of each group of rows."""
        if not len(rows.size):
            return
        at, found = (rows.node, rows.column), self.found
        found.gain[at], side = best_subsets(rows, self._aim, self.tie)
        found.set_sides(rows, side)

    # --- dividing ---------------------------------------------------------------------------------

    def divide(self, chosen: np.ndarray, best: np.ndarray) -> Division:
        control, counter = self.control, self.counter
        self.found.look_beside(counter, chosen)
        split = self.found.splits(np.arange(len(chosen)), chosen, self._is_numeric)
        is_divided = chosen >= 0
        if control.monotonic_cst is not None:
            self._sign = np.where(is_divided, control.monotonic_cst[chosen], 0)
        n_branches = np.where(is_divided, 2, 0)
        improvement = np.where(is_divided, best, 0)
        counter.divide(split, n_branches)
        if control.missing == "stop":
            return Division(split, n_branches, improvement)
        weights = counter.branch_weights()
        has_default = is_divided & (control.missing == "majority")
        default = np.where(has_default, majority_branch(weights), -1)
        surrogates: list[tuple[Surrogate, ...]] = [()] * len(chosen)
        if control.max_surrogates:
            available = self.inherited.available
            if control.monotonic_cst is not None:  # a surrogate sends what rises either way
                available = available & (control.monotonic_cst == 0)
            surrogates = find_surrogates(
                counter,
                self._is_numeric,
                chosen,
                weights,
                available,
                control.max_surrogates,
                control.agreement,
            )
        counter.reroute(default, surrogates)
        return Division(split, n_branches, improvement, surrogates, default)

    def candidates(self) -> Iterable[tuple[Candidate, ...]]:
        counter = self.counter
        answers = counter.answers()
        title = f"decrease of the {self.criterion.title} × cases"
        weight = (self.counts * (1 if self.factor is None else self.factor)).sum(axis=1)
        for a, gain in enumerate(self.found.gain.T):
            self.found.look_beside(counter, np.where(gain > -np.inf, a, -1))
        for i, gain in enumerate(self.found.gain):
            columns = np.flatnonzero(gain > -np.inf)
            splits = self.found.splits(np.full(len(columns), i), columns, self._is_numeric)
            found = []
            for a, split in zip(columns.tolist(), splits, strict=True):
                assert split is not None
                table, _ = counter.table_of(i, split, answers)
                if self.is_classified:
                    table = table * self.prior_weight
                parts = {"decrease": float(gain[a] / weight[i])}
                found.append(Candidate(split, table, float(gain[a]), title, parts))
            yield tuple(found)

"""Growing as ID3 and C4.5 do: a branch for each level, cuts of numbers, cases in fractions.

The column with the largest gain, or gain ratio, divides a node. A nominal column has a branch for
each of its levels and is used up on that path; a number is cut between two values and may be asked
about again. Release 8 of C4.5 adds a guard, a window and a penalty for cuts; a case of unknown
value goes down every branch, in parts.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from dtreebook import measures
from dtreebook.count.counter import Counter
from dtreebook.count.memory import MemoryCounter
from dtreebook.count.parts import in_threads
from dtreebook.data.cases import Cases, majority_class
from dtreebook.grow.criteria import (
    CUT_GAIN,
    GAIN,
    MULTIWAY,
    MultiwayCriterion,
    Tests,
    named,
)
from dtreebook.grow.cuts import Cuts
from dtreebook.grow.growth import (
    BEST,
    EMPTY,
    NOTHING_TO_ASK,
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
from dtreebook.grow.subsets import group_values
from dtreebook.measures import EPS, NEXT_TO_NOTHING, TIE, WEIGHT_TOL
from dtreebook.tree.splits import Splits, Subset, middle

# Values closer than this are not told apart (C4.5 Release 8).
VALUE_ATOL = 1e-5


@dataclass(frozen=True, slots=True)
class MultiwayControl(Control):
    """Say how ID3 or C4.5 grows its trees, by the parameters of `dtreebook.c45.C45Classifier`."""

    criterion: str | Callable = "gain"
    min_score: float = 0.0
    min_weight: float = 0.0
    min_samples_leaf: float = 0.0
    average_gain_guard: bool = False
    mdl_penalty: bool = False
    group_values: bool = False
    #: where a case goes whose value is unknown: "stop" leaves it at the node, "fractions" sends it
    #: down every branch in proportion to what the branch holds.
    unknown: str = "stop"

    def count(self, cases: Cases) -> MemoryCounter:
        kinds = [attribute.kind for attribute in cases.attributes]
        cut = [a for a, kind in enumerate(kinds) if kind == "numeric"]
        return MemoryCounter(cases, cut, in_parts=self.unknown == "fractions")

    def growth(self, counter: Counter, cases: Cases) -> "MultiwayGrowth":
        return MultiwayGrowth(self, counter, cases)


class MultiwayGrowth(Growth):
    """The nodes that ID3 or C4.5 divides next.

    An empty node says what the node above it does.
    """

    control: MultiwayControl

    def __init__(self, control: MultiwayControl, counter: Counter, cases: Cases):
        super().__init__(control, counter, cases)
        self.criterion = named(control.criterion, MULTIWAY, MultiwayCriterion.of)
        self.n_classes = cases.n_classes
        self.weighs_fractions = cases.weight is not None and bool((cases.weight % 1).any())
        is_numeric = np.array([attribute.kind == "numeric" for attribute in cases.attributes])
        self._cut_gain = CUT_GAIN.in_force() if is_numeric.any() else CUT_GAIN
        self.n_values = np.array([len(attribute.levels) for attribute in cases.attributes])
        # A column is used up on its path, unless what is left of it can be divided again.
        self.is_used_up = ~is_numeric & ~(control.group_values & (self.n_values > 2))
        # What counts in the average gain: not the attributes with very many values.
        few = self.n_values < 0.3 * cases.total * (1 - TIE)
        self._few = few | control.group_values | ~few.any()
        self._n_branches = np.append(np.where(is_numeric, 2, self.n_values), 0)
        self.undivided = Division(Splits.none(0), np.zeros(0, dtype=np.intp))

    def describe(self) -> Nodes:
        """Return what each node holds; an empty one has the label of its parent."""
        counts = self.counter.describe().counts
        self.counts, self.weight = counts, measures.total(counts)
        n_present = np.count_nonzero(counts, axis=1)
        label = np.where(self.weight > 0, majority_class(counts), self.inherited.label)
        self.inherited = self.inherited._replace(label=label)
        reason = np.full(len(counts), BEST)
        reason[~self.inherited.available.any(axis=1)] = NOTHING_TO_ASK
        reason[self.weight < 2 * self.control.min_weight * (1 - WEIGHT_TOL)] = TOO_FEW
        reason[n_present == 1] = PURE
        reason[n_present == 0] = EMPTY
        return Nodes(counts, label, reason)

    # --- searching --------------------------------------------------------------------------------

    def search(self) -> Scores:
        """Return the gain, or the ratio, of each column in each open node."""
        counter, answers = self.counter, self.counter.answers()
        available = self.inherited.available
        counter.prepare(np.flatnonzero(available.any(axis=0)))
        self.found, self.score = Found(*available.shape), np.full(available.shape, -np.inf)
        if self.criterion is not GAIN:
            self.entropy = measures.entropy(self.counts)
        for first, columns, tables, unknown in counter.nominal_tables(answers):
            self._search_nominal(first, columns, tables, unknown)
        # A running sum of n weights drifts, and in a piece w log w log w times as far.
        drift = counter.size * (EPS / 4) * (2 + abs(np.log2(self.weight)))
        self.tie = np.maximum(TIE, drift * (answers.weight is not None))
        # In whole weights a cut is one that gains anything, be it by rounding, as in Release 8.
        self.nothing = drift * self.weighs_fractions
        cells = counter.n_open * len(self.n_values)
        cuts = list(counter.cut_tables(answers))
        in_threads(lambda tables: list(map(self._search_cuts, tables)), cuts, cells)
        # A number is never used up, but it may be forbidden.
        self.found.gain[~available] = -np.inf
        self._compare()
        tie = self.tie
        if self.criterion.is_ratio:  # it divides what rounding takes, too
            chosen = np.arange(len(tie)), self.score.argmax(axis=1)
            tie = tie / np.clip(self.found.information[chosen], NEXT_TO_NOTHING, 1)
        return Scores(self.score, tie, self.control.min_score - TIE)

    def _search_nominal(self, first, columns, tables, unknown):
        """Fill in the gain of nominal columns in some nodes, and their split information."""
        found, control = self.found, self.control
        available = self.inherited.available[first : first + len(tables), columns]
        node, column = np.nonzero(available)
        at, tables, unknown = (node + first, columns[column]), tables[available], unknown[available]
        groupings = {}
        if control.group_values:
            tables, groupings = self._grouped(tables, unknown, at)
        branches = measures.total(tables)
        enough = (branches > 0) & (branches >= control.min_weight * (1 - WEIGHT_TOL))
        too_few = (branches > 0) & (branches < control.min_samples_leaf * (1 - WEIGHT_TOL))
        divides = (np.count_nonzero(enough, axis=-1) > 1) & ~too_few.any(axis=-1)
        node, column = (of_test[divides] for of_test in at)
        tables, unknown = tables[divides], unknown[divides]
        gain = measures.information_gain(tables, unknown)
        self._keep(node, column, gain, tables, unknown)
        # Levels hardly there are in no row, but they count in what their grouping is worth.
        for where, grouping in groupings.items():
            found.information[where], self.score[where] = grouping.information, grouping.value
            if found.gain[where] > -np.inf:
                found.gain[where] = grouping.gain if grouping.value > TIE else -np.inf
            absent = sorted(set(range(self.n_values[where[1]])).difference(*grouping.groups))
            groups = [*grouping.groups, absent] if absent else grouping.groups
            found.tests[where] = Subset(where[1], tuple(map(tuple, groups)))

    def _grouped(self, tables, unknown, at):
        """Return the tables with a row for each group of levels, and the groupings."""
        control, grouped, groupings = self.control, np.zeros_like(tables), {}
        for i, (node, a) in enumerate(np.stack(at, axis=1).tolist()):
            n_values = int(self.n_values[a])
            groups = [[v] for v in range(n_values)]
            if n_values > 2:
                table = tables[i, :n_values]
                found = group_values(table, unknown[i], control.min_weight, self.criterion)
                groupings[node, a], groups = found, found.groups
            for row, group in enumerate(groups):
                grouped[i, row] = tables[i, group].sum(axis=0)
        return grouped, groupings

    def _search_cuts(self, table):
        """Fill in the best cut of each group of a table.

        Source: Quinlan (1993), section 2.4; Quinlan (1996), section 3, for the penalty.
        """
        control, found = self.control, self.found
        groups, shape = table.groups, np.broadcast_shapes(table.node.shape, table.column.shape)
        is_cut = table.rises(VALUE_ATOL) & self._window(groups) & groups.has_sides
        cuts, total = Cuts(table, is_cut), self.weight[table.node]
        gain = cuts.decrease(self._cut_gain) / cuts.repeat(total)
        if control.mdl_penalty:
            gain = gain - cuts.repeat(mdl_penalty(cuts.number(), total))
        best, row = cuts.best(gain, lambda best: self.tie[table.node])
        is_one = best > (self.nothing[table.node] if control.mdl_penalty else -np.inf)
        row = row[is_one]
        node, column, known, total = (
            np.broadcast_to(of_group, shape)[is_one]
            for of_group in (table.node, table.column, groups.total, total)
        )
        found.left[node, column], found.right[node, column], _ = table.beside(row)
        row %= len(groups.left)
        sides = np.stack([groups.left.take(row), groups.right.take(row)], axis=-1)
        unknown = np.where(total - known > self.tie[node] * total, total - known, 0)
        self._keep(node, column, best[is_one], sides[..., None], unknown)

    def _window(self, groups):
        """Return after which rows enough lies on either side."""
        known, least = groups.total, float(self.control.min_weight)
        if self.control.mdl_penalty:
            least = least_beside(known, self.n_classes, self.control.min_weight)
        least = np.maximum(least, self.control.min_samples_leaf)
        # A running sum of fractions is a few roundings off what it would be in its node alone.
        least = groups.repeat(np.broadcast_to(least * (1 - WEIGHT_TOL), known.shape))
        return (groups.left >= least) & (groups.right >= least)

    def _keep(self, node, column, gain, tables, unknown):
        """Note the gain of tests of columns in nodes, and their score by the criterion."""
        self.found.gain[node, column] = gain
        is_one = gain > -np.inf  # a cut may be none
        if self.criterion is GAIN or not is_one.any():
            return
        node, column, gain, tables, unknown = (
            of_test[is_one] for of_test in (node, column, gain, tables, unknown)
        )
        information = measures.split_information(tables, unknown)
        self.found.information[node, column] = information
        tests = Tests(gain, information, self.entropy[node], tables, unknown)
        self.score[node, column] = self.criterion.score(tests)

    def _compare(self):
        """Leave the scores, [m, A], of the columns that are candidates; -inf for the others."""
        gain = self.found.gain
        if self.criterion is GAIN:
            self.score = gain
            return
        is_candidate = gain > -np.inf
        if self.criterion.is_ratio:
            guard = self.control.average_gain_guard
            is_candidate &= self.found.information > (NEXT_TO_NOTHING if guard else 0)
            if guard:
                is_candidate &= has_average_gain(gain, self._few)
        self.score[~is_candidate] = -np.inf

    # --- dividing ---------------------------------------------------------------------------------

    def divide(self, chosen: np.ndarray, best: np.ndarray) -> Division:
        self._chosen = chosen
        division = Division(*self._splits(chosen, np.arange(len(chosen))))
        self.counter.divide(division.split, division.n_branches)
        return division

    def _splits(self, columns, nodes):
        """Return the tests of some columns in some nodes, and how many branches they have."""
        n_branches, cut = self._n_branches[columns], np.full(len(columns), np.nan)
        left, right = (side[nodes, columns] for side in (self.found.left, self.found.right))
        is_cut = np.flatnonzero(~np.isnan(left) & (columns >= 0))
        if len(is_cut):
            # C4.5 names a value that occurs (Quinlan 1993, section 2.4).
            between = middle(left[is_cut], right[is_cut])
            value = self.counter.training_values(columns[is_cut], between)
            cut[is_cut] = value + 0.0  # which makes 0 of -0
        split = Splits(columns, cut)
        if tests := self.found.tests:
            for i, pair in enumerate(zip(nodes.tolist(), columns.tolist(), strict=True)):
                if pair in tests:
                    split[i] = tests[pair]
                    n_branches[i] = tests[pair].branches(self.attributes[pair[1]])
        return split, n_branches

    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level; a column that is used up is not asked about there."""
        super().descend(first_child)
        asked = self._chosen[self.counter.parent]
        used = np.flatnonzero(self.is_used_up[asked])
        self.inherited.available[used, asked[used]] = False

    def candidates(self) -> Iterable[tuple[Candidate, ...]]:
        answers = self.counter.answers()
        for i, score in enumerate(self.score):
            columns = np.flatnonzero(score > -np.inf)
            splits, _ = self._splits(columns, np.full(len(columns), i))
            yield tuple(
                self._candidate(i, split, float(score[a]), answers)
                for a, split in zip(columns, splits, strict=True)
            )

    def _candidate(self, node, split, score, answers):
        table, unknown = self.counter.table_of(node, split, answers)
        parts = {
            "gain": float(measures.information_gain(table, unknown)),
            "split_information": float(measures.split_information(table, unknown)),
            "gain_ratio": float(measures.gain_ratio(table, unknown)),
        }
        return Candidate(split, table, score, self.criterion.title, parts)


def has_average_gain(gain: np.ndarray, few: np.ndarray) -> np.ndarray:
    """Return which columns have at least the average gain of those that can divide the node.

    The gain, [m, A], is -inf where a column cannot; in the average count those of few values, [A].

    Source: Quinlan (1993), section 2.2: the ratio alone loves splits that split off little.

    Examples
    --------
    >>> has_average_gain(np.array([[0.9, 0.1, 0.5, -np.inf]]), np.array([True] * 4))
    array([[ True, False,  True, False]])
    """
    counted = (gain > -np.inf) & few
    number = counted.sum(axis=1)
    average = np.where(counted, gain, 0).sum(axis=1) / np.maximum(number, 1)
    average[number == 0] = np.inf
    return gain >= average[:, None] - NEXT_TO_NOTHING


def mdl_penalty(tried: np.ndarray, total: np.ndarray) -> np.ndarray:
    """Return the bits for each case that it takes to say which of the cuts is meant.

    Given are how many were tried in each node, [..., m], and the weights of the nodes, [m].

    Source: Quinlan (1996), section 3.

    Examples
    --------
    >>> mdl_penalty(np.array([8]), np.array([14.0])).round(3)
    array([0.214])
    """
    return np.log2(np.maximum(tried, 1)) / total


def least_beside(known: np.ndarray, n_classes: int, min_weight: float) -> np.ndarray:
    """Return the window of C4.5: what it wants on either side of a cut, by the weight of the node.

    That is `min_weight`, or, where a tenth of a class's average share of the cases is more, this
    tenth, but at most 25. So a `min_weight` above 25 holds in small nodes, and 25 in large ones.

    Source: Quinlan (1993), section 2.4.

    Examples
    --------
    >>> least_beside(np.array([14.0, 200.0, 1000.0]), 2, 2)
    array([ 2., 10., 25.])
    >>> least_beside(np.array([14.0, 200.0, 1000.0]), 2, 30)
    array([30., 30., 25.])
    """
    share = 0.1 * known / n_classes
    return np.where(share <= min_weight, min_weight, np.minimum(share, 25))

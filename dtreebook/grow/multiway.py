"""Growing as ID3 and C4.5 do: a branch for each value, cuts of numbers, cases in fractions."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dtreebook import measures
from dtreebook.data.cases import Cases, weights_at
from dtreebook.data.counts import count, majority_class
from dtreebook.grow.categories import CategoryTables
from dtreebook.grow.criteria import CUT_GAIN, GAIN, MULTIWAY, named, value_bits
from dtreebook.grow.frontier import ArrayFrontier, Offers
from dtreebook.grow.grouping import group_values
from dtreebook.grow.growth import (
    BEST,
    EMPTY,
    NOTHING_TO_ASK,
    PURE,
    TOO_FEW,
    WEIGHT_ATOL,
    Candidate,
    Division,
    Nodes,
    Scores,
)
from dtreebook.grow.target import ClassTarget
from dtreebook.grow.threads import in_threads
from dtreebook.grow.thresholds import Cuts, between, expanded, training_values
from dtreebook.measures import NEXT_TO_NOTHING, TIE
from dtreebook.tree.arrays import Links
from dtreebook.tree.fractions import FractionalCases, distribute
from dtreebook.tree.splits import Multiway, Subset, Threshold

# Values closer than this are not told apart (C4.5 Release 8).
VALUE_ATOL = 1e-5


@dataclass(frozen=True, slots=True)
class MultiwayControl:
    """Say how ID3 or C4.5 grows its trees.

    Attributes
    ----------
    criterion : a name in `dtreebook.grow.criteria.MULTIWAY`: what the best column has most of.
    min_score : a node whose best score, in bits or as a ratio, is less becomes a leaf.
    max_depth : the most tests on a path; None for no limit.
    min_weight : the weight that two branches must have; a node with less than twice as much becomes
        a leaf.
    average_gain_guard : whether, by a ratio, only columns of at least average gain are candidates.
    mdl_penalty : whether a cut pays log2(number of cuts tried) bits, and has a tenth of a class's
        share of the cases, at most 25, on either side.
    unknown : where a case goes whose value is unknown: "stop" leaves it at the node, "fractions"
        sends it down every branch in proportion to what the branch holds.
    group_values : whether the values of an attribute with more than two are grouped into fewer
        branches, which may be divided again further down.
    max_features, random_state : how many columns are drawn for each node; None for all.
    """

    criterion: str = "gain"
    min_score: float = 0.0
    max_depth: int | None = None
    min_weight: float = 0.0
    average_gain_guard: bool = False
    mdl_penalty: bool = False
    unknown: str = "stop"
    group_values: bool = False
    max_features: int | None = None
    random_state: np.random.RandomState | int | None = None

    def __post_init__(self):
        named(self.criterion, MULTIWAY)

    def frontier(self, cases: Cases) -> "MultiwayFrontier":
        """Return the root of the tree to be grown."""
        return MultiwayFrontier(cases, self)


class MultiwayFrontier(ArrayFrontier):
    """The nodes that ID3 or C4.5 divides next: see `dtreebook.grow.growth.Frontier`.

    Attributes
    ----------
    control : `MultiwayControl`.
    case : array [p], the case at each place; None while every case has one place, its own.
    weight : array [p], or None if every case weighs 1.
    """

    def __init__(self, cases: Cases, control: MultiwayControl):
        self.control, self.criterion = control, named(control.criterion, MULTIWAY)
        self.n_classes, self.weight = cases.n_classes, cases.weight
        is_numeric = np.array([attribute.kind == "numeric" for attribute in cases.attributes])
        self.n_values = np.array([len(attribute.levels) for attribute in cases.attributes])
        numeric = {a: cases.columns[a] for a in np.flatnonzero(is_numeric).tolist()}
        nominal = np.flatnonzero(~is_numeric).tolist()
        super().__init__(cases, numeric, may_count=True)
        self.case, self._has_all_values = None, True
        # Of each numeric column, the training values in order, each at least once.
        self._values: dict[int, np.ndarray] = {}
        for counted in self.counted:
            self._values.update(zip(counted.columns.tolist(), counted.values, strict=True))
        for presorted in self.presorted:
            self._values.update(zip(presorted.columns.tolist(), presorted.value, strict=True))
        self.target = ClassTarget(cases.target, self.n_classes)
        self.categories = CategoryTables.group(cases, nominal)
        # A column is used up on its path, unless what is left of it can be divided again.
        self._is_used_up = ~is_numeric & ~(control.group_values & (self.n_values > 2))
        # What counts in the average gain: not the attributes with very many values.
        few = self.n_values < 0.3 * cases.total * (1 - TIE)
        self._few = few | control.group_values | ~few.any()
        self._multiway = [*map(Multiway, range(len(is_numeric))), None]
        self._n_branches = np.append(np.where(is_numeric, 2, self.n_values), 0)
        self._available = np.ones((1, len(is_numeric)), dtype=bool)
        self._label = np.zeros(1, dtype=np.intp)
        self.undivided = Division([], np.zeros(0, dtype=np.intp))

    def start(
        self, root: "MultiwayFrontier", node: np.ndarray, available: np.ndarray, label: np.ndarray
    ) -> None:
        """Begin below the root: see `dtreebook.grow.frontier.ArrayFrontier.start`."""
        super().start(root, node, available, label)
        self._available, self._few, self._label = available, root._few, label
        self._parent = np.arange(len(label))
        self._has_all_values = False

    # --- describing ---------------------------------------------------------------------------

    @property
    def class_target(self) -> ClassTarget:
        """The classes at each place."""
        return self.target

    def describe(self) -> Nodes:
        """Return what each node holds; an empty one has the label of its parent."""
        codes = self.of_level, self._target_here()
        counts = count(codes, (self.n_nodes, self.n_classes), self._weight_here())
        self._total = measures.total(counts)
        label = np.where(self._total > 0, majority_class(counts), self._label[self._parent])
        n_present = np.count_nonzero(counts, axis=1)
        reason = np.full(self.n_nodes, BEST)
        reason[~self._available.any(axis=1)] = NOTHING_TO_ASK
        reason[self._total < 2 * self.control.min_weight - WEIGHT_ATOL] = TOO_FEW
        reason[n_present == 1] = PURE
        reason[n_present == 0] = EMPTY
        self._label, self._counts = label, counts
        return Nodes(counts, label, reason)

    def cases_at(self, places: np.ndarray) -> np.ndarray:
        """Return which case is at each of some places."""
        return places if self.case is None else self.case.take(places)

    def _target_here(self):
        return self.target.codes.take(self.here)

    def _weight_here(self):
        return weights_at(self.weight, self.here)

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with some of the nodes; return them in the order in which the cases now lie."""
        nodes = super().open(nodes)
        self._available, self._total = self._available[nodes], self._total[nodes]
        self._label, self._counts = self._label[nodes], self._counts[nodes]
        return nodes

    # --- searching ----------------------------------------------------------------------------

    def search(self) -> Scores:
        """Return the gain, or the ratio, of each column in each open node."""
        self.offers = Offers(*self._available.shape)
        for group in self.categories:
            self._search_nominal(group)
        blocks = [*self.counted, *self.presorted]
        in_threads(self._search_numeric, blocks, len(self.here) * len(self.n_values))
        return self.compare()

    def compare(self) -> Scores:
        """Return how well each column does, from what they offer."""
        self.score = self._score()
        return Scores(self.score, np.full(len(self.score), TIE), self.control.min_score - TIE)

    def _search_nominal(self, group):
        """Fill in the gain of every nominal column of a group, and its split information."""
        control, offers = self.control, self.offers
        codes, weight = self._target_here(), self._weight_here()
        for first, tables in group.tables(self, codes, self.n_classes, weight):
            available = self._available[first : first + len(tables), group.columns]
            node, column = np.nonzero(available)
            at, tables = (node + first, group.columns[column]), tables[available]
            tables, last = tables[:, : group.n_values], tables[:, group.n_values :]
            unknown = last.sum(axis=(1, 2))
            groupings = {}
            if control.group_values:
                tables, groupings = self._grouped(tables, unknown, at)
            branches = measures.total(tables)
            enough = (branches > 0) & (branches >= control.min_weight - WEIGHT_ATOL)
            divides = np.count_nonzero(enough, axis=-1) > 1
            gain, offers.information[at] = value_bits(tables, unknown)
            offers.gain[at] = np.where(divides, gain, -np.inf)
            # Values hardly there are in no row, but they count in what their grouping is worth.
            for place, grouping in groupings.items():
                offers.information[place] = grouping.information
                if offers.gain[place] > -np.inf:
                    offers.gain[place] = grouping.gain if grouping.value > TIE else -np.inf
                absent = sorted(set(range(self.n_values[place[1]])).difference(*grouping.groups))
                branches = [*grouping.groups, absent] if absent else grouping.groups
                offers.groups[place] = tuple(map(tuple, branches))

    def _grouped(self, tables, unknown, at):
        """Return the tables with a row for each group of values, and the groupings by place."""
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

    def _search_numeric(self, block):
        """Fill in the best cut of each node for a block of numeric columns.

        References
        ----------
        Quinlan (1993), section 2.4; Quinlan (1996), section 3, for the penalty.
        """
        control, offers = self.control, self.offers
        laid = block.lay(self, self.weight)
        if not laid.value.size:
            return
        segments, node = laid.segments, laid.node
        is_cut = segments.rises(laid.value, VALUE_ATOL) & self._window(segments)
        cuts = Cuts(segments, is_cut & segments.has_sides)
        total = self._total[node]
        gain = laid.decrease(CUT_GAIN, cuts) / cuts.spread(total)
        if control.mdl_penalty:
            gain = gain - cuts.spread(mdl_penalty(cuts.number(), total))
        best, place = cuts.best(gain, lambda best: TIE)
        is_one = best > (0 if control.mdl_penalty else -np.inf)
        place = place[is_one]
        node, row, known, total = (
            np.broadcast_to(each, best.shape)[is_one]
            for each in (node, laid.row, segments.total, total)
        )
        where = node, block.columns[row]
        offers.gain[where] = best[is_one]
        cut = between(laid.value, place)
        if self._has_all_values:
            values = [self._values[a] for a in block.columns.tolist()]
            cut = training_values(values, cut, row)
        offers.cut[where] = cut
        at = place if segments.left.ndim > 1 else place % len(segments.number)
        sides = np.stack([segments.left.take(at), segments.right.take(at)], axis=-1)
        unknown = np.maximum(total - known, 0)
        offers.information[where] = measures.split_information(sides[..., None], unknown)

    def _window(self, segments):
        """Return after which places enough lies on either side."""
        known, least = segments.total, float(self.control.min_weight)
        if self.control.mdl_penalty:
            least = least_beside(known, self.n_classes, self.control.min_weight)
        # A running sum of fractions is a few roundings off what it would be in its node alone.
        least = segments.spread(np.broadcast_to(least - WEIGHT_ATOL, known.shape))
        return (segments.left >= least) & (segments.right >= least)

    def _score(self):
        """Return what the columns are compared by: array [m, A], -inf of no candidate."""
        gain, information = self.offers.gain, self.offers.information
        if self.criterion is GAIN:
            return gain
        candidate = gain > -np.inf
        if self.criterion.is_ratio:
            guard = self.control.average_gain_guard
            candidate &= information > (NEXT_TO_NOTHING if guard else 0)
            if guard:
                candidate &= has_average_gain(gain, self._few)
        score = np.full(gain.shape, -np.inf)
        entropy = np.broadcast_to(measures.entropy(self._counts)[:, None], gain.shape)
        score[candidate] = self.criterion.score(
            gain[candidate], information[candidate], entropy[candidate]
        )
        return score

    # --- dividing -----------------------------------------------------------------------------

    def divide(self, chosen: np.ndarray, best: np.ndarray) -> Division:
        """Divide the open nodes by the columns chosen: -1 in a leaf."""
        self._chosen = chosen
        self._division = Division(*self._splits(chosen, np.arange(len(chosen))))
        return self._division

    def _splits(self, columns, nodes):
        """Return the tests of some columns in some nodes, and how many branches they have."""
        split, n_branches = [self._multiway[a] for a in columns.tolist()], self._n_branches[columns]
        cut = self.offers.cut[nodes, columns]
        for i in np.flatnonzero(~np.isnan(cut) & (columns >= 0)).tolist():
            split[i] = Threshold(int(columns[i]), float(cut[i]))
        if self.offers.groups:
            for i, pair in enumerate(zip(nodes.tolist(), columns.tolist(), strict=True)):
                if pair in self.offers.groups:
                    groups = self.offers.groups[pair]
                    split[i], n_branches[i] = Subset(pair[1], groups), len(groups)
        return split, n_branches

    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level; a case of unknown value stops, or goes down every branch in part."""
        branch, n_branches = self._branch_here(), self._division.n_branches
        inside = n_branches.take(self.node) > 0
        self._number_children(first_child, n_branches)
        if self.control.unknown == "fractions" and (inside & (branch < 0)).any():
            self._share_out(np.flatnonzero(inside), branch, first_child, n_branches)
        else:
            self._send(np.where(inside, branch, -1), first_child)
        self._available = self.left_to_ask(self._parent)

    def left_to_ask(self, parent: np.ndarray) -> np.ndarray:
        """Return which columns the children of open nodes may ask for, given their parents."""
        asked, available = self._chosen[parent], self._available[parent]
        used = np.flatnonzero(self._is_used_up[asked])
        available[used, asked[used]] = False
        return available

    def _branch_here(self):
        """Return the branch of each place here by the test of its node: -1 if it is unknown."""
        branch = self._asked(self._chosen)
        if branch.dtype.kind == "f":
            nodes = np.arange(len(self._chosen))
            cut = self.offers.cut[nodes, self._chosen]
            cut[self._chosen < 0] = np.inf  # the cases of leaves go nowhere
            cut = cut.take(self.node)
            side = np.where(np.isnan(cut), branch, branch > cut)
            branch = np.where(np.isnan(branch), -1, side).astype(np.intp)
        ends = np.append(0, np.cumsum(self.size))
        for i, test in enumerate(self._division.split if self.offers.groups else ()):
            if isinstance(test, Subset):
                here = slice(ends[i], ends[i + 1])
                branch[here] = test.branch(branch[here])
        return branch

    def _share_out(self, inside, branch, first_child, n_branches):
        """Send cases down; one of unknown value goes down every branch in part."""
        weight = self._weight_here()
        weight = np.ones(len(self.here)) if weight is None else weight
        parts = FractionalCases(inside, self.node.take(inside), weight.take(inside))
        parts = distribute(parts, branch.take(inside), Links(first_child, n_branches))
        # The places are numbered anew, those of one case beside each other.
        old = self.here.take(parts.case)
        order = np.argsort(old, kind="stable")
        old = old.take(order)
        times = np.bincount(old, minlength=self.n_places)
        first = np.cumsum(times) - times
        self.case, self.target = self.cases_at(old), self.target.take(old)
        self.weight, self.n_places = parts.weight.take(order), len(old)
        self.here = expanded(self.here, first, times)
        self.of_level = parts.node.take(order).take(self.here)
        for block in self.presorted:
            block.expand(first, times)

    def candidates(self) -> Iterable[tuple[Candidate, ...]]:
        """Yield the candidates of each open node."""
        ends = np.append(0, np.cumsum(self.size))
        for i in range(len(self.size)):
            places = self.here[ends[i] : ends[i + 1]]
            columns = np.flatnonzero(self.score[i] > -np.inf)
            splits, _ = self._splits(columns, np.full(len(columns), i))
            yield tuple(
                self._candidate(places, split, float(self.score[i, a]))
                for a, split in zip(columns, splits, strict=True)
            )

    def _candidate(self, places, split, score):
        a, case = split.column, self.cases_at(places)
        weight = weights_at(self.weight, places)
        # Unknown values have branch -1: counted one row up, they fill row 0, which is set apart.
        branch = split.branch(self.cases.columns[a][case]) + 1
        shape = (split.branches(self.cases.attributes[a]) + 1, self.n_classes)
        unknown, *rows = count((branch, self.target.codes[places]), shape, weight)
        table, unknown = np.array(rows), unknown.sum()
        parts = {
            "gain": float(measures.information_gain(table, unknown)),
            "split_information": float(measures.split_information(table, unknown)),
            "gain_ratio": float(measures.gain_ratio(table, unknown)),
        }
        return Candidate(split, table, score, self.criterion.title, parts)


def has_average_gain(gain: np.ndarray, few: np.ndarray) -> np.ndarray:
    """Return which columns have at least the average gain of those that can divide the node.

    Parameters
    ----------
    gain : array [m, A] in bits; -inf where a column cannot divide a node.
    few : array [A], whether a column has so few values that it counts in the average.

    References
    ----------
    Quinlan (1993), section 2.2: the ratio alone loves splits that split off little.

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

    Parameters
    ----------
    tried : array [..., m], how many cuts were tried in each node.
    total : array [m], the weight of each node.

    References
    ----------
    Quinlan (1996), section 3.

    Examples
    --------
    >>> mdl_penalty(np.array([8]), np.array([14.0])).round(3)
    array([0.214])
    """
    return np.log2(np.maximum(tried, 1)) / total


def least_beside(known: np.ndarray, n_classes: int, min_weight: float) -> np.ndarray:
    """Return the weight that C4.5 wants on either side of a cut: its window.

    That is `min_weight`, or, where a tenth of a class's average share of the cases is more, this
    tenth, but at most 25. So a `min_weight` above 25 holds in small nodes, and 25 in large ones.

    Parameters
    ----------
    known : array, the weight of the cases with a value, of a number of nodes.
    n_classes, min_weight : K, and the weight that two branches must have anyway.

    References
    ----------
    Quinlan (1993), section 2.4.

    Examples
    --------
    >>> least_beside(np.array([14.0, 200.0, 1000.0]), 2, 2)
    array([ 2., 10., 25.])
    >>> least_beside(np.array([14.0, 200.0, 1000.0]), 2, 30)
    array([30., 30., 25.])
    """
    share = 0.1 * known / n_classes
    return np.where(share <= min_weight, min_weight, np.minimum(share, 25))

"""The frontier whose cases are rows of a database: the loop asks, the database counts.

What it gets of a column is a small table, weights by node, value and class. To the engine in memory
that is a training set of one column with weighted cases, so the search is the one of
`dtreebook.grow.multiway` or `dtreebook.grow.binary`, column by column. Which columns are better is
decided by a frontier of the same kind, the *lead*, whose cases know their class and nothing else.
"""

from typing import Any

import numpy as np
import pandas as pd

from dtreebook.data.cases import Cases
from dtreebook.database import counting
from dtreebook.database.asking import is_in_spark, lines_that_fit
from dtreebook.database.finishing import Finisher, MemoryControl, SmallNode
from dtreebook.database.literals import number
from dtreebook.database.ranges import PIECES, RANGES, bound_of_classes, bound_of_numbers
from dtreebook.database.rows import Rows, TableRows, Test
from dtreebook.database.source import Source, changed
from dtreebook.database.workers import packed
from dtreebook.grow import binary, multiway
from dtreebook.grow.frontier import Offers
from dtreebook.grow.growth import Division, Nodes, Scores
from dtreebook.grow.surrogates import majority_branch, split_found
from dtreebook.tree.arrays import TreeArrays
from dtreebook.tree.splits import middle

# Fewer ranges than these would tell too little.
_FEWEST = 8


class DatabaseFrontier:
    """The nodes of the level that grows now: see `dtreebook.grow.growth.Frontier`.

    Attributes
    ----------
    source : `Source`.
    control : how the tree is to grow.
    in_parts : whether a case of unknown value goes down every branch, in parts.
    fit : a node with no more rows is left to the engine in memory.
    lines : how many lines of counts are fetched together.
    ranges : into how many ranges a piece of a column is divided, at most.
    rows : the rows with the numbers of their nodes, which count through all levels; those of the
        open nodes, once they are known.
    cells : how many different rows a node can hold; infinite where they are not counted.
    below : dict from the nodes that fit in memory to the trees below them.
    root : a frontier in memory that knows what is to be known of all cases.
    """

    def __init__(self, source: Source, control: MemoryControl, fit: int, ranges: int = RANGES):
        self.source, self.control, self.fit, self.ranges = source, control, fit, ranges
        self.lines = lines_that_fit(fit, len(source.attributes))
        self.is_multiway = isinstance(control, multiway.MultiwayControl)
        self.in_parts = (
            isinstance(control, multiway.MultiwayControl) and control.unknown == "fractions"
        )
        self.root: Any = control.frontier(source.summary)  # of one kind with the lead
        self.undivided: Division = self.root.undivided
        self.rows, self.n_nodes = self._rows(), 1
        self.below: dict[int, TreeArrays] = {}
        self.cells = self._different()
        self.depth = self.first = 0
        self.held = self._of_all()
        self._available = np.ones((1, len(source.attributes)), dtype=bool)
        self._label = np.zeros(1, dtype=np.intp)

    def _rows(self) -> Rows:
        """Return all rows, with weights if they will be divided."""
        source = self.source
        if is_in_spark(source.rows):
            return packed(source, self.in_parts)
        if self.in_parts and not source.is_weighted:
            return TableRows(source, source.rows.mutate(w=number(1)))
        return TableRows(source, source.rows)

    def _of_all(self):
        """Return what the root holds: its sums by class."""
        summary = self.source.summary
        sums = pd.DataFrame({"node": 0, "target": summary.target, "weight": summary.weight})
        sums["n"] = self.source.n_rows if summary.times is None else summary.times
        if summary.classes is not None:
            return sums
        sums = self.source.moments
        return sums.assign(node=0, target=self.source.mean_of(sums))

    def _different(self):
        """Return how many different rows a node can hold, if that can be few."""
        source = self.source
        if not self.is_multiway or {of.kind for of in source.attributes} != {"nominal"}:
            return np.inf
        sizes = [len(attribute.levels) + 1 for attribute in source.attributes]
        most = float(np.prod([*sizes, len(source.classes)], dtype=float))
        if not self.fit < most < source.n_rows:
            return most
        names = [name for name in source.rows.columns if name not in ("node", "w")]
        rows = source.rows.select(*names).distinct()
        found = source.asker.ask(
            rows.aggregate(n=rows.count()), "how many different rows there are"
        )
        return float(found.n[0])

    def describe(self) -> Nodes:
        """Return what each node holds; nothing need be asked, for the level above has told."""
        target, weight, times = self._few_cases()
        node = self.held.node.to_numpy()
        node = np.tile(node, len(target) // len(node))
        columns = tuple(
            np.full(len(node), np.nan if attribute.kind == "numeric" else -1)
            for attribute in self.source.attributes
        )
        source = self.source
        cases = Cases(source.attributes, columns, target, source.classes, weight, times)
        self.lead = self.control.frontier(cases)
        self.lead.start(self.root, node, self._available, self._label)
        return self.lead.describe()

    def _few_cases(self):
        """Return target, weight and number of cases that sum up to what the nodes hold."""
        held = self.held
        if self.source.classes is not None:
            return (held[name].to_numpy() for name in ("target", "weight", "n"))
        # Two cases with the mean and the variance of all that they stand for.
        mean, weight = held.target.to_numpy(), held.weight.to_numpy()
        error = (held.squares - held["sum"] ** 2 / weight).to_numpy()
        aside = np.where(held.least < held.most, np.sqrt(np.maximum(error, 0) / weight), 0)
        n = held.n.to_numpy()
        return (
            np.concatenate([mean - aside, mean + aside]),
            np.concatenate([weight, weight]) / 2,
            np.concatenate([n - n // 2, n // 2]),
        )

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with the nodes that do not fit in memory."""
        size = self.held.groupby("node").n.sum().reindex(nodes).to_numpy()
        fits = np.minimum(size, self.cells) <= self.fit
        small, nodes = nodes[fits], nodes[~fits]
        self.source.asker.say(self.depth, self.n_nodes, int(size[~fits].sum()))
        if len(small):
            self._finish(small, size[fits])
        if len(nodes):
            nodes = self.lead.open(nodes)
        self._open, self._number = nodes, self.first + nodes
        if len(nodes) and self.depth:
            self.rows = self.rows.at(self._number).kept(f"the rows of level {self.depth}")
        return nodes

    def _finish(self, nodes, size):
        """Have some nodes finished in memory."""
        known = {
            int(self.first + i): SmallNode(n, self.depth, self._available[[i]], self._label_of(i))
            for i, n in zip(nodes.tolist(), size.tolist(), strict=True)
        }
        source = self.source
        finisher = Finisher(source.attributes, source.classes, self.control, self.root, known)
        rows, is_alike = self.rows.at(self.first + nodes), self.cells < np.inf
        what = f"the rows of the small nodes of level {self.depth}"
        below = rows.finished(finisher, is_alike, what)
        if len(below) < len(known):
            raise changed(f"{len(known) - len(below)} nodes have no rows any more")
        self.below |= below

    def _label_of(self, node):
        return self.lead._label[[node]] if self.is_multiway else self._label[[0]]

    # --- searching ----------------------------------------------------------------------------

    def search(self) -> Scores:
        """Return how well each column divides each open node."""
        m, n_columns = len(self._open), len(self.source.attributes)
        if not m:
            return Scores(np.zeros((0, n_columns)), np.zeros(0), 0.0)
        available = self._available[self._open]
        columns = np.flatnonzero(available.any(axis=0)).tolist()
        what = f"the counts of level {self.depth}"
        ranges = 0 if self.is_multiway else self._ranges(m * len(columns) * PIECES, self.ranges)
        held = self.held[self.held.node.isin(self._open)]
        node = pd.Index(self._open).get_indexer(held.node)
        self.counts = counting.count_columns(
            self.source, self.rows, self._number, columns, ranges, self.lines, what
        )
        counting.check_counts(self.source, self.counts, node, held)
        self.lead.offers = Offers(m, n_columns)
        found = {a: self._search(a, available) for a in columns}
        scores, before = self._compare(), np.inf
        while ranges and (wanted := self._doubtful(found, scores)):
            n = sum(self.counts[a].n_inside(some) for a, some in wanted.items())
            self._look_inside(wanted, narrowly=self.lines < n < 0.9 * before)
            counting.check_counts(self.source, self.counts, node, held)
            found |= {a: self._search(a, available) for a in wanted}
            scores, before = self._compare(), n
        return scores

    def _ranges(self, n, most):
        """Return into how many ranges n columns or intervals are divided, to be counted."""
        n_classes = 1 if self.source.classes is None else len(self.source.classes)
        return int(np.clip(self.lines // (n * n_classes), _FEWEST, most))

    def _compare(self):
        if not self.is_multiway:
            self.lead.noise = self.lead.rounding()
        return self.lead.compare()

    def _search(self, a, available):
        """Search a column by its counts; return the frontier that did."""
        counts, source = self.counts[a], self.source
        cases = Cases(
            (source.attributes[a],), (counts.value,), counts.target, source.classes,
            counts.sums.weight.to_numpy(), counts.sums.n.to_numpy(),
        )  # fmt: skip
        frontier = self.control.frontier(cases)
        label = self._label[self._open]
        frontier.start(self.root, counts.node, available[:, [a]], label)
        frontier.describe()
        frontier.open(np.arange(len(self._open)))
        frontier.search()
        if source.attributes[a].kind == "numeric" and not self.is_multiway:
            self._cut_between(frontier.offers, counts)
        self.lead.offers.take(a, frontier.offers)
        return frontier

    def _cut_between(self, offers, counts):
        """Cut half-way between the largest number of a range and the least of the next."""
        for i in np.flatnonzero(offers.gain[:, 0] > -np.inf).tolist():
            here = (counts.node == i) & ~np.isnan(counts.value)
            low = np.unique(counts.value[here])
            above = low[np.searchsorted(low, offers.cut[i, 0], side="right")]
            below = counts.high[here & (counts.value < above)].max()
            offers.cut[i, 0] = middle(below, above)

    def _look_inside(self, wanted, narrowly):
        """Read the values of some ranges, or divide these, if they hold too many."""
        ranges = 0
        if narrowly:
            n_intervals = sum(map(len, wanted.values()))
            ranges = self._ranges(n_intervals, self.ranges * PIECES)
        what = (
            f"the {'counts' if narrowly else 'values'} in the doubtful ranges of level {self.depth}"
        )
        inside = counting.count_inside(
            self.source, self.rows, self._number, wanted, ranges, self.lines, what
        )
        for a, intervals in wanted.items():
            self.counts[a] = self.counts[a].replaced(intervals, inside[a])

    def _doubtful(self, found, scores):
        """Return the intervals (node, least, largest) of columns that may hold a better cut."""
        best, wanted = scores.score.max(axis=1) - scores.tie, {}
        for a, frontier in found.items():
            if self.source.attributes[a].kind == "numeric":
                intervals = self._intervals(self.counts[a], frontier, best)
                if intervals:
                    wanted[a] = intervals
        return wanted

    def _intervals(self, counts, frontier, best):
        known = np.flatnonzero(~np.isnan(counts.value))
        node, low, high = counts.node[known], counts.value[known], counts.high[known]
        begins = np.ones(len(known), dtype=bool)
        begins[1:] = (node[1:] != node[:-1]) | (low[1:] != low[:-1])
        of, first = np.cumsum(begins) - 1, np.flatnonzero(begins)
        node, low, high = node[first], low[first], high[first]
        amounts = self._amounts(counts, frontier, known)
        inside = np.zeros((len(first), amounts.shape[1]))
        np.add.at(inside, of, amounts)
        total = np.zeros((len(best), inside.shape[1]))
        np.add.at(total, node, inside)
        upto = np.cumsum(inside, axis=0)
        before = upto - inside - (np.cumsum(total, axis=0) - total)[node]
        if self.source.classes is not None:
            bound = bound_of_classes(self.lead.criterion, before, inside, total[node])
        else:
            least, most = counts.sums.least.to_numpy(), counts.sums.most.to_numpy()
            least = np.minimum.reduceat(least[known], first) - self.source.mean
            most = np.maximum.reduceat(most[known], first) - self.source.mean
            bound = bound_of_numbers(before, inside, total[node], least, most)
        # Rounding must not hide a cut that is as good as the best.
        is_open = (low < high) & (bound * (1 + 1e-9) + self.lead.noise[node] >= best[node])
        return _runs(node, low, high, is_open)

    def _amounts(self, counts, frontier, known):
        """Return what each row of counts adds to the sums of its range: array [r, K] or [r, 2]."""
        if self.source.classes is None:
            return counts.sums[["weight", "sum"]].to_numpy()[known]
        amounts = np.zeros((len(known), len(self.source.classes)))
        amounts[np.arange(len(known)), counts.target[known]] = frontier.answers.weight[known]
        return amounts

    # --- dividing -----------------------------------------------------------------------------

    def divide(self, chosen: np.ndarray, best: np.ndarray) -> Division:
        """Divide the open nodes by the columns chosen: -1 in a leaf."""
        if not len(chosen):
            self._division = self.undivided
            return self._division
        if isinstance(self.lead, multiway.MultiwayFrontier):
            self._division = self.lead.divide(chosen, best)
        else:
            offers, asked = self.lead.offers, enumerate(chosen.tolist())
            split = [split_found(offers, i, a) if a >= 0 else None for i, a in asked]
            n_branches = np.where(chosen >= 0, 2, 0)
            self._division = Division(split, n_branches, np.where(chosen >= 0, best, 0))
        self._asked = {
            i: (split, self._branches(i, split))
            for i, split in enumerate(self._division.split)
            if split is not None
        }
        if isinstance(self.control, binary.BinaryControl) and self.control.missing != "stop":
            self._division = self._division._replace(
                surrogates=[()] * len(chosen), default=self._defaults(len(chosen))
            )
        return self._division

    def _branches(self, node, split):
        """Return the sums of the rows of a node by branch and class; branch -1 is unknown."""
        counts = self.counts[split.column]
        here = slice(*np.searchsorted(counts.node, [node, node + 1]))
        sums = counts.sums[here].assign(
            branch=split.branch(counts.value[here]), target=counts.target[here]
        )
        return self._added_up(sums, ["branch"])

    def _added_up(self, sums, by):
        """Return the sums of rows that have the same branch or node, and class."""
        if self.source.classes is not None:
            return sums.groupby([*by, "target"], as_index=False)[["n", "weight"]].sum()
        how = dict.fromkeys(counting.SUMS, "sum") | {"least": "min", "most": "max"}
        added = sums.groupby(by, as_index=False).agg(how)
        return added.assign(target=self.source.mean_of(added))

    def _defaults(self, m):
        default = np.full(m, -1)
        if self.control.missing == "majority":
            for i, (_, sums) in self._asked.items():
                weight = sums.groupby("branch").weight.sum()
                pair = np.array([[weight.get(0, 0), weight.get(1, 0)]])
                default[i] = majority_branch(pair)[0]
        return default

    def candidates(self) -> tuple:
        """Record nothing: the record of decisions is for cases in memory."""
        return ()

    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level: the rows move on in the next question."""
        n_branches, default = self._division.n_branches, self._division.default
        self.first += self.n_nodes
        self.depth += 1
        divided = np.flatnonzero(n_branches).tolist()
        self.n_nodes = int(n_branches.sum())
        if not divided:
            return
        child = [first_child[i] + np.arange(n_branches[i]) for i in divided]
        parent = np.empty(self.n_nodes, dtype=np.intp)
        parent[np.concatenate(child)] = np.repeat(divided, n_branches[divided])
        tests, held = [], []
        shares: dict[tuple[int, int], float] = {}
        for i, children in zip(divided, child, strict=True):
            (split, sums), other = self._asked[i], -1
            attribute = self.source.attributes[split.column]
            unknown = (sums.branch < 0).to_numpy()
            if self.in_parts and unknown.any():
                sums, share = _in_parts(sums)
                at = int(self._number[i])
                shares |= {(at, int(self.first + children[b])): s for b, s in share.items()}
            elif default is not None and default[i] >= 0:
                sums = sums.assign(branch=np.where(unknown, default[i], sums.branch))
                other = int(self.first + children[default[i]])
            else:
                sums = sums[~unknown]
            held.append(sums.assign(node=children[sums.branch]))
            numbers = (self.first + children).tolist()
            tests.append(Test(int(self._number[i]), split, attribute, numbers, other))
        self.held = self._added_up(pd.concat(held), ["node"])
        self.rows = self.rows.sent(tests, shares)
        if isinstance(self.lead, multiway.MultiwayFrontier):
            self._available, self._label = self.lead.left_to_ask(parent), self.lead._label[parent]
        else:
            self._available = np.ones((self.n_nodes, len(self.source.attributes)), dtype=bool)
            self._label = np.zeros(self.n_nodes, dtype=np.intp)


def _runs(node, low, high, chosen):
    """Return the ends of chosen ranges, neighbours together: list of (node, least, largest)."""
    begins = chosen.copy()
    begins[1:] &= ~chosen[:-1] | (node[1:] != node[:-1])
    ends = chosen.copy()
    ends[:-1] &= ~chosen[1:] | (node[1:] != node[:-1])
    return list(zip(node[begins].tolist(), low[begins].tolist(), high[ends].tolist(), strict=True))


def _in_parts(sums):
    """Return sums by branch with those of unknown value shared out, and the share of each."""
    known, unknown = sums[sums.branch >= 0], sums[sums.branch < 0]
    weight = known.groupby("branch").weight.sum()
    share = weight / weight.sum()
    parts = [
        unknown.assign(branch=branch, weight=unknown.weight * part)
        for branch, part in share.items()
    ]
    return pd.concat([known, *parts]), share.to_dict()

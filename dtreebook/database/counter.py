"""Counting the rows of a database: it is asked for tables, and the search is that of all trees.

A question returns small tables: weights by node, value and class. A column of numbers is counted
by ranges first, then by the values of the ranges that may hold a better cut: see
`dtreebook.grow.bounds`. What a level holds is known from the tables of the level above, so it need
not be asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from dtreebook.count.counter import N_BRANCHES, Answers, Contents, Counter, Loss
from dtreebook.count.parts import in_order_of_branches, parents
from dtreebook.count.ranges import PIECES, RANGES, Doubtful, Grid, grid
from dtreebook.count.tables import Rows, Sums, Table
from dtreebook.data.cases import count
from dtreebook.database.asking import is_in_spark, lines_that_fit
from dtreebook.database.expressions import number
from dtreebook.database.rows import (
    Finisher,
    MemoryControl,
    SmallNode,
    TableRows,
    Test,
    added_up,
    check_counts,
    in_order,
    inside,
    replaced,
)
from dtreebook.database.source import Source, changed
from dtreebook.database.spark import PackedRows, packed
from dtreebook.grow.binary import BinaryControl
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.tree.arrays import TreeArrays
from dtreebook.tree.splits import Split, Splits, Surrogate

# Fewer ranges than these would tell too little.
_FEWEST = 8

# Lines that were put in order take so much less than those that come from the database.
_KEPT = 6


class DatabaseCounter(Counter):
    """Count the rows in the nodes of the level that grows now: see `Counter`.

    A node with no more than `fit` rows is left to the engine in memory, unless the tree is grown as
    a whole, for a record of all its nodes.

    Attributes
    ----------
    growth : the tree, which knows what a node that is finished in memory begins with.
    in_parts : whether a case of unknown value goes down every branch, in parts.
    lines : how many lines of counts are fetched together.
    ranges : into how many ranges a piece of a column is divided, at most.
    rows : the rows with the numbers of their nodes, which count through all levels; those of the
        open nodes, once they are known.
    all_rows : the rows at the root.
    cells : how many different rows a node can hold; infinite where they are not counted.
    below : dict from the nodes that fit in memory to the trees below them.
    held : DataFrame with what the nodes of the level hold, by class.
    """

    growth: Any

    def __init__(self, source: Source, control: MemoryControl, fit: int, is_whole: bool = False):
        if source.classes is None:
            source = source.measured(control.criterion)
        self.is_multiway = isinstance(control, MultiwayControl)
        self.in_parts = isinstance(control, MultiwayControl) and control.unknown == "fractions"
        if self.in_parts and not source.is_weighted:  # the weights will be divided
            source = replace(source, rows=source.rows.mutate(w=number(1)))
        self.source, self.control = source, control
        # Columns are drawn for a whole level, and what a node may predict depends on the others.
        is_bound = control.binds_neighbours
        self.fit = 0 if is_whole or is_bound or control.max_features is not None else fit
        self.lines = lines_that_fit(fit, len(source.attributes))
        has_ranges = isinstance(control, BinaryControl) and control.measure.has_bound
        self.ranges = RANGES if has_ranges and not is_bound else 0
        is_packed = is_in_spark(source.rows)
        self.all_rows = packed(source) if is_packed else TableRows(source, source.rows)
        self.rows: TableRows | PackedRows = self.all_rows
        self.n_nodes = 1
        self.below: dict[int, TreeArrays] = {}
        self.cells = self._different()
        self.depth = self.first = 0
        self.parent, self.parent_branch = np.zeros((2, 1), dtype=np.intp)
        of = source.summary
        if of.classes is not None:
            sums = {"target": of.target, "weight": of.weights, "n": of.times}
            self.held = pd.DataFrame({"node": 0} | sums)
        else:
            held = held_at(source, self.all_rows, np.zeros(1, int), "how the numbers scatter")
            self.held = self._added_up(held, ["node"])

    def _different(self):
        """Return how many different rows a node can hold, if that can be few."""
        source = self.source
        kinds = {attribute.kind for attribute in source.attributes}
        if not (self.fit and self.is_multiway and kinds == {"nominal"}):
            return np.inf
        sizes = [len(attribute.levels) + 1 for attribute in source.attributes]
        most = float(np.prod([*sizes, len(source.classes)], dtype=float))
        if not self.fit < most < source.n_rows:
            return most
        names = [name for name in source.rows.columns if name not in ("node", "w")]
        rows = source.rows.select(*names).distinct()
        number = rows.aggregate(n=rows.count())
        return float(source.asker.ask(number, "how many different rows there are").n[0])

    def measure_numbers(self, loss: Loss, mean: float, unit: float) -> None:
        """Note what is rounding alone: the database adds up losses by itself."""
        self._rounding = (4 * unit) ** loss.power

    # --- nodes ------------------------------------------------------------------------------------

    def describe(self) -> Contents:
        held, m = self.held, self.n_nodes
        node, n = held.node.to_numpy(), held.n.to_numpy()
        cases = np.bincount(node, n, m)
        if self.source.classes is not None:
            shape = m, len(self.source.classes)
            return Contents(count((node, held.target.to_numpy()), shape, held.weight), cases)
        held = held.set_index("node").loc[np.arange(m)]
        numbers, weight = self.source.numbers, held.weight.to_numpy(dtype=float)
        self._shift = (held["sum"] / held.weight).to_numpy() * numbers.measure.is_centred
        error = numbers.error_of(held)
        is_constant = error <= weight * self._rounding
        return Contents(weight[:, None], cases, held.target.to_numpy(), error, is_constant)

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with the nodes that do not fit in memory."""
        of_node = np.bincount(self.held.node, self.held.n, self.n_nodes)
        size = of_node[nodes]
        fits = np.minimum(size, self.cells) <= self.fit
        if fits.any():
            self._finish(nodes[fits], size[fits])
        nodes = in_order_of_branches(nodes[~fits], self.parent, self.parent_branch)
        self._open, self._number, self.size = nodes, self.first + nodes, of_node[nodes]
        if len(nodes) and self.depth:
            self.rows = self.rows.at(self._number).kept(f"the rows of level {self.depth}")
        return nodes

    def _finish(self, nodes, size):
        """Have some nodes finished in memory."""
        held = self.describe()
        sums = held.counts if held.mean is None else np.column_stack([held.counts, held.mean])
        known = {
            int(self.first + i): SmallNode(n, sums[i], self.depth, self.growth.inherited.take([i]))
            for i, n in zip(nodes.tolist(), size.tolist(), strict=True)
        }
        source = self.source
        finisher = Finisher(self.control, source.summary, known)
        rows, is_alike = self.rows.at(self.first + nodes), self.cells < np.inf
        what = f"the rows of the small nodes of level {self.depth}"
        below = rows.finished(finisher, is_alike, what)
        if len(below) < len(known):
            raise changed(f"{len(known) - len(below)} nodes have no rows any more")
        self.below |= below

    # --- tables -----------------------------------------------------------------------------------

    def answers(self, factor: np.ndarray | None = None) -> Answers:
        """Return what is added up: see `Counter.answers`; the weights are by class."""
        n_classes = self.source.summary.n_classes
        if factor is None and self.source.is_weighted:
            factor = np.ones(n_classes)
        return Answers(None, n_classes, factor)

    def branches(self) -> Answers:
        """Have every value counted by branch in the nodes that are divided."""
        tests = [Test(int(self._number[i]), split, []) for i, (split, _) in self._asked.items()]
        self._branch_counts: dict[int, pd.DataFrame] = {}
        self._branch_questions: list[dict] = []
        if tests:
            self._branch_rows = self.rows.by_branch(tests)
            self._branch_questions = self._questions(dict.fromkeys(self.counts), N_BRANCHES)
        weight = np.ones(N_BRANCHES) if self.source.is_weighted else None
        return Answers(None, N_BRANCHES, weight, is_branch=True)

    def prepare(self, columns: np.ndarray) -> None:
        """Ask for the counts of some columns in the open nodes."""
        self.counts: dict[int, pd.DataFrame] = {}
        if not len(self._open):
            return
        ranges = self._ranges(len(self._open) * len(columns) * PIECES, self.ranges)
        held = self.held[self.held.node.isin(self._open)]
        self._held = held.assign(node=pd.Index(self._open).get_indexer(held.node))
        sample = self.source.sample if ranges else {}
        grids = {a: grid(sample[a], ranges) if a in sample else None for a in columns.tolist()}
        what = f"the counts of level {self.depth}"
        for question in self._questions(grids, self.source.summary.n_classes):
            self.counts |= self._counted(self.rows, question, 0, what, self.lines)
            self._check_room(what)
        check_counts(self.source, self.counts, self._held)
        self._looked_at = np.inf

    def _questions(self, asked, n_answers):
        """Return what is to be counted of some columns in parts whose lines should fit in memory.

        Numbers come first. The lines are estimated: `_counted` sees how many they are.
        """
        is_nominal = [self.source.attributes[a].kind == "nominal" for a in asked]
        parts: list[dict] = []
        room = 0.0
        for a in sorted(asked, key=dict(zip(asked, is_nominal, strict=True)).__getitem__):
            lines = self._n_lines(a, asked[a], n_answers)
            if lines > room:
                parts.append({})
                room = self.lines
            parts[-1][a] = asked[a]
            room -= lines
        return parts

    def _n_lines(self, a, wanted, n_answers):
        """Return the most lines for a column, by its levels, its ranges or a sample of it."""
        n_values = len(self.source.attributes[a].levels)
        if isinstance(wanted, Grid):
            n_values = len(wanted.ends) * wanted.ranges
        elif a in self.source.sample:
            sample = self.source.sample[a]
            n_values = 2 * len(np.unique(sample))
            n_values = np.inf if n_values > len(sample) else n_values
        return min(self.size.sum(), (n_values + 1) * len(self._open) * n_answers)

    def _counted(self, rows, asked, ranges, what, most):
        """Return the lines of some columns in the open nodes, if they are not more than fit."""
        found = rows.counted(asked, ranges, most, what)
        if sum(map(len, found.values())) > most:
            if len(asked) > 1:
                each = ({a: wanted} for a, wanted in asked.items())
                alone = (self._counted(rows, one, ranges, what, most) for one in each)
                return {a: lines for one in alone for a, lines in one.items()}
            raise self._too_many(what, most, found)
        if len(found) < len(asked):
            raise changed("a column has no rows any more")
        return {a: in_order(self.source, a, lines, self._number) for a, lines in found.items()}

    def _check_room(self, what):
        """Raise a ValueError if the counts of all columns do not fit in memory together."""
        if sum(map(len, self.counts.values())) > _KEPT * self.lines:
            raise self._too_many(what, _KEPT * self.lines, self.counts)

    def _too_many(self, what, most, counts):
        name = self.source.attributes[max(counts, key=lambda a: len(counts[a]))].name
        return ValueError(
            f"{what} are more than the {most:,} lines that fit in memory, many of them of column "
            f"{name!r}: give the estimator more, as in memory='16GB', or group or round the values "
            "of such columns" + (", or set max_surrogates=0" if "branch" in what else "")
        )

    def _ranges(self, n, most):
        """Return into how many ranges n columns or intervals are divided; 0 to count values."""
        n *= self.source.summary.n_classes
        return int(np.clip(self.lines // n, _FEWEST, most)) if most else 0

    def nominal_rows(self, answers: Answers) -> Iterator[Rows]:
        for a in self._columns(answers):
            if self.source.attributes[a].kind == "nominal":
                yield self._rows(a, answers)

    def nominal_tables(
        self, answers: Answers
    ) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
        for a, lines in self.counts.items():
            if self.source.attributes[a].kind != "numeric":
                n_levels = len(self.source.attributes[a].levels)
                shape = len(self._open), n_levels + 1, answers.n_classes
                node, value, target = lines[["node", "value", "target"]].to_numpy().T
                # An unknown value, -1, is the first row.
                table = count((node, value + 1, target), shape, lines.weight)[:, None]
                yield 0, np.array([a]), table[:, :, 1:], table[:, :, 0].sum(axis=2)

    def cut_tables(self, answers: Answers) -> Iterator[Iterator[Table]]:
        kinds = ("numeric",) if self.is_multiway else ("numeric", "ordered")
        for a in self._columns(answers):
            if self.source.attributes[a].kind in kinds:
                yield self._tables(a, answers)

    def look_inside(
        self, answers: Answers, wanted: Sequence[Doubtful]
    ) -> Iterator[Iterator[Table]]:
        """Have the values of some ranges counted, or narrower ranges, if they hold too many."""
        if not wanted:
            return
        intervals = {ranges.column: _runs(ranges) for ranges in wanted}
        n = sum(self.counts[a].n[inside(self.counts[a], of)].sum() for a, of in intervals.items())
        ranges, what = 0, "values"
        if self.lines < n < 0.9 * self._looked_at:
            n_intervals = sum(map(len, intervals.values()))
            ranges, what = self._ranges(n_intervals, self.ranges * PIECES), "counts"
        self._looked_at = n
        what = f"the {what} in the doubtful ranges of level {self.depth}"
        number = self._number.tolist()
        asked = {a: [(number[i], *ends) for i, *ends in of] for a, of in intervals.items()}
        for a, lines in self._counted(self.rows, asked, ranges, what, self.lines).items():
            self.counts[a] = replaced(self.counts[a], intervals[a], lines)
        self._check_room(what)
        check_counts(self.source, self.counts, self._held)
        for a in intervals:
            yield self._tables(a, answers)

    def _columns(self, answers):
        """Return the columns that are counted by some answers."""
        if not answers.is_branch:
            return list(self.counts)
        return [a for question in self._branch_questions for a in question]

    def _of(self, answers, a):
        """Return the lines of a column; those by branch are asked for, and then forgotten."""
        if not answers.is_branch:
            return self.counts[a]
        if a not in self._branch_counts:
            question = next(question for question in self._branch_questions if a in question)
            what = f"the counts by branch of level {self.depth}"
            self._branch_counts = self._counted(self._branch_rows, question, 0, what, self.lines)
        return self._branch_counts[a]

    def _tables(self, a, answers):
        rows = self._rows(a, answers)
        if len(rows.value):
            yield rows.table()

    def _rows(self, a, answers):
        """Return the counts of a column as rows of known values, or ranges."""
        lines, source = self._of(answers, a), self.source
        is_numeric = source.attributes[a].kind == "numeric"
        lines = lines[lines.value.notna() if is_numeric else lines.value >= 0]
        first = ~lines.duplicated(["node", "value"]).to_numpy()
        node, target, n, weight = (
            lines[name].to_numpy() for name in ("node", "target", "n", "weight")
        )
        there, size = np.unique(node[first], return_counts=True)
        ends = None
        if answers.n_classes > 1:
            cell, shape = (target, np.cumsum(first) - 1), (answers.n_classes, int(first.sum()))
            held = Sums.of(count(cell, shape, n).astype(np.intp))
            if answers.weight is not None:
                held = Sums.of(held.number, count(cell, shape, weight * answers.weight[target]))
        else:
            shift = self._shift[self._open[node]]
            above = lines["sum"].to_numpy() - weight * shift
            held = Sums(n[None], weight, above[None])  # a row for each range: there is one class
            ends = lines[["least", "most"]].to_numpy() - source.numbers.origin - shift[:, None]
        value, high = lines.value.to_numpy()[first], lines.high.to_numpy()[first]
        column = np.full(len(there), a)
        return Rows(there, column, size, value, held, high if is_numeric else None, ends)

    def table_of(self, node: int, split: Split, answers: Answers) -> tuple[np.ndarray, float]:
        sums = self._by_branch(node, split)
        known, lost = sums[sums.branch >= 0], float(sums.weight[sums.branch < 0].sum())
        if self.source.classes is None:
            error = self.source.numbers.error_of(known)
            return np.stack([known.weight, known.target, error], axis=1), lost
        shape = split.branches(self.source.attributes[split.column]), answers.n_classes
        return count((known.branch, known.target), shape, known.weight), lost

    # --- dividing ---------------------------------------------------------------------------------

    def divide(self, split: Splits, n_branches: np.ndarray) -> None:
        """Find what goes down each branch of the open nodes."""
        self._n_branches, self._default = n_branches, np.full(len(split), -1)
        self._surrogates: Sequence[tuple[Surrogate, ...]] = [()] * len(split)
        self._asked = {
            i: (test, self._by_branch(i, test)) for i, test in enumerate(split) if test is not None
        }

    def _by_branch(self, node, split):
        """Return the sums of the rows of a node by branch and class; branch -1 is unknown."""
        lines = self.counts[split.column]
        lines = lines.iloc[slice(*np.searchsorted(lines.node, [node, node + 1]))]
        return self._added_up(lines.assign(branch=split.branch(lines.value.to_numpy())), ["branch"])

    def _added_up(self, lines, by):
        """Return the sums of rows that have the same branch or node, and class."""
        if self.source.classes is not None:
            return added_up(lines, [*by, "target"])
        added = added_up(lines, by)
        return added.assign(target=self.source.numbers.mean_of(added))

    def branch_weights(self) -> np.ndarray:
        weights = np.zeros((len(self._n_branches), 2))
        for i, (_, sums) in self._asked.items():
            known = sums[sums.branch >= 0]
            weights[i] = np.bincount(known.branch, known.weight, 2)
        return weights

    def reroute(self, default: np.ndarray, surrogates: Sequence[tuple[Surrogate, ...]]) -> None:
        self._default, self._surrogates = default, surrogates

    def descend(self, first_child: np.ndarray) -> None:
        """Go down a level: the rows move on in the next question."""
        n_branches, default = self._n_branches, self._default
        number, self.first = self._number, self.first + self.n_nodes
        self.depth += 1
        divided = np.flatnonzero(n_branches).tolist()
        self.parent, self.parent_branch = parents(first_child, n_branches)
        self.n_nodes = len(self.parent)
        if not divided:
            return
        child = [first_child[i] + np.arange(n_branches[i]) for i in divided]
        tests, held, is_known = [], [], True
        shares: dict[tuple[int, int], float] = {}
        for i, children in zip(divided, child, strict=True):
            (split, sums), other = self._asked[i], -1
            unknown = (sums.branch < 0).to_numpy()
            if self.in_parts and unknown.any():
                sums, share = _in_parts(sums)
                at = int(number[i])
                shares |= {(at, int(self.first + children[b])): s for b, s in share.items()}
            elif default[i] >= 0:
                sums = sums.assign(branch=np.where(unknown, default[i], sums.branch))
                other = int(self.first + children[default[i]])
            else:
                sums = sums[~unknown]
            held.append(sums.assign(node=children[sums.branch]))
            numbers = (self.first + children).tolist()
            is_known &= not (self._surrogates[i] and unknown.any())
            tests.append(Test(int(number[i]), split, numbers, other, self._surrogates[i]))
        self.rows = self.rows.sent(tests, shares)
        if not is_known:  # surrogates have sent rows
            what = f"what the nodes of level {self.depth} hold"
            held = [held_at(self.source, self.rows, self.first + np.arange(self.n_nodes), what)]
        self.held = self._added_up(pd.concat(held), ["node"])


def held_at(
    source: Source, rows: TableRows | PackedRows, number: np.ndarray, what: str
) -> pd.DataFrame:
    """Return the lines of what numbered nodes hold, asked of the column with the fewest levels."""
    attributes = source.attributes
    a = min(range(len(attributes)), key=lambda a: len(attributes[a].levels))
    grids = {a: Grid(np.empty(0), 1) if attributes[a].kind == "numeric" else None}
    most = (len(attributes[a].levels) + 2) * len(number) * source.summary.n_classes
    found = rows.counted(grids, 0, most, what)
    if not found:
        return pd.DataFrame({"node": [], "target": [], "n": [], "weight": []}, dtype=int)
    return in_order(source, a, found[a], number)


def _runs(ranges):
    """Return the ends of some ranges, neighbours together: list of (node, least, largest)."""
    node, place = ranges.node, ranges.place
    begins = np.append(True, (np.diff(place) > 1) | (np.diff(node) > 0))
    low, high = ranges.low[begins].tolist(), ranges.high[np.roll(begins, -1)].tolist()
    return list(zip(node[begins].tolist(), low, high, strict=True))


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

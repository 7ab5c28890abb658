"""Counting cases that are held in arrays.

Three ways lead from the cases of a level to tables, one a module: `dense_columns` counts columns of
few values, `sorted_columns` keeps those of many in order, and `ranged_columns` counts ranges of
values where there are very many cases.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dtreebook.count.counter import N_BRANCHES, UNKNOWN, Answers, Contents, Counter, Loss
from dtreebook.count.dense_columns import DenseColumns, alike, few_values
from dtreebook.count.parts import (
    Parts,
    expanded,
    in_order_of_branches,
    in_threads,
    parents,
    parted,
)
from dtreebook.count.ranged_columns import MANY_A_NODE, MANY_CASES, Counted, RangedColumn
from dtreebook.count.ranges import Doubtful
from dtreebook.count.sorted_columns import FEW_ROWS, SortedColumns
from dtreebook.count.tables import Rows, Table
from dtreebook.data.cases import Cases, count, weights_at
from dtreebook.tree.routing import FractionalCases, Links, Router, Routes, distribute
from dtreebook.tree.splits import Split, Splits, Surrogate


class MemoryCounter(Parts, Counter):
    """Count the parts in the nodes of the level that grows now: see `Counter`.

    Attributes
    ----------
    cases, n_classes : the training cases, and K.
    n_nodes : M, the number of nodes of the level.
    weight : array [p] of all parts, or None if each weighs 1.
    target : array [p], the class or number of each part.
    values : dict from each column that is cut to its training values in order, each at least once;
        empty if these are not known, as at a node of a table in a database.
    """

    def __init__(
        self,
        cases: Cases,
        cut: Sequence[int],
        *,
        in_parts: bool = False,
        may_be_ranged: Callable[[], bool] = lambda: False,
    ):
        """Begin at the root: some columns are cut, numbers and for binary trees ordered levels.

        A case of unknown value may go down every branch, in parts. If there are very many cases,
        it is asked whether a best cut may be sought by bounds.
        """
        n = len(cases)
        super().__init__(n, cases.times)
        self.cases, self.weight, self.target = cases, cases.weight, cases.target
        self.n_classes = cases.n_classes
        self._in_parts, self._table = in_parts, cases.table
        self._has_nan = self._table.dtype.kind == "f" and cases.has_unknown
        self.is_classified = cases.classes is not None
        if self.is_classified:
            self.target = self.target.astype(np.min_scalar_type(self.n_classes))
        self.n_nodes = 1
        self.parent, self.parent_branch = np.zeros((2, 1), dtype=np.intp)
        columns = {a: self._table[a] for a in cut}
        is_counted = self.is_classified and cases.times is None
        is_long = n * len(cut) > FEW_ROWS
        few = few_values(columns, self.n_classes) if is_counted and is_long else {}
        self._dense_cuts = [
            DenseColumns.of_values({a: columns[a] for a in some}, [few[a] for a in some])
            for some in alike({a: len(known) for a, known in few.items()})
        ]
        many = {a: columns[a] for a in columns if a not in few}
        self._ranged: dict[int, RangedColumn] = {}
        self._counted: Counted | None = None
        if is_counted and n >= MANY_CASES and may_be_ranged():
            self._ranged, many = RangedColumn.of_values(many, n), {}
        self._sorted = SortedColumns.blocks(many, n) if many else []
        levels = {a: len(cases.attributes[a].levels) for a in range(len(cases.columns))}
        nominal = {a: number for a, number in levels.items() if a not in columns}
        self._dense = [
            DenseColumns(some, [cases.columns[a] for a in some], max(levels[a] for a in some))
            for some in alike(nominal)
        ]
        self.values = dict(few)
        for block in self._sorted:
            self.values.update(block.values())
        self._deviation = np.zeros(0 if self.is_classified else n)

    def measure_numbers(self, loss: Loss, mean: float, unit: float) -> None:
        """Keep numbers as what they are above a mean, so that their squares lose few digits."""
        self._loss, self._is_centred = loss.of, loss.is_centred
        self._mean = mean if loss.is_centred else 0.0
        self._above, self._rounding = self.cases.target - self._mean, (4 * unit) ** loss.power

    # --- nodes ------------------------------------------------------------------------------------

    def describe(self) -> Contents:
        node, m = self.node, self.n_nodes
        weight, times = (weights_at(of, self.parts) for of in (self.weight, self.cases.times))
        cases = self._n_held = np.bincount(node, minlength=m)
        if times is not None:
            cases = np.bincount(node, times, m)
        if self.is_classified:
            codes = node, self.target.take(self.parts)
            return Contents(count(codes, (m, self.n_classes), weight), cases)
        each = np.ones(len(self.parts)) if weight is None else weight
        above = self._above.take(self.parts)
        weight = np.bincount(node, each, m)
        mean = np.bincount(node, each * above, m) / weight
        around = mean.take(node)
        self._deviation[self.parts] = above - around  # within a node it adds up to 0
        error = np.bincount(node, each * self._loss(above, around), m)
        mean += self._mean
        # The mean of equal numbers may be off by rounding, the more so the more there are.
        number, equal = self.target.take(self.parts), np.empty(m)
        equal[node] = number
        is_equal = np.bincount(node, number != equal.take(node), m) == 0
        mean[is_equal], error[is_equal] = equal[is_equal], 0
        is_constant = error <= weight * self._rounding
        return Contents(weight[:, None], cases, mean, error, is_constant)

    def open(self, nodes: np.ndarray) -> np.ndarray:
        """Go on with some of the nodes; return them in the order in which their parts now stand."""
        nodes = in_order_of_branches(nodes, self.parent, self.parent_branch)
        size = self._n_held[nodes]
        if self.n_nodes > 1:  # the parts of the root are in order
            self._part(nodes)
        above = self.size
        self.open_parts(size)
        if self._ranged:
            self._open_ranges(nodes, above)
        if len(self._sorted) > 1:
            self._sorted = SortedColumns.joined(self._sorted, len(self.parts))
        for block in self._dense_cuts:
            if not block.is_worth_it(len(nodes), len(self.parts), self.n_classes):
                self._sorted += block.sorted(self)
                self._dense_cuts = [other for other in self._dense_cuts if other is not block]
        return nodes

    def _part(self, nodes):
        """Put the parts that went down a first branch first, and so on; drop those in no node."""
        n_branches = int(self.parent_branch[nodes].max()) + 1
        branch = np.zeros(self.n_nodes, dtype=np.min_scalar_type(n_branches))
        branch[nodes] = 1 + self.parent_branch[nodes]
        branch = branch.take(self.node)
        if self._sorted:
            of_part = np.zeros(self.n_parts, dtype=branch.dtype)
            of_part[self.parts] = branch
            cells = np.count_nonzero(branch) * len(self.cases.columns)
            in_threads(lambda block: block.part(of_part, n_branches), self._sorted, cells)
        self.parts = self.parts.take(parted(branch, n_branches))

    def _open_ranges(self, nodes, above):
        """Find the two children of the nodes above; sort the columns if nodes are too small."""
        if MANY_A_NODE * len(self.size) * self.n_classes <= len(self.parts):
            child = np.full((2, len(above)), -1)
            child[self.parent_branch[nodes], self.parent[nodes]] = np.arange(len(nodes))
            size = np.where(child < 0, 0, self.size[child])
            both = np.flatnonzero((child >= 0).all(axis=0) & (size.sum(axis=0) == above))
            self._children = both, *np.take_along_axis(child, size.argsort(axis=0), 0)[:, both]
            return
        ranged, self._ranged = list(self._ranged.values()), {}
        cells = len(self.parts) * len(ranged)
        self._sorted += in_threads(lambda column: column.sorted(self), ranged, cells)

    # --- tables -----------------------------------------------------------------------------------

    def answers(self, factor: np.ndarray | None = None) -> Answers:
        """Return the classes or numbers that a tree is to tell apart."""
        if not self.is_classified:
            amount = self._deviation if self._is_centred else self.target
            amount = amount if self.weight is None else amount * self.weight
            return Answers(None, 1, self.weight, amount)
        weight = self.weight
        if factor is not None:
            weight = factor.take(self.target) * (1.0 if weight is None else weight)
        return Answers(self.target, self.n_classes, weight)

    def branches(self) -> Answers:
        branch = np.full(self.n_parts, UNKNOWN, dtype=np.int8)
        branch[self.parts] = np.where(self.branch < 0, UNKNOWN, self.branch)
        return Answers(branch, N_BRANCHES, self.weight, is_branch=True)

    def prepare(self, columns: np.ndarray) -> None:
        """Do nothing: what is in memory is at hand."""

    def cut_tables(self, answers: Answers) -> Iterator[Iterator[Table]]:
        for dense in self._dense_cuts:
            yield (rows.table() for rows in dense.rows(self, answers) if len(rows.value))
        for block in self._sorted:
            yield block.tables(self, answers)
        if self._ranged:
            self._counted = Counted.of(self, answers, self._children, self._counted)
            for column in self._ranged.values():
                yield column.tables(self, answers, self._counted)

    def nominal_rows(self, answers: Answers) -> Iterator[Rows]:
        for block in self._dense:
            yield from block.rows(self, answers)

    def nominal_tables(
        self, answers: Answers
    ) -> Iterator[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
        for block in self._dense:
            amount = (answers.weight,)
            for first, (table,) in block.tables(self, answers.codes, answers.n_classes, amount):
                last = table[:, :, block.n_values :]
                yield first, block.columns, table[:, :, : block.n_values], last.sum(axis=(2, 3))

    def look_inside(
        self, answers: Answers, wanted: Sequence[Doubtful]
    ) -> Iterator[Iterator[Table]]:
        for ranges in wanted:
            yield self._ranged[ranges.column].inside(self, answers, ranges)

    def beside(
        self, nodes: np.ndarray, columns: np.ndarray, positions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        left, right = np.empty((2, len(nodes)))
        for i, (node, column) in enumerate(zip(nodes.tolist(), columns.tolist(), strict=True)):
            case = self.case_of(self.at(node))
            is_left = self._ranged[column].codes.take(case) <= positions[i]
            value = self._table[column, case]
            # An unknown value is NaN, and its code is beyond all ranges: nanmin leaves it out.
            left[i], right[i] = value[is_left].max(), np.nanmin(value[~is_left])
        return left, right

    # --- dividing ---------------------------------------------------------------------------------

    def divide(self, split: Splits, n_branches: np.ndarray) -> None:
        """Find the branch of every part here: -1 if the value is unknown, any in a leaf."""
        self.split, self._n_branches = split, n_branches
        self.branch = self._branches(self.node, self.parts, Router(split, None, None))

    def reroute(self, default: np.ndarray, surrogates: Sequence[tuple[Surrogate, ...]]) -> None:
        rest = np.flatnonzero(self.branch < 0)
        if len(rest):
            router = Router(self.split, surrogates, default)
            self.branch[rest] = self._branches(self.node[rest], self.parts[rest], router)

    def _branches(self, node, parts, router):
        """Return the branch of each of some parts at its node."""
        return Routes(router, self._table, self._has_nan).branch(node, self.case_of(parts))

    def branch_weights(self) -> np.ndarray:
        codes = self.node, self.branch + 1
        return count(codes, (len(self.size), 3), weights_at(self.weight, self.parts))[:, 1:]

    def table_of(self, node: int, split: Split, answers: Answers) -> tuple[np.ndarray, float]:
        parts = self.at(node)
        branch = split.branch(self.cases.columns[split.column][self.case_of(parts)])
        n_branches = split.branches(self.cases.attributes[split.column])
        weight = weights_at(self.weight, parts)
        if answers.codes is not None:
            # Unknown values have branch -1: counted one row up, they fill row 0.
            shape = n_branches + 1, answers.n_classes
            unknown_row, *rows = count((branch + 1, answers.codes[parts]), shape, weight)
            return np.array(rows), float(unknown_row.sum())
        each = np.ones(len(parts)) if weight is None else weight
        rows = [self._moments(parts[branch == b], each[branch == b]) for b in (0, 1)]
        return np.array(rows), float(each[branch < 0].sum())

    def _moments(self, parts, each):
        """Return the weight, the mean and the cost of some numbers."""
        above = self._above[parts]
        mean = np.average(above, weights=each)
        return each.sum(), mean + self._mean, (each * self._loss(above, mean)).sum()

    def descend(self, first_child: np.ndarray) -> None:
        n_branches = self._n_branches
        self.parent, self.parent_branch = parents(first_child, n_branches)
        self.n_nodes = len(self.parent)
        if not n_branches.all() or self.branch.min(initial=0) < 0:
            inside = n_branches.take(self.node) > 0
            if self._in_parts and (inside & (self.branch < 0)).any():
                self._share_out(np.flatnonzero(inside), first_child)
                return
            goes = np.flatnonzero(inside & (self.branch >= 0))
            self.parts, self.node = self.parts.take(goes), self.node.take(goes)
            self.branch = self.branch.take(goes)
        self.node = first_child.take(self.node) + self.branch

    def _share_out(self, inside, first_child):
        """Send parts down; one of unknown value goes down every branch in part."""
        weight = np.ones(self.n_parts) if self.weight is None else self.weight
        weight = weight.take(self.parts.take(inside))
        found = FractionalCases(inside, self.node.take(inside), weight)
        links = Links(first_child, self._n_branches)
        found = distribute(found, self.branch.take(inside), links)
        # The parts are numbered anew, those of one case beside each other.
        old = self.parts.take(found.case)
        order = np.argsort(old, kind="stable")
        old = old.take(order)
        times = np.bincount(old, minlength=self.n_parts)
        first = np.cumsum(times) - times
        self._case, self.target = self.case_of(old), self.target.take(old)
        self.weight, self.n_parts = found.weight.take(order), len(old)
        self.parts = expanded(self.parts, first, times)
        self.node = found.node.take(order).take(self.parts)
        for block in self._sorted:
            block.expand(first, times)

    def training_values(self, columns: np.ndarray, numbers: np.ndarray) -> np.ndarray:
        if not self.values:
            return numbers
        found = np.empty(len(numbers))
        for a in np.unique(columns).tolist():
            here = columns == a
            values = self.values[a]
            found[here] = values[values.searchsorted(numbers[here], side="right") - 1]
        return found

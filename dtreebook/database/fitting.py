"""Fitting our estimators to a table of Ibis: large nodes grow there, small ones in memory."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import ibis
import numpy as np
import pandas as pd
from ibis.backends import BaseBackend
from ibis.expr.types import Table
from sklearn.base import is_classifier

from dtreebook.data.cases import Cases, count
from dtreebook.database.asking import is_in_spark, rows_that_fit, usual_memory, within
from dtreebook.database.counter import DatabaseCounter, held_at
from dtreebook.database.expressions import Test, bisect, union
from dtreebook.database.rows import TableRows
from dtreebook.database.source import Source, changed, read, targets
from dtreebook.database.spark import PackedRows
from dtreebook.grow.growth import as_arrays, levels
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.grow.record import Decision, recorded
from dtreebook.tree.arrays import Links, graft
from dtreebook.tree.splits import Splits, Threshold
from dtreebook.tree.tree import Tree


def fit(
    model: Any, X: Any, y: Any, sample_weight: Any = None, memory: str | int | None = None
) -> Any:
    """Fit an estimator to a table where it lies, and return the estimator.

    ``model.fit(X, y)`` does the same. The tree is the one grown in memory:
    numbers of cases are the same to the last one. What is summed up of weights and numbers may
    differ in the last digits, so that of tests that are equally good another may be taken.

    Raises ValueError if the table cannot be used, or its counts do not fit in memory; it names
    what; and `dtreebook.database.asking.DatabaseError` if the database fails, or the table changes
    while it is read. Nothing is fitted then.

    Source: Gehrke, Ramakrishnan and Ganti (2000), RainForest; their RF-Hybrid, for finishing small
    nodes in memory.

    Parameters
    ----------
    model : `ID3Classifier`, `C45Classifier`, `CARTClassifier` or `CARTRegressor`.
    X : table of Ibis.
    y, sample_weight : names of columns of X, which are then left out of it, or columns of the table
        that X was made of, as in ``fit(loans.drop("approved"), loans.approved)``.
    memory : what a tree may take while it grows: bytes as text, such as "8GB". A quarter is for
        rows that are fetched to finish small nodes, and as much for counts; DuckDB is told to keep
        to the half. A number says how many rows are fetched at a time, and leaves the database as
        it is. None for the ``memory`` of the model, and if that is None for half of what this
        machine has, but at least 2GB (in Spark: 2GB).

    Examples
    --------
    >>> import ibis
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> loans = ibis.memtable(load_loan().frame.astype(str))
    >>> print(fit(ID3Classifier(), loans, "approved").export_text())
    house = yes: yes (6.0)
    house = no:
    |   work = no: no (6.0)
    |   work = yes: yes (3.0)
    """
    memory = _memory(model, X, memory)
    fitted = copy(model)
    with _opened(fitted, X, y, sample_weight, memory) as source:
        growing = _Growing(source.weighed(fitted), memory)
        fitted.tree_ = fitted._grow(growing.source.summary, growing.grow, growing.send)
    names = [attribute.name for attribute in source.attributes]
    fitted.feature_names_in_, fitted.n_features_in_ = np.array(names, dtype=object), len(names)
    fitted._choose(X, y, sample_weight, memory)
    model.__dict__ = fitted.__dict__  # last: a fit that fails leaves the model as it was
    return model


@contextmanager
def folds(
    model: Any, X: Any, y: Any, sample_weight: Any, draw: Callable, memory: str | int
) -> Iterator[tuple[Cases, Iterator[tuple]]]:
    """Yield what stands for the rows of a table, and its folds, for an estimator that is fitted.

    A fold is what stands for the rows that it keeps, those that it leaves out, fetched some at a
    time, and the functions that grow a tree from the others: `dtreebook.prune.crossvalidation`.
    Given answers and weights, the function draws the rows that each keeps and leaves out; they are
    drawn here, in the order of the rows, which takes up some 50 bytes a row.
    """
    with _opened(model, X, y, sample_weight, memory) as source:
        rows, n_folds = _in_folds(source, draw)
        source = replace(source, rows=rows)
        yield source.summary, _folds(source, source.weighed(model), n_folds, memory)


def _in_folds(source, draw):
    """Return the rows and one more column, the fold of each, and how many folds there are."""
    rows, is_classifier = source.numbered(), source.classes is not None
    # A database may number them otherwise when it is asked again.
    rows = source.asker.keep(rows, "its rows in order")
    drawn = source.asker.ask(rows.select("row", "y"), "the answers").sort_values("row")
    target = targets(source.classes, drawn.y) if is_classifier else drawn.y.to_numpy()
    weight, fold = np.ones(len(drawn)), np.zeros(len(drawn), dtype=np.int32)
    for i, (_, left_out) in enumerate(draw(target, weight)):
        fold[left_out] = i
    folds = ibis.memtable(pd.DataFrame({"row": drawn.row, "fold": fold}))
    rows = rows.inner_join(folds, "row").drop("row")
    source.asker.ask(rows.limit(0), "its folds")  # Spark gets what memory holds when it is asked
    beside = is_in_spark(rows)  # which reads the rows in order once more
    return source.asker.keep(rows, "its rows in folds", beside), int(fold.max()) + 1


def _folds(source, weighed, n_folds, memory):
    """Yield the folds of rows that have them, with the weights of their classes and without."""
    for i in range(n_folds):
        kept = weighed.among(weighed.rows.filter(weighed.rows.fold != i).drop("fold"))
        growing = _Growing(kept, memory)
        left_out = source.rows.filter(source.rows.fold == i).drop("node", "fold")
        fetched = source.fetched(left_out, f"the rows of fold {i}")
        yield kept.summary, fetched, (growing.grow, growing.send)
        kept.asker.forget()


def decisions(
    model: Any, X: Any, y: Any, sample_weight: Any = None, memory: str | int | None = None
) -> list[Decision]:
    """Return the record of every decision that `fit` takes on a table, level by level.

    ``model.decisions(X, y)`` does the same. No node is finished in memory:
    the database counts every one.
    """
    memory = _memory(model, X, memory)
    with _opened(model, X, y, sample_weight, memory) as source:
        source = source.weighed(model)
        control = model._control(source.summary)
        growth = _growth(source, control, memory, is_whole=True)
        record = recorded(growth)
        if not isinstance(control, MultiwayControl):
            return record
        cuts = [candidate.split for decision in record for candidate in decision.candidates]
        tests = iter(_cut_at_values(source, cuts))
        for i, decision in enumerate(record):
            now = tuple(candidate._replace(split=next(tests)) for candidate in decision.candidates)
            chosen = decision.chosen and now[decision.candidates.index(decision.chosen)]
            record[i] = decision._replace(candidates=now, chosen=chosen)
        return record


def _memory(model, X, memory):
    """Return the memory that is given, the model's, or the usual one of this machine."""
    if not isinstance(X, Table):
        where = 'con.table("loans")' if isinstance(X, BaseBackend) else "con.table(name)"
        raise TypeError(
            f"X is a {type(X).__module__}.{type(X).__name__}: give fit one table of Ibis, such as "
            f"{where}, and y as the name of its column"
        )
    memory = getattr(model, "memory", None) if memory is None else memory
    return usual_memory(X) if memory is None else memory


@contextmanager
def _opened(model, X, y, sample_weight, memory):
    """Yield a table as a training set of a model, and have the database forget it afterwards."""
    with within(X, memory):
        source = read(X, y, sample_weight, model._kinds, is_classifier(model))
        try:
            halves = np.full(2, source.summary.total / 2)
            if source.n_rows > 1 and not np.array_equal(model._as_counts(halves), halves):
                raise ValueError(
                    "sample_weight adds up to 1, and C4.5 counts cases: multiply each by the "
                    "number of rows of some weight"
                )
            yield source
        finally:
            source.asker.forget()


def _growth(source, control, memory, is_whole=False):
    """Return the tree that is to grow from a table."""
    fit = rows_that_fit(memory, len(source.attributes))
    counter = DatabaseCounter(source, control, fit, is_whole)
    counter.growth = control.growth(counter, source.summary)
    return counter.growth


class _Growing:
    """Grow the tree of a model, and send its rows down again where pruning asks for that."""

    def __init__(self, source, memory):
        self.source, self.memory = source, memory

    def grow(self, cases, control):
        source, growth = self.source, _growth(self.source, control, self.memory)
        self.counter = growth.counter
        arrays = as_arrays(levels(growth))
        if growth.counter.below:
            arrays = graft(arrays, growth.counter.below)
        if isinstance(control, MultiwayControl):
            arrays = replace(arrays, split=Splits.of(_cut_at_values(source, arrays.split)))
        return Tree(arrays, source.attributes, source.classes)

    def send(self, tree):
        return SentRows.of(self.counter, tree)


def _cut_at_values(source, tests):
    """Return tests with the largest value below their cuts, as C4.5 names a value that occurs."""
    cuts: dict[int, set] = {}
    for split in tests:
        if isinstance(split, Threshold):
            cuts.setdefault(split.column, set()).add(split.cut)
    if not cuts:
        return list(tests)
    parts = []
    for a, some in cuts.items():
        value = source.rows[f"x{a}"]
        place = bisect(value, sorted(some), lambda i: ibis.literal(i, "int32"))
        rows = source.rows.select(a=ibis.literal(a, "int32"), place=place, value=value)
        parts.append(rows.group_by("a", "place").aggregate(n=rows.count(), most=rows.value.max()))
    asked = union(parts)
    found = source.asker.ask(asked, "the values below the cuts")
    at = {}
    for a, some in cuts.items():
        here = found[found.a == a].set_index("place")
        most = here.most.reindex(range(len(some) + 1)).cummax().ffill()
        if here.n.sum() != source.n_rows or most.isna().any():
            raise changed(f"column {source.attributes[a].name!r} holds other values now")
        at |= {(a, cut): float(most[i]) + 0.0 for i, cut in enumerate(sorted(some))}
    return [
        replace(test, cut=at[test.column, test.cut]) if isinstance(test, Threshold) else test
        for test in tests
    ]


# --- pruning --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class SentRows:
    """Rows that go down a tree again while it is pruned, those of unknown value in parts.

    C4.5 asks what the largest branch of a subtree would do with all its cases. So these rows take
    the tests of that branch, a level at a time, and one question a level counts them in the nodes
    below. The methods are those of `dtreebook.prune.error_based.SentCases`.
    """

    source: Source
    tree: Tree  #: whose tests they take
    rows: TableRows | PackedRows  #: with numbers of their nodes that are never given again
    node: np.ndarray  #: array [m], the nodes where there are rows, in order
    number: np.ndarray  #: array [m], the numbers of these nodes
    n: np.ndarray  #: array [m, K], how many rows of each class there are
    weight: np.ndarray  #: array [m, K], what they weigh

    @classmethod
    def of(cls, counter: DatabaseCounter, tree: Tree) -> "SentRows":
        """Return all rows that a tree was grown from, at its root."""
        source, root = counter.source, np.zeros(1, dtype=np.intp)
        summary, shape = source.summary, (1, tree.arrays.counts.shape[1])
        n = np.bincount(summary.target, summary.times, shape[1]).reshape(shape)
        return cls(source, tree, counter.all_rows, root, root, n, tree.arrays.counts[:1])

    def __len__(self) -> int:
        return len(self.node)

    def together(self, others: list["SentRows"]) -> np.ndarray:
        counts = np.zeros_like(self.tree.arrays.counts)
        for sent in [self, *others]:
            counts[sent.node] = sent.weight
        return counts

    def at(self, chosen: np.ndarray) -> "SentRows":
        here = np.flatnonzero(chosen[self.node])
        return replace(self._taken(here), rows=self.rows.at(self.number[here]))

    def moved(self, to: np.ndarray) -> "SentRows":
        node = to[self.node]
        return replace(self, node=node)._taken(np.argsort(node))

    def _taken(self, places):
        arrays = (of[places] for of in (self.node, self.number, self.n, self.weight))
        return SentRows(self.source, self.tree, self.rows, *arrays)

    def down(self, asks: np.ndarray, links: Links) -> "SentRows":
        if not len(self.node):
            return self
        child, begin = links.children(self.node)
        number = self.number.max() + 1 + np.arange(len(child))
        tests = []
        for i, numbers in enumerate(np.split(number, begin[1:])):
            split = self.tree.arrays.split[asks[self.node[i]]]
            assert split is not None
            tests.append(Test(int(self.number[i]), split, numbers.tolist()))
        what = "what other branches would hold"
        rows = self.rows.kept(what, beside=True) if self.number.any() else self.rows
        lines = held_at(self.source, rows.sent(tests, {}), number, what)
        cell, shape = (lines.node, lines.target), (len(child), self.n.shape[1])
        n, weight = (count(cell, shape, lines[name]) for name in ("n", "weight"))

        # Rows of unknown value are what is left of each node.
        lost = self.n - np.add.reduceat(n, begin)
        if lost.min() < 0:
            raise changed("a node has rows that it did not have before")
        lost_weight = np.where(lost > 0, self.weight - np.add.reduceat(weight, begin), 0)
        above = np.repeat(np.arange(len(self.node)), links.n_branches[self.node])
        size = weight.sum(axis=1)
        share = size / np.maximum(np.add.reduceat(size, begin), np.finfo(float).tiny)[above]
        share[lost.max(axis=1)[above] == 0] = 0
        shares = {
            (int(self.number[above[i]]), int(number[i])): share[i] for i in np.flatnonzero(share)
        }
        n += lost[above] * (share > 0)[:, None]
        weight += lost_weight[above] * share[:, None]
        there = np.flatnonzero(n.any(axis=1))
        rows = rows.sent(tests, shares)
        sent = SentRows(self.source, self.tree, rows, child, number, n, weight)
        return sent._taken(there[np.argsort(child[there])])

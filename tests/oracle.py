"""Read what the reference programs printed, and say where a tree first differs from theirs.

The outputs lie in an optional folder beside the repository; without it the tests that need them are
skipped.
"""

import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dtreebook import data
from dtreebook.splits import Multiway, Subset, Threshold
from dtreebook.tree import Flat, Tree

ORACLE = Path(__file__).resolve().parents[2] / "shared" / "oracle"
RELATIVE = 1e-9
NOTHING = [pytest.param(None, marks=pytest.mark.skip(reason="skipped: no oracle data"))]


def names(ending, folder="c45"):
    """Return what has a file with this ending, such as car-s; if none, one parameter to skip."""
    found = sorted(path.name for path in (ORACLE / folder).glob(f"*{ending}"))
    return [name.removesuffix(ending) for name in found] or NOTHING


def data_sets():
    """Return the names of the trees grown without options; if none, one parameter to skip."""
    found = names(".unpruned.json")
    return found if found is NOTHING else [name for name in found if stem(name) == name]


def stem(name):
    """Return the data set behind a name: that of labor-neg-m1c100 is labor-neg."""
    return re.sub(r"-(m\d+|c\d+|m\d+c\d+|g|s|gs)$", "", name)


def confidence(name):
    """Return the confidence with which a tree was pruned: that of iris-m1c10 is 0.1."""
    percent = re.search(r"-(?:m\d+)?c(\d+)$", name)
    return int(percent[1]) / 100 if percent else 0.25


@cache
def frames(name, part=""):
    """Return X and y of a data set; levels and classes in the order of its .names file.

    The part is ".test" for the test cases.
    """
    folder = ORACLE / "data" / stem(name)
    text = (folder / f"{stem(name)}.names").read_text()
    lines = [line.split("|")[0].strip().removesuffix(".") for line in text.splitlines()]
    classes, *attributes = [line for line in lines if line]
    frame = pd.read_csv(
        folder / f"{stem(name)}{part}.csv", dtype=str, keep_default_na=False, na_values=[""]
    )
    columns = {}
    for attribute in attributes:
        column, levels = map(str.strip, attribute.split(":"))
        if levels == "continuous":
            columns[column] = frame[column].astype(float)
        else:
            columns[column] = pd.Categorical(frame[column], _listed(levels))
    return pd.DataFrame(columns), pd.Categorical(frame["class"], _listed(classes))


def _listed(words):
    return [word.strip() for word in words.split(",")]


@cache
def cases(name):
    """Return the training cases of a data set as the engine reads them."""
    return data.read_cases(*frames(name))


def read_tree(name, stage):
    """Return a tree of C4.5, and the errors of each node in the order of its flat arrays.

    Parameters
    ----------
    name : such as car-s.
    stage : "unpruned", whose errors are counted, or "pruned", whose errors are predicted.
    """
    attributes, classes = cases(name).attributes, cases(name).classes
    document = json.loads((ORACLE / "c45" / f"{name}.{stage}.json").read_text())
    # A class that no training case has gets no column.
    columns = [document["classes"].index(label) for label in classes]
    nodes, split, first_child = [document["tree"]], [], []
    for node in nodes:  # the list grows while we walk it: level by level
        split.append(_split(node, attributes))
        first_child.append(0 if split[-1] is None else len(nodes))
        nodes.extend(branch["node"] for branch in node.get("branches", ()))
    flat = Flat(
        # An empty branch repeats the classes of its parent; here it has none.
        np.array([np.array(node["dist"])[columns] * (node["items"] > 0) for node in nodes]),
        np.array([list(classes).index(node["cls"]) for node in nodes]),
        split,
        np.array(first_child),
    )
    return Tree(flat, attributes, classes), np.array([node["errors"] for node in nodes])


def _split(node, attributes):
    if node["type"] == "leaf":
        return None
    number = node["att_index"]
    if node["type"] == "threshold":
        return Threshold(number, node["cut"])
    if node["type"] == "discrete":
        return Multiway(number)
    code = attributes[number].levels.index
    groups = [tuple(sorted(map(code, branch["value"]))) for branch in node["branches"]]
    return Subset(number, tuple(groups))


def first_difference(found, wanted):
    """Return the first node, level by level, where two trees differ, and in what; else None."""
    for i, (one, other) in enumerate(zip(found.flat.split, wanted.flat.split, strict=False)):
        # Up to here the trees are equal, so the numbers of their nodes agree.
        if one != other:
            return found.path(i), f"test {one}, not {other}"
        if found.flat.label[i] != wanted.flat.label[i]:
            return found.path(i), f"class {found.flat.label[i]}, not {wanted.flat.label[i]}"
        counts = found.flat.counts[i], wanted.flat.counts[i]
        if not np.allclose(*counts, rtol=RELATIVE, atol=1e-12):
            return found.path(i), f"counts {counts[0]}, not {counts[1]}"
    if found.node_count != wanted.node_count:
        return (), f"{found.node_count} nodes, not {wanted.node_count}"
    return None


def predictions(name):
    """Return what C4.5 said of the test cases: {"u": ..., "p": ...}, each classes and weights."""
    table = pd.read_csv(ORACLE / "c45" / f"{name}.testpred.csv", dtype={"unpruned": str})
    classes = cases(name).classes
    return {
        stage: (table[column].astype(str), table[[f"{stage}_{c}" for c in classes]].to_numpy())
        for stage, column in [("u", "unpruned"), ("p", "pruned")]
    }

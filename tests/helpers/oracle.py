"""Read what the reference programs printed.

Their outputs, and the data sets, are packed in tests/reference: see the README there.
"""

import json
import re
import tarfile
from functools import cache
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd

from dtreebook.data.reading import read_training
from dtreebook.tree.splits import Multiway, Splits, Subset, Threshold
from dtreebook.tree.tree import Tree, TreeArrays

REFERENCE = Path(__file__).resolve().parents[1] / "reference"
RELATIVE = 1e-9


@cache
def outputs(program):
    with tarfile.open(REFERENCE / f"{program}.tar.xz") as archive:
        return {member.name: archive.extractfile(member).read().decode() for member in archive}


def names(ending, program="c45"):
    return sorted(name.removesuffix(ending) for name in outputs(program) if name.endswith(ending))


def stem(name):
    return re.sub(r"-(m\d+|c\d+|m\d+c\d+|g|s|gs)$", "", name)


def confidence(name):
    percent = re.search(r"-(?:m\d+)?c(\d+)$", name)
    return int(percent[1]) / 100 if percent else 0.25


@cache
def frames(name, part=""):
    """Return X and y of a data set; levels and classes in the order of its .names file.

    The part is ".test" for the test cases.
    """
    path = f"{stem(name)}/{stem(name)}"
    text = outputs("data")[f"{path}.names"]
    lines = [line.split("|")[0].strip().removesuffix(".") for line in text.splitlines()]
    classes, *attributes = [line for line in lines if line]
    table = StringIO(outputs("data")[f"{path}{part}.csv"])
    frame = pd.read_csv(table, dtype=str, keep_default_na=False, na_values=[""])
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
    return read_training(*frames(name))


def read_tree(name, stage):
    """Return a tree of C4.5 and the errors of each node, counted if "unpruned", or predicted."""
    attributes, classes = cases(name).attributes, cases(name).classes
    document = json.loads(outputs("c45")[f"{name}.{stage}.json"])
    # A class that no training case has gets no column.
    columns = [document["classes"].index(label) for label in classes]
    nodes, split, first_child = [document["tree"]], [], []
    for node in nodes:  # the list grows while we walk it: level by level
        split.append(_split(node, attributes))
        first_child.append(0 if split[-1] is None else len(nodes))
        nodes.extend(branch["node"] for branch in node.get("branches", ()))
    arrays = TreeArrays(
        # An empty branch repeats the classes of its parent; here it has none.
        np.array([np.array(node["dist"])[columns] * (node["items"] > 0) for node in nodes]),
        np.array([list(classes).index(node["cls"]) for node in nodes]),
        Splits.of(split),
        np.array(first_child),
        None,
        [()] * len(nodes),
        np.full(len(nodes), -1),
    )
    return Tree(arrays, attributes, classes), np.array([node["errors"] for node in nodes])


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


def predictions(name):
    """Return what C4.5 said of the test cases: {"u": ..., "p": ...}, each classes and weights."""
    text = StringIO(outputs("c45")[f"{name}.testpred.csv"])
    table = pd.read_csv(text, dtype={"unpruned": str})
    classes = cases(name).classes
    return {
        stage: (table[column].astype(str), table[[f"{stage}_{c}" for c in classes]].to_numpy())
        for stage, column in [("u", "unpruned"), ("p", "pruned")]
    }

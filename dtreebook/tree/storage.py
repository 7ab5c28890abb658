"""A tree as plain lists, numbers and strings, and back: what is in a JSON file.

What a document must look like says `tree.schema.json`, which fastjsonschema turns into a function:
a tree may have a hundred thousand nodes. What no schema can say, that the nodes form a tree and fit
the attributes, is checked here.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from math import isfinite
from reprlib import repr as short_repr
from typing import TypeAlias

import numpy as np

from dtreebook.data.cases import Attribute
from dtreebook.tree.arrays import TreeArrays, TreeData
from dtreebook.tree.splits import KINDS, Split, Splits, Surrogate

FORMAT = "dtreebook.tree"
VERSION = 1


# What a stored tree holds: the fields of `TreeData`.
Stored: TypeAlias = tuple[TreeArrays, tuple[Attribute, ...], np.ndarray | None, bool]


# --- writing -------------------------------------------------------------------------------------


def to_dict(tree: TreeData) -> dict:
    """Return a tree as a document: see `Tree.to_dict` for its form."""
    document = {
        "format": FORMAT,
        "version": VERSION,
        "attributes": [
            {"name": a.name, "kind": a.kind, "levels": _plain(a.levels)} for a in tree.attributes
        ],
        "classes": None if tree.is_regression else _plain(tree.classes),
        "nodes": [_node_to_dict(tree, i) for i in range(tree.node_count)],
    }
    if tree.fractional:
        document["fractional"] = True
    return document


def _node_to_dict(tree, i):
    arrays = tree.arrays
    node = {"counts": arrays.counts[i].tolist(), "label": arrays.label[i].item()}
    if arrays.risk is not None:
        node["risk"] = arrays.risk[i].item()
    split = arrays.split[i]
    if split is not None:
        node["split"] = _split_to_dict(split, tree.attributes)
        node["children"] = list(arrays.children(i))
        if arrays.surrogates[i]:
            node["surrogates"] = [
                asdict(surrogate) | {"split": _split_to_dict(surrogate.split, tree.attributes)}
                for surrogate in arrays.surrogates[i]
            ]
        if arrays.default[i] >= 0:
            node["default"] = arrays.default[i].item()
        if arrays.improvement is not None:
            node["improvement"] = arrays.improvement[i].item()
    return node


def _split_to_dict(split, attributes):
    entry = split.entry(attributes[split.column])
    return {"kind": split.kind, "attribute": split.column, **entry}


def _plain(labels):
    plain = [label.item() if isinstance(label, np.generic) else label for label in labels]
    for label in plain:
        if not isinstance(label, str | int | float) or not _is_finite(label):
            raise TypeError(
                f"only text, finite numbers and booleans can be stored, not {short_repr(label)}: "
                "turn such values into text before growing the tree"
            )
    return plain


# --- reading -------------------------------------------------------------------------------------


def from_json(text: str | bytes) -> Stored:
    """Return what a JSON text holds: see `Tree.from_json` for the errors."""
    try:
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not a stored tree, it is not JSON: {error}") from error
    return from_dict(document)


def from_dict(document: Mapping) -> Stored:
    """Return what a document holds: see `Tree.from_dict` for the errors."""
    _check_structure(document)
    attributes = tuple(
        Attribute(a["name"], a["kind"], tuple(a["levels"])) for a in document["attributes"]
    )
    _check_labels([a.name for a in attributes], "$.attributes[*].name")
    for i, attribute in enumerate(attributes):
        _check_labels(attribute.levels, f"$.attributes[{i}].levels")
    classes, n_classes = document["classes"], None
    if classes is not None:
        _check_labels(classes, "$.classes")
        classes, n_classes = _class_array(classes), len(classes)
    arrays = _read_nodes(document["nodes"], attributes, n_classes)
    return arrays, attributes, classes, document.get("fractional", False)


@cache
def _schema():
    """Return the function that holds a document to the schema, and the fault that it raises."""
    import fastjsonschema  # here, since importing the package should take no time for it

    text = files(__package__).joinpath("tree.schema.json").read_text("utf-8")
    return fastjsonschema.compile(json.loads(text)), fastjsonschema.JsonSchemaValueException


def _check_structure(document):
    """Raise ValueError, with the place, if a document is not what the schema says."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"this is not a stored tree: its format is not {FORMAT!r}")
    version = document.get("version")
    if version != VERSION:
        raise ValueError(
            f"this tree is stored in version {short_repr(version)}, but this release reads version "
            f"{VERSION}: install the release of dtreebook that wrote it"
        )
    check, fault = _schema()
    try:
        check(document)
    except fault as found:
        value = "" if isinstance(found.value, dict | list) else short_repr(found.value)
        problem = value + found.message.removeprefix(found.name)
        raise _damaged(found.name.replace("data", "$", 1), problem.strip()) from None


def _refuse_constant(name):
    raise ValueError(f"{name} is not a number")


def _damaged(where, problem):
    problem = problem if len(problem) < 200 else problem[:200] + " ..."
    return ValueError(f"this stored tree is damaged at {where}: {problem}")


def _is_finite(label):
    try:
        return isinstance(label, str) or isfinite(label)
    except OverflowError:  # an integer beyond all floats
        return False


def _check_labels(labels, where):
    if not all(map(_is_finite, labels)):
        raise _damaged(where, "a number is not finite, or too large")
    if len(set(labels)) < len(labels):
        raise _damaged(where, "a value is there twice")


def _class_array(classes):
    """Return the classes as an array that keeps the type of each."""
    array = np.array(classes)
    if list(map(type, array.tolist())) == list(map(type, classes)):
        return array
    array = np.empty(len(classes), dtype=object)
    array[:] = classes
    return array


def _read_nodes(nodes, attributes, n_classes):
    """Read the nodes of a document, and check what a schema cannot say: that they form a tree.

    Without classes it is a regression tree.
    """
    splits, first_child, surrogates = [], [], []
    following = 1
    has_risk = n_classes is None or "risk" in nodes[0]
    for i, node in enumerate(nodes):
        split, first = None, 0
        stand_ins: tuple[Surrogate, ...] = ()
        try:
            _check_numbers(node, n_classes, has_risk, may_be_empty=i > 0)
            if "split" in node:
                split, first = _read_split(node["split"], attributes), following
                n_branches = split.branches(attributes[split.column])
                following += n_branches
                if node["children"] != list(range(first, following)) or following > len(nodes):
                    children = short_repr(node["children"])
                    raise ValueError(f"its children are {children}, not {first} to {following - 1}")
                stand_ins = tuple(_read_surrogates(node, attributes, n_branches))
        except (ValueError, OverflowError) as error:
            raise _damaged(f"$.nodes[{i}]", str(error)) from None
        splits.append(split)
        first_child.append(first)
        surrogates.append(stand_ins)
    if following != len(nodes):
        raise ValueError(f"this stored tree is damaged: {len(nodes)} nodes, {following} linked")
    default = np.array([int(node.get("default", -1)) for node in nodes])
    improvement = np.array([node.get("improvement", 0.0) for node in nodes], dtype=float)
    return TreeArrays(
        np.array([node["counts"] for node in nodes], dtype=float),
        np.array([node["label"] for node in nodes], dtype=int if n_classes else float),
        Splits.of(splits),
        np.array(first_child),
        np.array([node["risk"] for node in nodes], dtype=float) if has_risk else None,
        surrogates,
        default,
        improvement if any("improvement" in node for node in nodes) else None,
    )


def _check_numbers(node, n_classes, has_risk, may_be_empty):
    counts, label = node["counts"], node["label"]
    if len(counts) != (n_classes or 1):
        raise ValueError(f"it has {len(counts)} counts for {n_classes or 1} classes")
    total = sum(map(float, counts))
    if not isfinite(total):
        raise ValueError("its counts are not finite, or too large to be added up")
    numbers = label, node.get("risk", 0), node.get("improvement", 0)
    if not all(map(isfinite, numbers)):
        raise ValueError("its label, its risk or its improvement is not finite")
    if has_risk != ("risk" in node):
        raise ValueError("all nodes have a risk, or none; in a regression tree all have")
    if total == 0 and not may_be_empty:
        raise ValueError("it has no cases, which only what hangs below it may")
    if n_classes and label not in range(n_classes):
        raise ValueError(f"its label is {label}, but there are {n_classes} classes")


def _read_surrogates(
    node: dict, attributes: tuple[Attribute, ...], n_branches: int
) -> Iterator[Surrogate]:
    if node.get("default", -1) >= n_branches:
        raise ValueError(f"its default is {node['default']}, but it has {n_branches} branches")
    for surrogate in node.get("surrogates", ()):
        split = _read_split(surrogate["split"], attributes)
        if n_branches != 2 or split.branches(attributes[split.column]) != 2:
            raise ValueError("only a test with two branches has surrogates, and they have two")
        yield Surrogate(**{**surrogate, "split": split})


def _read_split(document: dict, attributes: tuple[Attribute, ...]) -> Split:
    kind, number = document["kind"], int(document["attribute"])  # JSON's 1.0 is an integer too
    if number >= len(attributes):
        raise ValueError(f"it tests attribute {number}, but there are {len(attributes)}")
    attribute = attributes[number]
    if attribute.kind == KINDS[kind].never_of:
        raise ValueError(f"it tests {attribute.name}, which is {attribute.kind}, by {kind}")
    return KINDS[kind].from_entry(number, attribute, document)

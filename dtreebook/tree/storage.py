"""A tree as plain lists, numbers and strings, and back: what is in a JSON file.

The schema is `tree.schema.json`. What it says is checked here in plain code, as a tree may have a
hundred thousand nodes; a test holds the two together.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from reprlib import repr as short_repr
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dtreebook.data.cases import Attribute
from dtreebook.tree.arrays import TreeArrays
from dtreebook.tree.splits import Multiway, Split, Subset, Surrogate, Threshold

if TYPE_CHECKING:
    from dtreebook.tree.tree import Tree

FORMAT = "dtreebook.tree"
VERSION = 1
SPLITS = {"multiway": Multiway, "threshold": Threshold, "subset": Subset}


class Stored(NamedTuple):
    """What a stored tree holds: the fields of `dtreebook.tree.tree.Tree`."""

    arrays: TreeArrays
    attributes: tuple[Attribute, ...]
    classes: np.ndarray | None
    fractional: bool


# --- writing -------------------------------------------------------------------------------------


def to_dict(tree: "Tree") -> dict:
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
        node["split"] = _split_to_dict(split)
        node["children"] = list(tree.children(i))
        if arrays.surrogates and arrays.surrogates[i]:
            node["surrogates"] = [
                asdict(surrogate) | {"split": _split_to_dict(surrogate.split)}
                for surrogate in arrays.surrogates[i]
            ]
        if tree.default[i] >= 0:
            node["default"] = tree.default[i].item()
        if arrays.improvement is not None:
            node["improvement"] = arrays.improvement[i].item()
    return node


def _split_to_dict(split):
    kind = next(kind for kind, of in SPLITS.items() if type(split) is of)
    parts = asdict(split)
    document = {"kind": kind, "attribute": parts.pop("column"), **parts}
    if isinstance(split, Subset):
        document["groups"] = [list(group) for group in split.groups]
    return document


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
    check_structure(document)
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
    return Stored(arrays, attributes, classes, document.get("fractional", False))


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
        splits,
        np.array(first_child),
        np.array([node["risk"] for node in nodes], dtype=float) if has_risk else None,
        surrogates if any(surrogates) else None,
        default if (default >= 0).any() else None,
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
    if total == 0 and ("split" in node or not may_be_empty):
        raise ValueError("it has no cases, which only an empty branch may")
    if n_classes and label not in range(n_classes):
        raise ValueError(f"its label is {label}, but there are {n_classes} classes")


def _read_surrogates(node, attributes, n_branches) -> Iterator[Surrogate]:
    if node.get("default", -1) >= n_branches:
        raise ValueError(f"its default is {node['default']}, but it has {n_branches} branches")
    for surrogate in node.get("surrogates", ()):
        split = _read_split(surrogate["split"], attributes)
        if n_branches != 2 or split.branches(attributes[split.column]) != 2:
            raise ValueError("only a test with two branches has surrogates, and they have two")
        yield Surrogate(**{**surrogate, "split": split})


def _read_split(document, attributes) -> Split:
    kind, number = document["kind"], int(document["attribute"])  # JSON's 1.0 is an integer too
    if number >= len(attributes):
        raise ValueError(f"it tests attribute {number}, but there are {len(attributes)}")
    attribute = attributes[number]
    if attribute.kind == ("nominal" if kind == "threshold" else "numeric"):
        raise ValueError(f"it tests {attribute.name}, which is {attribute.kind}, by {kind}")
    if kind == "threshold":
        cut = document["cut"]
        levels = range(len(attribute.levels))
        if not isfinite(cut) or (attribute.kind == "ordered" and cut not in levels):
            raise ValueError(f"it cuts {attribute.name} at {cut}")
        return Threshold(number, cut)
    if kind == "multiway":
        return Multiway(number)
    groups = tuple(tuple(map(int, group)) for group in document["groups"])
    grouped = [code for group in groups for code in group]
    if len(set(grouped)) < len(grouped) or max(grouped) >= len(attribute.levels):
        raise ValueError(
            f"its groups {short_repr(document['groups'])} do not divide {attribute.name}"
        )
    return Subset(number, groups)


# --- what the schema says, in plain code ---------------------------------------------------------


class _Fault(Exception):
    """Something is not as the schema says; the path leads to it from where it was noticed."""

    def __init__(self, problem: str, path: str = ""):
        super().__init__(problem)
        self.path = path


_Check = Callable[[object], None]


def check_structure(document: object) -> None:
    """Raise ValueError, with the place, if a document is not what `tree.schema.json` says."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"this is not a stored tree: its format is not {FORMAT!r}")
    version = document.get("version")
    if version != VERSION:
        raise ValueError(
            f"this tree is stored in version {short_repr(version)}, but this release reads version "
            f"{VERSION}: install the release of dtreebook that wrote it"
        )
    try:
        _document(document)
    except _Fault as fault:
        raise _damaged(f"${fault.path}", str(fault)) from None


def _number(least: float = float("-inf"), most: float = float("inf"), whole: bool = False):
    def check(value):
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise _Fault(f"{short_repr(value)} is not a number")
        if value < least or value > most:
            limit = f"less than {least}" if value < least else f"more than {most}"
            raise _Fault(f"{short_repr(value)} is {limit}")
        if whole and not (isinstance(value, int) or value.is_integer()):
            raise _Fault(f"{short_repr(value)} is not a whole number")

    return check


def _one_of(*types: type) -> _Check:
    words = {str: "text", bool: "true or false"}
    said = " or ".join(dict.fromkeys(words.get(kind, "a number") for kind in types))

    def check(value):
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise _Fault(f"{short_repr(value)} is not {said}")

    return check


def _value(*allowed: object) -> _Check:
    def check(value):
        if isinstance(value, bool) or value not in allowed:
            raise _Fault(f"{short_repr(value)} is not {' or '.join(map(repr, allowed))}")

    return check


def _array(item: _Check, least: int = 0) -> _Check:
    def check(values):
        if not isinstance(values, list):
            raise _Fault(f"{short_repr(values)} is not an array")
        if len(values) < least:
            raise _Fault(f"it has {len(values)} entries, and needs {least}")
        i = 0
        try:
            for i, value in enumerate(values):  # noqa: B007 (the fault wants it)
                item(value)
        except _Fault as fault:
            fault.path = f"[{i}]{fault.path}"
            raise

    return check


def _object(
    required: Mapping[str, _Check],
    optional: Mapping[str, _Check] | None = None,
    needs: Sequence[tuple[str, str]] = (),
) -> _Check:
    """Check an object: its fields, and pairs of fields of which the first needs the second."""
    fields = {**required, **(optional or {})}

    def check(value):
        if not isinstance(value, dict):
            raise _Fault(f"{short_repr(value)} is not an object")
        if not value.keys() <= fields.keys():
            name = next(name for name in value if name not in fields)
            raise _Fault(f"{short_repr(name)} was unexpected")
        for name in required:
            if name not in value:
                raise _Fault(f"{name!r} is a required property")
        for name, other in needs:
            if name in value and other not in value:
                raise _Fault(f"{other!r} is needed with {name!r}")
        name = ""
        try:
            for name, inside in value.items():
                fields[name](inside)
        except _Fault as fault:
            fault.path = f".{name}{fault.path}"
            raise

    return check


def _split(value):
    """Check a split by what its kind needs."""
    kind = value.get("kind") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in _SPLITS:
        raise _Fault(f"{short_repr(value)} is no split: its kind is not {', '.join(_SPLITS)}")
    _SPLITS[kind](value)


_anything = _number()
_position = _number(0, whole=True)
_at_least_0 = _number(0)
_label = _one_of(str, bool, int, float)

_of_every_split = {"kind": _one_of(str), "attribute": _position}
_SPLITS = {
    "multiway": _object(_of_every_split),
    "threshold": _object({**_of_every_split, "cut": _anything}),
    "subset": _object({**_of_every_split, "groups": _array(_array(_position, 1), 2)}),
}

_surrogate = _object(
    {
        "split": _split,
        "flipped": _one_of(bool),
        "agreement": _number(0, 1),
        "adjusted": _number(most=1),
    }
)

_node = _object(
    {"counts": _array(_at_least_0), "label": _anything},
    {
        "split": _split,
        "children": _array(_number(1, whole=True), 1),
        "risk": _at_least_0,
        "default": _position,
        "improvement": _at_least_0,
        "surrogates": _array(_surrogate),
    },
    needs=[
        ("split", "children"),
        ("children", "split"),
        ("surrogates", "split"),
        ("default", "split"),
        ("improvement", "split"),
    ],
)

_attribute = _object(
    {
        "name": _one_of(str),
        "kind": _value("nominal", "numeric", "ordered"),
        "levels": _array(_label),
    }
)


def _classes(value):
    if value is not None:
        _array(_label, 1)(value)


_document = _object(
    {
        "format": _value(FORMAT),
        "version": _value(VERSION),
        "attributes": _array(_attribute),
        "classes": _classes,
        "nodes": _array(_node, 1),
    },
    {"fractional": _one_of(bool)},
)

"""A tree: frozen nodes linked from the root down, and what can be read off them.

A leaf is a node without a split. A node is named by its path, the branches that lead to it:
``()`` is the root, ``(0, 2)`` the third child of its first child. No function here recurses, so a
tree may be as deep as it likes.
"""

import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from importlib.resources import files
from itertools import chain
from math import isfinite
from reprlib import repr as short_repr
from typing import NamedTuple

import jsonschema
import numpy as np

from dtreebook.data import Attribute
from dtreebook.measures import shares
from dtreebook.routes import Routes
from dtreebook.splits import Multiway, Subset, Surrogate, Threshold, in_digits, words_of_c45

FORMAT = "dtreebook.tree"
VERSION = 1
SPLITS = {"multiway": Multiway, "threshold": Threshold, "subset": Subset}


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """Hold the training cases of one node by class, its class, and how it is divided.

    Attributes
    ----------
    counts : array [K], the weight of the training cases of each class; all 0 in an empty branch.
    label : the code of the class the node predicts.
    split : the test, such as `Multiway`; None in a leaf.
    children : one node for each branch of the split; empty in a leaf.
    risk : what the node costs as a leaf; None for the weight of its errors.
    surrogates : each a `dtreebook.splits.Surrogate` of the test, the best first.
    default : the branch of a case that neither the test nor a surrogate knows; -1 if it stops.

    In a regression tree there is one class, `label` is the mean that the node predicts, and `risk`
    the squared error around it.
    """

    counts: np.ndarray
    label: int | float
    split: Multiway | None = None
    children: tuple["Node", ...] = field(default=(), repr=False)  # a deep tree has no end
    risk: float | None = None
    surrogates: tuple = ()
    default: int = -1

    @property
    def is_leaf(self):
        """Whether the node asks nothing."""
        return self.split is None

    @property
    def weight(self):
        """The weight of the training cases that reached the node."""
        return float(self.counts.sum())

    @property
    def errors(self):
        """The weight of the training cases that the class of the node gets wrong."""
        return float(self.counts.sum() - self.counts[self.label])


class Visit(NamedTuple):
    """A node met on a walk, and the path that led to it."""

    path: tuple
    node: Node


class Flat(NamedTuple):
    """A tree as arrays, level by level, the root first; the children of a node stand together.

    Attributes
    ----------
    counts : array [N, K].
    label : array [N] of class codes; in a regression tree, of numbers.
    split : list [N] of splits, None for a leaf.
    first_child : array [N], where the children of a node begin; 0 for a leaf.
    risk : array [N], what each node costs as a leaf; None for the weight of its errors.
    surrogates : list [N] of tuples, as in `Node`; None if no node has any.
    default : array [N], as in `Node`; None if no node has one.
    improvement : array [N], by how much the test of each node lowers its impurity, times weight;
        None where it is not known.
    """

    counts: np.ndarray
    label: np.ndarray
    split: list
    first_child: np.ndarray
    risk: np.ndarray | None = None
    surrogates: list | None = None
    default: np.ndarray | None = None
    improvement: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Tree:
    """Hold the nodes of a tree and what is needed to use them without the training data.

    The nodes are kept as arrays, in which predicting is fast; `root` links them for reading.

    Attributes
    ----------
    flat : the nodes as arrays, `Flat`.
    attributes : tuple of `Attribute`, the columns that a case must have.
    classes : array [K], the classes in the order of the counts; None in a regression tree, whose
        counts are the weights [N, 1] and whose labels are numbers.

    Examples
    --------
    >>> leaves = Node(np.array([6.0, 0.0]), label=0), Node(np.array([0.0, 9.0]), label=1)
    >>> root = Node(np.array([6.0, 9.0]), label=1, split=Multiway(0), children=leaves)
    >>> work = Attribute("work", "nominal", ("no", "yes"))
    >>> tree = Tree.from_root(root, (work,), np.array(["no", "yes"]))
    >>> print(tree.export_text())
    work = no: no (6.0)
    work = yes: yes (9.0)
    >>> Tree.from_json(tree.to_json()) == tree
    True
    """

    flat: Flat
    attributes: tuple
    classes: np.ndarray

    @classmethod
    def from_root(cls, root, attributes, classes):
        """Return the tree that hangs from a `Node`."""
        nodes, first_child = [root], []
        for node in nodes:  # the list grows while we walk it: level by level
            first_child.append(0 if node.is_leaf else len(nodes))
            nodes.extend(node.children)
        flat = Flat(
            np.array([node.counts for node in nodes]),
            np.array([node.label for node in nodes]),
            [node.split for node in nodes],
            np.array(first_child),
            None if root.risk is None else np.array([node.risk for node in nodes]),
            [n.surrogates for n in nodes] if any(n.surrogates for n in nodes) else None,
            np.array([n.default for n in nodes]) if any(n.default >= 0 for n in nodes) else None,
        )
        return cls(flat, attributes, classes)

    @cached_property
    def root(self):
        """The `Node` at the top, with all others linked below it."""
        flat, n = self.flat, self.node_count
        nodes = [None] * n
        risk = [None] * n if flat.risk is None else flat.risk.tolist()
        default = [-1] * n if flat.default is None else flat.default.tolist()
        surrogates = flat.surrogates or [()] * n
        rows = zip(
            flat.counts, flat.label.tolist(), flat.split, risk, surrogates, default, strict=True
        )
        for i, (counts, label, split, *rest) in reversed(list(enumerate(rows))):
            children = () if split is None else tuple(nodes[self._children(i)])
            nodes[i] = Node(counts, label, split, children, *rest)
        return nodes[0]

    def _children(self, i):
        """Return where the children of an inner node stand among the nodes, as a slice."""
        split, first = self.flat.split[i], int(self.flat.first_child[i])
        return slice(first, first + split.branches(self.attributes[split.attribute]))

    @property
    def node_count(self):
        """The number of nodes, leaves included."""
        return len(self.flat.split)

    @property
    def n_leaves(self):
        """The number of leaves."""
        return sum(split is None for split in self.flat.split)

    @property
    def depth(self):
        """The number of tests on the longest path; 0 for a single leaf."""
        return max(len(path) for path, _ in self.walk())

    def walk(self):
        """Yield a `Visit` for every node: a node before its children, the first branch first."""
        stack = [Visit((), self.root)]
        while stack:
            visit = stack.pop()
            yield visit
            children = enumerate(visit.node.children)
            stack.extend([Visit((*visit.path, branch), child) for branch, child in children][::-1])

    def node(self, path):
        """Return the node at the end of a path; raise IndexError if there is none."""
        node = self.root
        for branch in path:
            if not 0 <= branch < len(node.children):
                raise IndexError(f"the tree has no node {path}")
            node = node.children[branch]
        return node

    def keep(self, inner):
        """Return the tree in which only some nodes ask, given by their paths; others are leaves.

        Examples
        --------
        >>> from dtreebook import ID3Classifier
        >>> from dtreebook.datasets import load_loan
        >>> print(ID3Classifier().fit(*load_loan(return_X_y=True)).tree_.keep({()}).export_text())
        house = no: no (9.0/3.0)
        house = yes: yes (6.0)
        """
        nodes = {}
        for path, node in reversed(list(self.walk())):  # children before their parents
            if path in inner and not node.is_leaf:
                children = tuple(nodes[*path, i] for i in range(len(node.children)))
                nodes[path] = replace(node, children=children)
            else:
                leaf = {"split": None, "children": (), "surrogates": (), "default": -1}
                nodes[path] = replace(node, **leaf)
        return Tree.from_root(nodes[()], self.attributes, self.classes)

    def conditions(self, path):
        """Return the tests along a path in words, such as ``["house = no", "work = yes"]``.

        Raises IndexError if the tree has no such path.
        """
        self.node(path)  # raises if there is none
        words = []
        node = self.root
        for branch in path:
            words.append(self.branch_words(node)[branch])
            node = node.children[branch]
        return words

    def branch_words(self, node):
        """Return the branches of a node in words; of a leaf, none."""
        return () if node.is_leaf else node.split.words(self.attributes[node.split.attribute])

    def __eq__(self, other):
        if not isinstance(other, Tree):
            return NotImplemented
        none = [()] * self.node_count
        return (
            self.attributes == other.attributes
            and np.array_equal(self.classes, other.classes)
            and self.flat.split == other.flat.split
            and np.array_equal(self.flat.label, other.flat.label)
            and np.array_equal(self.flat.counts, other.flat.counts)
            and np.array_equal(self.risk, other.risk)
            and (self.flat.surrogates or none) == (other.flat.surrogates or none)
            and np.array_equal(self.default, other.default)
        )

    def export_text(self, style="c45", errors=None):
        """Return the tree as indented text, each leaf with its cases and, after a /, its errors.

        A regression tree prints the mean of each leaf, its cases and its squared error.

        Parameters
        ----------
        style : "c45" prints as Quinlan's program does, leaves before subtrees and six digits of a
            cut; "box" draws the branches in their order with lines.
        errors : array [N] to print in place of the training errors, level by level; for a pruned
            tree Quinlan's program prints `dtreebook.error_based.predicted_errors`.

        Raises
        ------
        ValueError
            If there is no such style.
        """
        if style not in _STYLES:
            raise ValueError(f"style must be one of {', '.join(_STYLES)}, not {style!r}")
        style = _STYLES[style]
        lines = []
        stack = [("", "", 0)]
        while stack:
            words, indent, i = stack.pop()
            split = self.flat.split[i]
            if split is None:
                lines.append(on_one_line(f"{words}: {self.leaf_words(i, errors)}"))
                continue
            if words:
                lines.append(on_one_line(words + style.end))
            attribute = self.attributes[split.attribute]
            in_words = words_of_c45(split, attribute) if style.is_c45 else split.words(attribute)
            branches = [
                (words + style.after_cut * isinstance(split, Threshold), child)
                for words, child in zip(
                    in_words, range(self.node_count)[self._children(i)], strict=True
                )
            ]
            if style.is_c45:
                branches.sort(key=lambda branch: self.flat.split[branch[1]] is not None)
            corner, bar = style.last_branch
            for words, child in reversed(branches):
                stack.append((indent + corner + words, indent + bar, child))
                corner, bar = style.branch
        return "\n".join(lines).removeprefix(": ")

    def leaf_words(self, leaf, errors=None):
        """Return what a leaf says: its answer, its cases and what it costs, see `export_text`."""
        cost = (self.risk if errors is None else errors)[leaf]
        cost = "" if not cost else f"/{cost:.4g}" if self.is_regression else f"/{cost:.1f}"
        return f"{self.answer(self.flat.label[leaf])} ({self.flat.counts[leaf].sum():.1f}{cost})"

    @property
    def is_regression(self):
        """Whether the tree predicts numbers."""
        return self.classes is None

    def answer(self, label):
        """Return a label in words: the class, or the number to four digits or the point."""
        return in_digits(label, 4) if self.is_regression else str(self.classes[label])

    @cached_property
    def risk(self):
        """What each node costs as a leaf: array [N], level by level.

        The weight of its training errors; with a loss matrix, their loss; in a regression tree, the
        squared error.
        """
        if self.flat.risk is not None:
            return self.flat.risk
        counts, label = self.flat.counts, self.flat.label
        return counts.sum(axis=1) - np.take_along_axis(counts, label[:, None], axis=1)[:, 0]

    @cached_property
    def default(self):
        """The branch of a case that no test of its node knows: array [N], -1 where it stops."""
        return np.full(self.node_count, -1) if self.flat.default is None else self.flat.default

    @cached_property
    def parent(self):
        """The number of the parent of each node, level by level; -1 for the root."""
        parent = np.full(self.node_count, -1)
        for i, split in enumerate(self.flat.split):
            if split is not None:
                parent[self._children(i)] = i
        return parent

    @cached_property
    def distribution(self):
        """The class shares of each node, level by level; an empty branch has its parent's."""
        distribution = shares(self.flat.counts)
        empty = np.flatnonzero(~self.flat.counts.any(axis=1))
        distribution[empty] = distribution[self.parent[empty]]
        return distribution

    def path(self, number):
        """Return the path of a node, given its number level by level; the root is 0."""
        path = []
        while number:
            parent = self.parent[number]
            path.append(int(number - self.flat.first_child[parent]))
            number = parent
        return tuple(path[::-1])

    def explain(self, number):
        """Return in one line why a case ends in a node: tests passed, class, cases behind it."""
        path = self.path(number)
        passed = ", ".join(self.conditions(path))
        node = self.node(path)
        if self.is_regression:
            end = f"{self.answer(node.label)} (the mean of {_in_words(node.weight)} cases)"
        else:
            right, all_cases = _in_words(node.counts[node.label]), _in_words(node.weight)
            end = f"{self.answer(node.label)} ({right} of {all_cases} cases)"
        if not node.is_leaf:
            end = f"{self.attributes[node.split.attribute].name} unknown, so {end}"
        elif not node.weight:
            end = f"{self.answer(node.label)} (no case came here; the commonest class just above)"
        return on_one_line(f"{passed}: {end}" if passed else end)

    def route(self, columns):
        """Return where each case ends: the number of its leaf, level by level, the root being 0.

        A case whose value is unknown goes by the surrogates of the node that asks for it, then by
        its default branch; where the node has neither, the case stops there.

        Parameters
        ----------
        columns : the columns of the cases, as `dtreebook.data.encode` gives them.
        """
        routes, first_child = Routes(self, columns), self.flat.first_child
        case = np.arange(len(columns[0]))
        end, node = np.zeros((2, len(case)), dtype=np.intp)
        while case.size:
            moving = np.flatnonzero(first_child.take(node))
            if len(moving) < len(case):
                end[case] = node
                case, node = case.take(moving), node.take(moving)
            branch = routes.branch(node, case)
            if branch.min(initial=0) < 0:
                end[case] = node
                moving = np.flatnonzero(branch >= 0)
                case, node, branch = (part.take(moving) for part in (case, node, branch))
            node = first_child.take(node) + branch
        return end

    @cached_property
    def tests(self):
        """All tests: the splits of the nodes, None for a leaf, then all surrogates."""
        surrogates = chain(*(self.flat.surrogates or ()))
        return [*self.flat.split, *(surrogate.split for surrogate in surrogates)]

    @cached_property
    def cuts(self):
        """The attribute and the cut of each of the `tests`, if all of them are thresholds."""
        attribute = [0 if test is None else test.attribute for test in self.tests]
        return np.array(attribute), np.array([np.nan if t is None else t.cut for t in self.tests])

    def to_dict(self):
        """Return the tree as plain lists, numbers and strings; the schema is tree.schema.json.

        Raises
        ------
        TypeError
            If a level or a class is not a string, a finite number or a boolean.
        """
        nodes = []
        numbers = range(self.node_count)
        for i in numbers:
            node = {"counts": self.flat.counts[i].tolist(), "label": self.flat.label[i].item()}
            if self.flat.risk is not None:
                node["risk"] = self.flat.risk[i].item()
            split = self.flat.split[i]
            if split is not None:
                node["split"] = _split_to_dict(split)
                node["children"] = list(numbers[self._children(i)])
                if self.flat.surrogates and self.flat.surrogates[i]:
                    node["surrogates"] = [
                        asdict(surrogate) | {"split": _split_to_dict(surrogate.split)}
                        for surrogate in self.flat.surrogates[i]
                    ]
                if self.default[i] >= 0:
                    node["default"] = self.default[i].item()
                if self.flat.improvement is not None:
                    node["improvement"] = self.flat.improvement[i].item()
            nodes.append(node)
        return {
            "format": FORMAT,
            "version": VERSION,
            "attributes": [
                {"name": a.name, "kind": a.kind, "levels": _plain(a.levels)}
                for a in self.attributes
            ],
            "classes": None if self.is_regression else _plain(self.classes),
            "nodes": nodes,
        }

    @classmethod
    def from_dict(cls, document):
        """Return the tree that `to_dict` wrote.

        Raises
        ------
        ValueError
            If the document is not such a tree: it says where and why.
        """
        _check_schema(document)
        attributes = tuple(
            Attribute(a["name"], a["kind"], tuple(a["levels"])) for a in document["attributes"]
        )
        _check_distinct([a.name for a in attributes], "$.attributes[*].name")
        for i, attribute in enumerate(attributes):
            _check_distinct(attribute.levels, f"$.attributes[{i}].levels")
        if document["classes"] is None:
            return cls(_read_nodes(document["nodes"], attributes, None), attributes, None)
        _check_distinct(document["classes"], "$.classes")
        flat = _read_nodes(document["nodes"], attributes, len(document["classes"]))
        same_type = len(set(map(type, document["classes"]))) == 1
        classes = np.array(document["classes"], dtype=None if same_type else object)
        return cls(flat, attributes, classes)

    def to_json(self):
        """Return the tree as JSON text: see `to_dict`."""
        return json.dumps(self.to_dict(), indent=1)

    @classmethod
    def from_json(cls, text):
        """Return the tree that `to_json` wrote.

        Raises
        ------
        ValueError
            If the text is not JSON or not such a tree: it says where and why.
        """
        try:
            document = json.loads(text, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"this is not a stored tree, it is not JSON: {error}") from error
        return cls.from_dict(document)

    def __getstate__(self):
        # The links stay behind: pickle would follow them by recursion, too deep in a deep tree.
        return {"flat": self.flat, "attributes": self.attributes, "classes": self.classes}

    def __str__(self):
        return self.export_text()


class _Style(NamedTuple):
    is_c45: bool  # leaves before subtrees, and six digits of a cut
    end: str  # what closes the line of a branch that is divided again
    after_cut: str  # what stands between a threshold and what follows
    branch: tuple  # what stands before a branch, and before everything below it
    last_branch: tuple


_STYLES = {
    "c45": _Style(True, ":", " ", ("", "|   "), ("", "|   ")),
    "box": _Style(False, "", "", ("├── ", "│   "), ("└── ", "    ")),
}


def on_one_line(words):
    """Return words in which names and levels that hold line breaks do not break a line."""
    return " ".join(words.splitlines())


def _in_words(weight):
    return f"{weight:.0f}" if float(weight).is_integer() else f"{weight:g}"


def _split_to_dict(split):
    kind = next(kind for kind, of in SPLITS.items() if type(split) is of)
    document = {"kind": kind, **asdict(split)}
    if isinstance(split, Subset):
        document["groups"] = [list(group) for group in split.groups]
    return document


def _plain(labels):
    plain = [label.item() if isinstance(label, np.generic) else label for label in labels]
    for label in plain:
        if not isinstance(label, str | int | float) or label in (np.inf, -np.inf):
            raise TypeError(
                f"only text, finite numbers and booleans can be stored, not {label!r}: "
                "turn such values into text before growing the tree"
            )
    return plain


def _refuse_constant(name):
    raise ValueError(f"{name} is not a number")


def _damaged(where, problem):
    problem = problem if len(problem) < 200 else problem[:200] + " ..."
    return ValueError(f"this stored tree is damaged at {where}: {problem}")


def _check_schema(document):
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"this is not a stored tree: its format is not {FORMAT!r}")
    if document.get("version") != VERSION:
        raise ValueError(
            f"this tree is stored in version {short_repr(document.get('version'))}, but this "
            f"release reads version {VERSION}: install the release of dtreebook that wrote it"
        )
    schema = json.loads(files("dtreebook").joinpath("tree.schema.json").read_text("utf-8"))
    errors = jsonschema.Draft202012Validator(schema).iter_errors(document)
    try:
        error = jsonschema.exceptions.best_match(errors)
    except RecursionError:
        raise ValueError("this stored tree is damaged: it is nested too deep") from None
    if error is not None:
        raise _damaged(error.json_path, error.message)


def _check_distinct(labels, where):
    if len(set(labels)) < len(labels):
        raise _damaged(where, "a value stands there twice")
    if not all(isfinite(label) for label in labels if isinstance(label, float)):
        raise _damaged(where, "a number is not finite")


def _read_nodes(nodes, attributes, n_classes):
    """Read the nodes of a document, and check what a schema cannot say: that they form a tree.

    Without classes it is a regression tree.
    """
    splits, first_child, surrogates = [], [], []
    following = 1
    has_risk = n_classes is None or "risk" in nodes[0]
    for i, node in enumerate(nodes):
        try:
            split, first, stand_ins = None, 0, ()
            if len(node["counts"]) != (n_classes or 1):
                raise ValueError(
                    f"it has {len(node['counts'])} counts for {n_classes or 1} classes"
                )
            if not all(map(isfinite, node["counts"])):
                raise ValueError("its counts are not finite")
            if not isfinite(node["label"]) or not isfinite(node.get("risk", 0)):
                raise ValueError("its label or its risk is not finite")
            if has_risk != ("risk" in node):
                raise ValueError("all nodes have a risk, or none; in a regression tree all have")
            if not any(node["counts"]) and (i == 0 or "split" in node):
                raise ValueError("it has no cases, which only an empty branch may")
            if n_classes and node["label"] not in range(n_classes):
                raise ValueError(f"its label is {node['label']}, but there are {n_classes} classes")
            if "split" in node:
                split, first = _read_split(node["split"], attributes), following
                n_branches = split.branches(attributes[split.attribute])
                following += n_branches
                if node["children"] != list(range(first, following)) or following > len(nodes):
                    raise ValueError(
                        f"its children are {node['children']}, not {first} to {following - 1}"
                    )
                stand_ins = tuple(_read_surrogates(node, attributes, n_branches))
        except (ValueError, OverflowError) as error:
            raise _damaged(f"$.nodes[{i}]", str(error)) from None
        splits.append(split)
        first_child.append(first)
        surrogates.append(stand_ins)
    if following != len(nodes):
        raise ValueError(f"this stored tree is damaged: {len(nodes)} nodes, {following} linked")
    default = np.array([node.get("default", -1) for node in nodes])
    improvement = np.array([node.get("improvement", 0.0) for node in nodes], dtype=float)
    return Flat(
        np.array([node["counts"] for node in nodes], dtype=float),
        np.array([node["label"] for node in nodes], dtype=int if n_classes else float),
        splits,
        np.array(first_child),
        np.array([node["risk"] for node in nodes], dtype=float) if has_risk else None,
        surrogates if any(surrogates) else None,
        default if (default >= 0).any() else None,
        improvement if any("improvement" in node for node in nodes) else None,
    )


def _read_surrogates(node, attributes, n_branches):
    if node.get("default", -1) >= n_branches:
        raise ValueError(f"its default is {node['default']}, but it has {n_branches} branches")
    for surrogate in node.get("surrogates", ()):
        split = _read_split(surrogate["split"], attributes)
        if n_branches != 2 or split.branches(attributes[split.attribute]) != 2:
            raise ValueError("only a test with two branches has surrogates, and they have two")
        yield Surrogate(**{**surrogate, "split": split})


def _read_split(document, attributes):
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
        raise ValueError(f"its groups {document['groups']} do not divide {attribute.name}")
    return Subset(number, groups)

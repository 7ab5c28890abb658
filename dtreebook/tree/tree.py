"""A tree, as everybody uses it: read it, print it, store it, let it predict.

Its data are those of `dtreebook.tree.arrays.TreeData`; what is done with them is in the modules
beside this one, and `Tree` calls it. No function here recurses, so a tree may be as deep as it
likes.
"""

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from reprlib import repr as short_repr
from typing import TYPE_CHECKING, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtreebook.data.cases import Attribute, sorted_places
from dtreebook.data.encoding import encode
from dtreebook.tree import storage, text
from dtreebook.tree.arrays import TreeArrays, TreeData
from dtreebook.tree.node import Node, Visit
from dtreebook.tree.predicting import answers, labels
from dtreebook.tree.scikit_learn import parts_from_sklearn
from dtreebook.tree.splits import Splits

if TYPE_CHECKING:
    from sklearn.tree import BaseDecisionTree


@dataclass(frozen=True, eq=False)
class Tree(TreeData):
    """Hold the nodes of a tree and what is needed to use them without the training data.

    The nodes are kept as arrays, in which predicting is fast; `root` links them for reading.

    Examples
    --------
    >>> from dtreebook.tree.splits import Multiway
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

    @classmethod
    def from_root(
        cls, root: Node, attributes: tuple[Attribute, ...], classes: np.ndarray | None
    ) -> "Tree":
        """Return the tree that hangs from a `Node`."""
        nodes, first_child = [root], []
        for node in nodes:  # the list grows while we walk it: level by level
            first_child.append(0 if node.is_leaf else len(nodes))
            nodes.extend(node.children)
        arrays = TreeArrays(
            np.array([node.counts for node in nodes]),
            np.array([node.label for node in nodes]),
            Splits.of(node.split for node in nodes),
            np.array(first_child),
            None if root.risk is None else np.array([node.risk for node in nodes]),
            [node.surrogates for node in nodes],
            np.array([node.default for node in nodes]),
        )
        return cls(arrays, attributes, classes)

    @classmethod
    def from_sklearn(cls, estimator: "BaseDecisionTree") -> "Tree":
        """Return the tree of a fitted decision tree of scikit-learn.

        It predicts the same, value for value; a value that is unknown goes where scikit-learn
        sends it. scikit-learn rounds numbers to single precision and then compares them with the
        cut; the cuts here are those for numbers as they are, so the last digits differ. Categories,
        which it splits from version 1.10 on, become groups of levels.

        The estimator is a DecisionTreeClassifier, a DecisionTreeRegressor or a tree of a forest.
        Raises ValueError if it has several outputs, or a split of categories that has no match
        here; NotFittedError if it is not fitted.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> model = DecisionTreeClassifier(max_depth=1).fit(X[["petal width (cm)"]], y)
        >>> print(Tree.from_sklearn(model))
        petal width (cm) <= 0.8 : 0 (50.0)
        petal width (cm) > 0.8 : 1 (100.0/50.0)
        """
        return cls(*parts_from_sklearn(estimator))

    @cached_property
    def root(self) -> Node:
        """The `Node` at the top, with all others linked below it."""
        arrays, n = self.arrays, self.node_count
        nodes: dict[int, Node] = {}
        risk = [None] * n if arrays.risk is None else arrays.risk.tolist()
        rows = zip(
            arrays.counts,
            arrays.label.tolist(),
            arrays.split,
            risk,
            arrays.surrogates,
            arrays.default.tolist(),
            strict=True,
        )
        for i, (counts, label, split, *rest) in reversed(list(enumerate(rows))):
            children = tuple(nodes[child] for child in arrays.children(i))
            nodes[i] = Node(counts, label, split, children, *rest)
        return nodes[0]

    def walk(self) -> Iterator[Visit]:
        """Yield a `Visit` for every node: a node before its children, the first branch first."""
        stack = [Visit((), self.root)]
        while stack:
            visit = stack.pop()
            yield visit
            children = enumerate(visit.node.children)
            stack.extend([Visit((*visit.path, branch), child) for branch, child in children][::-1])

    def along(self, path: Sequence[int]) -> list[Node]:
        """Return the nodes along a path, its end included; raise IndexError if there is none."""
        nodes = [self.root]
        for branch in path:
            if not 0 <= branch < len(nodes[-1].children):
                raise IndexError(f"the tree has no node {path}")
            nodes.append(nodes[-1].children[branch])
        return nodes

    def node(self, path: Sequence[int]) -> Node:
        """Return the node at the end of a path; raise IndexError if there is none."""
        return self.along(path)[-1]

    def keep(self, inner: Container[tuple[int, ...]]) -> "Tree":
        """Return the tree in which only some nodes ask, given by their paths; others are leaves.

        Examples
        --------
        >>> from dtreebook import ID3Classifier
        >>> from dtreebook.datasets import load_loan
        >>> print(ID3Classifier().fit(*load_loan(return_X_y=True)).tree_.keep({()}).export_text())
        house = no: no (9.0/3.0)
        house = yes: yes (6.0)
        """
        nodes: dict[tuple[int, ...], Node] = {}
        for path, node in reversed(list(self.walk())):  # children before their parents
            if path in inner and not node.is_leaf:
                children = tuple(nodes[(*path, i)] for i in range(len(node.children)))
                nodes[path] = replace(node, children=children)
            else:
                nodes[path] = Node(node.counts, node.label, risk=node.risk)
        kept = Tree.from_root(nodes[()], self.attributes, self.classes)
        return replace(kept, fractional=self.fractional)

    def conditions(self, path: Sequence[int]) -> list[str]:
        """Return the tests along a path in words, such as ``["house = no", "work = yes"]``.

        Raises IndexError if the tree has no such path.
        """
        steps = zip(self.along(path), path, strict=False)
        return [text.branch_words(self, node)[branch] for node, branch in steps]

    def rules(self) -> pd.DataFrame:
        """Return a rule for each leaf: see `dtreebook.tree.text.leaf_rules`."""
        return text.leaf_rules(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        # A single leaf stores no gain.
        gains, others = (np.asarray(tree.arrays.improvement, object) for tree in (self, other))
        return (
            self.attributes == other.attributes
            and self.fractional == other.fractional
            and np.array_equal(np.asarray(self.classes, object), np.asarray(other.classes, object))
            and self.arrays.split == other.arrays.split
            and np.array_equal(self.arrays.label, other.arrays.label)
            and np.array_equal(self.arrays.counts, other.arrays.counts)
            and np.array_equal(self.risk, other.risk)
            and self.arrays.surrogates == other.arrays.surrogates
            and np.array_equal(self.arrays.default, other.arrays.default)
            and (self.node_count == 1 or np.array_equal(gains, others))
        )

    def export_text(self, style: str = "c45", errors: np.ndarray | None = None) -> str:
        """Return the tree as indented text, each leaf with its cases and, after a /, its errors.

        A regression tree prints the mean of each leaf, its cases and its loss.

        Raises ValueError if there is no such style.

        Parameters
        ----------
        style : "c45" prints as Quinlan's program does, leaves before subtrees and six digits of a
            cut; "box" draws the branches in their order with lines.
        errors : array [N] to print in place of the training errors, level by level; for a pruned
            tree Quinlan's program prints `dtreebook.prune.error_based.predicted_errors`.
        """
        return text.export_text(self, style, errors)

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Return where each case ends: the number of its leaf, level by level, the root being 0.

        A case whose value is unknown goes by the surrogates of the node that asks about it, then by
        its default branch; where the node has neither, the case stops there. What X may be: see
        `predict`.
        """
        return self.arrays.route(encode(X, self.attributes))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the class, or the number, of each case, [n], as the estimator does that grew it.

        All that it takes is the tree itself, which may come from a file. What X may be says
        `dtreebook.data.encoding.encode`; a ValueError names the column that is missing, is not
        expected, or cannot be read.

        Examples
        --------
        >>> from dtreebook import C45Classifier, datasets
        >>> X, y = datasets.load_golf(return_X_y=True)
        >>> stored = C45Classifier().fit(X, y).tree_.to_json()
        >>> Tree.from_json(stored).predict([["rain", 70, 80, "true"], ["overcast", 64, 65, None]])
        array(["Don't Play", 'Play'], dtype='<U10')
        """
        said = labels(self, encode(X, self.attributes))
        return said if self.classes is None else self.classes[said]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the class shares of each case: array [n, K]; what X may be: see `predict`.

        The columns are those of the estimator's `predict_proba`: the classes are sorted, though
        ``classes`` has them in the order of a Categorical.

        Raises ValueError if it is a regression tree, or X cannot be used.
        """
        if self.is_regression:
            raise ValueError("a regression tree has no classes: use predict")
        return answers(self, encode(X, self.attributes))[:, sorted_places(self.classes)]

    def to_dict(self) -> dict:
        """Return the tree as plain lists, numbers and strings; the schema is tree.schema.json.

        Raises TypeError if a level or a class is not a string, a finite number or a boolean.
        """
        return storage.to_dict(self)

    @classmethod
    def from_dict(cls, document: Mapping) -> "Tree":
        """Return the tree that `to_dict` wrote; a ValueError says where and why it is none."""
        return cls(*storage.from_dict(document))

    def to_json(self) -> str:
        """Return the tree as JSON text: see `to_dict`."""
        return json.dumps(self.to_dict(), indent=1)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Tree":
        """Return the tree that `to_json` wrote; a ValueError says where and why it is none."""
        return cls(*storage.from_json(text))

    def __getstate__(self) -> dict:
        # The links stay behind: pickle would follow them by recursion, too deep in a deep tree.
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        return self.export_text()

    def __repr__(self) -> str:
        names = [attribute.name for attribute in self.attributes]
        return f"<Tree of {self.node_count} nodes, {self.n_leaves} leaves, on {short_repr(names)}>"


class Fitted(Protocol):
    """A fitted model: what has a tree."""

    @property
    def tree_(self) -> Tree: ...


def tree_of(model: Tree | Fitted) -> Tree:
    """Return a tree, or that of a fitted model; raise a TypeError for anything else."""
    tree = getattr(model, "tree_", model)
    if not isinstance(tree, Tree):
        raise TypeError(
            f"a tree or a fitted model is needed, and {type(model).__name__} is neither: call fit "
            "first, or take one tree of a forest, as in `forest.estimators_[0]`"
        )
    return tree

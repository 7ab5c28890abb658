"""What a tree says of the rows of a table, as expressions that run where the rows are."""

from typing import Any

import ibis
import numpy as np
import pandas as pd
from ibis.expr.types import Column, Table
from ibis.util import gen_name

from dtreebook.data.cases import sorted_places
from dtreebook.database.asking import Asker
from dtreebook.database.expressions import (
    branch_of,
    branch_tests,
    by_surrogates,
    literal,
    number,
    refuse_nul,
)
from dtreebook.database.source import parent, parts, without_nan
from dtreebook.measures import TIE
from dtreebook.tree.text import How, answer, lack, outcome, step_words
from dtreebook.tree.tree import Tree

# Databases nest so many conditions, and so many terms of a sum, at most.
_DEEPEST = 200
_TERMS = 20_000


def apply(tree: Tree, X: Table) -> Column:
    """Return where each row ends: the number of its leaf, or of the node where it stops."""
    return _said(tree, X, lambda node: ibis.literal(node, "int64"))


def predict(tree: Tree, X: Table, only_seen: bool = False) -> Column:
    """Return the class, or the number, that the tree says of each row.

    With `only_seen` a row gets NULL whose value no training case had at its node. Raises ValueError
    if a column is missing, or the tree is too large for a database to be asked this; it says by how
    much.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.datasets import load_loan
    >>> tree = ID3Classifier().fit(*load_loan(return_X_y=True)).tree_
    >>> loans = ibis.memtable(load_loan().frame.astype(str))
    >>> loans.select(said=predict(tree, loans)).to_pandas().said.tolist()[:4]
    ['no', 'no', 'yes', 'yes']
    """
    if only_seen:
        unanswered = np.flatnonzero(~tree.arrays.has_answer).tolist()
        return apply(tree, X).isin(unanswered).ifelse(None, predict(tree, X))
    classes = tree.classes
    if classes is None:
        return _said(tree, X, lambda node: number(tree.arrays.label.item(node)))
    names = classes.tolist()
    refuse_nul("y", names, X)
    if not tree.fractional:
        return _said(tree, X, lambda node: literal(names[int(tree.arrays.label[node])]))
    # As arrays: a condition for each class would repeat the shares of all.
    said = ibis.array([literal(name) for name in names])
    return _of_rows(_once(_shares(tree, X), lambda shares: _likeliest(said, shares)), X)


def predict_proba(tree: Tree, X: Table) -> Column:
    """Return the shares of the sorted classes as one array for each row."""
    places = sorted_places(tree.classes)
    if tree.fractional:
        return _of_rows(_shares(tree, X, places), X)
    shares = tree.arrays.distribution[:, places]
    return _said(tree, X, lambda node: ibis.array([number(share) for share in shares[node]]))


def explain(tree: Tree, X: Table) -> Column:
    """Return one line for each row: see `dtreebook.tree.text`."""

    def end(node):
        if tree.arrays.split[node] is None:
            return literal((": " if node else "") + outcome(tree, node))
        return literal("" if tree.fractional else ", so " + outcome(tree, node))

    way = _said(tree, X, end, lambda node, values: _step(tree, node, values))
    divided = np.flatnonzero(tree.arrays.first_child).tolist() if tree.fractional else []
    if not divided:
        return way
    return apply(tree, X).isin(divided).ifelse(way + _answer_in_parts(tree, X), way)


def score(
    tree: Tree, X: Table, y: Any, sample_weight: Any = None, only_seen: bool = False
) -> float:
    """Return the share of the rows that the tree gets right; of numbers, the share R² explained.

    Rows without an answer, or a weight, are left out. X, y and the weights are given as for
    `dtreebook.database.fitting.fit`; NULL, which `only_seen` gives as in `predict`, is never right.
    """
    asker = Asker()
    columns, y, weight = parts(X, y, sample_weight)
    names = answer, weighs = gen_name("answer"), gen_name("weight")
    weight = number(1) if weight is None else weight.cast("float64")
    rows = parent(y).select(**columns, **dict(zip(names, (y, weight), strict=True)))
    rows = rows.filter(rows[answer].notnull(), rows[weighs].notnull())
    rows = rows.select(y=rows[answer], w=rows[weighs], said=predict(tree, rows, only_seen))
    if tree.classes is not None:
        right = (rows.y == rows.said).fill_null(False).cast("float64")
        asked = rows.aggregate(right=(rows.w * right).sum() / rows.w.sum())
        return float(asker.ask(asked, "how many answers are right").right[0])
    mean = rows.aggregate(mean=(rows.w * rows.y).sum() / rows.w.sum())
    mean = number(asker.ask(mean, "the mean of the numbers")["mean"][0])
    squares = {"error": (rows.y - rows.said) ** 2, "total": (rows.y - mean) ** 2}
    asked = rows.aggregate(**{name: (rows.w * square).sum() for name, square in squares.items()})
    ((error, total),) = asker.ask(asked, "how far the answers are off").to_numpy()
    return float(1 - error / total) if total else float(not error)


def _answer_in_parts(tree, X):
    """Return the likeliest class of a row that goes down every branch, and its share, in words."""
    said = ibis.array([literal(answer(tree, k)) for k in range(len(tree.classes))])

    def tenths(percent):
        """Return tenths of a percent as Python rounds them: a tie goes to the even digit."""
        down, over = (percent * 10).floor(), (percent * 10) % 1
        return down + ((over > 0.5) | ((over == 0.5) & (down % 2 == 1))).cast("int8")

    def in_words(shares):
        share = _once(
            _once(shares.maxs() * number(100), tenths).cast("int64"),
            lambda share: (share // 10).cast("string") + "." + (share % 10).cast("string"),
        )
        return _likeliest(said, shares) + " (" + share

    return literal(": ") + _once(_shares(tree, X), in_words) + literal("% over all branches)")


def _once(value, use):
    """Return what a function makes of a value whose text it uses several times, written once."""
    return ibis.array([value]).map(use)[0]


def _likeliest(said, shares):
    """Return what an array says of the largest share: of equals, of the first."""
    least = shares.maxs() * number(1 - TIE)
    is_likely = shares.map(lambda share: (share >= least).cast("int8"))
    return said[is_likely.index(1).cast("int32")]  # as Spark wants the place in an array


def _said(tree, X, say, step=None):
    """Return what is said of the node in which each row ends, tests nested as in the tree.

    A step says, given a node and the columns, what is put before that for all rows that come there.
    """
    if tree.depth > _DEEPEST:
        raise ValueError(
            f"the tree asks {tree.depth} questions on a path, and databases nest at most "
            f"{_DEEPEST}: limit its depth, or prune it"
        )
    values, arrays = _values(tree, X), tree.arrays
    said: dict[int, Any] = {}
    for node in range(tree.node_count - 1, -1, -1):  # children come after their parents
        split = arrays.split[node]
        if split is None:
            said[node] = say(node)
            continue
        children, default = list(tree.arrays.children(node)), int(tree.arrays.default[node])
        below = [said.pop(child) for child in children]
        surrogates = arrays.surrogates[node]
        tests = _tests(tree, split, surrogates, values)
        # Each child is named once, for what is named twice at every level has no end.
        cases = [(test, below[b]) for b, test in tests if b != default]
        otherwise = say(node) if default < 0 else below[default]
        said[node] = ibis.cases(*cases, else_=otherwise) if cases else otherwise
        if step is not None:
            said[node] = step(node, values) + said[node]
    return _of_rows(said[0], X)


def _step(tree, node, values):
    """Return what is said of the step from a node: the branch, and how it was decided."""
    split, default = tree.arrays.split[node], int(tree.arrays.default[node])
    attribute, value = tree.attributes[split.column], values[split.column]
    words, comma = split.words(attribute), ", " if node else ""

    def lacking(before, after):
        unknown, unseen = (
            literal(before + lack(attribute.name, new) + after) for new in (False, True)
        )
        return unknown if attribute.kind == "numeric" else value.isnull().ifelse(unknown, unseen)

    def instead(branch, surrogate=""):
        before, after = step_words(words[branch], How.DEFAULT, "\0", surrogate).split("\0")
        return lacking(comma + before, after)

    cases = [(test, literal(comma + words[b])) for b, test in branch_tests(split, attribute, value)]
    for surrogate in tree.arrays.surrogates[node]:
        other = surrogate.split
        asked = tree.attributes[other.column]
        in_words = other.words(asked)
        for b, test in branch_tests(other, asked, values[other.column]):
            cases.append((test, instead(1 - b if surrogate.flipped else b, in_words[b])))
    before = (comma if tree.fractional else ": ") if node else ""
    otherwise = lacking(before, "") if default < 0 else instead(default)
    return ibis.cases(*cases, else_=otherwise) if cases else otherwise


def _of_rows(said, X):
    """Return a column, also where a tree of one leaf says the same of every row."""
    if isinstance(said, Column):
        return said
    return ibis.ifelse(X[X.columns[0]].isnull(), said, said)


def _tests(tree, split, surrogates, values):
    """Return the branches of a node, each with what is true of the rows that take it."""
    attribute, value = tree.attributes[split.column], values[split.column]
    if not surrogates:
        return branch_tests(split, attribute, value)
    value_of, unknown = values.__getitem__, ibis.null("int8")
    instead = by_surrogates(surrogates, tree.attributes, value_of, [0, 1], unknown)
    branch = branch_of(split, attribute, value, [0, 1], instead)
    return [(b, branch == b) for b in (0, 1)]


def _values(tree, X):
    """Return the columns that the tree asks about, NaN being NULL."""
    missing = [a.name for a in tree.attributes if a.name not in X.columns]
    if missing:
        raise ValueError(
            f"the table lacks columns the tree was grown on: {', '.join(map(repr, missing))}"
        )
    asked = [split for split in tree.arrays.split if split is not None]
    asked += [surrogate.split for of in tree.arrays.surrogates for surrogate in of]
    values = {}
    for a in {split.column for split in asked}:
        attribute, value = tree.attributes[a], X[tree.attributes[a].name]
        wanted, kind = _wanted(attribute), value.type()
        is_number = kind.is_numeric() and not kind.is_boolean()
        is_text = kind.is_string() or kind.is_uuid()
        held = {"numbers": is_number, "text": is_text, "booleans": kind.is_boolean()}
        if wanted is not None and not held[wanted]:
            raise ValueError(f"column {attribute.name!r} holds {kind}, not {wanted}")
        if is_number:
            value = without_nan(value)
        values[a] = value.cast("string") if kind.is_uuid() else value
    return values


def _wanted(attribute):
    """Return what a column must hold; None for levels that are numbers, as any column may."""
    if attribute.kind == "numeric":
        return "numbers"
    sorts = {"number" if type(level) in (int, float) else type(level) for level in attribute.levels}
    if len(sorts) > 1 or sorts & {tuple, frozenset, pd.Interval}:
        raise ValueError(
            f"column {attribute.name!r} has levels such as {attribute.levels[0]!r}, which no "
            "column of a database holds: fit the tree with text in their place"
        )
    return "text" if str in sorts else "booleans" if bool in sorts else None


def _shares(tree, X, classes=None):
    """Return the shares of some classes, or all: sums over the leaves of the part that comes there.

    The codes of the classes are given in the order in which they are wanted.
    """
    values, arrays = _values(tree, X), tree.arrays
    leaves = np.flatnonzero(arrays.first_child == 0)
    terms = len(leaves) * (len(tree.classes) + tree.depth)
    if terms > _TERMS:
        raise ValueError(
            f"a row of unknown value goes down every branch, and this tree makes {terms:,} terms "
            f"of it, more than {_TERMS:,}: prune it, or, where every value is known, set "
            "dataclasses.replace(tree, fractional=False)"
        )
    part = {0: None}
    for node in range(tree.node_count):
        split = arrays.split[node]
        if split is None:
            continue
        attribute, value = tree.attributes[split.column], values[split.column]
        children, share = arrays.children(node), arrays.children_shares(node)
        for i, child in enumerate(children):
            said = [number(i == j) for j in range(len(children))]
            here = branch_of(split, attribute, value, said, number(share[i]))
            part[child] = here if part[node] is None else part[node] * here
    shares = []
    for k in range(len(tree.classes)) if classes is None else classes.tolist():
        said = [
            number(tree.arrays.leaf_shares[leaf, k]) * (1 if part[leaf] is None else part[leaf])
            for leaf in leaves.tolist()
            if tree.arrays.leaf_shares[leaf, k]
        ]
        # As an array, for a long row of terms would be nested as deep.
        shares.append(ibis.array(said).sums() if said else number(0))
    return ibis.array(shares)

"""Kinds of tests: one that is new is one class, and all that is told of a tree tells it, too."""

import sqlite3
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from dtreebook import to_python, to_sql
from dtreebook.data.cases import Attribute, Cases
from dtreebook.rules import candidate_rules
from dtreebook.tree import storage
from dtreebook.tree.splits import KINDS, Multiway, Split, Splits, Subset, Surrogate, Threshold
from dtreebook.tree.tree import Node, Tree


@dataclass(frozen=True, slots=True)
class Parity(Split):
    """Send even numbers down the first branch, odd ones down the second."""

    kind = "parity"
    never_of = "nominal"

    column: int

    def branches(self, attribute):
        return 2

    def branch(self, values):
        return np.where(np.isnan(values), -1, values % 2).astype(int)

    def words(self, attribute):
        return f"{attribute.name} is even", f"{attribute.name} is odd"

    @classmethod
    def from_entry(cls, column, attribute, entry):
        return cls(column)

    def in_program(self, write, attribute, flipped):
        value = write.value(self.column)
        assert write.language == "Python"
        even, odd = (1, 0) if flipped else (0, 1)
        return f"None if {value} is None else {odd} if {value} % 2 else {even}"

    def in_sql(self, write, attribute):
        return [f"{write.name(attribute.name)} % 2 = {rest}" for rest in (0, 1)]

    def in_database(self, value, attribute, number, is_in):
        return [(rest, value % 2 == rest) for rest in (0, 1)]


NUMBER, WORD = Attribute("number", "numeric"), Attribute("word", "nominal", ("a", "b", "c"))
ROWS = [[n, word] for n in (1, 2, 3, 8, None) for word in ("a", "b", "c", None)]


def leaf(*counts):
    return Node(np.array(counts, dtype=float), label=int(np.argmax(counts)))


def inner(split, *children, **given):
    counts = np.sum([child.counts for child in children], axis=0)
    return Node(counts, int(counts.argmax()), split, children, **given)


def grown():
    """A tree with a test of each kind, and the new one as a surrogate, too."""
    parity = inner(Parity(0), leaf(4, 0), leaf(1, 2))
    cut = inner(Threshold(0, 2.5), parity, leaf(0, 5), default=1)
    beside = (Surrogate(Parity(0), True, 0.9, 0.5),)
    groups = inner(Subset(1, ((0,), (2,))), cut, leaf(3, 1), surrogates=beside)
    root = inner(Multiway(1), groups, inner(Parity(0), leaf(2, 0), leaf(0, 2)), leaf(1, 0))
    return Tree.from_root(root, (NUMBER, WORD), np.array(["no", "yes"]))


def label_by_hand(node, number, word):
    """Follow one case in a plain loop."""
    code = -1 if word is None else WORD.levels.index(word)
    values = {0: np.array([np.nan if number is None else float(number)]), 1: np.array([code])}
    while node.split is not None:
        branch = int(node.split.branch(values[node.split.column])[0])
        for surrogate in node.surrogates:
            if branch < 0:
                branch = int(surrogate.branch(values[surrogate.split.column])[0])
        branch = node.default if branch < 0 else branch
        if branch < 0:
            break
        node = node.children[branch]
    return ["no", "yes"][node.label]


def test_cases_take_the_branches_of_a_new_kind_few_and_many():
    tree = grown()
    wanted = [label_by_hand(tree.root, *row) for row in ROWS]
    assert tree.predict(ROWS).tolist() == wanted
    assert tree.predict(ROWS * 50).tolist() == wanted * 50
    assert [tree.predict([row])[0] for row in ROWS] == wanted


def test_a_tree_of_the_new_kind_alone_needs_no_other():
    tree = Tree.from_root(inner(Parity(0), leaf(1, 0), leaf(0, 1)), (NUMBER,), np.array([0, 1]))
    for rows in ([[1], [2]], [[1], [2]] * 20):
        assert tree.predict(rows).tolist() == [1, 0] * (len(rows) // 2)


def test_words_rules_and_stored_trees_tell_it(monkeypatch):
    tree = grown()
    assert "number is even: no (4.0)" in tree.export_text()
    assert tree.conditions((1, 1)) == ["word = b", "number is odd"]
    assert "word = b and number is odd" in tree.rules().condition.tolist()
    monkeypatch.setitem(KINDS, "parity", Parity)
    monkeypatch.setattr(storage, "_check_structure", lambda document: None)  # as if it were there
    assert Tree.from_json(tree.to_json()) == tree
    numbers = np.arange(40.0)
    columns = numbers, np.ones(40, dtype=int)
    cases = Cases((NUMBER, WORD), columns, (numbers % 2).astype(int), tree.classes)
    assert ["number is odd"] in [
        [condition.words(cases.attributes) for condition in rule.conditions]
        for rule in candidate_rules(tree, cases)
    ]


def test_programs_and_databases_ask_it():
    tree = grown()
    wanted = tree.predict(ROWS).tolist()
    program: dict = {}
    exec(to_python(tree), program)
    told = [program["predict"]({"number": n, "word": word}) for n, word in ROWS]
    assert told == wanted
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE cases (number INTEGER, word TEXT)")
        database.executemany("INSERT INTO cases VALUES (?, ?)", ROWS)
        found = database.execute(f"SELECT {to_sql(tree)} FROM cases ORDER BY rowid").fetchall()
    assert [said for (said,) in found] == wanted


def test_ibis_asks_it():
    ibis = pytest.importorskip("ibis")
    pytest.importorskip("duckdb")
    from dtreebook.database import scoring

    tree, table = grown(), pd.DataFrame(ROWS, columns=["number", "word"])
    rows = ibis.memtable(table.assign(row=range(len(table))))
    told = rows.select("row", said=scoring.predict(tree, rows)).to_pandas().sort_values("row")
    assert told.said.tolist() == tree.predict(ROWS).tolist()


def test_the_tests_of_many_nodes_are_kept_whatever_their_kind():
    tests = [Parity(1), None, Threshold(0, 2.0), Subset(1, ((0,), (1, 2))), Multiway(1)]
    splits = Splits.of(tests)
    assert list(splits) == tests
    assert list(splits.take(np.array([4, 0, -1]))) == [Multiway(1), Parity(1), None]
    others = Splits.none(5)
    others.put(np.arange(5), splits)
    assert others == splits
    splits[0] = Threshold(1, 0.5)
    assert splits[0] == Threshold(1, 0.5)
    assert others != splits

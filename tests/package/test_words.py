"""What is printed of a tree is read back: no two branches of a node, no two paths, are alike."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.data.cases import Attribute
from dtreebook.grow.regrowing import node_at
from dtreebook.tree.node import Node
from dtreebook.tree.splits import Multiway
from dtreebook.tree.tree import Tree

ODD = ["a,b", "c", "a", "b,c", "{a", "a}", "", " ", " a", "a ", '"a"', '"', "'a'", "1"]
ODD += ["a\nb", "a b", "a\tb", "\\", "a\\nb", "a: b", "12:30", "a and b", "a or b", "\u2028"]
ODD += ["\x1b[31m", "\u202ea", "中文, é", "😀", "\U000e0062", "in {a,b}", "= a", "<= a", "?"]
ODD += ["\xa0", "\ufeffa"]

levels = st.lists(
    st.sampled_from(ODD) | st.text(',{}" :\n\\a1', max_size=4), min_size=2, max_size=9, unique=True
)

# Shrinking takes minutes, and levels are short.
unshrunk = settings(max_examples=15, deadline=None, phases=[Phase.explicit, Phase.generate])


def grown(levels, seed):
    """Yield trees that ask for the levels, in every way that there is."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(len(levels)).repeat(3), rng.integers(len(levels), size=30)])
    X = pd.DataFrame({"k": pd.Categorical.from_codes(codes, levels)})
    X["n"] = rng.choice(["u", "v"], len(codes))
    y = rng.choice(["p", "q: r (1.0)"], len(codes))
    ordered = X.assign(k=pd.Categorical.from_codes(codes, levels, ordered=True))
    yield ID3Classifier().fit(X, y).tree_
    yield CARTClassifier(max_surrogates=0).fit(X, y).tree_
    yield CARTClassifier(max_surrogates=0).fit(ordered, y).tree_
    yield C45Classifier(group_values=True, confidence=None, min_weight=1).fit(X, y).tree_


def read_value(text):
    """Return the value that a text begins with, and what follows."""
    if text.startswith('"'):
        value, end = json.JSONDecoder().raw_decode(text)
        return value, text[end:]
    value = re.match(r"(?:(?!: | and | or |[,}]|:$).)*", text)[0]
    value = value.removesuffix(" ")  # which C4.5 prints between a cut and the colon
    return value, text[len(value) :]


def read_branch(text):
    """Return the column, the sign and the values of a branch in words, and what follows."""
    name, sign, text = re.fullmatch(r"(\w+) (=|<=|>|in) (.*)", text).groups()
    if sign != "in":
        value, text = read_value(text)
        return (name, sign, [value]), text
    values = []
    while not text.startswith("}"):
        value, text = read_value(text[1:])
        values.append(value)
    return (name, "in", values), text[1:]


def meant(tree, node, branch):
    split = node.split
    attribute = tree.attributes[split.column]
    if attribute.kind == "ordered":
        return attribute.name, "<=" if branch == 0 else ">", [attribute.levels[int(split.cut)]]
    values = split.levels(attribute)[branch]
    return attribute.name, "=" if len(values) == 1 else "in", values


@unshrunk
@given(levels, st.integers(0, 99))
def test_a_printed_tree_is_read_back(levels, seed):
    for tree in grown(levels, seed):
        printed = []
        for line in tree.export_text().split("\n") if tree.depth else []:
            of, rest = read_branch(re.sub(r"^(\|   )*", "", line))
            assert rest.lstrip().startswith(":")
            printed.append(of)
        said = []
        for path, _ in tree.walk():
            if path:
                said.append(meant(tree, tree.node(path[:-1]), path[-1]))
            assert node_at(tree, ", ".join(tree.conditions(path))) == node_at(tree, path)
        assert sorted(printed, key=repr) == sorted(said, key=repr)


@unshrunk
@given(levels, st.integers(0, 99))
def test_a_rule_is_read_back(levels, seed):
    for tree in grown(levels, seed):
        for leaf, condition in tree.rules().condition.items():
            path = tree.arrays.path(leaf)
            on_the_way = [meant(tree, tree.node(path[:i]), path[i]) for i in range(len(path))]
            while condition:
                of, condition = read_branch(condition)
                assert of in on_the_way
                assert condition.startswith(" and ") or not condition
                condition = condition.removeprefix(" and ")


def test_a_printed_path_regrows_the_node_that_it_names():
    X = pd.DataFrame({"k": ["a,b", "c", "a", "b,c"] * 20, "n": np.arange(80) % 7})
    y = np.where(X.k.isin(["a,b", "c"]) == (X.n > 3), "p", "q")
    model = CARTClassifier(max_depth=2).regrow(X, y, ask=("k", [["a,b", "c"], ["a", "b,c"]]))
    at = model.explain(X[2:3])[0].split(", n")[0]
    assert at == 'k in {a,"b,c"}'
    again = model.regrow(X, y, at=at, forbid=["n"])
    assert set(X.k[model.predict(X) != again.predict(X)]) == {"a", "b,c"}


def test_a_path_that_two_nodes_have_is_refused():
    """No fit gives such a tree, but a file may hold one."""
    leaf = Node(np.array([1.0]), 0)
    root = Node(np.array([2.0]), 0, Multiway(0), (leaf, leaf))
    tree = Tree.from_root(root, (Attribute("k", "nominal", (1, "1")),), np.array(["p"]))
    with pytest.raises(ValueError, match=r"2 nodes are called 'k = 1': name .* \(0,\) and \(1,\)"):
        node_at(tree, "k = 1")
    assert node_at(tree, (1,)) == 2


def test_whole_numbers_are_printed_as_whole():
    X = pd.DataFrame({"doors": [2.0, 4.0, 4.5, 2.0]})
    tree = ID3Classifier().fit(X.astype("category"), [1.0, 0.0, 0.0, 1.0]).tree_
    assert str(tree) == "doors = 2: 1 (2.0)\ndoors = 4: 0 (1.0)\ndoors = 4.5: 0 (1.0)"
    mixed = pd.DataFrame({"doors": pd.Series([2.0, "2", 3.0], dtype=object)})
    with pytest.raises(ValueError, match="which a tree prints alike"):
        CARTClassifier().fit(mixed, [0, 1, 1])

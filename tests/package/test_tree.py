"""Trees: walking, printing, storing; read back what was written, and refuse everything else."""

import copy
import dataclasses
import json
import pickle

import numpy as np
import pytest

import dtreebook as trees
from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, datasets, plot
from dtreebook.data.cases import Attribute
from dtreebook.data.reading import read_training
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.prune.cost_complexity import prune_at
from dtreebook.prune.error_based import collapse
from dtreebook.prune.reduced_error import pessimistic
from dtreebook.tree.code import to_mermaid
from dtreebook.tree.splits import Multiway, Splits, Subset, Threshold
from dtreebook.tree.text import outcome
from dtreebook.tree.tree import Node, Tree


def tree_of(load, control=MultiwayControl()):  # noqa: B008 (frozen)
    return grow(read_training(*load(return_X_y=True)), control)


LOANS = datasets.load_loan(return_X_y=True)
LOAN, TENNIS = tree_of(datasets.load_loan), tree_of(datasets.load_tennis)


def leaf(*counts, label=0):
    return Node(np.array(counts, dtype=float), label)


def mixed_tree():
    """One split of every kind, an ordered and a numeric attribute, an empty leaf."""
    attributes = (
        Attribute("outlook", "nominal", ("sunny", "overcast", "rain")),
        Attribute("age", "ordered", ("young", "middle", "old")),
        Attribute("humidity", "numeric"),
        Attribute("windy", "nominal", (False, True)),
    )
    grouped = Node(np.array([3.0, 2.0]), 0, Subset(0, ((0, 2), (1,))), (leaf(3, 0), leaf(0, 2)))
    aged = Node(np.array([2.0, 1.0]), 0, Threshold(1, 1), (grouped, leaf(0, 0)))
    windy = Node(np.array([1.5, 1.0]), 0, Multiway(3), (leaf(1.5, 0), leaf(0, 1, label=1)))
    by_age = Node(np.array([3.0, 3.0]), 1, Multiway(1), (windy, leaf(1, 0), leaf(0, 2, label=1)))
    root = Node(np.array([8.0, 6.0]), 0, Threshold(2, -1.5), (aged, by_age))
    return Tree.from_root(root, attributes, np.array(["Play", "Don't Play"]))


MIXED = mixed_tree()
TREES = {"loan": LOAN, "tennis": TENNIS, "mixed": MIXED}
all_trees = pytest.mark.parametrize("tree", TREES.values(), ids=TREES)


# --- reading off ---------------------------------------------------------------------------------


def test_the_walk_goes_down_first_branches_first_and_numbers_go_level_by_level():
    paths = [path for path, _ in TENNIS.walk()]
    assert paths == [(), (0,), (0, 0), (0, 1), (1,), (2,), (2, 0), (2, 1)]
    assert [TENNIS.arrays.path(i) for i in range(TENNIS.node_count)] == sorted(paths, key=len)


@all_trees
def test_sizes_are_those_of_the_walk_and_a_path_leads_to_its_node(tree):
    visits = list(tree.walk())
    assert tree.node_count == len(visits) == len(tree.arrays.label)
    assert tree.n_leaves == sum(node.is_leaf for _, node in visits)
    assert tree.depth == max(len(path) for path, _ in visits)
    for path, node in visits:
        assert tree.node(path) is tree.node(list(path)) is node
        assert tree.along(path) == [tree.node(path[:depth]) for depth in range(len(path) + 1)]


@pytest.mark.parametrize("path", [(3,), (-1,), (0, 0, 0), (1, 0)])
def test_a_path_that_leads_nowhere_is_an_index_error(path):
    for find in (TENNIS.node, TENNIS.conditions):
        with pytest.raises(IndexError, match="no node"):
            find(path)


# --- printing ------------------------------------------------------------------------------------


PRINTED = {
    "c45": """\
humidity <= -1.5 :
|   age > middle : Play (0.0)
|   age <= middle :
|   |   outlook in {sunny,rain}: Play (3.0)
|   |   outlook = overcast: Play (2.0/2.0)
humidity > -1.5 :
|   age = middle: Play (1.0)
|   age = old: Don't Play (2.0)
|   age = young:
|   |   windy = False: Play (1.5)
|   |   windy = True: Don't Play (1.0)""",
    "box": """\
├── humidity <= -1.5
│   ├── age <= middle
│   │   ├── outlook in {sunny,rain}: Play (3.0)
│   │   └── outlook = overcast: Play (2.0/2.0)
│   └── age > middle: Play (0.0)
└── humidity > -1.5
    ├── age = young
    │   ├── windy = False: Play (1.5)
    │   └── windy = True: Don't Play (1.0)
    ├── age = middle: Play (1.0)
    └── age = old: Don't Play (2.0)""",
}


def test_printed_as_c45_prints_leaves_first_and_with_lines_in_the_order_of_branches():
    assert {style: MIXED.export_text(style) for style in PRINTED} == PRINTED
    assert str(MIXED) == MIXED.export_text() == PRINTED["c45"]


def test_a_single_leaf_is_one_line_and_a_rule_without_condition_and_other_styles_are_refused():
    tree = Tree.from_root(leaf(3, 1), (Attribute("a", "nominal", ()),), np.array(["p", "q"]))
    assert tree.export_text() == tree.export_text("box") == "p (4.0/1.0)"
    rules = CARTClassifier().fit([[1], [1]], ["p", "q"]).tree_.rules()
    assert rules.to_dict("records") == [{"condition": "", "class": "p", "cases": 2, "errors": 1}]
    with pytest.raises(ValueError, match="style must be one of c45, box, not 'c50'"):
        LOAN.export_text("c50")


@pytest.mark.parametrize(
    ("cut", "words"),
    [
        (0.5, "0.5"),
        (1 / 3, "0.333333"),
        (123456.5, "123456.5"),
        (1e8 + 0.25, "100000000.2"),
        (-9007199254740992.0, "-9007199254740992"),
        (1.5e300, "1.5e+300"),
        (0.0, "0"),
    ],
)
def test_a_large_cut_can_be_told_from_its_neighbours(cut, words):
    pair = f"humidity <= {words}", f"humidity > {words}"
    assert Threshold(2, cut).words(MIXED.attributes[2]) == pair


def test_a_loss_does_not_count_as_errors():
    X, y = LOANS
    model = CARTClassifier(loss=[[0, 5], [2, 0]], max_depth=0).fit(X, y)  # says no of 9 yes
    ends, said = model.apply(X), np.array(model.explain(X))
    for leaf, rule in model.tree_.rules().iterrows():
        right, n = (y[ends == leaf] == rule["class"]).sum(), (ends == leaf).sum()
        assert rule.errors == n - right
        assert said[ends == leaf][0].endswith(f"({right} of {n} cases)")


# --- equality ------------------------------------------------------------------------------------


def changed(tree, **parts):
    names = {field.name for field in dataclasses.fields(tree.arrays)}
    arrays = dataclasses.replace(tree.arrays, **{k: v for k, v in parts.items() if k in names})
    rest = {k: v for k, v in parts.items() if k not in names}
    return dataclasses.replace(tree, arrays=arrays, **rest)


def test_trees_are_equal_if_everything_is():
    assert tree_of(datasets.load_loan) == LOAN
    assert LOAN != TENNIS
    assert LOAN.export_text() != LOAN
    for parts in (
        {"counts": LOAN.arrays.counts * 2},
        {"label": 1 - LOAN.arrays.label},
        {"improvement": np.ones(5)},
        {"split": Splits.of(Multiway(0) if split else None for split in LOAN.arrays.split)},
        {"classes": np.array(["no", "maybe"])},
        {"attributes": (*LOAN.attributes[:3], Attribute("credit", "nominal", ("fair", "good")))},
    ):
        assert changed(LOAN, **parts) != LOAN


@all_trees
def test_a_tree_linked_from_its_root_is_the_tree(tree):
    assert Tree.from_root(tree.root, tree.attributes, tree.classes) == tree


# --- to and from dict and JSON -------------------------------------------------------------------


@all_trees
def test_a_tree_is_read_back_as_it_was_written(tree):
    assert Tree.from_dict(tree.to_dict()) == tree
    again = Tree.from_json(tree.to_json())
    assert again == tree == Tree.from_json(tree.to_json().encode())
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert again.to_json() == tree.to_json()
    assert again.export_text("box") == tree.export_text("box")
    assert again.arrays.distribution.tolist() == tree.arrays.distribution.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        ("a", "b"),
        (1, 2),
        (1.0, 2.5),
        (False, True),
        (1, "1"),
        (2**70, 0.1),
        (-1, 2**64 - 1),
        ("é\u2028\U0001f600", ""),
        (np.int64(1), np.int64(2)),
        (np.str_("a"), np.float64(0.1)),
        (np.bool_(True), np.bool_(False)),
    ],
)
def test_levels_and_classes_keep_their_types(labels):
    plain = [label.item() if isinstance(label, np.generic) else label for label in labels]
    root = Node(np.array([2.0, 1.0]), 0, Multiway(0), (leaf(2, 0), leaf(0, 1, label=1)))
    classes = np.array(labels)
    if [*map(type, classes.tolist())] != [*map(type, plain)]:
        classes = np.array(labels, dtype=object)
    tree = Tree.from_root(root, (Attribute("a", "nominal", tuple(labels)),), classes)
    again = Tree.from_json(tree.to_json())
    assert again == tree
    for kept in (again.attributes[0].levels, again.classes.tolist()):
        assert [(type(label), label) for label in kept] == [(type(p), p) for p in plain]


@pytest.mark.parametrize("label", [None, (1, 2), np.inf, 10**400, np.datetime64("2020-01-01")])
def test_what_cannot_be_stored_is_refused_when_writing(label):
    tree = changed(LOAN, attributes=(Attribute("a", "nominal", ("x", label)), *LOAN.attributes[1:]))
    with pytest.raises(TypeError, match=r"only text, finite numbers .* can be stored") as raised:
        tree.to_json()
    assert len(str(raised.value)) < 300


# --- damaged and foreign files -------------------------------------------------------------------


def damaged(tree, change):
    document = json.loads(tree.to_json())
    change(document)
    return document


def node(number, **parts):
    return lambda document: document["nodes"][number].update(parts)


def attribute(number, **parts):
    return lambda document: document["attributes"][number].update(parts)


def split(number, **parts):
    return lambda document: document["nodes"][number]["split"].update(parts)


# On the tree of the loan table: what is changed, and what the message says.
DAMAGE = {
    "format": (lambda d: d.update(format="pickle"), "its format is not 'dtreebook.tree'"),
    "version": (lambda d: d.update(version=2), "version 2, .* version 1: install the release"),
    "version text": (lambda d: d.update(version="1"), "version '1', .* reads version 1"),
    "extra field": (lambda d: d.update(code="exit()"), r"at \$: .*'code'"),
    "no classes": (lambda d: d.update(classes=[]), r"at \$.classes"),
    "class twice": (lambda d: d.update(classes=["a", "a"]), r"at \$.classes: .* twice"),
    "more classes": (lambda d: d.update(classes=["a", "b", "c"]), "it has 2 counts for 3 classes"),
    "name twice": (attribute(0, name="house"), "name: a value is there twice"),
    "level twice": (attribute(2, levels=["no", "no"]), r"attributes\[2\].levels: .* twice"),
    "level 1 and true": (attribute(2, levels=[1, True]), r"attributes\[2\].levels: .* twice"),
    "level infinite": (attribute(2, levels=["no", np.inf]), "levels: a number is not finite"),
    "level enormous": (attribute(2, levels=[1, 10**400]), "levels: a number is not .*too large"),
    "class enormous": (lambda d: d.update(classes=[1, 10**400]), "classes: a number is not fin"),
    "one level less": (attribute(2, levels=["no"]), r"nodes\[0\]: its children are \[1, 2\]"),
    "kind numeric": (attribute(2, kind="numeric"), "tests house, which is numeric, by multiway"),
    "no nodes": (lambda d: d.update(nodes=[]), r"at \$.nodes"),
    "a node less": (lambda d: d["nodes"].pop(), r"nodes\[1\]: its children"),
    "a node more": (lambda d: d["nodes"].append(d["nodes"][-1]), "6 nodes, 5 linked"),
    "label too large": (node(3, label=2), "its label is 2, but there are 2 classes"),
    "label half": (node(3, label=0.5), r"nodes\[3\].*its label is 0.5"),
    "counts NaN": (node(3, counts=[np.nan, 0]), r"nodes\[3\]: its counts are not finite"),
    "counts enormous": (node(3, counts=[10**400, 0]), r"nodes\[3\]: int too large"),
    "counts beyond": (node(0, counts=[1e308] * 2), r"nodes\[0\]: its counts are not finite, or"),
    "counts short": (node(3, counts=[6]), "it has 1 counts for 2 classes"),
    "root empty": (node(0, counts=[0, 0]), r"nodes\[0\]: it has no cases"),
    "children of a leaf": (node(3, children=[4]), r"nodes\[3\]"),
    "no children": (lambda d: d["nodes"][1].pop("children"), r"nodes\[1\]"),
    "children too few": (node(1, children=[3]), r"nodes\[1\]: its children are \[3\]"),
    "children beyond": (node(1, children=[5, 6]), r"nodes\[1\]: its children are \[5, 6\]"),
    "split on a path": (split(0, attribute=4), "it tests attribute 4, but there are 4"),
    "cut of levels": (split(0, kind="threshold", cut=0.5), "house, which is nominal, by threshold"),
    "default beyond": (node(0, default=2), r"nodes\[0\]: its default is 2, but it has 2 branches"),
    "groups overlap": (split(0, kind="subset", groups=[[0], [0, 1]]), "do not divide house"),
}


@pytest.mark.parametrize(("change", "message"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_tree_is_refused_with_place_and_reason(change, message):
    document = damaged(LOAN, change)
    with pytest.raises(ValueError, match=message) as raised:
        Tree.from_dict(document)
    assert len(str(raised.value)) < 500
    with pytest.raises(ValueError, match="stored"):
        Tree.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("number", "cut", "message"),
    [
        (0, np.nan, "it cuts humidity at nan"),
        (0, np.inf, "it cuts humidity at inf"),
        (0, "1", "split"),
        *((1, cut, rf"nodes\[1\]: it cuts age at {cut}") for cut in (-1, 3, 0.5)),
    ],
)
def test_a_cut_is_a_number_or_one_of_the_levels(number, cut, message):
    with pytest.raises(ValueError, match=message):
        Tree.from_dict(damaged(MIXED, split(number, cut=cut)))


FOREIGN = {
    "nothing": "",
    "text": "house = yes: yes (6.0)",
    "a program": "__import__('os').abort()",
    "a list": "[]",
    "half a tree": LOAN.to_json()[: len(LOAN.to_json()) // 2],
    "NaN": LOAN.to_json().replace("6.0", "NaN"),
    "beyond infinity": LOAN.to_json().replace("6.0", "1e999"),
    "a million digits": LOAN.to_json().replace("6.0", "6" * 1_000_000),
    "a million digits for a version": LOAN.to_json().replace("1,", "1" * 1_000_000 + ",", 1),
    "a million brackets": "[" * 1_000_000,
    "bytes": b"\x80\x04\x95",
    "half of a character": LOAN.to_json().encode()[:20] + b"\xff",
    "a pickle": pickle.dumps(LOAN),
    "a long text": '{"format": "dtreebook.tree", "version": 1, "nodes": "' + "x" * 100_000 + '"}',
}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_file_is_refused(text):
    with pytest.raises(ValueError, match="stored tree") as raised:
        Tree.from_json(text)
    assert len(str(raised.value)) < 500
    for no_text in None, 5, {}:
        with pytest.raises(TypeError):
            Tree.from_json(no_text)


@pytest.mark.parametrize("depth", [100, 980, 100_000])
@pytest.mark.parametrize("field", ["format", "version", "attributes", "classes", "nodes"])
def test_however_deep_it_is_nested_it_is_refused(depth, field):
    text = LOAN.to_json()
    nested = json.dumps(json.loads(text)[field])
    with pytest.raises(ValueError, match="stored"):
        Tree.from_json(json.dumps(json.loads(text)).replace(nested, "[" * depth + "]" * depth, 1))
    brackets = []
    for _ in range(depth):
        brackets = [brackets]
    with pytest.raises(ValueError, match="stored"):
        Tree.from_dict({**json.loads(text), field: brackets})


def test_whole_numbers_may_be_written_with_a_point():
    """To JSON 1.0 is an integer, and some programs write it so."""
    text = LOAN.to_json().replace('"label": 1', '"label": 1.0').replace('": 2', '": 2.0')
    assert '"attribute": 2.0' in text
    assert Tree.from_json(text) == LOAN


# --- deep trees ----------------------------------------------------------------------------------

DEPTH = 2_000


@pytest.fixture(scope="module", params=["first", "last"])
def deep(request):
    """A tree of 2,000 levels that goes down its first, or its last, branches."""
    below = leaf(1, 0)
    for i in reversed(range(DEPTH)):
        side = leaf(0, 1, label=1)
        children = (below, side) if request.param == "first" else (side, below)
        below = Node(np.array([1.0, DEPTH - i]), 1, Multiway(i), children)
    attributes = tuple(Attribute(f"a{i}", "nominal", (0, 1)) for i in range(DEPTH))
    return Tree.from_root(below, attributes, np.array(["p", "q"]))


def test_a_deep_tree_is_walked_copied_pickled_stored_and_printed(deep):
    assert (deep.depth, deep.node_count, deep.n_leaves) == (DEPTH, 2 * DEPTH + 1, DEPTH + 1)
    assert deep.root.split == Multiway(0)
    assert copy.deepcopy(deep) == deep
    assert copy.copy(deep) == deep
    assert pickle.loads(pickle.dumps(deep)) == deep
    assert Tree.from_json(deep.to_json()) == deep
    assert "Multiway(column=0)" in repr(deep.root)
    assert f"{deep.node_count} nodes" in repr(deep)
    for style in ("c45", "box"):
        text = deep.export_text(style)
        assert text.count("\n") == 2 * DEPTH - 1
        assert f"a{DEPTH - 1} = 0: " in text


def test_a_deep_tree_is_followed_and_explained(deep):
    down = 0 if deep.node((0,)).weight > 1 else 1
    columns = [np.array([down, 1 - down, -1])] * DEPTH
    lowest, side, unknown = deep.arrays.route(columns)
    assert deep.arrays.path(lowest) == (down,) * DEPTH
    assert deep.arrays.path(side) == (1 - down,)
    assert unknown == 0
    assert deep.conditions((down,) * DEPTH)[-1] == f"a{DEPTH - 1} = {down}"
    assert outcome(deep, lowest) == "p (1 of 1 cases)"
    assert deep.arrays.distribution[lowest].tolist() == [1, 0]


def test_large_means_and_cuts_are_told_apart_but_of_a_cut_quinlan_prints_six_digits():
    model = CARTRegressor().fit([[1], [2]], [180921, 180922])
    assert model.export_text() == "x0 <= 1.5 : 180921 (1.0)\nx0 > 1.5 : 180922 (1.0)"
    tree = C45Classifier().fit([[1234567], [1234568]] * 5, ["low", "high"] * 5).tree_
    assert tree.export_text().splitlines()[0] == "x0 <= 1.23457e+06 : low (5.0)"
    assert tree.export_text("box").splitlines()[0] == "├── x0 <= 1234567: low (5.0)"


@pytest.mark.parametrize(
    "use",
    [
        *(trees.to_python, trees.to_js, trees.to_c, trees.to_sql, to_mermaid),
        *(pessimistic, collapse),
        lambda tree: prune_at(tree, 0.1),
        lambda tree: trees.compare(tree, tree, LOANS[0]),
        lambda tree: getattr(refit := trees.refit_leaves(tree, *LOANS), "tree_", refit),
        lambda tree: plot.tree(tree).alt,
        lambda tree: plot.icicle(tree).alt,
    ],
)
def test_where_a_tree_is_wanted_a_fitted_model_will_do(use):
    model = ID3Classifier().fit(*LOANS)
    assert str(use(model)) == str(use(model.tree_))
    with pytest.raises(TypeError, match="ID3Classifier is neither: call fit first"):
        use(ID3Classifier())

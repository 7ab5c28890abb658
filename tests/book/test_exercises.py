"""The exercises of the page Practice: the package gives their answers, and slips are told apart.

Each kind is worked out here from the raw table alone, by the package, and by nothing of the page.
"""

import json
import math
import re
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import spine
from sklearn.metrics import precision_score, recall_score
from tiers import SEED, TIER, sometimes

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, measures
from dtreebook.prune.cost_complexity import pruning_path
from dtreebook.prune.crossvalidation import one_standard_error
from dtreebook.prune.error_limits import extra_errors
from dtreebook.prune.reduced_error import reduced_error
from dtreebook.tree.tree import Tree

# How far two answers are apart at least, absolutely and in share (but for counts and half counts).
APART = 0.015


def counted(data):
    (column,) = data["columns"].values()
    values, classes = (np.unique(of, return_inverse=True)[1] for of in (column, data["target"]))
    table = np.zeros((max(values) + 1, max(classes) + 1))
    np.add.at(table, (values, classes), 1)
    return table


def frame(data):
    return pd.DataFrame(data["columns"]), np.array(data["target"])


def numbers(data):
    return pd.DataFrame({"x": data["values"]}, dtype=float), np.array(data["target"])


def repeated(tables, names=("asked",)):
    """Return cases that have these counts: a column for each table, all with the same classes."""
    y = np.repeat([0, 1], np.sum(tables[0], axis=0))
    columns = {
        name: np.concatenate(
            [np.repeat(np.arange(len(t)).astype(str), np.array(t)[:, k]) for k in (0, 1)]
        )
        for name, t in zip(names, tables, strict=True)
    }
    return pd.DataFrame(columns), y


def surprise(data):
    return measures.entropy(data["counts"])


def left(data):
    return measures.conditional_entropy(counted(data))


def gain(data):
    return measures.information_gain(counted(data))


def mutual(data):
    return measures.mutual_information(counted(data))


def first(data):
    tree = ID3Classifier().fit(*frame(data)).tree_
    return tree.attributes[tree.root.split.column].name


def tree(data):
    return ID3Classifier().fit(*frame(data)).tree_.n_leaves


def ratio(data):
    fitted = C45Classifier(confidence=None).fit(*repeated(data["tables"], data["names"])).tree_
    return fitted.attributes[fitted.root.split.column].name


def cut(data):
    return CARTClassifier(criterion="entropy", max_depth=1).fit(*numbers(data)).tree_.root.split.cut


def penalty(data):
    decision, *_ = C45Classifier().fit(*numbers(data)).decisions(*numbers(data))
    return decision.chosen.score * decision.chosen.measures["split_information"]


def blanks(data):
    X, y = frame(data)
    model = C45Classifier(confidence=None).fit(X, y)
    case = pd.DataFrame([data["case"]]).reindex(columns=X.columns)
    return model.predict_proba(case)[0, list(model.classes_).index(data["yes"])]


def gini(data):
    return measures.gain(counted(data), measures.gini)


def groups(data):
    X, y = repeated([data["counts"]])
    split = CARTClassifier(max_depth=1).fit(X, y).tree_.root.split
    parts = sorted(sorted(group) for group in split.groups)
    return " | ".join(", ".join(data["values"][v] for v in part) for part in parts)


def regression(data):
    x, y = np.c_[data["x"]], np.array(data["y"], float)
    root = CARTRegressor(max_depth=1).fit(x, y).tree_.root
    return root.risk - sum(child.risk for child in root.children)


def surrogate(data):
    model = CARTClassifier(max_depth=1, max_surrogates=5).fit(*frame(data))
    assert model.tree_.attributes[model.tree_.root.split.column].name == data["asked"]
    return model.tree_.root.surrogates[0].adjusted


def priors(data):
    counts = np.array([data["here"], np.array(data["all"]) - data["here"]])
    X, y = repeated([counts])
    model = CARTClassifier(max_depth=1, priors=data["priors"]).fit(X, y)
    return model.predict_proba(pd.DataFrame({"asked": ["0"]}))[0, 1]


def tree_of(nodes, classes, sizes):
    attributes = [
        {"name": str(a), "kind": "nominal", "levels": list(map(str, range(size)))}
        for a, size in enumerate(sizes)
    ]
    text = {"format": "dtreebook.tree", "version": 1, "attributes": attributes}
    return Tree.from_json(json.dumps(text | {"classes": classes, "nodes": nodes}))


def asking(attribute, *children):
    return {"split": {"kind": "multiway", "attribute": attribute}, "children": children}


def grown(*sides):
    """Return a tree with these leaves, one or two on each side, and the cases set aside."""
    nodes, rows, y = [asking(0, 1, 2), {}, {}], [], []
    for side, leaves in enumerate(sides):
        counts = [np.array(leaf["train"], float) for leaf in leaves]
        if len(leaves) > 1:
            nodes[1 + side] = asking(1, len(nodes), len(nodes) + 1)
            nodes += [{"counts": count} for count in counts]
        nodes[1 + side]["counts"] = sum(counts)
        for leaf, about in enumerate(leaves):
            rows += sum(about["apart"]) * [[str(side), str(leaf)]]
            y += np.repeat(["no", "yes"], about["apart"]).tolist()
    nodes[0]["counts"] = nodes[1]["counts"] + nodes[2]["counts"]
    for node in nodes:
        node |= {"counts": node["counts"].tolist(), "label": int(np.argmax(node["counts"]))}
    X = pd.DataFrame(rows, columns=["0", "1"])
    return tree_of(nodes, ["no", "yes"], [2, 2]), X, np.array(y)


def validation(data):
    one, *pair = data["leaves"]
    tree, X, y = grown([one], pair)
    return float(np.mean(tree.predict(X) != y))


def reduced(data):
    """Return which of two tests goes: of the root's branches, which is a leaf."""
    tree, X, y = grown(data["leaves"][:2], data["leaves"][2:])
    b, c = (child.is_leaf for child in reduced_error(tree, X, y).tree.root.children)
    return {(0, 0): "neither", (1, 0): "b", (0, 1): "c", (1, 1): "both"}[b, c]


def bound(data):
    sizes = np.array(data["sizes"])
    return extra_errors(np.zeros(len(sizes)), sizes).sum()


def link(data):
    """Return the price at which the weakest link of a tree of these errors goes."""
    inner = list(map(len, data["leaves"]))
    risks = [*data["own"], *data["leaves"][0], *data["leaves"][1]]
    nodes = [{"counts": [1.0], "label": 0.0, "risk": float(risk)} for risk in risks]
    nodes[0] |= asking(0, 1, 2)
    nodes[1] |= asking(1, *range(3, 3 + inner[0]))
    nodes[2] |= asking(2, *range(3 + inner[0], 3 + sum(inner)))
    for i in (1, 2):
        nodes[i]["counts"] = [float(inner[i - 1])]
    nodes[0]["counts"] = [float(sum(inner))]
    alphas = pruning_path(tree_of(nodes, None, [2, *inner])).alphas
    return alphas[1] * sum(inner)


def oneError(data):
    share = np.array(data["wrong"]) / data["n"]
    table = pd.DataFrame({"cv_error": share, "cv_std": np.sqrt(share * (1 - share) / data["n"])})
    return data["leaves"][one_standard_error(table)]


def on_plane(data):
    X = np.column_stack(data["columns"]).astype(float)
    return CARTClassifier(max_depth=2, min_samples_leaf=2).fit(X, data["target"])


def reading(data):
    return on_plane(data).predict_proba([data["values"]])[0, 1]


def confusion(data):
    matrix = np.array(data["matrix"])
    truth, said = (np.repeat(np.indices((2, 2))[axis].ravel(), matrix.ravel()) for axis in (0, 1))
    return {"recall": recall_score, "precision": precision_score}[data["asks"]](truth, said)


def importance(data):
    model = on_plane(data)
    return model.feature_importances_[model.tree_.root.split.column]


def vote(data):
    trees = [tree_of([{"counts": n, "label": 0}], [0, 1], [1]) for n in data["leaves"]]
    return np.mean([tree.predict_proba([["0"]])[0, 1] for tree in trees])


def boosting(data):
    x, y = np.c_[np.array(data["x"], float)], np.array(data["y"], float)
    stump = CARTRegressor(max_depth=1).fit(x, y - y.mean())
    return y.mean() + data["rate"] * stump.predict([[data["at"]]])[0]


ALL = [surprise, left, gain, mutual, first, tree, ratio, cut, penalty, blanks, gini, groups]
ALL += [regression, surrogate, priors, validation, reduced, bound, link, oneError, reading]
SOLVERS = {solver.__name__: solver for solver in [*ALL, confusion, importance, vote, boosting]}
DRAWS = {"quick": 12, "all": 200, "weekly": 1000}[TIER]  # of each kind
# Of every kind: the most rows and columns of its table, and the most lines of its calculation.
BOUNDS = {"rows": 14, "columns": 6, "lines": 8}
# As text, which a browser hands over in a tenth of the time.
DRAW = """([kind, seeds]) => JSON.stringify(seeds.map(seed => {
  const { exercise, choicesOf, hiddenSlip, judged, sumOf } = engine;
  const made = exercise(kind, seed), hidden = hiddenSlip(made);
  const judge = (value, at) => (({ right, slip }) => [right, slip?.name])(judged(made, value, at));
  const below = made.steps.map((_, i) => i).slice(1);
  return { ...made, same: JSON.stringify(made) === JSON.stringify(exercise(kind, seed)),
    choices: choicesOf(made).map(({ value, slip }) => [value, slip?.name, ...judge(value)]),
    inGaps: made.slips.flatMap(({ steps }) => below.map(i => judge(steps[i].value, i)[1])),
    hidden, sums: [made.steps, hidden.steps].map(steps => steps.map(sumOf)) };
}))"""
PLACES = """() => Object.keys(engine.KINDS).map(kind => Array.from({ length: 40 }, (_, seed) => {
  const made = engine.exercise(kind, seed);
  return [engine.hiddenSlip(made).place, made.steps.length];
}))"""


@pytest.fixture(scope="module")
def drawn(engine):
    page = engine("exercise", "calculation")
    return lambda kind, seeds: json.loads(page.evaluate(DRAW, [kind, list(seeds)]))


def differ(one, other):
    if isinstance(one, str):
        return one != other
    are_exact = 2 * one % 1 == 0 and 2 * other % 1 == 0
    return abs(one - other) > APART * (1 if are_exact else max(1, abs(one), abs(other)))


# A sum as it is printed, and as Python reads it.
SIGNS = {"−": "-", "·": "*", "²": "**2", "^": "**", "√": "sqrt", "log₂": "log2", "log₁₀": "log10"}
LOGARITHM = re.compile(r"(log2|log10|ln) ([\d.]+(?:/[\d.]+)?)")
EQUATION = re.compile(r"(?P<how>.+) (?P<sign>[=≈]) (?P<value>−?[\d.]+)")
MEANINGS = {"log2": math.log2, "log10": math.log10, "ln": math.log, "sqrt": math.sqrt}


def worked_out(how):
    for sign, read in SIGNS.items():
        how = how.replace(sign, read)
    how = LOGARITHM.sub(r"\1(\2)", how)
    return eval(how, {"__builtins__": {}}, MEANINGS)


def holds(text):
    """Say whether a printed line is true of its printed numbers: exactly after "=", or rounded."""
    found = EQUATION.fullmatch(text)
    if not found:  # words, or a number alone
        return " = " not in text and " ≈ " not in text
    if found["how"] == found["value"]:  # a gap would hold its own answer
        return False
    off = abs(worked_out(found["how"]) - float(found["value"].replace("−", "-")))
    return off <= (1e-9 if found["sign"] == "=" else 0.000501)


def words(text):
    return set(re.findall(r"[a-z]{3,}", text)) - {"log"}


@pytest.mark.parametrize("kind", SOLVERS)
def test_answers_are_those_of_the_package_and_wrong_ones_are_told_apart(drawn, kind):
    begin = SEED * 1000
    met = set()
    exercises = drawn(kind, range(begin, begin + DRAWS))
    for made in exercises:
        right = SOLVERS[kind](made["data"])
        if isinstance(right, str):
            assert made["answer"] == right
        else:
            assert made["answer"] == pytest.approx(right, rel=1e-9, abs=1e-9), made["seed"]
        assert made["same"], "a seed gives one exercise"
        assert made["answer"] == made["steps"][-1]["value"]
        # One choice is right; each other is computed by a slip, which the reply names.
        assert [name for _, name, *_ in made["choices"]].count(None) == 1
        assert len(made["choices"]) >= 3
        for i, (value, name, is_right, said) in enumerate(made["choices"]):
            assert (is_right, said) == (name is None, name)
            assert all(differ(value, other) for other, *_ in made["choices"][:i])
        met |= {name for _, name, *_ in made["choices"] if name}
        assert all(slip["why"] for slip in made["slips"])
        # It can be done by hand.
        table = made["table"]
        assert len(table["rows"]) <= BOUNDS["rows"]
        assert len(table["head"]) <= BOUNDS["columns"]
        assert all(len(row) == len(table["head"]) for row in table["rows"])
        assert 3 <= len(made["steps"]) <= BOUNDS["lines"]
        # What is printed is true, with the wrong line as well, from which it goes on.
        assert [text for lines in made["sums"] for text in lines if not holds(text)] == []
        # The line to be found is the only one that was not reckoned rightly from those above it.
        place, (lines, wrong) = made["hidden"]["place"], made["sums"]
        assert wrong[:place] == lines[:place]
        assert wrong[place] != lines[place]
        # Its words do not tell.
        said = set().union(*(words(step["how"]) for step in made["steps"]))
        assert words(made["hidden"]["steps"][place]["how"]) <= said
        # With gaps as many slips are named as without.
        assert {name for _, name, *_ in made["choices"] if name} <= set(made["inGaps"])
        met.add(made["hidden"]["name"])
    if TIER != "quick":  # twelve draws need not meet a rare slip
        assert {slip["name"] for slip in exercises[0]["slips"]} <= met


@sometimes
def test_the_wrong_line_is_at_many_places(engine):
    kinds = engine("exercise").evaluate(PLACES)
    for found in kinds:
        assert len({place for place, _ in found}) > 1
    all_found = [one for found in kinds for one in found]
    for places in zip(*((place, lines - place) for place, lines in all_found), strict=True):
        assert max(Counter(places).values()) < 0.6 * len(all_found)


def test_every_kind_is_held_to_the_package_and_in_the_part_of_its_page(engine):
    names, parts, kinds = engine("exercise").evaluate("""() => {
        const { PARTS, KINDS } = engine;
        const places = Object.values(KINDS).map(kind => [kind.page, PARTS[kind.part]]);
        return [Object.keys(KINDS), PARTS, places];
    }""")
    assert set(names) == set(SOLVERS)
    captions = {
        name: part["caption"]
        for part in spine.CONTENTS["parts"]
        if part.get("numbered")
        for page in part["chapters"]
        for name in [page["file"], *spine.ROOMS.get(page["file"], ())]
    }
    assert parts == list(dict.fromkeys(captions.values()))
    assert kinds == [[page, captions[page]] for page, _ in kinds]

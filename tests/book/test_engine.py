"""The engine of the pages is the package: random tables are grown and pruned by both.

The tables have everything awkward: ties, blanks, unused levels, levels in order, weights, one
class, one row. What the trees predict is compared on other tables, with values never seen.
"""

import json
import re
import warnings
from collections import namedtuple
from dataclasses import asdict, replace
from functools import partial

import numpy as np
import pandas as pd
import pytest
from drawing import Table, columns
from sklearn.base import clone
from tiers import SEED, draws

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.data.reading import read_training
from dtreebook.prune.error_based import error_based
from dtreebook.prune.error_limits import extra_errors
from dtreebook.tree.code import to_js, to_mermaid, to_python
from dtreebook.tree.sql import to_sql
from dtreebook.tree.tree import Tree
from twentyquestions.live import COMPUTING

# What a browser does with one problem: { how, cases, options, news, alpha } as `posed` makes them.
RUN = """
problem => {
  const { cases, how, options, alpha } = problem;
  const asNumbers = columns => columns.map((column, a) =>
    cases.attributes[a].kind === "numeric" ? column.map(x => x ?? NaN) : column);
  cases.columns = asNumbers(cases.columns);
  const { id3, c45, cart, collapse, errorBased, pruningPath, pruneAt } = engine;
  if (how === "id3") cases.attributes.forEach((attribute, a) => {  // each number is a level
    if (attribute.kind !== "numeric") return;
    const column = cases.columns[a], known = column.filter(x => x === x);
    const levels = [...new Set(known)].sort((one, other) => one - other);
    Object.assign(attribute, { kind: "nominal", levels });
    cases.columns[a] = column.map(x => levels.indexOf(x));
  });
  const tree = { id3, c45, cart }[how](cases, options);
  const scores = tree.decisions.map(d => d.candidates.map(c => [c.split, c.score]));
  const reasons = tree.decisions.map(d => d.reason);
  const text = engine.asText(tree);
  if (how === "id3") return { tree, scores, reasons, text };
  const news = asNumbers(problem.news), rows = news[0].map((_, i) => news.map(column => column[i]));
  if (how === "cart") {
    const impurity = cases.classes && engine[options.criterion];
    const path = pruningPath(tree, impurity), pruned = pruneAt(tree, alpha, impurity);
    const said = rows.map(row => pruned.nodes[engine.route(pruned, row)].label);
    const atEach = path.map(step => pruneAt(tree, step.alpha, impurity).nodes);
    const leaves = atEach.map(nodes => nodes.filter(node => !node.split).length);
    return { tree, scores, reasons, text, path, leaves, pruned, said };
  }
  const whole = options.collapse ? collapse(tree) : tree;
  const done = errorBased(whole, cases, options.confidence, options.raising);
  const compared = done.comparisons.map(({ leaf, subtree, branch }) => [leaf, subtree, branch]);
  const said = rows.map(row => engine.spread(done.tree, row));
  return { tree: whole, scores, reasons, text, pruned: done.tree, compared, said };
}
"""


@pytest.fixture(scope="module")
def run(engine):
    """A function that lets the browser grow and prune a list of problems."""
    page = engine(*COMPUTING, "code")
    page.evaluate(f"() => {{ window.solve = {RUN}; }}")

    def solve(problems):
        return page.evaluate("problems => problems.map(solve)", problems)

    solve.page = page
    return solve


# Of columns: tests/helpers/drawing.py.
KINDS = (1, 2, 3, 4, 6, 12, "ordered", *2 * ["quarters", "real"])


def table(rng, numeric_target=False):
    """Draw a training set: a DataFrame, the answers, weights or None."""
    n = int(rng.choice([1, 2, 3, 5, 8, 14, 25, 40]))
    kinds = [KINDS[i] for i in rng.integers(len(KINDS), size=rng.integers(1, 6))]
    X = Table(kinds, columns(rng, kinds, n, rng.choice([0, 0, 0.2]))).frame
    if numeric_target:
        y = rng.integers(0, 4, n).astype(float) if rng.random() < 0.5 else rng.normal(10, 2, n)
    else:
        y = np.array([f"c{k}" for k in rng.integers(0, rng.integers(1, 5), n)])
    weight = rng.integers(1, 24, n) / 8 if rng.random() < 0.3 else None
    if weight is not None and weight.sum() == 1:
        weight = weight * 2  # C45Classifier reckons shares of a whole as counts; a page has counts
    return X, y, weight


def others(rng, X):
    """Draw cases with the same columns: their values anew, some blank, some never seen."""
    news = {}
    for name, values in X.items():
        drawn = values.sample(12, replace=True, random_state=int(rng.integers(2**31)))
        drawn = drawn.reset_index(drop=True)
        if isinstance(drawn.dtype, pd.CategoricalDtype):
            drawn = drawn.astype(object)
            drawn[rng.random(12) < 0.1] = "never seen"
        else:
            drawn = drawn + rng.choice([0, 0, 0.5, -1.25], 12)
        news[name] = drawn.mask(rng.random(12) < 0.15)
    return pd.DataFrame(news)


def as_columns(attributes, X):
    return [
        [None if np.isnan(v) else v for v in X[attribute["name"]].astype(float)]
        if attribute["kind"] == "numeric"
        else pd.Index(attribute["levels"], dtype=object).get_indexer(X[attribute["name"]]).tolist()
        for attribute in attributes
    ]


# The parameters of the package that the engine has, under its names.
OPTIONS = {
    "min_gain": "minGain",
    "max_depth": "maxDepth",
    "min_weight": "minWeight",
    "average_gain_guard": "averageGainGuard",
    "mdl_penalty": "mdlPenalty",
    "subtree_raising": "raising",
    "min_samples_split": "minSplit",
    "min_samples_leaf": "minLeaf",
    **{name: name for name in ("criterion", "collapse", "confidence")},
}


Posed = namedtuple("Posed", "model cases decisions tree news problem")


def posed(model, X, y, weight=None, news=None, alpha=0.01):
    """Fit a model; return it with its cases, decisions and tree, and the problem for a browser."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ID3 says that it takes numbers for levels
        decisions = model.fit(X, y, weight).decisions(X, y, weight)
    read = read_training(X, y, is_regression=model.tree_.is_regression)
    attributes = list(map(asdict, read.attributes))
    classes = None if model.tree_.is_regression else model.tree_.classes.tolist()
    cases = {
        "attributes": attributes,
        "columns": as_columns(attributes, X),
        "target": list(map(float, y)) if classes is None else [classes.index(c) for c in y],
        "classes": classes,
        "weight": None if weight is None else weight.tolist(),
    }
    problem = {
        "cases": cases,
        "how": type(model).__name__.lower()[:4].removesuffix("c"),
        "options": {OPTIONS[name]: v for name, v in model.get_params().items() if name in OPTIONS},
        "news": as_columns(attributes, X[:0] if news is None else news),
        "alpha": alpha,
    }
    tree = getattr(model, "unpruned_tree_", model.tree_)
    return Posed(model, (X, y, weight), decisions, tree, news, problem)


def same_tree(found, tree):
    """Assert that the browser's tree is the package's, node for node."""
    wanted = json.loads(tree.to_json())
    assert found["classes"] == wanted["classes"]
    assert len(found["nodes"]) == len(wanted["nodes"])
    for here, there in zip(found["nodes"], wanted["nodes"], strict=True):
        assert here.get("split") == there.get("split")
        assert here.get("children") == there.get("children")
        assert here.get("default") == there.get("default")
        assert here["counts"] == pytest.approx(there["counts"], rel=1e-9, abs=1e-12)
        assert here["label"] == pytest.approx(there["label"], rel=1e-9, abs=1e-12)
        for key in ("risk", "improvement"):
            assert (key in here) == (key in there)
            if key in here:
                assert here[key] == pytest.approx(there[key], rel=1e-9, abs=1e-9)


def same_decisions(found, decisions):
    """Assert that the same was scored, with the same scores, for the same reasons."""
    assert found["reasons"] == [decision.reason.value for decision in decisions]
    for here, decision in zip(found["scores"], decisions, strict=True):
        assert [split["attribute"] for split, _ in here] == [
            candidate.split.column for candidate in decision.candidates
        ]
        assert [score for _, score in here] == pytest.approx(
            [candidate.score for candidate in decision.candidates], rel=1e-9, abs=1e-12
        )


def differs_by_rounding(found, one):
    """Tell whether the browser grew another tree, and show that rounding decides which.

    That is so where weights that differ by a trillionth give another one: levels of the same mean
    have no order; a cut that gains nothing but rounding is none for the page, nor for the package
    in weights of fractions, and in whole ones it is one or not by the last digit.
    """
    X, y, weight = one.cases

    def weighed_up(weight):
        decisions = one.model.decisions(X, y, weight)
        return [[one.split for one in decision.candidates] for decision in decisions]

    ours = [[split.column for split in at_node] for at_node in weighed_up(weight)]
    theirs = [[split["attribute"] for split, _ in scores] for scores in found["scores"]]
    ours += [node.get("split") for node in json.loads(one.tree.to_json())["nodes"]]
    theirs += [node.get("split") for node in found["tree"]["nodes"]]
    if ours == theirs:
        return False
    rng, weight = np.random.default_rng(0), np.ones(len(X)) if weight is None else weight
    moved = (weight * (1 + 1e-12 * rng.normal(size=len(X))) for _ in range(50))
    return len({str(weighed_up(weight)) for weight in (weight, *moved)}) > 1


def solved(run, problems):
    """Yield what the browser found, where more than rounding decides, and what was posed.

    The trees and all decisions are the same.
    """
    for found, one in zip(run([one.problem for one in problems]), problems, strict=True):
        if not differs_by_rounding(found, one):
            same_decisions(found, one.decisions)
            same_tree(found["tree"], one.tree)
            yield found, one


def as_python_prints(found, tree):
    stored = json.loads(tree.to_json())
    stored |= {name: found[name] for name in ("classes", "nodes")}
    return str(Tree.from_json(json.dumps(stored)))


def in_order(errors):
    finite = ([np.inf if e is None else e for e in at_node] for at_node in errors)
    return np.ravel(sorted(finite, key=lambda at_node: [round(e, 9) for e in at_node]))


def test_c45_of_the_page_is_that_of_the_package(run):
    rng, problems = np.random.default_rng([SEED, 2]), []
    for _ in range(draws(300)):
        model = C45Classifier(
            criterion=str(rng.choice(["gain_ratio", "gain_ratio", "gain"])),
            min_weight=float(rng.choice([0, 1, 2, 2, 2.5])),
            average_gain_guard=bool(rng.random() < 0.7),
            mdl_penalty=bool(rng.random() < 0.7),
            collapse=bool(rng.random() < 0.7),
            confidence=float(rng.choice([0.05, 0.25, 0.6])),
            subtree_raising=bool(rng.random() < 0.7),
        )
        X, *rest = table(rng)
        problems.append(posed(model, X, *rest, news=others(rng, X)))
    for found, one in solved(run, problems):
        pruning = {name: getattr(one.model, name) for name in ("confidence", "subtree_raising")}
        made = error_based(one.tree, *one.cases, **pruning).comparisons
        compared = [[each.leaf, each.subtree, each.branch] for each in made]
        assert in_order(found["compared"]) == pytest.approx(in_order(compared), rel=1e-9)
        same_tree(found["pruned"], one.model.tree_)
        said = one.model.predict_proba(one.news)
        assert np.array(found["said"]) == pytest.approx(said, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("make", [CARTClassifier, CARTRegressor])
def test_cart_of_the_page_is_that_of_the_package(run, make):
    is_regression = make is CARTRegressor
    rng, problems = np.random.default_rng([SEED, 3, is_regression]), []
    for _ in range(draws(200)):
        X, y, weight = table(rng, is_regression)
        options = {
            "max_depth": [None, None, 2][rng.integers(3)],
            "min_samples_split": int(rng.choice([2, 2, 5])),
            "min_samples_leaf": int(rng.choice([1, 1, 3])),
            "max_surrogates": 0,
        }
        if not is_regression:
            options["criterion"] = str(rng.choice(["gini", "entropy"]))
        model = make(**options)
        alphas = model.cost_complexity_pruning_path(X, y, weight).ccp_alphas
        # 0 would leave the tree as it is, and at a link's own price rounding decides.
        alpha = float(rng.choice([*alphas[1:], 1e-3])) * (1 + 1e-6)
        problems.append(posed(model, X, y, weight, others(rng, X), alpha))
    for found, one in solved(run, problems):
        assert found["text"] == as_python_prints(found["tree"], one.tree)
        path = one.model.cost_complexity_pruning_path(*one.cases)
        for key, values in {"alpha": path.ccp_alphas, "risk": path.impurities}.items():
            steps = [step[key] for step in found["path"]]
            assert steps == pytest.approx(values, rel=1e-9, abs=1e-12)
        assert found["leaves"] == [step["leaves"] for step in found["path"]]
        pruned = clone(one.model).set_params(ccp_alpha=one.problem["alpha"]).fit(*one.cases)
        same_tree(found["pruned"], pruned.tree_)
        said = pruned.predict(one.news)
        if is_regression:
            assert found["said"] == pytest.approx(said, rel=1e-9, abs=1e-12)
        else:
            assert [pruned.tree_.classes[label] for label in found["said"]] == list(said)


# --- what chance seldom draws ---------------------------------------------------------------------


PLAIN_CART = partial(CARTClassifier, max_surrogates=0)


def grown_alike(run, tables, make=PLAIN_CART, **options):
    """Assert that page and package grow the same trees by the same decisions; return them."""
    problems = [posed(make(**options), *one) for one in tables]
    for found, one in zip(run([one.problem for one in problems]), problems, strict=True):
        same_decisions(found, one.decisions)
        same_tree(found["tree"], one.tree)
        if all(isinstance(level, str) for a in one.tree.attributes for level in a.levels):
            assert found["text"] == str(one.tree)
    return [one.tree for one in problems]


def test_id3_of_the_page_is_that_of_the_package(run):
    rng = np.random.default_rng([SEED, 1])
    for min_gain, n in (0.0, draws(160)), (0.1, draws(80)):
        grown_alike(run, [table(rng) for _ in range(n)], ID3Classifier, min_gain=min_gain)


def test_weights_that_add_up_to_rounding_alone_lose_no_cut(run):
    rng = np.random.default_rng([SEED, 5])
    tables = [table(rng)[:2] for _ in range(draws(60))]
    weighted = [(X, y, rng.integers(1, 10, len(X)) / 10) for X, y in tables]
    grown_alike(run, weighted, criterion="entropy")


def test_the_heavier_branch_is_found_however_little_the_cases_weigh(run):
    X, y = pd.DataFrame({"a": [1.0, 2, 3, np.nan]}), np.array(["c0", "c1", "c1", "c0"])
    grown_alike(run, [(X, y, np.full(4, 1e-12))])


def test_the_errors_to_expect_are_those_of_the_package(run):
    cases = [(e / 4, w / 2) for w in range(1, 40) for e in range(2 * w + 1)]
    for confidence in 0.25, 0.1, 1:
        script = "([cases, level]) => cases.map(([e, n]) => engine.extraErrors(e, n, level))"
        found = run.page.evaluate(script, [cases, confidence])
        assert found == pytest.approx(extra_errors(*zip(*cases, strict=True), confidence))


def test_words_that_no_line_can_hold_are_written_as_in_python(run):
    odd = ["a\nb", "c\r\n", "\t", "\x1b[31m", "\u202e", "\x85", "\ufeff", "\u2028x", "\U000e0062"]
    rng = np.random.default_rng(6)
    codes = rng.integers(len(odd), size=60)
    X = pd.DataFrame({odd[0]: pd.Categorical.from_codes(codes, odd), "\x07": rng.random(60)})
    grown_alike(run, [(X, np.array(odd)[(codes + rng.integers(2, size=60)) % len(odd)])])


def test_a_long_list_of_values_is_shortened_as_in_python(run):
    town = pd.Categorical.from_codes(range(240), [f"v{i}" for i in range(240)])
    X, y = pd.DataFrame({"town": town}), np.where(np.arange(240) % 2, "c0", "c1")
    [tree] = grown_alike(run, [(X, y)])
    assert "100 more}" in str(tree)


def test_many_values_and_many_classes_are_cut_in_the_same_order(run):
    rng, tables = np.random.default_rng([SEED, 4]), []
    for _ in range(draws(30)):
        n, size = 300, int(rng.integers(13, 25))
        town = rng.integers(0, size, n)
        y = np.array([f"c{k}" for k in (town * 7 % 5 + rng.integers(0, 3, n)) % 4])
        towns = pd.Categorical.from_codes(town, [f"v{i:02}" for i in range(size)])
        tables.append((pd.DataFrame({"town": towns}), y, rng.random(n) + 0.5))
    grown_alike(run, tables, max_depth=2)


def test_a_cut_of_c45_leaves_25_of_many_cases_on_either_side(run):
    """A tenth of the share of a class, but never more than 25."""
    columns = [np.repeat([0.0, 1.0], [few, 1000 - few]) for few in (22, 24, 25)]
    tables = [(pd.DataFrame({"a": one}), np.where(one, "c0", "c1")) for one in columns]
    trees = grown_alike(run, tables, C45Classifier)
    assert [tree.n_leaves for tree in trees] == [1, 1, 2]


@pytest.mark.slow
def test_ten_thousand_rows_of_twenty_columns_grow_in_the_time_of_twenty_sorts(run):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((10_000, 20)))
    y = np.where((X[0] + X[1] * X[2] > 0.8) ^ (rng.random(10_000) < 0.1), "a", "b")
    cases = {
        "attributes": [{"name": f"x{a}", "kind": "numeric", "levels": []} for a in X],
        "columns": [X[a].tolist() for a in X],
        "target": (y == "b").astype(int).tolist(),
        "classes": ["a", "b"],
        "weight": None,
    }
    # Each works for about a second, so that whatever else the machine does slows down all alike.
    once = """cases => {
      cases.columns = cases.columns.map(column => Float64Array.from(column));
      const sorted = () => cases.columns.forEach(
        column => Array.from(column.keys()).sort((i, j) => column[i] - column[j]));
      const sort = () => { for (let i = 0; i < 20; i++) sorted(); };
      return [sort, () => engine.c45(cases), () => engine.cart(cases)].map(work => {
        const start = performance.now();
        work();
        return performance.now() - start;
      });
    }"""
    least = np.full(3, np.inf)
    for _ in range(10):
        least = np.minimum(least, run.page.evaluate(once, cases))
        if max(least[1:]) < least[0]:  # half of it, measured alone
            break
    assert max(least[1:]) < least[0]


# --- taken away -----------------------------------------------------------------------------------

ODD = ["it's", 'say "x"', "a\nb\\", "\t\r\x7f", "é", "𝒜", "</script>", "`#&%>", "\u2028", "''\""]
ODD += ["x", "y"]

WRITE = """
documents => documents.map(tree => [
  engine.asProgram(tree, engine.LANGUAGES.JavaScript, tree.fractional),
  engine.asProgram(tree, engine.LANGUAGES.Python, tree.fractional),
  engine.asSql(tree),
  engine.asMermaid(tree),
])
"""


def rounded(program):
    return re.sub(r"\d\.\d{13,}(e-\d+)?", lambda number: f"{float(number[0]):.12g}", program)


def test_programs_are_those_of_the_package_letter_for_letter(run):
    rng, trees = np.random.default_rng([SEED, 7]), []
    makers = ID3Classifier, C45Classifier, CARTClassifier, CARTRegressor
    for drawn in range(draws(160)):
        make = makers[drawn % 4]
        X, y, weight = table(rng, make is CARTRegressor)
        if rng.random() < 0.5:  # names, levels and classes that must be quoted
            X = X.rename(columns=dict(zip(X, rng.permutation(ODD), strict=False)))
            for name in X.select_dtypes("category"):
                named = dict(zip(X[name].cat.categories, rng.permutation(ODD), strict=False))
                X[name] = X[name].cat.rename_categories(named)
            y = y if make is CARTRegressor else np.array([ODD[int(label[1:])] for label in y])
        model = make(**({"max_surrogates": 0} if drawn % 4 > 1 else {}))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # ID3 says that it takes numbers for levels
            trees.append(model.fit(X, y, weight).tree_)
    found = run.page.evaluate(WRITE, [json.loads(tree.to_json()) for tree in trees])
    for (*programs, diagram), tree in zip(found, trees, strict=True):
        whole = replace(tree, fractional=False)  # SQL has no parts
        wanted = [to_js(tree), to_python(tree), to_sql(whole)]
        if tree.fractional:  # the last digit of a share depends on the order of the sum
            wanted, programs = ([rounded(text) for text in texts] for texts in (wanted, programs))
        assert programs == wanted
        assert diagram == to_mermaid(tree)

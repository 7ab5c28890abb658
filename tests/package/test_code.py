"""Trees as programs: each is run, and says of random cases what the tree says."""

import ctypes
import json
import math
import shutil
import sqlite3
import subprocess
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from deno import find_deno_bin
from tiers import sample

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, datasets
from dtreebook.data.cases import Attribute
from dtreebook.data.encoding import encode
from dtreebook.tree.code import to_c, to_js, to_python
from dtreebook.tree.predicting import answers
from dtreebook.tree.splits import Multiway, Threshold
from dtreebook.tree.sql import to_sql
from dtreebook.tree.tree import Node, Tree

# Labels made to break out of text in any language.
HOSTILE = ["'; DROP TABLE t; --", 'say "5" \\', "a\nb\r\u2028c", "*/ ??/ // \\n %s {x} ${y} `"]
HOSTILE += ["</script><!--<script>", "\x1b[31m\u202eevil", "中文 é 😀", ""]


def table(seed, hostile):
    """Draw X with blanks, two opposite numbers, ordered and nominal columns; y; and new cases."""
    rng = np.random.default_rng(seed)
    n = 60
    colours = HOSTILE if hostile else list("rgbyw")
    number = rng.normal(size=n).round(1)
    X = pd.DataFrame(
        {
            "number": number,
            "si'ze\" `]": pd.Categorical.from_codes(rng.integers(0, 4, n), list("SMLX"), True),
            "colour": pd.Categorical(rng.choice(colours, n)),
            "shape\n": pd.Categorical(rng.choice(["round", "square"], n)),
            "large": (3 - number).round() * 1e9,
        }
    )
    y = rng.choice(HOSTILE[:3] if hostile else ["a", "b", "c"], n)
    y = np.where((X.number > 0) & (rng.random(n) < 0.8), y[0], y)
    new = X.sample(200, replace=True, random_state=seed).reset_index(drop=True)
    for name in ("colour", "shape\n"):
        new[name] = new[name].astype(object).where(rng.random(200) > 0.1, "never seen")
    blank = rng.random(new.shape) < 0.2
    return X.mask(rng.random(X.shape) < 0.1), y, new.mask(blank)


def trees(seed, hostile):
    """Grow a tree of every kind on a drawn table; yield them with new cases."""
    X, y, new = table(seed, hostile)
    number = X["number"].fillna(0) * 3 + np.arange(len(X)) % 7
    nominal = X.drop(columns=["number", "large"])
    depth = [None, 2][seed % 2]
    yield ID3Classifier(max_depth=depth).fit(nominal, y).tree_, new[list(nominal)]
    for model in (
        CARTClassifier(max_surrogates=3, max_depth=depth),
        CARTClassifier(max_surrogates=2, missing="surrogates"),
        CARTClassifier(missing="stop"),
        C45Classifier(confidence=None, min_weight=0),
        C45Classifier(group_values=True),
    ):
        yield model.fit(X, y).tree_, new
    yield CARTRegressor(max_surrogates=2, max_depth=depth).fit(X, number).tree_, new


def rows(X):
    return X.astype(object).where(X.notna(), None).to_dict("records")


def said_by_tree(tree, X):
    if not tree.fractional:
        return [{said} for said in tree.predict(X).tolist()]
    shares = answers(tree, encode(X, tree.attributes))
    tied = shares >= shares.max(axis=1, keepdims=True) - 1e-12
    return [set(tree.classes[row].tolist()) for row in tied]


def check(tree, X, answers):
    for wanted, found in zip(said_by_tree(tree, X), answers, strict=True):
        assert found in wanted


def run_python(tree, X):
    program = {}
    exec(to_python(tree), program)
    return [program["predict"](row) for row in rows(X)]


def run_sql(tree, X):
    quoted = ['"' + name.replace('"', '""') + '"' for name in X]
    with sqlite3.connect(":memory:") as database:
        database.execute(f"CREATE TABLE t ({', '.join(quoted)})")
        places = ", ".join("?" * len(quoted))
        values = [tuple(row.values()) for row in rows(X)]
        database.executemany(f"INSERT INTO t VALUES ({places})", values)
        said = database.execute(f"SELECT {to_sql(tree)} FROM t ORDER BY rowid").fetchall()
        return [answer for (answer,) in said]


def run_c(tree, X, folder):
    source, library = folder / "tree.c", folder / f"{len(list(folder.iterdir()))}.so"
    source.write_text(to_c(tree), encoding="ascii")
    strict = ["-std=c99", "-Wall", "-Werror", "-Wno-unused-function"]
    command = [compiler(), *strict, "-shared", "-fPIC", "-o", library, source, "-lm"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    found = ctypes.CDLL(str(library))
    found.predict.argtypes = [ctypes.POINTER(ctypes.c_double)]
    if tree.is_regression:
        found.predict.restype = ctypes.c_double
    else:
        names = (ctypes.c_char_p * len(tree.classes)).in_dll(found, "classes")
        assert [name.decode() for name in names] == tree.classes.tolist()
    columns = [
        np.where(column < 0, np.nan, column) if attribute.levels else column
        for attribute, column in zip(tree.attributes, encode(X, tree.attributes), strict=True)
    ]
    answers = []
    for row in zip(*columns, strict=True):
        said = found.predict((ctypes.c_double * len(row))(*row))
        answers.append(said if tree.is_regression else tree.classes[said])
    return answers


def compiler():
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def run_js(pairs, folder):
    """Run the programs of several trees, each on its cases.

    What is unknown in a row is null there, or it is not there at all.
    """
    programs = []
    for tree, X in pairs:
        given = rows(X)
        given[::2] = [{k: v for k, v in row.items() if v is not None} for row in given[::2]]
        programs.append(f"(() => {{ {to_js(tree)}\nreturn {json.dumps(given)}.map(predict); }})()")
    file = folder / "trees.js"
    file.write_text(f"console.log(JSON.stringify([{', '.join(programs)}]));", encoding="utf-8")
    command = [find_deno_bin(), "run", file]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


drawn = pytest.mark.parametrize(
    ("seed", "hostile"), list(product(sample(range(6), quick=1), (False, True)))
)


@drawn
def test_the_python_program_says_what_the_tree_says(seed, hostile):
    for tree, new in trees(seed, hostile):
        check(tree, new, run_python(tree, new))


@drawn
def test_the_sql_expression_says_what_the_tree_says(seed, hostile):
    for tree, new in trees(seed, hostile):
        if tree.fractional:
            with pytest.raises(ValueError, match="every branch in parts, which SQL cannot say"):
                to_sql(tree)
            tree = replace(tree, fractional=False)
        check(tree, new, run_sql(tree, new))


@drawn
def test_the_c_program_says_what_the_tree_says(seed, hostile, tmp_path):
    if compiler() is None:
        pytest.skip("no C compiler on this machine")
    for tree, new in trees(seed, hostile):
        check(tree, new, run_c(tree, new, tmp_path))


@drawn
def test_the_javascript_program_says_what_the_tree_says(seed, hostile, tmp_path):
    pairs = list(trees(seed, hostile))
    for (tree, new), found in zip(pairs, run_js(pairs, tmp_path), strict=True):
        check(tree, new, found)


def test_of_classes_as_likely_but_for_rounding_programs_say_the_first(tmp_path):
    leaves = [
        Node(np.array(counts), int(counts[1] > 0)) for counts in ([0.3, 0], [0, 0.1], [0, 0.2])
    ]
    root = Node(np.array([0.3, 0.3]), 0, Multiway(0), tuple(leaves))
    attribute = Attribute("x", "nominal", ("u", "v", "w"))
    tree = replace(Tree.from_root(root, (attribute,), np.array(["p", "q"])), fractional=True)
    X = pd.DataFrame({"x": ["u", None]})
    assert np.diff(answers(tree, encode(X, tree.attributes))[1]) > 0
    said = ["p", "p"]
    assert tree.predict(X).tolist() == said == run_python(tree, X)
    assert run_js([(tree, X)], tmp_path) == [said]
    assert compiler() is None or run_c(tree, X, tmp_path) == said


AGES = pd.cut([1, 2, 8, 9], 2)


@pytest.mark.parametrize(
    ("program", "values"), [(to_python, AGES), (to_js, AGES), (to_sql, [b"a", b"a", b"b", b"b"])]
)
def test_a_level_that_a_program_cannot_hold_is_refused(program, values):
    with pytest.raises(TypeError, match=r"cannot hold (Interval|b'a').*turn such values into text"):
        program(CARTClassifier().fit(pd.DataFrame({"age": values}), [0, 0, 1, 1]).tree_)


def test_a_script_that_stands_in_a_page_is_not_ended_by_a_label():
    for tree, _ in trees(0, True):
        assert "</script" not in to_js(tree)
        assert "<!--" not in to_js(tree)


def chain(depth):
    below = Node(np.array([1.0, 0.0]), 0)
    for cut in reversed(range(depth)):
        leaf = Node(np.array([float(cut % 2), 1.0]), cut % 2)
        children = (leaf, below) if cut % 3 else (below, leaf)
        below = Node(np.array([1.0, depth - cut]), 1, Threshold(0, float(-cut)), children)
    return Tree.from_root(below, (Attribute("x", "numeric"),), np.array(["p", "q"]))


@pytest.mark.parametrize("fractional", [False, True])
def test_deep_trees_become_several_functions(fractional, tmp_path):
    tree = replace(chain(300), fractional=fractional)
    X = pd.DataFrame({"x": [*np.linspace(-310, 10, 60), np.nan]})
    check(tree, X, run_python(tree, X))
    check(tree, X, run_js([(tree, X)], tmp_path)[0])
    if compiler():
        check(tree, X, run_c(tree, X, tmp_path))


def test_no_engine_takes_a_number_of_sql_for_another():
    """C4.5 cuts at values that occur. As decimals some 3 in 100 become another double in DuckDB."""
    duckdb = pytest.importorskip("duckdb")
    values = np.random.default_rng(0).random(400)
    X, even = pd.DataFrame({"x": values}), np.arange(400) % 2
    grown = {"min_weight": 1, "average_gain_guard": False, "mdl_penalty": False, "collapse": False}
    shares = C45Classifier(criterion="gain", confidence=None, **grown).fit(X, even).tree_
    trees = [replace(shares, fractional=False), CARTRegressor().fit(X, values).tree_]
    with duckdb.connect() as database:
        database.register("t", X)
        for tree in trees:
            assert tree.n_leaves > 100
            said = database.execute(f"SELECT {to_sql(tree)} FROM t").fetchall()
            check(tree, X, [answer for (answer,) in said])


@pytest.mark.slow
@pytest.mark.parametrize("depth", [300, 900])
def test_sql_takes_deep_trees(depth):
    X = pd.DataFrame({"x": [*np.linspace(-310, 10, 60), np.nan]})
    check(chain(depth), X, run_sql(chain(depth), X))


def test_dialects_quote_names_and_text_in_their_own_way():
    X = pd.DataFrame({'a"`]': ["it's \\", "no"], "b": [True, False]})
    tree = ID3Classifier().fit(X, ["x", "y"]).tree_
    assert "\"a\"\"`]\" = 'it''s \\' THEN" in to_sql(tree)
    assert "`a\"``]` USING utf8mb4) AS BINARY) = 'it''s \\\\' THEN" in to_sql(tree, "mysql")
    said = "([a\"`]]] + N'.') COLLATE Latin1_General_BIN2 = N'it''s \\.' THEN N'x'"
    assert said in to_sql(tree, "sqlserver")
    truth = ID3Classifier().fit(X[["b"]], ["x", "y"]).tree_
    assert '"b" = TRUE THEN' in to_sql(truth)
    assert "[b] = 1 THEN" in to_sql(truth, "sqlserver")
    with pytest.raises(ValueError, match=r"dialect must be one of ansi, .*sqlserver, .*not 'x'"):
        to_sql(tree, "x")


def test_an_empty_field_is_unknown_in_every_program(tmp_path):
    X = pd.DataFrame({"age": [1, 2, 3, 10, 11, 12, 13]})
    tree = CARTClassifier().fit(X, list("lllhhhh")).tree_
    values = '[null, undefined, NaN, "", "  ", [], false, "abc", "2", 2]'
    script = f"{to_js(tree)}\nconsole.log({values}.map((v) => predict({{ age: v }})).join(''))"
    file = tmp_path / "blank.js"
    file.write_text(script, encoding="utf-8")
    run = subprocess.run([find_deno_bin(), "run", file], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "hhhhhhhhll"
    program = {}
    exec(to_python(tree), program)
    blanks = [None, pd.NA, pd.NaT, math.nan, "", " ", np.float32("nan"), "2", 2, np.int64(2)]
    assert "".join(program["predict"]({"age": value}) for value in blanks) == "hhhhhhhlll"


@pytest.mark.parametrize("name", ["toString", "constructor", "__proto__"])
def test_what_every_object_of_javascript_has_is_no_value(name, tmp_path):
    X = pd.DataFrame({name: [1.0, 2.0, 3.0]})
    tree = CARTClassifier().fit(X, ["low", "low", "high"]).tree_
    check(tree, X * np.nan, run_js([(tree, X * np.nan)], tmp_path)[0])


def test_what_a_language_cannot_say_is_refused_by_name():
    with pytest.raises(ValueError, match="the tree asks 901 questions on a path, and databases"):
        to_sql(chain(901))
    tree = CARTClassifier().fit(pd.DataFrame({"a": ["x\0y", "z"]}), [0, 1]).tree_
    with pytest.raises(ValueError, match="SQL has no text with the character 0, as in 'x"):
        to_sql(tree)
    tree = CARTClassifier().fit([[1], [2]], ["x\0y", "z"]).tree_
    with pytest.raises(ValueError, match="C has no text with the character 0, as in 'x"):
        to_c(tree)
    tree = CARTClassifier().fit(pd.DataFrame({"a": pd.Categorical([np.inf, 1])}), [0, 1]).tree_
    with pytest.raises(TypeError, match="cannot hold inf: turn such values into text"):
        to_sql(tree)
    tree = CARTClassifier().fit([[1], [2]], [2**60, 2**60 + 1]).tree_
    with pytest.raises(ValueError, match="JavaScript cannot tell 1152921504606846976 from its"):
        to_js(tree)
    assert run_python(tree, pd.DataFrame({"x0": [1, 2]})) == [2**60, 2**60 + 1]


def test_c_lists_columns_levels_and_classes():
    text = to_c(CARTClassifier(max_depth=1).fit(*datasets.load_golf(return_X_y=True)).tree_)
    assert '// row[0] "outlook": 0 "sunny", 1 "overcast", 2 "rain"\n' in text
    assert '// row[1] "temperature": a number\n' in text
    assert """classes[] = {"Play", "Don't Play"};""" in text


def test_a_level_without_a_branch_and_levels_that_are_no_text():
    attribute = Attribute("k", "nominal", (1, 2.5, False, "1"))
    leaves = tuple(Node(np.eye(4)[k], k) for k in range(4))
    root = Node(np.ones(4), 0, Multiway(0), leaves)
    tree = Tree.from_root(root, (attribute,), np.array([1, 2.5, False, "1"], dtype=object))
    program = {}
    exec(to_python(tree), program)
    said = [program["predict"]({"k": value}) for value in (1, 2.5, False, "1", None, math.nan, 7)]
    assert said == [1, 2.5, False, "1", 1, 1, 1]
    exec(to_python(CARTRegressor().fit([[1], [2]], [5.0, 7.0]).tree_), program)
    assert [program["predict"]({"x0": x}) for x in (1, 2, None, math.nan)] == [5, 7, 6, 6]

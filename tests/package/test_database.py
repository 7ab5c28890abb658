"""Trees from a database are those from memory, node for node; DuckDB holds the tables."""

import os
import re
import signal
import subprocess
import sys
import threading
import warnings
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from everything import PARAMETERS, estimator
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from same_trees import assert_same
from sklearn.base import clone
from sklearn.model_selection import KFold
from tiers import at, draws, sample, sometimes

from dtreebook import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ForestClassifier,
    ID3Classifier,
    compare,
    plot,
    predict_quantile,
    refit_leaves,
)
from dtreebook.count.ranges import equal_ranges, grid, numbers_of_ranges
from dtreebook.data.cases import Attribute, Cases
from dtreebook.database import asking, counter, expressions, spark
from dtreebook.database import source as sources
from dtreebook.database.asking import Asker, DatabaseError, n_bytes
from dtreebook.database.expressions import equal_range, number_of_range
from dtreebook.database.fitting import decisions, fit, folds
from dtreebook.datasets import load_golf
from dtreebook.grow.criteria import BINARY
from dtreebook.optimal import optimal_tree
from dtreebook.prune.crossvalidation import cp_table, splits
from dtreebook.prune.error_based import error_based
from dtreebook.prune.pruning import Choice
from dtreebook.tree.routing import FractionalCases
from dtreebook.tree.tree import Tree

ibis = pytest.importorskip("ibis")
pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")

# What Ibis says of the next versions of pandas and DuckDB is nothing that a table can change.
pytestmark = pytest.mark.filterwarnings(
    "ignore:The .future.infer_string", "ignore:fetch_:DeprecationWarning"
)


@st.composite
def models(draw):
    """Draw a kind of estimator and all its parameters."""
    kind = draw(st.sampled_from(list(PARAMETERS)))
    return kind, {name: draw(st.sampled_from(values)) for name, values in PARAMETERS[kind].items()}


@pytest.fixture(scope="module")
def connection():
    return ibis.duckdb.connect()


@st.composite
def tables(draw):
    """Draw a table with numbers, text and booleans, blanks, ties, classes and weights."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, columns = draw(st.integers(4, at(quick=80, full=150))), {}
    for i, kind in enumerate(draw(st.lists(st.sampled_from("wtbfn"), min_size=1, max_size=4))):
        values = {
            "w": rng.integers(0, draw(st.integers(1, 40)), n).astype(float),  # whole numbers, ties
            "f": rng.normal(size=n) * 10.0 ** draw(st.integers(-6, 6)),
            "t": rng.choice(["b", "a", "C'd\"", "é", ""][: draw(st.integers(1, 5))], n),
            "b": rng.random(n) < 0.4,
            "n": [None] * n,
        }[kind]
        values = pd.Series(values, dtype={"w": float, "f": float, "n": "string"}.get(kind, object))
        if draw(st.booleans()):
            values[rng.random(n) < 0.15] = None
        columns[f'{kind}"{i}'] = values
    X = pd.DataFrame(columns)
    score = sum(pd.factorize(X[name])[0] % 3 for name in X) + rng.integers(0, 2, n)
    y = score % draw(st.integers(2, 3))
    names = draw(st.sampled_from([["no", "yes", "may'be"], [4, 2, 3], [False, True, True]]))
    weight = draw(st.sampled_from([None, "whole", "zero"]))
    if weight is not None:
        weight = rng.integers(1 if weight == "whole" else 0, 4, n).astype(float)
        weight[0] = 1
    return X, np.array(names)[y], score + np.round(rng.normal(size=n), 1), weight


def grow_both(connection, model, X, y, weight=None, memory=50, is_recorded=False):
    """Grow a tree in the database and one in memory, and compare them, and their records."""
    columns = {"answer": y} | ({} if weight is None else {"weight": weight})
    rows = connection.create_table("drawn", X.assign(**columns), overwrite=True)
    given_weight = None if weight is None else "weight"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        there = clone(model).fit(X, y, weight)
        here = fit(clone(model), rows, "answer", given_weight, memory=memory)
        if is_recorded:
            record = decisions(clone(model), rows, "answer", given_weight, memory=memory)
            assert_same_record(record, clone(model).decisions(X, y, weight))
    assert_same(here.tree_, there.tree_)
    assert Tree.from_json(here.tree_.to_json()) == here.tree_
    if getattr(there, "cp_table_", None) is not None:
        pd.testing.assert_frame_equal(here.cp_table_, there.cp_table_, rtol=1e-9, atol=1e-9)
        assert here.ccp_alpha_ == pytest.approx(there.ccp_alpha_, rel=1e-9)
    return here.tree_


def assert_same_record(record, expected):
    for one, two in zip(record, expected, strict=True):
        assert (one.path, one.reason) == (two.path, two.reason)
        np.testing.assert_allclose(one.counts, two.counts, rtol=1e-9)
        assert [c.split for c in one.candidates] == [c.split for c in two.candidates]
        chosen = [d.candidates.index(d.chosen) if d.chosen else None for d in (one, two)]
        assert chosen[0] == chosen[1]
        for here, there in zip(one.candidates, two.candidates, strict=True):
            assert here.title == there.title
            np.testing.assert_allclose(here.table, there.table, rtol=1e-9, atol=1e-9)
            numbers = [[c.score, *c.measures.values()] for c in (here, there)]
            np.testing.assert_allclose(*numbers, rtol=1e-9, atol=1e-9)


class Gathered(list):
    """What workers of Spark have made, in one process."""

    def mapPartitions(self, work):
        return Gathered(work(self))

    def map(self, work):
        return Gathered(map(work, self))

    def __getattr__(self, name):  # what says where the parts are, and for how long
        return {"getNumPartitions": lambda: 2, "collect": lambda: list(self)}.get(
            name, lambda *of: self
        )


@pytest.fixture
def work_of_spark(monkeypatch):
    """Have rows packed, counted and finished as workers of Spark do it, by batches of Arrow."""

    def batches(rows):
        found = rows.to_pyarrow().combine_chunks()
        parts = found.to_batches(max_chunksize=17)
        return Gathered(part.serialize().to_pybytes() for part in parts), found.schema

    monkeypatch.setattr(spark, "_ROWS", 40)
    monkeypatch.setattr(spark, "_batches", batches)
    monkeypatch.setattr(counter, "is_in_spark", lambda rows: True)


@pytest.fixture(params=["DuckDB", "workers"])
def counting_by(request):
    if request.param == "workers":
        request.getfixturevalue("work_of_spark")


@contextmanager
def small_limits(lines, levels):
    """Let so few lines of counts fit in memory that ranges of values are divided again.

    With more levels than these, a column is sent down by a table of them, which is joined.
    """
    counted = counter.DatabaseCounter._counted
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expressions, "MANY_LEVELS", levels)
        if lines is None:
            yield
            return
        patch.setattr(asking, "_LINES", lines)
        patch.setattr(counter, "_KEPT", 10**6)
        # The answers themselves may be as long as they are.
        patch.setattr(
            counter.DatabaseCounter, "_counted", lambda *of: counted(*of[:-1], most=10**6)
        )
        yield


@settings(max_examples=draws(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    table=tables(), model=models(), memory=st.sampled_from([9, 60]), is_recorded=st.booleans(),
    lines=st.sampled_from([None, 4, 12, 30]), levels=st.sampled_from([2, 64]),
)  # fmt: skip
def test_the_tree_is_the_one_grown_in_memory(
    counting_by, connection, table, model, memory, is_recorded, lines, levels
):
    X, y, number, weight = table
    kind, given = model
    answers = number if kind is CARTRegressor else y
    if given.get("criterion") == "poisson":
        answers = np.maximum(number, 0)  # a side that has counted nothing is none
    model = estimator(kind, given, X, answers, weight)
    with small_limits(lines, levels):
        grow_both(connection, model, X, answers, weight, memory, is_recorded)


@settings(max_examples=draws(8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    table=tables(), kind=st.sampled_from([CARTClassifier, CARTRegressor]), more=st.booleans(),
    how=st.sampled_from(["best", "one_standard_error"]), memory=st.sampled_from([9, 60]),
    cv=st.sampled_from([2, 3, KFold(4, shuffle=True, random_state=0), "array"]),
)  # fmt: skip
def test_cross_validation_draws_the_folds_of_memory_and_chooses_its_price(
    counting_by, connection, table, kind, more, how, memory, cv
):
    X, y, number, weight = table
    weight = None if weight is None else np.maximum(weight, 1)
    y = number if kind is CARTRegressor else y
    model = kind(ccp_alpha=how, max_depth=5, max_surrogates=2 if more else 0)
    if kind is CARTClassifier:
        classes, sizes = np.unique(y, return_counts=True)
        cv = 2 if isinstance(cv, int) and cv > sizes.max() else cv
        model.class_weight = "balanced" if more else None
        model.loss = None if more else 1.5 * (1 - np.eye(len(classes)))
    model.cv = np.arange(len(y)) * 7 % 3 if isinstance(cv, str) else cv
    grow_both(connection, model, X, y, weight, memory)


def test_a_table_in_a_database_has_a_cp_table_of_every_estimator(connection, monkeypatch):
    frame = small()
    rows = connection.create_table("priced", frame, overwrite=True)
    monkeypatch.setattr(sources, "BATCH", 50)
    for model in (C45Classifier(confidence=None), CARTClassifier(max_depth=6)):
        expected = cp_table(model, frame[["a", "b"]], frame.y, 5)
        pd.testing.assert_frame_equal(cp_table(model, rows, "y", 5), expected)


def test_levels_of_an_enum_that_are_in_no_row_are_none(connection):
    connection.raw_sql("CREATE TYPE color AS ENUM ('red', 'green', 'blue')")
    connection.raw_sql("CREATE OR REPLACE TABLE hued (a color, y color)")
    connection.raw_sql("INSERT INTO hued VALUES ('green', 'red'), ('blue', 'green')")
    tree = ID3Classifier().fit(connection.table("hued"), "y").tree_
    assert str(tree) == "a = blue: green (1.0)\na = green: red (1.0)"


def test_rows_keep_their_folds_where_a_database_orders_them_anew_each_time(connection):
    rows = pd.DataFrame({"a": np.arange(60), "y": np.repeat(["no", "yes"], 30)})
    connection.create_table("still", rows, overwrite=True)
    connection.raw_sql("CREATE OR REPLACE VIEW shuffled AS SELECT * FROM still ORDER BY random()")
    draw = partial(splits, 30, is_classifier=True)  # one of each class in every fold
    given = CARTClassifier(), connection.table("shuffled"), "y", None, draw, "2GB"
    with folds(*given) as (_, drawn):
        for _, left_out, _ in drawn:
            (cases,) = left_out
            assert sorted(cases.target) == [0, 1]


@pytest.mark.parametrize(
    ("lost", "said"), [("y", "y is NULL in some rows"), ("x0", "'color' now holds 'blue'")]
)
def test_workers_of_spark_notice_rows_that_were_not_there_at_the_first_look(lost, said):
    color = Attribute("color", "nominal", ("green", "red"))
    known = spark.Known((color,), np.array(["no", "yes"]), sources.Numbers("gini", 0))
    rows = pa.record_batch({"x0": ["red", "green"], "y": ["yes", "no"]})
    _, target, _ = spark.pack(known, rows.schema, rows.serialize())
    assert target.tolist() == [1, 0]
    other = {"y": {"y": [None, "no"]}, "x0": {"x0": ["blue", None]}}[lost]
    rows = pa.record_batch(rows.to_pydict() | other)
    with pytest.raises(DatabaseError, match=said):
        spark.pack(known, rows.schema, rows.serialize())


def test_workers_of_spark_share_nothing_out_of_nodes_without_rows():
    number = Attribute("a", "numeric")
    cases = Cases((number,), (np.zeros(2),), np.zeros(2, dtype=int), np.array(["no", "yes"]))
    rows = spark.PackedRows(None, None, None, nodes=(3, 4))
    parts = FractionalCases(np.array([1]), np.array([0]), np.ones(1))
    assert [node for node, _ in spark.share(False, rows, cases, parts)] == [3]


@pytest.fixture
def asked(monkeypatch):
    """Return a list of what is asked from now on, in words, and how many rows each answer has."""
    found, ask, batches = [], Asker.ask, Asker.batches

    def heard(self, question, what):
        answer = ask(self, question, what)
        found.append((what, len(answer)))
        return answer

    def heard_by_parts(self, question, what, size):
        parts = list(batches(self, question, what, size))
        found.append((what, sum(map(len, parts))))
        return iter(parts)

    monkeypatch.setattr(Asker, "ask", heard)
    monkeypatch.setattr(Asker, "batches", heard_by_parts)
    return found


def normal(n, columns="ab"):
    return pd.DataFrame(np.random.default_rng(0).normal(size=(n, len(columns))), columns=[*columns])


def test_every_level_asks_two_questions_at_most(connection, asked):
    """Beside them one look and one sample; what is finished in memory is fetched once."""
    X = normal(4000)
    y = np.where(X.a + X.b > 0.3, "yes", "no")
    grow_both(connection, CARTClassifier(max_depth=4), X, y, memory=500)
    questions = [what for what, _ in asked]
    for level in range(4):
        small = f"small nodes of level {level}"
        assert sum(f"level {level}" in what and small not in what for what in questions) <= 2
        assert sum(small in what for what in questions) <= 1
    assert sum("level" not in what for what in questions) == 2
    assert len(questions) > 5


def test_doubtful_ranges_are_divided_until_their_values_fit(connection, monkeypatch, asked):
    X = normal(30_000)
    y = (X.a + X.b + np.random.default_rng(1).normal(size=len(X)) > 0).to_numpy()
    monkeypatch.setattr(asking, "_LINES", 2500)
    grow_both(connection, CARTClassifier(max_depth=2), X, y, memory=500)
    assert max(n for what, n in asked if "level" in what) <= 2500
    assert "the counts in the doubtful ranges of level 1" in dict(asked)


def test_counts_that_do_not_fit_are_refused_by_the_name_of_the_column(connection, monkeypatch):
    rows = connection.create_table(
        "names", {"a": range(3000), "kind": [str(i % 3) for i in range(3000)]}, overwrite=True
    )
    rows = rows.mutate(answer=rows.a % 2 == 0, number=rows.a.cast("string"))
    monkeypatch.setattr(asking, "_LINES", 1000)
    with pytest.raises(ValueError, match=r"more than the 1,000 lines .* 'number'"):
        fit(ID3Classifier(), rows.drop("a"), "answer", memory=10)


def test_a_table_of_the_same_name_is_not_taken_for_the_one_before(connection):
    """Ibis keeps rows by their expression, which says nothing of what they were."""
    for sign in (1, -1):
        X = normal(200)
        y = np.where(X.a * X.b * sign > 0, "yes", "no")
        before = {*connection.list_tables(), "drawn"}
        grow_both(connection, CARTClassifier(max_depth=3), X * sign, y)
        assert {*connection.list_tables()} == before


def test_branches_are_raised_with_the_rows_of_all_branches(connection, counting_by):
    """And pruned again with them; rows of unknown value go along in parts."""
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice([*"uvw"], 60).astype(object)})
    y = np.where((X.a > 0.2) ^ (X.b == "u") ^ (rng.random(60) < 0.3), "yes", "no")
    X = X.mask(rng.random(X.shape) < 0.1)
    model = C45Classifier(min_weight=1, mdl_penalty=False)
    unpruned = clone(model).set_params(confidence=None).fit(X, y).tree_
    choices = [made.choice for made in error_based(unpruned, X, y).comparisons]
    assert choices.count(Choice.BRANCH) > 2
    grow_both(connection, model, X, y, memory=30)


@pytest.mark.parametrize("model", [CARTClassifier, CARTRegressor])
def test_most_values_go_unread(connection, asked, model):
    X = normal(20_000)
    number = X.a + 0.3 * np.random.default_rng(1).normal(size=20_000)
    y = (np.exp(number) if model is CARTRegressor else number > 0.2).to_numpy()
    grow_both(connection, model(max_depth=1), X, y, memory=1000)
    (inside,) = (n for what, n in asked if "doubtful" in what)
    assert 0 < inside < 0.05 * 2 * len(X)


@pytest.mark.parametrize("form", ["outliers", "huge", "subnormal"])
def test_numbers_of_any_size_have_ranges(connection, monkeypatch, form):
    """What lies far beyond the sample, or so far apart or close that a difference says nothing."""
    monkeypatch.setattr(sources, "_SAMPLE", 100)
    rng = np.random.default_rng(5)
    a = {
        "outliers": np.append(1e300, rng.normal(size=899)),
        "huge": rng.choice([-1.5e308, 1.5e308], 900) + rng.normal(size=900) * 1e306,
        "subnormal": rng.integers(0, 60, 900) * 5e-324,
    }[form]
    y = (a > np.quantile(a, 0.5, method="lower")) ^ (rng.random(900) < 0.2)
    grow_both(connection, CARTClassifier(max_depth=3), pd.DataFrame({"a": a}), y)
    rows = connection.table("drawn")
    ranges, ends = grid(a[::9]), (float(a.min()), float(a.max()))
    asked = rows.mutate(all=number_of_range(rows.a, ranges), inside=equal_range(rows.a, *ends, 50))
    found = asked.to_pandas()
    assert numbers_of_ranges(a, ranges).tolist() == found["all"].tolist()
    assert equal_ranges(a, *ends, 50).tolist() == found.inside.tolist()
    assert (found.sort_values("a")[["all", "inside"]].diff().dropna() >= 0).all(axis=None)


@pytest.mark.filterwarnings("error:overflow")
def test_a_range_may_end_between_two_huge_numbers():
    """Their difference is no number, nor what is half-way between them."""
    a = np.array([sign * (1.7e308 - i * 1e305) for sign in (-1, 1) for i in range(10)])
    assert set(grid(a).ends) <= set(a)


def test_where_rows_repeat_each_is_fetched_once_although_more_could_differ(connection, asked):
    """Levels and classes allow for 490 different rows; there are 36 among 720."""
    k = np.arange(36)
    X = pd.DataFrame({"a": k % 6, "b": k // 6, "c": k % 4}).map("level {}".format)
    y = np.tile(k * k % 11 % 2 == 0, 20)
    model = ID3Classifier(class_weight="balanced")
    grow_both(connection, model, pd.concat([X] * 20), y, memory=100)
    assert [(what, n) for what, n in asked if "level " in what] == [
        ("the rows of the small nodes of level 0", 36)
    ]


@pytest.mark.parametrize("form", ["names", "columns", "projection"])
def test_y_is_a_column_or_its_name(connection, form):
    frame, classes = load_golf(return_X_y=True)
    frame = frame.astype({name: object for name in frame if frame[name].dtype == "category"})
    golf = frame.assign(answer=classes.astype(object))
    rows = connection.create_table("golf", golf, overwrite=True)
    *names, answer = golf.columns
    X, y = {
        "names": (rows, answer),
        "columns": (rows.drop(answer), rows[answer]),
        "projection": (rows.select(*names), rows[answer]),
    }[form]
    model = C45Classifier(subtree_raising=False).fit(X, y)
    expected = C45Classifier(subtree_raising=False).fit(frame, golf[answer])
    assert_same(model.tree_, expected.tree_)
    assert model.feature_names_in_.tolist() == names


def test_rows_go_by_the_surrogates_of_columns_of_many_levels(counting_by, connection):
    rng, n = np.random.default_rng(0), 900
    level = rng.integers(0, 70, (2, n))  # more than 64 are a table to be joined
    level[1] = np.where(rng.random(n) < 0.8, level[0], level[1])
    X = pd.DataFrame({"a": level[0], "b": level[1]}).map("level {}".format)
    X["c"] = level[1] + rng.normal(size=n)
    y = np.where((level[0] % 3 == 0) ^ (rng.random(n) < 0.1), "yes", "no")
    X = X.mask(rng.random(X.shape) < 0.2)
    tree = grow_both(connection, CARTClassifier(max_depth=2), X, y, memory=200, is_recorded=True)
    assert {s.split.column for s in tree.root.surrogates} == {1}


@pytest.mark.parametrize("at", [126, 127, 128, 255, 40_000])
def test_codes_of_few_rows_are_as_wide_as_the_largest_of_them(at):
    """A piece may hold two of very many levels, or no known value."""
    levels = tuple(f"w{i:05}" for i in range(at + 1))
    rows = pa.table({"x0": ["w00000", levels[-1], None], "x1": pa.nulls(3, "string"),
                     "y": [levels[-1], "w00000", "w00000"]})  # fmt: skip
    of = Attribute("a", "nominal", levels), Attribute("b", "nominal", levels)
    cases = sources.as_cases(rows, of, np.array(levels))
    assert [column.tolist() for column in cases.columns] == [[0, at, -1], [-1, -1, -1]]
    assert cases.target.tolist() == [at, 0, 0]


@settings(max_examples=draws(10), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32 - 1),
    model=st.sampled_from([CARTClassifier(), CARTRegressor(), CARTClassifier(criterion="entropy")]),
    signs=st.lists(st.sampled_from([-1, 0, 1]), min_size=2, max_size=2),
)
def test_what_may_only_rise_or_fall_does_so(counting_by, connection, seed, model, signs):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.integers(0, 12, 90) / 4, "b": rng.normal(size=90)})
    y = X.a + X.b + 0.8 * rng.normal(size=90)
    y = y.round(1) if isinstance(model, CARTRegressor) else np.where(y > 1.4, "yes", "no")
    grow_both(connection, clone(model).set_params(monotonic_cst=signs), X, y, memory=20)


# --- scoring -------------------------------------------------------------------------------------


@settings(max_examples=draws(30))
@given(table=tables(), model=models())
def test_expressions_say_what_the_model_says_and_score_it(connection, table, model):
    X, y, number, weight = table
    y = abs(number) if model[0] is CARTRegressor else y
    weight = np.ones(len(X)) if weight is None else weight
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = estimator(*model, X[::2], y[::2]).fit(X.iloc[::2], y[::2])
        columns = {"row": range(len(X)), "truth": y, "w": weight}
        table = connection.create_table("scored", X.assign(**columns), overwrite=True)
        rows = table.drop("truth", "w")
        said = {what: getattr(model, what)(rows) for what in ("predict", "apply", "explain")}
        if not model.tree_.is_regression:
            said["predict_proba"] = model.predict_proba(rows)
        found = rows.mutate(**said).order_by("row").to_pandas()
        for what in said:
            expected = getattr(model, what)(X)
            if what == "predict_proba":
                np.testing.assert_allclose(np.stack(found[what]), expected, atol=1e-12)
            else:
                pair = found[what], pd.Series(list(expected), dtype=object)
                here, wanted = (of.astype(object).where(of.notna(), None) for of in pair)
                assert here.tolist() == wanted.tolist()
        scores = model.score(table.drop("row"), "truth", "w"), model.score(rows, table.truth)
        expected = model.score(X, y, weight), model.score(X, y)
        np.testing.assert_allclose(scores, expected, rtol=1e-9, atol=1e-12)


def test_rows_without_an_answer_do_not_count_in_a_score(connection):
    frame = small()
    model = CARTClassifier(max_depth=2).fit(frame[["a", "b"]], frame.y)
    blank = pd.DataFrame({"a": [0.0], "b": [0.0], "y": [None]})
    rows = connection.create_table("blank", pd.concat([frame, blank]), overwrite=True)
    assert model.score(rows, "y") == model.score(frame[["a", "b"]], frame.y) < 1


def test_a_tree_with_too_many_parts_is_refused(connection, monkeypatch):
    from dtreebook.database import scoring

    monkeypatch.setattr(scoring, "_TERMS", 5)
    X, y = load_golf(return_X_y=True)
    model = C45Classifier(confidence=None).fit(X, y)
    rows = connection.create_table("golf2", X, overwrite=True)
    for ask in model.predict, model.explain:
        with pytest.raises(ValueError, match="goes down every branch"):
            ask(rows)


def test_the_shares_of_many_classes_are_not_spelt_again_for_each(connection):
    frame = pd.DataFrame({"a": np.arange(36) // 3.0, "y": np.arange(36) // 3})
    rows = connection.create_table("shares", frame, overwrite=True)
    model = C45Classifier(confidence=None).fit(frame[["a"]], frame.y)
    said = rows.mutate(said=model.predict(rows))
    shares = rows.mutate(said=model.predict_proba(rows))
    assert len(ibis.to_sql(said)) < 10 * len(ibis.to_sql(shares))
    found = said.to_pandas()
    assert found.said.tolist() == model.predict(found[["a"]]).tolist()


def test_a_tree_grown_from_uuids_says_something_of_uuids(connection):
    rows = connection.sql(
        "SELECT md5((i % 4) :: VARCHAR) :: UUID AS a, i % 4 < 2 AS y FROM range(60) r(i)"
    )
    model = fit(CARTClassifier(), rows, "y", memory=5)
    found = rows.mutate(said=model.predict(rows)).to_pandas()
    assert (found.said == found.y).all()


@pytest.mark.parametrize(
    ("levels", "held", "word"),
    [
        ([False, True], ["false", "true"], "column 'a' holds string, not booleans"),
        (pd.interval_range(0, 2), ["(0, 1]", "(1, 2]"], "column 'a' has levels such as Interval"),
        (["b", 1], ["b", "1"], "column 'a' has levels such as 'b', which no column"),
    ],
)
def test_levels_that_the_column_cannot_hold_are_told(connection, levels, held, word):
    frame = pd.DataFrame({"a": pd.Categorical.from_codes([0, 1], levels)})
    rows = connection.create_table("held", pd.DataFrame({"a": held}), overwrite=True)
    with pytest.raises(ValueError, match=re.escape(word)):
        CARTClassifier().fit(frame, [0, 1]).predict(rows)


@pytest.mark.parametrize("method", ["decision_path", "predict_log_proba"])
def test_what_no_expression_says_asks_for_the_rows(connection, method):
    rows = connection.create_table("asked", small(), overwrite=True)
    model = CARTClassifier(max_depth=2).fit(rows, "y")
    with pytest.raises(TypeError, match=r"in a database.* give X.to_pandas\(\)"):
        getattr(model, method)(rows)


# --- faults --------------------------------------------------------------------------------------


def small(n=400, **columns):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.normal(size=n), "b": rng.normal(size=n)})
    return frame.assign(y=np.where(frame.a * frame.b > 0, "yes", "no"), **columns)


def interrupted(monkeypatch, at, do):
    """Do something before the question that has some words in it is asked."""

    def spoilt(ask):
        def asked(self, question, what, *size):
            if at in what:
                do()
            return ask(self, question, what, *size)

        return asked

    monkeypatch.setattr(Asker, "ask", spoilt(Asker.ask))
    monkeypatch.setattr(Asker, "batches", spoilt(Asker.batches))


def fit_interrupted():
    """Interrupt a question of a fit, and fit again on the same connection."""
    # A shell has what it runs in the background ignore interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # One thread looks for an interrupt as it works; of several, one may wait for another.
    con = ibis.duckdb.connect(threads=1)
    rows = con.create_table("t", small())
    long = con.sql("SELECT sum(i % 7) AS s FROM range(10000000000) t(i)")
    soon = threading.Timer(1, signal.raise_signal, [signal.SIGINT])
    model = CARTClassifier(max_depth=2)
    with pytest.MonkeyPatch.context() as patch:
        interrupted(patch, "level 0", lambda: (soon.start(), Asker().ask(long, "a sum")))
        with pytest.raises(KeyboardInterrupt):
            fit(model, rows, "y", memory=50)
    assert not hasattr(model, "tree_")
    fit(model, rows, "y", memory=50)


@sometimes
def test_an_interrupt_stays_one_and_the_connection_goes_on():
    """In a process of its own, which interrupts end."""
    program = "import test_database; test_database.fit_interrupted()"
    path = {"PYTHONPATH": os.pathsep.join(map(str, [Path(__file__).parent, *sys.path]))}
    subprocess.run([sys.executable, "-c", program], env=os.environ | path, check=True, timeout=60)


def test_a_full_disk_is_told(tmp_path):
    con = ibis.duckdb.connect()
    con.raw_sql(f"SET temp_directory = '{tmp_path}'")
    con.raw_sql("SET max_temp_directory_size = '1MB'")
    con.raw_sql("SET memory_limit = '60MB'")
    con.raw_sql("CREATE VIEW big AS SELECT hash(i) % 3 AS y, hash(i + 1) :: DOUBLE AS a, "
                "hash(i + 2) :: VARCHAR AS b FROM range(3000000) r(i)")  # fmt: skip
    with pytest.raises(DatabaseError, match="nothing was fitted"):
        fit(CARTClassifier(max_depth=2), con.table("big").mutate(y=ibis._.y.cast("int64")), "y")


CHANGES = [
    "DELETE FROM t WHERE a > 1",
    "INSERT INTO t SELECT a, b, y FROM t LIMIT 1",
    "UPDATE t SET y = 'perhaps' WHERE a > 1",
    "DELETE FROM t",
    "UPDATE t SET y = (SELECT y FROM t GROUP BY y ORDER BY count(*) LIMIT 1)",  # as many rows
]
# Which question it happens before, with how much memory, and what the message says.
CART, C45 = CARTClassifier(max_depth=4), C45Classifier(confidence=None)
CUTS = "the values below the cuts"  # the last question of all
FAULTS = [
    *((CART, "level 1", 150, change, "changed") for change in CHANGES),
    *((CART, "rows of the small", 390, change, "changed") for change in CHANGES),
    (C45, CUTS, 20, "DELETE FROM t", r"changed .* column 'a' holds other values now"),
    (C45, CUTS, 20, "UPDATE t SET a = a + 9", r"changed .* column 'a' holds other values now"),
    (CART, "counts of level 0", 20, "ALTER TABLE t DROP COLUMN b", '"b"'),
    (CART, "level 1", 20, "the connection drops", "of level 1, and nothing was fitted"),
]


@pytest.mark.parametrize(("model", "at", "memory", "change", "word"), sample(FAULTS, quick=4))
def test_what_happens_to_a_table_is_told_and_nothing_is_fitted(
    monkeypatch, model, at, memory, change, word
):
    con, model = ibis.duckdb.connect(), clone(model)
    rows = con.create_table("t", small())
    drops = change == "the connection drops"
    interrupted(monkeypatch, at, con.con.close if drops else lambda: con.raw_sql(change))
    rows = rows.mutate(y=rows.a > 0) if isinstance(model, C45Classifier) else rows
    with pytest.raises(DatabaseError, match=word):
        fit(model, rows, "y", memory=memory)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize("column", ["a", "y"])
def test_a_database_that_does_not_tell_cases_apart_is_told(connection, column):
    other = "y" if column == "a" else "a"
    columns = f"{column} VARCHAR COLLATE NOCASE, {other} VARCHAR"
    connection.raw_sql(f"CREATE OR REPLACE TABLE letters ({columns})")
    values = "['Yes', 'yes', 'no'][i % 3 + 1], chr((97 + i % 2) :: INT)"
    connection.raw_sql(f"INSERT INTO letters SELECT {values} FROM range(300) r(i)")
    with pytest.raises(DatabaseError, match="take for the same, and nothing was fitted"):
        fit(ID3Classifier(), connection.table("letters"), "y", memory=1000)


def test_names_and_values_are_never_read_as_sql(connection):
    evil = "x'; DROP TABLE victim; --"
    connection.create_table("victim", pd.DataFrame({"a": [1]}), overwrite=True)
    frame = pd.DataFrame(
        {evil: [evil, '"', "\\", "a\nb", "%s", "{0}"] * 20, '"': np.arange(120) % 7}
    )
    answer = '"); DROP TABLE victim'
    y = np.where(frame[evil].isin([evil, "\\"]) ^ (frame['"'] > 3), answer, "it's")
    rows = connection.create_table("evil", frame.assign(**{answer: y}), overwrite=True)
    for model in (CARTClassifier(), C45Classifier()):
        fit(model, rows, answer, memory=10)
        assert_same(model.tree_, type(model)(**model.get_params()).fit(frame, y).tree_)
        found = rows.mutate(said=model.predict(rows)).to_pandas()
        assert (found.said == found[answer]).all()
    assert "victim" in connection.list_tables()


def test_text_that_no_question_spells_is_refused_by_the_name_of_the_column(connection):
    frame = pd.DataFrame({"a": ["x\0", "x"] * 50, "b": list("uuvv") * 25})
    frame["y"] = (frame.a == "x") & (frame.b == "u")
    rows = connection.create_table("nul", frame, overwrite=True)
    word = re.escape(r"column 'a' holds 'x\x00', and no question")
    with pytest.raises(ValueError, match=word):
        fit(CARTClassifier(), rows, "y", memory=5)
    with pytest.raises(ValueError, match=word):
        CARTClassifier().fit(frame[["a", "b"]], frame.y).predict(rows)
    word = re.escape(r"y holds 'x\x00', and no question")
    with pytest.raises(ValueError, match=word):
        CARTClassifier().fit(frame[["b"]], frame.a).predict(rows)
    with pytest.raises(ValueError, match=word):
        fit(CARTClassifier(class_weight={"x": 2}), rows.drop("y"), "a")


@pytest.mark.parametrize(("least", "weight"), [(2**53, 1), (-(2**53) - 1, 1), (2**53, 0)])
def test_large_integers_that_become_one_number_are_told(connection, least, weight):
    frame = pd.DataFrame(
        {"id": [least, least + 1] * 9, "a": range(18), "y": list("nopq") * 4 + 2 * ["q"]}
    )
    frame["w"] = np.where(frame.id % 2, weight, 1.0)
    rows = connection.create_table("ids", frame, overwrite=True)
    for X, y, w in [(frame[["id", "a"]], frame.y, frame.w), (rows, "y", "w")]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            CARTClassifier(max_depth=1).fit(X, y, w)
        told = [str(w.message) for w in caught if "2^53" in str(w.message)]
        assert len(told) == weight
        assert all("column 'id'" in word for word in told)


def test_names_that_differ_in_case_only_are_refused():
    """DuckDB reads the first column for both."""
    frame = small().assign(A=0.0)
    with pytest.raises(ValueError, match="columns 'a' and 'A' differ in case only"):
        CARTClassifier().fit(ibis.memtable(frame), "y")


def test_nan_is_null(connection):
    values = pd.Series([1.0, np.nan, 2.0, None] * 30)
    connection.raw_sql("CREATE OR REPLACE TABLE nans (a DOUBLE, y VARCHAR)")
    for a, y in [("'NaN'", "no"), ("NULL", "no"), ("1", "no"), ("2", "yes")]:
        connection.raw_sql(f"INSERT INTO nans SELECT {a}, '{y}' FROM range(30)")
    rows = connection.table("nans")
    y = np.where(values == 2, "yes", "no")
    model = fit(CARTClassifier(max_surrogates=0), rows, "y", memory=10)
    expected = CARTClassifier(max_surrogates=0).fit(values.to_frame("a"), y)
    assert_same(model.tree_, expected.tree_)
    found = rows.mutate(said=model.predict(rows)).to_pandas()
    assert (found.said == model.predict(found[["a"]])).all()


K = np.arange(20_000)


@pytest.mark.parametrize(
    ("model", "level", "y", "memory"),
    [
        (ID3Classifier(max_depth=1), K % 10_000, K % 10_000 % 7 == 0, 5000),
        (CARTClassifier(max_depth=1), K % 10_000, K % 10_000 % 7 == 0, 5000),
        (CARTClassifier(max_depth=1), K[:6000] % 1999 % 3, K[:6000] % 2000, 4000),
    ],
)
def test_thousands_of_levels_and_classes(connection, model, level, y, memory):
    grow_both(connection, model, pd.DataFrame({"a": level}).astype(str), y, memory=memory)


@pytest.mark.parametrize("weighing", [None, "weight"])
def test_counts_are_measured_by_their_deviance(counting_by, connection, weighing):
    """Many are 0, and a side that has counted nothing is none."""
    rng = np.random.default_rng(4)
    X, weight = normal(300, "abc").round(2), rng.integers(1, 5, 300).astype(float)
    y = rng.poisson(np.exp(X.a + (X.b > 0) - 1)).astype(float)
    model = CARTRegressor(criterion="poisson", max_depth=4, ccp_alpha=0.01)
    weight = weight if weighing else None
    tree = grow_both(connection, model, X.mask(X > 2), y, weight, memory=20, is_recorded=True)
    assert tree.n_leaves > 5


# --- what is refused -----------------------------------------------------------------------------


BAD_WEIGHTS = [
    ("1", "sample_weight holds string, not numbers"),
    (-1.0, "not negative"),
    (0.0, "every sample_weight is zero"),
    (np.append(np.ones(399), np.inf), "sample_weight must be finite"),
    (1e200, "sum of sample_weight is too large"),
    (1e-310, "sample_weight is 1e-310 in a row, too small"),
    (np.append(np.ones(399), 1e-120), "sample_weight is 1e-120 in a row, too small"),
]
REFUSED = [
    (CART, {"when": pd.Timestamp("2026-01-01")}, "column 'when' holds timestamp"),
    (CART, {"c": np.inf}, "column 'c' is infinite"),
    *((CART, {"w": weight}, word) for weight, word in BAD_WEIGHTS),
    (C45, {"w": 1 / 400}, "multiply each by the number of rows"),  # in memory these are counts
    (CART, {"y": pd.Series([None] * 400, dtype=str)}, "y is NULL in 400 rows"),
    (CART, {"y": 0.5}, "classes are text, integers or booleans"),
    (CARTRegressor(), {"y": np.append(np.zeros(399), 1e200)}, "too large to be squared"),
    (CARTRegressor(criterion="deviance"), {"y": 0.5}, "'squared_error' or 'poisson', not 'devi"),
]


@pytest.mark.parametrize(("model", "columns", "word"), REFUSED)
def test_what_cannot_be_used_is_refused_by_name(connection, monkeypatch, model, columns, word):
    monkeypatch.setitem(BINARY, "deviance", BINARY["poisson"])  # which no database knows
    rows = connection.create_table("wrong", small().assign(**columns), overwrite=True)
    with pytest.raises(ValueError, match=word):
        clone(model).fit(rows, "y", "w" if "w" in columns else None)


def test_an_unknown_column_a_foreign_column_and_an_empty_table_are_refused(connection):
    rows = connection.create_table("here", small(), overwrite=True)
    other = connection.create_table("there", small(), overwrite=True)
    with pytest.raises(ValueError, match="no column 'z'"):
        CARTClassifier().fit(rows, "z")
    with pytest.raises(ValueError, match="different tables"):
        CARTClassifier().fit(rows.drop("y"), other.y)
    with pytest.raises(TypeError, match="name of a column"):
        CARTClassifier().fit(rows.drop("y"), np.zeros(400))
    with pytest.raises(TypeError, match=r"X is a ibis.*FloatingColumn: give fit one table of Ibis"):
        CARTClassifier().fit(rows.a, rows.y)
    with pytest.raises(ValueError, match="no row"):
        CARTClassifier().fit(rows.filter(rows.a > 1000), "y")
    with pytest.raises(ValueError, match="lacks columns"):
        CARTClassifier().fit(rows, "y").predict(other.drop("a"))


@pytest.mark.parametrize("memory", [0, "2 potatoes", "0GB", 1.5])
def test_a_memory_that_is_none_is_refused(connection, memory):
    rows = connection.create_table("here", small(), overwrite=True)
    with pytest.raises(ValueError, match="memory is"):
        fit(CARTClassifier(), rows, "y", memory=memory)
    with pytest.raises(ValueError, match="memory is"):
        clone(CARTClassifier(memory=memory)).fit(rows, "y")


def test_the_usual_memory_is_half_of_the_machines_and_not_too_little(connection, monkeypatch):
    rows = connection.create_table("here", small(), overwrite=True)
    for has, expected in ((0, 2), (3 * 2**30, 2), (64 * 2**30, 32)):
        monkeypatch.setattr(asking, "_memory_of_machine", lambda has=has: has)
        assert n_bytes(asking.usual_memory(rows)) == expected * 2**30
    monkeypatch.setattr(asking, "is_in_spark", lambda rows: True)
    assert n_bytes(asking.usual_memory(rows)) == 2 * 2**30


@pytest.mark.parametrize("model", [CARTClassifier(max_depth=2), C45Classifier(max_depth=2)])
def test_columns_are_counted_in_parts_where_all_together_do_not_fit(connection, monkeypatch, model):
    """Each column has 300 values, of which 400 lines fit at a time; 6 times as many are kept."""
    monkeypatch.setattr(asking, "_LINES", 400)
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.permuted(np.tile(np.arange(300.0), (5, 1)), axis=1).T).add_prefix("c")
    X = X.mask(rng.random(X.shape) < 0.05)
    y = np.where(X.c0.fillna(150) + X.c1.fillna(150) > 300, "yes", "no")
    rows = connection.create_table("here", X.assign(y=y), overwrite=True)
    model = clone(model).set_params(memory=20)
    assert_same(clone(model).fit(rows, "y").tree_, clone(model).fit(X, y).tree_)
    monkeypatch.setattr(asking, "_LINES", 200)
    word = r"more than the 200 lines that fit .*give the estimator more, as in memory='16GB'"
    with pytest.raises(ValueError, match=word):
        clone(model).fit(rows, "y")


def test_what_needs_the_rows_in_memory_says_so_and_how(connection):
    frame = small()
    rows, X = connection.create_table("here", frame, overwrite=True), frame.drop(columns="y")
    model = CARTClassifier(max_depth=2, memory="3GB").fit(rows, "y")
    c45 = C45Classifier().fit(X, frame.y)
    asked = {
        "forest": lambda: ForestClassifier().fit(rows, "y"),
        "regrow": lambda: model.regrow(rows, "y"),
        "summary": lambda: model.summary(rows, "y"),
        "rule_set": lambda: c45.rule_set(rows, "y"),
        "path": lambda: model.cost_complexity_pruning_path(rows, "y"),
        "cost": lambda: model.mean_cost(rows),
        "compare": lambda: compare(model, model, rows),
        "refit": lambda: refit_leaves(model, rows, "y"),
        "quantile": lambda: predict_quantile(CARTRegressor().fit(X, X.a), X, 0.5, (rows, "a")),
        "optimal": lambda: optimal_tree(rows.drop("y"), "y", 1),
        "partition": lambda: plot.partition(model, rows.drop("y"), frame.y),
    }
    for ask in asked.values():
        with pytest.raises(TypeError, match=r"X is in a database, .*give X\.to_pandas\(\)"):
            ask()


@pytest.mark.parametrize("kind", [CARTClassifier, ID3Classifier, C45Classifier, ForestClassifier])
def test_what_is_no_table_is_answered_by_the_line_to_write(connection, kind):
    raw, model = connection.con, kind()
    for X in (raw, raw.sql("SELECT 1 AS a, 'x' AS y")):
        with pytest.raises(TypeError, match=r"ibis.duckdb.from_connection\(con\).table\("):
            model.fit(X, "y")
    with pytest.raises(TypeError, match=r"X is the text 'loans': give the rows .*table\(name\)"):
        model.fit("loans", "class")
    with pytest.raises(TypeError, match=r'con\.table\("loans"\)|in a database'):
        model.fit(connection, "loans")


@pytest.mark.parametrize(
    ("value", "warned"),
    [
        ("36893488147419103232::HUGEINT + i", True),
        ("i::HUGEINT", False),
        ("('1.' || lpad(i::VARCHAR, 25, '0'))::DECIMAL(38, 28)", True),
        ("(i / 4)::DECIMAL(10, 2)", False),
    ],
)
def test_large_integers_and_long_decimals_that_become_one_float_are_warned_of(
    connection, value, warned
):
    rows = connection.sql(f"SELECT {value} AS a, i < 200 AS y FROM range(400) r(i)")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        CARTClassifier().fit(rows, "y")
    words = [str(one.message) for one in caught if "column 'a' has" in str(one.message)]
    assert [("no longer told apart" in " ".join(one.split())) for one in words] == [True] * warned


def test_duckdb_keeps_to_the_memory_and_has_its_own_limit_again(monkeypatch):
    con, seen = ibis.duckdb.connect(), []
    rows = con.create_table("t", small())

    def limit():
        told = con.con.execute("SELECT current_setting('memory_limit')").fetchone()[0]
        return n_bytes(told)

    interrupted(monkeypatch, "classes", lambda: seen.append(limit()))
    for before in ("3.9GiB", "1000MB", "-1"):
        con.raw_sql(f"SET memory_limit = '{before}'")
        before = limit()
        fit(CARTClassifier(max_depth=1), rows, "y", memory="1GB")
        assert seen.pop() == 2**29
        with pytest.raises(DatabaseError, match="so little memory"):
            fit(CARTClassifier(max_depth=1), rows, "y", memory="1B")
        assert limit() == before


def test_progress_is_logged_and_printed_for_who_asks(connection, monkeypatch, capsys, caplog):
    monkeypatch.setattr("dtreebook.grow.growth._PATIENCE", 0)
    frame = small()
    rows = connection.create_table("here", frame, overwrite=True)
    with caplog.at_level("INFO", "dtreebook"):
        fit(CARTClassifier(max_depth=2), rows, "y", memory=50)
        assert "level 0: 1 nodes" in caplog.text
        assert capsys.readouterr().out == ""
        caplog.clear()
        CARTClassifier(max_depth=2, verbose=1).fit(frame.drop(columns="y"), frame["y"])
        assert capsys.readouterr().out.splitlines() == caplog.messages


def test_a_surrogate_that_is_flipped_is_told_by_the_branch_that_it_stands_for():
    a = np.random.default_rng(0).random(200)
    X = pd.DataFrame({"a": np.where(np.arange(200) % 9, a, np.nan), "b": -a})
    model = CARTClassifier(max_depth=1).fit(X[["b", "a"]].assign(b=X.b.round(1)), a > 0.4)
    cases = pd.DataFrame({"b": [np.nan, np.nan, -0.9], "a": [0.1, 0.9, np.nan]})
    assert model.tree_.root.surrogates[0].flipped
    rows = ibis.memtable(cases)
    told = rows.mutate(told=model.explain(rows)).to_pandas().told
    assert told.tolist() == model.explain(cases)


@pytest.mark.parametrize("kind", [ID3Classifier, C45Classifier])
def test_a_row_without_a_branch_has_no_answer_where_none_is_wanted(kind):
    X = pd.DataFrame({"a": pd.Categorical(["u", "u", "v", "v"], ["u", "v", "w"])})
    model = kind(unseen="none").fit(X, ["no", "no", "yes", "yes"])
    rows = ibis.memtable(pd.DataFrame({"a": ["u", "v", "w", "x", None]}))
    answers = rows.select(answer=model.predict(rows)).to_pyarrow()["answer"].to_pylist()
    assert answers == model.predict(rows.to_pandas()).tolist() == ["no", "yes", None, None, None]

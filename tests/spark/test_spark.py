"""Trees from Spark are those from memory, on threads of this machine and on a cluster.

`make test-spark` sets up the environment and runs these; `make test` leaves this folder out.
"""

import subprocess
import threading
import time
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from same_trees import assert_same
from sklearn.base import clone

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.database import source, spark
from dtreebook.database.asking import Asker, DatabaseError
from dtreebook.database.fitting import fit
from dtreebook.database.rows import SmallNode

# What PySpark and Ibis say of the next pandas is nothing that a table can change.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

MODELS = {
    "ID3": ID3Classifier(max_depth=3),
    "C4.5": C45Classifier(confidence=None),
    "C4.5, pruned": C45Classifier(),
    "CART": CARTClassifier(max_depth=4, max_surrogates=0),
    "CART, entropy, weights": CARTClassifier(criterion="entropy", max_depth=3, max_surrogates=0),
    "CART, numbers": CARTRegressor(max_depth=3, max_surrogates=0),
    "C4.5, what classes weigh and columns cost": C45Classifier(
        confidence=None, class_weight="balanced", cost={"whole": 3}, average_gain_guard=False
    ),
    "CART, what errors cost": CARTClassifier(
        max_depth=4,
        max_surrogates=0,
        priors=[0.2, 0.3, 0.5],
        loss=[[0, 2, 1], [1, 0, 1], [4, 1, 0]],
    ),
    "CART, a price by cross-validation": CARTClassifier(max_depth=5, ccp_alpha="best", cv=3),
    "CART, surrogates": CARTClassifier(max_depth=4, max_surrogates=2),
    "CART, numbers that only rise": CARTRegressor(max_depth=3, monotonic_cst={"whole": 1}),
}


def table(name, n):
    """Make a table of numbers, text and booleans, with blanks, odd names and ties."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "a`b": rng.normal(size=n),
        "whole": rng.integers(0, 12, n).astype(float),
        "it's": rng.choice(["b", "B", "é", 'quo"te'], n),
        "flag": rng.random(n) < 0.4,
    })  # fmt: skip
    score = frame["a`b"] + (frame["it's"] == "b") * frame["whole"] / 6 + frame["flag"]
    kinds = np.digitize(score + rng.normal(size=n) / 3, [0.3, 1.5])
    kind = np.array(["no", "yes", "may'be"])[kinds]
    frame["answer"] = score.round(1) if "numbers" in name else kind
    if "rise" in name:  # a constraint bears no blanks
        return frame
    frame.loc[rng.random(n) < 0.1, "a`b"] = np.nan
    frame["it's"] = frame["it's"].astype(object).where(rng.random(n) > 0.1, None)
    if name == "ID3":  # it wants words
        frame = frame.drop(columns="a`b").astype({"whole": str})
    if "weights" in name:
        frame["weight"] = rng.integers(0, 4, n).astype(float)
    return frame


def in_spark_and_in_memory(connection, folder, name, n=3000):
    """Return the table in Spark, and the tree grown from it in memory."""
    frame = table(name, n)
    path = folder / "table.parquet"
    frame.to_parquet(path, row_group_size=n // 4)
    weight = frame.get("weight")
    X = frame.drop(columns=["answer", "weight"], errors="ignore")
    expected = clone(MODELS[name]).fit(X, frame.answer, weight).tree_
    assert expected.depth > 2
    return connection.read_parquet(path), expected


@pytest.mark.parametrize("memory", [300, 1000])
@pytest.mark.parametrize("name", MODELS)
def test_spark_grows_the_tree_of_memory_and_predicts_as_it_does(connection, tmp_path, name, memory):
    rows, expected = in_spark_and_in_memory(connection, tmp_path, name)
    weight = "weight" if "weights" in name else None
    model = fit(MODELS[name], rows, "answer", weight, memory=memory)
    assert_same(model.tree_, expected)
    if memory == 300:
        return
    found = rows.mutate(said=model.predict(rows), why=model.explain(rows))
    if not model.tree_.fractional:
        found = found.mutate(leaf=model.apply(rows))
    found = found.to_pandas()
    X = found[list(model.feature_names_in_)]
    assert found.said.tolist() == model.predict(X).tolist()
    assert found.why.tolist() == model.explain(X)
    counted = model.score(X, found.answer, found.get("weight"))
    assert model.score(rows, "answer", weight) == pytest.approx(counted, rel=1e-12)
    if not model.tree_.fractional:
        assert found.leaf.tolist() == model.apply(X).tolist()


@pytest.mark.parametrize("name", ["C4.5", "CART, surrogates", "CART, numbers"])
def test_the_record_of_decisions_is_that_of_memory(connection, tmp_path, name):
    rows, _ = in_spark_and_in_memory(connection, tmp_path, name)
    model = clone(MODELS[name]).set_params(max_depth=2)
    frame = table(name, 3000)
    expected = model.decisions(frame.drop(columns="answer"), frame.answer)
    for one, two in zip(model.decisions(rows, "answer"), expected, strict=True):
        assert (one.path, one.reason) == (two.path, two.reason)
        assert [c.split for c in one.candidates] == [c.split for c in two.candidates]
        scores = [[c.score for c in of.candidates] for of in (one, two)]
        np.testing.assert_allclose(*scores, rtol=1e-9, atol=1e-9)


def test_text_is_never_read_as_a_variable_of_spark(connection):
    """It has ``${name}`` for that, in quotes, too."""
    levels = ["${spark.app.name}", "${a}", "$", "{a}", "$${a}${", "\\${a}'"]
    frame = pd.DataFrame({"a": levels, "y": levels[::-1]}, dtype=object)
    connection._session.createDataFrame(frame).createOrReplaceTempView("texts")
    rows = connection.table("texts")
    model = fit(ID3Classifier(), rows, "y")
    assert_same(model.tree_, ID3Classifier().fit(frame[["a"]], frame.y).tree_)
    found = rows.mutate(said=model.predict(rows), why=model.explain(rows)).to_pandas()
    assert found.said.tolist() == found.y.tolist()
    assert found.why.tolist() == model.explain(found[["a"]])


def test_a_tree_of_one_class_says_it(connection):
    rows = connection._session.range(9).selectExpr("double(id) AS a", "'yes' AS y")
    rows.createOrReplaceTempView("one")
    model = fit(C45Classifier(confidence=None), connection.table("one"), "y")
    said = model.predict(connection.table("one")).to_pandas()
    assert said.tolist() == ["yes"] * 9


def test_a_session_may_ask_for_large_types_of_arrow(connection, tmp_path):
    name = "spark.sql.execution.arrow.useLargeVarTypes"
    rows, expected = in_spark_and_in_memory(connection, tmp_path, "CART")
    connection._session.conf.set(name, "true")
    try:
        assert_same(fit(MODELS["CART"], rows, "answer", memory=1000).tree_, expected)
    finally:
        connection._session.conf.unset(name)


def test_nothing_is_left_behind(connection, tmp_path):
    rows, _ = in_spark_and_in_memory(connection, tmp_path, "CART")
    before = connection.list_tables()
    fit(MODELS["CART"], rows, "answer", memory=1000)
    named = set(connection.list_tables()) - set(before)
    assert not {name for name in named if "dtreebook" in name}


def test_a_large_table_is_sampled(connection, tmp_path, monkeypatch):
    monkeypatch.setattr(source, "_SAMPLE", 200)
    rows, expected = in_spark_and_in_memory(connection, tmp_path, "CART")
    assert_same(fit(MODELS["CART"], rows, "answer", memory=1000).tree_, expected)


def test_a_table_that_changes_is_noticed_by_a_worker(connection, tmp_path, monkeypatch):
    """The rows of a small node, counted on the level above, are fewer when they are fetched."""
    rows, _ = in_spark_and_in_memory(connection, tmp_path, "CART")
    monkeypatch.setattr(
        "dtreebook.database.counter.SmallNode", lambda n, *rest: SmallNode(n + 1, *rest)
    )
    model = clone(MODELS["CART"])
    with pytest.raises(DatabaseError, match="changed while the tree grew"):
        fit(model, rows, "answer", memory=1000)
    assert not hasattr(model, "tree_")


@pytest.mark.parametrize("connection", ["cluster"], indirect=True)
def test_a_worker_killed_during_a_level_costs_only_time(cluster, connection, tmp_path, monkeypatch):
    """With it go the rows that it kept and what it had counted; the other one does it again."""
    rows, expected = in_spark_and_in_memory(connection, tmp_path, "CART", n=400_000)
    killed, collect = [], Asker.collect

    def kill():
        while not jobs.getActiveStageIds():
            time.sleep(0.001)
        cluster.kill(cluster.workers.pop())
        killed.append(jobs.getActiveStageIds())

    def disturbed(self, made, what):
        if what != "the counts of level 1":
            return collect(self, made, what)
        killer = threading.Thread(target=kill)
        killer.start()
        answer = collect(self, made, what)
        killer.join()
        return answer

    jobs = connection._session.sparkContext.statusTracker()
    monkeypatch.setattr(Asker, "collect", disturbed)
    cluster.workers.append(cluster.another())
    assert_same(fit(MODELS["CART"], rows, "answer", memory=1000).tree_, expected)
    assert killed[0]  # it had not finished


def test_the_java_of_the_extra_bears_what_spark_asks_of_it(monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(spark.shutil, "which", lambda name: None)
    program = Path(spark.java_home()) / "bin" / "java"
    asked = [program, "--add-modules=jdk.incubator.vector", "-Xmx64m", "-version"]
    run = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "version" in run.stderr


def test_what_has_no_java_is_refused_by_its_name():
    rows = Mock()
    rows.get_backend().raw_sql.return_value = object()  # as Spark Connect's: it has no _jdf
    with pytest.raises(TypeError, match="workers of Spark Connect cannot be reached: connect to"):
        spark._batches(rows)

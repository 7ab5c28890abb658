"""Trees from Spark are those from memory, on threads of this machine.

`make test-spark` sets up the environment and runs these; `make test` leaves this folder out.
"""

import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from same_trees import assert_same
from sklearn.base import clone

from dtreebook import CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.database import spark
from dtreebook.database.fitting import fit

# What PySpark and Ibis say of the next pandas is nothing that a table can change.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

LOOPBACK = "127.0.0.1"
# Small tables: more partitions would only take longer.
SMALL = {
    "spark.driver.host": LOOPBACK,
    "spark.driver.bindAddress": LOOPBACK,
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.showConsoleProgress": "false",
}
MODELS = {
    "ID3": ID3Classifier(max_depth=3),
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


@pytest.fixture(scope="module")
def local():
    os.environ["SPARK_LOCAL_IP"] = LOOPBACK
    connection = spark.connect("local[2]", SMALL)
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


def test_the_java_of_the_extra_bears_what_spark_asks_of_it(monkeypatch):
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(spark.shutil, "which", lambda name: None)
    program = Path(spark.java_home()) / "bin" / "java"
    asked = [program, "--add-modules=jdk.incubator.vector", "-Xmx64m", "-version"]
    run = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "version" in run.stderr

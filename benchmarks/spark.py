"""Print what trees from Spark cost beside those of pyspark.ml: `make bench-spark`, SIZE=record.

Every run has a process of its own. The seconds are those of reading and growing, once Spark has
started and counted the rows of the file; the share right is that of the training cases.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

from data import numbers

from dtreebook import CARTClassifier

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "spark"))
from cluster import SETTINGS, Cluster

SIZES = {"quick": 200_000, "record": 2_000_000}
DEPTH = 8
MODEL = CARTClassifier(max_depth=DEPTH)
MORE = {"spark.driver.memory": "2g", "spark.executor.memory": "1g"}


def in_memory(path, master):
    import pandas as pd

    start = time.perf_counter()
    frame = pd.read_parquet(path)
    tree = MODEL.fit(frame.drop(columns="y"), frame.y).tree_
    return time.perf_counter() - start, described(tree)


def ours(path, master):
    connection = connected(path, master)
    start = time.perf_counter()
    tree = MODEL.fit(connection.read_parquet(path), "y").tree_
    return time.perf_counter() - start, described(tree)


def described(tree):
    leaves = tree.arrays.counts[tree.arrays.first_child == 0]
    return {
        "nodes": tree.node_count,
        "right": float(leaves.max(axis=1).sum() / leaves.sum()),
        "tree": [repr(split) for split in tree.arrays.split] + tree.arrays.counts.tolist(),
    }


def theirs(path, master, bins):
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import VectorAssembler
    from pyspark.sql import functions as F

    session = connected(path, master)._session
    start = time.perf_counter()
    rows = session.read.parquet(str(path))
    names = [name for name in rows.columns if name != "y"]
    rows = rows.withColumn("label", (F.col("y") == "yes").cast("double"))
    rows = VectorAssembler(inputCols=names, outputCol="features").transform(rows)
    tree = DecisionTreeClassifier(maxDepth=DEPTH, maxBins=bins, seed=0).fit(rows)
    seconds = time.perf_counter() - start
    said = tree.transform(rows)
    right = said.filter(said.prediction == said.label).count() / said.count()
    return seconds, {"nodes": tree.numNodes, "right": right, "tree": None}


def theirs_fine(path, master):
    return theirs(path, master, 256)


def theirs_coarse(path, master):
    return theirs(path, master, 32)


def connected(path, master):
    """Start Spark and have it read the file once, so that neither is timed."""
    from dtreebook.database import spark

    connection = spark.connect(master, SETTINGS | MORE)
    connection._session.read.parquet(str(path)).count()
    return connection


RUNS = {
    "in memory": (in_memory, ""),
    "dtreebook, local[2]": (ours, "local[2]"),
    "dtreebook, two workers": (ours, "cluster"),
    "pyspark.ml, 256 bins, local[2]": (theirs_fine, "local[2]"),
    "pyspark.ml, 32 bins, local[2]": (theirs_coarse, "local[2]"),
}


def alone(run, path, master):
    """Run once in this process; print what was found."""
    seconds, found = RUNS[run][0](path, master)
    print(json.dumps(found | {"seconds": seconds}))


def main(size):
    rows = SIZES[size]
    print(
        f"{rows:,} rows of 10 numbers, depth {DEPTH}; {platform.machine()}, {os.cpu_count()} "
        f"processors, Python {platform.python_version()}, Spark {version('pyspark')}, "
        f"Ibis {version('ibis-framework')}\n"
    )
    print("| run | seconds | nodes | share right | same tree |")
    print("|---|---|---|---|---|")
    first = None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "numbers.parquet"
        numbers(rows, path)
        for run, (_, master) in RUNS.items():
            cluster = Cluster(folder, memory="1200m") if master == "cluster" else None
            try:
                address = cluster.address if cluster else master
                command = [sys.executable, __file__, "alone", run, str(path), address]
                answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            finally:
                if cluster:
                    cluster.stop()
            found = json.loads(answer.stdout.splitlines()[-1])
            first = first or found["tree"]
            same = "yes" if found["tree"] == first else "no"
            print(
                f"| {run} | {found['seconds']:.1f} | {found['nodes']} | {found['right']:.5f} | "
                f"{same} |",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["alone"]:
        alone(sys.argv[2], Path(sys.argv[3]), sys.argv[4])
    else:
        main(*sys.argv[1:2] or ["quick"])

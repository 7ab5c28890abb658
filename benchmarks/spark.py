"""Grow one tree in Apache Spark and print what it took: a part of `make bench-data`.

It runs in the environment of `make test-spark`, in a process for each tree: Java has to warm up for
ours as for that of Spark.
"""

import json
import pickle
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "spark")]

from cluster import LOCAL, Cluster  # noqa: E402

from dtreebook import CARTClassifier  # noqa: E402
from dtreebook.database import source, spark  # noqa: E402
from dtreebook.database.asking import Asker  # noqa: E402
from dtreebook.database.fitting import fit  # noqa: E402

ANSWERS = []
SETTINGS = LOCAL | {"spark.driver.memory": "2g", "spark.executor.memory": "2g"}


class Listener(Asker):
    """Ask, and write down how many lines each answer has, and how long it takes."""

    def ask(self, question, what):
        return self.timed(super().ask, question, what)

    def collect(self, made, what):
        return self.timed(super().collect, made, what)

    def timed(self, ask, question, what):
        start = time.perf_counter()
        answer = ask(question, what)
        ANSWERS.append((what, len(answer), time.perf_counter() - start))
        return answer


def ours(connection, path):
    """Grow CART's tree, exactly."""
    source.Asker = Listener
    model = fit(CARTClassifier(max_depth=8), connection.read_parquet(path), "y")
    return model.tree_.node_count, model.tree_


def theirs(connection, path):
    """Grow the tree of pyspark.ml, which cuts between 256 bins."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    frame = connection.raw_sql(connection.compile(connection.read_parquet(path)))
    features = [name for name in frame.columns if name != "y"]
    stages = [
        StringIndexer(inputCol="y", outputCol="label"),
        VectorAssembler(inputCols=features, outputCol="features"),
        DecisionTreeClassifier(maxDepth=8, maxBins=256),
    ]
    return Pipeline(stages=stages).fit(frame).stages[-1].numNodes, None


def main(run, path, found):
    grow = theirs if run.startswith("pyspark.ml") else ours
    with ExitStack() as stack:
        master = "local[2]"
        if run.endswith("two workers"):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            cluster = Cluster(Path(folder), "2g")
            stack.callback(cluster.stop)
            master = cluster.address
        connection = spark.connect(master, SETTINGS)
        start = time.perf_counter()
        nodes, tree = grow(connection, path)
        wall = time.perf_counter() - start
        connection.disconnect()
    Path(found).write_bytes(pickle.dumps(tree))
    print(json.dumps({"wall": wall, "nodes": nodes, "answers": ANSWERS}))


if __name__ == "__main__":
    main(*sys.argv[1:])

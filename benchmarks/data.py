"""Print what trees from a database cost beside trees in memory: `make bench-data`.

SIZE=record is larger and takes half an hour, SIZE=largest is one table that memory does not hold.

Every run has a process of its own, so that its processor time and its peak of memory are its own,
with DuckDB's inside. The trees are compared node for node. Spark has processes of many kinds, so of
it there are seconds by the clock alone, beside those of its own tree.
"""

import json
import os
import pickle
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.datasets import load_nursery

ROOT = Path(__file__).resolve().parents[1]
MEMORY = "1GB"


class Size(NamedTuple):
    """How many rows there are in memory and in DuckDB, in Spark, and in DuckDB alone."""

    rows: int = 0
    spark: int = 0
    alone: int = 0


# The largest needs 40 GB of disk: its table, and what DuckDB spills.
SIZES = {
    "quick": Size(500_000, 200_000),
    "record": Size(10_000_000, 2_000_000),
    "largest": Size(alone=100_000_000),
}


def numbers(rows, path):
    """Write numbers in two classes, which no short tree tells apart."""
    import duckdb

    with duckdb.connect() as con:
        # Box and Muller's normal numbers from hashes: the same on every machine.
        con.execute(
            "CREATE MACRO uniform(i, k) AS (hash(i * 64 + k) % 1000000007 + 1) / 1000000008.0"
        )
        columns = ", ".join(
            f"sqrt(-2 * ln(uniform(i, {k}))) * cos(2 * pi() * uniform(i, {k + 20})) AS a{k}"
            for k in range(10)
        )
        con.execute(
            f"COPY (SELECT *, CASE WHEN a0 + a1 * a2 + 0.5 * sin(3 * a3) > 0.3 * a4 "
            f"THEN 'yes' ELSE 'no' END AS y FROM (SELECT {columns} FROM range({rows}) r(i))) "
            f"TO '{path}' (FORMAT parquet)"
        )


def nursery(rows, path):
    """Write the rows of the nursery again and again."""
    X, y = load_nursery(return_X_y=True)
    frame = X.astype(str).assign(y=y.astype(str))
    drawn = np.random.default_rng(0).integers(0, len(frame), rows)
    frame.iloc[drawn].to_parquet(path, index=False, row_group_size=200_000)


NUMBERS = "10 numbers, CART to depth 8"
TABLES = {
    NUMBERS: (numbers, CARTClassifier(max_depth=8)),
    "nursery, ID3": (nursery, ID3Classifier()),
    "nursery, C4.5": (nursery, C45Classifier(subtree_raising=False)),
}
SCORING = "10 numbers, scored"
SPARK_RUNS = [
    f"{whose}, {where}"
    for where in ("two threads", "two workers")
    for whose in ("Spark", "pyspark.ml")
]


def in_memory(model, path):
    frame = pd.read_parquet(path)
    return model.fit(frame.drop(columns="y"), frame.y).tree_


def connected(path):
    import ibis

    return ibis.duckdb.connect(temp_directory=f"{path}.spill").read_parquet(path)


def in_database(model, path):
    from dtreebook.database.fitting import fit

    return fit(model, connected(path), "y", memory=MEMORY).tree_


def said_in_memory(model, path):
    said = model.predict(connected(path).to_pandas()[list(model.feature_names_in_)])
    return dict(zip(*map(np.ndarray.tolist, np.unique(said, return_counts=True)), strict=True))


def said_in_database(model, path):
    rows = connected(path)
    said = rows.select(said=model.predict(rows)).group_by("said").aggregate(n=lambda t: t.count())
    return dict(said.order_by("said").to_pandas().itertuples(index=False))


RUNS = {
    "in memory": in_memory,
    "in DuckDB": in_database,
    "fetched and predicted": said_in_memory,
    "predicted in DuckDB": said_in_database,
}


def alone(model, run, path, found):
    """Run once in this process; print seconds and peak in MB, and write down what was found."""
    model = pickle.loads(Path(model).read_bytes())
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF)
    outcome = RUNS[run](model, path)
    wall, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
    Path(found).write_bytes(pickle.dumps(outcome))
    figures = {
        "processor": sum(used[:2]) - sum(before[:2]),
        "wall": wall,
        "peak": peak(used) / 1024,
        "nodes": getattr(outcome, "node_count", ""),
    }
    print(json.dumps(figures))


def peak(used):
    """Return the peak of this process in kB: Linux counts that of its parent in the other one."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return used.ru_maxrss
    return int(re.search(r"VmHWM:\s*(\d+)", status)[1])


def same(one, other):
    """Say whether two trees, or two answers, are the same."""
    if not hasattr(one, "arrays"):
        return one == other
    return one.arrays.split == other.arrays.split and np.array_equal(
        one.arrays.counts, other.arrays.counts
    )


class Table:
    """Print lines of figures, and compare what the runs of one contest have found."""

    def __init__(self, folder):
        self.found, self.answers = Path(folder) / "found.pickle", []
        print("| table | run | processor s | wall s | peak MB | nodes | same |")
        print("|---|---|---|---|---|---|---|", flush=True)

    def line(self, title, run, first, *command):
        """Run a program, print its line, and return what it found."""
        program = [*map(str, command), str(self.found)]
        answer = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True)
        figures = json.loads(answer.stdout.splitlines()[-1])
        found = pickle.loads(self.found.read_bytes())
        is_same = "" if first is None or found is None else "yes" if same(first, found) else "NO"
        seconds = [figures.get("processor"), figures["wall"]]
        shown = ["" if x is None else f"{x:,.1f}" for x in seconds]
        shown += [f"{figures['peak']:,.0f}" if "peak" in figures else "", figures["nodes"], is_same]
        print("|", " | ".join(map(str, [title, run, *shown])), "|", flush=True)
        self.answers = figures.get("answers") or self.answers
        return found

    def duel(self, title, model, path, runs):
        """Print a line for each run; return what the first one found."""
        stored, first = path.with_suffix(".model"), None
        stored.write_bytes(pickle.dumps(model))
        for run in runs:
            found = self.line(
                title, run, first, sys.executable, __file__, "alone", stored, run, path
            )
            first = found if first is None else first
        return first


def main(size):
    rows, in_spark, more = SIZES[size]
    print(
        f"{date.today()}; memory={MEMORY}; {platform.machine()}, {os.cpu_count()} processors, "
        f"Python {platform.python_version()}, DuckDB {version('duckdb')}, "
        f"Ibis {version('ibis-framework')}\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        table, path = Table(folder), Path(folder) / "table.parquet"
        if more:
            numbers(more, path)
            table.duel(f"{more:,} rows of 10 numbers", TABLES[NUMBERS][1], path, ["in DuckDB"])
            return
        for title, (write, model) in TABLES.items():
            write(rows, path)
            tree = table.duel(f"{rows:,} rows of {title}", model, path, ["in memory", "in DuckDB"])
            if title == NUMBERS:
                scorer = model.fit(*few(path))
                scorer.tree_ = tree
                runs = ["fetched and predicted", "predicted in DuckDB"]
                table.duel(f"{rows:,} rows of {SCORING}", scorer, path, runs)
        spark(table, in_spark, path)
    print("\n| what the two workers of Spark were asked for | lines | seconds |\n|---|---|---|")
    for what, lines, seconds in table.answers:
        print(f"| {what} | {lines:,} | {seconds:.1f} |")


def few(path):
    """Return the first rows of a table, enough to tell a model the names of the columns."""
    frame = connected(path).limit(1000).to_pandas()
    return frame.drop(columns="y"), frame.y


def spark(table, rows, path):
    """Print what the tree takes in Spark, beside the one of Spark's own library."""
    numbers(rows, path)
    title = f"{rows:,} rows of 10 numbers"
    tree = table.duel(title, TABLES[NUMBERS][1], path, ["in memory"])
    python = ROOT / ".venv-spark" / "bin" / "python"
    for run in SPARK_RUNS:
        table.line(
            title,
            run,
            tree,
            python,
            "-W",
            "ignore",
            Path(__file__).with_name("spark.py"),
            run,
            path,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["alone"]:
        alone(*sys.argv[2:])
    else:
        main(*sys.argv[1:2] or ["quick"])

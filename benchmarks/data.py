"""Print what trees from a database cost beside trees in memory: `make bench-data`, SIZE=record.

Every run has a process of its own, so that its processor time and its peak of memory are its own,
with DuckDB's inside. The trees are compared node for node.
"""

import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd

from dtreebook import CARTClassifier, ID3Classifier
from dtreebook.datasets import load_nursery

SIZES = {"quick": 500_000, "record": 10_000_000}
MEMORY = "1GB"


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
    frame.iloc[drawn].to_parquet(path, row_group_size=200_000)


TABLES = {
    "10 numbers, CART to depth 8": (numbers, CARTClassifier(max_depth=8)),
    "nursery, ID3": (nursery, ID3Classifier()),
}


def in_memory(model, path):
    frame = pd.read_parquet(path)
    return model.fit(frame.drop(columns="y"), frame.y).tree_


def in_database(model, path):
    import ibis

    from dtreebook.database.fitting import fit

    rows = ibis.duckdb.connect(temp_directory=str(path) + ".spill").read_parquet(path)
    return fit(model, rows, "y", memory=MEMORY).tree_


RUNS = {"in memory": in_memory, "in DuckDB": in_database}


def alone(table, run, path):
    """Run once in this process; print processor and wall seconds, peak in MB, and the tree."""
    start = time.perf_counter()
    tree = RUNS[run](TABLES[table][1], path)
    used = resource.getrusage(resource.RUSAGE_SELF)
    figures = {
        "processor": used.ru_utime + used.ru_stime,
        "wall": time.perf_counter() - start,
        "peak": used.ru_maxrss / 1024,
        "nodes": tree.node_count,
        "tree": [repr(split) for split in tree.arrays.split] + tree.arrays.counts.tolist(),
    }
    print(json.dumps(figures))


def main(size):
    rows = SIZES[size]
    print(
        f"{rows:,} rows; memory={MEMORY}; {platform.machine()}, {os.cpu_count()} processors, "
        f"Python {platform.python_version()}, DuckDB {version('duckdb')}, "
        f"Ibis {version('ibis-framework')}\n"
    )
    print("| table | run | processor s | wall s | peak MB | nodes | same tree |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for table, (write, _) in TABLES.items():
            path, first = Path(folder) / f"{write.__name__}.parquet", None
            write(rows, path)
            for run in RUNS:
                command = [sys.executable, __file__, "alone", table, run, str(path)]
                answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
                found = json.loads(answer.stdout)
                first = first or found["tree"]
                same = "yes" if found["tree"] == first else "NO"
                print(
                    f"| {table} | {run} | {found['processor']:.1f} | {found['wall']:.1f} | "
                    f"{found['peak']:,.0f} | {found['nodes']} | {same} |",
                    flush=True,
                )


if __name__ == "__main__":
    if sys.argv[1:2] == ["alone"]:
        alone(*sys.argv[2:4], Path(sys.argv[4]))
    else:
        main(*sys.argv[1:2] or ["quick"])

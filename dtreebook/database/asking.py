"""Asking a database: every question goes through here, is told, and fails in words."""

import os
import re
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from numbers import Integral
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from ibis.expr.types import CachedTable, Expr, Table

# Bytes that the engine in memory takes for a value while it grows, its sorted copies included.
_BYTES_A_VALUE = 60

# A line of counts takes up as much as so many values, and so many lines are always fetched.
_VALUES_A_LINE = 4
_LINES = 100_000

# If nobody says what a tree may take, it is half of what the machine has, and not less than this.
_LEAST_MEMORY = 2 * 2**30

# Where Linux says what a container may take.
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50}


class DatabaseError(RuntimeError):
    """The database did not answer, or its table changed while a tree was grown from it."""


class Asker:
    """Ask questions on behalf of one tree."""

    def __init__(self):
        self.kept: list[Callable] = []  #: what releases each of the rows that are kept

    def ask(self, question: Table, what: str) -> pd.DataFrame:
        """Return the rows that answer a question."""
        with told(what):
            return question.to_pandas()

    def batches(self, question: Table, what: str, size: int) -> Iterator[pa.RecordBatch]:
        """Yield the rows that answer a question, some at a time."""
        with told(what):
            yield from question.to_pyarrow_batches(chunk_size=size)

    def collect(self, made: Any, what: str) -> list:
        """Return what the workers of Spark made: an RDD."""
        with told(what):
            return made.collect()

    def keep(self, rows: Table, what: str, beside: bool = False) -> Table:
        """Return rows that the database keeps, so that no question works them out again.

        It forgets what they were made of, unless they are kept beside that, and these once nobody
        needs them. Spark keeps them once it is asked.
        """
        with told(what):
            kept = rows.cache()
        if not beside:
            self.forget()
        self.kept.append(partial(_release, weakref.ref(kept.op())))
        return kept

    def forget(self) -> None:
        """Have the database forget what it kept, for Ibis would take it for the table of later."""
        while self.kept:
            with suppress(Exception):  # a connection that was lost has forgotten already
                self.kept.pop()()


def _release(kept):
    if op := kept():
        CachedTable(op).release()


@contextmanager
def told(what: str) -> Iterator[None]:
    """Turn any error of a database into a `DatabaseError` that says what was asked.

    DuckDB and Spark answer an interrupt by an error of their own: it stays an interrupt.
    """
    try:
        yield
    except (DatabaseError, KeyboardInterrupt, GeneratorExit):
        raise
    except Exception as error:
        if _follows_interrupt(error):
            raise KeyboardInterrupt from error
        raise DatabaseError(
            f"the database did not say {what}, and nothing was fitted; it answered: {error}"
        ) from error


def _follows_interrupt(error):
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def usual_memory(table: Table) -> str:
    """Return how much memory a tree may take while it grows, if nobody says: bytes as text.

    It is half of what this machine, or its container, has, and at least 2GB. The rows of a table in
    Spark are on other machines, of which nothing is known: it is 2GB there.
    """
    has = _LEAST_MEMORY if is_in_spark(table) else _memory_of_machine() // 2
    return f"{max(has, _LEAST_MEMORY) // 2**20}MB"


def _memory_of_machine():
    """Return how many bytes of memory there are; 0 if the system does not say."""
    try:
        has = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has no such call
        return 0
    for limit in map(Path, _LIMITS):
        with suppress(OSError, ValueError):  # no such file, or the word "max"
            has = min(has, int(limit.read_text()))
    return has


def rows_that_fit(memory: str | int, n_columns: int) -> int:
    """Return how many rows are fetched at a time, at most, if each has so many columns.

    Memory is given as text, such as "2GB", of which a quarter is for rows; or as a number of rows.

    Examples
    --------
    >>> rows_that_fit("1GB", 9), rows_that_fit(500, 9)
    (447392, 500)
    """
    if not isinstance(memory, str):
        if not isinstance(memory, Integral) or memory < 1:
            raise ValueError(
                f"memory is {memory!r}: give bytes, such as '2GB', or a number of rows, at least 1"
            )
        return int(memory)
    return max(1, n_bytes(memory) // 4 // (_BYTES_A_VALUE * (n_columns + 1)))


def lines_that_fit(rows: int, n_columns: int) -> int:
    """Return how many lines of counts are fetched together, if so many rows are."""
    return max(_LINES, rows * (n_columns + 1) // _VALUES_A_LINE)


def n_bytes(memory: str) -> int:
    """Return a number of bytes that is given as text.

    Examples
    --------
    >>> n_bytes("512 MB")
    536870912
    """
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGTP]?)I?B\s*", memory.upper())
    if not found or not float(found[1]):
        raise ValueError(f"memory is {memory!r}: give bytes, such as '2GB', or a number of rows")
    return int(float(found[1]) * _UNITS[found[2]])


def is_in_spark(table: Expr) -> bool:
    """Return whether a table or a column is in Spark, whose workers count rows by this package."""
    return bool(table.get_backend().name == "pyspark")


@contextmanager
def within(table: Table, memory: str | int) -> Iterator[None]:
    """Have DuckDB keep to half of the memory for a while.

    A limit that is lower already stays; other databases have settings of their own.
    """
    backend = table.get_backend()
    if backend.name != "duckdb" or not isinstance(memory, str):
        yield
        return
    half = n_bytes(memory) // 2
    with told("how much memory it may take"):
        (before,) = backend.con.execute("SELECT current_setting('memory_limit')").fetchone()
    limit = n_bytes(before)
    # DuckDB tells its limit cut off after a tenth. Half a tenth more reads the same ever after.
    limit += limit // round(20 * float(before.split()[0]))

    def keep_to(n):
        backend.con.execute(f"SET memory_limit = '{n // 1024}KiB'")

    try:
        with told("that it keeps to so little memory"):
            keep_to(min(half, limit))
        yield
    finally:
        with suppress(Exception):  # a connection that was lost has no limit to be set
            keep_to(limit)

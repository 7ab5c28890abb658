"""Print one table of running times, measured in one run: `make bench`.

Each contest alternates the two sides, so that a busy moment of the machine hits both, and compares
medians of the processor's time. What is large enough for several cores has a second line by the
clock. What needs much memory runs alone in a fresh process.
"""

import math
import multiprocessing
import pickle
import platform
import statistics
import subprocess
import sys
import time
import tracemalloc
from importlib.metadata import version
from itertools import chain

import grading
import rivals
from contests import ALONE, DOUBLED, contests, floor

IMPORTS = "dtreebook", "sklearn.tree"
MOST_IMPORT = 1.2


def seconds(work, clock=time.perf_counter):
    """Return how long the work takes."""
    start = clock()
    work()
    return clock() - start


def duel(contest, clock):
    """Return the median seconds of both sides, taken in turns."""
    if contest.repeats > 10:  # short work: the first run of each warms up
        contest.ours(), contest.theirs()
    sides = contest.ours, contest.theirs
    times = [[seconds(side, clock) for side in sides] for _ in range(contest.repeats)]
    return tuple(statistics.median(side) for side in zip(*times, strict=True))


def alone(index):
    """Return the median seconds of a work, the most bytes it holds at a time, and may hold."""
    work, table = ALONE[index].make()
    spent = statistics.median(seconds(work) for _ in range(3))
    tracemalloc.start()
    model = work()
    held = tracemalloc.get_traced_memory()[1]
    return spent, held, 4 * table + len(pickle.dumps(model.tree_))


def verdict(ok):
    """Return what to print beside a target."""
    return "" if ok else "MISSED"


def print_contest(contest):
    """Measure a contest and print its line, and a second one by the clock."""
    target = "" if contest.wanted is None else f"{contest.wanted:.2f}"

    def line(work, clock):
        mine, other = duel(contest, clock)
        missed = verdict(contest.wanted is None or mine / other <= contest.wanted)
        times = f"{mine * 1e3:7.1f} ms {other * 1e3:7.1f} ms {mine / other:6.2f}"
        print(f"{work:56} {times} {target:>7} {missed}", flush=True)

    line(contest.work, time.process_time)
    if contest.is_large:
        line("    by the clock, on all cores", time.perf_counter)
    if contest.compare:
        print(f"    {contest.compare(contest.ours(), contest.theirs())}")


def print_imports():
    """Print how long a fresh process takes to import us, beside scikit-learn's trees."""

    def load(package):
        return seconds(lambda: subprocess.run([sys.executable, "-c", f"import {package}"], check=1))

    times = [[load(package) for package in IMPORTS] for _ in range(9)]
    mine, other = map(min, zip(*times, strict=True))
    missed = verdict(mine / other <= MOST_IMPORT)
    times = f"{mine * 1e3:7.1f} ms {other * 1e3:7.1f} ms {mine / other:6.2f}"
    print(f"{'import':56} {times} {MOST_IMPORT:>7.2f} {missed}")


def print_alone():
    """Print what runs alone: time, memory, and what twice the rows take."""
    print(f"\n{'alone':56} {'time':>10} {'memory':>10} {'wanted':>18}")
    fresh, spent = multiprocessing.get_context("spawn"), []
    for index, work in enumerate(ALONE):
        with fresh.Pool(1) as pool:
            time_taken, memory, most = pool.apply(alone, (index,))
        spent.append(time_taken)
        limits = [f"{work.most_seconds:.1f} s"] if math.isfinite(work.most_seconds) else []
        target = ", ".join([*limits, f"{most / 1e6:.0f} MB"])
        missed = verdict(time_taken <= work.most_seconds and memory <= most)
        print(f"{work.work:56} {time_taken:8.2f} s {memory / 1e6:7.0f} MB {target:>18} {missed}")
    for work, double, most in DOUBLED:
        ratio = spent[double] / spent[work]
        missed = verdict(ratio <= most)
        print(f"{ALONE[double].work:56} {ratio:8.2f} times the half {most:>13.1f} {missed}")


def print_grading():
    """Print how long a class takes to be graded."""
    print(f"\n{'assignments':56} {'time':>10} {'wanted':>18}")
    spent = seconds(grading.grade_a_class)
    missed = verdict(spent <= grading.MOST_SECONDS)
    print(f"{grading.WORK:56} {spent:8.0f} s {grading.MOST_SECONDS:>16} s {missed}")


def main():
    """Measure everything and print it."""
    names = ("dtreebook", "scikit-learn", "numpy")
    packages = ", ".join(f"{name} {version(name)}" for name in names)
    print(f"{platform.machine()}, Python {platform.python_version()}, {packages}\n")
    print(f"{'medians':56} {'ours':>10} {'theirs':>10} {'ratio':>6} {'wanted':>7}")
    for contest in chain(contests(), rivals.contests(), [floor()]):
        print_contest(contest)
    print_imports()
    print_alone()
    print_grading()


if __name__ == "__main__":
    main()

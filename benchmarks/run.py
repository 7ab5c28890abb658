"""Print one table of running times, measured in one run: `make bench`.

Each contest alternates the two sides, so that a busy moment of the machine hits both, and compares
medians. What needs much memory runs alone in a fresh process.
"""

import math
import multiprocessing
import platform
import statistics
import time
import tracemalloc
from importlib.metadata import version
from itertools import chain

import cart
import grading
from contests import ALONE, DOUBLED, contests

EVERYTHING = [*ALONE, *cart.ALONE]


def seconds(work):
    """Return how long the work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def duel(contest):
    """Return the median seconds of both sides, taken in turns, and how their results agree."""
    agreement = ""
    if contest.repeats > 10:  # short work: the first run of each warms up
        contest.ours(), contest.theirs()
    times = [(seconds(contest.ours), seconds(contest.theirs)) for _ in range(contest.repeats)]
    if contest.compare:
        agreement = contest.compare(contest.ours(), contest.theirs())
    return *(statistics.median(side) for side in zip(*times, strict=True)), agreement


def alone(index):
    """Return the median seconds of a work, and in a last run the most bytes it holds at a time."""
    work = EVERYTHING[index].make()
    spent = statistics.median(seconds(work) for _ in range(3))
    tracemalloc.start()
    work()
    return spent, tracemalloc.get_traced_memory()[1]


def verdict(ok):
    """Return what to print beside a target."""
    return "" if ok else "MISSED"


def main():
    """Measure everything and print it."""
    names = ("dtreebook", "scikit-learn", "numpy")
    packages = ", ".join(f"{name} {version(name)}" for name in names)
    print(f"{platform.machine()}, Python {platform.python_version()}, {packages}\n")

    print(f"{'training, medians':56} {'ours':>10} {'sklearn':>10} {'ratio':>6} {'wanted':>7}")
    for contest in chain(contests(), cart.contests()):
        mine, other, agreement = duel(contest)
        target = "" if contest.wanted is None else f"{contest.wanted:.2f}"
        missed = verdict(contest.wanted is None or mine / other <= contest.wanted)
        times = f"{mine * 1e3:7.1f} ms {other * 1e3:7.1f} ms {mine / other:6.2f}"
        print(f"{contest.work:56} {times} {target:>7} {missed}", flush=True)
        if agreement:
            print(f"    {agreement}")

    print(f"\n{'alone':56} {'time':>10} {'memory':>10} {'wanted':>18}")
    fresh = multiprocessing.get_context("spawn")
    spent = []
    for index, work in enumerate(EVERYTHING):
        with fresh.Pool(1) as pool:
            time_taken, memory = pool.apply(alone, (index,))
        spent.append(time_taken)
        limits = [f"{work.most_seconds:.1f} s"] if math.isfinite(work.most_seconds) else []
        target = ", ".join([*limits, f"{work.most_bytes / 1e6:.0f} MB"])
        missed = verdict(time_taken <= work.most_seconds and memory <= work.most_bytes)
        print(f"{work.work:56} {time_taken:8.2f} s {memory / 1e6:7.0f} MB {target:>18} {missed}")
    for work, double, most in [*DOUBLED, *cart.DOUBLED]:
        ratio = spent[double] / spent[work]
        missed = verdict(ratio <= most)
        print(f"{EVERYTHING[double].work:56} {ratio:8.2f} times the half {most:>13.1f} {missed}")

    print(f"\n{'assignments':56} {'time':>10} {'wanted':>18}")
    spent = seconds(grading.grade_a_class)
    missed = verdict(spent <= grading.MOST_SECONDS)
    print(f"{grading.WORK:56} {spent:8.0f} s {grading.MOST_SECONDS:>16} s {missed}")


if __name__ == "__main__":
    main()

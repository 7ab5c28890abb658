"""Print one table of running times, measured in one run: `make bench`.

Each contest alternates the two sides, so that a busy moment of the machine hits both, and compares
medians. What needs much memory runs alone in a fresh process, whose peak is its own.
"""

import multiprocessing
import platform
import resource
import statistics
import time
from importlib.metadata import version

from contests import ALONE, contests

REPEATS = 31


def seconds(work):
    """Return how long the work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def duel(ours, theirs):
    """Return the median seconds of both sides, taken in turns."""
    ours(), theirs()
    times = [(seconds(ours), seconds(theirs)) for _ in range(REPEATS)]
    return [statistics.median(side) for side in zip(*times, strict=True)]


def alone(index):
    """Return the seconds and the growth of peak memory, in bytes, of a work on its made data."""
    work = ALONE[index][1]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spent = seconds(work)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return spent, (after - before) * 1024


def verdict(ok):
    """Return what to print beside a target."""
    return "" if ok else "MISSED"


def main():
    """Measure everything and print it."""
    packages = ", ".join(
        f"{name} {version(name)}" for name in ("dtreebook", "scikit-learn", "numpy")
    )
    print(f"{platform.machine()}, Python {platform.python_version()}, {packages}\n")

    print(f"{'training':60} {'ours':>9} {'sklearn':>9} {'ratio':>6} {'wanted':>7}")
    for work, ours, theirs, wanted in contests():
        mine, other = duel(ours, theirs)
        ratio = mine / other
        target = "" if wanted is None else f"{wanted:.2f}"
        missed = verdict(wanted is None or ratio <= wanted)
        times = f"{mine * 1e3:6.1f} ms {other * 1e3:6.1f} ms"
        print(f"{work:60} {times} {ratio:6.2f} {target:>7} {missed}")

    print(f"\n{'alone':60} {'time':>9} {'memory':>9} {'wanted':>16}")
    fresh = multiprocessing.get_context("spawn")
    for index, (work, _, most_seconds, most_bytes) in enumerate(ALONE):
        with fresh.Pool(1) as pool:
            spent, memory = pool.apply(alone, (index,))
        target = f"{most_seconds:.1f} s, {most_bytes / 1e6:.0f} MB"
        missed = verdict(spent <= most_seconds and memory <= most_bytes)
        print(f"{work:60} {spent:7.2f} s {memory / 1e6:6.0f} MB {target:>16} {missed}")


if __name__ == "__main__":
    main()

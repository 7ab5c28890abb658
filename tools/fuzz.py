"""Look for trouble: the net of tests/package/test_everything.py with other examples, on all cores.

python tools/fuzz.py MINUTES. It stops at the first failure, and prints the smallest example of it.
"""

import sys
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from functools import partial
from os import cpu_count
from pathlib import Path
from time import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from everything import TWINS, search, search_beside_twin

EXAMPLES = 500


def rounds():
    """Yield what to do next: a search, its number and how many examples. Numbers begin anywhere."""
    number = int(time())
    while True:
        yield search, number, EXAMPLES
        for kind in TWINS:
            yield partial(search_beside_twin, kind), number, EXAMPLES // 10
        number += 1


def main(minutes):
    """Search for so many minutes."""
    end, done, todo, waiting = time() + 60 * minutes, 0, rounds(), {}
    with ProcessPoolExecutor() as pool:
        while time() < end:
            while len(waiting) < cpu_count():
                function, number, examples = next(todo)
                waiting[pool.submit(function, number, examples)] = examples
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                future.result()  # raises what the search has found
                done += waiting.pop(future)
        for future, examples in waiting.items():
            future.result()
            done += examples
    print(f"make fuzz: {done:,} examples, and nothing to complain of")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)

"""Look for trouble: the net of tests/package/test_everything.py with other examples, on all cores.

python tools/fuzz.py MINUTES. It stops at the first failure, and prints the smallest example of it.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from os import cpu_count
from pathlib import Path
from time import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "helpers"))

from everything import TWINS, search, search_beside_twin

EXAMPLES = 500


def look(number):
    """Search among the examples of a number, beside each twin as well; raise what is found."""
    search(number, EXAMPLES)
    for kind in TWINS:
        search_beside_twin(kind, number, EXAMPLES // 10)


def main(minutes):
    """Search for so many minutes, with numbers that begin anywhere."""
    begin, end = int(time()), time() + 60 * minutes
    with ProcessPoolExecutor() as pool:
        for first in count(begin, cpu_count()):
            list(pool.map(look, range(first, first + cpu_count())))
            if time() > end:
                break
    print(f"make fuzz: {first + cpu_count() - begin} rounds, and nothing to complain of")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)

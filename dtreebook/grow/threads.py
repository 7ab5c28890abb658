"""Work that is shared out among the processors."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import joblib

# Parts with more cells in all are worth threads: NumPy lets go of the lock. With fewer, the threads
# wait for each other more than they save.
_WORTH_THREADS = 2**21

Part = TypeVar("Part")
Done = TypeVar("Done")


def in_threads(work: Callable[[Part], Done], parts: Sequence[Part], cells: int) -> list[Done]:
    """Do some work on every part, in threads where the parts have cells enough."""
    if cells < _WORTH_THREADS or len(parts) < 2 or joblib.cpu_count() < 2:
        return list(map(work, parts))
    with ThreadPoolExecutor(joblib.cpu_count()) as threads:
        return list(threads.map(work, parts))

"""Settings of all tests: what is drawn, one run of each notebook, the net, and the tiers."""

import gc
import os

import browser
import hypothesis.core
import net
import runs
import shared
import tiers
from hypothesis import settings

settings.register_profile("dtreebook", deadline=None, database=None, max_examples=tiers.draws(50))
settings.load_profile("dtreebook")
hypothesis.core.global_force_seed = tiers.SEED


def pytest_xdist_auto_num_workers():
    """Two more than processors: while they wait for a browser or a kernel, others work."""
    return os.cpu_count() + 2


def pytest_configure(config):
    for plugin in shared, runs, net, tiers, browser:
        if not config.pluginmanager.is_registered(plugin):
            config.pluginmanager.register(plugin)


def pytest_collection_finish():
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_unconfigure():
    # What is frozen is not tidied up when Python ends, and then DuckDB 1.5 aborts on Python 3.14.
    gc.unfreeze()

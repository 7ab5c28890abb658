"""Settings of all tests: the same examples, no deadline, one run of each chapter, and the net."""

import net
import runs
import shared
from browser import chromium, site, visit  # noqa: F401
from hypothesis import settings

settings.register_profile(
    "dtreebook", derandomize=True, deadline=None, database=None, max_examples=50
)
settings.load_profile("dtreebook")


def pytest_configure(config):
    """Run each chapter once, and ask of its cells whether a changed digit would be noticed."""
    for plugin in shared, runs, net:
        if not config.pluginmanager.is_registered(plugin):
            config.pluginmanager.register(plugin)

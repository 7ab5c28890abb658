"""Settings of all tests: the same examples everywhere, no deadline, and the net is spread."""

import net
import shared
from browser import chromium, site, visit  # noqa: F401
from hypothesis import settings

settings.register_profile(
    "dtreebook", derandomize=True, deadline=None, database=None, max_examples=50
)
settings.load_profile("dtreebook")


def pytest_configure(config):
    """Share what is made once, and ask of every cell whether a changed digit would be noticed."""
    for plugin in shared, net:
        if not config.pluginmanager.is_registered(plugin):
            config.pluginmanager.register(plugin)

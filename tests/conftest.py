"""Settings of all tests: the same examples everywhere, no deadline, and the net is spread."""

import net
from browser import chromium, site, visit  # noqa: F401
from hypothesis import settings

settings.register_profile(
    "dtreebook", derandomize=True, deadline=None, database=None, max_examples=50
)
settings.load_profile("dtreebook")


def pytest_configure(config):
    """Ask of every cell that nbval runs whether a changed digit would be noticed."""
    if not config.pluginmanager.is_registered(net):
        config.pluginmanager.register(net)

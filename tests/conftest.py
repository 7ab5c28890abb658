"""Settings of all tests: Hypothesis tries the same examples on every machine, as slow as it is."""

from browser import chromium, site, visit  # noqa: F401
from hypothesis import settings

settings.register_profile(
    "dtreebook", derandomize=True, deadline=None, database=None, max_examples=50
)
settings.load_profile("dtreebook")

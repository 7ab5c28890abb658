"""Let the extensions of the book import from the folders beside it.

jupyter-book itself finds what lies in `_ext`. This extension, loaded first, adds the rest, so that
`jupyter-book build book` needs no PYTHONPATH.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

sys.path += [str(ROOT / room) for room in ("tools", "assignments")]


def setup(app):
    """Everything was done when Sphinx imported this."""

"""Let the other extensions import from the rooms beside the book, `tools` and `course`.

jupyter-book finds what lies in `_ext`. This extension is loaded first and adds the folder of the
project to the path, so that `jupyter-book build book` needs no PYTHONPATH.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))


def setup(app):
    """Everything was done when Sphinx imported this."""

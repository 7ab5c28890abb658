"""What is made once for all workers of pytest: the run of each notebook."""

import os
import shutil
import tempfile
from pathlib import Path

from filelock import FileLock

NAME = "DTREEBOOK_SHARED"


def pytest_configure(config):
    if NAME not in os.environ:
        os.environ[NAME] = tempfile.mkdtemp(prefix="dtreebook-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ.pop(NAME)))


def made_once(name, make):
    """Return a path in the folder; who asks first makes what stands there, and others wait."""
    path = Path(os.environ[NAME]) / name
    with FileLock(path.with_name(f"{name}.lock")):
        if not path.exists():
            make(path)
    return path

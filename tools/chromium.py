"""Start the system's Chromium, or playwright's own, which is downloaded where it is missing."""

import shutil
import subprocess
import sys
from contextlib import suppress

from playwright.sync_api import Error

QUIET = ["--disable-gpu", "--in-process-gpu", "--disable-quic"]  # the rest, playwright says itself
OWN = None
# Without windows, as in the shell, a new page takes a sixth of the processor time.
PROGRAMS = ["chromium-headless-shell", OWN, "chromium", "chromium-browser", "google-chrome"]


def launch(playwright):
    """Start the first that is there; a LookupError where there is none and none can be had."""
    for program in PROGRAMS:
        path = program and shutil.which(program)
        if path or program is OWN:
            with suppress(Error):
                return playwright.chromium.launch(executable_path=path, args=QUIET)
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        raise LookupError("no browser could be found or downloaded: install Chromium")
    return playwright.chromium.launch(args=QUIET)

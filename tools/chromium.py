"""Start the system's Chromium, or playwright's own, which is downloaded where it is missing."""

import shutil
import subprocess
import sys

from playwright.sync_api import Error

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def program():
    """Find the system's Chromium; None where there is none."""
    return next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )


def launch(playwright):
    """Start it; a LookupError where there is none and none can be had."""
    options = {"executable_path": program(), "args": QUIET}
    try:
        return playwright.chromium.launch(**options)
    except Error:
        if options["executable_path"]:
            raise
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        raise LookupError("no browser could be found or downloaded: install Chromium")
    return playwright.chromium.launch(**options)

"""A real browser on the built book, and nothing else: every address outside it is refused."""

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
FORK = "Some-School/old-oaks"  # as whose the pages are built: the addresses of all of them follow
NONE_FOUND = """no browser could be found or downloaded, so the tests in a browser are left out.
Install Chromium (on Debian: sudo apt install chromium), or leave these tests out on purpose:
  BROWSER=none make test"""


def program():
    """Find the system's Chromium; None where there is none."""
    return next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )


def launch(playwright):
    """Start the system's Chromium, or playwright's own, which is downloaded where it is missing."""
    options = {"executable_path": program(), "args": QUIET}
    try:
        return playwright.chromium.launch(**options)
    except Error:
        if options["executable_path"]:
            raise
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.fail(NONE_FOUND, pytrace=False)
    return playwright.chromium.launch(**options)


@pytest.fixture(scope="module")
def chromium():
    """A browser for the tests of a file: what runs in its loop must not outlive them."""
    if os.environ.get("BROWSER") == "none":
        pytest.skip("BROWSER=none")
    with sync_playwright() as playwright:
        browser = launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of the built pages; built once, and not where there is no browser."""
    if os.environ.get("BROWSER") == "none":
        pytest.skip("BROWSER=none")
    folder = tmp_path_factory.mktemp("site")
    build = Path(sys.executable).with_name("jupyter-book")
    command = [build, "build", ROOT / "book", "--path-output", folder, "-q"]
    named = os.environ | {"GITHUB_REPOSITORY": FORK, "BOOK_URL": ""}
    run = subprocess.run(command, env=named, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def visit(chromium, site):
    """A function that opens a page of the book; its `complaints` are what the console says."""

    def go_on_if_ours(route, request):
        ours = request.url.startswith(("file:", "data:", "blob:"))
        route.continue_() if ours else route.abort()

    @contextmanager
    def opened(name, **settings):
        context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}} | settings)
        context.route("**/*", go_on_if_ours)
        page = context.new_page()
        page.complaints = []
        note = page.complaints.append
        page.on("pageerror", lambda error: note(str(error)))
        page.on("console", lambda said: note(said.text) if said.type == "error" else None)
        page.goto((site / f"{name}.html").as_uri())
        yield page
        context.close()

    return opened

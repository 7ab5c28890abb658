"""A real browser on the built book, and nothing else: every address outside it is refused."""

import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
import tiers

from tools import chromium as browsers
from twentyquestions.live import bundle

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"
PAGES = sorted(path.stem for path in BOOK.iterdir() if path.suffix in {".ipynb", ".md"})
FORK = "Some-School/old-oaks"
LEFT_OUT = "The tests that need one are left out."


def sample(names, quick):
    """Draw so many names, of pages or explorables, and a few of those whose file was changed.

    That is by the last commit or since.
    """
    git = ["git", "diff", "--name-only", "HEAD~1"]
    run = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False)
    changed = {Path(name).stem for name in run.stdout.splitlines()}  # a single commit: none
    few = tiers.sample([name for name in names if name.split(",")[0] in changed], quick=3)
    return tiers.sample(names, quick=quick, changed=few)


def missing():
    """Say in a sentence what to install where there is no browser, or return nothing.

    Where everything is to be tested, that is an error.
    """
    try:
        browsers.find()
    except LookupError as found:
        if os.environ.get("CI") == "true":
            pytest.exit(f"{found} With CI=true nothing may be left out.", returncode=1)
        return f"{found} {LEFT_OUT}"
    return ""


def pytest_report_header(config):
    """Look for a browser once, before many processes need one."""
    return missing() or None if config.getoption("numprocesses", None) else None


def pytest_runtest_logreport(report):
    """Have pytest count all that is left out for want of a browser in one line of its summary."""
    if report.skipped and isinstance(report.longrepr, tuple) and LEFT_OUT in report.longrepr[2]:
        report.longrepr = (__file__, None, report.longrepr[2])


@pytest.fixture(scope="session")
def needs_browser():
    if reason := missing():
        pytest.skip(reason)


@pytest.fixture(scope="module")
def chromium(needs_browser):
    """A browser for the tests of a file: what runs in its loop must not outlive them."""
    with browsers.opened() as browser:
        yield browser


@pytest.fixture(scope="module")
def engine(chromium):
    """A function that opens an empty page whose scripts know parts of the engine as `engine`."""

    def opened(*parts):
        page = chromium.new_page()
        page.evaluate(f"() => {{ window.engine = {bundle(*parts)}; }}")
        return page

    return opened


@pytest.fixture(scope="session")
def site():
    built = Path(os.environ.get("SITE", BOOK / "_build" / "html")).resolve()
    assert (built / "index.html").exists(), f"there is no book in {built}: make book"
    return built


@pytest.fixture(scope="session")
def fork(tmp_path_factory):
    """The folder of the pages as somebody else's repository would build them."""
    site, rest = tmp_path_factory.mktemp("fork"), tmp_path_factory.mktemp("doctrees")
    named = {"GITHUB_REPOSITORY": FORK, "BOOK_URL": "", "PYTHONPATH": str(BOOK / "_ext")}
    for program, *options in (
        ("jupyter-book", "config", "sphinx", BOOK),
        ("sphinx-build", "-j", "4", "-q", "-d", rest, BOOK, site),
    ):
        command = [Path(sys.executable).with_name(program), *options]
        settings = {"env": os.environ | named, "capture_output": True, "text": True}
        run = subprocess.run(command, **settings, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
    return site


@contextmanager
def listened(browser, **settings):
    """Open an empty page of a browser of its own.

    It has its `complaints`, what the console says, and the addresses it `asked` for.
    """
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | settings)
    page = context.new_page()
    page.complaints, page.asked = [], []
    note = page.complaints.append
    page.on("pageerror", lambda error: note(str(error)))
    page.on("console", lambda said: note(said.text) if said.type == "error" else None)
    page.on("request", lambda request: page.asked.append(request.url))
    yield page
    context.close()


@pytest.fixture(scope="module")
def visit(chromium, site):
    """A function that opens a page of the book."""

    def go_on_if_ours(route, request):
        ours = request.url.startswith(("file:", "data:", "blob:"))
        route.continue_() if ours else route.abort()

    @contextmanager
    def opened(name, **settings):
        with listened(chromium, **settings) as page:
            page.context.route("**/*", go_on_if_ours)
            page.goto((site / f"{name}.html").as_uri())
            yield page

    return opened

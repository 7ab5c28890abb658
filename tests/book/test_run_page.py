"""Pages run themselves in Chromium: they print what the chapters store, and what readers write."""

import functools
import http.server
import sys
import threading
from contextlib import contextmanager

import nbformat
import pytest
from browser import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import run_page

CHAPTERS = ["asking_good_questions", "id3", "c45_thresholds"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Say nothing of what is asked for."""

    def log_message(self, *_):
        pass


@contextmanager
def served(site, port=0):
    """Serve the built book, for pages start no worker from files; give its address."""
    handler = functools.partial(Quiet, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.fixture(scope="module")
def address(site):
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def reader(chromium):
    """What one reader's browser keeps."""
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture
def visit(reader):
    """A function that opens a page; its `complaints` are what the console says."""

    def opened(address):
        page = reader.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(address)
        return page

    yield opened
    for page in reader.pages:
        page.close()


def run(page):
    page.get_by_role("button", name="Run this page").click()
    until(page, "idle")


def until(page, state):
    """Wait until Python is in a state."""
    page.wait_for_function("state => document.documentElement.dataset.python === state", arg=state)


def shown(outputs):
    """List what outputs are and say; HTML and plain text count, both."""
    return [
        (output["output_type"], output.get("text") or output.get("data"), output.get("ename"))
        for output in outputs
    ]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_prints_what_the_chapter_stores(visit, address, name):
    page = visit(f"{address}/{name}.html")
    outputs = page.locator("article .cell_output")
    published = outputs.all_inner_texts()
    run(page)
    ran = page.evaluate("async () => (await import('./python/page.js')).ran()")
    cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells
    for cell in cells:
        if cell.cell_type == "code" and "timing" not in cell.metadata.get("tags", ()):
            assert shown(ran[cell.id]) == shown(cell.outputs), cell.id
    assert outputs.all_inner_texts() == published
    assert page.complaints == []


def writable(page):
    """Return the last cell of a page whose code is seen, and its code."""
    cell = page.locator(".cell:has(pre[contenteditable]:visible)").last
    return cell, cell.get_by_role("textbox")


def test_a_changed_cell_shows_what_it_prints_draws_and_raises_and_is_reset(visit, address):
    page = visit(f"{address}/id3_recursion.html")
    outputs = page.locator("article .cell_output")
    published = outputs.all_inner_texts()
    run(page)
    cell, code = writable(page)
    written = code.inner_text()
    code.fill("import pandas as pd\npd.DataFrame({'six': [6 * 7]})")
    code.press("Shift+Enter")
    cell.locator(".cell_output td", has_text="42").wait_for()
    code.fill("print('so far')\n1 / 0")
    cell.get_by_role("button", name="Run").click()
    cell.locator(".dtb-red", has_text="ZeroDivisionError: division by zero").wait_for()
    assert "so far" in cell.locator(".cell_output").inner_text()
    cell.get_by_role("button", name="Reset").click()
    assert code.inner_text() == written
    code.fill("import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])")
    code.press("Shift+Enter")
    cell.locator(".cell_output svg").wait_for()
    until(page, "idle")
    page.locator("h1 + *").get_by_role("button", name="Reset").click()
    assert code.inner_text() == written
    assert outputs.all_inner_texts() == published


def test_a_cell_without_end_is_stopped_and_the_page_runs_again(visit, address):
    page = visit(f"{address}/id3_recursion.html")
    run(page)
    cell, code = writable(page)
    code.fill("while True: pass")
    code.press("Shift+Enter")
    until(page, "busy")
    page.get_by_role("button", name="Stop").click()
    until(page, "stopped")
    code.fill("print(sum(range(5)))")
    code.press("Shift+Enter")
    cell.locator(".cell_output", has_text="10").wait_for()


def test_a_page_that_was_run_runs_without_a_network(visit, site):
    with served(site) as address:
        run(visit(f"{address}/index.html"))
    page = visit(f"{address}/index.html")
    run(page)
    assert page.complaints == []


def test_where_python_does_not_run_the_launch_buttons_are_offered(visit, address):
    page = visit(f"{address}/index.html")
    page.evaluate("() => { window.Worker = class { constructor() { throw Error('no'); } }; }")
    page.get_by_role("button", name="Run this page").click()
    until(page, "stopped")
    said = page.locator("h1 + *").get_by_role("status")
    assert "Python does not run here: Error: no" in said.inner_text()
    assert {"Binder", "Colab"} <= set(said.get_by_role("link").all_inner_texts())


def test_nothing_is_loaded_before_it_is_asked_for_and_no_piece_is_too_large(visit, address, site):
    page = visit(f"{address}/index.html")
    page.get_by_role("button", name="Run this page").wait_for()
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map(one => one.name)")
    assert {url.rpartition("/")[2] for url in loaded if "/python/" in url} == {
        "page.js",
        "page.css",
    }
    assert max(path.stat().st_size for path in (site / "python").iterdir()) <= run_page.PIECE


def test_a_page_that_asks_a_database_has_no_button(site):
    assert "python/page.js" in (site / "id3.html").read_text("utf-8")
    assert "python/page.js" not in (site / "databases.html").read_text("utf-8")

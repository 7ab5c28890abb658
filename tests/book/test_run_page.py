"""Pages run themselves in Chromium: they print what the notebooks store, and what readers write."""

import functools
import http.server
import threading
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest
import run_page
from browser import ROOT

from tools.address import here
from tools.notebooks import scrub

pytestmark = pytest.mark.weekly  # Python as WebAssembly, 250 MB, is only there to publish
# Pictures among what is printed, nested values, arrays of a machine whose own numbers are short.
CHAPTERS = ["asking_expressive", "id3_recursion", "engine_counting"]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Say nothing of what is asked for; give half of some files, as if that were all."""

    halved = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if self.halved is None or self.halved not in path.name:
            super().do_GET()
            return
        content = path.read_bytes()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(content[: len(content) // 2])


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
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    yield context
    context.close()


@pytest.fixture
def newcomer(chromium, address):
    context = chromium.new_context()
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{address}/index.html")
    yield page
    context.close()


@pytest.fixture
def visit(reader, address):
    """A function that opens a page; its `complaints` are what the console says."""

    def opened(name, address=address):
        page = reader.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(f"{address}/{name}.html")
        return page

    yield opened
    for page in reader.pages:
        page.close()


def run(page):
    page.get_by_role("button", name="Run this page").click()
    until(page, "idle")


def until(page, state):
    page.wait_for_function("state => document.documentElement.dataset.python === state", arg=state)


def told(page):
    return page.locator("h1 ~ .dtb-run").get_by_role("status")


def shown(outputs):
    """List what outputs are and say, as notebooks store it; HTML and plain text count, both."""
    said = ((one, scrub(one.get("text") or one.get("data"))) for one in outputs)
    return [(one["output_type"], words, one.get("ename")) for one, words in said]


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_prints_what_the_chapter_stores(visit, name):
    page = visit(name)
    outputs = page.locator("article .cell_output")
    published = outputs.all_inner_texts()
    run(page)
    ran = page.evaluate("async () => (await import('./python/page.js')).ran()")
    cells = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4).cells
    for cell in cells:
        if cell.cell_type == "code" and "nbval-ignore-output" not in cell.metadata.get("tags", ()):
            assert shown(ran[cell.id]) == shown(cell.outputs), cell.id
    assert outputs.all_inner_texts() == published
    assert page.complaints == []


def writable(page):
    cell = page.locator(".cell:not(.tag_write):has(pre[contenteditable]:visible)").last
    return cell, cell.get_by_role("textbox")


def write(code, source):
    code.fill(source)
    code.press("Shift+Enter")


def test_a_changed_cell_shows_what_it_prints_draws_and_raises_and_is_reset(visit):
    page = visit("id3_recursion")
    outputs = page.locator("article .cell_output")
    published = outputs.all_inner_texts()
    run(page)
    cell, code = writable(page)
    written = code.inner_text()
    write(code, "import pandas as pd\npd.DataFrame({'six': [6 * 7]})")
    cell.locator(".cell_output td", has_text="42").wait_for()
    code.fill("print('so far')\n1 / 0")
    cell.get_by_role("button", name="Run").click()
    cell.locator(".dtb-red", has_text="ZeroDivisionError: division by zero").wait_for()
    assert "so far" in cell.locator(".cell_output").inner_text()
    cell.get_by_role("button", name="Reset").click()
    assert code.inner_text() == written
    write(code, "import matplotlib.pyplot as plt\n_ = plt.plot([1, 2])")
    cell.locator(".cell_output svg").wait_for()
    until(page, "idle")
    page.locator("h1 ~ .dtb-run").get_by_role("button", name="Reset").click()
    assert code.inner_text() == written
    assert outputs.all_inner_texts() == published


@pytest.fixture(scope="module")
def notebook(reader, address):
    """A function that runs a cell of a running page; gives the page's place for its output."""
    page = reader.new_page()
    page.goto(f"{address}/id3_recursion.html")
    run(page)
    cell, code = writable(page)

    def ran(source):
        write(code, source)
        until(page, "idle")
        return cell.locator(".cell_output")

    yield ran
    page.close()


@pytest.mark.parametrize(
    ("source", "shows"),
    [
        ("input('Your name? ')", "input() cannot ask here: write the answer into the code"),
        ("x = [1]\nx[7]", "    x[7]\n"),
        ("open('mine.csv', 'w').write('a\\n1')\nopen('mine.csv').read()", r"'a\n1'"),
        ("import pickle\nclass Mine: pass\npickle.loads(pickle.dumps(Mine)) is Mine", "True"),
        ("import inspect\ndef mine(): return 6\ninspect.getsource(mine)", "def mine(): return 6"),
        # Not until as long again as the clock has run.
        ("import time as t\nold = t.monotonic()\nt.sleep(0.01)\nt.monotonic() < 2 * old", "True"),
        ("1 / 0", "ZeroDivisionError"),
        ("for x in", "SyntaxError"),  # errors that differ are shown one after the other
    ],
    ids=["input", "traceback", "file", "pickle", "source", "sleep", "error", "syntax"],
)
def test_a_cell_does_what_it_does_in_a_notebook(notebook, source, shows):
    assert shows in notebook(source).inner_text()


def test_each_figure_is_shown_where_the_cell_asks_for_it(notebook):
    draw = "import matplotlib.pyplot as plt\nfor n in (1, 2):\n    plt.plot([n])\n    plt.show()"
    output = notebook(f"{draw}\n    print('drawn', n)")
    assert output.locator(".output").evaluate_all(
        "parts => parts.map(part => part.querySelector('svg') ? 'svg' : part.innerText.trim())"
    ) == ["svg", "drawn 1", "svg", "drawn 2"]


def test_what_a_cell_prints_without_measure_is_scrolled(notebook):
    assert notebook("for n in range(10_000): print(n)").bounding_box()["height"] < 1000


def test_a_cell_without_end_is_not_reset_but_stopped_and_the_page_runs_again(visit):
    page = visit("id3_recursion")
    run(page)
    cell, code = writable(page)
    reset = cell.get_by_role("button", name="Reset")
    assert reset.is_visible()
    write(code, "while True: pass")
    until(page, "busy")
    assert not reset.is_visible()
    page.get_by_role("button", name="Stop").click()
    until(page, "stopped")
    write(code, "print(sum(range(5)))")
    cell.locator(".cell_output", has_text="10").wait_for()


def test_a_double_click_runs_the_page(visit):
    page = visit("index")
    begin = page.get_by_role("button", name="Run this page")
    begin.dblclick(position={"x": 15, "y": 8})  # where Stop will be
    until(page, "idle")
    assert page.complaints == []


def test_it_is_stopped_before_anything_is_there(visit):
    page = visit("index")
    page.evaluate("""() => {
        const press = words => [...document.querySelectorAll(".dtb-run button")]
            .find(button => button.textContent === words).click();
        press("Run this page");
        press("Stop");
    }""")
    until(page, "stopped")
    run(page)
    assert page.complaints == []


@pytest.mark.parametrize("lost", ["contents.json", "library.zip"])
def test_what_did_not_arrive_is_named_and_asked_for_again(newcomer, lost, monkeypatch):
    monkeypatch.setattr(Quiet, "halved", lost)
    newcomer.get_by_role("button", name="Run this page").click()
    until(newcomer, "stopped")
    for words in lost, "did not arrive", "Try again.":
        assert words in told(newcomer).inner_text()
    monkeypatch.undo()
    run(newcomer)


def test_a_browser_without_room_runs_the_page(newcomer, address):
    devtools = newcomer.context.new_cdp_session(newcomer)
    devtools.send("Storage.overrideQuotaForOrigin", {"origin": address, "quotaSize": 1_000_000})
    run(newcomer)


# Browsers give pages without https less: nothing to keep files in, nothing to sign them with.
PLAIN_SERVER = """delete Crypto.prototype.subtle; delete Navigator.prototype.serviceWorker;
    delete window.caches;"""
NOT_KEPT = "ServiceWorkerContainer.prototype.register = async () => { throw 7; }"


@pytest.mark.parametrize("lacks", [PLAIN_SERVER, NOT_KEPT], ids=["plain server", "not kept"])
def test_a_page_runs_where_browsers_give_it_less(newcomer, lacks):
    newcomer.add_init_script(lacks)
    newcomer.reload()
    run(newcomer)


def test_a_page_that_was_run_runs_without_a_network(visit, site):
    with served(site) as address:
        page = visit("index", address)
        run(page)
        page.get_by_role("status").filter(has_text="works offline now").wait_for()
    page = visit("index", address)
    run(page)
    assert page.complaints == []


def test_where_python_does_not_run_the_launch_buttons_are_offered(visit):
    page = visit("index")
    page.evaluate("() => { window.Worker = class { constructor() { throw Error('no'); } }; }")
    page.get_by_role("button", name="Run this page").click()
    until(page, "stopped")
    assert "Python does not run here: Error: no" in told(page).inner_text()
    # A book that is not published yet has no such buttons.
    buttons = {"Binder", "Colab"} if here() else set()
    assert buttons <= set(told(page).get_by_role("link").all_inner_texts())


def test_nothing_is_loaded_before_it_is_asked_for_and_no_piece_is_too_large(visit, site):
    page = visit("index")
    page.get_by_role("button", name="Run this page").wait_for()
    loaded = page.evaluate("() => performance.getEntriesByType('resource').map(one => one.name)")
    names = {url.rpartition("/")[2] for url in loaded if "/python/" in url}
    assert names == {"page.js", "page.css"}
    assert max(path.stat().st_size for path in (site / "python").iterdir()) <= run_page.PIECE


def test_a_page_that_asks_a_database_has_no_button(site):
    assert "python/page.js" in (site / "id3.html").read_text("utf-8")
    assert "python/page.js" not in (site / "databases.html").read_text("utf-8")

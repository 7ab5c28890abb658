"""Chapters in JupyterLab, as Binder has it, in Chromium: run, read, and left as they were.

Two chapters with `make test`, all with JUPYTERLAB=all, which takes half an hour.
"""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import notebooks
import plain_notebooks
import pytest
from browser import ROOT

ALL = [path.stem for path in notebooks.chapters()]
CHAPTERS = ALL if os.environ.get("JUPYTERLAB") == "all" else ["how_to_use", "id3"]
NOTEBOOK = "window.jupyterapp.shell.currentWidget"
MINUTES = 60_000
# Every cell as it is drawn: its kind, what is read on it, and where its links lead.
CELLS = f"""() => {NOTEBOOK}.content.widgets.map(cell => ({{
    id: cell.model.id,
    kind: cell.model.type,
    text: cell.node.innerText,
    source: !cell.inputHidden,
    errors: cell.node.querySelectorAll("[data-mime-type='application/vnd.jupyter.error']").length,
    links: [...cell.node.querySelectorAll("a[href]")].map(link => link.getAttribute("href")),
    open: [...cell.node.querySelectorAll("details[open]")].length,
}}))"""


@contextmanager
def server(folder, home):
    """Serve a folder with JupyterLab; give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "JUPYTER_PREFER_ENV_PATH": "1",
    }
    programs = Path(sys.executable).parent
    chapters = map(str, (folder / "book").glob("*.ipynb"))
    subprocess.run(
        [programs / "jupyter-trust", *chapters], env=environment, check=True, capture_output=True
    )
    command = [
        programs / "jupyter-lab", "--no-browser", "--expose-app-in-browser", "--allow-root",
        f"--port={port}", f"--ServerApp.root_dir={folder}", "--IdentityProvider.token=",
        f"--config={ROOT / 'tools/jupyter_server_config.py'}", "--LabApp.news_url=",
    ]  # fmt: skip
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as running:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            running.terminate()


def wait_for(address):
    """Wait until a server answers."""
    for _ in range(1500):
        try:
            with urllib.request.urlopen(f"{address}/api", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail("JupyterLab does not answer")


@pytest.fixture(scope="module")
def lab(chromium, tmp_path_factory):
    """A function that opens a chapter in JupyterLab, and the folder that is served."""
    folder = tmp_path_factory.mktemp("lab")
    listed = ["git", "-C", ROOT, "ls-files", "-z", "book", "assignments/release"]
    for name in subprocess.check_output(listed, text=True).split("\0")[:-1]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((ROOT / name).read_bytes())
    with server(folder, tmp_path_factory.mktemp("home")) as address:
        wait_for(address)
        page = chromium.new_page(viewport={"width": 1280, "height": 1000})
        page.set_default_timeout(5 * MINUTES)
        page.asked = []
        page.on("request", lambda request: page.asked.append(request.url))

        def open_chapter(name):
            page.goto(f"{address}/lab/tree/book/{name}.ipynb?reset")
            ready = f"() => {NOTEBOOK}?.sessionContext?.session?.kernel?.status === 'idle'"
            page.wait_for_function(ready)
            return page

        yield open_chapter, folder, address


def drawn(page):
    """Draw every cell of the notebook, and return all."""
    for _ in range(120):
        done = page.evaluate(
            f"""async () => {{
                const cells = {NOTEBOOK}.content.widgets;
                await Promise.all(cells.map(cell => cell.ready));
                return cells.every(cell => cell.model.type !== "markdown"
                    || cell.node.querySelector(".myst, .jp-MarkdownOutput, article, p, h1, h2"));
            }}"""
        )
        if done:
            break
        page.wait_for_timeout(1000)
    page.wait_for_timeout(2000)
    return page.evaluate(CELLS)


def stored(path):
    """Read the stored values of a chapter by cell."""
    chapter = notebooks.nbformat.read(path, as_version=4)
    return chapter, {cell.id: plain_notebooks.values(cell) for cell in chapter.cells}


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_runs_and_reads_like_the_page(lab, name):
    open_chapter, folder, address = lab
    path = folder / "book" / f"{name}.ipynb"
    before = path.read_bytes()
    page = open_chapter(name)
    page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    assert path.read_bytes() == before, "opening and saving changes the file"

    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    chapter, values = stored(path)
    fails = {c.id for c in chapter.cells if "raises-exception" in c.metadata.get("tags", ())}
    for cell in drawn(page):
        where = f"{name}: {cell['id']}\n{cell['text'][:500]}"
        assert not cell["errors"] or cell["id"] in fails, where
        if cell["kind"] != "markdown":
            continue
        folded = "Solution to" in cell["text"]
        assert not re.search(r"\{[\w:]+\}`|^`{3,}|NameError|TypeError", cell["text"]), where
        for value in () if folded else values[cell["id"]].values():
            assert re.sub(r"\W", "", value) in re.sub(r"\W", "", cell["text"]), (value, where)
        for link in cell["links"]:
            target, _, _ = link.removeprefix(f"{address}/files/").partition("#")
            inside = target and not re.match(r"https?:|mailto:", target)
            assert (
                not inside or (folder / "book" / target).exists() or (folder / target).exists()
            ), (
                link,
                where,
            )
    hidden = {c.id for c in chapter.cells if c.metadata.get("jupyter", {}).get("source_hidden")}
    shown = {cell["id"] for cell in drawn(page) if cell["kind"] == "code" and cell["source"]}
    assert not hidden & shown
    assert all(url.startswith((address, "data:", "blob:")) for url in page.asked), page.asked


def test_a_link_opens_the_chapter(lab):
    open_chapter, _, _ = lab
    page = open_chapter("index")
    drawn(page)
    page.locator(
        ".jp-Notebook a", has_text=re.compile("good questions", re.IGNORECASE)
    ).first.click()
    page.wait_for_function(f"() => {NOTEBOOK}.context?.path === 'book/asking_good_questions.ipynb'")

"""Notebooks in JupyterLab, set up as Binder has it, in Chromium: they read like the pages and run.

With `make test-all` the longest is opened and run, once a week all are.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
from browser import ROOT, listened
from tiers import TIER

from tools import notebooks, plain_notebooks

CHAPTERS = [path.stem for path in notebooks.pages()]
every_chapter = pytest.mark.parametrize("name", CHAPTERS if TIER == "weekly" else ["id3"])
SECONDS = 1000
HERE = "window.jupyterapp.shell.currentWidget"
OPEN = """([path, preference]) => {
    window.jupyterapp.commands.execute(
        "docmanager:open", { path, kernelPreference: preference });
}"""
IS_OPEN = f"path => {HERE}?.context?.path === path && {HERE}.context.isReady"
# Drawn, and its links to chapters have been turned into addresses, a moment later.
DRAWN = f"""() => {HERE}.content.widgets.every(cell => !cell.isPlaceholder()
    && ![...cell.node.querySelectorAll(".myst a")].some(link =>
        /^[\\w./]+[.](md|ipynb)/.test(link.getAttribute("href")))
    && (cell.model.type !== "markdown"
        || cell.node.querySelector(".myst > *, .jp-MarkdownOutput > *")))"""
CLOSE = f"""async () => {{
    {HERE}.context.model.dirty = false;
    await window.jupyterapp.commands.execute("application:close-all");
}}"""
# What a reader meets in each cell. What stands in code or formulas is not looked at for markup.
RED = ", ".join([
    ".jp-RenderedText[data-mime-type$='.error']", ".jp-RenderedText[data-mime-type$='.stderr']",
    ".myst-error", ".katex-error", ".myst [title$='Not Found']",
])  # fmt: skip
CELLS = f"""() => {{ const all = (node, what) => [...(node?.querySelectorAll(what) ?? [])];
return {HERE}.content.widgets.map(cell => {{
    const drawn = cell.node.querySelector(".myst, .jp-MarkdownOutput, .jp-Cell-outputArea");
    const words = drawn?.cloneNode(true);
    all(words, "code, pre, .katex, svg, style, script").forEach(part => part.remove());
    return {{
        id: cell.model.id,
        kind: cell.model.type,
        hidden: Boolean(cell.inputHidden),
        seen: cell.node.innerText,
        prose: words?.textContent ?? "",
        drawn: drawn?.textContent ?? "",
        red: all(cell.node, "{RED}").map(error => error.textContent),
        dead: all(drawn, "a[href^='#']").map(link => link.hash.slice(1)).filter(
            place => place && !{HERE}.node.querySelector("#" + CSS.escape(place))),
        links: all(drawn, "a[href]:not([href^='#'])").map(link => link.href),
        unfolded: all(drawn, "details[open], aside > [class*=-header]").filter(
            part => part.open || /^(Solution|Hint)/.test(part.textContent.trim())).length,
        still: all(drawn, "[data-live]:not([data-ready])").length,
        lost: all(drawn, "img").filter(image => image.complete && !image.naturalWidth)
            .map(image => image.getAttribute("src")),
    }};
}}); }}"""
MARKUP = re.compile(r"\{[a-z][\w:-]*\}|`{3}|:{3}|\$|\\[(\[]|^\([\w-]+\)=", re.MULTILINE)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of what git has, so that no file of ours is changed."""
    folder = tmp_path_factory.mktemp("checkout")
    listed = subprocess.check_output(["git", "-C", ROOT, "ls-files", "-z"], text=True)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


@pytest.fixture(scope="module")
def address(checkout, tmp_path_factory):
    """Where JupyterLab serves the copy, set up by postBuild as on Binder."""
    home = tmp_path_factory.mktemp("home")
    programs = Path(sys.executable).parent
    environment = {name: text for name, text in os.environ.items() if "JUPYTER" not in name} | {
        "HOME": str(home),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "NB_PYTHON_PREFIX": str(home),
        "JUPYTER_CONFIG_PATH": str(home / "etc" / "jupyter"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "PYTHONPATH": str(checkout),
    }
    with (home / "log").open("w") as log:
        say = {"cwd": checkout, "env": environment, "stdout": log, "stderr": log}
        subprocess.run(["bash", "postBuild"], check=True, **say)
        command = [programs / "jupyter-lab", "--no-browser", "--allow-root", "--port=0",
                   "--expose-app-in-browser", "--IdentityProvider.token=", "--LabApp.news_url=",
                   "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]  # fmt: skip
        with subprocess.Popen(command, **say) as server:
            try:
                yield place_of(server, home)
            finally:
                server.terminate()
                try:
                    server.wait(timeout=20)
                except subprocess.TimeoutExpired:  # it waits for a kernel that does not end
                    server.kill()


def place_of(server, home):
    """Wait until JupyterLab serves, and return its address."""
    while server.poll() is None:
        for told in (home / "runtime").glob("jpserver-*[0-9].json"):
            try:
                return json.loads(told.read_text("utf-8"))["url"].replace("localhost", "127.0.0.1")
            except ValueError:  # it is being written
                pass
        time.sleep(0.1)
    pytest.fail((home / "log").read_text("utf-8"))


@pytest.fixture(scope="module")
def lab(chromium, address):
    """JupyterLab in the browser."""
    with listened(chromium, viewport={"width": 1280, "height": 1000}) as page:
        page.set_default_timeout(120 * SECONDS)
        page.goto(f"{address}lab")
        page.wait_for_function("() => window.jupyterapp?.shell")
        page.evaluate("async () => { await window.jupyterapp.restored }")
        yield page


@pytest.fixture
def opened(lab):
    """A function that opens a notebook, with a kernel or without, and waits until it is drawn."""

    def open_chapter(name, kernel):
        path = f"book/{name}.ipynb"
        lab.evaluate(OPEN, [path, {"shouldStart": kernel, "shutdownOnDispose": True}])
        lab.wait_for_function(IS_OPEN, arg=path)
        lab.wait_for_function(DRAWN)
        return lab

    yield open_chapter
    lab.evaluate(CLOSE)


def complaints(page, chapter, checkout):
    """Say what a reader of an open notebook would stumble over once it is at rest.

    Cells are drawn anew after they ran, some a moment after others: what passes is no complaint.
    """
    for _ in range(30):
        page.wait_for_function(DRAWN)
        found = complaints_now(page, chapter, checkout)
        if not found:
            break
        page.wait_for_timeout(SECONDS)
    return found


def complaints_now(page, chapter, checkout):
    """Say what a reader of an open notebook would stumble over at this moment."""
    sources = {cell.id: cell for cell in chapter.cells}
    found = []
    for cell in page.evaluate(CELLS):
        source = sources[cell["id"]]
        tags = source.metadata.get("tags", ())
        wrong = [] if "raises-exception" in tags else [f"red: {red}" for red in cell["red"]]
        if source.metadata.get("jupyter", {}).get("source_hidden") and not cell["hidden"]:
            wrong.append("the source is not folded")
        if cell["unfolded"]:
            wrong.append("a solution, a hint or an answer stands open")
        if cell["still"]:
            wrong.append("an explorable does not answer")
        if "right=True" in cell["seen"]:
            wrong.append("the answers of the quiz are seen")
        if cell["kind"] == "markdown":
            wrong += [f"markup: {markup[0]}" for markup in MARKUP.finditer(cell["prose"])]
            text = plainly(cell["drawn"])
            values = plain_notebooks.values(source).values()
            wrong += [f"lacks {value}" for value in values if plainly(value) not in text]
        wrong += [f"#{place} is no place" for place in cell["dead"]]
        wrong += [f"lost picture {source}" for source in cell["lost"]]
        wrong += [f"dead link {link}" for link in cell["links"] if not leads(link, page, checkout)]
        found += [f"{cell['id']}: {said}" for said in wrong]
    return "\n".join(found)


def plainly(text):
    return re.sub(r"[\s*_`\\]", "", text)


def leads(link, page, checkout):
    parts = urlsplit(link)
    if parts.netloc != urlsplit(page.url).netloc:
        return parts.scheme in {"http", "https", "mailto", "blob"}  # the last: made by the page
    path = unquote(parts.path).removeprefix("/files/")
    return path.startswith("book/_build/editions/") or (checkout / path).is_file()


@pytest.mark.slow
@every_chapter
def test_a_chapter_reads_like_the_page_when_it_is_opened(opened, checkout, name):
    path = checkout / "book" / f"{name}.ipynb"
    before = path.read_bytes()
    page = opened(name, kernel=False)
    found = complaints(page, nbformat.read(path, as_version=4), checkout)
    assert not found, found
    page.evaluate("async () => { await window.jupyterapp.commands.execute('docmanager:save') }")
    assert path.read_bytes() == before, "opening and saving it changes the file"


@pytest.mark.slow
@every_chapter
def test_a_chapter_reads_like_the_page_after_run_all(opened, checkout, name):
    path = checkout / "book" / f"{name}.ipynb"
    page = opened(name, kernel=True)
    page.wait_for_function(f"() => {HERE}.sessionContext.session?.kernel?.status === 'idle'")
    run = "async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells') }"
    page.evaluate(run)
    found = complaints(page, nbformat.read(path, as_version=4), checkout)
    assert not found, found


@pytest.mark.slow
def test_a_link_opens_the_chapter_and_no_other_host_is_asked(opened, lab, address):
    page = opened("index", kernel=False)
    page.locator(".myst a[href*='asking_good_questions.ipynb']").first.click()
    page.wait_for_function(IS_OPEN, arg="book/asking_good_questions.ipynb")
    assert [url for url in lab.asked if not url.startswith((address, "data:", "blob:"))] == []

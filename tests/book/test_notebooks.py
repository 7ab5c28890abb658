"""The committed notebooks are what tools/notebooks.py gives, and the script keeps its promises."""

import asyncio
import re
import sys
from importlib.metadata import version
from types import SimpleNamespace

import cells
import nbformat
import pytest
from browser import ROOT
from bs4 import BeautifulSoup
from lock import locked
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from runs import Replay, run_of
from tiers import sample

from tools import notebooks, plain_notebooks

CHAPTERS = notebooks.pages()

# What a chapter's outputs depend on, beside dtreebook itself.
SPEAKERS = {
    "ipykernel", "ipython", "ipywidgets", "matplotlib", "nbclient", "nbformat", "numpy", "pandas",
    "scikit-learn", "scipy",
}  # fmt: skip


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_the_committed_chapter_is_what_the_script_gives(chapter):
    others = [name for name in sorted(SPEAKERS) if version(name) not in locked()[name]]
    if others:
        pytest.skip(f"not the locked versions: {', '.join(others)}")
    complaint = notebooks.compare(chapter, run_of(chapter))
    assert not complaint, f"{complaint}\n\nIf the outputs are right: make notebooks, and commit."


@pytest.fixture
def page(tmp_path):
    """Return a function that writes cells to a notebook file: text is prose, {"code": ...} code."""

    def write(*cells, name="page.ipynb", tags=()):
        made = [
            new_markdown_cell(cell) if isinstance(cell, str) else new_code_cell(cell["code"])
            for cell in cells
        ]
        for number, cell in enumerate(made):
            cell.id = f"cell-{number}"
            if cell.cell_type == "code" and tags:
                cell.metadata.tags = list(tags)
        nbformat.write(new_notebook(cells=made), tmp_path / name)
        return tmp_path / name

    return write


@pytest.fixture
def script(monkeypatch, capsys):
    """Return a function that does what tools/notebooks.py does, and says its code and its words."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["notebooks.py", *map(str, arguments)])
        capsys.readouterr()
        code = notebooks.main()
        return code, "".join(capsys.readouterr())

    return run


def complaint(path):
    """Run a notebook and compare it with its file, as is done for each chapter."""
    (fresh,) = asyncio.run(notebooks.execute_all([path]))
    return notebooks.compare(path, fresh)


def test_a_run_stores_outputs_and_values_and_a_second_run_changes_nothing(page, script):
    noisy = "import ipywidgets\nprint(object(), x)\nipywidgets.IntSlider()"
    path = page({"code": "x = 2 / 3"}, 'x is {eval}`f"{x:.3f}"`', {"code": noisy})
    assert script(path) == (0, "page.ipynb: written\n")
    first = path.read_text()
    assert '"text/plain": "\'0.667\'"' in first
    assert "0xADDRESS> 0.666" in first
    assert script(path) == (0, "page.ipynb: unchanged\n")
    assert path.read_text() == first
    path.write_text(first.replace("'0.667'", "'0.668'", 1))
    assert "0.668" in complaint(path)
    path.write_text(first.replace("0.6666", "0.6667", 1))
    said = complaint(path)
    assert "--- page.ipynb" in said
    assert '-      "<object object at 0xADDRESS> 0.66676' in said


def test_each_chapter_has_a_process_and_chance_of_its_own(page):
    code = (
        "import dtreebook, numpy, os, pandas, random\n"
        "print(os.getpid(), numpy.random.random(), random.random())\n"
        "print(os.getcwd(), pandas.options.display.max_columns, hasattr(dtreebook, 'left'))\n"
        "dtreebook.left = pandas.options.display.max_columns = 1"
    )
    paths = [page({"code": code}, name=name) for name in ("one.ipynb", "two.ipynb")]
    one, two = asyncio.run(notebooks.execute_all(paths))
    (own, same), (others, again) = (run.cells[0].outputs[0].text.splitlines() for run in (one, two))
    assert same == again
    assert same.endswith(" 20 False")
    assert not set(own.split()) & set(others.split())


def test_running_times_stay_while_the_rest_does(page, script):
    cell = {"code": "import time\nprint(time.perf_counter_ns())"}
    path = page(cell, tags=["timing", "nbval-ignore-output"])
    script(path)
    first = path.read_text()
    assert re.search(r'"\d+\\n"', first)
    assert complaint(path) == ""
    cleared = nbformat.reads(first, as_version=4)
    cleared.cells[0].outputs = []
    nbformat.write(cleared, path)
    assert complaint(path)
    script(path)
    assert re.search(r'"\d+\\n"', path.read_text())
    assert path.read_text() != first


def test_a_failing_cell_and_a_failing_value_are_named(page, script):
    cell = page({"code": "1"}, {"code": "1 / 0"}, name="cell.ipynb")
    value = page("{eval}`nowhere`", name="value.ipynb")
    other = page(
        {"code": "n = 4"}, "All {eval}`n` of them.", {"code": "n = 15"}, name="other.ipynb"
    )
    before = cell.read_text()
    code, said = script(cell, value, other)
    assert code == 1
    assert "cell.ipynb, cell 2 (cell-1) failed" in said
    assert "ZeroDivisionError" in said
    assert "value.ipynb, cell 1 (cell-0): {eval}`nowhere` failed\nNameError" in said
    assert "other.ipynb, cell 2 (cell-1): {eval}`n` has another value at the end" in said
    assert cell.read_text() == before


def test_what_the_book_hides_is_folded_in_jupyterlab(page, script):
    source, outputs = {"source_hidden": True}, {"outputs_hidden": True}
    hidden = {"hide-input": source, "remove-input": source, "hide-output": outputs}
    hidden |= {"remove-cell": source | outputs, "solution": source | outputs, "other": None}
    paths = [page({"code": "1"}, name=f"{tag}.ipynb", tags=[tag]) for tag in hidden]
    assert script(*paths)[0] == 0
    for path, fold in zip(paths, hidden.values(), strict=True):
        assert nbformat.read(path, as_version=4).cells[0].metadata.get("jupyter") == fold


def stored(expression, value):
    result = {"status": "ok", "data": {"text/plain": value}, "metadata": {}}
    if value is None:
        result = {"status": "error", "ename": "NameError", "evalue": "gone", "traceback": []}
    entry = {"expression": expression, "result": result}
    return new_markdown_cell("Text.", metadata={"user_expressions": [entry]})


def test_a_value_is_the_stored_one_and_none_that_is_missing_failed_or_ambiguous():
    asked = [stored("gain", "0.42"), stored("gain", "0.42"), stored("failed", None)]
    asked += [stored("two", "1"), stored("two", "2")]
    client = SimpleNamespace(notebook=new_notebook(cells=asked))
    (found,) = cells.stored_value(client, "gain")
    assert (found["output_type"], found["data"]) == ("display_data", {"text/plain": "0.42"})
    assert cells.stored_value(client, "failed")[0]["output_type"] == "error"
    for expression, words in {"never": "has no stored value", "two": "has different val"}.items():
        with pytest.raises(LookupError, match=f"'{expression}' {words}"):
            cells.stored_value(client, expression)


@pytest.mark.parametrize("chapter", sample(CHAPTERS, quick=4), ids=lambda path: path.stem)
def test_values_stand_in_the_page_and_the_code_of_a_solution_within_it(site, chapter):
    page = BeautifulSoup((site / f"{chapter.stem}.html").read_text("utf-8"), "html.parser").article
    text, shown = " ".join(page.get_text().split()), nbformat.read(chapter, as_version=4).cells
    for cell in shown:
        for value in plain_notebooks.values(cell).values():
            assert " ".join(value.replace("`", "").split()) in text, cell.id
    solved = [cell for cell in shown if "solution" in cell.metadata.get("tags", ())]
    kept = [cell for cell in solved if "remove-cell" not in cell.metadata.tags]
    assert len(page.select(".solution .tag_solution")) == len(kept)
    assert len(page.select(".tag_solution")) == len(kept)


def test_a_run_answers_for_its_cells_in_any_order():
    """Under `--dist worksteal` a worker may run the end of a notebook before its beginning."""
    run = run_of(ROOT / "book/entropy.ipynb")
    replay = Replay(run)
    for cell in reversed([cell for cell in run.cells if cell.cell_type == "code"]):
        assert replay.execute_cell_input(cell.source, allow_stdin=False) == cell.id
        first = replay.get_message("iopub", timeout=1)["content"]
        assert first == (cell.outputs[0] if cell.outputs else {"execution_state": "idle"})

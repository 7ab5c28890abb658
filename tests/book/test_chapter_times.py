"""The minutes to read a chapter under its title, and the table of times."""

import sys

import nbformat
import pytest
from browser import ROOT
from bs4 import BeautifulSoup
from docutils import nodes

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import chapter_times

BOOK = ROOT / "book"


def test_exercises_and_folded_code_are_not_counted_but_what_the_code_shows_is():
    exercise, solution = (
        nodes.admonition("", nodes.paragraph("", "not counted"), classes=[kind])
        for kind in ("exercise", "solution")
    )
    output = nodes.container("", nodes.paragraph("", "a table"), classes=["cell_output"])
    code = nodes.container("", nodes.literal_block("", "a = 1\n\nb = 2"), classes=["cell_input"])
    page = nodes.section("", nodes.paragraph("", "Three words here."), exercise, solution)
    page += nodes.container("", code, output, classes=["cell"])
    folded = [code.deepcopy(), output.deepcopy()]
    page += nodes.container("", *folded, classes=["cell", "tag_hide-input"])
    assert chapter_times.counts(page) == {
        "word": 3, "line of code": 2, "formula": 0, "drawing or table": 2,
    }  # fmt: skip


def test_code_that_a_cell_shows_is_counted_as_code():
    listing = nodes.literal_block("", "def f():\n    return 1", language="python")
    printed = nodes.literal_block("", "1\n2\n3", language="text")
    page = nodes.section("")
    for output in (listing, printed):
        page += nodes.container("", output, classes=["cell_output"])
    found = chapter_times.counts(page)
    assert (found["line of code"], found["drawing or table"]) == (2, 1)


@pytest.mark.parametrize(("words", "minutes"), [(1, 5), (2400, 10), (3100, 15), (7200, 30)])
def test_minutes_are_rounded_to_five(words, minutes):
    assert chapter_times.minutes({"word": words}) == minutes


def test_the_table_says_what_stands_under_the_titles_and_in_the_notebooks(site):
    table = BeautifulSoup((site / "times.html").read_text("utf-8"), "html.parser").article.table
    rows = {row.a["href"].removesuffix(".html"): row for row in table.select("tbody tr")}
    assert set(rows) == {path.stem for path in BOOK.glob("*.ipynb")} - {"index"}
    for name, row in rows.items():
        read, cells, run = (cell.get_text() for cell in row.find_all("td")[1:])
        page = BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")
        under_title = page.select_one("h1 + p.dtb-reading-time").get_text()
        assert under_title.partition(" min")[0] == read.partition(" min")[0]
        notebook = nbformat.read(BOOK / f"{name}.ipynb", as_version=4)
        assert int(cells) == [cell.cell_type for cell in notebook.cells].count("code")
        assert run == f"{notebook.metadata.seconds:.0f} s"


SPLIT = ("asking", "entropy", "id3", "c45", "cart", "pruning", "engine")
SHORT = [path.stem for first in SPLIT for path in BOOK.glob(f"{first}*.ipynb")]


@pytest.mark.parametrize("name", SHORT)
def test_a_page_is_read_in_15_minutes(site, name):
    page = BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")
    assert int(page.select_one("p.dtb-reading-time").get_text().split()[0]) <= 15

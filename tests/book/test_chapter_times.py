"""The minutes for a chapter under its title, and the table of times."""

import re
import sys

import nbformat
import pytest
from browser import ROOT
from bs4 import BeautifulSoup
from docutils import nodes

from dtreebook.pages import explorables, quiz

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import chapter_times

BOOK = ROOT / "book"
CHAPTERS = sorted({path.stem for path in BOOK.glob("*.ipynb")} - {"index"})


def counted(page):
    """What there is on a page, without what there is none of."""
    return {kind: n for kind, n in chapter_times.counts(page).items() if n}


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
    assert counted(page) == {"word": 3, "line of code": 2, "drawing or table": 2}


def test_code_that_a_cell_shows_is_counted_as_code_unless_it_is_folded_away():
    listing = nodes.literal_block("", "def f():\n    return 1", language="python")
    printed = nodes.literal_block("", "1\n2\n3", language="text")
    page = nodes.section("")
    for output in (listing, printed):
        page += nodes.container("", output, classes=["cell_output"])
    assert counted(page) == {"line of code": 2, "drawing or table": 1}
    page.clear()
    output = nodes.container("", listing.deepcopy(), classes=["cell_output"])
    page += nodes.container("", output, classes=["cell", "tag_remove-input", "tag_hide-output"])
    assert counted(page) == {}


def test_what_is_answered_and_moved_is_counted_apart_also_where_its_code_is_folded():
    choices = [quiz.Choice("one", "Yes.", right=True), quiz.Choice("two", "No.")]
    asked = quiz.quiz(quiz.Question("How many?", choices), quiz.Fill("How many?", "1", "One."))
    shown = asked, explorables.guess("How many?", 1, "One."), explorables.twenty_questions()
    page = nodes.section("")
    for thing in shown:
        html = thing.html if hasattr(thing, "html") else thing._repr_html_()
        output = nodes.container("", nodes.raw("", html, format="html"), classes=["cell_output"])
        page += nodes.container("", output, classes=["cell", "tag_hide-input"])
    assert counted(page) == {"question": 3, "interactive drawing": 1}


def test_the_table_says_what_stands_under_the_titles_and_in_the_notebooks(site):
    table = BeautifulSoup((site / "times.html").read_text("utf-8"), "html.parser").article.table
    rows = {row.a["href"].removesuffix(".html"): row for row in table.select("tbody tr")}
    assert set(rows) == set(CHAPTERS)
    for name, row in rows.items():
        read, do, cells, run = (
            cell.get_text().replace("\xa0", " ") for cell in row.find_all("td")[1:]
        )
        assert [f"{n} min" for n in under_title(site, name)] == [read, do]
        notebook = nbformat.read(BOOK / f"{name}.ipynb", as_version=4)
        assert int(cells) == [cell.cell_type for cell in notebook.cells].count("code")
        assert run == f"{notebook.metadata.seconds:.0f} s"


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_is_read_in_a_quarter_of_an_hour_and_worked_through_in_half_an_hour(site, name):
    read, do = under_title(site, name)
    assert read <= 17  # rounded to five, as the line was before, that is 15
    assert read + do <= 30


def under_title(site, name):
    """The minutes that stand under the title of a chapter: to read, and to do what it asks."""
    page = BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")
    words = page.select_one("h1 + p.dtb-reading-time").get_text()
    read, do = re.match(r"About (\d+) minutes? to read(?:, and (\d+) for its)?", words).groups()
    return int(read), int(do or 0)


def test_no_five_hundred_words_stand_without_a_picture_or_something_to_do(site):
    count = 0
    for path in site.glob("*.html"):
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        if not page.select_one("h1 > .section-number"):
            continue
        article = page.article
        for node in article.select("script, style, pre, math, table, .dtb-beside, .dtb-take"):
            node.decompose()
        for node in article.select("figure, fieldset, .exercise, .dtb-explorable, .dtb-quiz"):
            if not node.decomposed:
                node.replace_with("\0")
        stretches = [len(part.split()) for part in article.get_text(" ").split("\0")]
        assert max(stretches) <= 500, path.name
        count += 1
    assert count > 40

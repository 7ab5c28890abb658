"""The share of the algorithms' code that chapters show: counted as said, and kept from falling."""

import sys

import nbformat
import pytest
from browser import ROOT
from bs4 import BeautifulSoup

from dtreebook import measures, plain

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import code_share

CHAPTERS = sorted(map(str, (ROOT / "book").glob("*.ipynb")))


def notebook(path, *cells):
    """Write a notebook of sources: prose begins with #, the rest is code."""
    kinds = {True: nbformat.v4.new_markdown_cell, False: nbformat.v4.new_code_cell}
    made = [kinds[cell.startswith("#")](cell) for cell in cells]
    nbformat.write(nbformat.v4.new_notebook(cells=made), path)
    return str(path)


def test_the_share_of_the_algorithms_in_the_book_does_not_fall():
    lines, shown = map(sum, zip(*code_share.shares(CHAPTERS).values(), strict=True))
    assert shown >= 0.65 * lines, f"{shown} of {lines}"


@pytest.mark.parametrize(
    "room",
    ["grow/growth.py", "grow/frontier.py", "plain.py", "grow/criteria.py", "prune/pruning.py"],
)
def test_the_loop_the_criteria_pruning_and_the_plain_versions_are_nearly_whole(room):
    lines, shown = code_share.shares(CHAPTERS)[code_share.PACKAGE / room]
    assert shown >= 0.8 * lines, f"{shown} of {lines}"


def test_lines_without_code_do_not_count():
    text = '"""Say."""\n\nimport os\nfrom re import (\n    sub,\n)\n\nX = """\ntext\n"""\n\n\n'
    text += (
        'def f(a,\n      b):\n    """Say.\n\n    More.\n    """\n    # why\n    return a  # so\n'
    )
    assert sorted(code_share.code_lines(text)) == [8, 9, 10, 13, 14, 20]


def test_a_listing_counts_where_it_has_as_many_words_as_lines(tmp_path):
    imports = "from dtreebook.measures import gini\nfrom dtreebook import plain"
    words = "# Title\n\n" + "word " * 20
    cells = imports, "source(gini, plain.gini)"
    silent = code_share.shown_by(notebook(tmp_path / "a.ipynb", "# Title", *cells))
    assert not any(silent.values())
    spoken = code_share.shown_by(notebook(tmp_path / "b.ipynb", words, *cells))
    files = {module.__file__.rpartition("/")[2] for module in (measures, plain)}
    assert {path.name for path in spoken} == files
    elsewhere = notebook(tmp_path / "c.ipynb", words, "## Another\n\nFew words.", *cells)
    assert not any(code_share.shown_by(elsewhere).values())


def test_what_is_typed_or_shown_twice_does_not_count_twice(tmp_path):
    words = "# Title\n\n" + "word " * 40
    cells = "from dtreebook.measures import gini", "source(gini)"
    once = code_share.shown_by(notebook(tmp_path / "a.ipynb", words, *cells))
    twice = code_share.shown_by(notebook(tmp_path / "b.ipynb", words, *cells, "source(gini)"))
    typed = notebook(tmp_path / "c.ipynb", words, "def gini(counts):\n    return counts")
    assert once == twice
    assert not code_share.shown_by(typed)


def test_a_function_of_the_chapter_itself_is_refused(tmp_path):
    path = notebook(tmp_path / "a.ipynb", "# Title", "def f(): pass", "source(f)")
    with pytest.raises(LookupError, match=r"source\(f\): import f from the package"):
        code_share.shown_by(path)


def test_the_page_says_what_is_counted(site):
    page = BeautifulSoup((site / "code_shown.html").read_text("utf-8"), "html.parser").article
    lines, shown = map(sum, zip(*code_share.shares(CHAPTERS).values(), strict=True))
    total = page.select_one("p.dtb-code-share").get_text()
    assert total == f"{shown:,} of {lines:,} lines: {shown / lines:.1%}"
    rows = [[cell.get_text() for cell in row.find_all("td")] for row in page.select("tbody tr")]
    assert [sum(int(row[i]) for row in rows) for i in (1, 2)] == [lines, shown]

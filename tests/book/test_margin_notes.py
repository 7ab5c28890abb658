"""The margin of a wide window: sources, and marks of results, beside what they belong to."""

import re
import sys
from itertools import pairwise

import pytest
from browser import ROOT
from bs4 import BeautifulSoup

from dtreebook.pages import documented

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import margin_notes

PAGES = ["id3", "c45_program", "history", "reading_the_sources"]
# Edges of the text, of the contents and of each note, from the top of the page.
NOTES = ".dtb-beside, .dtb-check > summary"
PLACES = """notes => {
    const edges = node => {
        const {left, right, top, bottom, height} = node.getBoundingClientRect();
        return {left, right, top: top + scrollY, bottom: bottom + scrollY, height};
    };
    return {
        text: edges(document.querySelector("article > section")),
        contents: edges(document.querySelector(".bd-sidebar-secondary")),
        notes: [...document.querySelectorAll(notes)].map(edges),
    };
}"""


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("width", [1200, 1440])
def test_notes_stand_right_of_the_text_and_below_each_other(visit, name, width):
    with visit(name, viewport={"width": width, "height": 900}) as page:
        places = page.evaluate(PLACES, NOTES)
        notes = places["notes"]
        assert notes
        for note in notes:
            assert places["text"]["right"] < note["left"] < note["right"] < width
            assert note["height"] > 10
        for above, below in pairwise(notes):
            assert above["bottom"] <= below["top"]


@pytest.mark.parametrize("selector", ["article a + .dtb-beside", ".cell_output > .dtb-beside"])
def test_a_note_is_level_with_its_words_or_its_output(visit, selector):
    with visit("id3", viewport={"width": 1440, "height": 900}) as page:
        note = page.locator(selector).first
        beside = "a" if selector.startswith("article") else ".output"
        other = page.locator(f"{beside}:has(+ .dtb-beside), .dtb-beside + {beside}").first
        assert abs(note.bounding_box()["y"] - other.bounding_box()["y"]) < 15


def test_the_contents_of_a_page_make_room_for_its_notes(visit):
    with visit("id3", viewport={"width": 1440, "height": 900}) as page:
        assert page.locator(".bd-sidebar-secondary nav").bounding_box()["height"] > 100
        note = page.locator(".dtb-beside").first
        for height in 700, 300:
            note.evaluate("(note, y) => scrollBy(0, note.getBoundingClientRect().top - y)", height)
            page.wait_for_function(
                """([contents, note]) => contents.getBoundingClientRect().bottom
                    < note.getBoundingClientRect().top""",
                arg=[page.locator(".bd-sidebar-secondary").element_handle(), note.element_handle()],
            )
        page.locator(".bd-sidebar-secondary nav a").first.focus()  # what is folded opens for a key
        page.wait_for_function(
            "() => document.querySelector('.bd-sidebar-secondary').clientHeight > 100"
        )


@pytest.mark.parametrize("name", PAGES)
def test_narrow_windows_and_paper_do_without(visit, name):
    with visit(name, viewport={"width": 360, "height": 740}) as page:
        notes = page.locator(".dtb-beside")
        assert notes.count() > 0
        assert not any(note.is_visible() for note in notes.all())
        page.set_viewport_size({"width": 1440, "height": 900})
        assert all(note.is_visible() for note in notes.all())
        page.emulate_media(media="print")
        assert not any(note.is_visible() for note in notes.all())


@pytest.mark.parametrize("width", [360, 1440])
def test_the_check_of_one_result_is_a_mark_that_unfolds(visit, width):
    with visit("c45_program", viewport={"width": width, "height": 900}) as page:
        check = page.locator(".dtb-check").first
        mark, table = check.locator("summary"), check.locator("table")
        assert mark.is_visible()
        assert mark.inner_text() == "Quinlan 1993, equal as printed"
        assert not table.is_visible()
        page.emulate_media(media="print")
        assert mark.is_visible()  # paper has no table to unfold
        page.emulate_media(media="screen")
        assert mark.bounding_box()["height"] >= 24  # a finger can choose it
        mark.focus()
        page.keyboard.press("Enter")
        assert table.is_visible()
        text = page.locator("article > section").bounding_box()
        assert (
            table.bounding_box()["x"] + table.bounding_box()["width"]
            <= text["x"] + text["width"] + 1
        )


def test_what_is_not_simply_equal_is_not_folded(site):
    for path in site.glob("*.html"):
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for check in page.select(".dtb-check"):
            (cell,) = check.select("td[data-label=agreement]")
            assert margin_notes.sense(cell.get_text()) == margin_notes.EQUAL, path.name
        if path.stem in margin_notes.OPEN:
            assert not page.select(".dtb-check")


def test_each_source_has_one_note_on_a_page_behind_its_first_mention(site):
    for path in site.glob("*.html"):
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        met = set()
        for mention in page.select('article p a[href^="references.html#"]'):
            after = mention.find_next_sibling()
            noted = after is not None and after.get("aria-label") == "Source"
            noted = noted and after.find_previous_sibling("a") is mention
            assert noted == (mention["href"] not in met), (path.name, mention)
            met.add(mention["href"])
            years = re.findall(r"\d{4}", mention.get_text())
            assert not noted or all(year in after.get_text() for year in years)


def test_a_mark_says_whose_results_stand_there_and_how_many_agree():
    values = {"abstract15.H": 0.970951, "abstract15.H.A": 0.887943}
    table = documented.table("abstract15.H", values)._repr_html_()
    html = f'<div class="output text_html">{table}</div>'
    mark = BeautifulSoup(margin_notes.TABLE.sub(margin_notes.marked, html), "html.parser").span
    assert mark.get_text(" ").strip() == "ID3 notes 2 equal as printed"
    one = documented.check("loan.H", 0.9709505944546686)._repr_html_()
    folded = margin_notes.TABLE.sub(margin_notes.marked, html.replace(table, one))
    check = BeautifulSoup(folded, "html.parser").details
    assert check.summary.get_text() == "Moon Hotel 2020, equal as printed"
    assert check.table["class"] == ["dataframe", "dtb-documented"]
    assert "details" not in margin_notes.marked(
        margin_notes.TABLE.search(html.replace(table, one)), False
    )
    wrong = documented.check("tennis.H.humidity", 0.7884504573082896)._repr_html_()
    marked = margin_notes.TABLE.sub(margin_notes.marked, html.replace(table, wrong))
    assert "<br>corrected, because the source has a slip<" in marked
    errata = html.replace(table, documented.errata()._repr_html_())
    assert margin_notes.TABLE.sub(margin_notes.marked, errata) == errata

"""The pictures of the book as files to take along: a drawing that stands alone, and its data."""

import io
import re
import xml.etree.ElementTree as ET

import pandas as pd
from bs4 import BeautifulSoup

LINES = ".dtb-take"


def pages(site):
    return {
        path.stem: BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for path in sorted(site.glob("*.html"))
    }


def test_every_picture_that_is_no_control_has_a_line_of_two_links(site):
    count = 0
    for name, page in pages(site).items():
        for picture in page.select(".cell_output > .output > figure.dtb-picture"):
            links = picture.select(f"{LINES} a[download][href]")
            assert [link.get_text() for link in links] == ["Figure as SVG", "Data as CSV"], name
            count += 1
    assert count > 120


def test_every_picture_has_a_number_and_says_its_finding(site):
    seen = set()
    for name, page in pages(site).items():
        title = page.select_one("h1 .section-number")
        chapter = [title.get_text(strip=True)] if title else []
        found = page.select(".cell_output > .output > figure.dtb-picture > figcaption:last-child")
        assert len(found) == len(page.select(".cell_output > .output > figure.dtb-picture")), name
        for number, caption in enumerate(found, 1):
            label = caption.select_one(".caption-number")
            assert label.get_text() == f"Figure {'.'.join([*chapter, str(number)])}"
            caption.select_one(LINES).extract()
            finding = caption.get_text().removeprefix(label.get_text()).strip()
            assert re.fullmatch(r"[A-Z0-9].{20,}[.?]", finding, re.DOTALL), (name, finding)
            assert (name, finding) not in seen, (name, finding)
            seen.add((name, finding))


def test_the_drawings_that_an_explorable_begins_with_can_be_taken_along(site):
    count = 0
    for name, page in pages(site).items():
        for explorable in page.select("section.dtb-explorable"):
            drawings = explorable.select("figure.dtb-picture svg")
            links = explorable.parent.select(f"section + {LINES} a[download]")
            assert len(links) == len(drawings), name
            for link, drawing in zip(links, drawings, strict=True):
                words = [text.get_text() for text in drawing.select("text")]
                file = ET.parse(site / link["href"])
                assert ["".join(text.itertext()) for text in file.iterfind(".//{*}text")] == words
                count += 1
    assert count > 15


def test_a_drawing_stands_alone_and_its_data_are_a_table(site):
    files = sorted((site / "figures").iterdir())
    assert {path.suffix for path in files} == {".svg", ".csv"}
    for path in files:
        text = path.read_text("utf-8")
        if path.suffix == ".csv":
            assert len(pd.read_csv(io.StringIO(text))) > 0, path.name
            continue
        drawing = ET.fromstring(text)
        assert drawing.find("{*}title").text, path.name
        assert drawing.find("{*}rect").get("fill") == "#ffffff"
        assert not re.search(r"currentColor|var\(|aria-hidden|[; \"]font:", text), path.name


def test_the_data_are_those_of_the_picture(site):
    """The tree of the loans: fifteen cases, two questions."""
    page = pages(site)["id3"]
    picture = page.find(attrs={"aria-label": re.compile("^Decision tree of depth 2 with 3")})
    (link,) = picture.find_parent("figure").select(f'{LINES} a[href$=".csv"]')
    nodes = pd.read_csv(site / link["href"], keep_default_na=False)
    assert nodes.cases.tolist() == [15, 9, 6, 6, 3]
    assert nodes.asks.tolist() == ["house", "work", "", "", ""]


def test_the_links_are_reached_by_key_and_not_printed(visit):
    with visit("id3") as page:
        links = page.locator(f"figure {LINES} a")
        links.first.focus()
        assert links.first.evaluate("link => link.matches(':focus-visible')")
        page.keyboard.press("Tab")
        assert links.nth(1).evaluate("link => link === document.activeElement")
        page.emulate_media(media="print")
        assert not links.first.is_visible()

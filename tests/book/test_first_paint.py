"""What a reader on a phone waits for: few requests, few bytes, nothing that moves the text."""

import gzip
import re
import sys
from html.parser import HTMLParser

import pytest
from browser import ROOT
from bs4 import BeautifulSoup

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import first_paint

TEXT, FONTS = 260_000, 180_000  # bytes: what a page loads, compressed; all typefaces together
NODES, NODES_OF_PACKAGE = 6_000, 12_500
# A link of these words says nothing to who hears or searches it: Lighthouse's list, shortened.
EMPTY_WORDS = {"more", "here", "this", "click here", "read more", "learn more", "link", "start"}


class Counted(HTMLParser):
    """Count the elements of a page, but for those that a template keeps."""

    def __init__(self, html):
        super().__init__()
        self.count = self.kept = 0
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.count += not self.kept
        self.kept += tag == "template"

    def handle_endtag(self, tag):
        self.kept -= tag == "template"


@pytest.fixture(scope="module")
def pages(site):
    """The text of each page of the theme."""
    return {path.stem: path.read_text("utf-8") for path in sorted(site.glob("*.html"))}


def packed(path):
    return len(gzip.compress(path.read_bytes(), 9, mtime=0))


def test_nothing_but_one_style_sheet_holds_up_a_page(pages):
    for name, html in pages.items():
        head = html.partition("</head>")[0]
        assert re.findall(r'rel="stylesheet" href="[^"]*/(\w+\.css)"', head) == ["book.css"], name
        scripts = re.findall(r"<script[^>]*\bsrc=[^>]*>", html)
        assert scripts, name
        assert [script for script in scripts if " defer" not in script] == [], name
        assert first_paint.quick(html) == html, name  # a second build leaves a page as it is


def test_what_a_page_loads_is_small(site, pages):
    for name, html in pages.items():
        found = re.findall(r'<script[^>]* src="([^"?]+)|rel="stylesheet" href="([^"]+)"', html)
        names = {(a or b).partition("_static/")[2] for a, b in found}
        loaded = sum(packed(site / "_static" / file) for file in names - {""})
        assert len(gzip.compress(html.encode(), 9)) + loaded < TEXT, name
    assert sum(font.stat().st_size for font in site.glob("_static/fonts/*.woff2")) < FONTS


def test_no_page_has_more_elements_than_a_phone_draws_at_once(pages):
    for name, html in pages.items():
        most = NODES_OF_PACKAGE if name.startswith(("api", "genindex")) else NODES
        assert Counted(html).count < most, name
    assert Counted("<p><template><b></b></template><i></i>").count == 3


def test_a_page_says_what_it_is_and_its_links_where_they_lead(pages):
    for name, html in pages.items():
        page = BeautifulSoup(html, "html.parser")
        assert page.title.get_text(strip=True), name
        assert page.find("meta", attrs={"name": "description"})["content"].strip(), name
        words = {link.get_text(" ", strip=True).lower() for link in page.select("a[href]")}
        assert not words & EMPTY_WORDS, name


def test_the_buttons_that_come_late_find_room(pages):
    late = {name for name, html in pages.items() if "page.offer(" in html}
    assert {"entropy", "index"} <= late
    for name in late:
        room = BeautifulSoup(pages[name], "html.parser").select_one("article .dtb-run")
        assert room.find_previous_sibling("h1"), name


def test_a_sheet_holds_what_it_imports_and_its_addresses_lead_to_the_same_files(tmp_path):
    (tmp_path / "styles").mkdir()
    (tmp_path / "first.css").write_text('@import "styles/second.css"; p { color: red }')
    (tmp_path / "styles" / "second.css").write_text(
        "a { background: url(../x.png) } b { background: url(data:image/png;base64,) }"
    )
    css = first_paint.joined([tmp_path / "first.css"], tmp_path)
    assert " ".join(css.split()) == (
        'a { background: url("x.png") } b { background: url(data:image/png;base64,) } '
        "p { color: red }"
    )


def test_every_letter_of_a_page_has_a_typeface(site, pages):
    """Or a machine without Chinese letters shows boxes, in the PDF as well."""
    from fontTools.ttLib import TTFont

    drawn = set(TTFont(site / "_static/fonts/noto-serif-sc.woff2").getBestCmap())
    for name, html in pages.items():
        wanted = {letter for letter in html if "\u2e80" <= letter <= "\u9fff"}
        missing = "".join(sorted(letter for letter in wanted if ord(letter) not in drawn))
        assert not missing, f"{name} has {missing}: see book/_static/fonts/README.md"

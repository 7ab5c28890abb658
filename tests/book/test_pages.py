"""Every built page: its links, names, numbers, tables, pictures and notes, and what it weighs."""

import copy
import gzip
import io
import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from urllib.parse import unquote, urlsplit

import documented_results
import mathml
import nbformat
import page_times
import pandas as pd
import pytest
import spine
from browser import BOOK, PAGES
from bs4 import BeautifulSoup
from docutils import nodes
from lxml import etree

from tools import address

HOME = address.here()
FOLDER = f"{urlsplit(HOME.site).path if HOME else ''}/"  # where the host has the pages
CHAPTERS = sorted({path.stem for path in BOOK.glob("*.ipynb")} - {"index"})


class Page:
    """A built page: its name, its text and what that is parsed to."""

    def __init__(self, path):
        self.name = path.stem
        self.html = path.read_text("utf-8")
        self.soup = BeautifulSoup(self.html, "html.parser")
        self.select = self.soup.select


@pytest.fixture(scope="module", params=[*PAGES, "search"])
def page(site, request):
    return Page(site / f"{request.param}.html")


# --- links ----------------------------------------------------------------------------------------


class Read:
    """A page's `ids`, the `places` to which a link may lead, and the `targets` that it leads to.

    These are the addresses of links, pictures, scripts and styles. What is drawn at once is
    `counted`: the elements, but for those that a template keeps.
    """

    def __init__(self, content):
        find = etree.HTML(content).xpath
        sets = [piece.split()[0] for srcset in find("//@srcset") for piece in srcset.split(",")]
        self.targets = [*find("//@href | //@src"), *sets]
        self.ids = find("//@id")
        self.places = {*self.ids, *find("//@name")}
        self.counted = find("count(//*[not(ancestor::template)])")


@cache
def read(file):
    return Read(file.read_bytes())


def broken(target, page, site):
    """Say what is wrong with an address on a page; None if it is right."""
    parts = urlsplit(target)
    if parts.scheme in {"data", "mailto"}:
        return None
    if parts.scheme or parts.netloc:
        host = re.fullmatch(r"([a-z0-9-]+\.)+[a-z]{2,}", parts.hostname or "")
        good = parts.scheme in {"http", "https"} and host and not re.search(r"[\s<>]", target)
        return None if good else "is no address"
    path = unquote(parts.path)
    if path.startswith(FOLDER):  # as on the host: the page for lost readers is shown anywhere
        path = site / path.removeprefix(FOLDER)
    file = (page.parent / path).resolve() if parts.path else page
    if not file.is_relative_to(site) or not file.is_file():
        return "leads to no file"
    if parts.fragment.startswith("table="):  # which one the laboratory opens: test_laboratory.py
        return None
    if parts.fragment and file.suffix == ".html":
        return None if unquote(parts.fragment) in read(file).places else "has no such place"
    return None


def test_every_link_leads_somewhere_and_no_two_things_on_a_page_have_one_id(site):
    site = site.resolve()
    for page in sorted(site.rglob("*.html")):
        targets, ids = set(read(page).targets), read(page).ids
        assert not {link: wrong for link in targets if (wrong := broken(link, page, site))}, page
        assert len(ids) == len(set(ids)) or "_modules" in page.parts, page


def test_styles_lead_to_files_beside_them(site):
    for sheet in site.glob("_static/*.css"):
        for url in re.findall(r"url\([\"']?([^\"')]+)", sheet.read_text("utf-8")):
            file = sheet.parent / unquote(urlsplit(url).path)
            is_inside = url.startswith(("data:", "#")) or url.endswith(".ttf")  # .woff2 comes first
            assert is_inside or file.is_file(), (sheet.name, url)


# --- what is loaded -------------------------------------------------------------------------------

TEXT, FONTS = 140_000, 145_000  # bytes: what a page loads, compressed; all typefaces together
NODES, NODES_OF_PACKAGE = 6_000, 12_500
# On these pages a picture counts the same 5,000 new people as the table below it.
WITH_PEOPLE, MANY_PEOPLE = {"boosting", "many_trees"}, 45_000
# A link of these words says nothing to who hears or searches it: Lighthouse's list, shortened.
EMPTY_WORDS = {"more", "here", "this", "click here", "read more", "learn more", "link", "start"}


def packed(content):
    return len(gzip.compress(content, 9, mtime=0))


@cache
def packed_file(path):
    return packed(path.read_bytes())


def test_nothing_but_one_style_sheet_holds_up_a_page(page):
    head = page.html.partition("</head>")[0]
    assert re.findall(r'rel="stylesheet" href="[^"]*/(\w+\.css)"', head) == ["book.css"]
    scripts = re.findall(r"<script[^>]*\bsrc=[^>]*>", page.html)
    assert "_static/book.js" in scripts[0]
    assert len(scripts) <= 4  # those of the theme are one
    assert [script for script in scripts if " defer" not in script] == []


def test_what_a_page_loads_is_small_and_a_phone_can_draw_it(site, page):
    found = re.findall(r'<script[^>]* src="([^"?]+)|rel="stylesheet" href="([^"]+)"', page.html)
    names = {(a or b).partition("_static/")[2] for a, b in found} - {""}
    loaded = sum(packed_file(site / "_static" / name) for name in names)
    people = MANY_PEOPLE if page.name in WITH_PEOPLE else 0
    assert packed(page.html.encode()) + loaded < TEXT + people
    assert len(page.html.encode()) <= 1_500_000
    assert sum(font.stat().st_size for font in site.glob("_static/fonts/*.woff2")) < FONTS
    of_package = page.name.startswith(("api", "genindex"))
    assert Read(page.html.encode()).counted < (NODES_OF_PACKAGE if of_package else NODES)


def test_a_page_says_what_it_is_and_its_links_where_they_lead(page):
    assert page.soup.title.get_text(strip=True)
    assert page.soup.find("meta", attrs={"name": "description"})["content"].strip()
    words = {link.get_text(" ", strip=True).lower() for link in page.select("a[href]")}
    assert not words & EMPTY_WORDS


@pytest.fixture(scope="module")
def drawn(site):
    from fontTools.ttLib import TTFont

    return set(TTFont(site / "_static/fonts/noto-serif-sc.woff2").getBestCmap())


def test_the_front_page_tells_catalogues_what_the_book_teaches(site):
    page = Page(site / "index.html")
    (script,) = page.select('script[type="application/ld+json"]')
    told = json.loads(script.string)
    assert "LearningResource" in told["@type"]
    assert told["name"] == page.select('meta[property="og:site_name"]')[0]["content"]
    assert "gain ratio and C4.5" in told["teaches"]
    assert told["isAccessibleForFree"]
    assert told["license"].endswith("/by/4.0/")
    assert told.get("url") == (f"{HOME.site}/" if HOME else None)
    assert not Page(site / "entropy.html").select('script[type="application/ld+json"]')


def test_every_letter_has_a_typeface(page, drawn):
    """Or a machine without Chinese letters shows boxes, in the PDF as well."""
    missing = {letter for letter in page.html if "\u2e80" <= letter <= "\u9fff"} - set(
        map(chr, drawn)
    )
    assert not missing, "see book/_static/fonts/README.md"


# --- names and numbers ----------------------------------------------------------------------------


def test_parts_of_a_page_have_different_names(page):
    names = [part["aria-label"] for part in page.select("section[aria-label]")]
    assert len(names) == len(set(names))


def test_the_questions_of_a_page_run_through_and_its_chapter_has_no_full_stop(page):
    legends = page.select(".dtb-quiz:not(.dtb-questionnaire) .dtb-question > legend")
    numbers = [legend.get_text().partition(". ")[0] for legend in legends]
    assert numbers == [str(k) for k in range(1, len(legends) + 1)]
    if chapter := page.soup.select_one("h1 > .section-number"):
        assert chapter.get_text(strip=True).isdigit()


def test_tables_have_heads_no_row_numbers_and_numbers_flush_right(page):
    for table in page.select("table.dataframe:not(.dtb-documented)"):
        heads, rows = table.select("thead tr"), table.select("tbody tr")
        assert not table.parent.select(":scope > style, tr[style]")
        assert all(head.get_text().strip() for row in heads for head in row.select("th"))
        if table.select("[colspan], [rowspan]"):
            continue
        columns = list(zip(*(row.find_all(["th", "td"]) for row in rows), strict=True))
        for head, column in zip(heads[-1].find_all(["th", "td"]), columns, strict=True):
            texts = [cell.get_text().strip() for cell in column]
            if column[0].name == "th":
                assert head.get_text().strip() or texts != list(map(str, range(len(rows))))
            elif all(re.fullmatch(r"-?\d+(\.\d+)?", text) for text in texts):
                assert all("dtb-number" in cell.get("class", ()) for cell in column)
            elif any(re.search("[a-z]{4}", text) for text in texts):
                assert not any("dtb-number" in cell.get("class", ()) for cell in column)


# --- pictures -------------------------------------------------------------------------------------


def test_every_picture_has_a_number_says_its_finding_and_can_be_taken_along(page):
    title, findings = page.soup.select_one("h1 .section-number"), set()
    chapter = [title.get_text(strip=True)] if title else []
    pictures = page.select(".cell_output > .output > figure.dtb-picture")
    for number, picture in enumerate(pictures, 1):
        links = picture.select(".dtb-take a[download][href]")
        assert [link.get_text() for link in links] == ["Figure as SVG", "Data as CSV"]
        caption = copy.copy(picture.select_one("figcaption:last-child"))
        caption.select_one(".dtb-take").extract()
        label = caption.select_one(".caption-number").extract().get_text()
        assert label == f"Figure {'.'.join([*chapter, str(number)])}"
        findings.add(finding := caption.get_text().strip())
        assert re.fullmatch(r"[A-Z0-9].{20,}[.?]", finding, re.DOTALL)
    assert len(findings) == len(pictures)


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
    page = Page(site / "id3.html").soup
    picture = page.find(attrs={"aria-label": re.compile("^Decision tree of depth 2 with 3")})
    (link,) = picture.find_parent("figure").select('.dtb-take a[href$=".csv"]')
    nodes = pd.read_csv(site / link["href"], keep_default_na=False)
    assert nodes.cases.tolist() == [15, 9, 6, 6, 3]
    assert nodes.asks.tolist() == ["house", "work", "", "", ""]


def test_every_picture_says_in_words_what_it_shows(page):
    for picture in page.select("article :is(svg, img, canvas)"):
        around = [node for node in (picture, *picture.parents) if node.find_parent("article")]
        said = [node.get("aria-label") or node.get("alt") or "" for node in around]
        assert any(words.strip() for words in said), str(picture)[:80]


def test_no_comes_before_yes_in_every_picture_so_that_each_has_one_colour(page):
    for picture in page.select("figure.dtb-picture > [role=img]"):
        named = re.findall(r"\b(yes|no) \d", picture["aria-label"])
        if {"yes", "no"} == set(named):
            assert named.index("no") < named.index("yes"), picture["aria-label"]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_page_leaves_out_the_cells_that_only_jupyterlab_can_show(site, chapter):
    cells = nbformat.read(BOOK / f"{chapter}.ipynb", as_version=4).cells
    sliders = [c for c in cells if "only-in-jupyterlab" in c.metadata.get("tags", ())]
    assert all("@interact(" in cell.source for cell in sliders)
    article = Page(site / f"{chapter}.html").soup.article
    assert not sliders or "@interact" not in article.get_text()
    assert "tag_only-in-jupyterlab" not in str(article)


# --- sources and results --------------------------------------------------------------------------


def test_each_source_has_one_note_behind_its_first_mention(page):
    met = set()
    for mention in page.select('article p a[href^="references.html#"]'):
        after = mention.find_next_sibling()
        noted = after is not None and after.get("aria-label") == "Source"
        noted = noted and after.find_previous_sibling("a") is mention
        assert noted == (mention["href"] not in met), mention
        met.add(mention["href"])
        years = re.findall(r"\d{4}", mention.get_text())
        assert not noted or all(year in after.get_text() for year in years)


def test_a_note_beside_results_counts_them_and_the_spine_folds_all_of_them(page):
    for note in page.select('.dtb-beside[aria-label="Compared"]'):
        rows = note.find_next("table").select("tbody tr")
        numbers = [re.match(r"\d+", line) for line in list(note.stripped_strings)[1:]]
        assert len(rows) == 1 or sum(int(number[0]) for number in numbers) == len(rows)
    if page.name in spine.PAGES:
        assert not page.select('.dtb-beside[aria-label="Compared"]')
        return
    for check in page.select(".dtb-check"):
        (cell,) = check.select("td[data-label=agreement]")
        assert not re.search("rounded|erratum|range", cell.get_text())


def test_the_page_of_every_number_has_every_documented_result(site):
    built = Page(site / "every_number.html").soup
    rows = {row.th.get_text(): row for row in built.select("table.dtb-documented tbody tr")}
    assert set(rows) == set(documented_results.registry())
    for row in rows.values():
        chapter, anchor = row.a["href"].split(".html#")
        assert anchor == f"documented-{row.th.get_text()}"
        assert row.a.get_text() in documented_results.title(BOOK / f"{chapter}.ipynb")
        assert all(cell.get_text().strip() for cell in row.find_all("td"))


@pytest.mark.parametrize(
    ("id", "changed", "words"),
    [
        ("loan.gain.house", {}, None),
        ("loan.gain.house", {"documented": "0.421"}, "the registry has"),
        ("loan.gain.house", {"computed": "0.42097"}, "0.420 is documented"),
        ("loan.gain.house", None, "no page shows it"),
        ("tennis.H.humidity", {}, None),  # an erratum is compared with the exact value
        ("tennis.H.humidity", {"computed": "0.78900"}, "is documented"),
    ],
)
def test_a_wrong_or_missing_result_is_noticed(id, changed, words):
    value = {"loan.gain.house": 0.41997309, "tennis.H.humidity": 0.7884504573082896}[id]
    row = documented_results.documented.check(id, value)
    cells = {name: getattr(row, name) for name in ("documented", "computed", "agreement")}
    place = None if changed is None else ("some", cells | changed)
    found = documented_results.complaint(id, place)
    assert words in found if words else found is None


# --- what a page asks of its reader ---------------------------------------------------------------


def minutes(site, name):
    line = r'<p class="dtb-reading-time">About (\d+) minutes? to read(?:, and (\d+) for its)?'
    read, do = re.search(line, (site / f"{name}.html").read_text("utf-8")).groups()
    return int(read), int(do or 0)


def test_a_minute_that_is_begun_counts():
    minutes = [page_times.minutes({"word": n}, page_times.TO_READ) for n in (0, 1, 120, 121)]
    assert minutes == [0, 1, 1, 2]


def made(kind, *children, tags=()):
    """Make a code cell of a page by hand: its code, its outputs and its tags."""
    names = ["cell", *(f"tag_{tag}" for tag in tags)]
    code = nodes.literal_block("", "x = 1\ny = 2\n", language="python")
    source = nodes.container("", code, classes=["cell_input"])
    output = nodes.container("", *children, classes=["cell_output"])
    shown = {"code": [source], "both": [source, output], "output": [output]}[kind]
    return nodes.container("", *shown, classes=names)


def test_a_page_made_by_hand_takes_as_many_minutes_as_a_student_needs():
    drawing = nodes.raw("", "<figure></figure>", format="html")
    marked = '<section class="dtb-explorable dtb-live dtb-wide" data-live="{}"></section>'
    live, guess = (
        nodes.raw("", marked.format(kind), format="html") for kind in ("questions", "ask")
    )
    question = nodes.raw("", '<div class="dtb-question"></div>', format="html")
    page = nodes.section(
        "",
        nodes.title("", "A page"),
        nodes.paragraph("", "word " * 598),
        made("code"),
        made("both", drawing),
        made("both", drawing.deepcopy(), tags=["hide-input"]),  # the code is folded away
        made("output", live),
        made("output", guess),
        made("output", question),
        nodes.math_block("", "x = 1"),
        nodes.container("", nodes.paragraph("", "Folded away. " * 500), classes=["dropdown"]),
        nodes.container("", nodes.paragraph("", "An exercise. " * 500), classes=["exercise"]),
    )
    found = page_times.counts(page)
    # 600 words, 2 cells, 2 drawings, 1 formula: 300 + 60 + 20 + 10 seconds; 180 + 2 * 40 to do.
    assert page_times.minutes(found, page_times.TO_READ) == 7
    assert page_times.minutes(found, page_times.TO_DO) == 5
    words = "About 7 minutes to read, and 5 for its questions and interactive drawing"
    assert page_times.line(found) == words


# A lesson of 45 minutes. Reference pages, which nobody reads from beginning to end, may be longer.
LESSON = 45


def test_every_page_of_the_spine_is_worked_through_in_a_lesson(site):
    assert [name for name in spine.PAGES[1:] if sum(minutes(site, name)) > LESSON] == []


def test_the_table_of_times_says_what_stands_under_the_titles_and_in_the_notebooks(site):
    rows = Page(site / "more.html").select("article table tbody tr")
    assert sorted(row.a["href"].removesuffix(".html") for row in rows) == CHAPTERS
    for row in rows:
        name = row.a["href"].removesuffix(".html")
        texts = [cell.get_text().replace("\xa0", " ") for cell in row.find_all("td")[1:]]
        notebook = nbformat.read(BOOK / f"{name}.ipynb", as_version=4)
        cells = [cell.cell_type for cell in notebook.cells].count("code")
        times = [f"{n} min" for n in minutes(site, name)]
        assert texts == [*times, str(cells), f"{notebook.metadata.seconds:.0f} s"]


@pytest.mark.slow
def test_no_five_hundred_words_stand_without_a_picture_or_something_to_do(page):
    if page.soup.select_one("h1 > .section-number"):
        article = copy.copy(page.soup.article)
        for node in article.select("script, style, pre, math, table, .dtb-beside, .dtb-take"):
            node.decompose()
        for node in article.select("figure, fieldset, .exercise, .dtb-explorable, .dtb-quiz"):
            if not node.decomposed:
                node.replace_with("\0")
        assert max(len(part.split()) for part in article.get_text(" ").split("\0")) <= 500


# --- formulas -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tex", "fractions", "text"),
    [
        (r"\frac12 + \tfrac{1}{3}", 2, "12+13"),
        (r"\frac1m \log \frac1p", 2, "1mlog1p"),
        (r"H(p_1, \dots, p_K)", 0, "H(p1,…,pK)"),
        (r"\frac{|D_i|}{|D|}", 1, "|Di||D|"),
    ],
)
def test_a_formula_becomes_mathml(tex, fractions, text):
    formula = BeautifulSoup(mathml.mathml(tex), "html.parser").math
    assert len(formula.select("mfrac")) == fractions
    assert "".join(formula.get_text().split()) == text


@pytest.mark.parametrize(
    ("tex", "drawn"),
    [
        (r"\log_2 \frac1p", "log2~1p"),  # not log 1/(2p)
        (r"p \log_2 p", "p~log2~p"),
        (r"0 \log 0 = 0", "0~log~0=0"),
        (r"\log_2 (1/p)", "log2(1/p)"),
        (r"\frac12 \ln \frac{p}{1-p}", "12~ln~p1−p"),
        (r"\log_2", "log2"),
    ],
)
def test_a_logarithm_stands_apart_from_what_is_beside_it(tex, drawn):
    formula = BeautifulSoup(mathml.mathml(tex), "html.parser").math
    for space in formula.select("mspace"):
        space.string = "~"
    assert "".join(formula.get_text().split()) == drawn


def test_bars_about_a_letter_stand_close_to_it_behind_another_letter_too():
    bars = BeautifulSoup(mathml.mathml(r"\alpha |T|"), "html.parser").select("mo")
    assert [(bar["lspace"], bar["rspace"]) for bar in bars] == [("0", "0")] * 2


def test_lines_of_a_derivation_are_rows_and_unknown_tex_is_refused():
    assert mathml.mathml(r"a &= b \\ &= c", block=True).count("<mtr>") == 2
    with pytest.raises(ValueError, match="surprise"):
        mathml.mathml(r"\surprise{2}")

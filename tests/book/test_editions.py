"""The book to take along: what the zip, the PDF, the EPUB and the slides of two pages hold."""

import re
import shutil
import zipfile
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote
from xml.etree import ElementTree

import pikepdf
import pytest
import tinycss2
from browser import FORK, listened
from bs4 import BeautifulSoup

from tools.archives import zipped
from tools.editions import book, epub, pages, paper, slides
from tools.editions.__main__ import archive, make

CHAPTER = "entropy"
XHTML, SVG = "{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def small(site, tmp_path_factory):
    """A site of two pages: the front page and a page."""
    folder = tmp_path_factory.mktemp("small") / "site"
    shutil.copytree(site / "_static", folder / "_static")
    front = BeautifulSoup((site / "index.html").read_text("utf-8"), "html.parser")
    for room in front.select("nav.bd-links li li"):
        room.decompose()
    for entry in front.select("nav.bd-links li.toctree-l1 > a"):
        if entry["href"] not in {"#", f"{CHAPTER}.html"}:
            entry.parent.decompose()
    (folder / "index.html").write_text(str(front), "utf-8")
    for name in f"{CHAPTER}.html", "search.html", "searchindex.js":
        shutil.copy(site / name, folder)
    return folder


@pytest.fixture(scope="module")
def editions(small, chromium, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_REPOSITORY", FORK)
        this = book.this()
    folder = tmp_path_factory.mktemp("editions")
    return make(small, folder, this, chromium) | {"slides": folder / "slides"}


@pytest.fixture(scope="module")
def chapter(small):
    html = (small / f"{CHAPTER}.html").read_text("utf-8")
    article = BeautifulSoup(html, "html.parser").select_one("article.bd-article")
    for note in article.select(".dtb-beside"):
        note.decompose()
    return article


def words(node):
    return " ".join(node.get_text(" ").split())


def test_the_zip_holds_what_works_from_a_folder(tmp_path):
    site = tmp_path / "site"
    kept = ["_static/python/a.js", "page.html"]
    for name in (".buildinfo", "offline.js", "python/python.wasm", *kept):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("{}")
    archive(site, tmp_path / "book.zip")
    packed = zipfile.ZipFile(tmp_path / "book.zip").namelist()
    assert packed == [f"book/{name}" for name in kept]
    programs = zipped(tmp_path / "programs.zip", {"run": "#!/bin/sh", "read": b"me"})
    modes = [one.external_attr >> 16 for one in zipfile.ZipFile(programs).infolist()]
    assert modes == [0o755, 0o644]


def page_of(name, body):
    return pages.Page(name, name, "", pages.fragment(f"<article>{body}</article>"))


def test_a_place_is_there_once_and_a_link_of_the_epub_leads_to_it():
    body = '<p id="a"></p><p id="a"></p><a href="two.html#b"></a><i aria-labelledby="a"></i>'
    one = page_of("one", body)
    *made, _ = pages.volume([one, page_of("two", '<p id="b"></p>')], None)
    assert [node["id"] for node in made[0].article.select("p[id]")] == ["one--a"]
    assert made[0].article.i["aria-labelledby"] == "one--a"
    assert 'href="two.xhtml#two--b"' in epub.text(made[0], pages.homes(made))


def test_no_rule_of_the_epub_stands_within_another(site):
    """Browsers know nested rules, the e-readers' CSS of epubcheck does not."""

    def are_flat(rules):
        for rule in rules:
            if rule.type == "at-rule" and rule.lower_at_keyword == "media":
                are_flat(tinycss2.parse_rule_list(rule.content))
            elif rule.type == "qualified-rule":
                blocks = [part for part in rule.content if part.type == "{} block"]
                assert not blocks, tinycss2.serialize(rule.prelude)

    css, _ = epub.style(book.this(), site)
    are_flat(tinycss2.parse_stylesheet(css))


@pytest.mark.parametrize("site", [None, "https://a.b"])
def test_what_moves_and_what_opens_is_a_link_or_nothing(site):
    body = """<div class="dtb-explorable"><p class="dtb-title">Cut</p></div>
        <p><a href="laboratory.html#table=loan">Open it</a></p>"""
    made, _ = pages.volume([page_of("one", body)], site and SimpleNamespace(site=site))
    found = {link.text: link["href"] for link in made.article.select("a")}
    wanted = {"Cut": f"{site}/one.html", "Open it": f"{site}/laboratory.html#table=loan"}
    assert found == (wanted if site else {})
    assert made.article.get_text().split() == ["Cut", *(["Open", "it"] if site else [])]


def test_an_edition_tells_its_time_in_utc(monkeypatch):
    monkeypatch.setattr(book.address, "git", lambda *_: "2026-11-27T01:30:00+02:00")
    assert f"{book.last_change():%dT%H}" == "26T23"


def test_what_has_no_slide_is_in_the_notes():
    made = [slides.Slide("", [f"shown {i} "], i % 4, [f"note {i} "]) for i in range(30)]
    wanted = sorted(text for one in made for text in one.shown + one.notes)
    found = slides.chosen(made)
    assert len(found) == slides.MOST
    assert sorted(text for one in found for text in one.shown + one.notes) == wanted
    section, made = '<section><p></p><p class="exercise"></p><p class="exercise"></p></section>', []
    slides.walk(pages.fragment(section), "", made)
    assert [len(one.notes) for one in made] == [1, 0]


@pytest.mark.slow
def test_the_zip_is_the_same_again_and_works_from_its_folder(small, editions, chromium, tmp_path):
    archive(small, tmp_path / editions["zip"].name)
    assert (tmp_path / editions["zip"].name).read_bytes() == editions["zip"].read_bytes()
    zipfile.ZipFile(editions["zip"]).extractall(tmp_path / "un packed")
    folder = tmp_path / "un packed" / editions["zip"].stem
    with listened(chromium, offline=True) as page:
        page.goto((folder / "search.html").as_uri() + "?q=surprise")
        found = page.locator(f'#search-results a[href^="{CHAPTER}.html"]').first
        found.click()
        assert Path(unquote(page.url)).name.startswith(f"{CHAPTER}.html")
        assert page.locator("article math").first.bounding_box()["width"] > 0
        page.locator(".dtb-explorable [role=slider]").first.press("End")
        page.get_by_role("button", name="That is my guess").first.click()
        shown = page.locator(".dtb-explorable").first.inner_text()
        assert "almost as uncertain as the fair coin" in shown
        assert page.complaints == []


@pytest.fixture(scope="module")
def volume(small):
    return pages.volume(pages.read(small), None)


def test_answers_are_at_the_end_and_each_is_its_questions_own(volume, chapter):
    *_, page, answers = (each.article for each in volume)
    assert not page.select("details, summary, script, button, .solution")
    told = answers.select(f'[id^="{CHAPTER}--answer-question"]')
    asked = chapter.select(pages.QUESTIONS)
    assert len(told) == len(asked) > 0
    for answer, question in zip(told, asked, strict=True):
        (back,) = answer.select(".asked a")
        place = page.find(id=back["href"][1:])
        assert words(place.p) == f"Question {words(question.legend)}"
        if written := question.select_one(".dtb-answer strong"):
            assert words(answer.strong) == words(written)
            shown = question.select("li")
        else:
            right = [bool(reply.find(string="Right.")) for reply in answer.select("li")]
            assert right == [bool(one.find(string="Right.")) for one in question.select("details")]
            shown = question.select("summary")
        assert [words(line) for line in place.select("li")] == [words(line) for line in shown]
    exercises = page.select(".exercise")
    assert len(exercises) == len(chapter.select(".exercise")) > 0
    for exercise in exercises:
        (line,) = exercise.select(".to-answer a")
        solution = answers.find(id=line["href"][1:])
        assert f"#{exercise['id']}" in {link["href"] for link in solution.select("a")}


@pytest.mark.slow
def test_every_link_of_the_volume_leads_somewhere_and_no_place_is_there_twice(volume):
    places = [node["id"] for page in volume for node in page.article.select("[id]")]
    places += [page.article["id"] for page in volume]
    assert len(places) == len(set(places))
    inside = [link["href"] for page in volume for link in page.article.select('a[href^="#"]')]
    assert {link[1:] for link in inside} <= set(places)
    # No address is known: what is not in the volume is plain text.
    links = {link["href"] for page in volume for link in page.article.select("a[href]")}
    assert {link for link in links if not re.match("#|https:", link)} == set()


def spaced(entry):
    return " ".join(entry.title.split())


def structure(node):
    children = node.get("/K", [])
    for child in children if isinstance(children, pikepdf.Array) else [children]:
        if isinstance(child, pikepdf.Dictionary) and "/S" in child:
            yield child
            yield from structure(child)


@pytest.mark.slow
def test_the_pdf_has_tags_bookmarks_and_drawings_with_words(editions, chapter):
    with pikepdf.open(editions["pdf"]) as pdf:
        assert (str(pdf.Root.Lang), bool(pdf.Root.MarkInfo.Marked)) == ("en-GB", True)
        told = str(pdf.docinfo.Title), str(pdf.docinfo.Author)
        assert told == ("Twenty Questions", "The dtreebook authors")
        drawings = [node for node in structure(pdf.Root.StructTreeRoot) if node.S == "/Figure"]
        described = {str(node.get("/Alt", "")) for node in drawings}
        assert {figure.div["aria-label"] for figure in chapter.select("figure")} <= described
        # Vectors: there is no picture made of pixels.
        streams = [thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream)]
        assert [stream for stream in streams if stream.get("/Subtype") == "/Image"] == []
        with pdf.open_outline() as outline:
            titles = {spaced(head): list(map(spaced, head.children)) for head in outline.root}
    assert list(titles) == ["Contents", "Twenty Questions", title(chapter.h1), "Answers"]
    assert titles[title(chapter.h1)] == [title(head) for head in chapter.select("h2")]


def title(head):
    return words(head).removesuffix(" #")


@pytest.mark.slow
def test_links_of_the_epub_lead_somewhere_and_its_drawings_are_those_of_the_page(editions, chapter):
    """All else that an EPUB must be is looked at by epubcheck where it is published."""
    with zipfile.ZipFile(editions["epub"]) as archive:
        names = [name for name in archive.namelist() if name.endswith(".xhtml")]
        pages = {Path(name).name: ElementTree.fromstring(archive.read(name)) for name in names}
    ids = {name: {node.get("id") for node in page.iter()} for name, page in pages.items()}
    for link in (link for page in pages.values() for link in page.iter(f"{XHTML}a")):
        there, _, place = link.get("href").partition("#")
        assert there.startswith("https:") or not place or place in ids[there], link.get("href")
    drawn = [drawing.get("viewBox") for drawing in pages[f"{CHAPTER}.xhtml"].iter(f"{SVG}svg")]
    assert drawn == [drawing["viewbox"] for drawing in chapter.select("svg")]


@pytest.mark.slow
def test_all_of_the_epub_takes_the_colour_that_a_reader_chooses(editions, chromium, tmp_path):
    zipfile.ZipFile(editions["epub"]).extractall(tmp_path)
    page = chromium.new_page(viewport={"width": 390, "height": 780})
    page.goto((tmp_path / f"book/{CHAPTER}.xhtml").as_uri())
    page.add_style_tag(content="body { background: #121212; color: rgb(221, 221, 221) }")
    colours = page.evaluate("""() => [...document.querySelectorAll(
        "p, a, code, pre span, td, h2, figure svg text")].map(node => {
            const style = getComputedStyle(node);
            return node.tagName === "text" ? style.fill : style.color;
        })""")
    assert set(colours) == {"rgb(221, 221, 221)"}
    page.close()


@pytest.mark.slow
def test_a_deck_says_what_its_chapter_says(editions, chapter):
    deck = BeautifulSoup((editions["slides"] / f"{CHAPTER}.html").read_text("utf-8"), "html.parser")
    slides = deck.select("section.slide")
    assert 15 <= len(slides) <= 25
    assert words(slides[0].p) == "Twenty Questions, page 3"
    said = [words(paragraph) for paragraph in deck.select("p")]
    for paragraph in chapter.select("article > section > p, section section > p"):
        if not paragraph.find_parent(class_=["dtb-explorable", "solution"]):
            assert words(paragraph) in [*said, words(chapter.select_one(".dtb-reading-time"))]
    drawings = [figure.svg["aria-label"] for figure in deck.select(".shown figure")]
    assert drawings == [figure.div["aria-label"] for figure in chapter.select("figure")]


@pytest.mark.slow
def test_slides_are_turned_by_keys_and_each_fits_the_screen_offline(editions, chromium):
    with listened(chromium, offline=True, viewport={"width": 1024, "height": 640}) as page:
        page.goto((editions["slides"] / "index.html").as_uri())
        page.locator("main a").first.click()
        page.wait_for_selector(".slide.on")
        n = page.locator(".slide").count()
        for number in range(1, n + 1):
            assert page.locator(".bar output").inner_text() == f"{number} of {n}"
            box = page.locator(".slide.on .shown").bounding_box()
            assert box["y"] + box["height"] <= 640, number
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        assert page.locator(".bar output").inner_text() == f"{n - 1} of {n}"
        page.keyboard.press("Home")
        page.keyboard.press("n")
        page.keyboard.press("PageDown")
        assert page.locator(".slide.on .notes").is_visible()
        assert page.complaints == []


WORDS = "<p>word</p>" * 90  # three pages
CHAPTERS = {
    "alpha": ("First part", "1. Alpha", '<a href="#beta">Onwards</a> <a href="#alpha">Here</a>'),
    "beta": ("Second part", '2. "Beta"', '<a href="#alpha">Back</a>'),
    "answers": ("Appendix", "Answers", '<a href="#beta">Again</a>'),
    "api": ("Appendix", "Reference", '<a href="#genindex">Words</a>'),
    "genindex": ("Appendix", "Index", '<a href="#api">Entry</a>'),
}


def made(name, part, title, links):
    text = f"<h1>{name}</h1><p>{links}</p>{WORDS if links else ''}"
    article = f'<article class="bd-article" id="{name}">{text}</article>'
    return pages.Page(name, title, part, pages.fragment(article))


def letters(font):
    """Return what the codes of a font mean: {code: letters}."""
    meant = {}
    table = font.ToUnicode.read_bytes().decode()
    for kind, entries in re.findall(r"beginbf(char|range)(.*?)endbf", table, re.DOTALL):
        step = {"char": 2, "range": 3}[kind]
        told = re.findall(r"<(\w+)>", entries)
        for first, *last, text in zip(*(told[i::step] for i in range(step)), strict=True):
            *before, letter = bytes.fromhex(text).decode("utf-16-be")
            codes = range(int(first, 16), int((last or [first])[0], 16) + 1)
            meant |= {c: "".join(before) + chr(ord(letter) + c - codes[0]) for c in codes}
    return meant


def printed(page):
    """Read what stands on a page of a PDF; a font of variable width has codes of one byte."""
    text, meant, step = "", {}, 1
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) == "Tf":
            font = page.Resources.Font[operands[0]]
            meant, step = letters(font), 1 if font.Subtype == "/Type3" else 2
        elif str(operator) in {"Tj", "TJ"}:
            pieces = operands if str(operator) == "Tj" else operands[0]
            codes = b"".join(bytes(one) for one in pieces if isinstance(one, pikepdf.String))
            for i in range(0, len(codes), step):
                text += meant[int.from_bytes(codes[i : i + step])]
    return text


def test_a_page_has_the_number_that_contents_and_links_name(site, chromium, tmp_path):
    front = made("index", "", "Front", "")
    chapters = [made(name, *about) for name, about in CHAPTERS.items()]
    paper.write([front, *chapters], book.this(), site, chromium, tmp_path / "small.pdf")
    with pikepdf.open(tmp_path / "small.pdf") as pdf:
        _, contents, *sheets = map(printed, pdf.pages)
    assert contents.startswith("2Contents")
    starts, links = {}, {}
    for number, sheet in enumerate(sheets, 3):
        title, of_page = re.match(r"((?:\d\. )?\D+)(\d+)", sheet).groups()
        assert int(of_page) == number
        starts.setdefault(title, number)
        links |= re.findall(r"(Onwards|Here|Back|Again|Words|Entry)p\. (\d+)", sheet)
    front, alpha, beta, answers, api, index = starts.values()
    assert (front + 1, alpha + 2) < (alpha + 1, beta) < (beta, answers)
    told = [int(re.search(rf"{title}(\d+)", contents)[1]) for _, title, _ in CHAPTERS.values()]
    assert told == [alpha, beta, answers, api, index]
    wanted = {"Onwards": beta, "Back": alpha, "Again": beta, "Entry": api}
    assert {words: int(number) for words, number in links.items()} == wanted

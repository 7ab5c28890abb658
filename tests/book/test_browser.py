"""The book in a real browser, offline: everybody can read the pages, on a phone, too.

With `make test` some pages are opened, drawn at random, and those that changed; otherwise all.
"""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import PAGES, sample
from bs4 import BeautifulSoup
from playwright.sync_api import expect
from tiers import sometimes

from dtreebook.plot.sheet import PALETTE

DRAWN = sample(PAGES, quick=2)
FONTS = {".woff2", ".woff", ".ttf"}
NARROW = {"viewport": {"width": 360, "height": 740}}

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


@pytest.fixture(scope="module", params=DRAWN)
def page(visit, request):
    with visit(request.param) as page:
        yield page


def test_a_page_asks_no_other_host_and_weighs_less_than_a_megabyte(page):
    own = [url for url in page.asked if not url.startswith(("data:", "blob:"))]
    assert [url for url in own if not url.startswith("file:")] == []
    # Scripts, styles and text as they lie on the disk, not compressed; drawings are figures.
    weight = page.evaluate("""() => {
        const bare = document.documentElement.cloneNode(true);
        bare.querySelectorAll("svg, figure").forEach(drawing => drawing.remove());
        bare.querySelectorAll("template").forEach(kept => kept.content.querySelectorAll(
            "svg, figure").forEach(drawing => drawing.remove()));
        return new TextEncoder().encode(bare.outerHTML).length;
    }""")
    for url in {url.partition("?")[0] for url in own} - {page.url}:
        path = Path(url.removeprefix("file://"))
        weight += 0 if path.suffix in FONTS else path.stat().st_size
    assert page.complaints == []
    assert weight < 1_000_000


def test_the_explorables_of_a_page_work_together(page):
    live = page.locator("[data-live]").count()
    assert live == page.locator("[data-live][data-ready] .dtb-play").count()
    assert live == 0 or page.locator("[data-still]").count() == 0
    for said in page.locator("[data-live]:not([data-live=ask]) .dtb-said").all():
        expect(said).to_have_text(re.compile(r"[.?]$"))


def test_everybody_can_read_a_page_in_light_and_dark(page):
    page.add_style_tag(content="* { transition: none !important }")
    for theme, rules in ("light", RULES), ("dark", ["color-contrast"]):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        report = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]})
        assert not report.violations_count, report.generate_report()


# The words of drawings that do not end where the place of their drawing is clipped.
CUT = """async () => {
    await document.fonts.ready;
    return [...document.querySelectorAll(".output > figure.dtb-picture text")].filter(text => {
        const place = text.closest(".output"), style = getComputedStyle(place);
        const more = style.overflow === "clip" ? parseFloat(style.overflowClipMargin) : 0;
        const [word, edge] = [text, place].map(node => node.getBoundingClientRect());
        return word.width && (word.left < edge.left - more || edge.right + more < word.right);
    }).map(text => text.textContent);
}"""


# The listings that are cut, once all that is folded is open, and how many signs their lines have.
CUT_CODE = """async () => {
    await document.fonts.ready;
    document.querySelectorAll("details").forEach(folded => folded.open = true);
    return [...document.querySelectorAll("article div.highlight pre")]
        .filter(code => code.scrollWidth > code.clientWidth).map(code => code.textContent);
}"""
# The numbers of lines on which code of 74 signs stands in the column.
LINES_OF_74 = """() => {
    const code = document.querySelector("article > section > div.cell > div.cell_input pre");
    const [line] = code.textContent.split("\\n");
    code.textContent = "x".repeat(74);
    const range = document.createRange();
    range.selectNodeContents(code);
    return [line && range.getClientRects().length, code.clientWidth - code.parentNode.clientWidth];
}"""


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("name", sample(PAGES, quick=4))
def test_no_listing_is_cut(visit, name, width):
    with visit(name, viewport={"width": width, "height": 900}) as page:
        assert page.evaluate(CUT_CODE) == []
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1280, 1920])
def test_a_line_of_74_signs_stands_in_the_column(visit, width):
    with visit("boosting", viewport={"width": width, "height": 900}) as page:
        page.evaluate("document.fonts.ready")
        assert page.evaluate(LINES_OF_74) == [1, 0]


def test_on_a_phone_a_long_line_goes_on_to_the_right_of_where_it_began(visit):
    with visit("boosting", viewport={"width": 390, "height": 800}) as page:
        assert page.evaluate(CUT_CODE) == []
        lefts = page.locator(".dtb-long").evaluate_all("""lines => lines.map(line => {
            const range = document.createRange(), word = line.textContent.search(/\\S/);
            let seen = 0, first = null;
            const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
            for (let node; (node = walk.nextNode()); seen += node.length)
                if (word < seen + node.length && !first) {
                    range.setStart(node, word - seen);
                    range.setEnd(node, word - seen + 1);
                    first = range.getBoundingClientRect();
                }
            range.selectNodeContents(line);
            const rows = [...range.getClientRects()].filter(row => row.top > first.bottom);
            return rows.map(row => row.left - first.left);
        })""")
        further = [left for rows in lefts for left in rows]
        assert further
        assert min(further) > 5


@pytest.mark.parametrize("name", DRAWN)
def test_no_page_scrolls_sideways_on_a_phone(visit, name):
    with visit(name, **NARROW) as page:
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        for shown in page.locator(".dtb-explorable").all():
            assert shown.evaluate("section => section.scrollWidth <= section.clientWidth")
        assert page.evaluate(CUT) == []


@pytest.mark.parametrize("name", DRAWN)
def test_a_page_shows_its_text_and_formulas_without_scripts(visit, site, name):
    with visit(name, java_script_enabled=False) as page:
        article = page.locator("article.bd-article")
        assert article.is_visible()
        shown = article.inner_text()
        page_text = BeautifulSoup((site / f"{name}.html").read_text("utf-8"), "html.parser")
        for paragraph in page_text.select("article.bd-article > section > p")[:20]:
            words = paragraph.get_text().split()[:3]
            assert all(word in shown for word in words), paragraph
        for formula in page.locator("article math").all()[:20]:
            assert formula.bounding_box()["width"] > 0 or not formula.is_visible()
        set_apart = page.locator("article p").all_inner_texts()
        assert not [text for text in set_apart if "\\(" in text or "\\[" in text]


SMALLEST = """() => Math.min(99, ...[...document.querySelectorAll("figure.dtb-picture text")].map(
    text => parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a || 99)))"""


@pytest.mark.parametrize("name", sample(["entropy", "c45_program", "history", "id3_examples"], 1))
def test_letters_of_drawings_can_be_read_on_a_phone(visit, name):
    with visit(name, is_mobile=True, **NARROW) as page:
        assert page.evaluate(SMALLEST) >= 11.5


@sometimes
def test_the_keyboard_can_scroll_a_formula_as_long_as_it_is_too_wide(visit):
    with visit("entropy", **NARROW) as page:
        stops = page.locator("article .math[tabindex='0']")
        stops.first.wait_for(state="attached")
        for stop in stops.all():
            assert stop.evaluate("formula => formula.scrollWidth > formula.clientWidth")
            assert stop.get_attribute("aria-label")
        page.set_viewport_size({"width": 1280, "height": 900})
        stops.first.wait_for(state="detached")


@sometimes
def test_yes_and_no_have_the_colours_of_the_pictures_in_words(visit):
    with visit("id3_recursion") as page:
        for name, colour in zip(("no", "yes"), PALETTE, strict=False):
            word = page.locator(f"em.dtb-{name}").first
            assert word.text_content() == name
            drawn = word.evaluate("word => getComputedStyle(word).textDecorationColor")
            assert [int(n) for n in re.findall(r"\d+", drawn)] == list(bytes.fromhex(colour[1:]))


@sometimes
def test_a_printed_page_has_its_number_and_author_and_shows_the_answers(visit):
    with visit("entropy") as page:
        page.emulate_media(media="print")
        assert page.locator("article h1").inner_text().split()[:2] == ["3", "Entropy:"]
        assert page.locator("footer .component-author").is_visible()
        assert page.locator("details.dtb-choice p").first.is_visible()
        operated = "article :is(button, details.hide, .headerlink, .dtb-take a)"
        assert page.locator(operated).count() > 0
        assert page.locator(operated).filter(visible=True).count() == 0


@sometimes
def test_what_a_reader_writes_is_judged_once_it_is_written(visit):
    with visit("id3_recursion") as page:
        question = page.locator("fieldset:has(.dtb-fill)").first
        field, answer = question.locator(".dtb-fill"), question.locator("strong")

        def told():
            look = "told => getComputedStyle(told, '::after').content"
            return question.locator(".dtb-told").evaluate(look)

        assert told() == "none"
        field.fill("ABCDE")
        field.press("Tab")
        assert "Not yet" in told()
        assert not answer.is_visible()
        page.keyboard.press("Enter")  # on the answer, which comes next
        field.fill(answer.inner_text().rstrip("."))
        field.press("Tab")
        assert "Right" in told()


@sometimes
def test_the_questionnaire_can_be_taken_from_the_keyboard_without_scripts(visit):
    with visit("questionnaire", java_script_enabled=False) as page:
        test = page.get_by_role("region", name="What kind of traveller are you?")
        for number in range(1, 7):
            path = f"xpath=.//fieldset[legend[starts-with(., '{number}. ')]]/details/summary"
            answers = test.locator(f"{path} >> visible=true")
            if not answers.count():
                break
            answers.first.focus()
            page.keyboard.press("Enter")
        result = test.locator("p >> visible=true")
        assert result.count() == 1
        assert "That took" in result.inner_text()


WORDS = ["pruning", "C4.5", "predict", "信息增益", "增益", "熵"]


@pytest.mark.parametrize("words", sample(WORDS, quick=2))
def test_the_search_shows_chapters_before_the_package(visit, site, words):
    with visit("search") as page:
        page.goto(f"{(site / 'search.html').as_uri()}?q={words}")
        page.locator(".search-summary", has_text="finished").wait_for()
        links = page.locator("ul.search li > a").all()
        of_package = [link.get_attribute("href").startswith("api") for link in links]
        assert of_package == sorted(of_package) != []


GUESSED = ["c45", "c45_missing_values", "c45_program", "c45_thresholds", "cart_regression"]
GUESSED += ["cart_search", "entropy_answers", "entropy_codes"]


@pytest.mark.parametrize("name", sample(GUESSED, quick=2))
def test_below_a_guess_nothing_tells_its_answer_and_nothing_moves_after_it(visit, name):
    with visit(name, viewport={"width": 1280, "height": 900}) as page:
        asked = page.locator(".dtb-asking:not([data-live=ask])").first
        told = page.locator(".cell:has(.dtb-asking:not([data-live=ask])) + p").first
        told = told.element_handle()
        for media in ("print", "screen"):
            page.emulate_media(media=media)
            assert told.is_visible() == (media == "print")
        card = asked.element_handle()
        height = card.bounding_box()["height"]
        asked.get_by_role("button", name="Just show me").click()
        assert told.is_visible()
        assert card.bounding_box()["height"] <= height + 4

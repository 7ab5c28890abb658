"""The book in a real browser, offline: everybody can read the pages, on a phone, too."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import ROOT
from bs4 import BeautifulSoup

PAGES = sorted(path.stem for path in (ROOT / "book").iterdir() if path.suffix in {".ipynb", ".md"})
FONTS = {".woff2", ".woff", ".ttf"}

# The rules of WCAG 2.1, A and AA, but for the contrast, which is measured in both themes.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"],
    "rules": {"color-contrast": {"enabled": False}},
}
CONTRAST = {"runOnly": ["color-contrast"]}
THIN = (ROOT / "tests/helpers/thin.js").read_text("utf-8")


@pytest.fixture(scope="module", params=PAGES)
def page(visit, request):
    """A page, opened once for the tests that leave it as it is and for the one that does not."""
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


# Colours on the way to the dark are not judged.
STYLE = "* { transition: none !important } [data-seen] { visibility: hidden !important }"


def complaints(page, theme, rules):
    """Say what axe has to say of a page."""
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    if rules == CONTRAST:
        page.evaluate(THIN)
    report = Axe().run(page, options=rules | {"resultTypes": ["violations"]})
    return report.generate_report() if report.violations_count else ""


def test_everybody_can_read_a_page(page):
    page.add_style_tag(content=STYLE)
    for theme, rules in ("light", RULES), ("light", CONTRAST), ("dark", CONTRAST):
        assert not complaints(page, theme, rules), theme


@pytest.mark.parametrize(
    "faint",
    [
        '<em style="color: #eee">faint</em>',
        '<b style="background: #333">faint</b>',
        '<small style="opacity: 0.3">faint</small>',
        '<i style="font-size: 12px">faint</i>',
    ],
)
def test_a_faint_word_among_many_is_found(chromium, faint):
    """Also where others like it are hidden, too short to be judged, or of larger letters."""
    page = chromium.new_page()
    words = "<i>large</i> <span>word</span> " * 50
    others = f"<div hidden>{faint * 5}</div>" + faint.replace("faint", "x") * 5
    grey = "i { color: #949494; font-size: 24px }"
    page.set_content(f"<style>{STYLE}{grey}</style><p>{words}<p>{others}<p>{words}<p>{faint}")
    assert "faint" in complaints(page, "light", CONTRAST)
    assert page.locator("[data-seen]").count() > 150
    page.locator("p").last.evaluate("paragraph => paragraph.remove()")
    assert not complaints(page, "light", CONTRAST)
    page.close()


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


@pytest.mark.parametrize("name", PAGES)
def test_no_page_scrolls_sideways_on_a_phone(visit, name):
    with visit(name, viewport={"width": 360, "height": 740}) as page:
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        for shown in page.locator(".dtb-explorable").all():
            assert shown.evaluate("section => section.scrollWidth <= section.clientWidth")
        assert page.evaluate(CUT) == []


def test_the_keyboard_can_scroll_a_formula_as_long_as_it_is_too_wide(visit):
    with visit("entropy", viewport={"width": 360, "height": 740}) as page:
        stops = page.locator("article .math[tabindex='0']")
        stops.first.wait_for(state="attached")
        for stop in stops.all():
            assert stop.evaluate("formula => formula.scrollWidth > formula.clientWidth")
            assert stop.get_attribute("aria-label")
        page.set_viewport_size({"width": 1280, "height": 900})
        stops.first.wait_for(state="detached")


SMALLEST = """() => Math.min(99, ...[...document.querySelectorAll("figure.dtb-picture text")].map(
    text => parseFloat(getComputedStyle(text).fontSize) * (text.getScreenCTM()?.a || 99)))"""


@pytest.mark.parametrize("name", ["entropy", "c45_program", "history", "id3_examples"])
def test_letters_of_drawings_can_be_read_on_a_phone(visit, name):
    with visit(name, viewport={"width": 360, "height": 740}, is_mobile=True) as page:
        assert page.evaluate(SMALLEST) >= 11.5


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


@pytest.mark.parametrize("name", PAGES)
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


def test_a_page_weighs_at_most_a_megabyte_and_a_half(site):
    for name in PAGES:
        assert (site / f"{name}.html").stat().st_size <= 1_500_000, name

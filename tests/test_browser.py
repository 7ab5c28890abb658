"""The book in a real browser, offline: explorables answer to the keyboard, all can read the pages.

The explorables' sentences are compared with those that Python makes here; that the sentences are
true is for tests/test_explore.py.
"""

import re
import statistics
from html import unescape

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import ROOT

from dtreebook import explore

PAGES = sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))
EXPLORABLES = [("entropy", explore.distribution())]
by_title = pytest.mark.parametrize(
    ("name", "explorable"), EXPLORABLES, ids=[made.title for _, made in EXPLORABLES]
)

# The rules of WCAG 2.1, A and AA.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


def section(page, explorable):
    """Find an explorable on its page."""
    return page.get_by_role("region", name=explorable.title, exact=True)


def says(shown):
    """Read what a view says and what its pictures show in words."""
    alts = shown.locator("[role=img]").all()
    return [
        shown.get_by_role("status").inner_text(),
        *(a.get_attribute("aria-label") for a in alts),
    ]


def expected(explorable, positions):
    """Say the same from Python."""
    view = explorable.view(*positions)
    return [view.sentence, *(piece.alt for piece in view.pieces if hasattr(piece, "alt"))]


def tab_into(page, shown):
    """Press Tab until a control of the explorable has the focus."""
    for _ in range(500):
        page.keyboard.press("Tab")
        if shown.evaluate("section => section.contains(document.activeElement)"):
            return
    pytest.fail("Tab does not come here")


def test_every_explorable_of_the_pages_is_tested_here(site):
    found = [
        (name, unescape(title))
        for name in PAGES
        for title in re.findall(
            r'<section class="dtb-explorable" aria-label="([^"]*)"',
            (site / f"{name}.html").read_text(),
        )
    ]
    assert sorted(found) == sorted((name, made.title) for name, made in EXPLORABLES)


@by_title
def test_the_keyboard_moves_an_explorable_and_its_numbers_are_those_of_the_package(
    visit, name, explorable
):
    with visit(name) as page:
        shown = section(page, explorable)
        positions = [control.start for control in explorable.controls]
        assert says(shown) == expected(explorable, positions)
        tab_into(page, shown)
        states = {tuple(positions)}
        for number, control in enumerate(explorable.controls):
            last = len(control.options) - 1
            for key, by in [("ArrowRight", 1)] * 4 + [("ArrowLeft", -1)] * 5:
                page.keyboard.press(key)
                moved = positions[number] + by
                around = control.kind == "choice"
                positions[number] = moved % (last + 1) if around else min(max(moved, 0), last)
                states.add(tuple(positions))
                assert says(shown) == expected(explorable, positions)
                value = page.evaluate("document.activeElement.ariaValueText")
                assert value == (None if around else control.options[positions[number]])
            for _ in range(1 + 3 * (control.kind == "steps")):
                page.keyboard.press("Tab")
        assert len(states) >= 5
        assert page.complaints == []


@by_title
def test_an_explorable_prints_and_shows_without_scripts_its_first_view(visit, name, explorable):
    start = expected(explorable, [control.start for control in explorable.controls])
    with visit(name) as page:
        shown = section(page, explorable)
        tab_into(page, shown)
        page.keyboard.press("ArrowRight")
        moved = says(shown)
        assert moved != start
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert says(shown) == start
        assert not shown.locator("form").is_visible()
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        assert says(shown) == moved
    with visit(name, java_script_enabled=False) as page:
        shown = section(page, explorable)
        assert says(shown) == start
        assert shown.get_by_role("status").is_visible()
        assert not shown.locator("form").is_visible()


@by_title
def test_a_view_is_drawn_within_50_ms(visit, name, explorable):
    script = """async section => {
      const times = [], control = section.querySelector("form input");
      for (let i = 0; i < 7; i++) {
        const start = performance.now();
        if (control.type === "range") control.valueAsNumber += 1;
        control.dispatchEvent(new Event("input", { bubbles: true }));
        section.getBoundingClientRect();
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - start);
      }
      return times;
    }"""
    with visit(name) as page:
        times = section(page, explorable).evaluate(script)
    assert statistics.median(times) < 50


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_a_page(visit, name):
    with visit(name) as page:
        page.add_style_tag(content="* { transition: none !important }")  # on the way to the dark
        for theme, rules in ("light", RULES), ("dark", ["color-contrast"]):
            page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
            report = Axe().run(page, options={"runOnly": rules})
            assert report.violations_count == 0, f"{theme}\n{report.generate_report()}"


@pytest.mark.parametrize("name", PAGES)
def test_no_page_scrolls_sideways_on_a_phone(visit, name):
    with visit(name, viewport={"width": 360, "height": 740}) as page:
        assert page.evaluate("document.scrollingElement.scrollWidth") <= 360
        for shown in page.locator(".dtb-explorable").all():
            assert shown.evaluate("section => section.scrollWidth <= section.clientWidth")


def test_a_page_weighs_at_most_a_megabyte_and_a_half(site):
    for name in PAGES:
        assert (site / f"{name}.html").stat().st_size <= 1_500_000, name

"""The book in a real browser, offline: explorables answer to the keyboard, all can read the pages.

The explorables' sentences are compared with those that Python makes here; that the sentences are
true is for tests/test_explore.py.
"""

import re
import statistics
from html import unescape
from math import prod

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import ROOT
from explorables import EXPLORABLES

PAGES = sorted(path.stem for path in (ROOT / "book").iterdir() if path.suffix in {".ipynb", ".md"})
ON_PAGES = {which: made for which, made in EXPLORABLES.items() if made[0]}
each = pytest.mark.parametrize(("name", "make"), ON_PAGES.values(), ids=list(ON_PAGES))

# The rules of WCAG 2.1, A and AA.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


def section(page, explorable):
    """Find an explorable on its page."""
    return page.get_by_role("region", name=explorable.title, exact=True)


def says(shown):
    """Read what a view says and what its pictures show in words."""
    return shown.evaluate(
        """section => [
          section.querySelector("[role=status]").textContent,
          ...[...section.querySelectorAll("[role=img]")].map(image => image.ariaLabel)
        ]"""
    )


def expected(explorable, positions):
    """Say the same from Python."""
    view = explorable.view(*positions)
    return [view.sentence, *(piece.alt for piece in view.pieces if hasattr(piece, "alt"))]


def start(explorable):
    """Return where the controls stand at first."""
    return [control.start for control in explorable.controls]


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
    assert sorted(found) == sorted((name, make().title) for name, make in ON_PAGES.values())


@each
def test_the_keyboard_moves_an_explorable_and_its_numbers_are_those_of_the_package(
    visit, name, make
):
    explorable = make()
    with visit(name) as page:
        shown = section(page, explorable)
        positions = start(explorable)
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
        every_state = prod(len(control.options) for control in explorable.controls)
        assert len(states) >= min(5, every_state)
        if positions == start(explorable):
            shown.locator("input").last.press("ArrowRight")
        prints_its_first_view(page, shown, explorable)
        assert statistics.median(shown.evaluate(TIMES)) < 50
        assert page.complaints == []


# How many milliseconds it takes until a view is drawn, seven times.
TIMES = """async section => {
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


def prints_its_first_view(page, shown, explorable):
    """Check what stands on paper, and that the view on the screen comes back."""
    moved, first = says(shown), expected(explorable, start(explorable))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert says(shown) == first
    assert not shown.locator("form").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert says(shown) == moved != first


@pytest.mark.parametrize("name", sorted({name for name, _ in ON_PAGES.values()}))
def test_without_scripts_the_first_views_are_there(visit, name):
    with visit(name, java_script_enabled=False) as page:
        for explorable in (make() for where, make in ON_PAGES.values() if where == name):
            shown = section(page, explorable)
            view = explorable.view(*start(explorable))
            assert shown.get_by_role("status").inner_text() == view.sentence
            assert shown.get_by_role("img").first.is_visible()
            assert not shown.locator("form").is_visible()


def test_steps_play_and_pause(visit):
    name, make = ON_PAGES["growing"]
    explorable = make()
    with visit(name) as page:
        shown = section(page, explorable)
        shown.get_by_role("button", name="Next").click()
        (at,) = start(explorable)
        assert says(shown) == expected(explorable, [at + 1])
        shown.get_by_role("button", name="Back").click()
        assert says(shown) == expected(explorable, [at])
        shown.get_by_role("button", name="Play").click()
        status = shown.get_by_role("status")
        status.filter(has_text=f"Step {at + 2} of").wait_for(timeout=10_000)
        shown.get_by_role("button", name="Pause").press("Enter")
        shown.get_by_role("button", name="Play").wait_for()
    with visit(name, reduced_motion="reduce") as page:
        assert not section(page, explorable).get_by_role("button", name="Play").is_visible()


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_a_page(visit, name):
    with visit(name) as page:
        page.add_style_tag(content="* { transition: none !important }")  # on the way to the dark
        for theme, rules in ("light", RULES), ("dark", ["color-contrast"]):
            page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
            report = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]})
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

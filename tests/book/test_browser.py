"""The book in a real browser, offline: everybody can read the pages, on a phone, too."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import ROOT

PAGES = sorted(path.stem for path in (ROOT / "book").iterdir() if path.suffix in {".ipynb", ".md"})

# The rules of WCAG 2.1, A and AA.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


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

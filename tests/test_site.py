"""The built site: it needs no other host, its pages are light, and every link leads somewhere."""

import sys
from pathlib import Path

import pytest
from browser import ROOT
from bs4 import BeautifulSoup

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import offline

PAGES = sorted(path.stem for path in (ROOT / "book").iterdir() if path.suffix in {".ipynb", ".md"})
FONTS = {".woff2", ".woff", ".ttf"}


# --- formulas -------------------------------------------------------------------------------------


def texts(formula):
    """The MathML without its tags and spaces."""
    return "".join(BeautifulSoup(formula, "html.parser").get_text().split())


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
    formula = offline.mathml(tex)
    assert formula.startswith("<math ")
    assert formula.count("<mfrac") == fractions
    assert texts(formula) == text


def test_lines_of_a_derivation_are_rows():
    assert offline.mathml(r"a &= b \\ &= c", block=True).count("<mtr>") == 2


def test_unknown_tex_is_refused():
    with pytest.raises(ValueError, match="surprise"):
        offline.mathml(r"\surprise{2}")


# --- pages by themselves --------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_no_other_host_and_weighs_less_than_a_megabyte(visit, name):
    with visit(name) as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.reload(wait_until="load")
        own = [url for url in asked if not url.startswith(("data:", "blob:"))]
        assert [url for url in own if not url.startswith("file:")] == []
        # Scripts, styles and text as they lie on the disk, not compressed; drawings are figures.
        weight = page.evaluate("""() => {
            const bare = document.documentElement.cloneNode(true);
            bare.querySelectorAll("svg, figure").forEach(drawing => drawing.remove());
            bare.querySelectorAll("template").forEach(kept => kept.content.querySelectorAll(
                "svg, figure").forEach(drawing => drawing.remove()));
            return new TextEncoder().encode(bare.outerHTML).length;
        }""")
        for url in {url.partition("?")[0] for url in own[1:]}:
            path = Path(url.removeprefix("file://"))
            weight += 0 if path.suffix in FONTS else path.stat().st_size
        assert page.complaints == []
        assert weight < 1_000_000


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
        assert "\\(" not in shown
        assert "\\[" not in shown

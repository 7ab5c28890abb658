"""The built site: formulas need no script, and every link leads somewhere."""

import re
import sys
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import address
import pytest
from browser import FORK, ROOT
from bs4 import BeautifulSoup

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import offline

FOLDER = urlsplit(address.pages(FORK)).path + "/"  # where the host has the pages


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


# --- links ----------------------------------------------------------------------------------------


class Page(HTMLParser):
    """A page's `ids`, the `places` to which a link may lead, and the `targets` that it leads to.

    These are the addresses of links, pictures, scripts and styles.
    """

    def __init__(self, file):
        super().__init__()
        self.targets, self.places, self.ids = [], set(), []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        given = {name: value or "" for name, value in attributes}
        self.targets += [given[name] for name in ("href", "src") if name in given]
        if "srcset" in given:
            self.targets += [piece.split()[0] for piece in given["srcset"].split(",")]
        self.ids += [given["id"]] if "id" in given else []
        self.places.add(given.get("id") or given.get("name"))


read = cache(Page)


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


def test_every_link_leads_somewhere(site):
    site = site.resolve()
    wrong = [
        f"{page.relative_to(site)}: {target} {complaint}"
        for page in sorted(site.rglob("*.html"))
        for target in sorted(set(read(page).targets))
        if (complaint := broken(target, page, site))
    ]
    assert not wrong, "\n".join(wrong)


def test_no_two_things_on_a_page_have_one_id(site):
    for page in sorted(site.resolve().glob("*.html")):
        ids = read(page).ids
        assert len(ids) == len(set(ids)), page.name


def test_no_two_parts_of_a_page_have_one_name(site):
    for page in sorted(site.glob("*.html")):
        parts = BeautifulSoup(page.read_text("utf-8"), "html.parser").select("section[aria-label]")
        names = [part["aria-label"] for part in parts]
        assert len(names) == len(set(names)), page.name


def test_a_broken_link_is_found(tmp_path):
    page, other = tmp_path / "a.html", tmp_path / "b.html"
    page.write_text('<h2 id="top"></h2><a href="#top">x</a><img src="none.svg">')
    other.write_text('<h2 id="here"></h2>')
    assert read(page).targets == ["#top", "none.svg"]
    for right in "#top", "b.html", "b.html#here", f"{FOLDER}b.html", "https://doi.org/10.1007/1":
        assert broken(right, page, tmp_path) is None
    for wrong in "#no", "none.svg", "b.html#no", "../a.html", "https://nowhere", "htps://a.org":
        assert broken(wrong, page, tmp_path), wrong
    assert broken("/elsewhere/b.html", page, tmp_path)


# --- the search -----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["pruning", "C4.5", "predict", "信息增益", "增益", "熵"])
def test_the_search_shows_chapters_before_the_package(visit, site, words):
    with visit("search") as page:
        page.goto(f"{(site / 'search.html').as_uri()}?q={words}")
        page.locator(".search-summary", has_text="finished").wait_for()
        found = page.locator("ul.search li > a").evaluate_all(
            "links => links.map(l => l.getAttribute('href'))"
        )
        of_package = [address.startswith("api") for address in found]
        assert found
        assert of_package == sorted(of_package)

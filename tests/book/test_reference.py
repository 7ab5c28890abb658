"""The appendices: public names stand there with their source, and the terms are used and known."""

import importlib
import inspect
import re
from pathlib import Path
from typing import get_type_hints

import pytest
from bs4 import BeautifulSoup

import dtreebook
from dtreebook.prune.pruning import Pruning

BOOK = Path(__file__).resolve().parents[2] / "book"
MODULES = [
    (page, module)
    for page in ("api", "api_pruning", "api_database", "api_growing", "api_inside")
    for module in re.findall(r"automodule:: dtreebook\.([\w.]+)", (BOOK / f"{page}.md").read_text())
]


def test_the_reference_has_every_module_once():
    package = Path(dtreebook.__file__).parent
    files = (path for path in package.rglob("*.py") if path.stem != "__init__")
    modules = {".".join(path.relative_to(package).with_suffix("").parts) for path in files}
    # The pictures are listed together, as one imports them; what prunes has an introduction.
    pictures = {name for name in modules if name.startswith("plot.")} - {"plot.sheet"}
    assert sorted(name for _, name in MODULES) == sorted(modules - pictures | {"plot", "prune"})


def test_the_front_page_counts_the_ways_of_pruning():
    ways = set()
    for name in ("reduced_error", "error_based", "cost_complexity"):
        module = importlib.import_module(f"dtreebook.prune.{name}")
        for way, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__:
                ways |= {way} if get_type_hints(function).get("return") is Pruning else set()
    ways -= {"collapse", "prune_by_errors"}  # steps of one of them
    assert len(ways) == 5
    assert "and five ways of pruning" in (BOOK / "index.ipynb").read_text("utf-8")


@pytest.fixture(scope="module")
def pages(site):
    return {
        page: BeautifulSoup((site / f"{page}.html").read_text("utf-8"), "html.parser")
        for page in dict(MODULES)
    }


@pytest.mark.parametrize(("page", "module"), MODULES)
def test_functions_stand_there_with_docstring_and_source(pages, page, module):
    ours = importlib.import_module(f"dtreebook.{module}")
    for name, thing in inspect.getmembers(ours, inspect.isfunction):
        at_home = not name.startswith("_") and thing.__module__ == ours.__name__
        if name not in getattr(ours, "__all__", [name] if at_home else []) or not thing.__doc__:
            continue
        entry = pages[page].find(id=f"dtreebook.{module}.{name}")
        assert entry is not None, name
        assert entry.find("a", href=re.compile(r"_modules/.*#")), name
        text = entry.find_next("dd").get_text(" ")
        assert set(re.findall(r"\w+", thing.__doc__)) <= set(re.findall(r"\w+", text)), name


def test_terms_have_a_chinese_name_and_chapters_use_them(site):
    glossary = BeautifulSoup((site / "glossary.html").read_text("utf-8"), "html.parser")
    terms = glossary.select("dl.glossary > dt")
    assert len(terms) > 20
    for term in terms:
        assert re.match(r"[一-鿿]", term.find_next("dd").get_text().strip()), term
    used = sum(
        path.read_text("utf-8").count("](glossary.md#term-") for path in BOOK.glob("*.ipynb")
    )
    assert used >= 20


def test_a_term_occurs_on_the_page_that_its_entry_leads_to(site):
    glossary = BeautifulSoup((site / "glossary.html").read_text("utf-8"), "html.parser")
    for term in glossary.select("dl.glossary > dt"):
        word = term.find(string=True).strip().lower().removesuffix("s")
        link = term.find_next("dd").select("a.reference.internal")[-1]
        page = (site / link["href"].partition("#")[0]).read_text("utf-8")
        text = BeautifulSoup(page, "html.parser").article.get_text().lower()
        assert word in " ".join(text.split()), f"{word}: {link['href']}"

"""The appendices: public names stand there with their source, and the terms are used and known."""

import importlib
import inspect
import re
from functools import cache

import pytest
from browser import BOOK, ROOT
from bs4 import BeautifulSoup
from tiers import sometimes

MODULES = [
    (page, module)
    for page in (
        "api",
        "api_book",
        "api_pruning",
        "api_database",
        "api_reading",
        "api_counting",
        "api_growing",
        "api_inside",
    )
    for module in re.findall(r"automodule:: ([\w.]+)", (BOOK / f"{page}.md").read_text())
]


def test_the_reference_has_every_module_once():
    files = [*(ROOT / "dtreebook").rglob("*.py"), *(ROOT / "twentyquestions").glob("*.py")]
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in files
        if path.stem != "__init__"
    }
    # The pictures are listed together, as one imports them, and so are the plain algorithms.
    together = {name for name in modules if re.search(r"\.(plot|plain)\.", name)}
    rooms = {"twentyquestions", "dtreebook.plain", "dtreebook.plot", "dtreebook.prune"}
    wanted = modules - (together - {"dtreebook.plot.sheet"}) | rooms
    assert sorted(name for _, name in MODULES) == sorted(wanted)


@pytest.fixture(scope="module")
def pages(site):
    return {
        page: BeautifulSoup((site / f"{page}.html").read_text("utf-8"), "html.parser")
        for page in dict(MODULES)
    }


@pytest.mark.parametrize(("page", "module"), MODULES)
def test_functions_stand_there_with_docstring_and_source(pages, page, module):
    ours = importlib.import_module(module)
    for name, thing in inspect.getmembers(ours, inspect.isfunction):
        at_home = not name.startswith("_") and thing.__module__ == ours.__name__
        if name not in getattr(ours, "__all__", [name] if at_home else []) or not thing.__doc__:
            continue
        entry = pages[page].find(id=f"{module}.{name}")
        assert entry is not None, name
        assert entry.find("a", href=re.compile(r"_modules/.*#")), name
        text = entry.find_next("dd").get_text(" ")
        assert set(re.findall(r"\w+", thing.__doc__)) <= set(re.findall(r"\w+", text)), name


CLASSES = [
    (page, f"{module}.{name}", kind)
    for page, module in MODULES
    if page == "api"
    for name, kind in inspect.getmembers(importlib.import_module(module))
    if inspect.isclass(kind)
    and kind.__module__ == module
    and not name.startswith("_")
    and name not in ("CART", "Forest")  # what a class for classes and one for numbers share
]


@pytest.mark.parametrize(("page", "name", "kind"), CLASSES)
def test_every_method_stands_at_its_class_inherited_ones_too(pages, page, name, kind):
    entry = pages[page].find(id=name)
    assert entry is not None
    listed = {one.get("id") for one in entry.find_parent("dl").find_all("dt")}
    for method, thing in inspect.getmembers(kind, lambda thing: callable(thing)):
        is_set = method.startswith("set_") and method.endswith("_request")  # scikit-learn's own
        if method.startswith("_") or is_set or inspect.isclass(thing) or at_home(method):
            continue
        assert f"{name}.{method}" in listed, method


def at_home(method):
    """Return whether a method is Python's own, of all tuples and errors."""
    return hasattr(tuple, method) or hasattr(Exception, method)


def test_a_search_finds_the_methods_of_the_estimators(site):
    index = (site / "searchindex.js").read_text("utf-8")
    for name in ("CARTClassifier", "CARTRegressor"):
        found = re.search(rf'"dtreebook\.cart\.{name}": ?(\[\[.*?\]\])', index)[1]
        listed = set(re.findall(r'"(\w+)"', found))
        assert {"fit", "predict", "to_sklearn", "importance", "summary", "regrow"} <= listed


def test_no_page_of_the_package_shows_a_private_name_or_the_rules_of_a_table(pages):
    for name, page in pages.items():
        entries = [entry.get("id") or "" for entry in page.select("dt.sig")]
        assert not [one for one in entries if re.search(r"\._", one)], name
        assert "=====" not in page.article.get_text(), name
    table = pages["api"].find(id="dtreebook.c45.C45Classifier").find_next("table")
    head, first, *_ = (
        [cell.get_text() for cell in row.find_all(["th", "td"])] for row in table.select("tr")
    )
    assert head == ["what", "C4.5", "ID3", "CART"]
    assert first[:2] == ["cases in every branch", "min_samples_leaf"]


@sometimes
def test_terms_have_a_chinese_name_and_lead_to_a_page_where_they_occur(site):
    glossary = BeautifulSoup((site / "glossary.html").read_text("utf-8"), "html.parser")
    terms = glossary.select("dl.glossary > dt")
    assert len(terms) > 20
    for term in terms:
        meaning = term.find_next("dd")
        assert re.match(r"[一-鿿]", meaning.get_text().strip()), term
        word = term.find(string=True).strip().lower().removesuffix("s")
        link = meaning.select("a.reference.internal")[-1]
        text = words((site / link["href"].partition("#")[0]).read_text("utf-8"))
        assert word in text, f"{word}: {link['href']}"


@cache
def words(html):
    return " ".join(BeautifulSoup(html, "html.parser").article.get_text().lower().split())

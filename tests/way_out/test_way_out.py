"""The pages that Sphinx builds without jupyter-book are those that it builds with it.

`make way-out` builds both and runs this file, then looks at the pages of the new one in Chromium as
tests/book/test_browser.py looks at the others. Once a week; not part of `make test`.
"""

import os
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

OLD, NEW = Path(os.environ["OLD"]), Path(os.environ["NEW"])
PAGES = sorted(path.name for path in OLD.glob("*.html"))


def article(path):
    """Read what a page says, without what scripts and themes put there."""
    found = BeautifulSoup(path.read_text("utf-8"), "html.parser").select_one("article")
    if found is None:
        return {}
    # A cell to write in is only where pages run.
    for away in found.select(
        "script:not([type='application/json']), style, .headerlink, .dtb-run, .tag_write"
    ):
        away.decompose()
    # Another autodoc writes signatures in other words; what is described must be the same.
    described = [term.get("id") for term in found.select("dt.sig")]
    for signature in found.select("dl.py"):
        signature.decompose()
    return {
        "described": described,
        "words": re.sub(r"\s+", " ", found.get_text(" ", strip=True)).split(" "),
        "links": [(a["href"], a.get_text(" ", strip=True)) for a in found.select("a[href]")],
        "questions": [asked.get_text(" ", strip=True) for asked in found.select(".dtb-question")],
        "formulas": [str(formula) for formula in found.select("math")],
        "data": [script.string for script in found.select("script")],
    }


def test_every_page_is_there():
    assert sorted(path.name for path in NEW.glob("*.html")) == PAGES


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_the_same(name):
    old, new = article(OLD / name), article(NEW / name)
    for part, said in old.items():
        assert new[part] == said, part

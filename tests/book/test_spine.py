"""The pages of the spine compute what they say in cells that a reader sees and can type."""

import re

import nbformat
import pytest
import spine
from browser import BOOK
from exercises_in_code import names

SPINE = spine.PAGES[1:]
REMOVED = {"remove-cell", "remove-input"}
AWAY = REMOVED | {"hide-input", "solution"}


def code(page):
    for cell in nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells:
        if cell.cell_type == "code" and not cell.source.startswith("%"):
            yield set(cell.metadata.get("tags", ())), cell.source


@pytest.mark.parametrize("page", SPINE)
def test_a_page_of_the_spine_computes_before_the_readers_eyes(page):
    seen = [source for tags, source in code(page) if not tags & AWAY]
    assert any("source(" not in source for source in seen)


@pytest.mark.parametrize("page", sorted(path.stem for path in BOOK.glob("*.ipynb")))
def test_no_cell_that_is_seen_or_unfolded_needs_a_cell_that_is_removed(page):
    removed, readable = set(), set()
    for tags, source in code(page):
        bound, used = names(source)
        if tags & REMOVED:
            removed |= bound
        else:
            assert not used & (removed - readable), source
            readable |= bound


def test_next_leads_along_the_spine_and_previous_back(site):
    pages = spine.PAGES
    for before, page, after in zip(["", *pages], pages, [*pages[1:], "sheet"], strict=False):
        text = (site / f"{page}.html").read_text("utf-8")
        found = dict(re.findall(r'rel="(prev|next)"[^>]*href="(\w+)\.html"', text))
        assert (found.get("prev", ""), found.get("next", "")) == (before, after)

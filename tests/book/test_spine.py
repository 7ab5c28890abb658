"""The pages of the spine compute what they say in cells that a reader sees and can type."""

import ast
from pathlib import Path

import nbformat
import pytest
import spine

BOOK = Path(__file__).resolve().parents[2] / "book"
SPINE = spine.PAGES[1:]
REMOVED = {"remove-cell", "remove-input"}
AWAY = REMOVED | {"hide-input", "solution"}


def names(source, kind):
    """Return the names that code reads (ast.Load) or sets (ast.Store), with what it imports."""
    tree = ast.parse(source)
    found = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, kind)}
    if kind is ast.Store:
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found |= {node.name}
                found |= {a.arg for a in getattr(getattr(node, "args", None), "args", ())}
            elif isinstance(node, ast.Import | ast.ImportFrom):
                found |= {(a.asname or a.name).split(".")[0] for a in node.names}
    return found


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
    set_so_far = {"removed": set(), "readable": set()}
    for tags, source in code(page):
        if not tags & REMOVED:
            hidden = set_so_far["removed"] - set_so_far["readable"] - names(source, ast.Store)
            assert not names(source, ast.Load) & hidden, source
        kept = "removed" if tags & REMOVED else "readable"
        set_so_far[kept] |= names(source, ast.Store)

"""What a reader sees of a page's code is all that a student must type, and no line of it is cut.

`python -m tools.typed_cells book/entropy.ipynb` says what is wrong with a page.
"""

import ast
import asyncio

import nbformat
import pytest
import yaml
from browser import BOOK
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from dtreebook import plain
from tools import typed_cells
from twentyquestions import source

# Pages whose code cannot be typed yet. A page that can be must leave this list.
NOT_YET = [
    "c45_missing_values",
    "cart_costs",
    "cart_importance",
    "cart_search",
    "cart_surrogates",
    "databases",
    "engine",
    "engine_counting",
    "engine_pruning",
    "for_engineers",
    "greed",
    "pruning_compared",
    "pruning_estimates",
    "questionnaire",
    "reading_the_sources",
    "trees_at_work",
]


def listed(part):
    """List the pages of a part of the table of contents."""
    pages = [part["file"]] if "file" in part else []
    below = (part.get(key, ()) for key in ("parts", "chapters", "sections"))
    return pages + [page for parts in below for one in parts for page in listed(one)]


TOC = yaml.safe_load((BOOK / "_toc.yml").read_text("utf-8"))
FILES = [BOOK / f"{page}.ipynb" for page in [TOC["root"], *listed(TOC)]]
NOTEBOOKS = [path for path in FILES if path.exists()]


@pytest.mark.parametrize("chapter", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_visible_cells_run_alone_in_order_and_no_line_is_cut(chapter):
    found = asyncio.run(typed_cells.type_page(chapter)).complaints
    if chapter.stem in NOT_YET:
        assert found, f"{chapter.stem} can be typed: take it out of NOT_YET"
    else:
        assert not found, "\n".join(f"{one.cell} {one.kind}: {one.words}" for one in found)


def test_every_page_that_cannot_be_typed_yet_is_a_page():
    assert set(NOT_YET) <= {path.stem for path in NOTEBOOKS}
    assert sorted(set(NOT_YET)) == NOT_YET


@pytest.fixture
def typed(tmp_path):
    """Return a function that types a page of cells, given as (source, output, tags)."""

    def write(*cells):
        made = [new_markdown_cell("Text.")]
        for number, (code, output, *tags) in enumerate(cells):
            cell = new_code_cell(code, id=f"cell-{number}", metadata={"tags": tags})
            cell.outputs = [new_output("stream", text=output)] if output else []
            made.append(cell)
        path = tmp_path / "page.ipynb"
        path.write_text(nbformat.writes(new_notebook(cells=made)))
        return asyncio.run(typed_cells.type_page(path))

    return write


def test_a_hidden_cell_does_not_help_whatever_hides_it(typed):
    for tag in ("hide-input", "hide-cell", "remove-input", "remove-cell", "solution"):
        n_cells, (complaint,) = typed(("x = 1", "", tag), ("print(x)", "1\n"))
        assert n_cells == 1
        assert complaint == ("cell-1", "fails", "NameError: name 'x' is not defined")


def test_cells_after_a_failing_one_run_and_what_they_print_is_compared(typed):
    report = typed(
        ("x", ""), ("print(1)", "1\n"), ("print(2)", "3\n"), ("print(4)", "5\n", "timing")
    )
    assert [(one.cell, one.kind) for one in report.complaints] == [
        ("cell-0", "fails"),
        ("cell-2", "differs"),
    ]


def test_a_line_of_75_characters_is_too_wide_in_code_and_in_a_listing(typed):
    assert not typed((f'"{"x" * 71}";', "")).complaints
    (wide,) = typed((f'"{"x" * 72}";', "")).complaints
    assert (wide.cell, wide.kind) == ("cell-0", "wide")
    listing = new_code_cell("source(f)")
    listing.outputs = [new_output("display_data", {"text/markdown": "```python\nf = 1\n```"})]
    assert typed_cells.listings(listing) == ["source(f)", "f = 1\n"]


@pytest.mark.parametrize(
    "page", ["id3_recursion", "c45_program", "cart", "pruning", "pruning_cost_complexity"]
)
def test_functions_that_a_page_types_under_a_name_of_plain_are_those_of_plain(page):
    cells = nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells
    shown = [cell.source for cell in cells if typed_cells.is_visible(cell)]
    nodes = [node for code in shown for node in functions(code)]
    typed = [node for node in nodes if hasattr(plain, node.name)]
    assert len(typed) >= 3
    for node in typed:
        (ours,) = functions(source(getattr(plain, node.name)).code)
        assert ast.dump(node) == ast.dump(ours), node.name


def functions(code):
    return [node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)]

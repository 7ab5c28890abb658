"""The second net: should nbval end, pytest-notebook compares the same outputs as well.

nbval is a package of 2024. Its successor reads the same notebooks; here its comparison is asked
about the digits that tests/helpers/net.py changes, all of which nbval notices.
"""

import re

import nbformat
import pytest
from nbval.plugin import get_sanitize_patterns
from net import ROOT, chosen
from notebooks import pages
from runs import run_of

RULES = get_sanitize_patterns((ROOT / "book/nbval_sanitize.cfg").read_text("utf-8"))
IGNORED = ["/metadata", "/nbformat_minor", "/cells/*/metadata", "/cells/*/execution_count"]


def differ(stored, fresh):
    """Whether pytest-notebook finds that a cell prints something else."""
    from pytest_notebook.diffing import diff_notebooks, filter_diff

    def alone(cell):
        text = nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))
        for pattern, mark in RULES:
            text = re.sub(pattern, mark, text)
        return nbformat.reads(text, as_version=4)

    return bool(filter_diff(diff_notebooks(alone(stored), alone(fresh)), IGNORED))


@pytest.mark.weekly
@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_pytest_notebook_notices_every_digit_that_nbval_notices(path):
    stored = nbformat.read(path, as_version=4)
    cells, fresh = (
        [cell for cell in notebook.cells if cell.cell_type == "code"]
        for notebook in (stored, run_of(path))
    )
    for cell, run in zip(cells, fresh, strict=True):
        is_left_out = "nbval-ignore-output" in cell.metadata.get("tags", ())
        assert is_left_out or not differ(cell, run), cell.id
    for place in chosen(stored):
        cell = nbformat.from_dict(cells[place.cell])
        cell.outputs = place.alter(cell.outputs)
        assert differ(cell, fresh[place.cell]), place

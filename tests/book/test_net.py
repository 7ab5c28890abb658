"""The net: nbval fails when any digit of a notebook's stored outputs is changed.

While nbval runs the chapters, the plugin net.py changes digits in printed lines, plain tables, HTML
tables and exceptions, one at a time. Here the plugin is tested, and nbval from end to end.

Should nbval end, pytest-notebook reads the same notebooks. Once a week it is asked about
the digits that the plugin changes, all of which nbval notices.
"""

import os
import re
import subprocess
import sys
from copy import deepcopy
from operator import itemgetter

import nbformat
import net
import pandas as pd
import pytest
import shared
from nbformat.v4 import new_code_cell, new_notebook, new_output
from nbval.plugin import get_sanitize_patterns
from net import ROOT, chosen, places
from runs import run_of

from tools.notebooks import pages


def test_the_net_is_spread_below_every_chapter_that_nbval_runs(pytestconfig):
    assert pytestconfig.pluginmanager.is_registered(net)


FRAME = pd.DataFrame({"gain": [0.94, 0.029]})
# What cells hold, and the outputs that are stored with them.
CELLS = {
    "print('gain 0.420')": new_output("stream", text="gain 0.420\n"),
    "import pandas\npandas.DataFrame({'gain': [0.94, 0.029]})": new_output(
        "execute_result", {"text/plain": repr(FRAME), "text/html": FRAME._repr_html_()}
    ),
    "raise ValueError('column 3 is missing')": new_output(
        "error", ename="ValueError", evalue="column 3 is missing"
    ),
    "'7 leaves'": new_output("execute_result", {"text/plain": "'7 leaves'"}),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "plugins", [["net"], ["net", "shared", "runs"]], ids=["alone", "after a run of its own"]
)
def test_stored_digits_pass_other_digits_fail_and_so_do_those_nobody_compares(plugins, tmp_path):
    cells = [
        new_code_cell(cell, outputs=[output], execution_count=1) for cell, output in CELLS.items()
    ]
    cells[2].metadata.tags = ["raises-exception"]
    notebook = new_notebook(cells=cells)
    notebook.cells += [*map(other_digit, notebook.cells), unwatched(notebook.cells[0])]
    nbformat.write(notebook, tmp_path / "cells.ipynb")
    settings = ["-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", "-rA"]
    settings += [f"-p{plugin}" for plugin in plugins]
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("tests/helpers", ""))
    others = {name: value for name, value in os.environ.items() if name != shared.NAME}
    command, env = [sys.executable, "-m", "pytest", *settings, tmp_path], {"PYTHONPATH": paths}
    run = subprocess.run(command, env=others | env, capture_output=True, text=True, check=False)
    outcomes = re.findall(r"^(PASSED|FAILED) \S+::Cell (\d)", run.stdout, re.MULTILINE)
    wanted = ["PASSED"] * 4 + ["FAILED"] * 5
    assert [outcome for outcome, _ in sorted(outcomes, key=itemgetter(1))] == wanted, run.stdout


def other_digit(cell):
    altered = deepcopy(cell)
    altered.id += "-altered"
    altered.outputs = places(new_notebook(cells=[cell]))[-1].alter(cell.outputs)
    return altered


def unwatched(cell):
    free = deepcopy(cell)
    free.id += "-free"
    free.metadata.tags = ["nbval-ignore-output"]
    return free


RULES = get_sanitize_patterns((ROOT / "book/nbval_sanitize.cfg").read_text("utf-8"))
IGNORED = ["/metadata", "/nbformat_minor", "/cells/*/metadata", "/cells/*/execution_count"]


def differ(stored, fresh):
    """Whether pytest-notebook finds that a cell prints something else."""
    from pytest_notebook.diffing import diff_notebooks, filter_diff

    def alone(cell):
        text = nbformat.writes(new_notebook(cells=[cell]))
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

"""The net itself: nbval fails when any digit of a chapter's stored outputs is changed.

For every chapter at least 30 digits (all of them, where there are fewer) in printed lines, plain
tables, HTML tables and exceptions are changed one at a time; see net.py. One more copy of the
chapter, with one changed digit in every cell that shows any, goes through nbval from end to end.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from net import ROOT, chosen, places, spread
from notebooks import chapters


@pytest.mark.parametrize("chapter", chapters(), ids=lambda path: path.stem)
def test_every_changed_digit_fails_and_the_untouched_chapter_passes(
    chapter, tmp_path, record_property
):
    notebook = nbformat.read(chapter, as_version=4)
    found, wanted = places(notebook), chosen(notebook)
    assert len(wanted) >= min(30, len(found))

    altered = altered_copy(notebook, found, tmp_path / f"{chapter.stem}-altered.ipynb")
    report = tmp_path / "report.json"
    net = Path(__file__).parents[1] / "helpers" / "net.py"
    command = [sys.executable, net, report, chapter, altered]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    answers = json.loads(report.read_text())

    assert answers["failed"]["chapter"] == [], run.stdout
    assert answers["missed"] == []
    assert len(answers["noticed"]) == len(wanted)
    assert answers["failed"]["altered"] == sorted({place.cell for place in found}), run.stdout
    record_property("places", dict(Counter(place.kind for place in wanted)))


def altered_copy(notebook, found, path):
    """Write a copy in which every cell that shows digits has one of them changed."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number in {place.cell for place in found}:
        here = [place for place in found if place.cell == number]
        code[number].outputs = here[len(here) // 2].alter(code[number].outputs)
    nbformat.write(notebook, path)
    return path


def output(kind, content):
    """Make a code cell with one output."""
    cell = nbformat.v4.new_code_cell("0", execution_count=1)
    if kind == "stream":
        cell.outputs = [nbformat.v4.new_output("stream", name="stdout", text=content)]
    elif kind == "error":
        cell.outputs = [nbformat.v4.new_output("error", ename="ValueError", evalue=content)]
    else:
        cell.outputs = [nbformat.v4.new_output("display_data", data={kind: content})]
    return cell


@pytest.mark.parametrize(
    ("kind", "content", "digits"),
    [
        ("stream", "gain 0.420\n", "0420"),
        ("text/plain", "   a\n0  7", "07"),
        ("text/html", "<table><td>0.97</td></table>", "097"),
        ("text/html", '<p aria-label="5 leaves"><svg width="9"><text>9</text></svg></p>', "5"),
        ("text/plain", "<f at 0x7f00aa11bb22> 3", "3"),
        ("stream", "/tmp/run/12.py:1: warning 4", "14"),
        ("error", "column 3 is missing", "3"),
        ("image/png", "iVBORw0KGgo123", ""),
    ],
)
def test_the_places_are_the_digits_a_reader_sees(kind, content, digits):
    notebook = nbformat.v4.new_notebook(cells=[output(kind, content)])
    assert "".join(content[place.position] for place in places(notebook)) == digits


def test_running_times_are_no_places():
    cell = output("stream", "12 ms")
    cell.metadata["tags"] = ["timing"]
    assert places(nbformat.v4.new_notebook(cells=[cell])) == []


def test_places_are_spread_over_the_chapter():
    assert spread(list(range(100)), 60) == list(range(0, 100, 2))
    assert spread(list(range(7)), 60) == list(range(7))

"""Type the pages as a student would: run the code cells that a reader sees, and no others.

    python -m tools.typed_cells                        a line for each page
    python -m tools.typed_cells book/entropy.ipynb     and every complaint about the named ones

The visible cells of a page run in order, in a new kernel that has seen no hidden cell. A cell is
complained of if it fails, if it prints something else than the page shows, or if a line of its
code, or of the listing that it prints, is longer than 74 characters, which is what the column of
the page holds.

A cell is visible if the page shows its code without a click. So the hidden ones are the folded and
the removed ones, and those of a solution.
"""

import argparse
import asyncio
import re
import sys
from pathlib import Path
from typing import NamedTuple

import nbformat
from nbclient import NotebookClient

from tools import notebooks

WIDTH = 74
HIDDEN = notebooks.FOLDED | notebooks.AWAY | {"hide-cell"}
# What such a cell prints is not compared: it differs from run to run, or is not stored.
UNSTABLE = {"timing", "nbval-ignore-output", "remove-output", "hide-output"}
LISTING = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Complaint(NamedTuple):
    """What is wrong with a visible cell: the kind is "fails", "differs" or "wide"."""

    cell: str
    kind: str
    words: str


class Report(NamedTuple):
    """What came of typing a page: the number of its visible cells, and what is wrong with them."""

    n_cells: int
    complaints: list[Complaint]

    def count(self, kind):
        return len({one.cell for one in self.complaints if one.kind == kind})


def is_visible(cell):
    """Tell whether a reader sees the code of a cell without a click."""
    is_code = cell.cell_type == "code" and bool(cell.source.strip())
    return is_code and not HIDDEN & set(cell.metadata.get("tags", ()))


def printed(cell):
    """Return what a cell prints, as text; for a picture that is its description."""
    texts = (
        output.text if output.output_type == "stream" else output.data.get("text/plain", "")
        for output in cell.outputs
        if output.output_type != "error"
    )
    return "\n".join(texts)


def listings(cell):
    """Return the code that a reader sees at a cell: its own, and the listings that it prints."""
    shown = [cell.source]
    for output in cell.outputs:
        shown += LISTING.findall(output.get("data", {}).get("text/markdown", ""))
    return shown


async def run(visible, folder):
    """Run cells in a new kernel, each of them even if one before it failed."""
    fresh = nbformat.v4.new_notebook(cells=[nbformat.from_dict(cell) for cell in visible])
    client = NotebookClient(
        fresh,
        kernel_name="python3",
        timeout=notebooks.SECONDS_A_CELL,
        allow_errors=True,
        coalesce_streams=True,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(folder)}},
    )
    return notebooks.tidy(await client.async_execute()).cells


def compared(stored, typed):
    """Yield what is wrong with a cell, from its stored outputs and those that it has just had."""
    tags = set(stored.metadata.get("tags", ()))
    errors = [output for output in typed.outputs if output.output_type == "error"]
    if errors and "raises-exception" not in tags:
        yield Complaint(stored.id, "fails", f"{errors[0].ename}: {errors[0].evalue}")
    elif not UNSTABLE & tags and printed(typed) != printed(stored):
        yield Complaint(stored.id, "differs", f"{printed(typed)!r:.60}")
    for line in "\n".join(listings(stored)).splitlines():
        if len(line) > WIDTH:
            yield Complaint(stored.id, "wide", f"{len(line)}: {line.strip()}")


async def type_page(path):
    """Type one page and report."""
    visible = [cell for cell in nbformat.read(path, as_version=4).cells if is_visible(cell)]
    typed = await run(visible, path.parent) if visible else []
    pairs = zip(visible, typed, strict=True)
    return Report(len(visible), [one for pair in pairs for one in compared(*pair)])


async def type_pages(paths):
    """Type pages, two at a time, and return a report for each."""
    turn = asyncio.Semaphore(notebooks.AT_A_TIME)

    async def one(path):
        async with turn:
            return await type_page(path)

    return await asyncio.gather(*map(one, paths))


def main():
    """Run the command line; return its exit code."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("pages", nargs="*", type=Path, help="default: all of book/, in short")
    named = options.parse_args().pages
    paths = named or notebooks.pages()
    reports = asyncio.run(type_pages(paths))
    print(f"{'page':28} cells  fail  differ  wide")
    for path, report in zip(paths, reports, strict=True):
        figures = report.count("fails"), report.count("differs"), report.count("wide")
        print(f"{path.stem:28} {report.n_cells:5}", "{:5} {:7} {:5}".format(*figures))
        for one in report.complaints if named else ():
            print(f"    {one.cell}: {one.kind}: {one.words}")
    return int(any(report.complaints for report in reports))


if __name__ == "__main__":
    sys.exit(main())

"""Run the notebooks and store what they print: the one way a notebook's outputs get into git.

    python -m tools.notebooks                       run every notebook of book/ and write it back
    python -m tools.notebooks book/entropy.ipynb    the named ones only

Each notebook runs in a fresh kernel, two at a time. The expressions of the prose, {eval}`...`, are
evaluated right after the code above them and stored in their cell's metadata, where JupyterLab and
book/_ext/cells.py look for them. What changes from run to run and says nothing is removed, so
that two runs give identical bytes. Running times, in cells tagged `timing` and in the metadata as
`seconds`, stay as long as all else in the notebook does: clear the output to take them anew.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import os
import re
import sys
import time
from copy import deepcopy
from functools import cache
from pathlib import Path

import nbformat
import yaml
from markdown_it.renderer import RendererHTML
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbval.plugin import get_sanitize_patterns

from tools import kernels
from tools.plain_notebooks import KERNEL

ROOT = Path(__file__).resolve().parents[1]
BOOK = ROOT / "book"
AT_A_TIME = 2
SECONDS_A_CELL = 300
DIRECTIVE = re.compile(r"\{([\w:-]+)\}\s*(.*)", re.DOTALL)
# Tags of cells whose source, and of those whose output as well, is out of the reader's way.
FOLDED, AWAY = {"hide-input", "remove-input"}, {"remove-cell", "solution"}
# Of what the page leaves out, this is for JupyterLab: a slider, say, which needs a kernel.
IN_LAB = "in-jupyterlab"
VERBATIM = {"code", "code-block", "code-cell", "sourcecode", "parsed-literal", "math", "raw"}
RULES = get_sanitize_patterns((BOOK / "nbval_sanitize.cfg").read_text())
SCRUBBERS = [(pattern, mark) for pattern, mark in RULES if mark != "DRAWING"]

# The kernel of this environment, not one of the same name in the user's home.
os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
kernels.use_forks()


class NotebookError(Exception):
    """A cell or an {eval} that failed; the message names the notebook, the cell and the error."""


@cache
def parser():
    syntax = yaml.safe_load((BOOK / "_config.yml").read_text())["parse"]
    settings = MdParserConfig(enable_extensions=set(syntax["myst_enable_extensions"]))
    return create_md_parser(settings, RendererHTML)


def expressions(text: str) -> list[str]:
    """List the expressions of the {eval} roles in MyST text, each once, but for those in code.

    >>> expressions("Gain {eval}`round(g, 3)`, not ``{eval}`x` ``.")
    ['round(g, 3)']
    """
    found = {}
    for token in parser().parse(text):
        for child in token.children or ():
            if child.type == "myst_role" and child.meta["name"] == "eval":
                found[child.content] = None
        if token.type in ("fence", "colon_fence") and (match := DIRECTIVE.match(token.info)):
            name, title = match.groups()
            if name not in VERBATIM:
                found.update(dict.fromkeys(expressions(title) + expressions(token.content)))
    return list(found)


async def ask(client: NotebookClient, wanted: list[str]) -> dict[str, dict]:
    """Have the kernel evaluate expressions: {expression: its result, as the kernel replies it}."""
    asked = {expression: expression for expression in wanted}
    reply = await client.kc.execute(
        "", silent=True, user_expressions=asked, reply=True, timeout=SECONDS_A_CELL
    )
    return reply["content"]["user_expressions"]


async def evaluate(client: NotebookClient, cell, place: str) -> None:
    """Store the values of a Markdown cell's expressions as its `user_expressions`."""
    wanted = expressions(cell.source)
    cell.metadata.pop("user_expressions", None)
    if not wanted:
        return
    results = await ask(client, wanted)
    stored = [{"expression": expression, "result": results[expression]} for expression in wanted]
    for expression, result in results.items():
        if result["status"] != "ok":
            raise NotebookError(
                f"{place}: {{eval}}`{expression}` failed\n{result['ename']}: {result['evalue']}"
            )
    cell.metadata["user_expressions"] = nbformat.from_dict(stored)


async def hold(client: NotebookClient, path: Path) -> None:
    """Raise if a stored value is another at the end, when JupyterLab evaluates the whole prose."""
    stored = [
        (place(path, number, cell), entry.expression, entry.result)
        for number, cell in enumerate(client.nb.cells)
        for entry in cell.metadata.get("user_expressions", ())
    ]
    last = await ask(client, list({expression for _, expression, _ in stored}))
    for here, expression, value in stored:
        if last[expression] != value:
            raise NotebookError(
                f"{here}: {{eval}}`{expression}` has another value at the end of the "
                "notebook, where JupyterLab evaluates it: rename what is used twice"
            )


def place(path: Path, number: int, cell) -> str:
    return f"{path.name}, cell {number + 1} ({cell.id})"


async def execute(path: Path):
    """Run a notebook in a fresh kernel; return it with its outputs, tidied."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=SECONDS_A_CELL,
        coalesce_streams=True,  # a kernel may send what a cell prints in any number of pieces
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    begin = time.perf_counter()
    async with client.async_setup_kernel():
        for number, cell in enumerate(notebook.cells):
            here = place(path, number, cell)
            try:
                if cell.cell_type == "code":
                    cell.outputs, cell.execution_count = [], None
                    if cell.source.strip():
                        await client.async_execute_cell(cell, number)
                elif cell.cell_type == "markdown":
                    await evaluate(client, cell, here)
            except CellExecutionError as error:
                raise NotebookError(f"{here} failed\n{error.traceback}") from error
            except TimeoutError as error:
                raise NotebookError(f"{here} took over {SECONDS_A_CELL} s") from error
        await hold(client, path)
        client.set_widgets_metadata()
    notebook.metadata["seconds"] = round(time.perf_counter() - begin, 1)
    return tidy(notebook)


def scrub(value):
    """Apply the rules of nbval to every string in a JSON value, pictures in base64 excepted."""
    if isinstance(value, str):
        for pattern, mark in SCRUBBERS:
            value = re.sub(pattern, mark, value)
    elif isinstance(value, dict):
        return {
            key: item if key in ("image/png", "image/jpeg") else scrub(item)
            for key, item in value.items()
        }
    elif isinstance(value, list):
        return [scrub(item) for item in value]
    return value


def fold(cell) -> None:
    """Hide in JupyterLab what the book hides or folds: sources, and outputs where it says so."""
    tags = set(cell.metadata.get("tags", ()))
    if IN_LAB in tags:
        tags -= AWAY
    hidden = {
        "source_hidden": bool(tags & {*FOLDED, *AWAY}),
        "outputs_hidden": bool(tags & {"hide-output", *AWAY} and cell.outputs),
    }
    cell.metadata.pop("jupyter", None)
    cell.metadata.pop("collapsed", None)
    if hidden["outputs_hidden"]:
        cell.metadata["collapsed"] = True  # JupyterLab would add it to the file
    if any(hidden.values()):
        cell.metadata["jupyter"] = {key: True for key, value in hidden.items() if value}


def tidy(notebook):
    """Remove what two runs do not share: time stamps, addresses, paths, random ids, versions."""
    notebook.metadata.update(nbformat.from_dict(KERNEL))
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [nbformat.from_dict(scrub(output)) for output in cell.outputs]
            fold(cell)
    whole = nbformat.writes(notebook)
    states = notebook.metadata.get("widgets", {}).values()
    for number, model in enumerate(model for state in states for model in state["state"]):
        whole = whole.replace(model, f"{number:032x}")
    # As JupyterLab writes whole numbers, which would change the file.
    whole = re.sub(r'^( *"\w+": -?\d+)\.0(?=,?$)', r"\1", whole, flags=re.MULTILINE)
    return nbformat.reads(whole, as_version=4)


def timings(notebook) -> list:
    return [cell for cell in notebook.cells if "timing" in cell.metadata.get("tags", ())]


def without_times(notebook):
    """Return a copy without running times, its own and the outputs of timing cells."""
    notebook = deepcopy(notebook)
    notebook.metadata.pop("seconds", None)
    for cell in timings(notebook):
        cell.outputs = []
    return notebook


def settled(fresh, stored):
    """Return the run to be stored: the stored one if they differ in running times alone."""
    timed = "seconds" in stored.metadata and all(cell.outputs for cell in timings(stored))
    same = text(without_times(fresh)) == text(without_times(stored))
    return stored if timed and same else fresh


def text(notebook) -> str:
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def compare(path: Path, fresh) -> str:
    """Say line by line how a run differs from the file; empty when it would not change the file."""
    before = path.read_text(encoding="utf-8")
    after = text(settled(fresh, nbformat.reads(before, as_version=4)))
    old, new = before.splitlines(), after.splitlines()
    diff = difflib.unified_diff(old, new, path.name, "run just now", n=1, lineterm="")
    return "\n".join(line[:200] for line in diff)


async def execute_all(paths: list[Path]) -> list:
    """Run notebooks, two at a time; return each one's run, or the NotebookError that ended it."""
    turn = asyncio.Semaphore(AT_A_TIME)

    async def one(path: Path):
        async with turn:
            try:
                return await execute(path)
            except NotebookError as error:
                return error

    return await asyncio.gather(*map(one, paths))


def keep(path: Path, fresh) -> bool:
    """Write a run to its file; tell whether that changed the file."""
    before = path.read_text(encoding="utf-8")
    after = text(settled(fresh, nbformat.reads(before, as_version=4)))
    if before != after:
        path.write_text(after, encoding="utf-8")
    return before != after


def pages() -> list[Path]:
    return sorted(BOOK.glob("*.ipynb"))


def main() -> int:
    """Run the command line; return its exit code."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("notebooks", nargs="*", type=Path, help="default: all of book/")
    paths = options.parse_args().notebooks or pages()
    runs = asyncio.run(execute_all(paths))
    for path, fresh in zip(paths, runs, strict=True):
        if isinstance(fresh, NotebookError):
            print(f"\n{fresh}", file=sys.stderr)
        else:
            print(f"{path.name}: {'written' if keep(path, fresh) else 'unchanged'}")
    return int(any(isinstance(fresh, NotebookError) for fresh in runs))


if __name__ == "__main__":
    sys.exit(main())

"""Each notebook runs once: nbval compares its outputs, and test_notebooks.py the whole of it.

A pytest plugin. nbval asks a kernel what each cell prints; with this plugin it asks the run of
tools/notebooks.py, and all else is its own. Without it, as in `pytest book/entropy.ipynb`, nbval
runs the notebook.
"""

import asyncio
import pickle

import pytest
from nbval.plugin import IPyNbFile
from shared import made_once

from tools.notebooks import NotebookError, execute_all


def run_of(chapter):
    """Return a notebook as it has just run, or raise what ended the run."""

    def make(path):
        path.write_bytes(pickle.dumps(asyncio.run(execute_all([chapter]))))

    (run,) = pickle.loads(made_once(chapter.name, make).read_bytes())
    if isinstance(run, NotebookError):
        raise run
    return run


class Replay:
    """A run, asked as nbval asks a kernel: for a cell, then for one message after the other.

    In any order, unlike a kernel: a worker may get the last cells of a notebook before the first.
    """

    def __init__(self, run):
        self.cells = {cell.source: cell for cell in run.cells if cell.cell_type == "code"}

    def execute_cell_input(self, source, allow_stdin):
        cell = self.cells[source]
        contents = [(output.output_type, output) for output in cell.outputs]
        contents.append(("status", {"execution_state": "idle"}))
        self.messages = iter(
            {"msg_type": kind, "content": content, "parent_header": {"msg_id": cell.id}}
            for kind, content in contents
        )
        return cell.id

    def get_message(self, stream, timeout):
        return next(self.messages)

    def await_reply(self, cell, timeout):
        """It is there already."""

    await_idle = await_reply

    def is_alive(self):
        return True

    def stop(self):
        """There is nothing to stop."""


class Chapter(IPyNbFile):
    """A notebook whose cells nbval compares with the run, in place of a kernel's answers."""

    def setup(self):
        self.kernel = Replay(run_of(self.path))
        self.setup_sanitize_files()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    return [
        Chapter.from_parent(parent, path=file_path) if isinstance(found, IPyNbFile) else found
        for found in (yield)
    ]


def pytest_collection_modifyitems(items):
    """Put the tests of a notebook beside its cells, so that no worker waits for another's run."""

    def notebook(item):
        if isinstance(item.parent, Chapter):
            return str(item.path)
        return str(item.callspec.params.get("chapter", "")) if hasattr(item, "callspec") else ""

    items.sort(key=notebook)

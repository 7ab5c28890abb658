"""The net: a pytest plugin that asks, of every cell of a notebook, whether nbval would notice.

After nbval has run a cell and found its outputs equal, digits of the stored outputs are changed in
a copy, one at a time, and nbval's own comparison is asked about that copy and the outputs it has
just received. The cell fails where a changed digit passes, or where nobody compares. With
`make test` this is on (see conftest.py); `pytest -p net book/entropy.ipynb` asks one page.
"""

import re
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import pytest
from nbval.plugin import IPyNbCell, coalesce_streams, get_sanitize_patterns
from tiers import at

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ("image/png", "image/jpeg", "application/vnd.jupyter.widget-view+json")


class Place(NamedTuple):
    """One digit of a stored output: cell, output, the key to the text, the position in it."""

    cell: int
    output: int
    key: tuple[str, ...]
    position: int

    def alter(self, outputs):
        """Return a copy of a cell's outputs with this one digit changed."""
        outputs = deepcopy(outputs)
        *way, last = self.key
        holder = outputs[self.output]
        for step in way:
            holder = holder[step]
        text, at = holder[last], self.position
        holder[last] = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
        return outputs


def texts(output):
    """Yield the key and the text of everything in an output that nbval compares."""
    if output.output_type == "stream":
        yield ("text",), output.text
    elif output.output_type == "error":
        yield ("evalue",), output.evalue
    else:
        for mime, content in output.data.items():
            if mime not in PICTURES and isinstance(content, str):
                yield ("data", mime), content


def places(notebook) -> list[Place]:
    """List every digit in a notebook's stored outputs that has to be guarded.

    Left out are what the sanitising rules name (addresses, paths, ids, drawings) and cells whose
    outputs nobody compares: the running times, and sliders, whose names are drawn at random.
    """
    rules = get_sanitize_patterns((ROOT / "book/nbval_sanitize.cfg").read_text())
    found = []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code):
        if "timing" in cell.metadata.get("tags", ()) or "@interact(" in cell.source:
            continue
        for index, output in enumerate(cell.outputs):
            for key, text in texts(output):
                for rule, _ in rules:
                    text = re.sub(rule, lambda match: "x" * len(match.group()), text)
                digits = (found.start() for found in re.finditer("[0-9]", text))
                found += [Place(number, index, key, at) for at in digits]
    return found


def spread(found: list[Place], most: int) -> list[Place]:
    step = max(1, -(-len(found) // most))
    return found[::step]


def chosen(notebook) -> list[Place]:
    """Choose the places to try: 60 of the notebook, and 20 of each kind of output; or a few."""
    found = places(notebook)
    tried = set(spread(found, at(quick=15, full=60)))
    for kind in {place.key for place in found}:
        tried.update(spread([place for place in found if place.key == kind], at(quick=5, full=20)))
    return sorted(tried)


CHOSEN = pytest.StashKey[list[Place]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Let a cell pass only where nbval would notice every change tried."""
    result = yield
    if isinstance(item, IPyNbCell):
        missed = unnoticed(item)
        assert not missed, f"nbval would not notice another digit: {missed}"
    return result


def unnoticed(item: IPyNbCell) -> list[Place]:
    """List the places of a cell that has just run where another digit would pass."""
    stash = item.parent.stash
    if CHOSEN not in stash:
        stash[CHOSEN] = chosen(item.parent.nb)
    here = [place for place in stash[CHOSEN] if place.cell == item.cell_num]
    if not item.options["check"]:
        return here
    item.format_output_compare = lambda *_: None  # the wording of a report costs seconds
    return [place for place in here if passes(item, place)]


def passes(item, place: Place) -> bool:
    altered = coalesce_streams(place.alter(item.cell.outputs))
    return item.compare_outputs(deepcopy(item.test_outputs), altered)

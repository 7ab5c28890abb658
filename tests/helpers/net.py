"""Ask nbval, digit by digit, whether it would notice a change in a chapter's stored outputs.

Run as `python tests/helpers/net.py REPORT CHAPTER ALTERED`: nbval runs both notebooks as `make
test` does. In the untouched CHAPTER, after nbval has run a cell and found its outputs equal, each
digit to be tried is changed in a copy of the stored outputs, and nbval's own comparison is asked
about that copy and the outputs it has just received. REPORT gets the answers, and which cells of
ALTERED failed.
"""

import json
import re
import sys
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest
from nbval.plugin import IPyNbCell, coalesce_streams, get_sanitize_patterns

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ("image/png", "image/jpeg", "application/vnd.jupyter.widget-view+json")


@dataclass(frozen=True)
class Place:
    """One digit of a stored output: cell, output, the key to the text, the position in it."""

    cell: int
    output: int
    key: tuple[str, ...]
    position: int

    @property
    def kind(self) -> str:
        """Name what a reader sees there: a printed line, a plain or HTML table, an exception."""
        return {"text": "printed", "evalue": "exception"}.get(self.key[-1], self.key[-1])

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
    outputs nobody compares: the running times.
    """
    rules = get_sanitize_patterns((ROOT / "book/nbval_sanitize.cfg").read_text())
    found = []
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code):
        if "timing" in cell.metadata.get("tags", ()):
            continue
        for index, output in enumerate(cell.outputs):
            for key, text in texts(output):
                for rule, _ in rules:
                    text = re.sub(rule, lambda match: "x" * len(match.group()), text)
                found += [
                    Place(number, index, key, at)
                    for at, letter in enumerate(text)
                    if letter in "0123456789"
                ]
    return found


def spread(found: list[Place], most: int) -> list[Place]:
    """Choose at most so many places, evenly from the first to the last."""
    step = max(1, -(-len(found) // most))
    return found[::step]


def chosen(notebook) -> list[Place]:
    """Choose the places to try: 60 of the chapter, and 20 of each kind of output."""
    found = places(notebook)
    kinds = {place.kind for place in found}
    tried = set(spread(found, 60))
    for kind in kinds:
        tried.update(spread([place for place in found if place.kind == kind], 20))
    return sorted(tried, key=lambda place: (place.cell, place.output, place.key, place.position))


class Net:
    """The pytest plugin."""

    def __init__(self, chapter: Path, altered: Path):
        self.chapter, self.altered = chapter, altered
        self.noticed, self.missed, self.failed = [], [], {"chapter": [], "altered": []}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        """Note the cells that fail; where an untouched cell has passed, try its places."""
        which = "altered" if item.path == self.altered else "chapter"
        try:
            yield
        except Exception:
            self.failed[which].append(item.cell_num)
            raise
        if which == "chapter":
            self.try_places(item)

    def try_places(self, item: IPyNbCell) -> None:
        """Ask nbval about each changed digit of a cell that it has just run."""
        item.format_output_compare = lambda *_: None  # the wording of a report costs seconds
        for place in chosen(item.parent.nb):
            if place.cell == item.cell_num:
                changed = coalesce_streams(place.alter(item.cell.outputs))
                equal = item.compare_outputs(deepcopy(item.test_outputs), changed)
                (self.missed if equal else self.noticed).append(asdict(place))


def main(report: Path, chapter: Path, altered: Path) -> None:
    """Run nbval over both notebooks and write the report."""
    net = Net(chapter, altered)
    options = ["-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "-q", "--tb=short"]
    pytest.main([*options, str(chapter), str(altered)], plugins=[net])
    answers = {"noticed": net.noticed, "missed": net.missed, "failed": net.failed}
    report.write_text(json.dumps(answers))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

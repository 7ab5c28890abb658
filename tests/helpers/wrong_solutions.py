"""The wrong solutions of the catalogue, `wrong_solutions.yml`, as code and as what they lose."""

from pathlib import Path
from typing import NamedTuple

import yaml
from coursework import changed, full_points


class Wrong(NamedTuple):
    assignment: str
    cell: str
    mistake: str
    change: dict | str
    hints: dict

    @property
    def code(self):
        return changed(self.assignment, self.cell, self.change)

    @property
    def loses(self):
        """Return {(question, test): words from the hint}."""
        tests = [key for key in full_points(self.assignment) if key[0] == self.cell]
        found = {}
        for begin, hint in self.hints.items():
            fits = {key: hint for key in tests if key[1].startswith(begin)}
            assert fits, (self.assignment, self.cell, self.mistake, begin)
            found |= fits
        return found


CATALOGUE = [
    Wrong(assignment, cell, mistake, told["change"], told["loses"])
    for assignment, cells in yaml.safe_load(
        Path(__file__).with_suffix(".yml").read_text("utf-8")
    ).items()
    for cell, mistakes in cells.items()
    for mistake, told in mistakes.items()
]

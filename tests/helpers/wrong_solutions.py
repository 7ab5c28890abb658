"""The wrong solutions of the catalogues: as code, and as what they lose.

`wrong_solutions.yml` has slips whose hints are known, `odd_slips.yml` those that only odd or large
inputs find.
"""

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


def _read(name):
    """Yield what a catalogue says of each mistake, with its assignment and its cell."""
    text = Path(__file__).with_name(f"{name}.yml").read_text("utf-8")
    for assignment, cells in yaml.safe_load(text).items():
        for cell, mistakes in cells.items():
            for mistake, told in mistakes.items():
                yield assignment, cell, mistake, told


CATALOGUE = [Wrong(*of, told["change"], told["loses"]) for *of, told in _read("wrong_solutions")]
SLIPS = {tuple(of): code.strip() for *of, code in _read("odd_slips")}

"""What students write: right in other styles, wrong, or odd, as the files of catalogues have it."""

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


def _read(name, depth=2):
    """Return {(assignment, cell or style, ...): what is told of it} of a catalogue."""
    found = {(): yaml.safe_load(Path(__file__).with_name(f"{name}.yml").read_text("utf-8"))}
    for _ in range(depth):
        found = {(*of, key): told for of, inside in found.items() for key, told in inside.items()}
    return found


CATALOGUE = [
    Wrong(*of, told["change"], told["loses"]) for of, told in _read("wrong_solutions", 3).items()
]
SLIPS = {of: changed(*of[:2], told) for of, told in _read("odd_slips", 3).items()}
RIVALS, RIGHT, ON_WRONG_GROUND = map(_read, ("rival_ideas", "right_solutions", "on_wrong_ground"))

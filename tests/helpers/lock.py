"""Read requirements.txt, the versions that the two commands install, or another file of pins."""

import re
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCK = Path(__file__).resolve().parents[2] / "requirements.txt"


@cache
def locked(path: Path = LOCK) -> dict[str, set[str]]:
    """Return the pinned versions of each package; several, where they depend on the Python."""
    pins = {}
    for line in re.findall(r"^[A-Za-z].*?(?= \\$)", path.read_text(), re.MULTILINE):
        pin = Requirement(line)
        (specifier,) = pin.specifier
        pins.setdefault(canonicalize_name(pin.name), set()).add(specifier.version)
    return pins

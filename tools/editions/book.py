"""What every edition says of the book: its title, who made it, when, and where it lives."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import yaml

from tools import address

ROOT = Path(__file__).resolve().parents[2]
WORDS = "Decision trees, from the first question to the last pruning"


@dataclass(frozen=True)
class Book:
    """Hold what an edition says of the book."""

    title: str
    words: str
    author: str
    version: str
    made: datetime
    home: address.Address | None

    @property
    def name(self):
        return self.title.lower().replace(" ", "-")

    def imprint(self):
        """Say which edition this is, where the book lives, and what one may do with it."""
        where = f'<a href="{self.home.site}">{self.home.site}</a><br>' if self.home else ""
        return (
            f"Version {self.version}, {self.made:%-d %B %Y}<br>{where}Text: CC BY 4.0. "
            "Code: BSD 3-Clause.<br>The code that draws the pictures is left out here; it is in "
            "the notebooks. Answers to the questions and exercises are at the end."
        )

    def styles(self, site):
        own = Path(__file__).with_name("edition.css")
        names = "pygments.css", "face.css", "dtreebook.css"
        return [*(site / "_static" / name for name in names), own]

    def linked(self, site, *more):
        sheets = (path.resolve().as_uri() for path in [*self.styles(site), *more])
        return "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in sheets)


def this():
    """Return the book as it is in this folder."""
    settings = yaml.safe_load((ROOT / "book" / "_config.yml").read_text("utf-8"))
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    said = settings["title"], WORDS, settings["author"], citation["version"]
    return Book(*said, last_change(), address.here())


def last_change():
    """Return when the book was last changed, or now where git does not know."""
    said = address.git(ROOT, "log", "-1", "--format=%cI")
    moment = datetime.fromisoformat(said) if said else datetime.now(UTC)
    return moment.astimezone(UTC)

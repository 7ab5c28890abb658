"""What the contents of the book (`_toc.yml`) say: the spine, its side rooms, the five chapters."""

from pathlib import Path

import yaml

TOC = Path(__file__).parents[1].joinpath("book", "_toc.yml")
CONTENTS = yaml.safe_load(TOC.read_text("utf-8"))
SPINE = [page for part in CONTENTS["parts"] if part.get("numbered") for page in part["chapters"]]
# The files of a chapter begin alike.
CHAPTERS = {"Entropy": "entropy", "ID3": "id3", "C4.5": "c45", "CART": "cart", "Pruning": "pruning"}


def pages_of(first):
    """Return the numbers of the pages whose files begin so.

    >>> pages_of("id3"), pages_of("entropy")
    ('4–6', '3')
    """
    files = [page["file"] for page in SPINE]
    numbers = [n for n, file in enumerate(files, 1) if file.split("_")[0] == first]
    return f"{numbers[0]}–{numbers[-1]}" if numbers[1:] else "".join(map(str, numbers))


def chapters():
    """Return a line that names the five chapters, with links and the numbers of their pages."""
    links = [f"[{name}]({first}.ipynb) {pages_of(first)}" for name, first in CHAPTERS.items()]
    return " · ".join(links)

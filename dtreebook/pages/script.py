"""The engine of the pages: plain JavaScript that grows and prunes trees in the reader's browser.

Its files stand in the folder ``engine``, one idea each, and are put together as one classic script:
a page that was opened from a file may not load modules. They share one scope, in this order, and
leave nothing behind in the page.
"""

import re
from importlib.resources import files

# What computes, and touches no page.
ENGINE = ("measures", "tree", "takeaway", "grow", "multiway", "cart", "prune")

# Spaces around these mean nothing, and neither does the end of a line after or before some.
SPACED = re.compile(r" ?([{}()\[\];,:?=<>&|*%!]) ?")
TEXT = re.compile(r'("(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`)')
OPEN = re.compile(r"(?<=[{(\[,;}])\n|\n(?=[})\]])")


def script(*names: str) -> str:
    """Return files of the engine as one script, without comments and needless spaces.

    Parameters
    ----------
    names : of files, without their suffix, in the order in which they are to stand.

    Examples
    --------
    >>> "function entropy(counts){" in script("measures")
    True
    """
    folder = files("dtreebook").joinpath("pages", "engine")
    text = "\n".join(folder.joinpath(f"{name}.js").read_text(encoding="utf-8") for name in names)
    lines = (re.sub(r"(^|\s+)// .*$", "", line).strip() for line in text.splitlines())
    return OPEN.sub("", "\n".join(_close(line) for line in lines if line))


def _close(line):
    """Return a line without needless spaces; texts stay as they are, and what may be a pattern."""
    pieces = TEXT.split(line)  # every second one is a text
    code = "".join(pieces[::2]).replace(" / ", "")
    is_cut = any(text.count("{") != text.count("}") for text in pieces[1::2])  # one in another
    if is_cut or set(code) & set("'`/"):
        return line
    return "".join(
        piece if place % 2 else SPACED.sub(r"\1", piece) for place, piece in enumerate(pieces)
    )

"""Docstrings as the reference of the package shows them."""

import plain_docstrings
from bs4 import BeautifulSoup
from docutils.core import publish_parts

DOCSTRING = """Grow a *tree_ of |stars| `by` ``**kinds``.

In *C4.5: Programs*, of 2 * 3 * 4, f(*a, *b).

1. It is no list, and
   this is its second line::

- one *thing,
  on two lines
- another

======  ==========
what    C4.5
======  ==========
a *b*   min_weight
none_
======  ==========

Parameters
----------
tree_, X,
y : the `Tree`, a
    dict {"a": 1}; see below.
n : how many.

Raises
------
ValueError
    If it has none.

Returns
-------
array [K] of <numbers>, of all
the cases.

Examples
--------
In words.

>>> grow(*trees)
    _4_
"""


def test_a_docstring_is_shown_as_it_is_meant():
    """What could be a mark is a letter, sections are headed, and terms have their meanings."""
    lines = DOCSTRING.splitlines()
    plain_docstrings.set_as_text(None, "function", "grow", None, None, lines)
    strict = {"halt_level": 1, "report_level": 1, "syntax_highlight": "none"}
    html = publish_parts("\n".join(lines), writer_name="html5", settings_overrides=strict)["body"]
    page = BeautifulSoup(html, "html.parser")
    paragraphs = [p.get_text() for p in page.find_all("p")]
    assert paragraphs[:3] == [
        "Grow a *tree_ of |stars| by **kinds.",
        "In C4.5: Programs, of 2 * 3 * 4, f(*a, *b).",
        "1. It is no list, and this is its second line::",
    ]
    assert "array [K] of <numbers>, of all the cases." in paragraphs
    assert page.select_one("p > em").get_text() == "C4.5: Programs"
    rows = [[cell.get_text().strip() for cell in row.find_all(["th", "td"])]
            for row in page.select("table tr")]  # fmt: skip
    assert rows == [["what", "C4.5"], ["a b", "min_weight"], ["none_", ""]]
    points = [point.get_text().strip() for point in page.select("li")]
    assert points == ["one *thing, on two lines", "another"]
    heads = [head.get_text() for head in page.select("p.rubric")]
    assert heads == ["Parameters", "Raises", "Returns", "Examples"]
    terms = {dt.get_text(): dt.find_next("dd").get_text().strip() for dt in page.find_all("dt")}
    assert terms == {
        "tree_, X, y": 'the Tree, a dict {"a": 1}; see below.',
        "n": "how many.",
        "ValueError": "If it has none.",
    }
    assert page.pre.get_text().strip() == ">>> grow(*trees)\n    _4_"

"""Docstrings as the reference of the package shows them."""

import sys

from browser import ROOT
from bs4 import BeautifulSoup
from docutils.core import publish_parts

sys.path.insert(0, str(ROOT / "book" / "_ext"))
import plain_docstrings

DOCSTRING = """Grow a *tree_ of |stars| `by` ``**kinds``.

1. It is no list, and
   this is its second line::

Parameters
----------
tree_, X : the `Tree`, a
    dict {"a": 1}; see below.
n : how many.

Raises
------
ValueError
    If it has none.

Returns
-------
array [K] of <numbers>.

Examples
--------
In words.

>>> grow(*trees)
    _4_
"""


def shown(docstring):
    """Return what a reader sees of a docstring; marks that nobody meant are errors."""
    lines = docstring.splitlines()
    plain_docstrings.set_as_text(None, "function", "grow", None, None, lines)
    strict = {"halt_level": 1, "report_level": 1, "syntax_highlight": "none"}
    html = publish_parts("\n".join(lines), writer_name="html5", settings_overrides=strict)["body"]
    return BeautifulSoup(html, "html.parser")


def test_what_could_be_a_mark_is_a_letter():
    page = shown(DOCSTRING)
    first, second = [p.get_text() for p in page.find_all("p")[:2]]
    assert first == "Grow a *tree_ of |stars| by **kinds."
    assert second == "1. It is no list, and this is its second line::"
    assert not page.select("em, strong, ol, a")


def test_emphasis_and_code_are_marks():
    page = shown("In *C4.5: Programs*, `*args` are *at most c?* of 2 * 3 * 4, not f(*a, *b).")
    assert [mark.get_text() for mark in page.select("em, .literal")] == [
        "C4.5: Programs",
        "*args",
        "at most c?",
    ]
    assert page.p.get_text().endswith("of 2 * 3 * 4, not f(*a, *b).")


def test_terms_and_texts_of_several_lines_are_one():
    page = shown("""Grow.

Parameters
----------
max_depth, min_weight,
min_gain : as
    in ID3.

Returns
-------
A tree, grown of all
the cases.
""")
    assert [term.get_text() for term in page.find_all("dt")] == ["max_depth, min_weight, min_gain"]
    assert page.dd.get_text().strip() == "as in ID3."
    assert page.find_all("p")[-1].get_text() == "A tree, grown of all the cases."


def test_sections_are_headed_and_terms_have_their_meanings():
    page = shown(DOCSTRING)
    heads = [head.get_text() for head in page.select("p.rubric")]
    assert heads == ["Parameters", "Raises", "Returns", "Examples"]
    terms = {dt.get_text(): dt.find_next("dd").get_text().strip() for dt in page.find_all("dt")}
    assert terms == {
        "tree_, X": 'the Tree, a dict {"a": 1}; see below.',
        "n": "how many.",
        "ValueError": "If it has none.",
    }
    assert "array [K] of <numbers>." in [p.get_text() for p in page.find_all("p")]


def test_an_example_stands_as_it_is_written():
    assert shown(DOCSTRING).pre.get_text().strip() == ">>> grow(*trees)\n    _4_"


def test_points_are_a_list():
    page = shown("Do it.\n\n- one *thing,\n  on two lines\n- another\n")
    assert [li.get_text().strip() for li in page.find_all("li")] == [
        "one *thing, on two lines",
        "another",
    ]


def test_a_type_of_numpy_is_named():
    whole = plain_docstrings.stringify_annotation(plain_docstrings.ArrayLike, "smart")
    signature = plain_docstrings.short_types(
        None, "function", "f", None, None, f"(y: {whole} | None)", None
    )
    assert signature == ("(y: ArrayLike | None)", None)

"""Labels made to break out of a line, a terminal, a page, a picture or a program that draws."""

import inspect
import json
import re
import unicodedata
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st
from tiers import sample

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, plot
from dtreebook.data.words import printable
from dtreebook.tree.code import to_mermaid
from dtreebook.tree.text import branch_words
from twentyquestions import explorables

HOSTILE = [
    "<!--<script>",
    "</script></svg></title><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'\"`\\",
    "&lt;b&gt; & &amp;",
    "\x1b[2J\x1b[31mred\x07\x9b",
    "\u202egnp.exe\u2066\u2069",
    "line\r\nbreak\u2028\u2029\x0b\x0c\x85end",
    "nul\x00 \x08 \x7f \ufffe \uffff",
    "#010203 xlink:href",
    "%%{init: {'theme': 'dark'}}%% --> n1 ; end",
    "]) --> x([",
    "label\\N\\G\\l",
    "$\\frac{1}{0}$",
    "\u200bzero\u00adwidth",
]


def grown(label):
    """Trees whose names, levels and classes are all made of one label."""
    levels = [f"{label}{k}" for k in range(3)]
    ordered = pd.Categorical.from_codes([0, 1, 2, 2, 1, 0], levels, ordered=True)
    X = pd.DataFrame({label: levels * 2, f"{label} x": range(6), f"{label} o": ordered})
    y = [f"{label} {k}" for k in (0, 1, 1, 0, 1, 1)]
    yield ID3Classifier().fit(X[[label]], y), X[[label]], y
    yield C45Classifier(min_weight=0, confidence=None).fit(X, y), X, y
    yield CARTClassifier().fit(X, y), X, y
    yield CARTRegressor().fit(X, range(6)), X, y


hostile = pytest.mark.parametrize("label", sample(HOSTILE, quick=5), ids=ascii)


def is_harmless(line):
    return not any(
        unicodedata.category(sign) in ("Cc", "Cs")
        or sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\u200b"
        for sign in line
    )


@hostile
def test_text_for_people_keeps_its_lines_and_commands_no_terminal(label):
    for model, X, y in grown(label):
        tree = model.tree_
        for style in ("c45", "box"):
            lines = tree.export_text(style).split("\n")
            assert all(map(is_harmless, lines))
            if style == "box":
                assert len(lines) == max(1, tree.node_count - 1)
        said = [*model.explain(X), *tree.rules().condition]
        for path, node in tree.walk():
            said += [*tree.conditions(path), *branch_words(tree, node)]
        if isinstance(model, C45Classifier):
            rules = model.rule_set(X, y)
            said += [*str(rules).replace("\t", "").split("\n"), *rules.explain(X)]
        assert all(map(is_harmless, said))


@hostile
def test_diagrams_keep_labels_within_their_quotes(label):
    for model, *_ in grown(label):
        n = model.tree_.node_count
        mermaid = to_mermaid(model.tree_)
        assert is_harmless(mermaid.replace("\n", ""))
        inside = r'"[^"<>&`%]*"'
        node, edge = rf"  n\d+(\[{inside}\]|\(\[{inside}\]\))", rf"  n\d+ -->\|{inside}\| n\d+"
        _, *lines = mermaid.split("\n")
        assert all(re.fullmatch(f"{node}|{edge}", line) for line in lines)
        assert len(lines) == 2 * n - 1


@hostile
def test_a_picture_is_well_formed_and_says_the_labels_as_text(label, tmp_path):
    (id3, *_), *_, (regressor, *_) = grown(label)
    pictures = plot.tree(id3.tree_), plot.icicle(id3.tree_), plot.tree(regressor.tree_)
    pictures += (plot.compared(id3, id3),)
    for picture in pictures:
        page = BeautifulSoup(picture._repr_html_(), "html.parser")
        assert [tag.name for tag in page.find_all(recursive=False)] == ["figure"]
        assert not page.find_all(["script", "img", "title", "b"])
        picture.save(tmp_path / "tree.svg")
        root = ET.parse(tmp_path / "tree.svg").getroot()
        text = " ".join(element.text or "" for element in root.iter() if "text" in element.tag)
        assert is_harmless(text)
        assert printable(label).replace(" ", "") in text.replace(" ", "")
        assert is_harmless(repr(picture))


def hostile_explorables(label):
    """Functions that make an explorable of words; each of them is made of one label."""
    what = label, f"{label}s"
    k = np.arange(12)
    y = pd.Series([f"{label} {one}" for one in "001100111011"], name=f"{label} y")
    words = pd.DataFrame({label: k % 3, f"{label} b": k // 6}).map(lambda one: f"{label}{one}")
    numbers = pd.DataFrame({label: k / 11, f"{label} x": (k // 2 * 5 % 6) / 5})
    slope = [(0, 1), (1, 0)]
    x, things = numbers[label], {f"{label}{one}": one + 1 for one in range(4)}
    return {
        "guess": lambda: explorables.guess(label, 1, label, (f"{label}1", f"{label}2")),
        "your_own_tree": lambda: explorables.your_own_tree(words, y, what, ratio=True),
        "points_on_a_plane": lambda: explorables.points_on_a_plane(numbers, y, numbers, y, what),
        "votes": lambda: explorables.votes({label: (numbers, y, numbers, y)}, {label: slope}, what),
        "boosting": lambda: explorables.boosting(numbers, y, numbers, y, slope, what),
        "growing": lambda: explorables.growing(words, y, what),
        "threshold": lambda: explorables.threshold(x, y, what),
        "missing_value": lambda: explorables.missing_value(words, y, (0, 1)),
        "code_tree": lambda: explorables.code_tree(things),
        "pruning": lambda: explorables.pruning(words.assign(**{f"{label} n": x}), y),
        "subsets": lambda: explorables.subsets(words[label], y, what),
        "refinement": lambda: explorables.refinement(x, (x > 0.5).astype(float).rename(label), x),
        "surrogates": lambda: explorables.surrogates(numbers, x.gt(0.4).map(str).add(label), what),
        "cuts": lambda: explorables.cuts(numbers, y, what),
        "price_of_a_leaf": lambda: explorables.price_of_a_leaf(numbers, y, (), k % 3, what),
        "laboratory": lambda: explorables.laboratory({label: words.assign(**{f"{label} y": y})}),
    }


MADE_OF_WORDS = list(hostile_explorables(""))


def test_every_explorable_that_is_told_words_is_tried():
    without = {"draw", "twenty_questions", "distribution", "dependence"}
    every = {
        name
        for name, function in inspect.getmembers(explorables, inspect.isfunction)
        if function.__module__ == explorables.__name__ and not name.startswith("_")
    }
    assert every - without == set(MADE_OF_WORDS)


@pytest.mark.parametrize("name", sample(MADE_OF_WORDS, quick=3))
def test_an_explorable_ends_where_it_ends(name, chromium):
    lives = [hostile_explorables(label)[name]() for label in HOSTILE]
    page, complaints = chromium.new_page(), []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    page.set_content(
        f"<!doctype html><body>{''.join(live.html for live in lives)}<p id=after>after</p></body>"
    )
    without = page.get_by_role("button", name="Just show me")
    without.evaluate_all("buttons => buttons.forEach(button => button.click())")
    assert page.evaluate("document.getElementById('after').parentNode.tagName") == "BODY"
    assert page.locator("body > *").count() == len(lives) + 1
    assert page.locator("script").count() == 2 * len(lives)
    assert page.locator("img, b").count() == 0
    said = page.locator("section > script[type]").evaluate_all("all => all.map(s => s.textContent)")
    for live, text in zip(lives, said, strict=True):
        told = json.loads(text)
        assert {name: told[name] for name in live.data} == json.loads(json.dumps(live.data))
    assert complaints == []
    page.close()


def test_a_verdict_is_said_as_it_was_written(chromium):
    page = chromium.new_page()
    page.set_content("".join(hostile_explorables(label)["guess"]().html for label in HOSTILE))
    without = page.get_by_role("button", name="Just show me")
    without.evaluate_all("buttons => buttons.forEach(button => button.click())")
    said = page.locator(".dtb-replied").evaluate_all("all => all.map(one => one.textContent)")
    page.close()
    assert said == [f"{label} {label}" for label in HOSTILE]  # what was asked, and the answer


def test_what_people_write_stays_as_it_is():
    written = ["naïve café", "中文标签", "हिन्दी", "a\u200db 👩\u200d👩\u200d👧", "x <= 5 & y", "%"]
    assert list(map(printable, written)) == written


@given(st.text())
def test_printable_text_is_one_line_and_printing_it_again_changes_nothing(text):
    found = printable(text)
    assert is_harmless(found)
    assert printable(found) == found
    if text.isprintable():
        assert found == text

"""The classes yes and no have one colour each, in pictures and in words."""

import re

from bs4 import BeautifulSoup

from dtreebook.plot.sheet import PALETTE

NO, YES = PALETTE[:2]


def test_yes_and_no_have_the_same_colours_in_all_pictures(site):
    count = 0
    for path in site.glob("*.html"):
        page = BeautifulSoup(path.read_text("utf-8"), "html.parser")
        for picture in page.select("figure.dtb-picture > [role=img]"):
            named = re.findall(r"\b(yes|no) \d", picture["aria-label"])
            if {"yes", "no"} == set(named):
                assert named.index("no") < named.index("yes"), (path.name, picture["aria-label"])
                count += 1
    assert count > 10


def test_in_words_they_have_the_colours_of_the_pictures(site, visit):
    used = [path.stem for path in site.glob("*.html") if "dtb-yes" in path.read_text("utf-8")]
    assert len(used) > 5
    with visit("engine_criteria") as page:
        for name, colour in {"yes": YES, "no": NO}.items():
            word = page.locator(f"em.dtb-{name}").first
            assert word.text_content() == name
            drawn = word.evaluate("word => getComputedStyle(word).textDecorationColor")
            assert [int(n) for n in re.findall(r"\d+", drawn)] == list(bytes.fromhex(colour[1:]))

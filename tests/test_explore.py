"""What the explorables say is true: it is worked out again here, from the definitions."""

import json
import math
import re
from itertools import product

import pytest
from bs4 import BeautifulSoup

from dtreebook import explore
from dtreebook.picture import Picture

EXPLORABLES = [explore.distribution]
MOST_BYTES = 250_000


def every(explorable):
    """Yield the options in words, and the view, of every state."""
    for positions in product(*(range(len(control.options)) for control in explorable.controls)):
        words = [
            control.options[position]
            for control, position in zip(explorable.controls, positions, strict=True)
        ]
        yield words, explorable.view(*positions)


def numbers(text):
    """List the numbers with decimals in a text."""
    return [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


@pytest.mark.parametrize("make", EXPLORABLES, ids=lambda make: make.__name__)
def test_an_explorable_is_light_and_says_everything_in_words(make):
    html = make().html
    assert len(html.encode()) <= MOST_BYTES
    soup = BeautifulSoup(html, "html.parser")
    views = json.loads(soup.find("script").string)["views"]
    assert len(views) >= 5
    for sentence, *_ in views:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert not re.search(r"\bnan\b|\binf\b|-0\.0+\b|None", sentence)
    for picture in soup.find_all("svg"):
        assert len(picture.find_parent(role="img")["aria-label"]) > 20


@pytest.mark.parametrize("make", EXPLORABLES, ids=lambda make: make.__name__)
def test_every_option_of_every_control_changes_something(make):
    explorable = make()
    shown = {}
    for words, view in every(explorable):
        alts = tuple(piece.alt for piece in view.pieces if isinstance(piece, Picture))
        shown[tuple(words)] = (view.sentence, *alts)
    for place, control in enumerate(explorable.controls):
        for option in control.options:
            here = {words: said for words, said in shown.items() if words[place] == option}
            others = {
                words[:place] + words[place + 1 :]: said
                for words, said in shown.items()
                if words[place] != option
            }
            assert any(
                others[words[:place] + words[place + 1 :]] != said for words, said in here.items()
            )


def test_a_distribution_has_the_entropy_of_the_definition():
    for (faces, chance), view in every(explore.distribution()):
        n, chance = int(faces[-1]), chance.split("/")
        chance = float(chance[0]) / float((*chance, 1)[1])
        p = [chance] + [(1 - chance) / (n - 1)] * (n - 1)
        bits = sum(-x * math.log2(x) for x in p if x)
        found = numbers(view.sentence)
        assert found[-3:] == [
            round(abs(bits), 3),
            round(abs(bits * math.log(2)), 3),
            round(math.log2(n), 3),
        ]
        surprises = [abs(round(math.log2(x), 3)) for x in p[:2] if x]
        assert found[1:-3:2] == surprises
        (picture,) = view.pieces
        assert numbers(picture.alt)[-1] == round(bits, 3)

"""What the explorables say is true: it is worked out again here, from the definitions."""

import json
import math
import re
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import pytest
import twin
from bs4 import BeautifulSoup
from explorables import EXPLORABLES, LOAN, TENNIS, WAVES

from dtreebook import CARTClassifier
from dtreebook.pages import explorables
from dtreebook.plot.sheet import Picture

MOST_BYTES = 250_000


def every(explorable):
    """Yield the options in words, and the view, of every state."""
    for positions in product(*(range(len(control.options)) for control in explorable.controls)):
        words = [
            control.options[position]
            for control, position in zip(explorable.controls, positions, strict=True)
        ]
        yield words, explorable.view(*positions)


def entropy(labels):
    """Work out an entropy in bits with a Counter."""
    return twin.entropy(Counter(labels)) + 0.0


def numbers(text):
    """List the numbers with decimals in a text."""
    return [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


every_one = pytest.mark.parametrize(
    "make", [make for _, make in EXPLORABLES.values()], ids=list(EXPLORABLES)
)


@every_one
def test_an_explorable_is_light_and_says_everything_in_words(make):
    html = make().html
    assert len(html.encode()) <= MOST_BYTES
    soup = BeautifulSoup(html, "html.parser")
    views = json.loads(soup.find("script").string)["views"]
    assert len(views) >= 3
    for sentence, *_ in views:
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert not re.search(r"\bnan\b|\binf\b|-0\.0+\b|None", sentence)
    for picture in soup.find_all("svg"):
        assert len(picture.find_parent(role="img")["aria-label"]) > 20


@every_one
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


def gain(X, y, name):
    """Work out an information gain with a Counter."""
    piles = {value: y[X[name] == value].tolist() for value in X[name].unique()}
    return entropy(y.tolist()) - sum(len(p) / len(y) * entropy(p) for p in piles.values())


def gini(y):
    """Work out a Gini impurity with a Counter."""
    return 1 - sum((n / len(y)) ** 2 for n in Counter(y).values())


def test_a_growing_tree_has_decided_what_it_has_seen():
    X, y = TENNIS
    for number, (_, view) in enumerate(every(explorables.growing(X, y)), 1):
        assert view.sentence.startswith(f"Step {number} of 8, ")
        words = re.findall(r"(\w+) = (\w+)", view.sentence)
        here = np.all([X[name] == value for name, value in words], axis=0) & np.ones(len(X), bool)
        assert f" {here.sum()} cases" in view.sentence
        tree, *scores = view.pieces
        assert tree.alt.count("undecided") == {1: 3, 2: 4, 3: 3, 4: 4}.get(number, 8 - number)
        if scores:
            name = re.search(r": (\w+) gains most", view.sentence)[1]
            gains = {other: gain(X[here], y[here], other) for other in X}
            assert max(gains, key=gains.get) == name
            assert f"{name} {gains[name]:.3f}, chosen" in scores[0].alt
        else:
            assert f"all are {y[here].unique()[0]}," in view.sentence
            assert y[here].nunique() == 1


def test_a_running_number_gains_and_pays():
    X, y = LOAN
    house = gain(X, y, "house")
    house_ratio = house / entropy(X["house"].tolist())
    for (words,), view in every(explorables.many_values(X, y, "house")):
        n = int(words.split()[0])
        dealt = pd.DataFrame({"number": np.arange(len(X)) % n})
        own, information = gain(dealt, y, "number"), entropy(dealt["number"].tolist())
        assert numbers(view.sentence) == [
            round(number, 3) for number in (own, house, information, own / information, house_ratio)
        ]
        by_gain = ["house wins", "neither wins", "the number wins"][
            1 + int(np.sign(round(own - house, 9)))
        ]
        assert f"by gain {by_gain}." in view.sentence
        assert ("by ratio house wins" in view.sentence) == (own / information < house_ratio)


def test_impurities_are_lowered_by_what_the_definitions_say():
    definitions = {
        "entropy": lambda p: -sum(x * math.log2(x) for x in p if x),
        "Gini": lambda p: 1 - sum(x * x for x in p),
        "misclassification": lambda p: 1 - max(p),
    }
    disagree = 0
    for (classes, number), view in every(explorables.impurities()):
        split_a = {"2": [[6, 2], [2, 6]], "3": [[5, 1, 1], [1, 5, 5]]}[classes]
        everything = np.sum(split_a, axis=0)
        off = np.array([int(number)] + [0] * (len(everything) - 1))
        verdicts = set()
        for name, impurity in definitions.items():
            gains = [
                impurity(everything / everything.sum())
                - sum(
                    sum(side) / everything.sum() * impurity(np.array(side) / sum(side))
                    for side in split
                )
                for split in (split_a, [off, everything - off])
            ]
            better = int(np.sign(round(gains[1] - gains[0], 9)))
            verdict = ["A is better", "they are equal", "B is better"][1 + better]
            verdicts.add(verdict)
            said = re.search(rf"[Bb]y {name} ([^,]*), ([\d.]+) to ([\d.]+\d)", view.sentence)
            assert said[1] == verdict
            assert said.group(2, 3) == tuple(f"{g:.3f}" for g in sorted(gains, reverse=True))
            row = view.pieces[2].loc[name]
            assert row.tolist() == [*(f"{g:.3f}" for g in gains), verdict]
        disagree += len(verdicts) > 1
    assert disagree >= 3


def test_subsets_need_an_order():
    with pytest.raises(ValueError, match="two classes and three to ten values, not 2 and 2"):
        explorables.subsets(TENNIS[0]["humidity"], TENNIS[1])


def test_samples_ask_what_their_trees_ask():
    X, y = WAVES
    rows = np.random.default_rng(0).integers(300, size=(10, 300))
    roots = [CARTClassifier(max_depth=1).fit(X.iloc[some], y.iloc[some]).tree_ for some in rows]
    names = [X.columns[tree.root.split.column] for tree in roots]
    for (which,), view in every(explorables.instability(X, y)):
        if which != "all cases":
            number = int(which.split()[1]) - 1
            assert f"question is {roots[number].branch_words(roots[number].root)[0]}. " in (
                view.sentence
            )
            name = names[number]
            assert re.search(rf"{names.count(name)} asks? for {name} first", view.sentence)

"""What the explorables say is true: it is worked out again here, from the definitions."""

import json
import math
import re
from collections import Counter
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
import twin
from bs4 import BeautifulSoup
from explorables import CARS, EXPLORABLES, GOLF, IRIS, KIND, LOAN, TEN, TENNIS, UNACC, WAVES, WINE
from sklearn.tree import DecisionTreeRegressor

from dtreebook import C45Classifier, CARTClassifier, explore
from dtreebook.data import read_cases
from dtreebook.error_based import comparisons
from dtreebook.picture import Picture

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


def test_a_forecast_tells_what_is_left_of_two_entropies():
    for (words,), view in every(explore.dependence()):
        right = int(words.split()[0])
        told = 1 - entropy([0] * right + [1] * (40 - right))  # all else is even
        assert numbers(view.sentence) == [
            round(number + 0, 3) for number in (told, 1, 2 - told, 1 - told)
        ]
        diagram, counts = view.pieces
        assert f"I(forecast;weather) = {told:.3f}" in diagram.alt
        assert f"forecast = rain: rain {right // 2}, dry {20 - right // 2}." in counts.alt


def gain(X, y, name):
    """Work out an information gain with a Counter."""
    piles = {value: y[X[name] == value].tolist() for value in X[name].unique()}
    return entropy(y.tolist()) - sum(len(p) / len(y) * entropy(p) for p in piles.values())


def gini(y):
    """Work out a Gini impurity with a Counter."""
    return 1 - sum((n / len(y)) ** 2 for n in Counter(y).values())


@pytest.mark.parametrize("data", [LOAN, TENNIS], ids=["loan", "tennis"])
def test_a_chosen_split_gains_what_it_says_and_id3_takes_the_best(data):
    for (where, name), view in every(explore.choose_split(*data)):
        X, y = data
        if not where.startswith("all"):
            attribute, value = where.split(" = ")
            X, y = X[X[attribute] == value], y[X[attribute] == value]
        assert f" {len(X)} cases" in view.sentence
        gains = {other: gain(X, y, other) for other in X}
        assert f"{name} gains {gains[name] + 0:.3f} bits" in view.sentence
        information = entropy(X[name].tolist())
        assert f"split information is {information:.3f}" in view.sentence
        if information:
            assert f"gain ratio {gains[name] / information:.3f}" in view.sentence
        else:
            assert "divides nothing" in view.sentence
        best = max(gains.values())
        first = next(other for other in X if gains[other] > best - 1e-12)
        assert f"ID3 asks for {first}, " in view.sentence
        assert f"the most gain, {best:.3f} bits" in view.sentence
        chosen = C45Classifier().decisions(X, y)[0].chosen
        asks = f"asks for {X.columns[chosen.split.attribute]}, " if chosen else "asks nothing"
        assert f"C4.5 {asks}" in view.sentence
        lowered = max(
            gini(y) - (here.mean() * gini(y[here]) + (1 - here.mean()) * gini(y[~here]))
            for other in X
            for n in range(1, 3)
            for some in combinations(X[other].unique(), n)
            if not (here := X[other].isin(some)).all()
        )
        assert f"the Gini impurity most, by {lowered:.3f}." in view.sentence


def test_a_number_is_no_question_of_this_kind():
    with pytest.raises(ValueError, match="column 'temperature' is numeric: explore it with thresh"):
        explore.choose_split(*GOLF)


def test_a_growing_tree_has_decided_what_it_has_seen():
    X, y = TENNIS
    for number, (_, view) in enumerate(every(explore.growing(X, y)), 1):
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
    for (words,), view in every(explore.many_values(X, y, "house")):
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


def test_a_threshold_divides_the_cases_and_pays_for_the_choice():
    X, y = GOLF
    for (words,), view in every(explore.threshold(X["humidity"], y)):
        below = X["humidity"] <= float(words)
        sides = [y[below].tolist(), y[~below].tolist()]
        left = sum(len(side) / 14 * entropy(side) for side in sides)
        for side, where in zip(sides, ("up to it", "above it"), strict=True):
            cases = f"{len(side)} case{'s' * (len(side) > 1)}"
            assert f"{where} {cases} with an entropy of {entropy(side):.3f} bits" in view.sentence
        assert f"The gain is {entropy(y.tolist()) - left:.3f} bits" in view.sentence
        inside = min(map(len, sides)) >= 2
        assert ("takes off 0.185 bits" in view.sentence) == inside  # log2(6) / 14
        assert ("this one does not" in view.sentence) != inside
        for label, count in Counter(sides[0]).items():
            assert f"{label}: {count} up to it" in view.pieces[0].alt


def test_a_case_with_blanks_ends_as_the_classifier_says():
    X, y = GOLF
    model = C45Classifier().fit(X, y)
    for (case, unknown), view in every(explore.missing_value(X, y, rows=(0, 3, 11))):
        one = X.iloc[[int(case) - 1]].astype({"humidity": float})
        hidden = {"nothing": [], "all of these": ["outlook", "humidity", "windy"]}
        one[hidden.get(unknown, [unknown])] = None
        shares = model.predict_proba(one)[0]
        for label, share in zip(model.classes_, shares, strict=True):
            assert f"{label} {share:.2f}" in view.sentence
        assert view.sentence.endswith(f"C4.5 says {model.classes_[shares.argmax()]}.")
        parts = numbers(view.pieces[0].alt.split("Drawn thick")[1])
        parts = [part for part in parts if part < 1] or [1]
        assert sum(parts) == pytest.approx(1, abs=0.02)
        assert f"in {len(parts)} parts" in view.sentence or len(parts) == 1


def test_impurities_are_lowered_by_what_the_definitions_say():
    definitions = {
        "entropy": lambda p: -sum(x * math.log2(x) for x in p if x),
        "Gini": lambda p: 1 - sum(x * x for x in p),
        "misclassification": lambda p: 1 - max(p),
    }
    disagree = 0
    for (classes, number), view in every(explore.impurities()):
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


def test_pruning_says_what_was_compared_and_ends_with_the_pruned_tree():
    X, y = CARS
    full, cases = C45Classifier(confidence=None).fit(X, y).tree_, read_cases(X, y)
    for (confidence, node), view in every(explore.pruning(X, y)):
        made = comparisons(full, cases, float(confidence))
        if node.isdigit() and int(node) <= len(made):
            one = made[int(node) - 1]
            estimates = f"{one.leaf:.2f} errors, the subtree {one.subtree:.2f}, its largest branch "
            assert f"{estimates}{one.branch:.2f}. C4.5 decides: {one.choice}." in view.sentence
            assert view.pieces[0].alt.count("chosen") == 1
        else:
            left = C45Classifier(confidence=float(confidence)).fit(X, y).tree_.node_count
            assert f"of {full.node_count} nodes {left} are left" in view.sentence


def test_no_group_of_values_lowers_the_impurity_more_than_a_cut_of_the_order():
    def lowers(group):
        here = KIND.isin(group)
        return gini(UNACC) - here.mean() * gini(UNACC[here]) - (~here).mean() * gini(UNACC[~here])

    share = (UNACC == "unacc").groupby(KIND).mean().sort_values(kind="stable")
    ways = [group for n in range(1, 9) for group in combinations(share.index, n)]
    best = max(map(lowers, ways))
    for place, (_, view) in enumerate(every(explore.subsets(KIND, UNACC)), 1):
        left, right = share.index[:place], share.index[place:]
        assert f"With {', '.join(left)} on one side and {', '.join(right)} on" in view.sentence
        for value in share.index:
            assert f"{value} {share[value]:.2f}" in view.sentence
        assert f"falls by {lowers(left):.3f}, " in view.sentence
        is_best = math.isclose(lowers(left), best)
        assert (", the most of 8 cuts" in view.sentence) == is_best
        assert f"All {len(ways) // 2} ways" in view.sentence
        assert view.sentence.endswith(f"the best {'also ' * is_best}lowers it by {best:.3f}.")


def test_subsets_need_an_order():
    with pytest.raises(ValueError, match="two classes and three to ten values, not 2 and 2"):
        explore.subsets(TENNIS[0]["humidity"], TENNIS[1])


def test_a_refined_curve_saves_the_squared_error_of_scikit_learns_tree():
    x, y = TEN
    before = None
    for (depth,), view in every(explore.refinement(x, y)):
        model = DecisionTreeRegressor(max_depth=int(depth) or None, max_leaf_nodes=None)
        guess = model.fit(x.to_frame(), y).predict(x.to_frame()) if int(depth) else y.mean()
        error = ((y - guess) ** 2).sum()
        assert f"squared error of {error + 0:.2f} of {((y - y.mean()) ** 2).sum():.2f}" in (
            view.sentence
        )
        if before is not None:
            assert f"saved {before - error:.2f} of it" in view.sentence
        before = error
        assert f"{len(np.unique(guess))} step" in view.pieces[0].alt


def test_a_stand_in_agrees_as_often_as_it_says():
    X, y = WINE
    explorable = explore.surrogates(X, y)
    assert "whether proline <= 755." in repr(explorable)
    test = X["proline"] <= 755
    agreements = []
    for (words,), view in every(explorable):
        name, sign, cut = re.fullmatch(r"(.*) (<=|>) ([\d.]+)", words).groups()
        other = X[name] <= float(cut) if sign == "<=" else X[name] > float(cut)
        agreements.append((test == other).sum())
        assert f"sends {agreements[-1]} of 178 cases the same way" in view.sentence
        assert f"agreement is {agreements[-1] / 178:.3f}" in view.sentence
    assert agreements == sorted(agreements, reverse=True)


def test_a_price_of_a_leaf_leaves_the_tree_of_the_table():
    X, y = IRIS
    sizes = []
    for _, view in every(explore.weakest_links(X, y, np.arange(150) % 10)):
        alpha, error, cv_error, spread, _ = numbers(view.sentence)
        errors, tree = view.pieces
        leaves = int(re.search(r"the tree has (\d+) lea", view.sentence)[1])
        sizes.append(leaves)
        plural = "leaf" if leaves == 1 else "leaves"
        said = f"{leaves} {plural}: training {error:.3f}, cross-validated {cv_error:.3f}"
        assert said in errors.alt
        assert f"plus or minus {spread:.3f}" in errors.alt
        assert f"with {leaves} {plural}" in tree.alt
        if leaves <= 12:
            ends = re.findall(r"\((\d+) of (\d+) cases", tree.alt)
            right, cases = (sum(map(int, column)) for column in zip(*ends, strict=True))
            assert cases == 150
            assert (cases - right) / 100 == pytest.approx(error, abs=5e-4)  # the root errs on 100
        assert alpha >= 0
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_samples_ask_what_their_trees_ask():
    X, y = WAVES
    rows = np.random.default_rng(0).integers(300, size=(10, 300))
    roots = [CARTClassifier(max_depth=1).fit(X.iloc[some], y.iloc[some]).tree_ for some in rows]
    names = [X.columns[tree.root.split.attribute] for tree in roots]
    for (which,), view in every(explore.instability(X, y)):
        if which != "all cases":
            number = int(which.split()[1]) - 1
            assert f"question is {roots[number].branch_words(roots[number].root)[0]}. " in (
                view.sentence
            )
            name = names[number]
            assert re.search(rf"{names.count(name)} asks? for {name} first", view.sentence)

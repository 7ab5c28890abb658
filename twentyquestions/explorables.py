"""The explorables of the book: each is a function that returns a `Live`.

The page computes them, by scripts in plain JavaScript (``web/README.md``). What they are told, and
the answers to their guesses, come from the measures, trees and records of the package. To add one,
write a function here and a file in ``web/explorables``.

Throughout, `X` and `y` are cases and their classes, and `what` is what one of them is called, and
what several are. The cases of `load_loan` and `load_tennis` are drawn as people and mornings. A
plane is a frame of two columns between 0 and 1, and a border the line of points, from left to
right, above which the second class truly lies. What cannot be explored raises a ValueError.
"""

import json
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from dtreebook import measures, plot
from dtreebook.c45 import C45Classifier
from dtreebook.cart import CARTClassifier, CARTRegressor
from dtreebook.data.cases import two_sides
from dtreebook.data.encoding import encode, read_target
from dtreebook.data.reading import read_training
from dtreebook.forest import ForestClassifier
from dtreebook.id3 import ID3Classifier
from dtreebook.measures import TIE
from dtreebook.plot.sheet import in_short
from dtreebook.prune.crossvalidation import CV, cp_table
from dtreebook.prune.error_based import error_based
from dtreebook.prune.pruning import Choice
from dtreebook.tree.splits import Threshold
from dtreebook.tree.text import branch_words, class_names
from twentyquestions.live import Guess, Live, View, rooms

# What one case is called, and what several are.
Words = tuple[str, str]

# What cases are drawn as that have these columns.
LOOKS = {
    ("age", "work", "house", "credit"): "applicant",
    ("outlook", "temperature", "humidity", "windy"): "morning",
}

# The share of the answers that chance has flipped where the truth is known.
TURNED = 0.2

# Where people begin to buy, by the shape of the truth: points of a line, (income, age).
BORDER = {"a corner": [(0, 0.7), (0.6, 0.7), (0.6, 0), (1, 0)], "a slope": [(0, 1), (1, 0)]}

# The largest depth of a tree that refines a curve.
DEPTHS = 6


def draw(
    n: int, seed: int, truth: str = "a corner", wrong: float = TURNED
) -> tuple[pd.DataFrame, np.ndarray]:
    """Draw people, and whether they say that they would buy a car.

    Parameters
    ----------
    truth : "a corner" (they buy if their income is above 0.6 or their age above 0.7) or "a slope"
        (if the two add up to more than 1).
    wrong : the probability that an answer is flipped.

    Examples
    --------
    >>> X, y = draw(3, seed=1)
    >>> X.assign(answer=y)
       income    age answer
    0   0.512  0.950    yes
    1   0.144  0.949    yes
    2   0.312  0.423     no
    """
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.random((n, 2)).round(3), columns=["income", "age"])
    if truth == "a corner":
        buys = (X["income"] > 0.6) | (X["age"] > 0.7)
    else:
        buys = X["income"] + X["age"] > 1
    return X, np.where(buys ^ (rng.random(n) < wrong), "yes", "no")


def guess(
    question: str,
    answer: float,
    because: str,
    options: Sequence[str] = (),
    unit: str = "",
    ends: tuple[float, float] = (0, 100),
) -> Live:
    """Ask for a guess before the text goes on: an option, or a number between two ends.

    Examples
    --------
    >>> guess("How many questions?", 4, "Four: 2 to the 4 is 16.", ends=(0, 16))
    Guess before you read on: Commit yourself, then read on.
    """
    asked = Guess(question, answer, because, tuple(options), unit, ends)
    return Live(
        "Guess before you read on", "ask", {}, View("Commit yourself, then read on."), asked
    )


def twenty_questions() -> Live:
    """Play: the page thinks of one of sixteen things, and every answer is worth some bits.

    Examples
    --------
    >>> twenty_questions()
    I'm thinking of one of sixteen things: There are 16 things, and 4.00 bits are missing.
    """
    # A letter each, with its lines on a square of 24.
    things = json.loads(rooms()["things.json"].read_text("utf-8"))
    bits = measures.entropy([1] * len(things))
    view = View(f"There are {len(things)} things, and {bits:.2f} bits are missing.")
    data = {"things": list(things), "lines": list(things.values())}
    return Live("I'm thinking of one of sixteen things", "questions", data, view)


def distribution() -> Live:
    """Explore the entropy of a distribution: a die of five faces, each chance dragged.

    Examples
    --------
    >>> distribution()
    How unsure are you before the toss?: With 5 equal chances every surprise, and so the mean \
surprise, the entropy, is 2.322 bits.
    """
    bits, rare = measures.entropy([1] * 5), [0.05] + [0.95 / 4] * 4
    view = View(
        "With 5 equal chances every surprise, and so the mean surprise, the entropy, is "
        f"{bits:.3f} bits.",
        (plot.surprises([1 / 5] * 5, [f"face {k}" for k in range(1, 6)]),),
    )
    guess = Guess(
        "One face comes up more and more rarely, and surprises more and more. What happens to the "
        "mean surprise?",
        1,
        f"It goes down. With a chance of 0.05 for one face it is {measures.entropy(rare):.3f} "
        f"bits, with equal chances {bits:.3f}: the great surprise is rare.",
        ("it goes up", "it goes down", "it stays the same"),
    )
    title = "How unsure are you before the toss?"
    return Live(title, "chance", {"faces": 5}, view, guess)


def dependence() -> Live:
    """Explore mutual information: a table of forecasts and weather, its borders dragged.

    Examples
    --------
    >>> dependence()
    What can you learn from a forecast?: Right on 20 of 40 days, the forecast holds 0.000 bits \
about the weather.
    """
    told, table = ["rain", "dry"], [[10, 10], [10, 10]]
    days = pd.DataFrame(table, pd.Index(told, name="forecast"), pd.Index(told, name="weather"))
    half_way = measures.mutual_information([[15, 5], [5, 15]])
    view = View(
        f"Right on 20 of 40 days, the forecast holds {measures.mutual_information(days):.3f} bits "
        "about the weather.",
        (plot.class_counts(days),),
    )
    guess = Guess(
        "It rains on half of the days, and the forecast is right on 3 of 4, rain or dry. How many "
        "bits does it hold?",
        round(float(half_way), 3),
        f"It is {half_way:.3f} bits: in each column 15 of 20 days are right.",
        unit="bits",
        ends=(0, 1),
    )
    data = {
        "x": "forecast",
        "y": "weather",
        "xLevels": told,
        "yLevels": told,
        "table": table,
        "what": ("day", "days"),
    }
    return Live("What can you learn from a forecast?", "mosaic", data, view, guess)


def your_own_tree(
    X: pd.DataFrame,
    y: pd.Series,
    what: Words = ("case", "cases"),
    ratio: bool = False,
    led: bool = False,
) -> Live:
    """Explore what to ask: cases sort themselves, and the tree is shown beside that of ID3.

    Parameters
    ----------
    ratio : whether to show the gain ratio, too, and what C4.5 would ask.
    led : whether scrolling asks the first questions: the poorest, and those of ID3.

    Examples
    --------
    >>> from dtreebook.datasets import load_tennis
    >>> your_own_tree(*load_tennis(return_X_y=True), ("morning", "mornings"))
    Which question would you ask first?: Before any question there are 14 mornings: no 5, yes 9.
    """
    for attribute in read_training(X, y).attributes:
        if attribute.kind == "numeric":
            raise ValueError(
                f"column {attribute.name!r} is numeric, and a question needs answers to choose "
                "from: cut numbers into ranges first (pandas.cut)"
            )
    tree = ID3Classifier(max_depth=0).fit(X, y).tree_
    counts = dict(zip(class_names(tree), tree.root.counts, strict=True))
    told = ", ".join(f"{name} {in_short(count)}" for name, count in counts.items())
    pieces = [plot.tree(tree)]
    if led:
        gains = ID3Classifier().fit(X, y).decisions(X, y)[0].candidates
        poor = X.columns[min(gains, key=lambda offer: offer.score).split.column]
        pieces += [
            plot.tree(ID3Classifier(max_depth=depth).fit(*asked, y).tree_).captioned(finding)
            for asked, depth, finding in (
                ((X[[poor]],), 1, f"{poor} hardly separates them."),
                ((X,), 1, "The first question of ID3."),
                ((X,), None, "The whole tree of ID3."),
            )
        ]
    view = View(f"Before any question there are {len(X)} {what[1]}: {told}.", tuple(pieces))
    data = _nominal(tree, X, y, what) | {"ratio": ratio, "led": led}
    if not ratio:
        return Live("Which question would you ask first?", "walk", data, view)
    apart, guess = _where_they_differ(tree, X, y, what)
    return Live("Would C4.5 ask the same?", "walk", data | apart, view, guess)


def _where_they_differ(tree, X, y, what):
    """Return the first pile of one answer of which ID3 and C4.5 ask otherwise, and a guess."""

    def first(model, pile):
        chosen = model.fit(X[pile], y[pile]).decisions(X[pile], y[pile])[0].chosen
        return chosen and X.columns[chosen.split.column]

    asked = (
        (column, code, level, pile, first(ID3Classifier(), pile), first(C45Classifier(), pile))
        for column, attribute in enumerate(tree.attributes)
        for code, level in enumerate(attribute.levels)
        if (pile := (X.iloc[:, column] == level).to_numpy()).any()
    )
    differing = next((found for found in asked if found[-2] != found[-1]), None)
    if differing is None:
        return {}, None
    column, code, level, pile, by_id3, by_c45 = differing
    counts = ", ".join(f"{name} {n}" for name, n in y[pile].value_counts(sort=False).items())
    options = (*X.columns.delete(column), "nothing")
    because = (
        f"It asks about {by_c45}, by its ratio."
        if by_c45
        else f"It asks about nothing: no question parts two {what[1]} or more from two others."
    )
    guess = Guess(
        f"{pile.sum()} {what[1]} have {X.columns[column]} {level} ({counts}). ID3 asks them "
        f"about {by_id3}. C4.5 wants two {what[1]} or more in each of two branches: what does it "
        "ask about?",
        options.index(by_c45 or "nothing"),
        because,
        options,
    )
    return {"apart": (column, code)}, guess


def cuts(X: pd.DataFrame, y: pd.Series, what: Words = ("case", "cases")) -> Live:
    """Explore where to cut a plane, and what Gini, information gain and errors think of each cut.

    Examples
    --------
    >>> X = pd.DataFrame({"long": [0.1, 0.2, 0.8, 0.9], "wide": [0.5, 0.1, 0.3, 0.8]})
    >>> cuts(X, ["a", "a", "b", "b"])
    Where would you cut?: The best first cut, long <= 0.5, lowers the Gini impurity of the 4 cases \
by 0.500.
    """
    _check_plane(X)
    model = CARTClassifier(max_depth=1).fit(X, y)
    tree, step = model.tree_, model.decisions(X, y)[0]
    asked = branch_words(tree, tree.root)[0] if step.chosen else "none"
    fall = step.chosen.measures["decrease"] if step.chosen else 0
    view = View(
        f"The best first cut, {asked}, lowers the Gini impurity of the {len(X)} {what[1]} by "
        f"{fall:.3f}.",
        (plot.partition(tree, X, y),),
    )
    data = _on_plane(X, y, model.tree_.classes, what)
    return Live("Where would you cut?", "partition", data, view, _which_cut(X, y, what))


def _which_cut(X, y, what):
    """Ask which cut is the best: those that are best on an axis, and one that halves the cases."""

    def fall(cut):
        column, at = cut
        return float(measures.gain(pd.crosstab(X[column] <= at, y), measures.gini))

    roots = [(name, CARTClassifier(max_depth=1).fit(X[[name]], y).tree_.root) for name in X]
    cuts = [(name, root.split.cut) for name, root in roots if root.split]
    if not cuts:
        return None
    best = max(cuts, key=fall)
    order = sorted({*cuts, (best[0], X[best[0]].median())})
    options = tuple(f"{name} ≤ {cut:.4g}" for name, cut in order)
    worth = [f"{words} by {fall(cut):.4f}" for words, cut in zip(options, order, strict=True)]
    answer = order.index(best)
    told = " and ".join(worth[:answer] + worth[answer + 1 :])
    return Guess(
        f"You may cut once. Which cut lowers the Gini impurity of the {len(X)} {what[1]} most?",
        answer,
        f"It is {worth[answer]}, before {told}: a cut need not halve the {what[1]}.",
        options,
    )


def _check_plane(X):
    numbers = X.select_dtypes("number")
    inside = (numbers >= 0) & (numbers <= 1)
    if X.shape[1] != 2 or numbers.shape[1] != 2 or not inside.all(axis=None):
        raise ValueError("a plane has two columns of numbers from 0 to 1: scale them first")


def points_on_a_plane(
    X: pd.DataFrame,
    y: pd.Series,
    X_new: pd.DataFrame,
    y_new: pd.Series,
    what: Words = ("case", "cases"),
) -> Live:
    """Explore a tree of two numbers: its points are set and dragged, its regions grow at once.

    It is tested on new cases.

    Examples
    --------
    >>> X = pd.DataFrame({"long": [0.1, 0.2, 0.8, 0.9], "wide": [0.5, 0.1, 0.3, 0.8]})
    >>> points_on_a_plane(X, ["a", "a", "b", "b"], X, ["a", "a", "b", "b"])
    A tree on a plane: It has 2 leaves and gets 0% of its own 4 cases wrong.
    """
    for frame in (X, X_new):
        _check_plane(frame)
    model = CARTClassifier().fit(X, y)
    wrong = 1 - model.score(X, y)
    view = View(
        f"It has {model.tree_.n_leaves} leaves and gets {wrong:.0%} of its own {len(X)} {what[1]} "
        "wrong.",
        (plot.partition(model.tree_, X, y),),
    )
    classes = model.tree_.classes
    data = _on_plane(X, y, classes, what) | {"test": _points(X_new, y_new, classes)}
    return Live("A tree on a plane", "plane", data, view)


Border = Sequence[tuple[float, float]]
# Cases of a plane and their classes, then new ones to be tested on.
Crowd = tuple[pd.DataFrame, pd.Series, pd.DataFrame, pd.Series]


def votes(
    planes: Mapping[str, Crowd],
    borders: Mapping[str, Border],
    what: Words = ("case", "cases"),
) -> Live:
    """Explore the vote of trees of bootstrap samples, on planes whose truth is known.

    What is told of a tree and of a vote is their error on the new cases of the plane. A plane and
    its border stand under what the truth has, such as "a corner".

    Examples
    --------
    >>> X = pd.DataFrame({"long": [0.1, 0.2, 0.8, 0.9], "wide": [0.5, 0.1, 0.3, 0.8]})
    >>> y, step = ["a", "a", "b", "b"], [(0, 1), (0.5, 1), (0.5, 0), (1, 0)]
    >>> votes({"a step": (X, y, X, y)}, {"a step": step})
    Can poor trees vote well?: 20 trees vote on 4 cases. One from all, where the truth has a step:
    """
    X, y, *_ = next(iter(planes.values()))
    names = np.unique(y).tolist()
    data = {
        "x": X.columns[0],
        "y": X.columns[1],
        "classes": names,
        "turned": TURNED,
        "trees": 20,
        "planes": [
            {
                "name": name,
                "points": _points(X, y, names),
                "test": _points(X_new, y_new, names),
                "border": borders[name],
                "pruned": _pruned(X, y).tree_.to_dict(),
            }
            for name, (X, y, X_new, y_new) in planes.items()
        ],
        "what": what,
    }
    view = View(
        f"20 trees vote on {len(X)} {what[1]}. One from all, "
        f"where the truth has {' and where it has '.join(planes)}:",
        tuple(
            plot.partition(CARTClassifier(min_samples_leaf=min(15, len(X) // 2)).fit(X, y), X, y)
            for X, y, *_ in planes.values()
        ),
    )
    gains = {name: _gain_of_a_vote(*plane) for name, plane in planes.items()}
    best = max(gains, key=gains.__getitem__)
    guess = Guess(
        f"{data['trees']} trees vote, each grown on another sample. Where does their vote gain "
        "more over one pruned tree?",
        list(gains).index(best),
        f"Where the truth has {best}: one tree climbs in few large steps, the vote in many small.",
        tuple(f"where the truth has {name}" for name in gains),
    )
    return Live("Can poor trees vote well?", "votes", data, view, guess)


def _gain_of_a_vote(X, y, X_new, y_new):
    """Return by how much the vote of trees of 15 cases in a leaf errs less than one pruned tree."""
    voters = CARTClassifier(min_samples_leaf=min(15, len(X) // 2))
    vote = ForestClassifier(voters, n_estimators=20, random_state=0).fit(X, y)
    return vote.score(X_new, y_new) - _pruned(X, y).score(X_new, y_new)


def _pruned(X, y):
    return CARTClassifier(ccp_alpha="best", cv=np.arange(len(X)) % 10).fit(X, y)


def boosting(
    X: pd.DataFrame,
    y: pd.Series,
    X_new: pd.DataFrame,
    y_new: pd.Series,
    border: Border,
    what: Words = ("case", "cases"),
) -> Live:
    """Explore stumps that are fitted, one after another, to what the sum of those before leaves.

    Of the two classes the second counts 1. Each sum is tested on new cases.

    Examples
    --------
    >>> X = pd.DataFrame({"long": [0.1, 0.2, 0.8, 0.9], "wide": [0.5, 0.1, 0.3, 0.8]})
    >>> y, step = ["a", "a", "b", "b"], [(0, 1), (0.5, 1), (0.5, 0), (1, 0)]
    >>> boosting(X, y, X, y, step)
    What if each tree corrects the last?: The mean squared residual is 0.250 at first; a stump \
that asks about long lowers it to 0.000.
    """
    names = np.unique(y).tolist()
    target = read_target(y, names).astype(float)
    stump = CARTRegressor(max_depth=1).fit(X, target)
    left = float(((target - stump.predict(X)) ** 2).mean())
    asked = X.columns[stump.feature_importances_.argmax()]
    errors = _errors_of_sums(X, target, X_new, read_target(y_new, names))
    best, most = int(errors.argmin()) + 1, len(errors)
    data = _on_plane(X, y, names, what) | {
        "test": _points(X_new, y_new, names),
        "turned": TURNED,
        "border": border,
        "rounds": most,
    }
    view = View(
        f"The mean squared residual is {target.var():.3f} at first; a stump that asks about "
        f"{asked} lowers it to {left:.3f}.",
        (plot.partition(CARTClassifier(max_depth=1).fit(X, y).tree_, X, y),),
    )
    options = sorted({best, 20, most})
    guess = Guess(
        f"After how many trees does the sum err least on new {what[1]}?",
        options.index(best),
        f"After {best} it errs on {errors[best - 1]:.1%}, after {most} on {errors[-1]:.1%}: later "
        "trees fit answers that chance has flipped.",
        tuple(f"after {n}" for n in options),
    )
    return Live("What if each tree corrects the last?", "boost", data, view, guess)


def _errors_of_sums(X, target, X_new, truth, rounds=300):
    """Return the share of new cases that the sum of so many stumps gets wrong: array [rounds]."""
    total, answers, errors = target.mean(), target.mean(), []
    for _ in range(rounds):
        stump = CARTRegressor(max_depth=1).fit(X, target - total)
        total, answers = total + stump.predict(X), answers + stump.predict(X_new)
        errors.append(((answers > 0.5) != truth).mean())
    return np.array(errors)


def _on_plane(X, y, classes, what):
    """Return what the script is told of cases on a plane."""
    return {
        "x": X.columns[0],
        "y": X.columns[1],
        "classes": list(map(str, classes)),
        "points": _points(X, y, classes),
        "what": what,
    }


def _points(X, y, classes):
    codes = read_target(y, classes).tolist()
    return [[*row, code] for row, code in zip(X.to_numpy().tolist(), codes, strict=True)]


def growing(X: pd.DataFrame, y: pd.Series, what: Words = ("case", "cases")) -> Live:
    """Explore how ID3 grows a tree, decision by decision, its cases sorting themselves.

    Examples
    --------
    >>> from dtreebook.datasets import load_loan
    >>> growing(*load_loan(return_X_y=True))
    ID3 at work, decision by decision: Decision 1 of 5, all 15 cases: house gains most, 0.420 \
bits, so ID3 asks about it.
    """
    model = ID3Classifier().fit(X, y)
    tree, steps = model.tree_, model.decisions(X, y)
    root = steps[0].chosen
    if root is None:
        raise ValueError("growing needs two classes, and a column that divides them")
    name = tree.attributes[root.split.column].name
    below = [path for path, _ in tree.walk() if len(path) == 1]
    view = View(
        f"Decision 1 of {len(steps)}, all {len(X)} {what[1]}: {name} gains most, {root.score:.3f} "
        "bits, so ID3 asks about it.",
        (plot.tree(tree.keep({()}), undecided=below), plot.decision(steps[0], tree.attributes)),
    )
    data = _nominal(tree, X, y, what) | {"watch": True}
    return Live("ID3 at work, decision by decision", "walk", data, view)


def _nominal(tree, X, y, what):
    """Return cases of nominal columns as the page reads them."""
    return {
        "attributes": [
            {"name": a.name, "kind": a.kind, "levels": list(map(str, a.levels))}
            for a in tree.attributes
        ],
        "columns": [column.tolist() for column in encode(X, tree.attributes)],
        "target": read_target(y, tree.classes).tolist(),
        "classes": class_names(tree),
        "what": what,
        "answer": y.name or "class",
        "look": LOOKS.get(tuple(X)),
    }


def threshold(values: pd.Series, classes: pd.Series, what: Words = ("case", "cases")) -> Live:
    """Explore where to cut a number: both sides, their entropies, and the curve of gains.

    The window and the penalty of Release 8 can be switched on. No number is missing, and at least
    two are different.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> golf = load_golf()
    >>> threshold(golf.data["humidity"], golf.target)
    Where would you cut humidity?: The 14 cases have 9 different values of humidity, between which \
there are 8 cuts.
    """
    classes = classes.astype(str)  # in their order each has its colour, as in all explorables
    target = pd.Categorical(classes)
    known, tables = two_sides(values, target.codes, len(target.categories))
    gains = measures.information_gain(tables)
    best = int(np.argmax(gains >= gains.max() - TIE))
    view = View(
        f"The {len(values)} {what[1]} have {len(known)} different values of {values.name}, between "
        f"which there are {len(gains)} cuts.",
        (plot.cut(values, classes),),
    )
    is_inside = 0 < best < len(gains) - 1
    guess = Guess(
        "Where does the best cut lie?",
        0 if is_inside else 1,
        f"It lies {'inside' if is_inside else 'at an end'}, after {known[best]:g}, and gains "
        f"{gains[best]:.3f} bits. The others gain less.",
        ("inside, where both sides are large", "at an end, where one side can be pure"),
    )
    data = {
        "name": values.name,
        "values": np.asarray(values, dtype=float).tolist(),
        "target": target.codes.tolist(),
        "classes": list(map(str, target.categories)),
        "what": what,
    }
    return Live(f"Where would you cut {values.name}?", "threshold", data, view, guess)


def missing_value(X: pd.DataFrame, y: pd.Series, rows: Sequence[int]) -> Live:
    """Explore how C4.5 sends a case down its tree whose values are not all known.

    The rows are the positions of the cases to choose from, two or more.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> missing_value(*load_golf(return_X_y=True), rows=(0, 3))
    An answer is missing. What now?: A case whose values are all known ends in one leaf; where \
the tree asks about an unknown one, a part of the case goes down every branch.
    """
    model = C45Classifier().fit(X, y.astype(str))  # in their order each class has its colour
    tree, blank = model.tree_, X.reindex([-1])
    shares = zip(model.classes_, model.predict_proba(blank)[0], strict=True)
    told = ", ".join(f"{label} {share:.2f}" for label, share in shares)
    guess = Guess(
        "If all that the tree asks about is unknown, into how many parts does a case fall?",
        tree.n_leaves,
        f"Without any value the case falls into {tree.n_leaves} parts, one for each leaf, which "
        f"add up to {told}.",
        unit="parts",
        ends=(0, tree.node_count),
    )
    columns = encode(X, tree.attributes)
    document = tree.to_dict()
    asked = {node["split"]["attribute"] for node in document["nodes"] if "split" in node}
    data = {
        "tree": document | {"classes": class_names(tree)},
        "cases": [
            [None if value != value or value == -1 else value for value in case]
            for case in ([column[row].item() for column in columns] for row in rows)
        ],
        "asked": sorted(asked),
        "shown": [list(map(str, X.iloc[row])) for row in rows],
        "names": [str(row + 1) for row in rows],
    }
    view = View(
        "A case whose values are all known ends in one leaf; where the tree asks about an unknown "
        "one, a part of the case goes down every branch.",
        (plot.tree(tree),),
    )
    return Live("An answer is missing. What now?", "pour", data, view, guess)


def code_tree(things: Mapping[str, int]) -> Live:
    """Explore a code: join two at a time until one is left, as few questions as can be on average.

    Two things or more have names and whole weights.

    Examples
    --------
    >>> code_tree({"cat": 4, "dog": 2, "hen": 1, "owl": 1})
    How few questions will do?: The entropy of the 4 is 1.750 bits: no tree of questions asks \
fewer on average.
    """
    bits = measures.entropy(list(things.values()))
    view = View(
        f"The entropy of the {len(things)} is {bits:.3f} bits: no tree of questions asks fewer on "
        "average.",
        (plot.scores(things, "weight"),),
    )
    ranked = sorted(things, key=things.__getitem__, reverse=True)
    pairs = list(combinations(dict.fromkeys([ranked[0], *ranked[-2:]]), 2))
    share = sum(things[name] for name in pairs[-1]) / sum(things.values())
    guess = Guess(
        "The last question tells two of them apart. Which two, so that it is asked least often?",
        len(pairs) - 1,
        f"The two that are rarest: their question is asked in {share:.0%} of the games, so it "
        f"costs {share:.2f} questions on average.",
        tuple(map(" and ".join, pairs)),
    )
    data = {"things": [{"name": name, "weight": weight} for name, weight in things.items()]}
    return Live("How few questions will do?", "huffman", data, view, guess)


def pruning(X: pd.DataFrame, y: pd.Series) -> Live:
    """Explore how C4.5 prunes: at each node a leaf, the subtree and its largest branch compete.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> pruning(*load_golf(return_X_y=True))
    Which branches are worth it?: With a confidence of 0.25 C4.5 keeps 8 of 8 nodes.
    """
    model = C45Classifier().fit(X, y)
    tree = model.unpruned_tree_
    left = model.tree_.node_count
    view = View(
        f"With a confidence of {model.confidence:g} C4.5 keeps {left} of {tree.node_count} nodes.",
        (plot.tree(model.tree_),),
    )
    compared = error_based(tree, X, y).comparisons
    if not compared:
        raise ValueError("pruning needs a tree that asks a question")
    goes = [made for made in compared if made.choice is not Choice.KEEP] or compared
    one = min(goes, key=lambda made: (*made.path, np.inf))  # which the page looks at first
    paths = [(path, node) for path, node in tree.walk() if node.is_leaf]
    leaves = [leaf for path, leaf in paths if path[: len(one.path)] == one.path]
    wrong, as_one = sum(leaf.errors for leaf in leaves), tree.node(one.path).errors
    guess = Guess(
        f"{len(leaves)} leaves got {in_short(wrong)} of {in_short(one.counts.sum())} cases wrong; "
        f"one leaf would get {in_short(as_one)}. Which does C4.5 expect to err less in new cases?",
        int(one.leaf < one.subtree),
        "The smaller a leaf, the more caution is added: C4.5 expects "
        f"{one.subtree:.2f} errors of the {len(leaves)} and {one.leaf:.2f} of one leaf.",
        (f"the {len(leaves)} leaves", "one leaf"),
    )
    document = tree.to_dict() | {"classes": class_names(tree)}
    columns = [column.tolist() for column in encode(X, tree.attributes)]
    cases = {
        "attributes": document["attributes"],
        "columns": [[None if v != v else v for v in column] for column in columns],
        "target": read_target(y, tree.classes).tolist(),
        "classes": document["classes"],
        "weight": None,
    }
    data = {"tree": document, "cases": cases}
    return Live("Which branches are worth it?", "estimate", data, view, guess)


def subsets(values: pd.Series, classes: pd.Series, what: Words = ("case", "cases")) -> Live:
    """Explore which values of a nominal attribute CART puts together: two bags, and every way.

    There are three to ten different values.

    Examples
    --------
    >>> from dtreebook.datasets import load_tennis
    >>> tennis = load_tennis()
    >>> subsets(tennis.data["outlook"], tennis.target)
    Which outlooks belong together?: By their share of yes in order: sunny 0.40, rainy 0.60, \
overcast 1.00. There are 3 ways to make two groups.
    """
    table = pd.crosstab(values, classes)
    if table.shape[1] != 2 or not 3 <= len(table) <= 10:
        raise ValueError(
            f"subsets needs two classes and three to ten values, not {table.shape[1]} and "
            f"{len(table)}: for more classes there is no such order"
        )
    name, label = table.index.name, table.columns[1]
    share = (table[label] / table.sum(axis=1)).sort_values(kind="stable")
    below = table.loc[share.index].to_numpy().cumsum(axis=0)
    cuts = [
        float(measures.gain(np.array([left, below[-1] - left]), measures.gini))
        for left in below[:-1]
    ]
    told = ", ".join(f"{value} {of:.2f}" for value, of in share.items())
    view = View(
        f"By their share of {label} in order: {told}. There are {2 ** (len(table) - 1) - 1} ways "
        "to make two groups.",
        (plot.scores(dict(zip(map(str, share.index), share, strict=True)), f"share of {label}"),),
    )
    guess = Guess(
        f"The {name}s stand in the order of their share of {label}. How many ways to fill the bags "
        "are better than the best cut through this row?",
        0,
        f"None is: the best cut lowers the impurity by {max(cuts):.3f}, and no way by more.",
        ("none", "a few", "most of them"),
    )
    data = {
        "name": name,
        "values": [
            {"name": str(value), "counts": counts}
            for value, counts in zip(table.index, table.to_numpy().tolist(), strict=True)
        ],
        "classes": list(map(str, table.columns)),
        "what": what,
    }
    return Live(f"Which {name}s belong together?", "bags", data, view, guess)


def refinement(x: pd.Series, y: pd.Series, truth: pd.Series) -> Live:
    """Explore how a regression tree refines a curve, depth by depth, its points dragged.

    The numbers are in the order of x; the truth is y without its noise.

    Examples
    --------
    >>> from dtreebook.datasets import load_ten_points
    >>> x, y = load_ten_points(return_X_y=True)
    >>> refinement(x["x"], y, y)
    How many steps does the curve need?: With a depth of 2 the tree has 4 leaves and a squared \
error of 0.30; a single leaf has 19.11.
    """
    X = x.to_frame()
    models = [CARTRegressor(max_depth=depth).fit(X, y) for depth in range(DEPTHS + 1)]
    model = models[2]
    cuts = sorted(test.cut for test in model.tree_.arrays.split if isinstance(test, Threshold))
    ends = pd.DataFrame({x.name: [*cuts, x.max()]})
    view = View(
        f"With a depth of {model.get_depth()} the tree has {model.get_n_leaves()} leaves and a "
        f"squared error of {((y - model.predict(X)) ** 2).sum():.2f}; a single leaf has "
        f"{((y - y.mean()) ** 2).sum():.2f}.",
        (plot.staircase(x, y, cuts, model.predict(ends).tolist(), x_label=x.name, y_label=y.name),),
    )
    far = [float(((each.predict(X) - truth) ** 2).sum()) for each in models]
    nearest = int(np.argmin(far))
    guess = Guess(
        "At which depth does the staircase come nearest to the true curve?",
        nearest,
        f"Before a point is moved, depth {nearest} is nearest, off by {far[nearest]:.2f} (squared "
        "and added up). Deeper trees follow the noise.",
        tuple(map(str, range(DEPTHS + 1))),
    )
    curve = truth.to_numpy(dtype=float).round(6)
    # New points: the same errors, dealt anew.
    fresh = curve + np.random.default_rng(0).permutation(y - curve)
    data = {
        "x": x.tolist(),
        "y": y.tolist(),
        "truth": curve.tolist(),
        "fresh": fresh.round(6).tolist(),
        "names": [x.name, y.name],
        "depths": DEPTHS,
    }
    return Live("How many steps does the curve need?", "staircase", data, view, guess)


def surrogates(X: pd.DataFrame, y: pd.Series, what: Words = ("case", "cases")) -> Live:
    """Explore what stands in for the first question of CART when its value is unknown.

    X holds numbers, none missing.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> surrogates(*load_iris(return_X_y=True, as_frame=True))
    Which feature stands in?: The tree asks whether petal length (cm) <= 2.45. If that is unknown, \
petal width (cm) <= 0.8 stands in first: its agreement is 1.000.
    """
    tree = CARTClassifier(max_depth=1, max_surrogates=5).fit(X, y).tree_
    test, others = tree.root.split, tree.root.surrogates
    are_cuts = all(isinstance(one.split, Threshold) for one in others)
    if not (isinstance(test, Threshold) and others and are_cuts):
        raise ValueError("surrogates needs columns of numbers, of which some agree with the first")
    first = others[0]
    asked, said = (
        split.words(tree.attributes[split.column])[flipped]
        for split, flipped in ((test, False), (first.split, first.flipped))
    )
    goes = test.branch(X.iloc[:, test.column].to_numpy())
    stands = first.branch(X.iloc[:, first.split.column].to_numpy())
    view = View(
        f"The tree asks whether {asked}. If that is unknown, {said} stands in first: its agreement "
        f"is {first.agreement:.3f}.",
        (
            plot.class_counts(
                pd.crosstab(goes, stands).to_numpy(),
                names=["goes left", "goes right"],
                classes=["stand-in left", "stand-in right"],
            ),
        ),
    )

    def column(attribute):
        values = X.iloc[:, attribute].to_numpy(dtype=float).tolist()
        return {"name": tree.attributes[attribute].name, "values": values}

    names = {one.split.column: tree.attributes[one.split.column].name for one in others}
    same = [f"{names[one.split.column]} {round(one.agreement * len(X))}" for one in others]
    in_order = sorted(names)
    guess = Guess(
        f"Where {tree.attributes[test.column].name} is unknown, which feature sends the most "
        f"{what[1]} the same way?",
        in_order.index(first.split.column),
        f"Of {len(X)} {what[1]} so many go the same way at the best cut: {', '.join(same)}.",
        tuple(names[column] for column in in_order),
    )
    data = {
        "test": column(test.column) | {"cut": test.cut},
        "others": [column(surrogate.split.column) for surrogate in others],
        "what": what,
    }
    return Live("Which feature stands in?", "standin", data, view, guess)


def price_of_a_leaf(
    X: pd.DataFrame, y: pd.Series, border: Border = (), cv: CV = 10, what: Words = ("case", "cases")
) -> Live:
    """Explore pruning by the price of a leaf: what is left, what falls next, the errors of each.

    Parameters
    ----------
    border : none if it is unknown.
    cv : as in `dtreebook.prune.crossvalidation.cp_table`; an array of the fold of each case is the
        same every time.

    Examples
    --------
    >>> X = pd.DataFrame({"long": [0.1, 0.2, 0.8, 0.9], "wide": [0.5, 0.1, 0.3, 0.8]})
    >>> price_of_a_leaf(X, ["a", "a", "b", "b"], cv=[0, 1, 0, 1])
    What is a leaf worth?: The whole tree has 2 leaves. Cross-validated, it errs on 0.0% of the \
cases, and the least error is 0.0%, with 2 leaves.
    """
    _check_plane(X)
    model = CARTClassifier().fit(X, y)
    table, full = cp_table(CARTClassifier(), X, y, cv), model.tree_
    root = full.risk[0] / len(X)
    leaves, error = table["n_leaves"].tolist(), (table["cv_error"] * root).tolist()
    least = int(np.argmin(error))
    as_good = leaves[int(np.argmax(np.asarray(error) <= error[-1] + TIE))]
    view = View(
        f"The whole tree has {leaves[-1]} leaves. Cross-validated, it errs on {error[-1]:.1%} of "
        f"the {what[1]}, and the least error is {error[least]:.1%}, with {leaves[least]} leaves.",
        (plot.pruning_errors(table),),
    )
    guess = Guess(
        f"Of the {leaves[-1]} leaves, how many can go before the cross-validated error is higher "
        "than at first?",
        leaves[-1] - as_good,
        f"{leaves[-1] - as_good} can go: with {as_good} leaves the error is still no higher than "
        "that of the whole tree.",
        unit="leaves",
        ends=(0, leaves[-1]),
    )
    data = _on_plane(X, y, full.classes, what) | {
        "border": border,
        "tree": full.to_dict() | {"classes": class_names(full)},
        "path": [
            {"leaves": n, "error": e, "spread": s}
            for n, e, s in zip(leaves, error, (table["cv_std"] * root).tolist(), strict=True)
        ],
    }
    return Live("What is a leaf worth?", "price", data, view, guess)


def laboratory(tables: Mapping[str, Any]) -> Live:
    """Offer the laboratory: a reader's own table, grown, pruned, tested and taken away.

    Some tables can be chosen by name, too; the last column is the answer.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> laboratory({"golf": load_golf().frame})
    The laboratory: With scripts switched on, a tree is grown here from any table, in this page.
    """
    data = {"tables": {name: _packed(frame) for name, frame in tables.items()}}
    view = View("With scripts switched on, a tree is grown here from any table, in this page.")
    return Live("The laboratory", "laboratory", data, view)


def _packed(frame):
    """Return a table as columns: numbers as they are, of words a letter for each case or run."""
    columns = []
    for name, column in frame.items():
        if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
            values = [None if value != value else value for value in column.tolist()]
            columns.append({"name": str(name), "values": values})
            continue
        words = pd.Categorical(column.astype(str).where(column.notna(), ""))
        letters = "".join(chr(ord("0") + code) for code in words.codes)
        packed = re.sub(r"(.)\1{7,}", lambda run: f"{run[1]}!{len(run[0])}!", letters)
        columns.append({"name": str(name), "levels": list(words.categories), "values": packed})
    return columns

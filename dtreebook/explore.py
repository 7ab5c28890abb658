"""The explorables of the book: each is a function that returns an `Explorable`.

What they say and draw comes from the measures, trees and records of the package; they compute
nothing of their own. To add one, write a function here.
"""

import math

import numpy as np
import pandas as pd

from dtreebook import measures, plot
from dtreebook.c45 import C45Classifier
from dtreebook.data import encode, read_cases
from dtreebook.error_based import Choice, stages
from dtreebook.explorable import Control, Explorable, View
from dtreebook.grow import Reason
from dtreebook.id3 import ID3Classifier
from dtreebook.missing import flow
from dtreebook.picture import in_short
from dtreebook.search import TIE, least_beside


def distribution():
    """Explore the entropy of a distribution: a coin, then up to five faces.

    The first face has a chance to choose, the others share the rest evenly.

    Examples
    --------
    >>> distribution()
    How unsure are you before the toss?: Heads has a chance of 0.60 and a surprise of 0.737 bits; \
tails has a chance of 0.40 and a surprise of 1.322 bits. The mean surprise, the entropy, is 0.971 \
bits or 0.673 nats; with equal chances it would be 1.000 bits.
    """
    tenths = {f"{i / 10:g}": i / 10 for i in range(11)}
    between = {"0.05": 0.05, "1/4": 1 / 4, "1/3": 1 / 3, "2/3": 2 / 3, "3/4": 3 / 4, "0.95": 0.95}
    labels, chances = zip(*sorted((tenths | between).items(), key=lambda c: c[1]), strict=True)

    def view(faces, place):
        n, chance = faces + 2, chances[place]
        p = [chance] + [(1 - chance) / (n - 1)] * (n - 1)
        names = ["heads", "tails"] if n == 2 else [f"face {k}" for k in range(1, n + 1)]
        first = _surprise(names[0].capitalize(), p[0])
        others = _surprise(names[1] if n == 2 else "each of the others", p[1])
        bits, nats = measures.entropy(p), measures.entropy(p, math.e)
        return View(
            f"{first}; {others}. The mean surprise, the entropy, is {bits:.3f} bits or {nats:.3f} "
            f"nats; with equal chances it would be {measures.entropy([1] * n):.3f} bits.",
            (plot.surprises(p, names),),
        )

    controls = (
        Control("How many faces?", ("a coin: 2", "3", "4", "5"), kind="choice"),
        Control("Chance of the first", labels, start=labels.index("0.6")),
    )
    return Explorable("How unsure are you before the toss?", controls, view)


def _surprise(name, chance):
    if chance == 0:
        return f"{name} never comes"
    bits = measures.kl_divergence([1, 0], [chance, 1 - chance])
    return f"{name} has a chance of {chance:.2f} and a surprise of {bits:.3f} bits"


def dependence():
    """Explore mutual information: a forecast that is right on ever more days of forty.

    Examples
    --------
    >>> dependence()
    What does a forecast tell about the weather?: Right on 30 of 40 days, the forecast tells 0.189 \
bits about the weather, I(forecast;weather). Each has 1.000 bits, H(forecast) and H(weather), both \
together have H(forecast,weather) = 1.811; of the weather 0.811 bits are left open.
    """
    rights = range(20, 41, 2)

    def view(place):
        right = rights[place] // 2
        days = pd.DataFrame(
            [[right, 20 - right], [20 - right, right]],
            pd.Index(["rain", "dry"], name="forecast"),
            pd.Index(["rain", "dry"], name="weather"),
        )
        told, both = measures.mutual_information(days), measures.joint_entropy(days)
        one, left = measures.entropy(days.sum()), measures.conditional_entropy(days)
        return View(
            f"Right on {2 * right} of 40 days, the forecast tells {told:.3f} bits about the "
            f"weather, I(forecast;weather). Each has {one:.3f} bits, H(forecast) and H(weather), "
            f"both together have H(forecast,weather) = {both:.3f}; of the weather {left:.3f} bits "
            "are left open.",
            (
                plot.information_diagram(days, names=[axis.name for axis in days.axes]),
                plot.class_counts(days),
            ),
        )

    control = Control("The forecast is right on", [f"{n} of 40 days" for n in rights], start=5)
    return Explorable("What does a forecast tell about the weather?", (control,), view)


def choose_split(X, y):
    """Explore which question to ask: of all cases, or of those with one value.

    Parameters
    ----------
    X : DataFrame of nominal columns.
    y : the classes.

    Raises
    ------
    ValueError
        If a column is numeric.

    Examples
    --------
    >>> from dtreebook.datasets import load_loan
    >>> choose_split(*load_loan(return_X_y=True))
    Which question would you ask?: Among all 15 cases, age gains 0.083 bits; its split information \
is 1.585, its gain ratio 0.052. ID3 asks for house, which has the most gain, 0.420 bits. C4.5 asks \
for house, which has the largest gain ratio, 0.433, among those with at least average gain: work, \
house, credit.
    """
    for name in X.select_dtypes("number"):
        raise ValueError(f"column {name!r} is numeric: explore it with threshold()")
    nodes = {f"all {len(X)}": np.ones(len(X), dtype=bool)}
    for name in X:
        for value in X[name].astype("category").cat.categories:
            chosen = (X[name] == value).to_numpy()
            if y[chosen].nunique() > 1:
                nodes[f"{name} = {value}"] = chosen

    def view(node, attribute):
        where, name = list(nodes)[node], X.columns[attribute]
        X_here, y_here = X[nodes[where]], y[nodes[where]]
        table = pd.crosstab(X_here[name], y_here)
        gain, information = measures.information_gain(table), measures.split_information(table)
        cases = f"all {len(X)} cases" if node == 0 else f"the {len(X_here)} cases with {where}"
        offer = f"{name} gains {gain + 0:.3f} bits; its split information is {information:.3f}"
        if information > 0:
            offer += f", its gain ratio {measures.gain_ratio(table):.3f}"
        else:
            offer += ", for it has one value here and divides nothing"
        picks = f"{_pick_of_id3(X_here, y_here)} {_pick_of_c45(X_here, y_here)}"
        return View(f"Among {cases}, {offer}. {picks}", (plot.class_counts(table),))

    controls = (
        Control("Cases", nodes, kind="choice"),
        Control("Ask for", X.columns, kind="choice"),
    )
    return Explorable("Which question would you ask?", controls, view)


def _pick_of_id3(X, y):
    decision = ID3Classifier(max_depth=1).decisions(X, y)[0]
    return f"ID3 asks for {_best(X, decision)} the most gain, {decision.chosen.score:.3f} bits."


def _pick_of_c45(X, y):
    decision = C45Classifier().decisions(X, y)[0]
    if decision.chosen is None:
        return f"C4.5 asks nothing: {decision.reason}."
    names = ", ".join(X.columns[c.split.attribute] for c in decision.candidates)
    return (
        f"C4.5 asks for {_best(X, decision)} the largest gain ratio, {decision.chosen.score:.3f}, "
        f"among those with at least average gain: {names}."
    )


def _best(X, decision):
    best = decision.chosen.score
    tied = [c for c in decision.candidates if math.isclose(c.score, best, rel_tol=TIE)]
    name = X.columns[decision.chosen.split.attribute]
    return f"{name}, the first of {len(tied)} with" if len(tied) > 1 else f"{name}, which has"


def growing(X, y):
    """Explore how ID3 grows a tree, decision by decision.

    Parameters
    ----------
    X : DataFrame of nominal columns.
    y : the classes.

    Examples
    --------
    >>> from dtreebook.datasets import load_loan
    >>> growing(*load_loan(return_X_y=True))
    ID3 at work, decision by decision: Step 2 of 5, the 9 cases with house = no: work gains most, \
0.918 bits, so ID3 asks for it.
    """
    model = ID3Classifier().fit(X, y)
    tree, steps = model.tree_, model.decisions(X, y)

    def view(place):
        step = steps[place]
        seen = {each.path: each for each in steps[: place + 1]}
        undecided = [path for path, _ in tree.walk() if path not in seen]
        partial = tree.keep({path for path, each in seen.items() if each.chosen})
        lit = {step.path[:n]: 1 for n in range(len(step.path) + 1)}
        where = " and ".join(tree.conditions(step.path))
        cases = _cases(step.counts)
        cases = f"the {cases} with {where}" if where else f"all {cases}"
        pieces = [plot.tree(partial, lit=lit, undecided=undecided)]
        if step.chosen:
            name = tree.attributes[step.chosen.split.attribute].name
            what = f"{name} gains most, {step.chosen.score:.3f} bits, so ID3 asks for it"
            pieces.append(plot.decision(step, tree.attributes))
        elif step.reason is Reason.PURE:
            what = f"all are {tree.classes[step.counts.argmax()]}, so this is a leaf"
        else:
            label = tree.classes[tree.node(step.path).label]
            what = f"{step.reason}, so this is a leaf, and it says {label}"
        return View(f"Step {place + 1} of {len(steps)}, {cases}: {what}.", tuple(pieces))

    names = [f"{n} of {len(steps)}" for n in range(1, len(steps) + 1)]
    last = max(i for i, step in enumerate(steps) if step.chosen)
    control = Control("Step", names, start=last, kind="steps")
    return Explorable("ID3 at work, decision by decision", (control,), view)


def many_values(X, y, attribute):
    """Explore gain and gain ratio of a column that knows nothing, as it takes more values.

    Parameters
    ----------
    X : DataFrame.
    y : the classes.
    attribute : the name of a column that knows something, to compare with.

    Examples
    --------
    >>> from dtreebook.datasets import load_loan
    >>> many_values(*load_loan(return_X_y=True), "house")
    The running number against house: Dealt in turn into 15 groups, the forms' running number \
gains 0.971 bits, and house gains 0.420: by gain the number wins. Its split information is 3.907, \
so its gain ratio is 0.249, and that of house is 0.433: by ratio house wins.
    """
    table = pd.crosstab(X[attribute], y)
    gain, ratio = measures.information_gain(table), measures.gain_ratio(table)

    def view(place):
        n = place + 2
        dealt = pd.crosstab(np.arange(len(X)) % n, y.to_numpy())
        gains = {"number": measures.information_gain(dealt), attribute: gain}
        ratios = {"number": measures.gain_ratio(dealt), attribute: ratio}
        by_gain, by_ratio = map(_winner, (gains, ratios))
        return View(
            f"Dealt in turn into {n} groups, the forms' running number gains {gains['number']:.3f} "
            f"bits, and {attribute} gains {gain:.3f}: by gain {_wins(by_gain)}. Its split "
            f"information is {measures.split_information(dealt):.3f}, so its gain ratio is "
            f"{ratios['number']:.3f}, and that of {attribute} is {ratio:.3f}: by ratio "
            f"{_wins(by_ratio)}.",
            (
                plot.scores(gains, "gain in bits", by_gain),
                plot.scores(ratios, "gain ratio", by_ratio),
            ),
        )

    groups = [f"{n} groups" for n in range(2, len(X) + 1)]
    control = Control("Numbers dealt into", groups, start=len(groups) - 1)
    return Explorable(f"The running number against {attribute}", (control,), view)


def _cases(counts):
    number = in_short(counts.sum())
    return f"{number} case{'s' * (number != '1')}"


def _winner(scores):
    """Return the name with the largest score; None if the first two are equal but for rounding."""
    first, second = scores.values()
    return None if math.isclose(first, second) else max(scores, key=scores.get)


def _wins(name):
    return "neither wins" if name is None else f"{'the ' * (name == 'number')}{name} wins"


def threshold(values, classes):
    """Explore where to cut a number: the cases on both sides, the gain, C4.5's window and penalty.

    Parameters
    ----------
    values : Series of numbers, none missing, at least two of them different.
    classes : the class of each case.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> golf = load_golf()
    >>> threshold(golf.data["humidity"], golf.target)
    Where would you cut humidity?: Cut at 82.5: up to it 9 cases with an entropy of 0.764 bits, \
above it 5 cases with an entropy of 0.971 bits. The gain is 0.102 bits, the most of all 8 cuts. \
C4.5 wants 2 cases on either side, which 6 cuts leave; for choosing among them it takes off 0.185 \
bits, and nothing is left of this gain.
    """
    classes = pd.Series(classes).reset_index(drop=True).astype("category")
    values = pd.Series(values).reset_index(drop=True)
    known = np.unique(values)
    middles = known[:-1] / 2 + known[1:] / 2
    tables = [pd.crosstab(values > middle, classes).to_numpy() for middle in middles]
    gains = measures.information_gain(np.array(tables))
    least = float(least_beside(len(values), classes.nunique(), C45Classifier().min_cases))
    allowed = np.array([table.sum(axis=1).min() >= least for table in tables])
    penalty = math.log2(max(allowed.sum(), 1)) / len(values)

    def view(place):
        (below, above), gain = tables[place], gains[place]
        h_below, h_above = measures.entropy(tables[place])
        rank = f"the most of all {len(gains)} cuts" if gain == gains.max() else "not the most"
        words = f"C4.5 wants {least:g} cases on either side, which {allowed.sum()} cuts leave"
        if not allowed[place]:
            words += ", and this one does not"
        else:
            left = gain - penalty
            left = f"{left:.3f} bits are" if left > 0 else "nothing is"
            words += f"; for choosing among them it takes off {penalty:.3f} bits, and {left} left"
            words += " of this gain"
        return View(
            f"Cut at {middles[place]:g}: up to it {_cases(below)} with an entropy of {h_below:.3f} "
            f"bits, above it {_cases(above)} with an entropy of {h_above:.3f} bits. The gain is "
            f"{gain:.3f} bits, {rank}. {words}.",
            (
                plot.cut(
                    values, classes.cat.codes, classes.cat.categories, middles, gains, place,
                    allowed, values.name,
                ),
            ),
        )  # fmt: skip

    labels = [f"{middle:g}" for middle in middles]
    control = Control(f"Cut {values.name} at", labels, start=int(gains.argmax()))
    return Explorable(f"Where would you cut {values.name}?", (control,), view)


def missing_value(X, y, rows):
    """Explore how C4.5 sends a case down its tree whose values are not all known.

    Parameters
    ----------
    X, y : the cases that the tree is grown on.
    rows : the positions of the cases to choose from, two or more.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> missing_value(*load_golf(return_X_y=True), rows=(0, 3))
    A case with blanks: Case 1 with outlook unknown (humidity 85, windy false) goes down in 3 \
parts to where it ends, as the tree shows. They add up to Play 0.64, Don't Play 0.36: C4.5 says \
Play.
    """
    model = C45Classifier().fit(X, y)
    tree = model.tree_
    splits = [split for split in tree.flat.split if split is not None]
    asked = [X.columns[a] for a in dict.fromkeys(split.attribute for split in splits)]
    blanks = {"nothing": [], **{name: [name] for name in asked}, "all of these": asked}

    def view(case, blank):
        row, hidden = rows[case], list(blanks.values())[blank]
        values = X.iloc[[row]].copy()
        told = [f"{name} {values[name].iloc[0]}" for name in asked if name not in hidden]
        for name in hidden:
            values[name] = values[name].where([False])
        lit, ends = {}, 0
        for parts in flow(tree, encode(values, tree.attributes)):
            lit |= {
                tree.path(node): weight
                for node, weight in zip(parts.node.tolist(), parts.weight.tolist(), strict=True)
            }
            ends += int((tree.flat.first_child[parts.node] == 0).sum())
        shares = zip(model.classes_, model.predict_proba(values)[0], strict=True)
        unknown = f" with {' and '.join(hidden)} unknown" if hidden else ""
        told = f" ({', '.join(told)})" if told else ""
        way = f"in {ends} parts to where it ends" if ends > 1 else "in one piece"
        return View(
            f"Case {row + 1}{unknown}{told} goes down {way}, as the tree shows. "
            f"{'They add' if ends > 1 else 'It adds'} up to "
            f"{', '.join(f'{label} {share:.2f}' for label, share in shares)}: C4.5 says "
            f"{model.predict(values)[0]}.",
            (plot.tree(tree, lit=lit),),
        )

    controls = (
        Control("Case", [str(row + 1) for row in rows], kind="choice"),
        Control("What is unknown?", blanks, start=1, kind="choice"),
    )
    return Explorable("A case with blanks", controls, view)


_IMPURITIES = {
    "entropy": measures.entropy,
    "Gini": measures.gini,
    "misclassification": measures.misclassification,
}


def impurities():
    """Explore where entropy, Gini and misclassification disagree: two splits of the same cases.

    Split A makes both sides purer, split B splits off a few cases of one class.

    Examples
    --------
    >>> impurities()
    Which split is better, A or B?: Split B splits off 4 of 8 cases of class 1. By entropy B is \
better, 0.311 to 0.189; by Gini B is better, 0.167 to 0.125; by misclassification they are equal, \
0.250 to 0.250.
    """
    splits = {"2": [[6, 2], [2, 6]], "3": [[5, 1, 1], [1, 5, 5]]}
    numbers = range(1, 7)

    def view(classes, place):
        split_a = np.array(list(splits.values())[classes])
        everything, number = split_a.sum(axis=0), numbers[place]
        off = np.zeros_like(everything)
        off[0] = number
        split_b = np.array([off, everything - off])
        words, table = [], {}
        for name, impurity in _IMPURITIES.items():
            a, b = measures.gain(split_a, impurity), measures.gain(split_b, impurity)
            better = "they are equal" if math.isclose(a, b) else f"{'AB'[int(b > a)]} is better"
            words.append(f"by {name} {better}, {max(a, b):.3f} to {min(a, b):.3f}")
            table[name] = {"A": f"{a:.3f}", "B": f"{b:.3f}", "better": better}
        words = "; ".join(words)
        labels = [f"class {k}" for k in range(1, len(everything) + 1)]
        table = pd.DataFrame(table).T.rename_axis("impurity lowered by")
        return View(
            f"Split B splits off {number} of {everything[0]} cases of class 1. "
            f"{words[0].upper()}{words[1:]}.",
            (
                plot.class_counts(split_a, classes=labels, names=["A, left", "A, right"]),
                plot.class_counts(split_b, classes=labels, names=["B, left", "B, right"]),
                table,
            ),
        )

    controls = (
        Control("Classes", splits, kind="choice"),
        Control("Cases that B splits off", numbers, start=3),
    )
    return Explorable("Which split is better, A or B?", controls, view)


def pruning(X, y, confidences=(0.5, 0.25, 0.05)):
    """Explore how C4.5 prunes: each node's leaf, subtree and raised branch, and what wins.

    Parameters
    ----------
    X, y : the cases that the tree is grown on, and pruned with.
    confidences : the confidences to choose from, two or more.

    Examples
    --------
    >>> from dtreebook.datasets import load_golf
    >>> pruning(*load_golf(return_X_y=True))
    C4.5 prunes, node by node: Confidence 0.25, node 3 of 3, outlook? at the root: in as many new \
cases a leaf is expected to make 6.79 errors, the subtree 5.39, its largest branch 7.74. C4.5 \
decides: keep it.
    """
    full, cases = C45Classifier(confidence=None).fit(X, y).tree_, read_cases(X, y)
    looks = [
        [(tree, each) for tree, made in stages(full, cases, confidence) for each in made or [None]]
        for confidence in confidences
    ]

    def view(chosen, place):
        looked = looks[chosen]
        tree, made = looked[min(place, len(looked) - 1)]
        words = f"Confidence {confidences[chosen]:g}"
        if made is None:
            return View(
                f"{words}, pruned: of {full.node_count} nodes {tree.node_count} are left.",
                (plot.tree(tree),),
            )
        lit = {made.path[:n]: 1 for n in range(len(made.path) + 1)}
        where = " and ".join(tree.conditions(made.path)) or "the root"
        estimates = {"leaf": made.leaf, "subtree": made.subtree, "largest branch": made.branch}
        wins = {Choice.LEAF: "leaf", Choice.KEEP: "subtree", Choice.BRANCH: "largest branch"}
        return View(
            f"{words}, node {place + 1} of {len(looked) - 1}, "
            f"{tree.attributes[made.split.attribute].name}? at {where}: in as many new cases a "
            f"leaf is expected to make {made.leaf:.2f} errors, the subtree {made.subtree:.2f}, its "
            f"largest branch {made.branch:.2f}. C4.5 decides: {made.choice}.",
            (plot.scores(estimates, "errors to expect", wins[made.choice]),
             plot.tree(tree, lit=lit)),
        )  # fmt: skip

    most = max(map(len, looks))
    start = next(
        (i for i, (_, made) in enumerate(looks[1]) if made and made.choice is not Choice.KEEP),
        len(looks[1]) - 2,
    )
    controls = (
        Control("Confidence", confidences, start=1, kind="choice"),
        Control("Node", [*map(str, range(1, most)), "the end"], start=start, kind="steps"),
    )
    return Explorable("C4.5 prunes, node by node", controls, view)

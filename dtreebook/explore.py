"""The explorables of the book: each is a function that returns an `Explorable`.

What they say and draw comes from the measures, trees and records of the package; they compute
nothing of their own. To add one, write a function here.
"""

import math
from itertools import combinations

import numpy as np
import pandas as pd

from dtreebook import measures, plot
from dtreebook.c45 import C45Classifier
from dtreebook.cart import CARTClassifier, CARTRegressor
from dtreebook.complexity import cp_table, one_standard_error, prune_at
from dtreebook.data import encode, read_cases
from dtreebook.error_based import Choice, stages
from dtreebook.explorable import Control, Explorable, View
from dtreebook.grow import Reason
from dtreebook.id3 import ID3Classifier
from dtreebook.missing import flow
from dtreebook.picture import in_short
from dtreebook.search import TIE, least_beside, middle
from dtreebook.tables import two_sides


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
house, credit. CART asks whether house = no, which lowers the Gini impurity most, by 0.213.
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
        picks = " ".join(
            pick(X_here, y_here) for pick in (_pick_of_id3, _pick_of_c45, _pick_of_cart)
        )
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


def _pick_of_cart(X, y):
    decision = CARTClassifier(max_depth=1).decisions(X, y)[0]
    if decision.chosen is None:
        return f"CART asks nothing: {decision.reason}."
    split = decision.chosen.split
    words = split.words(read_cases(X, y).attributes[split.attribute])[0]
    lowers = decision.chosen.parts["decrease"]
    return f"CART asks whether {words}, which lowers the Gini impurity most, by {lowers:.3f}."


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
    target = pd.Categorical(classes)
    known, tables = two_sides(values, target.codes, len(target.categories))
    middles, gains = middle(known[:-1], known[1:]), measures.information_gain(tables)
    least = float(least_beside(len(values), len(set(classes)), C45Classifier().min_cases))
    allowed = tables.sum(axis=2).min(axis=1) >= least
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
            (plot.cut(values, classes, middles[place], least=least),),
        )

    labels = [f"{at:g}" for at in middles]
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


def subsets(values, classes):
    """Explore which values of a nominal attribute CART puts together: every cut of one order.

    Parameters
    ----------
    values : Series of nominal values, three to ten different ones.
    classes : the class of each case, one of two.

    Raises
    ------
    ValueError
        If there are not two classes, or not as many values.

    Examples
    --------
    >>> from dtreebook.datasets import load_tennis
    >>> tennis = load_tennis()
    >>> subsets(tennis.data["outlook"], tennis.target)
    Two groups of outlook: By the share of yes in order: sunny 0.40, rainy 0.60, overcast 1.00. \
With sunny, rainy on one side and overcast on the other the Gini impurity falls by 0.102, the most \
of 2 cuts of this order. All 3 ways to make two groups were tried: the best also lowers it by \
0.102.
    """
    table = pd.crosstab(values, classes)
    if table.shape[1] != 2 or not 3 <= len(table) <= 10:
        raise ValueError(
            f"subsets needs two classes and three to ten values, not {table.shape[1]} and "
            f"{len(table)}: for more classes there is no such order"
        )
    name, label = table.index.name, table.columns[1]
    share = table[label] / table.sum(axis=1)
    order = share.sort_values(kind="stable").index
    table = table.loc[order].to_numpy()

    def decrease(group):
        here = table[list(group)].sum(axis=0)
        return float(measures.gain(np.array([here, table.sum(axis=0) - here]), measures.gini))

    others = range(1, len(order))  # the first value is always in the group that is named
    groups = [(0, *some) for n in range(len(order) - 1) for some in combinations(others, n)]
    every_way = [decrease(group) for group in groups]
    cuts = [decrease(range(place + 1)) for place in range(len(order) - 1)]
    best = int(np.argmax(cuts))

    def view(place):
        left, right = map(", ".join, (map(str, order[: place + 1]), map(str, order[place + 1 :])))
        is_best = math.isclose(cuts[place], cuts[best])
        rank = "the most" if is_best else "not the most"
        return View(
            f"By the share of {label} in order: "
            f"{', '.join(f'{value} {share[value]:.2f}' for value in order)}. With {left} on one "
            f"side and {right} on the other the Gini impurity falls by {cuts[place]:.3f}, {rank} "
            f"of {len(cuts)} cuts of this order. All {len(every_way)} ways to make two groups were "
            f"tried: the best {'also ' * is_best}lowers it by {max(every_way):.3f}.",
            (
                plot.scores({str(value): share[value] for value in order}, f"share of {label}"),
                plot.strip(every_way, cuts, place, "fall of the Gini impurity, every way"),
            ),
        )

    labels = [f"after {value}" for value in order[:-1]]
    return Explorable(f"Two groups of {name}", (Control("Cut", labels, start=best),), view)


def refinement(x, y, depths=6):
    """Explore how a regression tree refines a curve, depth by depth.

    Parameters
    ----------
    x, y : Series of numbers.
    depths : the largest depth.

    Examples
    --------
    >>> from dtreebook.datasets import load_ten_points
    >>> x, y = load_ten_points(return_X_y=True)
    >>> refinement(x.iloc[:, 0], y, depths=3)
    A tree draws a curve: Depth 2: 4 leaves leave a squared error of 0.30 of 19.11; the last level \
saved 1.63 of it.
    """
    x, y = pd.Series(x), pd.Series(y)
    X = x.to_frame(x.name or "x")
    trees = [CARTRegressor(max_depth=depth).fit(X, y).tree_ for depth in range(depths + 1)]
    errors = [float(tree.risk[tree.flat.first_child == 0].sum()) for tree in trees]

    def view(depth):
        tree, error = trees[depth], errors[depth]
        cuts = sorted(split.cut for split in tree.flat.split if split is not None)
        ends = np.array([*cuts, np.inf])
        leaves = tree.route((np.where(np.isinf(ends), x.max(), ends),))
        leaf = f"{tree.n_leaves} lea{'f leaves' if tree.n_leaves == 1 else 'ves leave'}"
        saved = f"; the last level saved {errors[depth - 1] - error:.2f} of it" if depth else ""
        return View(
            f"Depth {depth}: {leaf} a squared error of {error:.2f} of {errors[0]:.2f}{saved}.",
            (
                plot.staircase(
                    x, y, cuts, tree.flat.label[leaves], x_label=X.columns[0], y_label=y.name or "y"
                ),
            ),
        )

    control = Control("Depth", range(depths + 1), start=min(2, depths), kind="steps")
    return Explorable("A tree draws a curve", (control,), view)


def surrogates(X, y):
    """Explore what stands in for the first question of CART when its value is unknown.

    Parameters
    ----------
    X : DataFrame.
    y : the classes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> surrogates(*load_iris(return_X_y=True, as_frame=True))
    Who stands in?: The tree asks whether petal length (cm) <= 2.45. If that is unknown, the best \
stand-in asks whether petal width (cm) <= 0.8: it sends 150 of 150 cases the same way, its \
agreement is 1.000. Sending all with the majority would be right for 100.
    """
    tree = CARTClassifier(max_depth=1, max_surrogates=5).fit(X, y).tree_
    root, columns = tree.root, encode(X, tree.attributes)
    asked = tree.branch_words(root)
    by_test = root.split.branch(columns[root.split.attribute])
    majority = int(max(np.bincount(by_test[by_test >= 0], minlength=2)))

    def words(surrogate):
        branches = surrogate.split.words(tree.attributes[surrogate.split.attribute])
        return branches[::-1] if surrogate.flipped else branches

    def view(place):
        surrogate = root.surrogates[place]
        by_other = surrogate.branch(columns[surrogate.split.attribute])
        known = (by_test >= 0) & (by_other >= 0)
        same = int((by_test == by_other)[known].sum())
        table = np.zeros((2, 2))
        np.add.at(table, (by_test[known], by_other[known]), 1)
        rank = ["the best", "the second best", "the third", "the fourth", "the fifth"][place]
        return View(
            f"The tree asks whether {asked[0]}. If that is unknown, {rank} stand-in asks whether "
            f"{words(surrogate)[0]}: it sends {same} of {known.sum()} cases the same way, its "
            f"agreement is {surrogate.agreement:.3f}. Sending all with the majority would be right "
            f"for {majority}.",
            (
                plot.class_counts(
                    table, names=asked, classes=words(surrogate), title="who goes where"
                ),
            ),
        )

    options = [words(surrogate)[0] for surrogate in root.surrogates]
    return Explorable("Who stands in?", (Control("Stand-in", options, kind="choice"),), view)


def weakest_links(X, y, folds=10):
    """Explore pruning by alpha: leaves fold, and cross-validation says how far.

    Parameters
    ----------
    X : DataFrame.
    y : the classes.
    folds : as in `dtreebook.complexity.cp_table`; an array of the fold of each case is the same
        every time.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> weakest_links(*load_iris(return_X_y=True, as_frame=True), np.arange(150) % 10)
    The price of a leaf: At an alpha of 0.003 errors a case the tree has 7 leaves. It errs on \
0.010 of what the root does, cross-validated on 0.060 plus or minus 0.024. One standard error \
chooses the tree with 7 leaves, 0.060.
    """
    model = CARTClassifier().fit(X, y)
    table, full = cp_table(CARTClassifier(), X, y, folds), model.tree_
    chosen = one_standard_error(table)
    alphas = table["cp"] * full.risk[0] / full.root.weight

    def view(step):
        place = len(table) - 1 - step  # from the full tree to the root
        row, best = table.loc[place], table.loc[chosen]
        tree = prune_at(full, alphas[place])
        leaves = f"{tree.n_leaves} lea{'f' if tree.n_leaves == 1 else 'ves'}"
        return View(
            f"At an alpha of {alphas[place]:.3f} errors a case the tree has {leaves}. It errs on "
            f"{row['relative_error']:.3f} of what the root does, cross-validated on "
            f"{row['cv_error']:.3f} plus or minus {row['cv_std']:.3f}. One standard error chooses "
            f"the tree with {int(best['n_splits']) + 1} leaves, {best['cv_error']:.3f}.",
            (plot.pruning_errors(table, place), plot.tree(tree)),
        )

    labels = [f"{alpha:.3f}" for alpha in alphas[::-1]]
    start = len(table) - 1 - chosen
    control = Control("Alpha, the price of a leaf", labels, start=start, kind="steps")
    return Explorable("The price of a leaf", (control,), view)


def instability(X, y, samples=10, depth=2):
    """Explore how a tree changes when its cases are drawn again: what stays and what moves.

    Parameters
    ----------
    X : DataFrame.
    y : the classes.
    samples : how many times to draw as many cases, with replacement.
    depth : of the trees.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> instability(*load_iris(return_X_y=True, as_frame=True))
    The same question from other cases?: All cases: the first question is petal length (cm) <= \
2.45. Of 10 samples, 9 ask for petal length (cm) first, at 3 different cuts.
    """
    draw = np.random.default_rng(0)
    rows = [np.arange(len(X)), *(draw.integers(len(X), size=(samples, len(X))))]
    trees = [CARTClassifier(max_depth=depth).fit(X.iloc[some], y.iloc[some]).tree_ for some in rows]
    first = [tree.branch_words(tree.root)[0] for tree in trees]
    asked = [tree.attributes[tree.root.split.attribute].name for tree in trees]

    def view(place):
        name = asked[place]
        alike = [words for words, other in zip(first[1:], asked[1:], strict=True) if other == name]
        which = "All cases" if place == 0 else f"Sample {place}"
        cuts = len(set(alike))
        ask = "asks" if len(alike) == 1 else "ask"
        return View(
            f"{which}: the first question is {first[place]}. Of {samples} samples, {len(alike)} "
            f"{ask} for {name} first, at {cuts} different cut{'s' * (cuts != 1)}.",
            (plot.tree(trees[place]),),
        )

    options = ["all cases", *(f"sample {n}" for n in range(1, samples + 1))]
    control = Control("Grown from", options, kind="steps")
    return Explorable("The same question from other cases?", (control,), view)

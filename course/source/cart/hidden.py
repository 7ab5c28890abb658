"""Gini, binary splits and regression trees: what the questions ask for, and data to grade with."""

from itertools import combinations, pairwise
from statistics import median

import numpy as np
from checks import seldom, some_close_cuts, some_counts, some_numbers, some_words
from visible import STEPS, assignment


def gini(counts):
    return 1 - sum((n / sum(counts)) ** 2 for n in counts)


def gini_gain(left, right):
    both = [a + b for a, b in zip(left, right, strict=True)]
    after = sum(sum(side) / sum(both) * gini(side) for side in (left, right))
    return gini(both) - after


def sides(inside, classes):
    labels = sorted(set(classes))
    return [
        [
            sum(i == side and c == label for i, c in zip(inside, classes, strict=True))
            for label in labels
        ]
        for side in (True, False)
    ]


def best(scored):
    """Return the first of (what, score) with the largest score, but for rounding."""
    scored = list(scored)
    return next((pair for pair in scored if pair[1] >= max(s for _, s in scored) - 1e-9), None)


def middles(values):
    return [(low + high) / 2 for low, high in pairwise(sorted(set(values)))]


def best_cut(values, classes):
    return best((c, gini_gain(*sides([v <= c for v in values], classes))) for c in middles(values))


def groups(values):
    first, *rest = sorted(set(values))
    return [[first, *some] for n in range(len(rest)) for some in combinations(rest, n)]


def best_group(values, classes):
    return best((g, gini_gain(*sides([v in g for v in values], classes))) for g in groups(values))[
        0
    ]


def mean(y):
    return sum(y) / len(y)


def squared_error(y):
    middle = mean(y)
    return sum((value - middle) ** 2 for value in y)


def saving(x, y, cut):
    pairs = list(zip(x, y, strict=True))
    left, right = [b for a, b in pairs if a <= cut], [b for a, b in pairs if a > cut]
    return squared_error(y) - squared_error(left) - squared_error(right)


def best_cut_for_numbers(x, y):
    return best((cut, saving(x, y, cut)) for cut in middles(x))


def grow(x, y, depth):
    found = best_cut_for_numbers(x, y) if depth else None
    if not found or found[1] <= 1e-9:
        return mean(y)
    pairs = list(zip(x, y, strict=True))
    left, right = [p for p in pairs if p[0] <= found[0]], [p for p in pairs if p[0] > found[0]]
    return {
        "cut": found[0],
        "left": grow(*zip(*left, strict=True), depth - 1),
        "right": grow(*zip(*right, strict=True), depth - 1),
    }


def predict(tree, x):
    while isinstance(tree, dict):
        tree = tree["left" if x <= tree["cut"] else "right"]
    return tree


def my_curve(x, y):
    cut, saved = best_cut_for_numbers(x, y)
    return {
        "error": squared_error(y),
        "cut": cut,
        "saving": saved,
        "at_50": predict(grow(x, y, 2), 50),
    }


random = np.random.default_rng(5)
COUNTS = [[7, 2], [3, 5, 1], [40, 1, 1, 8]]
PAIRS = [([5, 1], [2, 6]), ([9, 1, 4], [0, 2, 3])]
NUMBERS = [random.integers(0, 12, 25).tolist(), [12.5, -3.0, 7.25, 0.0, 7.5, 99.0]]
LABELS = [random.choice(list("abc"), 25).tolist(), list("baaaba")]
NAMES = random.choice(list("pqrst"), 60).tolist()
BINARY = ["yes" if (name in "pst") ^ (random.random() < 0.2) else "no" for name in NAMES]
THREE = [("p", "q", "r")[(name in "ps") + (name in "qs")] for name in NAMES]
X = random.choice(50, 20, replace=False).tolist()
Y = [round(float(v), 2) for v in np.where(np.array(X) > 30, 9, 2) + random.normal(0, 1, 20)]


def unweighted(left, right):
    both = [a + b for a, b in zip(left, right, strict=True)]
    return gini(both) - (gini(left) + gini(right)) / 2


def below(values, cut):
    return max(value for value in values if value <= cut)


def around_median(y):
    return sum((value - median(y)) ** 2 for value in y)


# --- inputs by chance, within the wording ---------------------------------------------------------


def some_sides(random):
    n = random.integers(1, 5)
    left, right = some_counts(random, n), some_counts(random, n)
    longer = max(len(left), len(right))
    return [*left, *[0] * (longer - len(left))], [*right, *[0] * (longer - len(right))]


def gain_of_table(table):
    return gini_gain(*table)


def some_measured(random):
    if seldom(random, 0.02):
        return some_close_cuts(random, gain_of_table)
    values = some_numbers(random)
    return values, some_words(random, len(values))


def some_names(random):
    if seldom(random, 0.05):
        return (random.choice(list("klmnopqrs"), 60).tolist(),)
    return (some_words(random, random.integers(1, 9), "pqrst"),)


def some_groups(random):
    """Return values and classes of which one group gains most: there are no ties in the wording."""
    while True:
        n, letters = random.integers(2, 13), "pqrs"
        if seldom(random, 0.06):
            n, letters = (40, "klmnopqrs") if seldom(random, 0.5) else (700, letters)
        values, classes = some_words(random, n, letters), some_words(random, n)
        if len(set(values)) < 2:
            continue
        scored = [gini_gain(*sides([v in g for v in values], classes)) for g in groups(values)]
        if sum(score >= max(scored) - 1e-6 for score in scored) == 1:
            return values, classes


def some_y(random, n):
    """Return numbers, now and then large, close together or far apart."""
    y = random.integers(0, random.integers(1, 7), n) * random.choice([0.5, 1])
    return (y * (20_000 if seldom(random) else 1) + (1e8 if seldom(random) else 0)).tolist()


def some_pairs(random):
    if seldom(random, 0.02):
        x, classes = some_close_cuts(random, gain_of_table)
        return x, [int(label == "a") for label in classes]
    x = some_numbers(random)
    if seldom(random, 0.05):  # large, and so without ties
        return x, (1e6 + random.random(len(x))).tolist()
    y = random.integers(0, random.integers(1, 7), len(x)) * random.choice([7e-4, 0.01, 0.5, 1])
    return x, y.tolist()


def some_growth(random):
    """Return x, y and a depth; one in twenty makes a tree as deep as it has leaves."""
    if seldom(random, 0.05):
        n = int(random.integers(8, 14))
        return list(range(n)), [2.0**k for k in range(n)], n
    return *some_pairs(random), int(random.integers(0, 4))


def some_query(random):
    """Return a tree and a number, which is often a cut itself."""
    tree = grow(*some_pairs(random), int(random.integers(0, 4)))
    cuts, below = [0.5], [tree]
    for part in below:
        if isinstance(part, dict):
            cuts.append(part["cut"])
            below += [part["left"], part["right"]]
    cut = cuts[random.integers(len(cuts))]
    near = [cut, cut + 0.25, cut - 0.25, cut + 5, cut - 5, np.nextafter(cut, 99), cut]
    return tree, float(near[random.integers(len(near))])


assignment.hidden(
    reference={
        f.__name__: f
        for f in (
            gini,
            gini_gain,
            best_cut,
            groups,
            best_group,
            squared_error,
            best_cut_for_numbers,
            grow,
            predict,
            my_curve,
        )
    },
    data={
        ("gini", "is the chance that two cases differ in class"): [(n, gini(n)) for n in COUNTS],
        ("gini", "depends on shares, not on how many cases there are"): [(n,) for n in COUNTS],
        ("gini", "is 0 where all cases are of one class"): [([3],), ([0, 0, 8],), ([2, 0],)],
        ("gini", "is largest where all classes are equally frequent"): [
            ([3, 3, 3], [4, 3, 2]),
            ([9, 9], [10, 8]),
        ],
        ("gini", "leaves its input as it was"): [(n,) for n in COUNTS],
        ("gini_gain", "is the impurity before minus the weighted impurity after"): [
            (
                a,
                b,
                gini_gain(a, b),
                unweighted(a, b),
                gini([p + q for p, q in zip(a, b, strict=True)]),
            )
            for a, b in PAIRS
        ],
        ("gini_gain", "is 0 if both sides have the same shares"): [
            ([3, 1, 2], [6, 2, 4], [1, 5, 0]),
        ],
        ("gini_gain", "does not care which side is which"): PAIRS,
        ("gini_gain", "leaves its input as it was"): PAIRS,
        ("best_cut", "finds the cut with the largest gain"): [
            (v, c, best_cut(v, c), below(v, best_cut(v, c)[0]))
            for v, c in zip(NUMBERS, LABELS, strict=True)
        ],
        ("best_cut", "takes the smallest of equal cuts"): [
            ([1, 2, 4], list("aba"), [1.5, 1], [3, 2]),
            # equal but for rounding
            ([4, 2, 4, 2, 1, 6, 7, 0, 2, 5], list("babbbbaaab"), [0.5, 0], [3, 2]),
        ],
        ("best_cut", "does not depend on the order of the cases"): [
            (v, c) for v, c in zip(NUMBERS, LABELS, strict=True)
        ],
        ("best_cut", "gives None where nothing can be cut"): [
            ([0.5] * 4, list("abba")),
            ([1], ["a"]),
        ],
        ("best_cut", "leaves its input as it was"): [(NUMBERS[1], LABELS[1])],
        ("groups", "finds every way to make two groups"): [
            (values, sorted(groups(values))) for values in (["y", "x"], list("dbcad"), NAMES)
        ],
        ("groups", "doubles with each value, and one more"): [(5,), (3,)],
        ("groups", "finds none for a single value"): [(["k"],)],
        ("best_group", "gains most of all groups"): [
            (NAMES, classes, best_group(NAMES, classes)) for classes in (BINARY, THREE)
        ],
        ("best_group", "also looks at groups that no order puts together"): [
            (list("aabbccdd"), list("xxyyyyxx"), ["a", "d"]),
        ],
        ("best_group", "leaves its input as it was"): [(NAMES, BINARY)],
        ("squared_error", "is the sum of squares around the mean"): [
            (y, squared_error(y), around_median(y)) for y in ([0.5, 1.25, 9], Y, [-3, 7, 7, 9])
        ],
        ("squared_error", "is 0 if all numbers are equal"): [([7, 7, 7],), ([-2.5],)],
        ("squared_error", "does not change if all numbers are larger"): [(Y, 1e8)],
        ("squared_error", "leaves its input as it was"): [(Y,)],
        ("best_cut_for_numbers", "saves most squared error"): [
            (x, y, best_cut_for_numbers(x, y), below(x, best_cut_for_numbers(x, y)[0]))
            for x, y in ((X, Y), (NUMBERS[1], [3, 1, 2, 1, 9, 8]))
        ],
        ("best_cut_for_numbers", "takes the smallest of equal cuts"): [
            ([0, 4, 6], [7, 2, 7], [2, 0], [5, 4]),
        ],
        ("best_cut_for_numbers", "gives None where nothing can be cut"): [([0.5] * 3, [1, 5, 2])],
        ("best_cut_for_numbers", "leaves its input as it was"): [(X, Y)],
        ("grow", "predicts the mean in a leaf"): [(X, Y, mean(Y), median(Y))],
        ("grow", "grows the whole tree"): [(X, Y, depth, grow(X, Y, depth)) for depth in (1, 3)],
        ("grow", "grows no deeper than it may"): [(X, Y, 1), (X, Y, 2)],
        ("grow", "stops where nothing is saved"): [([5, 1, 3], [-1.5] * 3, 4), ([0], [2], 1)],
        ("grow", "leaves its input as it was"): [(X, Y, 3)],
        ("predict", "follows the cuts to a leaf"): [
            (grow(X, Y, 3), x, predict(grow(X, Y, 3), x)) for x in (-1, 11.3, 28.9, 31.7, 60)
        ],
        ("predict", "sends a value equal to the cut to the left"): [
            (STEPS, 5.0, 6.0),
            (STEPS, 7.5, 20.0),
        ],
        ("predict", "knows a tree that is only a leaf"): [(-2.0, 3, -2.0)],
    },
    inputs={
        "gini": lambda random: (some_counts(random, random.integers(1, 6)),),
        "gini_gain": some_sides,
        "best_cut": some_measured,
        "groups": some_names,
        "best_group": some_groups,
        "squared_error": lambda random: (some_y(random, random.integers(1, 9)),),
        "best_cut_for_numbers": some_pairs,
        "grow": some_growth,
        "predict": some_query,
    },
    forms={"groups": lambda found: sorted(map(list, found)), "best_group": sorted},
)

"""Gain ratio, thresholds and missing values: what the questions ask for, and data to grade with."""

from math import log2

import numpy as np
from checks import (
    FALSE,
    ODD,
    seldom,
    some_cases,
    some_close_cuts,
    some_close_tables,
    some_columns,
    some_counts,
    some_numbers,
    some_odd,
    some_table,
    some_words,
)
from visible import TREE, assignment, without_zeros


def entropy(counts):
    return -sum(n / sum(counts) * log2(n / sum(counts)) for n in counts if n) + 0.0


def information_gain(table):
    left = sum(sum(row) / sum(map(sum, table)) * entropy(row) for row in table if sum(row))
    return entropy([sum(column) for column in zip(*table, strict=True)]) - left


def count_table(values, classes):
    pairs = list(zip(values, classes, strict=True))
    return [[pairs.count((v, c)) for c in sorted(set(classes))] for v in sorted(set(values))]


def split_information(sizes, unknown):
    return entropy([*sizes, unknown])


def gain_ratio(table):
    information = split_information([sum(row) for row in table], 0)
    return information_gain(table) / information if information else 0.0


def choose_by_ratio(tables):
    gains = {name: information_gain(table) for name, table in tables.items()}
    average = sum(gains.values()) / len(gains)
    ratios = {name: gain_ratio(tables[name]) for name in gains if gains[name] >= average - 1e-9}
    return next(name for name in ratios if ratios[name] >= max(ratios.values()) - 1e-9)


def cuts(values):
    return sorted(set(values))[:-1]


def best_cut(values, classes):
    gains = [
        (information_gain(count_table([v <= cut for v in values], classes)), cut)
        for cut in cuts(values)
    ]
    return next(((cut, g) for g, cut in gains if g >= max(gains)[0] - 1e-9), None)


def gain_with_unknown(values, classes):
    known = [(v, c) for v, c in zip(values, classes, strict=True) if v is not None]
    if not known:
        return 0.0
    return len(known) / len(values) * information_gain(count_table(*zip(*known, strict=True)))


def share_out(weight, sizes):
    return {value: weight * n / sum(sizes.values()) for value, n in sizes.items()}


def class_shares(tree, row):
    if "counts" in tree:
        return share_out(1, tree["counts"])
    value = row.get(tree["attribute"])
    parts = {value: 1} if value in tree["branches"] else share_out(1, tree["sizes"])
    shares = {}
    for branch, weight in parts.items():
        for label, share in class_shares(tree["branches"][branch], row).items():
            shares[label] = shares.get(label, 0) + weight * share
    return shares


def my_days(degrees, sky, classes):
    cut, gain = best_cut(degrees, classes)
    return {"cut": cut, "cut_gain": gain, "sky_gain": gain_with_unknown(sky, classes)}


random = np.random.default_rng(11)
TABLES = [random.integers(1, 12, shape).tolist() for shape in ((2, 2), (3, 2), (2, 4), (5, 3))]
NUMBERS = [random.integers(0, 9, 25).tolist(), [12.5, -3.0, 7.25, 0.0, 7.5, 99.0]]
LABELS = [random.choice(list("abc"), 25).tolist(), list("baaaba")]
KNOWN = random.choice(list("pqr"), 25).tolist()
PARTLY = [None if random.random() < 0.3 else value for value in KNOWN]
GUARDED = {
    "few": [[0, 2], [20, 18]],
    "many": [[6, 0], [6, 4], [4, 6], [4, 2], [0, 8]],
    "none": [[10, 10], [10, 10]],
}
STRONG = {
    "number": [[k, 0] if k % 2 else [0, k] for k in range(1, 9)],
    "middle": [[15, 2], [1, 18]],
}


def known_gain(values, classes):
    pairs = [(v, c) for v, c in zip(values, classes, strict=True) if v is not None]
    return information_gain(count_table(*zip(*pairs, strict=True)))


def as_value(values, classes):
    return information_gain(count_table([str(v) for v in values], classes))


# --- inputs by chance, within the wording ---------------------------------------------------------


def some_sizes(random):
    return some_counts(random, random.integers(1, 6)), random.integers(0, 9).item() / 2


def some_tables(random):
    """Return tables of the same cases by some attributes, some of them with many values."""
    if seldom(random, 0.02):
        worse, better = some_close_tables(random, information_gain)
        return ({"w": worse, "u": better},)
    if seldom(random, 0.02):
        worse, better = some_close_tables(random, gain_ratio)
        return ({"w": worse, "u": better, "v": [[50, 50], [50, 50]]},)
    n = 1 + some_cases(random, 11)
    classes = some_words(random, n, "ab" if seldom(random, 0.5) else "abc")
    names = random.permutation(list("uvwxyz"))[: random.integers(1, 5)].tolist()
    letters = ("ab", "abc", "abcdefgh")
    columns = some_columns(random, names, n, letters)
    return ({name: count_table(values, classes) for name, values in columns.items()},)


def some_measured(random):
    if seldom(random, 0.02):
        return some_close_cuts(random, information_gain)
    values = some_numbers(random)
    return values, some_words(random, len(values))


def some_unknown(random):
    n, share = random.integers(1, 11), random.choice([0, 0.3, 0.8])
    known = some_words(random, n, "pqr")
    if seldom(random):
        known = random.choice(FALSE[random.integers(len(FALSE))], n).tolist()
    values = [None if random.random() < share else value for value in known]
    return values, some_words(random, n)


def some_dictionary(random):
    sizes = some_counts(random, random.integers(1, 5))
    names = ODD[random.integers(4)] if seldom(random) else list("stuvw")
    return dict(zip(random.permutation(names).tolist(), sizes, strict=False))


def some_tree(random, names=("sky", "wind", "heat"), kinds=("a", "b", "c")):
    """Return a tree that asks the attributes in their order."""
    if not names or seldom(random, 0.25):
        return {"counts": some_dictionary(random)}
    values = kinds[: random.integers(1, 4)]
    sizes = [int(random.integers(1, 6)), *random.integers(0, 6, len(values) - 1).tolist()]
    sizes[0] *= 1000 if seldom(random) else 1
    branches = {value: some_tree(random, names[1:], kinds) for value in values}
    return {
        "attribute": names[0],
        "sizes": dict(zip(values, sizes, strict=True)),
        "branches": branches,
    }


def some_case(random):
    kinds = some_odd(random) if seldom(random) else list("abc")
    values = [*kinds[:3], *kinds[:1], "d", None]
    names = [name for name in ("sky", "wind", "heat") if seldom(random, 0.8)]
    row = {name: values[random.integers(len(values))] for name in names}
    return some_tree(random, kinds=kinds), row


assignment.hidden(
    reference={
        f.__name__: f
        for f in (
            split_information,
            gain_ratio,
            choose_by_ratio,
            cuts,
            best_cut,
            gain_with_unknown,
            share_out,
            class_shares,
            my_days,
        )
    },
    data={
        ("split_information", "is the entropy of the values"): [
            (sizes, 0, entropy(sizes)) for sizes in ([4, 4], [9, 3, 1], [1, 0, 6, 2])
        ],
        ("split_information", "counts unknown values as one more value"): [
            (sizes, unknown, entropy([*sizes, unknown]), entropy(sizes))
            for sizes, unknown in (([4, 4], 4), ([9, 0, 1], 2.5))
        ],
        ("split_information", "is 0 if all cases have one value"): [([0, 3], 0), ([0], 2)],
        ("split_information", "leaves its input as it was"): [([0, 3, 4], 2)],
        ("gain_ratio", "is the gain divided by the split information"): [
            (
                table,
                gain_ratio(table),
                information_gain(table),
                entropy([sum(column) for column in zip(*table, strict=True)]),
            )
            for table in TABLES
        ],
        ("gain_ratio", "is 0 for an attribute with one value"): [
            ([[1, 0, 6]],),
            ([[4, 4], [0, 0]],),
        ],
        ("gain_ratio", "punishes values that only cut finer"): [
            ([[6, 2], [1, 3]], [[3, 1], [3, 1], [1, 3]]),
        ],
        ("gain_ratio", "leaves its input as it was"): [(table,) for table in TABLES],
        ("choose_by_ratio", "takes the largest ratio, not the largest gain"): [(STRONG, "middle")],
        ("choose_by_ratio", "is not taken in by a large ratio of a tiny gain"): [(GUARDED, "many")],
        ("choose_by_ratio", "takes the first of equal ratios"): [
            ({"z": TABLES[0], "m": TABLES[0][::-1], "a": TABLES[0]}, "z"),
            # equal but for rounding
            ({"v": [[0, 1, 1], [1, 2, 0]], "u": [[0, 2, 0], [1, 1, 1]]}, "v"),
        ],
        ("choose_by_ratio", "leaves its input as it was"): [(STRONG,), (GUARDED,)],
        ("cuts", "are the values but for the largest"): [([4.5, -1.0, 3.25], [-1.0, 3.25])],
        ("cuts", "names each value once"): [(NUMBERS[0], cuts(NUMBERS[0]))],
        ("cuts", "are none for a single value"): [([-7.5],), ([0, 0],)],
        ("cuts", "leaves its input as it was"): [(NUMBERS[0],)],
        ("best_cut", "finds the cut with the largest gain"): [
            (v, c, best_cut(v, c)) for v, c in zip(NUMBERS, LABELS, strict=True)
        ],
        ("best_cut", "takes the smallest of equal cuts"): [
            ([5, 1, 3, 9], list("baab"), [3]),
            ([1, 2, 3], list("aba"), [1, 2]),
            ([3, 1, 0, 3, 0], list("caccb"), [0, 1]),  # equal but for rounding
        ],
        ("best_cut", "does not depend on the order of the cases"): [
            (v, c) for v, c in zip(NUMBERS, LABELS, strict=True)
        ],
        ("best_cut", "gives None where nothing can be cut"): [
            ([0.5] * 4, list("abba")),
            ([1], ["a"]),
        ],
        ("best_cut", "leaves its input as it was"): [(NUMBERS[1], LABELS[1])],
        ("gain_with_unknown", "is the gain among the known, times their share"): [
            (
                PARTLY,
                labels,
                gain_with_unknown(PARTLY, labels),
                known_gain(PARTLY, labels),
                as_value(PARTLY, labels),
            )
            for labels in (LABELS[0], KNOWN)
        ],
        ("gain_with_unknown", "is the plain gain if all is known"): [
            (KNOWN, LABELS[0], gain_with_unknown(KNOWN, LABELS[0])),
        ],
        ("gain_with_unknown", "is 0 if nothing is known"): [([None] * 3, list("aba"))],
        ("gain_with_unknown", "leaves its input as it was"): [(PARTLY, LABELS[0])],
        ("share_out", "gives each branch its share"): [
            (w, sizes, share_out(w, sizes))
            for w, sizes in ((1, {"u": 7, "v": 1}), (0.25, {"x": 1, "y": 2, "z": 5}))
        ],
        ("share_out", "loses no weight"): [(0.2, {"p": 3.5, "q": 0, "r": 1})],
        ("share_out", "gives nothing to an empty branch"): [(0.5, {"p": 0, "q": 2, "r": 0})],
        ("share_out", "leaves its input as it was"): [(0.5, {"p": 0, "q": 2})],
        ("class_shares", "are those of the leaf where all is known"): [
            (TREE, {"sky": "rain"}, {"no": 2 / 3, "yes": 1 / 3}),
            ({"counts": {"c": 2, "d": 3, "e": 5}}, {}, {"c": 0.2, "d": 0.3, "e": 0.5}),
        ],
        ("class_shares", "are mixed where a value is unknown"): [
            (TREE, row, class_shares(TREE, row))
            for row in ({"sky": None, "wind": "gale"}, {"sky": "sun", "wind": None}, {})
        ],
        ("class_shares", "add up to 1 whatever is unknown"): [(TREE, {}), (TREE, {"sky": "sun"})],
        ("class_shares", "treat a value never seen as unknown"): [
            (TREE, {"sky": "sun", "wind": "storm"}, {"sky": "sun", "wind": None}),
        ],
        ("class_shares", "leaves its input as it was"): [(TREE, {})],
    },
    inputs={
        "split_information": some_sizes,
        "gain_ratio": lambda random: (some_table(random),),
        "choose_by_ratio": some_tables,
        "cuts": lambda random: (some_numbers(random),),
        "best_cut": some_measured,
        "gain_with_unknown": some_unknown,
        "share_out": lambda random: (
            random.random() * random.choice([1, 40]),
            some_dictionary(random),
        ),
        "class_shares": some_case,
    },
    forms={"class_shares": without_zeros},
)

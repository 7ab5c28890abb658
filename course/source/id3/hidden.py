"""ID3 from scratch: the functions asked for, and the data to grade with."""

from collections import Counter
from math import log2

import numpy as np
from checks import as_column, seldom, some_close_tables, some_odd, some_words
from visible import TREE, XOR, assignment


def entropy(classes):
    return -sum(n / len(classes) * log2(n / len(classes)) for n in Counter(classes).values())


def majority(classes):
    return min(set(classes), key=lambda label: (-classes.count(label), label))


def divide(rows, classes, attribute):
    parts = {}
    for row, label in zip(rows, classes, strict=True):
        part = parts.setdefault(row[attribute], ([], []))
        part[0].append(row)
        part[1].append(label)
    return parts


def gain(rows, classes, attribute):
    parts = divide(rows, classes, attribute).values()
    left = sum(len(part) / len(classes) * entropy(part) for _, part in parts)
    return entropy(classes) - left


def choose(rows, classes, attributes):
    dividing = [name for name in attributes if len({row[name] for row in rows}) > 1]
    gains = [gain(rows, classes, name) for name in dividing]
    return next((a for a, g in zip(dividing, gains, strict=True) if g >= max(gains) - 1e-9), None)


def grow(rows, classes, attributes):
    best = choose(rows, classes, attributes)
    if len(set(classes)) == 1 or best is None:
        return majority(classes)
    rest = [attribute for attribute in attributes if attribute != best]
    parts = divide(rows, classes, best).items()
    return {
        "attribute": best,
        "majority": majority(classes),
        "branches": {value: grow(*part, rest) for value, part in parts},
    }


def predict(tree, row):
    while isinstance(tree, dict):
        tree = tree["branches"].get(row.get(tree["attribute"]), tree["majority"])
    return tree


def rules(tree):
    if isinstance(tree, str):
        return [({}, tree)]
    return [
        ({tree["attribute"]: value, **conditions}, label)
        for value, branch in tree["branches"].items()
        for conditions, label in rules(branch)
    ]


def my_plants(rows, classes, attributes):
    tree = grow(rows, classes, attributes)
    right = [predict(tree, row) == label for row, label in zip(rows, classes, strict=True)]
    return {"root": tree["attribute"], "leaves": len(rules(tree)), "accuracy": np.mean(right)}


random = np.random.default_rng(3)
ATTRIBUTES = ["u", "v", "w", "x"]
ROWS = [{name: str(random.choice(list("123"))) for name in ATTRIBUTES} for _ in range(40)]
CLASSES = [("b", "c", "a")[(row["v"] > "1") + (row["x"] == row["u"])] for row in ROWS]
NOISY = random.choice(list("abc"), 40).tolist()
PARITY = [str((row["a"] == row["b"]) * 1) for row in XOR * 2]
GROWN = grow(ROWS, CLASSES, ATTRIBUTES)
ONE = [{"u": "1", "v": "1"}] * 5
ROUNDED = [dict(zip("vw", row, strict=True)) for row in ("12", "22", "21", "11", "11")]

# --- inputs by chance, within the wording ---------------------------------------------------------


def some_classes(random, n, odd):
    """Return classes; of many cases, most are often of one class."""
    if n > 20 and seldom(random, 0.5):
        return random.choice(["b", "a"], n, p=[0.97, 0.03]).tolist()
    return some_words(random, n, often=odd)


def some_cases(random, odd=0.2):
    """Return rows, classes and attributes: few, so that ties and dead ends are common."""
    n, most = random.integers(1, 11), 5
    values = list("123")[: random.integers(1, 4)]
    if seldom(random, 0.08):
        n, most, values = random.integers(50, 300), 13, ["1", "2"]
    elif seldom(random, odd):
        values = some_odd(random)
        n = 40 if len(values) > 9 else n
    elif seldom(random, odd):
        values[0] = ""
    names = random.permutation([*ATTRIBUTES, *"qrstyzAB"] if most > 5 else ATTRIBUTES)
    names = names[: random.integers(most // 2, most)].tolist()
    rows = [{name: values[random.integers(len(values))] for name in names} for _ in range(n)]
    if n > 20 and seldom(random, 0.5):  # columns that are nearly the same
        for place, name in enumerate(names[1:], start=1):
            for row in rows[place:]:
                row[name] = row[names[0]]
    return rows, some_classes(random, n, odd), names


def gain_of_table(table):
    bits = [n * log2(n / sum(row)) for row in table for n in row if n]
    return sum(bits) / sum(map(sum, table))  # and the entropy of the classes, which is the same


def some_choice(random):
    if seldom(random, 0.02):
        worse, better = map(as_column, some_close_tables(random, gain_of_table))
        rows = [{"u": u, "v": v} for u, v in zip(worse, better, strict=True)]
        return rows, ["a"] * 100 + ["b"] * 100, ["u", "v"]
    rows, classes, names = some_cases(random)
    asked = names if len(rows) > 10 else names[: random.integers(0, len(names) + 1)]
    return rows, classes, asked


def some_division(random):
    rows, classes, names = some_cases(random)
    return rows, classes, names[0]


def some_row(random):
    """Return a tree and a row, which may lack answers or give new ones."""
    rows, classes, names = some_cases(random, 0.7)
    values = [*dict.fromkeys(row[name] for row in rows for name in names), "4"]
    values.append(str(values[0]))
    known = random.choice([0.5, 1])
    row = {n: values[random.integers(len(values))] for n in names if seldom(random, known)}
    return grow(rows, classes, names), row


assignment.hidden(
    reference={
        f.__name__: f for f in (majority, divide, gain, choose, grow, predict, rules, my_plants)
    },
    data={
        ("majority", "is the most common class"): [(CLASSES, majority(CLASSES)), (["z"], "z")],
        ("majority", "is the first in the alphabet of equals"): [(list("zyxzyx"), "x")],
        ("majority", "leaves its input as it was"): [(NOISY,)],
        ("divide", "puts every case under its value"): [
            (ROWS, CLASSES, name, divide(ROWS, CLASSES, name)) for name in ATTRIBUTES
        ],
        ("divide", "loses no case and invents none"): [(ROWS, NOISY, "w")],
        ("divide", "leaves its input as it was"): [(ROWS, CLASSES, "u")],
        ("gain", "is the information gain in bits"): [
            (ROWS, classes, name, gain(ROWS, classes, name), entropy(classes))
            for name in ATTRIBUTES
            for classes in (CLASSES, NOISY)
        ],
        ("gain", "weighs each value by its cases"): [(ROWS, CLASSES, "v"), (ROWS, NOISY, "w")],
        ("gain", "is 0 for an attribute that tells nothing"): [(XOR * 2, PARITY, "b")],
        ("gain", "leaves its input as it was"): [(ROWS, CLASSES, "v")],
        ("choose", "takes the largest gain"): [
            (ROWS, CLASSES, ATTRIBUTES, choose(ROWS, CLASSES, ATTRIBUTES)),
            (ROWS, NOISY, ATTRIBUTES[::-1], choose(ROWS, NOISY, ATTRIBUTES[::-1])),
        ],
        ("choose", "takes the first of equal gains"): [
            (XOR * 2, PARITY, ["a", "b"], "a"),
            (XOR * 2, PARITY, ["b", "a"], "b"),
            (ROUNDED, list("aacab"), ["v", "w"], "v"),  # equal but for rounding
        ],
        ("choose", "asks on though nothing is gained yet"): [(XOR * 2, PARITY, ["b", "a"])],
        ("choose", "gives None if no attribute divides the cases"): [
            (ONE, list("ababa"), ["u", "v"]),
            (ROWS, NOISY, []),
        ],
        ("grow", "stops at a class of its own"): [(ROWS, ["k"] * 40, ATTRIBUTES, "k")],
        ("grow", "stops when no attribute is left"): [
            (ONE, list("zabza"), ["u", "v"], "a"),
            (ROWS, NOISY, [], majority(NOISY)),
        ],
        ("grow", "grows the whole tree"): [
            (ROWS, classes, ATTRIBUTES, grow(ROWS, classes, ATTRIBUTES))
            for classes in (CLASSES, NOISY)
        ],
        ("grow", "asks no question twice on a path"): [
            (ROWS, NOISY, ATTRIBUTES),
            (XOR * 2, PARITY, ["b", "a"]),
        ],
        ("grow", "leaves its input as it was"): [(ROWS, NOISY, ATTRIBUTES)],
        ("predict", "follows the answers to a leaf"): [
            (GROWN, row, predict(GROWN, row)) for row in ROWS
        ],
        ("predict", "knows a tree that is only a leaf"): [("a", ROWS[0], "a")],
        ("predict", "answers a value never seen by the majority"): [
            (TREE, {"rain": "no", "dog": "three"}, "walk"),
            (GROWN, dict.fromkeys(ATTRIBUTES, "9"), GROWN["majority"]),
        ],
        ("predict", "answers a missing value by the majority"): [
            (GROWN, {}, GROWN["majority"]),
        ],
        ("rules", "has one rule for each leaf"): [(GROWN, rules(GROWN))],
        ("rules", "makes one rule without conditions of a leaf"): [("grows",)],
        ("rules", "leaves its input as it was"): [(GROWN,)],
    },
    inputs={
        "majority": lambda random: (some_words(random, random.integers(1, 10), often=0.4),),
        "divide": some_division,
        "gain": some_division,
        "choose": some_choice,
        "grow": some_choice,
        "predict": some_row,
        "rules": lambda random: (grow(*some_cases(random)),),
    },
)

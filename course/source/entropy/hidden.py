"""Entropy and information gain: the functions asked for, and the data to grade with."""

from math import inf, log2

import numpy as np
from checks import (
    ODD,
    as_column,
    seldom,
    some_cases,
    some_close_tables,
    some_columns,
    some_counts,
    some_table,
    some_words,
)
from visible import assignment


def surprise(p):
    return -log2(p) if p else inf


def entropy(counts):
    everything = sum(counts)
    return -sum(n / everything * log2(n / everything) for n in counts if n) + 0.0


def expected_entropy(table):
    everything = sum(map(sum, table))
    return sum(sum(row) / everything * entropy(row) for row in table if sum(row))


def information_gain(table):
    return entropy([sum(column) for column in zip(*table, strict=True)]) - expected_entropy(table)


def count_table(values, classes):
    pairs = list(zip(values, classes, strict=True))
    return [[pairs.count((v, c)) for c in sorted(set(classes))] for v in sorted(set(values))]


def best_attribute(columns, classes):
    gains = {name: information_gain(count_table(v, classes)) for name, v in columns.items()}
    return next(name for name in gains if gains[name] >= max(gains.values()) - 1e-9)


def mutual_information(table):
    return information_gain(table)


def my_mornings(columns, classes):
    best = best_attribute(columns, classes)
    return {
        "entropy": entropy([classes.count("bike"), classes.count("bus")]),
        "best": best,
        "gain": information_gain(count_table(columns[best], classes)),
    }


random = np.random.default_rng(7)
TABLES = [random.integers(1, 12, shape).tolist() for shape in ((2, 2), (3, 2), (2, 4), (5, 3))]
COLUMNS = {name: random.choice(list("pqr"), 30).tolist() for name in ("one", "two", "three")}
CLASSES = random.choice(["no", "yes", "maybe"], 30).tolist()


def column(attribute, classes=CLASSES):
    return COLUMNS[attribute], classes


# --- inputs by chance, within the wording ---------------------------------------------------------


def some_table_of_cases(random):
    if seldom(random, 0.02):
        worse, better = map(as_column, some_close_tables(random, information_gain))
        return {"s": worse, "r": better}, ["a"] * 100 + ["b"] * 100
    n = some_cases(random, 10)
    names = random.permutation(list("qrstuvwxyzAB"))[: random.integers(1, 13 if n > 10 else 5)]
    return some_columns(random, names.tolist(), n), some_words(random, n, "abcd")


def some_probability(random):
    if seldom(random):
        small = float(10 ** -random.uniform(1, 300 if seldom(random, 0.5) else 9))
        return (small if seldom(random, 0.5) else 1 - small,)
    return (random.integers(0, 9) / 8 if seldom(random, 0.5) else random.random(),)


def some_pairs(random):
    """Return values and classes, now and then the same odd words."""
    n = some_cases(random, 12)
    if seldom(random):
        odd = ODD[random.integers(len(ODD))]
        return random.choice(odd, n).tolist(), random.choice(odd, n).tolist()
    return some_words(random, n, "abcd"), some_words(random, n, "abcd")


assignment.hidden(
    reference={
        f.__name__: f
        for f in (
            surprise,
            entropy,
            expected_entropy,
            information_gain,
            count_table,
            best_attribute,
            mutual_information,
            my_mornings,
        )
    },
    data={
        ("surprise", "is in bits"): [(p, surprise(p)) for p in (0.9, 1 / 3, 0.01)],
        ("surprise", "adds up over independent events"): [(0.9, 0.3), (0.01, 0.5)],
        ("surprise", "is 0 for what is certain"): [(1.0,)],
        ("surprise", "is infinite for what is impossible"): [(0.0,)],
        ("entropy", "is in bits"): [(n, entropy(n)) for n in ([7, 2], [3, 5, 1], [40, 1, 1, 8])],
        ("entropy", "does not change with an empty class"): [([7, 2],), ([3, 5, 1],)],
        ("entropy", "depends on shares, not on how many cases there are"): [
            ([7, 2],),
            ([3, 5, 1],),
        ],
        ("entropy", "is 0 where all cases are of one class"): [([3],), ([0, 0, 8],), ([2, 0],)],
        ("entropy", "leaves its input as it was"): [([7, 0, 2],)],
        ("expected_entropy", "weighs each value by its cases"): [
            (table, expected_entropy(table), sum(map(entropy, table)) / len(table))
            for table in TABLES
        ],
        ("expected_entropy", "does not change with a value that no case has"): [
            ([[5, 1], [2, 2]],),
            ([[1, 9], [4, 4], [3, 1]],),
        ],
        ("expected_entropy", "is 0 where every value settles the class"): [
            ([[0, 2], [7, 0], [0, 1]],),
            ([[0, 0, 3], [1, 0, 0]],),
        ],
        ("expected_entropy", "leaves its input as it was"): [(table,) for table in TABLES],
        ("information_gain", "is the entropy before minus the entropy after"): [
            (table, information_gain(table), entropy([sum(c) for c in zip(*table, strict=True)]))
            for table in TABLES
        ],
        ("information_gain", "is 0 for a value that tells nothing"): [
            ([[3, 1, 2], [6, 2, 4]], [[3, 1, 2], [2, 6, 4]]),
        ],
        ("information_gain", "does not depend on the order of values and classes"): [
            (table,) for table in TABLES
        ],
        ("information_gain", "leaves its input as it was"): [(table,) for table in TABLES],
        ("count_table", "counts the cases of each value and class"): [
            (*column(name), count_table(*column(name))) for name in COLUMNS
        ],
        ("count_table", "has a 0 where a value never meets a class"): [
            (list("dcba"), ["u", "v", "v", "w"]),
        ],
        ("count_table", "does not depend on the order of the cases"): [column("one")],
        ("count_table", "leaves its input as it was"): [column("two")],
        ("best_attribute", "takes the largest gain"): [
            (COLUMNS, classes, best_attribute(COLUMNS, classes))
            for classes in (CLASSES, COLUMNS["two"], COLUMNS["three"])
        ],
        ("best_attribute", "takes the first of equal gains"): [
            ({"z": list("abab"), "m": list("xyxy"), "a": list("uvuv")}, list("nyyy"), "z"),
            ({"x": list("aabb"), "a": list("abab"), "z": list("uvuv")}, list("nyny"), "a"),
            # equal but for rounding
            ({"w": list("abbab"), "u": list("bbaaa")}, list("bbbac"), "w"),
        ],
        ("best_attribute", "does not fall for an attribute with one value"): [
            ({"same": ["k"] * 6, "some": list("uvvuvv")}, list("nyynny"), "some"),
        ],
        ("best_attribute", "leaves its input as it was"): [(COLUMNS, CLASSES)],
        ("mutual_information", "is in bits, and right"): [
            (table, mutual_information(table)) for table in TABLES
        ],
        ("mutual_information", "is the same the other way round"): [(table,) for table in TABLES],
        ("mutual_information", "copes with empty cells"): [([[0, 5], [3, 1], [4, 0]],)],
        ("mutual_information", "is 0 where value and class are independent"): [
            ([[3, 1, 2], [6, 2, 4]],),
        ],
    },
    inputs={
        "surprise": some_probability,
        "entropy": lambda random: (some_counts(random, random.integers(1, 6)),),
        "expected_entropy": lambda random: (some_table(random),),
        "information_gain": lambda random: (some_table(random),),
        "count_table": some_pairs,
        "best_attribute": some_table_of_cases,
        "mutual_information": lambda random: (some_table(random),),
    },
)

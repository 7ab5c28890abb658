"""Pruning and a small study: what the questions ask for, and data to grade with."""

from collections import Counter
from math import log2

import numpy as np
from checks import ODD, seldom, some_odd
from visible import ATTRIBUTES, DEEP, SMALL, assignment, leaf, node


def leaves(tree):
    if "branches" not in tree:
        return 1
    return sum(map(leaves, tree["branches"].values()))


def majority(tree):
    counts = tree["counts"]
    return min(counts, key=lambda label: (-counts[label], label))


def predict(tree, row):
    while "branches" in tree and row.get(tree["attribute"]) in tree["branches"]:
        tree = tree["branches"][row[tree["attribute"]]]
    return majority(tree)


def entropy(classes):
    return -sum(n / len(classes) * log2(n / len(classes)) for n in Counter(classes).values())


def grow(rows, classes, attributes):
    tree = {"counts": {label: classes.count(label) for label in ("no", "yes")}}
    scored = []
    for name in attributes:
        parts = {}
        for row, label in zip(rows, classes, strict=True):
            parts.setdefault(row[name], []).append(label)
        if len(parts) > 1:
            left = sum(len(part) / len(classes) * entropy(part) for part in parts.values())
            scored.append((-round(left, 9), -len(scored), name))
    if len(set(classes)) < 2 or not scored:
        return tree
    best = max(scored)[-1]
    rest = [name for name in attributes if name != best]
    branches = {}
    for value in sorted({row[best] for row in rows}):
        inside = [k for k, row in enumerate(rows) if row[best] == value]
        branches[value] = grow([rows[k] for k in inside], [classes[k] for k in inside], rest)
    return {**tree, "attribute": best, "branches": branches}


def errors_as_leaf(tree):
    return sum(tree["counts"].values()) - max(tree["counts"].values())


def errors_of_tree(tree):
    if "branches" not in tree:
        return errors_as_leaf(tree)
    return sum(map(errors_of_tree, tree["branches"].values()))


def link_strength(tree, n):
    return (errors_as_leaf(tree) - errors_of_tree(tree)) / n / (leaves(tree) - 1)


def nodes(tree):
    below = [node for branch in tree.get("branches", {}).values() for node in nodes(branch)]
    return [tree, *below] if "branches" in tree else []


def prune_weakest(tree, n):
    alpha = min(link_strength(node, n) for node in nodes(tree))

    def cut(node):
        if "branches" not in node or link_strength(node, n) <= alpha + 1e-9:
            return {"counts": node["counts"]}
        return {**node, "branches": {v: cut(branch) for v, branch in node["branches"].items()}}

    return alpha, cut(tree)


def sequence(tree, n):
    steps = [(0, leaves(tree))]
    while "branches" in tree:
        alpha, tree = prune_weakest(tree, n)
        steps.append((alpha, leaves(tree)))
    return steps


def one_standard_error(risks, errors):
    least = risks.index(min(risks))
    limit = risks[least] + errors[least]
    return max(k for k, risk in enumerate(risks) if risk <= limit + 1e-9)


def reduced_error(tree, rows, classes):
    as_leaf = {"counts": tree["counts"]}
    if "branches" not in tree:
        return as_leaf
    cases = list(zip(rows, classes, strict=True))
    branches = {}
    for value, branch in tree["branches"].items():
        inside = [case for case in cases if case[0].get(tree["attribute"]) == value]
        branches[value] = reduced_error(branch, [r for r, _ in inside], [c for _, c in inside])
    whole = {**tree, "branches": branches}
    wrong = [sum(predict(t, r) != c for r, c in cases) for t in (as_leaf, whole)]
    return as_leaf if wrong[0] <= wrong[1] else whole


def half_case_errors(tree):
    return errors_of_tree(tree) + leaves(tree) / 2


def my_study(growing, pruning, testing):
    before = grow(*growing, ATTRIBUTES)
    after = reduced_error(before, *pruning)

    def accuracy(tree):
        return float(np.mean([predict(tree, r) == c for r, c in zip(*testing, strict=True)]))

    return {
        "leaves_before": leaves(before),
        "leaves_after": leaves(after),
        "accuracy_before": accuracy(before),
        "accuracy_after": accuracy(after),
    }


random = np.random.default_rng(8)


def cases(n, noise):
    rows = [{name: str(random.choice(list("123"))) for name in ATTRIBUTES} for _ in range(n)]
    truth = [(row["light"] == "1") ^ (row["wind"] == "2") for row in rows]
    return rows, ["yes" if t ^ (random.random() < noise) else "no" for t in truth]


GROWING, PRUNING = cases(80, 0.2), cases(40, 0.2)
GROWN = grow(*GROWING, ATTRIBUTES)
THREE = {
    "counts": {"a": 5, "b": 4, "c": 6},
    "attribute": "k",
    "branches": {
        "1": {"counts": {"a": 5, "b": 1, "c": 0}},
        "2": {"counts": {"a": 0, "b": 3, "c": 6}},
    },
}
INNER = nodes(GROWN)


# Two links of strength 1 / n and 3 / n / 3, which are two floats.
TIED = node(
    "k",
    a=node("l", a=leaf(9, 0), b=leaf(0, 1)),
    b=node("m", a=leaf(9, 0), b=leaf(0, 1), c=leaf(0, 1), d=leaf(0, 1)),
    c=leaf(0, 22),
)
STUMP = {
    "counts": {"no": 7, "yes": 5},
    "attribute": "k",
    "branches": {"1": {"counts": {"no": 6, "yes": 1}}, "2": {"counts": {"no": 1, "yes": 4}}},
}

# --- inputs by chance, within the wording ---------------------------------------------------------


def some_leaf(random, labels, most=9):
    counts = random.integers(0, random.integers(2, most), len(labels)).tolist()
    return {"counts": dict(zip(labels, counts if sum(counts) else [1, *counts[1:]], strict=True))}


def some_tree(random, labels=None, names="abc", least=0, most=9, kinds="xyz"):
    """Return a tree with small counts, so that many link strengths are 0 or equal."""
    if not labels:
        words = ODD[random.integers(len(ODD))] if seldom(random) else ["yes", "no", "maybe"]
        labels = random.permutation(words)[: random.integers(1, 4)].tolist()
    if not names or (not least and seldom(random, 0.3)):
        return some_leaf(random, labels, most)
    branches = {
        value: some_tree(random, labels, names[1:], least - 1 if least > 1 else 0, most, kinds)
        for value in kinds[: random.integers(2, 4)]
    }
    counts = {
        label: sum(branch["counts"][label] for branch in branches.values()) for label in labels
    }
    return {"counts": counts, "attribute": names[0], "branches": branches}


def some_most(random):
    """Return the limit of a leaf's counts: one tree in ten has thousands of cases."""
    return 40_000 if seldom(random) else 9


def some_large(random):
    """Return a tree that takes many prunings."""
    return some_tree(random, ["yes", "no"], "abcde", 4, random.choice([60, 40_000]))


def some_node(random):
    """Return a tree that is no leaf, and the number of all cases, of which it has some or all."""
    tree = some_large(random) if seldom(random, 0.03) else some_tree(random, least=1)
    return tree, int(sum(tree["counts"].values()) + random.integers(0, 2) * random.integers(1, 9))


def some_whole(random):
    tree = some_large(random) if seldom(random, 0.05) else some_tree(random)
    return tree, sum(tree["counts"].values())


def some_risks(random):
    """Return risks and errors in whole parts of a power of 2, so that all sums are exact."""
    n = random.integers(1, 8)
    risks, errors = random.integers(8, 8 + random.integers(2, 12), n), random.integers(1, 6, n)
    parts = 64 if seldom(random, 0.8) else 16384
    return (risks / parts).tolist(), (errors / parts).tolist()


def some_validation(random):
    kinds = some_odd(random) if seldom(random) else "xyz"
    tree, n = some_tree(random, kinds=kinds), random.integers(0, 13)
    labels, values = list(tree["counts"]), [*kinds[:3], "w"]
    rows = [
        {name: values[random.integers(len(values))] for name in "abc" if seldom(random, 0.9)}
        for _ in range(n)
    ]
    return tree, rows, random.choice(labels, n).tolist()


assignment.hidden(
    reference={
        f.__name__: f
        for f in (
            errors_as_leaf,
            errors_of_tree,
            link_strength,
            prune_weakest,
            sequence,
            one_standard_error,
            reduced_error,
            half_case_errors,
            my_study,
        )
    },
    data={
        ("errors_as_leaf", "counts the cases of all other classes"): [
            (tree, errors_as_leaf(tree)) for tree in (DEEP, GROWN, leaf(2, 9))
        ],
        ("errors_as_leaf", "is 0 where all cases are of one class"): [(leaf(0, 3),)],
        ("errors_as_leaf", "copes with any number of classes"): [
            (THREE, 9),
            ({"counts": {"z": 2}}, 0),
        ],
        ("errors_of_tree", "adds up the errors of the leaves"): [
            (tree, errors_of_tree(tree)) for tree in (THREE, *INNER)
        ],
        ("errors_of_tree", "is a leaf's own errors for a leaf"): [(leaf(2, 9), 2), (leaf(4, 4), 4)],
        ("link_strength", "is the risk that each leaf saves"): [
            (tree, 80, errors_of_tree(tree), errors_as_leaf(tree), leaves(tree)) for tree in INNER
        ],
        ("link_strength", "is 0 where the subtree saves nothing"): [
            ({**SMALL, "counts": {"yes": 30, "no": 4}}, 50),
            (SMALL["branches"]["sun"], 20),
        ],
        ("prune_weakest", "finds the least link strength"): [
            (
                tree,
                80,
                prune_weakest(tree, 80)[0],
                max(link_strength(node, 80) for node in nodes(tree)),
            )
            for tree in INNER[:4]
        ],
        ("prune_weakest", "makes leaves of all nodes with that strength"): [
            (tree, n, prune_weakest(tree, n)[1])
            for tree, n in ((DEEP, 23), (GROWN, 80), (TIED, 44))
        ],
        ("prune_weakest", "leaves its input as it was"): [(GROWN, 80)],
        ("sequence", "begins with the whole tree and ends with a leaf"): [(DEEP, 23, 6)],
        ("sequence", "prunes the weakest link at each step"): [
            (tree, n, sequence(tree, n)) for tree, n in ((DEEP, 23), (GROWN, 80), (leaf(3, 1), 4))
        ],
        ("sequence", "leaves its input as it was"): [(GROWN, 80)],
        ("one_standard_error", "takes the smallest tree within one standard error"): [
            ([0.4, 0.31, 0.3, 0.3, 0.34, 0.36], [0.02, 0.02, 0.05, 0.01, 0.01, 0.01], 4, 2),
            ([0.2, 0.1], [0.01, 0.01], 1, 1),
        ],
        ("one_standard_error", "measures from the least risk, with its own error"): [
            ([0.30, 0.25, 0.28, 0.5], [0.01, 0.02, 0.04, 0.3], 1),
        ],
        ("one_standard_error", "leaves its input as it was"): [([0.4, 0.3, 0.3], [0.1, 0.2, 0.01])],
        ("reduced_error", "never makes more errors on these cases"): [
            (tree, *some) for tree in (GROWN, DEEP) for some in (GROWING, PRUNING, cases(15, 0.5))
        ],
        ("reduced_error", "counts errors on these cases, not on the training cases"): [
            (STUMP, [{"k": "1"}, {"k": "2"}], ["no", "no"], {"counts": STUMP["counts"]}),
            (STUMP, [{"k": "1"}, {"k": "2"}, {"k": "1"}], ["no", "yes", "no"], STUMP),
        ],
        ("reduced_error", "prunes where both make the same errors"): [
            (tree, [], [], {"counts": tree["counts"]}) for tree in (GROWN, DEEP)
        ],
        ("reduced_error", "goes from the bottom up"): [
            (GROWN, *some, reduced_error(GROWN, *some))
            for some in (PRUNING, cases(25, 0.3), cases(50, 0.1))
        ],
        ("reduced_error", "leaves its input as it was"): [(GROWN, *PRUNING)],
        ("half_case_errors", "adds half a case for each leaf"): [
            (tree, half_case_errors(tree), errors_of_tree(tree)) for tree in (*INNER, leaf(0, 2))
        ],
        ("half_case_errors", "makes a subtree that saves nothing look worse than a leaf"): [
            (SMALL["branches"]["sun"],),
        ],
    },
    inputs={
        "errors_as_leaf": lambda random: (some_tree(random, most=some_most(random)),),
        "errors_of_tree": lambda random: (some_tree(random, most=some_most(random)),),
        "link_strength": some_node,
        "prune_weakest": some_node,
        "sequence": some_whole,
        "one_standard_error": some_risks,
        "reduced_error": some_validation,
        "half_case_errors": lambda random: (some_tree(random, most=some_most(random)),),
    },
)

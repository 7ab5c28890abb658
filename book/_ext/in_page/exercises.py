"""The exercises in code of the pages: a function to write, inputs by chance, and usual slips.

Right is what the solution on the page gives. A slip is a function that makes it, under what is said
of it. Where an assignment asks the same, its own question is named instead.
"""

import math

import numpy as np
from checks import some_numbers, some_words

from dtreebook import measures

OF_ASSIGNMENTS = {
    "ex-greedy": "id3.choose",
    "ex-c45-gold": "c45.choose_by_ratio",
    "ex-c45-between": "c45.best_cut",
}


def some_bits(random):
    return (random.integers(0, 101) / 100,)


def minority(bits, log=math.log2):
    def off(k):
        return abs(sum(n / 100 * log(100 / n) for n in (k, 100 - k) if n) - bits)

    return min(range(51), key=off)


def some_range(random):
    """Return numbers of which none lies where two thirds of their range meet."""
    values = random.integers(0, 40, random.integers(2, 13)).tolist()
    return (values,) if np.ptp(values) % 3 else some_range(random)


def by_count(values):
    rank = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return [("low", "medium", "high")[3 * place // len(values)] for place in rank.tolist()]


def some_shuffles(random):
    n = random.integers(2, 13)
    classes = some_words(random, n, "ab", often=0)
    return some_words(random, n), classes, [random.permutation(classes).tolist() for _ in range(4)]


def gains(values, classes, shuffles):
    def gain(labels):
        cases = list(zip(values, labels, strict=True))
        kinds = [[cases.count((v, c)) for c in sorted(set(labels))] for v in sorted(set(values))]
        return float(measures.information_gain(kinds))

    return gain(classes), np.array([gain(labels) for labels in shuffles])


def strictly(values, classes, shuffles):
    real, others = gains(values, classes, shuffles)
    return np.mean(others > real + 1e-12)


def some_forest(random):
    """Return samples of which one at least leaves somebody out, the trees' shares, the classes."""
    n, trees = random.integers(2, 9), random.integers(1, 6)
    samples = random.integers(0, n, (trees, n)).tolist()
    if all(len(set(rows)) == n for rows in samples):
        return some_forest(random)
    return (
        samples,
        random.random((trees, n)).round(3).tolist(),
        some_words(random, n, ["no", "yes"], 0),
    )


def all_trees(samples, shares, classes):
    return np.mean((np.mean(shares, axis=0) > 0.5) != (np.array(classes) == "yes"))


def everybody(samples, shares, classes):
    """Count as *no* whoever is in every sample."""
    out = np.array([~np.isin(range(len(classes)), rows) for rows in samples])
    told = (out * shares).sum(axis=0) / np.maximum(out.sum(axis=0), 1)
    return np.mean((told > 0.5) != (np.array(classes) == "yes"))


def some_scores(random):
    scores = [0, *some_numbers(random)]
    died = random.random(len(scores)) < 0.5
    return (scores, died.tolist()) if 0 < died.sum() < len(died) else some_scores(random)


def pairs(scores, died, equal):
    scores, died = np.array(scores), np.array(died)
    apart = np.subtract.outer(scores[died], scores[~died])
    return np.mean((apart > 0) + equal * (apart == 0))


EXERCISES = {
    "ex-entropy-backwards": (
        "minority",
        some_bits,
        {
            "you used natural logarithms: bits need base 2.": lambda bits: minority(bits, math.log),
            "this is the majority; asked is the number of the rarer class.": (
                lambda bits: 100 - minority(bits)
            ),
        },
    ),
    "ex-golf-ranges": (
        "in_three",
        some_range,
        {
            "these are thirds of the cases; asked are thirds of the range.": by_count,
        },
    ),
    "ex-permutation": (
        "p_value",
        some_shuffles,
        {
            "gains that are just as large count, too.": strictly,
        },
    ),
    "ex-many-oob": (
        "out_of_bag",
        some_forest,
        {
            "here all trees vote; only those may that have not seen the person.": all_trees,
            "whoever is in every sample has no vote, and is left out.": everybody,
        },
    ),
    "ex-smokers-forest": (
        "ranked",
        some_scores,
        {
            "a pair with equal scores counts one half.": lambda s, d: pairs(s, d, 0),
            "a pair with equal scores counts one half, not one.": lambda s, d: pairs(s, d, 1),
            "turned round: the higher score should be that of the one who died.": (
                lambda s, d: 1 - pairs(s, d, 0.5)
            ),
        },
    ),
}

"""The catalogue of wrong solutions: what each should cost, and what its author should be told.

A wrong solution replaces the code of one cell of an assignment; `loses` has the tests that it
should fail, each with words from the hint. It must keep all other points.
"""

from typing import NamedTuple


class Wrong(NamedTuple):
    assignment: str
    mistake: str
    cell: str
    code: str
    loses: dict  # by test, or by (question, test) where it is another than the cell's


def everything(hint, *tests):
    return dict.fromkeys(tests, hint)


SURPRISE = (
    "is in bits",
    "adds up over independent events",
    "is 0 for what is certain",
    "is infinite for what is impossible",
)
ENTROPY = (
    "is in bits",
    "does not change with an empty class",
    "depends on shares, not on how many cases there are",
    "is 0 where all cases are of one class",
    "leaves its input as it was",
)
GAIN = (
    "is the entropy before minus the entropy after",
    "is 0 for a value that tells nothing",
    "does not depend on the order of values and classes",
    "leaves its input as it was",
)
MUTUAL = (
    "is in bits, and right",
    "is the same the other way round",
    "copes with empty cells",
    "is 0 where value and class are independent",
)
TABLE = (
    "counts the cases of each value and class",
    "has a 0 where a value never meets a class",
    "does not depend on the order of the cases",
    "leaves its input as it was",
)

OF_ENTROPY = [
    Wrong(
        "entropy",
        "rounds",
        "entropy",
        """
def entropy(counts):
    n = sum(counts)
    return round(sum(k / n * math.log2(n / k) for k in counts if k), 3)
""",
        {"is in bits": "right but for rounding"},
    ),
    Wrong(
        "entropy",
        "shares for counts",
        "count_table",
        """
def count_table(values, classes):
    cases = list(zip(values, classes))
    return [
        [cases.count((v, c)) / len(cases) for c in sorted(set(classes))]
        for v in sorted(set(values))
    ]
""",
        {
            "counts the cases of each value and class": "counts are asked for, not shares",
            "has a 0 where a value never meets a class": "add up to the number of cases",
            "does not depend on the order of the cases": "add up to the number of cases",
        },
    ),
    Wrong(
        "c45",
        "divides by the log of how many values",
        "gain_ratio",
        """
def gain_ratio(table):
    return information_gain(table) / math.log2(len(table)) if len(table) > 1 else 0
""",
        {
            "is the gain divided by the split information": "not the log of how many",
        },
    ),
    Wrong(
        "c45",
        "the gain before the cut",
        "best_cut",
        """
def best_cut(values, classes):
    best = None
    for cut in cuts(values):
        gain = information_gain(count_table([value <= cut for value in values], classes))
        if best is None or gain > best[0] + 1e-9:
            best = gain, cut
    return best
""",
        {
            "finds the cut with the largest gain": "the cut comes first",
            "takes the smallest of equal cuts": "must be the cut that gains most",
        },
    ),
    Wrong(
        "entropy",
        "natural logarithm",
        "entropy",
        """
def entropy(counts):
    shares = [n / sum(counts) for n in counts if n > 0]
    return -sum(p * math.log(p) for p in shares)
""",
        {"is in bits": "natural logarithms: "},
    ),
    Wrong(
        "entropy",
        "0 log 0 is NaN",
        "entropy",
        """
import numpy as np

def entropy(counts):
    shares = np.array(counts) / sum(counts)
    return -np.sum(shares * np.log2(shares))
""",
        {
            "does not change with an empty class": "NaN. 0 log 0 counts as 0",
            "is 0 where all cases are of one class": "is NaN",
        },
    ),
    Wrong(
        "entropy",
        "0 log 0 is an error",
        "entropy",
        """
def entropy(counts):
    return -sum(n / sum(counts) * math.log2(n / sum(counts)) for n in counts)
""",
        {
            "does not change with an empty class": "ValueError",
            "is 0 where all cases are of one class": "ValueError",
            "leaves its input as it was": "ValueError",
        },
    ),
    Wrong(
        "entropy",
        "counts taken for shares",
        "entropy",
        """
def entropy(counts):
    return -sum(n * math.log2(n) for n in counts if n > 0)
""",
        {
            "is in bits": "too low",
            "does not change with an empty class": "must add nothing",
            "depends on shares, not on how many cases there are": "in the same shares",
            "is 0 where all cases are of one class": "too low",
        },
    ),
    Wrong(
        "entropy",
        "mutates its input",
        "entropy",
        """
def entropy(counts):
    while 0 in counts:
        counts.remove(0)
    return sum(n / sum(counts) * math.log2(sum(counts) / n) for n in counts)
""",
        {"leaves its input as it was": "work on a copy"},
    ),
    Wrong(
        "entropy",
        "the visible answer hard-coded",
        "entropy",
        """
def entropy(counts):
    return {2: 0.9709505945, 4: 2.0}.get(len(counts), 0.0)
""",
        {
            "is in bits": "too",
            "does not change with an empty class": "must add nothing",
            "depends on shares, not on how many cases there are": "in the same shares",
            "is 0 where all cases are of one class": "too high",
        },
    ),
    Wrong(
        "entropy",
        "a return is missing",
        "entropy",
        """
def entropy(counts):
    shares = [n / sum(counts) for n in counts if n > 0]
    result = sum(p * math.log2(1 / p) for p in shares)
""",
        everything("is a `return` missing?", *ENTROPY),
    ),
    Wrong(
        "entropy",
        "prints in place of returning a number",
        "entropy",
        """
def entropy(counts):
    return f"{sum(n / sum(counts) * math.log2(sum(counts) / n) for n in counts if n):.3f} bits"
""",
        everything("a number is asked for", *ENTROPY[:-1]),
    ),
    Wrong(
        "entropy",
        "a cell that does not parse",
        "entropy",
        "def entropy(counts)\n    return 1",
        everything("there is no `entropy`", *ENTROPY),
    ),
    Wrong(
        "entropy",
        "log10",
        "surprise",
        """
def surprise(p):
    return -math.log10(p) if p else math.inf
""",
        {"is in bits": "base 10"},
    ),
    Wrong(
        "entropy",
        "an impossible event divides by zero",
        "surprise",
        """
def surprise(p):
    return math.log2(1 / p)
""",
        {"is infinite for what is impossible": "ZeroDivisionError"},
    ),
    Wrong(
        "entropy",
        "a loop that never ends",
        "surprise",
        """
def surprise(p):
    while True:
        try:
            p = p / 2
        except:
            pass
""",
        everything("is there a loop that never ends?", *SURPRISE),
    ),
    Wrong(
        "entropy",
        "every value weighs the same",
        "expected_entropy",
        """
def expected_entropy(table):
    rows = [row for row in table if sum(row) > 0]
    return sum(entropy(row) for row in rows) / len(rows)
""",
        {"weighs each value by its cases": "Weigh it by its share"},
    ),
    Wrong(
        "entropy",
        "divides by the number of values",
        "expected_entropy",
        """
def expected_entropy(table):
    return sum(sum(row) / len(table) * entropy(row) for row in table if sum(row))
""",
        {
            "weighs each value by its cases": "divide by the number of cases, not of values",
            "does not change with a value that no case has": "must change nothing",
        },
    ),
    Wrong(
        "entropy",
        "forgets to divide by the total",
        "expected_entropy",
        """
def expected_entropy(table):
    return sum(sum(row) * entropy(row) for row in table if sum(row))
""",
        {"weighs each value by its cases": "the weights must be shares"},
    ),
    Wrong(
        "entropy",
        "gain the wrong way round",
        "information_gain",
        """
def information_gain(table):
    return expected_entropy(table) - entropy([sum(column) for column in zip(*table)])
""",
        {"is the entropy before minus the entropy after": "wrong way round"},
    ),
    Wrong(
        "entropy",
        "what is left for what is gained",
        "information_gain",
        """
def information_gain(table):
    return expected_entropy(table)
""",
        {
            "is the entropy before minus the entropy after": "what is left after the question",
            "is 0 for a value that tells nothing": "must be 0 where all values",
        },
    ),
    Wrong(
        "entropy",
        "calls the package of the book",
        "information_gain",
        """
def information_gain(table):
    from dtreebook import measures
    return float(measures.information_gain(table))
""",
        everything("dtreebook is not allowed here", *GAIN),
    ),
    Wrong(
        "entropy",
        "imports a library at the top of the cell",
        "mutual_information",
        """
from sklearn.metrics import mutual_info_score

def mutual_information(table):
    return mutual_info_score(None, None, contingency=table) / math.log(2)
""",
        everything("there is no `mutual_information`", *MUTUAL),
    ),
    Wrong(
        "entropy",
        "empty cells divide by zero",
        "mutual_information",
        """
def mutual_information(table):
    cases = sum(map(sum, table))
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table)]
    return sum(
        n / cases * math.log2(n * cases / rows[v] / columns[k])
        for v, row in enumerate(table) for k, n in enumerate(row)
    )
""",
        {"copes with empty cells": "ValueError"},
    ),
    Wrong(
        "entropy",
        "rows for columns",
        "count_table",
        """
def count_table(values, classes):
    cases = list(zip(classes, values))
    return [[cases.count((a, b)) for b in sorted(set(values))] for a in sorted(set(classes))]
""",
        {
            "counts the cases of each value and class": "one row per value, not class",
            "has a 0 where a value never meets a class": "a column for every class",
        },
    ),
    Wrong(
        "entropy",
        "values in the order in which they come",
        "count_table",
        """
def count_table(values, classes):
    cases = list(zip(values, classes))
    return [
        [cases.count((value, label)) for label in sorted(set(classes))]
        for value in dict.fromkeys(values)
    ]
""",
        {
            "counts the cases of each value and class": "",
            "does not depend on the order of the cases": "another table",
        },
    ),
    Wrong(
        "entropy",
        "leaves out pairs that never occur",
        "count_table",
        """
def count_table(values, classes):
    cases = list(zip(values, classes))
    return [
        [cases.count((v, c)) for c in sorted(set(classes)) if (v, c) in cases]
        for v in sorted(set(values))
    ]
""",
        {
            "counts the cases of each value and class": "count each pair",
            "has a 0 where a value never meets a class": "a 0 where no case is",
        },
    ),
    Wrong(
        "entropy",
        "sorts the input in place",
        "count_table",
        """
def count_table(values, classes):
    cases = sorted(zip(values, classes))
    table = [
        [cases.count((value, label)) for label in sorted(set(classes))]
        for value in sorted(set(values))
    ]
    values.sort()
    return table
""",
        {"leaves its input as it was": "work on a copy"},
    ),
    Wrong(
        "entropy",
        "the last of equal gains",
        "best_attribute",
        """
def best_attribute(columns, classes):
    gains = [(information_gain(count_table(v, classes)), name) for name, v in columns.items()]
    return max(gains)[1]
""",
        {"takes the first of equal gains": "named first"},
    ),
    Wrong(
        "entropy",
        "the least gain",
        "best_attribute",
        """
def best_attribute(columns, classes):
    return min(columns, key=lambda name: information_gain(count_table(columns[name], classes)))
""",
        {
            "takes the largest gain": "another attribute gains more",
            "takes the first of equal gains": "",
            "does not fall for an attribute with one value": "tells nothing",
        },
    ),
    Wrong(
        "entropy",
        "a cell that deletes the tests",
        "surprise",
        """
import sys

def surprise(p):
    return -math.log2(p) if p else math.inf

del check
""",
        {},
    ),
    Wrong(
        "entropy",
        "numbers copied from somebody else",
        "my_mornings",
        """
def my_mornings():
    return {"entropy": 0.8112781245, "best": "wind", "gain": 0.1887218755}
""",
        {
            "entropy": "the data of this STUDENT",
            "best": "the data of this STUDENT",
            "gain": "the data of this STUDENT",
        },
    ),
]

OF_ID3 = [
    Wrong(
        "id3",
        "the tie goes to whoever comes first",
        "majority",
        """
def majority(classes):
    return Counter(classes).most_common(1)[0][0]
""",
        {"is the first in the alphabet of equals": "first in the alphabet"},
    ),
    Wrong(
        "id3",
        "sorts the classes in place",
        "majority",
        """
def majority(classes):
    classes.sort()
    return max(classes, key=classes.count)
""",
        {"leaves its input as it was": "work on a copy"},
    ),
    Wrong(
        "id3",
        "keeps only the last case of each value",
        "divide",
        """
def divide(rows, classes, attribute):
    return {row[attribute]: ([row], [label]) for row, label in zip(rows, classes)}
""",
        {
            "puts every case under its value": "the rows and the classes of its cases",
            "loses no case and invents none": "the classes of all cases",
        },
    ),
    Wrong(
        "id3",
        "removes the attribute from the rows",
        "divide",
        """
def divide(rows, classes, attribute):
    parts = {}
    for row, label in zip(rows, classes):
        part = parts.setdefault(row[attribute], ([], []))
        part[0].append(dict(row))
        part[1].append(label)
        del row[attribute]
    return parts
""",
        {"leaves its input as it was": "work on a copy"},
    ),
    Wrong(
        "id3",
        "what is left for what is gone",
        "gain",
        """
def gain(rows, classes, attribute):
    parts = divide(rows, classes, attribute).values()
    left = sum(len(part) / len(classes) * entropy(part) for _, part in parts)
    return left
""",
        {
            "is the information gain in bits": "the entropy that is left",
            "is 0 for an attribute that tells nothing": "too high",
        },
    ),
    Wrong(
        "id3",
        "after minus before",
        "gain",
        """
def gain(rows, classes, attribute):
    parts = divide(rows, classes, attribute).values()
    left = sum(len(part) / len(classes) * entropy(part) for _, part in parts)
    return left - entropy(classes)
""",
        {"is the information gain in bits": "the sign is the wrong way round"},
    ),
    Wrong(
        "id3",
        "the weights are forgotten",
        "gain",
        """
def gain(rows, classes, attribute):
    parts = divide(rows, classes, attribute).values()
    return entropy(classes) - sum(entropy(part) for _, part in parts) / len(parts)
""",
        {"is the information gain in bits": "too"},
    ),
    Wrong(
        "id3",
        "the weights are numbers of cases",
        "gain",
        """
def gain(rows, classes, attribute):
    parts = divide(rows, classes, attribute).values()
    return entropy(classes) - sum(len(part) * entropy(part) for _, part in parts)
""",
        {
            "is the information gain in bits": "too low",
            "weighs each value by its cases": "weigh by shares",
            "is 0 for an attribute that tells nothing": "too low",
        },
    ),
    Wrong(
        "id3",
        "the last of equal gains",
        "choose",
        """
def choose(rows, classes, attributes):
    able = [a for a in attributes if len({row[a] for row in rows}) > 1]
    return max(reversed(able), key=lambda a: gain(rows, classes, a), default=None)
""",
        {"takes the first of equal gains": "named first"},
    ),
    Wrong(
        "id3",
        "stops where nothing is gained yet",
        "choose",
        """
def choose(rows, classes, attributes):
    gains = {a: gain(rows, classes, a) for a in attributes}
    best = max(gains, key=gains.get, default=None)
    return best if best and gains[best] > 1e-9 else None
""",
        {
            "takes the first of equal gains": "named first",
            "asks on though nothing is gained yet": "no reason to stop",
        },
    ),
    Wrong(
        "id3",
        "chooses what divides nothing",
        "choose",
        """
def choose(rows, classes, attributes):
    return max(attributes, key=lambda a: round(gain(rows, classes, a), 9), default=None)
""",
        {"gives None if no attribute divides the cases": "return None"},
    ),
    Wrong(
        "id3",
        "asks the same question again and again",
        "grow",
        """
def grow(rows, classes, attributes):
    best = choose(rows, classes, attributes)
    if len(set(classes)) == 1 or best is None:
        return majority(classes)
    branches = {v: grow(rows, classes, attributes) for v in divide(rows, classes, best)}
    return {"attribute": best, "majority": majority(classes), "branches": branches}
""",
        {
            "grows the whole tree": "calls itself for ever",
            "asks no question twice on a path": "calls itself for ever",
            "leaves its input as it was": "calls itself for ever",
        },
    ),
    Wrong(
        "id3",
        "uses up the list of attributes",
        "grow",
        """
def grow(rows, classes, attributes):
    best = choose(rows, classes, attributes)
    if len(set(classes)) == 1 or best is None:
        return majority(classes)
    attributes.remove(best)
    branches = {v: grow(*part, attributes) for v, part in divide(rows, classes, best).items()}
    return {"attribute": best, "majority": majority(classes), "branches": branches}
""",
        {
            "grows the whole tree": "further down, the tree differs",
            "leaves its input as it was": "work on a copy",
        },
    ),
    Wrong(
        "id3",
        "a value never seen stops the program",
        "predict",
        """
def predict(tree, row):
    while isinstance(tree, dict):
        tree = tree["branches"][row[tree["attribute"]]]
    return tree
""",
        {
            "answers a value never seen by the majority": "KeyError",
            "answers a missing value by the majority": "KeyError",
        },
    ),
    Wrong(
        "id3",
        "answers by the majority of the root",
        "predict",
        """
def predict(tree, row):
    here = tree
    while isinstance(here, dict):
        here = here["branches"].get(row.get(here["attribute"]), tree["majority"])
    return here
""",
        {
            "answers a value never seen by the majority": "the majority of the node that asks",
        },
    ),
    Wrong(
        "id3",
        "forgets the conditions above",
        "rules",
        """
def rules(tree):
    if isinstance(tree, str):
        return [({}, tree)]
    found = []
    for value, branch in tree["branches"].items():
        for conditions, label in rules(branch):
            found.append((conditions or {tree["attribute"]: value}, label))
    return found
""",
        {"has one rule for each leaf": "all answers on the path"},
    ),
]

OF_C45 = [
    Wrong(
        "c45",
        "unknown values forgotten in the split information",
        "split_information",
        """
def split_information(sizes, unknown):
    return entropy(sizes)
""",
        {"counts unknown values as one more value": "do not forget them"},
    ),
    Wrong(
        "c45",
        "unknown values put into the caller's list",
        "split_information",
        """
def split_information(sizes, unknown):
    sizes.append(unknown)
    return entropy(sizes)
""",
        {"leaves its input as it was": "work on a copy"},
    ),
    Wrong(
        "c45",
        "gain for ratio",
        "gain_ratio",
        """
def gain_ratio(table):
    return information_gain(table)
""",
        {
            "is the gain divided by the split information": "this is the gain itself",
            "punishes values that only cut finer": "must have less ratio",
        },
    ),
    Wrong(
        "c45",
        "divides by the entropy of the classes",
        "gain_ratio",
        """
def gain_ratio(table):
    return information_gain(table) / entropy([sum(column) for column in zip(*table)])
""",
        {
            "is the gain divided by the split information": "not of the classes",
            "punishes values that only cut finer": "must have less ratio",
        },
    ),
    Wrong(
        "c45",
        "divides by a split information of 0",
        "gain_ratio",
        """
def gain_ratio(table):
    return information_gain(table) / split_information([sum(row) for row in table], 0)
""",
        {"is 0 for an attribute with one value": "ZeroDivisionError"},
    ),
    Wrong(
        "c45",
        "no average-gain guard",
        "choose_by_ratio",
        """
def choose_by_ratio(tables):
    return max(tables, key=lambda name: round(gain_ratio(tables[name]), 9))
""",
        {"is not taken in by a large ratio of a tiny gain": "gains less than the average"},
    ),
    Wrong(
        "c45",
        "chooses by the gain",
        "choose_by_ratio",
        """
def choose_by_ratio(tables):
    return max(tables, key=lambda name: round(information_gain(tables[name]), 9))
""",
        {"takes the largest ratio, not the largest gain": "the largest ratio wins"},
    ),
    Wrong(
        "c45",
        "the largest value as a cut",
        "cuts",
        """
def cuts(values):
    return sorted(set(values))
""",
        {
            "are the values but for the largest": "the largest value divides nothing",
            "names each value once": "one cut",
            "are none for a single value": "empty list",
        },
    ),
    Wrong(
        "c45",
        "cuts in the middle",
        "cuts",
        """
def cuts(values):
    values = sorted(set(values))
    return [(low + high) / 2 for low, high in zip(values, values[1:])]
""",
        {
            "are the values but for the largest": "each different value but the largest",
            "names each value once": "one cut",
        },
    ),
    Wrong(
        "c45",
        "sorts the values in place",
        "cuts",
        """
def cuts(values):
    values.sort()
    return list(dict.fromkeys(values))[:-1]
""",
        {"leaves its input as it was": "work on a copy"},
    ),
    Wrong(
        "c45",
        "< for <=",
        "best_cut",
        """
def best_cut(values, classes):
    gain = lambda c: information_gain(count_table([v < c for v in values], classes))
    found = [(gain(c), -c) for c in cuts(values)]
    return (-max(found)[1], max(found)[0]) if found else None
""",
        {
            "finds the cut with the largest gain": "Values <= the cut go left",
            "takes the smallest of equal cuts": "must be the cut that gains most",
        },
    ),
    Wrong(
        "c45",
        "the last of equal cuts",
        "best_cut",
        """
def best_cut(values, classes):
    gain = lambda c: information_gain(count_table([v <= c for v in values], classes))
    found = [(gain(c), c) for c in cuts(values)]
    return max(found)[::-1] if found else None
""",
        {"takes the smallest of equal cuts": "take the smallest"},
    ),
    Wrong(
        "c45",
        "nothing to cut stops the program",
        "best_cut",
        """
def best_cut(values, classes):
    gain = lambda c: information_gain(count_table([v <= c for v in values], classes))
    cut = max(cuts(values), key=lambda c: round(gain(c), 9))
    return cut, gain(cut)
""",
        {"gives None where nothing can be cut": "ValueError"},
    ),
    Wrong(
        "c45",
        "a cut of cases that are not sorted",
        "best_cut",
        """
def best_cut(values, classes):
    gains = [
        (information_gain([[classes[:i].count(k) for k in set(classes)],
                           [classes[i:].count(k) for k in set(classes)]]), -i)
        for i in range(1, len(values)) if values[i] != values[i - 1]
    ]
    return (values[-max(gains)[1] - 1], max(gains)[0]) if gains else None
""",
        {
            "finds the cut with the largest gain": "cut",
            "takes the smallest of equal cuts": "must be the cut that gains most",
            "does not depend on the order of the cases": "another cut or gain",
        },
    ),
    Wrong(
        "c45",
        "the share of the known forgotten",
        "gain_with_unknown",
        """
def gain_with_unknown(values, classes):
    known = [(value, label) for value, label in zip(values, classes) if value is not None]
    return information_gain(count_table(*zip(*known))) if known else 0
""",
        {"is the gain among the known, times their share": "multiply by the share"},
    ),
    Wrong(
        "c45",
        "None as a value",
        "gain_with_unknown",
        """
def gain_with_unknown(values, classes):
    return information_gain(count_table([str(value) for value in values], classes))
""",
        {"is the gain among the known, times their share": "None is no value of its own"},
    ),
    Wrong(
        "c45",
        "all missing divides by zero",
        "gain_with_unknown",
        """
def gain_with_unknown(values, classes):
    known = [(v, c) for v, c in zip(values, classes) if v is not None]
    table = count_table([v for v, _ in known], [c for _, c in known])
    return sum(map(sum, table)) / len(values) * (information_gain(table) if known else 1 / 0)
""",
        {"is 0 if nothing is known": "ZeroDivisionError"},
    ),
    Wrong(
        "c45",
        "equal parts",
        "share_out",
        """
def share_out(weight, sizes):
    return {value: weight / len(sizes) for value in sizes}
""",
        {
            "gives each branch its share": "not in equal parts",
            "gives nothing to an empty branch": "one without cases gets 0",
        },
    ),
    Wrong(
        "c45",
        "the weight of the case forgotten",
        "share_out",
        """
def share_out(weight, sizes):
    return {value: size / sum(sizes.values()) for value, size in sizes.items()}
""",
        {"gives each branch its share": "", "loses no weight": "the sum of all parts"},
    ),
    Wrong(
        "c45",
        "counts for shares",
        "class_shares",
        """
def class_shares(tree, row):
    if "counts" in tree:
        return tree["counts"]
    value = row.get(tree["attribute"])
    if value in tree["branches"]:
        return class_shares(tree["branches"][value], row)
    shares = {}
    for value, weight in share_out(1, tree["sizes"]).items():
        for label, share in class_shares(tree["branches"][value], row).items():
            shares[label] = shares.get(label, 0) + weight * share
    return shares
""",
        {
            "are those of the leaf where all is known": "Divide the counts",
            "are mixed where a value is unknown": "add up",
            "add up to 1 whatever is unknown": "the sum of all shares",
        },
    ),
    Wrong(
        "c45",
        "follows the largest branch",
        "class_shares",
        """
def class_shares(tree, row):
    if "counts" in tree:
        return share_out(1, tree["counts"])
    value = row.get(tree["attribute"])
    if value not in tree["branches"]:
        value = max(tree["sizes"], key=tree["sizes"].get)
    return class_shares(tree["branches"][value], row)
""",
        {"are mixed where a value is unknown": "go down every branch"},
    ),
]

OF_CART = [
    Wrong(
        "cart",
        "the chance that two cases agree",
        "gini",
        """
def gini(counts):
    return sum((n / sum(counts)) ** 2 for n in counts)
""",
        {
            "is the chance that two cases differ in class": "subtract it from 1",
            "is 0 where all cases are of one class": "too high",
            "is largest where all classes are equally frequent": "",
        },
    ),
    Wrong(
        "cart",
        "Gini of the labels as numbers",
        "gini",
        """
def gini(counts):
    labels = [k for k, n in enumerate(counts, start=1) for _ in range(n)]
    distances = sum(abs(a - b) for a in labels for b in labels)
    return distances / (2 * len(labels) * sum(labels))
""",
        {
            "is the chance that two cases differ in class": "too low",
            "is largest where all classes are equally frequent": "too low",
        },
    ),
    Wrong(
        "cart",
        "counts for shares",
        "gini",
        """
def gini(counts):
    return 1 - sum(n**2 for n in counts)
""",
        {
            "is the chance that two cases differ in class": "too low",
            "depends on shares, not on how many cases there are": "the same shares",
            "is 0 where all cases are of one class": "too low",
            "is largest where all classes are equally frequent": "too low",
        },
    ),
    Wrong(
        "cart",
        "both sides weigh the same",
        "gini_gain",
        """
def gini_gain(left, right):
    both = [a + b for a, b in zip(left, right)]
    return gini(both) - (gini(left) + gini(right)) / 2
""",
        {"is the impurity before minus the weighted impurity after": "Weigh each by its share"},
    ),
    Wrong(
        "cart",
        "the cut is a value itself",
        "best_cut",
        """
def best_cut(values, classes):
    def counts(some):
        return [some.count(label) for label in sorted(set(classes))]

    found = []
    for cut in sorted(set(values))[:-1]:
        left = [label for value, label in zip(values, classes) if value <= cut]
        right = [label for value, label in zip(values, classes) if value > cut]
        found.append((round(gini_gain(counts(left), counts(right)), 9), -cut))
    return (-max(found)[1], max(found)[0]) if found else None
""",
        {"finds the cut with the largest gain": "halfway to the next one"},
    ),
    Wrong(
        "cart",
        "entropy for Gini",
        "best_cut",
        """
import math

def best_cut(values, classes):
    def entropy(some):
        shares = [some.count(label) / len(some) for label in set(some)]
        return -sum(p * math.log2(p) for p in shares)

    found = []
    ordered = sorted(set(values))
    for cut in [(low + high) / 2 for low, high in zip(ordered, ordered[1:])]:
        left = [label for value, label in zip(values, classes) if value <= cut]
        right = [label for value, label in zip(values, classes) if value > cut]
        after = (len(left) * entropy(left) + len(right) * entropy(right)) / len(classes)
        found.append((round(entropy(classes) - after, 9), -cut))
    return (-max(found)[1], max(found)[0]) if found else None
""",
        {"finds the cut with the largest gain": "gain"},
    ),
    Wrong(
        "cart",
        "every division twice",
        "groups",
        """
def groups(values):
    names = sorted(set(values))
    return [list(some) for n in range(1, len(names)) for some in combinations(names, n)]
""",
        {
            "finds every way to make two groups": "twice, as its other half?",
            "doubles with each value, and one more": "can be divided in",
        },
    ),
    Wrong(
        "cart",
        "a group with everything",
        "groups",
        """
def groups(values):
    first, *rest = sorted(set(values))
    return [[first, *some] for n in range(len(rest) + 1) for some in combinations(rest, n)]
""",
        {
            "finds every way to make two groups": "That divides nothing",
            "doubles with each value, and one more": "can be divided in",
            "finds none for a single value": "one value cannot be divided",
        },
    ),
    Wrong(
        "cart",
        "cuts the alphabet",
        "best_group",
        """
def best_group(values, classes):
    names, labels = sorted(set(values)), sorted(set(classes))

    def gain(group):
        inside = [label for value, label in zip(values, classes) if value in group]
        outside = [label for value, label in zip(values, classes) if value not in group]
        return gini_gain([inside.count(k) for k in labels], [outside.count(k) for k in labels])

    return max((names[:n] for n in range(1, len(names))), key=gain)
""",
        {
            "gains most of all groups": "another group gains more",
            "also looks at groups that no order puts together": "may belong together",
        },
    ),
    Wrong(
        "cart",
        "variance for the sum of squares",
        "squared_error",
        """
import statistics

def squared_error(y):
    return statistics.pvariance(y)
""",
        {"is the sum of squares around the mean": "their sum is asked for"},
    ),
    Wrong(
        "cart",
        "median for mean",
        "squared_error",
        """
import statistics

def squared_error(y):
    return sum((value - statistics.median(y)) ** 2 for value in y)
""",
        {"is the sum of squares around the mean": "not the median"},
    ),
    Wrong(
        "cart",
        "the difference of two enormous sums",
        "squared_error",
        """
def squared_error(y):
    return sum(value * value for value in y) - sum(y) ** 2 / len(y)
""",
        {"does not change if all numbers are larger": "Subtract the mean first"},
    ),
    Wrong(
        "cart",
        "sorts x and leaves y",
        "best_cut_for_numbers",
        """
def best_cut_for_numbers(x, y):
    x = sorted(x)
    cuts = [(low + high) / 2 for low, high in zip(x, x[1:]) if low < high]

    def saving(cut):
        left, right = [b for a, b in zip(x, y) if a <= cut], [b for a, b in zip(x, y) if a > cut]
        return round(squared_error(y) - squared_error(left) - squared_error(right), 9)

    return (max(cuts, key=saving), max(map(saving, cuts))) if cuts else None
""",
        {"saves most squared error": "saving"},
    ),
    Wrong(
        "cart",
        "medians in the leaves",
        "grow",
        """
import statistics

def grow(x, y, depth):
    best = best_cut_for_numbers(x, y) if depth > 0 else None
    if best is None or best[1] <= 1e-9:
        return statistics.median(y)
    sides = {}
    for side, there in (("left", True), ("right", False)):
        pairs = [(a, b) for a, b in zip(x, y) if (a <= best[0]) == there]
        sides[side] = grow([a for a, _ in pairs], [b for _, b in pairs], depth - 1)
    return {"cut": best[0], **sides}
""",
        {
            "predicts the mean in a leaf": "this is the median",
            "grows the whole tree": "further down, the tree differs",
        },
    ),
    Wrong(
        "cart",
        "depth is not counted",
        "grow",
        """
def grow(x, y, depth):
    best = best_cut_for_numbers(x, y) if depth > 0 else None
    if best is None or best[1] <= 1e-9:
        return sum(y) / len(y)
    sides = {}
    for side, there in (("left", True), ("right", False)):
        pairs = [(a, b) for a, b in zip(x, y) if (a <= best[0]) == there]
        sides[side] = grow([a for a, _ in pairs], [b for _, b in pairs], depth)
    return {"cut": best[0], **sides}
""",
        {
            "grows the whole tree": "further down, the tree differs",
            "grows no deeper than it may": "at most",
        },
    ),
    Wrong(
        "cart",
        "< for <=",
        "predict",
        """
def predict(tree, x):
    while isinstance(tree, dict):
        tree = tree["left"] if x < tree["cut"] else tree["right"]
    return tree
""",
        {"sends a value equal to the cut to the left": "goes left"},
    ),
    Wrong(
        "cart",
        "a tree from a library",
        "grow",
        """
def grow(x, y, depth):
    from sklearn.tree import DecisionTreeRegressor
    return DecisionTreeRegressor(max_depth=depth).fit([[a] for a in x], y)
""",
        everything(
            "sklearn is not allowed here",
            "predicts the mean in a leaf",
            "grows the whole tree",
            "grows no deeper than it may",
            "stops where nothing is saved",
            "leaves its input as it was",
        ),
    ),
]

OF_PRUNING = [
    Wrong(
        "pruning",
        "counts what is right",
        "errors_as_leaf",
        """
def errors_as_leaf(tree):
    return max(tree["counts"].values())
""",
        {
            "counts the cases of all other classes": "that the leaf gets right",
            "is 0 where all cases are of one class": "too high",
            "copes with any number of classes": "too",
        },
    ),
    Wrong(
        "pruning",
        "the rarest class is all that is wrong",
        "errors_as_leaf",
        """
def errors_as_leaf(tree):
    return min(tree["counts"].values())
""",
        {"copes with any number of classes": "too"},
    ),
    Wrong(
        "pruning",
        "shares for errors",
        "errors_of_tree",
        """
def errors_of_tree(tree):
    def errors(node):
        if "branches" not in node:
            return errors_as_leaf(node)
        return sum(errors(branch) for branch in node["branches"].values())
    return errors(tree) / sum(tree["counts"].values())
""",
        {
            "adds up the errors of the leaves": "not their share",
            "is a leaf's own errors for a leaf": "too low",
        },
    ),
    Wrong(
        "pruning",
        "looks one step down only",
        "errors_of_tree",
        """
def errors_of_tree(tree):
    if "branches" not in tree:
        return errors_as_leaf(tree)
    return sum(errors_as_leaf(branch) for branch in tree["branches"].values())
""",
        {"adds up the errors of the leaves": "too high"},
    ),
    Wrong(
        "pruning",
        "alpha in errors, not in shares",
        "link_strength",
        """
def link_strength(tree, n):
    return (errors_as_leaf(tree) - errors_of_tree(tree)) / (leaves(tree) - 1)
""",
        {"is the risk that each leaf saves": "divide the errors by n"},
    ),
    Wrong(
        "pruning",
        "alpha in shares of the node's own cases",
        "link_strength",
        """
def link_strength(tree, n):
    own = sum(tree["counts"].values())
    return (errors_as_leaf(tree) - errors_of_tree(tree)) / own / (leaves(tree) - 1)
""",
        {"is the risk that each leaf saves": "not of those that came here"},
    ),
    Wrong(
        "pruning",
        "forgets the leaf that takes the place",
        "link_strength",
        """
def link_strength(tree, n):
    return (errors_as_leaf(tree) - errors_of_tree(tree)) / n / leaves(tree)
""",
        {"is the risk that each leaf saves": "one leaf fewer"},
    ),
    Wrong(
        "pruning",
        "prunes in the tree that it was given",
        "prune_weakest",
        """
def prune_weakest(tree, n):
    def inner(node):
        below = [m for b in node.get("branches", {}).values() for m in inner(b)]
        return [node, *below] if "branches" in node else []
    strengths = [(link_strength(node, n), node) for node in inner(tree)]
    least = min(strength for strength, _ in strengths)
    for strength, node in strengths:
        if strength <= least + 1e-9:
            node.pop("branches", None)
            node.pop("attribute", None)
    return least, tree
""",
        {"leaves its input as it was": "work on a copy"},
    ),
    Wrong(
        "pruning",
        "prunes one of several weakest links",
        "prune_weakest",
        """
import copy

def prune_weakest(tree, n):
    tree = copy.deepcopy(tree)
    def inner(node):
        below = [m for b in node.get("branches", {}).values() for m in inner(b)]
        return [*below, node] if "branches" in node else []
    node = min(inner(tree), key=lambda node: link_strength(node, n))
    least = link_strength(node, n)
    del node["branches"], node["attribute"]
    return least, tree
""",
        {"makes leaves of all nodes with that strength": "every node with the least link strength"},
    ),
    Wrong(
        "pruning",
        "keeps the question in a pruned node",
        "prune_weakest",
        """
def prune_weakest(tree, n):
    def inner(node):
        below = [m for b in node.get("branches", {}).values() for m in inner(b)]
        return [node, *below] if "branches" in node else []
    least = min(link_strength(node, n) for node in inner(tree))
    def cut(node):
        if "branches" not in node:
            return node
        if link_strength(node, n) <= least + 1e-9:
            return {k: v for k, v in node.items() if k != "branches"}
        return {**node, "branches": {v: cut(b) for v, b in node["branches"].items()}}
    return least, cut(tree)
""",
        {"makes leaves of all nodes with that strength": "A leaf has one key"},
    ),
    Wrong(
        "pruning",
        "never gets to the end",
        "sequence",
        """
def sequence(tree, n):
    steps = [(0, leaves(tree))]
    while True:
        alpha, pruned = prune_weakest(tree, n)
        steps.append((alpha, leaves(pruned)))
        del steps[2:]
""",
        everything(
            "is there a loop that never ends?",
            "begins with the whole tree and ends with a leaf",
            "leaves its input as it was",
        )
        | {"prunes the weakest link at each step": ""},
    ),
    Wrong(
        "pruning",
        "leaves out the whole tree",
        "sequence",
        """
def sequence(tree, n):
    steps = []
    while "branches" in tree:
        alpha, tree = prune_weakest(tree, n)
        steps.append((alpha, leaves(tree)))
    return steps
""",
        {
            "begins with the whole tree and ends with a leaf": "the first pair must be 0",
            "prunes the weakest link at each step": "",
        },
    ),
    Wrong(
        "pruning",
        "takes the least risk",
        "one_standard_error",
        """
def one_standard_error(risks, errors):
    return risks.index(min(risks))
""",
        {"takes the smallest tree within one standard error": "a smaller tree may be within"},
    ),
    Wrong(
        "pruning",
        "each tree's own standard error",
        "one_standard_error",
        """
def one_standard_error(risks, errors):
    return max(k for k in range(len(risks)) if risks[k] - errors[k] <= min(risks))
""",
        {
            "takes the smallest tree within one standard error": "",
            "measures from the least risk, with its own error": "not of another",
        },
    ),
    Wrong(
        "pruning",
        "pruning by training error",
        "reduced_error",
        """
def reduced_error(tree, rows, classes):
    if "branches" not in tree or errors_as_leaf(tree) <= errors_of_tree(tree):
        return {"counts": tree["counts"]}
    branches = {v: reduced_error(b, rows, classes) for v, b in tree["branches"].items()}
    return {**tree, "branches": branches}
""",
        {
            "never makes more errors on these cases": "gets more of the given cases wrong",
            "counts errors on these cases, not on the training cases": "Prune by the errors on",
            "prunes where both make the same errors": "the simpler one wins",
            "goes from the bottom up": "prune the branches first",
        },
    ),
    Wrong(
        "pruning",
        "prunes only if the leaf is better",
        "reduced_error",
        """
def reduced_error(tree, rows, classes):
    as_leaf = {"counts": tree["counts"]}
    if "branches" not in tree:
        return as_leaf
    cases = list(zip(rows, classes))
    branches = {}
    for value, branch in tree["branches"].items():
        there = [case for case in cases if case[0].get(tree["attribute"]) == value]
        branches[value] = reduced_error(branch, [r for r, _ in there], [k for _, k in there])
    whole = {**tree, "branches": branches}
    errors = [sum(predict(t, r) != k for r, k in cases) for t in (as_leaf, whole)]
    return as_leaf if errors[0] < errors[1] else whole
""",
        {
            "prunes where both make the same errors": "the simpler one wins",
            "goes from the bottom up": "",
        },
    ),
    Wrong(
        "pruning",
        "from the top down",
        "reduced_error",
        """
def reduced_error(tree, rows, classes):
    as_leaf = {"counts": tree["counts"]}
    cases = list(zip(rows, classes))
    errors = [sum(predict(t, r) != k for r, k in cases) for t in (as_leaf, tree)]
    if "branches" not in tree or errors[0] <= errors[1]:
        return as_leaf
    branches = {}
    for value, branch in tree["branches"].items():
        there = [case for case in cases if case[0].get(tree["attribute"]) == value]
        branches[value] = reduced_error(branch, [r for r, _ in there], [k for _, k in there])
    return {**tree, "branches": branches}
""",
        {"goes from the bottom up": "prune the branches first"},
    ),
    Wrong(
        "pruning",
        "half a case once",
        "half_case_errors",
        """
def half_case_errors(tree):
    return errors_of_tree(tree) + 0.5
""",
        {
            "adds half a case for each leaf": "not once for the whole tree",
            "makes a subtree that saves nothing look worse than a leaf": "the larger estimate",
        },
    ),
    Wrong(
        "pruning",
        "tests on the cases that pruned it",
        "my_study",
        """
def my_study():
    growing, pruning, testing = draw(STUDENT)
    before = grow(*growing, ["soil", "light", "water", "wind"])
    after = reduced_error(before, *pruning)

    def accuracy(tree):
        return sum(predict(tree, r) == k for r, k in zip(*pruning)) / len(pruning[0])

    return {
        "leaves_before": leaves(before),
        "leaves_after": leaves(after),
        "accuracy_before": accuracy(before),
        "accuracy_after": accuracy(after),
    }
""",
        {
            "accuracy_before": "the data of this STUDENT",
            "accuracy_after": "the data of this STUDENT",
        },
    ),
]

CATALOGUE = OF_ENTROPY + OF_ID3 + OF_C45 + OF_CART + OF_PRUNING

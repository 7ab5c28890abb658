"""Right solutions in other styles than ours: each must keep all points of its notebook.

The code of a cell is told as `coursework.changed` takes it.
"""

RIGHT = {
    ("entropy", "a helper with a base"): {
        "entropy": """
def entropy(counts, base=2):
    total = sum(counts)
    return sum(n / total * math.log(total / n, base) for n in counts if n)""",
        "expected_entropy": """
    n = sum(map(sum, table))
    return sum(sum(row) / n * entropy(row, base=2) for row in table if sum(row))""",
    },
    ("entropy", "NumPy throughout"): {
        "surprise": """
import numpy as np
def surprise(p):
    with np.errstate(divide="ignore"):
        return -np.log2(np.float64(p)) + 0.0""",
        "entropy": """
    p = np.asarray(counts, float) / np.sum(counts)
    p = p[p > 0]
    return np.abs(-(p * np.log2(p)).sum())""",
        "expected_entropy": """
    table = np.array(table)
    sizes = table.sum(axis=1)
    return np.array(sum(n / sizes.sum() * entropy(row) for n, row in zip(sizes, table) if n))""",
        "count_table": """
    v, row = np.unique(values, return_inverse=True)
    c, column = np.unique(classes, return_inverse=True)
    table = np.zeros((len(v), len(c)), int)
    np.add.at(table, (row, column), 1)
    return table""",
        "mutual_information": """
    p = np.array(table) / np.sum(table)
    e = p.sum(1, keepdims=True) * p.sum(0, keepdims=True)
    return (p[p > 0] * np.log2(p[p > 0] / e[p > 0])).sum()""",
    },
    ("entropy", "pairs, generators, fractions"): {
        "expected_entropy": """
from fractions import Fraction
def expected_entropy(table):
    total = sum(sum(row) for row in table)
    return sum(Fraction(sum(row), total) * Fraction(entropy(row)) for row in table if any(row))""",
        "count_table": """
from collections import Counter
def count_table(values, classes):
    found = Counter(zip(values, classes))
    return [tuple(found[v, c] for c in sorted(set(classes))) for v in sorted(set(values))]""",
    },
    ("entropy", "helpers in another cell, and of the same name as built-in functions"): {
        "surprise": """
def shares(counts):
    return [n / sum(counts) for n in counts if n]
def surprise(p):
    return math.inf if not p else -math.log2(p)""",
        "entropy": "return sum(p * surprise(p) for p in shares(counts))",
        "expected_entropy": """
def input(table):
    return sum(map(sum, table))
def expected_entropy(table):
    return sum(sum(r) * entropy(r) for r in table if sum(r)) / input(table)""",
    },
    ("entropy", "decimals"): {
        "entropy": """
from decimal import Decimal
def entropy(counts):
    n = sum(counts)
    return sum((Decimal(k) / n * Decimal(math.log2(n / k)) for k in counts if k), Decimal(0))""",
        "information_gain": """
    left = sum(sum(r) / sum(map(sum, table)) * float(entropy(r)) for r in table if sum(r))
    return float(entropy([sum(c) for c in zip(*table)])) - left""",
        "expected_entropy": {" * entropy(row)": " * float(entropy(row))"},
        "my_mornings": """
    columns, classes = draw(STUDENT)
    best = best_attribute(columns, classes)
    gain = information_gain(count_table(columns[best], classes))
    return dict(entropy=entropy(list(map(classes.count, set(classes)))), best=best, gain=gain)""",
    },
    ("id3", "recursion with a path, and a depth"): {
        "rules": """
def rules(tree, path=()):
    if not isinstance(tree, dict):
        return [(dict(path), tree)]
    pairs = tree["branches"].items()
    return [r for v, b in pairs for r in rules(b, (*path, (tree["attribute"], v)))]""",
        "grow": """
def grow(rows, classes, attributes, max_depth=99):
    best = choose(rows, classes, attributes) if max_depth else None
    if best is None or len(set(classes)) == 1:
        return majority(classes)
    rest = [a for a in attributes if a != best]
    parts = divide(rows, classes, best)
    branches = {v: grow(r, c, rest, max_depth - 1) for v, (r, c) in parts.items()}
    return {"attribute": best, "majority": majority(classes), "branches": branches}""",
        "my_plants": """
    rows, classes, attributes = draw(STUDENT)
    tree = grow(rows, classes, attributes, max_depth=9)
    right = sum(predict(tree, r) == c for r, c in zip(rows, classes))
    return {"root": tree["attribute"], "leaves": len(rules(tree, ())), "accuracy": right / 40}""",
    },
    ("id3", "defaultdict, Counter, chains"): {
        "majority": "return min(Counter(classes).items(), key=lambda pair: (-pair[1], pair[0]))[0]",
        "divide": """
from collections import defaultdict
def divide(rows, classes, attribute):
    found = defaultdict(lambda: [[], []])
    for row, label in zip(rows, classes):
        found[row[attribute]][0].append(dict(row))
        found[row[attribute]][1].append(label)
    return found""",
        "rules": """
    if isinstance(tree, str):
        yield {}, tree
        return
    for value, branch in tree["branches"].items():
        for path, label in rules(branch):
            yield {tree["attribute"]: value} | path, label""",
        "my_plants": """
    rows, classes, attributes = draw(STUDENT)
    tree = grow(rows, classes, attributes)
    import numpy as np
    hits = np.array([predict(tree, row) for row in rows]) == np.array(classes)
    found = tree["attribute"], len(list(rules(tree))), hits.mean()
    return dict(zip(("root", "leaves", "accuracy"), found))""",
    },
    ("c45", "arrays between the questions"): {
        "cuts": """
import numpy as np
def cuts(values):
    return np.unique(values)[:-1]""",
        "best_cut": """
    cs = cuts(values)
    if cs.size == 0:
        return None
    gains = [information_gain(count_table((np.array(values) <= c).tolist(), classes)) for c in cs]
    k = next(k for k, g in enumerate(gains) if g >= max(gains) - 1e-9)
    return np.array([cs[k], gains[k]])""",
        "my_days": """
    degrees, sky, classes = draw(STUDENT)
    cut, gain = best_cut(degrees, classes)
    sky_gain = np.float64(gain_with_unknown(sky, classes))
    return {"cut": cut, "cut_gain": gain, "sky_gain": sky_gain}""",
    },
    ("c45", "shares with more arguments"): {
        "share_out": """
def share_out(weight=1, sizes=None):
    total = sum(sizes.values())
    return {k: weight * v / total for k, v in sizes.items()}""",
        "class_shares": """
def class_shares(tree, row, weight=1.0):
    if "counts" in tree:
        return share_out(sizes=tree["counts"], weight=weight)
    value, shares = row.get(tree["attribute"]), Counter()
    known = tree["branches"].keys() & {value}
    for v, w in ({value: weight} if known else share_out(weight, tree["sizes"])).items():
        for label, share in class_shares(tree["branches"][v], row, w).items():
            shares[label] += share
    return shares
from collections import Counter""",
    },
    ("cart", "a class of splits, statistics"): {
        "gini": """
def gini(counts, n=None):
    n = n or sum(counts)
    return sum(k / n * (1 - k / n) for k in counts)""",
        "gini_gain": """
    n = sum(left) + sum(right)
    both = [a + b for a, b in zip(left, right)]
    after = sum(left) / n * gini(left, sum(left)) + sum(right) / n * gini(right, n=sum(right))
    return gini(both, n) - after""",
        "squared_error": """
import statistics
def squared_error(y):
    return statistics.pvariance(y) * len(y)""",
        "groups": """
    first, *rest = sorted(set(values))
    for mask in range(2 ** len(rest) - 1):
        yield (first, *(v for k, v in enumerate(rest) if mask >> k & 1))""",
        "best_group": """
    def score(group):
        inside = [values[k] in group for k in range(len(values))]
        labels = sorted(set(classes))
        l = [sum(i and c == k for i, c in zip(inside, classes)) for k in labels]
        r = [classes.count(k) - n for k, n in zip(labels, l)]
        return gini_gain(l, r)
    return max(groups(values), key=score)""",
        "predict": """
    if type(tree) is not dict:
        return tree
    return predict(tree["left" if x <= tree["cut"] else "right"], x)""",
    },
    ("cart", "NumPy"): {
        "squared_error": """
import numpy as np
def squared_error(y):
    return np.var(np.array(y, dtype=float)) * len(y)""",
        "predict": """
    while not isinstance(tree, float):
        tree = tree["left"] if x <= tree["cut"] else tree["right"]
    return tree""",
        "best_cut_for_numbers": """
    x, y = np.array(x), np.array(y, float)
    middles = (np.unique(x)[1:] + np.unique(x)[:-1]) / 2
    if not middles.size:
        return None
    saved = [squared_error(y) - squared_error(y[x <= c]) - squared_error(y[x > c]) for c in middles]
    k = int(np.argmax(np.array(saved) >= max(saved) - 1e-9))
    return middles[k], saved[k]""",
    },
    ("pruning", "a stack, tuples, max of pairs"): {
        "errors_of_tree": """
    stack, errors = [tree], 0
    while stack:
        node = stack.pop()
        if "branches" in node:
            stack += node["branches"].values()
        else:
            errors += errors_as_leaf(node)
    return errors""",
        "sequence": """
    yield 0.0, leaves(tree)
    while "branches" in tree:
        alpha, tree = prune_weakest(tree, n)
        yield alpha, leaves(tree)""",
        "one_standard_error": """
import numpy as np
def one_standard_error(risks, errors):
    k = np.argmin(risks)
    return np.flatnonzero(np.array(risks) <= risks[k] + errors[k])[-1]""",
        "half_case_errors": """
    if "branches" not in tree:
        return errors_as_leaf(tree) + 0.5
    return sum(map(half_case_errors, tree["branches"].values()))""",
    },
}

# Right functions that call a wrong one of an earlier question: only that one may lose points.
ON_WRONG_GROUND = {
    ("entropy", "nats below, a base above"): (
        "entropy",
        {
            "entropy": """
def entropy(counts, base=2):
    return sum(n / sum(counts) * math.log(sum(counts) / n) for n in counts if n)""",
            "expected_entropy": """
    n = sum(map(sum, table))
    return sum(sum(row) / n * entropy(row, base=2) for row in table if sum(row))""",
        },
    ),
    ("id3", "no ties below, a depth above"): (
        "majority",
        {"majority": "def majority(classes):\n    return classes[0]"},
    ),
    ("c45", "the largest value is a cut"): (
        "cuts",
        {"cuts": "def cuts(values):\n    return sorted(set(values))"},
    ),
    ("cart", "an endless helper"): (
        "squared_error",
        {"squared_error": "def squared_error(y):\n    while True:\n        pass"},
    ),
    ("pruning", "nothing there"): ("errors_as_leaf", {"errors_as_leaf": "errors_as_leaf = None"}),
    ("pruning", "a generator is not what is asked for"): (
        "link_strength",
        {"link_strength": "def link_strength(tree, n):\n    return {}"},
    ),
}

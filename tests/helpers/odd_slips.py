"""Wrong functions that small tables of single letters never find, each with what is wrong."""

SLIPS = {
    ("entropy", "surprise", "infinite below 1e-9"): """
def surprise(p):
    return math.inf if p < 1e-9 else 0 if p == 1 else -math.log2(p)
""",
    ("entropy", "entropy", "shares under 1 % ignored"): """
def entropy(counts):
    shares = [n / sum(counts) for n in counts]
    return sum(p * math.log2(1 / p) for p in shares if p >= 0.01)
""",
    ("entropy", "best_attribute", "gains rounded to six digits"): """
def best_attribute(columns, classes):
    tables = {name: count_table(values, classes) for name, values in columns.items()}
    return max(tables, key=lambda name: round(information_gain(tables[name]), 6))
""",
    ("id3", "predict", "a leaf told by `in`, which looks inside words"): """
def predict(tree, row):
    while "branches" in tree:
        tree = tree["branches"].get(row.get(tree["attribute"]), tree["majority"])
    return tree
""",
    ("c45", "cuts", "relative closeness of large numbers"): """
def cuts(values):
    ordered = sorted(set(values))
    return [a for a, b in zip(ordered, ordered[1:]) if not math.isclose(a, b)]
""",
    ("c45", "share_out", "no case weighs more than 1"): """
def share_out(weight, sizes):
    return {value: min(weight, 1) * n / sum(sizes.values()) for value, n in sizes.items()}
""",
    ("cart", "gini", "squares in 32 bits"): """
def gini(counts):
    import numpy as np
    counts = np.array(counts, dtype=np.int32)
    return float(1 - np.sum(counts**2) / counts.sum() ** 2)
""",
    ("cart", "groups", "joined text"): """
def groups(values):
    first, *rest = sorted(set(values))
    some = [[first, *more] for n in range(len(rest)) for more in combinations(rest, n)]
    return list({"".join(group): group for group in some}.values())
""",
    ("cart", "best_cut_for_numbers", "sums of large numbers"): """
def best_cut_for_numbers(x, y):
    best, ordered = None, sorted(set(x))
    for low, high in zip(ordered, ordered[1:]):
        left = [b for a, b in zip(x, y) if a <= low]
        right = [b for a, b in zip(x, y) if a > low]
        saved = sum(sum(side) ** 2 / len(side) for side in (left, right)) - sum(y) ** 2 / len(y)
        if best is None or saved > best[1] + 1e-9:
            best = ((low + high) / 2, saved)
    return best
""",
    ("cart", "grow", "a leaf if less than a millionth is saved"): """
def grow(x, y, depth):
    best = best_cut_for_numbers(x, y) if depth else None
    if best is None or best[1] < 1e-6:
        return sum(y) / len(y)
    sides = [list(zip(*[p for p in zip(x, y) if (p[0] > best[0]) == right])) for right in (0, 1)]
    left, right = (grow(*side, depth - 1) for side in sides)
    return {"cut": best[0], "left": left, "right": right}
""",
    ("pruning", "errors_as_leaf", "in for =="): """
def errors_as_leaf(tree):
    return sum(n for label, n in tree["counts"].items() if majority(tree) not in label)
""",
    ("pruning", "reduced_error", "what Python takes for false has no branch"): """
def reduced_error(tree, rows, classes):
    leaf, cases = {"counts": tree["counts"]}, list(zip(rows, classes))
    if "branches" not in tree:
        return leaf
    branches = {}
    for value, branch in tree["branches"].items():
        there = [(r, c) for r, c in cases if (r.get(tree["attribute"]) or "none") == value]
        branches[value] = reduced_error(branch, [r for r, _ in there], [c for _, c in there])
    new = {**tree, "branches": branches}
    errors = [sum(predict(some, r) != c for r, c in cases) for some in (leaf, new)]
    return leaf if errors[0] <= errors[1] else new
""",
    ("entropy", "count_table", "in for =="): """
def count_table(values, classes):
    pairs = list(zip(values, classes))
    return [[sum(v in w and c == d for w, d in pairs) for c in sorted(set(classes))]
            for v in sorted(set(values))]
""",
    ("entropy", "count_table", "joined text"): """
def count_table(values, classes):
    pairs = [v + c for v, c in zip(values, classes)]
    return [[pairs.count(v + c) for c in sorted(set(classes))] for v in sorted(set(values))]
""",
    ("entropy", "count_table", "strip and lower"): """
def count_table(values, classes):
    pairs = [(v.strip().lower(), c.strip().lower()) for v, c in zip(values, classes)]
    rows, columns = (sorted({pair[k] for pair in pairs}) for k in (0, 1))
    return [[pairs.count((v, c)) for c in columns] for v in rows]
""",
    ("id3", "grow", "no deeper than five"): """
def grow(rows, classes, attributes, depth=5):
    best = choose(rows, classes, attributes)
    if len(set(classes)) == 1 or best is None or depth == 0:
        return majority(classes)
    rest = [a for a in attributes if a != best]
    return {"attribute": best, "majority": majority(classes), "branches": {
        v: grow(r, c, rest, depth - 1) for v, (r, c) in divide(rows, classes, best).items()}}
""",
    ("id3", "grow", "a leaf at 95 %"): """
def grow(rows, classes, attributes):
    best = choose(rows, classes, attributes)
    most = classes.count(majority(classes)) / len(classes)
    if most >= 0.95 or best is None:
        return majority(classes)
    rest = [a for a in attributes if a != best]
    return {"attribute": best, "majority": majority(classes), "branches": {
        v: grow(r, c, rest) for v, (r, c) in divide(rows, classes, best).items()}}
""",
    ("id3", "predict", "a value that Python takes for false is missing"): """
def predict(tree, row):
    while isinstance(tree, dict):
        value = row.get(tree["attribute"])
        tree = tree["branches"].get(value, tree["majority"]) if value else tree["majority"]
    return tree
""",
    ("c45", "gain_ratio", "0 if the split information is below 0.1"): """
def gain_ratio(table):
    information = split_information([sum(row) for row in table], 0)
    return information_gain(table) / information if information >= 0.1 else 0.0
""",
    ("c45", "cuts", "merged at 3 digits"): """
def cuts(values):
    return sorted({round(v, 3) for v in values})[:-1]
""",
    ("c45", "gain_with_unknown", "what Python takes for false is unknown"): """
def gain_with_unknown(values, classes):
    known = [(v, c) for v, c in zip(values, classes) if v]
    if not known:
        return 0.0
    return len(known) / len(values) * information_gain(count_table(*zip(*known)))
""",
    ("c45", "class_shares", "what Python takes for false is unknown"): """
def class_shares(tree, row):
    if "counts" in tree:
        return share_out(1, tree["counts"])
    value, shares = row.get(tree["attribute"]), {}
    known = value and value in tree["branches"]
    for branch, weight in ({value: 1} if known else share_out(1, tree["sizes"])).items():
        for label, share in class_shares(tree["branches"][branch], row).items():
            shares[label] = shares.get(label, 0) + weight * share
    return shares
""",
    ("cart", "predict", "a cut at 0 is a leaf"): """
def predict(tree, x):
    while isinstance(tree, dict) and tree["cut"]:
        tree = tree["left" if x <= tree["cut"] else "right"]
    return tree
""",
    ("cart", "groups", "one against the rest above eight values"): """
def groups(values):
    first, *rest = sorted(set(values))
    if len(rest) >= 8:
        return [[v] for v in (first, *rest)]
    from itertools import combinations
    return [[first, *some] for n in range(len(rest)) for some in combinations(rest, n)]
""",
    ("pruning", "sequence", "stops after 20 steps"): """
def sequence(tree, n):
    steps = [(0, leaves(tree))]
    while "branches" in tree and len(steps) <= 20:
        alpha, tree = prune_weakest(tree, n)
        steps.append((alpha, leaves(tree)))
    return steps
""",
    ("pruning", "one_standard_error", "rounded to 3 digits"): """
def one_standard_error(risks, errors):
    risks, errors = ([round(v, 3) for v in some] for some in (risks, errors))
    least = risks.index(min(risks))
    limit = risks[least] + errors[least] + 1e-9
    return max(k for k, risk in enumerate(risks) if risk <= limit)
""",
    ("entropy", "surprise", "at most 64 bits"): """
def surprise(p):
    return min(64, -math.log2(p)) if p else math.inf
""",
    ("id3", "majority", "the shortest of equals"): """
def majority(classes):
    counts = Counter(classes)
    return min(counts, key=lambda label: (-counts[label], len(label), label))
""",
    ("cart", "grow", "no deeper than 6"): """
def grow(x, y, depth):
    best = best_cut_for_numbers(x, y) if depth > 0 else None
    if best is None or best[1] <= 1e-9:
        return sum(y) / len(y)
    parts = {"left": [], "right": []}
    for pair in zip(x, y):
        parts["left" if pair[0] <= best[0] else "right"].append(pair)
    grown = {side: grow(*zip(*some), min(depth, 6) - 1) for side, some in parts.items()}
    return {"cut": best[0], **grown}
""",
    ("id3", "choose", "gains rounded to five digits"): """
def choose(rows, classes, attributes):
    useful = [a for a in attributes if len({row[a] for row in rows}) > 1]
    return max(useful, key=lambda a: round(gain(rows, classes, a), 5), default=None)
""",
    ("c45", "choose_by_ratio", "ratios rounded to five digits"): """
def choose_by_ratio(tables):
    gains = {name: information_gain(table) for name, table in tables.items()}
    least = sum(gains.values()) / len(gains) - 1e-9
    able = [name for name in gains if gains[name] >= least]
    return max(able, key=lambda name: round(gain_ratio(tables[name]), 5))
""",
    ("c45", "choose_by_ratio", "a guard with a tolerance of 1e-5"): """
def choose_by_ratio(tables):
    gains = {name: information_gain(table) for name, table in tables.items()}
    least = sum(gains.values()) / len(gains) - 1e-5
    able = [name for name in gains if gains[name] >= least]
    return max(able, key=lambda name: round(gain_ratio(tables[name]), 9))
""",
    ("cart", "best_cut_for_numbers", "savings with a tolerance of a thousandth"): """
def best_cut_for_numbers(x, y):
    best, most, ordered = None, -1, sorted(set(x))
    for cut in [(low + high) / 2 for low, high in zip(ordered, ordered[1:])]:
        left, right = [b for a, b in zip(x, y) if a <= cut], [b for a, b in zip(x, y) if a > cut]
        saving = squared_error(y) - squared_error(left) - squared_error(right)
        if saving > 1.001 * most + 1e-9:
            best, most = (cut, saving), saving
    return best
""",
}

"""The catalogue of wrong solutions: what each should cost, and what its author should be told.

A wrong solution differs from ours in one cell. It is given as {what stands there: what is written
instead}, or as what the function does in place of ours. What it loses are tests, by how their names
begin, each with words from the hint; "" stands for all of the cell's. All other points are kept.
"""

import textwrap
from typing import NamedTuple

from coursework import full_points, ours


class Wrong(NamedTuple):
    assignment: str
    cell: str
    mistake: str
    change: dict | str
    hints: dict

    @property
    def code(self):
        right = ours(self.assignment)[self.cell]
        if isinstance(self.change, str):
            head = right[: right.index(":\n") + 2]
            return head + textwrap.indent(textwrap.dedent(self.change).strip("\n"), "    ")
        for old, new in self.change.items():
            assert old in right, (self.assignment, self.cell, self.mistake, old)
            right = right.replace(old, new)
        return right

    @property
    def loses(self):
        """Return {(question, test): words from the hint}."""
        found = {}
        for begin, hint in self.hints.items():
            fits = {
                (question, test): hint
                for question, test in full_points(self.assignment)
                if question == self.cell and test.startswith(begin)
            }
            assert fits, (self.assignment, self.cell, self.mistake, begin)
            found |= fits
        return found


OF_ENTROPY = {
    "surprise": {
        "log10": ({"math.log2": "math.log10"}, {"is in bits": "base 10"}),
        "an impossible event divides by zero": (
            "return math.log2(1 / p)",
            {"is infinite": "ZeroDivisionError"},
        ),
        "a loop that never ends": (
            """
            while True:
                try:
                    p = p / 2
                except:
                    pass
            """,
            {"": "is there a loop that never ends?"},
        ),
        "a cell that deletes the tests": ({"math.inf": "math.inf\n\ndel check"}, {}),
    },
    "entropy": {
        "rounds": (
            {"return sum(": "return round(sum(", "in shares)": "in shares), 3)"},
            {"is in bits": "right but for rounding"},
        ),
        "natural logarithm": ({"log2": "log"}, {"is in bits": "natural logarithms: "}),
        "0 log 0 is NaN": (
            """
            import numpy as np
            shares = np.array(counts) / sum(counts)
            return -np.sum(shares * np.log2(shares))
            """,
            {"does not change": "NaN. 0 log 0 counts as 0", "is 0 where": "is NaN"},
        ),
        "0 log 0 is an error": (
            {" if n > 0": "", "math.log2(1 / p)": "-math.log2(p)"},
            dict.fromkeys(("does not change", "is 0 where", "leaves its"), "ValueError"),
        ),
        "counts taken for shares": (
            "return -sum(n * math.log2(n) for n in counts if n > 0)",
            {
                "is in bits": "too low",
                "does not change": "must add nothing",
                "depends on shares": "in the same shares",
                "is 0 where": "too low",
            },
        ),
        "mutates its input": (
            {"    shares": "    while 0 in counts:\n        counts.remove(0)\n    shares"},
            {"leaves its": "work on a copy"},
        ),
        "the visible answer hard-coded": (
            "return {2: 0.9709505945, 4: 2.0}.get(len(counts), 0.0)",
            {
                "is in bits": "too",
                "does not change": "must add nothing",
                "depends on shares": "in the same shares",
                "is 0 where": "too high",
            },
        ),
        "a return is missing": ({"return": "result ="}, {"": "is a `return` missing?"}),
        "prints in place of returning a number": (
            {"return sum(": 'return f"{sum(', "in shares)": 'in shares):.3f} bits"'},
            dict.fromkeys(("is in", "does not", "depends", "is 0"), "a number is asked for"),
        ),
        "a cell that does not parse": ({"(counts):": "(counts)"}, {"": "there is no `entropy`"}),
    },
    "expected_entropy": {
        "every value weighs the same": (
            """
            rows = [row for row in table if sum(row) > 0]
            return sum(entropy(row) for row in rows) / len(rows)
            """,
            {"weighs": "Weigh it by its share"},
        ),
        "divides by the number of values": (
            {"/ cases": "/ len(table)"},
            {
                "weighs": "divide by the number of cases, not of values",
                "does not change": "must change nothing",
            },
        ),
        "forgets to divide by the total": (
            {" / cases": ""},
            {"weighs": "the weights must be shares"},
        ),
    },
    "information_gain": {
        "gain the wrong way round": (
            {"return ": "return -", " - ": " + "},
            {"is the entropy": "wrong way round"},
        ),
        "what is left for what is gained": (
            {"entropy(classes) - ": ""},
            {
                "is the entropy": "what is left after the question",
                "is 0": "must be 0 where all values",
            },
        ),
        "calls the package of the book": (
            """
            from dtreebook import measures
            return float(measures.information_gain(table))
            """,
            {"": "dtreebook is not allowed here"},
        ),
    },
    "mutual_information": {
        "imports a library at the top of the cell": (
            {"def ": "from sklearn.metrics import mutual_info_score\n\n\ndef "},
            {"": "there is no `mutual_information`"},
        ),
        "empty cells divide by zero": ({"        if n > 0\n": ""}, {"copes": "ValueError"}),
    },
    "count_table": {
        "shares for counts": (
            {"(value, label))": "(value, label)) / len(cases)"},
            {
                "counts the cases": "counts are asked for, not shares",
                "has a 0": "add up to the number of cases",
                "does not depend": "add up to the number of cases",
            },
        ),
        "rows for columns": (
            """
            cases = list(zip(classes, values))
            values, classes = sorted(set(values)), sorted(set(classes))
            return [[cases.count((a, b)) for b in values] for a in classes]
            """,
            {
                "counts the cases": "one row per value, not class",
                "has a 0": "a column for every class",
            },
        ),
        "values in the order in which they come": (
            {"sorted(set(values))": "dict.fromkeys(values)"},
            {"counts the cases": "", "does not depend": "another table"},
        ),
        "leaves out pairs that never occur": (
            {"sorted(set(classes))": "sorted(set(classes)) if (value, label) in cases"},
            {"counts the cases": "count each pair", "has a 0": "a 0 where no case is"},
        ),
        "sorts the input in place": (
            {"    return [": "    values.sort()\n    return ["},
            {"leaves its": "work on a copy"},
        ),
    },
    "best_attribute": {
        "the last of equal gains": (
            {"gain > most + 1e-9": "gain >= most"},
            {"takes the first": "named first"},
        ),
        "the least gain": (
            {"-1\n": "9\n", "gain > most + 1e-9": "gain < most"},
            {
                "takes the largest": "another attribute gains more",
                "takes the first": "",
                "does not fall": "tells nothing",
            },
        ),
    },
    "my_mornings": {
        "numbers copied from somebody else": (
            'return {"entropy": 0.8112781245, "best": "wind", "gain": 0.1887218755}',
            {"": "the data of this STUDENT"},
        )
    },
}
OF_ID3 = {
    "majority": {
        "the tie goes to whoever comes first": (
            "return Counter(classes).most_common(1)[0][0]",
            {"is the first": "first in the alphabet"},
        ),
        "sorts the classes in place": (
            {"    counts": "    classes.sort()\n    counts"},
            {"leaves its": "work on a copy"},
        ),
    },
    "divide": {
        "keeps only the last case of each value": (
            "return {row[attribute]: ([row], [label]) for row, label in zip(rows, classes)}",
            {
                "puts every": "the rows and the classes of its cases",
                "loses no case": "the classes of all cases",
            },
        ),
        "removes the attribute from the rows": (
            {"append(row)": "append(dict(row))", "(label)": "(label)\n        del row[attribute]"},
            {"leaves its": "work on a copy"},
        ),
    },
    "gain": {
        "what is left for what is gone": (
            {"entropy(classes) - left": "left"},
            {"is the information": "the entropy that is left", "is 0": "too high"},
        ),
        "after minus before": (
            {"entropy(classes) - left": "left - entropy(classes)"},
            {"is the information": "the sign is the wrong way round"},
        ),
        "the weights are forgotten": (
            {"len(part) / len(classes)": "1 / len(parts)"},
            {"is the information": "too"},
        ),
        "the weights are numbers of cases": (
            {" / len(classes)": ""},
            {"is the information": "too low", "weighs": "weigh by shares", "is 0": "too low"},
        ),
    },
    "choose": {
        "the last of equal gains": (
            {"found > most + 1e-9": "found >= most - 1e-9"},
            {"takes the first": "named first"},
        ),
        "stops where nothing is gained yet": (
            """
            gains = {a: gain(rows, classes, a) for a in attributes}
            best = max(gains, key=gains.get, default=None)
            return best if best and gains[best] > 1e-9 else None
            """,
            {"takes the first": "named first", "asks on": "no reason to stop"},
        ),
        "chooses what divides nothing": ({"> 1:": "> 0:"}, {"gives None": "return None"}),
    },
    "grow": {
        "asks the same question again and again": (
            {"some_rows, some_classes, rest": "rows, classes, attributes"},
            dict.fromkeys(("grows", "asks", "leaves its"), "calls itself for ever"),
        ),
        "uses up the list of attributes": (
            {
                "rest = [attribute for attribute in attributes if attribute != best]": (
                    "attributes.remove(best)"
                ),
                "rest)": "attributes)",
            },
            {"grows": "further down, the tree differs", "leaves its": "work on a copy"},
        ),
    },
    "predict": {
        "a value never seen stops the program": (
            """
            while isinstance(tree, dict):
                tree = tree["branches"][row[tree["attribute"]]]
            return tree
            """,
            {"answers": "KeyError"},
        ),
        "answers by the majority of the root": (
            """
            here = tree
            while isinstance(here, dict):
                here = here["branches"].get(row.get(here["attribute"]), tree["majority"])
            return here
            """,
            {"answers a value": "the majority of the node that asks"},
        ),
    },
    "rules": {
        "forgets the conditions above": (
            {'({tree["attribute"]': '(conditions or {tree["attribute"]', ", **conditions": ""},
            {"has one rule": "all answers on the path"},
        )
    },
}

OF_C45 = {
    "split_information": {
        "unknown values forgotten": (
            {"[*sizes, unknown]": "sizes"},
            {"counts unknown": "do not forget them"},
        ),
        "unknown values put into the caller's list": (
            "sizes.append(unknown)\nreturn entropy(sizes)",
            {"leaves its": "work on a copy"},
        ),
    },
    "gain_ratio": {
        "divides by the log of how many values": (
            "return information_gain(table) / math.log2(len(table)) if len(table) > 1 else 0",
            {"is the gain": "not the log of how many"},
        ),
        "gain for ratio": (
            "return information_gain(table)",
            {"is the gain": "this is the gain itself", "punishes": "must have less ratio"},
        ),
        "divides by the entropy of the classes": (
            "return information_gain(table) / entropy([sum(column) for column in zip(*table)])",
            {"is the gain": "not of the classes", "punishes": "must have less ratio"},
        ),
        "divides by a split information of 0": (
            {" if information > 0 else 0": ""},
            {"is 0": "ZeroDivisionError"},
        ),
    },
    "choose_by_ratio": {
        "no average-gain guard": (
            {"gains[name] >= average - 1e-9 and ": ""},
            {"is not taken in": "gains less than the average"},
        ),
        "chooses by the gain": (
            {"gain_ratio(tables[name])": "gains[name]"},
            {"takes the largest": "the largest ratio wins"},
        ),
    },
    "cuts": {
        "the largest value as a cut": (
            {"[:-1]": ""},
            {
                "are the values": "the largest value divides nothing",
                "names each": "one cut",
                "are none": "empty list",
            },
        ),
        "cuts in the middle": (
            """
            values = sorted(set(values))
            return [(low + high) / 2 for low, high in zip(values, values[1:])]
            """,
            {"are the values": "each different value but the largest", "names each": "one cut"},
        ),
        "sorts the values in place": (
            "values.sort()\nreturn list(dict.fromkeys(values))[:-1]",
            {"leaves its": "work on a copy"},
        ),
    },
    "best_cut": {
        "the gain before the cut": (
            {"(cut, gain)": "(gain, cut)"},
            {"finds": "the cut comes first", "takes": "must be the cut that gains most"},
        ),
        "< for <=": (
            {"value <= cut": "value < cut"},
            {"finds": "Values <= the cut go left", "takes": "must be the cut that gains most"},
        ),
        "the last of equal cuts": (
            {"gain > most + 1e-9": "gain >= most - 1e-9"},
            {"takes": "take the smallest"},
        ),
        "nothing to cut stops the program": (
            """
            gain = lambda c: information_gain(count_table([v <= c for v in values], classes))
            cut = max(cuts(values), key=lambda c: round(gain(c), 9))
            return cut, gain(cut)
            """,
            {"gives None": "ValueError"},
        ),
        "a cut of cases that are not sorted": (
            """
            gains = [
                (information_gain([[classes[:i].count(k) for k in set(classes)],
                                   [classes[i:].count(k) for k in set(classes)]]), -i)
                for i in range(1, len(values)) if values[i] != values[i - 1]
            ]
            return (values[-max(gains)[1] - 1], max(gains)[0]) if gains else None
            """,
            {
                "finds": "cut",
                "takes": "must be the cut that gains most",
                "does not depend": "another cut or gain",
            },
        ),
    },
    "gain_with_unknown": {
        "the share of the known forgotten": (
            {"len(known) / len(values) * ": ""},
            {"is the gain": "multiply by the share"},
        ),
        "None as a value": (
            "return information_gain(count_table([str(value) for value in values], classes))",
            {"is the gain": "None is no value of its own"},
        ),
        "all missing divides by zero": (
            {"return 0": "return 0 / len(known)"},
            {"is 0": "ZeroDivisionError"},
        ),
    },
    "share_out": {
        "equal parts": (
            "return {value: weight / len(sizes) for value in sizes}",
            {"gives each": "not in equal parts", "gives nothing": "one without cases gets 0"},
        ),
        "the weight of the case forgotten": (
            {"weight * ": ""},
            {"gives each": "", "loses": "the sum of all parts"},
        ),
    },
    "class_shares": {
        "counts for shares": (
            {'share_out(1, tree["counts"])': 'tree["counts"]'},
            {
                "are those": "Divide the counts",
                "are mixed": "add up",
                "add up": "the sum of all shares",
            },
        ),
        "follows the largest branch": (
            """
            if "counts" in tree:
                return share_out(1, tree["counts"])
            value = row.get(tree["attribute"])
            if value not in tree["branches"]:
                value = max(tree["sizes"], key=tree["sizes"].get)
            return class_shares(tree["branches"][value], row)
            """,
            {"are mixed": "go down every branch"},
        ),
    },
}

OF_CART = {
    "gini": {
        "the chance that two cases agree": (
            {"1 - ": ""},
            {"is the chance": "subtract it from 1", "is 0": "too high", "is largest": ""},
        ),
        "Gini of the labels as numbers": (
            """
            labels = [k for k, n in enumerate(counts, start=1) for _ in range(n)]
            distances = sum(abs(a - b) for a in labels for b in labels)
            return distances / (2 * len(labels) * sum(labels))
            """,
            {"is the chance": "too low", "is largest": "too low"},
        ),
        "counts for shares": (
            {"(n / sum(counts))": "n"},
            {
                "is the chance": "too low",
                "depends": "the same shares",
                "is 0": "too low",
                "is largest": "too low",
            },
        ),
    },
    "gini_gain": {
        "both sides weigh the same": (
            {"sum(left) * ": "", "sum(right) * ": "", "/ sum(both)": "/ 2"},
            {"is the impurity": "Weigh each by its share"},
        )
    },
    "best_cut": {
        "the cut is a value itself": (
            {"(low + high) / 2": "low"},
            {"finds": "halfway to the next one"},
        ),
        "entropy for Gini": (
            {
                "    best, most = None": """
    def gini_gain(left, right):
        import math

        before = [sum(pair) for pair in zip(left, right)]
        bits = [-sum(k * math.log2(k / sum(n)) for k in n if k) for n in (before, left, right)]
        return (bits[0] - bits[1] - bits[2]) / sum(before)

    best, most = None"""
            },
            {"finds": "gain"},
        ),
    },
    "groups": {
        "every division twice": (
            """
            names = sorted(set(values))
            return [list(some) for n in range(1, len(names)) for some in combinations(names, n)]
            """,
            {"finds every": "twice, as its other half?", "doubles": "can be divided in"},
        ),
        "a group with everything": (
            {"len(rest)": "len(rest) + 1"},
            {
                "finds every": "That divides nothing",
                "doubles": "can be divided in",
                "finds none": "one value cannot be divided",
            },
        ),
    },
    "best_group": {
        "cuts the alphabet": (
            {"groups(values)": "(sorted(set(values))[:n] for n in range(1, len(set(values))))"},
            {"gains most": "another group gains more", "also looks": "may belong together"},
        )
    },
    "squared_error": {
        "variance for the sum of squares": (
            "import statistics\nreturn statistics.pvariance(y)",
            {"is the sum": "their sum is asked for"},
        ),
        "median for mean": (
            {"mean = sum(y) / len(y)": "import statistics\n    mean = statistics.median(y)"},
            {"is the sum": "not the median"},
        ),
        "the difference of two enormous sums": (
            "return sum(value * value for value in y) - sum(y) ** 2 / len(y)",
            {"does not change": "Subtract the mean first"},
        ),
    },
    "best_cut_for_numbers": {
        "sorts x and leaves y": (
            {"    ordered": "    x = sorted(x)\n    ordered"},
            {"saves most": "saving"},
        )
    },
    "grow": {
        "medians in the leaves": (
            {"return sum(y) / len(y)": "import statistics\n        return statistics.median(y)"},
            {"predicts": "this is the median", "grows the": "further down, the tree differs"},
        ),
        "depth is not counted": (
            {"depth - 1": "depth"},
            {"grows the": "further down, the tree differs", "grows no": "at most"},
        ),
        "a tree from a library": (
            """
            from sklearn.tree import DecisionTreeRegressor
            return DecisionTreeRegressor(max_depth=depth).fit([[a] for a in x], y)
            """,
            {"": "sklearn is not allowed here"},
        ),
    },
    "predict": {"< for <=": ({"x <= tree": "x < tree"}, {"sends": "goes left"})},
}

OF_PRUNING = {
    "errors_as_leaf": {
        "counts what is right": (
            'return max(tree["counts"].values())',
            {"counts": "that the leaf gets right", "is 0": "too high", "copes": "too"},
        ),
        "the rarest class is all that is wrong": (
            'return min(tree["counts"].values())',
            {"copes": "too"},
        ),
    },
    "errors_of_tree": {
        "shares for errors": (
            """
            def errors(node):
                if "branches" not in node:
                    return errors_as_leaf(node)
                return sum(errors(branch) for branch in node["branches"].values())
            return errors(tree) / sum(tree["counts"].values())
            """,
            {"adds up": "not their share", "is a leaf's": "too low"},
        ),
        "looks one step down only": (
            {"sum(errors_of_tree(": "sum(errors_as_leaf("},
            {"adds up": "too high"},
        ),
    },
    "link_strength": {
        "alpha in errors, not in shares": ({" / n": ""}, {"is the risk": "divide the errors by n"}),
        "alpha in shares of the node's own cases": (
            {" / n": ' / sum(tree["counts"].values())'},
            {"is the risk": "not of those that came here"},
        ),
        "forgets the leaf that takes the place": (
            {"(leaves(tree) - 1)": "leaves(tree)"},
            {"is the risk": "one leaf fewer"},
        ),
    },
    "prune_weakest": {
        "prunes in the tree that it was given": (
            {
                'return {"counts": node["counts"]}': """
            node.pop("branches", None)
            node.pop("attribute", None)
            return node
""",
                "{**node,": "node | {",
            },
            {"leaves its": "work on a copy"},
        ),
        "prunes one of several weakest links": (
            """
            import copy
            tree = copy.deepcopy(tree)
            def inner(node):
                below = [m for b in node.get("branches", {}).values() for m in inner(b)]
                return [*below, node] if "branches" in node else []
            node = min(inner(tree), key=lambda node: link_strength(node, n))
            least = link_strength(node, n)
            del node["branches"], node["attribute"]
            return least, tree
            """,
            {"makes leaves": "every node with the least link strength"},
        ),
        "keeps the question in a pruned node": (
            {'{"counts": node["counts"]}': '{k: v for k, v in node.items() if k != "branches"}'},
            {"makes leaves": "A leaf has one key"},
        ),
    },
    "sequence": {
        "never gets to the end": (
            {
                '"branches" in tree': "True",
                "alpha, tree": "alpha, pruned",
                "steps.append": "del steps[2:]\n        steps.append",
            },
            {
                "begins": "is there a loop that never ends?",
                "leaves its": "is there a loop that never ends?",
                "prunes": "",
            },
        ),
        "leaves out the whole tree": (
            {"[(0, leaves(tree))]": "[]"},
            {"begins": "the first pair must be 0", "prunes": ""},
        ),
    },
    "one_standard_error": {
        "takes the least risk": (
            "return risks.index(min(risks))",
            {"takes": "a smaller tree may be within"},
        ),
        "each tree's own standard error": (
            "return max(k for k in range(len(risks)) if risks[k] - errors[k] <= min(risks))",
            {"takes": "", "measures": "not of another"},
        ),
    },
    "reduced_error": {
        "pruning by training error": (
            """
            if "branches" not in tree or errors_as_leaf(tree) <= errors_of_tree(tree):
                return {"counts": tree["counts"]}
            branches = {v: reduced_error(b, rows, classes) for v, b in tree["branches"].items()}
            return {**tree, "branches": branches}
            """,
            {
                "never makes": "gets more of the given cases wrong",
                "counts": "Prune by the errors on",
                "prunes where": "the simpler one wins",
                "goes": "prune the branches first",
            },
        ),
        "prunes only if the leaf is better": (
            {"<=": "<"},
            {"prunes where": "the simpler one wins", "goes": ""},
        ),
        "from the top down": (
            """
            as_leaf = {"counts": tree["counts"]}
            cases = list(zip(rows, classes))
            errors = [sum(predict(t, r) != k for r, k in cases) for t in (as_leaf, tree)]
            if "branches" not in tree or errors[0] <= errors[1]:
                return as_leaf
            branches = {}
            for value, branch in tree["branches"].items():
                there = [case for case in cases if case[0].get(tree["attribute"]) == value]
                branches[value] = reduced_error(branch, *[[c[i] for c in there] for i in (0, 1)])
            return {**tree, "branches": branches}
            """,
            {"goes": "prune the branches first"},
        ),
    },
    "half_case_errors": {
        "half a case once": (
            {"leaves(tree) / 2": "0.5"},
            {"adds": "not once for the whole tree", "makes": "the larger estimate"},
        )
    },
    "my_study": {
        "tests on the cases that pruned it": (
            {"zip(*testing)": "zip(*pruning)"},
            {"accuracy": "the data of this STUDENT"},
        )
    },
}

CATALOGUE = [
    Wrong(assignment, cell, mistake, change, hints)
    for assignment, cells in {
        "entropy": OF_ENTROPY,
        "id3": OF_ID3,
        "c45": OF_C45,
        "cart": OF_CART,
        "pruning": OF_PRUNING,
    }.items()
    for cell, mistakes in cells.items()
    for mistake, (change, hints) in mistakes.items()
]

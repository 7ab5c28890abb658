"""The naive twin: a tree by recursion, loops and Counter, straight from the definitions.

It knows nothing of dtreebook, and dtreebook knows nothing of it: the two must agree. A case is
`(values, class, weight)`, where `values` is a tuple of one value for each attribute and None is
unknown; `levels` lists the values of each attribute, and `classes` the classes, in order.
"""

from collections import Counter
from typing import NamedTuple

from bits import entropy

TIE = 1e-12


class Candidate(NamedTuple):
    attribute: int
    table: dict  # a Counter of classes for each level
    gain: float
    split_information: float

    @property
    def gain_ratio(self):
        return self.gain / self.split_information


class Node(NamedTuple):
    path: tuple
    counts: Counter
    label: object
    reason: str
    candidates: list
    chosen: Candidate | None
    children: list


def count(cases):
    counts = Counter()
    for _, label, weight in cases:
        counts[label] += weight
    return counts


def measure(cases, attribute, levels):
    """Return the attribute as a candidate, or None if it does not divide the cases."""
    known = [case for case in cases if case[0][attribute] is not None]
    table = {
        level: count([case for case in known if case[0][attribute] == level]) for level in levels
    }
    sizes = Counter({level: sum(counts.values()) for level, counts in table.items()})
    if sum(size > 0 for size in sizes.values()) < 2:
        return None
    n, n_known = sum(weight for *_, weight in cases), sum(sizes.values())
    left = sum(
        sizes[level] / n_known * entropy(table[level].values()) for level in levels if sizes[level]
    )
    gain = n_known / n * (entropy(count(known).values()) - left)
    if n > n_known:
        sizes["unknown", attribute] = n - n_known
    return Candidate(attribute, table, gain, entropy(sizes.values()))


def first_best(scores):
    """Return the place of the first score that is the best but for rounding."""
    return next(i for i, score in enumerate(scores) if score >= max(scores) - TIE)


def grow(cases, levels, classes, score="gain", min_score=0.0, max_depth=None):
    def grow_node(cases, unused, path, label):
        counts = count(cases)
        if cases:
            shares = [counts[label] / sum(counts.values()) for label in classes]
            label = classes[first_best(shares)]
        candidates, chosen, children = [], None, []
        if not cases:
            reason = "no cases"
        elif len(counts) == 1:
            reason = "pure"
        elif len(path) == max_depth:
            reason = "depth"
        else:
            measured = [measure(cases, attribute, levels[attribute]) for attribute in unused]
            candidates = [candidate for candidate in measured if candidate]
            scores = [getattr(candidate, score) for candidate in candidates]
            if not candidates:
                reason = "no attribute divides the cases"
            elif max(scores) < min_score - TIE:
                reason = "best score below the least"
            else:
                reason = "best score"
                chosen = candidates[first_best(scores)]
        if chosen:
            a = chosen.attribute
            for branch, level in enumerate(levels[a]):
                there = [case for case in cases if case[0][a] == level]
                left = [attribute for attribute in unused if attribute != a]
                children.append(grow_node(there, left, (*path, branch), label))
        return Node(path, counts, label, reason, candidates, chosen, children)

    return grow_node(cases, range(len(levels)), (), classes[0])


def walk(node):
    """Return the nodes, each before its children, the first branch first."""
    return [node] + [below for child in node.children for below in walk(child)]


def predict(node, values, levels):
    """Return the class of a case; it stops where its value is unknown or never seen."""
    while node.chosen:
        value = values[node.chosen.attribute]
        if value not in levels[node.chosen.attribute]:
            break
        node = node.children[levels[node.chosen.attribute].index(value)]
    return node.label

"""The naive twin of C4.5's grouping of values: by the rules as stated, in fractions."""

from fractions import Fraction
from functools import cache
from itertools import combinations

from bits import FLOATS, needed

TIE, NEAR = 1e-12, Fraction("1e-9")


class Grouping:
    """Group values as the rules say; weights are fractions, so a bound on them is met or not.

    A weight that misses a bound by a billionth meets it, and so does a score by 1e-12; the bits of
    a case may be off by `noise` in a program that rounds.
    """

    def __init__(self, table, unknown, min_weight, score, noise=0, numbers=FLOATS):
        self.table = [[Fraction(n) for n in row] for row in table]
        self.unknown, self.score = Fraction(unknown), score
        self.noise, self.numbers = noise, numbers
        self.min_weight = Fraction(min_weight) - NEAR
        self.least = min(self.min_weight, 1 - NEAR)
        self.known = sum(map(sum, self.table))
        self.everything = self.known + self.unknown
        # Each group is asked for in many groupings.
        self.row, self.weight, self.needed = map(cache, (self._row, self._weight, self._needed))

    def _row(self, group):
        return [sum(self.table[v][k] for v in group) for k in range(len(self.table[0]))]

    def _weight(self, group):
        return sum(self.row(group))

    def _needed(self, group):
        return needed(self.row(group), self.numbers.log2)

    def judge(self, groups):
        """Return the gain, the split information, and what groupings are compared by."""
        weights = [self.weight(group) for group in groups]
        if sum(weight > 0 and weight >= self.least for weight in weights) < 2:
            return -1e-3, 0, -1e-3
        gain = self.needed(tuple(range(len(self.table)))) - sum(map(self.needed, groups))
        gain /= self.everything
        information = needed([*weights, self.unknown], self.numbers.log2) / self.everything
        if self.score == "gain":
            return gain, information, gain
        return gain, information, gain / information if information > 1e-3 else -1e-3

    def only_class(self, value):
        row = self.table[value]
        few = Fraction(0.1) + NEAR
        return next((k for k in range(len(row)) if sum(row) - row[k] <= few), None)

    def start(self):
        """Return the values there as groups, those of one class together, and how they do."""
        bound = Fraction(0.5) + NEAR
        there = groups = [(v,) for v in range(len(self.table)) if self.weight((v,)) > bound]
        while pair := self.first_pair_of_a_class(groups):
            groups = self.merge(groups, *pair)
        everything = [(v,) for v in range(len(self.table))]
        return groups, self.judge(everything if groups == there else groups)

    def first_pair_of_a_class(self, groups):
        """What was merged is of one class, even if its other classes now have more."""
        classes = [self.only_class(group[0]) for group in groups]
        pairs = combinations(range(len(groups)), 2)
        return next(
            ((a, b) for a, b in pairs if classes[a] is not None and classes[a] == classes[b]), None
        )

    @staticmethod
    def merge(groups, a, b):
        groups = dict(enumerate(groups))
        groups[a] = tuple(sorted(groups[a] + groups[b]))
        groups[b] = groups[len(groups) - 1]
        return [groups[i] for i in range(len(groups) - 1)]

    def group(self):
        """Return the groups, their gain, their split information, and what they compare by."""
        at_least, noise = self.numbers.at_least, self.noise
        groups, scores = self.start()
        half = scores[0] / 2
        while len(groups) > 2:
            sizes = [self.weight(group) for group in groups]
            large = sum(size >= self.min_weight for size in sizes)
            most = max(sizes)
            tied = (i for i, n in enumerate(sizes) if at_least(n, most - NEAR, most * noise))
            largest = next(tied, sizes.index(most))
            best, best_scores = None, (-1e-3, 0, 0)
            for a, b in combinations(range(len(groups)), 2):
                if large < 3 and largest in (a, b):
                    continue
                merged = self.merge(groups, a, b)
                found = self.judge(merged)
                keeps_half = at_least(found[0], half - TIE, noise)
                if (
                    (keeps_half and not at_least(best_scores[0], half - TIE, noise))
                    or self.is_better(found, best_scores, -TIE)
                    or (best is None and (self.score == "gain" or large < 2))
                ):
                    best, best_scores = merged, found
            helps = best is not None and self.is_better(best_scores, scores, 1e-5 - TIE)
            if self.score == "gain_ratio" and large >= 2 and not helps:
                break
            groups, scores = best, best_scores
        return groups, *scores

    def is_better(self, scores, others, least):
        noise = sum(self.noise / (information or 1) for _, information, _ in (scores, others))
        return self.numbers.at_least(scores[2], others[2] + least, noise)

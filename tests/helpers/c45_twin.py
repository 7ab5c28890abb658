"""The naive twin of C4.5: a tree by recursion, straight from the publications, in fractions.

It knows nothing of dtreebook, and dtreebook knows nothing of it: the two must agree. A case is
`(values, class, weight)`: floats and codes of levels, None where unknown; a class number; a weight.
An attribute is the number of its levels, or None if it is numeric.

Quinlan (1993), chapters 2, 3 and 7; Quinlan (1996), section 3. Weights are fractions, and nothing
is lost where a case goes down every branch in part. So what no program should see is left out by
hand: weights that differ by a billionth are equal here, and so are scores that differ by 1e-12. Of
equals the first is taken. Where a program that rounds may come to another test all the same (a gain
of exactly nothing, a ratio by next to no information), the twin names that one, too.
"""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf, log2
from typing import NamedTuple

import numpy as np
from bits import entropy, every_way, needed
from cart_twin import Ask
from grouping_twin import Grouping

TIE, NEAR, NEXT_TO_NOTHING, NOISE = 1e-12, Fraction("1e-9"), 1e-3, 2.0**-48
ONE_VALUE = 1e-5  # values that differ by less are one


# What a score is worth for a price: Norton (1989), Tan (1993), Núñez (1991).
WORTH = {
    "idx": lambda score, price: score / price,
    "cs_id3": lambda score, price: score * abs(score) / price,
    "eg2": lambda score, price: (2**score - 1) / (price + 1),
}


class Options(NamedTuple):
    """What C4.5 is told."""

    criterion: str = "gain_ratio"
    min_weight: float = 2
    average_gain_guard: bool = True
    mdl_penalty: bool = True
    group_values: bool = False
    unknown: str = "fractions"
    min_score: float = 0
    max_depth: int | None = None
    min_samples_leaf: float = 0
    cost: tuple | None = None
    pricing: str = "eg2"


class Offer(NamedTuple):
    """What an attribute has to offer: a test, its gain less the penalty, its information."""

    test: Ask
    gain: float
    information: float


class Cut(NamedTuple):
    """A cut between two neighbouring values: the weights beside it, its gain before the penalty."""

    low: float
    high: float
    left: Fraction
    right: Fraction
    gain: float


class Node(NamedTuple):
    counts: list
    label: int
    test: Ask | None = None
    children: tuple = ()


class Twin:
    """Grow the tree of some cases, before anything collapses.

    `choose` takes one of the tests at a path, None for a leaf: the first is right, rounding may
    have come to the others.
    """

    def __init__(
        self, cases, attributes, n_classes, options, choose=lambda path, tests: next(tests)
    ):
        self.attributes, self.n_classes, self.options = attributes, n_classes, options
        self.choose = choose
        self.values = [
            np.array([] if n else sorted({v[a] for v, *_ in cases} - {None}))
            for a, n in enumerate(attributes)
        ]
        # What counts in the average gain: not the attributes with very many values.
        bound = Fraction("0.3") * sum(w for *_, w in cases) * (1 - NEAR)
        few = [(n or 0) < bound for n in attributes]
        self.few = [options.group_values or is_few or not any(few) for is_few in few]
        self.root = self.grow(cases, range(len(attributes)), (), None)

    def grow(self, cases, available, path, label):
        counts = [sum((w for _, k, w in cases if k == c), 0) for c in range(self.n_classes)]
        if cases:
            label = next(k for k, n in enumerate(counts) if n >= max(counts) * (1 - TIE))
        node, options = Node(counts, label), self.options
        is_pure = sum(n > 0 for n in counts) <= 1
        is_light = sum(counts) < 2 * options.min_weight - NEAR
        if is_pure or is_light or len(path) == options.max_depth or not available:
            return node
        test = self.choose(path, every_way(partial(self.test, cases, available)))
        if test is None:
            return node
        if self.is_used_up(test.attribute):
            available = [a for a in available if a != test.attribute]
        parts = self.divide(cases, test)
        below = (self.grow(part, available, (*path, b), label) for b, part in enumerate(parts))
        return node._replace(test=test, children=tuple(below))

    def is_used_up(self, a):
        n_levels = self.attributes[a]
        return n_levels is not None and not (self.options.group_values and n_levels > 2)

    def divide(self, cases, test):
        """Return the cases of each branch; those of unknown value are in all that have some.

        In ID3 they stay where they are.
        """
        parts = [[] for _ in test.groups or range(2)]
        for case in cases:
            if (branch := test.branch(case[0])) >= 0:
                parts[branch].append(case)
        sizes = [sum(w for *_, w in part) for part in parts]
        goes = self.options.unknown == "fractions"
        for values, k, w in [case for case in cases if goes and test.branch(case[0]) < 0]:
            for part, size in zip(parts, sizes, strict=True):
                if size:
                    part.append((values, k, w * size / sum(sizes)))
        return parts

    # --- the choice of a test ---------------------------------------------------------------------

    def test(self, cases, available, numbers):
        """Return the test of a node, or None."""
        node = Search(self, cases, numbers)
        offers = [
            node.cut(a) if self.attributes[a] is None else node.branches(a) for a in available
        ]
        return node.best(list(filter(None, offers)))


class Search:
    """The tests that the cases of a node may be asked; numbers are `bits.Floats` or `InDoubt`."""

    def __init__(self, twin, cases, numbers):
        self.twin, self.options, self.cases, self.numbers = twin, twin.options, cases, numbers
        self.total = sum(w for *_, w in cases)
        # Bits are added up as n log2 n, each of them off in its last digit.
        self.noise = NOISE * max(1, abs(log2(self.total)))

    def best(self, offers):
        """Return the test of the best offer, of equals the first, or None."""
        at_least, scores = self.numbers.at_least, self.scores(offers)
        least, worth = self.options.min_score - TIE, {}
        if self.options.cost:
            scores = {o: s for o, s in scores.items() if at_least(s, least, self.may_be_off(o))}
        for offer, score in scores.items():
            price = partial(self.priced, offer)
            worth[offer] = price(score), price(score + TIE), price(score + self.may_be_off(offer))
        top = max(scores, key=worth.get, default=None)
        if top is None or not at_least(scores[top], least, self.may_be_off(top)):
            return None
        best, _, most = worth[top]
        for offer, (its, with_tie, with_noise) in worth.items():
            if at_least(with_tie, best, most - best + with_noise - its):
                return offer.test
        return top.test

    def priced(self, offer, score):
        """Return what a score is worth for what the attribute costs."""
        if not self.options.cost:
            return score
        price = self.options.cost[offer.test.attribute]
        return WORTH[self.options.pricing](float(score), price)

    def may_be_off(self, offer):
        """Return by how much rounding may change the score of an offer."""
        return self.noise / (1 if self.options.criterion == "gain" else offer.information)

    def scores(self, offers):
        """Return what each offer that is a candidate is compared by."""
        if self.options.criterion == "gain":
            return {offer: offer.gain for offer in offers}
        least = 0
        if self.options.average_gain_guard:
            least = NEXT_TO_NOTHING
            counted = [offer.gain for offer in offers if self.twin.few[offer.test.attribute]]
            average = sum(counted) / len(counted) if counted else inf
            at_least = partial(self.numbers.at_least, other=average - least, noise=2 * self.noise)
            offers = [offer for offer in offers if at_least(offer.gain)]
        return {
            offer: offer.gain / offer.information for offer in offers if offer.information > least
        }

    def cut(self, a):
        """Return the best cut of a number, if any may be made.

        It is the largest training value up to the middle of two neighbours.
        """
        at_least, by_value = self.numbers.at_least, self.by_value(a)
        known = sum(sum(weights.values()) for weights in by_value.values())
        least = self.least_beside_a_cut(known)
        tried = [cut for cut in self.cuts(by_value) if cut.left >= least and cut.right >= least]
        if not tried:
            return None
        top = max(tried, key=lambda cut: cut.gain)
        as_good = (cut for cut in tried if at_least(cut.gain, top.gain - TIE, self.noise))
        first = next(as_good, top)
        gain = first.gain
        if self.options.mdl_penalty:
            gain -= self.numbers.log2(Fraction(len(tried))) / self.total
            if at_least(0, gain, self.noise):
                return None
        middle = min(first.low / 2 + first.high / 2, np.nextafter(first.high, first.low))
        sizes = first.left, first.right, self.total - known
        values = self.twin.values[a]
        test = Ask(a, float(np.max(values[values <= middle])))
        return Offer(test, gain, entropy(sizes, self.numbers.log2))

    def by_value(self, a):
        """Return the weights of the classes at each value that is known."""
        found = {}
        for values, k, w in self.cases:
            if values[a] is not None:
                found.setdefault(values[a], Counter())[k] += Fraction(w)
        return found

    def cuts(self, by_value):
        """Yield every cut between two values that are not as good as one."""
        log2, left, right = self.numbers.log2, Counter(), sum(by_value.values(), Counter())
        before = needed(right.values(), log2)
        for low, high in pairwise(sorted(by_value)):
            left, right = left + by_value[low], right - by_value[low]
            gain = (
                before - needed(left.values(), log2) - needed(right.values(), log2)
            ) / self.total
            if low < high - ONE_VALUE:  # high - low would round otherwise
                yield Cut(low, high, left.total(), right.total(), gain)

    def least_beside_a_cut(self, known):
        """Return the least weight on either side of a cut."""
        options, tenth = self.options, known / self.twin.n_classes / 10
        is_light = not options.mdl_penalty or tenth <= options.min_weight
        least = options.min_weight if is_light else min(tenth, 25)
        return max(least, options.min_samples_leaf) - NEAR

    def branches(self, a):
        """Return what a branch for each value offers, or for each group of values."""
        n_classes, n_levels, log2 = self.twin.n_classes, self.twin.attributes[a], self.numbers.log2
        table = [[0] * n_classes for _ in range(n_levels)]
        for values, k, w in self.cases:
            if values[a] is not None:
                table[values[a]][k] += w
        sizes = list(map(sum, table))
        unknown = self.total - sum(sizes)
        if not self.twin.is_used_up(a):
            return self.groups(a, table, unknown)
        if not self.is_divided(sizes):
            return None
        by_class = [sum(row[k] for row in table) for k in range(n_classes)]
        gain = needed(by_class, log2) - sum(needed(row, log2) for row in table)
        test = Ask(a, None, tuple(frozenset([v]) for v in range(n_levels)))
        return Offer(test, gain / self.total, entropy([*sizes, unknown], log2))

    def groups(self, a, table, unknown):
        """Return what the best groups of values offer; the others go down a branch of their own."""
        given = self.options.min_weight, self.options.criterion, self.noise, self.numbers
        groups, gain, information, value = Grouping(table, unknown, *given).group()
        if not self.is_divided([sum(sum(table[v]) for v in group) for group in groups]):
            return None
        if value <= TIE:
            return None
        absent = frozenset(range(len(table))).difference(*groups)
        groups = tuple(map(frozenset, filter(None, [*groups, absent])))
        return Offer(Ask(a, None, groups), gain, information)

    def is_divided(self, sizes):
        """Whether two branches have enough cases, and none too few."""
        least, each = self.options.min_weight - NEAR, self.options.min_samples_leaf - NEAR
        return sum(size > 0 and size >= least for size in sizes) > 1 and not any(
            0 < size < each for size in sizes
        )

"""The naive twin of CART: one case after the other, straight from the definitions, in fractions.

It knows nothing of dtreebook, and dtreebook knows nothing of it: the two must agree. A case is
`(values, answer, weight)`, where None is an unknown value. An attribute is "numeric", "ordered" or
"nominal"; the levels of the last two are numbers too. Answers are class numbers, or Fractions.

Nothing is rounded, whatever the weights; only logarithms, to thirty digits. But three cases of
weight 0.1 weigh more than one of 0.3, by 5e-17, and no program should see that. So what differs by
a billionth is equal here, and of equals the first is taken.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, pairwise
from math import inf
from typing import NamedTuple

from bits import needed, precise

NEAR, NOISE, TIE = Fraction("1e-9"), Fraction("1e-14"), Fraction("1e-11")


def gini(weights):
    """Return the Gini impurity of some classes, times their weight."""
    return sum(weights) - sum(w * w for w in weights) / sum(weights)


def entropy(weights):
    """Return the entropy of some classes in bits, times their weight, to thirty digits."""
    return needed(weights, precise)


def squared_error(cases):
    """Return the squared error of some (answer, weight) around their mean."""
    mean = sum(y * w for y, w in cases) / sum(w for _, w in cases)
    return sum((y - mean) ** 2 * w for y, w in cases)


# What lowers most is taken; a function of the weights of the classes that are there.
IMPURITIES = {"gini": gini, "entropy": entropy}


def about(one, other, noise=0):
    """Whether two numbers are equal but for a billionth of them, or for noise."""
    return abs(one - other) <= max(NEAR * max(abs(one), abs(other)), noise)


class Options(NamedTuple):
    """What CART is told; the classes are 0 to n_classes - 1, and numbers have none."""

    n_classes: int | None = None
    criterion: str = "gini"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_impurity_decrease: Fraction = Fraction(0)
    priors: list | None = None
    loss: list | None = None
    max_surrogates: int = 5
    missing: str = "majority"
    agreement: str = "primary"
    min_weight_fraction_leaf: Fraction = Fraction(0)
    cost: list | None = None
    monotonic_cst: list | None = None


class Ask(NamedTuple):
    """A test: numbers up to the cut, or the first of two sets of levels, take branch 0."""

    attribute: int
    cut: Fraction | None = None
    groups: tuple | None = None

    def branch(self, values):
        value = values[self.attribute]
        if value is None:
            return -1
        if self.cut is not None:
            return int(value > self.cut)
        return next((b for b, group in enumerate(self.groups) if value in group), -1)


class SurrogateInfo(NamedTuple):
    test: Ask
    flipped: bool
    agreement: Fraction
    adjusted: Fraction

    def branch(self, values):
        branch = self.test.branch(values)
        return 1 - branch if self.flipped and branch >= 0 else branch


class Node(NamedTuple):
    cases: list
    counts: list
    label: object
    risk: object
    gain: object = None
    test: Ask | None = None
    surrogates: tuple = ()
    default: int = -1
    children: tuple = ()

    def branch(self, values):
        for test in (self.test, *self.surrogates):
            if (branch := test.branch(values)) >= 0:
                return branch
        return self.default


def walk(node, path=()):
    """Yield (path, node), each before its children."""
    yield path, node
    for b, child in enumerate(node.children):
        yield from walk(child, (*path, b))


def reach(node, values):
    """Return the node where a case ends."""
    while node.test and (branch := node.branch(values)) >= 0:
        node = node.children[branch]
    return node


class Twin:
    """Grow the tree of some cases.

    `choose` takes one of the tests at a path that gain most, in the order of attributes and cuts.
    """

    def __init__(self, cases, kinds, options, choose=lambda path, tests: tests[0]):
        cases = [case for case in cases if case[2]]  # what weighs nothing is not there
        self.kinds, self.options, self.choose = kinds, options, choose
        self.cases = cases
        self.total = sum(weight for *_, weight in cases)
        self.worth = self.altered = {}
        if options.n_classes:
            classes = range(options.n_classes)
            freq = [sum(w for _, k, w in cases if k == c) / self.total for c in classes]
            priors = options.priors or freq
            dear = [
                priors[c] * sum(options.loss[c]) if options.loss else priors[c] for c in classes
            ]
            self.worth = [priors[c] / freq[c] for c in classes]
            self.altered = [dear[c] / sum(dear) / freq[c] for c in classes]
        self.root = self.grow(cases, ())

    def grow(self, cases, path, bounds=(-inf, inf)):
        node, options = self.describe(cases), self.options
        is_pure = len({answer for _, answer, _ in cases}) == 1
        if is_pure or len(cases) < options.min_samples_split or len(path) == options.max_depth:
            return node
        noise = self.noise(cases)
        # A test of equal shares gains 0, and its last digits may fall below.
        least = options.min_impurity_decrease * self.total * (1 - NEAR) - noise
        gains = {test: self.gain(cases, test) for test in self.tests(cases)}
        worth = {
            test: gain / options.cost[test.attribute] if options.cost else gain
            for test, gain in gains.items()
            if gain >= least and self.keeps_order(cases, test, bounds)
        }
        if not worth:
            return node
        best = max(worth.values())
        test = self.choose(path, [test for test in worth if about(worth[test], best, noise)])
        node = node._replace(test=test, gain=gains[test])
        if options.missing != "stop":
            node = node._replace(surrogates=self.surrogates(cases, test))
        if options.missing == "majority":
            low, high = (sum(w for v, _, w in cases if test.branch(v) == b) for b in (0, 1))
            node = node._replace(default=-1 if about(low, high) else int(high > low))
        there = [[case for case in cases if node.branch(case[0]) == b] for b in (0, 1)]
        sides = self.bounds_below(test, there, bounds)
        below = (self.grow(part, (*path, b), sides[b]) for b, part in enumerate(there))
        return node._replace(children=tuple(below))

    def keeps_order(self, cases, test, bounds):
        """Whether both sides predict what is allowed: between bounds, and in the wanted order."""
        if not self.options.monotonic_cst:
            return True
        sides = [[case for case in cases if test.branch(case[0]) == b] for b in (0, 1)]
        left, right = map(self.prediction, sides)
        lower, upper = bounds
        rises = (right - left) * self.options.monotonic_cst[test.attribute]
        return lower - TIE <= min(left, right) and max(left, right) <= upper + TIE and rises >= -TIE

    def bounds_below(self, test, sides, bounds):
        """Return the bounds of the two sides: half-way between them, if they have an order."""
        sign = self.options.monotonic_cst[test.attribute] if self.options.monotonic_cst else 0
        if not sign:
            return [bounds] * 2
        middle, (lower, upper) = sum(map(self.prediction, sides)) / 2, bounds
        return [(lower, middle), (middle, upper)][::sign]

    def prediction(self, cases):
        """Return what is ordered: a mean, or the share of the second class."""
        return 1 - self.mean(cases) if self.options.n_classes else self.mean(cases)

    def noise(self, cases):
        """Return how large a gain may be that is nothing but rounding."""
        if self.options.n_classes:
            return NOISE * sum(w * self.altered[k] for _, k, w in cases)
        return NOISE * sum(w for *_, w in cases) * max(y * y for _, y, _ in cases)

    def describe(self, cases):
        options = self.options
        if not options.n_classes:
            weight = sum(w for *_, w in cases)
            mean = sum(y * w for _, y, w in cases) / weight
            return Node(cases, [weight], mean, squared_error([(y, w) for _, y, w in cases]))
        classes = range(options.n_classes)
        counts = [self.worth[c] * sum(w for _, k, w in cases if k == c) for c in classes]
        loss = options.loss or [[int(j != k) for k in classes] for j in classes]
        losses = [sum(counts[j] * loss[j][k] for j in classes) for k in classes]
        label = next(k for k in classes if about(losses[k], min(losses)))
        return Node(cases, counts, label, min(losses))

    def tests(self, cases):
        """Yield every test that leaves enough cases of known value on either side.

        With two classes, and with numbers, the best division of levels is one in the order of their
        means. That is a theorem if a single case is enough; if not, CART tries no others all the
        same, and levels whose means are as good as equal stay in the order of the levels.
        """
        least = self.options.min_samples_leaf
        options = self.options
        bounded = least > 1 or options.min_weight_fraction_leaf or options.monotonic_cst
        for a, kind in enumerate(self.kinds):
            known = [case for case in cases if case[0][a] is not None]
            values = sorted({v[a] for v, *_ in known})
            if kind != "nominal":
                tests = self.cuts(a, kind, values)
            elif bounded and self.options.n_classes in (None, 1, 2):
                means = {v: self.mean([c for c in known if c[0][a] == v]) for v in values}
                step = max(map(abs, means.values()), default=0) * NEAR or 1
                values.sort(key=lambda v: round(means[v] / step))
                tests = self.divisions(a, [values[:i] for i in range(1, len(values))], values)
            else:
                firsts = (
                    some for size in range(len(values)) for some in combinations(values, size)
                )
                tests = self.divisions(a, (some for some in firsts if values[0] in some), values)
            for test in tests:
                sizes = Counter(test.branch(v) for v, *_ in known)
                if min(sizes[0], sizes[1]) >= least and self.weighs_enough(known, test):
                    yield test

    def weighs_enough(self, known, test):
        """Whether either side has the share of all weight that is wanted, or a billionth less."""
        each = self.altered or [1]
        sides = Counter()
        for values, answer, weight in known:
            sides[test.branch(values)] += weight * each[answer if self.altered else 0]
        total = sum(w * each[k if self.altered else 0] for _, k, w in self.cases)
        least = self.options.min_weight_fraction_leaf * total * (1 - NEAR)
        return min(sides[0], sides[1]) >= least

    def cuts(self, a, kind, values):
        for low, high in pairwise(values):
            yield Ask(a, (low + high) / 2 if kind == "numeric" else low)

    def divisions(self, a, groups, values):
        for group in groups:
            sides = [frozenset(group), frozenset(values) - frozenset(group)]
            yield Ask(a, None, tuple(sorted(sides, key=min)))  # the first level is in the first

    def mean(self, cases):
        """Return the mean answer of some cases; of classes, the share of the first."""
        weights = [w * (self.altered[y] if self.altered else 1) for _, y, w in cases]
        answers = [int(y == 0) if self.altered else y for _, y, _ in cases]
        return sum(w * y for w, y in zip(weights, answers, strict=True)) / sum(weights)

    def gain(self, cases, test):
        """Return by how much a test lowers the impurity, times the weight of the cases it knows."""
        sides = [[case for case in cases if test.branch(case[0]) == b] for b in (0, 1)]
        return self.impurity(sides[0] + sides[1]) - sum(map(self.impurity, sides))

    def impurity(self, cases):
        """Return impurity times weight; classes weigh what priors and losses make of them."""
        if not self.options.n_classes:
            return self.describe(cases).risk
        weights = Counter()
        for _, k, w in cases:
            weights[k] += w * self.altered[k]
        return IMPURITIES[self.options.criterion](weights.values()) if weights else 0

    def surrogates(self, cases, test):
        """Return the best stand-ins for a test, one of an attribute; of equals the first."""
        known = [(v, test.branch(v), w) for v, _, w in cases if test.branch(v) >= 0]
        found = []
        signs = self.options.monotonic_cst or [0] * len(self.kinds)
        for a, kind in enumerate(self.kinds):
            if a == test.attribute or signs[a]:
                continue
            both = [case for case in known if case[0][a] is not None]
            find = self.levels if kind == "nominal" else self.cut
            best = find(a, kind, both, cases)
            within = both if self.options.agreement == "both" else known
            total = sum(w for *_, w in within)
            most = max(sum(w for _, b, w in within if b == branch) for branch in (0, 1))
            if best and total > most:
                other, flipped, agreed = best
                adjusted = (agreed - most) / (total - most)
                found.append(SurrogateInfo(other, flipped, agreed / total, adjusted))
        found = [stand_in for stand_in in found if stand_in.adjusted > NEAR]
        # Those that agree as often are in the order of their attributes.
        found.sort(key=lambda stand_in: -round(stand_in.agreement, 9))
        return tuple(found[: self.options.max_surrogates])

    def cut(self, a, kind, both, cases):
        """Return the first cut that agrees most; two cases at least go either way."""
        best = None
        for test in self.cuts(a, kind, sorted({v[a] for v, *_ in cases} - {None})):
            sizes = Counter(test.branch(v) for v, *_ in both)
            for flipped in (False, True):
                agreed = sum(w for v, b, w in both if test.branch(v) == b ^ flipped)
                is_more = best is None or agreed > best[2] * (1 + NEAR)
                if min(sizes[0], sizes[1]) >= 2 and is_more:
                    best = test, flipped, agreed
        return best

    def levels(self, a, kind, both, cases):
        """Return each level where most of its cases go, ties with all; as in rpart two do not."""
        left, right = self.by_side(both)
        more = right > left or about(left, right)
        groups = set(), set()
        for level in sorted({v[a] for v, *_ in both}):
            left, right = self.by_side([case for case in both if case[0][a] == level])
            groups[more if about(left, right) else right > left].add(level)
        test = Ask(a, None, tuple(map(frozenset, groups)))
        right = [w for v, b, w in both if test.branch(v) == b]
        return (test, False, sum(right)) if 2 <= len(right) <= len(both) - 2 else None

    def by_side(self, cases):
        return [sum(w for _, b, w in cases if b == branch) for branch in (0, 1)]

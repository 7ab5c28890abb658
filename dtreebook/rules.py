"""Rules from trees, in the manner of C4.5's second program.

Every path to a leaf is a rule. Conditions that do not help are dropped; of the rules of each class
a subset is kept that is worth the bits it takes to write down; the classes are put in order. A case
gets the class of the first rule that it satisfies, or else the default class.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.special import gammaln, xlogy

from dtreebook.data.cases import Attribute, Cases, Columns, count
from dtreebook.data.encoding import encode, read_again
from dtreebook.data.words import printable
from dtreebook.measures import TIE, entropy
from dtreebook.prune.error_limits import c45_upper_error_limit
from dtreebook.tree.splits import Split
from dtreebook.tree.tree import Tree

# Lengths (relatively) and rates closer than this are tied: the last digits are rounding.
_TOLERANCE = 1e-9

# A leaf makes a rule if at least one case reached it; parts of cases may add up to a little less.
_ONE_CASE = 1 - 1e-6

# How much a bit of the rules counts beside a bit of their exceptions: rules say things twice.
_THEORY_WEIGHT = 0.5

# Of up to this many rules, all subsets are tried.
_ALL_SUBSETS = 10


class Condition(NamedTuple):
    """One test on a path: a split, and the branch that must be taken."""

    split: Split
    branch: int

    def holds(self, columns: Columns) -> np.ndarray:
        """Return whether each case satisfies the condition; no case with an unknown value does."""
        return self.split.branch(columns[self.split.column]) == self.branch

    def words(self, attributes: Sequence[Attribute]) -> str:
        """Return the condition in words, as C4.5 prints it."""
        return self.split.words_of_c45(attributes[self.split.column])[self.branch]


@dataclass(frozen=True, slots=True)
class Rule:
    """Say what class a case has if it satisfies some conditions."""

    number: int  #: its place among the rules of the tree, from 1, in the order of the leaves
    #: tuple of `Condition`, those of `candidate_rules` in the order of the attributes.
    conditions: tuple[Condition, ...]
    label: int  #: the code of the class
    weight: float = 0.0  #: the weight of the training cases that satisfy the conditions
    errors: float = 0.0  #: the weight of those of another class
    #: the error rate to expect: `dtreebook.prune.error_limits.c45_upper_error_limit`.
    error_limit: float = 1.0

    def holds(self, columns: Columns) -> np.ndarray:
        """Return whether each case satisfies all conditions."""
        return np.all([condition.holds(columns) for condition in self.conditions], axis=0)


class RuleStatistics(NamedTuple):
    """What a rule does in a rule set."""

    rule: Rule
    used: float  #: the weight of the cases that get their class from it
    wrong: float  #: the weight of those whose class it gets wrong
    gained: float  #: the weight of those that it gets right, and that would be wrong without it
    lost: float  #: the weight of those that it gets wrong, and that would be right without it


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Hold rules in the order in which they are asked."""

    rules: tuple[Rule, ...]  #: tuple of `Rule`, those of one class together
    default: int  #: the code of the class of the cases that satisfy no rule
    #: tuple of `dtreebook.data.cases.Attribute`, the columns that a case must have.
    attributes: tuple[Attribute, ...]
    classes: np.ndarray  #: array [K], the classes in order

    def fired(self, X: ArrayLike) -> np.ndarray:
        """Return which rule gives each case its class: its place in `rules`, -1 for none.

        What X may be: see `dtreebook.data.encoding.encode`.
        """
        return _first(_coverage(self.rules, encode(X, self.attributes)))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the class of each case; what X may be: see `fired`."""
        return self.classes[self._label_of(self.fired(X))]

    def explain(self, X: ArrayLike) -> list[str]:
        """Return one line for each case: the rule that fires, its conditions and its class."""
        lines = [
            f"rule {rule.number}: {', '.join(self._words(rule))}: {self._class(rule.label)} "
            f"({rule.weight - rule.errors:g} of {rule.weight:g} cases)"
            for rule in self.rules
        ]
        lines.append(f"no rule, so {self._class(self.default)}")  # at -1, too
        return [lines[i] for i in self.fired(X)]

    def statistics(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> tuple[RuleStatistics, ...]:
        """Return what each rule does on these cases: one `RuleStatistics` for each."""
        cases = read_again(X, y, sample_weight, self.attributes, self.classes)
        return self._statistics(cases.columns, cases.target, cases.weights)

    def _statistics(self, columns, target, weight):
        """Return the statistics on cases as the engine reads them: columns of codes, classes."""
        covers = _coverage(self.rules, columns)
        first = _first(covers)
        # Without the first rule that a case satisfies, the second would fire.
        covers[first[first >= 0], np.flatnonzero(first >= 0)] = False
        right = self._label_of(first) == target
        right_without = self._label_of(_first(covers)) == target
        sums = []
        for counted in (1, ~right, right & ~right_without, ~right & right_without):
            by_rule = np.bincount(first + 1, weight * counted, len(self.rules) + 1)
            sums.append(by_rule[1:].tolist())  # the first are the cases of the default class
        return tuple(map(RuleStatistics, self.rules, *sums))

    def export_text(self) -> str:
        """Return the rules as Quinlan's program prints them, each with the accuracy to expect."""
        blocks = []
        for rule in self.rules:
            conditions = "".join(f"    \t{words}\n" for words in self._words(rule))
            blocks.append(
                f"Rule {rule.number}:\n{conditions}"
                f"\t->  class {self._class(rule.label)}  [{100 * (1 - rule.error_limit):.1f}%]\n"
            )
        return "\n".join([*blocks, f"Default class: {self._class(self.default)}"])

    def __str__(self) -> str:
        return self.export_text()

    def _words(self, rule):
        return [condition.words(self.attributes) for condition in rule.conditions]

    def _class(self, label):
        return printable(self.classes[label])

    def _label_of(self, fired):
        """Return the code of the class that a rule gives, -1 standing for the default class."""
        return np.array([*(rule.label for rule in self.rules), self.default])[fired]


def rules_from(tree: Tree, cases: Cases, confidence: float = 0.25) -> RuleSet:
    """Return the rules that C4.5 draws from a tree.

    They are, of each class, the rules that `select_by_mdl` keeps; the class first whose rules are
    satisfied by the fewest cases of other classes, and in a class the rule with the lowest error
    limit; then without the rules that do more harm than good. The default class is that of the most
    cases that satisfy no rule, of equally good ones the most common. The tree is not pruned, and
    the cases are those that it was grown on.

    Source: Quinlan (1993), chapter 5.

    Examples
    --------
    >>> from dtreebook import ID3Classifier
    >>> from dtreebook.data.reading import read_training
    >>> from dtreebook.datasets import load_loan
    >>> loans = load_loan(return_X_y=True)
    >>> rule_set = rules_from(ID3Classifier().fit(*loans).tree_, read_training(*loans))
    >>> rule_set.explain(loans[0][:1])
    ['rule 1: work = no, house = no: no (6 of 6 cases)']
    """
    classes = tree.classes
    if classes is None:
        raise ValueError(
            "a regression tree has no classes, and these rules are drawn up class by class: its "
            "rules are those of its leaves, tree.rules()"
        )
    rules = _in_order(select_by_mdl(candidate_rules(tree, cases, confidence), cases), cases)
    left = ~_coverage(rules, cases.columns).any(axis=0)
    uncovered, everything = _by_class(cases, left), _by_class(cases)
    # Of equal classes, max takes the first.
    default = max(range(len(classes)), key=lambda k: (uncovered[k], everything[k]))
    return drop_harmful(RuleSet(tuple(rules), default, tree.attributes, classes), cases)


# --- one rule ------------------------------------------------------------------------------------


def candidate_rules(tree: Tree, cases: Cases, confidence: float = 0.25) -> list[Rule]:
    """Return the rule of each leaf, simplified; none twice, and none worse than its class alone.

    A rule is left out if its error limit is no lower than the error rate of its class without any
    condition, ``1 - (n_k + 1) / (n + 2)``, if no condition remains, or if its leaf had no case. The
    others are numbered in the order of the leaves.
    """
    frequency = _by_class(cases)
    alone = 1 - (frequency + 1) / (frequency.sum() + 2)
    rules: dict[tuple, Rule] = {}
    for path, leaf in tree.walk():
        if not leaf.is_leaf or leaf.weight < _ONE_CASE:
            continue
        steps = zip(tree.along(path), path, strict=False)
        conditions = tuple(Condition(node.split, b) for node, b in steps if node.split)
        whole = Rule(len(rules) + 1, conditions, int(leaf.label))
        rule = simplified(whole, cases, confidence)
        rule = replace(rule, conditions=tuple(sorted(rule.conditions, key=_place)))
        if rule.conditions and rule.error_limit < alone[rule.label]:
            rules.setdefault((rule.conditions, rule.label), rule)
    return list(rules.values())


def simplified(rule: Rule, cases: Cases, confidence: float = 0.25) -> Rule:
    """Return a rule without the conditions that do not lower its error limit, and count its cases.

    Again and again the condition is dropped without which the limit is lowest, as long as it is no
    higher than with it.

    Source: Quinlan (1993), section 5.1.

    Examples
    --------
    A house is enough, whatever the credit:

    >>> from dtreebook.data.reading import read_training
    >>> from dtreebook.datasets import load_loan
    >>> cases = read_training(*load_loan(return_X_y=True))
    >>> from dtreebook.tree.splits import Multiway
    >>> house, credit = Condition(Multiway(2), 1), Condition(Multiway(3), 1)
    >>> rule = simplified(Rule(1, (house, credit), label=1), cases)
    >>> rule.conditions == (house,), rule.weight, rule.errors, round(rule.error_limit, 3)
    (True, 6.0, 0.0, 0.206)
    """
    weight = cases.weights
    wrong = weight * (cases.target != rule.label)
    fails = np.array([~condition.holds(cases.columns) for condition in rule.conditions], dtype=bool)
    failed = fails.reshape(-1, len(weight)).sum(axis=0)
    kept = list(range(len(rule.conditions)))
    while True:
        # Without a condition, the rule also takes the cases that fail this one only. The last place
        # stands for the rule as it is.
        only = failed == 1
        more = fails[kept][:, only] if kept else np.empty((0, only.sum()))
        n, errors = (np.append(more @ w[only], 0) + w[failed == 0].sum() for w in (weight, wrong))
        limit = c45_upper_error_limit(errors, n, confidence)
        least = limit[:-1].min(initial=np.inf)
        if not least <= limit[-1] + _TOLERANCE:
            break
        dropped = kept.pop((limit[:-1] <= least + _TOLERANCE).argmax())
        failed = failed - fails[dropped]
    conditions = tuple(rule.conditions[i] for i in kept)
    return replace(
        rule,
        conditions=conditions,
        weight=float(n[-1]),
        errors=float(errors[-1]),
        error_limit=float(limit[-1]),
    )


def _place(condition):
    """Return by what conditions are put in order: their attribute, larger than before up to."""
    split, branch = condition
    return split.column, split.is_upper_bound(branch)


# --- the rules of one class ----------------------------------------------------------------------


def select_by_mdl(rules: Sequence[Rule], cases: Cases) -> list[Rule]:
    """Return, of the rules of each class, the subset with the shortest description.

    The description says which training cases are of the class: by the rules, and by naming the
    exceptions. Of up to ten rules all subsets are compared; of more, rules are added, taken away
    and exchanged while that helps, from 22 random beginnings, the same every time. (The search of
    the original is random, too, and may end in another subset.)

    Source: Quinlan (1993), section 5.2; Quinlan (1995).
    """
    bits = rule_bits(rules, cases)
    weight = cases.weights
    covers = _coverage(rules, cases.columns)
    chosen = []
    for label in sorted({rule.label for rule in rules}):
        mine = np.array([i for i, rule in enumerate(rules) if rule.label == label])
        # Cases that the same rules cover need to be looked at only once.
        kinds, kind = np.unique(covers[mine], axis=1, return_inverse=True)
        cells = (kind.ravel(), (cases.target == label).astype(int))
        weights = count(cells, (kinds.shape[1], 2), weight)
        described = Described(bits[mine], csr_array(kinds, dtype=float), weights)
        chosen += [rules[i] for i in mine[_search(described)]]
    return chosen


class Described(NamedTuple):
    """What the description of a class depends on, given its rules."""

    bits: np.ndarray  #: array [R], see `rule_bits`
    covers: csr_array  #: array [R, n], whether each case satisfies each rule: few cases do
    weights: np.ndarray  #: array [n, 2], of each case if it is of another class, or of this one


def description_length(subsets: np.ndarray, described: Described) -> np.ndarray:
    """Return how many bits, [S], say which cases are of a class, with subsets of its rules.

    Half the bits of the rules, less ``log2 k!`` as the order of ``k`` rules says nothing, plus the
    `exception_bits`. An array [S, R] of booleans says which rules each subset has.
    """
    found = (subsets @ described.covers > 0) @ described.weights
    return _length(subsets @ described.bits, subsets.sum(axis=1), found, described.weights)


def _length(bits, n_rules, found, weights):
    (others_found, own_found), (others, own) = np.moveaxis(found, -1, 0), weights.sum(axis=0)
    theory = np.maximum(bits - _log2_factorial(n_rules), 0)
    fires = others_found + own_found
    exceptions = exception_bits(others + own, fires, others_found, own - own_found)
    return _THEORY_WEIGHT * theory + exceptions


def exception_bits(
    cases: float, fires: ArrayLike, false_positives: ArrayLike, false_negatives: ArrayLike
) -> np.ndarray:
    """Return how many bits it takes to name the exceptions to the rules of a class.

    First the number of exceptions. Then, where the rules fire and where they do not, which cases
    are exceptions: in the larger part as if half of all exceptions lay there, in the other with
    their true share.

    Source: Quinlan (1995), MDL and categorical theories (continued).

    Parameters
    ----------
    cases : the weight of all cases.
    fires : array of the weights of the cases for which some rule fires.
    false_positives, false_negatives : arrays of the weights of the exceptions among these, and
        among the others.

    Examples
    --------
    Nine loans granted among fifteen, with no rule and with one that finds six of the nine:

    >>> exception_bits(15, [0, 6], 0, [9, 3]).round(2)
    array([22.72, 13.33])
    """
    fires, fp, fn = map(np.asarray, (fires, false_positives, false_negatives))
    # What is left of a difference of equal sums is none: weights may be 1e100.
    fires, fp, fn = (np.where(part > cases * TIE, part, 0) for part in (fires, fp, fn))
    fires = np.where(cases - fires > cases * TIE, fires, cases)
    half = (fp + fn) / 2
    many = fires > cases / 2
    inside = _naming_bits(fires, fp, np.where(many, half, fp))
    outside = _naming_bits(cases - fires, fn, np.where(many, fn, half))
    return np.log2(cases + 1) + inside + outside


def rule_bits(rules: Sequence[Rule], cases: Cases) -> np.ndarray:
    """Return how many bits it takes to write down each rule: array [R].

    The number of conditions and, for each, the attribute and the branch, less ``log2 d!``, as the
    order of ``d`` conditions says nothing. A value of a nominal attribute takes the entropy of its
    values, a cut 1 bit for the side and half of ``log2`` of the number of values, a group of levels
    a bit for each level. An attribute takes the entropy of the attributes, each as probable as the
    bits of its branches say.
    """
    branch_bits = np.array(
        [
            _value_bits(column, attribute, cases.weights)
            for column, attribute in zip(cases.columns, cases.attributes, strict=True)
        ]
    )
    attribute_bits = entropy(branch_bits)
    lengths = []
    for rule in rules:
        length = np.log2(len(rule.conditions)) - _log2_factorial(len(rule.conditions))
        for split, branch in rule.conditions:
            length += attribute_bits
            if split.n_named(branch) > 1:
                length += len(cases.attributes[split.column].levels)
            else:
                length += branch_bits[split.column]
        lengths.append(length)
    return np.array(lengths)


def _value_bits(column, attribute, weight):
    if attribute.kind == "nominal":
        frequency = count([column[column >= 0]], [len(attribute.levels)], weight[column >= 0])
        share = frequency[frequency > 0] / weight.sum()  # unknown values count among all
        return abs((share * np.log2(share)).sum())  # by rounding, a share may be more than 1
    values = len(np.unique(column))  # an unknown value is one more
    return 1 + np.log2(values) / 2 if values > 1 else 0.0


def _log2_factorial(k):
    return gammaln(k + 1) / np.log(2)


def _naming_bits(cases, exceptions, expected):
    """Return the bits to say of each case whether it is an exception, if so many are expected."""
    rate = np.clip(expected / np.where(cases > 0, cases, 1), 0, 1)
    others = cases - exceptions
    return -(xlogy(exceptions, rate) + xlogy(others, 1 - rate)) / np.log(2)


def _search(described):
    """Return the subset with the shortest description: of equal ones, one with the fewest rules."""
    n = len(described.bits)
    if n <= _ALL_SUBSETS:
        subsets = np.arange(2**n)[:, None] >> np.arange(n) & 1 == 1
    else:
        chance = Random(0)  # the same on every machine
        starts = [
            np.array([chance.random() < share for _ in range(n)])
            for share in np.repeat(np.arange(11) / 10, 2)
        ]
        subsets = np.array([_climb(start, described) for start in starts])
    lengths = description_length(subsets, described)
    best = subsets[lengths <= lengths.min() + abs(lengths.min()) * _TOLERANCE]
    return best[best.sum(axis=1).argmin()]


def _climb(subset, described):
    """Change a subset where that helps most, again and again, until nothing helps."""
    while (changed := _changed(subset, described)).any():
        subset = subset ^ changed
    return subset


def _changed(subset, described):
    """Return which rules to add or take away: one, or one for another; none if none helps."""
    bits, covers, weights = described
    hits = subset @ covers
    found = (hits > 0) @ weights

    def length(more_bits, more_rules, more_found):
        size = subset @ bits + more_bits, subset.sum() + more_rules
        return _length(*size, found + more_found, weights)

    shorter = length(0, 0, 0)
    shorter -= abs(shorter) * _TOLERANCE
    everyone = np.arange(len(subset))
    # Without a rule, what it alone covers is lost; with another one, it finds what none covers.
    lost, new = (covers @ (weights * (hits == k)[:, None]) for k in (1, 0))
    more_found = np.where(subset[:, None], -lost, new)
    sign = np.where(subset, -1, 1)
    lengths = length(sign * bits, sign, more_found)
    if lengths.min() < shorter:
        return everyone == lengths.argmin()

    inside, outside = everyone[subset], everyone[~subset]
    # What a rule alone covers is not lost if the one in its place covers it.
    exchanged = more_found[inside, None] + more_found[outside]
    for k, weight in enumerate(weights.T):
        alone = covers[inside].multiply([weight * (hits == 1)])
        exchanged[..., k] += (alone @ covers[outside].T).toarray()
    lengths = length(bits[outside] - bits[inside, None], 0, exchanged)
    if lengths.min(initial=np.inf) < shorter:
        i, j = np.unravel_index(lengths.argmin(), lengths.shape)
        return (everyone == inside[i]) | (everyone == outside[j])
    return np.zeros_like(subset)


# --- all rules together --------------------------------------------------------------------------


def drop_harmful(rule_set: RuleSet, cases: Cases) -> RuleSet:
    """Drop the rules without which fewer training cases would be wrong, and return the rest.

    The most harmful rule goes first; then all are looked at again.
    """
    while True:
        found = rule_set._statistics(cases.columns, cases.target, cases.weights)
        worst = min(found, key=lambda of_rule: of_rule.gained - of_rule.lost, default=None)
        if worst is None or worst.gained - worst.lost > -_TOLERANCE:
            return rule_set
        rules = tuple(rule for rule in rule_set.rules if rule != worst.rule)
        rule_set = replace(rule_set, rules=rules)


def _in_order(rules, cases):
    """Return the rules as they are asked: class by class, in a class by their error limits.

    The class comes first whose rules are wrong on the least weight of cases not yet covered.
    """
    by_class: dict[int, list[Rule]] = {}
    for rule in sorted(rules, key=lambda rule: (rule.label, rule.error_limit, rule.number)):
        by_class.setdefault(rule.label, []).append(rule)
    weight = cases.weights
    ordered, left = [], np.ones(len(weight), dtype=bool)
    while by_class:
        covered = {
            label: left & _coverage(of_class, cases.columns).any(axis=0)
            for label, of_class in by_class.items()
        }
        wrong = {label: weight[c & (cases.target != label)].sum() for label, c in covered.items()}
        label = min(wrong, key=lambda label: wrong[label])  # of equal ones, the first class
        ordered += by_class.pop(label)
        left &= ~covered[label]
    return ordered


# --- shared --------------------------------------------------------------------------------------


def _coverage(rules, columns):
    """Return whether each case satisfies each rule: array [R, n] of booleans."""
    covers = [rule.holds(columns) for rule in rules]
    return np.array(covers, dtype=bool).reshape(len(covers), len(columns[0]))


def _first(covers):
    """Return which rule fires first for each case, -1 for none."""
    none = np.ones((1, covers.shape[1]), dtype=bool)
    first = np.concatenate([covers, none]).argmax(axis=0)
    return np.where(first < len(covers), first, -1)


def _by_class(cases, chosen=slice(None)):
    """Return the weight of the chosen cases of each class."""
    return count([cases.target[chosen]], [len(cases.classes)], cases.weights[chosen])

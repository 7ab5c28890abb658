"""Rules from trees: the rules of c4.5rules, and what must hold of every rule set."""

import re
from itertools import combinations
from math import factorial, log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import cases, names, outputs, read_tree
from scipy.sparse import csr_array
from strategies import problems
from tiers import draws

from dtreebook import C45Classifier, CARTRegressor, rules
from dtreebook.data.cases import Attribute, Cases
from dtreebook.data.reading import read_training
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.prune.error_limits import c45_upper_error_limit
from dtreebook.rules import Condition, Rule, rules_from
from dtreebook.tree.splits import Multiway, Subset, Threshold
from dtreebook.tree.tree import Node, Tree

# --- equality with the original -------------------------------------------------------------------


def printed(name):
    """Return the final rules that c4.5rules printed.

    It lists them before it drops the harmful ones, and says then which it drops.
    """
    text = outputs("rules")[f"{name}.txt"]
    final = re.split(r"\n\n\nEvaluation on .*:\n\n", text)[0]
    blocks = final.split("Final rules from tree 0:\n\n")[1].split("\n\n")
    dropped = {f"Rule {number}" for number in re.findall(r"Drop rule (\d+)", text)}
    return "\n\n".join(block for block in blocks if block.split(":")[0] not in dropped)


# More than ten rules of a class, where the original searches at random, have monk1 (class 0) and
# titanic (both classes); they come out equal, too.
@pytest.mark.parametrize("name", names(".txt", "rules"))
def test_rules_order_and_percentages_are_those_of_c45rules(name):
    found = rules_from(read_tree(name, "unpruned")[0], cases(name))
    assert found.export_text() == str(found) == printed(name)


# --- the naive twin -------------------------------------------------------------------------------


def tree_for(problem):
    return grow(problem.read, MultiwayControl())


def naive_limit(conditions, label, cases, weight, confidence):
    n = errors = 0.0
    for i, (k, w) in enumerate(zip(cases.target, weight, strict=True)):
        if all(cases.columns[c.split.column][i] == c.branch for c in conditions):
            n += w
            errors += w * (k != label)
    return n, errors, float(c45_upper_error_limit(errors, n, confidence))


def naive_conditions(conditions, *about):
    """Return the conditions that are left when no other set with one less does as well."""
    conditions = list(conditions)
    while conditions:
        fewer = [conditions[:i] + conditions[i + 1 :] for i in range(len(conditions))]
        limits = [naive_limit(some, *about)[2] for some in fewer]
        if min(limits) > naive_limit(conditions, *about)[2] + 1e-9:
            break
        conditions = next(
            some for some, x in zip(fewer, limits, strict=True) if x <= min(limits) + 1e-9
        )
    return tuple(conditions)


def weight_of(cases):
    return np.ones(len(cases.target)) if cases.weight is None else cases.weight


@given(problems(max_rows=25), st.sampled_from([0.25, 0.25, 0.01, 1]))
def test_every_rule_is_that_of_the_naive_twin(problem, confidence):
    cases, weight = problem.read, weight_of(problem.read)
    frequency = [weight[cases.target == k].sum() for k in range(len(cases.classes))]
    wanted = []
    tree = tree_for(problem)
    for path, node in tree.walk():
        if not node.is_leaf or node.weight < 1:
            continue
        parents = [tree.node(path[:i]) for i in range(len(path))]
        whole = [Condition(p.split, b) for p, b in zip(parents, path, strict=True)]
        about = node.label, cases, weight, confidence
        left = naive_conditions(whole, *about)
        n, errors, limit = naive_limit(left, *about)
        alone = 1 - (frequency[node.label] + 1) / (sum(frequency) + 2)
        left = tuple(sorted(left, key=lambda c: c.split.column))
        known = [(rule.conditions, rule.label) for rule in wanted]
        if left and limit < alone and (left, node.label) not in known:
            limit = pytest.approx(limit, 1e-12)  # powers of an array may round otherwise
            wanted.append(Rule(len(wanted) + 1, left, node.label, n, errors, limit))
    assert rules.candidate_rules(tree, cases, confidence) == wanted


def naive_length(chosen, bits, covers, positive):
    """Return the description length of one subset of rules, case by case; cases weigh 1."""
    fires = [any(covers[r][i] for r in chosen) for i in range(len(positive))]
    fp = sum(f and not p for f, p in zip(fires, positive, strict=True))
    fn = sum(p and not f for f, p in zip(fires, positive, strict=True))
    n, fired = len(positive), sum(fires)

    def naming(cases, exceptions, expected):
        yes = -exceptions * log2(expected / cases) if exceptions else 0
        no = -(cases - exceptions) * log2(1 - expected / cases) if cases > exceptions else 0
        return yes + no

    if fired > n / 2:
        exceptions = naming(fired, fp, (fp + fn) / 2) + naming(n - fired, fn, fn)
    else:
        exceptions = naming(fired, fp, fp) + naming(n - fired, fn, (fp + fn) / 2)
    theory = max(0, sum(bits[r] for r in chosen) - log2(factorial(len(chosen))))
    return 0.5 * theory + log2(n + 1) + exceptions


@st.composite
def descriptions(draw, least=1, most=14):
    n_rules, n = draw(st.integers(least, most)), draw(st.integers(1, 30))
    row = st.lists(st.booleans(), min_size=n, max_size=n)
    eighths = draw(st.lists(st.integers(0, 96), min_size=n_rules, max_size=n_rules))
    covers = draw(st.lists(row, min_size=n_rules, max_size=n_rules))
    return np.array(eighths) / 8, np.array(covers), np.array(draw(row))


def described(bits, covers, positive):
    weights = np.stack([~positive, positive], axis=1).astype(float)
    return rules.Described(bits, csr_array(covers, dtype=float), weights)


def climbed(start, drawn):
    end = np.flatnonzero(rules._climb(np.array(start), described(*drawn)))
    return end, naive_length(end, *drawn)


def searched(drawn):
    found = np.flatnonzero(rules._search(described(*drawn)))
    return tuple(found.tolist()), naive_length(found, *drawn)


@given(descriptions(), st.data())
def test_the_description_length_is_that_of_the_naive_twin(drawn, data):
    n_rules = len(drawn[0])
    subset = data.draw(st.lists(st.booleans(), min_size=n_rules, max_size=n_rules))
    (found,) = rules.description_length(np.array([subset]), described(*drawn))
    assert found == pytest.approx(naive_length(np.flatnonzero(subset), *drawn), rel=1e-9)


@given(descriptions(most=6))
def test_of_few_rules_no_subset_is_shorter(drawn):
    n_rules = len(drawn[0])
    every = (combinations(range(n_rules), size) for size in range(n_rules + 1))
    lengths = {chosen: naive_length(chosen, *drawn) for of in every for chosen in of}
    (found, length), least = searched(drawn), min(lengths.values())
    assert length == pytest.approx(least, rel=1e-9)
    shortest = (chosen for chosen in lengths if lengths[chosen] <= least * (1 + 1e-9))
    assert len(found) == min(map(len, shortest))


@settings(max_examples=draws(400))
@given(descriptions(), st.data())
def test_a_climb_ends_where_no_rule_more_or_less_and_no_exchange_is_shorter(drawn, data):
    n_rules = len(drawn[0])
    start = data.draw(st.lists(st.booleans(), min_size=n_rules, max_size=n_rules))
    found, least = climbed(start, drawn)
    assert least <= naive_length(np.flatnonzero(start), *drawn) + 1e-8
    for size in (1, 2):
        for changed in combinations(range(n_rules), size):
            other = set(found) ^ set(changed)
            if size == 1 or len(other) == len(found):
                assert naive_length(sorted(other), *drawn) >= least - 1e-8


def test_the_bits_of_a_rule_add_up():
    """An unknown value counts among all cases, and is one more number."""
    attributes = Attribute("colour", "nominal", ("red", "blue", "green")), Attribute("x", "numeric")
    columns = np.array([0, 0, 1, -1]), np.array([1.0, 2.0, np.nan, np.nan])
    training = Cases(attributes, columns, np.array([0, 0, 1, 1]), np.array(["n", "y"]))
    word, number = -0.5 * log2(0.5) - 0.25 * log2(0.25), 1 + log2(3) / 2
    shares = word / (word + number), number / (word + number)
    attribute = -sum(share * log2(share) for share in shares)
    red, low, groups = Multiway(0), Threshold(1, 1.0), Subset(0, ((0, 2), (1,)))
    three = Condition(red, 0), Condition(low, 0), Condition(low, 1)
    wanted = {
        (three[0],): attribute + word,
        (three[1],): attribute + number,
        (Condition(groups, 0),): attribute + 3,
        (Condition(groups, 1),): attribute + word,
        three: 3 * attribute + word + 2 * number + log2(3) - log2(6),
    }
    found = rules.rule_bits([Rule(1, conditions, 0) for conditions in wanted], training)
    assert found == pytest.approx(list(wanted.values()), rel=1e-12)


# --- what must hold of every rule set -------------------------------------------------------------


@given(problems(max_rows=25))
def test_the_first_rule_that_holds_gives_the_class(problem):
    cases, weight = problem.read, weight_of(problem.read)
    found = rules_from(tree_for(problem), cases)

    def classify(asked, i):
        for rule in asked:
            if all(cases.columns[c.split.column][i] == c.branch for c in rule.conditions):
                return rule, rule.label
        return None, found.default

    X, y = problem.frame, problem.answer
    fired, lines, said = found.fired(X), found.explain(X), found.predict(X)
    sums = {rule.number: [0, 0, 0, 0] for rule in found.rules}
    for i, k in enumerate(cases.target):
        rule, label = classify(found.rules, i)
        assert fired[i] == (-1 if rule is None else found.rules.index(rule))
        assert said[i] == cases.classes[label]
        assert lines[i].startswith("no rule, so" if rule is None else f"rule {rule.number}: ")
        if rule is not None:
            _, without = classify([other for other in found.rules if other is not rule], i)
            seen = 1, label != k, label == k != without, label != k == without
            for place, yes in enumerate(seen):
                sums[rule.number][place] += weight[i] * yes
    counted = found.statistics(X, y, cases.weight)
    assert [row[1:] for row in counted] == [tuple(sums[rule.number]) for rule in found.rules]
    assert all(row.gained >= row.lost for row in counted)


@given(problems(max_rows=25, weighted=False), st.data())
def test_weight_two_equals_a_row_that_stands_there_twice(problem, data):
    n = len(problem.answer)
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    weighted = problem._replace(weight=times.astype(float))
    columns = tuple(np.repeat(values, times) for values in problem.columns)
    repeated = problem._replace(columns=columns, answer=np.repeat(problem.answer, times))
    found = rules_from(tree_for(weighted), weighted.read)
    wanted = rules_from(tree_for(repeated), repeated.read)
    assert found.export_text() == wanted.export_text()


def test_a_tree_that_asks_nothing_has_no_rules():
    training = read_training([["a"], ["b"]], ["yes", "yes"])
    found = rules_from(grow(training, MultiwayControl()), training)
    assert found.rules == ()
    assert found.export_text() == "Default class: yes"
    assert found.predict([["a"], ["b"]]).tolist() == ["yes", "yes"]
    assert found.explain([["a"], ["b"]]) == ["no rule, so yes"] * 2
    assert found.statistics([["a"], ["b"]], ["yes", "no"]) == ()


def test_a_deep_tree_gives_its_rules():
    depth = 1100
    x = np.arange(depth + 1.0)
    attributes, classes = (Attribute("x", "numeric"),), np.array(["far", "near"])
    training = Cases(attributes, (x,), (x < 700).astype(int), classes)
    node = Node(np.array([1.0, 0.0]), 0)
    for cut in reversed(range(depth)):
        # Only the first and the last leaf say that a case came to them.
        counts = np.array([0.0, float(cut in (0, 699))])
        leaf = Node(counts, 1 if cut < 700 else 0)
        node = Node(counts, 0, Threshold(0, float(cut)), (leaf, node))
    found = rules_from(Tree.from_root(node, attributes, classes), training)
    words = [c.words(attributes) for rule in found.rules for c in rule.conditions]
    assert words == ["x > 699", "x <= 699"]


def test_a_regression_tree_has_no_classes_to_draw_rules_up_by():
    model = CARTRegressor().fit([[1], [2]], [0.5, 1.5])
    training = read_training([[1], [2]], [0.5, 1.5], is_regression=True)
    with pytest.raises(ValueError, match=r"its rules are those of its leaves, tree.rules\(\)"):
        rules_from(model.tree_, training)


@pytest.mark.parametrize("seed", range(10))
def test_rules_do_not_depend_on_the_size_of_huge_weights(seed):
    """1e100 leaves a rest where equal sums are taken from each other."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (40, 3)).astype(float), rng.integers(0, 3, 40)
    weight = rng.integers(1, 3, 40)
    found = {
        str(C45Classifier().fit(X, y, weight * unit).rule_set(X, y, weight * unit))
        for unit in (1e100, 1e120, 1e140)
    }
    assert len(found) == 1


def test_weights_that_are_fractions_have_rules():
    """Formerly the share of a value was more than 1 by rounding, and its bits below 0."""
    X = pd.DataFrame({"a": [1.0, 1, 0, 2, 0, 0, 2, 0, 0], "b": ["v"] * 9})
    y, w = [0, 0, 0, 0, 1, 1, 0, 1, 1], [0.68, 0.7, 0.64, 0.51, 0.36, 0.96, 0.71, 0.22, 0.19]
    model = C45Classifier(min_weight=1).fit(X, y, w)
    assert str(model.rule_set(X, y, w)) == "Default class: 0"
    rng = np.random.default_rng(0)
    for _ in range(50):
        w = rng.random(9) + 0.01
        model = C45Classifier(min_weight=0.2, confidence=None).fit(X, y, w)
        assert model.rule_set(X, y, w).predict(X).shape == (9,)

"""Rules from trees: the rules and tables of c4.5rules, and what must hold of every rule set."""

import re
from dataclasses import replace
from itertools import combinations
from math import factorial, log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import cases, frames, names, outputs, read_tree
from scipy.sparse import csr_array
from strategies import problems

from dtreebook import C45Classifier, CARTRegressor, rules
from dtreebook.data.cases import Attribute, Cases
from dtreebook.data.reading import read_cases, read_regression
from dtreebook.datasets import load_golf, load_loan
from dtreebook.grow.growth import grow
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.prune.error_limits import c45_upper_error_limit
from dtreebook.rules import Condition, Rule, RuleSet, rules_from
from dtreebook.tree.splits import Multiway, Subset, Threshold
from dtreebook.tree.tree import Node, Tree

# --- equality with the original -------------------------------------------------------------------


def tree_of(cases, nested):
    """Return the tree of nested tuples, a split and then its branches, for cases without unknowns.

    A leaf is None. Recursive: these trees are small.
    """

    def node(nested, here):
        counts = np.bincount(cases.target[here], minlength=len(cases.classes)).astype(float)
        if nested is None:
            return Node(counts, int(counts.argmax()))
        split, *below = nested
        branch = split.branch(cases.columns[split.column])
        children = tuple(node(b, here & (branch == i)) for i, b in enumerate(below))
        return Node(counts, int(counts.argmax()), split, children)

    root = node(nested, np.ones(len(cases.target), dtype=bool))
    return Tree.from_root(root, cases.attributes, cases.classes)


def as_table(cases):
    """Return cases as X, y and weights, as `fit` takes them."""
    X = pd.DataFrame(
        {
            a.name: pd.Categorical.from_codes(column, a.levels) if a.levels else column
            for a, column in zip(cases.attributes, cases.columns, strict=True)
        }
    )
    return X, cases.classes[cases.target], cases.weight


def golf():
    X, y = load_golf(return_X_y=True)
    return C45Classifier().fit(X, y).unpruned_tree_, read_cases(X, y)


def printed(name):
    """Return what c4.5rules printed: its final rules, and its last table for each set of cases.

    It lists the rules before it drops the harmful ones, and says then which it drops.
    """
    text = outputs("rules")[f"{name}.txt"]
    final, *evaluations = re.split(r"\n\n\nEvaluation on .*:\n\n", text)
    blocks = final.split("Final rules from tree 0:\n\n")[1].split("\n\n")
    dropped = {f"Rule {number}" for number in re.findall(r"Drop rule (\d+)", text)}
    kept = [block for block in blocks if block.split(":")[0] not in dropped]
    tables = [evaluation.split("\n\n\n\t")[0] for evaluation in evaluations]
    return "\n\n".join(kept), [re.split(r"Drop rule \d+\n\n", table)[-1] for table in tables]


def table(rules, X, y, sample_weight=None):
    """Return what the rules do on some cases as c45rules prints it: without unused rules."""
    lines = [
        "Rule  Size  Error  Used  Wrong\t          Advantage",
        "----  ----  -----  ----  -----\t          ---------",
    ]
    for rule, used, wrong, gained, lost in rules.statistics(X, y, sample_weight):
        if used:
            lines.append(
                f"{rule.number:4}{len(rule.conditions):6}{100 * rule.error_limit:6.1f}%"
                f"{used:6.9g}{wrong:7.9g} ({100 * wrong / used:.1f}%)\t{gained - lost:6.9g} "
                f"({gained:.9g}|{lost:.9g}) \t{rules.classes[rule.label]}"
            )
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight)
    errors, tested = weight[rules.predict(X) != np.asarray(y)].sum(), weight.sum()
    share = 100 * errors / tested
    lines += ["", f"Tested {tested:.9g}, errors {errors:.9g} ({share:.1f}%)   <<"]
    return "\n".join(lines)


# More than ten rules of a class, where the original searches at random, have monk1 (class 0) and
# titanic (both classes); they come out equal, too.
@pytest.mark.parametrize("name", names(".txt", "rules"))
def test_rules_order_percentages_and_tables_are_those_of_c45rules(name):
    tree, _ = read_tree(name, "unpruned")
    training = cases(name)
    found = rules_from(tree, training)
    text, tables = printed(name)
    assert found.export_text() == str(found) == text
    assert table(found, *as_table(training)) == tables[0]
    if len(tables) > 1:
        assert table(found, *frames(name, ".test")) == tables[1]


def test_a_rule_is_no_better_than_its_class_alone_by_the_share_of_golf():
    # humidity <= 75 -> Play errs on 1 of 5, at most 45.4 %; Play alone would err on 1 - 10/16.
    tree, training = golf()
    rule = Rule(1, (Condition(Multiway(0), 0), Condition(Threshold(2, 75.0), 0)), label=0)
    rule = rules.simplified(rule, training)
    assert [c.words(tree.attributes) for c in rule.conditions] == ["humidity <= 75"]
    assert (rule.weight, rule.errors, round(rule.error_limit, 3)) == (5, 1, 0.454)
    assert "humidity <= 75" not in str(rules_from(tree, training))


# --- the naive twin -------------------------------------------------------------------------------


def tree_for(problem):
    return grow(problem.cases, MultiwayControl())


def naive_limit(conditions, label, cases, weight, confidence):
    """Return the weight, the errors and the error limit of a rule, case by case."""
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
    cases, weight = problem.cases, weight_of(problem.cases)
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
    """Draw bits and coverage of a few rules, and which cases are of the class."""
    n_rules, n = draw(st.integers(least, most)), draw(st.integers(1, 30))
    row = st.lists(st.booleans(), min_size=n, max_size=n)
    eighths = draw(st.lists(st.integers(0, 96), min_size=n_rules, max_size=n_rules))
    covers = draw(st.lists(row, min_size=n_rules, max_size=n_rules))
    return np.array(eighths) / 8, np.array(covers), np.array(draw(row))


def described(bits, covers, positive):
    return rules._Described(bits, csr_array(covers, dtype=float), 1.0 - positive, 1.0 * positive)


def climbed(start, drawn):
    """Return the subset of rules where a climb from another one ends, and its length."""
    end = np.flatnonzero(rules._climb(np.array(start), described(*drawn)))
    return end, naive_length(end, *drawn)


def searched(drawn):
    found = np.flatnonzero(rules._search(described(*drawn)))
    return tuple(found.tolist()), naive_length(found, *drawn)


@given(descriptions(), st.data())
def test_the_description_length_is_that_of_the_naive_twin(drawn, data):
    n_rules = len(drawn[0])
    subset = data.draw(st.lists(st.booleans(), min_size=n_rules, max_size=n_rules))
    (found,) = rules.description_length(np.array([subset]), *described(*drawn))
    assert found == pytest.approx(naive_length(np.flatnonzero(subset), *drawn), rel=1e-9)


@given(descriptions(most=6))
def test_of_few_rules_no_subset_is_shorter(drawn):
    n_rules = len(drawn[0])
    lengths = {
        chosen: naive_length(chosen, *drawn)
        for size in range(n_rules + 1)
        for chosen in combinations(range(n_rules), size)
    }
    (found, length), least = searched(drawn), min(lengths.values())
    assert length == pytest.approx(least, rel=1e-9)
    assert len(found) == min(
        len(chosen) for chosen in lengths if lengths[chosen] <= least * (1 + 1e-9)
    )


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
    # 14 cases: outlook 5, 4, 5; windy 6, 8; 12 temperatures and 9 humidities that differ.
    def bits(*counts):
        return -sum(n / 14 * log2(n / 14) for n in counts)

    _, training = golf()
    values = bits(5, 4, 5), 1 + log2(12) / 2, 1 + log2(9) / 2, bits(6, 8)
    attribute = -sum(b / sum(values) * log2(b / sum(values)) for b in values)
    sunny, humid, calm = Multiway(0), Threshold(2, 75.0), Multiway(3)
    pair = Subset(0, ((0, 2), (1,)))
    found = rules.rule_bits(
        [
            Rule(1, (Condition(sunny, 0),), 0),
            Rule(2, (Condition(sunny, 0), Condition(humid, 1)), 0),
            Rule(3, (Condition(sunny, 0), Condition(humid, 1), Condition(calm, 1)), 0),
            Rule(4, (Condition(pair, 0),), 0),
            Rule(5, (Condition(pair, 1),), 0),
        ],
        training,
    )
    wanted = [
        attribute + values[0],
        2 * attribute + values[0] + values[2] + log2(2) - log2(2),
        3 * attribute + values[0] + values[2] + values[3] + log2(3) - log2(6),
        attribute + 3,
        attribute + values[0],
    ]
    assert found == pytest.approx(wanted, rel=1e-12)


def test_unknown_values_count_among_all_cases_and_as_one_more_number():
    attributes = Attribute("colour", "nominal", ("red", "blue")), Attribute("x", "numeric")
    columns = np.array([0, 0, 1, -1]), np.array([1.0, 2.0, np.nan, np.nan])
    training = Cases(attributes, columns, np.array([0, 0, 1, 1]), np.array(["n", "y"]))
    values = -0.5 * log2(0.5) - 0.25 * log2(0.25), 1 + log2(3) / 2
    attribute = -sum(b / sum(values) * log2(b / sum(values)) for b in values)
    conditions = Condition(Multiway(0), 0), Condition(Threshold(1, 1.0), 0)
    found = rules.rule_bits([Rule(1, (condition,), 0) for condition in conditions], training)
    assert found == pytest.approx([attribute + bits for bits in values], rel=1e-12)


# --- what must hold of every rule set -------------------------------------------------------------


@given(descriptions(least=11))
def test_of_many_rules_the_subset_is_as_short_as_the_best_climb(drawn):
    _, length = searched(drawn)
    for start in ([False] * len(drawn[0]), [True] * len(drawn[0])):
        assert length <= climbed(start, drawn)[1] + 1e-8


@given(problems(max_rows=25))
def test_the_first_rule_that_holds_gives_the_class(problem):
    cases, weight = problem.cases, weight_of(problem.cases)
    found = rules_from(tree_for(problem), cases)

    def classify(asked, i):
        for rule in asked:
            if all(cases.columns[c.split.column][i] == c.branch for c in rule.conditions):
                return rule, rule.label
        return None, found.default

    X, y, _ = as_table(cases)
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
    n = len(problem.target)
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)))
    weighted = problem._replace(weight=times.astype(float))
    repeated = problem.take(np.repeat(np.arange(n), times))
    found = rules_from(tree_for(weighted), weighted.cases)
    wanted = rules_from(tree_for(repeated), repeated.cases)
    assert found.export_text() == wanted.export_text()
    uses = table(found, *as_table(weighted.cases))
    assert uses == table(wanted, *as_table(repeated.cases))


def loan_rules():
    training = read_cases(*load_loan(return_X_y=True))
    return rules_from(grow(training, MultiwayControl()), training), training


def test_a_case_with_an_unknown_value_satisfies_no_condition_on_it():
    found, _ = loan_rules()
    X = pd.DataFrame(
        {"age": ["old"] * 4, "work": ["no", None, None, "no"], "house": ["yes", "no", None, "lost"]}
    ).assign(credit="fair")
    assert [r.number for r in found.rules] == [1, 3, 2]
    assert found.fired(X).tolist() == [1, -1, -1, -1]
    assert found.predict(X).tolist() == ["yes"] * 4
    assert found.explain(X)[:2] == [
        "rule 3: house = yes: yes (6 of 6 cases)",
        "no rule, so yes",
    ]


def test_rules_of_groups_of_levels_and_of_an_interval():
    attributes = (
        Attribute("colour", "nominal", ("red", "green", "blue")),
        Attribute("x", "numeric"),
    )
    rng = np.random.default_rng(0)
    colour, x = rng.integers(0, 3, 200), rng.uniform(0, 10, 200).round(2)
    target = ((colour != 1) & (x > 3.0) & (x <= 6.0)).astype(int)
    training = Cases(attributes, (colour, x), target, np.array(["out", "in"]))
    split = Subset(0, ((0, 2), (1,)))
    tree = tree_of(
        training,
        (Threshold(1, 6.0), (split, (Threshold(1, 3.0), None, None), None), None),
    )
    (rule,) = [rule for rule in rules_from(tree, training).rules if rule.label == 1]
    words = [condition.words(attributes) for condition in rule.conditions]
    assert words == ["colour in {red,blue}", "x > 3", "x <= 6"]
    X, y, _ = as_table(training)
    assert (rules_from(tree, training).predict(X) == y).all()


def test_a_rule_that_does_harm_is_dropped_and_one_without_use_is_kept():
    _, training = loan_rules()
    house, work, young = Multiway(2), Multiway(1), Multiway(0)
    harmful = Rule(1, (Condition(young, 2),), 0)  # of the old, four of five get the loan
    useless = Rule(2, (Condition(house, 1),), 1)
    needed = Rule(3, (Condition(work, 0), Condition(house, 0)), 0)
    rule_set = RuleSet((harmful, useless, needed), 1, training.attributes, training.classes)
    before = rule_set.statistics(*as_table(training))
    assert (before[0].gained, before[0].lost) == (0, 4)
    assert rules.drop_harmful(rule_set, training).rules == (useless, needed)


def test_of_classes_with_equally_few_cases_left_the_commonest_then_the_first_is_the_default():
    attributes = (Attribute("x", "nominal", ("a", "b", "c")),)
    split = Multiway(0)

    def default(n_first, n_second):
        target = np.repeat([0, 1, 0, 1], [n_first, n_second, 1, 1])
        column = np.repeat([0, 1, 2, 2], [n_first, n_second, 1, 1])
        training = Cases(attributes, (column,), target, np.array(["first", "second"]))
        return rules_from(tree_of(training, (split, None, None, None)), training).default

    assert (default(20, 20), default(20, 21), default(21, 20)) == (0, 1, 0)


def test_a_tree_that_asks_nothing_has_no_rules():
    training = read_cases([["a"], ["b"]], ["yes", "yes"])
    found = rules_from(grow(training, MultiwayControl()), training)
    assert found.rules == ()
    assert found.export_text() == "Default class: yes"
    assert found.predict([["a"], ["b"]]).tolist() == ["yes", "yes"]
    assert found.explain([["a"], ["b"]]) == ["no rule, so yes"] * 2
    assert found.statistics([["a"], ["b"]], ["yes", "no"]) == ()
    assert table(found, [["a"], ["b"]], ["yes", "yes"]).endswith(
        "\n\nTested 2, errors 0 (0.0%)   <<"
    )


def test_a_leaf_without_a_whole_case_makes_no_rule_but_parts_may_add_up_to_one():
    attributes = (Attribute("x", "nominal", ("a", "b")),)
    training = Cases(
        attributes, (np.repeat([0, 1], 9),), np.repeat([0, 1], 9), np.array(["n", "y"])
    )
    thirds = sum([0.1] * 10)  # 0.9999999999999999
    for weight, labels in ((thirds, [0, 1]), (0.9, [0])):
        leaves = Node(np.array([9.0, 0.0]), 0), Node(np.array([0.0, weight]), 1)
        root = Node(np.array([9.0, weight]), 0, Multiway(0), leaves)
        tree = Tree.from_root(root, attributes, training.classes)
        assert [rule.label for rule in rules.candidate_rules(tree, training)] == labels


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


def test_of_conditions_that_say_the_same_the_first_on_the_path_is_dropped():
    _, training = loan_rules()
    twice = replace(training, columns=(*training.columns[:3], training.columns[2]))
    house, again = Condition(Multiway(2), 1), Condition(Multiway(3), 1)
    for path in ((house, again), (again, house)):
        assert rules.simplified(Rule(1, path, 1), twice).conditions == path[1:]


def test_a_class_is_not_blamed_for_cases_that_an_earlier_class_has_taken():
    # Six cases of each value. The rule of "b" is wrong on u, but u is taken by then; that of "c" is
    # wrong on one of the cases with w.
    attribute = Attribute("x", "nominal", ("u", "v", "w"))
    split = Multiway(0)
    u_or_v = Subset(0, ((0, 1), (2,)))
    target = np.repeat([0, 1, 2, 0], [6, 6, 5, 1])
    column = np.repeat([0, 1, 2], 6)
    training = Cases((attribute,), (column,), target, np.array(["a", "b", "c"]))
    a = Rule(1, (Condition(split, 0),), 0)
    b = Rule(2, (Condition(u_or_v, 0),), 1)
    c = Rule(3, (Condition(split, 2),), 2)
    assert rules._in_order([c, b, a], training) == [a, b, c]


@pytest.mark.parametrize("confidence", [0, -0.1, 1.1, float("nan")])
def test_a_confidence_out_of_range_is_refused(confidence):
    tree, training = golf()
    with pytest.raises(ValueError, match="confidence must be above 0 and at most 1"):
        rules_from(tree, training, confidence)


def test_a_regression_tree_has_no_classes_to_draw_rules_up_by():
    model = CARTRegressor().fit([[1], [2]], [0.5, 1.5])
    training = read_regression([[1], [2]], [0.5, 1.5])
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

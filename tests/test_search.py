"""What attributes offer: every number against a naive loop, several nodes at a time."""

from unittest import mock

import cuts
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtreebook import C45Classifier, measures, search
from dtreebook.data import Attribute, Cases
from dtreebook.grouping import group_values
from dtreebook.grow import Recipe
from dtreebook.search import Offers, Places, Sorted, Stacked

seeds = st.integers(0, 2**32 - 1)
recipes = st.builds(
    Recipe,
    score=st.just("gain_ratio"),
    min_cases=st.sampled_from([0, 0.5, 1, 2, 5]),
    penalty=st.booleans(),
)
# Two of these steps are nearer than 1e-5 to the next value, which is then no other value.
STEPS = np.array([0, 0, 1, 1, 2, 0.5e-5, 0.9e-5, 1.1e-5])


class Level:
    """Cases at random in a few nodes, some in two of them, in fractions: attribute 0 of two.

    Attributes
    ----------
    column : array [n], the training values.
    places : `Places`.
    """

    def __init__(self, seed, n_classes=3, weighted=None):
        self.rng = rng = np.random.default_rng(seed)
        n, n_nodes = int(rng.integers(1, 80)), int(rng.integers(1, 5))
        self.column = rng.permutation(np.cumsum(rng.choice(STEPS, n)))
        self.column[rng.random(n) < rng.choice([0, 0.3])] = np.nan
        self.weighted = rng.random() < 0.7 if weighted is None else weighted
        copies = rng.choice([0, 1, 1, 1, 2], n) if self.weighted else rng.choice([0, 1, 1], n)
        self.copies = np.minimum(copies, n_nodes)
        case = np.repeat(np.arange(n), self.copies)
        nodes = [rng.choice(n_nodes, times, replace=False) for times in self.copies]
        node = np.concatenate([np.empty(0, int), *nodes])
        weight = rng.choice([0.25, 1 / 3, 1, 1, 2], len(case)) if self.weighted else None
        self.target = rng.integers(0, n_classes, n)
        total = np.bincount(node, weight, minlength=n_nodes)
        total = np.where(total > 0, total, 1)  # an open node is never empty
        available = np.ones((n_nodes, 2), dtype=bool)
        target = self.target[case]
        self.places = Places(case, node, target, weight, total, available, n_classes)

    def offers(self, recipe):
        """Return what the numbers offer."""
        found = Sorted(0, self.column)
        found.follow(self.copies, np.cumsum(self.copies) - self.copies, self.places.node)
        offers = Offers.none(self.places.available.shape)
        found.search(self.places, recipe, offers)
        return offers

    def naive(self, node, recipe):
        here = self.places.node == node
        value = self.column[self.places.case[here]]
        weight = self.places.weight[here] if self.weighted else np.ones(here.sum())
        known, total = weight[~np.isnan(value)].sum(), weight.sum()
        every = cuts.every(value, self.places.target[here], weight, total)
        values, n_classes = self.column[~np.isnan(self.column)], self.places.n_classes
        return cuts.best(every, known, total, n_classes, values, recipe)


# --- numbers -------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(seed=seeds, recipe=recipes, n_classes=st.integers(1, 4))
def test_best_cut_of_every_node_is_that_of_the_naive_loop(seed, recipe, n_classes):
    level = Level(seed, n_classes)
    offers = level.offers(recipe)
    for node in range(len(level.places.total)):
        found = offers.gain[node, 0], offers.information[node, 0], offers.cut[node, 0]
        expected = level.naive(node, recipe) or (-np.inf, 0, np.nan)
        if recipe.penalty and 0 < max(found[0], expected[0]) < 1e-9:
            continue  # rounding decides whether anything is left of the gain
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)
    # The other attribute is left alone.
    assert (offers.gain[:, 1] == -np.inf).all()
    assert np.isnan(offers.cut[:, 1]).all()
    assert offers.groups == {}


def test_cuts_and_leaves_are_both_drawn():
    """The test above sees nodes with a cut and without, each with weights and without."""
    seen = set()
    for seed in range(200):
        level = Level(seed)
        for penalty in (False, True):
            recipe = Recipe("gain_ratio", min_cases=0.5, penalty=penalty)
            for node in range(len(level.places.total)):
                seen.add((penalty, level.weighted, level.naive(node, recipe) is not None))
    assert len(seen) == 8


def one_node(value, target, recipe, weight=None):
    """Return what the values offer in a single node: gain, split information, cut."""
    column, target = np.array(value, dtype=float), np.array(target)
    n = len(column)
    weight = None if weight is None else np.array(weight, dtype=float)
    total = np.array([float(n) if weight is None else weight.sum()])
    available = np.ones((1, 1), dtype=bool)
    node = np.zeros(n, dtype=int)
    places = Places(np.arange(n), node, target, weight, total, available, target.max() + 1)
    offers = Offers.none((1, 1))
    Sorted(0, column).search(places, recipe, offers)
    return offers.gain[0, 0], offers.information[0, 0], offers.cut[0, 0]


def test_humidity_in_golf_by_hand():
    """Quinlan (1993), section 2.4: among those with sun the cut at 75 leaves nothing to ask."""
    gain, information, cut = one_node([85, 90, 95, 70, 70], [1, 1, 1, 0, 0], Recipe())
    assert (gain, cut) == (pytest.approx(measures.entropy([2, 3])), 70)
    assert information == pytest.approx(measures.entropy([2, 3]))


def test_each_cut_that_was_tried_costs():
    """Of four values three cuts; a least weight of 2 leaves one, which costs nothing."""
    value, target = [1, 2, 3, 4], [0, 0, 1, 1]
    free, *_ = one_node(value, target, Recipe())
    dear, *_ = one_node(value, target, Recipe(penalty=True))
    one, *_ = one_node(value, target, Recipe(penalty=True, min_cases=2))
    assert (free, one) == (1, 1)
    assert dear == pytest.approx(1 - np.log2(3) / 4)


def test_with_a_penalty_a_cut_needs_a_tenth_of_the_share_of_a_class_but_never_more_than_25():
    """Cuts that split off few of 100: a tenth of 50 is 5. Of 1000 a tenth of 500 is capped."""
    for n, least in [(100, 5), (1000, 25)]:
        for few, tried in [(least - 1, False), (least, True)]:
            target = np.repeat([0, 1], [few, n - few])
            gain, _, cut = one_node(target, target, Recipe(penalty=True, min_cases=2))
            assert (gain > 0) == tried
            assert (cut == 0) == tried


def test_values_nearer_than_a_hundred_thousandth_are_one():
    target = [0, 0, 1, 1]
    assert one_node([1, 1, 1 + 0.9e-5, 1 + 0.9e-5], target, Recipe())[0] == -np.inf
    assert one_node([1, 1, 1 + 1.1e-5, 1 + 1.1e-5], target, Recipe())[0] == 1


def test_the_cut_is_the_largest_training_value_up_to_the_middle_wherever_it_occurs():
    """Only 10 and 20 are at the node; 14 lies elsewhere in the training set, as does 16."""
    column, target = np.array([10.0, 20, 14, 16, np.nan]), np.array([0, 1])
    case, node = np.array([0, 1]), np.zeros(2, dtype=int)
    places = Places(case, node, target, None, np.array([2.0]), np.ones((1, 1), dtype=bool), 2)
    found, offers = Sorted(0, column), Offers.none((1, 1))
    found.follow(np.array([1, 1, 0, 0, 0]), np.array([0, 1, 2, 2, 2]), node)
    found.search(places, Recipe(), offers)
    assert offers.cut[0, 0] == 14


def test_of_tied_cuts_the_first_is_taken_whatever_the_rounding():
    weight = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]
    for w in (None, weight, weight[::-1]):
        assert one_node(range(6), [0, 1, 1, 1, 1, 0], Recipe(), w)[2] == 0


def test_what_meets_the_bound_but_for_rounding_meets_it():
    """Ten tenths are one, although their running sum in floating point is less."""
    value, target = [0] * 10 + [1] * 10, [0] * 10 + [1] * 10
    assert np.cumsum([0.1] * 10)[-1] < 1
    gain, *_ = one_node(value, target, Recipe(min_cases=1), [0.1] * 20)
    assert gain == pytest.approx(1)


def test_a_gain_that_the_penalty_takes_away_is_no_offer():
    value, target = [1, 2, 3, 4], [0, 1, 0, 1]
    assert one_node(value, target, Recipe())[0] > 0
    assert one_node(value, target, Recipe(penalty=True))[0] == -np.inf


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("low", "high"),
    [
        (9007199254740994.0, 9007199254740996.0),
        (1e308, 1.5e308),
        (-1.5e308, -1e308),
        (-1e308, 1e308),
    ],
)
def test_a_cut_between_enormous_numbers_divides(low, high):
    """The middle of two neighbours is rounded to one of them; a sum may be too large."""
    assert one_node([low, low, high, high], [0, 0, 1, 1], Recipe())[2] == low
    c45 = C45Classifier().fit([[low], [low], [high], [high]], [0, 0, 1, 1])
    assert c45.predict([[low], [high]]).tolist() == [0, 1]


def test_a_column_nobody_knows_offers_nothing():
    assert one_node([np.nan] * 4, [0, 0, 1, 1], Recipe())[0] == -np.inf
    assert one_node([1, np.nan, np.nan, np.nan], [0, 0, 1, 1], Recipe())[0] == -np.inf


# --- levels --------------------------------------------------------------------------------------


class Nominal:
    """Random cases of four nominal attributes, in a few nodes."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        n, n_nodes, n_classes = (int(rng.integers(*r)) for r in [(1, 80), (1, 5), (1, 4)])
        self.n_levels = (2, 3, 12, 1)
        columns = tuple(rng.integers(0, n_levels, n) for n_levels in self.n_levels)
        for column in columns:
            column[rng.random(n) < rng.choice([0, 0.3])] = -1
        target = rng.integers(0, n_classes, n)
        attributes = tuple(
            Attribute(f"a{i}", "nominal", tuple(range(n_levels)))
            for i, n_levels in enumerate(self.n_levels)
        )
        self.cases = Cases(attributes, columns, target, np.arange(n_classes), None)
        node = rng.integers(0, n_nodes, n)
        weight = rng.choice([0.25, 1, 2], n) if rng.random() < 0.7 else None
        total = np.bincount(node, weight, minlength=n_nodes)
        available = rng.random((n_nodes, 4)) < 0.8
        self.places = Places(np.arange(n), node, target, weight, total, available, n_classes)

    def table(self, node, a):
        """Return the table of an attribute at a node, and the weight of the unknown values."""
        table, unknown = np.zeros((self.n_levels[a], self.places.n_classes)), 0.0
        for i in np.flatnonzero(self.places.node == node):
            w = 1.0 if self.places.weight is None else self.places.weight[i]
            code = self.cases.columns[a][i]
            if code < 0:
                unknown += w
            else:
                table[code, self.places.target[i]] += w
        return table, unknown


@pytest.mark.parametrize("cells", [search.CELLS, 1], ids=["one pass", "a node each"])
@settings(max_examples=100)
@given(seed=seeds, recipe=recipes, subsets=st.booleans())
def test_stacked_tables_are_measured_as_single_ones(cells, seed, recipe, subsets):
    level = Nominal(seed)
    recipe = Recipe("gain_ratio", min_cases=recipe.min_cases, subsets=subsets)
    offers = Offers.none(level.places.available.shape)
    with mock.patch.object(search, "CELLS", cells):
        for stack in Stacked.group(level.cases):
            stack.search(level.places, recipe, offers)
    for (node, a), available in np.ndenumerate(level.places.available):
        found = offers.gain[node, a], offers.information[node, a]
        if not available:
            assert found == (-np.inf, 0)
            continue
        table, unknown = level.table(node, a)
        if subsets and len(table) > 2:
            groups = group_values(table, unknown, recipe.min_cases, "gain_ratio")
            used = [code for group in groups for code in group]
            rest = tuple(code for code in range(len(table)) if code not in used)
            wanted = (*map(tuple, groups), *([rest] if rest else []))
            assert offers.groups[node, a] == wanted
            table = np.array([table[group].sum(axis=0) for group in groups])
        else:
            assert (node, a) not in offers.groups
        sizes = table.sum(axis=1) if len(table) else np.zeros(0)
        if np.count_nonzero((sizes > 0) & (sizes >= recipe.min_cases)) < 2:
            assert found[0] == -np.inf
        else:
            gain = measures.information_gain(table, unknown)
            information = measures.split_information(table, unknown)
            np.testing.assert_allclose(found, (gain, information), rtol=1e-12, atol=1e-12)
        assert np.isnan(offers.cut[node, a])


def test_two_branches_must_have_enough_cases_not_all():
    X = np.array([["a"] * 4 + ["b"] * 4 + ["c"]]).T
    y = [0] * 4 + [1] * 4 + [1]
    for min_cases, divides in [(4, True), (5, False)]:
        root = C45Classifier(min_cases=min_cases).decisions(X, y)[0]
        assert bool(root.candidates) == divides

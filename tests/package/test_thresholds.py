"""Cuts: each rule by an example that a hand can work out; the twin has them all at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtreebook import C45Classifier, measures
from dtreebook.data.cases import Attribute, Cases
from dtreebook.grow.growth import decisions
from dtreebook.grow.multiway import MultiwayControl
from dtreebook.grow.sorted_columns import parted
from dtreebook.grow.tables import stable_order
from dtreebook.tree.splits import middle

seeds = st.integers(0, 2**32 - 1)
NUMBER = (Attribute("number", "numeric"),)


# --- numbers -------------------------------------------------------------------------------------


def one_node(value, target, control, weight=None):
    """Return what the values offer in a single node: gain, split information, cut."""
    column, target = np.array(value, dtype=float), np.array(target)
    weight = None if weight is None else np.array(weight, dtype=float)
    cases = Cases(NUMBER, column[None], target, np.arange(target.max() + 1), weight)
    for found in decisions(cases, control)[0].candidates:
        return found.score, found.measures["split_information"], found.split.cut
    return -np.inf, 0, np.nan


def test_humidity_in_golf_by_hand():
    """Quinlan (1993), section 2.4: among those with sun the cut at 75 leaves nothing to ask."""
    gain, information, cut = one_node([85, 90, 95, 70, 70], [1, 1, 1, 0, 0], MultiwayControl())
    assert (gain, cut) == (pytest.approx(measures.entropy([2, 3])), 70)
    assert information == pytest.approx(measures.entropy([2, 3]))


def test_each_cut_that_was_tried_costs():
    """Of four values three cuts; a least weight of 2 leaves one, which costs nothing."""
    value, target = [1, 2, 3, 4], [0, 0, 1, 1]
    free, *_ = one_node(value, target, MultiwayControl())
    dear, *_ = one_node(value, target, MultiwayControl(mdl_penalty=True))
    one, *_ = one_node(value, target, MultiwayControl(mdl_penalty=True, min_weight=2))
    assert (free, one) == (1, 1)
    assert dear == pytest.approx(1 - np.log2(3) / 4)


def test_with_a_penalty_a_cut_needs_a_tenth_of_the_share_of_a_class_but_never_more_than_25():
    """Cuts that split off few of 100: a tenth of 50 is 5. Of 1000 a tenth of 500 is capped."""
    for n, least in [(100, 5), (1000, 25)]:
        for few, tried in [(least - 1, False), (least, True)]:
            target = np.repeat([0, 1], [few, n - few])
            gain, _, cut = one_node(target, target, MultiwayControl(mdl_penalty=True, min_weight=2))
            assert (gain > 0) == tried
            assert (cut == 0) == tried


def test_values_nearer_than_a_hundred_thousandth_are_one():
    target = [0, 0, 1, 1]
    assert one_node([1, 1, 1 + 0.9e-5, 1 + 0.9e-5], target, MultiwayControl())[0] == -np.inf
    assert one_node([1, 1, 1 + 1.1e-5, 1 + 1.1e-5], target, MultiwayControl())[0] == 1


def test_of_tied_cuts_the_first_is_taken_whatever_the_rounding():
    weight = [0.1, 0.2, 0.3, 0.3, 0.2, 0.1]
    for w in (None, weight, weight[::-1]):
        assert one_node(range(6), [0, 1, 1, 1, 1, 0], MultiwayControl(), w)[2] == 0


def test_what_meets_the_bound_but_for_rounding_meets_it():
    """Ten tenths are one, although their running sum in floating point is less."""
    value, target = [0] * 10 + [1] * 10, [0] * 10 + [1] * 10
    assert np.cumsum([0.1] * 10)[-1] < 1
    gain, *_ = one_node(value, target, MultiwayControl(min_weight=1), [0.1] * 20)
    assert gain == pytest.approx(1)


def test_a_gain_that_the_penalty_takes_away_is_no_offer():
    value, target = [1, 2, 3, 4], [0, 1, 0, 1]
    assert one_node(value, target, MultiwayControl())[0] > 0
    assert one_node(value, target, MultiwayControl(mdl_penalty=True))[0] == -np.inf


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
    assert one_node([low, low, high, high], [0, 0, 1, 1], MultiwayControl())[2] == low
    c45 = C45Classifier().fit([[low], [low], [high], [high]], [0, 0, 1, 1])
    assert c45.predict([[low], [high]]).tolist() == [0, 1]


def test_a_column_nobody_knows_offers_nothing():
    assert one_node([np.nan] * 4, [0, 0, 1, 1], MultiwayControl())[0] == -np.inf
    assert one_node([1, np.nan, np.nan, np.nan], [0, 0, 1, 1], MultiwayControl())[0] == -np.inf


# --- the tools -----------------------------------------------------------------------------------


@given(seed=seeds, n_ways=st.integers(1, 300), rows=st.integers(1, 3))
def test_places_are_parted_by_the_way_they_go_and_stay_in_order(seed, n_ways, rows):
    rng = np.random.default_rng(seed)
    way = rng.integers(0, n_ways + 1, 50).astype(np.uint16)
    way = np.stack([rng.permutation(way) for _ in range(rows)])
    moved = parted(way, n_ways)
    for row in range(rows):
        wanted = [i for w in range(1, n_ways + 1) for i in np.flatnonzero(way[row] == w)]
        assert (moved[row] - row * 50).tolist() == wanted


@given(codes=st.lists(st.integers(0, 2**40)))
def test_the_stable_order_is_that_of_numpy(codes):
    codes = np.array(codes, dtype=np.int64)
    assert stable_order(codes).tolist() == np.argsort(codes, kind="stable").tolist()


@given(low=st.floats(-1e308, 1e308), step=st.floats(0, 1e300))
def test_the_middle_is_never_the_higher_number(low, step):
    high = max(low + step, np.nextafter(low, np.inf))
    assert low <= middle(np.float64(low), np.float64(high)) < high

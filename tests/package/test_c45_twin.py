"""C4.5: node for node the unpruned tree of the naive twin, on awkward little tables."""

import numpy as np
import pandas as pd
import pytest
from c45_tables import Table, compare
from c45_twin import Options
from oracle import cases, frames

from dtreebook import C45Classifier
from dtreebook.tree.splits import Threshold

# Tables of little weight are drawn too.
pytestmark = pytest.mark.filterwarnings("ignore:the weights add up to")


@pytest.mark.parametrize("group_values", [False, True])
@pytest.mark.parametrize("name", ["golf", "iris", "labor-neg", "monk1", "monk2", "titanic", "vote"])
def test_of_data_sets_whose_trees_are_those_of_release_8_too(name, group_values):
    data = cases(name)
    levels = tuple(len(a.levels) if a.levels else None for a in data.attributes)
    c45 = C45Classifier(group_values=group_values, collapse=False, confidence=None)
    table = Table(levels, data.columns, data.target, None)
    compare(c45.fit(*frames(name)).tree_, table.cases, levels, Options(group_values=group_values))


# --- weights that meet a bound but for rounding --------------------------------------------------


def test_a_node_of_just_enough_weight_is_divided():
    """Ten times 0.1 is a hair less than 1, in a computer."""
    X, y = np.repeat([0.0, 1.0], 10)[:, None], np.repeat([0, 1], 10)
    c45 = C45Classifier(min_weight=1).fit(X, y, np.full(20, 0.1))
    assert c45.unpruned_tree_.root.weight < 2
    assert c45.unpruned_tree_.node_count == 3


def test_many_values_are_three_for_a_weight_of_ten_in_whatever_order_it_is_added_up():
    """The average gain is then that of the number alone, and the number reaches it."""
    level = pd.Categorical(["b", "a", "b", "c", "c", "c"])
    X = pd.DataFrame({"level": level, "number": [2.0, 1, 3, 0, 2, 3]})
    y, weight = np.array([1, 1, 1, 1, 0, 0]), np.array([0.8, 1.9, 1.6, 1.4, 2.7, 1.6])
    totals = set()
    for rows in [np.arange(6), np.argsort(weight)]:
        c45 = C45Classifier(min_weight=0.5, mdl_penalty=False)
        c45.fit(X.iloc[rows], y[rows], weight[rows])
        assert c45.unpruned_tree_.root.split == Threshold(1, 1.0)
        totals.add(weight[rows].sum() > 10)
    assert totals == {False, True}


def test_three_values_among_eleven_cases_are_few_and_count_in_the_average_gain():
    """The number has the better ratio, .468 to .412, but not a gain of the average of the two."""
    X = pd.DataFrame({"level": list("cbbabbbacbc"), "number": list(map(float, "13101100320"))})
    c45 = C45Classifier(min_weight=1, mdl_penalty=False)
    for guard, column in (True, 0), (False, 1):
        root = c45.set_params(average_gain_guard=guard).decisions(X, list("00111111010"))[0]
        assert root.chosen.split.column == column

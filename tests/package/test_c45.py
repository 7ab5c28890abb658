"""C4.5: node for node the trees of Release 8, or of the naive twin where Release 8 rounds."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest
from c45_tables import compare
from c45_twin import Options
from drawing import Table
from oracle import RELATIVE, cases, confidence, frames, names, outputs, read_tree, stem

from dtreebook import C45Classifier, ID3Classifier
from dtreebook.prune.error_based import predicted_errors
from dtreebook.tree.splits import Multiway, Threshold


def parameters(name):
    """Return the parameters behind a name: car-m1c10 is car with min_weight 1, confidence .1."""
    options = name.removeprefix(stem(name))
    min_weight = re.search(r"-m(\d+)", options)
    return {
        "criterion": "gain" if options in ("-g", "-gs") else "gain_ratio",
        "min_weight": int(min_weight[1]) if min_weight else 2,
        "group_values": options in ("-s", "-gs"),
        "confidence": confidence(name),
    }


@cache
def fitted(name):
    return C45Classifier(**parameters(name)).fit(*frames(name))


def tree_at(name, stage):
    return fitted(name).unpruned_tree_ if stage == "unpruned" else fitted(name).tree_


@cache
def differences(name, stage):
    """Return the paths of the nodes where our tree differs from C4.5's and their parents do not."""
    ours, (wanted, _) = tree_at(name, stage), read_tree(name, stage)
    found, pairs = [], [((), ours.root, wanted.root)]
    for path, one, other in pairs:  # the list grows while we walk it
        same = (one.split, one.label) == (other.split, other.label)
        if same and np.allclose(one.counts, other.counts, rtol=RELATIVE, atol=1e-12):
            children = zip(one.children, other.children, strict=True)
            pairs += [((*path, b), *pair) for b, pair in enumerate(children)]
        else:
            found.append(path)
    return found


# With fractions of cases at a node, the weight above a cut is off in its last digits, and a cut
# that meets the bound exactly is tried or not. Ours are the trees of the twin, below.
DIFFERENT = {
    "labor-neg-m1": [(1, 0)],
    "labor-neg-m1c100": [(1, 0)],
    "titanic-m1": [(0, 1, 0, 1, 2, 0), (0, 1, 0, 1, 0, 1, 0, 0)],
    "titanic-m1c100": [(0, 1, 0, 1, 2, 0), (0, 1, 0, 1, 0, 1, 0, 0)],
    "titanic-s": [(1, 1, 0, 1, 0, 0, 1)],
}


@pytest.mark.parametrize("name", names(".unpruned.json"))
def test_every_tree_is_that_of_release_8_but_for_cuts_on_the_bound(name):
    assert differences(name, "unpruned") == DIFFERENT.get(name, [])


@pytest.mark.parametrize("stage", ["unpruned", "pruned"])
@pytest.mark.parametrize("name", names(".txt"))
def test_a_tree_is_printed_letter_for_letter_as_by_release_8(name, stage):
    heading = {"unpruned": "Decision Tree:", "pruned": "Simplified Decision Tree:"}[stage]
    report = outputs("c45")[f"{name}.txt"]
    printed = re.search(rf"^{heading}\n\n(.*?)\n\n", report, re.MULTILINE | re.DOTALL)
    # The original leaves out a tree that pruning did not change, and folds deep ones as [S1].
    if name in names(".unpruned.json") and printed and "[S" not in printed[1]:
        tree = tree_at(name, stage)
        errors = predicted_errors(tree, confidence(name)) if stage == "pruned" else None
        alike = tree.export_text(errors=errors) == printed[1].strip()
        assert alike == (not differences(name, stage))


@pytest.mark.parametrize(
    ("name", "min_weight", "group_values"),
    [("labor-neg", 1, False), ("titanic", 1, False), ("titanic", 2, True), ("vote", 2, False)],
)
def test_in_fractions_a_tree_is_ours_where_release_8_rounds(name, min_weight, group_values):
    """The twin loses nothing: what meets the bound is tried, and how many are, is the penalty."""
    data, told = cases(name), {"min_weight": min_weight, "group_values": group_values}
    kinds = tuple(len(a.levels) or "real" for a in data.attributes)
    table = Table(kinds, data.columns, data.target)
    c45 = C45Classifier(**told, collapse=False, confidence=None).fit(*frames(name))
    compare(c45.tree_, table.cases, table.levels, Options(**told))


def test_c45_asks_for_weight_and_j48_for_instances():
    X, y = pd.DataFrame({"a": [1.0, 2, 3, 4]}), [0, 0, 1, 1]
    assert C45Classifier().fit(X, y).unpruned_tree_.node_count == 3
    with pytest.warns(UserWarning, match="the weights add up to 3.6"):
        light = C45Classifier().fit(X, y, sample_weight=[0.9] * 4)
    assert light.unpruned_tree_.node_count == 1  # four instances, but they weigh 3.6


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
    # Three are few for twice the weight, which is that of every row twice.
    for rows, each in [(np.arange(6), 2 * weight), (np.arange(12) % 6, np.tile(weight, 2))]:
        assert c45.fit(X.iloc[rows], y[rows], each).unpruned_tree_.root.split == Multiway(0)


def test_a_value_without_training_cases_can_have_no_answer():
    """Which the score counts as an error; the tree itself answers with the class of the parent."""
    X = pd.DataFrame({"a": pd.Categorical(["u", "u", "v", "v"], ["u", "v", "w"])})
    y = ["no", "no", "yes", "yes"]
    new = pd.DataFrame({"a": pd.Categorical(["u", "v", "w", None], ["u", "v", "w"])})
    lenient = C45Classifier(confidence=None).fit(X, y)
    assert lenient.predict(new).tolist() == ["no", "yes", "no", "no"]
    strict = C45Classifier(confidence=None, unseen="none").fit(X, y)
    truth = ["no", "no", "no", "no"]
    assert (lenient.score(new, truth), strict.score(new, truth)) == (0.75, 0.25)
    assert strict.score(new, truth, sample_weight=[1, 1, 0, 0]) == 0.5
    assert strict.predict(new).tolist() == ["no", "yes", None, None]
    id3 = ID3Classifier(unseen="none").fit(X, y)
    assert id3.predict(new).tolist() == strict.predict(new).tolist()
    assert id3.score(new, truth) == 0.25


@pytest.mark.filterwarnings("error")
def test_numbers_beyond_whole_ones_grow_the_same_tree_without_a_warning():
    """A leaf beside divided nodes: no number in it is taken for a branch, however large it is."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        few = rng.choice([1.0, 2.0, 4.0], 40)
        y = rng.choice(["p", "q", "r"], 40)
        small, large = (
            C45Classifier(min_weight=3, confidence=None).fit(
                pd.DataFrame({"number": few * scale}), y
            )
            for scale in (1.0, 2.0**70)
        )
        assert np.array_equal(small.tree_.arrays.counts, large.tree_.arrays.counts)


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio"])
@pytest.mark.parametrize("weight", [1 / 3, 0.7, 1])
def test_no_sum_of_many_fractions_decides_a_tie(criterion, weight):
    """Cuts that mirror each other are as good, as are a word and a number that part alike."""
    rank, n, few = np.arange(30_000), 30_000, 9_000
    inside = np.minimum(rank, rank[::-1])
    y = np.where(inside < few, inside % 2, np.where(inside % 7, 2, 0))
    X = pd.DataFrame({"rank": rank, "word": np.where(rank < few, "low", "high")})
    told = {"criterion": criterion, "min_weight": few * weight, "mdl_penalty": False}
    c45 = C45Classifier(**told, average_gain_guard=False, confidence=None, max_depth=1)
    for columns in ["rank"], ["rank", "word"], ["word", "rank"]:
        split = c45.fit(X[columns], y, np.full(n, weight)).tree_.arrays.split[0]
        assert split.column == 0
        assert columns[0] == "word" or split.cut == few - 1


def test_a_cut_at_minus_zero_is_written_as_one_at_zero():
    tree = C45Classifier(min_weight=1).fit([[-0.0], [-0.0], [1], [1]], [0, 0, 1, 1]).tree_
    assert str(tree).startswith("x0 <= 0 : 0")


def test_a_cut_that_gains_nothing_is_no_candidate_whatever_the_weights():
    """Either side has as much of one class as of the other: what is gained is rounding."""
    for weight in ([3, 4, 1, 1, 4, 1, 3, 1, 2, 2, 2, 2], [1, 1, 1, 3], [2, 2, 2, 3, 4, 1, 4, 3]):
        side = np.repeat([0, 1], len(weight))
        weight = np.tile(np.divide(weight, 3), (2, 1)) * [[1], [2]]
        y = np.tile(np.repeat([0, 1], weight.shape[1] // 2), 2)
        assert (
            not C45Classifier(min_weight=1)
            .decisions(side[:, None], y, weight.ravel())[0]
            .candidates
        )

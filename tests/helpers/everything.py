"""One generator of everything, and what must hold of every tree.

`draws` picks an estimator with all its parameters, a table and weights, from small parts that
Hypothesis can make smaller. The cells are then a function of a seed, so that a draw costs little.
"""

import _thread
import pickle
import re
import signal
import threading
import warnings
from contextlib import ExitStack, contextmanager
from itertools import permutations
from typing import Any, NamedTuple
from unittest import mock

import c45_tables
import cart_tables
import numpy as np
import pandas as pd
import pytest
from drawing import WEIGHTS
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from same_trees import assert_same
from sklearn.base import clone

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, compare
from dtreebook.count import dense_columns, memory, ranged_columns, sorted_columns
from dtreebook.grow import cuts
from dtreebook.measures import misclassification, shares
from dtreebook.tree.splits import Subset
from dtreebook.tree.text import How
from dtreebook.tree.tree import Tree

# --- what is drawn -------------------------------------------------------------------------------


def less_entropy(gain, information, entropy):
    """Score a test by what share of the entropy it takes away."""
    return gain / np.maximum(entropy, 1e-300)  # a pure group of values has none


def tsallis(counts):
    return np.sqrt(shares(counts)).sum(axis=-1) - 1


_DRAWN = {
    "max_features": [*[None] * 9, "sqrt", 2, 0.5],
    "random_state": [0],
    "cost": [*[None] * 3, "rising"],
    "verbose": [0],
}
_CLASSES = {"class_weight": [None] * 6 + ["balanced", "named"]}
_MULTIWAY = {
    "max_depth": [None, None, None, 0, 2],
    "min_samples_leaf": [0, 0, 1, 2.5],
    "unseen": ["predict", "none"],
    "pricing": ["eg2", "cs_id3", "idx"],
    **_DRAWN,
    **_CLASSES,
}
PARAMETERS = {
    ID3Classifier: {"min_gain": [0.0, 0.0, 0.05], **_MULTIWAY},
    C45Classifier: {
        "criterion": [*["gain_ratio"] * 4, "gain", "gain", less_entropy],
        "min_weight": [2, 1, 0, 0.5, 5],
        "confidence": [None, 0.25, 0.01, 1.0],
        "subtree_raising": [True, False],
        "group_values": [False, True],
        "average_gain_guard": [True, False],
        "mdl_penalty": [True, False],
        "collapse": [True, False],
        "min_score": [0.0, 0.0, 0.05],
        **_MULTIWAY,
    },
}
_BOTH = {
    "max_depth": [None, None, 1, 4],
    "min_samples_split": [2, 2, 5],
    "min_samples_leaf": [1, 1, 3],
    "max_leaf_nodes": [None, None, None, 3],
    "min_impurity_decrease": [0.0, 0.0, 0.01],
    "ccp_alpha": [*[0.0] * 15, "best", *[0.0] * 5, "one_standard_error", *[0.02] * 10],
    "max_surrogates": ["auto", 0, 2],
    "missing": ["majority", "surrogates", "stop"],
    "agreement": ["primary", "both"],
    "min_weight_fraction_leaf": [0.0, 0.0, 0.1],
    "cv": [2],
    "monotonic_cst": [None, None, "rise and fall"],
    **_DRAWN,
}
PARAMETERS[CARTClassifier] = {
    "criterion": ["gini", "gini", "entropy", "entropy", misclassification, tsallis],
    **_BOTH,
    "priors": [None, None, "even", "rising"],
    "loss": [None, None, "uneven"],
    **_CLASSES,
}
PARAMETERS[CARTRegressor] = {"criterion": ["squared_error", "squared_error", "poisson"], **_BOTH}

_NUMBERS = ("whole", "real", "large", "close", "constant", "void")
_CHEAP = (*_NUMBERS, "ordered", "few", "many", "yes or no")
KINDS = (*_CHEAP, *_CHEAP, "integers", "booleans", "text")  # pandas takes long for the last two
NAMES = {
    "words": ["no", "yes", "maybe", "never", "?", "-"],
    "numbers": [0, 1, 2, 5, 9, 10],
    "odd": ["<b>", "a: b", "", " x", "é", "a,b|c\\"],
}
ODD = ["<b>", "a: b", "", " x", "é", "a,b|c\\", "x <= 1", "名", "0"]
# How columns and their levels are named.
LABELS = {
    "words": ([f"x{i}" for i in range(9)], [f"v{i}" for i in range(9)]),
    "odd": (ODD, ODD),
    "numbers": (list(range(9)), list(range(9))),
}


# Ways to count, by what stands for some names of the engine; of few cases only the first is usual.
_SMALL = {(dense_columns, "_CASES_A_CELL"): 0.05}
_SMALL |= {(owner, "FEW_ROWS"): 0 for owner in (memory, sorted_columns)}
_RANGES = _SMALL | {
    (memory, "MANY_CASES"): 0,
    (memory, "few_values"): lambda *some: {},
    (ranged_columns, "CELLS_A_CASE"): np.inf,
    (ranged_columns, "CASES_INSIDE"): 1,
    (memory, "MANY_A_NODE"): 0,
}
_FEW_RANGES = _RANGES | {(ranged_columns, "RANGES"): 4, (ranged_columns, "_SAMPLE_OF_RANGES"): 5}
WAYS = {
    "as it is": {},
    "columns": _SMALL,
    "sorted": _SMALL | {(memory, "few_values"): lambda columns, n_classes: {}},
    "dense": _SMALL | {(dense_columns.DenseColumns, "is_worth_it"): lambda *sizes: True},
    "sparse": _SMALL | {(dense_columns, "_CELLS_A_PART"): 0},
    "in passes": _SMALL | {(dense_columns, "_MOST_CELLS_A_PASS"): 200},
    "picked": _SMALL | {(cuts, "_FEW_ROWS"): 0},
    "all rows": _SMALL | {(cuts, "_FEW_ROWS"): np.inf},
    "ranges": _RANGES,
    "few ranges": _FEW_RANGES,
    "sorted again": _FEW_RANGES | {(memory, "MANY_A_NODE"): 4},
}


class Draw(NamedTuple):
    """What one example is made of; some parameters are words that depend on the classes."""

    kind: type
    given: dict[str, Any]
    n: int
    kinds: tuple  # of the columns
    blanks: float
    n_classes: int
    names: str  # how columns, levels and classes are named
    weighing: str
    way: str  # to count
    seed: int  # of all cells


@st.composite
def draws(draw, most=40):
    """Draw an estimator, every one of its parameters, and what it is to learn from."""
    kind = draw(st.sampled_from(list(PARAMETERS)))
    given = {
        name: draw(st.sampled_from(values)) for name, values in sorted(PARAMETERS[kind].items())
    }
    # One table in 256 is large: it takes as long as twenty others.
    is_large = draw(st.integers(0, 15)) == 7 and draw(st.integers(0, 15)) == 7
    n = draw(st.integers(1, most))
    kinds = tuple(draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4)))
    blanks = draw(st.sampled_from([0, 0, 0.1, 0.4]))
    n_classes, names = draw(st.integers(1, 6)), draw(st.sampled_from(sorted(NAMES)))
    weighing, way = draw(st.sampled_from(sorted(WEIGHTS))), draw(st.sampled_from(list(WAYS)))
    if given.get("monotonic_cst"):  # else no constraint is allowed
        blanks, n_classes = 0, min(n_classes, 2)
    # Where parts of cases weigh as much, no least weight ends a tree: it has 130,000 nodes.
    n *= 25 if is_large and not (blanks and weighing == "huge") else 1
    cells = draw(st.integers(0, 2**20))
    return Draw(kind, given, n, kinds, blanks, n_classes, names, weighing, way, cells)


def estimator(kind, given, X, y, weight=None, **more):
    """Return an estimator, given its parameters, for a table and answers of some weight."""
    given, y = dict(given), y if weight is None else y[weight > 0]
    if given["cost"]:
        given["cost"] = {X.columns[-1]: 0.4, X.columns[0]: 3.0}
    if given.get("monotonic_cst"):
        in_order = [a for a in X if X[a].dtype.kind in "if" or getattr(X[a].dtype, "ordered", 0)]
        signs = dict(zip(in_order, [1, -1, 0, 1], strict=False))
        is_free = X.isna().any(axis=None) or (kind is CARTClassifier and len(set(y)) > 2)
        given["monotonic_cst"] = None if is_free else signs
    classes, sizes = np.unique(y, return_counts=True)
    most = len(y) if kind is CARTRegressor else max(sizes)
    if given.get("class_weight") == "named":
        given["class_weight"] = {classes[0]: 3.0, classes[-1]: 0.7}
    if kind is CARTRegressor and given["criterion"] == "poisson" and min(y, default=0) < 0:
        given["criterion"] = "squared_error"
    if "priors" in given:
        k = len(classes)
        priors = {"even": np.ones(k), "rising": np.arange(1, k + 1)}.get(given["priors"])
        given["priors"] = None if priors is None else (priors / priors.sum()).tolist()
        loss = 1.5 * np.arange(1, k + 1)[:, None] * (1 - np.eye(k))
        given["loss"] = loss.tolist() if given["loss"] and k > 1 else None
        given["class_weight"] = None if given["priors"] else given["class_weight"]
    if isinstance(given.get("ccp_alpha"), str):
        given |= {"cv": 2} if most > 1 else {"ccp_alpha": 0.0}
    return kind(**given | more)


class Example:
    """A draw with its cells: `X`, `y`, `weight`, and an estimator that is not fitted yet."""

    def __init__(self, draw):
        self.draw = draw
        rng = np.random.default_rng(draw.seed)
        names, levels = LABELS[draw.names]
        columns = [_column(rng, kind, draw.n, levels) for kind in draw.kinds]
        X = pd.DataFrame(dict(zip(names, columns, strict=False)))
        self.X = X.mask(rng.random(X.shape) < draw.blanks) if draw.blanks else X
        codes = rng.integers(0, draw.n_classes, draw.n)
        self.is_regression = draw.kind is CARTRegressor
        if self.is_regression:
            self.y = codes / 4 if draw.names == "numbers" else rng.normal(size=draw.n)
        else:
            self.y = np.array(NAMES[draw.names], dtype=object)[codes]
            self.y = self.y.astype(int) if draw.names == "numbers" else self.y
        self.weight = WEIGHTS[draw.weighing](rng, draw.n)
        if self.weight is not None and not self.weight.any():
            self.weight[0] = 1
        self.rng = rng

    def estimator(self, y=None, weight=None, **more):
        """Return the estimator; what is said of classes is for those that have some weight."""
        y, weight = (self.y, self.weight) if y is None else (y, weight)
        return estimator(self.draw.kind, self.draw.given, self.X, y, weight, **more)

    @property
    def chooses(self):
        """Whether cross-validation chooses the price; its folds are drawn in the order of rows."""
        return isinstance(self.draw.given.get("ccp_alpha"), str)

    @property
    def numbers(self):
        """The names of the columns of numbers."""
        return [name for name, column in self.X.items() if column.dtype.kind in "if"]

    def fit(self, X=None, y=None, weight=None, **more):
        """Fit the estimator, to the table or to another one."""
        if X is None:
            X, y, weight = self.X, self.y, self.weight
        return self.estimator(y, weight, **more).fit(X, y, weight)


def _column(rng, kind, n, labels):
    numbers = {
        "whole": lambda: rng.integers(0, 6, n).astype(float),
        "real": lambda: rng.normal(size=n),
        "large": lambda: rng.integers(0, 5, n) * 1e12,
        "close": lambda: 1 + rng.integers(0, 5, n) * 1e-4,
        "constant": lambda: np.full(n, 3.0),
        "void": lambda: np.full(n, np.nan),
        "integers": lambda: rng.integers(-3, 3, n),
        "booleans": lambda: rng.random(n) < 0.5,
    }
    if kind in numbers:
        return numbers[kind]()
    levels = {"ordered": 5, "few": 3, "many": 9, "yes or no": 2, "text": 4}[kind]
    words, codes = labels[:levels], rng.integers(0, levels, n)
    if kind == "text":
        return np.array([str(word) for word in words], dtype=object)[codes]
    return pd.Categorical.from_codes(codes, words, ordered=kind == "ordered")


# --- looking for trouble -------------------------------------------------------------------------


# The same examples for the same number, on every machine and however slow it is.
QUIET = settings(
    deadline=None, database=None, derandomize=False, suppress_health_check=[*HealthCheck]
)


def search(number, examples):
    """Check so many examples; each number has others. What fails is made as small as can be."""
    _search(draws(), check, number, examples)


def _search(strategy, check, number, examples):
    @seed(number)
    @settings(QUIET, max_examples=examples)
    @given(strategy)
    def holds(drawn):
        check(drawn)

    holds()


def _cart_options(table):
    return st.tuples(st.just(table), cart_tables.options(table))


# Tables and options, and what compares a tree of theirs with that of its twin.
_CART_TABLES = [cart_tables.tables(numbers) for numbers in (False, True)]
_C45_OPTIONS = c45_tables.c45_options(st.booleans())
TWINS = {
    "CART": (st.one_of(_CART_TABLES).flatmap(_cart_options), cart_tables.compare_answers),
    "C4.5": (st.tuples(c45_tables.tables, _C45_OPTIONS), c45_tables.compare_c45),
    "ID3": (st.tuples(c45_tables.tables, c45_tables.id3_options), c45_tables.compare_id3),
}


def search_beside_twin(kind, number, examples):
    """Compare so many trees of one kind with those of its twin; each number has others."""
    pairs, compare = TWINS[kind]

    def is_equal(pair):
        with watched():
            compare(*pair)

    _search(pairs, is_equal, number, examples)


def check_larger(law, kind, number):
    """Check a law of a tree of some size, whose estimator has any parameters."""
    rng = np.random.default_rng(number)
    given = {name: values[rng.integers(len(values))] for name, values in PARAMETERS[kind].items()}
    kinds, weighing = tuple(rng.choice(_CHEAP, 4)), str(rng.choice(["none", "whole", "tenths"]))
    example = Example(Draw(kind, given, 60, kinds, 0.1, 3, "words", weighing, "as it is", number))
    with watched():
        law(example, example.fit())


# --- what must hold ------------------------------------------------------------------------------

# What the package may warn of: numbers in ID3, a search of CART that is not complete, weights that
# are too small for C4.5, cases of other words.
ASKED_FOR = (
    "ID3 makes a branch for every number|more than .* values|the weights add up to|no case weighs 1"
    "|column .* has no value that"
)


@contextmanager
def watched():
    """Raise a warning that nobody asked for, and TimeoutError if it does not end."""

    def stop(*_):
        raise TimeoutError("not done after two minutes")

    # No system lacks this signal; the one of alarms is missing from Windows.
    before = signal.signal(signal.SIGINT, stop)
    clock = threading.Timer(120, _thread.interrupt_main)
    clock.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", ASKED_FOR)
            yield
    finally:
        clock.cancel()
        signal.signal(signal.SIGINT, before)


@contextmanager
def counting(way):
    with ExitStack() as stack:
        for (owner, name), value in WAYS[way].items():
            stack.enter_context(mock.patch.object(owner, name, value))
        yield


def near(one, other, scale=1.0):
    return np.allclose(one, other, rtol=1e-9, atol=1e-9 * scale)


def assert_equal(one, other, factor=1.0):
    """Assert that two trees are the same; all weights may be larger by a factor."""
    a, b = one.arrays, other.arrays
    assert a.split == b.split
    scale = abs(a.counts).max()
    assert near(a.counts * factor, b.counts, scale * factor)
    assert near(a.label, b.label) if one.is_regression else (a.label == b.label).all()


def check(draw):
    """Check one example: its tree, and two other trees that must be like it."""
    example = Example(draw)
    with watched():
        with counting(draw.way):
            model = example.fit()
        sound(example, model)
        answers(example, model)
        the_rules(example, model)
        the_wanted_order(example, model)
        laws = LAWS[draw.kind]
        other, first = divmod(draw.seed, len(laws))
        laws[first](example, model)
        laws[first - 1 - other % (len(laws) - 1)](example, model)


def sound(example, model):
    """Every node is there for a reason, and its children have all that goes on."""
    tree, n = model.tree_, example.draw.n
    arrays = tree.arrays
    size = arrays.counts.sum(axis=1)
    assert np.isfinite(arrays.counts).all()
    assert (arrays.counts >= 0).all()
    if example.draw.kind in (CARTClassifier, CARTRegressor):
        assert (size > 0).all()
        assert tree.node_count <= 2 * n - 1
        assert np.isfinite(arrays.improvement).all()
        assert (arrays.improvement >= 0).all()
    inner = np.flatnonzero(arrays.first_child)
    below, divided = arrays.links.children_sum(size, inner), size[inner]
    assert (arrays.links.children_sum((size > 0).astype(int), inner) > 1).all()
    assert (below <= divided * (1 + 1e-9)).all()
    if example.draw.kind is C45Classifier or not has_blanks(example):  # no case stays
        assert near(below / divided, 1)


def answers(example, model):
    """What is predicted is what the leaf says that a case comes to."""
    X, tree = example.X, model.tree_
    said, ends = model.predict(X), model.apply(X)
    if example.is_regression:
        assert np.array_equal(said, tree.arrays.label[ends])
        return
    if example.draw.given.get("unseen") == "none":
        is_said = tree.arrays.has_answer[ends]
        assert [answer is not None for answer in said] == is_said.tolist()
        X, said, ends = X[is_said], said[is_said].astype(model.classes_.dtype), ends[is_said]
        if not len(X):
            return
    shares = model.predict_proba(X)
    assert near(shares.sum(axis=1), 1)
    if not example.draw.given.get("loss"):
        likely = shares[np.arange(len(said)), np.searchsorted(model.classes_, said)]
        assert near(likely, shares.max(axis=1))
    if example.draw.kind is not C45Classifier:
        assert (said == model.tree_.classes[tree.arrays.label[ends]]).all()
    elif not example.draw.blanks and "void" not in example.draw.kinds:
        # As in Release 8 a leaf keeps the label of its node where a raised subtree brings a tie.
        counts = tree.arrays.counts[ends]
        is_seen = counts.any(axis=1) & (tree.arrays.first_child[ends] == 0)
        labelled = counts[np.arange(len(ends)), tree.arrays.label[ends]]
        assert near(labelled[is_seen], counts.max(axis=1)[is_seen])


def the_rules(example, model):
    """Each case satisfies the rule of its leaf, and no other; nothing is told twice."""
    draw = example.draw
    # In a rule six digits of a number are told.
    if draw.names != "words" or has_blanks(example) or {"real", "close"} & {*draw.kinds}:
        return
    weight = np.ones(draw.n) if example.weight is None else example.weight
    X, y, weight = (of[weight > 0] for of in (example.X, example.y, weight))  # else new levels
    is_counted = draw.weighing in ("none", "ones", "whole", "zeros")
    is_counted &= not (draw.given.get("priors") or draw.given.get("class_weight"))
    ends = model.apply(X)
    for leaf, rule in model.tree_.rules().iterrows():
        here = ends == leaf
        assert np.array_equal(satisfies(X, rule.condition), here)
        for (*test, values), (*other, more) in permutations(told(rule.condition), 2):
            assert test != other or (test[1] == "in" and not {*values} <= {*more})
        if is_counted:
            assert rule.cases == weight[here].sum()
            if not example.is_regression:
                assert rule.errors == weight[here & (y != rule["class"])].sum()
            elif rule.cases:
                assert near(rule["mean"], np.average(y[here], weights=weight[here]))


def told(condition):
    """Read a rule as a person does: [(name of a column, "<=", ">" or "in", its values)]."""
    tests = re.findall(r"(\w+) (\S+) (.*?)(?: and |$)", condition)
    signs = {"=": "in"}
    return [(name, signs.get(sign, sign), of.strip("{}").split(",")) for name, sign, of in tests]


def satisfies(X, condition):
    """Return which cases satisfy a rule."""
    found = np.ones(len(X), dtype=bool)
    for name, sign, values in told(condition):
        column = X[name]
        if getattr(column.dtype, "ordered", False) and sign != "in":
            column, values = column.cat.codes, [list(column.cat.categories).index(*values)]
        kind = float if column.dtype.kind in "if" else str
        column, values = column.astype(kind), list(map(kind, values))
        is_met = column.isin(values) if sign == "in" else column <= values[0]
        found &= ~is_met if sign == ">" else is_met
    return found


def kept(example, model):
    """A stored tree is the same tree, and so is a pickled estimator; text is printed of any."""
    assert Tree.from_json(model.tree_.to_json()) == model.tree_
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_
    assert np.array_equal(again.predict(example.X), model.predict(example.X))
    assert compare(model, again, example.X).share == 0
    assert clone(model).get_params().keys() == model.get_params().keys()
    assert model.export_text()


def the_wanted_order(example, model):
    """What is predicted only rises, or only falls, with the columns that say so."""
    for name, sign in (getattr(model, "monotonic_cst", None) or {}).items():
        values = example.X[name].drop_duplicates().sort_values()
        X = example.X.iloc[np.repeat(example.rng.integers(example.draw.n, size=9), len(values))]
        X[name] = values.iloc[np.tile(np.arange(len(values)), 9)].array
        said = model.predict(X) if example.is_regression else model.predict_proba(X)[:, -1]
        assert (sign * np.diff(said.reshape(9, -1)) >= -1e-9 * max(1, abs(said).max())).all()


def the_reason(example, model):
    """The steps of a case are those of a walk by hand, also past blanks and words never seen."""
    some = example.rng.integers(example.draw.n, size=9)
    X = example.X.iloc[some].astype(object).mask(example.rng.random((9, example.X.shape[1])) < 0.4)
    for name in X.columns.difference(example.numbers, sort=False):
        if example.X[name].dtype != bool:
            X.loc[example.rng.random(9) < 0.2, name] = "never seen"
    reasons = model.explanations(X)
    for (_, case), why in zip(X.iterrows(), reasons, strict=True):
        by_hand = list(walk(model.tree_, case))
        assert [(step.how, step.branch) for step in why.steps] == by_hand
        case.index = list(map(str, case.index))
        for step in why.steps:
            is_known, is_decided = not pd.isna(case[step.column]), step.how is How.TEST
            assert not is_known or step.value == case[step.column]
            assert step.is_unseen == (is_known and not is_decided)
            assert is_decided or (" unknown", " never seen here")[is_known] in str(step)
    ends = model.apply(X).tolist()
    assert [why.answer for why in reasons] == model.tree_.predict(X).tolist()
    assert [why.node for why in reasons] == ends
    assert model.apply(pd.concat([X] * 30)).tolist() == ends * 30  # many go another way in memory
    assert model.explain(X) == list(map(str, reasons))


def walk(tree, case):
    """Yield how the branch of a case is decided at each node, and the branch: the naive way."""
    node = tree.root
    while node.split is not None:
        asked = [(node.split, False), *((s.split, s.flipped) for s in node.surrogates)]
        for place, (test, flipped) in enumerate(asked):
            value, levels = case.iloc[test.column], tree.attributes[test.column].levels
            code = levels.index(value) if value in levels else -1 if levels else float(value)
            found = int(test.branch(np.array([code]))[0])
            if found >= 0:
                found, how = found ^ flipped, How.SURROGATE if place else How.TEST
                break
        else:
            found = node.default
            how = How.DEFAULT if found >= 0 else How.PARTS if tree.fractional else How.STOP
        yield how, found
        if found < 0:
            return
        node = node.children[found]


# --- other trees that must be like it ------------------------------------------------------------


def the_way_of_counting(example, model):
    """It matters to nothing."""
    assert_same(model.tree_, example.fit().tree_)


def the_record(example, model):
    """It has the tests of the tree, before anything was pruned, and each is worth its price."""
    for name, value in UNPRUNED.items():
        if name in model.get_params():
            model = clone(model).set_params(**{name: value})
    given = example.X, example.y, example.weight
    with counting(example.draw.way):
        record = model.decisions(*given)
    plainly, tree = model.decisions(*given), model.fit(*given).tree_
    for here, there in zip(record, plainly, strict=True):
        assert [c.split for c in here.candidates] == [c.split for c in there.candidates]
    assert [decision.path for decision in record] == list(map(tree.arrays.path, range(len(record))))
    assert [d.chosen and d.chosen.split for d in record] == list(tree.arrays.split)
    assert_same(model.regrow(*given).tree_, tree)


def regrown(example, model):
    """Below a node where a column is forbidden none asks about it, and the rest stays as it was."""
    given, tree = (example.X, example.y, example.weight), model.tree_
    told, column = example.draw.given, example.rng.choice(np.array([*example.X], dtype=object))
    reached = tree.arrays.counts.any(axis=1)
    path = tree.arrays.path(int(example.rng.choice(np.flatnonzero(reached))))
    if path and model.get_params().get("monotonic_cst") is not None:
        return
    is_said = example.draw.names == "words"
    new = model.regrow(
        *given, at=", ".join(tree.conditions(path)) if is_said else path, forbid=[column]
    ).tree_
    for way, node in new.walk():
        if way[: len(path)] == path:
            assert node.is_leaf or example.X.columns[node.split.column] != column
        elif way != path[: len(way)]:
            old = tree.node(way)
            assert (node.split, node.label) == (old.split, old.label)
            assert np.array_equal(node.counts, old.counts)
    for empty in np.flatnonzero(~reached)[:1]:
        with pytest.raises(ValueError, match="no training case comes to this node"):
            model.regrow(*given, at=tree.arrays.path(int(empty)), forbid=[column])
    # What was pruned at a price stays as it is, and what is forbidden at the root is left out.
    if "max_leaf_nodes" in told and not (told["max_leaf_nodes"] or told["max_features"]):
        assert_same(model.regrow(*given, at=path).tree_, tree)
    others = example.X.drop(columns=column)
    is_changed = told["max_features"] or told["cost"] or told.get("monotonic_cst")
    if others.shape[1] and not (is_changed or example.chooses):
        without = clone(model).fit(others, *given[1:])
        forbidden = clone(model).regrow(*given, forbid=[column])
        assert without.export_text() == forbidden.export_text()
        assert np.array_equal(without.apply(others), forbidden.apply(example.X))


def has_fractions(example):
    """Whether sums depend on their order, so that ties may be decided by rounding."""
    weight = example.draw.weighing not in ("none", "ones", "whole", "zeros")
    given = example.draw.given
    by_class = given.get("priors") or given.get("loss") or given.get("class_weight")
    blanks = example.draw.kind is C45Classifier and has_blanks(example)
    numbers = example.is_regression and example.draw.names != "numbers"
    return bool(weight or by_class or blanks or numbers)


def has_blanks(example):
    return bool(example.draw.blanks) or "void" in example.draw.kinds


UNPRUNED = {"confidence": None, "collapse": False, "ccp_alpha": 0.0, "max_leaf_nodes": None}


def the_order_of_rows(example, model):
    """It matters to the folds alone."""
    if example.chooses:
        return
    rows = example.rng.permutation(example.draw.n)
    weight = None if example.weight is None else example.weight[rows]
    other = example.fit(example.X.iloc[rows], example.y[rows], weight)
    if not has_fractions(example):
        assert_equal(model.tree_, other.tree_)


def the_order_of_columns(example, model):
    """It matters to ties alone: what the best test is worth at the root is the same."""
    columns = example.rng.permutation(list(example.X))
    X = example.X[columns]
    given = example.y, example.weight
    root = example.estimator(max_depth=1)
    records = [root.decisions(columns, *given)[0] for columns in (example.X, X)]
    one, other = (sorted(c.score for c in record.candidates) for record in records)
    assert len(one) == len(other)
    assert near(one, other, max(map(abs, one), default=1))


def a_weight_of_2(example, model):
    """It is a row that stands there twice, but for what counts rows."""
    more = {}
    if example.draw.kind in (CARTClassifier, CARTRegressor):
        more = {"min_samples_split": 2, "min_samples_leaf": 1, "max_surrogates": 0}
        more |= {"ccp_alpha": 0.0} if example.chooses else {}
    if example.draw.given.get("class_weight") == "balanced":
        more["class_weight"] = None
    weight = example.rng.integers(1, 3, example.draw.n)
    rows = np.repeat(np.arange(example.draw.n), weight)
    one = example.fit(example.X, example.y, weight, **more)
    other = example.fit(example.X.iloc[rows], example.y[rows], None, **more)
    assert one.tree_.arrays.counts.sum() > 0
    if not has_fractions(example) or example.draw.weighing != "none":
        unweighed = Example(example.draw._replace(weighing="none"))
        if not has_fractions(unweighed):
            assert_equal(one.tree_, other.tree_)


def no_weight(example, model):
    """A case of weight 0 is as good as absent."""
    weight = np.ones(example.draw.n) if example.weight is None else example.weight.astype(float)
    weight = np.where(example.rng.random(example.draw.n) < 0.3, 0, weight)
    there = weight > 0
    if not there.any():
        return
    X = example.X
    one = example.fit(X, example.y, weight)
    other = example.fit(X[there], example.y[there], weight[there])
    assert_equal(one.tree_, other.tree_)


def moved_numbers(example, model):
    """Numbers may be moved and stretched; here so that nothing is rounded."""
    if {"large", "close", "real"} & set(example.draw.kinds):
        return
    same_paths(example, model, lambda column: 4 * column + 8)


def bent_numbers(example, model):
    """Numbers may be any others in the same order, as far as cases lie beside the cuts.

    A case that was not there when a node was cut may lie between the values next to the cut: one
    without weight, of a fold, of a raised branch, one for which a surrogate answers.
    """
    given = example.draw.given
    comes = example.draw.weighing == "zeros" or example.chooses or given.get("subtree_raising")
    if comes or (given.get("max_surrogates") != 0 and has_blanks(example)):
        return
    heights = (example.rng.integers(1, 10, example.draw.n) ** 3.0).cumsum()

    def bent(column):
        values = column.to_numpy(dtype=float, copy=True)
        known = ~np.isnan(values)
        values[known] = heights[np.unique(values[known], return_inverse=True)[1]]
        return values

    same_paths(example, model, bent)


def same_paths(example, model, change):
    """Assert that cases go where they went after a change of every column of numbers."""
    X = example.X.copy()
    for name in example.numbers:
        X[name] = change(X[name])
    other = example.fit(X, example.y, example.weight)
    assert model.tree_.node_count == other.tree_.node_count
    assert np.array_equal(model.tree_.arrays.counts, other.tree_.arrays.counts)
    assert np.array_equal(model.apply(example.X), other.apply(X))


def other_names(example, model):
    """Classes may have other names, in the same order."""
    names = np.unique(example.y)
    y = np.searchsorted(names, example.y) + 7
    other = example.fit(example.X, y, example.weight)
    assert model.tree_.arrays.split == other.tree_.arrays.split
    assert np.array_equal(model.tree_.arrays.counts, other.tree_.arrays.counts)
    assert np.array_equal(model.tree_.arrays.label, other.tree_.arrays.label)


def said_by_name(example, model):
    """What is told of columns and classes may be told in their order, or by name in any order."""
    more, given = {}, model.get_params()
    for name, default in ("cost", 1.0), ("monotonic_cst", 0):
        if told := given.get(name):
            more[name] = [told.get(column, default) for column in example.X]
    if given.get("priors"):
        priors = pd.Series(given["priors"], model.classes_)
        more["priors"] = priors.sample(frac=1, random_state=example.draw.seed)
    if given.get("loss"):
        loss = pd.DataFrame(given["loss"], model.classes_, model.classes_)
        for axis in (0, 1):
            loss = loss.sample(frac=1, random_state=example.draw.seed + axis, axis=axis)
        more["loss"] = loss
    assert_same(example.fit(**more).tree_, model.tree_)


def equal_prices(example, model):
    """What is asked is asked for its worth alone, and of equals the first."""
    if not example.draw.given["cost"]:
        assert_same(example.fit(cost=dict.fromkeys(example.X, 1.0)).tree_, model.tree_)


def the_unit_of_weight(example, model):
    """Twice the weight is twice the counts, and the same tree; but surer of its errors."""
    if example.draw.given.get("ccp_alpha") == "one_standard_error":
        return
    weight = np.ones(example.draw.n) if example.weight is None else example.weight
    more = {}
    if example.draw.kind is ID3Classifier:  # its least branch is a weight, CART's a number of rows
        more = {"min_samples_leaf": example.draw.given["min_samples_leaf"] * 1024.0}
    other = example.fit(example.X, example.y, weight * 1024.0, **more)
    assert_equal(model.tree_, other.tree_, 1024.0)


def a_column_twice(example, model):
    """A copy behind all others is never asked."""
    X = example.X.copy()
    X[99 if example.draw.names == "numbers" else "again"] = X.iloc[:, 0]
    stands_in = example.draw.given.get("max_surrogates") != 0 and has_blanks(example)
    given = example.draw.given  # it may be drawn instead, be cheaper, or free to rise and fall
    if stands_in or given["max_features"] or given["cost"] or given.get("monotonic_cst"):
        return
    other = example.fit(X, example.y, example.weight)
    assert_equal(model.tree_, other.tree_)


def pruned(example, model):
    """A pruned tree is the unpruned one, cut back; but for subtrees that were raised."""
    if example.draw.kind is C45Classifier:
        model = example.fit(subtree_raising=False)
        small, whole = model.tree_, model.unpruned_tree_
    else:
        small, whole = (example.fit(ccp_alpha=alpha).tree_ for alpha in (0.05, 0.0))
    pairs = [(small.root, whole.root)]
    for node, wanted in pairs:  # the list grows while we walk it
        if node.is_leaf:
            continue
        children = wanted.children
        if isinstance(node.split, Subset) and example.draw.kind is C45Classifier:
            # As in Release 8 the last branch, of the values that no case here has, keeps those that
            # the tests above leave possible; it goes where there is none.
            *heads, others = wanted.split.groups
            assert list(node.split.groups[: len(heads)]) == heads
            last = node.split.groups[len(heads) :]
            assert all(set(group) <= set(others) for group in last)
            assert last or not children[-1].weight
            children = children[: len(node.children)]
        else:
            assert node.split == wanted.split
        pairs += zip(node.children, children, strict=True)


_ALL = (kept, the_reason, the_way_of_counting, the_record, regrown, the_order_of_rows)
_ALL += (the_order_of_columns, a_weight_of_2, no_weight, moved_numbers, bent_numbers)
_ALL += (said_by_name, equal_prices)
LAWS = {
    ID3Classifier: (*_ALL, other_names, a_column_twice, the_unit_of_weight),
    C45Classifier: (*_ALL, other_names, pruned),
    CARTClassifier: (*_ALL, other_names, a_column_twice, the_unit_of_weight, pruned),
    CARTRegressor: (*_ALL, a_column_twice, the_unit_of_weight, pruned),
}

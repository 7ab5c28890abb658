"""Tables of polars and Arrow are taken as pandas' are: names, order, kinds and levels.

Polars, 180 MB, is there in the larger tiers only: what needs it imports it and is marked slow.
"""

import json
import subprocess
import sys
from datetime import date, datetime, time, timedelta

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from test_reading import COLUMNS as OF_PANDAS
from test_reading import check_column

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.data.reading import as_frame, as_pandas
from dtreebook.datasets import load_golf


def frame_of_polars(columns):
    import polars

    return polars.DataFrame(columns)


def pandas_on_arrow(columns):
    return pa.table(columns).to_pandas(types_mapper=pd.ArrowDtype)


POLARS = pytest.param(frame_of_polars, id="polars", marks=pytest.mark.slow)
ARROW = [pa.table, pandas_on_arrow]

# Neither library knows a NaN among other things than numbers.
COLUMNS = [
    name
    for name, (column, kind, *_) in OF_PANDAS.items()
    if isinstance(column, list) and (kind == "numeric" or not {np.nan, pd.NA} & {*column})
]
SIZES = ["low", "mid", "high"]
words = pa.DictionaryArray.from_arrays
PIECES = pa.chunked_array([words([0], ["z", "a"]), words([1, 0], ["a", "q"])])
COLUMNS_OF_ARROW = [
    (words([1, None, 0], ["z", "a", "q"]), "nominal", ("z", "a", "q"), [1, -1, 0]),
    (words([2, None, 0], SIZES, ordered=True), "ordered", tuple(SIZES), [2, -1, 0]),
    (PIECES, "nominal", ("z", "a", "q"), [0, 2, 1]),
    (pa.array([3, 1, 2], pa.int8()), "numeric", (), [3, 1, 2]),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("made", [POLARS, *ARROW])
@pytest.mark.parametrize("name", COLUMNS)
def test_kinds_levels_and_codes_of_a_column(made, name):
    column, *meant = OF_PANDAS[name]
    check_column(made({"column": column}), *meant)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("made", ARROW)
@pytest.mark.parametrize(("column", "kind", "levels", "codes"), COLUMNS_OF_ARROW)
def test_kinds_that_only_arrow_has(made, column, kind, levels, codes):
    check_column(made({"column": column}), kind, levels, codes)


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_kinds_that_only_polars_has():
    import polars as pl

    for values, dtype, *meant in [
        (["high", None, "low"], pl.Enum(SIZES), "ordered", tuple(SIZES), [2, -1, 0]),
        (["z", "a", None], pl.Categorical, "nominal", ("a", "z"), [1, 0, -1]),
        ([3, 1, 2], pl.UInt8, "numeric", (), [3, 1, 2]),
        ([0.5, None, float("nan")], pl.Float64, "numeric", (), [0.5, np.nan, np.nan]),
    ]:
        check_column(pl.DataFrame({"column": pl.Series(values, dtype=dtype)}), *meant)


@pytest.fixture(params=[POLARS, pa.table, pa.record_batch])
def golf(request):
    X, y = load_golf(return_X_y=True)
    X = X.assign(outlook=X["outlook"].astype(str), windy=X["windy"].astype(str) == "true")
    return X, y.astype(str), lambda frame: request.param(frame.to_dict("list"))


@pytest.mark.parametrize(
    "model", [C45Classifier(), CARTClassifier(), CARTClassifier(max_depth=1, max_surrogates=1)]
)
def test_a_tree_is_that_of_the_pandas_table(golf, model):
    X, y, made = golf
    tree = model.fit(X, y).tree_
    names, explained, shares = model.feature_names_in_, model.explain(X), model.predict_proba(X)
    model.fit(made(X), made(y.to_frame())[y.name])
    assert model.tree_ == tree
    assert model.feature_names_in_.tolist() == names.tolist() == list(X)
    assert model.classes_.tolist() == ["Don't Play", "Play"]
    assert model.explain(made(X)) == explained
    np.testing.assert_array_equal(model.predict_proba(made(X)), shares)
    assert model.score(made(X), np.asarray(y)) == model.score(X, y)


def test_numbers_are_taken_with_their_names_too(golf):
    X, _, made = golf
    numbers = X[["temperature", "humidity"]]
    cart = CARTRegressor(max_depth=1).fit(made(numbers), made(X)["temperature"])
    assert cart.export_text().startswith("temperature <= ")
    assert cart.predict(made(numbers)).tolist() == cart.predict(numbers).tolist()
    with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
        cart.predict(made(numbers[["humidity", "temperature"]]))


def test_weights_may_be_a_column_too(golf):
    X, y, made = golf
    weights = X["temperature"] / 64
    cart = CARTClassifier().fit(X, y, weights)
    assert CARTClassifier().fit(made(X), y, made(X.assign(w=weights))["w"]).tree_ == cart.tree_


@pytest.mark.slow
def test_an_enum_orders_the_classes():
    import polars as pl

    y = pl.Series(["low", "high", "low"], dtype=pl.Enum(SIZES))
    cart = CARTClassifier().fit(pl.DataFrame({"a": [1, 2, 3]}), y)
    assert cart.tree_.classes.tolist() == ["low", "high"]


@pytest.mark.parametrize(
    "moments",
    [
        [date(2020, 1, 1), date(2020, 1, 2)],
        [datetime(2020, 1, 1), None],
        [timedelta(days=1), timedelta(days=2)],
        [time(1), time(2)],
    ],
)
@pytest.mark.parametrize("made", [POLARS, pa.table])
def test_moments_are_refused_beside_numbers_too(made, moments):
    with pytest.raises(ValueError, match=r"column 'when' holds .* a date into its year"):
        CARTClassifier().fit(made({"when": moments, "v": [1, 2]}), [0, 1])


@pytest.mark.slow
def test_rows_still_to_be_computed_are_refused():
    import polars as pl

    lazy = pl.LazyFrame({"a": [1, 2]})
    with pytest.raises(TypeError, match=r"X is a LazyFrame, whose rows .* computed: collect it"):
        CARTClassifier().fit(lazy, [0, 1])
    cart = CARTClassifier().fit(lazy.collect(), [0, 1])
    with pytest.raises(TypeError, match="collect it first"):
        cart.predict(lazy)


@pytest.mark.parametrize("made", [POLARS, pa.table])
def test_an_empty_table_and_a_list_in_a_cell_are_refused(made):
    with pytest.raises(ValueError, match="X is empty: 0 rows, 1 columns"):
        ID3Classifier().fit(made({"a": []}), [])
    with pytest.raises(ValueError, match=r"column 'a' holds .* in row 0, which cannot be a level"):
        ID3Classifier().fit(made({"a": [[1], [2]]}), [0, 1])


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="Expected unique column names, got:\n- 'a' 2 times"):
        CARTClassifier().fit(pa.table([pa.array([1, 2])] * 2, names=["a", "a"]), [0, 1])


def test_what_is_no_table_is_left_as_it_is():
    for thing in ([1], (1,), np.ones(2), None, 3, object()):
        assert as_pandas(thing) is thing
    with pytest.raises(TypeError, match="X is the text 'text': give the rows themselves"):
        as_pandas("text")
    with pytest.raises(TypeError, match="y is the text 'late': give the values, as in X"):
        as_pandas("late", "y")
    assert as_frame(np.ones((1, 2))).columns.tolist() == ["x0", "x1"]


@pytest.mark.slow
def test_polars_needs_no_arrow():
    program = """
import json, sys
sys.modules["pyarrow"] = None
import polars as pl
from dtreebook import CARTClassifier
X = pl.DataFrame({"a": ["x", None, "y"], "b": [1, 2, None], "c": [True, False, None]})
X = X.with_columns(d=pl.Series(["lo", "hi", None], dtype=pl.Enum(["lo", "hi"])))
print(json.dumps(CARTClassifier().fit(X, ["c", "d", "c"]).predict(X).tolist()))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == ["c", "d", "c"]

"""Reading: which column is of which kind, what is unknown, and in which order classes stand."""

import sys
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dtreebook
from dtreebook import C45Classifier, CARTClassifier, ID3Classifier
from dtreebook.data.cases import Attribute
from dtreebook.data.encoding import encode
from dtreebook.data.reading import as_frame, read_training

Y = ["c", "d", "c"]


# A column, and the kind, levels and codes (or numbers) it is read as.
def objects(*cells):
    return pd.Series(cells, dtype=object)


HUGE = 2**60, 2**60 + 1  # as floats they are one
NOMINAL = {
    "text": (["b", "a", "b"], ("a", "b"), [1, 0, 1]),
    "text with None": (["b", None, "a"], ("a", "b"), [1, -1, 0]),
    "text with NaN": (["b", np.nan, "a"], ("a", "b"), [1, -1, 0]),
    "text with NA": (["b", pd.NA, "a"], ("a", "b"), [1, -1, 0]),
    "text that says nan": (["nan", "", "a"], ("", "a", "nan"), [2, 0, 1]),
    "objects": (objects("b", "a", None), ("a", "b"), [1, 0, -1]),
    "booleans": ([True, False, True], (False, True), [1, 0, 1]),
    "booleans with None": ([True, None, False], (False, True), [1, -1, 0]),
    "nullable booleans": (pd.array([True, None, False], "boolean"), (False, True), [1, -1, 0]),
    "numbers and text": (objects(2, "a", None), (2, "a"), [0, 1, -1]),
    "categories": (pd.Categorical(["b", None, "a"], list("cba")), ("c", "b", "a"), [1, -1, 2]),
    "categories that are numbers": (pd.Categorical([3, 1, 3]), (1, 3), [1, 0, 1]),
    "no floats": (pd.Categorical([HUGE[1], HUGE[0], None], HUGE), HUGE, [1, 0, -1]),
    "tuples": (objects(("x", "y"), ("x",), None), (("x",), ("x", "y")), [1, 0, -1]),
    "nothing known, objects": ([None, None, None], (), [-1, -1, -1]),
}
SIZES = "low", "mid", "high"
ORDERED = {
    "ordered categories": (pd.Categorical(["low", "high", None], SIZES, True), SIZES, [0, 2, -1]),
    "ranges": (pd.cut([1, 5, 9], [0, 4, 10], labels=["few", "many"]), ("few", "many"), [0, 1, 1]),
}
NUMERIC = {
    "whole numbers": ([3, 1, 3], [3.0, 1.0, 3.0]),
    "numbers": ([0.5, np.nan, -1.0], [0.5, np.nan, -1.0]),
    "numbers with None": ([1, None, 3], [1.0, np.nan, 3.0]),
    "nullable numbers": (pd.array([1, None, 3], "Int64"), [1, np.nan, 3]),
    "large numbers without a sign": (np.array([2**63] * 3, np.uint64), [2.0**63] * 3),
    "objects that are numbers": (objects(2, 1.5, None), [2, 1.5, np.nan]),
    "decimals": ([Decimal("0.5"), None, Decimal(2)], [0.5, np.nan, 2]),
    "decimals with NA": (objects(Decimal("0.5"), pd.NA, Decimal(2)), [0.5, np.nan, 2]),
    "nothing known, numbers": ([np.nan] * 3, [np.nan] * 3),
}
COLUMNS = {
    **{name: (column, "nominal", *known) for name, (column, *known) in NOMINAL.items()},
    **{name: (column, "ordered", *known) for name, (column, *known) in ORDERED.items()},
    **{name: (column, "numeric", (), numbers) for name, (column, numbers) in NUMERIC.items()},
}


def check_column(table, kind, levels, codes):
    cases = read_training(table, Y)
    assert cases.attributes == (Attribute("column", kind, levels),)
    assert list(map(type, cases.attributes[0].levels)) == list(map(type, levels))
    np.testing.assert_array_equal(cases.columns[0], codes)
    np.testing.assert_array_equal(encode(table, cases.attributes)[0], codes)


@pytest.mark.parametrize("name", COLUMNS)
def test_kinds_levels_and_codes_of_a_column(name):
    column, *meant = COLUMNS[name]
    check_column(pd.DataFrame({"column": column}), *meant)


# Values that a single row may have without being levels or numbers of its training table.
STRANGE = [True, 2**60 + 1, -(2**70), 10**400, 1.5, np.inf, "x", "1", None]
STRANGE += [pd.NA, pd.Timestamp(0), np.nan]


def encoded(frame, attributes):
    try:
        return np.array([column[-1] for column in encode(frame, attributes)], dtype=float)
    except ValueError as error:
        return str(error)


@pytest.mark.filterwarnings("ignore:column .* has no value that the tree was grown on")
@pytest.mark.parametrize("name", COLUMNS)
def test_a_row_alone_is_read_as_among_others(name):
    """Beside every other column: pandas may turn what stands in one row into one type."""
    for other in COLUMNS:
        frame = pd.DataFrame({"a": COLUMNS[name][0], "b": COLUMNS[other][0]})
        attributes = read_training(frame, Y).attributes
        whole = [column.tolist() for column in encode(frame, attributes)]
        for i in range(len(frame)):
            alone = [column.item() for column in encode(frame[i : i + 1], attributes)]
            np.testing.assert_array_equal(alone, [column[i] for column in whole])
    attributes = read_training(pd.DataFrame({"a": COLUMNS[name][0]}), Y).attributes
    attributes += (Attribute("b", "numeric"), Attribute("c", "nominal", ("x",)))
    for value in STRANGE:
        row = pd.DataFrame({"a": pd.Series([value]), "b": [0.5], "c": ["x"]})
        np.testing.assert_equal(encoded(row, attributes), encoded(row.take([0, 0]), attributes))


def test_an_array_and_a_list_read_like_the_frame():
    rows = [["young", 1.5, True], ["old", None, False], [None, 2.5, True]]
    frame = pd.DataFrame(rows, columns=["x0", "x1", "x2"])
    for X in (rows, np.array(rows, dtype=object), frame):
        cases = read_training(X, Y)
        wanted = Attribute("x0", "nominal", ("old", "young")), Attribute("x1", "numeric")
        assert cases.attributes == (*wanted, Attribute("x2", "nominal", (False, True)))
        assert cases.columns[0].tolist() == [1, 0, -1]
        np.testing.assert_array_equal(cases.columns[1], [1.5, np.nan, 2.5])


def test_the_index_of_a_frame_means_nothing():
    frame = pd.DataFrame({"a": ["x", "y", "x"]}, index=[5, 5, 1])
    y = pd.Series(Y, index=[9, 8, 7])
    cases = read_training(frame, y, sample_weight=pd.Series([1, 0, 2], index=[3, 2, 1]))
    assert cases.columns[0].tolist() == [0, 0]
    assert cases.target.tolist() == [0, 0]
    assert cases.weight.tolist() == [1, 2]


def test_the_input_is_left_as_it_was():
    frame = pd.DataFrame({1: pd.Categorical(["b", None]), "two": [1.0, np.nan]})
    kept = frame.copy(deep=True)
    read_training(frame, ["c", "d"], [0, 1])
    as_frame(frame)
    pd.testing.assert_frame_equal(frame, kept)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["no", "yes", "no"], ["no", "yes"]),
        ([2, 10, 2], [2, 10]),
        ([True, False, True], [False, True]),
        (("b", "a", "b"), ["a", "b"]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
        (pd.Series(["b", "a", "b"]), ["a", "b"]),
        (pd.array([3, 1, 3], dtype="Int64"), [1, 3]),
        (pd.Categorical(["lo", "hi", "lo"], ["lo", "mid", "hi"]), ["lo", "hi"]),
        (pd.Series(pd.Categorical([3, 1, 3], [3, 2, 1])), [3, 1]),
        (pd.Categorical(["a", 1, "a"], ["a", 1]), ["a", 1]),
    ],
)
def test_classes_are_sorted_unless_a_categorical_orders_them(y, classes):
    cases = read_training([["x"], ["y"], ["z"]], y)
    assert cases.classes.tolist() == classes
    assert cases.classes[cases.target].tolist() == list(y)


@pytest.mark.parametrize("values", [[0, 1], [False, True], ["no", "yes"]])
def test_classes_stay_what_they_are(values):
    for y in (values, np.array(values), pd.Series(values).convert_dtypes()):
        classes = read_training([[1], [2]], y).classes
        assert classes.tolist() == values
        assert type(classes.tolist()[0]) is type(values[0])
        assert (classes.dtype == object) == isinstance(values[0], str)


def test_without_weights_every_case_weighs_one():
    assert read_training([["x"], ["y"]], [0, 1]).weight is None
    assert read_training([["x"], ["y"]], [0, 1], [1, 1]).weight is None
    assert read_training([["x"], ["y"]], [0, 1], [2, 1]).weight.tolist() == [2, 1]


def test_an_unseen_level_is_unknown():
    attribute = Attribute("a", "nominal", ("x", "y"))
    as_categories = pd.Categorical(["y", "z", None]), pd.Categorical(["y", None, None], ["y", "x"])
    for column in (["y", "z", None], *as_categories, objects("y", 3, np.nan)):
        assert encode(pd.DataFrame({"a": column}), [attribute])[0].tolist() == [1, -1, -1]
    with pytest.warns(UserWarning, match="column 'a' has no value that the tree was grown on"):
        assert encode(pd.DataFrame({"a": [1, 2]}), [attribute])[0].tolist() == [-1, -1]
    # Whole numbers and floats are the same levels.
    attribute = Attribute("a", "nominal", (1.0, 2.0))
    for column in ([2, 1, 3], [2.0, 1.0, np.nan], pd.array([2, 1, None], dtype="Int64")):
        assert encode(pd.DataFrame({"a": column}), [attribute])[0].tolist() == [1, 0, -1]


def test_decimals_that_became_levels_are_found_again():
    """A Decimal equals no double that it rounds to."""
    X = pd.DataFrame({"price": [Decimal("1.94"), Decimal("0.1"), None] * 3})
    y = ["no", "yes", "no"] * 3
    with pytest.warns(UserWarning, match="a branch for every number"):
        model = ID3Classifier().fit(X, y)
    assert model.predict(X).tolist() == y


@pytest.mark.parametrize("model", [ID3Classifier(), C45Classifier(), CARTClassifier()], ids=str)
def test_the_way_from_fit_to_the_first_column_is_short(model):
    """It changes from one file of the package to another three times, and takes X and y once."""
    files, taken, place = [], [], str(Path(dtreebook.__file__).parent)

    def watch(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(place) and "end" not in files:
            files.append(code.co_filename)
            taken.extend([code.co_name] * (code.co_name == "as_pandas"))
            files.extend(["end"] * (code.co_name == "_read_column"))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        model.fit(pd.DataFrame({"a": ["x", "y", "x"], "b": ["u", "u", "v"]}), Y)
    finally:
        sys.setprofile(before)
    way = files[: files.index("end")]
    assert sum(one != other for one, other in pairwise(way)) <= 3
    assert len(taken) == 2

"""The loaders: shapes, orders, conventions, and the digests of the rebuilt data sets."""

import hashlib
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.utils import Bunch

from dtreebook import datasets

ORACLE = Path(__file__).parents[2] / "shared" / "oracle" / "data"

LOADERS = {
    datasets.load_loan: (15, 4),
    datasets.load_abstract15: (15, 1),
    datasets.load_tennis: (14, 4),
    datasets.load_golf: (14, 4),
    datasets.load_nursery: (12960, 8),
    datasets.load_car: (1728, 6),
}

# SHA-256 of the rows "v1,...,class", each followed by a line feed
DIGESTS = {
    datasets.load_nursery: "1f2ff809b36c4524f8619d9cf0952e9937ff9e281eab7b2784acf604b45df879",
    datasets.load_car: "b703a9ac69f11e64ce8c223c0a40de4d2e9d769f7fb20be5f8f2e8a619893d83",
}


def as_lines(frame):
    return "".join(",".join(map(str, row)) + "\n" for row in frame.to_numpy(dtype=object))


def entropy(counts):
    p = np.array([c for c in counts if c]) / sum(counts)
    return -(p * np.log2(p)).sum()


# --- the convention ------------------------------------------------------------------------------


@pytest.mark.parametrize("load", LOADERS)
def test_bunch_of_frames(load):
    bunch = load()
    assert isinstance(bunch, Bunch)
    assert list(bunch) == ["data", "target", "frame", "feature_names", "target_names", "DESCR"]
    assert bunch.data.shape == LOADERS[load]
    assert bunch.target.shape == LOADERS[load][:1]
    assert list(bunch.data.columns) == bunch.feature_names
    assert list(bunch.target.cat.categories) == bunch.target_names
    pd.testing.assert_frame_equal(bunch.frame, bunch.data.join(bunch.target))
    assert f"{len(bunch.frame):,} cases" in bunch.DESCR
    assert "Source:" in bunch.DESCR
    assert max(map(len, bunch.DESCR.splitlines())) <= 100


@pytest.mark.parametrize("load", LOADERS)
def test_description_states_the_class_counts(load):
    bunch = load()
    for name, count in bunch.target.value_counts().items():
        words = bunch.DESCR.replace("\n", " ").replace("six times", "6").replace("nine times", "9")
        assert f"{name} {count}" in words


@pytest.mark.parametrize("load", LOADERS)
def test_arrays_and_pairs(load):
    frames = load()
    arrays = load(as_frame=False)
    assert arrays.frame is None
    for array, frame in [(arrays.data, frames.data), (arrays.target, frames.target)]:
        assert isinstance(array, np.ndarray)
        assert array.dtype == object
        assert (array == frame.to_numpy(dtype=object)).all()
    X, y = load(return_X_y=True)
    pd.testing.assert_frame_equal(X, frames.data)
    pd.testing.assert_series_equal(y, frames.target)
    X, y = load(return_X_y=True, as_frame=False)
    assert np.array_equal(X, arrays.data)
    assert np.array_equal(y, arrays.target)


@pytest.mark.parametrize("load", LOADERS)
def test_arguments_are_keywords_only(load):
    with pytest.raises(TypeError):
        load(True)


@pytest.mark.parametrize("load", LOADERS)
def test_every_call_gives_a_fresh_copy(load):
    spoilt = load()
    spoilt.data.isetitem(0, spoilt.data.iloc[::-1, 0].array)
    spoilt.target.iloc[0] = spoilt.target_names[-1]
    spoilt.feature_names.clear()
    fresh = load()
    assert as_lines(fresh.frame) != as_lines(spoilt.data.join(spoilt.target))
    assert len(fresh.feature_names) == LOADERS[load][1]


# --- orders and values ---------------------------------------------------------------------------


def levels(load):
    frame = load().frame
    return {
        name: list(column.cat.categories)
        for name, column in frame.items()
        if isinstance(column.dtype, pd.CategoricalDtype)
    }


@pytest.mark.parametrize("load", [datasets.load_loan, datasets.load_tennis])
def test_categories_stand_in_the_order_of_first_appearance(load):
    for name, column in load().frame.items():
        assert list(column.cat.categories) == list(column.unique()), name


def test_orders_of_the_small_tables():
    assert levels(datasets.load_loan) == {
        "age": ["young", "middle", "old"],
        "work": ["no", "yes"],
        "house": ["no", "yes"],
        "credit": ["fair", "good", "excellent"],
        "approved": ["no", "yes"],
    }
    assert levels(datasets.load_tennis) == {
        "outlook": ["sunny", "overcast", "rainy"],
        "temperature": ["hot", "mild", "cool"],
        "humidity": ["high", "normal"],
        "windy": ["false", "true"],
        "play": ["no", "yes"],
    }
    assert levels(datasets.load_golf) == {
        "outlook": ["sunny", "overcast", "rain"],
        "windy": ["true", "false"],
        "play": ["Play", "Don't Play"],
    }


def test_orders_of_the_rebuilt_tables():
    assert levels(datasets.load_nursery)["class"] == [
        "not_recom",
        "recommend",
        "very_recom",
        "priority",
        "spec_prior",
    ]
    assert levels(datasets.load_car)["class"] == ["unacc", "acc", "good", "vgood"]


def test_loan_in_numbers():
    frame = datasets.load_loan().frame
    assert {name: pd.crosstab(frame[name], frame["approved"]).to_numpy().tolist()
            for name in frame.columns[:-1]} == {
        "age": [[3, 2], [2, 3], [1, 4]],
        "work": [[6, 4], [0, 5]],
        "house": [[6, 3], [0, 6]],
        "credit": [[4, 1], [2, 4], [0, 4]],
    }  # fmt: skip
    assert as_lines(frame.iloc[[3, 12, 14]]) == (
        "young,yes,yes,fair,yes\nold,yes,no,good,yes\nold,no,no,fair,no\n"
    )


def test_golf_is_tennis_with_numbers():
    golf, tennis = datasets.load_golf().frame, datasets.load_tennis().frame
    assert golf["temperature"].dtype == golf["humidity"].dtype == np.int64
    assert golf[["temperature", "humidity"]].sum().tolist() == [1030, 1124]
    same = {"rainy": "rain", "no": "Don't Play", "yes": "Play"}
    for name in ["outlook", "windy", "play"]:
        assert list(golf[name]) == [same.get(v, v) for v in tennis[name]]
    # the words of the one agree with the numbers of the other
    assert golf.groupby(tennis["humidity"], observed=True)["humidity"].max()["normal"] == 80
    assert list(golf["temperature"].groupby(tennis["temperature"], observed=True).min()) == [
        80,
        70,
        64,
    ]


def test_abstract15_follows_from_the_documented_numbers():
    """Groups of five with nine 1s that leave .888 bits: only two, three and four 1s."""
    found = [
        ones
        for ones in combinations_with_replacement(range(6), 3)
        if sum(ones) == 9
        and round(sum(entropy([n, 5 - n]) for n in ones) / 3, 3) == 0.888
    ]  # fmt: skip
    assert found == [(2, 3, 4)]
    frame = datasets.load_abstract15().frame
    assert pd.crosstab(frame["A"], frame["D"]).to_numpy().tolist() == [[3, 2], [2, 3], [1, 4]]
    loan = datasets.load_loan().frame
    assert (frame["A"].cat.codes == loan["age"].cat.codes).all()
    assert (frame["D"].cat.codes == loan["approved"].cat.codes).all()


# --- the rebuilt tables --------------------------------------------------------------------------


@pytest.mark.parametrize("load", DIGESTS)
def test_digest(load):
    lines = as_lines(load().frame)
    assert hashlib.sha256(lines.encode()).hexdigest() == DIGESTS[load]


@pytest.mark.parametrize("load", DIGESTS)
def test_every_combination_once_with_the_last_feature_fastest(load):
    data = load().data
    expected = product(*(column.cat.categories for _, column in data.items()))
    assert list(data.itertuples(index=False, name=None)) == list(expected)


@pytest.mark.parametrize(
    ("load", "name"),
    [
        (datasets.load_nursery, "nursery"),
        (datasets.load_car, "car"),
        (datasets.load_golf, "golf"),
    ],
)
def test_equal_to_the_original_file(load, name):
    if not ORACLE.is_dir():
        pytest.skip("skipped: no oracle data")
    heading, rows = (ORACLE / name / f"{name}.csv").read_text().split("\n", 1)
    assert as_lines(load().frame) == rows
    assert heading.split(",")[:-1] == load().feature_names


def test_car_tables_tell_apart_only_what_the_cases_tell_apart():
    """No two grades of a concept could be merged without changing the class of some car."""
    class_of_car = datasets._codes(datasets._ACCEPTANCE, datasets._CAR_CLASSES)
    assert len({tuple(row) for row in class_of_car}) == 4  # price
    assert len({tuple(row) for row in class_of_car.T}) == 4  # tech
    assert len({tuple(row) for row in datasets._TECH}) == 3  # comfort
    for grades, count in [(datasets._PRICE, 4), (datasets._COMFORT, 3), (datasets._TECH, 4)]:
        assert set(grades.ravel()) == set(range(count))

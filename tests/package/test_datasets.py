"""The loaders: shapes, orders, conventions, and the digests of the rebuilt data sets."""

import subprocess
import sys
from itertools import product
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
from oracle import frames
from scipy.special import logsumexp
from sklearn.utils import Bunch

from dtreebook import datasets
from tools import smokers

LOADERS = {
    datasets.load_loan: (15, 4),
    datasets.load_abstract15: (15, 1),
    datasets.load_tennis: (14, 4),
    datasets.load_golf: (14, 4),
    datasets.load_nursery: (12960, 8),
    datasets.load_car: (1728, 6),
    datasets.load_smokers: (1629, 18),
}


def as_lines(frame):
    return "".join(",".join(map(str, row)) + "\n" for row in frame.to_numpy(dtype=object))


def test_tables_are_read_from_a_zip_as_where_a_page_runs_itself(tmp_path):
    package = Path(datasets.__file__).parent
    with ZipFile(tmp_path / "zip", "w") as archive:
        for path in [path for end in ("py", "csv", "json") for path in package.rglob(f"*.{end}")]:
            archive.write(path, path.relative_to(package.parent))
    code = "from dtreebook import to_js, ID3Classifier as C, datasets as d; to_js(C().fit("
    code += "*d.load_car(return_X_y=True))); print(len(d.load_loan().data), d.__file__)"
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'zip')!r}); {code}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith(f"15 {tmp_path / 'zip'}")


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
    words = bunch.DESCR.replace("\n", " ")
    for name, count in bunch.target.value_counts().items():
        assert f"{name} {count}" in words


@pytest.mark.parametrize("load", LOADERS)
def test_arrays_and_pairs(load):
    frames, arrays = load(), load(as_frame=False)
    assert arrays.frame is None
    for array, frame in [(arrays.data, frames.data), (arrays.target, frames.target)]:
        assert isinstance(array, np.ndarray)
        assert array.dtype == object
        assert pd.DataFrame(array).equals(pd.DataFrame(frame.to_numpy(dtype=object)))
    X, y = load(return_X_y=True)
    pd.testing.assert_frame_equal(X, frames.data)
    pd.testing.assert_series_equal(y, frames.target)
    X, y = load(return_X_y=True, as_frame=False)
    assert pd.DataFrame(X).equals(pd.DataFrame(arrays.data))
    assert np.array_equal(y, arrays.target)
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


@pytest.mark.parametrize("load", [datasets.load_loan, datasets.load_tennis])
def test_categories_stand_in_the_order_of_first_appearance(load):
    for name, column in load().frame.items():
        assert list(column.cat.categories) == list(column.unique()), name


@pytest.mark.parametrize("load", [datasets.load_nursery, datasets.load_car, datasets.load_golf])
def test_rows_and_levels_are_those_of_the_original_files(load):
    bunch, (X, y) = load(), frames(load.__name__.removeprefix("load_"))
    pd.testing.assert_frame_equal(bunch.data.astype(X.dtypes), X)
    assert bunch.target.tolist() == list(y)
    columns = [*bunch.data.select_dtypes("category"), bunch.target.name]
    levels = [bunch.frame[name].cat.categories.tolist() for name in columns]
    assert levels == [X[name].cat.categories.tolist() for name in columns[:-1]] + [[*y.categories]]


def test_smokers_are_those_of_the_book_on_them():
    """Table 12.1 of Hernán and Robins (2020): those with a weight of 1982, by who had quit."""
    X = datasets.load_smokers().data
    known = X[X["weight_82"].notna()]
    assert known["quit"].value_counts().to_dict() == {"no": 1163, "yes": 403}
    named = "age", "men", "weight", "cigarettes", "years_smoked", "little", "inactive", "gain"
    no, yes = (42.8, 46.6, 70.3, 21.2, 24.1, 37.9, 8.9, 2.0), (46.2, 54.6, 72.4, 18.6, 26.0, 40.7)
    documented = pd.DataFrame([no, (*yes, 11.2, 4.5)], ["no", "yes"], named)
    found = known.assign(
        men=100 * (known["sex"] == "male"),
        little=100 * (known["exercise"] == "little"),
        inactive=100 * (known["activity"] == "inactive"),
        gain=known["weight_82"] - known["weight"],
    )
    means = found.groupby("quit", observed=True)[list(documented)].mean().round(1)
    assert means.to_dict() == documented.to_dict()


def test_smokers_are_made_from_the_file_of_the_study(tmp_path, monkeypatch):
    """The study's codes come back as words, and what is no code as a blank."""
    names = [its for _, its, _ in smokers.COLUMNS]
    study = pd.DataFrame([[1.0] * len(names)] * 2, columns=names)
    study["income"], study["hbp"], study["wt71"] = [11.0, 22.0], [1.0, 2.0], [58.63, np.nan]
    study["marital"] = 2.0
    study.to_stata(tmp_path / "study.dta", write_index=False)
    monkeypatch.setattr(smokers, "TABLE", tmp_path / "smokers.csv")
    smokers.main(tmp_path / "study.dta")
    made = pd.read_csv(tmp_path / "smokers.csv")
    assert list(made) == list(datasets.load_smokers().frame)
    assert made["income"].tolist() == ["under 1", "25 or more"]
    assert made["weight"].tolist()[0] == 58.6
    assert made[["weight", "hypertension"]].isna().to_numpy().tolist() == [[False] * 2, [True] * 2]


MAKERS = {
    datasets.make_led: 7,
    datasets.make_waveform: 21,
    datasets.make_rare_disease: 3,
    datasets.make_travellers: 6,
}


@pytest.mark.parametrize("make", MAKERS)
def test_a_seed_gives_the_same_cases_every_time_and_another_seed_others(make):
    X, y = make(50, random_state=3)
    assert X.shape == (50, MAKERS[make])
    assert y.shape == (50,)
    again, y_again = make(50, random_state=3)
    pd.testing.assert_frame_equal(X, again)
    pd.testing.assert_series_equal(y, y_again)
    assert not X.equals(make(50, random_state=4)[0])


def test_a_display_without_noise_shows_its_digit_and_one_with_noise_errs_in_a_tenth():
    X, y = datasets.make_led(1000, noise=0, random_state=0)
    shown = X.groupby(y).agg(["min", "max"])
    assert (shown.xs("min", axis=1, level=1) == shown.xs("max", axis=1, level=1)).all(axis=None)
    # how many segments each digit lights: 0 has six, 1 two, 7 three, 8 all
    assert X.groupby(y).first().sum(axis=1).tolist() == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]
    assert len(X.drop_duplicates()) == 10
    noisy, _ = datasets.make_led(1000, noise=1, random_state=0)
    pd.testing.assert_frame_equal(noisy, 1 - X)
    tenth, _ = datasets.make_led(20_000, random_state=0)
    clean, _ = datasets.make_led(20_000, noise=0, random_state=0)
    assert (tenth != clean).mean().to_numpy() == pytest.approx(0.1, abs=0.01)


def test_the_bayes_error_of_the_displays():
    clean, digit = datasets.make_led(500, noise=0, random_state=0)
    digits = clean.groupby(digit).first().to_numpy()
    shown = np.array(list(product([0, 1], repeat=7)))
    wrong = (shown[:, None] != digits).sum(axis=2)  # segments, for each display and digit
    right = (0.1**wrong * 0.9 ** (7 - wrong)).max(axis=1).sum() / 10
    assert datasets.led_bayes_error() == pytest.approx(1 - right, abs=1e-12)
    assert round(datasets.led_bayes_error(), 2) == 0.26
    assert datasets.led_bayes_error(0) == 0
    assert datasets.led_bayes_error(0.5) == pytest.approx(0.9)


PLACES = np.arange(1, 22)
WAVES = [np.maximum(6 - abs(PLACES - peak), 0) for peak in (11, 15, 7)]


def test_the_chances_of_waves_agree_with_integrals_in_all_21_dimensions():
    X, y = datasets.make_waveform(20_000, random_state=1)
    at, weight = np.polynomial.legendre.leggauss(60)
    share = (at + 1)[:, None] / 2
    log_density = []
    for a, b in [(0, 1), (0, 2), (1, 2)]:
        means = share * WAVES[a] + (1 - share) * WAVES[b]
        fit = X.to_numpy() @ means.T - (means**2).sum(axis=1) / 2
        log_density.append(logsumexp(fit + np.log(weight / 2), axis=1))
    log_density = np.array(log_density).T
    chances = np.exp(log_density - logsumexp(log_density, axis=1, keepdims=True))
    assert datasets.waveform_chances(X) == pytest.approx(chances, abs=1e-6)
    errors = (chances.argmax(axis=1) + 1 != y).mean()
    assert errors == pytest.approx(datasets.waveform_bayes_error(), abs=0.006)


def test_the_rare_disease_is_rare_and_shows_in_marker_and_contact_alone():
    X, y = datasets.make_rare_disease(50_000, prevalence=0.1, random_state=0)
    assert list(y.cat.categories) == ["well", "ill"]
    assert (y == "ill").mean() == pytest.approx(0.1, abs=0.005)
    assert X["marker"].groupby(y, observed=True).mean().tolist() == pytest.approx([40, 60], abs=1)
    assert X["marker"].groupby(y, observed=True).std().tolist() == pytest.approx([10, 12], abs=0.5)
    contact = pd.crosstab(y, X["contact"], normalize="index").to_numpy()
    assert contact == pytest.approx(np.array([[0.7, 0.2, 0.1], [0.3, 0.3, 0.4]]), abs=0.02)
    assert np.ptp(X["age"].groupby(y, observed=True).mean()) < 1
    assert (X["age"].min(), X["age"].max()) == (20, 79)
    assert (datasets.make_rare_disease(500, prevalence=0)[1] == "well").all()


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (datasets.make_led, "noise"),
        (datasets.led_bayes_error, "noise"),
        (datasets.make_rare_disease, "prevalence"),
    ],
)
@pytest.mark.parametrize("value", [-0.1, 1.1, np.nan])
def test_what_is_no_probability_is_refused(make, name, value):
    with pytest.raises(ValueError, match=f"{name} must be a probability between 0 and 1, but"):
        make(**{name: value})


def test_travellers_answer_as_the_model_says():
    X, y = datasets.make_travellers(40_000, random_state=0)
    shares = y.value_counts(normalize=True)
    for kind, share in datasets.TRAVELLERS.items():
        assert shares[kind] == pytest.approx(share, abs=0.01)
    said = (X == "yes").groupby(y, observed=True).mean()
    for question, chances in datasets.TRAVELLERS_SAY_YES.items():
        assert said[question].to_numpy() == pytest.approx(chances, abs=0.03)
    # Given the type, two answers have nothing to do with each other.
    planners = X[y == "planner"] == "yes"
    assert abs(np.corrcoef(planners["ticket"], planners["early"])[0, 1]) < 0.03

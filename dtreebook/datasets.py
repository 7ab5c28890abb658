"""The data sets of the book: small tables written down, larger ones rebuilt or drawn by a rule.

What is written down lies beside this module, as does one real table, with real blanks. Nothing is
downloaded. Loaders and makers follow scikit-learn's convention and return fresh objects, so that a
reader may change them freely. A loader returns a Bunch with data, target, frame, feature_names,
target_names if the target has classes, and DESCR, its docstring; with `return_X_y` data and target
alone. Without `as_frame` the two are NumPy arrays of objects, not a DataFrame and a Series.
Nominal columns are pandas Categoricals whose categories stand in the order in which the source
names them; that order decides the order of branches and how ties between classes are broken.
What is drawn by a rule has a smallest possible error, the Bayes error; for digits and waves it is
computed here. A maker draws `n_samples` cases; `random_state` is an int, which gives the same cases
every time, a RandomState, or None; a probability that is none raises a ValueError.

>>> X, y = load_loan(return_X_y=True)
>>> X.shape, y.value_counts().to_dict()
((15, 4), {'yes': 9, 'no': 6})
"""

import json
from importlib.resources import files
from inspect import getdoc
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr
from sklearn.utils import check_random_state

from dtreebook.data.frames import bunch

RandomState = np.random.RandomState | int | None

# A Bunch of data and target, or with return_X_y the two alone; as scikit-learn's loaders give them.
Loaded: TypeAlias = Any


# --- small tables, written down ------------------------------------------------------------------

_TEMPERATURE = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
_HUMIDITY = [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80]


def load_loan(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Load the loan table: 15 cases, four nominal features, approved or not (no 6, yes 9).

    Should the bank lend? The applicant's age, whether he or she has work and owns a house, and the
    credit record. Two questions, house and work, settle all fifteen cases.

    Source: Li Hang, *Statistical Learning Methods*, 2nd edition, 2019, table 5.1.

    Examples
    --------
    >>> loan = load_loan()
    >>> loan.feature_names, loan.target_names
    (['age', 'work', 'house', 'credit'], ['no', 'yes'])
    >>> pd.crosstab(loan.data["house"], loan.target).to_numpy().tolist()  # no house, house
    [[6, 3], [0, 6]]
    """
    return _bunch(load_loan, _nominal("loan"), return_X_y, as_frame)


def load_abstract15(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Load the abstract example: 15 cases in three groups of five, two classes (0 6, 1 9).

    The groups A1, A2, A3 hold three, two and four cases of class 1. They are the middle, the young
    and the old of the loan table, with its answers, under other names. (Where the source counts all
    cases, it swaps the two classes.)

    Source: course notes on ID3, the worked example before the algorithm; no file is copied.

    Examples
    --------
    >>> A, D = load_abstract15(return_X_y=True)
    >>> pd.crosstab(A["A"], D).to_numpy().tolist()
    [[2, 3], [3, 2], [1, 4]]
    """
    loan = _nominal("loan")
    names = {"middle": "A1", "young": "A2", "old": "A3"}
    group = loan["age"].rename_categories(names).reorder_categories(["A1", "A2", "A3"])
    in_order = np.argsort(group.codes, kind="stable")
    columns = {
        "A": group[in_order],
        "D": loan["approved"][in_order].rename_categories(["0", "1"]),
    }
    return _bunch(load_abstract15, columns, return_X_y, as_frame)


def load_tennis(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Load play tennis: 14 cases, four nominal features, play or not (no 5, yes 9).

    Is this a morning for a game on the court?

    Source: J. R. Quinlan, Induction of Decision Trees, *Machine Learning* 1, 1986, table 1, where
    the classes are called N and P.

    Examples
    --------
    >>> tennis = load_tennis()
    >>> pd.crosstab(tennis.data["outlook"], tennis.target).to_numpy().tolist()
    [[3, 2], [0, 4], [2, 3]]
    """
    return _bunch(load_tennis, _nominal("tennis"), return_X_y, as_frame)


def load_golf(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Load golf: play tennis again, but temperature and humidity are numbers.

    14 cases, 2 nominal and 2 numeric features, 2 classes (Play 9, Don't Play 5). The numbers do not
    quite follow the words of play tennis: a humidity of 80 is normal on two of its mornings and
    high on one. The other columns are the same.

    Words and orders are those of C4.5's own file: outlook sunny, overcast, rain; windy true, false;
    Play before Don't Play.

    Temperature (degrees Fahrenheit) and humidity (per cent) are int64.

    Source: J. R. Quinlan, *C4.5: Programs for Machine Learning*, 1993, the golf example.

    Examples
    --------
    >>> golf = load_golf()
    >>> golf.data["humidity"].tolist()[:5], golf.target.tolist()[:3]
    ([85, 90, 78, 96, 80], ["Don't Play", "Don't Play", 'Play'])
    """
    tennis = _nominal("tennis")
    outlook = tennis["outlook"].rename_categories({"rainy": "rain"})
    play = tennis["play"].rename_categories({"no": "Don't Play", "yes": "Play"})
    columns = {
        "outlook": outlook,
        "temperature": np.array(_TEMPERATURE, dtype=np.int64),
        "humidity": np.array(_HUMIDITY, dtype=np.int64),
        "windy": tennis["windy"].reorder_categories(["true", "false"]),
        "play": play.reorder_categories(["Play", "Don't Play"]),
    }
    return _bunch(load_golf, columns, return_X_y, as_frame)


def load_ten_points(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Load ten points for a regression tree by hand: 10 cases, x is 1 to 10, y a number.

    The numbers rise with x, but for the eighth, and jump once, between 6 and 7.

    Source: Li Hang, *Statistical Learning Methods*, 2nd edition, 2019, table 8.2.

    Examples
    --------
    >>> X, y = load_ten_points(return_X_y=True)
    >>> X["x"].tolist()[-1], y.tolist()[-1], round(float(y.mean()), 3)
    (10, 9.05, 7.307)
    """
    y = [5.56, 5.70, 5.91, 6.40, 6.80, 7.05, 8.90, 8.70, 9.00, 9.05]
    columns = {"x": np.arange(1, 11), "y": np.array(y)}
    return _bunch(load_ten_points, columns, return_X_y, as_frame)


# --- a real table, kept in a file ----------------------------------------------------------------

_SMOKERS_ORDERED = {
    "income": [
        *["under 1", "1 to 2", "2 to 3", "3 to 4", "4 to 5", "5 to 6", "6 to 7"],
        *["7 to 10", "10 to 15", "15 to 20", "20 to 25", "25 or more"],
    ],
    "exercise": ["much", "moderate", "little"],
    "activity": ["very active", "moderately active", "inactive"],
}


def load_smokers(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Load the smokers: 1,629 cases, 18 features, who was alive in 1992 (alive 1311, died 318).

    All smoked when they were examined, between 1971 and 1975; they were asked again between 1982
    and 1984; all deaths are later. The 1,010 blanks are those of the study: 791 people were never
    asked whether a doctor had found high blood pressure, and 77 have no blood pressure of the
    second visit.

    Columns, of the first visit unless they end in 82: age, sex, school (years), income (of the
    family, in thousands of dollars), marital, exercise, activity, cigarettes (a day), years_smoked,
    weight (kg), height (cm), cholesterol (mg in 100 ml), bronchitis, cough (chronic), hypertension
    (found by a doctor), quit (smoking, by the second), weight_82, pressure_82 (systolic, mm of
    mercury).
    Income, exercise and activity are ordered.

    Source: NHANES I Epidemiologic Follow-up Study, National Center for Health Statistics (Cox et
    al., 1997), a work of the government of the United States that may be used by all; prepared by
    Hernán and Robins, *Causal Inference: What If*, 2020, chapter 12; tools/smokers.py makes the
    table from their file.

    Examples
    --------
    >>> X, y = load_smokers(return_X_y=True)
    >>> y.value_counts().to_dict()
    {'alive': 1311, 'died': 318}
    >>> X.isna().sum()[lambda n_blanks: n_blanks > 0].to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'income': 62, 'marital': 1, 'cholesterol': 16, 'hypertension': 791, 'weight_82': 63,
     'pressure_82': 77}
    """
    columns = _read("smokers", keep_default_na=False, na_values="")
    for name in columns.select_dtypes(exclude="number"):
        levels = _SMOKERS_ORDERED.get(name)
        columns[name] = pd.Categorical(columns[name], levels, ordered=name in _SMOKERS_ORDERED)
    return _bunch(load_smokers, columns, return_X_y, as_frame)


# --- complete tables, rebuilt from a decision model ----------------------------------------------
#
# Both data sets hold every combination of their features, and the class of each follows from a
# hierarchy of small tables, in a file beside this module: experts summed up a few features in a
# concept, concepts in a larger concept, and so on up to the class. A table has one axis for each of
# its inputs; values of a feature count 0, 1, 2, ... in the order listed, the grades of a concept
# from 0, the best.


def load_nursery(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Rebuild the UCI nursery data: 12,960 cases, eight nominal features, five classes.

    How urgent is a child's application for a nursery school? (not_recom 4320, recommend 2,
    very_recom 328, priority 4266, spec_prior 4044.) Every combination of the eight features once,
    the last feature changing fastest. The class is computed from the decision model behind the
    file, so that nothing needs to be downloaded.

    Source: UCI Machine Learning Repository, Nursery; the model by M. Olave, V. Rajkovič and
    M. Bohanec, 1989, for the nursery schools of Ljubljana.

    Examples
    --------
    >>> nursery = load_nursery()
    >>> nursery.target.value_counts(sort=False).to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'not_recom': 4320, 'recommend': 2, 'very_recom': 328, 'priority': 4266, 'spec_prior': 4044}
    """
    return _bunch(load_nursery, _decided("nursery"), return_X_y, as_frame)


def load_car(*, return_X_y: bool = False, as_frame: bool = True) -> Loaded:
    """Rebuild the UCI car evaluation data: 1,728 cases, six nominal features, four classes.

    Is this car acceptable? (unacc 1210, acc 384, good 69, vgood 65.) Every combination of the six
    features once, the last feature changing fastest. The class follows from price (buying, maint)
    and tech (comfort, safety), where comfort sums up doors, persons and lug_boot. The tables have
    as many grades as the cases can tell apart: two pairs of buying and maint share a price if
    exchanging them changes the class of no car, and likewise for the others.

    Source: UCI Machine Learning Repository, Car Evaluation; the hierarchy by M. Bohanec and
    V. Rajkovič, 1988.

    Examples
    --------
    >>> load_car().target.value_counts(sort=False).to_dict()
    {'unacc': 1210, 'acc': 384, 'good': 69, 'vgood': 65}
    """
    return _bunch(load_car, _decided("car"), return_X_y, as_frame)


# --- drawn by a rule, with the best possible error ------------------------------------------------

# The segments of a display, from the top to the bottom and from the left to the right, and which
# of them make the digits 0 to 9.
_SEGMENTS = ["top", "upper_left", "upper_right", "middle", "lower_left", "lower_right", "bottom"]
_LIT = "1110111 0010010 1011101 1011011 0111010 1101011 1101111 1010010 1111111 1111011"
_DIGITS = np.array([list(map(int, lit)) for lit in _LIT.split()])


def make_led(
    n_samples: int = 100, *, noise: float = 0.1, random_state: RandomState = None
) -> tuple[pd.DataFrame, pd.Series]:
    """Draw digits on a faulty display of seven segments.

    Each digit from 0 to 9 is equally likely; then each segment is wrong with probability `noise`,
    on when it should be off or off when it should be on.

    Source: Breiman et al. (1984), section 2.6.1.

    Returns
    -------
    X : DataFrame [n_samples, 7] of 0 and 1, a column for each segment.
    y : Series [n_samples], the digit.

    Examples
    --------
    >>> X, y = make_led(3, noise=0, random_state=0)
    >>> X.assign(digit=y).to_string(index=False).splitlines()[1].split()
    ['1', '1', '0', '1', '0', '1', '1', '5']
    """
    rng = check_random_state(random_state)
    digit = rng.randint(10, size=n_samples)
    wrong = rng.uniform(size=(n_samples, 7)) < _probability(noise, "noise")
    X = pd.DataFrame(_DIGITS[digit] ^ wrong, columns=_SEGMENTS)
    return X, pd.Series(digit, name="digit")


def led_bayes_error(noise: float = 0.1) -> float:
    """Return the error of the best possible rule for `make_led`, summed over all 128 displays.

    ``1 - 1/10 sum_x max_k P(x | digit k)``: the best rule answers with the likeliest digit.

    Source: Breiman et al. (1984), section 2.6.1.

    Examples
    --------
    >>> round(led_bayes_error(), 4)
    0.26
    """
    displays = np.indices([2] * 7).reshape(7, -1).T
    n_wrong = (displays[:, None] != _DIGITS).sum(axis=-1)
    likelihood = _probability(noise, "noise") ** n_wrong * (1 - noise) ** (7 - n_wrong)
    return 1 - float(likelihood.max(axis=-1).sum()) / len(_DIGITS)


# Three triangular waves over the places 1 to 21, and the two that each class mixes.
_WAVES = np.maximum(6 - np.abs(np.arange(1, 22) - np.array([[11], [15], [7]])), 0)
_MIXED = np.array([[0, 1], [0, 2], [1, 2]])
_WAVE_PLANE = np.linalg.qr((_WAVES[1:] - _WAVES[0]).T)[0]  # two directions at right angles
_CORNERS = (_WAVES - _WAVES[0]) @ _WAVE_PLANE  # the three waves in that plane


def make_waveform(
    n_samples: int = 100, *, random_state: RandomState = None
) -> tuple[pd.DataFrame, pd.Series]:
    """Draw noisy waves of three classes: each mixes two of three triangles.

    ``x = u h + (1 - u) h' + noise``, where u is uniform between 0 and 1 and the noise at each of
    the 21 places is normal with variance 1. The classes are equally likely.

    Source: Breiman et al. (1984), section 2.6.2.

    Returns
    -------
    X : DataFrame [n_samples, 21], columns x1 to x21.
    y : Series [n_samples], the class 1, 2 or 3.

    Examples
    --------
    >>> X, y = make_waveform(300, random_state=0)
    >>> X.shape, sorted(set(y))
    ((300, 21), [1, 2, 3])
    """
    rng = check_random_state(random_state)
    kind = rng.randint(3, size=n_samples)
    share = rng.uniform(size=(n_samples, 1))
    first, second = _WAVES[_MIXED[kind].T]
    values = share * first + (1 - share) * second + rng.normal(size=(n_samples, 21))
    X = pd.DataFrame(values, columns=[f"x{place}" for place in range(1, 22)])
    return X, pd.Series(kind + 1, name="class")


def waveform_chances(X: ArrayLike) -> np.ndarray:
    """Return the probabilities of the classes of waves [n, 21], given the true rule: array [n, 3].

    Without noise the classes are the sides of a triangle whose corners are the three waves. Only
    the plane of that triangle matters: noise at right angles to it says nothing about the class.
    In the plane, the density at a distance r from a side of length l, at t along it, is

        f = exp(-r^2 / 2) / sqrt(2 pi) * (Phi(t) - Phi(t - l)) / l.

    Examples
    --------
    Two waves of class 1; even the best possible rule takes the first for class 3:

    >>> X, y = make_waveform(12, random_state=0)
    >>> waveform_chances(X[y == 1])[:2].round(2).tolist()
    [[0.39, 0.0, 0.61], [1.0, 0.0, 0.0]]
    """
    density = _wave_densities((np.asarray(X) - _WAVES[0]) @ _WAVE_PLANE)
    return density / density.sum(axis=-1, keepdims=True)


def waveform_bayes_error() -> float:
    """Return the error of the best possible rule for `make_waveform`, by integration.

    It is 1 minus the integral, over the plane of the waves, of the largest of the three densities
    of `waveform_chances`, divided by 3, on a grid of width 0.1.

    Examples
    --------
    Breiman et al. (1984) estimated 0.14, from a draw of 5,000 waves.

    >>> round(waveform_bayes_error(), 3)
    0.133
    """
    step = 0.1
    low, high = _CORNERS.min(axis=0) - 7, _CORNERS.max(axis=0) + 7  # all but 1e-11 of the noise
    grid = np.stack(np.meshgrid(*map(np.arange, low, high, [step] * 2)), axis=-1)
    return 1 - float(_wave_densities(grid).max(axis=-1).sum()) * step**2 / 3


def _wave_densities(places):
    """Return the density of each class at places in the plane of the waves, [..., 3]."""
    start, end = _CORNERS[_MIXED.T]
    length = np.linalg.norm(end - start, axis=1)
    x, y = ((end - start) / length[:, None]).T
    from_start = places[..., None, :] - start
    along = (from_start * np.stack([x, y], axis=-1)).sum(axis=-1)
    across = (from_start * np.stack([-y, x], axis=-1)).sum(axis=-1)
    side = (ndtr(along) - ndtr(along - length)) / length
    return np.exp(-(across**2) / 2) / np.sqrt(2 * np.pi) * side


def make_rare_disease(
    n_samples: int = 1000, *, prevalence: float = 0.02, random_state: RandomState = None
) -> tuple[pd.DataFrame, pd.Series]:
    """Draw patients, of whom few have a disease.

    Each is ill with probability `prevalence`. Given ill or well, the features are independent: a
    marker in the blood (normal, mean 40 and standard deviation 10 in the well, 60 and 12 in the
    ill), contact with somebody ill (none, casual or close: 70, 20 and 10% of the well; 30, 30 and
    40% of the ill), and age in years (20 to 79, no matter whether ill or well).

    Returns
    -------
    X : DataFrame [n_samples, 3]: marker (float), contact (nominal), age (int).
    y : Series [n_samples] of categories: well before ill.

    Examples
    --------
    >>> X, y = make_rare_disease(2000, random_state=0)
    >>> y.value_counts().to_dict()
    {'well': 1957, 'ill': 43}
    """
    rng = check_random_state(random_state)
    ill = rng.uniform(size=n_samples) < _probability(prevalence, "prevalence")
    marker = np.where(ill, rng.normal(60, 12, n_samples), rng.normal(40, 10, n_samples))
    limits = np.where(ill[:, None], [0.3, 0.6], [0.7, 0.9])
    contact = (rng.uniform(size=(n_samples, 1)) > limits).sum(axis=1)
    X = pd.DataFrame(
        {
            "marker": marker.round(1),
            "contact": pd.Categorical.from_codes(contact, ["none", "casual", "close"]),
            "age": rng.randint(20, 80, size=n_samples),
        }
    )
    y = pd.Categorical.from_codes(ill.astype(int), ["well", "ill"])
    return X, pd.Series(y, name="disease")


# The model of the travellers: the share of each type, and its chance to say yes to each question.
TRAVELLERS = {"planner": 0.4, "host": 0.3, "scout": 0.2, "drifter": 0.1}
TRAVELLERS_SAY_YES = {
    "ticket": (0.95, 0.70, 0.40, 0.05),
    "friends": (0.30, 0.95, 0.15, 0.40),
    "map": (0.95, 0.40, 0.90, 0.10),
    "early": (0.80, 0.30, 0.90, 0.15),
    "strangers": (0.20, 0.90, 0.40, 0.60),
    "detour": (0.05, 0.30, 0.85, 0.95),
}


def make_travellers(
    n_samples: int = 1000, *, random_state: RandomState = None
) -> tuple[pd.DataFrame, pd.Series]:
    """Draw answer sheets of a magazine's test: six questions, four types of travellers.

    A model of ours: 40% are planners, 30% hosts, 20% scouts and 10% drifters. Each type says
    yes to each question with a chance of its own, whatever it says to the others.

    Returns
    -------
    X : DataFrame [n_samples, 6] of "yes" and "no", a column for each question.
    y : Series [n_samples], the type.

    Examples
    --------
    >>> X, y = make_travellers(3, random_state=0)
    >>> y.tolist()
    ['host', 'scout', 'host']
    """
    rng = check_random_state(random_state)
    kind = rng.choice(len(TRAVELLERS), size=n_samples, p=list(TRAVELLERS.values()))
    chances = np.array(list(TRAVELLERS_SAY_YES.values())).T[kind]
    answers = np.where(rng.uniform(size=chances.shape) < chances, "yes", "no")
    X = pd.DataFrame(answers, columns=list(TRAVELLERS_SAY_YES)).astype(
        pd.CategoricalDtype(["yes", "no"])
    )
    types = pd.Categorical.from_codes(kind, list(TRAVELLERS))
    return X, pd.Series(types, name="type")


def careless(y: pd.Series, share: float) -> pd.Series:
    """Replace the labels of about a share of the cases by labels drawn at random.

    Examples
    --------
    >>> careless(pd.Series(["yes"] * 4 + ["no"], dtype="category"), share=0.5).tolist()
    ['yes', 'yes', 'yes', 'no', 'no']
    """
    rng = np.random.default_rng(7)
    replaced = rng.random(len(y)) < share
    drawn = rng.choice(y.cat.categories, size=len(y))
    return y.mask(replaced, pd.Series(drawn, index=y.index).astype(y.dtype))


def _probability(value, name):
    if not 0 <= value <= 1:
        raise ValueError(f"{name} must be a probability between 0 and 1, but it is {value}")
    return value


# --- shared by the loaders -----------------------------------------------------------------------


def _read(name, **options):
    """Read a file of the package, which is a zip where a page runs itself."""
    with files("dtreebook").joinpath(f"{name}.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file, **options)


def _nominal(name):
    """Read a table of words; categories stand in the order of their first appearance."""
    table = _read(name, dtype=str)
    return {name: pd.Categorical(words, words.unique()) for name, words in table.items()}


def _decided(name):
    """Return every combination of some features, the last changing fastest, and its class."""
    model = json.loads(files("dtreebook").joinpath(f"{name}.json").read_text("utf-8"))
    features = model["features"]
    every = np.indices([len(values) for values in features.values()]).reshape(len(features), -1)
    grades = dict(zip(features, every, strict=True))
    columns = {name: pd.Categorical.from_codes(grades[name], features[name]) for name in features}
    for concept, decided in model["concepts"].items():
        grades[concept] = np.array(decided["table"])[tuple(grades[of] for of in decided["of"])]
    return columns | {"class": pd.Categorical(grades["class"], model["classes"])}


def _bunch(loader, columns, return_X_y, as_frame):
    """Pack columns, the last of which is the target; its loader's docstring describes the table."""
    packed = bunch(columns, getdoc(loader))
    if not as_frame:
        packed.frame = None
        packed.data = packed.data.to_numpy(dtype=object)
        packed.target = packed.target.to_numpy(dtype=object)
    return (packed.data, packed.target) if return_X_y else packed

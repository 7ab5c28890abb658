"""The data sets of the book: small tables written down, larger ones rebuilt from their rule.

Nothing is downloaded. Every loader follows scikit-learn's convention and returns fresh objects, so
that a reader may change them freely. Nominal columns are pandas Categoricals whose categories stand
in the order of the source; that order decides the order of branches and how ties between classes
are broken.

>>> X, y = load_loan(return_X_y=True)
>>> X.shape, y.value_counts().to_dict()
((15, 4), {'yes': 9, 'no': 6})
"""

from inspect import cleandoc

import numpy as np
import pandas as pd
from sklearn.utils import Bunch

__all__ = [
    "load_abstract15",
    "load_car",
    "load_golf",
    "load_loan",
    "load_nursery",
    "load_tennis",
]


# --- small tables, written down ------------------------------------------------------------------

_LOAN = """
age     work  house  credit     approved
young   no    no     fair       no
young   no    no     good       no
young   yes   no     good       yes
young   yes   yes    fair       yes
young   no    no     fair       no
middle  no    no     fair       no
middle  no    no     good       no
middle  yes   yes    good       yes
middle  no    yes    excellent  yes
middle  no    yes    excellent  yes
old     no    yes    excellent  yes
old     no    yes    good       yes
old     yes   no     good       yes
old     yes   no     excellent  yes
old     no    no     fair       no
"""

_TENNIS = """
outlook   temperature  humidity  windy  play
sunny     hot          high      false  no
sunny     hot          high      true   no
overcast  hot          high      false  yes
rainy     mild         high      false  yes
rainy     cool         normal    false  yes
rainy     cool         normal    true   no
overcast  cool         normal    true   yes
sunny     mild         high      false  no
sunny     cool         normal    false  yes
rainy     mild         normal    false  yes
sunny     mild         normal    true   yes
overcast  mild         high      true   yes
overcast  hot          normal    false  yes
rainy     mild         high      true   no
"""

_TEMPERATURE = [85, 80, 83, 70, 68, 65, 64, 72, 69, 75, 75, 72, 81, 71]
_HUMIDITY = [85, 90, 78, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 80]


def load_loan(*, return_X_y=False, as_frame=True):
    """Load the loan table: 15 applicants, four nominal features, approved or not.

    Categories, those of `approved` included, stand in the order in which the table first names
    them: young before middle before old, no before yes, fair before good before excellent.

    Parameters
    ----------
    return_X_y : bool
        Return `(data, target)` in place of the Bunch.
    as_frame : bool
        Give a DataFrame and a Series (default) or two NumPy arrays of objects.

    Returns
    -------
    Bunch with data (15 x 4), target (15), frame, feature_names, target_names, DESCR.

    Source: Li Hang, *Statistical Learning Methods*, 2nd edition, 2019, table 5.1.

    Examples
    --------
    >>> loan = load_loan()
    >>> loan.feature_names, loan.target_names
    (['age', 'work', 'house', 'credit'], ['no', 'yes'])
    >>> pd.crosstab(loan.data["house"], loan.target).to_numpy().tolist()  # no house, house
    [[6, 3], [0, 6]]
    """
    columns = _nominal(_LOAN)
    description = """\
    Loan applications: 15 cases, 4 nominal features, 2 classes (no 6, yes 9).

    Should the bank lend? The applicant's age, whether he or she has work and owns a house, and the
    credit record. Two questions, house and work, settle all fifteen cases.

    Source: Li Hang, Statistical Learning Methods, 2nd edition, 2019, table 5.1. The fifteen rows
    are facts, written down here in English words.
    """
    return _bunch(columns, description, return_X_y, as_frame)


def load_abstract15(*, return_X_y=False, as_frame=True):
    """Load the abstract example: 15 cases in three groups of five, classes 0 and 1.

    The groups A1, A2, A3 hold two, three and four cases of class 1. Groups of five with nine 1s and
    six 0s can leave 0.888 bits in no other way; they are the ages and the answers of the loan table
    under other names. (The text of the source swaps the two classes, see `documented.errata`.)

    Parameters and what is returned: as for `load_loan`; data has shape 15 x 1.

    Source: course notes on ID3, the worked example before the algorithm.

    Examples
    --------
    >>> A, D = load_abstract15(return_X_y=True)
    >>> pd.crosstab(A["A"], D).to_numpy().tolist()
    [[3, 2], [2, 3], [1, 4]]
    """
    loan = _nominal(_LOAN)
    columns = {
        "A": loan["age"].rename_categories(["A1", "A2", "A3"]),
        "D": loan["approved"].rename_categories(["0", "1"]),
    }
    description = """\
    The abstract example: 15 cases, 1 nominal feature, 2 classes (0 six times, 1 nine times).

    Three groups of five cases, with two, three and four cases of class 1. Column for column it is
    age and approval in the loan table.

    Source: course notes on ID3. Rebuilt here from the loan table; no file is copied.
    """
    return _bunch(columns, description, return_X_y, as_frame)


def load_tennis(*, return_X_y=False, as_frame=True):
    """Load play tennis: 14 mornings, four nominal features, play or not.

    Categories, those of `play` included, stand in the order in which the table first names them:
    sunny, overcast, rainy; hot, mild, cool; high, normal; false, true; no, yes.

    Parameters and what is returned: as for `load_loan`; data has shape 14 x 4.

    Source: J. R. Quinlan, Induction of Decision Trees, *Machine Learning* 1, 1986, table 1.

    Examples
    --------
    >>> tennis = load_tennis()
    >>> pd.crosstab(tennis.data["outlook"], tennis.target).to_numpy().tolist()
    [[3, 2], [0, 4], [2, 3]]
    """
    columns = _nominal(_TENNIS)
    description = """\
    Play tennis: 14 cases, 4 nominal features, 2 classes (no 5, yes 9).

    Is this a morning for a game on the court? Outlook, temperature, humidity and wind.

    Source: J. R. Quinlan, Induction of Decision Trees, Machine Learning 1, 1986, table 1, where the
    classes are called N and P. The fourteen rows are facts, written down here.
    """
    return _bunch(columns, description, return_X_y, as_frame)


def load_golf(*, return_X_y=False, as_frame=True):
    """Load golf: the mornings of play tennis with temperature and humidity as numbers.

    Words and orders are those of C4.5's own file: outlook sunny, overcast, rain; windy true, false;
    Play before Don't Play.

    Parameters and what is returned: as for `load_loan`; data has shape 14 x 4, temperature (degrees
    Fahrenheit) and humidity (per cent) are int64. As arrays, data is of dtype object.

    Source: J. R. Quinlan, *C4.5: Programs for Machine Learning*, 1993, the golf example.

    Examples
    --------
    >>> golf = load_golf()
    >>> golf.data["humidity"].tolist()[:5], golf.target.tolist()[:3]
    ([85, 90, 78, 96, 80], ["Don't Play", "Don't Play", 'Play'])
    """
    tennis = _nominal(_TENNIS)
    outlook = tennis["outlook"].rename_categories({"rainy": "rain"})
    play = tennis["play"].rename_categories({"no": "Don't Play", "yes": "Play"})
    columns = {
        "outlook": outlook,
        "temperature": np.array(_TEMPERATURE, dtype=np.int64),
        "humidity": np.array(_HUMIDITY, dtype=np.int64),
        "windy": tennis["windy"].reorder_categories(["true", "false"]),
        "play": play.reorder_categories(["Play", "Don't Play"]),
    }
    description = """\
    Golf: 14 cases, 2 nominal and 2 numeric features, 2 classes (Play 9, Don't Play 5).

    Play tennis with temperature in degrees Fahrenheit and humidity in per cent.

    Source: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993. The fourteen rows are facts,
    written down here.
    """
    return _bunch(columns, description, return_X_y, as_frame)


# --- complete tables, rebuilt from a decision model ----------------------------------------------
#
# Both data sets hold every combination of their features, and the class of each follows from a
# hierarchy of small tables: experts summed up a few features in a concept, concepts in a larger
# concept, and so on up to the class. A table below has one axis for each of its inputs, in the
# order of the names in the comment; values of a feature count 0, 1, 2, ... in the order listed, and
# the grades of a concept count from 0, the best.

_NURSERY = {
    "parents": ["usual", "pretentious", "great_pret"],
    "has_nurs": ["proper", "less_proper", "improper", "critical", "very_crit"],
    "form": ["complete", "completed", "incomplete", "foster"],
    "children": ["1", "2", "3", "more"],
    "housing": ["convenient", "less_conv", "critical"],
    "finance": ["convenient", "inconv"],
    "social": ["nonprob", "slightly_prob", "problematic"],
    "health": ["recommended", "priority", "not_recom"],
}
_NURSERY_CLASSES = ["not_recom", "recommend", "very_recom", "priority", "spec_prior"]

# employ (0..3): parents x has_nurs
_EMPLOY = np.array([[0, 1, 1, 2, 3], [1, 1, 2, 3, 3], [2, 2, 3, 3, 3]])
# structure (0..2): form x children
_STRUCTURE = np.array([[0, 1, 2, 2], [1, 1, 2, 2], [1, 2, 2, 2], [2, 2, 2, 2]])
# housing_finance (0..2): housing x finance
_HOUSING_FINANCE = np.array([[0, 1], [1, 1], [2, 2]])
# struct_finan (0..2): structure x housing_finance
_STRUCT_FINAN = np.array([[0, 1, 1], [1, 1, 2], [1, 2, 2]])
# soc_health (0..2): social x health
_SOC_HEALTH = np.array([[0, 1, 2], [0, 1, 2], [1, 1, 2]])
# class: soc_health x employ x struct_finan
_ADMISSION = np.array(
    [
        [
            ["recommend", "very_recom", "priority"],
            ["very_recom", "very_recom", "priority"],
            ["priority", "priority", "priority"],
            ["priority", "priority", "spec_prior"],
        ],
        [
            ["priority", "priority", "priority"],
            ["priority", "priority", "priority"],
            ["priority", "priority", "spec_prior"],
            ["priority", "spec_prior", "spec_prior"],
        ],
        [["not_recom"] * 3] * 4,
    ]
)


def load_nursery(*, return_X_y=False, as_frame=True):
    """Rebuild the UCI nursery data: 12,960 applications, eight nominal features, five classes.

    Every combination of the eight features once, the last feature changing fastest. The class is
    computed from the decision model behind the file, so that nothing needs to be downloaded.

    Parameters and what is returned: as for `load_loan`; data has shape 12960 x 8.

    Source: UCI Machine Learning Repository, Nursery; the model by M. Olave, V. Rajkovič and
    M. Bohanec, 1989, for the nursery schools of Ljubljana.

    Examples
    --------
    >>> nursery = load_nursery()
    >>> nursery.target.value_counts(sort=False).to_dict()  # doctest: +NORMALIZE_WHITESPACE
    {'not_recom': 4320, 'recommend': 2, 'very_recom': 328, 'priority': 4266, 'spec_prior': 4044}
    """
    codes = _every_combination(_NURSERY)
    parents, has_nurs, form, children, housing, finance, social, health = codes
    employ = _EMPLOY[parents, has_nurs]
    structure = _STRUCTURE[form, children]
    housing_finance = _HOUSING_FINANCE[housing, finance]
    struct_finan = _STRUCT_FINAN[structure, housing_finance]
    soc_health = _SOC_HEALTH[social, health]
    outcome = _codes(_ADMISSION, _NURSERY_CLASSES)[soc_health, employ, struct_finan]

    columns = _from_codes(_NURSERY, codes) | _from_codes({"class": _NURSERY_CLASSES}, [outcome])
    description = """\
    Nursery: 12,960 cases, 8 nominal features, 5 classes (not_recom 4320, recommend 2,
    very_recom 328, priority 4266, spec_prior 4044).

    How urgent is a child's application for a nursery school? The parents' occupation, the nursery
    so far, the form of the family, the number of children, housing, finance, social conditions and
    health. Every combination occurs once.

    Source: UCI Machine Learning Repository, Nursery; the decision model by M. Olave, V. Rajkovič
    and M. Bohanec, 1989. Rebuilt here from that model; no file is copied.
    """
    return _bunch(columns, description, return_X_y, as_frame)


_CAR = {
    "buying": ["vhigh", "high", "med", "low"],
    "maint": ["vhigh", "high", "med", "low"],
    "doors": ["2", "3", "4", "5more"],
    "persons": ["2", "4", "more"],
    "lug_boot": ["small", "med", "big"],
    "safety": ["low", "med", "high"],
}
_CAR_CLASSES = ["unacc", "acc", "good", "vgood"]

# price (0..3): buying x maint
_PRICE = np.array([[3, 3, 2, 2], [3, 2, 2, 2], [2, 2, 1, 0], [2, 1, 0, 0]])
# comfort (0..2): doors x persons x lug_boot
_COMFORT = np.array(
    [
        [[2, 2, 2], [1, 1, 0], [2, 1, 0]],
        [[2, 2, 2], [1, 1, 0], [1, 0, 0]],
        [[2, 2, 2], [1, 0, 0], [1, 0, 0]],
        [[2, 2, 2], [1, 0, 0], [1, 0, 0]],
    ]
)
# tech (0..3): comfort x safety
_TECH = np.array([[3, 1, 0], [3, 2, 1], [3, 3, 3]])
# class: price x tech
_ACCEPTANCE = np.array(
    [
        ["vgood", "good", "acc", "unacc"],
        ["vgood", "acc", "acc", "unacc"],
        ["acc", "acc", "unacc", "unacc"],
        ["unacc", "unacc", "unacc", "unacc"],
    ]
)


def load_car(*, return_X_y=False, as_frame=True):
    """Rebuild the UCI car evaluation data: 1,728 cars, six nominal features, four classes.

    Every combination of the six features once, the last feature changing fastest. The class follows
    from price (buying, maint) and tech (comfort, safety), where comfort sums up doors, persons and
    lug_boot. The tables have as many grades as the cases can tell apart: two pairs of buying and
    maint share a price if exchanging them changes the class of no car, and likewise for the others.

    Parameters and what is returned: as for `load_loan`; data has shape 1728 x 6.

    Source: UCI Machine Learning Repository, Car Evaluation; the hierarchy by M. Bohanec and
    V. Rajkovič, 1988.

    Examples
    --------
    >>> load_car().target.value_counts(sort=False).to_dict()
    {'unacc': 1210, 'acc': 384, 'good': 69, 'vgood': 65}
    """
    codes = _every_combination(_CAR)
    buying, maint, doors, persons, lug_boot, safety = codes
    price = _PRICE[buying, maint]
    comfort = _COMFORT[doors, persons, lug_boot]
    tech = _TECH[comfort, safety]
    outcome = _codes(_ACCEPTANCE, _CAR_CLASSES)[price, tech]

    columns = _from_codes(_CAR, codes) | _from_codes({"class": _CAR_CLASSES}, [outcome])
    description = """\
    Car evaluation: 1,728 cases, 6 nominal features, 4 classes (unacc 1210, acc 384, good 69,
    vgood 65).

    Is this car acceptable? The price of buying and of keeping it, the number of doors, the persons
    it carries, the size of its boot and its safety. Every combination occurs once.

    Source: UCI Machine Learning Repository, Car Evaluation; the hierarchical decision model by
    M. Bohanec and V. Rajkovič, 1988. Rebuilt here from a model of that form, whose tables follow
    from the cases; no file is copied.
    """
    return _bunch(columns, description, return_X_y, as_frame)


# --- shared by the loaders -----------------------------------------------------------------------


def _nominal(text):
    """Read a table with a heading; categories stand in the order of their first appearance."""
    names, *rows = [line.split() for line in text.strip().splitlines()]
    columns = zip(*rows, strict=True)
    return {
        name: pd.Categorical(column, categories=list(dict.fromkeys(column)))
        for name, column in zip(names, columns, strict=True)
    }


def _every_combination(levels):
    """Number every combination of levels: one row of codes a feature, the last changing fastest."""
    shape = [len(values) for values in levels.values()]
    return np.indices(shape).reshape(len(shape), -1)


def _codes(words, categories):
    """Replace the words of a table by their places in `categories`."""
    return pd.Index(categories).get_indexer(words.ravel()).reshape(words.shape)


def _from_codes(levels, codes):
    return {
        name: pd.Categorical.from_codes(column, categories=values)
        for (name, values), column in zip(levels.items(), codes, strict=True)
    }


def _bunch(columns, description, return_X_y, as_frame):
    """Pack columns, the last of which is the target, in scikit-learn's convention."""
    frame = pd.DataFrame(columns)
    *feature_names, target_name = columns
    target_names = list(frame[target_name].cat.categories)
    data, target = frame[feature_names], frame[target_name]
    if not as_frame:
        frame, data, target = None, data.to_numpy(dtype=object), target.to_numpy(dtype=object)
    if return_X_y:
        return data, target
    return Bunch(
        data=data,
        target=target,
        frame=frame,
        feature_names=feature_names,
        target_names=target_names,
        DESCR=cleandoc(description),
    )

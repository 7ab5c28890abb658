"""Bad input: each is refused, or warned about, in words that name the place and what to do."""

from datetime import date

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from dtreebook import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.data.reading import read_training
from dtreebook.datasets import load_loan

X_LOAN, Y_LOAN = load_loan(return_X_y=True)
TWO = pd.DataFrame({"house": ["no", "yes"]})


def fit(X, y, **more):
    return ID3Classifier().fit(X, y, **more)


@pytest.fixture
def loan():
    return fit(X_LOAN, Y_LOAN)


def frame(**columns):
    return pd.DataFrame({name: pd.Series(column) for name, column in columns.items()})


def objects(*cells):
    return pd.Series([*cells], dtype=object)


# X, and what the message says; y is [0, 1]. The classifier and the reader below it say the same.
INF, TWICE = np.inf, pd.DataFrame([["a", "b"], ["c", "d"]], columns=["age", "age"])
DAYS = pd.to_datetime(["2020-01-01", "2020-01-02"])
BAD_X = {
    "one dimension": (["a", "b"], "two dimensions, .* has 1; put a single column in"),
    "records": ([{"a": 1}, {"a": 2}], "two dimensions, .* and records into a DataFrame"),
    "rows of two lengths": ([["a", "b"], ["c"]], r"rows of X differ in length: \[1, 2\]"),
    "empty rows": ([[], []], "X is empty: give it at least one row and one column"),
    "one name": (TWICE, "two columns are called 'age': give each column a name of its own"),
    "infinite": (frame(a=[1, INF]), "'a' is infinite in row 1: use a finite number, or"),
    "infinite beside text": (frame(a=["x", "y"], b=[1, INF]), "column 'b' is infinite in row 1"),
    "infinite in an array": (np.array([[1, 2], [3, INF]]), "'x1' is infinite in row 1"),
    "infinite in a list": ([["a", 1.0], ["b", INF]], "'x1' is infinite in row 1"),
    "a list in a cell": (frame(a=objects("x", [1])), r"'a' holds \[1\] in row 1, which cannot be"),
    "a set in a list": ([["x", {1}], ["y", {2}]], r"column 'x1' holds \{1\} in row 0"),
    "dates": (frame(a=DAYS, b=["x", "y"]), "'a' holds datetime64.*, which is neither a number nor"),
    "dates as objects": (frame(a=objects(date(2020, 1, 1), None)), "'a' holds date, .* its year"),
    "a giant": (frame(a=objects(1, 10**400)), "'a' holds a number too large for a float"),
    "a giant in a list": ([["x", 1], ["y", 10**400]], "'x1' holds a number too large for a float"),
    "complex numbers": (frame(a=[1j, 2], b=["x", "y"]), "column 'a' holds complex128"),
}
# y of two rows, and what the message says.
MISSING = "y has no class in row 1"
BAD_Y = {
    "NaN beside text": (["no", np.nan], MISSING + ": give one, or leave the row"),
    "NA beside text": ([pd.NA, "no"], "y has no class in row 0"),
    "NaN beside numbers": ([np.nan, 1], "y has no class in row 0"),
    "None in objects": (np.array(["no", None], dtype=object), MISSING),
    "NaN in a Series": (pd.Series(["no", None]), MISSING),
    "NA in nullable numbers": (pd.array([1, None], dtype="Int64"), MISSING),
    "NaN in a Categorical": (pd.Categorical(["no", None]), MISSING),
    "NaT": (pd.to_datetime(pd.Series(["2020-01-01", None])), MISSING),
    "text and numbers": (["no", 1], "y mixes classes of several types.* a pandas Categorical"),
    "three for two rows": ([0, 1, 1], "X has 2 rows but y has 3: give each a"),
}
REFUSED = {
    "no rows, no columns": (pd.DataFrame(), [], "X is empty: 0 rows, 0 columns"),
    "no rows": (X_LOAN[:0], Y_LOAN[:0], "X is empty: 0 rows, 4 columns"),
    "no columns": (X_LOAN[[]], Y_LOAN, "X is empty: 15 rows, 0 columns"),
    "an empty list": ([], [], "X is empty: give it at least one row and one column"),
    "more rows than classes": (X_LOAN, Y_LOAN[:-1], "X has 15 rows but y has 14"),
    **{name: (X, [0, 1], message) for name, (X, message) in BAD_X.items()},
    **{name: (TWO, y, message) for name, (y, message) in BAD_Y.items()},
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("learn", [fit, read_training], ids=["fit", "read_training"])
@pytest.mark.parametrize(("X", "y", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_learnt_from_is_refused(learn, X, y, message):
    with pytest.raises(ValueError, match=message):
        learn(X, y)


def test_weights_too_large_for_large_numbers_are_refused():
    X, y = [[1.0], [2.0], [3.0]], [1e20, 2e20, -1e20]
    assert CARTRegressor().fit(X, y, [1e120] * 3).tree_.n_leaves == 3
    with pytest.raises(ValueError, match="the sum of sample_weight is too large"):
        CARTRegressor().fit(X, y, [1e140] * 3)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1], "sample_weight must be finite and not negative, but row 1 has -1.0"),
        ([np.nan, 1], "but row 0 has nan"),
        ([1, None], "but row 1 has nan"),
        ([1, np.inf], "but row 1 has inf"),
        ([0, 0], "every sample_weight is zero: no case is left to learn from"),
        ([1e308, 1e308], "the sum of sample_weight is too large: divide all of them by"),
        ([1, 1, 1], r"sample_weight has shape \(3,\), but there are 2 rows in X"),
        (2, r"sample_weight has shape \(\), but there are 2 rows in X"),
        ([[1, 1]], r"sample_weight has shape \(1, 2\)"),
        ([1, 10**400], "sample_weight must hold a number for each row: .* too large"),
        (["much", "little"], "sample_weight must hold a number for each row: .*'much'"),
        (np.array([1, 2], "m8[s]"), "sample_weight must hold a number .*: it holds timedelta64"),
        (pd.to_datetime(["2020-01-01"] * 2), "sample_weight must hold .*: it holds datetime64"),
    ],
)
@pytest.mark.parametrize("learn", [fit, read_training], ids=["fit", "read_training"])
def test_weights_that_weigh_nothing_are_refused(learn, weight, message):
    with pytest.raises(ValueError, match=message):
        learn(TWO, [0, 1], sample_weight=weight)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ([1, "1", None], "'?1'? and '?1'?"),
        ([True, "True", "x"], "'?True'? and '?True'?"),
        (pd.Categorical([1, "1", 2], [2, "1", 1], ordered=True), "'1' and 1"),
    ],
)
def test_values_that_a_tree_would_print_alike_are_refused(column, values):
    X = pd.DataFrame({"a": pd.Series(column, dtype=getattr(column, "dtype", object))})
    with pytest.raises(ValueError, match=f"column 'a' has the values {values}, which .* alike"):
        CARTClassifier().fit(X, [0, 1, 1])


FLOAT, INT = "must be an instance of float", "must be an instance of int"
BOOL = "must be an instance of .*bool.*, not "
SWITCHES = "subtree_raising", "group_values", "average_gain_guard", "mdl_penalty", "collapse"
ANY = [
    ("max_depth", -1, "== -1, must be >= 0"),
    ("max_depth", 1.5, INT + ", not float"),
    ("max_features", 0, "== 0, must be >= 1"),
    ("max_features", 0.0, "is 0.0: give a share above 0, or a whole number"),
    ("max_features", 1.5, "== 1.5, must be <= 1"),
    ("max_features", "auto", "must be 'sqrt' or 'log2', not 'auto'"),
    ("max_features", [1], FLOAT),
]
OF_CART = [
    ("min_samples_split", 1, "== 1, must be >= 2"),
    ("min_samples_leaf", 0, "== 0, must be >= 1"),
    ("min_samples_leaf", 0.1, INT),
    ("max_leaf_nodes", 1, "== 1, must be >= 2"),
    ("min_weight_fraction_leaf", 0.6, "== 0.6, must be <= 0.5"),
    ("min_weight_fraction_leaf", np.nan, "is nan: give a finite number"),
    ("min_impurity_decrease", -1, "== -1, must be >= 0"),
    ("min_impurity_decrease", np.nan, "is nan: give a fin"),
    ("ccp_alpha", -0.1, "== -0.1, must be >= 0"),
    ("ccp_alpha", np.inf, "is inf: give a finite number"),
    ("max_surrogates", -1, "== -1, must be >= 0"),
    ("missing", "mean", "must be 'majority' or 'surrogates' or 'stop'"),
    ("agreement", None, "must be 'primary' or 'both', not None"),
    ("monotonic_cst", [1], r"has shape \(1,\): give a number for each of \['age', "),
    ("monotonic_cst", [2, 0, 0, 0], "of 'age' is 2: give 1 where the prediction may only rise"),
    ("monotonic_cst", {"z": 1}, r"names \['z'\], but there are \['age', 'work'"),
    ("monotonic_cst", {"house": 1}, "of 'house' must be 0, for its values have no order"),
]
PARAMETERS = {
    ID3Classifier: [
        ("min_gain", -0.1, "== -0.1, must be >= 0"),
        ("min_gain", np.nan, "is nan: give a finite number"),
        ("min_gain", None, FLOAT),
        ("class_weight", {"no": 0}, "of 'no' is 0.0: give a number above 0, or leave"),
        ("class_weight", {"yes": np.nan}, "of 'yes' is nan"),
        ("class_weight", "even", "must be 'balanced', not 'even'"),
        ("class_weight", [1, 2], r"must be a dict, 'balanced' or None, not \[1, 2\]"),
        ("cost", {"hose": 3}, r"names \['hose'\], but there are \['age', 'work', "),
        ("cost", [1, 2], r"has shape \(2,\): give a number for each of \['age', "),
        ("cost", {"work": 0}, "of 'work' is 0.0: give a number from 1e-15"),
        ("cost", {"work": np.nan}, "of 'work' is nan"),
        ("cost", {"work": 1e308}, r"of 'work' is 1e\+308: give a number from 1e-15 to 1e\+15"),
        ("cost", {"work": 5e-324}, "of 'work' is 5e-324: give a number from 1e-15"),
        ("pricing", "ucb", "must be 'eg2' or 'cs_id3' or 'idx', not 'ucb'"),
    ],
    C45Classifier: [
        ("confidence", 0, "== 0, must be > 0"),
        ("confidence", 25, "== 25, must be <= 1"),
        ("confidence", np.nan, "must be above 0 and at most 1.* nan"),
        ("min_weight", -1, "== -1, must be >= 0"),
        ("min_weight", np.nan, "is nan: give a finite number"),
        ("min_weight", None, FLOAT),
        ("criterion", "gini", "must be 'gain' or 'gain_ratio', not 'gini'"),
        ("criterion", None, "must be 'gain' or 'gain_ratio', not None"),
        *((switch, value, BOOL) for switch in SWITCHES for value in (0, None, "no")),
    ],
    CARTClassifier: [
        *OF_CART,
        ("criterion", "gain", "must be 'gini' or 'entropy', not 'gain'"),
        ("loss", [[0, 1]], r"has shape \(1, 2\), but there are 2 classes: give a row"),
        ("loss", [[0, -1], [1, 0]], "is -1.0 for class 'no' taken for 'yes': give a fini"),
        ("loss", [[0, 1], [np.nan, 0]], "is nan for class 'yes' taken for 'no': give a"),
        ("loss", [[0, np.inf], [1, 0]], "is inf for class .*: give a finite number"),
        ("loss", [[0, 1], [1, 2]], "is 2.0 for class 'yes' taken for 'yes': .* 0 on the diagonal"),
        ("loss", [[0, 0], [1, 0]], "is 0 for class 'no' whatever .*: give an error a c"),
        ("loss", [[0, 1], [1]], "must hold numbers, in rows of one length: "),
        ("loss", "dear", "must hold numbers, .*'dear'"),
        ("loss", pd.DataFrame([[0, 3], [1, 0]]), r"names the classes \[0, 1\] in rows"),
        ("priors", [0.5, 0.6], r"must add up to 1, but \[0.5, 0.6\] make 1.1"),
        ("priors", [0.2, 0.3, 0.5], r"has shape \(3,\): give a number for each of \['no'"),
        ("priors", [1.5, -0.5], "of 'yes' is -0.5: give a number above 0, or"),
        ("priors", [1, np.nan], "of 'yes' is nan: give a number above 0"),
        ("priors", {"no": 1}, r"names \['no'\], but there are \['no', 'yes'\]"),
        ("priors", pd.Series([0.7, 0.3]), r"names \[0, 1\], but there are"),
        ("priors", ["much", "little"], "must hold numbers, .*'much'"),
    ],
    CARTRegressor: OF_CART,
}
ROWS = [(kind, *row) for kind, rows in PARAMETERS.items() for row in [*ANY, *rows]]


@pytest.mark.parametrize(("kind", "name", "value", "words"), ROWS)
def test_parameters_out_of_range_are_refused_at_fit(kind, name, value, words):
    error = TypeError if words.startswith((FLOAT, INT, BOOL, "must be a dict")) else ValueError
    y = np.arange(15.0) if kind is CARTRegressor else Y_LOAN
    with pytest.raises(error, match=f"{name} {words}"):
        kind(**{name: value}).fit(X_LOAN, y)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1e300, 0], "y is 1e.300 in row 0, too large to be squared: give all of y in a larger"),
        ([0, -1.7e308], "y is -1.7e.308 in row 1"),
        ([1, 10**400], "y must be numbers for a regression tree: .* too large"),
        ([0, np.nan], "y is nan in row 1: give a finite number, or"),
        ([-np.inf, 0], "y is -inf in row 0: give a finite number"),
        (["no", "yes"], "y must be numbers for a regression tree: .*'"),
        ([1], "X has 2 rows but y has 1: give each a number"),
        (None, "requires y to be passed, but the target y is None"),
        (pd.date_range("2020", periods=2), "must be numbers for a regression tree: .*datetime64"),
        (pd.Series(pd.to_timedelta([1, 2])), "must be numbers for a regression tree: .*timedelta"),
    ],
)
def test_numbers_that_cannot_be_learnt_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        CARTRegressor().fit([[1], [2]], y)


# --- at prediction -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (X_LOAN.assign(income="high"), r"unseen at fit time:\s+- income"),
        (X_LOAN.drop(columns="age"), r"seen at fit time, yet now missing:\s+- age"),
        (X_LOAN.rename(columns={"age": "Age"}), r"unseen at fit time:\s+- Age\s.*missing:\s+- age"),
        (pd.concat([X_LOAN, X_LOAN[["age"]]], axis=1), "two columns are called 'age'"),
        (X_LOAN[:0], "X is empty: 0 rows, 4 columns"),
        (X_LOAN.assign(house=[["yes"]] * 15), r"column 'house' holds \['yes'\] in row 0"),
        (X_LOAN.iloc[0], "Expected a 2-dimensional container|2D array"),
        (list(X_LOAN.iloc[0]), "two dimensions, .* has 1"),
        ([["young", "no", "no"]], "X has 3 features, but ID3Classifier is expecting 4"),
    ],
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply", "explain"])
def test_columns_that_do_not_fit_the_tree_are_refused(loan, X, message, method):
    with pytest.raises(ValueError, match=f"(?s){message}"):
        getattr(loan, method)(X)


@pytest.mark.parametrize("columns", [[7, 8], [("a", 1), ("a", 2)]])
def test_columns_whose_names_are_no_text_are_found_by_name(columns):
    X = pd.DataFrame([[1, 5], [2, 4], [3, 6]], columns=columns)
    cart = CARTClassifier().fit(X, [0, 0, 1])
    assert cart.predict(X[columns[::-1]]).tolist() == cart.predict(X).tolist() == [0, 0, 1]
    assert cart.predict(X.to_numpy()).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("grown_on", "column", "message"),
    [
        (["no", "yes"], [1, 2], "it holds 1, the tree knows 'no', 'yes'. All are taken as unknown"),
        (["1", "2"], [1, 2], "it holds 1, the tree knows '1', '2'"),
        ([False, True], [0, 1], "it holds 0, the tree knows False, True"),
        (pd.cut([1, 4], 2), pd.cut([1, 5], 2), "it holds Interval.* the tree knows Interval"),
        (pd.cut([1, 4], 2), ["(0.9, 1.5]", ""], "it holds '.0.9, 1.5.', the tree knows Interval"),
    ],
)
def test_a_column_that_can_have_no_known_value_gives_a_warning(grown_on, column, message):
    cart = CARTClassifier().fit(pd.DataFrame({"a": grown_on}), [0, 1])
    with pytest.warns(UserWarning, match=f"column 'a' has no value that .*{message}"):
        cart.predict(pd.DataFrame({"a": column}))


@pytest.mark.filterwarnings("error")
def test_a_new_value_of_the_same_sort_is_no_surprise():
    cart = CARTClassifier().fit(TWO, [0, 1])
    assert cart.predict(pd.DataFrame({"house": ["yes", "rented", None]})).tolist() == [1, 0, 0]
    assert cart.predict(pd.DataFrame({"house": ["rented"]})).tolist() == [0]
    assert cart.predict(pd.DataFrame({"house": objects(None)})).tolist() == [0]


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (pd.date_range("2020", periods=2), "column 'a' holds .*64.*, which is neither a number"),
        (pd.to_timedelta([1, 2]), "column 'a' holds .*64.*, which is neither a number"),
        ([1, np.inf], "column 'a' is infinite in row 1"),
        (["x", "x"], "'a' was numeric when .* grown.*'x'"),
        ([1j, 2], "column 'a' holds complex128"),
    ],
)
def test_what_is_no_number_is_refused_at_prediction_too(cells, message):
    cart = CARTClassifier().fit(frame(a=[1, 2]), [0, 1])
    with pytest.raises(ValueError, match=message):
        cart.predict(frame(a=cells))


def test_rules_a_summary_and_growing_anew_want_the_cases_of_fit():
    c45, cart = C45Classifier().fit(X_LOAN, Y_LOAN), CARTClassifier().fit(X_LOAN, Y_LOAN)
    others = [
        (X_LOAN[:9], Y_LOAN[:9]),
        (X_LOAN[["house", "age"]], Y_LOAN),
        (X_LOAN, Y_LOAN.astype(str) + "!"),
        (X_LOAN.astype(str).replace({"yes": "si"}), Y_LOAN),
    ]
    for X, y in others:
        for ask in (c45.rule_set, cart.summary, cart.regrow):
            with pytest.raises(ValueError, match="not the cases that the tree was grown on: give"):
                ask(X, y)
    c45.rule_set(X_LOAN, Y_LOAN)
    cart.summary(X_LOAN, Y_LOAN)


def test_a_record_of_other_cases_leaves_the_model_as_it_was():
    cart = CARTClassifier().fit(X_LOAN, Y_LOAN)
    for ask in (cart.decisions, cart.cost_complexity_pruning_path):
        ask(TWO, [0, 1])
        assert cart.feature_names_in_.tolist() == X_LOAN.columns.tolist()
    new = CARTClassifier()
    new.decisions(TWO, [0, 1])
    with pytest.raises(NotFittedError):
        new.predict(TWO)


def test_a_fit_that_is_refused_leaves_the_model_as_it_was():
    """The names of the columns are read before a tree grows, so that no unpruned one is left."""
    X = pd.DataFrame({0: [1, 2, 3, 4], "a": [1, 1, 2, 2]})
    for model in (C45Classifier(), C45Classifier().fit(X_LOAN, Y_LOAN)):
        before = dict(vars(model))
        with pytest.raises(TypeError, match="Feature names are only supported if all"):
            model.fit(X, [0, 1, 0, 1])
        assert vars(model) == before
        with pytest.raises(ValueError, match="confidence"):
            model.set_params(confidence=np.nan).fit(TWO, [0, 1])
        assert vars(model) == before | {"confidence": np.nan}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("weight", [None, [1e100] * 15])
def test_weights_of_classes_too_large_to_be_summed_are_named(weight):
    for kind in (ID3Classifier, C45Classifier, CARTClassifier):
        with pytest.raises(ValueError, match=r"the sum of class_weight, .* is too large: divide"):
            kind(class_weight={"yes": 1e308}).fit(X_LOAN, Y_LOAN, weight)


def test_a_dict_is_no_table_and_no_answers():
    for model in (CARTClassifier(), CARTRegressor()):
        with pytest.raises(TypeError, match="y is a dict: give a list or column, an entry for"):
            model.fit([[1], [2]], {"y": [1, 2]})
    with pytest.raises(TypeError, match=r"X is a dict: give pandas.DataFrame\(X\)"):
        CARTClassifier().fit({"a": [1, 2]}, ["p", "q"])


@pytest.mark.filterwarnings("ignore:ID3 makes a branch")
@pytest.mark.parametrize("dtype", ["f2", "f4", "g", "S1"])
def test_numbers_and_bytes_of_every_length_are_found_again(dtype):
    X = np.array([[1], [2], [1]]).astype(dtype)
    assert ID3Classifier().fit(X, ["a", "b", "a"]).predict(X).tolist() == ["a", "b", "a"]


def test_scores_and_statistics_of_rules_are_of_cases_that_can_be_read(loan):
    y, loan = np.asarray(Y_LOAN), loan.set_params(unseen="none")
    with pytest.warns(UserWarning, match="column-vector y was passed"):
        assert loan.score(X_LOAN, y[:, None]) == 1
    for count in loan.score, C45Classifier().fit(X_LOAN, y).rule_set(X_LOAN, y).statistics:
        with pytest.raises(ValueError, match="X has 15 rows but y has 1: give each a class"):
            count(X_LOAN, y[:1])
        for wrong in np.nan, -1.0:
            with pytest.raises(ValueError, match=f"sample_weight must be finite .* has {wrong}"):
                count(X_LOAN, y, [wrong] * 15)

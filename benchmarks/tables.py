"""Made-up tables: plain ones, and some as hard as real ones, for which the figures are given."""

import numpy as np
import pandas as pd


def numeric(n, n_columns=20):
    """Make n cases of numbers in two classes, a fifth of them by chance.

    scikit-learn works in single precision, and takes numbers closer than 1e-7 for equal. These are
    multiples of a millionth or so, 2**-20, which both sides tell apart.
    """
    draw = np.random.default_rng(0)
    X = np.round(draw.normal(size=(n, n_columns)) * 2**20) / 2**20
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=n) > 0).astype(int)


def with_blanks(X, share):
    """Return numbers of which a share is unknown."""
    gone = np.random.default_rng(1).random(X.shape) < share
    return np.where(gone, np.nan, X)


def classes(n, n_classes, n_columns=20):
    """Make n cases of numbers in several classes, which lie about centres of their own."""
    draw = np.random.default_rng(0)
    y = draw.integers(0, n_classes, n)
    centre = draw.normal(size=(n_classes, n_columns))
    return centre[y] * 0.5 + draw.normal(size=(n, n_columns)), y


def numbers(n):
    """Make n cases of 20 numbers, and a number that depends on three of them and on chance."""
    draw = np.random.default_rng(0)
    X = draw.normal(size=(n, 20))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + draw.normal(size=n)


def nominal(n, n_columns, n_values, n_classes):
    """Make n cases of nominal columns, of which two tell something of the class."""
    draw = np.random.default_rng(0)
    codes = draw.integers(0, n_values, size=(n_columns, n))
    told = (codes[0] + codes[1]) % n_classes
    y = np.where(draw.random(n) < 0.5, told, draw.integers(0, n_classes, n))
    return pd.DataFrame({f"x{i}": categories(column) for i, column in enumerate(codes)}), y


def mixed(n):
    """Make n cases of 10 numbers and 10 nominal columns of 2 to 50 values, in two classes."""
    X, y = numeric(n, 10)
    draw = np.random.default_rng(2)
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(10)])
    for i, n_values in enumerate((2, 2, 3, 4, 5, 7, 10, 15, 25, 50)):
        codes = draw.integers(0, n_values, n)
        frame[f"nominal{i}"] = categories(codes)
        y = np.where((codes == 0) & (draw.random(n) < 0.3), 1 - y, y)
    return frame, y


def census(n):
    """Make n cases like a census: 6 columns of numbers and 8 of names, some of them rarely asked.

    The real one has 32,561 cases, a quarter of the second class, and grows trees of 7,900 nodes
    (C4.5, before it is pruned); its columns have 73, 8, 21,648, 16, 16, 7, 14, 6, 5, 2, 119, 92, 94
    and 41 values. Most say little, one value is by far the commonest, and a schooling is given by
    name and by number.

    References
    ----------
    Kohavi (1996), Scaling up the accuracy of naive-Bayes classifiers: a decision-tree hybrid.
    """
    draw = np.random.default_rng(0)
    age = np.clip(17 + draw.gamma(2.4, 9, n), 17, 90).round()
    years = np.where(draw.random(n) < 0.3, 9, np.clip(draw.normal(10, 2.6, n).round(), 1, 16))
    is_married = draw.random(n) < np.clip((age - 18) / 25, 0.02, 0.6)
    is_male = draw.random(n) < np.where(is_married, 0.85, 0.52)
    occupation = np.clip((years + draw.normal(0, 3, n)).round(), 1, 14).astype(int) - 1
    hours = np.where(draw.random(n) < 0.47, 40, np.clip(draw.normal(41, 13, n).round(), 1, 99))
    work, country, race = (_common(draw, n, *of) for of in [(8, 0.7), (41, 0.9), (5, 0.85)])
    pay = 0.33 * years + 2.6 * is_married + 0.09 * (np.minimum(age, 60) - 17) + 0.12 * occupation
    pay += 0.5 * is_male + 0.035 * hours - 0.3 * (race > 0) + draw.normal(0, 0.5, 8)[work]
    is_rich = pay + draw.logistic(0, 0.5, n) > np.quantile(pay, 0.76)
    gain, loss = (
        _sometimes(draw, is_rich, 0.21, 0.04, 118),
        _sometimes(draw, is_rich, 0.1, 0.03, 91),
    )
    X = pd.DataFrame(
        {
            "age": age,
            "work": categories(work),
            "weight": draw.lognormal(12, 0.5, n).round(-1),
            "education": categories(draw.permutation(17)[years.astype(int)]),
            "years": years,
            "marital": categories(np.where(is_married, 0, 1 + _common(draw, n, 6, 0.6))),
            "occupation": categories(draw.permutation(14)[occupation]),
            "relationship": categories(np.where(is_married, is_male, 2 + _common(draw, n, 4, 0.5))),
            "race": categories(race),
            "sex": categories(is_male),
            "gain": gain,
            "loss": np.where(gain > 0, 0, loss),
            "hours": hours,
            "country": categories(country),
        }
    )
    X.loc[draw.random(n) < 0.056, ["work", "occupation"]] = np.nan
    X.loc[draw.random(n) < 0.018, "country"] = np.nan
    return X, pd.Series(categories(is_rich).rename_categories(["no", "yes"]))


def categories(codes):
    """Return codes as nominal values."""
    codes = codes.astype(int)
    return pd.Categorical.from_codes(codes, range(codes.max() + 1))


def codes(X):
    """Return a frame as numbers: nominal columns as the codes of their levels, unknown as NaN."""
    columns = [
        X[name].cat.codes.where(X[name].notna()) if X[name].dtype == "category" else X[name]
        for name in X
    ]
    return np.column_stack(columns).astype(float)


def _common(draw, n, n_values, share):
    """Draw n codes: the first has a share of them, each other 0.85 of the one before."""
    rest = 0.85 ** np.arange(n_values - 1)
    return draw.choice(n_values, n, p=np.append(share, (1 - share) * rest / rest.sum()))


def _sometimes(draw, is_rich, share, other_share, n_values):
    """Draw amounts, 0 for most, and mostly larger ones for the rich."""
    n = len(is_rich)
    amount = np.sort(draw.integers(100, 20_000, n_values))
    of_few = amount[_common(draw, n, n_values // 2, 0.1)]
    of_many = amount[n_values // 3 + _common(draw, n, n_values // 2, 0.1)]
    has_some = draw.random(n) < np.where(is_rich, share, other_share)
    return np.where(has_some, np.where(is_rich, of_many, of_few), 0).astype(float)

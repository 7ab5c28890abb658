"""Trees over odd levels, numbers and names, and rows for them: what databases are asked about."""

import numpy as np
import pandas as pd

from dtreebook import CARTClassifier, CARTRegressor, ID3Classifier
from dtreebook.data.cases import Attribute
from dtreebook.tree.node import Node
from dtreebook.tree.splits import Threshold
from dtreebook.tree.tree import Tree

LEVELS = ["m", "M", "é", "e", "E", "a ", "a", "ß", "ss", "😀", "😁", "it's", '"', "\\", "a,b"]
LEVELS += ["%", "_"]
LEVELS += ["1", "1.0", "null", "NULL", "a\nb", " a", "日本", "\\'", "ﬁ", "fi", "İ", "i"]
NUMBERS = [0.1, 0.2, 0.30000000000000004, -0.5, 1e-7, 1 / 3, 2.0, 1e6, 123456789.25, -2.0]

# Words of SQL, and names that must be quoted.
NAMES = ["select", "order", "a b", "Group", 'say "it"']
number = NAMES[1], NAMES[2], NAMES[4]


def frame(seed, n=240):
    """Return a table of text and numbers, of whole numbers and truths, with blanks; and classes."""
    rng = np.random.default_rng(seed)
    columns = {
        "select": rng.choice(np.array(LEVELS, dtype=object), n),
        "order": rng.choice(NUMBERS, n),
        "a b": rng.integers(-3, 4, n).astype(float),
        "Group": rng.choice(np.array(["yes", "Yes", "no "], dtype=object), n),
        'say "it"': rng.choice([1.5, 2.0, 3.0, 40.0], n),
    }
    X = pd.DataFrame(columns)
    is_p = (X["order"] > 0.2) ^ X["select"].isin(LEVELS[::2]) ^ (rng.random(n) < 0.1)
    y = np.where(is_p, "p", "q")
    for name in X:
        missing = rng.random(n) < 0.15
        X[name] = X[name].astype(object).where(~missing, None)
    for name in number:
        X[name] = X[name].astype(float)
    return X, y


def trees(seed):
    """Yield trees of every kind that SQL tells, each with the columns that it asks about."""
    X, y = frame(seed)
    words = X[["select", "Group"]]
    doors = X[['say "it"']].astype("category")
    yield CARTClassifier(max_depth=5, max_surrogates=0).fit(X, y).tree_, list(X)
    yield CARTClassifier(max_surrogates=2, missing="surrogates").fit(X, y).tree_, list(X)
    yield CARTClassifier(missing="stop", max_surrogates=0).fit(X, y).tree_, list(X)
    yield ID3Classifier().fit(words, y).tree_, list(words)
    yield ID3Classifier().fit(doors, y).tree_, list(doors)
    tenths = X["a b"].fillna(0) * 0.1
    yield CARTRegressor(max_depth=4, max_surrogates=1).fit(X, tenths).tree_, list(X)


def new_rows(seed):
    """Return other rows: levels that differ from known ones by case, accent or a blank, and NaN."""
    X, _ = frame(seed + 1000)
    known = X["select"].notna()
    odd = X["select"][known].map(lambda text: text.swapcase() if len(text) % 2 else text + " ")
    X.loc[known.index[known][::3], "select"] = odd[::3]
    return X


def chain(depth, default):
    """Return a tree that asks one question below another, unknown values where `default` says."""
    below = Node(np.array([1.0, 0.0]), 0)
    for cut in reversed(range(depth)):
        leaf = Node(np.array([float(cut % 2), 1.0]), cut % 2)
        children = (leaf, below) if cut % 3 else (below, leaf)
        counts = np.array([1.0, depth - cut])
        below = Node(counts, 1, Threshold(0, float(-cut)), children, default=default)
    return Tree.from_root(below, (Attribute("x", "numeric"),), np.array(["p", "q"]))


def quoted(name, sign='"'):
    """Return a name as SQL has it."""
    return sign + name.replace(sign, 2 * sign) + sign

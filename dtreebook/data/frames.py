"""DataFrames of pandas made from elsewhere: tables of other libraries, columns of a data set."""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import pandas as pd
from sklearn.utils import Bunch

# Where DuckDB's connections and relations come from.
_DUCKDB = {"duckdb", "_duckdb"}


def bunch(columns: Mapping[str, Any], description: str) -> Bunch:
    """Pack columns, the last of which is the target, as the loaders of scikit-learn do."""
    frame = pd.DataFrame(columns)
    *feature_names, target_name = columns
    target = frame[target_name]
    is_nominal = isinstance(target.dtype, pd.CategoricalDtype)
    return Bunch(
        data=frame[feature_names],
        target=target,
        frame=frame,
        feature_names=feature_names,
        **({"target_names": list(target.cat.categories)} if is_nominal else {}),
        DESCR=description,
    )


def from_library(X: Any, name: str = "X") -> Any:
    """Return a table or column of another library as pandas holds it, and anything else as it is.

    Enums of polars and ordered dictionaries of Arrow become ordered categories. Raises TypeError if
    its rows are still to be computed, or it is a dict; the name is that of the argument.
    """
    module = type(X).__module__.partition(".")[0]
    if isinstance(X, str | bytes) and name != "X":
        raise TypeError(
            f"{name} is the text {X!r}: give the values, as in X[{X!r}]; the name of a column is "
            "taken by fit, regrow, decisions and score, of a DataFrame or a table of Ibis"
        )
    if isinstance(X, str | bytes):
        raise TypeError(
            f"{name} is the text {X!r}: give the rows themselves, as pandas.read_csv(file) or, of "
            "a table in a database, ibis.connect(address).table(name) gives them"
        )
    if module == "ibis":
        raise TypeError(
            f"{name} is in a database, and this needs the rows in memory: give {name}.to_pandas(), "
            f"or of many rows {name}.sample(0.1, seed=0).to_pandas(). Where the rows are, single "
            "trees fit, predict, explain, apply and score, and tell their decisions"
        )
    if module in _DUCKDB:
        raise TypeError(
            f"{name} is a {type(X).__name__} of DuckDB: give a table of Ibis, as in "
            'ibis.duckdb.from_connection(con).table("loans") or .sql("SELECT ..."), whose rows '
            "stay there, and y as the name of its column; or the rows in memory, as in .df()"
        )
    if type(X) is dict:  # a sparse matrix may be one, too
        wanted = "pandas.DataFrame(X)" if name == "X" else "a list or column, an entry for each row"
        raise TypeError(f"{name} is a dict: give {wanted}")
    arrow = nw.dependencies.get_pyarrow()  # None unless somebody has imported it
    if arrow and isinstance(X, arrow.RecordBatch):
        X = arrow.Table.from_batches([X])
    native = nw.from_native(X, allow_series=True, pass_through=True)
    if isinstance(native, nw.LazyFrame):
        raise TypeError(
            f"{name} is a {type(X).__name__}, whose rows are still to be computed: collect it "
            f"first, as in {name}.collect()"
        )
    if not isinstance(native, nw.DataFrame | nw.Series):
        return X
    if not native.implementation.is_polars():
        return native.to_pandas()
    # For polars that would take pyarrow.
    if isinstance(native, nw.Series):
        return _from_polars(native)
    return pd.DataFrame({column.name: _from_polars(column) for column in native.iter_columns()})


def _from_polars(column):
    if column.dtype.is_decimal():
        column = column.cast(nw.Float64)
    if column.dtype.is_numeric():
        return pd.Series(column.to_numpy())
    if isinstance(column.dtype, nw.Enum):
        return pd.Series(pd.Categorical(column.to_list(), column.dtype.categories, ordered=True))
    return pd.Series(column.to_list(), dtype=object)

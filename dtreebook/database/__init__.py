"""Growing and asking trees where the data are: in DuckDB, Spark or any database that Ibis knows."""

from dtreebook.data.words import needs

needs("ibis", "duckdb", "a table in a database")

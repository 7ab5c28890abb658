"""Growing and asking trees where the data are: in DuckDB, Spark or any database that Ibis knows."""

"""The DuckDB files: schema, migrations, postings, vectors. The only place that imports duckdb."""

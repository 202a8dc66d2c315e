"""memory.duckdb: the truth that the person made. Nothing that clears or rebuilds the index touches it."""

"""One module an agent: a path and an offset in, sessions and messages out. No database, no Qt."""

"""The key that opens the search window from anywhere: one back end a system behind one protocol."""

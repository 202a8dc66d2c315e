"""Pure functions on strings: cleaning, redaction, words, chunks, times, snippets. No files, no clock, no Qt, no database."""

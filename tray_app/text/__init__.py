"""Pure functions on strings: cleaning, redaction, words, chunks, times, snippets.

No files, no clock, no Qt, no database; the one exception is `dates.local_zone`, which asks the system for its zone.
"""

"""From a question to an answer: parse, words, group, verdict. Reads the library, never writes it."""

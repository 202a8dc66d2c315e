"""Which tools are the two ends of a chat: those that say something to people, and those that bring what people said.

Owns matching names against the patterns (the setting `sources.bridges`). Knows nothing of messages; `bridges` makes talk of these.
A pattern is `send:GLOB` or `receive:GLOB`; in a glob `*` is any text, `?` any character and `(a|b)` either. Case is ignored.
"""

from __future__ import annotations

import functools
import re

SEND, RECEIVE = "send", "receive"
NAME_CHARS = 200
"""As much of a tool's name is looked at."""

_SPECIAL = {"*": ".*", "?": ".", "(": "(?:", ")": ")", "|": "|"}


def sends(tool: str, patterns: tuple[str, ...]) -> bool:
    """Whether a call of this tool says something to people."""
    return bool(patterns) and SEND in _ends(tool[:NAME_CHARS], patterns)


def receives(tool: str, patterns: tuple[str, ...]) -> bool:
    """Whether this tool's results are what people said."""
    return bool(patterns) and RECEIVE in _ends(tool[:NAME_CHARS], patterns)


@functools.lru_cache(maxsize=4096)
def _ends(tool: str, patterns: tuple[str, ...]) -> frozenset[str]:
    return frozenset(end for end, pattern in _compiled(patterns) if pattern.fullmatch(tool))


@functools.lru_cache(maxsize=16)
def _compiled(patterns: tuple[str, ...]) -> list[tuple[str, re.Pattern[str]]]:
    return [(end, _pattern(glob)) for end, _, glob in (pattern.partition(":") for pattern in patterns)]


def _pattern(glob: str) -> re.Pattern[str]:
    """The glob as an expression. Brackets that do not close are taken as they stand."""
    glob = re.sub(r"\*+", "*", glob)  # several in a row mean the same, and cost a power more
    try:
        return re.compile("".join(_SPECIAL.get(char, re.escape(char)) for char in glob), re.IGNORECASE | re.DOTALL)
    except re.error:
        plain = "".join(_SPECIAL[char] if char in "*?" else re.escape(char) for char in glob)
        return re.compile(plain, re.IGNORECASE | re.DOTALL)

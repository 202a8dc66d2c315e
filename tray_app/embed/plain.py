"""Texts as models take them. Owns what every model on this machine needs done to a text, and nothing of one model."""

from __future__ import annotations

import re

_LONE = re.compile("[\ud800-\udfff]")


def plain(text: str, limit: int) -> str:
    """At most `limit` characters, without lone surrogates, which no tokenizer can encode, and zero characters, which some end
    at."""
    return _LONE.sub("\ufffd", text[:limit]).replace("\0", " ")

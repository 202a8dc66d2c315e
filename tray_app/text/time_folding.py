"""A question as the time forms see it.

Owns the folding, which keeps every place, and what is blanked out before any form is tried: quotations, and runs of signs that
are files, versions, ports, options or calls.
"""

from __future__ import annotations

import re
from functools import cache

from tray_app.text.traditional import SIMPLIFIED

_QUOTED = re.compile(
    r"\"[^\"\n]{0,300}\"|`[^`\n]{0,300}`|“[^”\n]{0,300}”|「[^」\n]{0,300}」|『[^』\n]{0,300}』|《[^》\n]{0,100}》|(?<!\w)'[^'\n]{1,100}'(?!\w)"
)
_RUN = re.compile(r"[a-z0-9_.\-/\\:@#=+$%&{}<>]+")
_PLAIN_RUN = re.compile(
    r"[a-z0-9]+|\d{1,2}(?:st|nd|rd|th)?-\d{1,2}(?:st|nd|rd|th)?"
    r"|20\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2}(?:t\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?|\.\.20\d\d-\d\d-\d\d)?)?"
    r"|\d{1,2}/\d{1,2}(?:/20\d\d)?(?:-\d{1,2}/\d{1,2})?|\d{1,2}\.\d{1,2}\.20\d\d|\d{1,2}:\d\d(?::\d\d)?(?:[ap]\.?m)?|\d{0,2}[ap]\.m"
    r"|(?:mid|twenty|thirty)-[a-z]+"
)
"""Runs that may hold a time; any other with a sign in it is a file, a version, a port, an option."""


@cache
def _folding() -> dict[int, str]:
    wide = {0xFF00 + code - 0x20: chr(code).lower() for code in range(0x21, 0x7F)}
    capitals = {code: chr(code + 32) for code in range(ord("A"), ord("Z") + 1)}
    return {ord(key): value for key, value in SIMPLIFIED.items()} | wide | capitals | {0x3000: " ", 0x2019: "'"}


def fold(query: str) -> str:
    """The question as the forms see it, character for character: what is quoted or an identifier is blanked out."""
    text = query.lower() if query.isascii() else query.translate(_folding())
    text = _QUOTED.sub(_blank, text)
    return _RUN.sub(_blank_code, text)


def _blank(match: re.Match[str]) -> str:
    return "\0" * len(match[0])


def _blank_code(match: re.Match[str]) -> str:
    run = match[0]
    if run.isalnum():
        is_call = match.string.startswith("(", match.end()) and not run.isdecimal()
        return _blank(match) if is_call else run
    return run if _PLAIN_RUN.fullmatch(run.rstrip(".:-")) else _blank(match)

"""Where a string may be cut without breaking what a person sees as one character.

Owns a small rule set (marks, joiners, flags, jamo, CR LF, surrogate halves), not the full Unicode algorithm: it never cuts
inside a cluster of the kinds listed, and looks back a bounded number of code points.
"""

from __future__ import annotations

import unicodedata

_LOOK_BACK = 64
_ZWJ = "\u200d"


def is_inside(text: str, at: int) -> bool:
    """Whether `at` (0 < at < len) lies inside a cluster."""
    after, before = text[at], text[at - 1]
    if after < "\u0300":
        return after == "\n" and before == "\r"
    if after == _ZWJ or before == _ZWJ or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\udc00" <= after <= "\udfff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    if "\u1160" <= after <= "\u11ff":
        return "\u1100" <= before <= "\u11ff" or "\uac00" <= before <= "\ud7a3"
    if _is_regional(after) and _is_regional(before):
        first = at
        while first > 0 and _is_regional(text[first - 1]) and at - first < _LOOK_BACK:
            first -= 1
        return (at - first) % 2 == 1
    return False


def cut_before(text: str, at: int) -> int:
    """The last place at or before `at` where the text may be cut; `at` itself if none is near."""
    if not 0 < at < len(text):
        return at
    place = at
    while place > 0 and is_inside(text, place):
        place -= 1
        if at - place > _LOOK_BACK:
            return at
    return place


def cut_after(text: str, at: int) -> int:
    """The first place at or after `at` where the text may be cut."""
    place = at
    while 0 < place < len(text) and is_inside(text, place):
        place += 1
        if place - at > _LOOK_BACK:
            return at
    return place


def _is_regional(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"

"""Which language a text is in, as far as vectors care: embedding models keep languages apart, and each is compared by its own.

Owns one pure function on scripts; tells no two languages of the same script apart.
"""

from __future__ import annotations

import re

OTHER, CHINESE, JAPANESE, KOREAN = 0, 1, 2, 3
LANGUAGES = 4

SHARE = 0.15
"""From this share of its letters on, a script without spaces names the text: a Chinese sentence about code is half Latin."""
KANA_SHARE = 0.1
TALK_LETTERS = 12
"""Fewer letters beside code say nothing: then the code counts too."""

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]")
_LETTER = re.compile(r"[^\W\d_]")
_CODE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.MULTILINE | re.DOTALL)


def language_of(text: str) -> int:
    """CHINESE, JAPANESE, KOREAN or OTHER. Blocks of code do not decide where there is talk beside them."""
    talk = _CODE.sub("\n", text) if "```" in text or "~~~" in text else text
    letters = len(_LETTER.findall(talk))
    if letters < TALK_LETTERS and talk is not text:
        talk, letters = text, len(_LETTER.findall(text))
    if talk.isascii():
        return OTHER
    han, kana, hangul = (len(script.findall(talk)) for script in (_HAN, _KANA, _HANGUL))
    unspaced = han + kana + hangul
    if unspaced < SHARE * letters or not unspaced:
        return OTHER
    if hangul >= han + kana:
        return KOREAN
    return JAPANESE if kana >= KANA_SHARE * (han + kana) else CHINESE

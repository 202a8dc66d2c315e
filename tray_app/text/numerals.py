"""Numbers as people write them in English and Chinese: 3, three, a couple of, a dozen, 两, 十几, 廿一, 半.

Owns the words for whole and vague amounts up to 999 and the shapes that find them. Knows nothing of what is counted. Texts
are folded: lower case, half-width, simplified characters.
"""

from __future__ import annotations

from typing import NamedTuple


class Amount(NamedTuple):
    """From `least` to `most`, both included; equal where the amount was said exactly."""

    least: float
    most: float


_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_EXACT = {word: number for number, word in enumerate(_SMALL)} | {word: 10 * (at + 2) for at, word in enumerate(_TENS)}
FEW = Amount(2, 6)
_VAGUE = {
    **dict.fromkeys(("few", "a few", "some", "couple of few"), FEW),
    **dict.fromkeys(("couple", "a couple", "couple of", "a couple of"), Amount(2, 4)),
    "several": Amount(3, 7),
    **dict.fromkeys(("a", "an", "a single"), Amount(1, 1)),
    **dict.fromkeys(("half", "half a", "half an"), Amount(0.5, 0.5)),
    **dict.fromkeys(("dozen", "a dozen"), Amount(12, 12)),
    **dict.fromkeys(("one or two", "a or two"), Amount(1, 2)),
}
ENGLISH = (
    r"(?:\d{1,3}|half\s+an?|(?:a\s+)?(?:few|couple(?:\s+of)?|dozen)|several|one\s+or\s+two|an?"
    rf"|(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_SMALL[1:10])}))?|{'|'.join(sorted(_SMALL[1:], key=len, reverse=True))})"
)
"""Shape of an English amount; use it between borders of words."""

_DIGITS = {character: number for number, character in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
CHINESE = r"(?:\d{1,3}|[一二三四五六七八九两]?百[零一二三四五六七八九十]{0,4}|[一二三四五六七八九]?十[一二三四五六七八九几]?|[廿卅][一二三四五六七八九]?|好?几十?|一两|两三|三[四五]|[四五六七八]{2}|[一二三四五六七八九两]|[半数])"
"""Shape of a Chinese amount, also a vague one (几, 十几, 两三)."""


def read_english(text: str) -> Amount | None:
    """The amount of a text that `ENGLISH` matched; None where it is none."""
    words = " ".join(text.replace("-", " ").split())
    if words.isdecimal():
        return Amount(int(words), int(words))
    if words in _VAGUE:
        return _VAGUE[words]
    parts = [_EXACT.get(word) for word in words.split()]
    known = [part for part in parts if part is not None]
    if not known or len(known) != len(parts) or len(known) > 2:
        return None
    return Amount(sum(known), sum(known))


def read_chinese(text: str) -> Amount | None:
    """The amount of a text that `CHINESE` matched; None where it is none."""
    text = text.removeprefix("好")
    if text in ("几", "数", "半", "几十"):
        return {"几": FEW, "数": FEW, "半": Amount(0.5, 0.5), "几十": Amount(20, 90)}[text]
    if text.endswith("十几"):
        tens = whole_chinese(text[:-1])
        return Amount(tens + 1, tens + 9) if tens else None
    if len(text) == 2 and text[0] in _DIGITS and text[1] in _DIGITS:  # 两三, 三五
        return Amount(_DIGITS[text[0]], _DIGITS[text[1]]) if 0 < _DIGITS[text[0]] < _DIGITS[text[1]] else None
    number = whole_chinese(text)
    return None if number is None else Amount(number, number)


def whole_chinese(text: str) -> int | None:
    """A whole number in digits or Chinese numerals to 999, None for any other text."""
    if text.isascii():
        return int(text) if text.isdecimal() else None
    text = text.replace("廿", "二十").replace("卅", "三十")
    hundreds, hundred, rest = text.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    tens = tens.removeprefix("零")
    ones = ones if ten else rest.removeprefix("零")
    total = 0
    for digit, sign, weight in ((hundreds, hundred, 100), (tens, ten, 10)):
        if sign:
            if digit and digit not in _DIGITS:
                return None
            total += (_DIGITS[digit] if digit else 1) * weight
    if ones and ones not in _DIGITS:
        return None
    return total + (_DIGITS[ones] if ones else 0) if text else None

"""How many tokens a text is for a language model: near enough to hold a budget, with no tokenizer.

The rule adds up what the tokenizers of today cut a text into:

- a run of Latin letters is 0.8 of a token and 0.063 for each letter; a further word in a `camelCase` name 0.95 more;
- a number is 0.45 and 0.33 for each digit, as digits go by threes;
- a mark of punctuation, the underscore of a name too, is 0.6, because many melt into their neighbours;
- a new line is 0.45, and 0.55 more where the next one is indented; other spaces are free;
- a Chinese character is 0.745, a full-width mark or a kana 1, Hangul 0.7, a letter of another alphabet 0.48, a dash, quote or
  sign of Unicode 0.5, an emoji 2.5.

The weights were fitted to o200k_base. On 300 tokens and more of English, Chinese, both mixed, code, names and paths, JSON,
logs and markdown the result is within 15 % of it. Tokenizers differ from each other more than that where the text is Chinese:
DeepSeek's counts a quarter less there, the last one that Anthropic published a quarter more.

A text that grows never counts less: no weight is negative, and nothing added at either end makes any of these fewer.
"""

from __future__ import annotations

import math

_LATIN, _HAN, _WIDE, _HANGUL, _SIGN, _EMOJI, _OTHER = b"ahpkseo"


def _classes() -> bytes:
    """What each byte of UTF-8 begins; bytes that go on with a character are dropped before."""
    table = bytearray(b"." * 256)
    for first, last, kind in (
        (0x61, 0x7A, _LATIN), (0x41, 0x5A, ord("A")), (0x30, 0x39, ord("0")), (0xC3, 0xE1, _OTHER), (0xE2, 0xE2, _SIGN),
        (0xE3, 0xE3, _WIDE), (0xE4, 0xE9, _HAN), (0xEA, 0xED, _HANGUL), (0xEE, 0xEE, _SIGN), (0xEF, 0xEF, _WIDE),
        (0xF0, 0xFF, _EMOJI),
    ):  # fmt: skip
        table[first : last + 1] = bytes([kind]) * (last + 1 - first)
    table[0x0A] = 0x0A
    for blank in b" \t\r":
        table[blank] = 0x20
    return bytes(table)


_CLASSES = _classes()
_CONTINUATION = bytes(range(0x80, 0xC0))
_WORDS = bytes(code if code in b"aA" else 0x20 for code in range(256))
_NUMBERS = bytes(code if code == 0x30 else 0x20 for code in range(256))


def estimate(text: str) -> int:
    """Tokens of the text, rounded up; 0 for nothing but spaces."""
    kinds = text.encode("utf-8", "surrogatepass").translate(_CLASSES, _CONTINUATION)
    count = kinds.count
    words, numbers = len(kinds.translate(_WORDS).split()), len(kinds.translate(_NUMBERS).split())
    latin = 0.8 * words + 0.063 * (count(b"a") + count(b"A")) + 0.95 * count(b"aA")
    digits = 0.45 * numbers + 0.33 * count(b"0")
    layout = 0.6 * count(b".") + 0.45 * count(b"\n") + 0.55 * count(b"\n ")
    east = 0.745 * count(b"h") + count(b"p") + 0.7 * count(b"k")
    signs = 0.5 * count(b"s") + 2.5 * count(b"e") + 0.48 * count(b"o")
    return math.ceil(latin + digits + layout + east + signs - 1e-9)

"""Words: how a text is cut into the tokens that are indexed, and a question into those that are looked for.

Owns the one rule set for both sides. Chinese, Japanese and Korean runs (and Thai, Lao, Khmer, Burmese) become overlapping
pairs, with the first and last character of a run as tokens of their own; everything else is words, and identifiers,
paths and versions keep their whole form beside their parts. Changing a rule here changes what is in the index: raise
the pipeline version with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import chain
from operator import add

from tray_app.text import stop_words
from tray_app.text.stemming import stem
from tray_app.text.traditional import SIMPLIFIED

MAX_TOKEN = 64
"""Longest token, in code points; longer ones are cut."""

HAN_KANA_HANGUL = (
    "\u1100-\u11ff\u3005\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u312f\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U00020000-\U0003ffff"
)
UNSPACED = HAN_KANA_HANGUL + "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1780-\u17d3"
"""Characters of scripts that put no spaces between words, for a regex class (Korean is kept with them)."""

_WORD_CLASS = (
    "0-9A-Za-z_\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u0300-\u037d\u0386\u0388-\u0482\u048a-\u0556\u0561-\u0587"
    "\u0591-\u05bd\u05bf\u05c1-\u05ea\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06ff\u0710-\u0963\u0966-\u0dff"
    "\u0e50-\u0e59\u0f18-\u0f39\u0f40-\u0fbc\u10a0-\u10fa\u10fc-\u10ff\u1200-\u135f\u13a0-\u167f\u1810-\u18aa\u1c80-\u1cbf\u1d00-\u1fbc"
    "\u1fc2-\u1ffc\u2c00-\u2cf3\u2d00-\u2ddf\ua640-\ua6ef\ua722-\ua7ff\uab30-\uabff\ufb1d-\ufdfb\ufe70-\ufefc"
)
_PICTURES = "\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
_PICTURE = f"[{_PICTURES}]\ufe0f?[\U0001f3fb-\U0001f3ff]?\u20e3?"
_EMOJI = f"[\U0001f1e6-\U0001f1ff]{{1,2}}|{_PICTURE}(?:\u200d{_PICTURE})*|[\U0001f3fb-\U0001f3ff]"


def _words(letters: str, joiners: str) -> str:
    return (
        rf"(?:\#(?=[0-9]))?[{letters}]+(?:(?:[{joiners}]|(?<=[0-9]):(?=[0-9]))[{letters}]+)*"
        rf"(?:\+\+(?![{letters}])|(?<=[0-9])%|(?<=[CFcf])\#(?![{letters}]))?"
    )


_ASCII = re.compile(_words("0-9A-Za-z_", r"./\\@'\-"))
_ANY = re.compile(
    rf"[{UNSPACED}]+|{_words(_WORD_CLASS, chr(0x2019) + './' + chr(92) * 2 + '@' + chr(39) + chr(92) + '-')}|{_EMOJI}"
)
_TRADITIONAL = re.compile(f"[{''.join(SIMPLIFIED)}]")
_UNSPACED_RUN = re.compile(f"[{UNSPACED}]+")

_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
_DATE = re.compile(r"((\d{4}-[01]\d)-[0-3]\d)(?:[T_](\d\d:\d\d).*)?\Z", re.DOTALL)
_MONTH = re.compile(r"(?:19|20)\d\d-(?:0[1-9]|1[0-2])\Z")
_VERSION = re.compile(r"[vV]?((\d+\.\d+)(?:\.\d+)*)\Z")
_ADDRESS = re.compile(r"(\d{1,3}(?:\.\d{1,3}){3})(?::(\d+))?\Z")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_HEX = re.compile(r"(?:0x[0-9a-f]+|(?=[a-f]*[0-9])[0-9a-f]{7,})\Z", re.IGNORECASE)
_LEVELS = (re.compile(r"[^/\\@:]+"), re.compile(r"[^.]+"), re.compile(r"[^\-]+"), re.compile(r"[^_]+"))
_ACCENTS = re.compile("[\u0300-\u036f]+")
_UNDECOMPOSED = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ß": "ss", "ı": "i", "ð": "d", "þ": "th"})
_PUNCTUATION = str.maketrans({"\\": "/", "’": "'"})

Part = tuple[str, int, int]
"""A token and where in the word it stands (code points)."""


def tokens(text: str) -> list[str]:
    """The tokens of a document, in order, with repetitions."""
    if text.isascii():
        return list(chain.from_iterable(map(_tokens_of, _ASCII.findall(text))))
    return list(chain.from_iterable(map(_tokens_of, _ANY.findall(fold_text(text)))))


def query_tokens(text: str) -> list[str]:
    """The tokens to look for: each once, in order.

    A run of two and more CJK characters gives its pairs only; a lone character gives itself, and stands as a token in
    documents only where a run begins or ends: the search looks at the pairs that hold it as well.
    """
    found: dict[str, None] = {}
    for word in _ANY.findall(fold_text(text)):
        if len(word) > 1 and _UNSPACED_RUN.match(word):
            found.update(dict.fromkeys(_pairs(word)))
        else:
            found.update(dict.fromkeys(_tokens_of(word)))
    return list(found)


def content_tokens(query: str) -> tuple[list[str], list[str]]:
    """The tokens that carry the question, and the words that were ignored; if all are stop words, all are kept.

    Chinese phrases are cut out before pairs are made, so that no pair straddles 'the' and a word ('的库').
    """
    kept: dict[str, None] = {}
    ignored: dict[str, None] = {}
    for word in _ANY.findall(fold_text(query)):
        if _UNSPACED_RUN.match(word):
            _take_run(word, kept, ignored)
        elif _fold_word(word) in _ENGLISH:
            ignored[_fold_word(word)] = None
        else:
            kept.update(dict.fromkeys(_tokens_of(word)))
    return (list(kept), list(ignored)) if kept else (query_tokens(query), [])


def _take_run(run: str, kept: dict[str, None], ignored: dict[str, None]) -> None:
    at = start = 0
    while at < len(run):
        match = _PHRASES.match(run, at)
        if not match:
            at += 1
            continue
        if match["stop"]:
            kept.update(dict.fromkeys(_pairs(run[start:at])))
            ignored[match["stop"]] = None
            start = match.end()
        at = match.end()
    kept.update(dict.fromkeys(_pairs(run[start:])))


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else list(map(add, run, run[1:]))


def fold_text(text: str) -> str:
    """NFKC, and traditional characters as simplified ones: what the word rules look at. Upper case stays."""
    if text.isascii():
        return text
    return fold_traditional(unicodedata.normalize("NFKC", text))


def fold_traditional(text: str) -> str:
    """One character for one: offsets stay."""
    return _TRADITIONAL.sub(lambda match: SIMPLIFIED[match[0]], text)


def iter_words(folded: str) -> Iterator[tuple[str, int]]:
    """The words and runs of a text that `fold_text` has made, each with its offset in it."""
    for match in _ANY.finditer(folded):
        yield match[0], match.start()


def is_unspaced(character: str) -> bool:
    """Whether it belongs to a script that is indexed by pairs."""
    return _UNSPACED_RUN.match(character) is not None


def split_word(word: str) -> list[Part]:
    """The tokens of one word or run, with where they stand in it."""
    if _UNSPACED_RUN.match(word):
        pairs = [(word[at : at + 2], at, at + 2) for at in range(len(word) - 1)]
        return [(word[0], 0, 1), *pairs, *([(word[-1], len(word) - 1, len(word))] if pairs else [])]
    if _is_plain(word):
        plural_of_capitals = word[-1] == "s" and word[-2:-1].isupper()
        return [(stem((word[:-1] if plural_of_capitals else word).lower())[:MAX_TOKEN], 0, len(word))]
    return _split_identifier(word)


class _Cache(dict[str, tuple[str, ...]]):
    """Word to tokens. Emptied when full, so that a stream of unique words costs a bounded amount of memory."""

    LIMIT = 60_000

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(word) > 3 and _UNSPACED_RUN.match(word):
            return (word[0], *map(add, word, word[1:]), word[-1])
        found = tuple(part[0] for part in split_word(word))
        if len(word) <= MAX_TOKEN:
            if len(self) >= self.LIMIT:
                self.clear()
            self[word] = found
        return found


_tokens_of: Callable[[str], tuple[str, ...]] = _Cache().__getitem__


def word_tokens(word: str) -> tuple[str, ...]:
    """The tokens of one word or run, kept for the next time."""
    return _tokens_of(word)


def _is_plain(word: str) -> bool:
    if not (word.isascii() and word.isalpha()):
        return False
    return word.islower() or word.isupper() or word[1:].islower() or (word[-1] == "s" and len(word) > 2 and word[:-1].isupper())


def _fold_word(word: str) -> str:
    """Lower case, no accents."""
    word = word.lower()
    if word.isascii():
        return word.translate(_PUNCTUATION) if "\\" in word else word
    word = _ACCENTS.sub("", unicodedata.normalize("NFD", word).translate(_UNDECOMPOSED).translate(_PUNCTUATION))
    return unicodedata.normalize("NFC", word)


def _split_identifier(word: str) -> list[Part]:
    parts: dict[str, tuple[int, int]] = {}

    def put(token: str, start: int, end: int) -> None:
        parts.setdefault(token[:MAX_TOKEN], (start, end))

    size = len(word)
    if word[0] == "#":
        put(_fold_word(word), 0, size)
        _split_level(word[1:], 1, 0, put)
    elif word.endswith("++") or word[-1] in "%#":
        bare = word.rstrip("+%#")
        if word[-1] != "#" or len(bare) == 1:
            put(_fold_word(word), 0, size)
        if len(bare) > 1:
            _split_level(bare, 0, 0, put)
    elif "'" in word or "’" in word:
        _split_apostrophe(word, put)
    else:
        _split_level(word, 0, 0, put)
    if not parts:
        folded = _fold_word(word).replace("\ufe0f", "")
        if folded.strip("_"):
            put(folded, 0, size)
    return [(token, start, end) for token, (start, end) in parts.items()]


def _split_apostrophe(word: str, put: Callable[[str, int, int], None]) -> None:
    plain = word.replace("’", "'")
    if plain[-2:] in ("'s", "'S") and len(word) > 3:
        for token, start, end in split_word(plain[:-2]):
            put(token, start, end)
        return
    folded = _fold_word(plain)
    put(folded, 0, len(word))
    put(folded.replace("'", ""), 0, len(word))
    at = 0
    for piece in plain.split("'"):
        if len(piece) > 2:
            _split_level(piece, at, 0, put)
        at += len(piece) + 1


def _split_level(word: str, at: int, level: int, put: Callable[[str, int, int], None]) -> None:
    """Put the whole of `word` (which starts at `at`) and what is inside it, from paths down to the humps of camel case."""
    if not any(map(str.isalnum, word)):
        return
    size = len(word)
    if _put_special(word, at, put):
        return
    for deeper in range(level, len(_LEVELS)):
        pieces = list(_LEVELS[deeper].finditer(word))
        if len(pieces) > 1:
            put(_fold_word(word), at, at + size)
            for piece in pieces:
                if len(piece[0]) > 1:
                    _split_level(piece[0], at + piece.start(), deeper + 1, put)
            return
        if pieces and len(pieces[0][0]) != size:
            at, word, size = at + pieces[0].start(), pieces[0][0], len(pieces[0][0])
    _split_humps(word, at, put)


def _put_special(word: str, at: int, put: Callable[[str, int, int], None]) -> bool:
    """Dates, addresses, versions, hashes: forms whose parts mean nothing by themselves."""
    if not any(map(str.isdigit, word)):
        return False
    end = at + len(word)
    if _MONTH.match(word) or _UUID.match(word):
        put(word.lower(), at, end)
        if len(word) > 8:
            put(word[:8].lower(), at, at + 8)
    elif match := _DATE.match(word):
        put(match[1], at, at + 10)
        put(match[2], at, at + 7)
        if match[3]:
            put(match[3], at + match.start(3), at + match.end(3))
    elif match := _ADDRESS.match(word):
        put(word, at, end)
        put(match[1], at, at + match.end(1))
        if match[2]:
            put(match[2], at + match.start(2), end)
    elif match := _VERSION.match(word):
        put(word.lower(), at, end)
        put(match[1], at + match.start(1), end)
        put(match[2], at + match.start(2), at + match.end(2))
        for number in re.finditer(r"\d{2,}", word):
            put(number[0], at + number.start(), at + number.end())
    elif _HEX.match(word):
        put(word.lower(), at, end)
    else:
        return False
    return True


def _split_humps(word: str, at: int, put: Callable[[str, int, int], None]) -> None:
    end = at + len(word)
    folded = _fold_word(word)
    put(stem(folded) if folded.isascii() and folded.isalpha() else folded, at, end)
    if _is_plain(word) or folded.isdigit() or not word.isascii():
        return
    humps = list(_CAMEL.finditer(word))
    mixed = any(map(str.isdigit, word))
    for hump in humps if len(humps) > 1 else ():
        text = hump[0]
        if (text.isalpha() and len(text) >= (3 if mixed else 2)) or len(text) > 2:
            put(stem(text.lower()), at + hump.start(), at + hump.end())


def _longest_first(words: str) -> str:
    return "|".join(sorted(map(re.escape, words.split()), key=lambda word: (-len(word), word)))


_PHRASES = re.compile(f"(?P<kept>{_longest_first(stop_words.KEPT_WHOLE)})|(?P<stop>{_longest_first(stop_words.CHINESE)})")
_ENGLISH = frozenset(chain.from_iterable((word, word.replace("n't", "nt")) for word in stop_words.ENGLISH.split()))
STOP_WORDS: frozenset[str] = _ENGLISH.union(
    (_tokens_of(word)[0] for word in _ENGLISH), chain.from_iterable(map(query_tokens, stop_words.CHINESE.split()))
) - {"real", "doe", "quit"}
"""The tokens of all stop words of both languages, stemmed and segmented as documents are."""

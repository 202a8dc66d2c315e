"""The software glossary: what else the terms of a question are called, in Chinese and in English.

Owns reading `resources/glossary/software.tsv` and finding its terms in a question. One concept a line: its Chinese forms,
a tab, its English forms, each list parted by `|`; a word with several senses stands in several lines. Knows no index.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

import msgspec

from tray_app.paths import resource
from tray_app.text import stop_words
from tray_app.text.segment import fold_text, is_unspaced, iter_words, query_tokens, word_tokens

FILE = "glossary/software.tsv"
MOST = 48
"""Terms taken from one question: the first ones of a pasted text."""
SHORTEST_WHOLE = 4
"""Chinese terms of so many characters are looked into for further terms: 自动部署 is about 部署, too."""

_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SPOKEN = re.compile(r"[^\W_]+(?:['’\-/][^\W_]+)*")
"""A word as people say it, or several with hyphens or a slash; whatever else holds signs is code, and is not taken apart
(the parts of identifiers changed no result on the evaluation sets)."""
_HUMPS = re.compile(r"[a-z][A-Z]")
_ENGLISH_STOPS = frozenset(stop_words.ENGLISH.split())
_CHINESE_STOPS = frozenset(stop_words.CHINESE.split())

Piece = tuple[str, int, int]
"""The token of a spoken word, and where it stands."""


class Concept(NamedTuple):
    """One line of the glossary."""

    chinese: tuple[str, ...]
    english: tuple[str, ...]


class Form(msgspec.Struct, frozen=True):
    """A term as it is written, as the tokens to look for, and how many it counts as: stop words are not looked for, but
    'log in' without its 'in' is only half of it."""

    text: str
    tokens: tuple[str, ...]
    size: int


class Term(msgspec.Struct, frozen=True):
    """A term that stands in a question, and what else it is called: in the other language, and in its own. `span` is its
    place in the question as `fold_text` makes it."""

    source: str
    span: tuple[int, int]
    tokens: tuple[str, ...]
    foreign: tuple[Form, ...]
    alike: tuple[Form, ...]


class Glossary:
    """The concepts, to be found by their forms."""

    def __init__(self, concepts: Sequence[Concept]) -> None:
        self._concepts = concepts
        self._chinese: dict[str, list[int]] = {form: [] for form in chain(_CHINESE_STOPS, stop_words.KEPT_WHOLE.split())}
        self._english: dict[tuple[str, ...], list[int]] = {}
        for number, concept in enumerate(concepts):
            for form in concept.chinese:
                if form not in _CHINESE_STOPS:
                    self._chinese.setdefault(form, []).append(number)
            for form in concept.english:
                self._english.setdefault(tuple(token for token, _, _ in _pieces(form)), []).append(number)
        self._longest = _lengths((form[0], len(form)) for form in self._chinese)
        self._most_words = _lengths((tokens[0], len(tokens)) for tokens in self._english)

    def expand(self, text: str) -> tuple[Term, ...]:
        """The terms of a question, each in its first place: the longest where several begin, then those inside it. Stop words
        are no terms. Never raises."""
        found: dict[str, Term] = {}
        row: list[Piece] = []
        folded = fold_text(text)
        for word, at in iter_words(folded):
            spoken = _SPOKEN.fullmatch(word) is not None and not is_unspaced(word[0]) and not _HUMPS.search(word)
            if row and (not spoken or folded[row[-1][2] : at].strip()):
                self._match_english(folded, row, len(row), found)
                row = []
            if spoken:
                row += [(token, at + start, at + end) for token, start, end in _pieces(word)]
            elif is_unspaced(word[0]):
                self._match_chinese(word, at, len(word), found)
            if len(found) >= MOST:
                break
        self._match_english(folded, row, len(row), found)
        return tuple(found.values())[:MOST]

    def _match_chinese(self, run: str, offset: int, most: int, found: dict[str, Term]) -> None:
        """Terms of at most `most` characters in a run that begins at `offset`."""
        at = 0
        while at < len(run):
            for size in range(min(self._longest.get(run[at], 0), len(run) - at, most), 0, -1):
                source = run[at : at + size]
                numbers = self._chinese.get(source)
                if numbers is not None:
                    if numbers and source not in found:
                        span = (offset + at, offset + at + size)
                        self._put(source, span, tuple(query_tokens(source)), numbers, found)
                        if size >= SHORTEST_WHOLE:
                            self._match_chinese(source, offset + at, size - 1, found)
                    at += size
                    break
            else:
                at += 1

    def _match_english(self, folded: str, row: Sequence[Piece], most: int, found: dict[str, Term]) -> None:
        """Terms of at most `most` words in words that stand in a row."""
        at = 0
        while at < len(row):
            for size in range(min(self._most_words.get(row[at][0], 0), len(row) - at, most), 0, -1):
                pieces = row[at : at + size]
                tokens = tuple(token for token, _, _ in pieces)
                numbers = self._english.get(tokens)
                if not numbers:
                    continue
                words = [folded[start:end].lower() for _, start, end in pieces]
                if size == 1 and words[0] in _ENGLISH_STOPS:
                    continue
                span = (pieces[0][1], pieces[-1][2])
                source = folded[slice(*span)].lower()
                if source not in found:
                    self._put(source, span, tokens, numbers, found)
                    if size > 1 and _ENGLISH_STOPS.isdisjoint(words):  # 'log in' is not about logs
                        self._match_english(folded, pieces, size - 1, found)
                at += size
                break
            else:
                at += 1

    def _put(
        self, source: str, span: tuple[int, int], tokens: tuple[str, ...], numbers: Sequence[int], found: dict[str, Term]
    ) -> None:
        concepts = [self._concepts[number] for number in numbers]
        chinese = _forms(chain.from_iterable(concept.chinese for concept in concepts))
        english = _forms(chain.from_iterable(concept.english for concept in concepts))
        foreign, own = (english, chinese) if is_unspaced(source[0]) else (chinese, english)
        alike = tuple(form for form in own if not set(tokens).issuperset(form.tokens))
        found[source] = Term(source, span, tokens, foreign, alike)


def _lengths(sized: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The greatest length of what begins with each."""
    longest: dict[str, int] = {}
    for begin, size in sized:
        longest[begin] = max(longest.get(begin, 0), size)
    return longest


def _forms(texts: Iterable[str]) -> tuple[Form, ...]:
    """Each but once by its tokens, the first that is written so."""
    by_tokens: dict[tuple[str, ...], Form] = {}
    for form in map(_form, texts):
        if form.tokens:
            by_tokens.setdefault(form.tokens, form)
    return tuple(by_tokens.values())


@cache
def _form(text: str) -> Form:
    """Stop words, and single Chinese characters, which stand in too many words, are not looked for."""
    if is_unspaced(text[0]):
        stop = len(text) == 1 or text in _CHINESE_STOPS
        tokens = () if stop else tuple(query_tokens(text))
        return Form(text, tokens, max(len(tokens), 1))
    words = text.split()
    kept = dict.fromkeys(word_tokens(word)[0] for word in words if word not in _ENGLISH_STOPS)
    return Form(text, tuple(kept), len(words))


def _pieces(word: str) -> list[Piece]:
    """The words in a text of words, hyphens and slashes."""
    return [(tokens[0], match.start(), match.end()) for match in _PIECE.finditer(word) if (tokens := word_tokens(match[0]))]


def parse(text: str) -> tuple[Concept, ...]:
    """The concepts of a glossary file."""
    lines = (line.split("\t") for line in text.splitlines() if line)
    return tuple(Concept(tuple(chinese.split("|")), tuple(english.split("|"))) for chinese, english in lines)


@cache
def software() -> Glossary:
    """The glossary that comes with the program; read when the first question needs it (10 ms)."""
    return Glossary(parse(resource(FILE).read_text(encoding="utf-8")))


def expand(text: str) -> tuple[Term, ...]:
    """See `Glossary.expand`."""
    return software().expand(text)

"""Key phrases: what a message is about, in a few of its own words.

Owns two things: short labels cut out of sentences (never longer than `COLUMNS`), and the phrases that come up again in several
messages. Knows no model and no word list of Chinese: how rare a word is, is told by the caller. Pure; the time is linear in
the number of sentences, whose length is bounded by `prose`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate

import msgspec

from tray_app.text import label_words as words
from tray_app.text.graphemes import cut_before
from tray_app.text.prose import Sentence
from tray_app.text.segment import STOP_WORDS, fold_text, is_unspaced, iter_words, split_word

COLUMNS = 40
"""Width of a label; wide characters take two."""
LEAST = 1.0
"""A label must carry about one rare word and a bit: what is below says nothing ('ok that works')."""
HALF = 1.5
"""What a label must carry for half of the greatest score: twice as many rare words make no label twice as good."""
WEAK_SHARE, PAIR_SHARE, NAME_SHARE, NUMBER_SHARE = 0.3, 0.55, 1.25, 0.4
"""What weak words, pairs of a script without spaces, names (identifiers, codes, file names) and numbers count of their rarity."""

_BREAKS = {**dict.fromkeys(words.LATE_BREAKS_ENGLISH.split(), 0.8), **dict.fromkeys(words.BREAKS_ENGLISH.split(), 0.9)}
_STARTS, _ASKING = frozenset(words.STARTS_ENGLISH.split()), frozenset(words.ASKING_ENGLISH.split())
_CLOSED, _LOOSE = frozenset(words.CLOSED_ENGLISH.split()), frozenset(words.LOOSE_ENGLISH.split())
_WISHES, _WEAK = frozenset(words.WISHES_ENGLISH.split()), frozenset(words.WEAK_ENGLISH.split())
_WEAK_PAIRS, _FUNCTION = frozenset(words.WEAK_CHINESE.split()), frozenset(words.FUNCTION_CHARACTERS)
_LEAD_ENGLISH = re.compile(words.LEAD_ENGLISH, re.IGNORECASE)
_TAIL_ENGLISH = re.compile(words.TAIL_ENGLISH, re.IGNORECASE)
_LEAD_CHINESE = re.compile(words.LEAD_CHINESE, re.IGNORECASE)
_TAIL_CHINESE = re.compile(words.TAIL_CHINESE)
_BREAK_CHINESE = re.compile("|".join(sorted(words.BREAKS_CHINESE.split(), key=len, reverse=True)))
_START_AFTER = re.compile(
    r"(?<!\w)(?:i|we|you) (?:want|need|have|like|like you|had|should|must) to |(?<!\w)(?:make sure|so) that ", re.IGNORECASE
)
_POINTING = re.compile(r"(?:it|that|this|these|those|they|he|she)(?![\w-])|[这那它他她](?!么)", re.IGNORECASE)
_POINTING_INSIDE = re.compile(r"(?<![\w-])(?:it|that|this|these|those|them)(?![\w-])", re.IGNORECASE)
_SIGNS = frozenset("{}<>=;|\\~^$*`")
_NAMELESS = re.compile(
    r"(?:(?:new|untitled|default|my|the)?\s*(?:session|chat|conversation|thread|task|agent)?|新(?:的|建)?(?:会话|对话|聊天|任务)?|未命名(?:会话|对话)?)"
    r"[\s#:：\d()（）TZ.-]*",
    re.IGNORECASE,
)
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z'’-]*)\W*$")
_BETWEEN = re.compile(r"\b(?:between|both)(?:(?! and ).)*$", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_EDGES = " \t\u3000,，、:：;；.。!！?？-–—/\\|*#~～…·'’\"“”‘「」"
ASKING = 1.15
"""What a label counts that says what is to be done."""
FLOOR = 0.3
"""What a word counts that stands everywhere: in a library about one thing, its name is still what a day was about."""
_PAIRED = {")": "(", "）": "（", "]": "[", "】": "【", "」": "「", "》": "《", "”": "“"}


class Term(msgspec.Struct, frozen=True, gc=False):
    """A word that may carry a matter: `text[start:end]` of its sentence. `token` is what the dictionary knows, `share` what it
    counts of its rarity."""

    token: str
    start: int
    end: int
    share: float


class Headline(msgspec.Struct, frozen=True, gc=False):
    """A label, how good it is (`score`, 0 to 1), how many rare words it carries (`weight`), and its tokens."""

    label: str
    score: float
    weight: float
    tokens: frozenset[str]


class Spoken(msgspec.Struct, frozen=True):
    """A message taken apart: its sentences, and the terms of each."""

    sentences: tuple[Sentence, ...]
    terms: tuple[tuple[Term, ...], ...]

    @property
    def tokens(self) -> set[str]:
        return {term.token for terms in self.terms for term in terms}


def take_apart(sentences: Iterable[Sentence]) -> Spoken:
    """Find the terms of sentences. Sentences whose folding changes their length are folded themselves, so that places hold."""
    kept: list[Sentence] = []
    found: list[tuple[Term, ...]] = []
    for sentence in sentences:
        folded = fold_text(sentence.text)
        if len(folded) != len(sentence.text):
            sentence = Sentence(folded, (), sentence.share)
        kept.append(sentence)
        found.append(tuple(_terms(folded)))
    return Spoken(tuple(kept), tuple(found))


def headline(
    spoken: Spoken, rarity: Mapping[str, float], *, least: float = LEAST, but: Collection[int] = ()
) -> Headline | None:
    """The best label in a message; None where nothing in it carries so much. `rarity` of a token is 0 (everywhere) to 1;
    sentences whose places are in `but` are left out."""
    best: Headline | None = None
    for place, (sentence, terms) in enumerate(zip(spoken.sentences, spoken.terms, strict=True)):
        if place in but:
            continue
        if best is not None and sentence.share <= best.score:
            continue
        one = _headline_of(sentence, terms, rarity)
        if one is not None and one.weight >= least and (best is None or one.score > best.score):
            best = one
    return best


def title_headline(title: str, rarity: Mapping[str, float]) -> Headline | None:
    """A title as a label: whole where it fits, else what `headline` would cut from it. None for one that says nothing."""
    text = _SPACE.sub(" ", title).strip(" \t.。…")
    if _NAMELESS.fullmatch(text):
        return None
    terms = _terms(fold_text(text))
    tokens = frozenset(term.token for term in terms)
    weight = sum(_worth(term, rarity) for term in terms)
    if not tokens or weight < WEAK_SHARE or not any(map(str.isalnum, text)):
        return None
    if columns(text) <= COLUMNS:
        return Headline(text, weight / (weight + HALF), weight, tokens)
    sentence = Sentence(text, tuple(match.span() for match in re.finditer(r"[,，、:：;；。.!?！？]+\s*", text)))
    spoken = take_apart([sentence])
    return _headline_of(spoken.sentences[0], spoken.terms[0], rarity)


def key_phrases(messages: Sequence[Spoken], rarity: Mapping[str, float], most: int = 5) -> list[str]:
    """Phrases of content words, the most telling first: rare ones, and such as come up in several messages. None contains
    another."""
    weight: dict[str, float] = {}
    shown: dict[str, str] = {}
    seen: dict[str, int] = {}
    for message in messages:
        here: set[str] = set()
        for sentence, terms in zip(message.sentences, message.terms, strict=True):
            for text, value in _runs(sentence.text, terms, rarity):
                key = fold_text(text).lower()
                if key not in here and columns(text) <= COLUMNS:
                    here.add(key)
                    seen[key] = seen.get(key, 0) + 1
                    shown.setdefault(key, text)
                    weight[key] = max(weight.get(key, 0.0), value * sentence.share)
    ranked = sorted(weight, key=lambda key: (-weight[key] * (1 + 0.5 * (min(seen[key], 5) - 1)), key))
    kept: list[str] = []
    for key in ranked:
        if len(kept) == most:
            break
        if not any(key in other or other in key for other in kept):
            kept.append(key)
    return [shown[key] for key in kept]


def is_alike(one: frozenset[str], other: frozenset[str], share: float = 0.6) -> bool:
    """Whether so much of the smaller of two labels is in the other."""
    return bool(one and other) and len(one & other) >= share * min(len(one), len(other))


def columns(text: str) -> int:
    """Columns a text takes: wide characters two, marks none."""
    return len(text) if text.isascii() else sum(map(_columns_of, text))


def fit(text: str, room: int = COLUMNS) -> str:
    """The text in at most so many columns, with … for what was left out."""
    if columns(text) <= room:
        return text
    used = at = 0
    for at, character in enumerate(text):  # noqa: B007
        used += _columns_of(character)
        if used > room - 1:
            break
    cut = cut_before(text, at)
    space = text.rfind(" ", cut * 2 // 3, cut + 1)
    return text[: space if space > 0 else cut].rstrip(_EDGES) + "…"


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _worth(term: Term, rarity: Mapping[str, float]) -> float:
    return (FLOOR + (1 - FLOOR) * rarity.get(term.token, 1.0)) * term.share


def _terms(folded: str) -> list[Term]:
    found: list[Term] = []
    for word, start in iter_words(folded):
        if is_unspaced(word[0]):
            for at in range(len(word) - 1):
                pair = word[at : at + 2]
                if not _FUNCTION.isdisjoint(pair):
                    continue
                share = PAIR_SHARE * (WEAK_SHARE if pair in _WEAK_PAIRS else 1.0)
                found.append(Term(pair, start + at, start + at + 2, share))
            continue
        if word.lower() in _CLOSED:
            continue
        parts = split_word(word)
        if not parts or parts[0][0] in STOP_WORDS or (parts[0][0].isdigit() and len(parts[0][0]) < 3):
            continue
        plain = word.isascii() and word.isalpha()
        share = 1.0 if plain else NAME_SHARE
        if len(word) > COLUMNS or len(word) == 1:
            share = 0.1
        elif word[0].isdigit() and word.strip("%.,:x").isdigit():
            share = NUMBER_SHARE
        elif word.lower() in _WEAK or parts[0][0] in _WEAK:
            share = WEAK_SHARE
        found.append(Term(parts[0][0], start, start + len(word), share))
    return found


def _headline_of(sentence: Sentence, terms: Sequence[Term], rarity: Mapping[str, float]) -> Headline | None:
    """The window of the sentence that carries most and reads well."""
    if not terms:
        return None
    text = sentence.text
    seen: set[str] = set()
    worth = []
    for term in terms:
        worth.append(0.0 if term.token in seen else _worth(term, rarity))
        seen.add(term.token)
    if sum(worth) < WEAK_SHARE:
        return None
    starts, ends = _edges(text, sentence.breaks)
    total = [0.0, *accumulate(worth)]
    best: tuple[float, float, int, int] | None = None
    for start, start_share in starts:
        first = last = next((at for at, term in enumerate(terms) if term.start >= start), len(terms))
        for end, end_share in ends:
            if end <= start:
                continue
            if columns(text[start:end]) > COLUMNS:
                break
            while last < len(terms) and terms[last].end <= end:
                last += 1
            weight = total[last] - total[first]
            score = weight / (weight + HALF) * start_share * end_share * sentence.share * _reads(text[start:end])
            if best is None or score > best[0] + 1e-9:
                best = (score, weight, start, end)
    inside = [term for term in terms if best[2] <= term.start and term.end <= best[3]] if best else []
    if best is None or len(inside) < 2:  # a lone word says less than as much as fits, cut anywhere
        whole = _cut_hard(sentence, terms, worth)
        if best is None or best[1] < WEAK_SHARE or (whole is not None and whole.score > best[0]):
            return whole
    score, weight, start, end = best
    return _made(text[start:end], score, weight, inside)


def _reads(text: str) -> float:
    """What a label counts for how it reads: less for signs, and for words that point at something outside it."""
    signs = sum(character in _SIGNS for character in text)
    figures = sum(map(str.isdigit, text))
    return (
        (0.8 if signs > 1 else 1.0)
        * (0.85 if (signs + figures) * 3 > len(text) else 1.0)
        * (0.9 if _POINTING_INSIDE.search(text) else 1.0)
    )


def _cut_hard(sentence: Sentence, terms: Sequence[Term], worth: Sequence[float]) -> Headline | None:
    """No border is near: what fits from the beginning on."""
    start = _skip_lead(sentence.text)
    text = fit(sentence.text[start:])
    end = start + len(text) - 1
    inside = [(term, value) for term, value in zip(terms, worth, strict=True) if start <= term.start and term.end <= end]
    weight = sum(value for _, value in inside)
    return _made(text, weight / (weight + HALF) * 0.7 * sentence.share, weight, [term for term, _ in inside])


def _made(text: str, score: float, weight: float, terms: Iterable[Term]) -> Headline | None:
    label = _polish(text)
    if not any(map(str.isalnum, label)):
        return None
    return Headline(label, score, weight, frozenset(term.token for term in terms))


def _polish(text: str) -> str:
    """Without marks at its ends, brackets that have no partner, and with a capital where a plain word begins it."""
    text = _SPACE.sub(" ", text).strip(" ")
    dots = "…" if text.endswith("…") else ""
    text = text.strip(_EDGES)
    if text.count('"') % 2:
        text = text.replace('"', "")
    for closing, opening in _PAIRED.items():
        if text.count(closing) != text.count(opening):
            text = text.replace(closing, " ").replace(opening, " ")
    text = _SPACE.sub(" ", text).strip(_EDGES)
    while " " in text and text.rsplit(" ", 1)[1].lower() in _LOOSE:
        text = text.rsplit(" ", 1)[0].rstrip(_EDGES)
    first = text.split(" ", 1)[0]
    if text.isascii() and first.isalpha() and first.islower() and " " in text:
        text = text[0].upper() + text[1:]
    return fit(text + dots)


def _skip_lead(text: str, at: int = 0) -> int:
    """Where what is said begins, behind 'ok, can you please' and '帮我'."""
    while at < len(text):
        rest = text[at : at + 80]
        match = _LEAD_ENGLISH.match(rest) or _LEAD_CHINESE.match(rest)
        if not match or not match.end():
            return at
        at += match.end()
        while at < len(text) and text[at] in _EDGES:
            at += 1
    return at


def _last_word(text: str) -> str:
    match = _LAST_WORD.search(text[-40:])
    return match[1].lower() if match else ""


def _without_tail(text: str) -> int:
    """Where what is said ends."""
    while True:
        match = _TAIL_ENGLISH.search(text[-40:]) or _TAIL_CHINESE.search(text[-40:])
        if not match:
            return len(text.rstrip(_EDGES))
        text = text[: len(text) - min(40, len(text)) + match.start()]


def _edges(text: str, breaks: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Where a label may begin and end, in order, each with what it costs."""
    start, end = _skip_lead(text), _without_tail(text)
    first = text[start : start + 20].split(" ", 1)[0].lower()
    asks = first in _ASKING
    starts: dict[int, float] = {start: ASKING if asks else 0.85 if _POINTING.match(text, start) else 1.0}
    ends: dict[int, float] = {end: 1.0}
    for from_, to in breaks:
        if start < from_ < end and _last_word(text[:from_]) not in _CLOSED:
            ends.setdefault(_without_tail(text[:from_]), 0.96)
        if start < to < end:
            starts.setdefault(_skip_lead(text, to), 0.86)
    for match in _START_AFTER.finditer(text):
        if start < match.end() < end:
            starts.setdefault(match.end(), 0.86)
    before = ""
    for match in re.finditer(r"[A-Za-z][A-Za-z'’-]*", text):
        word, at = match[0].lower(), match.start()
        paired = word == "and" and _BETWEEN.search(text, 0, at) is not None
        if start < at < end and not paired and (at == 0 or text[at - 1] == " "):
            share = _BREAKS.get(word)
            if share and before not in _CLOSED and (word != "to" or before not in _WISHES):
                ends.setdefault(len(text[:at].rstrip(_EDGES)), share)
            if word in _STARTS and text[match.end() : match.end() + 1] == " ":
                begin = _skip_lead(text, match.end() + 1)
                if text[begin:].split(" ", 1)[0].lower() not in _CLOSED:
                    starts.setdefault(begin, 0.74)
        before = word
    last = -1
    for match in _BREAK_CHINESE.finditer(text):
        if start < match.start() < end and match.start() != last:
            ends.setdefault(match.start(), 0.85)
        last = match.end()
        if start < match.end() < end:
            starts.setdefault(_skip_lead(text, match.end()), 0.8)
    return sorted((at, share) for at, share in starts.items() if at < end), sorted(ends.items())


def _runs(text: str, terms: Sequence[Term], rarity: Mapping[str, float]) -> Iterable[tuple[str, float]]:
    """Runs of content words with nothing between them but a space, or overlapping pairs."""
    at = 0
    while at < len(terms):
        end = at + 1
        while end < len(terms) and text[terms[end - 1].end : terms[end].start] in ("", " ", "-") and end - at < 6:
            end += 1
        group = terms[at:end]
        value = sum(_worth(term, rarity) for term in group)
        run = text[group[0].start : group[-1].end].strip(_EDGES)
        if value >= 2 * WEAK_SHARE and len(run) > 1 and any(map(str.isalnum, run)):
            yield run, value
        at = end

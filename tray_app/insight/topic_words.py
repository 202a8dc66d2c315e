"""What a day was about, without a model: its talk parted into topics, each with a label in the person's own words.

Owns the rules by which sessions become topics: a topic is a session's part of the day, or a stretch of it where something new
came up, or several sessions of a project about the same thing. Reads no file and no table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, tzinfo

import msgspec

from tray_app.library.topics import Said, Speaker
from tray_app.records import Topic, TopicCard
from tray_app.text.dates import local_day
from tray_app.text.key_phrases import (
    Headline,
    Spoken,
    fit,
    headline,
    is_alike,
    key_phrases,
    take_apart,
    title_headline,
)
from tray_app.text.prose import prose

FEWEST, MOST = 3, 5
LONG = 8
"""Rounds of a topic that is parted further though there are enough topics already."""
NEW_SCORE, NEW_WEIGHT = 0.5, 1.6
"""What a label must reach for a new topic to begin in the middle of a session. One topic at most for every second round."""
OPENING = 1.5
"""What the label of a session's first words counts beside those of later ones: these words are often the title, which makes
them frequent."""
WORTH_SHOWING = 0.35
"""What a label must reach to be shown rather than the title of a session that began on another day."""
LONG_LABEL = 4
"""Words of a label that is looked for in other sessions."""
SAME_MATTER, SAME_MATTER_ELSEWHERE = 0.3, 0.55
"""Share of rare words two sessions must have in common to be one topic: of one project, of different ones."""


class Round(msgspec.Struct, frozen=True, gc=False):
    """One round of the day. `session` is the one it stands in, `said` and `spoken` the person's words that opened it (None in
    the rounds of sub-agents, and where nothing was kept)."""

    session: int
    time: int
    said: Said | None = None
    spoken: Spoken | None = None


class Part(msgspec.Struct):
    """The rounds of one session (sub-agents' too) on the day."""

    speaker: Speaker
    rounds: list[Round]
    begins: bool = True
    """The session began on this day."""


class _Stretch:
    """Rounds in a row about one thing, of one session or, after merging, of several."""

    def __init__(self, part: Part, rounds: list[Round], *, opening: bool, head: Headline | None = None) -> None:
        self.part, self.rounds, self.opening = part, rounds, opening
        self.head, self.place = head, rounds[0]
        self.others: list[_Stretch] = []

    @property
    def size(self) -> int:
        return len(self.rounds) + sum(len(other.rounds) for other in self.others)


def parts_of_day(
    day: date, zone: tzinfo, rounds: Iterable[tuple[int, int, int]], said: Iterable[Said], speakers: Mapping[int, Speaker],
    parents: Mapping[int, int],
) -> list[Part]:  # fmt: skip
    """Put a day's rounds, given as (session, seq, time) each once, to the sessions they count to, in order of time."""
    words: dict[tuple[int, int], list[Said]] = {}
    for one in said:
        words.setdefault((one.session, one.round), []).append(one)
    parts: dict[int, Part] = {}
    for session, seq, time in sorted(rounds, key=lambda one: (one[2], one[1])):
        root = parents.get(session, session)
        speaker = speakers.get(root)
        if speaker is None:
            continue
        if root not in parts:
            begins = bool(speaker.start) and local_day(speaker.start, zone) == day
            parts[root] = Part(speaker, [], begins or not speaker.start)
        told = words.get((session, seq)) if session == root else None
        if told:
            spoken = take_apart(sentence for one in told for sentence in prose(one.text))
            parts[root].rounds.append(Round(session, time, told[0], spoken))
        else:
            parts[root].rounds.append(Round(session, time))
    return list(parts.values())


def tokens_of(parts: Iterable[Part]) -> set[str]:
    """The words whose rarity `card_of` wants to know."""
    found: set[str] = set()
    for part in parts:
        for one in part.rounds:
            if one.spoken is not None:
                found |= one.spoken.tokens
        found |= take_apart(prose(part.speaker.title)).tokens
    return found


def card_of(
    day: date, parts: Sequence[Part], rarity: Mapping[str, float], repeated: Callable[[frozenset[str]], bool]
) -> TopicCard:
    """The card of a day: at most `MOST` topics, those of the longest sessions first, in the order they came up in these; at
    least `FEWEST` where the day holds so many. `repeated` says whether many sessions hold all of these words in one place, as
    they do what the person puts before every question."""
    heads = _Heads(rarity, repeated)
    stretches = [_Stretch(part, part.rounds, opening=True) for part in parts if part.rounds]
    for stretch in stretches:
        stretch.head = heads.of(stretch)
    topics = _merged([stretch for stretch in stretches if stretch.head is not None], rarity)
    _part_further(topics, heads)
    spent: dict[int, int] = {}
    for one in topics:
        spent[one.part.speaker.id] = spent.get(one.part.speaker.id, 0) + one.size
    topics.sort(key=lambda one: (-spent[one.part.speaker.id], one.part.speaker.id, one.rounds[0].time))
    return TopicCard(
        day=day.isoformat(),
        date_text=day.isoformat(),
        topics=tuple(_topic(one) for one in topics[:MOST]),
        sessions=len(parts),
        rounds=sum(len(part.rounds) for part in parts),
    )


def _topic(stretch: _Stretch) -> Topic:
    group = sorted([stretch, *stretch.others], key=lambda one: -len(one.rounds))
    main = group[0]
    place = stretch.place if main is stretch else main.place
    if place.said is None:
        place = next((one for one in main.rounds if one.said is not None), place)
    label = stretch.head.label if stretch.head else ""
    return Topic(
        label=label,
        session=main.part.speaker.native,
        agent=main.part.speaker.agent,
        project=main.part.speaker.project,
        message_id=place.said.native if place.said else "",
        rounds=stretch.size,
        sessions=len({one.part.speaker.id for one in group}),
        agents=tuple(dict.fromkeys(one.part.speaker.agent for one in group)),
    )


class _Heads:
    """The labels of rounds, each looked for once."""

    def __init__(self, rarity: Mapping[str, float], repeated: Callable[[frozenset[str]], bool]) -> None:
        self.rarity, self.repeated = rarity, repeated
        self._known: dict[int, Headline | None] = {}

    def of_round(self, one: Round, *, opens: bool = False) -> Headline | None:
        key = id(one)
        if key not in self._known:
            find = self._own if opens else self._any
            self._known[key] = find(one.spoken) if one.spoken is not None else None
        return self._known[key]

    def _any(self, spoken: Spoken) -> Headline | None:
        return headline(spoken, self.rarity)

    def _own(self, spoken: Spoken) -> Headline | None:
        """The label of a session's first message, not of what is said first in every session."""
        found = headline(spoken, self.rarity)
        left_out: set[int] = set()
        while found is not None and len(found.tokens) >= LONG_LABEL and self.repeated(found.tokens):
            tokens = found.tokens
            left_out |= {place for place, terms in enumerate(spoken.terms) if tokens <= {term.token for term in terms}}
            found = headline(spoken, self.rarity, but=left_out)
        return found

    def of(self, stretch: _Stretch) -> Headline | None:
        """The label of a stretch: the session's name where it began here and was named, else the best that was said, else
        phrases that came up. Notes where it was said."""
        speaker = stretch.part.speaker
        named = title_headline(speaker.title, self.rarity) if stretch.opening and speaker.title else None
        if named is not None and speaker.title_rank > 0 and stretch.part.begins and not _repeats(speaker.title, stretch.place):
            return named
        best: Headline | None = None
        value = 0.0
        for place, one in enumerate(stretch.rounds):
            head = self.of_round(one, opens=place == 0 and stretch.opening)
            worth = head.score * (OPENING if place == 0 else 1.0) if head else 0.0
            if worth > value:
                best, value, stretch.place = head, worth, one
        least = NEW_SCORE if stretch.part.begins else WORTH_SHOWING
        if best is not None and (best.score >= least or named is None):
            return best
        if named is not None:
            return self._said_title(speaker) or named
        return best or self._phrases(stretch)

    def _said_title(self, speaker: Speaker) -> Headline | None:
        """A title that repeats what was said first is cut like it."""
        return None if speaker.title_rank > 0 else headline(take_apart(prose(speaker.title)), self.rarity)

    def _phrases(self, stretch: _Stretch) -> Headline | None:
        spoken = [one.spoken for one in stretch.rounds if one.spoken is not None]
        found = key_phrases(spoken, self.rarity, 2)
        if not found:
            return None
        return Headline(fit(" · ".join(found)), 0.1, 0.0, frozenset(take_apart(prose(" ".join(found))).tokens))


def _repeats(title: str, first: Round) -> bool:
    """Whether a title is merely the beginning of what was said first, cut somewhere."""
    said = " ".join(first.said.text.split()) if first.said else ""
    begin = " ".join(title.split()).rstrip(".… ")
    return said.startswith(begin) and len(said) > len(begin) + 1


def _merged(stretches: list[_Stretch], rarity: Mapping[str, float]) -> list[_Stretch]:
    """Sessions about the same thing as one topic, under the label of the longest."""
    kept: list[tuple[_Stretch, dict[str, float]]] = []
    for stretch in sorted(stretches, key=lambda one: (-len(one.rounds), one.rounds[0].time)):
        weights = _weights(stretch, rarity)
        for other, known in kept:
            if _is_same(stretch, weights, other, known):
                other.others.append(stretch)
                break
        else:
            kept.append((stretch, weights))
    return [stretch for stretch, _ in kept]


def _is_same(one: _Stretch, weights: dict[str, float], other: _Stretch, known: dict[str, float]) -> bool:
    if one.head is None or other.head is None:
        return False
    if one.head.label.casefold() == other.head.label.casefold():
        return True
    least = min(sum(weights.values()), sum(known.values()))
    common = sum(weight for token, weight in weights.items() if token in known)
    project = one.part.speaker.project
    needed = SAME_MATTER if project and project == other.part.speaker.project else SAME_MATTER_ELSEWHERE
    return least > 0 and common >= needed * least and is_alike(one.head.tokens, frozenset(known), needed)


def _weights(stretch: _Stretch, rarity: Mapping[str, float]) -> dict[str, float]:
    """Rare words of what was said, and of the label."""
    found = set(stretch.head.tokens) if stretch.head else set()
    for one in stretch.rounds:
        if one.spoken is not None:
            found |= {term.token for terms in one.spoken.terms for term in terms if term.share >= 0.5}
    return {token: rarity.get(token, 1.0) for token in found}


def _part_further(topics: list[_Stretch], heads: _Heads) -> None:
    """Where there are few topics, or one is long, begin a new one where the person came up with something new."""
    closed: set[int] = set()
    room = {id(one.part): (len(one.rounds) - 1) // 2 for one in topics}
    while len(topics) < MOST:
        open_ones = [
            one for one in topics if id(one) not in closed and not one.others and len(one.rounds) > 1 and room[id(one.part)]
        ]
        if len(topics) >= FEWEST:
            open_ones = [one for one in open_ones if len(one.rounds) >= LONG]
        if not open_ones:
            return
        stretch = max(open_ones, key=lambda one: len(one.rounds))
        at = _new_matter(stretch, topics, heads)
        if at is None:
            closed.add(id(stretch))
            continue
        rest = _Stretch(stretch.part, stretch.rounds[at:], opening=False, head=heads.of_round(stretch.rounds[at]))
        room[id(stretch.part)] -= 1
        stretch.rounds = stretch.rounds[:at]
        if stretch.place not in stretch.rounds:
            stretch.place = stretch.rounds[0]
            stretch.head = heads.of(stretch) or stretch.head
        topics.append(rest)


def _new_matter(stretch: _Stretch, topics: Sequence[_Stretch], heads: _Heads) -> int | None:
    """The round with the best label that is unlike those there are."""
    best, found = 0.0, None
    for at, one in enumerate(stretch.rounds[1:], 1):
        head = heads.of_round(one)
        if head is None or one is stretch.place or head.score < max(NEW_SCORE, best) or head.weight < NEW_WEIGHT:
            continue
        if not any(topic.head and is_alike(head.tokens, topic.head.tokens, 0.5) for topic in topics):
            best, found = head.score, at
    return found

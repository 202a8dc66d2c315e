"""A question as it is understood: what is searched for, in what time, by which filters.

Owns what of the question is words, what time and what operators. Reads no index.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

import msgspec

from tray_app.clock import iso
from tray_app.recall.query import ParsedQuery, parse
from tray_app.records import SearchRequest, TimeRange, Understood
from tray_app.text.segment import content_tokens, query_tokens
from tray_app.text.timeref import TimeRef, understand

MOST_HITS = 200
SURE = 0.65
"""How sure a time must be to part what is shown (`TimeRef.sure`)."""
_LATELY = re.compile(
    r"现在|目前|当前|如今|眼下|最新|現在|當前|\b(?:currently|nowadays|right now|these days|at the moment|latest|(?:the|our|my) current)\b|^current\b",
    re.IGNORECASE,
)


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """`text` is without operators and time words, `span` the understood time in epoch ms, half open."""

    text: str
    words: list[str]
    ignored: list[str]
    parsed: ParsedQuery
    time: TimeRange | None
    span: tuple[int, int] | None
    sure: bool
    """The time is when the talk was, not what it was about."""
    lately: bool
    """It is asked how something is now."""
    narrowed: bool
    """A filter was given or a time was meant, if only 'recently': what lies there may be shown without any word."""
    now: int
    limit: int
    sessions: int
    dedupe: bool
    refill: bool
    fresh_first: bool

    @property
    def meant(self) -> str:
        """What is asked of the leg of meaning: the words without operators and times, quoted ones too."""
        return " ".join((self.text, *self.parsed.phrases)).strip() if self.words else ""

    def understood(self, translated: tuple[str, ...]) -> Understood:
        return Understood(
            query=self.text, words=tuple(self.words), ignored=tuple(self.ignored), phrases=self.parsed.phrases,
            excluded=self.parsed.excluded, translated=translated, time=self.time, filters=dict(self.parsed.filters),
        )  # fmt: skip


def understand_request(request: SearchRequest, now: datetime) -> Question:
    """The request's question at `now`, whose zone is that of days. Raises UsageError for a filter that cannot be meant."""
    zone = now.tzinfo or UTC
    parsed = parse(request, zone)
    ref = None if request.ignore_time else understand(parsed.text, now)
    text = _without(parsed.text, ref)
    words, ignored = content_tokens(text)
    words = list(dict.fromkeys(words + [word for phrase in parsed.phrases for word in query_tokens(phrase)]))
    return Question(
        text=text, words=words, ignored=ignored, parsed=parsed, time=_range(parsed, ref, hard=not words, zone=zone), span=_span(ref),
        sure=ref is None or ref.sure >= SURE, lately=_LATELY.search(parsed.text) is not None,
        narrowed=bool(ref or parsed.filters) or parsed.since is not None or parsed.until is not None,
        now=int(now.timestamp() * 1000), limit=min(request.limit, MOST_HITS), sessions=request.max_sessions,
        dedupe=request.dedupe, refill=request.fill_after_dedupe, fresh_first=request.fresh_first,
    )  # fmt: skip


def _without(text: str, ref: TimeRef | None) -> str:
    kept, at = [], 0
    for start, end in ref.spans if ref else ():
        kept.append(text[at:start])
        at = end
    return " ".join(" ".join([*kept, text[at:]]).split())


def _span(ref: TimeRef | None) -> tuple[int, int] | None:
    if ref is None or (ref.start is None and ref.end is None):
        return None
    start = int(ref.start.timestamp() * 1000) if ref.start else 0
    end = int(ref.end.timestamp() * 1000) if ref.end else 1 << 53
    return start, end


def _range(parsed: ParsedQuery, ref: TimeRef | None, *, hard: bool, zone: tzinfo) -> TimeRange | None:
    if parsed.since is not None or parsed.until is not None:
        start = datetime.fromtimestamp(parsed.since / 1000, zone) if parsed.since is not None else None
        end = datetime.fromtimestamp(parsed.until / 1000, zone) if parsed.until is not None else None
        return _time_range(" ".join(parsed.bounds), start, end, hard=True)
    if ref is None or (ref.start is None and ref.end is None):
        return None
    return _time_range(ref.label or ref.words, ref.start, ref.end, hard=hard)


def _time_range(words: str, start: datetime | None, end: datetime | None, *, hard: bool) -> TimeRange:
    return TimeRange(
        words=words,
        start=iso(int(start.timestamp() * 1000)) if start else None,
        end=iso(int(end.timestamp() * 1000)) if end else None,
        first_day=start.date().isoformat() if start else None,
        last_day=(end - timedelta(microseconds=1)).date().isoformat() if end else None,
        hard=hard,
    )

"""The question as typed: operators, "phrases", -not, and what is left to search for.

Nothing a person types is an error here: what is no operator is words. `agent:codex project:x role:user kind:tool session:id
before:2026-10-01 after:2026-09-01`; full-width colons and Chinese quotation marks are taken too.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

import msgspec

from tray_app.records import SearchRequest

MOST = 2_000
"""Characters of a question that are looked at."""

FILTERS = ("agent", "project", "role", "kind", "session")
_ALIASES = {"after": "since", "since": "since", "before": "until", "until": "until", **{name: name for name in FILTERS}}
_OPERATOR = re.compile(r'(?<!\S)(agent|project|role|kind|session|after|since|before|until)[:：]("[^"]*"|\S+)', re.IGNORECASE)
_PHRASE = re.compile(r'(?<![^\s(（])(-?)(?:"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』)')
_NOT = re.compile(r"(?<!\S)-(?=[^\s\-])(\S+)")
_DAY = re.compile(r"^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?$")


class ParsedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """`text` is what is searched by words; `since` and `until` are hard, half open, in epoch ms (None: open)."""

    text: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    filters: dict[str, str] = {}
    since: int | None = None
    until: int | None = None
    bounds: tuple[str, ...] = ()
    """The operators that set the time, as typed."""
    faults: tuple[str, ...] = ()
    """Operators whose value could not be used."""
    cut: bool = False


def parse(request: SearchRequest, zone: tzinfo) -> ParsedQuery:
    """The request's question and its filter fields, as one."""
    text = request.query.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
    cut = len(text) > MOST
    text = text[:MOST]
    given = {name: value for name in FILTERS if (value := getattr(request, name))}
    bounds = {"since": request.since, "until": request.until}
    shown: list[str] = []
    faults: list[str] = []

    def take_operator(match: re.Match[str]) -> str:
        name, value = _ALIASES[match[1].lower()], match[2].strip('"')
        if name in bounds:
            if moment(value, zone, end=False) is None:
                return match[0]
            bounds[name] = value
            shown.append(match[0])
        elif value:
            given[name] = value
        return " "

    text = _OPERATOR.sub(take_operator, text)
    phrases: list[str] = []
    excluded: list[str] = []

    def take_phrase(match: re.Match[str]) -> str:
        phrase = next(group for group in match.groups()[1:] if group)
        (excluded if match[1] else phrases).append(phrase.strip())
        return " "

    text = _PHRASE.sub(take_phrase, text)
    words = text.split()
    positive = [word for word in words if not _NOT.fullmatch(word)]
    if positive or phrases:
        excluded += [word[1:] for word in words if _NOT.fullmatch(word)]
        words = positive
    since = until = None
    for name, value in bounds.items():
        if not value:
            continue
        instant = moment(value, zone, end=False)
        if instant is None:
            faults.append(value)
        elif name == "since":
            since = instant
        else:
            until = instant
    return ParsedQuery(
        text=" ".join(words), phrases=tuple(filter(None, phrases)), excluded=tuple(filter(None, excluded)), filters=given,
        since=since, until=until, bounds=tuple(shown), faults=tuple(faults), cut=cut,
    )  # fmt: skip


def moment(value: str, zone: tzinfo, *, end: bool) -> int | None:
    """Epoch ms of a day (2026-10-01), month (2026-10) or ISO moment, local where no zone is given; None if it is none."""
    day = _DAY.match(value)
    try:
        if day:
            found = datetime(int(day[1]), int(day[2]), int(day[3] or 1), tzinfo=zone)
            if end:
                found += timedelta(days=1)
        else:
            found = datetime.fromisoformat(value)
            if found.tzinfo is None:
                found = found.replace(tzinfo=zone)
        return int(found.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None

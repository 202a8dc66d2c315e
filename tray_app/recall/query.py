"""The question as typed: operators, "phrases", -not, and what is left to search for.

Nothing a person types is an error here: what is no operator is words. `agent:codex project:x role:user kind:tool session:id
before:2026-10-01 after:2026-09-01`; full-width colons and Chinese quotation marks are taken too.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo

import msgspec

from tray_app.errors import UsageError
from tray_app.records import SearchRequest

MOST = 2_000
"""Characters of a question that are looked at."""

FILTERS = ("agent", "project", "role", "kind", "session")
_ALIASES = {"after": "since", "since": "since", "before": "until", "until": "until", **{name: name for name in FILTERS}}
_CURLY = r"“(?:[^”]+)”|「(?:[^」]+)」|『(?:[^』]+)』"
_STRAIGHT = r'"(?:[^"]+)"'
_MARKED = re.compile(
    rf"(?<!\S)(?P<name>{'|'.join(_ALIASES)})[:：](?P<value>{_STRAIGHT}|{_CURLY}|\S+)"
    rf"|(?:(?<!\S)(?P<minus>-))?(?P<phrase>(?:(?<![^\s(（\-\u3000-\u9fff]){_STRAIGHT})|{_CURLY})",
    re.IGNORECASE,
)
"""An operator or a phrase, whichever begins first: what stands inside quotation marks is never an operator."""
_QUOTES = '"“”「」『』'
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
    cut: bool = False


def parse(request: SearchRequest, zone: tzinfo) -> ParsedQuery:
    """The request's question and its filter fields, as one. Raises UsageError for a `since` or `until` that is no moment."""
    text = _plain(request.query)
    cut = len(text) > MOST
    text = text[:MOST]
    given = {name: _plain(value) for name in FILTERS if (value := getattr(request, name))}
    bounds = {"since": _bound(request.since, zone), "until": _bound(request.until, zone)}
    shown: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []

    def take(match: re.Match[str]) -> str:
        if match["phrase"]:
            (excluded if match["minus"] else phrases).append(match["phrase"].strip(_QUOTES).strip())
            return " "
        name, value = _ALIASES[match["name"].lower()], match["value"].strip(_QUOTES).strip()
        if name in bounds:
            instant = moment(value, zone)
            if instant is None:
                return match[0]
            bounds[name] = instant
            shown.append(match[0])
        elif value:
            given[name] = value
        return " "

    text = _MARKED.sub(take, text)
    words = text.split()
    positive = [word for word in words if not _NOT.fullmatch(word)]
    if positive or phrases or given or shown:  # alone it is no exclusion but a flag somebody looks for: -rf
        excluded += [word[1:] for word in words if _NOT.fullmatch(word)]
        words = positive
    return ParsedQuery(
        text=" ".join(words), phrases=tuple(filter(None, phrases)), excluded=tuple(filter(None, excluded)), filters=given,
        since=bounds["since"], until=bounds["until"], bounds=tuple(shown), cut=cut,
    )  # fmt: skip


def _plain(text: str) -> str:
    """Without NUL and halves of surrogate pairs, which neither the database nor JSON can hold."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")


def _bound(value: str | None, zone: tzinfo) -> int | None:
    if not value:
        return None
    instant = moment(value, zone)
    if instant is None:
        raise UsageError("bad_moment", "Not a moment", f"{value!r} is no day and no moment in ISO 8601.")
    return instant


def moment(value: str, zone: tzinfo) -> int | None:
    """Epoch ms of a day (2026-10-01, from its midnight), month (2026-10) or ISO moment, local where no zone is given; None
    if it is none."""
    day = _DAY.match(value)
    try:
        if day:
            found = datetime(int(day[1]), int(day[2]), int(day[3] or 1), tzinfo=zone)
        else:
            found = datetime.fromisoformat(value)
            if found.tzinfo is None:
                found = found.replace(tzinfo=zone)
        return int(found.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None

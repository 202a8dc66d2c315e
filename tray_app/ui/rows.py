"""The flat rows of the left-hand list, made from an answer, from the sessions, or from a menu of candidates.

Owns which rows there are, in which order, and their words in the language in force. Knows nothing of painting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tray_app.records import Answer, FallbackMenu, Hit, SessionHits, SessionItem
from tray_app.service.families import Family, families
from tray_app.ui import i18n, why_texts, wording
from tray_app.ui.text_layout import Marks, one_line

HEAD, PASSAGE, OUTSIDE, TITLE, DAY, RECENT, DOUBT, CANDIDATE, FURTHER, CHOOSE = (
    "head", "passage", "outside", "title", "day", "recent", "doubt", "candidate", "further", "choose",
)  # fmt: skip
SELECTABLE = frozenset((PASSAGE, RECENT, CANDIDATE, FURTHER))
RECENT_SESSIONS = 40


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `anchor` is the same for the same passage, session or candidate in the next answer."""

    kind: str
    anchor: str = ""
    session: str = ""
    agent: str = ""
    project: str = ""
    title: str = ""
    detail: str = ""
    age: str = ""
    text: str = ""
    marks: Marks = ()
    role: str = ""
    reasons: tuple[str, ...] = ()
    also: str = ""
    lines: int = 2
    number: int = 0
    message_id: str = ""
    first: bool = False
    """The first of its kind: no line above it."""
    why: str = ""
    """Why it stands here, a line a reason; '' where that was not asked for."""
    hit: Hit | None = None
    group: SessionHits | None = None

    @property
    def spoken(self) -> str:
        """The row in one sentence, for screen readers."""
        parts = [f"{self.number}." if self.number else "", self.title, self.detail, self.age]
        if self.kind == PASSAGE and self.group is not None:
            who = wording.role_name(self.role, self.agent)
            parts = [f"{who}: {one_line(self.text)}", one_line(self.group.title), self.age, ", ".join(self.reasons), self.also]
        elif self.text:
            parts.insert(2, one_line(self.text))
        return ", ".join(part for part in parts if part)


def find_marks(text: str, words: Sequence[str], translated: Sequence[str]) -> Marks:
    """Where the words of a question stand, and those that the glossary added: these only where a word begins."""
    across = (
        (start, end)
        for start, end in find_words(text, translated)
        if not (text[start].isascii() and start and text[start - 1].isascii() and text[start - 1].isalnum())
    )
    return tuple(sorted({*find_words(text, words), *across}))


def of_answer(answer: Answer) -> list[Row]:
    """Heads and passages, grouped by session; what lies outside the understood time stands below, under its own line."""
    time = answer.understood.time
    called = one_line(time.words) if time is not None else ""
    inside: list[Row] = []
    outside: list[Row] = []
    for group in answer.sessions:
        for rows, hits in (
            (inside, [hit for hit in group.hits if not hit.outside_time]),
            (outside, [hit for hit in group.hits if hit.outside_time]),
        ):
            if hits:
                rows.extend(_group(group, hits, answer, called, first=not rows))
    if not outside:
        return inside
    title = wording.outside_time(called)
    return [*inside, Row(OUTSIDE, title=title, first=not inside), *outside]


def _group(group: SessionHits, hits: Sequence[Hit], answer: Answer, time: str, *, first: bool) -> list[Row]:
    age = i18n.age(min(hit.age_days for hit in hits))
    detail = detail_line(group.agent, group.project, kinship(group), i18n.day(hits[0].date_text or group.end_date_text))
    rows = [
        Row(HEAD, f"head:{group.session}", group.session, group.agent, group.project, session_title(group.title), detail, age,
            first=first, group=group)
    ]  # fmt: skip
    across = answer.understood.translated
    for place, hit in enumerate(hits):
        text, marks = (hit.snippet, hit.snippet_marks) if hit.snippet else (hit.text, hit.marks)
        rows.append(
            Row(
                PASSAGE,
                f"hit:{group.session}:{hit.message_id}",
                group.session,
                group.agent,
                group.project,
                age=i18n.age(hit.age_days),
                text=text,
                marks=tuple(sorted({*marks, *find_marks(text, (), across)})) if across else marks,
                role=hit.role,
                reasons=hit.reasons,
                also=wording.also_in(hit.duplicate_count) if hit.duplicate_count else "",
                lines=3 if place == 0 else 2,
                message_id=hit.message_id,
                first=place == 0,
                why=why_texts.texts.sentence(hit, answer.hits, wording.quoted(time) if time else ""),
                hit=hit,
                group=group,
            )
        )
    return rows


def of_sessions(items: Sequence[SessionItem]) -> list[Row]:
    """The latest sessions under the days they ended, sub-agents folded under theirs."""
    if not items:
        return []
    rows = [Row(TITLE, title=wording.recent_sessions(), first=True)]
    day = None
    for family in families(items)[:RECENT_SESSIONS]:
        item = family.head
        ended = i18n.local(item.end)
        this = ended.date() if ended is not None else i18n.local_day(item.end_date_text)
        if this != day or len(rows) == 1:
            rows.append(Row(DAY, title=i18n.named_day(this), first=len(rows) == 1))
            day = this
        rows.append(
            Row(
                RECENT,
                f"session:{item.session}",
                item.session,
                item.agent,
                item.project,
                session_title(item.title),
                detail_line(item.agent, item.project, kinship(item), extent(family)),
                i18n.since(ended),
            )
        )
    return rows


def of_menu(answer: Answer, menu: FallbackMenu, *, further: bool) -> list[Row]:
    """The question, its candidates, and the way on."""
    rows = [Row(DOUBT, title=wording.verdict_text(answer) or menu.question, detail=wording.reason_text(answer), first=True)]
    today = i18n.now().date()
    words = tuple(word for word in answer.understood.words if word)
    for place, item in enumerate(menu.sessions[:9]):
        day = i18n.local_day(item.date_text)
        text = one_line(item.preview)
        rows.append(
            Row(
                CANDIDATE,
                f"candidate:{item.session}",
                item.session,
                item.agent,
                item.project,
                session_title(item.title),
                detail_line(item.agent, item.project, i18n.day(item.date_text)),
                i18n.age((today - day).days) if day is not None else "",
                text=text,
                marks=find_marks(text, words, answer.understood.translated),
                number=place + 1,
                message_id=item.message_id,
                first=place == 0,
                lines=1,
            )
        )
    last = len(rows) - 1
    rows.append(Row(FURTHER if further else CHOOSE, "further", title=wording.look_further() if further else "", number=last))
    return rows


def find_words(text: str, words: Sequence[str]) -> Marks:
    """Where words stand in a text, whatever their case; code points."""
    joined = text.casefold()
    places: Sequence[int] = range(len(text))
    if len(joined) != len(text):
        # Casefolding made one character several ('ß', 'İ'): places are counted in characters of the text.
        places = [index for index, char in enumerate(text) for _ in char.casefold()]
    found: list[tuple[int, int]] = []
    for word in words:
        wanted = word.casefold()
        at = joined.find(wanted) if wanted else -1
        while at >= 0:
            last = at + len(wanted) - 1
            found.append((places[at], places[last] + 1))
            at = joined.find(wanted, last + 1)
    return tuple(sorted(found))


def session_title(title: str) -> str:
    """A session's title as one line; what to call one that has none."""
    return one_line(title) or wording.untitled()


def detail_line(agent: str, project: str, *more: str) -> str:
    """'Claude Code · tide-api · Wed 25 Nov'"""
    return " · ".join(part for part in (wording.agent_name(agent), one_line(project), *more) if part)


def kinship(session: SessionItem | SessionHits) -> str:
    """'sub-agent of “Upload worker”'; '' for a session that is none."""
    return wording.subagent_of(one_line(session.parent_title)) if session.kind == "subagent" else ""


def extent(family: Family) -> str:
    """'38 messages · 3 sub-agents'"""
    members = wording.subagents(len(family.members)) if family.members else ""
    return " · ".join(part for part in (wording.messages(family.head.messages), members) if part)


def by_day(items: Sequence[SessionItem]) -> list[tuple[str, list[Family]]]:
    """Sessions with their sub-agents by the local day (YYYY-MM-DD) they ended, newest first: the timeline."""
    days: dict[str, list[Family]] = {}
    for family in families(items):
        ended: datetime | None = i18n.local(family.head.end)
        day = ended.date().isoformat() if ended is not None else family.head.end_date_text
        days.setdefault(day, []).append(family)
    return sorted(days.items(), reverse=True)

"""Archiving finished sessions: each becomes one session memory, its figures, and a draft of a checkpoint where there is evidence.

Owns the run: which sessions, in which order, one change of the memory for each, so that a kill in the middle loses nothing and doubles
nothing. A session that grew is archived again under the same memory. What a session came to is told by `summary` and `evidence`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from tray_app import clock
from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import ArchiveRow, CardRow, CheckpointRow, MemoryRow
from tray_app.library.memory.store import MemoryStore
from tray_app.library.reading import Reader
from tray_app.library.session_reading import Tokens, Told, session_states, tokens_of, told_in
from tray_app.memory.drafts import carded, draft_in, put_draft
from tray_app.memory.evidence import Draft, draft_of
from tray_app.memory.finished import Family, baseline_of, due, families
from tray_app.memory.memories import TITLE_CHARS, content_hash
from tray_app.memory.names import LOOSE, RESERVED, name_key
from tray_app.memory.sentences import said_by_person, shortened
from tray_app.memory.session_talk import Talk, talk_of
from tray_app.memory.summary import summary_of
from tray_app.memory.work import Figures, Step, changed_files, figures_of, steps_of
from tray_app.records import ArchiveReport, ProjectGuess
from tray_app.settings import Settings
from tray_app.text.redact import redact

A_ROUND = 20
"""Sessions archived after an indexing round, so that the next one does not wait; the rest is left for the next."""
FIELDS = ("goal", "done", "doing", "next", "files", "open_questions")

log = logging.getLogger(__name__)


class ProjectNames(Protocol):
    """What archiving asks of `projects.Projects`."""

    def of_workspace(self, cwd: str) -> str: ...

    def guess(self, text: str) -> ProjectGuess: ...

    def folder_of(self, name: str) -> str: ...

    def register(self, change: Change, name: str) -> None: ...


class Story(msgspec.Struct, frozen=True, gc=False):
    """What is kept of one session, before it is written. `content` is '' where nothing was asked and nothing done."""

    project: str
    sure: bool
    """False: the project is merely named in what was asked."""
    title: str
    content: str
    draft: Draft
    figures: Figures
    tokens: Tokens
    rounds: int
    compactions: int


def archive(
    reader: Reader,
    store: MemoryStore,
    projects: ProjectNames,
    settings: Settings,
    now: int,
    *,
    project: str | None = None,
    limit: int = 0,
    backfill: bool = False,
    force: bool = False,
    report: Callable[[int, int], None] = lambda done, total: None,
    stop: Callable[[], bool] = lambda: False,
) -> ArchiveReport:
    """Archive finished sessions, the latest first. `now`: epoch ms; `project`: sessions of this one alone; `limit`: at most so many
    (0: all); `backfill` takes history from before the first run, too, and `force` does again what was done. `report` gets how many of how
    many are looked at; `stop` ends it between two sessions. Raises KnownError where the memory cannot be written."""
    baseline = baseline_of(store, now)
    found = due(
        families(session_states(reader.cursor)), store.rows(ArchiveRow).values(), now=now,
        idle_minutes=int(settings["memory.idle_minutes"]), baseline=baseline, backfill=backfill, force=force,
    )  # fmt: skip
    wanted = name_key(project) if project else ""
    run = _Run(reader, store, projects, now)
    ready = [family for family in found.ready if not wanted or run.may_be_of(family, wanted)]
    waiting = 0
    for place, family in enumerate(ready):
        if (limit and run.archived + run.again >= limit) or stop():
            waiting = len(ready) - place
            break
        run.take(family, wanted)
        report(place + 1, len(ready))
    return ArchiveReport(
        archived=run.archived, again=run.again, drafts=run.drafts, waiting=waiting, unfinished=found.unfinished,
        before_baseline=found.before_baseline, projects=tuple(sorted(run.projects)), skipped=tuple(run.skipped),
        baseline_date=clock.iso(baseline),
    )  # fmt: skip


def forget(store: MemoryStore, agent: str, session: str) -> None:
    """See `forget_sessions`; of one."""
    forget_sessions(store, [(agent, session)])


def forget_sessions(store: MemoryStore, sessions: Iterable[tuple[str, str]]) -> None:
    """Take out what was kept of sessions (agent, native id) that the person forgets, or that belong to another library now: their
    memories, drafts and figures. What the person made of them (a promoted checkpoint) stays. Raises KnownError."""
    leaving = set(sessions)
    with store.change() as change:
        active_once = carded(change.rows(CardRow).values())
        for row in list(change.rows(ArchiveRow).values()):
            if (row.agent, row.session) in leaving:
                change.delete(ArchiveRow, row.id)
        for memory in list(change.rows(MemoryRow).values()):
            if memory.kind == "session" and (memory.source_agent, memory.source_session) in leaving:
                change.delete(MemoryRow, memory.id)
        for draft in list(change.rows(CheckpointRow).values()):
            ours = (draft.source_agent, draft.source_session) in leaving
            if ours and draft.id not in active_once and draft.state in ("draft", "archived"):
                change.delete(CheckpointRow, draft.id)


class _Run:
    """One run and what it counted."""

    def __init__(self, reader: Reader, store: MemoryStore, projects: ProjectNames, now: int) -> None:
        self.reader, self.store, self.names, self.now = reader, store, projects, now
        self.archived = self.again = self.drafts = 0
        self.projects: set[str] = set()
        self.skipped: list[str] = []

    def may_be_of(self, family: Family, wanted: str) -> bool:
        """Whether a session is of this project, as far as its folder tells."""
        cwd = family.main.row.cwd
        named = self.names.of_workspace(cwd) if cwd else LOOSE
        return named in RESERVED or name_key(named) == wanted

    def take(self, family: Family, wanted: str) -> None:
        """Archive one session, unless it is of another project than `wanted`. One that cannot be told is counted, and stops no other."""
        row, cursor = family.main.row, self.reader.cursor
        told = told_in(cursor, row.id)
        by_helpers = [told_in(cursor, one.row.id) for one in family.helpers]
        tokens = tokens_of(cursor, [row.id, *(one.row.id for one in family.helpers)])
        try:
            story = self._story(family, told, by_helpers, tokens)
        except Exception as fault:
            log.warning("a session of %s could not be told (%s)", row.agent, type(fault).__name__)
            self.skipped.append(f"{row.agent} {row.native}: {type(fault).__name__}")
            return
        if not wanted or name_key(story.project) == wanted:
            self._write(family, story)

    def _story(self, family: Family, told: Sequence[Told], by_helpers: Sequence[Sequence[Told]], tokens: Tokens) -> Story:
        row, talk = family.main.row, talk_of(told)
        helped = [step for messages in by_helpers for step in steps_of(messages)]
        project, sure = self._project(row.cwd, talk, helped)
        within = (self.names.folder_of(project) if project not in RESERVED else "") or row.cwd
        asked = talk.requests
        title = row.title or (said_by_person(talk.told[asked[0]].text, TITLE_CHARS) if asked else "") or row.native
        empty = not asked and not talk.summaries and not changed_files(talk.steps)
        content = "" if empty else summary_of(talk, within, changed_files(helped))
        draft = draft_of(talk, within, helped)
        return Story(
            project,
            sure,
            redact(shortened(title, TITLE_CHARS))[0],
            redact(content)[0],
            msgspec.structs.replace(draft, **{name: _redacted(getattr(draft, name)) for name in FIELDS}),
            figures_of(talk.steps),
            tokens,
            sum(one.role == "user" for one in talk.told),
            len(talk.summaries),
        )

    def _project(self, cwd: str, talk: Talk, by_helpers: list[Step]) -> tuple[str, bool]:
        """By the session's folder, else by what was written in it, else by what was asked first; and whether that is sure."""
        found = self.names.of_workspace(cwd) if cwd else LOOSE
        if found not in RESERVED:
            return found, True
        texts = [path for path in changed_files([*talk.steps, *by_helpers]) if path[:1] == "/" or path[1:2] == ":"][:1]
        texts += [talk.told[place].text for place in talk.requests[:1]]
        for text in texts:
            guess = self.names.guess(text)
            if guess.project not in RESERVED:
                return guess.project, guess.sure
        return found, True

    def _write(self, family: Family, story: Story) -> None:
        row = family.main.row
        with self.store.change() as change:
            earlier = next(
                (one for one in change.rows(ArchiveRow).values() if (one.agent, one.session) == family.key), None
            )  # fmt: skip
            grown = earlier is not None and earlier.fingerprint != family.fingerprint
            memory = self._memory(change, family, story, earlier, grown=grown)
            project = change.rows(MemoryRow)[memory].project if memory else story.project
            draft, drafted = self._draft(change, family, story, project, earlier, grown=grown)
            change.put(
                ArchiveRow(
                    id=earlier.id if earlier else change.new_id(ArchiveRow), agent=row.agent, session=row.native, project=project,
                    memory=memory, checkpoint=draft, fingerprint=family.fingerprint, title=story.title, start=row.start, end=family.end,
                    archived=self.now, rounds=story.rounds, compactions=story.compactions, tokens_in=story.tokens.input,
                    tokens_out=story.tokens.output, cache_read=story.tokens.cache_read, cache_write=story.tokens.cache_write,
                    first_write_step=story.figures.first_write_step, repeated_reads=story.figures.repeated_reads,
                    read_pack=story.figures.read_pack,
                )
            )  # fmt: skip
            if memory or draft:
                self.names.register(change, project)
        self.archived += earlier is None
        self.again += earlier is not None
        self.drafts += drafted
        self.projects.add(project)

    def _memory(
        self, change: Change, family: Family, story: Story, earlier: ArchiveRow | None, *, grown: bool
    ) -> int:  # fmt: skip
        """The session's memory, written anew in its place; 0 where there is nothing to tell. One that the person has corrected since
        stays as it is, and a new one stands beside it."""
        former = change.rows(MemoryRow).get(earlier.memory) if earlier else None
        if not story.content:
            return former.id if former else 0
        if former is not None and earlier is not None and former.updated > earlier.archived and former.state == "active":
            if not grown:
                return former.id
            former = None
        row = family.main.row
        moment = self.now - self.archived - self.again  # a millisecond apart: lists show the latest session first
        made = MemoryRow(
            id=former.id if former else change.new_id(MemoryRow), project=story.project, kind="session", title=story.title,
            content=story.content, hash=content_hash(story.content), created=family.end, updated=moment, source_agent=row.agent,
            source_session=row.native, source_message=family.main.newest,
        )  # fmt: skip
        if former is not None:
            project = former.project if former.project not in RESERVED else story.project
            state = "active" if grown else former.state
            made = msgspec.structs.replace(
                made, project=project, state=state, use_count=former.use_count, last_used=former.last_used,
                updated=moment if grown else former.updated,
            )  # fmt: skip
        change.put(made)
        return made.id

    def _draft(
        self, change: Change, family: Family, story: Story, project: str, earlier: ArchiveRow | None, *, grown: bool
    ) -> tuple[int, bool]:
        """Write the draft, if there is one to write; gives the id of the session's draft, 0 for none, and whether it was written now.

        It stays away where the project is not sure, where the person has discarded it or begun to edit the one that waits, where they
        have written a checkpoint since, and where a later session's draft waits already. A session that grew after its draft was
        promoted gets a new one."""
        rows = change.rows(CheckpointRow)
        former = rows.get(earlier.checkpoint) if earlier and earlier.checkpoint else None
        kept = earlier.checkpoint if earlier else 0
        settled = earlier is not None and bool(kept) and _is_settled(former, earlier, grown=grown)
        if settled or project in RESERVED or not story.sure or not story.draft.is_worth_review:
            return kept, False
        key = name_key(project)
        if any(row.state == "active" and row.updated >= family.end and name_key(row.project) == key for row in rows.values()):
            return kept, False
        waiting = draft_in(rows.values(), project)
        if waiting is not None and waiting.id != kept and self._said(change, waiting) > family.end:
            return kept, False
        fields = {name: getattr(story.draft, name) for name in FIELDS}
        number = put_draft(
            change, project, fields, evidence=story.draft.evidence, now=self.now, agent=family.main.row.agent,
            session=family.main.row.native, replaces=kept,
        )  # fmt: skip
        return number, True

    def _said(self, change: Change, draft: CheckpointRow) -> int:
        """When the session ended that a draft comes from; when it was written, where no session is known."""
        archived = (row.end for row in change.rows(ArchiveRow).values() if row.checkpoint == draft.id)
        return next(archived, draft.updated)


def _is_settled(draft: CheckpointRow | None, earlier: ArchiveRow, *, grown: bool) -> bool:
    """Whether the person has done with the draft of a session: discarded it, begun to edit it, or promoted all there was."""
    if draft is None or draft.state == "archived":
        return True
    return draft.updated > earlier.archived if draft.state == "draft" else not grown


def _redacted(value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    """A field without secrets, also where the index keeps them because the person wants it so: a checkpoint is handed to agents."""
    return redact(value)[0] if isinstance(value, str) else tuple(redact(item)[0] for item in value)

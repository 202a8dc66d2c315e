"""Changelogs taken into the memory: the entries that carry a conclusion, each once.

Owns the run: which entries are new, how many of them one run takes, the memory each becomes, and the day of the last run. An entry
that was edited is a new one; one that was removed from its file stays. What an entry is, is `text.changelog`'s.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Protocol

import msgspec

from tray_app.library.memory.changing import Change
from tray_app.library.memory.rows import ChangelogRow, MemoryRow, NoteRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.memories import content_hash
from tray_app.memory.names import name_key
from tray_app.memory.project_files import Excluded, ProjectFile, changelogs_in, read_text
from tray_app.records import ChangelogReport
from tray_app.settings import Settings
from tray_app.text.changelog import concludes, entries, entry_title, taken
from tray_app.text.clean import fold_spaces
from tray_app.text.redact import redact

A_RUN = 10
"""New entries taken from a project at a time."""


class ProjectFolders(Protocol):
    """What is asked of `projects.Projects`."""

    def find(self, name: str) -> str: ...

    def folder_of(self, name: str) -> str: ...

    def register(self, change: Change, name: str) -> None: ...


class _New(msgspec.Struct, frozen=True):
    """An entry that is not known yet."""

    path: str
    hash: str
    title: str
    content: str


class _Read(msgspec.Struct):
    """What the files of a project hold."""

    files: int = 0
    known: int = 0
    without_conclusion: int = 0
    new: list[_New] = []
    faults: list[str] = []


def is_due(store: MemoryStore, project: str, day: str) -> bool:
    """Whether a project's changelogs were not looked at on this day (ISO date) yet."""
    note = _note(store.rows(NoteRow).values(), project)
    return note is None or note.value != day


def take_in(
    store: MemoryStore,
    projects: ProjectFolders,
    settings: Settings,
    project: str,
    now: int,
    day: str,
    *,
    everything: bool = False,
) -> ChangelogReport:
    """Take in new entries of a project's changelogs, `A_RUN` of them at most: those that carry a conclusion, or (`everything`) all.
    `now`: epoch ms; `day`: the local day, ISO. All of a run is kept or nothing.

    Raises UsageError `no_such_project`; KnownError where the memory cannot be written."""
    name = projects.find(project)
    excluded = Excluded(settings)
    listing = changelogs_in(projects.folder_of(name), excluded)
    known = {row.entry_hash for row in store.rows(ChangelogRow).values() if name_key(row.project) == name_key(name)}
    read = _Read(faults=list(listing.faults))
    for file in listing.files:
        _read_file(file, known, read, everything=everything)
    added = 0
    with store.change() as change:
        for entry in read.new[:A_RUN]:
            added += _keep(change, name, entry, now)
        if added:
            projects.register(change, name)
        if listing.there:
            _note_day(change, name, day)
    taken_now = min(len(read.new), A_RUN)
    return ChangelogReport(
        project=name,
        files=read.files,
        added=added,
        known=read.known + taken_now - added,
        without_conclusion=read.without_conclusion,
        left=len(read.new) - taken_now,
        faults=tuple(read.faults),
    )


def _read_file(file: ProjectFile, known: set[str], read: _Read, *, everything: bool) -> None:
    try:
        text = read_text(file)
    except OSError as fault:
        read.faults.append(f"{file.name} could not be read ({fault.strerror or type(fault).__name__}).")
        return
    if text is None:
        read.faults.append(f"{file.name} is no text.")
        return
    read.files += 1
    text, _ = redact(text)
    for entry in entries(text, file.form):
        whole = text[entry.start : entry.end]
        content = taken(text, entry)
        if not any(map(str.isalnum, content)):
            continue
        mark = hashlib.blake2b(fold_spaces(whole).encode("utf-8", "replace"), digest_size=16).hexdigest()
        if mark in known:
            read.known += 1
        elif not everything and not concludes(whole):
            read.without_conclusion += 1
        else:
            known.add(mark)
            read.new.append(_New(file.name, mark, entry_title(text, entry), content))


def _keep(change: Change, project: str, entry: _New, now: int) -> bool:
    """Write one entry; gives whether it made a new memory. What another entry said before, in whatever state it is now, is not said
    again."""
    key, mark = name_key(project), content_hash(entry.content)
    rows = change.rows(MemoryRow).values()
    same = (row.id for row in rows if row.hash == mark and row.kind == "changelog" and name_key(row.project) == key)
    memory = next(same, 0)
    made = not memory
    if made:
        memory = change.new_id(MemoryRow)
        row = MemoryRow(
            id=memory,
            project=project,
            kind="changelog",
            title=entry.title,
            content=entry.content,
            hash=mark,
            created=now,
            updated=now,
            source_path=entry.path,
        )
        change.put(row)
    change.put(
        ChangelogRow(id=change.new_id(ChangelogRow), project=project, path=entry.path, entry_hash=entry.hash, memory=memory)
    )
    return made


def _note_day(change: Change, project: str, day: str) -> None:
    note = _note(change.rows(NoteRow).values(), project)
    change.put(NoteRow(id=note.id if note else change.new_id(NoteRow), key=_key(project), value=day))


def _note(rows: Iterable[NoteRow], project: str) -> NoteRow | None:
    key = _key(project)
    return next((row for row in rows if row.key == key), None)


def _key(project: str) -> str:
    return f"changelogs:{name_key(project)}"

"""Projects, memories, checkpoints and what becomes of them, for reading on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tray_app.cli.reading import local
from tray_app.cli.results import INDENT
from tray_app.cli.terminal import Paint, count_of, cut, line_of, plain, say, screen_columns, size_of, table, wrapped
from tray_app.paths import shorten
from tray_app.records import (
    ArchiveReport,
    BackupView,
    CacheGroup,
    CacheStats,
    CheckpointState,
    CheckpointView,
    CleanupPlan,
    DraftView,
    MemoryStats,
    MemoryView,
    PackView,
    PageView,
    ParagraphView,
    ProjectView,
    TransferReport,
)
from tray_app.records.memory import FIELDS, LIST_FIELDS

STATES = {"orphan": "folder gone", "reserved": "", "present": ""}
CONTENT_LINES = 6
"""Of a memory in a list."""


def memories_of(number: int) -> str:
    return f"{number:,} memory" if number == 1 else f"{number:,} memories"


def print_projects(found: Sequence[ProjectView]) -> None:
    rows = [
        [
            line_of(one.name),
            memories_of(one.memories) if one.memories else "",
            count_of(one.sessions, "session") if one.sessions else "",
            "card" if one.has_card else "",
            "draft" if one.has_draft else "",
            local(one.last_activity)[:10] if one.last_activity else "",
            STATES.get(one.state, one.state),
            line_of(shorten(one.folder)),
        ]
        for one in found
    ]
    for one, line in zip(found, table(rows, cut_last=False), strict=True):
        print(line)
        if one.aliases:
            print(Paint().dim(f"{INDENT}also {', '.join(map(line_of, one.aliases))}"))


def print_memories(found: Sequence[MemoryView]) -> None:
    paint = Paint()
    columns = screen_columns() - len(INDENT)
    for one in found:
        facts = [one.kind, line_of(one.project), local(one.updated)[:10], "" if one.state == "active" else one.state]
        print(f"{one.id:>4}  {paint.bold(line_of(one.title))}" + paint.dim("  " + " · ".join(fact for fact in facts if fact)))
        lines = [part for line in plain(one.content).split("\n") for part in wrapped(line, (), columns, paint)]
        for line in lines[:CONTENT_LINES]:
            print(INDENT + line)
        if len(lines) > CONTENT_LINES:
            print(INDENT + "…")
        source = " · ".join(line_of(part) for part in (one.source_agent, one.source_session, one.source_path) if part)
        if source:
            print(INDENT + paint.dim(f"from {source}"))


def print_stats(figures: MemoryStats) -> None:
    rows = [
        ["Memories", counted(figures.by_state)],
        ["Kinds", counted(figures.by_kind)],
        ["Projects", counted(figures.by_project)],
        ["File", f"{line_of(shorten(figures.path))}, {size_of(figures.memory_bytes)}"],
        ["Journal", "1 entry" if figures.journal_entries == 1 else f"{figures.journal_entries:,} entries"],
        ["Snapshots", f"{figures.snapshots:,}" + (f", the newest of {local(figures.newest_snapshot)}" if figures.newest_snapshot else "")],
        ["Meaning", f"{figures.backend}, {figures.missing_vectors:,} without a vector"],
    ]  # fmt: skip
    if figures.mended:
        rows.append(["Mended", line_of(figures.mended)])
    print("\n".join(table(rows, cut_last=False)))


def counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{line_of(name)} {number:,}" for name, number in counts.items()) or "none"


def print_checkpoints(state: CheckpointState) -> None:
    if state.active is not None:
        print_checkpoint(state.active, f"State of {line_of(state.project)}")
    if state.draft is not None:
        if state.active is not None:
            print()
        print_checkpoint(state.draft, f"Draft for {line_of(state.project)}, not in force")


def print_checkpoint(one: CheckpointView, heading: str, only: Sequence[str] = FIELDS) -> None:
    paint = Paint()
    source = " · ".join(line_of(part) for part in (one.source_agent, one.source_session) if part)
    print(paint.bold(heading) + paint.dim(f"  {local(one.updated)}" + (f" · {source}" if source else "")))
    for name in FIELDS:
        value = getattr(one, name)
        if not value or name not in only:
            continue
        print(f"  {name.replace('_', ' ')}")
        for item in value if name in LIST_FIELDS else (value,):
            mark = "- " if name in LIST_FIELDS else ""
            lines = [part for line in plain(item).split("\n") for part in wrapped(line, (), screen_columns() - 8, paint)]
            for place, line in enumerate(lines):
                print(f"{INDENT} {mark if not place else ' ' * len(mark)}{line}")
        if name in one.evidence:
            print(paint.dim(f"{INDENT} ({line_of(one.evidence[name])})"))


def print_drafts(found: Sequence[DraftView]) -> None:
    for place, one in enumerate(found):
        if place:
            print()
        title = f': "{line_of(one.session_title)}"' if one.session_title else ""
        print_checkpoint(one.draft, f"{line_of(one.draft.project)}{title}", one.differs or FIELDS)


def print_pack(view: PackView) -> None:
    """The text alone on standard output, so that it can be passed on; what is to be said of it beside it."""
    if view.pack:
        print(plain(view.pack).rstrip("\n"))
    say(f"Pack {view.version} of {line_of(view.project)}: about {view.tokens:,} of {view.budget:,} tokens.")
    for words in view.dropped:
        say(f"Left out: {line_of(words)}")
    if view.resume is not None and view.resume.text:
        say(plain(view.resume.text))


def print_archived(report: ArchiveReport) -> None:
    facts = [f"{count_of(report.archived, 'session')} archived"]
    for number, words in (
        (report.again, f"{report.again:,} again, since they had grown"),
        (report.drafts, f"{count_of(report.drafts, 'draft')} to review (backscroll drafts)"),
        (report.waiting, f"{report.waiting:,} left for the next run"),
        (report.unfinished, f"{report.unfinished:,} not finished yet"),
        (
            report.before_baseline,
            f"{report.before_baseline:,} from before {local(report.baseline_date)[:10]} (--backfill takes them)",
        ),
    ):
        if number:
            facts.append(words)
    print(", ".join(facts) + ".")
    if report.projects:
        print("Projects: " + ", ".join(map(line_of, report.projects)))
    for words in report.skipped:
        say(f"Not archived: {line_of(words)}")


def print_plan(plan: CleanupPlan) -> None:
    """What would be done, or was."""
    if not plan.items:
        print("There is nothing to clean up.")
        return
    rows = [
        [one.action, str(one.id), line_of(one.project), one.kind, line_of(one.reason), line_of(one.title)] for one in plan.items
    ]
    print("\n".join(table(rows)))
    if plan.applied:
        print(f"Archived {plan.archived:,}, deleted {plan.deleted:,}, reported {plan.reported:,}.")
        if plan.backup:
            say(f"Backup: {line_of(shorten(plan.backup))}")
    else:
        say("Nothing was done. To do it, after a backup: backscroll cleanup --apply")


def print_backups(found: Sequence[BackupView]) -> None:
    rows = [
        [local(one.created), one.kind, memories_of(one.memories), size_of(one.bytes), line_of(shorten(one.path))]
        for one in found
    ]
    print("\n".join(table(rows, cut_last=False)))


def print_transfer(report: TransferReport, what: str) -> None:
    counts = [
        count_of(report.projects, "project"), memories_of(report.memories), count_of(report.checkpoints, "checkpoint"),
        count_of(report.cards, "card"),
    ]  # fmt: skip
    if report.duplicates:
        counts.append(f"{report.duplicates:,} known already")
    print(f"{what} {line_of(shorten(report.path))}: {', '.join(counts)}.")
    for fault in report.faults:
        say(line_of(fault))


def print_pages(found: Sequence[PageView]) -> None:
    paint = Paint()
    for one in found:
        print(f"{paint.bold(line_of(one.title))}  {paint.dim(f'{line_of(one.project)} · {line_of(one.path)}')}")
        if one.summary:
            print(INDENT + cut(line_of(one.summary), screen_columns() - len(INDENT)))
        if one.outdated:
            print(INDENT + f"Possibly out of date: {line_of(one.outdated)}")


def print_paragraphs(found: Sequence[ParagraphView]) -> None:
    paint = Paint()
    for one in found:
        print(
            f"{paint.bold(line_of(one.heading) or line_of(one.title))}  {paint.dim(f'{line_of(one.project)} · {line_of(one.path)}')}"
        )
        for line in wrapped(one.text, (), screen_columns() - len(INDENT), paint):
            print(INDENT + line)
        if one.outdated:
            print(INDENT + f"Possibly out of date: {line_of(one.outdated)}")


def print_cache(stats: CacheStats) -> None:
    paint = Paint()
    for title, groups in (("By agent", stats.by_agent), ("By project", stats.by_project)):
        if groups:
            print(paint.bold(title))
            print("\n".join(table([group_row(group) for group in groups], cut_last=False)))
            print()
    if stats.compactions:
        print(f"{count_of(stats.compactions, 'compaction')} threw away about {count_of(stats.thrown_away, 'token')}.")
    rows = [
        ["", "with the pack", "without"],
        ["sessions", f"{stats.with_pack:,}", f"{stats.without_pack:,}"],
        ["steps until the first write", figure(stats.first_write_with), figure(stats.first_write_without)],
        ["files read again", figure(stats.repeated_with), figure(stats.repeated_without)],
    ]
    print("\n".join(table(rows, cut_last=False)))
    if stats.note:
        say(line_of(stats.note))


def group_row(group: CacheGroup) -> list[str]:
    rate = "not logged" if group.hit_rate is None else f"{group.hit_rate:.0%} from the cache"
    return [
        line_of(group.name),
        count_of(group.sessions, "session"),
        rate,
        f"{group.cache_read:,} read",
        f"{group.tokens_in:,} in",
    ]


def figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"

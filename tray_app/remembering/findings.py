"""What the check-up says of memory. Texts here are English; windows key on `code`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tray_app import clock
from tray_app.errors import KnownError
from tray_app.insight.findings import counted
from tray_app.library.memory.faults import Damaged
from tray_app.library.memory.rows import CheckpointRow, MemoryRow
from tray_app.library.memory.snapshots import Snapshot, opens
from tray_app.memory.projects import now_ms
from tray_app.paths import shorten
from tray_app.records import Finding
from tray_app.remembering.minds import Mind

STALE_DAYS = 8
"""So old the newest snapshot may be while something was written since: they are made daily."""
DAY_MS = 86_400_000
NAMED = 5
OPENED = 3
"""Of the backups the newest are opened, so many of each memory."""
MOST_BY_HAND = 30
"""Backups that a person made are never removed by themselves."""
CHORES = {
    "archive": "Finished sessions could not be archived",
    "changelogs": "Changelogs could not be taken in",
    "snapshot": "Memory could not be backed up",
    "vectors": "Memories could not be made findable by meaning",
}


def findings(minds: Iterable[Mind], faults: Mapping[str, str], space: str = "") -> list[Finding]:
    """Of all memories in use; `faults` says what could not be done for them by itself, by `CHORES`; `space`: the key of the vectors
    in use, '' for none."""
    found: list[Finding] = []
    drafts: list[CheckpointRow] = []
    orphans: list[str] = []
    lacking = 0
    for mind in minds:
        try:
            facts = mind.store.facts()
            drafts += [row for row in mind.store.rows(CheckpointRow).values() if row.state == "draft"]
            changed = [row.updated for row in mind.store.rows(MemoryRow).values()]
            newest, first = max(changed, default=0), min(changed, default=0)
            orphans += [view.name for view in mind.projects.views() if view.state == "orphan"]
            lacking += len(mind.store.lacking(space)) if space else 0
        except KnownError as fault:
            found.append(
                Finding(
                    code="memory_unwritable", severity="error", title="Memory cannot be used", detail=str(fault),
                    remedy="What is on the disk stays as it is. Give this user access to the folder, or make room.",
                    params={"reason": str(fault), "path": str(mind.store.file)},
                )
            )  # fmt: skip
            continue
        if facts.mended:
            found.append(
                Finding(
                    code="memory_mended", severity="warn", title="A damaged memory was mended", detail=facts.mended,
                    remedy="Nothing needs to be done; the damaged file is kept beside it.", params={"reason": facts.mended},
                )
            )  # fmt: skip
        taken = facts.snapshots[0].created if facts.snapshots else 0
        reason = mind.store.snapshot_fault
        since = taken or first
        if reason or (since and newest > taken and now_ms() - since > STALE_DAYS * DAY_MS):
            day = (clock.iso(taken) or "never")[:10]
            found.append(
                Finding(
                    code="stale_backup", severity="warn", title="Memory was not backed up lately",
                    detail=(f"The newest backup is of {day}." if taken else "There is no backup yet; the journal alone has it twice.")
                    + (f" {reason}" if reason else ""),
                    remedy="To make one now: backscroll backup", params={"day": day, "reason": reason},
                )
            )  # fmt: skip
    if drafts:
        names = ", ".join(sorted({row.project for row in drafts}))
        since_day = (clock.iso(min(row.updated for row in drafts)) or "?")[:10]
        found.append(
            Finding(
                code="drafts_waiting", severity="info", title=f"{counted(len(drafts), 'draft')} wait{'s' if len(drafts) == 1 else ''} for review",
                detail=f"Of: {names}. The oldest is of {since_day}.",
                remedy="Look at them in the hand-over window, or with: backscroll drafts",
                params={"count": str(len(drafts)), "projects": names, "day": since_day},
            )
        )  # fmt: skip
    if orphans:
        names = ", ".join(sorted(orphans)[:NAMED]) + (", …" if len(orphans) > NAMED else "")
        found.append(
            Finding(
                code="orphan_projects", severity="info", title=f"The folder of {counted(len(orphans), 'project')} is gone",
                detail=f"{names}. What is known of them is kept.",
                remedy="Moved: backscroll config set projects.moved OLD=NEW. No longer wanted: backscroll prune",
                params={"count": str(len(orphans)), "projects": names},
            )
        )  # fmt: skip
    if lacking:
        found.append(
            Finding(
                code="memories_without_vectors", severity="info", title=f"{counted(lacking, 'memory', 'memories')} cannot be found by meaning yet",
                detail="Words find them.", remedy="They are worked through in the background; at once: backscroll index",
                params={"count": str(lacking)},
            )
        )  # fmt: skip
    for name, reason in faults.items():
        found.append(
            Finding(
                code="memory_untended", severity="warn", title=CHORES[name], detail=reason,
                remedy="It is tried again after the next pass.", params={"what": name, "reason": reason},
            )
        )  # fmt: skip
    return found


def backups(snapshots: Iterable[Sequence[Snapshot]]) -> list[Finding]:
    """Of the backups of each memory, newest first: whether they can be opened, and whether they are too many. Touches their files
    alone."""
    found: list[Finding] = []
    good = 0
    for listed in snapshots:
        for snapshot in listed[:OPENED]:
            try:
                opens(snapshot)
                good += 1
            except (Damaged, KnownError) as fault:
                reason = fault.message if isinstance(fault, KnownError) else f"{snapshot.path.name} is damaged ({fault})."
                found.append(
                    Finding(
                        code="backup_unreadable", severity="warn", title="A backup of memory cannot be opened",
                        detail=f"{shorten(snapshot.path)}: {reason}", remedy="Make another one: backscroll backup",
                        params={"path": str(snapshot.path), "reason": reason},
                    )
                )  # fmt: skip
        by_hand = [one for one in listed if one.kind == "manual"]
        if len(by_hand) > MOST_BY_HAND:
            size = sum(one.bytes for one in by_hand)
            found.append(
                Finding(
                    code="backups_many", severity="info", title=f"{len(by_hand)} backups of memory were made by hand",
                    detail=f"They take {size / 1e6:,.1f} MB in {shorten(by_hand[0].path.parent)}.",
                    remedy="They are never removed by themselves: delete those that you do not want.",
                    params={"count": str(len(by_hand)), "bytes": str(size), "path": str(by_hand[0].path.parent)},
                )
            )  # fmt: skip
    if good and not found:
        found.append(
            Finding(
                code="backups_open", severity="ok", title="Memory is backed up", detail=f"{counted(good, 'backup')} of it can be opened.",
                remedy="", params={"count": str(good)},
            )
        )  # fmt: skip
    return found

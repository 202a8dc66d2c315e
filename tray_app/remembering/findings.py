"""What the check-up says of memory. Texts here are English; windows key on `code`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tray_app import clock
from tray_app.errors import KnownError
from tray_app.library.memory.rows import CheckpointRow, MemoryRow
from tray_app.memory.projects import now_ms
from tray_app.records import Finding
from tray_app.remembering.minds import Mind

STALE_DAYS = 8
"""So old the newest snapshot may be while something was written since: they are made daily."""
DAY_MS = 86_400_000
CHORES = {
    "archive": "Finished sessions could not be archived",
    "changelogs": "Changelogs could not be taken in",
    "snapshot": "Memory could not be backed up",
    "vectors": "Memories could not be made findable by meaning",
}


def findings(minds: Iterable[Mind], faults: Mapping[str, str]) -> list[Finding]:
    """Of all memories in use; `faults` says what could not be done for them by itself, by `CHORES`."""
    found: list[Finding] = []
    drafts: list[str] = []
    for mind in minds:
        try:
            facts = mind.store.facts()
            drafts += [row.project for row in mind.store.rows(CheckpointRow).values() if row.state == "draft"]
            newest = max((row.updated for row in mind.store.rows(MemoryRow).values()), default=0)
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
        if reason or (taken and newest > taken and now_ms() - taken > STALE_DAYS * DAY_MS):
            day = (clock.iso(taken) or "never")[:10]
            found.append(
                Finding(
                    code="stale_backup", severity="warn", title="Memory was not backed up lately",
                    detail=f"The newest backup is of {day}." + (f" {reason}" if reason else ""),
                    remedy="To make one now: backscroll backup", params={"day": day, "reason": reason},
                )
            )  # fmt: skip
    if drafts:
        names = ", ".join(sorted(set(drafts)))
        found.append(
            Finding(
                code="drafts_waiting", severity="info", title=f"{len(drafts)} drafts wait for review", detail=f"Of: {names}.",
                remedy="Look at them in the hand-over window, or with: backscroll drafts",
                params={"count": str(len(drafts)), "projects": names},
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

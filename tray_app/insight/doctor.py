"""The check-up: what is wrong or may surprise, and what to do about each. Texts here are English; windows key on `code`."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from tray_app.clock import iso
from tray_app.errors import KnownError
from tray_app.insight import drift, meaning
from tray_app.insight.agreement import Agreement
from tray_app.insight.findings import ORDER, finding
from tray_app.insight.topics import TopicFault
from tray_app.library.drift import Drift
from tray_app.records import Finding, Problem, SpaceView, Status

FREE_MEGABYTES = 500
AHEAD, NEXT_DAY = timedelta(hours=1), timedelta(days=1)
"""By so much a pass, or a message, may be ahead of the clock."""


def examine(
    status: Status,
    problems: list[Problem],
    data: Path,
    fts_reason: str,
    setting_faults: list[str],
    set_aside: str,
    disk: Agreement,
    spaces: Sequence[SpaceView] = (),
    drifts: Sequence[Drift] = (),
    keeping: Sequence[Finding] = (),
) -> list[Finding]:
    """All findings, worst first. `disk` is how the index agrees with the files, `keeping` what is said of what is kept."""
    found: list[Finding] = list(keeping)
    if fts_reason:
        found.append(
            finding(
                "fts_missing", "warn", "The full-text extension did not load", f"Search works all the same, by our own index ({fts_reason}).",
                "Install duckdb-extension-fts in the version of duckdb.", reason=fts_reason,
            )
        )  # fmt: skip
    if set_aside:
        found.append(
            finding(
                "index_set_aside", "warn", "A damaged index was set aside", f"It is kept as {set_aside}; the index is built anew from your sessions.",
                "Remove that file when everything is found again.", path=set_aside,
            )
        )  # fmt: skip
    for view in status.sources:
        count = str(view.counters.quarantined_files)
        if view.enabled and not view.found:
            found.append(
                finding(
                    "source_offline", "warn", f"{view.name} is not there", f"{view.path} cannot be found. What was indexed of it stays.",
                    "Mount or restore the folder, or untick the source.", agent=view.name, path=view.path,
                )
            )  # fmt: skip
        if view.counters.quarantined_files:
            found.append(
                finding(
                    "files_set_aside", "warn", f"{count} files of {view.name} were set aside", "They could not be read; they are tried again when they change.",
                    "See the list of problems for each reason.", agent=view.name, count=count,
                )
            )  # fmt: skip
        if view.counters.skipped_records:
            count = str(view.counters.skipped_records)
            found.append(
                finding(
                    "records_skipped", "info", f"{count} records of {view.name} were skipped", "Counted and left out. The rest of those sessions is in.",
                    "See the list of problems for file, line and reason.", agent=view.name, count=count,
                )
            )  # fmt: skip
        if view.counters.over_budget_files:
            count = str(view.counters.over_budget_files)
            found.append(
                finding(
                    "over_budget", "info", f"{count} files of {view.name} are beyond the budget", "The newest were kept.",
                    "Raise the budget or the days in the settings.", agent=view.name, count=count,
                )
            )  # fmt: skip
        if view.enabled and view.state == "partial" and view.counters.files and not view.counters.messages:
            found.append(
                finding(
                    "not_recognised", "error", f"The format of {view.name} was not recognised",
                    f"0 messages came out of {view.counters.files} files.", "Update Backscroll; this agent's format may have changed.",
                    agent=view.name, count=str(view.counters.files),
                )
            )  # fmt: skip
    found += drift.findings(drifts, problems, status.sources)
    found += meaning.findings(status.embedding)
    unreadable = [problem for problem in problems if problem.kind == "unreadable"]
    if unreadable:
        found.append(
            finding(
                "unreadable", "warn", f"{len(unreadable)} paths cannot be read", unreadable[0].path,
                "Give this user read access, or remove what is no session.", count=str(len(unreadable)), path=unreadable[0].path,
            )
        )  # fmt: skip
    for fault in setting_faults:
        found.append(
            finding("setting_fault", "warn", "A setting could not be used", fault, "Mend it in the settings file.", fault=fault)
        )
    for space in spaces:
        for folder in space.missing if not space.removed else ():
            found.append(
                finding(
                    "space_folder_missing", "warn", f"A folder of the space {space.name} is not there",
                    f"{folder} cannot be found. What was said in it stays apart; what is said in a new place for it does not.",
                    "If it was moved, give the space the new folder: backscroll spaces assign", space=space.name, path=folder,
                )
            )  # fmt: skip
    if not any(view.enabled for view in status.sources):
        found.append(
            finding(
                "no_sources", "info", "No source is ticked", "Nothing is read yet.",
                "Tick the sources in the settings, or run: backscroll index --all-sources",
            )
        )  # fmt: skip
    behind = disk.changed + disk.missing
    if behind and not status.indexing:
        found.append(
            finding(
                "index_behind", "info", f"{behind} of {disk.looked_at} files looked at have changed since they were read",
                "Indexing is paused." if status.paused else "They are read at the next pass.",
                "Resume indexing in the tray menu." if status.paused else "Wait a moment, or run: backscroll index",
                count=str(behind), total=str(disk.looked_at),
            )
        )  # fmt: skip
    if disk.vanishing:
        found.append(
            finding(
                "retention", "info", f"Claude Code deletes {disk.vanishing} session files within five days",
                f"It removes what was not touched for {disk.days} days; the first goes on {(iso(disk.first) or '?')[:10]}.",
                "To keep what was said: backscroll config set keep.gone on; the files too: keep.archive, or cleanupPeriodDays in "
                "Claude Code's settings.json.",
                count=str(disk.vanishing), days=str(disk.days),
            )
        )  # fmt: skip
    if status.last_error:
        found.append(
            finding(
                "last_error",
                "error",
                "The last pass failed",
                status.last_error,
                "It is tried again by itself.",
                reason=status.last_error,
            )
        )
    try:
        free = shutil.disk_usage(data).free // 1_000_000
    except OSError as fault:
        raise KnownError("data_unreachable", "The data folder cannot be reached", str(data), "Is its disk mounted?") from fault
    if free < FREE_MEGABYTES:
        found.append(
            finding(
                "disk_low",
                "warn",
                "Little space is left",
                f"{free:,} MB are free where the index lies.",
                "Make room.",
                count=f"{free}",
            )
        )
    found.sort(key=lambda one: ORDER[one.severity])
    if not any(one.severity in ("error", "warn") for one in found):
        found.append(
            finding(
                "all_in_order",
                "ok",
                "Everything is in order",
                "The index opens." if behind else "The index opens and agrees with the files it was read from.",
                "",
            )
        )
    return found


def no_tray() -> Finding:
    """For where another process owns the files: what the tray alone knows cannot be told."""
    return finding(
        "no_tray", "info", "The tray is not running", "New sessions are read when a command or an agent asks; the hotkey does nothing.",
        "Start it: backscroll",
    )  # fmt: skip


def of_topics(fault: TopicFault | None) -> list[Finding]:
    """Why the chat model that is set names no topics."""
    if fault is None:
        return []
    return [
        finding(
            "topics_stopped", "warn", "The chat model names no topics", f"{fault.message} Words name the days meanwhile.",
            fault.hint or "See Meaning in the settings.", error_code=fault.code, reason=fault.message,
        )
    ]  # fmt: skip


def of_clock(status: Status, now: datetime) -> list[Finding]:
    """Moments that have not come yet: the clock was put back, or a session was written by one that was ahead."""
    built, newest = (datetime.fromisoformat(moment) if moment else None for moment in (status.built_at, status.newest))
    if built is not None and built - now > AHEAD:
        return [
            finding(
                "clock_back", "warn", "The clock of this machine was put back", f"The index was read on {built:%Y-%m-%d %H:%M} UTC, which has not come yet.",
                "Set the clock right; if it is right now, have all read anew: backscroll rebuild", moment=f"{built:%Y-%m-%d %H:%M}",
            )
        ]  # fmt: skip
    if newest is not None and newest - now > NEXT_DAY:
        return [
            finding(
                "times_ahead", "info", "A message is of a day that has not come yet", f"The newest is of {newest:%Y-%m-%d %H:%M} UTC. Whoever wrote it had another clock.",
                "Nothing needs to be done; it stands first where the newest come first.", moment=f"{newest:%Y-%m-%d %H:%M}",
            )
        ]  # fmt: skip
    return []

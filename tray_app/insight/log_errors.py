"""Errors that stand in the log of late. Reads our own log files, the ends of them where they are long."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timedelta
from pathlib import Path

from tray_app.insight.findings import counted, finding
from tray_app.paths import shorten
from tray_app.records import Finding

DAYS = 7
MOST_BYTES = 2 << 20
SAID = 160
_LINE = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d+ (ERROR|CRITICAL) \d+ (.*)$", re.MULTILINE)


def findings(folder: Path, now: datetime) -> list[Finding]:
    """`now` in the local zone, in which the log tells its times. A warning where something ended by an error that nobody caught."""
    since = now.replace(tzinfo=None) - timedelta(days=DAYS)
    lines: list[tuple[datetime, str, str, Path]] = []
    for file in sorted(folder.glob("*.log*")):
        lines += [(moment, level, said, file) for moment, level, said in _errors(file) if moment >= since]
    if not lines:
        return []
    moment, _, said, file = sorted(lines, key=lambda one: one[0])[-1]  # of one second, the last
    grave = any(level == "CRITICAL" for _, level, _, _ in lines)
    return [
        finding(
            "log_errors", "warn" if grave else "info", f"{counted(len(lines), 'error')} in the log within {DAYS} days",
            f"The last one, {moment:%Y-%m-%d %H:%M}: {said[:SAID]}",
            f"Read {shorten(file)}; to report it, take Copy report in Index health along.",
            count=str(len(lines)), days=str(DAYS), moment=f"{moment:%Y-%m-%d %H:%M}", reason=said[:SAID], path=str(file),
        )
    ]  # fmt: skip


def _errors(file: Path) -> list[tuple[datetime, str, str]]:
    text = ""
    with contextlib.suppress(FileNotFoundError), file.open("rb") as stream:  # rotated away meanwhile
        stream.seek(max(stream.seek(0, 2) - MOST_BYTES, 0))
        text = stream.read(MOST_BYTES).decode("utf-8", "replace")
    found = []
    for match in _LINE.finditer(text):
        with contextlib.suppress(ValueError):  # no day of the calendar
            found.append((datetime.fromisoformat(match[1]), match[2], match[3]))
    return found

"""Whether the index agrees with the files it was read from, and which of them their agent will soon delete.

Looks at a sample of the files' sizes and times on disk; opens none but Claude Code's settings, for how long it keeps sessions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import msgspec

from tray_app.library.reading import FileMark

SAMPLE = 50
"""Files looked at: so many of the newest, and so many spread over the rest."""
CLAUDE_DAYS = 30
"""Claude Code deletes sessions that were not touched for so long, unless its settings say otherwise."""
SOON_DAYS = 5
DATABASES = (".db", ".vscdb")
"""Several sessions share such a file, and size and time of each are the session's own: its being there is all that can be seen."""
DAY_NS = 86_400 * 10**9


class Agreement(msgspec.Struct, frozen=True):
    """Of `looked_at` files, `changed` are not as they were read and `missing` are gone from disk. `vanishing` session files of
    Claude Code, of all that are known, pass its `days` within five days, the first of them at `first` (epoch ms, 0: none)."""

    looked_at: int = 0
    changed: int = 0
    missing: int = 0
    vanishing: int = 0
    days: int = CLAUDE_DAYS
    first: int = 0


def examine(marks: Sequence[FileMark], now: int) -> Agreement:
    """Compare with the disk. `marks` are the files as they were read, newest first; `now` in epoch ms."""
    here = [mark for mark in marks if Path(mark.root).exists()]  # a source that is away is told as such
    rest = here[SAMPLE:]
    sample = here[:SAMPLE] + rest[:: max(len(rest) // SAMPLE, 1)][:SAMPLE]
    changed = missing = 0
    for mark in sample:
        try:
            facts = Path(mark.path).stat()
        except FileNotFoundError:
            missing += 1
        except OSError:
            changed += 1
        else:
            if Path(mark.path).suffix in DATABASES:
                continue
            changed += (facts.st_size, facts.st_mtime_ns) != (mark.size, mark.mtime_ns)
    count, days, first = vanishing(here, now)
    return Agreement(len(sample), changed, missing, count, days, first)


def vanishing(marks: Sequence[FileMark], now: int) -> tuple[int, int, int]:
    """How many session files Claude Code deletes within five days, after how many days it does, and when the first goes (epoch
    ms, 0: none does)."""
    claude = [mark for mark in marks if mark.agent == "claude_code"]
    days = _kept_days(Path(claude[0].root)) if claude else CLAUDE_DAYS
    ages = [(now * 1_000_000 - mark.mtime_ns) / DAY_NS for mark in claude]
    soon = [age for age in ages if days - SOON_DAYS <= age < days]
    return len(soon), days, int(now + (days - max(soon)) * DAY_NS / 1_000_000) if soon else 0


def _kept_days(root: Path) -> int:
    """How long Claude Code keeps sessions, from the settings beside its folder of projects."""
    try:
        value = json.loads((root.parent / "settings.json").read_bytes()).get("cleanupPeriodDays")
    except (OSError, ValueError, AttributeError):
        return CLAUDE_DAYS  # none written, or none that can be read: then the agent's own default holds
    return value if isinstance(value, int) and value > 0 else CLAUDE_DAYS

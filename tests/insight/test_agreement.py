"""The index against the disk, and what Claude Code is about to delete."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tray_app.insight.agreement import CLAUDE_DAYS, SAMPLE, Agreement, examine
from tray_app.library.reading import FileMark

NOW = 1_790_000_000_000
DAY = 86_400_000


def mark(root: Path, name: str, age_days: float = 0.0, agent: str = "codex") -> FileMark:
    """A file that was read as it stands on disk, touched so many days ago."""
    root.mkdir(parents=True, exist_ok=True)
    path = root / name
    path.write_bytes(b"{}\n")
    touched = int((NOW - age_days * DAY) * 1_000_000)
    os.utime(path, ns=(touched, touched))
    return FileMark(str(path), agent, str(root), 3, path.stat().st_mtime_ns)


def test_files_as_they_were_read(tmp_path: Path) -> None:
    assert examine([mark(tmp_path / "s", f"{n}.jsonl") for n in range(3)], NOW) == Agreement(looked_at=3)
    assert examine([], NOW) == Agreement()


def test_files_that_grew_or_went(tmp_path: Path) -> None:
    marks = [mark(tmp_path / "s", f"{n}.jsonl") for n in range(4)]
    Path(marks[0].path).write_bytes(b"{}\n{}\n")
    os.utime(marks[1].path, (1, 1))
    Path(marks[2].path).unlink()
    assert examine(marks, NOW) == Agreement(looked_at=4, changed=2, missing=1)


def test_a_source_that_is_away_is_not_compared(tmp_path: Path) -> None:
    away = FileMark("/nowhere/at/all/x.jsonl", "codex", "/nowhere/at/all", 3, 1)
    assert examine([away, mark(tmp_path / "s", "x.jsonl")], NOW) == Agreement(looked_at=1)


def test_a_database_of_many_sessions_has_not_the_size_of_one(tmp_path: Path) -> None:
    whole = mark(tmp_path / "s", "opencode.db", agent="opencode")
    one = FileMark(whole.path, "opencode", whole.root, 2, 1)
    assert examine([one], NOW) == Agreement(looked_at=1)
    Path(whole.path).unlink()
    assert examine([one], NOW) == Agreement(looked_at=1, missing=1)


def test_only_a_sample_is_looked_at(tmp_path: Path) -> None:
    marks = [mark(tmp_path / "s", f"{n}.jsonl") for n in range(SAMPLE * 3)]
    assert examine(marks, NOW).looked_at == SAMPLE * 2


def test_sessions_of_claude_code_that_vanish_within_five_days(tmp_path: Path) -> None:
    root = tmp_path / ".claude" / "projects"
    marks = [mark(root, f"{age}.jsonl", age, "claude_code") for age in (1, 24, 26, 29, 31)]
    marks.append(mark(tmp_path / "codex", "old.jsonl", 27))
    found = examine(marks, NOW)
    assert (found.vanishing, found.days) == (2, CLAUDE_DAYS)
    (root.parent / "settings.json").write_text(json.dumps({"cleanupPeriodDays": 90}))
    found = examine(marks, NOW)
    assert (found.vanishing, found.days) == (0, 90)


@pytest.mark.parametrize("settings", ["", "[]", "{", '{"cleanupPeriodDays": "long"}', '{"cleanupPeriodDays": 0}', "\ufffd"])
def test_settings_that_say_nothing_leave_the_default(tmp_path: Path, settings: str) -> None:
    root = tmp_path / ".claude" / "projects"
    made = mark(root, "x.jsonl", 28, "claude_code")
    (root.parent / "settings.json").write_text(settings, encoding="utf-8")
    assert (examine([made], NOW).vanishing, examine([made], NOW).days) == (1, CLAUDE_DAYS)

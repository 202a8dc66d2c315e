"""Entries in agents' configs that lead elsewhere: put in for real, then the program moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tray_app.agents.install import apply, plan
from tray_app.insight import entries
from tray_app.paths import Paths, SourcesHome
from tray_app.records import Finding


@pytest.fixture
def paths(isolated: Path) -> Paths:
    (isolated / ".codex").mkdir()
    (isolated / ".claude").mkdir()
    return Paths.from_environment().ensure()


def install(paths: Paths, agent: str) -> None:
    apply(paths, plan(paths, agent))


def found(paths: Paths) -> list[Finding]:
    return entries.findings(paths, SourcesHome.from_environment())


def move(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    """Another program runs now."""
    monkeypatch.setattr("sys.executable", str(program.with_name("python")))
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("")


def test_where_nothing_was_installed_nothing_is_said(paths: Paths) -> None:
    (paths.config.parent.parent / ".claude" / "settings.json").write_text("{ broken")
    assert found(paths) == []


def test_entries_that_lead_here(paths: Paths) -> None:
    install(paths, "codex")
    install(paths, "claude_code")
    (one,) = found(paths)
    assert (one.code, one.severity, one.params) == ("entries_lead_here", "ok", {"names": "Claude Code, Codex"})


def test_an_entry_of_another_installation(paths: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    move(monkeypatch, tmp_path / "old" / "backscroll")
    install(paths, "codex")
    move(monkeypatch, tmp_path / "new" / "backscroll")
    (one,) = found(paths)
    assert (one.code, one.severity, one.params["agent"]) == ("entry_differs", "info", "Codex")
    (tmp_path / "old" / "backscroll").unlink()
    (one,) = found(paths)
    assert (one.code, one.severity, one.params["path"]) == ("entry_broken", "warn", str(tmp_path / "old" / "backscroll"))
    assert one.remedy == "To have it start this one: backscroll install codex"
    install(paths, "codex")
    assert [one.code for one in found(paths)] == ["entries_lead_here"]


def test_a_config_of_ours_that_was_broken_since(paths: Paths, isolated: Path) -> None:
    install(paths, "codex")
    (isolated / ".codex" / "config.toml").write_text("= broken")
    (one,) = found(paths)
    assert (one.code, one.severity, one.params["agent"]) == ("entry_unread", "info", "Codex")
    assert one.remedy

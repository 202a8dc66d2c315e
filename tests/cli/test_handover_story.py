"""A project is handed from Claude Code to Codex to DSH, through the command line alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from data import codex_files as codex
from data import dsh_files as dsh
from real_home import CLAUDE_ID, PROJECT, Home

from tray_app import logs

BEFORE, AFTER_CLAUDE, AFTER_CODEX, AFTER_DSH, LATER = (
    "2026-03-02T08:00:00+00:00",
    "2026-03-02T12:00:00+00:00",
    "2026-05-04T12:00:00+00:00",
    "2026-10-01T12:00:00+00:00",
    "2026-12-01T12:00:00+00:00",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Home]:
    yield Home(tmp_path, monkeypatch, capsys)
    logs.shutdown()


def test_a_project_goes_from_agent_to_agent(home: Home, tmp_path: Path) -> None:
    out = tmp_path / "memory.jsonl"
    with home.held():
        home.at(BEFORE)
        assert home.ask("archive")["baseline_date"] == "2026-03-02T08:00:00.000Z"
        session_after_session(home)
        packs_are_stable(home)
        little_room(home)
        cleaned_up(home)
        wanted = home.ask("pack", PROJECT)
        report = home.ask("export", str(out))
        assert (report["projects"], report["memories"], report["checkpoints"]) == (1, 7, 4)
        assert home.run("export", str(out)).code == 2
    home.move_to(tmp_path / "elsewhere")
    with home.held():
        assert home.ask("import", str(out)) == report
        assert home.ask("import", str(out))["memories"] == 0
        moved = home.ask("pack", PROJECT)
        assert (moved["pack"], moved["version"]) == (wanted["pack"], wanted["version"])
        assert (wanted["resume"]["session"], moved["resume"]["advice"]) == (dsh.SESSION, "none")


def session_after_session(home: Home) -> None:
    """Each is archived by the round that reads it, drafts a checkpoint with what it really wrote, and is promoted."""
    works: list[tuple[Callable[[], None], str, str, str, list[str]]] = [
        (home.claude_works, AFTER_CLAUDE, "claude_code", CLAUDE_ID, ["ledger.py"]),
        (home.codex_works, AFTER_CODEX, "codex", codex.SESSION, ["moorings.py"]),
        (home.dsh_works, AFTER_DSH, "dsh", dsh.SESSION, ["tides.py"]),
    ]
    files: list[str] = []
    for work, moment, agent, session, written in works:
        work()
        home.at(moment)
        home.ask("index", "--all-sources")
        (draft,) = (one["draft"] for one in home.ask("drafts")["drafts"])
        assert (draft["project"], draft["source_agent"], draft["source_session"]) == (PROJECT, agent, session)
        assert draft["files"] == written
        assert all((home.project / name).is_file() for name in written)
        assert home.ask("checkpoint", "get", "--project", PROJECT)["draft"] == draft
        active = home.ask("checkpoint", "promote", "--project", PROJECT)["active"]
        files += written
        assert active["files"] == files
        assert home.ask("drafts", code=1) == {"drafts": []}
    summaries = home.ask("memories", "--project", PROJECT, "--kind", "session")["memories"]
    assert [one["source_agent"] for one in summaries] == ["dsh", "codex", "claude_code"]
    assert home.ask("archive", "--project", PROJECT)["archived"] == 0
    (project,) = (one for one in home.ask("projects")["projects"] if one["name"] == PROJECT)
    assert (project["sessions"], project["memories"], project["has_card"], project["has_draft"]) == (3, 3, True, False)
    assert home.ask("cache", "--project", PROJECT)["by_project"][0]["sessions"] == 3


def packs_are_stable(home: Home) -> None:
    """The card and the pack say what is known; twice the same bytes; one more fact keeps every byte before it."""
    put = (
        "checkpoint",
        "put",
        "--project",
        PROJECT,
        "--goal",
        "One ledger for the harbour",
        "--next",
        "migrate",
        "--next",
        "测试",
    )
    steps = [part for number in range(12) for part in ("--done", f"step {number} of the move to one ledger for all piers")]
    assert home.ask(*put, *steps)["active"]["next"] == ["migrate", "测试"]
    card = home.ask("card", PROJECT)
    assert card["markdown"].startswith(f"<!-- backscroll:card -->\n# {PROJECT}\n")
    assert all(f"- `{name}`" in card["markdown"] for name in ("ledger.py", "moorings.py", "tides.py"))
    assert Path(card["exported_to"]).read_text(encoding="utf-8") == card["markdown"]
    for number in range(3):
        remember(home, "decision", f"Rule {number}", f"Rule number {number}: " + "round once, at the end; " * 6)
    first, again = home.run("pack", PROJECT), home.run("pack", PROJECT)
    assert first == again
    assert first.out.startswith("<!-- backscroll:pack -->\n") and first.out.endswith("<!-- /backscroll:pack -->\n")
    before = home.ask("pack", PROJECT)
    assert (before["pack"], before["dropped"]) == (first.out, [])
    assert remember(home, "decision", "Rule 0", "Rule number 0: " + "round once, at the end; " * 6)["duplicate"]
    assert home.ask("pack", PROJECT) == before
    remember(home, "pitfall", "Spring tide", "The tide table of 2025 is off by an hour.")
    after = home.ask("pack", PROJECT)
    kept = before["pack"][: before["pack"].index("\n\n## Current state")]
    assert after["pack"].startswith(kept + "\n- **Pitfall: Spring tide:** The tide table")
    assert after["version"] != before["version"]
    assert next(one["title"] for one in home.ask("recall", "--project", PROJECT, "spring", "tide")["memories"]) == "Spring tide"
    assert home.ask("pack", PROJECT) == after  # being found is no change


def little_room(home: Home) -> None:
    """Facts go first, the oldest of them first, then the end of the card."""
    whole = home.ask("pack", PROJECT)
    assert "Rule 0" in whole["pack"]
    less = home.ask("pack", "--budget-tokens", str(whole["tokens"] - 10), PROJECT)
    assert less["dropped"] == ["the oldest fact"]
    assert "Rule 0" not in less["pack"] and "Rule 1" in less["pack"] and "tides.py" in less["pack"]
    least = home.ask("pack", "--budget-tokens", "200", PROJECT)
    assert least["dropped"] == ["the 4 oldest facts", "the end of the card"]
    assert least["tokens"] <= 200 < less["tokens"] < whole["tokens"]
    assert (
        "Spring tide" not in least["pack"] and "One ledger for the harbour" in least["pack"] and "tides.py" not in least["pack"]
    )


def cleaned_up(home: Home) -> None:
    """The plan, the doing, and nothing left to do; the pack stays as it is, and a backup was made."""
    pack = home.ask("pack", PROJECT)["pack"]
    home.at(LATER)
    plan = home.ask("cleanup")
    assert [(one["kind"], one["action"]) for one in plan["items"]] == [("session", "archive")] * 3
    assert home.ask("memories", "--kind", "session")["memories"]
    done = home.ask("cleanup", "--apply")
    assert (done["applied"], done["archived"], done["items"]) == (True, 3, plan["items"])
    assert home.ask("cleanup")["items"] == []
    assert home.ask("memories", "--kind", "session", code=1) == {"memories": []}
    assert done["backup"] in [one["path"] for one in home.ask("restore")["backups"]]
    assert home.ask("pack", PROJECT)["pack"] == pack
    assert home.ask("backup")["memories"] == 7


def remember(home: Home, kind: str, title: str, content: str) -> Any:
    return home.ask("remember", "--project", PROJECT, "--kind", kind, "--title", title, "--content", content)

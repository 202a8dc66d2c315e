"""Files as they lie about: links, protection, owners, sizes, several hands at once; and a person who edits around our entry."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from installs import HOOKS, SERVERS, install, tree, uninstall

from tray_app.agents.install import ConfigFault, apply, files, plan, state
from tray_app.agents.install.receipts import Receipts
from tray_app.errors import KnownError
from tray_app.paths import Paths


@pytest.fixture
def paths(agents_home: Paths) -> Paths:
    return agents_home


# --- links --------------------------------------------------------------------------------------------------------------------
def test_a_link_to_nothing_leads_to_the_file_that_is_made(paths: Paths, isolated: Path) -> None:
    link, real = isolated / SERVERS["cursor"], isolated / "dotfiles" / "cursor" / "mcp.json"
    link.symlink_to(real)
    before = tree(isolated)
    install(paths, "cursor")
    assert link.is_symlink() and "backscroll" in real.read_text()
    uninstall(paths, "cursor")
    assert link.is_symlink() and not link.exists() and tree(isolated) == before


def test_links_in_a_ring_are_left(paths: Paths, isolated: Path) -> None:
    link = isolated / SERVERS["cursor"]
    link.symlink_to(isolated / "other.json")
    (isolated / "other.json").symlink_to(link)
    with pytest.raises(ConfigFault, match="cannot be read") as fault:
        install(paths, "cursor")
    assert fault.value.code == "config_unreadable"


def test_a_linked_folder_is_followed(paths: Paths, isolated: Path) -> None:
    (isolated / ".cursor").rmdir()
    (isolated / "dotfiles").mkdir()
    (isolated / ".cursor").symlink_to(isolated / "dotfiles")
    install(paths, "cursor")
    assert "backscroll" in (isolated / "dotfiles" / "mcp.json").read_text()
    uninstall(paths, "cursor")
    assert list((isolated / "dotfiles").iterdir()) == []


# --- who may write ------------------------------------------------------------------------------------------------------------
def test_a_protected_folder_is_told_before_anything_is_tried(
    paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For root no folder is protected, so that the system's answer is given here."""
    real = os.access
    monkeypatch.setattr(files.os, "access", lambda path, mode: Path(path) != isolated / ".cursor" and real(path, mode))
    for raw in (None, b"{}"):
        if raw is not None:
            (isolated / SERVERS["cursor"]).write_bytes(raw)
        with pytest.raises(ConfigFault, match=r"~/\.cursor/mcp\.json is in a folder that is write-protected") as fault:
            plan(paths, "cursor")
        assert (fault.value.code, fault.value.file, fault.value.line) == ("config_readonly", "~/.cursor/mcp.json", 0)
    known = state(paths, "cursor").fault
    assert known is not None and known.code == "config_readonly"


def test_a_file_of_another_user_is_left(paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (isolated / SERVERS["cursor"]).write_text("{}")
    other = os.getuid() + 1
    monkeypatch.setattr(files.os, "getuid", lambda: other)
    with pytest.raises(ConfigFault, match="belongs to another user") as fault:
        plan(paths, "cursor")
    assert fault.value.code == "config_foreign"


@pytest.mark.skipif(os.getuid() != 0, reason="only root may give a file to a group at will")
def test_mode_and_group_are_kept(paths: Paths, isolated: Path) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text("{}")
    os.chown(file, -1, 12_345)
    file.chmod(0o664)
    install(paths, "cursor")
    facts = file.stat()
    assert (facts.st_gid, stat.S_IMODE(facts.st_mode)) == (12_345, 0o664)


def test_a_disk_that_takes_nothing_leaves_the_file(paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text("{}")
    planned = plan(paths, "cursor")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    monkeypatch.setattr("tray_app.agents.install.receipts.replace_file", lambda *given: None)
    with pytest.raises(ConfigFault, match="cannot be written \\(No space left on device\\)") as fault:
        apply(paths, planned)
    assert (fault.value.code, file.read_text()) == ("config_unwritable", "{}")
    assert [one.name for one in file.parent.iterdir()] == ["mcp.json"]


# --- sizes --------------------------------------------------------------------------------------------------------------------
def test_megabytes_of_other_things_are_not_taken_apart(paths: Paths, isolated: Path) -> None:
    """Claude Code keeps the history of every project in the file of its servers."""
    history = {f"/p/{number}": {"history": [{"display": "x" * 40, "n": one} for one in range(30)]} for number in range(1_500)}
    file = isolated / SERVERS["claude_code"]
    file.write_text(json.dumps({"projects": history, "mcpServers": {"other": {"command": "y"}}}, indent=2))
    before = file.read_bytes()
    assert len(before) > 4 << 20
    install(paths, "claude_code")
    entry = json.loads(file.read_text())["mcpServers"]
    assert list(entry) == ["other", "backscroll"]
    file.write_bytes(file.read_bytes() + b"\n")
    uninstall(paths, "claude_code")
    assert file.read_bytes() == before + b"\n"


def test_what_is_far_too_large_is_left(paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    (isolated / SERVERS["cursor"]).write_text(json.dumps({"a": "x" * 100}))
    with pytest.raises(ConfigFault, match="far too large") as fault:
        plan(paths, "cursor")
    assert fault.value.code == "config_foreign"


# --- several hands ------------------------------------------------------------------------------------------------------------
def test_a_file_that_appears_between_is_not_written_over(paths: Paths, isolated: Path) -> None:
    planned = plan(paths, "cursor")
    (isolated / SERVERS["cursor"]).write_text("{}")
    with pytest.raises(ConfigFault, match="changed by another program meanwhile") as fault:
        apply(paths, planned)
    assert (fault.value.code, (isolated / SERVERS["cursor"]).read_text()) == ("config_changed", "{}")


def test_a_file_that_goes_between_is_not_made_again(paths: Paths, isolated: Path) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text("{}")
    planned = plan(paths, "cursor")
    file.unlink()
    with pytest.raises(ConfigFault) as fault:
        apply(paths, planned)
    assert fault.value.code == "config_changed" and not file.exists()


def test_folders_that_were_made_go_again_where_a_later_file_cannot_be_written(paths: Paths, isolated: Path) -> None:
    planned = plan(paths, "claude_code", instructions=True)
    *_, last = planned.changes
    first = next(change for change in planned.changes if change.file.name == "SKILL.md")
    ordered = planned._replace(changes=[first, last if last is not first else planned.changes[0]])
    ordered.changes[1].file.write_text("{}")
    with pytest.raises(ConfigFault):
        apply(paths, ordered)
    assert not (isolated / ".claude/skills").exists()
    assert Receipts(paths).held() == {}


def test_installing_for_two_agents_keeps_both_receipts(paths: Paths, isolated: Path) -> None:
    before = tree(isolated)
    install(paths, "cursor")
    install(paths, "qwen")
    uninstall(paths, "cursor")
    uninstall(paths, "qwen")
    assert tree(isolated) == before


# --- an entry of another hand -------------------------------------------------------------------------------------------------
def test_an_entry_written_by_hand_is_taken_over_and_goes_with_ours(paths: Paths, isolated: Path) -> None:
    """What 'remove' is for is that it is gone, whoever wrote it."""
    file = isolated / SERVERS["cursor"]
    file.write_text('{"mcpServers": {"backscroll": {"command": "backscroll", "args": ["mcp"], "timeout": 9}}}')
    assert state(paths, "cursor").stale
    install(paths, "cursor")
    entry = json.loads(file.read_text())["mcpServers"]["backscroll"]
    assert (entry["command"], entry["timeout"]) == ("/opt/back scroll/backscroll", 9)
    assert not state(paths, "cursor").stale
    uninstall(paths, "cursor")
    assert json.loads(file.read_text()) == {"mcpServers": {}}
    assert uninstall(paths, "cursor") == 0


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "npx", "args": ["-y", "backscroll-notes", "mcp"]},
        {"command": "/opt/my_backscroll_server", "args": ["mcp"]},
        {"command": "backscroll"},
        {"url": "http://127.0.0.1:9/mcp"},
        "backscroll mcp",
    ],
)
def test_another_program_of_that_name_is_left(paths: Paths, isolated: Path, entry: object) -> None:
    file = isolated / SERVERS["cursor"]
    file.write_text('{\n"mcpServers":\n' + json.dumps({"backscroll": entry}) + "}")
    before = file.read_bytes()
    with pytest.raises(ConfigFault, match=r"that is not this program \(line 3\)") as fault:
        install(paths, "cursor")
    assert (fault.value.code, fault.value.line) == ("config_taken", 3)
    known = state(paths, "cursor")
    assert known.mcp is False and known.fault is not None and known.fault.code == "config_taken"
    assert uninstall(paths, "cursor") == 0
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "command",
    [
        ["backscroll"],
        ["/home/x/.local/bin/backscroll"],
        [r"C:\Program Files\Backscroll\backscroll.exe"],
        ["/opt/Backscroll-1.2.0-x86_64.AppImage"],
        ["uvx", "backscroll"],
        ["/usr/bin/python3", "-m", "tray_app.cli.main"],
        ["wsl", "backscroll"],
    ],
)
def test_this_program_is_known_however_it_is_started(paths: Paths, isolated: Path, command: list[str]) -> None:
    entry = {"command": command[0], "args": [*command[1:], "mcp"]}
    (isolated / SERVERS["cursor"]).write_text(json.dumps({"mcpServers": {"backscroll": entry}}))
    assert state(paths, "cursor").mcp is True


def test_names_that_stand_twice(paths: Paths, isolated: Path) -> None:
    """The last counts, as everywhere; what is in the others stays as it is."""
    file = isolated / SERVERS["cursor"]
    file.write_text('{"mcpServers": {"a": {}}, "b": 1, "mcpServers": {"c": {}}, "b": 2}')
    before = file.read_bytes()
    install(paths, "cursor")
    assert list(json.loads(file.read_text())["mcpServers"]) == ["c", "backscroll"]
    uninstall(paths, "cursor")
    assert file.read_bytes() == before
    ours = '"backscroll": {"command": "backscroll", "args": ["mcp"]}'
    file.write_text(f'{{"mcpServers": {{"backscroll": {{"command": "x"}}, {ours}}}}}')
    with pytest.raises(ConfigFault, match="not this program"):
        install(paths, "cursor")
    file.write_text(f'{{"mcpServers": {{{ours}, "a": {{}}, {ours}}}}}')
    uninstall(paths, "cursor")
    assert file.read_text() == '{"mcpServers": { "a": {}}}'


# --- switched off -------------------------------------------------------------------------------------------------------------
def test_what_the_person_switched_off_is_said_and_stays(paths: Paths, isolated: Path) -> None:
    for agent in ("claude_code", "codex", "opencode", "gemini_cli"):
        install(paths, agent)
    settings = isolated / HOOKS["claude_code"]
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "disableAllHooks": True}))
    table = isolated / SERVERS["codex"]
    table.write_text(table.read_text() + "enabled = false\n")
    opencode = isolated / SERVERS["opencode"]
    opencode.write_text(opencode.read_text().replace('"enabled": true', '"enabled": false'))
    assert [state(paths, agent).off for agent in ("claude_code", "codex", "opencode", "gemini_cli")] == [
        ("hook",), ("mcp",), ("mcp",), (),
    ]  # fmt: skip
    assert [install(paths, agent) for agent in ("claude_code", "codex", "opencode")] == [0, 0, 0]


def test_without_the_server_nothing_is_put_in_but_all_is_taken_out(
    paths: Paths, isolated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(paths, "cursor")
    monkeypatch.setattr("tray_app.agents.install.installing.can_serve", lambda: False)
    with pytest.raises(KnownError, match="needs the package 'mcp'") as fault:
        plan(paths, "codex")
    assert fault.value.code == "no_mcp"
    assert uninstall(paths, "cursor") == 1


def test_instructions_that_are_there_are_kept_up_to_date(paths: Paths, isolated: Path) -> None:
    install(paths, "codex", instructions=True)
    file = isolated / ".codex/AGENTS.md"
    file.write_text("# Mine\n\n" + file.read_text().replace("session_recall", "session_find"))
    assert state(paths, "codex").stale
    assert install(paths, "codex") == 1
    assert not state(paths, "codex").stale
    text = file.read_text()
    assert text.startswith("# Mine\n") and "session_recall" in text and "session_find" not in text
    uninstall(paths, "codex")
    assert file.read_text() == "# Mine\n\n"


# --- where the trouble is -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("agent", "name", "raw", "line"),
    [
        ("cursor", SERVERS["cursor"], b'{\n  "a": 1,\n  "b" 2\n}', 3),
        ("cursor", SERVERS["cursor"], b'{\r\n"a": 1,\r\n"b": \xff\r\n}', 3),
        ("codex", SERVERS["codex"], b"[a]\nx = 1\nx = 2\n", 3),
        ("codex", SERVERS["codex"], b"a = 1\n[b\n", 2),
        ("dsh", SERVERS["dsh"], b"# mine\na: 1\n", 2),
        ("dsh", SERVERS["dsh"], b"# mine\n- x: 1\n# backscroll: begin\n- a\n", 3),
    ],
)
def test_the_line_is_told(paths: Paths, isolated: Path, agent: str, name: str, raw: bytes, line: int) -> None:
    (isolated / name).write_bytes(raw)
    with pytest.raises(ConfigFault) as fault:
        plan(paths, agent)
    assert fault.value.code == ("config_broken" if agent == "dsh" else fault.value.code)
    assert fault.value.code in ("config_invalid", "config_encoding", "config_broken")
    assert fault.value.line == line and f"line {line}" in fault.value.message
    assert (isolated / name).read_bytes() == raw

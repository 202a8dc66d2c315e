"""Kinds of records that nobody knows yet, by name."""

from __future__ import annotations

from pathlib import Path

from data import claude_files, codex_files, dsh_files

from tray_app.sources.base import Limits, Unit
from tray_app.sources.claude_code import ClaudeCodeAdapter
from tray_app.sources.codex import CodexAdapter
from tray_app.sources.drift import NAMES_KEPT, UnknownKinds
from tray_app.sources.dsh import DshAdapter


def unit(agent: str, path: Path) -> Unit:
    facts = path.stat()
    return Unit(
        agent=agent, root=path.parent, path=path, session="s1", size=facts.st_size, mtime_ns=facts.st_mtime_ns, inode=facts.st_ino
    )  # fmt: skip


def test_only_identifiers_are_names() -> None:
    kinds = UnknownKinds()
    for kind in ("turn/new", "turn/new", "what the person said", "x" * 49, "", None, 7, "a\nb"):
        kinds.met(kind)
    assert kinds == {"turn/new": 2, "?": 6}
    assert kinds.total() == 8


def test_names_are_bounded() -> None:
    kinds = UnknownKinds()
    for number in range(NAMES_KEPT + 5):
        kinds.met(f"kind-{number}")
    assert (len(kinds), kinds["?"], kinds.total()) == (NAMES_KEPT + 1, 5, NAMES_KEPT + 5)


def test_claude_code_names_them(tmp_path: Path) -> None:
    chat = claude_files.Chat("drift")
    path = claude_files.write(
        tmp_path / "s.jsonl", [chat.user("hello"), {"type": "vision-frame"}, {"type": "vision-frame"}, {"type": "x y"}]
    )
    reading = ClaudeCodeAdapter().read(unit("claude_code", path), None, Limits(), lambda: False)
    assert (reading.unknown, reading.unknown_kinds) == (3, {"vision-frame": 2, "?": 1})


def test_codex_names_them(tmp_path: Path) -> None:
    rows = [
        codex_files.meta(),
        codex_files.row(1, "response_item", {"type": "hologram"}),
        codex_files.row(2, "event_msg", {"type": "zz_new"}),
        codex_files.row(3, "ledger", {"a": 1}),
    ]
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(claude_files.encode(rows))
    reading = CodexAdapter().read(unit("codex", path), None, Limits(), lambda: False)
    assert reading.unknown_kinds == {"response_item/hologram": 1, "event_msg/zz_new": 1, "ledger": 1}
    assert reading.unknown == 3


def test_dsh_names_them(tmp_path: Path) -> None:
    path = tmp_path / "session.v4.jsonl"
    path.write_bytes(claude_files.encode([dsh_files.header(), {"type": "dream/started", "seq": 0, "time": 1, "data": {}}]))
    reading = DshAdapter().read(unit("dsh", path), None, Limits(), lambda: False)
    assert (reading.unknown, reading.unknown_kinds) == (1, {"dream/started": 1})

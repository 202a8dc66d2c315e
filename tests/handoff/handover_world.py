"""A real memory with the parts of hand-over over it, and short ways to write into it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tray_app.handoff.card import Cards
from tray_app.handoff.checkpoints import Checkpoints
from tray_app.handoff.export import CardFile, card_file
from tray_app.handoff.pack import build
from tray_app.library.memory.rows import CardRow, CheckpointRow, MemoryRow
from tray_app.library.memory.store import MemoryStore
from tray_app.memory.drafts import put_draft
from tray_app.records import PackView

PROJECT = "tide-api"


class HandoverWorld:
    """`where` is the setting for the card's file; the project's folder exists."""

    def __init__(self, base: Path) -> None:
        self.base, self.where = base, "data"
        self.folder = base / "Projects" / PROJECT
        self.folder.mkdir(parents=True, exist_ok=True)
        self.registered: list[str] = []
        self.store = MemoryStore(base / "data" / "memory.duckdb")
        self.cards = Cards(self.store, self.file)
        self.checkpoints = Checkpoints(
            self.store, self.cards, lambda project: str(self.folder), lambda change, project: self.registered.append(project)
        )

    def close(self) -> None:
        self.store.close()

    def file(self, project: str) -> CardFile | None:
        return card_file(project, str(self.folder), self.where, self.base / "data", [self.base / ".claude"])

    def remember(self, kind: str, content: str, title: str = "", project: str = PROJECT, **more: Any) -> int:
        with self.store.change() as change:
            number = change.new_id(MemoryRow)
            row = MemoryRow(id=number, project=project, kind=kind, title=title, content=content, created=1_700_000_000_000)
            change.put(msgspec.structs.replace(row, **more))
        return number

    def draft(self, evidence: dict[str, str] | None = None, **fields: Any) -> int:
        with self.store.change() as change:
            return put_draft(
                change, PROJECT, fields, evidence=evidence or {}, now=1_700_000_000_000, agent="claude_code", session="s1"
            )

    def pack(self, budget: int = 4_000, **more: Any) -> PackView:
        return build(self.store, PROJECT, budget, **more)

    def states(self, kind: type[CheckpointRow] | type[CardRow]) -> list[str]:
        return [row.state for _, row in sorted(self.store.rows(kind).items())]

"""Rows of every kind, and what the tests of export and import do with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memory_world import MemoryWorld

from tray_app.library.memory.rows import (
    TABLES,
    AliasRow,
    ArchiveRow,
    CardRow,
    ChangelogRow,
    CheckpointRow,
    MemoryRow,
    PageRow,
    ParagraphRow,
    ProjectRow,
    Row,
)
from tray_app.memory.memories import content_hash
from tray_app.memory.transfer import export_memory, import_memory
from tray_app.records import TransferReport


def memory(number: int, content: str, **fields: Any) -> MemoryRow:
    values = {"project": "shop", "kind": "fact", "title": f"Title {number}", "hash": content_hash(content), **fields}
    return MemoryRow(id=number, content=content, **values)


FULL: tuple[Row, ...] = (
    ProjectRow(id=2, name="shop", folder="/home/kim/shop", origin="workspace", created=1),
    ProjectRow(id=5, name="next.js", created=2),
    AliasRow(id=3, alias="商店", project="shop"),
    memory(4, "First: 数据库用 SQLite。", state="superseded", superseded_by=9, created=1, updated=2, source_agent="codex"),
    memory(7, "Archived.", state="archived", kind="session", use_count=3, last_used=7),
    memory(9, "Second.", created=2, updated=3, source_session="s", source_message="m", source_path="a.md"),
    memory(11, "A draft.", state="draft", project="next.js"),
    CheckpointRow(id=1, project="shop", state="superseded", created=1, updated=1, goal="g", done=("a", "b")),
    CheckpointRow(id=6, project="shop", created=2, updated=2, goal="h", next=("c",), files=("x.py",), open_questions=("?",)),
    CheckpointRow(id=8, project="shop", state="draft", created=3, updated=3, doing="d", evidence={"doing": "s"}),
    CardRow(id=2, project="shop", markdown="# Shop\n", created=2, updated=2, checkpoint=6),
    ArchiveRow(id=4, agent="codex", session="s", project="shop", memory=7, checkpoint=8, read_pack=True, tokens_in=10),
    PageRow(id=3, project="shop", path="docs/a.md", title="A", hash="h", mtime_ns=5, indexed=1, expires=9),
    ParagraphRow(id=6, page=3, project="shop", place=1, heading="A > B", text="Text."),
    ChangelogRow(id=2, project="shop", path="CHANGELOG.md", entry_hash="e", memory=9),
)


def put(world: MemoryWorld, *rows: Row) -> None:
    with world.store.change() as change:
        for row in rows:
            change.put(row)


def all_rows(world: MemoryWorld) -> dict[str, dict[int, Row]]:
    return {name: dict(world.store.rows(kind)) for name, kind in TABLES.items() if world.store.rows(kind)}


def out(world: MemoryWorld, name: str = "export.jsonl") -> Path:
    path = world.folder / name
    export_memory(world.store, path, overwrite=True)
    return path


def take(world: MemoryWorld, path: Path) -> TransferReport:
    return import_memory(world.store, world.projects, path)

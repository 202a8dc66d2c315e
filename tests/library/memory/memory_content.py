"""A small memory for the tests: what is written in it, and a plain account of what should be there."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec

from tray_app.library.memory.rows import TABLES, CheckpointRow, MemoryRow, NoteRow, Row
from tray_app.library.memory.store import MemoryStore
from tray_app.text.segment import query_tokens

Content = dict[str, dict[int, Row]]


def memory(number: int, title: str = "", content: str = "", **fields: object) -> MemoryRow:
    """A memory of project 'p' that says its number."""
    made = MemoryRow(
        id=number, project="p", kind="fact", title=title or f"title {number}", content=content or f"content of {number}"
    )
    return msgspec.structs.replace(made, **fields)


def content(store: MemoryStore) -> Content:
    """All rows by table and id."""
    return {table: dict(store.rows(kind)) for table, kind in TABLES.items()}


def filled(file: Path, changes: int = 12) -> Content:
    """Write so many changes of several kinds, the last snapshot after two thirds of them; gives what is there then."""
    store = MemoryStore(file)
    for step in range(changes):
        with store.change() as change:
            number = change.new_id(MemoryRow)
            change.put(memory(number, content=f"step {step} 数据库 retry word{step} " + "long " * 40))
            change.put(
                CheckpointRow(id=change.new_id(CheckpointRow), project="p", done=(f"did {step}",), evidence={"done": "x"})
            )
            if step % 4 == 3:
                change.delete(MemoryRow, number - 2)
                change.put(memory(number - 1, "changed", f"changed in {step}"))
        if step == changes * 2 // 3:
            store.backup("daily")
    with store.change() as change:
        change.put(NoteRow(id=change.new_id(NoteRow), key="end", value="完"))
    found = content(store)
    store.close()
    return found


def copied(folder: Path, target: Path) -> Path:
    """The files of a memory once more; gives the file."""
    shutil.copytree(folder, target)
    return target / "memory.duckdb"


def assert_whole(file: Path, wanted: Content) -> str:
    """Open it and see that everything is there, can be found, can be added to, and is there again; gives what was mended."""
    store = MemoryStore(file)
    try:
        assert content(store) == wanted
        mended = store.mended
        active = [row.id for row in store.memories_of("p")]
        found = store.find_memories(query_tokens("content changed retry"))
        assert sorted(number for number, _ in found) == active
        with store.change() as change:
            number = change.new_id(MemoryRow)
            assert number > max(wanted["memories"], default=0)
            change.put(memory(number, "one more", "quince content"))
        now = content(store)
        assert store.find_memories(query_tokens("quince"))[0][0] == number
    finally:
        store.close()
    again = MemoryStore(file)
    try:
        assert content(again) == now
        assert again.mended == ""
    finally:
        again.close()
    return mended

"""Any life of a memory against a plain account of it: changes, failures, closing, kills, damage, backups and restoring."""

from __future__ import annotations

import logging
import shutil
import tempfile
from pathlib import Path

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from memory_content import Content, content, memory

from tray_app.library.memory.rows import CheckpointRow, MemoryRow
from tray_app.library.memory.store import MemoryStore

TEXTS = st.text(max_size=20) | st.sampled_from(["retry 数据库", "quince", "E0277 cart.py", "\0", "'); --"])


class Life(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.file = self.folder / "data" / "memory.duckdb"
        self.store = MemoryStore(self.file)
        self.known: Content = content(self.store)
        self.kept: list[tuple[Path, Content]] = []
        self.top = 0
        self.log = logging.getLogger("tray_app.library.memory")
        self.log.disabled = True
        logging.getLogger("tray_app.library.memory.opening").disabled = True

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)
        self.log.disabled = False
        logging.getLogger("tray_app.library.memory.opening").disabled = False

    @rule(title=TEXTS, state=st.sampled_from(["active", "archived"]))
    def add(self, title: str, state: str) -> None:
        with self.store.change() as change:
            number = change.new_id(MemoryRow)
            row = change.put(memory(number, title, f"quince {title}", state=state))
        assert number > self.top
        self.top = number
        self.known["memories"][number] = row

    @precondition(lambda self: self.known["memories"])
    @rule(data=st.data(), title=TEXTS)
    def reword(self, data: st.DataObject, title: str) -> None:
        number = data.draw(st.sampled_from(sorted(self.known["memories"])))
        row = msgspec.structs.replace(self.known["memories"][number], title=title)
        with self.store.change() as change:
            change.put(row)
            done = change.put(CheckpointRow(id=number, project="p", done=(title,)))
        self.known["memories"][number] = self.store.rows(MemoryRow)[number]
        self.known["checkpoints"][number] = done

    @precondition(lambda self: self.known["memories"])
    @rule(data=st.data())
    def use(self, data: st.DataObject) -> None:
        numbers = data.draw(st.sets(st.sampled_from(sorted(self.known["memories"])), min_size=1))
        with self.store.change() as change:
            for number in numbers:
                row = self.known["memories"][number]
                row = msgspec.structs.replace(row, use_count=row.use_count + 1, last_used=row.last_used + 5)
                self.known["memories"][number] = change.put(row)

    @precondition(lambda self: self.known["memories"])
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from(sorted(self.known["memories"])))
        with self.store.change() as change:
            change.delete(MemoryRow, number)
        del self.known["memories"][number]

    @rule(title=TEXTS)
    def fail(self, title: str) -> None:
        try:
            with self.store.change() as change:
                change.put(memory(1, title))
                change.delete(MemoryRow, self.top)
                raise RuntimeError
        except RuntimeError:
            pass

    @rule()
    def close(self) -> None:
        self.store.close()

    @rule(log=st.booleans())
    def die(self, log: bool) -> None:
        """What a kill leaves, with or without the database's log."""
        copy = self.folder / "copy"
        if self.file.parent.exists():
            shutil.copytree(self.file.parent, copy)
        self.store.close()
        shutil.rmtree(self.file.parent, ignore_errors=True)
        if copy.exists():
            copy.rename(self.file.parent)
        if not log:
            self.file.with_name("memory.duckdb.wal").unlink(missing_ok=True)

    @rule(what=st.sampled_from(["file", "journal"]), share=st.floats(0, 1))
    def damage(self, what: str, share: float) -> None:
        self.store.close()
        path = self.file if what == "file" else self.file.with_name("memory.journal.jsonl")
        if path.exists() and path.stat().st_size:
            data = bytearray(path.read_bytes())
            data[min(int(len(data) * share), len(data) - 1)] ^= 0x21
            path.write_bytes(data)
            self.store.rows(MemoryRow)  # mended before the next damage

    @precondition(lambda self: len(self.kept) < 4)
    @rule(kind=st.sampled_from(["manual", "daily"]))
    def back_up(self, kind: str) -> None:
        path = self.store.backup(kind)
        self.kept.append((path, {table: dict(rows) for table, rows in self.known.items()}))

    @precondition(lambda self: self.kept)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        path, known = data.draw(st.sampled_from(self.kept))
        self.store.restore(path)
        self.known = {table: dict(rows) for table, rows in known.items()}

    @invariant()
    def holds(self) -> None:
        assert content(self.store) == self.known
        active = [number for number, row in self.known["memories"].items() if row.state == "active"]
        assert sorted(number for number, _ in self.store.find_memories(["quinc"])) == sorted(active)
        assert "lost." not in self.store.mended.replace("Nothing was lost.", "")


Life.TestCase.settings = settings(max_examples=8, stateful_step_count=20, deadline=None)
TestAnyLife = Life.TestCase

"""Small session stores of OpenCode's shape, made up for tests: the database, and the tree of JSON files before it.

The tables are those of the versions of 2026, with the columns in their order; `sequence` is what ZCode's newer schema adds.
The talk is invented. Also owns the few steps that every test of such an adapter takes.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tray_app.paths import SourcesHome
from tray_app.records import Problem
from tray_app.sources.base import Adapter, Context, Limits, Reading, Unit

Row = dict[str, Any]

SESSION = "ses_orchard01"
CHILD = "ses_orchard02"
CWD = "/home/u/orchard"
START = 1_777_881_600_000
TREE = dict[str, tuple[int, int, bytes]]


def millis(second: int) -> int:
    return START + second * 1000


def tables(sequence: bool = False, updated: bool = True, extra: str = "") -> str:
    """The statements that make the tables."""
    number = ", sequence integer not null" if sequence else ""
    touched = "time_updated integer not null, " if updated else ""
    return f"""
        create table session (id text primary key, project_id text not null, workspace_id text, parent_id text, slug text,
            directory text not null, title text not null, version text not null, model text, time_created integer not null,
            time_updated integer not null, time_archived integer{extra});
        create table message (id text primary key, session_id text not null, time_created integer not null,
            {touched}data text not null{number});
        create table part (id text primary key, message_id text not null, session_id text not null,
            time_created integer not null, {touched}data text not null{number});
        create index message_session_idx on message (session_id);
        create index part_session_idx on part (session_id);
        create index part_message_idx on part (message_id);
        """


class Store:
    """A database that is written as its program would: open, in WAL mode, checkpointed only when asked."""

    def __init__(self, path: Path, schema: str | None = None, journal: str = "wal") -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute(f"pragma journal_mode = {journal}")
        self.connection.execute("pragma wal_autocheckpoint = 0")
        self.connection.execute("pragma synchronous = off")
        self.connection.executescript(tables() if schema is None else schema)
        self.parts = 0

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def insert(self, table: str, **values: object) -> None:
        known = {row[1] for row in self.connection.execute(f"pragma table_info({table})")}
        kept = {name: value for name, value in values.items() if name in known}
        marks = ", ".join("?" * len(kept))
        self.connection.execute(f"insert or replace into {table} ({', '.join(kept)}) values ({marks})", tuple(kept.values()))

    def session(self, session: str = SESSION, second: int = 9, **values: object) -> None:
        row: Row = {"id": session, "project_id": "p", "directory": CWD, "title": "", "version": "1.18.34"}
        self.insert(
            "session", **{**row, "time_created": millis(0), "time_updated": millis(second), "model": '{"id":"glm-9"}', **values}
        )

    def message(self, name: str, second: int, data: Row, *parts: Row, session: str = SESSION, sequence: int = 0) -> None:
        times = {"time_created": millis(second), "time_updated": millis(second)}
        self.insert("message", id=name, session_id=session, data=json.dumps(data), sequence=sequence, **times)
        for part in parts:
            self.parts += 1
            self.insert(
                "part",
                id=f"prt_{self.parts:04d}",
                message_id=name,
                session_id=session,
                data=part if isinstance(part, bytes) else json.dumps(part),
                sequence=self.parts,
                **times,
            )


def text(words: str, **more: Any) -> Row:
    return {"type": "text", "text": words, **more}


def tool(name: str, call: str, given: Row, output: str, second: int = 4) -> Row:
    state = {"status": "completed", "input": given, "output": output, "time": {"start": millis(second), "end": millis(second)}}
    return {"type": "tool", "tool": name, "callID": call, "state": state}


def asked(second: int) -> Row:
    return {"role": "user", "time": {"created": millis(second)}, "model": {"providerID": "x", "modelID": "glm-9"}}


def answered(second: int, **more: Any) -> Row:
    tokens = {"total": 190, "input": 147, "output": 30, "reasoning": 0, "cache": {"write": 0, "read": 13}}
    return {
        "role": "assistant",
        "modelID": "glm-9",
        "tokens": tokens,
        "time": {"created": millis(second), "completed": millis(second)},
        **more,
    }


def conversation(store: Store) -> None:
    """Two prompts and their answers, with all that is put in between."""
    store.session()
    store.message(
        "msg_01",
        1,
        asked(1),
        text('"Where do the plums go? 李子种在哪里？"'),
        text("injectedword", synthetic=True),
        text("ignoredword", ignored=True),
        {"type": "file", "mime": "image/png", "url": "data:image/png;base64,AAAA"},
    )
    store.message(
        "msg_02",
        2,
        answered(2),
        {"type": "step-start", "snapshot": "abc"},
        {"type": "reasoning", "text": "thoughtword", "time": {"start": millis(3)}},
        text("I look at the beds.", time={"start": millis(3)}),
        tool("bash", "call_1", {"command": "cat beds.txt", "description": "Read the beds"}, "south bed: plums"),
        tool("backscroll_search", "call_2", {"query": "plums"}, "recalledword"),
        {"type": "step-finish", "tokens": {"input": 1}},
        {"type": "patch", "hash": "x", "files": ["/a"]},
    )
    store.message("msg_03", 5, answered(5), text("In the south bed.", time={"start": millis(5)}))
    store.message("msg_04", 6, {"role": "user", "time": {"created": millis(6)}}, {"type": "compaction", "auto": True})
    store.message("msg_05", 7, answered(7, summary=True), text("Summary: plums stand in the south bed."))
    store.message("msg_06", 8, asked(8), text("And the pears?"), {"type": "hologram", "text": "unknownword"})


# --- the tree of files ---------------------------------------------------------------------------------------------------
def put(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def tree(root: Path, session: str = SESSION, **facts: Any) -> Path:
    """A session of the older layout; returns its file."""
    storage = root / "storage"
    put(storage / "message" / session / "msg_01.json", {"id": "msg_01", **asked(1)})
    put(storage / "part" / "msg_01" / "prt_01.json", {"id": "prt_01", "messageID": "msg_01", **text("Where do the plums go?")})
    put(storage / "message" / session / "msg_02.json", {"id": "msg_02", **answered(2)})
    put(storage / "part" / "msg_02" / "prt_02.json", {"id": "prt_02", **tool("read", "c1", {"filePath": "/b.txt"}, "plums")})
    put(storage / "part" / "msg_02" / "prt_03.json", {"id": "prt_03", **text("In the south bed.")})
    row = {
        "id": session,
        "directory": CWD,
        "version": "1.0.3",
        "title": "Plums",
        "time": {"created": millis(0), "updated": millis(9)},
    }
    return put(storage / "session" / "proj" / f"{session}.json", {**row, **facts})


# --- steps of the tests --------------------------------------------------------------------------------------------------
def found(adapter: Adapter, root: Path, **context: Any) -> tuple[dict[str, Unit], list[Problem]]:
    """Units by session, and what was reported."""
    problems: list[Problem] = []
    given = Context(home=context.get("home", SourcesHome(root, {})), workspaces=context.get("workspaces", ()))
    units = list(adapter.discover(root, given, problems.append))
    assert all(unit.agent == adapter.agent and unit.root == root for unit in units)
    return {unit.session: unit for unit in units}, problems


def read(adapter: Adapter, unit: Unit, limits: Limits | None = None, stop: Callable[[], bool] = lambda: False) -> Reading:
    return adapter.read(unit, None, limits or Limits(), stop)


def said(reading: Reading) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in reading.messages]


def snapshot(folder: Path) -> TREE:
    """Everything below a folder: size, time and content by name."""
    state: TREE = {}
    for path in sorted(folder.rglob("*")):
        info = path.stat()
        state[str(path.relative_to(folder))] = (info.st_size, info.st_mtime_ns, path.read_bytes() if path.is_file() else b"")
    return state

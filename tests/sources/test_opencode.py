"""OpenCode: sessions of its database and of the tree before it, what was said in them, and nothing else."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from data.opencode_files import (
    CHILD,
    CWD,
    SESSION,
    Store,
    answered,
    asked,
    conversation,
    found,
    millis,
    put,
    read,
    said,
    snapshot,
    tables,
    text,
    tool,
    tree,
)

from tray_app.paths import SourcesHome
from tray_app.sources.base import Limits, NotReady, Session, Stopped, Unit, Usage
from tray_app.sources.opencode import OpenCodeAdapter
from tray_app.sources.opencode_lines import unquoted

OPENCODE = OpenCodeAdapter()
TALK = [
    ("user", "Where do the plums go? 李子种在哪里？"),
    ("user", "[image png]"),
    ("assistant", "I look at the beds."),
    ("tool_call", "cat beds.txt\nRead the beds"),
    ("tool_result", "south bed: plums"),
    ("assistant", "In the south bed."),
    ("summary", "Summary: plums stand in the south bed."),
    ("user", "And the pears?"),
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "opencode" / "opencode.db")


def test_roots() -> None:
    home = Path("/home/u")
    assert OPENCODE.roots(SourcesHome(home, {})) == [home / ".local" / "share" / "opencode"]
    assert OPENCODE.roots(SourcesHome(home, {"XDG_DATA_HOME": "/d"})) == [Path("/d/opencode").absolute()]


def test_a_session_of_a_live_database(store: Store) -> None:
    root = store.path.parent
    with store:
        conversation(store)
        before = snapshot(root)
        units, problems = found(OPENCODE, root)
        unit = units[SESSION]
        reading = read(OPENCODE, unit)
    assert problems == []
    assert unit == Unit(
        agent="opencode",
        root=root,
        path=store.path,
        session=SESSION,
        size=6 * 1024 + 16,
        mtime_ns=millis(9) * 1_000_000,
        inode=0,
        preference=1,
    )
    assert said(reading) == TALK
    assert reading.session == Session(
        id=SESSION,
        cwd=CWD,
        title="Where do the plums go? 李子种在哪里？",
        start=millis(1),
        end=millis(8),
        model="glm-9",
        version="1.18.34",
    )
    first, call = reading.messages[0], reading.messages[3]
    assert (first.id, first.identity, first.time, first.seq) == ("msg_01", f"{millis(1)}:0", millis(1), 0)
    assert (call.id, call.tool, call.time) == ("call_1", "bash", millis(4))
    assert reading.usage[0] == Usage("msg_02", millis(2), "glm-9", input=147, output=30, cache_read=13, cache_write=0)
    assert (reading.records, reading.recognised, reading.unknown, reading.skipped) == (22, 21, 1, 0)
    assert reading.checkpoint is None and not reading.resumed
    assert OPENCODE.resume_command(reading.session) == f"cd {CWD} && opencode -s {SESSION}"
    assert before.keys() == {"opencode.db", "opencode.db-wal", "opencode.db-shm"}


def test_nothing_in_the_folder_changes(store: Store) -> None:
    with store:
        conversation(store)
    before = snapshot(store.path.parent)
    units, _ = found(OPENCODE, store.path.parent)
    assert said(read(OPENCODE, units[SESSION])) == TALK
    assert snapshot(store.path.parent) == before


def test_only_a_session_that_changed_looks_changed(store: Store) -> None:
    def signs() -> dict[str, tuple[int, int, int]]:
        return {name: (unit.size, unit.mtime_ns, unit.inode) for name, unit in found(OPENCODE, store.path.parent)[0].items()}

    with store:
        conversation(store)
        store.session(CHILD, 3)
        store.message("msg_91", 2, asked(2), text("Other beds?"), session=CHILD)
        first = signs()
        store.message("msg_07", 8, answered(8), text("Beside them."))
        second = signs()
        store.session(CHILD, 30)
        third = signs()
    assert first[CHILD] == second[CHILD] and first[SESSION] != second[SESSION]
    assert second[SESSION] == third[SESSION] and second[CHILD] != third[CHILD]


def test_sub_agents_titles_and_archive(store: Store) -> None:
    with store:
        store.session(CHILD, parent_id=SESSION, title="Count the beds (@general subagent)", time_archived=millis(20))
        store.message("msg_91", 2, asked(2), text("Count the beds."), session=CHILD)
        store.message("msg_92", 3, answered(3), text("There are four."), session=CHILD)
        units, _ = found(OPENCODE, store.path.parent)
        reading = read(OPENCODE, units[CHILD])
    assert (units[CHILD].kind, units[CHILD].parent, units[CHILD].archived) == ("subagent", SESSION, True)
    assert said(reading) == [("note", "Count the beds."), ("assistant", "There are four.")]
    session = reading.session
    assert (session.kind, session.parent, session.archived) == ("subagent", SESSION, True)
    assert (session.title, session.title_rank) == ("Count the beds (@general subagent)", 2)
    assert OPENCODE.resume_command(session) == f"cd {CWD} && opencode -s {SESSION}"


def test_a_title_that_the_program_made_up_is_none(store: Store) -> None:
    with store:
        store.session(title="New session - 2026-05-04T08:00:00.000Z")
        store.message("msg_01", 1, asked(1), text("Prune\nthe plums."))
        session = read(OPENCODE, found(OPENCODE, store.path.parent)[0][SESSION]).session
    assert (session.title, session.title_rank) == ("Prune the plums.", 0)


def test_limits(store: Store) -> None:
    with store:
        conversation(store)
        unit = found(OPENCODE, store.path.parent)[0][SESSION]
        roles = [role for role, _ in said(read(OPENCODE, unit, Limits(tools=False, reasoning=True)))]
        assert roles == ["user", "user", "reasoning", "assistant", "assistant", "summary", "user"]
        small = read(OPENCODE, unit, Limits(line_bytes=150))
        assert small.skipped > 0 and {problem.kind for problem in small.problems} == {"oversize_line"}
        with pytest.raises(NotReady):
            read(OPENCODE, Unit(**{**{name: getattr(unit, name) for name in unit.__struct_fields__}, "session": "gone"}))


def test_older_columns(tmp_path: Path) -> None:
    with Store(tmp_path / "opencode.db", tables(updated=False), "delete") as store:
        conversation(store)
        units, problems = found(OPENCODE, tmp_path)
        assert problems == [] and said(read(OPENCODE, units[SESSION])) == TALK


def test_rows_that_are_no_records(store: Store) -> None:
    with store:
        store.session()
        store.message("msg_01", 1, asked(1), text("Plums?"), b"\xff{", [1, 2], text("\ud83d broken"))  # type: ignore[arg-type]
        store.connection.execute("insert into message values ('msg_02', ?, 0, 0, x'00')", (SESSION,))
        store.connection.execute("insert into message values ('msg_03', ?, 'x', 'y', 17)", (SESSION,))
        reading = read(OPENCODE, found(OPENCODE, store.path.parent)[0][SESSION])
    assert said(reading) == [("user", "Plums?"), ("user", "\ufffd broken")]
    assert reading.skipped == 4
    assert {problem.kind for problem in reading.problems} == {"bad_record"}


def test_databases_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    (tmp_path / "opencode.db").write_bytes(b"no database" * 100)
    (tmp_path / "opencode-dev.db").write_bytes(b"")
    other = sqlite3.connect(tmp_path / "opencode-next.db")
    other.execute("create table event (id)")
    other.close()
    tree(tmp_path)
    units, problems = found(OPENCODE, tmp_path)
    assert list(units) == [SESSION]
    assert [(Path(problem.path).name, problem.kind, problem.reason) for problem in problems] == [
        ("opencode-next.db", "unreadable", "no table of sessions is known in it"),
        ("opencode.db", "unreadable", "not a SQLite database"),
    ]


# --- the tree of files -------------------------------------------------------------------------------------------------
def test_the_older_tree(tmp_path: Path) -> None:
    path = tree(tmp_path)
    units, problems = found(OPENCODE, tmp_path)
    unit = units[SESSION]
    assert (problems, unit.path, unit.preference) == ([], path, 0)
    reading = read(OPENCODE, unit)
    assert said(reading) == [
        ("user", "Where do the plums go?"),
        ("tool_call", "/b.txt"),
        ("tool_result", "plums"),
        ("assistant", "In the south bed."),
    ]
    assert reading.messages[1].files == ("/b.txt",)
    assert reading.session == Session(
        id=SESSION, cwd=CWD, title="Plums", title_rank=2, start=millis(1), end=millis(4), model="glm-9", version="1.0.3"
    )
    before = unit.size, unit.mtime_ns
    put(tmp_path / "storage" / "message" / SESSION / "msg_03.json", {"id": "msg_03", **asked(5)})
    again = found(OPENCODE, tmp_path)[0][SESSION]
    assert (again.size, again.mtime_ns) > before


def test_loose_parts_and_bare_names(tmp_path: Path) -> None:
    storage = tmp_path / "storage"
    put(storage / "session" / "p" / "ses_s_1.json", {"id": "s_1", "directory": CWD})
    put(storage / "message" / "s_1" / "msg_01.json", {"id": "m1", **asked(1)})
    put(storage / "part" / "prt_1.json", {"messageID": "m1", **text("Loose plums?")})
    put(storage / "part" / "prt_2.json", {"messageID": "m2", **text("Of another.")})
    reading = read(OPENCODE, found(OPENCODE, tmp_path)[0]["s_1"])
    assert said(reading) == [("user", "Loose plums?")]


def test_a_session_in_both_is_read_from_the_database(store: Store) -> None:
    with store:
        conversation(store)
        tree(store.path.parent)
        tree(store.path.parent, "ses_old", parentID=SESSION)
        units, _ = found(OPENCODE, store.path.parent)
    assert units[SESSION].path == store.path
    assert (units["ses_old"].path.suffix, read(OPENCODE, units["ses_old"]).session.kind) == (".json", "subagent")


def test_names_from_files_never_leave_the_folder(tmp_path: Path) -> None:
    secret = put(tmp_path / "outside" / "x.json", text("outsideword"))
    root = tmp_path / "root"
    tree(root)
    put(root / "storage" / "message" / SESSION / "msg_03.json", {"id": str(secret.parent), **asked(5)})
    put(root / "storage" / "message" / SESSION / "msg_04.json", {"id": "../../../outside", **asked(5)})
    assert "outsideword" not in json.dumps(said(read(OPENCODE, found(OPENCODE, root)[0][SESSION])))


def test_half_written_files(tmp_path: Path) -> None:
    path = tree(tmp_path)
    unit = found(OPENCODE, tmp_path)[0][SESSION]
    (tmp_path / "storage" / "part" / "msg_02" / "prt_03.json").write_bytes(b'{"type": "te')
    assert read(OPENCODE, unit).skipped == 1
    with pytest.raises(Stopped):
        read(OPENCODE, unit, stop=lambda: True)
    path.write_bytes(b"")
    with pytest.raises(NotReady):
        read(OPENCODE, unit)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ('"fix the beds"', "fix the beds"),
        ('"say \\"plum\\" twice"', 'say "plum" twice'),
        ('"one"', '"one"'),
        ('"two words" "and two"', '"two words" "and two"'),
        ('say "plum"', 'say "plum"'),
        ('"', '"'),
        ("", ""),
    ],
)
def test_unquoted(given: str, expected: str) -> None:
    assert unquoted(given) == expected


def test_a_tool_that_failed(store: Store) -> None:
    failed = tool("edit", "call_9", {"filePath": "/home/u/orchard/beds.txt", "newString": "pears"}, "")
    failed["state"] |= {"status": "error", "error": "no such bed"}
    with store:
        store.session()
        store.message("msg_01", 1, asked(1), text("Write pears."))
        store.message("msg_02", 2, answered(2), failed)
        reading = read(OPENCODE, found(OPENCODE, store.path.parent)[0][SESSION])
    assert said(reading)[1:] == [("tool_call", f"{CWD}/beds.txt\nnewString: pears"), ("tool_result", "no such bed")]
    assert reading.messages[1].files == (f"{CWD}/beds.txt",)

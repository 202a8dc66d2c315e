"""Whole sessions as archiving reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tray_app.library.connection import open_index
from tray_app.library.reading import Reader
from tray_app.library.session_reading import Tokens, Told, session_states, tokens_of, told_in

ROWS = """
insert into sessions(id, agent, native, title, title_rank, cwd, project, "start", "end", model, branch, version, kind, parent, archived,
    gone, messages, open_round)
  values (1, 'codex', 'one', '', 0, '/w', 'w', 1, 9, '', '', '', 'main', '', false, false, 2, 0),
         (2, 'codex', 'fork', '', 0, '/w', 'w', 1, 9, '', '', '', 'main', 'one', false, false, 1, 0),
         (3, 'codex', 'empty', '', 0, '/w', 'w', 0, 0, '', '', '', 'main', '', false, false, 0, 0);
insert into messages(id, session_id, seq, native, role, tool, time, text, identity, "offset", files)
  values (10, 1, 0, 'a', 'user', '', 5, 'Ask', 1, 0, ''), (11, 1, 1, 'b', 'tool_call', 'Edit', 7, 'x', 2, 0, 'a.py' || chr(10) || 'b.py'),
         (12, 2, 5, 'c', 'assistant', null, null, null, 3, 0, null);
insert into copies(session_id, message_id, seq) values (2, 11, 1), (2, 10, 0);
insert into files(id, path, agent, root, unit, mtime_ns, session_id)
  values (1, '/a', 'codex', '/', 'one', 3000000, 1), (2, '/b', 'codex', '/', 'one', 8000000, 1), (3, '/c', 'codex', '/', 'x', 9000000, -1);
insert into usage(session_id, key, time, model, input, output, cache_read, cache_write)
  values (1, 'k', 0, '', 5, 2, -1, -1), (1, 'l', 0, '', 7, 1, 40, 3), (2, 'm', 0, '', 1, 1, 1, 1);
"""


@pytest.fixture
def reader(tmp_path: Path):  # type: ignore[no-untyped-def]
    opened = open_index(tmp_path / "index.duckdb")
    reader = Reader(opened)
    reader.cursor.execute(ROWS)
    yield reader
    reader.close()
    opened.close()


def test_states(reader: Reader) -> None:
    states = [
        (one.row.native, one.written, one.said, one.messages, one.own, one.newest) for one in session_states(reader.cursor)
    ]
    assert states == [("one", 8, 7, 2, 2, "b"), ("fork", 0, 7, 3, 1, "c")]


def test_messages_in_order_with_what_was_inherited(reader: Reader) -> None:
    assert told_in(reader.cursor, 2) == [
        Told("a", "user", "", 5, "Ask", (), True),
        Told("b", "tool_call", "Edit", 7, "x", ("a.py", "b.py"), True),
        Told("c", "assistant", "", 0, "", (), False),
    ]
    assert told_in(reader.cursor, 3) == []


def test_tokens(reader: Reader) -> None:
    assert tokens_of(reader.cursor, [1]) == Tokens(12, 3, 40, 3)
    assert tokens_of(reader.cursor, [1, 2]) == Tokens(13, 4, 41, 4)
    assert tokens_of(reader.cursor, []) == tokens_of(reader.cursor, [9]) == Tokens()

"""The journal: lines that say what was changed, and what is made of them when they are torn or damaged."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_content import memory

from tray_app.library.memory import schema
from tray_app.library.memory.journal import Journal, decoded, encoded
from tray_app.library.memory.rows import CheckpointRow
from tray_app.library.memory.state import Entry, State, difference
from tray_app.library.migrations import NewerSchema


def entry(seq: int, **parts: object) -> Entry:
    made = {"puts": {"memories": (memory(seq, content='says {"sum":"x"}\n' + "数" * seq),)}, "ids": {"memories": seq}, **parts}
    return Entry(seq=seq, time=seq * 10, **made)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "memory.journal.jsonl")


def written(journal: Journal, *entries: Entry) -> list[bytes]:
    lines = [encoded(one) for one in entries]
    journal.file.write_bytes(b"".join(lines))
    return lines


def test_a_line_is_json_and_is_read_as_it_was(journal: Journal) -> None:
    row = CheckpointRow(id=2, project="p", done=("a",), evidence={"sum": "x"})
    made = entry(3, puts={"checkpoints": (row,)}, deletes={"cards": (4, 5)}, used=((1, 7, 2),))
    line = encoded(made)
    assert msgspec.json.decode(line)["change"]["seq"] == 3
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decoded(line) == made


def test_every_flipped_byte_of_a_line_shows() -> None:
    line = encoded(entry(1))
    for at in range(len(line) - 1):
        data = bytearray(line)
        data[at] ^= 0x01
        with pytest.raises(ValueError, match=r"no entry|checksum"):
            decoded(bytes(data))


def test_a_line_of_a_newer_program(monkeypatch: pytest.MonkeyPatch) -> None:
    line = encoded(entry(1))
    monkeypatch.setattr(schema, "MEMORY_SCHEMA", 0)
    with pytest.raises(NewerSchema):
        decoded(line)


def test_appending_and_taking_back(journal: Journal) -> None:
    assert journal.size == -1
    assert journal.read().there is False
    first, second = encoded(entry(1)), encoded(entry(2))
    assert journal.append(first) == 0
    assert journal.append(second) == len(first)
    reading = journal.read()
    assert ([one.seq for one in reading.entries], reading.lines, reading.size) == ([1, 2], [first, second], journal.size)
    journal.truncate(len(first))
    assert [one.seq for one in journal.read().entries] == [1]


def test_what_cannot_be_written_whole_is_not_there(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    written(journal, entry(1))
    before = journal.file.read_bytes()
    real = os.write

    def half(handle: int, data: bytes) -> int:
        if len(data) < 100:
            raise OSError(28, "No space left on device")
        return real(handle, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(OSError, match="No space"):
        journal.append(encoded(entry(2)))
    assert journal.file.read_bytes() == before


@pytest.mark.parametrize("separator", [b"", b" ", b"\r\n", b"\n\n", b"\0"])
def test_lines_that_run_into_each_other_are_all_read(journal: Journal, separator: bytes) -> None:
    lines = [encoded(entry(seq))[:-1] for seq in (1, 2, 3)]
    journal.file.write_bytes(lines[0] + separator + lines[1] + separator + lines[2] + b"\n")
    reading = journal.read()
    assert [one.seq for one in reading.entries] == [1, 2, 3]
    assert (reading.damaged, reading.torn) == (0, 0)


def test_a_line_without_its_end_is_whole_if_it_says_all(journal: Journal) -> None:
    line = encoded(entry(1))
    journal.file.write_bytes(line + encoded(entry(2))[:-1])
    reading = journal.read()
    assert ([one.seq for one in reading.entries], reading.ragged, reading.torn) == ([1, 2], True, 0)
    journal.file.write_bytes(line + encoded(entry(2))[:-2])
    reading = journal.read()
    assert ([one.seq for one in reading.entries], reading.torn) == ([1], len(encoded(entry(2))) - 2)
    assert reading.size == len(line)


def test_what_is_missing(journal: Journal) -> None:
    lines = written(journal, *map(entry, (1, 2, 3, 4, 5)))
    assert (journal.read().whole, journal.read().missing(0)) == (True, 0)
    journal.file.write_bytes(b"".join([lines[0], b'{"sum":"rubbish\n', lines[3], lines[4]]))
    reading = journal.read()
    assert (reading.whole, reading.damaged, reading.last, reading.top) == (False, 1, 5, 5)
    assert [reading.missing(seq) for seq in (0, 1, 2, 3, 4, 5, 9)] == [2, 2, 1, 0, 0, 0, 0]
    journal.file.write_bytes(b"".join([*lines[:3], lines[3][:50] + b"\n" + lines[3][50:], lines[4][:40] + b"\n"]))
    reading = journal.read()
    assert (reading.damaged, reading.last, reading.top) == (2, 3, 5)


def test_a_whole_state_closes_every_gap(journal: Journal) -> None:
    state = State().after([entry(1), entry(2)])
    written(journal, entry(1), entry(5), state.as_entry(0, 9), entry(10))
    reading = journal.read()
    assert (reading.whole, reading.missing(0), reading.missing(6)) == (True, 0, 0)
    assert [one.seq for one in reading.after(0)] == [9, 10]
    assert [one.seq for one in reading.after(9)] == [10]
    again = State().after(reading.entries)
    assert sorted(again.tables["memories"]) == [1, 2, 10]


rows = st.builds(
    lambda number, title, uses: memory(number, title or "t", use_count=uses),
    st.integers(1, 6), st.text(max_size=5), st.integers(0, 3),
)  # fmt: skip
changes = st.lists(
    st.tuples(st.lists(rows, max_size=3), st.lists(st.integers(1, 6), max_size=2)).map(
        lambda pair: {
            "puts": {"memories": tuple({row.id: row for row in pair[0]}.values())},
            "deletes": {"memories": tuple(set(pair[1]) - {row.id for row in pair[0]})},
        }
    ),
    max_size=8,
)


@given(changes, st.integers(0, 8))
def test_replaying_what_is_in_already_changes_nothing(parts: list[dict[str, object]], cut: int) -> None:
    entries = [decoded(encoded(Entry(seq=seq, time=0, **one))) for seq, one in enumerate(parts, 1)]
    state = State().after(entries)
    assert state.after(entries).same_as(state)
    assert state.after(entries[cut:]).same_as(state)
    assert State().after(entries[:cut]).after(entries[cut:]).same_as(state)
    assert State().after([state.as_entry(0)]).same_as(state)
    half = State().after(entries[:cut])
    assert half.after([difference(half, state)]).same_as(state)


@given(st.binary(max_size=400), st.integers(0, 2_000), st.integers(0, 40))
def test_any_damage_is_read_without_an_end(tmp_path_factory: pytest.TempPathFactory, junk: bytes, at: int, cut: int) -> None:
    """Whatever is put into it or taken out: what is read is a part of what was written, in its order."""
    journal = Journal(tmp_path_factory.mktemp("journal") / "memory.journal.jsonl")
    entries = [entry(seq) for seq in range(1, 6)]
    data = b"".join(map(encoded, entries))
    at %= len(data)
    journal.file.write_bytes(data[:at] + junk + data[at + cut :])
    reading = journal.read()
    assert [one for one in entries if one in reading.entries] == reading.entries
    assert len(reading.entries) >= 3
    journal.rewrite(reading.lines)
    assert journal.read().entries == reading.entries

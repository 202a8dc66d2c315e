"""Exports that are damaged, cut off or made up: what cannot be used is named, and nothing is taken by halves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_world import MemoryWorld
from transfer_rows import FULL, all_rows, memory, out, put, take

from tray_app.errors import KnownError, UsageError
from tray_app.library.memory.rows import (
    MemoryRow,
)


@pytest.fixture
def worlds(tmp_path: Path) -> Iterator[tuple[MemoryWorld, MemoryWorld]]:
    pair = MemoryWorld(tmp_path / "one"), MemoryWorld(tmp_path / "two")
    yield pair
    for world in pair:
        world.close()


# --- what is wrong with it ---------------------------------------------------------------------------------------------------
def edited(world: MemoryWorld, path: Path, change: dict[int, bytes]) -> Path:
    """The file with some lines (from 1) replaced."""
    lines = path.read_bytes().split(b"\n")
    for number, line in change.items():
        lines[number - 1] = line
    target = world.folder / "edited.jsonl"
    target.write_bytes(b"\n".join(lines))
    return target


def test_bad_lines_are_named_and_skipped(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *(memory(number, f"Memory {number}.") for number in range(1, 12)))
    good = json.loads(out(one).read_text().splitlines()[1])

    def like(**fields: object) -> bytes:
        return json.dumps({**good, **fields}).encode()

    path = edited(
        one, out(one),
        {
            2: b"{broken", 3: b'"text"', 4: like(type="nothing"), 5: like(id=0), 6: like(kind="opinion"), 7: like(state="lost"),
            8: like(project="a/b"), 9: like(created=-1), 10: b"\xff\xfe", 11: like(content=5), 12: like(id=11, content="Sound.", state="superseded", superseded_by=7),
        },
    )  # fmt: skip
    report = take(two, path)
    assert [fault.split(":")[0] for fault in report.faults] == [f"Line {number}" for number in range(2, 13)]
    assert report.faults[0] == "Line 2: no JSON."
    assert report.faults[3] == "Line 5: its id is none, or another record's."
    assert [row.content for row in two.store.rows(MemoryRow).values()] == ["Sound."]
    assert report.memories == 1


def test_links_in_a_circle_are_cut(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(
        one,
        *(
            memory(number, f"M {number}.", state="superseded", superseded_by=after)
            for number, after in ((1, 2), (2, 3), (3, 2), (4, 4), (5, 5))
        ),
    )
    report = take(two, out(one))
    rows = two.store.rows(MemoryRow)
    assert {row.id: row.superseded_by for row in rows.values()} == {1: 2, 2: 0, 3: 2, 4: 0, 5: 0}
    assert len(report.faults) == 3


def test_many_faults_are_counted(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *(memory(number, f"M {number}.", kind="note") for number in range(1, 151)))
    path = out(one)
    path.write_bytes(path.read_bytes().replace(b'"kind":"note"', b'"kind":"nota"'))
    report = take(two, path)
    assert (len(report.faults), report.faults[-1]) == (101, "50 more lines could not be used.")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "not_an_export"),
        (b"\x00" * 100, "not_an_export"),
        (b"[1]\n", "not_an_export"),
        (b'{"backscroll":"index","schema":1,"counts":{}}\n', "not_an_export"),
        (b'{"backscroll":"memory","schema":0,"counts":{}}\n', "not_an_export"),
        (b'{"backscroll":"memory","schema":99,"counts":{}}\n', "newer_export"),
        (b'{"backscroll":"memory","schema":1,"counts":{"memory":2}}\n', "damaged_export"),
    ],
)
def test_a_damaged_file_changes_nothing(worlds: tuple[MemoryWorld, MemoryWorld], content: bytes, code: str) -> None:
    world = worlds[0]
    path = world.folder / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(KnownError) as caught:
        take(world, path)
    assert caught.value.code == code
    assert not world.store.file.exists()
    for missing in (world.folder / "none.jsonl", world.folder):
        with pytest.raises(KnownError) as caught:
            take(world, missing)
        assert caught.value.code == "no_such_file"


def test_a_file_that_was_cut_off_changes_nothing(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *FULL)
    content = out(one).read_bytes()
    ends = [at + 1 for at, byte in enumerate(content) if byte == 10]
    path = one.folder / "cut.jsonl"
    for size in (*ends[:-1], *(end + 7 for end in ends[:-2])):
        path.write_bytes(content[:size])
        with pytest.raises(UsageError) as caught:
            take(two, path)
        assert caught.value.code == "damaged_export"
    assert not two.store.file.exists()


def test_what_cannot_be_written_is_not_half_in(
    worlds: tuple[MemoryWorld, MemoryWorld], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = worlds
    put(one, *FULL)
    put(two, memory(1, "Ours."))
    before = all_rows(two)
    path = out(one)

    def fail(self: object, lines: object) -> None:
        raise KnownError("memory_unwritable", "x", "y")

    monkeypatch.setattr("tray_app.memory.incoming.Incoming._changelogs", fail)
    with pytest.raises(KnownError):
        take(two, path)
    assert all_rows(two) == before


def test_a_file_from_windows(worlds: tuple[MemoryWorld, MemoryWorld]) -> None:
    one, two = worlds
    put(one, *FULL)
    path = out(one)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n")
    assert take(two, path).faults == ()
    assert len(two.store.rows(MemoryRow)) == 4


TEXT = st.text(max_size=30)


@settings(max_examples=15)
@given(
    lines=st.lists(
        st.binary(max_size=60)
        | st.recursive(
            st.none() | st.integers() | TEXT, lambda part: st.dictionaries(TEXT, part, max_size=4), max_leaves=8
        ).map(lambda value: json.dumps(value).encode()),
        max_size=6,
    )
)
def test_any_file_is_taken_or_refused(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    world = MemoryWorld(tmp_path_factory.mktemp("transfer"))
    try:
        path = world.folder / "any.jsonl"
        path.write_bytes(b'{"backscroll":"memory","schema":1,"counts":{}}\n' + b"\n".join(lines))
        report = take(world, path)
        assert (report.memories, report.projects) == (0, 0)
        path.write_bytes(b"\n".join(lines))
        with pytest.raises(UsageError):
            take(world, path)
    finally:
        world.close()

"""A library lends its vectors: loaded while it is open, never opened for them, given back when idle."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tray_app.libraries import Libraries, Library
from tray_app.library import vectors
from tray_app.library.memory.rows import MemoryRow, NoteRow
from tray_app.library.rows import ChunkRow
from tray_app.library.store import Store
from tray_app.library.vectors import Found, VectorWriter
from tray_app.spaces import Spaces
from tray_app.territory import REST

KEY = "a|m|4||unit"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    made = Library(tmp_path / "index.duckdb")
    store = Store(made.open())
    with store.transaction():
        row = ChunkRow(id=1, session_id=0, round=0, kind="round", time=0, pieces=((1, 0, 4),), size=4)
        store.add_chunks([row], [(["word"], 1)])
    store.close()
    with VectorWriter(made.open()) as writer:
        rows = vectors.passage_rows(writer.cursor, [1])
        writer.add(writer.open_space(KEY, 4), [Found(1, rows[1], 0, np.eye(1, 4, dtype=np.float32))], ())
    made.matrices.outdated()
    yield made
    with made.shut():
        pass


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_reader_has_the_vectors_of_its_library(library: Library) -> None:
    with library.reading(settled=True) as reader:
        matrix = reader.matrix(KEY, 5.0)
        assert matrix is not None
        assert matrix.ids.tolist() == [1]
        assert reader.standing(matrix, [1, 2]) == {1}


def test_a_closed_file_is_not_opened_for_its_vectors(library: Library) -> None:
    with library.shut():
        assert library.matrices.of(KEY, 1.0) is None
    assert not library.is_open
    assert library.matrices.of(KEY, 1.0) is None
    assert not library.is_open
    library.open()
    until(lambda: library.matrices.of(KEY) is not None)


def test_closing_waits_for_the_load_and_tells_it_to_end(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()

    def load(cursor: object, key: str, former: object, stop: Callable[[], bool]) -> None:
        begun.set()
        until(stop)

    monkeypatch.setattr(vectors, "load", load)
    assert library.matrices.of(KEY) is None
    assert begun.wait(5)
    with library.shut():
        assert not library.is_open


def test_what_nobody_uses_is_given_back(library: Library) -> None:
    assert library.matrices.of(KEY, 5.0) is not None
    assert library.release_idle(60)
    assert not library.release_idle(0)
    assert not library.matrices.holds


def test_a_deleted_library_has_no_vectors(library: Library) -> None:
    assert library.matrices.of(KEY, 5.0) is not None
    with library.shut():
        library.delete()
    library.open()
    found = library.matrices.of(KEY, 5.0)
    assert found is not None
    assert len(found) == 0


def test_the_memory_lies_beside_the_index_and_outlives_it(library: Library) -> None:
    with library.memory.change() as change:
        change.put(MemoryRow(id=change.new_id(MemoryRow), project="p", kind="fact", title="t", content="kept"))
    folder = library.file.parent
    assert library.memory.file == folder / "memory.duckdb"
    with library.shut():
        others = {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("memory")}
        library.delete()
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == others
        assert set(others) == {"memory.duckdb", "memory.journal.jsonl"}
    assert library.memory.rows(MemoryRow)[1].content == "kept"


def test_a_memory_of_each_space(tmp_path: Path) -> None:
    libraries = Libraries(tmp_path / "index.duckdb", Spaces(tmp_path / "spaces"))
    for space in (REST, "0a1b2c3d"):
        with libraries.of(space).memory.change() as change:
            change.put(NoteRow(id=change.new_id(NoteRow), key="space", value=space))
    with libraries.shut():
        assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.duckdb")) == [
            "memory.duckdb", "spaces/0a1b2c3d/memory.duckdb",
        ]  # fmt: skip
    assert [libraries.of(space).memory.rows(NoteRow)[1].value for space in (REST, "0a1b2c3d")] == [REST, "0a1b2c3d"]
    with libraries.shut():
        pass

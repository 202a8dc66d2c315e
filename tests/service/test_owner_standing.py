"""What the check-up says of a real owner: it answers, or what keeps others from it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_double import EngineDouble, connect_double

from tray_app.paths import Paths
from tray_app.records import Finding
from tray_app.service import ownership
from tray_app.service.connection import Connection

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sockets and modes of Unix")


@pytest.fixture
def owner() -> Iterator[Connection]:
    with connect_double("tray") as connection:
        assert connection.is_owner
        yield connection


def found(owner: Connection) -> Finding:
    """What the engine is told to ask."""
    engine = owner.engine
    assert isinstance(engine, EngineDouble)
    (one,) = engine.looks["service"]()
    assert one.remedy or one.severity == "ok"
    return one


def socket_of(paths: Paths) -> Path:
    note = ownership.read_note(paths)
    assert note is not None
    return Path(note.address)


def test_an_owner_that_answers(owner: Connection) -> None:
    one = found(owner)
    assert (one.code, one.severity, one.params["kind"]) == ("owner_answers", "ok", "tray")
    assert one.params["path"] == str(socket_of(Paths.from_environment()))


def test_a_note_that_went(owner: Connection) -> None:
    ownership.note_file(Paths.from_environment()).unlink()
    assert (found(owner).code, found(owner).severity) == ("owner_unreachable", "warn")


def test_a_note_of_another(owner: Connection) -> None:
    file = ownership.note_file(Paths.from_environment())
    file.write_bytes(file.read_bytes().replace(b'"secret":"', b'"secret":"0'))
    assert "speaks of another process" in found(owner).detail


def test_a_socket_that_went(owner: Connection) -> None:
    socket_of(Paths.from_environment()).unlink()
    assert "Nobody answers at" in found(owner).detail


def test_what_others_could_see(owner: Connection) -> None:
    paths = Paths.from_environment()
    socket_of(paths).chmod(0o666)
    one = found(owner)
    assert (one.code, one.params["path"]) == ("socket_exposed", str(socket_of(paths)))
    assert one.remedy == f"chmod 600 '{socket_of(paths)}'"
    socket_of(paths).chmod(0o600)
    ownership.note_file(paths).chmod(0o644)
    assert found(owner).code == "owner_unreachable"  # a note that others can read is not believed

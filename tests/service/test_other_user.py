"""A second user of the machine, for real: a process of another uid at the socket, the note and the folders."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_double import connect_double

from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.service import ownership, transport
from tray_app.service.connection import Connection

OTHER = 65534
"""The uid of nobody."""
BARE = "import os, socket, sys\n"
READ = BARE + "print(open(sys.argv[1]).read())"
WRITE = BARE + "open(sys.argv[1], 'a').close()"
LIST = BARE + "print(os.listdir(sys.argv[1]))"
CALL = BARE + "s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1]); print('in'); print(s.recv(99))"

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or os.getuid() != 0, reason="only root can be somebody else for a moment"
)


@pytest.fixture
def paths(monkeypatch: pytest.MonkeyPatch) -> Iterator[Paths]:
    """In a folder that everybody may pass through: our own folders have to guard themselves."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    monkeypatch.setenv("BACKSCROLL_HOME", str(folder / "ours"))
    (folder / "ours").mkdir(mode=0o755)
    yield Paths.from_environment().ensure()
    shutil.rmtree(folder)


@pytest.fixture
def owner(paths: Paths) -> Iterator[Connection]:
    with connect_double("tray", paths) as connection:
        yield connection


def as_other(code: str, *arguments: object, ours: Path | None = None) -> tuple[str, str]:
    """What the other user's process prints, and the last line of how it failed. It is the bare interpreter of the system, which
    everybody may run."""
    python = next(one for one in (shutil.which("python3", path="/usr/bin:/usr/local/bin"), sys._base_executable) if one)  # type: ignore[attr-defined]
    done = subprocess.run(
        [python, "-I", "-c", code, *map(str, arguments)],
        capture_output=True, text=True, check=False, user=OTHER, group=OTHER, extra_groups=[], cwd="/", timeout=60,
    )  # fmt: skip
    return done.stdout, done.stderr.strip().rpartition("\n")[2]


@functools.cache
def can_run() -> bool:
    return as_other("print('here')") == ("here\n", "")


@pytest.fixture(autouse=True)
def other_user() -> None:
    if not can_run():
        pytest.skip("another user can run no Python here")


def still_answers(paths: Paths) -> bool:
    with connect_double("cli", paths) as client:
        return client.search(SearchRequest(query="webhook")).hits == 1


def test_folders_are_closed_to_others(owner: Connection, paths: Paths) -> None:
    for folder in paths.folders:
        assert as_other(LIST, folder) == ("", f"PermissionError: [Errno 13] Permission denied: '{folder}'")
    for file in (ownership.note_file(paths), ownership.lock_file(paths)):
        assert as_other(READ, file)[1].startswith("PermissionError")
        assert as_other(WRITE, file)[1].startswith("PermissionError")
    assert as_other(CALL, ownership.address_of(paths)) == ("", "PermissionError: [Errno 13] Permission denied")


def test_note_and_socket_are_closed_even_in_an_open_folder(owner: Connection, paths: Paths) -> None:
    paths.data.chmod(0o755)
    paths.runtime.chmod(0o755)
    assert as_other(LIST, paths.runtime) == ("['owner.sock']\n", "")
    for file in (ownership.note_file(paths), ownership.lock_file(paths)):
        assert as_other(READ, file)[1].startswith("PermissionError")
    assert as_other(CALL, ownership.address_of(paths)) == ("", "PermissionError: [Errno 13] Permission denied")


def test_other_user_is_hung_up_on_even_at_an_open_socket(owner: Connection, paths: Paths) -> None:
    """The system says who calls: before a single byte is sent."""
    paths.runtime.chmod(0o755)
    Path(ownership.address_of(paths)).chmod(0o777)
    said, fault = as_other(CALL, ownership.address_of(paths))
    assert said == "in\nb''\n" or (said == "in\n" and fault.startswith("ConnectionResetError"))
    assert still_answers(paths)


def test_socket_of_the_other_user_is_not_called(paths: Paths) -> None:
    """Where the other could put a socket of its own in the place of ours, nothing is sent to it."""
    paths.runtime.chmod(0o777)
    address = ownership.address_of(paths)
    as_other(BARE + "socket.socket(socket.AF_UNIX).bind(sys.argv[1])", address)
    assert Path(address).stat().st_uid == OTHER
    with pytest.raises(KnownError, match="belongs to another user or is no socket") as error:
        transport.dial(address)
    assert error.value.code == "socket_foreign"


@pytest.mark.parametrize("change", ["owner", "mode"])
def test_socket_in_a_folder_of_others_is_refused(paths: Paths, change: str) -> None:
    with connect_double("cli", paths):
        os.chown(paths.runtime, OTHER, OTHER) if change == "owner" else paths.runtime.chmod(0o777)
        with pytest.raises(KnownError, match="belongs to another user, or can be written by one") as error:
            transport.dial(ownership.address_of(paths))
        assert error.value.code == "socket_foreign"
    if change == "owner":
        with pytest.raises(KnownError, match="belongs to another user, or can be written by one"):
            connect_double("cli", paths)
        os.chown(paths.runtime, os.getuid(), os.getgid())
    assert still_answers(paths)  # with its mode mended by itself


def test_data_of_another_user_is_left_alone(paths: Paths) -> None:
    """Root, under sudo, would leave files there that shut the person out."""
    os.chown(paths.data, OTHER, OTHER)
    with pytest.raises(KnownError, match="belongs to another user than the one this runs as") as error:
        connect_double("cli", paths)
    assert error.value.code == "data_foreign"
    assert list(paths.data.iterdir()) == []

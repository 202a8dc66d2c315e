"""The lock that elects, the note, and where the socket lies."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.service import ownership


@pytest.fixture
def paths() -> Paths:
    return Paths.from_environment()


def under(folder: Path) -> Paths:
    return Paths(*[folder / name for name in ("config", "data", "cache", "logs", "run")])


def test_only_one_claim_at_a_time(paths: Paths) -> None:
    first = ownership.claim(paths)
    assert first is not None
    assert ownership.claim(paths) is None
    first.release()
    first.release()
    with ownership.claim(paths) as second:  # type: ignore[union-attr]
        assert second is not None


def test_claim_ends_with_its_process(paths: Paths) -> None:
    code = "from tray_app.paths import Paths; from tray_app.service import ownership as o; import os\n"
    code += "c = o.claim(Paths.from_environment()); c.announce('cli'); os.kill(os.getpid(), 9)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    assert ownership.read_note(paths) is not None
    with ownership.claim(paths) as claim:  # type: ignore[union-attr]
        assert claim is not None


def test_note_says_where_the_owner_is(paths: Paths) -> None:
    assert ownership.read_note(paths) is None
    with ownership.claim(paths) as claim:  # type: ignore[union-attr]
        note = claim.announce("tray")
        assert ownership.read_note(paths) == note
        assert (note.pid, note.kind, note.address) == (os.getpid(), "tray", str(paths.runtime / "owner.sock"))
    assert ownership.read_note(paths) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"pid":1}', b"\xff\xfe", b"\x00" * 70_000])
def test_damaged_note_is_no_note(paths: Paths, content: bytes) -> None:
    paths.ensure()
    ownership.note_file(paths).write_bytes(content)
    ownership.note_file(paths).chmod(0o600)
    assert ownership.read_note(paths) is None


def test_note_that_others_can_read_is_refused(paths: Paths) -> None:
    paths.ensure()
    ownership.note_file(paths).write_bytes(b"{}")
    ownership.note_file(paths).chmod(0o644)
    with pytest.raises(KnownError, match="another user"):
        ownership.read_note(paths)


def test_long_path_moves_the_socket_to_a_private_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    paths = under(tmp_path / ("long" * 30))
    address = Path(ownership.address_of(paths))
    assert len(os.fsencode(address)) <= ownership.SOCKET_BYTES
    assert ownership.address_of(paths) == str(address)
    assert ownership.address_of(under(tmp_path / ("long" * 31))) != str(address)
    assert stat.S_IMODE(address.parent.stat().st_mode) == 0o700
    address.parent.rmdir()


def test_folder_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ownership.private(tmp_path / "mine")
    assert ownership.private(folder) == folder
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(KnownError, match="belongs to another user"):
        ownership.private(tmp_path / "link")
    own = os.getuid()
    monkeypatch.setattr("tray_app.service.ownership.os.getuid", lambda: own + 1)
    with pytest.raises(KnownError, match="belongs to another user"):
        ownership.private(folder)

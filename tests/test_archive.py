"""Copies of session files: what is copied, that it is the same, what happens when it cannot be, and writing it out again."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from tray_app.archive import Archive, Original, Round
from tray_app.archive import copies as archive_module
from tray_app.archive.copies import DAY_NS
from tray_app.archive.manifest import file_name
from tray_app.errors import KnownError, UsageError

NOW = 1_800_000_000 * 10**9
TEXT = b'{"type": "user"}\n' * 4_000


def never() -> bool:
    return False


def put(path: Path, content: bytes = TEXT, idle_days: float = 10) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    moment = int(NOW - idle_days * DAY_NS)
    os.utime(path, ns=(moment, moment))
    return path


def original(*paths: Path, session: str = "s1", agent: str = "codex") -> Original:
    return Original(agent=agent, session=session, paths=paths)


@pytest.fixture
def kept(tmp_path: Path) -> Archive:
    return Archive(tmp_path / "archive")


def copy(kept: Archive, *originals: Original, most: int = 1 << 40, stop: Callable[[], bool] = never) -> Round:
    return kept.copy(originals, NOW, 3, stop, most, spare=0)


def test_a_copy_is_the_same_and_readable_by_this_user_alone(kept: Archive, tmp_path: Path) -> None:
    source = put(tmp_path / "agent" / "s1.jsonl")
    done = copy(kept, original(source))
    stored = kept.folder / "codex" / "s1.zst"
    assert (done.copied, done.bytes, done.left, done.failed) == (1, len(TEXT), 0, 0)
    assert done.stored == stored.stat().st_size < len(TEXT) // 10
    assert zstandard.ZstdDecompressor().stream_reader(stored.read_bytes()).read() == TEXT
    assert zstandard.get_frame_parameters(stored.read_bytes()[:18]).has_checksum
    if os.name == "posix":
        assert stat.S_IMODE(stored.stat().st_mode) == 0o600
    (line,) = kept.copies()
    assert (line.agent, line.session, line.path, line.size) == ("codex", "s1", str(source), len(TEXT))
    assert (line.hash, line.mtime_ns) == (hashlib.sha256(TEXT).hexdigest(), source.stat().st_mtime_ns)
    assert kept.figures() == (1, len(TEXT), done.stored)
    assert kept.anchor("codex", "s1") == str(stored)
    assert Archive(kept.folder).copies() == [line]
    assert [path.name for path in source.parent.iterdir()] == ["s1.jsonl"]


def test_only_what_is_idle_and_changed_is_copied(kept: Archive, tmp_path: Path) -> None:
    old, fresh, empty = put(tmp_path / "old"), put(tmp_path / "fresh", idle_days=2), put(tmp_path / "empty", b"")
    originals = [original(old), original(fresh, session="s2"), original(empty, session="s3")]
    assert copy(kept, *originals).copied == 1
    assert copy(kept, *originals).copied == 0
    put(old, TEXT + b"more\n", idle_days=4)
    assert copy(kept, *originals).copied == 1
    assert [line.size for line in kept.copies()] == [len(TEXT) + 5]


def test_a_file_that_shrank_does_not_take_the_place_of_what_it_held(kept: Archive, tmp_path: Path) -> None:
    source = put(tmp_path / "s1.jsonl")
    copy(kept, original(source))
    put(source, b"short\n", idle_days=5)
    copy(kept, original(source))
    assert sorted(line.file for line in kept.copies()) == ["codex/s1+2.zst", "codex/s1.zst"]
    put(source, b"short\nlonger\n", idle_days=4)
    copy(kept, original(source))
    assert {line.file: line.size for line in kept.copies()} == {"codex/s1.zst": len(TEXT), "codex/s1+2.zst": 13}
    written = kept.restore(kept.copies("codex", "s1"), tmp_path / "out")
    assert [path.name for path in written] == ["s1.jsonl", "s1 (2).jsonl"]


def test_a_round_is_bounded_oldest_first_and_the_rest_waits(kept: Archive, tmp_path: Path) -> None:
    originals = [original(put(tmp_path / f"{n}", idle_days=10 + n), session=f"s{n}") for n in range(4)]
    done = copy(kept, *originals, most=2 * len(TEXT))
    assert (done.copied, done.left) == (2, 2)
    assert {line.session for line in kept.copies()} == {"s3", "s2"}
    assert copy(kept, *originals, most=1).copied == 1  # one that is larger than a round is copied all the same


def test_it_stops_when_asked_and_leaves_nothing_half_done(kept: Archive, tmp_path: Path) -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 1

    source = put(tmp_path / "s1.jsonl", TEXT * 40)
    done = copy(kept, original(source), stop=stop)
    assert (done.copied, done.failed) == (0, 0)
    assert [path for path in kept.folder.rglob("*") if path.is_file()] == []


def test_a_file_that_several_sessions_share_is_left(kept: Archive, tmp_path: Path) -> None:
    database = put(tmp_path / "all.db")
    assert copy(kept, original(database), original(database, session="s2")) == Round()


def test_side_files_are_copied_with_their_session(kept: Archive, tmp_path: Path) -> None:
    main, side = put(tmp_path / "a" / "log.jsonl"), put(tmp_path / "b" / "log.jsonl", b"side\n")
    assert copy(kept, original(main, side)).copied == 2
    assert kept.anchor("codex", "s1") == str(kept.folder / "codex/s1.zst")
    written = kept.restore(kept.copies("codex", "s1"), tmp_path / "out")
    assert sorted(path.read_bytes() for path in written) == sorted([TEXT, b"side\n"])
    assert kept.figures()[0] == 1


def test_what_changes_while_it_is_read_is_not_copied(kept: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = put(tmp_path / "s1.jsonl")
    real = archive_module._block

    def grown(stream: object) -> bytes:
        if source.stat().st_size == len(TEXT):
            with source.open("ab") as writer:
                writer.write(b"new\n")
        return real(stream)  # type: ignore[arg-type]

    monkeypatch.setattr(archive_module, "_block", grown)
    assert copy(kept, original(source)) == Round(failed=1)
    assert kept.copies() == []


def test_a_copy_that_is_not_the_same_does_not_count(kept: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = put(tmp_path / "s1.jsonl")
    monkeypatch.setattr(Archive, "_is_same", lambda *_: False)
    assert copy(kept, original(source)).failed == 1
    assert kept.copies() == []
    assert list(kept.folder.glob("codex/*")) == []


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="modes do not bind this user")
def test_a_folder_that_cannot_be_written_is_told(kept: Archive, tmp_path: Path) -> None:
    kept.folder.mkdir()
    kept.folder.chmod(0o500)
    with pytest.raises(KnownError) as caught:
        copy(kept, original(put(tmp_path / "s1.jsonl")))
    assert caught.value.code == "archive_unwritable"


def test_a_folder_that_is_none_is_told_until_it_works_again(kept: Archive, tmp_path: Path) -> None:
    kept.folder.write_text("in the way")
    source = original(put(tmp_path / "s1.jsonl"))
    with pytest.raises(KnownError) as caught:
        copy(kept, source)
    assert caught.value.code == ("archive_unreadable" if os.name == "posix" else "archive_unwritable")
    assert kept.last_error
    assert kept.figures() == (0, 0, 0)
    assert kept.anchor("codex", "s1") == ""
    kept.folder.unlink()
    assert copy(kept, source).copied == 1
    assert kept.last_error == ""


def test_a_full_disk_is_told_before_it_is_full(kept: Archive, tmp_path: Path) -> None:
    with pytest.raises(KnownError) as caught:
        kept.copy([original(put(tmp_path / "s1.jsonl"))], NOW, 3, never, spare=1 << 60)
    assert caught.value.code == "archive_no_room"
    assert kept.last_error == str(caught.value)


def test_a_full_disk_in_the_middle_leaves_no_part(kept: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    source = original(put(tmp_path / "s1.jsonl"))
    with monkeypatch.context() as patch:
        patch.setattr(archive_module.os, "fsync", full)
        with pytest.raises(KnownError) as caught:
            copy(kept, source)
    assert caught.value.code == "archive_unwritable"
    assert "No space left" in caught.value.message
    assert [path for path in kept.folder.rglob("*") if path.is_file()] == []
    assert copy(kept, source).copied == 1


def test_leftovers_and_torn_lines_do_no_harm(kept: Archive, tmp_path: Path) -> None:
    source = original(put(tmp_path / "s1.jsonl"))
    copy(kept, source)
    (kept.folder / "codex" / "s9.zst.part").write_bytes(b"half")
    with (kept.folder / "manifest.jsonl").open("ab") as stream:
        stream.write(b'{"file": "codex/s')
    again = Archive(kept.folder)
    assert copy(again, source, original(put(tmp_path / "s2"), session="s2")).copied == 1
    assert not (kept.folder / "codex" / "s9.zst.part").exists()
    assert {line.session for line in Archive(kept.folder).copies()} == {"s1", "s2"}


def test_a_copy_that_was_removed_by_hand_is_made_again(kept: Archive, tmp_path: Path) -> None:
    source = original(put(tmp_path / "s1.jsonl"))
    copy(kept, source)
    (kept.folder / "codex" / "s1.zst").unlink()
    assert Archive(kept.folder).figures() == (0, 0, 0)
    assert copy(Archive(kept.folder), source).copied == 1


def test_dropping_takes_the_files_of_a_session_for_good(kept: Archive, tmp_path: Path) -> None:
    copy(kept, original(put(tmp_path / "a")), original(put(tmp_path / "b"), session="s2"))
    assert kept.drop([("codex", "s1"), ("codex", "unknown")]) == 1
    assert [line.session for line in Archive(kept.folder).copies()] == ["s2"]
    assert not (kept.folder / "codex" / "s1.zst").exists()


def test_restoring_replaces_nothing_and_gives_back_the_time(kept: Archive, tmp_path: Path) -> None:
    source = put(tmp_path / "s1.jsonl")
    copy(kept, original(source))
    (path,) = kept.restore(kept.copies(), tmp_path / "out")
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (TEXT, source.stat().st_mtime_ns)
    with pytest.raises(UsageError) as caught:
        kept.restore(kept.copies(), tmp_path / "out")
    assert caught.value.code == "target_taken"


def test_a_damaged_copy_is_not_written_out(kept: Archive, tmp_path: Path) -> None:
    copy(kept, original(put(tmp_path / "s1.jsonl", os.urandom(5_000))))
    stored = kept.folder / "codex" / "s1.zst"
    content = bytearray(stored.read_bytes())
    content[2_000] ^= 0xFF
    stored.write_bytes(content)
    with pytest.raises(KnownError) as caught:
        kept.restore(kept.copies(), tmp_path / "out")
    assert caught.value.code == "copy_damaged"
    assert list((tmp_path / "out").iterdir()) == []


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=200), st.text(max_size=200))
def test_names_are_files_on_any_system_and_never_the_same(one: str, other: str) -> None:
    names = [file_name(one), file_name(other)]
    for name in names:
        assert 0 < len(name) <= 130
        assert not set(name) & set('/\\:*?"<>| \0')
        assert name == name.lower()
        assert not name.startswith(".")
        assert not name.endswith(".")
    assert (names[0] == names[1]) == (one == other)

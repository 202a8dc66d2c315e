"""Copying session files into the archive, checking the copies, writing them out again.

Owns `archive/` in our data folder: `<agent>/<session>.zst` (zstd with a checksum, 0600). Reads the agents' files and never writes in their folders. A copy counts only after it was decompressed again and found
to be the same; until then it has another name, which the next round sweeps away. Copies are as the agent wrote the file:
nothing is hidden in them, as it is in the index.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from tray_app.archive.manifest import Copy, Manifest
from tray_app.errors import KnownError, UsageError

MOST_BYTES = 256 << 20
"""So much is read in one round; a single file that is larger is copied all the same."""
SPARE_BYTES = 500_000_000
"""Left free on the disk: the index and the person need it more."""
BLOCK = 1 << 20
LEVEL = 6
PART = ".part"
DAY_NS = 86_400 * 10**9
Stop = Callable[[], bool]


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """A session and its files, the one that names it first."""

    agent: str
    session: str
    paths: tuple[Path, ...]


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """What a round did. `left` files wait for the next one; `failed` could not be read, or changed while they were."""

    copied: int = 0
    bytes: int = 0
    stored: int = 0
    left: int = 0
    failed: int = 0


class Archive:
    """`folder` need not exist. Safe to use from several threads; one process at a time writes (the owner of the libraries)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.last_error = ""
        """Why the last round could not be finished, in words; '' if it could."""
        self._lock = threading.RLock()
        self._manifest = Manifest(folder)

    # --- what there is -------------------------------------------------------------------------------------------------------
    def copies(self, agent: str | None = None, session: str | None = None) -> list[Copy]:
        """All copies, or those of a session, the oldest first. Raises KnownError `archive_unreadable`."""
        with self._lock:
            return [
                copy
                for copy in self._manifest.copies().values()
                if agent in (None, copy.agent) and session in (None, copy.session)
            ]  # fmt: skip

    def figures(self) -> tuple[int, int, int]:
        """Sessions, bytes of their files, and bytes that the copies take. What cannot be read is told as the last error."""
        try:
            copies = self.copies()
        except KnownError as fault:
            self.last_error = str(fault)
            return 0, 0, 0
        sessions = {(copy.agent, copy.session) for copy in copies}
        return len(sessions), sum(copy.size for copy in copies), sum(copy.stored for copy in copies)

    def anchor(self, agent: str, session: str) -> str:
        """The path of the copy of a session's own file; '' if there is none."""
        try:
            with self._lock:
                copies = self._manifest.of_session(agent, session)
        except KnownError as fault:
            self.last_error = str(fault)
            return ""
        return str(self.folder / copies[0].file) if copies else ""

    # --- copying -------------------------------------------------------------------------------------------------------------
    def copy(
        self,
        originals: Iterable[Original],
        now_ns: int,
        days: int,
        stop: Stop,
        most: int = MOST_BYTES,
        spare: int = SPARE_BYTES,
    ) -> Round:
        """Copy what was not touched for `days` and is not in yet as it is. Raises KnownError (`archive_no_room`,
        `archive_unwritable`); what was copied before that stays."""
        with self._lock:
            try:
                done = self._copy(originals, now_ns - days * DAY_NS, stop, most, spare)
            except KnownError as fault:
                self.last_error = str(fault)
                raise
            self.last_error = ""
            return done

    def _copy(self, originals: Iterable[Original], idle_since: int, stop: Stop, most: int, spare: int) -> Round:
        latest = {(copy.agent, copy.session, copy.path): copy for copy in self._manifest.copies().values()}
        copied = size = stored = left = failed = 0
        self._sweep()
        for original, path, facts in _wanted(originals, idle_since, latest):
            if stop():
                break
            if copied and size + facts.st_size > most:
                left += 1
                continue
            before = latest.get((original.agent, original.session, _text(path)))
            made = self._copy_one(original, path, facts, before, stop, spare)
            if made is None:
                failed += not stop()
                continue
            copied, size, stored = copied + 1, size + made.size, stored + made.stored
        return Round(copied=copied, bytes=size, stored=stored, left=left, failed=failed)

    def _copy_one(
        self, original: Original, path: Path, facts: os.stat_result, before: Copy | None, stop: Stop, spare: int
    ) -> Copy | None:
        """None: the file cannot be read, changed meanwhile, or the person stopped."""
        grew = before is not None and facts.st_size >= before.size
        name = before.file if before is not None and grew else self._manifest.free_name(original.agent, original.session)
        target = self.folder / name
        with self._writing():
            target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            free = shutil.disk_usage(target.parent).free
        if free < facts.st_size + spare:
            raise KnownError(
                "archive_no_room", "Session files are not copied", f"{free // 1_000_000:,} MB are free where the archive lies.",
                "Make room. What was copied stays.",
            )  # fmt: skip
        part = target.with_name(target.name + PART)
        try:
            digest = self._compress(path, facts, part, stop)
            if digest is None or not self._is_same(part, facts.st_size, digest):
                return None
            made = Copy(
                file=name, agent=original.agent, session=original.session, path=_text(path), size=facts.st_size,
                mtime_ns=facts.st_mtime_ns, hash=digest, stored=part.stat().st_size,
            )  # fmt: skip
            with self._writing():
                os.replace(part, target)
                self._manifest.note([made])
            return made
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    def _compress(self, path: Path, facts: os.stat_result, part: Path, stop: Stop) -> str | None:
        """The hash of what was read and compressed; None where it was not the file that was looked at."""
        import zstandard

        try:
            source = path.open("rb")
        except OSError:
            return None
        with source, self._writing():
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
            with os.fdopen(handle, "wb") as sink:
                digest, read = hashlib.sha256(), 0
                compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
                with compressor.stream_writer(sink, closefd=False) as writer:
                    while block := _block(source):
                        if stop():
                            return None
                        digest.update(block)
                        read += len(block)
                        writer.write(block)
                sink.flush()
                os.fsync(sink.fileno())
            after = os.fstat(source.fileno())
        same = read == facts.st_size and (after.st_size, after.st_mtime_ns) == (facts.st_size, facts.st_mtime_ns)
        return digest.hexdigest() if same else None

    def _is_same(self, copy: Path, size: int, digest: str) -> bool:
        found, read = hashlib.sha256(), 0
        for block in _content(copy):
            found.update(block)
            read += len(block)
        return (read, found.hexdigest()) == (size, digest)

    # --- giving back, and dropping ---------------------------------------------------------------------------------------------
    def restore(self, copies: Sequence[Copy], target: Path) -> list[Path]:
        """Write copies out, each checked against its hash, under the names of the originals; nothing there is replaced. The
        folder is made. Raises UsageError `target_taken`, KnownError `copy_damaged` or `target_unwritable`."""
        written: list[Path] = []
        with self._lock:
            for copy in copies:
                path = target / _base_name(copy.path)
                number = 2
                while path in written:
                    path = path.with_name(f"{Path(_base_name(copy.path)).stem} ({number}){Path(copy.path).suffix}")
                    number += 1
                self._restore_one(copy, path)
                written.append(path)
        return written

    def _restore_one(self, copy: Copy, path: Path) -> None:
        digest = hashlib.sha256()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        except FileExistsError as fault:
            raise UsageError("target_taken", "Not written", f"{path} is there already.", "Choose another folder.") from fault
        except OSError as fault:
            raise _unwritable(path, fault) from fault
        try:
            with os.fdopen(handle, "wb") as sink:
                for block in _content(self.folder / copy.file):
                    digest.update(block)
                    sink.write(block)
            if digest.hexdigest() != copy.hash:
                raise _damaged(self.folder / copy.file)
            os.utime(path, ns=(copy.mtime_ns, copy.mtime_ns))
        except BaseException as fault:
            path.unlink(missing_ok=True)
            if isinstance(fault, OSError):
                raise _unwritable(path, fault) from fault
            raise

    def drop(self, sessions: Iterable[tuple[str, str]]) -> int:
        """Remove the copies of sessions (agent, id). Gives how many files went. Raises KnownError `archive_unwritable`."""
        with self._lock:
            wanted = set(sessions)
            leaving = [copy for copy in self._manifest.copies().values() if (copy.agent, copy.session) in wanted]
            with self._writing():
                for copy in leaving:
                    (self.folder / copy.file).unlink(missing_ok=True)
                self._manifest.note([msgspec.structs.replace(copy, dropped=True, path="", hash="") for copy in leaving])
            return len(leaving)

    # --- plumbing ------------------------------------------------------------------------------------------------------------
    def _sweep(self) -> None:
        """What an interrupted round left behind."""
        if self.folder.is_dir():
            with self._writing():
                for rest in self.folder.glob(f"*/*{PART}"):
                    rest.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            self._manifest.doubt()
            raise KnownError(
                "archive_unwritable", "Session files are not copied", f"{self.folder} cannot be written ({fault.strerror}).",
                "Make room, or mend the folder. It is tried again after the next pass.",
            ) from fault  # fmt: skip


def _wanted(
    originals: Iterable[Original], idle_since: int, latest: dict[tuple[str, str, str], Copy]
) -> Iterator[tuple[Original, Path, os.stat_result]]:
    """Files to copy, those first that were idle longest: these go first. A file that several sessions share (a database) is
    no session's own, and is left."""
    found: list[tuple[int, Original, Path, os.stat_result]] = []
    listed = list(originals)
    owners: dict[Path, int] = {}
    for original in listed:
        for path in original.paths[:1]:
            owners[path] = owners.get(path, 0) + 1
    for original in listed:
        if owners[original.paths[0]] > 1:
            continue
        for path in original.paths:
            try:
                facts = path.stat()
            except OSError:
                continue  # it went a moment ago, or never was there: nothing to keep
            known = latest.get((original.agent, original.session, _text(path)))
            changed = known is None or (known.size, known.mtime_ns) != (facts.st_size, facts.st_mtime_ns)
            if stat.S_ISREG(facts.st_mode) and facts.st_size and facts.st_mtime_ns <= idle_since and changed:
                found.append((facts.st_mtime_ns, original, path, facts))
    found.sort(key=lambda one: (one[0], str(one[2])))
    return ((original, path, facts) for _, original, path, facts in found)


def _block(source: BinaryIO) -> bytes:
    """b'' at the end, and where the file cannot be read further: then its length does not fit."""
    try:
        return source.read(BLOCK)
    except OSError:
        return b""


def _content(copy: Path) -> Iterator[bytes]:
    """What a copy holds. Raises KnownError `copy_damaged`."""
    import zstandard

    try:
        with copy.open("rb") as source, zstandard.ZstdDecompressor().stream_reader(source) as reader:
            while block := reader.read(BLOCK):
                yield block
    except (zstandard.ZstdError, OSError) as fault:
        raise _damaged(copy) from fault


def _text(path: Path) -> str:
    return str(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _base_name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1] or "session"


def _damaged(copy: Path) -> KnownError:
    return KnownError("copy_damaged", "The copy is damaged", f"{copy} is not as it was written.", "Nothing was written out.")


def _unwritable(path: Path, fault: OSError) -> KnownError:
    return KnownError(
        "target_unwritable", "Not written", f"{path} cannot be written ({fault.strerror}).", "Choose another folder."
    )

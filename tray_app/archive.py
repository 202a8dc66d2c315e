"""Copies of session files, kept before their agents delete them.

Owns `archive/` in our data folder: `<agent>/<session>.zst` (zstd with a checksum, 0600) and `manifest.jsonl`, a line for every
copy. Reads the agents' files and never writes in their folders. A copy counts only after it was decompressed again and found
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

from tray_app.errors import KnownError, UsageError
from tray_app.settings import replace_file

MOST_BYTES = 256 << 20
"""So much is read in one round; a single file that is larger is copied all the same."""
SPARE_BYTES = 500_000_000
"""Left free on the disk: the index and the person need it more."""
BLOCK = 1 << 20
LEVEL = 6
PART = ".part"
DAY_NS = 86_400 * 10**9
_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,119}")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows gives to devices."""
Stop = Callable[[], bool]


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """A session and its files, the one that names it first."""

    agent: str
    session: str
    paths: tuple[Path, ...]


class Copy(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the manifest. `file` is the copy's name below the archive, `path` where the original stood, `hash` the SHA-256
    of its `size` bytes; `stored` bytes are on disk. `dropped`: it was removed again."""

    file: str
    agent: str
    session: str
    path: str
    size: int = 0
    mtime_ns: int = 0
    hash: str = ""
    stored: int = 0
    dropped: bool = False


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
        self._known: dict[str, Copy] | None = None

    # --- what there is -------------------------------------------------------------------------------------------------------
    def copies(self, agent: str | None = None, session: str | None = None) -> list[Copy]:
        """All copies, or those of a session, the oldest first. Raises KnownError `archive_unreadable`."""
        with self._lock:
            return [
                copy
                for copy in self._load().values()
                if agent in (None, copy.agent) and session in (None, copy.session)
            ]  # fmt: skip

    def figures(self) -> tuple[int, int, int]:
        """Sessions, bytes of their files, and bytes that the copies take. What cannot be read is told as the last error."""
        copies = self._readable()
        sessions = {(copy.agent, copy.session) for copy in copies}
        return len(sessions), sum(copy.size for copy in copies), sum(copy.stored for copy in copies)

    def anchor(self, agent: str, session: str) -> str:
        """The path of the copy of a session's own file; '' if there is none."""
        copies = self._readable(agent, session)
        return str(self.folder / copies[0].file) if copies else ""

    def _readable(self, agent: str | None = None, session: str | None = None) -> list[Copy]:
        try:
            return self.copies(agent, session)
        except KnownError as fault:
            self.last_error = str(fault)
            return []

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
        latest = {(copy.agent, copy.session, copy.path): copy for copy in self._load().values()}
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
        name = before.file if before is not None and grew else self._free_name(original)
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
                self._note([made])
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
            leaving = [copy for copy in self._load().values() if (copy.agent, copy.session) in wanted]
            with self._writing():
                for copy in leaving:
                    (self.folder / copy.file).unlink(missing_ok=True)
                self._note([msgspec.structs.replace(copy, dropped=True, path="", hash="") for copy in leaving])
            return len(leaving)

    # --- the manifest ----------------------------------------------------------------------------------------------------------
    @property
    def manifest(self) -> Path:
        return self.folder / "manifest.jsonl"

    def _load(self) -> dict[str, Copy]:
        """Copies by file. A line that cannot be read names none: what it told of is copied again."""
        if self._known is None:
            known: dict[str, Copy] = {}
            lines = 0
            try:
                content = self.manifest.read_bytes()
            except FileNotFoundError:
                content = b""
            except OSError as fault:
                raise KnownError(
                    "archive_unreadable", "The archive cannot be read", f"{self.manifest} ({fault.strerror}).", "Mend the folder."
                ) from fault
            for line in content.split(b"\n"):
                lines += bool(line)
                with contextlib.suppress(msgspec.DecodeError):
                    copy = msgspec.json.decode(line, type=Copy)
                    known.pop(copy.file, None)
                    if not copy.dropped:
                        known[copy.file] = copy
            self._known = {name: copy for name, copy in known.items() if (self.folder / name).is_file()}
            if lines > 2 * len(self._known) + 1_000:
                self._rewrite()
        return self._known

    def _rewrite(self) -> None:
        with self._writing():
            replace_file(self.manifest, b"".join(msgspec.json.encode(copy) + b"\n" for copy in (self._known or {}).values()))

    def _note(self, copies: Sequence[Copy]) -> None:
        if not copies:
            return
        known = self._load()
        handle = os.open(self.manifest, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(handle, "ab") as stream:
            # Each line begins on one of its own, whatever the last writer left behind; empty ones are passed over.
            stream.write(b"".join(b"\n" + msgspec.json.encode(copy) for copy in copies) + b"\n")
            stream.flush()
            os.fsync(stream.fileno())
        for copy in copies:
            known.pop(copy.file, None)
            if not copy.dropped:
                known[copy.file] = copy

    def _free_name(self, original: Original) -> str:
        base = file_name(original.session)
        known = self._load()
        for number in range(1, len(known) + 2):
            name = f"{original.agent}/{base}{f'+{number}' if number > 1 else ''}.zst"
            if name not in known:
                return name
        raise AssertionError("there are more names than copies")

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
            self._known = None  # what is on disk counts
            raise KnownError(
                "archive_unwritable", "Session files are not copied", f"{self.folder} cannot be written ({fault.strerror}).",
                "Make room, or mend the folder. It is tried again after the next pass.",
            ) from fault  # fmt: skip


def file_name(session: str) -> str:
    """A session's id as a file's name on any system; a hash tells apart what would be the same there."""
    if _PLAIN.fullmatch(session) and not _RESERVED.fullmatch(session) and not session.endswith("."):
        return session
    plain = re.sub(r"[^a-z0-9._-]+", "_", session.lower()).strip("._-")[-80:]
    return f"{plain or 'session'}~{hashlib.sha256(session.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


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

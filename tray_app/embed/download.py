"""Models on their way into our cache folder: one at a time, in the background, with progress, resumable, checked.

Owns the files of downloads. Nothing else in the program downloads anything. What a cancelled or failed download has is kept
(`*.part`) and taken up by the next one, if the hub still has that very file; a folder counts as a model once every file in it
has the size and the hash that the hub says, and the mark is written (`catalogue.Mark`).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from tray_app.embed import catalogue
from tray_app.embed.base import EmbedFault
from tray_app.embed.catalogue import Entry, Mark
from tray_app.embed.hub import Hub, RemoteFile
from tray_app.errors import AppError, BugError, KnownError
from tray_app.records import Download
from tray_app.settings import replace_file
from tray_app.web import forbidden

ROOM = 100_000_000
"""Bytes that stay free on the disk."""
PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds between attempts that brought nothing. Each byte that came starts them anew."""
PIECE = 1 << 20

_log = logging.getLogger(__name__)


class _Cancelled(Exception):
    pass


class Downloads:
    """What is being downloaded. Safe to call from several threads; no call waits for the network."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._lock = threading.Lock()
        self._now = Download()
        self._job: _Job | None = None
        self._thread: threading.Thread | None = None

    def now(self) -> Download:
        """How far the last one is."""
        with self._lock:
            return self._now

    def start(self, model: str, mirror: str = "") -> Download:
        """Begin, or go on with what is there. A model that runs already, or is there already, is told as it is. Raises
        EmbedFault (`embedding_offline`, `embedding_bad_model`) and KnownError `download_running` while another one runs."""
        entry = catalogue.found(model)
        if entry is None:
            raise EmbedFault(
                "embedding_bad_model",
                "Model not known",
                "There is no such model in the list.",
                "Choose one of the list.",
                final=True,
            )
        with self._lock:
            if self._now.state == "running":
                if self._now.model != entry.name:
                    raise KnownError(
                        "download_running",
                        "Another download is running",
                        f"{self._now.model} is being downloaded.",
                        "Wait for it, or cancel it.",
                    )
                return self._now
            known = catalogue.mark(self._cache, entry)
            if known is not None:
                size = sum(known.files.values())
                self._now = Download(model=entry.name, state="done", done=size, total=size)
                return self._now
            if forbidden():
                raise EmbedFault(
                    "embedding_offline",
                    "Offline",
                    "BACKSCROLL_OFFLINE is set: nothing is downloaded.",
                    "Unset it to download a model.",
                    final=True,
                )
            self._now = Download(model=entry.name, state="running")
            job = _Job(entry, Hub(mirror), catalogue.place(self._cache, entry), self._tell)
            before, self._job = self._thread, job
            self._thread = threading.Thread(target=self._run, args=(job, before), name="model download", daemon=True)
            self._thread.start()
            return self._now

    def cancel(self) -> Download:
        """Stop at once; what came so far is kept. Nothing happens where none runs."""
        with self._lock:
            if self._now.state == "running" and self._job is not None:
                self._now = msgspec.structs.replace(self._now, state="cancelled")
                self._job.cancel()
            return self._now

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is written any more. False when time ran out."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def close(self) -> None:
        """At the end of the program: cancel, and let the files be closed."""
        self.cancel()
        self.wait(2.0)

    def _run(self, job: _Job, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()  # a cancelled one may still be closing the same files
        try:
            job.run()
        except _Cancelled:
            return
        except AppError as fault:
            self._fail(job, fault)
        except OSError as fault:
            self._fail(job, _of_disk(fault))
        except Exception as fault:
            _log.exception("a download failed")
            self._fail(job, BugError("download_failed", "Download failed", f"It ended with {type(fault).__name__}."))
        else:
            self._tell(job, job.total, job.total, "done")

    def _fail(self, job: _Job, fault: AppError) -> None:
        if job.cancelled:
            return
        _log.info("the download of %s failed: %s", job.entry.name, fault.code)
        with self._lock:
            if self._job is job:
                error = f"{fault.message} {fault.hint}".strip()
                self._now = msgspec.structs.replace(self._now, state="failed", error=error, error_code=fault.code)

    def _tell(self, job: _Job, done: int, total: int, state: str = "running") -> None:
        with self._lock:
            if self._job is job and self._now.state == "running":
                self._now = Download(model=job.entry.name, state=state, done=done, total=total)


class _Job:
    """One download, in its own thread."""

    def __init__(self, entry: Entry, hub: Hub, folder: Path, tell: Callable[[_Job, int, int], None]) -> None:
        self.entry, self.total = entry, 0
        self._hub, self._folder, self._tell = hub, folder, tell
        self._stop = threading.Event()
        self._whole = 0
        """Bytes of files that are whole."""

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    def cancel(self) -> None:
        self._stop.set()
        self._hub.cut()

    def run(self) -> None:
        """Raises _Cancelled, AppError, OSError."""
        self._check()
        revision, offered = self._hub.files(self.entry.repo)
        self._check()
        files = [file for file in offered if file.name in self.entry.wanted]
        missing = set(self.entry.needed) - {file.name for file in files}
        if missing:
            raise EmbedFault(
                "embedding_bad_model",
                "Model changed",
                f"{self._hub.host} no longer has {sorted(missing)[0]} of this model.",
                "Choose another model.",
                final=True,
            )
        self.total = sum(file.size for file in files)
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileNotFoundError):
            (self._folder / catalogue.MARK).unlink()
        self._need_room(files, revision)
        for file in sorted(files, key=lambda file: file.size):  # small ones first: what is missing shows at once
            self._fetch(revision, file)
            self._whole += file.size
        mark = Mark(repo=self.entry.repo, revision=revision, files={file.name: file.size for file in files})
        self._clean()
        replace_file(self._folder / catalogue.MARK, msgspec.json.encode(mark))

    def _fetch(self, revision: str, file: RemoteFile) -> None:
        target, part = self._folder / file.name, self._part(file, revision)
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._say(0)
        if _size(target) == file.size and self._is_right(target, file):
            return
        attempt = 0
        while _size(part) < file.size:
            before = _size(part)
            try:
                self._append(revision, file, part)
            except EmbedFault as fault:
                self._check()
                attempt = 0 if _size(part) > before else attempt + 1
                if fault.final or attempt > len(PAUSES):
                    raise
                pause = PAUSES[max(attempt - 1, 0)]
                if self._stop.wait(min(max(pause, fault.retry_after or 0.0), 60.0)):
                    raise _Cancelled from None
        if _size(part) != file.size or not self._is_right(part, file):
            part.unlink()
            raise EmbedFault(
                "embedding_bad_answer",
                "Download damaged",
                f"{file.name} did not come as it is at the hub.",
                "Try again, or choose another mirror.",
            )
        os.replace(part, target)

    def _append(self, revision: str, file: RemoteFile, part: Path) -> None:
        """Bytes to the end of what is there; over it where the server begins anew."""
        with part.open("ab") as stream:
            begun = False

            def take(piece: bytes, resumed: bool) -> None:
                nonlocal begun
                self._check()
                if not begun and not resumed:
                    stream.truncate(0)
                begun = True
                stream.write(piece)
                self._say(stream.tell())
                if stream.tell() > file.size:
                    stream.truncate(0)
                    raise EmbedFault(
                        "embedding_bad_answer",
                        "Download damaged",
                        f"{self._hub.host} sends more of {file.name} than there is.",
                        "Check the mirror in the settings.",
                        final=True,
                    )

            start = stream.tell()
            self._hub.bytes_of(self.entry.repo, revision, file.name, start, take)
            stream.flush()
            os.fsync(stream.fileno())
            if stream.tell() == start:
                raise EmbedFault(
                    "embedding_unreachable", "Nothing came", f"{self._hub.host} sends nothing.", "Try again later."
                )

    def _is_right(self, path: Path, file: RemoteFile) -> bool:
        """Whether the bytes are those that the hub names."""
        if file.sha256:
            digest, expected = hashlib.sha256(), file.sha256
        elif file.blob:
            digest, expected = hashlib.sha1(usedforsecurity=False), file.blob
            digest.update(f"blob {file.size}\0".encode())
        else:
            return True
        with path.open("rb") as stream:
            while piece := stream.read(PIECE):
                self._check()
                digest.update(piece)
        return digest.hexdigest() == expected

    def _need_room(self, files: list[RemoteFile], revision: str) -> None:
        there = sum(max(_size(self._folder / file.name), _size(self._part(file, revision))) for file in files)
        free = shutil.disk_usage(self._folder).free
        short = self.total - there + ROOM - free
        if short > 0:
            raise _disk_full(f"The model needs {short / 1e6:,.0f} MB more than are free.")

    def _part(self, file: RemoteFile, revision: str) -> Path:
        """Named by what the file is, so that half of an older one is not taken up."""
        name = self._folder / file.name
        return name.with_name(f"{name.name}.{(file.sha256 or file.blob or revision)[:12]}.part")

    def _clean(self) -> None:
        """Parts of older files go."""
        for path in self._folder.rglob("*.part"):
            path.unlink(missing_ok=True)

    def _say(self, here: int) -> None:
        self._tell(self, self._whole + here, self.total)

    def _check(self) -> None:
        if self._stop.is_set():
            raise _Cancelled


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _disk_full(message: str) -> KnownError:
    return KnownError(
        "disk_full", "No space left", message, "Make room, and start the download again: it goes on where it was."
    )


def _of_disk(fault: OSError) -> KnownError:
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return _disk_full("The disk is full.")
    return KnownError(
        "download_unwritable",
        "Download not kept",
        f"The cache folder cannot be written ({fault.strerror or type(fault).__name__}).",
        "Check its permissions.",
    )

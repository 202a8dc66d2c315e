"""What may go wrong with the files of the memory, as errors a person can act on.

Owns the texts and which fault is the world's; damage is `Damaged`, which never leaves this package: the file is mended.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb

from tray_app.errors import KnownError
from tray_app.library.connection import DAMAGE, raise_for_the_world
from tray_app.library.migrations import NewerSchema

_FULL = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


class Damaged(Exception):
    """A file does not hold what was written to it. Not `certain`: it must be opened again to see."""

    def __init__(self, reason: str, *, certain: bool = True) -> None:
        super().__init__(reason)
        self.certain = certain


_BROKEN = (duckdb.FatalException, duckdb.InternalException, duckdb.IOException)
"""Of an open file: it cannot be used any further, whatever the reason."""


@contextlib.contextmanager
def world_faults(file: Path) -> Iterator[None]:
    """While a file is opened. Raises KnownError (`index_locked`, `memory_newer`, `disk_full`, `memory_unwritable`,
    `memory_unopenable`) for what is not damage, and Damaged for all else that the database says."""
    try:
        yield
    except duckdb.Error as fault:
        _raise_known(fault, file)
        raise Damaged(type(fault).__name__) from fault
    except OSError as fault:
        raise of_system(fault, file) from fault


@contextlib.contextmanager
def faults_in_use(file: Path) -> Iterator[None]:
    """While an open file is used. Raises KnownError for what is the world's fault, Damaged where the file must be opened
    again; what else the database says is a mistake of ours and goes on."""
    try:
        yield
    except duckdb.Error as fault:
        _raise_known(fault, file)
        certain = bool(DAMAGE.search(str(fault)))
        if certain or isinstance(fault, _BROKEN) or "invalidated" in str(fault):
            raise Damaged(type(fault).__name__, certain=certain) from fault
        raise


def _raise_known(fault: duckdb.Error, file: Path) -> None:
    try:
        raise_for_the_world(fault, file)
    except KnownError as known:
        raise _translated(known, file, fault) from fault


def of_system(fault: OSError, file: Path) -> KnownError:
    """The error for what the system said."""
    return full(file) if fault.errno in _FULL else unwritable(file, fault.strerror or type(fault).__name__)


def _translated(known: KnownError, file: Path, fault: Exception) -> KnownError:
    if known.code == "index_locked":
        return KnownError(
            "index_locked", "The memory is in use", known.message.replace("the index file", "the memory file"), known.hint
        )
    if isinstance(fault, NewerSchema):
        return KnownError(
            "memory_newer",
            "The memory is newer than this program",
            f"{file.name} was made by a newer Backscroll. Nothing was changed.",
            "Update Backscroll.",
        )
    if known.code == "disk_full":
        return full(file)
    if known.code == "index_unwritable":
        return unwritable(file, "permission denied")
    return KnownError(
        "memory_unopenable",
        "The memory cannot be opened",
        known.message,
        "Nothing was changed. Try again; free some memory, or close files that other programs hold.",
    )


def full(file: Path) -> KnownError:
    """With what is free there."""
    try:
        free = f"{shutil.disk_usage(file.parent).free / 1e6:,.0f} MB are free there."
    except OSError:
        free = "Nothing is free there."
    return KnownError(
        "disk_full",
        "No space left",
        f"The disk that holds the memory is full. {free}",
        "Make room and try again; nothing is lost.",
    )


def unwritable(file: Path, reason: str) -> KnownError:
    return KnownError(
        "memory_unwritable",
        "The memory cannot be written",
        f"{file.parent} cannot be written ({reason}). Nothing was changed.",
        "Give this user write access, then try again.",
    )

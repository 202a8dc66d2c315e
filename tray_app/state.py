"""The machine's memory: window sizes, last run, paused until, first run done. Not settings: nobody edits it.

Owns `state.json`. Every change is written at once and whole, by whichever process makes it; a change reads the file anew
first, so that two processes that change different fields keep both. A damaged file is set aside and begun anew.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from pathlib import Path
from typing import Any

import msgspec

from tray_app.settings import replace_file

log = logging.getLogger(__name__)


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered. Times are ISO 8601 in UTC."""

    window_sizes: dict[str, tuple[int, int]] = {}
    """Width and height in device-independent pixels, by screen name."""
    last_run: str | None = None
    last_version: str = ""
    paused: bool = False
    paused_until: str | None = None
    """With `paused`: when indexing goes on by itself; None: not before the person says so."""
    first_run_done: bool = False
    crash_offered: str = ""
    """Name and time of the crash file that was last offered, so that it is offered once."""
    keyring_backend: str = ""


class State:
    """`state.read().paused`; `state.change(paused=True)`. Safe to use from several threads."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()

    def read(self) -> Memory:
        """The memory as it stands in the file; fields that cannot be used have their defaults."""
        with self._lock:
            return _known(self._load())

    def change(self, **fields: Any) -> Memory:
        """Set fields and write the file. Raises TypeError for a field or a value that does not belong, OSError when the
        file cannot be written."""
        for name, value in fields.items():
            if name not in FIELDS:
                raise TypeError(f"state has no field {name!r}")
            try:
                msgspec.convert(value, FIELDS[name])
            except msgspec.ValidationError as fault:
                raise TypeError(f"{name}: {fault}") from fault
        with self._lock:
            kept = self._load()
            kept.update(msgspec.to_builtins(fields))
            replace_file(self.file, json.dumps(kept, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
            return _known(kept)

    def remember_window(self, screen: str, width: int, height: int) -> Memory:
        """Keep a window's size for a screen, next to those of the other screens."""
        return self.change(window_sizes={**self.read().window_sizes, screen: (width, height)})

    def _load(self) -> dict[str, Any]:
        """The file's object, with what a newer version may have put there."""
        try:
            content = json.loads(self.file.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as fault:
            log.warning("%s cannot be read (%s); it is taken as empty", self.file.name, fault.strerror)
            return {}
        except (ValueError, RecursionError):
            content = None
        if isinstance(content, dict):
            return content
        self._set_aside()
        return {}

    def _set_aside(self) -> None:
        aside = self.file.with_name(self.file.name + ".damaged")
        try:
            os.replace(self.file, aside)
        except OSError as fault:
            log.warning("%s is damaged and cannot be moved (%s)", self.file.name, fault.strerror)
        else:
            log.warning("%s was damaged; it is kept as %s and begun anew", self.file.name, aside.name)


FIELDS: dict[str, Any] = {field.name: field.type for field in msgspec.structs.fields(Memory)}


def _known(content: dict[str, Any]) -> Memory:
    usable: dict[str, Any] = {}
    for name, kind in FIELDS.items():
        if name in content:
            try:
                usable[name] = msgspec.convert(content[name], kind)
            except msgspec.ValidationError:
                log.warning("state: the value of %s cannot be used; its default is", name)
    return Memory(**usable)

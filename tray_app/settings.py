"""The settings in force: read from the file (TOML, comments kept), checked, and written back.

What settings there are is `declared`'s. Machine memory (window size, last run) is `state`, not settings. Unknown keys in the
file are kept and reported, never deleted; a value out of range falls back to its default and is reported.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from pathlib import Path
from typing import Any, cast

from tray_app.declared import DECLARED, Setting
from tray_app.errors import KnownError, UsageError

BY_KEY = {setting.key: setting for setting in DECLARED}


class Settings:
    """The values in force. Reading is `settings["index.days"]`; `set` checks, writes the file and keeps its comments."""

    def __init__(self, file: Path | None = None) -> None:
        self.file = file
        self.faults: list[str] = []
        """Sentences about what in the file could not be used."""
        self._lock = threading.Lock()
        self._values: dict[str, Any] = {}
        if file is not None:
            self._load(file)

    def __getitem__(self, key: str) -> Any:
        if key not in BY_KEY:
            raise KeyError(key)
        value = self._values.get(key, BY_KEY[key].default)
        return list(value) if isinstance(value, list) else value

    def is_set(self, key: str) -> bool:
        return key in self._values

    def as_dict(self) -> dict[str, Any]:
        return {setting.key: self[setting.key] for setting in DECLARED}

    def set(self, key: str, value: Any) -> Any:
        """Check and keep a value, and write the file. Returns the value as kept. Raises UsageError."""
        kept = checked(key, value)
        with self._lock:
            self._values[key] = kept
            self._write(key, kept)
        return kept

    def unset(self, key: str) -> None:
        """Back to the default."""
        if key not in BY_KEY:
            raise _unknown(key)
        with self._lock:
            self._values.pop(key, None)
            self._write(key, None)

    def _load(self, file: Path) -> None:
        import tomllib

        try:
            document = tomllib.loads(file.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            return
        except (OSError, ValueError) as fault:
            self.faults.append(f"{file.name} could not be read ({fault}); the defaults are used.")
            return
        for group, table in document.items():
            if not isinstance(table, dict):
                self.faults.append(f"{group} is not known.")
                continue
            for name, value in table.items():
                try:
                    self._values[f"{group}.{name}"] = checked(f"{group}.{name}", value)
                except UsageError as fault:
                    self.faults.append(fault.message)

    def _write(self, key: str, value: Any) -> None:
        if self.file is None:
            return
        import tomlkit

        try:
            document = tomlkit.parse(self.file.read_text(encoding="utf-8-sig"))
        except FileNotFoundError:
            document = tomlkit.document()
        except (OSError, ValueError) as fault:
            raise KnownError(
                "settings_unreadable",
                "Settings not saved",
                f"{self.file} cannot be changed because it cannot be read ({fault}).",
                "Mend or remove the file.",
            ) from fault
        group, name = key.split(".", 1)
        if not isinstance(document.get(group), dict):
            document[group] = tomlkit.table()
        table = cast(dict[str, Any], document[group])
        if value is None:
            table.pop(name, None)
        else:
            table[name] = value
        try:
            replace_file(self.file, tomlkit.dumps(document).encode())
        except OSError as fault:
            raise KnownError(
                "settings_unwritable",
                "Settings not saved",
                f"{self.file} cannot be written ({fault.strerror}).",
                "The value holds until you quit.",
            ) from fault


def replace_file(file: Path, content: bytes) -> None:
    """Write a file whole or not at all, readable by this user only."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(name, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def checked(key: str, value: Any) -> Any:
    """The value in its declared type, or UsageError. Text is read as the type, so that the command line can pass it."""
    setting = BY_KEY.get(key)
    if setting is None:
        raise _unknown(key)
    kept = _typed(setting, value)
    texts = kept if isinstance(kept, list) else [str(kept)]
    if any("\ud800" <= character <= "\udfff" for text in texts for character in text):
        raise UsageError("setting_value", "Not a value", f"{key} holds a name that no settings file can keep (it is no UTF-8).")
    odd = next((text for text in texts if not re.fullmatch(setting.form, text)), None) if setting.form else None
    if odd is not None:
        raise UsageError("setting_value", "Not a value", f"{key} takes texts of the form {setting.form}, not {odd!r}.")
    if setting.choices and kept not in setting.choices:
        raise UsageError("setting_value", "Not a value", f"{key} is one of {', '.join(setting.choices)}, not {value!r}.")
    if (setting.minimum is not None and kept < setting.minimum) or (setting.maximum is not None and kept > setting.maximum):
        raise UsageError(
            "setting_value", "Not a value", f"{key} lies between {setting.minimum:g} and {setting.maximum:g}, not {value!r}."
        )
    return kept


def _typed(setting: Setting, value: Any) -> Any:
    kind = setting.kind
    if kind is bool:
        if isinstance(value, str) and value.lower() in ("true", "on", "yes", "1", "false", "off", "no", "0"):
            return value.lower() in ("true", "on", "yes", "1")
        if isinstance(value, bool):
            return value
    elif kind is list:
        if isinstance(value, str):
            return [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
            return [str(part) for part in value]
    elif kind is str:
        if isinstance(value, str):
            return str(value)
    elif not isinstance(value, bool) and isinstance(value, (int, float, str)):
        try:
            number = kind(value)
        except (ValueError, OverflowError):
            number = None
        if number is not None and number == number and (kind is float or not isinstance(value, float) or value == number):
            return number
    raise UsageError("setting_value", "Not a value", f"{setting.key} takes a {kind.__name__}, not {value!r}.")


def _unknown(key: str) -> UsageError:
    import difflib

    near = difflib.get_close_matches(key, BY_KEY, 1)
    return UsageError(
        "setting_unknown", "No such setting", f"There is no setting {key!r}.", f"Did you mean {near[0]}?" if near else ""
    )

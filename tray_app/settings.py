"""Every setting, declared once: type, default, range, group, label, help.

The file (TOML, comments kept), the dialog, `backscroll config` and the documentation all come from `DECLARED`. Machine
memory (window size, last run) is `state`, not settings. Unknown keys in the file are kept and reported, never deleted;
a value out of range falls back to its default and is reported.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tray_app.errors import KnownError, UsageError


@dataclass(frozen=True)
class Setting:
    """One setting. `kind` is bool, int, float, str or list (of str). `rebuild` says that a change re-reads sessions; `form`
    what each text of a list must match, and is shown to who gave another."""

    key: str
    kind: type
    default: Any
    group: str
    label: str
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    rebuild: bool = False
    form: str = ""


EXCLUDED_PATHS = (".env", "*.pem", "*.key", "id_rsa*", "id_ed25519*", "*credentials*", "*/.ssh/*", "*/.gnupg/*", "*/.aws/*")

_CHATS = "(wechat|weixin|wecom|feishu|lark|slack|telegram|discord|qq|onebot|dingtalk|matrix|whatsapp)"
CHAT_TOOLS = (
    f"send:*{_CHATS}*(send|reply|post?message|message?create)*",
    f"receive:*{_CHATS}*(get|list|read|fetch|receive|poll|search|wait)*(message|msg|repl|chat)*",
    f"receive:*{_CHATS}*(history|message?list|unread|inbox)*",
    "send:*mail*(send|reply)*",
    "send:*(send|reply)*mail*",
    "receive:*mail*(read|get|fetch|search|list)*(mail|message|thread|inbox)*",
)

MOVED = r"[^=].*=(?:/|~|[A-Za-z]:[\\/]|\\\\).*"

DECLARED: tuple[Setting, ...] = (
    Setting(
        "general.language", str, "system", "General", "Language", "Language of the windows.", choices=("system", "en", "zh_CN")
    ),
    Setting(
        "general.theme",
        str,
        "system",
        "General",
        "Theme",
        "Light or dark, or as the system says.",
        choices=("system", "light", "dark"),
    ),
    Setting(
        "general.hotkey",
        str,
        "Ctrl+Alt+Space",
        "General",
        "Hotkey",
        "Opens and hides the search window from anywhere. Empty: none.",
    ),
    Setting(
        "general.window_form",
        str,
        "full",
        "General",
        "Window opens as",
        "One line that grows while you type, or the full window.",
        choices=("line", "full"),
    ),
    Setting(
        "general.tray_icon",
        str,
        "auto",
        "General",
        "Tray icon",
        "Which panel the tray icon is drawn for.",
        choices=("auto", "light", "dark"),
    ),
    Setting(
        "general.hide_on_blur",
        bool,
        False,
        "General",
        "Hide when it loses focus",
        "Hide the search window when you click elsewhere.",
    ),
    Setting("sources.enabled", list, [], "Sources", "Sources", "Sources that are read. Only these."),
    Setting("sources.folders", list, [], "Sources", "Further folders", "Folders added by hand, as agent=path."),
    Setting(
        "sources.bridges",
        list,
        list(CHAT_TOOLS),
        "Sources",
        "Chat tools",
        "Tools by which an agent talks with people, as send:NAME or receive:NAME, where * is any text and ? any letter; read as talk.",
        rebuild=True,
        form=r"(send|receive):\S+",
    ),
    Setting(
        "index.days",
        int,
        0,
        "Index",
        "Days back",
        "How far back sessions are read, in days. 0: everything.",
        minimum=0,
        maximum=3650,
        rebuild=True,
    ),
    Setting(
        "index.chunks_per_source",
        int,
        200_000,
        "Index",
        "Passages per source",
        "The newest are kept; what was cut is counted.",
        minimum=1_000,
        maximum=2_000_000,
        rebuild=True,
    ),
    Setting(
        "index.chunks_total",
        int,
        500_000,
        "Index",
        "Passages in all",
        "The newest are kept; what was cut is counted.",
        minimum=1_000,
        maximum=5_000_000,
        rebuild=True,
    ),
    Setting(
        "index.file_megabytes",
        int,
        16,
        "Index",
        "Text per session file",
        "Megabytes of text read from one file, newest first.",
        minimum=1,
        maximum=512,
        rebuild=True,
    ),
    Setting(
        "index.tools",
        bool,
        True,
        "Index",
        "Tool calls and results",
        "Make what tools were asked and answered findable.",
        rebuild=True,
    ),
    Setting("index.reasoning", bool, False, "Index", "Reasoning", "Make the model's reasoning findable.", rebuild=True),
    Setting("index.watch", bool, True, "Index", "Watch for new talk", "Read new messages as they are written."),
    Setting(
        "index.sweep_minutes",
        int,
        30,
        "Index",
        "Sweep every",
        "Minutes between whole passes behind the watch.",
        minimum=1,
        maximum=1_440,
    ),
    Setting(
        "privacy.excluded_paths",
        list,
        list(EXCLUDED_PATHS),
        "Privacy",
        "Excluded paths",
        "Files whose text is never indexed.",
        rebuild=True,
    ),
    Setting(
        "privacy.excluded_workspaces",
        list,
        [],
        "Privacy",
        "Excluded folders",
        "Sessions in these folders are not read.",
        rebuild=True,
    ),
    Setting(
        "privacy.redact",
        bool,
        True,
        "Privacy",
        "Hide secrets",
        "Replace keys and passwords before anything is stored.",
        rebuild=True,
    ),
    Setting("keep.gone", bool, False, "Keep", "Keep deleted sessions", "What agents delete stays in the index, marked."),
    Setting(
        "keep.archive", bool, False, "Keep", "Copy session files", "As they are, secrets too, before their agents delete them."
    ),
    Setting("keep.archive_after_days", int, 3, "Keep", "Copy after", "Idle days of a session file.", minimum=0, maximum=365),
    Setting(
        "projects.moved", list, [], "Projects", "Moved projects", "As OLD=NEW: what OLD held is shown under NEW.", form=MOVED
    ),
    Setting("search.limit", int, 50, "Search", "Results", "Passages shown for a question.", minimum=5, maximum=200),
    Setting(
        "search.found_share",
        float,
        0.75,
        "Search",
        "Sure from",
        "Share of the question's words (rare ones count more) that one passage must hold to call it found.",
        minimum=0.3,
        maximum=1.0,
    ),
)

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

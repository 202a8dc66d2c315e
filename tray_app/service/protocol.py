"""What goes over the socket: JSON frames, their versions and limits, and the methods that can be asked.

A client sends a `Request`, the owner answers it with one `Reply`, before which it may send progress. The first request on a
connection is `hello`. The methods and their parameters are those of `backend.Backend`, taken from its signatures, so that
the two cannot differ. Nothing is ever unpickled; a frame that is no frame ends its connection only.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import msgspec

import tray_app
from tray_app.errors import AppError, BugError, KnownError, UsageError
from tray_app.records import Problem
from tray_app.service.backend import Backend

PROTOCOL = 1
"""Raised when requests or replies change; those of the hello and the controls never do, so that two versions can always tell
each other what they are and who lets go. The program's own version is compared too: records may differ between versions."""

REQUEST_BYTES = 1 << 20
REPLY_BYTES = 256 << 20

STARTED = tray_app.__version__
UPDATED = (
    "Backscroll was updated after this program had started. Quit it and start it again "
    "(a server for an agent starts again with the agent)."
)

T = TypeVar("T")


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    id: int
    method: str
    params: msgspec.Raw = msgspec.Raw(b"{}")


class Fault(msgspec.Struct, frozen=True, omit_defaults=True):
    """An `AppError` on its way. `kind`: known | usage | bug."""

    code: str
    title: str
    message: str
    hint: str = ""
    exit_code: int = 3
    kind: str = "known"


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """An error, or what `body` holds: the result, or with `progress` a sign of it before the answer comes."""

    id: int
    body: msgspec.Raw = msgspec.Raw(b"null")
    progress: bool = False
    error: Fault | None = None


class Hello(msgspec.Struct, frozen=True, kw_only=True):
    """Who speaks: sent by the client as parameters of `hello`, and by the owner as its result."""

    protocol: int
    version: str
    pid: int
    kind: str
    """tray | cli | mcp"""


class Method(msgspec.Struct, frozen=True):
    """A method of the backend: its parameters as a struct, the type of its result, whether it can be asked again when the
    owner was lost before it answered, and whether it reports progress."""

    params: type[msgspec.Struct]
    result: Any
    repeat: bool
    progress: bool


class Yielding(msgspec.Struct, frozen=True):
    """Result of `yield_ownership`: whether the owner lets go."""

    yielding: bool


ONCE = frozenset(
    {
        "add_folder",
        "remove_folder",
        "rebuild",
        "add_space",
        "unassign_folder",
        "rename_space",
        "remove_space",
        "restore_space",
        "write_out",
        "forget_session",
        "unforget",
        "prune_projects",
        "put_checkpoint",
        "promote_draft",
        "discard_draft",
        "put_card",
        "bring_back",
        "cleanup",
        "backup",
        "restore_backup",
        "export_memory",
    }
)
"""Not the same when done twice. All others read, or set something to a value: those are asked again when an owner is lost."""

CONTROLS = frozenset({"toggle", "show_window", "quit", "yield_ownership"})
"""Asked of the owner process, not of its backend; the same in every version of the program."""

YIELDING, ENDING = "yielding", "ending"
"""Codes of the errors that say: not done, ask the next owner. With the first, a tray is about to be it."""


def methods_of(protocol: type) -> dict[str, Method]:
    found = {}
    for name, function in inspect.getmembers(protocol, inspect.isfunction):
        if name.startswith("_"):
            continue
        hints = get_type_hints(function)
        parameters = [parameter for parameter in inspect.signature(function).parameters.values() if parameter.name != "self"]
        fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
        for parameter in parameters:
            if parameter.name == "report":
                continue
            if parameter.default is parameter.empty:
                fields.append((parameter.name, hints[parameter.name]))
            else:
                fields.append((parameter.name, hints[parameter.name], parameter.default))
        found[name] = Method(
            msgspec.defstruct(f"{name}_params", fields, forbid_unknown_fields=True, frozen=True),
            list[Problem] if name == "problems" else hints["return"],
            name not in ONCE,
            any(parameter.name == "report" for parameter in parameters),
        )
    return found


METHODS: dict[str, Method] = methods_of(Backend)


def own_hello(kind: str) -> Hello:
    return Hello(protocol=PROTOCOL, version=tray_app.__version__, pid=os.getpid(), kind=kind)


def encode(value: Any) -> bytes:
    """As JSON. Text that cannot be encoded (lone surrogates from a command line) is made encodable."""
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        return msgspec.json.encode(clean(msgspec.to_builtins(value)))


def decode(frame: bytes | msgspec.Raw, kind: type[T] | Any) -> Any:
    """Raises ValueError (msgspec's errors are such) when the frame is not of that kind."""
    try:
        return msgspec.json.decode(frame, type=kind)
    except RecursionError as fault:
        raise ValueError("nested too deeply") from fault


def clean(value: Any) -> Any:
    """The same with every lone surrogate replaced and every pair of them joined."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean(item) for item in value]
    return value


def fault_of(error: AppError) -> Fault:
    kind = "usage" if isinstance(error, UsageError) else "bug" if isinstance(error, BugError) else "known"
    return Fault(error.code, error.title, error.message, error.hint, error.exit_code, kind)


def error_of(fault: Fault) -> AppError:
    kinds: dict[str, Callable[..., AppError]] = {"usage": UsageError, "bug": BugError}
    error = kinds.get(fault.kind, KnownError)(fault.code, fault.title, fault.message, fault.hint)
    error.exit_code = fault.exit_code
    return error


def same_version(other: Hello) -> bool:
    """Whether another process may be asked for, or may ask for, more than controls."""
    return other.protocol == PROTOCOL and other.version == tray_app.__version__


def is_older(version: str) -> bool:
    """Whether it is the version of a program before this one."""
    return _order(version) < _order(tray_app.__version__)


def _order(version: str) -> tuple[int, int, int, bool, str]:
    """Numbers first; a version with something after them (1.2.0rc1) comes before the one without."""
    found = re.match(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?(?:\.([0-9]{1,9}))?(.*)", version, re.DOTALL)
    if found is None:
        return 0, 0, 0, False, version
    major, minor, patch, rest = found.groups(default="")
    return int(major), int(minor or 0), int(patch or 0), not rest, rest


def other_version(owner: Hello) -> KnownError:
    """What a client of another version is told, in words."""
    if not is_older(owner.version):
        hint = UPDATED
    elif owner.kind == "tray":
        hint = "Restart Backscroll: quit it (backscroll quit), then start it again."
    else:
        hint = f"It lets go by itself when it is done; or end process {owner.pid}, then try again."
    return KnownError(
        "other_version",
        "Another version is running",
        f"The running Backscroll (process {owner.pid}) is version {owner.version}, this is version {tray_app.__version__}.",
        hint,
    )


def replaced_by() -> str:
    """The version that lies on the disk where it is no longer the one that runs; '' where it is, or where that cannot be seen (a
    frozen program is one file)."""
    try:
        text = Path(tray_app.__file__).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return ""
    found = re.search(r"""^__version__\s*=\s*["']([^"']+)["']""", text, re.MULTILINE)
    return found[1] if found and found[1] != STARTED else ""


def updated(installed: str) -> KnownError:
    """What a program is told that was replaced while it runs, when it would have to load more of itself."""
    return KnownError(
        "program_updated",
        "Restart Backscroll",
        f"Version {installed} was installed while version {tray_app.__version__} runs.",
        UPDATED,
    )

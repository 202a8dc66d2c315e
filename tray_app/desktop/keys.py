"""Keys of services: from the environment, else from the system's keyring.

Owns our entries in the keyring. A key is in no file, log or error, and no representation of one shows it. A keyring may ask the
person to unlock it and hang until they do, or for ever: every call has a time limit, and none belongs on the window's thread.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tray_app.errors import KnownError, UsageError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

T = TypeVar("T")

SERVICE = "backscroll"
VARIABLES = {"meaning": "BACKSCROLL_MEANING_KEY", "topics": "BACKSCROLL_TOPICS_KEY"}
"""By purpose."""

LIMIT_S = 5.0
LONGEST_KEY = 2_000
"""Windows keeps 2,560 bytes, two for a character of the key."""

UNSAFE = re.compile(r"^keyrings\.alt\.|plain|^keyring\.backends\.(null|fail)\.", re.IGNORECASE)
"""Back ends, by module and class, that keep keys in files anybody can read, or keep nothing."""


class KeyringFault(KnownError):
    """Why the keyring cannot be used. `state`: none | plain (it keeps keys in a file that can be read) | silent (it hangs) |
    refused."""

    def __init__(self, state: str, message: str, hint: str) -> None:
        variables = " or ".join(VARIABLES.values())
        super().__init__("keyring_unusable", "Keyring not usable", message, f"{hint} Or give the key in {variables}.")
        self.state = state


class Key(msgspec.Struct, frozen=True):
    """A key, '' where none is kept, and where it comes from: environment | keyring | ''."""

    value: str
    origin: str

    def __bool__(self) -> bool:
        return bool(self.value)

    def __repr__(self) -> str:
        return f"Key(from {self.origin or 'nowhere'})"


def key_for(purpose: str, host: str, seconds: float = LIMIT_S) -> Key:
    """The key for a service. `purpose`: meaning | topics; `host` as `Embedder.host` says it. The environment comes first.

    Raises KnownError('keyring_unusable').
    """
    given = os.environ.get(VARIABLES[purpose], "").strip()
    if given:
        return Key(given, "environment")
    entry = _entry(purpose, host)
    kept = _within(seconds, lambda backend: backend.get_password(SERVICE, entry)) or ""
    return Key(kept, "keyring" if kept else "")


def keep_key(purpose: str, host: str, value: str, seconds: float = LIMIT_S) -> None:
    """Keep a key in the keyring, in place of an earlier one. Raises KnownError('keyring_unusable'), and UsageError for what is
    no key. Keyrings that are locked ask the person: a longer limit leaves them the time to answer."""
    key = value.strip().removeprefix("Bearer").strip()
    if not re.fullmatch(rf"[!-~]{{1,{LONGEST_KEY}}}", key):
        raise UsageError(
            "bad_key", "Not a key", "A key is one word of letters, digits and signs, without spaces.", "Copy it again."
        )
    entry = _entry(purpose, host)
    _within(seconds, lambda backend: backend.set_password(SERVICE, entry, key))


def forget_key(purpose: str, host: str, seconds: float = LIMIT_S) -> bool:
    """Remove a key from the keyring. False if none was kept. Raises KnownError('keyring_unusable')."""
    entry = _entry(purpose, host)

    def forget(backend: KeyringBackend) -> bool:
        if backend.get_password(SERVICE, entry) is None:
            return False
        backend.delete_password(SERVICE, entry)
        return True

    return _within(seconds, forget)


def keyring_fault(seconds: float = LIMIT_S) -> str:
    """Why the keyring cannot be used, '' where one is there. Nothing is read, so that nobody is asked to unlock it."""
    fault = why_unusable(seconds)
    return fault.message if fault is not None else ""


def why_unusable(seconds: float = LIMIT_S) -> KeyringFault | None:
    """The same with its kind and what to do about it; None where one is there."""
    try:
        _within(seconds, lambda _backend: None)
    except KeyringFault as fault:
        return fault
    return None


def _entry(purpose: str, host: str) -> str:
    if purpose not in VARIABLES:
        raise KeyError(purpose)
    return f"{purpose}:{host.lower()}"


class _Call:
    """One call on its way, in a thread of its own that may never come back."""

    def __init__(self, ask: Callable[[KeyringBackend], Any]) -> None:
        self.result: Any = None
        self.fault: Exception | None = None
        self._ask = ask
        self._thread = threading.Thread(target=self._run, name="keyring", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.result = self._ask(_backend())
        except Exception as fault:  # handed over to the thread that waits
            self.fault = fault

    def ended(self, seconds: float = 0) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()


_hanging: list[_Call] = []
"""At most the one call that did not end in its time."""
_turn = threading.Lock()


def _within(seconds: float, ask: Callable[[KeyringBackend], T]) -> T:
    """What the keyring says, or KnownError('keyring_unusable'). One call at a time: behind one that hangs, none is started."""
    if not _turn.acquire(timeout=seconds):
        raise _slow(seconds)
    try:
        if _hanging and not _hanging[0].ended():
            raise _slow(seconds)
        _hanging.clear()
        call = _Call(ask)
        if not call.ended(seconds):
            _hanging.append(call)
            raise _slow(seconds)
    finally:
        _turn.release()
    if call.fault is None:
        result: T = call.result
        return result
    if isinstance(call.fault, KnownError):
        raise call.fault
    raise _refusal(call.fault) from None


def _backend() -> KeyringBackend:
    """The back end that the system has, or the first safe one where several are chained. Raises KnownError."""
    import keyring
    from keyring.backends.chainer import ChainerBackend

    chosen = keyring.get_keyring()
    offered = list(ChainerBackend.backends) if isinstance(chosen, ChainerBackend) else [chosen]
    safe = [backend for backend in offered if not UNSAFE.search(_name(backend))]
    if safe:
        return safe[0]
    if any(not _name(backend).startswith("keyring.backends.") for backend in offered):
        raise KeyringFault(
            "plain", "The keyring that is set up keeps keys in a file that can be read.", "Set up the system's own keyring."
        )
    raise _none()


def _name(backend: KeyringBackend) -> str:
    return f"{type(backend).__module__}.{type(backend).__qualname__}"


def _refusal(fault: Exception) -> KeyringFault:
    from keyring.errors import InitError, KeyringLocked, NoKeyringError

    if isinstance(fault, KeyringLocked):
        return KeyringFault("refused", "The keyring is locked.", "Unlock it and try again.")
    if isinstance(fault, InitError):  # also a prompt that was sent away
        return KeyringFault("refused", "The keyring cannot be opened.", "See whether it runs, and unlock it.")
    if isinstance(fault, NoKeyringError):
        return _none()
    return KeyringFault("refused", f"The keyring refused ({type(fault).__name__}).", "See whether it is unlocked.")


def _none() -> KeyringFault:
    return KeyringFault("none", "This system has no keyring.", "Install one (on Linux: gnome-keyring or KWallet).")


def _slow(seconds: float) -> KeyringFault:
    return KeyringFault("silent", f"The keyring gave no answer within {seconds:g} s.", "It may be waiting to be unlocked.")

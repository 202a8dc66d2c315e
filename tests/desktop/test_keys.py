"""Keys: the environment, then the keyring; and every keyring that fails, hangs, or keeps nothing safe."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.chainer import ChainerBackend
from keyring.backends.fail import Keyring as FailKeyring
from keyring.backends.null import Keyring as NullKeyring
from keyring.errors import InitError, KeyringLocked, PasswordSetError

from tray_app.desktop import keys
from tray_app.desktop.keys import Key, forget_key, keep_key, key_for, keyring_fault
from tray_app.errors import KnownError, UsageError

KEY = "sk-KEYKEYKEY-0123456789"
HOST = "api.example.com"


class MemoryKeyring(KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class PlaintextKeyring(MemoryKeyring):
    """Named as the one that writes keys into a file."""


class FailingKeyring(MemoryKeyring):
    def __init__(self, fault: Exception) -> None:
        super().__init__()
        self.fault = fault

    def get_password(self, service: str, username: str) -> str | None:
        raise self.fault

    def set_password(self, service: str, username: str, password: str) -> None:
        raise self.fault


class HangingKeyring(MemoryKeyring):
    def __init__(self) -> None:
        super().__init__()
        self.unlocked = threading.Event()
        self.calls = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.calls += 1
        self.unlocked.wait(20)
        return super().get_password(service, username)


Using = Callable[[KeyringBackend], KeyringBackend]


@pytest.fixture
def using(monkeypatch: pytest.MonkeyPatch) -> Iterator[Using]:
    """`using(backend)`: the keyring that the system has, for this test."""
    for name in keys.VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    before = keyring.get_keyring()

    def choose(backend: KeyringBackend) -> KeyringBackend:
        keyring.set_keyring(backend)
        return backend

    yield choose
    keyring.set_keyring(before)


@pytest.fixture
def memory(using: Using) -> MemoryKeyring:
    backend = MemoryKeyring()
    using(backend)
    return backend


def unusable(call: Callable[[], object]) -> KnownError:
    with pytest.raises(KnownError) as caught:
        call()
    fault = caught.value
    assert fault.code == "keyring_unusable"
    assert "BACKSCROLL_MEANING_KEY" in fault.hint
    assert KEY not in f"{fault!s} {fault!r} {fault.__cause__!r}"
    return fault


# --- a keyring that works --------------------------------------------------------------------------------------------------
def test_a_key_is_kept_found_and_forgotten(memory: MemoryKeyring) -> None:
    assert key_for("meaning", HOST) == Key("", "")
    keep_key("meaning", HOST, f" Bearer {KEY}\n")
    assert memory.kept == {("backscroll", f"meaning:{HOST}"): KEY}
    assert key_for("meaning", HOST.upper()) == Key(KEY, "keyring")
    assert key_for("topics", HOST) == Key("", "")
    assert key_for("meaning", "other.example.com") == Key("", "")
    assert forget_key("meaning", HOST) is True
    assert forget_key("meaning", HOST) is False
    assert memory.kept == {}
    assert keyring_fault() == ""


def test_the_environment_comes_first(memory: MemoryKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_key("meaning", HOST, "from-the-keyring")
    monkeypatch.setenv("BACKSCROLL_MEANING_KEY", f" {KEY} ")
    assert key_for("meaning", HOST) == Key(KEY, "environment")
    monkeypatch.setenv("BACKSCROLL_MEANING_KEY", "  ")
    assert key_for("meaning", HOST) == Key("from-the-keyring", "keyring")
    monkeypatch.setenv("BACKSCROLL_TOPICS_KEY", "t")
    assert key_for("topics", HOST) == Key("t", "environment")


def test_a_key_is_shown_nowhere(memory: MemoryKeyring, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    keep_key("meaning", HOST, KEY)
    key = key_for("meaning", HOST)
    assert (repr(key), str(key), bool(key)) == ("Key(from keyring)", "Key(from keyring)", True)
    assert (repr(Key("", "")), bool(Key("", ""))) == ("Key(from nowhere)", False)
    assert not any(KEY in record.getMessage() for record in caplog.records)


@pytest.mark.parametrize("value", ["", "  ", "two words", "密钥", "a\nb", "a" * 2_001, "Bearer "])
def test_what_is_no_key(memory: MemoryKeyring, value: str) -> None:
    with pytest.raises(UsageError) as caught:
        keep_key("meaning", HOST, value)
    assert caught.value.code == "bad_key"
    assert memory.kept == {}


def test_a_purpose_that_does_not_exist(memory: MemoryKeyring) -> None:
    with pytest.raises(KeyError):
        keep_key("other", HOST, KEY)
    assert memory.kept == {}


# --- keyrings that do not work ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("backend", "message"),
    [
        (FailKeyring(), "This system has no keyring."),
        (NullKeyring(), "This system has no keyring."),
        (PlaintextKeyring(), "The keyring that is set up keeps keys in a file that can be read."),
    ],
)
def test_keyrings_that_keep_nothing_safe(using: Using, backend: KeyringBackend, message: str) -> None:
    using(backend)
    for call in (
        lambda: key_for("meaning", HOST),
        lambda: keep_key("meaning", HOST, KEY),
        lambda: forget_key("meaning", HOST),
    ):
        assert unusable(call).message == message
    assert keyring_fault() == message
    assert getattr(backend, "kept", {}) == {}


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (KeyringLocked(f"Failed to unlock {KEY}"), "The keyring is locked."),
        (InitError("Prompt dismissed"), "The keyring cannot be opened."),
        (PasswordSetError(KEY), "The keyring refused (PasswordSetError)."),
        (OSError(f"org.freedesktop {KEY}"), "The keyring refused (OSError)."),
    ],
)
def test_keyrings_that_fail(using: Using, fault: Exception, message: str) -> None:
    using(FailingKeyring(fault))
    assert unusable(lambda: key_for("meaning", HOST)).message == message
    assert unusable(lambda: keep_key("meaning", HOST, KEY)).message == message


def test_a_keyring_that_hangs_is_not_waited_for(using: Using) -> None:
    backend = HangingKeyring()
    backend.set_password("backscroll", f"meaning:{HOST}", KEY)
    using(backend)
    start = time.monotonic()
    assert unusable(lambda: key_for("meaning", HOST, 0.05)).message == "The keyring gave no answer within 0.05 s."
    assert unusable(lambda: key_for("meaning", HOST, 0.05)).message == "The keyring gave no answer within 0.05 s."
    assert time.monotonic() - start < 2
    assert backend.calls == 1  # no second thread behind the one that hangs
    backend.unlocked.set()
    deadline = time.monotonic() + 5
    while not keys._hanging[0].ended(0.05):
        assert time.monotonic() < deadline
    assert key_for("meaning", HOST) == Key(KEY, "keyring")
    assert keys._hanging == []


def test_of_several_keyrings_the_first_safe_one_is_used(using: Using, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, safe = PlaintextKeyring(), MemoryKeyring()
    chain = ChainerBackend()
    monkeypatch.setattr(ChainerBackend, "backends", [plain, NullKeyring(), safe])
    using(chain)
    keep_key("meaning", HOST, KEY)
    assert (plain.kept, list(safe.kept.values())) == ({}, [KEY])
    assert key_for("meaning", HOST) == Key(KEY, "keyring")
    monkeypatch.setattr(ChainerBackend, "backends", [plain])
    assert "can be read" in unusable(lambda: key_for("meaning", HOST)).message
    monkeypatch.setattr(ChainerBackend, "backends", [])
    assert "no keyring" in unusable(lambda: key_for("meaning", HOST)).message

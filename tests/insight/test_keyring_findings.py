"""What is said of the keyring: the worse where a service needs it, and never later than its limit."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import keyring as keyrings
import pytest
from keyring.backend import KeyringBackend

from tray_app.insight import keyring
from tray_app.records import Departure
from tray_app.settings import Settings

CLOUD = (Departure(what="meaning", host="api.example.com"),)


class Safe(KeyringBackend):
    priority = 1.0  # type: ignore[assignment]

    def get_password(self, service: str, username: str) -> str | None:
        raise AssertionError("nothing is read")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AssertionError("nothing is written")


class PlaintextKeyring(Safe):
    """A name as of those that keep keys in a file."""


@pytest.fixture
def use() -> Iterator[object]:
    before = keyrings.get_keyring()
    yield keyrings.set_keyring
    keyrings.set_keyring(before)


def found(leaves: tuple[Departure, ...] = (), **environ: str) -> tuple[str, str]:
    (one,) = keyring.findings(leaves, environ=environ)
    assert one.remedy or one.severity == "ok"
    return one.code, one.severity


def test_one_that_works(use: object) -> None:
    use(Safe())  # type: ignore[operator]
    assert found() == found(CLOUD) == ("keyring_works", "ok")


def test_one_that_keeps_keys_in_the_open(use: object) -> None:
    use(PlaintextKeyring())  # type: ignore[operator]
    assert found() == ("keyring_plain", "info")
    assert found(CLOUD) == ("keyring_plain", "warn")
    assert found(CLOUD, BACKSCROLL_MEANING_KEY="x") == ("keyring_plain", "info")
    assert found(CLOUD, BACKSCROLL_TOPICS_KEY="x") == ("keyring_plain", "warn")


def test_an_ollama_elsewhere_needs_no_key() -> None:
    settings = Settings()
    gone = (*CLOUD, Departure(what="topics", host="box:11434"))
    settings.set("topics.maker", "ollama")
    settings.set("meaning.backend", "openai")
    assert keyring.needing(gone, settings) == CLOUD
    settings.set("meaning.backend", "ollama")
    assert keyring.needing(gone, settings) == ()
    settings.set("topics.maker", "openai")
    assert keyring.needing(gone, settings) == gone[1:]


def test_none_at_all(use: object) -> None:
    from keyring.backends.fail import Keyring

    use(Keyring())  # type: ignore[operator]
    assert found() == ("keyring_none", "info")


def test_one_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()
    monkeypatch.setattr("tray_app.desktop.keys._backend", lambda: free.wait(30))
    (one,) = keyring.findings((), seconds=0.05)
    free.set()
    assert (one.code, one.severity) == ("keyring_silent", "info")

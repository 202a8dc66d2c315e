"""What others ask of the tray's window: a second start, the commands, and a tray that has none yet, or is going."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from doubled import GUARD_S, Start, said
from engine_double import WindowDouble, connect_double

from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.ui.app import is_another_there


@pytest.fixture
def paths() -> Paths:
    return Paths.from_environment().ensure()


def test_a_tray_does_not_give_way(start: Start, paths: Paths) -> None:
    tray = start("tray")
    said(tray)
    with connect_double("tray") as second:
        assert not second.is_owner
        second.control("show_window")
        second.control("toggle")
    assert (paths.data / "window.txt").read_text() == "show\ntoggle\n"


def test_a_tray_that_ends_as_a_second_one_starts_is_replaced_by_it(start: Start) -> None:
    first = start("tray")
    said(first)
    with connect_double("tray") as second:
        assert not second.is_owner
        assert is_another_there(second, background=True)
        assert is_another_there(second, background=False)
        first.kill()
        first.wait()
        assert not is_another_there(second, background=False)
        assert second.is_owner


def test_a_tray_that_hangs_is_told_to_a_second_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.service.client.ANSWER_S", 0.1)
    monkeypatch.setattr("tray_app.service.client.ALIVE_S", 0.1)
    free = threading.Event()
    window = WindowDouble(Path("unused"))
    monkeypatch.setattr(window, "show", lambda: free.wait(GUARD_S))
    with connect_double("tray", window=window), connect_double("tray") as second:
        with pytest.raises(KnownError, match="does not answer") as error:
            is_another_there(second, background=False)
        free.set()
        assert error.value.code == "owner_silent"


def test_window_that_comes_late_is_waited_for(paths: Paths) -> None:
    with connect_double("tray") as tray, connect_double("cli") as cli:
        later = threading.Timer(0.2, lambda: setattr(tray, "window", WindowDouble(paths.data / "window.txt")))
        later.start()
        cli.control("quit")
    assert (paths.data / "window.txt").read_text() == "quit\n"


def test_controls_without_a_tray() -> None:
    with connect_double("cli") as owner, connect_double("cli") as client:
        for connection in (owner, client):
            with pytest.raises(KnownError, match="tray is not running") as error:
                connection.control("toggle")
            assert error.value.code == "not_running"


def test_a_tray_that_has_no_window_yet_shows_it_when_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tray_app.service.server.WINDOW_WAIT_S", 0.05)
    told = Paths.from_environment().ensure().data / "window.txt"
    with connect_double("tray") as tray, connect_double("cli") as other:
        other.control("show_window")
        tray.window = WindowDouble(told)
        assert told.read_text() == "show\n"
        tray.window = WindowDouble(told)
        assert told.read_text() == "show\n"

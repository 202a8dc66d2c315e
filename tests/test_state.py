"""The machine's memory: typed, whole, and begun anew when damaged."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tray_app.state import Memory, State


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path / "data" / "state.json")


def test_empty_is_all_defaults(state: State) -> None:
    assert state.read() == Memory()
    assert not state.file.exists()


def test_changes_are_kept_for_the_next_process(state: State) -> None:
    assert state.change(paused=True, paused_until="2026-11-30T10:00:00Z").paused
    state.remember_window("HDMI-1", 900, 600)
    state.remember_window("eDP-1", 700, 500)
    memory = State(state.file).read()
    assert memory == Memory(
        paused=True, paused_until="2026-11-30T10:00:00Z", window_sizes={"HDMI-1": (900, 600), "eDP-1": (700, 500)}
    )
    assert state.file.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in state.file.parent.iterdir()] == ["state.json"]


def test_two_processes_keep_what_each_changed(state: State) -> None:
    other = State(state.file)
    state.change(first_run_done=True)
    other.change(paused=True)
    assert state.read() == Memory(first_run_done=True, paused=True)


def test_threads_lose_nothing(state: State) -> None:
    threads = [
        threading.Thread(target=state.change, kwargs={name: "x"}) for name in ("last_run", "last_version", "crash_offered")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert state.read() == Memory(last_run="x", last_version="x", crash_offered="x")


def test_what_does_not_belong_is_refused(state: State) -> None:
    with pytest.raises(TypeError, match="no field 'colour'"):
        state.change(colour="red")
    with pytest.raises(TypeError, match="paused: Expected `bool`"):
        state.change(paused="yes")
    assert not state.file.exists()


def test_what_a_newer_version_wrote_stays(state: State, allow_log: Callable[[str], None]) -> None:
    allow_log("the value of paused cannot be used")
    state.file.parent.mkdir()
    state.file.write_text('{"future": {"a": 1}, "paused": "later"}')
    assert state.read() == Memory()
    state.change(first_run_done=True)
    assert json.loads(state.file.read_text()) == {"future": {"a": 1}, "paused": "later", "first_run_done": True}


def test_damaged_file_is_set_aside(state: State, allow_log: Callable[[str], None]) -> None:
    allow_log("state.json was damaged; it is kept as state.json.damaged and begun anew")
    state.file.parent.mkdir()
    state.file.write_bytes(b'{"paused": tr')
    assert state.read() == Memory()
    assert state.file.with_name("state.json.damaged").read_bytes() == b'{"paused": tr'
    state.change(paused=True)
    assert State(state.file).read().paused


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(st.binary(), st.text().map(str.encode), st.just(b"[" * 100_000), st.just(b"null"), st.just(b'{"paused": 1e999}'))
)
def test_any_bytes_are_survived(tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes) -> None:
    state = State(tmp_path / "state.json")
    state.file.write_bytes(content)
    assert state.read() == Memory()
    assert state.change(paused=True).paused

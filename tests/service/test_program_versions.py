"""Two versions of the program at once, each in a process of its own: who gives way, and what the other is told."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from doubled import Start, said, starting, tell
from engine_double import connect_double

import tray_app
from tray_app.errors import KnownError
from tray_app.paths import Paths
from tray_app.records import SearchRequest
from tray_app.service import ownership, protocol
from tray_app.service.connection import connect
from tray_app.settings import Settings

OTHER = """
import sys
import tray_app
from tray_app.service import protocol
tray_app.__version__, protocol.PROTOCOL = sys.argv[2], int(sys.argv[3])
from engine_double import connect_double
from tray_app.errors import AppError
from tray_app.records import SearchRequest
with connect_double(sys.argv[1], idle_s=float(sys.argv[4])) as connection:
    print("owner" if connection.is_owner else "client", flush=True)
    for line in sys.stdin:
        try:
            print(connection.search(SearchRequest(query="webhook")).hits, connection.is_owner, flush=True)
        except AppError as error:
            print(error.code, error, flush=True)
"""
"""Says whether it owns the files; then, for each line, what a search gives."""
OLD, NEW = "0.0.1", "9.8.7"


@pytest.fixture
def start() -> Iterator[Start]:
    """A program of another version, which has connected."""
    with starting("-c", OTHER) as begin:

        def connected(
            kind: str, version: str, number: int = protocol.PROTOCOL, idle_s: float = 60, role: str = "owner"
        ) -> subprocess.Popen[str]:
            process = begin(kind, version, str(number), str(idle_s))
            assert said(process) == role
            return process

        yield connected


def asked(process: subprocess.Popen[str]) -> str:
    tell(process, "search")
    return said(process)


@pytest.mark.parametrize(("kind", "ours"), [("mcp", "tray"), ("mcp", "cli"), ("cli", "mcp")])
def test_an_older_owner_gives_way(start: Start, kind: str, ours: str) -> None:
    """One message for it, and no taking of turns."""
    old = start(kind, OLD)
    with connect_double(ours) as here:
        assert here.is_owner
        for _ in range(3):
            words = asked(old)
            assert words.startswith("other_version Another version is running: The running Backscroll (process ")
            assert words.endswith(
                f"is version {tray_app.__version__}, this is version {OLD}. Backscroll was updated after this program had started. "
                "Quit it and start it again (a server for an agent starts again with the agent)."
            )
            assert here.is_owner
    assert asked(old) == "1 True"  # there is nobody else any more


@pytest.mark.parametrize("ours", ["cli", "mcp"])
def test_a_newer_owner_does_not(start: Start, ours: str) -> None:
    new = start("mcp", NEW)
    with pytest.raises(KnownError, match=rf"is version {NEW}, this is version .*") as error:
        connect_double(ours)
    assert error.value.hint.startswith("Backscroll was updated after this program had started.")
    assert asked(new) == "1 True"


def test_an_older_tray_is_to_be_restarted(start: Start) -> None:
    """It has windows open and a person before it: it does not go by itself."""
    old = start("tray", OLD)
    for kind in ("cli", "mcp", "tray"):
        with pytest.raises(KnownError, match=f"is version {OLD}") as error:
            connect_double(kind)
        assert error.value.hint == "Restart Backscroll: quit it (backscroll quit), then start it again."
    assert asked(old) == "1 True"


def test_a_newer_tray_is_told_of_to_the_older_programs(start: Start) -> None:
    with connect_double("mcp"):
        start("tray", NEW)  # took over from here
        with pytest.raises(KnownError, match=f"is version {NEW}"):
            connect_double("cli")


def test_another_protocol_is_a_matter_of_words_too(start: Start) -> None:
    """The hello and the controls are the same in all of them, so that the next protocol can take over from this one."""
    old = start("mcp", OLD, number=0)
    with connect_double("tray") as here:
        assert here.is_owner
        assert asked(old).startswith("other_version")
        assert here.is_owner
        assert here.search(SearchRequest(query="webhook")).hits == 1


def test_an_owner_of_another_version_that_is_idle_lets_go(start: Start) -> None:
    """Being refused is no question to it: those who try again and again do not keep it."""
    start("mcp", NEW, idle_s=1)
    refused, deadline = 0, time.monotonic() + 60
    while True:
        try:
            with connect_double("cli") as here:
                assert here.is_owner
                break
        except KnownError as error:
            assert error.code == "other_version"
            refused += 1
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert refused


@pytest.mark.parametrize(
    ("version", "older"),
    [("0.0.9", True), ("1.2.3rc1", True), ("1.2", True), ("1.2.3", False), ("1.2.4", False), ("1.10", False), ("2", False)],
)
def test_which_version_is_older(version: str, older: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tray_app, "__version__", "1.2.3")
    assert protocol.is_older(version) is older


def test_what_is_no_version_is_older(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tray_app, "__version__", "1.2.3")
    assert [protocol.is_older(text) for text in ("", "unknown", "9" * 400 + ".1", "٣.1")] == [True, True, False, True]


def test_a_program_that_was_replaced_while_it_runs_loads_nothing_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of one version and half of another would write into the same files."""
    paths = Paths.from_environment()
    settings = Settings(paths.settings_file)
    assert protocol.replaced_by() == ""
    replaced = tmp_path / "__init__.py"
    replaced.write_text(f'"""Backscroll."""\n\n__version__ = "{NEW}"\n', encoding="utf-8")
    monkeypatch.setattr(tray_app, "__file__", str(replaced))
    with pytest.raises(KnownError, match=rf"Version {NEW} was installed while version {tray_app.__version__} runs") as error:
        connect(paths, settings, "mcp")
    assert (error.value.title, error.value.code) == ("Restart Backscroll", "program_updated")
    assert not paths.index_file.exists()
    with ownership.claim(paths) as claim:  # type: ignore[union-attr]
        assert claim is not None
    for unreadable in (b"__version__ = 5", b"\xff\xfe", None):
        replaced.write_bytes(unreadable) if unreadable is not None else replaced.unlink()
        assert protocol.replaced_by() == ""

"""The real programs on one home, started in any order and all at once: one owner, right answers, no word of a lock."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from engine_double import WindowDouble, connect_double
from traffic import PROJECT, real

from tray_app.paths import Paths
from tray_app.service.connection import running_owner

GUARD_S = 300.0
TRAY, SEARCH, SERVER = ["-m", "tray_app"], ["-m", "tray_app.cli.main", "search", "--json"], ["-m", "tray_app.cli.main", "mcp"]

pytestmark = pytest.mark.timeout(600)  # a guard against hanging alone: programs are slow to start on a busy machine

Start = Callable[[list[str]], "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def begin(arguments: list[str]) -> subprocess.Popen[str]:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started.append(subprocess.Popen([sys.executable, *arguments], text=True, **pipes))
        return started[-1]

    yield begin
    for process in started:
        process.kill()
        process.communicate()


class Agent:
    """What an agent does with its server."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self._number = process, 0
        self._ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "a test", "version": "1"})
        self._say({"method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> Any:
        result = self._ask("tools/call", name=tool, arguments=arguments)
        assert not result.get("isError"), result
        return result["structuredContent"]

    def _ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._say({"id": self._number, "method": method, "params": params})
        assert self.process.stdout is not None
        while True:
            said = json.loads(self.process.stdout.readline())
            if said.get("id") == self._number:
                return said["result"]

    def _say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()


def owner() -> tuple[str, int] | None:
    """Kind and process of who owns the files."""
    client = running_owner(Paths.from_environment(), "cli")
    if client is None:
        return None
    client.close()
    return client.owner.kind, client.owner.pid


def test_all_at_once(home: Path, start: Start) -> None:
    server = start(SERVER)
    tray = start([*TRAY, "--background"])
    search = start([*SEARCH, "退款"])
    agent = Agent(server)
    assert agent.call("session_recall", query="webhook")["found"] is True
    out, err = search.communicate(timeout=GUARD_S)
    assert (search.returncode, json.loads(out)["found"], err) == (0, True, "")
    deadline = time.monotonic() + GUARD_S
    while owner() != ("tray", tray.pid):
        assert time.monotonic() < deadline
        assert tray.poll() is None
        time.sleep(0.05)
    assert agent.call("remember", project=PROJECT, kind="fact", title="Pears", content="They are ripe.")["created"] is True
    assert agent.call("session_recall_status")["owner"] == {"pid": tray.pid, "kind": "tray"}
    client = running_owner(Paths.from_environment(), "cli")
    assert client is not None
    client.ask("quit", {})
    client.close()
    assert tray.communicate(timeout=GUARD_S) == ("", "")
    assert tray.returncode == 0
    held = agent.call("memory_recent", project=PROJECT)["memories"]  # the server owns the files now
    assert [one["content"] for one in held] == ["They are ripe."]
    assert owner() == ("mcp", server.pid)
    with real("tray") as after:  # and gives them to the next tray
        assert after.is_owner
        assert agent.call("session_recall_status")["owner"] == {"pid": os.getpid(), "kind": "tray"}
        assert [memory.content for memory in after.memories(PROJECT)] == ["They are ripe."]


def test_a_second_tray_raises_the_first(start: Start) -> None:
    paths = Paths.from_environment().ensure()
    told = paths.data / "window.txt"
    with connect_double("tray", window=WindowDouble(told)):
        second, quiet = start(TRAY), start([*TRAY, "--background"])
        for process in (second, quiet):
            assert process.communicate(timeout=GUARD_S) == ("", "")
            assert process.returncode == 0
    assert told.read_text() == "show\n"

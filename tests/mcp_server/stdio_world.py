"""A small home for the tests of the server over real pipes, and the SDK's own client, made synchronous.

The home holds sessions of two agents, the project `harbour` with everything a project can have, and one whose name needs
encoding. A test that changes much, or kills, works on a copy of it.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))

import claude_files as claude
import codex_files as codex

from tray_app.engine import Engine
from tray_app.paths import Paths
from tray_app.settings import Settings

PROJECT, SPELLED = "harbour", "码头 网站"
CLAUDE_ID = claude.make_id("ledger")
CODEX_ID = codex.SESSION
NOW = "2026-05-06T12:00:00+00:00"
GUARD_S = 300.0
"""A test that hangs ends after so long; nothing is measured by it."""
MAIN = "import sys; from tray_app.cli.main import main; sys.exit(main(['mcp']))"
COMMAND = [sys.executable, "-m", "tray_app.cli.main", "mcp"]
DOCUMENT = """# Moorings

How boats are given their place in the harbour.

## Assigning

A boat longer than twelve metres is moored at the outer pier, because the inner basin is too shallow for her keel at low water.

## Fees

Fees are rounded once, on the invoice, and never on its single lines, or the sums differ by a cent.
"""


@dataclass
class World:
    """`home` is the person's, `ours` holds our own files; `project` is where the servers are started."""

    home: Path
    ours: Path

    @property
    def project(self) -> Path:
        return self.home / "Documents/Projects" / PROJECT

    @property
    def paths(self) -> Paths:
        return Paths.from_environment(self.environ)

    @property
    def environ(self) -> dict[str, str]:
        """What our processes are told on top of an ordinary environment."""
        return {
            "HOME": str(self.home), "USERPROFILE": str(self.home), "BACKSCROLL_SOURCES_HOME": str(self.home),
            "BACKSCROLL_HOME": str(self.ours), "BACKSCROLL_NOW": NOW, "TZ": "UTC",
        }  # fmt: skip

    @property
    def process_environ(self) -> dict[str, str]:
        return {**os.environ, **self.environ}

    def copied(self, ours: Path) -> World:
        """The same with files of its own."""
        shutil.copytree(self.ours, ours)
        return World(self.home, ours)

    def text_of_logs(self) -> str:
        return "".join(file.read_text("utf-8") for file in sorted(self.paths.logs.glob("mcp.log*")))

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """This process works on these files for the length of the block."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in self.environ.items():
                patch.setenv(name, value)
            yield


def make_world(folder: Path) -> World:
    """Sessions, index and memory, made by the real engine."""
    world = World(folder / "home", folder / "ours")
    world.project.mkdir(parents=True)
    (world.home / "Documents/Projects" / SPELLED).mkdir()
    (world.project / "docs").mkdir()
    (world.project / "docs/moorings.md").write_text(DOCUMENT, "utf-8")
    _write_sessions(world)
    with world.in_force():
        settings = Settings(world.paths.settings_file)
        settings.set("meaning.backend", "off")
        settings.set("topics.maker", "off")
        engine = Engine(world.paths, settings, kind="cli")
        try:
            engine.index(all_sources=True)
            engine.put_checkpoint(PROJECT, {"goal": "Open the harbour in June", "next": ["Print the signs"]})
            engine.put_checkpoint(PROJECT, {"doing": "Counting the moorings"}, draft=True)
            engine.remember(
                PROJECT, "decision", "Round once", "The ledger rounds once, on the invoice, to avoid cents that differ."
            )
            engine.remember(SPELLED, "fact", "标志", "码头网站的标志是蓝色的锚。")
            engine.index_pages(PROJECT)
        finally:
            engine.close()
    return world


def _write_sessions(world: World) -> None:
    chat = claude.Chat("ledger", cwd=str(world.project))
    rows: list[claude.Row | bytes] = [
        chat.user("Round the ledger once, at the end, not per row."),
        chat.answer("The ledger rounds once now, on the invoice."),
        chat.user("潮汐表从哪里来？"),
        chat.answer("潮汐表来自港务局的接口。"),
    ]
    slug = str(world.project).replace("/", "-")
    claude.write(world.home / ".claude/projects" / slug / f"{chat.id}.jsonl", rows)
    codex.written(
        world.home / ".codex",
        [
            codex.meta(cwd=str(world.project)),
            codex.context(1, cwd=str(world.project)),
            codex.item(2, "user", "How many moorings are free?"),
            codex.event(2, "user", "How many moorings are free?"),
            codex.item(3, "assistant", "Twelve moorings are free at the outer pier."),
            codex.event(3, "assistant", "Twelve moorings are free at the outer pier."),
        ],
    )


@dataclass
class Asked:
    """A client of one server process, to be used without `await`. `pid` is that of the server."""

    portal: BlockingPortal
    client: Client
    pid: int

    def do(self, what: str, *arguments: Any, **more: Any) -> Any:
        """A method of the SDK's client."""
        return self.portal.start_task_soon(lambda: getattr(self.client, what)(*arguments, **more)).result(GUARD_S)

    def begin(self, what: str, *arguments: Any, **more: Any) -> Any:
        """The same, not waited for: a future, which can be cancelled."""
        return self.portal.start_task_soon(lambda: getattr(self.client, what)(*arguments, **more))

    def call(self, tool: str, /, **arguments: Any) -> types.CallToolResult:
        result: types.CallToolResult = self.do("call_tool", tool, arguments)
        return result

    def told(self, tool: str, /, **arguments: Any) -> tuple[str, dict[str, Any]]:
        """The words and the data of a call that went well; the client has checked the data against the tool's own schema."""
        result = self.call(tool, **arguments)
        words = words_of(result)
        assert not result.is_error, words
        assert result.structured_content is not None
        return words, result.structured_content

    def refused(self, tool: str, /, **arguments: Any) -> str:
        """The sentence of a call that cannot be done."""
        result = self.call(tool, **arguments)
        words = words_of(result)
        assert result.is_error, words
        assert result.structured_content is not None
        assert words.startswith(result.structured_content["error"]["title"])
        return words


def words_of(result: types.CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))


class Clients:
    """Starts servers with a client each, all on one event loop in a thread."""

    def __init__(self, portal: BlockingPortal, stack: ExitStack) -> None:
        self._portal, self._stack, self._numbers = portal, stack, itertools.count()

    def start(self, world: World, *, mode: str = "legacy") -> Asked:
        """A server in a process of its own, and a client that has shaken hands with it."""
        note = world.ours / f"pid-{next(self._numbers)}"
        code = f"import os, pathlib; pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n{MAIN}"
        given = StdioServerParameters(command=sys.executable, args=["-c", code], env=world.environ, cwd=world.project)
        errors = self._stack.enter_context((world.ours / "stderr.txt").open("a"))
        client = Client(stdio_client(given, errlog=errors), mode=mode, cache=None)
        self._stack.enter_context(self._portal.wrap_async_context_manager(client))
        return Asked(self._portal, client, int(note.read_text()))


@contextmanager
def clients() -> Iterator[Clients]:
    """Every server that was started ends with the block."""
    with start_blocking_portal() as portal, ExitStack() as stack:
        yield Clients(portal, stack)


class Pipes:
    """A server process spoken to in bare lines."""

    def __init__(
        self, world: World, command: Sequence[str] = COMMAND, folder: Path | None = None, stdin: int = subprocess.PIPE
    ) -> None:
        self._numbers = itertools.count(1)
        self.process = subprocess.Popen(
            command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder or world.project,
            env=world.process_environ,
        )  # fmt: skip
        self._guard = threading.Timer(GUARD_S, self.process.kill)
        self._guard.start()

    def __enter__(self) -> Pipes:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.end()

    def end(self) -> tuple[int, str, str]:
        """Close standard input and wait. Gives the exit code, and what was still on standard output and on standard error."""
        if self.process.stdin is not None and self.process.stdin.closed:
            self.process.stdin = None
        out, err = self.process.communicate()
        self._guard.cancel()
        return self.process.returncode, out.decode(), err.decode()

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        """The next line, which is JSON; None at the end."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def send(self, method: str, **params: Any) -> int:
        """A request; gives its number."""
        number = next(self._numbers)
        self.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
        return number

    def tell(self, method: str, **params: Any) -> None:
        """A notification."""
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def ask(self, method: str, **params: Any) -> Any:
        """A request and its answer, whatever comes in between."""
        number = self.send(method, **params)
        while (answer := self.read()) is not None:
            if answer.get("id") == number:
                return answer
        raise AssertionError("the server ended")

    def greet(self, client: str = "a test") -> Any:
        """The handshake; gives the server's part of it."""
        caller = {"name": client, "version": "1"}
        answer = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=caller)
        self.tell("notifications/initialized")
        return answer["result"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]

"""The server in bare lines: nothing but the protocol on its output, whatever comes on its input, and how it ends."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stdio_world import COMMAND, GUARD_S, Pipes, World

from tray_app.service import ownership

pytestmark = pytest.mark.timeout(600)  # a guard against hanging alone: programs are slow to start on a busy machine

NOISY = """
import logging, os, sys
from tray_app.cli.main import main
from tray_app.mcp_server import tending
real = tending.doctor
def doctor(call):
    print("printed by a library")
    os.write(1, b"written by a library in C\\n")
    logging.getLogger("library").warning("logged by a library")
    assert sys.stdin.read() == ""
    return real(call)
object.__setattr__(next(tool for tool in tending.TOOLS if tool.name == "doctor"), "run", doctor)
sys.exit(main(["mcp"]))
"""
CALL = b'{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"recall","arguments":{"query":%s}}}'


def number(text: str, query: bytes) -> bytes:
    return CALL % (text.encode(), query)


ODD: list[tuple[bytes, int | str | None, str]] = [
    (b"", None, ""),
    (b"   ", None, ""),
    (b"hello", None, ""),
    (b"null", None, ""),
    (b"[]", None, ""),
    (b"\xff\xfe\x00", None, ""),
    (b"[" * 50_000, None, ""),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, ""),
    (b'{"jsonrpc":"2.0","id":901,"result":{}}', None, ""),
    (b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":902}}', None, ""),
    (b'{"jsonrpc":"2.0","method":"notifications/of no kind"}', None, ""),
    (b'{"jsonrpc":"2.0","id":903,"method":"no/such"}', 903, "Method not found"),
    (b'{"jsonrpc":"1.0","id":904,"method":"ping"}', 904, "This message cannot be read: it is no request of JSON-RPC 2.0."),
    (b'{"jsonrpc":"2.0","id":"five","method":5}', "five", "This message cannot be read: it is no request of JSON-RPC 2.0."),
    (b'{"jsonrpc":"2.0","id":906,"method":"tools/call","params":[]}', 906, "This message cannot be read"),
    (b'{"jsonrpc":"2.0","id":907,"method":"tools/call","params":{"name":7}}', 907, "Invalid request parameters"),
    (number("deep", b"[" * 5_000 + b"]" * 5_000), "deep", "This message cannot be read: it is nested too deeply."),
    (number("many digits", b"9" * 5_000), None, ""),
    (number("digits", b"9" * 5_000), "digits", "This message cannot be read: it is no JSON."),
    (b'{"method":"ping","params":{"id":3,"x":' + b"9" * 5_000 + b'},"id":908}', 908, "This message cannot be read"),
    (number("half", b'"moorings \\ud83d"'), "half", ""),
    (number("bytes", b'"moorings \xff\xfe"'), "bytes", ""),
    (number("nan", b"NaN"), "nan", ""),
    (number("long", b'"' + b"x" * 3_000_000 + b'"'), "long", "Wrong arguments: The arguments are too long"),
]
"""Lines, the number that their answer carries (None: none is answered), and what stands in it."""


def damaged(count: int) -> Iterator[bytes]:
    """Requests with bytes changed, lost and put in."""
    chance = random.Random(20_261_130)
    tools = ("recall", "session_recall", "session_search", "handoff_get", "pages_search", "checkpoint_get", "memory_update")
    for place in range(count):
        arguments = {"query": "潮汐 moorings", "project": "harbour", "limit": 3, "id": [4, {"a": None}]}
        request = {"name": chance.choice(tools), "arguments": arguments, "_meta": {"progressToken": place}}
        line = bytearray(
            json.dumps({"jsonrpc": "2.0", "id": 10_000 + place, "method": "tools/call", "params": request}).encode()
        )
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(line))
            line[at : at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        yield bytes(line).replace(b"\n", b" ")


def test_output_is_the_protocol_whatever_is_printed_and_whatever_comes(world: World) -> None:
    with Pipes(world, [sys.executable, "-c", NOISY]) as server:
        server.greet()
        said = server.call("doctor")
        assert "Everything is in order" in said["content"][0]["text"]
        answers: dict[Any, str] = {}
        for line, _, _ in ODD:
            server.write(line)
        waited = {number for _, number, _ in ODD if number is not None}
        while set(answers) < waited:
            answer = server.read()
            assert answer["jsonrpc"] == "2.0"
            answers[answer["id"]] = json.dumps(answer.get("error") or answer["result"], ensure_ascii=False)
        for line, wanted, words in ODD:
            assert wanted is None or words in answers[wanted], line[:100]
        for line in damaged(150):
            server.write(line)
        assert server.ask("ping")["result"] == {}
        assert ownership.read_note(world.paths).pid == server.process.pid  # type: ignore[union-attr]
        server.send("tools/call", name="session_recall", arguments={"query": "moorings"})
        code, out, err = server.end()
    assert code == 0
    assert {json.loads(line)["jsonrpc"] for line in out.splitlines()} <= {"2.0"}
    assert not ownership.note_file(world.paths).exists()
    assert not Path(ownership.address_of(world.paths)).exists()
    assert err.splitlines() == ["printed by a library", "written by a library in C"]
    log = world.text_of_logs()
    assert "WARNING" in log
    assert "logged by a library" in log
    assert "moorings" not in log


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
def test_a_signal_ends_it_and_the_files_are_let_go_of(world: World) -> None:
    with Pipes(world) as server:
        server.greet()
        server.call("session_recall_status")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(GUARD_S) == 128 + signal.SIGTERM
    assert not ownership.note_file(world.paths).exists()
    assert "ERROR" not in world.text_of_logs()


def test_a_client_that_reads_nothing_does_not_hold_it_up(world: World) -> None:
    with Pipes(world) as server:
        server.greet()
        for _ in range(8):  # more than a pipe holds
            server.send("tools/list")
        assert server.process.stdin is not None
        server.process.stdin.close()
        assert server.process.wait(GUARD_S) == 0


def test_a_client_that_closed_its_ear_ends_it(world: World) -> None:
    with Pipes(world) as server:
        server.greet()
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.send("tools/list")
        assert server.process.wait(GUARD_S) == 0
        assert server.process.stdin is not None
        assert server.process.stderr is not None
        assert server.process.stderr.read() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be deleted there")
def test_it_starts_in_a_folder_that_is_gone(world: World, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    leave = f"import os; os.rmdir({str(gone)!r}); from tray_app.cli.main import main; raise SystemExit(main(['mcp']))"
    with Pipes(world, [sys.executable, "-P", "-c", leave], gone) as server:  # no path of its own, as scripts start
        server.greet()
        assert "Found" in server.call("session_recall", query="moorings")["content"][0]["text"]
        said = server.call("checkpoint_get")
        assert said["isError"] is True
        assert said["content"][0]["text"].startswith("Which project?")
        assert server.call("checkpoint_get", project="harbour")["structuredContent"]["project"] == "harbour"


@pytest.mark.parametrize("lacking", ["mcp", "anyio", "mcp_types"])
def test_without_the_sdk_it_says_how_to_get_it(world: World, lacking: str) -> None:
    code = f"import sys; sys.modules[{lacking!r}] = None; from tray_app.cli.main import main; raise SystemExit(main(['mcp']))"
    with Pipes(world, [sys.executable, "-c", code]) as server:
        assert server.end() == (
            3,
            "",
            "backscroll: Not installed: The server for agents needs a package that is not here, or not in the right version: "
            f"{lacking}. Install it into the same environment: pip install 'backscroll[mcp]'\n",
        )


@pytest.mark.skipif(sys.platform == "win32", reason="descriptors are closed otherwise there")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_without_input_or_output_it_says_so(world: World, closed: str) -> None:
    command = f'"{COMMAND[0]}" -m tray_app.cli.main mcp {closed}'
    done = subprocess.run(
        ["/bin/sh", "-c", command], env=world.process_environ, stderr=subprocess.PIPE, timeout=GUARD_S, check=False
    )
    said = b"backscroll: Nobody to talk to: There is no standard input or output. This command is started by an agent.\n"
    assert (done.returncode, done.stderr) == (3, said)


def test_by_hand_it_says_what_it_is(world: World) -> None:
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    try:
        with Pipes(world, COMMAND, stdin=theirs) as server:
            assert server.process.stderr is not None
            assert server.process.stderr.readline().startswith(b"This is the server for agents: ")
            os.write(ours, b"\x04")
            assert server.process.wait(GUARD_S) == 0
    finally:
        os.close(ours)
        os.close(theirs)

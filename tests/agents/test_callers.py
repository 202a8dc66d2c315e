"""Which session a process holds: noted by hooks, told to the server of the same process, and to nobody where it is not sure."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tray_app.agents import callers, hook
from tray_app.agents.callers import Process, held_by, note, process, starter
from tray_app.paths import Paths

AGENT, CLIENT = "claude_code", "claude-code"
HERE = Process(4_711, "88")
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not tell processes as files")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "callers"


def held(folder: Path, holder: Process = HERE, client: str = CLIENT, since: float = 0.0) -> str:
    return held_by(holder, folder, client, since)


def test_the_server_of_a_process_is_told_its_session(folder: Path) -> None:
    assert held(folder) == ""
    note(folder, HERE, AGENT, "one", "startup")
    assert held(folder) == "one"
    assert held(folder, Process(4_711, "99")) == held(folder, Process(4_712, "88")) == ""
    if os.name == "posix":
        modes = [stat.S_IMODE(file.stat().st_mode) for file in (folder, *folder.iterdir())]
        assert modes == [0o700, 0o600]


@pytest.mark.parametrize(
    ("agent", "client"),
    [
        ("claude_code", "claude-code"),
        ("gemini_cli", "gemini-cli-mcp-client"),
        ("kimi", "kimi-code"),
        ("qwen", "qwen-cli-mcp-client-backscroll"),
    ],
)
def test_only_the_agent_itself_is_told(folder: Path, agent: str, client: str) -> None:
    note(folder, HERE, agent, "one")
    assert held(folder, client=client) == "one"
    assert [held(folder, client=other) for other in ("", "claude-ai", "Visual Studio Code", "codex-mcp-client")] == [""] * 4


@pytest.mark.parametrize("source", ["resume", "clear"])
def test_a_process_goes_over_to_another_session(folder: Path, source: str) -> None:
    note(folder, HERE, AGENT, "one", "startup")
    note(folder, HERE, AGENT, "two", source)
    note(folder, HERE, AGENT, "two")
    assert held(folder) == "two"


def test_of_several_sessions_in_one_process_none_is_told(folder: Path) -> None:
    note(folder, HERE, AGENT, "one", "startup")
    note(folder, HERE, AGENT, "two", "startup")
    assert held(folder) == ""
    for source in ("", "clear", "resume"):  # whose it is, nobody can tell any more
        note(folder, HERE, AGENT, "one", source)
        assert held(folder) == ""


@pytest.mark.parametrize("agent", ["codex", "dsh", "opencode", ""])
def test_others_are_not_noted(folder: Path, agent: str) -> None:
    note(folder, HERE, agent, "one")
    note(folder, Process(0), AGENT, "one")
    assert not folder.exists()


def test_where_beginnings_are_not_known_an_old_note_does_not_count(folder: Path) -> None:
    holder, now = Process(4_711), time.time()
    note(folder, holder, AGENT, "one")
    assert held(folder, holder, since=now) == "one"
    os.utime(folder / "4711", (now - 1_000, now - 1_000))
    assert held(folder, holder, since=now) == ""
    assert held(folder, holder, since=now - 1_000) == "one"
    note(folder, holder, AGENT, "one")  # its next prompt
    assert held(folder, holder, since=now) == "one"


def test_what_is_not_of_this_form_is_no_note(folder: Path) -> None:
    folder.mkdir()
    for content in (b"", b"claude_code", b"\xff\n\xff", b"\none", b"claude\none"):
        (folder / HERE.name).write_bytes(content)
        assert held(folder) == ""


def test_the_notes_are_bounded(folder: Path) -> None:
    for number in range(1, callers.MOST + 2):
        note(folder, Process(number, "1"), AGENT, "one")
        os.utime(folder / f"{number}-1", (number, number))
    assert len(list(folder.iterdir())) == callers.LEFT
    assert held(folder, Process(callers.MOST, "1")) == "one"


# --- whose process it is -------------------------------------------------------------------------------------------------------
@linux
def test_a_process_is_told_from_a_later_one_of_its_number() -> None:
    mine = process(os.getpid())
    assert mine.number == os.getpid()
    assert mine.began.isdecimal()
    assert process(2**22 + 1) == Process(2**22 + 1)


def test_a_hook_of_claude_code_is_told_the_process() -> None:
    assert starter(AGENT, {"CLAUDE_PID": str(os.getpid())}) == process(os.getpid())
    for agent, said in (("qwen", str(os.getpid())), (AGENT, "x"), (AGENT, ""), (AGENT, "²"), (AGENT, "9" * 5_000)):
        assert starter(agent, {"CLAUDE_PID": said}) == starter()


@linux
@pytest.mark.parametrize("command", ["{}", "{} ; true"])  # some shells step aside for the last command of a line
def test_a_hook_notes_the_process_beyond_its_shell(command: str) -> None:
    code = "import sys; from tray_app.agents.hook import main; main(sys.argv[1:])"
    line = command.format(f"'{sys.executable}' -c '{code}' qwen UserPromptSubmit")
    given = json.dumps({"session_id": "one", "cwd": "/"})
    subprocess.run(["/bin/sh", "-c", line], input=given, text=True, check=True, timeout=60)
    assert held(Paths.from_environment().data / callers.FOLDER, process(os.getpid()), "qwen") == "one"


def test_a_switched_off_pointer_does_not_keep_the_session_from_being_noted() -> None:
    paths = Paths.from_environment().ensure()
    paths.settings_file.write_text("[agents]\npointer = false\n")
    given = json.dumps({"session_id": "one", "source": "startup"}).encode()
    assert hook.decide(paths, "claude-code", "SessionStart", given) == hook.Decision("off")
    assert held(paths.data / callers.FOLDER, starter(AGENT, os.environ)) == "one"

"""What hooks are answered: the forms, once a session, from what the owner wrote down, and nothing whatever goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tray_app.agents import hook, pointers, told
from tray_app.agents.hook import Decision, decide
from tray_app.agents.pointers import Pointer
from tray_app.paths import Paths

SHOP = {"form": 1, "spaces": [], "libraries": {"default": {"packs": [["shop", "abc123", 1234]], "folders": [["/w/shop", 0]]}}}
LINE = (
    'Backscroll has a hand-over pack of the project "shop" from earlier sessions (version abc123, about 1,234 tokens). To read it: '
    'the MCP tool handoff_pack with this project\'s name, or the command `backscroll pack "shop"`.'
)


@pytest.fixture
def paths() -> Iterator[Paths]:
    made = Paths.from_environment().ensure()
    keep(made, SHOP)
    yield made


def keep(paths: Paths, content: Any) -> None:
    (paths.data / pointers.FILE).write_text(json.dumps(content), "utf-8")


def given_by(agent_session: str = "s1", cwd: str = "/w/shop/src", **more: Any) -> bytes:
    return json.dumps({"session_id": agent_session, "cwd": cwd, **more}).encode()


# --- forms --------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("agent", ["claude_code", "codex", "dsh", "qwen", "claude-code"])
@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit"])
def test_context_in_the_form_of_claude_code(paths: Paths, agent: str, event: str) -> None:
    decision = decide(paths, agent, event, given_by(prompt="what was it", source="startup"))
    assert (decision.outcome, decision.version) == ("pointer", "abc123")
    assert json.loads(decision.text) == {"hookSpecificOutput": {"hookEventName": event, "additionalContext": LINE}}


def test_kimi_takes_plain_text_at_a_prompt_alone(paths: Paths) -> None:
    assert decide(paths, "kimi", "SessionStart", given_by()) == Decision("noted")
    assert decide(paths, "kimi", "UserPromptSubmit", given_by()).text == LINE + "\n"


def test_gemini_takes_it_at_the_start_alone(paths: Paths) -> None:
    assert decide(paths, "gemini_cli", "UserPromptSubmit", given_by()) == Decision("noted")
    answer = json.loads(decide(paths, "gemini_cli", "SessionStart", given_by()).text)
    assert answer == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": LINE}}


@pytest.mark.parametrize("event", ["SessionEnd", "Stop", "PreCompact", "notify"])
def test_other_events_are_answered_with_nothing(paths: Paths, event: str) -> None:
    assert decide(paths, "claude_code", event, given_by()) == Decision("noted")
    assert decide(paths, "claude_code", "SessionStart", given_by()).outcome == "pointer"


# --- once a session -----------------------------------------------------------------------------------------------------------
def test_a_session_is_told_once(paths: Paths) -> None:
    outcomes = [
        decide(paths, "claude_code", event, given_by()).outcome
        for event in ("SessionStart", "UserPromptSubmit", "SessionStart")
    ]
    assert outcomes == ["pointer", "told", "told"]
    assert decide(paths, "claude_code", "UserPromptSubmit", given_by("s2")).outcome == "pointer"
    assert decide(paths, "codex", "UserPromptSubmit", given_by()).outcome == "pointer"


def test_the_first_prompt_alone_counts(paths: Paths) -> None:
    assert decide(paths, "codex", "UserPromptSubmit", given_by(cwd="/elsewhere")).outcome == "no_pack"
    assert decide(paths, "codex", "UserPromptSubmit", given_by()).outcome == "told"


def test_a_start_without_a_pack_leaves_the_first_prompt_to_tell(paths: Paths) -> None:
    keep(paths, {"form": 1, "spaces": [], "libraries": {}})
    assert decide(paths, "codex", "SessionStart", given_by()).outcome == "no_pack"
    keep(paths, SHOP)
    assert decide(paths, "codex", "UserPromptSubmit", given_by()).outcome == "pointer"


def test_the_marks_are_bounded(tmp_path: Path) -> None:
    for number in range(told.MOST + 1):
        mark = told.Mark(tmp_path / "hooks", "codex", str(number))
        assert mark.take()
        os.utime(mark.file, (number, number))
    assert len(list((tmp_path / "hooks").iterdir())) == told.LEFT
    assert not told.Mark(tmp_path / "hooks", "codex", str(told.MOST - 1)).take()
    assert told.Mark(tmp_path / "hooks", "codex", "0").take()


def test_the_setting_turns_it_off(paths: Paths) -> None:
    paths.settings_file.write_text("[agents]\npointer = false\n")
    assert decide(paths, "codex", "SessionStart", given_by()) == Decision("off")
    paths.settings_file.write_text("[agents]\npointer = true\n")
    assert decide(paths, "codex", "SessionStart", given_by()).outcome == "pointer"


# --- which pack ---------------------------------------------------------------------------------------------------------------
def find(content: Any, folder: str) -> str | None:
    pointer = pointers.find(content, folder)
    return None if pointer is None else pointer.project


def test_the_longest_folder_counts() -> None:
    packs = [["shop", "a", 1], ["inner", "b", 2]]
    folders = [["/w/shop", 0], ["/w/shop/vendor", -1], ["/w/shop/vendor/inner", 1]]
    content = {"form": 1, "spaces": [], "libraries": {"default": {"packs": packs, "folders": folders}}}
    asked = ["/w/shop", "/w/shop/x/", "/w/shop2", "/w", "/w/shop/vendor/y", "/w/shop/vendor/inner/z", "/w/shop/../shop"]
    assert [find(content, folder) for folder in asked] == ["shop", "shop", None, None, None, "inner", "shop"]


def test_what_is_in_a_space_is_told_in_it_alone() -> None:
    libraries = {
        "default": {"packs": [["shop", "a", 1]], "folders": [["/w", 0]]},
        "0a": {"packs": [["client", "b", 2]], "folders": [["/w/client", 0]]},
    }
    content = {"form": 1, "spaces": [["/w/client", "0a"], ["/w/client/gone", ""]], "libraries": libraries}
    assert [find(content, folder) for folder in ("/w/client/x", "/w/client/gone/x", "/w/other")] == ["client", None, None]


def test_a_linked_worktree_belongs_to_its_repository(tmp_path: Path) -> None:
    main, linked = tmp_path / "shop", tmp_path / "feature"
    (main / ".git" / "worktrees" / "feature").mkdir(parents=True)
    (linked / "src").mkdir(parents=True)
    (linked / ".git").write_text(f"gitdir: {main}/.git/worktrees/feature\n")
    content = {"form": 1, "spaces": [], "libraries": {"default": {"packs": [["shop", "a", 1]], "folders": [[str(main), 0]]}}}
    assert find(content, str(linked / "src")) == "shop"
    (linked / ".git").write_text("gitdir: ../sub/.git/modules/x\n")
    assert find(content, str(linked / "src")) is None


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["spaces", "libraries", "default", "packs", "folders"]), inner, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_a_file_of_any_content_answers_with_nothing_at_worst(content: Any) -> None:
    if isinstance(content, dict):
        assert pointers.find(content, "/w/shop") is None or isinstance(pointers.find(content, "/w/shop"), Pointer)


def test_a_name_is_one_quoted_line_whatever_it_is() -> None:
    line = hook.line_of(Pointer('a"\n`rm`\u202e' + "x" * 200, "v", 5))
    assert "\n" not in line and "\u202e" not in line
    assert """project "a' 'rm' xxx""" in line
    assert len(line) < 400


# --- as a process -------------------------------------------------------------------------------------------------------------
def process(*arguments: str, given: bytes = b"", code: str = "", **more: Any) -> subprocess.CompletedProcess[bytes]:
    """The command with a guard that a loaded machine does not set off."""
    start = "import sys, tray_app.agents.hook as h; h.DEADLINE_S = h.INPUT_S = 60; "
    end = "from tray_app.cli.main import main; code = main(['hook', *sys.argv[1:]]); "
    after = code or "sys.exit(code)"
    command = [sys.executable, "-c", start + end + after, *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=False, timeout=60, **more)


def test_the_command_answers_and_logs_without_any_text(paths: Paths) -> None:
    done = process("claude_code", "UserPromptSubmit", given=given_by(prompt="a secret question"))
    assert json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] == LINE
    assert (done.returncode, done.stderr) == (0, b"")
    log = (paths.logs / "hook.log").read_text()
    assert " claude_code UserPromptSubmit: pointer abc123 " in log
    assert "secret" not in log and "shop" not in log and "s1" not in log
    assert process("claude_code", "UserPromptSubmit", given=given_by()).stdout == b""


def test_nothing_heavy_is_loaded(paths: Paths) -> None:
    done = process("codex", "SessionStart", given=given_by(), code="print(*sys.modules, file=sys.stderr)")
    assert LINE.encode() in done.stdout.replace(b'\\"', b'"')
    loaded = {name.split(".")[0] for name in done.stderr.decode().split()}
    heavy = {
        "PySide6",
        "duckdb",
        "numpy",
        "msgspec",
        "zstandard",
        "multiprocessing",
        "logging",
        "tomlkit",
        "tomllib",
        "keyring",
        "mcp",
        "argparse",
        "dataclasses",
        "hashlib",
        "inspect",
    }
    assert not loaded & heavy
    ours = {name for name in done.stderr.decode().split() if name.startswith("tray_app.")}
    assert ours == {
        "tray_app.agents", "tray_app.agents.callers", "tray_app.agents.hook", "tray_app.agents.pointers",
        "tray_app.agents.told", "tray_app.cli", "tray_app.cli.main", "tray_app.errors", "tray_app.paths",
    }  # fmt: skip


def test_the_home_can_be_given_as_an_option(paths: Paths) -> None:
    home = os.environ["BACKSCROLL_HOME"]
    env = {key: value for key, value in os.environ.items() if key != "BACKSCROLL_HOME"}
    done = process("codex", "SessionStart", "--home", home, given=given_by(), env=env)
    assert b"hookSpecificOutput" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ((), b""),
        (("codex",), b"{}"),
        (("nobody", "SessionStart"), b"{}"),
        (("codex", "Nothing"), b"{}"),
        (("codex", "SessionStart", "more", "of it"), b""),
        (("codex", "SessionStart"), b"{not json"),
        (("codex", "SessionStart"), b"[" * 100_000),
        (("codex", "SessionStart"), b'"text"'),
        (("codex", "SessionStart"), b"\xff\xfe\x00"),
        (("codex", "SessionStart"), b'{"session_id": 5, "cwd": {}}'),
        (("codex", "SessionStart"), b'{"session_id": "' + b"s" * 2_000_000 + b'"}'),
        (("codex", "SessionStart"), b'{"session_id": "s", "cwd": "\\u0000"}'),
    ],
)
def test_it_is_silent_whatever_it_is_given(paths: Paths, arguments: tuple[str, ...], given: bytes) -> None:
    done = process(*arguments, given=given)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.skipif(os.name != "posix", reason="the shell's way to begin a program without an input")
@pytest.mark.parametrize("redirection", ["<&-", "0>/dev/null", ">&-", "<&- >&- 2>&-"])
def test_it_is_silent_without_an_input_or_an_output(paths: Paths, redirection: str) -> None:
    code = (
        "import tray_app.agents.hook as h; h.DEADLINE_S = h.INPUT_S = 60; raise SystemExit(h.main(['codex', 'SessionStart']))"
    )
    command = ["sh", "-c", f'exec "$0" -c "$1" {redirection}', sys.executable, code]
    done = subprocess.run(command, input=b"{}", capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_prompt_of_megabytes_is_answered_and_a_larger_one_read_to_its_end(paths: Paths) -> None:
    done = process("codex", "UserPromptSubmit", given=given_by(prompt="x" * (3 << 20)))
    assert LINE.encode() in done.stdout.replace(b'\\"', b'"')
    code = "import tray_app.agents.hook as h; h.DEADLINE_S = h.INPUT_S = 60; raise SystemExit(h.main(['codex', 'UserPromptSubmit']))"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None and running.stdout is not None
        for _ in range(8):
            running.stdin.write(b"x" * (1 << 20))  # raises where nobody reads any more
        running.stdin.close()
        assert (running.stdout.read(), running.wait(30)) == (b"", 0)


def test_an_endless_input_is_cut_off(paths: Paths) -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no endless file here")
    code = "import tray_app.agents.hook as h; h.DEADLINE_S, h.INPUT_S = 60, 0.3; raise SystemExit(h.main(['codex', 'Stop']))"
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run([sys.executable, "-c", code], stdin=endless, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_it_is_silent_where_nothing_can_be_kept(paths: Paths) -> None:
    (paths.data / "hooks").write_text("a file where the folder has to be")
    done = process("codex", "SessionStart", given=given_by())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "failed:FileExistsError" in (paths.logs / "hook.log").read_text()


def test_it_is_silent_where_there_is_no_home_at_all(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = process(
        "codex", "SessionStart", given=given_by(), env={**os.environ, "BACKSCROLL_HOME": str(tmp_path / "file" / "home")}
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_agent_that_does_not_close_the_input_is_answered(paths: Paths) -> None:
    code = "import tray_app.agents.hook as h; h.DEADLINE_S = 60; h.INPUT_S = 2; h.main(['codex', 'SessionStart'])"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None and running.stdout is not None
        running.stdin.write(given_by())
        running.stdin.flush()
        assert b"hookSpecificOutput" in running.stdout.readline()
        assert running.wait(30) == 0


def test_the_guard_ends_what_takes_too_long(paths: Paths) -> None:
    code = (
        "import time, tray_app.agents.hook as h; h.DEADLINE_S = 0.05; h.decide = lambda *given: time.sleep(600); "
        "h.main(['codex', 'SessionStart']); print('never')"
    )
    done = subprocess.run([sys.executable, "-c", code], input=given_by(), capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_closed_output_is_no_matter(paths: Paths) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    code = (
        "import tray_app.agents.hook as h; h.DEADLINE_S = h.INPUT_S = 60; raise SystemExit(h.main(['codex', 'SessionStart']))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=given_by(), stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_log_does_not_grow_without_end(paths: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "LOG_BYTES", 100)
    for _ in range(4):
        hook._note(paths, "codex\n", "Session Start", Decision("told"), 0.0)
    names = sorted(one.name for one in paths.logs.iterdir() if one.name.startswith("hook"))
    assert names in (["hook.log", "hook.log.1"], ["hook.log.1"])
    assert all((paths.logs / name).stat().st_size < 300 for name in names)

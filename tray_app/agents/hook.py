"""`backscroll hook AGENT EVENT`: one line at the beginning of a session that says where the project's pack is.

Reads the hook input of an agent on standard input, answers in that agent's form, and is silent with exit 0 whatever goes wrong:
an agent must never wait for this, or stop because of it. A guard ends the process when its time is up. Opens no library, asks
no owner, and imports next to nothing; what is said comes from `pointers`, and `callers` is told which session it is. Each
decision is one line in `hook.log`, without any text of the session.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tray_app.agents import callers, pointers, told

if TYPE_CHECKING:
    from tray_app.agents.pointers import Pointer
    from tray_app.paths import Paths

DEADLINE_S = 0.2
"""From here on; starting Python takes about as much again as the rest of 300 ms."""
INPUT_S = 0.1
"""So long the input may take: some agents never close it."""
MOST_INPUT = 4 << 20
"""Of a prompt that somebody pasted a log into. What comes beyond is read and dropped, so that the agent can write it all."""
NAME_CHARS = 80
LOG_BYTES = 256 << 10


class Form(NamedTuple):
    """`events` are those at which an agent takes something into its context; `answer` makes (event, line) what it reads."""

    events: tuple[str, ...]
    answer: Callable[[str, str], str]


class Decision(NamedTuple):
    """`outcome` as it is logged, `text` what is written to standard output."""

    outcome: str
    text: str = ""
    version: str = ""


def _as_context(event: str, line: str) -> str:
    """Claude Code's form, which Codex, Gemini CLI, Qwen Code and the hook bridge of DSH took over."""
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": line}}) + "\n"


def _as_text(event: str, line: str) -> str:
    return line + "\n"


START, PROMPT = "SessionStart", "UserPromptSubmit"
FORMS = {
    "claude_code": Form((START, PROMPT), _as_context),
    "codex": Form((START, PROMPT), _as_context),
    "dsh": Form((START, PROMPT), _as_context),
    "gemini_cli": Form((START,), _as_context),
    "kimi": Form((PROMPT,), _as_text),
    "qwen": Form((START, PROMPT), _as_context),
}
NOTED = ("SessionEnd", "Stop", "PreCompact", "notify")
"""Events that are logged and answered with nothing."""
_EVENTS = {name.lower(): name for name in (START, PROMPT, *NOTED)}


def main(arguments: Sequence[str]) -> int:
    """Do it; `arguments` are AGENT and EVENT, and what else an agent appends. `--home DIR` stands for BACKSCROLL_HOME: not every
    agent hands an environment on. Always 0."""
    begun = time.monotonic()
    done = threading.Event()
    threading.Thread(target=_guard, args=(done,), daemon=True).start()
    try:
        from tray_app.paths import Paths

        words = list(arguments)
        if "--home" in words[:-1]:
            at = words.index("--home")
            os.environ["BACKSCROLL_HOME"] = words[at + 1]
            del words[at : at + 2]
        paths = Paths.from_environment()
        agent, event = [*words, "", ""][:2]
        try:
            decision = decide(paths, agent, event, _input())
        except (Exception, KeyboardInterrupt) as fault:
            decision = Decision(f"failed:{type(fault).__name__}")
        _say(decision.text)
        _note(paths, agent, event, decision, begun)
    except (Exception, KeyboardInterrupt):  # nobody to tell, and nowhere to write it
        return 0
    finally:
        done.set()
    return 0


def decide(paths: Paths, agent: str, event: str, raw: bytes) -> Decision:
    """What an agent is told at an event. `raw` is its hook input. Remembers which session its process holds, and that a session
    was told. Raises OSError."""
    key = agent.replace("-", "_").lower()
    form = FORMS.get(key)
    name = _EVENTS.get(event.replace("-", "").replace("_", "").lower(), "")
    if form is None or not name:
        return Decision("unknown")
    if name not in form.events:
        return Decision("noted")
    given = _parsed(raw)
    session = given.get("session_id") or given.get("sessionId")
    if not isinstance(session, str) or not session:
        return Decision("no_session")
    callers.note(paths.data / callers.FOLDER, callers.starter(key, os.environ), key, session, str(given.get("source", "")))
    if not _is_on(paths):
        return Decision("off")
    mark = told.Mark(paths.data / "hooks", key, session)
    if name == PROMPT and not mark.take():  # the first prompt alone counts, whatever comes of it
        return Decision("told")
    pointer = pointers.find(pointers.read(paths.data / pointers.FILE), _folder(given))
    if pointer is None:
        return Decision("no_pack")
    if name == START and not mark.take():
        return Decision("told")
    return Decision("pointer", form.answer(name, line_of(pointer)), pointer.version)


def line_of(pointer: Pointer) -> str:
    """The one line. The name is shown as a quotation on one line, since a folder may be called anything."""
    name = (
        "".join(one if one.isprintable() else " " for one in pointer.project)[:NAME_CHARS].replace('"', "'").replace("`", "'")
    )
    return (
        f'Backscroll has a hand-over pack of the project "{name}" from earlier sessions (version {pointer.version}, about '
        f"{pointer.tokens:,} tokens). To read it: the MCP tool handoff_pack with this project's name, or the command "
        f'`backscroll pack "{name}"`.'
    )


def _parsed(raw: bytes) -> dict[str, Any]:
    if len(raw) > MOST_INPUT:
        return {}
    try:
        given = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _folder(given: dict[str, Any]) -> str:
    cwd = given.get("cwd")
    return cwd if isinstance(cwd, str) and cwd else os.getcwd()  # noqa: PTH109


def _is_on(paths: Paths) -> bool:
    """The setting `agents.pointer`. The file is taken apart only where it may say something about it."""
    try:
        if b"pointer" not in paths.settings_file.read_bytes():
            return True
    except FileNotFoundError:
        return True
    from tray_app.settings import Settings

    return bool(Settings(paths.settings_file)["agents.pointer"])


def _input() -> bytes:
    """Standard input up to its end, or what came in time: an agent that does not close it is answered all the same."""
    parts: list[bytes] = []

    def receive() -> None:
        size = 0
        try:
            while part := os.read(0, 1 << 16):
                if size <= MOST_INPUT:
                    parts.append(part)
                    size += len(part)
        except OSError:
            return

    reader = threading.Thread(target=receive, daemon=True)
    reader.start()
    reader.join(INPUT_S)
    return b"".join(parts)


def _say(text: str) -> None:
    left = memoryview(text.encode("utf-8", "replace"))
    while left:
        left = left[os.write(1, left) :]


def _note(paths: Paths, agent: str, event: str, decision: Decision, begun: float) -> None:
    """One line in the log. Names come from outside: letters alone."""
    spent = round((time.monotonic() - begun) * 1000)
    words = ["".join(one for one in word if one.isalnum() or one in "_-")[:40] or "-" for word in (agent, event)]
    stamp = time.strftime("%Y-%m-%d %H:%M:%S")
    line = f"{stamp} {os.getpid()} {words[0]} {words[1]}: {decision.outcome} {decision.version or '-'} {spent} ms\n"
    os.makedirs(paths.logs, mode=0o700, exist_ok=True)  # noqa: PTH103
    file = os.path.join(paths.logs, "hook.log")
    handle = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(handle, line.encode("ascii", "replace"))
        full = os.fstat(handle).st_size > LOG_BYTES
    finally:
        os.close(handle)
    if full:
        os.replace(file, file + ".1")


def _guard(done: threading.Event) -> None:
    if not done.wait(DEADLINE_S):
        os._exit(0)

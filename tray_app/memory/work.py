"""What an agent did in a session: its tool calls, each with its answer, told apart by what they do, whichever agent it was.

Owns the names of the agents' tools, what in an answer says that a call failed, and the figures that follow from the calls.
Pure functions on the messages of one session; an index keeps no 'is error' flag, so failing is read from the words.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

import msgspec

from tray_app.library.session_reading import Told
from tray_app.memory.tools import INTERPRETERS, LEADS, PLANS, READS, SHELLS, SUBCOMMANDS, TRIVIAL, TRIVIAL_GIT, WRITES
from tray_app.text.own_marks import gives_pack

_EDITORS = frozenset({"str_replace_editor", "str_replace_based_edit_tool"})
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+?)\s*$", re.MULTILINE)
_POURED = re.compile(r"(?:^|[;&|\n])\s*cat\s*(?:>{1,2}\s*([^\s<>|;&]+)\s*<<|<<-?\s*['\"]?\w+['\"]?\s*>{1,2}\s*([^\s<>|;&]+))")
_APPLIED = re.compile(r"^(?:Applied edit to|Creating empty file) (.+?)\s*$", re.MULTILINE)
"""What Aider says instead of calling a tool."""
_EXIT = re.compile(r"\b(?:exit(?:ed)?|returned)(?: with)?(?: (?:code|status))[:\s=]+(-?\d{1,10})\b", re.IGNORECASE)
_REFUSED = re.compile(
    r"\s*(?:<tool_use_error>|(?:Tool )?Error\b|ERROR\b|Failed\b|Failure\b|The user doesn't want to|(?:The )?User (?:rejected|denied)|"
    r"Tool execution (?:failed|was)|\[Request interrupted|String to replace not found|(?:Could|Did) not (?:find|apply)|No changes|"
    r"Permission denied|patch rejected|apply_patch verification failed|Invalid\b|失败|错误|执行失败|用户拒绝)",
    re.IGNORECASE,
)
_FAULT = re.compile(
    r"^[ \t│┃|>]*+(?:"
    r"(?:fatal|panic|FATAL|ERROR|[Ee]rror)(?:\[\w+\])?:[ \t]*\S"
    r"|[\w.]*(?:Error|Exception): \S|(?:E  +)?[\w.]*(?:Error|Exception)\b"
    r"|npm (?:ERR!|error)|.*\berror TS\d+|error\[E\d+\]|thread '.*' panicked"
    r"|\S.*: (?:command )?not found$|\S.*: No such file or directory$|.*\bPermission denied\b"
    r"|BUILD FAILED|FAILED\b|--- FAIL|FAIL\b|\[ERROR\]|make: \*\*\*"
    r"|=+ .*\b[1-9]\d* (?:failed|errors?)\b|[1-9]\d* (?:failed|failing)\b|Tests?:\s+[1-9]\d* failed|test result: FAILED"
    r"|Found [1-9]\d* errors?\b|[×✖✗✘] \S"
    r")",
    re.MULTILINE,
)
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
_LOOKED_AT = 600
"""Characters at either end of an answer in which an exit code is looked for."""

_OPEN_CALLS = 64

_RUNNERS = (("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("yarn", "exec"))
_PREPARES = re.compile(r"\s*(?:$|#|cd |export |set |source |\. |\w+=\S*\s*$)")
_LINES = 8
_TESTS = re.compile(
    r"\b(?:tests?|pytest|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|unittest|check|lint|build|typecheck|tsc|mypy|ruff|eslint|clippy|"
    r"spec|verify|compile)\b",
    re.IGNORECASE,
)
_READ_WORDS = frozenset({"cat", "nl", "head", "tail", "sed", "less", "bat"})
_PACK_COMMAND = re.compile(r"\bbackscroll\s+(?:-\S+\s+)*pack\b")
_PACK_ASKED = re.compile(
    r"\bbackscroll://project/[^/\s\"']+/pack\b|^\"?tool_?name\"?: *\"?handoff_pack\b", re.IGNORECASE | re.MULTILINE
)
"""As a resource, or by a tool behind which all servers stand."""


class Step(msgspec.Struct, frozen=True, gc=False):
    """A tool call with its answer (None: it had none). `kind`: write | read | shell | plan | other; `place` is that of the call
    among the messages; `paths` what it writes or reads; `span` which part of a file it reads ('' for all of it)."""

    kind: str
    tool: str
    text: str
    place: int
    paths: tuple[str, ...] = ()
    answer: str | None = None
    failed: bool = False
    span: str = ""

    @property
    def command(self) -> str:
        """The first line of a shell call."""
        return self.text.strip().split("\n", 1)[0].strip()


class Figures(msgspec.Struct, frozen=True, gc=False):
    """What calls tell about a session. `first_write_step` counts the calls before the first write, -1: none was written."""

    first_write_step: int
    repeated_reads: int
    read_pack: bool


def steps_of(messages: Sequence[Told]) -> list[Step]:
    """The tool calls of a session in order. An answer belongs to the call of its id, else to the oldest open one of its tool."""
    answers, waiting = {}, []
    for place, message in enumerate(messages):
        if message.role == "tool_call":
            waiting.append(place)
            del waiting[:-_OPEN_CALLS]
        elif message.role == "tool_result":
            call = next((one for one in waiting if messages[one].native == message.native), None)
            if call is None:
                call = next((one for one in waiting if not message.tool or messages[one].tool == message.tool), None)
            if call is not None:
                waiting.remove(call)
                answers[call] = message.text
    found = []
    for place, message in enumerate(messages):
        if message.role == "tool_call":
            found.append(_step(message, place, answers.get(place)))
        elif message.role == "tool_result" and (applied := _APPLIED.findall(message.text)):
            found.append(
                Step("write", message.tool or "edit", message.text, place, tuple(dict.fromkeys(applied)), message.text)
            )
    return found


def figures_of(steps: Sequence[Step]) -> Figures:
    first = next((number for number, step in enumerate(steps) if step.kind == "write" and not step.failed), -1)
    repeated, seen = 0, dict[str, set[str]]()
    for step in steps:
        for path in step.paths:
            if step.kind == "write":
                seen.pop(path, None)
            elif step.kind == "read":
                spans = seen.setdefault(path, set())
                repeated += step.span in spans or "" in spans
                spans.add(step.span)
    return Figures(first, repeated, any(map(_reads_pack, steps)))


def _reads_pack(step: Step) -> bool:
    if step.kind == "shell":
        return _PACK_COMMAND.search(step.text) is not None
    return gives_pack(step.tool) or (step.kind == "other" and _PACK_ASKED.search(step.text) is not None)


def changed_files(steps: Sequence[Step]) -> list[str]:
    """Paths that were really written, as the agent named them, in the order of their first change."""
    return list(dict.fromkeys(path for step in steps if step.kind == "write" and not step.failed for path in step.paths))


def tool_name(tool: str) -> str:
    """A tool's own name in lower case, without the server in front of it."""
    return tool.lower().rsplit("__", 1)[-1].strip()


def family_of(command: str) -> str:
    """What a command is, so that two tries of it are known as such: program and subcommand; '' for what only looks. Looks at its
    first line that does more than prepare: some agents write a description below it."""
    for line in command.strip().split("\n")[:_LINES]:
        for part in re.split(r"&&|\|\||[;|]", line):
            if family := _family(_words(part)):
                return family
        if not _PREPARES.match(line):
            break
    return ""


def is_test(family: str) -> bool:
    """Whether a command of this family proves something: tests, builds, checks."""
    return _TESTS.search(family) is not None


def fault_line(answer: str) -> str:
    """The line that names the error in an answer; '' if none does."""
    if _TRACEBACK.search(answer):
        raised = [line for line in answer.split("\n") if re.match(r"[\w.]+(?:Error|Exception|Exit|Interrupt)\b", line)]
        if raised:
            return raised[-1].strip()
    named = _FAULT.search(answer)
    if named is None:
        return ""
    end = answer.find("\n", named.end())
    return answer[named.start() : end if end >= 0 else len(answer)].strip(" \t│┃|>")


def _step(message: Told, place: int, answer: str | None) -> Step:
    name, text = tool_name(message.tool), message.text
    patched = tuple(dict.fromkeys(_PATCHED.findall(text)))
    paths, span, kind = message.files, "", "other"
    if name in _EDITORS and text.lstrip().startswith("view"):
        kind, paths = "read", paths or tuple(text.split("\n")[1:2])
    elif name in WRITES:
        kind, paths = "write", patched or paths or _path_line(text)
    elif name in READS:
        kind, paths, span = "read", paths or _path_line(text), "\n".join(text.split("\n")[1:])
    elif name in SHELLS:
        poured = patched or tuple(dict.fromkeys(first or second for first, second in _POURED.findall(text)))
        looked = () if poured else _looked_at(text)
        kind = "write" if poured else "read" if looked else "shell"
        paths, span = poured or looked[:1], "\n".join(looked[1:])
    elif "todo" in name or name in PLANS:
        kind, paths = "plan", ()
    return Step(kind, message.tool, text, place, paths, answer, _failed(kind, answer), span)


def _failed(kind: str, answer: str | None) -> bool:
    if answer is None:
        return False
    codes = _EXIT.findall(answer[:_LOOKED_AT]) or _EXIT.findall(answer[-_LOOKED_AT:])
    if kind == "shell":
        if codes:
            return int(codes[0]) != 0
        return _FAULT.search(answer) is not None or _TRACEBACK.search(answer) is not None or _refused(answer)
    return bool(codes and int(codes[0])) or _refused(answer)


def _refused(answer: str) -> bool:
    return _REFUSED.match(answer[:_LOOKED_AT]) is not None


def _path_line(text: str) -> tuple[str, ...]:
    """The first line of a call, where it can be a path."""
    line = text.strip().split("\n", 1)[0].strip()
    return (line,) if 0 < len(line) <= 1_000 and re.search(r"[/\\.]", line) and not line.startswith(("{", "[")) else ()


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command, comments=True)
    except ValueError:  # an open quotation mark: the rest of it stands in the next part
        return command.split()


def _family(words: list[str]) -> str:
    while words and (re.fullmatch(r"\w+=.*", words[0], re.DOTALL) or words[0] in LEADS or words[0].startswith("-")):
        words = words[2:] if words[0] == "timeout" else words[1:]
    for lead in _RUNNERS:
        if tuple(words[:2]) == lead:
            return _family(words[2:])
    if not words:
        return ""
    program = re.split(r"[/\\]", words[0])[-1].removesuffix(".exe")
    rest = [word for word in words[1:] if not word.startswith("-")]
    if program in INTERPRETERS:
        if "-m" in words[1:-1]:
            return _family(words[words.index("-m") + 1 :])
        script = "" if {"-c", "-e", "-lc"} & set(words[1:]) else "".join(rest[:1])
        return f"{program} {script}" if script else ""
    if not re.fullmatch(r"[\w.+-]+", program) or program in TRIVIAL:
        return ""
    if program not in SUBCOMMANDS or not rest:
        return program
    if program == "git" and rest[0] in TRIVIAL_GIT:
        return ""
    return " ".join((program, *rest[: 2 if rest[0] in ("run", "compose") else 1]))


def _looked_at(command: str) -> tuple[str, ...]:
    """The file that a command shows, and behind it which part of it; () for any other command."""
    line = command.strip().split("\n", 1)[0]
    if re.search(r"[|;&<>$`*]", line):
        return ()
    words = _words(line)
    if len(words) < 2 or words[0] not in _READ_WORDS or "-i" in words:
        return ()
    path = words[-1]
    return (path, *words[1:-1]) if re.search(r"[/.]", path) and not path.startswith("-") else ()

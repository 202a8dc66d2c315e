"""Our entries in TOML files: tables at the end of the text, taken out as whole tables.

Owns what is taken for ours. Nothing but our own lines is ever written anew: every edit is checked by reading its result, which
must hold the same as before beside our entry.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tray_app.agents.install.json_parts import NAME, is_hook_command, is_server_command
from tray_app.agents.install.parts import Invalid, NotOurs, Refused, Undo

UNSAFE = "it is written in a way that cannot be changed safely"
_HEADER = re.compile(r"[ \t]*\[")
_MULTILINE = ('"""', "'''")


class Table(NamedTuple):
    """Lines of a table with its header, from `start` to `end` in the text; without blank lines and comments behind it."""

    header: str
    start: int
    end: int


class McpTable:
    """`[mcp_servers.backscroll]`, as Codex reads it."""

    label = "mcp"
    holder = "mcp_servers"

    def __init__(self, file: Path, command: Sequence[str], env: dict[str, str]) -> None:
        self.file, self.command, self.env = file, command, env

    def put(self, text: str, undo: Undo) -> str:
        known = self._known(read(text))
        if known is None:
            return self._checked(text, _appended(text, self._lines(), undo))
        if not self._is_ours(known):
            raise NotOurs(f"it has an MCP server called {NAME} already that is not this program")
        wanted: dict[str, Any] = {"command": self.command[0], "args": list(self.command[1:])}
        after = text
        for key, value in wanted.items():
            if known.get(key) != value:
                after = self._corrected(after, key, value)
        return self._checked(text, after)

    def _lines(self) -> list[str]:
        lines = [f"[{self.holder}.{NAME}]", f"command = {_string(self.command[0])}", f"args = {_strings(self.command[1:])}"]
        if self.env:
            lines.append("env = { " + ", ".join(f"{key} = {_string(value)}" for key, value in self.env.items()) + " }")
        return lines

    def _corrected(self, text: str, key: str, value: Any) -> str:
        """With one field as it has to be; only where the rest of the text comes out as it was."""
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        try:
            document = tomlkit.parse(text)
            if tomlkit.dumps(document) != text:
                raise Refused(UNSAFE)
            table: Any = document[self.holder]
            table[NAME][key] = value
            return tomlkit.dumps(document)
        except TOMLKitError as fault:
            raise Refused(UNSAFE) from fault

    def take(self, text: str, undo: Undo) -> str:
        known = self._known(read(text))
        if known is None:
            return text
        if not self._is_ours(known):
            raise NotOurs(f"its MCP server called {NAME} is not this program")
        ours = re.compile(rf"[ \t]*\[[ \t]*{self.holder}[ \t]*\.[ \t]*(?:{NAME}|\"{NAME}\"|'{NAME}')[ \t]*[].]")
        after = _without(text, [table for table in tables(text) if ours.match(table.header)], undo)
        if self._known(read(after)) is not None:
            raise Refused(f"its MCP server called {NAME} is not in a table of its own")
        return self._checked(text, after)

    def has(self, text: str) -> bool:
        return self._is_ours(self._known(read(text)))

    def is_off(self, text: str) -> bool:
        known = self._known(read(text))
        return self._is_ours(known) and known.get("enabled") is False

    def _known(self, content: dict[str, Any]) -> Any:
        held = content.get(self.holder)
        return held.get(NAME) if isinstance(held, dict) else None

    def _is_ours(self, known: Any) -> bool:
        if not isinstance(known, dict):
            return False
        args = known.get("args")
        return is_server_command([known.get("command"), *(args if isinstance(args, list) else [])])

    def _checked(self, before: str, after: str) -> str:
        def others(text: str) -> Any:
            content = read(text)
            held = content.get(self.holder)
            if isinstance(held, dict):
                held.pop(NAME, None)
                if not held:
                    del content[self.holder]
            return content

        return _checked(others, before, after)


class HookTable:
    """`[[hooks]]` with an event and a command, as Kimi Code reads it."""

    label = "hook"

    def __init__(self, file: Path, agent: str, commands: dict[str, str], seconds: int = 5) -> None:
        self.file, self.agent, self.commands, self.seconds = file, agent, commands, seconds

    def put(self, text: str, undo: Undo) -> str:
        wanted = [{"event": event, "command": command} for event, command in self.commands.items()]
        known = [{key: hook.get(key) for key in ("event", "command")} for hook in self._known(read(text))]
        if known == wanted:
            return text
        after = self.take(text, undo)
        for event, command in self.commands.items():
            lines = ["[[hooks]]", f"event = {_string(event)}", f"command = {_string(command)}", f"timeout = {self.seconds}"]
            after = _appended(after, lines, undo)
        return self._checked(text, after)

    def take(self, text: str, undo: Undo) -> str:
        ours = []
        for table in tables(text):
            if re.match(r"[ \t]*\[\[[ \t]*hooks[ \t]*\]\]", table.header):
                (hook,) = tomllib.loads(text[table.start : table.end])["hooks"]
                if self._is_ours(hook):
                    ours.append(table)
        return self._checked(text, _without(text, ours, undo))

    def has(self, text: str) -> bool:
        return {hook.get("event") for hook in self._known(read(text))} >= set(self.commands)

    def is_off(self, text: str) -> bool:
        return False

    def _known(self, content: dict[str, Any]) -> list[dict[str, Any]]:
        hooks = content.get("hooks")
        return [hook for hook in hooks if self._is_ours(hook)] if isinstance(hooks, list) else []

    def _is_ours(self, hook: Any) -> bool:
        command = hook.get("command") if isinstance(hook, dict) else None
        return isinstance(command, str) and is_hook_command(command, self.agent)

    def _checked(self, before: str, after: str) -> str:
        def others(text: str) -> Any:
            content = read(text)
            if isinstance(content.get("hooks"), list):
                content["hooks"] = [hook for hook in content["hooks"] if not self._is_ours(hook)]
                if not content["hooks"]:
                    del content["hooks"]
            return content

        return _checked(others, before, after)


def read(text: str) -> dict[str, Any]:
    """Raises Refused."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as fault:
        said = re.search(r"\(at line ([0-9]+)", str(fault))
        raise Invalid(f"it is no valid TOML ({fault})", int(said[1]) if said else 0) from fault


def tables(text: str) -> list[Table]:
    """Every table with a header of its own, in order. `text` is valid TOML."""
    found: list[Table] = []
    at, inside, depth = 0, "", 0
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        bare = line.strip()
        if not inside and not depth and _HEADER.match(line):
            found.append(Table(line.rstrip("\r\n"), at, at + len(line)))
        elif found and (inside or depth or (bare and not bare.startswith("#"))):
            found[-1] = found[-1]._replace(end=at + len(line))
        inside, depth = _after_line(line, inside, depth, is_header=not inside and not depth and bool(_HEADER.match(line)))
        at += len(line)
    return found


def _after_line(line: str, inside: str, depth: int, *, is_header: bool) -> tuple[str, int]:
    """The mark of the text over several lines that is open at the end of a line, and how many brackets are."""
    at = 0
    while at < len(line):
        if inside:
            if inside[0] == '"' and line[at] == "\\":
                at += 2
            elif line.startswith(inside, at):
                at, inside = at + 3, ""
            else:
                at += 1
            continue
        mark = next((mark for mark in _MULTILINE if line.startswith(mark, at)), "")
        if mark:
            at, inside = at + 3, mark
            continue
        character = line[at]
        if character == "#":
            break
        if character in "\"'":
            at += 1
            while at < len(line) and line[at] != character:
                at += 2 if character == '"' and line[at] == "\\" else 1
        elif not is_header and character in "[{":
            depth += 1
        elif not is_header and character in "]}":
            depth -= 1
        at += 1
    return inside, depth


def _appended(text: str, lines: list[str], undo: Undo) -> str:
    """With a table at the end. What stands between is noted, so that taking out leaves what was there."""
    newline = "\r\n" if "\r\n" in text else "\n"
    glue = "" if not text else newline if text.endswith(("\n", "\r")) else newline * 2
    undo.setdefault("glue", glue)
    return text + glue + newline.join(lines) + newline


def _without(text: str, ours: list[Table], undo: Undo) -> str:
    glue = undo.get("glue") or ""
    for table in reversed(ours):
        start = table.start
        if table.end == len(text) and glue and text[:start].endswith(glue):
            start -= len(glue)
        elif text[:start].endswith(("\n\n", "\n\r\n")) and (table.end < len(text) or not glue):
            start -= 2 if text[:start].endswith("\r\n") else 1  # the blank line before it
        text = text[:start] + text[table.end :]
    return text


def _checked(others: Callable[[str], Any], before: str, after: str) -> str:
    """The text after an edit, if it holds the same as before beside what is ours. Raises Refused."""
    try:
        same = repr(others(before)) == repr(others(after))  # times, and numbers that are none, compare by what they say
    except Refused as fault:  # what is read here was read before: the edit alone can have broken it
        raise Refused(UNSAFE) from fault
    if not same:
        raise Refused(UNSAFE)
    return after


def _string(text: str) -> str:
    """A basic string of TOML; JSON's escapes are the same."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _strings(texts: Sequence[str]) -> str:
    return "[" + ", ".join(map(_string, texts)) + "]"

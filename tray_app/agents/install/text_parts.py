"""Our entries in text that is not taken apart: patches of DSH, and instructions for agents.

Owns the marks around what is ours. DSH's file is YAML whose values may be expressions, so that it is never written anew: our
patches stand in lines of their own, one more item of the list that the file is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tray_app.agents.install.jsonc import line_number
from tray_app.agents.install.parts import NotOurs, Refused, Undo
from tray_app.text.own_marks import INSTRUCTIONS, closing, opening

_ENTRY = re.compile(
    r"^[^#\n]*\b(?:serverName|id):[ \t]*['\"]?backscroll(?:-mcp|-hooks)?['\"]?[ \t]*(?:[,}#\r]|$)", re.MULTILINE
)
SKILL_MARK = "<!-- written by backscroll install -->"


class Block(NamedTuple):
    """Where our lines stand, the marks with them; `end` is behind the last line's end."""

    start: int
    end: int


class _Marked:
    """Lines between two marks. `put` adds them at the end, or writes them in their place."""

    begin: str
    finish: str

    def _find(self, text: str) -> Block | None:
        """Raises Refused where marks do not match."""
        begins = [match.start() for match in re.finditer(rf"^[ \t]*{re.escape(self.begin)}[ \t]*\r?$", text, re.MULTILINE)]
        ends = [
            match.end() for match in re.finditer(rf"^[ \t]*{re.escape(self.finish)}[ \t]*(?:\r?\n|\r?\Z)", text, re.MULTILINE)
        ]
        if not begins and not ends:
            return None
        if len(begins) != 1 or len(ends) != 1 or begins[0] > ends[0]:
            line = line_number(text, min([*begins, *ends]))
            raise Refused(f"the marks {self.begin!r} and {self.finish!r} in it do not match (line {line})", line)
        return Block(begins[0], ends[0])

    def _placed(self, text: str, lines: Sequence[str], undo: Undo, *, apart: bool) -> str:
        block = self._find(text)
        alike = text if block is None else text[block.start : block.end]
        newline = "\r\n" if "\r\n" in alike else "\n"
        shown = newline.join([self.begin, *lines, self.finish]) + newline
        if block is not None:
            return text[: block.start] + shown + text[block.end :]
        glue = "" if not text else newline * (apart + (not text.endswith("\n")))
        undo.setdefault("glue", glue)
        return text + glue + shown

    def _taken(self, text: str, undo: Undo) -> str:
        block = self._find(text)
        if block is None:
            return text
        start, glue = block.start, undo.get("glue") or ""
        if glue and text[:start].endswith(glue):
            start -= len(glue)
            if block.end < len(text) and not text[:start].endswith("\n"):
                start += len(glue) // glue.count("\n")  # the end of the line that had none
        return text[:start] + text[block.end :]

    def is_off(self, text: str) -> bool:
        return False


class Instructions(_Marked):
    """A block of markdown in the file of instructions that an agent reads."""

    label = "instructions"
    begin, finish = opening(INSTRUCTIONS), closing(INSTRUCTIONS)

    def __init__(self, file: Path, content: str) -> None:
        self.file, self.content = file, content

    def put(self, text: str, undo: Undo) -> str:
        return self._placed(text, self.content.strip("\n").split("\n"), undo, apart=True)

    def take(self, text: str, undo: Undo) -> str:
        return self._taken(text, undo)

    def has(self, text: str) -> bool:
        return self._find(text) is not None


class Skill:
    """A file of its own in the folder of an agent's skills."""

    label = "instructions"

    def __init__(self, file: Path, content: str) -> None:
        self.file, self.content = file, f"{content.rstrip()}\n\n{SKILL_MARK}\n"

    def put(self, text: str, undo: Undo) -> str:
        if text.strip() and SKILL_MARK not in text:
            raise NotOurs("it is a skill of that name already, which this program did not write")
        return self.content

    def take(self, text: str, undo: Undo) -> str:
        if text.strip() and SKILL_MARK not in text:
            raise NotOurs("this program did not write it")
        return ""

    def has(self, text: str) -> bool:
        return SKILL_MARK in text

    def is_off(self, text: str) -> bool:
        return False


class DshPatch(_Marked):
    """Rows of `cordis.patch.yml`. The file is a list of patches; ours is one more, at its end."""

    begin, finish = "# backscroll: begin", "# backscroll: end"

    def __init__(self, file: Path, command: Sequence[str], env: Mapping[str, str], hooks: Path | None) -> None:
        self.file, self.command, self.env, self.hooks = file, command, env, hooks
        self.label = "mcp" if hooks is None else "hook"

    def put(self, text: str, undo: Undo) -> str:
        block = self._find(text)
        rest = text if block is None else text[: block.start] + text[block.end :]
        if foreign := _ENTRY.search(rest):
            line = line_number(text, text.find(foreign[0]))
            raise NotOurs(f"it has an entry called backscroll already that this program did not write (line {line})", line)
        indent, empty = _list_indent(rest)
        if empty is not None:
            undo.setdefault("empty", rest)
            text = rest[: empty.start] + rest[empty.end :]
        hooks = str(self.hooks) if self.hooks is not None else ""
        if not hooks and block is not None and (there := re.search(r"configPath: (\".*\")", text[block.start : block.end])):
            hooks = json.loads(there[1])
        return self._placed(text, [indent + line for line in self._lines(hooks)], undo, apart=False)

    def _lines(self, hooks: str) -> list[str]:
        env = "{ " + ", ".join(f"{key}: {json.dumps(value)}" for key, value in self.env.items()) + " }" if self.env else "{}"
        lines = [
            "- insert:",
            "    - id: backscroll-mcp",
            "      name: '@deepseek-ai/dsh-mcp-client'",
            "      config:",
            "        serverName: backscroll",
            "        transport: stdio",
            f"        command: {json.dumps(self.command[0], ensure_ascii=False)}",
            f"        args: {json.dumps(list(self.command[1:]), ensure_ascii=False)}",
            f"        env: {env}",
        ]
        if hooks:
            lines += [
                "    - id: backscroll-hooks",
                "      name: '@deepseek-ai/dsh-hooks-claude-code'",
                "      config:",
                f"        configPath: {json.dumps(hooks, ensure_ascii=False)}",
            ]
        return lines

    def take(self, text: str, undo: Undo) -> str:
        after = self._taken(text, undo)
        former = undo.get("empty")
        if former is None or after == text or re.sub(r"^---", "", _without_comments(after), flags=re.MULTILINE).strip():
            return after
        _, empty = _list_indent(former)
        if empty is not None and after == former[: empty.start] + former[empty.end :]:
            return former
        return f"{after}[]\n"

    def has(self, text: str) -> bool:
        block = self._find(text)
        return block is not None and (self.hooks is None or "backscroll-hooks" in text[block.start : block.end])


def _list_indent(text: str) -> tuple[str, Block | None]:
    """What the items of the list are indented by, and where an empty list `[]` stands. Raises Refused for what is no list that a
    line at the end goes on with."""
    lines = [line for line in re.findall(r"[^\n]*\n|[^\n]+", text) if _without_comments(line).strip()]
    content = [line for line in lines if not line.startswith(("---", "%"))]
    if any(re.match(r"(?:---|\.\.\.)(?:\s|$)", line) for line in lines[1:]) or (lines and lines[0].startswith("...")):
        raise Refused("it holds more than one document")
    if not content:
        return "", None
    if len(content) == 1 and _without_comments(content[0]).strip() == "[]":
        at = text.index(content[0]) + content[0].index("[]")
        end = at + 2
        return "", Block(at, end)
    match = re.match(r"([ ]*)-(?:[ \t\r\n]|$)", content[0])
    if match is None:
        line = line_number(text, text.index(content[0]))
        raise Refused(f"it is not a list with an item in each line (line {line})", line)
    if re.search(r":[ \t]*[|>][0-9-]*\+[0-9]*[ \t]*(?:#.*)?\r?$", text, re.MULTILINE) and not text.endswith("\n"):
        raise Refused("its last text keeps its line ends")
    return match[1], None


def _without_comments(text: str) -> str:
    return re.sub(r"(?:^|(?<=\s))#[^\n]*", "", text, flags=re.MULTILINE)

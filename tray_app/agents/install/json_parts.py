"""Our entries in JSON files: an MCP server by name, and hooks in the form of Claude Code.

Owns what is taken for ours: a server called `backscroll` whose command is this program's `mcp`, whoever wrote it there, and
hooks that run `hook AGENT` of it.
Every edit is checked by reading its result: what is not ours must be the same as before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tray_app.agents.install import jsonc
from tray_app.agents.install.jsonc import Item, Node, Reading
from tray_app.agents.install.parts import Invalid, NotOurs, Refused, Undo

NAME = "backscroll"
BLANK = " \t\r\n"
_SCRIPT, _MODULE = r"backscroll(?:-tray|-[0-9][\w.-]*)?(?:\.\w+)?", r"tray_app(?:\.\w+)*"
_WORD = re.compile(rf"(?:.*[/\\])?{_SCRIPT}|{_MODULE}", re.IGNORECASE | re.DOTALL)
"""A word of a command line that is this program: its path, its name with a version, its module; not another one's name with
ours in it."""


class McpServer:
    """A member `backscroll` of an object, such as `mcpServers`. `value` is the whole entry; of one that is there already only what
    differs is changed, so that what a person added to it stays."""

    label = "mcp"

    def __init__(self, file: Path, holder: str, value: dict[str, Any]) -> None:
        self.file, self.holder, self.value = file, holder, value

    def put(self, text: str, undo: Undo) -> str:
        reading = read(text, self.holder)
        if reading.root is None:
            undo.setdefault("", text)
            undo.setdefault(self.holder, None)
            return _begun(text, {self.holder: {NAME: self.value}})
        there = reading.at((self.holder, NAME))
        if there is None:
            after = _set(reading, (self.holder, NAME), self.value, undo)
        else:
            self._check_ours(reading, "it has an MCP server called {} already that is not this program")
            known = reading.value(there)
            after = text
            for key in self.value:
                if known.get(key) != self.value[key] and key != "enabled":  # switched off by the person: so it stays
                    after = self._corrected(after, key)
        return text if after == text else self._checked(text, after)

    def _corrected(self, text: str, key: str) -> str:
        """The entry with one field as it has to be. Of an environment our variables alone are changed."""
        reading = read(text, self.holder)
        node = reading.at((self.holder, NAME))
        assert node is not None
        there = jsonc.member(node, key)
        value = self.value[key]
        if there is None:
            return jsonc.added(reading, node, key, value)
        if isinstance(value, dict) and there.kind == "object":
            for name, one in value.items():
                reading = read(text, self.holder)
                inner = reading.at((self.holder, NAME, key, name))
                outer = reading.at((self.holder, NAME, key))
                assert outer is not None
                if inner is None:
                    text = jsonc.added(reading, outer, name, one)
                elif reading.value(inner) != one:
                    text = jsonc.replaced(reading, inner, one)
            return text
        return jsonc.replaced(reading, there, value)

    def take(self, text: str, undo: Undo) -> str:
        reading = read(text, self.holder)
        there = reading.at((self.holder, NAME))
        if there is None:
            return text
        self._check_ours(reading, "its MCP server called {} is not this program")
        after = _without(text, (self.holder,), NAME, undo)
        return self._checked(text, after)

    def has(self, text: str) -> bool:
        return self._is_ours(self._known(text))

    def is_off(self, text: str) -> bool:
        known = self._known(text)
        return self._is_ours(known) and (known.get("enabled") is False or known.get("disabled") is True)

    def _known(self, text: str) -> Any:
        reading = read(text, self.holder)
        return reading.value(reading.at((self.holder, NAME)))

    def _check_ours(self, reading: Reading, what: str) -> None:
        """Of entries of one name the last counts; one that is not ours would count once ours is gone. Raises NotOurs."""
        holder = reading.at((self.holder,))
        for item in holder.items if holder is not None else ():
            if item.key == NAME and not self._is_ours(reading.value(item.value)):
                line = jsonc.line_number(reading.text, item.start)
                raise NotOurs(f"{what.format(NAME)} (line {line})", line)

    def _is_ours(self, known: Any) -> bool:
        if not isinstance(known, dict):
            return False
        command, args = known.get("command"), known.get("args", [])
        return is_server_command(
            [*(command if isinstance(command, list) else [command]), *(args if isinstance(args, list) else [])]
        )

    def _checked(self, before: str, after: str) -> str:
        def others(text: str) -> Any:
            value = _content(text)
            held = value.get(self.holder)
            if isinstance(held, dict):
                held.pop(NAME, None)
            return _pruned(value, (self.holder,))

        return _same(others(before), others(after), after)


class Hooks:
    """Commands at events, in the form of Claude Code: `hooks.EVENT` is a list of groups, each with a list of commands. `timeout` is
    in the agent's own unit: seconds, but milliseconds for Gemini CLI."""

    label = "hook"

    def __init__(self, file: Path, agent: str, commands: dict[str, str], timeout: int = 5) -> None:
        self.file, self.agent, self.commands, self.timeout = file, agent, commands, timeout

    def put(self, text: str, undo: Undo) -> str:
        after = text
        for event, command in self.commands.items():
            after = self._put(after, event, command, undo)
        return text if after == text else self._checked(text, after)

    def _put(self, text: str, event: str, command: str, undo: Undo) -> str:
        reading = read(text, "hooks")
        group = {"hooks": [self._hook(command)]}
        if reading.root is None:
            undo.setdefault("", text)
            undo.setdefault("hooks", None)
            undo.setdefault(f"hooks/{event}", None)
            return _begun(text, {"hooks": {event: [group]}})
        ours = self._ours(reading, event)
        if ours:
            node = jsonc.member(ours[0][2].value, "command")
            assert node is not None
            return text if reading.value(node) == command else jsonc.replaced(reading, node, command)
        there = reading.at(("hooks", event))
        if there is None:
            return _set(reading, ("hooks", event), [group], undo)
        if there.kind != "array":
            raise Refused(f"hooks.{event} in it is not a list")
        if not there.items:
            undo.setdefault(f"hooks/{event}", reading.text[there.start : there.end])
        return jsonc.added(reading, there, "", group)

    def _hook(self, command: str) -> dict[str, Any]:
        return {"type": "command", "command": command, "timeout": self.timeout}

    def take(self, text: str, undo: Undo) -> str:
        after = text
        reading = read(after, "hooks")
        events = reading.value(reading.at(("hooks",)))
        for event in events if isinstance(events, dict) else ():
            while ours := self._ours(reading := read(after, "hooks"), event):
                groups, group, hook = ours[0]
                hooks = jsonc.member(group.value, "hooks")
                assert hooks is not None
                if len(hooks.items) > 1:
                    after = jsonc.removed(reading, hooks, hook)
                else:
                    after = jsonc.removed(reading, groups, group)
            after = _tidied(after, ("hooks", event), undo)
        return text if after == text else self._checked(text, after)

    def has(self, text: str) -> bool:
        reading = read(text, "hooks")
        return all(self._ours(reading, event) for event in self.commands)

    def is_off(self, text: str) -> bool:
        """Claude Code's switch for all hooks of all programs."""
        reading = read(text, "hooks")
        return reading.value(reading.at(("disableAllHooks",))) is True

    def _ours(self, reading: Reading, event: str) -> list[tuple[Node, Item, Item]]:
        """The list of groups, the group and the hook in it, for each hook of ours."""
        groups = reading.at(("hooks", event))
        found = []
        for group in groups.items if groups is not None and groups.kind == "array" else ():
            hooks = jsonc.member(group.value, "hooks")
            for hook in hooks.items if hooks is not None and hooks.kind == "array" else ():
                if groups is not None and is_hook(reading.value(hook.value), self.agent):
                    found.append((groups, group, hook))
        return found

    def _checked(self, before: str, after: str) -> str:
        def others(text: str) -> Any:
            value = _content(text)
            events = value.get("hooks")
            for event, groups in list(events.items()) if isinstance(events, dict) else ():
                if not isinstance(groups, list):
                    continue
                for group in list(groups):
                    hooks = group.get("hooks") if isinstance(group, dict) else None
                    if isinstance(hooks, list) and any(is_hook(hook, self.agent) for hook in hooks):
                        group["hooks"] = [hook for hook in hooks if not is_hook(hook, self.agent)]
                        if not group["hooks"]:
                            groups.remove(group)
                _pruned(value, ("hooks", event))
            return _pruned(value, ("hooks",))

        return _same(others(before), others(after), after)


def is_hook(hook: Any, agent: str) -> bool:
    """Whether it runs `hook AGENT` of this program."""
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and is_hook_command(command, agent)


def is_server_command(words: Sequence[Any]) -> bool:
    """Whether the words of a command line start this program's server."""
    return "mcp" in words and any(isinstance(word, str) and _WORD.fullmatch(word) for word in words)


def is_hook_command(command: str, agent: str) -> bool:
    """Whether a line for a shell runs `hook AGENT` of this program: not of another one that is told so, or lies in our folder."""
    ours = rf"(?:^|[\s\"'/\\])(?:{_SCRIPT}|{_MODULE})[\"']?\s+hook\s+{re.escape(agent)}(?![\w-])"
    return re.search(ours, command, re.IGNORECASE) is not None


def read(text: str, inside: str) -> Reading:
    """A config whose member `inside` is taken apart. Raises Refused."""
    try:
        reading = Reading(text, (inside,))
    except jsonc.Broken as fault:
        raise Invalid(f"it is no valid JSON ({fault})", fault.line) from fault
    if reading.root is not None and reading.root.kind != "object":
        raise Refused("it holds no object")
    return reading


def _content(text: str) -> dict[str, Any]:
    reading = read(text, "")
    return reading.value(reading.root) or {}


def _begun(text: str, value: dict[str, Any]) -> str:
    """A file that held nothing, or nothing but comments."""
    newline = "\r\n" if "\r\n" in text else "\n"
    shown = json.dumps(value, ensure_ascii=False, indent=2).replace("\n", newline)
    head = text.rstrip(BLANK)
    return (head + newline if head else "") + shown + newline


def _set(reading: Reading, path: tuple[str, ...], value: Any, undo: Undo) -> str:
    """The text with a member that was not there; objects on the way are made."""
    node = reading.root
    assert node is not None
    made = isinstance(value, list)
    for depth, key in enumerate(path[:-1]):
        child = jsonc.member(node, key)
        if child is None:
            for longer in range(depth + 1, len(path) + made):
                undo.setdefault("/".join(path[:longer]), None)
            for outer in reversed(path[depth + 1 :]):
                value = {outer: value}
            _note_empty(reading, node, path[:depth], undo)
            return jsonc.added(reading, node, key, value)
        if child.kind != "object":
            raise Refused(f"{'.'.join(path[: depth + 1])} in it is not an object")
        node = child
    _note_empty(reading, node, path[:-1], undo)
    if made:
        undo.setdefault("/".join(path), None)
    return jsonc.added(reading, node, path[-1], value)


def _note_empty(reading: Reading, node: Node, path: Sequence[str], undo: Undo) -> None:
    if not node.items:
        undo.setdefault("/".join(path) or "/", reading.text[node.start : node.end])


def _without(text: str, path: tuple[str, ...], key: str, undo: Undo) -> str:
    """The text without a member of an object, however often it stands there, and without what was made for it alone."""
    while True:
        reading = read(text, path[0])
        node = reading.at(path)
        item = None if node is None else next((one for one in node.items if one.key == key), None)
        if node is None or item is None:
            return _tidied(text, path, undo)
        text = jsonc.removed(reading, node, item)


def _tidied(text: str, path: tuple[str, ...], undo: Undo) -> str:
    """Take out what holds nothing any more and was made for our entry, from the inside out; what was there empty is written as it
    was."""
    inside = path[0]
    while True:
        reading = read(text, inside)
        node = reading.at(path) if path else reading.root
        if node is None or node.items:
            return text
        whole = undo.get("") if node.last == node.start + 1 else None
        if not path and whole is not None and text[: node.start].strip(BLANK) == whole.strip(BLANK):
            return whole + re.sub(r"\A\r?\n", "", text[node.end :])
        name = "/".join(path) or "/"
        former = undo.get(name)
        if former is not None and "".join(former.split()) == "".join(text[node.start : node.end].split()):
            return jsonc.edited(text, [(node.start, node.end, former)])
        if name not in undo or former is not None or node.last != node.start + 1:
            return text
        outer = reading.at(path[:-1]) if path[:-1] else reading.root
        assert outer is not None
        item = next(one for one in reversed(outer.items) if one.value is node)
        text = jsonc.removed(reading, outer, item)
        path = path[:-1]


def _pruned(value: Any, path: tuple[str, ...]) -> Any:
    """A value without an object or a list on the path that holds nothing."""
    if not path or not isinstance(value, dict):
        return value
    inner = value.get(path[0])
    _pruned(inner, path[1:])
    if path[0] in value and inner in ({}, [], None):
        del value[path[0]]
    return value


def _same(before: Any, after: Any, text: str) -> str:
    try:
        same = json.dumps(before) == json.dumps(after)
    except RecursionError:
        same = False
    if not same:
        raise Refused("it is written in a way that cannot be changed safely")
    return text

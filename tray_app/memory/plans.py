"""What is left to do by an agent's own account: its list of tasks as the last call left it, and lists under 'next' in its words.

Owns the shapes of the agents' planning tools, read from the words of their calls, which may be cut in the middle. Pure functions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from tray_app.memory.sentences import said_lines, shortened
from tray_app.memory.work import Step, tool_name

ITEM_CHARS = 240
ITEMS_MOST = 12

_NAMES = ("content", "title", "step", "subject", "text", "task", "description", "name")
_STATES = ("status", "state")
_OVER = frozenset({"completed", "complete", "done", "finished", "cancelled", "canceled", "skipped", "deleted", "closed"})
_RUNNING = frozenset({"in_progress", "in-progress", "inprogress", "doing", "active", "running", "started", "current"})
_OBJECT = re.compile(r"\{(?:[^{}\"]|\"(?:[^\"\\]|\\.)*\")*\}")
_BOX = re.compile(r"\s*(?:[-*+]|\d{1,2}[.)])\s+\[([ xX~/-])\]\s+(\S.*)")
_ITEM = re.compile(r"\s*(?:[-*+•·]|\d{1,2}[.)、])\s*(\S.*)")
_HEADING = re.compile(
    r"\W{0,6}(?:next(?: steps?| up)?|remaining(?: work| steps| tasks)?|still (?:to do|open|missing)|left to do|what(?:'s| is) (?:left|next)|"
    r"to-?dos?|follow-?ups?|pending(?: tasks?)?|outstanding|optional next steps?|下一步(?:计划|工作)?|接下来|后续(?:步骤|工作|计划)?|待办(?:事项)?|剩余(?:工作|任务)?|"
    r"还(?:需要|剩|差|没做的?)|未完成(?:的)?(?:工作|任务)?)"
    r"(?:\s+(?:would be|are|is|will be))?(?:是|如下|包括)?\W*?(?:[:：]\s*\W{0,3}\s*(\S.*)?|\*{0,2}\s*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"#?\s*\"?(\d{1,6})")
_EMPHASIS = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")


class Plan(msgspec.Struct, frozen=True, gc=False):
    """`running` is being worked on, `pending` not begun; `source` names the tool. `place` is that of the last call."""

    running: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    source: str = ""
    place: int = -1


def last_plan(steps: Sequence[Step]) -> Plan | None:
    """The list of tasks after the last call of a planning tool; None where no call gave one."""
    tasks: dict[str, tuple[str, str]] = {}
    plan: Plan | None = None
    for step in steps:
        if step.kind != "plan" or step.failed:
            continue
        name = tool_name(step.tool)
        if name in ("taskcreate", "taskupdate"):
            _change(tasks, step, made=name == "taskcreate")
            items = list(tasks.values())
        else:
            items = _items(step.text)
        if items:
            plan = _plan(items, step)
    return plan


def boxes_left(text: str) -> list[str]:
    """Tasks of a checklist that are not ticked."""
    found = (_BOX.fullmatch(line) for line in text.split("\n"))
    return _listed(match[2] for match in found if match and match[1] in " ~/-")


def list_ahead(text: str) -> list[str]:
    """The list under the last 'next' heading of an answer, or what stands behind it on the line."""
    lines = list(said_lines(text))
    for number in range(len(lines) - 1, -1, -1):
        heading = _HEADING.fullmatch(lines[number])
        if heading is None:
            continue
        items = []
        for line in lines[number + 1 :]:
            item = _ITEM.fullmatch(line)
            if item is None or _HEADING.fullmatch(line):
                break
            items.append(item[1])
        if items:
            return _listed(items)
        if heading[1] and any(map(str.isalnum, heading[1])):
            return _listed([heading[1]])
    return []


def _plan(items: Sequence[tuple[str, str]], step: Step) -> Plan:
    running = [text for text, state in items if state in _RUNNING]
    pending = [text for text, state in items if state not in _RUNNING and state not in _OVER]
    return Plan(tuple(_listed(running)), tuple(_listed(pending)), step.tool, step.place)


def _items(text: str) -> list[tuple[str, str]]:
    """(task, state) of every object in the words of a call, whole ones only; else those of a checklist."""
    start = text.find("[")
    found: list[tuple[str, str]] = []
    if start >= 0:
        for match in _OBJECT.finditer(text, start):
            item = _item(_decoded(match[0]))
            if item[0]:
                found.append(item)
    if found:
        return found
    boxed = (_BOX.fullmatch(line) for line in text.split("\n"))
    return [(match[2], {" ": "pending", "x": "done", "X": "done"}.get(match[1], "in_progress")) for match in boxed if match]


def _item(value: Any) -> tuple[str, str]:
    if not isinstance(value, dict):
        return "", ""
    name = next((text for key in _NAMES if isinstance(text := value.get(key), str) and text.strip()), "")
    state = next((text for key in _STATES if isinstance(text := value.get(key), str)), "")
    if not state and value.get("completed", value.get("done")) is True:
        state = "done"
    return name, state.strip().lower().replace(" ", "_")


def _decoded(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError, ValueError):
        return None


def _change(tasks: dict[str, tuple[str, str]], step: Step, *, made: bool) -> None:
    """Claude Code's tasks, made and changed one at a time; the number of a new one stands in the answer."""
    values = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in step.text.split("\n"))
        if value
    }
    subject = values.get("subject", "")
    if made:
        number = _NUMBER.search(step.answer or "")
        key = number[1] if number else f"new {len(tasks)}"
        tasks[key] = (subject or step.command, "pending")
        return
    key = values.get("taskid", "")
    if key in tasks:
        name, state = tasks[key]
        tasks[key] = (subject or name, values.get("status", state).lower())


def _listed(texts: Any) -> list[str]:
    """Each once, on one line, at most `ITEMS_MOST`."""
    whole = (shortened(_EMPHASIS.sub("", text), ITEM_CHARS) for text in texts)
    return list(dict.fromkeys(text for text in whole if any(map(str.isalnum, text))))[:ITEMS_MOST]

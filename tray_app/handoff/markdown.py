"""Foreign text as parts of a markdown document of ours: whatever it holds, the document keeps its own structure.

Owns the escaping. Headings, rules, fences and HTML of a text stay inside the place they were put at, comments cannot hide what
follows, and our marks cannot be forged. Texts that hold none of these come out as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tray_app.text.own_marks import defused

LINE_CHARS = 4_000
"""A longer line is broken: some viewers stop at it."""

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r"([ \t>]*)(?:=+|-+|(?:[-*_][ \t]*){3,})$")
_HEADING = re.compile(r"((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,40})(?:#{1,6}(?=[ \t]|$)|\[[^\]]{1,200}\]:)")
"""What makes another structure at the beginning of a line: rules and underlines; headings and definitions of links."""
_TITLE = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(\S[^\n]*?)[ \t]*#*[ \t]*(?:\n|$)")
_INLINE = re.compile(
    r"(?P<kept>\\[!-/:-@\[-`{-~]|(?<!`)(?P<ticks>`{1,8})(?!`).{1,200}?(?<!`)(?P=ticks)(?!`))|<(?=[A-Za-z/!?])|`"
)
"""Escapes and code spans, which are shown as they are; tags and lone backticks, which would begin something."""
_LINE_BREAK = re.compile(r"\r\n?|\n")


def line_of(text: str) -> str:
    """A text as one line of prose."""
    return _prose(" ".join(text.split()))


def code_of(text: str) -> str:
    """A text as a code span, for paths."""
    flat = defused(" ".join(text.split()))
    ticks = "`" * (max((len(run) for run in re.findall("`+", flat)), default=0) + 1)
    pad = " " if flat[:1] == "`" or flat[-1:] == "`" else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}"


def block_of(text: str) -> str:
    """A text of several lines; a fence that is left open is closed."""
    return _rewritten(text, _plain)


def item_of(text: str, bullet: str = "- ", label: str = "") -> str:
    """A text as an item of a list, behind a label in bold, with whatever it holds indented under it; its headings in bold."""
    lines = _rewritten(text, _unheaded).lstrip(" \t").split("\n")
    said = f"**{label}:**" if label else ""
    if not _fence_of(lines[0]) and not (said and _TITLE.match(text.lstrip())):
        said = f"{said} {lines.pop(0)}" if said else lines.pop(0)
    pad = " " * len(bullet)
    return "\n".join((f"{bullet}{said}".rstrip(), *(pad + line if line else "" for line in lines)))


def cut_to(lines: list[str], count: int, note: str) -> str:
    """The first lines of a document of ours, then the note where some are missing; a fence that was cut is closed."""
    if count >= len(lines):
        return "\n".join(lines)
    kept = lines[:count]
    fence = ""
    for line in kept:
        if not fence:
            fence = _fence_of(line)
        elif _closes(line, fence):
            fence = ""
    text = "\n".join([*kept, fence] if fence else kept).rstrip()
    return f"{text}\n\n{note}" if text else note


def demoted(text: str, level: int) -> str:
    """A markdown document under a heading of ours: its own headings begin at `level`, its fences are closed, its comments are
    seen."""
    top = min((len(found) for found in re.findall(r"^(#{1,6})[ \t]", text, re.MULTILINE)), default=1)

    def lowered(line: str) -> str:
        found = re.match(r"(#{1,6})(?=[ \t])", line)
        if found is None:
            return _prose(line)
        return "#" * min(6, len(found[1]) - top + level) + _prose(line[found.end() :])

    return _rewritten(text, lowered)


def _unheaded(line: str) -> str:
    """A heading as what it says, in bold: in a list it would be none of the document's."""
    found = _TITLE.match(line)
    said = _prose(found[1].replace("*", "").replace("_", " ")).strip() if found else ""
    return f"**{said}**" if said else _plain(line)


def _rewritten(text: str, prose: Callable[[str], str]) -> str:
    """Each line outside fences through `prose`."""
    lines: list[str] = []
    fence = ""
    for line in _lines(text):
        if fence:
            closes = _closes(line, fence)
            lines.append(defused(line.lstrip(" ") if closes else line))
            fence = "" if closes else fence
        elif fence := _fence_of(line).lstrip(" "):
            lines.append(defused(line.lstrip(" ")))  # at the margin: in a list that the text makes it could end unseen
        else:
            lines.append(prose(line))
    return "\n".join([*lines, fence] if fence else lines)


def _fence_of(line: str) -> str:
    """The fence that a line opens, with its indentation; '' if it opens none."""
    found = _FENCE.match(line)
    return "" if found is None or (found[1][0] == "`" and "`" in line[found.end() :]) else found[0]


def _closes(line: str, fence: str) -> bool:
    found = _FENCE.match(line)
    return found is not None and found[1].startswith(fence.lstrip(" ")) and not line[found.end() :].strip()


def _lines(text: str) -> list[str]:
    """Lines without blanks at their ends, none too long, no blank ones at the ends of the text."""
    lines: list[str] = []
    for line in _LINE_BREAK.split(text):
        kept = line.rstrip()
        lines += [kept[at : at + LINE_CHARS] for at in range(0, len(kept), LINE_CHARS)] or [""]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines or [""]


def _plain(line: str) -> str:
    """Prose that begins no structure."""
    found = _RULE.match(line) or _HEADING.match(line)
    return found[1] + "\\" + _prose(line[found.end(1) :]) if found else _prose(line)


def _prose(line: str) -> str:
    line = defused(line)
    if "<" not in line and "`" not in line:
        return line
    return _INLINE.sub(lambda found: found[0] if found["kept"] else "\\" + found[0], line)

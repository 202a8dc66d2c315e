"""Small pure functions on a transcript's text: what may be shown, how long, how wide, and how a call ended."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from PySide6.QtGui import QTextBlock, QTextBlockFormat, QTextCursor, QTextListFormat, QTextTable

from tray_app.ui.text_layout import one_line

_FAILED = re.compile(r"(?:exit(?:ed)?(?: with)?(?: code| status)?|exit_code|returncode)\W{0,3}([1-9]\d{0,2})\b", re.IGNORECASE)
_COMMENTS = {
    "#": ("python", "py", "bash", "sh", "shell", "zsh", "yaml", "yml", "toml", "ruby", "r", "dockerfile", "make"),
    "//": (
        "js",
        "javascript",
        "ts",
        "typescript",
        "tsx",
        "jsx",
        "c",
        "cpp",
        "c++",
        "java",
        "go",
        "rust",
        "rs",
        "kotlin",
        "swift",
    ),
    "--": ("sql", "lua", "haskell"),
}


def failure(text: str) -> str:
    """The exit code a tool's result names, where it is not 0; else ''."""
    found = _FAILED.search(text[:400]) or _FAILED.search(text[-400:])
    return found.group(1) if found else ""


def excerpt(text: str, words: Sequence[str], room: int) -> tuple[int, str, int]:
    """At most `room` characters of a text, around its first found word; and how many stand before and after."""
    if len(text) <= room:
        return 0, text, 0
    folded = text.casefold() if words else ""
    places = [place for word in words if word and (place := folded.find(word.casefold())) >= 0]
    start = max(min(places, default=0) - room // 3, 0) if min(places, default=0) > room * 2 // 3 else 0
    start = min(start, len(text) - room)
    if start:
        start = text.find("\n", start, start + 400) + 1 or start  # begin with a line, where one begins nearby
    shown = text[start : start + room]
    return start, shown, len(text) - start - len(shown)


def comment_start(line: str, language: str) -> int:
    """Where the comment of a line of code begins; −1 if it has none, or the language is not one we know."""
    sign = next((mark for mark, names in _COMMENTS.items() if language.lower() in names), "")
    found = re.search(rf"(?:^|\s)({re.escape(sign)})(?:\s|!|$)", line) if sign else None
    return found.start(1) if found else -1


def table_lines(table: QTextTable) -> list[str]:
    """A table as lines for a fixed font, its columns lined up."""
    rows = [[one_line(_cell_text(table, row, column)) for column in range(table.columns())] for row in range(table.rows())]
    widths = [max(_columns(row[column]) for row in rows) for column in range(table.columns())]
    lines = ["  ".join(cell + " " * (wide - _columns(cell)) for cell, wide in zip(row, widths, strict=True)) for row in rows]
    return [line.rstrip() for line in lines]


def printable(text: str) -> str:
    """Without controls (an escape sequence would show as boxes), bidi overrides and halves of surrogates."""
    return "".join(
        "\ufffd" if 0xD800 <= ord(char) < 0xE000 else char
        for char in text
        if char in "\n\t"
        or not (unicodedata.category(char) == "Cc" or char in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    )


def bullet_of(block: QTextBlock, number: int, style: QTextListFormat) -> str:
    """What stands before an item of a list: a tick box, its number, or a dot."""
    marker = block.blockFormat().marker()
    if marker == QTextBlockFormat.MarkerType.Checked:
        return "☑  "
    if marker == QTextBlockFormat.MarkerType.Unchecked:
        return "☐  "
    if style.style() == QTextListFormat.Style.ListDecimal:
        return f"{number + max(style.start(), 0) if style.start() else number + 1}{style.numberSuffix() or '.'}  "
    return "•  "


def hang(line: str) -> int:
    """Columns by which the rest of a line of code that is too long stands in: its own indentation and two."""
    return len(line) - len(line.lstrip(" ")) + 2


def line_count(text: str) -> int:
    return len(text.strip("\n").split("\n")) if text.strip() else 0


def _cell_text(table: QTextTable, row: int, column: int) -> str:
    cell = table.cellAt(row, column)
    cursor = cell.firstCursorPosition()
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\ufffc", "")


def _columns(text: str) -> int:
    """Columns a text takes in a fixed font: hanzi and other wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)

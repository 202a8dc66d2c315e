"""How things look on a terminal: width of text, colours, tables, the progress bar. Knows nothing of what is shown.

Text of sessions is never printed as it is: control characters could steer the terminal.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
import unicodedata
from collections.abc import Iterable, Sequence
from typing import TextIO

from tray_app.records import Progress

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
BOLD, DIM, RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"


class Paint:
    """Bold, dim and colours, on a terminal that wants them; else plain text."""

    def __init__(self, stream: TextIO | None = None) -> None:
        out = stream or sys.stdout
        self.on = out.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def bold(self, text: str) -> str:
        return BOLD + text + RESET if self.on and text else text

    def dim(self, text: str) -> str:
        return DIM + text + RESET if self.on and text else text

    def coloured(self, text: str, colour: str) -> str:
        """`colour`: the number of one of the terminal's own, such as 31."""
        return f"\x1b[{colour}m{text}{RESET}" if self.on and text else text


def plain(text: str) -> str:
    """Without anything that a terminal acts upon; line ends and tabs stay."""
    return CONTROLS.sub("", text.replace("\r\n", "\n"))


def line_of(text: str) -> str:
    """The same on one line."""
    return " ".join(plain(text).split())


def width(text: str) -> int:
    """Columns that the text takes: wide characters two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """At most so many columns, with … for what was left out."""
    if width(text) <= columns:
        return text
    kept, used = [], 0
    for character in text:
        used += _columns(character)
        if used > columns - 1:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def pad(text: str, columns: int) -> str:
    return text + " " * max(0, columns - width(text))


def table(rows: Sequence[Sequence[str]], columns: int | None = None, *, cut_last: bool = True) -> list[str]:
    """Rows with their cells under each other; the last cell gets what room is left, unless it must stay whole."""
    if not rows:
        return []
    room = columns or screen_columns()
    widths = [max(width(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        front = "".join(pad(cell, size) + "  " for cell, size in zip(row, widths, strict=False))
        lines.append((front + (cut(row[-1], max(12, room - width(front))) if cut_last else row[-1])).rstrip())
    return lines


def screen_columns() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 120)


def wrapped(text: str, marks: Iterable[tuple[int, int]], columns: int, paint: Paint) -> list[str]:
    """The text in lines of so many columns, with the marked parts in bold. Broken at spaces and beside wide characters."""
    marked = {at for start, end in marks for at in range(start, min(end, len(text)))}
    cells: list[tuple[str, bool]] = []
    for at, character in enumerate(text):
        if character.isspace():
            if cells and cells[-1][0] != " ":
                cells.append((" ", at in marked))
        elif not CONTROLS.match(character):
            cells.append((character, at in marked))
    lines: list[list[tuple[str, bool]]] = [[]]
    used, breakable = 0, 0
    for cell in cells:
        line = lines[-1]
        if used + _columns(cell[0]) > columns and line:
            rest = line[breakable:] if breakable else []
            if breakable:
                del line[breakable:]
            lines.append(rest)
            line, breakable = rest, 0
            used = sum(_columns(character) for character, _ in rest)
            if not line and cell[0] == " ":
                continue
        line.append(cell)
        used += _columns(cell[0])
        if cell[0] == " " or _columns(cell[0]) == 2:
            breakable = len(line)
    return [_painted(line, paint) for line in lines if line]


def _painted(line: list[tuple[str, bool]], paint: Paint) -> str:
    while line and line[-1][0] == " ":
        line.pop()
    parts, run, bold = [], "", False
    for character, marked in line:
        if marked != bold:
            parts.append(paint.bold(run) if bold else run)
            run, bold = "", marked
        run += character
    parts.append(paint.bold(run) if bold else run)
    return "".join(parts)


def size_of(count: int) -> str:
    """Bytes in words: '3.4 MB'."""
    size = float(count)
    for unit in ("B", "KB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError


def count_of(number: int, what: str) -> str:
    """'1 session', '1,204 sessions'."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def say(text: str) -> None:
    """A message to the person, beside what is printed."""
    print(text, file=sys.stderr)


def asks() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str, *, default: bool = True) -> bool:
    """Ask; an empty line means the default, the end of input no."""
    sys.stderr.write(f"{question} {'[Y/n]' if default else '[y/N]'} ")
    sys.stderr.flush()
    answer = sys.stdin.readline()
    said = answer.strip().lower()
    return said in ("y", "yes", "是", "好") or (default and not said and answer != "")


class ProgressBar:
    """A line on standard error that is written over while work goes on; nothing when that is no terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty()
        self._shown_at, self._shown = 0.0, False

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        if not self._on or (now - self._shown_at < 0.1 and progress.phase == "reading"):
            return
        self._shown_at, self._shown = now, True
        sys.stderr.write("\r\x1b[K" + cut(self.line(progress), screen_columns() - 1))
        sys.stderr.flush()

    @staticmethod
    def line(progress: Progress) -> str:
        if not progress.total:
            return {"planning": "Looking for sessions …", "finishing": "Finishing …"}.get(progress.phase, "Reading …")
        share = progress.bytes_done / progress.bytes_total if progress.bytes_total else progress.done / progress.total
        share = min(max(share, 0.0), 1.0)
        bar = "█" * round(share * 24)
        left = f" · about {_span(progress.eta_s)} left" if progress.eta_s is not None and progress.eta_s >= 1 else ""
        if progress.phase == "archiving":
            return f"{bar:░<24} {share:4.0%} · {progress.done:,} of {progress.total:,} sessions{left}"
        if progress.phase == "embedding":
            return f"{bar:░<24} {share:4.0%} · {progress.done:,} of {progress.total:,} passages by meaning{left}"
        return f"{bar:░<24} {share:4.0%} · {progress.done:,} of {progress.total:,} files · {progress.agent}{left}"

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _span(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"

"""Passages as lines: found words marked, at most so many lines, the first found word in view.

Owns turning a record's text and marks (code points) into a laid-out text (UTF-16 positions, as Qt counts). Transcript
text is plain text here, always; control characters and bidi overrides are taken out, so that a row cannot be turned
around by what stands in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption
from PySide6.QtGui import Qt as MayBe

from tray_app.ui import painting
from tray_app.ui.theme import Theme

Marks = tuple[tuple[int, int], ...]
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")
_FENCE = re.compile(r"`{3,}")
_KEEP = frozenset("\u200d\ufe0f\ufe0e\u200c")
"""Joiners and variation selectors: without them emoji families and Indic words fall apart."""


def flatten(text: str, marks: Marks = ()) -> tuple[str, Marks]:
    """The text as one line: runs of blanks as one space; controls, bidi overrides and code fences gone; marks moved along."""
    kept: list[str] = []
    places = [0] * (len(text) + 1)
    blank = True
    fences = {place for fence in _FENCE.finditer(text) for place in range(*fence.span())}
    for index, char in enumerate(text):
        places[index] = len(kept)
        if index in fences:
            continue
        if char.isspace():
            if not blank:
                kept.append(" ")
            blank = True
        elif char in _KEEP or not (char in _BIDI or ord(char) < 32 or 127 <= ord(char) < 160):
            kept.append("\ufffd" if 0xD800 <= ord(char) < 0xE000 else char)
            blank = False
    places[len(text)] = len(kept)
    if kept and kept[-1] == " ":
        kept.pop()
    size = len(kept)
    moved = []
    for start, end in marks:
        if 0 <= start < end <= len(text):
            first, last = places[start], min(places[end], size)
            if first < last:
                moved.append((first, last))
    return "".join(kept), tuple(moved)


def one_line(text: str) -> str:
    """A text for one painted line: see `flatten`."""
    return flatten(text)[0]


def tip(text: str) -> str:
    """A text as a tooltip that shows it as it is. Qt takes what looks like HTML for HTML, and would load its images."""
    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>" if MayBe.mightBeRichText(text) else text


def utf16_marks(text: str, marks: Marks) -> list[tuple[int, int]]:
    """Marks in code points as start and length in UTF-16, sorted, overlapping and word-by-word neighbours joined."""
    widths = [0, *accumulate(2 if ord(char) > 0xFFFF else 1 for char in text)]
    joined: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if joined and (start <= joined[-1][1] or text[joined[-1][1] : start] == " "):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return [(widths[start], widths[end] - widths[start]) for start, end in joined]


@dataclass(frozen=True)
class Passage:
    """A laid-out passage: paint it with `draw_passage`. `marks` are (start, length) in UTF-16 of `text`."""

    layout: QTextLayout
    text: str
    marks: tuple[tuple[int, int], ...]
    face: str
    lines: int


def lay_out(theme: Theme, text: str, marks: Marks, width: float, face: str = "body", lines: int = 2) -> Passage:
    """Break a text into at most `lines` lines of `width`. What does not fit ends in an ellipsis; where the first found
    word would come after the second line (or the only one), the text begins later, with an ellipsis."""
    text, marks = flatten(text, marks)
    layout = _broken(theme, text, utf16_marks(text, marks), width, face, lines + 400 if marks else lines + 1)
    if marks:
        first = utf16_marks(text, marks)[0][0]
        at = layout.lineForTextPosition(first).lineNumber()
        if at >= min(lines, 2):
            skip = _points(text, layout.lineAt(at).textStart())
            text = "… " + text[skip:]
            marks = tuple((start - skip + 2, end - skip + 2) for start, end in marks if start >= skip)
            layout = _broken(theme, text, utf16_marks(text, marks), width, face, lines + 1)
    if layout.lineCount() > lines:
        text, marks = _cut(theme, layout, text, marks, width, face, lines)
        layout = _broken(theme, text, utf16_marks(text, marks), width, face, lines)
    return Passage(layout, text, tuple(utf16_marks(text, marks)), face, max(layout.lineCount(), 1))


def draw_passage(painter: QPainter, theme: Theme, passage: Passage, x: float, top: float, color: QColor) -> None:
    """Paint a passage with its first line box at x, top: grounds of found words, their underline, then the text."""
    for index in range(passage.layout.lineCount()):
        line = passage.layout.lineAt(index)
        line_top = top + index * theme.face(passage.face).line
        for rect in mark_rects(passage, theme, index):
            draw_mark(painter, theme, rect.translated(x, line_top))
        line.setPosition(QPointF(0, _base(theme, passage.face) - line.ascent() + index * theme.face(passage.face).line))
    painter.setPen(color)
    for index in range(passage.layout.lineCount()):
        passage.layout.lineAt(index).draw(painter, QPointF(x, top))


def draw_mark(painter: QPainter, theme: Theme, rect: QRectF) -> None:
    """The ground of a found word, with its accent underline."""
    painting.fill_rounded(painter, rect, theme.radii["mark"], theme["mark"])
    painter.fillRect(QRectF(rect.left(), rect.bottom() - 1.5, rect.width(), 1.5), theme["accent"])


def mark_rects(passage: Passage, theme: Theme, index: int) -> list[QRectF]:
    """Where found words stand in a line, from the line box's corner; 1 px wider than the words at either side."""
    line = passage.layout.lineAt(index)
    return [
        QRectF(left - 1, theme.px(1), right - left + 2, theme.face(passage.face).line - theme.px(1))
        for left, right in spans(line, passage.text, passage.marks)
    ]


def spans(line: QTextLine, text: str, marks: tuple[tuple[int, int], ...]) -> list[tuple[float, float]]:
    """Left and right of each mark's part in a line, blanks at its ends not included. Positions are UTF-16."""
    found = []
    start, end = line.textStart(), line.textStart() + line.textLength()
    units = text.encode("utf-16-le", "surrogatepass")
    for mark_start, length in marks:
        first, last = max(mark_start, start), min(mark_start + length, end)
        while last > first and units[2 * last - 2 : 2 * last] == b" \0":
            last -= 1
        while first < last and units[2 * first : 2 * first + 2] == b" \0":
            first += 1
        if first < last:
            one, two = _x(line, first), _x(line, last)
            found.append((min(one, two), max(one, two)))
    return found


def _x(line: QTextLine, position: int) -> float:
    found: Any = line.cursorToX(position)  # some versions of the binding give the position back too
    return float(found[0] if isinstance(found, tuple) else found)


def _base(theme: Theme, face: str) -> float:
    kind = theme.face(face)
    return round(kind.line / 2 + 0.36 * kind.size)


def _points(text: str, units: int) -> int:
    """Code points in the first so many UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))


def _broken(theme: Theme, text: str, marks: list[tuple[int, int]], width: float, face: str, lines: int) -> QTextLayout:
    layout = QTextLayout(text, theme.font(face))
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    layout.setTextOption(option)
    layout.setCacheEnabled(True)
    formats = []
    for start, length in marks:
        found = QTextLayout.FormatRange()
        found.start, found.length = start, length
        look = QTextCharFormat()
        look.setFontWeight(600)
        look.setForeground(theme["mark_text"])
        found.format = look
        formats.append(found)
    layout.setFormats(formats)
    layout.beginLayout()
    for _ in range(lines):
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
    layout.endLayout()
    return layout


def _cut(theme: Theme, layout: QTextLayout, text: str, marks: Marks, width: float, face: str, lines: int) -> tuple[str, Marks]:
    """Shorten the text so that it ends in line `lines`, with an ellipsis."""
    start = _points(text, layout.lineAt(lines - 1).textStart())
    rest = text[start : start + 400]
    # Marked words are wider than the metrics of the plain font say: leave them room.
    room = width - theme.px(12) * (1 + sum(1 for first, last in marks if last > start and first < start + 80))
    shown = QFontMetricsF(theme.font(face)).elidedText(rest + "…", Qt.TextElideMode.ElideRight, max(room, 24.0))
    shown = shown.rstrip("…").rstrip()
    kept = text[:start] + shown
    end = len(kept)
    return kept + "…", tuple((first, min(last, end)) for first, last in marks if first < end)

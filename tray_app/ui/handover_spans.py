"""Text that says what it is by more than colour: plain, code, added (tint and underline), removed (struck and grey).

A widget that lays its lines out for the width it gets and paints them. What is shown may come from sessions: it is plain
text here, always.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from tray_app.ui import painting, text_layout, theme
from tray_app.ui.handover_diff import ADDED, CODE, PLAIN, REMOVED, Line, Span
from tray_app.ui.text_layout import one_line
from tray_app.ui.theme import Theme


class _Laid:
    """One line of `Line`, broken to a width. `marks` by kind, in UTF-16."""

    def __init__(self, now: Theme, line: Line, width: float, face: str, ink: str) -> None:
        self.face = "code" if line.mono else face
        self.bullet = line.bullet
        self.text = ""
        self.marks: list[tuple[str, int, int]] = []
        formats = []
        for span in line.spans:
            shown = _clean(span.text)
            start, length = _units(self.text), _units(shown)
            self.text += shown
            if span.kind == PLAIN or not length:
                continue
            self.marks.append((span.kind, start, length))
            found = QTextLayout.FormatRange()
            found.start, found.length, found.format = start, length, _look(now, span.kind)
            formats.append(found)
        self.layout = QTextLayout(self.text, now.font(self.face))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.layout.setTextOption(option)
        self.layout.setFormats(formats)
        self.layout.setCacheEnabled(True)
        self.ink = ink
        height = now.face(face).line
        base = round(height / 2 + 0.36 * now.face(self.face).size)
        self.layout.beginLayout()
        count = 0
        while (row := self.layout.createLine()).isValid():
            row.setLineWidth(max(width - (now.px(14) if self.bullet else 0), 1.0))
            row.setPosition(QPointF(0, count * height + base - row.ascent()))
            count += 1
        self.layout.endLayout()
        self.height = max(count, 1) * height


class SpanText(QWidget):
    """Lines of spans, one under the other. Give them with `set_lines`; `set_words` for one plain line in another colour."""

    def __init__(self, parent: QWidget | None = None, face: str = "body", *, gap: int = 2) -> None:
        super().__init__(parent)
        self._face, self._gap, self._ink = face, gap, "text"
        self._lines: tuple[Line, ...] = ()
        self._laid: list[_Laid] = []
        self._laid_for: tuple[float, Theme | None] = (-1.0, None)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._lines

    @property
    def text(self) -> str:
        """All of it, without signs of what was changed."""
        return "\n".join(line.text for line in self._lines)

    def set_lines(self, lines: Sequence[Line], ink: str = "text") -> None:
        if (tuple(lines), ink) == (self._lines, self._ink):
            return
        self._lines, self._ink = tuple(lines), ink
        self._laid_for = (-1.0, None)
        self.setAccessibleName(spoken(self._lines))
        self.updateGeometry()
        self.update()

    def set_words(self, words: str, ink: str = "text2") -> None:
        self.set_lines((Line((Span(words),)),), ink)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        self._lay_out(width)
        gaps = theme.current().px(self._gap) * max(len(self._laid) - 1, 0)
        return round(sum(laid.height for laid in self._laid)) + gaps

    def sizeHint(self) -> QSize:
        return QSize(theme.current().px(200), self.heightForWidth(max(self.width(), theme.current().px(200))))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.current().px(40), theme.current().face(self._face).line if self._lines else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._lay_out(self.width())
        now = theme.current()
        painter = QPainter(self)
        top = 0.0
        seen = event.rect()
        for laid in self._laid:
            if top <= seen.bottom() and top + laid.height >= seen.top():
                _paint(painter, now, laid, top, self._face)
            top += laid.height + now.px(self._gap)

    def _lay_out(self, width: float) -> None:
        now = theme.current()
        if self._laid_for[0] == width and self._laid_for[1] is now:
            return
        self._laid = [_Laid(now, line, width, self._face, self._ink) for line in self._lines]
        self._laid_for = (width, now)


def spoken(lines: Sequence[Line]) -> str:
    """The lines for screen readers: what was added and removed is said in words."""
    removed = QCoreApplication.translate("SpanText", "removed: {text}")
    added = QCoreApplication.translate("SpanText", "added: {text}")
    words = {REMOVED: removed, ADDED: added}
    said = []
    for line in lines:
        parts = [
            words.get(span.kind, "{text}").replace("{text}", span.text.strip()) for span in line.spans if span.text.strip()
        ]
        said.append(" ".join(parts))
    return "; ".join(part for part in said if part)


def _paint(painter: QPainter, now: Theme, laid: _Laid, top: float, face: str) -> None:
    left = float(now.px(14)) if laid.bullet else 0.0
    line = now.face(face).line
    if laid.bullet:
        middle = round(top + line / 2 + 0.5)
        painting.fill_rounded(painter, QRectF(now.px(1), middle - 2, 4, 4), 2, now["text3"])
    for number in range(laid.layout.lineCount()):
        row = laid.layout.lineAt(number)
        for kind, start, length in laid.marks:
            if kind == REMOVED:
                continue
            for begin, end in text_layout.spans(row, laid.text, ((start, length),)):
                pad = 2 if kind == CODE else 1
                box = QRectF(left + begin - pad, top + number * line + now.px(1), end - begin + 2 * pad, line - now.px(2))
                painting.fill_rounded(painter, box, now.radii["mark"], now["code" if kind == CODE else "sel"])
                if kind == ADDED:
                    painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), now["text"])
    painter.setPen(now[laid.ink])
    for number in range(laid.layout.lineCount()):
        laid.layout.lineAt(number).draw(painter, QPointF(left, top))


def _look(now: Theme, kind: str) -> QTextCharFormat:
    look = QTextCharFormat()
    if kind == REMOVED:
        look.setFontStrikeOut(True)
        look.setForeground(now["text3"])
    elif kind == ADDED:
        look.setForeground(now["sel_text"])
    elif kind == CODE:
        look.setFont(now.font("code"), QTextCharFormat.FontPropertiesInheritanceBehavior.FontPropertiesSpecifiedOnly)
    return look


def _clean(text: str) -> str:
    """One line, with its outer blanks: they part the spans."""
    inner = one_line(text)
    if not inner:
        return " " if text else ""
    return (" " if text[:1].isspace() else "") + inner + (" " if text[-1:].isspace() else "")


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2

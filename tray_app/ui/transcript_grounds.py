"""Where the messages of a transcript stand in its laid-out document, and what is painted behind their words.

Owns the margins, the grounds of what the person said, of code and of found words, and the signs at the left. Knows the
document and its width alone: no widget, and nothing of scrolling.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTextDocument, QTextFrameFormat

from tray_app.ui import icons, painting, theme
from tray_app.ui.text_layout import draw_mark, spans
from tray_app.ui.transcript_text import Composed, Section

LEFT, RIGHT, MEASURE = 48, 24, 640
TOP, BOTTOM = 16, 32


def measure(width: int) -> float:
    """How wide the words may be in a view of this width."""
    now = theme.current()
    return float(min(max(width - now.px(LEFT) - now.px(RIGHT), now.px(160)), now.px(MEASURE)))


class Grounds:
    """The places of one document, composed as `made`, in a view `width` wide. All lengths are the document's."""

    def __init__(self, document: QTextDocument, made: Composed, width: int) -> None:
        now = theme.current()
        self._document, self._made, self._width = document, made, width
        self._measure = measure(width)
        self._extra = max((width - now.px(LEFT) - now.px(RIGHT) - self._measure) / 2, 0.0)
        """What the margins have grown by where the view is wider than the measure."""

    def set_margins(self) -> None:
        now = theme.current()
        shape = QTextFrameFormat()
        shape.setLeftMargin(now.px(LEFT) + self._extra)
        shape.setRightMargin(max(self._width - now.px(LEFT) - self._extra - self._measure, 0))
        shape.setTopMargin(now.px(TOP))
        shape.setBottomMargin(now.px(BOTTOM))
        self._document.rootFrame().setFrameFormat(shape)

    def block_rect(self, number: int) -> QRectF:
        return self._document.documentLayout().blockBoundingRect(self._document.findBlockByNumber(number))

    def top_of(self, section: Section) -> float:
        pad = theme.current().px(12 if section.kind == "said" else 4)
        return self.block_rect(section.first).top() - pad

    def bottom_of(self, section: Section) -> float:
        pad = theme.current().px(14 if section.kind == "said" else 4)
        if any(code.last == section.last for code in self._made.codes):
            pad += theme.current().px(8)
        return self.block_rect(section.last).bottom() + pad

    def paint(self, painter: QPainter, top: float, bottom: float) -> None:
        """Paint what stands between these heights."""
        shown = [one for one in self._made.sections if self.bottom_of(one) >= top and self.top_of(one) <= bottom]
        for section in shown:
            self._paint_ground(painter, section)
        if shown:
            self._paint_codes(painter, shown[0].first, shown[-1].last)
            self._paint_marks(painter, shown[0].first, shown[-1].last)
        for section in shown:
            self._paint_signs(painter, section)

    def _paint_ground(self, painter: QPainter, section: Section) -> None:
        now = theme.current()
        top, bottom = self.top_of(section), self.bottom_of(section)
        if section.message.role == "user":
            painter.fillRect(QRectF(0, top, self._width, bottom - top), now["sunken"])
        if section.is_hit:
            painter.fillRect(QRectF(0, top + 2, 3, bottom - top - 4), now["accent"])

    def _paint_codes(self, painter: QPainter, first: int, last: int) -> None:
        now = theme.current()
        left = now.px(LEFT) + self._extra
        for code in self._made.codes:
            if code.last >= first and code.first <= last:
                top = self.block_rect(code.first).top() - now.px(5)
                bottom = self.block_rect(code.last).bottom() + now.px(8)
                painting.fill_rounded(
                    painter, QRectF(left, top, self._measure, bottom - top), now.radii["control"], now["code"]
                )

    def _paint_marks(self, painter: QPainter, first: int, last: int) -> None:
        now = theme.current()
        for number, marks in self._made.marks.items():
            if not first <= number <= last:
                continue
            block = self._document.findBlockByNumber(number)
            layout = block.layout()
            origin = layout.position()
            for index in range(layout.lineCount()):
                line = layout.lineAt(index)
                middle = origin.y() + line.y() + line.height() / 2
                height = min(line.height(), now.face("body").line)
                for left, right in spans(line, block.text(), tuple(marks)):
                    rect = QRectF(origin.x() + left - 1, middle - height / 2 + 1, right - left + 2, height - 1)
                    draw_mark(painter, now, rect)

    def _paint_signs(self, painter: QPainter, section: Section) -> None:
        now = theme.current()
        middle = self._middle_of(section.first)
        left = now.px(24) + self._extra
        if section.kind == "fold":
            side = now.px(12)
            icons.draw_glyph(
                painter, "chevron-down" if section.opened else "chevron-right", left, middle - side / 2, side, now["text2"]
            )
            side = now.px(14)
            role = icons.ROLE_GLYPHS.get(section.message.role, "tool")
            icons.draw_glyph(painter, role, left + now.px(18), middle - side / 2, side, now["text2"])
            if section.failed:
                wide = painting.text_width(now, "detail", section.failed, 500) + side + now.px(6)
                x = now.px(LEFT) + self._extra + self._measure - wide
                icons.draw_glyph(painter, "warn", x, middle - side / 2, side, now["warn"])
            return
        side = now.px(14)
        color = now["accent" if section.is_hit else "text2"]
        role = icons.ROLE_GLYPHS.get(section.message.role, "reply")
        icons.draw_glyph(painter, role, left, middle - side / 2, side, color)

    def _middle_of(self, number: int) -> float:
        """The middle of the words in a block's first line: a fixed line height does not put them in its middle."""
        layout = self._document.findBlockByNumber(number).layout()
        if layout.lineCount() == 0:
            return layout.position().y()
        line = layout.lineAt(0)
        return float(round(layout.position().y() + line.y() + line.ascent() - 0.36 * theme.current().face("row").size))

"""Paints every row of the left-hand list, by kind.

Reads what the model has laid out; makes no layout and no string that needs the backend.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from tray_app.ui import elided, icons, painting, theme, wording
from tray_app.ui import rows as kinds
from tray_app.ui.results_model import TEXT_LEFT, TEXT_RIGHT, ResultsModel
from tray_app.ui.rows import Row
from tray_app.ui.scroll_bar import WIDTH
from tray_app.ui.text_layout import draw_passage

EDGE = 20
INSET = 8
REASON_GLYPHS = {"words": "words", "meaning": "meaning", "date": "day"}


class ResultsDelegate(QStyledItemDelegate):
    """One painter for heads, passages, recent sessions, candidates and the lines between them."""

    def __init__(self, model: ResultsModel, parent: QAbstractItemView, dimmed: Callable[[], bool]) -> None:
        """`dimmed`: whether the keyboard is in another list of the window."""
        super().__init__(parent)
        self._dimmed = dimmed
        self._model, self._view = model, parent
        self._paint: dict[str, Callable[[QPainter, QRect, int, Row, bool], None]] = {
            kinds.HEAD: self._head,
            kinds.PASSAGE: self._passage,
            kinds.OUTSIDE: self._outside,
            kinds.TITLE: self._title,
            kinds.DAY: self._day,
            kinds.RECENT: self._recent,
            kinds.DOUBT: self._doubt,
            kinds.CANDIDATE: self._candidate,
            kinds.FURTHER: self._further,
            kinds.CHOOSE: self._further,
        }

    def sizeHint(self, _option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(10, self._model.heights[index.row()])

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        row = self._model.rows[index.row()]
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        if row.kind in kinds.SELECTABLE:
            over = bool(state & QStyle.StateFlag.State_MouseOver)
            self._ground(painter, self.ground_rect(rect, row), selected=selected, over=over)
        self._paint[row.kind](painter, rect, index.row(), row, selected)
        painter.restore()

    def ground_rect(self, rect: QRect, row: Row) -> QRectF:
        """Where the tint of a selected row goes."""
        now = theme.current()
        inset = now.px(INSET)
        scrolls = self._view.verticalScrollBar().maximum() > 0
        right = self._view.width() - (max(inset, WIDTH + 2) if scrolls else inset)
        last = row.kind == kinds.PASSAGE and row is self._model.rows[-1]
        bottom = rect.bottom() - (now.px(8) if last else 0)
        if row.kind == kinds.CANDIDATE:
            return QRectF(inset, rect.top() + now.px(3), right - inset, rect.height() - now.px(6))
        return QRectF(inset, rect.top() + 1, right - inset, bottom - rect.top() - 1)

    def _ground(self, painter: QPainter, rect: QRectF, *, selected: bool, over: bool) -> None:
        now = theme.current()
        active = self._view.isActiveWindow() and not self._dimmed()
        if selected:
            painting.fill_rounded(painter, rect, now.radii["row"], now["sel" if active else "hover"])
            bar = QRectF(rect.left(), rect.top() + now.px(8), 3, rect.height() - now.px(16))
            painting.fill_rounded(painter, bar, 1.5, now["accent" if active else "text3"])
        elif over:
            painting.fill_rounded(painter, rect, now.radii["row"], now["hover"])

    def _right(self) -> int:
        return self._view.width() - theme.current().px(TEXT_RIGHT)

    def _titled(
        self,
        painter: QPainter,
        top: float,
        left: float,
        row: Row,
        face: str,
        *,
        weight: int | None = None,
        selected: bool = False,
    ) -> None:
        """A title that makes way for the age at its right, and the detail line under it."""
        now = theme.current()
        text = now["sel_text" if selected else "text"]
        wide = painting.text_width(now, "detail", row.age)
        if row.age:
            age_top = top + (now.face(face).line - now.face("detail").line) / 2
            painting.draw_text(painter, self._right() - wide, age_top, "detail", row.age, now["text2"])
        room = self._right() - left - (wide + now.px(12) if row.age else 0)
        title = painting.elide(now, face, row.title, room, weight=weight)
        painting.draw_text(painter, left, top, face, title, text, weight=weight)

    def _detail(self, painter: QPainter, top: float, left: float, row: Row) -> None:
        now = theme.current()
        text = painting.elide(now, "detail", row.detail, self._right() - left)
        painting.draw_text(painter, left, top, "detail", text, now["text2"])

    def _line(self, painter: QPainter, y: float, left: float) -> None:
        painting.hairline(painter, left, y, self._right() - left, theme.current()["line"])

    def _head(self, painter: QPainter, rect: QRect, _number: int, row: Row, _selected: bool) -> None:
        now = theme.current()
        top = rect.top() + now.px(10 if row.first else 22)
        if not row.first:
            self._line(painter, rect.top() + now.px(10), now.px(EDGE))
        side = now.px(14)
        offset = (now.face("row_strong").line - side) / 2
        icons.draw_mark(painter, row.agent, now.px(EDGE), top + offset, side, now["text"])
        self._titled(painter, top, now.px(TEXT_LEFT), row, "row_strong")
        self._detail(painter, top + now.px(19), now.px(TEXT_LEFT), row)

    def _passage(self, painter: QPainter, rect: QRect, number: int, row: Row, selected: bool) -> None:
        now = theme.current()
        passage = self._model.passages[number]
        if passage is None:
            return
        line = now.face(passage.face).line
        top = rect.top() + now.px(6)
        side = now.px(14)
        role = icons.ROLE_GLYPHS.get(row.role, "reply")
        glyph = now["accent" if selected else "text2"]
        icons.draw_glyph(painter, role, now.px(EDGE), top + (line - side) / 2, side, glyph)
        draw_passage(painter, now, passage, now.px(TEXT_LEFT), top, now["sel_text" if selected else "text"])
        self._reasons(painter, top + passage.lines * line + now.px(1), row)

    def _reasons(self, painter: QPainter, top: float, row: Row) -> None:
        now = theme.current()
        x = float(now.px(TEXT_LEFT))
        side = now.px(12)
        for reason in row.reasons:
            glyph = REASON_GLYPHS.get(reason)
            if glyph:
                icons.draw_glyph(painter, glyph, x, top + (now.face("reason").line - side) / 2, side, now["text2"])
                x += side + now.px(4)
            x += painting.draw_text(painter, x, top, "reason", wording.reason_name(reason), now["text2"]) + now.px(12)
        if row.also:
            text = painting.elide(now, "reason", row.also, self._right() - x)
            painting.draw_text(painter, x, top, "reason", text, now["text2"])

    def _outside(self, painter: QPainter, rect: QRect, _number: int, row: Row, _selected: bool) -> None:
        now = theme.current()
        top = rect.bottom() - now.px(6) - now.face("detail").line
        text = painting.elide(now, "detail", row.title, self._right() - now.px(EDGE) - now.px(24))
        wide = painting.draw_text(painter, now.px(EDGE), top, "detail", text, now["text2"])
        self._line(painter, top + now.face("detail").line / 2, now.px(EDGE) + wide + now.px(12))

    def _title(self, painter: QPainter, rect: QRect, _number: int, row: Row, _selected: bool) -> None:
        if row.title:
            now = theme.current()
            painting.draw_text(painter, now.px(EDGE), rect.top() + now.px(15), "label", row.title, now["text2"])

    def _day(self, painter: QPainter, rect: QRect, _number: int, row: Row, _selected: bool) -> None:
        now = theme.current()
        top = rect.bottom() - now.face("detail").line - now.px(3)
        painting.draw_text(painter, now.px(EDGE), top, "detail", row.title, now["text2"])

    def _recent(self, painter: QPainter, rect: QRect, _number: int, row: Row, selected: bool) -> None:
        now = theme.current()
        top = rect.top() + now.px(5)
        side = now.px(16)
        icons.draw_mark(painter, row.agent, now.px(EDGE), top + now.px(3), side, now["sel_text" if selected else "text"])
        self._titled(painter, top, now.px(46), row, "row", weight=600 if selected else None, selected=selected)
        self._detail(painter, top + now.px(19), now.px(46), row)

    def _doubt(self, painter: QPainter, rect: QRect, _number: int, row: Row, _selected: bool) -> None:
        now = theme.current()
        top = rect.top() + now.px(15)
        side = now.px(18)
        icons.draw_glyph(painter, "question", now.px(EDGE), top + (now.face("title").line - side) / 2, side, now["text"])
        room = self._right() - now.px(48)
        painting.draw_text(painter, now.px(48), top, "title", painting.elide(now, "title", row.title, room), now["text"])
        why = painting.elide(now, "detail", row.detail, room)
        painting.draw_text(painter, now.px(48), top + now.px(23), "detail", why, now["text2"])

    def _candidate(self, painter: QPainter, rect: QRect, number: int, row: Row, selected: bool) -> None:
        now = theme.current()
        left = now.px(52)
        top = rect.top() + now.px(10)
        if not row.first and not selected and not self._selected(number - 1):
            self._line(painter, rect.top(), left)
        cap = QRectF(now.px(EDGE), top, now.px(20), now.px(20))
        painting.fill_rounded(painter, cap, now.radii["box"], now["key"], now["keyline"])
        digit = str(row.number)
        inset = (cap.width() - painting.text_width(now, "detail", digit)) / 2
        painting.draw_text(painter, cap.left() + inset, top + now.px(1), "detail", digit, now["text"])
        self._titled(painter, top, left, row, "row_strong", selected=selected)
        passage = self._model.passages[number]
        if passage is not None:
            draw_passage(painter, now, passage, left, top + now.px(19), now["sel_text" if selected else "text"])
        side = now.px(12)
        bottom = top + now.px(39)
        icons.draw_mark(painter, row.agent, left, bottom + (now.face("detail").line - side) / 2, side, now["text2"])
        self._detail(painter, bottom, left + now.px(18), row)

    def _further(self, painter: QPainter, rect: QRect, _number: int, row: Row, selected: bool) -> None:
        now = theme.current()
        x = float(now.px(EDGE))
        cap = now.size("keycap")
        top = rect.top() + (rect.height() - cap) / 2
        line = top + (cap - now.face("detail").line) / 2
        x += elided.draw_cap(painter, x, top, "Alt") + now.px(6)
        x += painting.draw_text(painter, x, line, "detail", "+", now["text2"]) + now.px(6)
        x += elided.draw_cap(painter, x, top, f"1…{row.number}" if row.number > 1 else "1") + now.px(8)
        x += painting.draw_text(painter, x, line, "detail", wording.chooses_one(), now["text2"]) + now.px(24)
        if not row.title:
            return
        ink = now["accent_text"]
        text = painting.elide(now, "detail", row.title, self._right() - x, Qt.TextElideMode.ElideRight)
        wide = painting.draw_text(painter, x, line, "detail", text, ink, weight=600 if selected else None)
        painter.fillRect(QRectF(x, line + now.face("detail").line - 1, wide, 1), ink)

    def _selected(self, number: int) -> bool:
        return self._view.selectionModel().isRowSelected(number)

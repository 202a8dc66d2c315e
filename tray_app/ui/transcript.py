"""The conversation as it is read: a text view over a window of a session.

Owns scrolling, folding, the grounds behind messages, and what a copy gives. Nothing in it can be followed, loaded or run:
the document holds only runs of text that `transcript_text` made, and its only links are our own (fold, copy).
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QContextMenuEvent,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextDocument,
    QTextFrameFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QTextBrowser, QWidget

from tray_app.records import SessionView
from tray_app.ui import icons, painting, theme
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.text_layout import draw_mark, spans
from tray_app.ui.transcript_text import FOLDED, Composed, Composer, Section

LEFT, RIGHT, MEASURE = 48, 24, 640
TOP, BOTTOM = 16, 32
SETTLE_MS = 80
"""After a change of width the folded lines are shortened anew, once it has come to rest."""


class Transcript(QTextBrowser):
    """Shows a `SessionView`. `edge_reached` asks for an earlier or later window by the index it should begin at."""

    edge_reached = Signal(int)
    copy_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.viewport().setAutoFillBackground(False)
        self.no_ring = True
        self._view: SessionView | None = None
        self._hit = ""
        self._words: tuple[str, ...] = ()
        self._opened: set[str] = set()
        self._made = Composed()
        self._document: QTextDocument | None = None
        self._asked = False
        self._at_hit = True
        """The hit stands where it was put: nobody has scrolled since, so a change of size puts it there again."""
        self._quiet = False
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self.rebuild)
        OverlayBar(self).actionTriggered.connect(self._scrolled)
        self.anchorClicked.connect(self._follow)
        self.verticalScrollBar().valueChanged.connect(self._look_at_edges)
        theme.notifier().changed.connect(self.rebuild)
        self._dress()

    # --- what is shown -----------------------------------------------------------------------------------------------
    @property
    def sections(self) -> list[Section]:
        return self._made.sections

    @property
    def marks(self) -> dict[int, list[tuple[int, int]]]:
        """Found words by block number, in UTF-16."""
        return self._made.marks

    def show_session(self, view: SessionView, hit: str, words: Sequence[str]) -> None:
        """Show a window of a session, with the message `hit` beginning a third down; '' for its beginning."""
        if self._view is None or self._view.session != view.session:
            self._opened = set()
        self._view, self._hit, self._words = view, hit, tuple(words)
        self._asked = False
        self._at_hit = True
        self._open_hit()
        self._compose()
        if hit:
            self.scroll_to(hit)
        else:
            self._set_scroll(0)

    def show_window(self, view: SessionView) -> None:
        """Another window of the same session: what is being read stays where it is."""
        self._view = view
        self._asked = False
        self.rebuild()

    def set_words(self, words: Sequence[str]) -> None:
        """Mark other words."""
        if tuple(words) != self._words:
            self._words = tuple(words)
            self.rebuild()

    def set_hit(self, hit: str) -> bool:
        """Make another message of this window the hit, and go there; False if it is not in it."""
        if self._view is None or all(hit not in section.ids for section in self.sections):
            return False
        self._hit = hit
        self._at_hit = True
        self._open_hit()
        self._compose()
        self.scroll_to(hit)
        return True

    def clear_session(self) -> None:
        self._view, self._hit = None, ""
        self._made = Composed()
        self.clear()

    def rebuild(self) -> None:
        """Write the document anew; the message at the top of the view keeps its place."""
        self._dress()
        if self._view is None:
            return
        anchor, offset = self._top_message()
        self._compose()
        if self._at_hit and self._hit:
            self.scroll_to(self._hit)
        elif anchor:
            for section in self.sections:
                if anchor in section.ids:
                    self._set_scroll(self._top_of(section) - offset)
                    return

    def scroll_to(self, message_id: str) -> None:
        """Bring a message to one third of the height, or the first found word in it if that would be out of view."""
        for section in self.sections:
            if message_id in section.ids:
                top = self._top_of(section)
                height = self.viewport().height()
                if height < 40:
                    return
                for number in range(section.first, section.last + 1):
                    if number in self._made.marks:
                        word = self._block_rect(self.document().findBlockByNumber(number)).top()
                        if word - top > height * 0.55:
                            top = word
                        break
                self._set_scroll(top - height / 3)
                return

    def toggle(self, message_id: str) -> None:
        """Open or close a folded line."""
        ids = next((set(section.ids) for section in self.sections if message_id in section.ids), {message_id})
        self._opened = self._opened - ids if self._opened & ids else self._opened | {message_id}
        self._at_hit = False
        self.rebuild()

    def _open_hit(self) -> None:
        """A passage that was found in a folded line is shown open."""
        view = self._view
        if view is not None and any(one.message_id == self._hit and one.role in FOLDED for one in view.messages):
            self._opened |= {self._hit}

    # --- inside ------------------------------------------------------------------------------------------------------
    def _compose(self) -> None:
        view = self._view
        if view is None:
            return
        self._quiet = True
        document = QTextDocument(self)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(theme.current().font("reading"))
        self._made = Composer(document, theme.current(), view.agent, self._measure()).write(
            view.messages, self._hit, self._opened, self._words
        )
        before = self._document
        self._document = document
        self.setDocument(document)
        if before is not None:
            before.deleteLater()
        self._set_margins()
        self._quiet = False

    def _measure(self) -> float:
        now = theme.current()
        return float(min(max(self.viewport().width() - now.px(LEFT) - now.px(RIGHT), now.px(160)), now.px(MEASURE)))

    def _extra(self) -> float:
        """What the margins have grown by where the pane is wider than the measure."""
        now = theme.current()
        return max((self.viewport().width() - now.px(LEFT) - now.px(RIGHT) - self._measure()) / 2, 0.0)

    def _set_margins(self) -> None:
        now = theme.current()
        shape = QTextFrameFormat()
        shape.setLeftMargin(now.px(LEFT) + self._extra())
        shape.setRightMargin(max(self.viewport().width() - now.px(LEFT) - self._extra() - self._measure(), 0))
        shape.setTopMargin(now.px(TOP))
        shape.setBottomMargin(now.px(BOTTOM))
        self.document().rootFrame().setFrameFormat(shape)

    def _dress(self) -> None:
        now = theme.current()
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, now["text"])
        palette.setColor(QPalette.ColorRole.Highlight, now["accent"])
        palette.setColor(QPalette.ColorRole.HighlightedText, now["on_accent"])
        self.setPalette(palette)

    def _layout(self) -> QAbstractTextDocumentLayout:
        return self.document().documentLayout()

    def _block_rect(self, block: QTextBlock) -> QRectF:
        return self._layout().blockBoundingRect(block)

    def _top_of(self, section: Section) -> float:
        pad = theme.current().px(12 if section.kind == "said" else 4)
        return self._block_rect(self.document().findBlockByNumber(section.first)).top() - pad

    def _bottom_of(self, section: Section) -> float:
        pad = theme.current().px(14 if section.kind == "said" else 4)
        last = self.document().findBlockByNumber(section.last)
        if any(code.last == section.last for code in self._made.codes):
            pad += theme.current().px(8)
        return self._block_rect(last).bottom() + pad

    def _top_message(self) -> tuple[str, float]:
        """The first message in view, and how far its top is above the view's."""
        scroll = self.verticalScrollBar().value()
        for section in self.sections:
            if self._bottom_of(section) > scroll:
                return section.ids[0], self._top_of(section) - scroll
        return "", 0.0

    def _set_scroll(self, value: float) -> None:
        self._quiet = True
        self._layout().documentSize()  # everything has to be laid out before the bar knows its range
        self.verticalScrollBar().setValue(round(value))
        self._quiet = False

    def _look_at_edges(self) -> None:
        view = self._view
        if view is None or self._quiet or self._asked:
            return
        bar = self.verticalScrollBar()
        screen = self.viewport().height()
        if bar.value() < screen and view.first > 0:
            self._asked = True
            self.edge_reached.emit(max(view.first - STEP, 0))
        elif bar.value() > bar.maximum() - screen and view.first + len(view.messages) < view.total:
            self._asked = True
            self.edge_reached.emit(view.first + STEP)

    def _scrolled(self) -> None:
        self._at_hit = False

    def edge_failed(self) -> None:
        """The window that was asked for does not come."""
        self._asked = False

    def _follow(self, url: QUrl) -> None:
        kind, _, value = url.toString().partition(":")
        if kind == "fold":
            self.toggle(value)
        elif kind == "copy" and value.isdigit() and int(value) < len(self._made.codes):
            self.copy_wanted.emit(self._made.codes[int(value)].text)

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def loadResource(self, kind: int, _name: QUrl | str) -> object:
        """Nothing is ever loaded. Returning nothing would let Qt open the file itself."""
        return QImage(1, 1, QImage.Format.Format_ARGB32) if kind == QTextDocument.ResourceType.ImageResource.value else b""

    def createMimeDataFromSelection(self) -> QMimeData:
        """Plain text alone, with LF."""
        data = QMimeData()
        text = self.textCursor().selectedText()
        data.setText(text.replace("\u2029", "\n").replace("\u2028", "\n").replace("\u00a0", " "))
        return data

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copy = menu.addAction(self.tr("Copy"), self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        menu.addAction(self.tr("Select all"), self.selectAll)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._quiet = True
        super().resizeEvent(event)
        self._quiet = False
        if self._view is None:
            return
        if event.size().width() != event.oldSize().width():
            self._set_margins()
            self._settle.start()
        if self._at_hit and self._hit:
            self.scroll_to(self._hit)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._scrolled()
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._scrolled()
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), now["bg"])
        painter.translate(0, -self.verticalScrollBar().value())
        top = self.verticalScrollBar().value()
        bottom = top + self.viewport().height()
        shown = [section for section in self.sections if self._bottom_of(section) >= top and self._top_of(section) <= bottom]
        for section in shown:
            self._paint_ground(painter, section)
        if shown:
            self._paint_codes(painter, shown[0].first, shown[-1].last)
            self._paint_marks(painter, shown[0].first, shown[-1].last)
        for section in shown:
            self._paint_signs(painter, section)
        painter.end()
        super().paintEvent(event)

    def _paint_ground(self, painter: QPainter, section: Section) -> None:
        now = theme.current()
        top, bottom = self._top_of(section), self._bottom_of(section)
        if section.message.role == "user":
            painter.fillRect(QRectF(0, top, self.viewport().width(), bottom - top), now["sunken"])
        if section.is_hit:
            painter.fillRect(QRectF(0, top + 2, 3, bottom - top - 4), now["accent"])

    def _paint_codes(self, painter: QPainter, first: int, last: int) -> None:
        now = theme.current()
        left = now.px(LEFT) + self._extra()
        for code in self._made.codes:
            if code.last >= first and code.first <= last:
                top = self._block_rect(self.document().findBlockByNumber(code.first)).top() - now.px(5)
                bottom = self._block_rect(self.document().findBlockByNumber(code.last)).bottom() + now.px(8)
                painting.fill_rounded(
                    painter, QRectF(left, top, self._measure(), bottom - top), now.radii["control"], now["code"]
                )

    def _paint_marks(self, painter: QPainter, first: int, last: int) -> None:
        now = theme.current()
        for number, marks in self._made.marks.items():
            if not first <= number <= last:
                continue
            block = self.document().findBlockByNumber(number)
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
        left = now.px(24) + self._extra()
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
                x = now.px(LEFT) + self._extra() + self._measure() - wide
                icons.draw_glyph(painter, "warn", x, middle - side / 2, side, now["warn"])
            return
        side = now.px(14)
        color = now["accent" if section.is_hit else "text2"]
        role = icons.ROLE_GLYPHS.get(section.message.role, "reply")
        icons.draw_glyph(painter, role, left, middle - side / 2, side, color)

    def _middle_of(self, number: int) -> float:
        """The middle of the words in a block's first line: a fixed line height does not put them in its middle."""
        layout = self.document().findBlockByNumber(number).layout()
        if layout.lineCount() == 0:
            return layout.position().y()
        line = layout.lineAt(0)
        return float(round(layout.position().y() + line.y() + line.ascent() - 0.36 * theme.current().face("row").size))


STEP = 40
"""Messages put before or after when an edge is near, and as many taken away at the far end."""
EITHER_SIDE = 60
"""Messages read at either side of a hit."""

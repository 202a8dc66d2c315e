"""The conversation as it is read: a text view over a window of a session.

Owns scrolling, folding and what a copy gives; what is painted behind the words is `transcript_grounds`'. Nothing in it can be followed, loaded or run:
the document holds only runs of text that `transcript_text` made, and its only links are our own (fold, copy).
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QTextBrowser, QWidget

from tray_app.records import SessionView
from tray_app.ui import theme
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.transcript_grounds import Grounds, measure
from tray_app.ui.transcript_text import FOLDED, Composed, Composer, Section

STEP = 40
"""Messages put before or after when an edge is near, and as many taken away at the far end."""
EITHER_SIDE = 60
"""Messages read at either side of a hit."""
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
        self._grounds = Grounds(self.document(), self._made, 0)
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
        self._set_margins()

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
                    self._set_scroll(self._grounds.top_of(section) - offset)
                    return

    def scroll_to(self, message_id: str) -> None:
        """Bring a message to one third of the height, or the first found word in it if that would be out of view."""
        for section in self.sections:
            if message_id in section.ids:
                top = self._grounds.top_of(section)
                height = self.viewport().height()
                if height < 40:
                    return
                for number in range(section.first, section.last + 1):
                    if number in self._made.marks:
                        word = self._grounds.block_rect(number).top()
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
        self._made = Composer(document, theme.current(), view.agent, measure(self.viewport().width())).write(
            view.messages, self._hit, self._opened, self._words
        )
        before = self._document
        self._document = document
        self.setDocument(document)
        if before is not None:
            before.deleteLater()
        self._set_margins()
        self._quiet = False

    def _set_margins(self) -> None:
        self._grounds = Grounds(self.document(), self._made, self.viewport().width())
        self._grounds.set_margins()

    def _dress(self) -> None:
        now = theme.current()
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        palette.setColor(QPalette.ColorRole.Text, now["text"])
        palette.setColor(QPalette.ColorRole.Highlight, now["accent"])
        palette.setColor(QPalette.ColorRole.HighlightedText, now["on_accent"])
        self.setPalette(palette)

    def _top_message(self) -> tuple[str, float]:
        """The first message in view, and how far its top is above the view's."""
        scroll = self.verticalScrollBar().value()
        for section in self.sections:
            if self._grounds.bottom_of(section) > scroll:
                return section.ids[0], self._grounds.top_of(section) - scroll
        return "", 0.0

    def _set_scroll(self, value: float) -> None:
        self._quiet = True
        self.document().documentLayout().documentSize()  # everything has to be laid out before the bar knows its range
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
        self._grounds.paint(painter, top, top + self.viewport().height())
        painter.end()
        super().paintEvent(event)

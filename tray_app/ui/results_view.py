"""The left-hand list: one flat list of rows that is moved through by keys pressed anywhere in the window.

Owns the selection. Heads and lines between groups are never selected.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from tray_app.ui import rows as kinds
from tray_app.ui import theme
from tray_app.ui.results_delegate import ResultsDelegate
from tray_app.ui.results_model import ResultsModel
from tray_app.ui.rows import Row
from tray_app.ui.scroll_bar import OverlayBar


class ResultsView(QListView):
    """Rows of `ResultsModel`. `chosen` follows the selection; `opened` is Enter, a double click, or a click on a line
    that leads on."""

    chosen = Signal(object)
    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ResultsModel()
        self.setModel(self.rows)
        self.setItemDelegate(ResultsDelegate(self.rows, self, lambda: self.dimmed))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(False)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.viewport().setAutoFillBackground(False)
        self.setTabKeyNavigation(False)
        self.verticalScrollBar().setSingleStep(theme.current().px(24))
        OverlayBar(self)
        theme.notifier().changed.connect(self._follow_theme)
        self.selectionModel().currentChanged.connect(self._tell)
        self._by_hand = False
        """The selected row was gone to by the person."""
        self.dimmed = False
        """The keyboard is in another list, whose chosen row is the one in colour."""
        self.clicked.connect(self._note_choice)

    def set_dimmed(self, dimmed: bool) -> None:
        self.dimmed = dimmed
        self.viewport().update()

    def show_rows(self, rows: Sequence[Row], *, select: bool = True, keep: bool = True) -> None:
        """Replace the rows. The row with the anchor that was selected stays selected if the person chose it, or if `keep`
        (the question is the same); else the first is."""
        before = self.current_row()
        self.rows.set_width(self.width())
        self.rows.set_rows(rows)
        places = self.rows.selectable()
        if not places or not select:
            self.chosen.emit(None)
            return
        kept = self.rows.find(before.anchor) if before is not None and (keep or self._by_hand) else -1
        self._go(kept if kept >= 0 else places[0])
        if kept < 0:
            self._by_hand = False
            self.scrollToTop()

    def current_row(self) -> Row | None:
        """The selected row; None if there is none."""
        index = self.currentIndex()
        if not index.isValid() or not 0 <= index.row() < len(self.rows.rows):
            return None
        row = self.rows.rows[index.row()]
        return row if row.kind in kinds.SELECTABLE else None

    def select_anchor(self, anchor: str) -> bool:
        """Select the row with this anchor; False if there is none."""
        place = self.rows.find(anchor)
        if place >= 0:
            self._by_hand = True
            self._go(place)
        return place >= 0

    def _note_choice(self) -> None:
        self._by_hand = True

    def move_by(self, step: int) -> None:
        """Up or down by so many rows that can be selected."""
        places = self.rows.selectable()
        if not places:
            return
        self._by_hand = True
        here = self.currentIndex().row()
        if here not in places:
            self._go(places[0] if step > 0 else places[-1])
            return
        at = min(max(places.index(here) + step, 0), len(places) - 1)
        self._go(places[at])
        if at == 0:
            self.scrollToTop()  # the head above the first row comes into view too

    def move_by_session(self, step: int) -> None:
        """To the first row of the next or previous session."""
        places = self.rows.selectable()
        here = self.current_row()
        if here is None or not places:
            self.move_by(step)
            return
        self._by_hand = True
        starts: list[int] = []
        for place in places:
            if not starts or self.rows.rows[place].session != self.rows.rows[starts[-1]].session:
                starts.append(place)
        now = self.currentIndex().row()
        if step > 0:
            after = [place for place in starts if place > now]
            self._go(after[0] if after else starts[-1])
        else:
            before = [place for place in starts if place < now]
            # from inside a session, up goes to its own first row before it goes to the one above
            self._go(before[-1] if before else starts[0])
            if not before or before[-1] == places[0]:
                self.scrollToTop()

    def move_by_page(self, step: int) -> None:
        """Up or down by what fits in the window."""
        height = self.viewport().height()
        places = self.rows.selectable()
        here = self.currentIndex().row()
        if here not in places:
            self.move_by(step)
            return
        self._by_hand = True
        passed, at = 0, places.index(here)
        while 0 <= at + step < len(places) and passed < height:
            at += step
            passed += self.rows.heights[places[at]]
        self._go(places[at])

    def choose_number(self, number: int) -> bool:
        """Open the candidate with this number; False if there is none."""
        for place, row in enumerate(self.rows.rows):
            if row.kind == kinds.CANDIDATE and row.number == number:
                self._go(place)
                self.opened.emit(row)
                return True
        return False

    def open_current(self) -> None:
        row = self.current_row()
        if row is not None:
            self.opened.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key = Qt.Key(event.key())
        by_session = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if key in steps:
            (self.move_by_session if by_session else self.move_by)(steps[key])
        elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            self.move_by_page(-1 if key == Qt.Key.Key_PageUp else 1)
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.move_by(-100_000 if key == Qt.Key.Key_Home else 100_000)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_current()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and self.rows.rows[index.row()].kind in kinds.SELECTABLE:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.current_row() is not None and self.indexAt(event.position().toPoint()) == self.currentIndex():
            self.open_current()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        row = self.current_row()
        if row is not None and row.kind == kinds.FURTHER and self.indexAt(event.position().toPoint()) == self.currentIndex():
            self.opened.emit(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.rows.set_width(self.width()):
            self.scheduleDelayedItemsLayout()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.current()["bg"])
        painter.end()
        super().paintEvent(event)

    def _follow_theme(self) -> None:
        before = self.current_row()
        self.rows.refresh()
        if before is not None:
            self.select_anchor(before.anchor)

    def _go(self, place: int) -> None:
        index = self.rows.index(place)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    def _tell(self, current: QModelIndex, _before: QModelIndex) -> None:
        row = self.rows.rows[current.row()] if current.isValid() and current.row() < len(self.rows.rows) else None
        if row is None or row.kind in kinds.SELECTABLE:
            if row is not None and not self.hasFocus() and QAccessible.isActive():
                # The keyboard stays in the field while the arrows move this list: without this nobody hears where it is.
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, row.spoken))
            self.chosen.emit(row)

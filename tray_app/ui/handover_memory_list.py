"""The list of memories: one model, one delegate, and a place in it where one of them is edited.

Rows of 36 px: kind, text, date. The row that is edited (or a new one, always the first) holds a real widget; no other does.
A table of one column, because one row of it can be made higher without a question to each of ten thousand others.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from tray_app.records import MemoryView
from tray_app.ui import painting, theme
from tray_app.ui.handover_texts import texts
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.text_layout import one_line

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
SIDE, KIND = 24, 80
SHOWN_CHARS = 400


class MemoryModel(QAbstractListModel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.all: list[MemoryView] = []
        self.rows: list[MemoryView] = []
        self.kind = ""
        self.new = False
        """The first row is one that is being written."""
        self.open_row = -1
        self._lines: dict[int, tuple[str, str]] = {}

    def set_all(self, memories: Sequence[MemoryView]) -> None:
        if list(memories) == self.all:
            return  # nothing that is pointed at or listened to should go and come again
        self.beginResetModel()
        self.all = list(memories)
        self._lines.clear()
        self._filter()
        self.endResetModel()

    def set_kind(self, kind: str) -> None:
        self.beginResetModel()
        self.kind = kind
        self._filter()
        self.endResetModel()

    def counts(self) -> dict[str, int]:
        """Memories by kind, '' for all."""
        found = {"": len(self.all)}
        for memory in self.all:
            found[memory.kind] = found.get(memory.kind, 0) + 1
        return found

    def _filter(self) -> None:
        self.open_row, self.new = -1, False
        self.rows = [memory for memory in self.all if memory.kind == self.kind] if self.kind else self.all

    def begin_new(self) -> None:
        self.beginInsertRows(TOP, 0, 0)
        self.new = True
        self.endInsertRows()

    def end_new(self) -> None:
        if self.new:
            self.beginRemoveRows(TOP, 0, 0)
            self.new = False
            self.endRemoveRows()

    def memory(self, row: int) -> MemoryView | None:
        """None for the row that is being written, and beyond the end."""
        at = row - 1 if self.new else row
        return self.rows[at] if 0 <= at < len(self.rows) else None

    def row_of(self, number: int) -> int:
        """Where a memory stands; -1 if it does not."""
        at = next((at for at, memory in enumerate(self.rows) if memory.id == number), -1)
        return at + 1 if at >= 0 and self.new else at

    def lines(self, memory: MemoryView) -> tuple[str, str]:
        """Title and what stands behind it: the content, or what of it the title does not say."""
        found = self._lines.get(memory.id)
        if found is None:
            title, content = one_line(memory.title), _without_signs(memory.content[:SHOWN_CHARS])
            found = (content, "") if not title or content.startswith(title.rstrip("…")) else (title, content)
            self._lines[memory.id] = found
        return found

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows) + (1 if self.new else 0)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        memory = self.memory(index.row()) if index.isValid() else None
        if memory is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            parts = (texts.kind(memory.kind), *self.lines(memory), texts.day(memory.updated))
            return ", ".join(part for part in parts if part)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        on = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return on if index.isValid() else Qt.ItemFlag.NoItemFlags


def _without_signs(content: str) -> str:
    """As one line, without the signs of headings and items: between words they say nothing."""
    return one_line(" ".join(line.lstrip(" \t#*>-") for line in content.split("\n")))


class MemoryList(QTableView):
    """`edit_wanted`, `archive_wanted` and `menu_wanted` say what the person wants of a memory."""

    edit_wanted = Signal(int)
    archive_wanted = Signal(int)
    menu_wanted = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = MemoryModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(_Delegate(self.rows, self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.horizontalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(theme.current().size("memory_row"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.viewport().setAutoFillBackground(False)
        own = self.palette()
        own.setColor(QPalette.ColorRole.Highlight, QColor(0, 0, 0, 0))  # the delegate shows what is selected
        self.setPalette(own)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        OverlayBar(self)
        self.clicked.connect(lambda index: self._tell(self.edit_wanted, index.row()))
        self.customContextMenuRequested.connect(self._menu)

    # --- the open row ------------------------------------------------------------------------------------------------
    def hold(self, row: int, widget: QWidget) -> None:
        """Put a widget into a row, which becomes as high as it needs."""
        self.rows.open_row = row
        index = self.rows.index(row)
        self.setIndexWidget(index, widget)
        self.fit(widget)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def fit(self, widget: QWidget) -> None:
        high = widget.sizeHint().height()
        if high != self.rowHeight(self.rows.open_row):
            self.setRowHeight(self.rows.open_row, high)

    def let_go(self) -> None:
        """No row holds a widget any more."""
        row = self.rows.open_row
        if row < 0:
            return
        self.rows.open_row = -1
        self.setIndexWidget(self.rows.index(row), None)  # type: ignore[arg-type]
        self.setRowHeight(row, self.verticalHeader().defaultSectionSize())
        self.rows.end_new()

    # --- keys and pointer --------------------------------------------------------------------------------------------
    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._tell(self.edit_wanted, row)
        elif event.key() == Qt.Key.Key_Delete:
            self._tell(self.archive_wanted, row)
        elif event.key() == Qt.Key.Key_Menu:
            self._menu(self.visualRect(self.currentIndex()).center())
        elif event.key() == Qt.Key.Key_Escape or (event.text().isprintable() and event.text()):
            event.ignore()  # typing must not jump about in the list
        else:
            super().keyPressEvent(event)

    def _menu(self, place: QPoint) -> None:
        memory = self.rows.memory(self.indexAt(place).row())
        if memory is not None:
            self.menu_wanted.emit(memory.id, self.viewport().mapToGlobal(place))

    def _tell(self, signal: object, row: int) -> None:
        memory = self.rows.memory(row)
        if memory is not None and row != self.rows.open_row:
            signal.emit(memory.id)  # type: ignore[attr-defined]

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.current()["bg"])
        painter.end()
        super().paintEvent(event)


class _Delegate(QStyledItemDelegate):
    def __init__(self, model: MemoryModel, view: MemoryList) -> None:
        super().__init__(view)
        self._model, self._view = model, view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        now = theme.current()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        left, right = now.px(SIDE), self._view.width() - now.px(SIDE)
        memory = self._model.memory(index.row())
        painter.save()
        if index.row() == self._model.open_row or memory is None:
            painting.hairline(painter, left, rect.bottom(), right - left, now["line"])
            painter.restore()
            return
        selected = bool(state & QStyle.StateFlag.State_Selected) and self._view.hasFocus()
        if selected or state & QStyle.StateFlag.State_MouseOver:
            ground = QRectF(left - now.px(8), rect.top() + 1, right - left + now.px(16), rect.height() - 3)
            painting.fill_rounded(painter, ground, now.radii["row"], now["sel" if selected else "hover"])
            if selected:
                bar = QRectF(ground.left(), ground.top() + now.px(8), 3, ground.height() - now.px(16))
                painting.fill_rounded(painter, bar, 1.5, now["accent"])
        else:
            painting.hairline(painter, left, rect.bottom(), right - left, now["line"])
        top = rect.top() + (rect.height() - now.face("body").line) / 2
        small = rect.top() + (rect.height() - now.face("detail").line) / 2
        kind = painting.elide(now, "detail", texts.kind(memory.kind), now.px(KIND - 8))
        painting.draw_text(painter, left, small, "detail", kind, now["text2"])
        day = texts.day(memory.updated)
        wide = painting.text_width(now, "detail", day)
        painting.draw_text(painter, right - wide, small, "detail", day, now["text2"])
        at = left + now.px(KIND)
        room = right - wide - now.px(16) - at
        first, more = self._model.lines(memory)
        weight = 600 if selected else 500 if more else None
        face = "row" if more else "body"
        shown = painting.elide(now, face, first, room, weight=weight)
        used = painting.draw_text(painter, at, top, face, shown, now["text"], weight=weight)
        rest = room - used - now.px(8)
        if more and rest > now.px(40):
            painting.draw_text(
                painter, at + used + now.px(8), top, "body", painting.elide(now, "body", more, rest), now["text2"]
            )
        painter.restore()

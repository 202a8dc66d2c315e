"""Index health's table by source: model and delegate. Rows of 28 px, no grid, zeros step back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from tray_app.ui import i18n, icons, painting, theme
from tray_app.ui.health_texts import Row

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
NAME, SESSIONS, PASSAGES, SKIPPED, CUT, STATE = range(6)
WIDTHS = {SESSIONS: 90, PASSAGES: 110, SKIPPED: 110, CUT: 90, STATE: 260}


class HealthModel(QAbstractTableModel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def set_rows(self, rows: list[Row]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else 6

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            names = (
                self.tr("By source"), self.tr("Sessions"), self.tr("Passages"), self.tr("Skipped"), self.tr("Cut"), self.tr("State"),
            )  # fmt: skip
            return names[section]
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.rows[index.row()]
        column = index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return (
                row.name, i18n.count(row.sessions), i18n.count(row.passages), row.skipped or i18n.count(0),
                i18n.count(row.cut), row.state,
            )[column]  # fmt: skip
        if role == Qt.ItemDataRole.ToolTipRole and column == STATE:
            return row.state
        return None


class HealthDelegate(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, theme.current().size("table_row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        now = theme.current()
        model = index.model()
        assert isinstance(model, HealthModel)
        row, column = model.rows[index.row()], index.column()
        rect: QRect = option.rect
        state: Any = option.state
        painter.save()
        if state & QStyle.StateFlag.State_Selected and state & QStyle.StateFlag.State_HasFocus:
            painter.fillRect(rect, now["sel"])
        text = str(index.data())
        face, ink, weight = "detail", "text", 400
        side = now.px(14)
        top = rect.top() + (rect.height() - now.face("detail").line) / 2
        left = float(rect.left())
        if column == NAME:
            face, weight = "row", 500
            top = rect.top() + (rect.height() - now.face("row").line) / 2
            icons.draw_mark(painter, row.agent, left, rect.center().y() - side / 2 + 1, side, now["text2"])
            left += now.px(24)
        elif column == STATE:
            left += now.px(30)
            icons.draw_glyph(
                painter,
                row.glyph,
                left,
                rect.center().y() - side / 2 + 1,
                side,
                now["warn" if row.glyph == "warn" else "text2"],
            )
            left += now.px(20)
            ink = "text2"
        else:
            zero = text == i18n.count(0)
            ink = "text3" if zero else "warn" if column == SKIPPED else "text"
            weight = 600 if column == SKIPPED and not zero else 400
        room = rect.right() + 1 - left
        shown = painting.elide(now, face, text, room, weight=weight)
        if column in (SESSIONS, PASSAGES, SKIPPED, CUT):
            left = rect.right() + 1 - painting.text_width(now, face, shown, weight)
        painting.draw_text(painter, left, top, face, shown, now[ink], weight=weight)
        painter.restore()


class HealthHeader(QHeaderView):
    """The names of the columns, over a hairline; figures' names stand at the right like the figures."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(False)

    def sizeHint(self) -> QSize:
        return QSize(0, theme.current().px(30))

    def paintSection(self, painter: QPainter, rect: QRect, column: int) -> None:
        now = theme.current()
        painter.save()
        painter.fillRect(rect, now["bg"])
        text = str(self.model().headerData(column, Qt.Orientation.Horizontal))
        left = float(rect.left())
        if column == STATE:
            left += now.px(30)
        elif column != NAME:
            left = rect.right() + 1 - painting.text_width(now, "label", text)
        top = rect.top() + (rect.height() - now.face("label").line) / 2
        painting.draw_text(painter, left, top, "label", text, now["text2"])
        painting.hairline(painter, rect.left(), rect.bottom(), rect.width(), now["line"])
        painter.restore()


class HealthTable(QTableView):
    """As high as its rows; the window scrolls, not the table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = HealthModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(HealthDelegate(self))
        header = HealthHeader(self)
        self.setHorizontalHeader(header)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(theme.current().size("table_row"))
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column, width in WIDTHS.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, theme.current().px(width))

    def set_rows(self, rows: list[Row]) -> None:
        self.rows.set_rows(rows)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + len(rows) * theme.current().size("table_row") + 2)

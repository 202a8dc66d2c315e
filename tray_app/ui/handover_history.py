"""The History tab: earlier checkpoints, and what each of them changed.

At the left when, newest first; at the right what became another then: lists by item, prose by word. One can be put back.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QListView,
    QScrollArea,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from tray_app.records import CheckpointState, CheckpointView
from tray_app.records.memory import FIELDS
from tray_app.ui import painting, theme
from tray_app.ui.controls import Hairline, Label, PlainButton
from tray_app.ui.handover_fields import compared, shown, value_of
from tray_app.ui.handover_spans import SpanText
from tray_app.ui.handover_texts import texts
from tray_app.ui.scroll_bar import OverlayBar

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
WIDTH = 176


class _Model(QAbstractListModel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[CheckpointView] = []

    def set_rows(self, rows: Sequence[CheckpointView]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return ", ".join(texts.version(self.rows[index.row()]))
        return None


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(10, theme.current().size("project_row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        now = theme.current()
        model = index.model()
        assert isinstance(model, _Model)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        ground = QRectF(rect.left() + now.px(8), rect.top() + 2, rect.width() - now.px(16), rect.height() - 4)
        if selected or state & QStyle.StateFlag.State_MouseOver:
            painting.fill_rounded(painter, ground, now.radii["row"], now["sel" if selected else "hover"])
        if selected:
            bar = QRectF(ground.left(), ground.top() + now.px(8), 3, ground.height() - now.px(16))
            painting.fill_rounded(painter, bar, 1.5, now["accent"])
        when, source = texts.version(model.rows[index.row()])
        left, room = rect.left() + now.px(24), rect.width() - now.px(40)
        weight = 600 if selected else 500
        text = painting.elide(now, "row", when, room, weight=weight)
        painting.draw_text(painter, left, rect.top() + now.px(4), "row", text, now["text"], weight=weight)
        painting.draw_text(
            painter, left, rect.top() + now.px(24), "detail", painting.elide(now, "detail", source, room), now["text2"]
        )
        painter.restore()


class HistoryTab(QWidget):
    restored = Signal(object)
    """The checkpoint whose fields are wanted back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._versions = _Model(self)
        self._project = ""
        self.list = QListView(self)
        self.list.setModel(self._versions)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setTabKeyNavigation(False)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setFixedWidth(now.px(WIDTH))
        OverlayBar(self.list)
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget(self.area.viewport())  # where it will be: a change of parent styles all of it anew
        self.heading = Label("", "label", "text2", inner)
        self.back = PlainButton("", inner)
        head = QHBoxLayout()
        head.addWidget(self.heading, 1)
        head.addWidget(self.back)
        column = QVBoxLayout(inner)
        column.setContentsMargins(now.px(24), now.px(12), now.px(24), now.px(16))
        column.setSpacing(now.px(8))
        column.addLayout(head)
        column.addWidget(Hairline(inner))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(now.px(12))
        self._grid.setVerticalSpacing(now.px(10))
        self._grid.setColumnMinimumWidth(0, now.px(84))
        self._grid.setColumnStretch(1, 1)
        self._labels: dict[str, Label] = {}
        self.fields: dict[str, SpanText] = {}
        for number, name in enumerate(FIELDS):
            label = Label("", "row_strong", "text", inner)
            label.setMinimumHeight(now.face("body").line)
            text = SpanText(inner)
            self._labels[name], self.fields[name] = label, text
            self._grid.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, number, 1)
        column.addLayout(self._grid)
        column.addStretch(1)
        self.area.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.area.viewport().setAutoFillBackground(False)
        OverlayBar(self.area)
        self.none = Label("", "body", "text2", self, wrap=True)
        self.none.setContentsMargins(now.px(24), now.px(20), now.px(24), 0)
        self.none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._line = Hairline(self, vertical=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        left = QVBoxLayout()
        left.setContentsMargins(0, now.px(8), 0, 0)
        left.addWidget(self.list)
        row.addLayout(left)
        row.addWidget(self._line)
        row.addWidget(self.area, 1)
        row.addWidget(self.none, 1)
        self.list.selectionModel().currentChanged.connect(lambda current, _before: self._show(current.row()))
        self.back.clicked.connect(self._restore)
        theme.notifier().changed.connect(self.list.scheduleDelayedItemsLayout)
        self.retranslate()

    @property
    def versions(self) -> list[CheckpointView]:
        return self._versions.rows

    def show_state(self, state: CheckpointState | None) -> None:
        found = [] if state is None else [one for one in (state.active, *state.history) if one is not None]
        before = self.list.currentIndex().row()
        kept = self.versions[before].id if 0 <= before < len(self.versions) else 0
        same = state is not None and state.project == self._project
        self._project = state.project if state is not None else ""
        if found != self.versions:
            self._versions.set_rows(found)
        self.list.setVisible(bool(found))
        self._line.setVisible(bool(found))
        self.area.setVisible(bool(found))
        self.none.setVisible(not found and state is not None)
        if found:
            at = next((at for at, one in enumerate(found) if same and one.id == kept), 0)
            self.list.setCurrentIndex(self._versions.index(at))
            self._show(at)

    def _show(self, at: int) -> None:
        if not 0 <= at < len(self.versions):
            return
        point = self.versions[at]
        earlier = self.versions[at + 1] if at + 1 < len(self.versions) else None
        changed = 0
        for name in FIELDS:
            new, old = value_of(point, name), value_of(earlier, name)
            lines = shown(name, new) if earlier is None else compared(name, old, new) if new != old else ()
            changed += bool(lines)
            self.fields[name].set_lines(lines)
            self.fields[name].setVisible(bool(lines))
            self._labels[name].setVisible(bool(lines))
        if earlier is None:
            self.heading.setText(self.tr("The first that is kept"))
        elif changed:
            self.heading.setText(self.tr("Changed on {day}").format(day=texts.day(point.created, clock=True)))
        else:
            self.heading.setText(self.tr("Nothing was changed"))
        self.back.setVisible(point.state != "active")

    def _restore(self) -> None:
        at = self.list.currentIndex().row()
        if 0 <= at < len(self.versions):
            self.restored.emit(self.versions[at])

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.current()["bg"])

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.list.setAccessibleName(self.tr("Earlier cards"))
        self.back.setText(self.tr("Put this one back"))
        self.none.setText(self.tr("Nothing yet: earlier cards are kept here, with what changed from one to the next."))
        for name, label in self._labels.items():
            label.setText(texts.field(name))
        self._show(self.list.currentIndex().row())

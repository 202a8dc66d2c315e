"""Clean-up: the plan is shown first; what it would put away or delete is done only when the person says so."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHBoxLayout,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from tray_app.errors import AppError
from tray_app.records import CleanupItem, CleanupPlan
from tray_app.service.backend import Backend
from tray_app.ui import painting, theme, wording
from tray_app.ui.controls import DangerButton, Hairline, Label, PlainButton, Tick
from tray_app.ui.handover_texts import texts
from tray_app.ui.queries import Lane
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.settings_rows import give_line
from tray_app.ui.text_layout import one_line, tip

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()
WIDTH, HEIGHT = 640, 480


class PlanModel(QAbstractListModel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[CleanupItem] = []

    def set_rows(self, rows: list[CleanupItem]) -> None:
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            item = self.rows[index.row()]
            parts = (texts.cleanup_action(item), texts.kind(item.kind), one_line(item.title), item.project)
            return ", ".join(part for part in (*parts, texts.cleanup_reason(item.reason)) if part)
        if index.isValid() and role == Qt.ItemDataRole.ToolTipRole:
            return tip(one_line(self.rows[index.row()].title))
        return None


class _Delegate(QStyledItemDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(10, theme.current().px(46))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        now = theme.current()
        model = index.model()
        assert isinstance(model, PlanModel)
        item, rect = model.rows[index.row()], QRect(option.rect)
        painter.save()
        left, right, top = now.px(20), rect.right() - now.px(20), rect.top() + now.px(4)
        action = texts.cleanup_action(item)
        ink = now["danger" if item.action == "delete" else "text2"]
        painting.draw_text(painter, left, top + 1, "detail", action, ink, weight=500)
        at = left + now.px(92)
        title = painting.elide(now, "row", one_line(item.title) or texts.kind(item.kind), right - at)
        painting.draw_text(painter, at, top, "row", title, now["text"])
        parts = (
            texts.kind(item.kind),
            one_line(item.project) if item.kind != "project" else "",
            texts.cleanup_reason(item.reason),
        )
        detail = painting.elide(now, "detail", " · ".join(part for part in parts if part), right - at)
        painting.draw_text(painter, at, top + now.px(19), "detail", detail, now["text2"])
        painting.hairline(painter, left, rect.bottom(), right - left, now["line"])
        painter.restore()


class CleanupDialog(QDialog):
    """`changed` is True once something was done."""

    def __init__(self, backend: Backend, space: str | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self._backend, self._space = backend, space
        self._lane = Lane("cleanup", self)
        self.changed = False
        self.setWindowTitle(self.tr("Clean up"))
        self.heading = give_line(Label(self.tr("Looking…"), "title", "text", self), "title")
        self.under = Label("", "body", "text2", self, wrap=True)
        self.purge = Tick(self)
        self.purge.setText(self.tr("Also delete for good what was put away long ago"))
        self.plan = PlanModel(self)
        self.list = QListView(self)
        self.list.setModel(self.plan)
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setTabKeyNavigation(False)
        self.list.viewport().setAutoFillBackground(False)
        self.list.setAccessibleName(self.tr("Plan"))
        OverlayBar(self.list)
        self.keep = PlainButton(self.tr("Keep everything"), self)
        self.apply = DangerButton(self.tr("Clean up"), self)
        side = now.px(20)
        head = QVBoxLayout()
        head.setContentsMargins(side, side, side, now.px(12))
        head.setSpacing(now.px(4))
        head.addWidget(self.heading)
        head.addWidget(self.under)
        foot = QHBoxLayout()
        foot.setContentsMargins(side, now.px(12), side, side)
        foot.setSpacing(now.px(8))
        foot.addWidget(self.purge)
        foot.addStretch(1)
        foot.addWidget(self.keep)
        foot.addWidget(self.apply)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(Hairline(self))
        column.addWidget(self.list, 1)
        column.addWidget(Hairline(self))
        column.addLayout(foot)
        self.resize(now.px(WIDTH), now.px(HEIGHT))
        self.keep.setDefault(True)
        self.keep.setFocus()
        self.keep.clicked.connect(self.reject)
        self.apply.clicked.connect(self._apply)
        self.purge.clicked.connect(lambda: self._ask(apply=False))
        self.finished.connect(lambda _result: self._lane.close())
        self._ask(apply=False)

    def _ask(self, *, apply: bool) -> None:
        purge, space = self.purge.isChecked(), self._space
        self.apply.setEnabled(False)
        if apply:  # what is being done must be heard of: it cannot be dropped for a newer question
            self.purge.setEnabled(False)
        self._lane.ask(lambda: self._backend.cleanup(apply=apply, purge=purge, space=space), self._show, self._failed)

    def _apply(self) -> None:
        self._ask(apply=True)

    def _show(self, plan: CleanupPlan) -> None:
        order = {"delete": 0, "archive": 1, "report": 2}
        self.plan.set_rows(sorted(plan.items, key=lambda item: order.get(item.action, 3)))
        doing = sum(item.action != "report" for item in plan.items)
        self.heading.setText(texts.planned(plan))
        if plan.applied:
            self.changed = self.changed or bool(plan.archived or plan.deleted)
            self.under.setText(
                self.tr("A backup was made first. What was put away can be restored.")
                if plan.backup
                else self.tr("What was put away can be restored.")
            )
            self.keep.setText(self.tr("Close"))
            self.keep.setFocus()
        elif doing:
            self.under.setText(self.tr("Nothing has been changed yet. A backup is made before anything is."))
        else:
            self.under.setText(
                self.tr("The rest is only told: decide of it yourself.") if plan.items else self.tr("Everything is in use.")
            )
        self.apply.setEnabled(bool(doing) and not plan.applied)
        if not plan.applied:
            self.apply.setText(self.tr("Clean up %Ln entries", "", doing))
        self.purge.setEnabled(not plan.applied)

    def _failed(self, fault: AppError) -> None:
        self.heading.setText(self.tr("That did not work"))
        self.under.setText(wording.error_text(fault))
        self.purge.setEnabled(True)

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme.current()["bg"])

"""The projects at the left: a filter field, one line of cache figures, and a list of what state each is in.

One model and one delegate for any number of projects; the model is also what the chooser of a narrow window shows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from tray_app.records import CacheStats, ProjectView, SpaceView
from tray_app.ui import icons, painting, theme
from tray_app.ui.controls import Chooser, ElidedLabel, Field, Label
from tray_app.ui.handover_texts import texts
from tray_app.ui.scroll_bar import OverlayBar
from tray_app.ui.text_layout import one_line, tip

Index = QModelIndex | QPersistentModelIndex
TOP = QModelIndex()


class ProjectModel(QAbstractListModel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.all: list[ProjectView] = []
        self.rows: list[ProjectView] = []
        self._words: list[str] = []

    def set_all(self, projects: Sequence[ProjectView]) -> None:
        if list(projects) == self.all:
            return
        self.beginResetModel()
        self.all = list(projects)
        self._narrow()
        self.endResetModel()

    def filter(self, text: str) -> None:
        self.beginResetModel()
        self._words = text.casefold().split()
        self._narrow()
        self.endResetModel()

    def _narrow(self) -> None:
        self.rows = [project for project in self.all if self._fits(project)]

    def _fits(self, project: ProjectView) -> bool:
        where = " ".join((project.name, project.folder, *project.aliases)).casefold()
        return all(word in where for word in self._words)

    def place(self, name: str) -> int:
        return next((at for at, project in enumerate(self.rows) if project.name == name), -1)

    def rowCount(self, parent: Index = TOP) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        project = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(project.name)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return texts.spoken(project)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip("\n".join(part for part in (texts.spoken(project), project.folder) if part))
        return None


class ProjectList(QListView):
    """`chosen` carries the name of the project that the person went to."""

    chosen = Signal(str)

    def __init__(self, model: ProjectModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = model
        self.setModel(model)
        self.setItemDelegate(_Delegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.viewport().setAutoFillBackground(False)
        OverlayBar(self)
        self._silent = False
        self.selectionModel().currentChanged.connect(self._tell)
        theme.notifier().changed.connect(self.scheduleDelayedItemsLayout)

    def select(self, name: str) -> None:
        """Mark a project without saying that it was chosen."""
        at = self.rows.place(name)
        self._silent = True
        if at >= 0:
            self.setCurrentIndex(self.rows.index(at))
            self.scrollTo(self.rows.index(at))
        else:
            self.selectionModel().clear()
        self._silent = False

    def quietly(self, change: Callable[[], None]) -> None:
        """Change the rows; what becomes current meanwhile was not chosen."""
        self._silent = True
        change()
        self._silent = False

    def _tell(self, current: QModelIndex, _before: QModelIndex) -> None:
        if not self._silent and current.isValid():
            self.chosen.emit(self.rows.rows[current.row()].name)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme.current()["sunken"])
        painter.end()
        super().paintEvent(event)


class _Delegate(QStyledItemDelegate):
    def __init__(self, view: ProjectList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(10, theme.current().size("project_row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        now = theme.current()
        project = self._view.rows.rows[index.row()]
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        active = self._view.isActiveWindow()
        painter.save()
        ground = QRectF(rect.left() + now.px(8), rect.top() + 2, rect.width() - now.px(16), rect.height() - 4)
        if selected:
            painting.fill_rounded(painter, ground, now.radii["row"], now["sel" if active else "hover"])
            bar = QRectF(ground.left(), ground.top() + now.px(6), 3, ground.height() - now.px(12))
            painting.fill_rounded(painter, bar, 1.5, now["accent" if active else "text3"])
        elif state & QStyle.StateFlag.State_MouseOver:
            painting.fill_rounded(painter, ground, now.radii["row"], now["hover"])
        left = rect.left() + now.px(20)
        text_left = rect.left() + now.px(42)
        room = rect.right() - now.px(12) - text_left
        top = rect.top() + now.px(4)
        side = now.px(14)
        icons.draw_glyph(painter, "project", left, top + (now.face("row").line - side) / 2, side, now["text2"])
        weight = 600 if selected else 500
        name = painting.elide(now, "row", one_line(project.name), room, weight=weight)
        painting.draw_text(painter, text_left, top, "row", name, now["text"], weight=weight)
        glyph, words = texts.project_state(project)
        under = top + now.px(19)
        if glyph:
            small = now.px(12)
            ink = now["warn" if glyph == "warn" else "text2"]
            icons.draw_glyph(painter, glyph, text_left, under + (now.face("detail").line - small) / 2, small, ink)
            text_left += now.px(17)
            room -= now.px(17)
        painting.draw_text(painter, text_left, under, "detail", painting.elide(now, "detail", words, room), now["text2"])
        painter.restore()


class ProjectColumn(QWidget):
    """216 px on sunken ground."""

    chosen = Signal(str)
    space_chosen = Signal(object)
    """Id of a space, or None for what belongs to none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.model = ProjectModel(self)
        self._stats: CacheStats | None = None
        self._spaces: list[SpaceView] = []
        self.spaces = Chooser(self)
        self.spaces.hide()
        self.filter = Field("", self, glyph="search")
        self.cache = ElidedLabel("", "detail", "text2", self)
        self.list = ProjectList(self.model, self)
        self.none = Label("", "detail", "text2", self, wrap=True)
        self.none.hide()
        side = now.px(16)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, side, 0, 0)
        column.setSpacing(now.px(8))
        head = QVBoxLayout()
        head.setContentsMargins(side, 0, side, 0)
        head.setSpacing(now.px(8))
        head.addWidget(self.spaces)
        head.addWidget(self.filter)
        head.addWidget(self.cache)
        head.addWidget(self.none)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        self.setFixedWidth(now.px(now.measures["window"]["handover"]["projects"]))
        self.filter.textChanged.connect(self._filter)
        self.filter.installEventFilter(self)
        self.list.chosen.connect(self.chosen)
        self.spaces.activated.connect(lambda at: self.space_chosen.emit(self.spaces.itemData(at)))
        self.retranslate()

    def show_projects(self, projects: Sequence[ProjectView], current: str) -> None:
        top = self.list.verticalScrollBar().value()
        self.list.quietly(lambda: self.model.set_all(projects))
        self.list.verticalScrollBar().setValue(top)
        self.list.select(current)
        self._tell()

    def show_spaces(self, spaces: Sequence[SpaceView], current: str | None) -> None:
        """The chooser is there only where there is something to choose."""
        self._spaces = [space for space in spaces if space.state != "removed"]
        self.spaces.clear()
        for number, space in enumerate(self._spaces):
            self.spaces.addItem(self.tr("No space") if not number else space.name, space.id if number else None)
        self.spaces.setCurrentIndex(max(self.spaces.findData(current), 0))
        self.spaces.setVisible(len(self._spaces) > 1)

    def show_cache(self, stats: CacheStats) -> None:
        self._stats = stats
        self.cache.setText(texts.cache_line(stats))
        details = texts.cache_details(stats)
        self.cache.setAccessibleDescription(details)
        self.cache.setToolTip(tip(details or self.cache.text()))

    def _filter(self, text: str) -> None:
        index = self.list.currentIndex()
        before = self.model.rows[index.row()].name if index.isValid() else ""
        self.list.quietly(lambda: self.model.filter(text))
        self.list.select(before)
        self._tell()

    def _tell(self) -> None:
        missing = bool(self.model.all) and not self.model.rows
        self.none.setVisible(missing)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down and Enter in the field go to the list."""
        if watched is self.filter and event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and self.filter.text():
                event.accept()  # it clears the field before it closes the window
                return True
        elif watched is self.filter and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.model.rows:
                if not self.list.selectedIndexes() or event.key() != Qt.Key.Key_Down:
                    self.list.setCurrentIndex(self.model.index(0))
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if event.key() == Qt.Key.Key_Escape and self.filter.text():
                self.filter.clear()
                return True
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), theme.current()["sunken"])

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.filter.setPlaceholderText(self.tr("Find a project"))
        self.filter.setAccessibleName(self.tr("Find a project"))
        self.list.setAccessibleName(self.tr("Projects"))
        self.spaces.setAccessibleName(self.tr("Space"))
        self.none.setText(self.tr("No project is called so."))
        if self._stats is not None:
            self.show_cache(self._stats)
        if self._spaces:
            self.show_spaces(self._spaces, self.spaces.currentData())

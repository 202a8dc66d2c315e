"""The settings window: pages at the left, the chosen one at the right. Every change holds at once.

Owns which page is shown, and the way of a change: to the backend on a thread, then told to the application, which makes
it felt (theme, language, tray, key). Writes no file itself.
"""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QStackedWidget, QVBoxLayout, QWidget
from PySide6.QtWidgets import QStyledItemDelegate as ItemDelegate
from PySide6.QtWidgets import QStyleOptionViewItem as ItemOption

from tray_app.desktop.autostart import Autostart
from tray_app.errors import AppError
from tray_app.paths import Paths
from tray_app.records import Status
from tray_app.service.backend import Backend
from tray_app.ui import icons, painting, screen_place, theme, wording
from tray_app.ui.confirm_dialog import ConfirmDialog
from tray_app.ui.controls import Glyph, Hairline, Label, QuietButton
from tray_app.ui.hotkey.manager import HotkeyState
from tray_app.ui.reading_cost import Speed
from tray_app.ui.settings_advanced import AdvancedPage
from tray_app.ui.settings_agents import AgentsPage
from tray_app.ui.settings_general import GeneralPage
from tray_app.ui.settings_index import IndexPage, PrivacyPage
from tray_app.ui.settings_meaning import MeaningPage
from tray_app.ui.settings_rows import Page
from tray_app.ui.settings_sources import SourcesPage
from tray_app.ui.tasks import Tasks

PAGES = ("general", "sources", "privacy", "index", "meaning", "agents", "advanced")
GLYPHS = {
    "general": "window", "sources": "sources", "privacy": "privacy", "index": "history", "meaning": "meaning",
    "agents": "plug", "advanced": "prompt",
}  # fmt: skip


class SideDelegate(ItemDelegate):
    """A page's row: glyph, name; the chosen one with tint, bar and weight."""

    def sizeHint(self, option: ItemOption, index: object) -> QSize:
        return QSize(0, theme.current().size("side_row"))

    def paint(self, painter: QPainter, option: ItemOption, index: Any) -> None:
        from PySide6.QtWidgets import QStyle

        now = theme.current()
        painter.save()
        rect: QRect = option.rect
        state: Any = option.state
        row = QRectF(rect).adjusted(now.px(8), 1, -now.px(8), -1)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        active = bool(state & QStyle.StateFlag.State_Active)
        if chosen:
            painting.fill_rounded(painter, row, now.radii["row"], now["sel" if active else "hover"])
            bar = QRectF(row.left(), row.top() + 7, 3, row.height() - 14)
            painting.fill_rounded(painter, bar, 1.5, now["accent" if active else "text3"])
        elif state & QStyle.StateFlag.State_MouseOver:
            painting.fill_rounded(painter, row, now.radii["row"], now["hover"])
        side = now.px(16)
        y = row.center().y() - side / 2
        ink = now["accent_text"] if chosen and active else now["text2"]
        icons.draw_glyph(painter, str(index.data(Qt.ItemDataRole.UserRole)), row.left() + now.px(12), y, side, ink)
        top = row.center().y() - now.face("row").line / 2
        text = str(index.data(Qt.ItemDataRole.DisplayRole))
        painting.draw_text(painter, row.left() + now.px(38), top, "row", text, now["text"], weight=600 if chosen else 500)
        painter.restore()


class SideList(QListWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setItemDelegate(SideDelegate(self))
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.viewport().setAutoFillBackground(False)


class SettingsDialog(QWidget):
    """An ordinary window of its own, kept and shown again."""

    settingChanged = Signal(str, object)
    """A setting that was kept: its key and value. The application makes it felt."""
    keyWanted = Signal(str)
    sourcesChanged = Signal()
    rereadWanted = Signal()
    """Settings that change what is read were kept."""
    rebuildWanted = Signal()
    cleared = Signal()
    healthRequested = Signal()

    def __init__(
        self,
        backend: Backend,
        tasks: Tasks,
        paths: Paths,
        autostart: Autostart,
        parent: QWidget | None = None,
        *,
        speed: Speed | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._backend, self._tasks = backend, tasks
        self._speed = speed or Speed(self)
        self._status: Status | None = None
        self._placed = False
        now = theme.current()
        self.general = GeneralPage(autostart, tasks)
        self.sources = SourcesPage(backend, tasks)
        self.privacy = PrivacyPage()
        self.index = IndexPage()
        self.meaning = MeaningPage(backend, tasks)
        self.agents = AgentsPage(paths, tasks)
        self.advanced = AdvancedPage(paths)
        pages = (self.general, self.sources, self.privacy, self.index, self.meaning, self.agents, self.advanced)
        self.pages: dict[str, Page] = dict(zip(PAGES, pages, strict=True))
        self.side = SideList(self)
        self.side.setFixedWidth(now.px(now.measures["window"]["settings"]["side"]))
        self.stack = QStackedWidget(self)
        for name, page in self.pages.items():
            item = QListWidgetItem("")
            item.setData(Qt.ItemDataRole.UserRole, GLYPHS[name])
            self.side.addItem(item)
            self.stack.addWidget(page)
        self.fault = FaultStrip(self)
        left = QVBoxLayout()
        left.setContentsMargins(0, now.px(12), 0, 0)
        left.addWidget(self.side)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.stack, 1)
        right.addWidget(self.fault)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addLayout(left)
        line.addWidget(Hairline(self, vertical=True))
        line.addLayout(right, 1)
        self._connect()
        self.side.setCurrentRow(0)
        self.retranslate()

    def _connect(self) -> None:
        self.side.currentRowChanged.connect(self.stack.setCurrentIndex)
        for number in range(len(PAGES)):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{number + 1}"), self)
            shortcut.activated.connect(lambda row=number: self.side.setCurrentRow(row))
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.close)
        QShortcut(QKeySequence.StandardKey.Close, self).activated.connect(self.close)
        self.general.changed.connect(self.keep)
        self.general.keyWanted.connect(self.keyWanted)
        self.sources.sourcesChanged.connect(self.sourcesChanged)
        self.sources.faulted.connect(self.fault.say)
        for page in (self.privacy, self.index):
            page.changed.connect(self.keep)
            page.rereadWanted.connect(self._keep_all)
        self.meaning.changed.connect(self.keep)
        self.meaning.settingKept.connect(self._meaning_kept)
        self.meaning.faulted.connect(self.fault.say)
        self.agents.changed.connect(self.keep)
        self.agents.faulted.connect(self.fault.say)
        self.privacy.clearWanted.connect(self._clear)
        self.index.rebuildWanted.connect(self.rebuildWanted)
        self.advanced.healthWanted.connect(self.healthRequested)

    def open(self, page: str = "") -> None:
        """Show the window, at this page if one is named, with what is true now."""
        if page in PAGES:
            self.side.setCurrentRow(PAGES.index(page))
        self.load()
        if not self._placed:
            self._placed = True
            sizes = theme.current().measures["window"]["settings"]
            scale = theme.current().px
            least = QSize(scale(sizes["min"][0]), scale(sizes["min"][1]))
            screen_place.open_centred(self, QSize(scale(sizes["default"][0]), scale(sizes["default"][1])), least)
        else:
            screen_place.bring_in(self)
        self.show()
        self.raise_()
        self.activateWindow()

    def load(self) -> None:
        self._tasks.run(self, self._backend.config, self._show_values, self.fault.say)
        self._tasks.run(self, self._backend.status, self._show_status, self.fault.say)
        self.sources.load()
        if self.meaning.isVisible():
            self.meaning.look()
        if self.agents.isVisible():
            self.agents.look()

    def set_hotkey(self, state: HotkeyState) -> None:
        self.general.set_hotkey(state)

    def keep(self, key: str, value: object) -> None:
        """Keep one setting, and tell when it is kept."""
        self.fault.say(None)
        self._tasks.run(
            self,
            lambda: self._backend.set_config(key, value),
            lambda kept: self.settingChanged.emit(key, kept),
            self._not_kept,
        )

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Settings"))
        self.side.setAccessibleName(self.tr("Pages"))
        names = (
            self.tr("General"),
            self.tr("Sources"),
            self.tr("Privacy"),
            self.tr("Index"),
            self.tr("Meaning"),
            self.tr("Agents"),
            self.tr("Advanced"),
        )
        for row, name in enumerate(names):
            self.side.item(row).setText(name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.side.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRect(0, 0, self.side.width(), self.height()), theme.current()["sunken"])

    def _show_values(self, values: dict[str, Any]) -> None:
        self.general.load(values)
        self.privacy.load(values)
        self.index.load(values)
        self.meaning.load(values)
        self.agents.load(values)

    def _show_status(self, status: Status) -> None:
        self._status = status
        self.advanced.set_status(status)
        self.privacy.set_status(status)
        self.meaning.set_status(status)
        self.index.set_status(status, self._speed.bytes_a_second)

    def _meaning_kept(self, key: str, value: object) -> None:
        self.fault.say(None)
        self.settingChanged.emit(key, value)
        self._tasks.run(self, self._backend.status, self._show_status, self.fault.say)

    def _keep_all(self, wanted: dict[str, Any]) -> None:
        def work() -> dict[str, Any]:
            return {key: self._backend.set_config(key, value) for key, value in wanted.items()}

        def done(kept: dict[str, Any]) -> None:
            for key, value in kept.items():
                self.settingChanged.emit(key, value)
            self.rereadWanted.emit()

        self.fault.say(None)
        self._tasks.run(self, work, done, self._not_kept)

    def _not_kept(self, fault: AppError) -> None:
        self.fault.say(fault)
        self._tasks.run(self, self._backend.config, self._show_values, self.fault.say)

    def _clear(self) -> None:
        totals = self._status.totals if self._status else None
        text = self.tr("Your session files are not touched. Indexing is paused until you resume it.")
        if totals is not None:
            what = self.tr("{passages} are removed from the index.").format(
                passages=wording.passages_in_sessions(totals.chunks, totals.sessions)
            )
            text = f"{what} {text}"
        if ConfirmDialog.ask(self, self.tr("Clear the whole index?"), text, self.tr("Keep it"), self.tr("Clear index")):
            self._tasks.run(self, self._backend.clear_index, self._is_cleared, self.fault.say)

    def _is_cleared(self, status: Status) -> None:
        self._show_status(status)
        self.cleared.emit()


class FaultStrip(QWidget):
    """One sentence about what did not work, at the foot, until the next change."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.words = Label("", "body", "text", self, wrap=True)
        self.dismiss = QuietButton("", self)
        line = QHBoxLayout(self)
        line.setContentsMargins(now.px(28), now.px(12), now.px(28), now.px(12))
        line.setSpacing(now.px(8))
        line.addWidget(Glyph("warn", 16, "warn", self))
        line.addWidget(self.words, 1)
        line.addWidget(self.dismiss)
        self.dismiss.clicked.connect(self.hide)
        self.hide()

    def say(self, fault: AppError | None) -> None:
        self.setVisible(fault is not None)
        if fault is not None:
            self.words.setText(wording.error_text(fault))
            self.dismiss.setText(self.tr("Close"))

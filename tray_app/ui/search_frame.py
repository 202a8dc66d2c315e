"""The body of the search window: its parts, how they lie, and how they make way for each other.

Owns the layout for every form (one line, full, narrow) and every mode of the list. Knows nothing of answers: the window
in `search_window` says what is to be shown.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QStackedWidget, QVBoxLayout, QWidget

from tray_app.service.backend import Backend
from tray_app.settings import Settings
from tray_app.state import State
from tray_app.ui import painting, theme
from tray_app.ui.chip_row import ChipRow
from tray_app.ui.elided import Hairline
from tray_app.ui.empty_view import EmptyView
from tray_app.ui.foot import Foot
from tray_app.ui.keys_overlay import KeysOverlay
from tray_app.ui.launcher import Launcher
from tray_app.ui.notice_line import NoticeLine
from tray_app.ui.query_bar import QueryBar
from tray_app.ui.reading_pane import ReadingPane
from tray_app.ui.results_view import ResultsView
from tray_app.ui.search_flow import SearchFlow
from tray_app.ui.why_panel import WhyPanel

RECENT, RESULTS, DOUBT, NOTHING = "recent", "results", "doubt", "nothing"
LIST_WIDTHS = {RECENT: 420, RESULTS: 400, DOUBT: 500, NOTHING: 400}


class SearchFrame(Launcher):
    """A launcher with the parts of the search window in it."""

    def __init__(self, backend: Backend, state: State | None, settings: Settings, *, composited: bool | None) -> None:
        super().__init__(state, composited=composited)
        self._settings = settings
        self.flow = SearchFlow(backend, lambda: int(self._settings["search.limit"]), self)
        self.mode = RECENT
        self.reading = False
        """A session was opened from the recent ones or the candidates."""
        self._narrow = False
        self._kept_width = 0
        """Width of the list that the person dragged it to."""
        self._build(backend)

    def _build(self, backend: Backend) -> None:
        self.bar = QueryBar()
        self.chips = ChipRow()
        self.notice = NoticeLine()
        self.list = ResultsView()
        self.empty = EmptyView()
        self.pane = ReadingPane(backend)
        self.foot = Foot()
        self._left = QWidget()
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.list, 1)
        self.why = WhyPanel()
        column.addWidget(self.why)
        self.right = QStackedWidget()
        self._blank = QWidget()
        for page in (self.empty, self.pane, self._blank):
            self.right.addWidget(page)
        self.splitter = _Splitter()
        self.splitter.addWidget(self._left)
        self.splitter.addWidget(self.right)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self._left.setMinimumWidth(theme.current().px(320))
        body = QVBoxLayout(self.body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        self._under_query, self._under_chips = Hairline(), Hairline()
        for part in (self.bar, self._under_query, self.chips, self._under_chips):
            body.addWidget(part)
        body.addWidget(self.splitter, 1)
        body.addWidget(self.foot)
        self._grown = (self._under_query, self.splitter, self.foot)
        self.chips.after = self.bar.field
        QWidget.setTabOrder(self.list, self.empty.days)
        QWidget.setTabOrder(self.empty.days, self.pane.transcript)
        self.overlay = KeysOverlay(self.body)
        self._opened_chips = False
        """The row of chips was opened by hand."""
        self.empty.days.entered.connect(self.list.set_dimmed)
        self.splitter.splitterMoved.connect(self._keep_width)
        theme.notifier().changed.connect(self.bar.dress)
        self.show_chips()

    # --- form --------------------------------------------------------------------------------------------------------
    def grow(self) -> None:
        """From one line to the full window."""
        if self.one_line:
            self.set_form(one_line=False)

    def set_form(self, *, one_line: bool) -> None:
        """One line, or everything."""
        for part in self._grown:
            part.setVisible(not one_line)
        self.bar.set_one_line(one_line)
        self.set_one_line(one_line)
        self.show_chips()

    def show_chips(self) -> None:
        """Show the chips of the question as it stands, if there are any or their row was opened by hand."""
        facts = self.flow.chips()
        self.chips.set_chips(facts)
        shown = not self.one_line and (bool(facts) or self._opened_chips)
        self.chips.setVisible(shown)
        self._under_chips.setVisible(shown)

    # --- sides -------------------------------------------------------------------------------------------------------
    def show_right(self, *, reading: bool = False) -> None:
        """Show at the right what belongs to the mode. `reading`: in a narrow window it takes the list's place."""
        if self.mode == RESULTS or self.reading:
            self.right.setCurrentWidget(self.pane)
        elif self.mode == NOTHING:
            self.right.setCurrentWidget(self._blank)
        else:
            self.right.setCurrentWidget(self.empty)
        swapped = self._narrow and reading
        self._left.setVisible(not swapped)
        self.right.setVisible(not self._narrow or swapped)
        self._show_keys(swapped)

    def _show_keys(self, swapped: bool) -> None:
        keys = [("F1", self.tr("Keys", "what F1 shows"))]
        if swapped:
            keys.insert(0, ("←", self.tr("Back")))
        elif self.mode != NOTHING:
            keys.insert(0, ("→", self.tr("Preview")) if self._narrow else ("↵", self.tr("Open")))
        self.foot.show_keys(keys)

    def keep_in_view(self) -> None:
        """The list became lower: its chosen row stays in view."""
        column = self._left.layout()
        assert column is not None
        column.activate()
        self.list.scrollTo(self.list.currentIndex())

    def set_mode(self, mode: str) -> None:
        """What the list shows: each mode has its own width."""
        if mode != self.mode:
            self.mode = mode
            self._set_list_width()

    def _set_list_width(self) -> None:
        wide = self._kept_width if self._kept_width and self.mode == RESULTS else theme.current().px(LIST_WIDTHS[self.mode])
        total = self.splitter.width()
        self.splitter.setSizes([wide, max(total - wide - 1, 1)])

    def _keep_width(self, position: int, _index: int) -> None:
        now = theme.current()
        self._kept_width = min(max(position, now.px(320)), now.px(480))
        if self._kept_width != position and self.mode == RESULTS:
            self._set_list_width()

    def focus_query(self) -> None:
        """The keyboard goes to the field; the text stays as it is."""
        self.empty.days.leave()
        self.bar.field.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- Qt ----------------------------------------------------------------------------------------------------------
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        now = theme.current()
        wide = self.content_size().width()
        narrow = wide < now.px(now.measures["window"]["launcher"]["two_panes_from"])
        self.foot.set_width(wide)
        self.foot.corner = self.corner()
        self.chips.set_narrow(wide < now.px(700))
        self.bar.set_narrow(wide < now.px(700))
        if narrow != self._narrow:
            self._narrow = narrow
            self.show_right(reading=narrow and self.pane.transcript.hasFocus())
        if not narrow and event.oldSize().width() != event.size().width():
            self._set_list_width()
        if self.overlay.isVisible():
            self.overlay.open()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._set_list_width()


class _Splitter(QSplitter):
    """A hairline between list and reading pane; Qt makes a line of 1 px easier to grab by itself."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setHandleWidth(1)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    def paintEvent(self, _event: QPaintEvent) -> None:
        inner = self.contentsRect()
        now = theme.current()
        painter = QPainter(self)
        painter.fillRect(inner, now["bg"])
        painting.hairline(painter, inner.left(), inner.top(), inner.height(), now["line"], vertical=True)

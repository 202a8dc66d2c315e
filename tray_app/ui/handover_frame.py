"""How the parts of the hand-over window lie: projects │ head, tabs, content │ pack, and the foot.

Owns the resize rules: under 1080 the pack is a fifth tab, under 920 the projects are a chooser beside the name. Shows what
it is given; asks nothing.
"""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from tray_app.paths import shorten
from tray_app.records import ProjectView, ResumeAdvice
from tray_app.ui import i18n, painting, screen_place, theme
from tray_app.ui.controls import Chooser, ElidedLabel, Hairline, Label, PlainButton, TabRow
from tray_app.ui.handover_card import CardTab
from tray_app.ui.handover_draft import DraftTab
from tray_app.ui.handover_foot import AnswerStrip, HandoverFoot
from tray_app.ui.handover_history import HistoryTab
from tray_app.ui.handover_memories import MemoriesPanel
from tray_app.ui.handover_pack import PackPane
from tray_app.ui.handover_projects import ProjectColumn
from tray_app.ui.handover_texts import texts
from tray_app.ui.notice_line import NoticeLine
from tray_app.ui.settings_rows import give_line

CARD, DRAFT, HISTORY, MEMORIES, PACK = "card", "draft", "history", "memories", "pack"
TABS = (CARD, DRAFT, HISTORY, MEMORIES, PACK)
COLLAPSE_UNDER = 920


class Head(QWidget):
    """Name (or a chooser), path, figures, last session."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.name = ElidedLabel("", "display", "text", self)
        self.chooser = Chooser(self)
        self.chooser.setMaximumWidth(now.px(320))
        self.chooser.hide()
        self.path = ElidedLabel("", "code", "text2", self, Qt.TextElideMode.ElideMiddle)
        self.figures = Label("", "detail", "text2", self)
        self.last = Label("", "detail", "text2", self)
        upper, lower = QHBoxLayout(), QHBoxLayout()
        for line in (upper, lower):
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(now.px(16))
        upper.addWidget(self.name, 1)
        upper.addWidget(self.chooser)
        upper.addStretch(0)
        upper.addWidget(self.figures, 0, Qt.AlignmentFlag.AlignBottom)
        lower.addWidget(self.path, 1)
        lower.addWidget(self.last)
        self._upper = upper
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(24), now.px(16), now.px(24), now.px(8))
        column.setSpacing(now.px(2))
        column.addLayout(upper)
        column.addLayout(lower)

    def show_project(self, project: ProjectView | None, resume: ResumeAdvice | None) -> None:
        self.name.setText(project.name if project is not None else "")
        self.path.setText(shorten(project.folder) if project is not None else "")
        self.figures.setText(texts.figures(project) if project is not None else "")
        self.last.setText(texts.last_session(project, resume) if project is not None else "")

    def collapse(self, collapsed: bool) -> None:
        self.name.setVisible(not collapsed)
        self.chooser.setVisible(collapsed)
        self._upper.setStretch(2, 1 if collapsed else 0)


class _Tabs(QWidget):
    """The tabs, on a hairline that goes across."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        now = theme.current()
        self.row = TabRow(self)
        line = QHBoxLayout(self)
        line.setContentsMargins(now.px(24 - TabRow.INSET), 0, now.px(24), 0)
        line.addWidget(self.row)
        self.setFixedHeight(now.size("tab_row"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painting.hairline(QPainter(self), 0, self.height() - 1, self.width(), theme.current()["line"])


class HandoverFrame(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        now = theme.current()
        sizes = now.measures["window"]["handover"]
        self._placed = False
        self.narrow = self.collapsed = False
        # Each part is made where it will be: a change of parent styles all that is in it anew.
        self.column = ProjectColumn(self)
        self._whole = QStackedWidget(self)
        content = QWidget(self._whole)
        middle = QWidget(content)
        self.notice = NoticeLine(middle)
        self.head = Head(middle)
        self._tabs = _Tabs(middle)
        self.tabs = self._tabs.row
        self.pages = QStackedWidget(middle)
        self.card, self.draft, self.history = CardTab(self.pages), DraftTab(self.pages), HistoryTab(self.pages)
        self.memories = MemoriesPanel(self.card)
        self.memories_page, self.pack_page = QWidget(self.pages), QWidget(self.pages)
        for page, margin in ((self.memories_page, 0), (self.pack_page, now.px(4))):
            QVBoxLayout(page).setContentsMargins(margin, 0, margin, 0)
        for page in (self.card, self.draft, self.history, self.memories_page, self.pack_page):
            self.pages.addWidget(page)
        self.card.below.addWidget(self.memories)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.notice)
        column.addWidget(self.head)
        column.addWidget(self._tabs)
        column.addWidget(self.pages, 1)
        self.side = QWidget(content)
        self.side.setFixedWidth(now.px(sizes["pack"]))
        QVBoxLayout(self.side).setContentsMargins(0, 0, 0, 0)
        self._side_line = Hairline(content, vertical=True)
        self.pack = PackPane(self.side)
        self._into(self.side, self.pack)
        row = QHBoxLayout(content)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(middle, 1)
        row.addWidget(self._side_line)
        row.addWidget(self.side)
        self._whole.addWidget(content)
        self._whole.addWidget(self._make_empty())
        self.foot = HandoverFoot(self)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self._whole, 1)
        right.addWidget(Hairline(self))
        right.addWidget(self.foot)
        self._column_line = Hairline(self, vertical=True)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.column)
        whole.addWidget(self._column_line)
        whole.addLayout(right, 1)
        self.strip = AnswerStrip(self)
        self._counts: dict[str, int] = {}
        for name in TABS:
            self.tabs.addTab("")
            self.tabs.setTabToolTip(TABS.index(name), "")
        self.tabs.setTabVisible(TABS.index(PACK), False)
        self.head.chooser.setModel(self.column.model)
        self.tabs.currentChanged.connect(self._show_tab)
        self._show_tab(0)
        self._order()

    def _make_empty(self) -> QWidget:
        now = theme.current()
        empty = QWidget(self._whole)
        self.nothing = Label("", "display", "text", empty)
        self.nothing_more = Label("", "body", "text2", empty, wrap=True)
        self.nothing_more.setMaximumWidth(now.px(640))
        self.look_again = PlainButton("", empty)
        words = QVBoxLayout(empty)
        words.setContentsMargins(now.px(40), now.px(40), now.px(40), now.px(40))
        words.setSpacing(now.px(8))
        words.addWidget(give_line(self.nothing, "display"))
        words.addWidget(self.nothing_more)
        words.addSpacing(now.px(8))
        words.addWidget(self.look_again, 0, Qt.AlignmentFlag.AlignLeft)
        words.addStretch(1)
        return empty

    # --- tabs --------------------------------------------------------------------------------------------------------
    @property
    def tab(self) -> str:
        return TABS[max(self.tabs.currentIndex(), 0)]

    def go_to(self, tab: str) -> None:
        self.tabs.setCurrentIndex(TABS.index(tab))

    def set_count(self, tab: str, count: int) -> None:
        """The figure beside a tab's word; none for 0."""
        at = TABS.index(tab)
        words = i18n.count(count) if count else None
        if self.tabs.tabData(at) != words:
            self.tabs.setTabData(at, words)
            self.tabs.setTabText(at, self.tabs.tabText(at))  # measures it anew
        self._counts[tab] = count
        name = self._names()[at]
        self.tabs.setAccessibleTabName(at, f"{name} {words}" if words else name)

    def _show_tab(self, at: int) -> None:
        if self.tab in (CARD, MEMORIES):
            holder = self.card.below if self.tab == CARD else self.memories_page.layout()
            assert holder is not None
            holder.addWidget(self.memories)
            self.memories.setVisible(self.tab != CARD or not self.card.edits_all)
        self.pages.setCurrentIndex(max(at, 0))

    def _names(self) -> tuple[str, ...]:
        return self.tr("Card"), self.tr("Draft"), self.tr("History"), self.tr("Memories"), self.tr("Pack")

    # --- the rest ----------------------------------------------------------------------------------------------------
    def show_empty(self, empty: bool) -> None:
        """There are no projects at all."""
        self._whole.setCurrentIndex(1 if empty else 0)
        self._side_line.setVisible(not empty and not self.narrow)

    @property
    def shows_empty(self) -> bool:
        return self._whole.currentIndex() == 1

    def place(self) -> None:
        """The first size and place, or back onto a screen that is there."""
        if not self._placed:
            self._placed = True
            sizes, px = theme.current().measures["window"]["handover"], theme.current().px
            least = QSize(px(sizes["min"][0]), px(sizes["min"][1]))
            screen_place.open_centred(self, QSize(px(sizes["default"][0]), px(sizes["default"][1])), least)
        else:
            screen_place.bring_in(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        px = theme.current().px
        narrow = self.width() < px(theme.current().measures["window"]["handover"]["three_panes_from"])
        collapsed = self.width() < px(COLLAPSE_UNDER)
        if narrow != self.narrow:
            self.narrow = narrow
            was_pack = self.tab == PACK
            self._into(self.pack_page if narrow else self.side, self.pack)
            self.side.setVisible(not narrow)
            self._side_line.setVisible(not narrow)
            self.tabs.setTabVisible(TABS.index(PACK), narrow)
            if was_pack and not narrow:
                self.go_to(CARD)
            self._order()
        if collapsed != self.collapsed:
            self.collapsed = collapsed
            self.column.setVisible(not collapsed)
            self._column_line.setVisible(not collapsed)
            self.head.collapse(collapsed)
            self.column.filter.clear()  # the chooser offers all
            self._order()
        self._lie()

    def _lie(self) -> None:
        left = 0 if self.collapsed else self.column.width() + 1
        self.strip.lie(left, self.height() - self.foot.height(), self.width() - left)

    def _into(self, holder: QWidget, widget: QWidget) -> None:
        layout = holder.layout()
        assert layout is not None
        layout.addWidget(widget)
        widget.show()

    def _order(self) -> None:
        """Filter → projects → tabs → content → slider → pack text → foot."""
        chain: list[QWidget] = [
            self.column.spaces, self.column.filter, self.column.list, self.head.chooser, self.tabs, self.card.edit, self.card.first,
            *self.card.rows.values(),
        ]  # fmt: skip
        for row in self.draft.rows.values():
            chain += [*row.choices, row.undo_link]
        chain += [self.draft.session, self.draft.accept_all, self.draft.discard_all, self.history.list, self.history.back]
        chain += [self.memories.states, self.memories.add, *self.memories.kinds.all.values(), self.memories.list]
        chain += [self.pack.slider, self.pack.text, self.foot.export, self.foot.folder, self.foot.resume, self.foot.more]
        chain += [self.foot.card, self.foot.chat, self.foot.pack]
        for before, after in pairwise(chain):
            QWidget.setTabOrder(before, after)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), theme.current()["bg"])

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Hand-over"))
        for at, name in enumerate(self._names()):
            self.tabs.setTabText(at, name)
            self.set_count(TABS[at], self._counts.get(TABS[at], 0))
        self.tabs.setAccessibleName(self.tr("Parts of the hand-over"))
        self.head.chooser.setAccessibleName(self.tr("Project"))
        self.nothing.setText(self.tr("No projects yet"))
        self.nothing_more.setText(
            self.tr(
                "Projects are the folders in your projects folder, and those in which sessions took place. They come by "
                "themselves once a source is read; what was learned in them is kept here."
            )
        )
        self.look_again.setText(self.tr("Look again"))
